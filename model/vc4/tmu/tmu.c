/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/tmu.h"

#include "model/vc4/tmu/tmu_clauses.h"

#include <string.h>

/* with more than this outstanding, results are unreliable (clause tmu-fifo-8) */
enum { RELIABLE_LOOKUPS = 4 };

static unsigned tmu_consult(const struct tmu *t, enum tmu_clause clause, unsigned mode)
{
    return consult(t->env->profile, t->env->coverage, t->clause_base + clause, mode);
}

void tmu_reset(struct tmu *t, const struct vc4_env *env, unsigned clause_base)
{
    t->env = env;
    t->clause_base = clause_base;
    t->slots = TMU_FIFO_SLOTS;
    t->written = t->writes = t->parameters = 0;
    t->oldest = t->lookups = t->results = 0;
    t->texture_set = false;
}

/* ---- FIFOs ---- */

static uint32_t index_of(const struct tmu *t, uint32_t i)
{
    return (t->oldest + i) % TMU_RESULTS_MAX;
}

uint32_t tmu_slots_taken(const struct tmu *t)
{
    uint32_t taken = t->writes;
    for (uint32_t i = 0; i < t->lookups; i++)
        taken += t->lookup[index_of(t, i)].slots;
    return taken;
}

uint32_t tmu_results_waiting(const struct tmu *t)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < t->lookups; i++) {
        const struct tmu_lookup *l = &t->lookup[index_of(t, i)];
        words += (uint32_t)l->words - l->loaded;
    }
    return words;
}

/* The number of slots in use in TFREQ, if a look-up leaves TFREQ as soon as TFRCV has room for its result
 * words. */
static uint32_t slots_behind_results(const struct tmu *t)
{
    uint32_t taken = t->writes, words = 0;
    for (uint32_t i = 0; i < t->lookups; i++) {
        const struct tmu_lookup *l = &t->lookup[index_of(t, i)];
        words += (uint32_t)l->words - l->loaded;
        if (words > t->slots)
            taken += l->slots;
    }
    return taken;
}

/* Is there room for one more register write? If not, the write waits for ever, because a load cannot come
 * before the write is done. */
static bool has_room(struct tmu *t)
{
    if (tmu_slots_taken(t) < t->slots)
        return true;
    return tmu_consult(t, TMU_CLAUSE_FIFO_8, 1) == TMU_FIFO_BOTH && slots_behind_results(t) < t->slots;
}

static bool has_room_for_result(struct tmu *t, uint32_t words)
{
    uint32_t waiting = tmu_results_waiting(t) + words;
    if (waiting <= t->slots)
        return true;
    return tmu_consult(t, TMU_CLAUSE_FIFO_8, 1) == TMU_FIFO_BOTH && waiting <= TMU_RESULTS_MAX;
}

/* Makes the result of the look-up four before this one unreliable, as clause tmu-fifo-8 says. */
static void disturb(struct tmu *t, const struct tmu_lookup *later)
{
    if (!later->direct || t->lookups < RELIABLE_LOOKUPS)
        return;
    struct tmu_lookup *l = &t->lookup[index_of(t, t->lookups - RELIABLE_LOOKUPS)];
    if (!l->direct)
        return;
    unsigned rule = tmu_consult(t, TMU_CLAUSE_FIFO_8, 0);
    struct vc4_vector *value = &t->result[l->first], *defined = &t->result_defined[l->first];
    if (rule == TMU_FIFO_SLOT_FOUR_AHEAD)
        for (unsigned i = 0; i < 4; i++) {
            value->lane[i] = t->result[later->first].lane[i];
            if (t->env->checked)
                defined->lane[i] = t->result_defined[later->first].lane[i];
        }
    if (rule == TMU_FIFO_UNRELIABLE && t->env->checked) {
        for (unsigned i = 0; i < VC4_LANES; i++) {
            value->lane[i] = t->env->filler;
            defined->lane[i] = 0;
        }
    }
}

static void push(struct tmu *t, struct tmu_lookup l, const struct tmu_words *words)
{
    l.first = (uint8_t)(t->results % TMU_RESULTS_MAX);
    for (uint32_t w = 0; w < l.words; w++) {
        uint32_t at = t->results++ % TMU_RESULTS_MAX;
        t->result[at] = words->value[w];
        if (!t->env->checked)
            continue;
        t->result_defined[at] = words->defined[w];
        memset(&t->result_tolerance[at], 0, sizeof t->result_tolerance[at]);
        if (w == 0 && words->tolerance)
            t->result_tolerance[at] = *words->tolerance;
    }
    disturb(t, &l);
    t->lookup[index_of(t, t->lookups)] = l;
    t->lookups++;
}

enum vc4_stop tmu_load(struct tmu *t, struct vc4_vector *value, struct vc4_vector *defined)
{
    if (t->lookups == 0)
        return VC4_HANG_TMU_LOAD;
    struct tmu_lookup *l = &t->lookup[t->oldest];
    uint32_t at = ((uint32_t)l->first + l->loaded) % TMU_RESULTS_MAX;
    *value = t->result[at];
    t->loaded = at;
    if (t->env->checked)
        *defined = t->result_defined[at];
    if (++l->loaded == l->words) {
        t->oldest = (t->oldest + 1) % TMU_RESULTS_MAX;
        t->lookups--;
    }
    return VC4_GO;
}

const struct vc4_vector *tmu_loaded_tolerance(const struct tmu *t)
{
    return &t->result_tolerance[t->loaded];
}

/* ---- Look-ups ---- */

/* The index in memory of the word at an address. At least `words` if the run may not read it. */
static uint32_t find_word(const struct tmu *t, uint32_t words, uint32_t address)
{
    uint32_t offset;
    if (!t->env->limits)
        return (address - t->env->memory_base) / 4;
    return vc4_reach(t->env, address & ~3U, 4, VC4_LOADS, &offset) ? offset / 4 : words;
}

/* Looks up the word at each element's address. Bits 1:0 of an address are ignored (p41). */
static enum vc4_stop look_up_direct(struct tmu *t, struct tmu_lookup l)
{
    const struct vc4_rows *m = &t->env->memory;
    struct vc4_vector value, defined;
    if (tmu_consult(t, TMU_CLAUSE_TWO_PARAMS, 0) == TMU_TWO_PARAMS_ALWAYS)
        return VC4_FAULT_RESERVED;
    l.words = 1;
    l.direct = true;
    if (!has_room_for_result(t, l.words))
        return VC4_HANG_TMU_FULL;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t at = find_word(t, m->rows * VC4_LANES, t->request.value[TMU_S].lane[i]);
        if (t->env->checked && (t->request.defined[TMU_S].lane[i] | 3U) != UINT32_MAX)
            return VC4_FAULT_UNDEFINED;
        if (at >= m->rows * VC4_LANES)
            return VC4_FAULT_MEMORY;
        value.lane[i] = m->value[at / VC4_LANES].lane[at % VC4_LANES];
        if (t->env->checked)
            defined.lane[i] = m->defined[at / VC4_LANES].lane[at % VC4_LANES];
    }
    push(t, l, &(struct tmu_words){.value = &value, .defined = &defined});
    return VC4_GO;
}

static bool same_texture(const struct tmu *t)
{
    return t->texture_set && t->texture.words == t->parameters &&
           !memcmp(t->texture.word, t->parameter, t->parameters * sizeof *t->parameter);
}

static enum vc4_stop look_up_texture(struct tmu *t, struct tmu_lookup l)
{
    if (!same_texture(t))
        tmu_texture_set(&t->texture, t->env, t->clause_base, t->parameter, t->parameters);
    t->texture_set = true;
    if (t->texture.stop)
        return t->texture.stop;
    l.words = (uint8_t)texture_result_words(t->texture.type);
    if (!has_room_for_result(t, l.words))
        return VC4_HANG_TMU_FULL;
    for (unsigned r = 0; r < TMU_REGISTERS; r++)
        if (!(t->written >> r & 1)) { /* an unwritten register is 0 (p40) */
            memset(&t->request.value[r], 0, sizeof t->request.value[r]);
            memset(&t->request.defined[r], 0xFF, sizeof t->request.defined[r]);
        }
    struct vc4_vector value[2], defined[2], tolerance;
    const struct tmu_words out = {value, defined, &tolerance};
    enum vc4_stop stop = tmu_sample(&t->texture, t->env, t->clause_base, &t->request, &out);
    if (!stop)
        push(t, l, &out);
    return stop;
}

/* ---- Writes ---- */

static bool starts_direct(const struct tmu *t, enum tmu_register reg)
{
    return reg == TMU_S && t->written == 0;
}

static bool brings_parameter(const struct tmu *t)
{
    return t->writes < 2 ||
           tmu_consult(t, TMU_CLAUSE_PARAM_ORDER, t->writes == 2 ? 0 : 1) == TMU_PARAM_EVERY_WRITE;
}

bool tmu_takes_uniform(struct tmu *t, enum tmu_register reg)
{
    return starts_direct(t, reg) ? tmu_consult(t, TMU_CLAUSE_UNIFORM_DIRECT, 0) == TMU_UNIFORM_EVERY_WRITE
                                 : brings_parameter(t);
}

static enum vc4_stop add_parameter(struct tmu *t, uint32_t uniform, uint32_t defined)
{
    if (t->env->checked && defined != UINT32_MAX)
        return VC4_FAULT_UNDEFINED;
    if (t->parameters == TMU_PARAMETERS_MAX)
        return VC4_FAULT_RESERVED; /* a fifth parameter: some register was written twice */
    t->parameter[t->parameters++] = uniform;
    return VC4_GO;
}

enum vc4_stop tmu_write(struct tmu *t, enum tmu_register reg, const struct vc4_vector *value,
                        const struct vc4_vector *defined, uint32_t uniform, uint32_t uniform_defined)
{
    bool direct = starts_direct(t, reg);
    if (!has_room(t))
        return VC4_HANG_TMU_FULL;
    enum vc4_stop stop = direct || !brings_parameter(t) ? VC4_GO : add_parameter(t, uniform, uniform_defined);
    if (stop)
        return stop;
    t->request.value[reg] = *value;
    if (t->env->checked)
        t->request.defined[reg] = *defined;
    t->written |= 1U << reg;
    t->writes++;
    if (reg != TMU_S)
        return VC4_GO;
    struct tmu_lookup l = {.slots = (uint8_t)t->writes};
    t->writes = 0; /* the slots now belong to the look-up */
    stop = direct ? look_up_direct(t, l) : look_up_texture(t, l);
    t->written = t->parameters = 0;
    return stop;
}
