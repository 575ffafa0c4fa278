/* SPDX-License-Identifier: MIT */
/*
 * Look-ups, their parameters and FIFOs (p39-42 of VideoCoreIV-AG100-R), their
 * errors, and the defined bits of their results.
 */
#include "tests/model/vc4/tmu/support_tmu.h"

/* ---- Look-ups, parameters, FIFOs ---- */

static void general_memory_lookup_returns_the_raw_word_and_ignores_low_address_bits(void **state)
{
    (void)state;
    for (uint32_t low = 0; low < 4; low++) {
        assert_int_equal(direct(BASE + 0x123C + low), VC4_GO);
        assert_int_equal(load().lane[9], m.memory[0x123C / 64].lane[0x3C / 4]);
    }
    struct vc4_vector s;
    const uint32_t *none = NULL;
    for (uint32_t i = 0; i < 16; i++)
        s.lane[i] = BASE + (i * 0x3F0) % (ROWS * 64);
    assert_int_equal(put(TMU_S, s, &none), VC4_GO);
    struct vc4_vector v = load();
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(v.lane[i], ((uint32_t *)m.memory)[(s.lane[i] - BASE) / 4]);
}

/* The number of uniforms for each kind of look-up: none, two, three, three, four (p40, and the kernel's
 * shader validator). */
static void each_texture_write_takes_a_parameter(void **state)
{
    (void)state;
    static const struct {
        const char *writes;
        unsigned uniforms;
    } kinds[] = {{"S", 0}, {"TS", 2}, {"TBS", 3}, {"RTS", 3}, {"RTBS", 4}, {"BTRS", 4}};
    static const char names[] = "STRB";
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint32_t word[4];
        const uint32_t *stream = word;
        words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
        for (const char *c = kinds[k].writes; *c; c++)
            assert_int_equal(put((enum tmu_register)(strchr(names, *c) - names), splat(k ? 0x3F000000 : BASE),
                                 &stream),
                             VC4_GO);
        assert_int_equal(stream - word, kinds[k].uniforms);
        (void)load();
    }
}

static void the_manual_ties_parameters_to_the_first_two_writes(void **state)
{
    (void)state;
    uint32_t word[4];
    const uint32_t *stream = word;
    reading(TMU_CLAUSE_PARAM_ORDER, READING_MANUAL);
    words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
    assert_int_equal(put(TMU_B, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_R, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_T, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, splat(0), &stream), VC4_GO);
    assert_int_equal(stream - word, 2);
    assert_true(covered(&m.coverage, CLAUSE_BASE + TMU_CLAUSE_PARAM_ORDER));
}

/* p39: the request FIFO has room for eight requests with only s, four with (s, t), or two with all four
 * parameters. */
static void the_request_fifo_has_eight_slots(void **state)
{
    static const struct {
        unsigned extra, requests;
    } kinds[] = {{0, 8}, {1, 4}, {3, 2}};
    for (unsigned k = 0; k < 3; k++) {
        fresh(state);
        uint32_t word[4];
        words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
        for (unsigned n = 0; n < kinds[k].requests; n++) {
            const uint32_t *stream = word;
            for (unsigned e = kinds[k].extra; e; e--)
                assert_int_equal(put((enum tmu_register)e, splat(0), &stream), VC4_GO);
            assert_int_equal(put(TMU_S, splat(kinds[k].extra ? 0 : BASE), &stream), VC4_GO);
        }
        assert_int_equal(tmu_slots_taken(&m.t), 8);
        assert_int_equal(tmu_results_waiting(&m.t), kinds[k].requests);
        const uint32_t *stream = word;
        assert_int_equal(put(kinds[k].extra ? TMU_T : TMU_S, splat(BASE), &stream), VC4_HANG_TMU_FULL);
        fresh(state);
        for (unsigned n = 0; n < 100; n++) { /* a load makes room */
            assert_int_equal(direct(BASE + 4 * n), VC4_GO);
            assert_int_equal(load().lane[0], ((uint32_t *)m.memory)[n]);
        }
    }
}

static void two_threads_have_half_the_slots_each(void **state)
{
    (void)state;
    m.t.slots = TMU_FIFO_SLOTS / 2;
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(direct(BASE), VC4_GO);
    assert_int_equal(direct(BASE), VC4_HANG_TMU_FULL);
}

static void a_load_without_a_request_hangs(void **state)
{
    (void)state;
    struct vc4_vector v, d;
    assert_int_equal(tmu_load(&m.t, &v, &d), VC4_HANG_TMU_LOAD);
    assert_int_equal(direct(BASE), VC4_GO);
    (void)load();
    assert_int_equal(tmu_load(&m.t, &v, &d), VC4_HANG_TMU_LOAD);
}

static void results_come_in_request_order(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(direct(BASE + 4 * n), VC4_GO);
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(load().lane[3], m.memory[0].lane[n]);
}

static void more_than_four_lookups_by_reading(void **state)
{
    struct vc4_vector d, v;
    for (unsigned r = 0; r <= TMU_FIFO_BOTH; r++) {
        fresh(state);
        reading(TMU_CLAUSE_FIFO_8, r);
        for (uint32_t n = 0; n < 5; n++)
            assert_int_equal(direct(BASE + 4 * n), VC4_GO);
        v = load_masked(&d);
        assert_int_equal(d.lane[0], r == TMU_FIFO_UNRELIABLE ? 0 : UINT32_MAX);
        assert_int_equal(v.lane[0], r == TMU_FIFO_UNRELIABLE
                                        ? 0xDEADBEEF
                                        : m.memory[0].lane[r == TMU_FIFO_SLOT_FOUR_AHEAD ? 4 : 0]);
        if (r != TMU_FIFO_UNRELIABLE)
            assert_int_equal(v.lane[4], m.memory[0].lane[0]);
        for (uint32_t n = 1; n < 5; n++)
            assert_int_equal(load().lane[0], m.memory[0].lane[n]);
        unsigned most = 0;
        while (direct(BASE) == VC4_GO)
            most++;
        assert_int_equal(most, r == TMU_FIFO_BOTH ? 16 : 8);
    }
}

/* p40: a look-up in RGBA64 returns two words, RG, then BA. The result FIFO then holds four look-ups. */
static void rgba64_returns_two_words(void **state)
{
    (void)state;
    struct setup x = {.type = 15, .width = 2, .height = 4, POINTS};
    store(8, 2, 4, 2, 1, 2, UINT64_C(0x4444333322221111));
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(look_up(&x, splat(bits_of(0.75F)), splat(bits_of(2.5F / 4))), VC4_GO);
    assert_int_equal(tmu_results_waiting(&m.t), 8);
    for (unsigned n = 0; n < 4; n++) {
        assert_int_equal(load().lane[0], 0x22221111);
        assert_int_equal(load().lane[15], 0x44443333);
    }
}

static void registers_that_were_not_written_count_as_0(void **state)
{
    (void)state;
    uint32_t word[4];
    const uint32_t *stream = word;
    store(4, 4, 4, 4, 0, 0, 0x11223344);
    words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
    assert_int_equal(put(TMU_B, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, splat(0), &stream), VC4_GO);
    assert_int_equal(load().lane[0], 0x11223344);
}

/* ---- Errors ---- */

static void parameters_that_no_document_defines(void **state)
{
    static const struct setup bad[] = {
        {.type = 18, .width = 4, .height = 4, POINTS},
        {.type = 31, .width = 4, .height = 4, POINTS},
        {.width = 4, .height = 4, .min = 6, .mag = TMU_MAG_NEAREST},
        {.width = 4, .height = 4, .min = 7, .mag = TMU_MAG_NEAREST},
        {.width = 4, .height = 4, .levels = 4, POINTS}, /* levels of 4, 2, 1, and none left */
        {.width = 2047, .height = 1, .levels = 16, POINTS},
        {.type = 11,
         .width = 4,
         .height = 4,
         .min = TMU_MIN_LINEAR,
         .mag = TMU_MAG_NEAREST}, /* the type allows only point sampling */
        {.width = 4, .height = 4, .wrap_s = TMU_WRAP_BORDER, .flags0 = TMU_PUT(P0_CMMODE, 1), POINTS},
        {.width = 4,
         .height = 4,
         .p2 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE),
         .p3 = TMU_PUT(CUBE_PTYPE, TMU_PTYPE_CUBE),
         POINTS},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        fresh(state);
        if (look_up(&bad[i], splat(0), splat(0)) != VC4_FAULT_RESERVED)
            fail_msg("parameters %u were accepted", i);
    }
}

static void a_fifth_parameter_is_not_defined(void **state)
{
    (void)state;
    static const uint32_t word[8];
    const uint32_t *stream = word;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(put(TMU_T, splat(0), &stream), VC4_GO);
    assert_int_equal(put(TMU_S, splat(0), &stream), VC4_FAULT_RESERVED);
}

static void textures_and_addresses_outside_the_memory(void **state)
{
    (void)state;
    struct setup x = {.width = 64,
                      .height = 64,
                      .page = 3,
                      POINTS}; /* 16 KB that start at 12 KB: two tiles are inside the memory, two outside */
    reading(TMU_CLAUSE_T_ROW_DIRECTION, TMU_T_EVEN_ROWS_FORWARD);
    assert_int_equal(look_up(&x, splat(0), splat(0)), VC4_GO);
    (void)load();
    assert_int_equal(look_up(&x, splat(bits_of(0.9F)), splat(0)), VC4_FAULT_MEMORY);
    fresh(state);
    x = (struct setup){.width = 0, .height = 0, POINTS};
    assert_int_equal(look_up(&x, splat(bits_of(0.99F)), splat(bits_of(0.99F))), VC4_FAULT_MEMORY);
    fresh(state);
    assert_int_equal(direct(BASE + ROWS * 64), VC4_FAULT_MEMORY);
    fresh(state);
    assert_int_equal(direct(BASE - 1), VC4_FAULT_MEMORY);
    fresh(state);
    assert_int_equal(direct(BASE + ROWS * 64 - 1), VC4_GO);
    fresh(state);
    x = (struct setup){.width = 64, .height = 64, .levels = 7, POINTS, .page = 1};
    x.min = TMU_MIN_NEAREST_MIP_NEAREST;
    assert_int_equal(look_up(&x, splat(0), splat(0)),
                     VC4_GO); /* level 1 would be below the memory, but is not used */
}

/* ---- Definedness ---- */

static void undefined_coordinates_make_undefined_results(void **state)
{
    (void)state;
    uint32_t word[4];
    words_of(&(struct setup){.width = 4, .height = 4, POINTS}, word);
    struct vc4_vector s = splat(bits_of(0.6F)), d = all_defined, value;
    d.lane[6] = ~1U;
    assert_true(tmu_takes_uniform(&m.t, TMU_T));
    assert_int_equal(tmu_write(&m.t, TMU_T, &s, &all_defined, word[0], UINT32_MAX), VC4_GO);
    assert_true(tmu_takes_uniform(&m.t, TMU_S));
    assert_int_equal(tmu_write(&m.t, TMU_S, &s, &d, word[1], UINT32_MAX), VC4_GO);
    assert_int_equal(tmu_load(&m.t, &value, &d), VC4_GO);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(d.lane[i], i == 6 ? 0 : UINT32_MAX);
    assert_int_equal(value.lane[6], 0xDEADBEEF);
}

static void nan_coordinates_give_undefined_results(void **state)
{
    (void)state;
    static const uint32_t odd[] = {0x7FC00000, 0x7F800000, 0xFF800000, 0x4F800000};
    struct setup x = {.width = 4, .height = 4, POINTS};
    for (unsigned i = 0; i < 4; i++) {
        struct vc4_vector d;
        assert_int_equal(look_up(&x, splat(odd[i]), splat(0)), VC4_GO);
        (void)load_masked(&d);
        assert_int_equal(d.lane[0], 0);
    }
}

static void an_undefined_address_or_parameter_is_reported(void **state)
{
    (void)state;
    struct vc4_vector s = splat(BASE), d = all_defined;
    d.lane[15] = ~4U;
    assert_false(tmu_takes_uniform(&m.t, TMU_S));
    assert_int_equal(tmu_write(&m.t, TMU_S, &s, &d, 0, 0), VC4_FAULT_UNDEFINED);
    fresh(state);
    d.lane[15] = ~3U; /* the unit ignores address bits 1:0 */
    assert_int_equal(tmu_write(&m.t, TMU_S, &s, &d, 0, 0), VC4_GO);
    assert_true(tmu_takes_uniform(&m.t, TMU_T));
    assert_int_equal(tmu_write(&m.t, TMU_T, &s, &all_defined, 0, ~1U), VC4_FAULT_UNDEFINED);
}

static void undefined_memory_makes_undefined_results(void **state)
{
    (void)state;
    m.memory_defined[PAGE / 64].lane[1] = 0x00FFFFFF;
    assert_int_equal(direct(BASE + PAGE + 4), VC4_GO);
    struct vc4_vector d;
    (void)load_masked(&d);
    assert_int_equal(d.lane[0], 0x00FFFFFF);
    struct setup x = {.width = 4, .height = 4, POINTS};
    assert_int_equal(look_up(&x, floats(0.125F, 0.25F), splat(0)), VC4_GO);
    (void)load_masked(&d);
    assert_int_equal(d.lane[0], UINT32_MAX);
    assert_int_equal(d.lane[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(general_memory_lookup_returns_the_raw_word_and_ignores_low_address_bits),
        TEST(each_texture_write_takes_a_parameter),
        TEST(the_manual_ties_parameters_to_the_first_two_writes),
        TEST(the_request_fifo_has_eight_slots),
        TEST(two_threads_have_half_the_slots_each),
        TEST(a_load_without_a_request_hangs),
        TEST(results_come_in_request_order),
        TEST(more_than_four_lookups_by_reading),
        TEST(rgba64_returns_two_words),
        TEST(registers_that_were_not_written_count_as_0),
        TEST(parameters_that_no_document_defines),
        TEST(a_fifth_parameter_is_not_defined),
        TEST(textures_and_addresses_outside_the_memory),
        TEST(undefined_coordinates_make_undefined_results),
        TEST(nan_coordinates_give_undefined_results),
        TEST(an_undefined_address_or_parameter_is_reported),
        TEST(undefined_memory_makes_undefined_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
