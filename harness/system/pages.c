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

void *pages_of_cases(const struct unit *u, unsigned count, struct test_case **list)
{
    /* An odd number of cache lines, so that the cases do not all map to the same cache sets. */
    size_t bytes = offsetof(struct test_case, words) + 4 * (size_t)u->schema.words,
           stride = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE | CACHE_LINE;
    uint8_t *at = pages_new(count, stride);
    for (unsigned i = 0; at && i < count; i++) {
        list[i] = (struct test_case *)(void *)(at + i * stride);
        case_init(list[i], u);
    }
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
