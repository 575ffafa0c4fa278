/* SPDX-License-Identifier: MIT */
/*
 * Runs an accepted case in the model: under the manual's readings, under each other reading of each clause
 * that this run consults, and under random profiles. Fails if a lane leaves the guard, is misaligned, or
 * accesses memory through a V# that is not the case's own.
 */
#include "tests/harness/attack/amd/amd_attack.h"

#include "model/core/units.h"
#include "oracle/compare/executor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROFILES = 8, EDGE = 64 << 10 };

struct amd_attack_model {
    struct executor *x;
    struct outcome *o;
    unsigned clauses;
    struct profile p;
    const struct amd_case *c;
    struct amd_insn insn[AMD_INSNS_MAX];
    bool buffer[AMD_INSNS_MAX]; /* the instruction accesses memory */
};

struct amd_attack_model *amd_attack_model_new(void)
{
    struct amd_attack_model *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->x = executor_new(&amd_buffer_unit);
    m->o = outcome_new(&amd_buffer_unit);
    m->clauses = unit_clauses(&amd_buffer_unit);
    return m;
}

void amd_attack_model_free(struct amd_attack_model *m)
{
    outcome_free(m->o);
    executor_free(m->x);
    free(m);
}

/* Returns the largest distance between two bytes of an access. It is large if swizzling can split the
 * access. */
static uint64_t extent(const struct amd_attack_model *m, const struct amd_insn *i)
{
    enum { ONE = 16, PIECES = 64 * 16 };
    struct amd_descriptor d;
    if (i->op->encoding == AMD_SMEM)
        return sizeof(uint32_t);
    amd_descriptor_decode((enum amd_generation)m->c->generation, m->c->descriptor, &d);
    return d.swizzle_enable ? ONE + PIECES : ONE;
}

/* Returns the signed distance in bytes from the case's memory. Addresses have 48 bits; a larger one counts as
 * far away. */
static int64_t place_of(uint64_t address)
{
    uint64_t sign = UINT64_C(1) << 47;
    return address >> 48 ? INT64_MAX : (int64_t)((address ^ sign) - sign);
}

static const char *check_lane(const struct amd_attack_model *m, const struct amd_insn *i, uint32_t decision,
                              uint64_t address)
{
    enum amd_generation g = (enum amd_generation)m->c->generation;
    int64_t at = place_of(address), most = (int64_t)extent(m, i);
    bool scalar = i->op->encoding == AMD_SMEM;
    if (decision == AMD_VIOLATION)
        return "a lane is misaligned";
    attack_count(AMD_COUNT_HELD, decision == AMD_OUT_OF_RANGE);
    if (decision != AMD_DONE && decision != AMD_NOT_RESIDENT)
        return NULL;
    if ((scalar ? 2 : 4) * i->srsrc != AMDGPU_DESCRIPTOR_SGPR)
        return "a lane reaches memory through a V# that is not the case's own";
    if (at < -(int64_t)AMDGPU_GUARD || at > (int64_t)AMDGPU_GUARD - most)
        return "a lane leaves the guard";
    if (scalar && (g == AMD_GFX10 || g == AMD_GFX11) &&
        (at < 0 || at > AMD_MEMORY_BYTES - (int64_t)sizeof(uint32_t)))
        return "a scalar load leaves the memory, where this GPU faults";
    attack_count(AMD_COUNT_REACH, 1);
    attack_count(AMD_COUNT_GUARDS, at < 0 || at >= AMD_MEMORY_BYTES);
    attack_count(AMD_COUNT_EDGE, at < EDGE - (int64_t)AMDGPU_GUARD || at > (int64_t)AMDGPU_GUARD - EDGE);
    return NULL;
}

static bool check_row(const struct amd_attack_model *m, unsigned insn, unsigned unit, char why[ATTACK_WHY])
{
    const uint32_t *v = m->o->value + (size_t)(insn * AMD_UNITS + unit) * AMD_LANES;
    const uint32_t *decision = v + AMD_ROW_DECISION * AMD_LANES, *low = v + AMD_ROW_ADDRESS * AMD_LANES;
    const uint32_t *high = v + AMD_ROW_ADDRESS_HIGH * AMD_LANES;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        uint64_t address = (uint64_t)high[n] << 32 | low[n];
        const char *wrong = decision[n] ? check_lane(m, &m->insn[insn], decision[n] & 15, address) : NULL;
        if (!wrong)
            continue;
        (void)snprintf(why, ATTACK_WHY,
                       "model: instruction %u, dword %u, lane %u: %s (address 0x%" PRIx64 ")", insn, unit, n,
                       wrong, address);
        return false;
    }
    return true;
}

/* Appends the readings of the last run's profile that differ from the manual's, if the run consulted them. */
static void describe_profile(const struct amd_attack_model *m, char why[ATTACK_WHY])
{
    for (unsigned n = 0; n < m->clauses; n++) {
        size_t length = strlen(why);
        const struct clause *c = unit_clause(&amd_buffer_unit, n);
        if (m->p.reading[n] && covered(&m->x->last, n))
            (void)snprintf(why + length, ATTACK_WHY - length, " %s=%s", c->id,
                           c->readings[m->p.reading[n]].id);
    }
}

static bool run(struct amd_attack_model *m, const struct test_case *tc, char why[ATTACK_WHY])
{
    bool good = true;
    executor_run(m->x, tc, &m->p, RUN_PLAIN, m->o);
    attack_count(AMD_COUNT_MODEL_RUNS, 1);
    if (m->o->end == END_FAULT && (m->o->reason == AMD_STOP_ENCODING || m->o->reason == AMD_STOP_FORMAT)) {
        (void)snprintf(why, ATTACK_WHY, "model: %s", amd_buffer_unit.reasons[m->o->reason]);
        good = false;
    }
    for (unsigned n = 0; n < m->c->insn_count && good; n++)
        for (unsigned k = 0; k < AMD_UNITS && m->buffer[n] && good; k++)
            if (outcome_touched(m->o, AMD_ROW_DECISION + n * AMD_UNITS + k))
                good = check_row(m, n, k, why);
    if (!good)
        describe_profile(m, why);
    return good;
}

static bool run_single_readings(struct amd_attack_model *m, const struct test_case *tc, char why[ATTACK_WHY])
{
    memset(&m->p, 0, sizeof m->p);
    if (!run(m, tc, why))
        return false;
    const struct coverage consulted = m->x->last;
    for (unsigned n = 0; n < m->clauses; n++) {
        unsigned readings = covered(&consulted, n) ? clause_readings(unit_clause(&amd_buffer_unit, n)) : 1;
        for (unsigned k = 1; k < readings; k++) {
            m->p.reading[n] = (uint8_t)k;
            if (!run(m, tc, why))
                return false;
        }
        m->p.reading[n] = 0;
    }
    return true;
}

bool amd_attack_model_run(struct amd_attack_model *m, struct random *r, const struct test_case *tc,
                          char why[ATTACK_WHY])
{
    const struct amd_case *c = m->c = (const struct amd_case *)(const void *)tc->words;
    for (unsigned n = 0; n < c->insn_count; n++)
        m->buffer[n] = amd_decode((enum amd_generation)c->generation,
                                  (uint64_t)c->insn[n][1] << 32 | c->insn[n][0], &m->insn[n]) &&
                       m->insn[n].op->kind != AMD_CACHE;
    if (!run_single_readings(m, tc, why))
        return false;
    for (unsigned k = 0; k < PROFILES; k++) {
        for (unsigned n = 0; n < m->clauses; n++) {
            bool other = random_one_in(r, 1 + k % 3);
            m->p.reading[n] =
                other ? (uint8_t)random_below(r, clause_readings(unit_clause(&amd_buffer_unit, n))) : 0;
        }
        if (!run(m, tc, why))
            return false;
    }
    return true;
}
