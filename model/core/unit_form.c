/* SPDX-License-Identifier: MIT */
/* The form of a unit: the 64-bit FNV-1a hash of the text that harness/PROTOCOL.md describes. */
#include "model/core/unit.h"

#include <stdio.h>

static uint64_t fnv1a(uint64_t h, const char *chars)
{
    for (; *chars; chars++)
        h = (h ^ (uint8_t)*chars) * UINT64_C(0x100000001B3);
    return h;
}

static uint64_t fnv1a_number(uint64_t h, uint32_t v)
{
    char digits[16];
    snprintf(digits, sizeof digits, " %lu", (unsigned long)v);
    return fnv1a(h, digits);
}

static uint64_t form_of_field(uint64_t h, const struct field *f, const struct unit *u)
{
    h = fnv1a(fnv1a(h, "\nfield "), f->name);
    const uint32_t numbers[] = {f->kind,      f->max,       f->row_words,
                                f->min_value, f->max_value, f->kind == FIELD_CODE ? u->code->words : 0};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        h = fnv1a_number(h, numbers[i]);
    for (uint32_t i = 0; f->kind == FIELD_ENUM && i < f->max; i++)
        h = fnv1a(fnv1a(h, " "), f->names[i]);
    return h;
}

uint64_t unit_form(const struct unit *u)
{
    uint64_t h = fnv1a(UINT64_C(0xCBF29CE484222325), u->name);
    for (unsigned i = 0; i < u->schema.field_count; i++)
        h = form_of_field(h, &u->schema.fields[i], u);
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        const struct region *r = &u->layout.regions[i];
        h = fnv1a(fnv1a(h, "\nregion "), r->name);
        h = fnv1a(fnv1a(h, " "), r->image ? r->image : "-");
        const uint32_t numbers[] = {r->rows, r->cols, r->bits, r->first_row};
        for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++)
            h = fnv1a_number(h, numbers[n]);
    }
    return h;
}
