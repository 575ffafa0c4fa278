/* SPDX-License-Identifier: MIT */
/*
 * Mutation and crossover of cases as byte strings, for engines that store cases as bytes: libFuzzer's custom
 * mutator and crossover, and AFL++'s mutator library. fuzz/generate/generate.h makes the changes.
 *
 * The input may be any bytes, and the output is the canonical binary form of a case. The same arguments give
 * the same bytes.
 *
 * Also owns the format of packed inputs, which hold several cases in one input of an engine.
 */
#ifndef MISPRINT_FUZZ_GENERATE_MUTATOR_H
#define MISPRINT_FUZZ_GENERATE_MUTATOR_H

#include "model/core/unit.h"

struct mutator; /* scratch memory of one unit */
struct mutator *mutator_new(const struct unit *u);
void mutator_free(struct mutator *m);

/* Makes one to four changes or, seldom, a new case. Returns the number of bytes written to `out`, or 0 if the
 * case needs more than `room`. */
size_t mutator_change(struct mutator *m, uint64_t seed, const uint8_t *bytes, size_t count, uint8_t *out,
                      size_t room);

/* Copies a part of the second case into the first. Three times out of four, also mutates the result. */
size_t mutator_cross(struct mutator *m, uint64_t seed, const uint8_t *bytes, size_t count,
                     const uint8_t *other, size_t other_count, uint8_t *out, size_t room);

/*
 * A packed input holds several cases, because AFL++ spends most of its time per input, not per case. It is
 * four bytes of magic, then for each case its length (u32, little-endian) and its bytes. Input without the
 * magic is read as one case.
 */
enum { PACK_HEAD = 4, PACK_LENGTH = 4 };
struct pack_reader {
    const uint8_t *at;
    size_t left;
    bool bare; /* one case without the magic */
};
void pack_open(struct pack_reader *b, const uint8_t *bytes, size_t count);
/* Returns the next case; false at the end. A length beyond the end of the input is cut. */
bool pack_next(struct pack_reader *b, const uint8_t **bytes, size_t *count);

struct pack_writer {
    uint8_t *at;
    size_t used, room;
};
/* Returns false if not even the head fits. */
bool pack_begin(struct pack_writer *b, uint8_t *to, size_t room);
/* Returns where to write the next case, and how many bytes fit. NULL: none. Call pack_added after writing. */
uint8_t *pack_place(struct pack_writer *b, size_t *room);
void pack_added(struct pack_writer *b, size_t count);

#endif
