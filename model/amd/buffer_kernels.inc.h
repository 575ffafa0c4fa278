/* SPDX-License-Identifier: MIT */
/* The kernels of an instruction's lanes, a template for several sets of host instructions. The includer
 * defines BUFFER_KERNELS, the name of the table of functions, and BUFFER_OBSERVED as 1 for the variant with
 * observation points. */
#include "model/amd/buffer.h"

#ifndef BUFFER_OBSERVED
#define BUFFER_OBSERVED 0
#endif
#include "model/amd/points/buffer_observe.h"

#include "model/amd/buffer_address.inc.h"
#include "model/amd/buffer_lanes.inc.h"

/* ---- the trace ---- */

static void set_status(struct amd_wave *w, unsigned bit)
{
    amd_row(&w->status, 0)[bit] = 1;
    amd_touch(&w->status, 0);
}

static bool shows_address(uint32_t decision)
{
    return decision == AMD_DONE || decision == AMD_VIOLATION || decision == AMD_NOT_RESIDENT;
}

/* Writes the upper halves of the addresses of dword k. `any`: some are not 0. */
static void note_high(struct amd_wave *w, const struct buffer_lanes *l, unsigned k, bool any)
{
    uint32_t row = w->trace_row + k, high[AMD_LANES];
    if (!any && !(BUFFER_OBSERVED && amd_watches(w, AMD_POINT_TRACE_HIGH)))
        return;
    memset(high, 0, sizeof high);
    for (unsigned n = 0; n < AMD_LANES && any; n++)
        high[n] = shows_address(l->decision[k][n]) ? (uint32_t)(l->address[k][n] >> 32) : 0;
    if (BUFFER_OBSERVED)
        any = observe_note_high(w, l, k, high) || any;
    if (!any)
        return;
    memcpy(amd_row(&w->address_high, row), high, sizeof high);
    amd_touch(&w->address_high, row);
}

/* Writes the trace of one dword of all lanes. Lanes that are inactive, out of range or move nothing have
 * address 0. */
static void note(struct amd_wave *w, const struct buffer_lanes *l, unsigned k, uint32_t bytes)
{
    uint32_t row = w->trace_row + k, *address = amd_row(&w->address, row),
             *trace = amd_row(&w->decision, row);
    uint32_t out = 0, violated = 0;
    const uint32_t *decision = l->decision[k];
    uint64_t high = 0;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t d = decision[n],
                 mask = 0U - ((d == AMD_DONE) | (d == AMD_VIOLATION) | (d == AMD_NOT_RESIDENT));
        trace[n] = d + (d == AMD_DONE ? bytes << 4 : 0);
        address[n] = (uint32_t)l->address[k][n] & mask;
        high |= (l->address[k][n] >> 32) & mask;
        out |= d == AMD_OUT_OF_RANGE;
        violated |= d == AMD_VIOLATION;
    }
    if (BUFFER_OBSERVED)
        observe_note(w, l, k, bytes, trace, address);
    amd_touch(&w->decision, row);
    amd_touch(&w->address, row);
    note_high(w, l, k, high != 0);
    bool flag = !amd_is_gcn(w->generation) && out && !READING_IN(BUFFER_OOB_FLAG, 0);
    if (BUFFER_OBSERVED)
        flag = observe_status(w, decision, k, flag, &violated);
    if (violated)
        set_status(w, AMD_STATUS_MEM_VIOL);
    if (flag)
        set_status(w, AMD_STATUS_BUFFER_OOB);
}

const struct buffer_kernels BUFFER_KERNELS = {find_operands, resolve, check_range, load, store, note};
