/* SPDX-License-Identifier: MIT */
/* Shows the smallest case of a finding beside the nearest case on which model and board agree. */
#ifndef MISPRINT_ORACLE_REPORT_RULE_REPORT_NEAREST_H
#define MISPRINT_ORACLE_REPORT_RULE_REPORT_NEAREST_H

#include "oracle/store/finding.h"

#include <jansson.h>

/* If the finding has no nearest agreeing case, the first two functions add nothing. */
void words_agreeing(const struct finding *f, struct text *t); /* says how it differs from the smallest */
void words_agreeing_lines(const struct finding *f, struct text *t); /* the lines of both that differ */
json_t *agreeing_json(const struct finding *f);                     /* or null */
/* Adds the smallest case, and the nearest agreeing one. The words that differ are marked. */
void html_cases(const struct finding *f, struct text *t);

#endif
