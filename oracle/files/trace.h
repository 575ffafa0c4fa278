/* SPDX-License-Identifier: MIT */
/*
 * Traces: recorded pairs of case and outcome of one unit on one board, in a
 * file (.trace). Magic, version, header of JSON (unit, form, identity,
 * provenance), blocks of records compressed with zstd, each block with its
 * length, its checksum and its link of a chain of digests, and a count, the
 * chain's head and a checksum of all at the end. Reader and writer are both
 * here; the layout stands in oracle/files/trace.c, that of a block's records in
 * oracle/files/trace_columns.h, what the chain proves in docs/evidence.md.
 */
#ifndef MISPRINT_ORACLE_FILES_TRACE_H
#define MISPRINT_ORACLE_FILES_TRACE_H

#include "oracle/board/board.h"
#include "oracle/files/digest.h"

enum { TRACE_LABEL_MAX = 255 }; /* bytes of a label */

struct trace_writer;
struct trace_reader;

/*
 * Writes to PATH.PID.part, renamed to PATH by a successful close, so that a full
 * disk never leaves half a trace. Links are followed; what is no regular file is refused.
 */
struct trace_writer *trace_create(const char *path, const struct unit *u, const struct board_identity *who,
                                  struct error *e);
bool trace_add(struct trace_writer *w, const struct test_case *c, const struct outcome *o, const char *label,
               struct error *e); /* label: where it came from ("alu.csv:17"), may be "" */
bool trace_finish(struct trace_writer *w, struct error *e); /* frees the writer, also on failure */
void trace_abandon(struct trace_writer *w);                 /* removes what was written; NULL is fine */

/* Could a trace be written there? To be asked before long work. */
bool trace_check_path(const char *path, struct error *e);

/* Do the bytes begin as a trace does? */
bool trace_begins(const char *bytes, size_t count);

/* Reads a trace to its end, every record decoded. Its unit; NULL with an error if anything in it is wrong. */
const struct unit *trace_check(const char *path, struct error *e);

struct trace_facts {
    const struct unit *unit;
    uint64_t records;
    bool damaged; /* on failure: by what stands in the file; else it cannot be read, or is of another version
                   */
    bool chained; /* false: of a version without a chain; its checksums find damage, not changes */
    char head[DIGEST_HEX]; /* the chain's last value; where the file has none, what it would be */
};
/* The same, and tells what the file holds. */
bool trace_verify(const char *path, struct trace_facts *facts, struct error *e);

struct trace_reader *trace_open(const char *path, struct error *e);
const struct unit *trace_unit(const struct trace_reader *r);
/* Who answered when the trace was recorded: spec and kind are the recorded board's. */
const struct board_identity *trace_identity(const struct trace_reader *r); /* who was recorded */
/* The trace itself as a board: "trace:PATH" answers, with what was recorded, and is as much silicon as that.
 */
void trace_identify(const struct trace_reader *r, const char *path, struct board_identity *who);
/* The next record: 1, 0 at the end, -1 with an error. `o` must be of the trace's unit. `label` points into
 * the reader until the next call. */
int trace_next(struct trace_reader *r, struct test_case *c, struct outcome *o, const char **label,
               struct error *e);
void trace_close(struct trace_reader *r);

/* A record as it stands in the file: case_encode's bytes, outcome_encode's bytes, label. Valid until the next
 * call. */
struct trace_record {
    const uint8_t *case_bytes, *outcome_bytes;
    const char *label; /* ends in NUL */
    size_t case_size, outcome_size;
};
/* As trace_next, but leaves decoding to the caller: for who keeps many records and decodes few. */
int trace_next_record(struct trace_reader *r, struct trace_record *record, struct error *e);

#endif
