/* SPDX-License-Identifier: MIT */
/*
 * Follows each input of a replay: in which findings its cases are filed, into which findings these are merged
 * later, and how that compares with what the input was kept for.
 */
#ifndef MISPRINT_CLI_TERMINAL_REPLAY_STATUS_H
#define MISPRINT_CLI_TERMINAL_REPLAY_STATUS_H

#include "cli/terminal/inputs.h"
#include "fuzz/campaign/campaign.h"
#include "oracle/report/report.h"

struct replay_status;
/*
 * `known` are the findings of the campaign in which the inputs lie; they may be NULL and must live as long as
 * the result. A case of finding F still shows F if F's cause is among the smallest sets that explain the
 * case; that one case may fit other sets, too.
 */
struct replay_status *replay_status_new(const struct inputs *in, const struct finding *known, unsigned count);
void replay_status_free(struct replay_status *s);

/* A run of the campaign loop begins; case numbers restart at 0. */
void replay_status_begin(struct replay_status *s);
/* The next case of the run is of this input. */
void replay_status_case(struct replay_status *s, unsigned input);
struct case_watch replay_status_watch(struct replay_status *s);

/*
 * Runs an input that once crashed or hung on the model, in a process of its own, under `p` and each built-in
 * profile. An input that still does is broken, and must not run in this process.
 */
bool replay_status_try(struct replay_status *s, unsigned input, const struct profile *p, struct error *e);
bool replay_status_broken(const struct replay_status *s, unsigned input);

/* Returns one entry for each of the inputs; free with replay_status_free_report. */
struct report_input *replay_status_report(const struct replay_status *s);
void replay_status_free_report(struct report_input *r, unsigned count);

#endif
