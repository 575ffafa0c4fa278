/* SPDX-License-Identifier: MIT */
/*
 * The findings store: what went in comes out, what was reported survives
 * `kill -9`, and every bad directory or database gets one clear error.
 */
#include "fuzz/generate/generate.h"
#include "oracle/files/load.h"
#include "oracle/store/store_verify.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct unit *u;
static char root[64], directory[128];
static unsigned directories;
static struct error e;

static void new_directory(void)
{
    snprintf(directory, sizeof directory, "%s/c%u", root, directories++);
}

static int begin(void **state)
{
    (void)state;
    u = unit_at(0);
    snprintf(root, sizeof root, "/tmp/misprint-test-store-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    support_remove_all(root);
    return 0;
}

static struct store *must_open(bool create)
{
    struct store *s = store_open(directory, create, &e);
    if (!s)
        fail_msg("%s", e.text);
    return s;
}

static void must(bool good)
{
    if (!good)
        fail_msg("%s", e.text);
}

/* A finding about clause n of the unit, its case from seed n. Free with finding_free_contents. */
static void make_finding(struct finding *f, unsigned n, uint64_t cases)
{
    struct test_case *c = malloc(sizeof *c);
    struct outcome *o = outcome_new(u);
    struct random r;
    assert_non_null(c);
    assert_non_null(o);
    random_seed(&r, n);
    case_generate(&r, u, c);
    outcome_reset(o, c);
    outcome_row(o, 1, u->layout.row_words)[0] ^= n;
    outcome_touch(o, 1);
    memset(f, 0, sizeof *f);
    f->unit = u;
    snprintf(f->profile, sizeof f->profile, "manual");
    snprintf(f->board.spec, sizeof f->board.spec, "exec:test");
    snprintf(f->board.kind, sizeof f->board.kind, "exec");
    snprintf(f->board.description, sizeof f->board.description, "it's \"a board\" | of tests, \xC3\xA9");
    snprintf(f->board.provenance, sizeof f->board.provenance, "nowhere");
    f->explanation.candidates = 2;
    f->explanation.runs = 77;
    for (unsigned k = 0; k < 2; k++) {
        f->explanation.candidate[k].count = 1;
        f->explanation.candidate[k].change[0].clause = (uint16_t)((n + k) % unit_clauses(u));
        f->explanation.candidate[k].change[0].reading =
            (uint8_t)(clause_readings(unit_clause(u, (n + k) % unit_clauses(u))) - 1);
    }
    f->explanation.nearest_bits = DISTANCE_ENDS;
    f->signature = UINT64_C(0xFEDCBA9876543210);
    f->verdict = verdict_of(u, &f->explanation, true);
    f->cases = cases;
    finding_name(f);
    assert_true(finding_set_case(f, c, o, "seed 1 case 2"));
    free(c);
    outcome_free(o);
}

static void assert_same_finding(const struct finding *a, const struct finding *b)
{
    assert_string_equal(a->id, b->id);
    assert_ptr_equal(a->unit, b->unit);
    assert_int_equal(a->verdict, b->verdict);
    assert_string_equal(a->profile, b->profile);
    assert_string_equal(a->board.spec, b->board.spec);
    assert_string_equal(a->board.kind, b->board.kind);
    assert_string_equal(a->board.description, b->board.description);
    assert_string_equal(a->board.provenance, b->board.provenance);
    assert_int_equal(a->board.silicon, b->board.silicon);
    assert_int_equal(a->explanation.candidates, b->explanation.candidates);
    for (unsigned i = 0; i < a->explanation.candidates; i++)
        assert_true(cause_equal(&a->explanation.candidate[i], &b->explanation.candidate[i]));
    assert_int_equal(a->explanation.runs, b->explanation.runs);
    assert_true(a->explanation.nearest_bits == b->explanation.nearest_bits);
    assert_true(a->signature == b->signature);
    assert_true(case_equal(a->smallest, b->smallest));
    assert_string_equal(a->label, b->label);
    assert_int_equal(a->board_outcome_size, b->board_outcome_size);
    assert_memory_equal(a->board_outcome, b->board_outcome, a->board_outcome_size);
}

static void what_goes_in_comes_out(void **state)
{
    (void)state;
    enum { FINDINGS = 9 };
    struct finding f[FINDINGS];
    new_directory();
    struct store *s = must_open(true);
    for (unsigned i = 0; i < FINDINGS; i++) {
        make_finding(&f[i], i, i + 1);
        must(store_put_finding(s, &f[i], &e));
    }
    must(store_put_finding(s, &f[3], &e)); /* again: its cases are added */
    store_close(s);
    s = must_open(false);
    unsigned count;
    struct finding *got = store_findings(s, &count, &e);
    assert_non_null(got);
    assert_int_equal(count, FINDINGS);
    for (unsigned i = 0; i < count; i++) {
        unsigned k = 0;
        while (k < FINDINGS && strcmp(got[i].id, f[k].id) != 0)
            k++;
        assert_true(k < FINDINGS);
        assert_same_finding(&got[i], &f[k]);
        assert_int_equal(got[i].cases, k == 3 ? 8 : k + 1);
        assert_true(i == 0 || finding_order(&got[i - 1], &got[i]) < 0);
        char path[256];
        struct test_case *c = malloc(sizeof *c); /* the file for people holds the same case */
        snprintf(path, sizeof path, "%s/cases/%s.case", directory, got[i].id);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        char *chars = malloc(1 << 20);
        size_t size = fread(chars, 1, 1 << 20, file);
        fclose(file);
        must(case_parse(c, chars, size, &e));
        assert_true(case_equal(c, got[i].smallest));
        free(chars);
        free(c);
    }
    store_free_findings(got, count);
    for (unsigned i = 0; i < FINDINGS; i++)
        finding_free_contents(&f[i]);
    store_close(s);
}

static void the_smaller_case_is_kept(void **state)
{
    (void)state;
    struct finding big, small;
    struct test_case *c = malloc(sizeof *c);
    unsigned count;
    new_directory();
    struct store *s = must_open(true);
    make_finding(&big, 5, 1);
    make_finding(&small, 5, 1);
    case_init(c, u);
    struct outcome *o = outcome_new(u);
    outcome_reset(o, c);
    assert_true(finding_set_case(&small, c, o, "smaller"));
    assert_true(small.size < big.size);
    must(store_put_finding(s, &big, &e));
    must(store_put_finding(s, &small, &e));
    must(store_put_finding(s, &big, &e));
    struct finding *got = store_findings(s, &count, &e);
    assert_int_equal(count, 1);
    assert_int_equal(got[0].cases, 3);
    assert_string_equal(got[0].label, "smaller");
    assert_true(case_equal(got[0].smallest, c));
    store_free_findings(got, count);
    struct board_evidence *evidence = store_evidence(s, big.id, &count, &e);
    assert_int_equal(count, 1);
    assert_int_equal(evidence[0].cases, 3);
    free(evidence);
    finding_free_contents(&big);
    finding_free_contents(&small);
    outcome_free(o);
    free(c);
    store_close(s);
}

static void findings_move(void **state)
{
    (void)state;
    struct finding f[3];
    unsigned count;
    new_directory();
    struct store *s = must_open(true);
    for (unsigned i = 0; i < 3; i++) {
        make_finding(&f[i], i, 10 + i);
        must(store_put_finding(s, &f[i], &e));
    }
    must(store_move_finding(s, f[0].id, f[1].id, STORE_ALL_CASES, false, &e));
    must(store_move_finding(s, f[0].id, f[2].id, STORE_ALL_CASES, true, &e));
    struct finding *got = store_findings(s, &count, &e);
    assert_int_equal(count, 2);
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(got[i].cases, strcmp(got[i].id, f[1].id) == 0 ? 21 : 22);
    store_free_findings(got, count);
    for (unsigned i = 0; i < 3; i++)
        finding_free_contents(&f[i]);
    store_close(s);
}

/* How many cases the store has of a finding, which its evidence has as well; 0: there is none. */
static uint64_t cases_in(struct store *s, const char *id)
{
    unsigned count;
    uint64_t cases = 0;
    struct finding *got = store_findings(s, &count, &e);
    for (unsigned i = 0; i < count; i++)
        cases += strcmp(got[i].id, id) ? 0 : got[i].cases;
    store_free_findings(got, count);
    struct board_evidence *evidence = store_evidence(s, id, &count, &e);
    assert_int_equal(count, cases != 0);
    if (count)
        assert_int_equal(evidence[0].cases, cases);
    free(evidence);
    return cases;
}

/* Two runs at the same time found one thing; where one of them withdraws it, the other's cases stay. */
static void a_share_of_a_finding_moves(void **state)
{
    (void)state;
    struct finding f[3];
    new_directory();
    struct store *s = must_open(true);
    for (unsigned i = 0; i < 3; i++) {
        make_finding(&f[i], i, 10 + i);
        must(store_put_finding(s, &f[i], &e));
    }
    must(store_put_finding(s, &f[0], &e)); /* the other run's 10 */
    must(store_move_finding(s, f[0].id, f[1].id, 10, true, &e));
    assert_int_equal(cases_in(s, f[0].id), 10);
    assert_int_equal(cases_in(s, f[1].id), 21);
    must(store_move_finding(s, f[0].id, f[1].id, 4, false,
                            &e)); /* of two causes at once: what goes to both leaves with the second */
    must(store_move_finding(s, f[0].id, f[2].id, 4, true, &e));
    assert_int_equal(cases_in(s, f[0].id), 6);
    assert_int_equal(cases_in(s, f[1].id), 25);
    assert_int_equal(cases_in(s, f[2].id), 16);
    must(store_move_finding(s, f[0].id, f[2].id, 7, true, &e)); /* no more than there are */
    assert_int_equal(cases_in(s, f[0].id), 0);
    assert_int_equal(cases_in(s, f[2].id), 22);
    for (unsigned i = 0; i < 3; i++)
        finding_free_contents(&f[i]);
    store_close(s);
}

static void runs_and_dropped_cases(void **state)
{
    (void)state;
    struct run_facts facts = {
        .command = "fuzz", .profile = "manual", .seed = UINT64_MAX, .seconds = 1.5, .machine = "a machine"};
    struct test_case *c = malloc(sizeof *c);
    unsigned count;
    snprintf(facts.unit, sizeof facts.unit, "%s", u->name);
    snprintf(facts.board.spec, sizeof facts.board.spec, "virtual:x");
    new_directory();
    struct store *s = must_open(true);
    int64_t id = store_begin_run(s, &facts, &e);
    must(id > 0);
    uint64_t *counters = (uint64_t *)(void *)&facts.tally; /* every counter its own number */
    for (unsigned i = 0; i < sizeof facts.tally / 8; i++)
        counters[i] = (i + UINT64_C(1)) << 33;
    facts.coverage.modes[0] = 0xFFFF;
    facts.coverage.modes[unit_clauses(u) - 1] = 5;
    must(store_update_run(s, id, &facts, &e));
    facts.interrupted = true;
    must(store_update_run(s, id, &facts, &e));
    case_init(c, u);
    must(store_put_dropped(s, c, "x:1", "refused", "refused", &e));
    must(store_put_dropped(s, c, "x:2", "no answer", "no answer", &e));
    must(store_count_dropped(s, "refused", 40, &e));
    store_close(s);
    s = must_open(false);
    struct run_facts *got = store_runs(s, &count, &e);
    assert_int_equal(count, 1);
    assert_memory_equal(&got->tally, &facts.tally, sizeof facts.tally);
    assert_memory_equal(&got->coverage, &facts.coverage, sizeof facts.coverage);
    assert_true(got->seed == UINT64_MAX);
    assert_true(got->interrupted);
    char place[4096], here[4096];
    store_place(s, "virtual:x", place, sizeof place);
    assert_non_null(getcwd(here, sizeof here));
    assert_string_equal(place, here);
    store_place(s, "virtual:y", place, sizeof place);
    assert_string_equal(place, "");
    assert_string_equal(got->board.spec, "virtual:x");
    free(got);
    assert_int_equal(store_dropped(s), 42);
    struct dropped_reason *reasons = store_dropped_reasons(s, &count, &e);
    assert_int_equal(count, 2);
    assert_string_equal(reasons[0].reason, "refused");
    assert_int_equal(reasons[0].cases, 41);
    free(reasons);
    free(c);
    store_close(s);
}

struct kept_seen {
    unsigned count, with_outcome;
    uint64_t hash[4];
};

static bool see_kept(void *context, const struct test_case *c, const struct kept_case *k, struct error *error)
{
    struct kept_seen *seen = context;
    (void)error;
    assert_true(k->hash == case_hash(c));
    assert_int_equal(k->pairs, 5);
    seen->hash[seen->count++] = k->hash;
    seen->with_outcome += k->outcome_size > 0;
    return true;
}

static void kept_cases_seeds_and_progress(void **state)
{
    (void)state;
    struct run_facts facts = {.command = "fuzz", .profile = "manual", .seed = 7, .engine = "builtin"};
    struct kept_case kept[2];
    struct finding f;
    uint64_t seed;
    unsigned count;
    snprintf(facts.unit, sizeof facts.unit, "%s", u->name);
    snprintf(facts.board.spec, sizeof facts.board.spec, "virtual:x");
    new_directory();
    struct store *s = must_open(true);
    must(store_next_seed(s, u, 7, &seed, &e));
    assert_true(seed == 7);
    int64_t run = store_begin_run(s, &facts, &e);
    must(run > 0);
    must(store_next_seed(s, u, 7, &seed, &e));
    assert_true(seed == 8);
    must(store_next_seed(s, u, 3, &seed, &e)); /* not used yet */
    assert_true(seed == 3);
    struct outcome *o = outcome_new(u);
    for (unsigned n = 0; n < 2; n++) {
        make_finding(&f, n, 1);
        outcome_reset(o, f.smallest);
        assert_true(kept_case_make(&kept[n], f.smallest, n ? o : NULL, "x", 5));
        finding_free_contents(&f);
    }
    must(store_put_cases(s, run, u->name, kept, 2, &e));
    must(store_put_cases(s, run, u->name, kept, 2, &e)); /* each once */
    struct progress_point p = {.seconds = 1.5, .cases = 100, .clauses = 3, .pairs = 4, .findings = 2};
    must(store_put_progress(s, run, &p, &e));
    p.cases = 50;
    must(store_put_progress(s, run, &p, &e));
    store_close(s);
    s = must_open(false);
    struct kept_seen seen = {0};
    must(store_each_case(s, u, &facts.board, see_kept, &seen, &e));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.with_outcome, 1);
    assert_true(seen.hash[0] == kept[0].hash && seen.hash[1] == kept[1].hash);
    struct board_identity other = {.spec = "virtual:y"}; /* its outcomes are not another board's */
    seen = (struct kept_seen){0};
    must(store_each_case(s, u, &other, see_kept, &seen, &e));
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.with_outcome, 0);
    struct progress_point *points = store_progress(s, 0, &count, &e);
    assert_int_equal(count, 2);
    assert_true(points[0].cases == 50 && points[1].cases == 100 && points[1].seconds == 1.5 &&
                points[1].pairs == 4 && points[1].findings == 2);
    free(points);
    struct run_facts *runs = store_runs(s, &count, &e);
    assert_string_equal(runs[0].engine, "builtin");
    free(runs);
    for (unsigned n = 0; n < 2; n++)
        kept_case_free(&kept[n]);
    outcome_free(o);
    store_close(s);
}

/* --- kill -9 */

/* Puts findings one after the other and says so through the pipe only when store_put_finding came back true.
 */
static void write_until_killed(int pipe)
{
    struct error error = {0};
    struct store *s = store_open(directory, true, &error);
    for (unsigned n = 0; s && n < 100000; n++) {
        struct finding f;
        make_finding(&f, n, 1);
        snprintf(f.id, sizeof f.id, "F-%012x", n);
        if (!store_put_finding(s, &f, &error) || write(pipe, &n, sizeof n) != sizeof n)
            break;
        finding_free_contents(&f);
    }
    _exit(1); /* not reached: the parent kills first */
}

static void what_was_reported_survives_kill_9(void **state)
{
    (void)state;
    struct random r;
    unsigned reported_in_all = 0;
    random_seed(&r, 9);
    for (unsigned round = 0; round < 20; round++) {
        int ends[2];
        unsigned n, reported = 0, count;
        new_directory();
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (!child) {
            close(ends[0]);
            write_until_killed(ends[1]);
        }
        close(ends[1]);
        for (unsigned wait = random_below(&r, 20);
             reported < wait && read(ends[0], &n, sizeof n) == sizeof n;)
            assert_int_equal(n, reported++);
        usleep(random_below(&r, 8000));
        kill(child, SIGKILL);
        while (read(ends[0], &n, sizeof n) == sizeof n)
            assert_int_equal(n, reported++);
        close(ends[0]);
        int status;
        waitpid(child, &status, 0);
        assert_true(WIFSIGNALED(status));
        struct store *s = store_open(directory, true, &e);
        if (!s)
            fail_msg("%s", e.text);
        struct finding *got = store_findings(s, &count, &e);
        assert_non_null(got);
        assert_true(count == reported ||
                    count == reported + 1); /* the last was perhaps stored but not yet reported */
        bool *seen = calloc(count + 1, sizeof *seen);
        for (unsigned i = 0; i < count; i++)
            seen[strtoul(got[i].id + 2, NULL, 16)] = true;
        for (unsigned i = 0; i < reported; i++)
            assert_true(seen[i]);
        free(seen);
        store_free_findings(got, count);
        store_close(s);
        reported_in_all += reported;
    }
    print_message("20 kills, %u findings reported before, all there after\n", reported_in_all);
    assert_true(reported_in_all > 20);
}

/* --- bad directories, bad databases, full disks */

static void refused(bool create, const char *because)
{
    e.text[0] = 0;
    if (store_open(directory, create, &e))
        fail_msg("'%s' was opened, though it should be refused: %s", directory, because);
    if (!strstr(e.text, because) || !strstr(e.text, directory))
        fail_msg("'%s' should say '%s' and name '%s'", e.text, because, directory);
}

static void write_bytes(const char *name, long at, const char *bytes, size_t count)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, at ? "r+" : "w");
    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    fwrite(bytes, 1, count, f);
    fclose(f);
}

static void bad_directories(void **state)
{
    (void)state;
    new_directory();
    refused(false, "no such campaign");
    mkdir(directory, 0777);
    refused(false, "is not a campaign");
    write_bytes("letter", 0, "dear", 4);
    refused(true, "not empty");
    snprintf(directory, sizeof directory, "%s/c%u/letter", root, directories - 1);
    refused(true, "is not a directory");
    snprintf(directory, sizeof directory, "%s/nothing/there", root);
    refused(true, "choose another");
    snprintf(directory, sizeof directory, "/proc/misprint-campaign"); /* unwritable also for root */
    refused(true, "choose");
    e.text[0] = 0;
    assert_null(store_open("", true, &e));
    assert_string_not_equal(e.text, "");
}

static void run_sql(const char *sql)
{
    char path[256];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/misprint.db", directory);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void bad_databases(void **state)
{
    (void)state;
    new_directory();
    store_close(must_open(true));
    run_sql("PRAGMA user_version=7");
    refused(true, "version 7");
    refused(false, "version 7");
    new_directory();
    mkdir(directory, 0777);
    run_sql("CREATE TABLE mail (letter TEXT); PRAGMA user_version=1");
    refused(true, "another program");
    new_directory();
    mkdir(directory, 0777);
    write_bytes("misprint.db", 0,
                "this is a text that is long enough to be looked at as a database, but it is none at all, "
                "not even nearly so ......",
                115);
    refused(true, "damaged");
    new_directory();
    struct store *s = must_open(true);
    struct finding f;
    for (unsigned n = 0; n < 40; n++) {
        make_finding(&f, n, 1);
        must(store_put_finding(s, &f, &e));
        finding_free_contents(&f);
    }
    store_close(s);
    char noise[3000];
    memset(noise, 0xA5, sizeof noise);
    for (long page = 1; page < 8; page++)
        write_bytes("misprint.db", page * 4096, noise, sizeof noise);
    refused(false, "damaged");
    new_directory();
    mkdir(directory, 0777);
    write_bytes("misprint.db", 0, "", 0); /* killed before the tables were made */
    refused(false, "empty campaign");
    store_close(must_open(true));
    run_sql("INSERT INTO findings VALUES "
            "('F-1','vc9','manual-gap','manual','','','','',0,0,0,'',0,0,0,0,'',0,0,1,x'',0,'',x'')");
    s = must_open(false);
    unsigned count;
    assert_null(store_findings(s, &count, &e));
    assert_non_null(strstr(e.text, "vc9"));
    store_close(s);
    new_directory();
    store_close(must_open(true));
    write_bytes("cases/F-1.case", 0, "a case", 6);
    char database[200];
    snprintf(database, sizeof database, "%s/misprint.db", directory);
    assert_int_equal(truncate(database, 0), 0); /* its log went when it was closed */
    refused(false, "so the campaign's data is lost");
    refused(true, "so the campaign's data is lost"); /* or F-1, which no finding has, would be removed */
    assert_true(store_is_damaged(directory));
}

/* A campaign of the version before is brought up to this one, with all that it holds. */
static void old_campaigns_are_brought_up(void **state)
{
    (void)state;
    struct finding f;
    struct run_facts facts = {.command = "fuzz", .profile = "manual", .seed = 7};
    unsigned count;
    snprintf(facts.unit, sizeof facts.unit, "%s", u->name);
    new_directory();
    struct store *s = must_open(true);
    make_finding(&f, 3, 4);
    must(store_put_finding(s, &f, &e));
    must(store_begin_run(s, &facts, &e) > 0);
    store_close(s);
    run_sql("DROP TABLE chain; DROP TABLE standing; DROP TABLE cases; DROP TABLE progress; ALTER TABLE runs "
            "DROP COLUMN engine; PRAGMA user_version=3");
    s = must_open(false);
    struct finding *got = store_findings(s, &count, &e);
    assert_int_equal(count, 1);
    assert_same_finding(got, &f);
    store_free_findings(got, count);
    struct run_facts *runs = store_runs(s, &count, &e);
    assert_int_equal(count, 1);
    assert_string_equal(runs[0].engine, "");
    free(runs);
    struct kept_case kept;
    assert_true(kept_case_make(&kept, f.smallest, NULL, "x", 5));
    must(store_put_cases(s, 1, u->name, &kept, 1, &e));
    kept_case_free(&kept);
    finding_free_contents(&f);
    store_close(s);
}

/* A finding's file that is missing or old is written anew; one of no finding goes. */
static void files_are_mended(void **state)
{
    (void)state;
    struct finding f;
    char path[256], other[256];
    new_directory();
    struct store *s = must_open(true);
    make_finding(&f, 3, 4);
    must(store_put_finding(s, &f, &e));
    store_close(s);
    snprintf(path, sizeof path, "%s/cases/%s.case", directory, f.id);
    snprintf(other, sizeof other, "%s/cases/F-000000000000.case", directory);
    assert_int_equal(rename(path, other), 0);
    store_close(must_open(true));
    assert_int_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(other, F_OK), 0);
    write_bytes(path + strlen(directory) + 1, 0, "torn", 4);
    store_close(must_open(true));
    struct test_case *c = malloc(sizeof *c);
    must(case_load(path, NULL, c, &e));
    assert_true(case_equal(c, f.smallest));
    free(c);
    finding_free_contents(&f);
}

/* A disk is full for a process that may write no more than so many bytes a file. In a child, because the
 * limit cannot be taken back. */
static void a_full_disk_loses_nothing(void **state)
{
    (void)state;
    unsigned count, stored = 0;
    int ends[2], status;
    char said[ERROR_TEXT_MAX] = "";
    new_directory();
    store_close(must_open(true));
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (!child) {
        struct rlimit limit = {200000, 200000};
        struct error error = {0};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
        struct store *s = store_open(directory, false, &error);
        unsigned n = 0;
        for (bool good = s != NULL; good; n += good) {
            struct finding f;
            make_finding(&f, n, 1);
            snprintf(f.id, sizeof f.id, "F-%012x", n);
            good = store_put_finding(s, &f, &error);
            finding_free_contents(&f);
        }
        bool told = write(ends[1], &n, sizeof n) == sizeof n &&
                    write(ends[1], error.text, sizeof error.text) == sizeof error.text;
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &stored, sizeof stored), sizeof stored);
    assert_true(read(ends[0], said, sizeof said) > 0);
    close(ends[0]);
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(stored > 0);
    if (!strstr(said, directory) || !strstr(said, "make room"))
        fail_msg("'%s' should name the directory and say what to do", said);
    struct store *s = must_open(true); /* the limit is gone: the campaign goes on */
    struct finding *got = store_findings(s, &count, &e);
    assert_non_null(got);
    assert_true(count >= stored);
    store_free_findings(got, count);
    struct finding f;
    make_finding(&f, 1, 1);
    must(store_put_finding(s, &f, &e));
    finding_free_contents(&f);
    store_close(s);
    print_message("%u findings stored before the disk was full, all there after; said: %s\n", stored, said);
}

static void logs_are_appended(void **state)
{
    (void)state;
    char path[256], chars[64] = "";
    new_directory();
    struct store *s = must_open(true);
    must(store_log(s, "one", &e));
    must(store_log(s, "two", &e));
    store_close(s);
    snprintf(path, sizeof path, "%s/log.txt", directory);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fread(chars, 1, sizeof chars - 1, f), 8);
    fclose(f);
    assert_string_equal(chars, "one\ntwo\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_in_comes_out),
        cmocka_unit_test(the_smaller_case_is_kept),
        cmocka_unit_test(findings_move),
        cmocka_unit_test(a_share_of_a_finding_moves),
        cmocka_unit_test(runs_and_dropped_cases),
        cmocka_unit_test(what_was_reported_survives_kill_9),
        cmocka_unit_test(bad_directories),
        cmocka_unit_test(bad_databases),
        cmocka_unit_test(a_full_disk_loses_nothing),
        cmocka_unit_test(logs_are_appended),
        cmocka_unit_test(kept_cases_seeds_and_progress),
        cmocka_unit_test(old_campaigns_are_brought_up),
        cmocka_unit_test(files_are_mended),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
