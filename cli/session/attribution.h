/* SPDX-License-Identifier: MIT */
/* Prints an attribution over all evidence as text or JSON, for `misprint explain`, `fuzz` and `replay`. */
#ifndef MISPRINT_CLI_SESSION_ATTRIBUTION_H
#define MISPRINT_CLI_SESSION_ATTRIBUTION_H

#include "oracle/attribution/attribute.h"

#include <jansson.h>

void attribution_print(const struct unit *u, const struct attribution *a, struct text *t);
json_t *attribution_json(const struct unit *u, const struct attribution *a);

#endif
