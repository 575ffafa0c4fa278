/* SPDX-License-Identifier: MIT */
/* The table of learned rules: one row for each finding that rules explain (struct finding_learned). */
#include "oracle/store/store_sql.h"

#include <stdio.h>
#include <string.h>

bool learned_put(struct store *s, const struct finding *f, struct error *e)
{
    const struct finding_learned *l = &f->learned;
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
    }
    sql_finish(s, q);
    return more >= 0;
}
