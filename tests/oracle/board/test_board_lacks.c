/* SPDX-License-Identifier: MIT */
/* Boards that lack parts of cases get no case that has them. */
#include "harness/system/pages.h"
#include "oracle/board/board.h"
#include "oracle/board/plugin/plugin_child.h"
#include "oracle/compare/compare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES = 256 };

static struct test_case *tc;
static const struct test_case *list[CASES];

static void make_cases(const struct unit *u)
{
    struct random r;
    random_seed(&r, 9);
    for (unsigned i = 0; i < CASES; i++) {
        case_init(&tc[i], u);
        u->generate(&r, &tc[i]);
        list[i] = &tc[i];
    }
}

/* Has the case's text this word? */
static bool text_has(const struct test_case *c, const char *word)
{
    struct text t = {0};
    case_print(c, &t);
    bool found = strstr(text_chars(&t), word);
    text_free(&t);
    return found;
}

/* Generated cases have each part now and then, and none after mending. A case without them stays as it is. */
static void mended_cases_have_nothing_that_is_lacking(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *lacks, *text;
    } rows[] = {
        {"vc4-qpu", "stage=fragment", "stage = fragment"},
        {"vc4-qpu", "stage", "stage = "},
        {"vc4-qpu", "load_tmu0", "load_tmu0"},
        {"vc4-qpu", "varyings, varying-count", "varyings"},
        {"vc4-qpu", "program>3", NULL},
        {"amd-buffer", "wave-size=wave32", "wave-size = wave32"},
        {"amd-buffer", "vgprs>16", NULL},
        {"vc4-vpm", "wr_setup", "wr_setup"},
        {"amd-buffer", "buffer_atomic_*", "buffer_atomic_"},
    };
    struct test_case *before = malloc(sizeof *before);
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct error e = {0};
        const struct unit *u = unit_named(rows[n].unit);
        struct board_lacks *l = board_lacks_new(u, rows[n].lacks, &e);
        if (!l)
            fail_msg("%s", e.text);
        unsigned had = 0;
        make_cases(u);
        for (unsigned i = 0; i < CASES; i++) {
            bool has = board_lacks_of(l, &tc[i]);
            had += has;
            case_copy(before, &tc[i]);
            board_lacks_mend(l, &tc[i]);
            assert_null(board_lacks_of(l, &tc[i]));
            assert_int_equal(case_equal(before, &tc[i]), !has);
            assert_true(!rows[n].text || !text_has(&tc[i], rows[n].text));
        }
        if (!had)
            fail_msg("no case had %s", rows[n].lacks);
        board_lacks_free(l);
    }
    free(before);
}

static void what_no_unit_has_is_an_error(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"texture", "no field and no word of an instruction of vc4-qpu"},
        {"stage=pixel", "stage has no such name"},
        {"program=3", "program has no such name"},
        {"program>x", "not FIELD>NUMBER"},
        {"stage>1", "not FIELD>NUMBER"},
        {"limit>0", "limit is at least 1"},
        {"stage=user stage=coordinate stage=vertex stage=fragment",
         "every value of stage, so no case can run"},
    };
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
        struct error e = {0};
        assert_null(board_lacks_new(unit_named("vc4-qpu"), rows[n][0], &e));
        if (!strstr(e.text, rows[n][1]))
            fail_msg("'%s' lacks '%s'", e.text, rows[n][1]);
    }
}

/* The board refuses what it lacks, and answers the other cases as before, whatever their places in the batch.
 */
static void a_run_refuses_only_what_is_lacking(void **state)
{
    (void)state;
    static const char *const ways[] = {",inline", ""};
    const struct unit *u = unit_named("vc4-qpu");
    struct error e = {0};
    struct outcome *plugin[CASES], *virtual[CASES];
    enum answer got[CASES], right[CASES];
    void *memory[2] = {pages_of_outcomes(u, CASES, plugin), pages_of_outcomes(u, CASES, virtual)};
    struct board *v = board_open("virtual:", u, &e);
    struct tally tally = {0};
    make_cases(u);
    assert_true(v && board_run(v, list, CASES, virtual, right, &e));
    for (unsigned way = 0; way < 2; way++) {
        char spec[512];
        unsigned refused = 0;
        (void)snprintf(spec, sizeof spec, "plugin:%s/plugin_model.so,lacks=load_tmu0+stage=vertex%s",
                       MISPRINT_TESTS_BUILD_DIR, ways[way]);
        struct board *b = board_open(spec, u, &e);
        if (!b || !board_ahead(b, list, CASES, plugin, &e) || !board_run(b, list, CASES, plugin, got, &e))
            fail_msg("%s", e.text);
        for (unsigned i = 0; i < CASES; i++) {
            const char *why = board_lacks_of(b->lacks, &tc[i]);
            refused += why != NULL;
            assert_int_equal(got[i], why ? ANSWER_REFUSED : ANSWER_OUTCOME);
            assert_true(why ? strstr(board_reason(b, i), why) != NULL : !board_reason(b, i)[0]);
            assert_true(why || outcomes_equal(virtual[i], plugin[i], &tally, NULL));
        }
        assert_in_range(refused, 1, CASES - 1);
        board_close(b);
    }
    board_close(v);
    free(memory[0]);
    free(memory[1]);
}

int main(int count, char **words)
{
    if (plugin_is_child(count, words))
        return plugin_child(words);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mended_cases_have_nothing_that_is_lacking),
        cmocka_unit_test(what_no_unit_has_is_an_error),
        cmocka_unit_test(a_run_refuses_only_what_is_lacking),
    };
    tc = pages_new(CASES, sizeof *tc);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
