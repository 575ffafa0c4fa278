/* SPDX-License-Identifier: MIT */
/*
 * A case of v3d-qpu as a program that a real QPU can run by itself: code that loads the case's registers and
 * flags, the case's own instructions, and code that stores what they may have changed, and a stamp after it.
 * For cases that pass the proofs (v3d_verifier.h).
 *
 * If there are several batches, all run the whole program. The first one stores its state to the output, and
 * the others store theirs to an area behind it, which nobody reads unless no batch was the first.
 *
 * The code around the case's instructions uses four or five registers that these do not name. The case's own
 * thread switch that would end the program is removed; nothing else in its instructions changes. The uniforms
 * of the code before the case come first, then the case's own.
 */
#ifndef MISPRINT_HARNESS_V3D_V3D_WRAPPER_H
#define MISPRINT_HARNESS_V3D_V3D_WRAPPER_H

#include "model/core/outcome.h"
#include "model/v3d/unit_v3d.h"

enum {
    V3D_WRAP_BEFORE = 448, /* most instructions before the case's own */
    V3D_WRAP_AFTER = 320,  /* most instructions after them, with padding */
    V3D_WRAP_CODE = V3D_WRAP_BEFORE + V3D_CASE_PROGRAM_MAX + V3D_WRAP_AFTER,
    V3D_WRAP_UNIFORMS_OWN = 6, /* addresses, the stamp, and the first workgroup */
    V3D_WRAP_BATCHES = 16,     /* most batches: V3D 4.2 has threads for so many */
    V3D_WRAP_AREA = 0x2000,    /* bytes from the output of the first batch to that of all others */
    V3D_WRAP_UNIFORMS = V3D_WRAP_UNIFORMS_OWN + V3D_CASE_UNIFORMS_MAX,
    V3D_WRAP_ROWS = V3D_REGISTERS + V3D_ACCUMULATORS + 4, /* most rows of input, and of output */
    V3D_WRAP_POISON = 0x7B7B7B7B,
};

/* The addresses, on the GPU, of a program's data. */
struct v3d_wrap_addresses {
    uint32_t input, output, window; /* window: the case's memory */
};

struct v3d_wrap {
    uint32_t code[2 * V3D_WRAP_CODE];
    unsigned count, body; /* instructions; the number of the case's first own one */
    uint32_t uniform[V3D_WRAP_UNIFORMS];
    unsigned uniforms;
    uint32_t input[V3D_WRAP_ROWS * V3D_LANES];
    unsigned inputs, outputs;    /* rows; the last row of output is the stamp */
    uint16_t row[V3D_WRAP_ROWS]; /* the outcome's row of each row of output */
    uint32_t stamp;
};

/* True if this board can run the case as one program. False with the reason. */
bool v3d_wrap_admits(const struct test_case *c, enum v3d_generation g, struct error *why);

/* Makes the program. `initial` holds the case's initial state (outcome_reset). False with the reason. */
bool v3d_wrap_build(const struct test_case *c, const struct outcome *initial, uint32_t stamp,
                    const struct v3d_wrap_addresses *a, struct v3d_wrap *w, struct error *why);

/* Reads a program's output into the case's outcome, which holds its initial state. False: the program did not
 * end, or a row is missing. */
bool v3d_wrap_collect(const struct v3d_wrap *w, const uint32_t *output, struct outcome *o);

#endif
