/* SPDX-License-Identifier: MIT */
/*
 * Observation points: named places in a unit's model through which a value passes, such as a decoded field, a
 * computed address, an enable or a count. Traces print the values, and rules (rule.h) replace them.
 * docs/rules.md describes the points for users.
 */
#ifndef MISPRINT_MODEL_RULE_POINT_H
#define MISPRINT_MODEL_RULE_POINT_H

#include "model/rule/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text; /* model/text/text.h */

enum {
    POINT_INPUTS_MAX = 12,
    POINT_LANES_MAX = 16,
    POINT_VECTORS_MAX = 5, /* inputs with lanes */
    POINT_INPUT_WORDS_MAX = POINT_VECTORS_MAX * POINT_LANES_MAX + POINT_INPUTS_MAX - POINT_VECTORS_MAX,
};

/* A value that a rule can read at a point, in addition to the value that passes the point. */
struct point_input {
    const char *name;
    uint8_t width; /* in bits */
    uint8_t lanes; /* 16: a vector; a rule sees the value of its lane. 0: one number for all lanes */
};

/*
 * Descriptions of points and inputs have one form, because sentences about rules are made of them. A
 * description begins with a noun phrase in the singular, up to the first ";". Explanations follow, and may
 * list what numbers mean: "SIZE of a block setup; 0 bytes, 1 halves, 2 words". If the number answers a
 * question, the description states the answers instead: "1: the write takes place; 0: the write is lost". The
 * second answer is optional at points. There is no ";" inside a statement.
 */
struct point {
    const char *name;  /* "write.stride"; stable, because files of users contain it */
    const char *about; /* its description, with the unit of the number */
    const char *where; /* document and page */
    uint8_t width;     /* bits of the value; a rule's result is cut to this width */
    uint8_t lanes;     /* 1, or 16 for a vector: a rule then acts on each lane */
    struct point_input input[POINT_INPUTS_MAX]; /* ends at an input without a name; vectors come first */
};

/* The bits of the point's value. */
static inline uint32_t point_mask(const struct point *p)
{
    return UINT32_MAX >> (32 - p->width);
}

/* What an input is. `name`: its name, or a scope, a dot and its name. The scope is a point's name or the
 * first words of it: "dma.first" is the input `first` of all points "dma.*". The longest name that fits
 * counts. An input without a note has the description of the point that has its name. */
struct input_note {
    const char *name, *about;
};

/* What is known of a point's inputs. */
struct known_inputs {
    uint32_t given; /* bit n: input n */
    uint32_t number[POINT_INPUTS_MAX];
};
/* Returns the number of an input, or `otherwise` if it is not known or the point has no such input. */
uint32_t point_known(const struct point *p, const struct known_inputs *known, const char *input,
                     uint32_t otherwise);

/* A former name of a point. Files of users may still contain it. */
struct point_alias {
    const char *name;
    uint16_t point;
    const char *when; /* a guard that selects the values that passed the old point; NULL: all values */
};

/* Returns the number of a point's inputs that are vectors. Only points with 16 lanes have them. */
static inline unsigned point_vectors(const struct point *p)
{
    unsigned n = 0;
    while (n < POINT_VECTORS_MAX && p->input[n].lanes)
        n++;
    return n;
}
/* Returns the index of the first word of input `i` among the words of all inputs. A vector has 16 words. */
static inline unsigned point_input_at(unsigned vectors, unsigned i)
{
    return i < vectors ? i * POINT_LANES_MAX : vectors * (POINT_LANES_MAX - 1) + i;
}
/* Returns the number of words of a point's inputs. */
static inline unsigned point_input_words(const struct point *p)
{
    unsigned n = 0;
    while (n < POINT_INPUTS_MAX && p->input[n].name)
        n++;
    return point_input_at(point_vectors(p), n);
}

/* A value that passes a point. */
struct observation {
    unsigned point;        /* index in the unit's points */
    const uint32_t *value; /* of each lane, before any rule */
    const uint32_t *input; /* the words of the inputs: one, or 16 of a vector */
};

/* Watches or changes the values at points during a run. First `rules` apply, then `force`. */
struct observer {
    const struct point *points; /* of the unit */
    unsigned first;             /* index of the machine part's point 0 in the unit's points */
    /* Set of the part's points at which a rule or a function of the observer acts (observer_set_part). */
    uint64_t wants[POINTS_MAX / 64];
    const struct rules *rules;
    void (*see)(void *context, const struct observation *seen); /* or NULL */
    /* May replace the values (one for each lane) that the rules left; or NULL. */
    void (*force)(void *context, const struct observation *seen, uint32_t *value);
    const uint64_t *watched; /* set of the unit's points for `see` and `force`, a bit each; NULL: all */
    void *context;
};

/* Do `see` and `force` apply to the point of the unit? */
static inline bool observer_watches(const struct observer *o, unsigned point)
{
    return !o->watched || o->watched[point / 64] >> (point % 64) & 1;
}

/* Sets `wants` and `first` from the other members, for a part of the machine with `count` of the unit's
 * points, from `first` on. Returns false if the observer wants none of them. */
bool observer_set_part(struct observer *o, unsigned first, unsigned count);

/* Does a rule or a function of the observer apply to the point? If not, the model need not call observe.
 * `number`: of the point, in its part of the machine. A single load and test, because runs with rules ask
 * this hundreds of times. */
static inline bool observer_wants(const struct observer *o, unsigned number)
{
    return o && o->wants[number / 64] >> (number % 64) & 1;
}

/* Does the observer want one of the points? */
static inline bool observer_wants_any(const struct observer *o, const uint16_t *points, size_t count)
{
    while (o && count && !observer_wants(o, points[count - 1]))
        count--;
    return o && count;
}

/* Shows a value to the observer. Returns the value after the rules and `force`. `input`: the words of all
 * inputs. */
uint32_t observe(const struct observer *o, unsigned number, uint32_t value, const uint32_t *input);
/* Does the same for a vector, and changes it in place. */
void observe_lanes(const struct observer *o, unsigned number, uint32_t *lanes, const uint32_t *input);
/* Returns the lanes of a vector in which the rules give the same whatever the value is: for these, bits of
 * the value that are undefined do not matter. Shows nothing to the observer. */
uint32_t observe_overridden(const struct observer *o, unsigned number, const uint32_t *lanes,
                            const uint32_t *input);

/* For models: tests for an observer first, because most runs have none. The last arguments are the point's
 * inputs; a point without inputs needs one 0. */
#define OBSERVE(o, point, value, ...)                                                                        \
    (observer_wants(o, point) ? observe((o), (point), (value), (const uint32_t[]){__VA_ARGS__}) : (value))

#endif
