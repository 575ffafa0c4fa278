/* SPDX-License-Identifier: MIT */
/*
 * Decides how the bytes of outcomes look in a picture: changed, differing, or not comparable. Works for every
 * unit. The SVG pictures (report_svg.h) use it, and so do the text pictures in Markdown and on the terminal.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_PICTURE_H
#define MISPRINT_ORACLE_DESCRIBE_PICTURE_H

#include "model/core/unit.h"

enum { SIDE_MODEL, SIDE_BOARD, SIDES };

struct picture {
    const struct unit *unit;
    const struct test_case *tc;        /* NULL: no case, so rows have numbers instead of descriptions */
    const struct outcome *initial;     /* the state before the run */
    const struct outcome *side[SIDES]; /* [SIDE_BOARD] NULL: there is only one outcome */
};

/* How a byte or a word looks on one side. */
enum look {
    LOOK_PLAIN,           /* the run changed it on neither side */
    LOOK_CHANGED,         /* the run changed it; the sides agree */
    LOOK_DIFFERS,         /* the sides differ; the run changed it on this side */
    LOOK_DIFFERS_MISSING, /* the sides differ; the run left it unchanged on this side */
    LOOK_UNKNOWN,         /* not compared: undefined by the specification, or not recorded by the board */
    LOOKS
};
extern const char *const look_words[LOOKS];

/* Did both sides run to their end? Contents are compared only in this case. */
bool picture_contents(const struct picture *p);

/* Returns a mask of the bits of a word that the region uses and both sides define. `row` counts the rows of
 * all regions. */
uint32_t picture_mask(const struct picture *p, const struct region *g, uint32_t row, uint32_t col);
/* The tolerance under which a word is compared; 0: it is compared under picture_mask. */
uint32_t picture_tolerance(const struct picture *p, const struct region *g, uint32_t row, uint32_t col);
/* Returns how the bits `bits` of a word look on one side; LOOK_PLAIN if `bits` is 0. */
enum look picture_look(const struct picture *p, const struct region *g, unsigned side, uint32_t row,
                       uint32_t col, uint32_t bits);
uint32_t picture_word(const struct picture *p, unsigned side, uint32_t row, uint32_t col);

struct row_state {
    bool touched, differs, changed;
};
struct row_state picture_row(const struct picture *p, const struct region *g, uint32_t row);

/* Chooses at most `most` rows of a region to draw: rows that differ first, then rows that changed. Stores
 * their numbers within the region in ascending order. */
unsigned picture_rows(const struct picture *p, const struct region *g, unsigned most, uint16_t *rows,
                      unsigned *left_out);
enum { PICTURE_ROWS_MAX = 128 };

/* Does any row of the region differ? */
bool picture_differs(const struct picture *p, const struct region *g);

/* Returns the unit's description of a row in this case; NULL if it has none. */
const char *picture_describe_row(const struct picture *p, const struct region *g, uint32_t row);

/* Prints the remarks that unit->describe makes about a side's outcome, if it makes any. */
void picture_describe(const struct picture *p, unsigned side, struct text *t);

/* Prints a row's name: "r3" or "17"; for a strip its address, "0x0040". */
void region_row_name(const struct region *g, uint32_t row, struct text *t);

/* Draws plain text, at most 100 columns wide: grids with one character for each byte, everything else in hex.
 * With two sides it shows the regions that differ; with one side, those that the run changed. */
void picture_print(const struct picture *p, struct text *t);

/* Draws one outcome of case `c` in the form of picture_print. */
void outcome_picture(const struct outcome *o, const struct test_case *c, struct text *t);

#endif
