/* SPDX-License-Identifier: MIT */
/* Tolerances of words of four bytes, against a search over all bytes that are near enough. */
#include "model/number/random.h"
#include "model/number/tolerance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>

/* tolerance.h: bits 7n+6:7n are the distance of byte n. */
static void a_tolerance_holds_four_distances(void **state)
{
    (void)state;
    static const uint8_t none[4], each[4] = {1, 2, 3, 127}, last[4] = {0, 0, 0, 5};
    struct text t = {0};
    assert_int_equal(tolerance_of_bytes(none), 0);
    assert_int_equal(tolerance_of_bytes(each), TOLERANCE_BYTES | 1 | 2 << 7 | 3 << 14 | 127 << 21);
    assert_int_equal(tolerance_of_bytes(last), TOLERANCE_BYTES | 5 << 21);
    tolerance_print(tolerance_of_bytes(each), &t);
    assert_string_equal(text_chars(&t), "within 1, 2, 3, 127 of each byte");
    text_free(&t);
}

static void a_byte_keeps_the_leading_bits_that_all_near_ones_share(void **state)
{
    (void)state;
    for (unsigned value = 0; value < 256; value++)
        for (unsigned distance = 0; distance < 128; distance++) {
            unsigned differ = 0, mask = 0xFF;
            for (unsigned other = 0; other < 256; other++)
                if (abs((int)other - (int)value) <= (int)distance)
                    differ |= other ^ value;
            while (differ & mask)
                mask = mask << 1 & 0xFF;
            assert_int_equal(tolerance_mask_of_byte(value, distance), mask);
        }
}

/* Two words differ if a byte with a distance is farther away than that, or if one without is not equal. */
static void a_word_is_right_if_each_byte_is_near_enough(void **state)
{
    (void)state;
    struct random r;
    unsigned right = 0;
    random_seed(&r, 4);
    for (unsigned n = 0; n < 20000; n++) {
        uint8_t distance[4];
        uint32_t a = random_u32(&r), b = 0, mask = 0;
        bool near = true;
        for (unsigned i = 0; i < 4; i++) {
            int byte = a >> 8 * i & 0xFF, far = (int)random_below(&r, 5) - 2, other = byte + far;
            distance[i] = (uint8_t)random_below(&r, 4);
            other = other < 0 ? 0 : other > 255 ? 255 : other;
            near = near && abs(other - byte) <= distance[i];
            b |= (uint32_t)other << 8 * i;
            mask |= tolerance_mask_of_byte((uint32_t)byte, distance[i]) << 8 * i;
        }
        assert_int_equal(!tolerance_difference(tolerance_of_bytes(distance), mask, a, b), near);
        right += near;
    }
    assert_in_range(right, 2000, 18000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tolerance_holds_four_distances),
        cmocka_unit_test(a_byte_keeps_the_leading_bits_that_all_near_ones_share),
        cmocka_unit_test(a_word_is_right_if_each_byte_is_near_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
