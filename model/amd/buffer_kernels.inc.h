/* SPDX-License-Identifier: MIT */
/*
 * The work on the lanes of one instruction, written once and compiled for
 * several sets of host instructions: a template, included with BUFFER_KERNELS
 * defined as the name of the table that it makes.
 */
#include "model/amd/buffer.h"

#define READING(clause) amd_reading(w, AMD_CLAUSE_##clause, 0)

#include "model/amd/buffer_address.inc.h"
#include "model/amd/buffer_lanes.inc.h"

/* ---- the trace ---- */

static void set_status(struct amd_wave *w, unsigned bit)
{
    amd_row(&w->status, 0)[bit] = 1;
    amd_touch(&w->status, 0);
}

/* The trace of one dword of all lanes. Lanes that do not reach memory have no address. */
static void note(struct amd_wave *w, const struct buffer_lanes *l, unsigned k, uint32_t bytes)
{
    uint32_t *address = amd_row(&w->address, w->trace_row + k),
             *fate = amd_row(&w->decision, w->trace_row + k), out = 0, violated = 0;
    const uint32_t *decision = l->decision[k];
    uint64_t high = 0;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        fate[n] = decision[n] + (decision[n] == AMD_DONE ? bytes << 4 : 0);
        uint32_t d = decision[n],
                 mask = 0U - ((d == AMD_DONE) | (d == AMD_VIOLATION) | (d == AMD_NOT_RESIDENT));
        address[n] = (uint32_t)l->address[k][n] & mask;
        high |= (l->address[k][n] >> 32) & mask;
        out |= d == AMD_OUT_OF_RANGE;
        violated |= d == AMD_VIOLATION;
    }
    amd_touch(&w->decision, w->trace_row + k);
    amd_touch(&w->address, w->trace_row + k);
    for (unsigned n = 0; n < AMD_LANES && high; n++)
        if (decision[n] == AMD_DONE || decision[n] == AMD_VIOLATION || decision[n] == AMD_NOT_RESIDENT)
            amd_row(&w->address_high, w->trace_row + k)[n] = (uint32_t)(l->address[k][n] >> 32);
    if (high)
        amd_touch(&w->address_high, w->trace_row + k);
    if (violated)
        set_status(w, AMD_STATUS_MEM_VIOL);
    bool flagged = w->generation == AMD_GFX11 || w->generation == AMD_GFX10;
    if (flagged && out && !amd_reading(w, AMD_CLAUSE_BUFFER_OOB_FLAG, 0))
        set_status(w, AMD_STATUS_BUFFER_OOB);
}

const struct buffer_kernels BUFFER_KERNELS = {find_operands, resolve, check_range, load, store, note};
