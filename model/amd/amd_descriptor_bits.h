/* SPDX-License-Identifier: MIT */
/* Reads and writes bit fields of a descriptor's four words, lowest word first. Private to amd_descriptor*.c. */
#ifndef MISPRINT_MODEL_AMD_AMD_DESCRIPTOR_BITS_H
#define MISPRINT_MODEL_AMD_AMD_DESCRIPTOR_BITS_H

#include "model/amd/amd_descriptor.h"

/* No field crosses bit 64. */
static inline uint64_t amd_field_get(const uint32_t words[AMD_DESCRIPTOR_WORDS], const struct bit_field *f)
{
    unsigned half = f->low / 64U * 2;
    uint64_t value = (uint64_t)words[half + 1] << 32 | words[half];
    return (value >> (f->low % 64)) & ((UINT64_C(1) << f->width) - 1);
}

static inline void amd_field_set(uint32_t words[AMD_DESCRIPTOR_WORDS], const struct bit_field *f, uint64_t value)
{
    unsigned half = f->low / 64U * 2;
    uint64_t mask = ((UINT64_C(1) << f->width) - 1) << (f->low % 64), bits = (value << (f->low % 64)) & mask;
    words[half] = (words[half] & (uint32_t)~mask) | (uint32_t)bits;
    words[half + 1] = (words[half + 1] & (uint32_t)(~mask >> 32)) | (uint32_t)(bits >> 32);
}

#endif
