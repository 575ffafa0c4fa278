/* SPDX-License-Identifier: MIT */
/*
 * What engines leave in folders, as cases: each file once, batches case by case
 * (fuzz/generate/mutator.h). What stopped an engine is first tried in a process of its own.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_CORPUS_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_CORPUS_H

#include "model/core/unit.h"

enum engine_corpus_kind {
    ENGINE_CORPUS_CASES,   /* cases to compare */
    ENGINE_CORPUS_DEFECTS, /* inputs at which an engine ended: the model may end there too */
};

struct engine_corpus;
/* Profile and board (NULL: none) as the targets get them: under these a defect must show. Both outlive the
 * harvest. */
struct engine_corpus *engine_corpus_new(const struct unit *u, const char *profile, const char *board);
void engine_corpus_free(struct engine_corpus *h); /* NULL is fine */

void engine_corpus_folder(struct engine_corpus *h, const char *path,
                          enum engine_corpus_kind kind); /* need not be there yet */

/* The next case that was not given yet: true; false when there is none now. The label is the file's path. */
bool engine_corpus_next(struct engine_corpus *h, struct test_case *c, const char **label);

unsigned engine_corpus_defects(const struct engine_corpus *h);         /* files that show one */
const char *engine_corpus_first_defect(const struct engine_corpus *h); /* a path, or NULL */

#endif
