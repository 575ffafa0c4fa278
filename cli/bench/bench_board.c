/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench.h"
#include "fuzz/generate/generate.h"
#include "harness/system/clock.h"
#include "harness/system/machine.h"
#include "harness/system/pages.h"
#include "model/number/random.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 256, TRIED_MAX = 64 * CASES, SIZES = 5 };
static const unsigned sizes[SIZES] = {1, 4, 16, 64, 256};

struct bench {
    struct board *board;
    struct test_case *tc; /* CASES generated cases that the board accepts */
    const struct test_case *list[CASES];
    struct outcome *outcomes[CASES];
    struct outcome *model[CASES]; /* the model's outcomes */
    void *memory[2];              /* holds the outcomes */
    enum answer answers[CASES];
    struct tally tally;
};

struct figure {
    double launches, cases; /* per second of wall clock */
    double slowest;         /* the slowest launch, in seconds */
    /* Processor seconds of this process for each case: all of them; those in dry runs; those outside dry runs
     * and launches. */
    double processor, proof, host;
};

/* Returns false with an error after a signal, so that the caller closes the board properly. */
static bool check_interrupted(struct error *e)
{
    e->of_machine = interrupted;
    return !interrupted || error_set(e, "interrupted: not all sizes were measured");
}

static bool make_room(struct bench *b, const struct unit *u, struct error *e)
{
    for (unsigned i = 0; i < CASES; i++)
        b->list[i] = &b->tc[i];
    b->memory[0] = pages_of_outcomes(u, CASES, b->outcomes);
    b->memory[1] = pages_of_outcomes(u, CASES, b->model);
    return (b->tc && b->memory[0] && b->memory[1]) || error_memory(e, "for a board's cases");
}

/* Generates cases until the board has run CASES of them. */
static bool find_cases(struct bench *b, const struct unit *u, struct error *e)
{
    struct random r;
    unsigned found = 0;
    random_seed(&r, 1);
    for (unsigned tried = 0; tried < TRIED_MAX && found < CASES; tried += CASES - found) {
        for (unsigned i = found; i < CASES; i++) {
            case_init(&b->tc[i], u);
            case_generate(&r, u, &b->tc[i]);
            if (b->board->lacks)
                board_lacks_mend(b->board->lacks, &b->tc[i]);
        }
        if (!check_interrupted(e) ||
            !board_run(b->board, b->list + found, CASES - found, b->outcomes + found, b->answers + found, e))
            return false;
        for (unsigned i = found; i < CASES; i++)
            if (b->answers[i] == ANSWER_OUTCOME && b->outcomes[i]->end == END_DONE) {
                case_copy(&b->tc[found], &b->tc[i]);
                found++;
            }
    }
    e->of_machine = found < CASES;
    return found == CASES || error_set(e, "the board ran only %u of %d generated cases", found, TRIED_MAX);
}

/* Computes the expected outcomes. */
static void run_model(struct bench *b, const struct unit *u)
{
    struct profile p;
    struct executor *x = executor_new(u);
    profile_builtin(u, u->best_profile, &p);
    executor_place(x, &b->board->identity);
    for (unsigned i = 0; i < CASES; i++)
        executor_run(x, b->list[i], &p, RUN_PLAIN, b->model[i]);
    executor_free(x);
}

static bool measure(struct bench *b, unsigned size, double wanted, struct figure *f, struct error *e)
{
    double start = clock_seconds(), processor = clock_processor_seconds(),
           launched = b->board->launch_seconds, end = start;
    double proven = b->board->proof_seconds;
    unsigned launches = 0;
    f->slowest = 0;
    do {
        unsigned first = launches * size % CASES; /* different cases in each launch */
        double before = end;
        if (!check_interrupted(e) || !board_run(b->board, b->list + first, size, b->outcomes, b->answers, e))
            return false;
        for (unsigned i = 0; i < size; i++)
            (void)outcomes_equal(b->model[first + i], b->outcomes[i], &b->tally, NULL);
        end = clock_seconds();
        f->slowest = end - before > f->slowest ? end - before : f->slowest;
        launches++;
    } while (end - start < wanted);
    f->launches = launches / (end - start);
    f->cases = f->launches * size;
    processor = clock_processor_seconds() - processor;
    launched = b->board->launch_seconds - launched;
    f->processor = processor / ((double)launches * size);
    proven = b->board->proof_seconds - proven;
    f->host = (processor - launched - proven) / ((double)launches * size);
    f->proof = proven / ((double)launches * size);
    return true;
}

static int print_figures(const struct arguments *a, const struct board *board, const struct figure *f)
{
    struct text t = {0};
    char machine[256];
    json_t *list = json_array();
    machine_describe(machine, sizeof machine);
    text_add(&t,
             "%s\n"
             "board %s: %s\n"
             "  at once  launches/s     cases/s  us a case  of this processor  dry run  rest of the host  "
             "slowest launch, ms\n",
             machine, board->identity.spec, board->identity.description);
    for (unsigned i = 0; i < SIZES; i++) {
        text_add(&t, "  %7u %11.0f %11.0f %10.2f %18.2f %8.2f %17.2f %19.2f\n", sizes[i], f[i].launches,
                 f[i].cases, 1e6 / f[i].cases, 1e6 * f[i].processor, 1e6 * f[i].proof, 1e6 * f[i].host,
                 1e3 * f[i].slowest);
        json_array_append_new(list,
                              json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f}", "at_once", (int)sizes[i],
                                        "launches_per_second", f[i].launches, "cases_per_second", f[i].cases,
                                        "processor_us_per_case", 1e6 * f[i].processor, "dry_run_us_per_case",
                                        1e6 * f[i].proof, "outside_launches_us_per_case", 1e6 * f[i].host,
                                        "slowest_ms", 1e3 * f[i].slowest));
    }
    return print_result(a, &t,
                        json_pack("{s:s, s:s, s:s, s:o}", "machine", machine, "board", board->identity.spec,
                                  "description", board->identity.description, "figures", list),
                        STATUS_EQUAL);
}

int bench_board(const struct arguments *a)
{
    struct error e = {0};
    struct figure figures[SIZES];
    const struct unit *u = unit_find(a->option[OPTION_UNIT] ? a->option[OPTION_UNIT] : "vc4-qpu", &e);
    double wanted;
    if (!u || !argument_seconds(a, OPTION_TIME, &wanted, &e))
        return fail(STATUS_USAGE, &e);
    catch_interrupts();
    struct bench b = {.board = board_open(a->option[OPTION_BOARD], u, &e),
                      .tc = pages_new(CASES, sizeof *b.tc)};
    bool good = b.board && make_room(&b, u, &e) && find_cases(&b, u, &e);
    if (good)
        run_model(&b, u);
    for (unsigned i = 0; good && i < SIZES; i++)
        good = measure(&b, sizes[i], wanted > 0 ? wanted / SIZES : 0.5, &figures[i], &e);
    int status = good ? print_figures(a, b.board, figures) : fail(b.board ? STATUS_BROKEN : STATUS_USAGE, &e);
    board_close(b.board);
    free(b.memory[0]);
    free(b.memory[1]);
    free(b.tc);
    return status;
}
