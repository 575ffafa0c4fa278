/* SPDX-License-Identifier: MIT */
/*
 * Unit amd-buffer: values that others measured on hardware, special descriptors, components, formats, and the
 * variants of the loops. test_amd_address.c tests addresses, and test_amd_atomics.c tests atomics.
 */
#include "oracle/attribution/explain.h"
#include "oracle/compare/compare.h"
#include "oracle/files/trace.h"
#include "tests/model/amd/support_amd.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- values measured on hardware ---- */

static void witnesses_reproduce(void **state)
{
    struct amd_place *s = *state;
    struct outcome *board = outcome_new(&amd_buffer_unit);
    for (unsigned i = 0; i < amd_witness_count; i++) {
        const struct amd_witness *k = &amd_witnesses[i];
        amd_witness_case(k, s->c);
        amd_witness_outcome(k, s->c, board);
        struct tally t = {0};
        amd_run(s, "gfx1100");
        if (!outcomes_equal(s->o, board, &t, NULL) || t.vacuous)
            support_fail_case(s->c, "%s: the model under gfx1100 differs from the part", k->name);
        amd_run(s, "rdna3-guide");
        if (outcomes_equal(s->o, board, NULL, NULL) != !k->erratum)
            support_fail_case(s->c, "%s: the guide's text %s the part", k->name,
                              k->erratum ? "agrees with" : "differs from");
        if (!k->erratum)
            continue;
        struct explanation x;
        struct cause want;
        struct error e = {0};
        assert_true(cause_parse(&amd_buffer_unit, k->erratum, &want, &e));
        explain_case(s->x, s->c, &s->p, board, 3, 0, &x);
        bool named = false;
        for (unsigned r = 0; r < x.candidates; r++)
            named = named || cause_equal(&x.candidate[r], &want);
        if (!named)
            support_fail_case(s->c, "%s: %s is not among the %u explanations", k->name, k->erratum,
                              x.candidates);
    }
    outcome_free(board);
}

/* The trace in the corpus must hold the values of support_amd.c. With MISPRINT_WITNESSES=FILE the test writes
 * the trace again. */
static void witnesses_are_in_the_corpus(void **state)
{
    struct amd_place *s = *state;
    struct error e = {0};
    const char *to = getenv("MISPRINT_WITNESSES");
    if (to && !amd_write_witnesses(to, &e))
        fail_msg("%s", e.text);
    struct trace_reader *r = trace_open(MISPRINT_SOURCE_DIR "/corpus/amd-buffer/silicon/witnesses.trace", &e);
    if (!r)
        fail_msg("%s", e.text);
    assert_true(trace_identity(r)->silicon);
    struct outcome *got = outcome_new(&amd_buffer_unit);
    struct test_case *c = malloc(sizeof *c);
    const char *label;
    unsigned count = 0;
    while (trace_next(r, c, got, &label, &e) == 1) {
        assert_in_range(count, 0, amd_witness_count - 1);
        amd_witness_case(&amd_witnesses[count], s->c);
        amd_witness_outcome(&amd_witnesses[count], s->c, s->o);
        assert_string_equal(label, amd_witnesses[count].name);
        assert_true(case_equal(c, s->c));
        assert_true(outcomes_equal(s->o, got, NULL, NULL));
        count++;
    }
    assert_int_equal(count, amd_witness_count);
    free(c);
    outcome_free(got);
    trace_close(r);
}

/* If only 8 bytes of a 12-byte format are in range, the access loads and stores nothing (rocjitsu's test). */
static void formats_are_all_or_nothing(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(8);
    d.format = 60; /* 32_32_32_FLOAT */
    for (unsigned store = 0; store < 2; store++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        for (unsigned n = 0; n < 4; n++)
            amd_case_vgpr(s->c, AMD_TEST_DATA + n, 0xAAAA0000 + n);
        struct amd_insn i =
            amd_test_insn(AMD_GFX11, store ? "buffer_store_format_xyz" : "buffer_load_format_xyz");
        amd_case_add(s->c, &i);
        amd_run(s, "gfx1100");
        for (unsigned n = 0; n < 3; n++) {
            assert_int_equal(amd_out_memory(s->o, 4 * n), n + 1);
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + n, 0), store ? 0xAAAA0000 + n : 0);
        }
        assert_int_equal(amd_out_decision(s->o, 0, 0, 0), AMD_OUT_OF_RANGE);
    }
}

/* ---- special descriptors ---- */

static void run_special(struct amd_place *s, const struct amd_descriptor *d, const char *op,
                        const char *profile)
{
    amd_case_begin(s->c, AMD_GFX11);
    amd_case_descriptor(s->c, d);
    amd_case_vgpr(s->c, AMD_TEST_DATA, 0x1234);
    struct amd_insn i = amd_test_insn(AMD_GFX11, op);
    amd_case_add(s->c, &i);
    amd_run(s, profile);
    assert_int_equal(s->o->end, END_DONE);
}

static void special_descriptors(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor zero = {0}, image = amd_raw_view(64);
    image.type = 2;
    run_special(s, &zero, "buffer_load_b32",
                "manual"); /* unbound: loads 0, even if the instruction has no format */
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 3), 0);
    run_special(s, &zero, "buffer_store_b32", "manual");
    assert_int_equal(amd_out_memory(s->o, 0), 1);
    run_special(s, &image, "buffer_load_b32", "manual"); /* no buffer, so it loads nothing */
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 3), 0x1234);
    run_special(s, &image, "buffer_store_b32", "manual");
    assert_int_equal(amd_out_memory(s->o, 0), 1);
    for (uint32_t format = 0; format < 64; format++)
        for (uint32_t mode = 0; mode < 4; mode++) { /* without records every access is out of range */
            struct amd_descriptor none = {.oob_select = mode,
                                          .stride = 4,
                                          .format = format,
                                          .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W}};
            run_special(s, &none, "buffer_load_format_x", "gfx1100");
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 0), 0);
        }
}

static void inactive_lanes(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(4096);
    for (unsigned wave32 = 0; wave32 < 2; wave32++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_support_case(s->c)->wave_size = wave32 ? AMD_WAVE32 : AMD_WAVE64;
        amd_support_case(s->c)->exec[0] = 0x0000FFF0;
        amd_case_descriptor(s->c, &d);
        amd_case_vgpr(s->c, AMD_TEST_DATA, 0x55);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_b32");
        amd_case_add(s->c, &i);
        amd_run(s, "gfx1100");
        for (unsigned n = 0; n < AMD_LANES; n++) {
            bool on = (n >= 4 && n < 16) || (n >= 32 && !wave32);
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, n), on ? 1 : 0x55);
            assert_int_equal(amd_out_decision(s->o, 0, 0, n), on ? AMD_DONE : AMD_INACTIVE);
        }
    }
}

/* ---- components ---- */

static void component_selection(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(64);
    d.format = 48; /* 32_32_UINT */
    d.dst_sel[0] = AMD_SEL_Y;
    d.dst_sel[1] = AMD_SEL_1;
    d.dst_sel[2] = AMD_SEL_W;
    d.dst_sel[3] = AMD_SEL_0;
    static const uint32_t in[] = {2, 1, 0, 0}, out[] = {0, 1, 0, 0};
    for (unsigned far = 0; far < 2; far++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_format_xyzw");
        i.offset = far ? 60 : 0;
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + n, 7), far ? out[n] : in[n]);
    }
    d.format = 50; /* 32_32_FLOAT: the constant is 1.0 */
    amd_case_begin(s->c, AMD_GFX11);
    amd_case_descriptor(s->c, &d);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_format_xy");
    amd_case_add(s->c, &i);
    amd_run(s, "manual");
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + 1, 0), 0x3F800000);
}

/* "RDNA3" guide 9.3: TBUFFER loads return X000, XY00, XYZ0 or XYZW, whatever DST_SEL of the V# is. */
static void identity_selection(void **state)
{
    struct amd_place *s = *state;
    static const uint32_t formats[] = {20, 48, 58, 61}; /* 32_UINT, 32_32_UINT, ... */
    struct amd_descriptor d = amd_raw_view(64);
    d.dst_sel[0] = d.dst_sel[3] = AMD_SEL_1;
    for (unsigned components = 1; components <= 4; components++) {
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        struct amd_insn i = amd_test_insn(AMD_GFX11, "tbuffer_load_format_xyzw");
        i.format = formats[components - 1];
        amd_case_add(s->c, &i);
        amd_run(s, "manual");
        for (unsigned n = 0; n < 4; n++)
            assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + n, 0), n < components ? n + 1 : 0);
    }
}

/* A D16 load packs X and Y into one register. It writes Z into one half of the next register, whose other
 * half keeps its content. D16_HI instructions use the high half. */
static void d16_packing(void **state)
{
    struct amd_place *s = *state;
    struct amd_descriptor d = amd_raw_view(64);
    d.format = 55; /* 16_16_16_16_UINT */
    amd_case_begin(s->c, AMD_GFX11);
    amd_case_descriptor(s->c, &d);
    amd_case_memory(s->c, 0, 0x22221111);
    amd_case_memory(s->c, 4, 0x44443333);
    amd_case_vgpr(s->c, AMD_TEST_DATA + 1, 0xABCDABCD);
    amd_case_vgpr(s->c, AMD_TEST_DATA + 8, 0x12345678);
    struct amd_insn i = amd_test_insn(AMD_GFX11, "buffer_load_d16_format_xyz"),
                    hi = amd_test_insn(AMD_GFX11, "buffer_load_d16_hi_b16"),
                    store = amd_test_insn(AMD_GFX11, "buffer_store_d16_hi_b16");
    hi.vdata = store.vdata = AMD_TEST_DATA + 8;
    hi.offset = 6;
    store.offset = 32;
    amd_case_add(s->c, &i);
    amd_case_add(s->c, &hi);
    amd_case_add(s->c, &store);
    amd_run(s, "manual");
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA, 0), 0x22221111);
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + 1, 0), 0xABCD3333);
    assert_int_equal(amd_out_vgpr(s->o, AMD_TEST_DATA + 8, 0), 0x44445678);
    assert_int_equal(amd_out_memory(s->o, 32), 0x00004444); /* 16 bits stored; the dword was 9 */
}

/* For every format that loses nothing, loading and then storing with it copies memory. */
static void formats_round_trip(void **state)
{
    struct amd_place *s = *state;
    struct random r;
    random_seed(&r, 5);
    unsigned formats = 0;
    for (uint32_t code = 1; code < 64; code++) {
        struct amd_format f;
        assert_true(amd_format_of(AMD_GFX11, code, &f));
        struct amd_descriptor d = amd_raw_view(1024);
        d.format = code;
        amd_case_begin(s->c, AMD_GFX11);
        amd_case_descriptor(s->c, &d);
        uint32_t words[4];
        /* The mask prevents fields with the most negative value, and floats whose exponent bits are all
         * set. */
        for (unsigned n = 0; n < 4; n++) {
            words[n] = random_u32(&r) & 0x3BDF3BDF;
            amd_case_memory(s->c, 4 * n, words[n]);
        }
        struct amd_insn load = amd_test_insn(AMD_GFX11, "buffer_load_format_xyzw"),
                        store = amd_test_insn(AMD_GFX11, "buffer_store_format_xyzw");
        store.offset = 64;
        amd_case_add(s->c, &load);
        amd_case_add(s->c, &store);
        amd_run(s, "manual");
        unsigned bytes = amd_layouts[f.layout].bytes;
        for (unsigned n = 0; n < bytes; n++) {
            uint32_t got = amd_out_memory(s->o, 64 + n / 4 * 4) >> 8 * (n % 4) & 0xFF,
                     want = words[n / 4] >> 8 * (n % 4) & 0xFF;
            if (f.number == AMD_SNORM || f.number == AMD_SSCALED) /* 2-bit fields can still have it */
                continue;
            if (got != want)
                fail_msg("format %s, byte %u: %02X came back as %02X", amd_gfx11_format_names[code], n, want,
                         got);
        }
        formats++;
    }
    assert_int_equal(formats, 63);
}

/* ---- variants of the loops for host instruction sets ---- */

/* Runs an instruction from the case's initial state with one variant of the loops. */
static void run_variant(struct amd_place *s, const struct buffer_kernels *k, const struct amd_insn *i,
                        struct buffer_lanes *l)
{
    struct amd_wave *w = s->x->state; /* amd_run has set it up */
    struct coverage seen = {0};
    struct buffer_plan plan;
    outcome_reset(s->o, s->c);
    memcpy(w->descriptor, amd_support_case(s->c)->descriptor, sizeof w->descriptor);
    w->profile = &s->p;
    w->coverage = &seen;
    w->trace_row = 0;
    memset(l, 0, sizeof *l);
    if (buffer_prepare(w, i, &plan) || plan.effect != BUFFER_MOVES || k->operands(w, &plan, l))
        return;
    k->resolve(w, &plan, l);
    if (i->op->kind == AMD_STORE)
        k->store(w, &plan, l);
    else
        k->load(w, &plan, l);
    for (unsigned unit = 0; unit < plan.units; unit++)
        k->note(w, l, unit, plan.unit_bytes);
}

static void loop_variants_agree(void **state)
{
    struct amd_place *s = *state;
    const struct buffer_kernels *const variants[] = {
        &buffer_kernels_plain,
#if BUFFER_HAS_X86
        __builtin_cpu_supports("avx2") ? &buffer_kernels_avx2 : NULL,
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") ? &buffer_kernels_avx512
                                                                                 : NULL,
#endif
    };
    struct random r;
    unsigned compared = 0;
    struct outcome *first = outcome_new(&amd_buffer_unit);
    size_t bytes = (size_t)amd_buffer_unit.layout.rows * AMD_LANES * sizeof(uint32_t);
    random_seed(&r, 6);
    for (unsigned n = support_scaled(5000); n; n--) {
        struct amd_insn i;
        case_init(s->c, &amd_buffer_unit);
        amd_case_generate(&r, s->c);
        struct amd_case *a = amd_support_case(s->c);
        if (!amd_decode((enum amd_generation)a->generation, (uint64_t)a->insn[0][1] << 32 | a->insn[0][0],
                        &i) ||
            (i.op->kind != AMD_LOAD && i.op->kind != AMD_STORE) || i.op->encoding == AMD_SMEM)
            continue;
        profile_builtin(&amd_buffer_unit, random_below(&r, AMD_PROFILE_GFX803 + 1), &s->p);
        executor_run(s->x, s->c, &s->p, RUN_PLAIN, s->o);
        struct buffer_lanes one, other;
        run_variant(s, variants[0], &i, &one);
        memcpy(first->value, s->o->value, bytes);
        for (unsigned v = 1; v < sizeof variants / sizeof *variants; v++) {
            if (!variants[v])
                continue;
            run_variant(s, variants[v], &i, &other);
            if (memcmp(first->value, s->o->value, bytes) != 0 ||
                memcmp(one.decision, other.decision, sizeof one.decision) != 0)
                support_fail_case(s->c, "variant %u of the loops differs from the plain one", v);
            compared++;
        }
    }
    print_message("  %u comparisons\n", compared);
    outcome_free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(witnesses_reproduce),
        cmocka_unit_test(witnesses_are_in_the_corpus),
        cmocka_unit_test(formats_are_all_or_nothing),
        cmocka_unit_test(special_descriptors),
        cmocka_unit_test(inactive_lanes),
        cmocka_unit_test(component_selection),
        cmocka_unit_test(identity_selection),
        cmocka_unit_test(d16_packing),
        cmocka_unit_test(formats_round_trip),
        cmocka_unit_test(loop_variants_agree),
    };
    return cmocka_run_group_tests(tests, amd_set_up, amd_tear_down);
}
