/* SPDX-License-Identifier: MIT */
/*
 * Boards in shared libraries: our own model as a plug-in answers as the virtual board does, for all units.
 * Libraries that crash, hang, write wildly or lie cost the cases in which they do, and no other.
 */
#include "harness/system/clock.h"
#include "harness/system/pages.h"
#include "model/core/memory.h"
#include "oracle/board/board_kind.h"
#include "oracle/board/plugin/plugin_child.h"
#include "oracle/board/plugin/plugin_library.h"
#include "oracle/compare/compare.h"
#include "tests/devices/plugin_bad.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { CASES = 256 };

static struct test_case *tc;
static const struct test_case *list[CASES];

struct answers {
    struct outcome *outcome[CASES];
    enum answer answer[CASES];
    void *memory;
};

static void make_cases(const struct unit *u)
{
    struct random r;
    random_seed(&r, 7);
    for (unsigned i = 0; i < CASES; i++) {
        case_init(&tc[i], u);
        u->generate(&r, &tc[i]);
        list[i] = &tc[i];
    }
}

static struct board *open_board(const struct unit *u, const char *name, const char *options)
{
    struct error e = {0};
    char spec[512];
    snprintf(spec, sizeof spec, "plugin:%s/%s.so%s", MISPRINT_TESTS_BUILD_DIR, name, options);
    struct board *b = board_open(spec, u, &e);
    if (!b)
        fail_msg("%s", e.text);
    return b;
}

static void run(struct board *b, struct answers *a)
{
    struct error e = {0};
    a->memory = pages_of_outcomes(b->unit, CASES, a->outcome);
    if (!board_run(b, list, CASES, a->outcome, a->answer, &e))
        fail_msg("%s", e.text);
}

static void equal_to_virtual(const struct unit *u, const char *options)
{
    struct error e = {0};
    struct answers plugin, virtual;
    struct tally tally = {0};
    struct board *b = open_board(u, "plugin_model", options), *v = board_open("virtual:", u, &e);
    assert_false(b->identity.silicon); /* only a library that says so is silicon */
    make_cases(u);
    run(v, &virtual);
    for (unsigned again = 0; again < 2; again++) {
        run(b, &plugin);
        for (unsigned i = 0; i < CASES; i++) {
            assert_int_equal(plugin.answer[i], ANSWER_OUTCOME);
            assert_int_equal(plugin.outcome[i]->end, virtual.outcome[i]->end);
            assert_memory_equal(plugin.outcome[i]->touched, virtual.outcome[i]->touched,
                                sizeof plugin.outcome[i]->touched);
            assert_true(outcomes_equal(virtual.outcome[i], plugin.outcome[i], &tally, NULL));
        }
        free(plugin.memory);
    }
    assert_true(tally.lanes > 0);
    free(virtual.memory);
    board_close(b);
    board_close(v);
}

static void the_model_as_a_plug_in_answers_as_virtual(void **state)
{
    (void)state;
    for (unsigned i = 0; unit_at(i); i++) {
        equal_to_virtual(unit_at(i), ",inline");
        equal_to_virtual(unit_at(i), "");
    }
}

/* Does tests/devices/plugin_model.c crash in this case? The same rule as there. */
static bool is_crash(const struct test_case *c, unsigned every)
{
    static uint32_t words[CASE_WORDS_MAX];
    return XXH64(words, case_pack(c, words) * sizeof *words, 0) % every == 0;
}

/* The model, which crashes in one case of forty: exactly those have no outcome, and all others have the
 * model's, whichever worker ran them. */
static void crashes_change_no_other_outcome(void **state)
{
    (void)state;
    for (unsigned n = 0; unit_at(n); n++) {
        struct error e = {0};
        struct answers plugin, virtual;
        struct tally tally = {0};
        struct board *b = open_board(unit_at(n), "plugin_model", ",crash=40"),
                     *v = board_open("virtual:", unit_at(n), &e);
        unsigned crashed = 0;
        make_cases(unit_at(n));
        run(v, &virtual);
        for (unsigned again = 0; again < 3; again++) {
            run(b, &plugin);
            for (unsigned i = 0; i < CASES; i++) {
                bool lost = is_crash(&tc[i], 40);
                crashed += lost;
                assert_int_equal(plugin.answer[i], lost ? ANSWER_NOTHING : ANSWER_OUTCOME);
                assert_true(lost || outcomes_equal(virtual.outcome[i], plugin.outcome[i], &tally, NULL));
            }
            free(plugin.memory);
        }
        assert_in_range(crashed, 3, 3 * 40);
        free(virtual.memory);
        board_close(b);
        board_close(v);
    }
}

/* ---- libraries that go wrong ---- */

/* Makes cases of which one in each `every` goes wrong. The others are told apart by their first words. */
static void make_bad_cases(enum bad_way how, unsigned every)
{
    const struct unit *u = unit_named("vc4-vpm");
    for (unsigned i = 0; i < CASES; i++) {
        case_init(&tc[i], u);
        tc[i].words[0] = i % every == every / 2 ? BAD_MARK + how : i;
        list[i] = &tc[i];
    }
}

/* All cases but the bad ones have their right outcomes. Returns the number of bad ones. */
static unsigned check_good_ones(const struct answers *a)
{
    unsigned bad = 0;
    for (unsigned i = 0; i < CASES; i++) {
        if (tc[i].words[0] >> 8 == BAD_MARK >> 8) {
            bad++;
            continue;
        }
        assert_int_equal(a->answer[i], ANSWER_OUTCOME);
        assert_int_equal(a->outcome[i]->end, END_DONE);
        assert_true(outcome_touched(a->outcome[i], 0));
        for (unsigned n = 0; n < 16; n++)
            assert_int_equal(a->outcome[i]->value[n], ~i);
    }
    return bad;
}

static void run_bad_on(const char *name, const char *options, enum bad_way how, unsigned every,
                       enum answer expected, const char *reason)
{
    struct answers a;
    struct board *b = open_board(unit_named("vc4-vpm"), name, options);
    make_bad_cases(how, every);
    for (unsigned again = 0; again < 2; again++) {
        run(b, &a);
        assert_true(check_good_ones(&a) > 0);
        for (unsigned i = 0; i < CASES; i++) {
            if (tc[i].words[0] >> 8 != BAD_MARK >> 8)
                continue;
            assert_int_equal(a.answer[i], expected);
            if (!strstr(board_reason(b, i), reason))
                fail_msg("'%s' lacks '%s'", board_reason(b, i), reason);
        }
        free(a.memory);
    }
    board_close(b);
}

static void run_bad(enum bad_way how, unsigned every, enum answer expected, const char *reason)
{
    run_bad_on("plugin_bad", "", how, every, expected, reason);
}

static void a_crash_costs_one_case(void **state)
{
    (void)state;
    run_bad_on("plugin_bad_one", "", BAD_CRASH, 16, ANSWER_NOTHING, "the library crashed (signal 11");
    run_bad_on("plugin_bad_one", "", BAD_WILD, 64, ANSWER_NOTHING,
               "the library used memory past the end of the case's array `value`, which has 452 rows of 16 ");
    run_bad_on("plugin_bad_one", "", BAD_WRITE, 64, ANSWER_NOTHING, "the library wrote into a case");
    run_bad_on("plugin_bad_one", "", BAD_EXIT_WELL, 64, ANSWER_NOTHING, "it called exit(0)");
    run_bad(BAD_CRASH, CASES, ANSWER_NOTHING, "the library crashed (signal 11");
    run_bad(BAD_CRASH, 16, ANSWER_NOTHING, "the library crashed (signal 11");
    run_bad(BAD_EARLY, 64, ANSWER_NOTHING, "the library crashed (signal 6");
    run_bad(BAD_EXIT, 64, ANSWER_NOTHING, "the library ended its process: it called exit(7)");
    run_bad(BAD_EXIT_WELL, 64, ANSWER_NOTHING, "the library ended its process: it called exit(0)");
    run_bad(BAD_WILD, 64, ANSWER_NOTHING, "the library wrote into a case, which is read-only (signal 11");
    run_bad(BAD_NULL, 64, ANSWER_NOTHING, "the library crashed (signal 11");
    run_bad(BAD_DEEP, 64, ANSWER_NOTHING, "the library crashed (signal 11");
}

#ifndef __has_feature
#define __has_feature(feature) 0 /* a macro of clang */
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Returns how often the library was opened for 32 crashes. */
static unsigned openings(const char *name, enum bad_way how)
{
    char file[] = "/tmp/misprint-openings-XXXXXX", options[64];
    int fd = mkstemp(file);
    (void)snprintf(options, sizeof options, ",count=%s", file);
    run_bad_on(name, options, how, 16, ANSWER_NOTHING, "the library crashed (signal 6");
    off_t count = lseek(fd, 0, SEEK_END);
    close(fd);
    unlink(file);
    return (unsigned)count;
}

/* No case depends on what a library did before it crashed. A process goes on after a crash if its memory is
 * all that changed, so the library opens twice. The sanitizers' memory is too much for that. Then each crash
 * opens it once or twice, because a case of a batch that crashed runs again alone. */
static void a_library_that_crashed_begins_anew(void **state)
{
    (void)state;
    static const char *const names[] = {"plugin_bad", "plugin_bad_one"};
    const unsigned goes_on = SANITIZED ? 100 : 2;
    for (unsigned i = 0; i < 2; i++) {
        assert_in_range(openings(names[i], BAD_STATE), 2, goes_on);
        assert_in_range(openings(names[i], BAD_THREAD), 33, 100);
        assert_in_range(openings(names[i], BAD_GROWTH), 33, 100);
        assert_in_range(openings(names[i], BAD_FILE), 33, 100);
    }
}

/* A library keeps its own handler, and processes that it forks are no worker. */
static void a_crash_that_the_library_survives_costs_nothing(void **state)
{
    (void)state;
    run_bad(BAD_CAUGHT, 16, ANSWER_OUTCOME, "");
    run_bad(BAD_FORKED, 64, ANSWER_OUTCOME, "");
}

/* The next worker can open a device that the kernel takes from the crashed one only later. */
static void a_device_for_one_process_survives_a_crash(void **state)
{
    (void)state;
    char file[] = "/tmp/misprint-device-XXXXXX", options[64];
    close(mkstemp(file));
    (void)snprintf(options, sizeof options, ",alone=%s", file);
    run_bad_on("plugin_bad", options, BAD_CRASH, CASES, ANSWER_NOTHING, "the library crashed (signal 11");
    run_bad_on("plugin_bad", options, BAD_EXIT, CASES, ANSWER_NOTHING, "it called exit(7)");
    unlink(file);
}

static void a_hang_costs_one_case(void **state)
{
    (void)state;
    setenv("MISPRINT_BOARD_TIMEOUT", "0.2", 1);
    run_bad(BAD_HANG, CASES, ANSWER_NOTHING, "no answer within 0.2 s");
    unsetenv("MISPRINT_BOARD_TIMEOUT");
}

/* The limit is for one case: a library that takes longer to open than a case may take loses nothing but the
 * case in which it hangs. It opens again after each hang. */
static void a_slow_start_costs_no_case(void **state)
{
    (void)state;
    struct answers a;
    setenv("MISPRINT_BOARD_TIMEOUT", "0.1", 1);
    struct board *b = open_board(unit_named("vc4-vpm"), "plugin_bad", ",slow");
    make_bad_cases(BAD_HANG, CASES);
    run(b, &a);
    assert_int_equal(check_good_ones(&a), 1);
    assert_string_equal(board_reason(b, CASES / 2), "no answer within 0.1 s");
    free(a.memory);
    board_close(b);
    unsetenv("MISPRINT_BOARD_TIMEOUT");
}

/* One program that hangs with all 16 values that the generator gives it does not end the run; three programs
 * do, and so do 32 cases. */
static void one_program_that_hangs_does_not_end_the_run(void **state)
{
    (void)state;
    enum { MOST = 4 };
    struct test_case *c = memory_new(1, sizeof *c);
    struct random r;
    random_seed(&r, 5);
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        struct board_hangs h = {0};
        case_init(c, u);
        u->generate(&r, c);
        for (unsigned i = 0; i < 16; i++) {
            bool before = board_hangs_too_often(&h, MOST);
            board_hangs_add(&h, c);
            assert_int_equal(before, !u->vary && i >= MOST);
            if (u->vary)
                u->vary(&r, c);
        }
        for (unsigned i = 0; u->vary && i < 16; i++) { /* 32 in all, still the same program */
            assert_false(board_hangs_too_often(&h, MOST));
            board_hangs_add(&h, c);
        }
        assert_true(board_hangs_too_often(&h, MOST));
        h = (struct board_hangs){0};
        for (unsigned i = 0; i < MOST; i++) {
            assert_false(board_hangs_too_often(&h, MOST));
            case_init(c, u);
            u->generate(&r, c);
            board_hangs_add(&h, c);
        }
        assert_true(board_hangs_too_often(&h, MOST));
    }
    free(c);
}

/* A library that hangs in every case: the run fails after eight of them, each with its reason. */
static void many_hangs_in_a_row_are_named(void **state)
{
    (void)state;
    enum { HANGS = 8 };
    struct error e = {0};
    struct answers a;
    struct board *b;
    setenv("MISPRINT_BOARD_TIMEOUT", "0.05", 1);
    b = open_board(unit_named("vc4-vpm"), "plugin_bad", "");
    make_bad_cases(BAD_HANG, 1);
    a.memory = pages_of_outcomes(b->unit, CASES, a.outcome);
    for (unsigned i = 0; i < CASES; i++)
        a.answer[i] = ANSWER_UNKNOWN;
    assert_false(board_run(b, list, CASES, a.outcome, a.answer, &e));
    if (!strstr(e.text, "no answer within 0.05 s, in 8 cases in a row"))
        fail_msg("%s", e.text);
    for (unsigned i = 0; i < CASES; i++) {
        assert_int_equal(a.answer[i], ANSWER_NOTHING);
        assert_string_equal(board_reason(b, i), i < HANGS ? "no answer within 0.05 s" : "");
    }
    free(a.memory);
    board_close(b);
    unsetenv("MISPRINT_BOARD_TIMEOUT");
}

/* The time limit ends a wait long before the 60 s that a case may take. This is no hang: no case gets a
 * reason, the run fails in another way than after eight hangs, and the board runs other cases then. All
 * answers before are kept, but the last one if the library runs its cases together. */
static void the_time_limit_ends_a_wait(const char *name, unsigned lost)
{
    enum { HANGS = CASES / 2, TIMES = 9 };
    struct answers a;
    struct board *b = open_board(unit_named("vc4-vpm"), name, "");
    a.memory = pages_of_outcomes(b->unit, CASES, a.outcome);
    for (unsigned times = 0; times < TIMES; times++) {
        struct error e = {0};
        int64_t start = clock_ms();
        make_bad_cases(BAD_HANG, CASES);
        board_limit_time(b, times ? 0.001 : 3); /* the first run answers all cases before the hang */
        assert_false(board_run(b, list + (times ? HANGS : 0), times ? 1 : CASES, a.outcome, a.answer, &e));
        assert_true(b->stopped);
        assert_true(clock_ms() - start < 20000);
        if (!strstr(e.text, "s when the time was over") || strstr(e.text, "in a row"))
            fail_msg("%s", e.text);
        for (unsigned i = 0; i < CASES && !times; i++)
            assert_int_equal(a.answer[i], i < HANGS - lost ? ANSWER_OUTCOME : ANSWER_NOTHING);
        for (unsigned i = 0; i < CASES; i++)
            assert_string_equal(board_reason(b, i), "");
    }
    free(a.memory);
    board_limit_time(b, 0);
    make_bad_cases(BAD_CAUGHT, 16);
    run(b, &a);
    assert_int_equal(check_good_ones(&a), 16);
    assert_int_equal(b->restarts, TIMES);
    free(a.memory);
    board_close(b);
}

static void the_time_limit_is_no_hang(void **state)
{
    (void)state;
    setenv("MISPRINT_BOARD_TIMEOUT", "60", 1);
    the_time_limit_ends_a_wait("plugin_bad_one", 0);
    the_time_limit_ends_a_wait("plugin_bad", 1);
    unsetenv("MISPRINT_BOARD_TIMEOUT");
}

static void lies_cost_one_case(void **state)
{
    (void)state;
    run_bad(BAD_END, 16, ANSWER_NOTHING, "set its end to 77");
    run_bad(BAD_SILENT, 16, ANSWER_NOTHING, "did not set its end");
    run_bad(BAD_REFUSAL, 16, ANSWER_REFUSED, "\xEF\xBF\xBD");
    run_bad(BAD_SIZES, 16, ANSWER_OUTCOME, "");
}

/* A write past the end of an array costs its case, which is named, and no other: also where the cases run
 * together, and the write reaches the next case's array. */
static void a_write_past_an_array_costs_one_case(void **state)
{
    (void)state;
    static const char *const ways[][2] = {{"plugin_bad", ""},
                                          {"plugin_bad_one", ""},
                                          {"plugin_bad", ",inline"},
                                          {"plugin_bad_one", ",inline"}};
    for (unsigned i = 0; i < 4; i++) {
        const char *name = ways[i][0], *options = ways[i][1];
        run_bad_on(name, options, BAD_PAST, 64, ANSWER_NOTHING,
                   "past the end of the case's array `value`, which has 452 rows of 16 words: word 0 behind");
        run_bad_on(name, options, BAD_PAST_UNKNOWN, 64, ANSWER_NOTHING, "the case's array `unknown`");
        run_bad_on(name, options, BAD_BEYOND, 64, ANSWER_REFUSED, "gave no reason");
        /* Where a case runs alone, the page behind its fence cannot be written. */
        run_bad_on(name, options, BAD_FAR_PAST, 64, ANSWER_NOTHING,
                   "past the end of the case's array `value`, which has 452 rows of 16 words");
    }
}

/* Two batches that were sent ahead, and one that was not, keep their cases apart. */
static void batches_sent_ahead_keep_their_cases(void **state)
{
    (void)state;
    enum { BATCHES = 3, BATCH = CASES / BATCHES };
    struct board *b = open_board(unit_named("vc4-vpm"), "plugin_bad", "");
    struct answers a;
    struct error e = {0};
    make_bad_cases(BAD_CRASH, 2 * CASES); /* no case goes wrong */
    a.memory = pages_of_outcomes(b->unit, CASES, a.outcome);
    for (unsigned n = 0; n < BATCHES - 1; n++)
        assert_true(board_ahead(b, list + n * BATCH, BATCH, a.outcome + n * BATCH, &e));
    for (unsigned n = BATCHES; n-- > 0;) /* in another order */
        if (!board_run(b, list + n * BATCH, BATCH, a.outcome + n * BATCH, a.answer + n * BATCH, &e))
            fail_msg("%s", e.text);
    for (unsigned i = 0; i < BATCHES * BATCH; i++) {
        assert_int_equal(a.answer[i], ANSWER_OUTCOME);
        assert_int_equal(a.outcome[i]->value[0], ~i);
    }
    free(a.memory);
    board_close(b);
}

/* The mask of a touched row. */
static void check_masks(const struct outcome *o, uint32_t row, uint32_t word_3, uint32_t others)
{
    uint32_t room[ROW_WORDS_MAX];
    const uint32_t *masks = outcome_masks(o, row, room);
    const struct region *g = layout_region(&o->unit->layout, row);
    assert_true(outcome_touched(o, row));
    for (uint32_t i = 0; i < g->cols; i++)
        assert_int_equal(masks[i] & region_bits(g), (i == 3 ? word_3 : others) & region_bits(g));
}

/* A case finds all words of `unknown` at 0 (board_plugin.h), whatever the case before it marked there. */
static void unknown_bits_are_of_one_case(const char *options)
{
    const struct unit *u = unit_named("vc4-vpm");
    struct board *b = open_board(u, "plugin_bad", options);
    struct answers a;
    make_bad_cases(BAD_MEMORY, 1);
    run(b, &a);
    for (uint32_t row = 0; row < u->layout.rows; row++)
        if (row % 64 >= 32)
            check_masks(a.outcome[0], row, 0, 0);
    free(a.memory);
    make_bad_cases(BAD_ONE_WORD, 1);
    run(b, &a);
    for (uint32_t row = 0; row < u->layout.rows; row++)
        check_masks(a.outcome[0], row, row ? UINT32_MAX : 0, UINT32_MAX);
    free(a.memory);
    board_close(b);
}

static void each_case_has_its_own_unknown_bits(void **state)
{
    (void)state;
    unknown_bits_are_of_one_case("");
    unknown_bits_are_of_one_case(",inline");
}

/* Without MISPRINT_MARKS_ROWS, Misprint looks for the rows that a case left otherwise than it found them:
 * with another value, or with unknown bits, in whichever word of the row. */
static void rows_are_found_by_values_and_by_unknown_bits(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-vpm");
    const uint32_t width = u->layout.row_words, words = u->layout.rows * width;
    struct outcome *before = outcome_new(u);
    uint32_t *value = calloc(2 * words, sizeof *value), *unknown = value + words;
    struct misprint_outcome m = {.value = value, .unknown = unknown, .flags = MISPRINT_HAS_UNKNOWN};
    case_init(&tc[0], u);
    outcome_reset(before, &tc[0]);
    memcpy(value, before->value, words * sizeof *value);
    value[2 * width + 15] ^= 1;
    unknown[5 * width] = 1;
    unknown[70 * width + 7] = 0x80000000;
    plugin_find_rows(&m, before);
    for (uint32_t row = 0; row < u->layout.rows; row++)
        assert_int_equal(m.touched[row / 64] >> row % 64 & 1, row == 2 || row == 5 || row == 70);
    free(value);
    outcome_free(before);
}

static void floods_and_silence_are_one_error(void **state)
{
    (void)state;
    static const struct {
        enum bad_way how;
        const char *error;
    } ways[] = {{BAD_FLOOD, "its process sent garbage"}, {BAD_CLOSED, "before it answered"}};
    setenv("MISPRINT_BOARD_TIMEOUT", "10", 1);
    for (unsigned i = 0; i < 2; i++) {
        struct error e = {0};
        struct answers a;
        struct board *b = open_board(unit_named("vc4-vpm"), "plugin_bad", "");
        make_bad_cases(ways[i].how, 1);
        a.memory = pages_of_outcomes(b->unit, CASES, a.outcome);
        assert_false(board_run(b, list, CASES, a.outcome, a.answer, &e));
        if (!strstr(e.text, ways[i].error))
            fail_msg("'%s' lacks '%s'", e.text, ways[i].error);
        e = (struct error){0};
        assert_false(board_run(b, list, CASES, a.outcome, a.answer, &e));
        assert_non_null(strstr(e.text, "it failed before"));
        board_close(b);
        free(a.memory);
    }
    unsetenv("MISPRINT_BOARD_TIMEOUT");
}

int main(int count, char **words)
{
    if (plugin_is_child(count, words))
        return plugin_child(words);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_as_a_plug_in_answers_as_virtual),
        cmocka_unit_test(crashes_change_no_other_outcome),
        cmocka_unit_test(a_crash_costs_one_case),
        cmocka_unit_test(a_library_that_crashed_begins_anew),
        cmocka_unit_test(a_crash_that_the_library_survives_costs_nothing),
        cmocka_unit_test(a_device_for_one_process_survives_a_crash),
        cmocka_unit_test(a_hang_costs_one_case),
        cmocka_unit_test(a_slow_start_costs_no_case),
        cmocka_unit_test(one_program_that_hangs_does_not_end_the_run),
        cmocka_unit_test(many_hangs_in_a_row_are_named),
        cmocka_unit_test(the_time_limit_is_no_hang),
        cmocka_unit_test(lies_cost_one_case),
        cmocka_unit_test(a_write_past_an_array_costs_one_case),
        cmocka_unit_test(each_case_has_its_own_unknown_bits),
        cmocka_unit_test(batches_sent_ahead_keep_their_cases),
        cmocka_unit_test(rows_are_found_by_values_and_by_unknown_bits),
        cmocka_unit_test(floods_and_silence_are_one_error),
    };
    /* The library's process must die of its own signals, and at once. */
    setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0:detect_leaks=0", 1);
    tc = pages_new(CASES, sizeof *tc);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
