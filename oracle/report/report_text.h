/* SPDX-License-Identifier: MIT */
/* Functions that add parts of sentences, for the files that make the sentences of reports. */
#ifndef MISPRINT_ORACLE_REPORT_REPORT_TEXT_H
#define MISPRINT_ORACLE_REPORT_REPORT_TEXT_H

#include "model/text/text.h"

#include <stdint.h>

/* Adds words like printf, and cleans each %s. The flag ' groups the digits of integers (2,795,520). */
void words_add(struct text *t, const char *form, ...) __attribute__((format(printf, 2, 3)));
/* "1 case", "12 cases" */
void words_number(struct text *t, uint64_t number, const char *one, const char *many);
/* Returns the text to print before item `i` of `count` ("", ", ", " and "), to get "a", "a and b" or "a, b
 * and c". */
const char *words_joint(unsigned i, unsigned count);

#endif
