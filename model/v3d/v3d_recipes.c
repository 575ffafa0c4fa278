/* SPDX-License-Identifier: MIT */
#include "model/v3d/v3d_recipes.h"

#include <string.h>

enum { ON_42 = 1 << V3D_42, ON_71 = 1 << V3D_71, ON_BOTH = ON_42 | ON_71 };
enum { REGISTERS_FROM = 4, REGISTERS = 8, ADDRESSES = 2 }; /* the launch sets some of the first four */

#define SWITCH "nop ; nop ; thrsw"

/* clang-format off */
static const struct v3d_recipe recipes[] = {
    {V3D_BREAKS_BRANCH_IN_BRANCH_SLOT, ON_BOTH, false, "b.anya 8/?/b.na0 8/?/?/?/?/?"},
    {V3D_BREAKS_BRANCH_IN_BRANCH_SLOT, ON_BOTH, false, "b 8/?/?/b.anyna 0/?/?/?/?"},
    {V3D_BREAKS_BRANCH_IN_THRSW_SLOT, ON_BOTH, false, SWITCH "/?/b.anya 8/?/?/?/?"},
    {V3D_BREAKS_BRANCH_IN_THRSW_SLOT, ON_BOTH, false, SWITCH "/b 0/?/?/?"},
    {V3D_BREAKS_THRSW_IN_BRANCH_SLOT, ON_BOTH, false, "b.anya 8/?/" SWITCH "/?/?/?"},
    {V3D_BREAKS_THRSW_IN_BRANCH_SLOT, ON_BOTH, false, "b 0/?/?/" SWITCH "/?/?"},
    {V3D_BREAKS_THRSW_SPACING, ON_BOTH, false, SWITCH "/?/" SWITCH "/?/?/?"},
    {V3D_BREAKS_SECOND_LAST_THRSW, ON_BOTH, false, SWITCH "/" SWITCH "/?/?"},
    {V3D_BREAKS_END_WRITE, ON_42, true, "nop ; mov rf%, rf% ; thrsw/nop/nop"},
    {V3D_BREAKS_END_WRITE, ON_42, true, SWITCH "/add rf%, rf%, rf%/nop"},
    {V3D_BREAKS_END_WRITE, ON_42, true, SWITCH "/nop/eidx rf%"},
    {V3D_BREAKS_END_WRITE, ON_71, true, "add rf%, rf%, rf% ; nop ; thrsw/nop/nop"},
    {V3D_BREAKS_END_PAYLOAD, ON_71, true, SWITCH "/nop/mov rf2, rf%"},
    {V3D_BREAKS_END_PAYLOAD, ON_71, true, SWITCH "/eidx rf3/nop"},
    {V3D_BREAKS_END_TMUWT, ON_42, true, SWITCH "/nop/tmuwt -"},
    {V3D_BREAKS_SFU_IN_THRSW_SLOT, ON_42, false, SWITCH "/nop/mov recip, rf%/nop/nop/mov rf%, r4"},
    {V3D_BREAKS_SFU_IN_THRSW_SLOT, ON_42, false, SWITCH "/mov exp, rf%/nop/nop/mov rf%, r4"},
    {V3D_BREAKS_SFU_IN_THRSW_SLOT, ON_42, false, "nop ; mov rsqrt, rf% ; thrsw/nop/nop/mov rf%, r4"},
    {V3D_BREAKS_SFU_R4, ON_42, false, "mov recip, rf%/mov rf%, r4/nop/mov rf%, r4"},
    {V3D_BREAKS_SFU_R4, ON_42, false, "mov log, rf%/add rf%, r4, rf%/?/?"},
    {V3D_BREAKS_SFU_R4, ON_42, false, "mov exp, rf%/mov r4, rf%/nop/mov rf%, r4"},
    {V3D_BREAKS_SFU_R4, ON_42, false, "mov rsqrt, rf%/mov recip, rf%/nop/mov rf%, r4"},
    {V3D_BREAKS_PERIPHERALS, ON_42, false, "mov tmua, rf@/nop ; mov tmud, rf% ; ldtmu.rf%/mov tmua, rf@"},
    {V3D_BREAKS_PERIPHERALS, ON_42, false, "recip rf%, rf% ; mov exp, rf&/nop/mov rf%, r4"},
    {V3D_BREAKS_PERIPHERALS, ON_71, false, "recip rf%, rf% ; mov tmud, rf%/mov tmua, rf@"},
    {V3D_BREAKS_PERIPHERALS, ON_71, false, "mov tmud, rf% ; mov tmua, rf@"},
    {V3D_BREAKS_IMMEDIATE, ON_71, false, "nop ; mov rf%, rf% ; smimm_a"},
    {V3D_BREAKS_IMMEDIATE, ON_71, false, "nop ; fmul rf%, rf%, rf% ; smimm_b"},
    {V3D_BREAKS_IMMEDIATE, ON_71, false, "add rf%, rf%, rf% ; nop ; smimm_c"},
    {V3D_BREAKS_IMMEDIATE, ON_71, false, "xor rf%, rf%, rf% ; nop ; smimm_d"},
    {V3D_BREAKS_UMUL24, ON_BOTH, false,
     "multop -, rf%, rf%/" SWITCH "/nop/nop/nop ; umul24 rf%, rf%, rf&"},
    {V3D_BREAKS_UMUL24, ON_BOTH, false,
     SWITCH "/multop -, rf%, rf%/nop/nop ; umul24 rf%, rf%, rf&"},
    {V3D_BREAKS_TWO_UNIFORMS, ON_BOTH, false, "nop ; mov tmuau, rf@ ; ldunif/nop ; nop ; ldtmu.rf%"},
    {V3D_BREAKS_TWO_UNIFORMS, ON_BOTH, false, "nop ; mov tmuau, rf@ ; wrtmuc/nop ; nop ; ldtmu.rf%"},
    {V3D_BREAKS_UNIFA_DELAY, ON_BOTH, false, "mov unifa, rf@/nop/nop/nop ; nop ; ldunifarf.rf%"},
    {V3D_BREAKS_UNIFA_DELAY, ON_BOTH, false, "mov unifa, rf@/nop ; nop ; ldunifarf.rf%"},
    {V3D_BREAKS_UNIFA_DELAY, ON_BOTH, false,
     "mov unifa, rf@/nop/nop/nop/mov unifa, rf@/nop/nop ; nop ; ldunifarf.rf%"},
    {V3D_BREAKS_UNIFA_DELAY, ON_BOTH, false,
     "mov unifa, rf@/nop/nop/nop/mov unifa, rf@/nop ; nop ; ldunifarf.rf%"},
    {V3D_BREAKS_UNIFA_BRANCH, ON_BOTH, false,
     "mov unifa, rf@/nop/nop/nop/mov unifa, rf@/nop/b 0/nop/nop/nop/nop ; nop ; ldunifarf.rf%"},
    {V3D_BREAKS_UNIFA_BRANCH, ON_BOTH, false,
     "mov unifa, rf@/nop/b 0/nop/nop/nop/nop ; nop ; ldunifarf.rf%"},
    {V3D_BREAKS_UNIFA_THRSW, ON_BOTH, false,
     SWITCH "/nop/mov unifa, rf@/nop/nop/nop/nop ; nop ; ldunifarf.rf%"},
    {V3D_BREAKS_UNIFORM_IN_BRANCH_SLOT, ON_BOTH, false,
     "bu 0, rf@/nop/nop ; nop ; ldunifrf.rf%/nop/nop ; nop ; ldunifrf.rf%"},
    {V3D_BREAKS_UNIFORM_IN_BRANCH_SLOT, ON_BOTH, false, "bu 0, rf@/nop ; nop ; ldunifrf.rf%/nop/nop"},
    {V3D_BREAKS_UNIFORM_IN_BRANCH_SLOT, ON_BOTH, false, "bu 0, rf@/nop/nop ; nop ; ldunifrf.rf%/nop"},
    {V3D_BREAKS_ROT_EARLY, ON_42, false, "add r2, rf%, rf%/nop ; mov rf%, r2 ; rot.3"},
    {V3D_BREAKS_ROT_EARLY, ON_42, false, "add rf6, rf%, rf%/nop ; mov rf%, rf6 ; rot.1"},
    {V3D_BREAKS_ROT_EARLY, ON_42, false, "eidx rf%/mov r5, rf&/nop ; mov rf%, r1 ; rot.r5"},
    {V3D_BREAKS_ROT_DESTINATION, ON_71, false, "rot rep, rf%, rf%/nop/mov rf%, rf0"},
    {V3D_BREAKS_ROT_DESTINATION, ON_71, false, "rotq quad, rf%, rf%/nop/mov rf%, rf0"},
    {V3D_BREAKS_ROT_DESTINATION, ON_71, false, "rot tmud, rf%, rf%/mov tmua, rf@"},
    {V3D_BREAKS_RF0_AT_THRSW, ON_71, false,
     "mov tmua, rf@/" SWITCH "/nop/nop ; nop ; ldtmu.rf% ; ldunif/nop/mov rf%, rf0"},
};
/* clang-format on */

enum { RECIPES = sizeof recipes / sizeof *recipes };

const struct v3d_recipe *v3d_recipe(struct random *r, enum v3d_generation g, unsigned which)
{
    uint32_t fit = 0;
    for (unsigned n = 0; n < RECIPES; n++)
        fit += (recipes[n].on >> g & 1) && (recipes[n].which == which || which == V3D_RESTRICTION_CLAUSES);
    uint32_t left = fit ? random_below(r, fit) : 0;
    for (unsigned n = 0; n < RECIPES && fit; n++)
        if ((recipes[n].on >> g & 1) && (recipes[n].which == which || which == V3D_RESTRICTION_CLAUSES) &&
            !left--)
            return &recipes[n];
    return NULL;
}

bool v3d_recipe_switches(const struct v3d_recipe *recipe)
{
    return !recipe->at_end && strstr(recipe->program, "thrsw");
}

/* Writes one instruction with numbers in place of %, & and @. `last`: the last register. */
static size_t fill_in(const char *from, size_t length, struct random *r, unsigned address, unsigned *last,
                      char *to)
{
    size_t count = 0;
    for (size_t n = 0; n < length; n++) {
        if (from[n] == '%')
            *last = REGISTERS_FROM + random_below(r, REGISTERS);
        unsigned number = from[n] == '@' ? address + random_below(r, ADDRESSES) : *last;
        if (strchr("%&@", from[n])) {
            if (number >= 10)
                to[count++] = (char)('0' + number / 10);
            to[count++] = (char)('0' + number % 10);
        } else {
            to[count++] = from[n];
        }
    }
    return count;
}

void v3d_recipe_add(const struct v3d_recipe *recipe, struct random *r, unsigned address, struct v3d_case *c)
{
    enum { LINE_MAX = 96 };
    char line[LINE_MAX];
    unsigned last = REGISTERS_FROM;
    uint32_t lines = 1;
    for (const char *at = recipe->program; *at; at++)
        lines += *at == '/';
    if (recipe->at_end)
        c->program.count -= lines;
    for (const char *at = recipe->program; lines; lines--) {
        size_t length = strcspn(at, "/");
        uint64_t word = v3d_nop[c->generation];
        struct error e = {0};
        uint32_t *to = c->program.word + 2 * c->program.count++;
        size_t count = fill_in(at, length, r, address, &last, line);
        if (*at == '?')
            v3d_code[c->generation].generate(r, to);
        else if (v3d_parse((enum v3d_generation)c->generation, line, count, &word, &e))
            v3d_split(word, to);
        else
            v3d_split(v3d_nop[c->generation], to);
        at += length + (at[length] == '/');
    }
}
