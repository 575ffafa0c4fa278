/* SPDX-License-Identifier: MIT */
/* Reads a campaign. Another version of misprint may have written it, with names that this version does not
 * know: an unknown unit, clause or verdict of a finding is an error. */
#include "oracle/store/store_sql.h"

#include <stdlib.h>
#include <string.h>

/* Reads BOARD_COLUMNS, which start at column `at`. */
static void read_board(sqlite3_stmt *q, int at, struct board_identity *b)
{
    sql_text(q, at, b->spec, sizeof b->spec);
    sql_text(q, at + 1, b->kind, sizeof b->kind);
    sql_text(q, at + 2, b->description, sizeof b->description);
    sql_text(q, at + 3, b->provenance, sizeof b->provenance);
    b->silicon = sqlite3_column_int(q, at + 4) != 0;
    b->memory_base = (uint32_t)sqlite3_column_int64(q, at + 5);
    b->code_base = (uint32_t)sqlite3_column_int64(q, at + 6);
}

/* Campaigns of version 0.2.0 and older do not have the mark STORE_MASKS. If all candidates of a finding mask,
 * x->masked says so in those, too. */
static bool read_candidates(const struct unit *u, char *list, struct explanation *x, struct error *e)
{
    while (*list && x->candidates < CANDIDATES_MAX) {
        struct cause *c = &x->candidate[x->candidates++];
        char *next = strstr(list, " | "), *mark;
        if (next)
            *next = 0;
        mark = strstr(list, STORE_MASKS);
        if (mark)
            *mark = 0;
        if (!cause_parse(u, list, c, e))
            return false;
        c->masks = mark || x->masked;
        if (!next)
            break;
        list = next + 3;
    }
    return true;
}

static char *column_copy(sqlite3_stmt *q, int column)
{
    const unsigned char *chars = sqlite3_column_text(q, column);
    return strdup(chars ? (const char *)chars : "");
}

static bool read_explanation(const struct unit *u, sqlite3_stmt *q, int at, struct explanation *x,
                             struct error *e)
{
    char *candidates = column_copy(q, at), *nearest = column_copy(q, at + 5);
    x->more_candidates = sqlite3_column_int(q, at + 1) != 0;
    x->masked = sqlite3_column_int(q, at + 2) != 0;
    bool good = candidates && nearest && read_candidates(u, candidates, x, e) &&
                cause_parse(u, nearest, &x->nearest, e);
    free(candidates);
    free(nearest);
    x->cut = sqlite3_column_int(q, at + 3) != 0;
    x->runs = (uint64_t)sqlite3_column_int64(q, at + 4);
    x->nearest_bits = (uint64_t)sqlite3_column_int64(q, at + 6);
    return good;
}

static bool read_case(sqlite3_stmt *q, int case_column, int outcome_column, struct finding *f)
{
    f->smallest = malloc(sizeof *f->smallest);
    int outcome_size = sqlite3_column_bytes(q, outcome_column);
    f->board_outcome = outcome_size ? malloc((size_t)outcome_size) : NULL;
    if (!f->smallest || (outcome_size && !f->board_outcome))
        return false;
    const void *bytes = sqlite3_column_blob(q, case_column);
    case_decode(f->smallest, f->unit, bytes, (size_t)sqlite3_column_bytes(q, case_column));
    if (f->board_outcome)
        memcpy(f->board_outcome, sqlite3_column_blob(q, outcome_column), (size_t)outcome_size);
    f->board_outcome_size = (size_t)outcome_size;
    return true;
}

static bool read_finding(struct store *s, sqlite3_stmt *q, void *item, struct error *e)
{
    struct finding *f = item;
    char name[64];
    sql_text(q, 0, f->id, sizeof f->id);
    sql_text(q, 1, name, sizeof name);
    f->unit = unit_named(name);
    if (!f->unit)
        return error_set(e, "%s: finding %s is of unit '%s', which this version of misprint does not have",
                         s->directory, f->id, name);
    sql_text(q, 2, name, sizeof name);
    int verdict = verdict_of_name(name);
    if (verdict < 0)
        return error_set(e, "%s: finding %s has verdict '%s', which this version of misprint does not know",
                         s->directory, f->id, name);
    f->verdict = (enum verdict)verdict;
    sql_text(q, 3, f->profile, sizeof f->profile);
    read_board(q, 4, &f->board);
    if (!read_explanation(f->unit, q, 11, &f->explanation, e))
        return error_where(e, "%s: finding %s", s->directory, f->id);
    /* Older versions judged an implementation as if it were silicon. */
    bool as_silicon = f->verdict == VERDICT_MANUAL_ERRATUM || f->verdict == VERDICT_MANUAL_GAP;
    if (as_silicon && board_class(&f->board) == BOARD_CLASS_IMPLEMENTATION)
        f->verdict = verdict_of(f->unit, &f->explanation, true, BOARD_CLASS_IMPLEMENTATION);
    f->signature = (uint64_t)sqlite3_column_int64(q, 18);
    f->cases = f->stored = (uint64_t)sqlite3_column_int64(q, 19);
    f->size = (uint64_t)sqlite3_column_int64(q, 21);
    sql_text(q, 22, f->label, sizeof f->label);
    if (!trials_get(s, f, e) || !learned_get(s, f, e) || !related_get(s, f, e))
        return false;
    return read_case(q, 20, 23, f) || error_memory(e, "while reading the findings of %s", s->directory);
}

static void clear_finding(void *item)
{
    finding_free_contents(item);
}

struct finding *store_findings(struct store *s, unsigned *count, struct error *e)
{
    static const struct sql_rows kind = {sizeof(struct finding), read_finding, clear_finding};
    struct finding *all =
        sql_all(s, sql_prepare(s, e, "SELECT * FROM findings ORDER BY id", ""), &kind, count, e);
    if (all)
        qsort(all, *count, sizeof *all, finding_order);
    return all;
}

void store_free_findings(struct finding *f, unsigned count)
{
    for (unsigned i = 0; f && i < count; i++)
        finding_free_contents(&f[i]);
    free(f);
}

static bool read_tally(struct store *s, int64_t run, struct tally *t, struct error *e)
{
    sqlite3_stmt *q = sql_prepare(s, e, "SELECT name, value FROM tally WHERE run = ?1", "i", run);
    int more;
    while ((more = sql_step(s, q, e)) > 0) {
        const char *name = (const char *)sqlite3_column_text(q, 0);
        uint64_t value = (uint64_t)sqlite3_column_int64(q, 1);
        for (const struct tally_name *n = tally_names; n->name; n++)
            if (name && !strcmp(n->name, name))
                memcpy((char *)t + n->offset, &value, sizeof value);
    }
    sql_finish(s, q);
    return more == 0;
}

static bool read_coverage(struct store *s, int64_t run, const struct unit *u, struct coverage *c,
                          struct error *e)
{
    sqlite3_stmt *q = sql_prepare(s, e, "SELECT clause, modes FROM coverage WHERE run = ?1", "i", run);
    int more;
    while ((more = sql_step(s, q, e)) > 0) {
        const char *id = (const char *)sqlite3_column_text(q, 0);
        int clause = u && id ? unit_clause_index(u, id) : -1;
        if (clause >= 0)
            c->modes[clause] = (uint16_t)sqlite3_column_int(q, 1);
    }
    sql_finish(s, q);
    return more == 0;
}

static bool read_run(struct store *s, sqlite3_stmt *q, void *item, struct error *e)
{
    struct run_facts *f = item;
    int64_t id = sqlite3_column_int64(q, 0);
    sql_text(q, 1, f->command, sizeof f->command);
    sql_text(q, 2, f->unit, sizeof f->unit);
    sql_text(q, 3, f->profile, sizeof f->profile);
    read_board(q, 4, &f->board);
    f->seed = (uint64_t)sqlite3_column_int64(q, 11);
    f->seconds = sqlite3_column_double(q, 12);
    sql_text(q, 13, f->machine, sizeof f->machine);
    f->interrupted = sqlite3_column_int(q, 14) != RUN_COMPLETE;
    f->unreconciled = sqlite3_column_int(q, 14) == RUN_UNRECONCILED;
    sql_text(q, 15, f->engine, sizeof f->engine);
    return read_tally(s, id, &f->tally, e) && read_coverage(s, id, unit_named(f->unit), &f->coverage, e);
}

struct run_facts *store_runs(struct store *s, unsigned *count, struct error *e)
{
    static const struct sql_rows kind = {sizeof(struct run_facts), read_run, NULL};
    return sql_all(s, sql_prepare(s, e, "SELECT * FROM runs ORDER BY id", ""), &kind, count, e);
}

void store_place(struct store *s, const char *board_spec, char *to, size_t room)
{
    sqlite3_stmt *q =
        sql_prepare(s, NULL, "SELECT folder FROM places WHERE board_spec = ?1", "t", board_spec);
    to[0] = 0;
    if (sql_step(s, q, NULL) == 1)
        sql_text(q, 0, to, room);
    sql_finish(s, q);
}

static bool read_evidence(struct store *s, sqlite3_stmt *q, void *item, struct error *e)
{
    (void)s;
    (void)e;
    struct board_evidence *b = item;
    read_board(q, 1, &b->board);
    b->cases = (uint64_t)sqlite3_column_int64(q, 8);
    sql_text(q, 9, b->label, sizeof b->label);
    return true;
}

struct board_evidence *store_evidence(struct store *s, const char *finding_id, unsigned *count,
                                      struct error *e)
{
    static const struct sql_rows kind = {sizeof(struct board_evidence), read_evidence, NULL};
    return sql_all(s,
                   sql_prepare(s, e, "SELECT * FROM evidence WHERE finding = ?1 ORDER BY rowid", "t",
                               finding_id),
                   &kind, count, e);
}

static bool read_progress(struct store *s, sqlite3_stmt *q, void *item, struct error *e)
{
    (void)s;
    (void)e;
    struct progress_point *p = item;
    p->seconds = sqlite3_column_double(q, 1);
    p->cases = (uint64_t)sqlite3_column_int64(q, 2);
    p->clauses = (unsigned)sqlite3_column_int(q, 3);
    p->pairs = (unsigned)sqlite3_column_int(q, 4);
    p->findings = (unsigned)sqlite3_column_int(q, 5);
    return true;
}

struct progress_point *store_progress(struct store *s, unsigned run_at, unsigned *count, struct error *e)
{
    static const struct sql_rows kind = {sizeof(struct progress_point), read_progress, NULL};
    return sql_all(s,
                   sql_prepare(s, e,
                               "SELECT * FROM progress WHERE run = (SELECT id FROM runs ORDER BY id LIMIT 1 "
                               "OFFSET ?1) ORDER BY cases",
                               "i", (int64_t)run_at),
                   &kind, count, e);
}
