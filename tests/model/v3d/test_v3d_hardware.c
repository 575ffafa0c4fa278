/* SPDX-License-Identifier: MIT */
/*
 * Programs of the hardware tests of py-videocore6 and 7 give what these tests expect, under the profile
 * `hardware-tests`: integers exactly, floats within the tests' own tolerance. corpus/v3d-qpu/hardware-tests
 * describes the files.
 */
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/v3d/run/v3d_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

enum {
    MEMORY_WORDS = 1 << 19,
    CODE_AT = 0x10000,
    CODE_MAX = 1024,
    LINE_MAX_ = 4096,
    BREACHES = 64,
    LIMIT = 10000000,
    LEAST = 60, /* programs of both generations */
};

struct job {
    struct v3d_machine machine;
    struct profile profile;
    struct coverage coverage;
    struct v3d_insn insn[CODE_MAX];
    struct v3d_plan plan[CODE_MAX];
    struct v3d_breach breach[BREACHES];
    uint64_t touched[MEMORY_WORDS / 16 / 64];
    uint32_t memory[MEMORY_WORDS], before[MEMORY_WORDS];
    uint64_t code[CODE_MAX];
    uint32_t config[V3D_CONFIG_WORDS];
    char name[128];
    enum v3d_generation g;
    unsigned count, programs, words, wrong;
    bool ran;
};

static void start(struct job *j, const char *name)
{
    memset(j->memory, 0, sizeof j->memory);
    memset(j->touched, 0, sizeof j->touched);
    (void)snprintf(j->name, sizeof j->name, "%.100s", name);
    j->count = 0;
    j->ran = false;
    j->programs++;
}

static void run_job(struct job *j)
{
    struct v3d_machine *m = &j->machine;
    memset(m, 0, sizeof *m);
    m->generation = j->g;
    v3d_follow(m, &j->profile, &j->coverage);
    m->program = j->insn;
    m->program_count = j->count;
    m->code_base = j->config[5] & ~7U;
    m->limit = LIMIT;
    m->range[0] = (struct v3d_range){.bytes = sizeof j->memory,
                                     .word = j->memory,
                                     .before = j->before,
                                     .touched = j->touched};
    m->ranges = 1;
    for (unsigned n = 0; n < j->count; n++)
        v3d_decode(j->g, j->code[n], &j->insn[n]);
    m->breach = j->breach;
    m->breaches = v3d_check(j->g, j->insn, j->count, j->config[5] >> 1 & 1, j->breach, BREACHES);
    assert_true(m->breaches <= BREACHES);
    v3d_plan_program(m, j->plan);
    enum v3d_stop stop = v3d_launch(m, j->config);
    if (stop)
        fail_msg("%s: %s, at instruction %u", j->name, v3d_reasons[stop], m->stop_pc);
    j->ran = true;
}

static double number_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static double half_of(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double mantissa = bits & 1023, sign = bits >> 15 & 1 ? -1 : 1;
    if (exponent == 31)
        return mantissa > 0 ? NAN : sign * INFINITY;
    return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
}

static bool close_to(double is, double expected, double tolerance)
{
    return is == expected || fabs(is - expected) <= 1e-8 + tolerance * fabs(expected);
}

static bool fits(const char *kind, uint32_t is, uint32_t expected)
{
    double tolerance = strchr(kind, ':') ? strtod(strchr(kind, ':') + 1, NULL) : 0;
    if (!strcmp(kind, "exact"))
        return is == expected;
    if (!strncmp(kind, "half:", 5))
        return close_to(half_of(is & 0xFFFF), half_of(expected & 0xFFFF), tolerance) &&
               close_to(half_of(is >> 16), half_of(expected >> 16), tolerance);
    assert_int_equal(strncmp(kind, "float:", 6), 0);
    return close_to(number_of(is), number_of(expected), tolerance);
}

static void expect(struct job *j, char *rest)
{
    char *save = NULL;
    const char *kind = strtok_r(rest, " \n", &save);
    uint32_t at = (uint32_t)strtoul(strtok_r(NULL, " \n", &save), NULL, 16) / 4;
    if (!j->ran)
        run_job(j);
    for (const char *w = strtok_r(NULL, " \n", &save); w; w = strtok_r(NULL, " \n", &save), at++) {
        uint32_t word = (uint32_t)strtoul(w, NULL, 16);
        j->words++;
        if (fits(kind, j->memory[at], word))
            continue;
        if (!j->wrong++)
            print_message("%s: %05x is %08x, expected %s %08x\n", j->name, 4 * at, j->memory[at], kind, word);
    }
}

static void read_words(struct job *j, char *rest, bool code)
{
    char *save = NULL, *w = strtok_r(rest, " \n", &save);
    uint32_t at = code ? 0 : (uint32_t)strtoul(w, NULL, 16) / 4;
    if (!code)
        w = strtok_r(NULL, " \n", &save);
    for (; w; w = strtok_r(NULL, " \n", &save)) {
        if (code) {
            assert_true(j->count < CODE_MAX);
            j->code[j->count++] = strtoull(w, NULL, 16);
        } else
            j->memory[at++] = (uint32_t)strtoul(w, NULL, 16);
    }
}

static void read_line(struct job *j, char *line)
{
    char *rest = strchr(line, ' ');
    rest = rest ? rest + 1 : line + strlen(line);
    if (!strncmp(line, "program ", 8)) {
        rest[strcspn(rest, "\n")] = 0;
        start(j, rest);
    } else if (!strncmp(line, "launch ", 7)) {
        for (unsigned n = 0; n < V3D_CONFIG_WORDS; n++)
            j->config[n] = (uint32_t)strtoul(rest, &rest, 16);
    } else if (!strncmp(line, "code ", 5))
        read_words(j, rest, true);
    else if (!strncmp(line, "memory ", 7))
        read_words(j, rest, false);
    else if (!strncmp(line, "expect ", 7))
        expect(j, rest);
    else
        assert_string_equal(line, "end\n");
}

static unsigned run_file(const char *name, enum v3d_generation g)
{
    static char line[LINE_MAX_];
    char path[4096];
    struct error e = {0};
    struct job *j = memory_new(1, sizeof *j);
    (void)snprintf(path, sizeof path, MISPRINT_SOURCE_DIR "/corpus/v3d-qpu/hardware-tests/%s", name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_true(profile_resolve(&v3d_qpu_unit, "hardware-tests", &j->profile, &e));
    j->g = g;
    while (fgets(line, sizeof line, f))
        read_line(j, line);
    fclose(f);
    print_message("%s: %u programs, %u words, %u wrong\n", name, j->programs, j->words, j->wrong);
    assert_int_equal(j->wrong, 0);
    unsigned programs = j->programs;
    free(j);
    return programs;
}

static void programs_give_what_hardware_tests_expect(void **state)
{
    (void)state;
    unsigned programs = run_file("v42.txt", V3D_42) + run_file("v71.txt", V3D_71);
    assert_true(programs >= LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_give_what_hardware_tests_expect)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
