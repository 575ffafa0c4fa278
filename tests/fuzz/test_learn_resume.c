/* SPDX-License-Identifier: MIT */
/*
 * A run of `learn` continues an earlier one, through the JSON document that keeps the result: with other
 * cases, with all that was learned, and with the search that was cut short. The reader refuses damaged
 * documents with a reason.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/learn/learn_json.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { FRESH = 3000, SECONDS = 120, HASHES_MAX = 1 << 16 };

/* ---- a board that follows a profile and notes which cases it ran ---- */

struct noting {
    struct board board;
    struct executor *x;
    struct profile profile;
    uint64_t hash[HASHES_MAX];
    unsigned hashes;
    unsigned broken_after; /* the board fails after so many cases; 0: never */
};

static bool run_noting(struct board *b, const struct test_case *const *cases, unsigned count,
                       struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    struct noting *n = b->state;
    for (unsigned i = 0; i < count; i++) {
        if (n->broken_after && n->hashes >= n->broken_after)
            return error_set(e, "the board is broken");
        size_t size = case_encode(cases[i], bytes);
        assert_true(n->hashes < HASHES_MAX);
        n->hash[n->hashes++] = XXH3_64bits(bytes, size);
        executor_run(n->x, cases[i], &n->profile, RUN_CHECKED, outcomes[i]);
        answers[i] = ANSWER_OUTCOME;
    }
    return true;
}

static struct noting *noting_open(const struct unit *u, const char *spec)
{
    static const struct board_kind kind = {.name = "test", .run = run_noting};
    struct noting *n = calloc(1, sizeof *n);
    struct error e = {0};
    assert_non_null(n);
    n->board = (struct board){.kind = &kind, .unit = u, .state = n};
    (void)snprintf(n->board.identity.spec, sizeof n->board.identity.spec, "test:%s", spec);
    n->x = executor_new(u);
    if (!profile_resolve(u, spec, &n->profile, &e))
        fail_msg("%s: %s", spec, e.text);
    return n;
}

static void noting_close(struct noting *n)
{
    executor_free(n->x);
    free(n);
}

/* ---- runs of learn ---- */

struct attempt {
    struct learn_options options;
    struct profile base;
    struct learn_result *result;
    struct error error;
    bool searched;    /* a search has begun */
    bool unexplained; /* it said that nothing explains a difference */
    bool cut;         /* it said that a search did not end */
};

/* Notes that a search begins. */
static void listen(void *context, const char *line)
{
    struct attempt *run = context;
    run->searched |= strstr(line, "looking for a reading or a rule") != NULL;
    run->unexplained |= strstr(line, "nothing explains") != NULL;
    run->cut |= strstr(line, "did not end: it was interrupted; set aside") != NULL;
}

static bool has_searched(void *context)
{
    return ((const struct attempt *)context)->searched;
}

static void attempt_open(struct attempt *run, struct noting *n)
{
    *run = (struct attempt){
        .options = {
            .unit = n->board.unit, .board = &n->board, .seed = 1, .max_seconds = SECONDS, .fresh = FRESH}};
    assert_true(profile_resolve(n->board.unit, "manual", &run->base, &run->error));
    run->options.base = &run->base;
    run->options.context = run;
    run->result = calloc(1, sizeof *run->result);
    assert_non_null(run->result);
}

static void attempt_close(struct attempt *run)
{
    learn_free(run->result);
    free(run->result);
}

static char *print(const struct attempt *run)
{
    json_t *j = learn_json(&run->options, "manual", run->result);
    char *chars = json_dumps(j, JSON_INDENT(2));
    json_decref(j);
    assert_non_null(chars);
    return chars;
}

/* Replaces the result by what a reader of its document gets. The document of that must be the same. */
static void store_and_load(struct attempt *run)
{
    char *chars = print(run);
    uint64_t seed = 0;
    learn_free(run->result);
    if (!learn_json_read(chars, strlen(chars), &run->options, run->result, &seed, &run->error))
        fail_msg("%s", run->error.text);
    char *again = print(run);
    assert_string_equal(chars, again);
    assert_int_equal(seed, run->options.seed);
    run->options.resumed = true;
    free(chars);
    free(again);
}

/* In how many fresh cases does a profile leave other values than the board? */
static unsigned count_differing(const struct noting *n, const struct profile *p)
{
    struct outcome *a = outcome_new(n->board.unit), *b = outcome_new(n->board.unit);
    struct test_case *c = calloc(1, sizeof *c);
    struct random r;
    unsigned differing = 0;
    random_seed(&r, 4711);
    for (unsigned i = 0; i < FRESH; i++) {
        case_generate(&r, n->board.unit, c);
        executor_run(n->x, c, p, RUN_CHECKED, a);
        executor_run(n->x, c, &n->profile, RUN_CHECKED, b);
        differing += !outcomes_equal(a, b, NULL, NULL);
    }
    free(c);
    outcome_free(a);
    outcome_free(b);
    return differing;
}

/* ---- tests ---- */

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* On a board that equals the model, three runs one after another compare as many different cases as they
 * run. */
static void a_resumed_run_takes_other_cases(void **state)
{
    (void)state;
    struct noting *n = noting_open(unit_named("vc4-vpm"), "manual");
    struct attempt run;
    attempt_open(&run, n);
    run.options.max_cases = 640;
    for (unsigned i = 1; i <= 3; i++) {
        assert_true(learn(&run.options, run.result, &run.error));
        assert_int_equal(run.result->cases, 640 * i);
        assert_int_equal(run.result->agreed, 640 * i);
        assert_int_equal(run.result->end, LEARN_SPENT);
        store_and_load(&run);
    }
    qsort(n->hash, n->hashes, sizeof *n->hash, compare_hashes);
    for (unsigned i = 1; i < n->hashes; i++)
        assert_true(n->hash[i] != n->hash[i - 1]);
    assert_true(n->hashes >= 3 * 640);
    attempt_close(&run);
    noting_close(n);
}

/* The first run ends during its first search. The difference is set aside; the second run learns it. */
static void a_search_that_was_cut_short_is_repeated(void **state)
{
    (void)state;
    struct noting *n = noting_open(unit_named("vc4-vpm"), "manual;vc4-vpm block.stride = value & 31");
    struct attempt run;
    attempt_open(&run, n);
    run.options.say = listen;
    run.options.stopped = has_searched;
    assert_true(learn(&run.options, run.result, &run.error));
    assert_int_equal(run.result->end, LEARN_STOPPED);
    assert_int_equal(run.result->count, 0);
    assert_int_equal(run.result->asides, 1);
    assert_true(run.result->aside[0].unfinished);
    assert_true(run.cut && !run.unexplained);
    uint64_t cases = run.result->cases;
    store_and_load(&run);
    run.options.stopped = NULL;
    assert_true(learn(&run.options, run.result, &run.error));
    assert_int_equal(run.result->end, LEARN_AGREES);
    assert_int_equal(run.result->count, 1);
    assert_int_equal(run.result->asides, 0);
    assert_int_equal(run.result->set_aside, 0);
    assert_true(run.result->cases >= cases + FRESH);
    assert_int_equal(count_differing(n, &run.result->profile), 0);
    assert_true(count_differing(n, &run.base) > 0);
    attempt_close(&run);
    noting_close(n);
}

/* A board that fails loses nothing: with a board that works, the run continues. */
static void a_run_continues_after_its_board_failed(void **state)
{
    (void)state;
    struct noting *n = noting_open(unit_named("svp64-swizzle"), "manual,swiz-half-order=high-first");
    struct attempt run;
    attempt_open(&run, n);
    n->broken_after = 2500;
    assert_false(learn(&run.options, run.result, &run.error));
    assert_string_equal(run.error.text, "the board is broken");
    assert_int_equal(run.result->end, LEARN_STOPPED);
    assert_int_equal(run.result->count, 1);
    store_and_load(&run);
    n->broken_after = 0;
    assert_true(learn(&run.options, run.result, &run.error));
    assert_int_equal(run.result->end, LEARN_AGREES);
    assert_int_equal(run.result->count, 1);
    assert_int_equal(count_differing(n, &run.result->profile), 0);
    attempt_close(&run);
    noting_close(n);
}

/* A result that cannot be kept ends the run with the error. */
static bool fail_to_save(void *context, const struct learn_result *r, struct error *e)
{
    (void)context;
    return !r->count || error_set(e, "the disk is full");
}

static void a_full_disk_ends_the_run(void **state)
{
    (void)state;
    struct noting *n = noting_open(unit_named("vc4-vpm"), "manual;vc4-vpm block.stride = value & 31");
    struct attempt run;
    attempt_open(&run, n);
    run.options.save = fail_to_save;
    assert_false(learn(&run.options, run.result, &run.error));
    assert_string_equal(run.error.text, "the disk is full");
    assert_int_equal(run.result->end, LEARN_STOPPED);
    assert_int_equal(run.result->count, 1);
    attempt_close(&run);
    noting_close(n);
}

/* Reads a document that was damaged. It is accepted with a result that can be printed, or refused with a
 * reason. */
static bool read_damaged(const struct attempt *run, const char *chars, size_t count)
{
    struct learn_result *r = calloc(1, sizeof *r);
    struct error e = {0};
    uint64_t seed;
    char *exact = malloc(count ? count : 1); /* of this size, so that a sanitizer sees a read past its end */
    assert_true(r && exact);
    memcpy(exact, chars, count);
    bool good = learn_json_read(exact, count, &run->options, r, &seed, &e);
    if (good)
        json_decref(learn_json(&run->options, "manual", r));
    else
        assert_true(e.text[0] && !r->count && !r->asides);
    learn_free(r);
    free(r);
    free(exact);
    return good;
}

static void damaged_documents_are_refused(void **state)
{
    (void)state;
    struct noting *n = noting_open(unit_named("vc4-vpm"), "manual;vc4-vpm block.stride = value & 31");
    struct attempt run;
    struct random random;
    attempt_open(&run, n);
    run.options.fresh = 64;
    assert_true(learn(&run.options, run.result, &run.error));
    assert_int_equal(run.result->count, 1);
    char *chars = print(&run);
    size_t count = strlen(chars);
    assert_true(read_damaged(&run, chars, count));
    for (size_t cut = 0; cut < count; cut += 1 + count / 300)
        assert_false(read_damaged(&run, chars, cut));
    random_seed(&random, 1);
    unsigned refused = 0, tries = support_scaled(1500);
    for (unsigned i = 0; i < tries; i++) {
        size_t at = random_below(&random, (uint32_t)count);
        char old = chars[at];
        chars[at] = (char)random_below(&random, 256);
        refused += !read_damaged(&run, chars, count);
        chars[at] = old;
    }
    assert_true(refused > 0);
    print_message("%u of %u documents with one wrong byte refused\n", refused, tries);
    free(chars);
    attempt_close(&run);
    noting_close(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resumed_run_takes_other_cases),
        cmocka_unit_test(a_search_that_was_cut_short_is_repeated),
        cmocka_unit_test(a_run_continues_after_its_board_failed),
        cmocka_unit_test(a_full_disk_ends_the_run),
        cmocka_unit_test(damaged_documents_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
