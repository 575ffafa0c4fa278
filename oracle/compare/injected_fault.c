/* SPDX-License-Identifier: MIT */
#include "oracle/compare/injected_fault.h"

#include <stdlib.h>
#include <string.h>

/* One row of a region as it was and as it is. */
struct row {
    const uint32_t *before;
    uint32_t *now;
    uint32_t cols, mask; /* words a row, meaningful bits of each */
};

struct injected_fault_kind {
    const char *name, *about;
    uint32_t (*operand)(uint32_t value, uint32_t number,
                        uint32_t width); /* of operands: what the board takes a bit field for */
    uint32_t (*word)(uint32_t value,
                     uint32_t number); /* of results, word by word: what a changed word becomes */
    void (*row)(const struct row *r, uint32_t number); /* row by row */
    bool shifts_rows;                                  /* the rows change their places */
    uint32_t least, most;                              /* of the number */
};

static uint32_t low_bits(uint32_t width)
{
    return width >= 32 ? UINT32_MAX : (UINT32_C(1) << width) - 1;
}

static uint32_t add_to_operand(uint32_t value, uint32_t number, uint32_t width)
{
    return (value + number) & low_bits(width);
}

static uint32_t set_operand(uint32_t value, uint32_t number, uint32_t width)
{
    (void)value;
    return number & low_bits(width);
}

static uint32_t flip_operand_bit(uint32_t value, uint32_t number, uint32_t width)
{
    return number < width ? value ^ UINT32_C(1) << number : value;
}

static uint32_t ignore_operand_bit(uint32_t value, uint32_t number, uint32_t width)
{
    (void)width;
    return value & ~(UINT32_C(1) << number);
}

static uint32_t swap_bytes(uint32_t value, uint32_t number)
{
    uint32_t shift = 8 * number, both = (value >> shift & 0xFF) << 8 | (value >> shift >> 8 & 0xFF);
    return (value & ~(UINT32_C(0xFFFF) << shift)) | both << shift;
}

static uint32_t clear_bit(uint32_t value, uint32_t number)
{
    return value & ~(UINT32_C(1) << number);
}

static uint32_t set_bit(uint32_t value, uint32_t number)
{
    return value | UINT32_C(1) << number;
}

static uint32_t add_to_word(uint32_t value, uint32_t number)
{
    return value + number;
}

static uint32_t clamp_word(uint32_t value, uint32_t number)
{
    return value > low_bits(number) ? low_bits(number) : value;
}

static void drop_lane(const struct row *r, uint32_t number)
{
    if (number < r->cols)
        r->now[number] = r->before[number];
}

static void turn_lanes(const struct row *r, uint32_t number)
{
    uint32_t turned[ROW_WORDS_MAX];
    for (uint32_t i = 0; i < r->cols; i++)
        turned[(i + number) % r->cols] = r->now[i];
    memcpy(r->now, turned, r->cols * sizeof *turned);
}

static const struct injected_fault_kind kinds[] = {
    {.name = "operand-add",
     .about = "adds NUMBER to an operand (off by one)",
     .operand = add_to_operand,
     .most = UINT32_MAX},
    {.name = "operand-set",
     .about = "takes an operand for NUMBER, whatever it is (a condition ignored)",
     .operand = set_operand,
     .most = UINT32_MAX},
    {.name = "operand-flip",
     .about = "inverts bit NUMBER of an operand",
     .operand = flip_operand_bit,
     .most = 31},
    {.name = "operand-ignore",
     .about = "takes bit NUMBER of an operand for 0",
     .operand = ignore_operand_bit,
     .most = 31},
    {.name = "lane-drop",
     .about = "does not write lane NUMBER of a row",
     .row = drop_lane,
     .most = ROW_WORDS_MAX - 1},
    {.name = "lane-turn",
     .about = "writes a row turned by NUMBER lanes",
     .row = turn_lanes,
     .least = 1,
     .most = ROW_WORDS_MAX - 1},
    {.name = "row-shift",
     .about = "writes NUMBER rows further on",
     .shifts_rows = true,
     .least = 1,
     .most = OUTCOME_ROWS_MAX - 1},
    {.name = "byte-swap",
     .about = "exchanges bytes NUMBER and NUMBER+1 of a word it writes",
     .word = swap_bytes,
     .most = 2},
    {.name = "bit-clear", .about = "writes bit NUMBER of a word as 0", .word = clear_bit, .most = 31},
    {.name = "bit-set", .about = "writes bit NUMBER of a word as 1", .word = set_bit, .most = 31},
    {.name = "value-add",
     .about = "adds NUMBER to a word it writes",
     .word = add_to_word,
     .least = 1,
     .most = UINT32_MAX},
    {.name = "value-clamp",
     .about = "writes at most 2^NUMBER-1 (a wrong saturation)",
     .word = clamp_word,
     .least = 1,
     .most = 31},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *injected_fault_kind_name(unsigned i, const char **about, bool *of_operands)
{
    if (i >= KINDS)
        return NULL;
    *about = kinds[i].about;
    *of_operands = kinds[i].operand != NULL;
    return kinds[i].name;
}

/* --- parsing
 * ------------------------------------------------------------------------------------------------------------------
 */

static const char *kind_name_at(const void *context, unsigned i)
{
    (void)context;
    return i < KINDS ? kinds[i].name : NULL;
}

static const char *place_name_at(const void *context, unsigned i)
{
    const struct unit *u = context;
    if (i < u->schema.field_count)
        return u->schema.fields[i].name;
    i -= u->schema.field_count;
    return i < u->layout.region_count ? u->layout.regions[i].name : NULL;
}

static bool parse_place(const struct unit *u, char *place, struct injected_fault *d, struct error *e)
{
    char *dot = strchr(place, '.');
    if (!d->kind->operand) {
        d->region = layout_region_named(&u->layout, place);
        return d->region || error_unknown(e, "region of the unit's outcome", place, place_name_at, u, NULL);
    }
    if (dot)
        *dot = 0;
    d->field = schema_field(&u->schema, place);
    if (!d->field)
        return error_unknown(e, "field of the unit's case", place, place_name_at, u, NULL);
    if (d->field->kind == FIELD_IMAGE)
        return error_set(
            e, "'%s' is what the board starts from, no operand; deviate in a region of the outcome instead",
            place);
    if (dot && strlen(dot + 1) >= sizeof d->bits)
        return error_set(e, "'%.60s' is too long for a bit field", dot + 1);
    memcpy(d->bits, dot ? dot + 1 : "", dot ? strlen(dot + 1) + 1 : 1);
    if (d->field->kind == FIELD_CODE && !d->bits[0])
        return error_set(e, "say which bit field of the instructions: %s.NAME", place);
    return true;
}

bool injected_fault_parse(const struct unit *u, const char *text, struct injected_fault *d, struct error *e)
{
    char part[3][64] = {"", "", ""}, *end;
    unsigned parts = 0;
    for (const char *p = text; parts < 3; parts++) {
        size_t length = strcspn(p, ":");
        if (length >= sizeof part[0])
            break;
        memcpy(part[parts], p, length);
        p += length;
        if (!*p++)
            break;
    }
    *d = (struct injected_fault){0};
    for (unsigned i = 0; i < KINDS && !d->kind; i++)
        if (!strcmp(kinds[i].name, part[0]))
            d->kind = &kinds[i];
    if (!d->kind)
        return error_unknown(e, "kind of deviation", part[0], kind_name_at, NULL, NULL);
    if (parts != 2 || !part[2][0])
        return error_set(e, "'%.60s': a deviation is written KIND:PLACE:NUMBER", text);
    unsigned long number = strtoul(part[2], &end, 0);
    if (*end || part[2][0] == '-' || number < d->kind->least || number > d->kind->most)
        return error_set(e, "'%s': %s wants a number from %u to %u", part[2], d->kind->name,
                         (unsigned)d->kind->least, (unsigned)d->kind->most);
    d->number = (uint32_t)number;
    return parse_place(u, part[1], d, e);
}

bool injected_faults_parse(const struct unit *u, const char *text,
                           struct injected_fault d[INJECTED_FAULTS_MAX], unsigned *count, struct error *e)
{
    *count = 0;
    while (*text == '~') {
        char one[160];
        size_t length = strcspn(++text, "~");
        if (*count == INJECTED_FAULTS_MAX || length >= sizeof one)
            return error_set(e, "at most %d deviations of fewer than %d characters", INJECTED_FAULTS_MAX,
                             (int)sizeof one);
        memcpy(one, text, length);
        one[length] = 0;
        if (!injected_fault_parse(u, one, &d[*count], e))
            return false;
        ++*count;
        text += length;
    }
    return true;
}

/* --- operands
 * -----------------------------------------------------------------------------------------------------------------
 */

/* Up to 32 bits of a list of words. */
static uint32_t get_bits(const uint32_t *words, uint32_t low, uint32_t width)
{
    uint64_t both = words[low / 32];
    if (low % 32 + width > 32)
        both |= (uint64_t)words[low / 32 + 1] << 32;
    return (uint32_t)(both >> (low % 32)) & low_bits(width);
}

static void put_bits(uint32_t *words, uint32_t low, uint32_t width, uint32_t value)
{
    for (uint32_t i = 0; i < width; i++) {
        uint32_t bit = UINT32_C(1) << ((low + i) % 32), *word = &words[(low + i) / 32];
        *word = value >> i & 1 ? *word | bit : *word & ~bit;
    }
}

/* The bit field of this name in a word or instruction; false if it has none. */
static bool change_bits(const struct injected_fault *d, const struct bit_field *f, uint32_t *words)
{
    for (; f && f->name; f++)
        if (!strcmp(f->name, d->bits)) {
            uint32_t value = d->kind->operand(get_bits(words, f->low, f->width), d->number, f->width);
            put_bits(words, f->low, f->width, value);
            return true;
        }
    return false;
}

void injected_fault_change_case(const struct injected_fault *d, struct test_case *c)
{
    if (!d->kind->operand)
        return;
    const struct field *f = d->field;
    uint32_t *count, *word = case_field(c, f), items = 1, stride = 1;
    if (f->kind == FIELD_CODE || f->kind == FIELD_WORDS || f->kind == FIELD_UNIFORMS) {
        stride = field_item_words(c->unit, f);
        word = case_items(c, f, &count);
        items = *count;
    }
    for (uint32_t i = 0; i < items; i++, word += stride) {
        uint32_t *value = f->kind == FIELD_UNIFORMS ? word + 1 : word; /* struct case_uniform */
        const struct bit_field *bits = f->kind == FIELD_CODE
                                           ? (case_code(c)->bits ? case_code(c)->bits(word) : NULL)
                                       : f->kind == FIELD_WORD ? case_bits(c, f)
                                                               : NULL;
        if (d->bits[0])
            change_bits(d, bits, value);
        else
            *value = d->kind->operand(*value, d->number, 32);
    }
    case_sanitise(c);
}

/* --- results
 * ------------------------------------------------------------------------------------------------------------------
 */

static bool row_changed(const struct row *r)
{
    return memcmp(r->before, r->now, r->cols * sizeof *r->now) != 0;
}

static void change_words(const struct row *r, const struct injected_fault *d)
{
    for (uint32_t i = 0; i < r->cols; i++)
        if (r->now[i] != r->before[i])
            r->now[i] = d->kind->word(r->now[i], d->number) & r->mask;
}

/* What row n was to hold stands in row n + number, and row n is as it was. From the last row down, so that
 * nothing is overwritten before it moved. */
static void shift_rows(const struct injected_fault *d, const struct outcome *before, struct outcome *o)
{
    uint32_t width = o->unit->layout.row_words, first = d->region->first_row;
    for (uint32_t row = d->region->rows; row-- > 0;) {
        struct row r = {before->value + (first + row) * width, outcome_row(o, first + row, width),
                        d->region->cols, 0};
        uint32_t to = row + d->number;
        if (!outcome_touched(o, first + row) || !row_changed(&r))
            continue;
        if (to < d->region->rows) {
            memcpy(outcome_row(o, first + to, width), r.now, r.cols * sizeof *r.now);
            outcome_touch(o, first + to);
        }
        memcpy(r.now, r.before, r.cols * sizeof *r.now);
    }
}

void injected_fault_change_outcome(const struct injected_fault *d, const struct outcome *before,
                                   struct outcome *o)
{
    if (d->kind->operand || o->end != END_DONE)
        return;
    if (d->kind->shifts_rows) {
        shift_rows(d, before, o);
        return;
    }
    uint32_t width = o->unit->layout.row_words;
    for (uint32_t row = d->region->first_row; row < (uint32_t)d->region->first_row + d->region->rows; row++) {
        struct row r = {before->value + row * width, outcome_row(o, row, width), d->region->cols,
                        low_bits(d->region->bits)};
        if (!outcome_touched(o, row) || !row_changed(&r))
            continue;
        if (d->kind->word)
            change_words(&r, d);
        else
            d->kind->row(&r, d->number);
    }
}
