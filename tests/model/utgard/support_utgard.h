/* SPDX-License-Identifier: MIT */
/*
 * Compiled programs for the Mali Utgard GP: the vendor's textured cube as words, and programs of the lima
 * driver from a file. compiler-programs/utgard/README.md describes the file. Shares no code with
 * model/utgard.
 */
#ifndef MISPRINT_TESTS_MODEL_UTGARD_SUPPORT_UTGARD_H
#define MISPRINT_TESTS_MODEL_UTGARD_SUPPORT_UTGARD_H

#include "oracle/compare/executor.h"

enum { UTGARD_UNIFORMS = 64, UTGARD_INSNS = 512, UTGARD_NAME = 40, UTGARD_TEXT = 320, VENDOR_INSNS = 15 };

struct utgard_program {
    char name[UTGARD_NAME];
    unsigned instructions, uniforms, varyings;
    uint32_t uniform[UTGARD_UNIFORMS][4];
    uint32_t word[UTGARD_INSNS][4];
    char text[UTGARD_INSNS][UTGARD_TEXT]; /* Mesa's own disassembly */
};

/* A textured cube, compiled by the vendor's compiler, from its MBS1 container: gl_Position = matrix *
 * position, and a copied vec2. Uniforms: 0-3 the matrix's columns, 4 viewport scale, 5 viewport offset, 6
 * (-1e10, 1e10, 0, 0). Attributes: position, texture coordinate. */
extern const uint32_t vendor_cube[VENDOR_INSNS][4];

/* Reads the next program of the file; false at its end. */
struct utgard_file;
struct utgard_file *utgard_open(void); /* NULL if there is no MISPRINT_TEST_DATA */
bool utgard_next(struct utgard_file *f, struct utgard_program *p);
void utgard_close(struct utgard_file *f);

/* Makes a case of unit utgard-gp with these instructions. utgard_row sets a row of its memory or
 * attributes. */
void utgard_case(struct test_case *c, const uint32_t (*words)[4], unsigned count, unsigned varyings);
void utgard_row(struct test_case *c, const char *image, unsigned row, const uint32_t words[4]);

/* An executor and two outcomes of unit utgard-gp under one profile. */
struct utgard_place {
    const struct unit *unit;
    struct executor *executor;
    struct outcome *plain, *checked;
    struct test_case *c;
    struct profile profile;
    struct random random;
};
void utgard_place_open(struct utgard_place *p, const char *profile);
void utgard_place_close(struct utgard_place *p);
void utgard_run(struct utgard_place *p); /* runs the case plain and checked */

/* The inputs of a vertex in double precision, and the expected outputs. */
struct utgard_vertex {
    double u[UTGARD_UNIFORMS][4], a[5][4];
    double position[4], out[6][4]; /* position in clip space; varyings 1 and up */
    unsigned viewport;             /* uniform with the scale; the next one has the offset */
    unsigned components[6];        /* number of components of each varying to compare */
};

uint32_t utgard_bits(double x);
double utgard_value(uint32_t bits);
double utgard_number(struct random *r); /* from -1 to 1, in steps that floats hold exactly */
void utgard_close_to(const char *what, unsigned component, double got, double expected, double tolerance);
/* Checks varying 0 as the rasteriser receives it ("Utgard GP", output transformation). */
void utgard_check_position(const char *what, const struct utgard_vertex *v, const uint32_t *words,
                           double tolerance);

#endif
