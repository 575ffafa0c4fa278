/* SPDX-License-Identifier: MIT */
/*
 * Turns a case of amd-buffer into a program for a real compute unit. The program has code that sets the
 * wave's registers and LDS, the case's instructions, each with a wait after it, and code that stores all
 * registers, the LDS and a stamp to memory. Only for cases that the verifier accepted.
 *
 * The case's memory is a window of its own (amdgpu_launch.h); the wrapper moves BASE of the V# in s8..s11
 * there. The code around the case loads and stores through a raw V#, one dword for each lane, which is the
 * simplest use of a buffer instruction. It keeps its own values in v32 to v39, which no case can name.
 *
 * Owns the program's code and the layout of its data; amdgpu_launch.h places and launches them.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_WRAPPER_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_WRAPPER_H

#include "model/amd/unit_buffer.h"
#include "model/core/outcome.h"

enum {
    AMDGPU_DESCRIPTOR_SGPR = 8,  /* the first of the case's V#, whose BASE is moved to the window */
    AMDGPU_VGPRS = 40,           /* that a wave gets */
    AMDGPU_PROGRAM_WORDS = 1024, /* room for a program */
    AMDGPU_BLOCK_BYTES = 16384,  /* room for its input, and for its output */
    AMDGPU_POISON = 0x7B7B7B7B,  /* fills its output before it runs */
};

/* Memory that host and GPU see. */
struct amdgpu_area {
    uint8_t *at;
    uint64_t va; /* as the GPU sees it; areas begin at multiples of 256 */
};

/* What the host knows about the content of memory: rows by a fill rule, except for those in `others`. All
 * zeros mean that it knows nothing. */
struct amdgpu_image {
    bool known;
    uint32_t fill, seed;
    uint64_t others; /* rows that hold something else */
};

/*
 * What a slot holds after the last launch, so that the host writes only the differences for the next case.
 * All zeros mean that the content is unknown: at first, and after a program that did not end and may still
 * write.
 */
struct amdgpu_kept {
    struct amdgpu_image window;       /* known once its rows were read */
    struct amdgpu_image sgprs, vgprs; /* only the host writes them */
    const struct amdgpu_frame *frame; /* of the code in the slot; NULL: unknown */
    uint32_t insns;                   /* how many instructions of a case that code has */
    bool poisoned;                    /* all of the output except LDS and the stamp holds poison */
};

/* The rows that the fill rules of a case make (image_rules_get). A case can list other content for a row. */
struct amdgpu_clean {
    const uint32_t *sgprs, *vgprs, *memory, *lds;
};

/* The memory of one program. */
struct amdgpu_slot {
    struct amdgpu_area code, in, out, window;
    struct amdgpu_kept *kept; /* not NULL */
};

/* The code around the instructions of cases. */
struct amdgpu_frames {
    enum amd_generation generation;
    struct amdgpu_frame {
        uint32_t word[AMDGPU_PROGRAM_WORDS];
        unsigned begin, words; /* number of words before the case's instructions, and of all words */
    } frame[AMD_WAVE_SIZES][2 /* uses LDS */];
};

/* A program in its slot. */
struct amdgpu_program {
    struct amdgpu_slot slot;
    const struct amd_case *c;
    const struct amdgpu_frame *frame;
    uint32_t stamp;
    unsigned lanes;
    bool lds;            /* it moves data to or from LDS */
    unsigned descriptor; /* bit n: a scalar load of the case writes register n of the V# */
    uint64_t own_sgprs, own_vgprs, own_memory; /* rows that the case lists; fill rules make the others */
};

void amdgpu_frames_make(enum amd_generation g, struct amdgpu_frames *f);

/* Writes the program of a case into its slot, fills its memory and poisons its output. */
void amdgpu_wrapper_build(const struct amdgpu_frames *f, const struct test_case *c,
                          const struct amdgpu_clean *clean, uint32_t stamp, const struct amdgpu_slot *slot,
                          struct amdgpu_program *p);

/* Reads the output into an outcome that holds the case's initial state. Returns false if the program did not
 * end. */
bool amdgpu_wrapper_collect(const struct amdgpu_program *p, const struct amdgpu_clean *clean,
                            struct outcome *o);

#endif
