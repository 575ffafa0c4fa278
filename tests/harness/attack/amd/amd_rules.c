/* SPDX-License-Identifier: MIT */
/*
 * Checks the rules of docs/amd-gpu.md that running an accepted case in the model or on gcn_machine.h cannot
 * check, because no document says what silicon would do. Does not share code with the verifier.
 */
#include "tests/harness/attack/amd/amd_attack.h"

#include "harness/amdgpu/amdgpu_code.h"

#include <stdio.h>

/* What the check knows after some of the case's instructions. */
struct known {
    const struct amd_case *c;
    bool old; /* GFX8, GFX9 */
    bool loaded_sgpr[AMD_SGPRS], loaded_vgpr[256];
    bool scalar, stored_since; /* the case had a scalar load; after it, it had a store */
};

static const char *check_scalar(const struct known *f, uint32_t code)
{
    const uint32_t sgprs = f->old ? 102 : 106;
    if (code == GCN_EXEC + 1 && f->c->wave_size == AMD_WAVE32)
        return "EXEC_HI of a wave of 32 lanes is an offset";
    if (code == AMDGPU_DESCRIPTOR_SGPR || code == AMDGPU_DESCRIPTOR_SGPR + 1)
        return "the moved BASE is an offset";
    if (code < AMD_SGPRS && f->loaded_sgpr[code])
        return "a loaded scalar is an offset";
    if (code < sgprs || (code >= GCN_VCC && code < GCN_VCC + 2) || (code >= GCN_EXEC && code <= 208))
        return NULL;
    if (code == amd_m0(f->c->generation) || (code >= 240 && code <= 248))
        return NULL;
    return !f->old && (code == 124 || code == 125) ? NULL : "a scalar with unknown content is an offset";
}

static const char *check_group(const struct known *f, uint32_t first)
{
    for (uint32_t n = first; n < first + AMD_DESCRIPTOR_WORDS; n++)
        if (n >= (f->old ? 102U : 106U) || f->loaded_sgpr[n])
            return "a V# is in registers that are loaded, or that no program has";
    return first % 4 ? "a V# does not begin at a group of four registers" : NULL;
}

static const char *check_scalar_load(struct known *f, const struct amd_insn *i)
{
    enum amd_generation g = (enum amd_generation)f->c->generation;
    int soffset = amd_smem_soffset(g, i);
    uint32_t count = i->op->bytes / 4U, end = i->vdata + count;
    const char *wrong = check_group(f, 2 * i->srsrc);
    if (!wrong && soffset >= 0)
        wrong = check_scalar(f, (uint32_t)soffset);
    if (!wrong && f->old && !i->imm && i->offset >> 7 && !i->soffset_en)
        wrong = "OFFSET has bits set above the number of its register";
    if (!wrong && g == AMD_GFX9 && !i->soffset_en && i->soffset)
        wrong = "SOFFSET is set but not enabled";
    if (!wrong && g == AMD_GFX9 && i->soffset_en && !i->imm && i->offset)
        wrong = "OFFSET is set but not enabled";
    if (!wrong && end > (f->old ? 102U : 106U) && (i->vdata < GCN_VCC || end > GCN_VCC + 2))
        wrong = "a scalar load writes registers that no program has";
    if (!wrong && f->stored_since)
        wrong = "a scalar load after a store, through a cache that may hold older data";
    for (uint32_t n = i->vdata; n < end && !wrong; n++)
        f->loaded_sgpr[n] = true;
    f->scalar = true;
    return wrong;
}

static const char *check_vector(struct known *f, const struct amd_insn *i)
{
    bool lds = amd_to_lds(i) || i->op->kind == AMD_STORE_LDS;
    bool returns = i->op->kind == AMD_LOAD || (i->op->kind == AMD_ATOMIC && i->glc) || i->tfe;
    bool two = i->op->kind == AMD_ATOMIC &&
               (i->op->atomic == AMD_ATOMIC_CMPSWAP || i->op->atomic == AMD_ATOMIC_FCMPSWAP);
    uint32_t registers = lds ? 0 : i->op->components * (two ? 2U : 1U) + i->tfe;
    const char *wrong = check_group(f, 4 * i->srsrc);
    if (!wrong)
        wrong = check_scalar(f, i->soffset);
    if (!wrong && i->op->kind == AMD_STORE_LDS && !i->lds)
        wrong = "a store from LDS without the LDS bit";
    if (!wrong && i->lds && !i->op->lds_bit)
        wrong = "the LDS bit on an instruction without an LDS form";
    for (uint32_t n = i->vaddr; n < i->vaddr + i->idxen + i->offen && !wrong; n++)
        wrong = n >= f->c->vgprs    ? "an address is in a register that the case does not have"
                : f->loaded_vgpr[n] ? "a loaded register is an address"
                                    : NULL;
    if (!wrong && registers && i->vdata + registers > f->c->vgprs)
        wrong = "data is in registers that the case does not have";
    for (uint32_t n = i->vdata; n < i->vdata + registers && returns && !wrong; n++)
        f->loaded_vgpr[n] = true;
    f->stored_since = f->stored_since || (f->scalar && i->op->kind != AMD_LOAD);
    return wrong;
}

bool amd_attack_rules(const struct amd_case *c, char why[ATTACK_WHY])
{
    struct known f = {.c = c, .old = c->generation == AMD_GFX8 || c->generation == AMD_GFX9};
    const char *wrong = f.old && c->wave_size == AMD_WAVE32 ? "a wave of 32 lanes" : NULL;
    for (uint32_t n = 0; n < c->insn_count && !wrong; n++) {
        struct amd_insn i;
        if (!amd_decode((enum amd_generation)c->generation, (uint64_t)c->insn[n][1] << 32 | c->insn[n][0],
                        &i))
            wrong = "a word that no document defines";
        else if (i.unused)
            wrong = "bits that no document defines";
        else if (i.op->encoding == AMD_SMEM)
            wrong = check_scalar_load(&f, &i);
        else if (i.op->kind != AMD_CACHE)
            wrong = check_vector(&f, &i);
    }
    if (wrong)
        (void)snprintf(why, ATTACK_WHY, "rule: %s", wrong);
    return !wrong;
}
