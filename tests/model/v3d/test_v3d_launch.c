/* SPDX-License-Identifier: MIT */
/*
 * Runs the compute jobs of compiled programs (support_v3d.h), and compares the buffers with the words that a
 * CPU renderer computed for the same shader. Integers must be equal. Floats may differ by 4 ulps, or by more
 * (v3d_sfu_tolerance) where an inexact result of the SFU reached them.
 */
#include "model/core/memory.h"
#include "model/number/tolerance.h"
#include "model/v3d/run/v3d_plan.h"
#include "tests/model/v3d/support_v3d.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LIMIT = 20000000, ULPS = 4 };

/* How a launch compares. */
enum verdict { EQUAL, NEAR, INEXACT, BY_ORDER, EXCEPTION, REFUSED, NOTHING, DIFFERS, VERDICTS };
static const char *const verdict_names[VERDICTS] = {
    [EQUAL] = "equal",
    [NEAR] = "within 4 ulps",
    [INEXACT] = "within the SFU's tolerance",
    [BY_ORDER] = "depends on order",
    [EXCEPTION] = "known exception",
    [REFUSED] = "refused",
    [NOTHING] = "nothing expected",
    [DIFFERS] = "differs",
};

/* Programs for which the renderer's words are no measure, and why. */
static const struct {
    const char *name, *why;
} exceptions[] = {
    {"flt_mediump", "the renderer computes mediump floats with 16 bits, Mesa's V3D compiler with 32"},
    {"unpack_norm8",
     "5 ulps: a sum that cancels magnifies the last bits of the products with 1/127 and 1/255"},
};

struct job {
    struct v3d_test_program program;
    struct v3d_test_memory memory;
    struct v3d_insn insn[V3D_TEST_PROGRAM_MAX];
    struct v3d_plan plan[V3D_TEST_PROGRAM_MAX];
    uint32_t expected[V3D_TEST_BUFFERS][V3D_TEST_BUFFER_WORDS];
    struct v3d_machine machine;
    struct profile profile;
    struct coverage coverage;
    uint64_t words, exact, near; /* compared, equal, within 4 ulps */
    char what[160];
};

static enum v3d_stop run_job(struct job *j, enum v3d_generation g)
{
    struct v3d_machine *m = &j->machine;
    memset(m, 0, sizeof *m);
    m->generation = g;
    v3d_follow(m, &j->profile, &j->coverage); /* all readings `manual` */
    m->program = j->insn;
    m->program_count = j->program.count;
    m->code_base = j->program.config[5] & ~7U;
    m->limit = LIMIT;
    m->checked = false; /* compiled divisions branch on inexact results and correct them afterwards */
    memcpy(m->range, j->memory.range, sizeof j->memory.range);
    m->ranges = j->memory.ranges;
    for (unsigned n = 0; n < V3D_REGISTERS; n++)
        m->rf[n].unsure = V3D_ALL_LANES;
    for (unsigned n = 0; n < V3D_ACCUMULATORS; n++)
        m->acc[n].unsure = V3D_ALL_LANES;
    for (unsigned n = 0; n < j->program.count; n++)
        v3d_decode(g, j->program.word[n], &j->insn[n]);
    v3d_plan_program(m, j->plan);
    return v3d_launch(m, j->program.config);
}

/* Reads the buffers before the launch, and what the expect file changes. */
static bool expect(struct job *j, const char *path)
{
    unsigned buffer, index, listed = 0;
    uint32_t value;
    for (buffer = 0; buffer < V3D_TEST_BUFFERS; buffer++)
        if (j->program.buffer[buffer])
            memcpy(j->expected[buffer], v3d_test_word(&j->memory, j->program.buffer[buffer]),
                   sizeof j->expected[buffer]);
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    while (v3d_test_expect(f, &buffer, &index, &value)) {
        assert_true(buffer < V3D_TEST_BUFFERS && index < V3D_TEST_BUFFER_WORDS);
        assert_int_not_equal(j->program.buffer[buffer], 0);
        j->expected[buffer][index] = value;
        listed++;
    }
    fclose(f);
    return listed != 0;
}

/* Is an inexact word within the SFU's tolerance? That of V3D 4.2 is the narrower one. A division reduces the
 * operand of sin, so its absolute tolerance counts. */
static bool within_sfu(uint32_t want, uint32_t word)
{
    uint32_t mask, tolerance = v3d_sfu_tolerance(V3D_42, want, true, &mask);
    return !tolerance_difference(tolerance, mask, want, word);
}

static enum verdict compare_word(struct job *j, unsigned buffer, unsigned index)
{
    uint32_t address = j->program.buffer[buffer] + 4 * index, *word = v3d_test_word(&j->memory, address);
    uint32_t want = j->expected[buffer][index];
    struct v3d_range *r = v3d_reach(&j->machine, address, 4, false);
    bool sure = r->defined[(address - r->base) / 4] == UINT32_MAX;
    if (*word == want)
        return EQUAL;
    if (!tolerance_difference(ULPS, 0, want, *word))
        return NEAR;
    if (!j->what[0] || (sure && j->what[0] == '~'))
        snprintf(j->what, sizeof j->what, "%sbuffer %u word %u: %08x, expected %08x", sure ? "" : "~ ",
                 buffer, index, *word, want);
    return sure || !within_sfu(want, *word) ? DIFFERS : INEXACT;
}

/* Returns a word of a buffer after the launch. */
static uint32_t left(struct job *j, unsigned buffer, unsigned index)
{
    return *v3d_test_word(&j->memory, j->program.buffer[buffer] + 4 * index);
}

/* ssbo_coherent_volatile: p[i] = a[i], and p[64 + i] = a[i] + p[i + 1], where the neighbour may have stored
 * a[i + 1] already, or not. */
static bool neighbours_store_before_or_after(struct job *j)
{
    enum { INVOCATIONS = 64 };
    for (unsigned i = 0; i < INVOCATIONS; i++) {
        uint32_t own = left(j, 0, i), next = left(j, 0, (i + 1) % INVOCATIONS),
                 sum = left(j, 2, INVOCATIONS + i);
        if (left(j, 2, i) != own || (sum != own && sum != own + next))
            return false;
    }
    return true;
}

/* Programs whose results depend on the order of threads, and what holds in any order. The others in the
 * README's list of this kind leave the renderer's words exactly. */
static const struct {
    const char *name;
    bool (*holds)(struct job *j);
} invariants[] = {{"ssbo_coherent_volatile", neighbours_store_before_or_after}};

static enum verdict compare(struct job *j)
{
    enum verdict worst = EQUAL;
    for (unsigned buffer = 0; buffer < V3D_TEST_BUFFERS; buffer++)
        for (unsigned n = 0; n < V3D_TEST_BUFFER_WORDS && j->program.buffer[buffer]; n++) {
            enum verdict v = compare_word(j, buffer, n);
            worst = v > worst ? v : worst;
        }
    if (worst != DIFFERS)
        return worst;
    for (size_t n = 0; n < sizeof exceptions / sizeof *exceptions; n++)
        if (!strcmp(exceptions[n].name, j->program.name)) {
            snprintf(j->what, sizeof j->what, "%s", exceptions[n].why);
            return EXCEPTION;
        }
    for (size_t n = 0; n < sizeof invariants / sizeof *invariants; n++)
        if (!strcmp(invariants[n].name, j->program.name) && invariants[n].holds(j)) {
            snprintf(j->what, sizeof j->what, "what holds in any order holds");
            return BY_ORDER;
        }
    return DIFFERS;
}

/* Programs that sample textures or access images through the texture path, which the model does not have. */
static const char *const of_textures[] = {"image_atomic_int",   "image_r32ui",     "image_size_array",
                                          "image_snorm_rgba8i", "tex_cube_3d_lod", "tex_gather_size",
                                          "tex_int_array",      "tex_lod_sample",  "tex_loop_dynamic_coords"};

static bool samples_textures(const char *name)
{
    for (size_t n = 0; n < sizeof of_textures / sizeof *of_textures; n++)
        if (!strcmp(of_textures[n], name))
            return true;
    return false;
}

static enum verdict judge(struct job *j, enum v3d_generation g)
{
    char path[4096];
    j->what[0] = 0;
    snprintf(path, sizeof path, "%s",
             support_data("compiler-programs/v3d/memory/%s.v%s.txt", j->program.name,
                          g == V3D_42 ? "42" : "71"));
    if (!v3d_test_load(path, &j->program, &j->memory)) {
        snprintf(j->what, sizeof j->what, "no memory image");
        return NOTHING;
    }
    bool expects = expect(j, support_data("compiler-programs/v3d/expect/%s.txt", j->program.name));
    enum v3d_stop stop = run_job(j, g);
    enum verdict v = !expects ? NOTHING : compare(j);
    if (stop) {
        snprintf(j->what, sizeof j->what, "%s, at instruction %u", v3d_reasons[stop], j->machine.stop_pc);
        v = stop == V3D_FAULT_TEXTURE && samples_textures(j->program.name) ? REFUSED : DIFFERS;
    }
    v3d_test_unload(&j->memory);
    return v;
}

static void run_generation(enum v3d_generation g, unsigned counts[VERDICTS])
{
    struct job *j = memory_new(1, sizeof *j);
    FILE *f = fopen(support_data("compiler-programs/v3d/%s.txt", g == V3D_42 ? "v42" : "v71"), "r");
    if (!f) {
        free(j);
        print_message("SKIPPED: no compiler-programs/v3d in MISPRINT_TEST_DATA\n");
        skip();
    }
    while (v3d_test_read(f, &j->program)) {
        if (!j->program.compute || !j->program.has_config)
            continue;
        enum verdict v = judge(j, g);
        counts[v]++;
        if (v >= INEXACT)
            print_message("%s %s: %s; %s\n", v3d_generation_names[g], j->program.name, verdict_names[v],
                          j->what);
    }
    fclose(f);
    free(j);
    unsigned launches = 0;
    for (unsigned v = 0; v < VERDICTS; v++) {
        print_message("%s %-26s %4u\n", v3d_generation_names[g], verdict_names[v], counts[v]);
        launches += counts[v];
    }
    print_message("%s %-26s %4u\n", v3d_generation_names[g], "launches", launches);
}

/* The numbers of launches that are held. */
static void check(enum v3d_generation g, unsigned equal, unsigned near, unsigned refused)
{
    unsigned counts[VERDICTS] = {0};
    run_generation(g, counts);
    assert_int_equal(counts[DIFFERS], 0);
    assert_int_equal(counts[NOTHING], 0);
    assert_int_equal(counts[EQUAL], equal);
    assert_int_equal(counts[NEAR], near);
    assert_int_equal(counts[INEXACT], 2);
    assert_int_equal(counts[EXCEPTION], 2);
    assert_int_equal(counts[BY_ORDER], 1);
    assert_int_equal(counts[REFUSED], refused);
}

static void test_v3d42(void **state)
{
    (void)state;
    check(V3D_42, 94, 5, 9);
}

static void test_v3d71(void **state)
{
    (void)state;
    check(V3D_71, 104, 5, 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_v3d42), cmocka_unit_test(test_v3d71)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
