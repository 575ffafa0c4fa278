/* SPDX-License-Identifier: MIT */
#include "cli/session/comparison.h"

#include "oracle/describe/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the campaign's folder: the path itself, or a folder above it. */
static bool campaign_of(const char *path, char folder[FILE_PATH_MAX])
{
    char *whole = realpath(path, NULL);
    bool fits = whole && (size_t)snprintf(folder, FILE_PATH_MAX, "%s", whole) < FILE_PATH_MAX;
    free(whole);
    while (fits && !store_is_campaign(folder)) {
        char *slash = strrchr(folder, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    return fits;
}

static bool one_campaign(struct comparison *c, const struct arguments *a)
{
    char other[FILE_PATH_MAX] = "";
    for (unsigned i = 0; i < (unsigned)a->words; i++)
        if (!campaign_of(a->word[i], i ? other : c->campaign) || (i && strcmp(other, c->campaign) != 0))
            return false;
    return a->words > 0;
}

/* Finds the campaign's last run that generated cases, or, if no run did, its last run. Returns false if there
 * is no run, or if the runs are of several units. */
static bool last_run(struct comparison *c, struct error *e)
{
    unsigned runs = 0;
    struct store *s = store_open(c->campaign, false, e);
    struct run_facts *run = s ? store_runs(s, &runs, e) : NULL;
    bool one_unit = runs > 0;
    for (unsigned i = 0; i < runs; i++) {
        one_unit &= !strcmp(run[i].unit, run[0].unit);
        c->several |= strcmp(run[i].unit, run[0].unit) || strcmp(run[i].profile, run[0].profile) ||
                      strcmp(run[i].board.spec, run[0].board.spec);
        if (i == 0 || run[i].engine[0] || !c->last.engine[0])
            c->last = run[i];
    }
    free(run);
    store_close(s);
    return one_unit;
}

/* Adds the rules of --rule to the campaign's own profile. */
static bool add_rules(struct comparison *c, const struct arguments *a, struct error *e)
{
    size_t length = strlen(c->last.profile), room = sizeof c->last.profile - length;
    return (size_t)snprintf(c->last.profile + length, room, "%s", text_chars(&a->rules)) < room ||
           error_set(e, "the campaign's profile and --rule are too long together; name a --profile");
}

bool comparison_choose(struct comparison *c, const struct arguments *a, struct error *e)
{
    struct error unreadable = {0};
    *c = (struct comparison){.profile = argument_profile(a), .board = a->option[OPTION_BOARD]};
    if (!one_campaign(c, a))
        c->campaign[0] = 0;
    if ((a->option[OPTION_PROFILE] && c->board) || !c->campaign[0])
        return true;
    bool one_unit = last_run(c, &unreadable);
    c->several &= !a->option[OPTION_PROFILE] && !c->board;
    if (c->several && a->option[OPTION_RULE])
        return error_set(e,
                         "the runs of campaign %s had different profiles or boards: with --rule, name "
                         "--profile and --board, too",
                         c->campaign);
    if (!one_unit || c->several)
        return true;
    const char *spec = c->last.board.spec;
    if (!c->board && !board_is_virtual(&c->last.board)) {
        struct text quoted = {0};
        escape_shell(&quoted, spec);
        error_set(
            e,
            "the campaign %s used the board %s, which is started only if you name it: say --board %s, or "
            "--board virtual: for the unit's best-known silicon profile",
            c->campaign, spec, text_chars(&quoted));
        text_free(&quoted);
        return false;
    }
    c->own_profile = !a->option[OPTION_PROFILE];
    c->own_board = !c->board;
    if (c->own_profile && !add_rules(c, a, e))
        return false;
    if (c->own_profile)
        c->profile = c->last.profile;
    if (c->own_board)
        c->board = spec;
    return true;
}

struct finding *comparison_findings(const struct comparison *c, unsigned *count)
{
    struct error unreadable = {0};
    struct store *s =
        c->campaign[0] && store_is_campaign(c->campaign) ? store_open(c->campaign, false, &unreadable) : NULL;
    *count = 0;
    struct finding *all = s ? store_findings(s, count, &unreadable) : NULL;
    store_close(s);
    return all;
}

void comparison_print(const struct comparison *c, struct text *t)
{
    if (c->several)
        text_add(t,
                 "the runs of campaign %s had different profiles or boards: choose with --profile and "
                 "--board; the "
                 "campaign's report names those of each finding\n",
                 c->campaign);
    if (c->own_profile || c->own_board)
        text_add(t, "as the campaign %s: profile %s%s, board %s%s\n", c->campaign, c->profile,
                 c->own_profile ? "" : " (yours)", c->board, c->own_board ? "" : " (yours)");
}
