/* SPDX-License-Identifier: MIT */
#include "oracle/book.h"

#include "model/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct page {
    struct finding *f; /* apart, so that its address stays */
    bool flaky;
    bool gone;    /* went up in others */
    bool cleared; /* the jury found for its cause, against the profile `beside`; not to be asked the same again */
    struct profile beside;
    bool retried; /* nothing explained it, also not its smallest case when it was asked once more */
};
enum { REFUTED_MAX = 256 };

struct book {
    const struct unit *unit;
    struct profile base, known;
    char profile[128];
    struct board_identity board;
    struct page *page;
    unsigned count, capacity;
    uint64_t overflow;
    struct cause refuted[REFUTED_MAX];
    unsigned refuted_count;
};

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

static bool established(const struct page *p)
{
    return !p->gone && kind_of(&p->f->explanation, p->flaky) == 0 && p->f->explanation.rivals == 1 && !p->f->explanation.more_rivals;
}

static bool open_question(const struct page *p)
{
    return !p->gone && kind_of(&p->f->explanation, p->flaky) == 0 && !established(p);
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

enum { PARTS_MAX = 16 };

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

/* One more case of a finding: the smallest is kept. */
static bool add_case(struct finding *f, const struct evidence_of_case *what)
{
    f->cases++;
    if (!finding_is_smaller(f, what->tc))
        return true;
    f->signature = what->signature;
    return finding_set_case(f, what->tc, what->board, what->label);
}

struct finding *book_file(struct book *b, const struct evidence_of_case *what, struct error *e)
{
    const struct explanation *x = what->explanation;
    for (unsigned i = 0; i < b->count; i++)
        if (same_finding(&b->page[i], what)) {
            if (!add_case(b->page[i].f, what))
                error_memory(e, "while keeping a case");
            return NULL;
        }
    if (kind_of(x, what->flaky) == 0 && x->rivals == 1 && !x->more_rivals) {
        struct page *parts[PARTS_MAX];
        unsigned n = parts_of(b, &x->rival[0], parts, PARTS_MAX);
        for (unsigned i = 0; i < n; i++)
            parts[i]->f->cases++;
        if (n)
            return NULL;
    }
    for (unsigned i = 0; kind_of(x, what->flaky) == 1 && i < x->rivals; i++) {
        struct page *p = page_of_cause(b, &x->rival[i]);
        if (p) {
            p->f->cases++;
            return NULL;
        }
    }
    return open_finding(b, what, e);
}

const struct profile *book_known(const struct book *b)
{
    return &b->known;
}

bool book_has_unexplained(const struct book *b, uint64_t signature)
{
    for (unsigned i = 0; i < b->count; i++)
        if (b->page[i].f->verdict == VERDICT_UNEXPLAINED && b->page[i].f->signature == signature)
            return true;
    return false;
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

/* Do they give one clause two readings? A board follows one. */
static bool conflict(const struct cause *a, const struct cause *b)
{
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < b->count; k++)
            if (a->change[i].clause == b->change[k].clause && a->change[i].reading != b->change[k].reading)
                return true;
    return false;
}

/* Has it a rival that only leaves the bits undefined? Then its case cannot say which of them holds, whatever other cases are like. */
static bool has_excuse(const struct explanation *x)
{
    for (unsigned i = 0; i < x->rivals; i++)
        if (x->rival[i].excuses)
            return true;
    return false;
}

static struct explanation shared_rivals(const struct explanation *a, const struct explanation *b)
{
    struct explanation shared = *a;
    shared.rivals = 0;
    for (unsigned i = 0; i < a->rivals; i++)
        for (unsigned k = 0; k < b->rivals; k++)
            if (cause_equal(&a->rival[i], &b->rival[k]))
                shared.rival[shared.rivals++] = a->rival[i];
    shared.more_rivals = a->more_rivals && b->more_rivals;
    return shared;
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
    p->cleared = false;
    p->f->verdict = verdict_of(b->unit, x, true);
    finding_name(p->f);
    for (unsigned i = 0; i < b->count; i++) {
        struct page *same = &b->page[i];
        if (same == p || same->gone || strcmp(same->f->id, p->f->id) != 0)
            continue;
        p->gone = true;
        same->f->cases += p->f->cases;
        if (finding_is_smaller(same->f, p->f->smallest))
            swap_cases(same->f, p->f);
        return !moved || moved(context, &before, same->f, true);
    }
    return !strcmp(before.id, p->f->id) || !moved || moved(context, &before, p->f, true);
}

/* Is there another open question that none of these rivals answers, and one that speaks against them does? Then they may both be wrong. */
static bool disputed(const struct book *b, const struct explanation *shared)
{
    for (unsigned i = 0; i < b->count; i++) {
        const struct explanation *x = &b->page[i].f->explanation;
        bool conflicts = false;
        if (!open_question(&b->page[i]) || shared_rivals(x, shared).rivals)
            continue;
        for (unsigned k = 0; k < x->rivals; k++)
            for (unsigned n = 0; n < shared->rivals; n++)
                conflicts |= conflict(&x->rival[k], &shared->rival[n]);
        if (conflicts)
            return true;
    }
    return false;
}

/* Two open questions that share rivals become one. At most one pair a call, because that may settle others. */
static bool settle_shared(struct book *b, book_moved moved, void *context, bool *changed)
{
    for (unsigned i = 0; i < b->count; i++)
        for (unsigned k = i + 1; k < b->count; k++) {
            struct page *p = &b->page[i], *q = &b->page[k];
            if (!open_question(p) || !open_question(q))
                continue;
            struct explanation shared = shared_rivals(&p->f->explanation, &q->f->explanation);
            if (!shared.rivals || disputed(b, &shared) || has_excuse(&p->f->explanation) || has_excuse(&q->f->explanation))
                continue;
            *changed = true;
            if (finding_is_smaller(p->f, q->f->smallest))
                swap_cases(p->f, q->f);
            if (!rename_page(b, p, &shared, moved, context))
                return false;
            return dissolve(q, &p, 1, moved, context);
        }
    return true;
}

/* Causes that are tried together, and the pages on which they stand; NULL for a page leaves its cause out. */
struct parts {
    unsigned count;
    struct part {
        struct page *page;
        const struct cause *cause;
    } part[BOOK_FINDINGS_MAX];
};

/* Does the model with all of them reproduce the page's case? */
static bool agree(const struct book *b, const struct parts *all, const struct page *of, const struct book_jury *jury)
{
    struct profile p = b->base;
    for (unsigned i = 0; i < all->count; i++)
        if (all->part[i].page)
            add_changes(&b->base, all->part[i].cause, &p);
    return jury->agrees(jury->context, &p, of->f);
}

static void parts_add(struct parts *all, struct page *page, const struct cause *cause)
{
    all->part[all->count++] = (struct part){page, cause};
}

/* Adds the open questions to the established causes, each with the rival with which they agree, or else with its best known one. */
static bool add_open_questions(struct book *b, struct parts *all, const struct page *of, const struct book_jury *jury)
{
    unsigned first = all->count;
    for (unsigned i = 0; i < b->count; i++)
        if (&b->page[i] != of && open_question(&b->page[i]) && !answered(b, &b->page[i]))
            parts_add(all, &b->page[i], first_exact(&b->page[i].f->explanation));
    bool found = agree(b, all, of, jury);
    for (unsigned i = first; i < all->count && !found; i++) {
        struct part *part = &all->part[i];
        const struct explanation *x = &part->page->f->explanation;
        const struct cause *best = part->cause;
        for (unsigned k = 0; k < x->rivals && !found; k++) {
            part->cause = &x->rival[k];
            found = !x->rival[k].excuses && agree(b, all, of, jury);
        }
        if (!found)
            part->cause = best;
    }
    return found;
}

/*
 * The other causes that, together and none to spare, explain a finding's case: the established ones, and if these are
 * not enough, those that open questions come down to. 0 if they don't.
 */
static unsigned causes_instead(struct book *b, const struct page *of, const struct book_jury *jury, struct page *to[])
{
    unsigned n = 0;
    struct parts all;
    all.count = 0;
    for (unsigned i = 0; i < b->count; i++)
        if (&b->page[i] != of && established(&b->page[i]))
            parts_add(&all, &b->page[i], &b->page[i].f->explanation.rival[0]);
    if (!agree(b, &all, of, jury) && !add_open_questions(b, &all, of, jury))
        return 0;
    for (unsigned drop = all.count; drop-- > 0;) {
        struct page *page = all.part[drop].page;
        all.part[drop].page = NULL;
        if (!agree(b, &all, of, jury))
            all.part[drop].page = page;
    }
    for (unsigned i = 0; i < all.count && n < PARTS_MAX; i++)
        if (all.part[i].page)
            to[n++] = all.part[i].page;
    return n;
}

/* Does a simpler established cause give one of its clauses another reading? */
static bool contradicted(const struct book *b, const struct page *p)
{
    const struct cause *c = &p->f->explanation.rival[0];
    for (unsigned i = 0; i < b->count; i++) {
        const struct cause *simpler = &b->page[i].f->explanation.rival[0];
        if (established(&b->page[i]) && simpler->count < c->count && conflict(simpler, c))
            return true;
    }
    return false;
}

/* A refuted cause explains nothing any more; it is the nearest miss, and no search finds it again. */
static struct explanation refute(struct book *b, const struct explanation *x)
{
    if (b->refuted_count < REFUTED_MAX)
        b->refuted[b->refuted_count++] = x->rival[0];
    return (struct explanation){.cut = x->cut, .runs = x->runs, .nearest = x->rival[0]};
}

/* Takes a cause off its page: its cases go to the causes that explain them, or are unexplained until the end. */
static bool strike(struct book *b, struct page *p, const struct book_jury *jury, book_moved moved, void *context)
{
    struct page *to[PARTS_MAX];
    unsigned n = causes_instead(b, p, jury, to);
    p->retried = b->refuted_count == REFUTED_MAX; /* else the retry knows one more wrong cause than the last */
    struct explanation none = refute(b, &p->f->explanation);
    return n ? dissolve(p, to, n, moved, context) : rename_page(b, p, &none, moved, context);
}

/*
 * Causes that other evidence contradicts more often than it supports them. If
 * the others explain the case, it goes to those; if not, it is unexplained until
 * the end: what else explains it may be just as wrong, and would make cases look like news.
 * Evidence is heard before simplicity: of two causes that contradict each other the
 * simpler one may be the wrong one, and then it must go before it takes the other with it.
 */
static bool settle_refuted(struct book *b, const struct book_jury *jury, book_moved moved, void *context, bool *changed)
{
    bool struck = false;
    for (unsigned i = 0; jury && i < b->count; i++) {
        struct page *p = &b->page[i];
        uint64_t gain, harm;
        struct profile without, with;
        if (!established(p))
            continue;
        learned(b, p, &without);
        if (p->cleared && !memcmp(&without, &p->beside, sizeof without))
            continue;
        with = without;
        cause_apply(&p->f->explanation.rival[0], &with);
        jury->weigh(jury->context, &p->f->explanation.rival[0], &without, &with, &gain, &harm);
        p->cleared = harm <= gain;
        p->beside = without;
        if (p->cleared)
            continue;
        struck = true;
        if (!strike(b, p, jury, moved, context))
            return false;
    }
    for (unsigned i = 0; jury && !struck && i < b->count; i++)
        if (established(&b->page[i]) && contradicted(b, &b->page[i])) {
            struck = true;
            if (!strike(b, &b->page[i], jury, moved, context))
                return false;
        }
    *changed |= struck;
    return true;
}

/* Cases that nothing explained when they came, or that a cause only excused: what was found since may explain them together. */
static bool settle_late(struct book *b, const struct book_jury *jury, book_moved moved, void *context, bool *changed)
{
    for (unsigned i = 0; jury && i < b->count; i++) {
        struct page *p = &b->page[i], *to[PARTS_MAX];
        if (p->gone || p->flaky || kind_of(&p->f->explanation, p->flaky) == 0)
            continue;
        unsigned n = causes_instead(b, p, jury, to);
        if (!n)
            continue;
        *changed = true;
        if (!dissolve(p, to, n, moved, context))
            return false;
    }
    return true;
}

/* Before anything is called unexplained: its smallest case came later than the search, and what is refuted by now was not then. */
static bool settle_unexplained(struct book *b, const struct book_jury *jury, book_moved moved, void *context, bool *changed)
{
    for (unsigned i = 0; jury && i < b->count; i++) {
        struct page *p = &b->page[i];
        struct explanation x = {0};
        if (p->gone || p->retried || kind_of(&p->f->explanation, p->flaky) != 2)
            continue;
        p->retried = true;
        jury->explain(jury->context, &b->base, p->f, b->refuted, b->refuted_count, &x);
        if (!x.rivals)
            continue;
        *changed = true;
        if (!rename_page(b, p, &x, moved, context))
            return false;
    }
    return true;
}

/*
 * Rivals that make the model wrong about other evidence, while another one does not and makes it right about as much, are
 * none. If all do, and make it right about none, the causes that explain the case together are asked for instead.
 */
static bool settle_harmful(struct book *b, const struct book_jury *jury, book_moved moved, void *context, bool *changed)
{
    for (unsigned i = 0; jury && i < b->count; i++) {
        struct page *p = &b->page[i];
        if (!open_question(p) || p->f->explanation.more_rivals)
            continue;
        struct explanation harmless = p->f->explanation;
        harmless.rivals = 0;
        struct profile without;
        learned(b, p, &without);
        uint64_t gain[RIVALS_MAX], harm[RIVALS_MAX], best = 0;
        bool any = false, all_wrong = true;
        for (unsigned k = 0; k < p->f->explanation.rivals; k++) {
            struct profile with = without;
            cause_apply(&p->f->explanation.rival[k], &with);
            jury->weigh(jury->context, &p->f->explanation.rival[k], &without, &with, &gain[k], &harm[k]);
            any |= !harm[k];
            all_wrong &= harm[k] > gain[k];
            best = !harm[k] && gain[k] > best ? gain[k] : best;
        }
        struct page *to[PARTS_MAX];
        unsigned n = all_wrong ? causes_instead(b, p, jury, to) : 0;
        if (n) {
            *changed = true;
            if (!dissolve(p, to, n, moved, context))
                return false;
            continue;
        }
        for (unsigned k = 0; k < p->f->explanation.rivals; k++)
            if (!harm[k] || !any || (harm[k] <= gain[k] && gain[k] > best))
                harmless.rival[harmless.rivals++] = p->f->explanation.rival[k];
        if (!harmless.rivals || harmless.rivals == p->f->explanation.rivals)
            continue;
        *changed = true;
        if (!rename_page(b, p, &harmless, moved, context))
            return false;
    }
    return true;
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

bool book_hear(struct book *b, const struct book_jury *jury, book_moved moved, void *context)
{
    bool changed = false, good;
    for (unsigned i = 0; i < b->count; i++)
        b->page[i].cleared = false;
    good = settle_refuted(b, jury, moved, context, &changed);
    close_up(b);
    return good;
}

bool book_settle(struct book *b, const struct book_jury *jury, book_moved moved, void *context)
{
    bool good = true;
    for (unsigned i = 0; i < b->count; i++)
        b->page[i].cleared = false; /* there is more evidence than when the jury was heard last */
    for (bool changed = true; changed && good;) {
        changed = false;
        good = settle_refuted(b, jury, moved, context, &changed) && settle_unions(b, moved, context, &changed) &&
               settle_rivals(b, moved, context, &changed) && settle_harmful(b, jury, moved, context, &changed) &&
               settle_late(b, jury, moved, context, &changed) && (changed || settle_unexplained(b, jury, moved, context, &changed)) &&
               (changed || settle_shared(b, moved, context, &changed));
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
