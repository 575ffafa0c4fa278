/* SPDX-License-Identifier: MIT */
/*
 * Instructions as text. This file prints; qpu_parse.c reads the same grammar.
 *
 *   line      = (alu | load | semaphore | branch) [leftover] | ".quad" 64-bit number
 *   alu       = part { ";" part }       an ADD half, a MUL half and a signal; any may be missing
 *   part      = signal | op { "." suffix } [dst] { "," src }
 *   op        = fadd, or, v8min, ...    as the manual spells them; "op9" for reserved code 9;
 *                                       "mov" for or x, x (ADD) and v8min x, x (MUL);
 *                                       "nop" has a dst only where it writes one
 *   suffix    = cond | "setf" | "rot_r5" | "rot1" .. "rot15"      rotation: MUL half only
 *   cond      = never always zs zc ns nc cs cc      left out: always, and never for nop
 *   dst       = register ["." pack]
 *   src       = r0 .. r5 | register ["@" file] ["." unpack] | small immediate
 *   pack      = 16a 16b 8888 8a .. 8d, 32s, the others with an s at the end to saturate: regfile A (pm = 0)
 *             | c8888 c8a .. c8d: MUL colour pack (pm = 1)
 *   unpack    = 16a 16b 8dr 8a .. 8d    of a regfile A operand (pm = 0) or of r4 (pm = 1)
 *   load      = ("ldi" value | "ldis" elements | "ldiu" elements), written
 *               ldi{.cond}[.setf] [dst ["," dst] ","] value
 *   semaphore = ("acquire" | "release"){.cond}[.setf] [dst ["," dst] ","] number
 *   branch    = ("brr" | "bra")[.branchcond] [link ["," link] ","] [ra] [number]
 *   leftover  = "{" field "=" value { "," field "=" value } "}"
 *
 * Fields that the text does not name have the value of qpu_canonical: raddr 39, waddr 39, mux r0, signal
 * none, ... If a field has another value that no word above can express (a read port that no operand uses, ws
 * where it makes no difference, the operands of a nop, junk in ignored bits), the leftover group names it. So
 * every word that decodes has its own text.
 *
 * - ADD comes first: an operation that both pipes have is ADD's if that half is still free. `fmul r0, r1, r2`
 *   alone is a MUL half.
 * - Registers that both files have at one address (uniform, varying, nop, vpm, mutex) are read through file A
 *   if it is free or already reads them, otherwise through B. "@a" and "@b" choose. "ra33" is address 33 of
 *   file A.
 * - load, semaphore: the first dst is ADD's, the second MUL's; conditions are in the same order. Without dst,
 *   both write nop and their conditions are never. Elements are "[" 16 numbers from element 0 "]".
 * - brr: relative to the instruction's own address + 32; bra: absolute. The number is in bytes.
 * - Upper and lower case are the same. "#" and "//" start a comment.
 */
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"

#include <string.h>

enum { LINE_MAX_CHARS = 768 }; /* every field of a word in its longest form stays below 500 */

struct printer {
    char *p;
    struct qpu_insn said; /* how the parser would read the text so far */
};

/* Puts a literal, whose length is known when compiling. */
static inline void put(struct printer *o, const char *literal)
{
    size_t length = strlen(literal);
    memcpy(o->p, literal, length);
    o->p += length;
}

/* Puts any other string. Nearly all are short, so a loop is faster than strlen and memcpy. */
static void put_string(struct printer *o, const char *chars)
{
    char *p = o->p;
    while (*chars)
        *p++ = *chars++;
    o->p = p;
}

/* Puts a name from the tables. The text that follows overwrites the bytes after its end. */
static inline void put_name(struct printer *o, const struct qpu_name *name)
{
    memcpy(o->p, name, sizeof *name);
    o->p += name->length;
}

static inline void put_char(struct printer *o, char c)
{
    *o->p++ = c;
}

static inline void put_suffix(struct printer *o, const struct qpu_name *name)
{
    put_char(o, '.');
    put_name(o, name);
}

static void put_hex(struct printer *o, uint64_t value, unsigned digits)
{
    put(o, "0x");
    for (unsigned d = digits; d-- > 0;)
        put_char(o, "0123456789abcdef"[(value >> (4 * d)) & 15]);
}

static void put_decimal(struct printer *o, uint32_t value)
{
    char digits[10];
    unsigned n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    while (n > 0)
        put_char(o, digits[--n]);
}

/* Puts a 32-bit offset with its sign. */
static void put_offset(struct printer *o, uint32_t value)
{
    put_char(o, value >> 31 ? '-' : '+');
    put_decimal(o, value >> 31 ? 0U - value : value);
}

enum half { ADD, MUL };

static void print_dst(struct printer *o, const struct qpu_insn *i, enum half half)
{
    unsigned file = (unsigned)(half == ADD) == i->ws, address = half == ADD ? i->waddr_add : i->waddr_mul;
    put_name(o, &qpu_names.write[file][address]);
    *(half == ADD ? &o->said.waddr_add : &o->said.waddr_mul) = (uint8_t)address;
    if (!qpu_write_shared(address))
        o->said.ws = i->ws;
    if (i->pack == 0 || i->class == QPU_BRANCH)
        return;
    if (i->pm == 0 && file == 0) {
        put_suffix(o, &qpu_names.pack[i->pack]);
        o->said.pack = i->pack;
        o->said.ws = i->ws;
    } else if (i->pm == 1 && half == MUL && qpu_colour_pack_names[i->pack][0] != '-') {
        put_suffix(o, &qpu_names.colour_pack[i->pack]);
        o->said.pack = i->pack;
        o->said.pm = 1;
    }
}

static void put_unpack(struct printer *o, const struct qpu_insn *i)
{
    if (i->unpack == 0)
        return;
    put_suffix(o, &qpu_names.unpack[i->unpack]);
    o->said.unpack = i->unpack;
    o->said.pm = i->pm;
}

/* Prints a register that is read. With `files`, adds "@a" or "@b" to a register that both files have. */
static void print_port(struct printer *o, unsigned file, unsigned address, bool files)
{
    const struct qpu_name *name = &qpu_names.read[file][address];
    if (name->chars[0] == '-') {
        put_char(o, 'r');
        put_char(o, file ? 'b' : 'a');
        put_decimal(o, address);
        return;
    }
    put_name(o, name);
    if (files && qpu_read_shared(address)) {
        put_char(o, '@');
        put_char(o, file ? 'b' : 'a');
    }
}

static void print_src(struct printer *o, const struct qpu_insn *i, unsigned mux, bool files)
{
    if (mux == QPU_MUX_A) {
        print_port(o, 0, i->raddr_a, files);
        o->said.raddr_a = i->raddr_a;
        if (i->pm == 0)
            put_unpack(o, i);
    } else if (mux == QPU_MUX_B) {
        if (i->class == QPU_ALU_SMALL)
            put_name(o, &qpu_names.small_immediate[i->raddr_b]);
        else
            print_port(o, 1, i->raddr_b, files);
        o->said.raddr_b = i->raddr_b;
    } else {
        put_name(o, &qpu_names.mux[mux]);
        if (mux == QPU_MUX_R4 && i->pm == 1)
            put_unpack(o, i);
    }
}

/* Must the text name the files of shared registers? True if the parser would otherwise choose other read
 * ports than those of `i` (grammar: "Registers that both files have"). */
static bool files_needed(const struct qpu_insn *i)
{
    unsigned used[4] = {i->op_add ? i->add_a : 0U, i->op_add ? i->add_b : 0U, i->op_mul ? i->mul_a : 0U,
                        i->op_mul ? i->mul_b : 0U},
             first = 0;
    bool a = false, b = false;
    for (unsigned n = 0; n < 4; n++) {
        if (used[n] >= QPU_MUX_A && first == 0)
            first = used[n];
        a |= used[n] == QPU_MUX_A;
        b |= used[n] == QPU_MUX_B;
    }
    if (!b || i->class == QPU_ALU_SMALL || !qpu_read_shared(i->raddr_b))
        return false;
    if (!a)
        return true;
    return qpu_read_shared(i->raddr_a) && (i->raddr_a == i->raddr_b || first == QPU_MUX_B);
}

static void print_half(struct printer *o, const struct qpu_insn *i, enum half half, bool files)
{
    unsigned op = half == ADD ? i->op_add : i->op_mul, cond = half == ADD ? i->cond_add : i->cond_mul;
    unsigned a = half == ADD ? i->add_a : i->mul_a, b = half == ADD ? i->add_b : i->mul_b,
             address = half == ADD ? i->waddr_add : i->waddr_mul;
    const struct alu_op *row = half == ADD ? &alu_add_ops[op] : &alu_mul_ops[op];
    bool mov = op == (half == ADD ? QPU_ADD_MOV : QPU_MUL_MOV) && a == b;
    if (mov) {
        put(o, "mov");
    } else if (row->name) {
        put_string(o, row->name);
    } else {
        put(o, "op");
        put_decimal(o, op);
    }
    if (cond != (op ? QPU_COND_ALWAYS : QPU_COND_NEVER))
        put_suffix(o, &qpu_names.cond[cond]);
    enum half flags_from = i->op_add == 0 && i->op_mul != 0 ? MUL : ADD;
    if (i->sf && half == flags_from) {
        put(o, ".setf");
        o->said.sf = 1;
    }
    if (half == MUL && op && i->class == QPU_ALU_SMALL && i->raddr_b >= 48) {
        put_suffix(o, &qpu_names.small_immediate[i->raddr_b]);
        o->said.raddr_b = i->raddr_b;
    }
    *(half == ADD ? &o->said.op_add : &o->said.op_mul) = (uint8_t)op;
    *(half == ADD ? &o->said.cond_add : &o->said.cond_mul) = (uint8_t)cond;
    if (op || address != 39) {
        put_char(o, ' ');
        print_dst(o, i, half);
    }
    if (op == 0)
        return;
    put(o, ", ");
    print_src(o, i, a, files);
    if (a != b || (!mov && (!row->name || row->operands != 1))) {
        put(o, ", ");
        print_src(o, i, b, files);
    }
    *(half == ADD ? &o->said.add_a : &o->said.mul_a) = (uint8_t)a;
    *(half == ADD ? &o->said.add_b : &o->said.mul_b) = (uint8_t)b;
}

static void print_alu(struct printer *o, const struct qpu_insn *i)
{
    bool files = files_needed(i);
    print_half(o, i, ADD, files);
    if (i->op_mul != 0 || i->cond_mul != QPU_COND_NEVER || i->waddr_mul != 39) {
        put(o, " ; ");
        print_half(o, i, MUL, files);
    }
    bool b_used = (i->op_add && (i->add_a == QPU_MUX_B || i->add_b == QPU_MUX_B)) ||
                  (i->op_mul && (i->mul_a == QPU_MUX_B || i->mul_b == QPU_MUX_B));
    bool small_said = i->class == QPU_ALU_SMALL && (b_used || (i->op_mul && i->raddr_b >= 48));
    if (i->sig != QPU_SIG_NONE && !small_said) {
        put(o, " ; ");
        put_name(o, &qpu_names.signal[i->sig]);
    }
    o->said.sig = i->sig;
}

/* Prints "name.cond.cond.setf dst, dst, " of a load immediate or semaphore. */
static void print_writes(struct printer *o, const struct qpu_insn *i, const char *name)
{
    unsigned count = i->cond_mul != QPU_COND_NEVER || i->waddr_mul != 39   ? 2
                     : i->cond_add != QPU_COND_NEVER || i->waddr_add != 39 ? 1
                                                                           : 0;
    put_string(o, name);
    if ((count >= 1 && i->cond_add != QPU_COND_ALWAYS) || (count == 2 && i->cond_mul != QPU_COND_ALWAYS)) {
        put_suffix(o, &qpu_names.cond[i->cond_add]);
        if (count == 2)
            put_suffix(o, &qpu_names.cond[i->cond_mul]);
    }
    o->said.cond_add = i->cond_add;
    o->said.cond_mul = i->cond_mul;
    if (i->sf)
        put(o, ".setf");
    o->said.sf = i->sf;
    put_char(o, ' ');
    for (unsigned half = ADD; half < count; half++) {
        print_dst(o, i, half);
        put(o, ", ");
    }
}

static void print_load(struct printer *o, const struct qpu_insn *i)
{
    print_writes(o, i, i->class == QPU_LDI_32 ? "ldi" : i->class == QPU_LDI_SIGNED ? "ldis" : "ldiu");
    o->said.immediate = i->immediate;
    if (i->class == QPU_LDI_32) {
        put_hex(o, i->immediate, 8);
        return;
    }
    for (unsigned e = 0; e < 16; e++) {
        unsigned code = ((i->immediate >> (16 + e)) & 1) << 1 | ((i->immediate >> e) & 1);
        put_string(o, e ? ", " : "[");
        if (i->class == QPU_LDI_SIGNED && code >= 2) {
            put_char(o, '-');
            code = 4 - code;
        }
        put_char(o, (char)('0' + code));
    }
    put_char(o, ']');
}

static void print_semaphore(struct printer *o, const struct qpu_insn *i)
{
    print_writes(o, i, (i->immediate >> 4) & 1 ? "acquire" : "release");
    put_decimal(o, i->immediate & 15);
    o->said.immediate = i->immediate & 31;
}

static void print_branch(struct printer *o, const struct qpu_insn *i)
{
    put_string(o, i->rel ? "brr" : "bra");
    if (i->cond_br != 15)
        put_suffix(o, &qpu_names.branch_cond[i->cond_br]);
    put_char(o, ' ');
    unsigned count = i->waddr_mul != 39 ? 2 : i->waddr_add != 39 ? 1 : 0;
    for (unsigned half = ADD; half < count; half++) {
        print_dst(o, i, half);
        put(o, ", ");
    }
    o->said.cond_br = i->cond_br;
    o->said.rel = i->rel;
    o->said.reg = i->reg;
    o->said.immediate = i->immediate;
    if (i->reg) {
        put_name(o, &qpu_names.read[0][i->raddr_a]);
        o->said.raddr_a = i->raddr_a;
        if (i->immediate)
            put_offset(o, i->immediate);
    } else if (i->rel) {
        put_offset(o, i->immediate);
    } else {
        put_hex(o, i->immediate, 8);
    }
}

/* Prints the fields whose values the text so far does not imply. */
static void print_leftover(struct printer *o, uint64_t word, const struct qpu_insn *i)
{
    uint64_t differ = word ^ qpu_encode(&o->said);
    if (differ == 0)
        return;
    const char *before = " {";
    for (const struct bit_field *f = qpu_bit_fields(word); f->name; f++) {
        uint64_t mask = (UINT64_C(1) << f->width) - 1;
        if (((differ >> f->low) & mask) == 0)
            continue;
        uint32_t value = (uint32_t)((word >> f->low) & mask);
        put_string(o, before);
        before = ", ";
        put_string(o, f->name);
        put_char(o, '=');
        bool reserved_pack = f->values == qpu_pack_names && i->pm == 1; /* the names are those of pm = 0 */
        if (f->values && strcmp(f->values[value], "-") != 0 && !reserved_pack)
            put_string(o, f->values[value]);
        else
            put_decimal(o, value);
    }
    put_char(o, '}');
}

void qpu_print(uint64_t word, struct text *t)
{
    static void (*const print[QPU_CLASSES])(struct printer *, const struct qpu_insn *) = {
        print_alu, print_alu, print_load, print_load, print_load, print_semaphore, print_branch};
    char line[LINE_MAX_CHARS];
    struct printer o = {.p = line};
    struct qpu_insn i;
    if (qpu_decode(word, &i)) {
        qpu_canonical(i.class, &o.said);
        print[i.class](&o, &i);
        print_leftover(&o, word, &i);
    } else {
        put(&o, ".quad ");
        put_hex(&o, word, 16);
    }
    text_add_chars(t, line, (size_t)(o.p - line));
}
