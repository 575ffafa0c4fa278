/* SPDX-License-Identifier: MIT */
/* Reads and writes little-endian numbers, for cases, outcomes, frames of the protocol and traces. */
#ifndef MISPRINT_MODEL_NUMBER_BYTES_H
#define MISPRINT_MODEL_NUMBER_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* Reads a list of words of 4 bytes. On little-endian hosts that is a copy. */
static inline void get_words(uint32_t *to, const uint8_t *from, uint32_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, from, count * sizeof *to);
#else
    for (uint32_t i = 0; i < count; i++)
        to[i] = get_u32(from + 4 * i);
#endif
}

/* Writes a list of words. Returns the address after them. */
static inline uint8_t *put_words(uint8_t *to, const uint32_t *words, uint32_t count)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, words, count * sizeof *words);
#else
    for (uint32_t i = 0; i < count; i++)
        put_u32(to + 4 * i, words[i]);
#endif
    return to + (size_t)4 * count;
}

#endif
