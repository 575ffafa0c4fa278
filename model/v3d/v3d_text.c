/* SPDX-License-Identifier: MIT */
/*
 * Prints instructions in the syntax of Mesa's disassembler. Braces hold the fields that this syntax cannot
 * express. v3d_parse.c reads the same text.
 *
 *   line     = (alu | branch) [leftover] | ".quad" 64-bit number
 *   alu      = part { ";" part }              an ADD half, a MUL half, signals; any may be missing
 *   part     = op { "." suffix } [dst] { "," src } | signal
 *   op       = fadd, mov, ...                 the names of v3d_operations.h
 *   suffix   = ifa ifb ifna ifnb | pushz pushn pushc | andz andnz norz nornz andn ... norc nornc
 *   dst      = (rf0 .. rf63 | magic) ["." ("l" | "h")]
 *   magic    = r0 .. r5 r5rep recip rsqrt exp log sin rsqrt2 (4.2) | quad rep (7.1) |
 *              "-" tlb tlbu unifa tmul tmud tmua tmuau vpm vpmu sync syncu syncb tmuc tmus ... tmuhslod
 *   src      = (rf0 .. rf63 | r0 .. r5 (4.2) | immediate) ["." unpack]
 *   unpack   = abs l h | ff ll hh swp | sat nsat max0 (7.1 fmov) | ul uh il ih (7.1 mov)
 *   immediate= -16 .. 15 | 0x3b800000 .. 0x43000000, or the same as a float: 2.0, a power of two
 *   signal   = thrsw | ldunif | ldunifa | wrtmuc | ucb | "rot." (r5 | -16 .. 15) | smimm_a .. smimm_d
 *            | (ldvary | ldtmu | ldtlb | ldtlbu | ldunifrf | ldunifarf) "." dst
 *   branch   = ("b" | "bu") ["p" | "q"] ["." cond ["p" | "q"]] target ["," uniforms] [";" "link"]
 *   cond     = a0 na0 alla anyna anya allna   p, q: ignore lanes, or quads, whose multisample flags are clear
 *   target   = number (relative) | "zero_addr+" number | "lri" | rf0 .. rf63
 *   uniforms = "a:unif" | "r:unif" | "lri" | rf0 .. rf63       of bu, which also branches the uniforms
 *   leftover = "{" field "=" value { "," field "=" value } "}"
 *
 * A field that the text does not name has v3d_encode's value: the first register of the line is read through
 * the first port, fields without a meaning are 0, a nop writes to "-". The leftover group gives a field of
 * another value. So every word that decodes has its own text.
 *
 * Mesa prints less: nothing for ucb, rot and set_link, and "tmuscm" also for tmuhscm.
 *
 * An operation that both ALUs have is ADD's if that half is still free. Upper and lower case are the same.
 */
#include "model/v3d/v3d_names.h"
#include "model/v3d/v3d_rows.h"

#include <inttypes.h>

/* Columns of the MUL half and of the signals. */
enum { MUL_COLUMN = 30, SIGNAL_COLUMN = 60 };

/* Adds spaces up to a column of the line that began at `start`. */
static void pad(struct text *t, size_t start, size_t column)
{
    while (t->length - start < column)
        text_add_chars(t, " ", 1);
}

static void put_suffix(struct text *t, const char *name)
{
    if (*name)
        text_add(t, ".%s", name);
}

static void put_register(enum v3d_generation g, struct text *t, bool magic, unsigned waddr)
{
    if (magic)
        text_add(t, "%s", v3d_waddr_name(g, waddr));
    else
        text_add(t, "rf%u", waddr);
}

static void put_immediate(struct text *t, unsigned index)
{
    uint32_t value = v3d_immediate(index);
    if (index < 32)
        text_add(t, "%d", index < 16 ? (int)index : (int)index - 32);
    else
        text_add(t, "0x%08" PRIx32, value);
}

static void put_half(enum v3d_generation g, struct text *t, const struct v3d_half *h)
{
    const struct v3d_row *row = &v3d_rows[h->op];
    const char *before = " ";
    text_add(t, "%s", row->name);
    put_suffix(t, v3d_cond_names[h->cond]);
    put_suffix(t, v3d_flags_names[h->flags]);
    if (row->writes) {
        text_add(t, " ");
        put_register(g, t, h->magic, h->waddr);
        put_suffix(t, v3d_pack_names[h->pack]);
        before = ", ";
    }
    for (unsigned n = 0; n < row->sources; n++) {
        const struct v3d_operand *o = &h->src[n];
        text_add(t, "%s", before);
        if (o->kind == V3D_IMMEDIATE)
            put_immediate(t, o->index);
        else
            text_add(t, o->kind == V3D_RF ? "rf%u" : "r%u", (unsigned)o->index);
        put_suffix(t, v3d_unpack_names[o->unpack]);
        before = ", ";
    }
}

/* The signals that the operands do not show. An operand that the operation does not have is no immediate. */
static unsigned unseen_signals(enum v3d_generation g, const struct v3d_insn *i)
{
    const struct v3d_operand *add = i->half[V3D_ADD].src, *mul = i->half[V3D_MUL].src;
    unsigned seen = (add[0].kind == V3D_IMMEDIATE ? V3D_SIG_SMIMM_A : 0U) |
                    (add[1].kind == V3D_IMMEDIATE ? V3D_SIG_SMIMM_B : 0U) |
                    (mul[0].kind == V3D_IMMEDIATE ? V3D_SIG_SMIMM_C : 0U) |
                    (mul[1].kind == V3D_IMMEDIATE ? V3D_SIG_SMIMM_D : 0U);
    if (g == V3D_42)
        seen = seen ? V3D_SIG_SMIMM_B : 0U; /* the only one */
    return i->signals & ~seen;
}

static void put_signals(enum v3d_generation g, struct text *t, size_t start, const struct v3d_insn *i)
{
    unsigned set = unseen_signals(g, i);
    if (set)
        pad(t, start, SIGNAL_COLUMN);
    for (const struct v3d_signal_name *s = v3d_signal_words; s->name; s++) {
        if (!(set & s->bit))
            continue;
        text_add(t, "; %s", s->name);
        if (s->bit & V3D_SIG_WRITES) {
            text_add(t, ".");
            put_register(g, t, i->sig_magic, i->sig_addr);
        } else if (s->bit == V3D_SIG_ROT) {
            text_add(t, ".");
            if (i->rotate)
                put_immediate(t, i->rotate);
            else
                text_add(t, "r5");
        }
    }
}

static void put_branch(struct text *t, const struct v3d_branch *b)
{
    static const char *const msfign[] = {"", "p", "q", ""};
    text_add(t, b->ub ? "bu" : "b");
    put_suffix(t, v3d_branch_cond_names[b->cond]);
    text_add(t, "%s  ", msfign[b->msfign]);
    if (b->bdi == V3D_TO_ABSOLUTE)
        text_add(t, "zero_addr+0x%08" PRIx32, b->offset);
    else if (b->bdi == V3D_TO_RELATIVE)
        text_add(t, "%" PRIi64, (int64_t)(b->offset ^ UINT32_C(0x80000000)) - INT64_C(0x80000000));
    else if (b->bdi == V3D_TO_LINK)
        text_add(t, "lri");
    else
        text_add(t, "rf%u", (unsigned)b->raddr);
    if (b->ub && b->bdu == V3D_TO_REGISTER)
        text_add(t, ", rf%u", (unsigned)b->raddr);
    else if (b->ub)
        text_add(t, ", %s",
                 b->bdu == V3D_TO_ABSOLUTE   ? "a:unif"
                 : b->bdu == V3D_TO_RELATIVE ? "r:unif"
                                             : "lri");
    if (b->set_link)
        text_add(t, " ; link");
}

/* Prints the fields whose values do not follow from the text so far. */
static void put_leftover(enum v3d_generation g, struct text *t, uint64_t word, uint64_t said)
{
    const char *before = " {", *end = "";
    for (const struct bit_field *f = v3d_bit_fields(g, word); f->name; f++) {
        unsigned mask = (1U << f->width) - 1, value = (unsigned)(word >> f->low) & mask;
        if (value == ((unsigned)(said >> f->low) & mask))
            continue;
        text_add(t, "%s%s=%u", before, f->name, value);
        before = ", ";
        end = "}";
    }
    text_add(t, "%s", end);
}

void v3d_print(enum v3d_generation g, uint64_t word, struct text *t)
{
    size_t start = t->length;
    struct v3d_insn i;
    uint64_t said;
    if (!v3d_decode(g, word, &i) || !v3d_encode(g, &i, &said)) {
        text_add(t, ".quad 0x%016" PRIx64, word);
        return;
    }
    if (i.is_branch) {
        put_branch(t, &i.branch);
    } else {
        put_half(g, t, &i.half[V3D_ADD]);
        pad(t, start, MUL_COLUMN);
        text_add(t, "; ");
        put_half(g, t, &i.half[V3D_MUL]);
        put_signals(g, t, start, &i);
    }
    put_leftover(g, t, word, said);
}
