/* SPDX-License-Identifier: MIT */
/*
 * Outcomes: what a case left behind, and how it ended.
 *
 * A unit declares its outcome as a layout: named regions of rows. All rows of a
 * unit have the same number of 32-bit words. Resetting, comparison under the
 * defined mask, signatures, text, JSON and pictures are made from the layout.
 *
 * The machine runs directly in the outcome's rows. It marks each row that it may
 * have changed as touched; all other rows hold the case's initial content. So
 * resetting and comparing cost only what a case changed.
 */
#ifndef MISPRINT_MODEL_CORE_OUTCOME_H
#define MISPRINT_MODEL_CORE_OUTCOME_H

#include "model/core/case.h"
#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

struct image_rules;

enum end {
    END_DONE,      /* ran to its end */
    END_HANG,      /* would never end (a deadlock, an endless stall, the case's instruction limit) */
    END_FAULT,     /* left the case's memory, or met what the unit cannot execute */
    END_REFUSED,   /* was not run: the board's verifier or kernel refused it */
    END_UNDEFINED, /* checked runs only: control flow depends on an undefined bit, so nothing is comparable */
};
const char *end_name(enum end e);

/* How a region is drawn in reports. */
enum drawing {
    DRAW_LANES, /* rows of vector elements */
    DRAW_GRID,  /* a memory with two addresses, such as the VPM's 64 x 16 words */
    DRAW_STRIP, /* bytes by address */
    DRAW_BITS,  /* words with few bits */
};

struct region {
    const char *name;    /* kebab-case: "ra", "vpm", "memory" */
    const char *about;   /* one line for the user */
    uint16_t rows, cols; /* cols at most the layout's row_words */
    uint8_t bits;        /* meaningful low bits of each word: 1..32 */
    enum drawing drawing;
    uint16_t first_row;           /* number of this region's row 0 among all rows of the layout */
    const char *image;            /* the case's image field with the initial content; NULL: all zero */
    const char *const *row_names; /* NULL: numbers */
};

enum { OUTCOME_ROWS_MAX = 1024, REGIONS_MAX = 24, OUTCOME_PARTIAL_MAX = 2, NO_IMAGE = 255 };

/*
 * For a unit whose lanes each access bytes of their own: the regions that record
 * the accesses, so that reports can draw them. Row r, column c of `address` and
 * `result` belong together. An operation has `group_rows` successive rows.
 */
struct reach {
    const char *address; /* region: the lane's byte address in `memory` */
    const char *result;  /* region: bits 3:0 index `result_names`, bits 7:4 count the bytes accessed */
    const char *memory;  /* region that the addresses count in */
    unsigned group_rows;
    const char *const *result_names; /* at most 16, NULL-terminated; [0]: the lane took no part */
};

/*
 * For a unit that moves elements: the region that records what each element of
 * the destination received, so that reports can draw arrows. Element d is word d
 * of the region, counted row by row.
 */
struct flow {
    const char *region;
    uint32_t first_copy;       /* a word from here on is: source element + first_copy */
    const char *const *values; /* short names of the words below; [0], nothing, is ""; NULL-terminated */
};

struct layout {
    const struct region *regions;
    unsigned region_count;
    uint16_t rows;      /* of all regions together: first_row + rows of the last */
    uint16_t row_words; /* words in a row, at most ROW_WORDS_MAX */
};

/*
 * Members that outcome_reset and comparison read come first and share few cache lines: with 256 cases a
 * launch, cache misses on them were a quarter of the host's work.
 */
struct outcome {
    const struct unit *unit;
    enum end end;
    uint16_t reason; /* index into unit->reasons; 0 when done */
    bool complete;   /* false: only the touched rows are known (a trace that recorded a few registers) */
    bool checked;    /* `defined` is meaningful; otherwise every bit counts as defined */
    uint32_t *value; /* layout->rows * layout->row_words */
    uint32_t
        *defined; /* the same shape: bit 1 = the specification (or the board's record) defines this bit */
    /* Of the `unchanged` rows of `region` only some words were recorded. `defined` does not show it:
     * outcome_masks does. */
    struct outcome_partial {
        const uint64_t
            *lanes; /* row n of the region: a bit a word in lanes[n % period]; NULL: unused entry */
        uint8_t region, period;
    } partial[OUTCOME_PARTIAL_MAX];
    uint8_t image[REGIONS_MAX]; /* index of each region's image among the case's fields, or NO_IMAGE */
    /* Sets of rows, a bit each. */
    _Alignas(64) uint64_t touched[OUTCOME_ROWS_MAX / 64]; /* may differ from the initial content */
    /* The next two are subsets of `touched` that save work; they may be left empty. */
    uint64_t unchanged[OUTCOME_ROWS_MAX / 64];     /* recorded, and equal to the initial content */
    uint64_t fully_defined[OUTCOME_ROWS_MAX / 64]; /* recorded in full: all masks are ones */
    /* From here on private to outcome.c. */
    uint64_t dirty[OUTCOME_ROWS_MAX / 64]; /* the case's own rows */
    struct outcome_base {
        uint32_t fill, seed;           /* the rule of all other rows */
        const struct image_rule *rule; /* its rows, unless it has changed since; NULL: zeros */
    } base[REGIONS_MAX];
    struct image_rules *rules;
};

struct outcome *outcome_new(const struct unit *u);
void outcome_free(struct outcome *o);

/* Makes an outcome in `memory`: outcome_bytes zeroed bytes, aligned to a cache line. Outcomes of one thread
 * may share `rules`. */
size_t outcome_bytes(const struct unit *u);
struct outcome *outcome_make(const struct unit *u, struct image_rules *rules, void *memory);

/* Gives every row its initial content; nothing touched, all defined, end done, complete, not checked. */
void outcome_reset(struct outcome *o, const struct test_case *c);

static inline uint32_t *outcome_row(struct outcome *o, uint32_t row, uint32_t row_words)
{
    return o->value + row * row_words;
}
static inline void outcome_touch(struct outcome *o, uint32_t row)
{
    o->touched[row / 64] |= UINT64_C(1) << (row % 64);
}
/* For a row that a board recorded in full and whose masks nobody wrote. */
static inline void outcome_touch_fully_defined(struct outcome *o, uint32_t row)
{
    outcome_touch(o, row);
    o->fully_defined[row / 64] |= UINT64_C(1) << (row % 64);
}
/* For a row that a board recorded in full and found equal to the initial content, which is in `value`. */
static inline void outcome_touch_unchanged(struct outcome *o, uint32_t row)
{
    outcome_touch(o, row);
    o->unchanged[row / 64] |= UINT64_C(1) << (row % 64);
}
/* Only these words of a row (a bit each) are recorded: clears the others' masks. Not for unchanged rows,
 * which use `partial`. */
void outcome_record_lanes(struct outcome *o, uint32_t row, uint64_t lanes);

/* The masks of a row's words in a checked outcome; written to `room` where `partial` applies. */
const uint32_t *outcome_masks(const struct outcome *o, uint32_t row, uint32_t room[ROW_WORDS_MAX]);

static inline bool outcome_touched(const struct outcome *o, uint32_t row)
{
    return (o->touched[row / 64] >> (row % 64)) & 1;
}

/* The meaningful bits of a region's words. */
static inline uint32_t region_bits(const struct region *r)
{
    return r->bits >= 32 ? UINT32_MAX : (UINT32_C(1) << r->bits) - 1;
}

/* The region of a row (numbered over all regions), or NULL. */
const struct region *layout_region(const struct layout *l, uint32_t row);
const struct region *layout_region_named(const struct layout *l, const char *name);

/*
 * The binary form of an outcome, which boards send and traces keep: how it
 * ended, then the touched rows with their masks. Decoding needs the case,
 * because untouched rows of a complete outcome hold its initial content. Bad
 * bytes are an error, never a crash. harness/PROTOCOL.md documents the layout.
 */
enum { OUTCOME_BYTES_MAX = 16 + OUTCOME_ROWS_MAX * (3 + 8 * ROW_WORDS_MAX) };
size_t outcome_encode(const struct outcome *o, uint8_t *bytes, size_t room); /* 0: no room */
bool outcome_decode(struct outcome *o, const struct test_case *c, const uint8_t *bytes, size_t count,
                    struct error *e);

/* Prints how the case ended, and the touched rows. */
void outcome_print(const struct outcome *o, struct text *t);

#endif
