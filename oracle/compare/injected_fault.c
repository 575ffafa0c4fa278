/* SPDX-License-Identifier: MIT */
#include "oracle/compare/injected_fault.h"

#include <stdlib.h>
#include <string.h>

/* A row of a region before and after the run. */
struct row {
    const uint32_t *before;
    uint32_t *now;
    uint32_t cols, mask; /* words in a row; mask of the bits that each uses */
};

struct injected_fault_kind {
    const char *name, *about;
    /* One of these or shifts_rows is set: */
    uint32_t (*operand)(uint32_t value, uint32_t number,
                        uint32_t width);               /* what the board reads instead of a bit field */
    uint32_t (*word)(uint32_t value, uint32_t number); /* what the board writes instead of a changed word */
    void (*row)(const struct row *r, uint32_t number); /* changes r->now */
    bool shifts_rows;
    uint32_t least, most; /* range of the fault's number */
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
    {"operand-add", "adds NUMBER to an operand (off by one)", .operand = add_to_operand, .most = UINT32_MAX},
    {"operand-set", "replaces an operand by NUMBER (a condition ignored)", .operand = set_operand,
     .most = UINT32_MAX},
    {"operand-flip", "inverts bit NUMBER of an operand", .operand = flip_operand_bit, .most = 31},
    {"operand-ignore", "treats bit NUMBER of an operand as 0", .operand = ignore_operand_bit, .most = 31},
    {"lane-drop", "does not write lane NUMBER of a row", .row = drop_lane, .most = ROW_WORDS_MAX - 1},
    {"lane-turn", "writes a row rotated by NUMBER lanes", .row = turn_lanes, .least = 1,
     .most = ROW_WORDS_MAX - 1},
    {"row-shift", "writes NUMBER rows too far", .shifts_rows = true, .least = 1,
     .most = OUTCOME_ROWS_MAX - 1},
    {"byte-swap", "exchanges bytes NUMBER and NUMBER+1 of a word it writes", .word = swap_bytes, .most = 2},
    {"bit-clear", "writes bit NUMBER of a word as 0", .word = clear_bit, .most = 31},
    {"bit-set", "writes bit NUMBER of a word as 1", .word = set_bit, .most = 31},
    {"value-add", "adds NUMBER to a word it writes", .word = add_to_word, .least = 1, .most = UINT32_MAX},
    {"value-clamp", "writes at most 2^NUMBER-1 (a wrong saturation)", .word = clamp_word, .least = 1,
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

/* --- parsing */

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

static bool parse_place(const struct unit *u, char *place, struct injected_fault *fault, struct error *e)
{
    char *dot = strchr(place, '.');
    if (!fault->kind->operand) {
        fault->region = layout_region_named(&u->layout, place);
        return fault->region ||
               error_unknown(e, "region of the unit's outcome", place, place_name_at, u, NULL);
    }
    if (dot)
        *dot = 0;
    fault->field = schema_field(&u->schema, place);
    if (!fault->field)
        return error_unknown(e, "field of the unit's case", place, place_name_at, u, NULL);
    if (fault->field->kind == FIELD_IMAGE)
        return error_set(
            e, "'%s' is memory, not an operand; inject the fault into a region of the outcome instead",
            place);
    if (dot && strlen(dot + 1) >= sizeof fault->bits)
        return error_set(e, "'%.60s' is too long for a bit field", dot + 1);
    memcpy(fault->bits, dot ? dot + 1 : "", dot ? strlen(dot + 1) + 1 : 1);
    if (fault->field->kind == FIELD_CODE && !fault->bits[0])
        return error_set(e, "name a bit field of the instructions: %s.NAME", place);
    return true;
}

bool injected_fault_parse(const struct unit *u, const char *text, struct injected_fault *fault,
                          struct error *e)
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
    *fault = (struct injected_fault){0};
    for (unsigned i = 0; i < KINDS && !fault->kind; i++)
        if (!strcmp(kinds[i].name, part[0]))
            fault->kind = &kinds[i];
    if (!fault->kind)
        return error_unknown(e, "kind of injected fault", part[0], kind_name_at, NULL, NULL);
    if (parts != 2 || !part[2][0])
        return error_set(e, "'%.60s': an injected fault is written KIND:PLACE:NUMBER", text);
    unsigned long number = strtoul(part[2], &end, 0);
    if (*end || part[2][0] == '-' || number < fault->kind->least || number > fault->kind->most)
        return error_set(e, "'%s': %s takes a number from %u to %u", part[2], fault->kind->name,
                         (unsigned)fault->kind->least, (unsigned)fault->kind->most);
    fault->number = (uint32_t)number;
    return parse_place(u, part[1], fault, e);
}

bool injected_faults_parse(const struct unit *u, const char *text,
                           struct injected_fault fault[INJECTED_FAULTS_MAX], unsigned *count, struct error *e)
{
    *count = 0;
    while (*text == '~') {
        char one[160];
        size_t length = strcspn(++text, "~");
        if (*count == INJECTED_FAULTS_MAX || length >= sizeof one)
            return error_set(e, "at most %d injected faults of fewer than %d characters each",
                             INJECTED_FAULTS_MAX, (int)sizeof one);
        memcpy(one, text, length);
        one[length] = 0;
        if (!injected_fault_parse(u, one, &fault[*count], e))
            return false;
        ++*count;
        text += length;
    }
    return true;
}

/* --- operands */

/* Reads up to 32 bits of a list of words. */
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

/* Changes the fault's bit field in a word or instruction, if it has a field of that name. */
static void change_bits(const struct injected_fault *fault, const struct bit_field *f, uint32_t *words)
{
    for (; f && f->name; f++)
        if (!strcmp(f->name, fault->bits)) {
            uint32_t value = fault->kind->operand(get_bits(words, f->low, f->width), fault->number, f->width);
            put_bits(words, f->low, f->width, value);
            return;
        }
}

void injected_fault_change_case(const struct injected_fault *fault, struct test_case *c)
{
    if (!fault->kind->operand)
        return;
    const struct field *f = fault->field;
    uint32_t *count, *word = case_field(c, f), items = 1, stride = 1;
    if (f->kind == FIELD_CODE || f->kind == FIELD_WORDS || f->kind == FIELD_UNIFORMS) {
        stride = field_item_words(c->unit, f);
        word = case_items(c, f, &count);
        items = *count;
    }
    for (uint32_t i = 0; i < items; i++, word += stride) {
        /* the second member of struct case_uniform */
        uint32_t *value = f->kind == FIELD_UNIFORMS ? word + 1 : word;
        const struct bit_field *bits = f->kind == FIELD_CODE
                                           ? (case_code(c)->bits ? case_code(c)->bits(word) : NULL)
                                       : f->kind == FIELD_WORD ? case_bits(c, f)
                                                               : NULL;
        if (fault->bits[0])
            change_bits(fault, bits, value);
        else
            *value = fault->kind->operand(*value, fault->number, 32);
    }
    case_sanitise(c);
}

/* --- results */

static bool row_changed(const struct row *r)
{
    return memcmp(r->before, r->now, r->cols * sizeof *r->now) != 0;
}

static void change_words(const struct row *r, const struct injected_fault *fault)
{
    for (uint32_t i = 0; i < r->cols; i++)
        if (r->now[i] != r->before[i])
            r->now[i] = fault->kind->word(r->now[i], fault->number) & r->mask;
}

/* Moves each row n to row n + number. Starts with the last row, so that no row is overwritten before it was
 * moved. */
static void shift_rows(const struct injected_fault *fault, const struct outcome *before, struct outcome *o)
{
    uint32_t width = o->unit->layout.row_words, first = fault->region->first_row;
    for (uint32_t row = fault->region->rows; row-- > 0;) {
        struct row r = {before->value + (first + row) * width, outcome_row(o, first + row, width),
                        fault->region->cols, 0};
        uint32_t to = row + fault->number;
        if (!row_changed(&r))
            continue;
        if (to < fault->region->rows) {
            memcpy(outcome_row(o, first + to, width), r.now, r.cols * sizeof *r.now);
            outcome_touch(o, first + to);
        }
        memcpy(r.now, r.before, r.cols * sizeof *r.now);
    }
}

void injected_fault_change_outcome(const struct injected_fault *fault, const struct outcome *before,
                                   struct outcome *o)
{
    if (fault->kind->operand || o->end != END_DONE)
        return;
    if (fault->kind->shifts_rows) {
        shift_rows(fault, before, o);
        return;
    }
    uint32_t width = o->unit->layout.row_words;
    for (uint32_t row = fault->region->first_row;
         row < (uint32_t)fault->region->first_row + fault->region->rows; row++) {
        struct row r = {before->value + row * width, outcome_row(o, row, width), fault->region->cols,
                        low_bits(fault->region->bits)};
        if (!row_changed(&r))
            continue;
        if (fault->kind->word)
            change_words(&r, fault);
        else
            fault->kind->row(&r, fault->number);
    }
}
