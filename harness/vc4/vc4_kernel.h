/* SPDX-License-Identifier: MIT */
/*
 * Which QPU programs the Linux kernel's vc4 driver accepts as shaders
 * (DRM_IOCTL_VC4_CREATE_SHADER_BO): the rules of its validator, so that a refusal
 * is known beforehand and can be explained. The kernel itself only returns EINVAL.
 * A kernel that judges differently is a finding about one of the two.
 *
 * Source of the rules: Linux, drivers/gpu/drm/vc4/vc4_validate_shaders.c, as of
 * version 6.10; written anew, and stricter in two places, which vc4_kernel.c
 * names. Checked against programs that Mesa's compiler made for that driver
 * (tests/harness/test_vc4_kernel.c), not against a kernel.
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
 * One look-up, by words of the uniform stream. After a TMU's first look-up in memory the kernel takes all
 * that follow on that TMU for such, and a texture's second parameter for the largest offset.
 */
struct vc4_kernel_sample {
    bool direct; /* in memory; the parameters are the address and the largest offset */
    /* the words of its parameters, in the order written; VC4_KERNEL_NO_WORD: there is none */
    uint16_t parameter[VC4_KERNEL_PARAMETERS];
};

/* What the kernel knows of a program that it accepts. */
struct vc4_kernel_shader {
    uint32_t instructions;  /* up to the end's second slot */
    uint32_t uniforms;      /* words of its stream, with those of texture set-ups and resets */
    uint32_t address_words; /* of these, words that the kernel fills with the stream's address */
    uint32_t samples;       /* look-ups, each of which names a buffer */
    bool threaded;          /* for fragment shaders only */
    /* It ends with the last word given, and has no look-ups, branches, thread switches or resets, so only
     * rules about single registers and signals apply. Then it is accepted, and counts as many words, whatever
     * is around it. */
    bool plain;
    /* the first few of these (the kernel has no limit) */
    struct vc4_kernel_sample sample[VC4_KERNEL_SAMPLES_MAX];
    uint16_t address_word[VC4_KERNEL_RESETS_MAX];
};

/*
 * Whether the driver accepts a look-up when it is submitted (vc4_validate.c): it stays in the buffer of
 * `bytes` bytes, and its format is known. `stream`: the uniforms; addresses in them count from the buffer.
 */
bool vc4_kernel_takes_lookup(const struct vc4_kernel_sample *sample, const uint32_t *stream, uint32_t bytes,
                             struct error *e);

/* `words`: two an instruction, low word first. False: refused; the error names the instruction and the rule.
 */
bool vc4_kernel_accepts(const uint32_t *words, uint32_t count, struct vc4_kernel_shader *s, struct error *e);

/* The same for the last part of a shader: at least two instructions come before it, without a branch at the
 * end. */
bool vc4_kernel_accepts_part(const uint32_t *words, uint32_t count, struct vc4_kernel_shader *s,
                             struct error *e);

#endif
