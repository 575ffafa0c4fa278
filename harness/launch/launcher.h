/* SPDX-License-Identifier: MIT */
/*
 * Runs up to 256 cases in one launch on hardware. A backend (`struct launch_backend`), one for each kind of
 * hardware and program, checks each case, places it in GPU memory, launches all placed cases together and
 * reads their outcomes back. The launcher owns the order of the cases, the canaries and the search for a case
 * that hangs.
 *
 * Each launch begins and ends with a canary: a case with a known answer. The order of the cases is random, so
 * that state that leaks from one case into the next shows up as different outcomes of the same case.
 *
 * After a hang, the backend resets the hardware and the canaries are launched alone. If they fail, the board
 * has failed, and no case is blamed. Otherwise the cases that left no stamp are launched again in halves
 * until the hanging case is alone. That case is never run again. If the driver refuses a launch or the
 * hardware reports an error, the same search finds the case.
 */
#ifndef MISPRINT_HARNESS_LAUNCH_LAUNCHER_H
#define MISPRINT_HARNESS_LAUNCH_LAUNCHER_H

#include "harness/launch/journal.h"
#include "model/core/outcome.h"
#include "model/core/unit.h"

enum { LAUNCH_CASES_MAX = 256, LAUNCH_REASON = 256, LAUNCH_CANARIES = 2 };

/*
 * The most launches that launcher_run makes. If all n cases hang, every half of every half hangs too, which
 * takes 2 n - 1 launches. After each of them the canaries are launched alone. (A canary that hangs is tried a
 * second time. That is not counted here, because it is rare.)
 */
enum { LAUNCHES_MAX = 2 * (2 * LAUNCH_CASES_MAX - 1) };

enum launch_result {
    LAUNCH_DONE,
    LAUNCH_HUNG,     /* some program did not end */
    LAUNCH_REFUSED,  /* the driver refused the launch, so nothing ran; sets the error */
    LAUNCH_HW_ERROR, /* all programs ended, but the hardware reports an error; sets the error */
    LAUNCH_LOST,     /* the board failed; sets the error */
};

enum launch_place {
    LAUNCH_PLACED,
    LAUNCH_LATER, /* cannot run beside the cases that are already placed */
    LAUNCH_NEVER, /* cannot run on this hardware; sets the error */
};

/* Functions for one kind of hardware and program. `context` is the backend's state; `job` is what the backend
 * stores about one case. */
struct launch_backend {
    size_t job_bytes;
    const char *canary[LAUNCH_CANARIES]; /* cases that compute with integers only */
    bool (*canary_is_right)(unsigned n, const struct test_case *c, const struct outcome *o);
    /* True if the case may run on this hardware. False with the reason. */
    bool (*judge)(void *context, void *job, const struct test_case *c, struct error *why);
    void (*clear)(void *context);          /* removes all placed cases */
    bool (*has_room)(const void *context); /* true: one more case of any size and a canary fit */
    /* Places a case that passed `judge` behind the others. `initial` holds its initial state. The program
     * writes `stamp`, which is not 0, when it ends. */
    enum launch_place (*place)(void *context, void *job, const struct test_case *c,
                               const struct outcome *initial, uint32_t stamp, struct error *why);
    /* May be NULL. Passes one placed case to the driver before the launch. Returns LAUNCH_PLACED, or
     * LAUNCH_NEVER if the driver refuses the case. */
    enum launch_place (*hand_over)(void *context, void *job, struct error *why);
    enum launch_result (*launch)(void *context, struct error *e); /* launches all placed cases */
    /* May be NULL. Copies the results to where `collect` reads them. Returns LAUNCH_DONE or LAUNCH_HUNG. */
    enum launch_result (*fetch)(void *context);
    bool (*reset)(void *context, struct error *e); /* called after LAUNCH_HUNG and LAUNCH_HW_ERROR */
    /* Reads a case's results into `o`, which holds the case's initial state before the call. False: the
     * program did not end, or results are missing. */
    bool (*collect)(void *context, const void *job, struct outcome *o);
    struct dry_run *(*dry_run)(void *context); /* NULL: the backend makes no dry run */
};

struct launcher;

/* The caller keeps owning all arguments, which must live as long as the launcher. NULL with an error. */
struct launcher *launcher_new(const struct launch_backend *backend, void *context, struct journal *journal,
                              uint64_t seed, struct error *e);
void launcher_free(struct launcher *l); /* NULL is fine */

/* Returns the processor seconds that this process spent in hand_over and launch, mostly in the driver. */
double launcher_seconds(const struct launcher *l);

/*
 * Runs up to LAUNCH_CASES_MAX cases. For a case that ran, outcomes[i] is its outcome (END_HANG if it hung)
 * and reason[i] is "". For any other case, reason[i] says why there is no outcome. False: the board failed.
 */
bool launcher_run(struct launcher *l, const struct test_case *const *cases, unsigned count,
                  struct outcome *const *outcomes, char (*reason)[LAUNCH_REASON], struct error *e);

#endif
