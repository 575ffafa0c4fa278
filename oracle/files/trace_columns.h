/* SPDX-License-Identifier: MIT */
/*
 * The uncompressed bytes of one block of a trace: its records, by columns. The lengths come first (three u32
 * for each record: case, outcome, label), then all cases, all outcomes, all labels. Each case, outcome and
 * label is stored as the exclusive or with the previous record's in the block (followed by zeros). The tables
 * of corpus/vc4-qpu/silicon take 20 times less room than with the records one after the other (19 KB of 24
 * MB, against 374 KB).
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

/* False without memory; columns_writer_close must be called in any case. */
bool columns_writer_open(struct columns_writer *w);
void columns_writer_close(struct columns_writer *w);
/* Adds a record; false without memory: then the block is lost. */
bool columns_add(struct columns_writer *w, const struct test_case *c, const struct outcome *o,
                 const char *label);
/* The size of the block so far. */
size_t columns_size(const struct columns_writer *w);
/* Writes the block to `to`, and begins the next one. */
void columns_take(struct columns_writer *w, uint8_t *to);

/* --- reading */

struct columns_reader {
    const uint8_t *raw;  /* the block; the caller's */
    uint32_t left, next; /* records left; index of the next */
    const uint8_t *from[COLUMNS];
    uint8_t *now[COLUMNS]; /* the current record; its label ends in NUL */
    size_t size[COLUMNS];
};

bool columns_reader_open(struct columns_reader *r);
void columns_reader_close(struct columns_reader *r);
/* Begins a block that says that it has `count` records. `raw` must live until its last record was read. NULL,
 * or what is wrong with it. */
const char *columns_begin(struct columns_reader *r, const uint8_t *raw, uint32_t size, uint32_t count);
/* Reads the next record; there must be one left. */
void columns_next(struct columns_reader *r, struct trace_record *record);

#endif
