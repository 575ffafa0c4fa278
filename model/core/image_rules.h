/* SPDX-License-Identifier: MIT */
/*
 * A cache of the rows that fill rules produce: for each region, all rows by the
 * rules last requested. Copying a row is six times faster than computing it.
 * Many outcomes share one cache, so that its rows stay in the processor's cache.
 */
#ifndef MISPRINT_MODEL_CORE_IMAGE_RULES_H
#define MISPRINT_MODEL_CORE_IMAGE_RULES_H

#include "model/core/outcome.h"

enum { IMAGE_RULES_KEPT = 4 /* a region */ };

/* All rows of a region by one rule. */
struct image_rule {
    bool made;
    uint32_t fill, seed; /* enum image_fill */
    uint32_t *words;     /* rows of the layout's row_words */
};

struct image_rules {
    const struct unit *unit;
    struct image_rules_region {
        struct image_rule kept[IMAGE_RULES_KEPT];
        unsigned oldest; /* index in `kept`: replaced next */
    } region[REGIONS_MAX];
};

/* Makes the cache in `memory`: image_rules_bytes zeroed bytes, aligned to a cache line. */
size_t image_rules_bytes(const struct unit *u);
struct image_rules *image_rules_make(const struct unit *u, void *memory);
/* The same in memory of its own, released with free(). */
struct image_rules *image_rules_new(const struct unit *u);

/* The rows of a region that has an image. A later call for the region may replace them; then `fill` and
 * `seed` change. */
const struct image_rule *image_rules_get(struct image_rules *rules, unsigned region, uint32_t fill,
                                         uint32_t seed);

#endif
