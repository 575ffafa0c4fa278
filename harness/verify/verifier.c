/* SPDX-License-Identifier: MIT */
/*
 * The verifier's walk over a program: instruction by instruction from first to
 * last, which is enough because nothing goes back. Where ways meet, only what
 * they agree on is known. Rules about peripherals: verifier_access.c.
 */
#include "harness/verify/verifier_state.h"

#include "model/vc4/qpu/alu/qpu_alu.h"

#include <string.h>

enum { END_INSTRUCTIONS = 3, DELAY_SLOTS = 3, MEETINGS_MAX = 64, SFU_LATENCY = 3 };

/* What is known of a program at a place that a branch goes to. */
struct meeting {
    uint32_t at;
    struct state state;
};

struct walk {
    struct verifier v;
    uint32_t meetings;
    struct meeting meeting[MEETINGS_MAX]; /* not in order; few */
};

/* ---- knowledge ---- */

static const struct knowledge nothing = {.known = KNOWN_NOTHING};

static struct knowledge know_word(uint32_t word)
{
    return (struct knowledge){.known = KNOWN_WORD, .word = word};
}

/* Knowledge of each element; of one word if they are all the same, of nothing if there is no room. */
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

static uint32_t lane_of(const struct verifier *v, const struct knowledge *k, unsigned i)
{
    return k->known == KNOWN_WORD ? k->word : v->lanes[k->lanes][i];
}

static bool is_known(const struct knowledge *k)
{
    return k->known == KNOWN_WORD || k->known == KNOWN_LANES;
}

static struct verifier_places place_bit(unsigned place)
{
    struct verifier_places p = {0};
    if (place < PLACE_ACC)
        p.file = UINT64_C(1) << place;
    else
        p.other = (uint8_t)(1U << (place - PLACE_ACC));
    return p;
}

static bool holds(const struct verifier_places *set, struct verifier_places p)
{
    return (set->file & p.file) || (set->other & p.other);
}

static void include(struct verifier_places *set, struct verifier_places p)
{
    set->file |= p.file;
    set->other |= p.other;
}

/* What a register or accumulator holds, if that is wanted; what the case put there is looked up only then. */
static struct knowledge read_place(struct verifier *v, unsigned place, bool wanted)
{
    struct verifier_places bit = place_bit(place);
    struct knowledge *k = &v->now.place[place];
    if (!holds(&v->now.written, bit))
        include(&v->proof->in, bit);
    if (holds(&v->now.just, bit)) { /* the old value, the new one, or neither (clause regfile-hazard) */
        include(&v->proof->in, bit);
        if (place < PLACE_ACC)
            return nothing;
    }
    if (!wanted || place == PLACE_ACC + 5) /* clause accumulator-count: perhaps there is no r5 */
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

/* The next word of the uniform stream, where it is known; `certain`: it is surely read. */
static bool take_uniform(struct verifier *v, bool certain, struct knowledge *k)
{
    struct state *s = &v->now;
    uint32_t least = s->uniforms_least;
    *k = nothing;
    if (!verifier_count_uniform(v, certain))
        return false;
    if (!s->stream_in_memory && least + 1 == s->uniforms_most) {
        const struct case_uniform *u = &v->c->uniforms.item[least];
        *k = know_word(u->value + (u->is_address ? v->memory_base : 0));
    }
    return true;
}

/* Does an operand use it? Of operations with one operand nobody agrees which of the two it is (clause
 * unary-operand). */
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

static bool read_element(struct verifier *v, unsigned file, struct knowledge *k)
{
    uint32_t lane[VC4_LANES];
    if (file) /* used or not: what was read last can come back (nop-read-stale, raddr-side-effect) */
        return verifier_refuse(v, "reads QPU_NUMBER: which QPU runs a case is not the case's choice");
    for (unsigned i = 0; i < VC4_LANES; i++)
        lane[i] = i;
    *k = know_lanes(v, lane);
    return true;
}

/* Read address `r` of one file: what it gives, if it may be named at all. */
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
        return read_element(v, file, k);
    case QPU_R_NOTHING:
        return used == USED_NOT ||
               verifier_refuse(
                   v, "reads no register: what that gives depends on what ran before (nop-read-stale)");
    case QPU_R_VPM:
    case QPU_R_DMA_BUSY:
    case QPU_R_DMA_WAIT:
        return verifier_read(v, r, (uint8_t)file, used == USED);
    }
    return verifier_refuse(v, "names %s, which is not the case's own", qpu_read_name(file, r));
}

/* What operand code `mux` gives, once the read addresses have been looked at. */
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

/* Integer operations that may have a part in addresses; all others give what nobody relies on. */
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

/* Of the MUL pipe only moves are followed: v8min of a value with itself. */
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
        if (!compute(i->op_add, lane_of(v, a, n), lane_of(v, b, n), &lane[n]))
            return nothing;
    return know_lanes(v, lane);
}

/* One pipe's write. */
struct result {
    uint8_t waddr, file, cond, op;
    bool whole; /* no pack: all bits of the register */
    struct knowledge value;
};

/* What an instruction may write, under whatever reading: nothing is known of it from here on, unless
 * learn_place follows. */
static void forget_place(struct verifier *v, unsigned place)
{
    include(&v->proof->out, place_bit(place));
    v->now.place[place] = nothing;
}

/* All of the place is written, surely, and this is known of it. */
static void learn_place(struct verifier *v, unsigned place, struct knowledge k)
{
    include(&v->now.written, place_bit(place));
    v->now.place[place] = k;
}

static bool is_sfu(uint8_t waddr)
{
    return waddr >= QPU_W_SFU_RECIP && waddr <= QPU_W_SFU_LOG;
}

/* The place that a write changes, at once or later; -1: none. Whether and when an SFU's result reaches r4 is
 * not asked. */
static int place_written(const struct result *r)
{
    if (r->waddr < QPU_FILE_ROWS)
        return QPU_FILE_ROWS * r->file + r->waddr;
    if (r->waddr <= QPU_W_R3 || r->waddr == QPU_W_R5)
        return PLACE_ACC + r->waddr - QPU_W_R0;
    return is_sfu(r->waddr) ? PLACE_ACC + 4 : -1;
}

static bool write_result(struct verifier *v, const struct result *r)
{
    bool certain = r->cond == QPU_COND_ALWAYS;
    int place = place_written(r);
    if (place >= 0 && r->cond != QPU_COND_NEVER)
        forget_place(v, (unsigned)place);
    if (r->waddr == QPU_W_NOTHING)
        return true;
    if (r->waddr <= QPU_W_R3 || r->waddr == QPU_W_R5) {
        if (certain && r->whole)
            learn_place(v, (unsigned)place, r->value);
        return true;
    }
    if (r->waddr == QPU_W_UNIFORMS_ADDRESS || (r->waddr >= QPU_W_VPM && r->waddr != QPU_W_MUTEX)) {
        struct access a = {.address = r->waddr,
                           .file = r->file,
                           .certain = certain,
                           .value = r->whole ? r->value : nothing};
        if (is_sfu(r->waddr) && certain && !v->now.sfu_due)
            v->now.sfu_due = SFU_LATENCY;
        return verifier_write(v, &a);
    }
    return verifier_refuse(v, "writes %s, which is not the case's own", qpu_write_name(r->file, r->waddr));
}

/* ---- instructions ---- */

static bool is_peripheral(uint8_t waddr)
{
    return waddr == QPU_W_UNIFORMS_ADDRESS || waddr >= QPU_W_VPM;
}

/* At most one access to a peripheral an instruction, where one of them leads to memory (clause
 * peripherals-in-one). */
static bool is_simple(struct verifier *v, const struct qpu_insn *i, bool reads_vpm)
{
    unsigned accesses = (unsigned)is_peripheral(i->waddr_add) + is_peripheral(i->waddr_mul) + reads_vpm +
                        (i->sig == QPU_SIG_LOAD_TMU0 || i->sig == QPU_SIG_LOAD_TMU1);
    return accesses < 2 || verifier_refuse(v, "reaches two peripherals at once");
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

/* Both results of one instruction: of two that meet in one register nothing is known. */
static bool write_results(struct verifier *v, struct result r[2])
{
    if (r[0].waddr == r[1].waddr && r[0].waddr != QPU_W_NOTHING &&
        (r[0].waddr >= QPU_FILE_ROWS || r[0].file == r[1].file))
        r[0].value = r[1].value = nothing;
    return write_result(v, &r[0]) && write_result(v, &r[1]);
}

/* Which flags an instruction leaves: bit `flags` is certain only after an unconditional operation of the ADD
 * pipe. */
static void set_flags(struct verifier *v, const struct qpu_insn *i)
{
    struct verifier_places flags = {.other = VERIFIER_FLAGS};
    if (!i->sf)
        return;
    include(&v->proof->out, flags);
    if (i->class <= QPU_ALU_SMALL && i->op_add && i->cond_add == QPU_COND_ALWAYS)
        include(&v->now.written, flags);
}

static void see_flags(struct verifier *v)
{
    struct verifier_places flags = {.other = VERIFIER_FLAGS};
    if (!holds(&v->now.written, flags))
        include(&v->proof->in, flags);
}

static bool conditional(uint8_t cond)
{
    return cond != QPU_COND_ALWAYS && cond != QPU_COND_NEVER;
}

/* What a wait register gives depends on what was read before it, so only the wait itself may be wanted. */
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

/* The VPM itself, and its DMA. */
static bool is_vpm(uint8_t raddr)
{
    return raddr >= QPU_R_VPM && raddr <= QPU_R_DMA_WAIT;
}

static bool judge_alu(struct verifier *v, const struct qpu_insn *i)
{
    bool small = i->class == QPU_ALU_SMALL, reads_vpm = is_vpm(i->raddr_a) || (!small && is_vpm(i->raddr_b));
    if (!alu_add_ops[i->op_add].name)
        return verifier_refuse(v, "has reserved operation %u", i->op_add);
    if ((!i->op_add && i->waddr_add != QPU_W_NOTHING) || (!i->op_mul && i->waddr_mul != QPU_W_NOTHING))
        return verifier_refuse(
            v, "writes the result of no operation, which depends on what ran before (mul-nop-write)");
    if (!small && i->raddr_a == i->raddr_b && (i->raddr_a == QPU_R_UNIFORM || reads_vpm))
        return verifier_refuse(v, "names one FIFO in both files (io-read-both-files)");
    if (keeps_wait(i))
        return verifier_refuse(
            v, "keeps what a wait register gives, which depends on what ran before (vpm-wait-data)");
    if (!is_simple(v, i, reads_vpm) || !signal_is_fine(v, i))
        return false;
    bool wanted = v->at < v->follow_end && (is_followed(i->op_add) || is_followed_move(i));
    struct knowledge read[2];
    if (!read_address(v, 0, i->raddr_a, use_of(i, QPU_MUX_A), wanted, &read[0]))
        return false;
    if (small)
        read[1] = i->raddr_b < QPU_SMALL_ROTATE ? know_word(qpu_small_immediate(i->raddr_b)) : nothing;
    else if (!read_address(v, 1, i->raddr_b, use_of(i, QPU_MUX_B), wanted, &read[1]))
        return false;
    if (small && i->raddr_b == QPU_SMALL_ROTATE)
        (void)read_place(v, PLACE_ACC + 5, false); /* rotation by r5 */
    struct result r[2] = {
        {.waddr = i->waddr_add, .file = i->ws, .cond = i->cond_add, .whole = !i->pack, .value = nothing},
        {.waddr = i->waddr_mul, .file = !i->ws, .cond = i->cond_mul, .whole = !i->pack, .value = nothing}};
    if (i->op_add) {
        struct knowledge a = operand(v, i, i->add_a, read, wanted), b = operand(v, i, i->add_b, read, wanted);
        r[0].value = add_result(v, i, &a, &b);
    }
    if (i->op_mul) {
        struct knowledge a = operand(v, i, i->mul_a, read, wanted);
        (void)operand(v, i, i->mul_b, read, false);
        r[1].value = is_followed_move(i) ? a : nothing;
    }
    if (conditional(i->cond_add) || conditional(i->cond_mul))
        see_flags(v);
    set_flags(v, i);
    return write_results(v, r);
}

static bool judge_load(struct verifier *v, const struct qpu_insn *i)
{
    if (!is_simple(v, i, false))
        return false;
    struct knowledge k = know_word(i->immediate);
    if (i->class != QPU_LDI_32) {
        uint32_t lane[VC4_LANES];
        for (unsigned n = 0; n < VC4_LANES;
             n++) { /* p33: bit n of both halves; the high one is the sign, or bit 1 */
            uint32_t high = i->immediate >> (16 + n) & 1, low = i->immediate >> n & 1;
            lane[n] = (i->class == QPU_LDI_SIGNED ? 0U - 2U * high : 2U * high) + low;
        }
        k = know_lanes(v, lane);
    }
    if (conditional(i->cond_add) || conditional(i->cond_mul))
        see_flags(v);
    set_flags(v, i);
    struct result r[2] = {
        {.waddr = i->waddr_add, .file = i->ws, .cond = i->cond_add, .whole = !i->pack, .value = k},
        {.waddr = i->waddr_mul, .file = !i->ws, .cond = i->cond_mul, .whole = !i->pack, .value = k}};
    return write_results(v, r);
}

/* ---- ways ---- */

static bool places_equal(const struct knowledge *a, const struct knowledge *b)
{
    return a->known == b->known && a->word == b->word && a->lanes == b->lanes;
}

static bool steps_equal(const struct vpm_steps *a, const struct vpm_steps *b)
{
    return a->setup == b->setup && a->moved == b->moved;
}

static bool vpm_equal(const struct vpm_knowledge *a, const struct vpm_knowledge *b)
{
    return !a->lost && !b->lost && a->write_set == b->write_set && a->store_set == b->store_set &&
           a->load_set == b->load_set && a->store_runs == b->store_runs && a->load_runs == b->load_runs &&
           a->reads_left == b->reads_left && a->store_setup == b->store_setup &&
           a->reads_young == b->reads_young && steps_equal(&a->write, &b->write) &&
           steps_equal(&a->read, &b->read) && a->store_stride == b->store_stride &&
           a->load_setup == b->load_setup && a->load_pitch == b->load_pitch;
}

/* What two ways agree on. */
static bool meet(struct verifier *v, struct state *into, const struct state *from)
{
    for (unsigned i = 0; i < PLACES; i++)
        if (!places_equal(&into->place[i], &from->place[i]))
            into->place[i] = nothing;
    into->written.file &= from->written.file;
    into->written.other &= from->written.other;
    include(&into->just, from->just);
    into->stream_lost = into->stream_lost || from->stream_lost ||
                        into->stream_in_memory != from->stream_in_memory ||
                        (into->stream_in_memory && into->stream_at != from->stream_at);
    into->uniforms_least =
        into->uniforms_least < from->uniforms_least ? into->uniforms_least : from->uniforms_least;
    into->uniforms_most =
        into->uniforms_most > from->uniforms_most ? into->uniforms_most : from->uniforms_most;
    into->stream_young = into->stream_young > from->stream_young ? into->stream_young : from->stream_young;
    into->sfu_due = 0;
    into->stored = into->stored || from->stored;
    if (into->lookups[0] != from->lookups[0] || into->lookups[1] != from->lookups[1])
        return verifier_refuse(v, "is reached with different numbers of look-ups outstanding");
    into->vpm.lost = !vpm_equal(&into->vpm, &from->vpm);
    return true;
}

static bool arrive_later(struct walk *w, uint32_t at)
{
    for (uint32_t i = 0; i < w->meetings; i++)
        if (w->meeting[i].at == at)
            return meet(&w->v, &w->meeting[i].state, &w->v.now);
    if (w->meetings == MEETINGS_MAX)
        return verifier_refuse(&w->v, "is one branch too many: %d targets at the most", MEETINGS_MAX);
    w->meeting[w->meetings++] = (struct meeting){at, w->v.now};
    return true;
}

static bool arrive(struct walk *w, uint32_t at)
{
    for (uint32_t i = 0; i < w->meetings; i++)
        if (w->meeting[i].at == at)
            return meet(&w->v, &w->v.now, &w->meeting[i].state);
    return true;
}

/* A branch forward, and no further than the end; `*target` gets where to. */
static bool judge_branch(struct verifier *v, const struct qpu_insn *i, uint32_t pending, uint32_t *target)
{
    uint32_t end = v->c->program.count - END_INSTRUCTIONS, skip = i->immediate / 8;
    if (pending)
        return verifier_refuse(v, "branches in the delay slots of another branch");
    if (!i->rel || i->reg || i->raddr_a)
        return verifier_refuse(v, "branches to an address that a register has a part in, or that depends on "
                                  "where the program lies");
    if (i->waddr_add != QPU_W_NOTHING || i->waddr_mul != QPU_W_NOTHING)
        return verifier_refuse(v, "keeps its return address, which depends on where the program lies");
    if ((i->cond_br > 11 && i->cond_br != 15) || i->branch_unused)
        return verifier_refuse(v,
                               "branches under a condition, or with bits, that no document gives a meaning");
    if (i->immediate % 8 || skip > end || v->at + 1 + DELAY_SLOTS + skip > end)
        return verifier_refuse(v, "branches back, or behind the end of the program");
    if (i->cond_br != 15)
        see_flags(v);
    *target = v->at + 1 + DELAY_SLOTS + skip;
    return true;
}

/* What an instruction leaves behind for the next ones, whatever it was. */
static void age(struct verifier *v)
{
    struct state *s = &v->now;
    if (s->stream_young)
        s->stream_young--;
    if (s->vpm.reads_young)
        s->vpm.reads_young--;
    if (s->sfu_due && --s->sfu_due == 0)
        include(&s->written, place_bit(PLACE_ACC + 4));
}

static bool judge(struct verifier *v, const struct qpu_insn *i)
{
    struct verifier_places out = v->proof->out;
    v->proof->out = (struct verifier_places){0};
    if (i->sig == QPU_SIG_LOAD_TMU0 || i->sig == QPU_SIG_LOAD_TMU1)
        include(&v->proof->out, place_bit(PLACE_ACC + 4));
    bool good = i->class <= QPU_ALU_SMALL ? judge_alu(v, i) : judge_load(v, i);
    v->now.just = v->proof->out;
    include(&v->proof->out, out);
    if (i->sig == QPU_SIG_LOAD_TMU0 || i->sig == QPU_SIG_LOAD_TMU1) {
        include(&v->now.written, place_bit(PLACE_ACC + 4)); /* there for the next instruction (p29 T4) */
        v->now.place[PLACE_ACC + 4] = nothing;
    }
    age(v);
    return good;
}

/* The instruction with the end signal and its two slots: the wrapper goes on behind them, so nothing in them
 * may end differently there. */
static bool judge_end(struct verifier *v, const struct qpu_insn *i, bool first)
{
    bool io = i->raddr_a == QPU_R_UNIFORM || i->raddr_a >= QPU_R_VPM ||
              (i->class == QPU_ALU && (i->raddr_b == QPU_R_UNIFORM || i->raddr_b >= QPU_R_VPM));
    if (i->class == QPU_SEMAPHORE || i->class == QPU_BRANCH ||
        (first ? i->sig != QPU_SIG_END : i->sig == QPU_SIG_END))
        return verifier_refuse(v, first ? "does not end the program; the third from the last has to"
                                        : "has no place behind the end");
    if ((i->class <= QPU_ALU_SMALL && io) || is_peripheral(i->waddr_add) || is_peripheral(i->waddr_mul))
        return verifier_refuse(v, "reaches a peripheral at the end (end-io-access)");
    if (first && (i->waddr_add < QPU_FILE_ROWS || i->waddr_mul < QPU_FILE_ROWS))
        return verifier_refuse(v, "writes a register in the instruction that ends (end-regfile-write)");
    return true;
}

static bool step(struct walk *w, uint32_t *pending, uint32_t *target)
{
    struct verifier *v = &w->v;
    const uint32_t *word = &v->c->program.word[2 * v->at];
    uint32_t end = v->c->program.count - END_INSTRUCTIONS;
    struct qpu_insn i;
    if (!qpu_decode(word[0] | (uint64_t)word[1] << 32, &i))
        return verifier_refuse(v, "is no instruction that is documented");
    if (v->at >= end) {
        if (!judge_end(v, &i, v->at == end))
            return false;
        if (v->at == end)
            i.sig = QPU_SIG_NONE;
        return judge(v, &i);
    }
    if (i.class == QPU_SEMAPHORE)
        return verifier_refuse(v, "uses a semaphore, which all programs share");
    if (i.class != QPU_BRANCH)
        return judge(v, &i);
    if (!judge_branch(v, &i, *pending, target))
        return false;
    *pending = DELAY_SLOTS + 1;
    v->now.just = (struct verifier_places){0};
    age(v);
    return true;
}

static bool walk(struct walk *w)
{
    struct verifier *v = &w->v;
    uint32_t pending = 0, target = 0;
    for (v->at = 0; v->at < v->c->program.count; v->at++) {
        if (!arrive(w, v->at) || !step(w, &pending, &target))
            return false;
        /* What follows an unconditional branch is judged too, as if it might not be taken: the word may come
         * to be executed. */
        if (pending && --pending == 0 && !arrive_later(w, target))
            return false;
    }
    return verifier_end(v);
}

/* Behind the last instruction that takes an address or a setup. Where waddr stands is the same in all
 * instructions. */
static uint32_t find_follow_end(const struct qpu_case *c)
{
    static const uint64_t taking = UINT64_C(1) << QPU_W_UNIFORMS_ADDRESS | UINT64_C(1) << QPU_W_VPM_SETUP |
                                   UINT64_C(1) << QPU_W_DMA_ADDRESS | UINT64_C(255) << QPU_W_TMU0_S;
    uint32_t end = c->program.count;
    while (end) {
        uint32_t high = c->program.word[2 * end - 1];
        if (taking >> (high >> 6 & 63) & 1 || taking >> (high & 63) & 1)
            return end;
        end--;
    }
    return 0;
}

static bool begin(struct verifier *v)
{
    const struct qpu_case *c = v->c;
    if (c->stage != QPU_STAGE_USER)
        return error_set(v->e, "a %s shader: only user programs are run", qpu_stage_names[c->stage]);
    if (c->program.count < END_INSTRUCTIONS)
        return error_set(v->e, "a program of %lu instruction%s has no end", (unsigned long)c->program.count,
                         plural(c->program.count));
    if (c->limit < c->program.count)
        return error_set(v->e, "an instruction limit below the program's length: hardware does not count");
    for (unsigned i = 0; i < PLACES; i++)
        v->now.place[i].known = KNOWN_INITIAL;
    memset(v->proof, 0, sizeof *v->proof);
    v->proof->refused_at = -1;
    v->follow_end = find_follow_end(c);
    return true;
}

bool verifier_prove(const struct test_case *c, uint32_t memory_base, struct verifier_proof *p,
                    struct error *e)
{
    struct walk w;
    w.meetings = 0;
    w.v.tc = c;
    w.v.c = (const void *)c->words;
    w.v.memory_base = memory_base;
    w.v.proof = p;
    w.v.e = e;
    memset(w.v.image, 0, sizeof w.v.image);
    w.v.lanes_used = 0;
    memset(&w.v.now, 0, sizeof w.v.now);
    p->refused_at = -1;
    return begin(&w.v) && walk(&w);
}
