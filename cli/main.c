/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "oracle/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In the order of `misprint help`. */
static const struct command *const commands[] = {
    &command_fuzz,    &command_replay,     &command_report, &command_verify, &command_merge,  &command_minimize, &command_dropped, &command_run,
    &command_explain, &command_adjudicate, &command_reduce, &command_record, &command_import, &command_clauses,  &command_show,    &command_spec,
    &command_units,   &command_boards,     &command_asm,    &command_disasm, &command_agent,  &command_bench,    &command_help,
};
enum { COMMANDS = sizeof commands / sizeof *commands };

const struct command *command_at(unsigned i)
{
    return i < COMMANDS ? commands[i] : NULL;
}

volatile sig_atomic_t interrupted;
bool output_closed;

static void on_interrupt(int signal)
{
    if (interrupted) {
        board_kill_all();
        _exit(128 + signal);
    }
    interrupted = 1;
}

/* abort(): no memory (model/memory.h), or an assertion, which has said which. */
static void on_abort(int signal)
{
    static const char words[] = "misprint: out of memory, or a fault of misprint's own; what a campaign reported before is kept\n";
    (void)signal;
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    board_kill_all(); /* NOLINT(bugprone-signal-handler,cert-sig30-c): reads a table and calls kill */
    _exit(STATUS_BROKEN);
}

void catch_interrupts(void)
{
    struct sigaction a = {.sa_handler = on_interrupt};
    sigemptyset(&a.sa_mask);
    sigaction(SIGINT, &a, NULL);
    sigaction(SIGTERM, &a, NULL);
    sigaction(SIGHUP, &a, NULL);
    board_stop_on(&interrupted);
}

int fail(int status, const struct error *e)
{
    (void)fprintf(stderr, "misprint: %s\n", e->text[0] ? e->text : "something failed without saying what");
    return e->of_machine ? STATUS_BROKEN : status;
}

int write_text(const char *path, const struct text *t, int status)
{
    struct error e = {0};
    bool standard = !strcmp(path, "-");
    if (output_closed && standard)
        return STATUS_CLOSED;
    if (file_write(path, text_chars(t), t->length, &e))
        return status;
    if (!standard || errno != EPIPE)
        return fail(standard ? STATUS_BROKEN : STATUS_USAGE, &e);
    output_closed = true; /* as `| head` does: nothing to tell anybody */
    interrupted = 1;
    return STATUS_CLOSED;
}

int print_text(const struct text *t, int status)
{
    return write_text("-", t, status);
}

int print_json(json_t *j, int status)
{
    struct text t = {0};
    char *chars = json_dumps(j, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    text_add(&t, "%s\n", chars ? chars : "null");
    free(chars);
    json_decref(j);
    status = print_text(&t, status);
    text_free(&t);
    return status;
}

bool wants_progress(const struct arguments *a)
{
    return !a->option[OPTION_QUIET] && isatty(STDERR_FILENO);
}

static const char *name_of_command(const void *context, unsigned i)
{
    (void)context;
    return command_at(i) ? command_at(i)->name : NULL;
}

static int unknown_command(const char *word)
{
    struct error e = {0};
    error_unknown(&e, "command", word, name_of_command, NULL, "`misprint help` lists them");
    return fail(STATUS_USAGE, &e);
}

static int run_help(const struct arguments *a)
{
    struct text t = {0};
    int status = STATUS_EQUAL;
    if (a->option[OPTION_MAN]) {
        help_man(&t);
    } else if (a->words) {
        unsigned i = 0;
        while (command_at(i) && strcmp(command_at(i)->name, a->word[0]) != 0)
            i++;
        if (command_at(i))
            help_command(command_at(i), &t);
        else
            status = unknown_command(a->word[0]);
    } else {
        help_all(&t);
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
        help_all(&t);
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
    for (unsigned i = 0; i < COMMANDS; i++) {
        const struct command *c = commands[i];
        if (strcmp(c->name, argv[1]) != 0)
            continue;
        struct error e = {0};
        struct arguments a;
        if (wants_help(argc - 2, argv + 2)) {
            struct text t = {0};
            help_command(c, &t);
            int status = print_text(&t, STATUS_EQUAL);
            text_free(&t);
            return status;
        }
        return arguments_parse(c, argc - 2, argv + 2, &a, &e) ? c->run(&a) : fail(STATUS_USAGE, &e);
    }
    return unknown_command(argv[1]);
}

int main(int argc, char **argv)
{
    (void)signal(SIGABRT, on_abort);
    /* A board that ends, output that nobody reads, a file that may not grow: each is dealt with where it is written. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    int status = run(argc, argv);
    return output_closed ? STATUS_CLOSED : status;
}
