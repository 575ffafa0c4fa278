/* SPDX-License-Identifier: MIT */
#include "model/amd/encoding/amd_operand.h"

#include "model/text/reader.h"

#include <string.h>

enum { CODES = 256 };

/* Names of operand codes, as LLVM 19 has them. */
#define FROM_235                                                                                             \
    [235] = "src_shared_base", [236] = "src_shared_limit", [237] = "src_private_base",                       \
    [238] = "src_private_limit", [239] = "src_pops_exiting_wave_id", [240] = "0.5", [241] = "-0.5",          \
    [242] = "1.0", [243] = "-1.0", [244] = "2.0", [245] = "-2.0", [246] = "4.0", [247] = "-4.0",             \
    [248] = "0.15915494", [251] = "src_vccz", [252] = "src_execz", [253] = "src_scc"
#define VCC_AND_EXEC [106] = "vcc_lo", [107] = "vcc_hi", [126] = "exec_lo", [127] = "exec_hi"
#define BEFORE_VCC                                                                                           \
    [102] = "flat_scratch_lo", [103] = "flat_scratch_hi", [104] = "xnack_mask_lo", [105] = "xnack_mask_hi"

static const char *const gfx11_names[CODES] = {VCC_AND_EXEC, [124] = "null", [125] = "m0", FROM_235};
static const char *const gfx10_names[CODES] = {VCC_AND_EXEC, [124] = "m0", [125] = "null", FROM_235};
static const char *const gfx9_names[CODES] = {BEFORE_VCC, VCC_AND_EXEC, [124] = "m0", [125] = "null",
                                              FROM_235};
static const char *const gfx8_names[CODES] = {
    BEFORE_VCC,       VCC_AND_EXEC, [108] = "tba_lo", [109] = "tba_hi", [110] = "tma_lo",
    [111] = "tma_hi", [124] = "m0", [125] = "null",   FROM_235};

static const struct scalar_file {
    const char *const *names;
    uint32_t group_end;   /* GFX8, GFX9: the last two of s[100:103] are flat_scratch */
    uint32_t ttmp, ttmps; /* first code and how many */
} files[AMD_GENERATIONS] = {
    [AMD_GFX11] = {gfx11_names, 106, 108, 16}, [AMD_GFX10] = {gfx10_names, 106, 108, 16},
    [AMD_GFX9] = {gfx9_names, 104, 108, 16},   [AMD_GFX8] = {gfx8_names, 104, 112, 12},
    [AMD_GFX90A] = {gfx9_names, 104, 108, 16}, [AMD_GFX942] = {gfx9_names, 104, 108, 16},
    [AMD_GFX12] = {gfx11_names, 106, 108, 16},
};

/* The length of a name without its "_lo"; 0 if it has none. */
static size_t pair_length(const char *name)
{
    const char *lo = name ? strstr(name, "_lo") : NULL;
    return lo && !lo[3] ? (size_t)(lo - name) : 0;
}

void amd_operand_of(enum amd_generation g, uint32_t code, unsigned count, struct amd_operand *o)
{
    const struct scalar_file *f = &files[g];
    uint32_t aligned = count >= 3 ? code & ~3U : count == 2 ? code & ~1U : code;
    *o = (struct amd_operand){.code = code, .file = "src", .number = code};
    if (code == amd_null(g) || (count == 1 && f->names[code])) {
        o->name = f->names[code];
        o->name_length = (unsigned)strlen(o->name);
    } else if (count == 2 && (o->name_length = (unsigned)pair_length(f->names[code])) > 0) {
        o->name = f->names[code];
    } else if (code < amd_sgprs(g) && aligned + count <= f->group_end) {
        *o = (struct amd_operand){.code = aligned, .file = "s", .number = aligned};
    } else if (aligned >= f->ttmp && aligned + count <= f->ttmp + f->ttmps) {
        *o = (struct amd_operand){.code = aligned, .file = "ttmp", .number = aligned - f->ttmp};
    } else if (count == 1 && code >= 128 && code <= 208) {
        o->constant = true;
        o->negative = code > 192;
        o->number = code > 192 ? code - 192 : code - 128;
    }
}

int amd_operand_named(enum amd_generation g, const char *name, unsigned count)
{
    const struct scalar_file *f = &files[g];
    for (int code = 0; code < CODES; code++) {
        if (!f->names[code])
            continue;
        if ((count == 1 || (uint32_t)code == amd_null(g)) && reader_same(f->names[code], name))
            return code;
        size_t length = count == 2 ? pair_length(f->names[code]) : 0;
        if (length > 0 && strlen(name) == length && !memcmp(name, f->names[code], length))
            return code;
    }
    return -1;
}

int amd_operand_register(enum amd_generation g, const char *file, uint32_t number, unsigned count)
{
    const struct scalar_file *f = &files[g];
    if (reader_same(file, "src"))
        return number < CODES ? (int)number : -1;
    bool s = reader_same(file, "s");
    if ((!s && !reader_same(file, "ttmp")) || number >= CODES || (s && number >= amd_sgprs(g)) ||
        number + count > (s ? f->group_end : f->ttmps))
        return -1;
    return (int)(s ? number : f->ttmp + number);
}

const char *amd_operand_name_at(enum amd_generation g, unsigned i)
{
    return i >= CODES ? NULL : files[g].names[i] ? files[g].names[i] : "-";
}

void amd_text_set_scalar_offset(enum amd_generation g, int soffset, int32_t offset, bool immediate,
                                struct amd_insn *i)
{
    i->offset = (uint32_t)offset & (g == AMD_GFX12 ? 0xFFFFFF : g == AMD_GFX8 ? 0xFFFFF : 0x1FFFFF);
    if (!amd_is_gcn(g)) {
        i->soffset = soffset < 0 ? amd_null(g) : (uint32_t)soffset;
        return;
    }
    i->imm = soffset < 0 || immediate;
    i->soffset_en = soffset >= 0 && immediate;
    if (i->soffset_en)
        i->soffset = (uint32_t)soffset;
    else if (soffset >= 0) /* OFFSET holds the register's code */
        i->offset = (uint32_t)soffset;
}

/* ---- GFX12's cache policies ---- */

const char *const amd_scope_names[4] = {"SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"};

enum { SCOPE_DEV = 2, SCOPE_SYS = 3, TH_LAST_USE = 3, THS = 8 };
static const char *const load_names[THS] = {"TH_LOAD_RT",    "TH_LOAD_NT",    "TH_LOAD_HT",    "TH_LOAD_LU",
                                            "TH_LOAD_NT_RT", "TH_LOAD_RT_NT", "TH_LOAD_NT_HT", NULL};
static const char *const store_names[THS] = {"TH_STORE_RT",    "TH_STORE_NT",    "TH_STORE_HT",
                                             "TH_STORE_RT_WB", "TH_STORE_NT_RT", "TH_STORE_RT_NT",
                                             "TH_STORE_NT_HT", "TH_STORE_NT_WB"};
static const char *const atomic_names[THS] = {"TH_ATOMIC_RT", "TH_ATOMIC_RETURN", "TH_ATOMIC_NT",
                                              "TH_ATOMIC_NT_RETURN"};

static const char *const *th_names(const struct amd_op *op)
{
    return op->kind == AMD_ATOMIC ? atomic_names : op->kind == AMD_STORE ? store_names : load_names;
}

/* From SCOPE_DEV on, LLVM prints one name for the values 4 and 5 of an atomic, and one for 6 and 7. Its
 * assembler reads these names as 4 and 6. */
const char *amd_th_name(const struct amd_op *op, uint32_t th, uint32_t scope)
{
    if (op->kind != AMD_ATOMIC && th == TH_LAST_USE && scope == SCOPE_SYS)
        return op->kind == AMD_STORE ? "TH_STORE_BYPASS" : "TH_LOAD_BYPASS";
    if (op->kind == AMD_ATOMIC && scope >= SCOPE_DEV && th >= 4)
        return th < 6 ? "TH_ATOMIC_CASCADE_RT" : "TH_ATOMIC_CASCADE_NT";
    return th_names(op)[th];
}

int amd_th_named(const struct amd_op *op, const char *name)
{
    const char *const *names = th_names(op);
    for (int th = 0; th < THS; th++)
        if (names[th] && names_equal(names[th], name))
            return th;
    if (op->kind == AMD_ATOMIC)
        return names_equal(name, "TH_ATOMIC_CASCADE_RT")   ? 4
               : names_equal(name, "TH_ATOMIC_CASCADE_NT") ? 6
                                                           : -1;
    return names_equal(name, op->kind == AMD_STORE ? "TH_STORE_BYPASS" : "TH_LOAD_BYPASS") ? TH_LAST_USE : -1;
}
