/* SPDX-License-Identifier: MIT */
/* Generates programs that do not loop: they load from the case's memory, compute, store, branch forward, and
 * end. One in BREAKS_ONE breaks one restriction (v3d_restrict.h), and the others break none. */
#include "model/v3d/v3d_recipes.h"

enum { GROUP_OF_32 = 0x1120 }; /* CFG3: a workgroup of two batches, one in a supergroup */
enum { BREAKS_ONE = 32 };
enum { THINGS_MAX = 10, END_INSNS = 3, LAST_INSNS = 4, DELAY_SLOTS = 3, SWITCH_SLOTS = 2 };
/* Few seeds, because the rows of a seed that was used before are copied and not computed again. */
enum { SEEDS = 3, OWN_ROWS_MAX = 3, OWN_ROWS_BELOW = 16, UNIFORMS = 8 };
/* Registers that hold the lanes' addresses, their distances and a configuration of the TMU, and that
 * instructions of the generator seldom write. */
enum { RF_ADDRESS = 60, RF_LANE = 59, RF_CONFIG = 58, RF_LOADED = 5, ADDRESSES = 2 };

const uint32_t v3d_interesting[V3D_INTERESTING] = {
    0x00000000, 0x00000001, 0x00007FFF, 0x00008000, 0x0000FFFF, 0x00FFFFFF, 0x7FFFFFFF, 0x80000000,
    0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x40000000, 0x3F000000, 0x40200000, 0x4B000000, 0x4F000000,
    0x7F800000, 0xFF800000, 0x7FC00000, 0x00800000, 0x807FFFFF, 0x03FF0400, 0x7C007BFF, 0x3C003800,
};

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

/* Takes a result of the TMU. */
static void add_result(struct random *r, struct v3d_case *c)
{
    struct v3d_insn i = nop();
    i.signals = V3D_SIG_LDTMU;
    i.sig_addr = (uint8_t)(RF_LOADED + random_below(r, 8));
    add(c, &i);
}

/* Starts an access at the lanes' addresses, sometimes in some lanes only. */
static void add_access(struct random *r, struct v3d_case *c)
{
    struct v3d_insn i = nop();
    struct v3d_half *mul = &i.half[V3D_MUL];
    *mul = (struct v3d_half){.op = V3D_M_MOV, .magic = true, .waddr = V3D_W_TMUA};
    mul->cond = (uint8_t)(random_one_in(r, 4) ? V3D_COND_IFA + random_below(r, 4) : V3D_COND_NONE);
    mul->src[0] =
        (struct v3d_operand){.kind = V3D_RF, .index = (uint8_t)(RF_ADDRESS + random_below(r, ADDRESSES))};
    add(c, &i);
}

static void add_load(struct random *r, struct v3d_case *c)
{
    add_access(r, c);
    add_result(r, c);
}

static void add_store(struct random *r, struct v3d_case *c)
{
    add_move(c, V3D_W_TMUD, RF_LOADED + random_below(r, 16));
    add_access(r, c);
}

/* Configurations of the TMU: how many data an access takes, and how many results it gives. */
static const struct config {
    uint8_t byte, data, results;
} configs[] = {
    {0xFA, 0, 2}, {0xFB, 0, 3}, {0xFC, 0, 4}, {0xF8, 0, 1}, {0xF9, 0, 1}, {0xFD, 0, 1},
    {0xFE, 0, 1}, {0xFA, 2, 0}, {0xFC, 4, 0}, {0xFD, 1, 0}, {0xFE, 1, 0}, {0x87, 1, 1},
    {0x8F, 1, 1}, {0x97, 1, 1}, {0x9A, 2, 1}, {0xA7, 1, 1}, {0xAF, 1, 1}, {0xB7, 1, 1},
    {0xBF, 1, 1}, {0xC7, 1, 1}, {0xCF, 1, 1}, {0xD7, 1, 1}, {0xC7, 0, 1}, {0x7F, 0, 1},
};

/* An access with the configuration in RF_CONFIG. */
static void add_configured(struct random *r, struct v3d_case *c, const struct config *k)
{
    add_move(c, V3D_W_TMUC, RF_CONFIG);
    for (unsigned n = 0; n < k->data; n++)
        add_move(c, V3D_W_TMUD, RF_LOADED + random_below(r, 16));
    add_access(r, c);
    for (unsigned n = 0; n < k->results; n++)
        add_result(r, c);
}

/* Loads a word of the case's memory through the cache of uniforms. */
static void add_unifa(struct random *r, struct v3d_case *c)
{
    struct v3d_insn load = nop();
    add_move(c, V3D_W_UNIFA, RF_ADDRESS + random_below(r, ADDRESSES));
    for (unsigned n = 0; n < DELAY_SLOTS; n++) {
        struct v3d_insn idle = nop();
        add(c, &idle);
    }
    load.signals = V3D_SIG_LDUNIFARF;
    load.sig_addr = (uint8_t)(RF_LOADED + random_below(r, 16));
    add(c, &load);
}

static void add_alu(struct random *r, struct v3d_case *c)
{
    v3d_code[c->generation].generate(r, c->program.word + 2 * c->program.count++);
}

/* A branch over at most three instructions. */
static void add_branch(struct random *r, struct v3d_case *c)
{
    uint32_t over = 1 + random_below(r, 3), cond = random_below(r, 7);
    struct v3d_insn branch = {.is_branch = true};
    branch.branch = (struct v3d_branch){.cond = (uint8_t)(cond ? cond + 1 : 0),
                                        .bdi = V3D_TO_RELATIVE,
                                        .set_link = random_one_in(r, 4),
                                        .offset = 8 * over};
    add(c, &branch);
    for (uint32_t n = 0; n < DELAY_SLOTS + over; n++)
        add_alu(r, c);
}

static void add_switch(struct v3d_case *c)
{
    struct v3d_insn i = nop();
    i.signals = V3D_SIG_THRSW;
    add(c, &i);
}

/* A thread switch at a barrier, which all batches of the workgroup must reach. */
static void add_barrier(struct v3d_case *c)
{
    struct v3d_insn i = nop();
    i.signals = V3D_SIG_THRSW;
    i.half[V3D_ADD] = (struct v3d_half){.op = V3D_A_BARRIERID, .magic = true, .waddr = V3D_W_SYNCB};
    add(c, &i);
}

/* A thread switch and its delay slots. */
static void add_thread_switch(struct random *r, struct v3d_case *c)
{
    if (c->group == GROUP_OF_32)
        add_barrier(c);
    else
        add_switch(c);
    for (unsigned n = 0; n < SWITCH_SLOTS; n++)
        add_alu(r, c);
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

/* Ends the program: a thread switch and its two delay slots. Before it, a program of several segments
 * announces its last thread switch. */
static void add_end(struct v3d_case *c)
{
    struct v3d_insn idle = nop();
    if (!(c->start & V3D_START_SINGLE_SEGMENT)) {
        add_switch(c);
        add_switch(c);
        add(c, &idle);
        add(c, &idle);
    }
    add_switch(c);
    add(c, &idle);
    add(c, &idle);
}

static void add_uniform(struct v3d_case *c, uint32_t value, bool is_address)
{
    c->uniforms.item[c->uniforms.count].is_address = is_address;
    c->uniforms.item[c->uniforms.count++].value = value;
}

/* Takes the next uniform. If `address` is a register, also adds the lanes' distances to it. */
static void add_uniform_load(struct v3d_case *c, unsigned to, unsigned address)
{
    struct v3d_insn load = nop();
    load.signals = V3D_SIG_LDUNIFRF;
    load.sig_addr = (uint8_t)to;
    if (address)
        load.half[V3D_ADD] = (struct v3d_half){.op = V3D_A_ADD,
                                               .waddr = (uint8_t)address,
                                               .src = {{.kind = V3D_RF, .index = (uint8_t)address},
                                                       {.kind = V3D_RF, .index = RF_LANE}}};
    add(c, &load);
}

/* Gives RF_ADDRESS and the next register the addresses of successive words, from places in the case's memory
 * on, and RF_CONFIG a configuration. Takes a third uniform, which spares an instruction of its own. No
 * instruction reads what the one before wrote: whether it would get the new value is a clause. */
static void add_beginning(struct random *r, struct v3d_case *c, const struct config *k)
{
    for (unsigned n = 0; n < ADDRESSES; n++)
        add_uniform(c, 64 * random_below(r, V3D_MEMORY_ROWS), true);
    add_uniform(c, 0xFFFFFF00 | k->byte, false);
    add_uniform_load(c, RF_ADDRESS, 0);
    add_uniform_load(c, RF_ADDRESS + 1, 0);
    add_uniform_load(c, RF_CONFIG, RF_ADDRESS);
    add_uniform_load(c, RF_LOADED, RF_ADDRESS + 1);
    add_alu(r, c);
}

static uint32_t random_value(struct random *r)
{
    return random_one_in(r, 2) ? v3d_interesting[random_below(r, V3D_INTERESTING)] : random_u32(r);
}

/* Returns a register that the job has: with four threads there are 32. */
static unsigned register_of(const struct v3d_case *c, unsigned n)
{
    return c->start & V3D_START_FOUR_THREADS ? n % (V3D_REGISTERS / 2) : n;
}

/* Replaces the registers of a program by those that the job has. */
static void lower_registers(struct v3d_case *c)
{
    /* The highest bits of the fields that name registers. A word without them needs no decoding. */
    static const uint64_t highest[V3D_GENERATIONS] = {UINT64_C(0x8082000000820), UINT64_C(0x8082000820820)};
    const enum v3d_generation g = (enum v3d_generation)c->generation;
    for (uint32_t n = 0; n < c->program.count; n++) {
        struct v3d_insn i;
        uint64_t word = v3d_join(c->program.word + 2 * n);
        if (!(word & highest[g]) || word == v3d_nop[g] || !v3d_decode(g, word, &i))
            continue;
        i.branch.raddr = (uint8_t)register_of(c, i.branch.raddr);
        if (!i.sig_magic)
            i.sig_addr = (uint8_t)register_of(c, i.sig_addr);
        for (unsigned h = 0; h < V3D_HALVES; h++) {
            struct v3d_half *half = &i.half[h];
            if (!half->magic)
                half->waddr = (uint8_t)register_of(c, half->waddr);
            for (unsigned s = 0; s < 2; s++)
                if (half->src[s].kind == V3D_RF)
                    half->src[s].index = (uint8_t)register_of(c, half->src[s].index);
        }
        if (v3d_encode(g, &i, &word))
            v3d_split(word, c->program.word + 2 * n);
    }
}

/* Lists the lanes' distances, and some registers with values that are worth trying, at most OWN_ROWS_MAX. */
static void add_own_rows(struct random *r, struct v3d_case *c)
{
    uint32_t index = 0;
    c->rf.count = 0;
    for (uint32_t left = random_below(r, OWN_ROWS_MAX + 1); left; left--) {
        index += random_below(r, OWN_ROWS_BELOW / OWN_ROWS_MAX);
        c->rf.row[c->rf.count].index = index++;
        for (unsigned lane = 0; lane < V3D_LANES; lane++)
            c->rf.row[c->rf.count].word[lane] = random_value(r);
        c->rf.count++;
    }
    c->rf.row[c->rf.count].index = register_of(c, RF_LANE);
    for (unsigned lane = 0; lane < V3D_LANES; lane++)
        c->rf.row[c->rf.count].word[lane] = 4 * lane;
    c->rf.count++;
}

/* Replaces instructions that break a restriction, except the first one that breaks `but`. Returns how many
 * were in the way. */
static unsigned replace_breaches(struct v3d_case *c, unsigned but)
{
    enum { BREACHES = 8 };
    struct v3d_breach found[BREACHES];
    struct v3d_insn program[V3D_CASE_PROGRAM_MAX];
    enum v3d_generation g = (enum v3d_generation)c->generation;
    for (uint32_t n = 0; n < c->program.count; n++)
        v3d_decode(g, v3d_join(c->program.word + 2 * n), &program[n]);
    unsigned breaches =
        v3d_check(g, program, c->program.count, c->start & V3D_START_SINGLE_SEGMENT, found, BREACHES);
    unsigned others = breaches;
    for (unsigned n = 0; n < breaches && n < BREACHES; n++) {
        if (found[n].which == but) {
            but = V3D_RESTRICTIONS;
            others--;
        } else if (found[n].at < c->program.count) {
            v3d_split(v3d_nop[g], c->program.word + 2 * found[n].at);
        }
    }
    return others;
}

enum { THINGS = 32, ACCESSES = 8 }; /* kinds of things; the first ones access memory */

/* Adds one thing that programs do. */
static void add_something(struct random *r, struct v3d_case *c, const struct config *k, bool accesses)
{
    switch (accesses ? random_below(r, THINGS) : ACCESSES + random_below(r, THINGS - ACCESSES)) {
    case 0:
    case 1:
        add_load(r, c);
        break;
    case 2:
    case 3:
        add_store(r, c);
        break;
    case 4:
    case 5:
        add_configured(r, c, k);
        break;
    case 6:
        add_unifa(r, c);
        break;
    case 7:
        add_uniform_branch(r, c);
        break;
    case 8:
        add_branch(r, c);
        break;
    case 9:
        if (!(c->start & V3D_START_SINGLE_SEGMENT))
            add_thread_switch(r, c);
        break;
    default:
        add_alu(r, c);
        break;
    }
}

/* Chooses how the job is launched: mostly one batch, sometimes two, in a workgroup or two. */
static void generate_launch(struct random *r, struct v3d_case *c)
{
    c->start = random_one_in(r, 4) ? 0 : V3D_START_SINGLE_SEGMENT;
    if (random_one_in(r, 8))
        c->start |= V3D_START_FOUR_THREADS;
    if (random_one_in(r, 8))
        c->start |= V3D_START_NAN;
    if (random_one_in(r, 16)) {
        const bool together = random_one_in(r, 2);
        c->batches = 2;
        c->workgroups[0] = together ? 1 << 16 : 2 << 16;
        c->group = together ? GROUP_OF_32 : c->group;
    } else if (random_one_in(r, 16)) {
        c->group = 0x100 + 1 + random_below(r, V3D_LANES);
    }
}

/* Adds what the program does, the recipe among it. */
static void add_things(struct random *r, struct v3d_case *c, const struct config *k, bool accesses,
                       const struct v3d_recipe *recipe)
{
    uint32_t left = 1 + random_below(r, THINGS_MAX), where = recipe ? 1 + random_below(r, left) : 0;
    for (; left; left--) {
        if (left == where && !recipe->at_end)
            v3d_recipe_add(recipe, r, RF_ADDRESS, c);
        add_something(r, c, k, accesses);
    }
    add_end(c);
    if (recipe && recipe->at_end)
        v3d_recipe_add(recipe, r, RF_ADDRESS, c);
}

/* `recipe`: the program breaks a restriction; NULL: it breaks none. */
static void generate(struct random *r, struct test_case *tc, const struct v3d_recipe *recipe)
{
    struct v3d_case *c = case_of(tc);
    const struct config *k = &configs[random_below(r, sizeof configs / sizeof *configs)];
    const bool accesses = random_one_in(r, 2) || recipe;
    generate_launch(r, c);
    if (recipe && v3d_recipe_switches(recipe))
        c->start &= ~(uint32_t)V3D_START_SINGLE_SEGMENT;
    c->flag_a = random_u32(r) & V3D_ALL_LANES;
    c->flag_b = random_u32(r) & V3D_ALL_LANES;
    c->rf.fill = c->acc.fill = c->memory.fill = FILL_RANDOM;
    c->rf.seed = c->acc.seed = 1 + random_below(r, SEEDS);
    c->memory.seed = 1 + random_below(r, SEEDS);
    add_own_rows(r, c);
    c->program.count = c->uniforms.count = 0;
    if (accesses)
        add_beginning(r, c, k);
    /* Such a program takes configurations of the TMU from the stream. */
    bool only_configs = recipe && recipe->which == V3D_BREAKS_TWO_UNIFORMS;
    for (unsigned n = 0; n < UNIFORMS; n++)
        add_uniform(c, only_configs ? UINT32_MAX : random_value(r), false);
    add_things(r, c, k, accesses, recipe);
    if (c->start & V3D_START_FOUR_THREADS)
        lower_registers(c);
    unsigned others = replace_breaches(c, recipe ? recipe->which : V3D_RESTRICTIONS);
    if (recipe && others && replace_breaches(c, recipe->which)) /* what replaced one may break another */
        (void)replace_breaches(c, V3D_RESTRICTIONS);
}

void v3d_case_generate(struct random *r, struct test_case *tc)
{
    struct v3d_case *c = case_of(tc);
    c->generation = random_below(r, V3D_GENERATIONS);
    bool breaks = random_one_in(r, BREAKS_ONE);
    generate(r, tc,
             breaks ? v3d_recipe(r, (enum v3d_generation)c->generation, V3D_RESTRICTION_CLAUSES) : NULL);
}

void v3d_case_generate_breaking(struct random *r, struct test_case *tc, unsigned which)
{
    struct v3d_case *c = case_of(tc);
    c->generation = random_below(r, V3D_GENERATIONS);
    const struct v3d_recipe *recipe = v3d_recipe(r, (enum v3d_generation)c->generation, which);
    if (!recipe) {
        c->generation = !c->generation;
        recipe = v3d_recipe(r, (enum v3d_generation)c->generation, which);
    }
    generate(r, tc, recipe);
}

void v3d_case_vary(struct random *r, struct test_case *tc)
{
    struct v3d_case *c = case_of(tc);
    c->flag_a = random_u32(r) & V3D_ALL_LANES;
    c->flag_b = random_u32(r) & V3D_ALL_LANES;
    const uint32_t registers = 1 + random_below(r, SEEDS), memory = 1 + random_below(r, SEEDS);
    c->rf.seed = c->rf.fill == FILL_RANDOM ? registers : c->rf.seed; /* other fills have no seed */
    c->acc.seed = c->acc.fill == FILL_RANDOM ? registers : c->acc.seed;
    c->memory.seed = c->memory.fill == FILL_RANDOM ? memory : c->memory.seed;
    bool after_address = false; /* a configuration */
    for (uint32_t n = 0; n < c->uniforms.count; n++) {
        struct case_uniform *u = &c->uniforms.item[n];
        if (!u->is_address && !after_address)
            u->value = random_value(r);
        after_address = u->is_address;
    }
}

/* Has the instruction `back` places before the end of the program a thread switch? */
static bool switches_at(const struct v3d_case *c, uint32_t back)
{
    struct v3d_insn i;
    return c->program.count >= back &&
           v3d_decode((enum v3d_generation)c->generation,
                      v3d_join(c->program.word + 2 * (c->program.count - back)), &i) &&
           !i.is_branch && (i.signals & V3D_SIG_THRSW);
}

static bool ends(const struct v3d_case *c)
{
    return switches_at(c, END_INSNS) &&
           ((c->start & V3D_START_SINGLE_SEGMENT) ||
            (switches_at(c, END_INSNS + LAST_INSNS) && switches_at(c, END_INSNS + LAST_INSNS - 1)));
}

void v3d_case_mend(struct test_case *tc)
{
    struct v3d_case *c = case_of(tc);
    uint32_t most = V3D_CASE_PROGRAM_MAX - END_INSNS - LAST_INSNS;
    c->start &= V3D_START_FOUR_THREADS | V3D_START_SINGLE_SEGMENT | V3D_START_NAN;
    if (ends(c))
        return;
    uint32_t end = END_INSNS + (c->start & V3D_START_SINGLE_SEGMENT ? 0 : LAST_INSNS);
    c->program.count -= c->program.count < end ? c->program.count : end; /* a spoilt end */
    c->program.count = c->program.count < most ? c->program.count : most;
    add_end(c);
}

/* ---- for boards that prove programs ---- */

/* Makes the launch one of whole batches, in x only: harness/v3d/v3d_wrapper.h. */
static void mend_launch(struct v3d_case *c)
{
    c->start &= ~(uint32_t)V3D_START_FOUR_THREADS;
    for (unsigned n = 1; n < 3; n++)
        c->workgroups[n] = 1 << 16 | (c->workgroups[n] & 0xFFFF);
    uint32_t size = ((c->group & 0xFF) + V3D_LANES - 1) & 0xF0, invocations = V3D_LANES * c->batches;
    size = !size && invocations < 256 ? V3D_LANES : size; /* 0: 256 */
    size = size > invocations ? invocations : size;
    c->group = (c->group & ~0xFFU) | size;
    uint32_t most = invocations / (size ? size : 256), count = c->workgroups[0] >> 16;
    count = count > most ? most : count ? count : 1;
    c->workgroups[0] = count << 16 | (c->workgroups[0] & 0xFFFF);
}

void v3d_case_mend_for_proof(struct test_case *tc)
{
    enum { R5 = 5, QUAD = 4 };
    struct v3d_case *c = case_of(tc);
    mend_launch(c);
    if (c->generation != V3D_42)
        return;
    uint32_t *r5 = image_own_row(tc, schema_field(&tc->unit->schema, "acc"), R5, true);
    for (unsigned n = 0; r5 && n < V3D_LANES; n++) /* no program can give r5 different words in a quad */
        r5[n] = r5[n / QUAD * QUAD];
}
