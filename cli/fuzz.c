/* SPDX-License-Identifier: MIT */
/* `misprint fuzz`: a campaign of generated cases. */
#include "cli/session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int run_fuzz(const struct arguments *a)
{
    struct error e = {0};
    uint64_t cases, seed;
    double seconds;
    const struct unit *u = unit_find(a->word[0], &e);
    if (!u || !argument_number(a, OPTION_CASES, 0, &cases, &e) || !argument_number(a, OPTION_SEED, 1, &seed, &e) ||
        !argument_seconds(a, OPTION_TIME, &seconds, &e))
        return fail(STATUS_USAGE, &e);
    if (a->option[OPTION_ENGINE] && strcmp(a->option[OPTION_ENGINE], "builtin") != 0) {
        error_set(&e, "there is no engine '%s'; this version has: builtin", a->option[OPTION_ENGINE]);
        return fail(STATUS_USAGE, &e);
    }
    struct session s;
    struct board *board = board_open(a->option[OPTION_BOARD], u, &e);
    if (!board)
        return fail(STATUS_USAGE, &e);
    if (!session_open(&s, "fuzz", a, &e)) {
        board_close(board);
        return fail(STATUS_USAGE, &e);
    }
    if (!cases && seconds <= 0 && isatty(STDERR_FILENO))
        (void)fprintf(stderr, "misprint: neither --cases nor --time: running until Ctrl-C\n");
    struct generator_source *g = generator_new(u, seed);
    struct case_source source = generator_as_source(g);
    session_run(&s, u, board, &source, seed, cases, seconds);
    generator_free(g);
    board_close(board);
    return session_close(&s);
}

const struct command command_fuzz = {
    .name = "fuzz",
    .synopsis = "UNIT",
    .about = "run random cases on the model and a board, report where they differ",
    .details = "Generates cases for UNIT, runs each on the model under --profile and on --board, and compares every\n"
               "defined bit. A difference is repeated, attributed to the smallest set of readings that explains it,\n"
               "reduced to a small case, and filed by its cause. With --campaign all is kept, and may be added to\n"
               "by further runs. Ctrl-C ends it and keeps everything; the same --seed and --cases give the same findings.\n\n"
               "  misprint fuzz vc4-vpm --time 30 --campaign my-campaign\n"
               "  misprint fuzz vc4-vpm --profile bcm2835 --board 'exec:python3 scripts/example-board.py' --cases 10000",
    .options = {OPTION_BOARD, OPTION_PROFILE, OPTION_TIME, OPTION_CASES, OPTION_SEED, OPTION_ENGINE, OPTION_CAMPAIGN, OPTION_CHANGES,
                OPTION_NO_REDUCE, OPTION_JUNIT, OPTION_JSON, OPTION_QUIET, OPTION_END},
    .least = 1,
    .most = 1,
    .run = run_fuzz,
};
