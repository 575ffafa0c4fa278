/* SPDX-License-Identifier: MIT */
#include "harness/verify/v3d_breaches.h"
#include "harness/verify/v3d_verifier.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/v3d/unit_v3d.h"

#include <stdlib.h>
#include <string.h>

struct v3d_dry_run {
    void *state;
    struct outcome *out;
    struct coverage consulted;
    struct v3d_insn program[V3D_CASE_PROGRAM_MAX];
    /* The readings of the built-in profiles, without profiles that equal another */
    uint8_t reading[PROFILES_MAX][CLAUSES_MAX], best[CLAUSES_MAX];
    const char *name[PROFILES_MAX];
    unsigned profiles;
    struct profile now, asked; /* `now` has no rules */
};

static void add_profile(struct v3d_dry_run *d, unsigned index)
{
    profile_builtin(&v3d_qpu_unit, index, &d->now);
    if (index == v3d_qpu_unit.best_profile)
        memcpy(d->best, d->now.reading, sizeof d->best);
    for (unsigned n = 0; n < d->profiles; n++)
        if (!memcmp(d->reading[n], d->now.reading, sizeof d->now.reading))
            return;
    memcpy(d->reading[d->profiles], d->now.reading, sizeof d->now.reading);
    d->name[d->profiles++] = v3d_qpu_unit.profiles[index].name;
}

struct v3d_dry_run *v3d_dry_run_new(void)
{
    struct v3d_dry_run *d = memory_new(1, sizeof *d);
    d->state = memory_new(1, v3d_qpu_unit.state_size);
    d->out = outcome_new(&v3d_qpu_unit);
    for (unsigned n = 0; v3d_qpu_unit.profiles[n].name; n++)
        add_profile(d, n);
    return d;
}

void v3d_dry_run_free(struct v3d_dry_run *d)
{
    if (!d)
        return;
    outcome_free(d->out);
    free(d->state);
    free(d);
}

/* Runs the case under a profile, whose name `about` begins. */
static bool run_under(struct v3d_dry_run *d, const struct test_case *c, const struct profile *p,
                      const char *about, const char *reading, struct v3d_refusal *r)
{
    struct coverage consulted = {0};
    struct run run = {.tc = c,
                      .profile = p,
                      .out = d->out,
                      .coverage = &consulted,
                      .state = d->state,
                      .mode = RUN_CHECKED,
                      .memory_base = MEMORY_BASE_DEFAULT,
                      .code_base = CODE_BASE_DEFAULT};
    const struct v3d_case *words = (const void *)c->words;
    bool shares = false;
    if (words->batches > 1 && !reading[0]) /* a wrong result, but no danger, if a board follows another one */
        shares = v3d_case_run_shared(&run);
    else
        v3d_qpu_unit.run(&run);
    coverage_merge(&d->consulted, &consulted);
    if (shares)
        return error_set(&r->why, "under %s: what it leaves depends on the order of its batches", about);
    if (d->out->end == END_DONE)
        return true;
    return error_set(&r->why, "under %s%s%s: %s (%s)", about, reading[0] ? "=" : "", reading,
                     end_name(d->out->end), v3d_qpu_unit.reasons[d->out->reason]);
}

/* Finds the restrictions, a bit each, that the program breaks. Refuses it if it breaks one where it may not.
 * A run would not show that, because the model does not know what a jump breaks. */
static bool find_broken(struct v3d_dry_run *d, const struct test_case *tc, uint32_t *broken,
                        struct v3d_refusal *r)
{
    const struct v3d_case *c = (const void *)tc->words;
    struct v3d_breaches found;
    *broken = 0;
    _Static_assert(V3D_RESTRICTIONS <= 32, "a bit for each");
    for (uint32_t n = 0; n < c->program.count; n++)
        v3d_decode((enum v3d_generation)c->generation, v3d_join(c->program.word + 2 * n), &d->program[n]);
    const struct v3d_breach *worst = v3d_find_breaches(c, d->program, c->program.count, &found);
    if (worst) {
        r->instruction = (int)worst->at;
        return v3d_breach_error(worst, &r->why);
    }
    for (unsigned n = 0; n < found.count; n++)
        *broken |= UINT32_C(1) << found.item[n].which;
    return true;
}

/* Makes unknown what these broken restrictions may change. */
static void lose(struct profile *p, uint32_t broken)
{
    for (; broken; broken &= broken - 1)
        p->reading[V3D_CLAUSES + __builtin_ctz(broken)] = V3D_BREACH_UNKNOWN;
}

/* Is the reading of a restriction that the program breaks where it may? Then `manual`, under which the model
 * stops, is not tried. */
static bool is_broken(uint32_t broken, unsigned clause)
{
    return clause >= V3D_CLAUSES && (broken >> (clause - V3D_CLAUSES) & 1);
}

/* Runs the case with each other reading of each clause that it consults. */
static bool run_readings(struct v3d_dry_run *d, const struct test_case *c, uint32_t broken,
                         struct v3d_refusal *r)
{
    for (unsigned n = 0; n < unit_clauses(&v3d_qpu_unit); n++) {
        if (!covered(&d->consulted, n))
            continue;
        const struct clause *clause = unit_clause(&v3d_qpu_unit, n);
        memcpy(d->now.reading, d->best, sizeof d->best);
        lose(&d->now, broken);
        unsigned usual = d->now.reading[n];
        for (unsigned k = is_broken(broken, n); k < clause_readings(clause); k++) {
            d->now.reading[n] = (uint8_t)k;
            if (k != usual && !run_under(d, c, &d->now, clause->id, clause->readings[k].id, r))
                return false;
        }
    }
    return true;
}

bool v3d_dry_run(struct v3d_dry_run *d, const struct test_case *c, const struct profile *profile,
                 struct v3d_refusal *r)
{
    uint32_t broken;
    *r = (struct v3d_refusal){.instruction = -1};
    if (!find_broken(d, c, &broken, r))
        return false;
    memset(&d->consulted, 0, sizeof d->consulted);
    for (unsigned n = 0; n < d->profiles; n++) {
        memcpy(d->now.reading, d->reading[n], sizeof d->reading[n]);
        lose(&d->now, broken);
        if (!run_under(d, c, &d->now, d->name[n], "", r))
            return false;
    }
    if (profile) {
        d->asked = *profile;
        lose(&d->asked, broken);
        if (!run_under(d, c, &d->asked, "the campaign's profile", "", r))
            return false;
    }
    return run_readings(d, c, broken, r);
}
