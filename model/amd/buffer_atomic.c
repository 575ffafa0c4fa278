/* SPDX-License-Identifier: MIT */
/* Atomics: read, modify and write, one lane after the other. */
#include "model/amd/points/buffer_observe.h"

/* Is the final value in memory the same for every order of the lanes? */
static bool is_commutative(enum amd_atomic op)
{
    return op == AMD_ATOMIC_ADD || op == AMD_ATOMIC_SUB || (op >= AMD_ATOMIC_SMIN && op <= AMD_ATOMIC_XOR);
}

/* ---- one lane ---- */

/* The VGPRs of an atomic's operands: of the lower and the upper half. */
struct atomic_registers {
    uint32_t source[2], compare[2];
};

static struct atomic_registers registers_of(const struct amd_wave *w, const struct buffer_plan *p)
{
    struct atomic_registers r;
    for (uint32_t k = 0; k < 2; k++) {
        r.source[k] = p->insn->vdata + k;
        r.compare[k] = p->insn->vdata + p->op->components + k;
        if (k < p->op->components)
            r.source[k] = AMD_OBSERVE(ATOMIC_VGPR, r.source[k], p->insn->vdata, k, 0, p->op->atomic,
                                      p->op->components == 2, w->generation);
        if (k < p->op->components && amd_compares(p->op))
            r.compare[k] = AMD_OBSERVE(ATOMIC_VGPR, r.compare[k], p->insn->vdata, k, 1, p->op->atomic,
                                       p->op->components == 2, w->generation);
    }
    return r;
}

static uint64_t operand(const struct amd_wave *w, const struct buffer_plan *p, const uint32_t number[2],
                        unsigned lane, bool *known)
{
    uint32_t defined, low = amd_vgpr_read(w, number[0], lane, &defined), high = 0;
    *known = *known && defined == UINT32_MAX;
    if (p->op->components == 2) {
        high = amd_vgpr_read(w, number[1], lane, &defined);
        *known = *known && defined == UINT32_MAX;
    }
    return (uint64_t)high << 32 | low;
}

/* In checked runs, marks the addresses that several lanes access, because the order of these lanes is
 * unknown. */
static void mark_shared(struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l)
{
    for (unsigned n = 0; n < AMD_LANES; n++)
        for (unsigned k = 0; k < p->units; k++)
            if (l->decision[k][n] == AMD_DONE) {
                uint32_t *stamp = &w->stamp[l->address[k][n]];
                *stamp = *stamp >= 2 * w->serial ? 2 * w->serial + 1 : 2 * w->serial;
            }
}

static bool is_shared(const struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                      unsigned n)
{
    for (unsigned k = 0; k < p->units; k++)
        if (w->stamp[l->address[k][n]] == 2 * w->serial + 1)
            return true;
    return false;
}

/* Returns the dword of memory that a lane's atomic reads, or with `stores` writes. */
static uint32_t place_of(const struct amd_wave *w, const struct buffer_plan *p, const struct buffer_lanes *l,
                         unsigned n, unsigned k, bool stores)
{
    const uint32_t at = (uint32_t)l->address[k][n],
                   now = AMD_OBSERVE(ATOMIC_PLACE, at, AMD_ATOMIC_OF(p->op, n, k), stores,
                                     (uint32_t)l->address[k][0]);
    return (now <= AMD_MEMORY_BYTES - 4 ? now : at) / 4;
}

static void atomic_lane(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l, unsigned n,
                        const struct atomic_registers *r)
{
    bool known = true;
    uint64_t source = operand(w, p, r->source, n, &known),
             compare = amd_compares(p->op) ? operand(w, p, r->compare, n, &known) : 0, old = 0;
    bool shared = w->checked && is_shared(w, p, l, n);
    for (unsigned k = 0; k < p->units; k++) {
        uint32_t at = place_of(w, p, l, n, k, false),
                 read = AMD_OBSERVE(ATOMIC_READ, w->memory.value[at], AMD_ATOMIC_OF(p->op, n, k), at * 4);
        old |= (uint64_t)read << 32 * k;
        known = known && (!w->checked || w->memory.defined[at] == UINT32_MAX);
    }
    uint64_t made = w->observer ? buffer_observe_atomic(w, p->op, n, old, source, compare)
                                : amd_atomic_result(w, (enum amd_atomic)p->op->atomic,
                                                    p->units == 2 ? 64 : 32, old, source, compare);
    bool kept = known && (!shared || is_commutative((enum amd_atomic)p->op->atomic));
    for (unsigned k = 0; k < p->units; k++) {
        uint32_t at = place_of(w, p, l, n, k, true);
        w->memory.value[at] = (uint32_t)(made >> 32 * k);
        if (w->checked)
            w->memory.defined[at] = kept ? UINT32_MAX : 0;
        amd_touch(&w->memory, at / AMD_LANES);
        l->data[k][n] = AMD_OBSERVE(ATOMIC_RETURN, (uint32_t)(old >> 32 * k), AMD_ATOMIC_OF(p->op, n, k),
                                    (uint32_t)old, (uint32_t)(old >> 32), (uint32_t)(made >> 32 * k));
        l->defined[k][n] = known && !shared ? UINT32_MAX : 0;
    }
}

/* ---- the returned value ---- */

static void return_old(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    uint64_t mask = w->exec, out = 0;
    for (unsigned n = 0; n < AMD_LANES; n++)
        out |= (uint64_t)(l->decision[0][n] == AMD_OUT_OF_RANGE) << n;
    if (out && READING(OOB_ATOMIC_RETURN))
        mask &= ~out;
    bool both = amd_compares(p->op) && READING(CMPSWAP_RETURN_WIDTH);
    uint32_t registers = p->op->components * (both ? 2U : 1U);
    if (w->observer)
        mask = buffer_observe_returned(w, p, l, mask, &registers);
    for (unsigned k = 0; k < registers; k++)
        amd_vgpr_write(w,
                       AMD_OBSERVE(ATOMIC_DESTINATION, p->insn->vdata + k, p->insn->vdata, k, p->op->atomic,
                                   p->op->components == 2, w->generation),
                       l->data[k % p->op->components], l->defined[k % p->op->components], mask);
}

void buffer_atomic(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    memset(l->data, 0, sizeof l->data);
    memset(l->defined, 0xFF, sizeof l->defined);
    if (w->checked)
        mark_shared(w, p, l);
    const struct atomic_registers r = registers_of(w, p);
    uint64_t done = 0;
    for (unsigned n = 0; n < AMD_LANES; n++)
        done |= (uint64_t)(l->decision[0][n] == AMD_DONE && l->decision[p->units - 1][n] == AMD_DONE) << n;
    if (w->observer && p->effect == BUFFER_MOVES)
        done = buffer_observe_atomics(w, p, l, done);
    for (unsigned n = 0; n < AMD_LANES; n++)
        if (done >> n & 1)
            atomic_lane(w, p, l, n, &r);
        else if (l->decision[0][n] == AMD_NOT_RESIDENT || l->decision[p->units - 1][n] == AMD_NOT_RESIDENT)
            for (unsigned k = 0; k < p->units; k++) {
                l->data[k][n] = w->filler;
                l->defined[k][n] = 0;
            }
    if (p->insn->glc)
        return_old(w, p, l);
}
