/* SPDX-License-Identifier: MIT */
/*
 * Unit vc4-qpu: one QPU with a VPM and 16 KB of memory runs a program to its end. The case is all state
 * before the run; the outcome is all state after it.
 */
#include "model/vc4/qpu/unit_qpu.h"

#include "model/core/units.h"
#include "model/vc4/qpu/qpu.h"
#include "model/vc4/shader_output.h"
#include "model/vc4/tmu/tmu_clauses.h"

#include <stddef.h>
#include <string.h>

/* ---- the case ---- */

enum { FIELD_RA = 7, FIELD_RB, FIELD_ACC, FIELD_VARYINGS = 18, FIELD_QUADS }; /* places in `fields` */

static const uint32_t interesting_words[] = {
    0x00000000, 0x00000001, 0x0000007F, 0x00000080, 0x00007FFF, 0x00008000, 0x0000FFFF, 0x00FFFFFF,
    0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x40000000, 0x3F000000, 0x437F0000,
    0x4B000000, 0x4F000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00000100, 0x33800000, 0x3F7FFFFF,
    0x70000000, 0x90000000, 0xF0000000, 0x03FF0400, 0x7C007BFF, 0x80FF7F01,
};
enum { INTERESTING_WORDS = sizeof interesting_words / sizeof *interesting_words };

/* clang-format off */
#define AT(member)  CASE_AT(struct qpu_case, member)
#define INTERESTING .interesting = interesting_words, .interesting_count = INTERESTING_WORDS
#define IMAGE(field, member, rows, text) \
    {.name = field, .kind = FIELD_IMAGE, .offset = AT(member), .max = (rows), .row_words = VC4_LANES, \
     INTERESTING, .about = text}
#define WORD(field, member, text) \
    {.name = field, .kind = FIELD_WORD, .offset = AT(member), INTERESTING, .about = text}
#define RANGE(field, member, low, high, default_, text) \
    {.name = field, .kind = FIELD_WORD, .offset = AT(member), .min_value = (low), .max_value = (high), \
     .initial = (default_), .about = text}
#define CHOICE(field, member, count, list, default_, text) \
    {.name = field, .kind = FIELD_ENUM, .offset = AT(member), .max = (count), .names = list, \
     .initial = (default_), .about = text}

static const struct field fields[] = {
    RANGE("limit", limit, 1, QPU_CASE_LIMIT_MAX, QPU_CASE_LIMIT,
          "instructions after which a program that has not ended counts as hung"),
    RANGE("qpu-number", qpu_number, 0, 11, 0, "what QPU_NUMBER reads"),
    WORD("stale-a", stale_a,
         "what was last read through file A before the program, in all elements (nop-read-stale)"),
    WORD("stale-b", stale_b, "the same of file B"),
    WORD("stale-mul", stale_mul, "the last MUL result before the program, in all elements (mul-nop-write)"),
    {.name = "program", .kind = FIELD_CODE, .offset = AT(program), .max = QPU_CASE_PROGRAM_MAX,
     .about = "the instructions, from the first executed on"},
    {.name = "uniforms", .kind = FIELD_UNIFORMS, .offset = AT(uniforms), .max = QPU_CASE_UNIFORMS_MAX,
     INTERESTING, .about = "the uniform stream"},
    IMAGE("ra", ra, 32, "register file A"),
    IMAGE("rb", rb, 32, "register file B"),
    IMAGE("acc", acc, 6, "accumulators r0 to r5"),
    IMAGE("flags", flags, 3, "flags Z, N, C: bit 0 of each element"),
    IMAGE("vpm", vpm, VC4_VPM_ROWS, "the VPM"),
    IMAGE("memory", memory, VC4_MEMORY_ROWS, "the memory that DMA, uniforms and look-ups reach"),
    CHOICE("stage", stage, QPU_STAGES, qpu_stage_names, 0,
           "what the program is: a fragment shader reaches varyings and the tile, and starts with W in "
           "ra15, Z in rb15"),
    CHOICE("depth-test", depth_test, QPU_TESTS, qpu_test_names, QPU_ALWAYS,
           "when a written Z passes against the tile's"),
    RANGE("samples", samples, 0, 15, 15, "fragment shaders: MS_FLAGS at the start, in all elements"),
    RANGE("reversed", reversed, 0, 1, 0, "fragment shaders: REV_FLAG at the start, in all elements"),
    RANGE("varying-count", varying_count, 0, QPU_VARYINGS_MAX, 0, "varyings that can be read"),
    IMAGE("varyings", varyings, 2 * QPU_VARYINGS_MAX,
          "two rows a varying: what VARYING_READ gives, and C for r5"),
    IMAGE("quads", quads, 2, "fragment shaders: X and Y of each element's quad, in quads"),
    IMAGE("tile", tile, QPU_TILE_ROWS, "the pixels in the tile buffer"),
};
/* clang-format on */

/* ---- the outcome ---- */

enum { SYNC_HOST_INTERRUPT = 0, SYNC_MUTEX = 1 };

static const char *const acc_names[] = {"r0", "r1", "r2", "r3", "r4", "r5", NULL};
static const char *const flag_names[] = {"z", "n", "c", NULL};

/* clang-format off */
static const struct region regions[] = {
    {.name = "ra", .about = "register file A", .rows = 32, .cols = 16, .bits = 32,
     .drawing = DRAW_LANES, .first_row = QPU_ROW_RA, .image = "ra"},
    {.name = "rb", .about = "register file B", .rows = 32, .cols = 16, .bits = 32,
     .drawing = DRAW_LANES, .first_row = QPU_ROW_RB, .image = "rb"},
    {.name = "acc", .about = "accumulators", .rows = 6, .cols = 16, .bits = 32,
     .drawing = DRAW_LANES, .first_row = QPU_ROW_ACC, .image = "acc", .row_names = acc_names},
    {.name = "flags", .about = "flags of each element", .rows = 3, .cols = 16, .bits = 1,
     .drawing = DRAW_BITS, .first_row = QPU_ROW_FLAGS, .image = "flags", .row_names = flag_names},
    {.name = "semaphores", .about = "the sixteen counters", .rows = 1, .cols = 16, .bits = 4,
     .drawing = DRAW_BITS, .first_row = QPU_ROW_SEMAPHORES},
    {.name = "sync", .about = "host interrupt raised, mutex held", .rows = 1, .cols = 2, .bits = 1,
     .drawing = DRAW_BITS, .first_row = QPU_ROW_SYNC},
    {.name = "vpm", .about = "the VPM", .rows = VC4_VPM_ROWS, .cols = 16, .bits = 32,
     .drawing = DRAW_GRID, .first_row = QPU_ROW_VPM, .image = "vpm"},
    {.name = "memory", .about = "memory", .rows = VC4_MEMORY_ROWS, .cols = 16, .bits = 32,
     .drawing = DRAW_STRIP, .first_row = QPU_ROW_MEMORY, .image = "memory"},
    {.name = "tile", .about = "the pixels in the tile buffer", .rows = QPU_TILE_ROWS, .cols = 16, .bits = 32,
     .drawing = DRAW_LANES, .first_row = QPU_ROW_TILE, .image = "tile", .row_names = qpu_tile_row_names},
};
/* clang-format on */

/* ---- running ---- */

struct qpu_state {
    struct vc4_env env;
    struct observer observer, vpm_observer, tmu_observer;
    struct vpm vpm;
    struct qpu_shared shared;
    uint32_t uniform[QPU_CASE_UNIFORMS_MAX];
    struct run *run;                      /* of a traced run */
    struct vc4_vector snapshot[QPU_ROWS]; /* before the step that is traced */
    struct vc4_vector first_flags[3];     /* flags before the first instruction */
    struct qpu_graphics graphics;
    struct vc4_vector varying[2 * QPU_VARYINGS_MAX], varying_defined[2 * QPU_VARYINGS_MAX];
    struct qpu qpu;
};

static struct vc4_rows rows_of(struct outcome *o, uint32_t first, uint32_t count, bool checked)
{
    return (struct vc4_rows){
        .value = (struct vc4_vector *)(void *)(o->value + first * VC4_LANES),
        .defined = checked ? (struct vc4_vector *)(void *)(o->defined + first * VC4_LANES) : NULL,
        .tolerance = checked ? (struct vc4_vector *)(void *)(o->tolerance + first * VC4_LANES) : NULL,
        .touched = o->touched,
        .first = first,
        .rows = count,
    };
}

static void load_flags(struct qpu *q, const struct vc4_rows *r)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        q->flags.z.lane[i] = 0 - (r->value[0].lane[i] & 1);
        q->flags.n.lane[i] = 0 - (r->value[1].lane[i] & 1);
        q->flags.c.lane[i] = 0 - (r->value[2].lane[i] & 1);
    }
}

/* Passes the flags before the first instruction. */
static void observe_flags(struct qpu *q)
{
    struct vc4_vector *const flags[] = {&q->flags.z, &q->flags.n, &q->flags.c};
    struct vc4_vector bits[3];
    for (unsigned f = 0; f < 3; f++)
        for (unsigned i = 0; i < VC4_LANES; i++)
            bits[f].lane[i] = flags[f]->lane[i] & 1;
    for (uint32_t f = 0; f < 3; f++)
        qpu_observe_masks(q, QPU_POINT_START_FLAG, flags[f], QPU_VECTORS(&bits[0], &bits[1], &bits[2]), &f);
}

static void store_flags(const struct qpu *q, const struct vc4_rows *r)
{
    for (unsigned f = 0; f < 3; f++) {
        for (unsigned i = 0; i < VC4_LANES; i++)
            r->value[f].lane[i] = alu_flag(&q->flags, f)->lane[i] & 1;
        if (r->defined)
            r->defined[f] = *alu_flag(&q->flags_defined, f);
    }
}

/* Copies flags, semaphores and other state from `q` to rows of the outcome, if the program changed it. */
static void store_state(const struct qpu *q, struct outcome *o, bool checked)
{
    struct vc4_rows flags = rows_of(o, QPU_ROW_FLAGS, 3, checked),
                    semaphores = rows_of(o, QPU_ROW_SEMAPHORES, 1, checked);
    struct vc4_rows sync = rows_of(o, QPU_ROW_SYNC, 1, checked);
    if (q->flags_touched) {
        store_flags(q, &flags);
        for (unsigned f = 0; f < 3; f++)
            vc4_touch(&flags, f);
    }
    if (q->semaphores_touched) {
        for (unsigned i = 0; i < QPU_SEMAPHORES; i++)
            semaphores.value->lane[i] = q->shared->semaphore[i];
        vc4_touch(&semaphores, 0);
    }
    if (q->interrupt_touched || q->mutex_touched) {
        sync.value->lane[SYNC_HOST_INTERRUPT] = q->shared->host_interrupt;
        sync.value->lane[SYNC_MUTEX] = q->shared->mutex_held;
        if (checked)
            sync.defined->lane[SYNC_HOST_INTERRUPT] = 0 - q->shared->host_interrupt_defined;
        vc4_touch(&sync, 0);
    }
}

static void print_change(struct text *t, const struct region *g, uint32_t row, const struct vc4_vector *v,
                         const struct vc4_vector *defined)
{
    uint32_t number = row - g->first_row;
    if (g->row_names)
        text_add(t, "; %s =", g->row_names[number]);
    else
        text_add(t, "; %s%u =", g->name, number);
    vector_print(v, defined, g->cols, g->bits, t);
}

/* Traces one line for each step: address, instruction, what it changed. */
static void watch(void *context, struct qpu *q, const struct qpu_step *s, bool after)
{
    struct qpu_state *st = context;
    struct outcome *o = st->run->out;
    const struct vc4_vector *now = (const struct vc4_vector *)(const void *)o->value;
    const struct vc4_vector *defined = (const struct vc4_vector *)(const void *)o->defined;
    store_state(q, o, true);
    if (!after) {
        memcpy(st->snapshot, now, sizeof st->snapshot);
        return;
    }
    const struct qpu_case *c = (const void *)st->run->tc->words;
    uint32_t address = qpu_address(q, s), index = (address - q->code_base) / 8;
    struct text t = {0};
    text_add(&t, "%08x  ", address);
    if (index < c->program.count)
        qpu_print(qpu_join(c->program.word + 2 * index), &t);
    else
        text_add(&t, "(behind the program)");
    for (unsigned g = 0; g < sizeof regions / sizeof *regions; g++)
        for (uint32_t row = regions[g].first_row; row < (uint32_t)regions[g].first_row + regions[g].rows;
             row++)
            if (memcmp(&now[row], &st->snapshot[row], sizeof *now) != 0)
                print_change(&t, &regions[g], row, &now[row], &defined[row]);
    qpu_print_arrivals(q, &t);
    if (q->stop)
        text_add(&t, "; %s", vc4_reasons[q->stop]);
    st->run->trace(st->run->trace_context, text_chars(&t));
    text_free(&t);
}

static void prepare_graphics(struct run *r, struct qpu_state *st, bool checked)
{
    const struct qpu_case *c = (const void *)r->tc->words;
    struct qpu_graphics *g = &st->graphics;
    qpu_graphics_reset(g, &st->env);
    g->stage = (enum qpu_stage)c->stage;
    g->depth_test = (enum qpu_test)c->depth_test;
    g->varying_count = c->varying_count;
    g->tile = rows_of(r->out, QPU_ROW_TILE, QPU_TILE_ROWS, checked);
    g->varyings =
        (struct vc4_rows){.value = st->varying, .defined = st->varying_defined, .rows = 2 * c->varying_count};
    for (uint32_t i = 0; i < 2 * c->varying_count; i++) {
        image_row(r->tc, &fields[FIELD_VARYINGS], i, st->varying[i].lane);
        vector_splat(&st->varying_defined[i], UINT32_MAX);
    }
}

/* Sets the initial registers of a fragment shader (p51 T29). W and Z are the case's ra15 and rb15. */
static void enter_fragment(struct run *r, struct qpu *q)
{
    const struct qpu_case *c = (const void *)r->tc->words;
    q->pixels_written = true;
    vector_splat(&q->ms_flags.value, QPU_OBSERVE(q, START_SAMPLES, c->samples, c->reversed));
    vector_splat(&q->rev_flag.value, QPU_OBSERVE(q, START_REVERSED, c->reversed, c->samples));
    q->ms_flags.defined = q->rev_flag.defined = q->quad[0].defined = q->quad[1].defined = q->all;
    for (uint32_t f = 0; f < 2; f++) {
        image_row(r->tc, &fields[FIELD_QUADS], f, q->quad[f].value.lane);
        QPU_OBSERVE_VECTOR(q, START_QUAD, &q->quad[f].value, NULL, f);
    }
}

/* Sets `part` to the observer of a part of the machine whose `count` points begin at `first`. Returns NULL if
 * the observer wants none of them, because a part without an observer is faster. */
static const struct observer *observer_of(const struct observer *o, unsigned first, unsigned count,
                                          struct observer *part)
{
    if (!o)
        return NULL;
    *part = *o;
    return observer_set_part(part, first, count) ? part : NULL;
}

static void prepare(struct run *r, struct qpu_state *st, bool checked)
{
    const struct qpu_case *c = (const void *)r->tc->words;
    const struct observer *o = run_observer(r, &st->observer);
    st->env = (struct vc4_env){
        .profile = r->profile,
        .coverage = r->coverage,
        .checked = checked,
        .fidelity = checked && r->count_fidelity,
        .filler = r->filler,
        .memory_base = r->memory_base,
        .memory = rows_of(r->out, QPU_ROW_MEMORY, VC4_MEMORY_ROWS, checked),
        .observer = observer_of(o, QPU_POINTS_OF_VPM, VPM_POINT_COUNT, &st->vpm_observer),
        .tmu_observer = observer_of(o, QPU_POINTS_OF_TMU, TMU_POINT_COUNT, &st->tmu_observer),
    };
    vpm_reset(&st->vpm, &st->env, rows_of(r->out, QPU_ROW_VPM, VC4_VPM_ROWS, checked));
    memset(&st->shared, 0, sizeof st->shared);
    st->shared.host_interrupt_defined = 1;
    for (uint32_t i = 0; i < c->uniforms.count; i++)
        st->uniform[i] = c->uniforms.item[i].value + (c->uniforms.item[i].is_address ? r->memory_base : 0);
    prepare_graphics(r, st, checked);
    struct qpu_setup setup = {
        .env = &st->env,
        .vpm = &st->vpm,
        .shared = &st->shared,
        .graphics = &st->graphics,
        .ra = rows_of(r->out, QPU_ROW_RA, 32, checked),
        .rb = rows_of(r->out, QPU_ROW_RB, 32, checked),
        .acc = rows_of(r->out, QPU_ROW_ACC, 6, checked),
        .program = c->program.word,
        .count = c->program.count,
        .code_base = r->code_base,
        .uniforms = {.list = st->uniform, .count = c->uniforms.count},
        .number = c->qpu_number,
        .stale = {c->stale_a, c->stale_b},
        .stale_mul = c->stale_mul,
        .limit = c->limit,
        .observer = o,
    };
    qpu_prepare(&st->qpu, &setup);
    struct vc4_rows flags = rows_of(r->out, QPU_ROW_FLAGS, 3, false);
    load_flags(&st->qpu, &flags);
    if (st->qpu.observer) {
        memcpy(st->first_flags, flags.value, sizeof st->first_flags);
        observe_flags(&st->qpu);
    }
    if (c->stage == QPU_STAGE_FRAGMENT)
        enter_fragment(r, &st->qpu);
}

/* Marks the rows of registers whose final value may have a tolerance. */
static void note_tolerances(const struct qpu *q, struct outcome *o)
{
    for (uint32_t row = 0; q->tolerant && row < 32; row++) {
        if (q->tolerant >> row & 1)
            outcome_tolerate(o, QPU_ROW_RA + row);
        if (q->tolerant >> 32 >> row & 1)
            outcome_tolerate(o, QPU_ROW_RB + row);
    }
    for (uint32_t left = q->tolerant_acc; left; left &= left - 1)
        outcome_tolerate(o, QPU_ROW_ACC + (uint32_t)__builtin_ctz(left));
}

/* ---- rules about what is left after the program ---- */

/* Passes the flags of the outcome. */
static void observe_end_flags(struct qpu_state *st, const struct vc4_rows *rows, uint32_t stop)
{
    const struct qpu *q = &st->qpu;
    struct vc4_vector bits[3], before;
    for (unsigned f = 0; f < 3; f++)
        bits[f] = rows->value[f];
    for (uint32_t f = 0; f < 3; f++) {
        for (unsigned i = 0; i < VC4_LANES; i++)
            before.lane[i] = st->first_flags[f].lane[i] & 1;
        QPU_OBSERVE_VECTOR(q, END_FLAG, &rows->value[f], QPU_VECTORS(&bits[0], &bits[1], &bits[2], &before),
                           f, stop, q->before->flags_from != QPU_FLAGS_KEEP);
    }
}

/* VC4_FAULT_UNDEFINED means that the model cannot continue, so nothing is known of what is left. */
static void observe_end(const struct run *r, struct qpu_state *st, enum vc4_stop stop)
{
    const struct qpu *q = &st->qpu;
    const struct vc4_rows flags = rows_of(r->out, QPU_ROW_FLAGS, 3, false),
                          semaphores = rows_of(r->out, QPU_ROW_SEMAPHORES, 1, false),
                          sync = rows_of(r->out, QPU_ROW_SYNC, 1, false);
    uint32_t *const word = sync.value->lane;
    if (stop == VC4_FAULT_UNDEFINED)
        return;
    if (q->flags_touched)
        observe_end_flags(st, &flags, stop);
    if (q->semaphores_touched)
        QPU_OBSERVE_VECTOR(q, END_SEMAPHORE, semaphores.value, NULL, stop);
    if (q->interrupt_touched || q->mutex_touched) {
        const uint32_t interrupt = word[SYNC_HOST_INTERRUPT], mutex = word[SYNC_MUTEX];
        word[SYNC_HOST_INTERRUPT] = QPU_OBSERVE(q, END_INTERRUPT, interrupt, mutex, stop);
        word[SYNC_MUTEX] = QPU_OBSERVE(q, END_MUTEX, mutex, interrupt, stop);
    }
}

static void run(struct run *r)
{
    struct qpu_state *st = r->state;
    bool checked = r->mode != RUN_PLAIN;
    outcome_reset(r->out, r->tc);
    r->out->checked = checked;
    prepare(r, st, checked);
    if (r->mode == RUN_TRACED && r->trace) {
        st->run = r;
        st->qpu.watch = watch;
        st->qpu.watch_context = st;
    }
    enum vc4_stop stop = qpu_run(&st->qpu);
    store_state(&st->qpu, r->out, checked);
    if (st->qpu.observer)
        observe_end(r, st, stop);
    note_tolerances(&st->qpu, r->out);
    r->steps = st->qpu.now;
    r->fidelity = st->qpu.fidelity;
    r->out->reason = (uint16_t)stop;
    r->out->end = (enum end)vc4_ends[stop];
}

/* ---- the output of coordinate and vertex shaders in the VPM ---- */

static enum qpu_stage stage_of(const struct test_case *tc)
{
    return (enum qpu_stage)((const struct qpu_case *)(const void *)tc->words)->stage;
}

static const char *describe_row(const struct test_case *tc, const struct region *g, uint32_t row)
{
    enum qpu_stage stage = stage_of(tc);
    return g->first_row == QPU_ROW_VPM ? shader_row_name(stage, stage == QPU_STAGE_COORDINATE, row) : NULL;
}

static void describe(const struct test_case *tc, const struct outcome *o, struct text *t)
{
    enum qpu_stage stage = stage_of(tc);
    uint64_t written = 0;
    if (stage != QPU_STAGE_COORDINATE && stage != QPU_STAGE_VERTEX)
        return;
    for (uint32_t row = 0; row < SHADER_WORDS_MAX; row++)
        written |= (uint64_t)outcome_touched(o, QPU_ROW_VPM + row) << row;
    if (!written || o->end != END_DONE)
        return;
    struct vc4_rows vpm = {.value =
                               (struct vc4_vector *)(void *)(uintptr_t)(o->value + QPU_ROW_VPM * VC4_LANES),
                           .rows = VC4_VPM_ROWS};
    struct text why = {0};
    bool good = shader_check(stage, &vpm, written, &why);
    text_add(t, "for the %s: %s\n%s", stage == QPU_STAGE_COORDINATE ? "binner (PTB)" : "setup engine (PSE)",
             good ? "vertices in its form" : "not in its form", text_chars(&why));
    shader_print(stage, &vpm, written, t);
    text_free(&why);
}

/* ---- the instructions' text ---- */

static void print(const uint32_t *words, struct text *t)
{
    qpu_print(qpu_join(words), t);
}

static bool parse(const char *chars, size_t count, uint32_t *words, struct error *e)
{
    uint64_t word;
    if (!qpu_parse(chars, count, &word, e))
        return false;
    qpu_split(word, words);
    return true;
}

static const struct bit_field *bits(const uint32_t *words)
{
    return qpu_bit_fields(qpu_join(words));
}

static const uint32_t nop[2] = {(uint32_t)QPU_NOP_WORD, (uint32_t)(QPU_NOP_WORD >> 32)};

/* Gives the simplest instruction with the same signal: for small immediates an operand 0, for load immediates
 * an immediate 0, for branches a branch to 0 that writes nothing; for other signals the nop. */
static void simplest(const uint32_t *words, uint32_t *to)
{
    static const uint32_t of_signal[16][2] = {
        [QPU_SIG_SMALL_IMMEDIATE] = {0x009C0000, 0xD00009E7},
        [QPU_SIG_LOAD_IMMEDIATE] = {0x00000000, 0xE00009E7},
        [QPU_SIG_BRANCH] = {0x00000000, 0xF0F009E7},
    };
    unsigned sig = words[1] >> 28;
    memcpy(to, of_signal[sig][1] ? of_signal[sig] : nop, sizeof nop);
}

static const struct code code = {
    .words = 2,
    .print = print,
    .parse = parse,
    .syntax = qpu_syntax,
    .names = qpu_syntax_names,
    .generate = qpu_generate_word,
    .mutate = qpu_mutate_word,
    .bits = bits,
    .nop = nop,
    .simplest = simplest,
};

static const struct builtin_profile profiles[] = {
    [VC4_PROFILE_MANUAL] = {.name = "manual", .about = "the literal text of VideoCoreIV-AG100-R"},
    [VC4_PROFILE_BCM2835] = {.name = "bcm2835",
                             .about = "best known behaviour of the chips of Raspberry Pi 0 to 3",
                             .silicon = "BCM2835"},
    {0},
};

const struct unit vc4_qpu_unit = {
    .name = "vc4-qpu",
    .family = "vc4",
    .about = "VideoCore IV shader processor: instructions, registers, VPM and DMA access, look-ups, "
             "varyings, tile",
    .schema = {.fields = fields,
               .field_count = sizeof fields / sizeof *fields,
               .words = sizeof(struct qpu_case) / sizeof(uint32_t)},
    .layout = {.regions = regions,
               .region_count = sizeof regions / sizeof *regions,
               .rows = QPU_ROWS,
               .row_words = VC4_LANES},
    .clauses = {{vpm_clauses, VPM_CLAUSE_COUNT},
                {alu_clauses, ALU_CLAUSES},
                {qpu_clauses, QPU_CLAUSE_END - QPU_CLAUSE_FIRST},
                {tmu_clauses, TMU_CLAUSE_COUNT}},
    .profiles = profiles,
    .best_profile = VC4_PROFILE_BCM2835,
    .reasons = vc4_reasons,
    .unspecified = vc4_unspecified,
    .points = qpu_points,
    .input_notes = qpu_input_notes,
    .name_value = qpu_name_value,
    .point_count = QPU_POINTS_ALL,
    .code = &code,
    .state_size = sizeof(struct qpu_state),
    .run = run,
    .describe_row = describe_row,
    .describe = describe,
    .generate = qpu_generate_case,
    .vary = qpu_vary_case,
    .mend = qpu_mend_case,
    .mend_for_proof = qpu_mend_case_for_proof,
};
