/* SPDX-License-Identifier: MIT */
/* Printing a setup word as text and reading it back loses nothing, and errors name the place. */
#include "tests/model/vc4/vpm/support_vpm.h"

static void setup_text_examples(void **state)
{
    (void)state;
    static const struct {
        enum setup_register which;
        uint32_t word;
        const char *text;
    } rows[] = {
        {SETUP_WRITE, 0x00001A02, "h32 stride=1 y=2"},
        {SETUP_WRITE, 0x17BC1AC2, "h32 unused=1519 stride=1 addr-high=3 y=2"},
        {SETUP_WRITE, 0x83904000, "store-h units=7 depth=16"},
        {SETUP_WRITE, 0xC0010040, "store-stride blockmode=1 stride=64"},
        {SETUP_WRITE, 0x40000000, "0x40000000"},
        {SETUP_WRITE, 0x00001B00, "0x00001B00"},
        {SETUP_READ, 0x0041020F, "v32 num=4 stride=16 x=15"},
        {SETUP_READ, 0x80101800, "load-v rowlen=1 vpitch=1"},
        {SETUP_READ, 0x90000080, "load-pitch mpitchb=128"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {0};
        setup_print(rows[i].which, rows[i].word, &t);
        assert_string_equal(text_chars(&t), rows[i].text);
        assert_int_equal(setup(rows[i].which, rows[i].text), rows[i].word);
        text_free(&t);
    }
}

static void setup_text_is_loss_free(void **state)
{
    (void)state;
    struct random r;
    struct text t = {0};
    random_seed(&r, 5);
    for (unsigned i = 0; i < 200000; i++) {
        enum setup_register which = i & 1;
        uint32_t word = random_u32(&r), back = ~word;
        struct error e = {0};
        text_clear(&t);
        setup_print(which, word, &t);
        if (!setup_parse(which, text_chars(&t), t.length, 1, &back, &e) || back != word)
            fail_msg("%08x prints as \"%s\", which reads as %08x (%s)", (unsigned)word, text_chars(&t),
                     (unsigned)back, e.text);
    }
    text_free(&t);
}

static void formats_cover_every_bit_once(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 2; which++)
        for (unsigned i = 0; setup_format_at(which, i); i++) {
            uint64_t seen = 0;
            for (const struct bit_field *f = setup_format_at(which, i)->fields; f->name; f++) {
                uint64_t mask = ((UINT64_C(1) << f->width) - 1) << f->low;
                assert_int_equal(seen & mask, 0);
                seen |= mask;
            }
            assert_int_equal(seen, UINT32_MAX);
        }
}

/* Mending changes ADDR and STRIDE so that all vectors of a setup stay in rows 0 to 63. ADDR has 64 values in
 * 32-bit modes and 128 in 16-bit modes (p57 T32, p58 T33). Each vector adds STRIDE, of which 0 means 64.
 * Mending does not change a setup that stays inside. */
static void mended_setups_stay_in_rows_0_to_63(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 8);
    unsigned kept = 0, changed = 0;
    for (unsigned i = 0; i < 200000; i++) {
        bool write = i & 1;
        uint32_t word = random_u32(&r) & 0x3FFFFFFF, size = word >> 8 & 3, num = word >> 20 & 15; /* ID 0 */
        uint32_t mended = write ? setup_mend_write(word) : setup_mend_read(word);
        if (size == 0 || size == 3) { /* 8-bit: every ADDR is inside; reserved */
            assert_int_equal(mended, word);
            continue;
        }
        uint32_t vectors = write ? 4 : num ? num : 16, end = size == 2 ? 64 : 128;
        uint32_t from = (word & 255) % end, by = (word >> 12 & 63) ? word >> 12 & 63 : 64;
        uint32_t to = mended & 255, step = (mended >> 12 & 63) ? mended >> 12 & 63 : 64;
        assert_int_equal((mended ^ word) & ~0x3F0FFU, 0); /* nothing else changes */
        assert_true(to + (vectors - 1) * step < end);
        if (from + (vectors - 1) * by < end) {
            assert_int_equal(to, from);
            assert_int_equal(step, by);
            kept++;
        } else {
            changed++;
        }
    }
    assert_true(kept > 1000 && changed > 1000);
}

static void setup_text_errors_name_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"h33 y=1", "column 10: unknown kind of write setup 'h33'; did you mean 'h32'?"},
        {"h32 y=64", "column 16: y is at most 63"},
        {"h32 yy=1", "column 14: h32 has no field 'yy'"},
        {"h32 y=", "column 16: expected a decimal or 0x number"},
        {"h32 y", "column 15: expected \"=\""},
        {"h32 y=1 y=1", "column 18: the field \"y\" is given twice"},
        {"0x123456789", "column 10: \"0x123456789\" is not a 32-bit number"},
        {"17 y=3", "column 13: nothing may follow"},
        {"", "column 10: expected a setup"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        uint32_t word;
        assert_false(setup_parse(SETUP_WRITE, rows[i].text, strlen(rows[i].text), 10, &word, &e));
        if (!strstr(e.text, rows[i].part))
            fail_msg("\"%s\" gives \"%s\", not \"%s\"", rows[i].text, e.text, rows[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(setup_text_examples),
        TEST(setup_text_is_loss_free),
        TEST(formats_cover_every_bit_once),
        TEST(mended_setups_stay_in_rows_0_to_63),
        TEST(setup_text_errors_name_the_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
