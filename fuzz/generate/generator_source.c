/* SPDX-License-Identifier: MIT */
/*
 * The built-in generator. It makes new cases from the schema and the unit's hooks. One time in three it
 * changes a random case of a corpus, or of the cases that touched (clause, mode) pairs for the first time.
 *
 * We measured the pool of the engines' targets (fuzz/generate/pool.h) in place of the random choice, and do
 * not use it: it needs one more run for one case in four, and three units gain what three others lose. The
 * measure is the number of cases until a run has touched as many pairs as the worst of ten random runs.
 * Medians of ten seeds, random and pool: vc4-vpm 1571 and 950, vc4-qpu 9436 and 7050, vc4-tmu 3680 and 3277,
 * amd-buffer 8361 and 9400, utgard-gp 998 and 1489, svp64-swizzle 472 and 660.
 *
 * Units that plan code before they run it (unit->vary) get the same code several times with other values,
 * because planning a fresh program takes half the time of a vc4-qpu case. If the generator varies cases from
 * the first case on, it reaches fewer clauses: in 600,000 cases without a corpus, 134 of 152 clauses instead
 * of 142. So it begins to vary when cases touch little that is new. Then 15 variations reach as much as 7
 * (eight seeds of 1.5 million cases: 1095 and 1097 clauses touched, 479 and 485 readings found), in a sixth
 * less time.
 */
#include "fuzz/campaign/campaign.h"
#include "fuzz/generate/generate.h"
#include "model/core/memory.h"
#include "oracle/board/board_lacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    KEPT_MAX = 64,   /* few cases, so that they stay in the cache; later ones replace random ones */
    VARIED = 15,     /* variations of each made case, with the same code and other values */
    EXPLORE = 65536, /* cases are varied only after so many were made ... */
    QUIET = 2048,    /* ... and the last so many of them touched nothing new */
};

struct generator_source {
    const struct unit *unit;
    uint64_t made; /* cases so far */
    struct random random;
    struct random choice; /* chooses kept cases; the contents of cases come from `random` */
    unsigned kept;
    struct test_case *keep[KEPT_MAX];
    /* The last case that was made. It is varied `again` times. NULL: the unit cannot vary cases. */
    struct test_case *last;
    unsigned again;
    bool for_proof;
    const struct board_lacks *lacks; /* NULL: the board has all parts of cases */
    uint64_t fresh_at;               /* value of `made` when a case last touched something new */
    const struct corpus *corpus;     /* NULL: none */
    unsigned *order, left; /* shuffled indices of its cases; how many are still to be given unchanged */
    char label[80], corpus_label[128];
    size_t label_head; /* the length of "seed SEED case " */
};

struct generator_source *generator_new(const struct unit *u, uint64_t seed)
{
    struct generator_source *g = memory_one(sizeof *g);
    g->unit = u;
    int head = snprintf(g->label, sizeof g->label, "seed %" PRIu64 " case ", seed);
    g->label_head = (size_t)head;
    random_seed(&g->random, seed);
    random_seed(&g->choice, ~seed);
    g->last = u->vary ? memory_one(sizeof *g->last) : NULL;
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

void generator_keep_within(struct generator_source *g, const struct board_lacks *lacks)
{
    g->lacks = lacks;
}

void generator_take_corpus(struct generator_source *g, const struct corpus *c, bool begin)
{
    if (!c->count)
        return;
    g->corpus = c;
    g->order = memory_grow(g->order, c->count, sizeof *g->order);
    g->left = begin ? c->count : 0;
    /* Shuffled, so that a short campaign gets some cases of each kind. */
    for (unsigned i = 0; i < c->count; i++) {
        unsigned at = random_below(&g->choice, i + 1);
        g->order[i] = g->order[at];
        g->order[at] = i;
    }
}

/* Gives the next case of the corpus unchanged. */
static void give_entry(struct generator_source *g, struct test_case *c, const char **label)
{
    const struct corpus_entry *n = &g->corpus->entry[g->order[--g->left]];
    case_copy(c, n->tc);
    (void)snprintf(g->corpus_label, sizeof g->corpus_label, "corpus %.100s", n->name);
    *label = g->corpus_label;
}

/* Chooses a case to change: half the time of the corpus, otherwise of the kept cases. */
static const struct test_case *choose(struct generator_source *g)
{
    if (g->corpus && (!g->kept || random_one_in(&g->random, 2)))
        return g->corpus->entry[random_below(&g->random, g->corpus->count)].tc;
    return g->keep[random_below(&g->random, g->kept)];
}

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

/* Makes a case that the board has all parts of. */
static void make_fitting_case(struct generator_source *g, struct test_case *c)
{
    enum { TRIES = 16 };
    make_case(g, c);
    for (unsigned i = 1; g->lacks && i < TRIES && board_lacks_of(g->lacks, c); i++)
        make_case(g, c);
    if (g->lacks)
        board_lacks_mend(g->lacks, c);
}

static void vary_case(struct generator_source *g, struct test_case *c)
{
    g->again--;
    case_copy(c, g->last);
    g->unit->vary(&g->random, c);
    if (g->lacks)
        board_lacks_mend(g->lacks, c);
}

/* Writes "seed SEED case NUMBER". Of a case of vc4-vpm, snprintf would take 3 % of the time. */
static void set_label(struct generator_source *g)
{
    char digits[20], *to = g->label + g->label_head;
    unsigned count = 0;
    for (uint64_t rest = g->made; rest; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    while (count)
        *to++ = digits[--count];
    *to = 0;
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
        make_fitting_case(g, c);
        if (g->last && g->made >= EXPLORE && g->made - g->fresh_at >= QUIET) {
            case_copy(g->last, c);
            g->again = VARIED;
        }
    }
    if (g->for_proof)
        g->unit->mend_for_proof(c);
    set_label(g);
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
        g->keep[at] = memory_one(sizeof *g->keep[at]);
    case_copy(g->keep[at], c);
    if (at == g->kept)
        g->kept++;
}

struct case_source generator_as_source(struct generator_source *g)
{
    return (struct case_source){.next = generator_next, .context = g, .fresh = generator_fresh};
}
