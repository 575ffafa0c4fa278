/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"
#include "oracle/board/plugin/plugin_child.h"
#include "oracle/files/file.h"

#include <string.h>

/* The commands, in the order of `misprint --help`. */
static const struct command *const commands[] = {
    &command_fuzz,        &command_replay,   &command_explain, &command_adjudicate, &command_learn,
    &command_reduce,      &command_report,   &command_where,   &command_show,       &command_run,
    &command_clauses,     &command_spec,     &command_units,   &command_boards,     &command_points,
    &command_record,      &command_import,   &command_asm,     &command_disasm,     &command_new_board,
    &command_check_board, &command_prove,    &command_agent,   &command_merge,      &command_verify,
    &command_dropped,     &command_minimize, &command_bench,   &command_help,       NULL,
};
static const struct command_group groups[] = {
    {"Find differences", &command_fuzz},
    {"Look at findings, manuals and cases", &command_report},
    {"Bring your own values, programs and boards", &command_record},
    {"Maintain campaigns and this machine", &command_merge},
    {NULL, NULL},
};

static const struct command *command_named(const char *name)
{
    const struct command *const *c = commands;
    while (*c && strcmp((*c)->name, name) != 0)
        c++;
    return *c;
}

static const char *name_of_command(const void *context, unsigned i)
{
    (void)context;
    return commands[i] ? commands[i]->name : NULL;
}

static int unknown_command(const char *word)
{
    struct error e = {0};
    if (word[0] == '-')
        return fail_usage("the command comes first, then its options: misprint COMMAND %s ... (`misprint "
                          "help` lists the commands)",
                          word);
    error_unknown(&e, "command", word, name_of_command, NULL, "`misprint help` lists them");
    return fail(STATUS_USAGE, &e);
}

/* Writes one file of --pages. Frees the text. */
static bool write_page(const char *folder, const char *name, struct text *t, struct error *e)
{
    struct text path = {0};
    text_add(&path, "%s/%s", folder, name);
    bool good = file_write(text_chars(&path), text_chars(t), t->length, e);
    text_free(&path);
    text_free(t);
    return good;
}

/* The names are those under which man and the shells look for these files. */
static int write_pages(const char *folder)
{
    static const struct {
        const char *name;
        void (*write)(const struct command *const *all, struct text *t);
    } whole[] = {{"misprint.1", help_man},
                 {"misprint", completion_bash},
                 {"_misprint", completion_zsh},
                 {"misprint.fish", completion_fish}};
    struct error e = {0};
    bool good = file_make_folder(folder, &e);
    for (unsigned i = 0; good && i < sizeof whole / sizeof *whole; i++) {
        struct text t = {0};
        whole[i].write(commands, &t);
        good = write_page(folder, whole[i].name, &t, &e);
    }
    for (const struct command *const *c = commands; good && *c; c++) {
        struct text t = {0};
        char name[64];
        help_man_command(*c, &t);
        snprintf(name, sizeof name, "misprint-%s.1", (*c)->name);
        good = write_page(folder, name, &t, &e);
    }
    return good ? STATUS_EQUAL : fail(STATUS_USAGE, &e);
}

static int run_help(const struct arguments *a)
{
    struct text t = {0};
    bool man = a->option[OPTION_MAN];
    if (a->option[OPTION_PAGES])
        return write_pages(a->option[OPTION_PAGES]);
    const struct command *c = a->words ? command_named(a->word[0]) : NULL;
    bool unit = a->words > 1;
    bool where = unit && c == &command_where && unit_named(a->word[1]); /* one page for all units */
    if (unit && !where && c != &command_asm && c != &command_disasm)
        return fail_usage("unexpected argument '%s'; only asm and disasm have a page for each unit",
                          a->word[1]);
    unit = unit && !where;
    bool variables = a->words && !strcmp(a->word[0], "environment");
    if (a->words && !c && !man && !variables)
        return unknown_command(a->word[0]);
    struct error e = {0};
    if (unit && !man && !help_instructions(a->word[1], a->option[OPTION_ISA], &t, &e))
        return fail(STATUS_USAGE, &e);
    if (man && c)
        help_man_command(c, &t);
    else if (man)
        help_man(commands, &t);
    else if (variables)
        help_environment(&t);
    else if (c && !unit)
        help_command(c, &t);
    else if (!unit)
        help_all(commands, groups, &t);
    return print_text(&t, STATUS_EQUAL);
}

const struct command command_help = {
    .name = "help",
    .synopsis = "[COMMAND|environment] [UNIT]",
    .about = "explain a command, or the environment variables",
    .examples = "  misprint help fuzz\n"
                "  misprint help environment\n"
                "  misprint help asm amd-buffer --isa gfx900",
    .details = "Lists the commands, or explains one. After asm, lists the instructions of a unit.",
    .options = {OPTION_ISA, OPTION_MAN, OPTION_PAGES, OPTION_END},
    .max_words = 2,
    .run = run_help,
};

static bool is_help(const char *word)
{
    return !strcmp(word, "--help") || !strcmp(word, "-h");
}

static int run(int argc, char **argv)
{
    struct text t = {0};
    if (argc < 2) {
        help_short(&t);
        return print_text(&t, STATUS_USAGE);
    }
    if (is_help(argv[1])) {
        help_all(commands, groups, &t);
        return print_text(&t, STATUS_EQUAL);
    }
    if (!strcmp(argv[1], "--version")) {
        text_add(&t, *misprint_commit ? "misprint %s (%s)\n" : "misprint %s\n", MISPRINT_VERSION,
                 misprint_commit);
        return print_text(&t, STATUS_EQUAL);
    }
    const struct command *c = command_named(argv[1]);
    if (!c)
        return unknown_command(argv[1]);
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (is_help(argv[i])) {
            help_command(c, &t);
            return print_text(&t, STATUS_EQUAL);
        }
    struct error e = {0};
    struct arguments a;
    bool good = arguments_parse(c, commands, argc - 2, argv + 2, &a, &e);
    int status = good ? c->run(&a) : fail(STATUS_USAGE, &e);
    arguments_free(&a);
    return status;
}

int main(int argc, char **argv)
{
    if (plugin_is_child(argc, argv))
        return plugin_child(argv);
    catch_aborts();
    /* If these signals are ignored, writing to a closed pipe, or beyond the limit of a file's size, returns
     * an error instead of ending the process. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    int status = run(argc, argv);
    return output_closed ? STATUS_CLOSED : status;
}
