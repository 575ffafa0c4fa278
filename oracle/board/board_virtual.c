/* SPDX-License-Identifier: MIT */
/*
 * `virtual:PROFILE`: the model under another profile, with values only, as hardware answers. Never silicon,
 * and its identity says so. `virtual:PROFILE~DEVIATION` also does what no reading describes
 * (injected_fault.h).
 */
#include "model/core/memory.h"
#include "oracle/board/board.h"
#include "oracle/compare/executor.h"
#include "oracle/compare/injected_fault.h"
#include "oracle/files/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct virtual_board {
    struct executor *executor;
    struct profile profile;
    struct injected_fault fault[INJECTED_FAULTS_MAX];
    unsigned faults;
    struct test_case *changed; /* the case as a faulty board understands it */
    struct outcome *before;    /* the case's initial state */
};

static void virtual_identify(struct board *b, const char *profile, const char *faults)
{
    struct board_identity *who = &b->identity;
    int index = unit_profile_index(b->unit, profile);
    const char *chip = index >= 0 ? b->unit->profiles[index].silicon : NULL;
    const char *more = *faults ? " with injected faults " : chip ? ", what is known of the " : "";
    snprintf(who->spec, sizeof who->spec, "virtual:%s%s", profile, faults);
    snprintf(who->description, sizeof who->description,
             "virtual board: the model of %s under profile %.80s%s%.80s; no silicon", b->unit->name, profile,
             more,
             *faults ? faults
             : chip  ? chip
                     : "");
}

static void virtual_free(struct virtual_board *v)
{
    executor_free(v->executor);
    free(v->changed);
    outcome_free(v->before);
    free(v);
}

/* Splits "PROFILE~DEVIATION~..." and reads both. */
static bool virtual_read(struct board *b, struct virtual_board *v, const char *argument, struct error *e)
{
    const char *faults = argument + strcspn(argument, "~");
    char named[sizeof b->identity.spec], profile[sizeof b->identity.spec - sizeof "virtual:"];
    size_t length = (size_t)(faults - argument);
    snprintf(named, sizeof named, "%.*s", (int)length, argument);
    if (!length)
        snprintf(named, sizeof named, "%s", b->unit->profiles[b->unit->best_profile].name);
    if (!profile_load(b->unit, named, &v->profile, e) ||
        !profile_spec(b->unit, named, profile, sizeof profile, e) ||
        !injected_faults_parse(b->unit, faults, v->fault, &v->faults, e))
        return error_where(e, "board virtual:%.120s", argument);
    if (strlen(profile) + strlen(faults) + sizeof "virtual:" > sizeof b->identity.spec)
        return error_set(e, "the board's name is too long; put the profile into a file");
    virtual_identify(b, profile, faults);
    if (!*faults)
        snprintf(b->profile, sizeof b->profile, "%s", profile);
    return true;
}

static bool virtual_open(struct board *b, const char *argument, struct error *e)
{
    struct virtual_board *v = memory_new(1, sizeof *v);
    if (!virtual_read(b, v, argument, e)) {
        virtual_free(v);
        return false;
    }
    v->executor = executor_new(b->unit);
    v->changed = memory_new(1, sizeof *v->changed);
    v->before = outcome_new(b->unit);
    executor_place(v->executor, &b->identity);
    b->state = v;
    return true;
}

static void run_with_faults(struct virtual_board *v, const struct test_case *c, struct outcome *out)
{
    case_copy(v->changed, c);
    for (unsigned i = 0; i < v->faults; i++)
        deviate_case(&v->fault[i], v->changed);
    executor_run(v->executor, v->changed, &v->profile, RUN_PLAIN, out);
    outcome_reset(v->before, c);
    for (unsigned i = 0; i < v->faults; i++)
        deviate_outcome(&v->fault[i], v->before, out);
}

static bool virtual_run(struct board *b, const struct test_case *const *cases, unsigned count,
                        struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    (void)e;
    struct virtual_board *v = b->state;
    for (unsigned i = 0; i < count; i++) {
        if (v->faults)
            run_with_faults(v, cases[i], outcomes[i]);
        else
            executor_run(v->executor, cases[i], &v->profile, RUN_PLAIN, outcomes[i]);
        answers[i] = ANSWER_OUTCOME;
    }
    return true;
}

static void virtual_close(struct board *b)
{
    virtual_free(b->state);
}

const struct board_kind board_virtual = {
    .name = "virtual",
    .form = "virtual:PROFILE[~DEVIATION...]",
    .about = "the model under another profile (no silicon); without a name, the unit's best-known silicon "
             "profile; DEVIATION: an erratum that is in no ledger",
    .open = virtual_open,
    .run = virtual_run,
    .close = virtual_close,
};
