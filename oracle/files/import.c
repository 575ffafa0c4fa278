/* SPDX-License-Identifier: MIT */
#include "oracle/files/import_row.h"

#include <stdio.h>
#include <string.h>

static const struct import_kind kinds[] = {
    {"vc4-alu", "vc4-qpu", "op, a, b, then any of result, result_32s, flags",
     "results and flags of QPU operations", &import_vc4_alu},
    {"vc4-pack", "vc4-qpu", "op, a, b, then any regfile-A pack modes: none, 16a, ..., 8ds",
     "results of QPU operations through pack modes", &import_vc4_pack},
    {"vc4-unpack", "vc4-qpu", "word, then any regfile-A unpack modes: none, 16a_int, ..., 8d_float",
     "operands of the QPU through unpack modes", &import_vc4_unpack},
};

const struct import_kind *import_kind_at(unsigned i)
{
    return i < sizeof kinds / sizeof *kinds ? &kinds[i] : NULL;
}

/* --- the columns of a table */

static const struct import_column *column_named(const struct import_form *f, const char *name)
{
    for (const struct import_column *c = f->column; c->name; c++)
        if (!strcmp(c->name, name))
            return c;
    return NULL;
}

static bool match_columns(struct importer *m, const struct import_kind *kind, struct error *e)
{
    const struct table *t = &m->table;
    bool role[TABLE_COLUMNS_MAX] = {false};
    for (unsigned i = 0; i < IMPORT_OPERANDS_MAX && m->form->operands[i]; i++) {
        m->operand[i] = table_column(t, m->form->operands[i]);
        if (m->operand[i] == IMPORT_ABSENT)
            return error_set(e, "%.200s: line %u: no column '%s'; a table of kind %s has columns %s", t->path,
                             t->line, m->form->operands[i], kind->name, kind->columns);
        role[m->operand[i]] = true;
    }
    m->flags = m->form->flags ? table_column(t, m->form->flags) : IMPORT_ABSENT;
    if (m->flags != IMPORT_ABSENT)
        role[m->flags] = true;
    unsigned measured = 0;
    for (unsigned i = 0; i < t->columns; i++) {
        m->column[i] = role[i] ? NULL : column_named(m->form, t->name[i]);
        measured += m->column[i] != NULL;
        if (!role[i] && !m->column[i]) {
            error_set(e, "unknown column '%.40s'; a table of kind %s has columns %s", t->name[i], kind->name,
                      kind->columns);
            return table_where(t, t->name[i], e);
        }
    }
    if (m->flags != IMPORT_ABSENT && table_column(t, "result") == IMPORT_ABSENT)
        return error_set(e, "%.200s: line %u: flags without a column 'result'", t->path, t->line);
    return measured ||
           error_set(e, "%.200s: line %u: no column of measured values; a table of kind %s has columns %s",
                     t->path, t->line, kind->name, kind->columns);
}

/* --- the whole table */

static bool identify(struct importer *m, const struct import_kind *kind, struct error *e)
{
    const char *said = m->table.comments;
    if (!*said)
        return error_set(e,
                         "%.200s: does not say where it comes from; add '#' lines before the header: who "
                         "measured the values, on which machine, under which licence",
                         m->table.path);
    struct board_identity *who = &m->facts.who;
    const char *stop = strstr(said, ". ");
    who->memory_base = MEMORY_BASE_DEFAULT; /* the measured values do not depend on the bases */
    who->code_base = CODE_BASE_DEFAULT;
    snprintf(who->kind, sizeof who->kind, "table");
    text_copy_utf8(who->description, sizeof who->description, said,
                   stop ? (size_t)(stop - said) : strlen(said));
    struct text t = {0};
    text_add(&t, "table:%.200s", table_file_name(&m->table));
    text_copy_utf8(who->spec, sizeof who->spec, text_chars(&t), t.length);
    text_clear(&t);
    text_add(&t, "%.900s (imported as %s from %.80s)", said, kind->name, table_file_name(&m->table));
    text_copy_utf8(who->provenance, sizeof who->provenance, text_chars(&t), t.length);
    text_free(&t);
    return true;
}

static bool import_rows(struct importer *m, struct error *e)
{
    int got;
    while ((got = table_next(&m->table, e)) > 0) {
        if (!m->form->row(m, e))
            return false;
        m->facts.rows++;
    }
    if (got == 0 && m->facts.rows == 0)
        return error_set(e, "%.200s: has no rows after the header", m->table.path);
    return got == 0;
}

static bool import_open_table(struct importer *m, const struct import_kind *kind, const char *trace_path,
                              struct error *e)
{
    m->unit = unit_find(kind->unit, e);
    if (!m->unit || !match_columns(m, kind, e) || !identify(m, kind, e))
        return false;
    m->writer = trace_create(trace_path, m->unit, &m->facts.who, e);
    if (!m->writer)
        return false;
    m->out = outcome_new(m->unit);
    bool ok = import_rows(m, e);
    outcome_free(m->out);
    if (!ok)
        trace_abandon(m->writer);
    return ok && trace_finish(m->writer, e);
}

static const struct import_kind *kind_named(const char *name, struct error *e)
{
    struct text names = {0};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!strcmp(kinds[i].name, name)) {
            text_free(&names);
            return &kinds[i];
        }
        text_add(&names, "%s%s", i ? ", " : "", kinds[i].name);
    }
    error_set(e, "unknown kind of table '%.60s'; the kinds are %s", name, text_chars(&names));
    text_free(&names);
    return NULL;
}

bool import_table(const char *kind_name, const char *csv_path, const char *trace_path, bool silicon,
                  struct import_facts *facts, struct error *e)
{
    const struct import_kind *kind = kind_named(kind_name, e);
    if (!kind)
        return false;
    struct importer m = {.form = kind->form, .facts.who.silicon = silicon};
    if (!table_open(&m.table, csv_path, e))
        return false;
    bool ok = import_open_table(&m, kind, trace_path, e);
    table_close(&m.table);
    if (facts)
        *facts = m.facts;
    return ok;
}
