/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/bench_faults.h"

#include "fuzz/campaign/campaign.h"
#include "fuzz/generate/generate.h"
#include "model/core/memory.h"
#include "oracle/attribution/distinguish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SETS_EACH = 10,   /* pairs of each unit, and as many triples */
    SETS_TRIES = 400, /* limit of random cases; a set has clauses that one of them touches */
    FRESH_CASES = 20000,
    FRESH_SEED = 77,
    SHOW_CASES = 2000, /* random cases of which at least one must show the fault */
    NAME_CASES = 400,  /* random cases whose bit fields are listed */
    NAMES_MAX = 128,
    OPERANDS_MOST = 20,   /* limit of faults in operands of each unit, spread over its fields */
    FIRST_CASES = 500,    /* cases of the first campaign */
    GROWTH = 8,           /* each further campaign has so many times the cases of the one before */
    OUTSIDE_CASES = 4000, /* for an injected fault: in fewer cases, a reading may fit by coincidence */
};

static const char *const kind_names[FAULT_KINDS] = {"single", "pair", "triple", "outside"};
static const char *const verdict_names[FAULT_VERDICTS] = {"exact",     "others", "part",  "wrong",
                                                          "undefined", "known",  "missed"};

const char *bench_fault_kind_name(enum bench_fault_kind k)
{
    return kind_names[k];
}

const char *bench_fault_verdict_name(enum bench_fault_verdict v)
{
    return verdict_names[v];
}

/* ---- the catalogue ---- */

struct catalogue {
    const struct unit *unit;
    const struct corpus *corpus; /* or NULL */
    struct bench_fault *list;
    unsigned count, room;
};

static void add(struct catalogue *c, const struct bench_fault *p)
{
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 64;
        c->list = memory_grow(c->list, c->room, sizeof *c->list);
    }
    c->list[c->count++] = *p;
}

/*
 * Chooses the profile to which the reading is added. Some readings differ from the manual's only under a
 * profile that already has the reading. In this case, the fault is the manual's reading, injected in that
 * profile.
 */
static void choose_profile(const struct catalogue *c, struct executor *x, unsigned clause, unsigned reading,
                           struct bench_fault *p)
{
    struct profile base;
    enum distinction best = DISTINCT_NOT;
    p->profile = c->unit->profiles[0].name;
    p->cause = (struct cause){.count = 1, .change = {{(uint16_t)clause, (uint8_t)reading}}};
    for (unsigned reverse = 0; reverse < 2; reverse++)
        for (unsigned i = 0; c->corpus && best != DISTINCT_DEFINED && c->unit->profiles[i].name; i++) {
            profile_builtin(c->unit, i, &base);
            unsigned from = reading_of(&base, clause), to = reverse ? READING_MANUAL : reading;
            if (from == to || (reverse && from != reading))
                continue;
            enum distinction d = corpus_distinguishes(x, c->corpus, &base, clause, from, to);
            if (d <= best)
                continue;
            best = d;
            p->profile = c->unit->profiles[i].name;
            p->cause.change[0].reading = (uint8_t)to;
        }
    p->undefined = best == DISTINCT_UNDEFINED;
}

static void add_singles(struct catalogue *c)
{
    struct executor *x = executor_new(c->unit);
    for (unsigned i = 0; i < unit_clauses(c->unit); i++)
        for (unsigned r = 1; r < clause_readings(unit_clause(c->unit, i)); r++) {
            struct bench_fault p = {.unit = c->unit, .kind = FAULT_SINGLE};
            choose_profile(c, x, i, r, &p);
            add(c, &p);
        }
    executor_free(x);
}

/* Chooses a random reading, other than the base's, of `count` clauses that the case touched. Returns false if
 * the case touched too few clauses. */
static bool draw_set(struct random *r, const struct coverage *touched, const struct profile *base,
                     unsigned count, const struct unit *u, struct cause *set)
{
    unsigned open[CLAUSES_MAX], n = 0;
    memset(set, 0, sizeof *set);
    for (unsigned i = 0; i < unit_clauses(u); i++)
        if (covered(touched, i) && clause_readings(unit_clause(u, i)) > 1)
            open[n++] = i;
    if (n < count)
        return false;
    for (unsigned k = 0; k < count; k++) {
        unsigned at = random_below(r, n), clause = open[at],
                 readings = clause_readings(unit_clause(u, clause));
        unsigned reading = random_below(r, readings - 1);
        open[at] = open[--n];
        if (!cause_add(set, clause, reading + (reading >= reading_of(base, clause))))
            return false;
    }
    return true;
}

struct probe {
    struct executor *executor;
    struct outcome *model, *board;
    struct test_case *tc;
};

static struct probe probe_open(const struct unit *u)
{
    struct probe l = {executor_new(u), outcome_new(u), outcome_new(u), memory_new(1, sizeof *l.tc)};
    return l;
}

static void probe_close(struct probe *l)
{
    free(l->tc);
    outcome_free(l->model);
    outcome_free(l->board);
    executor_free(l->executor);
}

/* For each injected reading, does a random case show it while the other injected readings are in force? If
 * they hide a reading, no campaign can find it. */
static bool each_shows(struct probe *l, const struct profile *base, const struct cause *set)
{
    unsigned shown = 0, all = (1U << set->count) - 1;
    struct profile board = *base;
    struct random r;
    cause_apply(set, &board);
    random_seed(&r, 7);
    for (unsigned i = 0; i < SHOW_CASES && shown != all; i++) {
        case_generate(&r, l->executor->unit, l->tc);
        executor_run(l->executor, l->tc, &board, RUN_PLAIN, l->board);
        struct coverage touched = l->executor->last;
        for (unsigned k = 0; k < set->count; k++) {
            struct profile without = board;
            without.reading[set->change[k].clause] = base->reading[set->change[k].clause];
            if (!(shown >> k & 1) && covered(&touched, set->change[k].clause) &&
                model_match(l->executor, l->tc, &without, l->board, l->model, NULL, NULL) == MATCH_DIFFERENT)
                shown |= 1U << k;
        }
    }
    return shown == all;
}

/* Makes pairs or triples of readings of clauses that one random case touches. Half of these faults are on top
 * of profile `manual`, half on top of the best-known silicon. */
static void add_sets(struct catalogue *c, enum bench_fault_kind kind, unsigned size)
{
    struct probe l = probe_open(c->unit);
    struct random r;
    struct profile base;
    random_seed(&r, size);
    for (unsigned made = 0, tries = 0; made < SETS_EACH && tries < SETS_TRIES; tries++) {
        unsigned index = made % 2 ? c->unit->best_profile : 0;
        struct bench_fault p = {.unit = c->unit, .kind = kind, .profile = c->unit->profiles[index].name};
        profile_builtin(c->unit, index, &base);
        case_generate(&r, c->unit, l.tc);
        executor_run(l.executor, l.tc, &base, RUN_PLAIN, l.model);
        struct coverage touched = l.executor->last;
        if (!draw_set(&r, &touched, &base, size, c->unit, &p.cause) || !each_shows(&l, &base, &p.cause))
            continue;
        add(c, &p);
        made++;
    }
    probe_close(&l);
}

/* Writes the spec of the board with the fault, "virtual:manual,clause=reading". */
static void bench_fault_board(const struct bench_fault *p, struct text *t)
{
    text_add(t, "virtual:%s%s", p->profile, p->cause.count ? "," : "~");
    bench_fault_print(p, t);
}

/* Does the fault change any bit, defined or not, in some random case? A fault in an operand that the unit
 * ignores does not. */
static bool changes_something(const struct bench_fault *p)
{
    struct text spec = {0};
    struct profile base;
    struct probe l = probe_open(p->unit);
    struct random r;
    enum answer answer;
    bool changed = false;
    struct error e = {0};
    bench_fault_board(p, &spec);
    struct board *board = board_open(text_chars(&spec), p->unit, &e);
    profile_builtin(p->unit, 0, &base);
    random_seed(&r, 7);
    for (unsigned i = 0; board && i < SHOW_CASES && !changed; i++) {
        case_generate(&r, p->unit, l.tc);
        executor_run(l.executor, l.tc, &base, RUN_PLAIN, l.model);
        changed =
            board_run_one(board, l.tc, l.board, &answer, &e) && !outcomes_equal(l.model, l.board, NULL, NULL);
    }
    board_close(board);
    probe_close(&l);
    text_free(&spec);
    return changed;
}

static void add_outside(struct catalogue *c, const char *kind, const char *place, const char *bits,
                        unsigned number)
{
    struct bench_fault p = {.unit = c->unit, .kind = FAULT_OUTSIDE, .profile = c->unit->profiles[0].name};
    (void)snprintf(p.injected_fault, sizeof p.injected_fault, "%s:%s%s%s:%u", kind, place, *bits ? "." : "",
                   bits, number);
    if (changes_something(&p))
        add(c, &p);
}

static void add_results(struct catalogue *c)
{
    static const struct {
        const char *kind;
        unsigned number;
    } words[] = {{"lane-drop", 3}, {"byte-swap", 1}, {"value-clamp", 15},
                 {"row-shift", 1}, {"value-add", 1}, {"lane-turn", 1}};
    for (unsigned i = 0; i < c->unit->layout.region_count; i++) {
        const struct region *r = &c->unit->layout.regions[i];
        if (r->bits < 32 || r->cols < 8) {
            add_outside(c, "bit-set", r->name, "", 0);
            continue;
        }
        for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
            if (r->rows > 1 || strcmp(words[k].kind, "row-shift") != 0)
                add_outside(c, words[k].kind, r->name, "", words[k].number);
    }
}

/* The operands of random cases, "FIELD.BITS", each once. */
struct operands {
    unsigned count;
    struct {
        const char *field, *bits;
    } name[NAMES_MAX];
};

static void note_bits(struct operands *o, const char *field, const struct bit_field *f)
{
    for (; f && f->name; f++) {
        unsigned at = 0;
        while (at < o->count &&
               (strcmp(o->name[at].field, field) != 0 || strcmp(o->name[at].bits, f->name) != 0))
            at++;
        if (at == o->count && at < NAMES_MAX) {
            o->name[at].field = field;
            o->name[at].bits = f->name;
            o->count++;
        }
    }
}

static void note_operands(struct operands *o, struct test_case *c)
{
    for (unsigned i = 0; i < c->unit->schema.field_count; i++) {
        const struct field *f = &c->unit->schema.fields[i];
        uint32_t *count, *item = case_items(c, f, &count), words = item ? field_item_words(c->unit, f) : 0;
        if (f->kind == FIELD_WORD)
            note_bits(o, f->name, case_bits(c, f));
        for (uint32_t k = 0; f->kind == FIELD_CODE && case_code(c)->bits && k < *count; k++)
            note_bits(o, f->name, case_code(c)->bits(item + k * words));
    }
}

static void add_operands(struct catalogue *c)
{
    struct operands o = {0};
    struct test_case *tc = memory_new(1, sizeof *tc);
    struct random r;
    random_seed(&r, 1);
    for (unsigned i = 0; i < NAME_CASES; i++) {
        case_generate(&r, c->unit, tc);
        note_operands(&o, tc);
    }
    free(tc);
    unsigned most = o.count < OPERANDS_MOST ? o.count : OPERANDS_MOST;
    for (unsigned i = 0; i < most; i++) {
        unsigned at = i * o.count / most;
        add_outside(c, i % 4 == 3 ? "operand-set" : "operand-add", o.name[at].field, o.name[at].bits, 1);
    }
}

struct bench_fault *bench_faults_of(const struct unit *u, const struct corpus *corpus, unsigned *count)
{
    struct catalogue c = {.unit = u, .corpus = corpus};
    add_singles(&c);
    add_sets(&c, FAULT_PAIR, 2);
    add_sets(&c, FAULT_TRIPLE, 3);
    add_results(&c);
    add_operands(&c);
    *count = c.count;
    return c.list;
}

void bench_fault_print(const struct bench_fault *p, struct text *t)
{
    cause_print(p->unit, &p->cause, t);
    text_add(t, "%s", p->injected_fault);
}

/* ---- judging ---- */

static bool blames(const struct finding *f)
{
    return f->explanation.candidates && f->verdict != VERDICT_UNDEFINED && f->verdict != VERDICT_FLAKY;
}

/* Is the injected set of readings, or a part of it, among the explanations? */
static bool holds_truth(const struct explanation *x, const struct cause *truth)
{
    for (unsigned i = 0; i < x->candidates; i++)
        if (cause_within(&x->candidate[i], truth))
            return true;
    return false;
}

static enum bench_fault_verdict judge_outside(const struct campaign_result *c, struct bench_fault_result *r)
{
    unsigned unexplained = 0;
    for (unsigned i = 0; i < c->findings; i++) {
        r->wrong += blames(&c->finding[i]);
        unexplained += c->finding[i].verdict == VERDICT_UNEXPLAINED;
    }
    return r->wrong ? FAULT_WRONG : unexplained ? FAULT_EXACT : c->findings ? FAULT_UNDEFINED : FAULT_MISSED;
}

static enum bench_fault_verdict judge_readings(const struct cause *truth, const struct campaign_result *c,
                                               struct bench_fault_result *r)
{
    struct cause found = {0};
    bool candidates = false, blamed = false;
    for (unsigned i = 0; i < c->findings; i++) {
        const struct finding *f = &c->finding[i];
        const struct explanation *x = &f->explanation;
        if (f->verdict == VERDICT_UNDEFINED)
            continue;
        blamed = true;
        if (!x->candidates || !holds_truth(x, truth)) {
            r->wrong++;
        } else if (x->candidates > 1 || x->more_candidates) {
            candidates = true;
        } else {
            for (unsigned k = 0; k < x->candidate[0].count; k++)
                (void)cause_add(&found, x->candidate[0].change[k].clause, x->candidate[0].change[k].reading);
        }
    }
    if (r->wrong)
        return FAULT_WRONG;
    if (!blamed)
        return c->findings ? FAULT_UNDEFINED : FAULT_MISSED;
    return candidates ? FAULT_CANDIDATES : found.count == truth->count ? FAULT_EXACT : FAULT_PART;
}

/* Does the model under the attributed profile reproduce the board in all fresh cases? */
static bool predicts(struct board *board, const struct profile *attributed, struct error *e)
{
    struct probe l = probe_open(board->unit);
    struct random r;
    enum answer answer;
    bool same = true;
    random_seed(&r, FRESH_SEED);
    for (unsigned i = 0; i < FRESH_CASES && same; i++) {
        case_generate(&r, board->unit, l.tc);
        same = board_run_one(board, l.tc, l.board, &answer, e) &&
               model_match(l.executor, l.tc, attributed, l.board, l.model, NULL, NULL) != MATCH_DIFFERENT;
    }
    probe_close(&l);
    return same;
}

/* ---- running ---- */

static bool run_once(const struct bench_fault *p, struct board *board, uint64_t cases,
                     const struct bench_fault_budget *b, struct bench_fault_result *r, struct error *e)
{
    struct campaign_result c;
    struct profile base;
    struct run_facts facts = {.command = "bench", .seed = b->seed};
    if (!profile_resolve(p->unit, p->profile, &base, e))
        return false;
    struct campaign_options o = {.unit = p->unit,
                                 .profile = &base,
                                 .profile_name = p->profile,
                                 .board = board,
                                 .seed = b->seed,
                                 .max_cases = cases,
                                 .reduce = true};
    struct generator_source *g = generator_new(p->unit, b->seed);
    if (b->seeds)
        generator_take_corpus(g, b->seeds, true);
    struct case_source source = generator_as_source(g);
    bool good = campaign_run(&o, &source, &facts, &c, e);
    r->first_case = c.first_case;
    r->first_seconds = c.first_seconds;
    r->cases = c.tally.cases;
    r->seconds += c.seconds;
    r->findings = c.findings;
    r->wrong = 0;
    r->smallest = 0;
    for (unsigned i = 0; i < c.findings; i++)
        if (!r->smallest || c.finding[i].size < r->smallest)
            r->smallest = c.finding[i].size;
    r->verdict = p->kind == FAULT_OUTSIDE ? judge_outside(&c, r) : judge_readings(&p->cause, &c, r);
    if (r->verdict == FAULT_WRONG && !c.attribution.unexplained &&
        predicts(board, &c.attribution.profile, e)) {
        r->verdict = FAULT_KNOWN;
        r->wrong = 0;
    }
    if (p->kind == FAULT_SINGLE && (r->verdict == FAULT_MISSED || r->verdict == FAULT_UNDEFINED))
        r->verdict = p->undefined ? FAULT_UNDEFINED : FAULT_MISSED;
    campaign_free(&c);
    generator_free(g);
    return good;
}

bool bench_fault_run(const struct bench_fault *p, const struct bench_fault_budget *b,
                     struct bench_fault_result *r, struct error *e)
{
    struct text spec = {0};
    bench_fault_board(p, &spec);
    struct board *board = board_open(text_chars(&spec), p->unit, e);
    text_free(&spec);
    memset(r, 0, sizeof *r);
    r->verdict = FAULT_MISSED;
    bool good = board != NULL;
    uint64_t cases = p->kind == FAULT_OUTSIDE ? OUTSIDE_CASES : FIRST_CASES;
    for (;; cases *= GROWTH) {
        uint64_t n = cases < b->cases ? cases : b->cases;
        good = good && run_once(p, board, n, b, r, e);
        if (!good || r->verdict == FAULT_EXACT || r->verdict == FAULT_KNOWN || n == b->cases ||
            r->seconds >= b->seconds)
            break;
    }
    board_close(board);
    return good;
}
