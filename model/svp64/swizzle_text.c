/* SPDX-License-Identifier: MIT */
/* The text of swizzle moves, printed and parsed; swizzle_insn.h describes it. */
#include "model/svp64/swizzle_insn.h"
#include "model/text/reader.h"

#include <stddef.h>
#include <string.h>

static const char letters[SELECTORS + 1] = ".E01XYZW";

/* Names of predicates by MASKMODE, then by MASK or MASK_SRC (openpower-isa power_enums.py). "": no predicate.
 */
static const char *const masks[2][9] = {
    {"", "1<<r3", "r3", "~r3", "r10", "~r10", "r30", "~r30", NULL},
    {"lt", "ge", "gt", "le", "eq", "ne", "so", "ns", NULL},
};
static const char *const widths[WIDTHS + 1] = {"64", "32", "16", "8", NULL};

const char swizzle_syntax[] = "mv.swiz r4, r8, XYZW                 # scalar\n"
                              "fmv.swiz f4, f8, XYZW                # scalar, of floats\n"
                              "sv.mv.swiz/vec4 r4.v, r8.v, WZYX     # vectorised\n"
                              "sv.mv.swiz/vec2/dw=8/sw=16/dm=r3/sm=r10/sats/sz r4.v, r8.v, XY..\n"
                              "# Each position is X, Y, Z, W, 0, 1, '.' (skipped) or E (the end).\n";

static const char *mask(unsigned i)
{
    return i < 8 ? i ? masks[0][i] : "-" : masks[1][i - 8];
}

const struct code_names swizzle_syntax_names[] = {{"predicates", mask}, {NULL, NULL}};

/* ---- print ---- */

static void print_mode(unsigned mode, struct text *t)
{
    static const char *const kinds[8] = {
        [MODE_SIMPLE] = "", [MODE_SATURATE_UNSIGNED] = "/satu", [MODE_SATURATE_SIGNED] = "/sats"};
    const char *kind = kinds[mode >> MODE_KIND_SHIFT];
    if (!kind) {
        text_add(t, "/mode=%u", mode);
        return;
    }
    text_add(t, "%s%s%s", kind, mode & MODE_DZ ? "/dz" : "", mode & MODE_SZ ? "/sz" : "");
}

static void print_prefix(const struct swizzle_insn *i, struct text *t)
{
    const uint8_t *f = i->field;
    const char *dm = masks[f[SWIZZLE_MASKMODE]][f[SWIZZLE_MASK]],
               *sm = masks[f[SWIZZLE_MASKMODE]][f[SWIZZLE_MASK_SRC]];
    if (f[SWIZZLE_SINGLE])
        text_add(t, "/single");
    if (f[SWIZZLE_SUBVL])
        text_add(t, "/vec%u", f[SWIZZLE_SUBVL] + 1U);
    if (f[SWIZZLE_ELWIDTH])
        text_add(t, "/dw=%s", widths[f[SWIZZLE_ELWIDTH]]);
    if (f[SWIZZLE_ELWIDTH_SRC])
        text_add(t, "/sw=%s", widths[f[SWIZZLE_ELWIDTH_SRC]]);
    if (*dm)
        text_add(t, "/dm=%s", dm);
    if (*sm)
        text_add(t, "/sm=%s", sm);
    print_mode(f[SWIZZLE_MODE], t);
}

static void print_register(const struct swizzle_insn *i, enum swizzle_field field, enum swizzle_field extra,
                           struct text *t)
{
    text_add(t, "%c%u%s, ", swizzle_is_fp(i) ? 'f' : 'r', swizzle_register(i->field[field], i->field[extra]),
             i->field[extra] & SWIZZLE_EXTRA_VECTOR ? ".v" : "");
}

void swizzle_print(const uint32_t *words, struct text *t)
{
    struct swizzle_insn i;
    if (!swizzle_decode(words, &i)) {
        text_add(t, "raw %08x %08x", (unsigned)words[0], (unsigned)words[1]);
        return;
    }
    text_add(t, "%s%s", i.field[SWIZZLE_PREFIX] ? "sv." : "", swizzle_is_fp(&i) ? "fmv.swiz" : "mv.swiz");
    if (i.field[SWIZZLE_PREFIX])
        print_prefix(&i, t);
    text_add(t, " ");
    print_register(&i, SWIZZLE_RT, SWIZZLE_EXTRA_DST, t);
    print_register(&i, SWIZZLE_RA, SWIZZLE_EXTRA_SRC, t);
    for (unsigned p = 0; p < SWIZZLE_POSITIONS; p++)
        text_add(t, "%c", letters[swizzle_selector(&i, p)]);
}

/* ---- parse ---- */

/* Reads the longest of the names that comes next as a whole word. Returns its index, or READER_NONE. */
static int accept_one_of(struct reader *r, const char *const *names)
{
    int best = READER_NONE;
    size_t longest = 0;
    for (int n = 0; names[n]; n++) {
        size_t length = strlen(names[n]);
        bool here = length > longest && (size_t)(r->end - r->p) >= length && !strncmp(r->p, names[n], length);
        if (here && (r->p + length == r->end || !char_is_alphanumeric(r->p[length]))) {
            best = n;
            longest = length;
        }
    }
    r->p += longest;
    return best;
}

static bool accept(struct reader *r, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(r->end - r->p) < length || strncmp(r->p, word, length) != 0)
        return false;
    r->p += length;
    return true;
}

struct suffixes {
    int mask_mode;  /* MASKMODE of the predicates read so far; READER_NONE before the first */
    int whole_mode; /* the MODE of a suffix mode=N; READER_NONE without one */
    unsigned mode;  /* the MODE that the other suffixes give */
};

static bool parse_mask(struct reader *r, struct swizzle_insn *i, struct suffixes *s, enum swizzle_field field)
{
    const char *at = r->p;
    for (int mode = 0; mode < 2; mode++) {
        int mask = accept_one_of(r, masks[mode]);
        if (mask == READER_NONE)
            continue;
        if (s->mask_mode != READER_NONE && s->mask_mode != mode)
            return reader_fail(
                r, at, "one predicate is in a register, the other in the CR; both must be in the same");
        s->mask_mode = mode;
        i->field[field] = (uint8_t)mask;
        i->field[SWIZZLE_MASKMODE] = (uint8_t)mode;
        return true;
    }
    return reader_fail(
        r, at,
        "expected a predicate: 1<<r3, r3, ~r3, r10, ~r10, r30, ~r30, lt, ge, gt, le, eq, ne, so or ns");
}

/* Parses a width and sets both fields, which may be the same one. */
static bool parse_width(struct reader *r, struct swizzle_insn *i, enum swizzle_field field,
                        enum swizzle_field other)
{
    const char *at = r->p;
    int width = accept_one_of(r, widths);
    if (width <= WIDTH_64)
        return reader_fail(r, at, "expected an element width: 8, 16 or 32 (left out: 64)");
    i->field[field] = i->field[other] = (uint8_t)width;
    return true;
}

static bool parse_whole_mode(struct reader *r, struct suffixes *s)
{
    struct token t;
    uint64_t value;
    reader_number(r, &t);
    if (!reader_integer(t.word, &value) || value > 31)
        return reader_fail(r, t.at, "expected MODE, a number up to 31");
    s->whole_mode = (int)value;
    return true;
}

static bool parse_suffix(struct reader *r, struct swizzle_insn *i, struct suffixes *s)
{
    static const char *const flags[] = {"vec2", "vec3", "vec4", "satu", "sats", "dz", "sz", "single", NULL};
    const char *at = r->p;
    if (accept(r, "dm="))
        return parse_mask(r, i, s, SWIZZLE_MASK);
    if (accept(r, "sm="))
        return parse_mask(r, i, s, SWIZZLE_MASK_SRC);
    if (accept(r, "dw="))
        return parse_width(r, i, SWIZZLE_ELWIDTH, SWIZZLE_ELWIDTH);
    if (accept(r, "sw="))
        return parse_width(r, i, SWIZZLE_ELWIDTH_SRC, SWIZZLE_ELWIDTH_SRC);
    if (accept(r, "ew="))
        return parse_width(r, i, SWIZZLE_ELWIDTH, SWIZZLE_ELWIDTH_SRC);
    if (accept(r, "mode="))
        return parse_whole_mode(r, s);
    int flag = accept_one_of(r, flags);
    switch (flag) {
    case READER_NONE:
        return reader_fail(
            r, at, "expected vec2 to vec4, ew=, dw=, sw=, dm=, sm=, satu, sats, dz, sz, single or mode=");
    case 3:
    case 4:
        s->mode &= MODE_DZ | MODE_SZ; /* the last saturation suffix counts */
        s->mode |= (flag == 3 ? MODE_SATURATE_UNSIGNED : 0U + MODE_SATURATE_SIGNED) << MODE_KIND_SHIFT;
        break;
    case 5:
        s->mode |= MODE_DZ;
        break;
    case 6:
        s->mode |= MODE_SZ;
        break;
    case 7:
        i->field[SWIZZLE_SINGLE] = 1;
        break;
    default:
        i->field[SWIZZLE_SUBVL] = (uint8_t)(flag + 1);
    }
    return true;
}

static bool parse_prefix(struct reader *r, struct swizzle_insn *i)
{
    struct suffixes s = {.mask_mode = READER_NONE, .whole_mode = READER_NONE};
    const char *at = r->p;
    i->field[SWIZZLE_PREFIX] = 1;
    while (r->p < r->end && *r->p == '/') {
        r->p++;
        if (!parse_suffix(r, i, &s))
            return false;
    }
    if (s.whole_mode != READER_NONE && s.mode)
        return reader_fail(r, at, "mode= sets all of MODE: remove satu, sats, dz and sz");
    i->field[SWIZZLE_MODE] = (uint8_t)(s.whole_mode != READER_NONE ? (unsigned)s.whole_mode : s.mode);
    return true;
}

/* Parses "r8," or "r8.v,". */
static bool parse_register(struct reader *r, struct swizzle_insn *i, enum swizzle_field field,
                           enum swizzle_field extra)
{
    struct token t, suffix;
    uint64_t number = 0;
    unsigned most = i->field[SWIZZLE_PREFIX] ? 127 : 31;
    char file = swizzle_is_fp(i) ? 'f' : 'r';
    reader_peek(r);
    reader_name(r, &t);
    if (t.word[0] != file || !char_is_digit(t.word[1]) || !reader_integer(t.word + 1, &number) ||
        number > most)
        return reader_fail(r, t.at, "expected a register, %c0 to %c%u", file, file, most);
    bool vector = reader_suffix(r, &suffix);
    if (vector && (!i->field[SWIZZLE_PREFIX] || i->field[SWIZZLE_SINGLE] || strcmp(suffix.word, "v") != 0))
        return reader_fail(r, suffix.at,
                           "expected \".v\", which only registers of a prefixed instruction (sv.) without "
                           "/single can have");
    i->field[field] = (uint8_t)(vector ? number >> 2 : number & 31);
    i->field[extra] = (uint8_t)(vector ? SWIZZLE_EXTRA_VECTOR | (number & 3) : number >> 5);
    return reader_expect(r, ',');
}

static bool parse_selectors(struct reader *r, struct swizzle_insn *i)
{
    unsigned p = 0;
    reader_peek(r);
    for (; p < SWIZZLE_POSITIONS && r->p < r->end; p++, r->p++) {
        const char *letter = memchr(letters, char_upper(*r->p), SELECTORS);
        if (!letter)
            break;
        i->field[SWIZZLE_SELECT_X - p] = (uint8_t)(letter - letters);
    }
    if (p == 0 || (r->p < r->end && char_is_alphanumeric(*r->p) && p < SWIZZLE_POSITIONS))
        return reader_fail(
            r, r->p,
            "expected up to four letters of . E 0 1 X Y Z W, one for each position of the destination");
    if (p < SWIZZLE_POSITIONS && i->field[SWIZZLE_PREFIX] && !i->field[SWIZZLE_SINGLE])
        i->field[SWIZZLE_SELECT_X - p] = SELECT_END;
    return true;
}

static bool parse_raw(struct reader *r, uint32_t *words)
{
    for (unsigned n = 0; n < SWIZZLE_WORDS; n++) {
        char digits[2 + TOKEN_MAX + 1] = "0x";
        struct token t;
        uint64_t value;
        reader_peek(r);
        reader_name(r, &t);
        memcpy(digits + 2, t.word, sizeof t.word);
        if (!t.word[0] || strlen(t.word) > 8 || !reader_integer(digits, &value))
            return reader_fail(r, t.at, "expected \"raw\" and two words of up to eight hexadecimal digits");
        words[n] = (uint32_t)value;
    }
    return true;
}

static bool parse_move(struct reader *r, struct token *t, uint32_t *words)
{
    struct swizzle_insn i = {.field = {[SWIZZLE_XO] = SWIZZLE_XO_MV}};
    struct token swiz;
    bool prefixed = !strcmp(t->word, "sv");
    const char *at = t->at;
    if (prefixed && !reader_suffix(r, t))
        t->word[0] = '\0';
    if (!strcmp(t->word, "fmv"))
        i.field[SWIZZLE_XO] = SWIZZLE_XO_FMV;
    else if (strcmp(t->word, "mv") != 0)
        t->word[0] = '\0';
    if (!t->word[0] || !reader_suffix(r, &swiz) || strcmp(swiz.word, "swiz") != 0)
        return reader_fail(r, at, "expected mv.swiz, fmv.swiz, sv.mv.swiz, sv.fmv.swiz or raw");
    if (prefixed && !parse_prefix(r, &i))
        return false;
    if (!parse_register(r, &i, SWIZZLE_RT, SWIZZLE_EXTRA_DST) ||
        !parse_register(r, &i, SWIZZLE_RA, SWIZZLE_EXTRA_SRC) || !parse_selectors(r, &i))
        return false;
    swizzle_encode(&i, words);
    return true;
}

bool swizzle_parse(const char *text, size_t count, uint32_t *words, struct error *e)
{
    struct reader r = {text, text, text + count, e};
    struct token t;
    reader_peek(&r);
    reader_name(&r, &t);
    if (!(strcmp(t.word, "raw") ? parse_move(&r, &t, words) : parse_raw(&r, words)))
        return false;
    return reader_at_end(&r) || reader_fail(&r, r.p, "expected the end of the line");
}
