/* SPDX-License-Identifier: MIT */
/*
 * A template: execution of one swizzle move. swizzle_plain.c compiles it without observation points, and
 * swizzle_observed.c with them. Before it, define RUN (the function's name) and, for plain runs,
 * SWIZZLE_OBSERVER(m) as NULL.
 */
#include "model/svp64/swizzle_element.h"
#include "model/svp64/swizzle_float.h"
#include "model/svp64/swizzle_observe.h"
#include "model/svp64/swizzle_plan.h"

#include <string.h>

#include "model/svp64/swizzle_element.inc.h"
#include "model/svp64/swizzle_shape.inc.h"

#include "model/svp64/swizzle_plan.inc.h"

#include "model/svp64/swizzle_vector.inc.h"

#include "model/svp64/swizzle_scalar.inc.h"

enum swizzle_stop RUN(struct swizzle_machine *m, const struct swizzle_insn *i)
{
    if (!i->field[SWIZZLE_PREFIX])
        return swizzle_scalar(m, i);
    return i->field[SWIZZLE_SINGLE] ? swizzle_single(m, i) : swizzle_vector(m, i);
}
