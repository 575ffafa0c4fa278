/* SPDX-License-Identifier: MIT */
/* Adds one campaign to another by SQL alone. Rows are copied unchanged, except that runs and dropped cases
 * get new ids. */
#include "oracle/store/store_chain.h"
#include "oracle/store/store_sql.h"
#include "oracle/store/store_verify.h"

#include <stdio.h>
#include <string.h>

/*
 * The statements run in this order. The other database is attached as `other`. The table `base` holds the
 * highest ids of our runs and dropped cases. If both campaigns have a finding, the smaller case stays, as in
 * put_row (store.c).
 */
#define RUN_COLUMNS "command, unit, profile, " BOARD_COLUMNS ", seed, seconds, machine, interrupted, engine"

#define CASE_COLUMNS   "smallest, size, label, board_outcome, signature"
#define ORIGIN_COLUMNS "board_spec, board_description, board_provenance, memory_base, code_base"
/* Is the finding's smallest case the one of the other campaign? */
#define OF_OTHER_CASE(finding)                                                                               \
    "EXISTS (SELECT 1 FROM main.findings AS f, other.findings AS o WHERE f.id = " finding                    \
    " AND o.id = f.id AND o.smallest = f.smallest)"
static const char *const statements[] = {
    "CREATE TEMP TABLE base AS SELECT (SELECT COALESCE(MAX(id), 0) FROM main.runs) AS runs,"
    " (SELECT COALESCE(MAX(id), 0) FROM main.dropped) AS drops",
    "INSERT INTO main.runs (id, " RUN_COLUMNS ") SELECT id + base.runs, " RUN_COLUMNS
    " FROM other.runs, base",
    "INSERT INTO main.tally SELECT run + base.runs, name, value FROM other.tally, base",
    "INSERT INTO main.coverage SELECT run + base.runs, clause, modes FROM other.coverage, base",
    "INSERT INTO main.progress SELECT progress.run + base.runs, seconds, cases, clauses, pairs, findings"
    " FROM other.progress, base",
    "INSERT OR IGNORE INTO main.places SELECT * FROM other.places",
    "INSERT OR IGNORE INTO main.cases (run, unit, hash, pairs, label, kept_case, outcome)"
    " SELECT cases.run + base.runs, unit, hash, pairs, label, kept_case, outcome"
    " FROM other.cases, base ORDER BY cases.id",
    "INSERT INTO main.findings SELECT * FROM other.findings WHERE true ON CONFLICT (id) DO UPDATE"
    " SET cases = cases + excluded.cases, more_rivals = MIN(more_rivals, excluded.more_rivals),"
    " verdict = CASE excluded.verdict WHEN 'withdrawn' THEN excluded.verdict ELSE verdict END",
    "UPDATE main.findings SET (" CASE_COLUMNS ", " ORIGIN_COLUMNS ") ="
    " (SELECT " CASE_COLUMNS ", " ORIGIN_COLUMNS " FROM other.findings AS o WHERE o.id = findings.id)"
    " WHERE EXISTS (SELECT 1 FROM other.findings AS o WHERE o.id = findings.id AND"
    " simpler(o.unit, o.smallest, o.label, findings.smallest, findings.label))",
    "INSERT INTO main.evidence SELECT * FROM other.evidence WHERE true"
    " ON CONFLICT (finding, board_spec) DO UPDATE SET cases = cases + excluded.cases",
    "INSERT INTO main.trials SELECT * FROM other.trials WHERE true"
    " ON CONFLICT (finding, rival) DO UPDATE SET cases = MAX(cases, excluded.cases)",
    "INSERT INTO main.learned SELECT * FROM other.learned WHERE true ON CONFLICT (finding) DO UPDATE SET"
    " explained = MAX(explained, excluded.explained), experiments = MAX(experiments, excluded.experiments)",
    /* the nearest agreeing case belongs to the smallest case that was kept */
    "DELETE FROM main.related WHERE role = 'agrees' AND " OF_OTHER_CASE("main.related.finding"),
    "INSERT OR IGNORE INTO main.related SELECT * FROM other.related AS r WHERE role <> 'agrees' "
    "OR " OF_OTHER_CASE("r.finding"),
    "INSERT INTO main.dropped SELECT id + base.drops, unit, label, reason, dropped_case FROM other.dropped, "
    "base",
    "INSERT INTO main.dropped_count SELECT * FROM other.dropped_count WHERE true"
    " ON CONFLICT (reason) DO UPDATE SET cases = cases + excluded.cases",
};

/*
 * Fails if a campaign would be counted twice: its chain is part of both, or both have a run of generated
 * cases from the same seed. The builtin engine makes the same cases from the same seed.
 */
static bool check_new(struct store *into, const char *from, struct error *e)
{
    sqlite3_stmt *q = sql_prepare(
        into, e,
        "SELECT key FROM main.chain WHERE kind IN (?1, ?2) AND (digest IN (SELECT link FROM other.chain) OR"
        " digest IN (SELECT digest FROM other.chain WHERE kind IN (?1, ?2)))",
        "tt", LINK_MERGE, LINK_WITHIN);
    int more = sql_step(into, q, e);
    if (more == 1)
        error_set(e,
                  "%s: contains what another of the campaigns contains too (%s), so its cases would be "
                  "counted twice; leave one of them out",
                  from, (const char *)sqlite3_column_text(q, 0));
    sql_finish(into, q);
    if (more)
        return false;
    q = sql_prepare(into, e,
                    "SELECT unit, profile, board_spec, seed FROM main.runs JOIN other.runs USING (unit, "
                    "profile, board_spec, seed, engine)"
                    " WHERE engine = 'builtin'",
                    "");
    more = q ? sql_step(into, q, e) : -1;
    if (more == 1)
        error_set(e,
                  "%s: another of the campaigns has a run of %s, %s against %s, from the same seed %s, so "
                  "its cases would be counted twice; leave one of them out, and give each its own --seed",
                  from, (const char *)sqlite3_column_text(q, 0), (const char *)sqlite3_column_text(q, 1),
                  (const char *)sqlite3_column_text(q, 2), (const char *)sqlite3_column_text(q, 3));
    sql_finish(into, q);
    return more == 0;
}

/* Adds a link for each campaign that was merged into the other one, because our campaign now contains it
 * too. */
static bool note_within(struct store *into, struct error *e)
{
    sqlite3_stmt *q =
        sql_prepare(into, e, "SELECT key, digest FROM other.chain WHERE kind IN (?1, ?2) ORDER BY seq", "tt",
                    LINK_MERGE, LINK_WITHIN);
    int more = 1;
    while (more > 0 && (more = sql_step(into, q, e)) > 0) {
        char what[256];
        struct digest last = sql_digest(q, 1);
        sql_text(q, 0, what, sizeof what);
        if (!chain_add(into, LINK_WITHIN, what, &last, e))
            more = -1;
    }
    sql_finish(into, q);
    return more == 0;
}

/* Adds a link that holds the last link of the other campaign. */
static bool note_origin(struct store *into, const char *from, struct error *e)
{
    struct digest last = {{0}};
    char what[256];
    sqlite3_stmt *q = sql_prepare(into, e, "SELECT seq, link FROM other.chain ORDER BY seq DESC LIMIT 1", "");
    bool good = sql_step(into, q, e) == 1;
    int64_t links = good ? sqlite3_column_int64(q, 0) : 0;
    if (good)
        last = sql_digest(q, 1);
    sql_finish(into, q);
    (void)snprintf(what, sizeof what, "%lld links of %.200s", (long long)links, from);
    return good && chain_add(into, LINK_MERGE, what, &last, e);
}

static bool add_all(struct store *into, const char *from, struct error *e)
{
    bool good = store_begin(into, e);
    if (!good)
        return false;
    good = check_new(into, from, e) && note_origin(into, from, e) && note_within(into, e);
    for (unsigned i = 0; good && i < sizeof statements / sizeof *statements; i++)
        good = sql_run(into, e, statements[i], "");
    good = sql_run(into, e, "DROP TABLE IF EXISTS temp.base", "") && good;
    good = good && chain_note_all(into, e);
    return store_end(into, good, e);
}

static void note_first(void *context, const char *row, const char *what)
{
    struct text *t = context;
    if (!t->length)
        text_add(t, "%s %s", row, what);
}

/* Fails if something other than misprint changed the campaign. */
static bool is_whole(struct store *s, const char *from, struct error *e)
{
    struct text first = {0};
    struct chain_facts facts;
    bool good = store_verify(s, note_first, &first, &facts, e);
    if (good && facts.faults)
        good = error_set(
            e, "%s: %s; `misprint verify %s` lists all changes; restore it from a copy, or leave it out",
            from, text_chars(&first), from);
    text_free(&first);
    return good;
}

bool store_merge(struct store *into, const char *from, struct error *e)
{
    struct store *other = store_open(from, false, e); /* checks it, and updates its tables */
    if (!other)
        return false;
    char uri[SQL_URI_MAX];
    sql_uri(other, uri);
    bool whole = is_whole(other, from, e);
    store_close(other);
    if (!whole || !sql_run(into, e, "ATTACH DATABASE ?1 AS other", "t", uri))
        return false;
    bool good = add_all(into, from, e);
    sqlite3_exec(into->db, "DETACH DATABASE other", NULL, NULL, NULL);
    return good && store_repair_files(into, e) && store_answer_open(into, e);
}

/* --- findings that another one answers */

static bool of_one_comparison(const struct finding *a, const struct finding *b)
{
    return a->unit == b->unit && !strcmp(a->profile, b->profile) && !strcmp(a->board.spec, b->board.spec);
}

static bool has_candidates(const struct finding *f)
{
    return f->explanation.candidates && !f->explanation.masked && f->verdict != VERDICT_FLAKY;
}

static bool is_open(const struct finding *f)
{
    return has_candidates(f) && f->explanation.candidates > 1;
}

static bool has_one_cause(const struct finding *f)
{
    return has_candidates(f) && f->explanation.candidates == 1 && !f->explanation.more_candidates;
}

static const struct finding *answer_to(const struct finding *open, const struct finding *all, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned r = 0;
             has_one_cause(&all[i]) && of_one_comparison(&all[i], open) && r < open->explanation.candidates;
             r++)
            if (cause_equal(&open->explanation.candidate[r], &all[i].explanation.candidate[0]))
                return &all[i];
    return NULL;
}

bool store_answer_open(struct store *s, struct error *e)
{
    unsigned count;
    struct finding *all = store_findings(s, &count, e);
    bool good = all != NULL;
    for (unsigned i = 0; good && i < count; i++) {
        const struct finding *to = is_open(&all[i]) ? answer_to(&all[i], all, count) : NULL;
        good = !to || store_move_finding(s, all[i].id, to->id, STORE_ALL_CASES, true, e);
    }
    if (all)
        store_free_findings(all, count);
    return good;
}
