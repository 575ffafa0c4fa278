/* SPDX-License-Identifier: MIT */
#include "harness/amdgpu/amdgpu_operands.h"

#include "harness/amdgpu/amdgpu_code.h"
#include "harness/amdgpu/amdgpu_wrapper.h"
#include "model/amd/encoding/amd_descriptor.h"

#include <string.h>

/* Is this a field of a V# that the model ignores, but that no case may set on a board? Such a field must be
 * zero, or selects another address translation, faults instead of zeros for unmapped pages, or another kind
 * of memory. */
static bool is_foreign(const char *field)
{
    static const char *const names[] = {"ATC", "HASH_ENABLE",    "HEAP",        "MTYPE",
                                        "NV",  "USER_VM_ENABLE", "USER_VM_MODE"};
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
        if (!strcmp(field, names[n]))
            return true;
    return !strncmp(field, "RESERVED", strlen("RESERVED"));
}

static const struct bit_field *last_word(enum amd_generation g)
{
    return amd_descriptor_word_bits[AMD_DESCRIPTOR_WORDS - 1][g];
}

static uint32_t bits_of(const struct bit_field *f)
{
    return (UINT32_MAX >> (32 - f->width)) << f->low;
}

void amdgpu_operands_make(struct amdgpu_operands *o, enum amd_generation g)
{
    *o = (struct amdgpu_operands){.generation = g};
    for (const struct bit_field *f = last_word(g); f->name; f++)
        if (is_foreign(f->name))
            o->foreign |= bits_of(f);
}

void amdgpu_operands_begin(struct amdgpu_operands *o)
{
    memset(&o->loaded, 0, sizeof o->loaded);
}

static bool refuse(unsigned number, struct error *why, const char *what)
{
    return error_set(why, "instruction %u %s", number, what);
}

/* May our program read this scalar, and does it hold what the case says? */
static bool check_scalar(const struct amdgpu_operands *o, const struct amd_wave *w, unsigned number,
                         uint32_t code, struct error *why)
{
    enum amd_generation g = o->generation;
    uint32_t value;
    enum amd_source source = amd_soffset_source(g, code, &value);
    bool special = (code & ~1U) == GCN_VCC || (code & ~1U) == GCN_EXEC;
    if (source == AMD_SOURCE_RESERVED || (source == AMD_SOURCE_SPECIAL && !special) ||
        (source == AMD_SOURCE_NULL && amd_is_gcn(g)))
        return refuse(number, why, "reads a scalar that is reserved in some document or has unknown content");
    if (code == GCN_EXEC + 1 && w->lanes == 32)
        return refuse(number, why,
                      "reads EXEC_HI in a wave of 32 lanes; documents say only that such waves ignore it");
    if (code == AMDGPU_DESCRIPTOR_SGPR || code == AMDGPU_DESCRIPTOR_SGPR + 1)
        return refuse(number, why, "takes the V#'s base for an offset; on a board the base differs");
    if (code < AMD_SGPRS && o->loaded.sgpr[code / 64] >> code % 64 & 1)
        return refuse(number, why, "takes an offset from a register that an earlier one loads");
    return true;
}

/* May an instruction take its V# from here? */
static bool check_group(const struct amdgpu_operands *o, const struct amd_wave *w, unsigned number,
                        uint32_t first, struct error *why)
{
    uint32_t last = 0;
    if (first % 4 || first + AMD_DESCRIPTOR_WORDS > amd_sgprs(o->generation))
        return refuse(number, why, "does not take its V# from four SGPRs of a program");
    for (unsigned n = first; n < first + AMD_DESCRIPTOR_WORDS; n++)
        if (o->loaded.sgpr[n / 64] >> n % 64 & 1)
            return refuse(number, why, "takes its V# from registers that an earlier one loads");
    (void)amd_scalar_read(w, first + AMD_DESCRIPTOR_WORDS - 1, &last);
    if (!(last & o->foreign))
        return true;
    const struct bit_field *f = last_word(o->generation);
    while (!is_foreign(f->name) || !(last & bits_of(f)))
        f++;
    return error_set(why, "instruction %u has a V# with %s set, which may change more than addresses", number,
                     f->name);
}

/* GFX8, GFX9: does a field hold an offset though IMM and SOFFSET_EN say that it is unused? OFFSET can hold
 * the code of a register, in 7 bits. */
static bool has_unused_offset(const struct amdgpu_operands *o, const struct amd_insn *i)
{
    uint32_t unused = i->imm ? 0 : i->soffset_en ? i->offset : i->offset >> 7;
    return amd_is_gcn(o->generation) && (unused || (!i->soffset_en && i->soffset));
}

static bool check_scalar_load(const struct amdgpu_operands *o, const struct amd_wave *w, unsigned number,
                              const struct amd_insn *i, struct error *why)
{
    unsigned count = i->op->bytes / 4U, group = count < 4 ? count : 4;
    int soffset = amd_smem_soffset(o->generation, i);
    if (i->op->kind != AMD_LOAD)
        return refuse(number, why, "is a scalar store or atomic, which no proof covers");
    if (has_unused_offset(o, i))
        return refuse(number, why, "sets scalar operands that it does not have");
    if (!check_group(o, w, number, 2 * i->srsrc, why) ||
        (soffset >= 0 && !check_scalar(o, w, number, (uint32_t)soffset, why)))
        return false;
    if (i->vdata % group || (i->vdata + count > amd_sgprs(o->generation) &&
                             (i->vdata < GCN_VCC || i->vdata + count > GCN_VCC + 2)))
        return refuse(number, why, "does not load into SGPRs of a program");
    if (o->loaded.stale)
        return refuse(number, why,
                      "loads through the scalar cache, which may still hold data from before an earlier one "
                      "stored");
    return true;
}

static bool check_vector(const struct amdgpu_operands *o, const struct amd_wave *w, unsigned number,
                         const struct amd_insn *i, struct error *why)
{
    unsigned data = amd_data_registers(o->generation, i), most = w->vgprs;
    bool lds = amd_to_lds(i) || i->op->kind == AMD_STORE_LDS;
    uint64_t address = ((UINT64_C(1) << amd_address_registers(i)) - 1) << (i->vaddr & 63);
    if (i->lds && !i->op->lds_bit)
        return refuse(number, why, "has the LDS bit but no form with it");
    if (i->op->kind == AMD_STORE_LDS && !i->lds) /* LLVM does not decode it */
        return refuse(number, why, "lacks the LDS bit, which all documents set");
    if ((lds && i->vdata) || (i->op->kind == AMD_STORE_LDS && (i->offen || i->idxen || i->vaddr)))
        return refuse(number, why, "sets vector operands that it does not have");
    if (lds && i->tfe)
        return refuse(number, why, "has TFE but no register for it");
    if (data && i->op->format && i->op->components > data)
        data = i->op->components; /* clause gfx8-d16-unpacked: one register for each component */
    if ((!lds && i->vdata + data + i->tfe > most) || i->vaddr + amd_address_registers(i) > most)
        return refuse(number, why, "names vector registers beyond the case's, which our program uses");
    if (address & o->loaded.vgpr)
        return refuse(number, why, "takes an address from a register that an earlier one loads");
    return check_group(o, w, number, 4 * i->srsrc, why) && check_scalar(o, w, number, i->soffset, why);
}

bool amdgpu_operands_check(const struct amdgpu_operands *o, const struct amd_wave *w, unsigned number,
                           const struct amd_insn *i, struct error *why)
{
    return i->op->encoding == AMD_SMEM ? check_scalar_load(o, w, number, i, why)
                                       : check_vector(o, w, number, i, why);
}

void amdgpu_operands_note(struct amdgpu_operands *o, const struct amd_insn *i)
{
    struct amdgpu_loaded *l = &o->loaded;
    unsigned data = amd_data_registers(o->generation, i);
    bool loads = i->op->kind == AMD_LOAD || (i->op->kind == AMD_ATOMIC && i->glc);
    if (i->op->encoding == AMD_SMEM) {
        for (unsigned n = i->vdata; n < i->vdata + data; n++)
            l->sgpr[n / 64] |= UINT64_C(1) << n % 64;
        l->scalar = true;
        return;
    }
    if (data && i->op->format)
        data = i->op->components;
    if (loads || i->tfe) /* no document says where TFE's word goes if nothing is loaded */
        l->vgpr |= ((UINT64_C(1) << (data + i->tfe)) - 1) << i->vdata;
    l->stale |= l->scalar && i->op->kind != AMD_LOAD;
}
