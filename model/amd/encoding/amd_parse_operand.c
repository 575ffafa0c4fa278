/* SPDX-License-Identifier: MIT */
/* Parses the operands of instructions: numbers, registers, constants, formats. */
#include "model/amd/encoding/amd_format.h"
#include "model/amd/encoding/amd_operand.h"
#include "model/amd/encoding/amd_parser.h"

#include <inttypes.h>
#include <string.h>

/* ---- numbers ---- */

/* "12", "0x1f", "0b101", and octal "017", as LLVM reads them. */
static bool integer_of(const char *word, uint64_t *value)
{
    bool prefixed = word[0] == '0' && word[1];
    unsigned base = !prefixed ? 10 : word[1] == 'x' ? 16 : word[1] == 'b' ? 2 : 8;
    const char *c = word + (base == 16 || base == 2 ? 2 : 0);
    if (!*c)
        return false;
    for (*value = 0; *c; c++) {
        unsigned digit = char_is_digit(*c)       ? (unsigned)(*c - '0')
                         : char_is_hex_digit(*c) ? (unsigned)(*c - 'a') + 10
                                                 : base;
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

enum { NESTING_MAX = 32, TIGHTEST = 3 };

static bool read_level(struct parser *p, unsigned level, unsigned nesting, uint64_t *value);

static bool read_primary(struct parser *p, unsigned nesting, uint64_t *value)
{
    struct token t;
    char sign = reader_peek(&p->r);
    if (nesting > NESTING_MAX)
        return reader_fail(&p->r, p->r.p, "the expression is nested too deeply");
    if (sign == '-' || sign == '+' || sign == '~') {
        (void)reader_accept(&p->r, sign);
        if (!read_primary(p, nesting + 1, value))
            return false;
        *value = sign == '-' ? 0U - *value : sign == '~' ? ~*value : *value;
        return true;
    }
    if (reader_accept(&p->r, '('))
        return read_level(p, 1, nesting + 1, value) && reader_expect(&p->r, ')');
    if (!char_is_digit(sign))
        return reader_fail(&p->r, p->r.p, "expected a number");
    reader_name(&p->r, &t);
    return integer_of(t.word, value) || reader_fail(&p->r, t.at, "'%s' is no number", t.word);
}

/* Accepts a binary operator of this level; 0 if none comes. '<' and '>' stand for shifts. */
static char accept_operator(struct parser *p, unsigned level)
{
    static const char operators[][8] = {[1] = "+-", [2] = "|&^", [3] = "*/%<>"};
    char c = reader_peek(&p->r);
    bool shift = c == '<' || c == '>', doubled = p->r.end - p->r.p > 1 && p->r.p[1] == c;
    if (!c || !strchr(operators[level], c) || (shift && !doubled))
        return 0;
    p->r.p += shift ? 2 : 1;
    return c;
}

/* Values have 64 bits and a sign, like LLVM's. */
static bool apply(struct parser *p, const char *at, char operator, uint64_t b, uint64_t *a)
{
    bool divides = operator== '/' || operator== '%', shifts = operator== '<' || operator== '>';
    if (divides && b == 0)
        return reader_fail(&p->r, at, "division by zero");
    if (shifts && b > 63)
        return reader_fail(&p->r, at, "a shift is by 0 to 63 bits");
    bool minus_a = *a >> 63, minus_b = b >> 63;
    uint64_t size_a = minus_a ? 0U - *a : *a, size_b = minus_b ? 0U - b : b;
    switch (operator) {
    case '+':
        *a += b;
        break;
    case '-':
        *a -= b;
        break;
    case '|':
        *a |= b;
        break;
    case '&':
        *a &= b;
        break;
    case '^':
        *a ^= b;
        break;
    case '*':
        *a *= b;
        break;
    case '/':
        *a = minus_a != minus_b ? 0U - size_a / size_b : size_a / size_b;
        break;
    case '%':
        *a = minus_a ? 0U - size_a % size_b : size_a % size_b;
        break;
    case '<':
        *a <<= b;
        break;
    default: /* arithmetic, as GNU's assembler */
        *a = *a >> b | (minus_a && b ? ~UINT64_C(0) << (64 - b) : 0);
    }
    return true;
}

static bool read_level(struct parser *p, unsigned level, unsigned nesting, uint64_t *value)
{
    uint64_t right;
    if (level > TIGHTEST)
        return read_primary(p, nesting, value);
    if (!read_level(p, level + 1, nesting, value))
        return false;
    for (;;) {
        const char *at = p->r.p;
        char operator= accept_operator(p, level);
        if (!operator)
            return true;
        if (!read_level(p, level + 1, nesting, &right) || !apply(p, at, operator, right, value))
            return false;
    }
}

bool amd_read_expression(struct parser *p, uint64_t *value)
{
    return read_level(p, 1, 0, value);
}

bool amd_at_number(struct parser *p)
{
    char c = reader_peek(&p->r);
    return char_is_digit(c) || (c && strchr("+-~(.", c));
}

bool amd_read_number(struct parser *p, uint32_t most, const char *what, uint32_t *value)
{
    uint64_t v;
    reader_peek(&p->r);
    const char *at = p->r.p;
    if (!amd_at_number(p) || *at == '.')
        return reader_fail(&p->r, at, "expected %s from 0 to %" PRIu32, what, most);
    if (!amd_read_expression(p, &v))
        return false;
    *value = (uint32_t)v;
    return v <= most || reader_fail(&p->r, at, "expected %s from 0 to %" PRIu32 ", found '%.*s'", what, most,
                                    (int)(p->r.p - at < 80 ? p->r.p - at : 80), at);
}

bool amd_read_signed(struct parser *p, unsigned bits, bool is_signed, int32_t *value)
{
    uint64_t v;
    reader_peek(&p->r);
    const char *at = p->r.p;
    if (!amd_at_number(p) || *at == '.')
        return reader_fail(&p->r, at, "expected a number of bytes");
    if (!amd_read_expression(p, &v))
        return false;
    bool negative = v >> 63;
    uint64_t magnitude = negative ? 0U - v : v, limit = UINT64_C(1) << (is_signed ? bits - 1 : bits);
    if (magnitude > limit || (magnitude == limit && !negative) || (negative && !is_signed))
        return reader_fail(&p->r, at, "the offset has %u bits%s", bits,
                           is_signed ? " and a sign" : " without a sign");
    *value = negative ? -(int32_t)magnitude : (int32_t)magnitude;
    return true;
}

/* ---- registers ---- */

/* "5]" or "8:11]" behind a file's name and "[". */
static bool read_range(struct parser *p, const char *at, uint32_t *first, unsigned *count)
{
    uint32_t last;
    if (!amd_read_number(p, UINT16_MAX, "the first register", first))
        return false;
    last = *first;
    if (reader_accept(&p->r, ':') && !amd_read_number(p, UINT16_MAX, "the last register", &last))
        return false;
    if (!reader_expect(&p->r, ']'))
        return false;
    *count = last - *first + 1;
    return last >= *first || reader_fail(&p->r, at, "the last register comes before the first");
}

/* Does the word begin with the name of a register file of `length` characters? */
static bool is_file(const char *word, size_t length)
{
    static const char *const files[] = {"v", "a", "s", "ttmp", "src"};
    for (size_t n = 0; n < sizeof files / sizeof *files; n++)
        if (strlen(files[n]) == length && !memcmp(files[n], word, length))
            return true;
    return false;
}

/* Splits "v12", "v[12]" or "s[8:11]" into file and registers. False if the token is no register; `good` is
 * false after an error. */
static bool split_register(struct parser *p, struct token *t, uint32_t *first, unsigned *count, bool *good)
{
    char *digits = t->word + strcspn(t->word, "0123456789");
    uint64_t v;
    *good = true;
    *count = 1;
    if (!is_file(t->word, (size_t)(digits - t->word)))
        return false;
    if (*digits) {
        if (!reader_integer(digits, &v) || v > UINT32_MAX)
            return false;
        *first = (uint32_t)v;
        *digits = 0;
        return true;
    }
    if (p->r.p == p->r.end || *p->r.p != '[')
        return false;
    *good = reader_expect(&p->r, '[') && read_range(p, t->at, first, count);
    return true;
}

static bool fail_list(struct parser *p, const struct token *t)
{
    return reader_fail(&p->r, t->at, "expected single registers, one after the other: [s8,s9,s10,s11]");
}

/* Reads "[s8,s9,s10,s11]" behind the '[' as the register "s" with its first and count; a list of named
 * registers, [vcc_lo,vcc_hi], as their name: vcc. */
static bool read_list(struct parser *p, struct token *t, bool *is_register, uint32_t *first, unsigned *count)
{
    int last = -1;
    *count = 0;
    do {
        struct token next;
        uint32_t number = 0;
        unsigned one;
        bool good;
        reader_name(&p->r, &next);
        struct token file = next;
        bool numbered = split_register(p, &file, &number, &one, &good);
        if (!good)
            return false;
        int code = !numbered ? amd_operand_named(p->g, next.word, 1)
                   : reader_same(file.word, "v") || reader_same(file.word, "a")
                       ? (int)(number & 0xFFFF)
                       : amd_operand_register(p->g, file.word, number, 1);
        if (*count == 0) {
            *t = numbered ? file : next;
            *is_register = numbered;
            *first = number;
        } else if (numbered != *is_register || (numbered && !reader_same(file.word, t->word))) {
            return fail_list(p, &next);
        }
        if (code < 0 || one != 1 || (*count > 0 && code != last + 1))
            return fail_list(p, &next);
        last = code;
        ++*count;
    } while (reader_accept(&p->r, ','));
    char *low = *is_register || *count == 1 ? NULL : strstr(t->word, "_lo");
    if (low)
        *low = 0;
    return reader_expect(&p->r, ']');
}

/* Reads registers in any spelling. `t` becomes their file, or the name of a special register if they have no
 * numbers. */
static bool read_registers(struct parser *p, struct token *t, bool *is_register, uint32_t *first,
                           unsigned *count)
{
    bool good;
    *first = 0;
    *count = 1;
    if (reader_accept(&p->r, '[')) {
        const char *at = p->r.p;
        good = read_list(p, t, is_register, first, count);
        t->at = at - 1;
        return good;
    }
    reader_name(&p->r, t);
    struct token file = *t;
    *is_register = split_register(p, &file, first, count, &good);
    if (*is_register)
        *t = file;
    return good;
}

bool amd_read_vgprs(struct parser *p, bool off, bool acc, uint32_t *first, unsigned *count, const char **at)
{
    struct token t;
    bool is_register;
    if (!read_registers(p, &t, &is_register, first, count))
        return false;
    *at = t.at;
    if (off && !is_register && reader_same(t.word, "off")) {
        *count = 0;
        return true;
    }
    bool is_acc = acc && is_register && reader_same(t.word, "a");
    if (!is_acc && (!is_register || !reader_same(t.word, "v")))
        return reader_fail(&p->r, t.at, "expected VGPRs: v0, v[0:3]%s", off ? ", or off" : "");
    if (*first > 255)
        return reader_fail(&p->r, t.at,
                           is_acc ? "accumulation registers are a0 to a255" : "VGPRs are v0 to v255");
    *first += is_acc ? AMD_ACC : 0;
    return true;
}

const struct scalars amd_one_scalar = {1, 1, 1, "the offset: an SGPR, m0, null or a number"};

static const char *operand_name_at(const void *context, unsigned n)
{
    return amd_operand_name_at(((const struct parser *)context)->g, n);
}

bool amd_read_scalars(struct parser *p, const struct scalars *wanted, uint32_t *code)
{
    unsigned count = wanted->count, found;
    struct token t;
    uint32_t first;
    bool is_register;
    int c = -1;
    if (!read_registers(p, &t, &is_register, &first, &found))
        return false;
    if (is_register) {
        c = amd_operand_register(p->g, t.word, first, count);
        if (c >= 0 && found != count)
            return reader_fail(&p->r, t.at, "expected %u register%s, found %u", count, count > 1 ? "s" : "",
                               found);
        unsigned align = reader_same(t.word, "src") ? wanted->code_align : wanted->align;
        if (c >= 0 && first % align)
            return reader_fail(&p->r, t.at, "the first register must be a multiple of %u", align);
        if (c < 0 && (reader_same(t.word, "s") || reader_same(t.word, "ttmp")))
            return reader_fail(&p->r, t.at, "%s has no such registers", amd_generation_names[p->g]);
    } else {
        c = amd_operand_named(p->g, t.word, count);
    }
    if (c < 0)
        return reader_fail_unknown(&p->r, &t, wanted->what, operand_name_at, p);
    *code = (uint32_t)c;
    return true;
}

/* The code of the constant with these bits; 0 if there is none. */
static uint32_t constant_code(enum amd_generation g, uint32_t bits)
{
    uint32_t value;
    for (uint32_t code = 128; code <= 248; code++)
        if (amd_soffset_source(g, code, &value) == AMD_SOURCE_CONSTANT && value == bits)
            return code;
    return 0;
}

/* Reads an inline constant: -16 .. 64, or one of nine floats as a number or as its bits. */
static bool read_constant(struct parser *p, uint32_t *code)
{
    struct token t;
    uint32_t bits;
    uint64_t v;
    reader_peek(&p->r);
    const char *at = p->r.p;
    reader_number(&p->r, &t);
    if (!reader_float(t.word, &bits)) {
        p->r.p = at;
        if (!amd_read_expression(p, &v))
            return false;
        bits = (uint32_t)v;
        *code = v <= UINT32_MAX || v >= UINT64_MAX - INT32_MAX ? constant_code(p->g, bits) : 0;
    } else {
        *code = constant_code(p->g, bits);
    }
    return *code ||
           reader_fail(&p->r, at,
                       "expected an inline constant: -16 to 64, 0.5, 1.0, 2.0, 4.0, their negatives, or "
                       "0.15915494");
}

bool amd_read_soffset(struct parser *p, uint32_t *code)
{
    return amd_at_number(p) ? read_constant(p, code) : amd_read_scalars(p, &amd_one_scalar, code);
}

/* ---- formats ---- */

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

bool amd_fail_capital(struct parser *p, const struct token *t, const char *word, const char *what,
                      const char *(*name)(const void *, unsigned), const void *names)
{
    struct token found = {.at = t->at};
    for (unsigned n = 0; word[n]; n++)
        found.word[n] = char_upper(word[n]);
    return reader_fail_unknown(&p->r, &found, what, name, names);
}

static const char *list_name_at(const void *context, unsigned n)
{
    return ((const char *const *)context)[n];
}

static bool read_unified(struct parser *p, const struct token *t, const char *name)
{
    const char *const *names = amd_is_gfx11(p->g) ? amd_gfx11_format_names : amd_gfx10_format_names;
    int code = find_capital(names, name);
    p->i.format = (uint32_t)code;
    return code >= 0 ||
           amd_fail_capital(p, t, name, "BUF_FMT_ and a format of this generation", list_name_at, names);
}

/* `rest` names a layout or a number; the reserved ones are written with their code. */
static int find_format_part(const char *const *names, const char *rest, const char *reserved, int code)
{
    return reader_same(rest, reserved) ? code : find_capital(names, rest);
}

/* Sets the format's DFMT (`data`) or NFMT. */
static void set_half(struct parser *p, bool data, uint32_t code)
{
    p->i.format = data ? (p->i.format & ~15U) | code : (p->i.format & 15U) | code << 4;
}

/* Reads one or two names behind "[", the first of which is `t`. */
static bool read_two_formats(struct parser *p, struct token t)
{
    const char *at = t.at;
    p->i.format = AMD_FORMAT_DEFAULT;
    for (;;) {
        const char *data = behind(t.word, "buf_data_format_"), *number = behind(t.word, "buf_num_format_");
        int code = data     ? find_format_part(amd_layout_names, data, "reserved_15", AMD_LAYOUT_RESERVED)
                   : number ? find_format_part(amd_number_names, number, "reserved_6", AMD_NUMBER_RESERVED)
                            : -1;
        if (code < 0)
            return reader_fail(
                &p->r, t.at,
                "expected BUF_DATA_FORMAT_... or BUF_NUM_FORMAT_...: 32, 8_8_8_8, ... and UNORM, FLOAT, ...");
        set_half(p, data != NULL, (uint32_t)code);
        if (!reader_accept(&p->r, ','))
            break;
        reader_name(&p->r, &t);
    }
    if (amd_is_gcn(p->g))
        return true;
    int unified =
        amd_format_code(p->g, (enum amd_layout)(p->i.format & 15), (enum amd_number)(p->i.format >> 4));
    p->i.format = (uint32_t)unified;
    return unified >= 0 || reader_fail(&p->r, at, "%s has no such format", amd_generation_names[p->g]);
}

bool amd_read_format(struct parser *p)
{
    struct token t;
    if (!reader_accept(&p->r, '['))
        return amd_read_number(p, AMD_FORMAT_CODES - 1, "a format", &p->i.format);
    reader_name(&p->r, &t);
    const char *name = behind(t.word, "buf_fmt_");
    bool two = amd_is_gcn(p->g) || behind(t.word, "buf_data_") || behind(t.word, "buf_num_");
    return (two ? read_two_formats(p, t) : read_unified(p, &t, name ? name : "")) &&
           reader_expect(&p->r, ']');
}

bool amd_read_data_format(struct parser *p)
{
    uint32_t code = 0;
    if (!amd_read_number(p, 15, "a data format", &code))
        return false;
    set_half(p, true, code);
    return true;
}

bool amd_read_number_format(struct parser *p)
{
    uint32_t code = 0;
    if (!amd_read_number(p, 7, "a number format", &code))
        return false;
    set_half(p, false, code);
    return true;
}
