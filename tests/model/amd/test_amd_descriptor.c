/* SPDX-License-Identifier: MIT */
/* V# descriptors and data formats: words that drivers write, round trips through fields and text, builders,
 * and a V# that breaks each rule of the check. */
#include "model/amd/encoding/amd_descriptor.h"
#include "model/amd/encoding/amd_format.h"
#include "model/number/random.h"
#include "tests/model/amd/support_amd.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void parse(enum amd_generation g, const char *line, uint32_t words[4])
{
    struct error e = {0};
    if (!amd_descriptor_parse(g, line, 0, strlen(line), words, &e))
        fail_msg("%s: '%s' is refused: %s", amd_generation_names[g], line, e.text);
}

static const char *print(enum amd_generation g, const uint32_t words[4], struct text *t)
{
    text_clear(t);
    amd_descriptor_print(g, words, t);
    return text_chars(t);
}

/* ---- words that drivers write ---- */

/*
 * Sources: the descriptor builders of Mesa (radv: raw buffer views, the vertex attribute ring), LLVM's
 * default resource words for GFX10, and the save area of the Linux kernel's trap handler for GFX8.
 */
static const struct {
    enum amd_generation g;
    uint32_t words[4];
    const char *text;
} known[] = {
    {AMD_GFX11, {0, 0, 0, 0}, "zero"},
    {AMD_GFX11,
     {0x10000, 0, 0x100, 0x30016FAC},
     "base=0x10000 num_records=0x100 dst_sel=xyzw format=32_float oob_select=complete"},
    {AMD_GFX10,
     {0x10000, 0, 0x100, 0x31016FAC},
     "base=0x10000 num_records=0x100 dst_sel=xyzw format=32_float resource_level=1 oob_select=complete"},
    {AMD_GFX10, {0, 0, 0, 0x31016000}, "format=32_float resource_level=1 oob_select=complete"},
    {AMD_GFX9,
     {0, 0x7FFF, 0x100, 0x00027FAC},
     "base=0x7fff00000000 num_records=0x100 dst_sel=xyzw num_format=float data_format=32"},
    {AMD_GFX8, {0, 0x00040000, 0, 0x00807FAC}, "stride=4 dst_sel=xyzw num_format=float add_tid_enable=1"},
    {AMD_GFX11,
     {0x12345678, 0xC0109ABC, 0x400, 0x00416FAC},
     "base=0x9abc12345678 stride=16 swizzle_enable=element16 num_records=0x400 dst_sel=xyzw format=32_float "
     "index_stride=32"},
};

static void test_known(void **state)
{
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        uint32_t words[4];
        assert_string_equal(print(known[n].g, known[n].words, &t), known[n].text);
        parse(known[n].g, known[n].text, words);
        assert_memory_equal(words, known[n].words, sizeof words);
    }
    text_free(&t);
}

static void expect_words(enum amd_generation g, const struct amd_descriptor *d, uint32_t w0, uint32_t w1,
                         uint32_t w2, uint32_t w3)
{
    const uint32_t expected[4] = {w0, w1, w2, w3};
    uint32_t words[4];
    unsigned n = 0;
    amd_descriptor_encode(g, d, words);
    assert_memory_equal(words, expected, sizeof words);
    const struct amd_descriptor_rule *rule = amd_descriptor_check(g, d, &n);
    if (rule)
        fail_msg("%s: %s %s", amd_generation_names[g], rule->field, rule->says);
}

static void test_builders(void **state)
{
    static const uint32_t raw_word3[AMD_GENERATIONS] = {0x30016FAC, 0x31016FAC, 0x00027FAC, 0x00027FAC,
                                                        0x00027FAC, 0x00027FAC, 0x30016FAC};
    (void)state;
    for (unsigned g = 0; g < AMD_GENERATIONS; g++) {
        struct amd_descriptor d = amd_descriptor_raw(g, UINT64_C(0x7F0000001000), 4096);
        expect_words(g, &d, 0x1000, 0x7F00, 4096, raw_word3[g]);
    }
    /* 8_8_8_8_UNORM with stride 12 and 100 records: FORMAT 42 or 56, or DFMT 10 with NFMT 0; GFX8 counts
     * bytes */
    struct amd_descriptor d = amd_descriptor_typed(AMD_GFX11, 0x1000, 12, 100, 42);
    expect_words(AMD_GFX11, &d, 0x1000, 12 << 16, 100, 0xFAC | 42 << 12);
    d = amd_descriptor_typed(AMD_GFX10, 0x1000, 12, 100, 56);
    expect_words(AMD_GFX10, &d, 0x1000, 12 << 16, 100, 0xFAC | 56 << 12 | 1 << 24);
    d = amd_descriptor_typed(AMD_GFX9, 0x1000, 12, 100, 10);
    expect_words(AMD_GFX9, &d, 0x1000, 12 << 16, 100, 0xFAC | 10 << 15);
    d = amd_descriptor_typed(AMD_GFX8, 0x1000, 12, 100, 10);
    expect_words(AMD_GFX8, &d, 0x1000, 12 << 16, 1200, 0xFAC | 10 << 15);
    /* scratch of a wave of 64 lanes: index stride 64, ADD_TID; element size 4 is SWIZZLE_ENABLE 1 on GFX11,
     * ELEMENT_SIZE 1 on GFX8 */
    d = amd_descriptor_scratch(AMD_GFX11, 0x200000, 256, 64);
    expect_words(AMD_GFX11, &d, 0x200000, 256 << 16 | 1 << 30, UINT32_MAX,
                 0xFAC | 22 << 12 | 3 << 21 | 1 << 23 | 2 << 28);
    d = amd_descriptor_scratch(AMD_GFX8, 0x200000, 256, 64);
    expect_words(AMD_GFX8, &d, 0x200000, 256 << 16 | 1U << 31, UINT32_MAX,
                 0xFAC | 7 << 12 | 1 << 19 | 3 << 21 | 1 << 23);
    /* a stride of 18 bits: 0x12340 = 4 << 14 | 0x2340; DATA_FORMAT holds its top bits */
    d = amd_descriptor_scratch(AMD_GFX9, 0, 0x12340, 32);
    expect_words(AMD_GFX9, &d, 0, 0x2340U << 16 | 1U << 31, UINT32_MAX,
                 0xFAC | 7 << 12 | 4 << 15 | 2 << 21 | 1 << 23);
}

/* A line names a builder, and then fields that differ from the builder's defaults. */
static void test_builder_names(void **state)
{
    static const struct {
        enum amd_generation g;
        const char *text;
        uint32_t words[4];
    } builder_lines[] = {
        {AMD_GFX11, "raw base=0x10000 num_records=0x100", {0x10000, 0, 0x100, 0x30016FAC}},
        {AMD_GFX9, "raw base=0x7fff00000000 num_records=256", {0, 0x7FFF, 0x100, 0x00027FAC}},
        {AMD_GFX10,
         "typed stride=12 num_records=100 format=8_8_8_8_unorm",
         {0, 12 << 16, 100, 0xFAC | 56 << 12 | 1 << 24}},
        {AMD_GFX8,
         "scratch stride=256",
         {0, 256U << 16 | 1U << 31, UINT32_MAX, 0xFAC | 7 << 12 | 1 << 19 | 3 << 21 | 1 << 23}},
        {AMD_GFX11, "raw", {0, 0, 0, 0x30016FAC}},
    };
    (void)state;
    for (size_t n = 0; n < sizeof builder_lines / sizeof *builder_lines; n++) {
        uint32_t words[4];
        parse(builder_lines[n].g, builder_lines[n].text, words);
        assert_memory_equal(words, builder_lines[n].words, sizeof words);
    }
}

/* In a case's text one line has the four words. Errors name its line and column. The case's description lists
 * the rules that the words break. */
static void test_in_a_case(void **state)
{
    static const char text[] = "misprint-case 1 amd-buffer\ngeneration = gfx900\n"
                               "descriptor = stride=16 data_format=8 num_format=reserved num_records=0x4\n",
                      bare[] = "misprint-case 1 amd-buffer\n"
                               "descriptor = 00000000 00100000 4 0x0000e000 # as they are printed\n",
                      unclear[] = "misprint-case 1 amd-buffer\ndescriptor = 0 0 64 0x0000e000\n",
                      few[] = "misprint-case 1 amd-buffer\ndescriptor = 00000000 00100000 00000004\n",
                      wrong[] = "misprint-case 1 amd-buffer\n  descriptor = raw bse=1 # typo\n";
    static const uint32_t words[] = {0, 16 << 16, 4, 6 << 12 | 1 << 15};
    struct test_case *c = malloc(sizeof *c);
    struct text t = {0};
    struct error e = {0};
    (void)state;
    assert_non_null(c);
    assert_true(case_parse(c, text, strlen(text), &e));
    assert_memory_equal(amd_support_case(c)->descriptor, words, sizeof words);
    case_print(c, &t);
    assert_string_equal(text_chars(&t),
                        "misprint-case 1 amd-buffer\ngeneration = gfx900\n"
                        "descriptor = stride=16 num_records=0x4 num_format=reserved data_format=8\n");
    text_clear(&t);
    case_describe_phrase(c, &t);
    assert_non_null(
        strstr(text_chars(&t), "descriptor s[8:11] 00000000 00100000 00000004 0000e000: stride=16"));
    assert_non_null(strstr(text_chars(&t), "num_format 6 is reserved ("));
    assert_true(case_parse(c, bare, strlen(bare), &e));
    assert_memory_equal(amd_support_case(c)->descriptor, words, sizeof words);
    assert_false(case_parse(c, unclear, strlen(unclear), &e));
    assert_string_equal(e.text,
                        "line 2, column 18: expected a hexadecimal word: all eight digits, or 0x before "
                        "fewer, got '64 0x0000e000'");
    assert_false(case_parse(c, few, strlen(few), &e));
    assert_false(case_parse(c, wrong, strlen(wrong), &e));
    assert_string_equal(e.text,
                        "line 2, column 20: expected a field of gfx1100's descriptor; did you mean 'BASE'?");
    text_free(&t);
    free(c);
}

/* ---- fields ---- */

static void test_bits_covered(void **state)
{
    (void)state;
    for (unsigned g = 0; g < AMD_GENERATIONS; g++) {
        bool covered[128] = {0};
        unsigned next = 0;
        for (const struct bit_field *f = amd_descriptor_bits(g); f->name; f++) {
            unsigned named = 0;
            for (unsigned bit = f->low; bit < (unsigned)f->low + f->width; bit++) {
                assert_false(covered[bit]);
                covered[bit] = true;
            }
            if (strncmp(f->name, "NUM_FORMAT", 10) != 0)
                assert_true(f->low >= next || g >= AMD_GFX9);
            next = f->low;
            while (f->values && f->values[named])
                named++;
            assert_true(f->values == NULL || named <= 1U << f->width);
        }
        for (unsigned bit = 0; bit < 128; bit++)
            assert_true(covered[bit]);
    }
}

static void test_round_trips(void **state)
{
    unsigned count = support_scaled(1000000);
    struct random r;
    struct text t = {0};
    (void)state;
    random_seed(&r, 1);
    for (unsigned n = 0; n < count; n++) {
        enum amd_generation g = (enum amd_generation)(n % AMD_GENERATIONS);
        uint32_t words[4], again[4];
        struct amd_descriptor d;
        struct error e = {0};
        for (unsigned w = 0; w < 4; w++) {
            words[w] = random_one_in(&r, 4) ? 0 : random_u32(&r);
            if (n % 3 == 0) /* makes more fields 0 */
                words[w] &= random_u32(&r);
        }
        amd_descriptor_decode(g, words, &d);
        amd_descriptor_encode(g, &d, again);
        assert_memory_equal(words, again, sizeof words);
        (void)print(g, words, &t);
        if (!amd_descriptor_parse(g, t.chars, 0, t.length, again, &e) ||
            memcmp(words, again, sizeof words) != 0)
            fail_msg("%s: %08x %08x %08x %08x prints as '%s', which is parsed differently: %s",
                     amd_generation_names[g], words[0], words[1], words[2], words[3], t.chars, e.text);
    }
    print_message("%u descriptors encoded, printed and parsed\n", count);
    text_free(&t);
}

static bool read_descriptor(enum amd_generation g, const char *line, size_t count, struct error *e)
{
    uint32_t words[4];
    return amd_descriptor_parse(g, line, 0, count, words, e);
}

static void test_errors(void **state)
{
    static const struct amd_wrong_line wrong[] = {
        {AMD_GFX11, "", "column 1: expected a field of gfx1100's descriptor"},
        {AMD_GFX11, "bse=0", "column 1: expected a field of gfx1100's descriptor; did you mean 'BASE'?"},
        {AMD_GFX11, "base=0 strid=4",
         "column 8: expected a field of gfx1100's descriptor; did you mean 'STRIDE'?"},
        {AMD_GFX11, "data_format=32",
         "column 1: expected a field of gfx1100's descriptor; did you mean 'FORMAT'?"},
        {AMD_GFX11, "stride 4", "column 8: expected '='"},
        {AMD_GFX11, "stride=16384", "column 8: expected STRIDE from 0 to 16383, found '16384'"},
        {AMD_GFX11, "stride=-1", "column 8: expected STRIDE from 0 to 16383, found '-1'"},
        {AMD_GFX11, "base=0x1000000000000",
         "column 6: expected BASE from 0 to 281474976710655, found '0x1000000000000'"},
        {AMD_GFX11, "oob_select=complet",
         "column 12: expected a value of OOB_SELECT; did you mean 'complete'?"},
        {AMD_GFX11, "oob_select=3", "column 12: this value of OOB_SELECT has a name: write 'complete'"},
        {AMD_GFX10, "format=128", "column 8: expected FORMAT from 0 to 127, found '128'"},
        {AMD_GFX11, "dst_sel=xyz", "column 9: expected four of 0 1 x y z w"},
        {AMD_GFX11, "dst_sel=xyzv", "column 9: expected four of 0 1 x y z w"},
        {AMD_GFX11, "zero base=1", "column 1: expected a field of gfx1100's descriptor"},
        {AMD_GFX11, "base=1 raw", "column 8: expected a field of gfx1100's descriptor"},
    };
    (void)state;
    amd_expect_errors(wrong, sizeof wrong / sizeof *wrong, read_descriptor);
}

/* ---- the check ---- */

/* Each V# breaks the rules of exactly these fields, listed in the order of the check. */
static const struct {
    enum amd_generation g;
    const char *text, *fields;
} broken[] = {
    {AMD_GFX11, "zero", ""},
    {AMD_GFX10, "zero", ""},
    {AMD_GFX8, "zero", ""},
    {AMD_GFX11, "base=0x1000 num_records=64 dst_sel=xyzw format=32_float oob_select=complete", ""},
    {AMD_GFX11, "base=0x1000 num_records=64 dst_sel=xyzw format=32_float oob_select=complete type=2",
     "type "},
    {AMD_GFX11, "stride=16 num_records=64 format=32_float swizzle_enable=reserved", "swizzle_enable "},
    {AMD_GFX11, "num_records=64 format=32_float swizzle_enable=element4 oob_select=num_records_0", "stride "},
    {AMD_GFX11, "stride=20 num_records=64 format=32_float swizzle_enable=element4", ""},
    {AMD_GFX11, "stride=20 num_records=64 format=32_float swizzle_enable=element16", "stride "},
    {AMD_GFX8, "stride=12 num_records=64 data_format=32 num_format=float swizzle_enable=on element_size=8",
     "stride "},
    {AMD_GFX8, "stride=12 num_records=64 data_format=32 num_format=float swizzle_enable=on element_size=4",
     ""},
    {AMD_GFX11, "base=2 stride=16 num_records=64 format=32_float swizzle_enable=element4", "base "},
    {AMD_GFX11, "base=0xfffffffffff0 num_records=17 format=32_float oob_select=complete", "base "},
    {AMD_GFX11, "base=0xfffffffffff0 num_records=16 format=32_float oob_select=complete", ""},
    {AMD_GFX10, "format=78 num_records=4 resource_level=1", "format "},
    {AMD_GFX10, "format=10_11_11_uint num_records=4 resource_level=1", "format "},
    {AMD_GFX10, "format=10_11_11_float num_records=4 resource_level=1", ""},
    {AMD_GFX10, "format=32_float num_records=4", "resource_level "},
    {AMD_GFX9, "data_format=reserved num_records=4", "data_format "},
    {AMD_GFX9, "data_format=reserved num_records=4 add_tid_enable=1", ""},
    {AMD_GFX9, "data_format=8 num_format=reserved num_records=4", "num_format "},
    {AMD_GFX8, "data_format=32 num_format=unorm num_records=4", "num_format "},
    {AMD_GFX11, "base=16 num_records=4 oob_select=complete", "format "},
    {AMD_GFX11, "base=16 num_records=4 oob_select=complete add_tid_enable=1", ""},
    {AMD_GFX9, "base=16 num_records=4 num_format=float", "data_format "},
    {AMD_GFX11, "stride=4 format=32_float dst_sel_x=n_bc_1", "dst_sel_x "},
    {AMD_GFX11, "stride=4 format=32_float dst_sel_y=reserved", "dst_sel_y "},
    {AMD_GFX11, "stride=4 format=32_float dst_sel_z=reserved", "dst_sel_z "},
    {AMD_GFX11, "stride=4 format=32_float dst_sel_w=n_bc_1", "dst_sel_w "},
    {AMD_GFX11, "stride=4 format=32_float dst_sel=xx01", "dst_sel "},
    {AMD_GFX11, "stride=4 format=32_float dst_sel=0011", ""},
    {AMD_GFX11, "format=32_float num_records=4", "oob_select "},
    {AMD_GFX9, "data_format=32 num_format=float user_vm_mode=1", "user_vm_mode "},
    {AMD_GFX9, "data_format=32 num_format=float user_vm_mode=1 user_vm_enable=1", ""},
    {AMD_GFX11, "stride=4 format=32_float reserved=1", "reserved "},
    {AMD_GFX11, "stride=4 format=32_float reserved_120=2", "reserved "},
    {AMD_GFX10, "stride=4 format=32_float resource_level=1 reserved_121=1", "reserved "},
    {AMD_GFX9, "data_format=32 num_format=float reserved_124=1", "reserved "},
    {AMD_GFX11, "type=1 format=32_float num_records=4 dst_sel_y=reserved reserved=1",
     "type dst_sel_y oob_select reserved "},
};

static void test_check(void **state)
{
    const struct amd_descriptor_rule *seen[64] = {NULL};
    unsigned rules = 0;
    (void)state;
    for (size_t n = 0; n < sizeof broken / sizeof *broken; n++) {
        struct text found = {0};
        struct amd_descriptor d;
        const struct amd_descriptor_rule *rule;
        uint32_t words[4];
        unsigned at = 0, s;
        parse(broken[n].g, broken[n].text, words);
        amd_descriptor_decode(broken[n].g, words, &d);
        while ((rule = amd_descriptor_check(broken[n].g, &d, &at))) {
            text_add(&found, "%s ", rule->field);
            assert_true(rule->says[0] && rule->source[0]);
            for (s = 0; s < rules && seen[s] != rule;)
                s++;
            if (s == rules)
                seen[rules++] = rule;
        }
        if (strcmp(text_chars(&found), broken[n].fields) != 0)
            fail_msg("%s '%s' breaks the rules of '%s', not of '%s'", amd_generation_names[broken[n].g],
                     broken[n].text, text_chars(&found), broken[n].fields);
        text_free(&found);
    }
    print_message("%zu descriptors, %u rules broken\n", sizeof broken / sizeof *broken, rules);
    assert_int_equal(rules, 22); /* the V#s break every rule */
}

/* ---- formats ---- */

/* A layout's name lists components from the most significant one on. So "2_10_10_10" has X in the lowest ten
 * bits. */
static void test_layouts(void **state)
{
    (void)state;
    for (unsigned l = AMD_8; l < AMD_LAYOUT_RESERVED; l++) {
        const struct amd_layout_row *row = &amd_layouts[l];
        const char *name = amd_layout_names[l];
        unsigned widths[4], count = 0, low = 0;
        for (char *end; *name && count < 4; name = *end ? end + 1 : end)
            widths[count++] = (unsigned)strtoul(name, &end, 10);
        assert_int_equal(row->components, count);
        for (unsigned c = 0; c < count; c++) {
            assert_int_equal(row->bits[c], widths[count - 1 - c]);
            assert_int_equal(row->low[c], low);
            low += row->bits[c];
        }
        assert_int_equal(row->bytes * 8, low);
    }
}

/* The codes are those of "RDNA3" guide table 52 and of Mesa's table of GFX10 formats. */
static void test_format_codes(void **state)
{
    static const struct {
        int gfx11, gfx10;
        enum amd_layout layout;
        enum amd_number number;
    } codes[] = {
        {1, 1, AMD_8, AMD_UNORM},
        {6, 6, AMD_8, AMD_SINT},
        {7, 7, AMD_16, AMD_UNORM},
        {13, 13, AMD_16, AMD_FLOAT},
        {14, 14, AMD_8_8, AMD_UNORM},
        {20, 20, AMD_32, AMD_UINT},
        {22, 22, AMD_32, AMD_FLOAT},
        {29, 29, AMD_16_16, AMD_FLOAT},
        {30, 36, AMD_10_11_11, AMD_FLOAT},
        {31, 43, AMD_11_11_10, AMD_FLOAT},
        {32, 44, AMD_10_10_10_2, AMD_UNORM},
        {34, 48, AMD_10_10_10_2, AMD_UINT},
        {36, 50, AMD_2_10_10_10, AMD_UNORM},
        {41, 55, AMD_2_10_10_10, AMD_SINT},
        {42, 56, AMD_8_8_8_8, AMD_UNORM},
        {48, 62, AMD_32_32, AMD_UINT},
        {50, 64, AMD_32_32, AMD_FLOAT},
        {51, 65, AMD_16_16_16_16, AMD_UNORM},
        {57, 71, AMD_16_16_16_16, AMD_FLOAT},
        {60, 74, AMD_32_32_32, AMD_FLOAT},
        {63, 77, AMD_32_32_32_32, AMD_FLOAT},
        {-1, 30, AMD_10_11_11, AMD_UNORM},
        {-1, 46, AMD_10_10_10_2, AMD_USCALED},
        {-1, -1, AMD_32, AMD_UNORM},
    };
    static const unsigned valid[AMD_GENERATIONS] = {63, 77, 14 * 7, 14 * 7, 14 * 7, 14 * 7, 63};
    (void)state;
    for (size_t n = 0; n < sizeof codes / sizeof *codes; n++) {
        assert_int_equal(amd_format_code(AMD_GFX11, codes[n].layout, codes[n].number), codes[n].gfx11);
        assert_int_equal(amd_format_code(AMD_GFX10, codes[n].layout, codes[n].number), codes[n].gfx10);
        assert_int_equal(amd_format_code(AMD_GFX9, codes[n].layout, codes[n].number),
                         (int)codes[n].layout | (int)codes[n].number << 4);
    }
    for (unsigned g = 0; g < AMD_GENERATIONS; g++) {
        unsigned count = 0, listed = 0;
        for (uint32_t code = 0; code < 2 * AMD_FORMAT_CODES; code++) {
            struct amd_format f;
            bool good = amd_format_of(g, code, &f);
            count += good;
            listed += good && f.listed;
            if (good)
                assert_int_equal(amd_format_code(g, f.layout, f.number), code);
        }
        assert_int_equal(count, valid[g]);
        assert_int_equal(listed, 63);
    }
}

/* GFX10 and later number all formats in one list. Earlier generations have no such list, so their codes have
 * no names. */
static void test_format_names(void **state)
{
    (void)state;
    for (unsigned g = 0; g < AMD_GENERATIONS; g++) {
        bool unified = g == AMD_GFX10 || g == AMD_GFX11 || g == AMD_GFX12;
        for (uint32_t code = 0; code < 200; code++) {
            struct amd_format f;
            const char *name = amd_unified_format_name((enum amd_generation)g, code);
            bool named = amd_format_of((enum amd_generation)g, code, &f) || code == 0;
            assert_int_equal(name != NULL, unified && named);
            if (unified && code < 2)
                assert_string_equal(name, code ? "8_UNORM" : "INVALID");
        }
        assert_null(amd_unified_format_name((enum amd_generation)g, UINT32_MAX));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),         cmocka_unit_test(test_builders),
        cmocka_unit_test(test_builder_names), cmocka_unit_test(test_in_a_case),
        cmocka_unit_test(test_bits_covered),  cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_errors),        cmocka_unit_test(test_check),
        cmocka_unit_test(test_layouts),       cmocka_unit_test(test_format_codes),
        cmocka_unit_test(test_format_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
