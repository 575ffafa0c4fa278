/* SPDX-License-Identifier: MIT */
/*
 * Attribution of one case, and findings. Attribution must find injected sets of one, two and three changes,
 * and all other candidates. The expected sets are computed by hand, or by running the puzzle under every set
 * of changes.
 */
#include "oracle/attribution/explain.h"
#include "oracle/attribution/findings.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct executor *x;
static struct explainer *s;
static struct outcome *board, *out;
static struct test_case tc;
static struct profile base;
static struct explanation e;

static int begin(void **state)
{
    (void)state;
    x = executor_new(&puzzle_unit);
    s = explainer_new(x);
    board = outcome_new(&puzzle_unit);
    out = outcome_new(&puzzle_unit);
    return 0;
}

static int end(void **state)
{
    (void)state;
    explainer_free(s);
    executor_free(x);
    outcome_free(board);
    outcome_free(out);
    return 0;
}

/* Makes a case of these items, and the outcome of a board that follows these changes. */
static void plant(const char *changes, const uint32_t *items, unsigned count)
{
    struct cause c;
    struct error error = {0};
    struct profile p = base;
    puzzle_make(&tc, items, count);
    if (!cause_parse(&puzzle_unit, changes, &c, &error))
        fail_msg("%s", error.text);
    cause_apply(&c, &p);
    executor_run(x, &tc, &p, RUN_PLAIN, board);
}

#define PLANT(changes, ...)                                                                                  \
    plant(changes, (const uint32_t[]){__VA_ARGS__},                                                          \
          sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Expects these candidates, in this order, separated by " | ". */
static void expect(const char *candidates)
{
    struct text t = {0};
    for (unsigned i = 0; i < e.candidates; i++) {
        text_add(&t, "%s", i ? " | " : "");
        cause_print(&puzzle_unit, &e.candidate[i], &t);
    }
    assert_string_equal(text_chars(&t), candidates);
    text_free(&t);
}

static void explain(unsigned most)
{
    explainer_run(s, &tc, &base, board, most, 0, &e);
    assert_false(e.cut);
}

static void single_changes_are_found(void **state)
{
    (void)state;
    PLANT("puzzle-3=one", puzzle_item(PUZZLE_SOLO, 3, 0, 0), puzzle_item(PUZZLE_SOLO, 4, 0, 0));
    explain(3);
    expect("puzzle-3=one");
    PLANT("puzzle-5=one", puzzle_item(PUZZLE_EITHER, 5, 2, 0));
    explain(3);
    expect("puzzle-2=one | puzzle-5=one");
    PLANT("puzzle-6=one", puzzle_item(PUZZLE_END, 6, 0, 0)); /* only the end differs */
    explain(3);
    expect("puzzle-6=one");
    PLANT("puzzle-5=one", puzzle_item(PUZZLE_SOLO, 1, 0, 0)); /* the board does not differ at all */
    explain(3);
    expect("");
    assert_int_equal(e.nearest_bits, 0);
}

static void pairs_and_triples(void **state)
{
    (void)state;
    PLANT("puzzle-8=one,puzzle-1=one",
          puzzle_item(PUZZLE_BOTH, 8, 1, 0)); /* the case consults clause 1 only if clause 8 is changed */
    explain(1);
    expect("");
    explain(3);
    expect("puzzle-1=one,puzzle-8=one");
    PLANT("puzzle-1=one,puzzle-4=one,puzzle-9=one", puzzle_item(PUZZLE_MAJORITY, 9, 4, 1));
    explain(3); /* two of the three changes suffice */
    expect("puzzle-1=one,puzzle-4=one | puzzle-1=one,puzzle-9=one | puzzle-4=one,puzzle-9=one");
    PLANT("puzzle-10=one,puzzle-2=one,puzzle-0=one", puzzle_item(PUZZLE_THREE, 10, 2, 0));
    explain(2);
    expect("");
    explain(3);
    expect("puzzle-0=one,puzzle-2=one,puzzle-10=one");
    PLANT("puzzle-0=one,puzzle-2=one,puzzle-4=one,puzzle-6=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0),
          puzzle_item(PUZZLE_BOTH, 2, 4, 0), puzzle_item(PUZZLE_SOLO, 6, 0, 0));
    explain(4);
    expect("puzzle-0=one,puzzle-2=one,puzzle-4=one,puzzle-6=one");
}

static void the_nearest_set_and_the_budget(void **state)
{
    (void)state;
    PLANT("puzzle-0=one,puzzle-1=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0), puzzle_item(PUZZLE_SOLO, 1, 0, 0),
          puzzle_item(PUZZLE_SOLO, 2, 0, 0));
    outcome_row(board, 0, 4)[3] ^= 0x70; /* three bits that nothing explains */
    explain(3);
    expect("");
    assert_int_equal(e.nearest_bits, 3);
    assert_int_equal(e.nearest.count, 2);
    struct text t = {0};
    cause_print(&puzzle_unit, &e.nearest, &t);
    assert_string_equal(text_chars(&t), "puzzle-0=one,puzzle-1=one");
    text_free(&t);
    explainer_run(s, &tc, &base, board, 3, 5, &e);
    assert_true(e.cut);
    assert_true(e.runs >= 5 && e.runs <= 7);
}

static void undefined_bits_are_masked(void **state)
{
    (void)state;
    struct tally t = {0};
    PLANT("puzzle-0=one",
          puzzle_item(PUZZLE_VAGUE, 0, 0, 0)); /* the only difference is in an undefined bit */
    executor_run(x, &tc, &base, RUN_PLAIN, out);
    assert_false(outcomes_equal(out, board, NULL, NULL));
    assert_int_equal(model_match(x, &tc, &base, board, out, &t, NULL), MATCH_EQUAL);
    explain(3);
    expect("");
    PLANT("puzzle-0=one", puzzle_item(PUZZLE_WAY, 0, 0, 0)); /* it is undefined whether the case continues */
    memset(&t, 0, sizeof t);
    assert_int_equal(model_match(x, &tc, &base, board, out, &t, NULL), MATCH_UNDEFINED);
    assert_int_equal(t.vacuous, 1);
    PLANT("", puzzle_item(PUZZLE_EXCUSE, 4, 0, 0));
    outcome_row(board, 0, 4)[0] |= 1; /* no reading makes it 1; reading 2 of clause 4 leaves it undefined */
    explain(3);
    expect("puzzle-4=two");
    assert_true(e.masked);
    assert_int_equal(verdict_of(&puzzle_unit, &e, true, BOARD_CLASS_SILICON), VERDICT_UNDEFINED);
    /* A reading that reproduces the board's bit comes before a reading that leaves it undefined. */
    PLANT("puzzle-1=one", puzzle_item(PUZZLE_EXCUSE, 4, 0, 0), puzzle_item(PUZZLE_SOLO, 1, 0, 0));
    explain(3);
    expect("puzzle-1=one");
    assert_false(e.masked);
    /* Both readings are candidates for the bit. The one with the stronger evidence comes first. */
    PLANT("puzzle-1=one", puzzle_item(PUZZLE_DOUBT, 1, 0, 0));
    explain(3);
    expect("puzzle-1=one | puzzle-0=two");
    assert_false(e.masked);
    assert_false(e.candidate[0].masks);
    assert_true(e.candidate[1].masks);
}

/* Continues a search with sets of more changes than it has tried. Leaves out sets that are known to be
 * wrong. */
static void more_changes_and_refuted_causes(void **state)
{
    (void)state;
    struct cause wrong;
    struct error error = {0};
    PLANT("puzzle-0=one,puzzle-1=one,puzzle-2=one,puzzle-3=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0),
          puzzle_item(PUZZLE_SOLO, 1, 0, 0), puzzle_item(PUZZLE_SOLO, 2, 0, 0),
          puzzle_item(PUZZLE_SOLO, 3, 0, 0));
    explain(3);
    expect("");
    explainer_deepen(s, &tc, &base, board, &e);
    expect("puzzle-0=one,puzzle-1=one,puzzle-2=one,puzzle-3=one");
    assert_false(e.more_candidates);
    PLANT("puzzle-0=one", puzzle_item(PUZZLE_EITHER, 0, 1, 0));
    explain(3);
    expect("puzzle-0=one | puzzle-1=one");
    cause_parse(&puzzle_unit, "puzzle-0=one", &wrong, &error);
    explainer_refute(s, &wrong, 1);
    explain(3);
    explainer_refute(s, NULL, 0);
    expect("puzzle-1=one");
}

/* Runs the puzzle under every set of one, two and three changes, without coverage, order or pruning. */
static unsigned brute_force(struct cause found[], unsigned most, unsigned size)
{
    unsigned n = 0;
    for (unsigned a = 0; a < 2 * PUZZLE_CLAUSES; a++)
        for (unsigned b = size > 1 ? a + 1 : 0; b < (size > 1 ? 2 * PUZZLE_CLAUSES : 1U); b++)
            for (unsigned c = size > 2 ? b + 1 : 0; c < (size > 2 ? 2 * PUZZLE_CLAUSES : 1U); c++) {
                unsigned pick[3] = {a, b, c};
                struct profile p = base;
                struct cause set = {.count = (uint8_t)size};
                bool twice = false;
                for (unsigned k = 0; k < size; k++) {
                    set.change[k].clause = (uint16_t)(pick[k] / 2);
                    set.change[k].reading = (uint8_t)(pick[k] % 2 + 1);
                    twice |= k && pick[k] / 2 == pick[k - 1] / 2;
                    p.reading[pick[k] / 2] = set.change[k].reading;
                }
                if (twice)
                    continue;
                struct tally t = {0};
                executor_run(x, &tc, &p, RUN_CHECKED, out);
                if (outcomes_equal(out, board, &t, NULL) && !t.vacuous && n < most)
                    found[n++] = set;
            }
    return n;
}

static void random_puzzles_have_no_other_answers(void **state)
{
    (void)state;
    enum { MOST = 4096 };
    static const enum puzzle_kind kinds[] = {PUZZLE_SOLO,     PUZZLE_EITHER, PUZZLE_BOTH, PUZZLE_THREE,
                                             PUZZLE_MAJORITY, PUZZLE_PARITY, PUZZLE_END};
    struct cause *found = malloc(MOST * sizeof *found);
    struct random r;
    unsigned sizes[4] = {0}, many = 0;
    random_seed(&r, 7);
    for (unsigned round = 0; round < support_scaled(1500); round++) {
        uint32_t items[6];
        unsigned count = 1 + random_below(&r, 6);
        for (unsigned i = 0; i < count; i++) {
            enum puzzle_kind kind = kinds[random_below(&r, random_one_in(&r, 8) ? 7 : 6)];
            items[i] = puzzle_random_item(&r, kind, 12);
        }
        puzzle_make(&tc, items, count);
        struct profile p = base;
        for (unsigned k = 1 + random_below(&r, 10); k > 0; k--)
            p.reading[random_below(&r, PUZZLE_CLAUSES)] = random_one_in(&r, 8) ? 2 : 1;
        executor_run(x, &tc, &p, RUN_PLAIN, board);
        executor_run(x, &tc, &base, RUN_PLAIN, out);
        bool differs = !outcomes_equal(out, board, NULL, NULL);
        unsigned size = 0, n = 0;
        while (differs && !n && size < 3)
            n = brute_force(found, MOST, ++size);
        explain(3);
        assert_int_equal(e.candidates, n < CANDIDATES_MAX ? n : CANDIDATES_MAX);
        assert_int_equal(e.more_candidates, n > CANDIDATES_MAX);
        for (unsigned i = 0; i < e.candidates; i++)
            assert_true(cause_equal(&e.candidate[i], &found[i]));
        sizes[n ? size : 0]++;
        many += n > 1;
    }
    print_message("puzzles by size of answer: none %u, one %u, two %u, three %u; with rivals %u\n", sizes[0],
                  sizes[1], sizes[2], sizes[3], many);
    assert_true(sizes[1] && sizes[2] && sizes[3] && many); /* puzzles of every size occurred */
    free(found);
}

static void causes_as_text(void **state)
{
    (void)state;
    struct cause c, d;
    struct error error = {0};
    struct text t = {0};
    assert_true(cause_parse(&puzzle_unit, "puzzle-11=two,puzzle-2=one", &c, &error));
    cause_print(&puzzle_unit, &c, &t);
    assert_string_equal(text_chars(&t), "puzzle-2=one,puzzle-11=two");
    assert_true(cause_parse(&puzzle_unit, text_chars(&t), &d, &error));
    assert_true(cause_equal(&c, &d));
    text_free(&t);
    assert_false(cause_parse(&puzzle_unit, "puzzle-99=one", &c, &error));
    assert_false(cause_parse(&puzzle_unit, "puzzle-2=nine", &c, &error));
    assert_false(cause_parse(&puzzle_unit, "puzzle-2", &c, &error));
    assert_false(cause_parse(&puzzle_unit, "puzzle-2=one,puzzle-2=two", &c, &error));
    assert_false(cause_parse(&puzzle_unit, "puzzle-0=one,puzzle-1=one,puzzle-2=one,puzzle-3=one,puzzle-4=one",
                             &c, &error));
    assert_true(cause_parse(&puzzle_unit, "", &c, &error));
    assert_int_equal(c.count, 0);
}

/* --- findings */

static struct findings *findings;
static struct evidence_set *evidence;
static enum filed filed; /* the result of the last file() */

static struct finding *file(void)
{
    evidence_set_add(evidence, &tc, board, true);
    struct error error = {0};
    explain(3);
    struct evidence_of_case what = {
        .explanation = &e, .signature = 99, .tc = &tc, .board = board, .label = "here"};
    struct finding *f;
    filed = findings_file_case(findings, &what, &f, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(f != NULL, filed == FILED_NEW);
    return f;
}

static void settle(void)
{
    static struct attribution a;
    const struct attribution_limits limits = {.most = 3};
    attribute(x, evidence, &base, &limits, &a);
    assert_true(findings_reconcile(findings, x, &a, 1, NULL, NULL));
    evidence_set_free(evidence);
    evidence = NULL;
}

/* Expects these findings, in the order of reports, as "cause xCASES; ...". */
static void expect_findings(const char *want)
{
    struct text t = {0};
    unsigned count;
    settle();
    struct finding *all = findings_release(findings, &count);
    for (unsigned i = 0; i < count; i++) {
        text_add(&t, "%s", i ? "; " : "");
        for (unsigned k = 0; k < all[i].explanation.candidates; k++) {
            text_add(&t, "%s", k ? "|" : "");
            cause_print(&puzzle_unit, &all[i].explanation.candidate[k], &t);
        }
        text_add(&t, "%s x%u", all[i].explanation.candidates ? "" : "?", (unsigned)all[i].cases);
        finding_free_contents(&all[i]);
    }
    free(all);
    assert_string_equal(text_chars(&t), want);
    text_free(&t);
    findings_free(findings);
}

static void new_findings_with_room(unsigned most)
{
    static const struct board_identity who = {.spec = "puzzle:", .kind = "puzzle", .silicon = true};
    findings = findings_new(&puzzle_unit, &base, "manual", &who, most);
    evidence = evidence_set_new(&puzzle_unit);
}

static void new_findings(void)
{
    new_findings_with_room(FINDINGS_MAX);
}

static void one_finding_a_cause(void **state)
{
    (void)state;
    new_findings();
    PLANT("puzzle-0=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0), puzzle_item(PUZZLE_SOLO, 2, 0, 0));
    struct finding *f = file();
    assert_non_null(f);
    assert_int_equal(f->verdict, VERDICT_MANUAL_ERRATUM);
    uint64_t size = f->size;
    PLANT("puzzle-0=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0));
    assert_null(file());
    assert_true(f->size < size); /* the store keeps the smaller case */
    assert_true(case_equal(f->smallest, &tc));
    PLANT("puzzle-1=one", puzzle_item(PUZZLE_SOLO, 3, 0, 0), puzzle_item(PUZZLE_SOLO, 1, 0, 0));
    assert_non_null(file());
    assert_int_equal(findings_known(findings)->reading[0], 1);
    assert_int_equal(findings_known(findings)->reading[1], 1);
    expect_findings("puzzle-0=one x2; puzzle-1=one x1");
}

/* If there is no room for a case's finding, file() says so. */
static void a_case_without_room_is_reported(void **state)
{
    (void)state;
    new_findings_with_room(1);
    PLANT("puzzle-0=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0));
    file();
    assert_int_equal(filed, FILED_NEW);
    PLANT("puzzle-1=one", puzzle_item(PUZZLE_SOLO, 1, 0, 0));
    file();
    assert_int_equal(filed, FILED_NOWHERE);
    PLANT("puzzle-0=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0));
    file();
    assert_int_equal(filed, FILED_KNOWN);
    expect_findings("puzzle-0=one x2");
}

static void a_union_of_known_causes_counts_for_each(void **state)
{
    (void)state;
    new_findings();
    PLANT("puzzle-0=one,puzzle-2=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0),
          puzzle_item(PUZZLE_SOLO, 2, 0, 0)); /* before the two causes are known */
    assert_non_null(file());
    PLANT("puzzle-0=one", puzzle_item(PUZZLE_SOLO, 0, 0, 0));
    file();
    PLANT("puzzle-2=one", puzzle_item(PUZZLE_SOLO, 2, 0, 0));
    file();
    PLANT("puzzle-0=one,puzzle-2=one", puzzle_item(PUZZLE_SOLO, 2, 0, 0),
          puzzle_item(PUZZLE_SOLO, 0, 0, 0)); /* after both are known */
    assert_null(file());
    PLANT("puzzle-4=one,puzzle-2=one",
          puzzle_item(PUZZLE_BOTH, 2, 4, 0)); /* the case also needs clause 4, which has no effect alone */
    file();
    expect_findings("puzzle-0=one x3; puzzle-2=one x3; puzzle-2=one,puzzle-4=one x1");
}

/* A case that needs five changes, more than a search tries, counts for the findings of these five. */
static void a_case_of_many_causes_counts_for_each(void **state)
{
    (void)state;
    struct profile many = base;
    uint32_t items[6];
    char changes[32];
    new_findings();
    for (unsigned i = 0; i < 6; i++)
        items[i] = puzzle_item(PUZZLE_SOLO, 2 * i, 0, 0);
    for (unsigned i = 0; i < 5; i++)
        many.reading[2 * i] = 1;
    puzzle_make(&tc, items, 5);
    executor_run(x, &tc, &many, RUN_PLAIN, board);
    assert_non_null(file());
    assert_int_equal(e.candidates, 0);
    for (unsigned i = 0; i < 6; i++) {
        (void)snprintf(changes, sizeof changes, "puzzle-%u=one", 2 * i);
        plant(changes, &items[i], 1);
        assert_non_null(file());
    }
    expect_findings("puzzle-0=one x2; puzzle-2=one x2; puzzle-4=one x2; puzzle-6=one x2; puzzle-8=one x2; "
                    "puzzle-10=one x1");
}

static void later_cases_decide_earlier_ones(void **state)
{
    (void)state;
    new_findings();
    PLANT("puzzle-5=one", puzzle_item(PUZZLE_EITHER, 3, 5, 0));
    assert_non_null(file());
    PLANT("puzzle-5=one", puzzle_item(PUZZLE_SOLO, 5, 0, 0));
    assert_non_null(file());
    expect_findings("puzzle-5=one x2");
    new_findings(); /* no case decides between two causes, but one cause explains both findings */
    PLANT("puzzle-5=one", puzzle_item(PUZZLE_EITHER, 3, 5, 0));
    file();
    PLANT("puzzle-5=one", puzzle_item(PUZZLE_EITHER, 5, 9, 0));
    file();
    expect_findings("puzzle-5=one x2");
    new_findings(); /* no cause explains both findings, so both stay open */
    PLANT("puzzle-5=one", puzzle_item(PUZZLE_EITHER, 3, 5, 0));
    file();
    PLANT("puzzle-7=one", puzzle_item(PUZZLE_EITHER, 7, 9, 0));
    file();
    expect_findings("puzzle-3=one|puzzle-5=one x1; puzzle-7=one|puzzle-9=one x1");
}

static void ids_are_stable(void **state)
{
    (void)state;
    struct finding f = {.unit = &puzzle_unit,
                        .profile = "manual",
                        .board = {.kind = "trace", .spec = "trace:a", .silicon = true},
                        .explanation = {.candidates = 1}};
    char id[24];
    struct error error = {0};
    cause_parse(&puzzle_unit, "puzzle-1=one", &f.explanation.candidate[0], &error);
    finding_name(&f);
    memcpy(id, f.id, sizeof id);
    assert_int_equal(strlen(id), 14);
    snprintf(f.board.spec, sizeof f.board.spec, "trace:b"); /* the path of the file does not change the id */
    f.signature = 5;
    finding_name(&f);
    assert_string_equal(f.id, id);
    f.board.silicon = false;
    finding_name(&f);
    assert_string_not_equal(f.id, id);
}

/* A search for all sets of up to four changes among the puzzle's 12 clauses takes less than five seconds. A
 * case of vc4-vpm touches about as many clauses. */
static void searches_are_quick(void **state)
{
    (void)state;
    uint32_t items[PUZZLE_CLAUSES];
    struct timespec from, to;
    for (unsigned i = 0; i < PUZZLE_CLAUSES; i++)
        items[i] = puzzle_item(PUZZLE_SOLO, i, 0, 0);
    plant("puzzle-0=one,puzzle-1=one,puzzle-2=one,puzzle-3=one", items, PUZZLE_CLAUSES);
    clock_gettime(CLOCK_MONOTONIC, &from);
    explain(4);
    clock_gettime(CLOCK_MONOTONIC, &to);
    double seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
    print_message("%llu model runs in %.1f ms, %.0f ns a run\n", (unsigned long long)e.runs, seconds * 1e3,
                  seconds * 1e9 / (double)e.runs);
    expect("puzzle-0=one,puzzle-1=one,puzzle-2=one,puzzle-3=one");
    /* The base runs once, then each set of one to four changes once: 12 clauses with two other readings
     * each. */
    assert_int_equal(e.runs, 1 + 24 + 264 + 1760 + 7920);
    assert_true(seconds < 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_changes_are_found),
        cmocka_unit_test(pairs_and_triples),
        cmocka_unit_test(the_nearest_set_and_the_budget),
        cmocka_unit_test(undefined_bits_are_masked),
        cmocka_unit_test(more_changes_and_refuted_causes),
        cmocka_unit_test(random_puzzles_have_no_other_answers),
        cmocka_unit_test(causes_as_text),
        cmocka_unit_test(one_finding_a_cause),
        cmocka_unit_test(a_case_without_room_is_reported),
        cmocka_unit_test(a_union_of_known_causes_counts_for_each),
        cmocka_unit_test(a_case_of_many_causes_counts_for_each),
        cmocka_unit_test(later_cases_decide_earlier_ones),
        cmocka_unit_test(ids_are_stable),
        cmocka_unit_test(searches_are_quick),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
