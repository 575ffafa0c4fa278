/* SPDX-License-Identifier: MIT */
/* `misprint units` lists the modelled units. `misprint boards` lists the kinds of boards, and the faults that
 * can be injected into virtual boards. */
#include "cli/cli.h"
#include "oracle/compare/injected_fault.h"

static json_t *unit_json(const struct unit *u)
{
    json_t *profiles = json_array(), *regions = json_array(), *fields = json_array();
    for (unsigned i = 0; u->profiles[i].name; i++)
        json_array_append_new(profiles, json_pack("{s:s, s:s, s:s?}", "name", u->profiles[i].name, "about",
                                                  u->profiles[i].about, "silicon", u->profiles[i].silicon));
    for (unsigned i = 0; i < u->layout.region_count; i++) {
        const struct region *r = &u->layout.regions[i];
        json_array_append_new(regions,
                              json_pack("{s:s, s:s, s:i, s:i, s:i}", "name", r->name, "about", r->about,
                                        "rows", r->rows, "columns", r->cols, "bits", r->bits));
    }
    for (unsigned i = 0; i < u->schema.field_count; i++)
        json_array_append_new(fields, json_pack("{s:s, s:s}", "name", u->schema.fields[i].name, "about",
                                                u->schema.fields[i].about ? u->schema.fields[i].about : ""));
    return json_pack("{s:s, s:s, s:s, s:i, s:s, s:o, s:o, s:o}", "name", u->name, "family", u->family,
                     "about", u->about, "clauses", (int)unit_clauses(u), "best_profile",
                     u->profiles[u->best_profile].name, "profiles", profiles, "case", fields, "outcome",
                     regions);
}

static int run_units(const struct arguments *a)
{
    json_t *list = json_array();
    struct text t = {0};
    for (unsigned i = 0; unit_at(i); i++) {
        const struct unit *u = unit_at(i);
        json_array_append_new(list, unit_json(u));
        text_add(&t, "%-14s %s; %u clauses\n", u->name, u->about, unit_clauses(u));
        for (unsigned p = 0; u->profiles[p].name; p++)
            text_add(&t, "    profile %-12s %s%s\n", u->profiles[p].name, u->profiles[p].about,
                     p == u->best_profile ? " (the default virtual board)" : "");
    }
    return print_result(a, &t, list, STATUS_EQUAL);
}

const struct command command_units = {
    .name = "units",
    .synopsis = "",
    .about = "list the modelled units and their profiles",
    .examples = "  misprint units",
    .details = "Lists the modelled pieces of hardware and the built-in profiles of each.",
    .options = {OPTION_JSON, OPTION_END},
    .run = run_units,
};

static int run_boards(const struct arguments *a)
{
    json_t *list = json_array();
    struct text t = {0};
    for (unsigned i = 0; board_kind_at(i); i++) {
        const struct board_kind *k = board_kind_at(i);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", k->name, "form", k->form, "about",
                                              k->about));
        text_add(&t, "%-18s %s\n", k->form, k->about);
    }
    const char *kind, *about;
    bool of_operands;
    text_add(
        &t,
        "\nInjected faults of a virtual board, written KIND:PLACE:NUMBER. PLACE is a field of the case, or\n"
        "a region of its outcome:\n");
    for (unsigned i = 0; (kind = injected_fault_kind_name(i, &about, &of_operands)); i++)
        text_add(&t, "%-18s %s%s\n", kind, of_operands ? "(field) " : "", about);
    return print_result(a, &t, list, STATUS_EQUAL);
}

const struct command command_boards = {
    .name = "boards",
    .synopsis = "",
    .about = "list the kinds of boards",
    .examples = "  misprint boards",
    .details = "Lists what --board takes: hardware, programs and files that run cases. Then lists the "
               "faults that can be injected into a virtual board.",
    .options = {OPTION_JSON, OPTION_END},
    .run = run_boards,
};
