/* SPDX-License-Identifier: MIT */
/*
 * Campaigns against boards with a defect that no clause describes: a load that doubles an address register. A
 * campaign must notice it early.
 */
/* The board's gp_load is below. It calls the model's, which is compiled here under another name. */
#define gp_load load_as_documented
#include "model/utgard/gp_memory.c"
#undef gp_load

#include "fuzz/campaign/campaign.h"
#include "oracle/board/board.h"
#include "oracle/compare/executor.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { EARLY = 2000, SEEDS = 6 };

/* The address register that loads double; 0: none. Set only while the board runs. */
static unsigned doubled;

void gp_load(struct gp *g, const struct gp_step *s);
void gp_load(struct gp *g, const struct gp_step *s)
{
    struct gp_writes waiting = g->address_writes;
    int32_t before = g->address[doubled];
    if (doubled) {
        g->address[doubled] *= 2;
        for (unsigned n = waiting.first; n != waiting.end; n++)
            if (waiting.write[n % GP_WRITES].place == doubled)
                g->address_writes.write[n % GP_WRITES].value *= 2;
    }
    load_as_documented(g, s);
    g->address_writes = waiting;
    g->address[doubled] = before;
}

struct defective {
    struct board board;
    struct executor *executor;
    unsigned doubled;
};

static const struct profile manual;

static bool run_defective(struct board *b, const struct test_case *const *cases, unsigned count,
                          struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct defective *x = b->state;
    (void)e;
    doubled = x->doubled;
    for (unsigned i = 0; i < count; i++) {
        executor_run(x->executor, cases[i], &manual, RUN_PLAIN, outcomes[i]);
        answers[i] = ANSWER_OUTCOME;
    }
    doubled = 0;
    return true;
}

static const struct board_kind defective_kind = {.name = "defective",
                                                 .form = "defective",
                                                 .about = "a defect that no clause describes",
                                                 .run = run_defective};

/* Runs a campaign of the manual against the board. */
static void campaign(struct defective *x, uint64_t seed, struct campaign_result *result)
{
    const struct unit *u = unit_named("utgard-gp");
    struct error e = {0};
    const struct campaign_options o = {.unit = u,
                                       .profile = &manual,
                                       .profile_name = "manual",
                                       .seed = seed,
                                       .max_cases = EARLY,
                                       .reduce = true,
                                       .board = &x->board};
    const struct run_facts facts = {.command = "fuzz",
                                    .seed = seed,
                                    .unit = "utgard-gp",
                                    .profile = "manual"};
    struct generator_source *g = generator_new(u, seed);
    assert_non_null(g);
    struct case_source source = generator_as_source(g);
    x->executor = executor_new(u);
    x->board = (struct board){.kind = &defective_kind, .unit = u, .state = x};
    if (!campaign_run(&o, &source, &facts, result, &e))
        fail_msg("%s", e.text);
    executor_free(x->executor);
    generator_free(g);
}

static void a_doubled_address_register_is_noticed(void **state)
{
    (void)state;
    struct defective x = {0};
    for (x.doubled = 1; x.doubled < GP_ADDRESS_REGISTERS; x.doubled++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct campaign_result result;
            campaign(&x, seed, &result);
            print_message("register %u, seed %u: case %u of %u is the first of %u that differ\n", x.doubled,
                          (unsigned)seed, (unsigned)result.first_case, EARLY,
                          (unsigned)result.tally.different);
            assert_true(result.first_case > 0);
            campaign_free(&result);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_doubled_address_register_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
