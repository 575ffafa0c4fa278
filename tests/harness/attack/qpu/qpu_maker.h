/* SPDX-License-Identifier: MIT */
/*
 * Between the generator's files: a program while it is being made, and what the generator knows of it so far.
 * qpu_generate.c puts the case together, qpu_values.c brings words into registers and disturbs them,
 * qpu_blocks.c makes accesses to the VPM, its DMA, the TMUs and the uniform stream, qpu_perturb.c changes
 * what was made.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_MAKER_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_MAKER_H

#include "model/core/unit.h"
#include "model/number/random.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"

enum { MAKER_BASE = MEMORY_BASE_DEFAULT, MAKER_WINDOW = 4 * VC4_LANES * VC4_MEMORY_ROWS };
enum { MAKER_ROOM = 150 };    /* instructions; the end comes on top */
enum { MAKER_REGISTERS = 8 }; /* of each file whose initial values are chosen */

/* Register places as the generator names them: 0 to 31 ra, 32 to 63 rb, 64 to 69 r0 to r5. */
enum { PLACE_RB = 32, PLACE_R0 = 64, PLACE_R4 = 68, PLACE_R5 = 69, MAKER_PLACES = 70 };

struct maker {
    struct random random;
    struct qpu_case *c;
    uint64_t busy_file,
        seeded_file; /* places that hold a word that is wanted; whose initial word is spoken for */
    uint8_t busy_acc, seeded_acc;
    uint8_t last;            /* the place that the last instruction wrote; MAKER_PLACES: none */
    bool stream_moved;       /* to memory */
    unsigned stream_left;    /* words that it may still give there */
    unsigned reads, lookups; /* uniforms read from the list; look-ups made before the stream moved */
    bool stored, storing, loading;
    bool write_set, no_uniforms;
    uint32_t stride, pitch;
    unsigned odd;   /* percentage of words that are computed in ways that no static proof follows */
    bool vpm_read;  /* one is being made */
    unsigned depth; /* of branches and of operations that make a word */
};

/* Where an operand comes from. */
struct source {
    uint8_t mux, raddr; /* raddr: of file A or B, if mux says so */
    uint8_t place;      /* MAKER_PLACES: no register */
};

static inline bool maker_chance(struct maker *m, unsigned percent)
{
    return random_below(&m->random, 100) < percent;
}
static inline uint8_t maker_below(struct maker *m, unsigned n)
{
    return (uint8_t)random_below(&m->random, n);
}
static inline bool maker_is_full(const struct maker *m)
{
    return m->c->program.count >= MAKER_ROOM;
}

/* qpu_values.c */
struct qpu_insn maker_insn(enum qpu_class class);
void maker_put(struct maker *m, const struct qpu_insn *i);
void maker_nops(struct maker *m, unsigned count);
void maker_hold(struct maker *m, unsigned place, bool busy);
bool maker_is_busy(const struct maker *m, unsigned place);
/* A place that can be written and holds nothing that is wanted. */
unsigned maker_free_place(struct maker *m);
/* The place does not hold its initial word any more. */
void maker_forget_initial(struct maker *m, unsigned place);
/* The place gets the result of one pipe. */
void maker_aim(struct qpu_insn *i, bool mul, unsigned place);
/* False: the list has no room, or is not read any more. */
bool maker_push_uniform(struct maker *m, uint32_t word, bool address);
/* A word of those that addresses, setups and operations on them are made of. */
uint32_t maker_word(struct maker *m);
struct source maker_source(unsigned place);
struct source maker_accumulator(struct maker *m, struct source s);
/* What the hardware needs between a write to a file and the read. */
void maker_wait_for(struct maker *m, struct source s);
/* Brings a word into an operand, the same in all elements; maker_free once it was used. */
struct source maker_value(struct maker *m, uint32_t word);
void maker_free(struct maker *m, struct source s);
/* The word goes to an I/O register through file A (0) or B (1), perhaps after something that might change it.
 */
void maker_send(struct maker *m, uint8_t waddr, uint8_t file, uint32_t word);
void maker_send_source(struct maker *m, uint8_t waddr, uint8_t file, struct source s);
void maker_take_operand(struct qpu_insn *i, uint8_t *mux, struct source s);

/* qpu_noise.c */
/* An instruction that computes, and writes no busy place. `plain`: reaches no I/O register, writes no file.
 */
void maker_noise(struct maker *m, bool plain);
void maker_some_noise(struct maker *m, unsigned percent);
/* An instruction that writes the place, or looks as if it did. */
void maker_interfere(struct maker *m, unsigned place);

/* qpu_computed.c */
struct source maker_compute_oddly(struct maker *m, uint32_t word);

/* qpu_blocks.c */
void maker_block(struct maker *m);
void maker_branch(struct maker *m);

/* qpu_perturb.c: changes one thing of the program that is made, up to instruction `end`. */
void maker_perturb(struct maker *m, uint32_t end);

#endif
