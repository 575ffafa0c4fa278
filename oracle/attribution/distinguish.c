/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/distinguish.h"

#include "oracle/attribution/explain.h"

static struct outcome *run(struct executor *x, const struct test_case *c, struct profile p, unsigned clause,
                           unsigned reading)
{
    struct outcome *o = outcome_new(x->unit);
    p.reading[clause] = (uint8_t)reading;
    executor_run(x, c, &p, RUN_CHECKED, o);
    return o;
}

enum distinction case_distinguishes(struct executor *x, const struct test_case *c, const struct profile *p,
                                    unsigned clause, unsigned one, unsigned other)
{
    struct outcome *a = run(x, c, *p, clause, one), *b = run(x, c, *p, clause, other);
    enum distinction d = DISTINCT_NOT;
    if (!outcomes_equal(a, b, NULL, NULL))
        d = DISTINCT_DEFINED;
    else if (a->end == END_UNDEFINED || b->end == END_UNDEFINED)
        d = a->end != b->end ? DISTINCT_UNDEFINED : DISTINCT_NOT;
    else if (a->end == END_DONE && !outcome_same_masks(a, b))
        d = DISTINCT_UNDEFINED;
    outcome_free(a);
    outcome_free(b);
    return d;
}

bool case_is_trial(struct executor *x, const struct test_case *c, const struct outcome *board,
                   const struct profile *p, const struct profile *rival, struct outcome *out)
{
    struct differences d;
    return model_match(x, c, rival, board, out, NULL, &d) == MATCH_DIFFERENT &&
           model_match(x, c, p, board, out, NULL, NULL) == MATCH_EQUAL &&
           differences_decided(&d, out) != DECIDED_NONE;
}

enum distinction corpus_distinguishes(struct executor *x, const struct corpus *c, const struct profile *p,
                                      unsigned clause, unsigned one, unsigned other)
{
    const struct corpus_entry *n;
    enum distinction best = DISTINCT_NOT;
    for (unsigned i = 0;
         best < DISTINCT_DEFINED && (n = corpus_separating(c, unit_clause(x->unit, clause)->id, i)); i++) {
        enum distinction d = case_distinguishes(x, n->tc, p, clause, one, other);
        best = d > best ? d : best;
    }
    return best;
}
