/* SPDX-License-Identifier: MIT */
/* The text of buffer instructions: known words, round trips without loss, other spellings, and errors that
 * say where and what. test_amd_llvm.c compares the text with LLVM's. */
#include "tests/model/amd/support_amd.h"
#include "tests/model/amd/support_amd_text.h"
#include "tests/model/amd/support_amd_words.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- known encodings ---- */

static void test_known_words(void **state)
{
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        uint64_t word = (uint64_t)known[n].high << 32 | known[n].low;
        assert_int_equal(amd_test_parse(known[n].g, known[n].text), word);
        if (!known[n].long_form)
            assert_string_equal(amd_test_print(known[n].g, word, &t), known[n].text);
        amd_test_round_trip(known[n].g, word, &t);
    }
    print_message("%zu known words parsed and printed\n", sizeof known / sizeof *known);
    text_free(&t);
}

/* LLVM has no text for these words. They were written by hand from the tables of the encodings. */
static const struct {
    enum amd_generation g;
    uint32_t low, high;
    const char *text;
} beyond[] = {
    {AMD_GFX11, 0xE0500000, 0x80020507, "buffer_load_b32 v5, off, s[8:11], 0 {VADDR=7}"},
    {AMD_GFX11, 0xE0538000, 0x80020500, "buffer_load_b32 v5, off, s[8:11], 0 {UNUSED=7}"},
    {AMD_GFX11, 0xE8B00000, 0x80220500,
     "tbuffer_load_format_x v5, off, s[8:11], 0 format:[BUF_FMT_32_FLOAT] {TFE=1}"},
    {AMD_GFX11, 0xE0500000, 0x801A0500, "buffer_load_b32 v5, off, src[104:107], 0"},
    {AMD_GFX11, 0xE0500000, 0xFF020500, "buffer_load_b32 v5, off, s[8:11], src255"},
    {AMD_GFX11, 0xE05C0000, 0x8002FE00, "buffer_load_b128 v[254:257], off, s[8:11], 0"},
    {AMD_GFX11, 0xE0A00000, 0x80020500, ".quad 0x80020500e0a00000"}, /* opcode 40 does not exist */
    {AMD_GFX11, 0xDEADBEEF, 0x00000000, ".quad 0x00000000deadbeef"},
    {AMD_GFX10, 0xE1900000, 0x80020500, ".quad 0x80020500e1900000"}, /* opcode 100 does not exist */
    {AMD_GFX9, 0xE0508000, 0x80220500, "buffer_load_dword v5, off, s[8:11], 0 {UNUSED=1, UNUSED_53=1}"},
    {AMD_GFX9, 0xC0224142, 0x14000000, "s_buffer_load_dword s5, s[4:7], s10 offset:0x0"},
    {AMD_GFX8, 0xE0940000, 0x80020500,
     ".quad 0x80020500e0940000"}, /* opcode 37, load_short_d16_hi, exists from GFX9 on */
};

static void test_beyond_llvm(void **state)
{
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof beyond / sizeof *beyond; n++) {
        uint64_t word = (uint64_t)beyond[n].high << 32 | beyond[n].low;
        assert_string_equal(amd_test_print(beyond[n].g, word, &t), beyond[n].text);
        amd_test_round_trip(beyond[n].g, word, &t);
    }
    text_free(&t);
}

/* ---- round trips ---- */

static void test_round_trips(void **state)
{
    unsigned count = support_scaled(2000000);
    struct random r;
    struct text t = {0};
    unsigned raw = 0, leftover = 0;
    (void)state;
    random_seed(&r, 1);
    for (unsigned n = 0; n < count; n++) {
        enum amd_generation g = (enum amd_generation)(n % AMD_GFX12);
        amd_test_round_trip(g,
                            n % 16 == 15 ? random_u64(&r)
                            : n % 3      ? amd_test_random_word(g, &r)
                                         : amd_test_random_valid_word(g, &r),
                            &t);
        raw += t.chars[0] == '.';
        leftover += strchr(t.chars, '{') != NULL;
    }
    print_message("%u words printed and parsed; %u as .quad, %u with fields that LLVM does not print\n",
                  count, raw, leftover);
    assert_true(raw < count / 2 && leftover > count / 10);
    text_free(&t);
}

/* Inverts each bit of each operation. The words must round-trip. */
static void test_single_bits(void **state)
{
    struct text t = {0};
    unsigned words = 0;
    (void)state;
    for (unsigned g = 0; g < AMD_GFX12; g++)
        for (unsigned n = 0; n < amd_op_count; n++) {
            struct amd_insn i;
            if (amd_ops[n].code[g] == AMD_NO_CODE)
                continue;
            amd_insn_canonical(g, &amd_ops[n], &i);
            uint64_t word = amd_encode(g, &i), covered = 0;
            assert_true(amd_decode(g, word, &i) && i.op == &amd_ops[n]);
            for (const struct bit_field *f = amd_bit_fields(g, word); f->name; f++) {
                uint64_t mask = ((UINT64_C(1) << f->width) - 1) << f->low;
                assert_int_equal(covered & mask, 0);
                covered |= mask;
            }
            assert_true(covered == UINT64_MAX);
            for (unsigned bit = 0; bit < 64; bit++, words++)
                amd_test_round_trip(g, word ^ UINT64_C(1) << bit, &t);
        }
    print_message("%u words, each an operation with one bit inverted\n", words);
    text_free(&t);
}

/* ---- other spellings, and errors ---- */

static void test_other_spellings(void **state)
{
    static const struct {
        enum amd_generation g;
        const char *written, *same;
    } pairs[] = {
        {AMD_GFX11, "  BUFFER_LOAD_B32 V5 , OFF, S[8:11],  S3   // comment",
         "buffer_load_b32 v5, off, s[8:11], s3"},
        {AMD_GFX11, "buffer_load_b32 v[5:5], v[2:2], s[8:11], 0 offen",
         "buffer_load_b32 v5, v2, s[8:11], 0 offen"},
        {AMD_GFX11, "buffer_load_b32 v5, v2, s[8:11], 0 glc offset:0x10 idxen",
         "buffer_load_b32 v5, v2, s[8:11], 0 idxen offset:16 glc"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0x10", "buffer_load_b32 v5, off, s[8:11], 16"},
        {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], -.5", "buffer_load_b32 v5, off, s[8:11], -0.5"},
        {AMD_GFX11, "tbuffer_load_format_x v5, off, s[8:11], 0 format:22",
         "tbuffer_load_format_x v5, off, s[8:11], 0 format:[BUF_FMT_32_FLOAT]"},
        {AMD_GFX9,
         "tbuffer_load_format_x v5, off, s[8:11], 0 format:[BUF_NUM_FORMAT_FLOAT,BUF_DATA_FORMAT_32]",
         "tbuffer_load_format_x v5, off, s[8:11], 0 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT]"},
        {AMD_GFX11, "s_buffer_load_b32 s5, s[4:7], 0", "s_buffer_load_b32 s5, s[4:7], null"},
        {AMD_GFX10, "s_buffer_load_dword s5, s[4:7], 100", "s_buffer_load_dword s5, s[4:7], 0x64"},
        {AMD_GFX11, ".quad 0x80020500E0500000", "buffer_load_b32 v5, off, s[8:11], 0"},
        {AMD_GFX11, "buffer_load_dword v[5], off, [s8,s9,s10,s11], 0x10 /* 16 */ ; encoding: [0x00]",
         "buffer_load_b32 v5, off, s[8:11], 16"},
        {AMD_GFX9, "tbuffer_load_format_x v5, off, s[8:11], dfmt:4, nfmt:7, s3 offset:10+6",
         "tbuffer_load_format_x v5, off, s[8:11], s3 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] "
         "offset:16"},
    };
    struct text t = {0};
    (void)state;
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++)
        assert_string_equal(amd_test_print(pairs[n].g, amd_test_parse(pairs[n].g, pairs[n].written), &t),
                            pairs[n].same);
    text_free(&t);
}

static bool read_instruction(enum amd_generation g, const char *line, size_t count, struct error *e)
{
    uint64_t word;
    return amd_parse(g, line, count, &word, e);
}

static const struct amd_wrong_line wrong_lines[] = {
    {AMD_GFX11, "buffer_load_b23 v5, off, s[8:11], s3",
     "column 1: expected an instruction, found 'buffer_load_b23'; did you mean 'buffer_load_b32'?"},
    {AMD_GFX11, "buffer_load_b32 v5, off, [s8,s10,s11,s12], s3",
     "column 30: expected single registers, one after the other: [s8,s9,s10,s11]"},
    {AMD_GFX11, "buffer_load_b32 v5, off, [s8,s9,s10], s3", "column 26: expected 4 registers, found 3"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0x3f000001",
     "column 35: expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
     "0.15915494"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offset:4/0", "column 46: division by zero"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offset:08", "column 45: '08' is no number"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 /* offset:4",
     "column 1: a comment has no end in this line"},
    {AMD_GFX11, "tbuffer_load_format_x v4, off, s[8:11], dfmt:4, nfmt:7, s3",
     "column 41: expected a modifier or the end of the line, found 'dfmt'"},
    {AMD_GFX11, "tbuffer_load_format_x v4, off, s[8:11], s3 format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UNORM]",
     "column 52: gfx1100 has no such format"},
    {AMD_GFX10, "buffer_load_b32 v5, off, s[8:11], s3",
     "column 1: gfx1030 calls 'buffer_load_b32' buffer_load_dword (--isa, or a case's 'generation', "
     "chooses another)"},
    {AMD_GFX11, "buffer_load_b64 v5, off, s[8:11], s3", "column 17: expected 2 data registers, found 1"},
    {AMD_GFX11, "buffer_load_b32 v[5:6], off, s[8:11], s3", "column 17: expected 1 data register, found 2"},
    {AMD_GFX11, "buffer_load_b32 v5, v0, s[8:11], s3", "column 21: expected 'off' without idxen and offen"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offen",
     "column 21: expected 1 address register, found 0"},
    {AMD_GFX11, "buffer_load_b32 v5, v0, s[8:11], s3 offen idxen",
     "column 21: expected 2 address registers, found 1"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[9:12], s3",
     "column 26: the first register must be a multiple of 4"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:10], s3", "column 26: expected 4 registers, found 3"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[104:107], s3", "column 26: gfx1100 has no such registers"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s200", "column 35: gfx1100 has no such registers"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], vccz",
     "column 35: expected the offset: an SGPR, m0, null or a number, found 'vccz'; did you mean "
     "'src_vccz'?"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 65",
     "column 35: expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
     "0.15915494"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], -17",
     "column 35: expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
     "0.15915494"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0.3",
     "column 35: expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
     "0.15915494"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offset:4096",
     "column 45: expected the immediate offset (12 bits, unsigned) from 0 to 4095, found '4096'"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 offset:-1",
     "column 45: expected the immediate offset (12 bits, unsigned) from 0 to 4095, found '-1'"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 gcl",
     "column 38: expected a modifier or the end of the line, found 'gcl'"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 glc glc", "column 42: 'glc' is given twice"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 lds",
     "column 38: expected a modifier or the end of the line, found 'lds'"},
    {AMD_GFX9, "buffer_load_dword v5, off, s[8:11], s3 dlc",
     "column 40: expected a modifier or the end of the line, found 'dlc'; did you mean 'glc'?"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], s3 format:22",
     "column 38: buffer_load_b32 takes no 'format'"},
    {AMD_GFX11, "buffer_atomic_add_u32 v5, off, s[8:11], s3 tfe",
     "column 44: buffer_atomic_add_u32 takes no 'tfe'"},
    {AMD_GFX11, "buffer_load_b32 v256, off, s[8:11], s3", "column 17: VGPRs are v0 to v255"},
    {AMD_GFX11, "buffer_load_b32 v5, off", "column 24: expected ','"},
    {AMD_GFX11, "buffer_load_b32", "column 16: expected VGPRs: v0, v[0:3]"},
    {AMD_GFX11, "tbuffer_load_format_x v5, off, s[8:11], s3 format:[BUF_FMT_32_FLAOT]",
     "column 52: expected BUF_FMT_ and a format of this generation, found '32_FLAOT'; did you mean "
     "'32_FLOAT'?"},
    {AMD_GFX11, "tbuffer_load_format_x v5, off, s[8:11], s3 format:128",
     "column 51: expected a format from 0 to 127, found '128'"},
    {AMD_GFX9, "tbuffer_load_format_x v5, off, s[8:11], s3 format:[BUF_FMT_32_FLOAT]",
     "column 52: expected BUF_DATA_FORMAT_... or BUF_NUM_FORMAT_...: 32, 8_8_8_8, ... and UNORM, FLOAT, "
     "..."},
    {AMD_GFX11, "buffer_load_lds_b32 v5, off, s[8:11], s3",
     "column 21: a load to LDS has no data register: remove it, or 'lds'"},
    {AMD_GFX9, "buffer_load_dword v5, off, s[8:11], s3 lds",
     "column 19: a load to LDS has no data register: remove it, or 'lds'"},
    {AMD_GFX9, "buffer_load_dword off, s[8:11], s3", "column 19: expected 1 data register first"},
    {AMD_GFX11, "s_buffer_load_b64 s[5:6], s[4:7], 0x10",
     "column 19: the first register must be a multiple of 2"},
    {AMD_GFX11, "s_buffer_load_b32 s5, s[2:5], 0x10",
     "column 23: the first register must be a multiple of 4"},
    {AMD_GFX11, "s_buffer_load_b32 s5, s[4:7], 0x100000", "column 31: the offset has 21 bits and a sign"},
    {AMD_GFX8, "s_buffer_load_dword s5, s[4:7], -4", "column 33: the offset has 20 bits without a sign"},
    {AMD_GFX11, "buffer_gl0_inv v5", "column 16: expected the end of the line"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0 {VADR=7}",
     "column 38: expected a field of this encoding, found 'VADR'; did you mean 'VADDR'?"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0 {VADDR=256}",
     "column 44: expected the field's value from 0 to 255, found '256'"},
    {AMD_GFX11, "buffer_load_b32 v5, off, s[8:11], 0 {OP=3}",
     "column 38: the instruction's name determines OP: it cannot be set here"},
    {AMD_GFX11, ".quad 0x1ffffffffffffffff", "column 7: expected the 64-bit word behind .quad"},
    {AMD_GFX11, ".long 3", "column 2: expected .quad"},
    {AMD_GFX9, "buffer_atomic_csub v5, off, s[8:11], s3",
     "column 1: gfx900 has no 'buffer_atomic_csub' (--isa, or a case's 'generation', chooses another)"},
    {AMD_GFX11, "buffer_atomic_fmin_x2 v[5:6], off, s[8:11], s3",
     "column 1: gfx1100 has no 'buffer_atomic_fmin_x2' (--isa, or a case's 'generation', chooses "
     "another)"},
};

static void test_errors(void **state)
{
    (void)state;
    amd_expect_errors(wrong_lines, sizeof wrong_lines / sizeof *wrong_lines, read_instruction);
}

/* Changes valid lines at random. The parser returns a word that round-trips, or an error with a column. */
static void test_damaged_lines(void **state)
{
    unsigned count = support_scaled(300000), read = 0;
    struct random r;
    struct text t = {0}, again = {0};
    (void)state;
    random_seed(&r, 4);
    for (unsigned n = 0; n < count; n++) {
        enum amd_generation g = (enum amd_generation)(n % AMD_GFX12);
        struct error e = {0};
        uint64_t word;
        (void)amd_test_print(g, amd_test_random_valid_word(g, &r), &t);
        for (unsigned changes = 1 + random_below(&r, 3); changes > 0; changes--) {
            static const char likely[] = "0123456789 ,:[]{}=-.vsxe/\t_";
            char *at = t.chars + random_below(&r, (uint32_t)t.length);
            *at = random_one_in(&r, 8) ? (char)random_u32(&r) : likely[random_below(&r, sizeof likely - 1)];
            if (random_one_in(&r, 4) && t.length > 2)
                t.length = random_below(&r, (uint32_t)t.length - 1) + 1;
        }
        if (amd_parse(g, t.chars, t.length, &word, &e)) {
            amd_test_round_trip(g, word, &again);
            read++;
        } else {
            assert_true(strncmp(e.text, "column ", 7) == 0);
        }
    }
    print_message("%u damaged lines, %u of them still instructions\n", count, read);
    assert_true(read > 0 && read < count);
    text_free(&t);
    text_free(&again);
}

/* Words of the generator and the mutator decode and round-trip. The generator makes every operation. */
static void test_generator(void **state)
{
    enum { COUNT = 100000 }; /* not scaled, because fewer words could lack an operation */
    struct random r;
    struct text t = {0};
    (void)state;
    random_seed(&r, 5);
    for (unsigned g = 0; g < AMD_GFX12; g++) {
        bool seen[256] = {0};
        unsigned ops = 0, has = 0;
        for (unsigned n = 0; n < COUNT / AMD_GFX12; n++) {
            uint32_t words[AMD_INSN_WORDS];
            struct amd_insn i;
            amd_code[g].generate(&r, words);
            for (unsigned times = n % 4; times > 0; times--)
                amd_code[g].mutate(&r, words);
            uint64_t word = (uint64_t)words[1] << 32 | words[0];
            assert_true(amd_decode(g, word, &i));
            seen[i.op - amd_ops] = true;
            amd_test_round_trip(g, word, &t);
        }
        for (unsigned n = 0; n < amd_op_count; n++) {
            has += amd_ops[n].code[g] != AMD_NO_CODE;
            ops += seen[n];
        }
        assert_int_equal(ops, has);
    }
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_words), cmocka_unit_test(test_beyond_llvm),
        cmocka_unit_test(test_single_bits), cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_generator),   cmocka_unit_test(test_other_spellings),
        cmocka_unit_test(test_errors),      cmocka_unit_test(test_damaged_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
