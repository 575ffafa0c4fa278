/* SPDX-License-Identifier: MIT */
/* Sentences about the manual, for units that have none: they name the text that the field goes by. */
#ifndef MISPRINT_ORACLE_DESCRIBE_AUTHORITY_H
#define MISPRINT_ORACLE_DESCRIBE_AUTHORITY_H

#include "model/core/unit.h"

/* Adds a sentence or the name of a verdict. If the unit has an authority, its name replaces "the manual" and
 * "manual-": "Mesa is silent", "mesa-gap". NULL: a unit with a manual. */
void authority_add(const struct unit *u, const char *says, struct text *t);

#endif
