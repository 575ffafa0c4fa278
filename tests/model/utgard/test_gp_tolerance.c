/* SPDX-License-Identifier: MIT */
/*
 * The position of a vertex whose 1/w is right within four units in the last place (gp-complex-accuracy). The
 * test's own device, in the host's floats, runs the last steps of the vendor's program with a 1/w that is
 * some units off. The comparison must accept up to four units, and no more.
 */
#include "oracle/compare/compare.h"
#include "tests/model/utgard/support_utgard.h"
#include "tests/support/support_bits.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { W = 3 };

struct vertex {
    float position[4], scale[3], offset[3];
};

/* Makes a case whose matrix is the identity, so that the division gets the unchanged position. */
static void make_case(struct utgard_place *p, const struct vertex *v)
{
    uint32_t words[4] = {0};
    utgard_case(p->c, vendor_cube, VENDOR_INSNS, 1);
    for (unsigned n = 0; n < 4; n++)
        utgard_row(p->c, "memory", n,
                   (uint32_t[4]){n == 0 ? 0x3F800000 : 0, n == 1 ? 0x3F800000 : 0, n == 2 ? 0x3F800000 : 0,
                                 n == 3 ? 0x3F800000 : 0});
    for (unsigned k = 0; k < 3; k++)
        words[k] = bits_of(v->scale[k]);
    utgard_row(p->c, "memory", 4, words);
    for (unsigned k = 0; k < 3; k++)
        words[k] = bits_of(v->offset[k]);
    utgard_row(p->c, "memory", 5, words);
    utgard_row(p->c, "memory", 6, (uint32_t[4]){0xD01502F9, 0x501502F9, 0, 0}); /* -1e10, 1e10 */
    for (unsigned k = 0; k < 4; k++)
        words[k] = bits_of(v->position[k]);
    utgard_row(p->c, "attributes", 0, words);
    utgard_run(p);
    assert_int_equal(p->checked->end, END_DONE);
}

/* Returns the correctly rounded 1/w, moved by some units in the last place. */
static uint32_t inverse(float w, int ulps)
{
    float f = (float)(1 / (double)w); /* right, because 1 / w is never near a tie */
    for (; ulps > 0; ulps--)
        f = nextafterf(f, INFINITY);
    for (; ulps < 0; ulps++)
        f = nextafterf(f, -INFINITY);
    return bits_of(f);
}

/* Writes a device's results with this 1/w into the plain outcome, in the order of the program's steps. */
static void put_device(struct utgard_place *p, const struct vertex *v, uint32_t inverse_w)
{
    volatile float x;
    for (unsigned k = 0; k < 3; k++) {
        x = v->position[k] * v->scale[k];
        x = x * float_of(inverse_w);
        x = x + v->offset[k];
        p->plain->value[k] = bits_of(x);
    }
    p->plain->value[W] = inverse_w;
}

static bool agrees(const struct utgard_place *p, struct differences *d)
{
    struct tally t = {0};
    bool equal = outcomes_equal(p->checked, p->plain, &t, d);
    assert_int_equal(t.vacuous, 0);
    assert_int_equal(t.lanes, 4);
    return equal;
}

/* The comparison accepts a device up to four units off. At five units it finds w different. */
static void check_distances(struct utgard_place *p, const struct vertex *v)
{
    struct differences d;
    for (int ulps = -5; ulps <= 5; ulps++) {
        bool right = ulps >= -4 && ulps <= 4;
        put_device(p, v, inverse(v->position[W], ulps));
        bool equal = agrees(p, &d);
        if (equal != right)
            support_fail_case(p->c, "1/w %d units off: %08x, %08x, %08x, %08x %s", ulps, p->plain->value[0],
                              p->plain->value[1], p->plain->value[2], p->plain->value[3],
                              equal ? "counts as right" : "counts as wrong");
        assert_true(right || (d.bits && d.listed && d.word[d.listed - 1].col == W));
    }
}

/* Around 1/w = 2^k the neighbours on the two sides have no leading bits in common. */
static void powers_of_two(void **state)
{
    (void)state;
    struct utgard_place p;
    utgard_place_open(&p, "mali400");
    for (int k = -30; k <= 30; k++)
        for (unsigned negative = 0; negative < 2; negative++) {
            const struct vertex v = {.position = {3, -5, 0.5F, ldexpf(negative ? -1 : 1, k)},
                                     .scale = {24, 16, 0.5F},
                                     .offset = {24, 16, 0.625F}};
            make_case(&p, &v);
            assert_int_equal(p.checked->tolerance[W], 4);
            check_distances(&p, &v);
            put_device(&p, &v, inverse(v.position[W], 0));
            static const uint32_t garbage[] = {0, 0x80000000, 0x7F800000, 0x7FC00000, 0x12345678, 0xDEADBEEF};
            for (unsigned n = 0; n < sizeof garbage / sizeof *garbage; n++)
                for (unsigned column = 0; column < 4; column++) {
                    uint32_t before = p.plain->value[column];
                    p.plain->value[column] = garbage[n];
                    if (agrees(&p, NULL))
                        support_fail_case(p.c, "component %u: %08x counts as right for %08x", column,
                                          garbage[n], before);
                    p.plain->value[column] = before;
                }
        }
    utgard_place_close(&p);
}

static float any_float(struct random *r, int least, int most)
{
    float f = ldexpf(1 + (float)random_below(r, 1 << 23) / (1 << 23),
                     least + (int)random_below(r, (uint32_t)(most - least)));
    if (random_one_in(r, 3))
        f = ldexpf(1, least + (int)random_below(r, (uint32_t)(most - least)));
    return random_one_in(r, 2) ? -f : f;
}

/* Compares all components of 20,000 vertices. The comparison must notice every wrong w. In the other
 * components it may miss a wrong word if the offset cancels the product. */
static void random_vertices(void **state)
{
    (void)state;
    struct utgard_place p;
    unsigned count = support_scaled(20000), words = 0, noticed = 0;
    utgard_place_open(&p, "mali400");
    for (unsigned n = 0; n < count; n++) {
        struct vertex v;
        for (unsigned k = 0; k < 3; k++) {
            v.position[k] = any_float(&p.random, -8, 8);
            v.scale[k] = any_float(&p.random, -2, 12);
            v.offset[k] = any_float(&p.random, -2, 12);
        }
        v.position[W] = any_float(&p.random, -16, 16);
        make_case(&p, &v);
        check_distances(&p, &v);
        for (unsigned column = 0; column < 4; column++) {
            put_device(&p, &v, inverse(v.position[W], 0));
            uint32_t wrong = p.plain->value[column] ^ (random_u32(&p.random) | 0x100);
            p.plain->value[column] = wrong;
            bool seen = !agrees(&p, NULL);
            words++;
            noticed += seen;
            if (column == W && !seen)
                support_fail_case(p.c, "w: %08x counts as right", wrong);
        }
    }
    print_message("  %u of %u wrong words noticed in %u vertices\n", noticed, words, count);
    assert_true(noticed > words / 1000 * 995);
    utgard_place_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(powers_of_two), cmocka_unit_test(random_vertices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
