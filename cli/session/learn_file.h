/* SPDX-License-Identifier: MIT */
/* The file learn.json of a campaign, in which `misprint learn` keeps what it learned, and the file
 * `profiles`, which lists the hashes of all profiles that it wrote. */
#ifndef MISPRINT_CLI_SESSION_LEARN_FILE_H
#define MISPRINT_CLI_SESSION_LEARN_FILE_H

#include "fuzz/learn/learn.h"
#include "model/text/text.h"
#include "oracle/files/file.h"

struct learn_file {
    const struct learn_options *options;
    const char *profile;      /* options->base as a spec that needs no file */
    char path[FILE_PATH_MAX]; /* of learn.json */
    char profiles[FILE_PATH_MAX];
    int folder; /* the locked directory; -1: not open */
};

/* Makes the directory if it is missing, and locks it. False with an error if another process has locked it.
 * learn_file_close must follow in either case. */
bool learn_file_open(struct learn_file *f, const char *directory, struct error *e);
/* Reads what an earlier run left. Returns 1, 0 if there is no earlier run, or -1 with an error. */
int learn_file_read(const struct learn_file *f, struct learn_result *r, uint64_t *seed, struct error *e);
/* Replaces the file. If this fails, the old one stays. */
bool learn_file_write(const struct learn_file *f, const struct learn_result *r, struct error *e);
/* May a profile be written to this path? A file that exists is only replaced if the campaign wrote what is in
 * it, so that nothing that a person wrote is lost. Without a campaign, no file is replaced. False with an
 * error. */
bool learn_file_may_replace(const struct learn_file *f, const char *path, struct error *e);
/* Remembers a profile before it is written, so that a later run may replace it. Does nothing without a
 * campaign. */
bool learn_file_note_profile(const struct learn_file *f, const struct text *profile, struct error *e);
void learn_file_close(struct learn_file *f);

#endif
