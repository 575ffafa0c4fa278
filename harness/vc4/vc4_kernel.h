/* SPDX-License-Identifier: MIT */
/*
 * Which QPU programs the Linux kernel's vc4 driver takes as shaders
 * (DRM_IOCTL_VC4_CREATE_SHADER_BO): its validator's rules, so that a refusal is
 * known beforehand and can be explained. The kernel itself says no more than
 * EINVAL. A kernel that judges otherwise than this is a finding about one of the two.
 *
 * Source of the rules: Linux, drivers/gpu/drm/vc4/vc4_validate_shaders.c, as of
 * version 6.10; written anew, and stricter in two places, which vc4_kernel.c
 * names. Checked against programs that Mesa's compiler made
 * for that driver (tests/harness/test_vc4_kernel.c), not against a kernel.
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
 * One look-up, in words of the uniform stream. After a TMU's first look-up in memory the kernel takes all
 * that follow on that TMU for such, and a texture's second parameter for the most that may be added.
 */
struct vc4_kernel_sample {
    bool direct; /* in memory: the address, and the most that may be added to it */
    uint16_t parameter[VC4_KERNEL_PARAMETERS]; /* else the words of its set-up, in the order written;
                                                  VC4_KERNEL_NO_WORD: there is none */
};

/* What the kernel learns of a program that it takes. */
struct vc4_kernel_shader {
    uint32_t instructions;  /* up to the end's second slot */
    uint32_t uniforms;      /* words of its stream, those of texture set-ups and resets among them */
    uint32_t address_words; /* of these, words that the kernel itself fills with the stream's address */
    uint32_t samples;       /* look-ups, each of which names a buffer */
    bool threaded;          /* only as a fragment shader */
    /* It ends with the last word given, and no rule but those of single registers and signals is asked: no
     * look-ups, branches, switches, resets. So whatever stands before and behind it, it is taken, and counts
     * as much. */
    bool plain;
    /* of the first few of these (the kernel knows no limit) */
    struct vc4_kernel_sample sample[VC4_KERNEL_SAMPLES_MAX];
    uint16_t address_word[VC4_KERNEL_RESETS_MAX]; /* which */
};

/*
 * What the driver has against a look-up when it is submitted (vc4_validate.c):
 * that it may leave the buffer of `bytes` bytes, or a format that it does not
 * know. `stream`: the uniforms, addresses in them counted from the buffer.
 */
bool vc4_kernel_takes_lookup(const struct vc4_kernel_sample *sample, const uint32_t *stream, uint32_t bytes,
                             struct error *e);

/* `words`: two an instruction, low word first. False: refused; the error names the instruction and the rule.
 */
bool vc4_kernel_accepts(const uint32_t *words, uint32_t count, struct vc4_kernel_shader *s, struct error *e);

/* The same of the last part of a shader: at least two instructions precede it, and end without a branch. */
bool vc4_kernel_accepts_part(const uint32_t *words, uint32_t count, struct vc4_kernel_shader *s,
                             struct error *e);

#endif
