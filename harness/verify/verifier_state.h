/* SPDX-License-Identifier: MIT */
/*
 * Between the verifier's files: what is known at one place of a program, and of values. verifier.c walks over
 * the program and owns the state; verifier_access.c judges what an instruction does to a peripheral, and
 * changes it. Nobody else includes this.
 */
#ifndef MISPRINT_HARNESS_VERIFY_VERIFIER_STATE_H
#define MISPRINT_HARNESS_VERIFY_VERIFIER_STATE_H

#include "harness/verify/verifier.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"

enum known { KNOWN_NOTHING, KNOWN_INITIAL, KNOWN_WORD, KNOWN_LANES };

/* What is known of a vector: nothing; that it is what the case put there; the word in all elements; each
 * element. */
struct knowledge {
    uint8_t known, lanes; /* index into verifier.lanes */
    uint32_t word;
};

enum { PLACES = 70, PLACE_ACC = 64, LANES_KEPT = 32 };

/* A block access: the setup word in force, and how many vectors it has moved on at the most. */
struct vpm_steps {
    uint32_t setup, moved;
};

/* What the VPM's registers hold. All of it must be known wherever it matters, so paths that disagree make it
 * `lost`. */
struct vpm_knowledge {
    bool lost;
    bool write_set, store_set, load_set; /* a setup was written */
    bool store_runs, load_runs;          /* a DMA was started that was not waited for */
    uint8_t reads_left;                  /* vectors that a read setup asked for and nobody has read */
    uint8_t reads_young;                 /* instructions in which they must not be read yet */
    struct vpm_steps write, read;        /* where block accesses go */
    uint32_t store_setup, store_stride, load_setup, load_pitch;
};

struct state {
    struct knowledge place[PLACES];
    struct verifier_places written;         /* certainly, in all bits */
    struct verifier_places just;            /* perhaps, by the instruction before */
    uint32_t uniforms_least, uniforms_most; /* taken so far */
    bool stream_in_memory, stream_lost;
    uint32_t stream_at;   /* in memory: offset of the next word, counted from the case's memory */
    uint8_t stream_young; /* instructions in which the stream must not be read yet */
    uint8_t sfu_due;      /* instructions until r4 certainly has an SFU result; 0: none on its way */
    uint8_t lookups[2];   /* outstanding, of each TMU */
    bool stored;          /* a DMA has written memory */
    struct vpm_knowledge vpm;
};

struct verifier {
    const struct test_case *tc;
    const struct qpu_case *c;
    uint32_t memory_base;
    struct verifier_proof *proof;
    struct error *e;
    uint32_t at; /* the instruction being judged */
    uint32_t
        follow_end; /* from this one on nothing takes an address or a setup, so no value matters any more */
    struct state now;
    const struct field *image[3]; /* of ra, rb, acc, once one was looked up */
    uint32_t lanes_used;
    uint32_t lanes[LANES_KEPT][VC4_LANES];
};

/* An access to a peripheral, as the instruction makes it. */
struct access {
    uint8_t address, file;
    bool certain; /* under no condition */
    struct knowledge value;
};

/* Says why; false. */
bool verifier_refuse(struct verifier *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* verifier_access.c: one more word of the uniform stream, surely or perhaps. False: it may not be there. */
bool verifier_count_uniform(struct verifier *v, bool certain);

/* The same file: judges writes of registers 40 and 48 to 63, reads of 48 to 50, look-up loads, and the end.
 */
bool verifier_write(struct verifier *v, const struct access *a);
bool verifier_read(struct verifier *v, uint8_t address, uint8_t file, bool used);
bool verifier_load(struct verifier *v, unsigned tmu);
bool verifier_end(struct verifier *v);

#endif
