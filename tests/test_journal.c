/* SPDX-License-Identifier: MIT */
/* What a board must not run again is known after any end of the run before; a journal that cannot be read is never taken for an empty one. */
#include "harness/journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void what_ran_when_the_machine_died_is_known(void **state)
{
    (void)state;
    const uint64_t several[] = {1, 2, 3}, one = 7;
    struct journal *j = reopened(NULL);
    assert_true(journal_begin(j, several, 3, &e) && journal_end(j, &e));
    j = reopened(j);
    assert_false(journal_wants_hashes(j) && (journal_suspects(j, 1) || journal_knows_hang(j, 1))); /* they came back */
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

static void any_length_of_path_will_do(void **state)
{
    (void)state;
    size_t length = strlen(folder);
    for (unsigned i = 0; i < 3; i++) { /* 600 characters */
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

static void refused(void)
{
    struct stat before, after;
    assert_int_equal(lstat(path, &before), 0);
    assert_null(journal_open(path, &e));
    assert_non_null(strstr(e.text, "cannot read the journal"));
    assert_non_null(strstr(e.text, "MISPRINT_JOURNAL"));
    assert_true(e.of_machine);
    assert_int_equal(lstat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino); /* and not replaced */
}

static void a_journal_that_cannot_be_opened_is_no_new_one(void **state)
{
    (void)state;
    assert_int_equal(symlink("journal", path), 0); /* ELOOP, for root too */
    refused();
}

static void a_journal_that_cannot_be_read_is_no_new_one(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path, 0700), 0); /* opens, and EISDIR at the first read */
    refused();
}

static void a_journal_of_another_user_is_no_new_one(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); /* who may read everything */
    write_file("hang 00000000000000ab\n");
    assert_int_equal(chmod(path, 0), 0);
    refused();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_ran_when_the_machine_died_is_known),       TEST(any_length_of_path_will_do),
        TEST(a_journal_that_cannot_be_opened_is_no_new_one), TEST(a_journal_that_cannot_be_read_is_no_new_one),
        TEST(a_journal_of_another_user_is_no_new_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
