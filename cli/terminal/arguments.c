/* SPDX-License-Identifier: MIT */
/* The table of options, the parser of command lines, and the help texts, which are made from the table. */
#include "cli/cli.h"
#include "fuzz/engines/engine_kind.h"
#include "oracle/attribution/explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct option_row {
    const char *name;
    const char *argument; /* NULL: a flag */
    const char *about;
    const char *short_name; /* "-o", or NULL */
};

/* An option means the same in every command, except that --json takes a FILE only in `report`. */
static const struct option_row rows[OPTIONS] = {
    [OPTION_ALL] = {"--all", NULL, "also list the cases that pass", NULL},
    [OPTION_ALSO_UNDER] = {"--profile", "P",
                           "also make the dry run under this profile: a built-in one, a file, or either "
                           "with ,clause=reading",
                           "-p"},
    [OPTION_BOARD] =
        {"--board", "B",
         "the board to run on: virtual:PROFILE, trace:FILE, exec:COMMAND, ssh:HOST, mailbox, drm or "
         "drm:amdgpu",
         "-b"},
    [OPTION_BOARD_IS] = {"--board-is", "WHAT",
                         "silicon or implementation, where the board itself does not say it (default for "
                         "exec and ssh: implementation); verdicts depend on it",
                         NULL},
    [OPTION_BOARDS] = {"--boards", "FILE",
                       "the boards to learn, one JSON object on a line: unit, kind, name, board", NULL},
    [OPTION_CAMPAIGN] = {"--campaign", "DIR",
                         "keep findings, counts and coverage in this directory, which is created if missing",
                         "-c"},
    [OPTION_CASES] = {"--cases", "N", "stop after N cases, 1 or more", "-n"},
    [OPTION_CHANGES] = {"--changes", "N", "explain a difference by changing at most N readings", NULL},
    [OPTION_COUNT] = {"--count", "N", "only N boards of each kind and unit, drawn by the seed", NULL},
    [OPTION_ENGINE] = {"--engine", "E", "what makes the cases: builtin (the seeded generator, the default)",
                       NULL},
    [OPTION_FIDELITY] = {"--fidelity", NULL,
                         "count which results are exact, within a tolerance, or undefined", NULL},
    [OPTION_FOLDER] = {"--output", "DIR", "the directory to write to, new or empty", "-o"},
    [OPTION_HEAD] = {"--head", "HASH",
                     "check that the chain contains this link, which a report named: 64 hexadecimal digits",
                     NULL},
    [OPTION_HTML] = {"--html", "FILE", "write one self-contained HTML page", NULL},
    [OPTION_ISA] = {"--isa", "NAME",
                    "the instruction set of bare words (amd-buffer: gfx1100, the default, gfx1030, gfx900, "
                    "gfx803, gfx90a, gfx942 or gfx1200, or another chip of one's family)",
                    NULL},
    [OPTION_JOBS] = {"--jobs", "N", "run on N processor cores (default 1)", "-j"},
    [OPTION_JSON] = {"--json", NULL, "print one JSON document on standard output", NULL},
    [OPTION_JSON_FILE] = {"--json", "FILE",
                          "write JSON (schema: oracle/report/page/report.schema.json); - is standard output",
                          NULL},
    [OPTION_JUNIT] = {"--junit", "FILE", "write JUnit XML, for continuous integration", NULL},
    [OPTION_KERNEL] = {"--kernel", NULL, "say whether Linux's vc4 driver accepts the program as a shader",
                       NULL},
    [OPTION_MAN] = {"--man", NULL, "print the manual page (roff)", NULL},
    [OPTION_MD] = {"--md", "FILE", "write Markdown", NULL},
    [OPTION_MEMORY] = {"--memory", "FILE@ADDR,...",
                       "before the run, load these files of words (hexadecimal or raw) at these hexadecimal "
                       "addresses",
                       NULL},
    [OPTION_NO_CORPUS] = {"--no-corpus", NULL, "do not start from the cases that come with misprint", NULL},
    [OPTION_NO_REDUCE] = {"--no-reduce", NULL, "do not reduce the first case of each finding", NULL},
    [OPTION_ONLY] = {"--only", "WORD", "only boards of this clause or kind", NULL},
    [OPTION_OUTPUT] = {"--output", "FILE", "the file to write; - is standard output", "-o"},
    [OPTION_PROFILE] = {"--profile", "P",
                        "the profile that the model follows: a built-in one, a file, or either with "
                        ",clause=reading (default manual)",
                        "-p"},
    [OPTION_QPUS] = {"--qpus", "N", "run the program on N QPUs, 1 to 12 (default: one for each uniform list)",
                     NULL},
    [OPTION_QUIET] = {"--quiet", NULL, "print no progress on standard error", "-q"},
    [OPTION_RESULTS] = {"--results", "FILE",
                        "add a line to this file for each board, and pass over those that are there", NULL},
    [OPTION_RULE] = {"--rule", "'UNIT POINT = E'",
                     "also follow this rule (docs/rules.md); may be given several times", NULL},
    [OPTION_SCHEDULE] =
        {"--schedule", "N",
         "the order in which QPUs take turns: 0 is round robin (default), any other N seeds a random order",
         NULL},
    [OPTION_SEED] = {"--seed", "N", "the generator's seed; the same seed gives the same cases (default 1)",
                     "-s"},
    [OPTION_SILICON] = {"--silicon", NULL,
                        "the values were measured on hardware; without this the trace does not claim it",
                        NULL},
    [OPTION_STEP] = {"--step", NULL,
                     "print each step as --trace does and wait for Enter; c continues, q quits", NULL},
    [OPTION_THREADS] = {"--threads", "N", "run N threads on each QPU, 1 (default) or 2", NULL},
    [OPTION_TIME] = {"--time", "S", "stop after this time: seconds, or with a unit: 90s, 5m, 2h, 1d", "-t"},
    [OPTION_TRACE] = {"--trace", NULL, "print each step and what it changed", NULL},
    [OPTION_UNIFORMS] = {"--uniforms", "W,W/W,W",
                         "a list of hexadecimal words for each QPU and thread, the last list for all "
                         "others; or @FILE",
                         NULL},
    [OPTION_UNIT] = {"--unit", "UNIT", "the unit of inputs that do not name one", "-u"},
};

static const struct option_row *find_option(const struct command *c, const char *name, size_t count,
                                            enum option_id *id)
{
    for (const enum option_id *o = c->options; *o != OPTION_END; o++) {
        const struct option_row *r = &rows[*o];
        if ((strlen(r->name) == count && !memcmp(r->name, name, count)) ||
            (r->short_name && strlen(r->short_name) == count && !memcmp(r->short_name, name, count))) {
            *id = *o;
            return r;
        }
    }
    return NULL;
}

static const char *name_of_option(const void *command, unsigned i)
{
    const struct command *c = command;
    return c->options[i] == OPTION_END ? NULL : rows[c->options[i]].name;
}

/* Sets an error that suggests the nearest option of the command, or names other commands that have the
 * option. */
static bool unknown_option(const struct command *c, const struct command *const *all, const char *word,
                           size_t count, struct error *e)
{
    struct text others = {0};
    enum option_id id;
    char advice[64];
    for (; *all; all++)
        if (find_option(*all, word, count, &id))
            text_add(&others, "%s%s", others.length ? ", " : "", (*all)->name);
    bool known = others.length;
    if (known)
        error_set(e, "%s takes no %.*s (`misprint help %s` lists its options); these commands do: %s",
                  c->name, (int)count, word, c->name, text_chars(&others));
    text_free(&others);
    snprintf(advice, sizeof advice, "`misprint help %s` lists them", c->name);
    return !known && error_unknown(e, "option", word, name_of_option, c, advice);
}

static bool take_option(const struct command *c, const struct command *const *all, int count, char **words,
                        int *at, struct arguments *a, struct error *e)
{
    const char *word = words[*at], *equals = strncmp(word, "--", 2) ? NULL : strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    enum option_id id;
    const struct option_row *r = find_option(c, word, length, &id);
    if (!r && word[1] != '-' && word[2] && (r = find_option(c, word, 2, &id)) && r->argument) { /* -n20 */
        a->option[id] = word + 2;
        return true;
    }
    if (!r || (r->short_name && word[1] != '-' && word[2]))
        return unknown_option(c, all, word, length, e);
    if (!r->argument) {
        a->option[id] = "";
        return !equals || error_set(e, "%s takes no value", r->name);
    }
    if (equals) {
        a->option[id] = equals + 1;
    } else {
        if (*at + 1 >= count)
            return error_set(e, "%s needs a value: %s %s", r->name, r->name, r->argument);
        a->option[id] = words[++*at];
    }
    if (id == OPTION_RULE)
        text_add(&a->rules, ";%s", a->option[id]);
    return true;
}

static bool wrong_words(const struct command *c, const struct arguments *a, struct error *e)
{
    struct text usage = {0};
    text_add(&usage, "; usage: misprint %s%s%s (`misprint help %s` explains it)", c->name,
             *c->synopsis ? " " : "", c->synopsis, c->name);
    if (a->words < c->min_words)
        error_set(e, "missing argument%s", text_chars(&usage));
    else
        error_set(e, "unexpected argument '%s'%s", a->word[c->max_words], text_chars(&usage));
    text_free(&usage);
    return false;
}

bool arguments_parse(const struct command *c, const struct command *const *all, int count, char **words,
                     struct arguments *a, struct error *e)
{
    *a = (struct arguments){.word = (const char *const *)words};
    bool only_words = false;
    for (int i = 0; i < count; i++) {
        if (only_words || words[i][0] != '-' || !words[i][1]) {
            words[a->words++] = words[i]; /* overwrites the array in place: a->words <= i */
        } else if (!strcmp(words[i], "--")) {
            only_words = true;
        } else if (!take_option(c, all, count, words, &i, a, e)) {
            return false;
        }
    }
    text_add(&a->profile, "%s%s", a->option[OPTION_PROFILE] ? a->option[OPTION_PROFILE] : "manual",
             text_chars(&a->rules));
    return (a->words >= c->min_words && (c->max_words < 0 || a->words <= c->max_words)) ||
           wrong_words(c, a, e);
}

const char *argument_profile(const struct arguments *a)
{
    return text_chars(&a->profile);
}

void arguments_free(struct arguments *a)
{
    text_free(&a->rules);
    text_free(&a->profile);
}

const char *option_name(enum option_id o)
{
    return rows[o].name;
}

bool argument_number(const struct arguments *a, enum option_id o, uint64_t otherwise, uint64_t *v,
                     struct error *e)
{
    *v = otherwise;
    if (!a->option[o])
        return true;
    char *rest;
    const char *given = a->option[o];
    bool hexadecimal = given[0] == '0' && (given[1] | 32) == 'x';
    errno = 0;
    *v = strtoull(given, &rest, hexadecimal ? 16 : 10);
    if (errno == ERANGE && !*rest && !strchr(given, '-'))
        return error_set(e, "%s: %s is too large", rows[o].name, given);
    if (*rest || rest == given || errno || strchr(given, '-'))
        return error_set(e, "%s needs a whole number, not '%s'", rows[o].name, given);
    return true;
}

bool argument_count(const struct arguments *a, enum option_id o, uint64_t *v, struct error *e)
{
    return argument_number(a, o, 0, v, e) &&
           (*v || !a->option[o] || error_set(e, "%s needs 1 or more, not '%s'", rows[o].name, a->option[o]));
}

bool argument_changes(const struct arguments *a, unsigned *v, struct error *e)
{
    uint64_t n;
    if (!argument_number(a, OPTION_CHANGES, CHANGES_USUAL, &n, e))
        return false;
    *v = (unsigned)n;
    return (n >= 1 && n <= CHANGES_MAX) ||
           error_set(e, "%s needs 1 to %d, not '%s'", rows[OPTION_CHANGES].name, CHANGES_MAX,
                     a->option[OPTION_CHANGES]);
}

bool argument_seconds(const struct arguments *a, enum option_id o, double *v, struct error *e)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    *v = 0;
    if (!a->option[o])
        return true;
    char *rest;
    double number = strtod(a->option[o], &rest);
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (rest != a->option[o] && !strcmp(rest, units[i].name) && number > 0 && number < 1e9) {
            *v = number * units[i].seconds;
            return true;
        }
    return error_set(e, "%s needs a time such as 30, 90s, 5m, 2h, not '%s'", rows[o].name, a->option[o]);
}

/* ---- help, made from the rows ---- */

enum { FILL_WIDTH = 80 };

/* Adds words in lines of at most FILL_WIDTH columns; only a single long word may exceed it. The first line
 * starts at `column`, all others at `indent`. */
static void fill_words(struct text *t, const char *words, size_t count, unsigned column, unsigned indent)
{
    const char *end = words + count;
    bool first = true;
    while (words < end) {
        size_t length = 0;
        while (words + length < end && words[length] != ' ' && words[length] != '\n')
            length++;
        if (length && !first && column + 1 + length > FILL_WIDTH) {
            text_add(t, "\n%*s", (int)indent, "");
            column = indent;
        } else if (length && !first) {
            text_add(t, " ");
            column++;
        }
        text_add_chars(t, words, length);
        column += (unsigned)length;
        first = first && !length;
        words += length < (size_t)(end - words) ? length + 1 : length;
    }
}

/* A piece of a help text: a paragraph to fill, or lines to keep as they are. Empty lines and lines that start
 * with a space are kept. */
struct piece {
    const char *chars;
    size_t count; /* 0: the text has ended */
    bool prose;
};

static bool is_prose(const char *line)
{
    return *line && *line != ' ' && *line != '\n';
}

/* Returns the next piece of a help text, and advances *chars. */
static struct piece fill_next(const char **chars)
{
    struct piece p = {.chars = *chars, .prose = is_prose(*chars)};
    while (**chars && is_prose(*chars) == p.prose) {
        size_t line = strcspn(*chars, "\n");
        *chars += line + ((*chars)[line] == '\n');
    }
    p.count = (size_t)(*chars - p.chars);
    return p;
}

/* Adds an option's description, with values that other files define. */
static void add_about(enum option_id o, struct text *t)
{
    text_add(t, "%s", rows[o].about);
    for (unsigned i = 0; o == OPTION_ENGINE && engine_name_at(i); i++)
        text_add(t, ", %s", engine_name_at(i));
    if (o == OPTION_CHANGES)
        text_add(t, ", 1 to %d (default %d)", CHANGES_MAX, CHANGES_USUAL);
}

/* Adds "  NAME       ABOUT", filled to FILL_WIDTH; ABOUT starts at column `columns`. */
static void add_item(struct text *t, const char *name, unsigned columns, const char *about)
{
    text_add(t, "  %-*s ", (int)columns, name);
    size_t used = strlen(name);
    fill_words(t, about, strlen(about), (used > columns ? (unsigned)used : columns) + 3, columns + 3);
    text_add(t, "\n");
}

static void help_options(const struct command *c, struct text *t)
{
    for (const enum option_id *o = c->options; *o != OPTION_END; o++) {
        const struct option_row *r = &rows[*o];
        struct text head = {0}, about = {0};
        text_add(&head, "%s%s%s%s%s", r->short_name ? r->short_name : "", r->short_name ? ", " : "", r->name,
                 r->argument ? " " : "", r->argument ? r->argument : "");
        add_about(*o, &about);
        add_item(t, text_chars(&head), 20, text_chars(&about));
        text_free(&head);
        text_free(&about);
    }
}

void help_command(const struct command *c, struct text *t)
{
    text_add(t, "misprint %s%s%s%s\n\n", c->name, *c->synopsis ? " " : "", c->synopsis,
             c->options[0] != OPTION_END ? " [OPTIONS]" : "");
    const char *rest = c->details;
    for (struct piece p = fill_next(&rest); p.count; p = fill_next(&rest))
        if (p.prose) {
            fill_words(t, p.chars, p.count, 0, 0);
            text_add(t, "\n");
        } else {
            text_add_chars(t, p.chars, p.count);
        }
    if (t->length && t->chars[t->length - 1] != '\n')
        text_add(t, "\n");
    if (c->list)
        c->list(t);
    if (c->options[0] != OPTION_END) {
        text_add(t, "\nOptions:\n");
        help_options(c, t);
    }
}

static const char exit_status_text[] =
    "0 no discrepancy; 1 discrepancies; 2 wrong use or bad input; 3 a board or the machine failed, nothing "
    "was compared, or a signal ended the run before it found anything; 141 the reader of standard output "
    "closed it.";

static const struct {
    const char *name, *about;
} environment[] = {
    {"MISPRINT_AGENT", "the command that ssh:HOST runs on the host (default: " BOARD_SSH_AGENT
                       "; for amd-buffer: " BOARD_SSH_AGENT_AMD ")"},
    {"MISPRINT_BOARD_RETURN",
     "how many seconds a board that reboots or loses its connection may be away (default: 180)"},
    {"MISPRINT_BOARD_TIMEOUT",
     "how many seconds a board may take for one answer (default: 10, or what the board asks for)"},
    {"MISPRINT_CORPUS",
     "the folder of the cases that come with misprint (default: corpus in the source, or as installed)"},
    {"MISPRINT_ENGINES",
     "the folder of the engines' targets (default: libexec/misprint beside the command, or as installed)"},
    {"MISPRINT_JOURNAL",
     "the file in which the boards mailbox and drm list running cases, and cases banned from running "
     "because they hung or stopped the machine (default: none)"},
    {"MISPRINT_SSH", "the local ssh program of ssh:HOST (default: ssh, which asks for no password)"},
    {"MISPRINT_TEST_DATA", "the folder of the programs for bench qpu-fft (default: ../shared/data)"},
};
enum { VARIABLES = sizeof environment / sizeof *environment };

void help_all(const struct command *const *commands, struct text *t)
{
    text_add(t, "misprint %s: finds where a GPU's manual, a model and the silicon disagree\n\nCommands:\n",
             MISPRINT_VERSION);
    for (const struct command *const *c = commands; *c; c++)
        add_item(t, (*c)->name, 10, (*c)->about);
    text_add(t, "\nEnvironment:\n");
    for (unsigned i = 0; i < VARIABLES; i++)
        add_item(t, environment[i].name, 24, environment[i].about);
    text_add(t, "\n`misprint help COMMAND` explains a command.\n\nExit status: ");
    fill_words(t, exit_status_text, strlen(exit_status_text), 13, 0);
    text_add(t, "\n");
}

/* Adds text to a roff page, with its special characters escaped. */
static void roff_chars(struct text *t, const char *chars, size_t count)
{
    bool start = true;
    for (const char *end = chars + count; chars < end; chars++) {
        if (start && (*chars == '.' || *chars == '\''))
            text_add(t, "\\&");
        if (*chars == '\\')
            text_add(t, "\\e");
        else if (*chars == '-')
            text_add(t, "\\-");
        else
            text_add_chars(t, chars, 1);
        start = *chars == '\n';
    }
}

static void roff(struct text *t, const char *chars)
{
    roff_chars(t, chars, strlen(chars));
}

static void man_command(const struct command *c, struct text *t)
{
    text_add(t, ".SS \"misprint %s ", c->name);
    roff(t, c->synopsis);
    text_add(t, "\"\n");
    const char *rest = c->details;
    for (struct piece p = fill_next(&rest); p.count; p = fill_next(&rest)) {
        text_add(t, p.prose ? ".PP\n" : ".nf\n");
        roff_chars(t, p.chars, p.count);
        text_add(t, "%s%s", p.chars[p.count - 1] == '\n' ? "" : "\n", p.prose ? "" : ".fi\n");
    }
    if (c->list) {
        struct text list = {0};
        c->list(&list);
        text_add(t, ".nf\n");
        roff(t, text_chars(&list));
        text_add(t, ".fi\n");
        text_free(&list);
    }
    for (const enum option_id *o = c->options; *o != OPTION_END; o++) {
        const struct option_row *r = &rows[*o];
        text_add(t, ".TP\n\\fB");
        if (r->short_name) {
            roff(t, r->short_name);
            text_add(t, "\\fR, \\fB");
        }
        roff(t, r->name);
        text_add(t, "\\fR%s%s", r->argument ? " \\fI" : "", r->argument ? r->argument : "");
        text_add(t, r->argument ? "\\fR\n" : "\n");
        struct text about = {0};
        add_about(*o, &about);
        roff(t, text_chars(&about));
        text_free(&about);
        text_add(t, "\n");
    }
}

void help_man(const struct command *const *commands, struct text *t)
{
    text_add(t,
             ".TH MISPRINT 1 \"%s\" \"misprint %s\" \"User Commands\"\n"
             ".SH NAME\n"
             "misprint \\- finds where a GPU's manual, a model of it and the silicon disagree\n",
             MISPRINT_DATE, MISPRINT_VERSION);
    text_add(t, ".SH SYNOPSIS\n"
                ".B misprint\n"
                ".I COMMAND\n"
                "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n"
                ".SH DESCRIPTION\n"
                "Misprint runs random instructions and descriptors on software models of GPU units and on a "
                "board: hardware, a recorded trace, another emulator, or a virtual board. It compares the "
                "outcomes. It reduces every difference to a small case, attributes it to the sentence of "
                "the manual that explains it, and reports it.\n");
    text_add(t, ".SH COMMANDS\n");
    for (const struct command *const *c = commands; *c; c++)
        man_command(*c, t);
    text_add(t, ".SH ENVIRONMENT\n");
    for (unsigned i = 0; i < VARIABLES; i++) {
        text_add(t, ".TP\n\\fB%s\\fR\n", environment[i].name);
        roff(t, environment[i].about);
        text_add(t, "\n");
    }
    text_add(t, ".SH EXIT STATUS\n%s\n", exit_status_text);
}
