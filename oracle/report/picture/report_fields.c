/* SPDX-License-Identifier: MIT */
/* Draws bit-field diagrams (report_svg.h) of the encoded words of a case. */
#include "oracle/report/picture/report_svg.h"
#include "oracle/report/report_page.h"

#include <inttypes.h>
#include <string.h>

enum { BIT_WIDTH = 27, LETTER_WIDTH = 6, VALUE_LETTER = 7, LINE_BITS = 32 };

/* The part of a field that is in one line of 32 bits. */
struct part {
    unsigned line, high, low; /* the bits within the line */
};

static bool part_of(const struct bit_field *f, unsigned line, struct part *p)
{
    unsigned low = f->low, high = f->low + f->width - 1U, first = line * LINE_BITS,
             last = first + LINE_BITS - 1;
    if (f->width == 0 || high < first || low > last)
        return false;
    p->line = line;
    p->low = (low > first ? low : first) - first;
    p->high = (high < last ? high : last) - first;
    return true;
}

static uint64_t field_value(const struct bit_field *f, const uint32_t *words, unsigned count)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < f->width && i < 64; i++) {
        unsigned bit = f->low + i;
        if (bit / 32 < count)
            value |= (uint64_t)((words[bit / 32] >> (bit % 32)) & 1) << i;
    }
    return value;
}

static const char *value_name(const struct bit_field *f, uint64_t value)
{
    for (unsigned i = 0; f->values && f->values[i]; i++)
        if (i == value)
            return f->values[i];
    return NULL;
}

/* Adds the cell of a field's part: its bits, its value, its name. The name is vertical if it does not fit.
 * What of number and name is not in the cell is in its attribute data-v, for the script. */
static void draw_field(const struct bit_field *f, const struct part *p, const uint32_t *words, unsigned count,
                       struct text *t)
{
    unsigned bits = p->high - p->low + 1, width = bits * BIT_WIDTH, first = p->line * LINE_BITS;
    uint64_t value = field_value(f, words, count);
    const char *named = value_name(f, value);
    bool fits = named && strlen(named) * VALUE_LETTER + 4 <= width;
    text_add(t, value ? "<td class=\"s\" colspan=\"%u\"" : "<td colspan=\"%u\"", bits);
    if (fits)
        text_add(t, " data-v=\"%" PRIu64 "\"", value);
    else if (named)
        xml_add(t, " data-v=\"%s\"", named);
    text_add(t, bits > 1 ? "><i>%u:%u</i><b>" : "><i>%u</i><b>", p->high + first, p->low + first);
    if (fits)
        escape_xml(t, named);
    else
        text_add(t, f->width >= 8 && value >= 10 ? "0x%" PRIX64 : "%" PRIu64, value);
    xml_add(t,
            strlen(f->name) * LETTER_WIDTH + 4 <= width ? "</b><u>%s</u></td>"
                                                        : "</b><u class=\"n\">%s</u></td>",
            f->name);
}

/* Returns the field whose part in this line begins at the bit `high` of the line; NULL if none does. */
static const struct bit_field *field_at(const struct bit_field *fields, unsigned line, unsigned high,
                                        struct part *p)
{
    const struct bit_field *found = NULL;
    struct part part;
    for (const struct bit_field *f = fields; f->name; f++)
        if (part_of(f, line, &part) && part.high == high) {
            found = f;
            *p = part;
        }
    return found;
}

/* Adds one line of 32 bits, the highest first. A word without fields adds none. */
static void draw_line(const struct bit_field *fields, unsigned line, const uint32_t *words, unsigned count,
                      struct text *t)
{
    struct text cells = {0};
    struct part p;
    bool any = false;
    for (unsigned left = LINE_BITS, gap = 0; left;) {
        const struct bit_field *f = field_at(fields, line, left - 1, &p);
        gap += !f;
        left -= f ? p.high - p.low + 1 : 1;
        if (gap && (!left || field_at(fields, line, left - 1, &p))) {
            text_add(&cells, "<td class=\"g\" colspan=\"%u\"></td>", gap);
            gap = 0;
        }
        if (f)
            draw_field(f, &p, words, count, &cells);
        any = any || f;
    }
    if (any)
        text_add(t, "<tr>%s</tr>", text_chars(&cells));
    text_free(&cells);
}

void svg_bit_fields(const struct bit_field *fields, const uint32_t *words, unsigned count, struct text *t)
{
    text_add(t, "<div class=\"scroll\"><table class=\"bits\"><tbody>");
    for (unsigned line = count < 8 ? count : 8; line > 0; line--)
        draw_line(fields, line - 1, words, count, t);
    text_add(t, "</tbody></table></div>");
}

static void word_caption(const char *what, const uint32_t *words, unsigned count, const char *text,
                         struct text *t)
{
    xml_add(t, "<p class=\"word\"><span>%s</span> <code>", what);
    for (unsigned i = count; i > 0; i--)
        text_add(t, "%08X%s", words[i - 1], i > 1 ? " " : "");
    xml_add(t, text[0] ? "</code> <code>%s</code></p>" : "</code>%s</p>", text);
}

/* Has the field drawn these words before? Then once is enough: programs have many nops. */
static bool is_drawn(const uint32_t *first, const uint32_t *words, unsigned size)
{
    for (; first < words; first += size)
        if (!memcmp(first, words, size * sizeof *words))
            return true;
    return false;
}

/* Draws the words of one field of a case: instructions, a setup word, or a list of setup words. */
static void each_word(const struct test_case *c, const struct field *f, unsigned most, unsigned *drawn,
                      unsigned *left_out, struct text *t)
{
    const struct code *code = case_code(c);
    const struct bit_field *fields = case_bits(c, f);
    bool is_code = f->kind == FIELD_CODE && code && code->bits, is_list = is_code || f->kind == FIELD_WORDS;
    if (!is_code && !(fields && (f->kind == FIELD_WORD || f->kind == FIELD_WORDS)))
        return;
    const uint32_t *words = case_field_const(c, f);
    unsigned size = is_code ? code->words : 1, count = is_list ? words[0] : 1;
    words += is_list ? 1 : 0;
    const uint32_t *first = words;
    for (unsigned i = 0; i < count && (!is_list || i < f->max); i++, words += size) {
        const struct bit_field *bits = is_code ? code->bits(words) : fields;
        if (!bits || is_drawn(first, words, size))
            continue;
        if (*drawn >= most) {
            ++*left_out;
            continue;
        }
        struct text name = {0}, text = {0};
        text_add(&name, is_list ? "%s %u" : "%s", f->name, i);
        if (is_code)
            code->print(words, &text);
        word_caption(text_chars(&name), words, size, text_chars(&text), t);
        svg_bit_fields(bits, words, size, t);
        text_free(&name);
        text_free(&text);
        ++*drawn;
    }
}

unsigned svg_case_words(const struct test_case *c, unsigned most, unsigned *left_out, struct text *t)
{
    unsigned drawn = 0;
    *left_out = 0;
    for (unsigned i = 0; i < c->unit->schema.field_count; i++)
        each_word(c, &c->unit->schema.fields[i], most, &drawn, left_out, t);
    return drawn;
}
