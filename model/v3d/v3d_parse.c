/* SPDX-License-Identifier: MIT */
/* Reads instructions as text, by the grammar at the top of v3d_text.c. */
#include "model/text/reader.h"
#include "model/v3d/v3d_names.h"
#include "model/v3d/v3d_rows.h"

#include <inttypes.h>
#include <string.h>

struct parser {
    struct reader r;
    enum v3d_generation g;
    struct v3d_insn i;
    bool done[V3D_HALVES]; /* this half has an operation */
    const char *start;     /* of the instruction */
};

/* ---- names for "did you mean" ---- */

static const char *op_name(const struct parser *q, unsigned half, unsigned n)
{
    unsigned first = half == V3D_ADD ? 0 : V3D_ADD_OPS, end = half == V3D_ADD ? V3D_ADD_OPS : V3D_OPS;
    for (unsigned op = first; op < end; op++)
        if (v3d_op_in(q->g, (enum v3d_op)op) && n-- == 0)
            return v3d_op_name((enum v3d_op)op);
    return NULL;
}

/* What can begin a part: operations of ADD, of MUL, signals, branches. */
static const char *part_name(const void *context, unsigned n)
{
    const struct parser *q = context;
    unsigned count;
    for (unsigned half = 0; half < V3D_HALVES; half++) {
        for (count = 0; op_name(q, half, count); count++)
            if (count == n)
                return op_name(q, half, n);
        n -= count;
    }
    for (count = 0; v3d_signal_words[count].name; count++)
        if (count == n)
            return v3d_signal_words[n].name;
    return n == count ? "bu" : NULL;
}

/* Destinations; of registers only the form. */
static const char *waddr_name(const void *context, unsigned n)
{
    const struct parser *q = context;
    for (unsigned w = 0; w < V3D_WADDRS; w++)
        if (v3d_waddr_name(q->g, w) && n-- == 0)
            return v3d_waddr_name(q->g, w);
    return NULL;
}

static const char *suffix_name(const void *context, unsigned n)
{
    (void)context;
    return n < 4 ? v3d_cond_names[n + 1] : v3d_flags_names[n - 4 + 1];
}

/* ---- registers and immediates ---- */

/* Is the word PREFIX and a number below `most`? */
static bool is_numbered(const char *word, const char *prefix, unsigned most, uint8_t *number)
{
    size_t length = strlen(prefix);
    uint64_t v;
    if (strncmp(word, prefix, length) != 0 || !char_is_digit(word[length]) ||
        (word[length] == '0' && word[length + 1]) || !reader_integer(word + length, &v) || v >= most)
        return false;
    *number = (uint8_t)v;
    return true;
}

/* Finds a register of the register file, or a magic one. */
static bool find_waddr(const struct parser *q, const struct token *t, bool *magic, uint8_t *waddr)
{
    *magic = false;
    if (is_numbered(t->word, "rf", V3D_REGISTERS, waddr))
        return true;
    *magic = true;
    for (unsigned w = 0; w < V3D_WADDRS; w++) {
        const char *name = v3d_waddr_name(q->g, w);
        if (name && reader_same(name, t->word)) {
            *waddr = (uint8_t)w;
            return true;
        }
    }
    return false;
}

static bool read_dst(struct parser *q, struct token *t, bool *magic, uint8_t *waddr)
{
    reader_name(&q->r, t);
    if (find_waddr(q, t, magic, waddr))
        return true;
    if (t->word[0] == 'r' && t->word[1] == 'f' && char_is_digit(t->word[2]))
        return reader_fail(&q->r, t->at, "expected a destination, found '%s'; registers are rf0 to rf63",
                           t->word);
    return reader_fail_unknown(&q->r, t, "a destination", waddr_name, q);
}

/* Reads the characters of a number, without a suffix: "15.ff" is 15, "1.5" is a float. */
static void read_number(struct reader *r, struct token *t)
{
    unsigned n = 0;
    bool hexadecimal = false;
    reader_peek(r);
    t->at = r->p;
    for (; r->p < r->end && n < TOKEN_MAX - 1; r->p++) {
        char c = char_lower(*r->p);
        bool sign = n == 0 && (c == '-' || c == '+');
        bool point = c == '.' && r->end - r->p > 1 && char_is_digit(r->p[1]);
        if (c == 'x' && n && t->word[n - 1] == '0')
            hexadecimal = true;
        else if (!sign && !point && !char_is_digit(c) && !(hexadecimal && char_is_hex_digit(c)))
            break;
        t->word[n++] = c;
    }
    t->word[n] = 0;
}

static bool parse_immediate(struct parser *q, uint8_t *index)
{
    struct token t;
    uint32_t value;
    read_number(&q->r, &t);
    if (reader_word(t.word, &value))
        for (unsigned n = 0; n < V3D_IMMEDIATES; n++)
            if (v3d_immediate(n) == value) {
                *index = (uint8_t)n;
                return true;
            }
    return reader_fail(
        &q->r, t.at, "'%s' is no small immediate; these are -16 to 15, and powers of two from 1/256 to 128.0",
        t.word);
}

/* Reads the unpack of an operand, if there is one. */
static bool parse_unpack(struct parser *q, const struct v3d_encoding *e, unsigned n, struct v3d_operand *o)
{
    const struct v3d_codes *codes = &v3d_codes[e->unpack[n].kind];
    const char *names[8 + 1] = {NULL};
    unsigned count = 0;
    struct token t;
    if (!reader_suffix(&q->r, &t))
        return true;
    for (unsigned c = codes->first; c <= codes->last; c++) {
        unsigned unpack = codes->unpack[c];
        if (unpack == V3D_UNPACK_NONE || unpack >= V3D_UNPACK_RESERVED5)
            continue;
        names[count++] = v3d_unpack_names[unpack];
        if (reader_same(t.word, v3d_unpack_names[unpack])) {
            o->unpack = (uint8_t)unpack;
            return true;
        }
    }
    return count ? reader_fail_name(&q->r, &t, "an unpack of this operand", &(struct name_lists){{names}})
                 : reader_fail(&q->r, t.at, "this operand has no unpack");
}

static bool fail_src(struct parser *q, const struct token *t)
{
    const char *what =
        q->g == V3D_42 ? "rf0 to rf63, r0 to r5 or a small immediate" : "rf0 to rf63 or a small immediate";
    uint8_t waddr;
    bool magic, is_dst = t->word[0] && find_waddr(q, t, &magic, &waddr);
    if (is_dst && magic)
        return reader_fail(&q->r, t->at, "expected an operand: %s; %s can only be written", what, t->word);
    return reader_fail(&q->r, t->at, "expected an operand: %s%s%s%s", what, t->word[0] ? ", found '" : "",
                       t->word, t->word[0] ? "'" : "");
}

static bool parse_src(struct parser *q, const struct v3d_encoding *e, unsigned n, struct v3d_operand *o)
{
    struct token t;
    if (reader_at_number(&q->r)) {
        o->kind = V3D_IMMEDIATE;
        return parse_immediate(q, &o->index) && parse_unpack(q, e, n, o);
    }
    reader_name(&q->r, &t);
    if (is_numbered(t.word, "rf", V3D_REGISTERS, &o->index))
        o->kind = V3D_RF;
    else if (q->g == V3D_42 && is_numbered(t.word, "r", V3D_ACCUMULATORS, &o->index))
        o->kind = V3D_ACCUMULATOR;
    else
        return fail_src(q, &t);
    return parse_unpack(q, e, n, o);
}

/* ---- halves ---- */

static int find_op(const struct parser *q, unsigned half, const char *word)
{
    unsigned first = half == V3D_ADD ? 0 : V3D_ADD_OPS, end = half == V3D_ADD ? V3D_ADD_OPS : V3D_OPS;
    for (unsigned op = first; op < end; op++)
        if (v3d_op_in(q->g, (enum v3d_op)op) && reader_same(v3d_op_name((enum v3d_op)op), word))
            return (int)op;
    return READER_NONE;
}

static bool parse_suffixes(struct parser *q, struct v3d_half *h)
{
    struct token t;
    while (reader_suffix(&q->r, &t)) {
        int cond = reader_find_name(v3d_cond_names, t.word),
            flags = reader_find_name(v3d_flags_names, t.word);
        if (cond > 0 && !h->cond && !h->flags)
            h->cond = (uint8_t)cond;
        else if (flags > 0 && !h->cond && !h->flags)
            h->flags = (uint8_t)flags;
        else if (cond > 0 || flags > 0)
            return reader_fail(&q->r, t.at, "an operation has one condition, or one way to set flags");
        else
            return reader_fail_unknown(&q->r, &t, "a condition or a way to set flags", suffix_name, q);
    }
    return true;
}

static bool parse_dst(struct parser *q, const struct v3d_encoding *e, struct v3d_half *h)
{
    struct token t;
    if (!read_dst(q, &t, &h->magic, &h->waddr))
        return false;
    if (h->magic && e->magic != V3D_NOWHERE)
        return reader_fail(&q->r, t.at, "this operation can only write rf0 to rf63");
    if (!reader_suffix(&q->r, &t))
        return true;
    int pack = reader_find_name(v3d_pack_names, t.word);
    if (pack > 0 && e->pack_at == V3D_NOWHERE)
        return reader_fail(&q->r, t.at, "this operation has no pack");
    if (pack > 0)
        h->pack = (uint8_t)pack;
    return pack > 0 || reader_fail_name(&q->r, &t, "a pack", &(struct name_lists){{v3d_pack_names + 1}});
}

static bool parse_half(struct parser *q, unsigned half, unsigned op)
{
    struct v3d_half *h = &q->i.half[half];
    const struct v3d_row *row = &v3d_rows[op];
    const struct v3d_encoding *e = &row->encoding[q->g];
    q->done[half] = true;
    h->op = (uint8_t)op;
    if (!parse_suffixes(q, h) || (row->writes && !parse_dst(q, e, h)))
        return false;
    for (unsigned n = 0; n < row->sources; n++)
        if (((n || row->writes) && !reader_expect(&q->r, ',')) || !parse_src(q, e, n, &h->src[n]))
            return false;
    return true;
}

/* ---- signals ---- */

static const struct v3d_signal_name *find_signal(const char *word)
{
    const struct v3d_signal_name *s = v3d_signal_words;
    while (s->name && !reader_same(s->name, word))
        s++;
    return s->name ? s : NULL;
}

static bool parse_rotation(struct parser *q, const struct token *name)
{
    struct token t;
    if (q->r.p == q->r.end || *q->r.p != '.')
        return reader_fail(&q->r, name->at, "rot needs a count: rot.r5 or rot.-16 to rot.15");
    q->r.p++;
    if (reader_at_number(&q->r)) {
        const char *at = q->r.p;
        return parse_immediate(q, &q->i.rotate) &&
               ((q->i.rotate && q->i.rotate < V3D_ROTATIONS) ||
                reader_fail(&q->r, at, "a rotation counts from -16 to 15, not 0; r5 is the register"));
    }
    reader_name(&q->r, &t);
    return reader_same(t.word, "r5") || reader_fail(&q->r, t.at, "expected r5 or a number from -16 to 15");
}

static bool parse_signal(struct parser *q, const struct v3d_signal_name *s, const struct token *name)
{
    struct token t;
    bool writes_already = q->i.signals & V3D_SIG_WRITES;
    if (q->i.signals & s->bit)
        return reader_fail(&q->r, name->at, "the signal %s is there twice", s->name);
    q->i.signals |= (uint16_t)s->bit;
    if (s->bit == V3D_SIG_ROT)
        return parse_rotation(q, name);
    if (!(s->bit & V3D_SIG_WRITES))
        return true;
    if (writes_already)
        return reader_fail(&q->r, name->at, "only one signal of an instruction can have a destination");
    if (q->r.p == q->r.end || *q->r.p != '.')
        return reader_fail(&q->r, name->at, "%s needs a destination: %s.rf5", s->name, s->name);
    q->r.p++;
    return read_dst(q, &t, &q->i.sig_magic, &q->i.sig_addr);
}

static bool parse_part(struct parser *q, const struct token *t)
{
    const struct v3d_signal_name *s = find_signal(t->word);
    for (unsigned half = 0; half < V3D_HALVES; half++) {
        int op = q->done[half] ? READER_NONE : find_op(q, half, t->word);
        if (op == READER_NONE || (half == V3D_ADD && q->done[V3D_MUL]))
            continue;
        return parse_half(q, half, (unsigned)op);
    }
    if (s)
        return parse_signal(q, s, t);
    for (unsigned half = 0; half < V3D_HALVES; half++)
        if (find_op(q, half, t->word) != READER_NONE)
            return reader_fail(&q->r, t->at, "%s: %s", t->word,
                               q->done[V3D_ADD] && q->done[V3D_MUL] ? "both ALUs already have an operation"
                               : q->done[half]                      ? "this ALU already has an operation"
                                               : "the operation of the ADD ALU comes first");
    return reader_fail_unknown(&q->r, t, "an operation or a signal", part_name, q);
}

static bool parse_alu(struct parser *q, struct token *t)
{
    q->i.half[V3D_ADD] = (struct v3d_half){.op = V3D_A_NOP, .magic = true, .waddr = V3D_W_NOP};
    q->i.half[V3D_MUL] = (struct v3d_half){.op = V3D_M_NOP, .magic = true, .waddr = V3D_W_NOP};
    while (parse_part(q, t)) {
        if (!reader_accept(&q->r, ';'))
            return true;
        reader_name(&q->r, t);
    }
    return false;
}

/* ---- branches ---- */

static bool is_branch(const char *word)
{
    word += *word == 'b';
    word += *word == 'u';
    word += *word == 'p' || *word == 'q';
    return !*word;
}

/* Removes p or q from the end of a word, and notes it. */
static void take_msfign(char *word, struct v3d_branch *b)
{
    size_t length = strlen(word);
    if (length && (word[length - 1] == 'p' || word[length - 1] == 'q')) {
        b->msfign = word[length - 1] == 'p' ? V3D_MSFIGN_P : V3D_MSFIGN_Q;
        word[length - 1] = 0;
    }
}

static bool parse_offset(struct parser *q, const char *what, uint32_t *offset)
{
    struct token t;
    uint32_t value = 0;
    read_number(&q->r, &t);
    if (!t.word[0] || strchr(t.word, '.') || !reader_word(t.word, &value) || value % 8)
        return reader_fail(&q->r, t.at, "expected %s, a multiple of 8 bytes, found '%s'", what, t.word);
    *offset = value;
    return true;
}

static bool parse_target(struct parser *q)
{
    struct v3d_branch *b = &q->i.branch;
    struct token t;
    b->bdi = V3D_TO_RELATIVE;
    if (reader_at_number(&q->r))
        return parse_offset(q, "an offset", &b->offset);
    reader_name(&q->r, &t);
    if (reader_same(t.word, "lri")) {
        b->bdi = V3D_TO_LINK;
        return true;
    }
    if (reader_same(t.word, "zero_addr")) {
        b->bdi = V3D_TO_ABSOLUTE;
        return reader_expect(&q->r, '+') && parse_offset(q, "an address", &b->offset);
    }
    b->bdi = V3D_TO_REGISTER;
    return is_numbered(t.word, "rf", V3D_REGISTERS, &b->raddr) ||
           reader_fail(&q->r, t.at, "expected a target: an offset, zero_addr+0x1000, lri, or rf0 to rf63");
}

/* Where the uniforms go on: a:unif, r:unif, lri or a register. */
static bool parse_uniforms(struct parser *q)
{
    struct v3d_branch *b = &q->i.branch;
    struct token t;
    uint8_t raddr;
    if (!reader_expect(&q->r, ','))
        return false;
    reader_name(&q->r, &t);
    if ((reader_same(t.word, "a") || reader_same(t.word, "r")) && reader_accept(&q->r, ':')) {
        struct token unif;
        b->bdu = t.word[0] == 'a' ? V3D_TO_ABSOLUTE : V3D_TO_RELATIVE;
        reader_name(&q->r, &unif);
        return reader_same(unif.word, "unif") || reader_fail(&q->r, unif.at, "expected unif");
    }
    b->bdu = reader_same(t.word, "lri") ? V3D_TO_LINK : V3D_TO_REGISTER;
    if (b->bdu == V3D_TO_LINK)
        return true;
    if (!is_numbered(t.word, "rf", V3D_REGISTERS, &raddr))
        return reader_fail(&q->r, t.at, "expected a:unif, r:unif, lri, or rf0 to rf63");
    if (b->bdi == V3D_TO_REGISTER && b->raddr != raddr)
        return reader_fail(&q->r, t.at, "a branch can read only one register");
    b->raddr = raddr;
    return true;
}

static bool parse_branch(struct parser *q, struct token *name)
{
    struct v3d_branch *b = &q->i.branch;
    struct token t;
    q->i.is_branch = true;
    take_msfign(name->word, b);
    b->ub = name->word[1] == 'u';
    if (reader_suffix(&q->r, &t)) {
        const char *const *names = v3d_branch_cond_names;
        take_msfign(t.word, b);
        int cond = reader_find_name(names, t.word);
        if (cond <= 0)
            return reader_fail_name(&q->r, &t, "a branch condition", &(struct name_lists){{names + 1}});
        b->cond = (uint8_t)cond;
    }
    if (!parse_target(q) || (b->ub && !parse_uniforms(q)))
        return false;
    if (reader_accept(&q->r, ';')) {
        reader_name(&q->r, &t);
        b->set_link = true;
        return reader_same(t.word, "link") || reader_fail(&q->r, t.at, "expected link");
    }
    return true;
}

/* ---- lines ---- */

static bool parse_field(struct parser *q, const struct bit_field *fields, uint64_t *word)
{
    const char *names[20];
    struct token t;
    uint64_t value;
    unsigned n = 0;
    for (; fields[n].name; n++)
        names[n] = fields[n].name;
    names[n] = NULL;
    reader_name(&q->r, &t);
    int f = reader_find_name(names, t.word);
    if (f < 0)
        return reader_fail_name(&q->r, &t, "a field of the word", &(struct name_lists){{names}});
    uint64_t most = (UINT64_C(1) << fields[f].width) - 1;
    if (!reader_expect(&q->r, '=') || !reader_whole(&q->r, most, t.word, &value))
        return false;
    *word = (*word & ~(most << fields[f].low)) | value << fields[f].low;
    return true;
}

static bool parse_line_end(struct parser *q)
{
    return reader_at_end(&q->r) ||
           reader_fail(&q->r, q->r.p, "expected the end of the instruction, found '%c'",
                       *q->r.p >= 32 && *q->r.p < 127 ? *q->r.p : '?');
}

/* Reads the leftover group and the end of the line. */
static bool parse_end(struct parser *q, uint64_t *word)
{
    const char *at = q->r.p;
    if (reader_accept(&q->r, '{')) {
        const struct bit_field *fields = v3d_bit_fields(q->g, *word);
        struct v3d_insn i;
        do
            if (!parse_field(q, fields, word))
                return false;
        while (reader_accept(&q->r, ','));
        if (!reader_expect(&q->r, '}'))
            return false;
        if (v3d_bit_fields(q->g, *word) != fields || !v3d_decode(q->g, *word, &i))
            return reader_fail(&q->r, at, "these fields make it another kind of instruction");
    }
    return parse_line_end(q);
}

static bool parse_data(struct parser *q, uint64_t *word)
{
    struct token t;
    q->r.p++;
    reader_name(&q->r, &t);
    if (!reader_same(t.word, "quad"))
        return reader_fail(&q->r, t.at, "expected an instruction or .quad");
    return reader_whole(&q->r, UINT64_MAX, "a word", word) && parse_line_end(q); /* data has no fields */
}

bool v3d_parse(enum v3d_generation g, const char *chars, size_t count, uint64_t *word, struct error *e)
{
    struct parser q = {.r = {.start = chars, .p = chars, .end = chars + count, .error = e}, .g = g};
    struct token t;
    const char *why = NULL;
    if (reader_peek(&q.r) == '.')
        return parse_data(&q, word);
    q.start = q.r.p;
    reader_name(&q.r, &t);
    if (t.word[0] == 'b' && is_branch(t.word) ? !parse_branch(&q, &t) : !parse_alu(&q, &t))
        return false;
    if (!v3d_encode_or(g, &q.i, word, &why))
        return reader_fail(&q.r, q.start, "%s", why);
    return parse_end(&q, word);
}
