/* SPDX-License-Identifier: MIT */
/* Parses instruction text; gp_text.c describes the grammar. */
#include "model/text/reader.h"
#include "model/utgard/gp_insn.h"

#include <string.h>

enum { OP_UNSET = -1 };

struct parser {
    struct reader r;
    struct gp_insn i;
    uint32_t seen;                         /* parts that the text had so far, one bit each */
    int acc_op, mul_op, mul1_op;           /* OP_UNSET until the text names it */
    const char *acc_at, *mul_at, *mul1_at; /* where the text names these opcodes */
    bool flags_given;
};

/* ---- pieces ---- */

static bool read_number(struct parser *p, unsigned most, const char *what, uint16_t *value)
{
    uint64_t v;
    if (!reader_whole(&p->r, most, what, &v))
        return false;
    *value = (uint16_t)v;
    return true;
}

/* Reads a word of all characters that an operand's name can have: "reg0.x@1". */
static void read_operand(struct parser *p, struct token *t)
{
    struct reader *r = &p->r;
    reader_peek(r);
    t->at = r->p;
    size_t n = 0;
    while (r->p < r->end && strchr(" \t,;", *r->p) == NULL) {
        char c = *r->p++;
        if (n < TOKEN_MAX - 1)
            t->word[n++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
        else
            t->word[0] = '?'; /* too long to be a name */
    }
    t->word[n] = 0;
}

static bool read_name(struct parser *p, const char *const *names, const char *what, uint16_t *value)
{
    struct token t;
    read_operand(p, &t);
    int found = reader_find_name(names, t.word);
    if (found == READER_NONE)
        return reader_fail_name(&p->r, &t, what, &(struct name_lists){{names}});
    *value = (uint16_t)found;
    return true;
}

static bool read_source(struct parser *p, bool second, uint16_t *source)
{
    static const char *const identity[] = {gp_identity_name, NULL};
    struct token t;
    read_operand(p, &t);
    int found = reader_find_name(gp_source_names, t.word);
    bool is_identity = reader_same(t.word, gp_identity_name);
    if (second && found == GP_COMPLEX_D1)
        return reader_fail(
            &p->r, t.at,
            "complex@1 cannot be a second operand (22 is the identity there); swap the operands");
    if (!second && is_identity)
        return reader_fail(&p->r, t.at, "ident can only be a second operand");
    if (!is_identity && found == READER_NONE)
        return reader_fail_name(&p->r, &t, "an operand (reg0.x, load.w, acc0@1, mul1@2, none ...)",
                                &(struct name_lists){{gp_source_names, second ? identity : NULL}});
    *source = is_identity ? GP_COMPLEX_D1 : (uint16_t)found;
    return true;
}

/* ---- the parts, each without its name ---- */

static bool read_register(struct parser *p, uint16_t *addr)
{
    return reader_expect(&p->r, '$') && read_number(p, GP_REGISTERS - 1, "a register number", addr);
}

static bool read_reg0(struct parser *p)
{
    struct token t;
    if (reader_peek(&p->r) == '$')
        return read_register(p, &p->i.register0_addr);
    reader_peek(&p->r);
    if (p->r.end - p->r.p < 4 || strncmp(p->r.p, "attr", 4) != 0) {
        read_operand(p, &t);
        return reader_fail(&p->r, t.at,
                           "expected a register ($0 to $15) or an attribute (attr0 to attr15), found '%s'",
                           t.word);
    }
    p->r.p += 4;
    p->i.register0_attribute = 1;
    return read_number(p, GP_ATTRIBUTES - 1, "an attribute number", &p->i.register0_addr);
}

static bool read_load(struct parser *p)
{
    static const char *const offsets[] = {"off0", "addr1", "addr2", "addr3", "off4", "off5", "off6", NULL};
    struct token t;
    reader_name(&p->r, &t);
    if (!reader_same(t.word, "u"))
        return reader_fail(&p->r, t.at, "expected u[number], found '%s'", t.word);
    if (!reader_expect(&p->r, '[') ||
        !read_number(p, GP_MEMORY_ROWS - 1, "a uniform's number", &p->i.load_addr))
        return false;
    if (reader_accept(&p->r, '+')) {
        reader_name(&p->r, &t);
        int found = reader_find_name(offsets, t.word);
        if (found == READER_NONE)
            return reader_fail_name(&p->r, &t, "an address register (addr1 to addr3)",
                                    &(struct name_lists){{offsets}});
        p->i.load_offset = (uint16_t)found;
    }
    return reader_expect(&p->r, ']');
}

/* Sets the opcode of a pair of units. An error if the other unit of the pair has a different opcode. */
static bool set_op(struct parser *p, const struct token *t, const char *const *names, int op, int *pair,
                   const char **pair_at)
{
    if (*pair != OP_UNSET && *pair != op)
        return reader_fail(&p->r, t->at,
                           "both units of a pair have the same opcode: '%s' here, '%s' in column %zu",
                           names[op], names[*pair], (size_t)(*pair_at - p->r.start) + 1);
    *pair = op;
    *pair_at = t->at;
    return true;
}

/* Reads an opcode's name. "mov" means opcode `move` and sets *is_move, unless `move` is OP_UNSET. */
static bool read_op(struct parser *p, const char *const *names, int move, struct token *t, int *op,
                    bool *is_move)
{
    static const char *const mov[] = {"mov", NULL};
    reader_name(&p->r, t);
    *is_move = move != OP_UNSET && reader_same(t->word, "mov");
    *op = *is_move ? move : reader_find_name(names, t->word);
    return *op != READER_NONE ||
           reader_fail_name(&p->r, t, "an opcode",
                            &(struct name_lists){{names, move != OP_UNSET ? mov : NULL}});
}

static bool read_acc(struct parser *p, uint16_t *a, uint16_t *b, uint16_t *a_neg, uint16_t *b_neg)
{
    struct token t;
    int op;
    bool is_move;
    if (!read_op(p, gp_acc_names, GP_ACC_ADD, &t, &op, &is_move) ||
        !set_op(p, &t, gp_acc_names, op, &p->acc_op, &p->acc_at))
        return false;
    *a_neg = reader_accept(&p->r, '-');
    if (!read_source(p, false, a))
        return false;
    if (is_move) {
        *b = GP_COMPLEX_D1;
        *b_neg = 1;
        return true;
    }
    if ((op == GP_ACC_FLOOR || op == GP_ACC_SIGN) && reader_peek(&p->r) != ',')
        return true;
    if (!reader_expect(&p->r, ','))
        return false;
    *b_neg = reader_accept(&p->r, '-');
    return read_source(p, true, b);
}

static bool read_mul(struct parser *p, int *op, const char **at, uint16_t *a, uint16_t *b, uint16_t *neg)
{
    struct token t;
    bool is_move;
    int read;
    *neg = reader_accept(&p->r, '-');
    if (!read_op(p, gp_mul_names, GP_MUL_MUL, &t, &read, &is_move) ||
        !set_op(p, &t, gp_mul_names, read, op, at))
        return false;
    if (!is_move)
        return read_source(p, false, a) && reader_expect(&p->r, ',') && read_source(p, true, b);
    *b = GP_COMPLEX_D1;
    return read_source(p, false, a);
}

static bool read_pair_op(struct parser *p, const char *const *names, int *op, const char **at)
{
    struct token t;
    int read;
    bool is_move;
    return read_op(p, names, OP_UNSET, &t, &read, &is_move) && set_op(p, &t, names, read, op, at);
}

static bool read_store(struct parser *p, uint16_t *temporary, uint16_t *varying, uint16_t *addr,
                       uint16_t *first, uint16_t *second)
{
    struct token t;
    struct reader before = p->r;
    reader_name(&p->r, &t);
    *temporary = reader_same(t.word, "temp");
    if (!*temporary)
        p->r = before;
    char next = reader_peek(&p->r);
    if (next == '$') {
        if (!read_register(p, addr))
            return false;
    } else if (next == 'v') {
        p->r.p++;
        *varying = 1;
        if (!read_number(p, GP_VARYINGS - 1, "a varying's number", addr))
            return false;
    } else if (!*temporary) {
        return reader_fail(&p->r, t.at, "expected where to store ($0 to $15, v0 to v15, temp), found '%s'",
                           t.word);
    }
    static const char what[] = "what to store (acc0, acc1, mul0, mul1, pass, complex, none)";
    return read_name(p, gp_store_names, what, first) && reader_expect(&p->r, ',') &&
           read_name(p, gp_store_names, what, second);
}

static bool read_target(struct parser *p)
{
    uint16_t target = 0;
    if (!read_number(p, GP_PROGRAM_MAX - 1, "an instruction's number", &target))
        return false;
    gp_set_branch_target(&p->i, target);
    return true;
}

/* ---- the line ---- */

enum part {
    PART_REG0,
    PART_REG1,
    PART_LOAD,
    PART_ACC0,
    PART_ACC1,
    PART_ACCOP,
    PART_MUL0,
    PART_MUL1,
    PART_MULOP,
    PART_COMPLEX,
    PART_PASS,
    PART_STORE0,
    PART_STORE1,
    PART_BRANCH,
    PART_TARGET,
    PART_FLAGS,
    PART_NOP
};
static const char *const part_names[] = {"reg0",   "reg1",   "load",   "acc0",    "acc1", "accop",
                                         "mul0",   "mul1",   "mulop",  "complex", "pass", "store0",
                                         "store1", "branch", "target", "flags",   "nop",  NULL};

#define WORDS(function, names)                                                                               \
    static const char *function(unsigned i)                                                                  \
    {                                                                                                        \
        return (names)[i];                                                                                   \
    }
WORDS(part_word, part_names)
WORDS(acc_word, gp_acc_names)
WORDS(mul_word, gp_mul_names)
WORDS(complex_word, gp_complex_names)
WORDS(pass_word, gp_pass_names)
WORDS(source_word, gp_source_names)
WORDS(store_word, gp_store_names)

const struct code_names gp_syntax_names[] = {
    {"parts of an instruction", part_word},
    {"operations of acc0 and acc1", acc_word},
    {"operations of mul0 and mul1", mul_word},
    {"operations of complex", complex_word},
    {"operations of pass", pass_word},
    {"operands", source_word},
    {"what store0 and store1 can store", store_word},
    {NULL, NULL},
};

static bool read_part(struct parser *p, enum part part)
{
    struct gp_insn *i = &p->i;
    switch (part) {
    case PART_REG0:
        return read_reg0(p);
    case PART_REG1:
        return read_register(p, &i->register1_addr);
    case PART_LOAD:
        return read_load(p);
    case PART_ACC0:
        return read_acc(p, &i->acc0_src0, &i->acc0_src1, &i->acc0_src0_neg, &i->acc0_src1_neg);
    case PART_ACC1:
        return read_acc(p, &i->acc1_src0, &i->acc1_src1, &i->acc1_src0_neg, &i->acc1_src1_neg);
    case PART_ACCOP:
        return read_pair_op(p, gp_acc_names, &p->acc_op, &p->acc_at);
    case PART_MUL0:
        return read_mul(p, &p->mul_op, &p->mul_at, &i->mul0_src0, &i->mul0_src1, &i->mul0_neg);
    case PART_MUL1:
        return read_mul(p, &p->mul1_op, &p->mul1_at, &i->mul1_src0, &i->mul1_src1, &i->mul1_neg);
    case PART_MULOP:
        return read_pair_op(p, gp_mul_names, &p->mul_op, &p->mul_at);
    case PART_COMPLEX:
        return read_name(p, gp_complex_names, "an opcode of the complex unit", &i->complex_op) &&
               read_source(p, false, &i->complex_src);
    case PART_PASS:
        return read_name(p, gp_pass_names, "an opcode of the pass unit", &i->pass_op) &&
               read_source(p, false, &i->pass_src);
    case PART_STORE0:
        return read_store(p, &i->store0_temporary, &i->store0_varying, &i->store0_addr, &i->store0_src_x,
                          &i->store0_src_y);
    case PART_STORE1:
        return read_store(p, &i->store1_temporary, &i->store1_varying, &i->store1_addr, &i->store1_src_z,
                          &i->store1_src_w);
    case PART_BRANCH:
        i->branch = 1;
        return read_target(p);
    case PART_TARGET:
        return read_target(p);
    case PART_FLAGS:
        p->flags_given = true;
        return read_number(p, 15, "flags", &i->flags);
    case PART_NOP:
        break;
    }
    return true;
}

static bool read_named_part(struct parser *p)
{
    struct token t;
    reader_name(&p->r, &t);
    int part = reader_find_name(part_names, t.word);
    if (part == READER_NONE)
        return reader_fail_name(&p->r, &t,
                                "a unit (reg0, load, acc0, mul1, complex, pass, store0, branch ...)",
                                &(struct name_lists){{part_names}});
    uint32_t bit = UINT32_C(1) << part, targets = 1U << PART_BRANCH | 1U << PART_TARGET;
    if (p->seen & (bit & targets ? targets : bit))
        return reader_fail(&p->r, t.at, "%s for the second time in one instruction", t.word);
    p->seen |= bit;
    return read_part(p, (enum part)part);
}

/* Sets the opcode that both multipliers share from the opcodes in their texts. */
static bool settle_mul(struct parser *p)
{
    bool helper = p->mul_op == GP_MUL_COMPLEX2;
    if (p->mul1_op != OP_UNSET) {
        struct token t = {.at = p->mul1_at};
        if (p->mul1_op == GP_MUL_COMPLEX2)
            return reader_fail(&p->r, t.at, "only mul0 has complex2; mul1 multiplies beside it");
        if (!(helper && p->mul1_op == GP_MUL_MUL) &&
            !set_op(p, &t, gp_mul_names, p->mul1_op, &p->mul_op, &p->mul_at))
            return false;
    }
    p->i.mul_op = (uint16_t)(p->mul_op == OP_UNSET ? gp_nop.mul_op : p->mul_op);
    return true;
}

bool gp_parse(const char *chars, size_t count, uint32_t *words, struct error *e)
{
    struct parser p = {.r = {chars, chars, chars + count, e},
                       .i = gp_nop,
                       .acc_op = OP_UNSET,
                       .mul_op = OP_UNSET,
                       .mul1_op = OP_UNSET};
    do {
        if (!read_named_part(&p))
            return false;
        if (!reader_at_end(&p.r) && reader_peek(&p.r) != ';') {
            struct token t;
            read_operand(&p, &t);
            return reader_fail(&p.r, t.at,
                               "expected ';' and the next unit, or the end of the line, found '%s'",
                               t.word[0] ? t.word : ",");
        }
    } while (reader_accept(&p.r, ';'));
    if (!settle_mul(&p))
        return false;
    p.i.acc_op = (uint16_t)(p.acc_op == OP_UNSET ? gp_nop.acc_op : p.acc_op);
    if (!p.flags_given)
        p.i.flags = (uint16_t)gp_usual_flags(&p.i);
    gp_encode(&p.i, words);
    return true;
}
