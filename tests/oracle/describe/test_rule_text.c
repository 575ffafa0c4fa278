/* SPDX-License-Identifier: MIT */
/* Rules in words, and the sweeps of rules. A reader of the manual would expect these words. */
#include "oracle/describe/rule_text.h"

#include "model/rule/point.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static struct rule parse(const char *text)
{
    const struct unit *u;
    struct rule r;
    struct error e = {0};
    if (!rule_parse(text, strlen(text), &u, &r, &e))
        fail_msg("%s: %s", text, e.text);
    return r;
}

struct sentence {
    const char *rule, *says;
};

static void expect_sentence(const struct sentence *s)
{
    char line[160];
    struct text t = {0};
    (void)snprintf(line, sizeof line, "vc4-vpm %s", s->rule);
    struct rule r = parse(line);
    rule_describe(unit_named("vc4-vpm"), &r, &t);
    assert_string_equal(text_chars(&t), s->says);
    text_free(&t);
}

static void rules_have_sentences(void **state)
{
    static const struct sentence rows[] = {
        {"block.stride = value & 31", "STRIDE of a block setup counts modulo 32: bit 5 is ignored"},
        {"block.stride = value % 8", "STRIDE of a block setup counts modulo 8: bits 3 to 5 are ignored"},
        {"block.stride = low(value, 4)",
         "STRIDE of a block setup counts modulo 16: bits 4 and 5 are ignored"},
        {"block.stride = value & 0x2f", "STRIDE of a block setup: bit 4 is taken as 0"},
        {"block.addr = value | 1", "ADDR of a block setup: bit 0 is taken as 1"},
        {"block.row = value ^ 2", "The first row of the VPM that the vector touches: bit 1 is inverted"},
        {"write.lanes = 0", "The set of elements that are written is always 0"},
        {"block.value = rotl(value, 8)", "The vector that is written or read is rotated left by 8 bits"},
        {"read.num = value + 1", "The number of vectors of a read setup is taken 1 too high"},
        {"block.shift when size == 1 = value ^ 16",
         "The lowest bit of an element in its word: bit 4 is inverted; this is so only where SIZE is 1 "
         "(halves)"},
        {"block.row = address",
         "The first row of the VPM that the vector touches is taken from ADDR of the vector with the strides "
         "before it"},
        {"block.stride when size == 2 && !laned && value >= 9 = min(value, 12)",
         "STRIDE of a block setup is at most 12: larger numbers are taken as it; this is so only where "
         "SIZE is 2 (words) and LANED is 0 (packed) and the value is at least 9"},
        {"block.row when address & 0x40 = value >> 1",
         "The first row of the VPM that the vector touches is shifted right by 1 bit; this is so only "
         "where bit 6 of "
         "ADDR of the vector with the strides before it is 1"},
        {"load.nrows = (value != 3) * value", "NROWS of a DMA load: 3 is taken as 0"},
        {"block.size = if(value == 2, 1, value)", "SIZE of a block setup: 2 (words) is taken as 1 (halves)"},
        {"block.size = value ^ (value > 1)",
         "SIZE of a block setup: 2 (words) is taken as 3 and 3 is taken as 2 (words)"},
        {"block.row = value * 3 + address",
         "The first row of the VPM that the vector touches is `value * 3 + address` instead of what the "
         "document says (`value`)"},
        {"block.stride when size == 1 = value",
         "STRIDE of a block setup is what the document says, whatever other rules say; this is so only where "
         "SIZE is 1 (halves)"},
        {"block.stride when laned || size == 1 = value + 1",
         "STRIDE of a block setup is taken 1 too high; this is so only where either SIZE is 0 (bytes), "
         "2 (words) or 3 and LANED is 1 (laned), or SIZE is 1 (halves)"},
        {"block.stride when table(size, 1: 1, else: 0) && laned == 1 && value >= 9 = value + 1",
         "STRIDE of a block setup is taken 1 too high; this is so only where "
         "SIZE is 1 (halves) and LANED is 1 (laned) and the value is at least 9"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_sentence(&rows[i]);
}

static void rules_on_a_yes_or_no_have_sentences(void **state)
{
    static const struct sentence rows[] = {
        {"dma.done when busy = value",
         "The DMA takes place where the document says so, whatever other rules say; this is so only where "
         "nobody waited for the DMA before"},
        {"write.done when with_read = skip",
         "It never happens that the write takes place; this is so only where the instruction also reads"},
        {"dma.done = !value", "The DMA takes place exactly where the document says no"},
        {"dma.done = value == 0", "The DMA takes place exactly where the document says no"},
        {"dma.done = value < 1", "The DMA takes place exactly where the document says no"},
        {"dma.done = busy", "The DMA takes place where nobody waited for the DMA before, and nowhere else"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_sentence(&rows[i]);
}

/* The manual's words for the fields, and what the numbers of our own inputs mean. */
static void names_are_explained(void **state)
{
    static const struct {
        const char *rule, *says;
    } rows[] = {
        {"block.stride = value & 31", "`value`: STRIDE of a block setup; 0 means 64."},
        {"block.stride when size == 2 && reading == 0 = value & 31",
         "`value`: STRIDE of a block setup; 0 means 64. `size`: SIZE; 0 bytes, 1 halves, 2 words. `reading`: "
         "1: "
         "it is a read; 0: it is a write."},
        {"block.element = lane", "`value`: element in each place of the vector in the VPM."}, /* no input */
        {"setup.kept when with == 1 = 0",
         "`value`: 1: a setup beside another access in one instruction has an effect. `with`: kind of the "
         "other access in the instruction; 0 a write, 1 a read, 2 a setup."},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char line[160];
        struct text t = {0};
        (void)snprintf(line, sizeof line, "vc4-vpm %s", rows[i].rule);
        struct rule r = parse(line);
        rule_explain_names(unit_named("vc4-vpm"), &r, &t);
        assert_string_equal(text_chars(&t), rows[i].says);
        text_free(&t);
    }
}

static void a_sweep_shows_the_border(void **state)
{
    static const uint32_t input[POINT_INPUT_WORDS_MAX];
    static struct rule_sweep s;
    struct rule r = parse("vc4-vpm write.stride = value & 31");
    struct text t = {0};
    (void)state;
    rule_sweep(unit_named("vc4-vpm"), &r, input, &s);
    assert_int_equal(s.count, 64);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(s.value[i], i);
        assert_int_equal(s.result[i], i % 32);
    }
    rule_sweep_print(&s, &t);
    assert_string_equal(text_chars(&t),
                        "31 stays 31, 32 becomes 0, 33 becomes 1, 34 becomes 2; 32 of 64 values change");
    text_free(&t);
}

/* A point of vc4-qpu has a name without a group. It must not stop the search for what an input means. */
static void inputs_have_meanings_beside_a_point_without_a_group(void **state)
{
    (void)state;
    struct text t = {0};
    const struct unit *u;
    const char *rule = "vc4-qpu insn.cond_add when waddr_add == 35 = 1";
    struct rule r;
    struct error e = {0};
    if (!rule_parse(rule, strlen(rule), &u, &r, &e))
        fail_msg("%s", e.text);
    rule_describe(u, &r, &t);
    assert_non_null(strstr(text_chars(&t), "this is so only where the write address of the ADD ALU is 35"));
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_have_sentences),
        cmocka_unit_test(rules_on_a_yes_or_no_have_sentences),
        cmocka_unit_test(inputs_have_meanings_beside_a_point_without_a_group),
        cmocka_unit_test(names_are_explained),
        cmocka_unit_test(a_sweep_shows_the_border),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
