/* SPDX-License-Identifier: MIT */
/* Parses instructions. amd_text.c has the grammar. */
#include "model/amd/encoding/amd_operand.h"
#include "model/amd/encoding/amd_parser.h"
#include "model/text/text.h"

#include <string.h>

/* ---- names, for errors that suggest the nearest; "-": none ---- */

static const char *op_name_at(const void *context, unsigned n)
{
    const struct parser *p = context;
    const char *name = n < amd_op_count ? amd_op_name(p->g, &amd_ops[n]) : NULL;
    return name || n >= amd_op_count ? name : "-";
}

static const char *field_name_at(const void *context, unsigned n)
{
    return ((const struct bit_field *)context)[n].name;
}

/* ---- modifiers ---- */

static bool read_offset(struct parser *p)
{
    int32_t offset = 0;
    if (p->g != AMD_GFX12)
        return amd_read_number(p, 4095, "the immediate offset (12 bits, unsigned)", &p->i.offset);
    bool good = amd_read_signed(p, 24, true, &offset);
    p->i.offset = (uint32_t)offset & 0xFFFFFF;
    return good;
}

/* GFX12: a name, or "0x7" and "TH_ATOMIC_0x5", which LLVM prints where it has none. */
static bool read_th(struct parser *p)
{
    static const char numbered[] = "th_atomic_0x";
    struct token t;
    uint64_t number;
    reader_number(&p->r, &t);
    int th = amd_th_named(p->i.op, t.word);
    bool atomic = p->i.op->kind == AMD_ATOMIC && !strncmp(t.word, numbered, sizeof numbered - 1);
    if (th < 0 && reader_integer(atomic ? t.word + sizeof numbered - 3 : t.word, &number) && number < 8)
        th = (int)number;
    p->i.glc = th & 1;
    p->i.th = (uint32_t)th >> 1 & 3;
    return th >= 0 ||
           reader_fail(&p->r, t.at, "expected a temporal hint of this kind of operation: TH_%s_NT, ...",
                       p->i.op->kind == AMD_ATOMIC  ? "ATOMIC"
                       : p->i.op->kind == AMD_STORE ? "STORE"
                                                    : "LOAD");
}

static bool read_scope(struct parser *p)
{
    struct token t;
    reader_name(&p->r, &t);
    for (uint32_t n = 0; n < 4; n++)
        if (names_equal(amd_scope_names[n], t.word)) {
            p->i.scope = n;
            return true;
        }
    return reader_fail(&p->r, t.at, "expected SCOPE_CU, SCOPE_SE, SCOPE_DEV or SCOPE_SYS");
}

enum { ON_VECTOR = 1, ON_SCALAR = 2, ON_TYPED = 4, ON_CACHE = 8 };
enum { GCN = 1 << AMD_GFX9 | 1 << AMD_GFX8 | AMD_CDNA, SCOPES = 1 << AMD_GFX942 };

static const struct modifier {
    const char *name;
    uint16_t member;                /* offset of the member of struct amd_insn, for a flag */
    uint8_t encodings;              /* ON_... */
    uint8_t generations;            /* bit g */
    bool (*read)(struct parser *p); /* what follows the name and ':'; NULL: a flag */
} modifiers[] = {
    {"idxen", offsetof(struct amd_insn, idxen), ON_VECTOR, AMD_ALL_GENERATIONS, NULL},
    {"offen", offsetof(struct amd_insn, offen), ON_VECTOR, AMD_ALL_GENERATIONS, NULL},
    {"offset", 0, ON_VECTOR, AMD_ALL_GENERATIONS, read_offset},
    {"format", 0, ON_TYPED, AMD_ALL_GENERATIONS, amd_read_format},
    {"dfmt", 0, ON_TYPED, GCN, amd_read_data_format},
    {"nfmt", 0, ON_TYPED, GCN, amd_read_number_format},
    {"glc", offsetof(struct amd_insn, glc), ON_VECTOR | ON_SCALAR,
     AMD_ALL_GENERATIONS & ~SCOPES & ~(1 << AMD_GFX12), NULL},
    {"glc", offsetof(struct amd_insn, glc), ON_SCALAR, SCOPES, NULL},
    {"slc", offsetof(struct amd_insn, slc), ON_VECTOR, AMD_ALL_GENERATIONS & ~SCOPES & ~(1 << AMD_GFX12),
     NULL},
    {"scc", offsetof(struct amd_insn, scc), ON_VECTOR, 1 << AMD_GFX90A, NULL},
    {"sc0", offsetof(struct amd_insn, glc), ON_VECTOR | ON_CACHE, SCOPES, NULL},
    {"nt", offsetof(struct amd_insn, slc), ON_VECTOR, SCOPES, NULL},
    {"sc1", offsetof(struct amd_insn, scc), ON_VECTOR | ON_CACHE, SCOPES, NULL},
    {"th", offsetof(struct amd_insn, th), ON_VECTOR | ON_SCALAR, 1 << AMD_GFX12, read_th},
    {"scope", offsetof(struct amd_insn, scope), ON_VECTOR | ON_SCALAR, 1 << AMD_GFX12, read_scope},
    {"dlc", offsetof(struct amd_insn, dlc), ON_VECTOR | ON_SCALAR, 1 << AMD_GFX11 | 1 << AMD_GFX10, NULL},
    {"tfe", offsetof(struct amd_insn, tfe), ON_VECTOR, AMD_ALL_GENERATIONS & ~AMD_CDNA, NULL},
    {"lds", offsetof(struct amd_insn, lds), ON_VECTOR, 1 << AMD_GFX10 | GCN, NULL},
};
enum { MODIFIERS = sizeof modifiers / sizeof *modifiers };

static const char *modifier_name_at(const void *context, unsigned n)
{
    const struct parser *p = context;
    return n >= MODIFIERS ? NULL : modifiers[n].generations >> p->g & 1 ? modifiers[n].name : "-";
}

/* Can this operation have the modifier? */
static bool modifier_fits(const struct parser *p, const struct modifier *m)
{
    const struct amd_op *op = p->i.op;
    unsigned here = op->encoding == AMD_SMEM    ? ON_SCALAR
                    : op->kind == AMD_CACHE     ? amd_text_has_scopes(p->g, op) ? ON_CACHE : 0
                    : op->encoding == AMD_MTBUF ? ON_VECTOR | ON_TYPED
                                                : ON_VECTOR;
    if (!(m->encodings & here) || !(m->generations >> p->g & 1))
        return false;
    if (m->member == offsetof(struct amd_insn, lds))
        return op->lds_bit;
    if (m->member == offsetof(struct amd_insn, tfe))
        return op->encoding == AMD_MUBUF && (op->kind == AMD_LOAD || op->kind == AMD_STORE);
    if (m->member == offsetof(struct amd_insn, dlc))
        return amd_text_has_dlc(p->g, &p->i);
    if (m->member == offsetof(struct amd_insn, scc))
        return amd_text_has_scc(p->g, &p->i);
    return op->kind != AMD_STORE_LDS || m->member == 0 || m->member >= offsetof(struct amd_insn, glc);
}

static bool read_modifier(struct parser *p)
{
    struct token t;
    unsigned n = 0;
    reader_name(&p->r, &t);
    while (n < MODIFIERS && !(reader_same(modifiers[n].name, t.word) && modifiers[n].generations >> p->g & 1))
        n++;
    if (n == MODIFIERS)
        return reader_fail_unknown(&p->r, &t, "a modifier or the end of the line", modifier_name_at, p);
    if (!modifier_fits(p, &modifiers[n]))
        return reader_fail(&p->r, t.at, "%s takes no '%s'", amd_op_name(p->g, p->i.op), t.word);
    if (p->given >> n & 1)
        return reader_fail(&p->r, t.at, "'%s' is given twice", t.word);
    p->given |= 1U << n;
    if (modifiers[n].read)
        return reader_expect(&p->r, ':') && modifiers[n].read(p);
    uint32_t one = 1;
    memcpy((char *)&p->i + modifiers[n].member, &one, sizeof one);
    return true;
}

static bool read_modifiers(struct parser *p)
{
    while (!reader_at_end(&p->r) && reader_peek(&p->r) != '{' && reader_peek(&p->r) != '.') {
        (void)reader_accept(&p->r, ','); /* LLVM allows commas here */
        if (!read_modifier(p))
            return false;
    }
    return true;
}

/* ---- lines ---- */

static bool check_counts(struct parser *p)
{
    unsigned data = amd_data_registers(p->g, &p->i) + p->i.tfe, address = amd_address_registers(&p->i);
    bool to_lds = amd_to_lds(&p->i);
    if (p->vdata_at && to_lds)
        return reader_fail(&p->r, p->vdata_at, "a load to LDS has no data register: remove it, or 'lds'");
    if (p->i.tfe && to_lds)
        return reader_fail(&p->r, p->r.start, "tfe and lds exclude each other: remove one");
    if (!to_lds && !p->vdata_at && p->i.op->kind != AMD_STORE_LDS)
        return reader_fail(&p->r, p->vaddr_at, "expected %u data register%s first", data,
                           data > 1 ? "s" : "");
    if (p->vdata_at && p->vdata_count != data)
        return reader_fail(&p->r, p->vdata_at, "expected %u data register%s, found %u", data,
                           data > 1 ? "s" : "", p->vdata_count);
    if (p->vaddr_at && p->vaddr_count != address)
        return reader_fail(&p->r, p->vaddr_at,
                           address == 0 ? "expected 'off' without idxen and offen"
                                        : "expected %u address register%s, found %u",
                           address, address > 1 ? "s" : "", p->vaddr_count);
    return true;
}

/* Reads vdata and vaddr. A load to LDS has vaddr alone. On GFX8 to GFX10 only the modifier 'lds' at the end
 * of the line shows that a load goes to LDS. */
static bool read_vgpr_operands(struct parser *p)
{
    uint32_t first = 0;
    unsigned count = 0;
    const char *at;
    bool may_lack = p->i.op->kind == AMD_LOAD_LDS || (p->i.op->lds_bit && !amd_is_gfx11(p->g));
    if (!amd_read_vgprs(p, may_lack, amd_is_cdna(p->g), &first, &count, &at) || !reader_expect(&p->r, ','))
        return false;
    const char *second = p->r.p;
    struct token t;
    reader_name(&p->r, &t); /* a V# begins with s, ttmp, null or src, an address with v or off */
    p->r.p = second;
    bool is_address = t.word[0] == 'v' || reader_same(t.word, "off");
    p->vaddr_at = at;
    p->vaddr_count = count;
    p->i.vaddr = first;
    if (may_lack && !is_address)
        return true;
    p->vdata_at = at;
    p->vdata_count = count;
    p->i.vdata = first;
    p->i.vaddr = 0;
    if (count == 0)
        return reader_fail(&p->r, at, "expected VGPRs of data: v0, v[0:3]");
    return amd_read_vgprs(p, true, false, &p->i.vaddr, &p->vaddr_count, &p->vaddr_at) &&
           reader_expect(&p->r, ',');
}

/* Reads formats before SOFFSET, which LLVM accepts too: "format:22, s3", and on GFX8 and GFX9 "dfmt:4,
 * nfmt:7, s3". */
static bool read_early_formats(struct parser *p)
{
    for (;;) {
        const char *at = p->r.p;
        struct token t;
        reader_name(&p->r, &t);
        p->r.p = at;
        if (!reader_same(t.word, "format") && !reader_same(t.word, "dfmt") && !reader_same(t.word, "nfmt"))
            return true;
        if (!read_modifier(p))
            return false;
        (void)reader_accept(&p->r, ',');
    }
}

static bool read_vector(struct parser *p)
{
    static const struct scalars resource = {4, 4, 4, "the V#: s[0:3], s[4:7], ..."};
    uint32_t code = 0;
    if (p->i.op->kind == AMD_STORE_LDS)
        p->i.lds = 0; /* the modifier 'lds' sets it */
    else if (!read_vgpr_operands(p))
        return false;
    if (!amd_read_scalars(p, &resource, &code))
        return false;
    const char *behind = p->r.p;
    if (!reader_accept(&p->r, ','))
        return reader_fail(&p->r, behind, "expected ',' and SOFFSET, which is 0 if there is none");
    p->i.srsrc = code / 4;
    return read_early_formats(p) && amd_read_soffset(p, &p->i.soffset) && read_modifiers(p) &&
           check_counts(p);
}

static bool read_scalar(struct parser *p)
{
    static const struct scalars resource = {4, 4, 2, "the V#: s[0:3], s[4:7], ..."};
    unsigned count = amd_data_registers(p->g, &p->i), bits = p->g == AMD_GFX12  ? 24
                                                             : p->g == AMD_GFX8 ? 20
                                                                                : 21;
    const struct scalars data = {count, count < 3 ? count : 4, 1, "the destination's SGPRs"};
    uint32_t code = 0;
    int soffset = -1;
    int32_t offset = 0;
    bool immediate = false;
    if (!amd_read_scalars(p, &data, &p->i.vdata) || !reader_expect(&p->r, ',') ||
        !amd_read_scalars(p, &resource, &code) || !reader_expect(&p->r, ','))
        return false;
    p->i.srsrc = code / 2;
    if (amd_at_number(p)) {
        if (!amd_read_signed(p, bits, p->g != AMD_GFX8, &offset))
            return false;
    } else {
        if (!amd_read_scalars(p, &amd_one_scalar, &code))
            return false;
        soffset = (int)code;
        const char *at = p->r.p;
        (void)reader_accept(&p->r, ','); /* LLVM allows one here */
        struct token t;
        reader_name(&p->r, &t);
        immediate = p->g != AMD_GFX8 && reader_same(t.word, "offset");
        if (!immediate)
            p->r.p = at;
        else if (!reader_expect(&p->r, ':') || !amd_read_signed(p, bits, true, &offset))
            return false;
    }
    amd_text_set_scalar_offset(p->g, soffset, offset, immediate, &p->i);
    return read_modifiers(p);
}

/* Reads "{UNUSED=3, VADDR=7}": sets fields of the words that the text before it stands for. */
static bool read_leftover(struct parser *p, uint32_t *words)
{
    const struct bit_field *fields = amd_fields_of(p->g, words), *f;
    if (!reader_accept(&p->r, '{'))
        return true;
    do {
        struct token t;
        uint32_t value = 0;
        reader_name(&p->r, &t);
        for (f = fields; f->name && !names_equal(f->name, t.word);)
            f++;
        if (!f->name)
            return amd_fail_capital(p, &t, t.word, "a field of this encoding", field_name_at, fields);
        if (!strcmp(f->name, "OP") || !strcmp(f->name, "OPM") || !strcmp(f->name, "ENCODING"))
            return reader_fail(&p->r, t.at, "the instruction's name determines %s: it cannot be set here",
                               f->name);
        uint32_t mask = UINT32_MAX >> (32 - f->width), *word = &words[f->low / 32];
        if (!reader_expect(&p->r, '=') || !amd_read_number(p, mask, "the field's value", &value))
            return false;
        *word = (*word & ~(mask << f->low % 32)) | value << f->low % 32;
    } while (reader_accept(&p->r, ','));
    return reader_expect(&p->r, '}');
}

static bool read_quad(struct parser *p, uint32_t *words)
{
    struct token t;
    uint64_t word;
    reader_number(&p->r, &t);
    if (!reader_integer(t.word, &word) || t.word[0] == '-')
        return reader_fail(&p->r, t.at, "expected the 64-bit word behind .quad");
    amd_set_word(words, word);
    return true;
}

/* ".long 0x1": the third word behind an instruction of two. */
static bool read_long(struct parser *p, uint32_t *words)
{
    struct token t;
    uint64_t word;
    unsigned count = amd_fields_of(p->g, words) ? amd_insn_words(p->g, words[0]) : 2;
    if (!reader_accept(&p->r, '.'))
        return true;
    reader_name(&p->r, &t);
    if (!reader_same(t.word, "long") || count == AMD_INSN_WORDS)
        return reader_fail(&p->r, t.at, "expected the end of the line");
    reader_number(&p->r, &t);
    if (!reader_integer(t.word, &word) || word > UINT32_MAX)
        return reader_fail(&p->r, t.at, "expected the 32-bit word behind .long");
    words[count] = (uint32_t)word;
    return true;
}

/* The operation of this name. LLVM knows the old names on GFX11, too: buffer_load_dword is buffer_load_b32.
 */
static const struct amd_op *find_operation(enum amd_generation g, const char *name)
{
    for (const struct amd_op *op = amd_ops; op < amd_ops + amd_op_count; op++) {
        const char *usual = amd_op_name(g, op);
        if (usual && (reader_same(usual, name) || (amd_is_gfx11(g) && reader_same(op->old_name, name))))
            return op;
    }
    return NULL;
}

/* Fails on a name that is no operation of this generation: another generation's name, or a slip. */
static bool fail_operation(struct parser *p, const struct token *t)
{
    for (const struct amd_op *op = amd_ops; op < amd_ops + amd_op_count; op++) {
        const char *here = amd_op_name(p->g, op);
        if (reader_same(op->name, t->word) || reader_same(op->old_name, t->word))
            return reader_fail(&p->r, t->at,
                               here ? "%s calls '%s' %s (--isa, or a case's 'generation', chooses another)"
                                    : "%s has no '%s' (--isa, or a case's 'generation', chooses another)",
                               amd_generation_names[p->g], t->word, here);
    }
    return reader_fail_unknown(&p->r, t, "an instruction", op_name_at, p);
}

static bool read_line(struct parser *p, uint32_t *words)
{
    struct token t;
    if (reader_accept(&p->r, '.')) {
        reader_name(&p->r, &t);
        return reader_same(t.word, "quad") ? read_quad(p, words) : reader_fail(&p->r, t.at, "expected .quad");
    }
    reader_name(&p->r, &t);
    const struct amd_op *op = find_operation(p->g, t.word);
    if (!op)
        return fail_operation(p, &t);
    amd_insn_canonical(p->g, op, &p->i);
    bool good = op->kind == AMD_CACHE      ? !amd_text_has_scopes(p->g, op) || read_modifiers(p)
                : op->encoding == AMD_SMEM ? read_scalar(p)
                                           : read_vector(p);
    if (!good)
        return false;
    amd_encode_words(p->g, &p->i, words);
    return read_leftover(p, words);
}

/* Adds the line with blanks in place of comments: those behind ';' and "//", and those of C. Returns false if
 * a comment of C has no end. */
static bool without_comments(const char *chars, size_t count, struct text *t)
{
    text_add_chars(t, chars, count);
    for (size_t n = 0; n < count; n++) {
        char c = t->chars[n], next = n + 1 < count ? t->chars[n + 1] : 0;
        size_t end = count;
        if (c == '/' && next == '*') {
            for (end = n + 2; end + 1 < count && (chars[end] != '*' || chars[end + 1] != '/');)
                end++;
            if (end + 1 >= count)
                return false;
            end += 2;
        } else if (c != ';' && (c != '/' || next != '/')) {
            continue;
        }
        memset(t->chars + n, ' ', end - n);
    }
    return true;
}

bool amd_is_blank(const char *chars, size_t count)
{
    struct text t = {0};
    bool blank = without_comments(chars, count, &t);
    for (size_t n = 0; n < t.length && blank; n++)
        blank = char_is_space(t.chars[n]);
    text_free(&t);
    return blank;
}

bool amd_parse_words(enum amd_generation g, const char *chars, size_t count, uint32_t *words, struct error *e)
{
    struct text t = {0};
    bool good = without_comments(chars, count, &t);
    const char *start = text_chars(&t);
    struct parser p = {.r = {.start = start, .p = start, .end = start + t.length, .error = e}, .g = g};
    good = good ? read_line(&p, words) && read_long(&p, words)
                : reader_fail(&p.r, start, "a comment has no end in this line");
    good = good && (reader_at_end(&p.r) || reader_fail(&p.r, p.r.p, "expected the end of the line"));
    text_free(&t);
    return good;
}

bool amd_parse(enum amd_generation g, const char *chars, size_t count, uint64_t *word, struct error *e)
{
    uint32_t words[AMD_INSN_WORDS] = {0};
    bool good = amd_parse_words(g, chars, count, words, e);
    *word = good ? amd_word(words) : 0;
    return good;
}
