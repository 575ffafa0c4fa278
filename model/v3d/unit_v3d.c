/* SPDX-License-Identifier: MIT */
/*
 * Unit v3d-qpu: a compute job on the QPUs of V3D 4.2 or 7.1. The case is all state before the launch. The
 * outcome is the memory after it, and the registers that the first batch left.
 */
#include "model/v3d/unit_v3d.h"

#include "model/core/units.h"
#include "model/v3d/points/v3d_observe_words.h"
#include "model/v3d/run/v3d_plan.h"
#include "model/v3d/v3d_clauses.h"
#include "model/v3d/v3d_points.h"

#include <string.h>

/* ---- the case ---- */

static const struct bit_field workgroup_bits[] = {{"start", 0, 16, NULL},
                                                  {"count", 16, 16, NULL},
                                                  {NULL, 0, 0, NULL}};
static const struct bit_field group_bits[] = {
    {"wg_size", 0, 8, NULL},    {"wgs_per_sg", 8, 4, NULL}, {"batches_per_sg_m1", 12, 8, NULL},
    {"max_sg_id", 20, 6, NULL}, {"overlap", 26, 1, NULL},   {NULL, 0, 0, NULL}};
static const struct bit_field start_bits[] = {{"four_threads", 0, 1, NULL},
                                              {"single_segment", 1, 1, NULL},
                                              {"propagate_nan", 2, 1, NULL},
                                              {NULL, 0, 0, NULL}};

/* clang-format off */
#define AT(member)  CASE_AT(struct v3d_case, member)
#define INTERESTING .interesting = v3d_interesting, .interesting_count = V3D_INTERESTING
#define IMAGE(field, member, rows, text) \
    {.name = field, .kind = FIELD_IMAGE, .offset = AT(member), .max = (rows), .row_words = V3D_LANES, \
     INTERESTING, .about = text}
#define BITS(field, member, list, default_, text) \
    {.name = field, .kind = FIELD_WORD, .offset = AT(member), .bits = (list), .initial = (default_), \
     .about = text}
#define RANGE(field, member, low, high, most, default_, text) \
    {.name = field, .kind = FIELD_WORD, .offset = AT(member), .min_value = (low), .max_value = (high), \
     .generated_max = (most), .initial = (default_), .about = text}

enum { FIELD_RF = 12, FIELD_ACC };
/* More batches took a third of the time of fuzzing, and need no other code of the model. */
enum { GENERATED_BATCHES_MAX = 4 };

static const struct field fields[] = {
    {.name = "generation", .kind = FIELD_ENUM, .offset = AT(generation), .max = V3D_GENERATIONS,
     .names = v3d_generation_names, .initial = V3D_42,
     .about = "v3d42: VideoCore VI, Raspberry Pi 4; v3d71: VideoCore VII, Raspberry Pi 5"},
    RANGE("limit", limit, 1, V3D_CASE_LIMIT_MAX, V3D_CASE_LIMIT, V3D_CASE_LIMIT,
          "instructions of all threads after which a job that has not ended counts as hung"),
    BITS("workgroups-x", workgroups[0], workgroup_bits, 1 << 16,
           "CFG0: workgroups in x, and the first one's id"),
    BITS("workgroups-y", workgroups[1], workgroup_bits, 1 << 16, "CFG1: the same in y"),
    BITS("workgroups-z", workgroups[2], workgroup_bits, 1 << 16, "CFG2: the same in z"),
    BITS("group", group, group_bits, 0x110, "CFG3: sizes of workgroups and supergroups"),
    RANGE("batches", batches, 1, V3D_CASE_BATCHES_MAX, GENERATED_BATCHES_MAX, 1,
          "batches of 16 invocations; each is a thread"),
    BITS("start", start, start_bits, V3D_START_SINGLE_SEGMENT, "the low bits of CFG5"),
    RANGE("flag-a", flag_a, 0, V3D_ALL_LANES, V3D_ALL_LANES, 0,
          "flag A of each lane at the start, a bit a lane"),
    RANGE("flag-b", flag_b, 0, V3D_ALL_LANES, V3D_ALL_LANES, 0, "flag B"),
    {.name = "program", .kind = FIELD_CODE, .offset = AT(program), .max = V3D_CASE_PROGRAM_MAX,
     .about = "the instructions, from the first executed on; without any, nothing is launched"},
    {.name = "uniforms", .kind = FIELD_UNIFORMS, .offset = AT(uniforms), .max = V3D_CASE_UNIFORMS_MAX,
     INTERESTING, .about = "the uniform stream"},
    [FIELD_RF] = IMAGE("rf", rf, V3D_REGISTERS,
                       "the register file at the start; a launch sets rf0 and rf2 (4.2), rf2 and rf3 (7.1)"),
    [FIELD_ACC] = IMAGE("acc", acc, V3D_ACCUMULATORS, "4.2: the accumulators r0 to r5 at the start"),
    IMAGE("memory", memory, V3D_MEMORY_ROWS, "the memory that programs reach"),
};
/* clang-format on */

/* ---- the outcome ---- */

enum {
    ROW_RF = 0,
    ROW_ACC = ROW_RF + V3D_REGISTERS,
    ROW_FLAGS = ROW_ACC + V3D_ACCUMULATORS,
    ROW_MEMORY = ROW_FLAGS + 2,
    ROWS = ROW_MEMORY + V3D_MEMORY_ROWS
};

static const char *const acc_names[] = {"r0", "r1", "r2", "r3", "r4", "r5", NULL};
static const char *const flag_names[] = {"a", "b", NULL};

static const struct region regions[] = {
    {"rf", "register file of the first batch", V3D_REGISTERS, V3D_LANES, 32, DRAW_LANES, ROW_RF, "rf", NULL},
    {"acc", "accumulators of the first batch", V3D_ACCUMULATORS, V3D_LANES, 32, DRAW_LANES, ROW_ACC, "acc",
     acc_names},
    {"flags", "flags of each lane of the first batch", 2, V3D_LANES, 1, DRAW_BITS, ROW_FLAGS, NULL,
     flag_names},
    {"memory", "the memory", V3D_MEMORY_ROWS, V3D_LANES, 32, DRAW_STRIP, ROW_MEMORY, "memory", NULL},
};

/* clang-format off */
static const struct builtin_profile profiles[] = {
    [V3D_PROFILE_MANUAL] = {"manual", "the text of Mesa; there is no manual", NULL},
    [V3D_PROFILE_MESA] = {"mesa", "another name for manual", NULL},
    [V3D_PROFILE_TESTS] = {"hardware-tests", "what py-videocore6 and 7 expect of a Raspberry Pi 4 and 5",
           NULL},
    [V3D_PROFILE_42] = {"v3d42", "best-known behaviour of V3D 4.2; not measured for this project", "V3D 4.2"},
    [V3D_PROFILE_71] = {"v3d71", "best-known behaviour of V3D 7.1; not measured for this project", "V3D 7.1"},
    {NULL, NULL, NULL},
};
/* clang-format on */

/* ---- running ---- */

/* Uniforms are at this distance from the program. */
enum { UNIFORMS_AT = 0x8000 };

struct state {
    struct v3d_machine machine;
    struct observer observer;
    struct v3d_insn program[V3D_CASE_PROGRAM_MAX];
    struct v3d_breach breach[V3D_CASE_PROGRAM_MAX * V3D_RESTRICTIONS];
    struct v3d_plan plan[V3D_CASE_PROGRAM_MAX];
    uint64_t idle; /* registers that the program does not name */
    uint32_t uniform[V3D_CASE_UNIFORMS_MAX], before[V3D_MEMORY_ROWS * V3D_LANES];
    const struct run *run; /* of a traced run */
    struct v3d_sharing sharing;
    struct {
        uint32_t generation, single, count, word[2 * V3D_CASE_PROGRAM_MAX];
    } known; /* the program that `program`, `breach`, `plan` and `idle` are made from */
};

static const struct v3d_case *case_of(const struct test_case *tc)
{
    return (const struct v3d_case *)(const void *)tc->words;
}

/* Traces one line for each instruction: its address, its text, and the results of both ALUs. */
static void watch(void *context, const struct v3d_machine *m, const struct v3d_thread *t, uint32_t pc)
{
    const struct state *s = context;
    const struct v3d_case *c = case_of(s->run->tc);
    struct text line = {0};
    (void)t;
    text_add(&line, "%08x  ", m->code_base + 8 * pc);
    v3d_print(m->generation, v3d_join(c->program.word + 2 * pc), &line);
    s->run->trace(s->run->trace_context, text_chars(&line));
    text_free(&line);
}

static void add_range(struct v3d_machine *m, struct v3d_range range)
{
    m->range[m->ranges++] = range;
}

/* Decodes and checks the program, unless the run before had the same one. */
static void prepare_program(const struct v3d_case *c, struct state *s)
{
    struct v3d_machine *m = &s->machine;
    size_t bytes = c->program.count * sizeof(uint64_t);
    uint32_t single = c->start & V3D_START_SINGLE_SEGMENT;
    const bool observed = v3d_observes_words(m->observer); /* rules can change what words mean */
    m->breach = s->breach;
    if (!observed && s->known.count == c->program.count && s->known.generation == c->generation &&
        s->known.single == single && !memcmp(s->known.word, c->program.word, bytes))
        return;
    for (uint32_t n = 0; n < c->program.count; n++) {
        const uint64_t word = v3d_join(c->program.word + 2 * n);
        if (observed)
            v3d_decode_observed(m->observer, m->generation, word, &s->program[n]);
        else
            v3d_decode(m->generation, word, &s->program[n]);
    }
    m->breaches = v3d_check_by(observed ? m->observer : NULL, m->generation, s->program, c->program.count,
                               single, s->breach, sizeof s->breach / sizeof *s->breach);
    v3d_plan_program(m, s->plan);
    s->idle = ~v3d_named_registers(s->program, c->program.count);
    s->known.count = observed ? UINT32_MAX : c->program.count;
    s->known.generation = c->generation;
    s->known.single = single;
    memcpy(s->known.word, c->program.word, bytes);
}

static void prepare(const struct run *r, struct state *s)
{
    const struct v3d_case *c = case_of(r->tc);
    struct v3d_machine *m = &s->machine;
    m->generation = (enum v3d_generation)c->generation;
    v3d_follow(m, r->profile, r->coverage);
    m->observer = run_observer(r, &s->observer);
    m->filler = r->filler;
    m->checked = r->mode != RUN_PLAIN;
    m->limit = c->limit;
    m->program = s->program;
    m->program_count = c->program.count;
    m->code_base = r->code_base;
    m->flag_a = (uint16_t)c->flag_a;
    m->flag_b = (uint16_t)c->flag_b;
    prepare_program(c, s);
    m->idle = m->observer ? 0 : s->idle;                     /* rules can change the fields of instructions */
    for (uint64_t left = ~m->idle; left; left &= left - 1) { /* outcome_reset left the case's images there */
        uint32_t n = (uint32_t)__builtin_ctzll(left);
        memcpy(m->rf[n].value.lane, outcome_row(r->out, ROW_RF + n, V3D_LANES), sizeof m->rf[n].value.lane);
    }
    for (uint32_t n = 0; n < V3D_ACCUMULATORS; n++)
        memcpy(m->acc[n].value.lane, outcome_row(r->out, ROW_ACC + n, V3D_LANES),
               sizeof m->acc[n].value.lane);
    memset(s->uniform, 0, sizeof s->uniform);
    for (uint32_t n = 0; n < c->uniforms.count; n++)
        s->uniform[n] = c->uniforms.item[n].value + (c->uniforms.item[n].is_address ? r->memory_base : 0);
    m->unordered = m->checked && c->batches > 1;
    m->ranges = 0;
    add_range(m, (struct v3d_range){.base = r->memory_base,
                                    .bytes = V3D_MEMORY_ROWS * 64,
                                    .word = outcome_row(r->out, ROW_MEMORY, V3D_LANES),
                                    .defined = m->checked ? r->out->defined + ROW_MEMORY * V3D_LANES : NULL,
                                    .tolerance = r->out->tolerance + ROW_MEMORY * V3D_LANES,
                                    .before = s->before,
                                    .touched = r->out->touched,
                                    .first_row = ROW_MEMORY});
    add_range(m, (struct v3d_range){.base = r->code_base + UNIFORMS_AT,
                                    .bytes = sizeof s->uniform,
                                    .word = s->uniform,
                                    .read_only = true});
}

/* Copies a row of the first batch into the outcome, if the job changed it. */
static void store_row(const struct run *r, uint32_t row, const struct v3d_lanes *now)
{
    const enum v3d_generation g = (enum v3d_generation)case_of(r->tc)->generation;
    uint32_t *value = outcome_row(r->out, row, V3D_LANES), *defined = r->out->defined + row * V3D_LANES,
             *tolerance = r->out->tolerance + row * V3D_LANES;
    if (!memcmp(value, now->value.lane, sizeof now->value.lane) && !now->unsure)
        return;
    outcome_touch(r->out, row);
    for (unsigned i = 0; i < V3D_LANES; i++) {
        bool unsure = now->unsure >> i & 1;
        value[i] = now->value.lane[i];
        if (!r->out->checked)
            continue;
        defined[i] = unsure ? 0 : UINT32_MAX;
        if (unsure && (now->near >> i & 1)) {
            tolerance[i] = v3d_sfu_tolerance(g, value[i], now->absolute >> i & 1, &defined[i]);
            outcome_tolerate(r->out, row);
        }
    }
}

/* Marks the rows of memory in which the job left a tolerance. */
static void note_tolerances(struct outcome *o)
{
    for (uint32_t row = ROW_MEMORY; o->checked && row < ROWS; row++)
        for (uint32_t c = 0; outcome_touched(o, row) && c < V3D_LANES; c++)
            if (o->tolerance[row * V3D_LANES + c])
                outcome_tolerate(o, row);
}

static void store_flag(const struct run *r, uint32_t row, uint16_t flags, uint16_t unsure)
{
    struct v3d_lanes now = {.unsure = unsure};
    for (unsigned i = 0; i < V3D_LANES; i++)
        now.value.lane[i] = flags >> i & 1;
    store_row(r, row, &now);
}

static void store_state(const struct run *r, const struct v3d_thread *t)
{
    for (uint64_t left = t->wrote_rf; left; left &= left - 1) {
        unsigned n = (unsigned)__builtin_ctzll(left);
        store_row(r, ROW_RF + n, &t->rf[n]);
    }
    for (unsigned n = 0; n < V3D_ACCUMULATORS; n++)
        if (t->wrote_acc >> n & 1)
            store_row(r, ROW_ACC + n, &t->acc[n]);
    store_flag(r, ROW_FLAGS, t->alu.flag_a, t->unsure_a);
    store_flag(r, ROW_FLAGS + 1, t->alu.flag_b, t->unsure_b);
}

/* `sharing`: follows what the batches share, or NULL. */
static void run_sharing(struct run *r, struct v3d_sharing *sharing)
{
    const struct v3d_case *c = case_of(r->tc);
    struct state *s = r->state;
    struct v3d_machine *m = &s->machine;
    outcome_reset(r->out, r->tc);
    r->out->checked = r->mode != RUN_PLAIN;
    if (!c->program.count)
        return;
    prepare(r, s);
    m->sharing = m->range[0].sharing = sharing;
    s->run = r;
    m->watch = r->mode == RUN_TRACED && r->trace ? watch : NULL;
    m->watch_context = s;
    const uint32_t config[V3D_CONFIG_WORDS] = {c->workgroups[0],
                                               c->workgroups[1],
                                               c->workgroups[2],
                                               c->group,
                                               c->batches - (c->generation == V3D_42),
                                               r->code_base | (c->start & 7),
                                               r->code_base + UNIFORMS_AT};
    enum v3d_stop stop = v3d_launch(m, config);
    if (m->first)
        store_state(r, m->first);
    note_tolerances(r->out);
    r->steps = m->steps;
    r->out->reason = (uint16_t)stop;
    r->out->end = !stop                         ? END_DONE
                  : stop == V3D_FAULT_UNDEFINED ? END_UNDEFINED
                  : v3d_stop_is_hang(stop)      ? END_HANG
                                                : END_FAULT;
}

void v3d_case_breaches(const struct test_case *tc, struct text *t)
{
    struct v3d_insn program[V3D_CASE_PROGRAM_MAX];
    const struct v3d_case *c = case_of(tc);
    for (uint32_t n = 0; n < c->program.count; n++)
        v3d_decode((enum v3d_generation)c->generation, v3d_join(c->program.word + 2 * n), &program[n]);
    (void)v3d_check_text((enum v3d_generation)c->generation, program, c->program.count,
                         c->start & V3D_START_SINGLE_SEGMENT, t);
}

/* Remarks the restrictions that the program breaks. */
static void remark_breaches(const struct run *r)
{
    struct text breaches = {0};
    v3d_case_breaches(r->tc, &breaches);
    for (const char *line = text_chars(&breaches), *end; *line; line = end + (*end == '\n')) {
        struct text t = {0};
        end = line + strcspn(line, "\n");
        text_add(&t, "breaks a restriction of Mesa: %.*s", (int)(end - line), line);
        r->remark(r->remark_context, text_chars(&t));
        text_free(&t);
    }
    text_free(&breaches);
}

static void run(struct run *r)
{
    run_sharing(r, NULL);
    if (r->remark && case_of(r->tc)->program.count)
        remark_breaches(r);
}

bool v3d_case_run_shared(struct run *r)
{
    struct v3d_sharing *sharing = &((struct state *)r->state)->sharing;
    memset(sharing, 0, sizeof *sharing);
    run_sharing(r, sharing);
    return sharing->conflicts;
}

/* The model stops here because no source says what happens. */
static const bool unspecified[V3D_STOPS] = {[V3D_FAULT_RESERVED] = true,
                                            [V3D_FAULT_RESTRICTION] = true,
                                            [V3D_FAULT_SYNC] = true,
                                            [V3D_FAULT_TMU] = true,
                                            [V3D_FAULT_UNSTATED] = true};

const struct unit v3d_qpu_unit = {
    .name = "v3d-qpu",
    .family = "v3d",
    .authority = "Mesa",
    .about = "VideoCore VI and VII, compute jobs: instructions, uniforms, general TMU accesses, launch",
    .schema = {.fields = fields,
               .field_count = sizeof fields / sizeof *fields,
               .words = sizeof(struct v3d_case) / sizeof(uint32_t)},
    .layout = {.regions = regions,
               .region_count = sizeof regions / sizeof *regions,
               .rows = ROWS,
               .row_words = V3D_LANES},
    .clauses = {{v3d_clauses, V3D_ALU_CLAUSES},
                {v3d_run_clauses, V3D_CLAUSES - V3D_ALU_CLAUSES},
                {v3d_restriction_clauses, V3D_RESTRICTION_CLAUSES}},
    .profiles = profiles,
    .best_profile = V3D_PROFILE_42,
    .reasons = v3d_reasons,
    .unspecified = unspecified,
    .points = v3d_points,
    .point_count = V3D_POINTS,
    .input_notes = v3d_input_notes,
    .name_value = v3d_name_value,
    .code = &v3d_code[V3D_42],
    .state_size = sizeof(struct state),
    .run = run,
    .generate = v3d_case_generate,
    .mend = v3d_case_mend,
    .mend_for_proof = v3d_case_mend_for_proof,
    .vary = v3d_case_vary,
};
