/* SPDX-License-Identifier: MIT */
/* Parses instructions. amd_text.c has the grammar. */
#include "model/amd/amd_format.h"
#include "model/amd/encoding/amd_insn.h"
#include "model/amd/encoding/amd_operand.h"
#include "model/text/reader.h"

#include <string.h>

struct parser {
    struct reader r;
    enum amd_generation g;
    struct amd_insn i;
    const char *vdata_at, *vaddr_at; /* for errors about their counts, known once the modifiers are read */
    unsigned vdata_count, vaddr_count;
    uint32_t given; /* modifiers so far, by their row in `modifiers` */
};

/* ---- names, for errors that suggest the nearest; "-": none ---- */

static const char *op_name_at(const void *context, unsigned n)
{
    const struct parser *p = context;
    const char *name = n < amd_op_count ? amd_op_name(p->g, &amd_ops[n]) : NULL;
    return name || n >= amd_op_count ? name : "-";
}

static const char *operand_name_at(const void *context, unsigned n)
{
    return amd_operand_name_at(((const struct parser *)context)->g, n);
}

static const char *list_name_at(const void *context, unsigned n)
{
    return ((const char *const *)context)[n];
}

static const char *field_name_at(const void *context, unsigned n)
{
    return ((const struct bit_field *)context)[n].name;
}

/* Fails as reader_fail_unknown does, where the names are in capitals. */
static bool fail_capital(struct parser *p, const struct token *t, const char *word, const char *what,
                         const char *(*name)(const void *, unsigned), const void *names)
{
    struct token found = {.at = t->at};
    for (unsigned n = 0; word[n]; n++)
        found.word[n] = char_upper(word[n]);
    return reader_fail_unknown(&p->r, &found, what, name, names);
}

/* ---- numbers ---- */

static bool read_number(struct parser *p, uint32_t most, const char *what, uint32_t *value)
{
    uint64_t v;
    if (!reader_whole(&p->r, most, what, &v))
        return false;
    *value = (uint32_t)v;
    return true;
}

/* A number with sign that fits `bits` bits, or that many without a sign. */
static bool read_signed(struct parser *p, unsigned bits, bool is_signed, int32_t *value)
{
    struct token t;
    uint64_t v;
    reader_number(&p->r, &t);
    if (!reader_integer(t.word, &v))
        return reader_fail(&p->r, t.at, "expected a number of bytes");
    bool negative = t.word[0] == '-';
    uint64_t magnitude = negative ? 0U - v : v, limit = UINT64_C(1) << (is_signed ? bits - 1 : bits);
    if (magnitude > limit || (magnitude == limit && !negative) || (negative && !is_signed && magnitude))
        return reader_fail(&p->r, t.at, "the offset has %u bits%s", bits,
                           is_signed ? " and a sign" : " without a sign");
    *value = negative ? -(int32_t)magnitude : (int32_t)magnitude;
    return true;
}

/* ---- registers ---- */

/* Splits "v12" or "s[8:11]" into file and registers. False if the token is neither; `good` is false after an
 * error. */
static bool split_register(struct parser *p, struct token *t, uint32_t *first, unsigned *count, bool *good)
{
    char *digits = t->word + strcspn(t->word, "0123456789");
    uint64_t v;
    *good = true;
    *count = 1;
    if (*digits) {
        if (digits == t->word || !reader_integer(digits, &v) || v > UINT32_MAX)
            return false;
        *first = (uint32_t)v;
        *digits = 0;
        return true;
    }
    if (!t->word[0] || p->r.p == p->r.end || *p->r.p != '[')
        return false;
    uint32_t last = 0;
    *good = reader_expect(&p->r, '[') && read_number(p, UINT16_MAX, "the first register", first) &&
            reader_expect(&p->r, ':') && read_number(p, UINT16_MAX, "the last register", &last) &&
            reader_expect(&p->r, ']');
    if (*good && last < *first)
        *good = reader_fail(&p->r, t->at, "the last register comes before the first");
    *count = last - *first + 1;
    return true;
}

static bool read_vgprs(struct parser *p, bool off, uint32_t *first, unsigned *count, const char **at)
{
    struct token t;
    bool good;
    reader_name(&p->r, &t);
    *at = t.at;
    if (off && reader_same(t.word, "off")) {
        *count = 0;
        return true;
    }
    struct token file = t;
    if (!split_register(p, &file, first, count, &good) || (good && !reader_same(file.word, "v")))
        return reader_fail(&p->r, t.at, "expected VGPRs: v0, v[0:3]%s", off ? ", or off" : "");
    if (good && *first > 255)
        return reader_fail(&p->r, t.at, "VGPRs are v0 to v255");
    return good;
}

/* `count` scalar registers. The hardware needs a multiple of `align` first, the field a code that is a
 * multiple of `code_align`. */
struct scalars {
    unsigned count, align, code_align;
    const char *what;
};
static const struct scalars one_scalar = {1, 1, 1, "the offset: an SGPR, m0, null or a number"};

static bool read_scalars(struct parser *p, const struct scalars *wanted, uint32_t *code)
{
    unsigned count = wanted->count;
    struct token t;
    uint32_t first = 0;
    unsigned found;
    bool good;
    reader_name(&p->r, &t);
    struct token file = t;
    int c = -1;
    if (split_register(p, &file, &first, &found, &good)) {
        if (!good)
            return false;
        c = amd_operand_register(p->g, file.word, first, count);
        if (c >= 0 && found != count)
            return reader_fail(&p->r, t.at, "expected %u register%s, found %u", count, count > 1 ? "s" : "",
                               found);
        unsigned align = reader_same(file.word, "src") ? wanted->code_align : wanted->align;
        if (c >= 0 && first % align)
            return reader_fail(&p->r, t.at, "the first register must be a multiple of %u", align);
        if (c < 0 && (reader_same(file.word, "s") || reader_same(file.word, "ttmp")))
            return reader_fail(&p->r, t.at, "%s has no such registers", amd_generation_names[p->g]);
    }
    if (c < 0)
        c = amd_operand_named(p->g, t.word, count);
    if (c < 0)
        return reader_fail_unknown(&p->r, &t, wanted->what, operand_name_at, p);
    *code = (uint32_t)c;
    return true;
}

/* An inline constant: -16 .. 64 or one of nine floats. */
static bool read_constant(struct parser *p, uint32_t *code)
{
    struct token t;
    uint64_t v;
    uint32_t bits, value;
    reader_number(&p->r, &t);
    if (reader_integer(t.word, &v) && (v <= 64 || 0U - v <= 16)) {
        *code = v <= 64 ? 128 + (uint32_t)v : 192 + (uint32_t)(0U - v);
        return true;
    }
    if (reader_float(t.word, &bits))
        for (*code = 240; *code <= 248; ++*code)
            if (amd_soffset_source(p->g, *code, &value) == AMD_SOURCE_CONSTANT && value == bits)
                return true;
    return reader_fail(&p->r, t.at,
                       "expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
                       "0.15915494");
}

static bool read_soffset(struct parser *p, uint32_t *code)
{
    char next = reader_peek(&p->r);
    if (reader_at_number(&p->r) || next == '-' || next == '.')
        return read_constant(p, code);
    return read_scalars(p, &one_scalar, code);
}

/* ---- modifiers ---- */

/* The part of a word behind a prefix; NULL if it has another. */
static const char *behind(const char *word, const char *prefix)
{
    size_t n = strlen(prefix);
    return strncmp(word, prefix, n) == 0 ? word + n : NULL;
}

/* As reader_find_name, for names in capitals. */
static int find_capital(const char *const *names, const char *word)
{
    for (int n = 0; names[n]; n++)
        if (names_equal(names[n], word))
            return n;
    return -1;
}

static bool read_unified(struct parser *p)
{
    struct token t;
    reader_name(&p->r, &t);
    const char *name = behind(t.word, "buf_fmt_"), *const *names = p->g == AMD_GFX11 ? amd_gfx11_format_names
                                                                                     : amd_gfx10_format_names;
    int code = name ? find_capital(names, name) : -1;
    if (code < 0)
        return fail_capital(p, &t, name ? name : "", "BUF_FMT_ and a format of this generation", list_name_at,
                            names);
    p->i.format = (uint32_t)code;
    return true;
}

/* `rest` names a layout or a number; the reserved ones are written with their code. */
static int find_format_part(const char *const *names, const char *rest, const char *reserved, int code)
{
    return reader_same(rest, reserved) ? code : find_capital(names, rest);
}

static bool read_two_formats(struct parser *p)
{
    p->i.format = AMD_FORMAT_DEFAULT;
    do {
        struct token t;
        reader_name(&p->r, &t);
        const char *data = behind(t.word, "buf_data_format_"), *number = behind(t.word, "buf_num_format_");
        int code = -1;
        if (data)
            code = find_format_part(amd_layout_names, data, "reserved_15", AMD_LAYOUT_RESERVED);
        else if (number)
            code = find_format_part(amd_number_names, number, "reserved_6", AMD_NUMBER_RESERVED);
        if (code < 0)
            return reader_fail(
                &p->r, t.at,
                "expected BUF_DATA_FORMAT_... or BUF_NUM_FORMAT_...: 32, 8_8_8_8, ... and UNORM, FLOAT, ...");
        p->i.format =
            data ? (p->i.format & ~15U) | (uint32_t)code : (p->i.format & 15U) | (uint32_t)code << 4;
    } while (reader_accept(&p->r, ','));
    return true;
}

static bool read_format(struct parser *p)
{
    if (!reader_accept(&p->r, '['))
        return read_number(p, AMD_FORMAT_CODES - 1, "a format", &p->i.format);
    return (amd_is_gcn(p->g) ? read_two_formats(p) : read_unified(p)) && reader_expect(&p->r, ']');
}

static bool read_offset(struct parser *p)
{
    return read_number(p, 4095, "the immediate offset (12 bits, unsigned)", &p->i.offset);
}

enum { ON_VECTOR = 1, ON_SCALAR = 2, ON_TYPED = 4 };

static const struct modifier {
    const char *name;
    uint16_t member;                /* of struct amd_insn, for a flag */
    uint8_t encodings;              /* ON_... */
    uint8_t generations;            /* bit g */
    bool (*read)(struct parser *p); /* what follows the name and ':'; NULL: a flag */
} modifiers[] = {
    {"idxen", offsetof(struct amd_insn, idxen), ON_VECTOR, 15, NULL},
    {"offen", offsetof(struct amd_insn, offen), ON_VECTOR, 15, NULL},
    {"offset", 0, ON_VECTOR, 15, read_offset},
    {"format", 0, ON_TYPED, 15, read_format},
    {"glc", offsetof(struct amd_insn, glc), ON_VECTOR | ON_SCALAR, 15, NULL},
    {"slc", offsetof(struct amd_insn, slc), ON_VECTOR, 15, NULL},
    {"dlc", offsetof(struct amd_insn, dlc), ON_VECTOR | ON_SCALAR, 1 << AMD_GFX11 | 1 << AMD_GFX10, NULL},
    {"tfe", offsetof(struct amd_insn, tfe), ON_VECTOR, 15, NULL},
    {"lds", offsetof(struct amd_insn, lds), ON_VECTOR, 1 << AMD_GFX10 | 1 << AMD_GFX9 | 1 << AMD_GFX8, NULL},
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
                    : op->encoding == AMD_MTBUF ? ON_VECTOR | ON_TYPED
                                                : ON_VECTOR;
    if (!(m->encodings & here) || !(m->generations >> p->g & 1) || op->kind == AMD_CACHE)
        return false;
    if (m->member == offsetof(struct amd_insn, lds))
        return op->lds_bit;
    if (m->member == offsetof(struct amd_insn, tfe))
        return op->encoding == AMD_MUBUF && (op->kind == AMD_LOAD || op->kind == AMD_STORE);
    if (m->member == offsetof(struct amd_insn, dlc))
        return amd_text_has_dlc(p->g, &p->i);
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
    while (!reader_at_end(&p->r) && reader_peek(&p->r) != '{') {
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

/* Reads vdata and vaddr. A load to LDS has vaddr alone; on GFX8 to GFX10 only the modifier at the end shows
 * that it is one. */
static bool read_vgpr_operands(struct parser *p)
{
    uint32_t first = 0;
    unsigned count = 0;
    const char *at;
    bool may_lack = p->i.op->kind == AMD_LOAD_LDS || (p->i.op->lds_bit && p->g != AMD_GFX11);
    if (!read_vgprs(p, may_lack, &first, &count, &at) || !reader_expect(&p->r, ','))
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
    return read_vgprs(p, true, &p->i.vaddr, &p->vaddr_count, &p->vaddr_at) && reader_expect(&p->r, ',');
}

static bool read_vector(struct parser *p)
{
    static const struct scalars resource = {4, 4, 4, "the V#: s[0:3], s[4:7], ..."};
    uint32_t code = 0;
    if (p->i.op->kind == AMD_STORE_LDS)
        p->i.lds = 0; /* the text has it as a modifier */
    else if (!read_vgpr_operands(p))
        return false;
    if (!read_scalars(p, &resource, &code) || !reader_expect(&p->r, ','))
        return false;
    p->i.srsrc = code / 4;
    return read_soffset(p, &p->i.soffset) && read_modifiers(p) && check_counts(p);
}

static bool read_scalar(struct parser *p)
{
    static const struct scalars resource = {4, 4, 2, "the V#: s[0:3], s[4:7], ..."};
    unsigned count = amd_data_registers(p->g, &p->i), bits = p->g == AMD_GFX8 ? 20 : 21;
    const struct scalars data = {count, count > 4 ? 4 : count, 1, "the destination's SGPRs"};
    uint32_t code = 0;
    int soffset = -1;
    int32_t offset = 0;
    bool immediate = false;
    if (!read_scalars(p, &data, &p->i.vdata) || !reader_expect(&p->r, ',') ||
        !read_scalars(p, &resource, &code) || !reader_expect(&p->r, ','))
        return false;
    p->i.srsrc = code / 2;
    if (reader_at_number(&p->r) || reader_peek(&p->r) == '-') {
        if (!read_signed(p, bits, p->g != AMD_GFX8, &offset))
            return false;
    } else {
        if (!read_scalars(p, &one_scalar, &code))
            return false;
        soffset = (int)code;
        const char *at = p->r.p;
        struct token t;
        reader_name(&p->r, &t);
        immediate = p->g != AMD_GFX8 && reader_same(t.word, "offset");
        if (!immediate)
            p->r.p = at;
        else if (!reader_expect(&p->r, ':') || !read_signed(p, bits, true, &offset))
            return false;
    }
    amd_text_set_scalar_offset(p->g, soffset, offset, immediate, &p->i);
    return read_modifiers(p);
}

/* "{UNUSED=3, VADDR=7}": sets fields of the word that the rest of the text means. */
static bool read_leftover(struct parser *p, uint64_t *word)
{
    const struct bit_field *fields = amd_bit_fields(p->g, *word), *f;
    if (!reader_accept(&p->r, '{'))
        return true;
    do {
        struct token t;
        uint32_t value = 0;
        reader_name(&p->r, &t);
        for (f = fields; f->name && !names_equal(f->name, t.word);)
            f++;
        if (!f->name)
            return fail_capital(p, &t, t.word, "a field of this encoding", field_name_at, fields);
        if (!strcmp(f->name, "OP") || !strcmp(f->name, "OPM") || !strcmp(f->name, "ENCODING"))
            return reader_fail(&p->r, t.at, "the instruction's name determines %s: it cannot be set here",
                               f->name);
        uint64_t mask = (UINT64_C(1) << f->width) - 1;
        if (!reader_expect(&p->r, '=') || !read_number(p, (uint32_t)mask, "the field's value", &value))
            return false;
        *word = (*word & ~(mask << f->low)) | (uint64_t)value << f->low;
    } while (reader_accept(&p->r, ','));
    return reader_expect(&p->r, '}');
}

static bool read_quad(struct parser *p, uint64_t *word)
{
    struct token t;
    reader_number(&p->r, &t);
    if (!reader_integer(t.word, word) || t.word[0] == '-')
        return reader_fail(&p->r, t.at, "expected the 64-bit word behind .quad");
    return true;
}

/* Fails on a name that is no operation of this generation: another generation's name, or a slip. */
static bool fail_operation(struct parser *p, const struct token *t)
{
    for (const struct amd_op *op = amd_ops; op < amd_ops + amd_op_count; op++) {
        const char *here = amd_op_name(p->g, op), *there = p->g == AMD_GFX11 ? op->old_name : op->name;
        if (there && reader_same(there, t->word))
            return reader_fail(&p->r, t->at,
                               here ? "%s calls '%s' %s (--isa, or a case's 'generation', chooses another)"
                                    : "%s has no '%s' (--isa, or a case's 'generation', chooses another)",
                               amd_generation_names[p->g], t->word, here);
    }
    return reader_fail_unknown(&p->r, t, "an instruction", op_name_at, p);
}

static bool read_line(struct parser *p, uint64_t *word)
{
    struct token t;
    if (reader_accept(&p->r, '.')) {
        reader_name(&p->r, &t);
        return reader_same(t.word, "quad") ? read_quad(p, word) : reader_fail(&p->r, t.at, "expected .quad");
    }
    reader_name(&p->r, &t);
    const struct amd_op *op = NULL;
    for (unsigned n = 0; n < amd_op_count && !op; n++) {
        const char *name = amd_op_name(p->g, &amd_ops[n]);
        if (name && reader_same(name, t.word))
            op = &amd_ops[n];
    }
    if (!op)
        return fail_operation(p, &t);
    amd_insn_canonical(p->g, op, &p->i);
    if (op->kind != AMD_CACHE && !(op->encoding == AMD_SMEM ? read_scalar(p) : read_vector(p)))
        return false;
    *word = amd_encode(p->g, &p->i);
    return read_leftover(p, word);
}

bool amd_parse(enum amd_generation g, const char *chars, size_t count, uint64_t *word, struct error *e)
{
    const char *end = chars + count;
    for (const char *c = chars; c + 1 < chars + count && end == chars + count; c++)
        if (c[0] == '/' && c[1] == '/')
            end = c;
    struct parser p = {.r = {.start = chars, .p = chars, .end = end, .error = e}, .g = g};
    if (!read_line(&p, word))
        return false;
    return reader_at_end(&p.r) || reader_fail(&p.r, p.r.p, "expected the end of the line");
}
