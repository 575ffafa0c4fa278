/* SPDX-License-Identifier: MIT */
#include "tests/model/utgard/support_utgard.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <assert.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const uint32_t vendor_cube[VENDOR_INSNS][4] = {
    {0xad40b42e, 0x438042b5, 0x0007e980, 0x000ad500}, {0xad4ebfac, 0x038042b5, 0x00075f80, 0x000ad500},
    {0xad40340e, 0x438002b5, 0x0007ff80, 0x000ad500}, {0xb48e3f8c, 0x43802adb, 0x0002ff80, 0x0009d500},
    {0xb78f3fce, 0x03808a33, 0x1247eb80, 0x00063500}, {0x2e01be16, 0x4380c271, 0x02475f80, 0x000add02},
    {0x258fbb17, 0x0380c271, 0x0e47fd80, 0x0003fd00}, {0xb58b4ad0, 0x03802ada, 0x0247ff80, 0x000ae100},
    {0x35c83739, 0x1380c036, 0x0147ff80, 0x000ce530}, {0xce8a5a56, 0x0380c370, 0x0247ff80, 0x000c3110},
    {0x264a5acd, 0x83810370, 0x0007ff81, 0x00075500}, {0xad494690, 0x03818279, 0x0007ff80, 0x000d5700},
    {0xad4a4991, 0x038102b5, 0x0007ff80, 0x000ad500}, {0xb00bcafb, 0x478149d3, 0xc647f800, 0x000b8508},
    {0x6c8b52b5, 0x03814193, 0x4243c080, 0x000ac508},
};

struct utgard_file {
    FILE *file;
};

struct utgard_file *utgard_open(void)
{
    struct utgard_file *f = malloc(sizeof *f);
    assert(f);
    f->file = fopen(support_data("compiler-programs/utgard/vertex.txt"), "r");
    if (!f->file) {
        free(f);
        return NULL;
    }
    return f;
}

void utgard_close(struct utgard_file *f)
{
    (void)fclose(f->file);
    free(f);
}

bool utgard_next(struct utgard_file *f, struct utgard_program *p)
{
    char line[2048];
    unsigned n = 0;
    bool found = false, code = false;
    while (fgets(line, sizeof line, f->file)) {
        uint32_t w[4];
        if (sscanf(line, "program %39s stage=vertex instructions=%u uniforms=%u attributes=%*u varyings=%u",
                   p->name, &p->instructions, &p->uniforms, &p->varyings) == 4) {
            assert(p->instructions <= UTGARD_INSNS && p->uniforms <= UTGARD_UNIFORMS);
            found = true;
        } else if (sscanf(line, "uniform %u %x %x %x %x", &n, &w[0], &w[1], &w[2], &w[3]) == 5 &&
                   n < UTGARD_UNIFORMS) {
            memcpy(p->uniform[n], w, sizeof w);
        } else if (!strncmp(line, "code", 4)) {
            code = true;
            n = 0;
        } else if (!strncmp(line, "end", 3)) {
            assert(found && code && n == p->instructions);
            return true;
        } else if (code && sscanf(line, "%x %x %x %x", &w[0], &w[1], &w[2], &w[3]) == 4 && n < UTGARD_INSNS) {
            memcpy(p->word[n], w, sizeof w);
            const char *text = strstr(line, " ; ");
            (void)snprintf(p->text[n++], UTGARD_TEXT, "%.*s", text ? (int)strcspn(text + 3, "\n") : 0,
                           text ? text + 3 : "");
        }
    }
    return false;
}

void utgard_case(struct test_case *c, const uint32_t (*words)[4], unsigned count, unsigned varyings)
{
    const struct unit *u = unit_named("utgard-gp");
    uint32_t *head, *items;
    case_init(c, u);
    *case_field(c, schema_field(&u->schema, "varying-count")) = varyings;
    items = case_items(c, schema_field(&u->schema, "program"), &head);
    *head = count;
    memcpy(items, words, count * sizeof *words);
}

void utgard_row(struct test_case *c, const char *image, unsigned row, const uint32_t words[4])
{
    uint32_t *own = image_own_row(c, schema_field(&c->unit->schema, image), row, true);
    assert(own);
    memcpy(own, words, 4 * sizeof *words);
}

void utgard_place_open(struct utgard_place *p, const char *profile)
{
    struct error e = {0};
    p->unit = unit_named("utgard-gp");
    p->executor = executor_new(p->unit);
    p->plain = outcome_new(p->unit);
    p->checked = outcome_new(p->unit);
    p->c = malloc(sizeof *p->c);
    assert_non_null(p->c);
    assert_true(profile_resolve(p->unit, profile, &p->profile, &e));
    random_seed(&p->random, 400);
}

void utgard_place_close(struct utgard_place *p)
{
    executor_free(p->executor);
    outcome_free(p->plain);
    outcome_free(p->checked);
    free(p->c);
}

void utgard_run(struct utgard_place *p)
{
    executor_run(p->executor, p->c, &p->profile, RUN_PLAIN, p->plain);
    executor_run(p->executor, p->c, &p->profile, RUN_CHECKED, p->checked);
}

uint32_t utgard_bits(double x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

double utgard_value(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/* Returns a number from -1 to 1, in steps that floats hold exactly. */
double utgard_number(struct random *r)
{
    return ((int)random_below(r, 4097) - 2048) / 2048.0;
}

void utgard_close_to(const char *what, unsigned component, double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance * (1 + fabs(expected))))
        fail_msg("%s, component %u: the model gives %.9g, the computation %.9g", what, component, got,
                 expected);
}

/* Checks x, y, z, w as the rasteriser receives them ("Utgard GP", output transformation). */
void utgard_check_position(const char *what, const struct utgard_vertex *v, const uint32_t *words,
                           double tolerance)
{
    double w = 1 / v->position[3];
    if (fabs(v->position[3]) < 0.05)
        return;
    utgard_close_to(what, 3, utgard_value(words[3]), w, tolerance);
    for (unsigned k = 0; k < 3; k++)
        utgard_close_to(what, k, utgard_value(words[k]),
                        v->position[k] * w * v->u[v->viewport][k] + v->u[v->viewport + 1][k],
                        tolerance * (1 + 64 * fabs(w)));
}
