/* SPDX-License-Identifier: MIT */
/*
 * Traces: recorded pairs of case and outcome of one unit on one board, in a file (.trace).
 * oracle/files/trace_format.h has the layout, docs/evidence.md what the chain of digests in it proves.
 */
#ifndef MISPRINT_ORACLE_FILES_TRACE_H
#define MISPRINT_ORACLE_FILES_TRACE_H

#include "oracle/board/board.h"
#include "oracle/files/digest.h"

enum { TRACE_LABEL_MAX = 255 }; /* bytes of a label */

struct trace_writer;
struct trace_reader;

/* Creates a trace. It is written to a part (file.h) that trace_finish renames to PATH, so a full disk never
 * leaves half a trace. A PATH that is not a regular file is refused. */
struct trace_writer *trace_create(const char *path, const struct unit *u, const struct board_identity *who,
                                  struct error *e);
bool trace_add(struct trace_writer *w, const struct test_case *c, const struct outcome *o, const char *label,
               struct error *e);                            /* label: its origin ("alu.csv:17"), may be "" */
bool trace_finish(struct trace_writer *w, struct error *e); /* frees the writer, also on failure */
void trace_abandon(struct trace_writer *w);                 /* removes what was written; NULL is fine */

/* Could a trace be written there? To ask before long work. */
bool trace_check_path(const char *path, struct error *e);

/* Do the bytes begin like a trace? */
bool trace_begins(const char *bytes, size_t count);

/* Reads a trace to its end and decodes every record. Its unit; NULL with an error if anything in it is wrong.
 */
const struct unit *trace_check(const char *path, struct error *e);

struct trace_facts {
    const struct unit *unit;
    uint64_t records;
    bool damaged; /* on failure: the content is wrong; false: it cannot be read, or has another version */
    bool chained; /* false: a version without a chain, whose checksums find damage but not changes */
    char head[DIGEST_HEX]; /* the chain's last value; in a file without a chain, what it would be */
};
/* The same, and sets the facts. */
bool trace_verify(const char *path, struct trace_facts *facts, struct error *e);

struct trace_reader *trace_open(const char *path, struct error *e);
const struct unit *trace_unit(const struct trace_reader *r);
/* The board that was recorded. */
const struct board_identity *trace_identity(const struct trace_reader *r);
/* The trace itself as a board: "trace:PATH". It counts as silicon if the recorded board does. */
void trace_identify(const struct trace_reader *r, const char *path, struct board_identity *who);
/* Decodes the next record: 1, 0 at the end, -1 with an error. `o` must be of the trace's unit. `label` is
 * valid until the next call. */
int trace_next(struct trace_reader *r, struct test_case *c, struct outcome *o, const char **label,
               struct error *e);
void trace_close(struct trace_reader *r);

/* A record as the file has it: by case_encode, by outcome_encode, and the label. Valid until the next call.
 */
struct trace_record {
    const uint8_t *case_bytes, *outcome_bytes;
    const char *label; /* ends in NUL */
    size_t case_size, outcome_size;
};
/* The same without decoding, for callers that keep many records and decode few. */
int trace_next_record(struct trace_reader *r, struct trace_record *record, struct error *e);

#endif
