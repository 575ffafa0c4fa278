/* SPDX-License-Identifier: MIT */
#include "model/vc4/qpu/step/qpu_quantities.h"

#include "model/number/float32.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"

void quantity_class(const struct vc4_vector *floats, struct vc4_vector *class)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        class->lane[i] = float_class(floats->lane[i]);
}

void quantity_half_class(const struct vc4_vector *halves, struct vc4_vector *class)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        class->lane[i] = half_class(halves->lane[i]);
}

void quantity_exponent(const struct vc4_vector *floats, struct vc4_vector *exponent)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        exponent->lane[i] = float_exponent(floats->lane[i]);
}

static uint32_t is_greater(const struct alu_rules *rules, unsigned opcode, uint32_t a, uint32_t b)
{
    switch (opcode) {
    case QPU_ADD_FMIN:
    case QPU_ADD_FMAX:
        return float_greater(rules->order, a, b) & 1;
    case QPU_ADD_FMINABS:
    case QPU_ADD_FMAXABS:
        return float_greater(rules->order, float_magnitude(a), float_magnitude(b)) & 1;
    case QPU_ADD_MIN:
    case QPU_ADD_MAX:
        return (int32_t)a > (int32_t)b;
    default:
        return 0;
    }
}

void quantity_greater(const struct alu_rules *rules, unsigned opcode, const struct vc4_vector *a,
                      const struct vc4_vector *b, struct vc4_vector *greater)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        greater->lane[i] = is_greater(rules, opcode, a->lane[i], b->lane[i]);
}

void quantity_picked(unsigned opcode, const struct vc4_vector *a, const struct vc4_vector *b,
                     const struct vc4_vector *result, struct vc4_vector *picked)
{
    const bool absolute = opcode == QPU_ADD_FMINABS || opcode == QPU_ADD_FMAXABS;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        const uint32_t x = a->lane[i], y = b->lane[i], value = result->lane[i];
        const bool known = absolute && !float_is_nan(value);
        picked->lane[i] = known && value == float_magnitude(x)   ? x
                          : known && value == float_magnitude(y) ? y
                                                                 : value;
    }
}

void quantity_bytes(unsigned byte, const struct vc4_vector *words, struct vc4_vector *bytes)
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        bytes->lane[i] = words->lane[i] >> (8 * byte) & 0xFF;
}

void quantity_products(unsigned byte, const struct vc4_vector *a, const struct vc4_vector *b,
                       struct vc4_vector *product, struct vc4_vector *high)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        const uint32_t x = a->lane[i] >> (8 * byte) & 0xFF;
        product->lane[i] = x * (b->lane[i] >> (8 * byte) & 0xFF);
        high->lane[i] = x * (b->lane[i] >> 24);
    }
}

/* The low 32 of the bits that an operation of the ADD ALU leaves beyond its word. */
static uint32_t beyond_add(unsigned opcode, uint32_t a, uint32_t b)
{
    const uint64_t sign = opcode == QPU_ADD_ASR && a >> 31 ? UINT64_MAX << 32 : 0;
    switch (opcode) {
    case QPU_ADD_ADD:
        return a + b < a;
    case QPU_ADD_SUB:
        return a < b;
    case QPU_ADD_SHL:
        return b < 64 ? (uint32_t)((uint64_t)a << b >> 32) : 0;
    case QPU_ADD_SHR:
    case QPU_ADD_ASR: {
        uint32_t out = 0;
        for (unsigned i = 0; i < b && i < 32; i++) /* the bit that goes out last is bit b - 1 */
            out |= (b - 1 - i < 64 ? (uint32_t)((a | sign) >> (b - 1 - i)) & 1 : (uint32_t)(sign >> 63)) << i;
        return out;
    }
    default:
        return 0;
    }
}

void quantity_beyond(bool is_mul, unsigned opcode, const struct vc4_vector *a, const struct vc4_vector *b,
                     struct vc4_vector *beyond)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = a->lane[i], y = b->lane[i];
        uint64_t product = (uint64_t)(x & 0xFFFFFF) * (y & 0xFFFFFF);
        beyond->lane[i] =
            is_mul ? (opcode == QPU_MUL_MUL24 ? (uint32_t)(product >> 32) : 0) : beyond_add(opcode, x, y);
    }
}
