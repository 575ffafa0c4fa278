/* SPDX-License-Identifier: MIT */
/* A validator for the part of JSON Schema (draft 2020-12) that our schemas use. A schema with an unknown
 * keyword accepts no value. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_SCHEMA_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_SCHEMA_H

#include "model/text/text.h"

#include <jansson.h>
#include <stdbool.h>

/* If the schema does not accept the value, `why` gets the place and the keyword. */
bool schema_accepts(const json_t *schema, const json_t *value, struct text *why);

#endif
