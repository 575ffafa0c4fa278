/* SPDX-License-Identifier: MIT */
/*
 * Compares the functions of rules with formulas that share nothing with the library: 64-bit integers and
 * loops over bits, and MPFR for floats. Compares tables with an array.
 */
#include "model/rule/expression.h"
#include "tests/model/vc4/qpu/alu/support_slow_float.h"
#include "tests/support/support_units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static const struct point at = {.name = "p",
                                .width = 32,
                                .lanes = 16,
                                .input = {{"a", 32, 16}, {"b", 32, 16}, {"c", 32, 16}}};

/* ---- integers ---- */

static int64_t of_signed(uint32_t x)
{
    return x < 0x80000000 ? (int64_t)x : (int64_t)x - INT64_C(0x100000000);
}

static int64_t clamp(int64_t x, int64_t least, int64_t most)
{
    return x < least ? least : x > most ? most : x;
}

static uint32_t byte_of(uint32_t a, uint32_t n)
{
    return n > 3 ? 0 : (uint32_t)(((uint64_t)a >> (8 * n)) % 256);
}

static uint32_t half_of(uint32_t a, uint32_t n)
{
    return n > 1 ? 0 : n ? a / 65536 : a % 65536;
}

static uint32_t clz_of(uint32_t a, uint32_t b)
{
    uint32_t n = 0;
    (void)b;
    for (uint64_t top = UINT64_C(1) << 31; top && a < top; top /= 2)
        n++;
    return n;
}

static uint32_t popcount_of(uint32_t a, uint32_t b)
{
    uint32_t n = 0;
    (void)b;
    for (; a; a /= 2)
        n += a % 2;
    return n;
}

static uint32_t slt_of(uint32_t a, uint32_t b)
{
    return of_signed(a) < of_signed(b);
}

static uint32_t sle_of(uint32_t a, uint32_t b)
{
    return of_signed(a) <= of_signed(b);
}

static uint32_t smin_of(uint32_t a, uint32_t b)
{
    return of_signed(a) < of_signed(b) ? a : b;
}

static uint32_t smax_of(uint32_t a, uint32_t b)
{
    return of_signed(a) > of_signed(b) ? a : b;
}

static uint32_t usat_of(uint32_t a, uint32_t n)
{
    return (uint32_t)clamp(of_signed(a), 0, (INT64_C(1) << (n < 40 ? n : 40)) - 1);
}

static uint32_t ssat_of(uint32_t a, uint32_t n)
{
    int64_t limit = n ? INT64_C(1) << (n < 40 ? n - 1 : 40) : 0;
    return n ? (uint32_t)clamp(of_signed(a), -limit, limit - 1) : 0;
}

static uint32_t mulhi_of(uint32_t a, uint32_t b)
{
    uint64_t a1 = a / 65536, a0 = a % 65536, b1 = b / 65536, b0 = b % 65536;
    return (uint32_t)(a1 * b1 + (a1 * b0 + (a0 * b1 + a0 * b0 / 65536)) / 65536);
}

static uint32_t smulhi_of(uint32_t a, uint32_t b)
{
    int64_t product = of_signed(a) * of_signed(b), quotient = product / INT64_C(0x100000000);
    return (uint32_t)(product % INT64_C(0x100000000) < 0 ? quotient - 1 : quotient);
}

static uint32_t mul24_of(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)(a % 16777216) * (b % 16777216) % UINT64_C(0x100000000));
}

/* VideoCoreIV-AG100-R p32-36: computes each of the four bytes by itself. v8muld takes 255 as 1.0 and rounds
 * to nearest. */
static uint32_t bytes_of(char op, uint32_t a, uint32_t b)
{
    uint32_t r = 0;
    for (uint32_t n = 4; n-- > 0;) {
        int64_t x = byte_of(a, n), y = byte_of(b, n);
        int64_t z = op == '+'   ? clamp(x + y, 0, 255)
                    : op == '-' ? clamp(x - y, 0, 255)
                    : op == '<' ? clamp(x, 0, y)
                    : op == '>' ? clamp(x, y, 255)
                                : (2 * x * y + 255) / 510;
        r = r * 256 + (uint32_t)z;
    }
    return r;
}

static uint32_t v8adds_of(uint32_t a, uint32_t b)
{
    return bytes_of('+', a, b);
}

static uint32_t v8subs_of(uint32_t a, uint32_t b)
{
    return bytes_of('-', a, b);
}

static uint32_t v8min_of(uint32_t a, uint32_t b)
{
    return bytes_of('<', a, b);
}

static uint32_t v8max_of(uint32_t a, uint32_t b)
{
    return bytes_of('>', a, b);
}

static uint32_t v8muld_of(uint32_t a, uint32_t b)
{
    return bytes_of('*', a, b);
}

/* ---- floats ---- */

static bool is_nan(uint32_t x)
{
    return (x & 0x7FFFFFFF) > 0x7F800000;
}

/* IEEE 754-2019 minimumNumber, with -0 below +0. */
static uint32_t fmin_of(uint32_t a, uint32_t b)
{
    if (is_nan(a) || is_nan(b))
        return is_nan(a) && is_nan(b) ? 0x7FC00000 : is_nan(a) ? b : a;
    if (slow_value(a) == slow_value(b)) /* equal numbers, or two zeros */
        return a >> 31 ? a : b;
    return slow_value(a) < slow_value(b) ? a : b;
}

static uint32_t fmax_of(uint32_t a, uint32_t b)
{
    if (is_nan(a) || is_nan(b))
        return is_nan(a) && is_nan(b) ? 0x7FC00000 : is_nan(a) ? b : a;
    if (slow_value(a) == slow_value(b))
        return a >> 31 ? b : a;
    return slow_value(a) > slow_value(b) ? a : b;
}

/* Returns the number in a word; out of range, the end of the range. */
static uint32_t word_of(double v)
{
    return (uint32_t)(v <= -2147483648.0  ? INT64_C(-2147483648)
                      : v >= 2147483647.0 ? INT64_C(2147483647)
                                          : (int64_t)v);
}

/* Rounds toward zero. A number out of range gives the end of the range, and a NaN gives 0. */
static uint32_t ftoi_of(uint32_t a, uint32_t b)
{
    (void)b;
    return is_nan(a) ? 0 : word_of(trunc(slow_value(a)));
}

static uint32_t ftoi_floor_of(uint32_t a, uint32_t b)
{
    (void)b;
    return is_nan(a) ? 0 : word_of(floor(slow_value(a)));
}

/* Rounds to nearest, and ties to even, because the C library starts in this mode. */
static uint32_t ftoi_nearest_of(uint32_t a, uint32_t b)
{
    (void)b;
    return is_nan(a) ? 0 : word_of(rint(slow_value(a)));
}

/* Returns the float with the value of a half. A NaN keeps its payload and becomes quiet. */
static uint32_t htof_of(uint32_t a, uint32_t b)
{
    uint32_t half = a % 65536, e = half >> 10 & 31, bits;
    (void)b;
    if (e == 31)
        return (half >> 15) << 31 | (half & 0x3FF ? 0x7FC00000 | (half & 0x3FF) << 13 : 0x7F800000);
    float value = (float)slow_half_value(half);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t isnan_of(uint32_t a, uint32_t b)
{
    float x;
    (void)b;
    memcpy(&x, &a, sizeof x);
    return x != x;
}

static uint32_t isdenormal_of(uint32_t a, uint32_t b)
{
    float x;
    (void)b;
    memcpy(&x, &a, sizeof x);
    return fpclassify(x) == FP_SUBNORMAL;
}

static uint32_t hisnan_of(uint32_t a, uint32_t b)
{
    (void)b;
    return (a >> 10 & 31) == 31 && a % 1024;
}

static uint32_t hisdenormal_of(uint32_t a, uint32_t b)
{
    (void)b;
    return (a >> 10 & 31) == 0 && a % 1024;
}

#ifdef HAVE_MPFR
static uint32_t fsub_of(uint32_t a, uint32_t b)
{
    return slow_ieee_add(a, b ^ 0x80000000);
}

static uint32_t fsub_rtz_of(uint32_t a, uint32_t b)
{
    return slow_silicon_add(a, b ^ 0x80000000);
}

static uint32_t itof_of(uint32_t a, uint32_t b)
{
    (void)b;
    return slow_ieee_from_int(a);
}

static uint32_t itof_rtz_of(uint32_t a, uint32_t b)
{
    (void)b;
    return slow_silicon_from_int(a);
}

static uint32_t ftoh_of(uint32_t a, uint32_t b)
{
    (void)b;
    return slow_ieee_to_half(a);
}
#endif

static const struct {
    const char *text;
    uint32_t (*formula)(uint32_t a, uint32_t b);
    bool small;        /* draws b below 70 */
    uint32_t nan_mask; /* if the result is a NaN of a half, compares only these bits; 0: all */
} functions[] = {
    {"byte(a, b)", byte_of, true, 0},
    {"half(a, b)", half_of, true, 0},
    {"clz(a)", clz_of, false, 0},
    {"popcount(a)", popcount_of, false, 0},
    {"slt(a, b)", slt_of, false, 0},
    {"sle(a, b)", sle_of, false, 0},
    {"smin(a, b)", smin_of, false, 0},
    {"smax(a, b)", smax_of, false, 0},
    {"usat(a, b)", usat_of, true, 0},
    {"ssat(a, b)", ssat_of, true, 0},
    {"mulhi(a, b)", mulhi_of, false, 0},
    {"smulhi(a, b)", smulhi_of, false, 0},
    {"mul24(a, b)", mul24_of, false, 0},
    {"v8adds(a, b)", v8adds_of, false, 0},
    {"v8subs(a, b)", v8subs_of, false, 0},
    {"v8min(a, b)", v8min_of, false, 0},
    {"v8max(a, b)", v8max_of, false, 0},
    {"v8muld(a, b)", v8muld_of, false, 0},
    {"fmin(a, b)", fmin_of, false, 0},
    {"fmax(a, b)", fmax_of, false, 0},
    {"ftoi(a)", ftoi_of, false, 0},
    {"ftoi_floor(a)", ftoi_floor_of, false, 0},
    {"ftoi_nearest(a)", ftoi_nearest_of, false, 0},
    {"htof(a)", htof_of, false, 0},
    {"isnan(a)", isnan_of, false, 0},
    {"isdenormal(a)", isdenormal_of, false, 0},
    {"hisnan(a)", hisnan_of, false, 0},
    {"hisdenormal(a)", hisdenormal_of, false, 0},
#ifdef HAVE_MPFR
    {"fadd(a, b)", slow_ieee_add, false, 0},
    {"fsub(a, b)", fsub_of, false, 0},
    {"fmul(a, b)", slow_ieee_multiply, false, 0},
    {"fadd_rtz(a, b)", slow_silicon_add, false, 0},
    {"fsub_rtz(a, b)", fsub_rtz_of, false, 0},
    {"fmul_rtz(a, b)", slow_silicon_multiply, false, 0},
    {"itof(a)", itof_of, false, 0},
    {"itof_rtz(a)", itof_rtz_of, false, 0},
    {"ftoh(a)", ftoh_of, false, 0x7E00}, /* slow_ieee_to_half ignores a NaN's sign and payload */
#endif
};

static struct expression parsed(const char *text)
{
    struct expression x;
    struct error e = {0};
    size_t end = 0;
    if (!expression_parse(&at, text, strlen(text), &end, &x, &e) || end != strlen(text))
        fail_msg("%s: %s", text, e.text);
    return x;
}

static void compare(unsigned which, const struct expression *x, const uint32_t *input)
{
    const uint32_t value[16] = {0}, *a = input, *b = input + 16;
    struct expression_context c = {.value = value, .input = input, .vectors = 3, .lanes = 16};
    uint32_t result[16];
    expression_evaluate_lanes(x->node, x->count, &c, result);
    for (; c.lane < 16; c.lane++) {
        uint32_t wanted = functions[which].formula(a[c.lane], b[c.lane]), mask = UINT32_MAX,
                 alone = expression_evaluate(x->node, x->count, &c);
        if (functions[which].nan_mask && is_nan(a[c.lane]))
            mask = functions[which].nan_mask;
        if ((wanted & mask) != (alone & mask) || alone != result[c.lane])
            fail_msg("%s of %08x, %08x: %08x alone, %08x in lanes, wanted %08x", functions[which].text,
                     a[c.lane], b[c.lane], alone, result[c.lane], wanted);
    }
}

static void functions_follow_their_formulas(void **state)
{
    (void)state;
    struct slow_random r = {7};
    for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++) {
        struct expression x = parsed(functions[f].text);
        for (unsigned n = 0; n < support_scaled(3000); n++) {
            uint32_t input[48] = {0};
            for (unsigned k = 0; k < 16; k++) {
                slow_random_operands(&r, &input[k], &input[16 + k]);
                if (functions[f].small)
                    input[16 + k] %= 70;
            }
            compare(f, &x, input);
        }
    }
#ifdef HAVE_MPFR
    slow_done();
#endif
}

/* ---- tables ---- */

enum fill { FILL_BYTES, FILL_WORDS, FILL_RUNS, FILLS };

/* Writes a random table. Sets wanted[] to the result for each number, if the value is `value` and a is
 * `a`. */
static void write_table(struct slow_random *r, enum fill fill, uint32_t value, uint32_t a, uint32_t *wanted,
                        struct text *t)
{
    uint32_t last = 0, more = (uint32_t)slow_random_next(r), listed = 0;
    bool other = more & 1;
    text_add(t, "table(b");
    for (uint32_t x = 0; x < 256; x++) {
        uint32_t word = (uint32_t)slow_random_next(r), draw = (uint32_t)(slow_random_next(r) % 16);
        bool lists = fill == FILL_BYTES || (fill == FILL_WORDS ? draw == 0 && listed < 80 : draw != 0);
        last = fill == FILL_BYTES ? word % 256 : fill == FILL_RUNS && draw > 1 ? last : word;
        wanted[x] = lists ? last : other ? a : value;
        listed += lists;
        if (lists)
            text_add(t, more & 2 ? ", %u: %u" : ", %u..%u: 0x%x", x, more & 2 ? last : x, last);
    }
    text_add(t, other ? ", else: a)" : ")");
}

static void tables_hold_what_was_written(void **state)
{
    (void)state;
    struct slow_random r = {9};
    for (unsigned n = 0; n < support_scaled(300); n++) {
        uint32_t wanted[256], value[16], input[48] = {0}, result[16];
        struct text full = {0}, brief = {0};
        for (unsigned k = 0; k < 16; k++) {
            value[k] = 0x12345678;
            input[k] = 0x9ABCDEF0;
        }
        write_table(&r, (enum fill)(n % FILLS), value[0], input[0], wanted, &full);
        struct expression x = parsed(text_chars(&full));
        expression_print(&x, &at, &brief);
        struct expression again = parsed(text_chars(&brief));
        if (!expression_equal(&x, &again))
            fail_msg("%s is printed as %s", text_chars(&full), text_chars(&brief));
        for (unsigned first = 0; first < 272; first += 16) {
            struct expression_context c = {.value = value, .input = input, .vectors = 3, .lanes = 16};
            for (unsigned k = 0; k < 16; k++)
                input[16 + k] = first < 256 ? first + k : 256U << k;
            expression_evaluate_lanes(x.node, x.count, &c, result);
            for (; c.lane < 16; c.lane++) {
                uint32_t b = input[16 + c.lane], alone = expression_evaluate(x.node, x.count, &c),
                         other = strstr(text_chars(&full), "else") ? input[0] : value[0];
                assert_int_equal(result[c.lane], b < 256 ? wanted[b] : other);
                assert_int_equal(alone, result[c.lane]);
            }
        }
        text_free(&full);
        text_free(&brief);
    }
}

/* A table has one node for each run of one value, and one for each four bytes. The sizes are counted by
 * hand. */
static void tables_are_small(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t nodes; /* including x, the expression after `else`, and the operator */
    } rows[] = {
        {"table(b, 5)", 4},
        {"table(b, 1, 2, 3, 4)", 4},
        {"table(b, 1, 2, 3, 4, 5)", 5},
        {"table(b, 0x100, 0x101)", 5},
        {"table(b, 0..255: 0x12345)", 4},
        {"table(b, 0: 1, 9: 2)", 5},
        {"table(b, 0..9: 1, 10..19: 2) + 1", 7},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (parsed(rows[i].text).count != rows[i].nodes)
            fail_msg("%s: %u nodes, wanted %u", rows[i].text, parsed(rows[i].text).count, rows[i].nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_follow_their_formulas),
        cmocka_unit_test(tables_hold_what_was_written),
        cmocka_unit_test(tables_are_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
