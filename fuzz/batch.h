/* SPDX-License-Identifier: MIT */
/*
 * Several cases of one unit in one fuzzer input, for engines that take long
 * between two inputs. A batch starts with BATCH_MAGIC; then, for each case, its
 * length (u16, little-endian) and that many bytes of its binary form. What is
 * missing at the end is empty. Bytes that do not start with the magic are one case: so
 * every input means something, and single cases need no wrapping.
 */
#ifndef MISPRINT_FUZZ_BATCH_H
#define MISPRINT_FUZZ_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BATCH_MAGIC_BYTES = 4, BATCH_CASES_MAX = 256 };
extern const uint8_t batch_magic[BATCH_MAGIC_BYTES];

struct batch {
    const uint8_t *at;
    size_t left;
    unsigned given; /* cases so far */
    bool single;    /* the input is one case */
};
void batch_open(struct batch *b, const uint8_t *bytes, size_t count);
/* The next case's bytes, part of the input; false after the last. An input of no bytes is one empty case. */
bool batch_next(struct batch *b, const uint8_t **bytes, size_t *count);

/* Appends a case to a batch of `used` bytes (0: begins one); returns the bytes then used, or `used` where there is no room. */
size_t batch_add(uint8_t *to, size_t room, size_t used, const uint8_t *bytes, size_t count);

#endif
