/* SPDX-License-Identifier: MIT */
/*
 * Unpacks values that the QPU reads from regfile A and r4; packs values that it writes to regfile A, and
 * colours of the MUL pipe. Clauses of alu_clauses.h decide about conversion and saturation. Source:
 * VideoCoreIV-AG100-R p30-32 T6-T9.
 *
 * The caller decides whether a code applies (pm, ws, the destination). Outputs must not overlap inputs,
 * except `out` and `old`.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ALU_QPU_PACK_H
#define MISPRINT_MODEL_VC4_QPU_ALU_QPU_PACK_H

#include "model/vc4/qpu/alu/qpu_alu.h"

/* Codes of the unpack field (p31 T6, p32 T8). */
enum { UNPACK_32, UNPACK_16A, UNPACK_16B, UNPACK_8D_REP, UNPACK_8A, UNPACK_8B, UNPACK_8C, UNPACK_8D };
/* Codes of the pack field (p31 T7). The MUL pipe's colour pack (p32 T9) has only 0 and 3..7. */
enum {
    PACK_32,
    PACK_16A,
    PACK_16B,
    PACK_8888,
    PACK_8A,
    PACK_8B,
    PACK_8C,
    PACK_8D,
    PACK_32S,
    PACK_16AS,
    PACK_16BS,
    PACK_8888S,
    PACK_8AS,
    PACK_8BS,
    PACK_8CS,
    PACK_8DS
};

/* Unpacks a regfile A value by code 0..7. `float_view`: an operation of the instruction with float_in
 * reads it. */
void alu_unpack_a(const struct alu_rules *rules, unsigned code, bool float_view, const struct vc4_vector *in,
                  struct vc4_vector *out);

/* Unpacks r4 by code 0..7, always to float. */
void alu_unpack_r4(const struct alu_rules *rules, unsigned code, const struct vc4_vector *in,
                   struct vc4_vector *out);
/* Finds which bits are defined after unpacking regfile A or r4. `to_float`: float_view for regfile A, always
 * true for r4. */
void alu_unpack_defined(unsigned code, bool to_float, const struct vc4_vector *in_defined,
                        struct vc4_vector *out_defined);

/* Packs a result for regfile A by code 0..15. `overflow` is the output of the operation's overflow kernel, or
 * NULL. `old` is the register's old value, or NULL for zeros (flags-vs-pack). `out` is its new value. */
void alu_pack_a(const struct alu_rules *rules, unsigned code, bool float_out, const struct vc4_vector *result,
                const struct vc4_vector *overflow, const struct vc4_vector *old, struct vc4_vector *out);
/* `overflow_defined`: lanes whose overflow word is defined, NULL for all. */
void alu_pack_a_defined(const struct alu_rules *rules, unsigned code, bool float_out,
                        const struct vc4_vector *result_defined, const struct vc4_vector *overflow_defined,
                        const struct vc4_vector *old_defined, struct vc4_vector *out_defined);
/* Lanes (0 or FFFFFFFF) whose overflow word is defined: those whose operands are fully defined. */
void alu_overflow_defined(const struct vc4_vector *a_defined, const struct vc4_vector *b_defined,
                          struct vc4_vector *overflow_defined);

/* Packs a MUL result by colour pack code 0, 3..7 (pm = 1). Reserved codes act as 0. `op` is the MUL operation
 * (mul-pack-any-op). */
void alu_pack_mul(const struct alu_rules *rules, unsigned code, unsigned op, const struct vc4_vector *result,
                  const struct vc4_vector *old, struct vc4_vector *out);
void alu_pack_mul_defined(const struct alu_rules *rules, unsigned code, unsigned op,
                          const struct vc4_vector *result_defined, const struct vc4_vector *old_defined,
                          struct vc4_vector *out_defined);

/* A pack in parts, for observed steps. alu_pack_*_field give the converted values, alu_pack_mask the bits of
 * the destination that the pack writes. alu_pack_place puts the values in their place. */
void alu_pack_a_field(const struct alu_rules *rules, unsigned code, bool float_out,
                      const struct vc4_vector *result, const struct vc4_vector *overflow,
                      struct vc4_vector *field);
/* How a pack of regfile A saturates an integer: to least..most. alu_pack_range gives it for a code, and
 * alu_pack_a_within packs with another one. */
struct pack_range {
    bool saturates;
    int32_t least, most;
};
struct pack_range alu_pack_range(unsigned code);
void alu_pack_a_within(const struct alu_rules *rules, unsigned code, bool float_out, struct pack_range range,
                       const struct vc4_vector *result, const struct vc4_vector *overflow,
                       struct vc4_vector *field);
/* Returns what a pack to a half or a byte gives after an overflow: the end of the range. With `ands`
 * (pack-add-overflow-zero), if the wrapped integer is outside of the range, it is the end AND the clamped
 * integer. */
uint32_t alu_pack_overflowed(bool ands, uint32_t integer, struct pack_range range, uint32_t end,
                             uint32_t clamped);
/* The integers whose bytes a pack takes: results, or if they are floats the integers that they convert to. */
void alu_pack_integer(const struct alu_rules *rules, bool float_out, const struct vc4_vector *result,
                      struct vc4_vector *integer);
void alu_pack_mul_field(const struct alu_rules *rules, const struct vc4_vector *result,
                        struct vc4_vector *field);
/* The colours if they were rounded toward zero. */
void alu_pack_mul_truncated(const struct vc4_vector *result, struct vc4_vector *field);
uint32_t alu_pack_mask(const struct alu_rules *rules, unsigned code);
unsigned alu_pack_shift(unsigned code);  /* the lowest bit of the place */
uint32_t alu_pack_factor(unsigned code); /* repeats the value in the word */
/* The values in their place: words whose bits outside of `mask` are 0. */
void alu_pack_place(uint32_t factor, uint32_t mask, unsigned shift, const struct vc4_vector *field,
                    struct vc4_vector *word);

/* The part of each word that an unpack code takes: all of it, a half or a byte. `moved`: the words after a
 * shift that moves the part to the lowest bits. */
void alu_unpack_part(unsigned code, const struct vc4_vector *in, struct vc4_vector *moved,
                     struct vc4_vector *part);
/* Returns true if the code takes a half or a byte, and puts each part back into its place in a word. */
bool alu_unpack_join(unsigned code, const struct vc4_vector *part, struct vc4_vector *out);

/* Clauses that an unpack or pack can depend on, ended by ALU_NO_CLAUSE. The caller marks flags-vs-pack if an
 * instruction both packs and sets flags. */
const uint8_t *alu_unpack_a_clauses(unsigned code, bool float_view);
const uint8_t *alu_unpack_r4_clauses(unsigned code);
const uint8_t *alu_pack_a_clauses(unsigned code, bool float_out, bool can_overflow);
const uint8_t *alu_pack_mul_clauses(unsigned code);

#endif
