/* SPDX-License-Identifier: MIT */
/*
 * External fuzzing engines as processes. Sets them up in a campaign's directory, starts and watches them,
 * restarts those that stop at a defect, and gives every case that they keep to the campaign loop, as a
 * source.
 *
 * - DIR/engines/corpus/: cases in binary form, which the engines begin with: new cases, those of the
 *   project's corpus, those that the campaign keeps. libFuzzer adds the cases that it keeps. Cases that AFL++
 *   finds and that are new to the campaign are added, too.
 * - DIR/engines/libfuzzer-N/: the inputs on which job N stopped (crash-*, timeout-*, ...).
 * - DIR/engines/ENGINE-N.{log,status}: what job N printed, and its fuzz/engines/engine_status.h.
 * - DIR/engines/afl/{main,sN}/: AFL++'s own folders. queue/, crashes/ and hangs/ hold batches
 *   (fuzz/generate/mutator.h).
 *
 * All of it can be deleted, because the campaign's store is elsewhere. If it exists, the engines continue
 * from it.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINES_H
#define MISPRINT_FUZZ_ENGINES_ENGINES_H

#include "fuzz/campaign/campaign.h"

enum { ENGINE_JOBS_MAX = 64 };

struct engine_options {
    const struct unit *unit;
    const char *engine;    /* "libfuzzer", "afl" */
    const char *directory; /* the campaign's */
    const char *profile;   /* a spec that needs no file */
    /* The campaign's store: the engines begin with the cases that it keeps; NULL: none. */
    struct store *store;
    /* The board_profile of the campaign's board. Engines know nothing else of the board. NULL: not known. */
    const char *board;
    unsigned jobs;
    uint64_t seed, max_cases; /* max_cases 0: no limit */
    double max_seconds;       /* 0: no limit */
};

struct engines;
/* Checks everything before it starts a process. The error says which command installs or builds what is
 * missing. */
struct engines *engines_start(const struct engine_options *o, struct error *e);
/* Ends the processes and waits for them. NULL is fine. */
void engines_stop(struct engines *s);

struct case_source engines_as_source(struct engines *s);

struct engines_view {
    uint64_t cases; /* that all processes ran, including those before a restart */
    struct coverage touched;
    unsigned running, jobs, restarts;
    unsigned started_corpus, started_kept; /* cases to begin with: of the project's corpus, of the campaign */
    unsigned corpus;                       /* cases given to the campaign */
    unsigned defects;   /* inputs at which the model crashed, hung, or broke the target's property */
    const char *defect; /* path of the first of these; NULL: none */
};
struct engines_view engines_look(const struct engines *s);

#endif
