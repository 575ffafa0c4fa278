/* SPDX-License-Identifier: MIT */
/* What a board did when the value at a rule's point was swept (fuzz/learn/sweep.h). */
#ifndef MISPRINT_ORACLE_REPORT_RULE_REPORT_SWEEP_H
#define MISPRINT_ORACLE_REPORT_RULE_REPORT_SWEEP_H

#include "model/rule/rule.h"
#include "oracle/report/report_facts.h"

/* What the board's outcome of one case agrees with. */
enum measured {
    MEASURED_RULE,   /* with the rule, and not with the model */
    MEASURED_MODEL,  /* with the model, and not with the rule */
    MEASURED_SAME,   /* with both: the rule does not change the value */
    MEASURED_UNSEEN, /* with both, although the rule changes the value */
    MEASURED_NEITHER,
    MEASURED_KINDS
};
extern const char *const measured_name[MEASURED_KINDS]; /* for JSON: "rule", ... */

struct measurement {
    uint32_t count;
    struct {
        uint32_t value, result; /* at the point; result: what the rule makes of it */
        enum measured how;
    } at[SWEEP_MAX];
    uint32_t number[MEASURED_KINDS]; /* of values, by `how` */
};

/* Runs the cases of a finding's sweep on the model, without and with the finding's rules. Compares the
 * outcomes with the recorded ones. */
void sweep_measure(const struct finding_view *v, const struct rule *r, struct measurement *m);
/* Says how many values the board ran, and what it did. Adds nothing without a sweep. */
void words_measured(const struct measurement *m, struct text *t);

#endif
