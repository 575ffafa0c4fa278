/* SPDX-License-Identifier: MIT */
#include "tests/attack/qpu_hunt.h"

#include "model/units.h"
#include "model/vc4/qpu_insn.h"
#include "model/vc4/unit_qpu.h"

#include <stdio.h>
#include <string.h>

void qpu_hunt_begin(struct qpu_hunt *h)
{
    memset(h, 0, sizeof *h);
    h->probe = qpu_probe_new();
    h->outcome = outcome_new(&vc4_qpu_unit);
    h->clauses = unit_clauses(&vc4_qpu_unit);
    for (unsigned i = 0; i < QPU_HUNT_BUILTIN; i++)
        profile_builtin(&vc4_qpu_unit, i, &h->builtin[i]);
    for (unsigned i = 0; i < h->clauses; i++)
        h->readings[i] = (uint8_t)clause_readings(unit_clause(&vc4_qpu_unit, i));
}

void qpu_hunt_end(struct qpu_hunt *h)
{
    qpu_probe_free(h->probe);
    outcome_free(h->outcome);
}

/* ---- one run ---- */

/* What the instruction was about, in a word or two. */
static const char *what_it_does(const struct test_case *tc, uint32_t at)
{
    const struct qpu_case *c = (const void *)tc->words;
    struct qpu_insn i;
    if (at >= c->program.count || !qpu_decode(c->program.word[2 * at] | (uint64_t)c->program.word[2 * at + 1] << 32, &i))
        return "no instruction";
    uint8_t waddr = i.waddr_add >= QPU_W_UNIFORMS_ADDRESS ? i.waddr_add : i.waddr_mul;
    bool file_b = waddr == i.waddr_add ? i.ws : !i.ws;
    if (waddr >= QPU_W_UNIFORMS_ADDRESS)
        return qpu_write_name(file_b, waddr);
    if (i.class <= QPU_ALU_SMALL && i.raddr_a >= QPU_FILE_ROWS && i.raddr_a != QPU_R_NOTHING)
        return qpu_read_name(0, i.raddr_a);
    if (i.class == QPU_ALU && i.raddr_b >= QPU_FILE_ROWS && i.raddr_b != QPU_R_NOTHING)
        return qpu_read_name(1, i.raddr_b);
    return qpu_signal_names[i.sig];
}

/* Rows that it changed and should not have; -1: none. */
static int strayed(const struct outcome *o, const struct verifier_proof *p, const char **where)
{
    for (uint32_t word = 0; word < VERIFIER_WINDOW_ROWS / 64; word++) {
        uint32_t first = QPU_ROW_MEMORY + 64 * word;
        uint64_t touched = o->touched[first / 64] >> first % 64;
        if (first % 64)
            touched |= o->touched[first / 64 + 1] << (64 - first % 64);
        touched &= ~p->written.bits[word];
        *where = "writes memory that the proof does not name";
        if (touched)
            return (int)(64 * word) + __builtin_ctzll(touched);
    }
    for (uint32_t row = VC4_VPM_ROWS_OF_QPU; row < VC4_VPM_ROWS; row++) {
        *where = "writes a VPM row that a user program does not have";
        if (outcome_touched(o, QPU_ROW_VPM + row))
            return (int)row;
    }
    return -1;
}

/* NULL: the run was harmless. */
static const char *run(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *p,
                       const struct profile *profile, struct coverage *coverage, uint32_t *at)
{
    struct qpu_probe_end end = qpu_probe_run(h->probe, tc, profile, coverage, h->outcome);
    const char *where;
    h->runs++;
    *at = end.at;
    if (strayed(h->outcome, p, &where) >= 0)
        return where;
    if (end.uniforms_behind)
        return "reads a uniform behind the last";
    if (vc4_unspecified[end.stop]) {
        h->unspecified++;
        return NULL;
    }
    return end.stop ? vc4_reasons[end.stop] : NULL;
}

/* ---- what it was ---- */

/* Takes back what differs from the built-in profile, as far as the run stays as bad. */
static void simplify(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *p, struct qpu_harm *harm)
{
    struct coverage coverage;
    uint32_t at;
    for (unsigned i = 0; i < h->clauses; i++) {
        uint8_t was = harm->profile.reading[i];
        if (was == h->builtin[harm->base].reading[i])
            continue;
        harm->profile.reading[i] = h->builtin[harm->base].reading[i];
        if (!run(h, tc, p, &harm->profile, &coverage, &at))
            harm->profile.reading[i] = was;
    }
}

static void describe(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *p, struct qpu_harm *harm)
{
    struct coverage coverage;
    simplify(h, tc, p, harm);
    const char *reason = run(h, tc, p, &harm->profile, &coverage, &harm->at);
    size_t used = (size_t)snprintf(harm->cause, sizeof harm->cause, "%s (%s)", reason ? reason : "nothing any more",
                                   what_it_does(tc, harm->at));
    const char *before = ", under ";
    for (unsigned i = 0; i < h->clauses && used < sizeof harm->cause; i++)
        if (harm->profile.reading[i] != h->builtin[harm->base].reading[i]) {
            const struct clause *c = unit_clause(&vc4_qpu_unit, i);
            used += (size_t)snprintf(harm->cause + used, sizeof harm->cause - used, "%s%s=%s", before, c->id,
                                     c->readings[harm->profile.reading[i]].id);
            before = ",";
        }
}

/* Runs it; true: it does harm, and `harm` says all of it. */
static bool harms(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *p, struct coverage *coverage,
                  struct qpu_harm *harm)
{
    if (!run(h, tc, p, &harm->profile, coverage, &harm->at))
        return false;
    describe(h, tc, p, harm);
    return true;
}

static void mix(struct qpu_hunt *h, const struct coverage *coverage, struct random *r, struct qpu_harm *harm)
{
    harm->base = random_below(r, QPU_HUNT_BUILTIN);
    harm->profile = h->builtin[harm->base];
    for (unsigned i = 0; i < h->clauses; i++)
        if (covered(coverage, i) && random_one_in(r, 2))
            harm->profile.reading[i] = (uint8_t)random_below(r, h->readings[i]);
}

bool qpu_hunt_case(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *p, struct random *r,
                   struct qpu_harm *harm)
{
    struct coverage coverage = {{0}};
    for (harm->base = 0; harm->base < QPU_HUNT_BUILTIN; harm->base++) {
        harm->profile = h->builtin[harm->base];
        if (harms(h, tc, p, &coverage, harm))
            return true;
    }
    harm->base = random_below(r, QPU_HUNT_BUILTIN);
    harm->profile = h->builtin[harm->base];
    for (unsigned i = 0; i < h->clauses; i++) {
        if (!covered(&coverage, i))
            continue;
        for (uint8_t reading = 0; reading < h->readings[i]; reading++) {
            harm->profile.reading[i] = reading;
            if (reading != h->builtin[harm->base].reading[i] && harms(h, tc, p, &coverage, harm))
                return true;
        }
        harm->profile.reading[i] = h->builtin[harm->base].reading[i];
    }
    for (unsigned i = 0; i < QPU_HUNT_RANDOM; i++) {
        mix(h, &coverage, r, harm);
        if (harms(h, tc, p, &coverage, harm))
            return true;
    }
    return false;
}

bool qpu_hunt_again(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *p,
                    const struct qpu_harm *harm)
{
    struct coverage coverage;
    struct qpu_harm again = *harm;
    return run(h, tc, p, &harm->profile, &coverage, &again.at) &&
           (describe(h, tc, p, &again), !strcmp(again.cause, harm->cause));
}
