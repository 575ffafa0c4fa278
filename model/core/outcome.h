/* SPDX-License-Identifier: MIT */
/*
 * Outcomes: what a case left behind, and how it ended.
 *
 * A unit declares its outcome as a layout: named regions of rows, all rows of a
 * unit having the same number of 32-bit words. From the layout come resetting,
 * comparison under the defined mask, signatures, text, JSON and pictures.
 *
 * The machine runs directly in the outcome's rows. It marks each row it may
 * have changed as touched; all other rows hold what the case put there at the
 * start. So resetting and comparing cost only what a case dirtied.
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
    END_HANG,      /* would never end (a deadlock, a stall for ever, the case's instruction limit) */
    END_FAULT,     /* left the case's memory, or met what the unit cannot execute */
    END_REFUSED,   /* was not run: the board's verifier or its kernel said no */
    END_UNDEFINED, /* checked runs only: the way onward depends on an undefined bit, so nothing of it can be
                      compared */
};
const char *end_name(enum end e);

/* How a region is drawn in reports. */
enum drawing {
    DRAW_LANES, /* rows of vector elements */
    DRAW_GRID,  /* a memory with two addresses, as the VPM's 64 x 16 words */
    DRAW_STRIP, /* bytes by address */
    DRAW_BITS,  /* few bits a word */
};

struct region {
    const char *name;    /* kebab-case: "ra", "vpm", "memory" */
    const char *about;   /* one line for people */
    uint16_t rows, cols; /* cols at most the layout's row_words */
    uint8_t bits;        /* meaningful low bits of each word: 1..32 */
    enum drawing drawing;
    uint16_t first_row;           /* number of this region's row 0 among all rows of the layout */
    const char *image;            /* the case's image field that holds the initial content; NULL: all zero */
    const char *const *row_names; /* for people; NULL: numbers */
};

enum { OUTCOME_ROWS_MAX = 1024, REGIONS_MAX = 24, OUTCOME_PARTLY_MAX = 2, NO_IMAGE = 255 };

/*
 * For a unit whose lanes each reach bytes of their own: which regions say who
 * reached what, so that pictures can show it. Row r, column c of `address` and
 * `fate` belong together; rows come in groups, an operation's parts after each
 * other.
 */
struct reach {
    const char *address; /* region: the byte address in `memory` that the lane reached */
    const char
        *fate; /* region: bits 3:0 what became of the lane (index into `fates`), bits 7:4 bytes reached */
    const char *memory; /* region: what the addresses count in */
    unsigned group_rows;
    const char *const
        *fates; /* for people; the first is a lane that took no part; NULL-terminated, at most 16 */
};

/*
 * For a unit that moves elements about: the region that says what each element
 * of the destination received, so that pictures can draw it as arrows. Element
 * d is word d of the region, counted row by row.
 */
struct flow {
    const char *region;
    uint32_t first_copy; /* words from here on: source element (word - first_copy) */
    const char *const
        *values; /* what the words below mean, for people, short; [0], nothing, is ""; NULL-terminated */
};

struct layout {
    const struct region *regions;
    unsigned region_count;
    uint16_t rows;      /* of all regions together: first_row + rows of the last */
    uint16_t row_words; /* words a row, at most ROW_WORDS_MAX */
};

/*
 * What outcome_reset and comparing look at of each outcome stands in few cache lines, because whoever goes
 * through hundreds of them waits for these: with 256 cases a launch behind a stand-in for a board, a quarter
 * of the host's work was that.
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
    struct outcome_partly {
        const uint64_t *lanes; /* a bit a word, for row n of the region lanes[n % period]; NULL: there is no
                                  such region */
        uint8_t region, period;
    } partly[OUTCOME_PARTLY_MAX]; /* of a region's `unchanged` rows only these words were recorded, and their
                                     masks stand nowhere: outcome_masks */
    uint8_t image[REGIONS_MAX]; /* of each region: number of its image among the case's fields, NO_IMAGE if it
                                   has none */
    _Alignas(64) uint64_t touched[OUTCOME_ROWS_MAX / 64]; /* rows that may differ from the initial content */
    uint64_t unchanged[OUTCOME_ROWS_MAX / 64]; /* of the touched rows: looked at and found as they were at the
                                                  start, every bit (but see `partly`) */
    uint64_t whole[OUTCOME_ROWS_MAX / 64]; /* of the touched rows: recorded in full, all masks are ones and
                                              need no look; to set none is right, too */
    uint64_t dirty[OUTCOME_ROWS_MAX /
                   64]; /* rows that the case itself put there: owned by outcome_reset, as all that follows */
    struct outcome_base {
        uint32_t fill, seed;           /* what the clean rows hold; */
        const struct image_rule *rule; /* as long as it is the same: there they stand; NULL: zeros */
    } base[REGIONS_MAX];
    struct image_rules *rules;
};

struct outcome *outcome_new(const struct unit *u);
void outcome_free(struct outcome *o);

/*
 * The same where the caller wants it: in so many bytes that are 0 and begin with a cache line, with rules
 * that outcomes of one thread may share. Nothing needs to be given back.
 */
size_t outcome_bytes(const struct unit *u);
struct outcome *outcome_make(const struct unit *u, struct image_rules *rules, void *memory);

/* Makes every row what the case puts there, nothing touched, all defined, end done, complete, not checked. */
void outcome_reset(struct outcome *o, const struct test_case *c);

static inline uint32_t *outcome_row(struct outcome *o, uint32_t row, uint32_t row_words)
{
    return o->value + row * row_words;
}
static inline void outcome_touch(struct outcome *o, uint32_t row)
{
    o->touched[row / 64] |= UINT64_C(1) << (row % 64);
}
/* A board that reads a whole row, whose masks nobody wrote, says so. */
static inline void outcome_touch_whole(struct outcome *o, uint32_t row)
{
    outcome_touch(o, row);
    o->whole[row / 64] |= UINT64_C(1) << (row % 64);
}
/* A board that reads a whole row and finds the initial content, which stands in `value`, records it so:
 * nobody needs to look at it again. */
static inline void outcome_touch_unchanged(struct outcome *o, uint32_t row)
{
    outcome_touch(o, row);
    o->unchanged[row / 64] |= UINT64_C(1) << (row % 64);
}
/* Of a row only these words, a bit each, are recorded: the others' masks become 0. Not for unchanged rows,
 * for which `partly` says it. */
void outcome_record_lanes(struct outcome *o, uint32_t row, uint64_t lanes);

/* The masks of a row's words, if the outcome is checked; in `room` where they stand nowhere. */
const uint32_t *outcome_masks(const struct outcome *o, uint32_t row, uint32_t room[ROW_WORDS_MAX]);

static inline bool outcome_touched(const struct outcome *o, uint32_t row)
{
    return (o->touched[row / 64] >> (row % 64)) & 1;
}

/* The bits of a word that a region has. */
static inline uint32_t region_bits(const struct region *r)
{
    return r->bits >= 32 ? UINT32_MAX : (UINT32_C(1) << r->bits) - 1;
}

/* The region that a row (numbered over all regions) lies in. */
const struct region *layout_region(const struct layout *l, uint32_t row);
const struct region *layout_region_named(const struct layout *l, const char *name);

/*
 * The binary form of an outcome, as boards answer it and traces keep it: how
 * it ended, then the touched rows with their masks. Decoding needs the case,
 * because untouched rows of a complete outcome hold its initial content. Bad
 * bytes are an error, never a crash. The layout is documented in harness/PROTOCOL.md.
 */
enum { OUTCOME_BYTES_MAX = 16 + OUTCOME_ROWS_MAX * (3 + 8 * ROW_WORDS_MAX) };
size_t outcome_encode(const struct outcome *o, uint8_t *bytes, size_t room); /* 0: no room */
bool outcome_decode(struct outcome *o, const struct test_case *c, const uint8_t *bytes, size_t count,
                    struct error *e);

/* Prints how it ended and the touched rows, for people. */
void outcome_print(const struct outcome *o, struct text *t);

#endif
