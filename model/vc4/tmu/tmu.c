/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/tmu.h"

#include "model/vc4/tmu/tmu_clauses.h"

#include <string.h>

/* More look-ups outstanding than this are unreliable (clause tmu-fifo-8). */
enum { RELIABLE_LOOKUPS = 4, DIRECT_MODE = 0, TEXTURE_MODE = 1 };

static const struct vc4_vector zeros;
static const struct vc4_vector ones = {
    {~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U, ~0U}};

static unsigned reading(const struct tmu *t, enum tmu_clause clause)
{
    return reading_of(t->env->profile, t->clause_base + clause);
}

static unsigned consult(const struct tmu *t, enum tmu_clause clause, unsigned mode)
{
    cover(t->env->coverage, t->clause_base + clause, mode);
    return reading(t, clause);
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

static struct tmu_lookup *lookup_at(struct tmu *t, uint32_t i)
{
    return &t->lookup[(t->oldest + i) % TMU_RESULTS_MAX];
}

uint32_t tmu_slots_taken(const struct tmu *t)
{
    uint32_t taken = t->writes;
    for (uint32_t i = 0; i < t->lookups; i++)
        taken += t->lookup[(t->oldest + i) % TMU_RESULTS_MAX].slots;
    return taken;
}

uint32_t tmu_results_waiting(const struct tmu *t)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < t->lookups; i++) {
        const struct tmu_lookup *l = &t->lookup[(t->oldest + i) % TMU_RESULTS_MAX];
        words += (uint32_t)l->words - l->loaded;
    }
    return words;
}

/* The slots that look-ups take of TFREQ if their results need not wait there: those whose words find room in
 * TFRCV leave it. */
static uint32_t slots_behind_results(const struct tmu *t)
{
    uint32_t taken = t->writes, words = 0;
    for (uint32_t i = 0; i < t->lookups; i++) {
        const struct tmu_lookup *l = &t->lookup[(t->oldest + i) % TMU_RESULTS_MAX];
        words += (uint32_t)l->words - l->loaded;
        if (words > t->slots)
            taken += l->slots;
    }
    return taken;
}

/* Room for one more register write, and for its result if it starts a look-up. Without it the write waits for
 * a load that never comes. */
static bool has_room(struct tmu *t)
{
    if (tmu_slots_taken(t) < t->slots)
        return true;
    return consult(t, TMU_CLAUSE_FIFO_8, 1) == TMU_FIFO_BOTH && slots_behind_results(t) < t->slots;
}

static bool has_room_for_result(struct tmu *t, uint32_t words)
{
    uint32_t waiting = tmu_results_waiting(t), most = TMU_RESULTS_MAX;
    if (waiting + words <= t->slots)
        return true;
    return consult(t, TMU_CLAUSE_FIFO_8, 1) == TMU_FIFO_BOTH && waiting + words <= most;
}

/* What a look-up made while four are outstanding does to the one four before it (clause tmu-fifo-8). */
static void disturb(struct tmu *t, const struct tmu_lookup *later)
{
    if (!later->direct || t->lookups < RELIABLE_LOOKUPS)
        return;
    struct tmu_lookup *l = lookup_at(t, t->lookups - RELIABLE_LOOKUPS);
    if (!l->direct)
        return;
    unsigned rule = consult(t, TMU_CLAUSE_FIFO_8, 0);
    struct vc4_vector *value = &t->result[l->first], *defined = &t->result_defined[l->first];
    if (rule == TMU_FIFO_UNRELIABLE && t->env->checked)
        *defined = zeros;
    if (rule == TMU_FIFO_SLOT_FOUR_AHEAD)
        for (unsigned i = 0; i < 4; i++) {
            value->lane[i] = t->result[later->first].lane[i];
            if (t->env->checked)
                defined->lane[i] = t->result_defined[later->first].lane[i];
        }
    if (rule == TMU_FIFO_UNRELIABLE && t->env->checked)
        for (unsigned i = 0; i < VC4_LANES; i++)
            value->lane[i] = t->env->filler;
}

static void push(struct tmu *t, struct tmu_lookup l, const struct vc4_vector value[2],
                 const struct vc4_vector defined[2])
{
    l.first = (uint8_t)(t->results % TMU_RESULTS_MAX);
    for (uint32_t w = 0; w < l.words; w++) {
        uint32_t at = t->results++ % TMU_RESULTS_MAX;
        t->result[at] = value[w];
        if (t->env->checked)
            t->result_defined[at] = defined[w];
    }
    disturb(t, &l);
    *lookup_at(t, t->lookups) = l;
    t->lookups++;
}

enum vc4_stop tmu_load(struct tmu *t, struct vc4_vector *value, struct vc4_vector *defined)
{
    if (t->lookups == 0)
        return VC4_HANG_TMU_LOAD;
    struct tmu_lookup *l = lookup_at(t, 0);
    uint32_t at = ((uint32_t)l->first + l->loaded) % TMU_RESULTS_MAX;
    *value = t->result[at];
    if (t->env->checked)
        *defined = t->result_defined[at];
    if (++l->loaded == l->words) {
        t->oldest = (t->oldest + 1) % TMU_RESULTS_MAX;
        t->lookups--;
    }
    return VC4_GO;
}

/* ---- Look-ups ---- */

/* The word of memory at an address; `words` or more: there is none, or it is not the run's. */
static uint32_t find_word(const struct tmu *t, uint32_t words, uint32_t address)
{
    uint32_t offset;
    if (!t->env->limits)
        return (address - t->env->memory_base) / 4;
    return vc4_reach(t->env, address & ~3U, 4, VC4_LOADS, &offset) ? offset / 4 : words;
}

/* Which word of the memory is at each element's address. The first element that has none says why. */
static enum vc4_stop find_words(const struct tmu *t, uint32_t words, struct vc4_vector *at)
{
    uint32_t beyond = 0, undefined = 0;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        at->lane[i] = find_word(t, words, t->value[TMU_S].lane[i]);
        beyond |= (uint32_t)(at->lane[i] >= words);
    }
    for (unsigned i = 0; t->env->checked && i < VC4_LANES; i++)
        undefined |= ~(t->defined[TMU_S].lane[i] | 3U);
    if (!beyond && !undefined)
        return VC4_GO;
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (t->env->checked && (t->defined[TMU_S].lane[i] | 3U) != UINT32_MAX)
            return VC4_FAULT_UNDEFINED;
        else if (at->lane[i] >= words)
            return VC4_FAULT_MEMORY;
    return VC4_GO;
}

/* The word at each element's address, whose bits 1:0 are ignored (p41). */
static enum vc4_stop look_up_direct(struct tmu *t, struct tmu_lookup l)
{
    const struct vc4_rows *m = &t->env->memory;
    struct vc4_vector value[2], defined[2];
    if (consult(t, TMU_CLAUSE_TWO_PARAMS, 0) == TMU_TWO_PARAMS_ALWAYS)
        return VC4_FAULT_RESERVED;
    l.words = 1;
    l.direct = true;
    if (!has_room_for_result(t, l.words))
        return VC4_HANG_TMU_FULL;
    struct vc4_vector at;
    enum vc4_stop stop = find_words(t, m->rows * VC4_LANES, &at);
    if (stop)
        return stop;
    for (unsigned i = 0; i < VC4_LANES; i++)
        value[0].lane[i] = m->value[at.lane[i] / VC4_LANES].lane[at.lane[i] % VC4_LANES];
    for (unsigned i = 0; t->env->checked && i < VC4_LANES; i++)
        defined[0].lane[i] = m->defined[at.lane[i] / VC4_LANES].lane[at.lane[i] % VC4_LANES];
    push(t, l, value, defined);
    return VC4_GO;
}

static bool same_texture(const struct tmu *t)
{
    if (!t->texture_set || t->texture.words != t->parameters)
        return false;
    for (uint32_t i = 0; i < t->parameters; i++)
        if (t->texture.word[i] != t->parameter[i])
            return false;
    return true;
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
    const struct vc4_vector *value[TMU_REGISTERS], *defined[TMU_REGISTERS];
    for (unsigned r = 0; r < TMU_REGISTERS; r++) { /* registers that were not written count as 0 (p40) */
        bool given = t->written >> r & 1;
        value[r] = given ? &t->value[r] : &zeros;
        defined[r] = given ? &t->defined[r] : &ones;
    }
    struct tmu_request q = {value[TMU_S],   value[TMU_T],   value[TMU_R],   value[TMU_B],
                            defined[TMU_S], defined[TMU_T], defined[TMU_R], defined[TMU_B]};
    struct vc4_vector out[2], out_defined[2];
    enum vc4_stop stop = tmu_sample(&t->texture, t->env, t->clause_base, &q, out, out_defined);
    if (!stop)
        push(t, l, out, out_defined);
    return stop;
}

/* ---- Writes ---- */

static bool starts_direct(const struct tmu *t, enum tmu_register reg)
{
    return reg == TMU_S && t->written == 0;
}

bool tmu_takes_uniform(struct tmu *t, enum tmu_register reg)
{
    if (starts_direct(t, reg))
        return consult(t, TMU_CLAUSE_UNIFORM_DIRECT, 0) == TMU_UNIFORM_EVERY_WRITE;
    if (t->writes < 2)
        return true;
    return consult(t, TMU_CLAUSE_PARAM_ORDER, t->writes == 2 ? 0 : 1) == TMU_PARAM_EVERY_WRITE;
}

/* The parameter of a write that takes one. */
static enum vc4_stop take(struct tmu *t, uint32_t uniform, uint32_t defined)
{
    if (t->env->checked && defined != UINT32_MAX)
        return VC4_FAULT_UNDEFINED;
    if (t->parameters == TMU_PARAMETERS_MAX)
        return VC4_FAULT_RESERVED; /* a fifth parameter, of a register written twice */
    t->parameter[t->parameters++] = uniform;
    return VC4_GO;
}

static bool took_uniform(const struct tmu *t)
{
    return t->writes < 2 || reading(t, TMU_CLAUSE_PARAM_ORDER) == TMU_PARAM_EVERY_WRITE;
}

enum vc4_stop tmu_write(struct tmu *t, enum tmu_register reg, const struct vc4_vector *value,
                        const struct vc4_vector *defined, uint32_t uniform, uint32_t uniform_defined)
{
    bool direct = starts_direct(t, reg);
    if (!has_room(t))
        return VC4_HANG_TMU_FULL;
    enum vc4_stop stop = direct || !took_uniform(t) ? VC4_GO : take(t, uniform, uniform_defined);
    if (stop)
        return stop;
    t->value[reg] = *value;
    if (t->env->checked)
        t->defined[reg] = *defined;
    t->written |= 1U << reg;
    t->writes++;
    if (reg != TMU_S)
        return VC4_GO;
    struct tmu_lookup l = {.slots = (uint8_t)t->writes};
    t->writes = 0; /* its slots count as the look-up's from here */
    stop = direct ? look_up_direct(t, l) : look_up_texture(t, l);
    t->written = t->parameters = 0;
    return stop;
}
