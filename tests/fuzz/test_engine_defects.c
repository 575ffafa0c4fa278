/* SPDX-License-Identifier: MIT */
/*
 * Inputs on which a fuzzing engine stopped. An input may be a batch of cases, and any of them may be the
 * cause. A target of libFuzzer also runs cases that are in no input; only its status file has them. No case
 * crashes the model. So the first test uses a unit with traps, and in the second test this program acts as
 * the target that stops. In the third one its `fork` stands in front of the system's.
 */
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include "fuzz/engines/engine_corpus.h"
#include "fuzz/engines/engine_status.h"
#include "fuzz/engines/engines.h"
#include "fuzz/engines/sandbox.h"
#include "fuzz/generate/generate.h"
#include "fuzz/generate/mutator.h"
#include "harness/system/clock.h"
#include "oracle/files/file.h"

#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a unit with traps ---- */

enum trap {
    TRAP_NONE = 1, /* the lowest value of `bias` */
    TRAP_CRASH,    /* ends the process */
    TRAP_DECEIVE,  /* follows a reading without consulting its clause, so no clause explains the difference */
    TRAP_HANG,
};

static struct unit trapped; /* the puzzle; its word `bias` chooses the trap */

static void trapped_run(struct run *r)
{
    static const struct rlimit no_core = {0};
    enum trap trap = (enum trap)((const struct puzzle_case *)(const void *)r->tc->words)->bias;
    if (trap == TRAP_CRASH) {
        (void)setrlimit(RLIMIT_CORE, &no_core);
        abort();
    }
    if (trap == TRAP_HANG)
        (void)sleep(2 * HANG_SECONDS);
    puzzle_unit.run(r);
    if (trap == TRAP_DECEIVE && r->profile->reading[0]) {
        outcome_row(r->out, 0, 4)[0] ^= 1;
        outcome_touch(r->out, 0);
    }
}

static struct test_case trapped_case(unsigned number, enum trap trap)
{
    static struct test_case c;
    const uint32_t item = puzzle_item(PUZZLE_SOLO, 1 + number, 0, 0);
    puzzle_make(&c, &item, 1);
    c.unit = &trapped;
    ((struct puzzle_case *)(void *)c.words)->bias = (uint32_t)trap;
    return c;
}

/* ---- folders ---- */

static char root[64];

static int begin(void **state)
{
    (void)state;
    trapped = puzzle_unit;
    trapped.run = trapped_run;
    (void)snprintf(root, sizeof root, "/tmp/misprint-test-defects-XXXXXX");
    return mkdtemp(root) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    support_remove_all(root);
    return 0;
}

enum { CASES = 4 };

/* Writes a batch of four cases to a file of this name. The case at `bad` has the trap. */
static void write_batch(const char *name, unsigned bad, enum trap trap)
{
    static uint8_t bytes[CASES * CASE_BYTES_MAX];
    char path[FILE_PATH_MAX];
    struct pack_writer w;
    struct error e = {0};
    assert_true(pack_begin(&w, bytes, sizeof bytes));
    for (unsigned i = 0; i < CASES; i++) {
        size_t room;
        struct test_case c = trapped_case(i, i == bad ? trap : TRAP_NONE);
        uint8_t *to = pack_place(&w, &room);
        assert_non_null(to);
        pack_added(&w, case_encode(&c, to));
    }
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    if (!file_write(path, (const char *)bytes, w.used, &e))
        fail_msg("%s", e.text);
}

/* Returns the number of cases that an engine corpus gives. Checks that they are the cases of batches, in
 * order, and that each comes from a file of this name. */
static unsigned collected(struct engine_corpus *ec, const char *name)
{
    static struct test_case c;
    const char *label;
    unsigned n = 0;
    for (; engine_corpus_next(ec, &c, &label); n++) {
        struct test_case expected = trapped_case(n % CASES, TRAP_NONE);
        assert_true(case_equal(&c, &expected));
        assert_string_equal(strrchr(label, '/') + 1, name);
    }
    return n;
}

static void expect_defect(enum trap trap, unsigned bad)
{
    char name[32];
    (void)snprintf(name, sizeof name, "crash-%u-%u", (unsigned)trap, bad);
    write_batch(name, bad, trap);
    struct engine_corpus *ec = engine_corpus_new(&trapped, "manual", "manual,puzzle-0=one");
    engine_corpus_folder(ec, root, ENGINE_CORPUS_DEFECTS);
    assert_int_equal(collected(ec, "crash-none"), CASES);
    assert_int_equal(engine_corpus_defects(ec), 1);
    assert_non_null(strstr(engine_corpus_first_defect(ec), name));
    assert_int_equal(collected(ec, "crash-none"), 0); /* the corpus gives each case once */
    assert_int_equal(engine_corpus_defects(ec), 1);
    engine_corpus_free(ec);
    char path[FILE_PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(unlink(path), 0);
}

/* A batch with a bad case counts as one defect, and the corpus gives none of its cases. It gives the cases of
 * all other files. */
static void any_case_of_a_batch_may_be_the_bad_one(void **state)
{
    (void)state;
    write_batch("crash-none", CASES, TRAP_NONE);
    for (unsigned bad = 0; bad < CASES; bad++) {
        expect_defect(TRAP_CRASH, bad);
        expect_defect(TRAP_DECEIVE, bad);
    }
    const char *long_tier = getenv("MISPRINT_TEST_LONG");
    if (long_tier && !strcmp(long_tier, "1"))
        expect_defect(TRAP_HANG, CASES - 1); /* this takes HANG_SECONDS */
}

/* ---- a target that stops at a case other than its input ---- */

static const struct unit *unit(void)
{
    return unit_named("vc4-vpm");
}

static void hand_case(unsigned life, struct test_case *c)
{
    struct random r;
    random_seed(&r, 4711 + life);
    c->unit = unit();
    case_generate(&r, c->unit, c);
}

/* LIVES: how often the target stops. STATUS_*: exit statuses of a target that libFuzzer stops. */
enum { LIVES = 2, STATUS_CRASH = 77, STATUS_TIMEOUT = 70 };

/* Stops at one case. The second process stops at another case. The third one waits until it is killed. */
static int act_as_target(const char *status)
{
    static const int ends[LIVES] = {STATUS_CRASH, STATUS_TIMEOUT};
    static struct test_case c;
    struct error e = {0};
    struct engine_status *s = engine_status_map(status, true, &e);
    if (!s || getpgrp() == getpgid(getppid())) /* a terminal's Ctrl-C is for the campaign alone */
        return 2;
    unsigned life = (unsigned)s->cases++;
    if (life >= LIVES) {
        s->in_hand = 0;
        (void)pause();
        return 0;
    }
    hand_case(life, &c);
    s->in_hand = (uint32_t)case_encode(&c, s->hand);
    _exit(ends[life]);
}

/* Puts this program at the path where engines look for the target. */
static void be_the_target(void)
{
    char own[FILE_PATH_MAX - 64] = "", path[FILE_PATH_MAX];
    assert_true(readlink("/proc/self/exe", own, sizeof own - 1) > 0);
    (void)snprintf(path, sizeof path, "%s/libfuzzer", root);
    assert_int_equal(mkdir(path, 0777), 0);
    (void)snprintf(path, sizeof path, "%s/libfuzzer/diff_%s", root, unit()->name);
    assert_int_equal(symlink(own, path), 0);
    assert_int_equal(setenv("MISPRINT_ENGINES", root, 1), 0);
    assert_int_equal(setenv("MISPRINT_CORPUS", "/nonexistent", 1), 0);
}

/* Starts libFuzzer with a new campaign. */
static struct engines *start(struct error *e)
{
    static char campaign[FILE_PATH_MAX]; /* the options point to it */
    (void)snprintf(campaign, sizeof campaign, "%s/c", root);
    assert_int_equal(mkdir(campaign, 0777), 0);
    struct engine_options o = {.unit = unit(),
                               .engine = "libfuzzer",
                               .directory = campaign,
                               .profile = "manual",
                               .board = "bcm2835",
                               .jobs = 1};
    return engines_start(&o, e);
}

/* If a target stops, the case that it was running becomes an artefact. It also becomes a case of the campaign
 * if the model can run it. */
static void a_case_in_hand_is_not_lost(void **state)
{
    (void)state;
    static const char *const names[LIVES] = {"crash-", "timeout-"};
    static struct test_case c, wanted;
    struct error e = {0};
    be_the_target();
    struct engines *engines = start(&e);
    if (!engines)
        fail_msg("%s", e.text);
    struct case_source source = engines_as_source(engines);
    bool came[LIVES] = {false}, has_outcome;
    const char *label;
    double end_of_patience = clock_seconds() + 30;
    while (!(came[0] && came[1]) && clock_seconds() < end_of_patience) {
        if (!source.next(source.context, &c, NULL, &has_outcome, &label, &e)) {
            assert_string_equal(e.text, "");
            assert_true(source.wait(source.context));
            continue;
        }
        assert_int_not_equal(*label, '/'); /* a path within the engines' folder */
        for (unsigned life = 0; life < LIVES; life++) {
            hand_case(life, &wanted);
            came[life] |= strstr(label, names[life]) && case_equal(&c, &wanted);
        }
    }
    struct engines_view v = engines_look(engines);
    assert_true(came[0] && came[1]);
    assert_int_equal(v.restarts, LIVES);
    assert_int_equal(v.defects, 0);
    engines_stop(engines);
}

/* ---- a machine that starts no process ---- */

static bool is_full;

/* Stands in front of the system's. */
pid_t fork(void)
{
    if (!is_full)
        return ((pid_t(*)(void))dlsym(RTLD_NEXT, "fork"))();
    errno = EAGAIN;
    return -1;
}

static void a_machine_without_processes_starts_no_engine(void **state)
{
    (void)state;
    struct error e = {0};
    be_the_target();
    is_full = true;
    assert_null(start(&e));
    is_full = false;
    assert_non_null(strstr(e.text, "cannot start a process"));
    assert_true(e.of_machine);
}

int main(void)
{
    const char *status = getenv(ENV_STATUS);
    if (status)
        return act_as_target(status);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(any_case_of_a_batch_may_be_the_bad_one, begin, end),
        cmocka_unit_test_setup_teardown(a_case_in_hand_is_not_lost, begin, end),
        cmocka_unit_test_setup_teardown(a_machine_without_processes_starts_no_engine, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
