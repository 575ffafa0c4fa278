/* SPDX-License-Identifier: MIT */
/* The instruction sets of a case's code, and the generator and mutator of their instructions. */
#include "model/amd/encoding/amd_insn.h"

#include <stddef.h>

/* ---- generation and mutation ---- */

static const struct amd_op *random_op(enum amd_generation g, struct random *r)
{
    for (;;) {
        const struct amd_op *op = &amd_ops[random_below(r, amd_op_count)];
        bool rare = op->kind == AMD_CACHE || (op->encoding == AMD_SMEM && op->kind != AMD_LOAD);
        if (op->code[g] != AMD_NO_CODE && (!rare || random_one_in(r, 16)))
            return op;
    }
}

/* Immediate offsets: mostly around element sizes and the ends of the field. */
static uint32_t random_offset(struct random *r)
{
    uint32_t edge = random_one_in(r, 3) ? 4096 : UINT32_C(1) << random_below(r, 6);
    return random_one_in(r, 3) ? random_below(r, 4096) : (edge + random_below(r, 5) - 2) & 0xFFF;
}

/* Operand codes of SOFFSET: SGPRs, 0 and small constants, m0, null; rarely any other. */
static uint32_t random_soffset(enum amd_generation g, struct random *r)
{
    if (g == AMD_GFX12) /* no constants */
        return random_one_in(r, 2)   ? amd_null(g)
               : random_one_in(r, 8) ? random_below(r, 128)
                                     : random_below(r, 106);
    switch (random_below(r, 4)) {
    case 0:
        return 128;
    case 1:
        return random_one_in(r, 4) ? random_below(r, 256) : random_one_in(r, 2) ? 124 : 125;
    case 2:
        return 128 + random_below(r, 81);
    default:
        return random_below(r, amd_sgprs(g));
    }
}

static void random_scalar_offset(enum amd_generation g, struct random *r, struct amd_insn *i)
{
    bool old = amd_is_gcn(g);
    i->offset = random_one_in(r, 2) ? random_below(r, 256) : random_u32(r) & 0xFFFFF;
    i->soffset = random_one_in(r, 2) ? amd_null(g) : random_below(r, 106);
    i->imm = old && random_below(r, 4);
    i->soffset_en = amd_is_gfx9(g) && random_one_in(r, 4);
    if (old && !i->imm)
        i->offset = random_below(r, 102);
}

/* CDNA: groups of registers begin at even ones; few data registers are accumulation registers. */
static void even_registers(enum amd_generation g, struct random *r, struct amd_insn *i)
{
    if (!amd_is_cdna(g))
        return;
    if (!random_one_in(r, 16)) {
        i->vdata &= ~1U;
        i->vaddr &= ~1U;
    }
    if (random_one_in(r, 16) && !amd_to_lds(i) && i->op->kind != AMD_STORE_LDS)
        i->vdata |= AMD_ACC;
}

static void insn_generate(enum amd_generation g, struct random *r, uint32_t *words)
{
    struct amd_insn i;
    amd_insn_canonical(g, random_op(g, r), &i);
    if (i.op->kind == AMD_CACHE) {
        amd_encode_words(g, &i, words);
        return;
    }
    i.glc = random_one_in(r, 2);
    i.dlc = !amd_is_gcn(g) && random_one_in(r, 8);
    i.th = g == AMD_GFX12 && random_one_in(r, 8) ? random_below(r, 4) : 0;
    i.scope = g == AMD_GFX12 && random_one_in(r, 8) ? random_below(r, 4) : 0;
    unsigned data = amd_data_registers(g, &i);
    if (i.op->encoding == AMD_SMEM) {
        i.srsrc = 2 * random_below(r, 25);
        i.vdata = data == 3 ? 4 * random_below(r, 25) : random_below(r, 100 / data) * data;
        random_scalar_offset(g, r, &i);
        amd_encode_words(g, &i, words);
        return;
    }
    i.offset = random_offset(r);
    i.slc = random_one_in(r, 8);
    i.offen = random_one_in(r, 2);
    i.idxen = random_one_in(r, 2);
    i.lds |= i.op->lds_bit && !amd_is_gfx11(g) && random_one_in(r, 8);
    i.tfe = !amd_is_cdna(g) && i.op->kind == AMD_LOAD && !amd_to_lds(&i) && random_one_in(r, 16);
    i.scc = amd_is_cdna(g) && random_one_in(r, 8);
    i.srsrc = random_below(r, 25);
    i.soffset = random_soffset(g, r);
    i.vdata = amd_to_lds(&i) ? 0 : random_below(r, 252 - data);
    i.vaddr = i.offen || i.idxen ? random_below(r, 255) : 0;
    even_registers(g, r, &i);
    if (i.op->encoding == AMD_MTBUF)
        i.format = random_one_in(r, 8) ? random_below(r, 128) : 1 + random_below(r, 63);
    if (i.op->atomic == AMD_ATOMIC_CSUB && i.op->kind == AMD_ATOMIC)
        i.glc = 1; /* the "RDNA3" guide wants it so */
    amd_encode_words(g, &i, words);
}

/* Gives one field another value, or inverts a bit of it; or makes a new instruction. */
static void insn_mutate(enum amd_generation g, struct random *r, uint32_t *words)
{
    const struct bit_field *fields = amd_fields_of(g, words);
    unsigned count = 0;
    if (!fields || random_one_in(r, 16)) {
        insn_generate(g, r, words);
        return;
    }
    while (fields[count].name)
        count++;
    const struct bit_field *f = &fields[random_below(r, count)];
    uint32_t *word = &words[f->low / 32], mask = (UINT32_MAX >> (32 - f->width)) << f->low % 32;
    uint32_t bits = random_one_in(r, 2) ? random_u32(r)
                                        : *word ^ UINT32_C(1) << (f->low % 32 + random_below(r, f->width));
    struct amd_insn i;
    *word = (*word & ~mask) | (bits & mask);
    if (!amd_decode_words(g, words, &i))
        insn_generate(g, r, words);
}

/* ---- the text form, for people ---- */

static const char syntax[] =
    "# OP VDATA, VADDR, RSRC, SOFFSET MODIFIERS; s_buffer_load: SDATA, RSRC, OFFSET\n"
    "# VDATA, VADDR: VGPRs, v1 or v[2:5]; VADDR is \"off\" without idxen and offen.\n"
    "# RSRC: four SGPRs, s[8:11]. SOFFSET: an SGPR, m0, null or a constant.\n"
    "# Modifiers: idxen, offen, offset:N, glc, slc, dlc, tfe, lds, format:F.\n"
    "# gfx1200 has th:NAME and scope:NAME, gfx942 sc0, sc1 and nt.\n"
    "# A load and a store of two VGPRs of address, or of none, on GFX8 to GFX10:\n"
    "#   buffer_load_dword v1, v[2:3], s[8:11], s4 idxen offen offset:16\n"
    "#   buffer_store_dword v1, off, s[8:11], s4\n"
    "# Names and syntax are those of LLVM 19.\n";

static const char *op_word(enum amd_generation g, unsigned i)
{
    return i >= amd_op_count ? NULL : amd_ops[i].code[g] != AMD_NO_CODE ? amd_op_name(g, &amd_ops[i]) : "-";
}

/* ---- the tables ---- */

#define CODE_OF(name, generation)                                                                            \
    static void name##_print(const uint32_t *words, struct text *t)                                          \
    {                                                                                                        \
        amd_print_words(generation, words, t);                                                               \
    }                                                                                                        \
    static bool name##_parse(const char *text, size_t count, uint32_t *words, struct error *e)               \
    {                                                                                                        \
        return amd_parse_words(generation, text, count, words, e);                                           \
    }                                                                                                        \
    static unsigned name##_length(const uint32_t *words)                                                     \
    {                                                                                                        \
        return amd_insn_words(generation, words[0]);                                                         \
    }                                                                                                        \
    static void name##_generate(struct random *r, uint32_t *words)                                           \
    {                                                                                                        \
        insn_generate(generation, r, words);                                                                 \
    }                                                                                                        \
    static void name##_mutate(struct random *r, uint32_t *words)                                             \
    {                                                                                                        \
        insn_mutate(generation, r, words);                                                                   \
    }                                                                                                        \
    static const struct bit_field *name##_fields(const uint32_t *words)                                      \
    {                                                                                                        \
        return amd_fields_of(generation, words);                                                             \
    }                                                                                                        \
    static bool name##_encoding(unsigned i, struct code_encoding *e)                                         \
    {                                                                                                        \
        return amd_encoding_of(generation, i, e);                                                            \
    }                                                                                                        \
    static bool name##_operation(unsigned i, struct code_operation *o)                                       \
    {                                                                                                        \
        return amd_operation_of(generation, i, o);                                                           \
    }                                                                                                        \
    static const char *name##_op(unsigned i)                                                                 \
    {                                                                                                        \
        return op_word(generation, i);                                                                       \
    }                                                                                                        \
    static const struct code_names name##_names[] = {{"operations", name##_op}, {NULL, NULL}};
CODE_OF(gfx11, AMD_GFX11)
CODE_OF(gfx10, AMD_GFX10)
CODE_OF(gfx9, AMD_GFX9)
CODE_OF(gfx8, AMD_GFX8)
CODE_OF(gfx90a, AMD_GFX90A)
CODE_OF(gfx942, AMD_GFX942)
CODE_OF(gfx12, AMD_GFX12)

static const struct code *const sets[AMD_GENERATIONS] = {&amd_code[AMD_GFX11],  &amd_code[AMD_GFX10],
                                                         &amd_code[AMD_GFX9],   &amd_code[AMD_GFX8],
                                                         &amd_code[AMD_GFX90A], &amd_code[AMD_GFX942],
                                                         &amd_code[AMD_GFX12]};

#define CODE(name)                                                                                           \
    {                                                                                                        \
        .words = AMD_INSN_WORDS, .print = name##_print, .parse = name##_parse, .length = name##_length,      \
        .syntax = syntax, .names = name##_names, .is_blank = amd_is_blank, .generate = name##_generate,      \
        .mutate = name##_mutate, .bits = name##_fields, .encoding = name##_encoding,                         \
        .operation = name##_operation, .chosen_by = "generation", .sets = sets                               \
    }
const struct code amd_code[AMD_GENERATIONS] = {
    [AMD_GFX11] = CODE(gfx11), [AMD_GFX10] = CODE(gfx10),   [AMD_GFX9] = CODE(gfx9),
    [AMD_GFX8] = CODE(gfx8),   [AMD_GFX90A] = CODE(gfx90a), [AMD_GFX942] = CODE(gfx942),
    [AMD_GFX12] = CODE(gfx12)};
