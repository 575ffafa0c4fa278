/* SPDX-License-Identifier: MIT */
/*
 * Traces: files (.trace) of cases and outcomes, recorded on a board. Each part of a file is of one unit.
 * oracle/files/trace_format.h has the file format; docs/evidence.md says what its chain of digests proves.
 */
#ifndef MISPRINT_ORACLE_FILES_TRACE_H
#define MISPRINT_ORACLE_FILES_TRACE_H

#include "oracle/board/board.h"
#include "oracle/files/digest.h"

enum { TRACE_LABEL_MAX = 255 }; /* bytes of a label */

struct trace_writer;
struct trace_reader;

/* Creates a trace under a temporary name (file.h), so that a full disk never leaves half a trace at `path`.
 * trace_finish renames it to `path`. Refuses a path that is not a regular file. */
struct trace_writer *trace_create(const char *path, const struct unit *u, const struct board_identity *who,
                                  struct error *e);
/* Ends the current part and begins another one, of another unit. */
bool trace_begin_part(struct trace_writer *w, const struct unit *u, const struct board_identity *who,
                      struct error *e);
bool trace_add(struct trace_writer *w, const struct test_case *c, const struct outcome *o, const char *label,
               struct error *e); /* label: the case's origin ("alu.csv:17"), or "" */
bool trace_finish(struct trace_writer *w, struct error *e); /* frees the writer, also on failure */
void trace_abandon(struct trace_writer *w);                 /* removes the temporary file; NULL is fine */

/* Can a trace be written to this path? Commands ask before long work, so that its result is not lost. */
bool trace_check_path(const char *path, struct error *e);

/* Do the bytes start like a trace? */
bool trace_begins(const char *bytes, size_t count);

enum { TRACE_PARTS_MAX = 32 };

struct trace_facts {
    unsigned parts; /* on failure: the parts before the failure */
    struct trace_part {
        const struct unit *unit;
        uint64_t records;
        bool silicon; /* recorded from hardware */
        bool chained; /* the part has a chain; version 1 has only checksums, which do not detect deliberate
                         changes */
        char head[DIGEST_HEX]; /* last value of the chain; computed from the records if there is no chain */
    } part[TRACE_PARTS_MAX];
    bool damaged; /* on failure: true if the content is wrong, false if unreadable or of another version */
};
/* Reads a trace to its end and decodes every record. False with an error if anything is wrong. */
bool trace_verify(const char *path, struct trace_facts *facts, struct error *e);

/* Opens a trace at its first part. */
struct trace_reader *trace_open(const char *path, struct error *e);
/* Opens a trace at the part that has cases of a unit. */
struct trace_reader *trace_open_unit(const char *path, const struct unit *u, struct error *e);
/* Goes to the next part. Call it when the records of the current part are read. Returns 1, 0 at the end of
 * the file, -1 with an error. */
int trace_next_part(struct trace_reader *r, struct error *e);
const struct unit *trace_unit(const struct trace_reader *r);
/* The board whose answers were recorded. */
const struct board_identity *trace_identity(const struct trace_reader *r);
/* Describes the trace itself as a board, "trace:PATH". This board is silicon if the recorded board is. */
void trace_identify(const struct trace_reader *r, const char *path, struct board_identity *who);
/* Decodes the next record of the part. Returns 1, 0 at its end, -1 with an error. `o` must be an outcome of
 * the trace's unit. `label` is valid until the next call. */
int trace_next(struct trace_reader *r, struct test_case *c, struct outcome *o, const char **label,
               struct error *e);
void trace_close(struct trace_reader *r);

/* A record with the bytes of the file: a case (case_encode), an outcome (outcome_encode), and a label. They
 * are valid until the next call. */
struct trace_record {
    const uint8_t *case_bytes, *outcome_bytes;
    const char *label; /* ends in NUL */
    size_t case_size, outcome_size;
};
/* Reads the next record without decoding it, for callers that keep many records and decode few. */
int trace_next_record(struct trace_reader *r, struct trace_record *record, struct error *e);

#endif
