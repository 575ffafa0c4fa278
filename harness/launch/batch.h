/* SPDX-License-Identifier: MIT */
/*
 * Runs cases on hardware, hundreds in a launch. The way to this hardware (`struct batch_way`) checks and
 * places each case; all are launched at once, and their outcomes are read back. Each launch begins and ends
 * with a canary, a case with a known answer. The order changes from launch to launch, so that state that
 * leaks from one case into the next shows as a board that disagrees with itself.
 *
 * After a hang, the hardware is reset and the canaries are launched alone. If they fail, the board has
 * failed, and no case is blamed. Otherwise the cases without a stamp are launched again in halves, until the
 * one that hangs is alone; it is not run again. A case for which the driver refuses a launch, or the hardware
 * reports an error, is found in the same way.
 */
#ifndef MISPRINT_HARNESS_LAUNCH_BATCH_H
#define MISPRINT_HARNESS_LAUNCH_BATCH_H

#include "harness/launch/journal.h"
#include "model/core/outcome.h"
#include "model/core/unit.h"

enum { BATCH_CASES_MAX = 256, BATCH_REASON = 256, BATCH_CANARIES = 2 };

/*
 * The most launches of one batch. If all n cases hang, so do all halves of halves, 2 n - 1 launches, and
 * after each the canaries are launched alone. (Canaries may hang once in two launches; no board that does so
 * often is worth waiting for.)
 */
enum { BATCH_LAUNCHES_MAX = 2 * (2 * BATCH_CASES_MAX - 1) };

enum batch_launch {
    BATCH_DONE,
    BATCH_HUNG,    /* not all programs ended */
    BATCH_REFUSED, /* nothing ran, because the driver refused it; with an error */
    BATCH_MARKED,  /* all programs ended, but the hardware reports an error; with an error */
    BATCH_LOST,    /* the board failed; with an error */
};

enum batch_place {
    BATCH_PLACED,
    BATCH_LATER, /* not beside those that are placed already */
    BATCH_NEVER, /* the hardware cannot have its initial state; with an error */
};

/* How cases reach one kind of hardware. `context` is the way's own; `job` is what it keeps of one case. */
struct batch_way {
    size_t job_bytes;
    const char *canary[BATCH_CANARIES]; /* cases whose results follow from integer arithmetic alone */
    bool (*canary_is_right)(unsigned n, const struct test_case *c, const struct outcome *o);
    /* May the case run there? False with the reason. */
    bool (*judge)(void *context, void *job, const struct test_case *c, struct error *why);
    void (*clear)(void *context);          /* nothing is placed any more */
    bool (*has_room)(const void *context); /* for any case and a canary behind it */
    /* Places a judged case behind the others. `initial` holds its initial state; `stamp` is not 0. */
    enum batch_place (*place)(void *context, void *job, const struct test_case *c,
                              const struct outcome *initial, uint32_t stamp, struct error *why);
    /* NULL, or hands one placed case to the driver before the launch: BATCH_PLACED or BATCH_NEVER. */
    enum batch_place (*hand_over)(void *context, void *job, struct error *why);
    enum batch_launch (*launch)(void *context, struct error *e); /* all that are placed */
    /* NULL, or copies the results to where `collect` reads them: BATCH_DONE or BATCH_HUNG. */
    enum batch_launch (*fetch)(void *context);
    bool (*reset)(void *context, struct error *e); /* after BATCH_HUNG, BATCH_MARKED */
    /* Reads a case's results into its outcome, which holds its initial state. False: it did not end, or
     * results are missing. */
    bool (*collect)(void *context, const void *job, struct outcome *o);
    struct dry_run *(*dry_run)(void *context); /* NULL: there is no second proof */
};

struct batch;

/* All arguments stay the caller's, and must live as long as the batch. NULL with an error. */
struct batch *batch_new(const struct batch_way *way, void *context, struct journal *journal, uint64_t seed,
                        struct error *e);
void batch_free(struct batch *b); /* NULL is fine */

/* Seconds of this process's processor time in hand_over, launch and fetch: the driver's and the hardware's
 * share. */
double batch_launch_seconds(const struct batch *b);

/*
 * Runs up to BATCH_CASES_MAX cases. reason[i] is "" and outcomes[i] what the case left (or that it hung), or
 * reason[i] says why it was not run. False: the board failed.
 */
bool batch_run(struct batch *b, const struct test_case *const *cases, unsigned count,
               struct outcome *const *outcomes, char (*reason)[BATCH_REASON], struct error *e);

#endif
