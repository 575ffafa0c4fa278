/* SPDX-License-Identifier: MIT */
/*
 * The external fuzzing engines: what each needs and where it is, its command line and environment, and the
 * folders in which it leaves cases. fuzz/engines/engines.h runs the processes.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_KIND_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_KIND_H

#include "fuzz/engines/engine_corpus.h"
#include "oracle/files/file.h"

/* Paths of a campaign's engine. */
struct engine_places {
    char root[FILE_PATH_MAX], corpus[FILE_PATH_MAX]; /* DIR/engines, DIR/engines/corpus */
    char target[FILE_PATH_MAX], mutator[FILE_PATH_MAX],
        program[FILE_PATH_MAX]; /* set by engine_find; "": the engine needs none */
};

/* A process to be started. */
struct engine_start {
    unsigned job;       /* from 0 */
    const char *folder; /* DIR/engines/libfuzzer-1 */
    uint64_t seed;
};

enum { ENGINE_WORDS_MAX = 32, ENGINE_WORD_MAX = FILE_PATH_MAX + 64 };

struct command_line {
    unsigned words;
    char word[ENGINE_WORDS_MAX][ENGINE_WORD_MAX];
};

struct engine_kind {
    const char *name;
    const char *program; /* needed besides the target; NULL: none */
    const char *package; /* the package that has the program */
    void (*command)(const struct engine_places *p, const struct engine_start *s, struct command_line *l);
    /* Variable to set in the engine's process; NULL: none. */
    void (*environment)(const struct engine_places *p);
    void (*folders)(const struct engine_places *p, unsigned job, const char *folder,
                    struct engine_corpus *ec); /* adds its folders that hold cases */
};

/* Names of the external engines, in listing order; NULL after the last. */
const char *engine_name_at(unsigned i);
/* Returns NULL with an error that lists all names. */
const struct engine_kind *engine_named(const char *name, struct error *e);
/* Finds what an engine needs for a unit. The error says which command installs or builds what is missing. */
bool engine_find(const struct engine_kind *k, const struct unit *u, struct engine_places *p, struct error *e);
/* As engine_find, but without the paths. */
bool engine_check(const char *name, const struct unit *u, struct error *e);

#endif
