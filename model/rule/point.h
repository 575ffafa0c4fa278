/* SPDX-License-Identifier: MIT */
/*
 * Observation points: named places in a unit's model through which a value passes on its way, such as a field
 * as decoded, an address as computed, an enable, a count. Traces print the values, and rules (rule.h) replace
 * them. docs/rules.md describes them for users.
 */
#ifndef MISPRINT_MODEL_RULE_POINT_H
#define MISPRINT_MODEL_RULE_POINT_H

#include "model/rule/rules.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    POINT_INPUTS_MAX = 8,
    POINT_LANES_MAX = 16,
    POINT_VECTORS_MAX = 3, /* inputs with lanes */
    POINT_INPUT_WORDS_MAX = POINT_VECTORS_MAX * POINT_LANES_MAX + POINT_INPUTS_MAX - POINT_VECTORS_MAX,
};

/* A value that a rule can read at a point, in addition to the value that passes the point. */
struct point_input {
    const char *name;
    uint8_t width; /* in bits */
    uint8_t lanes; /* 16: a vector; a rule sees the value of its lane. 0: one number for all lanes */
};

struct point {
    const char *name;                           /* "write.stride": stable; files of users hold it */
    const char *about;                          /* one line for the user, with the unit of the number */
    const char *where;                          /* document and page */
    uint8_t width;                              /* bits of the value; a rule's result is cut to this width */
    uint8_t lanes;                              /* 1, or 16 for a vector: a rule then acts on each lane */
    struct point_input input[POINT_INPUTS_MAX]; /* ends at an input without a name; vectors come first */
};

/* A name that a point had before. Files of users may hold it. */
struct point_alias {
    const char *name;
    uint16_t point;
    const char *when; /* a guard that selects what passed the old point; NULL: everything */
};

/* The number of a point's inputs that are vectors. Only points with 16 lanes have them. */
static inline unsigned point_vectors(const struct point *p)
{
    unsigned n = 0;
    while (n < POINT_VECTORS_MAX && p->input[n].lanes)
        n++;
    return n;
}
/* Where input `i` begins among the words of the inputs: a vector has 16 of them. */
static inline unsigned point_input_at(unsigned vectors, unsigned i)
{
    return i < vectors ? i * POINT_LANES_MAX : vectors * (POINT_LANES_MAX - 1) + i;
}
/* The number of words of a point's inputs. */
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

/* Who watches or changes the values at points during a run: `rules` apply first, then `force`. */
struct observer {
    const struct point *points;
    const struct rules *rules;
    void (*see)(void *context, const struct observation *seen); /* or NULL */
    /* May replace the values (one for each lane) that the rules left; or NULL. */
    void (*force)(void *context, const struct observation *seen, uint32_t *value);
    void *context;
};

/* Does anything act at the point or watch it? If not, there is no need to observe it. */
static inline bool observer_wants(const struct observer *o, unsigned point)
{
    return o && (o->see || o->force || (o->rules->points[point / 64] >> (point % 64) & 1));
}

/* Shows a value to the observer and returns what the rules make of it. `input`: the words of all inputs. */
uint32_t observe(const struct observer *o, unsigned point, uint32_t value, const uint32_t *input);
/* The same for a vector; changes it in place. */
void observe_lanes(const struct observer *o, unsigned point, uint32_t *lanes, const uint32_t *input);

/* For models: tests for an observer first, because most runs have none. The last arguments are the point's
 * inputs; a point without inputs needs one 0. */
#define OBSERVE(o, point, value, ...)                                                                        \
    ((o) ? observe((o), (point), (value), (const uint32_t[]){__VA_ARGS__}) : (value))

#endif
