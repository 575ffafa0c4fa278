/* SPDX-License-Identifier: MIT */
/*
 * Follows each input of a replay: to which findings the campaign adds its cases, and into which findings it
 * merges these findings. The report compares the result with the reason why the input was kept.
 */
#ifndef MISPRINT_CLI_SESSION_REPLAY_STATUS_H
#define MISPRINT_CLI_SESSION_REPLAY_STATUS_H

#include "cli/session/inputs.h"
#include "fuzz/campaign/campaign.h"
#include "oracle/report/report.h"

struct replay_status;
/*
 * `known`: the findings of the campaign in which the inputs lie, or NULL; they must live as long as the
 * result. A case of finding F still shows F if F's cause explains the case (cause_explains), even if other
 * sets of readings explain it as well.
 */
struct replay_status *replay_status_new(const struct inputs *in, const struct finding *known, unsigned count);
void replay_status_free(struct replay_status *s);

/* Begins a run of the campaign loop. Case numbers restart at 0. */
void replay_status_begin(struct replay_status *s);
/* Notes that the next case of the run comes from this input. */
void replay_status_case(struct replay_status *s, unsigned input);
struct case_watch replay_status_watch(struct replay_status *s);

/*
 * Runs an input that once crashed or hung on the model in a separate process, under `p` and each built-in
 * profile. If it crashes or hangs there, marks the input as broken, and it must not run in this process.
 */
bool replay_status_try(struct replay_status *s, unsigned input, const struct profile *p, struct error *e);
bool replay_status_broken(const struct replay_status *s, unsigned input);

/* Returns one entry for each input. Free with replay_status_free_report. */
struct report_input *replay_status_report(const struct replay_status *s);
void replay_status_free_report(struct report_input *r, unsigned count);

#endif
