/* SPDX-License-Identifier: MIT */
/*
 * `virtual:PROFILE`: the model under another profile, answering as hardware
 * would: values only, no masks. Never silicon, and its identity says so.
 */
#include "model/memory.h"
#include "oracle/board.h"
#include "oracle/executor.h"
#include "oracle/file.h"

#include <stdio.h>
#include <stdlib.h>

enum { REMEMBERED = 16 }; /* cases of a batch */

struct virtual_board {
    struct executor *executor;
    struct profile profile;
    struct {
        const struct test_case *tc;
        struct coverage touched;
    } last[REMEMBERED]; /* the last batch */
};

static void virtual_identify(struct board *b, const char *profile)
{
    struct board_identity *who = &b->identity;
    int index = unit_profile_index(b->unit, profile);
    const char *chip = index >= 0 ? b->unit->profiles[index].silicon : NULL;
    snprintf(who->spec, sizeof who->spec, "virtual:%s", profile);
    if (chip)
        snprintf(who->description, sizeof who->description, "virtual board: the model of %s under profile %.80s, what is known of the %s; no silicon",
                 b->unit->name, profile, chip);
    else
        snprintf(who->description, sizeof who->description, "virtual board: the model of %s under profile %.120s; no silicon", b->unit->name,
                 profile);
    who->silicon = false;
}

static bool virtual_open(struct board *b, const char *argument, struct error *e)
{
    const char *named = *argument ? argument : b->unit->profiles[b->unit->best_profile].name;
    char profile[sizeof b->identity.spec - sizeof "virtual:"];
    struct virtual_board *v = memory_new(1, sizeof *v);
    if (!profile_load(b->unit, named, &v->profile, e) || !profile_spec(b->unit, named, profile, sizeof profile, e)) {
        free(v);
        return error_where(e, "board virtual:%.120s", named);
    }
    v->executor = executor_new(b->unit);
    executor_place(v->executor, &b->identity);
    b->state = v;
    virtual_identify(b, profile);
    return true;
}

static bool virtual_run(struct board *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, enum answer *answers,
                        struct error *e)
{
    (void)e;
    struct virtual_board *v = b->state;
    for (unsigned i = 0; i < count; i++) {
        executor_run(v->executor, cases[i], &v->profile, RUN_PLAIN, outcomes[i]);
        answers[i] = ANSWER_OUTCOME;
        if (i < REMEMBERED) {
            v->last[i].tc = cases[i];
            v->last[i].touched = v->executor->last;
        }
    }
    return true;
}

/* A clause that a run did not consult cannot change it (model/clause.h): profiles that agree on all that it did consult do the same. */
static bool virtual_foreseen(const struct board *b, const struct test_case *c, unsigned i, const struct profile *p)
{
    const struct virtual_board *v = b->state;
    if (i >= REMEMBERED || v->last[i].tc != c)
        return false;
    unsigned disagreements = 0;
    for (unsigned clause = 0; clause < CLAUSES_MAX; clause++)
        disagreements |= (unsigned)(v->last[i].touched.modes[clause] != 0) & (unsigned)(v->profile.reading[clause] != p->reading[clause]);
    return !disagreements;
}

static void virtual_close(struct board *b)
{
    struct virtual_board *v = b->state;
    executor_free(v->executor);
    free(v);
}

const struct board_kind board_virtual = {
    .name = "virtual",
    .form = "virtual:PROFILE",
    .about = "the model under another profile (no silicon); without a name, the unit's best-known silicon profile",
    .open = virtual_open,
    .run = virtual_run,
    .close = virtual_close,
    .foreseen = virtual_foreseen,
};
