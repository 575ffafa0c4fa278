/* SPDX-License-Identifier: MIT */
/*
 * Rules. A rule changes what a machine does at one observation point of a unit.
 *
 *     UNIT POINT [when GUARD] = EXPRESSION        vc4-vpm write.stride = value & 31
 *
 * When a value passes the point and the guard is not 0, the machine continues with the result of the
 * expression instead. If a point has several rules, the first rule whose guard holds applies. docs/rules.md
 * describes the language.
 */
#ifndef MISPRINT_MODEL_RULE_RULE_H
#define MISPRINT_MODEL_RULE_RULE_H

#include "model/rule/expression.h"

struct unit;

struct rule {
    uint16_t point;
    struct expression guard; /* count 0: always */
    struct expression result;
};

/* Adds a rule behind the others, or before them; false if there is no room. */
bool rules_add(struct rules *r, const struct rule *rule);
bool rules_add_first(struct rules *r, const struct rule *rule);
/* Returns a copy of rule `i`, which must be below r->count. */
struct rule rules_get(const struct rules *r, uint32_t i);

/* Parses one rule. Sets `*unit` to the unit that the rule names; the rule's point is one of this unit. The
 * error names the column. */
bool rule_parse(const char *text, size_t count, const struct unit **unit, struct rule *r, struct error *e);
/* Prints a rule with the unit's name, so that rule_parse can read it. */
void rule_print(const struct unit *u, const struct rule *r, struct text *t);

#endif
