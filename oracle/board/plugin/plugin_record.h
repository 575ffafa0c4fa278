/* SPDX-License-Identifier: MIT */
/*
 * The outcome of a case that a library ran alone, as a worker hands it to the host in shared memory. The
 * records of a batch come one after the other, so that few pages hold them all: a new worker has to map each
 * of them again, and a dead one unmaps them.
 *
 * A record is words: end, reason, flags, the set of touched rows. Then the touched rows follow, and if flags
 * has MISPRINT_HAS_UNKNOWN, their unknown bits. If the case has no outcome (end is MISPRINT_REFUSED or
 * more), the message follows instead.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_RECORD_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_RECORD_H

#include "oracle/board/plugin/plugin_library.h"

/* Returns the most words of a record. */
size_t plugin_record_max(const struct layout *l);
/* Writes a record and returns its words. */
size_t plugin_record_put(uint32_t *to, const struct misprint_outcome *m, const struct layout *l);
/* As plugin_take, of the record at `*from`. Moves `*from` behind it. Reads at most plugin_record_max words,
 * whatever they contain. */
enum plugin_taken plugin_record_take(const uint32_t **from, struct outcome *out, char why[256]);

#endif
