/* SPDX-License-Identifier: MIT */
/*
 * Traces: recorded pairs of case and outcome of one unit on one board, in a
 * file (.trace). Magic, version, header of JSON (unit, identity, provenance),
 * zstd-compressed records, each with its length and checksum, and a count at
 * the end. Reader and writer are both here; the layout stands in oracle/trace.c.
 */
#ifndef MISPRINT_ORACLE_TRACE_H
#define MISPRINT_ORACLE_TRACE_H

#include "oracle/board.h"

struct trace_writer;
struct trace_reader;

/* Writes to PATH.part, renamed to PATH by a successful close, so that a full disk never leaves half a trace. */
struct trace_writer *trace_create(const char *path, const struct unit *u, const struct board_identity *who, struct error *e);
bool trace_add(struct trace_writer *w, const struct test_case *c, const struct outcome *o, const char *label, struct error *e); /* label: where it came from ("alu.csv:17"), may be "" */
bool trace_finish(struct trace_writer *w, struct error *e); /* frees the writer, also on failure */
void trace_abandon(struct trace_writer *w);

struct trace_reader *trace_open(const char *path, struct error *e);
const struct unit *trace_unit(const struct trace_reader *r);
const struct board_identity *trace_identity(const struct trace_reader *r);
/* The next record: 1, 0 at the end, -1 with an error. `o` must be of the trace's unit. `label` points into the reader until the next call. */
int trace_next(struct trace_reader *r, struct test_case *c, struct outcome *o, const char **label, struct error *e);
void trace_close(struct trace_reader *r);

#endif
