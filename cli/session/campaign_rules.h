/* SPDX-License-Identifier: MIT */
/* The rules that a campaign learned from its board, for commands that look at single cases of the campaign.
 */
#ifndef MISPRINT_CLI_SESSION_CAMPAIGN_RULES_H
#define MISPRINT_CLI_SESSION_CAMPAIGN_RULES_H

#include "cli/session/comparison.h"
#include "oracle/attribution/explain.h"

struct campaign_rules {
    struct finding *finding; /* all findings of the campaign */
    unsigned findings;
    unsigned count; /* of those that hold rules that the campaign believes and this comparison uses */
    bool *used;     /* for each finding: is it one of them? */
    const struct unit *unit;
    struct profile base, learned; /* without the rules, with all of them */
};

/* Reads the rules that the campaign learned under this profile. There are none if the comparison does not
 * take its profile from a campaign. campaign_rules_close must follow. */
void campaign_rules_open(struct campaign_rules *r, const struct comparison *c, const struct unit *u,
                         const struct profile *base);
void campaign_rules_close(struct campaign_rules *r);

/* Does the model with the campaign's rules do what the board did? Then sets `needed` for each finding
 * without whose rules it does not. `needed` has room for r->findings. `out` is scratch. */
bool campaign_rules_explain(const struct campaign_rules *r, struct executor *x, const struct test_case *c,
                            const struct outcome *board, struct outcome *out, bool *needed);

#endif
