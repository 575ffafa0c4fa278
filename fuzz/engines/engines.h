/* SPDX-License-Identifier: MIT */
/*
 * Fuzzing engines of others as processes: sets them up in a campaign's
 * directory, starts and watches them, restarts those that end at a defect, and
 * hands every case that they keep to the campaign loop, as a source.
 *
 *   DIR/engines/corpus/               cases in binary form: what the engines start from (new cases, those of
 * the project's corpus, those that the campaign keeps), what libFuzzer keeps, and what AFL++ found that was
 * new to the campaign DIR/engines/libfuzzer-N/          the inputs at which job N ended: crash-*, timeout-*,
 * ... DIR/engines/ENGINE-N.{log,status} what job N printed, and fuzz/engines/engine_status.h
 *   DIR/engines/afl/{main,sN}/        AFL++'s own folders; queue/, crashes/ and hangs/ hold batches
 * (fuzz/generate/mutator.h)
 *
 * All of it can be deleted: the campaign's store is elsewhere. If it is there, the engines go on from it.
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
    struct store
        *store; /* the campaign's: the cases that it keeps are what the engines start from; NULL: none */
    const char *board; /* board_profile of what the campaign compares with: all that engines can know of it;
                          NULL: nothing */
    unsigned jobs;
    uint64_t seed, max_cases; /* max_cases 0: no limit */
    double max_seconds;       /* 0: no limit */
};

struct engines;
/* Everything is checked before anything starts; the error says which command installs or builds what is
 * missing. */
struct engines *engines_start(const struct engine_options *o, struct error *e);
/* Ends the processes, and waits for them; NULL is fine. */
void engines_stop(struct engines *s);

struct case_source engines_as_source(struct engines *s);

struct engines_view {
    uint64_t cases;          /* that all processes ran, restarted ones included */
    struct coverage touched; /* by them */
    unsigned running, jobs, restarts;
    unsigned started_corpus, started_kept; /* cases that they started from besides new ones: the project's for
                                              this unit, the campaign's */
    unsigned corpus;                       /* cases handed to the campaign */
    unsigned
        defects; /* inputs at which a run of the model itself crashed, hung, or broke the target's property */
    const char *defect; /* path of the first; NULL if there is none */
};
struct engines_view engines_look(const struct engines *s);

#endif
