/* SPDX-License-Identifier: MIT */
/* Instructions that break one restriction of Mesa (v3d_restrict.h), for the generator of programs: what
 * happens then can be learned from a board. */
#ifndef MISPRINT_MODEL_V3D_V3D_RECIPES_H
#define MISPRINT_MODEL_V3D_V3D_RECIPES_H

#include "model/v3d/unit_v3d.h"

struct v3d_recipe {
    uint8_t which; /* enum v3d_restriction */
    uint8_t on;    /* bit g: of generation g */
    bool at_end;   /* its instructions replace the last ones of the program */
    /* Instructions, separated by '/'. Each % stands for a number of a register, & for the last one again, @
     * for that of a register with the lanes' addresses, and an instruction ? for any of the ALUs. */
    const char *program;
};

/* Returns a recipe of this generation. `which`: of this restriction, or V3D_RESTRICTION_CLAUSES: of any. NULL
 * if the generation has none. */
const struct v3d_recipe *v3d_recipe(struct random *r, enum v3d_generation g, unsigned which);

/* Does it switch threads before the end? Then the program must have several segments. */
bool v3d_recipe_switches(const struct v3d_recipe *recipe);

/* Adds its instructions to a program, or replaces the last ones. `address`: the first of two registers with
 * the lanes' addresses. */
void v3d_recipe_add(const struct v3d_recipe *recipe, struct random *r, unsigned address, struct v3d_case *c);

#endif
