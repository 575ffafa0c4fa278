/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/qpu_graphics.h"

#include <string.h>

const char *const qpu_stage_names[QPU_STAGES + 1] = {"user", "coordinate", "vertex", "fragment", NULL};
const char *const qpu_tile_row_names[QPU_TILE_ROWS + 1] = {"colour-0",   "colour-1", "colour-2",
                                                           "colour-3",   "z",        "stencil",
                                                           "alpha-mask", "coverage", NULL};
const char *const qpu_test_names[QPU_TESTS + 1] = {"never",         "less",    "equal",
                                                   "less-equal",    "greater", "not-equal",
                                                   "greater-equal", "always",  NULL};

enum { Z_MASK = 0xFFFFFF };

void qpu_graphics_reset(struct qpu_graphics *g, const struct vc4_env *env)
{
    g->stage = QPU_STAGE_USER;
    g->depth_test = QPU_ALWAYS;
    g->varying_count = g->varying_next = g->sample_written = g->sample_read = 0;
    g->stencil[0] = g->stencil[1] = 0;
    g->stencil_mask[0] = g->stencil_mask[1] = 0xFF;
    g->stencil_set = g->waited_early = g->no_swap = g->no_swap_before = false;
    g->uniform_read = g->z_written = g->no_swap_written = 0;
    for (unsigned i = 0; i < 2; i++)
        tmu_reset(&g->tmu[i], env, QPU_CLAUSE_END);
}

/* Makes elements undefined if their condition failed or is undefined. */
static void undefine_lanes(const struct qpu *q, struct qpu_result *r)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        if (r->lanes.lane[i] && r->lanes_defined.lane[i])
            continue;
        r->value.lane[i] = q->env->filler;
        r->defined.lane[i] = 0;
    }
}

/* Passes the number of instructions until r4 or r5 has a word, and returns the step at which it arrives. */
static uint64_t arrival_of(const struct qpu *q, bool varying)
{
    return q->now + QPU_OBSERVE(q, ARRIVAL_LATENCY, 1, varying, q->before->insn.sig);
}

/* ---- values that arrive in r4 and r5 for the next instruction (p19, p51) ---- */

static void deliver(struct qpu *q, unsigned accumulator, const struct qpu_value *v)
{
    q->acc.value[accumulator] = v->value;
    if (q->env->checked)
        q->acc.defined[accumulator] = v->defined;
    qpu_forget_tolerance(q, &q->acc, accumulator);
    vc4_touch(&q->acc, accumulator);
}

static void deliver_r4(struct qpu *q)
{
    deliver(q, 4, &q->arriving_r4);
    qpu_tolerate_r4(q, &q->arriving_tolerance, &q->all);
    q->r4_due = UINT64_MAX;
}

static void deliver_r5(struct qpu *q)
{
    if (qpu_has_r5(q, qpu_consult(q, QPU_ACCUMULATOR_COUNT), QPU_R5_VARYING, 0))
        deliver(q, 5, &q->arriving_r5);
    q->r5_due = UINT64_MAX;
}

void qpu_deliver_arrivals(struct qpu *q, uint64_t now)
{
    if (q->r4_due <= now)
        deliver_r4(q);
    if (q->r5_due <= now)
        deliver_r5(q);
}

/* Delivers a word that a rule has delayed, because a new one follows it to r4. */
static void make_room_for_r4(struct qpu *q)
{
    if (q->r4_due != UINT64_MAX)
        deliver_r4(q);
}

/* Does the same for r5. Both files may read a varying in one instruction: then the second one counts. */
static void make_room_for_r5(struct qpu *q)
{
    if (q->r5_due != UINT64_MAX && q->r5_read != q->now)
        deliver_r5(q);
}

static void arrive_r4(struct qpu *q, const struct vc4_vector *tolerance)
{
    q->arriving_tolerance = *tolerance;
    if (qpu_meet_sfu(q)) {
        q->arriving_r4 = q->undefined;
        q->arriving_tolerance = q->zero;
    }
    QPU_OBSERVE_VECTOR(q, R4_VALUE, &q->arriving_r4.value, NULL, false, q->before->insn.sig);
    q->r4_due = arrival_of(q, false);
    qpu_check_events(q);
}

static void print_arrival(const char *what, const struct qpu_value *v, struct text *t)
{
    text_add(t, "; %s =", what);
    vector_print(&v->value, &v->defined, VC4_LANES, 32, t);
}

void qpu_print_arrivals(const struct qpu *q, struct text *t)
{
    if (q->r4_due <= q->now)
        print_arrival("r4", &q->arriving_r4, t);
    if (q->r5_due <= q->now)
        print_arrival("r5", &q->arriving_r5, t);
    /* no SFU result of the last step; `now` already counts the next step */
    if (q->sfu_due != q->now + 2)
        return;
    struct qpu_value v = {.value = q->acc.value[4], .defined = q->acc.defined[4]};
    vector_select(&v.value, &q->sfu.value, &q->sfu.lanes);
    vector_select(&v.defined, &q->sfu.defined, &q->sfu.lanes);
    print_arrival("r4 from the third instruction on", &v, t);
}

/* ---- TMUs (p39-45) ---- */

static bool has_graphics(struct qpu *q)
{
    if (!q->graphics)
        qpu_halt(q, VC4_FAULT_UNSUPPORTED);
    return q->graphics;
}

/* QPUs 2 and 3 of a slice use the other TMU than the one they name, unless TMU_NOSWAP is set (p40). */
static struct tmu *tmu_of(struct qpu *q, unsigned named, bool no_swap, unsigned address)
{
    bool swaps = q->number.value.lane[0] & 2 && !no_swap;
    return &q->graphics->tmu[QPU_OBSERVE(q, TMU_NUMBER, named ^ swaps, named, no_swap,
                                         q->number.value.lane[0], q->before->insn.sig, address)];
}

/* Returns the TMU_NOSWAP that a write of a TMU register uses. A write of TMU_NOSWAP takes effect after three
 * instructions (p37; clause tmu-noswap-delay). */
static bool no_swap_of_write(struct qpu *q)
{
    const struct qpu_graphics *g = q->graphics;
    if (!g->no_swap_written || q->now >= g->no_swap_written + 2 || !(q->number.value.lane[0] & 2))
        return g->no_swap;
    unsigned reading = qpu_consult(q, QPU_TMU_NOSWAP_DELAY);
    if (reading == READING_MANUAL && q->env->checked)
        qpu_halt(q, VC4_FAULT_UNDEFINED);
    return reading == TMU_NOSWAP_OLD ? g->no_swap_before : g->no_swap;
}

void qpu_load_tmu(struct qpu *q, unsigned tmu)
{
    if (!has_graphics(q))
        return;
    struct tmu *t = tmu_of(q, tmu, q->graphics->no_swap, 0);
    make_room_for_r4(q);
    enum vc4_stop stop = tmu_load(t, &q->arriving_r4.value, q->env->checked ? &q->arriving_r4.defined : NULL);
    if (stop)
        qpu_halt(q, stop);
    else
        arrive_r4(q, q->env->checked ? tmu_loaded_tolerance(t) : &q->zero);
}

/* Checks element 0, which decides this write. If its condition or its value is undefined, stops the QPU and
 * returns false. */
static bool element_0_defined(struct qpu *q, const struct qpu_result *r)
{
    bool defined = r->lanes_defined.lane[0] && (!r->lanes.lane[0] || r->defined.lane[0] == UINT32_MAX);
    qpu_halt_if(q, defined ? VC4_GO : VC4_FAULT_UNDEFINED);
    return defined;
}

/* Writes TMU_NOSWAP from element 0 (p45 T21; clause tmu-noswap-value). */
void qpu_write_noswap(struct qpu *q, unsigned file, const struct qpu_result *r)
{
    if (!q->graphics)
        return;
    if (!element_0_defined(q, r))
        return;
    bool bit_0 = qpu_consult(q, QPU_TMU_NOSWAP_VALUE) == READING_MANUAL;
    uint32_t word, unused;
    q->graphics->no_swap_before = q->graphics->no_swap;
    q->graphics->no_swap_written = q->now + 1;
    if (qpu_first_word(q, file, QPU_W_TMU_NOSWAP, r, &word, &unused))
        q->graphics->no_swap =
            QPU_OBSERVE(q, TMU_NO_SWAP, bit_0 ? word & 1 : word != 0, word, q->graphics->no_swap_before);
}

/* Takes the uniform that the TMU needs with a register write. The same instruction must not read a uniform
 * (p23; clause tmu-uniform-share). */
static bool take_parameter(struct qpu *q, uint32_t *word, uint32_t *defined)
{
    if (q->graphics->uniform_read != q->now + 1)
        return qpu_take_uniform(q, true, word, defined);
    unsigned reading = qpu_consult(q, QPU_TMU_UNIFORM_SHARE);
    if (reading == TMU_UNIFORM_SHARE_SAME) {
        *word = q->graphics->uniform_word;
        *defined = q->graphics->uniform_defined;
        return true;
    }
    if (!qpu_take_uniform(q, true, word, defined))
        return false;
    if (reading == READING_MANUAL) {
        *word = q->env->filler;
        *defined = 0;
    }
    return true;
}

void qpu_write_tmu(struct qpu *q, unsigned address, struct qpu_result *r)
{
    if (!has_graphics(q))
        return;
    uint32_t any = 0, all = UINT32_MAX, perhaps = 0;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t known = r->lanes_defined.lane[i];
        any |= r->lanes.lane[i] & known;
        all &= r->lanes.lane[i] & known;
        perhaps |= ~known;
    }
    unsigned reading = all ? COND_WRITE_UNCONDITIONAL : qpu_consult(q, QPU_COND_WRITE_PERIPHERAL);
    /* no element is written for sure: nothing happens, or it is undefined whether the write happens */
    bool done = any || reading != READING_MANUAL;
    if (!done && perhaps) {
        qpu_halt(q, VC4_FAULT_UNDEFINED);
        return;
    }
    if (!QPU_OBSERVE(q, TMU_WRITE_DONE, done, vector_bits(&r->lanes), address))
        return;
    if (done && reading != COND_WRITE_UNCONDITIONAL)
        undefine_lanes(q, r);
    struct tmu *t = tmu_of(q, address >= QPU_W_TMU1_S, no_swap_of_write(q), address);
    if (q->stop)
        return;
    enum tmu_register reg = (enum tmu_register)QPU_OBSERVE(q, TMU_REGISTER, address % TMU_REGISTERS, address);
    uint32_t word = 0, defined = UINT32_MAX;
    if (tmu_takes_uniform(t, reg) && !take_parameter(q, &word, &defined))
        return;
    if (!QPU_OBSERVE(q, TMU_TAKES, 1, (uint32_t)reg, address, (uint32_t)(t - q->graphics->tmu)))
        return;
    qpu_halt_if(q, tmu_write(t, reg, &r->value, q->env->checked ? &r->defined : NULL, word, defined));
}

/* ---- varyings (p51) ---- */

/* Reads a varying. Returns the part that A and B give; C arrives in r5 for the next instruction. A read after
 * the last varying waits (clause varying-excess). */
void qpu_read_varying(struct qpu *q, struct qpu_value *out)
{
    if (!has_graphics(q))
        return;
    struct qpu_graphics *g = q->graphics;
    qpu_consult(q, QPU_ACCUMULATOR_COUNT);
    make_room_for_r5(q);
    *out = q->undefined;
    uint32_t count = g->varying_count, number = QPU_OBSERVE(q, VARYING_NUMBER, g->varying_next, count);
    if (number >= count) {
        bool waits = qpu_consult(q, QPU_VARYING_EXCESS) == READING_MANUAL;
        if (QPU_OBSERVE(q, VARYING_WAITS, waits, number, count))
            qpu_halt(q, VC4_HANG_VARYING);
        q->arriving_r5 = q->undefined;
    } else {
        uint32_t row = 2 * number;
        g->varying_next += QPU_OBSERVE(q, VARYING_STEP, 1, number, count);
        out->value = g->varyings.value[row];
        q->arriving_r5.value = g->varyings.value[row + 1];
        if (q->env->checked) {
            out->defined = g->varyings.defined[row];
            q->arriving_r5.defined = g->varyings.defined[row + 1];
        }
    }
    if (q->stop)
        return;
    QPU_OBSERVE_VECTOR(q, VARYING_VALUE, &out->value, QPU_VECTORS(&q->arriving_r5.value), number, count);
    QPU_OBSERVE_VECTOR(q, VARYING_C, &q->arriving_r5.value, QPU_VECTORS(&out->value), number, count);
    q->r5_read = q->now;
    q->r5_due = arrival_of(q, true);
    qpu_check_events(q);
}

/* ---- the tile buffer (p46-50) ---- */

/* May the program use the tile buffer? No document says what happens if a program other than a fragment
 * shader uses it (clause tlb-outside-fragment). */
static bool reaches_tile(struct qpu *q, bool write)
{
    if (!has_graphics(q))
        return false;
    enum qpu_stage stage = q->graphics->stage;
    if (QPU_OBSERVE(q, TILE_REACHED, stage == QPU_STAGE_FRAGMENT, (uint32_t)stage, write))
        return true;
    qpu_halt(q, qpu_consult(q, QPU_TLB_OUTSIDE_FRAGMENT) == TLB_OUTSIDE_WAITS ? VC4_HANG_SCOREBOARD
                                                                              : VC4_FAULT_RESERVED);
    return false;
}

/*
 * Returns the reading for a tile buffer access. A program must not wait for the scoreboard in its first two
 * instructions, neither by a signal nor by its first access (p37, p108; clause hw-2796). If a signal was
 * there, the QPU did not wait, so the clause also applies to later accesses.
 */
static unsigned too_early(struct qpu *q)
{
    if (q->now >= 2 && !q->graphics->waited_early)
        return HW_2796_WORKS;
    return qpu_consult(q, QPU_HW_2796);
}

void qpu_wait_scoreboard(struct qpu *q)
{
    if (q->graphics && q->now < 2)
        q->graphics->waited_early = true;
}

void qpu_load_tile(struct qpu *q, unsigned signal)
{
    if (!reaches_tile(q, false))
        return;
    struct qpu_graphics *g = q->graphics;
    unsigned row = signal == QPU_SIG_ALPHA_LOAD ? QPU_TILE_ALPHA_MASK : QPU_TILE_COVERAGE;
    unsigned sample = 0;
    if (signal == QPU_SIG_COLOUR_LOAD) {
        const uint32_t count = g->sample_read++;
        sample = QPU_OBSERVE(q, TILE_SAMPLE, count % QPU_SAMPLES, false, q->before->insn.sig, count & 0xFF);
        row = QPU_TILE_COLOUR + sample;
    }
    row = QPU_OBSERVE(q, TILE_ROW, row, q->before->insn.sig, sample);
    make_room_for_r4(q);
    q->arriving_r4.value = g->tile.value[row];
    if (q->env->checked)
        q->arriving_r4.defined = g->tile.defined[row];
    if (too_early(q) == READING_MANUAL)
        q->arriving_r4 = q->undefined;
    arrive_r4(q, &q->zero);
}

/* Writes one element's word to a row of the tile. If `sure` is false, it is undefined whether the write
 * happens, so the word becomes undefined. */
static void put(struct qpu *q, unsigned row, unsigned lane, uint32_t word, uint32_t defined, bool sure)
{
    struct vc4_rows *t = &q->graphics->tile;
    t->value[row].lane[lane] = word;
    if (q->env->checked)
        t->defined[row].lane[lane] = sure ? defined : 0;
    vc4_touch(t, row);
}

/* Returns the samples of a pixel that a write changes: those in MS_FLAGS, if the element's condition holds
 * (p47). */
static uint32_t samples(const struct qpu *q, const struct qpu_result *r, unsigned lane, bool *sure)
{
    uint32_t undefined = q->env->checked ? ~q->ms_flags.defined.lane[lane] & 15 : 0;
    *sure = r->lanes_defined.lane[lane] && !undefined;
    bool perhaps = r->lanes.lane[lane] || !r->lanes_defined.lane[lane];
    return perhaps ? (q->ms_flags.value.lane[lane] | undefined) & 15 : 0;
}

static void write_colour(struct qpu *q, const struct qpu_result *r, uint32_t which)
{
    struct vc4_vector reached, flags, enabled;
    bool sure[VC4_LANES];
    for (unsigned i = 0; i < VC4_LANES; i++) {
        enabled.lane[i] = r->lanes.lane[i] & 1;
        reached.lane[i] = samples(q, r, i, &sure[i]) & which;
        flags.lane[i] = q->ms_flags.value.lane[i] & 15;
    }
    QPU_OBSERVE_VECTOR(q, TILE_SAMPLES, &reached, QPU_VECTORS(&r->value, &flags, &enabled), which,
                       vector_bits(&r->lanes));
    for (unsigned i = 0; i < VC4_LANES; i++)
        for (unsigned s = 0; s < QPU_SAMPLES; s++)
            if (reached.lane[i] >> s & 1)
                put(q, QPU_TILE_COLOUR + s, i, r->value.lane[i], r->defined.lane[i], sure[i]);
}

static bool passes(unsigned function, uint32_t a, uint32_t b)
{
    const bool result[QPU_TESTS] = {false, a<b, a == b, a <= b, a> b, a != b, a >= b, true};
    return result[function & 7];
}

/* Passes the two numbers that a test of a pixel compares, and whether they fulfil its function. */
static bool compare(const struct qpu *q, unsigned function, uint32_t new, uint32_t old, uint32_t mask,
                    bool stencil, unsigned lane)
{
    const uint32_t a = QPU_OBSERVE(q, TILE_COMPARED, new &mask, new, mask, stencil, false, lane),
                   b = QPU_OBSERVE(q, TILE_COMPARED, old & mask, old, mask, stencil, true, lane);
    return QPU_OBSERVE(q, TILE_HOLDS, passes(function, a, b), a, b, function & 7, stencil, lane);
}

/* The new stencil value, by the operations of p48 T26: zero, keep, replace, increment and decrement with
 * saturation, invert, increment, decrement. */
static uint32_t stencil_result(unsigned operation, uint32_t old, uint32_t reference)
{
    const uint32_t result[8] = {0,    old,     reference, old == 0xFF ? old : old + 1, old ? old - 1 : 0,
                                ~old, old + 1, old - 1};
    return result[operation & 7] & 0xFF;
}

/* Returns the side whose stencil setup applies to a pixel: 0 front, 1 back. REV_FLAG decides, of the pixel's
 * element or of element 0 (clauses ms-rev-flags-storage, hw-2924), unless both setups are the same. */
static unsigned side_of(struct qpu *q, unsigned lane, bool *known)
{
    const struct qpu_graphics *g = q->graphics;
    *known = true;
    if (g->stencil[0] == g->stencil[1] && g->stencil_mask[0] == g->stencil_mask[1])
        return QPU_OBSERVE(q, STENCIL_SIDE, 0, lane, q->rev_flag.value.lane[lane] & 1, false);
    bool replicated = qpu_consult(q, QPU_MS_REV_FLAGS_STORAGE) == MS_REV_REPLICATED,
         batch = qpu_consult(q, QPU_HW_2924) == HW_2924_BATCH;
    unsigned element = QPU_OBSERVE(q, STENCIL_ELEMENT, replicated || batch ? 0 : lane, lane);
    *known = !q->env->checked || q->rev_flag.defined.lane[element] & 1;
    const uint32_t reversed = q->rev_flag.value.lane[element] & 1;
    return QPU_OBSERVE(q, STENCIL_SIDE, reversed, lane, reversed, true);
}

/* Makes the stencil test of a pixel, and writes its new stencil value. */
static bool test_stencil(struct qpu *q, unsigned lane, bool z_passes)
{
    struct qpu_graphics *g = q->graphics;
    bool known;
    unsigned back = side_of(q, lane, &known);
    uint32_t setup = g->stencil[back], old = g->tile.value[QPU_TILE_STENCIL].lane[lane] & 0xFF,
             reference = QPU_OBSERVE(q, STENCIL_REFERENCE, setup >> 8 & 0xFF, setup, back, lane),
             mask = QPU_OBSERVE(q, STENCIL_MASK, setup & 0xFF, setup, back, lane),
             function = QPU_OBSERVE(q, STENCIL_FUNCTION, setup >> 16 & 7, setup, back, lane);
    bool stencil_passes = compare(q, function, reference, old, mask, true, lane);
    stencil_passes =
        QPU_OBSERVE(q, STENCIL_PASSES, stencil_passes, reference & mask, old & mask, function, lane);
    unsigned operation = setup >> (!stencil_passes ? 19 : z_passes ? 22 : 25) & 7;
    operation = QPU_OBSERVE(q, STENCIL_OPERATION, operation, setup, back, stencil_passes, z_passes, lane);
    uint32_t new = stencil_result(operation, old, reference), writable = g->stencil_mask[back];
    new = QPU_OBSERVE(q, STENCIL_VALUE, new, old, reference, operation, lane);
    new = QPU_OBSERVE(q, STENCIL_STORED, (new &writable) | (old & ~writable), new, old, writable, lane);
    put(q, QPU_TILE_STENCIL, lane, new, UINT32_MAX, true);
    return stencil_passes;
}

/* Tests one pixel and updates Z and stencil. False: the test failed, so later colour writes must not change
 * the pixel's samples (p48). */
static bool test_pixel(struct qpu *q, unsigned lane, uint32_t z)
{
    struct qpu_graphics *g = q->graphics;
    uint32_t old_z = g->tile.value[QPU_TILE_Z].lane[lane] & Z_MASK;
    bool z_passes = QPU_OBSERVE(q, TILE_PASSES, compare(q, g->depth_test, z, old_z, Z_MASK, false, lane), z,
                                old_z, g->depth_test, lane),
         stencil_passes = !g->stencil_set || test_stencil(q, lane, z_passes);
    if (!QPU_OBSERVE(q, PIXEL_PASSES, stencil_passes && z_passes, z_passes, stencil_passes, lane))
        return false;
    put(q, QPU_TILE_Z, lane, QPU_OBSERVE(q, PIXEL_Z, z, old_z, lane), UINT32_MAX, true);
    return true;
}

/* Are all bits that a test reads defined? If not, the caller makes the pixel undefined. */
static bool test_is_known(struct qpu *q, const struct qpu_result *r, unsigned lane)
{
    const struct qpu_graphics *g = q->graphics;
    if (!q->env->checked)
        return true;
    uint32_t known = r->defined.lane[lane] & (q->ms_flags.defined.lane[lane] | ~15U);
    if (g->depth_test != QPU_ALWAYS && g->depth_test != QPU_NEVER)
        known &= g->tile.defined[QPU_TILE_Z].lane[lane];
    bool stencil = !g->stencil_set || (g->tile.defined[QPU_TILE_STENCIL].lane[lane] & 0xFF) == 0xFF;
    if (g->stencil_set && stencil)
        (void)side_of(q, lane, &stencil);
    return (known & Z_MASK) == Z_MASK && stencil && r->lanes_defined.lane[lane];
}

/* Tests a pixel, unless it has no samples left. If it fails, its MS_FLAGS become 0. */
static void write_pixel_z(struct qpu *q, const struct qpu_result *r, unsigned lane)
{
    uint32_t flags = q->ms_flags.value.lane[lane] & 15;
    if (!QPU_OBSERVE(q, TILE_TESTED, flags != 0, flags, lane, vector_bits(&r->lanes)))
        return;
    bool passes = test_pixel(q, lane, r->value.lane[lane] & Z_MASK);
    uint32_t now = QPU_OBSERVE(q, PIXEL_FLAGS, passes ? flags : 0, flags, passes, lane);
    if (!passes || now != flags)
        q->ms_flags.value.lane[lane] = now;
}

static void write_z(struct qpu *q, const struct qpu_result *r)
{
    q->graphics->z_written = q->now + 1;
    q->graphics->ms_before = q->ms_flags;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        if (!r->lanes.lane[i] && r->lanes_defined.lane[i])
            continue;
        if (test_is_known(q, r, i)) {
            write_pixel_z(q, r, i);
            continue;
        }
        put(q, QPU_TILE_Z, i, q->env->filler & Z_MASK, 0, false);
        put(q, QPU_TILE_STENCIL, i, q->env->filler & 0xFF, 0, false);
        q->ms_flags.value.lane[i] = q->env->filler;
        q->ms_flags.defined.lane[i] = 0;
    }
}

/* Writes the stencil setup, which is the word of element 0 (p48 T26). */
static void set_stencil(struct qpu *q, unsigned file, const struct qpu_result *r)
{
    static const uint32_t masks[4] = {0x01, 0x03, 0x0F, 0xFF};
    struct qpu_graphics *g = q->graphics;
    if (!element_0_defined(q, r))
        return;
    uint32_t word, unused;
    if (!qpu_first_word(q, file, QPU_W_TLB_STENCIL, r, &word, &unused))
        return;
    uint32_t sides = QPU_OBSERVE(q, STENCIL_SIDES, word >> 30, word);
    for (unsigned side = 0; side < 2; side++) {
        if (!QPU_OBSERVE(q, STENCIL_SET, !sides || (sides >> side & 1), word, sides, side))
            continue;
        uint32_t writable = sides ? masks[word >> 28 & 3] : word >> 8 * side & 0xFF;
        g->stencil_mask[side] = QPU_OBSERVE(q, STENCIL_WRITABLE, writable, word, sides, side);
        if (sides) {
            g->stencil[side] = word;
            g->stencil_set = true;
        }
    }
}

static void write_alpha(struct qpu *q, const struct qpu_result *r)
{
    struct vc4_vector alpha;
    for (unsigned i = 0; i < VC4_LANES; i++)
        alpha.lane[i] = r->value.lane[i] & 0xFF;
    QPU_OBSERVE_VECTOR(q, TILE_ALPHA, &alpha, QPU_VECTORS(&r->value), vector_bits(&r->lanes));
    for (unsigned i = 0; i < VC4_LANES; i++) {
        bool sure = r->lanes_defined.lane[i];
        if (r->lanes.lane[i] || !sure)
            put(q, QPU_TILE_ALPHA_MASK, i, alpha.lane[i], r->defined.lane[i] | ~0xFFU, sure);
    }
}

/* Returns the set of samples that a colour write is for: all, or one after the other. */
static uint32_t samples_of_write(struct qpu *q, unsigned address)
{
    uint32_t sample = 0, which = 15;
    if (address != QPU_W_TLB_COLOUR_ALL) {
        const uint32_t count = q->graphics->sample_written++;
        sample = QPU_OBSERVE(q, TILE_SAMPLE, count % QPU_SAMPLES, true, q->before->insn.sig, count & 0xFF);
        which = 1U << sample;
    }
    return QPU_OBSERVE(q, TILE_WHICH, which, address, sample);
}

/* Returns the reading for a write of TLB_Z. A program's last instruction must not write TLB_Z (p37; clause
 * end-tlb-z). */
static unsigned too_late_for_z(struct qpu *q)
{
    if (q->end_due != q->now + 1)
        return END_TLB_Z_WRITTEN;
    return qpu_consult(q, QPU_END_TLB_Z);
}

void qpu_write_tile(struct qpu *q, unsigned file, unsigned address, struct qpu_result *r)
{
    if (!reaches_tile(q, true))
        return;
    q->pixels_written = true; /* writes of Z change MS_FLAGS */
    if (address == QPU_W_TLB_STENCIL) {
        set_stencil(q, file, r);
        return;
    }
    unsigned early = too_early(q), late = address == QPU_W_TLB_Z ? too_late_for_z(q) : END_TLB_Z_WRITTEN;
    bool lost = early == HW_2796_LOST || late == END_TLB_Z_LOST;
    if (!QPU_OBSERVE(q, TILE_DONE, !lost, q->now < 3 ? (uint32_t)q->now : 3, q->graphics->waited_early,
                     q->end_due == q->now + 1, address))
        return;
    if (early == READING_MANUAL || late == READING_MANUAL) {
        r->value = q->undefined.value;
        r->defined = q->undefined.defined;
    }
    QPU_OBSERVE_VECTOR(q, TILE_WORD, &r->value, NULL, address, vector_bits(&r->lanes));
    if (address == QPU_W_TLB_Z)
        write_z(q, r);
    else if (address == QPU_W_TLB_ALPHA)
        write_alpha(q, r);
    else
        write_colour(q, r, samples_of_write(q, address));
}
