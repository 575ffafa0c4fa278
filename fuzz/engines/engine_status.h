/* SPDX-License-Identifier: MIT */
/*
 * What an engine's process tells the campaign while it runs: a file of fixed
 * size that both map into memory. Written by one process, read by others at any
 * time; numbers only grow. Lives as long as the job: no format to keep.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_STATUS_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_STATUS_H

#include "model/core/case.h"
#include "model/core/clause.h"

/* The environment of a target. */
#define ENV_PROFILE "MISPRINT_PROFILE" /* that the model follows; default: manual */
#define ENV_BOARD                                                                                            \
    "MISPRINT_BOARD"                 /* profile of the virtual board; default: the unit's best-known silicon \
                                      */
#define ENV_STATUS "MISPRINT_STATUS" /* path of the status file; default: none */
#define ENV_BLIND  "MISPRINT_BLIND"  /* set: no counters of the ledger reach the engine */
#define ENV_UNIT   "MISPRINT_UNIT"   /* of AFL++'s mutator library */

struct engine_status {
    uint64_t cases;     /* run */
    uint64_t different; /* of these, from the virtual board */
    struct coverage touched;
    uint32_t in_hand; /* bytes of the case that runs now, if no input of the engine shows it; else 0 */
    uint8_t hand[CASE_BYTES_MAX];
};

/* Maps the file, which is made if it is not there. NULL with an error. */
struct engine_status *engine_status_map(const char *path, bool writable, struct error *e);
void engine_status_unmap(struct engine_status *s); /* NULL is fine */

#endif
