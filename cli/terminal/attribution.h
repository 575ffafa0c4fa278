/* SPDX-License-Identifier: MIT */
/* What the attribution over all evidence came to, for people and as JSON: `misprint explain`, `fuzz` and
 * `replay` print it alike. */
#ifndef MISPRINT_CLI_TERMINAL_ATTRIBUTION_H
#define MISPRINT_CLI_TERMINAL_ATTRIBUTION_H

#include "oracle/attribution/attribute.h"

#include <jansson.h>

void attribution_print(const struct unit *u, const struct attribution *a, struct text *t);
json_t *attribution_json(const struct unit *u, const struct attribution *a);

#endif
