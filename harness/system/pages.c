/* SPDX-License-Identifier: MIT */
#include "harness/system/pages.h"

#include "model/core/image_rules.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64 };
/* The size of a huge page on x86-64, 64-bit ARM and 32-bit ARM with LPAE. On other machines it is only an
 * alignment. */
#define HUGE_PAGE ((size_t)2 << 20)

void *pages_new(size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - HUGE_PAGE) / size)
        return NULL;
    size_t bytes = count * size, unit = bytes < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE,
           whole = (bytes / unit + 1) * unit;
    void *at = aligned_alloc(unit, whole);
    if (!at)
        return NULL;
    if (unit == HUGE_PAGE)
        (void)madvise(at, whole, MADV_HUGEPAGE); /* if this fails, the pages are small */
    /* The kernel clears a dropped page when it is next used, so that nobody waits for pages not in use. */
    if (unit != HUGE_PAGE || madvise(at, whole, MADV_DONTNEED) != 0)
        memset(at, 0, bytes);
    return at;
}

void *pages_of_outcomes(const struct unit *u, unsigned count, struct outcome **list)
{
    size_t bytes = outcome_bytes(u);
    uint8_t *at = pages_new(1, count * bytes + image_rules_bytes(u));
    struct image_rules *rules = at ? image_rules_make(u, at + count * bytes) : NULL;
    for (unsigned i = 0; at && i < count; i++)
        list[i] = outcome_make(u, rules, at + i * bytes);
    return at;
}

/* Returns an odd number of cache lines, so that the cases do not all map to the same cache sets. */
static size_t case_stride(const struct unit *u)
{
    size_t bytes = offsetof(struct test_case, words) + 4 * (size_t)u->schema.words;
    return (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE | CACHE_LINE;
}

bool pages_of_pairs_new(struct pages_of_pairs *p, const struct unit *u, unsigned most)
{
    size_t bytes = most * outcome_bytes(u);
    *p = (struct pages_of_pairs){.unit = u,
                                 .cases = pages_new(most, case_stride(u)),
                                 .outcomes = pages_new(1, bytes + image_rules_bytes(u))};
    p->rules = p->outcomes ? image_rules_make(u, p->outcomes + bytes) : NULL;
    return p->cases && p->outcomes;
}

void pages_of_pairs_make(const struct pages_of_pairs *p, unsigned i, struct test_case **c, struct outcome **o)
{
    *c = (struct test_case *)(void *)(p->cases + i * case_stride(p->unit));
    case_init(*c, p->unit);
    *o = outcome_make(p->unit, p->rules, p->outcomes + i * outcome_bytes(p->unit));
}

void pages_of_pairs_free(struct pages_of_pairs *p)
{
    free(p->cases);
    free(p->outcomes);
}
