/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/solver.h"

bool solver_load(struct solver *s, unsigned i)
{
    if (s->loaded == i)
        return true;
    s->loaded = evidence_set_load(s->v, i, s->tc, s->board) ? i : UINT32_MAX;
    return s->loaded == i;
}

void solver_explain(struct solver *s, unsigned i, const struct profile *p, unsigned most, uint64_t budget,
                    struct explanation *out)
{
    *out = (struct explanation){0};
    if (!solver_load(s, i))
        return;
    explainer_run_cache(s->explainer, s->run_cache, evidence_set_id(s->v, i));
    explainer_run(s->explainer, s->tc, p, s->board, most, budget, out);
}

void solver_count(const struct solver *s, unsigned i, uint64_t *cases, bool *any)
{
    *cases += !evidence_set_is_uncounted(s->v, i);
    *any = true;
}

bool solver_leaves_any(const struct solver *s)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->item[i].distance)
            return true;
    return false;
}
