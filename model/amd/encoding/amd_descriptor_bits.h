/* SPDX-License-Identifier: MIT */
/* Reads and writes bit fields of a descriptor's four words. Private to amd_descriptor*.c. */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_DESCRIPTOR_BITS_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_DESCRIPTOR_BITS_H

#include "model/amd/encoding/amd_descriptor.h"

/* No field crosses a word. */
static inline uint32_t amd_field_get(const uint32_t words[AMD_DESCRIPTOR_WORDS], const struct bit_field *f)
{
    return (uint32_t)((words[f->low / 32] >> (f->low % 32)) & ((UINT64_C(1) << f->width) - 1));
}

static inline void amd_field_set(uint32_t words[AMD_DESCRIPTOR_WORDS], const struct bit_field *f,
                                 uint32_t value)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << f->width) - 1) << (f->low % 32);
    words[f->low / 32] = (words[f->low / 32] & ~mask) | ((value << (f->low % 32)) & mask);
}

#endif
