/* SPDX-License-Identifier: MIT */
/*
 * What `misprint run --trace` prints of a case: each step as a line, and the values that passed the unit's
 * observation points in it. docs/trace.md describes both forms.
 */
#ifndef MISPRINT_CLI_RUN_TRACE_H
#define MISPRINT_CLI_RUN_TRACE_H

#include "model/core/unit.h"
#include "model/text/text.h"

#include <jansson.h>

struct run_trace {
    const struct unit *unit;
    const char *file;   /* as the user named the input */
    bool json;          /* one JSON object a line */
    struct text *to;    /* all lines */
    struct text points; /* text only: lines of the current step's points */
    unsigned column;    /* of the last of these lines */
    uint64_t step;      /* the number of steps that ended */
};

/* Makes a run report its steps and values to the trace. */
void run_trace_attach(struct run_trace *t, struct run *r);
/* Adds what is left of the last step; in JSON the outcome's end. `fidelity`: or NULL; is taken over. */
void run_trace_end(struct run_trace *t, const struct outcome *o, const char *remarks, json_t *fidelity);

#endif
