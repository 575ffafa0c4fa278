/* SPDX-License-Identifier: MIT */
/*
 * Reads instructions as text. The grammar is at the top of qpu_text.c. The text fills a canonical instruction
 * of its class. Sources are kept as words until the end, because only then it is known which read port a
 * shared name means. The leftover group then sets fields of the encoded word.
 */
#include "model/text/reader.h"
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"

#include <string.h>

enum { SOURCES_MAX = 4, UNSET = READER_NONE };

enum half { ADD, MUL };

enum source_kind { SOURCE_ACCUMULATOR, SOURCE_FILE_A, SOURCE_FILE_B, SOURCE_SHARED, SOURCE_IMMEDIATE };

struct source {
    struct token token;
    enum source_kind kind;
    uint8_t value; /* mux, address or small immediate */
    int unpack;    /* UNSET: none written */
    uint8_t *mux;  /* the field to set */
};

struct parser {
    struct reader r;
    struct qpu_insn i;
    struct source sources[SOURCES_MAX];
    unsigned source_count;
    int sig, pm, ws, pack, port[2], small; /* UNSET until the text says */
    bool half_taken[2];
    const char *setf_at[2], *sig_at; /* places in the text; NULL if not there */
};

/* The fields of one half of the instruction. */
struct half_fields {
    uint8_t *op, *cond, *waddr, *mux[2];
    const struct alu_op *ops;
    unsigned op_count;
};

static struct half_fields fields_of(struct qpu_insn *i, enum half half)
{
    if (half == ADD)
        return (struct half_fields){&i->op_add,    &i->cond_add,
                                    &i->waddr_add, {&i->add_a, &i->add_b},
                                    alu_add_ops,   32};
    return (struct half_fields){&i->op_mul, &i->cond_mul, &i->waddr_mul, {&i->mul_a, &i->mul_b}, alu_mul_ops,
                                8};
}

/* Fails with the names of all registers, for "did you mean". */
static bool fail_register(struct parser *q, const struct token *t, const char *what, bool write)
{
    const char *known[129];
    for (unsigned n = 0; n < 128; n++)
        known[n] = write ? qpu_write_name(n >> 6, n) : qpu_read_name(n >> 6, n);
    known[128] = NULL;
    struct name_lists lists = {{known, write ? NULL : qpu_mux_names}};
    return reader_fail_name(&q->r, t, what, &lists);
}

/* ---- destinations ---- */

/* Sets a choice that several parts of the text can make. They must agree. */
static bool choose(struct parser *q, const char *at, int *choice, int value, const char *what)
{
    if (*choice != UNSET && *choice != value)
        return reader_fail(&q->r, at, "%s", what);
    *choice = value;
    return true;
}

static bool parse_pack(struct parser *q, enum half half, unsigned file)
{
    static const char *const ws_text =
        "only the half that writes file A can pack, and this half writes file B";
    struct token t;
    if (!reader_suffix(&q->r, &t))
        return true;
    int pack = reader_find_name(qpu_pack_names, t.word),
        colour = reader_find_name(qpu_colour_pack_names, t.word);
    if (pack < 0 && colour < 0)
        return reader_fail_name(&q->r, &t, "a pack",
                                &(struct name_lists){{qpu_pack_names, qpu_colour_pack_names}});
    if (pack == 0)
        return true;
    if (q->i.class == QPU_BRANCH)
        return reader_fail(&q->r, t.at, "a branch cannot pack");
    if (colour >= 0)
        return half == MUL ? choose(q, t.at, &q->pack, colour, "one pack an instruction") &&
                                 choose(q, t.at, &q->pm, 1,
                                        "this colour pack needs pm = 1, an earlier pack or unpack pm = 0")
                           : reader_fail(&q->r, t.at, "only the MUL half can pack colours");
    if (file == 1)
        return reader_fail(&q->r, t.at, "file B cannot pack");
    return choose(q, t.at, &q->ws, half == MUL, ws_text) &&
           choose(q, t.at, &q->pack, pack, "one pack an instruction") &&
           choose(q, t.at, &q->pm, 0, "this pack needs pm = 0, an earlier pack or unpack pm = 1");
}

static bool set_dst(struct parser *q, const struct token *t, enum half half)
{
    unsigned file, address;
    if (!qpu_find_register(t->word, true, &file, &address))
        return fail_register(q, t, "a destination", true);
    *fields_of(&q->i, half).waddr = (uint8_t)address;
    if (file < 2 && !choose(q, t->at, &q->ws, half == ADD ? (int)file : (int)!file,
                            "the two halves must write different register files"))
        return false;
    return parse_pack(q, half, file);
}

/* ---- the ALU's sources ---- */

static bool small_immediate(const char *word, uint8_t *v)
{
    uint32_t bits;
    uint64_t integer;
    int known = reader_find_name(qpu_small_immediate_names, word);
    bool is_integer = reader_integer(word, &integer);
    if (known >= 0) {
        *v = (uint8_t)known;
        return true;
    }
    if (is_integer && (integer < 16 || integer >= UINT64_MAX - 15)) {
        *v = (uint8_t)(integer & 31);
        return true;
    }
    if (is_integer || !reader_float(word, &bits))
        return false;
    for (uint8_t n = 0; n < 48; n = n ? (uint8_t)(n + 1) : 32) { /* 0.0 is the integer 0 */
        if (qpu_small_immediate(n) == bits) {
            *v = n;
            return true;
        }
    }
    return false;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): resolve_source writes to it */
static bool parse_source(struct parser *q, uint8_t *mux)
{
    struct source *s = &q->sources[q->source_count++];
    *s = (struct source){.unpack = UNSET, .mux = mux};
    if (reader_at_number(&q->r)) {
        reader_number(&q->r, &s->token);
        s->kind = SOURCE_IMMEDIATE;
        return small_immediate(s->token.word, &s->value) ||
               reader_fail(&q->r, s->token.at,
                           "no small immediate: '%s' (there are -16 .. 15, 1.0, 2.0, 4.0 .. 128.0, 1/2, 1/4 "
                           ".. 1/256)",
                           s->token.word);
    }
    reader_name(&q->r, &s->token);
    const char *word = s->token.word;
    unsigned file, address;
    if (word[0] == 'r' && word[1] >= '0' && word[1] <= '5' && !word[2]) {
        s->kind = SOURCE_ACCUMULATOR;
        s->value = (uint8_t)(word[1] - '0');
    } else if (strncmp(word, "rot", 3) == 0 && small_immediate(word, &s->value)) {
        s->kind = SOURCE_IMMEDIATE;
    } else if (qpu_find_register(word, false, &file, &address)) {
        s->kind = file == 0 ? SOURCE_FILE_A : file == 1 ? SOURCE_FILE_B : SOURCE_SHARED;
        s->value = (uint8_t)address;
    } else {
        return fail_register(q, &s->token, "a source", false);
    }
    if (q->r.p < q->r.end && *q->r.p == '@') {
        struct token t;
        q->r.p++;
        reader_name(&q->r, &t);
        bool a = reader_same(t.word, "a");
        if (s->kind != SOURCE_SHARED || (!a && !reader_same(t.word, "b")))
            return reader_fail(&q->r, t.at, "'@a' or '@b' can follow a register that both files have");
        s->kind = a ? SOURCE_FILE_A : SOURCE_FILE_B;
    }
    struct token t;
    if (!reader_suffix(&q->r, &t))
        return true;
    s->unpack = reader_find_name(qpu_unpack_names, t.word);
    if (s->unpack < 0)
        return reader_fail_name(&q->r, &t, "an unpack", &(struct name_lists){{qpu_unpack_names}});
    if (s->kind == SOURCE_SHARED)
        s->kind = SOURCE_FILE_A;
    if (s->kind == SOURCE_FILE_A || (s->kind == SOURCE_ACCUMULATOR && s->value == QPU_MUX_R4))
        return true;
    return reader_fail(&q->r, t.at, "only file A and r4 can unpack");
}

static bool take_port(struct parser *q, const struct source *s, unsigned file)
{
    if (file == 1 && q->i.class == QPU_ALU_SMALL)
        return reader_fail(&q->r, s->token.at,
                           "a small immediate or rotation takes read port B, '%s' has none", s->token.word);
    if (q->port[file] != UNSET && q->port[file] != s->value)
        return reader_fail(&q->r, s->token.at, "read port %c is taken by %s", "AB"[file],
                           qpu_read_name(file, (unsigned)q->port[file]));
    q->port[file] = s->value;
    *s->mux = file ? QPU_MUX_B : QPU_MUX_A;
    return true;
}

static bool resolve_source(struct parser *q, struct source *s)
{
    switch (s->kind) {
    case SOURCE_ACCUMULATOR:
        *s->mux = s->value;
        return true;
    case SOURCE_IMMEDIATE:
        *s->mux = QPU_MUX_B;
        return choose(q, s->token.at, &q->small, s->value, "one small immediate or rotation an instruction");
    case SOURCE_FILE_A:
        return take_port(q, s, 0);
    case SOURCE_FILE_B:
        return take_port(q, s, 1);
    default:
        s->kind = q->port[0] == UNSET || q->port[0] == s->value ? SOURCE_FILE_A : SOURCE_FILE_B;
        return take_port(q, s, s->kind == SOURCE_FILE_B);
    }
}

/* Sets the unpack. All uses of the unpacked operand must name it: an instruction has one unpack. */
static bool resolve_unpack(struct parser *q)
{
    static const char *const what[] = {"r4", "the file A operand"};
    int unpack[2] = {UNSET, UNSET};
    for (unsigned n = 0; n < q->source_count; n++) {
        struct source *s = &q->sources[n];
        bool a = s->kind == SOURCE_FILE_A;
        if (!a && !(s->kind == SOURCE_ACCUMULATOR && s->value == QPU_MUX_R4))
            continue;
        int mine = s->unpack == UNSET ? 0 : s->unpack;
        if (unpack[a] != UNSET && unpack[a] != mine)
            return reader_fail(&q->r, s->token.at, "every use of %s must have the same unpack", what[a]);
        unpack[a] = mine;
        if (mine &&
            !choose(q, s->token.at, &q->pm, !a, "this unpack and another pack or unpack need different pm"))
            return false;
        if (mine)
            q->i.unpack = (uint8_t)mine;
    }
    return true;
}

/* ---- ALU instructions ---- */

/* The code of an operation in a half, or UNSET. */
static int find_op(enum half half, const char *word)
{
    const struct half_fields f = fields_of(&(struct qpu_insn){0}, half);
    uint64_t code;
    if (reader_same(word, "mov"))
        return half == ADD ? QPU_ADD_MOV : QPU_MUL_MOV;
    if (word[0] == 'o' && word[1] == 'p' && reader_integer(word + 2, &code) && code < f.op_count)
        return (int)code;
    for (unsigned n = 0; n < f.op_count; n++)
        if (f.ops[n].name && reader_same(f.ops[n].name, word))
            return (int)n;
    return UNSET;
}

static bool fail_op(struct parser *q, const struct token *t)
{
    static const char *const others[] = {"mov",     "ldi", "ldis", "ldiu", "acquire",
                                         "release", "bra", "brr",  NULL};
    const char *names[42];
    unsigned count = 0;
    for (unsigned n = 0; n < 40; n++) {
        const char *name = n < 32 ? alu_add_ops[n].name : alu_mul_ops[n - 32].name;
        if (name)
            names[count++] = name;
    }
    names[count] = NULL;
    return reader_fail_name(&q->r, t, "an operation or a signal",
                            &(struct name_lists){{names, qpu_signal_names, others}});
}

static bool parse_op_suffixes(struct parser *q, enum half half, uint8_t *cond)
{
    struct token t;
    while (reader_suffix(&q->r, &t)) {
        int known = reader_find_name(qpu_cond_names, t.word);
        if (known >= 0) {
            *cond = (uint8_t)known;
        } else if (reader_same(t.word, "setf") || reader_same(t.word, "sf")) {
            q->setf_at[half] = t.at;
        } else if (half == MUL && strncmp(t.word, "rot", 3) == 0 &&
                   (known = reader_find_name(qpu_small_immediate_names, t.word)) >= 0) {
            if (!choose(q, t.at, &q->small, known, "one small immediate or rotation an instruction"))
                return false;
        } else {
            static const char *const others[] = {"setf", NULL};
            return reader_fail_name(&q->r, &t,
                                    half == MUL ? "a condition, setf or a rotation" : "a condition or setf",
                                    &(struct name_lists){
                                        {qpu_cond_names, others,
                                         half == MUL ? qpu_small_immediate_names + 48 : NULL}});
        }
    }
    return true;
}

/* Reads the operands of an operation: none, a dst, or a dst and sources. */
static bool parse_operands(struct parser *q, enum half half, unsigned op, bool mov)
{
    const struct half_fields f = fields_of(&q->i, half);
    const struct alu_op *row = &f.ops[op];
    unsigned given = 0, wanted = op == 0 ? 0 : mov || (row->name && row->operands == 1) ? 1 : 2;
    char next = reader_peek(&q->r);
    struct token t;
    if (op == 0 && (next == 0 || next == ';' || next == '{'))
        return true;
    reader_name(&q->r, &t);
    if (!set_dst(q, &t, half))
        return false;
    for (; given < 2 && !(mov && given == 1) && reader_accept(&q->r, ','); given++)
        if (!parse_source(q, f.mux[given]))
            return false;
    if (given < wanted)
        return reader_fail(&q->r, q->r.p, "expected ',' and a source");
    if (given == 1) { /* mov, and operations of one operand: both muxes are the same */
        q->sources[q->source_count] = q->sources[q->source_count - 1];
        q->sources[q->source_count++].mux = f.mux[1];
    }
    return true;
}

static bool parse_alu_part(struct parser *q, const struct token *t)
{
    int sig = reader_find_name(qpu_signal_names, t->word);
    if (sig >= 0 && sig <= QPU_SIG_SMALL_IMMEDIATE) {
        if (q->sig != UNSET)
            return reader_fail(&q->r, t->at, "one signal an instruction");
        q->sig = sig;
        q->sig_at = t->at;
        return true;
    }
    int add = find_op(ADD, t->word), mul = find_op(MUL, t->word);
    if (add < 0 && mul < 0)
        return fail_op(q, t);
    enum half half = add >= 0 && (!q->half_taken[ADD] || mul < 0) ? ADD : MUL;
    if (q->half_taken[half])
        return reader_fail(&q->r, t->at, "the %s half has an operation already", half == ADD ? "ADD" : "MUL");
    unsigned op = (unsigned)(half == ADD ? add : mul);
    const struct half_fields f = fields_of(&q->i, half);
    q->half_taken[half] = true;
    *f.op = (uint8_t)op;
    *f.cond = op ? QPU_COND_ALWAYS : QPU_COND_NEVER;
    return parse_op_suffixes(q, half, f.cond) && parse_operands(q, half, op, reader_same(t->word, "mov"));
}

/* Sets the fields that depend on all parts. */
static bool finish_alu(struct parser *q)
{
    bool small = q->small != UNSET || q->sig == QPU_SIG_SMALL_IMMEDIATE;
    for (unsigned n = 0; n < q->source_count; n++)
        small |= q->sources[n].kind == SOURCE_IMMEDIATE;
    if (small && q->sig != UNSET && q->sig != QPU_SIG_SMALL_IMMEDIATE)
        return reader_fail(&q->r, q->sig_at,
                           "a small immediate or rotation takes the signal field: no signal %s beside it",
                           qpu_signal_names[q->sig]);
    struct qpu_insn canonical;
    qpu_canonical(small ? QPU_ALU_SMALL : QPU_ALU, &canonical);
    q->i.class = canonical.class;
    q->i.sig = q->sig == UNSET ? canonical.sig : (uint8_t)q->sig;
    for (unsigned shared = 0; shared < 2; shared++) /* shared ones last, because they have a choice */
        for (unsigned n = 0; n < q->source_count; n++)
            if ((q->sources[n].kind == SOURCE_SHARED) == (shared == 1) && !resolve_source(q, &q->sources[n]))
                return false;
    q->i.raddr_a = q->port[0] == UNSET ? canonical.raddr_a : (uint8_t)q->port[0];
    q->i.raddr_b = q->small != UNSET     ? (uint8_t)q->small
                   : q->port[1] == UNSET ? canonical.raddr_b
                                         : (uint8_t)q->port[1];
    if (q->setf_at[MUL] && q->i.op_add)
        return reader_fail(&q->r, q->setf_at[MUL], "flags come from the ADD half unless that is a nop");
    return resolve_unpack(q);
}

static bool parse_alu(struct parser *q, struct token *t)
{
    for (;;) {
        if (!parse_alu_part(q, t))
            return false;
        if (!reader_accept(&q->r, ';'))
            break;
        reader_name(&q->r, t);
    }
    return finish_alu(q);
}

/* ---- load immediate, semaphore, branch ---- */

/* Reads the conditions and setf, then the destinations, each with a comma. */
static bool parse_writes(struct parser *q)
{
    struct token t;
    unsigned conds = 0, count = 0;
    const char *at = q->r.p;
    uint8_t cond[2] = {QPU_COND_ALWAYS, QPU_COND_ALWAYS};
    while (reader_suffix(&q->r, &t)) {
        int known = reader_find_name(qpu_cond_names, t.word);
        if (reader_same(t.word, "setf") || reader_same(t.word, "sf"))
            q->i.sf = 1;
        else if (known >= 0 && conds < 2)
            cond[conds++] = (uint8_t)known;
        else
            return reader_fail_name(&q->r, &t, "setf or at most two conditions",
                                    &(struct name_lists){{qpu_cond_names}});
    }
    for (; count < 2 && !reader_at_number(&q->r) && reader_peek(&q->r) != '['; count++) {
        reader_name(&q->r, &t);
        if (!set_dst(q, &t, count ? MUL : ADD) || !reader_expect(&q->r, ','))
            return false;
        *fields_of(&q->i, count ? MUL : ADD).cond = cond[count];
    }
    return conds == 0 || conds == count ||
           reader_fail(&q->r, at, "write one condition for each of the %u destination%s, or none", count,
                       plural(count));
}

static bool parse_elements(struct parser *q)
{
    bool is_signed = q->i.class == QPU_LDI_SIGNED;
    if (!reader_expect(&q->r, '['))
        return false;
    for (unsigned e = 0; e < 16; e++) {
        struct token t;
        uint64_t v = 0;
        if (e && !reader_expect(&q->r, ','))
            return false;
        reader_number(&q->r, &t);
        if (!reader_integer(t.word, &v) || (is_signed ? v + 2 > 3 : v > 3))
            return reader_fail(&q->r, t.at, "expected element %u of 16, %s", e,
                               is_signed ? "-2 .. 1" : "0 .. 3");
        q->i.immediate |= (uint32_t)((v >> 1) & 1) << (16 + e) | (uint32_t)(v & 1) << e;
    }
    return reader_expect(&q->r, ']');
}

static bool parse_load(struct parser *q, unsigned unused)
{
    struct token t;
    (void)unused;
    if (!parse_writes(q))
        return false;
    if (q->i.class != QPU_LDI_32 && reader_peek(&q->r) == '[')
        return parse_elements(q);
    reader_number(&q->r, &t);
    return reader_word(t.word, &q->i.immediate) ||
           reader_fail(&q->r, t.at,
                       q->i.class == QPU_LDI_32
                           ? "expected a number of 32 bits, found '%s'"
                           : "expected '[' and 16 elements, or a number of 32 bits, found '%s'",
                       t.word);
}

static bool parse_semaphore(struct parser *q, unsigned acquire)
{
    struct token t;
    uint64_t number;
    if (!parse_writes(q))
        return false;
    reader_number(&q->r, &t);
    if (!reader_integer(t.word, &number) || number > 15)
        return reader_fail(&q->r, t.at, "expected a semaphore, 0 .. 15, found '%s'", t.word);
    q->i.immediate = acquire << 4 | (uint32_t)number;
    return true;
}

/* Reads the target: a register of file A, a number, or both. */
static bool parse_target(struct parser *q, const struct token *base)
{
    struct token t;
    unsigned file, address;
    if (base) {
        if (!qpu_find_register(base->word, false, &file, &address))
            return fail_register(q, base, "a target", false);
        if (file != 0 || address > 31)
            return reader_fail(&q->r, base->at, "a branch can read ra0 .. ra31 only");
        q->i.reg = 1;
        q->i.raddr_a = (uint8_t)address;
        char next = reader_peek(&q->r);
        if (next != '+' && next != '-')
            return true;
    }
    reader_number(&q->r, &t);
    if (!t.word[0] || !reader_word(t.word, &q->i.immediate) || strchr(t.word, '.'))
        return reader_fail(&q->r, t.at, "expected an offset or address in bytes of 32 bits, found '%s'",
                           t.word);
    return true;
}

static bool parse_branch(struct parser *q, unsigned relative)
{
    struct token t;
    q->i.rel = (uint8_t)relative;
    if (reader_suffix(&q->r, &t)) {
        int known = reader_find_name(qpu_branch_cond_names, t.word);
        if (known < 0)
            return reader_fail_name(&q->r, &t, "a branch condition",
                                    &(struct name_lists){{qpu_branch_cond_names}});
        q->i.cond_br = (uint8_t)known;
    }
    for (unsigned count = 0; !reader_at_number(&q->r); count++) {
        reader_name(&q->r, &t);
        if (reader_peek(&q->r) != ',')
            return parse_target(q, &t);
        if (count == 2)
            return reader_fail(&q->r, t.at, "expected the target: at most two registers take the link");
        if (!set_dst(q, &t, count ? MUL : ADD))
            return false;
        q->r.p++;
    }
    return parse_target(q, NULL);
}

static const struct statement {
    const char *name;
    uint8_t class;
    uint8_t argument;
    bool (*parse)(struct parser *q, unsigned argument);
} statements[] = {
    {"ldi", QPU_LDI_32, 0, parse_load},
    {"ldis", QPU_LDI_SIGNED, 0, parse_load},
    {"ldiu", QPU_LDI_UNSIGNED, 0, parse_load},
    {"acquire", QPU_SEMAPHORE, 1, parse_semaphore},
    {"release", QPU_SEMAPHORE, 0, parse_semaphore},
    {"sacq", QPU_SEMAPHORE, 1, parse_semaphore},
    {"srel", QPU_SEMAPHORE, 0, parse_semaphore},
    {"bra", QPU_BRANCH, 0, parse_branch},
    {"brr", QPU_BRANCH, 1, parse_branch},
};

/* ---- lines ---- */

static bool parse_field(struct parser *q, uint64_t *word)
{
    struct token name, value;
    uint64_t v;
    const char *names[FIELDS_MAX];
    unsigned count = 0;
    reader_name(&q->r, &name);
    const struct bit_field *f = qpu_bit_fields(*word);
    for (; f->name && !reader_same(f->name, name.word); f++)
        names[count++] = f->name;
    names[count] = NULL;
    if (!f->name)
        return reader_fail_name(&q->r, &name, "a field", &(struct name_lists){{names}});
    if (!reader_expect(&q->r, '='))
        return false;
    reader_number(&q->r, &value);
    int known = f->values ? reader_find_name(f->values, value.word) : UNSET;
    if (known >= 0)
        v = (uint64_t)known;
    else if (!reader_integer(value.word, &v) || v >> f->width)
        return reader_fail(&q->r, value.at, "expected a value of %s, %u bit%s, found '%s'", f->name, f->width,
                           plural(f->width), value.word);
    uint64_t mask = (UINT64_C(1) << f->width) - 1;
    *word = (*word & ~(mask << f->low)) | v << f->low;
    return true;
}

/* Reads the leftover group and the end of the line. */
static bool parse_end(struct parser *q, uint64_t *word)
{
    const char *at = q->r.p;
    if (reader_accept(&q->r, '{')) {
        uint64_t before = *word;
        struct qpu_insn i;
        do
            if (!parse_field(q, word))
                return false;
        while (reader_accept(&q->r, ','));
        if (!reader_expect(&q->r, '}'))
            return false;
        if (qpu_bit_fields(*word) != qpu_bit_fields(before) || !qpu_decode(*word, &i))
            return reader_fail(&q->r, at, "these fields make it another kind of instruction");
    }
    return reader_at_end(&q->r) ||
           reader_fail(&q->r, q->r.p, "expected the end of the instruction, found '%c'",
                       *q->r.p >= 32 && *q->r.p < 127 ? *q->r.p : '?');
}

static bool parse_instruction(struct parser *q, uint64_t *word)
{
    struct token t;
    reader_name(&q->r, &t);
    const struct statement *s = statements, *last = statements + sizeof statements / sizeof *statements;
    while (s < last && !reader_same(s->name, t.word))
        s++;
    qpu_canonical(s < last ? s->class : QPU_ALU, &q->i);
    if (!(s < last ? s->parse(q, s->argument) : parse_alu(q, &t)))
        return false;
    if (q->ws != UNSET)
        q->i.ws = (uint8_t)q->ws;
    if (q->pm != UNSET)
        q->i.pm = (uint8_t)q->pm;
    if (q->pack != UNSET)
        q->i.pack = (uint8_t)q->pack;
    if (q->setf_at[ADD] || q->setf_at[MUL])
        q->i.sf = 1;
    *word = qpu_encode(&q->i);
    return parse_end(q, word);
}

static bool parse_raw(struct parser *q, uint64_t *word)
{
    struct token t;
    reader_suffix(&q->r, &t);
    if (!reader_same(t.word, "quad"))
        return reader_fail(&q->r, t.at, "expected '.quad', found '.%s'", t.word);
    reader_number(&q->r, &t);
    if (t.word[0] == '-' || !reader_integer(t.word, word))
        return reader_fail(&q->r, t.at, "expected a number of 64 bits, found '%s'", t.word);
    return reader_at_end(&q->r) || reader_fail(&q->r, q->r.p, "expected the end of the instruction");
}

/* The end of the text without a comment and the spaces before it. */
static const char *text_end(const char *chars, size_t count)
{
    const char *end = chars;
    while ((size_t)(end - chars) < count && *end != '#' &&
           !(*end == '/' && (size_t)(end - chars) + 1 < count && end[1] == '/'))
        end++;
    while (end > chars && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '\n'))
        end--;
    return end;
}

bool qpu_parse(const char *chars, size_t count, uint64_t *word, struct error *e)
{
    struct parser q = {.r = {.start = chars, .p = chars, .end = text_end(chars, count), .error = e}};
    q.sig = q.pm = q.ws = q.pack = q.port[0] = q.port[1] = q.small = UNSET;
    uint64_t parsed = 0;
    if (reader_at_end(&q.r))
        return reader_fail(&q.r, q.r.p, "expected an instruction");
    if (!(*q.r.p == '.' ? parse_raw(&q, &parsed) : parse_instruction(&q, &parsed)))
        return false;
    *word = parsed;
    return true;
}
