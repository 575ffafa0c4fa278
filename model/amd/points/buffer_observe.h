/* SPDX-License-Identifier: MIT */
/* Passes the parts of a buffer instruction through their observation points. The run's observer sees these
 * values, and the run's rules may change them. Callers use these functions only if the wave has an
 * observer. */
#ifndef MISPRINT_MODEL_AMD_POINTS_BUFFER_OBSERVE_H
#define MISPRINT_MODEL_AMD_POINTS_BUFFER_OBSERVE_H

#include "model/amd/buffer.h"
#include "model/rule/rules.h"

/* Does the observer see or force values here, or does a rule change this point? */
static inline bool amd_watches(const struct amd_wave *w, unsigned point)
{
    return observer_wants(w->observer, point);
}

/* The same for the points from `first` to `last`. */
static inline bool amd_watches_any(const struct amd_wave *w, unsigned first, unsigned last)
{
    bool any = false;
    for (unsigned point = first; point <= last; point++)
        any |= amd_watches(w, point);
    return any;
}
static inline bool amd_watches_places(const struct amd_wave *w)
{
    return amd_watches_any(w, AMD_POINT_PLACE_INDEX, AMD_POINT_ADDRESS_HIGH);
}
static inline bool amd_watches_checks(const struct amd_wave *w)
{
    return amd_watches_any(w, AMD_POINT_CHECK_LANE_INDEX, AMD_POINT_CHECK_IN_RANGE);
}

/* Passes one value for each lane through a vector point. `vector`: the inputs with lanes; `scalar`: the other
 * inputs. */
void buffer_observe_lanes(const struct amd_wave *w, unsigned point, uint32_t value[AMD_LANES],
                          const uint32_t *const *vector, const uint32_t *scalar);
#define AMD_LANES_OF(...) ((const uint32_t *const[]){__VA_ARGS__})
#define AMD_OBSERVE_LANES(point, value, vectors, ...)                                                        \
    buffer_observe_lanes(w, AMD_POINT_##point, value, vectors, (const uint32_t[]){__VA_ARGS__})
/* Passes values of 64 bits: the low words through `point`, the high words through the next point. */
void buffer_observe_wide(const struct amd_wave *w, unsigned point, uint64_t value[AMD_LANES],
                         const uint32_t *const *vector, const uint32_t *scalar);
#define AMD_OBSERVE_WIDE(point, value, vectors, ...)                                                         \
    buffer_observe_wide(w, AMD_POINT_##point, value, vectors, (const uint32_t[]){__VA_ARGS__})

/* Returns the set of active lanes whose value is not 0. */
uint64_t buffer_lane_mask(const struct amd_wave *w, const uint32_t value[AMD_LANES]);

/* Passes the words that the lanes of `*mask` write to a VGPR, and the set of these lanes. Returns `value`, or
 * `observed` with the words after rules. */
const uint32_t *buffer_observe_vgpr(const struct amd_wave *w, uint32_t number, const uint32_t *value,
                                    uint32_t observed[AMD_LANES], uint64_t *mask);
/* Passes the fields of a decoded instruction. Returns false if a rule chose an encoding or an opcode that
 * does not exist. */
bool buffer_observe_insn(const struct amd_wave *w, const uint32_t *words, struct amd_insn *i);
/* Passes the fields of a vector instruction's V#. */
void buffer_observe_descriptor(const struct amd_wave *w, const struct amd_insn *i, const uint32_t *words,
                               struct amd_descriptor *d);
/* Passes the fields of a V# that a scalar instruction uses. Changes the words of that V#. */
void buffer_observe_scalar_descriptor(const struct amd_wave *w, const struct amd_insn *i,
                                      uint32_t words[AMD_DESCRIPTOR_WORDS]);
/* The first inputs of the points of one dword of an atomic. */
#define AMD_ATOMIC_OF(op, lane, dword)                                                                       \
    (op)->atomic, lane, (op)->components == 2, dword, w->generation, (op)->encoding == AMD_SMEM
/* Passes the operands and the result of an atomic in one lane. Returns the value to store. */
uint64_t buffer_observe_atomic(const struct amd_wave *w, const struct amd_op *op, uint32_t lane, uint64_t old,
                               uint64_t source, uint64_t compare);
/* Passes the set of lanes whose atomic takes place. Returns it, without lanes outside the case's memory. */
uint64_t buffer_observe_atomics(const struct amd_wave *w, const struct buffer_plan *p,
                                const struct buffer_lanes *l, uint64_t mask);
/* Passes the set of lanes to which an atomic returns a value, and the number of registers of that value.
 * Returns the set. */
uint64_t buffer_observe_returned(const struct amd_wave *w, const struct buffer_plan *p,
                                 const struct buffer_lanes *l, uint64_t mask, uint32_t *registers);
/* Passes the indices and offsets of the lanes. */
void buffer_observe_operands(const struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l);

#endif
