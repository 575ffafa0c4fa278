/* SPDX-License-Identifier: MIT */
#include "tests/support/support_store.h"

#include "fuzz/generate/generate.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct unit *store_unit;
char store_directory[128];
static char store_root[64];
static unsigned directories;
struct error store_error;

void new_directory(void)
{
    snprintf(store_directory, sizeof store_directory, "%s/c%u", store_root, directories++);
}

int store_tests_begin(void **state)
{
    (void)state;
    store_unit = unit_at(0);
    snprintf(store_root, sizeof store_root, "/tmp/misprint-test-store-XXXXXX");
    return mkdtemp(store_root) ? 0 : -1;
}

int store_tests_end(void **state)
{
    (void)state;
    support_remove_all(store_root);
    return 0;
}

struct store *must_open(bool create)
{
    struct store *s = store_open(store_directory, create, &store_error);
    if (!s)
        fail_msg("%s", store_error.text);
    return s;
}

void must(bool good)
{
    if (!good)
        fail_msg("%s", store_error.text);
}

void make_finding(struct finding *f, unsigned n, uint64_t cases)
{
    struct test_case *c = malloc(sizeof *c);
    struct outcome *o = outcome_new(store_unit);
    struct random r;
    assert_non_null(c);
    assert_non_null(o);
    random_seed(&r, n);
    case_generate(&r, store_unit, c);
    outcome_reset(o, c);
    outcome_row(o, 1, store_unit->layout.row_words)[0] ^= n;
    outcome_touch(o, 1);
    memset(f, 0, sizeof *f);
    f->unit = store_unit;
    snprintf(f->profile, sizeof f->profile, "manual");
    snprintf(f->board.spec, sizeof f->board.spec, "exec:test");
    snprintf(f->board.kind, sizeof f->board.kind, "exec");
    snprintf(f->board.description, sizeof f->board.description, "it's \"a board\" | of tests, \xC3\xA9");
    snprintf(f->board.provenance, sizeof f->board.provenance, "nowhere");
    f->explanation.candidates = 2;
    f->explanation.runs = 77;
    for (unsigned k = 0; k < 2; k++) {
        f->explanation.candidate[k].count = 1;
        f->explanation.candidate[k].change[0].clause = (uint16_t)((n + k) % unit_clauses(store_unit));
        f->explanation.candidate[k].change[0].reading =
            (uint8_t)(clause_readings(unit_clause(store_unit, (n + k) % unit_clauses(store_unit))) - 1);
        f->explanation.candidate[k].masks = n >> k & 1;
    }
    f->explanation.masked = n % 4 == 3;
    f->explanation.nearest_bits = DISTANCE_ENDS;
    f->signature = UINT64_C(0xFEDCBA9876543210);
    f->verdict = verdict_of(store_unit, &f->explanation, true, board_class(&f->board));
    f->cases = cases;
    finding_name(f);
    assert_true(finding_set_case(f, c, o, "seed 1 case 2"));
    free(c);
    outcome_free(o);
}

void assert_same_finding(const struct finding *a, const struct finding *b)
{
    assert_string_equal(a->id, b->id);
    assert_ptr_equal(a->unit, b->unit);
    assert_int_equal(a->verdict, b->verdict);
    assert_string_equal(a->profile, b->profile);
    assert_string_equal(a->board.spec, b->board.spec);
    assert_string_equal(a->board.kind, b->board.kind);
    assert_string_equal(a->board.description, b->board.description);
    assert_string_equal(a->board.provenance, b->board.provenance);
    assert_int_equal(a->board.silicon, b->board.silicon);
    assert_int_equal(a->explanation.candidates, b->explanation.candidates);
    for (unsigned i = 0; i < a->explanation.candidates; i++)
        assert_true(cause_equal(&a->explanation.candidate[i], &b->explanation.candidate[i]) &&
                    a->explanation.candidate[i].masks == b->explanation.candidate[i].masks);
    assert_int_equal(a->explanation.masked, b->explanation.masked);
    assert_int_equal(a->explanation.runs, b->explanation.runs);
    assert_true(a->explanation.nearest_bits == b->explanation.nearest_bits);
    assert_true(a->signature == b->signature);
    assert_true(case_equal(a->smallest, b->smallest));
    assert_string_equal(a->label, b->label);
    assert_int_equal(a->board_outcome_size, b->board_outcome_size);
    assert_memory_equal(a->board_outcome, b->board_outcome, a->board_outcome_size);
}
