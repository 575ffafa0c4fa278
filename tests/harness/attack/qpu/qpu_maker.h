/* SPDX-License-Identifier: MIT */
/*
 * A program under construction, and what the generator knows of it. Private to the generator's files.
 * qpu_generate.c assembles the case. qpu_values.c and qpu_computed.c put words into registers. qpu_noise.c
 * adds instructions that compute or interfere. qpu_blocks.c makes accesses to the VPM, its DMA, the TMUs and
 * the uniform stream. qpu_perturb.c changes the finished program.
 */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_MAKER_H
#define MISPRINT_TESTS_HARNESS_ATTACK_QPU_QPU_MAKER_H

#include "model/core/unit.h"
#include "model/number/random.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"

enum { MAKER_BASE = MEMORY_BASE_DEFAULT, MAKER_WINDOW = 4 * VC4_LANES * VC4_MEMORY_ROWS };
enum { MAKER_ROOM = 150 };    /* most instructions before the end */
enum { MAKER_REGISTERS = 8 }; /* registers of each file to which the case gives initial values */

/* Places are numbers of registers: 0 to 31 ra, 32 to 63 rb, 64 to 69 r0 to r5. */
enum { PLACE_RB = 32, PLACE_R0 = 64, PLACE_R4 = 68, PLACE_R5 = 69, MAKER_PLACES = 70 };

struct maker {
    struct random random;
    struct qpu_case *c;
    uint64_t busy_file;   /* places whose word is still needed */
    uint64_t seeded_file; /* places whose initial word is already chosen, or no longer matters */
    uint8_t busy_acc, seeded_acc;
    uint8_t last;            /* the place that the last instruction wrote; MAKER_PLACES: none */
    bool stream_moved;       /* the program reads the uniform stream from memory now */
    unsigned stream_left;    /* words that the stream in memory still has */
    unsigned reads, lookups; /* uniforms read from the case's list; look-ups made before the stream moved */
    bool stored, storing, loading;
    bool write_set, no_uniforms;
    uint32_t stride, pitch;
    unsigned odd;   /* percentage of words computed in ways that a static proof cannot follow */
    bool vpm_read;  /* the program is just making a VPM read */
    unsigned depth; /* nesting of branches and computations */
};

/* The source of an operand. */
struct source {
    uint8_t mux, raddr; /* `raddr`: for file A or B, if `mux` names a file */
    uint8_t place;      /* MAKER_PLACES: the source is no register */
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
/* Returns a writable place whose word is not needed. */
unsigned maker_free_place(struct maker *m);
/* Notes that the place no longer holds its initial word. */
void maker_forget_initial(struct maker *m, unsigned place);
/* Makes the result of a pipe go to the place. */
void maker_aim(struct qpu_insn *i, bool mul, unsigned place);
/* Appends a uniform. Returns false if the list is full, or if the program no longer reads it. */
bool maker_push_uniform(struct maker *m, uint32_t word, bool address);
/* Returns a word that is typical of addresses, setups and their operands. */
uint32_t maker_word(struct maker *m);
struct source maker_source(unsigned place);
struct source maker_accumulator(struct maker *m, struct source s);
/* Adds the instruction that the hardware needs between a write to a file and the read of `s`. */
void maker_wait_for(struct maker *m, struct source s);
/* Makes an operand that has this word in all elements. Free it with maker_free after its use. */
struct source maker_value(struct maker *m, uint32_t word);
void maker_free(struct maker *m, struct source s);
/* Writes the word to an I/O register through file A (0) or B (1), sometimes after an instruction that might
 * change it. */
void maker_send(struct maker *m, uint8_t waddr, uint8_t file, uint32_t word);
void maker_send_source(struct maker *m, uint8_t waddr, uint8_t file, struct source s);
void maker_take_operand(struct qpu_insn *i, uint8_t *mux, struct source s);

/* qpu_noise.c */
/* Adds an instruction that computes, and that writes no busy place. `plain`: it uses neither I/O registers
 * nor files. */
void maker_noise(struct maker *m, bool plain);
void maker_some_noise(struct maker *m, unsigned percent);
/* Adds an instruction that writes the place, or looks as if it did. */
void maker_interfere(struct maker *m, unsigned place);

/* qpu_computed.c */
struct source maker_compute_oddly(struct maker *m, uint32_t word);

/* qpu_blocks.c */
void maker_block(struct maker *m);
void maker_branch(struct maker *m);

/* qpu_perturb.c: changes one thing in the finished program, before instruction `end`. */
void maker_perturb(struct maker *m, uint32_t end);

#endif
