/* SPDX-License-Identifier: MIT */
/*
 * What engines leave in folders, as cases: each file once, batches case by case
 * (fuzz/generate/mutator.h). What stopped an engine is first tried in a process of its own.
 */
#ifndef MISPRINT_FUZZ_ENGINES_ENGINE_CORPUS_H
#define MISPRINT_FUZZ_ENGINES_ENGINE_CORPUS_H

#include "model/core/unit.h"

enum harvest_kind {
    HARVEST_CASES,   /* cases to compare */
    HARVEST_DEFECTS, /* inputs at which an engine ended: the model may end there too */
};

struct harvest;
/* Profile and board (NULL: none) as the targets get them: under these a defect must show. Both outlive the harvest. */
struct harvest *harvest_new(const struct unit *u, const char *profile, const char *board);
void harvest_free(struct harvest *h); /* NULL is fine */

void harvest_folder(struct harvest *h, const char *path, enum harvest_kind kind); /* need not be there yet */

/* The next case that was not given yet: true; false when there is none now. The label is the file's path. */
bool harvest_next(struct harvest *h, struct test_case *c, const char **label);

unsigned harvest_defects(const struct harvest *h);         /* files that show one */
const char *harvest_first_defect(const struct harvest *h); /* a path, or NULL */

#endif
