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
    enum { SCALAR, SINGLE, VECTOR, ONE_GROUP };
    const bool prefixed = i->field[SWIZZLE_PREFIX], single = i->field[SWIZZLE_SINGLE];
    uint32_t form = !prefixed ? SCALAR : single ? SINGLE : VECTOR;
    uint32_t run = SWIZZLE_SEE(m, FORM_RUN, form, prefixed, single, swizzle_is_fp(i));
    form = run == ONE_GROUP && form != SINGLE ? VECTOR : run;
    if (!SWIZZLE_SEE(m, INSN_DONE, 1, swizzle_form(i), swizzle_is_fp(i), m->state.vl,
                     m->state.vertical_first))
        return SWIZZLE_GO;
    return form == SCALAR      ? swizzle_scalar(m, i)
           : form == SINGLE    ? swizzle_single(m, i)
           : form == ONE_GROUP ? swizzle_one_group(m, i)
                               : swizzle_vector(m, i);
}
