/* SPDX-License-Identifier: MIT */
/* Traces can be read back, damage at every byte is found, and full disks are reported; and the trace board.
 * The outcomes are made up, and no unit runs. */
#include "oracle/files/trace.h"

#include "harness/protocol/protocol.h"
#include "model/number/bytes.h"
#include "model/number/random.h"
#include "oracle/files/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

static char directory[] = "/tmp/misprint-trace-XXXXXX";
static char path[64], other[64];
static const struct unit *u;
static struct test_case tc, back;

static const struct board_identity someone = {.spec = "exec:my-pi",
                                              .kind = "exec",
                                              .description = "a Pi on a desk",
                                              .provenance = "measured by somebody, MIT",
                                              .silicon = true,
                                              .memory_base = 0xC0000000,
                                              .code_base = 0xC0010000};

/* Makes a case and an outcome of the case from `seed`: a few rows, some with masks. */
static void make_up(uint64_t seed, struct test_case *c, struct outcome *o)
{
    struct random r;
    random_seed(&r, seed);
    uint8_t bytes[400];
    size_t count = random_below(&r, sizeof bytes);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)random_u32(&r);
    case_decode(c, u, bytes, count);
    outcome_reset(o, c);
    o->complete = random_one_in(&r, 2);
    o->checked = true;
    o->end = random_one_in(&r, 4) ? END_HANG : END_DONE;
    for (uint32_t i = random_below(&r, 4); i > 0; i--) {
        uint32_t row = random_below(&r, u->layout.rows), width = u->layout.row_words;
        const struct region *g = layout_region(&u->layout, row);
        for (uint32_t n = 0; n < g->cols; n++) {
            o->value[row * width + n] = random_u32(&r) >> (32 - g->bits);
            o->defined[row * width + n] = random_one_in(&r, 2) ? UINT32_MAX : random_u32(&r);
        }
        outcome_touch(o, row);
    }
}

static void write_trace(const char *to, unsigned records)
{
    struct error e = {0};
    struct outcome *o = outcome_new(u);
    struct trace_writer *w = trace_create(to, u, &someone, &e);
    if (!w)
        fail_msg("%s", e.text);
    for (unsigned i = 0; i < records; i++) {
        char label[32] = "";
        if (i % 7)
            snprintf(label, sizeof label, "made up:%u", i);
        make_up(i, &tc, o);
        assert_true(trace_add(w, &tc, o, label, &e));
    }
    if (!trace_finish(w, &e))
        fail_msg("%s", e.text);
    outcome_free(o);
}

/* Returns the first seed that gives the same case. If a trace has equal cases, a trace board answers with the
 * outcome of the first one. */
static unsigned first_of(unsigned seed, struct outcome *o)
{
    static struct test_case wanted;
    make_up(seed, &wanted, o);
    for (unsigned i = 0; i < seed; i++) {
        make_up(i, &tc, o);
        if (case_equal(&tc, &wanted))
            return i;
    }
    return seed;
}

/* Compares the binary forms, because these contain everything. */
static void assert_same_outcome(const struct outcome *a, const struct outcome *b)
{
    static uint8_t x[OUTCOME_BYTES_MAX], y[OUTCOME_BYTES_MAX];
    size_t m = outcome_encode(a, x, sizeof x), n = outcome_encode(b, y, sizeof y);
    assert_int_equal(m, n);
    assert_memory_equal(x, y, m);
}

static void records_come_back(void **state)
{
    (void)state;
    enum { RECORDS = 3000 };
    write_trace(path, RECORDS);
    struct error e = {0};
    struct trace_reader *r = trace_open(path, &e);
    if (!r)
        fail_msg("%s", e.text);
    assert_ptr_equal(trace_unit(r), u);
    const struct board_identity *who = trace_identity(r);
    assert_string_equal(who->spec, someone.spec);
    assert_string_equal(who->kind, someone.kind);
    assert_string_equal(who->description, someone.description);
    assert_string_equal(who->provenance, someone.provenance);
    assert_true(who->silicon);
    assert_true(trace_identity(r)->memory_base == 0xC0000000 && trace_identity(r)->code_base == 0xC0010000);
    struct outcome *o = outcome_new(u), *expected = outcome_new(u);
    unsigned count = 0;
    const char *label;
    int got;
    for (; (got = trace_next(r, &back, o, &label, &e)) > 0; count++) {
        make_up(count, &tc, expected);
        assert_true(case_equal(&tc, &back));
        assert_same_outcome(expected, o);
        assert_int_equal(*label == 0, count % 7 == 0);
    }
    assert_int_equal(got, 0);
    assert_int_equal(count, RECORDS);
    assert_int_equal(trace_next(r, &back, o, &label, &e), 0); /* the reader stays at the trace's end */
    trace_close(r);
    outcome_free(o);
    outcome_free(expected);
}

static void large_traces_have_many_blocks(void **state)
{
    (void)state;
    enum { RECORDS = 20000 }; /* about 7 MB before compression: two blocks */
    write_trace(other, RECORDS);
    struct error e = {0};
    struct trace_reader *r = trace_open(other, &e);
    struct trace_record record;
    unsigned count = 0;
    size_t bytes = 0;
    while (trace_next_record(r, &record, &e) > 0) {
        count++;
        bytes += record.case_size + record.outcome_size;
    }
    assert_int_equal(count, RECORDS);
    assert_true(bytes > 4 << 20);
    trace_close(r);
}

/* Reads a whole trace. Returns true if nothing was wrong. */
static bool reads(const char *from, struct error *e)
{
    struct trace_reader *r = trace_open(from, e);
    if (!r)
        return false;
    static struct outcome *o;
    if (!o)
        o = outcome_new(u);
    int got;
    while ((got = trace_next(r, &back, o, NULL, e)) > 0)
        ;
    trace_close(r);
    return got == 0;
}

static void write_file(const char *to, const void *bytes, size_t count)
{
    FILE *f = fopen(to, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, count, f), count);
    assert_int_equal(fclose(f), 0);
}

static void assert_refused(const char *bytes, size_t count, size_t at)
{
    struct error e = {0};
    write_file(other, bytes, count);
    if (reads(other, &e))
        fail_msg("damage at byte %zu was not noticed", at);
    if (strncmp(e.text, other, strlen(other)) != 0 || !strstr(e.text, ": byte "))
        fail_msg("damage at byte %zu: the error names no file and byte: %s", at, e.text);
}

static void damage_is_noticed_everywhere(void **state)
{
    (void)state;
    write_trace(path, 6);
    struct error e = {0};
    size_t count;
    char *bytes = file_read(path, &count, &e), *copy = malloc(count + 1);
    assert_non_null(bytes);
    assert_true(reads(path, &e));
    for (size_t at = 0; at < count; at++) {
        memcpy(copy, bytes, count);
        copy[at] = (char)(copy[at] ^ (1 << at % 8));
        assert_refused(copy, count, at);
        assert_refused(bytes, at, at); /* the file ends here */
    }
    memcpy(copy, bytes, count);
    copy[count] = 0;
    assert_refused(copy, count + 1, count); /* another byte follows the end */
    print_message("a trace of %zu bytes: every damaged byte, every truncation noticed\n", count);
    free(bytes);
    free(copy);
}

/* --- files made by hand, by the layout in oracle/files/trace_format.h */

enum { LINK = 32, BLOCK_HEAD = 20 };

struct forged {
    uint8_t bytes[1 << 16];
    size_t count;
};

static void put(struct forged *f, const void *bytes, size_t count)
{
    assert_true(f->count + count <= sizeof f->bytes);
    memcpy(f->bytes + f->count, bytes, count);
    f->count += count;
}

static void put_sum(struct forged *f)
{
    uint8_t sum[8];
    put_u64(sum, XXH64(f->bytes, f->count, 0));
    put(f, sum, sizeof sum);
}

/* Writes a copy of the block with one bit flipped (SIZE_MAX: none), compressed again and with a new checksum.
 * Keeps the block's link, or leaves it out if the version has no links. */
static void put_block(struct forged *f, unsigned version, const uint8_t *block, size_t flip)
{
    static uint8_t raw[1 << 20], packed[1 << 16];
    uint8_t head[BLOCK_HEAD];
    size_t size = ZSTD_decompress(raw, sizeof raw, block + BLOCK_HEAD + LINK, get_u32(block));
    assert_int_equal(size, get_u32(block + 4));
    if (flip < size)
        raw[flip] ^= 1;
    size_t packed_size = ZSTD_compress(packed, sizeof packed, raw, size, 19);
    memcpy(head, block, sizeof head);
    put_u32(head, (uint32_t)packed_size);
    put_u64(head + 12, XXH64(raw, size, 0));
    put(f, head, sizeof head);
    if (version > 1)
        put(f, block + BLOCK_HEAD, LINK);
    put(f, packed, packed_size);
}

/* Writes a copy of the trace at `path` in this version, with one bit of its header or first block flipped
 * (SIZE_MAX: none). All checksums are right. */
static void forge(struct forged *f, unsigned version, size_t flip_header, size_t flip_block)
{
    struct error e = {0};
    size_t count;
    uint8_t *whole = (uint8_t *)file_read(path, &count, &e), head[16];
    assert_non_null(whole);
    size_t header = get_u32(whole + 12), at = 16 + header + 8;
    memcpy(head, whole, sizeof head);
    put_u32(head + 8, version);
    if (flip_header < header)
        whole[16 + flip_header] ^= 1;
    f->count = 0;
    put(f, head, sizeof head);
    put(f, whole + 16, header);
    put_sum(f);
    for (; get_u32(whole + at); at += BLOCK_HEAD + LINK + get_u32(whole + at)) {
        put_block(f, version, whole + at, flip_block);
        flip_block = SIZE_MAX;
    }
    put(f, whole + at, BLOCK_HEAD + (version > 1 ? LINK : 0));
    put_sum(f);
    free(whole);
    write_file(other, f->bytes, f->count);
}

/* If somebody changes a record or the board's identity, and corrects all checksums, the chain still reveals
 * the change and its place. */
static void corrected_checksums_do_not_hide_a_change(void **state)
{
    (void)state;
    static struct forged f;
    struct error e = {0};
    struct trace_facts whole, facts;
    write_trace(path, 6);
    assert_true(trace_verify(path, &whole, &e));
    assert_int_equal(whole.part[0].records, 6);
    forge(&f, 2, SIZE_MAX, SIZE_MAX); /* an unchanged copy is valid */
    assert_true(trace_verify(other, &facts, &e) && facts.part[0].chained);
    assert_string_equal(facts.part[0].head, whole.part[0].head);
    unsigned refused = 0;
    for (size_t flip = 6 * 12; flip < 500; flip++, refused++) { /* the lengths come first, then the cases */
        forge(&f, 2, SIZE_MAX, flip);
        assert_false(trace_verify(other, &facts, &e));
        assert_true(facts.damaged);
        assert_non_null(strstr(e.text, "records 1 to 6"));
        assert_non_null(strstr(e.text, "the chain"));
    }
    const char *header = strstr((const char *)f.bytes + 16, "a Pi on a desk");
    assert_non_null(header);
    forge(&f, 2, (size_t)(header - (const char *)f.bytes) - 16, SIZE_MAX);
    assert_false(trace_verify(other, &facts, &e));
    assert_non_null(strstr(e.text, "or the header"));
    print_message("%u changed records with right checksums, all noticed\n", refused);
}

/* Misprint still reads version 1, which has no chain. */
static void version_1_is_read(void **state)
{
    (void)state;
    static struct forged f;
    struct error e = {0};
    struct trace_facts facts;
    write_trace(path, 6);
    forge(&f, 1, SIZE_MAX, SIZE_MAX);
    assert_true(reads(other, &e));
    assert_true(trace_verify(other, &facts, &e));
    assert_false(facts.part[0].chained);
    assert_int_equal(facts.part[0].records, 6);
    forge(&f, 3, SIZE_MAX, SIZE_MAX);
    assert_false(trace_verify(other, &facts, &e));
    assert_false(facts.damaged);
    assert_non_null(strstr(e.text, "version 3"));
}

/* Appends the file `path` to the file `other`. */
static void join(void)
{
    struct error e = {0};
    size_t count[2];
    char *bytes[] = {file_read(other, &count[0], &e), file_read(path, &count[1], &e)};
    assert_true(bytes[0] && bytes[1]);
    bytes[0] = realloc(bytes[0], count[0] + count[1]);
    memcpy(bytes[0] + count[0], bytes[1], count[1]);
    write_file(other, bytes[0], count[0] + count[1]);
    free(bytes[0]);
    free(bytes[1]);
}

static void traces_of_several_units_are_joined(void **state)
{
    (void)state;
    struct error e = {0};
    struct trace_facts facts;
    const struct unit *was = u;
    write_trace(other, 3);
    u = unit_at(u == unit_at(0) ? 1 : 0);
    write_trace(path, 4);
    join();
    assert_true(trace_verify(other, &facts, &e));
    assert_int_equal(facts.parts, 2);
    assert_ptr_equal(facts.part[0].unit, was);
    assert_ptr_equal(facts.part[1].unit, u);
    assert_true(facts.part[0].records == 3 && facts.part[1].records == 4);
    struct trace_reader *r = trace_open_unit(other, u, &e); /* the records of the second part come back */
    assert_non_null(r);
    struct outcome *o = outcome_new(u), *expected = outcome_new(u);
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(trace_next(r, &back, o, NULL, &e), 1);
        make_up(i, &tc, expected);
        assert_true(case_equal(&tc, &back));
        assert_same_outcome(expected, o);
    }
    assert_int_equal(trace_next(r, &back, o, NULL, &e), 0);
    assert_int_equal(trace_next_part(r, &e), 0);
    trace_close(r);
    outcome_free(o);
    outcome_free(expected);
    assert_null(trace_open_unit(other, unit_at(2), &e));
    assert_non_null(strstr(e.text, was->name));
    assert_non_null(strstr(e.text, u->name));
    join(); /* a second part of a unit */
    assert_false(trace_verify(other, &facts, &e));
    assert_non_null(strstr(e.text, "a second part"));
    u = was;
    write_trace(other, 3);
    size_t count;
    char *bytes = file_read(path, &count, &e);
    FILE *f = fopen(other, "ab"); /* half of a second part */
    assert_true(f && fwrite(bytes, 1, count / 2, f) == count / 2 && fclose(f) == 0);
    free(bytes);
    assert_false(trace_verify(other, &facts, &e));
    assert_true(facts.damaged);
}

static void random_files_are_no_traces(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 3);
    struct error e = {0};
    write_trace(path, 40);
    size_t count;
    char *bytes = file_read(path, &count, &e), *copy = malloc(count);
    for (unsigned n = 0; n < 1000; n++) { /* several faults at once, so that later checks happen too */
        memcpy(copy, bytes, count);
        for (unsigned i = 1 + random_below(&r, 6); i > 0; i--)
            copy[random_below(&r, (uint32_t)count)] = (char)random_u32(&r);
        if (memcmp(copy, bytes, count) == 0)
            continue;
        write_file(other, copy, count);
        e.text[0] = 0;
        assert_false(reads(other, &e));
        assert_true(e.text[0] != 0);
    }
    free(bytes);
    free(copy);
}

static void wrong_files_are_explained(void **state)
{
    (void)state;
    struct error e = {0};
    char missing[80];
    snprintf(missing, sizeof missing, "%s/missing.trace", directory);
    assert_null(trace_open(missing, &e));
    assert_non_null(strstr(e.text, missing));
    assert_null(trace_open(directory, &e));
    assert_non_null(strstr(e.text, directory));
    write_file(other, "", 0);
    assert_null(trace_open(other, &e));
    write_file(other, "unit vc4-vpm\n", 13);
    assert_null(trace_open(other, &e));
    assert_non_null(strstr(e.text, other));
    snprintf(missing, sizeof missing, "%s/no/such/place.trace", directory);
    assert_null(trace_create(missing, u, &someone, &e));
    assert_non_null(strstr(e.text, "/no/such/place.trace"));
}

static void full_disk_leaves_the_old_trace(void **state)
{
    (void)state;
    write_trace(path, 5);
    struct stat before, after;
    assert_int_equal(stat(path, &before), 0);
    struct error e = {0};
    struct outcome *o = outcome_new(u);
    struct rlimit limit, small;
    getrlimit(RLIMIT_FSIZE, &limit);
    small = limit;
    small.rlim_cur = 1000; /* acts like a disk of this size, too small for random bytes */
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    struct trace_writer *w = trace_create(path, u, &someone, &e);
    bool ok = w != NULL;
    for (unsigned i = 0; ok && i < 500; i++) {
        make_up(i, &tc, o);
        ok = trace_add(w, &tc, o, "", &e);
    }
    ok = w && trace_finish(w, &e) && ok;
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_false(ok);
    assert_non_null(strstr(e.text, path));
    assert_int_equal(stat(path, &after), 0);
    assert_true(before.st_ino == after.st_ino && before.st_size == after.st_size);
    assert_true(e.of_machine);
    glob_t parts;
    char pattern[80];
    snprintf(pattern, sizeof pattern, "%s*.part", path);
    assert_int_equal(glob(pattern, 0, NULL, &parts), GLOB_NOMATCH);
    outcome_free(o);
}

/* A link stays a link, and its target becomes the trace. A target that is not a regular file is refused. */
static void links_are_followed_and_pipes_refused(void **state)
{
    (void)state;
    struct stat s;
    struct error e = {0};
    char link[80], pipe[80], dangling[80];
    snprintf(link, sizeof link, "%s/link.trace", directory);
    snprintf(pipe, sizeof pipe, "%s/pipe.trace", directory);
    snprintf(dangling, sizeof dangling, "%s/dangling.trace", directory);
    write_trace(path, 5);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(symlink(path, link), 0);
    write_trace(link, 7);
    assert_true(lstat(link, &s) == 0 && S_ISLNK(s.st_mode));
    assert_true(lstat(path, &s) == 0 && S_ISREG(s.st_mode) && (s.st_mode & 0777) == 0600);
    assert_true(reads(path, &e));
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_int_equal(symlink("/no/such/file", dangling), 0);
    const char *const refused[] = {pipe, dangling, directory, "-", ""};
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_null(trace_create(refused[i], u, &someone, &e));
        assert_false(e.of_machine);
        assert_false(trace_check_path(refused[i], &e));
    }
    assert_true(lstat(pipe, &s) == 0 && S_ISFIFO(s.st_mode));
    assert_true(lstat(dangling, &s) == 0 && S_ISLNK(s.st_mode));
    assert_non_null(strstr(e.text, "not a file name"));
    unlink(link);
    unlink(pipe);
    unlink(dangling);
}

static void board_answers_from_a_trace(void **state)
{
    (void)state;
    enum { RECORDS = 500 };
    write_trace(path, RECORDS);
    char spec[80];
    snprintf(spec, sizeof spec, "trace:%s", path);
    struct error e = {0};
    struct board *b = board_open(spec, u, &e);
    if (!b)
        fail_msg("%s", e.text);
    assert_string_equal(b->identity.spec, spec);
    assert_string_equal(b->identity.kind, "trace");
    assert_string_equal(b->identity.description, someone.description);
    assert_true(b->identity.silicon);
    assert_true(b->identity.memory_base == 0xC0000000 && b->identity.code_base == 0xC0010000);
    struct outcome *o = outcome_new(u), *expected = outcome_new(u);
    enum answer answer;
    for (unsigned i = 0; i < RECORDS; i++) {
        unsigned n = (i * 37) % RECORDS; /* another order than in the file */
        make_up(first_of(n, expected), &tc, expected);
        assert_true(board_run_one(b, &tc, o, &answer, &e));
        assert_int_equal(answer, ANSWER_OUTCOME);
        assert_same_outcome(expected, o);
    }
    unsigned unknown = RECORDS;
    while (first_of(unknown, expected) < unknown)
        unknown++;
    make_up(unknown, &tc, expected);
    assert_true(board_run_one(b, &tc, o, &answer, &e));
    assert_int_equal(answer, ANSWER_UNKNOWN);
    board_close(b);
    outcome_free(o);
    outcome_free(expected);
    const struct unit *another = unit_at(1);
    assert_null(board_open(spec, another, &e));
    assert_non_null(strstr(e.text, another->name));
}

static int set_up(void **state)
{
    (void)state;
    u = unit_at(0);
    if (!mkdtemp(directory))
        return -1;
    snprintf(path, sizeof path, "%s/a.trace", directory);
    snprintf(other, sizeof other, "%s/b.trace", directory);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(large_traces_have_many_blocks),
        cmocka_unit_test(damage_is_noticed_everywhere),
        cmocka_unit_test(corrected_checksums_do_not_hide_a_change),
        cmocka_unit_test(version_1_is_read),
        cmocka_unit_test(traces_of_several_units_are_joined),
        cmocka_unit_test(random_files_are_no_traces),
        cmocka_unit_test(wrong_files_are_explained),
        cmocka_unit_test(full_disk_leaves_the_old_trace),
        cmocka_unit_test(links_are_followed_and_pipes_refused),
        cmocka_unit_test(board_answers_from_a_trace),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
