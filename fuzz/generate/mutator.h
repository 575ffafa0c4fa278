/* SPDX-License-Identifier: MIT */
/*
 * The changes of fuzz/generate/generate.h for engines that keep cases as bytes: libFuzzer's custom mutator
 * and crossover, and AFL++'s mutator library. Takes any bytes, gives the canonical binary form of a case; the
 * same arguments give the same bytes.
 */
#ifndef MISPRINT_FUZZ_GENERATE_MUTATOR_H
#define MISPRINT_FUZZ_GENERATE_MUTATOR_H

#include "model/core/unit.h"

struct mutator; /* scratch memory of one unit */
struct mutator *mutator_new(const struct unit *u);
void mutator_free(struct mutator *m);

/* Makes one to four changes or, seldom, a new case. Returns how many bytes `out` has; 0: more than `room`. */
size_t mutator_change(struct mutator *m, uint64_t seed, const uint8_t *bytes, size_t count, uint8_t *out,
                      size_t room);

/* Copies something of the second case into the first; mostly changes the result a little, too. */
size_t mutator_cross(struct mutator *m, uint64_t seed, const uint8_t *bytes, size_t count,
                     const uint8_t *other, size_t other_count, uint8_t *out, size_t room);

/*
 * A batch: several cases in one input, for an engine that spends most time for each input. Four bytes of
 * magic, then for each case its length (u32, little-endian) and its bytes. Any other bytes are a batch of one
 * case.
 */
enum { BATCH_HEAD = 4, BATCH_LENGTH = 4 };
struct batch_reader {
    const uint8_t *at;
    size_t left;
    bool bare; /* one case without the magic */
};
void batch_open(struct batch_reader *b, const uint8_t *bytes, size_t count);
bool batch_next(struct batch_reader *b, const uint8_t **bytes,
                size_t *count); /* false at the end; cuts a length that is too long */

struct batch_writer {
    uint8_t *at;
    size_t used, room;
};
bool batch_begin(struct batch_writer *b, uint8_t *to, size_t room); /* false: not even the head fits */
/* Returns where to write the next case, and how many bytes fit; NULL: none. Then call batch_added. */
uint8_t *batch_place(struct batch_writer *b, size_t *room);
void batch_added(struct batch_writer *b, size_t count);

#endif
