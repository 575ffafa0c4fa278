/* SPDX-License-Identifier: MIT */
#include "model/unit.h"

#include <stddef.h>
#include <string.h>

/* The table of units. A new unit is one line here, and its folder. */
extern const struct unit vc4_vpm_unit, vc4_qpu_unit, vc4_tmu_unit;

static const struct unit *const units[] = {
    &vc4_vpm_unit,
    &vc4_qpu_unit,
    &vc4_tmu_unit,
};

enum { UNITS = sizeof units / sizeof *units };

const struct unit *unit_at(unsigned i)
{
    return i < UNITS ? units[i] : NULL;
}

const struct unit *unit_named(const char *name)
{
    for (unsigned i = 0; i < UNITS; i++)
        if (!strcmp(units[i]->name, name))
            return units[i];
    return NULL;
}

static const char *name_of_unit(const void *context, unsigned i)
{
    (void)context;
    return i < UNITS ? units[i]->name : NULL;
}

const struct unit *unit_find(const char *name, struct error *e)
{
    const struct unit *u = unit_named(name);
    if (!u) {
        const char *near = text_nearest(name, name_of_unit, NULL);
        error_set(e, "there is no unit '%s'%s%s%s; `misprint units` lists them", name, near ? ", did you mean '" : "", near ? near : "",
                  near ? "'?" : "");
    }
    return u;
}

unsigned unit_clauses(const struct unit *u)
{
    unsigned count = 0;
    for (unsigned g = 0; g < CLAUSE_GROUPS_MAX; g++)
        count += u->clauses[g].count;
    return count;
}

const struct clause *unit_clause(const struct unit *u, unsigned i)
{
    for (unsigned g = 0; g < CLAUSE_GROUPS_MAX; g++) {
        if (i < u->clauses[g].count)
            return &u->clauses[g].rows[i];
        i -= u->clauses[g].count;
    }
    return NULL;
}

int unit_clause_index(const struct unit *u, const char *id)
{
    for (unsigned i = 0; i < unit_clauses(u); i++)
        if (!strcmp(unit_clause(u, i)->id, id))
            return (int)i;
    return -1;
}

int unit_profile_index(const struct unit *u, const char *name)
{
    for (int i = 0; u->profiles[i].name; i++)
        if (!strcmp(u->profiles[i].name, name))
            return i;
    return -1;
}

unsigned unit_reasons(const struct unit *u)
{
    unsigned count = 0;
    while (u->reasons[count])
        count++;
    return count;
}
