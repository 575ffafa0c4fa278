/* SPDX-License-Identifier: MIT */
/*
 * Cases on hardware, hundreds a launch: each is judged and put beside others by
 * the way that cases reach this hardware (`struct batch_way`), all are launched
 * at once, and what they left is read back. A case with a known answer stands
 * first and last in each launch; the order is another each time, so that state
 * that leaks from one case into the next shows as a board that disagrees with
 * itself.
 *
 * When a launch does not end, the hardware is reset, and the cases with known
 * answers are launched alone: if they fail it is the board's failure, and no
 * case is blamed. Else the cases without a stamp are launched again in halves,
 * until the one that hangs stands alone; it is not run again. So is found a case
 * because of which a whole launch is refused, or the hardware reports an error.
 *
 * Owns which cases are launched together, in which order, how often; how they
 * are judged, placed and launched is the way's (user_batch.h, shader_batch.h).
 */
#ifndef MISPRINT_HARNESS_LAUNCH_BATCH_H
#define MISPRINT_HARNESS_LAUNCH_BATCH_H

#include "harness/launch/journal.h"
#include "model/core/outcome.h"
#include "model/core/unit.h"

enum { BATCH_CASES_MAX = 256, BATCH_REASON = 256, BATCH_CANARIES = 2 };

/*
 * Launches of one batch at the most: where each case of n hangs, all halves of all halves do, which are 2 n -
 * 1, and after each the known answers are launched alone. (These may hang once of two times; a board of which
 * that is usual is not worth waiting for.)
 */
enum { BATCH_LAUNCHES_MAX = 2 * (2 * BATCH_CASES_MAX - 1) };

enum batch_launch {
    BATCH_DONE,
    BATCH_HUNG,    /* not all programs came to their ends */
    BATCH_REFUSED, /* nothing ran, what was placed is not taken; with an error */
    BATCH_MARKED,  /* all came to their ends, but the hardware says that something was wrong; with an error
                      that says what */
    BATCH_LOST,    /* the board failed; with an error */
};

enum batch_place {
    BATCH_PLACED,
    BATCH_LATER, /* not beside those that are placed already */
    BATCH_NEVER, /* the hardware cannot bring about its state; with an error */
};

/* How cases reach one kind of hardware. `context` is the way's own; `job` is what it keeps of one case,
 * `job_bytes` of it. */
struct batch_way {
    size_t job_bytes;
    const char *canary[BATCH_CANARIES]; /* cases whose results follow from integer arithmetic alone ... */
    bool (*canary_is_right)(unsigned n, const struct test_case *c,
                            const struct outcome *o); /* ... and are looked at here */
    /* May the case run there? False with an error that says why not. Mostly the same case is placed next. */
    bool (*judge)(void *context, void *job, const struct test_case *c, struct error *why);
    void (*clear)(void *context);          /* nothing is placed */
    bool (*has_room)(const void *context); /* for any case, and a known answer behind it */
    /* Puts a judged case behind those that are placed. `initial` holds the case's initial state; `stamp` is
     * not 0. */
    enum batch_place (*place)(void *context, void *job, const struct test_case *c,
                              const struct outcome *initial, uint32_t stamp, struct error *why);
    /* NULL; or hands the driver what was placed, before all is launched, and is counted with it: BATCH_PLACED
     * or BATCH_NEVER. */
    enum batch_place (*hand_over)(void *context, void *job, struct error *why);
    enum batch_launch (*launch)(void *context, struct error *e); /* all that are placed */
    enum batch_launch (*fetch)(void *context); /* NULL; or brings what a launch has left to where `collect`
                                                  reads it: BATCH_DONE or BATCH_HUNG */
    bool (*reset)(void *context, struct error *e); /* after BATCH_HUNG, BATCH_MARKED */
    /* Reads what a case left into its outcome, which holds its initial state. False: it did not come to its
     * end, or a part of it is missing. */
    bool (*collect)(void *context, const void *job, struct outcome *o);
    struct dry_run *(*dry_run)(void *context); /* NULL: there is no second proof; or what makes it */
};

struct batch;

/* All that is given stays the caller's, and must stay. NULL with an error. */
struct batch *batch_new(const struct batch_way *way, void *context, struct journal *journal, uint64_t seed,
                        struct error *e);
void batch_free(struct batch *b); /* NULL is fine */

/*
 * Of this process's processor time, what went by while the way handed over and launched, which is the
 * driver's and the hardware's: all else is what the host does around them, poisoning, copying and reading of
 * what they leave included.
 */
double batch_launch_seconds(const struct batch *b);

/*
 * Runs up to BATCH_CASES_MAX cases. reason[i] becomes "" and outcomes[i] what
 * the case left (or that it hung); or why it was not run. False: the board failed.
 */
bool batch_run(struct batch *b, const struct test_case *const *cases, unsigned count,
               struct outcome *const *outcomes, char (*reason)[BATCH_REASON], struct error *e);

#endif
