/* SPDX-License-Identifier: MIT */
/*
 * Instructions as text: LLVM's syntax, and what a word says beyond it in
 * braces. This file prints; amd_parse.c reads the same grammar.
 *
 *   line     = (vector | scalar | cache | lds) { modifier } [leftover] | ".quad" 64-bit number
 *   vector   = op vdata "," vaddr "," rsrc "," soffset      MUBUF, MTBUF
 *   lds      = op vaddr "," rsrc "," soffset | "buffer_store_lds_dword" rsrc "," soffset
 *   cache    = op                                           buffer_gl0_inv, buffer_wbinvl1, ...
 *   scalar   = op sdata "," rsrc "," (soffset | 0xHEX)      s_buffer_load_*; 0xHEX: the immediate offset,
 * perhaps with a sign op       = as LLVM 19 calls it on this generation: buffer_load_b32 (GFX11),
 * buffer_load_dword (the others) vdata    = "v" N | "v[" first ":" last "]"              as many as the
 * operation moves, one more with tfe vaddr    = "off" | as vdata                             two with idxen
 * and offen (index first), one with either, else off rsrc     = "s[" first ":" last "]" | "ttmp[" .. "]" |
 * "null"    four, the first a multiple of 4 soffset  = "s" N | "ttmp" N | m0 | null | vcc_lo |
 * src_shared_base ... | -16 .. 64 | 0.5 | -0.5 | 1.0 ... | "src" code modifier = "idxen" | "offen" |
 * "offset:" number | "glc" | "slc" | "dlc" | "tfe" | "lds" | "format:" format     in any order, each once
 *   format   = number | "[" name { "," name } "]"           BUF_FMT_32_FLOAT (GFX10, GFX11);
 * BUF_DATA_FORMAT_32, BUF_NUM_FORMAT_FLOAT; left out: 8_UNORM leftover = "{" FIELD "=" number { "," FIELD "="
 * number } "}"    by the names of amd_bit_fields
 *
 * What the text does not say holds the value of amd_insn_canonical. A field of
 * another value (vaddr where neither idxen nor offen is set, bits without a
 * meaning, tfe where LLVM has no text for it) is in the leftover group. A group
 * of registers that has no name, "src[104:107]", stands for its operand codes.
 * So every word has its own text; words that amd_decode refuses are ".quad".
 *
 * Upper and lower case are the same; "//" starts a comment.
 */
#include "model/amd/amd_format.h"
#include "model/amd/encoding/amd_insn.h"
#include "model/amd/encoding/amd_operand.h"

#include <string.h>

enum {
    LINE_MAX_CHARS = 512
}; /* the longest line is below 300: every operand, modifier and field of a word in its longest form */

struct printer {
    char *p;
    enum amd_generation g;
    struct amd_insn said; /* what a reader of the text so far makes of it */
};

static void put(struct printer *o, const char *chars)
{
    char *p = o->p;
    while (*chars)
        *p++ = *chars++;
    o->p = p;
}

static void put_number(struct printer *o, uint64_t value, unsigned base)
{
    char digits[20];
    unsigned n = 0;
    do
        digits[n++] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    while (n > 0)
        *o->p++ = digits[--n];
}

static void put_decimal(struct printer *o, uint32_t value)
{
    put_number(o, value, 10);
}

static void put_signed_hex(struct printer *o, int32_t value)
{
    put(o, value < 0 ? "-0x" : "0x");
    put_number(o, value < 0 ? 0U - (uint32_t)value : (uint32_t)value, 16);
}

/* "v5", "s[8:11]" */
static void put_group(struct printer *o, const char *file, uint32_t first, unsigned count)
{
    put(o, file);
    if (count == 1) {
        put_decimal(o, first);
        return;
    }
    put(o, "[");
    put_decimal(o, first);
    put(o, ":");
    put_decimal(o, first + count - 1);
    put(o, "]");
}

/* `count` scalar registers from an operand code on, as LLVM aligns them; returns the code that the text
 * stands for. */
static uint32_t put_scalars(struct printer *o, uint32_t code, unsigned count)
{
    struct amd_operand operand;
    amd_operand_of(o->g, code, count, &operand);
    if (operand.name) {
        for (const char *c = operand.name; c < operand.name + operand.name_length; c++)
            *o->p++ = *c;
    } else if (operand.constant) {
        put(o, operand.negative ? "-" : "");
        put_decimal(o, operand.number);
    } else {
        put_group(o, operand.file, operand.number, count);
    }
    return operand.code;
}

/* ---- operands ---- */

static void put_vdata(struct printer *o, const struct amd_insn *i)
{
    bool tfe = i->tfe && amd_text_has_tfe(i);
    put_group(o, "v", i->vdata, amd_data_registers(o->g, i) + tfe);
    o->said.vdata = i->vdata;
    o->said.tfe = tfe;
}

static void put_vaddr(struct printer *o, const struct amd_insn *i)
{
    unsigned count = amd_address_registers(i);
    if (count == 0) {
        put(o, "off");
        return;
    }
    put_group(o, "v", i->vaddr, count);
    o->said.vaddr = i->vaddr;
}

static void put_format(struct printer *o, uint32_t code)
{
    o->said.format = code;
    if (code == AMD_TEXT_FORMAT_DEFAULT)
        return;
    put(o, " format:");
    if (o->g == AMD_GFX11 || o->g == AMD_GFX10) {
        const char *name = amd_unified_format_name(o->g, code);
        if (!name) {
            put_decimal(o, code);
            return;
        }
        put(o, "[BUF_FMT_");
        put(o, name);
        put(o, "]");
        return;
    }
    uint32_t data = code & 15, number = code >> 4;
    put(o, "[");
    if (data != AMD_TEXT_FORMAT_DEFAULT) {
        put(o, "BUF_DATA_FORMAT_");
        put(o, amd_layout_names[data]);
        put(o, data == AMD_LAYOUT_RESERVED ? "_15" : "");
        put(o, number ? "," : "");
    }
    if (number) {
        put(o, "BUF_NUM_FORMAT_");
        put(o, amd_number_names[number]);
        put(o, number == AMD_NUMBER_RESERVED ? "_6" : "");
    }
    put(o, "]");
}

static void put_flag(struct printer *o, const char *name, uint32_t value, uint32_t *said)
{
    put(o, value ? name : "");
    *said = value;
}

static void print_vector(struct printer *o, const struct amd_insn *i)
{
    const struct amd_op *op = i->op;
    bool to_lds = amd_to_lds(i);
    put(o, " ");
    if (op->kind != AMD_STORE_LDS) {
        if (!to_lds) {
            put_vdata(o, i);
            put(o, ", ");
        }
        put_vaddr(o, i);
        put(o, ", ");
    }
    o->said.srsrc = put_scalars(o, i->srsrc * 4, 4) / 4;
    put(o, ", ");
    o->said.soffset = put_scalars(o, i->soffset, 1);
    if (op->encoding == AMD_MTBUF)
        put_format(o, i->format);
    if (op->kind != AMD_STORE_LDS) {
        put_flag(o, " idxen", i->idxen, &o->said.idxen);
        put_flag(o, " offen", i->offen, &o->said.offen);
    }
    if (i->offset) {
        put(o, " offset:");
        put_decimal(o, i->offset);
        o->said.offset = i->offset;
    }
    if (op->kind == AMD_STORE_LDS) /* where LLVM has it */
        put_flag(o, " lds", i->lds, &o->said.lds);
    put_flag(o, " glc", i->glc, &o->said.glc);
    put_flag(o, " slc", i->slc, &o->said.slc);
    if (amd_text_has_dlc(o->g, i))
        put_flag(o, " dlc", i->dlc, &o->said.dlc);
    put(o, o->said.tfe ? " tfe" : "");
    if (op->kind == AMD_LOAD && op->lds_bit)
        put_flag(o, " lds", i->lds, &o->said.lds);
}

static void print_scalar(struct printer *o, const struct amd_insn *i)
{
    int soffset = amd_smem_soffset(o->g, i);
    int32_t offset = amd_smem_offset(o->g, i);
    bool old = o->g == AMD_GFX8 || o->g == AMD_GFX9;
    put(o, " ");
    o->said.vdata = put_scalars(o, i->vdata, amd_data_registers(o->g, i));
    put(o, ", ");
    o->said.srsrc = put_scalars(o, i->srsrc * 2, 4) / 2;
    put(o, ", ");
    if (soffset < 0) {
        if (old || offset) /* LLVM: no offset at all is the register null */
            put_signed_hex(o, offset);
        else
            put(o, "null");
    } else {
        put_scalars(o, (uint32_t)soffset, 1);
        if (offset || (i->soffset_en && i->imm)) {
            put(o, " offset:");
            put_signed_hex(o, offset);
        }
    }
    amd_text_say_scalar_offset(o->g, soffset, offset, old && i->imm, &o->said);
    put_flag(o, " glc", i->glc, &o->said.glc);
    put_flag(o, " dlc", i->dlc, &o->said.dlc);
}

/* The fields whose values the text so far does not imply. */
static void print_leftover(struct printer *o, uint64_t word)
{
    uint64_t differ = word ^ amd_encode(o->g, &o->said);
    const char *before = " {";
    if (differ == 0)
        return;
    for (const struct bit_field *f = amd_bit_fields(o->g, word); f->name; f++) {
        uint64_t mask = (UINT64_C(1) << f->width) - 1;
        if (((differ >> f->low) & mask) == 0)
            continue;
        put(o, before);
        before = ", ";
        put(o, f->name);
        put(o, "=");
        put_number(o, (word >> f->low) & mask, 10);
    }
    put(o, "}");
}

void amd_print(enum amd_generation g, uint64_t word, struct text *t)
{
    char line[LINE_MAX_CHARS];
    struct printer o = {.p = line, .g = g};
    struct amd_insn i;
    if (amd_decode(g, word, &i)) {
        amd_insn_canonical(g, i.op, &o.said);
        put(&o, amd_op_name(g, i.op));
        if (i.op->encoding == AMD_SMEM)
            print_scalar(&o, &i);
        else if (i.op->kind != AMD_CACHE)
            print_vector(&o, &i);
        print_leftover(&o, word);
    } else {
        put(&o, ".quad 0x");
        for (unsigned digit = 16; digit-- > 0;)
            *o.p++ = "0123456789abcdef"[(word >> (4 * digit)) & 15];
    }
    text_add_chars(t, line, (size_t)(o.p - line));
}
