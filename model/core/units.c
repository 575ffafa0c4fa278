/* SPDX-License-Identifier: MIT */
#include "model/core/units.h"

#include <stddef.h>
#include <string.h>

/* CONTRIBUTING.md, "Add a unit", lists what a new unit needs besides a line here. */
static const struct unit *const units[] = {
    &vc4_vpm_unit,   &vc4_qpu_unit,       &vc4_tmu_unit, &amd_buffer_unit,
    &utgard_gp_unit, &svp64_swizzle_unit, &v3d_qpu_unit,
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
    return unit_at(i) ? unit_at(i)->name : NULL;
}

const struct unit *unit_find(const char *name, struct error *e)
{
    const struct unit *u = unit_named(name);
    if (!u)
        error_unknown(e, "unit", name, name_of_unit, NULL, "`misprint units` lists them");
    return u;
}
