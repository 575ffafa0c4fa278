/* SPDX-License-Identifier: MIT */
/* Passes whether a float is rounded up, in all operations that round. */
#include "model/v3d/run/v3d_observe.h"

#include <string.h>

void v3d_observe_rounding(const struct v3d_machine *m, unsigned op, enum v3d_rounds kind, bool sum,
                          struct v3d_rounding *r)
{
    uint32_t input[4 * V3D_LANES + 3], old[V3D_LANES], changed = 0;
    uint32_t *rest = v3d_put(v3d_put(v3d_put(v3d_put(input, r->kept), r->negative), r->rest), r->part);
    memcpy(rest, (const uint32_t[]){op, (uint32_t)kind, sum}, 3 * sizeof *rest);
    r->changed = 0;
    if (!v3d_wants(m, V3D_POINT_ROUND_UP))
        return;
    memcpy(old, r->up, sizeof old);
    observe_lanes(m->observer, V3D_POINT_ROUND_UP, r->up, input);
    V3D_EACH_LANE changed |= (uint32_t)(r->up[n] != old[n]) << n;
    r->changed = (uint16_t)changed;
}
