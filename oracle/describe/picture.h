/* SPDX-License-Identifier: MIT */
/*
 * How the bytes of outcomes look: changed, differing, not comparable. The pictures as SVG (report_svg.h), and
 * as text in Markdown and on the terminal, are drawn from this; nothing here knows a unit.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_PICTURE_H
#define MISPRINT_ORACLE_DESCRIBE_PICTURE_H

#include "model/core/unit.h"

enum { SIDE_MODEL, SIDE_BOARD, SIDES };

struct picture {
    const struct unit *unit;
    const struct test_case *tc;        /* NULL: no case, so rows have only numbers */
    const struct outcome *initial;     /* before the run */
    const struct outcome *side[SIDES]; /* [SIDE_BOARD] NULL: only one outcome */
};

/* How a byte (or a whole word) looks on one side. */
enum look {
    LOOK_PLAIN,           /* unchanged by the run, on both sides */
    LOOK_CHANGED,         /* changed by the run; the other side agrees */
    LOOK_DIFFERS,         /* the sides differ, and this side changed it */
    LOOK_DIFFERS_MISSING, /* the sides differ, and this side left it as it was */
    LOOK_UNKNOWN,         /* undefined by the specification or not recorded by the board: not compared */
    LOOKS
};
extern const char *const look_words[LOOKS];

/* Did both run to their end, so that their contents were compared? */
bool picture_contents(const struct picture *p);

/* The meaningful bits of a word that both sides define. `row` counts over all regions. */
uint32_t picture_mask(const struct picture *p, const struct region *g, uint32_t row, uint32_t col);
/* How the bits `bits` of a word look; LOOK_PLAIN if there are none. */
enum look picture_look(const struct picture *p, const struct region *g, unsigned side, uint32_t row,
                       uint32_t col, uint32_t bits);
uint32_t picture_word(const struct picture *p, unsigned side, uint32_t row, uint32_t col);

struct row_state {
    bool touched, differs, changed;
};
struct row_state picture_row(const struct picture *p, const struct region *g, uint32_t row);

/* Chooses at most `most` rows of a region to draw: those that differ, then those that changed. They are
 * numbered within the region, in rising order. */
unsigned picture_rows(const struct picture *p, const struct region *g, unsigned most, uint16_t *rows,
                      unsigned *left_out);
enum { PICTURE_ROWS_MAX = 128 };

/* Does any row of the region differ? */
bool picture_differs(const struct picture *p, const struct region *g);

/* What a row means in this case; NULL: nothing to say. */
const char *picture_describe_row(const struct picture *p, const struct region *g, uint32_t row);

/* What the unit says about a side's outcome (unit->tell), if anything. */
void picture_describe(const struct picture *p, unsigned side, struct text *t);

/* "r3" or "17"; for strips the address, "0x0040". */
void region_row_name(const struct region *g, uint32_t row, struct text *t);

/* Draws plain text, at most 100 columns wide: grids with a character a byte, everything else in hex. With
 * both sides it shows the regions that differ, with one the regions that the run changed. */
void picture_print(const struct picture *p, struct text *t);

/* The same for one outcome of case `c`. */
void outcome_picture(const struct outcome *o, const struct test_case *c, struct text *t);

#endif
