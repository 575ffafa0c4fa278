/* SPDX-License-Identifier: MIT */
/*
 * The unit vc4-vpm through its interface: texts of operations, properties of
 * generated cases, random bytes.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/vc4/vpm/unit_vpm.h"
#include "model/vc4/vpm/vpm_clauses.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct unit *const unit = &vc4_vpm_unit;

/* ---- One machine to run cases on ---- */

struct bench {
    struct run run;
    struct coverage coverage;
    struct test_case tc;
    struct profile manual, bcm2835;
    struct random random;
};

static struct bench *bench_new(uint64_t seed)
{
    struct bench *b = calloc(1, sizeof *b);
    struct error e = {0};
    assert_non_null(b);
    assert_true(profile_resolve(unit, "manual", &b->manual, &e));
    assert_true(profile_resolve(unit, "bcm2835", &b->bcm2835, &e));
    void *state = aligned_alloc(64, (unit->state_size + 63) / 64 * 64);
    assert_non_null(state);
    memset(state, 0, unit->state_size);
    b->run = (struct run){.tc = &b->tc,
                          .coverage = &b->coverage,
                          .state = state,
                          .memory_base = MEMORY_BASE_DEFAULT};
    random_seed(&b->random, seed);
    return b;
}

static void bench_free(struct bench *b)
{
    free(b->run.state);
    free(b);
}

static void run_on(struct bench *b, const struct profile *p, enum run_mode mode, uint32_t filler,
                   struct outcome *out)
{
    b->run.profile = p;
    b->run.mode = mode;
    b->run.filler = filler;
    b->run.out = out;
    unit->run(&b->run);
}

/* Returns a random profile in which most clauses have the reading `manual`. */
static struct profile some_profile(struct random *r)
{
    struct profile p = {0};
    for (unsigned i = 0; i < unit_clauses(unit); i++)
        p.reading[i] =
            random_one_in(r, 3) ? (uint8_t)random_below(r, clause_readings(unit_clause(unit, i))) : 0;
    return p;
}

/* Do both outcomes have the same defined bits, and are these bits equal? */
static bool same_defined(const struct outcome *a, const struct outcome *b)
{
    if (a->end != b->end || a->reason != b->reason)
        return false;
    for (uint32_t i = 0; i < (uint32_t)unit->layout.rows * unit->layout.row_words; i++)
        if (a->defined[i] != b->defined[i] || ((a->value[i] ^ b->value[i]) & a->defined[i]))
            return false;
    return true;
}

/* ---- Properties ---- */

static void opposite_fillers_agree_on_defined_bits(void **state)
{
    (void)state;
    struct bench *b = bench_new(1);
    struct outcome *zeros = outcome_new(unit), *ones = outcome_new(unit);
    uint64_t undefined = 0;
    for (unsigned i = 0, n = support_scaled(100000); i < n; i++) {
        case_generate(&b->random, unit, &b->tc);
        struct profile p = some_profile(&b->random);
        run_on(b, &p, RUN_CHECKED, 0, zeros);
        run_on(b, &p, RUN_CHECKED, UINT32_MAX, ones);
        for (uint32_t row = 0; row < unit->layout.rows; row++)
            for (uint32_t w = 0; w < unit->layout.row_words && outcome_touched(zeros, row); w++)
                undefined += zeros->defined[row * unit->layout.row_words + w] != UINT32_MAX;
        if (!same_defined(zeros, ones))
            support_fail_case(&b->tc, "case %u: opposite fillers disagree in a defined bit", i);
    }
    print_message("  %llu words with undefined bits\n", (unsigned long long)undefined);
    assert_true(undefined > 0);
    outcome_free(zeros);
    outcome_free(ones);
    bench_free(b);
}

static void plain_and_checked_runs_agree_where_defined(void **state)
{
    (void)state;
    struct bench *b = bench_new(2);
    struct outcome *plain = outcome_new(unit), *checked = outcome_new(unit);
    unsigned compared = 0;
    for (unsigned i = 0, n = support_scaled(100000); i < n; i++) {
        case_generate(&b->random, unit, &b->tc);
        struct profile p = some_profile(&b->random);
        run_on(b, &p, RUN_PLAIN, 0, plain);
        run_on(b, &p, RUN_CHECKED, 0, checked);
        if (checked->reason == VC4_FAULT_UNDEFINED)
            continue; /* checked runs only */
        compared++;
        bool equal = plain->end == checked->end && plain->reason == checked->reason;
        for (uint32_t w = 0; equal && w < (uint32_t)unit->layout.rows * unit->layout.row_words; w++)
            equal = !((plain->value[w] ^ checked->value[w]) & checked->defined[w]);
        if (!equal)
            support_fail_case(&b->tc, "case %u: the plain run differs from the checked one", i);
    }
    assert_true(compared > 0);
    outcome_free(plain);
    outcome_free(checked);
    bench_free(b);
}

/* A clause that was not consulted cannot have influenced the outcome. Attribution relies on it. */
static void clauses_not_covered_change_nothing(void **state)
{
    (void)state;
    struct bench *b = bench_new(3);
    struct outcome *one = outcome_new(unit), *other = outcome_new(unit);
    unsigned changed = 0;
    for (unsigned i = 0, n = support_scaled(40000); i < n; i++) {
        case_generate(&b->random, unit, &b->tc);
        struct profile p = some_profile(&b->random), q = p;
        memset(&b->coverage, 0, sizeof b->coverage);
        run_on(b, &p, RUN_CHECKED, 0, one);
        for (unsigned c = 0; c < unit_clauses(unit); c++)
            if (!covered(&b->coverage, c))
                q.reading[c] = (uint8_t)random_below(&b->random, clause_readings(unit_clause(unit, c)));
        changed += memcmp(&p, &q, sizeof p) != 0;
        run_on(b, &q, RUN_CHECKED, 0, other);
        if (!same_defined(one, other))
            support_fail_case(&b->tc, "case %u: a clause that was not consulted changes the outcome", i);
    }
    assert_true(changed > 0);
    outcome_free(one);
    outcome_free(other);
    bench_free(b);
}

static void count_trace_line(void *context, const char *line)
{
    assert_true(strlen(line) > 0 && !strchr(line, '\n'));
    ++*(unsigned *)context;
}

static void traced_runs_are_checked_runs_with_a_line_an_operation(void **state)
{
    (void)state;
    struct bench *b = bench_new(4);
    struct outcome *checked = outcome_new(unit), *traced = outcome_new(unit);
    for (unsigned i = 0, n = support_scaled(3000); i < n; i++) {
        unsigned lines = 0;
        b->run.trace = count_trace_line;
        b->run.trace_context = &lines;
        case_generate(&b->random, unit, &b->tc);
        run_on(b, &b->manual, RUN_CHECKED, 0, checked);
        run_on(b, &b->manual, RUN_TRACED, 0, traced);
        assert_true(same_defined(checked, traced));
        assert_memory_equal(checked->touched, traced->touched, sizeof checked->touched);
        const struct vpm_case *c = (const struct vpm_case *)(const void *)b->tc.words;
        assert_true(lines > 0 || c->op_count == 0);
        if (traced->end == END_DONE)
            assert_int_equal(lines, c->op_count);
    }
    outcome_free(checked);
    outcome_free(traced);
    bench_free(b);
}

/* Rows that are not marked as touched hold the case's content, so comparison may skip them. */
static void rows_not_touched_are_not_changed(void **state)
{
    (void)state;
    struct bench *b = bench_new(5);
    struct outcome *out = outcome_new(unit), *clean = outcome_new(unit);
    for (unsigned i = 0, n = support_scaled(20000); i < n; i++) {
        case_generate(&b->random, unit, &b->tc);
        struct profile p = some_profile(&b->random);
        run_on(b, &p, i & 1 ? RUN_CHECKED : RUN_PLAIN, 0, out);
        outcome_reset(clean, &b->tc);
        for (uint32_t row = 0; row < unit->layout.rows; row++)
            if (!outcome_touched(out, row) &&
                memcmp(outcome_row(out, row, VC4_LANES), outcome_row(clean, row, VC4_LANES), 64) != 0)
                support_fail_case(&b->tc, "case %u: row %u changed without being marked", i, row);
    }
    outcome_free(out);
    outcome_free(clean);
    bench_free(b);
}

static void the_generator_reaches_every_clause(void **state)
{
    (void)state;
    struct bench *b = bench_new(6);
    struct outcome *out = outcome_new(unit);
    unsigned done = 0, n = 60000;
    for (unsigned i = 0; i < n; i++) {
        case_generate(&b->random, unit, &b->tc);
        run_on(b, &b->manual, RUN_PLAIN, 0, out);
        done += out->end == END_DONE;
    }
    for (unsigned c = 0; c < unit_clauses(unit); c++) {
        const struct clause *k = unit_clause(unit, c);
        for (unsigned mode = 0; k->modes ? k->modes[mode] != NULL : mode < 1; mode++)
            if (!(b->coverage.modes[c] >> mode & 1))
                print_message("  not reached: %s, %s\n", k->id, k->modes ? k->modes[mode] : "its one mode");
        if (!covered(&b->coverage, c))
            fail_msg("no generated case touches clause %s", k->id);
    }
    assert_true(done > n / 2);
    outcome_free(out);
    bench_free(b);
}

/*
 * corpus/vc4-vpm/seed-shader-rows.case: the VPM side of the coordinate shader of the blog post "VPM, VCD, and
 * VCM For Vertex Shaders". The post's author read the seven words from a Raspberry Pi's console. The model
 * must leave them under every profile.
 */
static void the_published_shader_leaves_its_seven_rows(void **state)
{
    (void)state;
    static const uint32_t expected[7] = {0xBF665C24, 0x3F5EDD42, 0x00000000, 0x3F800000,
                                         0x1C000200, 0x3F800000, 0x3F800000};
    struct bench *b = bench_new(13);
    struct outcome *out = outcome_new(unit);
    char text[4096];
    FILE *f = fopen(MISPRINT_SOURCE_DIR "/corpus/vc4-vpm/seed-shader-rows.case", "rb");
    assert_non_null(f);
    size_t count = fread(text, 1, sizeof text, f);
    (void)fclose(f);
    struct error e = {0};
    if (!case_parse(&b->tc, text, count, &e))
        fail_msg("%s", e.text);
    for (unsigned profile = 0; profile < 2; profile++) {
        run_on(b, profile ? &b->bcm2835 : &b->manual, RUN_CHECKED, 0, out);
        assert_int_equal(out->end, END_DONE);
        const struct region *memory = layout_region_named(&unit->layout, "memory");
        for (uint32_t row = 0; row < memory->rows; row++)
            for (uint32_t w = 0; w < VC4_LANES; w++) {
                assert_int_equal(outcome_row(out, memory->first_row + row, VC4_LANES)[w],
                                 row < 7 ? expected[row] : 0);
                assert_int_equal(out->defined[(memory->first_row + row) * VC4_LANES + w], UINT32_MAX);
            }
    }
    outcome_free(out);
    bench_free(b);
}

/* ---- Random bytes ---- */

static void any_bytes_run(void **state)
{
    (void)state;
    struct bench *b = bench_new(7);
    struct outcome *out = outcome_new(unit);
    uint8_t bytes[1024];
    for (unsigned i = 0, n = support_scaled(200000); i < n; i++) {
        size_t count = random_below(&b->random, sizeof bytes);
        for (size_t k = 0; k < count; k++)
            bytes[k] = (uint8_t)random_u32(&b->random);
        case_decode(&b->tc, unit, bytes, count);
        if (i & 2)
            unit->mend(&b->tc);
        struct profile p = some_profile(&b->random);
        run_on(b, &p, i & 1 ? RUN_CHECKED : RUN_PLAIN, 0, out);
    }
    outcome_free(out);
    bench_free(b);
}

/* Operations of random words, which the generator has not filtered. */
static void any_operations_run(void **state)
{
    (void)state;
    struct bench *b = bench_new(8);
    struct outcome *out = outcome_new(unit);
    for (unsigned i = 0, n = support_scaled(200000); i < n; i++) {
        case_init(&b->tc, unit);
        struct vpm_case *c = (struct vpm_case *)(void *)b->tc.words;
        c->op_count = random_below(&b->random, 16);
        for (uint32_t k = 0; k < c->op_count; k++) {
            vpm_op_generate(&b->random, c->op[k]);
            for (unsigned times = random_below(&b->random, 3); times; times--)
                vpm_op_mutate(&b->random, c->op[k]);
            if (random_one_in(&b->random, 8))
                c->op[k][random_below(&b->random, 2)] = random_u32(&b->random);
        }
        struct profile p = some_profile(&b->random);
        run_on(b, &p, i & 1 ? RUN_CHECKED : RUN_PLAIN, 0, out);
    }
    outcome_free(out);
    bench_free(b);
}

static void mending_twice_changes_nothing_more(void **state)
{
    (void)state;
    struct bench *b = bench_new(9);
    struct test_case *once = malloc(sizeof *once);
    assert_non_null(once);
    for (unsigned i = 0, n = support_scaled(20000); i < n; i++) {
        case_generate(&b->random, unit, &b->tc);
        struct vpm_case *c = (struct vpm_case *)(void *)b->tc.words;
        if (c->op_count)
            c->op[random_below(&b->random, c->op_count)][random_below(&b->random, 2)] =
                random_u32(&b->random);
        unit->mend(&b->tc);
        case_copy(once, &b->tc);
        unit->mend(&b->tc);
        assert_true(case_equal(once, &b->tc));
    }
    free(once);
    bench_free(b);
}

/* ---- Text ---- */

static void check_op_text(const uint32_t *words, struct text *t)
{
    uint32_t back[OP_WORDS] = {~words[0], ~words[1]};
    struct error e = {0};
    text_clear(t);
    vpm_op_print(words, t);
    if (!vpm_op_parse(text_chars(t), t->length, back, &e) || memcmp(back, words, sizeof back) != 0)
        fail_msg("%08x %08x prints as \"%s\", which reads as %08x %08x (%s)", (unsigned)words[0],
                 (unsigned)words[1], text_chars(t), (unsigned)back[0], (unsigned)back[1], e.text);
}

static void operations_have_a_loss_free_text(void **state)
{
    (void)state;
    struct random r;
    struct text t = {0};
    random_seed(&r, 10);
    for (unsigned i = 0, n = support_scaled(500000); i < n; i++) {
        uint32_t words[OP_WORDS] = {random_u32(&r), random_u32(&r)};
        if (i & 1)
            vpm_op_generate(&r, words);
        if (i & 2)
            words[1] &= OP_CODE_MASK | VPM_OP_WITH;
        check_op_text(words, &t);
    }
    text_free(&t);
}

static void cases_have_a_loss_free_text(void **state)
{
    (void)state;
    struct bench *b = bench_new(11);
    struct test_case *back = malloc(sizeof *back);
    struct text t = {0};
    assert_non_null(back);
    for (unsigned i = 0, n = support_scaled(5000); i < n; i++) {
        struct error e = {0};
        case_generate(&b->random, unit, &b->tc);
        text_clear(&t);
        case_print(&b->tc, &t);
        if (!case_parse(back, text_chars(&t), t.length, &e) || !case_equal(back, &b->tc))
            support_fail_case(&b->tc, "the text of case %u does not read back: %s", i, e.text);
    }
    text_free(&t);
    free(back);
    bench_free(b);
}

static void operation_texts(void **state)
{
    (void)state;
    static const struct {
        uint32_t words[OP_WORDS];
        const char *text;
    } rows[] = {
        {{0x1A02, VPM_OP_WR_SETUP}, "wr_setup h32 stride=1 y=2"},
        {{0x40000000, VPM_OP_RD_SETUP}, "rd_setup 0x40000000"},
        {{3, VPM_OP_WRITE}, "write 3"},
        {{3, VPM_OP_WRITE | 0xFF000000U}, "write 3 lanes=0x00ff"},
        {{0, VPM_OP_READ | VPM_OP_WITH}, "with read"},
        {{5, VPM_OP_READ}, "read operand=0x5"},
        {{0x40, VPM_OP_ST_ADDR}, "st_addr 0x40"},
        {{2, VPM_OP_NOP}, "nop 2"},
        {{0, VPM_OP_LD_WAIT | 0x10020}, "junk=0x10020 ld_wait"},
        {{1, 0xF}, "raw 00000001 0000000f"},
    };
    struct text t = {0};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        text_clear(&t);
        vpm_op_print(rows[i].words, &t);
        assert_string_equal(text_chars(&t), rows[i].text);
        check_op_text(rows[i].words, &t);
    }
    text_free(&t);
}

static void operation_errors_name_the_column(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"wr_setup h32 y=99", "column 16: y is at most 63"},
        {"  rd_setup h31", "column 12: unknown kind of read setup 'h31'"},
        {"wirte 3", "column 1: unknown operation 'wirte'; did you mean 'write'?"},
        {"write x", "column 7: expected a decimal or 0x number after \"write\""},
        {"write 3 lanes=0x10000", "column 9: lanes is a mask"},
        {"write 3 4", "column 9: expected lanes=NUMBER"},
        {"read 3", "column 6: expected operand=NUMBER"},
        {"nop 1 2", "column 7: expected the end of the line"},
        {"with", "unknown operation"},
        {"junk=0x10 read", "has bits that mean something to read"},
        {"raw 1", "column 6: expected \"raw\" and two words"},
        {"", "unknown operation"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error e = {0};
        uint32_t words[OP_WORDS];
        assert_false(vpm_op_parse(rows[i].text, strlen(rows[i].text), words, &e));
        if (!strstr(e.text, rows[i].part))
            fail_msg("\"%s\" gives \"%s\", not \"%s\"", rows[i].text, e.text, rows[i].part);
    }
}

static void any_characters_parse_or_are_refused(void **state)
{
    (void)state;
    static const char *const pieces[] = {"wr_setup", "rd_setup", "write", " ",     "=",     "0x",
                                         "h32",      "store-h",  "y",     "lanes", "junk=", "with ",
                                         "raw",      "9",        "\t",    "f"};
    struct random r;
    random_seed(&r, 12);
    for (unsigned i = 0, n = support_scaled(200000); i < n; i++) {
        char line[128];
        size_t length = 0;
        for (unsigned k = random_below(&r, 10); k && length < 100; k--) {
            const char *piece = pieces[random_below(&r, sizeof pieces / sizeof *pieces)];
            length += (size_t)snprintf(line + length, sizeof line - length, "%s", piece);
        }
        if (length && random_one_in(&r, 4))
            line[random_below(&r, (uint32_t)length)] = (char)random_u32(&r);
        char *exact = malloc(length ? length : 1); /* so that sanitizers see a read past the end */
        assert_non_null(exact);
        memcpy(exact, line, length);
        uint32_t words[OP_WORDS];
        struct error e = {0};
        if (!vpm_op_parse(exact, length, words, &e))
            assert_true(e.text[0] != 0);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opposite_fillers_agree_on_defined_bits),
        cmocka_unit_test(plain_and_checked_runs_agree_where_defined),
        cmocka_unit_test(clauses_not_covered_change_nothing),
        cmocka_unit_test(traced_runs_are_checked_runs_with_a_line_an_operation),
        cmocka_unit_test(rows_not_touched_are_not_changed),
        cmocka_unit_test(the_generator_reaches_every_clause),
        cmocka_unit_test(the_published_shader_leaves_its_seven_rows),
        cmocka_unit_test(any_bytes_run),
        cmocka_unit_test(any_operations_run),
        cmocka_unit_test(mending_twice_changes_nothing_more),
        cmocka_unit_test(operations_have_a_loss_free_text),
        cmocka_unit_test(cases_have_a_loss_free_text),
        cmocka_unit_test(operation_texts),
        cmocka_unit_test(operation_errors_name_the_column),
        cmocka_unit_test(any_characters_parse_or_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
