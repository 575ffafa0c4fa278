/* SPDX-License-Identifier: MIT */
/*
 * Shared by the verifier's files, and included by nobody else: what is known at one point of a program.
 * verifier.c walks over the program and owns the state. verifier_instruction.c checks what one instruction
 * reads and writes; verifier_access.c checks its accesses to peripherals. Both update the state.
 */
#ifndef MISPRINT_HARNESS_VERIFY_VERIFIER_STATE_H
#define MISPRINT_HARNESS_VERIFY_VERIFIER_STATE_H

#include "harness/verify/verifier.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"

/* What the verifier knows of a vector. KNOWN_INITIAL: it still has the case's initial value. KNOWN_WORD: all
 * elements have the same known word. KNOWN_LANES: each element is known. */
enum known { KNOWN_NOTHING, KNOWN_INITIAL, KNOWN_WORD, KNOWN_LANES };

struct knowledge {
    uint8_t known, lanes; /* index into verifier.lanes */
    uint32_t word;
};

enum { PLACES = 70, PLACE_ACC = 64, LANES_KEPT = 32 };

/* The VPM reads or writes of one setup: the setup word, and the most vectors that can have been accessed
 * since it was written. */
struct vpm_steps {
    uint32_t setup, moved;
};

/* What the VPM's registers hold. No padding: two of them are compared with memcmp. */
struct vpm_knowledge {
    bool lost;                           /* paths disagreed: nothing below is valid */
    bool write_set, store_set, load_set; /* a setup was written */
    bool store_runs, load_runs;          /* a DMA was started, and the program has not waited for it */
    uint8_t reads_left;                  /* vectors that a read setup requested and that are not read yet */
    uint8_t read_delay;                  /* instructions until the first of them may be read */
    struct vpm_steps write, read;
    uint32_t store_setup, store_stride, load_setup, load_pitch;
};

struct state {
    struct knowledge place[PLACES];
    struct verifier_places written;      /* places of which all bits were written, on every path */
    struct verifier_places just_written; /* places that the instruction before wrote, on some path */
    uint32_t uniforms_min, uniforms_max; /* fewest and most words that a path has taken from the stream */
    bool stream_in_memory, stream_lost;  /* lost: paths disagreed about the stream */
    /* If it is in memory: offset of the next word from the start of the case's memory. */
    uint32_t stream_at;
    uint8_t stream_delay; /* instructions until the stream may be read */
    uint8_t sfu_delay;    /* instructions until r4 certainly has an SFU result; 0: none is due */
    uint8_t lookups[2];   /* outstanding look-ups of each TMU */
    bool stored;          /* a DMA has written memory */
    struct vpm_knowledge vpm;
};

struct verifier {
    const struct test_case *tc;
    const struct qpu_case *c;
    uint32_t memory_base;
    struct verifier_proof *proof;
    struct error *e;
    uint32_t at; /* the instruction being checked */
    uint32_t
        follow_end; /* from here on, no instruction takes an address or a setup, so values no longer matter */
    struct state now;
    const struct field *image[3]; /* images of ra, rb, acc; NULL until one is looked up */
    uint32_t lanes_used;
    uint32_t lanes[LANES_KEPT][VC4_LANES];
};

/* An instruction's write to a peripheral. */
struct access {
    uint8_t address, file;
    bool certain; /* the write is unconditional */
    struct knowledge value;
};

/* Element `i` of a known vector. */
static inline uint32_t verifier_lane(const struct verifier *v, const struct knowledge *k, unsigned i)
{
    return k->known == KNOWN_WORD ? k->word : v->lanes[k->lanes][i];
}

struct verifier_places verifier_place_bit(unsigned place);
bool verifier_holds(const struct verifier_places *set, struct verifier_places p);
void verifier_include(struct verifier_places *set, struct verifier_places p);

/* Sets the error to "instruction N WHY". Returns false. */
bool verifier_refuse(struct verifier *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* verifier_instruction.c: checks an ALU instruction or an immediate load, and updates the state. */
bool verifier_instruction(struct verifier *v, const struct qpu_insn *i);
bool verifier_is_peripheral(uint8_t waddr);
/* Notes that the instruction reads the flags. */
void verifier_see_flags(struct verifier *v);

/* verifier_access.c: takes one more word from the uniform stream. False: the word may not exist. */
bool verifier_count_uniform(struct verifier *v, bool certain);
/* The same file: writes of registers 40 and 48 to 63, reads of 48 to 50, look-up loads, the program's end. */
bool verifier_write(struct verifier *v, const struct access *a);
bool verifier_read(struct verifier *v, uint8_t address, uint8_t file, bool used);
bool verifier_load(struct verifier *v, unsigned tmu);
bool verifier_end(struct verifier *v);

#endif
