/* SPDX-License-Identifier: MIT */
/*
 * Our own model as a board in a shared library, for tests and for `misprint bench`. Options: `profile=NAME`
 * (default: the unit's best-known silicon profile); `crash=N`, `hang=N`: one case in N crashes or hangs,
 * always the same ones; `stale=N`: after one case in N, the next one gets wrong values; `lacks=A+B`: the
 * board lacks A and B.
 */
#include "harness/protocol/board_plugin.h"
#include "model/core/clause.h"
#include "model/core/unit.h"

#define XXH_INLINE_ALL /* the library is not linked with libxxhash */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

struct plugin_model {
    const struct unit *unit;
    struct profile profile;
    struct test_case tc;
    struct outcome outcome; /* its rows are those of the outcome that the board fills in */
    struct coverage coverage;
    struct run run;
    unsigned long crash, hang, stale; /* 0: never */
    bool spoils;                      /* the case before spoils the values of this one */
};

static const char *option_of(const char *options, const char *name)
{
    const char *at = strstr(options, name);
    return at && (at == options || at[-1] == ',') ? at + strlen(name) : NULL;
}

static unsigned long number_of(const char *options, const char *name)
{
    const char *text = option_of(options, name);
    return text ? strtoul(text, NULL, 10) : 0;
}

static void model_close(void *board)
{
    struct plugin_model *p = board;
    free(p->run.state);
    free(p);
}

static void *model_open(const struct misprint_unit *unit, struct misprint_about *about)
{
    const struct unit *u = unit_named(unit->name);
    const char *profile = option_of(about->options, "profile=");
    char name[64] = "";
    if (profile)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(profile, ","), profile);
    if (!u || unit_form(u) != unit->form) {
        snprintf(about->error, sizeof about->error, "unit %s has another form", unit->name);
        return NULL;
    }
    int index = *name ? unit_profile_index(u, name) : (int)u->best_profile;
    if (index < 0) {
        snprintf(about->error, sizeof about->error, "there is no profile %s", name);
        return NULL;
    }
    struct plugin_model *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
    memset(p, 0, sizeof *p);
    p->unit = u;
    p->tc.unit = u;
    profile_builtin(u, (unsigned)index, &p->profile);
    outcome_make_plain(u, NULL, &p->outcome, NULL);
    p->run = (struct run){.tc = &p->tc,
                          .profile = &p->profile,
                          .out = &p->outcome,
                          .mode = RUN_PLAIN,
                          .coverage = &p->coverage,
                          .state = aligned_alloc(64, (u->state_size + 63) / 64 * 64),
                          .memory_base = about->memory_base,
                          .code_base = about->code_base};
    memset(p->run.state, 0, u->state_size);
    const char *lacks = option_of(about->options, "lacks=");
    for (size_t i = 0; lacks && lacks[i] && lacks[i] != ',' && i + 1 < sizeof about->lacks; i++)
        about->lacks[i] = lacks[i] == '+' ? ' ' : lacks[i];
    p->crash = number_of(about->options, "crash=");
    p->hang = number_of(about->options, "hang=");
    p->stale = number_of(about->options, "stale=");
    return p;
}

static uint64_t hash_of_case(const struct plugin_model *p)
{
    static uint32_t words[CASE_WORDS_MAX];
    return XXH64(words, case_pack(&p->tc, words) * sizeof *words, 0);
}

/* A case crashes or hangs by its content, so that it does so each time. */
static void maybe_fail(const struct plugin_model *p)
{
    const uint64_t hash = hash_of_case(p);
    if (p->crash && hash % p->crash == 0)
        abort();
    while (p->hang && hash % p->hang == 0)
        pause();
}

/* Inverts the values of the rows that the case touched, if the case before had this effect. */
static void maybe_spoil(struct plugin_model *p, uint32_t *value)
{
    const uint32_t words = p->unit->layout.row_words;
    for (uint32_t row = 0; row < p->unit->layout.rows && p->spoils; row++)
        for (uint32_t i = 0; i < words && outcome_touched(&p->outcome, row); i++)
            value[row * words + i] ^= UINT32_MAX;
    p->spoils = hash_of_case(p) % p->stale == 0;
}

static void run_one(struct plugin_model *p, const uint32_t *words, struct misprint_outcome *m)
{
    struct outcome *out = &p->outcome;
    case_take(&p->tc, p->unit, words);
    if (p->crash || p->hang)
        maybe_fail(p);
    outcome_adopt(out, m->value); /* which holds the content before the case */
    p->unit->run(&p->run);
    if (p->stale)
        maybe_spoil(p, m->value);
    for (unsigned i = 0; i < (p->unit->layout.rows + 63U) / 64; i++)
        m->touched[i] = out->touched[i];
    m->reason = out->reason;
    m->end = out->end;
}

static void model_run(void *board, const void *const *cases, struct misprint_outcome *outcomes,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        run_one(board, cases[i], &outcomes[i]);
}

MISPRINT_EXPORT const struct misprint_board misprint_board = {MISPRINT_BOARD_VERSION,
                                                              MISPRINT_MARKS_ROWS | MISPRINT_ONE_BY_ONE,
                                                              "Misprint's own model as a plug-in; no silicon",
                                                              "Misprint",
                                                              model_open,
                                                              model_run,
                                                              model_close};
