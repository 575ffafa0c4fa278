/* SPDX-License-Identifier: MIT */
/* 35 vertex shaders, compiled by Mesa's lima driver, run on the Utgard GP. The results are compared with the
 * same computation in double precision. */
#include "tests/model/utgard/support_utgard.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

typedef void meaning(struct utgard_vertex *v);

static void copy4(double *to, const double *from)
{
    memcpy(to, from, 4 * sizeof *to);
}

/* Computes m * x. The matrix m has its columns in the uniforms from `first` on. */
static void transform(const struct utgard_vertex *v, unsigned first, unsigned size, const double *x,
                      double *y)
{
    double r[4] = {0};
    for (unsigned k = 0; k < size; k++)
        for (unsigned n = 0; n < size; n++)
            r[k] += v->u[first + n][k] * x[n];
    memcpy(y, r, size * sizeof *y);
}

/* Computes x * m. */
static void transform_left(const struct utgard_vertex *v, unsigned first, unsigned size, const double *x,
                           double *y)
{
    double r[4] = {0};
    for (unsigned k = 0; k < size; k++)
        for (unsigned n = 0; n < size; n++)
            r[k] += v->u[first + k][n] * x[n];
    memcpy(y, r, size * sizeof *y);
}

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double clamp_to(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

#define EACH(k) for (unsigned k = 0; k < 4; k++)
#define A0      (v->a[0])
#define A1      (v->a[1])
#define OUT     (v->out[0])
#define U       (v->u)

static void abs_sign(struct utgard_vertex *v)
{
    EACH(k)
    {
        v->position[k] = fabs(A0[k]);
        OUT[k] = (A1[k] > 0 ? 1 : A1[k] < 0 ? -1 : 0) * fabs(A1[3 - k]);
    }
}

static void add_sub_neg(struct utgard_vertex *v)
{
    EACH(k)
    {
        v->position[k] = A0[k] - U[0][k];
        OUT[k] = -A1[k] + U[0][k] + A0[k];
    }
}

static void attribute_fixed_partial(struct utgard_vertex *v)
{
    EACH(k) OUT[k] = A1[k] + v->a[2][k];
}

static void attribute_shorts(struct utgard_vertex *v)
{
    EACH(k) OUT[k] = A1[k] - v->a[2][k];
}

static void attribute_unnormalised(struct utgard_vertex *v)
{
    EACH(k) OUT[k] = A1[k] + v->a[2][k] + v->a[3][k] + v->a[4][k];
}

static void clamp_const(struct utgard_vertex *v)
{
    EACH(k) OUT[k] = clamp_to(A1[k], 0, 1) + clamp_to(A0[k], -0.5, 0.75);
}

static void constants_only(struct utgard_vertex *v)
{
    static const double c[4] = {0.1, 0.25, -3, 7.5};
    copy4(OUT, c);
    v->position[2] = 0.5;
    v->position[3] = 1;
}

static void exp2_log2(struct utgard_vertex *v)
{
    OUT[0] = exp2(A1[0]);
    OUT[1] = log2(A1[1] + 2);
    OUT[2] = exp(A1[2]);
    OUT[3] = log(A1[3] + 2);
}

static void fog(struct utgard_vertex *v)
{
    double e[4];
    transform(v, 0, 4, A0, e);
    transform(v, 4, 4, e, v->position);
    double f = clamp_to((U[8][1] + e[2]) / (U[8][1] - U[8][0]), 0, 1);
    EACH(k) OUT[k] = (U[9][k] * (1 - f) + A1[k] * f) * exp(-f);
}

static void if_else(struct utgard_vertex *v)
{
    EACH(k) OUT[k] = A1[0] > U[0][0] ? A1[k] * 2 : A0[3 - k] - 1;
}

static void if_nested(struct utgard_vertex *v)
{
    double e = U[0][0];
    EACH(k) OUT[k] = A1[0] < e ? (A1[1] < e ? A1[k] * 3 : exp2(A1[k])) : A1[2] > 0 ? -A1[k] : A1[k];
    OUT[0] += A1[0] < e ? 1 : 0;
}

static void if_no_flatten(struct utgard_vertex *v)
{
    EACH(k)
    {
        double r = A1[k];
        if (U[8][0] > A1[0]) {
            r = r * U[0][k] + U[1][k];
            r = r * r + U[2][k];
            r = r * U[3][k] + U[4][k];
            r = 1 / sqrt(fabs(r) + 1);
            r = log2(r + 2) * U[5][k];
            r = r * U[6][k] + U[7][k];
        } else {
            r = sqrt(fabs(r));
            r = r * U[1][k] - U[0][k];
            r = 1 / (r + 3);
        }
        OUT[k] = r;
    }
}

static void int_ops(struct utgard_vertex *v)
{
    double k = U[0][0], i = trunc(A1[0] * 9) + k, j = i * 3 - k;
    const double c[4] = {i, j, i > j, i == k};
    copy4(OUT, c);
}

static void lighting(struct utgard_vertex *v)
{
    double n[3];
    transform(v, 0, 4, A0, v->position);
    transform(v, 4, 3, A1, n);
    double length = sqrt(dot3(n, n));
    EACH(k) OUT[k] = U[8][k] + U[9][k] * fmax(dot3(n, U[7]) / length, 0);
}

static void loop_continue(struct utgard_vertex *v)
{
    EACH(k)
    {
        OUT[k] = 0;
        for (int i = 0; i < 64 && !(i > U[0][0]); i++)
            OUT[k] += i % 2 ? 0 : A1[k] * i;
    }
}

static void loop_data_break(struct utgard_vertex *v)
{
    double z[2] = {0, 0}, n = 0;
    for (int i = 0; i < 100 && !(z[0] * z[0] + z[1] * z[1] > 4); i++) {
        double x = z[0] * z[0] - z[1] * z[1] + A1[0] * U[0][0];
        z[1] = 2 * z[0] * z[1] + A1[1] * U[0][1];
        z[0] = x;
        n++;
    }
    const double c[4] = {z[0], z[1], n, 1};
    copy4(OUT, c);
}

static void loop_nested(struct utgard_vertex *v)
{
    double s = A1[0];
    for (int i = 0; i < U[0][0]; i++) {
        for (int j = 0; j < U[1][0]; j++)
            s = s * 0.5 + A1[1];
        s -= A1[2];
    }
    EACH(k) OUT[k] = s;
}

static void loop_trip(struct utgard_vertex *v)
{
    copy4(OUT, A1);
    for (int i = 0; i < U[0][0]; i++)
        EACH(k) OUT[k] = OUT[k] * U[1][k] + A0[k];
}

static void matrix2(struct utgard_vertex *v)
{
    transform(v, 0, 2, A0, v->position);
    transform(v, 0, 2, A1, OUT);
    transform_left(v, 0, 2, A1 + 2, OUT + 2);
}

static void matrix_product(struct utgard_vertex *v)
{
    double q[3][4] = {{0}};
    for (unsigned n = 0; n < 3; n++)
        transform(v, 0, 3, U[3 + n], q[n]);
    for (unsigned k = 0; k < 3; k++) {
        v->position[k] = q[0][k] * A0[0] + q[1][k] * A0[1] + q[2][k] * A0[2];
        OUT[k] = dot3(q[k], A1);
    }
    v->position[3] = 1;
    OUT[3] = q[2][0];
}

static void mixed_varyings(struct utgard_vertex *v)
{
    static const unsigned order[] = {2, 0, 1};
    v->components[0] = 3; /* the compiler packs u and f into one varying */
    v->components[1] = 3;
    OUT[0] = A1[0] * 2;
    OUT[1] = A1[1] * 2;
    OUT[2] = A1[2];
    for (unsigned k = 0; k < 3; k++)
        v->out[1][k] = A1[order[k]];
}

static void mvp_transposed(struct utgard_vertex *v)
{
    transform_left(v, 0, 4, A0, v->position);
    transform_left(v, 0, 4, A1, OUT);
}

static void int_div(struct utgard_vertex *v)
{
    double k = U[0][0], i = trunc(A1[0] * 90), j = trunc(i / 7);
    const double c[4] = {i - j * 7, j, trunc(i / k), 1};
    copy4(OUT, c);
}

/* gl_PointSize has no fixed place. In this shader it is varying 1, and the driver clamps it to 1 .. 100. */
static void point_size(struct utgard_vertex *v)
{
    OUT[0] = clamp_to(A1[0] * U[0][0] + 1, 1, 100);
    v->components[0] = 1;
    copy4(v->out[1], A1);
}

static void polynomial(struct utgard_vertex *v)
{
    double r = U[5][0];
    for (int n = 4; n >= 0; n--)
        r = r * A1[0] + U[n][0];
    const double c[4] = {r, r * r, -r, 1 - r};
    copy4(OUT, c);
}

static void register_pressure(struct utgard_vertex *v)
{
    EACH(n)
    {
        double k[12];
        for (unsigned m = 0; m < 12; m++)
            k[m] = U[m][n];
        double b = A1[n] * k[0] + k[1], d = A0[n] * k[2] + k[3], e = b * d + k[4], f = b - d * k[5],
               g = e * f + k[6], h = e - f * k[7];
        double i = g * h + b, j = g - h * d, l = i * j + e, m = i - j * f;
        v->position[n] = (b + d * e) * (f + g) * k[8] + h * k[9];
        OUT[n] = i * l + j * m + l * k[10] - m * k[11] + b * d * e * f * g * h;
    }
}

static void six_varyings(struct utgard_vertex *v)
{
    EACH(k)
    {
        const double *a2 = v->a[2];
        const double c[6] = {A1[k],   a2[k] * U[0][k],      A1[k] + a2[k],
                             U[1][k], fmax(A1[k], U[2][k]), a2[3 - k] * U[3][k]};
        for (unsigned n = 0; n < 6; n++)
            v->out[n][k] = c[n];
    }
}

static void spill(struct utgard_vertex *v)
{
    double r[16][4], s[4] = {0};
    static const unsigned turned[] = {1, 2, 3, 0};
    for (unsigned i = 0; i < 16; i++)
        EACH(k) r[i][k] = A1[k] * U[i][k] + A0[turned[k]];
    for (unsigned i = 0; i < 16; i++)
        EACH(k) s[k] += r[i][k] * r[15 - i][k];
    for (unsigned i = 0; i < 16; i++)
        EACH(k) s[k] = s[k] * 0.5 + r[i][3 - k];
    for (unsigned i = 0; i < 8; i++)
        EACH(k) s[k] = s[k] * r[2 * i][k] - r[i + 3][k];
    EACH(k)
    {
        v->position[k] = A0[k] + s[k];
        OUT[k] = s[k];
    }
}

static void step_smoothstep(struct utgard_vertex *v)
{
    EACH(k)
    {
        double t = clamp_to((A1[3 - k] - 0.2) / 0.6, 0, 1);
        OUT[k] = (A1[k] < U[0][k] ? 0 : 1) + t * t * (3 - 2 * t);
    }
}

static void swizzles(struct utgard_vertex *v)
{
    static const unsigned position[] = {1, 0, 3, 2}, factor[] = {3, 3, 1, 1}, other[] = {1, 0, 2, 3};
    const double first[4] = {A1[2], A1[2], U[0][0], A0[3]};
    EACH(k)
    {
        v->position[k] = A0[position[k]];
        OUT[k] = first[k] + U[0][factor[k]] * A1[other[k]];
    }
}

static void three_lights(struct utgard_vertex *v)
{
    EACH(k) OUT[k] = 0.05;
    for (unsigned i = 0; i < 3; i++) {
        const double d[3] = {U[i][0] - A0[0], U[i][1] - A0[1], U[i][2] - A0[2]};
        double r = 1 / sqrt(dot3(d, d));
        EACH(k) OUT[k] += U[3 + i][k] * fmax(dot3(A1, d) * r, 0);
    }
}

static void three_matrices(struct utgard_vertex *v)
{
    double x[4];
    transform(v, 0, 4, A0, x);
    transform(v, 4, 4, x, x);
    transform(v, 8, 4, x, v->position);
    copy4(OUT, A1);
}

static void uniform_array_indirect(struct utgard_vertex *v)
{
    A1[0] = fabs(A1[0]) * 7.9;
    copy4(OUT, U[(unsigned)A1[0]]);
}

static void wave(struct utgard_vertex *v)
{
    double q[4];
    copy4(q, A0);
    double d = sqrt(q[0] * q[0] + q[1] * q[1]) * U[4][0] - U[4][1];
    q[2] += exp2(-d * d) * U[4][2];
    double e = d * U[4][3] - floor(d * U[4][3]);
    q[1] += e * (1 - e) * 4;
    transform(v, 0, 4, q, v->position);
    const double c[4] = {d, e, q[2], q[3]};
    copy4(OUT, c);
}

static void while_newton(struct utgard_vertex *v)
{
    double x = A1[0] + 2, e = 1;
    while (e > 0.001) {
        double y = 0.5 * (x + (A1[1] + 3) / x);
        e = fabs(y - x);
        x = y;
    }
    const double c[4] = {x, e, x * x, 1};
    copy4(OUT, c);
}

/* The function that each shader computes. With FREE, its uniforms may have any values. */
static const struct {
    const char *name;
    meaning *computes;
    double tolerance;
    enum { AS_THEY_ARE, FREE, COUNTS } uniforms;
} meanings[] = {
    {"abs_sign", abs_sign, 1e-5, FREE},
    {"add_sub_neg", add_sub_neg, 1e-5, FREE},
    {"attribute_fixed_partial", attribute_fixed_partial, 1e-5, FREE},
    {"attribute_shorts", attribute_shorts, 1e-5, FREE},
    {"attribute_unnormalised", attribute_unnormalised, 1e-5, FREE},
    {"clamp_const", clamp_const, 1e-5, FREE},
    {"constants_only", constants_only, 1e-5, FREE},
    {"exp2_log2", exp2_log2, 1e-5, FREE},
    {"fog", fog, 1e-4, AS_THEY_ARE},
    {"if_else", if_else, 1e-5, FREE},
    {"if_nested", if_nested, 1e-5, FREE},
    {"if_no_flatten", if_no_flatten, 1e-4, AS_THEY_ARE},
    {"int_div", int_div, 1e-5, AS_THEY_ARE},
    {"int_ops", int_ops, 1e-5, AS_THEY_ARE},
    {"lighting", lighting, 1e-4, AS_THEY_ARE},
    {"loop_continue", loop_continue, 1e-5, COUNTS},
    {"loop_data_break", loop_data_break, 1e-3, AS_THEY_ARE},
    {"loop_nested", loop_nested, 1e-5, COUNTS},
    {"loop_trip", loop_trip, 1e-5, COUNTS},
    {"matrix2", matrix2, 1e-5, FREE},
    {"matrix_product", matrix_product, 1e-5, FREE},
    {"mixed_varyings", mixed_varyings, 1e-5, FREE},
    {"mvp_transposed", mvp_transposed, 1e-5, FREE},
    {"point_size", point_size, 1e-5, FREE},
    {"polynomial", polynomial, 1e-5, FREE},
    {"register_pressure", register_pressure, 1e-4, FREE},
    {"six_varyings", six_varyings, 1e-5, FREE},
    {"spill", spill, 1e-4, AS_THEY_ARE},
    {"step_smoothstep", step_smoothstep, 1e-5, FREE},
    {"swizzles", swizzles, 1e-5, FREE},
    {"three_lights", three_lights, 1e-4, AS_THEY_ARE},
    {"three_matrices", three_matrices, 1e-4, FREE},
    {"uniform_array_indirect", uniform_array_indirect, 1e-5, FREE},
    {"wave", wave, 1e-3, AS_THEY_ARE},
    {"while_newton", while_newton, 1e-3, AS_THEY_ARE},
};
enum { MEANINGS = sizeof meanings / sizeof *meanings, VERTICES = 300 };

static void set_inputs(struct utgard_place *p, const struct utgard_program *prog, struct utgard_vertex *v,
                       unsigned m)
{
    static const uint32_t viewport[4] = {0x41C00000, 0x41800000, 0x3F000000, 0x00000000}; /* 24, 16, 0.5, 0 */
    uint32_t words[4];
    for (v->viewport = 0; memcmp(prog->uniform[v->viewport], viewport, sizeof viewport) != 0; v->viewport++)
        assert_true(v->viewport + 2 < prog->uniforms);
    for (unsigned n = 0; n < prog->uniforms; n++)
        for (unsigned k = 0; k < 4; k++) {
            bool own = n < v->viewport;
            double given = utgard_value(prog->uniform[n][k]);
            bool counts = meanings[m].uniforms == COUNTS && own && k == 0 &&
                          (n == 0 || !strcmp(prog->name, "loop_nested"));
            v->u[n][k] = counts                                ? random_below(&p->random, 7)
                         : own && meanings[m].uniforms == FREE ? 2 * utgard_number(&p->random)
                                                               : given;
        }
    for (unsigned n = 0; n < 5; n++)
        for (unsigned k = 0; k < 4; k++)
            v->a[n][k] = utgard_number(&p->random);
    v->a[0][3] = 1.5 + v->a[0][3]; /* keeps w away from 0 */
    copy4(v->position, v->a[0]);
    for (unsigned n = 0; n < 6; n++)
        v->components[n] = 4;
    meanings[m].computes(v);
    utgard_case(p->c, prog->word, prog->instructions, prog->varyings);
    for (unsigned n = 0; n < prog->uniforms; n++) {
        for (unsigned k = 0; k < 4; k++)
            words[k] = utgard_bits(v->u[n][k]);
        utgard_row(p->c, "memory", n, words);
    }
    for (unsigned n = 0; n < 5; n++) {
        for (unsigned k = 0; k < 4; k++)
            words[k] = utgard_bits(v->a[n][k]);
        utgard_row(p->c, "attributes", n, words);
    }
}

struct counts {
    unsigned programs, vertices, words, defined;
};

static void check_vertex(struct utgard_place *p, const struct utgard_program *prog, unsigned m,
                         struct counts *n)
{
    static struct utgard_vertex v;
    set_inputs(p, prog, &v, m);
    utgard_run(p);
    /* The exit of this shader's loop depends on a quotient whose last bits are undefined, so a checked run
     * may stop. */
    bool by_quotient = meanings[m].computes == while_newton && p->checked->end == END_UNDEFINED;
    if (p->plain->end != END_DONE || (p->checked->end != END_DONE && !by_quotient))
        support_fail_case(p->c, "%s ends as %s, checked %s", prog->name, end_name(p->plain->end),
                          end_name(p->checked->end));
    utgard_check_position(prog->name, &v, p->plain->value, meanings[m].tolerance);
    for (unsigned o = 0; o + 1 < prog->varyings; o++)
        for (unsigned k = 0; k < v.components[o]; k++) {
            uint32_t at = 4 * (o + 1) + k;
            utgard_close_to(prog->name, k, utgard_value(p->plain->value[at]), v.out[o][k],
                            meanings[m].tolerance);
            n->words += !by_quotient;
            n->defined +=
                !by_quotient && p->checked->defined[at] >> 23 == 0x1FF; /* at least sign and exponent */
        }
    n->vertices++;
}

static void shaders_do_what_they_mean(void **state)
{
    (void)state;
    struct utgard_file *f = utgard_open();
    if (!f) {
        print_message("SKIPPED: no compiler-programs/utgard in MISPRINT_TEST_DATA\n");
        skip();
        return;
    }
    static struct utgard_program prog;
    struct counts n = {0};
    struct utgard_place p;
    utgard_place_open(&p, "mali400");
    while (utgard_next(f, &prog))
        for (unsigned m = 0; m < MEANINGS; m++) {
            if (strcmp(prog.name, meanings[m].name) != 0)
                continue;
            n.programs++;
            for (unsigned k = 0; k < support_scaled(VERTICES); k++)
                check_vertex(&p, &prog, m, &n);
        }
    print_message("  %u programs, %u vertices; sign and exponent are defined in %u of %u words\n", n.programs,
                  n.vertices, n.defined, n.words);
    assert_int_equal(n.programs, MEANINGS);
    assert_true(n.defined > n.words * 9 / 10);
    utgard_close(f);
    utgard_place_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shaders_do_what_they_mean)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
