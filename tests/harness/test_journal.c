/* SPDX-License-Identifier: MIT */
/* The journal knows the cases that must not run again, however the last run ended. A journal that cannot be
 * read is an error; it never counts as an empty journal. */
#include "harness/launch/journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[1024];
static struct error e;

static int begin(void **state)
{
    (void)state;
    e = (struct error){0};
    snprintf(folder, sizeof folder, "/tmp/test_journal.XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/journal", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void write_file(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static struct journal *reopened(struct journal *j)
{
    journal_close(j);
    j = journal_open(path, &e);
    assert_string_equal(e.text, "");
    assert_non_null(j);
    return j;
}

static void cases_that_ran_when_the_machine_died_are_known(void **state)
{
    (void)state;
    const uint64_t several[] = {1, 2, 3}, one = 7;
    struct journal *j = reopened(NULL);
    assert_true(journal_begin(j, several, 3, &e) && journal_end(j, &e));
    j = reopened(j);
    assert_false(journal_wants_hashes(j) &&
                 (journal_suspects(j, 1) || journal_knows_hang(j, 1))); /* the cases ended */
    assert_true(journal_begin(j, several, 3, &e));
    j = reopened(j);
    for (unsigned i = 0; i < 3; i++)
        assert_true(journal_suspects(j, several[i]) && !journal_knows_hang(j, several[i]));
    assert_true(journal_begin(j, &one, 1, &e));
    j = reopened(j);
    assert_true(journal_knows_hang(j, one));
    assert_true(journal_hang(j, 8, &e));
    j = reopened(reopened(j));
    assert_true(journal_knows_hang(j, one) && journal_knows_hang(j, 8) && !journal_knows_hang(j, 9));
    journal_close(j);
}

/* A launch whose line is incomplete has not started, so none of its cases is suspect. */
static void a_torn_line_blames_nobody(void **state)
{
    (void)state;
    write_file("hang 00000000000000ab\nbegin 0123456789abcdef");
    struct journal *j = reopened(NULL);
    assert_true(journal_knows_hang(j, 0xab));
    assert_false(journal_knows_hang(j, 0x0123456789abcdef));
    assert_false(journal_suspects(j, 0x0123456789abcdef));
    journal_close(j);
}

/* 400 launches of 256 cases take 1.7 MB, so the journal must replace its file. */
static void successful_launches_are_forgotten(void **state)
{
    (void)state;
    enum { LAUNCHES = 400, CASES = 256, MEGABYTE = 1 << 20 };
    uint64_t hashes[CASES];
    struct stat s;
    struct journal *j = reopened(NULL);
    assert_true(journal_hang(j, 77, &e));
    for (unsigned i = 0; i < LAUNCHES; i++) {
        for (unsigned n = 0; n < CASES; n++)
            hashes[n] = 1000 + i * CASES + n;
        assert_true(journal_begin(j, hashes, CASES, &e));
        assert_true(journal_end(j, &e));
        assert_int_equal(stat(path, &s), 0);
        assert_in_range(s.st_size, 1, MEGABYTE + 17 * CASES + 64);
    }
    assert_true(s.st_size < MEGABYTE); /* the journal replaced it */
    assert_true(journal_begin(j, hashes, 1, &e));
    j = reopened(j);
    assert_true(journal_knows_hang(j, 77));
    assert_true(journal_knows_hang(j, hashes[0])); /* this case was running alone when the file was closed */
    assert_false(journal_knows_hang(j, 1000) || journal_suspects(j, 1000));
    journal_close(j);
}

static void a_full_disk_is_reported(void **state)
{
    (void)state;
    const uint64_t hashes[32] = {3, 4};
    struct rlimit before, little = {.rlim_cur = 100};
    struct journal *j = reopened(NULL);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    bool written = journal_begin(j, hashes, 32, &e);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(written);
    assert_true(e.of_machine);
    assert_non_null(strstr(e.text, "No space left on device"));
    assert_non_null(strstr(e.text, "make room"));
    e = (struct error){0};
    assert_true(journal_begin(j, hashes, 2, &e)); /* room again; must begin a new line */
    j = reopened(j);
    assert_true(journal_suspects(j, hashes[0]));
    journal_close(j);
}

static void paths_may_be_long(void **state)
{
    (void)state;
    size_t length = strlen(folder);
    for (unsigned i = 0; i < 3; i++) { /* makes a path of 600 characters */
        length += (size_t)snprintf(path + length, sizeof path - length, "/%0200u", i);
        memcpy(path, folder, strlen(folder));
        assert_int_equal(mkdir(path, 0700), 0);
    }
    snprintf(path + length, sizeof path - length, "/journal");
    write_file("hang 00000000000000ab\n");
    struct journal *j = reopened(NULL);
    assert_true(journal_knows_hang(j, 0xab));
    j = reopened(j);
    assert_true(journal_knows_hang(j, 0xab));
    journal_close(j);
}

static void an_unreadable_journal_is_not_replaced(void **state)
{
    (void)state;
    struct stat before, after;
    if (geteuid() == 0)
        skip(); /* root can read every file */
    write_file("hang 00000000000000ab\n");
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(lstat(path, &before), 0);
    assert_null(journal_open(path, &e));
    assert_non_null(strstr(e.text, "cannot read the journal"));
    assert_non_null(strstr(e.text, "MISPRINT_JOURNAL"));
    assert_true(e.of_machine);
    assert_int_equal(lstat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cases_that_ran_when_the_machine_died_are_known),
        TEST(successful_launches_are_forgotten),
        TEST(a_torn_line_blames_nobody),
        TEST(a_full_disk_is_reported),
        TEST(paths_may_be_long),
        TEST(an_unreadable_journal_is_not_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
