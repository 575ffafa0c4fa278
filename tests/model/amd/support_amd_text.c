/* SPDX-License-Identifier: MIT */
#include "tests/model/amd/support_amd_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

uint64_t amd_test_parse(enum amd_generation g, const char *line)
{
    struct error e = {0};
    uint64_t word = 0;
    if (!amd_parse(g, line, strlen(line), &word, &e))
        fail_msg("%s: '%s' is refused: %s", amd_generation_names[g], line, e.text);
    return word;
}

const char *amd_test_print(enum amd_generation g, uint64_t word, struct text *t)
{
    text_clear(t);
    amd_print(g, word, t);
    return text_chars(t);
}

void amd_test_round_trip(enum amd_generation g, uint64_t word, struct text *t)
{
    struct error e = {0};
    uint64_t again = ~word;
    (void)amd_test_print(g, word, t);
    if (!amd_parse(g, t->chars, t->length, &again, &e) || again != word)
        fail_msg("%s: %016llx prints as '%s', which is parsed as %016llx %s", amd_generation_names[g],
                 (unsigned long long)word, t->chars, (unsigned long long)again, e.text);
}

/* Bits 31:26 of each encoding. */
enum { MAJOR_LOW = 26, MAJOR_MASK = 63, MAJOR_SCALAR = 2 };
static const uint32_t majors[AMD_GENERATIONS][3] = {{0x38, 0x3A, 0x3D}, {0x38, 0x3A, 0x3D},
                                                    {0x38, 0x3A, 0x30}, {0x38, 0x3A, 0x30},
                                                    {0x38, 0x3A, 0x30}, {0x38, 0x3A, 0x30}};

bool amd_test_is_scalar(enum amd_generation g, uint64_t word)
{
    return (word >> MAJOR_LOW & MAJOR_MASK) == majors[g][MAJOR_SCALAR];
}

uint64_t amd_test_random_word(enum amd_generation g, struct random *r)
{
    uint64_t word = (random_u64(r) & ~(UINT64_C(63) << 26)) | (uint64_t)majors[g][random_below(r, 3)] << 26;
    if (amd_test_is_scalar(g, word) && !random_one_in(r, 8)) /* few of SMEM's opcodes are buffer loads */
        word = (word & ~(UINT64_C(0xFF) << 18)) | (uint64_t)(8 + random_below(r, 5)) << 18;
    if (random_one_in(r, 2)) /* clears more bits, which gives more plain instructions */
        word &= random_u64(r) | UINT64_C(0xFF) << 56 | UINT64_C(0xFFFC0000);
    return word;
}

/* Does the generation have this operand? Excludes operands that LLVM's disassembler prints but its assembler
 * refuses. */
static bool has_source(enum amd_generation g, uint32_t code)
{
    static const struct {
        unsigned generations;
        uint8_t first, last;
    } missing[] = {
        {AMD_ALL_GENERATIONS, 209, 234},
        {AMD_ALL_GENERATIONS, 249, 250},
        {AMD_ALL_GENERATIONS, 254, 255},
        {1 << AMD_GFX11, 239, 239},                           /* src_pops_exiting_wave_id */
        {1 << AMD_GFX11, 251, 252},                           /* src_vccz, src_execz */
        {1 << AMD_GFX9 | 1 << AMD_GFX8 | AMD_CDNA, 125, 125}, /* null */
        {1 << AMD_GFX8, 104, 105},                            /* xnack_mask: only APUs have it */
        {1 << AMD_GFX8, 235, 239},                            /* apertures */
    };
    for (size_t n = 0; n < sizeof missing / sizeof *missing; n++)
        if ((missing[n].generations >> g & 1) && code >= missing[n].first && code <= missing[n].last)
            return false;
    return true;
}

uint64_t amd_test_random_valid_word(enum amd_generation g, struct random *r)
{
    bool cdna = g == AMD_GFX90A || g == AMD_GFX942, old = g == AMD_GFX8 || g == AMD_GFX9 || cdna;
    struct amd_insn i;
    const struct amd_op *op;
    do
        op = &amd_ops[random_below(r, amd_op_count)];
    while (op->code[g] == AMD_NO_CODE);
    amd_insn_canonical(g, op, &i);
    if (op->kind == AMD_CACHE)
        return amd_encode(g, &i);
    unsigned data = amd_data_registers(g, &i);
    i.glc = random_one_in(r, 2);
    i.dlc = !old && random_one_in(r, 2) && !(g == AMD_GFX10 && op->kind == AMD_ATOMIC);
    if (op->encoding == AMD_SMEM) {
        i.srsrc = 2 * random_below(r, 25);
        i.vdata = (data == 1 ? random_below(r, 102)
                             : random_below(r, (100 - data) / (data > 4 ? 4 : data)) * (data > 4 ? 4 : data));
        i.imm = old && random_one_in(r, 2);
        i.soffset_en = (g == AMD_GFX9 || cdna) && i.imm && random_one_in(r, 2);
        /* Not negative, because LLVM's assembler refuses negative offsets, although its disassembler prints
         * them. */
        i.offset = old && !i.imm ? random_below(r, 102) : random_u32(r) & 0xFFFFF;
        i.soffset = !old || i.soffset_en ? random_below(r, 102) : 0;
        return amd_encode(g, &i);
    }
    i.offset = random_one_in(r, 4) ? 0 : random_below(r, 4096);
    i.slc = random_one_in(r, 2);
    if (op->kind != AMD_STORE_LDS) {
        i.offen = random_one_in(r, 2);
        i.idxen = random_one_in(r, 2);
    }
    i.lds |= op->lds_bit && !(g == AMD_GFX11) && random_one_in(r, 2);
    data = amd_data_registers(g, &i);
    i.scc = cdna && random_one_in(r, 2) &&
            (g == AMD_GFX942 || op->kind != AMD_ATOMIC || op->code[AMD_GFX9] != AMD_NO_CODE);
    i.tfe = !cdna && op->encoding == AMD_MUBUF && op->kind == AMD_LOAD && !amd_to_lds(&i) &&
            random_one_in(r, 4); /* not for stores: LLVM prints the operand, but cannot parse it */
    i.vdata = data ? random_below(r, 257 - data - i.tfe) : 0;
    i.vaddr = i.offen || i.idxen ? random_below(r, 257 - i.offen - i.idxen) : 0;
    if (cdna) { /* groups of registers must be even; there are accumulation registers */
        i.vdata = (data > 1 ? i.vdata & ~1U : i.vdata) | (data && random_one_in(r, 4) ? AMD_ACC : 0);
        i.vaddr &= i.offen && i.idxen ? ~1U : ~0U;
    }
    /* On GFX8 and GFX9 LLVM's assembler refuses s[100:103], although its disassembler prints it. */
    i.srsrc = random_below(r, 26 - old);
    do
        i.soffset = random_below(r, 256);
    while (!has_source(g, i.soffset));
    if (op->encoding == AMD_MTBUF)
        i.format = random_below(r, 128);
    return amd_encode(g, &i);
}
