/* SPDX-License-Identifier: MIT */
/* How reports and the terminal describe a cause, depending on which cases could have refuted it. */
#include "oracle/report/report_cause.h"
#include "oracle/report/report_facts.h"
#include "tests/support/support_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Changes how well the finding's cause was tried. 0: cases could have refuted it in favour of each rival; 1:
 * no case could in favour of the first rival; 2: nobody has counted such cases; 3: there are several
 * candidates; 4: the cause only masks the differing bits. */
enum trial_state { TRIED, NOT_TRIED, NOT_COUNTED, SEVERAL, ONLY_MASKS, TRIAL_STATES };

static void set_state(struct finding *f, enum trial_state state)
{
    struct explanation *x = &f->explanation;
    if (state == NOT_TRIED)
        f->trials.passed = f->trials.rival[0].cases = 0;
    if (state == NOT_COUNTED)
        f->trials = (struct trials){0};
    if (state == SEVERAL) {
        x->candidate[1] = x->candidate[0];
        x->candidate[1].change[0].clause = TOY_STALL;
        x->candidates = 2;
    }
    if (state == ONLY_MASKS) {
        x->masked = true;
        f->verdict = VERDICT_UNDEFINED;
    }
}

/* What a report must say of the cause in each state, and what it must not say. In Markdown, the names of the
 * first finding's reading and clause follow the word "reading". */
static void a_cause_is_described_by_what_was_tried(void **state)
{
    static const char *const has[TRIAL_STATES][4] = {
        [TRIED] = {"Silicon follows reading `truncate` of `toy-round`", "**(the board follows this)**",
                   "41 need it, and 41 tested it", "the evidence supports `truncate`"},
        [NOT_TRIED] = {"Silicon, as far as cases show, follows reading `truncate` of `toy-round`",
                       "**(fits what the board did)**",
                       "and none tested it against another reading. No case distinguishes it from "
                       "`toy-round=manual`.",
                       "fits `truncate`, but does not decide for it"},
        [NOT_COUNTED] = {"Silicon, as far as cases show, follows reading `truncate`",
                         "**(fits what the board did)**", "was not counted, because no run has ended",
                         "fits `truncate`, but does not decide for it"},
        [SEVERAL] = {"What silicon did has several explanations, and no case told them apart.",
                     "**(a possible explanation)**", "No case tells this from `toy-stall=deadlock`.",
                     "fits `truncate`, but does not decide for it"},
        [ONLY_MASKS] = {"The differing bits are undefined under reading `truncate` of `toy-round`. If so, no "
                        "side is wrong. This does not show that silicon follows that reading.",
                        "**(leaves the differing bits undefined)**",
                        "Perhaps undefined: ", "| undefined | silicon |"},
    };
    static const char *const certain[] = {"Silicon follows", "the board follows this",
                                          "A recorded trace of silicon shows it",
                                          "the evidence supports `truncate`"};
    (void)state;
    for (unsigned s = 0; s < TRIAL_STATES; s++) {
        struct report r;
        toy_report(&r);
        unsigned all = r.findings;
        set_state(&r.finding[0], (enum trial_state)s);
        r.findings = 1;
        struct text t = {0};
        report_markdown(&r, &t);
        for (unsigned i = 0; i < 4; i++) {
            assert_has(t.chars, has[s][i]);
            if (s == TRIED)
                assert_has(t.chars, certain[i]);
            else
                assert_lacks(t.chars, certain[i]);
        }
        text_free(&t);
        r.findings = all;
        toy_report_free(&r);
    }
}

/* If the count ended before the end of the evidence, its figures are lower bounds, and no sentence speaks of
 * all cases. */
static void a_count_that_ended_early_is_a_lower_bound(void **state)
{
    (void)state;
    for (unsigned s = TRIED; s <= NOT_TRIED; s++) {
        struct report r;
        struct text t = {0};
        toy_report(&r);
        set_state(&r.finding[0], (enum trial_state)s);
        r.finding[0].trials.cut = 1;
        report_markdown(&r, &t);
        assert_has(t.chars, "at least 41 need it");
        if (s == NOT_TRIED)
            assert_has(t.chars, "No counted case distinguishes it from `toy-round=manual`.");
        text_free(&t);
        toy_report_free(&r);
    }
}

/* The line on the terminal for each finding, and the sentence about all findings. */
static void causes_are_summed_up(void **state)
{
    static const char *const line[TRIAL_STATES] = {
        "toy-round=truncate", "toy-round=truncate (no case distinguishes it from toy-round=manual)",
        "toy-round=truncate", "toy-round=truncate (or 1 other explanation)",
        "left undefined by toy-round=truncate"};
    static const char *const sum[TRIAL_STATES] = {
        "1 has one cause that cases tested against every other reading.",
        "1 has one cause that was not told from every other reading.",
        "1 has one cause that was not told from every other reading.", "1 has several possible causes.",
        "1 may show only undefined bits."};
    (void)state;
    for (unsigned s = 0; s < TRIAL_STATES; s++) {
        struct report r;
        struct text t = {0};
        toy_report(&r);
        set_state(&r.finding[0], (enum trial_state)s);
        cause_summary(&r.finding[0], &t);
        assert_string_equal(text_chars(&t), line[s]);
        text_clear(&t);
        unsigned all = r.findings;
        r.findings = 1;
        words_causes(&r, &t);
        assert_string_equal(text_chars(&t) + 1, sum[s]);
        r.findings = all;
        text_free(&t);
        toy_report_free(&r);
    }
    struct report r;
    struct text t = {0};
    toy_report(&r);
    cause_summary(&r.finding[TOY_FLAKY], &t);
    assert_has(text_chars(&t), "the board does not repeat what it did");
    text_clear(&t);
    words_causes(&r, &t);
    assert_has(text_chars(&t),
               "4 have one cause each that cases tested against every other reading, 1 has several "
               "possible causes, 1 may show only undefined bits and 2 have no known cause.");
    assert_has(text_chars(&t), "several of them may have one cause, and one may have several");
    text_free(&t);
    toy_report_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cause_is_described_by_what_was_tried),
        cmocka_unit_test(a_count_that_ended_early_is_a_lower_bound),
        cmocka_unit_test(causes_are_summed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
