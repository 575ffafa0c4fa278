/* SPDX-License-Identifier: MIT */
#include "model/core/image_rules.h"

#include "model/core/memory.h"
#include "model/core/unit.h"

static size_t words_of(const struct layout *l, unsigned region)
{
    return (size_t)l->regions[region].rows * l->row_words;
}

size_t image_rules_bytes(const struct unit *u)
{
    const struct layout *l = &u->layout;
    size_t words = 0;
    for (unsigned i = 0; i < l->region_count; i++)
        words += l->regions[i].image ? IMAGE_RULES_KEPT * words_of(l, i) : 0;
    return sizeof(struct image_rules) + words * sizeof(uint32_t);
}

struct image_rules *image_rules_make(const struct unit *u, void *memory)
{
    const struct layout *l = &u->layout;
    struct image_rules *rules = memory;
    uint32_t *words = (uint32_t *)(void *)(rules + 1);
    rules->unit = u;
    for (unsigned i = 0; i < l->region_count; i++)
        for (unsigned k = 0; l->regions[i].image && k < IMAGE_RULES_KEPT; k++, words += words_of(l, i))
            rules->region[i].kept[k].words = words;
    return rules;
}

struct image_rules *image_rules_new(const struct unit *u)
{
    return image_rules_make(u, memory_new(1, image_rules_bytes(u)));
}

const struct image_rule *image_rules_get(struct image_rules *rules, unsigned region, uint32_t fill,
                                         uint32_t seed)
{
    struct image_rules_region *r = &rules->region[region];
    const struct layout *l = &rules->unit->layout;
    for (unsigned k = 0; k < IMAGE_RULES_KEPT; k++)
        if (r->kept[k].made && r->kept[k].fill == fill && r->kept[k].seed == seed)
            return &r->kept[k];
    struct image_rule *rule = &r->kept[r->oldest];
    r->oldest = (r->oldest + 1) % IMAGE_RULES_KEPT;
    *rule = (struct image_rule){true, fill, seed, rule->words};
    for (uint32_t row = 0; row < l->regions[region].rows; row++)
        image_fill_row((enum image_fill)fill, seed, row, l->row_words, rule->words + row * l->row_words);
    return rule;
}
