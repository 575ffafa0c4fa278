/* SPDX-License-Identifier: MIT */
#include "tests/harness/attack/qpu/qpu_hunt.h"

#include "model/core/units.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "model/vc4/vpm/vpm_clauses.h"

#include <stdio.h>
#include <string.h>

void qpu_hunt_begin(struct qpu_hunt *h)
{
    memset(h, 0, sizeof *h);
    h->probe = qpu_probe_new();
    h->wrapped = qpu_wrapped_new();
    h->clauses = unit_clauses(&vc4_qpu_unit);
    for (unsigned i = 0; i < QPU_HUNT_BUILTIN; i++)
        profile_builtin(&vc4_qpu_unit, i, &h->builtin[i]);
    for (unsigned i = 0; i < h->clauses; i++)
        h->readings[i] = (uint8_t)clause_readings(unit_clause(&vc4_qpu_unit, i));
}

void qpu_hunt_end(struct qpu_hunt *h)
{
    qpu_probe_free(h->probe);
    qpu_wrapped_free(h->wrapped);
}

void qpu_hunt_take(struct qpu_hunt *h, const struct test_case *tc, const struct verifier_proof *proof)
{
    const struct qpu_case *c = (const void *)tc->words;
    h->is_wrapped = false;
    h->code = c->program.word;
    h->count = c->program.count;
    qpu_probe_take(h->probe, tc, proof);
}

void qpu_hunt_take_wrapped(struct qpu_hunt *h, const struct wrapper_image *image,
                           const struct wrapper_program *program)
{
    h->is_wrapped = true;
    h->code = image->code;
    h->count = image->code_count;
    qpu_wrapped_take(h->wrapped, image, program);
}

/* ---- one run ---- */

/* Names what an instruction accesses. */
static const char *access_name(const struct qpu_hunt *h, uint32_t at)
{
    const uint32_t *word = h->code + 2 * at;
    struct qpu_insn i;
    if (at >= h->count || !qpu_decode(word[0] | (uint64_t)word[1] << 32, &i))
        return "the end";
    bool add = i.waddr_add >= QPU_W_UNIFORMS_ADDRESS;
    uint8_t waddr = add ? i.waddr_add : i.waddr_mul;
    if (waddr >= QPU_W_UNIFORMS_ADDRESS)
        return qpu_write_name(add ? i.ws : !i.ws, waddr);
    if (i.class <= QPU_ALU_SMALL && i.raddr_a >= QPU_FILE_ROWS && i.raddr_a != QPU_R_NOTHING)
        return qpu_read_name(0, i.raddr_a);
    if (i.class == QPU_ALU && i.raddr_b >= QPU_FILE_ROWS && i.raddr_b != QPU_R_NOTHING)
        return qpu_read_name(1, i.raddr_b);
    return qpu_signal_names[i.sig];
}

static const char *name_breach(const struct vc4_breach *b)
{
    bool inside = b->at - MEMORY_BASE_DEFAULT < 4 * VC4_LANES * VC4_MEMORY_ROWS;
    switch (b->kind) {
    case VC4_BREACH_LOAD:
        return inside ? "loads memory that the proof does not name" : "loads from outside its memory";
    case VC4_BREACH_STORE:
        return inside ? "stores to memory that the proof does not name" : "stores outside its memory";
    case VC4_BREACH_UNIFORM:
        return inside ? "takes a uniform from memory that the proof does not name"
                      : "takes a uniform that is not its own";
    case VC4_BREACH_VPM:
        return "reaches a VPM row that a user program does not have";
    case VC4_NO_BREACH:
        break;
    }
    return NULL;
}

/* Returns why the run does harm, or NULL. */
static const char *run(struct qpu_hunt *h, struct qpu_harm *harm, struct coverage *coverage)
{
    struct qpu_probe_end end = h->is_wrapped
                                   ? qpu_wrapped_run(h->wrapped, &harm->profile, harm->filler, coverage)
                                   : qpu_probe_run(h->probe, &harm->profile, harm->filler, coverage);
    const char *breach = name_breach(&end.breach);
    h->runs++;
    harm->at = end.at;
    if (breach || end.shared)
        return breach ? breach : "changes what all QPUs share";
    if (vc4_unspecified[end.stop]) {
        h->unspecified++;
        return NULL;
    }
    return end.stop ? vc4_reasons[end.stop] : NULL;
}

/* ---- description of harm ---- */

/* Resets each reading to that of the built-in profile, if the run then still does harm. */
static void simplify(struct qpu_hunt *h, struct qpu_harm *harm)
{
    struct coverage coverage;
    for (unsigned i = 0; i < h->clauses; i++) {
        uint8_t was = harm->profile.reading[i];
        if (was == h->builtin[harm->base].reading[i])
            continue;
        harm->profile.reading[i] = h->builtin[harm->base].reading[i];
        if (!run(h, harm, &coverage))
            harm->profile.reading[i] = was;
    }
}

static void describe(struct qpu_hunt *h, struct qpu_harm *harm)
{
    struct coverage coverage;
    const char *reason, *before = ", under ";
    simplify(h, harm);
    reason = run(h, harm, &coverage);
    size_t room = sizeof harm->cause, used = 0;
    used += (size_t)snprintf(harm->cause, room, "%s (%s)", reason ? reason : "-", access_name(h, harm->at));
    for (unsigned i = 0; i < h->clauses && used < room; i++)
        if (harm->profile.reading[i] != h->builtin[harm->base].reading[i]) {
            const struct clause *c = unit_clause(&vc4_qpu_unit, i);
            const char *id = c->readings[harm->profile.reading[i]].id;
            used += (size_t)snprintf(harm->cause + used, room - used, "%s%s=%s", before, c->id, id);
            before = ",";
        }
}

/* Runs the case. If it does harm, completes `harm` and returns true. */
static bool harms(struct qpu_hunt *h, struct coverage *coverage, struct qpu_harm *harm)
{
    if (!run(h, harm, coverage))
        return false;
    describe(h, harm);
    return true;
}

/* ---- all profiles ---- */

/* Tries both built-in profiles. Undefined bits are all ones, or form an address outside the memory. */
static bool harms_as_built_in(struct qpu_hunt *h, struct coverage *coverage, struct qpu_harm *harm)
{
    static const uint32_t fillers[] = {UINT32_MAX, QPU_PROBE_FILLER};
    for (harm->base = 0; harm->base < QPU_HUNT_BUILTIN; harm->base++)
        for (unsigned f = 0; f < 2; f++) {
            harm->filler = fillers[f];
            harm->profile = h->builtin[harm->base];
            if (harms(h, coverage, harm))
                return true;
        }
    return false;
}

/*
 * Must the hunt leave this clause as it is? The code around a case loads registers by DMA. If loads had the
 * polarity of stores, elements would get each other's words, and a look-up might access any address. On a
 * Raspberry Pi loads do not have this polarity (py-videocore tests/test_dma).
 */
static bool is_skipped(const struct qpu_hunt *h, unsigned clause)
{
    return h->is_wrapped && clause == VPM_CLAUSE_VDW_HORIZ_VS_VDR_VERT;
}

bool qpu_hunt_singly(struct qpu_hunt *h, unsigned base, struct random *r, struct coverage *coverage,
                     struct qpu_harm *harm)
{
    memset(coverage, 0, sizeof *coverage);
    if (harms_as_built_in(h, coverage, harm))
        return true;
    harm->base = base < QPU_HUNT_BUILTIN ? base : random_below(r, QPU_HUNT_BUILTIN);
    harm->profile = h->builtin[harm->base];
    for (unsigned i = 0; i < h->clauses; i++) {
        uint8_t usual = h->builtin[harm->base].reading[i];
        if (!covered(coverage, i) || is_skipped(h, i))
            continue;
        for (uint8_t reading = 0; reading < h->readings[i]; reading++) {
            harm->profile.reading[i] = reading;
            if (reading != usual && harms(h, coverage, harm))
                return true;
        }
        harm->profile.reading[i] = usual;
    }
    return false;
}

bool qpu_hunt_mixtures(struct qpu_hunt *h, unsigned mixtures, struct random *r, struct coverage *coverage,
                       struct qpu_harm *harm)
{
    harm->filler = QPU_PROBE_FILLER;
    while (mixtures--) {
        harm->base = random_below(r, QPU_HUNT_BUILTIN);
        harm->profile = h->builtin[harm->base];
        for (unsigned i = 0; i < h->clauses; i++)
            if (covered(coverage, i) && random_one_in(r, 2))
                harm->profile.reading[i] = (uint8_t)random_below(r, h->readings[i]);
        if (harms(h, coverage, harm))
            return true;
    }
    return false;
}

bool qpu_hunt_again(struct qpu_hunt *h, const struct qpu_harm *harm)
{
    struct coverage coverage;
    struct qpu_harm again = *harm;
    if (!run(h, &again, &coverage))
        return false;
    describe(h, &again);
    return !strcmp(again.cause, harm->cause);
}
