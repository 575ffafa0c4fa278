/* SPDX-License-Identifier: MIT */
/* Campaigns with small budgets find a part of each unit's injected faults. `misprint bench planted` tries all
 * faults. */
#include "fuzz/campaign/bench_faults.h"
#include "oracle/board/board.h"
#include "oracle/compare/injected_fault.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { TRIED = 60, CASES = 4000 };

struct score {
    unsigned all, missed, exact, wrong, undefined;
};

static void look_for(const struct bench_fault *p, const struct corpus *corpus, struct score *s)
{
    const struct bench_fault_budget budget = {.cases = CASES, .seconds = 20, .seed = 1, .seeds = corpus};
    struct bench_fault_result r;
    struct error e = {0};
    struct text t = {0};
    if (!bench_fault_run(p, &budget, &r, &e))
        fail_msg("%s", e.text);
    s->all++;
    s->missed += r.verdict == FAULT_MISSED;
    s->undefined += r.verdict == FAULT_UNDEFINED;
    s->exact += r.verdict == FAULT_EXACT || r.verdict == FAULT_KNOWN;
    s->wrong += r.verdict == FAULT_WRONG;
    assert_true(r.verdict == FAULT_MISSED || r.verdict == FAULT_UNDEFINED || (r.first_case && r.smallest));
    bench_fault_print(p, &t);
    if (r.verdict == FAULT_WRONG)
        print_message("%s: %s: blamed on the wrong clause\n", p->unit->name, text_chars(&t));
    text_free(&t);
}

/* Required percentage of exact results. Faults that show only in undefined bits do not count. */
static const unsigned exact_least[FAULT_KINDS] = {
    [FAULT_SINGLE] = 90, [FAULT_PAIR] = 90, [FAULT_TRIPLE] = 90, [FAULT_OUTSIDE] = 90};

static void known_errata_are_found(void **state)
{
    (void)state;
    struct score score[FAULT_KINDS] = {{0}};
    struct error e = {0};
    unsigned all = 0;
    for (unsigned i = 0; unit_at(i); i++) {
        unsigned count, share = support_scaled(TRIED);
        struct corpus *corpus = corpus_open(unit_at(i), MISPRINT_SOURCE_DIR "/corpus", &e);
        assert_non_null(corpus);
        struct bench_fault *list = bench_faults_of(unit_at(i), corpus, &count);
        all += count;
        for (unsigned k = 0; k < share; k++) /* spread evenly over the catalogue */
            look_for(&list[(uint64_t)k * count / share], corpus,
                     &score[list[(uint64_t)k * count / share].kind]);
        free(list);
        corpus_close(corpus);
    }
    print_message("%u deviations in the catalogue\n", all);
    assert_true(all >= 120);
    for (unsigned k = 0; k < FAULT_KINDS; k++) {
        const struct score *s = &score[k];
        unsigned seen = s->all - s->undefined;
        print_message("%s: %u tried, %u exact, %u wrong, %u only in undefined bits, %u missed\n",
                      bench_fault_kind_name((enum bench_fault_kind)k), s->all, s->exact, s->wrong,
                      s->undefined, s->missed);
        unsigned leeway = seen < 20;   /* if a short run tries only few faults of a kind, one more may fail */
        assert_int_equal(s->wrong, 0); /* no finding blames a wrong clause */
        assert_true((s->exact + leeway) * 100 >= seen * exact_least[k]);
    }
}

static void injected_faults_say_what_is_wrong(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-vpm");
    static const struct {
        const char *text, *wrong;
    } bad[] = {{"lane-dorp:vpm:3", "did you mean 'lane-drop'"},
               {"lane-drop:vmp:3", "unknown region"},
               {"lane-drop:vpm:99", "from 0 to 63"},
               {"lane-drop:vpm", "KIND:PLACE:NUMBER"},
               {"operand-add:opps.STRIDE:1", "unknown field"},
               {"operand-add:ops:1", "bit field"},
               {"operand-add:memory:1", "not an operand"}};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct injected_fault d;
        struct error e = {0};
        assert_false(injected_fault_parse(u, bad[i].text, &d, &e));
        if (!strstr(e.text, bad[i].wrong))
            fail_msg("%s: %s", bad[i].text, e.text);
    }
}

/* The expected words are computed by hand. After a 32-bit write VPM row 0 holds data row 0, whose byte n is
 * (37 n + n / 251 + 17) mod 256. */
static void injected_faults_do_what_they_say(void **state)
{
    (void)state;
    static const char text[] =
        "misprint-case 1 vc4-vpm\ndata fill index\nops {\n  wr_setup h32 stride=1\n  write 0\n}\n";
    static const struct {
        const char *injected_fault;
        uint32_t word[3]; /* lanes 0 to 2 of VPM row 0 */
        unsigned row;
    } expected[] = {
        {"", {0x805B3611, 0x14EFCAA5, 0xA8835E39}, 0},
        {"~lane-drop:vpm:1", {0x805B3611, 0, 0xA8835E39}, 0},
        {"~lane-turn:vpm:15", {0x14EFCAA5, 0xA8835E39, 0x3C17F2CD}, 0},
        {"~byte-swap:vpm:1", {0x80365B11, 0x14CAEFA5, 0xA85E8339}, 0},
        {"~bit-clear:vpm:0", {0x805B3610, 0x14EFCAA4, 0xA8835E38}, 0},
        {"~value-clamp:vpm:29", {0x1FFFFFFF, 0x14EFCAA5, 0x1FFFFFFF}, 0},
        {"~row-shift:vpm:2", {0x805B3611, 0x14EFCAA5, 0xA8835E39}, 2},
        {"~operand-add:ops.Y:3", {0x805B3611, 0x14EFCAA5, 0xA8835E39}, 3},
        {"~lane-drop:vpm:0~lane-drop:vpm:1", {0, 0, 0xA8835E39}, 0},
    };
    const struct unit *u = unit_named("vc4-vpm");
    struct test_case *tc = malloc(sizeof *tc);
    struct outcome *out = outcome_new(u);
    struct error e = {0};
    enum answer answer;
    assert_true(case_parse(tc, text, strlen(text), &e));
    for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++) {
        char spec[100] = "virtual:manual";
        strcat(spec, expected[i].injected_fault);
        struct board *b = board_open(spec, u, &e);
        if (!b || !board_run_one(b, tc, out, &answer, &e))
            fail_msg("%s: %s", spec, e.text);
        assert_false(b->identity.silicon);
        for (unsigned lane = 0; lane < 3; lane++)
            assert_int_equal(outcome_row(out, expected[i].row, 16)[lane], expected[i].word[lane]);
        board_close(b);
    }
    outcome_free(out);
    free(tc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(injected_faults_say_what_is_wrong),
                                       cmocka_unit_test(injected_faults_do_what_they_say),
                                       cmocka_unit_test(known_errata_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
