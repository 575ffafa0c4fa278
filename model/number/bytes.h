/* SPDX-License-Identifier: MIT */
/* Reads and writes little-endian numbers, for cases, outcomes, frames of the protocol and traces. */
#ifndef MISPRINT_MODEL_NUMBER_BYTES_H
#define MISPRINT_MODEL_NUMBER_BYTES_H

#include <stdint.h>

static inline uint64_t bytes_get(const uint8_t *from, unsigned count)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < count; i++)
        v |= (uint64_t)from[i] << (8 * i);
    return v;
}

/* Writes the low `count` bytes of a number. Returns the address after them. */
static inline uint8_t *bytes_put(uint8_t *to, uint64_t v, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        *to++ = (uint8_t)(v >> (8 * i));
    return to;
}

static inline uint32_t get_u32(const uint8_t *from)
{
    return (uint32_t)bytes_get(from, 4);
}

static inline uint64_t get_u64(const uint8_t *from)
{
    return bytes_get(from, 8);
}

static inline void put_u32(uint8_t *to, uint32_t v)
{
    bytes_put(to, v, 4);
}

static inline void put_u64(uint8_t *to, uint64_t v)
{
    bytes_put(to, v, 8);
}

#endif
