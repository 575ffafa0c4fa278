/* SPDX-License-Identifier: MIT */
/* Passes the fields of an instruction to the observer (qpu_points.h). The inputs of a point are other fields
 * of the instruction, as they were before any rule. */
#include "model/vc4/qpu/qpu.h"

/* Returns a field of an instruction word that is not decoded yet. */
static uint32_t bits(uint64_t word, unsigned low, unsigned width)
{
    return (uint32_t)(word >> low) & ((1U << width) - 1);
}

static uint64_t put_bits(uint64_t word, unsigned low, unsigned width, uint32_t value)
{
    uint64_t mask = ((UINT64_C(1) << width) - 1) << low;
    return (word & ~mask) | (uint64_t)value << low;
}

/* Like QPU_OBSERVE, but for an observer `o`: qpu_change_word has one with rules and without a `see` hook. */
#define FIELD_OF(o, point, value, ...)                                                                       \
    (observer_wants(o, QPU_POINT_##point)                                                                    \
         ? observe(o, QPU_POINT_##point, (value), (const uint32_t[]){__VA_ARGS__})                           \
         : (value))

/* Passes the signal and, for load immediates, the mode. Bit positions: p26 fig 3. */
static uint64_t observe_word(const struct observer *o, uint64_t word)
{
    const uint64_t w = word;
    word = put_bits(word, 60, 4,
                    FIELD_OF(o, SIG, bits(w, 60, 4), bits(w, 60, 4), bits(w, 24, 5), bits(w, 29, 3),
                             bits(w, 56, 1), bits(w, 38, 6), bits(w, 32, 6), bits(w, 18, 6), bits(w, 12, 6)));
    if (bits(word, 60, 4) != QPU_SIG_LOAD_IMMEDIATE)
        return word;
    return put_bits(word, 57, 3,
                    FIELD_OF(o, MODE, bits(w, 57, 3), bits(w, 56, 1), bits(w, 52, 4), bits(w, 45, 1),
                             (uint32_t)w));
}

/* Passes the class, and decodes the word as this class. */
static bool decode(const struct observer *o, uint64_t word, struct qpu_insn *i)
{
    return qpu_decode_as(word,
                         (enum qpu_class)FIELD_OF(o, CLASS, (uint32_t)qpu_class_of(word), bits(word, 60, 4),
                                                  bits(word, 57, 3)),
                         i);
}

/* Passes a field of `i` through its point. `was` is the instruction before any rule; its fields are the
 * inputs. */
#define FIELD(point, member)                                                                                 \
    i->member = (uint8_t)FIELD_OF(o, point, was.member, was.sig, was.op_add, was.op_mul, was.pm,             \
                                  was.waddr_add, was.waddr_mul, was.raddr_a, was.raddr_b)
#define MUX(point, member, op, ops, other)                                                                   \
    i->member = (uint8_t)FIELD_OF(o, point, was.member, was.op, ops[was.op].operands, was.other, was.sig,    \
                                  was.raddr_a, was.raddr_b, was.pm, was.unpack)
#define BRANCH(point, member)                                                                                \
    FIELD_OF(o, point, was.member, was.cond_br, was.rel, was.reg, was.raddr_a, was.waddr_add, was.waddr_mul, \
             was.ws, was.immediate)

static void observe_branch(const struct observer *o, struct qpu_insn *i)
{
    const struct qpu_insn was = *i;
    i->cond_br = (uint8_t)BRANCH(BRANCH_COND, cond_br);
    i->rel = (uint8_t)BRANCH(BRANCH_REL, rel);
    i->reg = (uint8_t)BRANCH(BRANCH_REG, reg);
    i->raddr_a = (uint8_t)BRANCH(BRANCH_RADDR_A, raddr_a);
    i->immediate = BRANCH(BRANCH_IMMEDIATE, immediate);
}

static void observe_load(const struct observer *o, struct qpu_insn *i)
{
    const struct qpu_insn was = *i;
    if (i->class != QPU_SEMAPHORE) {
        i->immediate = FIELD_OF(o, IMMEDIATE, was.immediate, was.unpack, was.pm, was.pack, was.sf,
                                was.waddr_add, was.waddr_mul);
        return;
    }
    i->immediate =
        (was.immediate & ~31U) |
        FIELD_OF(o, SEMAPHORE_SA, was.immediate >> 4 & 1, was.cond_add, was.cond_mul, was.sf, was.immediate)
            << 4 |
        FIELD_OF(o, SEMAPHORE_NUMBER, was.immediate & 15, was.cond_add, was.cond_mul, was.sf, was.immediate);
}

static void observe_alu(const struct observer *o, struct qpu_insn *i)
{
    const struct qpu_insn was = *i;
    FIELD(UNPACK, unpack);
    FIELD(OP_MUL, op_mul);
    FIELD(OP_ADD, op_add);
    FIELD(RADDR_A, raddr_a);
    if (i->class == QPU_ALU_SMALL)
        FIELD(SMALL_IMMED, raddr_b);
    else
        FIELD(RADDR_B, raddr_b);
    MUX(ADD_A, add_a, op_add, alu_add_ops, add_b);
    MUX(ADD_B, add_b, op_add, alu_add_ops, add_a);
    MUX(MUL_A, mul_a, op_mul, alu_mul_ops, mul_b);
    MUX(MUL_B, mul_b, op_mul, alu_mul_ops, mul_a);
}

static void observe_fields(const struct observer *o, struct qpu_insn *i)
{
    const struct qpu_insn was = *i;
    FIELD(WS, ws);
    FIELD(WADDR_ADD, waddr_add);
    FIELD(WADDR_MUL, waddr_mul);
    if (i->class == QPU_BRANCH) {
        observe_branch(o, i);
        return;
    }
    FIELD(PM, pm);
    FIELD(PACK, pack);
    FIELD(COND_ADD, cond_add);
    FIELD(COND_MUL, cond_mul);
    FIELD(SF, sf);
    if (i->class > QPU_ALU_SMALL)
        observe_load(o, i);
    else
        observe_alu(o, i);
}

uint64_t qpu_observe_word(const struct qpu *q, uint64_t word)
{
    return observe_word(q->observer, word);
}

bool qpu_observe_class(const struct qpu *q, uint64_t word, struct qpu_insn *i)
{
    return decode(q->observer, word, i);
}

void qpu_observe_fields(const struct qpu *q, struct qpu_insn *i)
{
    observe_fields(q->observer, i);
}

uint64_t qpu_change_word(const struct qpu *q, uint64_t word)
{
    struct observer o = *q->observer;
    struct qpu_insn i;
    o.see = NULL;
    o.force = NULL;
    word = observe_word(&o, word);
    if (!decode(&o, word, &i))
        return word;
    observe_fields(&o, &i);
    if (i.class != qpu_class_of(word)) /* readers of the word take its class from the signal */
        i.sig = i.class == QPU_ALU         ? QPU_SIG_NONE
                : i.class == QPU_ALU_SMALL ? QPU_SIG_SMALL_IMMEDIATE
                : i.class == QPU_BRANCH    ? QPU_SIG_BRANCH
                                           : QPU_SIG_LOAD_IMMEDIATE;
    return qpu_encode(&i);
}
