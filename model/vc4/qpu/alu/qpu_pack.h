/* SPDX-License-Identifier: MIT */
/*
 * Unpacking of what the QPU reads from regfile A and r4, packing of what it
 * writes to regfile A and of the MUL pipe's colours. Which conversions and
 * saturations: clauses of alu_clauses.h. Source: VideoCoreIV-AG100-R p30-32 T6-T9.
 *
 * Whether a code applies at all (pm, ws, the destination) is the QPU's business.
 * Vectors given as output must not overlap those read, except `out` and `old`.
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ALU_QPU_PACK_H
#define MISPRINT_MODEL_VC4_QPU_ALU_QPU_PACK_H

#include "model/vc4/qpu/alu/qpu_alu.h"

/* Codes of the unpack field (p31 T6, p32 T8). */
enum { UNPACK_32, UNPACK_16A, UNPACK_16B, UNPACK_8D_REP, UNPACK_8A, UNPACK_8B, UNPACK_8C, UNPACK_8D };
/* Codes of the pack field (p31 T7); of T9 (MUL) only 0 and 3..7. */
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

/* A regfile A value under unpack code 0..7. `float_view`: one of the instruction's ALUs reads it by an
 * operation with float_in. */
void alu_unpack_a(const struct alu_rules *rules, unsigned code, bool float_view, const struct vc4_vector *in,
                  struct vc4_vector *out);
void alu_unpack_a_defined(const struct alu_rules *rules, unsigned code, bool float_view,
                          const struct vc4_vector *in_defined, struct vc4_vector *out_defined);

/* r4 under unpack code 0..7: always to float. */
void alu_unpack_r4(const struct alu_rules *rules, unsigned code, const struct vc4_vector *in,
                   struct vc4_vector *out);
void alu_unpack_r4_defined(const struct alu_rules *rules, unsigned code, const struct vc4_vector *in_defined,
                           struct vc4_vector *out_defined);

/*
 * A result on its way to regfile A under pack code 0..15: what the register
 * holds afterwards. `overflow` as the operation's row computes it, or NULL;
 * `old` is the register before, NULL for zeros (the flags' view of the packed value, flags-vs-pack).
 */
void alu_pack_a(const struct alu_rules *rules, unsigned code, bool float_out, const struct vc4_vector *result,
                const struct vc4_vector *overflow, const struct vc4_vector *old, struct vc4_vector *out);
/* `overflow_defined`: lanes whose overflow word is defined, NULL for all: where either operand of add, sub,
 * shl, mul24 has an undefined bit it is not. */
void alu_pack_a_defined(const struct alu_rules *rules, unsigned code, bool float_out,
                        const struct vc4_vector *result_defined, const struct vc4_vector *overflow_defined,
                        const struct vc4_vector *old_defined, struct vc4_vector *out_defined);
/* Lanes (0 or FFFFFFFF) whose overflow word is defined. */
void alu_overflow_defined(const struct vc4_vector *a_defined, const struct vc4_vector *b_defined,
                          struct vc4_vector *overflow_defined);

/* A MUL result under the colour pack code 0, 3..7 (pm = 1); reserved codes act as 0. `op` is the MUL
 * operation (mul-pack-any-op). */
void alu_pack_mul(const struct alu_rules *rules, unsigned code, unsigned op, const struct vc4_vector *result,
                  const struct vc4_vector *old, struct vc4_vector *out);
void alu_pack_mul_defined(const struct alu_rules *rules, unsigned code, unsigned op,
                          const struct vc4_vector *result_defined, const struct vc4_vector *old_defined,
                          struct vc4_vector *out_defined);

/* Does the profile take Z and N from the packed value instead of the 32-bit result (flags-vs-pack)? Then pack
 * with `old` NULL and look at that. */
bool alu_flags_from_packed(const struct alu_rules *rules);

/* Clauses that an unpack or pack can depend on, ended by ALU_NO_CLAUSE. flags-vs-pack is the QPU's to mark:
 * whenever sf meets a pack. */
const uint8_t *alu_unpack_a_clauses(unsigned code, bool float_view);
const uint8_t *alu_unpack_r4_clauses(unsigned code);
const uint8_t *alu_pack_a_clauses(unsigned code, bool float_out, bool can_overflow);
const uint8_t *alu_pack_mul_clauses(unsigned code);

#endif
