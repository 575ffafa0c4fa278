/* SPDX-License-Identifier: MIT */
/* Registers, memory and address registers: pending stores, and fetches before a store's latency is over. */
#include "model/utgard/gp_step.h"
#include "model/utgard/points/gp_points.h"

/* ---- pending stores ---- */

/* Brings the word that a rule names into the range of the place that is stored to. */
static uint16_t place_of_word(enum gp_space space, uint32_t word)
{
    enum { REGISTERS = GP_VEC * GP_REGISTERS, WORDS = GP_VEC * GP_MEMORY_ROWS };
    return (uint16_t)(word % (space == GP_TO_REGISTER ? REGISTERS : WORDS));
}

/* Returns the word that a store changes. */
static unsigned committed_place(const struct gp *g, enum gp_space space, unsigned place)
{
    return place_of_word(space, GP_SEE(g, COMMIT_WORD, place, space, place / GP_VEC, place % GP_VEC));
}

void gp_commit_register(struct gp *g, const struct gp_write *w)
{
    const unsigned place = committed_place(g, GP_TO_REGISTER, w->place);
    unsigned row = place / GP_VEC, c = place % GP_VEC;
    g->reg[row][c] = w->value;
    g->reg_known[row][c] = w->known;
    g->reg_kind[row][c] = w->kind;
    g->reg_hazards[row][c] = w->hazards;
    g->reg_written |= UINT64_C(1) << place;
}

void gp_commit_memory(struct gp *g, const struct gp_write *w)
{
    const unsigned place = committed_place(g, GP_TO_TEMPORARY, w->place);
    g->setup.touch_memory(g->setup.context, place / GP_VEC);
    g->setup.memory[place] = w->value;
    if (g->checked) {
        g->setup.memory_defined[place] = w->kind ? 0 : w->known.defined;
        g->setup.memory_tolerance[place] = w->kind ? 0 : w->known.tolerance;
    }
}

void gp_commit_pending(struct gp *g, const struct gp_write *w)
{
    if (GP_SEE(g, STORE_PENDING, 1, w->place % GP_VEC, w->place / GP_VEC, g->now - w->when))
        gp_commit_memory(g, w);
}

void gp_commit_address(struct gp *g, const struct gp_write *w)
{
    g->address_lost[w->place] = w->kind;
    g->address[w->place] = (int32_t)w->value;
    g->address_defined[w->place] = w->known.defined != 0;
    g->address_set[w->place] = true;
}

/* Four components as a fetch sees them. The last three members are sets of components: those with a pending
 * store, those fetched before its latency is over, and those that were ever written. */
struct row_view {
    uint32_t value[GP_VEC];
    struct gp_known known[GP_VEC];
    uint32_t hazards[GP_VEC];
    uint8_t kind[GP_VEC];
    uint32_t latency, early, written;
};

/* `space`: 0 register, 2 temporary, 3 address register. */
static void view_writes(struct gp *g, const struct gp_writes *w, unsigned space, unsigned row,
                        unsigned latency, struct row_view *v)
{
    for (unsigned n = w->first; n != w->end; n++) {
        const struct gp_write *write = &w->write[n % GP_WRITES];
        unsigned c = write->place % GP_VEC;
        if (GP_SEE(g, PENDING_ROW, write->place / GP_VEC, space, write->place, c) != row)
            continue;
        bool early = g->now - write->when < latency;
        v->latency |= 1U << c;
        v->hazards[c] |= write->hazards;
        v->early = early ? v->early | 1U << c : v->early & ~(1U << c);
        if (early && READING(EARLY_READ) == GP_EARLY_OLD)
            continue;
        bool undefined = early && READING(EARLY_READ) == READING_MANUAL;
        v->value[c] = undefined ? g->filler : write->value;
        v->known[c] = undefined ? gp_bits(0) : write->known;
        v->kind[c] = undefined ? (uint8_t)GP_PLAIN : write->kind;
        v->written |= 1U << c;
    }
}

/* ---- fetching ---- */

static void place_row(struct gp *g, unsigned selector, const struct row_view *v)
{
    for (unsigned c = 0; c < GP_VEC; c++) {
        g->bank[selector + c] = v->value[c];
        g->bank_known[selector + c] = v->known[c];
        g->bank_kind[selector + c] = v->kind[c];
        g->bank_hazards[selector + c] |= v->hazards[c];
    }
}

/* Fetches a register that has pending stores. */
void gp_fetch_register(struct gp *g, unsigned row, unsigned selector)
{
    struct row_view v = {.written = g->reg_written >> (GP_VEC * row) & 0xF};
    memcpy(v.value, g->reg[row], sizeof v.value);
    memcpy(v.known, g->reg_known[row], sizeof v.known);
    memcpy(v.kind, g->reg_kind[row], sizeof v.kind);
    memcpy(v.hazards, g->reg_hazards[row], sizeof v.hazards);
    view_writes(g, &g->reg_writes, GP_TO_REGISTER, row, g->register_latency, &v);
    place_row(g, selector, &v);
    gp_add_hazard(g, GP_HAZARD_REGISTER_LATENCY, v.latency, selector);
    gp_add_hazard(g, GP_HAZARD_REGISTER_EARLY, v.early, selector);
    gp_add_hazard(g, GP_HAZARD_INITIAL, ~v.written & 0xF, selector);
}

/* Fetches an attribute and fills in its missing components. Keeps the result in `attribute`, because programs
 * fetch each attribute several times. */
void gp_fetch_attribute(struct gp *g, unsigned row)
{
    unsigned components = (g->setup.components >> (2 * row) & 3) + 1;
    components = gp_observe_components(g, row, components);
    g->components[row] = (uint8_t)components;
    uint32_t *words = g->attribute[row];
    g->setup.attribute(g->setup.context, row, words);
    g->attributes_known |= 1U << row;
    for (unsigned c = components; c < GP_VEC; c++)
        if (READING(ATTRIBUTE_DEFAULT) != GP_ATTRIBUTE_MEMORY)
            words[c] = c == GP_VEC - 1 && READING(ATTRIBUTE_DEFAULT) == READING_MANUAL ? GP_ONE : 0;
}

/* The address registers as a load reads them. */
struct offsets {
    uint32_t by[GP_ADDRESS_REGISTERS];
    bool lost;      /* a rule took the number of the load's register away */
    bool undefined; /* the load's register holds a number only by a rule */
};

/* Returns whether the register of a load is defined, after rules. `set`: those that are defined, a bit each.
 */
static bool observe_known(const struct gp *g, const struct gp_step *s, bool known, unsigned set,
                          struct offsets *o)
{
    const bool ruled = GP_SEE(g, LOAD_KNOWN, known, s->offset, set, s->load);
    o->undefined = ruled && !known;
    o->lost = o->lost || (known && !ruled);
    return known || ruled;
}

/* Sets the members of `o`. False if the load's register is undefined. */
static bool load_offsets(struct gp *g, const struct gp_step *s, struct offsets *o)
{
    const unsigned n = s->offset;
    unsigned set = 0;
    struct row_view v = {.written = 0};
    for (unsigned k = 0; k < GP_ADDRESS_REGISTERS; k++) {
        v.value[k] = (uint32_t)g->address[k];
        v.known[k] = gp_bits(g->address_defined[k]);
        v.kind[k] = g->address_lost[k];
        v.written |= (uint32_t)g->address_set[k] << k;
    }
    view_writes(g, &g->address_writes, GP_TO_ADDRESS, 0, g->address_latency, &v);
    gp_add_hazard(g, GP_HAZARD_ADDRESS_LATENCY, v.latency >> n & 1 ? 0xF : 0, GP_LOAD_X);
    gp_add_hazard(g, GP_HAZARD_ADDRESS_EARLY, v.early >> n & 1 ? 0xF : 0, GP_LOAD_X);
    gp_add_hazard(g, GP_HAZARD_INITIAL, v.written >> n & 1 ? 0 : 0xF, GP_LOAD_X);
    memcpy(o->by, v.value, sizeof v.value);
    o->lost = v.kind[n];
    const bool known = v.known[n].defined;
    if (!g->setup.observer)
        return known;
    for (unsigned k = 0; k < GP_ADDRESS_REGISTERS; k++)
        set |= (unsigned)(v.known[k].defined != 0) << k;
    return observe_known(g, s, known, set, o);
}

/* Brings a vector number into the range of memory by a reading of gp-load-range. False if the reading gives
 * no vector. */
static bool bring_into_range(unsigned reading, int32_t *row)
{
    switch (reading) {
    case GP_RANGE_WRAPS:
        *row = (int32_t)((uint32_t)*row % GP_MEMORY_ROWS);
        return true;
    case GP_RANGE_CLAMPS:
        *row = *row < 0 ? 0 : *row < GP_MEMORY_ROWS ? *row : GP_MEMORY_ROWS - 1;
        return true;
    default:
        return false;
    }
}

/* Shows which word of memory each component of a load reads. */
static void observe_load(struct gp *g, const struct gp_step *s, unsigned row, struct row_view *v)
{
    enum { WORDS = GP_VEC * GP_MEMORY_ROWS };
    g->loaded_row = row;
    for (unsigned c = 0; c < GP_VEC; c++) {
        const unsigned word = GP_VEC * row + c, taken = GP_SEE(g, LOAD_WORD, word, c, row, s->load, s->offset,
                                                               gp_memory_is_pending(g));
        if (taken != word)
            v->value[c] = g->setup.memory[taken % WORDS];
    }
}

static void load_row(struct gp *g, const struct gp_step *s, unsigned row)
{
    struct row_view v = {.latency = 0};
    memcpy(v.value, &g->setup.memory[GP_VEC * row], sizeof v.value);
    if (g->checked)
        gp_memory_known(g, row, v.known);
    if (g->setup.observer)
        observe_load(g, s, row, &v);
    view_writes(g, &g->memory_writes, GP_TO_TEMPORARY, row, g->memory_latency, &v);
    for (unsigned c = 0; c < GP_VEC; c++)
        if (v.kind[c]) { /* memory keeps only the words, so the value is no step of a function any more */
            v.kind[c] = GP_PLAIN;
            v.known[c] = gp_bits(0);
        }
    place_row(g, GP_LOAD_X, &v);
    gp_add_hazard(g, GP_HAZARD_TEMPORARY_LATENCY, v.latency, GP_LOAD_X);
    gp_add_hazard(g, GP_HAZARD_TEMPORARY_EARLY, v.early, GP_LOAD_X);
}

/* Passes the vector of a load through its points. False if a rule takes the words away: the load gives 0. */
static bool observe_row(const struct gp *g, const struct gp_step *s, uint32_t offset, int32_t *row)
{
    const bool pending = gp_memory_is_pending(g);
    *row = (int32_t)GP_SEE(g, LOAD_ROW, (uint32_t)*row, s->load, offset, s->offset, pending);
    const bool beyond = *row < 0 || *row >= GP_MEMORY_ROWS,
               ruled = GP_SEE(g, LOAD_BEYOND, beyond, (uint32_t)*row, s->load, s->offset, pending);
    if (beyond && !ruled)
        *row = (int32_t)((uint32_t)*row % GP_MEMORY_ROWS);
    return beyond || !ruled;
}

/* Loads a vector, which may be outside the memory. */
static void load_vector(struct gp *g, const struct gp_step *s, int32_t row)
{
    if (row < 0 || row >= GP_MEMORY_ROWS) {
        gp_add_hazard(g, GP_HAZARD_RANGE, 0xF, GP_LOAD_X);
        if (!bring_into_range(READING(LOAD_RANGE), &row)) {
            bool zero = READING(LOAD_RANGE) == GP_RANGE_ZERO;
            gp_place_undefined(g, GP_LOAD_X, zero ? 0 : g->filler);
            for (unsigned c = 0; zero && c < GP_VEC; c++)
                g->bank_known[GP_LOAD_X + c] = gp_bits(UINT32_MAX);
            return;
        }
    }
    load_row(g, s, (unsigned)row);
}

void gp_load(struct gp *g, const struct gp_step *s)
{
    struct offsets o = {.lost = false, .undefined = false};
    uint32_t offset = 0;
    g->loaded_row = GP_MEMORY_ROWS;
    if (s->offset == GP_UNKNOWN_OFFSET || (s->offset != GP_NO_OFFSET && !load_offsets(g, s, &o))) {
        gp_place_undefined(g, GP_LOAD_X, g->filler);
        return;
    }
    if (s->offset != GP_NO_OFFSET)
        offset = GP_SEE(g, LOAD_OFFSET, o.by[s->offset], s->offset, s->load, o.by[0], o.by[1], o.by[2],
                        o.by[3], gp_memory_is_pending(g));
    int32_t row = (int32_t)(s->load + offset);
    if (g->setup.observer)
        o.lost = !observe_row(g, s, offset, &row) || o.lost;
    load_vector(g, s, row);
    if (o.lost) /* the bits are as undefined as without the rule */
        memset(&g->bank[GP_LOAD_X], 0, GP_VEC * sizeof *g->bank);
    if (o.undefined)
        memset(&g->bank_known[GP_LOAD_X], 0, GP_VEC * sizeof *g->bank_known);
}

/* ---- stores ---- */

/* Returns the value that a unit stores. complex1's result is not ready in its own instruction; gp-wide-wait
 * decides what it stores. */
static struct gp_write stored_value(struct gp *g, const struct gp_step *s, enum gp_unit unit)
{
    struct gp_write w = {.when = g->now,
                         .value = g->result[unit],
                         .known = g->result_known[unit],
                         .hazards = g->result_hazards[unit],
                         .kind = g->result_kind[unit]};
    if (unit == GP_MUL0 && s->unit[GP_MUL0].action == GP_DO_COMPLEX1 &&
        READING(WIDE_WAIT) != GP_WIDE_WAIT_SAME) {
        bool zero = READING(WIDE_WAIT) == GP_WIDE_WAIT_ZERO;
        w.value = zero ? 0 : g->filler;
        w.known = gp_bits(zero ? UINT32_MAX : 0);
        w.kind = GP_PLAIN;
    }
    return w;
}

/* Returns the unit whose result component n of a half gets, after rules. */
static enum gp_unit observe_unit(const struct gp *g, const struct gp_half_store *h, unsigned component,
                                 unsigned row)
{
    const unsigned n = component % 2,
                   unit = GP_SEE(g, STORE_UNIT, h->unit[n], component, h->unit[1 - n], h->space, row);
    return unit < GP_UNITS ? (enum gp_unit)unit : GP_UNIT_UNKNOWN;
}

static void store_varying(struct gp *g, unsigned place, const struct gp_write *w)
{
    if (place / GP_VEC >= g->setup.varyings)
        return;
    if (g->varying_written >> place & 1 && CONSULT(DOUBLE_STORE, 0) == GP_DOUBLE_STORE_FIRST)
        return;
    g->varying_written |= UINT64_C(1) << place;
    g->decided |= w->hazards;
    g->setup.varying[place] = w->value;
    if (g->checked) {
        g->setup.varying_defined[place] = w->kind ? 0 : w->known.defined;
        g->setup.varying_tolerance[place] = w->kind ? 0 : w->known.tolerance;
    }
}

/* Returns address register 0 as a store reads it if a rule gives it a latency. Sets *defined and *lost if a
 * store to it is over that the register does not show yet. */
static int32_t delayed_address(const struct gp *g, bool *defined, bool *lost)
{
    int32_t address = g->address[0];
    for (unsigned n = g->address_writes.first; n != g->address_writes.end; n++) {
        const struct gp_write *w = &g->address_writes.write[n % GP_WRITES];
        if (!w->place && g->now - w->when >= g->address0_latency) {
            address = (int32_t)w->value;
            *defined = w->known.defined != 0;
            *lost = w->kind;
        }
    }
    return address;
}

/* Sets *row to the row of a temporary store. False if the store is dropped. Stops a checked run if the row is
 * undefined. */
static bool temporary_row(struct gp *g, unsigned half, const struct gp_half_store *h,
                          const struct gp_half_store *other, int32_t *row)
{
    int32_t base = g->address[0];
    bool defined = g->address_defined[0], lost = g->address_lost[0];
    if (!g->address_set[0])
        COVER(INITIAL_STATE);
    if (g->setup.observer)
        base = delayed_address(g, &defined, &lost);
    if (!defined) {
        g->stop = g->checked ? GP_STOP_UNDEFINED : g->stop;
        return false;
    }
    if (lost)
        return false;
    *row = (int32_t)((uint32_t)base + h->addr);
    *row = (int32_t)GP_SEE(g, STORE_ROW, (uint32_t)*row, half, GP_TO_TEMPORARY, h->field, (uint32_t)base,
                           other->field, 0);
    if (*row >= 0 && *row < GP_MEMORY_ROWS)
        return true;
    unsigned reading = CONSULT(LOAD_RANGE, 0);
    if (bring_into_range(reading, row))
        return true;
    if (reading == READING_MANUAL && g->checked)
        g->stop = GP_STOP_UNDEFINED;
    return false;
}

/* A component of a store on its way through the points. */
struct gp_stored {
    unsigned component, unit, space, row;
    struct gp_write write;
};

/* Returns the word of a place before a store. */
static uint32_t word_before(const struct gp *g, const struct gp_stored *o)
{
    const unsigned place = GP_VEC * o->row + o->component;
    return o->space == GP_TO_REGISTER  ? g->reg[o->row % GP_REGISTERS][o->component]
           : o->space == GP_TO_VARYING ? g->setup.varying[place % (GP_VEC * GP_VARYINGS)]
                                       : g->setup.memory[place];
}

/* Passes a store through its points. False if a rule drops the store. */
static bool observe_store(const struct gp *g, const struct gp_step *s, const struct gp_half_store *h,
                          struct gp_stored *o)
{
    const unsigned unit = o->unit, row = o->row, complex1 = s->unit[GP_MUL0].action == GP_DO_COMPLEX1;
    struct gp_write *w = &o->write;
    unsigned component = o->component;
    const unsigned space = GP_SEE(g, STORE_SPACE, o->space, component, unit, row, h->field);
    o->space = space <= GP_TO_TEMPORARY ? space : o->space;
    w->value = GP_SEE(g, STORE_VALUE, w->value, component, unit, o->space, row, word_before(g, o), complex1,
                      s->one_register_stores);
    component = GP_SEE(g, STORE_COMPONENT, component, component, unit, o->space, row) % GP_VEC;
    const uint32_t word = GP_SEE(g, STORE_WORD, GP_VEC * row + component, component, unit, o->space, row);
    w->place = place_of_word((enum gp_space)o->space, word);
    const unsigned written =
        o->space == GP_TO_VARYING && w->place < GP_VEC * GP_VARYINGS && g->varying_written >> w->place & 1;
    return GP_SEE(g, STORE_DONE, 1, component, unit, o->space, row, written, s->store[0].unit[0],
                  s->store[0].unit[1], s->store[1].unit[0], s->store[1].unit[1], g->setup.varyings);
}

/* Stores a word to a register, varying or temporary. */
static void store_word(struct gp *g, enum gp_space space, const struct gp_write *w)
{
    if (space == GP_TO_VARYING) {
        store_varying(g, w->place, w);
    } else if (space == GP_TO_REGISTER) {
        gp_push(&g->reg_writes, w);
        g->reg_on_way[w->place / GP_VEC]++;
    } else {
        g->decided |= w->hazards;
        gp_push(&g->memory_writes, w);
    }
}

/* Takes the unit's value from a store, because both halves store to different registers. */
static void take_value(const struct gp *g, const struct gp_half_store *h, struct gp_write *w)
{
    w->value = h->zero ? 0 : h->kept ? w->value : g->filler;
    if (h->undefined) {
        w->known = gp_bits(0);
        w->kind = GP_PLAIN;
    }
}

void gp_store_half(struct gp *g, const struct gp_step *s, unsigned half)
{
    const struct gp_half_store *h = &s->store[half], *other = &s->store[1 - half];
    int32_t row = h->addr;
    if (!h->stores || (h->space == GP_TO_TEMPORARY && !temporary_row(g, half, h, other, &row)))
        return;
    if (h->space != GP_TO_TEMPORARY)
        row = (int32_t)(GP_SEE(g, STORE_ROW, (uint32_t)row, half, h->space, h->field, 0, other->field,
                               s->one_register_stores) &
                        0xF);
    for (unsigned n = 0; n < 2; n++) {
        if (h->unit[n] == GP_STORE_NONE)
            continue;
        const enum gp_unit unit =
            g->setup.observer ? observe_unit(g, h, 2 * half + n, (unsigned)row) : (enum gp_unit)h->unit[n];
        struct gp_stored o = {.component = 2 * half + n,
                              .unit = unit,
                              .space = h->space,
                              .row = (unsigned)row,
                              .write = stored_value(g, s, unit)};
        o.write.place = (uint16_t)(GP_VEC * (uint32_t)row + 2 * half + n);
        if (h->undefined | h->zero)
            take_value(g, h, &o.write);
        if (!g->setup.observer || observe_store(g, s, h, &o))
            store_word(g, (enum gp_space)o.space, &o.write);
    }
}
