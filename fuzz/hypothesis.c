/* SPDX-License-Identifier: MIT */
#include "fuzz/hypothesis.h"

#include "fuzz/generate/generate.h"
#include "model/core/memory.h"

#include <inttypes.h>
#include <stdlib.h>

enum { TOUCHED_ENOUGH = 256 /* a trial ends after the board ran so many cases */ };

const char *hypothesis_name(enum hypothesis_result r)
{
    static const char *const names[] = {"not-touched", "open", "holds", "refuted"};
    return names[r];
}

struct hypothesis *hypothesis_new(const struct unit *u, const struct profile *without,
                                  const struct profile *with, const struct board_identity *who)
{
    struct hypothesis *h = memory_new(1, sizeof *h);
    h->executor = executor_new(u);
    executor_place(h->executor, who);
    h->without = *without;
    h->with = *with;
    h->plain = outcome_new(u);
    h->ruled = outcome_new(u);
    return h;
}

void hypothesis_free(struct hypothesis *h)
{
    if (!h)
        return;
    executor_free(h->executor);
    outcome_free(h->plain);
    outcome_free(h->ruled);
    free(h);
}

bool hypothesis_touches(struct hypothesis *h, const struct test_case *c)
{
    executor_run(h->executor, c, &h->without, RUN_CHECKED, h->plain);
    executor_run(h->executor, c, &h->with, RUN_CHECKED, h->ruled);
    return !outcomes_equal(h->plain, h->ruled, NULL, NULL);
}

enum hypothesis_result hypothesis_judge(struct hypothesis *h, const struct test_case *c,
                                        const struct outcome *board)
{
    bool touches = hypothesis_touches(h, c);
    h->plain_agrees = outcomes_equal(h->plain, board, NULL, NULL);
    bool agrees = outcomes_equal(h->ruled, board, NULL, &h->difference);
    if (!touches)
        return HYPOTHESIS_UNTOUCHED;
    if (agrees)
        return h->plain_agrees ? HYPOTHESIS_OPEN : HYPOTHESIS_HOLDS;
    return HYPOTHESIS_REFUTED;
}

void hypothesis_print(const struct hypothesis *h, enum hypothesis_result r, struct text *t)
{
    const char *also = h->plain_agrees ? "Without the rule the model does what the board did."
                                       : "Without the rule the model differs from the board, too.";
    switch (r) {
    case HYPOTHESIS_UNTOUCHED:
        text_add(t, "not touched: the rule changes nothing in this case. %s\n",
                 h->plain_agrees ? "The model does what the board did."
                                 : "The model differs from the board for another reason.");
        break;
    case HYPOTHESIS_OPEN:
        text_add(t, "open: the rule changes only bits that the board did not show\n");
        break;
    case HYPOTHESIS_HOLDS:
        text_add(
            t, "holds: with the rule the model does what the board did, and without the rule it does not\n");
        break;
    default:
        text_add(t, "refuted by this case: with the rule the model differs from the board. %s\n", also);
    }
    if (r == HYPOTHESIS_REFUTED || (r == HYPOTHESIS_UNTOUCHED && !h->plain_agrees))
        differences_print(h->executor->unit, &h->difference, 1, t);
}

/* Does the hypothesis leave bits undefined that the model defines without it? */
static bool leaves_undefined(const struct hypothesis *h)
{
    const struct outcome *a = h->plain, *b = h->ruled;
    const uint32_t words = a->unit->layout.row_words;
    bool any = a->end != END_UNDEFINED && b->end == END_UNDEFINED;
    for (uint32_t row = 0; row < a->unit->layout.rows && !any; row++)
        for (uint32_t i = 0; i < words && !any && a->end != END_UNDEFINED; i++)
            any = a->defined[row * words + i] & ~b->defined[row * words + i];
    return any;
}

/* Makes the next case: every second one is a change of the last case that the hypothesis touched. */
static void next_case(struct random *r, const struct unit *u, const struct board *b,
                      const struct test_case *last, bool has_last, struct test_case *c)
{
    if (has_last && random_below(r, 2)) {
        *c = *last;
        case_mutate(r, c);
    } else {
        case_generate(r, u, c);
    }
    if (b->lacks)
        board_lacks_mend(b->lacks, c);
    if (b->proves && u->mend_for_proof)
        u->mend_for_proof(c);
}

/* Runs one case that the hypothesis touches on the board, and judges it. */
static bool ask(struct hypothesis *h, struct board *b, const struct test_case *c, struct outcome *answered,
                struct hypothesis_trial *t, struct error *e)
{
    enum answer answer;
    t->touched++;
    if (!board_run_one(b, c, answered, &answer, e))
        return false;
    if (answer != ANSWER_OUTCOME) {
        t->unanswered++;
        return true;
    }
    enum hypothesis_result r = hypothesis_judge(h, c, answered);
    t->agreed += r == HYPOTHESIS_HOLDS;
    t->refuted += r == HYPOTHESIS_REFUTED;
    if (r == HYPOTHESIS_REFUTED && !t->refuting) {
        t->refuting = memory_new(1, sizeof *t->refuting);
        *t->refuting = *c;
        differences_print(h->executor->unit, &h->difference, 1, &t->first_difference);
    }
    return true;
}

bool hypothesis_try(struct hypothesis *h, struct board *b, const volatile sig_atomic_t *stop,
                    struct hypothesis_trial *t, struct error *e)
{
    const struct unit *u = h->executor->unit;
    struct test_case *c = memory_new(2, sizeof *c), *last = c + 1;
    struct outcome *answered = outcome_new(u);
    struct random r;
    bool good = true;
    random_seed(&r, t->seed);
    while (good && !*stop && t->cases < t->most_cases && t->touched < TOUCHED_ENOUGH) {
        next_case(&r, u, b, last, t->touched > 0, c);
        t->cases++;
        if (!hypothesis_touches(h, c)) {
            t->undefined += leaves_undefined(h);
            continue;
        }
        good = ask(h, b, c, answered, t, e);
        *last = *c;
    }
    outcome_free(answered);
    free(c);
    return good;
}

void hypothesis_trial_print(const struct hypothesis_trial *t, struct text *to)
{
    if (!t->touched) {
        text_add(to, "the rule was not touched: it changed no defined bit in %" PRIu64 " generated case%s",
                 t->cases, plural(t->cases));
        if (t->undefined)
            text_add(to, "; in %" PRIu64 " it left bits undefined that the document defines", t->undefined);
        text_add(to, "\n");
        return;
    }
    uint64_t open = t->touched - t->agreed - t->refuted - t->unanswered;
    text_add(to,
             "the rule %s: it changed %" PRIu64 " of %" PRIu64
             " generated cases; the board agreed in %" PRIu64 " of them",
             t->refuted  ? "is refuted"
             : t->agreed ? "holds"
                         : "stays open",
             t->touched, t->cases, t->agreed);
    if (t->refuted)
        text_add(to, " and disagreed in %" PRIu64, t->refuted);
    if (open)
        text_add(to, "; in %" PRIu64 " it did not show the difference", open);
    if (t->unanswered)
        text_add(to, "; in %" PRIu64 " it gave no outcome", t->unanswered);
    text_add(to, "\n");
    text_add_chars(to, text_chars(&t->first_difference), t->first_difference.length);
}
