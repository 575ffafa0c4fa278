/* SPDX-License-Identifier: MIT */
/* Opens and writes a campaign. */
#include "oracle/store/store.h"

#include "oracle/files/file.h"
#include "oracle/files/load.h"
#include "oracle/store/store_chain.h"
#include "oracle/store/store_sql.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int64_t run_end(const struct run_facts *f)
{
    return f->unreconciled ? RUN_UNRECONCILED : f->interrupted ? RUN_CUT_SHORT : RUN_COMPLETE;
}

enum { PATH_MAX_HERE = 1280 };

bool store_is_campaign(const char *directory)
{
    char path[PATH_MAX_HERE];
    struct stat st;
    return (size_t)snprintf(path, sizeof path, "%s/misprint.db", directory) < sizeof path &&
           stat(path, &st) == 0;
}

/* Does the directory hold a campaign, or may a campaign be created in it? */
static bool check_directory(const struct store *s, bool create, struct error *e)
{
    char path[PATH_MAX_HERE];
    struct stat st;
    if (stat(s->directory, &st) != 0) {
        if (errno != ENOENT)
            return file_failed(s->directory, errno, e);
        if (!create)
            return error_set(e, "%s: there is no such directory", s->directory);
        return mkdir(s->directory, 0777) == 0 || errno == EEXIST || file_failed(s->directory, errno, e);
    }
    if (!S_ISDIR(st.st_mode))
        return error_set(e,
                         "%s: is not a directory; a campaign is a directory made by `misprint fuzz` or "
                         "`misprint replay` with --campaign",
                         s->directory);
    snprintf(path, sizeof path, "%s/misprint.db", s->directory);
    if (stat(path, &st) == 0)
        return true;
    if (errno != ENOENT)
        return file_failed(path, errno, e);
    if (!create)
        return error_set(e,
                         "%s: is not a campaign (it has no misprint.db); name a directory made by `misprint "
                         "fuzz` or `misprint replay` with --campaign",
                         s->directory);
    if (file_folder_holds(s->directory) &&
        !store_is_campaign(s->directory)) /* another process may have created it since the first check */
        return error_set(e, "%s: is not a campaign, and not empty; choose a new or an empty directory",
                         s->directory);
    return true;
}

static bool make_folder(const struct store *s, const char *name, struct error *e)
{
    char path[PATH_MAX_HERE];
    snprintf(path, sizeof path, "%s/%s", s->directory, name);
    return mkdir(path, 0777) == 0 || errno == EEXIST || file_failed(path, errno, e);
}

static bool count_kept(struct store *s, struct error *e)
{
    int64_t count = sql_number(s, e, "SELECT COUNT(*) FROM dropped", "");
    s->dropped_cases = count < 0 ? 0 : (uint64_t)count;
    return count >= 0;
}

struct store *store_open(const char *directory, bool create, struct error *e)
{
    struct store *s = calloc(1, sizeof *s);
    if (!s) {
        error_memory(e, "while opening %s", directory);
        return NULL;
    }
    size_t length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    bool good = length > 0 && length < sizeof s->directory;
    if (!good) {
        error_set(e, "'%.64s' cannot be a campaign directory: the name is empty or too long", directory);
    } else {
        memcpy(s->directory, directory, length);
        good = check_directory(s, create, e) && sql_open(s, create, e) &&
               (!create || (chain_check_state(s, e) && make_folder(s, "cases", e) &&
                            make_folder(s, "dropped", e) && store_repair_files(s, e))) &&
               count_kept(s, e);
    }
    if (good)
        return s;
    store_close(s);
    return NULL;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    sql_close(s);
    free(s);
}

bool store_write_case(const struct store *s, const char *name, const struct test_case *c, const char *about,
                      const char *label, bool flush, struct error *e)
{
    char path[PATH_MAX_HERE];
    struct text t = {0};
    snprintf(path, sizeof path, "%s/%s", s->directory, name);
    text_add(&t, "# %s\n# from %s\n", about, label);
    case_print(c, &t);
    bool good = (flush ? file_write : file_write_copy)(path, text_chars(&t), t.length, e);
    text_free(&t);
    return good;
}

static void print_candidates(const struct finding *f, struct text *t)
{
    for (unsigned i = 0; i < f->explanation.candidates; i++) {
        text_add(t, "%s", i ? " | " : "");
        cause_print(f->unit, &f->explanation.candidate[i], t);
        text_add(t, "%s", f->explanation.candidate[i].masks ? STORE_MASKS : "");
    }
}

static bool put_evidence(struct store *s, const struct finding *f, struct error *e)
{
    return sql_run(s, e,
                   "INSERT INTO evidence VALUES (?,?,?,?,?,?,?,?,?,?) ON CONFLICT (finding, board_spec)"
                   " DO UPDATE SET cases = cases + excluded.cases",
                   "tBit", f->id, &f->board, (int64_t)f->cases, f->label);
}

/*
 * Writes the row of a finding. If the row exists, adds the cases to it and keeps the smaller of the two
 * cases; with `replace` it keeps the new one. The row's candidates are right already, because equal ids imply
 * equal candidates (finding_name). If one process found that there are no further candidates, `more_rivals`
 * becomes and stays 0.
 */
static bool put_row(struct store *s, const struct finding *f, bool replace, const uint8_t *bytes, size_t size,
                    struct error *e)
{
    struct text candidates = {0}, nearest = {0};
    const struct explanation *x = &f->explanation;
    const struct board_identity *b = &f->board;
    print_candidates(f, &candidates);
    cause_print(f->unit, &x->nearest, &nearest);
    bool good =
        sql_run(s, e,
                "INSERT INTO findings VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
                " ON CONFLICT (id) DO UPDATE SET cases = cases + excluded.cases",
                "ttttBtiiiitiiibitb", f->id, f->unit->name, verdict_name(f->verdict), f->profile, b,
                text_chars(&candidates), (int64_t)x->more_candidates, (int64_t)x->masked, (int64_t)x->cut,
                (int64_t)x->runs, text_chars(&nearest), (int64_t)x->nearest_bits, (int64_t)f->signature,
                (int64_t)f->cases, bytes, size, (int64_t)size, f->label, f->board_outcome,
                f->board_outcome_size) &&
        sql_run(s, e, "UPDATE findings SET more_rivals = 0 WHERE id = ?1 AND more_rivals > ?2", "ti", f->id,
                (int64_t)x->more_candidates) &&
        sql_run(
            s, e,
            "UPDATE findings SET smallest = ?2, size = ?3, label = ?4, board_outcome = ?5, signature = ?6,"
            " board_spec = ?7, board_description = ?8, board_provenance = ?9, memory_base = ?10,"
            " code_base = ?11 WHERE id = ?1 AND (?12 OR simpler(unit, ?2, ?4, smallest, label))",
            "tbitbitttiii", f->id, bytes, size, (int64_t)size, f->label, f->board_outcome,
            f->board_outcome_size, (int64_t)f->signature, b->spec, b->description, b->provenance,
            (int64_t)b->memory_base, (int64_t)b->code_base, (int64_t)replace);
    text_free(&candidates);
    text_free(&nearest);
    return good;
}

/* Did the store keep this case for this finding? It does not if it has a smaller one. */
static bool is_kept(struct store *s, const struct finding *f, const uint8_t *bytes, size_t size)
{
    return sql_number(s, NULL, "SELECT 1 FROM findings WHERE id = ?1 AND smallest = ?2", "tb", f->id, bytes,
                      size) > 0;
}

static bool write_finding_file(struct store *s, const struct finding *f, struct error *e)
{
    char name[64], about[128];
    snprintf(name, sizeof name, "cases/%.23s.case", f->id);
    snprintf(about, sizeof about, "finding %.23s: %s", f->id, verdict_name(f->verdict));
    return store_write_case(s, name, f->smallest, about, f->label, true, e);
}

static void finding_path(const struct store *s, const char *id, char path[PATH_MAX_HERE])
{
    (void)snprintf(path, PATH_MAX_HERE, "%s/cases/%.23s.case", s->directory, id);
}

static bool remove_finding_file(const struct store *s, const char *id)
{
    char path[PATH_MAX_HERE];
    finding_path(s, id, path);
    (void)unlink(path); /* if this fails, opening the campaign removes the file */
    return true;
}

/* Does the finding's file exist? A killed process may have written the row but not the file. */
static bool has_file(const struct store *s, const struct finding *f)
{
    char path[PATH_MAX_HERE];
    finding_path(s, f->id, path);
    struct test_case *c = malloc(sizeof *c);
    struct error ignored;
    bool has =
        c && access(path, F_OK) == 0 && case_load(path, f->unit, c, &ignored) && case_equal(c, f->smallest);
    free(c);
    return has;
}

/* Is it the file of a finding that the database does not have? */
static bool has_no_row(const struct finding *f, unsigned count, const char *name)
{
    size_t length = strlen(name);
    if (length < 5 || strncmp(name, "F-", 2) != 0 || strcmp(name + length - 5, ".case") != 0)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (strlen(f[i].id) == length - 5 && !memcmp(f[i].id, name, length - 5))
            return false;
    return true;
}

static void count_left_over(const struct store *s, const struct finding *all, struct store_files *f)
{
    char folder[PATH_MAX_HERE];
    snprintf(folder, sizeof folder, "%s/cases", s->directory);
    DIR *d = opendir(folder);
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (has_no_row(all, f->findings, entry->d_name) && !f->left_over++)
            (void)snprintf(f->left, sizeof f->left, "%.*s", (int)strcspn(entry->d_name, "."), entry->d_name);
    if (d)
        closedir(d);
}

bool store_check_files(struct store *s, struct store_files *f, struct error *e)
{
    *f = (struct store_files){0};
    struct finding *all = store_findings(s, &f->findings, e);
    if (all)
        count_left_over(s, all, f);
    for (unsigned i = 0; all && i < f->findings; i++) {
        bool same = has_file(s, &all[i]);
        f->same += same;
        if (!same && !f->other[0])
            (void)snprintf(f->other, sizeof f->other, "%s", all[i].id);
    }
    if (all)
        store_free_findings(all, f->findings);
    return all != NULL;
}

int64_t store_finding_cases(struct store *s, const char *id)
{
    return sql_number(s, NULL, "SELECT COALESCE((SELECT cases FROM findings WHERE id = ?1), -1)", "t", id);
}

static bool note_finding(struct store *s, const char *id, struct error *e)
{
    return chain_note(s, RECORD_FINDING, id, e) && chain_note(s, RECORD_EVIDENCE, id, e) &&
           chain_note(s, RECORD_TRIALS, id, e) && chain_note(s, RECORD_LEARNED, id, e) &&
           chain_note(s, RECORD_RELATED, id, e);
}

/*
 * Holds the database's lock while it writes or removes files in cases/. Without the lock, another process
 * could remove the file of a finding that it has not seen yet, or overwrite a newer case with an older one.
 */
static bool put_finding(struct store *s, const struct finding *f, bool replace, struct error *e)
{
    size_t size;
    uint8_t *bytes = store_encode(f->smallest, &size);
    if (!bytes)
        return error_memory(e, "while storing a finding");
    if (!store_begin(s, e)) {
        free(bytes);
        return false;
    }
    bool before = is_kept(s, f, bytes, size), good = put_row(s, f, replace, bytes, size, e),
         kept = good && is_kept(s, f, bytes, size);
    good = good && put_evidence(s, f, e) && trials_put(s, f, e) && learned_put(s, f, e) &&
           related_put(s, f, kept, kept && !before, e) && note_finding(s, f->id, e) &&
           (!kept || has_file(s, f) || write_finding_file(s, f, e));
    free(bytes);
    return store_end(s, good, e);
}

bool store_put_finding(struct store *s, const struct finding *f, struct error *e)
{
    return put_finding(s, f, false, e);
}

bool store_update_finding(struct store *s, const struct finding *f, struct error *e)
{
    struct finding none = *f;
    none.cases = 0;
    return put_finding(s, &none, true, e);
}

/* Is it the file of a finding that is gone, or a temporary file (file.h) of a killed process? */
static bool is_left_over(const struct finding *f, unsigned count, const char *folder, const char *name)
{
    enum { PART_SECONDS = 60 };
    char path[PATH_MAX_HERE];
    struct stat st;
    size_t length = strlen(name), ending = strlen(FILE_TEMPORARY_ENDING);
    snprintf(path, sizeof path, "%.900s/%.255s", folder, name);
    if (length > ending && !strcmp(name + length - ending, FILE_TEMPORARY_ENDING))
        return stat(path, &st) == 0 && time(NULL) - st.st_mtime > PART_SECONDS;
    return has_no_row(f, count, name);
}

static bool repair_files(struct store *s, struct error *e)
{
    char folder[PATH_MAX_HERE], path[2 * PATH_MAX_HERE];
    unsigned count;
    struct finding *all = store_findings(s, &count, e);
    bool good = all != NULL;
    snprintf(folder, sizeof folder, "%s/cases", s->directory);
    for (unsigned i = 0; good && i < count; i++)
        good = has_file(s, &all[i]) || write_finding_file(s, &all[i], e);
    DIR *d = good ? opendir(folder) : NULL;
    for (struct dirent *entry; d && (entry = readdir(d));)
        if (is_left_over(all, count, folder, entry->d_name)) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            unlink(path);
        }
    if (d)
        closedir(d);
    if (all)
        store_free_findings(all, count);
    return good;
}

bool store_repair_files(struct store *s, struct error *e)
{
    return store_begin(s, e) && store_end(s, repair_files(s, e), e);
}

/* Does the finding have no more than this many cases? */
static bool has_no_more(struct store *s, const char *id, int64_t cases)
{
    return sql_number(s, NULL, "SELECT 1 FROM findings WHERE id = ?1 AND cases > ?2", "ti", id, cases) <= 0;
}

static bool add_rows(struct store *s, const char *from, const char *to, int64_t cases, struct error *e)
{
    return sql_run(s, e,
                   "UPDATE findings SET cases = cases + (SELECT MIN(cases, ?3) FROM findings WHERE id = ?1)"
                   " WHERE id = ?2 AND EXISTS (SELECT 1 FROM findings WHERE id = ?1)",
                   "tti", from, to, cases) &&
           sql_run(s, e,
                   "INSERT INTO evidence SELECT ?2, " BOARD_COLUMNS ", MIN(cases, ?3), label FROM evidence"
                   " WHERE finding = ?1"
                   " ON CONFLICT (finding, board_spec) DO UPDATE SET cases = cases + excluded.cases",
                   "tti", from, to, cases);
}

static bool take_rows(struct store *s, const char *from, int64_t cases, bool all, struct error *e)
{
    return all ? sql_run(s, e, "DELETE FROM evidence WHERE finding = ?1", "t", from) &&
                     sql_run(s, e, "DELETE FROM trials WHERE finding = ?1", "t", from) &&
                     sql_run(s, e, "DELETE FROM learned WHERE finding = ?1", "t", from) &&
                     sql_run(s, e, "DELETE FROM related WHERE finding = ?1", "t", from) &&
                     sql_run(s, e, "DELETE FROM findings WHERE id = ?1", "t", from)
               : sql_run(s, e, "UPDATE evidence SET cases = cases - MIN(cases, ?2) WHERE finding = ?1", "ti",
                         from, cases) &&
                     sql_run(s, e, "UPDATE findings SET cases = cases - MIN(cases, ?2) WHERE id = ?1", "ti",
                             from, cases);
}

bool store_move_finding(struct store *s, const char *from_id, const char *to_id, uint64_t cases, bool last,
                        struct error *e)
{
    if (!strcmp(from_id, to_id)) /* both findings got the same id, so they share one row already */
        return true;
    char line[PATH_MAX_HERE];
    int64_t most = cases > INT64_MAX ? INT64_MAX : (int64_t)cases;
    bool good = store_begin(s, e), goes = good && last && has_no_more(s, from_id, most);
    snprintf(line, sizeof line, "%.23s withdrawn: its cases are %.23s's", from_id, to_id);
    /* The log comes first: after a kill, it still says why a finding is gone. */
    return good &&
           store_end(s,
                     (!goes || store_log(s, line, e)) && add_rows(s, from_id, to_id, most, e) &&
                         (!last || take_rows(s, from_id, most, goes, e)) && note_finding(s, from_id, e) &&
                         note_finding(s, to_id, e) && (!goes || remove_finding_file(s, from_id)),
                     e);
}

static bool put_facts(struct store *s, int64_t id, const struct run_facts *f, struct error *e)
{
    for (const struct tally_name *n = tally_names; n->name; n++) {
        uint64_t value;
        memcpy(&value, (const char *)&f->tally + n->offset, sizeof value);
        if (!sql_run(s, e, "INSERT OR REPLACE INTO tally VALUES (?1,?2,?3)", "iti", id, n->name,
                     (int64_t)value))
            return false;
    }
    const struct unit *u = unit_named(f->unit);
    for (unsigned i = 0; u && i < unit_clauses(u); i++)
        if (covered(&f->coverage, i) &&
            !sql_run(s, e, "INSERT OR REPLACE INTO coverage VALUES (?1,?2,?3)", "iti", id,
                     unit_clause(u, i)->id, (int64_t)f->coverage.modes[i]))
            return false;
    return sql_run(s, e, "UPDATE runs SET seconds = ?2, interrupted = ?3 WHERE id = ?1", "idi", id,
                   f->seconds, run_end(f)) &&
           chain_note_number(s, RECORD_RUN, id, e) && chain_note_number(s, RECORD_TALLY, id, e) &&
           chain_note_number(s, RECORD_COVERAGE, id, e);
}

int64_t store_begin_run(struct store *s, const struct run_facts *f, struct error *e)
{
    const struct board_identity *b = &f->board;
    if (!store_begin(s, e))
        return 0;
    bool good = sql_run(s, e,
                        "INSERT INTO runs (command, unit, profile, " BOARD_COLUMNS ", seed, seconds, machine,"
                        " interrupted, engine) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                        "tttBidtit", f->command, f->unit, f->profile, b, (int64_t)f->seed, f->seconds,
                        f->machine, run_end(f), f->engine);
    int64_t id = sqlite3_last_insert_rowid(s->db);
    char *here = getcwd(NULL, 0);
    good = good &&
           (!here || (sql_run(s, e, "INSERT OR REPLACE INTO places VALUES (?1,?2)", "tt", b->spec, here) &&
                      chain_note(s, RECORD_PLACE, b->spec, e)));
    free(here);
    good = store_end(s, good && put_facts(s, id, f, e), e);
    return good ? id : 0;
}

bool store_update_run(struct store *s, int64_t id, const struct run_facts *f, struct error *e)
{
    return store_begin(s, e) && store_end(s, put_facts(s, id, f, e), e);
}

bool store_put_progress(struct store *s, int64_t run, const struct progress_point *p, struct error *e)
{
    return store_begin(s, e) &&
           store_end(s,
                     sql_run(s, e, "INSERT OR REPLACE INTO progress VALUES (?1,?2,?3,?4,?5,?6)", "idiiii",
                             run, p->seconds, (int64_t)p->cases, (int64_t)p->clauses, (int64_t)p->pairs,
                             (int64_t)p->findings) &&
                         chain_note_number(s, RECORD_PROGRESS, run, e),
                     e);
}

/* 1: used, 0: not used, -1: error. */
static int64_t seed_is_used(struct store *s, const struct unit *u, uint64_t seed, struct error *e)
{
    return sql_number(s, e, "SELECT 1 FROM runs WHERE unit = ?1 AND engine <> '' AND seed = ?2", "ti",
                      u->name, (int64_t)seed);
}

bool store_next_seed(struct store *s, const struct unit *u, uint64_t wanted, uint64_t *seed, struct error *e)
{
    int64_t used = seed_is_used(s, u, wanted, e);
    *seed = wanted;
    if (used > 0) {
        sqlite3_stmt *q =
            sql_prepare(s, e, "SELECT MAX(seed) FROM runs WHERE unit = ?1 AND engine <> ''", "t", u->name);
        used = sql_step(s, q, e);
        *seed = used > 0 ? (uint64_t)sqlite3_column_int64(q, 0)
                         : 0; /* read as uint64_t: SQLite stores a large seed as a negative number */
        sql_finish(s, q);
    }
    while (used > 0)
        used = seed_is_used(s, u, ++*seed, e);
    return used == 0;
}

bool store_log(struct store *s, const char *line, struct error *e)
{
    char path[PATH_MAX_HERE];
    snprintf(path, sizeof path, "%s/log.txt", s->directory);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0)
        return file_failed(path, errno, e);
    struct text t = {0};
    text_add(&t, "%s\n", line);
    /* One write call, so that lines of several processes do not mix. */
    ssize_t wrote = write(fd, text_chars(&t), t.length);
    int error = wrote >= 0 ? ENOSPC : errno;
    bool good = wrote == (ssize_t)t.length;
    text_free(&t);
    close(fd);
    return good || file_failed(path, error, e);
}
