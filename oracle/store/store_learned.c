/* SPDX-License-Identifier: MIT */
/*
 * The table of learned rules: one row for each finding that rules explain (struct finding_learned). And the
 * table of further cases of findings (struct related_case).
 *
 * If a process withdraws rules, the finding's verdict becomes `withdrawn` and never changes again, even if
 * another process that still believes the rules writes the finding later.
 */
#include "oracle/store/store_sql.h"

#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

bool learned_put(struct store *s, const struct finding *f, struct error *e)
{
    const struct finding_learned *l = &f->learned;
    if (l->withdrawn && !sql_run(s, e, "UPDATE findings SET verdict = ?2 WHERE id = ?1", "tt", f->id,
                                 verdict_name(VERDICT_WITHDRAWN)))
        return false;
    return !l->rules[0] ||
           sql_run(s, e,
                   "INSERT INTO learned VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (finding) DO UPDATE SET"
                   " explained = MAX(explained, excluded.explained),"
                   " experiments = MAX(experiments, excluded.experiments)",
                   "tttiii", f->id, l->rules, l->alternatives, (int64_t)l->alternatives_count,
                   (int64_t)l->explained, (int64_t)l->experiments);
}

bool learned_get(struct store *s, struct finding *f, struct error *e)
{
    struct finding_learned *l = &f->learned;
    sqlite3_stmt *q =
        sql_prepare(s, e,
                    "SELECT rules, alternatives, alternatives_count, explained, experiments FROM learned"
                    " WHERE finding = ?1",
                    "t", f->id);
    int more = sql_step(s, q, e);
    if (more > 0) {
        struct profile ignored = {0};
        sql_text(q, 0, l->rules, sizeof l->rules);
        sql_text(q, 1, l->alternatives, sizeof l->alternatives);
        l->alternatives_count = (uint32_t)sqlite3_column_int64(q, 2);
        l->explained = (uint32_t)sqlite3_column_int64(q, 3);
        l->experiments = (uint32_t)sqlite3_column_int64(q, 4);
        if (!learned_apply(f->unit, l, &ignored, e))
            more = error_where(e, "%s: finding %s", s->directory, f->id) ? 1 : -1;
        l->withdrawn = f->verdict == VERDICT_WITHDRAWN;
    }
    sql_finish(s, q);
    return more >= 0;
}

bool related_put(struct store *s, const struct finding *f, bool kept, bool new, struct error *e)
{
    bool good =
        !new || sql_run(s, e, "DELETE FROM related WHERE finding = ?1 AND role = 'agrees'", "t", f->id);
    for (unsigned i = 0; i < RELATED_ROLES && good; i++) {
        const struct related_case *r = &f->related[i];
        char role[ROLE_NAME_MAX];
        size_t size;
        related_role_name(i, role);
        uint8_t *bytes = r->tc ? store_encode(r->tc, &size) : NULL;
        if (!r->tc || (i == RELATED_AGREES && !kept)) {
            free(bytes);
            continue;
        }
        good = bytes ? sql_run(s, e, "INSERT OR IGNORE INTO related VALUES (?1, ?2, ?3, ?4, ?5)", "tttbb",
                               f->id, role, r->label, bytes, size, r->board_outcome, r->board_outcome_size)
                     : error_memory(e, "while storing a finding");
        free(bytes);
    }
    return good;
}

/* Ignores roles that this version does not know. */
bool related_get(struct store *s, struct finding *f, struct error *e)
{
    sqlite3_stmt *q =
        sql_prepare(s, e, "SELECT role, label, related_case, outcome FROM related WHERE finding = ?1", "t",
                    f->id);
    struct test_case *c = memory_new(1, sizeof *c);
    char role[ROLE_NAME_MAX], known[ROLE_NAME_MAX], label[128];
    int more;
    while ((more = sql_step(s, q, e)) > 0) {
        sql_text(q, 0, role, sizeof role);
        sql_text(q, 1, label, sizeof label);
        case_decode(c, f->unit, sqlite3_column_blob(q, 2), (size_t)sqlite3_column_bytes(q, 2));
        for (unsigned i = 0; i < RELATED_ROLES; i++) {
            related_role_name(i, known);
            if (!strcmp(known, role))
                finding_set_related(f, i, c, label, sqlite3_column_blob(q, 3),
                                    (size_t)sqlite3_column_bytes(q, 3));
        }
    }
    free(c);
    sql_finish(s, q);
    return more >= 0;
}
