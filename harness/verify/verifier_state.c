/* SPDX-License-Identifier: MIT */
#include "harness/verify/verifier_state.h"

#include <stdarg.h>
#include <stdio.h>

bool verifier_refuse(struct verifier *v, const char *format, ...)
{
    char why[200];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(why, sizeof why, format, values);
    va_end(values);
    v->proof->refused_at = (int)v->at;
    return error_set(v->e, "instruction %lu %s", (unsigned long)v->at, why);
}

struct verifier_places verifier_place_bit(unsigned place)
{
    struct verifier_places p = {0};
    if (place < PLACE_ACC)
        p.file = UINT64_C(1) << place;
    else
        p.other = (uint8_t)(1U << (place - PLACE_ACC));
    return p;
}

bool verifier_holds(const struct verifier_places *set, struct verifier_places p)
{
    return (set->file & p.file) || (set->other & p.other);
}

void verifier_include(struct verifier_places *set, struct verifier_places p)
{
    set->file |= p.file;
    set->other |= p.other;
}
