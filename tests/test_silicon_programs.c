/* SPDX-License-Identifier: MIT */
/*
 * Programs that people ran on a Raspberry Pi, on the bare machine: one QPU,
 * 2 MiB of memory from address 0, profile bcm2835. What each must leave in
 * memory is written beside it (README.md of that folder): rules that held on
 * hardware. The programs are not part of the project; without them this test
 * is skipped, and says so.
 */
#include "model/unit.h"
#include "model/vc4/qpu.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

extern const struct unit vc4_qpu_unit;

enum { MEMORY_ROWS = 2 * 1024 * 1024 / 64, PATH = 1024 };

struct machine {
    struct vc4_env env;
    struct coverage coverage;
    struct profile profile;
    struct vpm vpm;
    struct qpu_shared shared;
    struct vc4_rows memory, vpm_rows, ra, rb, acc;
    uint32_t program[2 * QPU_PROGRAM_MAX], count;
    uint32_t load, uniforms;
    struct qpu *qpu;
};

static const char *data_directory(void)
{
    const char *given = getenv("MISPRINT_TEST_DATA");
    return given ? given : MISPRINT_SOURCE_DIR "/../shared/data";
}

static struct vc4_vector *new_rows(uint32_t rows, int byte)
{
    struct vc4_vector *v = aligned_alloc(64, rows * sizeof *v);
    assert_non_null(v);
    memset(v, byte, rows * sizeof *v);
    return v;
}

/* Rows that hold `byte` everywhere, of which nothing is defined. */
static struct vc4_rows rows_of(uint32_t rows, int byte, int defined)
{
    return (struct vc4_rows){.value = new_rows(rows, byte), .defined = new_rows(rows, defined), .rows = rows};
}

static struct machine *machine_new(bool checked, int filler)
{
    struct machine *m = aligned_alloc(64, (sizeof *m + 63) / 64 * 64);
    assert_non_null(m);
    memset(m, 0, sizeof *m);
    m->qpu = aligned_alloc(64, (sizeof *m->qpu + 63) / 64 * 64);
    assert_non_null(m->qpu);
    memset(m->qpu, 0, sizeof *m->qpu);
    for (unsigned i = 0; i < unit_clauses(&vc4_qpu_unit); i++)
        m->profile.reading[i] = unit_clause(&vc4_qpu_unit, i)->in_profile[VC4_PROFILE_BCM2835];
    m->memory = rows_of(MEMORY_ROWS, 0, 0xFF);
    m->vpm_rows = rows_of(VC4_VPM_ROWS, filler, 0);
    m->ra = rows_of(32, filler, 0);
    m->rb = rows_of(32, filler, 0);
    m->acc = rows_of(6, filler, 0);
    m->env = (struct vc4_env){
        .profile = &m->profile, .coverage = &m->coverage, .checked = checked, .filler = filler ? UINT32_MAX : 0, .memory = m->memory};
    return m;
}

static void machine_free(struct machine *m)
{
    struct vc4_rows *all[] = {&m->memory, &m->vpm_rows, &m->ra, &m->rb, &m->acc};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]->value);
        free(all[i]->defined);
    }
    free(m->qpu);
    free(m);
}

static FILE *open_data(const char *name, const char *suffix)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/qpu-programs/%s.%s", data_directory(), name, suffix);
    return fopen(path, "r");
}

static void read_program(struct machine *m, FILE *f)
{
    char line[512];
    while (fgets(line, sizeof line, f)) {
        uint64_t word;
        if (*line == '#' || sscanf(line, "%" SCNx64, &word) != 1)
            continue;
        assert_true(m->count < QPU_PROGRAM_MAX);
        m->program[2 * m->count] = (uint32_t)word;
        m->program[2 * m->count + 1] = (uint32_t)(word >> 32);
        m->count++;
    }
}

static uint32_t *word_at(const struct vc4_rows *r, uint32_t address)
{
    assert_true(address / 64 < r->rows);
    return &r->value[address / 64].lane[address / 4 % VC4_LANES];
}

/* Applies the case's lines before the run (`expect` false) or checks those after it; returns how many words were compared. */
static unsigned go_through_case(struct machine *m, FILE *f, bool expect)
{
    char line[512], how[16];
    uint32_t address, count, qpu;
    unsigned compared = 0;
    rewind(f);
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "load %x", &address) == 1)
            m->load = address;
        else if (sscanf(line, "uniforms %u %x", &qpu, &address) == 2)
            m->uniforms = address;
        bool mem = sscanf(line, "mem %x %u", &address, &count) == 2;
        bool want = !mem && sscanf(line, "expect %x %u %15s", &address, &count, how) == 3;
        if (!mem && !want)
            continue;
        assert_true(mem || !strcmp(how, "exact"));
        for (uint32_t i = 0; i < count; i++, address += 4) {
            uint32_t word;
            assert_int_equal(fscanf(f, "%x", &word), 1);
            if (mem && !expect)
                *word_at(&m->memory, address) = word;
            if (want && expect) {
                if (*word_at(&m->memory, address) != word)
                    fail_msg("address %08x: %08x, expected %08x", address, *word_at(&m->memory, address), word);
                if (m->env.checked)
                    assert_int_equal(m->memory.defined[address / 64].lane[address / 4 % VC4_LANES], UINT32_MAX);
                compared++;
            }
        }
    }
    return compared;
}

static void run_program(const char *name, bool checked, int filler)
{
    FILE *hex = open_data(name, "hex"), *text = open_data(name, "case");
    if (!hex || !text) {
        print_message("skipped: no %s in %s/qpu-programs\n", name, data_directory());
        if (hex)
            fclose(hex);
        if (text)
            fclose(text);
        skip();
    }
    struct machine *m = machine_new(checked, filler);
    read_program(m, hex);
    go_through_case(m, text, false);
    for (uint32_t i = 0; i < 2 * m->count; i++)
        *word_at(&m->memory, m->load + 4 * i) = m->program[i];
    vpm_reset(&m->vpm, &m->env, m->vpm_rows);
    struct qpu_setup setup = {.env = &m->env,
                              .vpm = &m->vpm,
                              .shared = &m->shared,
                              .ra = m->ra,
                              .rb = m->rb,
                              .acc = m->acc,
                              .program = m->program,
                              .count = m->count,
                              .code_base = m->load,
                              .uniforms = {.in_memory = true, .address = m->uniforms},
                              .limit = 100000};
    qpu_prepare(m->qpu, &setup);
    memset(&m->qpu->flags_defined, 0, sizeof m->qpu->flags_defined); /* at entry nothing is defined */
    enum vc4_stop stop = qpu_run(m->qpu);
    if (stop != VC4_GO)
        fail_msg("%s: stopped after %" PRIu64 " instructions: %s", name, m->qpu->now, vc4_reasons[stop]);
    unsigned compared = go_through_case(m, text, true);
    print_message("%s: %" PRIu64 " instructions, %u words compared\n", name, m->qpu->now, compared);
    assert_true(compared > 0);
    for (unsigned i = 0; i < QPU_SEMAPHORES; i++)
        assert_int_equal(m->shared.semaphore[i], 0);
    assert_int_equal(m->shared.mutex_held, 0);
    fclose(hex);
    fclose(text);
    machine_free(m);
}

/* Plain, then with definedness tracked and both fillers: all that the program promises must be defined. */
static void program_leaves_what_the_pi_left(void **state)
{
    run_program(*state, false, 0);
    run_program(*state, false, 0xFF);
    run_program(*state, true, 0);
    run_program(*state, true, 0xFF);
}

#define PROGRAM(name)                                                                                                                                \
    {                                                                                                                                                \
        name, program_leaves_what_the_pi_left, NULL, NULL, name                                                                                      \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM("pyv_hello_world"),
        PROGRAM("pyv_branch_conditions_1"),
        PROGRAM("pyv_branch_conditions_2"),
        PROGRAM("pyv_link_register"),
        PROGRAM("pyv_absolute_jump"),
        PROGRAM("pyv_dma_vertical_32bit_load"),
        PROGRAM("pyv_dma_vertical_32bit_store"),
        PROGRAM("pyv_dma_horizontal_32bit_partial"),
        PROGRAM("pyv_vpm_vertical_32bit_read"),
        PROGRAM("pyv_rotate_ra"),
        PROGRAM("pyv_rotate_as_simm"),
        PROGRAM("pyv_alu_vector_rotation"),
        PROGRAM("pyv_pack_regA_int_sat"),
        PROGRAM("pyv_unpack_regA_int"),
        PROGRAM("pyv_alu_shift_ops"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
