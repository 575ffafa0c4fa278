/* SPDX-License-Identifier: MIT */
/* Conversion between a binary32 and its bits, and a test of the bits. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_BITS_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_BITS_H

#include <stdbool.h>
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

static inline bool bits_are_nan(uint32_t b)
{
    return (b & 0x7FFFFFFF) > 0x7F800000;
}

#endif
