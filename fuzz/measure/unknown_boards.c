/* SPDX-License-Identifier: MIT */
/* Lists the boards with hidden readings. */
#include "fuzz/generate/generate.h"
#include "fuzz/measure/unknown.h"
#include "model/core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOW_CASES = 20000, /* a reading must change a defined bit in one of so many generated cases */
    SHOW_SEED = 99,
    DRAWS_MAX = 1000, /* limit of draws of readings for one set, and of draws of sets of one size */
};

struct readings {
    unsigned count, clause[CLAUSES_MAX * READINGS_MAX], reading[CLAUSES_MAX * READINGS_MAX];
    bool shows[CLAUSES_MAX * READINGS_MAX];
};

static void list_readings(const struct unit *u, struct readings *all)
{
    for (unsigned i = 0; i < unit_clauses(u); i++)
        for (unsigned k = 1; k < clause_readings(unit_clause(u, i)); k++) {
            all->clause[all->count] = i;
            all->reading[all->count++] = k;
        }
}

/* Notes which readings change a defined bit in some generated case. */
static void find_shown(const struct unit *u, struct readings *all)
{
    struct executor *x = executor_new(u);
    struct outcome *base = outcome_new(u), *other = outcome_new(u);
    struct test_case *c = memory_new(1, sizeof *c);
    struct profile manual;
    struct random r;
    random_seed(&r, SHOW_SEED);
    profile_builtin(u, 0, &manual);
    for (unsigned n = 0; n < SHOW_CASES; n++) {
        case_generate(&r, u, c);
        executor_run(x, c, &manual, RUN_CHECKED, base);
        const struct coverage touched = x->last;
        for (unsigned i = 0; i < all->count; i++) {
            struct profile p = manual;
            if (all->shows[i] || !covered(&touched, all->clause[i]))
                continue;
            p.reading[all->clause[i]] = (uint8_t)all->reading[i];
            executor_run(x, c, &p, RUN_CHECKED, other);
            all->shows[i] = !outcomes_equal(base, other, NULL, NULL);
        }
    }
    free(c);
    outcome_free(other);
    outcome_free(base);
    executor_free(x);
}

static void set_board(const struct unit *u, const char *kind, const struct cause *hidden,
                      struct unknown_board *b)
{
    struct text t = {0};
    memset(b, 0, sizeof *b);
    b->unit = u;
    b->hidden = *hidden;
    cause_print(u, hidden, &t);
    (void)snprintf(b->kind, sizeof b->kind, "%s", kind);
    (void)snprintf(b->name, sizeof b->name, "%s", text_chars(&t));
    (void)snprintf(b->spec, sizeof b->spec, "virtual:manual,%s", text_chars(&t));
    text_free(&t);
}

/* Draws readings of different clauses, each of which alone changes a defined bit in some case. Returns false
 * if it did not find enough. */
static bool draw_set(struct random *r, const struct readings *all, unsigned size, struct cause *set)
{
    memset(set, 0, sizeof *set);
    for (unsigned tries = 0; set->count < size && tries < DRAWS_MAX; tries++) {
        unsigned at = random_below(r, all->count);
        if (all->shows[at])
            (void)cause_add(set, all->clause[at], all->reading[at]);
    }
    return set->count == size;
}

static bool is_drawn(const struct unknown_board *list, unsigned count, const struct cause *set)
{
    for (unsigned i = 0; i < count; i++)
        if (cause_equal(&list[i].hidden, set))
            return true;
    return false;
}

static void add_sets(const struct unit *u, const struct readings *all, uint64_t seed, unsigned size,
                     unsigned sets, struct unknown_board *list, unsigned *count)
{
    struct random r;
    struct cause set;
    random_seed(&r, seed * CHANGES_MAX + size);
    for (unsigned made = 0, tries = 0; made < sets && tries < DRAWS_MAX && all->count; tries++)
        if (draw_set(&r, all, size, &set) && !is_drawn(list, *count, &set)) {
            set_board(u, size == 2 ? "pair" : "four", &set, &list[(*count)++]);
            made++;
        }
}

struct unknown_board *unknown_boards_of(const struct unit *u, uint64_t seed, unsigned pairs, unsigned fours,
                                        unsigned *count, unsigned *left_out)
{
    struct readings *all = memory_new(1, sizeof *all);
    list_readings(u, all);
    find_shown(u, all);
    struct unknown_board *list = memory_new(all->count + pairs + fours + 1, sizeof *list);
    *count = *left_out = 0;
    for (unsigned i = 0; i < all->count; i++) {
        struct cause one = {0};
        (void)cause_add(&one, all->clause[i], all->reading[i]);
        if (all->shows[i])
            set_board(u, "reading", &one, &list[(*count)++]);
        else
            ++*left_out;
    }
    add_sets(u, all, seed, 2, pairs, list, count);
    add_sets(u, all, seed, 4, fours, list, count);
    free(all);
    return list;
}
