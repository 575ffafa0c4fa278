/* SPDX-License-Identifier: MIT */
/*
 * What the fuzzing engines of others are: what each needs and where that is found,
 * with which words and in which environment it is started, and in which folders it
 * leaves cases. Their processes are fuzz/engines/engines.h's.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_KIND_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_KIND_H

#include "fuzz/engines/engine_corpus.h"
#include "oracle/files/file.h"

/* Where things are for the engine of a campaign. */
struct engine_places {
    char root[FILE_PATH_MAX], corpus[FILE_PATH_MAX]; /* DIR/engines, DIR/engines/corpus */
    char target[FILE_PATH_MAX], mutator[FILE_PATH_MAX],
        program[FILE_PATH_MAX]; /* what engine_find found; "" where the engine needs none */
};

/* A process to be started. */
struct engine_start {
    unsigned job;       /* from 0 */
    const char *folder; /* its own: DIR/engines/libfuzzer-1 */
    uint64_t seed;
};

enum { ENGINE_WORDS_MAX = 32, ENGINE_WORD_MAX = FILE_PATH_MAX + 64 };

/* A command line in the making. */
struct command_line {
    unsigned words;
    char word[ENGINE_WORDS_MAX][ENGINE_WORD_MAX];
};

struct engine_kind {
    const char *name;
    const char *program; /* that is needed besides the target; NULL: none */
    const char *package; /* which brings it */
    void (*command)(const struct engine_places *p, const struct engine_start *s, struct command_line *l);
    void (*environment)(const struct engine_places *p); /* in the process that becomes the engine */
    void (*folders)(const struct engine_places *p, unsigned job, const char *folder,
                    struct engine_corpus *h); /* which of its folders hold cases */
};

/* Names of the engines other than the built-in one, in listing order; NULL after the last. */
const char *engine_name_at(unsigned i);
/* NULL with an error that names them all. */
const struct engine_kind *engine_named(const char *name, struct error *e);
/* Finds what it needs for this unit; the error says which command installs or builds what is missing. */
bool engine_find(const struct engine_kind *k, const struct unit *u, struct engine_places *p, struct error *e);
/* Is all there that it needs for this unit? With the same error; nothing is made. */
bool engine_check(const char *name, const struct unit *u, struct error *e);

#endif
