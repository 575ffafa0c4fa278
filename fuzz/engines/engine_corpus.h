/* SPDX-License-Identifier: MIT */
/*
 * Reads the files that engines leave in folders as cases: each file once, and each case of a batch
 * (fuzz/generate/mutator.h). A file on which an engine stopped is first run in a sandbox.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_CORPUS_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_CORPUS_H

#include "model/core/unit.h"

enum engine_corpus_kind {
    ENGINE_CORPUS_CASES,   /* cases to compare */
    ENGINE_CORPUS_DEFECTS, /* inputs on which an engine stopped: the model may crash or hang there */
};

struct engine_corpus;
/* `profile` and `board` (NULL: none) are those of the fuzz targets, because the sandbox must see the same
 * defects as a target. Both must outlive the corpus. */
struct engine_corpus *engine_corpus_new(const struct unit *u, const char *profile, const char *board);
void engine_corpus_free(struct engine_corpus *ec); /* NULL is fine */

void engine_corpus_folder(struct engine_corpus *ec, const char *path,
                          enum engine_corpus_kind kind); /* the folder need not exist yet */

/* Gives the next case, labelled with its file's path. Returns false if there is none now. */
bool engine_corpus_next(struct engine_corpus *ec, struct test_case *c, const char **label);

/* Number of files that show a defect. */
unsigned engine_corpus_defects(const struct engine_corpus *ec);
/* Path of the first such file, or NULL. */
const char *engine_corpus_first_defect(const struct engine_corpus *ec);

#endif
