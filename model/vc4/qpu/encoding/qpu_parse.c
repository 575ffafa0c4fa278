/* SPDX-License-Identifier: MIT */
/*
 * Reads instructions as text, by the grammar at the top of qpu_text.c. The parser starts from the canonical
 * instruction of the class and changes the fields that the text names. It resolves sources at the end,
 * because a register that both files have uses the read port that other sources leave free. The leftover
 * group then sets fields of the encoded word.
 */
#include "model/vc4/qpu/encoding/qpu_parse.h"

#include <string.h>

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
        if (!parse_dst(q, &t, count ? MUL : ADD) || !reader_expect(&q->r, ','))
            return false;
        *parse_fields(&q->i, count ? MUL : ADD).cond = cond[count];
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
            return parse_fail_register(q, base, "a target", false);
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
        return reader_fail(&q->r, t.at, "expected a 32-bit byte offset or address, found '%s'", t.word);
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
        if (!parse_dst(q, &t, count ? MUL : ADD))
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
