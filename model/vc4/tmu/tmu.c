/* SPDX-License-Identifier: MIT */
#include "model/vc4/tmu/tmu.h"

#include "model/vc4/tmu/tmu_clauses.h"
#include "model/vc4/tmu/tmu_points.h"

#include <string.h>

/* With more outstanding look-ups than this, a result may be unreliable (clause tmu-fifo-8). */
enum { RELIABLE_LOOKUPS = 4 };

static unsigned tmu_consult(const struct tmu *t, enum tmu_clause clause, unsigned mode)
{
    return consult(t->env->profile, t->env->coverage, t->clause_base + clause, mode);
}

/* Clears what no look-up has written, if rules can move a load there. */
static void clear_places(struct tmu *t)
{
    static const uint16_t points[] = {TMU_POINT_FIFO_LOOKUPS, TMU_POINT_FIFO_OLDEST, TMU_POINT_RESULT_ENTRY,
                                      TMU_POINT_LOAD_ENTRY,   TMU_POINT_LOAD_LAST,   TMU_POINT_LOAD_WAITS};
    if (!observer_wants_any(t->env->tmu_observer, points, sizeof points / sizeof *points))
        return;
    memset(t->lookup, 0, sizeof t->lookup);
    memset(t->result, 0, sizeof t->result);
    memset(t->result_defined, 0xFF, sizeof t->result_defined);
    memset(t->result_tolerance, 0, sizeof t->result_tolerance);
}

void tmu_reset(struct tmu *t, const struct vc4_env *env, unsigned clause_base)
{
    t->env = env;
    t->clause_base = clause_base;
    t->slots = TMU_FIFO_SLOTS;
    t->written = t->writes = t->parameters = 0;
    t->oldest = t->lookups = t->results = 0;
    t->texture_set = t->takes = false;
    if (env->tmu_observer) { /* rules can take registers for written, and have parameters, before any write */
        memset(t->parameter, 0, sizeof t->parameter);
        memset(t->request.value, 0, sizeof t->request.value);
        memset(t->request.defined, 0xFF, sizeof t->request.defined);
        clear_places(t);
    }
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

uint32_t tmu_slots_held(const struct tmu *t)
{
    return OBSERVE(t->env->tmu_observer, TMU_POINT_REQUEST_HELD, tmu_slots_taken(t), t->writes, t->lookups);
}

uint32_t tmu_results_held(const struct tmu *t)
{
    return OBSERVE(t->env->tmu_observer, TMU_POINT_RESULT_HELD, tmu_results_waiting(t), t->lookups,
                   t->lookups ? t->lookup[t->oldest].loaded : 0);
}

/* The number of slots in use in TFREQ under reading `both-fifos` of clause tmu-fifo-8: a look-up leaves TFREQ
 * as soon as TFRCV has room for its result words. */
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
static bool has_room(struct tmu *t, enum tmu_register reg)
{
    uint32_t taken = tmu_slots_held(t);
    const struct observer *o = t->env->tmu_observer;
    if (o)
        taken = observe(o, TMU_POINT_REQUEST_TAKEN, taken,
                        (uint32_t[]){slots_behind_results(t), t->slots, reg, t->writes});
    if (taken < t->slots)
        return true;
    return tmu_consult(t, TMU_CLAUSE_FIFO_8, 1) == TMU_FIFO_BOTH && slots_behind_results(t) < t->slots;
}

static bool has_room_for_result(struct tmu *t, const struct tmu_lookup *l)
{
    uint32_t waiting = tmu_results_held(t) + l->words, slots = t->slots;
    const struct observer *o = t->env->tmu_observer;
    if (o) {
        /* `result` would overflow; no reading has a larger FIFO */
        if (tmu_results_waiting(t) + l->words > TMU_RESULTS_MAX)
            return false;
        waiting = observe(o, TMU_POINT_RESULT_WAITING, waiting, (uint32_t[]){l->words, l->direct});
        slots = observe(o, TMU_POINT_RESULT_SLOTS, slots, (uint32_t[]){waiting, l->direct});
    }
    if (waiting <= slots)
        return true;
    return tmu_consult(t, TMU_CLAUSE_FIFO_8, 1) == TMU_FIFO_BOTH && waiting <= TMU_RESULTS_MAX;
}

static void observe_older(const struct tmu *t, struct vc4_vector *value, const struct vc4_vector *newest)
{
    uint32_t input[VC4_LANES + 1];
    memcpy(input, newest->lane, sizeof newest->lane);
    input[VC4_LANES] = t->lookups;
    observe_lanes(t->env->tmu_observer, TMU_POINT_RESULT_OLDER, value->lane, input);
}

/* Applies clause tmu-fifo-8: the new memory look-up `later` can spoil the result of the memory look-up four
 * before it. */
static void disturb(struct tmu *t, const struct tmu_lookup *later)
{
    if (!later->direct || t->lookups < RELIABLE_LOOKUPS)
        return;
    struct tmu_lookup *l = &t->lookup[index_of(t, t->lookups - RELIABLE_LOOKUPS)];
    if (!l->direct)
        return;
    unsigned rule = tmu_consult(t, TMU_CLAUSE_FIFO_8, 0);
    struct vc4_vector *value = &t->result[l->first], *defined = &t->result_defined[l->first];
    if (t->env->tmu_observer)
        observe_older(t, value, &t->result[later->first]);
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

/* Shows the number of look-ups in the FIFOs to the observer. `load`: a word was loaded. */
static void observe_lookups(struct tmu *t, bool load)
{
    uint32_t lookups = OBSERVE(t->env->tmu_observer, TMU_POINT_FIFO_LOOKUPS, t->lookups, load);
    t->lookups = lookups < TMU_RESULTS_MAX ? lookups : TMU_RESULTS_MAX;
}

static void push(struct tmu *t, struct tmu_lookup l, const struct tmu_words *words)
{
    l.first = (uint8_t)(t->results % TMU_RESULTS_MAX);
    for (uint32_t w = 0; w < l.words; w++) {
        uint32_t at = t->results++ % TMU_RESULTS_MAX;
        at = OBSERVE(t->env->tmu_observer, TMU_POINT_RESULT_ENTRY, at, t->results - 1, w);
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
    if (t->env->tmu_observer)
        observe_lookups(t, false);
}

/* Shows the word that is loaded to the observer. Then puts the filler into bits that are undefined: rules see
 * the same number in checked and in other runs. */
static void show_load(const struct tmu *t, const struct tmu_lookup *l, struct vc4_vector *value,
                      const struct vc4_vector *defined)
{
    observe_lanes(t->env->tmu_observer, TMU_POINT_LOAD_VALUE, value->lane,
                  (uint32_t[]){l->loaded, l->words, l->direct});
    for (unsigned i = 0; i < VC4_LANES && t->env->checked; i++)
        if (!t->result_tolerance[t->loaded].lane[i])
            value->lane[i] = (value->lane[i] & defined->lane[i]) | (t->env->filler & ~defined->lane[i]);
}

enum vc4_stop tmu_load(struct tmu *t, struct vc4_vector *value, struct vc4_vector *defined)
{
    const struct observer *o = t->env->tmu_observer;
    if (OBSERVE(o, TMU_POINT_LOAD_WAITS, t->lookups == 0, t->lookups) || t->lookups == 0)
        return VC4_HANG_TMU_LOAD;
    struct tmu_lookup *l = &t->lookup[t->oldest];
    uint32_t at = ((uint32_t)l->first + l->loaded) % TMU_RESULTS_MAX;
    at = OBSERVE(o, TMU_POINT_LOAD_ENTRY, at, l->first, l->loaded);
    *value = t->result[at];
    t->loaded = at;
    if (t->env->checked)
        *defined = t->result_defined[at];
    if (o)
        show_load(t, l, value, defined);
    bool last = ++l->loaded == l->words;
    last = OBSERVE(o, TMU_POINT_LOAD_LAST, last, l->loaded, l->words);
    if (!last && l->loaded == l->words) /* a rule keeps the word */
        l->loaded--;
    if (last) {
        const uint32_t before = t->oldest;
        t->oldest = (t->oldest + 1) % TMU_RESULTS_MAX;
        t->oldest = OBSERVE(o, TMU_POINT_FIFO_OLDEST, t->oldest, before);
        t->lookups--;
        if (o)
            observe_lookups(t, true);
    }
    return VC4_GO;
}

const struct vc4_vector *tmu_loaded_tolerance(const struct tmu *t)
{
    return &t->result_tolerance[t->loaded];
}

/* ---- Look-ups ---- */

/* Returns the index in memory of the word at an address. The index is `words` or more if the run may not read
 * the word. */
static uint32_t find_word(const struct tmu *t, uint32_t words, uint32_t address)
{
    uint32_t offset;
    if (!t->env->limits)
        return (address - t->env->memory_base) / 4;
    return vc4_reach(t->env, address & ~3U, 4, VC4_LOADS, &offset) ? offset / 4 : words;
}

/* Is this a look-up that no document defines? `reserved`: the model's answer, which a rule can change. `x`:
 * the texture; NULL: it is a general-memory look-up. */
static bool is_reserved(const struct tmu *t, const struct tmu_texture *x, bool reserved)
{
    static const struct tmu_texture none = {.type = texture_types};
    const uint32_t *p = t->parameter;
    uint32_t n = t->parameters;
    const bool direct = !x;
    x = x ? x : &none;
    return OBSERVE(t->env->tmu_observer, TMU_POINT_LOOKUP_RESERVED, reserved, direct, n > 0 ? p[0] : 0,
                   n > 1 ? p[1] : 0, n > 2 ? p[2] : 0, n > 3 ? p[3] : 0, x->levels, x->most, x->min, x->mag,
                   x->cube, (uint32_t)(x->type - texture_types), x->child);
}

/* The offsets in memory of the words that elements look up. */
static void offsets_of(const struct tmu *t, const struct vc4_vector *address, uint32_t offset[VC4_LANES])
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        offset[i] = address->lane[i] - t->env->memory_base;
}

static void observe_address(const struct tmu *t, struct vc4_vector *address)
{
    uint32_t offset[VC4_LANES];
    offsets_of(t, address, offset);
    observe_lanes(t->env->tmu_observer, TMU_POINT_MEMORY_ADDRESS, offset, &t->lookups);
    for (unsigned i = 0; i < VC4_LANES; i++)
        address->lane[i] = offset[i] + t->env->memory_base;
}

static void observe_found(const struct tmu *t, const struct vc4_vector *address, struct vc4_vector *value)
{
    uint32_t offset[VC4_LANES];
    offsets_of(t, address, offset);
    observe_lanes(t->env->tmu_observer, TMU_POINT_MEMORY_VALUE, value->lane, offset);
}

/* Looks up the word at each element's address. Bits 1:0 of an address are ignored (p41). */
static enum vc4_stop look_up_direct(struct tmu *t, struct tmu_lookup l)
{
    const struct vc4_rows *m = &t->env->memory;
    struct vc4_vector value, defined, *address = &t->request.value[TMU_S];
    if (is_reserved(t, NULL, tmu_consult(t, TMU_CLAUSE_TWO_PARAMS, 0) == TMU_TWO_PARAMS_ALWAYS))
        return VC4_FAULT_RESERVED;
    l.words = 1;
    l.direct = true;
    if (!has_room_for_result(t, &l))
        return VC4_HANG_TMU_FULL;
    if (t->env->tmu_observer)
        observe_address(t, address);
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t at = find_word(t, m->rows * VC4_LANES, address->lane[i]);
        if (t->env->checked && (t->request.defined[TMU_S].lane[i] | 3U) != UINT32_MAX)
            return VC4_FAULT_UNDEFINED;
        if (at >= m->rows * VC4_LANES)
            return VC4_FAULT_MEMORY;
        value.lane[i] = m->value[at / VC4_LANES].lane[at % VC4_LANES];
        if (t->env->checked)
            defined.lane[i] = m->defined[at / VC4_LANES].lane[at % VC4_LANES];
    }
    if (t->env->tmu_observer)
        observe_found(t, address, &value);
    push(t, l, &(struct tmu_words){.value = &value, .defined = &defined});
    return VC4_GO;
}

static bool same_texture(const struct tmu *t)
{
    return t->texture_set && t->texture.words == t->parameters &&
           !memcmp(t->texture.word, t->parameter, t->parameters * sizeof *t->parameter);
}

/* Does the look-up take the texture of the one before? The observer can answer so although the parameters
 * differ. */
static bool keeps_texture(const struct tmu *t)
{
    const struct observer *o = t->env->tmu_observer;
    const struct tmu_texture *x = &t->texture;
    const bool same = same_texture(t);
    if (!o)
        return same;
    const uint32_t p0 = t->parameters > 0 ? t->parameter[0] : 0, p1 = t->parameters > 1 ? t->parameter[1] : 0;
    bool keeps = t->texture_set && OBSERVE(o, TMU_POINT_LOOKUP_REPEATS, same, p0, p1, x->word[0], x->word[1]);
    /* decode again: the observer gets the fields of every look-up */
    return keeps && !(same && (o->see || o->force));
}

/* Shows result word `w` to the observer. `other`: the other word, as the look-up left it; NULL: there is
 * none. */
static void show_result(const struct tmu *t, uint32_t w, struct vc4_vector *value,
                        const struct vc4_vector *other)
{
    uint32_t input[VC4_LANES + 2] = {0};
    if (other)
        memcpy(input, other->lane, sizeof other->lane);
    input[VC4_LANES] = w;
    input[VC4_LANES + 1] = (uint32_t)(t->texture.type - texture_types);
    observe_lanes(t->env->tmu_observer, TMU_POINT_RESULT_WORD, value->lane, input);
}

/* Shows the coordinates in register `r` to the observer. */
static void observe_request(struct tmu *t, uint32_t r)
{
    const struct tmu_texture *x = &t->texture;
    observe_lanes(t->env->tmu_observer, TMU_POINT_REQUEST_VALUE, t->request.value[r].lane,
                  (uint32_t[]){r, t->written, x->min, x->mag, x->needs_lod, tmu_only_points(x)});
}

static enum vc4_stop look_up_texture(struct tmu *t, struct tmu_lookup l)
{
    if (!keeps_texture(t))
        tmu_texture_set(&t->texture, t->env, t->clause_base, t->parameter, t->parameters);
    t->texture_set = true;
    if (is_reserved(t, &t->texture, t->texture.stop) || t->texture.stop)
        return VC4_FAULT_RESERVED;
    l.words = (uint8_t)texture_result_words(t->texture.type);
    if (!has_room_for_result(t, &l))
        return VC4_HANG_TMU_FULL;
    for (unsigned r = 0; r < TMU_REGISTERS; r++) {
        if (!(t->written >> r & 1)) { /* an unwritten register is 0 (p40) */
            memset(&t->request.value[r], 0, sizeof t->request.value[r]);
            memset(&t->request.defined[r], 0xFF, sizeof t->request.defined[r]);
        }
        if (t->env->tmu_observer)
            observe_request(t, r);
    }
    struct vc4_vector value[2], defined[2], tolerance, first;
    const struct tmu_words out = {value, defined, &tolerance};
    enum vc4_stop stop = tmu_sample(&t->texture, t->env, t->clause_base, &t->request, &out);
    if (t->env->tmu_observer && !stop && l.words == 2)
        first = value[0];
    for (uint32_t w = 0; t->env->tmu_observer && !stop && w < l.words; w++)
        show_result(t, w, &value[w], l.words < 2 ? NULL : w ? &first : &value[1]);
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
    bool direct = starts_direct(t, reg);
    direct = t->direct = OBSERVE(t->env->tmu_observer, TMU_POINT_LOOKUP_DIRECT, direct, reg, t->written);
    bool takes = direct ? tmu_consult(t, TMU_CLAUSE_UNIFORM_DIRECT, 0) == TMU_UNIFORM_EVERY_WRITE
                        : brings_parameter(t);
    if (t->env->tmu_observer) {
        takes = observe(t->env->tmu_observer, TMU_POINT_UNIFORM_TAKEN, takes,
                        (uint32_t[]){reg, direct, t->writes});
        t->takes = takes;
    }
    return takes;
}

/* Is the uniform of the current register write a parameter of a texture? */
static bool adds_parameter(const struct tmu *t, enum tmu_register reg, bool direct)
{
    const struct observer *o = t->env->tmu_observer;
    bool adds = !direct && (o ? t->takes : brings_parameter(t));
    return OBSERVE(o, TMU_POINT_UNIFORM_PARAMETER, adds, reg, direct, t->writes, t->takes);
}

static enum vc4_stop add_parameter(struct tmu *t, enum tmu_register reg, uint32_t uniform, uint32_t defined)
{
    const uint32_t p0 = t->parameters ? t->parameter[0] : uniform;
    uniform = OBSERVE(t->env->tmu_observer, TMU_POINT_UNIFORM_WORD, uniform, t->parameters, reg, p0);
    if (t->env->checked && defined != UINT32_MAX)
        return VC4_FAULT_UNDEFINED;
    if (t->parameters == TMU_PARAMETERS_MAX)
        return VC4_FAULT_RESERVED; /* a fifth parameter: some register was written twice */
    t->parameter[t->parameters++] = uniform;
    return VC4_GO;
}

/* Shows the state after a register write to the observer. `written`, `writes`: before it. */
static void observe_write(struct tmu *t, enum tmu_register reg, bool direct, uint32_t written,
                          uint32_t writes)
{
    const struct observer *o = t->env->tmu_observer;
    t->written = OBSERVE(o, TMU_POINT_WRITE_WRITTEN, t->written, reg, written, direct);
    t->writes = OBSERVE(o, TMU_POINT_WRITE_COUNT, t->writes, reg, writes, direct);
}

/* Starts the look-up whose registers were written, and leaves the unit ready for the next one. */
static enum vc4_stop start(struct tmu *t, bool direct)
{
    const struct observer *o = t->env->tmu_observer;
    struct tmu_lookup l = {.slots = (uint8_t)t->writes};
    t->writes = OBSERVE(o, TMU_POINT_LOOKUP_WRITES, 0, l.slots, direct); /* the slots belong to the look-up */
    enum vc4_stop stop = direct ? look_up_direct(t, l) : look_up_texture(t, l);
    const uint32_t written = t->written, parameters = t->parameters;
    t->written = OBSERVE(o, TMU_POINT_LOOKUP_WRITTEN, 0, written, direct);
    t->parameters = OBSERVE(o, TMU_POINT_LOOKUP_PARAMETERS, 0, parameters, direct);
    if (t->parameters > TMU_PARAMETERS_MAX)
        t->parameters = TMU_PARAMETERS_MAX;
    return stop;
}

enum vc4_stop tmu_write(struct tmu *t, enum tmu_register reg, const struct vc4_vector *value,
                        const struct vc4_vector *defined, uint32_t uniform, uint32_t uniform_defined)
{
    bool direct = t->env->tmu_observer ? t->direct : starts_direct(t, reg);
    if (!has_room(t, reg))
        return VC4_HANG_TMU_FULL;
    enum vc4_stop stop =
        adds_parameter(t, reg, direct) ? add_parameter(t, reg, uniform, uniform_defined) : VC4_GO;
    if (stop)
        return stop;
    t->request.value[reg] = *value;
    if (t->env->tmu_observer)
        observe_lanes(t->env->tmu_observer, TMU_POINT_WRITE_VALUE, t->request.value[reg].lane,
                      (uint32_t[]){reg, direct, t->writes});
    if (t->env->checked)
        t->request.defined[reg] = *defined;
    const uint32_t written = t->written, writes = t->writes;
    t->written |= 1U << reg;
    t->writes++;
    if (t->env->tmu_observer)
        observe_write(t, reg, direct, written, writes);
    bool starts = reg == TMU_S;
    return OBSERVE(t->env->tmu_observer, TMU_POINT_LOOKUP_STARTS, starts, reg, written, direct)
               ? start(t, direct)
               : VC4_GO;
}
