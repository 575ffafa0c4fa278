/* SPDX-License-Identifier: MIT */
#include "oracle/files/import_row.h"

#include <stdio.h>

void import_record(struct importer *m, const char *region, uint32_t row, uint32_t value)
{
    const struct layout *l = &m->unit->layout;
    const struct region *r = layout_region_named(l, region);
    uint32_t *words = outcome_row(m->out, r->first_row + row, l->row_words);
    for (uint32_t i = 0; i < r->cols; i++)
        words[i] = value;
    outcome_touch(m->out, r->first_row + row);
    m->facts.bits += (uint64_t)r->cols * r->bits;
}

bool import_add(struct importer *m, const char *column, struct error *e)
{
    char label[TRACE_LABEL_MAX + 1];
    snprintf(label, sizeof label, "%.180s:%u %.40s", table_file_name(&m->table), m->table.line, column);
    m->facts.cases++;
    return trace_add(m->writer, &m->tc, m->out, label, e);
}
