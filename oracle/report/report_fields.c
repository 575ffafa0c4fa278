/* SPDX-License-Identifier: MIT */
/* Draws bit-field diagrams (report_svg.h) of the encoded words of a case. */
#include "oracle/report/report_page.h"
#include "oracle/report/report_svg.h"

#include <inttypes.h>
#include <string.h>

enum {
    BIT_WIDTH = 27,
    BOX_HEIGHT = 24,
    BITS_TOP = 12,
    LETTER_WIDTH = 6,
    NAME_ROOM = 14,
    VALUE_LETTER = 7,
    LINE_BITS = 32
};

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

/* Returns the height that a field's name needs below its box. The name is written horizontally if it fits,
 * otherwise vertically. */
static unsigned name_height(const struct bit_field *f, const struct part *p)
{
    unsigned letters = (unsigned)strlen(f->name), room = (p->high - p->low + 1) * BIT_WIDTH;
    return letters * LETTER_WIDTH + 4 <= room ? NAME_ROOM : letters * LETTER_WIDTH + 8;
}

static void draw_field(const struct bit_field *f, const struct part *p, const uint32_t *words, unsigned count,
                       unsigned y, struct text *t)
{
    unsigned x = (LINE_BITS - 1 - p->high) * BIT_WIDTH + 1, width = (p->high - p->low + 1) * BIT_WIDTH,
             middle = x + width / 2;
    uint64_t value = field_value(f, words, count);
    const char *named = value_name(f, value);
    bool fits = named && strlen(named) * VALUE_LETTER + 4 <= width;
    xml_add(t, "<g><title>%s, bits %u:%u = %" PRIu64 " (0x%" PRIX64 ")%s%s", f->name, f->low + f->width - 1U,
            f->low, value, value, named ? ": " : "", named ? named : "");
    text_add(t, "</title><rect class=\"f%s\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%d\"/>",
             value ? " s" : "", x, y, width, BOX_HEIGHT);
    text_add(t, "<text class=\"v\" x=\"%u\" y=\"%u\">", middle, y + BOX_HEIGHT - 8);
    if (fits)
        escape_xml(t, named);
    else
        text_add(t, f->width >= 8 && value >= 10 ? "0x%" PRIX64 : "%" PRIu64, value);
    text_add(t, "</text>");
    if (name_height(f, p) == NAME_ROOM)
        text_add(t, "<text class=\"w\" x=\"%u\" y=\"%u\">", middle, y + BOX_HEIGHT + 11);
    else
        text_add(t, "<text class=\"w e\" transform=\"translate(%u %u) rotate(-90)\">", middle + 4,
                 y + BOX_HEIGHT + 4);
    escape_xml(t, f->name);
    text_add(t, "</text><text class=\"h\" x=\"%u\" y=\"%u\">%u</text>", p->high == p->low ? middle : x + 9,
             y - 3, p->high + p->line * LINE_BITS);
    if (p->high != p->low)
        text_add(t, "<text class=\"h\" x=\"%u\" y=\"%u\">%u</text>", x + width - 9, y - 3,
                 p->low + p->line * LINE_BITS);
    text_add(t, "</g>");
}

void svg_bit_fields(const struct bit_field *fields, const uint32_t *words, unsigned count, struct text *t)
{
    unsigned height[8] = {0}, all = 0, lines = count < 8 ? count : 8;
    struct part p;
    for (unsigned line = 0; line < lines; line++) {
        for (const struct bit_field *f = fields; f->name; f++)
            if (part_of(f, line, &p) && name_height(f, &p) > height[line])
                height[line] = name_height(f, &p);
        /* a word without fields needs no line */
        height[line] += height[line] ? BITS_TOP + BOX_HEIGHT + 6 : 0;
        all += height[line];
    }
    text_add(t, "<div class=\"scroll\">");
    html_svg(t, "bits", LINE_BITS * BIT_WIDTH + 2, all, "bit fields");
    for (unsigned i = 0, y = BITS_TOP; i < lines; i++) {
        unsigned line = lines - 1 - i;
        if (!height[line])
            continue;
        text_add(t, "<rect class=\"k\" x=\"1\" y=\"%u\" width=\"%d\" height=\"%d\"/>", y,
                 LINE_BITS * BIT_WIDTH, BOX_HEIGHT);
        for (const struct bit_field *f = fields; f->name; f++)
            if (part_of(f, line, &p))
                draw_field(f, &p, words, count, y, t);
        y += height[line];
    }
    text_add(t, "</svg></div>");
}

static void word_caption(const char *what, const uint32_t *words, unsigned count, const char *text,
                         struct text *t)
{
    xml_add(t, "<p class=\"word\"><span>%s</span> <code>", what);
    for (unsigned i = count; i > 0; i--)
        text_add(t, "%08X%s", words[i - 1], i > 1 ? " " : "");
    xml_add(t, text[0] ? "</code> <code>%s</code></p>" : "</code>%s</p>", text);
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
    for (unsigned i = 0; i < count && (!is_list || i < f->max); i++, words += size) {
        const struct bit_field *bits = is_code ? code->bits(words) : fields;
        if (!bits)
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
