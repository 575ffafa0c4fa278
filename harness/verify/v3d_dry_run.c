/* SPDX-License-Identifier: MIT */
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
};

struct v3d_dry_run *v3d_dry_run_new(void)
{
    struct v3d_dry_run *d = memory_new(1, sizeof *d);
    d->state = memory_new(1, v3d_qpu_unit.state_size);
    d->out = outcome_new(&v3d_qpu_unit);
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
    if (words->batches > 1)
        shares = v3d_case_run_shared(&run);
    else
        v3d_qpu_unit.run(&run);
    coverage_merge(&d->consulted, &consulted);
    if (shares && !reading[0]) /* a wrong result, but no danger, if a board follows another reading */
        return error_set(&r->why, "under %s: what it leaves depends on the order of its batches", about);
    if (d->out->end == END_DONE)
        return true;
    return error_set(&r->why, "under %s%s%s: %s (%s)", about, reading[0] ? "=" : "", reading,
                     end_name(d->out->end), v3d_qpu_unit.reasons[d->out->reason]);
}

bool v3d_dry_run(struct v3d_dry_run *d, const struct test_case *c, const struct profile *profile,
                 struct v3d_refusal *r)
{
    struct profile p;
    *r = (struct v3d_refusal){.instruction = -1};
    memset(&d->consulted, 0, sizeof d->consulted);
    for (unsigned n = 0; v3d_qpu_unit.profiles[n].name; n++) {
        profile_builtin(&v3d_qpu_unit, n, &p);
        if (!run_under(d, c, &p, v3d_qpu_unit.profiles[n].name, "", r))
            return false;
    }
    if (profile && !run_under(d, c, profile, "the campaign's profile", "", r))
        return false;
    for (unsigned n = 0; n < unit_clauses(&v3d_qpu_unit); n++) {
        const struct clause *clause = unit_clause(&v3d_qpu_unit, n);
        profile_builtin(&v3d_qpu_unit, v3d_qpu_unit.best_profile, &p);
        unsigned usual = p.reading[n];
        for (unsigned k = 0; covered(&d->consulted, n) && k < clause_readings(clause); k++) {
            p.reading[n] = (uint8_t)k;
            if (k != usual && !run_under(d, c, &p, clause->id, clause->readings[k].id, r))
                return false;
        }
    }
    return true;
}
