/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/findings_entry.h"

#include <stdlib.h>
#include <string.h>

void entry_free(struct entry *p)
{
    if (p->f)
        finding_free_contents(p->f);
    free(p->f);
    p->f = NULL;
}

enum explained explained_by(const struct explanation *e, bool flaky)
{
    return flaky ? FLAKY : !e->candidates ? UNEXPLAINED : e->masked ? MASKED : EXPLAINED;
}

bool explanation_establishes(const struct explanation *x)
{
    return x->candidates == 1 && !x->more_candidates && !x->masked;
}

bool entry_established(const struct entry *p)
{
    return !p->gone && !p->flaky && explanation_establishes(&p->f->explanation);
}

bool same_candidates(const struct explanation *a, const struct explanation *b)
{
    if (a->candidates != b->candidates)
        return false;
    for (unsigned i = 0; i < a->candidates; i++)
        if (!cause_equal(&a->candidate[i], &b->candidate[i]))
            return false;
    return true;
}

const struct cause *first_exact(const struct explanation *x)
{
    for (unsigned i = 0; i < x->candidates; i++)
        if (!x->candidate[i].masks)
            return &x->candidate[i];
    return &x->candidate[0];
}

enum rank entry_rank(const struct entry *p)
{
    static const enum rank of[] = {[EXPLAINED] = RANK_CANDIDATES,
                                   [MASKED] = RANK_MASKED,
                                   [UNEXPLAINED] = RANK_NONE,
                                   [FLAKY] = RANK_NONE};
    if (p->gone)
        return RANK_NONE;
    return entry_established(p) ? RANK_ESTABLISHED : of[explained_by(&p->f->explanation, p->flaky)];
}

struct entry *entry_of_cause(struct findings *b, const struct cause *c)
{
    for (unsigned i = 0; i < b->count; i++)
        if (entry_established(&b->entry[i]) && cause_equal(&b->entry[i].f->explanation.candidate[0], c))
            return &b->entry[i];
    return NULL;
}

unsigned parts_of(struct findings *b, const struct cause *c, struct entry *parts[], unsigned most)
{
    unsigned found = 0;
    struct cause all = {0};
    for (unsigned i = 0; i < b->count && found < most; i++) {
        struct entry *p = &b->entry[i];
        const struct cause *part = &p->f->explanation.candidate[0];
        if (!entry_established(p) || part->count >= c->count || !cause_within(part, c))
            continue;
        parts[found++] = p;
        for (unsigned k = 0; k < part->count; k++) {
            struct cause one = {.count = 1};
            one.change[0] = part->change[k];
            if (!cause_within(&one, &all))
                all.change[all.count++] = part->change[k];
        }
    }
    return all.count == c->count ? found : 0;
}
