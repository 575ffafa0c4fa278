/* SPDX-License-Identifier: MIT */
/* `misprint run` runs cases on the model or on a board. */
#include "cli/cli.h"
#include "cli/run/run_board.h"
#include "cli/run/run_launch.h"
#include "cli/run/run_program.h"
#include "cli/run/run_trace.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "oracle/compare/executor.h"
#include "oracle/describe/case_bytes.h"
#include "oracle/describe/escape.h"
#include "oracle/describe/picture.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"
#include "oracle/files/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The content of a file: a case, or a program of bare words. */
struct subject {
    char *bytes; /* the bytes of a program */
    size_t count;
    struct test_case *tc; /* NULL: the file is a program */
};

/* Does the program run without a case? Bare words of the QPU do on the model, so that the registers are
 * undefined at the start; a case would give each register a value. Of boards, those of kind program take
 * programs, the others only cases. */
static bool runs_alone(const struct unit *u, const struct arguments *a)
{
    bool can = u == &vc4_qpu_unit ? !a->option[OPTION_BOARD] || run_board_wanted(a)
                                  : u == &v3d_qpu_unit && !a->option[OPTION_BOARD];
    return run_program_wanted(a) || (can && !a->option[OPTION_EXPLAIN]);
}

static bool words_are_good(const char *path, const struct subject *s, const struct arguments *a,
                           struct error *e)
{
    return run_launch_wanted(a)  ? launch_is_good(path, s->bytes, s->count, a, e)
           : run_board_wanted(a) ? board_program_is_good(path, s->bytes, s->count, a, e)
                                 : program_is_good(path, s->bytes, s->count, a, e);
}

static bool load_case(const char *path, const struct unit *u, const struct arguments *a, struct subject *s,
                      struct error *e)
{
    const char *isa = a->option[OPTION_ISA];
    bool text = case_is_text(s->bytes, s->count), words = !text && words_look_hexadecimal(s->bytes, s->count);
    if (!words && isa)
        return error_set(e, "%s: --isa is for bare words; a case names its instruction set itself", path);
    if (words && !u)
        return error_set(e, "%s: holds bare words; name their unit with --unit", path);
    if (words && runs_alone(u, a) && a->option[OPTION_TRACE] && a->option[OPTION_JSON])
        return error_set(e,
                         "%s: --trace --json is for cases; a program of bare words has only a trace in text",
                         path);
    if (words && runs_alone(u, a))
        return words_are_good(path, s, a, e);
    s->tc = memory_new(1, sizeof *s->tc);
    bool good = words ? case_from_words(path, u, isa, s->bytes, s->count, s->tc, e)
                      : case_from_bytes(path, s->bytes, s->count, u, s->tc, e);
    if (good && !words && !text)
        fprintf(stderr, "misprint: %s: taken as a fuzzer's raw bytes\n", path);
    return good;
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && !strcmp(path + length - tail, end);
}

/* Is this the text of instructions? Text that is neither a case nor words is nothing else, if the unit is
 * known. */
static bool is_assembly(const struct unit *u, const struct subject *s)
{
    if (!u || !s->count || case_is_text(s->bytes, s->count) || words_look_hexadecimal(s->bytes, s->count))
        return false;
    for (size_t i = 0; i < s->count; i++)
        if (!isprint((unsigned char)s->bytes[i]) && !isspace((unsigned char)s->bytes[i]))
            return false;
    return true;
}

/* Replaces text by the words that it assembles to. */
static bool assemble_subject(const char *path, const struct unit *u, const struct arguments *a,
                             struct subject *s, struct error *e)
{
    struct text words = {0};
    bool good = assemble_text(path, u, a->option[OPTION_ISA], s->bytes, s->count, &words, e);
    if (good) {
        free(s->bytes);
        s->count = words.length;
        s->bytes = memory_string(text_chars(&words));
    }
    text_free(&words);
    return good;
}

static bool load(const char *path, const struct unit *u, const struct arguments *a, struct subject *s,
                 struct error *e)
{
    char *known = access(path, F_OK) != 0 ? corpus_find_case(path, u) : NULL;
    s->bytes = file_read(known ? known : path, &s->count, e);
    free(known);
    if (!s->bytes)
        return false;
    if (!u && (run_program_wanted(a) || ends_in(path, ".qasm")))
        u = &vc4_qpu_unit;
    if (!strcmp(path, "-"))
        path = "standard input";
    if (is_assembly(u, s) && !assemble_subject(path, u, a, s, e))
        return false;
    return run_program_wanted(a) ? words_are_good(path, s, a, e) : load_case(path, u, a, s, e);
}

/* Runs a file of bare words. */
static int run_words(const char *path, const struct subject *file, const struct arguments *a, json_t *list)
{
    struct error e = {0};
    struct text t = {0};
    bool as_expected = true;
    if (!(run_launch_wanted(a)  ? run_launch
          : run_board_wanted(a) ? run_board_program
                                : run_program)(path, file->bytes, file->count, a, &t, list, &as_expected, &e))
        return fail(STATUS_USAGE, &e);
    int status = as_expected ? STATUS_EQUAL : STATUS_DIFFERENT;
    if (!a->option[OPTION_JSON])
        return print_text(&t, status);
    text_free(&t);
    return status;
}

static void print_and_wait(void *context, const char *line)
{
    (void)context;
    step_wait(line);
}

static void print_fidelity(const struct fidelity *f, struct text *t)
{
    if (!(f->exact | f->tolerance | f->undefined | f->unsupported))
        return;
    text_add(t, "fidelity: ");
    fidelity_print(f, t);
    text_add(t, "\n");
}

static void print_step(void *context, const char *line)
{
    text_add(context, "%s\n", line);
}

/* Returns the tolerances of a row as texts: "within 4 ulps"; "" for a word without a tolerance. */
static json_t *tolerances_json(const uint32_t *tolerance, unsigned columns)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < columns; i++) {
        struct text t = {0};
        if (tolerance[i])
            tolerance_print(tolerance[i], &t);
        json_array_append_new(list, json_string(text_chars(&t)));
        text_free(&t);
    }
    return list;
}

static json_t *outcome_json(const struct outcome *o)
{
    const struct layout *l = &o->unit->layout;
    json_t *rows = json_array();
    for (uint32_t row = 0; row < l->rows; row++) {
        if (!outcome_touched(o, row))
            continue;
        const struct region *r = layout_region(l, row);
        uint32_t defined[ROW_WORDS_MAX], room[ROW_WORDS_MAX];
        const uint32_t *masks = outcome_masks(o, row, room);
        for (uint32_t i = 0; i < r->cols; i++)
            defined[i] = o->checked ? masks[i] & region_bits(r) : region_bits(r);
        json_t *one =
            row_json(r->name, row - r->first_row, o->value + (size_t)row * l->row_words, defined, r->cols);
        if (o->checked && outcome_tolerant(o, row))
            json_object_set_new(one, "tolerance",
                                tolerances_json(o->tolerance + (size_t)row * l->row_words, r->cols));
        json_array_append_new(rows, one);
    }
    return json_pack("{s:s, s:s, s:o}", "end", end_name(o->end), "reason", o->unit->reasons[o->reason],
                     "rows", rows);
}

/* Runs a case on the model. `trace` may be NULL. `wait`: print one step at a time, and wait for the user. */
static bool run_on_model(const struct test_case *c, const char *profile_name, struct outcome *o,
                         struct run_trace *trace, bool wait, struct text *remarks, struct fidelity *counts,
                         struct error *e)
{
    struct profile p;
    if (!profile_load(c->unit, profile_name, &p, e))
        return false;
    struct executor *x = executor_new(c->unit);
    struct run r = {.tc = c, .profile = &p, .out = o, .count_fidelity = counts != NULL};
    r.mode = wait ? RUN_TRACED : RUN_CHECKED;
    r.trace = print_and_wait;
    if (trace)
        run_trace_attach(trace, &r);
    r.remark = print_step;
    r.remark_context = remarks;
    executor_run_with(x, &r);
    if (counts)
        *counts = r.fidelity;
    executor_free(x);
    return true;
}

static bool run_on_board(const struct test_case *c, const char *path, const char *spec, struct outcome *o,
                         struct text *about, struct error *e)
{
    enum answer answer;
    struct board *b = board_open(spec, c->unit, e);
    bool good = b && board_run_one(b, c, o, &answer, e);
    if (good) {
        text_add(about, "board %s", b->identity.spec);
        if (answer != ANSWER_OUTCOME) {
            const char *reason = board_reason(b, 0);
            e->of_machine = true;
            good = error_set(e, "%s: board %s gave no outcome for this case (%s%s%s)", path, b->identity.spec,
                             answer_name(answer), reason[0] ? ": " : "", reason);
        }
    }
    board_close(b);
    return good;
}

static int run_case(const char *path, const struct test_case *c, const struct arguments *a, json_t *list)
{
    struct error e = {0};
    struct text t = {0}, steps = {0}, on = {0}, remarks = {0};
    struct outcome *o = outcome_new(c->unit);
    const char *profile = argument_profile(a), *board = a->option[OPTION_BOARD];
    int status = STATUS_EQUAL;
    struct fidelity counts = {0}, *wanted = a->option[OPTION_FIDELITY] ? &counts : NULL;
    bool wait = a->option[OPTION_STEP], traced = a->option[OPTION_TRACE] && !wait;
    struct run_trace trace = {.unit = c->unit, .file = path, .json = a->option[OPTION_JSON], .to = &steps};
    if (!board)
        text_add(&on, "model, profile %s", profile);
    if (!(board ? run_on_board(c, path, board, o, &on, &e)
                : run_on_model(c, profile, o, traced ? &trace : NULL, wait, &remarks, wanted, &e))) {
        status = fail(STATUS_USAGE, &e);
    } else if (traced && trace.json) {
        run_trace_end(&trace, o, text_chars(&remarks), wanted ? fidelity_json(wanted) : NULL);
        status = print_text(&steps, status);
    } else if (a->option[OPTION_JSON]) {
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:o, s:o, s:o*}", "file", json_text(path), "unit",
                                        c->unit->name, "ran_on", json_text(text_chars(&on)), "outcome",
                                        outcome_json(o), "fidelity", wanted ? fidelity_json(wanted) : NULL));
    } else if (!step_ended()) {
        if (traced)
            run_trace_end(&trace, o, text_chars(&remarks), NULL);
        text_add(&t, "# %s: %s, %s\n%s", path, c->unit->name, text_chars(&on), text_chars(&steps));
        outcome_print(o, &t);
        if (wanted)
            print_fidelity(wanted, &t);
        outcome_picture(o, c, &t);
        text_add_chars(&t, text_chars(&remarks), remarks.length);
        status = print_text(&t, status);
    }
    outcome_free(o);
    text_free(&remarks);
    text_free(&steps);
    text_free(&on);
    return status;
}

/* Prints a case's bytes, as a board receives them. */
static int explain_case_bytes(const char *path, const struct test_case *c)
{
    struct text t = {0};
    text_add(&t, "# %s\n", path);
    case_explain_bytes(c, &t);
    return print_text(&t, STATUS_EQUAL);
}

static bool check_standard_input(const struct arguments *a, struct error *e)
{
    unsigned inputs = 0;
    for (int i = 0; i < a->words; i++)
        inputs += !strcmp(a->word[i], "-");
    return inputs < 2 || error_set(e, "standard input can be read only once: say - once");
}

static void free_subjects(struct subject *s, const struct arguments *a)
{
    for (int i = 0; s && i < a->words; i++) {
        free(s[i].bytes);
        free(s[i].tc);
    }
    free(s);
}

/* Reads and checks all files before any of them runs. */
static struct subject *load_subjects(const struct arguments *a, struct error *e)
{
    const struct unit *u = a->option[OPTION_UNIT] ? unit_find(a->option[OPTION_UNIT], e) : NULL;
    if (a->option[OPTION_UNIT] && !u)
        return NULL;
    struct subject *s = memory_new((size_t)a->words, sizeof *s);
    bool good = check_standard_input(a, e);
    for (int i = 0; good && i < a->words; i++)
        good = load(a->word[i], u, a, &s[i], e);
    if (good)
        return s;
    free_subjects(s, a);
    return NULL;
}

static int run_run(const struct arguments *a)
{
    struct error e = {0};
    static const enum option_id of_model[] = {OPTION_PROFILE, OPTION_RULE, OPTION_TRACE, OPTION_STEP,
                                              OPTION_FIDELITY};
    for (unsigned i = 0; a->option[OPTION_BOARD] && i < sizeof of_model / sizeof *of_model; i++)
        if (a->option[of_model[i]])
            return fail_usage("%s works only on the model, not with --board", option_name(of_model[i]));
    if (a->option[OPTION_JSON] && a->option[OPTION_STEP])
        return fail_usage("--step prints text; leave out --json");
    if (a->option[OPTION_EXPLAIN] &&
        (a->option[OPTION_JSON] || a->option[OPTION_BOARD] || run_program_wanted(a)))
        return fail_usage(
            "--explain prints the bytes of a case, and runs nothing: leave out --json, --board, "
            "and the options of programs");
    struct subject *s = load_subjects(a, &e);
    if (!s)
        return fail(STATUS_USAGE, &e);
    json_t *list = json_array();
    int worst = STATUS_EQUAL;
    catch_interrupts();
    for (int i = 0; i < a->words && !interrupted && !step_ended(); i++) {
        int status = !s[i].tc                    ? run_words(a->word[i], &s[i], a, list)
                     : a->option[OPTION_EXPLAIN] ? explain_case_bytes(a->word[i], s[i].tc)
                                                 : run_case(a->word[i], s[i].tc, a, list);
        worst = status > worst ? status : worst;
    }
    bool streamed = a->option[OPTION_TRACE]; /* --trace --json has printed a line for each value */
    free_subjects(s, a);
    if (interrupted && worst == STATUS_EQUAL)
        worst = STATUS_BROKEN;
    if (a->option[OPTION_JSON] && !streamed)
        return print_json(list, worst);
    json_decref(list);
    return worst;
}

const struct command command_run = {
    .name = "run",
    .synopsis = "FILE...",
    .about = "run cases and print what they leave behind",
    .examples = "  misprint run corpus/vc4-vpm/vpm-addr-h8.case --trace\n"
                "  misprint run corpus/vc4-qpu/silicon/coordinate-shader.case --profile bcm2835",
    .details =
        "Runs each case on the model, or with --board on that board alone. Prints how it ended and "
        "every row it touched, with the bits that the specification leaves undefined. For a resource "
        "descriptor it also prints the fields and what the documents say against them. If a board "
        "refuses a case, the exit status is 3.\n\n"
        "FILE is a case, the name of a case that comes with misprint (vpm-addr-h8), or with --unit a file of "
        "instructions (--isa names the instruction set of "
        "amd-buffer "
        "and v3d-qpu), as words or as the text that `misprint asm` reads; - is standard input. FILE.qasm is "
        "text of vc4-qpu. A program of vc4-qpu runs at address 10000 with 2 MiB of memory from address 0, up "
        "to whose end it may reach, and its registers are undefined at the start; --uniforms, --memory, "
        "--qpus, --threads, --schedule, --limit and --expect are for such programs. With --board "
        "program:FILE.so "
        "the library gets the same memory, with the program in it and the uniforms behind it; --uniforms "
        "(one list), --memory, --limit and --expect are for that, too. A program of v3d-qpu "
        "runs as a compute job in 2 MiB of memory from address 0. --launch gives its launch words, CFG0 to "
        "CFG6 of the CSD; the program is at CFG5 and the uniforms are at CFG6. Without --launch, one "
        "workgroup of 16 invocations runs at address 10000 with uniforms at 8000. --uniforms, --memory, "
        "--limit and --expect are for such programs, too. Instructions of other units, and with other boards "
        "all, "
        "become a case whose other state is 0.\n\n"
        "--trace prints each step, and below it the values at observation points (`misprint points`). "
        "With --json it prints one JSON object on a line for each value and step, and one for the "
        "end, as docs/trace.md describes.\n\n"
        "--explain prints the bytes in which a board receives the case (harness/PROTOCOL.md), for those "
        "who write a reader of them.",
    .options = {OPTION_PROFILE, OPTION_RULE, OPTION_BOARD, OPTION_TRACE, OPTION_STEP, OPTION_FIDELITY,
                OPTION_EXPLAIN, OPTION_UNIT, OPTION_ISA, OPTION_LAUNCH, OPTION_UNIFORMS, OPTION_MEMORY,
                OPTION_QPUS, OPTION_THREADS, OPTION_SCHEDULE, OPTION_LIMIT, OPTION_EXPECT, OPTION_JSON,
                OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_run,
};
