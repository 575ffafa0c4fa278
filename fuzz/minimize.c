/* SPDX-License-Identifier: MIT */
#include "fuzz/minimize.h"

#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

struct offered {
    uint8_t *bytes;
    size_t size;
    uint32_t tag;
    struct features shows; /* the case's features; number_features replaces them by indices */
    bool kept;
};

struct minimizer {
    const struct unit *unit;
    struct feature_finder *finder;
    struct offered *offered;
    unsigned count, room;
    uint8_t *scratch; /* CASE_BYTES_MAX */
};

struct minimizer *minimizer_new(const struct unit *u)
{
    struct minimizer *m = memory_new(1, sizeof *m);
    m->unit = u;
    m->finder = feature_finder_new(u);
    m->scratch = memory_new(1, CASE_BYTES_MAX);
    return m;
}

static void offered_free(struct offered *o)
{
    free(o->bytes);
    features_free(&o->shows);
}

void minimizer_free(struct minimizer *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < m->count; i++)
        offered_free(&m->offered[i]);
    free(m->offered);
    free(m->scratch);
    feature_finder_free(m->finder);
    free(m);
}

bool minimizer_add(struct minimizer *m, const struct test_case *c, uint32_t tag, struct error *e)
{
    if (m->count == m->room) {
        unsigned room = m->room ? 2 * m->room : 64;
        struct offered *more = realloc(m->offered, room * sizeof *more);
        if (!more)
            return error_memory(e, "while reading a corpus");
        m->offered = more;
        m->room = room;
    }
    struct offered *o = &m->offered[m->count];
    *o = (struct offered){.size = case_encode(c, m->scratch), .tag = tag};
    o->bytes = malloc(o->size + 1);
    if (!o->bytes || !features_of(m->finder, c, &o->shows)) {
        free(o->bytes);
        return error_memory(e, "while reading a corpus");
    }
    memcpy(o->bytes, m->scratch, o->size);
    m->count++;
    return true;
}

/* Small ones come first. Of equal ones, the lower tag comes first. */
static int by_bytes(const void *a, const void *b)
{
    const struct offered *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    int order = memcmp(x->bytes, y->bytes, x->size);
    return order ? order : (x->tag > y->tag) - (x->tag < y->tag);
}

static unsigned drop_twins(struct minimizer *m)
{
    unsigned kept = 0, all = m->count;
    for (unsigned i = 0; i < all; i++) {
        struct offered *o = &m->offered[i], *last = kept ? &m->offered[kept - 1] : NULL;
        if (last && last->size == o->size && !memcmp(last->bytes, o->bytes, o->size))
            offered_free(o);
        else
            m->offered[kept++] = *o;
    }
    m->count = kept;
    return all - kept;
}

/* All features of the corpus, ascending, each once. NULL without memory. */
static feature *all_features(const struct minimizer *m, unsigned *count)
{
    size_t total = 0, at = 0;
    for (unsigned i = 0; i < m->count; i++)
        total += m->offered[i].shows.count;
    feature *all = malloc((total + 1) * sizeof *all);
    *count = 0;
    if (!all)
        return NULL;
    for (unsigned i = 0; i < m->count; i++)
        for (unsigned k = 0; k < m->offered[i].shows.count; k++)
            all[at++] = m->offered[i].shows.item[k];
    qsort(all, total, sizeof *all, feature_order);
    for (size_t i = 0; i < total; i++)
        if (!*count || all[*count - 1] != all[i])
            all[(*count)++] = all[i];
    return all;
}

/* Replaces features by their indices in `all`. */
static void number_features(struct minimizer *m, const feature *all, unsigned count)
{
    for (unsigned i = 0; i < m->count; i++) {
        struct features *f = &m->offered[i].shows;
        for (unsigned k = 0, at = 0; k < f->count; k++) {
            while (at < count && all[at] != f->item[k])
                at++;
            f->item[k] = at;
        }
    }
}

static unsigned count_new(const struct offered *o, const unsigned *shown)
{
    unsigned n = 0;
    for (unsigned k = 0; k < o->shows.count; k++)
        n += !shown[o->shows.item[k]];
    return n;
}

static void show(const struct offered *o, unsigned *shown, int times)
{
    for (unsigned k = 0; k < o->shows.count; k++)
        shown[o->shows.item[k]] += (unsigned)times;
}

/*
 * Chooses cases. `shown` counts how many of the kept cases show each feature. The number of features that a
 * case would add never grows, so it is counted again only for a case that could still be the best.
 */
static bool choose_greedily(struct minimizer *m, unsigned *shown)
{
    unsigned *adds = malloc((m->count + 1) * sizeof *adds);
    if (!adds)
        return false;
    for (unsigned i = 0; i < m->count; i++)
        adds[i] = m->offered[i].shows.count;
    for (;;) {
        unsigned best = 0, at = 0;
        for (unsigned i = 0; i < m->count; i++) {
            if (adds[i] <= best)
                continue;
            adds[i] = count_new(&m->offered[i], shown);
            if (adds[i] > best) {
                best = adds[i];
                at = i;
            }
        }
        if (!best)
            break;
        m->offered[at].kept = true;
        show(&m->offered[at], shown, 1);
    }
    free(adds);
    return true;
}

/* Removes kept cases whose features the other kept cases all have, large ones first. */
static void drop_needless(struct minimizer *m, unsigned *shown)
{
    for (unsigned i = m->count; i-- > 0;) {
        struct offered *o = &m->offered[i];
        if (!o->kept)
            continue;
        show(o, shown, -1);
        o->kept = count_new(o, shown) > 0;
        if (o->kept)
            show(o, shown, 1);
    }
}

static bool hand_out(struct minimizer *m, minimizer_keep *keep, void *context, struct minimized *what,
                     struct error *e)
{
    struct test_case *c = memory_new(1, sizeof *c);
    bool good = true;
    for (unsigned i = 0; good && i < m->count; i++) {
        const struct offered *o = &m->offered[i];
        if (!o->kept)
            continue;
        what->kept++;
        case_decode(c, m->unit, o->bytes, o->size);
        good = keep(context, c, o->tag, e);
    }
    free(c);
    return good;
}

bool minimizer_choose(struct minimizer *m, minimizer_keep *keep, void *context, struct minimized *what,
                      struct error *e)
{
    unsigned count;
    *what = (struct minimized){.cases = m->count};
    if (m->count)
        qsort(m->offered, m->count, sizeof *m->offered, by_bytes);
    what->twins = drop_twins(m);
    feature *all = all_features(m, &count);
    unsigned *shown = calloc(count + 1, sizeof *shown);
    bool good = all && shown;
    if (good) {
        for (unsigned i = 0; i < count; i++)
            what->features[feature_kind(all[i])]++;
        number_features(m, all, count);
        good = choose_greedily(m, shown);
    }
    if (good)
        drop_needless(m, shown);
    free(all);
    free(shown);
    return good ? hand_out(m, keep, context, what, e) : error_memory(e, "while minimizing a corpus");
}
