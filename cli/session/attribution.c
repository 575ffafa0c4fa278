/* SPDX-License-Identifier: MIT */
#include "cli/session/attribution.h"
#include "oracle/describe/clause_text.h"

#include <inttypes.h>

static void print_change(const struct unit *u, unsigned clause, unsigned reading, struct text *t)
{
    const struct clause *c = unit_clause(u, clause);
    text_add(t, "%s=%s", c->id, c->readings[reading].id);
}

static void print_changes(const struct unit *u, const struct attribution *a, struct text *t)
{
    for (unsigned i = 0; i < a->changes; i++) {
        const struct attributed_change *c = &a->change[i];
        text_add(t, "    ");
        print_change(u, c->clause, c->reading, t);
        for (unsigned k = 0; k < c->candidates; k++) {
            text_add(t, ", or ");
            print_change(u, c->candidate[k].clause, c->candidate[k].reading, t);
        }
        text_add(t, "%s (%" PRIu64 " case%s without it", c->more_candidates ? ", or others" : "",
                 c->needed_by, c->needed_by == 1 ? " differs" : "s differ");
        if (c->masked)
            text_add(t, "; it leaves the bits of %" PRIu64 " of them undefined", c->masked);
        text_add(t, ")\n");
    }
}

/* Does the set consist of exactly the attribution's changes? */
static bool is_listed(const struct attribution *a, const struct cause *set)
{
    bool same = set->count == a->changes;
    for (unsigned i = 0; i < set->count; i++)
        same = same && a->profile.reading[set->change[i].clause] == set->change[i].reading;
    return same;
}

/* Says how thoroughly the attribution searched for smaller and for other sets, and lists the other sets. */
static void print_other_sets(const struct unit *u, const struct attribution *a, struct text *t)
{
    unsigned others = 0;
    bool smaller = a->sets && a->set[0].count < a->changes;
    for (unsigned i = 0; i < a->sets; i++)
        others += !is_listed(a, &a->set[i]);
    if (a->exact)
        text_add(t, "  %s; %s\n", smaller ? "a smaller set does" : "no smaller set does",
                 a->more_sets ? "many others of this size do"
                 : others     ? "all others of this size follow"
                              : "no other set of this size does");
    else if (a->changes > CHANGES_MAX)
        text_add(
            t, "  Without any one of them more cases differ. Replacing each by one other reading was tried, "
               "not by two or more.\n");
    else if (a->changes)
        text_add(t, "  the search was cut short; there may be smaller sets, or others\n");
    for (unsigned i = 0; i < a->sets; i++) {
        if (is_listed(a, &a->set[i]))
            continue;
        text_add(t, "  or: ");
        cause_print(u, &a->set[i], t);
        text_add(t, "\n");
    }
}

void attribution_print(const struct unit *u, const struct attribution *a, struct text *t)
{
    uint64_t explained = a->different - (a->unexplained < a->different ? a->unexplained : a->different);
    text_add(t, "%" PRIu64 " case%s kept as evidence; %" PRIu64 " differ%s. ", a->cases,
             a->cases == 1 ? " was" : "s were", a->different, a->different == 1 ? "s" : "");
    uint64_t masked = a->masked < explained ? a->masked : explained;
    if (a->changes == 1)
        text_add(t, "With this reading changed the model ");
    else if (a->changes)
        text_add(t, "With these %u readings changed the model ", a->changes);
    else
        text_add(t, "No change of readings was found with which the model agrees better.\n");
    if (a->changes && explained > masked)
        text_add(t, "reproduces %s%" PRIu64 "%s", a->unexplained || masked || explained == 1 ? "" : "all ",
                 explained - masked, a->unexplained || masked ? " of them" : "");
    if (a->changes && masked)
        text_add(t, "%sleaves the differing bits of %" PRIu64 " undefined",
                 explained > masked ? ", and " : "", masked);
    text_add(t, "%s", a->changes ? ":\n" : "");
    print_changes(u, a, t);
    print_other_sets(u, a, t);
    if (a->unexplained)
        text_add(t,
                 "  %" PRIu64 " case%s not reproduced together with the others (some may be of findings "
                 "with the verdict undefined)\n",
                 a->unexplained, a->unexplained == 1 ? " is" : "s are");
}

json_t *attribution_json(const struct unit *u, const struct attribution *a)
{
    json_t *changes = json_array(), *sets = json_array();
    for (unsigned i = 0; i < a->changes; i++) {
        const struct attributed_change *c = &a->change[i];
        json_t *one = change_to_json(u, c->clause, c->reading), *candidates = json_array();
        for (unsigned k = 0; k < c->candidates; k++)
            json_array_append_new(candidates,
                                  change_to_json(u, c->candidate[k].clause, c->candidate[k].reading));
        json_object_set_new(one, "rivals", candidates);
        json_object_set_new(one, "needed_by", json_integer((json_int_t)c->needed_by));
        json_object_set_new(one, "undefined", json_integer((json_int_t)c->masked));
        json_array_append_new(changes, one);
    }
    for (unsigned i = 0; i < a->sets; i++)
        json_array_append_new(sets, cause_to_json(u, &a->set[i]));
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:b, s:b}", "unit", u->name, "cases",
                     (json_int_t)a->cases, "different", (json_int_t)a->different, "unexplained",
                     (json_int_t)a->unexplained, "undefined", (json_int_t)a->masked, "changes", changes,
                     "sets", sets, "exact", (int)a->exact, "cut", (int)a->cut);
}
