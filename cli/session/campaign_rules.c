/* SPDX-License-Identifier: MIT */
#include "cli/session/campaign_rules.h"

#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

void campaign_rules_open(struct campaign_rules *r, const struct comparison *c, const struct unit *u,
                         const struct profile *base)
{
    *r = (struct campaign_rules){.unit = u, .base = *base, .learned = *base};
    if (c->own_profile)
        r->finding = comparison_findings(c, &r->findings);
    r->used = memory_new(r->findings + 1U, sizeof *r->used);
    for (unsigned i = 0; i < r->findings; i++) {
        const struct finding *f = &r->finding[i];
        struct profile with = r->learned;
        struct error no_room = {0};
        if (f->unit != u || !f->learned.rules[0] || f->learned.withdrawn ||
            strcmp(f->profile, c->profile) != 0 || !learned_apply(u, &f->learned, &with, &no_room))
            continue;
        r->learned = with;
        r->used[i] = true;
        r->count++;
    }
}

void campaign_rules_close(struct campaign_rules *r)
{
    store_free_findings(r->finding, r->findings);
    free(r->used);
    *r = (struct campaign_rules){0};
}

/* Does the model with the rules of these findings do what the board did? */
static bool agrees(const struct campaign_rules *r, struct executor *x, const struct test_case *c,
                   const struct outcome *board, struct outcome *out, const bool *with)
{
    struct profile p = r->base;
    struct error e = {0};
    for (unsigned i = 0; i < r->findings; i++)
        if (with[i] && !learned_apply(r->unit, &r->finding[i].learned, &p, &e))
            return false;
    return model_match(x, c, &p, board, out, NULL, NULL) == MATCH_EQUAL;
}

bool campaign_rules_explain(const struct campaign_rules *r, struct executor *x, const struct test_case *c,
                            const struct outcome *board, struct outcome *out, bool *needed)
{
    if (!r->count)
        return false;
    memcpy(needed, r->used, r->findings * sizeof *needed);
    if (!agrees(r, x, c, board, out, needed))
        return false;
    for (unsigned i = 0; i < r->findings; i++) {
        if (!needed[i])
            continue;
        needed[i] = false;
        needed[i] = !agrees(r, x, c, board, out, needed);
    }
    return true;
}
