/* SPDX-License-Identifier: MIT */
/* `misprint where` answers a question about one instruction, setup word or texture. */
#include "cli/where/where.h"

#include <string.h>

static const struct {
    const char *unit;
    int (*answer)(const struct arguments *a);
} units[] = {
    {"amd-buffer", where_buffer},
    {"vc4-vpm", where_vpm},
    {"vc4-tmu", where_tmu},
};

static const char *name_of_unit(const void *context, unsigned i)
{
    (void)context;
    return i < sizeof units / sizeof *units ? units[i].unit : NULL;
}

static int run_where(const struct arguments *a)
{
    struct error e = {0};
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(a->word[0], units[i].unit))
            return units[i].answer(a);
    if (unit_named(a->word[0]))
        return fail_usage("where has no questions about unit %s; it takes amd-buffer, vc4-vpm and vc4-tmu",
                          a->word[0]);
    error_unknown(&e, "unit", a->word[0], name_of_unit, NULL, "`misprint help where` lists what it knows");
    return fail(STATUS_USAGE, &e);
}

const struct command command_where = {
    .name = "where",
    .synopsis = "amd-buffer INSTR | vc4-vpm SETUP... | vc4-tmu TEXEL",
    .about = "one instruction or descriptor: which addresses, by which rule",
    .examples = "  misprint where amd-buffer --isa gfx1100 \\\n"
                "      --descriptor 00000000,00000000,00000080,30016fac \\\n"
                "      'buffer_load_b32 v1, v0, s[8:11], s4 offen offset:16' \\\n"
                "      --set v0=0..252:4 --set s4=0\n"
                "  misprint where amd-buffer --isa gfx1030 --stride 16 --records 8 \\\n"
                "      --oob 0 'buffer_load_dword v1, v0, s[8:11], 0 idxen' --set v0=0..9\n"
                "  misprint where vc4-vpm 'wr_setup 00001a00'\n"
                "  misprint where vc4-vpm 'wr_setup c0000040' 'wr_setup 82104000'\n"
                "  misprint where vc4-tmu RGBA8888 96x64 5,37\n"
                "  misprint where vc4-tmu RGBA8888 96x64 +22868",
    .details =
        "amd-buffer: says for each lane which address a buffer instruction reaches, whether it is in range, "
        "what it returns if not, and by which rule of which document: under the literal manual, and under "
        "what is known of the chip. Draws the buffer. Names the clauses that decide, which are those "
        "whose other readings give another answer. docs/where.md explains the output.\n"
        "\n"
        "The descriptor goes into the four SGPRs that the instruction names. Its words are hexadecimal, with "
        "or without 0x. Or give its fields: counts, strides and registers are decimal, or hexadecimal after "
        "0x. --descriptor also takes the text of a .case file: 'raw base=0x100 num_records=128'. Field "
        "options change the descriptor that --descriptor gave.\n"
        "\n"
        "vc4-vpm: draws which cells of the VPM a block write or read reaches, in which order, or which "
        "bytes of memory a DMA exchanges with them; under each profile and each single reading that "
        "differs. Setups are in order, a stride or pitch setup before the DMA's own: as a hexadecimal "
        "word, or by fields as `misprint help asm vc4-vpm` lists them.\n"
        "\n"
        "vc4-tmu: says at which byte of an image a texel is (X,Y; row 0 is the lowest), or which texel is at "
        "a byte (+BYTE), in T format, LT format or raster order.",
    .options = {OPTION_ISA, OPTION_DESCRIPTOR, OPTION_SET, OPTION_BASE, OPTION_STRIDE, OPTION_RECORDS,
                OPTION_OOB, OPTION_SWIZZLE, OPTION_INDEX_STRIDE, OPTION_ADD_TID, OPTION_PROFILE, OPTION_RULE,
                OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = 8,
    .run = run_where,
};
