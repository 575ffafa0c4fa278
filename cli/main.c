/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <string.h>

/* In the order of `misprint help`. */
static const struct command *const commands[] = {
    &command_fuzz,       &command_replay,  &command_report, &command_verify, &command_merge,
    &command_minimize,   &command_dropped, &command_run,    &command_prove,  &command_explain,
    &command_adjudicate, &command_reduce,  &command_record, &command_import, &command_clauses,
    &command_show,       &command_spec,    &command_units,  &command_boards, &command_asm,
    &command_disasm,     &command_agent,   &command_bench,  &command_help,   NULL,
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
        error_set(&e,
                  "the command comes first, then its options: misprint COMMAND %s ... (`misprint help` lists "
                  "the commands)",
                  word);
    else
        error_unknown(&e, "command", word, name_of_command, NULL, "`misprint help` lists them");
    return fail(STATUS_USAGE, &e);
}

static int run_help(const struct arguments *a)
{
    struct text t = {0};
    int status = STATUS_EQUAL;
    if (a->option[OPTION_MAN]) {
        help_man(commands, &t);
    } else if (a->words) {
        const struct command *c = command_named(a->word[0]);
        if (c)
            help_command(c, &t);
        else
            status = unknown_command(a->word[0]);
    } else {
        help_all(commands, &t);
    }
    if (status == STATUS_EQUAL)
        status = print_text(&t, status);
    text_free(&t);
    return status;
}

const struct command command_help = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .about = "explain a command",
    .details = "Lists the commands, or explains one.",
    .options = {OPTION_MAN, OPTION_END},
    .most = 1,
    .run = run_help,
};

static bool wants_help(int count, char **words)
{
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        if (!strcmp(words[i], "--help") || !strcmp(words[i], "-h"))
            return true;
    return false;
}

static int run(int argc, char **argv)
{
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        struct text t = {0};
        help_all(commands, &t);
        int status = print_text(&t, argc < 2 ? STATUS_USAGE : STATUS_EQUAL);
        text_free(&t);
        return status;
    }
    if (!strcmp(argv[1], "--version")) {
        struct text t = {0};
        text_add(&t, "misprint %s\n", MISPRINT_VERSION);
        int status = print_text(&t, STATUS_EQUAL);
        text_free(&t);
        return status;
    }
    const struct command *c = command_named(argv[1]);
    if (!c)
        return unknown_command(argv[1]);
    if (wants_help(argc - 2, argv + 2)) {
        struct text t = {0};
        help_command(c, &t);
        int status = print_text(&t, STATUS_EQUAL);
        text_free(&t);
        return status;
    }
    struct error e = {0};
    struct arguments a;
    return arguments_parse(c, commands, argc - 2, argv + 2, &a, &e) ? c->run(&a) : fail(STATUS_USAGE, &e);
}

int main(int argc, char **argv)
{
    catch_aborts();
    /* A board that ends, output that nobody reads, a file that may not grow: each is dealt with where it is
     * written. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    int status = run(argc, argv);
    return output_closed ? STATUS_CLOSED : status;
}
