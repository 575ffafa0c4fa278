/* SPDX-License-Identifier: MIT */
/* The language of rules. Printing and parsing are inverse, values equal those of a second evaluator, errors
 * name the column, and rules in profiles have an effect. */
#include "model/core/unit.h"
#include "model/rule/rule.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const struct point scalar = {.name = "p", .width = 32, .lanes = 1, .input = {{"a", 32}, {"b", 8}}};

static const struct point vector = {.name = "v",
                                    .width = 32,
                                    .lanes = 16,
                                    .input = {{"a", 32, 16}, {"b", 8, 16}, {"c", 5}}};

static struct expression parsed(const char *text)
{
    struct expression x;
    struct error e = {0};
    size_t at = 0;
    if (!expression_parse(&scalar, text, strlen(text), &at, &x, &e) || at != strlen(text))
        fail_msg("%s: %s", text, e.text);
    return x;
}

static uint32_t value_of(const char *text, uint32_t value, uint32_t a, uint32_t b)
{
    struct expression x = parsed(text);
    struct expression_context c = {.value = &value, .input = (uint32_t[]){a, b}, .lanes = 1};
    return expression_evaluate(x.node, x.count, &c);
}

/* The expected values are worked out by hand, by the rules of C. */
static void expressions_have_these_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t wanted; /* the value if `value` is 0x12345678, a is 7 and b is 3 */
    } rows[] = {
        {"value", 0x12345678},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 3 - 2", 5},
        {"value & 0xff == 0x78", 0x12345678 & 0},
        {"(value & 0xff) == 0x78", 1},
        {"~0", 0xFFFFFFFF},
        {"-a", 0xFFFFFFF9},
        {"!a", 0},
        {"a << b", 56},
        {"1 << 32", 0},
        {"value >> 40", 0},
        {"a / 0", 0},
        {"a % 4", 3},
        {"a / 2", 3},
        {"rotl(value, 8)", 0x34567812},
        {"rotr(value, 8)", 0x78123456},
        {"bswap(value)", 0x78563412},
        {"reverse(1)", 0x80000000},
        {"reverse(6)", 0x60000000},
        {"sext(0x80, 8)", 0xFFFFFF80},
        {"sext(0x7f, 8)", 0x7F},
        {"sext(value, 32)", 0x12345678},
        {"low(value, 12)", 0x678},
        {"bits(value, 8, 8)", 0x56},
        {"asr(0x80000000, 4)", 0xF8000000},
        {"asr(0x40000000, 4)", 0x04000000},
        {"min(a, b)", 3},
        {"max(a, b)", 7},
        {"smin(-1, b)", 0xFFFFFFFF},
        {"smax(-1, b)", 3},
        {"if(a > b, 0x10, 0x20)", 0x10},
        {"a > b && b > a", 0},
        {"a > b || b > a", 1},
        {"a ^ b", 4},
        {"a | 8", 15},
        {"a != b", 1},
        {"a <= 7", 1},
        {"a >= 8", 0},
        {"value[5]", 0x12345678}, /* the point has one lane */
        {"lane", 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (value_of(rows[i].text, 0x12345678, 7, 3) != rows[i].wanted)
            fail_msg("%s: 0x%x, wanted 0x%x", rows[i].text, value_of(rows[i].text, 0x12345678, 7, 3),
                     rows[i].wanted);
}

/* ---- random trees, with an independent evaluator ---- */

struct tree {
    unsigned op;
    uint32_t constant;
    struct tree *child[3];
};

static struct tree *grow(struct random *r, unsigned depth)
{
    struct tree *t = calloc(1, sizeof *t);
    unsigned pick = depth ? random_below(r, 29) : random_below(r, 4);
    t->op = pick;
    t->constant = random_below(r, 2) ? random_below(r, 40) : random_u32(r);
    unsigned children = pick < 4 ? 0 : pick < 9 ? 1 : pick < 27 ? 2 : 3;
    for (unsigned i = 0; i < children; i++)
        t->child[i] = grow(r, depth - 1);
    return t;
}

static void fell(struct tree *t)
{
    for (unsigned i = 0; i < 3; i++)
        if (t->child[i])
            fell(t->child[i]);
    free(t);
}

static const char *const words[29] = {NULL,      "value", "a",  "b",  "~",   "-",  "!",    "bswap",
                                      "reverse", "+",     "-",  "*",  "/",   "%",  "&",    "|",
                                      "^",       "<<",    ">>", "==", "<",   ">=", "rotl", "sext",
                                      "asr",     "min",   "&&", "if", "bits"};

/* Writes a tree with all parentheses. The printer writes fewer, and the two texts must mean the same. */
static void write_out(const struct tree *t, struct text *to)
{
    const char *w = words[t->op];
    if (t->op == 0) {
        text_add(to, "%u", t->constant);
    } else if (t->op < 4) {
        text_add(to, "%s", w);
    } else if (t->op < 9 || (t->op >= 22 && t->op != 26)) {
        text_add(to, "%s(", w);
        for (unsigned i = 0; i < 3 && t->child[i]; i++) {
            text_add(to, "%s", i ? ", " : "");
            write_out(t->child[i], to);
        }
        text_add(to, ")");
    } else {
        text_add(to, "(");
        write_out(t->child[0], to);
        text_add(to, " %s ", w);
        write_out(t->child[1], to);
        text_add(to, ")");
    }
}

/* Computes shifts, rotations and similar operators by loops over bits. */
static uint32_t worth_of_bits(unsigned op, const uint64_t x[3])
{
    uint32_t r = 0;
    switch (op) {
    case 17:
        return x[1] > 31 ? 0 : (uint32_t)(x[0] << x[1]);
    case 18:
        return x[1] > 31 ? 0 : (uint32_t)(x[0] >> x[1]);
    case 19:
        return x[0] == x[1];
    case 20:
        return x[0] < x[1];
    case 21:
        return x[0] >= x[1];
    case 22:
        r = (uint32_t)x[0];
        for (unsigned i = 0; i < x[1] % 32; i++)
            r = r * 2 + (r >> 31);
        return r;
    case 23:
        for (unsigned i = 0; i < 32 && x[1]; i++)
            r |= (uint32_t)(x[0] >> (i < x[1] ? i : x[1] - 1) & 1) << i;
        return r;
    case 24:
        for (unsigned i = 0; i < 32; i++)
            r |= (uint32_t)(x[0] >> (i + x[1] < 31 ? i + x[1] : 31) & 1) << i;
        return r;
    case 25:
        return (uint32_t)(x[0] < x[1] ? x[0] : x[1]);
    case 26:
        return x[0] && x[1];
    case 27:
        return (uint32_t)(x[0] ? x[1] : x[2]);
    default:
        for (unsigned i = 0; i < 32 && i < x[2] && i + x[1] < 32; i++)
            r |= (uint32_t)(x[0] >> (i + x[1]) & 1) << i;
        return r;
    }
}

/* Evaluates a tree by 64-bit arithmetic and loops over bits, unlike the library. */
static uint32_t worth(const struct tree *t, uint32_t value, uint32_t a, uint32_t b)
{
    uint64_t x[3] = {0};
    uint32_t r = 0;
    for (unsigned i = 0; i < 3 && t->child[i]; i++)
        x[i] = worth(t->child[i], value, a, b);
    switch (t->op) {
    case 0:
        return t->constant;
    case 1:
        return value;
    case 2:
        return a;
    case 3:
        return b;
    case 4:
        return (uint32_t)(0xFFFFFFFF - x[0]);
    case 5:
        return (uint32_t)((UINT64_C(1) << 32) - x[0]);
    case 6:
        return x[0] == 0;
    case 7:
        return (uint32_t)((x[0] & 255) * 16777216 + (x[0] / 256 & 255) * 65536 + (x[0] / 65536 & 255) * 256 +
                          x[0] / 16777216);
    case 8:
        for (unsigned i = 0; i < 32; i++)
            r = r * 2 + (uint32_t)(x[0] >> i & 1);
        return r;
    case 9:
        return (uint32_t)(x[0] + x[1]);
    case 10:
        return (uint32_t)(x[0] + (UINT64_C(1) << 32) - x[1]);
    case 11:
        return (uint32_t)(x[0] * x[1]);
    case 12:
        return x[1] ? (uint32_t)(x[0] / x[1]) : 0;
    case 13:
        return x[1] ? (uint32_t)(x[0] - x[0] / x[1] * x[1]) : 0;
    case 14:
        return (uint32_t)(x[0] & x[1]);
    case 15:
        return (uint32_t)(x[0] | x[1]);
    case 16:
        return (uint32_t)(x[0] ^ x[1]);
    default:
        return worth_of_bits(t->op, x);
    }
}

static void random_expressions_agree(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 1);
    unsigned compared = 0, sizes = 0;
    for (unsigned n = 0; n < support_scaled(20000); n++) {
        struct tree *t = grow(&r, 1 + n % 3);
        struct text full = {0}, brief = {0};
        struct expression x, again;
        struct error e = {0};
        size_t at = 0;
        write_out(t, &full);
        if (!expression_parse(&scalar, text_chars(&full), full.length, &at, &x, &e)) {
            assert_non_null(strstr(e.text, "too long"));
            text_free(&full);
            fell(t);
            continue;
        }
        expression_print(&x, &scalar, &brief);
        again = parsed(text_chars(&brief));
        if (!expression_equal(&x, &again))
            fail_msg("%s is printed as %s", text_chars(&full), text_chars(&brief));
        uint32_t value[16], input[33] = {0}, result[16];
        for (unsigned k = 0; k < 16; k++) {
            value[k] = random_u32(&r);
            input[k] = random_below(&r, 70);
            input[16 + k] = random_below(&r, 3);
        }
        struct expression_context c = {.value = value, .input = input, .vectors = 2, .lanes = 16};
        expression_evaluate_lanes(x.node, x.count, &c, result);
        for (; c.lane < 16; c.lane++) {
            uint32_t v = value[c.lane], a = input[c.lane], b = input[16 + c.lane], wanted = worth(t, v, a, b),
                     alone = expression_evaluate(x.node, x.count, &c);
            if (wanted != result[c.lane] || wanted != alone ||
                wanted != value_of(text_chars(&brief), v, a, b))
                fail_msg("%s at %x, %x, %x: %x in 16 lanes, %x alone, wanted %x", text_chars(&brief), v, a, b,
                         result[c.lane], alone, wanted);
            compared++;
        }
        sizes += x.count;
        text_free(&full);
        text_free(&brief);
        fell(t);
    }
    print_message("%u values compared; %.1f nodes each\n", compared, 16.0 * sizes / compared);
    assert_true(compared > support_scaled(160000));
}

/* ---- rules ---- */

static void rules_come_back_as_printed(void **state)
{
    (void)state;
    static const char *const good[] = {
        "vc4-vpm block.stride = value & 0x1f",
        "vc4-vpm block.row when size == 1 && horizontal = value >> 1",
        "vc4-vpm block.value = value[lane + 1]",
        "vc4-vpm write.done when address == 0x20 = skip",
        "vc4-qpu r5.value when file == 0 = word[lane & 0xc]",
        "vc4-vpm read.latency = late 2",
        "vc4-vpm block.stride = table(value, 1, 0, 3, 7: 9, 10..255: 0xffffffff, else: size)",
        "vc4-vpm block.stride = table(value & 3, 2: 5, 6) + clz(word)",
        "vc4-vpm load.vpitch when vertical == 0 || modew >= 4 = value - 1",
    };
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++) {
        const struct unit *u;
        struct rule r;
        struct error e = {0};
        struct text t = {0};
        if (!rule_parse(good[i], strlen(good[i]), &u, &r, &e))
            fail_msg("%s: %s", good[i], e.text);
        rule_print(u, &r, &t);
        assert_string_equal(text_chars(&t), good[i]);
        text_free(&t);
    }
}

/* A point's old name is still valid. If it meant only a part of the point, a guard is added. */
static void old_names_are_new_ones(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"vc4-vpm write.stride = 1", "vc4-vpm block.stride when reading == 0 = 1"},
        {"vc4-vpm load.x when modew == 2 || modew == 3 = value + 1",
         "vc4-vpm dma.x when store == 0 && (modew == 2 || modew == 3) = value + 1"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct unit *u;
        struct rule r;
        struct error e = {0};
        struct text t = {0};
        if (!rule_parse(rows[i][0], strlen(rows[i][0]), &u, &r, &e))
            fail_msg("%s: %s", rows[i][0], e.text);
        rule_print(u, &r, &t);
        assert_string_equal(text_chars(&t), rows[i][1]);
        text_free(&t);
    }
}

static struct rule of_vector(const char *guard, const char *result)
{
    struct rule r = {.point = 0};
    struct error e = {0};
    size_t at = 0;
    if (guard)
        assert_true(expression_parse(&vector, guard, strlen(guard), &at, &r.guard, &e));
    at = 0;
    assert_true(expression_parse(&vector, result, strlen(result), &at, &r.result, &e));
    return r;
}

/* In each lane the first rule whose guard holds there decides. An input with lanes has the value of the
 * lane. */
static void rules_act_in_each_lane(void **state)
{
    (void)state;
    struct rules set = {0};
    const struct rule first = of_vector("b == 2 && c == 7", "a + value[lane + 1]"),
                      second = of_vector("lane & 1", "c + a[lane ^ 3]"),
                      third = of_vector("b == 2", "value + b");
    assert_true(rules_add(&set, &second) && rules_add(&set, &third) && rules_add_first(&set, &first));
    for (uint32_t c = 6; c < 8; c++) {
        uint32_t value[16], input[33];
        for (uint32_t i = 0; i < 16; i++) {
            value[i] = 1000 * i;
            input[i] = 10 * i + 3;
            input[16 + i] = i % 3;
        }
        input[32] = c;
        const struct observer o = {.points = &vector, .rules = &set};
        observe_lanes(&o, 0, value, input);
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t wanted = i % 3 == 2 && c == 7 ? 10 * i + 3 + 1000 * ((i + 1) % 16)
                              : i % 2              ? c + 10 * (i ^ 3) + 3
                              : i % 3 == 2         ? 1000 * i + 2
                                                   : 1000 * i;
            assert_int_equal(value[i], wanted);
        }
    }
}

static void errors_name_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"", "column 1: expected 'UNIT POINT [when GUARD] = EXPRESSION'"},
        {"vc4-vpn write.stride = 1", "did you mean 'vc4-vpm'?"},
        {"vc4-vpm write.strid = 1", "column 9: unknown point 'write.strid'; did you mean 'write.stride'?"},
        {"vc4-vpm block.strid = 1", "column 9: unknown point 'block.strid'; did you mean 'block.stride'?"},
        {"vc4-vpm write.stride", "column 21: expected '='"},
        {"vc4-vpm write.stride = ", "column 24: the expression ends here"},
        {"vc4-vpm write.stride = value +", "column 31: the expression ends here"},
        {"vc4-vpm write.stride = valu", "column 24: unknown name 'valu'; did you mean 'value'?"},
        {"vc4-vpm write.stride = siz", "did you mean 'size'?"},
        {"vc4-vpm write.stride = 1 2", "column 26: expected an operator or the end of the rule"},
        {"vc4-vpm write.stride = (1", "column 26: expected ')'"},
        {"vc4-vpm write.stride = min(1)", "column 29: expected ','"},
        {"vc4-vpm write.stride = 4294967296", "column 33: the number has more than 32 bits"},
        {"vc4-vpm write.stride = 0xg", "column 26: expected a number"},
        {"  vc4-vpn write.stride = 1", "column 3: unknown unit"},
        {"vc4-vpm write.stride = table(1", "column 31: expected ',' or ')' in the table"},
        {"vc4-vpm write.stride = table(1, 2, 0: 3)", "column 36: the table lists 0 twice"},
        {"vc4-vpm write.stride = table(1, 256: 3)", "column 33: a table lists numbers from 0 to 255"},
        {"vc4-vpm write.stride = table(1, 3..2: 3)", "column 33: a table lists numbers from 0 to 255"},
        {"vc4-vpm write.stride = table(1, 2..3)", "column 37: expected ':'"},
        {"vc4-vpm write.stride = table(1, else: 2, 3)", "column 40: expected ')': what stands after 'else'"},
        {"vc4-vpm write.stride = table(1, size)", "column 33: expected a number"},
        {"vc4-vpm write.stride = skip", "column 24: 'skip' is for points named .done"},
        {"vc4-vpm write.done = twice", "column 22: 'write.done' has one bit, so it cannot happen twice"},
        {"vc4-vpm write.stride = late 2", "column 24: 'late' is for points named .latency"},
        {"vc4-vpm write.stride = fad(value, 1)", "did you mean 'fadd'?"},
        {"vc4-vpm write.stride whet size = 1", "column 22: expected '='"},
        {"vc4-vpm write.stride when size = = 1", "column 34: expected a number, a name"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct unit *u;
        struct rule r;
        struct error e = {0};
        assert_false(rule_parse(rows[i].text, strlen(rows[i].text), &u, &r, &e));
        if (!strstr(e.text, rows[i].error))
            fail_msg("'%s': %s; wanted %s", rows[i].text, e.text, rows[i].error);
    }
}

static void profiles_hold_rules(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-vpm");
    struct profile p, q;
    struct error e = {0};
    assert_true(profile_resolve(u, "bcm2835,vpm-busy=manual;vc4-vpm write.stride = min(value, 4)", &p, &e));
    assert_int_equal(p.rules.count, 1);
    assert_true(profile_parse(u,
                              "base = bcm2835\nvpm-busy = manual # a comment\n"
                              "vc4-vpm write.stride = min(value, 4)\n",
                              &q, &e));
    assert_memory_equal(&p, &q, sizeof p);
    assert_true(profile_resolve(u, "manual;vc4-vpm read.num = 1;vc4-vpm write.stride = 2", &p, &e));
    assert_int_equal(p.rules.count, 2);
    assert_false(profile_parse(u, "vpm-busy = manual\nvc4-vpm write.stride = 1 +\n", &q, &e));
    assert_non_null(strstr(e.text, "line 2, column 27: the expression ends here"));
    assert_false(profile_parse(u, "# rules\n\n  vc4-vpm write.stride = 1 + # none\n", &q, &e));
    assert_non_null(strstr(e.text, "line 3, column 30: the expression ends here"));
    assert_true(profile_resolve(unit_named("vc4-qpu"), "manual;vc4-vpm read.num = 1", &p, &e));
    assert_int_equal(p.rules.count, 0); /* the rule is of another unit */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_have_these_values), cmocka_unit_test(random_expressions_agree),
        cmocka_unit_test(rules_come_back_as_printed),    cmocka_unit_test(old_names_are_new_ones),
        cmocka_unit_test(rules_act_in_each_lane),        cmocka_unit_test(errors_name_the_column),
        cmocka_unit_test(profiles_hold_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
