/* SPDX-License-Identifier: MIT */
/*
 * What becomes of each input of a replay: which findings its cases are filed
 * in, followed as findings go up in each other, and what that means beside what the input
 * once did.
 */
#ifndef MISPRINT_CLI_TERMINAL_REPLAY_STATUS_H
#define MISPRINT_CLI_TERMINAL_REPLAY_STATUS_H

#include "cli/terminal/inputs.h"
#include "fuzz/campaign/campaign.h"
#include "oracle/report/report.h"

struct replay_status;
/*
 * `once`: the findings of the campaign in which the inputs lie; may be NULL, must outlive the fates. An input
 * is still the same finding if the cause of that is among the smallest sets that explain the case today: by
 * itself, a case may fit others too.
 */
struct replay_status *replay_status_new(const struct inputs *in, const struct finding *once, unsigned count);
void replay_status_free(struct replay_status *f);

/* A run begins: case numbers start at 0. Its source hands out one more case, of this input. */
void replay_status_begin(struct replay_status *f);
void replay_status_case(struct replay_status *f, unsigned input);
struct case_watch replay_status_watch(struct replay_status *f);

/*
 * Tries an input that once crashed or hung on the model, in a process of its own, under each profile that
 * matters. If it still does, it is noted, and not to be run here.
 */
bool replay_status_try(struct replay_status *f, unsigned input, const struct profile *p, struct error *e);
bool replay_status_broken(const struct replay_status *f, unsigned input);

/* One entry for each input; free with replay_status_free_report. */
struct report_input *replay_status_report(const struct replay_status *f, unsigned *count);
void replay_status_free_report(struct report_input *r, unsigned count);

#endif
