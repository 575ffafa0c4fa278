/* SPDX-License-Identifier: MIT */
/*
 * Cases, and the schema that describes them. The schema defines the binary form that fuzzers mutate, the text
 * form that people read, and the JSON. The generic generator, mutator and reducer work by the schema, too.
 *
 * A unit declares its case as a C struct that has only uint32_t members, and a table of fields that names
 * them. A `struct test_case` can hold a case of any unit. It has a fixed size and no pointers into itself, so
 * it can be copied by assignment; case_copy copies only the part in use.
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
    CASE_WORDS_MAX = 16384,                     /* 32-bit words of a unit's case struct */
    CASE_BYTES_MAX = 4 * CASE_WORDS_MAX + 1024, /* the longest binary form */
    FIELDS_MAX = 24,
    ROW_WORDS_MAX = 64, /* words in a row of an image or of an outcome's region */
};

/* A named range of bits of a word; used by text, JSON and pictures. */
struct bit_field {
    const char *name;          /* as the manual spells it; NULL ends a table */
    uint8_t low, width;        /* lowest bit and number of bits */
    const char *const *values; /* names of the values 0, 1, ..., NULL-terminated; or NULL */
};

enum field_kind {
    FIELD_ENUM,     /* uint32_t: an index into `names` */
    FIELD_WORD,     /* uint32_t: a number from min_value to max_value, or a word with bit fields */
    FIELD_WORDS,    /* struct { uint32_t count, item[max]; }: a list of words */
    FIELD_UNIFORMS, /* struct { uint32_t count; struct case_uniform item[max]; } */
    FIELD_CODE,     /* struct { uint32_t count, item[max * unit->code->words]; }: a list of instructions */
    FIELD_IMAGE,    /* CASE_IMAGE(max, row_words): rows of words */
};

/* The first members of a FIELD_IMAGE. A case struct can declare this head and the rows as two members. */
struct image_head {
    uint32_t fill, seed, count;
};

/* Declares a member that is a whole FIELD_IMAGE. */
#define CASE_IMAGE(rows, row_words)                                                                          \
    struct {                                                                                                 \
        uint32_t fill, seed, count;                                                                          \
        struct {                                                                                             \
            uint32_t index, word[row_words];                                                                 \
        } row[rows];                                                                                         \
    }

/* An entry of a FIELD_UNIFORMS list. */
struct case_uniform {
    uint32_t is_address; /* 1: `value` is a byte offset into the case's memory, relocated by the machine */
    uint32_t value;
};

/* The content of the rows of an image that the case does not list. */
enum image_fill {
    FILL_ZERO,   /* all words 0 */
    FILL_INDEX,  /* byte n of the image is (n * 37 + n / 251 + 17) mod 256, so neighbours and rows differ */
    FILL_RANDOM, /* word i is the high half of random_mix64(seed << 32 | i) */
    FILL_KINDS
};

struct field {
    const char *name; /* spelt as in the text form: lower case, kebab-case */
    enum field_kind kind;
    uint32_t offset;              /* of the member in the case struct, in words: CASE_AT(struct, member) */
    uint32_t max;                 /* FIELD_ENUM: number of names; lists: most items; images: number of rows */
    uint32_t row_words;           /* images: words in a row */
    const char *const *names;     /* FIELD_ENUM: `max` names */
    const struct bit_field *bits; /* FIELD_WORD: the bit fields, or NULL */
    uint32_t min_value, max_value; /* FIELD_WORD: the range; both 0: any word */
    uint32_t generated_max;        /* FIELD_WORD: the greatest value that generators choose; 0: max_value */
    uint32_t initial;              /* FIELD_ENUM, FIELD_WORD: the default; the text form omits it */
    const uint32_t *interesting;   /* values that are worth trying often (words, words of images, uniforms) */
    uint32_t interesting_count;
    const char *about; /* one line for the user */
    /* For a FIELD_WORD of a case that chooses its instruction set (struct code.chosen_by): the bit fields
     * under each set. Replaces `bits`. */
    const struct bit_field *const *bits_by;
};

#define CASE_AT(type, member) ((uint32_t)(offsetof(type, member) / sizeof(uint32_t)))

struct test_case;

/*
 * A text for several words together, for example for a resource descriptor. A line "NAME = TEXT" of a .case
 * file sets all these words. Each word is also a field of its own, and the binary form has only these fields.
 */
enum { PHRASE_WORDS_MAX = 8 };

struct phrase {
    const char *name;      /* differs from the names of all fields */
    uint32_t first, words; /* successive FIELD_WORDs of the case without a range; at most PHRASE_WORDS_MAX */
    /* Prints the words as one line. `parse` turns this line back into the same words. */
    void (*print)(const struct test_case *c, const uint32_t *words, struct text *t);
    /* Parses characters `from` to `count` of a line. If a FIELD_ENUM decides what the words mean, the case
     * already has its value. The error names the column. */
    bool (*parse)(const struct test_case *c, const char *line, size_t from, size_t count, uint32_t *words,
                  struct error *e);
    /* Prints a line for each rule of the documents that the words violate. */
    void (*judge)(const struct test_case *c, const uint32_t *words, struct text *t);
    /* Optional, for cases whose instructions can hold such words, too: prints and judges the words that the
     * instructions use. */
    void (*describe)(const struct test_case *c, struct text *t);
};

struct schema {
    const struct field *fields;
    unsigned field_count;
    uint32_t words;              /* size of the unit's case struct in 32-bit words */
    const struct phrase *phrase; /* or NULL */
};

struct test_case {
    const struct unit *unit;
    uint32_t words[CASE_WORDS_MAX]; /* the unit's case struct */
};

/* Returns the address of a field's first word in a case. */
static inline uint32_t *case_field(struct test_case *c, const struct field *f)
{
    return c->words + f->offset;
}
static inline const uint32_t *case_field_const(const struct test_case *c, const struct field *f)
{
    return c->words + f->offset;
}

/* Returns the bit fields of a FIELD_WORD, or NULL if it has none. If they depend on the instruction set,
 * returns those for the set that the case chose. */
const struct bit_field *case_bits(const struct test_case *c, const struct field *f);

/* Returns the field of this name; NULL if there is none. */
const struct field *schema_field(const struct schema *s, const char *name);

/* Returns the number of words in an item of a list or image: 1 in a FIELD_WORDS, 2 in a FIELD_UNIFORMS, the
 * unit's instruction words in a FIELD_CODE, 1 + row_words in a FIELD_IMAGE (the row's index comes first). */
uint32_t field_item_words(const struct unit *u, const struct field *f);
/* Returns the first item of a list or image, and sets `*count` to the address of its count. NULL for other
 * fields. */
uint32_t *case_items(struct test_case *c, const struct field *f, uint32_t **count);

void case_init(struct test_case *c, const struct unit *u);          /* defaults, empty lists */
void case_copy(struct test_case *to, const struct test_case *from); /* copies only words in use */
/* As case_copy, from the words of a case, as a plug-in gets them. */
void case_take(struct test_case *c, const struct unit *u, const uint32_t *words);

/* Writes the words in use one after the other, at most schema.words, and returns their number. */
uint32_t case_pack(const struct test_case *c, uint32_t *words);
/* Reads what case_pack wrote, by this program, and returns the number of words. It checks nothing: what comes
 * from outside is read by case_decode. */
uint32_t case_unpack(struct test_case *c, const struct unit *u, const uint32_t *words);
bool case_equal(const struct test_case *a, const struct test_case *b);
/* Returns `v` if it is a valid value of the FIELD_ENUM or FIELD_WORD; otherwise a valid value made from it.
 */
uint32_t field_clamp(const struct field *f, uint32_t v);
/* Brings every value into its range, and sorts image rows by index. If several rows have one index, keeps the
 * last. */
void case_sanitise(struct test_case *c);

/* Writes the words of a row of an image. If the case does not list the row, the fill rule gives the words. */
void image_row(const struct test_case *c, const struct field *f, uint32_t row, uint32_t *words);
/* Writes the words that the fill rule gives to a row. */
void image_fill_row(enum image_fill fill, uint32_t seed, uint32_t row, uint32_t row_words, uint32_t *words);
/* Are all words of a row equal? Both forms of a case store such a row as one word ("all 3f800000"). */
bool row_is_constant(const uint32_t *words, uint32_t count);
/* Returns the words of the row with this index if the case lists it, otherwise NULL. With `add`, lists a
 * missing row first, with the content of the fill rule; then NULL means that the list is full. */
uint32_t *image_own_row(struct test_case *c, const struct field *f, uint32_t row, bool add);

/*
 * The binary form. Every byte string decodes to a case, so that a fuzzer wastes no mutation. case_decode
 * reads missing bytes as 0, brings values into range, and ignores surplus bytes. case_encode writes the
 * canonical bytes: decode(encode(c)) equals c. harness/PROTOCOL.md documents the layout.
 */
void case_decode(struct test_case *c, const struct unit *u, const uint8_t *bytes, size_t count);
size_t case_encode(const struct test_case *c, uint8_t bytes[CASE_BYTES_MAX]);

/*
 * The text form (.case files). case_parse reads one case; its errors name the line, the column and what it
 * expected there. case_parse restores the case that case_print wrote, but it drops comments.
 */
void case_print(const struct test_case *c, struct text *t);
bool case_parse(struct test_case *c, const char *chars, size_t count, struct error *e);
/* Parses a case of unit `u`, which need not be in the table of units. An error if the text names another
 * unit. */
bool case_parse_as(struct test_case *c, const struct unit *u, const char *chars, size_t count,
                   struct error *e);
/* Returns the unit that the first line of a case's text names; NULL with an error if there is none. */
const struct unit *case_text_unit(const char *chars, size_t count, struct error *e);
/* If the unit has a phrase: prints its words, its text, and the rules that the words violate. */
void case_describe_phrase(const struct test_case *c, struct text *t);

#endif
