/* SPDX-License-Identifier: MIT */
/* The command line of an attack. Private to attack.c and attack_options.c. */
#ifndef MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_OPTIONS_H
#define MISPRINT_TESTS_HARNESS_ATTACK_ATTACK_OPTIONS_H

#include "tests/harness/attack/attack.h"

#include <stdio.h>

enum { ATTACK_JOBS_MAX = 64 };

struct attack_options {
    const struct attack *attack; /* NULL: all attacks, in turn */
    uint64_t accepted, cases;    /* 0: no limit */
    uint64_t seed, number;       /* `number`: the only case to try, if `one_case` */
    double seconds;              /* 0: no limit */
    unsigned jobs;
    const char *resume;
    bool keep_going, one_case;
};

void attack_show_usage(FILE *f, const char *program, const struct attack *const *attacks);

/* Reads the arguments. `o` holds the defaults. Prints why, and returns false, if an argument is wrong. */
bool attack_read_options(struct attack_options *o, int argc, char **argv,
                         const struct attack *const *attacks);

#endif
