/* SPDX-License-Identifier: MIT */
#include "oracle/attribution/findings_entry.h"

#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct findings *findings_new(const struct unit *u, const struct profile *base, const char *profile_name,
                              const struct board_identity *board, unsigned most)
{
    struct findings *b = memory_new(1, sizeof *b);
    b->unit = u;
    b->most = most;
    b->base = b->known = b->masking = b->attributed = *base;
    snprintf(b->profile, sizeof b->profile, "%s", profile_name);
    if (board)
        b->board = *board;
    return b;
}

void findings_identify(struct findings *b, const struct board_identity *now)
{
    b->board = *now;
}

void findings_free(struct findings *b)
{
    if (!b)
        return;
    for (unsigned i = 0; i < b->count; i++)
        entry_free(&b->entry[i]);
    free(b->entry);
    free(b);
}

/* Makes the changes of a cause wherever the base profile still stands. */
static void add_changes(const struct profile *base, const struct cause *c, struct profile *p)
{
    for (unsigned k = 0; k < c->count; k++)
        if (p->reading[c->change[k].clause] == base->reading[c->change[k].clause])
            p->reading[c->change[k].clause] = c->change[k].reading;
}

/* Is one of the finding's rivals established, or a union of established ones? Then it says nothing of its
 * own. */
static bool is_answered(struct findings *b, const struct entry *p)
{
    struct entry *parts[PARTS_MAX];
    const struct explanation *x = &p->f->explanation;
    for (unsigned i = 0; i < x->candidates; i++)
        if (entry_of_cause(b, &x->candidate[i]) || parts_of(b, &x->candidate[i], parts, PARTS_MAX))
            return true;
    return false;
}

bool findings_attributes(const struct findings *b, const struct cause *c)
{
    struct profile with = b->attributed;
    cause_apply(c, &with);
    return c->count && !memcmp(&with, &b->attributed, sizeof with);
}

static const struct cause *attributed_mask(const struct findings *b, const struct explanation *x)
{
    for (unsigned i = 0; i < x->candidates; i++)
        if (findings_attributes(b, &x->candidate[i]))
            return &x->candidate[i];
    return NULL;
}

/*
 * The base profile with all that was found; where two findings disagree, the surer and earlier one counts.
 * Causes that only leave a difference undefined are no knowledge of what the board does: with them, the rest
 * would look like news. Unless other cases need them.
 */
void findings_update_known(struct findings *b)
{
    b->known = b->base;
    for (enum rank rank = RANK_ESTABLISHED; rank <= RANK_MASKED; rank++)
        for (unsigned i = 0; i < b->count; i++) {
            const struct entry *p = &b->entry[i];
            const struct explanation *x = &p->f->explanation;
            if (entry_rank(p) != rank || (rank == RANK_CANDIDATES && is_answered(b, p)))
                continue;
            const struct cause *c = rank == RANK_MASKED ? attributed_mask(b, x) : first_exact(x);
            if (c)
                add_changes(&b->base, c, &b->known);
        }
    b->masking = b->known;
    for (unsigned i = 0; i < b->count; i++)
        if (entry_rank(&b->entry[i]) == RANK_MASKED)
            add_changes(&b->base, &b->entry[i].f->explanation.candidate[0], &b->masking);
}

static bool same_finding(const struct entry *p, const struct evidence_of_case *what)
{
    enum explained how = explained_by(what->explanation, what->flaky);
    if (p->gone || explained_by(&p->f->explanation, p->flaky) != how)
        return false;
    if (how == UNEXPLAINED && p->f->explanation.unspecified != what->explanation->unspecified)
        return false;
    return how >= UNEXPLAINED ? p->f->signature == what->signature
                              : same_candidates(&p->f->explanation, what->explanation);
}

static struct entry *entry_add(struct findings *b)
{
    if (b->count == b->capacity) {
        unsigned capacity = b->capacity ? 2 * b->capacity : 64;
        struct entry *grown = realloc(b->entry, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        b->entry = grown;
        b->capacity = capacity;
    }
    struct entry *p = &b->entry[b->count];
    memset(p, 0, sizeof *p);
    p->f = calloc(1, sizeof *p->f);
    if (!p->f)
        return NULL;
    b->count++;
    return p;
}

static struct finding *open_finding(struct findings *b, const struct evidence_of_case *what, struct error *e)
{
    struct entry *p = entry_add(b);
    struct finding *f = p ? p->f : NULL;
    if (f) {
        p->flaky = what->flaky;
        f->unit = b->unit;
        f->verdict = verdict_of(b->unit, what->explanation, !what->flaky);
        snprintf(f->profile, sizeof f->profile, "%s", b->profile);
        f->board = b->board;
        f->explanation = *what->explanation;
        p->alone = explanation_establishes(what->explanation);
        p->predicted = explained_by(what->explanation, what->flaky) == EXPLAINED;
        f->signature = what->signature;
        f->cases = 1;
        finding_name(f);
    }
    if (!f || !finding_set_case(f, what->tc, what->board, what->label)) {
        if (p) {
            entry_free(p);
            b->count--;
        }
        error_memory(e, "while keeping a finding");
        return NULL;
    }
    findings_update_known(b);
    return f;
}

/* One more case of a finding: the smallest of those that establish its cause by themselves is kept; if none
 * does, the smallest. */
static bool add_case(const struct findings *b, struct entry *p, const struct evidence_of_case *what)
{
    struct finding *f = p->f;
    f->cases++;
    p->predicted += explained_by(what->explanation, what->flaky) == EXPLAINED;
    bool alone = explanation_establishes(what->explanation);
    if (alone < p->alone || (alone == p->alone && !finding_is_smaller(f, what->tc, what->label)))
        return true;
    p->alone = alone;
    f->signature = what->signature;
    f->board = b->board;
    return finding_set_case(f, what->tc, what->board, what->label);
}

static struct finding *tell(const struct evidence_of_case *what, struct finding *f)
{
    if (f && what->filed)
        what->filed(what->context, f);
    return f;
}

enum filed findings_file_case(struct findings *b, const struct evidence_of_case *what,
                              struct finding **opened, struct error *e)
{
    const struct explanation *x = what->explanation;
    *opened = NULL;
    for (unsigned i = 0; i < b->count; i++)
        if (same_finding(&b->entry[i], what)) {
            bool good = add_case(b, &b->entry[i], what) || error_memory(e, "while keeping a case");
            tell(what, b->entry[i].f);
            return good ? FILED_KNOWN : FILED_FAILED;
        }
    if (explained_by(x, what->flaky) == EXPLAINED && x->candidates == 1 && !x->more_candidates) {
        struct entry *parts[PARTS_MAX];
        unsigned n = parts_of(b, &x->candidate[0], parts, PARTS_MAX);
        for (unsigned i = 0; i < n; i++)
            tell(what, parts[i]->f)->cases++;
        if (n)
            return FILED_KNOWN;
    }
    for (unsigned i = 0; explained_by(x, what->flaky) == MASKED && i < x->candidates; i++) {
        struct entry *p = entry_of_cause(b, &x->candidate[i]);
        if (p) {
            tell(what, p->f)->cases++;
            return FILED_KNOWN;
        }
    }
    if (b->count == b->most)
        return FILED_NOWHERE;
    *opened = tell(what, open_finding(b, what, e));
    return *opened ? FILED_NEW : FILED_FAILED;
}

/* Where the case of a finding was filed. */
struct filing {
    struct finding *in[PARTS_MAX];
    unsigned count;
    struct findings *findings;
};

static void note_filing(void *context, const struct finding *f)
{
    struct filing *n = context;
    for (unsigned i = 0; i < n->findings->count && n->count < PARTS_MAX; i++)
        if (n->findings->entry[i].f == f)
            n->in[n->count++] = n->findings->entry[i].f;
}

bool findings_restore(struct findings *b, const struct evidence_of_case *what, uint64_t compared,
                      uint64_t cases, struct error *e)
{
    struct filing where = {.findings = b};
    struct evidence_of_case noted = *what;
    struct finding *own;
    noted.filed = note_filing;
    noted.context = &where;
    enum filed filed = findings_file_case(b, &noted, &own, e);
    for (unsigned i = 0; filed != FILED_FAILED && i < where.count; i++)
        where.in[i]->cases--; /* filing it counted one, which the store has already */
    if (filed == FILED_NEW) {
        own->inherited = cases;
        b->entry[b->count - 1].earlier = compared;
    }
    return filed != FILED_FAILED;
}

bool findings_merge(struct findings *b, const struct finding *f, const struct outcome *board,
                    findings_moved moved, void *context, struct error *e)
{
    struct filing where = {.findings = b};
    struct evidence_of_case what = {.explanation = &f->explanation,
                                    .flaky = f->verdict == VERDICT_FLAKY,
                                    .signature = f->signature,
                                    .tc = f->smallest,
                                    .board = board,
                                    .label = f->label,
                                    .filed = note_filing,
                                    .context = &where};
    struct finding *own;
    if (findings_file_case(b, &what, &own, e) == FILED_FAILED)
        return false;
    bool good = true;
    for (unsigned i = 0; i < where.count; i++) {
        where.in[i]->cases += f->cases - 1; /* filing it counted one */
        where.in[i]->inherited += f->inherited;
        if (strcmp(where.in[i]->id, f->id) != 0)
            good &= moved(context, f, where.in[i], i + 1 == where.count);
    }
    for (unsigned i = 0; i < b->count;
         i++) /* its cases were foretold by its cause, or it would not have it */
        if (where.count == 1 && b->entry[i].f == where.in[0] &&
            explained_by(&f->explanation, what.flaky) == EXPLAINED)
            b->entry[i].predicted += f->cases - 1;
    return good;
}

const struct profile *findings_known(const struct findings *b)
{
    return &b->known;
}

const struct profile *findings_known_masked(const struct findings *b)
{
    return &b->masking;
}

unsigned findings_count(const struct findings *b)
{
    return b->count;
}

struct finding *findings_at(struct findings *b, unsigned i)
{
    return b->entry[i].f;
}

struct finding *findings_release(struct findings *b, unsigned *count)
{
    struct finding *all = memory_new(b->count ? b->count : 1, sizeof *all);
    for (unsigned i = 0; i < b->count; i++) {
        all[i] = *b->entry[i].f;
        free(b->entry[i].f);
    }
    *count = b->count;
    b->count = 0;
    qsort(all, *count, sizeof *all, finding_order);
    return all;
}
