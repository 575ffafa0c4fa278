/* SPDX-License-Identifier: MIT */
#include "model/core/outcome.h"

#include "model/core/image_rules.h"
#include "model/core/memory.h"
#include "model/core/unit.h"
#include "model/number/bytes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *end_name(enum end e)
{
    static const char *const names[] = {"done", "hang", "fault", "refused", "undefined"};
    return names[e];
}

enum { NEVER_FILLED = UINT32_MAX, CACHE_LINE = 64 };

static const uint32_t zeros[ROW_WORDS_MAX];

/* Returns the number of words for `rows` rows, rounded up to whole cache lines. */
static size_t words_in_lines(const struct layout *l, uint32_t rows)
{
    enum { LINE_WORDS = CACHE_LINE / sizeof(uint32_t) };
    return ((size_t)rows * l->row_words + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
}

/* Returns an odd number of cache lines, so that the outcomes of an array do not all map to the same cache
 * sets. */
size_t outcome_bytes(const struct unit *u)
{
    size_t words = 3 * words_in_lines(&u->layout, u->layout.rows) + OUTCOME_FENCE_WORDS,
           lines = (sizeof(struct outcome) + words * sizeof(uint32_t)) / CACHE_LINE;
    return (lines | 1) * CACHE_LINE;
}

struct outcome *outcome_make_plain(const struct unit *u, struct image_rules *rules, void *memory,
                                   uint32_t *value)
{
    const struct layout *l = &u->layout;
    struct outcome *o = memory;
    o->unit = u;
    o->rules = rules;
    o->value = value;
    for (unsigned i = 0; i < l->region_count; i++) {
        o->image[i] = l->regions[i].image
                          ? (uint8_t)(schema_field(&u->schema, l->regions[i].image) - u->schema.fields)
                          : NO_IMAGE;
        o->base[i].fill = NEVER_FILLED;
    }
    return o;
}

struct outcome *outcome_make(const struct unit *u, struct image_rules *rules, void *memory)
{
    const struct layout *l = &u->layout;
    struct outcome *o = memory;
    outcome_make_plain(u, rules, memory, (uint32_t *)(void *)(o + 1));
    o->defined = o->value + words_in_lines(l, l->rows) + OUTCOME_FENCE_WORDS;
    o->tolerance = o->defined + words_in_lines(l, l->rows);
    memset(o->defined, 0xFF, (size_t)l->rows * l->row_words * sizeof *o->defined);
    return o;
}

struct outcome *outcome_new(const struct unit *u)
{
    uint8_t *memory = memory_new(1, outcome_bytes(u) + image_rules_bytes(u));
    return outcome_make(u, image_rules_make(u, memory + outcome_bytes(u)), memory);
}

void outcome_free(struct outcome *o)
{
    free(o);
}

/* Returns the image field of a region; NULL if it has none. */
static const struct field *image_of(const struct outcome *o, unsigned region)
{
    return &o->unit->schema.fields[o->image[region]];
}

/* Most units have rows of 16 or 4 words. Constant widths let the compiler unroll the copy. */
static inline void copy_row(uint32_t *to, const uint32_t *from, uint32_t width)
{
    if (width == 16)
        memcpy(to, from, 16 * sizeof *to);
    else if (width == 4)
        memcpy(to, from, 4 * sizeof *to);
    else
        memcpy(to, from, width * sizeof *to);
}

/* Fills all rows of a region by a new fill rule. */
static void refill(struct outcome *o, unsigned region, uint32_t fill, uint32_t seed)
{
    struct outcome_base *b = &o->base[region];
    const struct region *r = &o->unit->layout.regions[region];
    uint32_t width = o->unit->layout.row_words, *to = o->value + r->first_row * width;
    size_t bytes = (size_t)r->rows * width * sizeof *to;
    b->fill = fill;
    b->seed = seed;
    b->rule = fill == FILL_ZERO ? NULL : image_rules_get(o->rules, region, fill, seed);
    if (b->rule)
        memcpy(to, b->rule->words, bytes);
    else
        memset(to, 0, bytes);
}

static uint32_t words_of_rows(const struct layout *l)
{
    return ((uint32_t)l->rows + 63) / 64;
}

static uint64_t not_clean(const struct outcome *o, uint32_t word)
{
    return o->dirty[word] | (o->touched[word] & ~o->unchanged[word]);
}

/* Returns the region of a row, which is `region` or a later one. */
static unsigned region_from(const struct layout *l, unsigned region, uint32_t row)
{
    while (region + 1 < l->region_count && row >= l->regions[region + 1].first_row)
        region++;
    return region;
}

/* Gives a row the content of its region's fill rule. */
static void put_clean_row(struct outcome *o, unsigned region, uint32_t row)
{
    const struct outcome_base *b = &o->base[region];
    const struct image_rule *rule = b->rule;
    uint32_t width = o->unit->layout.row_words, *to = o->value + row * width,
             number = row - o->unit->layout.regions[region].first_row;
    if (!rule)
        copy_row(to, zeros, width);
    else if (rule->fill == b->fill && rule->seed == b->seed)
        copy_row(to, rule->words + number * width, width);
    else /* another outcome replaced the rule in the shared cache, so compute the row */
        image_fill_row((enum image_fill)b->fill, b->seed, number, width, to);
}

bool outcome_same_masks(const struct outcome *a, const struct outcome *b)
{
    const struct layout *l = &a->unit->layout;
    size_t words = (size_t)l->rows * l->row_words;
    if (memcmp(a->defined, b->defined, words * sizeof *a->defined) != 0)
        return false;
    for (uint32_t row = 0; row < l->rows; row++)
        if ((outcome_tolerant(a, row) || outcome_tolerant(b, row)) &&
            memcmp(a->tolerance + row * l->row_words, b->tolerance + row * l->row_words,
                   l->row_words * sizeof *a->tolerance) != 0)
            return false;
    return true;
}

void outcome_record_lanes(struct outcome *o, uint32_t row, uint64_t lanes)
{
    uint32_t width = o->unit->layout.row_words, *defined = o->defined + row * width;
    for (uint64_t others = ~lanes & (UINT64_MAX >> (64 - width)); others; others &= others - 1)
        defined[__builtin_ctzll(others)] = 0;
}

const uint32_t *outcome_masks(const struct outcome *o, uint32_t row, uint32_t room[ROW_WORDS_MAX])
{
    bool unchanged = o->unchanged[row / 64] >> row % 64 & 1;
    for (unsigned n = 0; unchanged && n < OUTCOME_PARTIAL_MAX; n++) {
        const struct outcome_partial *p = &o->partial[n];
        const struct region *r = &o->unit->layout.regions[p->region];
        if (!p->lanes || row < r->first_row || row >= (uint32_t)r->first_row + r->rows)
            continue;
        for (uint32_t i = 0; i < ROW_WORDS_MAX; i++)
            room[i] = 0U - (uint32_t)(p->lanes[(row - r->first_row) % p->period] >> i & 1);
        return room;
    }
    return o->defined + row * o->unit->layout.row_words;
}

/* Restores the rows, and their masks, that the last case listed or changed. Skips refilled regions. */
static void restore(struct outcome *o, uint32_t refilled)
{
    const struct layout *l = &o->unit->layout;
    uint32_t width = l->row_words, words = words_of_rows(l);
    unsigned region = 0;
    for (unsigned n = 0; n < OUTCOME_PARTIAL_MAX; n++)
        o->partial[n].lanes = NULL;
    for (uint32_t word = 0; word < words; word++) {
        for (uint64_t bits = not_clean(o, word); bits; bits &= bits - 1) {
            uint32_t row = 64 * word + (uint32_t)__builtin_ctzll(bits);
            region = region_from(l, region, row);
            if (!(refilled >> region & 1))
                put_clean_row(o, region, row);
            if (o->checked && !((o->fully_defined[word] | o->unchanged[word]) >> row % 64 & 1))
                memset(o->defined + row * width, 0xFF, width * sizeof *o->defined);
        }
        for (uint64_t bits = o->tolerant[word]; bits; bits &= bits - 1)
            memset(o->tolerance + (64 * word + (uint32_t)__builtin_ctzll(bits)) * width, 0,
                   width * sizeof *o->tolerance);
        o->dirty[word] = o->touched[word] = o->unchanged[word] = o->fully_defined[word] = o->tolerant[word] =
            0;
    }
}

static void put_own_rows(struct outcome *o, const struct region *r, uint32_t row_words, const uint32_t *head)
{
    const uint32_t *item = head + 3;
    for (uint32_t i = 0; i < head[2]; i++, item += 1 + row_words) {
        if (item[0] >= r->rows)
            continue;
        uint32_t row = r->first_row + item[0];
        copy_row(o->value + row * o->unit->layout.row_words, item + 1, row_words);
        o->dirty[row / 64] |= UINT64_C(1) << (row % 64);
    }
}

/* Returns the first words (struct image_head) of a region's image in the case; NULL if it has none. */
static const uint32_t *head_of(const struct outcome *o, const struct test_case *c, unsigned region)
{
    return o->image[region] == NO_IMAGE ? NULL : case_field_const(c, image_of(o, region));
}

static void forget_rows(struct outcome *o)
{
    for (uint32_t word = 0; word < words_of_rows(&o->unit->layout); word++)
        o->touched[word] = 0;
}

/* Gives every row its initial content. */
static void write_rows(struct outcome *o, const struct test_case *c)
{
    const struct layout *l = &o->unit->layout;
    const uint32_t *head[REGIONS_MAX];
    uint32_t refilled = 0; /* bit n: region n was refilled */
    for (unsigned i = 0; i < l->region_count; i++) {
        head[i] = head_of(o, c, i);
        if (head[i] && (o->base[i].fill != head[i][0] || o->base[i].seed != head[i][1])) {
            refill(o, i, head[i][0], head[i][1]);
            refilled |= UINT32_C(1) << i;
        }
    }
    restore(o, refilled);
    for (unsigned i = 0; i < l->region_count; i++)
        if (head[i])
            put_own_rows(o, &l->regions[i], image_of(o, i)->row_words, head[i]);
}

void outcome_reset(struct outcome *o, const struct test_case *c)
{
    if (o->adopted)
        forget_rows(o);
    else
        write_rows(o, c);
    o->end = END_DONE;
    o->reason = 0;
    o->complete = true;
    o->checked = false;
}

void outcome_adopt(struct outcome *o, uint32_t *value)
{
    o->value = value;
    o->adopted = true;
}

_Static_assert(REGIONS_MAX <= 32, "a set of regions is a 32-bit word");

const struct region *layout_region(const struct layout *l, uint32_t row)
{
    for (unsigned i = 0; i < l->region_count; i++)
        if (row >= l->regions[i].first_row && row < (uint32_t)l->regions[i].first_row + l->regions[i].rows)
            return &l->regions[i];
    return NULL;
}

const struct region *layout_region_named(const struct layout *l, const char *name)
{
    for (unsigned i = 0; i < l->region_count; i++)
        if (!strcmp(l->regions[i].name, name))
            return &l->regions[i];
    return NULL;
}

/*
 * Binary form, little-endian:
 *   end 1 byte, flags 1 byte (bit 0: complete), reason 2 bytes, number of rows 2 bytes; then for each row,
 *   ascending: number over all regions 2 bytes, flags 1 byte (bit 0: a mask follows the words), a word of
 *   4 bytes for each column of the region, the mask likewise.
 */
enum { HEAD_BYTES = 6, FLAG_COMPLETE = 1, FLAG_MASK = 1 };

size_t outcome_encoded_max(const struct unit *u)
{
    return HEAD_BYTES + (size_t)u->layout.rows * (3U + 8U * u->layout.row_words);
}

static bool row_has_mask(const struct outcome *o, const struct region *r, const uint32_t *defined)
{
    for (uint32_t i = 0; o->checked && i < r->cols; i++)
        if (~defined[i] & region_bits(r))
            return true;
    return false;
}

static uint8_t *put_bits(uint8_t *to, const uint32_t *words, const struct region *r)
{
    if (r->bits >= 32)
        return put_words(to, words, r->cols);
    for (uint32_t i = 0; i < r->cols; i++)
        to = bytes_put(to, words[i] & region_bits(r), 4);
    return to;
}

/* Returns the end of the row's bytes; NULL if they need more than `room`. */
static uint8_t *put_row(const struct outcome *o, const struct region *r, uint32_t row, uint8_t *to,
                        size_t room)
{
    uint32_t room_of_masks[ROW_WORDS_MAX];
    const uint32_t *value = o->value + row * o->unit->layout.row_words,
                   *defined = outcome_masks(o, row, room_of_masks);
    bool mask = row_has_mask(o, r, defined);
    if (room < 3 + (size_t)r->cols * 4 * (mask ? 2 : 1))
        return NULL;
    to = bytes_put(bytes_put(to, row, 2), mask ? FLAG_MASK : 0, 1);
    to = put_bits(to, value, r);
    return mask ? put_bits(to, defined, r) : to;
}

size_t outcome_encode(const struct outcome *o, uint8_t *bytes, size_t room)
{
    const struct layout *l = &o->unit->layout;
    if (room < HEAD_BYTES)
        return 0;
    uint32_t rows = 0;
    unsigned region = 0;
    uint8_t *to = bytes + HEAD_BYTES;
    for (uint32_t word = 0; word < words_of_rows(l); word++)
        for (uint64_t bits = o->touched[word]; bits; bits &= bits - 1, rows++) {
            uint32_t row = 64 * word + (uint32_t)__builtin_ctzll(bits);
            const struct region *r = &l->regions[region = region_from(l, region, row)];
            to = put_row(o, r, row, to, room - (size_t)(to - bytes));
            if (!to)
                return 0;
        }
    size_t size = (size_t)(to - bytes);
    bytes = bytes_put(bytes_put(bytes, o->end, 1), o->complete ? FLAG_COMPLETE : 0, 1);
    bytes_put(bytes_put(bytes, o->reason, 2), rows, 2);
    return size;
}

static void decode_row(struct outcome *o, const struct region *r, uint32_t row, bool mask,
                       const uint8_t *bytes)
{
    uint32_t width = o->unit->layout.row_words, *value = o->value + row * width,
             *defined = o->defined + row * width;
    get_words(value, bytes, r->cols);
    for (uint32_t i = 0; r->bits < 32 && i < r->cols; i++)
        value[i] &= region_bits(r);
    for (uint32_t i = 0; mask && i < r->cols; i++)
        defined[i] = get_u32(bytes + 4 * (r->cols + i)) | ~region_bits(r);
    if (mask)
        outcome_touch(o, row);
    else
        outcome_touch_fully_defined(o, row);
}

bool outcome_decode(struct outcome *o, const struct test_case *c, const uint8_t *bytes, size_t count,
                    struct error *e)
{
    const struct layout *l = &o->unit->layout;
    outcome_reset(o, c);
    if (count < HEAD_BYTES)
        return error_set(e, "outcome: %zu byte%s, but the header alone has %d", count, plural(count),
                         HEAD_BYTES);
    if (bytes[0] > END_REFUSED)
        return error_set(e, "outcome: unknown end %u at byte 0", bytes[0]);
    o->end = (enum end)bytes[0];
    o->complete = bytes[1] & FLAG_COMPLETE;
    o->checked = true;
    o->reason = (uint16_t)bytes_get(bytes + 2, 2);
    if (o->reason >= unit_reasons(o->unit))
        o->reason = 0; /* only the board knows this reason; keep `end`, which says how the case ended */
    uint32_t rows = (uint32_t)bytes_get(bytes + 4, 2), next = 0;
    unsigned region = 0;
    size_t at = HEAD_BYTES;
    for (uint32_t i = 0; i < rows; i++) {
        if (count - at < 3)
            return error_set(e, "outcome: ends within row %u of %u", i + 1, rows);
        uint32_t row = (uint32_t)bytes_get(bytes + at, 2);
        bool mask = bytes[at + 2] & FLAG_MASK;
        if (row >= l->rows || row < next)
            return error_set(e, "outcome: row number %u at byte %zu is %s", row, at,
                             row < l->rows ? "out of order" : "beyond the unit's layout");
        const struct region *r = &l->regions[region = region_from(l, region, row)];
        size_t need = (size_t)r->cols * 4 * (mask ? 2 : 1);
        at += 3;
        if (count - at < need)
            return error_set(e, "outcome: ends within row %u of %u", i + 1, rows);
        decode_row(o, r, row, mask, bytes + at);
        at += need;
        next = row + 1;
    }
    return at == count || error_set(e, "outcome: %zu byte%s too many", count - at, plural(count - at));
}

static void print_row(const struct outcome *o, const struct region *r, uint32_t row, struct text *t)
{
    uint32_t room[ROW_WORDS_MAX];
    uint32_t at = row * o->unit->layout.row_words, number = row - r->first_row;
    const uint32_t *value = o->value + at, *defined = outcome_masks(o, row, room),
                   *tolerance = o->tolerance + at;
    if (r->row_names)
        text_add(t, "%s %s =", r->name, r->row_names[number]);
    else
        text_add(t, "%s %u =", r->name, number);
    bool same = true;
    for (uint32_t i = 1; i < r->cols; i++)
        same = same && value[i] == value[0] &&
               (!o->checked || (defined[i] == defined[0] && tolerance[i] == tolerance[0]));
    text_add(t, same && r->cols > 1 ? " all" : "");
    for (uint32_t i = 0; i < (same ? 1U : r->cols); i++) {
        text_add(t, r->bits > 8 ? " %08x" : " %x", value[i]);
        if (o->checked && tolerance[i]) {
            text_add(t, "(");
            tolerance_print(tolerance[i], t);
            text_add(t, ")");
        } else if (o->checked && (~defined[i] & region_bits(r))) {
            text_add(t, "(defined %08x)", defined[i] & region_bits(r));
        }
    }
    text_add(t, "\n");
}

void outcome_print(const struct outcome *o, struct text *t)
{
    const struct layout *l = &o->unit->layout;
    text_add(t, "end = %s", end_name(o->end));
    if (o->reason)
        text_add(t, " (%s)", o->unit->reasons[o->reason]);
    text_add(t, o->complete ? "\n" : "; only these rows are known\n");
    for (unsigned g = 0; g < l->region_count; g++)
        for (uint32_t i = 0; i < l->regions[g].rows; i++)
            if (outcome_touched(o, l->regions[g].first_row + i))
                print_row(o, &l->regions[g], l->regions[g].first_row + i, t);
}
