/* SPDX-License-Identifier: MIT */
#include "oracle/book.h"

#include "model/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page {
    struct finding *f; /* apart, so that its address stays */
    bool flaky;
    bool gone;         /* went up in others */
    uint64_t foretold; /* cases that were filed here because the cause reproduces them */
    bool alone;        /* its case establishes its cause by itself, without the other evidence */
    uint64_t earlier;  /* cases that earlier runs compared, if the finding is theirs */
};

struct book {
    const struct unit *unit;
    struct profile base, known;
    char profile[PROFILE_SPEC_MAX];
    struct board_identity board;
    struct page *page;
    unsigned count, capacity;
    uint64_t overflow;
};

void book_identify(struct book *b, const struct board_identity *now)
{
    b->board = *now;
}

struct book *book_new(const struct unit *u, const struct profile *base, const char *profile_name, const struct board_identity *board)
{
    struct book *b = memory_new(1, sizeof *b);
    b->unit = u;
    b->base = b->known = *base;
    snprintf(b->profile, sizeof b->profile, "%s", profile_name);
    if (board)
        b->board = *board;
    return b;
}

static void page_free(struct page *p)
{
    if (p->f)
        finding_free_contents(p->f);
    free(p->f);
    p->f = NULL;
}

void book_free(struct book *b)
{
    if (!b)
        return;
    for (unsigned i = 0; i < b->count; i++)
        page_free(&b->page[i]);
    free(b->page);
    free(b);
}

/* Explained by a set that reproduces the board, or leaves the difference undefined, or neither, or flaky: never mixed with each other. */
static unsigned kind_of(const struct explanation *e, bool flaky)
{
    return flaky ? 3 : !e->rivals ? 2 : e->excused ? 1 : 0;
}

static bool establishes(const struct explanation *x)
{
    return x->rivals == 1 && !x->more_rivals && !x->excused;
}

static bool established(const struct page *p)
{
    return !p->gone && !p->flaky && establishes(&p->f->explanation);
}

static bool same_rivals(const struct explanation *a, const struct explanation *b)
{
    if (a->rivals != b->rivals)
        return false;
    for (unsigned i = 0; i < a->rivals; i++)
        if (!cause_equal(&a->rival[i], &b->rival[i]))
            return false;
    return true;
}

static bool same_finding(const struct page *p, const struct evidence_of_case *what)
{
    unsigned kind = kind_of(what->explanation, what->flaky);
    if (p->gone || kind_of(&p->f->explanation, p->flaky) != kind)
        return false;
    if (kind == 2 && p->f->explanation.unspecified != what->explanation->unspecified)
        return false;
    return kind >= 2 ? p->f->signature == what->signature : same_rivals(&p->f->explanation, what->explanation);
}

/* The page of this established cause, or NULL. */
static struct page *page_of_cause(struct book *b, const struct cause *c)
{
    for (unsigned i = 0; i < b->count; i++)
        if (established(&b->page[i]) && cause_equal(&b->page[i].f->explanation.rival[0], c))
            return &b->page[i];
    return NULL;
}

/*
 * The established causes, smaller than `c` and within it, that together make up
 * the whole of `c`. Returns how many, 0 if they don't.
 */
static unsigned parts_of(struct book *b, const struct cause *c, struct page *parts[], unsigned most)
{
    unsigned found = 0;
    struct cause all = {0};
    for (unsigned i = 0; i < b->count && found < most; i++) {
        struct page *p = &b->page[i];
        const struct cause *part = &p->f->explanation.rival[0];
        if (!established(p) || part->count >= c->count || !cause_within(part, c))
            continue;
        parts[found++] = p;
        for (unsigned k = 0; k < part->count; k++) {
            struct cause one = {.count = 1};
            one.change[0] = part->change[k];
            if (!cause_within(&one, &all))
                all.change[all.count++] = part->change[k];
        }
    }
    return all.count == c->count ? found : 0;
}

enum {
    PARTS_MAX = 16,
    EXCUSES_MOST = 2,      /* changes that may excuse a case on top of the attributed set */
    EXCUSES_BUDGET = 5000, /* model runs to find them */
};

/* Finding of which rank: those that one cause explains, those with rivals, those that a cause only leaves undefined; 3: none of these. */
static unsigned rank_of(const struct page *p)
{
    if (p->gone)
        return 3;
    unsigned kind = kind_of(&p->f->explanation, p->flaky);
    return established(p) ? 0 : kind == 0 ? 1 : kind == 1 ? 2 : 3;
}

/* Makes the changes of a cause wherever the base profile still stands. */
static void add_changes(const struct profile *base, const struct cause *c, struct profile *p)
{
    for (unsigned k = 0; k < c->count; k++)
        if (p->reading[c->change[k].clause] == base->reading[c->change[k].clause])
            p->reading[c->change[k].clause] = c->change[k].reading;
}

/* Is one of the finding's rivals established, or a union of established ones? Then it says nothing of its own. */
static bool answered(struct book *b, const struct page *p)
{
    struct page *parts[PARTS_MAX];
    const struct explanation *x = &p->f->explanation;
    for (unsigned i = 0; i < x->rivals; i++)
        if (page_of_cause(b, &x->rival[i]) || parts_of(b, &x->rival[i], parts, PARTS_MAX))
            return true;
    return false;
}

/* The best known rival that reproduces the bits; there is one unless all only excuse. */
static const struct cause *first_exact(const struct explanation *x)
{
    for (unsigned i = 0; i < x->rivals; i++)
        if (!x->rival[i].excuses)
            return &x->rival[i];
    return &x->rival[0];
}

/*
 * The base profile with all that was found but `except`; where two findings disagree, the surer and earlier one counts.
 * Causes that only leave a difference undefined are no knowledge of what the board does: with them, the rest would look like news.
 */
static void learned(struct book *b, const struct page *except, struct profile *p)
{
    *p = b->base;
    for (unsigned rank = 0; rank < 2; rank++)
        for (unsigned i = 0; i < b->count; i++)
            if (&b->page[i] != except && rank_of(&b->page[i]) == rank && (!rank || !answered(b, &b->page[i])))
                add_changes(&b->base, first_exact(&b->page[i].f->explanation), p);
}

static void learn(struct book *b)
{
    learned(b, NULL, &b->known);
}

static struct page *page_add(struct book *b)
{
    if (b->count == b->capacity) {
        unsigned capacity = b->capacity ? 2 * b->capacity : 64;
        struct page *grown = realloc(b->page, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        b->page = grown;
        b->capacity = capacity;
    }
    struct page *p = &b->page[b->count];
    memset(p, 0, sizeof *p);
    p->f = calloc(1, sizeof *p->f);
    if (!p->f)
        return NULL;
    b->count++;
    return p;
}

static struct finding *open_finding(struct book *b, const struct evidence_of_case *what, struct error *e)
{
    if (b->count == BOOK_FINDINGS_MAX) {
        b->overflow++;
        return NULL;
    }
    struct page *p = page_add(b);
    struct finding *f = p ? p->f : NULL;
    if (f) {
        p->flaky = what->flaky;
        f->unit = b->unit;
        f->verdict = verdict_of(b->unit, what->explanation, !what->flaky);
        snprintf(f->profile, sizeof f->profile, "%s", b->profile);
        f->board = b->board;
        f->explanation = *what->explanation;
        p->alone = establishes(what->explanation);
        p->foretold = kind_of(what->explanation, what->flaky) == 0;
        f->signature = what->signature;
        f->cases = 1;
        finding_name(f);
    }
    if (!f || !finding_set_case(f, what->tc, what->board, what->label)) {
        if (p) {
            page_free(p);
            b->count--;
        }
        error_memory(e, "while keeping a finding");
        return NULL;
    }
    learn(b);
    return f;
}

/* One more case of a finding: the smallest of those that establish its cause by themselves is kept; if none does, the smallest. */
static bool add_case(const struct book *b, struct page *p, const struct evidence_of_case *what)
{
    struct finding *f = p->f;
    f->cases++;
    p->foretold += kind_of(what->explanation, what->flaky) == 0;
    bool alone = establishes(what->explanation);
    if (alone < p->alone || (alone == p->alone && !finding_is_smaller(f, what->tc)))
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

struct finding *book_file(struct book *b, const struct evidence_of_case *what, struct error *e)
{
    const struct explanation *x = what->explanation;
    for (unsigned i = 0; i < b->count; i++)
        if (same_finding(&b->page[i], what)) {
            if (!add_case(b, &b->page[i], what))
                error_memory(e, "while keeping a case");
            tell(what, b->page[i].f);
            return NULL;
        }
    if (kind_of(x, what->flaky) == 0 && x->rivals == 1 && !x->more_rivals) {
        struct page *parts[PARTS_MAX];
        unsigned n = parts_of(b, &x->rival[0], parts, PARTS_MAX);
        for (unsigned i = 0; i < n; i++)
            tell(what, parts[i]->f)->cases++;
        if (n)
            return NULL;
    }
    for (unsigned i = 0; kind_of(x, what->flaky) == 1 && i < x->rivals; i++) {
        struct page *p = page_of_cause(b, &x->rival[i]);
        if (p) {
            tell(what, p->f)->cases++;
            return NULL;
        }
    }
    return tell(what, open_finding(b, what, e));
}

bool book_restore(struct book *b, const struct evidence_of_case *what, uint64_t compared, struct error *e)
{
    struct error said = {0};
    struct finding *own = book_file(b, what, &said);
    if (own) {
        own->cases = own->stored = 0;
        b->page[b->count - 1].earlier = compared;
    }
    if (said.text[0])
        *e = said;
    return !said.text[0];
}

const struct profile *book_known(const struct book *b)
{
    return &b->known;
}

/*
 * Lets page `from` go up in these pages. They keep their own cases, also where its case is smaller: that one shows several
 * causes at once, or leaves open which; theirs establish what they are filed under.
 */
static bool dissolve(struct page *from, struct page *const to[], unsigned n, book_moved moved, void *context)
{
    from->gone = true;
    for (unsigned i = 0; i < n; i++) {
        to[i]->f->cases += from->f->cases;
        if (moved && !moved(context, from->f, to[i]->f, i + 1 == n))
            return false;
    }
    return true;
}

/* Established causes that turned out to be unions of smaller ones. */
static bool settle_unions(struct book *b, book_moved moved, void *context, bool *changed)
{
    for (unsigned i = 0; i < b->count; i++) {
        struct page *parts[PARTS_MAX];
        if (!established(&b->page[i]))
            continue;
        unsigned n = parts_of(b, &b->page[i].f->explanation.rival[0], parts, PARTS_MAX);
        if (!n)
            continue;
        *changed = true;
        if (!dissolve(&b->page[i], parts, n, moved, context))
            return false;
    }
    return true;
}

/* Open questions that an established cause answers, and excuses that it makes needless. */
static bool settle_rivals(struct book *b, book_moved moved, void *context, bool *changed)
{
    for (unsigned i = 0; i < b->count; i++) {
        struct page *p = &b->page[i], *to[PARTS_MAX];
        unsigned rank = rank_of(p);
        if (rank != 1 && rank != 2)
            continue;
        unsigned n = 0;
        for (unsigned k = 0; k < p->f->explanation.rivals && !n; k++) {
            to[0] = page_of_cause(b, &p->f->explanation.rival[k]);
            n = to[0] ? 1 : parts_of(b, &p->f->explanation.rival[k], to, PARTS_MAX);
        }
        if (!n)
            continue;
        *changed = true;
        if (!dissolve(p, to, n, moved, context))
            return false;
    }
    return true;
}

static void swap_cases(struct finding *a, struct finding *b)
{
    struct finding old = *a;
    a->smallest = b->smallest;
    a->size = b->size;
    a->signature = b->signature;
    a->board_outcome = b->board_outcome;
    a->board_outcome_size = b->board_outcome_size;
    memcpy(a->label, b->label, sizeof a->label);
    b->smallest = old.smallest;
    b->size = old.size;
    b->signature = old.signature;
    b->board_outcome = old.board_outcome;
    b->board_outcome_size = old.board_outcome_size;
    memcpy(b->label, old.label, sizeof b->label);
}

static bool only_excuses(const struct explanation *x)
{
    return x->rivals && first_exact(x)->excuses;
}

/* Gives a finding another explanation, and so another verdict and id; if there is one of that id already, it goes up in that. */
static bool rename_page(struct book *b, struct page *p, const struct explanation *x, book_moved moved, void *context)
{
    struct finding before = *p->f; /* its name in the store */
    p->f->explanation = *x;
    p->f->explanation.excused = only_excuses(x);
    p->f->verdict = verdict_of(b->unit, &p->f->explanation, true);
    finding_name(p->f);
    for (unsigned i = 0; i < b->count; i++) {
        struct page *same = &b->page[i];
        if (same == p || same->gone || strcmp(same->f->id, p->f->id) != 0)
            continue;
        p->gone = true;
        same->f->cases += p->f->cases;
        same->foretold += p->foretold;
        if (p->alone > same->alone || (p->alone == same->alone && finding_is_smaller(same->f, p->f->smallest))) {
            swap_cases(same->f, p->f);
            same->alone = p->alone;
        }
        return !moved || moved(context, &before, same->f, true);
    }
    return !strcmp(before.id, p->f->id) || !moved || moved(context, &before, p->f, true);
}

/* --- by the attribution over all evidence ------------------------------------------------------------------------------------- */

/* What asking the model about a finding's case takes. */
struct court {
    struct executor *x;
    const struct attribution *a;
    uint64_t compared; /* cases, by this run */
    struct explainer *explainer;
    struct outcome *model, *board;
};

static bool reproduced(struct court *k, const struct finding *f, const struct profile *p)
{
    return model_standing(k->x, f->smallest, p, k->board, k->model, NULL, NULL) != STANDS_DIFFERENT;
}

/* The attributed set without the changes that the finding's case can do without; how many are left. */
static unsigned needed_of(struct court *k, const struct finding *f, const struct profile *base, struct profile *needed)
{
    unsigned count = 0;
    *needed = k->a->profile;
    for (unsigned i = k->a->changes; i-- > 0;) {
        const struct attributed_change *c = &k->a->change[i];
        struct profile without = *needed;
        without.reading[c->clause] = base->reading[c->clause];
        if (reproduced(k, f, &without))
            *needed = without;
        else
            count++;
    }
    return count;
}

/* The changes of a profile, but those that established findings report; false if they are none, or more than a cause can hold. */
static bool changes_of(const struct book *b, const struct profile *p, bool unreported, struct cause *c)
{
    memset(c, 0, sizeof *c);
    for (unsigned i = 0; i < unit_clauses(b->unit); i++) {
        struct cause one = {0};
        bool reported = false;
        if (p->reading[i] == b->base.reading[i])
            continue;
        (void)cause_add(&one, i, p->reading[i]);
        for (unsigned k = 0; unreported && k < b->count && !reported; k++)
            reported = established(&b->page[k]) && cause_within(&one, &b->page[k].f->explanation.rival[0]);
        if (!reported && !cause_add(c, i, p->reading[i]))
            return false;
    }
    return c->count != 0;
}

/* A reading that could never be wrong, beside one that foretold many of the finding's cases: also such as the attribution did not keep. */
static bool is_beaten(const struct page *p, const struct attributed_change *c, unsigned rival)
{
    return c->rival[rival].excuses && p->foretold >= PREDICTIONS_LEAST;
}

/* A change of the attributed set and, as rivals, what could stand in its place: the same for every finding of that cause. */
static void take_change(const struct court *k, const struct page *p, const struct cause *change, struct explanation *x)
{
    x->rival[x->rivals++] = *change;
    for (unsigned i = 0; i < k->a->changes; i++) {
        const struct attributed_change *c = &k->a->change[i];
        if (c->clause != change->change[0].clause)
            continue;
        x->more_rivals = c->more_rivals;
        for (unsigned r = 0; r < c->rivals; r++) {
            struct cause rival = {0};
            if (is_beaten(p, c, r))
                continue;
            (void)cause_add(&rival, c->rival[r].clause, c->rival[r].reading);
            x->rival[x->rivals++] = rival;
        }
    }
}

/* With each change of the cause exchanged for what could stand in its place: then it is open which of them holds. */
static void take_exchanges(const struct court *k, const struct page *p, const struct cause *cause, struct explanation *x)
{
    for (unsigned i = 0; i < cause->count; i++)
        for (unsigned c = 0; c < k->a->changes; c++) {
            const struct attributed_change *a = &k->a->change[c];
            if (a->clause != cause->change[i].clause || a->reading != cause->change[i].reading)
                continue;
            x->more_rivals |= a->more_rivals;
            for (unsigned r = 0; r < a->rivals; r++) {
                struct cause other = {0};
                bool fits = !is_beaten(p, a, r);
                for (unsigned n = 0; n < cause->count; n++)
                    fits = fits && (n == i ? cause_add(&other, a->rival[r].clause, a->rival[r].reading)
                                           : cause_add(&other, cause->change[n].clause, cause->change[n].reading));
                if (fits && x->rivals < RIVALS_MAX)
                    x->rival[x->rivals++] = other;
                else
                    x->more_rivals |= fits;
            }
        }
}

/* What explains the finding's case as far as all evidence goes: its part of the attributed set, or those of its rivals that the evidence allows. */
static struct explanation allowed_of(const struct book *b, struct court *k, const struct page *p, const struct profile *needed)
{
    const struct finding *f = p->f;
    struct explanation x = f->explanation;
    struct cause part;
    bool has_part = changes_of(b, needed, false, &part);
    x.rivals = 0;
    x.more_rivals = x.excused = false;
    if (has_part && part.count == 1) {
        take_change(k, p, &part, &x);
        return x;
    }
    for (unsigned i = 0; i < f->explanation.rivals; i++)
        if (!f->explanation.rival[i].excuses && attribution_allows(k->a, &f->explanation.rival[i]))
            x.rival[x.rivals++] = f->explanation.rival[i];
    if (!x.rivals && has_part)
        x.rival[x.rivals++] = part;
    if (x.rivals == 1 && x.rival[0].count > 1) {
        struct cause whole = x.rival[0];
        take_exchanges(k, p, &whole, &x);
    }
    return x;
}

/* More changes at once than a cause can hold: evidence for each finding that reports some of them. */
static bool share_out(struct book *b, struct page *p, const struct profile *needed, book_moved moved, void *context)
{
    struct page *to[PARTS_MAX];
    struct explanation x = {.rivals = 1};
    unsigned n = 0;
    if (changes_of(b, needed, true, &x.rival[0]))
        return rename_page(b, p, &x, moved, context);
    for (unsigned i = 0; i < b->count && n < PARTS_MAX; i++) {
        struct profile with = *needed;
        if (&b->page[i] == p || !established(&b->page[i]))
            continue;
        cause_apply(&b->page[i].f->explanation.rival[0], &with);
        if (!memcmp(&with, needed, sizeof with))
            to[n++] = &b->page[i];
    }
    return !n || dissolve(p, to, n, moved, context);
}

/* Is there a reading that, on top of the attributed set, leaves what still differs undefined? Then the case shows nothing but that. */
static bool excused_on_top(const struct book *b, struct court *k, const struct finding *f, struct explanation *x)
{
    struct explanation top;
    struct profile p = k->a->profile;
    explainer_run(k->explainer, f->smallest, &p, k->board, EXCUSES_MOST, EXCUSES_BUDGET, &top);
    if (!top.rivals || !top.rival[0].excuses)
        return false;
    struct cause part = top.rival[0];
    for (unsigned i = 0; i < k->a->changes; i++) {
        const struct attributed_change *c = &k->a->change[i];
        struct profile without = k->a->profile;
        cause_apply(&top.rival[0], &without);
        without.reading[c->clause] = b->base.reading[c->clause];
        if (!reproduced(k, f, &without) && !cause_add(&part, c->clause, c->reading))
            part = top.rival[0];
    }
    part.excuses = true;
    *x = (struct explanation){.rivals = 1, .rival = {part}, .excused = true};
    return true;
}

/* The attributed set does not explain the case: what explained it is refuted, unless it only excused it. */
static struct explanation refuted_of(const struct book *b, struct court *k, const struct finding *f)
{
    const struct explanation *old = &f->explanation;
    struct explanation x = *old;
    x.rivals = 0;
    for (unsigned i = 0; i < old->rivals; i++)
        if (old->rival[i].excuses)
            x.rival[x.rivals++] = old->rival[i];
    if (!x.rivals && !excused_on_top(b, k, f, &x) && old->rivals)
        x = (struct explanation){.cut = old->cut, .runs = old->runs, .nearest = old->rival[0]};
    return x;
}

/* Does the changed model reproduce what the finding's case showed, rather than leave it undefined? Only then the case shows the cause. */
static bool shows(struct court *k, const struct finding *f, const struct profile *base, const struct profile *changed)
{
    struct differences d;
    return model_standing(k->x, f->smallest, base, k->board, k->model, NULL, &d) == STANDS_DIFFERENT &&
           model_standing(k->x, f->smallest, changed, k->board, k->model, NULL, NULL) == STANDS_EQUAL &&
           differences_decided(&d, k->model) != DECIDED_NONE;
}

/* Fewer explanations, all among the old ones. */
static bool is_narrower(const struct explanation *x, const struct explanation *old)
{
    for (unsigned i = 0; i < x->rivals; i++) {
        unsigned at = 0;
        while (at < old->rivals && !cause_equal(&x->rival[i], &old->rival[at]))
            at++;
        if (at == old->rivals)
            return false;
    }
    return x->rivals && !x->more_rivals;
}

static bool settle_page(struct book *b, struct page *p, struct court *k, book_moved moved, void *context, bool *changed)
{
    struct finding *f = p->f;
    unsigned kind = kind_of(&f->explanation, p->flaky);
    struct explanation x = f->explanation;
    struct profile needed;
    struct error ignored; /* a finding whose outcome cannot be read stays as it is */
    if (p->gone || p->flaky || !outcome_decode(k->board, f->smallest, f->board_outcome, f->board_outcome_size, &ignored))
        return true;
    if (reproduced(k, f, &k->a->profile)) {
        if (!needed_of(k, f, &b->base, &needed))
            return true; /* an attributed change leaves it undefined */
        if (kind == 1 && !shows(k, f, &b->base, &needed))
            return true;
        x = allowed_of(b, k, p, &needed);
        if (p->earlier > k->compared && !is_narrower(&x, &f->explanation))
            return true;
        *changed |= !x.rivals;
        if (!x.rivals)
            return share_out(b, p, &needed, moved, context);
    } else if (kind != 1 && p->earlier <= k->compared) {
        x = refuted_of(b, k, f);
    }
    if (same_rivals(&x, &f->explanation) && x.more_rivals == f->explanation.more_rivals)
        return true;
    *changed = true;
    return rename_page(b, p, &x, moved, context);
}

static bool settle_pages(struct book *b, struct executor *x, const struct attribution *a, uint64_t compared, book_moved moved, void *context,
                         bool *changed)
{
    struct court k = {x, a, compared, explainer_new(x), outcome_new(b->unit), outcome_new(b->unit)};
    bool good = true;
    for (unsigned i = 0; good && i < b->count; i++)
        good = settle_page(b, &b->page[i], &k, moved, context, changed);
    explainer_free(k.explainer);
    outcome_free(k.model);
    outcome_free(k.board);
    return good;
}

/* Frees what went up in others. */
static void close_up(struct book *b)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < b->count; i++)
        if (b->page[i].gone)
            page_free(&b->page[i]);
        else
            b->page[kept++] = b->page[i];
    b->count = kept;
    learn(b);
}

bool book_settle(struct book *b, struct executor *x, const struct attribution *a, uint64_t compared, book_moved moved, void *context)
{
    bool changed = true, good = settle_pages(b, x, a, compared, moved, context, &changed);
    while (changed && good) {
        changed = false;
        good = settle_unions(b, moved, context, &changed) && settle_rivals(b, moved, context, &changed);
    }
    close_up(b);
    return good;
}

unsigned book_count(const struct book *b)
{
    return b->count;
}

struct finding *book_finding(struct book *b, unsigned i)
{
    return b->page[i].f;
}

uint64_t book_overflow(const struct book *b)
{
    return b->overflow;
}

struct finding *book_take(struct book *b, unsigned *count)
{
    struct finding *all = malloc((b->count ? b->count : 1) * sizeof *all);
    *count = 0;
    if (!all)
        return NULL;
    for (unsigned i = 0; i < b->count; i++) {
        all[i] = *b->page[i].f;
        free(b->page[i].f);
    }
    *count = b->count;
    b->count = 0;
    qsort(all, *count, sizeof *all, finding_order);
    return all;
}
