/* SPDX-License-Identifier: MIT */
/*
 * The built-in generator: new cases from the schema and the unit's hooks, and,
 * for a third of the time, changes of the cases that touched (clause, mode)
 * pairs for the first time.
 */
#include "fuzz/campaign.h"
#include "model/memory.h"

#include "fuzz/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEPT_MAX = 64 }; /* small, so that it stays in the cache; later ones push out others by lot */

struct generator_source {
    const struct unit *unit;
    uint64_t made;
    struct random random;
    struct random choice; /* apart from the one that makes cases */
    unsigned kept;
    struct test_case *keep[KEPT_MAX];
    int prefix; /* of the label: "seed 1 case " */
    char label[80];
};

struct generator_source *generator_new(const struct unit *u, uint64_t seed)
{
    struct generator_source *g = memory_new(1, sizeof *g);
    g->unit = u;
    g->prefix = snprintf(g->label, sizeof g->label, "seed %" PRIu64 " case ", seed);
    random_seed(&g->random, seed);
    random_seed(&g->choice, ~seed);
    return g;
}

void generator_free(struct generator_source *g)
{
    if (!g)
        return;
    for (unsigned i = 0; i < KEPT_MAX; i++)
        free(g->keep[i]);
    free(g);
}

/* "seed 1 case 4711": by hand, because printf would be a twentieth of the time at 300 k cases a second. */
static void write_label(struct generator_source *g)
{
    char digits[20];
    unsigned n = 0;
    for (uint64_t left = g->made; left || !n; left /= 10)
        digits[n++] = (char)('0' + left % 10);
    char *to = g->label + g->prefix;
    while (n)
        *to++ = digits[--n];
    *to = 0;
}

static bool generator_next(void *context, struct test_case *c, struct outcome *board, bool *has_outcome, const char **label, struct error *e)
{
    struct generator_source *g = context;
    (void)board;
    (void)e;
    *has_outcome = false;
    g->made++;
    if (g->kept && random_one_in(&g->random, 3)) {
        case_copy(c, g->keep[random_below(&g->random, g->kept)]);
        if (g->kept > 1 && random_one_in(&g->random, 8))
            case_cross(&g->random, g->keep[random_below(&g->random, g->kept)], c);
        case_mutate(&g->random, c);
    } else {
        case_generate(&g->random, g->unit, c);
    }
    write_label(g);
    *label = g->label;
    return true;
}

static void generator_fresh(void *context, const struct test_case *c, unsigned pairs)
{
    struct generator_source *g = context;
    (void)pairs;
    unsigned at = g->kept < KEPT_MAX ? g->kept : random_below(&g->choice, KEPT_MAX);
    if (!g->keep[at])
        g->keep[at] = memory_new(1, sizeof *g->keep[at]);
    case_copy(g->keep[at], c);
    if (at == g->kept)
        g->kept++;
}

struct case_source generator_as_source(struct generator_source *g)
{
    return (struct case_source){.next = generator_next, .context = g, .fresh = generator_fresh};
}
