/* SPDX-License-Identifier: MIT */
/* A binary32 as its bits, and back. */
#ifndef MISPRINT_TESTS_SUPPORT_BITS_H
#define MISPRINT_TESTS_SUPPORT_BITS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static inline float float_of(uint32_t b)
{
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

#endif
