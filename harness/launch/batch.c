/* SPDX-License-Identifier: MIT */
#include "harness/launch/batch.h"

#include "harness/launch/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 2 };

/* One case on its way. */
struct job {
    const struct test_case *tc;
    struct outcome *outcome;
    char *reason;
    uint64_t hash;
    bool judged;
    void *own; /* the way's */
};

struct batch {
    const struct batch_way *way;
    void *context;
    struct journal *journal;
    struct random random;
    double launch_seconds;
    bool canaries_placed;          /* both, in the launch that is being filled */
    uint8_t bytes[CASE_BYTES_MAX]; /* of a case, to be hashed */
    struct test_case *canary_case[BATCH_CANARIES];
    struct outcome *canary_outcome[BATCH_CANARIES];
    char canary_reason[BATCH_CANARIES][BATCH_REASON];
    struct job canary[BATCH_CANARIES];
    struct job job[BATCH_CASES_MAX];
    unsigned char *own; /* of all jobs and canaries */
};

/* ---- getting ready ---- */

static bool make_canaries(struct batch *b, struct error *e)
{
    for (unsigned n = 0; n < BATCH_CANARIES; n++) {
        const char *text = b->way->canary[n];
        b->canary_case[n] = malloc(sizeof *b->canary_case[n]);
        if (!b->canary_case[n])
            return error_memory(e, "for a board's cases");
        if (!case_parse(b->canary_case[n], text, strlen(text), e) ||
            !b->way->judge(b->context, b->canary[n].own, b->canary_case[n], e))
            return error_where(e, "the known answer %u", n);
        b->canary_outcome[n] = outcome_new(b->canary_case[n]->unit);
        b->canary[n].tc = b->canary_case[n];
        b->canary[n].outcome = b->canary_outcome[n];
        b->canary[n].reason = b->canary_reason[n];
    }
    return true;
}

struct batch *batch_new(const struct batch_way *way, void *context, struct journal *journal, uint64_t seed,
                        struct error *e)
{
    struct batch *b = calloc(1, sizeof *b);
    size_t job_bytes = (way->job_bytes + 63) / 64 * 64;
    unsigned char *own = calloc(BATCH_CASES_MAX + BATCH_CANARIES, job_bytes);
    if (!b || !own) {
        free(b);
        free(own);
        error_memory(e, "for a board's cases");
        return NULL;
    }
    b->way = way;
    b->context = context;
    b->own = own;
    for (unsigned i = 0; i < BATCH_CASES_MAX; i++)
        b->job[i].own = own + i * job_bytes;
    for (unsigned n = 0; n < BATCH_CANARIES; n++)
        b->canary[n].own = own + (BATCH_CASES_MAX + n) * job_bytes;
    b->journal = journal;
    random_seed(&b->random, seed);
    if (make_canaries(b, e))
        return b;
    batch_free(b);
    return NULL;
}

void batch_free(struct batch *b)
{
    if (!b)
        return;
    for (unsigned n = 0; n < BATCH_CANARIES; n++) {
        free(b->canary_case[n]);
        outcome_free(b->canary_outcome[n]);
    }
    free(b->own);
    free(b);
}

double batch_launch_seconds(const struct batch *b)
{
    return b->launch_seconds;
}

/* ---- the journal's names ---- */

/* A case's name in the journal, the same on every machine: FNV-1a of its binary form. */
static uint64_t hash_of(struct batch *b, const struct test_case *c)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    size_t count = case_encode(c, b->bytes);
    for (size_t i = 0; i < count; i++)
        h = (h ^ b->bytes[i]) * UINT64_C(0x100000001B3);
    return h;
}

static bool hang(struct batch *b, struct job *j, struct error *e)
{
    outcome_reset(j->outcome, j->tc);
    j->outcome->end = END_HANG;
    j->hash = hash_of(b, j->tc);
    return journal_knows_hang(b->journal, j->hash) || journal_hang(b->journal, j->hash, e);
}

/* ---- one launch ---- */

/* Judges a case, once; true if it is to be run. */
static bool admit(struct batch *b, struct job *j)
{
    struct error why = {0};
    j->judged = true;
    if (!b->way->judge(b->context, j->own, j->tc, &why)) {
        (void)snprintf(j->reason, BATCH_REASON, "%.250s", why.text);
        return false;
    }
    if (!journal_knows_hang(b->journal, j->hash))
        return true;
    (void)hang(b, j, &why); /* which the journal has */
    return false;
}

/* Puts a job behind those that are placed; one that never can be gets its reason. */
static enum batch_place place(struct batch *b, struct job *j)
{
    struct error why = {0};
    outcome_reset(j->outcome, j->tc);
    enum batch_place placed =
        b->way->place(b->context, j->own, j->tc, j->outcome, random_u32(&b->random) | 1, &why);
    if (placed == BATCH_NEVER)
        (void)snprintf(j->reason, BATCH_REASON, "%.250s", why.text);
    return placed;
}

/* Hands over what was placed; what the driver does not take is dropped from the list. Returns how many are
 * left. */
static unsigned hand_over(struct batch *b, struct job **list, unsigned placed, unsigned *count)
{
    const struct batch_way *way = b->way;
    struct error why = {0};
    double begin = clock_processor_seconds();
    (void)way->hand_over(b->context, b->canary[0].own, &why);
    for (unsigned i = 0; i < placed;) {
        if (way->hand_over(b->context, list[i]->own, &why) == BATCH_PLACED) {
            i++;
            continue;
        }
        (void)snprintf(list[i]->reason, BATCH_REASON, "%.250s", why.text);
        list[i] = list[--placed];
        list[placed] = list[--*count];
    }
    (void)way->hand_over(b->context, b->canary[1].own, &why);
    b->launch_seconds += clock_processor_seconds() - begin;
    return placed;
}

/*
 * Judges and places as many of the jobs as one launch takes. Jobs that may not run or cannot be placed are
 * dropped from the list, those that have to wait stay behind the others. Returns how many are placed.
 */
static unsigned fill_launch(struct batch *b, struct job **list, unsigned *count)
{
    unsigned placed = 0;
    b->way->clear(b->context);
    b->canaries_placed = place(b, &b->canary[0]) == BATCH_PLACED;
    for (unsigned i = 0; i < *count && b->way->has_room(b->context);) {
        struct job *j = list[i];
        switch (j->judged || admit(b, j) ? place(b, j) : BATCH_NEVER) {
        case BATCH_PLACED:
            list[i++] = list[placed];
            list[placed++] = j;
            break;
        case BATCH_LATER:
            i++;
            break;
        case BATCH_NEVER:
            list[i] = list[--*count];
            break;
        }
    }
    b->canaries_placed &= place(b, &b->canary[1]) == BATCH_PLACED;
    return b->way->hand_over ? hand_over(b, list, placed, count) : placed;
}

/* What has hung is reset at once, so that nothing is still being written when it is read; and so are errors,
 * so that the next one shows. */
static enum batch_launch settle(struct batch *b, enum batch_launch result, struct error *e)
{
    if (result == BATCH_DONE || result == BATCH_REFUSED || result == BATCH_LOST)
        return result;
    struct error failure = {0};
    if (b->way->reset(b->context, &failure))
        return result;
    *e = failure;
    return BATCH_LOST;
}

static enum batch_launch launch_placed(struct batch *b, struct error *e)
{
    double begin = clock_processor_seconds();
    enum batch_launch result = b->way->launch(b->context, e);
    b->launch_seconds += clock_processor_seconds() - begin;
    return result == BATCH_DONE && b->way->fetch ? b->way->fetch(b->context) : result;
}

/* A launch without its known answers would not be worth anything. */
static bool canaries_are_placed(const struct batch *b, struct error *e)
{
    if (b->canaries_placed)
        return true;
    e->of_machine = true;
    return error_set(e, "a program with a known answer may not run: %s",
                     *b->canary_reason[0] ? b->canary_reason[0] : b->canary_reason[1]);
}

static enum batch_launch launch(struct batch *b, struct job *const *list, unsigned count, struct error *e)
{
    uint64_t hashes[BATCH_CASES_MAX];
    for (unsigned i = 0; i < count; i++)
        hashes[i] = list[i]->hash;
    if (!canaries_are_placed(b, e))
        return BATCH_LOST;
    if (!journal_begin(b->journal, hashes, count, e))
        return BATCH_LOST;
    enum batch_launch result = settle(b, launch_placed(b, e), e);
    if (result == BATCH_LOST || result == BATCH_HUNG || result == BATCH_MARKED)
        return result; /* what ran is not over for the journal: see `find_culprit` */
    return journal_end(b->journal, e) ? result : BATCH_LOST;
}

/* Reads what a job left. */
static bool collect_job(struct batch *b, struct job *j)
{
    return b->way->collect(b->context, j->own, j->outcome);
}

/* What the known answers of a launch say of it. */
enum trust { RIGHT, MISSING, WRONG };

static enum trust look_at_canaries(struct batch *b)
{
    enum trust t = RIGHT;
    for (unsigned n = 0; n < BATCH_CANARIES && t != WRONG; n++) {
        if (!collect_job(b, &b->canary[n]))
            t = MISSING;
        else if (!b->way->canary_is_right(n, b->canary_case[n], b->canary_outcome[n]))
            t = WRONG;
    }
    return t;
}

/*
 * After a launch that hung, was refused or marked, before any case is blamed: the
 * known answers alone. Where they fare no better, or are wrong, it is the board.
 */
static bool board_is_well(struct batch *b, struct error *e)
{
    enum batch_launch result = BATCH_LOST;
    for (unsigned try = 0; try < TRIES; try++) {
        struct job *nobody = NULL;
        unsigned none = 0;
        (void)fill_launch(b, &nobody, &none);
        if (!canaries_are_placed(b, e))
            return false;
        result = settle(b, launch_placed(b, e), e);
        if (result == BATCH_LOST)
            return false;
        if (result == BATCH_DONE && look_at_canaries(b) == RIGHT)
            return true;
    }
    e->of_machine = true;
    if (result == BATCH_REFUSED || result == BATCH_MARKED)
        return error_where(e, "programs with known answers, alone");
    return error_set(e,
                     "the board does not come back from a launch that hung: programs with known answers, "
                     "alone, %s %d times; "
                     "no case is blamed for it; reboot the board",
                     result == BATCH_HUNG ? "hung" : "failed", TRIES);
}

/* Reads what came back; the jobs that did not come to their ends are left at the front of the list. Returns
 * how many. */
static unsigned collect(struct batch *b, struct job **list, unsigned count)
{
    unsigned open = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!collect_job(b, list[i]))
            list[open++] = list[i];
    }
    return open;
}

/* ---- all launches ---- */

static bool run_jobs(struct batch *b, struct job **list, unsigned count, struct error *e);

/* After a launch that hung, or (`why`) was refused or marked: those without a stamp again, in halves; one
 * that stood alone is the culprit. */
static bool bisect(struct batch *b, struct job **list, unsigned open, unsigned launched, const char *why,
                   struct error *e)
{
    if (open == 0)
        return true;
    if (launched == 1 && why)
        (void)snprintf(list[0]->reason, BATCH_REASON, "%.250s", why);
    if (launched == 1)
        return why || hang(b, list[0], e);
    unsigned half = open == 1 ? 1 : open / 2;
    return run_jobs(b, list, half, e) && run_jobs(b, list + half, open - half, e);
}

/*
 * After a launch that hung, or (`why`) was refused or marked. The journal is told that it is over once the
 * board is well and, of a case that ran alone, that it hung: should the board die here, or not come back, the
 * next run knows what was running.
 */
static bool find_culprit(struct batch *b, struct job **list, unsigned open, unsigned launched,
                         const char *why, struct error *e)
{
    *e = (struct error){0};
    if (!board_is_well(b, e))
        return false;
    if (launched == 1)
        return bisect(b, list, open, launched, why, e) && journal_end(b->journal, e);
    return journal_end(b->journal, e) && bisect(b, list, open, launched, why, e);
}

/* A launch that ended, but left answers out or got the known ones wrong, is made again; a board that does so
 * twice is not believed. */
static bool run_launch(struct batch *b, struct job **list, unsigned count, struct error *e)
{
    for (unsigned try = 0; try < TRIES; try++) {
        enum batch_launch result = launch(b, list, count, e);
        if (result == BATCH_LOST)
            return false;
        const struct error why = *e;
        if (result == BATCH_REFUSED || result == BATCH_MARKED)
            return find_culprit(b, list, count, count, why.text, e);
        enum trust t = look_at_canaries(b);
        bool trusted = t == RIGHT || (t == MISSING && result == BATCH_HUNG);
        unsigned open = trusted ? collect(b, list, count) : count;
        if (result == BATCH_HUNG)
            return find_culprit(b, list, open, count, NULL, e);
        if (trusted && !open)
            return true;
        unsigned left = trusted ? open : count;
        if (trusted && try + 1 == TRIES) {
            for (unsigned i = 0; i < open; i++)
                (void)snprintf(list[i]->reason, BATCH_REASON,
                               "its program ended %d times without the whole of its output", TRIES);
            return true;
        }
        count = fill_launch(b, list, &left);
    }
    e->of_machine = true;
    return error_set(e,
                     "the board gets sums of integers or words that it loads wrong, or does not give them "
                     "back: programs with known answers failed %d times",
                     TRIES);
}

static bool run_jobs(struct batch *b, struct job **list, unsigned count, struct error *e)
{
    while (count) {
        unsigned launched = fill_launch(b, list, &count);
        if (launched && !run_launch(b, list, launched, e))
            return false;
        list += launched;
        count -= launched;
    }
    return true;
}

static void shuffle(struct batch *b, struct job **list, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        unsigned other = random_below(&b->random, i);
        struct job *j = list[i - 1];
        list[i - 1] = list[other];
        list[other] = j;
    }
}

bool batch_run(struct batch *b, const struct test_case *const *cases, unsigned count,
               struct outcome *const *outcomes, char (*reason)[BATCH_REASON], struct error *e)
{
    struct job *list[BATCH_CASES_MAX];
    unsigned jobs = 0;
    for (unsigned i = 0; i < count; i++) {
        struct job *j = &b->job[i];
        j->tc = cases[i];
        j->outcome = outcomes[i];
        j->reason = reason[i];
        j->reason[0] = 0;
        j->judged = false;
        j->hash = journal_wants_hashes(b->journal) ? hash_of(b, j->tc) : 0;
        if (journal_suspects(b->journal, j->hash)) { /* alone, so that it is known if it does it again */
            if (!run_jobs(b, &j, 1, e))
                return false;
        } else {
            list[jobs++] = j;
        }
    }
    shuffle(b, list, jobs);
    return run_jobs(b, list, jobs, e);
}
