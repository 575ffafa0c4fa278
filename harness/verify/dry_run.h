/* SPDX-License-Identifier: MIT */
/*
 * The second proof that a program may run on a VideoCore IV: it is run in the model first, and each access is
 * held against what the program may touch. It shares no rule with the static proof (verifier.h): only the
 * decoder, the field tables and the model of the machine.
 *
 * A program passes if it ends, and touches only its own memory, VPM rows and uniforms, and nothing that QPUs
 * share,
 *   - under the silicon profile, and under the profile of the campaign;
 *   - under each single other reading of the clauses that its own instructions consulted there.
 * The code around the case obeys the silicon profile throughout: harness/verify/PROOF.md says what that
 * assumes. Registers, VPM and memory count as undefined where the program has not set them: an address, setup
 * word or branch that depends on an undefined bit refuses the program.
 *
 * Owns what is checked, and under which profiles. What is launched after that is the boards' matter.
 */
#ifndef MISPRINT_HARNESS_VERIFY_DRY_RUN_H
#define MISPRINT_HARNESS_VERIFY_DRY_RUN_H

#include "harness/vc4/program/wrapper.h"
#include "model/core/clause.h"
#include "model/text/text.h"
#include "model/vc4/vc4.h"

enum { DRY_RUN_STEPS_MAX = 4096 /* instructions of its own that a case may execute */ };

/* Under which profile a program failed: the silicon profile, perhaps with one other reading, or the profile
 * asked for. */
struct dry_run_under {
    bool asked; /* the campaign's profile */
    int clause; /* of the unit; -1: no other reading */
    unsigned reading;
};

/* Why a program did not pass. */
struct dry_run_refusal {
    struct dry_run_under under;
    bool own;             /* in an instruction of the case itself; else of the code around it */
    uint32_t instruction; /* counted from the first of the case, or of the program */
    enum vc4_stop stop;   /* VC4_GO: it was not stopped, but see the members below */
    struct vc4_breach breach;
    const char *shared; /* NULL, or what it reached that is not its own: "the mutex" */
    const char *flow;   /* NULL, or how it left its own way: "does not end" */
};

/* How a board's reason begins where the static proof has let a program pass and the dry run has not.
 * Campaigns count these. */
#define DRY_RUN_DISAGREES "the proofs disagree: the static one passes it, but"

struct dry_run;

/* Aborts if there is no memory (model/core/memory.h). */
struct dry_run *dry_run_new(void);
void dry_run_free(struct dry_run *d); /* NULL is fine */

/* The campaign's profile, tried as well: of vc4-qpu, or of another unit whose clauses it shares; NULL: none.
 */
void dry_run_also_under(struct dry_run *d, const struct unit *u, const struct profile *p);

/* Runs a program as it would lie in its slot: these words at these addresses. False: it must not be launched,
 * and why. */
bool dry_run_program(struct dry_run *d, const struct wrapper_image *image, const struct wrapper_program *w,
                     const struct wrapper_slot *slot, struct dry_run_refusal *r);

/* The same of a case without code around it: a user program that starts in its own initial state, with its
 * memory at `memory_base`. */
bool dry_run_case(struct dry_run *d, const struct test_case *c, uint32_t memory_base,
                  struct dry_run_refusal *r);

/* Of this process's processor time, what dry runs took. */
double dry_run_seconds(const struct dry_run *d);

/* The same as the two above, for boards: with an error that says why not. */
bool dry_run_admits_program(struct dry_run *d, const struct wrapper_image *image,
                            const struct wrapper_program *w, const struct wrapper_slot *slot,
                            struct error *why);
bool dry_run_admits_case(struct dry_run *d, const struct test_case *c, uint32_t memory_base,
                         struct error *why);

/*
 * One run of a bare case under one profile, whatever comes of it: what tests of the static proof are made of.
 * `checked`: definedness is tracked, and counts. Else undefined bits hold `filler`. Adds what was consulted
 * to `c` if that is not NULL.
 */
bool dry_run_once(struct dry_run *d, const struct test_case *c, uint32_t memory_base, const struct profile *p,
                  bool checked, uint32_t filler, struct coverage *coverage, struct dry_run_refusal *r);

/* Rows of the case's memory that dry_run_once's last run wrote. */
bool dry_run_wrote_row(const struct dry_run *d, uint32_t row);

/* "under accumulator-count=five, instruction 4 loads from bus address 7f000000, outside the case's memory" */
void dry_run_explain(const struct dry_run_refusal *r, char *text, size_t room);

/* Its parts: "under accumulator-count=five", and "loads from bus address 7f000000, outside the case's
 * memory". */
void dry_run_print_under(const struct dry_run_under *u, struct text *t);
void dry_run_print_what(const struct dry_run_refusal *r, struct text *t);

#endif
