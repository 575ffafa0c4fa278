/* SPDX-License-Identifier: MIT */
#include "tests/model/vc4/qpu/support_machine.h"

#include "model/core/unit.h"
#include "model/core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void *room(size_t bytes, int byte)
{
    void *at = aligned_alloc(64, bytes);
    assert_non_null(at);
    return memset(at, byte, bytes);
}

struct machine *support_machine(unsigned qpus)
{
    return machine_in(room(machine_bytes(qpus, 0), 0), qpus, 0);
}

struct profile support_machine_profile(void)
{
    struct profile p = {0};
    for (unsigned i = 0; i < unit_clauses(&vc4_qpu_unit); i++)
        p.reading[i] = unit_clause(&vc4_qpu_unit, i)->in_profile[VC4_PROFILE_BCM2835];
    return p;
}

struct vc4_rows support_rows(uint32_t rows)
{
    size_t bytes = rows * sizeof(struct vc4_vector);
    return (struct vc4_rows){.value = room(bytes, 0), .defined = room(bytes, 0xFF), .rows = rows};
}

void support_rows_free(struct vc4_rows *r)
{
    free(r->value);
    free(r->defined);
}
