/* SPDX-License-Identifier: MIT */
/*
 * The smallest expressions that synthesis.c found, in kinds. The expressions of one kind satisfy the same set
 * of examples: they give an allowed value there.
 */
#ifndef MISPRINT_FUZZ_LEARN_SYNTHESIS_KINDS_H
#define MISPRINT_FUZZ_LEARN_SYNTHESIS_KINDS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    NONE = UINT16_MAX, /* no operand */
    KINDS_MAX = 128,
    TERMS_OF_KIND = 8
};

/* An expression: a leaf, or an operator and its operands' numbers. "if(c, a, b)" has b in `operand`. */
struct term {
    uint16_t op, a, b;
    uint32_t operand;
};

/* The smallest expressions that satisfy one set of examples. An expression satisfies an example if it gives
 * an allowed value there. */
struct kind {
    uint64_t set[2];
    uint32_t wanted, all; /* number of satisfied examples that differ, and of all satisfied examples */
    uint32_t terms;
    struct term term[TERMS_OF_KIND]; /* ordered by size */
    uint32_t size[TERMS_OF_KIND];
    uint64_t hash[TERMS_OF_KIND]; /* hashes of the values in all examples, cut to the point's width */
};

struct kinds {
    struct kind kind[KINDS_MAX];
    uint32_t count;
    uint32_t examples; /* number of examples that there are */
    uint32_t least;    /* once the list is full: a new kind needs at least so many as its `wanted` */
};

/* Adds an expression, the only one of `k`, to the kind with the same set. A full list or kind drops the worst
 * ones. */
void kinds_add(struct kinds *l, const struct kind *k);
/* Do some expressions satisfy all examples? */
bool kinds_satisfy_all(const struct kinds *l);
/* Puts kinds first that satisfy most examples that differ; of equals, those that satisfy most examples, or,
 * by size, those with the smallest expressions. */
void kinds_sort(struct kinds *l, bool by_size);

#endif
