/* SPDX-License-Identifier: MIT */
#include "harness/vc4/vc4_kernel.h"

#include "model/vc4/qpu/encoding/qpu_insn.h"

#include <stdlib.h>
#include <string.h>

enum {
    REGISTERS = 64 + 4, /* files A and B, then r0 to r3 */
    NO_REGISTER = REGISTERS,
    SWITCH_SLOTS = 3,
    BRANCH_SLOTS = 3,
    END_SLOTS = 2,
};

/* What the kernel tracks for each register: whether it holds a known constant, or a value clamped between 0
 * and a uniform. */
struct tracked {
    bool constant_known, from_zero, clamped;
    uint32_t constant;
    uint32_t limit; /* if clamped: the index of that uniform in the stream */
};

struct judge {
    const uint32_t *words;
    uint32_t count, at;
    bool is_part; /* other instructions come before these */
    struct vc4_kernel_shader *s;
    struct error *e;
    uint8_t *target; /* one byte for each instruction: 1 if a branch leads to it; NULL: no branches */
    struct tracked reg[REGISTERS];
    uint32_t parameters[2];            /* number of parameters written for each TMU's next look-up */
    struct vc4_kernel_sample setup[2]; /* the indices of these parameters */
    bool stream_lost; /* control flow joined: no uniform may be read before their address is written */
    bool loop_needs_reset;
    bool upper_half; /* uses registers 16 to 31, which belong to the other thread of a threaded program */
    struct qpu_insn i;
};

#define refuse(j, ...)                                                                                       \
    (error_set((j)->e, __VA_ARGS__), error_where((j)->e, "instruction %lu", (unsigned long)(j)->at))

/* Decodes the fields as the kernel does: as the fields of an ALU instruction, even if the instruction has an
 * immediate in their place. */
static inline void take(struct judge *j)
{
    uint32_t low = j->words[2 * j->at], high = j->words[2 * j->at + 1];
    j->i = (struct qpu_insn){
        .sig = (uint8_t)(high >> 28),
        .pm = high >> 24 & 1,
        .pack = high >> 20 & 15,
        .cond_add = high >> 17 & 7,
        .cond_mul = high >> 14 & 7,
        .ws = high >> 12 & 1,
        .waddr_add = high >> 6 & 63,
        .waddr_mul = high & 63,
        .op_add = low >> 24 & 31,
        .raddr_a = low >> 18 & 63,
        .raddr_b = low >> 12 & 63,
        .add_a = low >> 9 & 7,
        .add_b = low >> 6 & 7,
        .rel = high >> 19 & 1,
        .reg = high >> 18 & 1,
        .immediate = low,
    };
}

static bool is_small(const struct judge *j)
{
    return j->i.sig == QPU_SIG_SMALL_IMMEDIATE;
}

/* ---- branches: checked first ---- */

/*
 * Stricter than the kernel if a branch leads forward beyond the given words. Until the kernel finds the
 * signal of the program end, it compares with the buffer's size, which is a number of whole pages filled up
 * with zeros.
 */
static bool judge_branch_target(struct judge *j, uint32_t end)
{
    const struct qpu_insn *i = &j->i;
    uint32_t after = j->at + 1 + BRANCH_SLOTS;
    if (i->reg || !i->rel)
        return refuse(j, "only relative branches without a register are accepted");
    if (i->immediate % 8)
        return refuse(j, "the branch's distance is not a multiple of 8");
    uint32_t to = after + (uint32_t)((int32_t)i->immediate / 8);
    if (to >= end || after >= end)
        return refuse(j, "the branch leads, or its delay slots end, outside the program");
    j->target[to] = j->target[after] = 1;
    return true;
}

/*
 * The program ends two instructions after the program end signal. Another such signal in these two delay
 * slots moves the end again. The kernel starts as if instruction -2 were a branch, so neither instruction 0
 * nor 1 of a shader may be a branch.
 */
static bool find_targets(struct judge *j)
{
    uint32_t end = j->count, furthest = 0;
    int64_t last = j->is_part ? -BRANCH_SLOTS - 1 : -2;
    bool any = false;
    for (j->at = 0; j->at < end && j->at < j->count; j->at++) {
        uint32_t signal = j->words[2 * j->at + 1] >> 28;
        if (signal == QPU_SIG_END)
            end = j->at + 1 + END_SLOTS;
        if (signal != QPU_SIG_BRANCH)
            continue;
        if (!j->target && !(j->target = calloc(j->count, 1)))
            return error_memory(j->e, "while looking at a program's branches");
        take(j);
        if (j->at - last <= BRANCH_SLOTS)
            return refuse(j, any ? "a branch in the delay slots of another"
                                 : "a branch as one of the first two instructions");
        any = true;
        last = j->at;
        if (!judge_branch_target(j, end < j->count ? end : j->count))
            return false;
        furthest = j->at + 1 + BRANCH_SLOTS;
    }
    return !any || furthest + END_SLOTS < end ||
           refuse(j, "a branch's delay slots reach beyond the program's end");
}

/* ---- tracked registers ---- */

static void forget(struct judge *j, unsigned from)
{
    for (unsigned i = from; i < REGISTERS; i++)
        j->reg[i] = (struct tracked){0};
}

static unsigned written(uint8_t waddr, bool file_b)
{
    return waddr < QPU_FILE_ROWS ? waddr + 32U * file_b
           : waddr <= QPU_W_R3   ? 64U + waddr - QPU_W_R0
                                 : NO_REGISTER;
}

/*
 * Returns the tracked register of the ADD pipe's first operand. As in the kernel, the I/O addresses of file A
 * count as registers of file B. Stricter than the kernel for an I/O address of file B, which is no register
 * here: the kernel reads beyond its table of file B, that is, entries of accumulators or memory behind the
 * table.
 */
static unsigned first_operand(const struct judge *j)
{
    const struct qpu_insn *i = &j->i;
    if (i->add_a == QPU_MUX_A)
        return i->raddr_a;
    if (i->add_a == QPU_MUX_B && !is_small(j))
        return i->raddr_b < 32 ? 32U + i->raddr_b : NO_REGISTER;
    return i->add_a <= QPU_MUX_R3 ? 64U + i->add_a : NO_REGISTER;
}

static bool second_is_uniform(const struct judge *j, bool small_counts)
{
    const struct qpu_insn *i = &j->i;
    return (i->add_b == QPU_MUX_A && i->raddr_a == QPU_R_UNIFORM) ||
           (i->add_b == QPU_MUX_B && i->raddr_b == QPU_R_UNIFORM && (small_counts || !is_small(j)));
}

static inline void follow_constant(struct judge *j, bool mul)
{
    const struct qpu_insn *i = &j->i;
    unsigned r = written(mul ? i->waddr_mul : i->waddr_add, mul != i->ws);
    if (r == NO_REGISTER)
        return;
    j->reg[r].constant_known =
        i->sig == QPU_SIG_LOAD_IMMEDIATE && !i->pack && (mul ? i->cond_mul : i->cond_add) == QPU_COND_ALWAYS;
    j->reg[r].constant = i->immediate;
    j->upper_half = j->upper_half || (r < 64 && r % 32 >= 16);
}

/* Tracks the clamps that an offset of a direct look-up needs: max(x, 0) with the small immediate 0, then min
 * with a uniform. */
static inline void follow_clamps(struct judge *j)
{
    const struct qpu_insn *i = &j->i;
    unsigned from = first_operand(j), add = written(i->waddr_add, i->ws), mul = written(i->waddr_mul, !i->ws);
    bool was_from_zero = from < NO_REGISTER && j->reg[from].from_zero;
    if (mul < NO_REGISTER)
        j->reg[mul].from_zero = j->reg[mul].clamped = false;
    if (add == NO_REGISTER)
        return;
    j->reg[add].from_zero = j->reg[add].clamped = false;
    if (i->cond_add != QPU_COND_ALWAYS)
        return;
    if (i->op_add == QPU_ADD_MAX)
        j->reg[add].from_zero =
            is_small(j) && i->raddr_b == 0 && (i->add_a == QPU_MUX_B || i->add_b == QPU_MUX_B);
    if (i->op_add == QPU_ADD_MIN)
        j->reg[add].clamped = was_from_zero && second_is_uniform(j, false);
    j->reg[add].limit = j->s->uniforms;
}

/* ---- writes ---- */

/* Clears a TMU's parameters. Keeps the flag that it has made a memory look-up. */
static void forget_setup(struct judge *j, unsigned tmu)
{
    for (unsigned i = 0; i < VC4_KERNEL_PARAMETERS; i++)
        j->setup[tmu].parameter[i] = VC4_KERNEL_NO_WORD;
}

static void note_parameter(struct judge *j, unsigned tmu, unsigned n, uint32_t word)
{
    j->setup[tmu].parameter[n] = (uint16_t)word;
}

static void note_sample(struct judge *j, unsigned tmu)
{
    struct vc4_kernel_shader *s = j->s;
    if (s->samples < VC4_KERNEL_SAMPLES_MAX)
        s->sample[s->samples] = j->setup[tmu];
    s->samples++;
    forget_setup(j, tmu);
}

static bool judge_lookup(struct judge *j, uint8_t waddr, bool mul)
{
    const struct qpu_insn *i = &j->i;
    unsigned tmu = waddr >= QPU_W_TMU1_S, clamp = first_operand(j);
    bool submits = waddr == QPU_W_TMU0_S || waddr == QPU_W_TMU1_S, direct = submits && !j->parameters[tmu];
    if (direct) {
        if (is_small(j) || mul || i->op_add != QPU_ADD_ADD)
            return refuse(j,
                          "a look-up in memory must be an integer addition by the ADD pipe, without a small "
                          "immediate");
        if (clamp == NO_REGISTER || !j->reg[clamp].clamped)
            return refuse(
                j, "the first operand of a look-up in memory was not clamped by max with 0 and min with a "
                   "uniform");
        if (!second_is_uniform(j, true))
            return refuse(j, "the second operand of a look-up in memory is not a uniform");
        j->setup[tmu].direct = true;
        note_parameter(j, tmu, 0, j->s->uniforms);
        note_parameter(j, tmu, 1, j->reg[clamp].limit);
    } else {
        if (i->raddr_a == QPU_R_UNIFORM || (!is_small(j) && i->raddr_b == QPU_R_UNIFORM))
            return refuse(j,
                          "reads a uniform while it writes a parameter of a look-up, which itself takes one");
        if (j->parameters[tmu] >= VC4_KERNEL_PARAMETERS)
            return refuse(j, "more than four parameters for one look-up");
        if (j->stream_lost)
            return refuse(j,
                          "writes a parameter of a look-up after control flow joined, before the uniforms' "
                          "address was set again");
        note_parameter(j, tmu, j->parameters[tmu], j->s->uniforms++);
    }
    j->parameters[tmu] = submits ? 0 : j->parameters[tmu] + 1;
    if (submits)
        note_sample(j, tmu);
    return true;
}

static void note_address_word(struct judge *j)
{
    struct vc4_kernel_shader *s = j->s;
    if (s->address_words < VC4_KERNEL_RESETS_MAX)
        s->address_word[s->address_words] = (uint16_t)s->uniforms;
    s->address_words++;
}

static bool judge_reset(struct judge *j, bool mul)
{
    const struct qpu_insn *i = &j->i;
    static const uint32_t fine = 1U << QPU_SIG_NONE | 1U << QPU_SIG_SCOREBOARD_UNLOCK |
                                 1U << QPU_SIG_COLOUR_LOAD | 1U << QPU_SIG_LOAD_TMU0 |
                                 1U << QPU_SIG_LOAD_TMU1;
    unsigned offset = first_operand(j);
    if (!(fine >> i->sig & 1) || mul || i->op_add != QPU_ADD_ADD || i->cond_add != QPU_COND_ALWAYS ||
        (i->pack && !i->pm))
        return refuse(j, "the uniforms' address must be set by a plain, unconditional integer addition of "
                         "the ADD pipe");
    if (offset == NO_REGISTER || !j->reg[offset].constant_known ||
        j->reg[offset].constant != 4 * j->s->uniforms + 4)
        return refuse(j,
                      "the uniforms' address needs the constant %u, loaded since control flow last joined, "
                      "as its first operand",
                      (unsigned)(4 * j->s->uniforms + 4));
    if (!second_is_uniform(j, true))
        return refuse(j, "the uniforms' address needs a uniform as its second operand");
    j->stream_lost = j->loop_needs_reset = false;
    note_address_word(j);
    return true;
}

#define BIT(waddr) (UINT64_C(1) << (waddr))
/* NEVER: write addresses that no shader may use. RULED: all write addresses that have a rule. */
#define NEVER                                                                                                \
    (BIT(QPU_W_TMU_NOSWAP) | BIT(QPU_W_INTERRUPT) | BIT(QPU_W_TLB_ALPHA) | BIT(QPU_W_DMA_ADDRESS) |          \
     BIT(QPU_W_MUTEX))
#define RULED (NEVER | BIT(QPU_W_UNIFORMS_ADDRESS) | UINT64_C(255) << QPU_W_TMU0_S)

static bool judge_write(struct judge *j, bool mul)
{
    const struct qpu_insn *i = &j->i;
    uint8_t waddr = mul ? i->waddr_mul : i->waddr_add;
    bool file_b = mul != i->ws;
    follow_constant(j, mul);
    if (NEVER >> waddr & 1)
        return refuse(j, "writes %s, which no shader may write", qpu_write_name(file_b, waddr));
    if (waddr == QPU_W_UNIFORMS_ADDRESS)
        return file_b ? refuse(j, "sets the uniforms' address by a relative write") : judge_reset(j, mul);
    return waddr < QPU_W_TMU0_S || judge_lookup(j, waddr, mul);
}

/* The first test is a short cut, because few writes have a rule: of the hundred instructions around a case,
 * only the look-ups. */
static bool judge_writes(struct judge *j)
{
    if (!((RULED >> j->i.waddr_add | RULED >> j->i.waddr_mul) & 1)) {
        follow_constant(j, false);
        follow_constant(j, true);
        follow_clamps(j);
        return true;
    }
    j->s->plain = false;
    if (j->i.waddr_add >= QPU_W_TMU0_S && j->i.waddr_mul >= QPU_W_TMU0_S)
        return refuse(j, "both pipes write parameters of look-ups");
    if (!judge_write(j, false) || !judge_write(j, true))
        return false;
    follow_clamps(j);
    return true;
}

/* ---- reads: the kernel checks the address fields even if no operand uses them ---- */

static bool judge_reads(struct judge *j)
{
    uint8_t a = j->i.raddr_a, b = is_small(j) ? QPU_R_NOTHING : j->i.raddr_b;
    j->upper_half = j->upper_half || (a >= 16 && a < 32) || (b >= 16 && b < 32);
    if (a != QPU_R_UNIFORM && b != QPU_R_UNIFORM)
        return true;
    j->s->uniforms++;
    return !j->stream_lost ||
           refuse(j, "reads a uniform after control flow joined, before the uniforms' address was set again");
}

static bool arrive(struct judge *j)
{
    if (!j->target || !j->target[j->at])
        return true;
    if (j->parameters[0] || j->parameters[1])
        return refuse(j, "a branch leads between the parameters of a look-up");
    forget(j, 0);
    j->stream_lost = true;
    return true;
}

static bool judge_instruction(struct judge *j, uint32_t since_switch)
{
    const struct qpu_insn *i = &j->i;
    switch (i->sig) {
    case QPU_SIG_BREAKPOINT:
    case QPU_SIG_COVERAGE_LOAD:
    case QPU_SIG_COLOUR_LOAD_END:
    case QPU_SIG_ALPHA_LOAD:
        return refuse(j, "has signal %s, which no shader may have", qpu_signal_names[i->sig]);
    case QPU_SIG_LOAD_IMMEDIATE:
        return judge_writes(j);
    case QPU_SIG_BRANCH:
        j->s->plain = false;
        if (i->waddr_add != QPU_W_NOTHING || i->waddr_mul != QPU_W_NOTHING)
            return refuse(j, "a branch writes a register");
        j->loop_needs_reset = j->loop_needs_reset || (int32_t)i->immediate < 0;
        return since_switch >= SWITCH_SLOTS || refuse(j, "a branch in the delay slots of a thread switch");
    case QPU_SIG_THREAD_SWITCH:
    case QPU_SIG_LAST_THREAD_SWITCH:
        j->s->threaded = true;
        j->s->plain = false;
        if (since_switch < SWITCH_SLOTS)
            return refuse(j, "a thread switch in the delay slots of another");
        break;
    }
    return judge_writes(j) && judge_reads(j);
}

static bool judge_program(struct judge *j)
{
    uint32_t since_switch = SWITCH_SLOTS + 1, end = UINT32_MAX;
    for (j->at = 0; j->at < j->count; j->at++) {
        take(j);
        if (!arrive(j))
            return false;
        if (since_switch == SWITCH_SLOTS)
            forget(j, 64); /* the other thread has changed r0 to r3 */
        if (!judge_instruction(j, since_switch))
            return false;
        since_switch = j->i.sig == QPU_SIG_THREAD_SWITCH || j->i.sig == QPU_SIG_LAST_THREAD_SWITCH
                           ? 1
                           : since_switch + 1;
        if (j->i.sig == QPU_SIG_END)
            end = j->at + END_SLOTS;
        if (j->at == end)
            break;
    }
    if (j->at == j->count)
        return error_set(j->e, "the program has no end");
    if (j->s->threaded && j->upper_half)
        return error_set(j->e,
                         "a program with thread switches uses registers 16 to 31, which belong to the other "
                         "thread");
    if (j->loop_needs_reset) { /* one more address word, for the beginning of the loop */
        note_address_word(j);
        j->s->uniforms++;
    }
    j->s->instructions = j->at + 1;
    j->s->plain = j->s->plain && j->s->instructions == j->count;
    return true;
}

static bool judge_all(struct judge *j)
{
    j->s->instructions = j->s->uniforms = j->s->address_words = j->s->samples = 0;
    j->s->threaded = false;
    j->s->plain = true;
    forget_setup(j, 0);
    forget_setup(j, 1);
    bool good = find_targets(j) && judge_program(j);
    free(j->target);
    return good;
}

bool vc4_kernel_accepts(const uint32_t *words, uint32_t count, struct vc4_kernel_shader *s, struct error *e)
{
    struct judge j = {.words = words, .count = count, .s = s, .e = e};
    return judge_all(&j);
}

bool vc4_kernel_accepts_part(const uint32_t *words, uint32_t count, struct vc4_kernel_shader *s,
                             struct error *e)
{
    struct judge j = {.words = words, .count = count, .is_part = true, .s = s, .e = e};
    return judge_all(&j);
}
