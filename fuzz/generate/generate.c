/* SPDX-License-Identifier: MIT */
#include "fuzz/generate/generate.h"

#include <string.h>

/* Values at which integer, float and packed arithmetic change their behaviour. */
/* clang-format off */
static const uint32_t boundaries[] = {
    /* small integers of both signs */
    0x00000000, 0x00000001, 0x00000002, 0xFFFFFFFF, 0xFFFFFFFE,
    /* the ends of the signed range; 80000000 is also -0.0 */
    0x7FFFFFFF, 0x80000000, 0x80000001,
    /* bytes */
    0x0000007F, 0x00000080, 0x000000FF, 0x00000100,
    /* halves */
    0x00007FFF, 0x00008000, 0x0000FFFF, 0x00010000,
    /* 24-bit multiplication; 7FFFFF and 800000 are also the largest denormal and the smallest normal */
    0x007FFFFF, 0x00800000, 0x00FFFFFF, 0x01000000,
    /* four bytes at once */
    0x7F7F7F7F, 0x80808080, 0x01010101, 0xFF00FF00, 0x00FF00FF,
    /* 1.0, -1.0, 2.0, 0.5, just below 1.0 */
    0x3F800000, 0xBF800000, 0x40000000, 0x3F000000, 0x3F7FFFFF,
    /* the largest finite floats, the infinities */
    0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
    /* NaNs, quiet and signalling; the largest integer but one */
    0x7FC00000, 0xFFC00000, 0x7F800001, 0x7FFFFFFE,
    /* denormals; 2^23 and 2^24, where floats stop having a fraction and odd integers */
    0x00000003, 0x807FFFFF, 0x80800000, 0x4B000000, 0x4B800000,
    /* around 2^31, -2^31, 2^32: conversions to integer */
    0x4EFFFFFF, 0x4F000000, 0xCF000000, 0xCF000001, 0x4F800000,
    /* 2^-24, and the ends of half floats */
    0x33800000, 0x38800000, 0x387FC000, 0x477FE000, 0x477FF000,
    /* pairs of half floats */
    0x3C003C00, 0x7BFF7BFF, 0x7C007C00, 0x80018001, 0x04000400,
};
/* clang-format on */

uint32_t random_word(struct random *r, const uint32_t *interesting, uint32_t count)
{
    switch (random_below(r, count ? 6 : 4)) {
    case 0:
        return boundaries[random_below(r, sizeof boundaries / sizeof *boundaries)];
    case 1: { /* a power of two, its neighbours, its complement */
        uint32_t power = 1U << random_below(r, 32);
        switch (random_below(r, 4)) {
        case 0:
            return power;
        case 1:
            return power - 1;
        case 2:
            return power + 1;
        default:
            return ~power;
        }
    }
    case 2: /* a small number */
        return random_below(r, 64);
    case 3:
        return random_u32(r);
    default:
        return interesting[random_below(r, count)];
    }
}

/* Flips a bit, adds or subtracts a small number, replaces a byte, or chooses another word. */
static uint32_t mutate_word(struct random *r, uint32_t word, const uint32_t *interesting, uint32_t count)
{
    switch (random_below(r, 6)) {
    case 0:
    case 1:
        return word ^ 1U << random_below(r, 32);
    case 2:
        return word + random_below(r, 16) + 1;
    case 3:
        return word - random_below(r, 16) - 1;
    case 4: {
        unsigned shift = 8 * random_below(r, 4);
        return (word & ~(0xFFU << shift)) | random_below(r, 256) << shift;
    }
    default:
        return random_word(r, interesting, count);
    }
}

/* Changes one of the word's bit fields. */
static uint32_t mutate_bits(struct random *r, uint32_t word, const struct bit_field *bits)
{
    unsigned n = 0;
    while (bits[n].name)
        n++;
    if (!n)
        return word;
    const struct bit_field *b = &bits[random_below(r, n)];
    uint32_t mask = (0xFFFFFFFFU >> ((32U - b->width) & 31U)) << (b->low & 31U);
    uint32_t value = random_one_in(r, 3) ? word + (1U << (b->low & 31U)) : random_u32(r);
    return (word & ~mask) | (value & mask);
}

/* Chooses the length of a list: mostly short, because short cases are quick to run and to understand. */
static uint32_t random_length(struct random *r, uint32_t max)
{
    uint32_t most = random_one_in(r, 8) ? max : max < 16 ? max : 16;
    return random_below(r, most + 1);
}

static void make_item(struct random *r, const struct test_case *c, const struct field *f, uint32_t *item)
{
    const struct code *code = f->kind == FIELD_CODE ? case_code(c) : NULL;
    if (code && code->generate) {
        code->generate(r, item);
        return;
    }
    uint32_t size = field_item_words(c->unit, f);
    for (uint32_t i = 0; i < size; i++)
        item[i] = random_word(r, f->interesting, f->interesting_count);
    if (f->kind == FIELD_UNIFORMS)
        item[0] = random_one_in(r, 8);
}

static void mutate_item(struct random *r, const struct test_case *c, const struct field *f, uint32_t *item)
{
    const struct code *code = f->kind == FIELD_CODE ? case_code(c) : NULL;
    if (code && code->mutate) {
        code->mutate(r, item);
        return;
    }
    if (f->kind == FIELD_UNIFORMS) {
        item[0] ^= random_one_in(r, 8);
        item++;
    }
    uint32_t size = code ? code->words : 1;
    uint32_t *word = &item[random_below(r, size)];
    *word = mutate_word(r, *word, f->interesting, f->interesting_count);
}

/* Fills an image's row with one word, a ramp, or random words; or changes one of its words. */
static void make_row(struct random *r, const struct field *f, uint32_t *words)
{
    uint32_t first = random_word(r, f->interesting, f->interesting_count),
             step = random_below(r, 4) ? 1 : random_u32(r);
    switch (random_below(r, 4)) {
    case 0:
        for (uint32_t i = 0; i < f->row_words; i++)
            words[i] = first;
        break;
    case 1:
        for (uint32_t i = 0; i < f->row_words; i++)
            words[i] = first + i * step;
        break;
    case 2:
        words[random_below(r, f->row_words)] = first;
        break;
    default:
        for (uint32_t i = 0; i < f->row_words; i++)
            words[i] = random_word(r, f->interesting, f->interesting_count);
    }
}

void case_drop_items(struct test_case *c, const struct field *f, uint32_t at, uint32_t n)
{
    uint32_t *count, *items = case_items(c, f, &count), size = field_item_words(c->unit, f);
    *count -= n;
    memmove(items + at * size, items + (at + n) * size, (size_t)(*count - at) * size * sizeof *items);
}

/* Moves the items from `at` on, so that `n` more items fit before them. */
static void make_room(struct test_case *c, const struct field *f, uint32_t at, uint32_t n)
{
    uint32_t *count, *items = case_items(c, f, &count), size = field_item_words(c->unit, f);
    memmove(items + (at + n) * size, items + at * size, (size_t)(*count - at) * size * sizeof *items);
    *count += n;
}

static void mutate_image(struct random *r, struct test_case *c, const struct field *f)
{
    uint32_t *count, *rows = case_items(c, f, &count), *head = case_field(c, f), size = f->row_words + 1;
    uint32_t content[ROW_WORDS_MAX];
    switch (random_below(r, 8)) {
    case 0:
    case 1: /* only random fills have a seed */
        head[0] = random_below(r, FILL_KINDS);
        head[1] = head[0] == FILL_RANDOM ? random_u32(r) : 0;
        return;
    case 2: /* the row gets the fill again */
        if (*count)
            case_drop_items(c, f, random_below(r, *count), 1);
        return;
    case 3: { /* the content of one row is copied to another */
        image_row(c, f, random_below(r, f->max), content);
        uint32_t *to = image_own_row(c, f, random_below(r, f->max), true);
        if (to)
            memcpy(to, content, f->row_words * sizeof *to);
        return;
    }
    case 4: { /* a new row, often among the first ones, because most cases use those */
        uint32_t *to =
            image_own_row(c, f, random_below(r, random_one_in(r, 2) || f->max < 16 ? f->max : 16), true);
        if (to)
            make_row(r, f, to);
        return;
    }
    default: /* a word of a row that the case has */
        if (*count) {
            uint32_t *row = rows + random_below(r, *count) * size;
            uint32_t *word = row + 1 + random_below(r, f->row_words);
            *word = mutate_word(r, *word, f->interesting, f->interesting_count);
        }
    }
}

static void mutate_list(struct random *r, struct test_case *c, const struct field *f)
{
    uint32_t *count, *items = case_items(c, f, &count), size = field_item_words(c->unit, f), n = *count;
    uint32_t at = n ? random_below(r, n) : 0, other = n ? random_below(r, n) : 0;
    unsigned what = n ? random_below(r, 8) : 0;
    if (what < 3 && n < f->max && (what < 2 || n > 1)) { /* insert a new item, or a copy of another */
        uint32_t place = random_below(r, n + 1);
        uint32_t from = other + (other >= place);
        make_room(c, f, place, 1);
        if (what == 2)
            memcpy(items + place * size, items + from * size, size * sizeof *items);
        else
            make_item(r, c, f, items + place * size);
    } else if (what == 3 && n > 1) { /* delete */
        case_drop_items(c, f, at, 1);
    } else if (what == 4 && n > 1) { /* swap */
        for (uint32_t i = 0; i < size; i++) {
            uint32_t word = items[at * size + i];
            items[at * size + i] = items[other * size + i];
            items[other * size + i] = word;
        }
    } else if (what == 5 && n) { /* replace */
        make_item(r, c, f, items + at * size);
    } else if (n) {
        mutate_item(r, c, f, items + at * size);
    }
}

static uint32_t fit_word(const struct field *f, uint32_t v)
{
    v = field_clamp(f, v);
    return f->generated_max && v > f->generated_max ? f->generated_max : v;
}

static void mutate_field(struct random *r, struct test_case *c, const struct field *f)
{
    uint32_t *word = case_field(c, f);
    const struct bit_field *bits = case_bits(c, f);
    switch (f->kind) {
    case FIELD_ENUM:
        *word = random_below(r, f->max);
        break;
    case FIELD_WORD:
        *word = bits && !random_one_in(r, 3) ? mutate_bits(r, *word, bits)
                                             : mutate_word(r, *word, f->interesting, f->interesting_count);
        *word = fit_word(f, *word);
        break;
    case FIELD_IMAGE:
        mutate_image(r, c, f);
        break;
    default:
        mutate_list(r, c, f);
    }
}

static void generate_field(struct random *r, struct test_case *c, const struct field *f)
{
    uint32_t *word = case_field(c, f), *count, *items = case_items(c, f, &count);
    switch (f->kind) {
    case FIELD_ENUM:
        *word = random_below(r, f->max);
        break;
    case FIELD_WORD:
        if (!random_one_in(r, 4))
            *word = fit_word(f, random_word(r, f->interesting, f->interesting_count));
        break;
    case FIELD_IMAGE:
        word[0] = random_one_in(r, 4) ? random_below(r, FILL_KINDS) : FILL_INDEX;
        word[1] = word[0] == FILL_RANDOM ? random_below(r, 256) : 0;
        for (uint32_t n = random_below(r, 4); n > 0; n--) {
            uint32_t *row = image_own_row(c, f, random_below(r, f->max < 16 ? f->max : 16), true);
            if (row)
                make_row(r, f, row);
        }
        break;
    default:
        *count = random_length(r, f->max);
        for (uint32_t i = 0; i < *count; i++)
            make_item(r, c, f, items + i * field_item_words(c->unit, f));
    }
}

static void mend(struct test_case *c)
{
    if (c->unit->mend)
        c->unit->mend(c);
}

void case_generate(struct random *r, const struct unit *u, struct test_case *c)
{
    case_init(c, u);
    if (u->generate && !random_one_in(r, 16)) {
        u->generate(r, c);
        return;
    }
    for (unsigned i = 0; i < u->schema.field_count; i++)
        generate_field(r, c, &u->schema.fields[i]);
    mend(c);
}

static unsigned pick_field(struct random *r, const struct schema *s, const uint32_t *weight)
{
    uint32_t sum = 0;
    unsigned at = 0;
    for (unsigned i = 0; i < s->field_count; i++)
        sum += weight[i];
    for (uint32_t left = random_below(r, sum); left >= weight[at]; at++)
        left -= weight[at];
    return at;
}

void case_mutate_by(struct random *r, struct test_case *c, struct mutation *m)
{
    const struct schema *s = &c->unit->schema;
    m->changed = 0;
    for (uint32_t n = 1 + random_below(r, 4); n > 0; n--) {
        unsigned i = pick_field(r, s, m->weight);
        mutate_field(r, c, &s->fields[i]);
        m->changed |= UINT64_C(1) << i;
    }
    mend(c);
}

void case_mutate(struct random *r, struct test_case *c)
{
    const struct schema *s = &c->unit->schema;
    for (uint32_t n = 1 + random_below(r, 4); n > 0; n--)
        mutate_field(r, c, &s->fields[random_below(r, s->field_count)]);
    mend(c);
}

/* Does the case set this field to something? */
static bool is_set(const struct test_case *c, const struct field *f)
{
    const uint32_t *word = case_field_const(c, f);
    if (f->kind == FIELD_ENUM || f->kind == FIELD_WORD)
        return *word != f->initial;
    return f->kind == FIELD_IMAGE ? word[0] || word[2] : word[0];
}

/* Gives a row of the case new words, or changes one of its words. A case without rows gets another fill. */
static void nudge_image(struct random *r, struct test_case *c, const struct field *f)
{
    uint32_t *count, *rows = case_items(c, f, &count), *head = case_field(c, f);
    if (!*count) {
        head[0] = random_below(r, FILL_KINDS);
        head[1] = head[0] == FILL_RANDOM ? random_u32(r) : 0;
        return;
    }
    uint32_t *row = rows + random_below(r, *count) * (f->row_words + 1) + 1;
    uint32_t *word = row + random_below(r, f->row_words);
    if (random_one_in(r, 2))
        make_row(r, f, row);
    else
        *word = mutate_word(r, *word, f->interesting, f->interesting_count);
}

static void nudge_field(struct random *r, struct test_case *c, const struct field *f)
{
    uint32_t *count, *items;
    if (f->kind == FIELD_ENUM || f->kind == FIELD_WORD) {
        mutate_field(r, c, f);
    } else if (f->kind == FIELD_IMAGE) {
        nudge_image(r, c, f);
    } else {
        items = case_items(c, f, &count);
        mutate_item(r, c, f, items + random_below(r, *count) * field_item_words(c->unit, f));
    }
}

void case_nudge(struct random *r, struct test_case *c)
{
    const struct field *set[FIELDS_MAX];
    uint32_t count = 0;
    for (unsigned i = 0; i < c->unit->schema.field_count; i++)
        if (is_set(c, &c->unit->schema.fields[i]))
            set[count++] = &c->unit->schema.fields[i];
    for (uint32_t n = 1 + random_below(r, 2); n > 0 && count; n--)
        nudge_field(r, c, set[random_below(r, count)]);
    mend(c);
}

/* Copies a run of the other case's items over this case's items, or between them. */
static void cross_list(struct random *r, const struct test_case *other, struct test_case *c,
                       const struct field *f)
{
    uint32_t size = field_item_words(c->unit, f), *count, *items = case_items(c, f, &count);
    const uint32_t *from = case_field_const(other, f);
    uint32_t theirs = from[0];
    if (!theirs)
        return;
    uint32_t start = random_below(r, theirs), run = 1 + random_below(r, theirs - start),
             place = random_below(r, *count + 1);
    bool insert = random_one_in(r, 2);
    if (run > f->max - place)
        run = f->max - place;
    if (insert && run > f->max - *count)
        run = f->max - *count;
    if (insert) {
        make_room(c, f, place, run);
    } else if (place + run > *count) {
        *count = place + run;
    }
    memcpy(items + place * size, from + 1 + start * size, (size_t)run * size * sizeof *items);
}

void case_cross(struct random *r, const struct test_case *other, struct test_case *c)
{
    const struct schema *s = &c->unit->schema;
    const struct field *f = &s->fields[random_below(r, s->field_count)];
    if (f->kind == FIELD_IMAGE) {
        uint32_t words = 3 + case_field_const(other, f)[2] * (f->row_words + 1);
        memcpy(case_field(c, f), case_field_const(other, f), words * sizeof(uint32_t));
    } else if (f->kind == FIELD_ENUM || f->kind == FIELD_WORD) {
        *case_field(c, f) = *case_field_const(other, f);
    } else {
        cross_list(r, other, c, f);
    }
    mend(c);
}
