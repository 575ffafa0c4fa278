/* SPDX-License-Identifier: MIT */
#include "model/amd/encoding/amd_format.h"

#include <stddef.h>

const struct amd_layout_row amd_layouts[AMD_LAYOUTS] = {
    [AMD_LAYOUT_INVALID] = {0, 0, {0}, {0}},
    [AMD_8] = {1, 1, {8}, {0}},
    [AMD_16] = {1, 2, {16}, {0}},
    [AMD_8_8] = {2, 2, {8, 8}, {0, 8}},
    [AMD_32] = {1, 4, {32}, {0}},
    [AMD_16_16] = {2, 4, {16, 16}, {0, 16}},
    [AMD_10_11_11] = {3, 4, {11, 11, 10}, {0, 11, 22}},
    [AMD_11_11_10] = {3, 4, {10, 11, 11}, {0, 10, 21}},
    [AMD_10_10_10_2] = {4, 4, {2, 10, 10, 10}, {0, 2, 12, 22}},
    [AMD_2_10_10_10] = {4, 4, {10, 10, 10, 2}, {0, 10, 20, 30}},
    [AMD_8_8_8_8] = {4, 4, {8, 8, 8, 8}, {0, 8, 16, 24}},
    [AMD_32_32] = {2, 8, {32, 32}, {0, 32}},
    [AMD_16_16_16_16] = {4, 8, {16, 16, 16, 16}, {0, 16, 32, 48}},
    [AMD_32_32_32] = {3, 12, {32, 32, 32}, {0, 32, 64}},
    [AMD_32_32_32_32] = {4, 16, {32, 32, 32, 32}, {0, 32, 64, 96}},
    [AMD_LAYOUT_RESERVED] = {0, 0, {0}, {0}},
};

const char *const amd_layout_names[AMD_LAYOUTS + 1] = {"INVALID",     "8",          "16",          "8_8",
                                                       "32",          "16_16",      "10_11_11",    "11_11_10",
                                                       "10_10_10_2",  "2_10_10_10", "8_8_8_8",     "32_32",
                                                       "16_16_16_16", "32_32_32",   "32_32_32_32", "RESERVED",
                                                       NULL};
const char *const amd_number_names[AMD_NUMBERS + 1] = {"UNORM", "SNORM",    "USCALED", "SSCALED", "UINT",
                                                       "SINT",  "RESERVED", "FLOAT",   NULL};

/* The unified formats in the order of their codes, spelled out by U(layout, number). */
#define NORMS(layout) U(layout, UNORM), U(layout, SNORM)
#define INTS(layout)  U(layout, UINT), U(layout, SINT)
#define SIX(layout)   NORMS(layout), U(layout, USCALED), U(layout, SSCALED), INTS(layout)
#define SEVEN(layout) SIX(layout), U(layout, FLOAT)
#define WORDS(layout) INTS(layout), U(layout, FLOAT)
#define UP_TO_29      INVALID, SIX(8), SEVEN(16), SIX(8_8), WORDS(32), SEVEN(16_16)
#define FROM_2_10_10_10                                                                                      \
    SIX(2_10_10_10), SIX(8_8_8_8), WORDS(32_32), SEVEN(16_16_16_16), WORDS(32_32_32), WORDS(32_32_32_32)
/* "RDNA3" guide table 52 */
#define GFX11_FORMATS                                                                                        \
    UP_TO_29, U(10_11_11, FLOAT), U(11_11_10, FLOAT), NORMS(10_10_10_2), INTS(10_10_10_2), FROM_2_10_10_10
/* LLVM lists all numbers of three layouts. According to AMD's emulator rocjitsu, RDNA 2 already dropped those
 * that RDNA 3 lacks. */
#define GFX10_FORMATS UP_TO_29, SEVEN(10_11_11), SEVEN(11_11_10), SIX(10_10_10_2), FROM_2_10_10_10

struct unified {
    uint8_t layout, number;
};
#define INVALID                                                                                              \
    {                                                                                                        \
        AMD_LAYOUT_INVALID, AMD_UNORM                                                                        \
    }
#define U(layout, number)                                                                                    \
    {                                                                                                        \
        AMD_##layout, AMD_##number                                                                           \
    }
static const struct unified gfx11_formats[] = {GFX11_FORMATS}, gfx10_formats[] = {GFX10_FORMATS};
#undef INVALID
#undef U
#define INVALID           "INVALID"
#define U(layout, number) #layout "_" #number
const char *const amd_gfx11_format_names[] = {GFX11_FORMATS, NULL};
const char *const amd_gfx10_format_names[] = {GFX10_FORMATS, NULL};
#undef INVALID
#undef U

static const struct unified_list {
    const struct unified *rows;
    const char *const *names;
    unsigned count;
} unified_lists[AMD_GENERATIONS] = {
    [AMD_GFX11] = {gfx11_formats, amd_gfx11_format_names, sizeof gfx11_formats / sizeof *gfx11_formats},
    [AMD_GFX12] = {gfx11_formats, amd_gfx11_format_names, sizeof gfx11_formats / sizeof *gfx11_formats},
    [AMD_GFX10] = {gfx10_formats, amd_gfx10_format_names, sizeof gfx10_formats / sizeof *gfx10_formats},
};

static int unified_code(enum amd_generation g, unsigned layout, unsigned number)
{
    for (unsigned code = 1; code < unified_lists[g].count; code++)
        if (unified_lists[g].rows[code].layout == layout && unified_lists[g].rows[code].number == number)
            return (int)code;
    return -1;
}

bool amd_format_of(enum amd_generation g, uint32_t code, struct amd_format *f)
{
    *f = (struct amd_format){.layout = AMD_LAYOUT_INVALID, .number = AMD_UNORM};
    if (unified_lists[g].rows) {
        if (code == 0 || code >= unified_lists[g].count)
            return false;
        f->layout = unified_lists[g].rows[code].layout;
        f->number = unified_lists[g].rows[code].number;
        f->listed = unified_code(AMD_GFX11, f->layout, f->number) > 0;
        return true;
    }
    if (code >= AMD_FORMAT_CODES)
        return false;
    f->layout = code & 15;
    f->number = (uint8_t)(code >> 4);
    f->listed = unified_code(AMD_GFX11, f->layout, f->number) > 0;
    return f->layout != AMD_LAYOUT_INVALID && f->layout != AMD_LAYOUT_RESERVED &&
           f->number != AMD_NUMBER_RESERVED;
}

int amd_format_code(enum amd_generation g, enum amd_layout layout, enum amd_number number)
{
    if (layout == AMD_LAYOUT_INVALID || layout >= AMD_LAYOUT_RESERVED || number == AMD_NUMBER_RESERVED ||
        number >= AMD_NUMBERS)
        return -1;
    return unified_lists[g].rows ? unified_code(g, layout, number)
                                 : (int)((unsigned)layout | (unsigned)number << 4);
}

const char *amd_unified_format_name(enum amd_generation g, uint32_t code)
{
    return code < unified_lists[g].count ? unified_lists[g].names[code] : NULL;
}
