/* SPDX-License-Identifier: MIT */
/*
 * Cases, and the schema from which everything generic about them is made: the
 * binary form that fuzzers mutate, the text form that people read, the generic
 * generator, mutator, reducer and JSON.
 *
 * A unit declares its case as a C struct of uint32_t members only, and a table
 * of fields that names them. One `struct test_case` holds any unit's case; it
 * has a fixed size, is plain data, and copies by assignment (case_copy copies
 * only what is in use).
 */
#ifndef MISPRINT_MODEL_CORE_CASE_H
#define MISPRINT_MODEL_CORE_CASE_H

#include "model/core/error.h"
#include "model/number/random.h"
#include "model/text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unit;

enum {
    CASE_WORDS_MAX = 16384,                     /* of a unit's case struct, in 32-bit words */
    CASE_BYTES_MAX = 4 * CASE_WORDS_MAX + 1024, /* the longest binary form */
    FIELDS_MAX = 24,
    ROW_WORDS_MAX = 64, /* words a row of an image or an outcome's region can have */
};

/* The named bits of a word, for text, JSON and bit-field pictures. */
struct bit_field {
    const char *name;          /* as the manual spells it; NULL ends a table */
    uint8_t low, width;        /* lowest bit and number of bits */
    const char *const *values; /* names of the values 0, 1, ..., NULL-terminated; or NULL */
};

enum field_kind {
    FIELD_ENUM,     /* one uint32_t: an index into `names` */
    FIELD_WORD,     /* one uint32_t in min..max, perhaps with bit fields */
    FIELD_WORDS,    /* struct { uint32_t count, item[max]; }: a list of words */
    FIELD_UNIFORMS, /* struct { uint32_t count; struct case_uniform item[max]; }: words, each a value or an
                       address in the case's memory */
    FIELD_CODE,     /* struct { uint32_t count, item[max * unit->code->words]; }: a list of instructions */
    FIELD_IMAGE, /* struct { uint32_t fill, seed, count; struct { uint32_t index, word[row_words]; } row[max];
                    }: rows of words */
};

/* What a FIELD_IMAGE begins with; its rows may be an array of their own behind it. */
struct image_head {
    uint32_t fill, seed, count;
};

/* A whole FIELD_IMAGE as a member. */
#define CASE_IMAGE(rows, row_words)                                                                          \
    struct {                                                                                                 \
        uint32_t fill, seed, count;                                                                          \
        struct {                                                                                             \
            uint32_t index, word[row_words];                                                                 \
        } row[rows];                                                                                         \
    }

/* One entry of a FIELD_UNIFORMS list. */
struct case_uniform {
    uint32_t is_address; /* 1: `value` is a byte offset into the case's memory, which the machine that runs it
                            relocates */
    uint32_t value;
};

/* What an image's rows hold where no row of their own says otherwise. */
enum image_fill {
    FILL_ZERO,   /* all words 0 */
    FILL_INDEX,  /* byte n of the image is (n * 37 + n / 251 + 17) mod 256: neighbours differ in each byte,
                    rows differ too */
    FILL_RANDOM, /* word i is the high half of random_mix64(seed << 32 | i) */
    FILL_KINDS
};

struct field {
    const char *name; /* as in the text form: lower case, kebab-case */
    enum field_kind kind;
    uint32_t offset;              /* of the member, in 32-bit words: CASE_AT(struct, member) */
    uint32_t max;                 /* FIELD_ENUM: number of names; lists: most items; images: number of rows */
    uint32_t row_words;           /* images: words a row */
    const char *const *names;     /* FIELD_ENUM: `max` names */
    const struct bit_field *bits; /* FIELD_WORD: the bit fields, or NULL */
    uint32_t min_value, max_value; /* FIELD_WORD: the range; both 0 means any word */
    uint32_t initial;              /* FIELD_ENUM, FIELD_WORD: the default, left out of the text */
    const uint32_t *interesting;   /* values (words, images' words, uniforms) worth trying often */
    uint32_t interesting_count;
    const char *about; /* one line for people */
    /* FIELD_WORD: instead of `bits`, one table for each value of the enumeration that chooses the unit's
     * instruction set (struct code.chosen_by). */
    const struct bit_field *const *bits_by;
};

#define CASE_AT(type, member) ((uint32_t)(offsetof(type, member) / sizeof(uint32_t)))

struct test_case;

/*
 * Words of a case that mean something together, such as those of a resource descriptor: one line "NAME =
 * TEXT" of a .case file says all of them. They are fields of their own too; the binary form knows only these.
 */
struct phrase {
    const char *name;      /* no field's */
    uint32_t first, words; /* in the case: successive FIELD_WORDs, any value */
    void (*print)(const struct test_case *c, const uint32_t *words,
                  struct text *t); /* one line, without loss */
    /* Reads characters `from` to `count` of a line. What chooses the meaning (a FIELD_ENUM) stands before.
     * The error names the column. */
    bool (*parse)(const struct test_case *c, const char *line, size_t from, size_t count, uint32_t *words,
                  struct error *e);
    void (*judge)(const struct test_case *c, const uint32_t *words,
                  struct text *t); /* what documents have against them: a line each, or nothing */
};

struct schema {
    const struct field *fields;
    unsigned field_count;
    uint32_t words;              /* sizeof the unit's case struct / 4 */
    const struct phrase *phrase; /* NULL: no words have a text together */
};

struct test_case {
    const struct unit *unit;
    uint32_t words[CASE_WORDS_MAX]; /* the unit's case struct */
};

/* The head of a list in a case's words: the count, then the items. */
static inline uint32_t *case_field(struct test_case *c, const struct field *f)
{
    return c->words + f->offset;
}
static inline const uint32_t *case_field_const(const struct test_case *c, const struct field *f)
{
    return c->words + f->offset;
}

/* The bit fields of a word field in this case, or NULL. */
const struct bit_field *case_bits(const struct test_case *c, const struct field *f);

/* The field of this name, or NULL. */
const struct field *schema_field(const struct schema *s, const char *name);

/* Words of one item of a list field (1, 2, the unit's instruction words, or 1 + row_words). */
uint32_t field_item_words(const struct unit *u, const struct field *f);
/* Items in use, and the first item, of a list field or image; NULL, 0 for the others. */
uint32_t *case_items(struct test_case *c, const struct field *f, uint32_t **count);

void case_init(struct test_case *c, const struct unit *u);          /* defaults, empty lists */
void case_copy(struct test_case *to, const struct test_case *from); /* copies what is in use */
bool case_equal(const struct test_case *a,
                const struct test_case *b); /* the same case, not only the same outcome */
uint32_t field_clamp(
    const struct field *f,
    uint32_t v); /* the value itself if a FIELD_ENUM or FIELD_WORD may have it, else one that it may have */
void case_sanitise(
    struct test_case *c); /* brings every value into its range; image rows sorted by index, each index once */

/* Gives `count` words of the image's row `row` their values: its own, or by the fill rule. */
void image_row(const struct test_case *c, const struct field *f, uint32_t row, uint32_t *words);
/* The same by the fill rule alone, ignoring the rows of its own. */
void image_fill_row(enum image_fill fill, uint32_t seed, uint32_t row, uint32_t row_words, uint32_t *words);
/* Are all of a row's words the same? Both forms say these once ("all 3f800000"), and a case is the simpler
 * for it. */
bool row_is_constant(const uint32_t *words, uint32_t count);
/* The image's own row of this index; NULL when it has none. With `add`, makes one (from the fill rule) if
 * there is room. */
uint32_t *image_own_row(struct test_case *c, const struct field *f, uint32_t row, bool add);

/*
 * The binary form. Every byte string decodes to some case: missing bytes read
 * as 0, values are brought into range, bytes left over are ignored; so mutation
 * never wastes an execution. case_encode gives the canonical bytes
 * (decode(encode(c)) equals c). The layout is documented in harness/PROTOCOL.md.
 */
void case_decode(struct test_case *c, const struct unit *u, const uint8_t *bytes, size_t count);
size_t case_encode(const struct test_case *c, uint8_t bytes[CASE_BYTES_MAX]);

/*
 * The text form (files named .case). case_parse reads one case; errors name
 * line and column and what was expected there. case_print and case_parse are
 * inverse to each other, comments aside.
 */
void case_print(const struct test_case *c, struct text *t);
bool case_parse(struct test_case *c, const char *chars, size_t count, struct error *e);
/* The words of the unit's phrase, their text, and what documents have against them, for people; nothing if
 * the unit has none. */
void case_describe_phrase(const struct test_case *c, struct text *t);
/* The unit that a case's text names in its first line; NULL with an error. */
const struct unit *case_text_unit(const char *chars, size_t count, struct error *e);
/* The same as case_parse for a case of one unit, which need not be in the table of units. */
bool case_parse_as(struct test_case *c, const struct unit *u, const char *chars, size_t count,
                   struct error *e);

#endif
