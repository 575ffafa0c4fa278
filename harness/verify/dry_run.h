/* SPDX-License-Identifier: MIT */
/*
 * The second proof that a program may run on a VideoCore IV (harness/verify/PROOF.md): the program runs in
 * the model, which checks each access. The two proofs share the decoder, the field tables and the model, but
 * no rule (verifier.h has the static proof).
 *
 * A program passes if it ends, stays in its own memory, VPM rows and uniforms, and uses nothing that QPUs
 * share,
 *   - under the silicon profile, and under the profile of the campaign;
 *   - under the silicon profile with one clause changed: to each other reading, for each clause that the
 *     case's instructions consulted in the runs above.
 * The code around the case runs under the silicon profile alone. The launch is not part of this file.
 */
#ifndef MISPRINT_HARNESS_VERIFY_DRY_RUN_H
#define MISPRINT_HARNESS_VERIFY_DRY_RUN_H

#include "harness/vc4/program/wrapper.h"
#include "model/core/clause.h"
#include "model/text/text.h"
#include "model/vc4/vc4.h"

enum { DRY_RUN_STEPS_MAX = 4096 /* limit of the case's own instructions that are executed */ };

/* The profile under which a program failed. */
struct dry_run_under {
    bool campaign; /* the campaign's profile; otherwise the silicon profile, with one other reading: */
    int clause;    /* a clause of unit vc4-qpu; -1: no other reading */
    unsigned reading;
};

/* Why a program did not pass. */
struct dry_run_refusal {
    struct dry_run_under under;
    bool own;             /* in an instruction of the case; otherwise in the code around it */
    uint32_t instruction; /* counted from the first of the case, or of the program */
    enum vc4_stop stop;   /* why the machine stopped; VC4_GO: it did not, and a member below has the reason */
    struct vc4_breach breach;
    const char *shared; /* NULL, or the shared unit that it used: "the mutex" */
    const char *flow;   /* NULL, or how it left the case's instructions: "does not end" */
};

/* How a board's reason begins if the static proof passed a program and the dry run refused it. Campaigns
 * count these. */
#define DRY_RUN_DISAGREES "the proofs disagree: the static one passes it, but"

struct dry_run;

struct dry_run *dry_run_new(void);
void dry_run_free(struct dry_run *d); /* NULL is fine */

/* Sets the campaign's profile: of vc4-qpu, or of another unit whose clauses it shares; NULL: none. */
void dry_run_set_campaign(struct dry_run *d, const struct unit *u, const struct profile *p);

/* Runs a program with the words and at the addresses of its launch. False: it must not be launched. */
bool dry_run_program(struct dry_run *d, const struct wrapper_image *image, const struct wrapper_program *w,
                     const struct wrapper_slot *slot, struct dry_run_refusal *r);

/* The same for a case without code around it: it starts in its own initial state, with its memory at
 * `memory_base`. */
bool dry_run_case(struct dry_run *d, const struct test_case *c, uint32_t memory_base,
                  struct dry_run_refusal *r);

/* Returns the processor time that dry runs took in this process, in seconds. */
double dry_run_seconds(const struct dry_run *d);

/* As dry_run_program and dry_run_case, but with the reason as an error, for boards. */
bool dry_run_admits_program(struct dry_run *d, const struct wrapper_image *image,
                            const struct wrapper_program *w, const struct wrapper_slot *slot,
                            struct error *why);
bool dry_run_admits_case(struct dry_run *d, const struct test_case *c, uint32_t memory_base,
                         struct error *why);

/* "under accumulator-count=five, instruction 4 loads from bus address 7f000000, outside the case's memory" */
void dry_run_explain(const struct dry_run_refusal *r, char *text, size_t room);

/* The parts of that text: "under accumulator-count=five", and "loads from bus address 7f000000, outside the
 * case's memory". */
void dry_run_print_under(const struct dry_run_under *u, struct text *t);
void dry_run_print_what(const struct dry_run_refusal *r, struct text *t);

#endif
