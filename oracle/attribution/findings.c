/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/findings_entry.h"

#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void entry_free(struct entry *p)
{
    if (p->f)
        finding_free_contents(p->f);
    free(p->f);
    p->f = NULL;
}

enum explained explained_how(const struct explanation *e, bool flaky)
{
    return flaky ? FLAKY : !e->candidates ? UNEXPLAINED : e->masked ? MASKED : EXPLAINED;
}

enum explained entry_explained(const struct entry *p)
{
    return p->f->learned.rules[0] ? LEARNED : explained_how(&p->f->explanation, p->flaky);
}

/* Returns how a case that is not filed yet is explained. */
static enum explained case_explained(const struct evidence_of_case *what)
{
    return what->learned && what->learned->rules[0] ? LEARNED : explained_how(what->explanation, what->flaky);
}

static bool establishes(const struct explanation *x)
{
    return x->candidates == 1 && !x->more_candidates && !x->masked;
}

bool entry_established(const struct entry *p)
{
    return !p->merged && !p->flaky && establishes(&p->f->explanation);
}

bool same_candidates(const struct explanation *a, const struct explanation *b)
{
    if (a->candidates != b->candidates)
        return false;
    for (unsigned i = 0; i < a->candidates; i++)
        if (!cause_equal(&a->candidate[i], &b->candidate[i]))
            return false;
    return true;
}

const struct cause *first_exact(const struct explanation *x)
{
    for (unsigned i = 0; i < x->candidates; i++)
        if (!x->candidate[i].masks)
            return &x->candidate[i];
    return &x->candidate[0];
}

enum rank entry_rank(const struct entry *p)
{
    static const enum rank of[] = {[EXPLAINED] = RANK_CANDIDATES,
                                   [MASKED] = RANK_MASKED,
                                   [UNEXPLAINED] = RANK_NONE,
                                   [FLAKY] = RANK_NONE,
                                   [LEARNED] = RANK_NONE};
    if (p->merged)
        return RANK_NONE;
    return entry_established(p) ? RANK_ESTABLISHED : of[entry_explained(p)];
}

struct entry *entry_of_cause(struct findings *fs, const struct cause *c)
{
    for (unsigned i = 0; i < fs->count; i++)
        if (entry_established(&fs->entry[i]) && cause_equal(&fs->entry[i].f->explanation.candidate[0], c))
            return &fs->entry[i];
    return NULL;
}

unsigned parts_of(struct findings *fs, const struct cause *c, struct entry *parts[PARTS_MAX])
{
    unsigned found = 0;
    struct cause all = {0};
    for (unsigned i = 0; i < fs->count && found < PARTS_MAX; i++) {
        struct entry *p = &fs->entry[i];
        const struct cause *part = &p->f->explanation.candidate[0];
        if (!entry_established(p) || part->count >= c->count || !cause_within(part, c))
            continue;
        parts[found++] = p;
        for (unsigned k = 0; k < part->count; k++) {
            const struct cause one = {.count = 1, .change = {part->change[k]}};
            if (!cause_within(&one, &all))
                all.change[all.count++] = part->change[k];
        }
    }
    return all.count == c->count ? found : 0;
}

void findings_set_base(struct findings *fs, const struct profile *base)
{
    fs->base = fs->known = fs->known_masked = fs->attributed = *base;
}

struct findings *findings_new(const struct unit *u, const struct profile *base, const char *profile_name,
                              const struct board_identity *board, unsigned most)
{
    struct findings *fs = memory_new(1, sizeof *fs);
    fs->unit = u;
    fs->most = most;
    findings_set_base(fs, base);
    snprintf(fs->profile, sizeof fs->profile, "%s", profile_name);
    if (board)
        fs->board = *board;
    return fs;
}

void findings_set_board(struct findings *fs, const struct board_identity *now)
{
    fs->board = *now;
}

void findings_free(struct findings *fs)
{
    if (!fs)
        return;
    for (unsigned i = 0; i < fs->count; i++)
        entry_free(&fs->entry[i]);
    free(fs->entry);
    free(fs);
}

/* Applies those changes of a cause whose clauses still have the reading of the base profile. */
static void add_changes(const struct profile *base, const struct cause *c, struct profile *p)
{
    for (unsigned k = 0; k < c->count; k++)
        if (p->reading[c->change[k].clause] == base->reading[c->change[k].clause])
            p->reading[c->change[k].clause] = c->change[k].reading;
}

/* Is one of the finding's candidates an established cause, or a union of established causes? Then the finding
 * adds nothing. */
static bool is_answered(struct findings *fs, const struct entry *p)
{
    struct entry *parts[PARTS_MAX];
    const struct explanation *x = &p->f->explanation;
    for (unsigned i = 0; i < x->candidates; i++)
        if (entry_of_cause(fs, &x->candidate[i]) || parts_of(fs, &x->candidate[i], parts))
            return true;
    return false;
}

bool findings_attributes(const struct findings *fs, const struct cause *c)
{
    struct profile with = fs->attributed;
    cause_apply(c, &with);
    return c->count && !memcmp(&with, &fs->attributed, sizeof with);
}

static const struct cause *attributed_mask(const struct findings *fs, const struct explanation *x)
{
    for (unsigned i = 0; i < x->candidates; i++)
        if (findings_attributes(fs, &x->candidate[i]))
            return &x->candidate[i];
    return NULL;
}

/*
 * Computes the profiles with the known causes. If two findings give a clause different readings, the finding
 * with the firmer rank counts, or else the earlier one. A cause that only masks a difference says nothing
 * about the board, and would hide other differences. So it counts only if the attribution needs it.
 */
void findings_update_known(struct findings *fs)
{
    fs->known = fs->base;
    for (enum rank rank = RANK_ESTABLISHED; rank <= RANK_MASKED; rank++)
        for (unsigned i = 0; i < fs->count; i++) {
            const struct entry *p = &fs->entry[i];
            const struct explanation *x = &p->f->explanation;
            if (entry_rank(p) != rank || (rank == RANK_CANDIDATES && is_answered(fs, p)))
                continue;
            const struct cause *c = rank == RANK_MASKED ? attributed_mask(fs, x) : first_exact(x);
            if (c)
                add_changes(&fs->base, c, &fs->known);
        }
    fs->known_masked = fs->known;
    for (unsigned i = 0; i < fs->count; i++)
        if (entry_rank(&fs->entry[i]) == RANK_MASKED)
            add_changes(&fs->base, &fs->entry[i].f->explanation.candidate[0], &fs->known_masked);
}

static bool same_finding(const struct entry *p, const struct evidence_of_case *what)
{
    enum explained how = case_explained(what);
    if (p->merged || entry_explained(p) != how)
        return false;
    if (how == LEARNED)
        return !strcmp(p->f->learned.rules, what->learned->rules);
    if (how == UNEXPLAINED && p->f->explanation.unspecified != what->explanation->unspecified)
        return false;
    return how >= UNEXPLAINED ? p->f->signature == what->signature
                              : same_candidates(&p->f->explanation, what->explanation);
}

static struct entry *entry_add(struct findings *fs)
{
    if (fs->count == fs->capacity) {
        unsigned capacity = fs->capacity ? 2 * fs->capacity : 64;
        struct entry *grown = realloc(fs->entry, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        fs->entry = grown;
        fs->capacity = capacity;
    }
    struct entry *p = &fs->entry[fs->count];
    memset(p, 0, sizeof *p);
    p->f = calloc(1, sizeof *p->f);
    if (!p->f)
        return NULL;
    fs->count++;
    return p;
}

/* Copies the further cases, except those of roles that the finding has already. Takes the nearest agreeing
 * case only with the case that it is nearest to. */
static void take_related(struct finding *f, const struct evidence_of_case *what)
{
    for (unsigned i = 0; what->related && i < RELATED_ROLES; i++) {
        const struct related_case *r = &what->related[i];
        if (r->tc && !f->related[i].tc && (i != RELATED_AGREES || case_equal(f->smallest, what->tc)))
            finding_set_related(f, i, r->tc, r->label, r->board_outcome, r->board_outcome_size);
    }
}

static struct finding *open_finding(struct findings *fs, const struct evidence_of_case *what, struct error *e)
{
    struct entry *p = entry_add(fs);
    struct finding *f = p ? p->f : NULL;
    if (f) {
        p->flaky = what->flaky;
        f->unit = fs->unit;
        f->verdict = verdict_of(fs->unit, what->explanation, !what->flaky, board_class(&fs->board));
        snprintf(f->profile, sizeof f->profile, "%s", fs->profile);
        f->board = fs->board;
        f->explanation = *what->explanation;
        if (what->trials)
            f->trials = *what->trials;
        if (case_explained(what) == LEARNED) {
            f->learned = *what->learned;
            f->verdict = verdict_of_learned(&f->learned, board_class(&fs->board));
        }
        p->alone = establishes(what->explanation);
        p->predicted = explained_how(what->explanation, what->flaky) == EXPLAINED;
        f->signature = what->signature;
        f->cases = 1;
        finding_name(f);
    }
    if (!f || !finding_set_case(f, what->tc, what->board, what->label)) {
        if (p) {
            entry_free(p);
            fs->count--;
        }
        error_memory(e, "while keeping a finding");
        return NULL;
    }
    take_related(f, what);
    findings_update_known(fs);
    return f;
}

/* Adds a case to a finding. The finding keeps the smallest of the cases that establish its cause alone; if
 * there is none, the smallest of all. */
static bool add_case(const struct findings *fs, struct entry *p, const struct evidence_of_case *what)
{
    struct finding *f = p->f;
    f->cases++;
    p->predicted += explained_how(what->explanation, what->flaky) == EXPLAINED;
    if (what->learned && what->learned->withdrawn) { /* another run refuted the rules */
        f->learned.withdrawn = true;
        f->verdict = VERDICT_WITHDRAWN;
    }
    bool alone = establishes(what->explanation), good = true;
    if (alone > p->alone || (alone == p->alone && finding_is_smaller(f, what->tc, what->label))) {
        p->alone = alone;
        f->signature = what->signature;
        f->board = fs->board;
        good = finding_set_case(f, what->tc, what->board, what->label);
    }
    take_related(f, what);
    return good;
}

static struct finding *note_filed(const struct evidence_of_case *what, struct finding *f)
{
    if (f && what->filed)
        what->filed(what->context, f);
    return f;
}

enum filed findings_file_case(struct findings *fs, const struct evidence_of_case *what,
                              struct finding **opened, struct error *e)
{
    const struct explanation *x = what->explanation;
    *opened = NULL;
    for (unsigned i = 0; i < fs->count; i++)
        if (same_finding(&fs->entry[i], what)) {
            bool good = add_case(fs, &fs->entry[i], what) || error_memory(e, "while keeping a case");
            note_filed(what, fs->entry[i].f);
            return good ? FILED_KNOWN : FILED_FAILED;
        }
    if (explained_how(x, what->flaky) == EXPLAINED && x->candidates == 1 && !x->more_candidates) {
        struct entry *parts[PARTS_MAX];
        unsigned n = parts_of(fs, &x->candidate[0], parts);
        for (unsigned i = 0; i < n; i++)
            note_filed(what, parts[i]->f)->cases++;
        if (n)
            return FILED_KNOWN;
    }
    for (unsigned i = 0; explained_how(x, what->flaky) == MASKED && i < x->candidates; i++) {
        struct entry *p = entry_of_cause(fs, &x->candidate[i]);
        if (p) {
            note_filed(what, p->f)->cases++;
            return FILED_KNOWN;
        }
    }
    if (fs->count == fs->most)
        return FILED_NOWHERE;
    *opened = note_filed(what, open_finding(fs, what, e));
    return *opened ? FILED_NEW : FILED_FAILED;
}

/* The findings to which a case was added. */
struct filing {
    struct finding *under[PARTS_MAX];
    unsigned count;
    struct findings *findings;
};

static void note_filing(void *context, const struct finding *f)
{
    struct filing *n = context;
    for (unsigned i = 0; i < n->findings->count && n->count < PARTS_MAX; i++)
        if (n->findings->entry[i].f == f)
            n->under[n->count++] = n->findings->entry[i].f;
}

bool findings_restore(struct findings *fs, const struct evidence_of_case *what, uint64_t compared,
                      uint64_t cases, struct error *e)
{
    struct filing where = {.findings = fs};
    struct evidence_of_case noted = *what;
    struct finding *own;
    noted.filed = note_filing;
    noted.context = &where;
    enum filed filed = findings_file_case(fs, &noted, &own, e);
    for (unsigned i = 0; filed != FILED_FAILED && i < where.count; i++)
        where.under[i]->cases--; /* the store has counted it already */
    if (filed == FILED_NEW) {
        own->inherited = cases;
        fs->entry[fs->count - 1].earlier = compared;
    }
    return filed != FILED_FAILED;
}

bool findings_merge(struct findings *fs, const struct finding *f, const struct outcome *board,
                    findings_moved moved, void *context, struct error *e)
{
    struct filing where = {.findings = fs};
    struct evidence_of_case what = {.explanation = &f->explanation,
                                    .flaky = f->verdict == VERDICT_FLAKY,
                                    .signature = f->signature,
                                    .tc = f->smallest,
                                    .board = board,
                                    .label = f->label,
                                    .trials = &f->trials,
                                    .learned = &f->learned,
                                    .related = f->related,
                                    .filed = note_filing,
                                    .context = &where};
    struct finding *own;
    if (findings_file_case(fs, &what, &own, e) == FILED_FAILED)
        return false;
    bool good = true;
    for (unsigned i = 0; i < where.count; i++) {
        where.under[i]->cases += f->cases - 1; /* findings_file_case counted one case */
        where.under[i]->inherited += f->inherited;
        if (strcmp(where.under[i]->id, f->id) != 0)
            good &= moved(context, f, where.under[i], i + 1 == where.count);
    }
    /* If a finding has a cause that reproduces the board, that cause predicted all its cases. */
    for (unsigned i = 0; i < fs->count; i++)
        if (where.count == 1 && fs->entry[i].f == where.under[0] &&
            explained_how(&f->explanation, what.flaky) == EXPLAINED)
            fs->entry[i].predicted += f->cases - 1;
    return good;
}

const struct profile *findings_known(const struct findings *fs)
{
    return &fs->known;
}

void findings_often_seen(const struct findings *fs, uint64_t cases, struct profile *p)
{
    *p = fs->base;
    for (unsigned i = 0; i < fs->count; i++) {
        const struct finding *f = fs->entry[i].f;
        if (entry_established(&fs->entry[i]) && f->cases + f->inherited >= cases)
            add_changes(&fs->base, &f->explanation.candidate[0], p);
    }
}

const struct profile *findings_known_masked(const struct findings *fs)
{
    return &fs->known_masked;
}

void findings_count_trials(struct findings *fs, struct executor *x, const struct evidence_set *v,
                           const struct attribution *a)
{
    struct trials *earlier = memory_new(fs->count + 1U, sizeof *earlier);
    struct trials **all = memory_new(fs->count + 1U, sizeof *all);
    unsigned count = 0;
    for (unsigned i = 0; i < fs->count; i++) {
        struct finding *f = fs->entry[i].f;
        if (f->explanation.candidates && !fs->entry[i].flaky) {
            earlier[count] = f->trials;
            trials_begin(&f->trials, fs->unit, &f->explanation.candidate[0]);
            all[count++] = &f->trials;
        } else {
            f->trials = (struct trials){0};
        }
    }
    trials_count(x, v, &fs->base, &a->profile, all, count);
    for (unsigned i = 0; i < count; i++)
        trials_join(all[i], &earlier[i]);
    free(earlier);
    free(all);
}

unsigned findings_count(const struct findings *fs)
{
    return fs->count;
}

struct finding *findings_at(struct findings *fs, unsigned i)
{
    return fs->entry[i].f;
}

struct finding *findings_release(struct findings *fs, unsigned *count)
{
    struct finding *all = memory_new(fs->count ? fs->count : 1, sizeof *all);
    for (unsigned i = 0; i < fs->count; i++) {
        all[i] = *fs->entry[i].f;
        free(fs->entry[i].f);
    }
    *count = fs->count;
    fs->count = 0;
    qsort(all, *count, sizeof *all, finding_order);
    return all;
}

struct finding *findings_release_met(struct findings *fs, unsigned *count)
{
    unsigned all, met = 0;
    struct finding *f = findings_release(fs, &all);
    for (unsigned i = 0; f && i < all; i++)
        if (f[i].cases || f[i].learned.rules[0])
            f[met++] = f[i];
        else
            finding_free_contents(&f[i]);
    *count = met;
    return f;
}
