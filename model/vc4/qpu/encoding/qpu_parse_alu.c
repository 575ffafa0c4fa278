/* SPDX-License-Identifier: MIT */
/* Reads ALU instructions: operations, sources, signals. */
#include "model/vc4/qpu/encoding/qpu_parse.h"

#include <string.h>

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
               reader_fail(
                   &q->r, s->token.at,
                   "'%s' is not a small immediate; these are: -16 .. 15, 1.0, 2.0, 4.0 .. 128.0, 1/2, 1/4 "
                   ".. 1/256",
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
        return parse_fail_register(q, &s->token, "a source", false);
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
        return parse_choose(q, s->token.at, &q->small, s->value,
                            "one small immediate or rotation an instruction");
    case SOURCE_FILE_A:
        return take_port(q, s, 0);
    case SOURCE_FILE_B:
        return take_port(q, s, 1);
    default:
        s->kind = q->port[0] == UNSET || q->port[0] == s->value ? SOURCE_FILE_A : SOURCE_FILE_B;
        return take_port(q, s, s->kind == SOURCE_FILE_B);
    }
}

/* Sets the unpack field. An instruction has only one, so all uses of the operand must name the same code. */
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
        if (mine && !parse_choose(q, s->token.at, &q->pm, !a,
                                  "this unpack and another pack or unpack need different pm"))
            return false;
        if (mine)
            q->i.unpack = (uint8_t)mine;
    }
    return true;
}

/* ---- ALU instructions ---- */

/* The code of an operation in a half, or UNSET. */
static int find_op(struct parser *q, enum half half, const char *word)
{
    const struct half_fields f = parse_fields(&q->i, half);
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
            if (!parse_choose(q, t.at, &q->small, known, "one small immediate or rotation an instruction"))
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
    const struct half_fields f = parse_fields(&q->i, half);
    const struct alu_op *row = &f.ops[op];
    unsigned given = 0, wanted = op == 0 ? 0 : mov || (row->name && row->operands == 1) ? 1 : 2;
    char next = reader_peek(&q->r);
    struct token t;
    if (op == 0 && (next == 0 || next == ';' || next == '{'))
        return true;
    reader_name(&q->r, &t);
    if (!parse_dst(q, &t, half))
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
    int add = find_op(q, ADD, t->word), mul = find_op(q, MUL, t->word);
    if (add < 0 && mul < 0)
        return fail_op(q, t);
    enum half half = add >= 0 && (!q->half_taken[ADD] || mul < 0) ? ADD : MUL;
    if (q->half_taken[half])
        return reader_fail(&q->r, t->at, "the %s half has an operation already", half == ADD ? "ADD" : "MUL");
    unsigned op = (unsigned)(half == ADD ? add : mul);
    const struct half_fields f = parse_fields(&q->i, half);
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
    for (unsigned shared = 0; shared < 2; shared++) /* shared registers last: they take the free port */
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

bool parse_alu(struct parser *q, struct token *t)
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
