/* SPDX-License-Identifier: MIT */
/*
 * The uncompressed bytes of one block of a trace, stored by columns. First come the lengths (three u32 for
 * each record: case, outcome, label), then all cases, then all outcomes, then all labels. Each item is stored
 * as its XOR with the same item of the previous record in the block; a shorter previous item counts as padded
 * with zeros. In this form, the 24 MB of the tables of corpus/vc4-qpu/silicon compress to 19 KB; stored
 * record after record, they compressed to 374 KB.
 */
#ifndef MISPRINT_ORACLE_FILES_TRACE_COLUMNS_H
#define MISPRINT_ORACLE_FILES_TRACE_COLUMNS_H

#include "oracle/files/trace.h"

enum trace_column { COLUMN_CASE, COLUMN_OUTCOME, COLUMN_LABEL, COLUMNS };

enum {
    COLUMNS_LENGTHS = 4 * COLUMNS, /* bytes of a record's lengths */
    COLUMNS_RECORD_MAX = COLUMNS_LENGTHS + CASE_BYTES_MAX + OUTCOME_BYTES_MAX + TRACE_LABEL_MAX,
};

/* --- writing */

struct columns_bytes {
    uint8_t *at;
    size_t count, room;
};

struct columns_writer {
    uint32_t records; /* number of records in this block so far */
    struct columns_bytes lengths, column[COLUMNS];
    uint8_t *last[COLUMNS], *now[COLUMNS]; /* items of the previous record, and of the one being added */
    size_t last_size[COLUMNS];
};

/* Returns false if memory is out. Call columns_writer_close even then. */
bool columns_writer_open(struct columns_writer *w);
void columns_writer_close(struct columns_writer *w);
/* Adds a record. Returns false if memory is out; the block is lost then. */
bool columns_add(struct columns_writer *w, const struct test_case *c, const struct outcome *o,
                 const char *label);
/* Size of the block so far in bytes. */
size_t columns_size(const struct columns_writer *w);
/* Writes the block to `to`, and begins the next one. */
void columns_take(struct columns_writer *w, uint8_t *to);

/* --- reading */

struct columns_reader {
    const uint8_t *raw;  /* the block; owned by the caller */
    uint32_t left, next; /* records left; index of the next one */
    const uint8_t *from[COLUMNS];
    uint8_t *now[COLUMNS]; /* the current record; its label ends in NUL */
    size_t size[COLUMNS];
};

bool columns_reader_open(struct columns_reader *r);
void columns_reader_close(struct columns_reader *r);
/* Starts reading a block of `count` records. `raw` must stay valid until the last record was read. Returns
 * NULL, or what is wrong with the block. */
const char *columns_begin(struct columns_reader *r, const uint8_t *raw, uint32_t size, uint32_t count);
/* Reads the next record; one must be left. */
void columns_next(struct columns_reader *r, struct trace_record *record);

#endif
