/* SPDX-License-Identifier: MIT */
/*
 * The table of trials: the cases that support a finding's cause (oracle/attribution/trials.h). A row has the
 * finding, its cause, a rival as "clause=reading", and the number of cases. Four counts belong to no rival
 * (`counts`); their rows have the count's name instead of a rival. While the cause stays the same, a count
 * never gets lower.
 */
#include "oracle/store/store_sql.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset;
} counts[] = {
    {"needed", offsetof(struct trials, needed)},
    {"masked", offsetof(struct trials, masked)},
    {"passed", offsetof(struct trials, passed)},
    {"cut", offsetof(struct trials, cut)},
};
enum { COUNTS = sizeof counts / sizeof *counts };

static void print_rival(const struct unit *u, const struct rival *r, struct text *t)
{
    const struct cause c = {.count = 1, .change = {{r->clause, r->reading}}};
    text_clear(t);
    cause_print(u, &c, t);
}

static bool put(struct store *s, const struct finding *f, const char *cause, const char *rival,
                uint64_t cases, struct error *e)
{
    return sql_run(s, e,
                   "INSERT INTO trials VALUES (?1, ?2, ?3, ?4) ON CONFLICT (finding, rival)"
                   " DO UPDATE SET cases = MAX(cases, excluded.cases)",
                   "ttti", f->id, cause, rival, (int64_t)cases);
}

bool trials_put(struct store *s, const struct finding *f, struct error *e)
{
    const struct trials *t = &f->trials;
    struct text cause = {0}, rival = {0};
    if (!t->counted)
        return true;
    cause_print(f->unit, &t->of, &cause);
    bool good = sql_run(s, e, "DELETE FROM trials WHERE finding = ?1 AND cause <> ?2", "tt", f->id,
                        text_chars(&cause));
    for (unsigned i = 0; good && i < COUNTS; i++) {
        uint64_t cases;
        memcpy(&cases, (const char *)t + counts[i].offset, sizeof cases);
        good = put(s, f, text_chars(&cause), counts[i].name, cases, e);
    }
    for (unsigned i = 0; good && i < t->rivals; i++) {
        print_rival(f->unit, &t->rival[i], &rival);
        good = put(s, f, text_chars(&cause), text_chars(&rival), t->rival[i].cases, e);
    }
    text_free(&cause);
    text_free(&rival);
    return good;
}

/* Sets the count that a row holds. Ignores a rival that this version does not know. */
static void take(struct trials *t, const struct unit *u, const char *name, uint64_t cases)
{
    struct text rival = {0};
    for (unsigned i = 0; i < COUNTS; i++)
        if (!strcmp(counts[i].name, name))
            memcpy((char *)t + counts[i].offset, &cases, sizeof cases);
    for (unsigned i = 0; i < t->rivals; i++) {
        print_rival(u, &t->rival[i], &rival);
        if (!strcmp(text_chars(&rival), name))
            t->rival[i].cases = cases;
    }
    text_free(&rival);
}

bool trials_get(struct store *s, struct finding *f, struct error *e)
{
    struct text cause = {0};
    char name[256];
    if (!f->explanation.candidates)
        return true;
    trials_begin(&f->trials, f->unit, &f->explanation.candidate[0]);
    cause_print(f->unit, &f->trials.of, &cause);
    sqlite3_stmt *q = sql_prepare(s, e, "SELECT rival, cases FROM trials WHERE finding = ?1 AND cause = ?2",
                                  "tt", f->id, text_chars(&cause));
    int more;
    while ((more = sql_step(s, q, e)) > 0) {
        sql_text(q, 0, name, sizeof name);
        f->trials.counted = true;
        take(&f->trials, f->unit, name, (uint64_t)sqlite3_column_int64(q, 1));
    }
    sql_finish(s, q);
    text_free(&cause);
    return more == 0;
}
