/* SPDX-License-Identifier: MIT */
/* The table of options, and the parser of command lines. */
#include "cli/terminal/options.h"
#include "oracle/attribution/explain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct option_row option_rows[OPTIONS] = {
    [OPTION_ADD_TID] = {"--add-tid", NULL, "ADD_TID_ENABLE: the lane's number is added to the index", NULL},
    [OPTION_ALL] = {"--all", NULL, "also list the cases that pass", NULL},
    [OPTION_ALSO_UNDER] = {"--profile", "P",
                           "also make the dry run under this profile: a built-in one, a file, or either "
                           "with ,clause=reading",
                           "-p"},
    [OPTION_BASE] = {"--base", "N", "BASE, the descriptor's address: decimal, or hexadecimal after 0x", NULL},
    [OPTION_BOARD] =
        {"--board", "B",
         "the board to run on: virtual:PROFILE, trace:FILE, exec:COMMAND, plugin:FILE.so, program:FILE.so, "
         "ssh:HOST, mailbox, drm, drm:v3d or drm:amdgpu",
         "-b"},
    [OPTION_BOARD_IS] = {"--board-is", "WHAT",
                         "silicon or implementation, where the board itself does not say it (default for "
                         "exec and ssh: implementation); verdicts depend on it",
                         NULL},
    [OPTION_BOARDS] =
        {"--boards", "FILE",
         "the boards to learn, one JSON object on a line: unit, kind, name, board, masks (optional)", NULL},
    [OPTION_CAMPAIGN] = {"--campaign", "DIR",
                         "keep findings, counts and coverage in this directory, which is created if missing",
                         "-c"},
    [OPTION_CASES] = {"--cases", "N", "stop after N cases, 1 or more", "-n"},
    [OPTION_CHANGES] = {"--changes", "N", "explain a difference by changing at most N readings", NULL},
    [OPTION_CHECK] = {"--check", NULL, "say which of Mesa's restrictions a program of v3d-qpu breaks", NULL},
    [OPTION_COUNT] = {"--count", "N", "only N boards of each kind and unit, drawn by the seed", NULL},
    [OPTION_DESCRIPTOR] = {"--descriptor", "W,W,W,W", "the V#: four hexadecimal words, or its fields as text",
                           NULL},
    [OPTION_ENGINE] = {"--engine", "E", "what makes the cases: builtin (the seeded generator, the default)",
                       NULL},
    [OPTION_EXPECT] = {"--expect", "memory@ADDR=FILE",
                       "after the run, compare the memory from this hexadecimal address on with this file "
                       "of words, or several, separated by commas; the exit status is 1 if they differ",
                       NULL},
    [OPTION_EXPLAIN] = {"--explain", NULL,
                        "print the bytes of the case, field by field with offsets, and do not run it", NULL},
    [OPTION_FIDELITY] = {"--fidelity", NULL,
                         "count which results are exact, within a tolerance, or undefined", NULL},
    [OPTION_FOLDER] = {"--output", "DIR", "the directory to write to, new or empty", "-o"},
    [OPTION_HEAD] = {"--head", "HASH",
                     "check that the chain contains this link, which a report named: 64 hexadecimal digits",
                     NULL},
    [OPTION_HTML] = {"--html", "FILE", "write one self-contained HTML page", NULL},
    [OPTION_INDEX_STRIDE] = {"--index-stride", "N", "INDEX_STRIDE in indices: 8, 16, 32 or 64", NULL},
    [OPTION_ISA] = {"--isa", "NAME",
                    "the instruction set of bare words (amd-buffer: gfx1100, the default, gfx1030, gfx900, "
                    "gfx803, gfx90a, gfx942 or gfx1200, or another chip of one's family; v3d-qpu: v3d42, the "
                    "default, or v3d71)",
                    NULL},
    [OPTION_JOBS] = {"--jobs", "N", "run on N processor cores (default 1)", "-j"},
    [OPTION_JSON] = {"--json", NULL, "print one JSON document on standard output", NULL},
    [OPTION_JSON_FILE] = {"--json", "FILE",
                          "write JSON (schema: oracle/report/page/report.schema.json); - is standard output",
                          NULL},
    [OPTION_JUNIT] = {"--junit", "FILE", "write JUnit XML, for continuous integration", NULL},
    [OPTION_KERNEL] = {"--kernel", NULL, "say whether Linux's vc4 driver accepts the program as a shader",
                       NULL},
    [OPTION_KIND] = {"--kind", "KIND",
                     "what the emulator can do: state (default), its registers can be set; program, it only "
                     "runs programs on memory",
                     NULL},
    [OPTION_LANG] = {"--lang", "L", "the language of the board: c, c++ or python", NULL},
    [OPTION_LAUNCH] = {"--launch", "W,...",
                       "the launch words of a v3d-qpu program: CFG0 to CFG6, hexadecimal", NULL},
    [OPTION_LIMIT] = {"--limit", "N",
                      "stop each QPU (v3d-qpu: the job) after N instructions (default 10,000,000)", NULL},
    [OPTION_MAN] = {"--man", NULL, "print the manual page (roff)", NULL},
    [OPTION_MD] = {"--md", "FILE", "write Markdown", NULL},
    [OPTION_MEMORY] =
        {"--memory", "FILE@ADDR,...",
         "before the run, load these files of words at these hexadecimal addresses; raw:@FILE for "
         "little-endian bytes that could pass for hexadecimal text",
         NULL},
    [OPTION_NO_CORPUS] = {"--no-corpus", NULL, "do not start from the cases that come with misprint", NULL},
    [OPTION_NO_REDUCE] = {"--no-reduce", NULL, "do not reduce the first case of each finding", NULL},
    [OPTION_ONLY] = {"--only", "WORD", "only boards of this clause or kind", NULL},
    [OPTION_OOB] = {"--oob", "N", "OOB_SELECT: 0 to 3, or its name (complete, ...)", NULL},
    [OPTION_OUTPUT] = {"--output", "FILE", "the file to write; - is standard output", "-o"},
    [OPTION_PAGES] = {"--pages", "DIR",
                      "write all manual pages, and completions for bash, zsh and fish, into this directory",
                      NULL},
    [OPTION_PROFILE] = {"--profile", "P",
                        "the profile that the model follows: a built-in one, a file, or either with "
                        ",clause=reading (default: manual; of check-board, the unit's best-known silicon)",
                        "-p"},
    [OPTION_QPUS] = {"--qpus", "N", "run the program on N QPUs, 1 to 12 (default: one for each uniform list)",
                     NULL},
    [OPTION_QUIET] = {"--quiet", NULL, "print no progress on standard error", "-q"},
    [OPTION_RECORD] = {"--record", "FILE", "keep the cases and the board's outcomes as this trace", NULL},
    [OPTION_RECORDS] = {"--records", "N", "NUM_RECORDS", NULL},
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
    [OPTION_SET] = {"--set", "REG=VALUES", "set a register: v0=0..63, v0=0..252:4, s4=16, m0=4, exec=0xff",
                    NULL},
    [OPTION_SILICON] = {"--silicon", NULL,
                        "the values were measured on hardware; without this the trace does not claim it",
                        NULL},
    [OPTION_STATS] = {"--stats", NULL, "print all counters, and each finding with its cause", NULL},
    [OPTION_STEP] = {"--step", NULL,
                     "print each step as --trace does and wait for Enter; c continues, q quits", NULL},
    [OPTION_STRIDE] = {"--stride", "N", "STRIDE in bytes", NULL},
    [OPTION_SWIZZLE] = {"--swizzle", "N", "SWIZZLE_ENABLE: 0 to 3, before GFX11 0 or 1", NULL},
    [OPTION_THREADS] = {"--threads", "N", "run N threads on each QPU, 1 (default) or 2", NULL},
    [OPTION_TIME] = {"--time", "S", "stop after this time: seconds, or with a unit: 90s, 5m, 2h, 1d", "-t"},
    [OPTION_TRACE] = {"--trace", NULL, "print each step and what it changed", NULL},
    [OPTION_UNIFORMS] = {"--uniforms", "W,W/W,W",
                         "a list of hexadecimal words for each QPU and thread, the last list for all "
                         "others; or a file for each, @FILE,@FILE, or raw:@FILE for little-endian bytes",
                         NULL},
    [OPTION_UNIT] = {"--unit", "UNIT", "the unit of inputs that do not name one", "-u"},
};

static const struct option_row *find_option(const struct command *c, const char *name, size_t count,
                                            enum option_id *id)
{
    for (const enum option_id *o = c->options; *o != OPTION_END; o++) {
        const struct option_row *r = &option_rows[*o];
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
    return c->options[i] == OPTION_END ? NULL : option_rows[c->options[i]].name;
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
    if (id == OPTION_SET)
        text_add(&a->sets, "%s\n", a->option[id]);
    return true;
}

static bool wrong_words(const struct command *c, const struct arguments *a, struct error *e)
{
    struct text usage = {0};
    if (a->words == 0 && !strncmp(c->synopsis, "UNIT", 4)) {
        text_add(&usage, "; the units are");
        for (unsigned i = 0; unit_at(i); i++)
            text_add(&usage, "%s %s", i ? "," : "", unit_at(i)->name);
    }
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
    text_free(&a->sets);
    text_free(&a->rules);
    text_free(&a->profile);
}

const char *option_name(enum option_id o)
{
    return option_rows[o].name;
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
        return error_set(e, "%s: %s is too large", option_rows[o].name, given);
    if (*rest || rest == given || errno || strchr(given, '-'))
        return error_set(e, "%s needs a whole number, not '%s'", option_rows[o].name, given);
    return true;
}

bool argument_count(const struct arguments *a, enum option_id o, uint64_t *v, struct error *e)
{
    return argument_number(a, o, 0, v, e) &&
           (*v || !a->option[o] ||
            error_set(e, "%s needs 1 or more, not '%s'", option_rows[o].name, a->option[o]));
}

bool argument_changes(const struct arguments *a, unsigned *v, struct error *e)
{
    uint64_t n;
    if (!argument_number(a, OPTION_CHANGES, CHANGES_USUAL, &n, e))
        return false;
    *v = (unsigned)n;
    return (n >= 1 && n <= CHANGES_MAX) ||
           error_set(e, "%s needs 1 to %d, not '%s'", option_rows[OPTION_CHANGES].name, CHANGES_MAX,
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
    return error_set(e, "%s needs a time such as 30, 90s, 5m, 2h, not '%s'", option_rows[o].name,
                     a->option[o]);
}
