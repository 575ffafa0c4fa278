/* SPDX-License-Identifier: MIT */
/*
 * The built-in generator: new cases from the schema and the unit's hooks, and,
 * for a third of the time, changes of the cases that touched (clause, mode)
 * pairs for the first time, or of a corpus.
 *
 * Which of those to change is drawn by lot. The pool that the engines' targets go on from
 * (fuzz/generate/pool.h), with counters of touched and of separated readings, was tried in its place and left
 * out: where units generate cases themselves, what three units gain by it three lose. Cases until as many
 * pairs were touched as in the worst of ten runs by lot, medians of ten seeds, by lot and with the pool:
 * vc4-vpm 1571 and 950, vc4-qpu 9436 and 7050, vc4-tmu 3680 and 3277, amd-buffer 8361 and 9400, utgard-gp 998
 * and 1489, svp64-swizzle 472 and 660; and clauses touched within 20000 cases are the same but for two more
 * of vc4-qpu's 152. It would cost a run more of one case in four, to see what a reading separates.
 *
 * Where a unit plans code before it runs it, the same code runs again with other values: half the time of a
 * case of vc4-qpu was its fresh program. Doing so from the beginning costs reach: within 600000 cases of
 * vc4-qpu without a corpus, 134 of 152 clauses instead of 142. So it begins when most is touched that will
 * be. Then fifteen times and seven reach the same by number of cases (eight seeds of 1.5 M: 1095 and 1097
 * clauses touched, 479 and 485 readings found), and fifteen are a sixth quicker.
 */
#include "fuzz/campaign/campaign.h"
#include "model/core/memory.h"

#include "fuzz/generate/generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    KEPT_MAX = 64, /* small, so that it stays in the cache; later ones push out others by lot */
    VARIED =
        15, /* cases with the same code and other values after each made one, of units that gain by it, ... */
    EXPLORE = 65536, /* ... after so many cases ... */
    QUIET = 2048, /* ... and while nothing new was touched for so many: new code touches more that is new */
};

struct generator_source {
    const struct unit *unit;
    uint64_t made;
    struct random random;
    struct random choice; /* apart from the one that makes cases */
    unsigned kept;
    struct test_case *keep[KEPT_MAX];
    struct test_case *last; /* the last made one, to be varied `again` times; NULL: the unit varies none */
    unsigned again;
    bool for_proof;
    uint64_t fresh_at;           /* how many were made when something new was touched last */
    const struct corpus *corpus; /* NULL: none */
    unsigned *order, left;       /* of its cases; how many are still to be given as they stand */
    int prefix;                  /* of the label: "seed 1 case " */
    char label[80], corpus_label[128];
};

struct generator_source *generator_new(const struct unit *u, uint64_t seed)
{
    struct generator_source *g = memory_new(1, sizeof *g);
    g->unit = u;
    g->prefix = snprintf(g->label, sizeof g->label, "seed %" PRIu64 " case ", seed);
    random_seed(&g->random, seed);
    random_seed(&g->choice, ~seed);
    g->last = u->vary ? memory_new(1, sizeof *g->last) : NULL;
    return g;
}

void generator_free(struct generator_source *g)
{
    if (!g)
        return;
    for (unsigned i = 0; i < KEPT_MAX; i++)
        free(g->keep[i]);
    free(g->last);
    free(g->order);
    free(g);
}

void generator_mend_for_proof(struct generator_source *g)
{
    g->for_proof = g->unit->mend_for_proof != NULL;
}

void generator_take_corpus(struct generator_source *g, const struct corpus *c, bool begin)
{
    if (!c->count)
        return;
    g->corpus = c;
    g->order = memory_grow(g->order, c->count, sizeof *g->order);
    g->left = begin ? c->count : 0;
    for (unsigned i = 0; i < c->count; i++) { /* shuffled, so that a short campaign has of all */
        unsigned at = random_below(&g->choice, i + 1);
        g->order[i] = g->order[at];
        g->order[at] = i;
    }
}

/* The next case of the corpus, as it stands. */
static void give_entry(struct generator_source *g, struct test_case *c, const char **label)
{
    const struct corpus_entry *n = &g->corpus->entry[g->order[--g->left]];
    case_copy(c, n->tc);
    (void)snprintf(g->corpus_label, sizeof g->corpus_label, "corpus %.100s", n->name);
    *label = g->corpus_label;
}

/* One to change: of the corpus half the time, else of those kept. */
static const struct test_case *choose(struct generator_source *g)
{
    if (g->corpus && (!g->kept || random_one_in(&g->random, 2)))
        return g->corpus->entry[random_below(&g->random, g->corpus->count)].tc;
    return g->keep[random_below(&g->random, g->kept)];
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

/* A new one, or a change of one that was worth keeping. */
static void make_case(struct generator_source *g, struct test_case *c)
{
    if ((g->kept || g->corpus) && random_one_in(&g->random, 3)) {
        case_copy(c, choose(g));
        if ((g->kept > 1 || g->corpus) && random_one_in(&g->random, 8))
            case_cross(&g->random, choose(g), c);
        case_mutate(&g->random, c);
    } else {
        case_generate(&g->random, g->unit, c);
    }
}

/* The same code once more. */
static void vary_case(struct generator_source *g, struct test_case *c)
{
    g->again--;
    case_copy(c, g->last);
    g->unit->vary(&g->random, c);
}

static bool generator_next(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                           const char **label, struct error *e)
{
    struct generator_source *g = context;
    (void)board;
    (void)e;
    *has_outcome = false;
    if (g->left) {
        give_entry(g, c, label);
        return true;
    }
    g->made++;
    if (g->again) {
        vary_case(g, c);
    } else {
        make_case(g, c);
        if (g->last && g->made >= EXPLORE && g->made - g->fresh_at >= QUIET) {
            case_copy(g->last, c);
            g->again = VARIED;
        }
    }
    if (g->for_proof)
        g->unit->mend_for_proof(c);
    write_label(g);
    *label = g->label;
    return true;
}

static void generator_fresh(void *context, const struct test_case *c, unsigned pairs)
{
    struct generator_source *g = context;
    (void)pairs;
    g->fresh_at = g->made;
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
