/* SPDX-License-Identifier: MIT */
/*
 * What the rows of images hold that a case does not give itself: all rows of a region by the fill rules last
 * asked for. Copying them is six times faster than making them. Many outcomes share one of these, so that
 * what their rows become again stands once in the processor's caches.
 */
#ifndef MISPRINT_MODEL_CORE_IMAGE_RULES_H
#define MISPRINT_MODEL_CORE_IMAGE_RULES_H

#include "model/core/outcome.h"

enum { IMAGE_RULES_KEPT = 4 /* a region */ };

/* All rows of a region by one rule. */
struct image_rule {
    bool made;
    uint32_t fill, seed; /* enum image_fill */
    uint32_t *words;     /* the layout's row_words a row */
};

struct image_rules {
    const struct unit *unit;
    struct image_rules_region {
        struct image_rule kept[IMAGE_RULES_KEPT];
        unsigned oldest; /* of these, to be replaced next */
    } region[REGIONS_MAX];
};

/* In so many bytes that are 0 and begin with a cache line. Nothing needs to be given back. */
size_t image_rules_bytes(const struct unit *u);
struct image_rules *image_rules_make(const struct unit *u, void *memory);
/* The same in memory of its own, to be given to free(). */
struct image_rules *image_rules_new(const struct unit *u);

/* For a region that has an image. Holds other rows when another rule of the region has been asked for, and
 * says so. */
const struct image_rule *image_rules_get(struct image_rules *rules, unsigned region, uint32_t fill,
                                         uint32_t seed);

#endif
