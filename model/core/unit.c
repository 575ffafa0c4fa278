/* SPDX-License-Identifier: MIT */
/* Queries about one unit. The table of all units is in units.c. */
#include "model/core/unit.h"

#include "model/text/character.h"
#include "model/text/text.h"

#include <stddef.h>
#include <string.h>

static uint32_t chosen_set(const struct test_case *c)
{
    const struct field *f = schema_field(&c->unit->schema, c->unit->code->chosen_by);
    uint32_t set = *case_field_const(c, f);
    return set < f->max ? set : f->initial;
}

const struct code *case_code(const struct test_case *c)
{
    const struct code *code = c->unit->code;
    return code && code->sets ? code->sets[chosen_set(c)] : code;
}

const struct bit_field *case_bits(const struct test_case *c, const struct field *f)
{
    return f->bits_by ? f->bits_by[chosen_set(c)] : f->bits;
}

static const char *name_of_set(const void *context, unsigned i)
{
    const struct field *f = context;
    return i < f->max ? f->names[i] : NULL;
}

const struct code *unit_code(const struct unit *u, const char *set, struct error *e)
{
    const struct code *code = u->code;
    if (!code) {
        error_set(e, "unit %s has no instructions", u->name);
        return NULL;
    }
    const struct field *f = code->sets ? schema_field(&u->schema, code->chosen_by) : NULL;
    if (!set)
        return f ? code->sets[f->initial] : code;
    if (!f) {
        error_set(e, "unit %s has only one instruction set", u->name);
        return NULL;
    }
    for (uint32_t i = 0; i < f->max; i++)
        if (names_equal(f->names[i], unit_chip(u, set)))
            return code->sets[i];
    if (unit_lacks_chip(u, set, e))
        return NULL;
    struct text all = {0};
    for (uint32_t i = 0; i < f->max; i++)
        text_add(&all, i ? ", %s" : "it has %s", f->names[i]);
    error_unknown(e, "instruction set", set, name_of_set, f, text_chars(&all));
    text_free(&all);
    error_where(e, "unit %s", u->name);
    return NULL;
}

void case_choose_code(struct test_case *c, const char *set)
{
    const struct code *code = c->unit->code;
    const struct field *f =
        set && code && code->sets ? schema_field(&c->unit->schema, code->chosen_by) : NULL;
    for (uint32_t i = 0; f && i < f->max; i++)
        if (names_equal(f->names[i], unit_chip(c->unit, set)))
            *case_field(c, f) = i;
}

unsigned unit_clauses(const struct unit *u)
{
    unsigned count = 0;
    for (unsigned g = 0; g < CLAUSE_GROUPS_MAX; g++)
        count += u->clauses[g].count;
    return count;
}

const struct clause *unit_clause(const struct unit *u, unsigned i)
{
    for (unsigned g = 0; g < CLAUSE_GROUPS_MAX; g++) {
        if (i < u->clauses[g].count)
            return &u->clauses[g].rows[i];
        i -= u->clauses[g].count;
    }
    return NULL;
}

int unit_clause_index(const struct unit *u, const char *id)
{
    for (unsigned i = 0; i < unit_clauses(u); i++)
        if (!strcmp(unit_clause(u, i)->id, id))
            return (int)i;
    return -1;
}

const char *unit_chip(const struct unit *u, const char *name)
{
    for (const struct chip_alias *a = u->chips; a && a->name; a++)
        if (names_equal(a->name, name))
            return a->same_as;
    return name;
}

bool unit_lacks_chip(const struct unit *u, const char *name, struct error *e)
{
    struct text all = {0};
    for (const struct chip_alias *a = u->not_modelled; a && a->name; a++) {
        if (!names_equal(a->name, name))
            continue;
        for (unsigned i = 1; u->profiles[i].name; i++)
            if (u->profiles[i].silicon)
                text_add(&all, all.length ? ", %s" : "%s", u->profiles[i].name);
        error_set(
            e, "unit %s: %s is not modelled; modelled are %s. The nearest is %s, but its instructions differ",
            u->name, a->name, text_chars(&all), a->same_as);
        text_free(&all);
        return true;
    }
    return false;
}

int unit_profile_index(const struct unit *u, const char *name)
{
    for (int i = 0; u->profiles[i].name; i++)
        if (!strcmp(u->profiles[i].name, unit_chip(u, name)))
            return i;
    return -1;
}

unsigned unit_reasons(const struct unit *u)
{
    unsigned count = 0;
    while (u->reasons[count])
        count++;
    return count;
}

bool unit_is_unspecified(const struct unit *u, unsigned reason)
{
    return u->unspecified && reason < unit_reasons(u) && u->unspecified[reason];
}

const struct observer *run_observer(const struct run *r, struct observer *o)
{
    if (!r->see && !r->force && !r->profile->rules.count)
        return NULL;
    *o = (struct observer){.points = r->out->unit->points,
                           .rules = &r->profile->rules,
                           .see = r->see,
                           .force = r->force,
                           .watched = r->watched,
                           .context = r->see_context};
    return observer_set_part(o, 0, r->out->unit->point_count) ? o : NULL;
}
