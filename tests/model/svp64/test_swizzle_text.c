/* SPDX-License-Identifier: MIT */
/* The text of the swizzle moves. */
#include "model/svp64/swizzle_insn.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_word_has_one_text(void **state)
{
    (void)state;
    struct random r;
    struct text t = {0};
    unsigned swizzles = 0;
    random_seed(&r, 3);
    for (unsigned n = 0, count = support_scaled(1000000); n < count; n++) {
        uint32_t words[2] = {random_u32(&r), random_u32(&r)}, back[2];
        struct swizzle_insn i;
        struct error e = {0};
        if (n % 4) {                                /* of random words only 1 in 32 is a swizzle */
            words[0] = (words[0] & 0x03FFFFF8) | 3; /* XO 0011 or 1011 */
            words[1] = n % 4 == 1   ? 0
                       : n % 4 == 2 ? (words[1] & 0x00FFFFFF) | UINT32_C(1) << 31
                                    : (words[1] & 0x00FFDBFF) | UINT32_C(3) << 30;
        }
        text_clear(&t);
        swizzle_print(words, &t);
        if (!swizzle_parse(text_chars(&t), t.length, back, &e) || memcmp(words, back, sizeof words) != 0)
            fail_msg("%08x %08x prints as \"%s\" and reads back otherwise; %s", words[0], words[1],
                     text_chars(&t), e.text);
        swizzles += swizzle_decode(words, &i);
    }
    text_free(&t);
    assert_true(swizzles > support_scaled(1000000) / 2);
}

/* The page writes sats/vec2/ew=8 with the swizzle Y1, which has only two selectors. */
static void short_forms_of_the_page(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"sv.mv.swiz/sats/vec2/ew=8 r8.v, r40.v, Y1", "sv.mv.swiz/vec2/dw=8/sw=8/sats r8.v, r40.v, Y1E."},
        {"sv.mv.swiz/ew=16/dw=32 r8.v, r40.v, XYZ", "sv.mv.swiz/dw=32/sw=16 r8.v, r40.v, XYZE"},
        {"sv.mv.swiz r8.v, r40.v, .", "sv.mv.swiz r8.v, r40.v, .E.."},
        {"sv.mv.swiz/single r8, r40, W.Y", "sv.mv.swiz/single r8, r40, W.Y."},
        {"mv.swiz r4, r6, ZW", "mv.swiz r4, r6, ZW.."},
        {"fmv.swiz f4, f6, x ", "fmv.swiz f4, f6, X..."},
    };
    for (unsigned n = 0; n < sizeof same / sizeof *same; n++) {
        uint32_t words[2];
        struct error e = {0};
        struct text t = {0};
        if (!swizzle_parse(same[n][0], strlen(same[n][0]), words, &e))
            fail_msg("%s: %s", same[n][0], e.text);
        swizzle_print(words, &t);
        assert_string_equal(text_chars(&t), same[n][1]);
        text_free(&t);
    }
}

static void bad_text_says_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } bad[] = {
        {"mv.swizz r4, r6, XYZW", "column 1: expected mv.swiz, fmv.swiz, sv.mv.swiz, sv.fmv.swiz or raw"},
        {"mv.swiz r4, f6, XYZW", "column 13: expected a register, r0 to r31"},
        {"mv.swiz r4, r6.v, XYZW", "column 16: expected \".v\", which only registers of a prefixed "
                                   "instruction (sv.) without /single can "
                                   "have"},
        {"sv.mv.swiz/single r4, r6.v, XYZW", "column 26: expected \".v\", which only registers of a prefixed "
                                             "instruction (sv.) without /single can "
                                             "have"},
        {"mv.swiz r4, r6,", "column 16: expected up to four letters of . E 0 1 X Y Z W, one for each "
                            "position of the destination"},
        {"mv.swiz r4, r6, XYQW", "column 19: expected up to four letters of . E 0 1 X Y Z W, one for each "
                                 "position of the destination"},
        {"mv.swiz r4, r6, XYZWX", "column 21: expected the end of the line"},
        {"sv.mv.swiz/vec5 r4.v, r6.v, XYZW",
         "column 12: expected vec2 to vec4, ew=, dw=, sw=, dm=, sm=, satu, sats, dz, sz, single or mode="},
        {"sv.mv.swiz/dw=64 r4.v, r6.v, XYZW",
         "column 15: expected an element width: 8, 16 or 32 (left out: 64)"},
        {"sv.mv.swiz/dm=r3/sm=eq r4.v, r6.v, XYZW",
         "column 21: one predicate is in a register, the other in the CR; both must be in the same"},
        {"raw 0123456789 0", "column 5: expected \"raw\" and two words of up to eight hexadecimal digits"},
    };
    for (unsigned n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct error e = {0};
        uint32_t words[2];
        assert_false(swizzle_parse(bad[n].text, strlen(bad[n].text), words, &e));
        assert_string_equal(e.text, bad[n].error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_has_one_text),
        cmocka_unit_test(short_forms_of_the_page),
        cmocka_unit_test(bad_text_says_where),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
