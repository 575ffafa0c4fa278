/* SPDX-License-Identifier: MIT */
/*
 * The project's only random generator: xoshiro256** (Blackman and Vigna, 2018), seeded through splitmix64. A
 * seed gives the same stream on every machine, so that findings are reproducible. An expression may call only
 * one function that draws, because C does not define the order of two calls.
 */
#ifndef MISPRINT_MODEL_NUMBER_RANDOM_H
#define MISPRINT_MODEL_NUMBER_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t s[4];
};

/* The output function of splitmix64. Callers also hash integers with it. */
static inline uint64_t random_mix64(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static inline void random_seed(struct random *r, uint64_t seed)
{
    for (unsigned i = 0; i < 4; i++)
        r->s[i] = random_mix64(seed + i * UINT64_C(0x9E3779B97F4A7C15));
}

static inline uint64_t random_u64(struct random *r)
{
    uint64_t *s = r->s, five = s[1] * 5, result = ((five << 7) | (five >> 57)) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

static inline uint32_t random_u32(struct random *r)
{
    return (uint32_t)(random_u64(r) >> 32);
}

/* Returns a number in 0..n-1; n must be at least 1. The bias is below 2^-32 * n. */
static inline uint32_t random_below(struct random *r, uint32_t n)
{
    return (uint32_t)(((uint64_t)random_u32(r) * n) >> 32);
}

/* Returns true with probability 1/n. */
static inline bool random_one_in(struct random *r, uint32_t n)
{
    return random_below(r, n) == 0;
}

#endif
