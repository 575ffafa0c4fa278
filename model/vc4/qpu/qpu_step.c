/* SPDX-License-Identifier: MIT */
/* The forms of a step: see qpu_step.inc.h. */
#include "model/vc4/qpu/qpu.h"

#include "model/vc4/qpu/alu/qpu_alu_host.h"
#include "model/vc4/qpu/alu/qpu_pack.h"
#include "model/vc4/qpu/qpu_step.h"

/* What few steps need stays out of the body of all. */
#define RARE __attribute__((noinline))

static const struct vc4_vector element_numbers = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

enum {
    PACKS_AS_FLOAT = 1,
    PACKS_AS_MOVE = 4
}; /* what counts for a MUL pack as fmul: an immediate that is packed at all; as v8min: an old result */

/* The low bytes of a quad's elements, element 0 lowest (r5-byte-concat). */
static uint32_t join_bytes(const uint32_t *quad)
{
    return (quad[0] & 0xFF) | (quad[1] & 0xFF) << 8 | (quad[2] & 0xFF) << 16 | quad[3] << 24;
}

/* Are all bits of the amounts defined, in the elements that the pipe writes or, with flags, in all? */
static bool amounts_defined(const struct qpu_pipe *p, const struct vc4_vector *defined,
                            const struct qpu_result *r, bool flags)
{
    uint32_t missing = 0;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t counts = p->lanes && !flags ? r->lanes.lane[i] | ~r->lanes_defined.lane[i] : UINT32_MAX;
        missing |= ~defined->lane[i] & counts;
    }
    return !missing;
}

#define QPU_CHECKED    0
#define QPU_NAME(name) name##_plain
#define QPU_STEP       qpu_step_plain
#include "model/vc4/qpu/qpu_step.inc.h"
#undef QPU_CHECKED
#undef QPU_NAME
#undef QPU_STEP

#define QPU_CHECKED    1
#define QPU_NAME(name) name##_checked
#define QPU_STEP       qpu_step_checked
#include "model/vc4/qpu/qpu_step.inc.h"
