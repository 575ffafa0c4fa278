/* SPDX-License-Identifier: MIT */
/* What writes of different I/O registers have in common. */
#include "model/vc4/qpu/qpu_graphics.h"
#include "model/vc4/qpu/step/qpu_quantities.h"

bool qpu_first_word(struct qpu *q, unsigned file, unsigned address, const struct qpu_result *r,
                    uint32_t *word, uint32_t *defined)
{
    unsigned element = QPU_OBSERVE(q, IO_ELEMENT, 0, file, address, vector_bits(&r->lanes));
    *word = QPU_OBSERVE(q, IO_WORD, r->value.lane[element], file, address, element, vector_bits(&r->lanes));
    *defined = r->defined.lane[element];
    if (!r->lanes_defined.lane[0])
        qpu_halt(q, VC4_FAULT_UNDEFINED);
    bool done = r->lanes.lane[0];
    return QPU_OBSERVE(q, IO_DONE, done, file, address, element, vector_bits(&r->lanes), *word) && !q->stop;
}
