/* SPDX-License-Identifier: MIT */
/* How a library ended its process: the child notes it, the host describes it. */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_CRASH_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_CRASH_H

#include "model/core/unit.h"

#include <signal.h>

/* Memory that a library must not reach, and whose address tells what it did. */
enum plugin_place { PLUGIN_ELSEWHERE, PLUGIN_PAST_VALUE, PLUGIN_PAST_UNKNOWN, PLUGIN_CASE, PLUGIN_PLACES };

/* Remembers a part of this process's memory as such a place. */
void plugin_crash_watch(enum plugin_place place, const void *at, size_t bytes);
/* Returns where the fault was that raised a signal. For signal handlers. */
enum plugin_place plugin_crash_place(const siginfo_t *signal);

/* Combines a status, as of waitpid, and a place into one number. */
uint32_t plugin_crash_pack(int status, enum plugin_place place);
/* Describes such a number, which may be any. `why` gets the text. */
void plugin_crash_describe(uint32_t packed, const struct layout *l, char *why, size_t room);

#endif
