/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/agreeing.h"

#include "fuzz/learn/nearest.h"

bool agreeing_find(struct executor *x, struct board *board, const struct profile *profile,
                   const struct profile *chosen, struct finding *f, struct error *e)
{
    const struct cause *cause = &f->explanation.candidate[0];
    if (f->explanation.candidates != 1 || f->explanation.masked || cause->count != 1)
        return true;
    struct profile with = *profile;
    cause_apply(cause, &with);
    const struct nearest n = {
        .executor = x, .board = board, .without = profile, .with = &with, .also = chosen};
    return nearest_find(&n, f->smallest, &f->related[RELATED_AGREES], e);
}
