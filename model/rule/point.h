/* SPDX-License-Identifier: MIT */
/*
 * Observation points: named places in a unit's model through which a value passes on its way, such as a field
 * as decoded, an address as computed, an enable, a count. Traces print the values, and rules (rule.h) replace
 * them. docs/rules.md describes them for users.
 */
#ifndef MISPRINT_MODEL_RULE_POINT_H
#define MISPRINT_MODEL_RULE_POINT_H

#include <stdint.h>

enum { POINT_INPUTS_MAX = 8, POINT_LANES_MAX = 16 };

/* A value that is known at a point beside the one that passes it. */
struct point_input {
    const char *name;
    uint8_t width; /* in bits */
};

struct point {
    const char *name;                           /* "write.stride": stable; files of users hold it */
    const char *about;                          /* one line for the user, with the unit of the number */
    const char *where;                          /* document and page */
    uint8_t width;                              /* bits of the value; a rule's result is cut to them */
    uint8_t lanes;                              /* 1, or 16 for a vector: a rule then acts on each lane */
    struct point_input input[POINT_INPUTS_MAX]; /* ends at an input without a name */
};

struct rules;

/* A value that passes a point. */
struct observation {
    unsigned point;        /* index in the unit's points */
    const uint32_t *value; /* of each lane, before any rule */
    const uint32_t *input; /* as many as the point has */
};

/* What happens at points during a run. */
struct observer {
    const struct point *points;
    const struct rules *rules;
    void (*see)(void *context, const struct observation *seen); /* or NULL */
    /* Or NULL. May put other values, one for each lane, in place of those that the rules left. */
    void (*force)(void *context, const struct observation *seen, uint32_t *value);
    void *context;
};

/* Shows a value to the observer and returns what the rules make of it. `input`: as many as the point has. */
uint32_t observe(const struct observer *o, unsigned point, uint32_t value, const uint32_t *input);
/* The same for a vector; changes it in place. */
void observe_lanes(const struct observer *o, unsigned point, uint32_t *lanes, const uint32_t *input);

/* In a model: `o` is NULL in most runs. The inputs come last; at least one, 0 if the point has none. */
#define OBSERVE(o, point, value, ...)                                                                        \
    ((o) ? observe((o), (point), (value), (const uint32_t[]){__VA_ARGS__}) : (value))

#endif
