/* SPDX-License-Identifier: MIT */
/*
 * Bus addresses. A board may place memory and program at other addresses than virtual boards do. The campaign
 * compares, stores and reports the board's outcomes at the board's own addresses. So an address alone never
 * counts as a difference.
 */
#include "fuzz/campaign/campaign.h"
#include "oracle/files/load.h"
#include "oracle/files/trace.h"
#include "oracle/report/report_facts.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct board_identity far_away = {.spec = "exec:far",
                                               .kind = "exec",
                                               .description = "a board elsewhere",
                                               .memory_base = 0xC0000000,
                                               .code_base = 0xC0100000};

/* The case has one real difference (the rounding of fsub, clause fadd-truncation), and a link address that
 * depends on the program's address. */
static const char links[] = "misprint-case 1 vc4-qpu\n"
                            "program {\n"
                            "  fsub ra0, r0, r2\n"
                            "  brr ra1, 0\n"
                            "  nop\n"
                            "  nop\n"
                            "  nop\n"
                            "  nop ; end\n"
                            "  nop\n"
                            "  nop\n"
                            "}\n"
                            "acc fill index\n";

static struct error e;

static void must(bool good)
{
    if (!good)
        fail_msg("%s", e.text);
}

/* Writes a trace with this case, from a board with other addresses that follows profile bcm2835. */
static void record(const struct unit *u, const char *path)
{
    struct profile p;
    struct test_case *c = malloc(sizeof *c);
    struct executor *x = executor_new(u);
    struct outcome *there = outcome_new(u), *here = outcome_new(u);
    must(c && case_parse(c, links, strlen(links), &e) && profile_load(u, "bcm2835", &p, &e));
    executor_run(x, c, &p, RUN_PLAIN, here);
    executor_place(x, &far_away);
    executor_run(x, c, &p, RUN_PLAIN, there);
    uint32_t row = layout_region_named(&u->layout, "ra")->first_row + 1;
    assert_true(outcome_touched(there, row));
    assert_int_equal(there->value[row * u->layout.row_words],
                     far_away.code_base + 40); /* the instruction four after the branch (p34) */
    assert_int_equal(here->value[row * u->layout.row_words], CODE_BASE_DEFAULT + 40);
    struct trace_writer *w = trace_create(path, u, &far_away, &e);
    must(w && trace_add(w, c, there, "links", &e) && trace_finish(w, &e));
    outcome_free(there);
    outcome_free(here);
    executor_free(x);
    free(c);
}

static bool next_of_trace(void *context, struct test_case *c, struct outcome *board, bool *has_outcome,
                          const char **label, struct error *error)
{
    *has_outcome = true;
    return trace_next(context, c, board, label, error) > 0;
}

static void replay(const struct unit *u, const char *path, struct store *s)
{
    struct profile p;
    struct board_identity who;
    struct campaign_result result;
    struct trace_reader *r = trace_open(path, &e);
    must(r && profile_load(u, "manual", &p, &e));
    trace_identify(r, path, &who);
    struct run_facts facts = {.command = "replay", .unit = "vc4-qpu", .profile = "manual", .board = who};
    struct case_source source = {.next = next_of_trace, .context = r, .identity = &who};
    struct campaign_options o = {.unit = u, .profile = &p, .profile_name = "manual", .store = s};
    must(campaign_run(&o, &source, &facts, &result, &e));
    assert_int_equal(result.findings, 1);
    campaign_free(&result);
    trace_close(r);
}

static void only_real_differences_are_reported(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-qpu");
    char root[] = "/tmp/misprint-bases-XXXXXX", path[64], campaign[64];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/far.trace", root);
    snprintf(campaign, sizeof campaign, "%s/c", root);
    record(u, path);
    struct store *s = store_open(campaign, true, &e);
    must(s != NULL);
    replay(u, path, s);
    struct report r;
    must(report_gather(s, campaign, &r, &e));
    assert_int_equal(r.findings, 1);
    assert_int_equal(r.run[0].board.code_base, far_away.code_base);
    assert_int_equal(r.finding[0].board.memory_base, far_away.memory_base);
    assert_int_equal(r.boards[0].board[0].board.code_base, far_away.code_base);
    struct finding_viewer *b = finding_viewer_new();
    struct finding_view v;
    finding_view(b, &r, 0, &v);
    assert_true(v.shown);
    assert_true(v.differences.words > 0);
    /* The sum in ra0 differs. The link in ra1 does not. */
    for (uint32_t i = 0; i < v.differences.listed; i++)
        assert_int_equal(v.differences.word[i].row, layout_region_named(&u->layout, "ra")->first_row);
    finding_viewer_free(b);
    report_free(&r);
    store_close(s);
    support_remove_all(root);
}

/* A trace used as a board has the memory and code addresses of the board that recorded it. */
static void a_trace_stands_where_it_was_recorded(void **state)
{
    (void)state;
    const struct unit *u = unit_named("vc4-qpu");
    char root[] = "/tmp/misprint-bases-XXXXXX", path[64], spec[80];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/far.trace", root);
    snprintf(spec, sizeof spec, "trace:%s", path);
    record(u, path);
    struct board *b = board_open(spec, u, &e);
    must(b != NULL);
    assert_int_equal(b->identity.memory_base, far_away.memory_base);
    assert_int_equal(b->identity.code_base, far_away.code_base);
    board_close(b);
    b = board_open("virtual:", u, &e);
    must(b != NULL);
    assert_int_equal(b->identity.memory_base, MEMORY_BASE_DEFAULT);
    assert_int_equal(b->identity.code_base, CODE_BASE_DEFAULT);
    board_close(b);
    support_remove_all(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_real_differences_are_reported),
        cmocka_unit_test(a_trace_stands_where_it_was_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
