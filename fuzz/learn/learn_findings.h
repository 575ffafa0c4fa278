/* SPDX-License-Identifier: MIT */
/* The result of `misprint learn` as findings, for the reports. */
#ifndef MISPRINT_FUZZ_LEARN_LEARN_FINDINGS_H
#define MISPRINT_FUZZ_LEARN_LEARN_FINDINGS_H

#include "fuzz/learn/learn.h"
#include "oracle/store/finding.h"

/* Sets *l to a learned rule, without its cases. l->rules is empty if the rule is too long for a finding. */
void learn_rules_of(const struct unit *u, const struct learned *k, struct finding_learned *l);

/* Returns a finding for each learned change and for each difference that stays unexplained, in the order of
 * reports. `profile`: the base profile as text. Free each with finding_free_contents, then free the array. */
struct finding *learn_findings(const struct learn_options *o, const char *profile,
                               const struct learn_result *r, unsigned *count);

#endif
