/* SPDX-License-Identifier: MIT */
/* `misprint run`: one case, on the model or on a board. */
#include "cli/cli.h"
#include "cli/run_program.h"
#include "cli/words.h"
#include "oracle/executor.h"
#include "oracle/file.h"
#include "oracle/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file of bare instruction words becomes a case with that program and defaults for the rest. */
static bool case_of_words(const char *path, const struct unit *u, const char *bytes, size_t count, struct test_case *c, struct error *e)
{
    const struct field *program = NULL;
    for (unsigned i = 0; i < u->schema.field_count; i++)
        if (u->schema.fields[i].kind == FIELD_CODE)
            program = &u->schema.fields[i];
    if (!program)
        return error_set(e, "%s: holds words, but unit %s has no program", path, u->name);
    struct words w = {0};
    bool good = words_read(path, bytes, count, &w, e);
    if (good && (w.count % u->code->words || w.count / u->code->words > program->max))
        good = error_set(e, "%s: %zu words; a program of %s has up to %u instructions of %u words", path, w.count, u->name, program->max,
                         u->code->words);
    if (good) {
        uint32_t *used;
        case_init(c, u);
        memcpy(case_items(c, program, &used), w.word, w.count * sizeof *w.word);
        *used = (uint32_t)(w.count / u->code->words);
    }
    free(w.word);
    return good;
}

static bool load(const char *path, const struct arguments *a, struct test_case *c, struct error *e)
{
    const struct unit *u = a->option[OPTION_UNIT] ? unit_find(a->option[OPTION_UNIT], e) : NULL;
    if (a->option[OPTION_UNIT] && !u)
        return false;
    size_t count;
    char *bytes = file_read(path, &count, e);
    if (!bytes)
        return false;
    bool words = !case_is_text(bytes, count) && words_look_hexadecimal(bytes, count);
    bool good;
    if (!words)
        good = case_is_text(bytes, count) ? case_parse(c, bytes, count, e) || error_where(e, "%s", path) : case_load(path, u, c, e);
    else if (u)
        good = case_of_words(path, u, bytes, count, c, e);
    else
        good = error_set(e, "%s: holds bare words; say whose program they are with --unit", path);
    free(bytes);
    return good;
}

/* Files of bare words that run on the machine alone. False: this is none. */
static bool run_words(const char *path, const struct arguments *a, json_t *list, int *status)
{
    struct error e = {0};
    struct text t = {0};
    size_t count;
    if (!run_program_wanted(a))
        return false;
    char *bytes = file_read(path, &count, &e);
    *status = STATUS_USAGE;
    if (bytes && case_is_text(bytes, count))
        error_set(&e, "%s: is a case, which says itself what --uniforms, --memory, --qpus and --schedule say of programs", path);
    else if (bytes)
        *status = run_program(path, bytes, count, a, &t, list, &e);
    free(bytes);
    if (e.text[0])
        *status = fail(*status, &e);
    else if (!a->option[OPTION_JSON])
        *status = print_text(&t, *status);
    text_free(&t);
    return true;
}

static void print_and_wait(void *context, const char *line)
{
    (void)context;
    step_wait(line);
}

static void print_step(void *context, const char *line)
{
    text_add(context, "%s\n", line);
}

static json_t *outcome_json(const struct outcome *o)
{
    const struct layout *l = &o->unit->layout;
    json_t *rows = json_array();
    for (uint32_t row = 0; row < l->rows; row++) {
        if (!outcome_touched(o, row))
            continue;
        const struct region *r = layout_region(l, row);
        json_t *value = json_array(), *defined = json_array();
        for (uint32_t i = 0; i < r->cols; i++) {
            json_array_append_new(value, json_sprintf("%08x", o->value[row * l->row_words + i]));
            json_array_append_new(defined, json_sprintf("%08x", o->checked ? o->defined[row * l->row_words + i] & region_bits(r) : region_bits(r)));
        }
        json_array_append_new(rows, json_pack("{s:s, s:i, s:o, s:o}", "region", r->name, "row", (int)(row - r->first_row), "value", value, "defined",
                                              defined));
    }
    return json_pack("{s:s, s:s, s:o}", "end", end_name(o->end), "reason", o->unit->reasons[o->reason], "rows", rows);
}

static void print_worth(const struct fidelity *f, struct text *t)
{
    if (!(f->exact | f->tolerance | f->undefined | f->unsupported))
        return;
    text_add(t, "fidelity: ");
    fidelity_print(f, t);
    text_add(t, "\n");
}

static json_t *worth_json(const struct fidelity *f)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:b, s:b}", "exact", (json_int_t)f->exact, "within_tolerance", (json_int_t)f->tolerance, "undefined",
                     (json_int_t)f->undefined, "unsupported", (json_int_t)f->unsupported, "inexact_reached_branch", f->to_control,
                     "inexact_reached_address", f->to_address);
}

/* Runs on the model. With `steps`, traces into it. */
static bool run_on_model(const struct test_case *c, const char *profile_name, struct outcome *o, struct text *steps, bool wait,
                         struct fidelity *worth, struct error *e)
{
    struct profile p;
    if (!profile_load(c->unit, profile_name, &p, e))
        return false;
    struct executor *x = executor_new(c->unit);
    struct run r = {.tc = c, .profile = &p, .out = o, .mode = steps ? RUN_TRACED : RUN_CHECKED, .trace = wait ? print_and_wait : print_step,
                    .trace_context = steps};
    executor_run_with(x, &r);
    *worth = r.fidelity;
    executor_free(x);
    return true;
}

static int run_file(const char *path, const struct arguments *a, json_t *list)
{
    struct error e = {0};
    struct text t = {0}, steps = {0};
    struct board *b = NULL;
    struct outcome *o = NULL;
    struct test_case *c = malloc(sizeof *c);
    struct fidelity worth = {0};
    int status = STATUS_USAGE;
    const char *profile = a->option[OPTION_PROFILE] ? a->option[OPTION_PROFILE] : "manual";
    char on[512];
    if (run_words(path, a, list, &status)) {
        free(c);
        return status;
    }
    if (!c || !load(path, a, c, &e))
        goto done;
    o = outcome_new(c->unit);
    if (a->option[OPTION_BOARD]) {
        enum answer answer;
        b = board_open(a->option[OPTION_BOARD], c->unit, &e);
        if (!b)
            goto done;
        status = STATUS_BROKEN;
        if (!board_run_one(b, c, o, &answer, &e))
            goto done;
        if (answer != ANSWER_OUTCOME && answer != ANSWER_REFUSED) {
            error_set(&e, "%s: board %s has no outcome for this case (%s)", path, b->identity.spec, answer_name(answer));
            goto done;
        }
        (void)snprintf(on, sizeof on, "board %s", b->identity.spec);
    } else {
        if (!run_on_model(c, profile, o, a->option[OPTION_TRACE] || a->option[OPTION_STEP] ? &steps : NULL, a->option[OPTION_STEP], &worth, &e))
            goto done;
        (void)snprintf(on, sizeof on, "model, profile %s", profile);
    }
    status = STATUS_EQUAL;
    if (a->option[OPTION_JSON]) {
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:o, s:o}", "file", path, "unit", c->unit->name, "ran_on", on, "outcome", outcome_json(o), "fidelity",
                                              worth_json(&worth)));
    } else {
        text_add(&t, "# %s: %s, %s\n%s", path, c->unit->name, on, text_chars(&steps));
        outcome_print(o, &t);
        print_worth(&worth, &t);
        outcome_picture(o, c, &t);
        status = print_text(&t, status);
    }
done:
    if (e.text[0])
        status = fail(status, &e);
    board_close(b);
    outcome_free(o);
    free(c);
    text_free(&t);
    text_free(&steps);
    return status;
}

static int run_run(const struct arguments *a)
{
    json_t *list = json_array();
    int worst = STATUS_EQUAL;
    for (int i = 0; i < a->words; i++) {
        int status = run_file(a->word[i], a, list);
        worst = status > worst ? status : worst;
    }
    if (a->option[OPTION_JSON])
        return print_json(list, worst);
    json_decref(list);
    return worst;
}

const struct command command_run = {
    .name = "run",
    .synopsis = "FILE...",
    .about = "run cases and print what they leave behind",
    .details = "Runs each case on the model (or, with --board, on a board) and prints how it ended and every row it\n"
               "touched, with the bits that the specification leaves undefined. A file of bare instruction words runs\n"
               "as a program with --unit; with --uniforms, --memory, --qpus or --schedule it runs as a QPU program on up\n"
               "to twelve QPUs with 2 MiB of memory from address 0, the program at 10000.\n\n"
               "  misprint run corpus/vc4-qpu/silicon/coordinate-shader.case --profile bcm2835 --trace",
    .options = {OPTION_PROFILE, OPTION_BOARD, OPTION_TRACE, OPTION_STEP, OPTION_UNIT, OPTION_UNIFORMS, OPTION_MEMORY, OPTION_QPUS, OPTION_SCHEDULE, OPTION_JSON, OPTION_END},
    .least = 1,
    .most = -1,
    .run = run_run,
};
