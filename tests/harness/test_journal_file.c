/* SPDX-License-Identifier: MIT */
/* The journal's file. Files that are not journals stay unchanged. No damage to a journal lets a case that
 * hung run again. */
#include "harness/launch/journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES_MAX = 4096 };

static char folder[64], path[128];
static struct error e;

static int begin(void **state)
{
    (void)state;
    e = (struct error){0};
    snprintf(folder, sizeof folder, "/tmp/test_journal.XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/journal", folder);
    alarm(120); /* ends the test if opening a FIFO blocks */
    return 0;
}

static int end(void **state)
{
    (void)state;
    char command[128];
    alarm(0);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void write_bytes(const char *to, const void *bytes, size_t count)
{
    FILE *f = fopen(to, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, count, f), count);
    assert_int_equal(fclose(f), 0);
}

static void write_text(const char *text)
{
    write_bytes(path, text, strlen(text));
}

static size_t read_bytes(char bytes[BYTES_MAX])
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t count = fread(bytes, 1, BYTES_MAX, f);
    assert_int_equal(fclose(f), 0);
    assert_in_range(count, 0, BYTES_MAX - 1);
    bytes[count] = 0;
    return count;
}

static struct journal *opened(void)
{
    e = (struct error){0};
    struct journal *j = journal_open(path, &e);
    assert_string_equal(e.text, "");
    assert_non_null(j);
    return j;
}

/* The journal must not open. The message must contain each of the words, and the file must stay unchanged. */
static void refused_with(const char *const *words, const void *bytes, size_t count)
{
    char after[BYTES_MAX];
    struct stat before, now;
    e = (struct error){0};
    assert_int_equal(lstat(path, &before), 0);
    struct journal *j = journal_open(path, &e);
    assert_null(j);
    for (; *words; words++)
        if (!strstr(e.text, *words))
            fail_msg("no '%s' in: %s", *words, e.text);
    assert_int_equal(lstat(path, &now), 0);
    assert_true(before.st_ino == now.st_ino && before.st_mode == now.st_mode);
    if (bytes) {
        assert_int_equal(read_bytes(after), count);
        assert_memory_equal(after, bytes, count);
    }
}
#define REFUSED(bytes, count, ...) refused_with((const char *const[]){__VA_ARGS__, NULL}, bytes, count)

static unsigned files_in_folder(void)
{
    unsigned count = 0;
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *f; (f = readdir(d));)
        count += f->d_name[0] != '.';
    (void)closedir(d);
    return count;
}

/* ---- files that are not journals ---- */

static void other_files_are_not_changed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "Dear reader,\nthis is a letter.\n",
        "letter",
        "\n",
        "end\n",
        "begin\nend\n",           /* also valid Pascal */
        "begin 0123456789abcdef", /* the only line is incomplete */
        "hang 0123456789ABCDEF\n",
        "hang 0123456789abcde\n",
        "hang 0123456789abcdef \n",
        "suspect 0123456789abcdef\n",
        "misprint-journa\n",
        "misprint-case 1 vc4-qpu\n",
    };
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        write_text(texts[i]);
        REFUSED(texts[i], strlen(texts[i]), path, "not a Misprint journal", "MISPRINT_JOURNAL");
        assert_false(e.of_machine);
    }
    static const char binary[] = "\177ELF\2\1\1\0\0\0\0\0begin\n";
    write_bytes(path, binary, sizeof binary);
    REFUSED(binary, sizeof binary, "not a Misprint journal");
    assert_int_equal(files_in_folder(), 1);
}

/* A journal is never empty. So an empty file lost its content, and only the user may go on without it. */
static void an_empty_file_is_no_journal(void **state)
{
    (void)state;
    write_text("");
    REFUSED("", 0, path, "is empty", "rm '");
}

static void only_a_regular_file_is_a_journal(void **state)
{
    (void)state;
    char other[160];
    assert_int_equal(mkdir(path, 0700), 0);
    REFUSED(NULL, 0, "not a Misprint journal", "a folder", "MISPRINT_JOURNAL");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(mkfifo(path, 0700), 0);
    REFUSED(NULL, 0, "not a Misprint journal", "no regular file");
    assert_int_equal(unlink(path), 0);
    snprintf(other, sizeof other, "%s/other", folder);
    write_bytes(other, "hang 00000000000000ab\n", 22);
    assert_int_equal(symlink("other", path), 0);
    REFUSED("hang 00000000000000ab\n", 22, "not a Misprint journal", "a symbolic link");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("journal", path), 0);
    REFUSED(NULL, 0, "a symbolic link");
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "/dev/null");
    REFUSED(NULL, 0, "/dev/null", "no regular file");
}

/* The journal changes no file beside it. Earlier versions used one named "journal.new". */
static void files_beside_it_are_not_changed(void **state)
{
    (void)state;
    char beside[160], kept[16] = {0};
    snprintf(beside, sizeof beside, "%s.new", path);
    write_bytes(beside, "a letter", 8);
    struct journal *j = opened();
    assert_true(journal_hang(j, 5, &e));
    journal_close(j);
    journal_close(opened());
    FILE *f = fopen(beside, "r");
    assert_non_null(f);
    assert_int_equal(fread(kept, 1, sizeof kept, f), 8);
    assert_int_equal(fclose(f), 0);
    assert_string_equal(kept, "a letter");
    assert_int_equal(files_in_folder(), 2);
}

/* ---- versions ---- */

static void a_journal_of_version_1_is_read_and_kept(void **state)
{
    (void)state;
    char bytes[BYTES_MAX];
    write_text("hang 00000000000000ab\nbegin 0000000000000001 0000000000000002\nend\nbegin\nend\n"
               "hang 00000000000000cd\n"
               "begin 0000000000000003 0000000000000004\n");
    for (unsigned round = 0; round < 2; round++) {
        struct journal *j = opened();
        assert_true(journal_knows_hang(j, 0xab) && journal_knows_hang(j, 0xcd));
        assert_true(journal_suspects(j, 3) && journal_suspects(j, 4) && !journal_suspects(j, 1));
        journal_close(j);
        (void)read_bytes(bytes);
        assert_memory_equal(bytes, "misprint-journal 2 ", 19);
    }
}

static void a_strange_line_of_version_1_is_an_error(void **state)
{
    (void)state;
    static const char *const lines[] = {"hang 0123456789abcdeg\n",
                                        "hang\n",
                                        "hunt 0123456789abcdef\n",
                                        "\n",
                                        " end\n",
                                        "end \n",
                                        "end\r\n",
                                        "begin 0123\n",
                                        "end 0123456789abcdef\n",
                                        "misprint-journal 2 0 00000000\n",
                                        "hang 01x",
                                        "letter"};
    char text[160];
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(text, sizeof text, "hang 00000000000000ab\n%s", lines[i]);
        write_text(text);
        REFUSED(text, strlen(text), path, "line 2", "mv '", ".old'");
    }
}

static void a_newer_version_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"misprint-journal 3 x\n", "misprint-journal 10 0 01234567\nhang\n"};
    for (unsigned i = 0; i < 2; i++) {
        write_text(texts[i]);
        const char *version = i ? "version 10;" : "version 3;";
        REFUSED(texts[i], strlen(texts[i]), path, "newer Misprint", version, "MISPRINT_JOURNAL");
    }
    write_text("misprint-journal 1 0 01234567\n");
    REFUSED(NULL, 0, "line 1");
}

/* ---- damage ---- */

/* What make_journal puts into the journal: hangs, suspects of an earlier crash, and the cases that were
 * running last. */
static const uint64_t hangs[] = {8, 9, 0xfedcba9876543210}, early[] = {2, 3}, late[] = {20, 21, 22};
enum { HANGS = 3, EARLY = 2, LATE = 3 };

static size_t make_journal(char bytes[BYTES_MAX])
{
    const uint64_t together[] = {1, 2, 3};
    struct journal *j = opened();
    assert_true(journal_hang(j, hangs[0], &e) && journal_begin(j, together, 3, &e));
    journal_close(j);
    j = opened();
    assert_true(journal_begin(j, together, 1, &e) &&
                journal_end(j, &e)); /* case 1 then runs alone and ends, so it is no suspect any more */
    for (unsigned i = 1; i < HANGS; i++)
        assert_true(journal_begin(j, together, 3, &e) && journal_end(j, &e) && journal_hang(j, hangs[i], &e));
    const uint64_t well[] = {31, 32};
    assert_true(journal_begin(j, well, 2, &e) && journal_end(j, &e) && journal_begin(j, late, LATE, &e));
    journal_close(j);
    return read_bytes(bytes);
}

static unsigned known(const struct journal *j, const uint64_t *hashes, unsigned count)
{
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        n += journal_knows_hang(j, hashes[i]) || journal_suspects(j, hashes[i]);
    return n;
}

enum verdict { REFUSED_FILE, KNOWS_ALL, LOST_LATE, LOST_MORE };

static enum verdict verdict_of(const void *bytes, size_t count)
{
    char after[BYTES_MAX];
    (void)unlink(path);
    write_bytes(path, bytes, count);
    e = (struct error){0};
    struct journal *j = journal_open(path, &e);
    if (!j) {
        assert_int_equal(read_bytes(after), count); /* the file stays unchanged */
        assert_memory_equal(after, bytes, count);
        assert_true(e.text[0]);
        return REFUSED_FILE;
    }
    bool all = known(j, early, EARLY) == EARLY;
    for (unsigned i = 0; i < HANGS; i++)
        all = all && journal_knows_hang(j, hangs[i]);
    bool lately = known(j, late, LATE) == LATE;
    journal_close(j);
    return all && lately ? KNOWS_ALL : all ? LOST_LATE : LOST_MORE;
}

static void the_journal_below_knows_all(void **state)
{
    (void)state;
    char bytes[BYTES_MAX];
    size_t count = make_journal(bytes);
    assert_int_equal(verdict_of(bytes, count), KNOWS_ALL);
    struct journal *j = opened();
    assert_false(journal_suspects(j, 1) || journal_suspects(j, 31));
    journal_close(j);
}

static void no_changed_byte_lets_a_case_run_again(void **state)
{
    (void)state;
    char bytes[BYTES_MAX], changed[BYTES_MAX];
    const size_t count = make_journal(bytes);
    for (size_t at = 0; at < count; at++) {
        static const char values[] = {'0', '1', 'a', 'f', 'g', 'e', ' ', '\n', '\r', '\0', (char)0xff};
        for (unsigned i = 0; i < sizeof values + 8; i++) {
            memcpy(changed, bytes, count);
            if (i < sizeof values)
                changed[at] = values[i];
            else
                changed[at] = (char)(bytes[at] ^ 1 << (i - sizeof values));
            enum verdict v = verdict_of(changed, count);
            if (v != (changed[at] == bytes[at] ? KNOWS_ALL : REFUSED_FILE))
                fail_msg("byte %zu of %zu, 0x%02x: %d", at, count, (unsigned char)changed[at], (int)v);
        }
    }
}

static void no_inserted_byte_lets_a_case_run_again(void **state)
{
    (void)state;
    static const char values[] = {'0', 'a', 'e', 'h', ' ', '\n', '\0', 'x'};
    char bytes[BYTES_MAX], changed[BYTES_MAX];
    const size_t count = make_journal(bytes);
    for (size_t at = 0; at <= count; at++)
        for (unsigned i = 0; i < sizeof values; i++) {
            memcpy(changed, bytes, at);
            changed[at] = values[i];
            memcpy(changed + at + 1, bytes + at, count - at);
            enum verdict v = verdict_of(changed, count + 1);
            if (v != REFUSED_FILE && v != KNOWS_ALL)
                fail_msg("before byte %zu of %zu, 0x%02x: cases are forgotten", at, count, values[i]);
        }
}

/* Without its line end, the last line counts as still being written; then none of its cases has started. */
static void no_deleted_byte_lets_a_case_run_again(void **state)
{
    (void)state;
    char bytes[BYTES_MAX], changed[BYTES_MAX];
    const size_t count = make_journal(bytes);
    for (size_t at = 0; at < count; at++) {
        memcpy(changed, bytes, at);
        memcpy(changed + at, bytes + at + 1, count - at - 1);
        enum verdict v = verdict_of(changed, count - 1);
        if (v != REFUSED_FILE && v != (at + 1 == count ? LOST_LATE : KNOWS_ALL))
            fail_msg("without byte %zu of %zu: cases are forgotten", at, count);
    }
}

/* A truncated journal equals an older journal, from before the last launches. So it can lose only these
 * launches. */
static void no_truncation_lets_a_case_that_hung_run_again(void **state)
{
    (void)state;
    char bytes[BYTES_MAX], changed[BYTES_MAX];
    const size_t count = make_journal(bytes);
    unsigned refusals = 0, late_lost = 0;
    for (size_t size = 0; size < count; size++) {
        enum verdict v = verdict_of(bytes, size);
        if (v == LOST_MORE)
            fail_msg("cut off after %zu of %zu bytes: cases are forgotten", size, count);
        refusals += v == REFUSED_FILE;
        late_lost += v == LOST_LATE;
        for (size_t nuls = 1; nuls < 40; nuls += 9) { /* after a power cut a file system may leave NULs */
            memcpy(changed, bytes, size);
            memset(changed + size, 0, nuls);
            if (verdict_of(changed, size + nuls) == LOST_MORE)
                fail_msg("%zu of %zu bytes, then %zu NULs: cases are forgotten", size, count, nuls);
        }
    }
    assert_true(refusals > 100 && late_lost > 50);
}

static char *put(char *to, const char *from, const char *end)
{
    memcpy(to, from, (size_t)(end - from));
    return to + (end - from);
}

static void no_removed_moved_or_copied_line_lets_a_case_run_again(void **state)
{
    (void)state;
    char bytes[BYTES_MAX], changed[2 * BYTES_MAX];
    const size_t count = make_journal(bytes);
    const char *line[32] = {bytes};
    unsigned lines = 0;
    for (const char *at = bytes; (at = memchr(at, '\n', (size_t)(bytes + count - at)));)
        line[++lines] = ++at;
    assert_int_equal(lines, 8);
    for (unsigned a = 0; a < lines; a++) {
        for (unsigned b = 0; b <= lines; b++) /* moves or copies line a before line b */
            for (unsigned copied = 0; copied < 2; copied++) {
                char *to = changed;
                for (unsigned n = 0; n <= lines; n++) {
                    to = n == b ? put(to, line[a], line[a + 1]) : to;
                    to = n < lines && (n != a || copied) ? put(to, line[n], line[n + 1]) : to;
                }
                bool same = !copied && (b == a || b == a + 1);
                enum verdict v = verdict_of(changed, (size_t)(to - changed));
                assert_int_equal(v, same ? KNOWS_ALL : REFUSED_FILE);
            }
        char *to = put(put(changed, bytes, line[a]), line[a + 1], bytes + count);
        enum verdict v = verdict_of(changed, (size_t)(to - changed));
        assert_int_equal(v, a + 1 == lines ? LOST_LATE : REFUSED_FILE);
    }
}

static void the_message_names_the_line_and_the_remedy(void **state)
{
    (void)state;
    char bytes[BYTES_MAX];
    size_t count = make_journal(bytes);
    char *line = memchr(bytes, '\n', count);
    assert_non_null(line);
    line[10] ^= 1; /* changes a digit of the first hash, in line 2 */
    write_bytes(path, bytes, count);
    REFUSED(bytes, count, path, "line 2", "checksum", "the board does not start", "mv '", ".old'");
    assert_true(e.of_machine);
    char command[300];
    snprintf(command, sizeof command, "mv '%s' '%s.old'", path, path);
    assert_non_null(strstr(e.text, command));
    assert_int_equal(system(command), 0);
    journal_close(opened());
}

/* After a power cut the last line may be incomplete, and NULs that the file system added may follow. */
static void a_torn_last_line_is_no_error(void **state)
{
    (void)state;
    static const char *const tails[] = {"begin ", "begin 0000000000000063", "begin 0000000000000063 0", "en"};
    char bytes[BYTES_MAX];
    struct journal *j = opened();
    assert_true(journal_hang(j, 8, &e));
    journal_close(j);
    size_t count = read_bytes(bytes);
    for (unsigned i = 0; i < sizeof tails / sizeof *tails; i++)
        for (unsigned nuls = 0; nuls < 2000; nuls += 1999) {
            size_t tail = strlen(tails[i]);
            memcpy(bytes + count, tails[i], tail);
            memset(bytes + count + tail, 0, nuls);
            write_bytes(path, bytes, count + tail + nuls);
            j = opened();
            assert_true(journal_knows_hang(j, 8));
            assert_false(journal_knows_hang(j, 0x63) || journal_suspects(j, 0x63));
            journal_close(j);
        }
    memset(bytes + count, 0, 2000);
    write_bytes(path, bytes, count + 2000); /* only NULs after the last complete line */
    journal_close(opened());
    write_bytes(path, bytes, count);
    FILE *f = fopen(path, "a"); /* a hang counts as soon as its hash is complete, even without its checksum */
    assert_true(f && fputs("hang 0000000000000063 0", f) > 0 && fclose(f) == 0);
    j = opened();
    assert_true(journal_knows_hang(j, 0x63));
    journal_close(j);
}

/* ---- use ---- */

static void a_suspect_stays_one_until_it_has_run_alone(void **state)
{
    (void)state;
    const uint64_t together[] = {1, 2, 3}, others[] = {7, 8};
    struct journal *j = opened();
    assert_true(journal_begin(j, together, 3, &e));
    journal_close(j);
    for (unsigned round = 0; round < 3; round++) { /* launches of other cases do not clear the suspects */
        j = opened();
        for (unsigned i = 0; i < 3; i++)
            assert_true(journal_suspects(j, together[i]));
        assert_true(journal_begin(j, others, 2, &e) && journal_end(j, &e));
        journal_close(j);
    }
    j = opened();
    assert_true(journal_begin(j, together + 1, 1, &e) && journal_end(j, &e));
    assert_false(journal_suspects(j, 2));
    journal_close(j);
    j = opened();
    assert_true(journal_suspects(j, 1) && journal_suspects(j, 3));
    assert_false(journal_suspects(j, 2) || journal_knows_hang(j, 2));
    journal_close(j);
}

static void two_processes_do_not_share_it(void **state)
{
    (void)state;
    struct journal *j = opened();
    REFUSED(NULL, 0, path, "in use by another Misprint", "MISPRINT_JOURNAL");
    assert_true(e.of_machine);
    assert_true(journal_hang(j, 5, &e)); /* replaces the file; the new file must be locked, too */
    REFUSED(NULL, 0, "in use by another Misprint");
    journal_close(j);
    j = opened();
    assert_true(journal_knows_hang(j, 5));
    journal_close(j);
}

/* Uses up all descriptors, so that the journal cannot open its folder. (Removing the folder's rights would
 * not stop root.) */
static void a_folder_that_cannot_be_synced_is_an_error(void **state)
{
    (void)state;
    struct rlimit before, one_more;
    int next = dup(0);
    assert_true(next >= 0 && close(next) == 0 && getrlimit(RLIMIT_NOFILE, &before) == 0);
    one_more = (struct rlimit){.rlim_cur = (rlim_t)next + 1, .rlim_max = before.rlim_max};
    e = (struct error){0};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &one_more), 0);
    struct journal *j = journal_open(path, &e);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_null(j);
    assert_true(e.of_machine);
    assert_non_null(strstr(e.text, "cannot sync the folder of the journal"));
    assert_non_null(strstr(e.text, "MISPRINT_JOURNAL"));
    j = opened();
    assert_true(journal_hang(j, 5, &e));
    journal_close(j);
}

/* If someone moves the journal away while it is in use, it keeps its lines, and it does not overwrite a new
 * file at its old path. */
static void a_file_in_its_place_is_not_changed(void **state)
{
    (void)state;
    char away[160], bytes[BYTES_MAX];
    snprintf(away, sizeof away, "%s.old", path);
    struct journal *j = opened();
    assert_int_equal(rename(path, away), 0);
    write_text("a letter\n");
    assert_true(journal_hang(j, 5, &e));
    journal_close(j);
    assert_int_equal(read_bytes(bytes), 9);
    assert_int_equal(rename(away, path), 0);
    j = opened();
    assert_true(journal_knows_hang(j, 5));
    journal_close(j);
}

/* The journal writes its file anew only after it has grown by a megabyte. A case takes 17 bytes. */
static void it_is_written_anew_when_it_has_grown(void **state)
{
    (void)state;
    enum { CASES = 100, SOON = 100, GROWN = (1 << 20) / (17 * CASES) + 20 };
    uint64_t hashes[CASES];
    struct stat first, now;
    struct journal *j = opened();
    for (unsigned i = 0; i < CASES; i++)
        hashes[i] = i + 1;
    assert_int_equal(stat(path, &first), 0);
    for (unsigned i = 1; i <= GROWN; i++) {
        assert_true(journal_begin(j, hashes, CASES, &e) && journal_end(j, &e));
        assert_int_equal(stat(path, &now), 0);
        if (i == SOON)
            assert_true(now.st_ino == first.st_ino && now.st_size > first.st_size + 17 * CASES * SOON);
    }
    assert_true(now.st_ino != first.st_ino && now.st_size < 1 << 20);
    journal_close(j);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(other_files_are_not_changed),
        TEST(an_empty_file_is_no_journal),
        TEST(only_a_regular_file_is_a_journal),
        TEST(files_beside_it_are_not_changed),
        TEST(a_journal_of_version_1_is_read_and_kept),
        TEST(a_strange_line_of_version_1_is_an_error),
        TEST(a_newer_version_is_refused),
        TEST(the_journal_below_knows_all),
        TEST(no_changed_byte_lets_a_case_run_again),
        TEST(no_inserted_byte_lets_a_case_run_again),
        TEST(no_deleted_byte_lets_a_case_run_again),
        TEST(no_truncation_lets_a_case_that_hung_run_again),
        TEST(no_removed_moved_or_copied_line_lets_a_case_run_again),
        TEST(the_message_names_the_line_and_the_remedy),
        TEST(a_torn_last_line_is_no_error),
        TEST(a_suspect_stays_one_until_it_has_run_alone),
        TEST(two_processes_do_not_share_it),
        TEST(a_folder_that_cannot_be_synced_is_an_error),
        TEST(a_file_in_its_place_is_not_changed),
        TEST(it_is_written_anew_when_it_has_grown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
