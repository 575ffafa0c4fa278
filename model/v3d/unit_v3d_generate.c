/* SPDX-License-Identifier: MIT */
/* Generates programs that do not loop: they load from the case's memory, compute, store, and end. */
#include "model/v3d/unit_v3d.h"

enum { INSNS_MAX = 24, END_INSNS = 3, DELAY_SLOTS = 3, SEEDS = 64, TMU_ONE_IN = 6 };
/* Registers that hold the lanes' addresses, and that instructions of the generator seldom write. */
enum { RF_ADDRESS = 60, RF_LANE = 59, RF_LOADED = 5, ADDRESSES = 2 };

static struct v3d_case *case_of(struct test_case *tc)
{
    return (struct v3d_case *)(void *)tc->words;
}

static struct v3d_insn nop(void)
{
    struct v3d_insn i = {0};
    i.half[V3D_ADD] = (struct v3d_half){.op = V3D_A_NOP, .magic = true, .waddr = V3D_W_NOP};
    i.half[V3D_MUL] = (struct v3d_half){.op = V3D_M_NOP, .magic = true, .waddr = V3D_W_NOP};
    return i;
}

static void add(struct v3d_case *c, const struct v3d_insn *i)
{
    uint64_t word = v3d_nop[c->generation];
    (void)v3d_encode((enum v3d_generation)c->generation, i, &word);
    v3d_split(word, c->program.word + 2 * c->program.count++);
}

/* Writes a register to a magic destination. */
static void add_move(struct v3d_case *c, unsigned waddr, unsigned from)
{
    struct v3d_insn i = nop();
    i.half[V3D_MUL] = (struct v3d_half){.op = V3D_M_MOV, .magic = true, .waddr = (uint8_t)waddr};
    i.half[V3D_MUL].src[0] = (struct v3d_operand){.kind = V3D_RF, .index = (uint8_t)from};
    add(c, &i);
}

static void add_load(struct random *r, struct v3d_case *c)
{
    struct v3d_insn i = nop();
    add_move(c, V3D_W_TMUA, RF_ADDRESS + random_below(r, ADDRESSES));
    i.signals = V3D_SIG_LDTMU;
    i.sig_addr = (uint8_t)(RF_LOADED + random_below(r, 8));
    add(c, &i);
}

static void add_store(struct random *r, struct v3d_case *c)
{
    add_move(c, V3D_W_TMUD, RF_LOADED + random_below(r, 16));
    add_move(c, V3D_W_TMUA, RF_ADDRESS + random_below(r, ADDRESSES));
}

/* Continues the stream of uniforms at an address of the case's memory, and takes a word from there. */
static void add_uniform_branch(struct random *r, struct v3d_case *c)
{
    const struct v3d_insn idle = nop();
    struct v3d_insn load = nop(), branch = {.is_branch = true};
    branch.branch = (struct v3d_branch){.bdi = V3D_TO_RELATIVE,
                                        .bdu = V3D_TO_REGISTER,
                                        .ub = true,
                                        .raddr = (uint8_t)(RF_ADDRESS + random_below(r, ADDRESSES))};
    add(c, &branch);
    for (unsigned n = 0; n < DELAY_SLOTS; n++)
        add(c, &idle);
    load.signals = V3D_SIG_LDUNIFRF;
    load.sig_addr = (uint8_t)(RF_LOADED + random_below(r, 16));
    add(c, &load);
}

/* Ends the program: a thread switch of a single segment, and its two delay slots. */
static void add_end(struct v3d_case *c)
{
    struct v3d_insn end = nop(), idle = nop();
    end.signals = V3D_SIG_THRSW;
    add(c, &end);
    add(c, &idle);
    add(c, &idle);
}

/* Adds an operation of the ADD ALU: register `to` becomes `a` op `b`. */
static void add_operation(struct v3d_case *c, enum v3d_op op, unsigned to, unsigned a, struct v3d_operand b)
{
    struct v3d_insn i = nop();
    i.half[V3D_ADD] = (struct v3d_half){.op = (uint8_t)op, .waddr = (uint8_t)to};
    if (v3d_op_sources(op)) {
        i.half[V3D_ADD].src[0] = (struct v3d_operand){.kind = V3D_RF, .index = (uint8_t)a};
        i.half[V3D_ADD].src[1] = b;
    }
    add(c, &i);
}

static void add_uniform(struct v3d_case *c, uint32_t value, bool is_address)
{
    c->uniforms.item[c->uniforms.count].is_address = is_address;
    c->uniforms.item[c->uniforms.count++].value = value;
}

/* Gives a register the addresses of successive words, from a place in the case's memory on. */
static void add_addresses(struct random *r, struct v3d_case *c, unsigned to)
{
    const struct v3d_operand two = {.kind = V3D_IMMEDIATE, .index = 2};
    struct v3d_insn load = nop();
    add_uniform(c, 64 * random_below(r, V3D_MEMORY_ROWS), true);
    load.signals = V3D_SIG_LDUNIFRF;
    load.sig_addr = (uint8_t)to;
    add(c, &load);
    add_operation(c, V3D_A_EIDX, RF_LANE, 0, two);
    add_operation(c, V3D_A_SHL, RF_LANE, RF_LANE, two);
    add_operation(c, V3D_A_ADD, to, to, (struct v3d_operand){.kind = V3D_RF, .index = RF_LANE});
}

void v3d_case_generate(struct random *r, struct test_case *tc)
{
    struct v3d_case *c = case_of(tc);
    c->generation = random_below(r, V3D_GENERATIONS);
    const struct code *code = &v3d_code[c->generation];
    c->start = V3D_START_SINGLE_SEGMENT;
    c->flag_a = random_u32(r) & V3D_ALL_LANES;
    c->flag_b = random_u32(r) & V3D_ALL_LANES;
    c->rf.fill = c->acc.fill = c->memory.fill = FILL_RANDOM;
    c->rf.seed = c->acc.seed = 1 + random_below(r, SEEDS);
    c->memory.seed = 1 + random_below(r, SEEDS);
    c->program.count = c->uniforms.count = 0;
    for (unsigned n = 0; n < ADDRESSES; n++)
        add_addresses(r, c, RF_ADDRESS + n);
    for (unsigned n = 0; n < 8; n++)
        add_uniform(c, random_u32(r), false);
    uint32_t insns = 1 + random_below(r, INSNS_MAX);
    for (uint32_t n = 0; n < insns; n++) {
        uint32_t kind = random_below(r, 2 * TMU_ONE_IN);
        if (kind == 0)
            add_load(r, c);
        else if (kind == 1)
            add_store(r, c);
        else if (kind == 2 && random_one_in(r, 4))
            add_uniform_branch(r, c);
        else
            code->generate(r, c->program.word + 2 * c->program.count++);
    }
    add_end(c);
}

static bool ends(const struct v3d_case *c)
{
    struct v3d_insn i;
    uint32_t n = c->program.count;
    return n >= END_INSNS &&
           v3d_decode((enum v3d_generation)c->generation, v3d_join(c->program.word + 2 * (n - END_INSNS)),
                      &i) &&
           !i.is_branch && (i.signals & V3D_SIG_THRSW);
}

void v3d_case_mend(struct test_case *tc)
{
    struct v3d_case *c = case_of(tc);
    c->start &= V3D_START_FOUR_THREADS | V3D_START_SINGLE_SEGMENT | V3D_START_NAN;
    if (ends(c))
        return;
    c->program.count -= c->program.count < END_INSNS ? c->program.count : END_INSNS; /* a spoilt end */
    add_end(c);
}
