/* SPDX-License-Identifier: MIT */
/*
 * The static proof that a program may run on hardware (harness/verify/PROOF.md): whatever its arithmetic
 * gives,
 *   - every DMA, look-up and uniform address lies in the case's own memory;
 *   - it ends: it only branches forward, and never waits for an event that may not come;
 *   - it uses no unit that programs share or that outlives the case.
 *
 * An address that depends on other operations than moves and integer operations is refused, because the
 * behaviour of such an operation on silicon is what the case tests. wrapper.h owns how a case that passed is
 * run.
 */
#ifndef MISPRINT_HARNESS_VERIFY_VERIFIER_H
#define MISPRINT_HARNESS_VERIFY_VERIFIER_H

#include "model/core/unit.h"
#include "model/vc4/vc4.h"

/* A set of a QPU's registers: bit n of `file` is ra n, bit 32 + n is rb n; bit n of `other` is accumulator n,
 * bit 6 the flags. */
struct verifier_places {
    uint64_t file;
    uint8_t other;
};
enum { VERIFIER_FLAGS = 1 << 6, VERIFIER_WINDOW_ROWS = VC4_MEMORY_ROWS };

/* A set of rows of 64 bytes of the case's memory. */
struct verifier_rows {
    uint64_t bits[VERIFIER_WINDOW_ROWS / 64];
};

/* What is known of a program that passed. */
struct verifier_proof {
    struct verifier_places in;  /* places whose earlier content it may depend on */
    struct verifier_places out; /* places that it may change */
    bool vpm;                   /* it uses the VPM or its DMA: only one such program may run at a time */
    bool cached; /* it reads memory through caches (TMU, uniforms): nothing else may write that memory in the
                    same launch */
    struct verifier_rows read, written;
    int refused_at; /* if the program was refused: the instruction; -1: none in particular */
};

/*
 * Checks a case of unit vc4-qpu whose memory would lie at bus address `memory_base`. False: refused; the
 * error names the instruction and the reason. Takes about a microsecond for 16 instructions.
 */
bool verifier_prove(const struct test_case *c, uint32_t memory_base, struct verifier_proof *p,
                    struct error *e);

static inline bool verifier_has_row(const struct verifier_rows *r, uint32_t row)
{
    return r->bits[row / 64] >> row % 64 & 1;
}

/* Place n: 0 to 31 are ra, 32 to 63 rb, 64 to 69 the accumulators, 70 the flags. */
static inline bool verifier_has_place(const struct verifier_places *p, unsigned n)
{
    uint64_t bits = n < 64 ? p->file >> n : (uint64_t)p->other >> (n - 64);
    return bits & 1;
}

#endif
