/* SPDX-License-Identifier: MIT */
/*
 * `virtual:PROFILE`: the model under another profile. Like hardware, this board answers with values and no
 * masks. `virtual:PROFILE~FAULT` adds an injected fault, which no reading describes (injected_fault.h).
 * `virtual:PROFILE~masks` also answers which bits the model defines, and refuses a case of which it does not
 * define the end. `bench unknown` tells excuses by such a board.
 */
#include "model/core/memory.h"
#include "oracle/board/board.h"
#include "oracle/compare/executor.h"
#include "oracle/compare/injected_fault.h"
#include "oracle/files/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MASKS "~masks"

struct virtual_board {
    struct executor *executor;
    struct profile profile;
    struct injected_fault injected_fault[INJECTED_FAULTS_MAX];
    unsigned injected_faults;
    bool masks;
    struct test_case *understood; /* the case as changed by injected faults */
    struct outcome *before;       /* the state before the run (injected_fault_change_outcome) */
};

static void virtual_identify(struct board *b, const char *profile, const char *injected_faults)
{
    struct board_identity *who = &b->identity;
    int index = unit_profile_index(b->unit, profile);
    const char *chip = index >= 0 ? b->unit->profiles[index].silicon : NULL;
    snprintf(who->spec, sizeof who->spec, "virtual:%s%s", profile, injected_faults);
    if (!strcmp(injected_faults, MASKS))
        snprintf(
            who->description, sizeof who->description,
            "virtual board: the model of %s under profile %.120s, with masks of what it defines; no silicon",
            b->unit->name, profile);
    else if (*injected_faults)
        snprintf(who->description, sizeof who->description,
                 "virtual board: the model of %s under profile %.80s with injected faults %.80s; no silicon",
                 b->unit->name, profile, injected_faults);
    else if (chip)
        snprintf(who->description, sizeof who->description,
                 "virtual board: the model of %s under profile %.80s, what is known of the %s; no silicon",
                 b->unit->name, profile, chip);
    else
        snprintf(who->description, sizeof who->description,
                 "virtual board: the model of %s under profile %.120s; no silicon", b->unit->name, profile);
    who->silicon = false;
}

static void virtual_free(struct virtual_board *v)
{
    executor_free(v->executor);
    free(v->understood);
    outcome_free(v->before);
    free(v);
}

/* Splits "PROFILE~FAULT~..." or "PROFILE~masks" and reads both parts. */
static bool virtual_read(struct board *b, struct virtual_board *v, const char *argument, struct error *e)
{
    const char *injected_faults = argument + strcspn(argument, "~");
    v->masks = !strcmp(injected_faults, MASKS);
    char named[sizeof b->identity.spec], profile[sizeof b->identity.spec - sizeof "virtual:"];
    size_t length = (size_t)(injected_faults - argument);
    snprintf(named, sizeof named, "%.*s", (int)length, argument);
    if (!length)
        snprintf(named, sizeof named, "%s", b->unit->profiles[b->unit->best_profile].name);
    if (!profile_load(b->unit, named, &v->profile, e) ||
        !profile_spec(b->unit, named, profile, sizeof profile, e) ||
        !injected_faults_parse(b->unit, v->masks ? "" : injected_faults, v->injected_fault,
                               &v->injected_faults, e))
        return error_where(e, "board virtual:%.120s", argument);
    if (strlen(profile) + strlen(injected_faults) + sizeof "virtual:" > sizeof b->identity.spec)
        return error_set(e, "the board's name is too long; say the profile in a file");
    virtual_identify(b, profile, injected_faults);
    if (!*injected_faults || v->masks)
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
    v->understood = memory_new(1, sizeof *v->understood);
    v->before = outcome_new(b->unit);
    executor_place(v->executor, &b->identity);
    b->state = v;
    return true;
}

static void run_deviating(struct virtual_board *v, const struct test_case *c, struct outcome *out)
{
    case_copy(v->understood, c);
    for (unsigned i = 0; i < v->injected_faults; i++)
        injected_fault_change_case(&v->injected_fault[i], v->understood);
    executor_run(v->executor, v->understood, &v->profile, RUN_PLAIN, out);
    outcome_reset(v->before, c);
    for (unsigned i = 0; i < v->injected_faults; i++)
        injected_fault_change_outcome(&v->injected_fault[i], v->before, out);
}

static bool virtual_run(struct board *b, const struct test_case *const *cases, unsigned count,
                        struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    (void)e;
    struct virtual_board *v = b->state;
    for (unsigned i = 0; i < count; i++) {
        if (v->injected_faults)
            run_deviating(v, cases[i], outcomes[i]);
        else
            executor_run(v->executor, cases[i], &v->profile, v->masks ? RUN_CHECKED : RUN_PLAIN, outcomes[i]);
        answers[i] = outcomes[i]->end == END_UNDEFINED ? ANSWER_REFUSED : ANSWER_OUTCOME;
    }
    return true;
}

static void virtual_close(struct board *b)
{
    virtual_free(b->state);
}

const struct board_kind board_virtual = {
    .name = "virtual",
    .form = "virtual:PROFILE[~FAULT...|~masks]",
    .about =
        "the model under another profile (no silicon); without a name, the unit's best-known silicon "
        "profile; FAULT: an injected fault from the list below; masks: it also answers which bits the model "
        "defines",
    .open = virtual_open,
    .run = virtual_run,
    .close = virtual_close,
};
