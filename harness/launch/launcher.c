/* SPDX-License-Identifier: MIT */
#include "harness/launch/launcher.h"

#include "harness/system/clock.h"
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
    void *own; /* memory of the backend */
};

struct launcher {
    const struct launch_backend *backend;
    void *context;
    struct journal *journal;
    struct random random;
    double launch_seconds;
    bool canaries_placed;          /* the launch that is being filled has both canaries */
    uint8_t bytes[CASE_BYTES_MAX]; /* scratch of hash_of */
    struct test_case *canary_case[LAUNCH_CANARIES];
    struct outcome *canary_outcome[LAUNCH_CANARIES];
    char canary_reason[LAUNCH_CANARIES][LAUNCH_REASON];
    struct job canary[LAUNCH_CANARIES];
    struct job job[LAUNCH_CASES_MAX];
    unsigned char *own; /* memory of the backend, for all jobs and canaries */
};

static bool make_canaries(struct launcher *l, struct error *e)
{
    for (unsigned n = 0; n < LAUNCH_CANARIES; n++) {
        const char *text = l->backend->canary[n];
        l->canary_case[n] = memory_new(1, sizeof *l->canary_case[n]);
        if (!case_parse(l->canary_case[n], text, strlen(text), e) ||
            !l->backend->judge(l->context, l->canary[n].own, l->canary_case[n], e))
            return error_where(e, "canary %u", n);
        l->canary_outcome[n] = outcome_new(l->canary_case[n]->unit);
        l->canary[n].tc = l->canary_case[n];
        l->canary[n].outcome = l->canary_outcome[n];
        l->canary[n].reason = l->canary_reason[n];
    }
    return true;
}

struct launcher *launcher_new(const struct launch_backend *backend, void *context, struct journal *journal,
                              uint64_t seed, struct error *e)
{
    struct launcher *l = memory_new(1, sizeof *l);
    size_t job_bytes = (backend->job_bytes + 63) / 64 * 64;
    unsigned char *own = calloc(LAUNCH_CASES_MAX + LAUNCH_CANARIES, job_bytes);
    if (!own) {
        free(l);
        error_memory(e, "for a board's cases");
        return NULL;
    }
    l->backend = backend;
    l->context = context;
    l->own = own;
    for (unsigned i = 0; i < LAUNCH_CASES_MAX; i++)
        l->job[i].own = own + i * job_bytes;
    for (unsigned n = 0; n < LAUNCH_CANARIES; n++)
        l->canary[n].own = own + (LAUNCH_CASES_MAX + n) * job_bytes;
    l->journal = journal;
    random_seed(&l->random, seed);
    if (make_canaries(l, e))
        return l;
    launcher_free(l);
    return NULL;
}

void launcher_free(struct launcher *l)
{
    if (!l)
        return;
    for (unsigned n = 0; n < LAUNCH_CANARIES; n++) {
        free(l->canary_case[n]);
        outcome_free(l->canary_outcome[n]);
    }
    free(l->own);
    free(l);
}

double launcher_seconds(const struct launcher *l)
{
    return l->launch_seconds;
}

/* Returns the hash by which the journal names a case: FNV-1a of its binary form, equal on all machines. */
static uint64_t hash_of(struct launcher *l, const struct test_case *c)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    size_t count = case_encode(c, l->bytes);
    for (size_t i = 0; i < count; i++)
        h = (h ^ l->bytes[i]) * UINT64_C(0x100000001B3);
    return h;
}

static bool hang(struct launcher *l, struct job *j, struct error *e)
{
    outcome_reset(j->outcome, j->tc);
    j->outcome->end = END_HANG;
    j->hash = hash_of(l, j->tc);
    return journal_knows_hang(l->journal, j->hash) || journal_hang(l->journal, j->hash, e);
}

/* ---- one launch ---- */

/* Judges a case. True if it may run. Otherwise its reason or outcome is set. */
static bool admit(struct launcher *l, struct job *j)
{
    struct error why = {0};
    j->judged = true;
    if (!l->backend->judge(l->context, j->own, j->tc, &why)) {
        (void)snprintf(j->reason, LAUNCH_REASON, "%.250s", why.text);
        return false;
    }
    if (!journal_knows_hang(l->journal, j->hash))
        return true;
    (void)hang(l, j, &why); /* cannot fail, because the journal knows the hang */
    return false;
}

static enum launch_place place(struct launcher *l, struct job *j)
{
    struct error why = {0};
    outcome_reset(j->outcome, j->tc);
    enum launch_place placed =
        l->backend->place(l->context, j->own, j->tc, j->outcome, random_u32(&l->random) | 1, &why);
    if (placed == LAUNCH_NEVER)
        (void)snprintf(j->reason, LAUNCH_REASON, "%.250s", why.text);
    return placed;
}

/* Passes the placed jobs to the driver and removes those that the driver refuses from the list. Returns how
 * many placed jobs are left. */
static unsigned hand_over(struct launcher *l, struct job **list, unsigned placed, unsigned *count)
{
    const struct launch_backend *backend = l->backend;
    struct error why = {0};
    double begin = clock_processor_seconds();
    (void)backend->hand_over(l->context, l->canary[0].own, &why);
    for (unsigned i = 0; i < placed;) {
        if (backend->hand_over(l->context, list[i]->own, &why) == LAUNCH_PLACED) {
            i++;
            continue;
        }
        (void)snprintf(list[i]->reason, LAUNCH_REASON, "%.250s", why.text);
        list[i] = list[--placed];
        list[placed] = list[--*count];
    }
    (void)backend->hand_over(l->context, l->canary[1].own, &why);
    l->launch_seconds += clock_processor_seconds() - begin;
    return placed;
}

/*
 * Judges and places as many jobs as fit into one launch, and moves them to the front of the list. Removes
 * jobs that may not run or cannot be placed. Returns how many are placed.
 */
static unsigned fill_launch(struct launcher *l, struct job **list, unsigned *count)
{
    unsigned placed = 0;
    l->backend->clear(l->context);
    l->canaries_placed = place(l, &l->canary[0]) == LAUNCH_PLACED;
    for (unsigned i = 0; i < *count && l->backend->has_room(l->context);) {
        struct job *j = list[i];
        switch (j->judged || admit(l, j) ? place(l, j) : LAUNCH_NEVER) {
        case LAUNCH_PLACED:
            list[i++] = list[placed];
            list[placed++] = j;
            break;
        case LAUNCH_LATER:
            i++;
            break;
        case LAUNCH_NEVER:
            list[i] = list[--*count];
            break;
        }
    }
    l->canaries_placed &= place(l, &l->canary[1]) == LAUNCH_PLACED;
    return l->backend->hand_over ? hand_over(l, list, placed, count) : placed;
}

static bool canaries_are_placed(const struct launcher *l, struct error *e)
{
    if (l->canaries_placed)
        return true;
    e->of_machine = true;
    return error_set(e, "a canary (a program with a known answer) may not run: %s",
                     *l->canary_reason[0] ? l->canary_reason[0] : l->canary_reason[1]);
}

/* Launches the placed cases. Resets the hardware after a hang, so that no program still writes while the
 * results are read, and after a hardware error, so that the next error is seen. */
static enum launch_result launch_placed(struct launcher *l, struct error *e)
{
    double begin = clock_processor_seconds();
    enum launch_result result = l->backend->launch(l->context, e);
    l->launch_seconds += clock_processor_seconds() - begin;
    if (result == LAUNCH_DONE && l->backend->fetch)
        result = l->backend->fetch(l->context);
    struct error failure = {0};
    if ((result != LAUNCH_HUNG && result != LAUNCH_HW_ERROR) || l->backend->reset(l->context, &failure))
        return result;
    *e = failure;
    return LAUNCH_LOST;
}

static enum launch_result launch(struct launcher *l, struct job *const *list, unsigned count, struct error *e)
{
    uint64_t hashes[LAUNCH_CASES_MAX];
    for (unsigned i = 0; i < count; i++)
        hashes[i] = list[i]->hash;
    if (!canaries_are_placed(l, e) || !journal_begin(l->journal, hashes, count, e))
        return LAUNCH_LOST;
    enum launch_result result = launch_placed(l, e);
    if (result == LAUNCH_LOST || result == LAUNCH_HUNG || result == LAUNCH_HW_ERROR)
        return result; /* no "end" in the journal: find_culprit writes it, unless the board is lost */
    return journal_end(l->journal, e) ? result : LAUNCH_LOST;
}

static bool collect_job(struct launcher *l, struct job *j)
{
    return l->backend->collect(l->context, j->own, j->outcome);
}

enum canaries { CANARIES_RIGHT, CANARIES_MISSING, CANARIES_WRONG };

static enum canaries check_canaries(struct launcher *l)
{
    enum canaries found = CANARIES_RIGHT;
    for (unsigned n = 0; n < LAUNCH_CANARIES; n++) {
        if (!collect_job(l, &l->canary[n]))
            found = CANARIES_MISSING;
        else if (!l->backend->canary_is_right(n, l->canary_case[n], l->canary_outcome[n]))
            return CANARIES_WRONG;
    }
    return found;
}

/* Launches the canaries alone, before a case is blamed for a failed launch. False with an error: the board
 * fails even without cases. */
static bool board_is_well(struct launcher *l, struct error *e)
{
    enum launch_result result = LAUNCH_LOST;
    for (unsigned try = 0; try < TRIES; try++) {
        struct job *nobody = NULL;
        unsigned none = 0;
        (void)fill_launch(l, &nobody, &none);
        result = canaries_are_placed(l, e) ? launch_placed(l, e) : LAUNCH_LOST;
        if (result == LAUNCH_LOST)
            return false;
        if (result == LAUNCH_DONE && check_canaries(l) == CANARIES_RIGHT)
            return true;
    }
    e->of_machine = true;
    if (result == LAUNCH_REFUSED || result == LAUNCH_HW_ERROR)
        return error_where(e, "canaries launched alone");
    return error_set(e,
                     "the board does not recover from a launch that hung: the canaries (programs with known "
                     "answers), launched alone, %s %d times; no case is blamed; reboot the board",
                     result == LAUNCH_HUNG ? "hung" : "failed", TRIES);
}

/* Reads the results. Moves jobs that did not end to the front of the list and returns their number. */
static unsigned collect(struct launcher *l, struct job **list, unsigned count)
{
    unsigned open = 0;
    for (unsigned i = 0; i < count; i++)
        if (!collect_job(l, list[i]))
            list[open++] = list[i];
    return open;
}

/* ---- all launches ---- */

static bool run_jobs(struct launcher *l, struct job **list, unsigned count, struct error *e);

/*
 * Searches for the case that made a launch fail. `why` is NULL after a hang; otherwise it says why the driver
 * refused the launch or which error the hardware reported. The first `open` jobs of the list have no stamp.
 * They are launched again in halves. A job that was launched alone is the culprit.
 *
 * The journal's "end" line is written only after the canaries ran and a single culprit's hang is recorded. If
 * the board dies before that, the next run knows which cases were running.
 */
static bool find_culprit(struct launcher *l, struct job **list, unsigned open, unsigned launched,
                         const char *why, struct error *e)
{
    *e = (struct error){0};
    if (!board_is_well(l, e))
        return false;
    if (launched == 1 && open) {
        if (why)
            (void)snprintf(list[0]->reason, LAUNCH_REASON, "%.250s", why);
        else if (!hang(l, list[0], e))
            return false;
        open = 0;
    }
    unsigned half = open == 1 ? 1 : open / 2;
    return journal_end(l->journal, e) && run_jobs(l, list, half, e) &&
           run_jobs(l, list + half, open - half, e);
}

/* Launches the placed jobs. If results are missing or a canary's answer is wrong, launches a second time. If
 * a canary is wrong again, the board has failed. */
static bool run_launch(struct launcher *l, struct job **list, unsigned count, struct error *e)
{
    for (unsigned try = 0; try < TRIES; try++) {
        enum launch_result result = launch(l, list, count, e);
        if (result == LAUNCH_LOST)
            return false;
        const struct error why = *e;
        if (result == LAUNCH_REFUSED || result == LAUNCH_HW_ERROR)
            return find_culprit(l, list, count, count, why.text, e);
        enum canaries found = check_canaries(l);
        bool trusted = found == CANARIES_RIGHT || (found == CANARIES_MISSING && result == LAUNCH_HUNG);
        unsigned open = trusted ? collect(l, list, count) : count;
        if (result == LAUNCH_HUNG)
            return find_culprit(l, list, open, count, NULL, e);
        if (!open)
            return true;
        if (trusted && try + 1 == TRIES) {
            for (unsigned i = 0; i < open; i++)
                (void)snprintf(list[i]->reason, LAUNCH_REASON,
                               "the case's program ended %d times with incomplete output", TRIES);
            return true;
        }
        count = fill_launch(l, list, &open);
    }
    e->of_machine = true;
    return error_set(e,
                     "the board computes wrong integer sums, loads wrong words, or does not return results: "
                     "the canaries (programs with known answers) failed %d times",
                     TRIES);
}

static bool run_jobs(struct launcher *l, struct job **list, unsigned count, struct error *e)
{
    while (count) {
        unsigned launched = fill_launch(l, list, &count);
        if (launched && !run_launch(l, list, launched, e))
            return false;
        list += launched;
        count -= launched;
    }
    return true;
}

static void shuffle(struct launcher *l, struct job **list, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        unsigned other = random_below(&l->random, i);
        struct job *j = list[i - 1];
        list[i - 1] = list[other];
        list[other] = j;
    }
}

bool launcher_run(struct launcher *l, const struct test_case *const *cases, unsigned count,
                  struct outcome *const *outcomes, char (*reason)[LAUNCH_REASON], struct error *e)
{
    struct job *list[LAUNCH_CASES_MAX];
    unsigned jobs = 0;
    for (unsigned i = 0; i < count; i++) {
        struct job *j = &l->job[i];
        j->tc = cases[i];
        j->outcome = outcomes[i];
        j->reason = reason[i];
        j->reason[0] = 0;
        j->judged = false;
        j->hash = journal_wants_hashes(l->journal) ? hash_of(l, j->tc) : 0;
        if (journal_suspects(l->journal, j->hash)) { /* alone: if the machine dies again, this case did it */
            if (!run_jobs(l, &j, 1, e))
                return false;
        } else {
            list[jobs++] = j;
        }
    }
    shuffle(l, list, jobs);
    return run_jobs(l, list, jobs, e);
}
