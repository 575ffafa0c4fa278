/* SPDX-License-Identifier: MIT */
/*
 * The bytes of one block of a trace, uncompressed: its records, by columns. The
 * lengths come first (three u32 for each record: case, outcome, label), then all
 * cases, all outcomes, all labels. Each case, outcome and label is stored as the
 * exclusive or with the previous record's in the same block (which counts as
 * followed by zeros). Measured on the tables of corpus/vc4-qpu/silicon, this
 * takes 20 times less room than the same records one after the other (374 KB
 * against 19 KB of 24 MB). How a file holds blocks stands in oracle/files/trace.c.
 */
#ifndef MISPRINT_ORACLE_FILES_TRACE_COLUMNS_H
#define MISPRINT_ORACLE_FILES_TRACE_COLUMNS_H

#include "oracle/files/trace.h"

enum trace_column { COLUMN_CASE, COLUMN_OUTCOME, COLUMN_LABEL, COLUMNS };

enum {
    COLUMNS_LENGTHS = 4 * COLUMNS, /* bytes a record takes in the column of lengths */
    COLUMNS_RECORD_MAX = COLUMNS_LENGTHS + CASE_BYTES_MAX + OUTCOME_BYTES_MAX + TRACE_LABEL_MAX,
};

/* --- writing */

struct columns_bytes {
    uint8_t *at;
    size_t count, room;
};

struct columns_writer {
    uint32_t records; /* in the block so far */
    struct columns_bytes lengths, column[COLUMNS];
    uint8_t *last[COLUMNS], *now[COLUMNS]; /* the previous record and the one being added */
    size_t last_size[COLUMNS];
};

/* False without memory; columns_writer_close is fine after it, too. */
bool columns_writer_open(struct columns_writer *w);
void columns_writer_close(struct columns_writer *w);
/* One more record; false without memory: then the block is lost. */
bool columns_add(struct columns_writer *w, const struct test_case *c, const struct outcome *o,
                 const char *label);
/* The bytes of the block so far. */
size_t columns_size(const struct columns_writer *w);
/* Writes them, and begins the next block. */
void columns_take(struct columns_writer *w, uint8_t *to);

/* --- reading */

struct columns_reader {
    const uint8_t *raw;  /* the block in hand: the caller's */
    uint32_t left, next; /* records of it still to come; index of the next */
    const uint8_t *from[COLUMNS];
    uint8_t *now[COLUMNS]; /* the record in hand; a label gets a NUL */
    size_t size[COLUMNS];
};

bool columns_reader_open(struct columns_reader *r);
void columns_reader_close(struct columns_reader *r);
/* Takes the next block, of `count` records by its own word; `raw` stays the caller's, until its last record
 * was taken. NULL, or what it has that cannot be. */
const char *columns_begin(struct columns_reader *r, const uint8_t *raw, uint32_t size, uint32_t count);
/* The next of the records that are left. */
void columns_next(struct columns_reader *r, struct trace_record *record);

#endif
