/* SPDX-License-Identifier: MIT */
#include "cli/run/run_program.h"
#include "cli/run/run_inputs.h"
#include "model/core/memory.h"

#include "model/core/units.h"
#include "model/vc4/machine.h"
#include "oracle/describe/escape.h"
#include "oracle/describe/picture.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MEMORY_ROWS = PROGRAM_MEMORY_BYTES / 64,
    CODE_AT = 0x10000,
    PROGRAM_MAX = (PROGRAM_MEMORY_BYTES - CODE_AT) / 8, /* instructions up to the memory's end */
    LIMIT = 10000000,                                   /* instructions of a QPU, without --limit */
    LISTS_MAX = 2 * MACHINE_QPUS_MAX,                   /* lists of uniforms, one for each thread */
    REGISTERS = 70,                                     /* ra, rb, accumulators */
    ROWS_SHOWN = 4,                                     /* rows of memory or VPM that a traced step shows */
};

#define PROGRAM_OPTIONS "--uniforms, --memory, --qpus, --threads, --schedule, --limit and --expect"

struct job {
    struct profile profile;
    struct coverage coverage;
    struct words program, uniforms[LISTS_MAX];
    unsigned uniform_lists;
    struct vc4_rows memory, vpm;
    struct vc4_vector *before; /* the memory's content before the run */
    uint64_t vpm_touched[VC4_VPM_ROWS / 64], memory_touched[MEMORY_ROWS / 64];
    uint64_t qpus, threads, schedule, limit;
    struct machine *machine;
    const struct arguments *a;
    struct text *t;
    /* The state before the traced step: registers, flags, touched rows of the VPM. */
    struct vc4_vector seen[REGISTERS];
    struct alu_flags flags;
    uint64_t vpm_before[VC4_VPM_ROWS / 64];
    bool second;
    struct qpu_shared shared;
};

bool run_program_wanted(const struct arguments *a)
{
    return a->option[OPTION_UNIFORMS] || a->option[OPTION_MEMORY] || a->option[OPTION_QPUS] ||
           a->option[OPTION_THREADS] || a->option[OPTION_SCHEDULE] || a->option[OPTION_LIMIT] ||
           a->option[OPTION_LAUNCH] || a->option[OPTION_EXPECT];
}

json_t *fidelity_json(const struct fidelity *f)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:b, s:b}", "exact", (json_int_t)f->exact, "within_tolerance",
                     (json_int_t)f->tolerance, "undefined", (json_int_t)f->undefined, "unsupported",
                     (json_int_t)f->unsupported, "inexact_reached_branch", f->to_control,
                     "inexact_reached_address", f->to_address);
}

json_t *row_json(const char *region, unsigned row, const uint32_t *value, const uint32_t *defined,
                 unsigned columns)
{
    json_t *values = json_array(), *masks = json_array();
    for (unsigned i = 0; i < columns; i++) {
        json_array_append_new(values, json_sprintf("%08x", (unsigned)value[i]));
        json_array_append_new(masks, json_sprintf("%08x", (unsigned)defined[i]));
    }
    return json_pack("{s:s, s:i, s:o, s:o}", "region", region, "row", (int)row, "value", values, "defined",
                     masks);
}

static enum { STEP_ASKS, STEP_CONTINUES, STEP_ENDED } stepping;

void step_wait(const char *line)
{
    if (stepping == STEP_ENDED)
        return;
    printf("%s\n", line);
    if (stepping == STEP_CONTINUES)
        return;
    static bool explained;
    if (!explained && isatty(STDIN_FILENO) && isatty(STDERR_FILENO))
        fprintf(stderr, "(Enter: next step, c: continue, q: quit)\n");
    explained = true;
    fflush(stdout);
    int c = getchar(), first = c;
    while (c != '\n' && c != EOF)
        c = getchar();
    if (first == 'c' || first == EOF)
        stepping = STEP_CONTINUES;
    if (first == 'q')
        stepping = STEP_ENDED;
}

bool step_ended(void)
{
    return stepping == STEP_ENDED;
}

/* ---- the command line ---- */

static void make_rows(struct vc4_rows *r, uint32_t rows, int defined)
{
    r->rows = rows;
    r->value = memory_new(rows, sizeof *r->value);
    r->defined = memory_new(rows, sizeof *r->defined);
    memset(r->defined, defined, rows * sizeof *r->defined);
}

static bool read_job(struct job *j, const char *path, const char *bytes, size_t count, struct error *e)
{
    const struct arguments *a = j->a;
    make_rows(&j->memory, MEMORY_ROWS, 0xFF);
    make_rows(&j->vpm, VC4_VPM_ROWS, 0);
    if (!argument_number(a, OPTION_THREADS, 1, &j->threads, e))
        return false;
    if (j->threads < 1 || j->threads > 2)
        return error_set(e, "--threads needs 1 or 2, not %" PRIu64, j->threads);
    uint64_t lists = (j->uniform_lists + j->threads - 1) / j->threads;
    if (!argument_number(a, OPTION_QPUS, lists ? lists : 1, &j->qpus, e) ||
        !argument_number(a, OPTION_SCHEDULE, 0, &j->schedule, e) ||
        !argument_count(a, OPTION_LIMIT, &j->limit, e) ||
        !profile_load(&vc4_qpu_unit, argument_profile(a), &j->profile, e) ||
        !words_read(path, bytes, count, &j->program, e) ||
        !memory_read(a->option[OPTION_MEMORY], j->memory.value->lane, e) ||
        !expected_check(a->option[OPTION_EXPECT], j->memory.value->lane, j->memory.defined->lane, NULL, e))
        return false;
    j->vpm.touched = j->vpm_touched;
    j->memory.touched = j->memory_touched;
    if (j->qpus < 1 || j->qpus > MACHINE_QPUS_MAX)
        return error_set(e, "--qpus needs 1 to %d, not %" PRIu64, MACHINE_QPUS_MAX, j->qpus);
    if (j->program.count % 2 || j->program.count / 2 > PROGRAM_MAX || !j->program.count)
        return error_set(e, "%s: %zu word%s; a program has 1 to %d instructions of 2 words each", path,
                         j->program.count, plural(j->program.count), PROGRAM_MAX);
    for (size_t i = 0; i < j->program.count; i++)
        j->memory.value[(CODE_AT / 4 + i) / VC4_LANES].lane[(CODE_AT / 4 + i) % VC4_LANES] =
            j->program.word[i];
    j->before = memory_new(PROGRAM_MEMORY_BYTES, 1);
    memcpy(j->before, j->memory.value, PROGRAM_MEMORY_BYTES);
    return true;
}

/* ---- the steps ---- */

static bool touched(const struct vc4_rows *r, uint32_t row)
{
    return r->touched[row / 64] >> row % 64 & 1;
}

/* Rows 0 to 69 of a QPU are ra, rb and the accumulators. */
static const struct vc4_vector *register_row(const struct machine_qpu *p, unsigned row)
{
    return row < 32 ? &p->ra[row] : row < 64 ? &p->rb[row - 32] : &p->acc[row - 64];
}
static const struct vc4_vector *register_mask(const struct machine_qpu *p, unsigned row)
{
    return row < 32 ? &p->ra_defined[row] : row < 64 ? &p->rb_defined[row - 32] : &p->acc_defined[row - 64];
}

/* Adds "ra3 = VALUES". */
static void print_register(const struct machine_qpu *p, unsigned row, struct text *t)
{
    static const char *const files[] = {"ra", "rb", "r"};
    text_add(t, "%s%u =", files[row / 32], row % 32);
    vector_print(register_row(p, row), register_mask(p, row), VC4_LANES, 32, t);
}

static void note_before(struct job *j, const struct machine_qpu *p)
{
    for (unsigned row = 0; row < REGISTERS; row++)
        j->seen[row] = *register_row(p, row);
    j->flags = p->qpu.flags;
    j->second = p->qpu.second;
    j->shared = *p->qpu.shared;
    memcpy(j->vpm_before, j->vpm_touched, sizeof j->vpm_before);
    memset(j->vpm_touched, 0, sizeof j->vpm_touched);
    memset(j->memory_touched, 0, sizeof j->memory_touched);
}

static void add_flag(const char *name, const struct vc4_vector *before, const struct vc4_vector *now,
                     struct text *t)
{
    if (!memcmp(before, now, sizeof *now))
        return;
    text_add(t, "; %s =", name);
    for (unsigned i = 0; i < VC4_LANES; i++)
        text_add(t, " %u", (unsigned)(now->lane[i] & 1));
}

static void add_shared(const struct qpu_shared *before, const struct qpu_shared *now, struct text *t)
{
    for (unsigned i = 0; i < QPU_SEMAPHORES; i++)
        if (now->semaphore[i] != before->semaphore[i])
            text_add(t, "; semaphore %u = %u", i, (unsigned)now->semaphore[i]);
    if (now->mutex_held != before->mutex_held)
        text_add(t, now->mutex_held ? "; takes the mutex" : "; releases the mutex");
    if (now->host_interrupt != before->host_interrupt)
        text_add(t, "; interrupts the host");
}

static void add_rows(const char *name, uint32_t unit, const struct vc4_rows *r, struct text *t)
{
    unsigned shown = 0, more = 0;
    for (uint32_t row = 0; row < r->rows; row++) {
        if (!touched(r, row))
            continue;
        if (shown == ROWS_SHOWN) {
            more++;
            continue;
        }
        shown++;
        text_add(t, unit > 1 ? "; %s %08x =" : "; %s %u =", name, (unsigned)(row * unit));
        vector_print(&r->value[row], &r->defined[row], VC4_LANES, 32, t);
    }
    if (more)
        text_add(t, "; and %u more row%s of %s", more, plural(more), name);
}

static void watch(void *context, struct qpu *q, const struct qpu_step *s, bool after)
{
    struct job *j = context;
    const struct machine_qpu *p = (const void *)((const char *)q - offsetof(struct machine_qpu, qpu));
    if (!after)
        note_before(j, p);
    for (unsigned i = 0; after && i < VC4_VPM_ROWS / 64; i++)
        j->vpm_before[i] |= j->vpm_touched[i];
    if (!after || q->waiting)
        return;
    struct text line = {0};
    size_t i = (size_t)(s - q->step);
    text_add(&line, "QPU %-2u %s%08x  ", (unsigned)q->number.value.lane[0],
             !q->two_threads ? ""
             : j->second     ? "thread 2 "
                             : "thread 1 ",
             (unsigned)qpu_address(q, s));
    if (2 * i < j->program.count)
        qpu_print(j->program.word[2 * i] | (uint64_t)j->program.word[2 * i + 1] << 32, &line);
    else
        text_add(&line, "(past the end of the program)");
    for (unsigned row = 0; row < REGISTERS; row++)
        if (memcmp(register_row(p, row), &j->seen[row], sizeof j->seen[row]) != 0) {
            text_add(&line, "; ");
            print_register(p, row, &line);
        }
    add_flag("z", &j->flags.z, &q->flags.z, &line);
    add_flag("n", &j->flags.n, &q->flags.n, &line);
    add_flag("c", &j->flags.c, &q->flags.c, &line);
    qpu_print_arrivals(q, &line);
    add_shared(&j->shared, q->shared, &line);
    add_rows("vpm", 1, &j->vpm, &line);
    add_rows("memory", 64, &j->memory, &line);
    memcpy(j->vpm_touched, j->vpm_before, sizeof j->vpm_touched);
    if (q->stop)
        text_add(&line, "; %s", vc4_reasons[q->stop]);
    if (j->a->option[OPTION_STEP])
        step_wait(text_chars(&line));
    else
        text_add(j->t, "%s\n", text_chars(&line));
    text_free(&line);
}

/* ---- the run and its results ---- */

/* Returns the uniform list of a thread; threads are numbered over all QPUs. Threads without a list of their
 * own use the last list. */
static struct qpu_uniforms uniforms_of(const struct job *j, uint64_t thread)
{
    static const uint32_t none[1];
    if (!j->uniform_lists)
        return (struct qpu_uniforms){.list = none};
    const struct words *w = &j->uniforms[thread < j->uniform_lists ? thread : j->uniform_lists - 1];
    return (struct qpu_uniforms){.list = w->word ? w->word : none, .count = (uint32_t)w->count};
}

static uint64_t limit_of(const struct job *j)
{
    return j->limit ? j->limit : LIMIT;
}

static enum vc4_stop run_machine(struct job *j)
{
    struct machine_start start[MACHINE_QPUS_MAX];
    for (unsigned i = 0; i < j->qpus; i++)
        start[i] = (struct machine_start){.program = j->program.word,
                                          .count = (uint32_t)(j->program.count / 2),
                                          .code_base = CODE_AT,
                                          .uniforms = uniforms_of(j, i * j->threads),
                                          .number = i,
                                          .two_threads = j->threads > 1,
                                          .second_uniforms = uniforms_of(j, i * j->threads + 1)};
    struct machine_setup setup = {
        .env = {.profile = &j->profile, .coverage = &j->coverage, .checked = true, .memory = j->memory},
        .vpm = j->vpm,
        .qpus = (unsigned)j->qpus,
        .start = start,
        .limit = limit_of(j),
        .seed = j->schedule};
    setup.env.fidelity = j->a->option[OPTION_FIDELITY];
    machine_prepare(j->machine, &setup);
    for (unsigned i = 0; i < j->qpus && (j->a->option[OPTION_TRACE] || j->a->option[OPTION_STEP]); i++) {
        j->machine->part[i]->qpu.watch = watch;
        j->machine->part[i]->qpu.watch_context = j;
    }
    return machine_run(j->machine);
}

static bool wrote_register(const struct qpu *q, unsigned row)
{
    return (row < 64 ? q->wrote >> row : (uint64_t)q->wrote_acc >> (row - 64)) & 1;
}

static void print_registers(const struct job *j, unsigned n, struct text *t)
{
    const struct machine_qpu *p = j->machine->part[n];
    for (unsigned row = 0; row < REGISTERS; row++) {
        if (!wrote_register(&p->qpu, row))
            continue;
        text_add(t, "QPU %-2u ", n);
        print_register(p, row, t);
        text_add(t, "\n");
    }
}

/* Draws the VPM. Copies it into an outcome of the unit first, because pictures are drawn from outcomes. */
static void print_vpm(const struct job *j, struct text *t)
{
    const struct unit *u = &vc4_qpu_unit;
    struct outcome *o = outcome_new(u);
    struct test_case *c = memory_new(1, sizeof *c);
    const struct region *g = layout_region_named(&u->layout, "vpm");
    if (g) {
        case_init(c, u);
        outcome_reset(o, c);
        o->checked = true;
        for (uint32_t row = 0; row < VC4_VPM_ROWS; row++) {
            if (!touched(&j->vpm, row))
                continue;
            memcpy(outcome_row(o, g->first_row + row, VC4_LANES), j->vpm.value[row].lane,
                   sizeof j->vpm.value[row]);
            memcpy(o->defined + (g->first_row + row) * VC4_LANES, j->vpm.defined[row].lane,
                   sizeof j->vpm.defined[row]);
            outcome_touch(o, g->first_row + row);
        }
        outcome_picture(o, c, t);
    }
    free(c);
    outcome_free(o);
}

static bool memory_changed(const struct job *j, uint32_t row)
{
    return memcmp(&j->before[row], &j->memory.value[row], sizeof j->before[row]) != 0;
}

static struct fidelity sum_fidelity(const struct job *j)
{
    struct fidelity all = {0};
    for (unsigned i = 0; i < j->qpus; i++) {
        const struct fidelity *f = &j->machine->part[i]->qpu.fidelity;
        all.exact += f->exact;
        all.tolerance += f->tolerance;
        all.undefined += f->undefined;
        all.unsupported += f->unsupported;
        all.to_control |= f->to_control;
        all.to_address |= f->to_address;
    }
    return all;
}

static void print_all(const struct job *j, enum vc4_stop stop, const struct fidelity *all)
{
    if (stop == VC4_HANG_LIMIT)
        text_add(j->t, "not ended after %" PRIu64 " instruction%s of a QPU (--limit); %" PRIu64 " in all\n",
                 limit_of(j), plural(limit_of(j)), machine_steps(j->machine));
    else
        text_add(j->t, "end = %s%s%s%s, %" PRIu64 " instructions\n", end_name((enum end)vc4_ends[stop]),
                 stop ? " (" : "", vc4_reasons[stop], stop ? ")" : "", machine_steps(j->machine));
    machine_explain(j->machine, j->t);
    if (j->a->option[OPTION_FIDELITY]) {
        text_add(j->t, "fidelity: ");
        fidelity_print(all, j->t);
        text_add(j->t, "\n");
    }
    for (unsigned i = 0; i < j->qpus; i++)
        print_registers(j, i, j->t);
    print_vpm(j, j->t);
    for (uint32_t row = 0; row < MEMORY_ROWS; row++)
        if (memory_changed(j, row)) {
            text_add(j->t, "memory %08x =", row * 64);
            vector_print(&j->memory.value[row], &j->memory.defined[row], VC4_LANES, 32, j->t);
            text_add(j->t, "\n");
        }
}

static void add_row_json(json_t *rows, const char *region, unsigned row, const struct vc4_vector *v,
                         const struct vc4_vector *d)
{
    json_array_append_new(rows, row_json(region, row, v->lane, d->lane, VC4_LANES));
}

static void add_registers_json(const struct job *j, unsigned n, json_t *rows)
{
    static const char *const files[] = {"ra", "rb", "acc"};
    const struct machine_qpu *p = j->machine->part[n];
    for (unsigned row = 0; row < REGISTERS; row++) {
        char region[32];
        snprintf(region, sizeof region, "qpu%u.%s", n, files[row / 32]);
        if (wrote_register(&p->qpu, row))
            add_row_json(rows, region, row % 32, register_row(p, row), register_mask(p, row));
    }
}

/* Returns the rows that print_all prints, as JSON. */
static json_t *rows_json(const struct job *j)
{
    json_t *rows = json_array();
    for (unsigned i = 0; i < j->qpus; i++)
        add_registers_json(j, i, rows);
    for (uint32_t row = 0; row < VC4_VPM_ROWS; row++)
        if (touched(&j->vpm, row))
            add_row_json(rows, "vpm", row, &j->vpm.value[row], &j->vpm.defined[row]);
    for (uint32_t row = 0; row < MEMORY_ROWS; row++)
        if (memory_changed(j, row))
            add_row_json(rows, "memory", row, &j->memory.value[row], &j->memory.defined[row]);
    return rows;
}

static void free_job(struct job *j)
{
    struct vc4_rows *rows[] = {&j->memory, &j->vpm};
    for (unsigned i = 0; i < 2; i++) {
        free(rows[i]->value);
        free(rows[i]->defined);
    }
    for (unsigned i = 0; i < LISTS_MAX; i++)
        free(j->uniforms[i].word);
    free(j->program.word);
    free(j->before);
    free(j->machine);
    free(j);
}

/* Reads the options and files of a program run. NULL with an error. */
static struct job *open_job(const char *path, const char *bytes, size_t count, const struct arguments *a,
                            struct error *e)
{
    struct job *j = memory_new(1, sizeof *j);
    j->a = a;
    if (a->option[OPTION_BOARD])
        error_set(e, PROGRAM_OPTIONS
                  " run a program on the model, or on a board program:FILE.so; leave out --board");
    else if (a->option[OPTION_UNIT] && strcmp(a->option[OPTION_UNIT], vc4_qpu_unit.name) != 0)
        error_set(e, PROGRAM_OPTIONS " are for programs of %s and partly of v3d-qpu, not of %s",
                  vc4_qpu_unit.name, a->option[OPTION_UNIT]);
    else if (a->option[OPTION_LAUNCH])
        error_set(e, "--launch is for programs of v3d-qpu; name the unit with --unit");
    else if (a->option[OPTION_ISA])
        error_set(e, "--isa is for words of a unit with several instruction sets; %s has one",
                  vc4_qpu_unit.name);
    else if (case_is_text(bytes, count))
        error_set(e, "%s: is a case; " PROGRAM_OPTIONS " are for bare words", path);
    else if (word_lists_read("--uniforms", a->option[OPTION_UNIFORMS], j->uniforms, LISTS_MAX,
                             &j->uniform_lists, e) &&
             read_job(j, path, bytes, count, e))
        return j;
    free_job(j);
    return NULL;
}

bool program_is_good(const char *path, const char *bytes, size_t count, const struct arguments *a,
                     struct error *e)
{
    struct job *j = open_job(path, bytes, count, a, e);
    if (j)
        free_job(j);
    return j != NULL;
}

bool run_program(const char *path, const char *bytes, size_t count, const struct arguments *a, struct text *t,
                 json_t *list, bool *as_expected, struct error *e)
{
    struct job *j = open_job(path, bytes, count, a, e);
    if (!j)
        return false;
    struct text steps = {0};
    j->t = &steps;
    unsigned qpus = (unsigned)j->qpus;
    uint32_t instructions = (uint32_t)(j->program.count / 2);
    j->machine = machine_in(memory_new(machine_bytes(qpus, instructions), 1), qpus, instructions);
    enum vc4_stop stop = run_machine(j);
    struct fidelity all = sum_fidelity(j);
    struct expected x = {0};
    j->t = t;
    if (!expected_check(a->option[OPTION_EXPECT], j->memory.value->lane, j->memory.defined->lane, &x, e)) {
        text_free(&steps);
        free_job(j);
        return false;
    }
    *as_expected = expected_holds(&x, !stop);
    if (!step_ended()) {
        text_add(t, "# %s: %s, model, profile %s\n%s", path, vc4_qpu_unit.name, argument_profile(a),
                 text_chars(&steps));
        print_all(j, stop, &all);
        expected_print(&x, t);
    }
    text_free(&steps);
    if (a->option[OPTION_JSON])
        json_array_append_new(list,
                              json_pack("{s:o, s:s, s:s, s:s, s:I, s:o*, s:o*, s:o}", "file", json_text(path),
                                        "unit", vc4_qpu_unit.name, "end", end_name((enum end)vc4_ends[stop]),
                                        "reason", vc4_reasons[stop], "instructions",
                                        (json_int_t)machine_steps(j->machine), "fidelity",
                                        a->option[OPTION_FIDELITY] ? fidelity_json(&all) : NULL, "expected",
                                        expected_json(&x), "rows", rows_json(j)));
    free_job(j);
    return true;
}
