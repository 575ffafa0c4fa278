/* SPDX-License-Identifier: MIT */
#include "model/vc4/vc4.h"

#include "model/core/outcome.h"

const char *const vc4_reasons[VC4_STOPS + 1] = {
    [VC4_GO] = "",
    [VC4_HANG_LIMIT] = "instruction limit of the case",
    [VC4_HANG_VPM_READ] = "VPM read that no setup will ever satisfy",
    [VC4_HANG_SEMAPHORE] = "semaphore that nobody will ever change",
    [VC4_HANG_MUTEX] = "mutex that nobody will release",
    [VC4_HANG_BRANCH] = "branches too close to each other",
    [VC4_FAULT_BREAKPOINT] = "software breakpoint",
    [VC4_FAULT_MEMORY] = "address outside the memory of the case",
    [VC4_FAULT_PROGRAM] = "execution outside the program",
    [VC4_FAULT_RESERVED] = "encoding or setup word that no document defines",
    [VC4_FAULT_UNSUPPORTED] = "needs a TMU, varyings or the tile buffer, which are left out",
    [VC4_FAULT_UNDEFINED] = "what happens next depends on an undefined bit",
    [VC4_HANG_TMU_FULL] = "TMU write that no load will ever make room for",
    [VC4_HANG_TMU_LOAD] = "TMU load that no look-up will ever satisfy",
    [VC4_HANG_VARYING] = "varying read behind the last varying",
    [VC4_HANG_SCOREBOARD] = "tile buffer access that is never let in",
};

const uint8_t vc4_ends[VC4_STOPS] = {
    [VC4_GO] = END_DONE,
    [VC4_HANG_LIMIT... VC4_HANG_BRANCH] = END_HANG,
    [VC4_FAULT_BREAKPOINT... VC4_FAULT_UNSUPPORTED] = END_FAULT,
    [VC4_FAULT_UNDEFINED] = END_UNDEFINED,
    [VC4_HANG_TMU_FULL... VC4_HANG_SCOREBOARD] = END_HANG,
};

const bool vc4_unspecified[VC4_STOPS] = {[VC4_FAULT_RESERVED] = true};

bool vc4_stop_is_fault(enum vc4_stop stop)
{
    return vc4_ends[stop] != END_DONE && vc4_ends[stop] != END_HANG;
}

void vc4_account(struct fidelity *f, enum vc4_stop stop, const struct vc4_vector *defined)
{
    bool missing = stop == VC4_FAULT_UNDEFINED, partly = false;
    for (unsigned i = 0; defined && !stop && i < VC4_LANES; i++) {
        missing |= !defined->lane[i];
        partly |= defined->lane[i] != UINT32_MAX;
    }
    f->to_address |= stop == VC4_FAULT_UNDEFINED;
    bool unsupported = stop == VC4_FAULT_UNSUPPORTED || vc4_unspecified[stop];
    f->unsupported += unsupported;
    f->undefined += missing;
    f->tolerance += partly && !missing;
    f->exact += !partly && !missing && !unsupported;
}

void vector_print(const struct vc4_vector *v, const struct vc4_vector *defined, unsigned count, unsigned bits,
                  struct text *t)
{
    uint32_t mask = bits < 32 ? (1U << bits) - 1U : UINT32_MAX;
    bool same = true;
    for (unsigned i = 1; i < count; i++)
        same = same && v->lane[i] == v->lane[0] && defined->lane[i] == defined->lane[0];
    text_add(t, same && count > 1 ? " all" : "");
    for (unsigned i = 0; i < (same ? 1U : count); i++) {
        uint32_t known = defined->lane[i] & mask;
        if (known)
            text_add(t, bits > 4 ? " %08x%s" : " %x%s", (unsigned)v->lane[i], known == mask ? "" : "~");
        else
            text_add(t, bits > 4 ? " ????????" : " ?");
    }
}

/* ---- what a run may touch ---- */

void vc4_breach(struct vc4_limits *l, enum vc4_breach_kind kind, uint32_t at, uint32_t count)
{
    if (!l->breach.kind)
        l->breach = (struct vc4_breach){kind, at, count};
}

bool vc4_reach_limited(struct vc4_limits *l, uint32_t address, uint32_t bytes, enum vc4_access how,
                       uint32_t *offset)
{
    static const enum vc4_breach_kind kinds[] = {[VC4_LOADS] = VC4_BREACH_LOAD,
                                                 [VC4_STORES] = VC4_BREACH_STORE,
                                                 [VC4_TAKES_UNIFORM] = VC4_BREACH_UNIFORM};
    for (uint32_t i = 0; i < l->areas; i++) {
        const struct vc4_area *a = &l->area[i];
        uint32_t within = address - a->bus;
        if (within < a->bytes && bytes <= a->bytes - within && a->allowed >> how & 1) {
            *offset = a->at + within;
            return true;
        }
    }
    vc4_breach(l, kinds[how], address, bytes);
    return false;
}
