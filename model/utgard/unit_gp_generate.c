/* SPDX-License-Identifier: MIT */
/*
 * Generates cases that are worth running: programs that read results which
 * exist, mostly wait for latencies, store to varyings, and end.
 */
#include "model/utgard/unit_gp.h"

#include <string.h>

#define PICK(r, list) ((list)[random_below(r, sizeof(list) / sizeof *(list))])

enum { USED_ROWS = 12, EDGE_ROW = USED_ROWS, USED_ATTRIBUTES = 4, USED_REGISTERS = 4, MADE_LIMIT = 64 };

/* ---- instructions ---- */

static uint16_t below(struct random *r, uint32_t n)
{
    return (uint16_t)random_below(r, n);
}

/* Returns an input that usually has a value: a fetch, or a result of one or two instructions ago. */
static uint16_t any_source(struct random *r)
{
    static const uint8_t usual[] = {0,  1,  2,  3,  0,  1,  2,  3,  4,  5,  6,  7,  12, 13, 14, 15, 12, 13,
                                    14, 15, 16, 17, 18, 19, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    return random_one_in(r, 64) ? below(r, GP_SOURCES) : PICK(r, usual);
}

static uint16_t any_second(struct random *r)
{
    return random_one_in(r, 4) ? GP_COMPLEX_D1 : any_source(r);
}

static void make_acc(struct random *r, struct gp_insn *i)
{
    static const uint8_t ops[] = {GP_ACC_ADD,  GP_ACC_ADD, GP_ACC_ADD, GP_ACC_ADD, GP_ACC_FLOOR,
                                  GP_ACC_SIGN, GP_ACC_GE,  GP_ACC_LT,  GP_ACC_MIN, GP_ACC_MAX};
    uint32_t dice = random_u32(r);
    i->acc_op = random_one_in(r, 64) ? GP_ACC_3 : PICK(r, ops);
    if (dice & 3) {
        i->acc0_src0 = any_source(r);
        i->acc0_src1 = any_second(r);
        i->acc0_src0_neg = dice >> 4 & 1;
        i->acc0_src1_neg = i->acc0_src1 == GP_COMPLEX_D1 ? (dice >> 5 & 7) != 0 : (dice >> 5 & 1) != 0;
    }
    if (dice >> 8 & 1) {
        i->acc1_src0 = any_source(r);
        i->acc1_src1 = any_second(r);
        i->acc1_src0_neg = dice >> 9 & 1;
        i->acc1_src1_neg = i->acc1_src1 == GP_COMPLEX_D1 ? (dice >> 10 & 7) != 0 : (dice >> 10 & 1) != 0;
    }
}

static void make_mul(struct random *r, struct gp_insn *i)
{
    static const uint8_t ops[] = {GP_MUL_MUL, GP_MUL_MUL, GP_MUL_MUL,    GP_MUL_MUL,
                                  GP_MUL_MUL, GP_MUL_MUL, GP_MUL_SELECT, GP_MUL_COMPLEX2};
    uint32_t dice = random_u32(r);
    i->mul_op = random_one_in(r, 64) ? below(r, 8) : PICK(r, ops);
    if (dice & 3) {
        i->mul0_src0 = any_source(r);
        i->mul0_src1 = i->mul_op == GP_MUL_SELECT ? any_source(r) : any_second(r);
        i->mul0_neg = !(dice >> 4 & 3);
    }
    if ((dice >> 8 & 1) || i->mul_op == GP_MUL_SELECT) {
        i->mul1_src0 = any_source(r);
        i->mul1_src1 = i->mul_op == GP_MUL_SELECT ? GP_NONE : any_second(r);
        i->mul1_neg = !(dice >> 9 & 3);
    }
    if (i->mul_op != GP_MUL_MUL && (dice >> 12 & 7))
        i->mul0_neg = i->mul1_neg = 0;
}

static void make_complex_and_pass(struct random *r, struct gp_insn *i)
{
    static const uint8_t complex_ops[] = {9, 9, 9, 9, 9, 2, 3, 4, 5, 12, 13, 14, 15, 10};
    static const uint8_t pass_ops[] = {2, 2, 2, 2, 2, 6, 6, 4, 5};
    if (!random_one_in(r, 3)) {
        i->complex_op = random_one_in(r, 64) ? below(r, 16) : PICK(r, complex_ops);
        i->complex_src = any_source(r);
    }
    if (!random_one_in(r, 3)) {
        i->pass_op = random_one_in(r, 64) ? below(r, 8) : PICK(r, pass_ops);
        i->pass_src = any_source(r);
    }
}

static void make_fetches(struct random *r, struct gp_insn *i)
{
    uint32_t dice = random_u32(r);
    i->register0_attribute = (dice & 3) != 0;
    i->register0_addr = below(r, dice >> 2 & 15 ? USED_ATTRIBUTES : GP_ATTRIBUTES);
    i->register1_addr = dice >> 6 & 3 ? i->register0_attribute ? below(r, USED_REGISTERS) : i->register0_addr
                                      : below(r, USED_REGISTERS);
    i->load_addr = below(r, dice >> 8 & 31 ? USED_ROWS : GP_MEMORY_ROWS);
    if (!(dice >> 13 & 15))
        i->load_offset = random_one_in(r, 4) ? below(r, 8) : (uint16_t)(1 + random_below(r, 3));
}

/* Returns the units whose results are useful by themselves, one bit each. */
static uint32_t busy_units(const struct gp_insn *i)
{
    bool pair = i->mul_op == GP_MUL_MUL;
    return (uint32_t)(i->acc0_src0 != GP_NONE) << GP_ACC0 | (uint32_t)(i->acc1_src0 != GP_NONE) << GP_ACC1 |
           (uint32_t)((i->mul0_src0 != GP_NONE) & (pair | (i->mul_op == GP_MUL_SELECT))) << GP_MUL0 |
           (uint32_t)((i->mul1_src0 != GP_NONE) & (pair | (i->mul_op == GP_MUL_COMPLEX2))) << GP_MUL1 |
           (uint32_t)(i->pass_src != GP_NONE) << GP_PASS |
           (uint32_t)((i->complex_src != GP_NONE) & (i->complex_op == GP_COMPLEX_MOV)) << GP_COMPLEX;
}

/* Returns a busy unit, GP_STORE_NONE if none is busy, or (1 in 96) any number. `around` repeats the mask, so
 * that the search can begin at any unit. */
static uint16_t any_result(struct random *r, uint32_t busy)
{
    uint32_t start = random_below(r, 7 * 96), around = (busy | busy << 7) >> start % 7;
    if (start >= 7 * 95)
        return below(r, 8);
    return around ? (uint16_t)((start % 7 + (uint32_t)__builtin_ctz(around)) % 7) : GP_STORE_NONE;
}

static void make_stores(struct random *r, struct gp_insn *i)
{
    uint32_t dice = random_u32(r), busy = busy_units(i);
    i->store0_varying = dice & 1;
    i->store1_varying = dice >> 1 & 1;
    i->store0_addr = below(r, USED_REGISTERS);
    i->store1_addr = dice >> 2 & 3 ? i->store0_addr : below(r, USED_REGISTERS);
    if (dice >> 4 & 3) {
        i->store0_src_x = any_result(r, busy);
        i->store0_src_y = dice >> 6 & 1 ? any_result(r, busy) : GP_STORE_NONE;
    }
    if (dice >> 7 & 3) {
        i->store1_src_z = any_result(r, busy);
        i->store1_src_w = dice >> 9 & 1 ? any_result(r, busy) : GP_STORE_NONE;
    }
    if (!(dice >> 10 & 31)) {
        i->store0_temporary = !(dice >> 15 & 1);
        i->store1_temporary = dice >> 15 & 1;
        i->store0_varying = i->store1_varying = 0;
        i->complex_op = GP_COMPLEX_ADDR0;
        i->complex_src = GP_LOAD_X + (dice >> 16 & 3);
        if (dice >> 18 & 7)
            *(i->store0_temporary ? &i->store0_addr : &i->store1_addr) = 0;
    }
}

static struct gp_insn make_insn(struct random *r)
{
    struct gp_insn i = gp_nop;
    make_fetches(r, &i);
    make_acc(r, &i);
    make_mul(r, &i);
    make_complex_and_pass(r, &i);
    make_stores(r, &i);
    if (random_one_in(r, 24)) {
        i.branch = 1;
        i.pass_src = random_one_in(r, 8) ? any_source(r) : GP_LOAD_X + below(r, GP_VEC);
        i.pass_op = random_one_in(r, 8) ? i.pass_op : GP_PASS_MOV;
        gp_set_branch_target(&i, random_below(r, 16));
    }
    i.flags = random_one_in(r, 48) ? below(r, 16) : (uint16_t)gp_usual_flags(&i);
    return i;
}

void gp_generate_word(struct random *r, uint32_t *words)
{
    struct gp_insn i = make_insn(r);
    gp_encode(&i, words);
}

/* Flips a bit of a field, draws the field anew, or replaces the instruction. */
void gp_mutate_word(struct random *r, uint32_t *words)
{
    unsigned count = 0;
    while (gp_bit_fields[count].name)
        count++;
    uint32_t n = random_below(r, 16);
    if (n == 0) {
        gp_generate_word(r, words);
        return;
    }
    const struct bit_field *f = &gp_bit_fields[random_below(r, count)];
    unsigned flip = f->low + random_below(r, f->width);
    words[flip / 32] ^= UINT32_C(1) << (flip % 32);
    if (n < 10)
        return;
    for (unsigned b = 0; b < f->width; b++) {
        unsigned bit = f->low + b;
        uint32_t mask = UINT32_C(1) << (bit % 32);
        words[bit / 32] = random_one_in(r, 2) ? words[bit / 32] | mask : words[bit / 32] & ~mask;
    }
}

/* ---- programs ---- */

static struct gp_insn *append(struct gp_insn *program, uint32_t *count)
{
    program[*count] = gp_nop;
    return &program[(*count)++];
}

/* Makes acc 0 move a value, and stores it to the x of a varying. */
static void store_moved(struct gp_insn *i, unsigned source)
{
    i->acc0_src0 = (uint16_t)source;
    i->acc0_src1 = GP_COMPLEX_D1;
    i->acc0_src1_neg = 1;
    i->store0_varying = 1;
    i->store0_src_x = GP_ACC0;
}

/* Adds stores of fetched values to registers, for later instructions to read. Returns how many. */
static uint32_t add_prologue(struct random *r, struct gp_insn *program, uint32_t *count)
{
    uint32_t registers = 1 + random_below(r, 2);
    for (uint32_t n = 0; n < registers; n++) {
        struct gp_insn *i = append(program, count);
        i->register0_attribute = 1;
        i->register0_addr = (uint16_t)n;
        i->load_addr = (uint16_t)n;
        i->acc0_src0 = GP_REG0_X;
        i->acc0_src1 = GP_LOAD_X;
        i->acc1_src0 = GP_LOAD_X + 1;
        i->acc1_src1 = GP_COMPLEX_D1;
        i->acc1_src1_neg = 1;
        i->mul0_src0 = GP_REG0_X + 2;
        i->mul0_src1 = GP_LOAD_X + 2;
        i->pass_src = GP_REG0_X + 3;
        i->store0_addr = i->store1_addr = (uint16_t)n;
        i->store0_src_x = GP_ACC0;
        i->store0_src_y = GP_ACC1;
        i->store1_src_z = GP_MUL0;
        i->store1_src_w = GP_PASS;
    }
    return registers;
}

/* Adds a function in the five instructions that compilers use. Its result goes to a varying. */
static void add_function(struct random *r, struct gp_insn *program, uint32_t *count)
{
    static const uint8_t ops[] = {GP_COMPLEX_RCP, GP_COMPLEX_RCP, GP_COMPLEX_RSQRT, GP_COMPLEX_EXP2,
                                  GP_COMPLEX_LOG2};
    unsigned op = PICK(r, ops);
    uint16_t x = GP_LOAD_X + below(r, 4);
    struct gp_insn *i = append(program, count);
    i->load_addr = below(r, USED_ROWS);
    i->pass_src = x;
    i->pass_op = op == GP_COMPLEX_EXP2 ? GP_PASS_PREEXP2 : GP_PASS_MOV;
    i = append(program, count);
    i->complex_op = (uint16_t)op;
    i->complex_src = i->mul0_src0 = i->mul0_src1 = i->pass_src = GP_PASS_D1;
    i->mul_op = GP_MUL_COMPLEX2;
    i = append(program, count);
    i->mul_op = GP_MUL_COMPLEX1;
    i->mul0_src0 = i->mul1_src0 = GP_COMPLEX_D1;
    i->mul0_src1 = GP_MUL0_D1;
    i->mul1_src1 = GP_PASS_D1;
    if (random_one_in(r, 4)) { /* stores the result too early */
        i->store0_varying = 1;
        i->store0_src_x = random_one_in(r, 2) ? GP_MUL0 : GP_STORE_NONE;
    }
    i = append(program, count);
    if (random_one_in(r, 8))
        store_moved(i, GP_MUL0_D1);
    i = append(program, count);
    i->pass_src = GP_MUL0_D2;
    i->pass_op = op == GP_COMPLEX_LOG2 ? GP_PASS_POSTLOG2 : random_one_in(r, 2) ? GP_PASS_CLAMP : GP_PASS_MOV;
    i->load_addr = below(r, USED_ROWS);
    i->store0_varying = 1;
    i->store0_addr = below(r, 2);
    i->store0_src_x = GP_PASS;
}

/* Adds a store to a register or temporary, and a read of it, mostly after its latency. */
static void add_round_trip(struct random *r, struct gp_insn *program, uint32_t *count)
{
    bool temporary = random_one_in(r, 2);
    uint32_t wait = 1 + random_below(r, 4);
    uint16_t place = below(r, USED_REGISTERS);
    struct gp_insn *i = append(program, count);
    i->load_addr = below(r, USED_ROWS);
    i->mul0_src0 = GP_LOAD_X;
    i->mul0_src1 = GP_LOAD_X + 1;
    i->store0_src_x = GP_MUL0;
    i->store0_addr = temporary ? 0 : place;
    if (temporary) {
        i->store0_temporary = 1;
        i->complex_op = GP_COMPLEX_ADDR0;
        i->complex_src = GP_LOAD_X + 3; /* the rows have their own numbers there: make_memory */
        i->flags = GP_FLAGS_TEMPORARY;
        place = i->load_addr;
    }
    while (wait--)
        *append(program, count) = random_one_in(r, 2) ? gp_nop : make_insn(r);
    i = append(program, count);
    i->register0_addr = i->load_addr = place;
    store_moved(i, temporary ? GP_LOAD_X : GP_REG0_X);
    i->store0_addr = 1;
}

/* Sets one to three address registers from memory, and loads through each, mostly after their latency. */
static void add_indexed_loads(struct random *r, struct gp_insn *program, uint32_t *count)
{
    enum { LOADING = GP_ADDRESS_REGISTERS - 1 }; /* register 0 is for stores */
    uint32_t registers = 1 + random_below(r, LOADING), first = random_below(r, LOADING);
    uint32_t wait = random_one_in(r, 8) ? random_below(r, 3) : 3;
    struct gp_insn *i;
    for (uint32_t n = 0; n < registers; n++) {
        i = append(program, count);
        i->load_addr = below(r, USED_ROWS);
        i->complex_op = (uint16_t)(GP_COMPLEX_ADDR0 + 1 + (first + n) % LOADING);
        i->complex_src = GP_LOAD_X + (random_one_in(r, 2) ? 3 : below(r, GP_VEC)); /* see make_memory */
    }
    while (wait--)
        *append(program, count) = random_one_in(r, 2) ? gp_nop : make_insn(r);
    for (uint32_t n = 0; n < registers; n++) {
        i = append(program, count);
        i->load_addr = below(r, USED_ROWS);
        i->load_offset = (uint16_t)(1 + (first + n) % LOADING);
        i->pass_src = GP_LOAD_X + below(r, GP_VEC);
        i->store0_varying = 1;
        i->store0_addr = below(r, 2);
        *(random_one_in(r, 2) ? &i->store0_src_x : &i->store0_src_y) = GP_PASS;
    }
}

/* Adds an access at an edge of memory: sets an address register from row EDGE_ROW, then loads or stores at
 * the first or last row, or one row outside. */
static void add_edge(struct random *r, struct gp_case *c, struct gp_insn *program, uint32_t *count)
{
    static const int16_t rows[] = {-1, 0, GP_MEMORY_ROWS - 1, GP_MEMORY_ROWS};
    bool store = random_one_in(r, 3);
    uint16_t base = store ? 0 : below(r, random_one_in(r, 2) ? USED_ROWS : GP_MEMORY_ROWS),
             address = store ? 0 : (uint16_t)(1 + random_below(r, 3)), component = below(r, GP_VEC);
    uint32_t wait = 2 + random_below(r, 3);
    float offset = (float)(PICK(r, rows) - base) + (random_one_in(r, 8) ? 0.5F : 0.0F);
    memcpy(&c->memory.row[EDGE_ROW].word[component], &offset, sizeof offset);
    struct gp_insn *i = append(program, count);
    i->load_addr = EDGE_ROW;
    i->complex_op = (uint16_t)(GP_COMPLEX_ADDR0 + address);
    i->complex_src = GP_LOAD_X + component;
    if (store) {
        i->mul0_src0 = i->mul0_src1 = GP_LOAD_X + component;
        i->store0_src_x = GP_MUL0;
        i->store0_temporary = 1;
        i->flags = GP_FLAGS_TEMPORARY;
        return;
    }
    while (wait--)
        *append(program, count) = gp_nop;
    i = append(program, count);
    i->load_addr = base;
    i->load_offset = address;
    store_moved(i, GP_LOAD_X + below(r, GP_VEC));
    i->store0_addr = 1;
}

/* Adds a branch over one or two stores, mostly on 1.0 or 0.0, so that gp-truth seldom matters. */
static void add_branch(struct random *r, struct gp_insn *program, uint32_t *count)
{
    uint32_t over = 1 + random_below(r, 2);
    struct gp_insn *i = append(program, count);
    i->load_addr = below(r, USED_ROWS);
    i->acc0_src0 = GP_LOAD_X + 1;
    i->acc0_src1 = GP_LOAD_X + (random_one_in(r, 2) ? 1 : 2);
    i->acc_op = GP_ACC_GE;
    i = append(program, count);
    *i = make_insn(r);
    i->branch = 1;
    i->flags = GP_FLAGS_BRANCH;
    i->store0_temporary = i->store1_temporary = 0;
    i->pass_op = GP_PASS_MOV;
    i->pass_src = GP_ACC0_D1;
    gp_set_branch_target(i, *count + over);
    while (over--) {
        i = append(program, count);
        i->load_addr = below(r, USED_ROWS);
        i->pass_src = GP_LOAD_X;
        i->store0_varying = 1;
        i->store0_src_y = GP_PASS;
    }
}

/* Adds stores of a register, two earlier results and a row of memory to a varying, so that the outcome shows
 * what the program left in them. */
static void add_epilogue(struct random *r, struct gp_insn *program, uint32_t *count, uint32_t varyings)
{
    static const uint8_t results[] = {GP_ACC0_D1, GP_ACC1_D1, GP_MUL0_D1, GP_MUL1_D1, GP_PASS_D1,
                                      GP_ACC0_D2, GP_ACC1_D2, GP_MUL0_D2, GP_MUL1_D2, GP_PASS_D2};
    struct gp_insn *i = append(program, count);
    i->register0_attribute = 1;
    i->register1_addr = below(r, USED_REGISTERS);
    i->load_addr = below(r, USED_ROWS);
    store_moved(i, GP_REG1_X + below(r, GP_VEC));
    i->acc1_src0 = PICK(r, results);
    i->acc1_src1 = GP_COMPLEX_D1;
    i->acc1_src1_neg = 1;
    i->complex_op = GP_COMPLEX_MOV;
    i->complex_src = PICK(r, results);
    i->pass_src = GP_LOAD_X + below(r, GP_VEC);
    i->store0_src_y = GP_ACC1;
    i->store1_varying = 1;
    i->store1_src_z = GP_COMPLEX;
    i->store1_src_w = GP_PASS;
    i->store0_addr = i->store1_addr = below(r, varyings);
}

/* Returns the units that compute nothing, a bit each by enum gp_unit. */
static uint32_t idle_units(const struct gp_insn *i)
{
    return (uint32_t)(i->acc0_src0 == GP_NONE) << GP_ACC0 | (uint32_t)(i->acc1_src0 == GP_NONE) << GP_ACC1 |
           (uint32_t)(i->mul0_src0 == GP_NONE) << GP_MUL0 | (uint32_t)(i->mul1_src0 == GP_NONE) << GP_MUL1 |
           (uint32_t)(i->pass_src == GP_NONE) << GP_PASS |
           (uint32_t)(i->complex_src == GP_NONE) << GP_COMPLEX;
}

/* Does an input read a unit that was idle? `before`: units idle one and two instructions ago. */
static bool reads_idle(uint32_t source, const uint32_t before[2])
{
    static const uint8_t later[] = {GP_PASS, GP_ACC0, GP_ACC1, GP_MUL0, GP_MUL1}; /* from GP_PASS_D2 on */
    if (source >= GP_ACC0_D1 && source <= GP_PASS_D1)
        return before[0] >> (source - GP_ACC0_D1) & 1;
    return source >= GP_PASS_D2 && source <= GP_MUL1_D2 && (before[1] >> later[source - GP_PASS_D2] & 1);
}

static bool sets_address(const struct gp_insn *i)
{
    return i->complex_op >= GP_COMPLEX_ADDR0 && i->complex_op < GP_COMPLEX_ADDR0 + GP_ADDRESS_REGISTERS;
}

/* Replaces most inputs that read an idle unit by memory, and most registers that the prologue did not store
 * (from number `stored` on) by ones that it did. Otherwise most results would be undefined. Inputs that set
 * address registers stay, because most words of memory are no addresses. */
static void connect(struct random *r, struct gp_insn *program, uint32_t count, uint32_t stored)
{
    uint32_t before[2] = {UINT32_MAX, UINT32_MAX};
    for (uint32_t n = 0; n < count; n++) {
        struct gp_insn *i = &program[n];
        uint16_t *const source[] = {&i->acc0_src0, &i->acc0_src1,  &i->acc1_src0, &i->acc1_src1,
                                    &i->mul0_src0, &i->mul0_src1,  &i->mul1_src0, &i->mul1_src1,
                                    &i->pass_src,  &i->complex_src};
        for (unsigned k = 0; k < sizeof source / sizeof *source; k++)
            if (reads_idle(*source[k], before) && !random_one_in(r, 16) &&
                !(source[k] == &i->complex_src && sets_address(i)))
                *source[k] = GP_LOAD_X + below(r, GP_VEC);
        if (stored && i->register1_addr >= stored && !random_one_in(r, 8))
            i->register1_addr = below(r, stored);
        if (stored && !i->register0_attribute && !random_one_in(r, 8))
            i->register0_addr = i->register1_addr;
        before[1] = before[0];
        before[0] = idle_units(i);
    }
}

/* Sets branch targets up to `end`. Few are backward, because such loops mostly run to the limit. */
static void set_targets(struct random *r, struct gp_insn *program, uint32_t count, uint32_t end)
{
    for (uint32_t n = 0; n < count; n++) {
        if (!program[n].branch || gp_branch_target(&program[n]) == n + 2 ||
            gp_branch_target(&program[n]) == n + 3) /* add_branch set this target */
            continue;
        uint32_t forward = n < end ? n + 1 + random_below(r, end - n) : count,
                 any = random_below(r, count + 2);
        gp_set_branch_target(&program[n], random_one_in(r, 16) ? any : forward);
    }
}

/* ---- inputs ---- */

/* Returns an ordinary number, a small whole one, 0 or 1 for conditions, or an edge case. */
static uint32_t any_word(struct random *r)
{
    static const uint32_t edges[] = {0x00000000, 0x80000000, 0x3F800000, 0x3F800000, 0xBF800000, 0x7F800000,
                                     0xFF800000, 0x7FC00000, 0x00000001, 0x807FFFFF, 0x00800000, 0x7F7FFFFF,
                                     0x3F7FFFFF, 0x501502F9, 0xD01502F9, 0x7F800001};
    static const uint32_t whole[] = {0x00000000, 0x3F800000, 0x40000000, 0x40400000, 0x40800000, 0x40A00000,
                                     0x40C00000, 0x40E00000, 0x41000000, 0x41100000, 0x41200000, 0x41300000,
                                     0xBF800000, 0xC0000000, 0x3FC00000, 0xBFC00000};
    uint64_t dice = random_u64(r);
    uint32_t low = (uint32_t)dice, share = (uint32_t)(dice >> 32) & 0xFFFF;
    const uint32_t words[4] = {edges[share & 15], (low & 0x807FFFFF) | (118 + share % 20) << 23,
                               whole[share & 15], low};
    static const uint8_t kinds[16] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3};
    return words[kinds[dice >> 60]];
}

/* The numbers of the first rows, as floats. */
static const uint32_t row_numbers[USED_ROWS] = {0x00000000, 0x3F800000, 0x40000000, 0x40400000,
                                                0x40800000, 0x40A00000, 0x40C00000, 0x40E00000,
                                                0x41000000, 0x41100000, 0x41200000, 0x41300000};

static void make_memory(struct random *r, struct gp_case *c)
{
    bool numbered = !random_one_in(r, 4);
    c->memory.count = USED_ROWS + 1;
    memset(&c->memory.row[EDGE_ROW], 0, sizeof c->memory.row[EDGE_ROW]);
    c->memory.row[EDGE_ROW].index = EDGE_ROW;
    for (uint32_t row = 0; row < USED_ROWS; row++) {
        c->memory.row[row].index = row;
        for (unsigned k = 0; k < GP_VEC; k++)
            c->memory.row[row].word[k] = any_word(r);
        if (numbered)
            c->memory.row[row].word[GP_VEC - 1] = row_numbers[row];
    }
}

void gp_generate_case(struct random *r, struct test_case *tc)
{
    struct gp_case *c = (void *)tc->words;
    struct gp_insn program[64];
    uint32_t count = 0, length = 2 + random_below(r, 8);
    make_memory(r, c);
    c->attributes.count = USED_ATTRIBUTES;
    for (uint32_t row = 0; row < USED_ATTRIBUTES; row++) {
        c->attributes.row[row].index = row;
        for (unsigned k = 0; k < GP_VEC; k++)
            c->attributes.row[row].word[k] = any_word(r);
    }
    c->varying_count = 1 + random_below(r, USED_REGISTERS);
    if (random_one_in(r, 8))
        c->components = random_u32(r);
    if (random_one_in(r, 4))
        c->varyings.fill = c->registers.fill = FILL_INDEX;
    uint32_t stored = random_one_in(r, 4) ? 0 : add_prologue(r, program, &count);
    while (count < length) {
        uint32_t n = random_below(r, 16);
        if (n == 0)
            add_function(r, program, &count);
        else if (n == 1)
            add_round_trip(r, program, &count);
        else if (n == 2)
            add_branch(r, program, &count);
        else if (n == 3)
            add_indexed_loads(r, program, &count);
        else if (n == 4 && random_one_in(r, 3))
            add_edge(r, c, program, &count);
        else
            *append(program, &count) = make_insn(r);
    }
    bool epilogue = !random_one_in(r, 16);
    if (epilogue)
        add_epilogue(r, program, &count, c->varying_count);
    connect(r, program, count, stored);
    set_targets(r, program, count, epilogue && !random_one_in(r, 16) ? count - 1 : count);
    c->program.count = count;
    for (uint32_t n = 0; n < count; n++)
        gp_encode(&program[n], c->program.word + GP_WORDS * n);
    gp_mend_case(tc);
}

static bool is_branch(const uint32_t *words)
{
    return words[2] >> 5 & 1;
}

/*
 * Lowers the limit of programs with branches, because an endless loop is not worth thousands of instructions.
 * Moves targets far beyond the program to its end or one instruction beyond. Most mutations would give such
 * far targets, and all of these do the same.
 */
void gp_mend_case(struct test_case *tc)
{
    struct gp_case *c = (void *)tc->words;
    bool branches = false;
    for (uint32_t n = 0; n < c->program.count; n++) {
        uint32_t *words = c->program.word + GP_WORDS * n;
        struct gp_insn i;
        if (!is_branch(words))
            continue;
        branches = true;
        gp_decode(words, &i);
        unsigned target = gp_branch_target(&i), count = c->program.count;
        if (target <= count || count + 1 >= GP_PROGRAM_MAX)
            continue;
        gp_set_branch_target(&i, target % 8 ? count : count + 1);
        gp_encode(&i, words);
    }
    c->limit = !branches ? GP_CASE_LIMIT : c->limit > MADE_LIMIT ? MADE_LIMIT : c->limit;
}

/* Draws attributes, their component counts, and memory anew. Keeps rows that hold their own number, and
 * EDGE_ROW, because programs compute addresses from them. */
void gp_vary_case(struct random *r, struct test_case *tc)
{
    struct gp_case *c = (void *)tc->words;
    if (c->components)
        c->components = random_u32(r);
    for (uint32_t i = 0; i < c->attributes.count; i++)
        for (unsigned k = 0; k < GP_VEC; k++)
            c->attributes.row[i].word[k] = any_word(r);
    for (uint32_t i = 0; i < c->memory.count; i++) {
        uint32_t row = c->memory.row[i].index, *word = c->memory.row[i].word;
        if (row == EDGE_ROW)
            continue;
        bool numbered = row < USED_ROWS && word[GP_VEC - 1] == row_numbers[row];
        for (unsigned k = 0; k < GP_VEC - (unsigned)numbered; k++)
            word[k] = any_word(r);
    }
}
