/* SPDX-License-Identifier: MIT */
/* The instruction sets of a case's code: the text form for people, and single instructions that are worth
 * running. The unit's generator makes programs. */
#include "model/v3d/v3d_names.h"
#include "model/v3d/v3d_rows.h"

#include <stddef.h>

const uint64_t v3d_nop[V3D_GENERATIONS] = {UINT64_C(0x3C003186BB800000), UINT64_C(0x38003186BB03F000)};

/* ---- generation and mutation ---- */

enum { FEW_REGISTERS = 12 }; /* Most instructions use these, so that later ones read earlier results. */

static unsigned random_op(enum v3d_generation g, struct random *r, unsigned half)
{
    unsigned first = half == V3D_ADD ? 0 : V3D_ADD_OPS,
             count = half == V3D_ADD ? V3D_ADD_OPS : V3D_OPS - first;
    unsigned op;
    do
        op = first + random_below(r, count);
    while (!v3d_op_in(g, (enum v3d_op)op) || v3d_rows[op].graphics);
    return op;
}

static void random_operand(enum v3d_generation g, struct random *r, const uint8_t registers[2],
                           const struct v3d_codes *codes, struct v3d_operand *o)
{
    uint32_t kind = random_below(r, 8);
    o->kind = kind == 0 ? V3D_IMMEDIATE : g == V3D_42 && kind < 4 ? V3D_ACCUMULATOR : V3D_RF;
    o->index = o->kind == V3D_RF            ? registers[random_below(r, 2)]
               : o->kind == V3D_ACCUMULATOR ? (uint8_t)random_below(r, V3D_ACCUMULATORS)
                                            : (uint8_t)random_below(r, V3D_IMMEDIATES);
    uint32_t codes_left = codes->last - codes->first + 1U;
    o->unpack =
        random_one_in(r, 2) ? V3D_UNPACK_NONE : codes->unpack[codes->first + random_below(r, codes_left)];
}

static void random_half(enum v3d_generation g, struct random *r, unsigned half, struct v3d_half *h)
{
    uint8_t registers[2];
    for (unsigned n = 0; n < 2; n++)
        registers[n] = (uint8_t)random_below(r, random_one_in(r, 8) ? V3D_REGISTERS : FEW_REGISTERS);
    *h = (struct v3d_half){.magic = true, .waddr = V3D_W_NOP};
    h->op = (uint8_t)random_op(g, r, half);
    const struct v3d_row *row = &v3d_rows[h->op];
    const struct v3d_encoding *e = &row->encoding[g];
    for (unsigned n = 0; n < row->sources; n++)
        random_operand(g, r, registers, &v3d_codes[e->unpack[n].kind], &h->src[n]);
    if (row->writes) {
        h->magic = g == V3D_42 && e->magic == V3D_NOWHERE && random_one_in(r, 3);
        if (h->op >= V3D_A_RECIP && h->op <= V3D_A_RSQRT2) /* no source says where else its result goes */
            h->magic = false;
        uint32_t registers_used = random_one_in(r, 8) ? V3D_REGISTERS / 2 : FEW_REGISTERS;
        h->waddr = (uint8_t)random_below(r, h->magic ? V3D_ACCUMULATORS : registers_used);
    }
    if (e->pack_at != V3D_NOWHERE && random_one_in(r, 3))
        h->pack = (uint8_t)(V3D_PACK_L + random_below(r, 2));
    if (random_one_in(r, 4))
        h->cond = (uint8_t)(V3D_COND_IFA + random_below(r, 4));
    else if (random_one_in(r, 4))
        h->flags = (uint8_t)(V3D_FLAGS_PUSHZ + random_below(r, 15));
}

/* Has an operand an unpack that no source names? Nothing else that v3d_encode accepts is reserved. Decoding
 * each word to find out took a fourteenth of the time of fuzzing. */
static bool has_reserved_unpack(const struct v3d_insn *i)
{
    bool reserved = false;
    for (unsigned h = 0; h < V3D_HALVES; h++)
        for (unsigned n = 0; n < 2; n++)
            reserved |= i->half[h].src[n].unpack >= V3D_UNPACK_RESERVED5;
    return reserved;
}

static void insn_generate(enum v3d_generation g, struct random *r, uint32_t *words)
{
    struct v3d_insn i;
    uint64_t word = v3d_nop[g];
    do {
        i = (struct v3d_insn){.signals = random_one_in(r, 8) ? V3D_SIG_LDUNIF : 0};
        i.half[V3D_ADD] = (struct v3d_half){.op = V3D_A_NOP, .magic = true, .waddr = V3D_W_NOP};
        i.half[V3D_MUL] = (struct v3d_half){.op = V3D_M_NOP, .magic = true, .waddr = V3D_W_NOP};
        uint32_t which = random_below(r, 4);
        if (which != 1)
            random_half(g, r, V3D_ADD, &i.half[V3D_ADD]);
        if (which != 0)
            random_half(g, r, V3D_MUL, &i.half[V3D_MUL]);
    } while (has_reserved_unpack(&i) || !v3d_encode(g, &i, &word));
    v3d_split(word, words);
}

/* Gives one field another value, or inverts a bit of it; or makes a new instruction. */
static void insn_mutate(enum v3d_generation g, struct random *r, uint32_t *words)
{
    uint64_t word = v3d_join(words);
    const struct bit_field *fields = v3d_bit_fields(g, word);
    struct v3d_insn i;
    unsigned count = 0;
    while (fields && fields[count].name)
        count++;
    if (count && !random_one_in(r, 16)) {
        const struct bit_field *f = &fields[random_below(r, count)];
        uint64_t mask = ((UINT64_C(1) << f->width) - 1) << f->low;
        uint64_t bits =
            random_one_in(r, 2) ? random_u64(r) : word ^ UINT64_C(1) << (f->low + random_below(r, f->width));
        word = (word & ~mask) | (bits & mask);
        if (v3d_decode(g, word, &i)) {
            v3d_split(word, words);
            return;
        }
    }
    insn_generate(g, r, words);
}

/* The nop; of a branch, the one to the instruction after its delay slots. */
static void insn_simplest(enum v3d_generation g, const uint32_t *words, uint32_t *simplest)
{
    struct v3d_insn i = {.is_branch = true, .branch.bdi = V3D_TO_RELATIVE};
    uint64_t word = v3d_join(words);
    const struct bit_field *nop_fields = v3d_bit_fields(g, v3d_nop[g]), *fields = v3d_bit_fields(g, word);
    if (!fields || fields == nop_fields || !v3d_encode(g, &i, &word))
        word = v3d_nop[g];
    v3d_split(word, simplest);
}

/* ---- the text form, for people ---- */

#define SYNTAX_OF_ALL                                                                                        \
    "# OP DST, SRC, ... of the ADD ALU ; of the MUL ALU ; signals; all optional\n"                           \
    "add rf1, rf2, rf3 ; fmul rf4, rf2, rf3   # both ALUs\n"                                                 \
    "sub.pushn -, rf2, 1              # flag A: bit 31 of the result, B: the old A\n"                        \
    "mov.ifa rf1, rf2                 # MUL, in lanes with A; also ifb, ifna, ifnb\n"                        \
    "fadd rf1.l, rf2.h, rf3.abs       # pack and unpacks\n"                                                  \
    "add tmua, rf2, rf3 ; nop ; thrsw; ldunifrf.rf9   # magic register; signals\n"                           \
    "bu.allna 48, r:unif              # to this address + 32 + 48; uniforms, too\n"                          \
    "b zero_addr+0x1000 ; link        # to an address; the link register is written\n"                       \
    "nop {raddr_a=7}                  # fields that the text cannot express\n"                               \
    ".quad 0x0000000000000001         # any 64 bits\n"                                                       \
    "# Small immediates are -16 to 15, and powers of two from 1/256 to 128.0.\n"                             \
    "# Names and syntax are those of Mesa's disassembler.\n"

#define SYNTAX_V3D_42                                                                                        \
    SYNTAX_OF_ALL                                                                                            \
    "# V3D 4.2 (Raspberry Pi 4): also r0 to r5. Two registers in an instruction, or\n"                       \
    "# one and a small immediate.\n"                                                                         \
    "mov r1, r0 ; rot.3               # the MUL ALU's operands, rotated; rot.r5\n"
#define SYNTAX_V3D_71 SYNTAX_OF_ALL "# V3D 7.1 (Raspberry Pi 5): one small immediate in an instruction.\n"

static const char *op_word(enum v3d_generation g, unsigned op, unsigned end)
{
    return op >= end ? NULL : v3d_op_in(g, (enum v3d_op)op) ? v3d_op_name((enum v3d_op)op) : "-";
}

static const char *waddr_word(enum v3d_generation g, unsigned n)
{
    return n >= V3D_WADDRS ? NULL : v3d_waddr_name(g, n) ? v3d_waddr_name(g, n) : "-";
}

static const char *signal_word(unsigned n)
{
    return v3d_signal_words[n].name;
}

#define WORDS(function, names)                                                                               \
    static const char *function(unsigned i)                                                                  \
    {                                                                                                        \
        return (names)[i];                                                                                   \
    }
WORDS(condition, v3d_cond_names)
WORDS(flags, v3d_flags_names)
WORDS(branch_condition, v3d_branch_cond_names)
WORDS(pack, v3d_pack_names)

static const char *unpack(unsigned n)
{
    return n < V3D_UNPACK_RESERVED5 ? v3d_unpack_names[n] : NULL;
}

/* ---- the tables ---- */

#define CODE_OF(name, generation)                                                                            \
    static void name##_print(const uint32_t *words, struct text *t)                                          \
    {                                                                                                        \
        v3d_print(generation, v3d_join(words), t);                                                           \
    }                                                                                                        \
    static bool name##_parse(const char *text, size_t count, uint32_t *words, struct error *e)               \
    {                                                                                                        \
        uint64_t word = 0;                                                                                   \
        bool good = v3d_parse(generation, text, count, &word, e);                                            \
        v3d_split(word, words);                                                                              \
        return good;                                                                                         \
    }                                                                                                        \
    static void name##_generate(struct random *r, uint32_t *words)                                           \
    {                                                                                                        \
        insn_generate(generation, r, words);                                                                 \
    }                                                                                                        \
    static void name##_mutate(struct random *r, uint32_t *words)                                             \
    {                                                                                                        \
        insn_mutate(generation, r, words);                                                                   \
    }                                                                                                        \
    static void name##_simplest(const uint32_t *words, uint32_t *simplest)                                   \
    {                                                                                                        \
        insn_simplest(generation, words, simplest);                                                          \
    }                                                                                                        \
    static const struct bit_field *name##_fields(const uint32_t *words)                                      \
    {                                                                                                        \
        return v3d_bit_fields(generation, v3d_join(words));                                                  \
    }                                                                                                        \
    static const char *name##_add(unsigned i)                                                                \
    {                                                                                                        \
        return op_word(generation, i, V3D_ADD_OPS);                                                          \
    }                                                                                                        \
    static const char *name##_mul(unsigned i)                                                                \
    {                                                                                                        \
        return op_word(generation, V3D_ADD_OPS + i, V3D_OPS);                                                \
    }                                                                                                        \
    static const char *name##_waddr(unsigned i)                                                              \
    {                                                                                                        \
        return waddr_word(generation, i);                                                                    \
    }                                                                                                        \
    static const struct code_names name##_names[] = {                                                        \
        {"operations of the ADD ALU", name##_add},                                                           \
        {"operations of the MUL ALU", name##_mul},                                                           \
        {"magic destinations", name##_waddr},                                                                \
        {"signals", signal_word},                                                                            \
        {"conditions", condition},                                                                           \
        {"ways to set flags", flags},                                                                        \
        {"conditions of branches", branch_condition},                                                        \
        {"packs", pack},                                                                                     \
        {"unpacks", unpack},                                                                                 \
        {NULL, NULL},                                                                                        \
    };
CODE_OF(v3d42, V3D_42)
CODE_OF(v3d71, V3D_71)

static const uint32_t nops[V3D_GENERATIONS][2] = {{0xBB800000, 0x3C003186}, {0xBB03F000, 0x38003186}};
static const struct code *const sets[V3D_GENERATIONS] = {&v3d_code[V3D_42], &v3d_code[V3D_71]};

#define CODE(name, generation)                                                                               \
    {                                                                                                        \
        .words = 2, .print = name##_print, .parse = name##_parse, .syntax = SYNTAX_##generation,             \
        .names = name##_names, .generate = name##_generate, .mutate = name##_mutate, .bits = name##_fields,  \
        .nop = nops[generation], .simplest = name##_simplest, .chosen_by = "generation", .sets = sets        \
    }
const struct code v3d_code[V3D_GENERATIONS] = {
    [V3D_42] = CODE(v3d42, V3D_42), [V3D_71] = CODE(v3d71, V3D_71)};
