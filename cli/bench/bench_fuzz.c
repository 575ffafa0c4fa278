/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench.h"

#include "fuzz/campaign/campaign.h"
#include "oracle/files/corpus.h"

#include <stdio.h>
#include <stdlib.h>

static double run_campaign(const struct campaign_options *o, const struct corpus *corpus, struct error *e)
{
    struct generator_source *g = generator_new(o->unit, o->seed);
    struct case_source source = generator_as_source(g);
    struct run_facts facts = {0};
    struct campaign_result r = {0};
    if (corpus)
        generator_take_corpus(g, corpus, true);
    double done = campaign_run(o, &source, &facts, &r, e) ? (double)r.tally.cases : -1;
    campaign_free(&r);
    generator_free(g);
    return done;
}

double bench_fuzz(const char *unit, const char *profile, uint64_t seed, uint64_t cases, struct error *e)
{
    struct profile p;
    const struct unit *u = unit_find(unit, e);
    if (!u || !profile_resolve(u, profile, &p, e))
        return -1;
    char best[64];
    (void)snprintf(best, sizeof best, "virtual:%s", u->profiles[u->best_profile].name);
    struct board *board = board_open(best, u, e);
    char *folder = corpus_find();
    struct corpus *corpus = folder ? corpus_open(u, folder, e) : NULL;
    struct campaign_options o = {
        .unit = u, .profile = &p, .profile_name = profile, .board = board, .seed = seed, .max_cases = cases};
    double done = board && (corpus || !folder) ? run_campaign(&o, corpus, e) : -1;
    corpus_close(corpus);
    free(folder);
    if (board)
        board_close(board);
    return done;
}
