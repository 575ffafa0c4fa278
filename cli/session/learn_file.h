/* SPDX-License-Identifier: MIT */
/* The file learn.json of a campaign, in which `misprint learn` keeps what it learned. */
#ifndef MISPRINT_CLI_SESSION_LEARN_FILE_H
#define MISPRINT_CLI_SESSION_LEARN_FILE_H

#include "fuzz/learn/learn.h"
#include "oracle/files/file.h"

struct learn_file {
    const struct learn_options *options;
    const char *profile;      /* options->base as a spec that needs no file */
    char path[FILE_PATH_MAX]; /* of learn.json */
    int folder;               /* the locked directory; -1: not open */
};

/* Makes the directory if it is missing, and locks it. False with an error if another process has locked it.
 * learn_file_close must follow in either case. */
bool learn_file_open(struct learn_file *f, const char *directory, struct error *e);
/* Reads what an earlier run left. Returns 1, 0 if there is no earlier run, or -1 with an error. */
int learn_file_read(const struct learn_file *f, struct learn_result *r, uint64_t *seed, struct error *e);
/* Replaces the file. If this fails, the old one stays. */
bool learn_file_write(const struct learn_file *f, const struct learn_result *r, struct error *e);
void learn_file_close(struct learn_file *f);

#endif
