/* SPDX-License-Identifier: MIT */
/*
 * Outcomes: the state that a case left, and how it ended.
 *
 * A unit declares its outcome as a layout: named regions of rows. All rows of a unit have the same number of
 * 32-bit words. Resetting, comparison under the defined mask, signatures, text, JSON and pictures come from
 * the layout.
 *
 * The model runs directly in the outcome's rows. It marks each row that it may have changed as touched. All
 * other rows hold the case's initial content. So resetting and comparing need time only for the rows that the
 * case changed.
 */
#ifndef MISPRINT_MODEL_CORE_OUTCOME_H
#define MISPRINT_MODEL_CORE_OUTCOME_H

#include "model/core/case.h"
#include "model/number/tolerance.h"
#include "model/text/text.h"

#include <stdbool.h>
#include <stdint.h>

struct image_rules;

enum end {
    END_DONE,      /* ran to its end */
    END_HANG,      /* did not end: a deadlock, an endless stall, or the case's instruction limit */
    END_FAULT,     /* left the case's memory, or met something that the unit cannot execute */
    END_REFUSED,   /* did not run: the board's verifier or kernel refused it */
    END_UNDEFINED, /* checked runs only: a branch depends on an undefined bit, so nothing can be compared */
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

enum {
    OUTCOME_ROWS_MAX = 1024,
    REGIONS_MAX = 24,
    OUTCOME_PARTIAL_MAX = 2,
    NO_IMAGE = 255,
    OUTCOME_FENCE_WORDS =
        16, /* behind the values, unused here: a board puts a fence there (plugin_library.h) */
};

/*
 * For a unit whose lanes access memory separately: names the regions that record the accesses, so that
 * reports can draw them. Row r, column c of `address` and of `result` describe the same access. Each
 * operation has `group_rows` successive rows.
 */
struct reach {
    const char *address; /* region: the lane's byte address in `memory` */
    const char *result;  /* region: bits 3:0 index `result_names`, bits 7:4 count the bytes accessed */
    const char *memory;  /* region that the addresses count in */
    unsigned group_rows;
    const char *const *result_names; /* at most 16, NULL-terminated; [0]: the lane took no part */
};

/*
 * For a unit that moves elements: names the region that records what each element of the destination
 * received, so that reports can draw arrows. Word d of the region, counted row by row, is for element d.
 */
struct flow {
    const char *region;
    uint32_t first_copy;       /* a word w at or above this: element w - first_copy was copied */
    const char *const *values; /* names of smaller words; [0] is "": nothing arrived; NULL-terminated */
};

struct layout {
    const struct region *regions;
    unsigned region_count;
    uint16_t rows;      /* rows of all regions together */
    uint16_t row_words; /* words in a row, at most ROW_WORDS_MAX */
};

/*
 * Members that outcome_reset and comparison use come first and share few cache lines. With 256 cases in a
 * launch, cache misses on them took a quarter of the host's time.
 */
struct outcome {
    const struct unit *unit;
    enum end end;
    uint16_t reason; /* index into unit->reasons; 0 when done */
    bool complete;   /* false: only the touched rows are known, as in a trace that recorded a few registers */
    bool checked;    /* `defined` is valid; otherwise every bit counts as defined */
    bool adopted;    /* somebody else gives the rows their initial content (outcome_adopt) */
    uint32_t *value; /* layout->rows * layout->row_words, then OUTCOME_FENCE_WORDS */
    uint32_t
        *defined; /* same shape: 1 = this bit is defined by the specification, or was recorded by the board */
    uint32_t *tolerance; /* same shape; 0 outside `tolerant` rows (tolerance.h). Only the model's checked runs
                            set it */
    /* Set if a board recorded only some words of the `unchanged` rows of `region`. outcome_masks returns the
     * right masks of such rows; `defined` does not. */
    struct outcome_partial {
        const uint64_t *lanes; /* bit c of lanes[n % period]: word c of row n was recorded; NULL: unused */
        uint8_t region, period;
    } partial[OUTCOME_PARTIAL_MAX];
    uint8_t image[REGIONS_MAX]; /* for each region, index of its image among the case's fields, or NO_IMAGE */
    /* Sets of rows, one bit a row. */
    _Alignas(64) uint64_t touched[OUTCOME_ROWS_MAX / 64]; /* may differ from the initial content */
    /* These two sets are subsets of `touched`. They only save time, so they may lack rows. */
    uint64_t unchanged[OUTCOME_ROWS_MAX / 64];     /* recorded, and equal to the initial content */
    uint64_t fully_defined[OUTCOME_ROWS_MAX / 64]; /* recorded in full: all masks are ones */
    uint64_t tolerant[OUTCOME_ROWS_MAX / 64];      /* may have words with a tolerance */
    /* The members below are private to outcome.c. */
    uint64_t dirty[OUTCOME_ROWS_MAX / 64]; /* rows that the case lists */
    struct outcome_base {
        uint32_t fill, seed;           /* fill rule of all other rows */
        const struct image_rule *rule; /* that rule's rows; the cache may have replaced them. NULL: zeros */
    } base[REGIONS_MAX];
    struct image_rules *rules;
};

struct outcome *outcome_new(const struct unit *u);
void outcome_free(struct outcome *o);

/* Creates an outcome in `memory`, which must have outcome_bytes zeroed bytes and be aligned to a cache line.
 * Outcomes of one thread may share `rules`. */
size_t outcome_bytes(const struct unit *u);
struct outcome *outcome_make(const struct unit *u, struct image_rules *rules, void *memory);
/* As outcome_make, but `memory` needs only the zeroed bytes of a struct outcome. The rows are in `value`, and
 * there are no masks: only outcome_reset and runs that are RUN_PLAIN may use the outcome. */
struct outcome *outcome_make_plain(const struct unit *u, struct image_rules *rules, void *memory,
                                   uint32_t *value);

/* Gives every row its initial content. After that, no row is touched, all bits are defined, and the outcome
 * is done, complete and not checked. */
void outcome_reset(struct outcome *o, const struct test_case *c);

/* Gives an outcome of outcome_make_plain rows to which somebody else gives the initial content of each case,
 * as to those of a plug-in. From then on, outcome_reset writes no rows. */
void outcome_adopt(struct outcome *o, uint32_t *value);

static inline uint32_t *outcome_row(struct outcome *o, uint32_t row, uint32_t row_words)
{
    return o->value + row * row_words;
}
static inline void outcome_touch(struct outcome *o, uint32_t row)
{
    o->touched[row / 64] |= UINT64_C(1) << (row % 64);
}
/* Marks a row that a board recorded in full. Its masks must be all ones already. */
static inline void outcome_touch_fully_defined(struct outcome *o, uint32_t row)
{
    outcome_touch(o, row);
    o->fully_defined[row / 64] |= UINT64_C(1) << (row % 64);
}
/* Marks a row that a board recorded in full and that equals its initial content. `value` must hold that
 * content already. */
static inline void outcome_touch_unchanged(struct outcome *o, uint32_t row)
{
    outcome_touch(o, row);
    o->unchanged[row / 64] |= UINT64_C(1) << (row % 64);
}
/* Marks a touched row as one whose words may have a tolerance. */
static inline void outcome_tolerate(struct outcome *o, uint32_t row)
{
    o->tolerant[row / 64] |= UINT64_C(1) << (row % 64);
}
static inline bool outcome_tolerant(const struct outcome *o, uint32_t row)
{
    return (o->tolerant[row / 64] >> (row % 64)) & 1;
}
/* Do two checked outcomes have equal masks and equal tolerances? */
bool outcome_same_masks(const struct outcome *a, const struct outcome *b);
/* Marks words of a row (one bit a word) as the only ones that a board recorded: clears the masks of the
 * others. Unchanged rows use `partial` instead. */
void outcome_record_lanes(struct outcome *o, uint32_t row, uint64_t lanes);

/* Returns the masks of a row in a checked outcome. Writes them to `room` if `partial` applies to the row. */
const uint32_t *outcome_masks(const struct outcome *o, uint32_t row, uint32_t room[ROW_WORDS_MAX]);

static inline bool outcome_touched(const struct outcome *o, uint32_t row)
{
    return (o->touched[row / 64] >> (row % 64)) & 1;
}

/* Returns a mask of the bits that a region's words use. */
static inline uint32_t region_bits(const struct region *r)
{
    return r->bits >= 32 ? UINT32_MAX : (UINT32_C(1) << r->bits) - 1;
}

/* Returns the region of a row, whose number counts over all regions; NULL if there is none. */
const struct region *layout_region(const struct layout *l, uint32_t row);
const struct region *layout_region_named(const struct layout *l, const char *name);

/*
 * The binary form of an outcome, which boards send and traces store: how the case ended, then the touched
 * rows with their masks. It has no tolerances: a board knows none, and the masks of a model's outcome are
 * right even without tolerances. Decoding needs the case, because untouched rows of a complete outcome have
 * the case's initial content. Malformed bytes are an error, never a crash. harness/PROTOCOL.md documents the
 * layout.
 */
enum { OUTCOME_BYTES_MAX = 16 + OUTCOME_ROWS_MAX * (3 + 8 * ROW_WORDS_MAX) };
size_t outcome_encode(const struct outcome *o, uint8_t *bytes, size_t room); /* 0: no room */
size_t outcome_encoded_max(const struct unit *u); /* the most bytes of an outcome of this unit */
bool outcome_decode(struct outcome *o, const struct test_case *c, const uint8_t *bytes, size_t count,
                    struct error *e);

/* Prints how the case ended, and the touched rows. */
void outcome_print(const struct outcome *o, struct text *t);

#endif
