/* SPDX-License-Identifier: MIT */
/*
 * Programs that people ran on a Raspberry Pi, run on the machine without a unit: up to ten QPUs, 2 MiB of
 * memory from address 0, profile bcm2835. Files beside each program have the expected memory and the number
 * of executed instructions (see that folder's README.md). The Fourier transforms are also compared with a
 * plain sum in double precision. The programs are not part of the project. If they are missing, the test
 * prints a message and is skipped.
 */
#include "model/core/unit.h"
#include "model/core/units.h"
#include "model/vc4/machine.h"
#include "tests/model/vc4/qpu/support_machine.h"
#include "tests/support/support_units.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MEMORY_ROWS = 2 * 1024 * 1024 / 64, PATH = 1024 };

/* A program, and what we know of it besides its files. */
struct program {
    const char *name;
    uint64_t executed;   /* instructions that all QPUs execute, as other sources count them */
    unsigned semaphore0; /* value of semaphore 0 at the end */
    unsigned transform;  /* number of points of the Fourier transform; 0: no transform */
    int sign;            /* sign of the transform's exponent */
};

/* How to run a program. */
struct way {
    bool checked;
    int filler;
    uint64_t seed;
    uint32_t turn;
    /* Observes the run. A checked run then also counts fidelity. So no step uses the fast path of the
     * body. */
    bool looked_at;
};

struct bench {
    struct coverage coverage;
    struct profile profile;
    struct vc4_rows memory, vpm;
    uint32_t program[2 * QPU_PROGRAM_MAX], count, load;
    unsigned qpus;
    uint32_t uniforms[MACHINE_QPUS_MAX];
    struct machine *machine;
};

static struct bench *bench_new(const struct way *way)
{
    struct bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->profile = support_machine_profile();
    b->memory = support_rows(MEMORY_ROWS);
    b->vpm = support_rows(VC4_VPM_ROWS);
    memset(b->vpm.value, way->filler, VC4_VPM_ROWS * sizeof *b->vpm.value); /* on a Pi it is unknown */
    memset(b->vpm.defined, 0, VC4_VPM_ROWS * sizeof *b->vpm.defined);
    return b;
}

static void bench_free(struct bench *b)
{
    support_rows_free(&b->memory);
    support_rows_free(&b->vpm);
    free(b->machine);
    free(b);
}

static FILE *open_data(const char *name, const char *suffix)
{
    return fopen(support_data("qpu-programs/%s.%s", name, suffix), "r");
}

static uint32_t *word_at(const struct vc4_rows *r, uint32_t address)
{
    assert_true(address / 64 < r->rows);
    return &r->value[address / 64].lane[address / 4 % VC4_LANES];
}

static float float_at(const struct vc4_rows *r, uint32_t address)
{
    float f;
    memcpy(&f, word_at(r, address), sizeof f);
    return f;
}

static void read_program(struct bench *b, FILE *f)
{
    char line[512];
    while (fgets(line, sizeof line, f)) {
        uint64_t word;
        if (*line == '#' || sscanf(line, "%" SCNx64, &word) != 1)
            continue;
        assert_true(b->count < QPU_PROGRAM_MAX);
        b->program[2 * b->count] = (uint32_t)word;
        b->program[2 * b->count + 1] = (uint32_t)(word >> 32);
        b->count++;
    }
}

/* Reads the lines of the case that give the initial state. */
static void read_case(struct bench *b, FILE *f)
{
    char line[512];
    uint32_t address, count, qpu;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "load %x", &address) == 1)
            b->load = address;
        else if (sscanf(line, "qpus %u", &count) == 1)
            b->qpus = count;
        else if (sscanf(line, "uniforms %u %x", &qpu, &address) == 2 && qpu < MACHINE_QPUS_MAX)
            b->uniforms[qpu] = address;
        else if (sscanf(line, "mem %x %u", &address, &count) == 2)
            for (uint32_t i = 0; i < count; i++)
                assert_int_equal(fscanf(f, "%x", word_at(&b->memory, address + 4 * i)), 1);
    }
    for (uint32_t i = 0; i < 2 * b->count; i++)
        *word_at(&b->memory, b->load + 4 * i) = b->program[i];
}

/* Compares one block of expected words. Returns the number of words compared. */
static unsigned compare_block(const struct bench *b, FILE *f, uint32_t address, uint32_t count,
                              double tolerance, bool checked)
{
    double most = 0, worst = 0;
    for (uint32_t i = 0; i < count; i++, address += 4) {
        uint32_t want, got = *word_at(&b->memory, address);
        assert_int_equal(fscanf(f, "%x", &want), 1);
        if (tolerance == 0 && got != want)
            fail_msg("address %08x: %08x, expected %08x", address, got, want);
        if (checked)
            assert_int_equal(b->memory.defined[address / 64].lane[address / 4 % VC4_LANES], UINT32_MAX);
        float wanted;
        memcpy(&wanted, &want, sizeof wanted);
        if (tolerance == 0)
            continue;
        most = fmax(most, fabs((double)wanted));
        worst = fmax(worst, fabs((double)float_at(&b->memory, address) - (double)wanted));
    }
    if (tolerance > 0 && !(worst <= tolerance * most))
        fail_msg("off by %g of %g, allowed %g", worst, most, tolerance);
    return count;
}

/* Compares memory with the lines that give its expected content. Sets *results to the address of the first
 * block. */
static unsigned compare(const struct bench *b, FILE *f, bool checked, uint32_t *results)
{
    char line[512], how[16];
    uint32_t address, count;
    unsigned compared = 0;
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        double tolerance = 0;
        if (sscanf(line, "expect %x %u %15s %lf", &address, &count, how, &tolerance) < 3)
            continue;
        assert_true(!strcmp(how, "exact") || (!strcmp(how, "float") && tolerance > 0));
        if (!compared)
            *results = address;
        compared += compare_block(b, f, address, count, tolerance, checked);
    }
    return compared;
}

/* Computes the transform term by term, and compares it. The programs' README states the allowed error. */
static void compare_transform(const struct bench *b, const struct program *p, const double *input,
                              uint32_t results)
{
    unsigned n = p->transform;
    double most = 0, worst = 0;
    for (unsigned k = 0; k < n; k++) {
        double re = 0, im = 0;
        for (unsigned j = 0; j < n; j++) {
            double angle = p->sign * 2 * M_PI * (double)((uint64_t)j * k % n) / n;
            re += input[2 * j] * cos(angle) - input[2 * j + 1] * sin(angle);
            im += input[2 * j] * sin(angle) + input[2 * j + 1] * cos(angle);
        }
        most = fmax(most, fmax(fabs(re), fabs(im)));
        worst = fmax(worst, fmax(fabs(re - (double)float_at(&b->memory, results + 8 * k)),
                                 fabs(im - (double)float_at(&b->memory, results + 8 * k + 4))));
    }
    print_message("%s: off by at most %.2g of the largest output\n", p->name, worst / most);
    assert_true(most > 0 && worst <= 3e-6 * most);
}

static void look_on(void *context, struct qpu *q, const struct qpu_step *s, bool after)
{
    (void)context, (void)q, (void)s, (void)after;
}

static void run_machine(struct bench *b, const struct way *way)
{
    struct machine_start start[MACHINE_QPUS_MAX];
    for (unsigned i = 0; i < b->qpus; i++)
        start[i] = (struct machine_start){.program = b->program,
                                          .count = b->count,
                                          .code_base = b->load,
                                          .uniforms = {.in_memory = true, .address = b->uniforms[i]},
                                          .number = i};
    struct machine_setup setup = {.env = {.profile = &b->profile,
                                          .coverage = &b->coverage,
                                          .checked = way->checked,
                                          .fidelity = way->checked && way->looked_at,
                                          .filler = way->filler ? UINT32_MAX : 0,
                                          .memory = b->memory},
                                  .vpm = b->vpm,
                                  .qpus = b->qpus,
                                  .start = start,
                                  .limit = 1000000,
                                  .seed = way->seed,
                                  .turn = way->turn};
    b->machine = support_machine(b->qpus);
    machine_prepare(b->machine, &setup);
    for (unsigned i = 0; way->looked_at && i < b->qpus; i++)
        b->machine->part[i]->qpu.watch = look_on;
    enum vc4_stop stop = machine_run(b->machine);
    if (stop != VC4_GO) {
        struct text t = {0};
        machine_explain(b->machine, &t);
        print_message("%s", text_chars(&t));
        fail_msg("stopped after %" PRIu64 " instructions: %s", machine_steps(b->machine), vc4_reasons[stop]);
    }
}

static void run_program(const struct program *p, struct way way)
{
    struct bench *b = bench_new(&way);
    FILE *hex = open_data(p->name, "hex"), *text = open_data(p->name, "case");
    if (!hex || !text) {
        print_message("skipped: no %s\n", support_data("qpu-programs/%s", p->name));
        if (hex)
            fclose(hex);
        if (text)
            fclose(text);
        skip();
        return; /* only for the linter: skip() does not return */
    }
    read_program(b, hex);
    read_case(b, text);
    double *input = calloc(2 * p->transform + 1, sizeof *input);
    assert_non_null(input);
    for (unsigned i = 0; i < 2 * p->transform; i++) /* the fourth uniform is the address of the input */
        input[i] = (double)float_at(&b->memory, *word_at(&b->memory, b->uniforms[0] + 12) + 4 * i);
    run_machine(b, &way);
    uint32_t results = 0;
    unsigned compared = compare(b, text, way.checked, &results);
    print_message("%s: %u QPUs, %" PRIu64 " instructions, %u words compared\n", p->name, b->qpus,
                  machine_steps(b->machine), compared);
    assert_true(compared > 0);
    if (p->transform && !way.checked && !way.seed)
        compare_transform(b, p, input, results);
    if (p->executed)
        assert_int_equal(machine_steps(b->machine), p->executed);
    for (unsigned i = 0; i < QPU_SEMAPHORES; i++)
        assert_int_equal(b->machine->shared.semaphore[i], i ? 0 : p->semaphore0);
    assert_int_equal(b->machine->shared.mutex_held, 0);
    free(input);
    fclose(hex);
    fclose(text);
    bench_free(b);
}

/* Runs the program plain and checked, each with both fillers. All words of its results must be defined. */
static void program_leaves_what_the_pi_left(void **state)
{
    for (unsigned i = 0; i < 4; i++)
        run_program(*state, (struct way){.checked = i / 2, .filler = i % 2 ? 0xFF : 0});
}

/* Runs the program in other schedules: QPUs strictly by turns, and at random. */
static void order_of_qpus_does_not_matter(void **state)
{
    run_program(*state, (struct way){.turn = 1});
    for (uint64_t seed = 1; seed <= 4; seed++)
        run_program(*state, (struct way){.seed = seed, .turn = seed % 2 ? 4 : 100});
}

static struct bench *run_files(const struct program *p, struct way way)
{
    FILE *hex = open_data(p->name, "hex"), *text = open_data(p->name, "case");
    struct bench *b = hex && text ? bench_new(&way) : NULL;
    if (b) {
        read_program(b, hex);
        read_case(b, text);
        run_machine(b, &way);
    }
    if (hex)
        fclose(hex);
    if (text)
        fclose(text);
    return b;
}

static void expect_same_rows(const struct vc4_vector *a, const struct vc4_vector *b, uint32_t rows,
                             const char *what)
{
    for (uint32_t i = 0; i < rows; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("row %u of %s depends on the way of the steps", i, what);
}

static void expect_same_qpu(const struct machine_qpu *a, const struct machine_qpu *b, bool checked)
{
    const struct qpu *p = &a->qpu, *q = &b->qpu;
    expect_same_rows(a->ra, b->ra, 32, "ra");
    expect_same_rows(a->rb, b->rb, 32, "rb");
    expect_same_rows(a->acc, b->acc, 6, "the accumulators");
    expect_same_rows(&p->flags.z, &q->flags.z, 3, "the flags");
    if (checked) {
        expect_same_rows(a->ra_defined, b->ra_defined, 32, "ra's definedness");
        expect_same_rows(a->rb_defined, b->rb_defined, 32, "rb's definedness");
        expect_same_rows(a->acc_defined, b->acc_defined, 6, "the accumulators' definedness");
        expect_same_rows(&p->flags_defined.z, &q->flags_defined.z, 3, "the flags' definedness");
    }
    assert_true(p->now == q->now && p->clauses == q->clauses && p->alu_clauses == q->alu_clauses &&
                p->wrote == q->wrote && p->wrote_acc == q->wrote_acc);
}

/* Observing a run does not change it: every bit is the same, and in checked runs every mask and clause. */
static void looking_on_changes_nothing(void **state)
{
    const struct program *p = *state;
    for (unsigned checked = 0; checked < 2; checked++) {
        struct bench *one = run_files(p, (struct way){.checked = checked}),
                     *other = run_files(p, (struct way){.checked = checked, .looked_at = true});
        if (!one || !other)
            skip();
        for (unsigned i = 0; i < one->qpus; i++)
            expect_same_qpu(one->machine->part[i], other->machine->part[i], checked);
        expect_same_rows(one->memory.value, other->memory.value, MEMORY_ROWS, "memory");
        expect_same_rows(one->memory.defined, other->memory.defined, MEMORY_ROWS, "memory's definedness");
        expect_same_rows(one->vpm.value, other->vpm.value, VC4_VPM_ROWS, "the VPM");
        expect_same_rows(one->vpm.defined, other->vpm.defined, VC4_VPM_ROWS, "the VPM's definedness");
        assert_memory_equal(&one->coverage, &other->coverage, sizeof one->coverage);
        bench_free(one);
        bench_free(other);
    }
}

/* The numbers of executed instructions are those of the folder's README.md. */
static struct program programs[] = {
    {.name = "pyv_hello_world", .executed = 15},
    {.name = "pyv_branch_conditions_1", .executed = 443},
    {.name = "pyv_branch_conditions_2", .executed = 180},
    {.name = "pyv_link_register", .executed = 13},
    {.name = "pyv_absolute_jump", .executed = 17},
    {.name = "pyv_dma_vertical_32bit_load", .executed = 58},
    {.name = "pyv_dma_vertical_32bit_store", .executed = 214},
    {.name = "pyv_dma_horizontal_32bit_partial", .executed = 10},
    {.name = "pyv_vpm_vertical_32bit_read", .executed = 56},
    {.name = "pyv_rotate_ra", .executed = 215},
    {.name = "pyv_rotate_r4", .executed = 187},
    {.name = "pyv_rotate_as_simm", .executed = 63},
    {.name = "pyv_alu_vector_rotation", .executed = 125},
    {.name = "pyv_pack_regA_int_sat", .executed = 52},
    {.name = "pyv_unpack_regA_int", .executed = 36},
    {.name = "pyv_alu_shift_ops", .executed = 22},
    {.name = "pyv_sgemm", .executed = 6758},
    {.name = "pyv_semaphore_counter", .executed = 1100188, .semaphore0 = 1},
    {.name = "gpu_fft_256", .executed = 3900, .transform = 256, .sign = -1},
    {.name = "gpu_fft_1k", .executed = 14272, .transform = 1024, .sign = -1},
    {.name = "gpu_fft_4k", .executed = 80804, .transform = 4096, .sign = -1},
    {.name = "gpu_fft_512_inverse", .executed = 8314, .transform = 512, .sign = 1},
    {.name = "gpu_fft_trans", .executed = 338},
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

int main(void)
{
    static const CMUnitTestFunction properties[] = {program_leaves_what_the_pi_left,
                                                    order_of_qpus_does_not_matter,
                                                    looking_on_changes_nothing};
    enum { PROPERTIES = sizeof properties / sizeof *properties };
    struct CMUnitTest tests[PROPERTIES * PROGRAMS];
    for (unsigned i = 0; i < PROPERTIES * PROGRAMS; i++)
        tests[i] = (struct CMUnitTest){.name = programs[i / PROPERTIES].name,
                                       .test_func = properties[i % PROPERTIES],
                                       .initial_state = &programs[i / PROPERTIES]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
