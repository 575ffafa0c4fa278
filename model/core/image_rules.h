/* SPDX-License-Identifier: MIT */
/*
 * A cache of image rows that fill rules produce. For each region it holds all rows under each of the last few
 * rules. Copying a row is six times faster than computing it. Outcomes share one cache, so that its rows stay
 * in the processor's cache.
 */
#ifndef MISPRINT_MODEL_CORE_IMAGE_RULES_H
#define MISPRINT_MODEL_CORE_IMAGE_RULES_H

#include "model/core/outcome.h"

enum { IMAGE_RULES_KEPT = 4 /* of each region */ };

/* All rows of a region under one fill rule. */
struct image_rule {
    bool made;
    uint32_t fill, seed; /* enum image_fill */
    uint32_t *words;     /* rows of the layout's row_words */
};

struct image_rules {
    const struct unit *unit;
    struct image_rules_region {
        struct image_rule kept[IMAGE_RULES_KEPT];
        unsigned oldest; /* index in `kept` of the rule to replace next */
    } region[REGIONS_MAX];
};

/* Creates the cache in `memory`, which must have image_rules_bytes zeroed bytes and be aligned to a cache
 * line. */
size_t image_rules_bytes(const struct unit *u);
struct image_rules *image_rules_make(const struct unit *u, void *memory);
/* Creates the cache in allocated memory; release with free(). */
struct image_rules *image_rules_new(const struct unit *u);

/* Returns the rows of a region under a fill rule. A later call for the same region may overwrite these rows.
 * To notice that, compare `fill` and `seed` of the result with the rule. */
const struct image_rule *image_rules_get(struct image_rules *rules, unsigned region, uint32_t fill,
                                         uint32_t seed);

#endif
