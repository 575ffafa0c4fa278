/* SPDX-License-Identifier: MIT */
/*
 * `misprint run --trace --json` prints what docs/trace.md describes. Each line is a JSON object of one of
 * three kinds. Its values have the widths and lanes of the unit's table of points. A rule changes `after` of
 * its point, and no other member of the line.
 */
#include "model/core/unit.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glob.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const json_t *value, unsigned bits)
{
    return json_is_integer(value) && json_integer_value(value) >= 0 &&
           (uint64_t)json_integer_value(value) >> bits == 0;
}

/* Checks a value: a number of at most `bits` bits, or for a vector a list of 16 such numbers. */
static void check_value(const char *line, const json_t *value, unsigned bits, unsigned lanes)
{
    bool good = lanes < 2 ? is_number(value, bits) : json_array_size(value) == lanes;
    for (unsigned i = 0; lanes > 1 && i < lanes; i++)
        good &= is_number(json_array_get(value, i), bits);
    if (!good)
        fail_msg("%s: a value is not %u x %u bits", line, lanes, bits);
}

static const struct point *point_of(const struct unit *u, const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "point"));
    for (unsigned i = 0; name && i < u->point_count; i++)
        if (!strcmp(u->points[i].name, name))
            return &u->points[i];
    fail_msg("no point %s in %s", name ? name : "", u->name);
    return NULL;
}

static void check_point(const struct unit *u, const char *line, const json_t *object)
{
    const struct point *p = point_of(u, object);
    const json_t *inputs = json_object_get(object, "inputs");
    unsigned count = 0;
    assert_int_equal(json_integer_value(json_object_get(object, "lanes")), p->lanes);
    check_value(line, json_object_get(object, "before"), p->width, p->lanes);
    check_value(line, json_object_get(object, "after"), p->width, p->lanes);
    for (; count < POINT_INPUTS_MAX && p->input[count].name; count++)
        check_value(line, json_object_get(inputs, p->input[count].name), p->input[count].width,
                    p->input[count].lanes);
    assert_int_equal(json_object_size(inputs), count);
}

struct seen {
    unsigned steps, values, ends, ruled, files;
};

/* Checks one line. `ruled`: the point at which the rule XORs the value with 2. */
static void check_line(const struct unit *u, const char *line, const char *ruled, struct seen *seen)
{
    json_error_t e;
    json_t *object = json_loads(line, 0, &e);
    if (!json_is_object(object))
        fail_msg("not a JSON object: %s: %s", e.text, line);
    assert_string_equal(json_string_value(json_object_get(object, "unit")), u->name);
    assert_non_null(json_object_get(object, "file"));
    const json_t *point = json_object_get(object, "point"), *after = json_object_get(object, "after"),
                 *before = json_object_get(object, "before");
    if (json_object_get(object, "end")) {
        assert_int_equal(json_integer_value(json_object_get(object, "steps")), seen->steps);
        seen->steps = 0;
        seen->ends++;
    } else {
        assert_int_equal(json_integer_value(json_object_get(object, "step")), seen->steps);
        seen->steps += json_object_get(object, "text") != NULL;
    }
    if (point) {
        bool acts = !strcmp(json_string_value(point), ruled);
        seen->values++;
        check_point(u, line, object);
        if (acts)
            assert_int_equal(json_integer_value(after), json_integer_value(before) ^ 2);
        else
            assert_true(json_equal(before, after));
        seen->ruled += acts;
    }
    json_decref(object);
}

/* Traces cases of the corpus with a rule at the point `ruled`. */
static struct seen trace_corpus(const struct unit *u, const char *ruled)
{
    const char *program = getenv("MISPRINT");
    struct text command = {0};
    struct seen seen = {0};
    glob_t found;
    char *line = NULL;
    size_t room = 0;
    if (!program)
        skip();
    text_add(&command, MISPRINT_SOURCE_DIR "/corpus/%s/*.case", u->name);
    assert_int_equal(glob(text_chars(&command), 0, NULL, &found), 0);
    text_free(&command);
    command = (struct text){0};
    text_add(&command, "'%s' run --trace --json", program);
    if (*ruled)
        text_add(&command, " --rule '%s %s = value ^ 2'", u->name, ruled);
    for (size_t i = 0; i < found.gl_pathc && i < 20; i++, seen.files++)
        text_add(&command, " '%s'", found.gl_pathv[i]);
    globfree(&found);
    FILE *f = popen(text_chars(&command), "r"); /* NOLINT(cert-env33-c): the command under test */
    assert_non_null(f);
    while (getline(&line, &room, f) > 0)
        check_line(u, line, ruled, &seen);
    assert_int_equal(pclose(f), 0);
    free(line);
    text_free(&command);
    return seen;
}

static void every_line_is_as_documented(void **state)
{
    (void)state;
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        struct seen seen = trace_corpus(u, "");
        print_message("%s: %u cases, %u values\n", u->name, seen.ends, seen.values);
        assert_int_equal(seen.ends, seen.files);
        assert_true(u->point_count ? seen.values > 0 : seen.values == 0);
    }
}

static void a_rule_changes_what_stands_after(void **state)
{
    (void)state;
    struct seen seen = trace_corpus(unit_named("vc4-vpm"), "block.row");
    assert_int_equal(seen.ends, seen.files);
    assert_true(seen.ruled > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_is_as_documented),
        cmocka_unit_test(a_rule_changes_what_stands_after),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
