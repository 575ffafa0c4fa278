/* SPDX-License-Identifier: MIT */
/* The parts of arithmetic that observers see: classes of numbers, roundings, conversions to whole numbers.
 * All functions are of one lane. The kernels do not use them. */
#ifndef MISPRINT_MODEL_V3D_ALU_V3D_PARTS_H
#define MISPRINT_MODEL_V3D_ALU_V3D_PARTS_H

#include "model/v3d/alu/v3d_alu.h"

/* Where a number is in a word: the whole word, or a binary16 number in one of its halves. */
enum v3d_format { V3D_BINARY32, V3D_LOW_HALF, V3D_HIGH_HALF };

uint32_t v3d_take_number(enum v3d_format f, uint32_t word);
uint32_t v3d_put_number(enum v3d_format f, uint32_t word, uint32_t number);
/* Widens a number to binary32. A NaN keeps its bits. */
uint32_t v3d_widen(enum v3d_format f, uint32_t number);
/* Returns a NaN in the format; the mantissa is cut. */
uint32_t v3d_narrow_nan(enum v3d_format f, uint32_t nan);

/* The class of a number (enum float_class), and the number as one of another class: a zero, the largest
 * finite number, an infinity or a NaN. A class that says nothing new changes nothing. */
uint32_t v3d_class(enum v3d_format f, uint32_t number);
uint32_t v3d_with_class(enum v3d_format f, uint32_t number, uint32_t class);

/* Returns the order of two floats: 0 a is less, 1 they are equal, 2 a is greater, 3 one is a NaN. */
uint32_t v3d_order(uint32_t a, uint32_t b);

/* Returns integer / one as a float, at least -1. */
uint32_t v3d_fraction_of(uint32_t integer, uint32_t one);

uint32_t v3d_half_of(struct v3d_alu_rules rules, uint32_t v);
uint32_t v3d_binary32_of(uint32_t half);

/* Returns what is cut off a number of which the half `kept` stays, or of an integer that becomes a float:
 * 0 nothing, 1 below one half, 2 one half, 3 more. */
uint32_t v3d_rest_of_half(uint32_t v, uint32_t kept);
uint32_t v3d_rest_of_integer(bool is_signed, uint32_t v);

/* A float on its way to a whole number. */
enum v3d_direction { V3D_TO_NEAREST, V3D_TO_ZERO, V3D_DOWN, V3D_UP };
struct v3d_whole {
    enum v3d_direction direction;
    uint32_t mantissa; /* with its hidden bit */
    uint32_t shift;    /* so many bits of it are cut off; negative: it moves up */
    uint32_t kept;     /* the magnitude without what follows the point; 0 beyond 2^32 */
    uint32_t rest;     /* what is cut off: 0 nothing, 1 below one half, 2 one half, 3 more */
    uint32_t magnitude;
    uint32_t limit;    /* the greatest magnitude of an integer with this sign */
    bool negative, up; /* up: the magnitude is rounded up */
    bool is_signed;    /* the integer has a sign */
    bool rounds;       /* fround and its kin: it is not a whole number already */
};
/* Does the operation round to a whole number? */
bool v3d_is_whole(unsigned op);
/* Does it give an integer? */
bool v3d_gives_integer(unsigned op);
struct v3d_whole v3d_whole_of(struct v3d_alu_rules rules, unsigned op, uint32_t v);
/* Sets what follows from mantissa and shift: kept, rest, up and magnitude. */
void v3d_whole_round(struct v3d_alu_rules rules, struct v3d_whole *w);
/* Sets what follows from direction and rest: up and magnitude. */
void v3d_whole_up(struct v3d_alu_rules rules, struct v3d_whole *w);
/* Returns the greatest magnitude of an integer. */
uint32_t v3d_limit_of(bool is_signed, bool negative);
/* The integer is inside its range, above, below, or the float is a NaN. */
enum v3d_range_of { V3D_INSIDE, V3D_ABOVE, V3D_BELOW, V3D_NO_NUMBER };
enum v3d_range_of v3d_range_of(const struct v3d_whole *w, uint32_t v);
/* The integer, or the float of fround and its kin. */
uint32_t v3d_integer_of(const struct v3d_whole *w, enum v3d_range_of range);
uint32_t v3d_rounded_float(const struct v3d_whole *w, uint32_t v);

/* A float on its way to a fraction (ftounorm16 and its kin). */
struct v3d_fraction {
    uint32_t mantissa, shift; /* as above; the mantissa is multiplied by `scale` first */
    uint32_t scale;           /* the number that 1.0 becomes */
    bool is_nan, negative, is_signed, saturates;
};
struct v3d_fraction v3d_fraction_parts(unsigned op, unsigned field, uint32_t v);
/* Is the fraction rounded? A NaN, 1.0 and what becomes 0 for its sign are not. */
bool v3d_fraction_rounds(const struct v3d_fraction *f);
/* Returns the number of a fraction whose magnitude is rounded to `magnitude`, if it is rounded. */
uint32_t v3d_fraction_number(const struct v3d_fraction *f, uint32_t magnitude);

/* What stays of a number of which `down` bits are cut off, and these bits. `rest`: as above. `sixteenths`:
 * the part of the last bit that stays; an odd number stands for all between its neighbours. */
struct v3d_cut {
    uint32_t kept, rest, sixteenths;
};
struct v3d_cut v3d_cut_of(uint64_t number, uint32_t down);

#endif
