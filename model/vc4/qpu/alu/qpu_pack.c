/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/alu/qpu_pack.h"

#include "model/vc4/qpu/alu/alu_clauses.h"

/* ---- unpacking ---- */

/* The part of a word that an unpack code takes. */
enum unpacking { TAKE_WORD, TAKE_HALF, TAKE_BYTE_TO_ALL, TAKE_BYTE };
static const struct {
    uint8_t kind, shift;
} unpackings[8] = {
    [UNPACK_32] = {TAKE_WORD, 0},   [UNPACK_16A] = {TAKE_HALF, 0},
    [UNPACK_16B] = {TAKE_HALF, 16}, [UNPACK_8D_REP] = {TAKE_BYTE_TO_ALL, 24},
    [UNPACK_8A] = {TAKE_BYTE, 0},   [UNPACK_8B] = {TAKE_BYTE, 8},
    [UNPACK_8C] = {TAKE_BYTE, 16},  [UNPACK_8D] = {TAKE_BYTE, 24},
};

static uint32_t sign_extend_16(uint32_t x)
{
    return ((x & 0xFFFF) ^ 0x8000) - 0x8000;
}

static void unpack_int(unsigned code, const struct vc4_vector *in, struct vc4_vector *out)
{
    unsigned kind = unpackings[code].kind, shift = unpackings[code].shift;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = in->lane[i] >> shift;
        out->lane[i] = kind == TAKE_HALF ? sign_extend_16(x) : x & 255;
    }
}

static void unpack_float(const struct alu_rules *rules, unsigned code, bool shift_denormals,
                         const struct vc4_vector *in, struct vc4_vector *out)
{
    bool keep_payload = alu_reading(rules, ALU_UNPACK_16F_NAN) == UNPACK_16F_NAN_PAYLOAD_KEPT;
    bool truncate = alu_reading(rules, ALU_UNPACK_8_COLOUR) == UNPACK_8_COLOUR_TRUNCATED;
    unsigned shift = unpackings[code].shift;
    if (unpackings[code].kind == TAKE_HALF) {
        for (unsigned i = 0; i < VC4_LANES; i++)
            out->lane[i] = float_from_half(shift_denormals, keep_payload, (in->lane[i] >> shift) & 0xFFFF);
        return;
    }
    for (unsigned i = 0; i < VC4_LANES; i++)
        out->lane[i] = float_from_colour(truncate, (in->lane[i] >> shift) & 255);
}

/* Unpacks codes 32 and 8d-rep, whose result is the same for integers and floats. False for other codes. */
static bool unpack_alike(unsigned code, const struct vc4_vector *in, struct vc4_vector *out)
{
    if (unpackings[code].kind == TAKE_WORD) {
        *out = *in;
        return true;
    }
    if (unpackings[code].kind != TAKE_BYTE_TO_ALL)
        return false;
    for (unsigned i = 0; i < VC4_LANES; i++)
        out->lane[i] = (in->lane[i] >> 24) * 0x01010101;
    return true;
}

void alu_unpack_a(const struct alu_rules *rules, unsigned code, bool float_view, const struct vc4_vector *in,
                  struct vc4_vector *out)
{
    code &= 7;
    if (unpack_alike(code, in, out))
        return;
    if (float_view)
        unpack_float(rules, code, alu_reading(rules, ALU_UNPACK_16F_DENORMAL) == UNPACK_16F_DENORMAL_SHIFTED,
                     in, out);
    else
        unpack_int(code, in, out);
}

void alu_unpack_r4(const struct alu_rules *rules, unsigned code, const struct vc4_vector *in,
                   struct vc4_vector *out)
{
    code &= 7;
    if (!unpack_alike(code, in, out))
        unpack_float(rules, code, alu_reading(rules, ALU_UNPACK_R4_DENORMAL) == UNPACK_R4_DENORMAL_SHIFTED,
                     in, out);
}

void alu_unpack_part(unsigned code, const struct vc4_vector *in, struct vc4_vector *moved,
                     struct vc4_vector *part)
{
    unsigned kind = unpackings[code & 7].kind, shift = unpackings[code & 7].shift;
    uint32_t mask = kind == TAKE_WORD ? UINT32_MAX : kind == TAKE_HALF ? 0xFFFF : 0xFF;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        moved->lane[i] = in->lane[i] >> shift;
        part->lane[i] = moved->lane[i] & mask;
    }
}

bool alu_unpack_join(unsigned code, const struct vc4_vector *part, struct vc4_vector *out)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        out->lane[i] = part->lane[i] << unpackings[code & 7].shift;
    return unpackings[code & 7].kind != TAKE_WORD;
}

/* A float is defined if its whole field is defined. An integer is defined bit by bit: a sign-extended bit if
 * the sign bit is defined, a zero-filled bit always. */
void alu_unpack_defined(unsigned code, bool to_float, const struct vc4_vector *in_defined,
                        struct vc4_vector *out_defined)
{
    code &= 7;
    if (unpack_alike(code, in_defined, out_defined))
        return;
    unsigned kind = unpackings[code].kind, shift = unpackings[code].shift;
    uint32_t field = kind == TAKE_HALF ? 0xFFFF : 0xFF;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t mask = (in_defined->lane[i] >> shift) & field;
        uint32_t extended = kind == TAKE_HALF ? sign_extend_16(mask) : mask | ~UINT32_C(0xFF);
        out_defined->lane[i] = to_float ? lane_mask(mask == field) : extended;
    }
}

/* ---- packing to regfile A ---- */

/* For each pack code: the width it converts to, and the bits of the register that it writes. */
enum packing { PUT_WORD, PUT_HALF, PUT_BYTE };
static const struct {
    uint8_t kind, shift;
    bool saturates;
    uint32_t written;
} packings[16] = {
    [PACK_32] = {PUT_WORD, 0, false, 0xFFFFFFFF},   [PACK_16A] = {PUT_HALF, 0, false, 0x0000FFFF},
    [PACK_16B] = {PUT_HALF, 16, false, 0xFFFF0000}, [PACK_8888] = {PUT_BYTE, 0, false, 0xFFFFFFFF},
    [PACK_8A] = {PUT_BYTE, 0, false, 0x000000FF},   [PACK_8B] = {PUT_BYTE, 8, false, 0x0000FF00},
    [PACK_8C] = {PUT_BYTE, 16, false, 0x00FF0000},  [PACK_8D] = {PUT_BYTE, 24, false, 0xFF000000},
    [PACK_32S] = {PUT_WORD, 0, true, 0xFFFFFFFF},   [PACK_16AS] = {PUT_HALF, 0, true, 0x0000FFFF},
    [PACK_16BS] = {PUT_HALF, 16, true, 0xFFFF0000}, [PACK_8888S] = {PUT_BYTE, 0, true, 0xFFFFFFFF},
    [PACK_8AS] = {PUT_BYTE, 0, true, 0x000000FF},   [PACK_8BS] = {PUT_BYTE, 8, true, 0x0000FF00},
    [PACK_8CS] = {PUT_BYTE, 16, true, 0x00FF0000},  [PACK_8DS] = {PUT_BYTE, 24, true, 0xFF000000},
};

static uint32_t clamp_signed(uint32_t x, int32_t low, int32_t high)
{
    int32_t s = (int32_t)x;
    return (uint32_t)(s < low ? low : s > high ? high : s);
}

/* How one instruction packs all its lanes. */
struct pack_rules {
    struct pack_range range;
    bool float_out, low_bits_of_saturated, ands, converts_float;
    struct half_rules half;
    struct ftoi_rules to_int;
};

/* The 32-bit value saturated after overflow. */
static uint32_t saturated_32(uint32_t r, uint32_t overflow, struct pack_range range)
{
    if (!overflow)
        return r;
    return (uint32_t)(overflow & ALU_OVERFLOW_LOW ? range.least : range.most);
}

uint32_t alu_pack_overflowed(bool ands, uint32_t integer, struct pack_range range, uint32_t end,
                             uint32_t clamped)
{
    bool within = (int32_t)integer >= range.least && (int32_t)integer <= range.most;
    return ands && !within ? end & clamped : end;
}

/* Saturates an integer result to a smaller range. After an overflow of add or sub, `overflow` says which end
 * of the range takes part. */
static uint32_t saturated_small(const struct pack_rules *p, uint32_t r, uint32_t overflow, uint32_t field)
{
    const struct pack_range range = p->range;
    uint32_t v = clamp_signed(r, range.least, range.most);
    if (overflow & ALU_OVERFLOW)
        v = alu_pack_overflowed(p->ands, r, range, saturated_32(r, overflow, range), v);
    return v & field;
}

static const struct pack_range whole_words = {true, INT32_MIN, INT32_MAX};

static uint32_t pack_word(const struct pack_rules *p, uint32_t r, uint32_t overflow)
{
    return p->range.saturates ? saturated_32(r, overflow, p->range) : r;
}

static uint32_t pack_half(const struct pack_rules *p, uint32_t r, uint32_t overflow)
{
    if (p->float_out)
        return float_to_half(p->half, r);
    if (p->range.saturates)
        return saturated_small(p, r, overflow, 0xFFFF);
    /* Silicon wrote 7FFF and 8000 here, not the low bits of the saturated value (FFFF, 0000). */
    if (p->low_bits_of_saturated && (overflow & ALU_OVERFLOW))
        return overflow & ALU_OVERFLOW_LOW ? 0x8000 : 0x7FFF;
    return r & 0xFFFF;
}

static uint32_t pack_byte(const struct pack_rules *p, uint32_t r, uint32_t overflow)
{
    if (p->float_out && p->converts_float)
        r = float_to_int(p->to_int, r);
    if (p->range.saturates)
        return saturated_small(p, r, overflow, 0xFF);
    bool low_bits = p->low_bits_of_saturated && (overflow & ALU_OVERFLOW);
    return (low_bits ? saturated_32(r, overflow, whole_words) : r) & 0xFF;
}

struct pack_range alu_pack_range(unsigned code)
{
    static const int32_t least[] = {[PUT_WORD] = INT32_MIN, [PUT_HALF] = -32768, [PUT_BYTE] = 0},
                         most[] = {[PUT_WORD] = INT32_MAX, [PUT_HALF] = 32767, [PUT_BYTE] = 255};
    unsigned kind = packings[code].kind;
    return (struct pack_range){packings[code].saturates, least[kind], most[kind]};
}

static struct pack_rules pack_rules_of(const struct alu_rules *rules, bool float_out, struct pack_range range)
{
    struct pack_rules p = {
        .range = range,
        .float_out = float_out,
        .low_bits_of_saturated = alu_reading(rules, ALU_PACK_NONSAT_SATURATES) == PACK_NONSAT_SATURATED_VALUE,
        .ands = alu_reading(rules, ALU_PACK_ADD_OVERFLOW_ZERO) == PACK_OVERFLOW_ZERO_AND,
        .converts_float = alu_reading(rules, ALU_PACK_8_OF_FLOAT) == READING_MANUAL,
        .half = {.plain = alu_reading(rules, ALU_PACK_16F_SPECIAL) == PACK_16F_SPECIAL_INF_OR_ZERO,
                 .away = alu_reading(rules, ALU_PACK_16F_ROUNDING) == PACK_16F_ROUNDING_AWAY,
                 .saturate = range.saturates && alu_reading(rules, ALU_PACK_16F_SAT) == READING_MANUAL},
        .to_int = {.rounding = ROUND_TRUNCATE, .range = FTOI_SATURATES},
    };
    return p;
}

uint32_t alu_pack_factor(unsigned code)
{
    return packings[code].written == UINT32_MAX && packings[code].kind == PUT_BYTE ? 0x01010101 : 1;
}

/* Writes the packed field to `out`. The other bits come from `old` or `otherwise` (clause pack-preserves). */
static void place(const struct alu_rules *rules, unsigned code, const struct vc4_vector *field,
                  const struct vc4_vector *old, uint32_t otherwise, struct vc4_vector *out)
{
    bool keeps = old && alu_reading(rules, ALU_PACK_PRESERVES) == READING_MANUAL;
    uint32_t written = packings[code].written, factor = alu_pack_factor(code);
    for (unsigned i = 0; i < VC4_LANES; i++)
        out->lane[i] = ((keeps ? old->lane[i] : otherwise) & ~written) | (field->lane[i] * factor)
                                                                             << packings[code].shift;
}

void alu_pack_a_within(const struct alu_rules *rules, unsigned code, bool float_out, struct pack_range range,
                       const struct vc4_vector *result, const struct vc4_vector *overflow,
                       struct vc4_vector *field)
{
    static uint32_t (*const pack[])(const struct pack_rules *, uint32_t, uint32_t) = {
        [PUT_WORD] = pack_word, [PUT_HALF] = pack_half, [PUT_BYTE] = pack_byte};
    struct pack_rules p = pack_rules_of(rules, float_out, range);
    for (unsigned i = 0; i < VC4_LANES; i++)
        field->lane[i] = pack[packings[code].kind](&p, result->lane[i], overflow ? overflow->lane[i] : 0);
}

void alu_pack_integer(const struct alu_rules *rules, bool float_out, const struct vc4_vector *result,
                      struct vc4_vector *integer)
{
    const struct pack_rules p = pack_rules_of(rules, float_out, (struct pack_range){0});
    for (unsigned i = 0; i < VC4_LANES; i++)
        integer->lane[i] =
            float_out && p.converts_float ? float_to_int(p.to_int, result->lane[i]) : result->lane[i];
}

void alu_pack_a_field(const struct alu_rules *rules, unsigned code, bool float_out,
                      const struct vc4_vector *result, const struct vc4_vector *overflow,
                      struct vc4_vector *field)
{
    alu_pack_a_within(rules, code, float_out, alu_pack_range(code), result, overflow, field);
}

void alu_pack_a(const struct alu_rules *rules, unsigned code, bool float_out, const struct vc4_vector *result,
                const struct vc4_vector *overflow, const struct vc4_vector *old, struct vc4_vector *out)
{
    struct vc4_vector field;
    alu_pack_a_field(rules, code, float_out, result, overflow, &field);
    place(rules, code, &field, old, 0, out);
}

uint32_t alu_pack_mask(const struct alu_rules *rules, unsigned code)
{
    return alu_reading(rules, ALU_PACK_PRESERVES) == READING_MANUAL ? packings[code].written : UINT32_MAX;
}

unsigned alu_pack_shift(unsigned code)
{
    return packings[code].shift;
}

void alu_pack_place(uint32_t factor, uint32_t mask, unsigned shift, const struct vc4_vector *field,
                    struct vc4_vector *word)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        word->lane[i] = (field->lane[i] * factor) << shift & mask;
}

/* Returns the defined bits of the packed field. A pack that only moves bits keeps the mask. A pack that
 * converts or saturates defines all bits of the field or none. An undefined overflow leaves none defined. */
static uint32_t packed_mask(unsigned code, bool float_out, bool converts_float, uint32_t mask,
                            bool overflow_known)
{
    bool word = packings[code].kind == PUT_WORD, half = packings[code].kind == PUT_HALF;
    uint32_t field = word ? UINT32_MAX : half ? 0xFFFF : 0xFF;
    bool moves = word   ? true
                 : half ? !float_out && !packings[code].saturates
                        : !packings[code].saturates && !(float_out && converts_float);
    if (overflow_known && moves)
        return mask & field;
    return lane_mask(mask == UINT32_MAX && overflow_known) & field;
}

void alu_pack_a_defined(const struct alu_rules *rules, unsigned code, bool float_out,
                        const struct vc4_vector *result_defined, const struct vc4_vector *overflow_defined,
                        const struct vc4_vector *old_defined, struct vc4_vector *out_defined)
{
    bool converts = alu_reading(rules, ALU_PACK_8_OF_FLOAT) == READING_MANUAL;
    struct vc4_vector field;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        bool overflow_known = code == PACK_32 || !overflow_defined || overflow_defined->lane[i] == UINT32_MAX;
        field.lane[i] = packed_mask(code, float_out, converts, result_defined->lane[i], overflow_known);
    }
    place(rules, code, &field, old_defined, UINT32_MAX, out_defined);
}

void alu_overflow_defined(const struct vc4_vector *a_defined, const struct vc4_vector *b_defined,
                          struct vc4_vector *overflow_defined)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        overflow_defined->lane[i] = lane_mask((a_defined->lane[i] & b_defined->lane[i]) == UINT32_MAX);
}

/* ---- packing colours (MUL pipe) ---- */

/* Does this code change a result of this MUL operation? */
static bool mul_packs(const struct alu_rules *rules, unsigned code, unsigned op)
{
    bool any = alu_reading(rules, ALU_MUL_PACK_ANY_OP) == MUL_PACK_ANY_OP_ANY;
    return code >= PACK_8888 && code <= PACK_8D && (any || alu_mul_ops[op & 7].float_out);
}

void alu_pack_mul_field(const struct alu_rules *rules, const struct vc4_vector *result,
                        struct vc4_vector *field)
{
    unsigned rounding = alu_reading(rules, ALU_MUL_PACK_ROUNDING);
    bool nearest = rounding == READING_MANUAL, clamp = rounding != MUL_PACK_ROUNDING_UNCLAMPED;
    for (unsigned i = 0; i < VC4_LANES; i++)
        field->lane[i] = float_to_colour(nearest, clamp, result->lane[i]);
}

void alu_pack_mul_truncated(const struct vc4_vector *result, struct vc4_vector *field)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        field->lane[i] = float_to_colour(false, true, result->lane[i]);
}

void alu_pack_mul(const struct alu_rules *rules, unsigned code, unsigned op, const struct vc4_vector *result,
                  const struct vc4_vector *old, struct vc4_vector *out)
{
    if (!mul_packs(rules, code, op)) {
        *out = *result;
        return;
    }
    struct vc4_vector field;
    alu_pack_mul_field(rules, result, &field);
    place(rules, code, &field, old, 0, out);
}

void alu_pack_mul_defined(const struct alu_rules *rules, unsigned code, unsigned op,
                          const struct vc4_vector *result_defined, const struct vc4_vector *old_defined,
                          struct vc4_vector *out_defined)
{
    if (!mul_packs(rules, code, op)) {
        *out_defined = *result_defined;
        return;
    }
    struct vc4_vector field;
    for (unsigned i = 0; i < VC4_LANES; i++)
        field.lane[i] = lane_mask(result_defined->lane[i] == UINT32_MAX) & 0xFF;
    place(rules, code, &field, old_defined, UINT32_MAX, out_defined);
}

/* ---- clauses ---- */

static const uint8_t no_clauses[] = {ALU_NO_CLAUSE};
static const uint8_t colour_clauses[] = {ALU_UNPACK_8_COLOUR, ALU_NO_CLAUSE};

const uint8_t *alu_unpack_a_clauses(unsigned code, bool float_view)
{
    static const uint8_t half[] = {ALU_UNPACK_16F_DENORMAL, ALU_UNPACK_16F_NAN, ALU_NO_CLAUSE};
    unsigned kind = unpackings[code & 7].kind;
    if (float_view && kind == TAKE_HALF)
        return half;
    return float_view && kind == TAKE_BYTE ? colour_clauses : no_clauses;
}

const uint8_t *alu_unpack_r4_clauses(unsigned code)
{
    static const uint8_t half[] = {ALU_UNPACK_R4_DENORMAL, ALU_UNPACK_16F_NAN, ALU_NO_CLAUSE};
    unsigned kind = unpackings[code & 7].kind;
    if (kind == TAKE_HALF)
        return half;
    return kind == TAKE_BYTE ? colour_clauses : no_clauses;
}

const uint8_t *alu_pack_a_clauses(unsigned code, bool float_out, bool can_overflow)
{
    static const uint8_t word_saturated[] = {ALU_PACK_SUB_DIRECTION, ALU_PACK_32S_OPS, ALU_NO_CLAUSE};
    static const uint8_t half[] = {ALU_PACK_16F_SPECIAL, ALU_PACK_16F_ROUNDING, ALU_PACK_PRESERVES,
                                   ALU_NO_CLAUSE};
    static const uint8_t half_saturated[] = {ALU_PACK_16F_SPECIAL, ALU_PACK_16F_ROUNDING, ALU_PACK_16F_SAT,
                                             ALU_PACK_PRESERVES, ALU_NO_CLAUSE};
    static const uint8_t byte_of_float[] = {ALU_PACK_8_OF_FLOAT, ALU_PACK_PRESERVES, ALU_NO_CLAUSE};
    static const uint8_t plain[] = {ALU_PACK_PRESERVES, ALU_NO_CLAUSE};
    static const uint8_t sum[] = {ALU_PACK_NONSAT_SATURATES, ALU_PACK_SUB_DIRECTION, ALU_PACK_PRESERVES,
                                  ALU_NO_CLAUSE};
    static const uint8_t sum_saturated[] = {ALU_PACK_ADD_OVERFLOW_ZERO, ALU_PACK_SUB_DIRECTION,
                                            ALU_PACK_PRESERVES, ALU_NO_CLAUSE};
    unsigned kind = packings[code & 15].kind;
    bool saturates = packings[code & 15].saturates;
    if (kind == PUT_WORD)
        return saturates && can_overflow ? word_saturated : no_clauses;
    if (float_out)
        return kind == PUT_BYTE ? byte_of_float : saturates ? half_saturated : half;
    if (!can_overflow)
        return plain;
    return saturates ? sum_saturated : sum;
}

const uint8_t *alu_pack_mul_clauses(unsigned code)
{
    static const uint8_t colour[] = {ALU_MUL_PACK_ANY_OP, ALU_MUL_PACK_ROUNDING, ALU_PACK_PRESERVES,
                                     ALU_NO_CLAUSE};
    return code >= PACK_8888 && code <= PACK_8D ? colour : no_clauses;
}
