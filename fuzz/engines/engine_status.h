/* SPDX-License-Identifier: MIT */
/*
 * The status file, in which an engine's process reports its progress to the campaign. Both processes map the
 * file into memory. One process writes, and others read at any time. Numbers only grow. The file lasts only
 * as long as the job, so its format may change.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_STATUS_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_STATUS_H

#include "model/core/case.h"
#include "model/core/clause.h"

/* The environment variables of a target. */
#define ENV_PROFILE "MISPRINT_PROFILE" /* the model's; default: manual */
#define ENV_BOARD   "MISPRINT_BOARD"   /* the virtual board's; default: the unit's best-known silicon */
#define ENV_STATUS  "MISPRINT_STATUS"  /* path of the status file; default: none */
#define ENV_BLIND   "MISPRINT_BLIND"   /* if set, the engine gets no counters of the ledger */
#define ENV_UNIT    "MISPRINT_UNIT"    /* for AFL++'s mutator library */

struct engine_status {
    uint64_t cases;     /* cases that were run */
    uint64_t different; /* of these, cases in which the virtual board differed */
    struct coverage touched;
    uint32_t in_hand; /* bytes of the case that runs now, if it is not the engine's input; otherwise 0 */
    uint8_t hand[CASE_BYTES_MAX];
};

/* Maps the file, and creates it if needed. NULL with an error. */
struct engine_status *engine_status_map(const char *path, bool writable, struct error *e);
void engine_status_unmap(struct engine_status *s); /* NULL is fine */

#endif
