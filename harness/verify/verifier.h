/* SPDX-License-Identifier: MIT */
/*
 * The proof that a program may run on hardware. A Raspberry Pi has no memory
 * protection between a QPU and the rest of the machine, so a program reaches a
 * board only if, whatever its arithmetic gives,
 *   - every DMA, look-up and uniform address lies in the case's own memory;
 *   - it comes to its end: it only goes forward, and waits for nothing that may
 *     never come;
 *   - it touches no unit that others share or that outlives the case
 *     (semaphores, mutex, tile buffer, varyings, host interrupt, threads).
 *
 * Addresses and setup words must come from constants, uniforms, the case's
 * registers, and moves or integer operations on these; an address that any
 * other operation had a part in is refused, because what that operation does on
 * silicon is what is being tested. Where a clause leaves open what an access
 * does, every reading must be harmless.
 *
 * Owns the rules; how a case that passed is run is wrapper.h's.
 */
#ifndef MISPRINT_HARNESS_VERIFY_VERIFIER_H
#define MISPRINT_HARNESS_VERIFY_VERIFIER_H

#include "model/core/unit.h"
#include "model/vc4/vc4.h"

/* Places of a QPU's own state: bit n of `file` is ra n, bit 32 + n is rb n; bit n of `other` is accumulator
 * n, bit 6 the flags. */
struct verifier_places {
    uint64_t file;
    uint8_t other;
};
enum { VERIFIER_FLAGS = 1 << 6, VERIFIER_WINDOW_ROWS = VC4_MEMORY_ROWS };

/* Rows of 64 bytes of the case's memory. */
struct verifier_rows {
    uint64_t bits[VERIFIER_WINDOW_ROWS / 64];
};

/* What is known of a program that passed. */
struct verifier_proof {
    struct verifier_places in;  /* it may see what these held before it */
    struct verifier_places out; /* it may change these */
    bool vpm;                   /* it uses the VPM or its DMA: at most one such program at a time */
    bool cached; /* it reads memory through caches (TMU, uniforms): nothing else may change that memory in the
                    same launch */
    struct verifier_rows read, written; /* of the case's memory */
    int refused_at; /* of a program that did not pass: the instruction; -1: none in particular */
};

/*
 * Judges a case of unit vc4-qpu whose memory would lie at bus address
 * `memory_base`. False: refused, and the error says by which instruction and
 * why. Takes about a microsecond for 16 instructions.
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
