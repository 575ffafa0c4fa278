/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/rederive.h"

#include "fuzz/campaign/campaign.h"
#include "oracle/files/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPLAY_BUDGET = 4000000 /* model runs for all searches of a comparison: some seconds */ };

const char *const derived_name[DERIVEDS] = {"follows", "stands", "does not follow", "cannot be told"};

/* All cases of one comparison that the store kept. */
struct comparison {
    const struct unit *unit;
    const struct finding *first; /* a finding of this comparison, for its profile and board */
    struct kept_case *kept;
    unsigned count, room, next;
};

static bool of_comparison(const struct comparison *c, const struct finding *f)
{
    return f->unit == c->unit && !strcmp(f->profile, c->first->profile) &&
           !strcmp(f->board.spec, c->first->board.spec);
}

/* ---- what the store kept ---- */

static bool copy_bytes(uint8_t **to, const uint8_t *from, size_t size)
{
    *to = malloc(size ? size : 1);
    if (*to && size)
        memcpy(*to, from, size);
    return *to != NULL;
}

static bool keep(struct comparison *c, const uint8_t *bytes, size_t size, const uint8_t *outcome,
                 size_t outcome_size, const char *label, struct error *e)
{
    if (c->count == c->room) {
        unsigned room = c->room ? 2 * c->room : 64;
        struct kept_case *grown = realloc(c->kept, room * sizeof *grown);
        if (!grown)
            return error_memory(e, "while reading the campaign's cases");
        c->kept = grown;
        c->room = room;
    }
    struct kept_case *k = &c->kept[c->count++];
    *k = (struct kept_case){.size = size, .outcome_size = outcome_size};
    (void)snprintf(k->label, sizeof k->label, "%s", label);
    return (copy_bytes(&k->bytes, bytes, size) && copy_bytes(&k->outcome, outcome, outcome_size)) ||
           error_memory(e, "while reading the campaign's cases");
}

static bool keep_case(void *context, const struct test_case *tc, const struct kept_case *k, struct error *e)
{
    (void)tc;
    return !k->outcome_size || keep(context, k->bytes, k->size, k->outcome, k->outcome_size, k->label, e);
}

static bool keep_finding(struct comparison *c, const struct finding *f, struct error *e)
{
    static _Thread_local uint8_t bytes[CASE_BYTES_MAX];
    return keep(c, bytes, case_encode(f->smallest, bytes), f->board_outcome, f->board_outcome_size, f->label,
                e);
}

/* Collects all cases of the comparison. The findings' cases come first, because they establish the causes for
 * which the other cases are evidence. */
static bool collect(struct comparison *c, struct store *s, const struct finding *all, unsigned count,
                    struct error *e)
{
    bool good = true;
    for (unsigned i = 0; good && i < count; i++)
        good = !of_comparison(c, &all[i]) || all[i].verdict == VERDICT_FLAKY || keep_finding(c, &all[i], e);
    return good && store_each_case(s, c->unit, &c->first->board, keep_case, c, e);
}

static void comparison_free(struct comparison *c)
{
    for (unsigned i = 0; i < c->count; i++)
        kept_case_free(&c->kept[i]);
    free(c->kept);
}

/* ---- the replay of a comparison ---- */

/* Gives the next kept case to the campaign (struct case_source). Skips cases that cannot be read, because
 * check_row reports them for their findings. */
static bool next_kept(void *context, struct test_case *tc, struct outcome *board, bool *has_outcome,
                      const char **label, struct error *e)
{
    struct comparison *c = context;
    struct error unreadable;
    (void)e;
    while (c->next < c->count) {
        const struct kept_case *k = &c->kept[c->next++];
        case_decode(tc, c->unit, k->bytes, k->size);
        *label = k->label;
        *has_outcome = outcome_decode(board, tc, k->outcome, k->outcome_size, &unreadable);
        if (*has_outcome)
            return true;
    }
    return false;
}

static bool replay(struct comparison *c, const struct profile *base, struct campaign_result *result,
                   struct error *e)
{
    struct campaign_options o = {
        .unit = c->unit,
        .profile = base,
        .profile_name = c->first->profile,
        .exact = true,
        .search_budget = REPLAY_BUDGET,
    };
    struct run_facts facts = {.command = "verify", .board = c->first->board};
    struct case_source source = {.next = next_kept, .context = c, .identity = &c->first->board};
    (void)snprintf(facts.unit, sizeof facts.unit, "%s", c->unit->name);
    (void)snprintf(facts.profile, sizeof facts.profile, "%s", c->first->profile);
    return campaign_run(&o, &source, &facts, result, e);
}

/* ---- one finding ---- */

struct checker {
    struct executor *x;
    struct outcome *model, *board;
    struct profile base, known; /* `known`: runs under the causes of all findings of the comparison */
};

static enum derived say(struct derivation *d, enum derived what, const char *form, ...)
    __attribute__((format(printf, 3, 4)));
static enum derived say(struct derivation *d, enum derived what, const char *form, ...)
{
    va_list values;
    va_start(values, form);
    (void)vsnprintf(d->why, sizeof d->why, form, values);
    va_end(values);
    return d->derived = what;
}

static bool agrees(struct checker *b, const struct finding *f, const struct profile *p)
{
    return model_match(b->x, f->smallest, p, b->board, b->model, NULL, NULL) != MATCH_DIFFERENT;
}

/* Does the model reproduce the board with the changes of the cause added to profile `others`, and fail to if
 * any one of these changes is left out? */
static bool reproduces_upon(struct checker *b, const struct finding *f, const struct profile *others,
                            const struct cause *c)
{
    struct profile with = *others;
    cause_apply(c, &with);
    bool good = agrees(b, f, &with);
    for (unsigned i = 0; good && i < c->count; i++) {
        struct profile without = with;
        without.reading[c->change[i].clause] = b->base.reading[c->change[i].clause];
        good = !agrees(b, f, &without);
    }
    return good;
}

/* Does the cause make the model reproduce the board, either alone or together with the causes of all other
 * findings? */
static bool reproduces(struct checker *b, const struct finding *f, const struct cause *c)
{
    return reproduces_upon(b, f, &b->base, c) || reproduces_upon(b, f, &b->known, c);
}

/* Checks a finding's id, verdict and signature against its own case. DERIVED_FOLLOWS: they agree. */
static enum derived check_row(struct checker *b, const struct finding *f, struct derivation *d)
{
    static _Thread_local uint8_t bytes[CASE_BYTES_MAX];
    struct finding named = *f;
    struct explanation x = f->explanation;
    struct differences differences;
    struct error unreadable;
    bool flaky = f->verdict == VERDICT_FLAKY;
    finding_name(&named);
    if (strcmp(named.id, f->id) != 0)
        return say(d, DERIVED_NOT_FOLLOW, "its id should be %s by its content", named.id);
    if (case_encode(f->smallest, bytes) != f->size ||
        !outcome_decode(b->board, f->smallest, f->board_outcome, f->board_outcome_size, &unreadable))
        return say(d, DERIVED_NOT_FOLLOW, "its case or the board's answer to it cannot be read");
    enum match match = model_match(b->x, f->smallest, &b->base, b->board, b->model, NULL, &differences);
    x.unspecified = unit_is_unspecified(f->unit, b->model->reason);
    enum verdict verdict = verdict_of(f->unit, &x, !flaky, board_class(&f->board));
    if (verdict != f->verdict)
        return say(d, DERIVED_NOT_FOLLOW, "its verdict should be %s by the rules", verdict_name(verdict));
    if (flaky)
        return say(d, DERIVED_UNKNOWN, "only the board can show that it disagreed with itself");
    if (match != MATCH_DIFFERENT)
        return say(
            d, DERIVED_NOT_FOLLOW,
            "on its case, the model and the recorded answer differ in no bit that the specification defines");
    if (differences_signature(f->unit, b->model, b->board, &differences) != f->signature)
        return say(d, DERIVED_NOT_FOLLOW, "its case shows other differences than it states");
    return DERIVED_FOLLOWS;
}

static bool came_out(const struct campaign_result *r, const struct finding *f)
{
    for (unsigned i = 0; i < r->findings; i++)
        if (!strcmp(r->finding[i].id, f->id))
            return true;
    return false;
}

/* Checks the withdrawn rules of a finding against the case that refuted them. */
static void derive_withdrawn(struct checker *b, const struct finding *f, struct derivation *d)
{
    const struct related_case *r = &f->related[RELATED_REFUTES];
    struct error e;
    if (!r->tc || !outcome_decode(b->board, r->tc, r->board_outcome, r->board_outcome_size, &e))
        (void)say(d, DERIVED_NOT_FOLLOW, "the case that refuted its rules cannot be read");
    else if (model_match(b->x, r->tc, &b->known, b->board, b->model, NULL, NULL) == MATCH_DIFFERENT)
        (void)say(d, DERIVED_UNKNOWN,
                  "the model differs without its rules, too, in the case that refuted them");
    else
        (void)say(d, DERIVED_STANDS, "the model agrees without its rules in the case that refuted them");
}

/* Does the model under the profile under test agree with what the board did in the nearest agreeing case?
 * True if the finding has none. */
static bool nearest_agrees(struct checker *b, const struct comparison *c, const struct finding *f)
{
    const struct related_case *r = &f->related[RELATED_AGREES];
    struct profile p;
    struct error e;
    return !r->tc || (profile_load(c->unit, c->first->profile, &p, &e) &&
                      outcome_decode(b->board, r->tc, r->board_outcome, r->board_outcome_size, &e) &&
                      model_match(b->x, r->tc, &p, b->board, b->model, NULL, NULL) == MATCH_EQUAL);
}

/* Checks the learned rules of a finding against the finding's case. The rules came from experiments, which
 * only the board could repeat, so the case can contradict the rules but not confirm them. */
static void derive_learned(struct checker *b, const struct finding *all, unsigned count,
                           const struct comparison *c, const struct finding *f, struct derivation *d)
{
    struct finding named = *f;
    struct profile without;
    struct error e;
    enum verdict verdict = verdict_of_learned(&f->learned, board_class(&f->board));
    bool good = profile_load(c->unit, c->first->profile, &without, &e);
    for (unsigned i = 0; good && i < count; i++)
        if (of_comparison(c, &all[i]) && &all[i] != f)
            good = learned_apply(c->unit, &all[i].learned, &without, &e);
    finding_name(&named);
    if (strcmp(named.id, f->id) != 0)
        (void)say(d, DERIVED_NOT_FOLLOW, "its id should be %s by its content", named.id);
    else if (f->verdict != verdict)
        (void)say(d, DERIVED_NOT_FOLLOW, "its verdict should be %s by the rules", verdict_name(verdict));
    else if (f->learned.withdrawn)
        derive_withdrawn(b, f, d);
    else if (!good || !outcome_decode(b->board, f->smallest, f->board_outcome, f->board_outcome_size, &e))
        (void)say(d, DERIVED_NOT_FOLLOW, "its case or the board's answer to it cannot be read");
    else if (agrees(b, f, &without))
        (void)say(d, DERIVED_NOT_FOLLOW, "on its case the model agrees with the board without its rules");
    else if (!agrees(b, f, &b->known))
        (void)say(d, DERIVED_NOT_FOLLOW,
                  "with its rules the model still contradicts what the board did on its case");
    else if (!nearest_agrees(b, c, f))
        (void)say(d, DERIVED_NOT_FOLLOW, "on its nearest agreeing case, model and board differ");
    else
        (void)say(d, DERIVED_STANDS, "its case shows it; only the board could repeat its experiments");
}

static void derive_explained(struct checker *b, const struct comparison *c, const struct campaign_result *r,
                             const struct finding *f, struct derivation *d)
{
    if (check_row(b, f, d) != DERIVED_FOLLOWS)
        return;
    if (f->explanation.candidates && !reproduces(b, f, &f->explanation.candidate[0]))
        (void)say(d, DERIVED_NOT_FOLLOW,
                  "with its cause the model still contradicts what the board did on its case");
    else if (!nearest_agrees(b, c, f))
        (void)say(d, DERIVED_NOT_FOLLOW, "on its nearest agreeing case, model and board differ");
    else if (came_out(r, f))
        (void)say(d, DERIVED_FOLLOWS, "replaying the %u kept case%s gives it again", c->count,
                  plural(c->count));
    else
        (void)say(d, DERIVED_STANDS,
                  "its case shows it%s; the cases that ruled out other causes were not kept",
                  f->explanation.candidates
                      ? ", and with its cause the model contradicts nothing that the board did"
                      : "");
}

/* Checks a finding upon the profile under test, without the rules of other findings. */
static enum derived derive_alone(const struct checker *b, const struct comparison *c,
                                 const struct campaign_result *r, const struct finding *f, struct error *e)
{
    struct checker alone = *b;
    struct derivation d = {.derived = DERIVED_NOT_FOLLOW};
    if (!profile_load(c->unit, c->first->profile, &alone.base, e))
        return d.derived;
    alone.known = alone.base;
    memcpy(alone.known.reading, b->known.reading, sizeof alone.known.reading);
    if (!f->learned.rules[0])
        derive_explained(&alone, c, r, f, &d);
    else if (learned_apply(c->unit, &f->learned, &alone.known, e))
        derive_learned(&alone, NULL, 0, c, f, &d);
    return d.derived;
}

/* A run that was killed, or that another campaign was merged with, may have learned rules that explain cases
 * of other findings. Only a later run puts these together. So each finding is checked without the rules of
 * the others, too. */
static void derive_one(struct checker *b, const struct comparison *c, const struct campaign_result *r,
                       const struct finding *all, unsigned count, const struct finding *f,
                       struct derivation *d)
{
    struct error ignored; /* the profile and the rules were applied before */
    if (f->learned.rules[0])
        derive_learned(b, all, count, c, f, d);
    else
        derive_explained(b, c, r, f, d);
    if (d->derived == DERIVED_NOT_FOLLOW && b->base.rules.count &&
        derive_alone(b, c, r, f, &ignored) != DERIVED_NOT_FOLLOW)
        (void)say(d, DERIVED_STANDS,
                  "its case shows it; rules of another finding explain it, too, and the next run of this "
                  "campaign will put the two together");
}

/* ---- all findings ---- */

static bool derive_comparison(struct comparison *c, struct store *s, const struct finding *all,
                              unsigned count, struct derivation *out, struct error *e)
{
    struct campaign_result result = {0};
    struct checker b = {.x = executor_new(c->unit),
                        .model = outcome_new(c->unit),
                        .board = outcome_new(c->unit)};
    executor_place(b.x, &c->first->board);
    bool good = profile_load(c->unit, c->first->profile, &b.base, e) && collect(c, s, all, count, e);
    for (unsigned i = 0; good && i < count; i++)
        good = !of_comparison(c, &all[i]) || learned_apply(c->unit, &all[i].learned, &b.base, e);
    good = good && replay(c, &b.base, &result, e);
    b.known = b.base;
    for (unsigned i = 0; good && i < count; i++)
        if (of_comparison(c, &all[i]) && all[i].explanation.candidates == 1 && !all[i].explanation.masked &&
            all[i].verdict != VERDICT_FLAKY)
            cause_apply(&all[i].explanation.candidate[0], &b.known);
    for (unsigned i = 0; good && i < count; i++)
        if (of_comparison(c, &all[i]))
            derive_one(&b, c, &result, all, count, &all[i], &out[i]);
    campaign_free(&result);
    executor_free(b.x);
    outcome_free(b.model);
    outcome_free(b.board);
    return good;
}

static bool derive_all(struct store *s, const struct finding *all, unsigned count, struct derivation *out,
                       uint64_t *cases, struct error *e)
{
    bool good = true;
    *cases = 0;
    for (unsigned i = 0; i < count; i++) {
        memcpy(out[i].id, all[i].id, sizeof out[i].id);
        out[i].verdict = all[i].verdict;
        out[i].derived = DERIVEDS;
    }
    for (unsigned i = 0; good && i < count; i++) {
        struct comparison c = {.unit = all[i].unit, .first = &all[i]};
        if (out[i].derived != DERIVEDS)
            continue;
        good = derive_comparison(&c, s, all, count, out, e);
        *cases += c.count;
        comparison_free(&c);
    }
    return good;
}

struct derivation *rederive(struct store *s, unsigned *count, uint64_t *cases, struct error *e)
{
    struct finding *all = store_findings(s, count, e);
    struct derivation *out = all ? calloc(*count + 1U, sizeof *out) : NULL;
    if (all && !out)
        error_memory(e, "while deriving the verdicts");
    if (out && !derive_all(s, all, *count, out, cases, e)) {
        free(out);
        out = NULL;
    }
    if (all)
        store_free_findings(all, *count);
    return out;
}
