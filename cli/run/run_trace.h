/* SPDX-License-Identifier: MIT */
/*
 * `misprint run --trace` of a case: prints each step as a line, then the values that passed the unit's
 * observation points in this step. docs/trace.md describes both forms, text and JSON.
 */
#ifndef MISPRINT_CLI_RUN_RUN_TRACE_H
#define MISPRINT_CLI_RUN_RUN_TRACE_H

#include "model/core/unit.h"
#include "model/text/text.h"

#include <jansson.h>

struct run_trace {
    const struct unit *unit;
    const char *file;   /* the input's name as the user wrote it */
    bool json;          /* one JSON object a line */
    struct text *to;    /* all lines */
    struct text points; /* text only: lines of the current step's points */
    unsigned column;    /* the column at which the last line of `points` ends */
    uint64_t step;      /* the number of steps that ended */
};

/* Makes a run report its steps and values to the trace. */
void run_trace_attach(struct run_trace *t, struct run *r);
/* Adds what is left of the last step; in JSON, also how the run ended. Takes over `fidelity`, which may be
 * NULL. */
void run_trace_end(struct run_trace *t, const struct outcome *o, const char *remarks, json_t *fidelity);

#endif
