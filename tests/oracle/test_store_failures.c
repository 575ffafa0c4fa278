/* SPDX-License-Identifier: MIT */
/* Findings that were reported survive `kill -9` and a full disk. Bad directories and databases cause a clear
 * error. Misprint updates old campaigns and repairs damaged ones. */
#include "fuzz/generate/generate.h"
#include "oracle/files/load.h"
#include "oracle/store/store_verify.h"
#include "tests/support/support_store.h"

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

/* --- kill -9 */

/* Writes findings, and reports each one through the pipe after store_put_finding has returned true. */
static void write_until_killed(int pipe)
{
    struct error error = {0};
    struct store *s = store_open(store_directory, true, &error);
    for (unsigned n = 0; s && n < 100000; n++) {
        struct finding f;
        make_finding(&f, n, 1);
        snprintf(f.id, sizeof f.id, "F-%012x", n);
        if (!store_put_finding(s, &f, &error) || write(pipe, &n, sizeof n) != sizeof n)
            break;
        finding_free_contents(&f);
    }
    _exit(1); /* never reached: the parent kills this process before */
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
        struct store *s = store_open(store_directory, true, &store_error);
        if (!s)
            fail_msg("%s", store_error.text);
        struct finding *got = store_findings(s, &count, &store_error);
        assert_non_null(got);
        assert_true(count == reported || count == reported + 1); /* one may be stored but not reported */
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
    store_error.text[0] = 0;
    if (store_open(store_directory, create, &store_error))
        fail_msg("'%s' was opened, though it should be refused: %s", store_directory, because);
    if (!strstr(store_error.text, because) || !strstr(store_error.text, store_directory))
        fail_msg("'%s' should say '%s' and name '%s'", store_error.text, because, store_directory);
}

static void write_bytes(const char *name, long at, const char *bytes, size_t count)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", store_directory, name);
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
    refused(false, "no such directory");
    mkdir(store_directory, 0777);
    refused(false, "is not a campaign");
    write_bytes("letter", 0, "dear", 4);
    refused(true, "not empty");
    strcat(store_directory, "/letter");
    refused(true, "is not a directory");
    new_directory();
    strcat(store_directory, "/nothing/there");
    refused(true, "choose another");
    snprintf(store_directory, sizeof store_directory,
             "/proc/misprint-campaign"); /* root could write to any other directory */
    refused(true, "choose");
    store_error.text[0] = 0;
    assert_null(store_open("", true, &store_error));
    assert_string_not_equal(store_error.text, "");
}

static void run_sql(const char *sql)
{
    char path[256];
    sqlite3 *db;
    snprintf(path, sizeof path, "%s/misprint.db", store_directory);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void bad_databases(void **state)
{
    (void)state;
    new_directory();
    store_close(must_open(true));
    run_sql("PRAGMA user_version=9");
    refused(true, "version 9");
    refused(false, "version 9");
    new_directory();
    mkdir(store_directory, 0777);
    run_sql("CREATE TABLE mail (letter TEXT); PRAGMA user_version=1");
    refused(true, "another program");
    new_directory();
    mkdir(store_directory, 0777);
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
        must(store_put_finding(s, &f, &store_error));
        finding_free_contents(&f);
    }
    store_close(s);
    char noise[3000];
    memset(noise, 0xA5, sizeof noise);
    for (long page = 1; page < 8; page++)
        write_bytes("misprint.db", page * 4096, noise, sizeof noise);
    refused(false, "damaged");
    new_directory();
    mkdir(store_directory, 0777);
    write_bytes("misprint.db", 0, "", 0); /* the process was killed before it made the tables */
    refused(false, "empty campaign");
    store_close(must_open(true));
    run_sql("INSERT INTO findings VALUES "
            "('F-1','vc9','manual-gap','manual','','','','',0,0,0,'',0,0,0,0,'',0,0,1,x'',0,'',x'')");
    s = must_open(false);
    unsigned count;
    assert_null(store_findings(s, &count, &store_error));
    assert_non_null(strstr(store_error.text, "vc9"));
    store_close(s);
    new_directory();
    store_close(must_open(true));
    write_bytes("cases/F-1.case", 0, "a case", 6);
    char database[200];
    snprintf(database, sizeof database, "%s/misprint.db", store_directory);
    assert_int_equal(truncate(database, 0), 0); /* store_close has removed the database's log */
    refused(false, "so the campaign's data is lost");
    refused(true, "so the campaign's data is lost"); /* else F-1 would go: no finding has it */
    assert_true(store_is_damaged(store_directory));
}

/* The store has this finding, and no other. */
static void must_have(struct store *s, const struct finding *f)
{
    unsigned count;
    struct finding *got = store_findings(s, &count, &store_error);
    assert_int_equal(count, 1);
    assert_same_finding(got, f);
    store_free_findings(got, count);
}

/* Misprint updates a campaign of an older version and keeps everything in it. */
static void old_campaigns_are_updated(void **state)
{
    (void)state;
    struct finding f;
    struct run_facts facts = {.command = "fuzz", .profile = "manual", .seed = 7};
    unsigned count;
    snprintf(facts.unit, sizeof facts.unit, "%s", store_unit->name);
    new_directory();
    struct store *s = must_open(true);
    make_finding(&f, 3, 4);
    must(store_put_finding(s, &f, &store_error));
    must(store_begin_run(s, &facts, &store_error) > 0);
    store_close(s);
    run_sql("DROP TABLE related; PRAGMA user_version=7"); /* its chain stays valid */
    s = must_open(true);
    must_have(s, &f);
    store_close(s);
    run_sql(
        "DROP TABLE related; DROP TABLE learned; DROP TABLE trials; PRAGMA user_version=5"); /* the same */
    s = must_open(true);
    store_close(s);
    run_sql("DROP TABLE related; DROP TABLE learned; DROP TABLE trials; DROP TABLE chain; DROP TABLE "
            "standing; DROP TABLE cases; "
            "DROP TABLE progress; "
            "ALTER TABLE runs DROP COLUMN engine; PRAGMA user_version=3");
    s = must_open(false);
    must_have(s, &f);
    struct run_facts *runs = store_runs(s, &count, &store_error);
    assert_int_equal(count, 1);
    assert_string_equal(runs[0].engine, "");
    free(runs);
    struct kept_case kept;
    assert_true(kept_case_make(&kept, f.smallest, NULL, "x", 5));
    must(store_put_cases(s, 1, store_unit->name, &kept, 1, &store_error));
    kept_case_free(&kept);
    finding_free_contents(&f);
    store_close(s);
}

/* Misprint writes a missing or old file of a finding again, and removes a file without a finding. */
static void files_are_repaired(void **state)
{
    (void)state;
    struct finding f;
    char path[256], other[256];
    new_directory();
    struct store *s = must_open(true);
    make_finding(&f, 3, 4);
    must(store_put_finding(s, &f, &store_error));
    store_close(s);
    snprintf(path, sizeof path, "%s/cases/%s.case", store_directory, f.id);
    snprintf(other, sizeof other, "%s/cases/F-000000000000.case", store_directory);
    assert_int_equal(rename(path, other), 0);
    store_close(must_open(true));
    assert_int_equal(access(path, F_OK), 0);
    assert_int_not_equal(access(other, F_OK), 0);
    write_bytes(path + strlen(store_directory) + 1, 0, "torn", 4);
    store_close(must_open(true));
    struct test_case *c = malloc(sizeof *c);
    must(case_load(path, NULL, c, &store_error));
    assert_true(case_equal(c, f.smallest));
    free(c);
    finding_free_contents(&f);
}

/* A limit on the size of files acts like a full disk. A child process sets it, because a process cannot undo
 * it. */
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
        struct store *s = store_open(store_directory, false, &error);
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
    if (!strstr(said, store_directory) || !strstr(said, "make room"))
        fail_msg("'%s' should name the store_directory and say what to do", said);
    struct store *s = must_open(true); /* the parent has no limit, so the campaign continues */
    struct finding *got = store_findings(s, &count, &store_error);
    assert_non_null(got);
    assert_true(count >= stored);
    store_free_findings(got, count);
    struct finding f;
    make_finding(&f, 1, 1);
    must(store_put_finding(s, &f, &store_error));
    finding_free_contents(&f);
    store_close(s);
    print_message("%u findings stored before the disk was full, all there after; said: %s\n", stored, said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_reported_survives_kill_9),
        cmocka_unit_test(bad_directories),
        cmocka_unit_test(bad_databases),
        cmocka_unit_test(old_campaigns_are_updated),
        cmocka_unit_test(files_are_repaired),
        cmocka_unit_test(a_full_disk_loses_nothing),
    };
    return cmocka_run_group_tests(tests, store_tests_begin, store_tests_end);
}
