/* SPDX-License-Identifier: MIT */
/* A validator for the part of JSON Schema (draft 2020-12) that our schemas use. An unknown keyword is a
 * failure. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_SCHEMA_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_SCHEMA_H

#include "model/text/text.h"

#include <jansson.h>
#include <stdbool.h>

/* On failure `why` gets the place and the keyword. */
bool schema_accepts(const json_t *schema, const json_t *value, struct text *why);

#endif
