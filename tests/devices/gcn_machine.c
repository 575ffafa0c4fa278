/* SPDX-License-Identifier: MIT */
#include "tests/devices/gcn_machine.h"

#include "harness/amdgpu/amdgpu_code.h"

#include <stdlib.h>

enum { STEPS_MAX = 4096, S_LOADS = 5, LDS_WORDS = 16384 };
enum { TRAPSTS_MEM_VIOL = 8, TRAPSTS_BUFFER_OOB = 15 };
enum { POISON = 0x5A5A5A5A };

struct wave {
    const struct gcn_machine *m;
    const struct gcn_launch *l;
    uint64_t pc, exec;
    uint32_t sgpr[AMD_SGPRS], vgpr[GCN_VGPRS][AMD_LANES], m0, scc, trapsts, lds[LDS_WORDS];
    struct coverage coverage;
    struct amd_wave amd;
    struct buffer_plan plan;
    struct buffer_lanes lanes;
    uint32_t nothing[GCN_PAGE / 4]; /* the content of unmapped pages */
    uint32_t scratch[4 * AMD_UNITS * AMD_LANES];
    uint64_t touched[16];
    bool ended;
};

/* ---- memory ---- */

static const char *read_dword(struct wave *w, uint64_t va, uint32_t *value)
{
    uint8_t *at;
    if (w->m->page(w->m->context, va & ~(uint64_t)(GCN_PAGE - 1), &at) != GCN_MEMORY)
        return "code or constants at an unmapped address";
    memcpy(value, at + va % GCN_PAGE, sizeof *value);
    return NULL;
}

/* ---- scalars ---- */

static uint32_t read_scalar(const struct wave *w, uint32_t code, uint32_t literal)
{
    uint32_t value;
    if (code == GCN_LITERAL)
        return literal;
    if (code == amd_m0(w->m->generation))
        return w->m0;
    if (code == GCN_EXEC || code == GCN_EXEC + 1)
        return (uint32_t)(w->exec >> (code == GCN_EXEC ? 0 : 32));
    return amd_soffset_source(w->m->generation, code, &value) == AMD_SOURCE_CONSTANT
               ? value
               : w->sgpr[code % AMD_SGPRS];
}

static void write_scalar(struct wave *w, uint32_t code, uint32_t value)
{
    uint64_t high = UINT64_MAX << 32;
    if (code == amd_m0(w->m->generation))
        w->m0 = value;
    else if (code == GCN_EXEC)
        w->exec = (w->exec & high) | value;
    else if (code == GCN_EXEC + 1)
        w->exec = (w->exec & ~high) | (uint64_t)value << 32;
    else
        w->sgpr[code % AMD_SGPRS] = value;
}

/* ---- vectors and LDS ---- */

static bool active(const struct wave *w, unsigned lane)
{
    return lane < w->l->lanes && w->exec >> lane & 1;
}

static uint32_t read_vector(const struct wave *w, uint32_t code, unsigned lane)
{
    return code >= GCN_VGPR ? w->vgpr[(code - GCN_VGPR) % GCN_VGPRS][lane] : read_scalar(w, code, 0);
}

static void for_lanes(struct wave *w, const struct gcn_insn *i)
{
    for (unsigned n = 0; n < AMD_LANES; n++) {
        if (!active(w, n))
            continue;
        uint32_t *to = &w->vgpr[i->dst % GCN_VGPRS][n];
        if (i->op == GCN_V_MOV_B32)
            *to = read_vector(w, i->src0, n);
        else
            *to = w->vgpr[i->src1 % GCN_VGPRS][n] << (read_vector(w, i->src0, n) & 31);
    }
}

static const char *access_lds(struct wave *w, const struct gcn_insn *i)
{
    uint32_t limit = w->l->lds_bytes;
    if (w->m->generation == AMD_GFX8 && w->m0 < limit)
        limit = w->m0;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint32_t at = w->vgpr[i->src0 % GCN_VGPRS][n] + i->imm;
        if (!active(w, n))
            continue;
        if (at % 4 || at + 4 > limit || at + 4 > 4 * LDS_WORDS)
            return "an LDS address beyond the wave's LDS";
        if (i->op == GCN_DS_WRITE_B32)
            w->lds[at / 4] = w->vgpr[i->src1 % GCN_VGPRS][n];
        else
            w->vgpr[i->dst % GCN_VGPRS][n] = w->lds[at / 4];
    }
    return NULL;
}

/* ---- buffer instructions, by the model ---- */

static struct amd_rows rows_of(struct wave *w, uint32_t *value, uint32_t rows)
{
    return (struct amd_rows){.value = value,
                             .defined = value /* unused: runs are plain */,
                             .touched = w->touched,
                             .rows = rows};
}

static void enter_model(struct wave *w)
{
    struct amd_wave *a = &w->amd;
    a->profile = w->m->profile;
    a->coverage = &w->coverage;
    a->generation = w->m->generation;
    a->alignment = AMD_ALIGN_UNALIGNED;
    a->lanes = w->l->lanes;
    a->exec = w->l->lanes == 32 ? (uint32_t)w->exec : w->exec;
    a->m0 = w->m0;
    a->vgprs = w->l->vgprs < GCN_VGPRS ? w->l->vgprs : GCN_VGPRS;
    memcpy(a->descriptor, w->sgpr + 8, sizeof a->descriptor);
    a->vgpr = rows_of(w, w->vgpr[0], GCN_VGPRS);
    a->sgpr = rows_of(w, w->sgpr, AMD_SGPRS / AMD_LANES);
    a->lds = rows_of(w, w->lds, AMD_LDS_BYTES / (4 * AMD_LANES));
    a->decision = rows_of(w, w->scratch, AMD_UNITS);
    a->address = rows_of(w, w->scratch + AMD_UNITS * AMD_LANES, AMD_UNITS);
    a->address_high = rows_of(w, w->scratch + 2 * AMD_UNITS * AMD_LANES, AMD_UNITS);
    a->status = rows_of(w, w->scratch + 3 * AMD_UNITS * AMD_LANES, 1);
    memset(w->scratch, 0, sizeof w->scratch);
}

static void set_memory(struct wave *w, uint8_t *at)
{
    w->amd.memory = rows_of(w, at ? (uint32_t *)(void *)at : w->nothing, GCN_PAGE / (4 * AMD_LANES));
}

/*
 * Resolves the addresses of an instruction. The model's memory is one page, so this function finds the page
 * that the instruction accesses and gives it to the model. Other lanes may access partially resident ranges.
 * A second page of memory is an error; no program accesses one. Returns NULL, or what is wrong.
 */
static const char *resolve(struct wave *w)
{
    const struct buffer_kernels *kernels = buffer_kernels();
    struct buffer_plan *p = &w->plan;
    struct buffer_lanes *l = &w->lanes;
    const uint64_t space = (UINT64_C(1) << 48) - 1;
    uint64_t base = p->base, page = (base + p->soffset) & space & ~(uint64_t)(GCN_PAGE - 1);
    for (unsigned try = 0; try < 3; try++) {
        uint8_t *at = NULL;
        uint64_t other = 0;
        bool done = false, elsewhere = false;
        if (w->m->page(w->m->context, page, &at) != GCN_MEMORY)
            at = NULL;
        set_memory(w, at);
        p->base = base - page;
        kernels->resolve(&w->amd, p, l);
        for (unsigned k = 0; k < p->units; k++)
            for (unsigned n = 0; n < AMD_LANES; n++) {
                if (l->decision[k][n] != AMD_DONE && l->decision[k][n] != AMD_NOT_RESIDENT)
                    continue;
                uint64_t va = (page + l->address[k][n]) & space, its = va & ~(uint64_t)(GCN_PAGE - 1);
                uint8_t *ignored;
                enum gcn_mapping m = w->m->page(w->m->context, its, &ignored);
                if (m == GCN_FAULT)
                    return "a fault of virtual memory";
                done |= l->decision[k][n] == AMD_DONE;
                if (m == GCN_MEMORY && its != page) {
                    other = its;
                    elsewhere = true;
                } else if (l->decision[k][n] == AMD_DONE && !at) {
                    l->decision[k][n] = AMD_NOT_RESIDENT;
                }
            }
        if (!elsewhere)
            return NULL;
        if (done && at)
            return "an instruction that accesses two pages, which this stand-in cannot run";
        page = other;
    }
    return "an instruction that accesses pages far apart";
}

static void move_data(struct wave *w, const struct amd_insn *i)
{
    const struct buffer_kernels *kernels = buffer_kernels();
    struct buffer_plan *p = &w->plan;
    if (p->atomic)
        buffer_atomic(&w->amd, p, &w->lanes);
    else if (i->op->kind == AMD_STORE || i->op->kind == AMD_STORE_LDS)
        kernels->store(&w->amd, p, &w->lanes);
    else
        kernels->load(&w->amd, p, &w->lanes);
    if (p->atomic && i->glc && w->m->atomics_return_odd && i->op->atomic == AMD_ATOMIC_ADD)
        for (unsigned n = 0; n < AMD_LANES; n++)
            if (active(w, n) && w->lanes.decision[0][n] == AMD_DONE)
                w->vgpr[i->vdata][n] ^= 1;
}

static void note_status(struct wave *w)
{
    const uint32_t *status = w->amd.status.value;
    w->trapsts |= status[AMD_STATUS_MEM_VIOL] << TRAPSTS_MEM_VIOL | status[AMD_STATUS_BUFFER_OOB]
                                                                        << TRAPSTS_BUFFER_OOB;
}

static const char *run_buffer(struct wave *w, const struct amd_insn *i)
{
    const struct buffer_kernels *kernels = buffer_kernels();
    struct buffer_plan *p = &w->plan;
    struct buffer_lanes *l = &w->lanes;
    if (i->op->kind == AMD_CACHE)
        return NULL;
    enter_model(w);
    set_memory(w, NULL);
    if (buffer_prepare(&w->amd, i, p))
        return "a buffer instruction that no document defines";
    if (p->effect == BUFFER_UNTOUCHED)
        return NULL;
    l->zeroed = 0;
    if (p->effect == BUFFER_MOVES) {
        if (kernels->operands(&w->amd, p, l))
            return "an address in a register that the wave does not have";
        const char *wrong = resolve(w);
        if (wrong)
            return wrong;
    } else {
        for (unsigned k = 0; k < AMD_UNITS; k++)
            for (unsigned n = 0; n < AMD_LANES; n++)
                l->decision[k][n] = w->amd.exec >> n & 1 ? AMD_NOTHING : AMD_INACTIVE;
        l->any_in_pieces = false;
        l->plain = 0;
        l->zeroed = p->unbound_by_selector ? 0 : UINT64_MAX;
        p->units = p->units ? p->units : 1;
    }
    move_data(w, i);
    for (unsigned k = 0; k < p->units && p->effect == BUFFER_MOVES; k++)
        kernels->note(&w->amd, l, k, p->unit_bytes);
    note_status(w);
    return w->trapsts >> TRAPSTS_MEM_VIOL & 1 ? "a memory violation, which halts the wave" : NULL;
}

/* ---- scalar loads ---- */

static const char *run_scalar_buffer(struct wave *w, const struct amd_insn *i)
{
    uint32_t *v = &w->sgpr[2 * i->srsrc % AMD_SGPRS], kept[2] = {v[0], v[1]};
    uint64_t base = (uint64_t)(v[1] & 0xFFFF) << 32 | v[0], page = base & ~(uint64_t)(GCN_PAGE - 1);
    uint8_t *at = NULL;
    enum gcn_mapping m = w->m->page(w->m->context, page, &at);
    v[0] = (uint32_t)(base - page); /* the model's memory begins with the page */
    v[1] &= 0xFFFF0000;
    enter_model(w);
    set_memory(w, m == GCN_MEMORY ? at : NULL);
    enum amd_stop stop = buffer_scalar(&w->amd, i);
    for (unsigned k = 0; k < 2; k++)
        if (2 * i->srsrc + k - i->vdata >= i->op->bytes / 4U) /* the load did not overwrite it */
            v[k] = kept[k];
    for (unsigned k = 0; k < i->op->bytes / 4U && !stop; k++) {
        uint32_t decision = w->amd.decision.value[k] & 15;
        bool reached = decision == AMD_DONE || decision == AMD_NOT_RESIDENT;
        uint64_t va = page + ((uint64_t)w->amd.address_high.value[k] << 32 | w->amd.address.value[k]);
        enum gcn_mapping there =
            reached ? w->m->page(w->m->context, va & ~(uint64_t)(GCN_PAGE - 1), &at) : GCN_MEMORY;
        /* on these generations a scalar load from a partially resident page faults (Mesa's ac_gpu_info.c) */
        if (there == GCN_FAULT ||
            (there == GCN_NOTHING && (w->m->generation == AMD_GFX10 || w->m->generation == AMD_GFX11)))
            return "a fault of virtual memory";
    }
    note_status(w);
    return stop ? "a scalar load that no document defines" : NULL;
}

/* Runs a scalar load that has an address instead of a V#. */
static const char *run_scalar_load(struct wave *w, const struct amd_insn *i)
{
    uint32_t first = 2 * i->srsrc;
    uint64_t from = (uint64_t)w->sgpr[first + 1] << 32 | w->sgpr[first];
    int32_t offset = amd_smem_offset(w->m->generation, i);
    if (amd_smem_soffset(w->m->generation, i) >= 0)
        return "a scalar load with an offset in a register";
    for (unsigned k = 0; k < i->op->bytes / 4U; k++) {
        uint32_t value;
        const char *wrong = read_dword(w, from + (uint64_t)(int64_t)offset + 4 * k, &value);
        if (wrong)
            return wrong;
        write_scalar(w, i->vdata + k, value);
    }
    return NULL;
}

/* ---- the wave ---- */

static const char *run_other(struct wave *w, const struct gcn_insn *i)
{
    switch (i->op) {
    case GCN_S_MOV_B64:
        write_scalar(w, i->dst + 1,
                     i->src0 >= GCN_CONSTANT_0 ? 0U - (i->src0 == GCN_MINUS_1)
                                               : read_scalar(w, i->src0 + 1, 0));
        write_scalar(w, i->dst, read_scalar(w, i->src0, i->literal));
        return NULL;
    case GCN_S_MOV_B32:
        write_scalar(w, i->dst, read_scalar(w, i->src0, i->literal));
        return NULL;
    case GCN_S_CMP_LG_U32:
        w->scc = read_scalar(w, i->src0, i->literal) != read_scalar(w, i->src1, i->literal);
        return NULL;
    case GCN_S_GETREG_B32:
        write_scalar(w, i->dst, w->trapsts);
        return i->imm == GCN_TRAPSTS ? NULL : "a hardware register that this stand-in does not have";
    case GCN_V_READLANE_B32:
        write_scalar(w, i->dst,
                     w->vgpr[(i->src0 - GCN_VGPR) % GCN_VGPRS][read_scalar(w, i->src1, 0) % w->l->lanes]);
        return NULL;
    case GCN_V_WRITELANE_B32:
        w->vgpr[i->dst % GCN_VGPRS][read_scalar(w, i->src1, 0) % w->l->lanes] = read_scalar(w, i->src0, 0);
        return NULL;
    case GCN_V_MOV_B32:
    case GCN_V_LSHLREV_B32:
        for_lanes(w, i);
        return NULL;
    case GCN_DS_WRITE_B32:
    case GCN_DS_READ_B32:
        return access_lds(w, i);
    case GCN_S_ENDPGM:
        w->ended = true;
        return NULL;
    case GCN_S_NOP:
    case GCN_S_WAITCNT:
    case GCN_S_WAITCNT_VSCNT:
    case GCN_OPS:
        break; /* this machine takes no time, so waiting does nothing */
    }
    return NULL;
}

static const char *step(struct wave *w)
{
    uint32_t words[2];
    struct amd_insn buffer;
    struct gcn_insn other;
    const char *wrong = read_dword(w, w->pc, &words[0]);
    if (!wrong)
        wrong = read_dword(w, w->pc + 4, &words[1]);
    if (wrong)
        return wrong;
    uint64_t word = (uint64_t)words[1] << 32 | words[0];
    if (w->m->watch)
        w->m->watch(w->m->context, &(struct gcn_view){w->pc, w->exec, w->sgpr,
                                                      (const uint32_t(*)[AMD_LANES])w->vgpr, w->m0});
    if (w->m->never_ends && words[0] == w->m->never_ends)
        return "an instruction that never ends";
    if (amd_decode(w->m->generation, word, &buffer)) {
        w->pc += 8;
        return buffer.op->encoding == AMD_SMEM ? run_scalar_buffer(w, &buffer) : run_buffer(w, &buffer);
    }
    unsigned count = gcn_decode(w->m->generation, words, &other);
    if (count) {
        w->pc += 4 * count;
        return run_other(w, &other);
    }
    if (amd_decode(w->m->generation, word + GCN_S_BUFFER, &buffer) && buffer.op->encoding == AMD_SMEM) {
        w->pc += 8;
        return run_scalar_load(w, &buffer);
    }
    return "an illegal instruction";
}

const char *gcn_run(const struct gcn_machine *m, const struct gcn_launch *l)
{
    static struct wave wave;
    struct wave *w = &wave;
    const char *wrong = NULL;
    w->m = m;
    w->l = l;
    w->pc = l->code;
    w->exec = l->lanes == 64 ? UINT64_MAX : UINT32_MAX;
    w->m0 = w->scc = w->trapsts = 0;
    w->ended = false;
    for (unsigned n = 0; n < AMD_SGPRS; n++)
        w->sgpr[n] = n < l->user_sgprs ? l->user_data[n] : POISON;
    memset(w->vgpr, POISON & 0xFF, sizeof w->vgpr);
    for (unsigned n = 0; n < AMD_LANES; n++)
        w->vgpr[0][n] = n;
    for (unsigned steps = 0; !wrong && !w->ended; steps++)
        wrong = steps < STEPS_MAX ? step(w) : "a program without an end";
    return wrong;
}
