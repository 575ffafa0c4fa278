/* SPDX-License-Identifier: MIT */
/* The explained bytes of a case: their offsets and bytes, put together, are the binary form, for every unit
 * and for random cases; the text forms of instructions and numbers are there. */
#include "oracle/describe/case_bytes.h"

#include "fuzz/generate/generate.h"
#include "model/core/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OFFSET_WIDTH = 6, BYTES_AT = 8, BYTES_WIDTH = 23 };

/* Reads the offset and the hexadecimal bytes of each line. Returns how many bytes there are. */
static size_t collect(const char *text, uint8_t *bytes)
{
    size_t count = 0;
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        size_t length = strcspn(line, "\n");
        if (length > OFFSET_WIDTH && line[OFFSET_WIDTH - 1] != ' ')
            assert_int_equal(strtoul(line, NULL, 10), count);
        for (size_t i = BYTES_AT; i + 1 < length && i < BYTES_AT + BYTES_WIDTH; i++) {
            if (line[i] == ' ')
                continue;
            char digits[3] = {line[i], line[i + 1], 0};
            bytes[count++] = (uint8_t)strtoul(digits, NULL, 16);
            i++;
        }
    }
    return count;
}

static void the_bytes_are_the_binary_form(void **state)
{
    (void)state;
    struct test_case *c = memory_new(1, sizeof *c);
    uint8_t *wanted = memory_new(CASE_BYTES_MAX, 1), *got = memory_new(2 * CASE_BYTES_MAX, 1);
    struct random r;
    random_seed(&r, 7);
    for (unsigned n = 0; unit_at(n); n++)
        for (unsigned i = 0; i < 50; i++) {
            struct text t = {0};
            case_init(c, unit_at(n));
            case_generate(&r, unit_at(n), c);
            case_explain_bytes(c, &t);
            size_t size = case_encode(c, wanted);
            assert_int_equal(collect(text_chars(&t), got), size);
            assert_memory_equal(got, wanted, size);
            text_free(&t);
        }
    free(c);
    free(wanted);
    free(got);
}

/* Returns the bytes of a case that is written as text, with what they mean. */
static struct text explained(const char *text)
{
    struct test_case *c = memory_new(1, sizeof *c);
    struct error e = {0};
    struct text t = {0};
    if (!case_parse(c, text, strlen(text), &e))
        fail_msg("%s", e.text);
    case_explain_bytes(c, &t);
    free(c);
    return t;
}

/* The bits of a setup word that the guide gives as an example (p57 table 32, horizontal 32-bit, STRIDE 1). */
static void the_fields_have_names(void **state)
{
    (void)state;
    static const char text[] = "misprint-case 1 vc4-vpm\nops {\n  wr_setup 0x00001A04\n}\n";
    struct text t = explained(text);
    assert_non_null(strstr(text_chars(&t), "04 1A 00 00              ops[0] = wr_setup h32 stride=1 y=4"));
    assert_non_null(strstr(text_chars(&t), "bits 17:12 STRIDE = 1\n"));
    assert_non_null(strstr(text_chars(&t), "bits 9:8 SIZE = 2\n"));
    assert_non_null(strstr(text_chars(&t), "bits 5:0 Y = 4\n"));
    text_free(&t);
}

/* PROTOCOL.md, "Unit vc4-vpm": bits 3:0 of an operation's second word are the operation (3 is `write`), bit 4
 * says that it is in the same instruction as the one before, bits 31:16 name the elements whose condition
 * fails. */
static void the_second_word_has_fields(void **state)
{
    (void)state;
    static const char text[] = "misprint-case 1 vc4-vpm\nops {\n  read\n  with write 2 lanes=0x00ff\n}\n";
    struct text t = explained(text);
    const char *write = strstr(text_chars(&t), "13 00 00 FF");
    assert_non_null(write);
    assert_non_null(strstr(text_chars(&t), "bits 3:0 OPERATION = 4\n"));
    assert_non_null(strstr(write, "bits 3:0 OPERATION = 3\n"));
    assert_non_null(strstr(write, "bit 4 WITH = 1 (in the instruction of the one before)\n"));
    assert_non_null(strstr(write, "bits 31:16 CONDITION_FAILS = 65280\n"));
    text_free(&t);
}

/* A line has two words of a row: it names the first one's number, and shows both. */
static void rows_of_images_are_words(void **state)
{
    (void)state;
    static const char text[] =
        "misprint-case 1 vc4-vpm\nvpm row 5 = 00000010 00000011 00000012 00000013 00000014 "
        "00000015 00000016 00000017 00000018 00000019 0000001a 0000001b 0000001c "
        "0000001d 0000001e 0000001f\nvpm row 6 = all 00000abc\n";
    struct text t = explained(text);
    assert_non_null(strstr(text_chars(&t), "vpm row 5\n"));
    assert_non_null(strstr(text_chars(&t), "  form 1: 16 words follow\n"));
    for (unsigned w = 0; w < 16; w += 2) {
        char line[64];
        (void)snprintf(line, sizeof line, "  word %u on: %08X %08X\n", w, 0x10 + w, 0x11 + w);
        assert_non_null(strstr(text_chars(&t), line));
    }
    assert_non_null(strstr(text_chars(&t), "vpm row 6\n"));
    assert_non_null(strstr(text_chars(&t), "  form 0: one word for all 16\n"));
    assert_non_null(strstr(text_chars(&t), "  all: 00000ABC\n"));
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_the_binary_form),
        cmocka_unit_test(the_fields_have_names),
        cmocka_unit_test(the_second_word_has_fields),
        cmocka_unit_test(rows_of_images_are_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
