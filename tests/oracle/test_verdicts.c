/* SPDX-License-Identifier: MIT */
/* The verdict on a difference, by DESIGN's table: which kind of board it is, what the manual says, and how
 * strong the evidence for a reading is. */
#include "model/core/units.h"
#include "oracle/attribution/explain.h"
#include "oracle/store/finding.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The verdicts on implementations, by DESIGN's table of verdicts. */
static void verdicts_of_implementations(void **state)
{
    (void)state;
    static const struct {
        const char *cause;
        enum verdict verdict;
    } rows[] = {
        /* The manual is silent for clauses with odd numbers. */
        {"puzzle-1=one", VERDICT_IMPLEMENTATION_CHOICE},
        {"puzzle-2=one", VERDICT_IMPLEMENTATION_DIFFERS},
        {"puzzle-1=one,puzzle-2=one", VERDICT_IMPLEMENTATION_DIFFERS},
        /* Reading `one` of each clause was measured on silicon. */
        {"puzzle-1=two", VERDICT_IMPLEMENTATION_DIFFERS},
        {"puzzle-2=manual", VERDICT_IMPLEMENTATION_DIFFERS},
    };
    struct explanation v = {.candidates = 1};
    struct error error = {0};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(cause_parse(&puzzle_unit, rows[i].cause, &v.candidate[0], &error));
        assert_int_equal(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_IMPLEMENTATION), rows[i].verdict);
        assert_true(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_VIRTUAL) <= VERDICT_PROFILE_WRONG);
    }
    assert_int_equal(verdict_of(&puzzle_unit, &v, false, BOARD_CLASS_IMPLEMENTATION), VERDICT_FLAKY);
    v.candidates = 0;
    assert_int_equal(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_IMPLEMENTATION), VERDICT_UNEXPLAINED);
}

/* Returns the verdict that DESIGN's table has for an implementation that follows this reading. `measured`:
 * some reading of the clause has evidence from silicon, measured or stated. */
static enum verdict verdict_by_table(const struct clause *c, unsigned reading, bool measured)
{
    if (measured && c->readings[reading].evidence < EVIDENCE_STATED)
        return VERDICT_IMPLEMENTATION_DIFFERS; /* the implementation differs from silicon */
    if (c->silent)
        return VERDICT_IMPLEMENTATION_CHOICE;
    return reading ? VERDICT_IMPLEMENTATION_DIFFERS : VERDICT_PROFILE_WRONG;
}

static void verdicts_of_real_ledgers(void **state)
{
    (void)state;
    unsigned tried[VERDICTS] = {0};
    for (unsigned k = 0; unit_at(k); k++)
        for (unsigned i = 0; i < unit_clauses(unit_at(k)); i++) {
            const struct clause *c = unit_clause(unit_at(k), i);
            unsigned measured = 0;
            for (unsigned r = 0; r < clause_readings(c); r++)
                measured += c->readings[r].evidence >= EVIDENCE_STATED;
            for (unsigned r = 0; r < clause_readings(c); r++) {
                struct explanation v = {.candidates = 1};
                enum verdict want = verdict_by_table(c, r, measured);
                cause_add(&v.candidate[0], i, r);
                assert_int_equal(verdict_of(unit_at(k), &v, true, BOARD_CLASS_IMPLEMENTATION), want);
                tried[want]++;
            }
        }
    assert_true(tried[VERDICT_IMPLEMENTATION_DIFFERS] > 100 && tried[VERDICT_IMPLEMENTATION_CHOICE] > 100 &&
                tried[VERDICT_PROFILE_WRONG] > 20);
}

static void verdicts(void **state)
{
    (void)state;
    struct explanation v = {.candidates = 1};
    struct error error = {0};
    /* The manual is silent for clauses with odd numbers. */
    cause_parse(&puzzle_unit, "puzzle-1=one,puzzle-3=one", &v.candidate[0], &error);
    assert_int_equal(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_SILICON), VERDICT_MANUAL_GAP);
    cause_parse(&puzzle_unit, "puzzle-1=one,puzzle-2=one", &v.candidate[0], &error);
    assert_int_equal(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_SILICON), VERDICT_MANUAL_ERRATUM);
    assert_int_equal(verdict_of(&puzzle_unit, &v, false, BOARD_CLASS_SILICON), VERDICT_FLAKY);
    cause_parse(&puzzle_unit, "puzzle-2=manual", &v.candidate[0],
                &error); /* the board follows the literal text */
    assert_int_equal(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_SILICON), VERDICT_PROFILE_WRONG);
    cause_parse(&puzzle_unit, "puzzle-1=manual,puzzle-2=manual", &v.candidate[0],
                &error); /* for clause 1, on which the manual is silent, the board follows the assumption */
    assert_int_equal(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_SILICON), VERDICT_MANUAL_GAP);
    v.candidates = 0;
    assert_int_equal(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_SILICON), VERDICT_UNEXPLAINED);
    v.unspecified = true; /* the model stopped, because no document says what happens */
    assert_int_equal(verdict_of(&puzzle_unit, &v, true, BOARD_CLASS_SILICON), VERDICT_UNDEFINED);
    for (int i = 0; i < VERDICTS; i++)
        assert_int_equal(verdict_of_name(verdict_name((enum verdict)i)), i);
    assert_int_equal(verdict_of_name("wrong"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),
        cmocka_unit_test(verdicts_of_implementations),
        cmocka_unit_test(verdicts_of_real_ledgers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
