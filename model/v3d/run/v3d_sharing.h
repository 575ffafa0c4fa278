/* SPDX-License-Identifier: MIT */
/*
 * Finds jobs whose results depend on the order of their batches. Hardware runs batches at the same time, the
 * model one after another. Batches of a supergroup are in order only by its barriers, and supergroups never.
 *
 * Two batches that no barrier separates conflict at a word of memory if one stores to it and the other loads
 * from it, or if both store different values. Atomic operations of one kind, other than exchanges, do not
 * conflict: their order does not change what is left. It changes what they return, so results of atomic
 * operations are not known exactly in a job of several batches (v3d_machine.h).
 */
#ifndef MISPRINT_MODEL_V3D_RUN_V3D_SHARING_H
#define MISPRINT_MODEL_V3D_RUN_V3D_SHARING_H

#include <stdbool.h>
#include <stdint.h>

enum { V3D_SHARED_WORDS = 4096 };

/* Who accessed a word. Threads are numbered from 1 on; 0: none. */
struct v3d_shared_word {
    uint16_t writer, reader;
    uint32_t written_at, read_at; /* the stages */
    uint8_t atomic;               /* kind of the write: 0: a store */
};

struct v3d_sharing {
    uint16_t thread;             /* now */
    uint32_t stage, first_stage; /* now; a stage ends at a barrier; `first_stage` of this supergroup */
    bool conflicts;              /* the result */
    struct v3d_shared_word word[V3D_SHARED_WORDS];
};

/* Note an access of the present thread to a word. `same`: a store of what is there already. `atomic`: the
 * kind of an atomic operation that commutes with others of its kind; 0: none. */
void v3d_note_load(struct v3d_sharing *s, uint32_t word);
void v3d_note_store(struct v3d_sharing *s, uint32_t word, bool same, unsigned atomic);

#endif
