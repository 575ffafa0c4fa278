/* SPDX-License-Identifier: MIT */
/*
 * What becomes of each input of a replay: which findings its cases are filed
 * in, followed as findings go up in each other, and what that means beside what the input
 * once did.
 */
#ifndef MISPRINT_CLI_FATES_H
#define MISPRINT_CLI_FATES_H

#include "cli/inputs.h"
#include "fuzz/campaign.h"
#include "oracle/report.h"

struct fates;
struct fates *fates_new(const struct inputs *in);
void fates_free(struct fates *f);

/* A run begins: case numbers start at 0. Its source hands out one more case, of this input. */
void fates_begin(struct fates *f);
void fates_case(struct fates *f, unsigned input);
struct case_watch fates_watch(struct fates *f);

/*
 * Tries an input that once crashed or hung on the model, in a process of its own, under each profile that matters. If it
 * still does, it is noted, and not to be run here.
 */
bool fates_try(struct fates *f, unsigned input, const struct profile *p, struct error *e);
bool fates_broken(const struct fates *f, unsigned input);

/*
 * One entry for each input; free with fates_free_report. `now`: the findings of the replay; `before`: those of the campaign in which the
 * inputs lie, if they do. A finding is the same if its cause is among the smallest sets that explain the case now: by itself, the case
 * may fit others too.
 */
struct known_findings {
    const struct finding *finding;
    unsigned count;
};
struct report_input *fates_report(const struct fates *f, struct known_findings before, struct known_findings now, unsigned *count);
void fates_free_report(struct report_input *r, unsigned count);

#endif
