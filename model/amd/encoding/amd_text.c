/* SPDX-License-Identifier: MIT */
/*
 * Prints instructions in LLVM's syntax. Braces hold the fields that this syntax cannot express. amd_parse.c
 * reads the same text.
 *
 *   line     = ((vector | scalar | cache | lds) { modifier } [leftover] | ".quad" 64-bit number)
 *              [ ".long" 32-bit number ]      the last word of a case's three, where the instruction has two
 *   vector   = op vdata "," vaddr "," rsrc "," soffset                            MUBUF, MTBUF
 *   lds      = op vaddr "," rsrc "," soffset | "buffer_store_lds_dword" rsrc "," soffset
 *   cache    = op                                  buffer_gl0_inv, buffer_wbinvl1, ...
 *                                                  gfx942: buffer_wbl2, buffer_inv with sc0, sc1
 *   scalar   = op sdata "," rsrc "," (soffset | ["-"] 0xHEX)     s_buffer_load_*; 0xHEX: immediate offset
 *   op       = LLVM 19's name on this generation: buffer_load_b32 (GFX11), buffer_load_dword (the others)
 *   vdata    = "v" N | "v[" first ":" last "]"       as many as the operation moves, one more with tfe;
 *                                                    gfx90a, gfx942: also "a", accumulation registers
 *   vaddr    = "off" | as vdata                      two with idxen and offen (index first), one with either
 *   rsrc     = "s[" first ":" last "]" | "ttmp[" .. "]" | "null"        four; the first is a multiple of 4
 *   soffset  = "s" N | "ttmp" N | m0 | null | vcc_lo | src_shared_base ... | -16 .. 64 | 0.5 | -0.5 | 1.0 ...
 *            | "src" code
 *   modifier = "idxen" | "offen" | "offset:" number | "glc" | "slc" | "dlc" | "tfe" | "lds" |
 *              "th:" name | "scope:" name (GFX12, for glc, slc, dlc) |
 *              "scc" (gfx90a) | "sc0" | "nt" | "sc1" (gfx942, for glc, slc, scc) |
 *              "format:" format                      in any order, each once
 *   format   = number | "[" name { "," name } "]"    BUF_FMT_32_FLOAT (GFX10, GFX11);
 *              BUF_DATA_FORMAT_32, BUF_NUM_FORMAT_FLOAT; left out: 8_UNORM
 *   leftover = "{" FIELD "=" number { "," FIELD "=" number } "}"        by the names of amd_bit_fields
 *
 * The parser reads what else LLVM reads: old names on GFX11 (buffer_load_dword), v[5], [s8,s9,s10,s11],
 * expressions as numbers (10+6, 0x10), the bits of a constant (0x3f000000 for 0.5), a format before soffset
 * ("format:22, s3"; GFX8 and GFX9: "dfmt:4, nfmt:7, s3"), and both halves of a format on GFX10 and GFX11.
 *
 * A field that the text does not mention has amd_insn_canonical's value. The leftover group gives a field of
 * another value (VADDR with neither idxen nor offen, bits without a meaning, TFE where LLVM has no text for
 * it). "src[104:107]" gives the operand codes of a group of registers without a name. So every word has its
 * own text; words that amd_decode refuses are ".quad".
 *
 * Upper and lower case are the same. ";" and "//" start comments; those of C can also lie within the line.
 */
#include "model/amd/encoding/amd_format.h"
#include "model/amd/encoding/amd_insn.h"
#include "model/amd/encoding/amd_operand.h"

#include <inttypes.h>

struct printer {
    struct text *t;
    enum amd_generation g;
    struct amd_insn said; /* the instruction that the text so far stands for */
};

/* "v5", "s[8:11]" */
static void put_group(struct printer *o, const char *file, uint32_t first, unsigned count)
{
    if (count == 1)
        text_add(o->t, "%s%" PRIu32, file, first);
    else
        text_add(o->t, "%s[%" PRIu32 ":%" PRIu32 "]", file, first, first + count - 1);
}

/* Prints `count` scalar registers from an operand code on, aligned as LLVM aligns them. Returns the code that
 * the text stands for. */
static uint32_t put_scalars(struct printer *o, uint32_t code, unsigned count)
{
    struct amd_operand operand;
    amd_operand_of(o->g, code, count, &operand);
    if (operand.name)
        text_add_chars(o->t, operand.name, operand.name_length);
    else if (operand.constant)
        text_add(o->t, "%s%" PRIu32, operand.negative ? "-" : "", operand.number);
    else
        put_group(o, operand.file, operand.number, count);
    return operand.code;
}

static void put_hex_offset(struct printer *o, const char *before, int32_t offset)
{
    text_add(o->t, "%s%s0x%" PRIx32, before, offset < 0 ? "-" : "",
             offset < 0 ? 0U - (uint32_t)offset : (uint32_t)offset);
}

/* ---- operands ---- */

static void put_vdata(struct printer *o, const struct amd_insn *i)
{
    bool tfe = i->tfe && amd_text_has_tfe(i);
    put_group(o, i->vdata & AMD_ACC ? "a" : "v", i->vdata % AMD_ACC, amd_data_registers(o->g, i) + tfe);
    o->said.vdata = i->vdata;
    o->said.tfe = tfe;
}

static void put_vaddr(struct printer *o, const struct amd_insn *i)
{
    unsigned count = amd_address_registers(i);
    if (count == 0) {
        text_add(o->t, "off");
        return;
    }
    put_group(o, "v", i->vaddr, count);
    o->said.vaddr = i->vaddr;
}

static void put_format(struct printer *o, uint32_t code)
{
    uint32_t data = code & 15, number = code >> 4;
    o->said.format = code;
    if (code == AMD_FORMAT_DEFAULT)
        return;
    text_add(o->t, " format:");
    if (!amd_is_gcn(o->g)) {
        const char *name = amd_unified_format_name(o->g, code);
        if (name)
            text_add(o->t, "[BUF_FMT_%s]", name);
        else
            text_add(o->t, "%" PRIu32, code);
        return;
    }
    text_add(o->t, "[");
    if (data != AMD_FORMAT_DEFAULT)
        text_add(o->t, "BUF_DATA_FORMAT_%s%s%s", amd_layout_names[data],
                 data == AMD_LAYOUT_RESERVED ? "_15" : "", number ? "," : "");
    if (number)
        text_add(o->t, "BUF_NUM_FORMAT_%s%s", amd_number_names[number],
                 number == AMD_NUMBER_RESERVED ? "_6" : "");
    text_add(o->t, "]");
}

static void put_flag(struct printer *o, const char *name, uint32_t value, uint32_t *said)
{
    text_add(o->t, "%s", value ? name : "");
    *said = value;
}

/* GFX12: TH and SCOPE, if they are not 0. */
static void put_policy(struct printer *o, const struct amd_insn *i)
{
    uint32_t th = i->glc | i->th << 1;
    const char *name = amd_th_name(i->op, th, i->scope);
    bool said = th && (i->op->kind != AMD_ATOMIC || th < 4 || i->scope < 2 || th % 2 == 0);
    if (th && name)
        text_add(o->t, " th:%s", name);
    else if (th)
        text_add(o->t, i->op->kind == AMD_ATOMIC ? " th:TH_ATOMIC_0x%x" : " th:0x%x", th);
    if (i->scope)
        text_add(o->t, " scope:%s", amd_scope_names[i->scope]);
    o->said.glc = said ? i->glc : 0;
    o->said.th = i->th;
    o->said.scope = i->scope;
}

/* Prints the cache flags, for which gfx942 has its own names. */
static void put_cache_flags(struct printer *o, const struct amd_insn *i)
{
    bool sc = o->g == AMD_GFX942;
    if (o->g == AMD_GFX12) {
        put_policy(o, i);
        return;
    }
    put_flag(o, sc ? " sc0" : " glc", i->glc, &o->said.glc);
    put_flag(o, sc ? " nt" : " slc", i->slc, &o->said.slc);
    if (amd_text_has_dlc(o->g, i))
        put_flag(o, " dlc", i->dlc, &o->said.dlc);
    if (amd_text_has_scc(o->g, i))
        put_flag(o, sc ? " sc1" : " scc", i->scc, &o->said.scc);
}

static void print_vector(struct printer *o, const struct amd_insn *i)
{
    const struct amd_op *op = i->op;
    text_add(o->t, " ");
    if (op->kind != AMD_STORE_LDS) {
        if (!amd_to_lds(i)) {
            put_vdata(o, i);
            text_add(o->t, ", ");
        }
        put_vaddr(o, i);
        text_add(o->t, ", ");
    }
    o->said.srsrc = put_scalars(o, i->srsrc * 4, 4) / 4;
    text_add(o->t, ", ");
    o->said.soffset = put_scalars(o, i->soffset, 1);
    if (op->encoding == AMD_MTBUF)
        put_format(o, i->format);
    if (op->kind != AMD_STORE_LDS) {
        put_flag(o, " idxen", i->idxen, &o->said.idxen);
        put_flag(o, " offen", i->offen, &o->said.offen);
    }
    if (i->offset && o->g == AMD_GFX12)
        text_add(o->t, " offset:%" PRId32, amd_ioffset(i));
    else if (i->offset)
        text_add(o->t, " offset:%" PRIu32, i->offset);
    o->said.offset = i->offset;
    if (op->kind == AMD_STORE_LDS) /* LLVM prints it here */
        put_flag(o, " lds", i->lds, &o->said.lds);
    put_cache_flags(o, i);
    text_add(o->t, "%s", o->said.tfe ? " tfe" : "");
    if (op->kind == AMD_LOAD && op->lds_bit)
        put_flag(o, " lds", i->lds, &o->said.lds);
}

static void print_scalar(struct printer *o, const struct amd_insn *i)
{
    int soffset = amd_smem_soffset(o->g, i);
    int32_t offset = amd_smem_offset(o->g, i);
    text_add(o->t, " ");
    o->said.vdata = put_scalars(o, i->vdata, amd_data_registers(o->g, i));
    text_add(o->t, ", ");
    o->said.srsrc = put_scalars(o, i->srsrc * 2, 4) / 2;
    text_add(o->t, ", ");
    if (soffset >= 0) {
        put_scalars(o, (uint32_t)soffset, 1);
        if (offset || (i->soffset_en && i->imm) || o->g == AMD_GFX12)
            put_hex_offset(o, " offset:", offset);
    } else if (amd_is_gcn(o->g) || offset || o->g == AMD_GFX12) {
        put_hex_offset(o, "", offset);
    } else {
        text_add(o->t, "null"); /* LLVM's text of no offset at all */
    }
    amd_text_set_scalar_offset(o->g, soffset, offset, amd_is_gcn(o->g) && i->imm, &o->said);
    if (o->g == AMD_GFX12) {
        put_policy(o, i);
        return;
    }
    put_flag(o, " glc", i->glc, &o->said.glc);
    put_flag(o, " dlc", i->dlc, &o->said.dlc);
}

/* gfx942's buffer_wbl2 and buffer_inv. */
static void print_scopes(struct printer *o, const struct amd_insn *i)
{
    put_flag(o, " sc0", i->glc, &o->said.glc);
    put_flag(o, " sc1", i->scc, &o->said.scc);
}

/* Prints the fields whose values do not follow from the text so far. */
static void print_leftover(struct printer *o, const uint32_t *words)
{
    uint32_t said[AMD_INSN_WORDS];
    const char *before = " {", *end = "";
    amd_encode_words(o->g, &o->said, said);
    for (const struct bit_field *f = amd_fields_of(o->g, words); f->name; f++) {
        uint32_t mask = UINT32_MAX >> (32 - f->width), value = words[f->low / 32] >> f->low % 32 & mask;
        if (value == (said[f->low / 32] >> f->low % 32 & mask))
            continue;
        text_add(o->t, "%s%s=%" PRIu32, before, f->name, value);
        before = ", ";
        end = "}";
    }
    text_add(o->t, "%s", end);
}

void amd_print_words(enum amd_generation g, const uint32_t *words, struct text *t)
{
    struct printer o = {.t = t, .g = g};
    struct amd_insn i;
    unsigned count = 2;
    if (!amd_decode_words(g, words, &i)) {
        text_add(t, ".quad 0x%016" PRIx64, amd_word(words));
    } else {
        count = amd_insn_words(g, words[0]);
        amd_insn_canonical(g, i.op, &o.said);
        text_add(t, "%s", amd_op_name(g, i.op));
        if (i.op->encoding == AMD_SMEM)
            print_scalar(&o, &i);
        else if (i.op->kind != AMD_CACHE)
            print_vector(&o, &i);
        else if (amd_text_has_scopes(g, i.op))
            print_scopes(&o, &i);
        print_leftover(&o, words);
    }
    if (count < AMD_INSN_WORDS && words[count])
        text_add(t, " .long 0x%08" PRIx32, words[count]);
}

void amd_print(enum amd_generation g, uint64_t word, struct text *t)
{
    uint32_t words[AMD_INSN_WORDS];
    amd_set_word(words, word);
    amd_print_words(g, words, t);
}
