/* SPDX-License-Identifier: MIT */
/* Passes values to the machine's observer (v3d_points.h). Only machines with an observer call these
 * functions. */
#ifndef MISPRINT_MODEL_V3D_RUN_V3D_OBSERVE_H
#define MISPRINT_MODEL_V3D_RUN_V3D_OBSERVE_H

#include "model/v3d/run/v3d_compute.h"
#include "model/v3d/v3d_points.h"

#include <stddef.h>
#include <string.h>

#define V3D_EACH_LANE for (unsigned n = 0; n < V3D_LANES; n++)

static inline bool v3d_wants(const struct v3d_machine *m, unsigned point)
{
    return observer_wants(m->observer, point);
}

static inline bool v3d_wants_any(const struct v3d_machine *m, const uint16_t *point, size_t count)
{
    while (count && !v3d_wants(m, point[count - 1]))
        count--;
    return count;
}

/* Does the observer want one of these points? */
#define V3D_WANTS_ANY(m, ...)                                                                                \
    v3d_wants_any(m, (const uint16_t[]){__VA_ARGS__},                                                        \
                  sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))

/* Writes a vector as input. Returns the place after it. */
static inline uint32_t *v3d_put(uint32_t *input, const uint32_t lane[V3D_LANES])
{
    memcpy(input, lane, V3D_LANES * sizeof *lane);
    return input + V3D_LANES;
}

/* Writes a set of lanes as a vector. Returns the place after it. */
static inline uint32_t *v3d_put_set(uint32_t *input, uint32_t set)
{
    V3D_EACH_LANE *input++ = set >> n & 1;
    return input;
}

/* Passes the fields of an instruction, and changes them. Values that no field can have change nothing. */
void v3d_observe_fields(const struct v3d_machine *m, struct v3d_insn *i);
/* Passes the operands of an ALU after their unpacks. `raw`: those before. */
void v3d_observe_operands(const struct v3d_machine *m, const struct v3d_half *h,
                          const struct v3d_vector raw[2], struct v3d_operands *src);
/* Passes what operand `n` reads of a register. */
void v3d_observe_read(const struct v3d_machine *m, const struct v3d_thread *t, struct v3d_operands *to,
                      unsigned n);
/* v3d_observe_flags.c: passes the lanes that pass the condition, before the operation. Returns them. */
uint16_t v3d_observe_condition(const struct v3d_machine *m, const struct v3d_thread *t,
                               const struct v3d_half *h, uint16_t active);
/* Passes the lanes that count in operations across lanes. */
void v3d_observe_active(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_half *h);
/* Passes the flag that an ALU tests. Returns it. */
enum v3d_flag_letter v3d_observe_letter(const struct v3d_machine *m, const struct v3d_half *h,
                                        enum v3d_flag_letter letter);
/* Passes the operands of fcmp as they are compared for flag Z or N. */
void v3d_observe_compared(const struct v3d_machine *m, const struct v3d_half *h, unsigned letter,
                          struct v3d_vector operand[2]);
/* Passes the order of the operands of fcmp. Returns `x`, the lanes with the flag. */
uint16_t v3d_observe_order(const struct v3d_machine *m, const struct v3d_half *h,
                           const struct v3d_operands *src, unsigned letter, uint16_t x);
/* Passes the flags that an ALU has changed. `x`: the lanes with the tested flag, `lanes`: those that change,
 * `a` and `b`: the flags before. */
void v3d_observe_update(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_half *h,
                        uint16_t x, uint16_t lanes, uint16_t a, uint16_t b);
/* Passes the parts of products, and what setnnmode sets. */
void v3d_observe_products(const struct v3d_machine *m, struct v3d_thread *t, unsigned op,
                          const struct v3d_operands *src, struct v3d_vector *result);
/* Passes the lanes that rot and its kin can read. */
void v3d_observe_across(const struct v3d_machine *m, const struct v3d_half *h, uint16_t active,
                        struct v3d_operands *src);
/* Passes an operand or the result of a binary32 operation; does nothing for others. */
void v3d_observe_float(const struct v3d_machine *m, unsigned op, unsigned port, struct v3d_vector *v);
void v3d_observe_float_result(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                              const struct v3d_vector *b, struct v3d_vector *result);
/* v3d_observe_across.c: passes the steps of operations across lanes, of v8dot and of setmsf. `msf`: the
 * multisample flags before. */
void v3d_observe_lanes(const struct v3d_machine *m, struct v3d_thread *t, unsigned op,
                       const struct v3d_operands *src, const struct v3d_vector *msf,
                       struct v3d_vector *result);
/* Passes a lane from which each lane comes. `vectors`, `others`: the inputs. Changes `source`. */
void v3d_observe_source(const struct v3d_machine *m, unsigned point, const struct v3d_vector *vector,
                        const uint32_t *others, uint32_t source[V3D_LANES]);
/* v3d_observe_number.c: passes the classes of an operand or the result of an operation on floats. Are there
 * any? */
enum { V3D_PORT_A, V3D_PORT_B, V3D_PORT_RESULT };
void v3d_observe_classes(const struct v3d_machine *m, unsigned op, unsigned port, struct v3d_vector *v);
bool v3d_has_classes(unsigned op);
/* Does an operation compute each half of its operands apart? */
bool v3d_is_of_halves(unsigned op);
/* Passes the steps of an operation on floats. `result`: what its kernel gave. */
void v3d_observe_number(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                        const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result);
/* A rounding of all lanes: the magnitude that is kept if what follows is cut off, the sign, and whether the
 * next magnitude is taken. */
struct v3d_rounding {
    uint32_t kept[V3D_LANES], negative[V3D_LANES], up[V3D_LANES];
    uint32_t rest[V3D_LANES], part[V3D_LANES]; /* struct v3d_cut; `part`: sixteenths, 0 if nobody asks */
    uint16_t changed;                          /* lanes in which a rule changes `up` */
};
/* What is rounded, as the point's input `kind` numbers it. */
enum v3d_rounds {
    V3D_ROUNDS_SUM = 1,
    V3D_ROUNDS_INTEGER,
    V3D_ROUNDS_TO_HALF,
    V3D_ROUNDS_FRACTION,
    V3D_ROUNDS_SMALL
};
void v3d_observe_rounding(const struct v3d_machine *m, unsigned op, enum v3d_rounds kind, bool sum,
                          struct v3d_rounding *r);
/* Passes a vector. `ends`: the words of the inputs are vectors up to there; `first` and `last` follow. */
void v3d_observe_step(const struct v3d_machine *m, unsigned point, const uint32_t *input, uint32_t *ends,
                      uint32_t first, uint32_t last, uint32_t lane[V3D_LANES]);
/* Passes mantissas, and how many of their bits are cut off. */
void v3d_observe_mantissas(const struct v3d_machine *m, unsigned op, unsigned field,
                           const uint32_t number[V3D_LANES], uint32_t mantissa[V3D_LANES],
                           uint32_t shift[V3D_LANES]);
/* v3d_observe_whole.c: passes the steps to whole numbers, and from unsigned integers.
 * v3d_observe_fraction.c: those to fractions and to the small floats of v11fpack. */
void v3d_observe_whole(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                       struct v3d_vector *result);
void v3d_observe_fraction(const struct v3d_machine *m, unsigned op, const struct v3d_vector *a,
                          struct v3d_vector *result);
void v3d_observe_small(const struct v3d_machine *m, const struct v3d_vector *a, const struct v3d_vector *b,
                       struct v3d_vector *result);
void v3d_observe_utof(const struct v3d_machine *m, const struct v3d_vector *a, struct v3d_vector *result);
/* Passes the rounding of binary32 numbers to halves. `to`: these, in the low half, the high one, or both. */
enum v3d_halves_in { V3D_ONLY_LOW, V3D_ONLY_HIGH, V3D_BOTH_HALVES };
void v3d_observe_to_half(const struct v3d_machine *m, unsigned op, const struct v3d_vector *v,
                         enum v3d_halves_in where, struct v3d_vector *to);
/* v3d_observe_operand.c: passes which unpack operand `port` gets. Returns it. */
enum v3d_unpack v3d_observe_unpack_number(const struct v3d_machine *m, const struct v3d_half *h,
                                          unsigned port, enum v3d_unpack unpack);
/* Unpacks operand `port`, and passes it. */
void v3d_observe_unpack(const struct v3d_machine *m, const struct v3d_half *h, unsigned port,
                        enum v3d_unpack unpack, struct v3d_vector *v);
/* Passes the halves of an operand or of the result of an operation on halves. */
void v3d_observe_half_operand(const struct v3d_machine *m, const struct v3d_half *h, unsigned port,
                              struct v3d_vector *v);
void v3d_observe_half_result(const struct v3d_machine *m, unsigned op, struct v3d_vector *result);
/* Passes what the SFU takes its operands for, and which function it computes. */
void v3d_observe_sfu(const struct v3d_machine *m, unsigned op, enum v3d_function f,
                     const struct v3d_vector *a, struct v3d_vector *result);
/* Passes whether the results of an operation count as zero or negative. Returns `set`, the lanes that do. */
uint16_t v3d_observe_sign(const struct v3d_machine *m, const struct v3d_half *h, enum v3d_flags_of of,
                          enum v3d_flag_letter letter, const struct v3d_lanes *const src[2],
                          const struct v3d_vector *result, uint16_t set);
/* v3d_observe_integer.c: passes the steps of min, max, ror, flapush and its kin. */
void v3d_observe_simple(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                        const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result,
                        struct v3d_vector *carry);
/* v3d_observe_pack.c: passes the operands of packs and of sin, before the kernel. */
void v3d_observe_fields_to_pack(const struct v3d_machine *m, unsigned op, struct v3d_operands *src);
/* Passes the steps of operations on integers. */
void v3d_observe_integers(const struct v3d_machine *m, const struct v3d_alu *x, unsigned op,
                          const struct v3d_vector *a, const struct v3d_vector *b, struct v3d_vector *result);
/* Passes the angles of sin. `result`: the sines. */
void v3d_observe_sine(const struct v3d_machine *m, const struct v3d_vector *operand,
                      struct v3d_vector *result);
/* Passes RTOP after an operation that changes it. */
void v3d_observe_rtop(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_half *h,
                      const struct v3d_operands *src, const struct v3d_vector *before);
/* Passes the result from which Z and N come. */
void v3d_observe_flag_value(const struct v3d_machine *m, const struct v3d_half *h, unsigned letter,
                            struct v3d_vector *v);
/* Passes the result of an ALU, and the lanes that it writes. `rtop`: RTOP before the operation. */
void v3d_observe_result(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_half *h,
                        const struct v3d_operands *src, const struct v3d_vector *rtop,
                        struct v3d_alu_result *r);
/* Passes the flags that an operation gives its lanes. */
void v3d_observe_tests(const struct v3d_machine *m, const struct v3d_half *h, const struct v3d_operands *src,
                       const struct v3d_vector *carry, struct v3d_alu_result *r);
/* Passes the flags of each lane after flpop. `v`: its operand. */
void v3d_observe_pop(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_lanes *v,
                     uint16_t active);
/* Passes what an ALU writes. `result`: before its pack. */
void v3d_observe_write(const struct v3d_machine *m, const struct v3d_half *h, uint16_t lanes,
                       const struct v3d_vector *result, struct v3d_vector *v);
/* Passes the word of a register after a write. `before`: the word before it, `lanes`: those written. */
void v3d_observe_register(const struct v3d_machine *m, const struct v3d_vector *before,
                          const struct v3d_vector *result, uint16_t lanes, enum v3d_pack pack,
                          struct v3d_vector *v);
/* Passes the flags that an instruction left. `r`: the results of both ALUs; `a`, `b`: the flags before. */
void v3d_observe_flags(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_insn *i,
                       const struct v3d_alu_result r[V3D_HALVES], uint16_t a, uint16_t b);

/* Returns the flag that an ALU tests, after rules. */
static inline enum v3d_flag_letter v3d_see_letter(const struct v3d_machine *m, const struct v3d_half *h,
                                                  enum v3d_flag_letter letter)
{
    return m->observer ? v3d_observe_letter(m, h, letter) : letter;
}

/* Returns the second lowest lane of a set; V3D_LANES if there is none. */
static inline uint32_t v3d_second_lane(uint32_t set)
{
    const uint32_t rest = set & (set - 1);
    return rest ? (uint32_t)__builtin_ctz(rest) : V3D_LANES;
}

/* Makes an operand one that can be changed. Returns it. */
static inline struct v3d_vector *v3d_own_operand(struct v3d_operands *src, unsigned n)
{
    if (src->at[n] != &src->own[n])
        src->own[n] = *src->at[n];
    src->at[n] = &src->own[n];
    return &src->own[n].value;
}

/* Does the instruction stop the program, after rules? `stops`: before them; `why`: the reason; `which`: the
 * input of the point. */
enum { V3D_NO_CLAUSE = 63 };
bool v3d_stops_observed(const struct v3d_machine *m, const struct v3d_thread *t, const struct v3d_insn *i,
                        bool stops, enum v3d_stop why, unsigned which);
static inline bool v3d_stops(const struct v3d_machine *m, const struct v3d_thread *t,
                             const struct v3d_insn *i, bool stops, enum v3d_stop why, unsigned which)
{
    return observer_wants(m->observer, V3D_POINT_RUN_STOPS) ? v3d_stops_observed(m, t, i, stops, why, which)
                                                            : stops;
}

/* Passes a vector without vectors as inputs. */
#define V3D_SEE_LANES(m, point, vector, ...)                                                                 \
    do {                                                                                                     \
        if (observer_wants((m)->observer, V3D_POINT_##point))                                                \
            observe_lanes((m)->observer, V3D_POINT_##point, (vector)->lane,                                  \
                          (const uint32_t[]){__VA_ARGS__});                                                  \
    } while (0)

#endif
