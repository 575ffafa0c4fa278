/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/adjudicate.h"

#include "fuzz/campaign/candidates.h"
#include "fuzz/generate/generate.h"
#include "fuzz/reduce.h"
#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "oracle/attribution/distinguish.h"
#include "oracle/attribution/evidence.h"
#include "oracle/compare/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* To weigh a case is to estimate how much the board's answer would tell (candidates_weigh). A made case
     * is one that adjudication generates. */
    TRIES = 5000,        /* limit of made cases that are weighed for one run on the board */
    SEED_RUNS = 8192,    /* limit of model runs to weigh a given case */
    MADE_RUNS = 600,     /* limit of model runs to weigh a made case */
    WINDOW = 24,         /* made cases with a positive score, of which the board runs the best */
    REDUCE_BUDGET = 400, /* limit of candidates in the reduction of the best made case */
    CONFLICTS_MAX = 32,  /* adjudication gives up after so many cases whose outcome fits no reading */
    /* The board runs no further one-way case (candidates_weigh) for a clause after so many of them ruled out
     * nothing. */
    ONE_WAY_MAX = 3,
    SILENT_MAX = 12, /* the board runs no more cases for a clause after so many ruled out no reading of it */
    TIES_MAX = 24,   /* no case is run for ties alone after so many cases in a row ruled out no reading */
    FUTILE_MAX = 12, /* adjudication gives up after so many made cases in a row gave no evidence */
};

struct ranked {
    double score;   /* prospect.score when the case was last weighed */
    unsigned stamp; /* adjudicator.stamp then */
    size_t size;
    bool used;
};

struct adjudicator {
    const struct adjudicate_options *o;
    const struct unit *unit;
    struct adjudication *a;
    struct executor *executor;
    struct candidates *candidates;
    struct random random;
    struct ranked *ranked;
    bool wanted[CLAUSES_MAX];      /* the wanted clauses without those that reached SILENT_MAX */
    struct evidence_set *evidence; /* all cases whose answers were taken */
    unsigned stamp;                /* counts the cases that the board ran; a weight from before is stale */
    unsigned futile, conflicts, ties;
    /* For each clause: one-way cases, and cases of any kind, that ruled out none of its readings. */
    uint8_t one_way[CLAUSES_MAX], silent[CLAUSES_MAX];
    struct outcome *answer, *again, *model;
    struct test_case *scratch, *best, *given;
    double begin;
};

static bool ended(struct adjudicator *j)
{
    if (j->o->stop && *j->o->stop)
        return j->a->cut = true;
    if (j->conflicts >= CONFLICTS_MAX || (j->o->max_cases && j->a->cases >= j->o->max_cases))
        return j->a->cut = true;
    if (j->o->max_seconds <= 0)
        return false;
    if (clock_seconds() - j->begin >= j->o->max_seconds)
        j->a->cut = true;
    return j->a->cut;
}

/* Returns how many wanted clauses have more than one reading left. */
static unsigned undecided(const struct adjudicator *j)
{
    unsigned n = 0;
    for (unsigned i = 0; i < unit_clauses(j->unit); i++)
        n += j->wanted[i] && candidates_count(j->candidates, i) > 1;
    return n;
}

/* ---- asking the board ---- */

static void free_asked(struct asked *k)
{
    free(k->name);
    free(k->made);
}

static struct asked *new_asked(struct adjudication *a)
{
    if (a->cases == a->room)
        a->asked = memory_grow(a->asked, a->room = a->room ? 2 * a->room : 64, sizeof *a->asked);
    struct asked *k = &a->asked[a->cases++];
    *k = (struct asked){0};
    return k;
}

/* Runs a case again whose outcome fits no remaining profile, because the board may be flaky. */
static bool ask_again(struct adjudicator *j, const struct test_case *c, struct asked *k, struct error *e)
{
    enum answer answer;
    if (!board_run_one(j->o->board, c, j->again, &answer, e))
        return false;
    j->a->runs++;
    k->flaky = answer != ANSWER_OUTCOME || !outcomes_equal(j->again, j->answer, NULL, NULL);
    return true;
}

/* Updates each clause's counts after an answer: cases that could have ruled out a reading, and those that did
 * not. */
static void judge_answer(struct adjudicator *j, const struct prospect *p, struct asked *k)
{
    bool ruled_out = false;
    for (unsigned i = 0; i < unit_clauses(j->unit); i++) {
        struct judgement *g = &j->a->clause[i];
        bool nothing = p->asks[i] && candidates_left(j->candidates, i) == g->left;
        if (nothing && p->one_way && j->one_way[i] < ONE_WAY_MAX)
            j->one_way[i]++;
        if (nothing && j->silent[i] < SILENT_MAX)
            j->silent[i]++;
        j->wanted[i] = j->o->wanted[i] && j->silent[i] < SILENT_MAX;
        ruled_out |= candidates_left(j->candidates, i) != g->left;
        k->settled += j->o->wanted[i] && candidates_count(j->candidates, i) < 2 && (g->left & (g->left - 1));
        g->left = candidates_left(j->candidates, i);
        g->asked += p->asks[i];
        g->unanswered += p->asks[i] && k->answer != ANSWER_OUTCOME;
        g->unexplained += p->asks[i] && k->conflict;
    }
    j->ties = ruled_out ? 0 : j->ties + 1;
}

/* Runs a case on the board and takes the outcome as evidence. `name` is a given case's name, NULL for a case
 * that adjudication made. */
static bool ask(struct adjudicator *j, const struct test_case *c, const char *name, const struct prospect *p,
                struct error *e)
{
    char made[32];
    struct asked *k = new_asked(j->a);
    (void)snprintf(made, sizeof made, "made %u", j->a->cases);
    k->name = strdup(name ? name : made);
    if (!name) {
        k->made = memory_new(1, sizeof *k->made);
        case_copy(k->made, c);
    }
    j->stamp++;
    if (!board_run_one(j->o->board, c, j->answer, &k->answer, e)) {
        free_asked(k);
        j->a->cases--;
        return false;
    }
    j->a->runs++;
    if (k->answer == ANSWER_OUTCOME && j->o->keep &&
        !j->o->keep(j->o->keep_context, c, j->answer, k->name, e))
        return false;
    if (k->answer != ANSWER_OUTCOME) {
        text_copy_utf8(k->reason, sizeof k->reason, board_reason(j->o->board, 0),
                       strlen(board_reason(j->o->board, 0)));
    } else if (candidates_take(j->candidates, c, j->answer) == RULING_TAKEN) {
        evidence_set_add(j->evidence, c, j->answer, true);
    } else {
        k->conflict = true;
        j->conflicts++;
        if (!ask_again(j, c, k, e))
            return false;
    }
    judge_answer(j, p, k);
    j->futile = k->answer != ANSWER_OUTCOME || k->conflict ? j->futile + 1 : 0;
    return true;
}

/* Would the board refuse the case, because it lacks a part of it? Such a case need not be asked. */
static bool board_lacks_part(const struct adjudicator *j, const struct test_case *c)
{
    return j->o->board->lacks && board_lacks_of(j->o->board->lacks, c);
}

/* ---- given cases ---- */

/* Returns a given case, valid until the next call. */
static const struct test_case *seed_case(struct adjudicator *j, unsigned i)
{
    const struct adjudicate_seed *s = &j->o->seed[i];
    if (s->tc)
        return s->tc;
    case_decode(j->given, j->unit, s->bytes, s->size);
    return j->given;
}

/* Weighs a case for the clauses in `only`. After TIES_MAX cases in a row ruled out no reading, a case that
 * decides only ties gets the score 0. */
static void weigh(struct adjudicator *j, const struct test_case *c, const bool *only, bool one_way,
                  unsigned runs, struct prospect *p)
{
    bool asks = false;
    candidates_weigh(j->candidates, c, only, one_way, runs, p);
    for (unsigned i = 0; i < unit_clauses(j->unit); i++)
        asks |= only[i] && p->asks[i];
    if (!asks && j->ties >= TIES_MAX)
        p->score = 0;
}

/* Weighs a given case as a one-way case first, because some clauses have only one-way cases. */
static void weigh_seed(struct adjudicator *j, const struct test_case *c, struct prospect *p)
{
    bool wanted[CLAUSES_MAX];
    for (unsigned i = 0; i < CLAUSES_MAX; i++)
        wanted[i] = j->wanted[i] && j->one_way[i] < ONE_WAY_MAX;
    weigh(j, c, wanted, true, SEED_RUNS, p);
    if (p->score <= 0 && !p->too_large)
        weigh(j, c, j->wanted, false, SEED_RUNS, p);
}

/* Returns the given case with the best score, or -1 if no score is positive. Weighs a case again before it
 * returns the case, because the last answers may have made its score stale. */
static int best_seed(struct adjudicator *j, struct prospect *p)
{
    for (;;) {
        int best = -1;
        for (unsigned i = 0; i < j->o->seeds; i++) {
            const struct ranked *k = &j->ranked[i];
            if (!k->used && k->score > 0 &&
                (best < 0 || k->score > j->ranked[best].score ||
                 (k->score >= j->ranked[best].score && k->size < j->ranked[best].size)))
                best = (int)i;
        }
        if (best < 0 || ended(j))
            return -1;
        struct ranked *k = &j->ranked[best];
        bool fresh = k->stamp == j->stamp;
        weigh_seed(j, seed_case(j, (unsigned)best), p);
        if (fresh)
            return best;
        k->score = p->score;
        k->stamp = j->stamp;
    }
}

/* Weighs all given cases that were not asked. */
static void weigh_seeds(struct adjudicator *j)
{
    struct prospect p;
    for (unsigned i = 0; i < j->o->seeds && !ended(j); i++) {
        struct ranked *k = &j->ranked[i];
        if (k->used)
            continue;
        weigh_seed(j, seed_case(j, i), &p);
        k->score = p.score;
        k->stamp = j->stamp;
    }
}

static bool ask_seeds(struct adjudicator *j, struct error *e)
{
    struct prospect p;
    uint8_t *bytes = memory_new(1, CASE_BYTES_MAX);
    for (unsigned i = 0; i < j->o->seeds; i++) {
        j->ranked[i].size = case_encode(seed_case(j, i), bytes);
        j->ranked[i].used = board_lacks_part(j, seed_case(j, i));
    }
    free(bytes);
    for (unsigned last = 0;
         undecided(j) && last != j->stamp;) { /* the answers may have made a tree small enough */
        last = j->stamp;
        weigh_seeds(j);
        for (int best; undecided(j) && (best = best_seed(j, &p)) >= 0;) {
            j->ranked[best].used = true;
            if (!ask(j, seed_case(j, (unsigned)best), j->o->seed[best].name, &p, e))
                return false;
        }
    }
    return true;
}

/* ---- made cases ---- */

static void make_case(struct adjudicator *j, struct test_case *c)
{
    const struct adjudicate_options *o = j->o;
    struct random *r = &j->random;
    j->a->made++;
    if (!o->seeds || random_one_in(r, 4)) {
        case_generate(r, j->unit, c);
        return;
    }
    case_copy(c, seed_case(j, (unsigned)random_below(r, o->seeds)));
    if (random_one_in(r, 4))
        case_cross(r, seed_case(j, (unsigned)random_below(r, o->seeds)), c);
    case_mutate(r, c);
}

/* Is the case worth weighing? It is if one run under a remaining profile consults a wanted clause that is not
 * decided. */
static bool looks_good(struct adjudicator *j, const struct test_case *c)
{
    struct profile p;
    if (board_lacks_part(j, c))
        return false;
    candidates_draw(j->candidates, &j->random, &p);
    executor_run(j->executor, c, &p, RUN_PLAIN, j->model);
    for (unsigned i = 0; i < unit_clauses(j->unit); i++)
        if (j->wanted[i] && covered(&j->executor->last, i) && candidates_count(j->candidates, i) > 1)
            return true;
    return false;
}

/* The reduction's condition: the reduced case has at least the score of the original. */
struct keeps_score {
    struct adjudicator *j;
    double score;
};

static bool keeps_score(void *context, const struct test_case *c)
{
    const struct keeps_score *k = context;
    struct prospect p;
    weigh(k->j, c, k->j->wanted, false, MADE_RUNS, &p);
    return p.score >= k->score;
}

/* Makes cases, and reduces the one with the best score into j->best. Returns false if no case has a positive
 * score. */
static bool make_best(struct adjudicator *j, struct prospect *best)
{
    uint64_t tries = j->o->tries ? j->o->tries : TRIES;
    unsigned good = 0;
    best->score = 0;
    for (uint64_t i = 0; i < tries && good < WINDOW && !ended(j); i++) {
        struct prospect p;
        make_case(j, j->scratch);
        if (!looks_good(j, j->scratch))
            continue;
        weigh(j, j->scratch, j->wanted, false, MADE_RUNS, &p);
        if (p.bits <= 0 || p.score <= 0)
            continue;
        good++;
        if (p.score <= best->score)
            continue;
        *best = p;
        case_copy(j->best, j->scratch);
    }
    if (!good)
        return false;
    struct keeps_score keep = {j, best->score * (1 - 1e-6)};
    case_reduce(j->best, keeps_score, &keep, REDUCE_BUDGET);
    weigh(j, j->best, j->wanted, false, MADE_RUNS, best);
    return true;
}

static bool ask_made(struct adjudicator *j, struct error *e)
{
    struct prospect p;
    j->futile = 0;
    while (undecided(j) && j->futile < FUTILE_MAX && !ended(j) && make_best(j, &p))
        if (!ask(j, j->best, NULL, &p, e))
            return false;
    return true;
}

/* ---- the end ---- */

/* Returns how many bits of the evidence the model under a profile defines and gives right; -1 if it gives any
 * bit wrong. */
static int64_t agreement(struct adjudicator *j, const struct profile *p)
{
    struct tally t = {0};
    for (unsigned i = 0; i < evidence_set_count(j->evidence); i++) {
        if (!evidence_set_load(j->evidence, i, j->scratch, j->answer))
            return -1;
        executor_run(j->executor, j->scratch, p, RUN_CHECKED, j->model);
        if (!outcomes_equal(j->model, j->answer, &t, NULL))
            return -1;
    }
    return (int64_t)(t.bits + t.ends_only);
}

/* Chooses the remaining reading that defines the most bits of the evidence. Keeps the profile's reading if no
 * other one defines more. */
static enum certainty choose_reading(struct adjudicator *j, unsigned clause)
{
    struct profile *p = &j->a->profile;
    uint8_t now = p->reading[clause], best = now;
    int64_t most = agreement(j, p), second = -1;
    for (unsigned k = 0; k < READINGS_MAX; k++) {
        if (k == now || !(candidates_left(j->candidates, clause) >> k & 1))
            continue;
        p->reading[clause] = (uint8_t)k;
        int64_t says = agreement(j, p);
        if (says > most) {
            second = most;
            most = says;
            best = (uint8_t)k;
        } else if (says > second) {
            second = says;
        }
    }
    p->reading[clause] = best;
    return most > second && second >= 0 ? LIKELY : OPEN;
}

static enum open_why why_open(const struct adjudicator *j, unsigned clause)
{
    struct judgement *g = &j->a->clause[clause];
    if (candidates_tied(j->candidates, clause, &g->with))
        return OPEN_TIED;
    if (j->conflicts >= CONFLICTS_MAX)
        return OPEN_FOREIGN;
    if (j->a->cut)
        return OPEN_CUT;
    if (g->unanswered)
        return OPEN_NO_ANSWER;
    if (g->unexplained)
        return OPEN_UNEXPLAINED;
    if (j->silent[clause] >= SILENT_MAX)
        return OPEN_SILENT;
    return g->asked ? OPEN_UNDEFINED : OPEN_NO_CASE;
}

/* Notes against which other readings the case in j->scratch was a trial of profile `p` (case_is_trial).
 * j->answer is the board's outcome of the case. */
static void note_trials(struct adjudicator *j, const struct profile *p)
{
    executor_run(j->executor, j->scratch, p, RUN_CHECKED, j->model);
    const struct coverage consulted = j->executor->last;
    for (unsigned i = 0; i < unit_clauses(j->unit); i++) {
        struct judgement *g = &j->a->clause[i];
        bool passed = false;
        for (unsigned k = 0; j->o->wanted[i] && covered(&consulted, i) && k < READINGS_MAX; k++) {
            struct profile rival = *p;
            rival.reading[i] = (uint8_t)k;
            if (k == p->reading[i] || !(candidates_all(j->candidates, i) >> k & 1) ||
                !case_is_trial(j->executor, j->scratch, j->answer, p, &rival, j->model))
                continue;
            passed = true;
            g->untried &= (uint8_t) ~(1U << k);
        }
        g->passed += passed;
    }
}

/* Checks the result with all given cases, because a trace answers without a run of a board. */
static bool check_given(struct adjudicator *j, struct error *e)
{
    const struct profile *p = &j->a->profile;
    for (unsigned n = 0; n < j->o->seeds; n++) {
        enum answer answer;
        bool touches = false;
        case_copy(j->scratch, seed_case(j, n));
        executor_run(j->executor, j->scratch, p, RUN_PLAIN, j->model);
        for (unsigned i = 0; i < unit_clauses(j->unit); i++)
            touches |= j->o->wanted[i] && covered(&j->executor->last, i);
        if (!touches)
            continue;
        if (!board_run_one(j->o->board, j->scratch, j->answer, &answer, e))
            return false;
        if (answer != ANSWER_OUTCOME)
            continue;
        j->a->touching++;
        if (model_match(j->executor, j->scratch, p, j->answer, j->model, NULL, NULL) == MATCH_DIFFERENT)
            j->a->differing++;
        else
            note_trials(j, p);
    }
    return true;
}

/* Lowers a reading from CERTAIN to LIKELY if there is another reading against which no case was a trial. */
static bool count_trials(struct adjudicator *j, struct error *e)
{
    const struct profile *p = &j->a->profile;
    bool good = true;
    for (unsigned i = 0; i < unit_clauses(j->unit); i++)
        j->a->clause[i].untried = (uint8_t)(candidates_all(j->candidates, i) & ~(1U << p->reading[i]));
    if (j->o->only_seeds)
        good = check_given(j, e);
    for (unsigned n = 0; !j->o->only_seeds && n < evidence_set_count(j->evidence); n++)
        if (evidence_set_load(j->evidence, n, j->scratch, j->answer))
            note_trials(j, p);
    for (unsigned i = 0; i < unit_clauses(j->unit); i++) {
        struct judgement *g = &j->a->clause[i];
        if (g->certainty == CERTAIN && g->untried) {
            g->certainty = LIKELY;
            g->why = OPEN_NOT_TRIED;
        }
    }
    return good;
}

static bool conclude(struct adjudicator *j, struct error *e)
{
    struct adjudication *a = j->a;
    a->profile = *j->o->profile;
    bool chosen = candidates_choose(j->candidates, &a->profile);
    for (unsigned i = 0; i < unit_clauses(j->unit); i++) {
        struct judgement *g = &a->clause[i];
        g->left = candidates_left(j->candidates, i);
        if (candidates_count(j->candidates, i) < 2)
            continue;
        g->certainty = chosen ? choose_reading(j, i) : OPEN;
        g->why = why_open(j, i);
    }
    a->verified = agreement(j, &a->profile) >= 0;
    return count_trials(j, e);
}

static void prepare(struct adjudicator *j)
{
    const struct adjudicate_options *o = j->o;
    size_t seeds = o->seeds ? o->seeds : 1;
    j->unit = o->board->unit;
    j->executor = executor_new(j->unit);
    executor_place(j->executor, &o->board->identity);
    j->candidates = candidates_new(j->executor);
    j->ranked = memory_new(seeds, sizeof *j->ranked);
    j->answer = outcome_new(j->unit);
    j->again = outcome_new(j->unit);
    j->model = outcome_new(j->unit);
    j->scratch = memory_new(1, sizeof *j->scratch);
    j->best = memory_new(1, sizeof *j->best);
    j->given = memory_new(1, sizeof *j->given);
    j->evidence = evidence_set_new(j->unit);
    random_seed(&j->random, o->random_seed);
    j->begin = clock_seconds();
    for (unsigned i = 0; i < unit_clauses(j->unit); i++) {
        if (o->known && o->known[i])
            candidates_fix(j->candidates, i, o->profile->reading[i]);
        j->wanted[i] = o->wanted[i];
        j->a->clause[i].left = candidates_left(j->candidates, i);
        if (o->wanted[i])
            j->a->bits += log2(candidates_count(j->candidates, i));
    }
}

static void clear(struct adjudicator *j)
{
    evidence_set_free(j->evidence);
    free(j->ranked);
    free(j->scratch);
    free(j->best);
    free(j->given);
    outcome_free(j->answer);
    outcome_free(j->again);
    outcome_free(j->model);
    candidates_free(j->candidates);
    executor_free(j->executor);
}

bool adjudicate(const struct adjudicate_options *o, struct adjudication *a, struct error *e)
{
    struct adjudicator j = {.o = o, .a = a, .stamp = 1};
    *a = (struct adjudication){0};
    prepare(&j);
    board_limit_time(o->board, o->max_seconds);
    bool good = ask_seeds(&j, e) && (o->only_seeds || ask_made(&j, e));
    struct error later = {0}; /* only the first failure is reported */
    a->cut |= !good;
    if (!good && o->board->stopped) { /* which is no failure */
        good = true;
        *e = later;
    }
    board_limit_time(o->board, 0);
    good &= conclude(&j, good ? e : &later);
    clear(&j);
    return good;
}

void adjudication_free(struct adjudication *a)
{
    for (unsigned i = 0; i < a->cases; i++)
        free_asked(&a->asked[i]);
    free(a->asked);
    *a = (struct adjudication){0};
}
