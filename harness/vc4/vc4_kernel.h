/* SPDX-License-Identifier: MIT */
/*
 * Decides which QPU programs the Linux kernel's vc4 driver accepts as shaders
 * (DRM_IOCTL_VC4_CREATE_SHADER_BO). The kernel's validator only returns EINVAL. This copy of its rules knows
 * a refusal in advance and names the broken rule. If a kernel decides differently, either the kernel or this
 * file is wrong.
 *
 * Source of the rules: Linux 6.10, drivers/gpu/drm/vc4/vc4_validate_shaders.c. The code is new, and stricter
 * in two places, which vc4_kernel.c names. It was checked against programs that Mesa's compiler made for that
 * driver (tests/harness/test_vc4_kernel.c), not against a kernel.
 */
#ifndef MISPRINT_HARNESS_VC4_VC4_KERNEL_H
#define MISPRINT_HARNESS_VC4_VC4_KERNEL_H

#include "model/core/error.h"

#include <stdint.h>

enum {
    VC4_KERNEL_PARAMETERS = 4,
    VC4_KERNEL_NO_WORD = 0xFFFF,
    VC4_KERNEL_SAMPLES_MAX = 128,
    VC4_KERNEL_RESETS_MAX = 16
};

/*
 * One look-up, described by indices into the uniform stream. After the first direct look-up (in memory, not
 * in a texture) of a TMU, the kernel treats all later look-ups of that TMU as direct, and takes a texture's
 * second parameter for the largest offset.
 */
struct vc4_kernel_sample {
    bool direct; /* the parameters are the address and the largest offset */
    /* the indices of its parameters, in the order written; VC4_KERNEL_NO_WORD: there is none */
    uint16_t parameter[VC4_KERNEL_PARAMETERS];
};

/* What the validator finds out about a program that it accepts. */
struct vc4_kernel_shader {
    uint32_t instructions;  /* up to the second delay slot of the program end */
    uint32_t uniforms;      /* words of its stream, including texture parameters and stream addresses */
    uint32_t address_words; /* how many of them the kernel fills with the stream's address */
    uint32_t samples;       /* look-ups, each of which names a buffer */
    bool threaded;          /* for fragment shaders only */
    /* The program ends with the last given word, and has no look-ups, branches, thread switches or writes of
     * the uniforms' address. Then only rules about single registers and signals apply, so the result is the
     * same whatever other code is around the program. */
    bool plain;
    /* the first samples and address words (the kernel has no limit) */
    struct vc4_kernel_sample sample[VC4_KERNEL_SAMPLES_MAX];
    uint16_t address_word[VC4_KERNEL_RESETS_MAX];
};

/*
 * True if the driver accepts a look-up at submission (vc4_validate.c): the look-up stays in its buffer of
 * `bytes` bytes, and the texture format is known. `stream` holds the uniforms. Addresses in it are relative
 * to the buffer.
 */
bool vc4_kernel_takes_lookup(const struct vc4_kernel_sample *sample, const uint32_t *stream, uint32_t bytes,
                             struct error *e);

/* True if the kernel accepts the program. `words` holds two words for each instruction, the low word first.
 * False with an error that names the instruction and the rule. */
bool vc4_kernel_accepts(const uint32_t *words, uint32_t count, struct vc4_kernel_shader *s, struct error *e);

/* As vc4_kernel_accepts, but for the last part of a shader. At least two instructions come before this part,
 * and they do not end with a branch. */
bool vc4_kernel_accepts_part(const uint32_t *words, uint32_t count, struct vc4_kernel_shader *s,
                             struct error *e);

#endif
