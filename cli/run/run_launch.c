/* SPDX-License-Identifier: MIT */
#include "cli/run/run_launch.h"

#include "cli/run/run_inputs.h"
#include "cli/run/run_program.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/v3d/run/v3d_plan.h"
#include "oracle/describe/escape.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    CODE_AT = 0x10000, /* without --launch */
    UNIFORMS_AT = 0x8000,
    LIMIT = 10000000, /* instructions of all threads, without --limit */
    MEMORY_ROWS = PROGRAM_MEMORY_BYTES / 64
};

/* A compute job, before and after its run. */
struct launch {
    const struct arguments *a;
    struct profile profile;
    struct coverage coverage;
    struct observer observer;
    struct words program, uniforms;
    uint32_t config[V3D_CONFIG_WORDS];
    uint64_t limit;
    uint32_t *memory, *before, *defined;
    uint64_t touched[MEMORY_ROWS / 64];
    struct v3d_insn *insn;
    struct v3d_plan *plan;
    struct v3d_breach *breach;
    struct v3d_machine *machine;
    struct text *steps;
    /* Of the traced step: the thread, and its registers before. */
    const struct v3d_thread *thread;
    struct v3d_lanes rf[V3D_REGISTERS], acc[V3D_ACCUMULATORS];
};

bool run_launch_wanted(const struct arguments *a)
{
    return a->option[OPTION_UNIT] && !strcmp(a->option[OPTION_UNIT], v3d_qpu_unit.name);
}

/* ---- the command line ---- */

/* The launch of one workgroup of 16 invocations. */
static void set_usual_config(struct launch *l, enum v3d_generation g)
{
    unsigned switches = 0;
    for (size_t n = 0; n + 1 < l->program.count; n += 2) {
        struct v3d_insn i;
        switches += v3d_decode(g, v3d_join(l->program.word + n), &i) && (i.signals & V3D_SIG_THRSW);
    }
    const uint32_t one = 1 << 16, flags = switches == 1 ? 2 : 0; /* 2: a single segment */
    const uint32_t config[V3D_CONFIG_WORDS] = {one,        one, one, 0x110, g == V3D_71, CODE_AT | flags,
                                               UNIFORMS_AT};
    memcpy(l->config, config, sizeof config);
}

static bool read_config(struct launch *l, enum v3d_generation g, struct error *e)
{
    const char *given = l->a->option[OPTION_LAUNCH];
    struct words w = {0};
    unsigned lists = 0;
    set_usual_config(l, g);
    if (!given)
        return true;
    bool good = word_lists_read("--launch", given, &w, 1, &lists, e);
    if (good && w.count != V3D_CONFIG_WORDS)
        good = error_set(e, "--launch needs the 7 words CFG0 to CFG6, not %zu", w.count);
    if (good)
        memcpy(l->config, w.word, sizeof l->config);
    free(w.word);
    return good;
}

/* Copies words into the memory, if they fit. */
static bool place(struct launch *l, const char *what, uint32_t address, const struct words *w,
                  struct error *e)
{
    if (address % 4 || address > PROGRAM_MEMORY_BYTES || w->count > (PROGRAM_MEMORY_BYTES - address) / 4)
        return error_set(e, "the %s at %08" PRIx32 " is outside the memory, which has %x bytes", what,
                         address, PROGRAM_MEMORY_BYTES);
    if (w->count)
        memcpy(l->memory + address / 4, w->word, w->count * sizeof *w->word);
    return true;
}

static bool check_options(const struct launch *l, const char *path, const char *bytes, size_t count,
                          struct error *e)
{
    static const enum option_id others[] = {OPTION_QPUS, OPTION_THREADS, OPTION_SCHEDULE, OPTION_FIDELITY};
    if (l->a->option[OPTION_BOARD])
        return error_set(
            e, "--launch, --uniforms, --memory, --limit and --expect run a program on the model; leave out "
               "--board");
    for (unsigned n = 0; n < sizeof others / sizeof *others; n++)
        if (l->a->option[others[n]])
            return error_set(e, "%s is not for programs of %s", option_name(others[n]), v3d_qpu_unit.name);
    if (case_is_text(bytes, count))
        return error_set(
            e, "%s: is a case; --launch, --uniforms, --memory, --limit and --expect are for bare words",
            path);
    return true;
}

static bool read_launch(struct launch *l, const char *path, const char *bytes, size_t count, struct error *e)
{
    const struct arguments *a = l->a;
    unsigned lists = 0;
    const struct code *code = unit_code(&v3d_qpu_unit, a->option[OPTION_ISA], e);
    if (!code || !check_options(l, path, bytes, count, e) || !argument_count(a, OPTION_LIMIT, &l->limit, e) ||
        !profile_load(&v3d_qpu_unit, argument_profile(a), &l->profile, e) ||
        !words_read(path, bytes, count, &l->program, e) ||
        !word_lists_read("--uniforms", a->option[OPTION_UNIFORMS], &l->uniforms, 1, &lists, e))
        return false;
    if (l->program.count % 2 || !l->program.count)
        return error_set(e, "%s: %zu word%s; a program has instructions of 2 words each", path,
                         l->program.count, plural(l->program.count));
    enum v3d_generation g = (enum v3d_generation)(code - v3d_code);
    l->machine->generation = g;
    l->limit = l->limit ? l->limit : LIMIT;
    return read_config(l, g, e) && memory_read(a->option[OPTION_MEMORY], l->memory, e) &&
           expected_check(a->option[OPTION_EXPECT], NULL, NULL, NULL, e) &&
           place(l, "program", l->config[5] & ~7U, &l->program, e) &&
           place(l, "list of uniforms", l->config[6], &l->uniforms, e);
}

static void free_launch(struct launch *l)
{
    free(l->program.word);
    free(l->uniforms.word);
    free(l->memory);
    free(l->before);
    free(l->defined);
    free(l->insn);
    free(l->plan);
    free(l->breach);
    free(l->machine);
    free(l);
}

/* Reads the options and files of a launch. NULL with an error. */
static struct launch *open_launch(const char *path, const char *bytes, size_t count,
                                  const struct arguments *a, struct error *e)
{
    struct launch *l = memory_new(1, sizeof *l);
    l->a = a;
    l->memory = memory_new(1, PROGRAM_MEMORY_BYTES);
    l->machine = memory_new(1, sizeof *l->machine);
    if (read_launch(l, path, bytes, count, e))
        return l;
    free_launch(l);
    return NULL;
}

/* ---- the steps ---- */

static void print_lanes(const struct v3d_lanes *v, struct text *t)
{
    bool same = v->unsure == 0 || v->unsure == V3D_ALL_LANES;
    for (unsigned i = 1; i < V3D_LANES; i++)
        same = same && v->value.lane[i] == v->value.lane[0];
    text_add(t, same ? " all" : "");
    for (unsigned i = 0; i < (same ? 1U : V3D_LANES); i++)
        text_add(t, " %08" PRIx32 "%s", v->value.lane[i], v->unsure >> i & 1 ? "~" : "");
}

static void print_changed(const char *file, unsigned count, const struct v3d_lanes *now,
                          const struct v3d_lanes *before, struct text *t)
{
    for (unsigned n = 0; n < count; n++)
        if (memcmp(now[n].value.lane, before[n].value.lane, sizeof now[n].value.lane) != 0) {
            text_add(t, "; %s%u =", file, n);
            print_lanes(&now[n], t);
        }
}

static void watch(void *context, const struct v3d_machine *m, const struct v3d_thread *t, uint32_t pc)
{
    struct launch *l = context;
    struct text line = {0};
    text_add(&line, "thread %-2" PRIu32 " %08" PRIx32 "  ", t->alu.thread_index, m->code_base + 8 * pc);
    v3d_print(m->generation, v3d_join(l->program.word + 2 * pc), &line);
    if (l->thread == t) {
        print_changed("rf", V3D_REGISTERS, t->rf, l->rf, &line);
        print_changed("r", V3D_ACCUMULATORS, t->acc, l->acc, &line);
    }
    l->thread = t->ended ? NULL : t;
    memcpy(l->rf, t->rf, sizeof l->rf);
    memcpy(l->acc, t->acc, sizeof l->acc);
    if (l->a->option[OPTION_STEP])
        step_wait(text_chars(&line));
    else
        text_add(l->steps, "%s\n", text_chars(&line));
    text_free(&line);
}

/* ---- the run and its results ---- */

static void prepare(struct launch *l)
{
    struct v3d_machine *m = l->machine;
    l->before = memory_new(1, PROGRAM_MEMORY_BYTES);
    l->defined = memory_new(1, PROGRAM_MEMORY_BYTES);
    memcpy(l->before, l->memory, PROGRAM_MEMORY_BYTES);
    memset(l->defined, 0xFF, PROGRAM_MEMORY_BYTES);
    m->program_count = (uint32_t)(l->program.count / 2);
    l->insn = memory_new(m->program_count, sizeof *l->insn);
    for (uint32_t n = 0; n < m->program_count; n++)
        v3d_decode(m->generation, v3d_join(l->program.word + 2 * n), &l->insn[n]);
    const unsigned room = m->program_count * V3D_RESTRICTIONS;
    l->breach = memory_new(room, sizeof *l->breach);
    m->breach = l->breach;
    m->breaches = v3d_check(m->generation, l->insn, m->program_count, l->config[5] >> 1 & 1, l->breach, room);
    v3d_follow(m, &l->profile, &l->coverage);
    if (l->profile.rules.count) {
        l->observer = (struct observer){.points = v3d_qpu_unit.points, .rules = &l->profile.rules};
        (void)observer_set_part(&l->observer, 0, v3d_qpu_unit.point_count);
        m->observer = &l->observer;
    }
    m->program = l->insn;
    l->plan = memory_new(m->program_count, sizeof *l->plan);
    v3d_plan_program(m, l->plan);
    m->code_base = l->config[5] & ~7U;
    m->limit = l->limit;
    m->range[0] = (struct v3d_range){.bytes = PROGRAM_MEMORY_BYTES,
                                     .word = l->memory,
                                     .defined = l->defined,
                                     .before = l->before,
                                     .touched = l->touched};
    m->ranges = 1;
    for (unsigned n = 0; n < V3D_REGISTERS; n++)
        m->rf[n].unsure = V3D_ALL_LANES;
    for (unsigned n = 0; n < V3D_ACCUMULATORS; n++)
        m->acc[n].unsure = V3D_ALL_LANES;
    if (l->a->option[OPTION_TRACE] || l->a->option[OPTION_STEP])
        m->watch = watch;
    m->watch_context = l;
}

static bool row_changed(const struct launch *l, uint32_t row)
{
    return memcmp(l->before + row * V3D_LANES, l->memory + row * V3D_LANES, 64) != 0;
}

static const char *end_of(enum v3d_stop stop)
{
    return end_name(!stop ? END_DONE : v3d_stop_is_hang(stop) ? END_HANG : END_FAULT);
}

/* Prints which restrictions of Mesa the program breaks. */
static void print_breaches(const struct launch *l, struct text *t)
{
    struct text breaches = {0};
    v3d_check_text(l->machine->generation, l->insn, l->machine->program_count, l->config[5] >> 1 & 1,
                   &breaches);
    for (const char *line = text_chars(&breaches), *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        text_add(t, "breaks a restriction of Mesa: %.*s\n", (int)(end - line), line);
    }
    text_free(&breaches);
}

static void print_all(const struct launch *l, enum v3d_stop stop, struct text *t)
{
    const struct v3d_machine *m = l->machine;
    bool inexact = false;
    if (stop == V3D_HANG_LIMIT)
        text_add(t, "not ended after %" PRIu64 " instruction%s (--limit)\n", l->limit, plural(l->limit));
    else if (stop)
        text_add(t, "end = %s (%s), at %08" PRIx32 ", %" PRIu64 " instructions\n", end_of(stop),
                 v3d_reasons[stop], m->code_base + 8 * m->stop_pc, m->steps);
    else
        text_add(t, "end = %s, %" PRIu64 " instructions\n", end_of(stop), m->steps);
    for (uint32_t row = 0; row < MEMORY_ROWS; row++) {
        struct v3d_lanes now = {.unsure = 0};
        if (!row_changed(l, row))
            continue;
        for (unsigned i = 0; i < V3D_LANES; i++) {
            now.value.lane[i] = l->memory[row * V3D_LANES + i];
            now.unsure |= (uint16_t)((l->defined[row * V3D_LANES + i] != UINT32_MAX) << i);
        }
        inexact = inexact || now.unsure;
        text_add(t, "memory %08" PRIx32 " =", row * 64);
        print_lanes(&now, t);
        text_add(t, "\n");
    }
    if (inexact)
        text_add(t, "~ an inexact result (recip, rsqrt, exp, log, sin) or an undefined value took part\n");
    print_breaches(l, t);
}

static json_t *launch_json(const char *path, const struct launch *l, enum v3d_stop stop,
                           const struct expected *x)
{
    json_t *rows = json_array();
    for (uint32_t row = 0; row < MEMORY_ROWS; row++)
        if (row_changed(l, row))
            json_array_append_new(rows, row_json("memory", row, l->memory + row * V3D_LANES,
                                                 l->defined + row * V3D_LANES, V3D_LANES));
    return json_pack("{s:o, s:s, s:s, s:s, s:I, s:o*, s:o}", "file", json_text(path), "unit",
                     v3d_qpu_unit.name, "end", end_of(stop), "reason", v3d_reasons[stop], "instructions",
                     (json_int_t)l->machine->steps, "expected", expected_json(x), "rows", rows);
}

bool launch_is_good(const char *path, const char *bytes, size_t count, const struct arguments *a,
                    struct error *e)
{
    struct launch *l = open_launch(path, bytes, count, a, e);
    if (l)
        free_launch(l);
    return l != NULL;
}

bool run_launch(const char *path, const char *bytes, size_t count, const struct arguments *a, struct text *t,
                json_t *list, bool *as_expected, struct error *e)
{
    struct text steps = {0};
    struct expected x = {0};
    struct launch *l = open_launch(path, bytes, count, a, e);
    if (!l)
        return false;
    l->steps = &steps;
    prepare(l);
    enum v3d_stop stop = v3d_launch(l->machine, l->config);
    if (!expected_check(a->option[OPTION_EXPECT], l->memory, l->defined, &x, e)) {
        text_free(&steps);
        free_launch(l);
        return false;
    }
    *as_expected = expected_holds(&x, !stop);
    if (!step_ended()) {
        text_add(t, "# %s: %s %s, model, profile %s\n%s", path, v3d_qpu_unit.name,
                 v3d_generation_names[l->machine->generation], argument_profile(a), text_chars(&steps));
        print_all(l, stop, t);
        expected_print(&x, t);
    }
    text_free(&steps);
    if (a->option[OPTION_JSON])
        json_array_append_new(list, launch_json(path, l, stop, &x));
    free_launch(l);
    return true;
}
