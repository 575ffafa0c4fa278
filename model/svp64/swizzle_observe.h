/* SPDX-License-Identifier: MIT */
/*
 * The functions with which the files that execute swizzle moves show values to the observer. Private to these
 * files. A file that defines SWIZZLE_OBSERVER as NULL before it includes this one shows nothing, at no cost.
 */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_OBSERVE_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_OBSERVE_H

#include "model/svp64/swizzle.h"
#include "model/svp64/swizzle_points.h"

#ifndef SWIZZLE_OBSERVER
#define SWIZZLE_OBSERVER(m) ((m)->observer)
#endif

/* Does the observer see or change values at this point? */
#define SWIZZLE_WANTS(m, point) observer_wants(SWIZZLE_OBSERVER(m), SWIZZLE_POINT_##point)

/* Returns the value after the machine's rules for this point. The inputs follow. */
#define SWIZZLE_SEE(m, point, value, ...)                                                                    \
    OBSERVE(SWIZZLE_OBSERVER(m), SWIZZLE_POINT_##point, (value), __VA_ARGS__)

/* Returns a stop after the machine's rules for this point. */
#define SWIZZLE_SEE_STOP(m, point, stop, ...)                                                                \
    (SWIZZLE_WANTS(m, point) ? swizzle_stop_of(SWIZZLE_SEE(m, point, (unsigned)(stop), __VA_ARGS__)) : (stop))

/* Converts a rule's number to a stop. A number that is no stop means that the words are no swizzle move. */
static inline enum swizzle_stop swizzle_stop_of(unsigned number)
{
    return number < SWIZZLE_STOPS ? (enum swizzle_stop)number : SWIZZLE_STOP_NO_SWIZZLE;
}

/* Returns the input `form` of points. */
static inline unsigned swizzle_form(const struct swizzle_insn *i)
{
    return !i->field[SWIZZLE_PREFIX] ? 0 : i->field[SWIZZLE_SINGLE] ? 1 : 2;
}

/* Returns the four selectors as the immediate has them. */
static inline unsigned swizzle_imm(const struct swizzle_insn *i)
{
    unsigned imm = 0;
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        imm = imm << 3 | (swizzle_selector(i, p) & 7); /* a rule can make it longer */
    return imm;
}

/* Decodes an instruction in a run with an observer. False if the fields are no swizzle move's. */
bool swizzle_observe_fields(const struct swizzle_machine *m, const uint32_t *words, struct swizzle_insn *i);
/* Shows the fields of m->state before a vectorised swizzle, and stores what rules make of them. `high`,
 * `low`: the words of SVSTATE. */
void swizzle_observe_state(struct swizzle_machine *m, const struct swizzle_insn *i, unsigned maxvl,
                           uint32_t high, uint32_t low);
/* Returns the stop for which decoding refuses an instruction, after rules (point insn.stop). */
enum swizzle_stop swizzle_refuse(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                 uint32_t second_word, enum swizzle_stop stop);

/* Returns the stop for which the selectors of a group are refused, after rules (point group.stop). `subvl`:
 * number of elements in a source group. */
enum swizzle_stop swizzle_refuse_group(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                       const uint8_t selector[SWIZZLE_POSITIONS], unsigned subvl,
                                       enum swizzle_stop stop);

/* Return values after rules: a value that is written, an element as read, the value of selector 1, and a
 * copied element after its conversion. `clamped`: input of the points. */
struct swizzle_conversion;
uint64_t swizzle_observe_written(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                 unsigned element, unsigned move, uint64_t value);
uint64_t swizzle_observe_read(const struct swizzle_machine *m, const struct swizzle_insn *i, unsigned element,
                              unsigned width, uint64_t value);
uint64_t swizzle_observe_one(const struct swizzle_machine *m, const struct swizzle_insn *i,
                             const struct swizzle_conversion *c, uint64_t value);
uint64_t swizzle_observe_result(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                const struct swizzle_conversion *c, uint64_t source, unsigned clamped,
                                uint64_t value);

#endif
