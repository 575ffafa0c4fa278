/* SPDX-License-Identifier: MIT */
#include "harness/launch/batch.h"

#include "harness/launch/clock.h"
#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 2 };

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
    uint8_t bytes[CASE_BYTES_MAX]; /* of the case that is hashed */
    struct test_case *canary_case[BATCH_CANARIES];
    struct outcome *canary_outcome[BATCH_CANARIES];
    char canary_reason[BATCH_CANARIES][BATCH_REASON];
    struct job canary[BATCH_CANARIES];
    struct job job[BATCH_CASES_MAX];
    unsigned char *own; /* of all jobs and canaries */
};

static bool make_canaries(struct batch *b, struct error *e)
{
    for (unsigned n = 0; n < BATCH_CANARIES; n++) {
        const char *text = b->way->canary[n];
        b->canary_case[n] = memory_new(1, sizeof *b->canary_case[n]);
        if (!case_parse(b->canary_case[n], text, strlen(text), e) ||
            !b->way->judge(b->context, b->canary[n].own, b->canary_case[n], e))
            return error_where(e, "canary %u", n);
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
    struct batch *b = memory_new(1, sizeof *b);
    size_t job_bytes = (way->job_bytes + 63) / 64 * 64;
    unsigned char *own = calloc(BATCH_CASES_MAX + BATCH_CANARIES, job_bytes);
    if (!own) {
        free(b);
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

/* Judges a case, once. True: it is to be run. */
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
    (void)hang(b, j, &why); /* cannot fail: the journal has it */
    return false;
}

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

/* Hands over the placed jobs; those that the driver refuses leave the list. Returns how many are left. */
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
 * Judges and places as many jobs as one launch takes, at the front of the list. Jobs that may not run or
 * cannot be placed leave the list. Returns how many are placed.
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

static bool canaries_are_placed(const struct batch *b, struct error *e)
{
    if (b->canaries_placed)
        return true;
    e->of_machine = true;
    return error_set(e, "a program with a known answer may not run: %s",
                     *b->canary_reason[0] ? b->canary_reason[0] : b->canary_reason[1]);
}

/* Launches what is placed. Resets the hardware after a hang, so that nothing is still being written when the
 * results are read, and after an error, so that the next one shows. */
static enum batch_launch launch_placed(struct batch *b, struct error *e)
{
    double begin = clock_processor_seconds();
    enum batch_launch result = b->way->launch(b->context, e);
    b->launch_seconds += clock_processor_seconds() - begin;
    if (result == BATCH_DONE && b->way->fetch)
        result = b->way->fetch(b->context);
    struct error failure = {0};
    if ((result != BATCH_HUNG && result != BATCH_MARKED) || b->way->reset(b->context, &failure))
        return result;
    *e = failure;
    return BATCH_LOST;
}

static enum batch_launch launch(struct batch *b, struct job *const *list, unsigned count, struct error *e)
{
    uint64_t hashes[BATCH_CASES_MAX];
    for (unsigned i = 0; i < count; i++)
        hashes[i] = list[i]->hash;
    if (!canaries_are_placed(b, e) || !journal_begin(b->journal, hashes, count, e))
        return BATCH_LOST;
    enum batch_launch result = launch_placed(b, e);
    if (result == BATCH_LOST || result == BATCH_HUNG || result == BATCH_MARKED)
        return result; /* the journal counts the cases as running until find_culprit */
    return journal_end(b->journal, e) ? result : BATCH_LOST;
}

static bool collect_job(struct batch *b, struct job *j)
{
    return b->way->collect(b->context, j->own, j->outcome);
}

enum canaries { CANARIES_RIGHT, CANARIES_MISSING, CANARIES_WRONG };

static enum canaries check_canaries(struct batch *b)
{
    enum canaries found = CANARIES_RIGHT;
    for (unsigned n = 0; n < BATCH_CANARIES; n++) {
        if (!collect_job(b, &b->canary[n]))
            found = CANARIES_MISSING;
        else if (!b->way->canary_is_right(n, b->canary_case[n], b->canary_outcome[n]))
            return CANARIES_WRONG;
    }
    return found;
}

/* Launches the canaries alone, before a case is blamed for a launch. False: the board fails without any case.
 */
static bool board_is_well(struct batch *b, struct error *e)
{
    enum batch_launch result = BATCH_LOST;
    for (unsigned try = 0; try < TRIES; try++) {
        struct job *nobody = NULL;
        unsigned none = 0;
        (void)fill_launch(b, &nobody, &none);
        result = canaries_are_placed(b, e) ? launch_placed(b, e) : BATCH_LOST;
        if (result == BATCH_LOST)
            return false;
        if (result == BATCH_DONE && check_canaries(b) == CANARIES_RIGHT)
            return true;
    }
    e->of_machine = true;
    if (result == BATCH_REFUSED || result == BATCH_MARKED)
        return error_where(e, "programs with known answers, alone");
    return error_set(e,
                     "the board does not recover from a launch that hung: programs with known answers, "
                     "alone, %s %d times; no case is blamed for it; reboot the board",
                     result == BATCH_HUNG ? "hung" : "failed", TRIES);
}

/* Reads the results. Jobs that did not end go to the front of the list; returns how many. */
static unsigned collect(struct batch *b, struct job **list, unsigned count)
{
    unsigned open = 0;
    for (unsigned i = 0; i < count; i++)
        if (!collect_job(b, list[i]))
            list[open++] = list[i];
    return open;
}

/* ---- all launches ---- */

static bool run_jobs(struct batch *b, struct job **list, unsigned count, struct error *e);

/*
 * After a launch that hung, or (`why`) was refused or marked: launches the jobs without a stamp again, in
 * halves. One that was alone is the culprit. The journal counts the launch as running until the board is well
 * and, for a single case, until its hang is written: if the board dies first, the next run knows what was
 * running.
 */
static bool find_culprit(struct batch *b, struct job **list, unsigned open, unsigned launched,
                         const char *why, struct error *e)
{
    *e = (struct error){0};
    if (!board_is_well(b, e))
        return false;
    if (launched == 1 && open) {
        if (why)
            (void)snprintf(list[0]->reason, BATCH_REASON, "%.250s", why);
        else if (!hang(b, list[0], e))
            return false;
        open = 0;
    }
    unsigned half = open == 1 ? 1 : open / 2;
    return journal_end(b->journal, e) && run_jobs(b, list, half, e) &&
           run_jobs(b, list + half, open - half, e);
}

/* Launches the placed jobs. If results are missing or the canaries are wrong, launches again; a second
 * failure of the canaries fails the board. */
static bool run_launch(struct batch *b, struct job **list, unsigned count, struct error *e)
{
    for (unsigned try = 0; try < TRIES; try++) {
        enum batch_launch result = launch(b, list, count, e);
        if (result == BATCH_LOST)
            return false;
        const struct error why = *e;
        if (result == BATCH_REFUSED || result == BATCH_MARKED)
            return find_culprit(b, list, count, count, why.text, e);
        enum canaries found = check_canaries(b);
        bool trusted = found == CANARIES_RIGHT || (found == CANARIES_MISSING && result == BATCH_HUNG);
        unsigned open = trusted ? collect(b, list, count) : count;
        if (result == BATCH_HUNG)
            return find_culprit(b, list, open, count, NULL, e);
        if (!open)
            return true;
        if (trusted && try + 1 == TRIES) {
            for (unsigned i = 0; i < open; i++)
                (void)snprintf(list[i]->reason, BATCH_REASON,
                               "its program ended %d times without its complete output", TRIES);
            return true;
        }
        count = fill_launch(b, list, &open);
    }
    e->of_machine = true;
    return error_set(e,
                     "the board computes sums of integers or loads words wrongly, or does not return them: "
                     "programs with known answers failed %d times",
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
        if (journal_suspects(b->journal, j->hash)) { /* alone, so that a second crash has one suspect */
            if (!run_jobs(b, &j, 1, e))
                return false;
        } else {
            list[jobs++] = j;
        }
    }
    shuffle(b, list, jobs);
    return run_jobs(b, list, jobs, e);
}
