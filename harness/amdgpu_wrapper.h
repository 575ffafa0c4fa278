/* SPDX-License-Identifier: MIT */
/*
 * A case of amd-buffer as a program that a real compute unit runs: code that
 * brings about the wave's registers and LDS, the case's own instructions, each
 * waiting for the one before, code that writes all registers and the LDS to
 * memory, and a stamp behind it. Cases that the verifier has let pass.
 *
 * The case's memory is a window of its own (amdgpu_batch.h); BASE of the V# in
 * s8..s11 is moved there. All that the wrapper loads and stores goes through a
 * plain raw V#, by offsets of a dword a lane: the least that can be asked of a
 * buffer instruction. Between its beginning and its end it keeps what it needs
 * in v32 to v39, which no case names.
 *
 * Owns the code and the layout of its data; where they lie and how they are
 * launched is amdgpu_batch.h's.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_WRAPPER_H
#define MISPRINT_HARNESS_AMDGPU_WRAPPER_H

#include "model/amd/unit_buffer.h"
#include "model/outcome.h"

enum {
    AMDGPU_VGPRS = 40,           /* that a wave gets */
    AMDGPU_PROGRAM_WORDS = 1024, /* room for a program */
    AMDGPU_BLOCK_BYTES = 16384,  /* room for what it loads, and for what it stores */
    AMDGPU_POISON = 0x7B7B7B7B,  /* what stands where it stores */
};

/* A place in memory that both sides see. */
struct amdgpu_area {
    uint8_t *at;
    uint64_t va; /* as the GPU sees it; areas begin at multiples of 256 */
};

/*
 * What a case's window is known to hold from the launch before, when its program had come to its end and its rows had been read: the image of a
 * memory, but for some rows. So only these have to be written for the next case with that image. Begins as all zero.
 */
struct amdgpu_kept {
    bool known;
    uint32_t fill, seed; /* of the image */
    uint64_t others;     /* rows that hold something else */
};

/* Where one program goes. */
struct amdgpu_slot {
    struct amdgpu_area code, in, out, window;
    struct amdgpu_kept *kept; /* of the window; NULL: nothing is known of it */
};

/* What stands around the cases' instructions: the code before, and then that behind. */
struct amdgpu_frames {
    enum amd_generation generation;
    struct amdgpu_frame {
        uint32_t word[AMDGPU_PROGRAM_WORDS];
        unsigned begin, words; /* of these, and in all */
    } frame[AMD_WAVE_SIZES][2 /* uses LDS */];
};

/* A program that was put into its slot. */
struct amdgpu_program {
    struct amdgpu_slot slot;
    const struct amd_case *c;
    uint32_t stamp;
    unsigned lanes;
    bool lds;            /* it moves data to or from LDS */
    unsigned descriptor; /* bit n: a scalar load of the case writes register n of the V# */
};

/* How many SGPRs a wave of this generation has: those that a case can name, without VCC. */
unsigned amdgpu_sgprs(enum amd_generation g);

void amdgpu_frames_make(enum amd_generation g, struct amdgpu_frames *f);

/* Puts the program of a case into its slot, fills its memory and poisons its output. `initial` holds the case's initial state (outcome_reset). */
void amdgpu_wrapper_build(const struct amdgpu_frames *f, const struct test_case *c, const struct outcome *initial, uint32_t stamp,
                          const struct amdgpu_slot *slot, struct amdgpu_program *p);

/*
 * Reads its output into an outcome that is the case's initial state, as `initial` is too: that one is read, the other written where something
 * changed, so that an `initial` that serves all cases stays in the host's caches. False: the program did not come to its end.
 */
bool amdgpu_wrapper_collect(const struct amdgpu_program *p, const struct outcome *initial, struct outcome *o);

#endif
