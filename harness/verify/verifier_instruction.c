/* SPDX-License-Identifier: MIT */
/* What one instruction reads and writes, and what is known of its results. */
#include "harness/verify/verifier_state.h"

#include "model/vc4/qpu/alu/qpu_alu.h"

#include <string.h>

enum { SFU_LATENCY = 3 };

static const struct knowledge nothing = {.known = KNOWN_NOTHING};

static struct knowledge know_word(uint32_t word)
{
    return (struct knowledge){.known = KNOWN_WORD, .word = word};
}

/* Returns nothing if LANES_KEPT vectors are already kept. */
static struct knowledge know_lanes(struct verifier *v, const uint32_t lane[VC4_LANES])
{
    bool same = true;
    for (unsigned i = 1; i < VC4_LANES; i++)
        same = same && lane[i] == lane[0];
    if (same)
        return know_word(lane[0]);
    if (v->lanes_used == LANES_KEPT)
        return nothing;
    memcpy(v->lanes[v->lanes_used], lane, sizeof v->lanes[0]);
    return (struct knowledge){.known = KNOWN_LANES, .lanes = (uint8_t)v->lanes_used++};
}

static bool is_known(const struct knowledge *k)
{
    return k->known == KNOWN_WORD || k->known == KNOWN_LANES;
}

/* Notes that the program reads a register or accumulator. Returns what it holds, or nothing if not
 * `wanted`. */
static struct knowledge read_place(struct verifier *v, unsigned place, bool wanted)
{
    struct verifier_places bit = verifier_place_bit(place);
    struct knowledge *k = &v->now.place[place];
    if (!verifier_holds(&v->now.written, bit))
        verifier_include(&v->proof->in, bit);
    if (verifier_holds(&v->now.just_written,
                       bit)) { /* it reads the old value, the new one, or neither (clause regfile-hazard) */
        verifier_include(&v->proof->in, bit);
        if (place < PLACE_ACC)
            return nothing;
    }
    if (!wanted || place == PLACE_ACC + 5) /* clause accumulator-count: r5 may not exist */
        return nothing;
    if (k->known == KNOWN_INITIAL) {
        static const char *const names[] = {"ra", "rb", "acc"};
        const struct field **image = &v->image[place / 32];
        uint32_t lane[VC4_LANES];
        if (!*image)
            *image = schema_field(&v->tc->unit->schema, names[place / 32]);
        image_row(v->tc, *image, place % 32, lane);
        *k = know_lanes(v, lane);
    }
    return *k;
}

/* ---- operands ---- */

static bool take_uniform(struct verifier *v, bool certain, struct knowledge *k)
{
    struct state *s = &v->now;
    uint32_t min = s->uniforms_min;
    if (!verifier_count_uniform(v, certain))
        return false;
    /* The uniform is known only if every path to here has taken the same number of words. */
    if (!s->stream_in_memory && min + 1 == s->uniforms_max) {
        const struct case_uniform *u = &v->c->uniforms.item[min];
        *k = know_word(u->value + (u->is_address ? v->memory_base : 0));
    }
    return true;
}

/* Does an operation use an operand? Clause unary-operand: the manual does not say which of the two a unary
 * operation uses. */
enum use { USED_NOT, USED_PERHAPS, USED };

static enum use use_by(const struct alu_op *op, bool a, bool b)
{
    return !op->operands || (!a && !b) ? USED_NOT : op->operands == 2 || (a && b) ? USED : USED_PERHAPS;
}

static enum use use_of(const struct qpu_insn *i, unsigned mux)
{
    enum use add = use_by(&alu_add_ops[i->op_add], i->add_a == mux, i->add_b == mux);
    enum use mul = use_by(&alu_mul_ops[i->op_mul], i->mul_a == mux, i->mul_b == mux);
    return add > mul ? add : mul;
}

static bool read_element_number(struct verifier *v, unsigned file, struct knowledge *k)
{
    uint32_t lane[VC4_LANES];
    /* Refused even if the value is unused, because a later read may return it (clauses nop-read-stale,
     * raddr-side-effect). */
    if (file)
        return verifier_refuse(v, "reads QPU_NUMBER: which QPU runs a case is not the case's choice");
    for (unsigned i = 0; i < VC4_LANES; i++)
        lane[i] = i;
    *k = know_lanes(v, lane);
    return true;
}

/* Checks read address `r` of one file. Sets `*k` to what the read gives. */
static bool read_address(struct verifier *v, unsigned file, uint8_t r, enum use used, bool wanted,
                         struct knowledge *k)
{
    *k = nothing;
    if (r < QPU_FILE_ROWS) {
        if (used != USED_NOT)
            *k = read_place(v, QPU_FILE_ROWS * file + r, wanted);
        return true;
    }
    switch (r) {
    case QPU_R_UNIFORM:
        return take_uniform(v, used == USED, k);
    case QPU_R_NUMBER:
        return read_element_number(v, file, k);
    case QPU_R_NOTHING:
        return used == USED_NOT ||
               verifier_refuse(v,
                               "reads no register: the result depends on what ran before (nop-read-stale)");
    case QPU_R_VPM:
    case QPU_R_DMA_BUSY:
    case QPU_R_DMA_WAIT:
        return verifier_read(v, r, (uint8_t)file, used == USED);
    }
    return verifier_refuse(v, "reads %s, which is not the case's own", qpu_read_name(file, r));
}

/* The operand that `mux` selects; `read` holds what the two read addresses give. */
static struct knowledge operand(struct verifier *v, const struct qpu_insn *i, unsigned mux,
                                const struct knowledge read[2], bool wanted)
{
    if (mux < QPU_MUX_A) {
        struct knowledge k = read_place(v, PLACE_ACC + mux, wanted);
        return mux == QPU_MUX_R4 && i->pm && i->unpack ? nothing : k;
    }
    if (mux == QPU_MUX_A)
        return i->unpack && !i->pm ? nothing : read[0];
    return read[1];
}

/* ---- results ---- */

/* Computes the integer operations that addresses may use. False: the result counts as unknown. */
static bool compute(unsigned op, uint32_t a, uint32_t b, uint32_t *out)
{
    switch (op) {
    case QPU_ADD_ADD:
        *out = a + b;
        return true;
    case QPU_ADD_SUB:
        *out = a - b;
        return true;
    case QPU_ADD_SHR:
        *out = a >> (b & 31);
        return b < 32;
    case QPU_ADD_SHL:
        *out = a << (b & 31);
        return b < 32;
    case QPU_ADD_AND:
        *out = a & b;
        return true;
    case QPU_ADD_OR:
        *out = a | b;
        return true;
    case QPU_ADD_XOR:
        *out = a ^ b;
        return true;
    }
    return false;
}

static bool is_followed(unsigned op)
{
    uint32_t unused;
    return compute(op, 0, 0, &unused);
}

/* In the MUL pipe, only moves are followed: v8min of a value with itself. */
static bool is_followed_move(const struct qpu_insn *i)
{
    bool rotates = i->class == QPU_ALU_SMALL && i->raddr_b >= QPU_SMALL_ROTATE;
    return i->op_mul == QPU_MUL_MOV && i->mul_a == i->mul_b && !rotates;
}

static struct knowledge add_result(struct verifier *v, const struct qpu_insn *i, const struct knowledge *a,
                                   const struct knowledge *b)
{
    uint32_t lane[VC4_LANES];
    if (!is_known(a) || !is_known(b))
        return nothing;
    for (unsigned n = 0; n < VC4_LANES; n++)
        if (!compute(i->op_add, verifier_lane(v, a, n), verifier_lane(v, b, n), &lane[n]))
            return nothing;
    return know_lanes(v, lane);
}

/* The write of one pipe. */
struct result {
    uint8_t waddr, file, cond;
    struct knowledge value;
};

bool verifier_is_peripheral(uint8_t waddr)
{
    return waddr == QPU_W_UNIFORMS_ADDRESS || waddr >= QPU_W_VPM;
}

static bool is_sfu(uint8_t waddr)
{
    return waddr >= QPU_W_SFU_RECIP && waddr <= QPU_W_SFU_LOG;
}

/* Returns the place that a write changes, now or later; -1: none. An SFU write counts as a write of r4,
 * though its result may never reach r4. */
static int place_written(const struct result *r)
{
    if (r->waddr < QPU_FILE_ROWS)
        return QPU_FILE_ROWS * r->file + r->waddr;
    if (r->waddr <= QPU_W_R3 || r->waddr == QPU_W_R5)
        return PLACE_ACC + r->waddr - QPU_W_R0;
    return is_sfu(r->waddr) ? PLACE_ACC + 4 : -1;
}

/* A write that is conditional or packed leaves the place unknown. */
static bool write_result(struct verifier *v, const struct result *r, bool packed)
{
    bool certain = r->cond == QPU_COND_ALWAYS;
    int place = place_written(r);
    if (place >= 0 && r->cond != QPU_COND_NEVER) {
        verifier_include(&v->proof->out, verifier_place_bit((unsigned)place));
        v->now.place[place] = nothing;
    }
    if (r->waddr == QPU_W_NOTHING)
        return true;
    if (r->waddr <= QPU_W_R3 || r->waddr == QPU_W_R5) {
        if (certain && !packed) {
            verifier_include(&v->now.written, verifier_place_bit((unsigned)place));
            v->now.place[place] = r->value;
        }
        return true;
    }
    if (!verifier_is_peripheral(r->waddr) || r->waddr == QPU_W_MUTEX)
        return verifier_refuse(v, "writes %s, which is not the case's own",
                               qpu_write_name(r->file, r->waddr));
    if (is_sfu(r->waddr) && certain && !v->now.sfu_delay)
        v->now.sfu_delay = SFU_LATENCY;
    struct access a = {
        .address = r->waddr,
        .file = r->file,
        .certain = certain,
        .value = packed ? nothing : r->value,
    };
    return verifier_write(v, &a);
}

/* Writes the results of the ADD and the MUL pipe. Two results for one register leave it unknown. */
static bool write_results(struct verifier *v, const struct qpu_insn *i, struct knowledge add,
                          struct knowledge mul)
{
    struct result r[2] = {{i->waddr_add, i->ws, i->cond_add, add}, {i->waddr_mul, !i->ws, i->cond_mul, mul}};
    if (r[0].waddr == r[1].waddr && r[0].waddr != QPU_W_NOTHING &&
        (r[0].waddr >= QPU_FILE_ROWS || r[0].file == r[1].file))
        r[0].value = r[1].value = nothing;
    return write_result(v, &r[0], i->pack) && write_result(v, &r[1], i->pack);
}

/* ---- instructions ---- */

/* Clause peripherals-in-one: an instruction may access one peripheral. */
static bool is_simple(struct verifier *v, const struct qpu_insn *i, bool reads_vpm)
{
    unsigned accesses = (unsigned)verifier_is_peripheral(i->waddr_add) +
                        verifier_is_peripheral(i->waddr_mul) + reads_vpm +
                        (i->sig == QPU_SIG_LOAD_TMU0 || i->sig == QPU_SIG_LOAD_TMU1);
    return accesses < 2 || verifier_refuse(v, "accesses two peripherals at once");
}

static bool signal_is_fine(struct verifier *v, const struct qpu_insn *i)
{
    switch (i->sig) {
    case QPU_SIG_NONE:
    case QPU_SIG_SMALL_IMMEDIATE:
        return true;
    case QPU_SIG_LOAD_TMU0:
    case QPU_SIG_LOAD_TMU1:
        return verifier_load(v, i->sig == QPU_SIG_LOAD_TMU1);
    }
    return verifier_refuse(v, "has signal %s, which no user program may have there",
                           qpu_signal_names[i->sig]);
}

void verifier_see_flags(struct verifier *v)
{
    struct verifier_places flags = {.other = VERIFIER_FLAGS};
    if (!verifier_holds(&v->now.written, flags))
        verifier_include(&v->proof->in, flags);
}

static bool conditional(uint8_t cond)
{
    return cond != QPU_COND_ALWAYS && cond != QPU_COND_NEVER;
}

/* Notes the flags that the instruction reads and sets. Only an unconditional operation of the ADD pipe
 * certainly sets them. */
static void note_flags(struct verifier *v, const struct qpu_insn *i)
{
    struct verifier_places flags = {.other = VERIFIER_FLAGS};
    if (conditional(i->cond_add) || conditional(i->cond_mul))
        verifier_see_flags(v);
    if (!i->sf)
        return;
    verifier_include(&v->proof->out, flags);
    if (i->class <= QPU_ALU_SMALL && i->op_add && i->cond_add == QPU_COND_ALWAYS)
        verifier_include(&v->now.written, flags);
}

/* Does a result or a flag depend on a wait register's value? That value depends on what was read before
 * it. */
static bool keeps_wait(const struct qpu_insn *i)
{
    for (unsigned mux = QPU_MUX_A; mux <= QPU_MUX_B; mux++) {
        bool waits = mux == QPU_MUX_A ? i->raddr_a == QPU_R_DMA_WAIT
                                      : i->class == QPU_ALU && i->raddr_b == QPU_R_DMA_WAIT;
        bool add = i->op_add && (i->add_a == mux || i->add_b == mux),
             mul = i->op_mul && (i->mul_a == mux || i->mul_b == mux);
        if (waits && ((add && i->waddr_add != QPU_W_NOTHING) || (mul && i->waddr_mul != QPU_W_NOTHING) ||
                      ((add || mul) && i->sf)))
            return true;
    }
    return false;
}

static bool is_vpm(uint8_t raddr)
{
    return raddr >= QPU_R_VPM && raddr <= QPU_R_DMA_WAIT;
}

/* Checks rules that concern the encoding alone. */
static bool is_well_formed(struct verifier *v, const struct qpu_insn *i, bool reads_vpm)
{
    if (!alu_add_ops[i->op_add].name)
        return verifier_refuse(v, "has reserved operation %u", i->op_add);
    if ((!i->op_add && i->waddr_add != QPU_W_NOTHING) || (!i->op_mul && i->waddr_mul != QPU_W_NOTHING))
        return verifier_refuse(
            v, "writes the result of no operation, which depends on what ran before (mul-nop-write)");
    if (i->class == QPU_ALU && i->raddr_a == i->raddr_b && (i->raddr_a == QPU_R_UNIFORM || reads_vpm))
        return verifier_refuse(v, "reads one FIFO through both files (io-read-both-files)");
    if (keeps_wait(i))
        return verifier_refuse(
            v, "keeps the value of a wait register, which depends on what ran before (vpm-wait-data)");
    return is_simple(v, i, reads_vpm);
}

static bool check_alu(struct verifier *v, const struct qpu_insn *i)
{
    bool small = i->class == QPU_ALU_SMALL, reads_vpm = is_vpm(i->raddr_a) || (!small && is_vpm(i->raddr_b));
    if (!is_well_formed(v, i, reads_vpm) || !signal_is_fine(v, i))
        return false;
    bool wanted = v->at < v->follow_end && (is_followed(i->op_add) || is_followed_move(i));
    struct knowledge read[2], add = nothing, mul = nothing;
    if (!read_address(v, 0, i->raddr_a, use_of(i, QPU_MUX_A), wanted, &read[0]))
        return false;
    if (small)
        read[1] = i->raddr_b < QPU_SMALL_ROTATE ? know_word(qpu_small_immediate(i->raddr_b)) : nothing;
    else if (!read_address(v, 1, i->raddr_b, use_of(i, QPU_MUX_B), wanted, &read[1]))
        return false;
    if (small && i->raddr_b == QPU_SMALL_ROTATE)
        (void)read_place(v, PLACE_ACC + 5, false); /* rotation by r5 */
    if (i->op_add) {
        struct knowledge a = operand(v, i, i->add_a, read, wanted), b = operand(v, i, i->add_b, read, wanted);
        add = add_result(v, i, &a, &b);
    }
    if (i->op_mul) {
        struct knowledge a = operand(v, i, i->mul_a, read, wanted);
        (void)operand(v, i, i->mul_b, read, false);
        mul = is_followed_move(i) ? a : nothing;
    }
    note_flags(v, i);
    return write_results(v, i, add, mul);
}

static bool check_load(struct verifier *v, const struct qpu_insn *i)
{
    if (!is_simple(v, i, false))
        return false;
    struct knowledge k = know_word(i->immediate);
    if (i->class != QPU_LDI_32) {
        uint32_t lane[VC4_LANES];
        for (unsigned n = 0; n < VC4_LANES;
             n++) { /* p33: element n is bit n of each half; the upper one is the sign, or bit 1 */
            uint32_t high = i->immediate >> (16 + n) & 1, low = i->immediate >> n & 1;
            lane[n] = (i->class == QPU_LDI_SIGNED ? 0U - 2U * high : 2U * high) + low;
        }
        k = know_lanes(v, lane);
    }
    note_flags(v, i);
    return write_results(v, i, k, k);
}

bool verifier_instruction(struct verifier *v, const struct qpu_insn *i)
{
    const struct verifier_places out = v->proof->out, r4 = verifier_place_bit(PLACE_ACC + 4);
    bool loads = i->sig == QPU_SIG_LOAD_TMU0 || i->sig == QPU_SIG_LOAD_TMU1;
    v->proof->out = loads ? r4 : (struct verifier_places){0};
    bool good = i->class <= QPU_ALU_SMALL ? check_alu(v, i) : check_load(v, i);
    v->now.just_written = v->proof->out;
    verifier_include(&v->proof->out, out);
    if (loads) { /* r4 has the loaded value from the next instruction on (p29 T4) */
        verifier_include(&v->now.written, r4);
        v->now.place[PLACE_ACC + 4] = nothing;
    }
    return good;
}
