/* SPDX-License-Identifier: MIT */
/* Every description of a point or an input has the form that sentences need (model/rule/point.h). With
 * MISPRINT_PRINT_SENTENCES set, the test prints a sentence for every point and every input. */
#include "model/core/unit.h"
#include "oracle/describe/rule_text.h"
#include "oracle/describe/rule_words.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Words that begin no noun phrase, or one in the plural. */
static const char *const bad_first[] = {"what",     "how",          "where",     "whether", "which",
                                        "its",      "why",          "their",     "when",    "bits",
                                        "bytes",    "vectors",      "rows",      "words",   "lanes",
                                        "elements", "instructions", "registers", "slots",   "selectors",
                                        NULL};
/* Words in which a phrase cannot end: it would be cut. */
static const char *const bad_last[] = {"at", "and", "or", "is", "the", NULL};

static bool is_word(const char *words, size_t length, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == length && !strncmp(words, *list, length))
            return true;
    return false;
}

/* Fails if `length` characters are no phrase that can stand in a sentence. */
static void check_phrase(const char *of, const char *about, const char *words, size_t length)
{
    size_t first = strcspn(words, " ;"), last = length;
    if (!strncmp(words, "the ", 4)) {
        words += 4;
        length -= 4;
        last -= 4;
        first = strcspn(words, " ;");
    }
    while (last && words[last - 1] != ' ')
        last--;
    bool good =
        length > 0 && !is_word(words, first, bad_first) && !is_word(words + last, length - last, bad_last);
    for (size_t i = 0; i < length; i++)
        good &= words[i] != ':' && !(words[i] == '.' && words[i + 1] == ' ') && words[i] != '`' &&
                words[i] != '"';
    if (!good)
        fail_msg("%s: \"%s\" does not begin with a phrase that can be the subject of a sentence", of, about);
}

/* Checks a description. `answers`: each of two numbers needs a statement, if one has it. */
static void check_about(const char *of, const char *about, bool answers)
{
    size_t length;
    if (!words_is_statement(about)) {
        const size_t count = strcspn(about, ";");
        const size_t plain = strcspn(about, ";("); /* a comma inside parentheses does no harm */
        if (memchr(about, ',', plain) && !strstr(about, " or ") && !strstr(about, " and ")) /* no list */
            fail_msg("%s: \"%s\": a comma in the subject", of, about);
        if (isdigit((unsigned char)about[0]))
            fail_msg("%s: \"%s\" begins with a number", of, about);
        check_phrase(of, about, about, count);
        return;
    }
    for (uint32_t number = 0; number < 2; number++) {
        const char *says = words_statement(about, number, &length);
        if (!says && (number || answers))
            fail_msg("%s: \"%s\" has no statement for %u", of, about, number);
        if (says) {
            check_phrase(of, about, says, length);
            if (says[length] && says[length + 1] != ' ')
                fail_msg("%s: \"%s\" is cut", of, about);
        }
    }
}

static void descriptions_have_the_form(void **state)
{
    unsigned points = 0, inputs = 0;
    (void)state;
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        for (unsigned k = 0; k < u->point_count; k++) {
            const struct point *p = &u->points[k];
            char of[120];
            (void)snprintf(of, sizeof of, "%s %s", u->name, p->name);
            check_about(of, p->about, false);
            points++;
            for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++) {
                const char *about = words_about_input(u, p, p->input[i].name);
                (void)snprintf(of, sizeof of, "%s %s, input %s", u->name, p->name, p->input[i].name);
                if (!about)
                    fail_msg("%s has no description", of);
                check_about(of, about, true);
                if (words_is_statement(about) && p->input[i].width != 1)
                    fail_msg("%s: a statement about a number of %u bits", of, p->input[i].width);
                inputs++;
            }
        }
    }
    assert_true(points > 400 && inputs > 1000);
}

/* Each note explains an input of some point: a renamed input takes its note with it. */
static void notes_are_used(void **state)
{
    (void)state;
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        for (const struct input_note *note = u->input_notes; note && note->name; note++) {
            bool used = false;
            for (unsigned k = 0; k < u->point_count; k++)
                for (unsigned i = 0; i < POINT_INPUTS_MAX && u->points[k].input[i].name; i++)
                    used |= words_about_input(u, &u->points[k], u->points[k].input[i].name) == note->about;
            if (!used)
                fail_msg("%s: no point has the input of note \"%s\"", u->name, note->name);
        }
    }
}

/* Describes a rule. Fails if the sentence has a sign of a cut or an empty part. */
static void describe(const struct unit *u, const char *line)
{
    static const char *const signs[] = {"  ",     "; ;",  ";;", " ;",   "where ;",
                                        " and ;", "is  ", "()", ". at", NULL};
    const struct unit *of;
    struct rule r;
    struct error e = {0};
    struct text t = {0};
    if (!rule_parse(line, strlen(line), &of, &r, &e))
        fail_msg("%s: %s", line, e.text);
    rule_describe(u, &r, &t);
    for (unsigned i = 0; signs[i]; i++)
        if (strstr(text_chars(&t), signs[i]))
            fail_msg("%s: \"%s\" has \"%s\"", line, text_chars(&t), signs[i]);
    if (!isupper((unsigned char)text_chars(&t)[0]) && !strstr(text_chars(&t), "v8dot") &&
        !isdigit((unsigned char)text_chars(&t)[0]))
        fail_msg("%s: \"%s\" does not begin like a sentence", line, text_chars(&t));
    if (getenv("MISPRINT_PRINT_SENTENCES"))
        printf("%s\n    %s.\n", line, text_chars(&t));
    text_free(&t);
}

static void rules_have_whole_sentences(void **state)
{
    static const char *const results[] = {"0", "value + 1", "value ^ 1", "value * 3 + 1"};
    (void)state;
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        for (unsigned k = 0; k < u->point_count; k++) {
            const struct point *p = &u->points[k];
            char line[200];
            for (unsigned i = 0; i < sizeof results / sizeof *results; i++) {
                (void)snprintf(line, sizeof line, "%s %s = %s", u->name, p->name, results[i]);
                describe(u, line);
            }
            for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++) {
                const char *name = p->input[i].name;
                (void)snprintf(line, sizeof line, "%s %s when %s == 1 = 0", u->name, p->name, name);
                describe(u, line);
                (void)snprintf(line, sizeof line, "%s %s when %s %s = value + 1", u->name, p->name, name,
                               p->input[i].width == 1 ? "== 0" : "> 2 && (value & 1)");
                describe(u, line);
                (void)snprintf(line, sizeof line, "%s %s = %s", u->name, p->name, name);
                describe(u, line);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_have_the_form),
        cmocka_unit_test(notes_are_used),
        cmocka_unit_test(rules_have_whole_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
