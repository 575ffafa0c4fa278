/* SPDX-License-Identifier: MIT */
/*
 * What there is to see in outcomes, byte by byte: changed, differing, not
 * comparable. The pictures as SVG (report_svg.h), as text in Markdown and on
 * the terminal are all drawn from this; nothing here knows a unit.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_PICTURE_H
#define MISPRINT_ORACLE_DESCRIBE_PICTURE_H

#include "model/core/unit.h"

enum { SIDE_MODEL, SIDE_BOARD, SIDES };

struct picture {
    const struct unit *unit;
    const struct test_case *tc;        /* NULL: of no case; then rows have their numbers alone */
    const struct outcome *initial;     /* what the case put there before anything ran */
    const struct outcome *side[SIDES]; /* [SIDE_BOARD] NULL: one outcome alone */
};

/* How a byte (or a whole word) looks on one side. */
enum look {
    LOOK_PLAIN,           /* as before the run, and so on the other side */
    LOOK_CHANGED,         /* changed by the run; the other side agrees */
    LOOK_DIFFERS,         /* the sides differ, and this side changed it */
    LOOK_DIFFERS_MISSING, /* the sides differ, and this side left it as it was */
    LOOK_UNKNOWN,         /* undefined by the specification or not recorded by the board: not compared */
    LOOKS
};
extern const char *const look_words[LOOKS];

/* Both ran to their end, so their contents were compared. */
bool picture_contents(const struct picture *p);

/* The bits of a word that both sides define, of those its region has. `row` counts over all regions. */
uint32_t picture_mask(const struct picture *p, const struct region *g, uint32_t row, uint32_t col);
/* How the bits `bits` of a word look; LOOK_PLAIN if there are none. */
enum look picture_look(const struct picture *p, const struct region *g, unsigned side, uint32_t row,
                       uint32_t col, uint32_t bits);
uint32_t picture_word(const struct picture *p, unsigned side, uint32_t row, uint32_t col);

struct row_state {
    bool touched, differs, changed;
};
struct row_state picture_row(const struct picture *p, const struct region *g, uint32_t row);

/* The rows of a region worth drawing (region-relative), at most `most`: those that differ first, then those
 * that changed; in rising order. */
unsigned picture_rows(const struct picture *p, const struct region *g, unsigned most, uint16_t *rows,
                      unsigned *left_out);
enum { PICTURE_ROWS_MAX = 128 };

/* Does any row of the region differ? Then it is worth a picture of both sides; one that both changed alike is
 * not. */
bool picture_differs(const struct picture *p, const struct region *g);

/* What a row is in this case, beyond its name; NULL: nothing. */
const char *picture_describe_row(const struct picture *p, const struct region *g, uint32_t row);

/* What the unit says of a side's outcome (unit->describe); nothing if it has nothing to say. */
void picture_tell(const struct picture *p, unsigned side, struct text *t);

/* "r3" or "17"; for strips the address, "0x0040". */
void region_row_name(const struct region *g, uint32_t row, struct text *t);

/*
 * As plain text at most 100 columns wide, grids a character a byte, all else in
 * hex: with both sides, the regions that differ, saying of every byte who
 * changed it; otherwise the regions that the run changed.
 */
void picture_print(const struct picture *p, struct text *t);

/* For `misprint run`: one outcome of case `c`, by itself. */
void outcome_picture(const struct outcome *o, const struct test_case *c, struct text *t);

#endif
