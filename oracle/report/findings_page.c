/* SPDX-License-Identifier: MIT */
#include "oracle/report/findings_page.h"

#include <stdlib.h>
#include <string.h>

void page_free(struct page *p)
{
    if (p->f)
        finding_free_contents(p->f);
    free(p->f);
    p->f = NULL;
}

enum explained explained_how(const struct explanation *e, bool flaky)
{
    return flaky ? SELF_CONTRARY : !e->candidates ? UNEXPLAINED : e->excused ? EXCUSED : EXPLAINED;
}

bool explanation_establishes(const struct explanation *x)
{
    return x->candidates == 1 && !x->more_candidates && !x->excused;
}

bool page_established(const struct page *p)
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
        if (!x->candidate[i].excuses)
            return &x->candidate[i];
    return &x->candidate[0];
}

enum rank page_rank(const struct page *p)
{
    static const enum rank of[] = {[EXPLAINED] = RANK_CANDIDATES,
                                   [EXCUSED] = RANK_EXCUSED,
                                   [UNEXPLAINED] = RANK_NONE,
                                   [SELF_CONTRARY] = RANK_NONE};
    if (p->gone)
        return RANK_NONE;
    return page_established(p) ? RANK_ESTABLISHED : of[explained_how(&p->f->explanation, p->flaky)];
}

struct page *page_of_cause(struct findings *b, const struct cause *c)
{
    for (unsigned i = 0; i < b->count; i++)
        if (page_established(&b->page[i]) && cause_equal(&b->page[i].f->explanation.candidate[0], c))
            return &b->page[i];
    return NULL;
}

unsigned parts_of(struct findings *b, const struct cause *c, struct page *parts[], unsigned most)
{
    unsigned found = 0;
    struct cause all = {0};
    for (unsigned i = 0; i < b->count && found < most; i++) {
        struct page *p = &b->page[i];
        const struct cause *part = &p->f->explanation.candidate[0];
        if (!page_established(p) || part->count >= c->count || !cause_within(part, c))
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
