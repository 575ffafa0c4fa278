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
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_WRAPPER_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_WRAPPER_H

#include "model/amd/unit_buffer.h"
#include "model/core/outcome.h"

enum {
    AMDGPU_DESCRIPTOR_SGPR = 8,  /* the first of the case's V#, which is moved to where its memory is */
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

/* What a place in memory is known to hold: an image by its fill rule, but for some rows. Begins as all zero.
 */
struct amdgpu_image {
    bool known;
    uint32_t fill, seed;
    uint64_t others; /* rows that hold something else */
};

/*
 * What is known of a slot from the launch before, so that only what differs has to be written for the next
 * case. Begins as all zero, and has to be again after a program that did not come to its end: that one may go
 * on writing.
 */
struct amdgpu_kept {
    struct amdgpu_image window, sgprs,
        vgprs; /* once its rows were read; of what the program loads, which nothing but the host writes */
    const struct amdgpu_frame *frame; /* what stands around ... */
    uint32_t insns; /* ... so many instructions of a case, once the program came to its end; NULL: unknown */
    bool poisoned;  /* all of the output but LDS and the stamp: done when it was read, while it was near */
};

/* What the case's rows hold that it does not give itself (image_rules_get). */
struct amdgpu_clean {
    const uint32_t *sgprs, *vgprs, *memory, *lds;
};

/* Where one program goes. */
struct amdgpu_slot {
    struct amdgpu_area code, in, out, window;
    struct amdgpu_kept *kept; /* NULL: nothing is known */
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
    const struct amdgpu_frame *frame;
    uint32_t stamp;
    unsigned lanes;
    bool lds;            /* it moves data to or from LDS */
    unsigned descriptor; /* bit n: a scalar load of the case writes register n of the V# */
    uint64_t own_sgprs, own_vgprs, own_memory; /* rows that the case gives */
};

void amdgpu_frames_make(enum amd_generation g, struct amdgpu_frames *f);

/* Puts the program of a case into its slot, fills its memory and poisons its output. */
void amdgpu_wrapper_build(const struct amdgpu_frames *f, const struct test_case *c,
                          const struct amdgpu_clean *clean, uint32_t stamp, const struct amdgpu_slot *slot,
                          struct amdgpu_program *p);

/* Reads its output into an outcome that is the case's initial state. False: the program did not come to its
 * end. */
bool amdgpu_wrapper_collect(const struct amdgpu_program *p, const struct amdgpu_clean *clean,
                            struct outcome *o);

#endif
