/* SPDX-License-Identifier: MIT */
/* `misprint bench boards`: the speed of the ways to attach a board, for all units, as a share of the built-in
 * virtual board's. All boards answer the same cases, and their answers must be equal. */
#include "cli/bench/bench.h"
#include "harness/system/clock.h"
#include "harness/system/machine.h"
#include "harness/system/pages.h"
#include "model/core/memory.h"
#include "oracle/compare/compare.h"
#include "oracle/describe/escape.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 256, BATCHES = 3, ROUNDS = 5, BOARDS_MAX = 4 };

static const char *const titles[BOARDS_MAX] = {"virtual", "exec agent", "plug-in inline", "plug-in child"};

/* The batches that a campaign has at once: two are sent ahead while one is compared. */
struct batches {
    struct test_case *tc;
    const struct test_case *list[BATCHES][BATCH];
    struct outcome *out[BATCHES][BATCH];
    void *memory[BATCHES];
};

struct row {
    const struct unit *unit;
    unsigned boards;
    double rate[BOARDS_MAX]; /* median cases a second */
};

static bool make_batches(struct batches *b, const struct unit *u, struct error *e)
{
    struct random r;
    random_seed(&r, 1);
    *b = (struct batches){.tc = pages_new(BATCH * BATCHES, sizeof *b->tc)};
    bool good = b->tc;
    for (unsigned n = 0; good && n < BATCHES; n++) {
        good = (b->memory[n] = pages_of_outcomes(u, BATCH, b->out[n]));
        for (unsigned i = 0; i < BATCH; i++) {
            struct test_case *c = &b->tc[n * BATCH + i];
            case_init(c, u);
            u->generate(&r, c);
            b->list[n][i] = c;
        }
    }
    return good || error_memory(e, "for a board's cases");
}

static void free_batches(struct batches *b)
{
    for (unsigned n = 0; n < BATCHES; n++)
        free(b->memory[n]);
    free(b->tc);
}

/* Runs batches for some seconds, each sent ahead while the one before runs. Returns cases a second; negative
 * with an error. */
static double measure(struct board *board, struct batches *b, double seconds, struct error *e)
{
    enum answer answers[BATCH];
    double start = clock_seconds(), now = start, cases = 0;
    for (unsigned n = 0; now - start < seconds; n = (n + 1) % BATCHES) {
        unsigned next = (n + 1) % BATCHES;
        if (interrupted)
            return error_set(e, "interrupted"), -1;
        if ((cases == 0 && !board_ahead(board, b->list[n], BATCH, b->out[n], e)) ||
            !board_ahead(board, b->list[next], BATCH, b->out[next], e) ||
            !board_run(board, b->list[n], BATCH, b->out[n], answers, e))
            return -1;
        cases += BATCH;
        now = clock_seconds();
    }
    for (unsigned n = 0; n < BATCHES; n++) /* takes what was sent ahead */
        if (!board_run(board, b->list[n], BATCH, b->out[n], answers, e))
            return -1;
    return cases / (now - start);
}

/* True if the boards give the same outcomes to the first batch. */
static bool check_equal(struct board *const *boards, unsigned count, struct batches *b, struct error *e)
{
    enum answer answers[BATCH];
    struct tally tally = {0};
    if (!board_run(boards[0], b->list[0], BATCH, b->out[0], answers, e))
        return false;
    for (unsigned k = 1; k < count; k++) {
        if (!board_run(boards[k], b->list[0], BATCH, b->out[1], answers, e))
            return false;
        for (unsigned i = 0; i < BATCH; i++)
            if (answers[i] != ANSWER_OUTCOME || !outcomes_equal(b->out[0][i], b->out[1][i], &tally, NULL))
                return error_set(e, "board %.160s and board %.160s differ in case %u of unit %s",
                                 boards[0]->identity.spec, boards[k]->identity.spec, i,
                                 boards[0]->unit->name);
    }
    return true;
}

/* Opens the boards: virtual, our own agent, and the plug-in in both ways if the user named one. */
static unsigned open_boards(struct board **boards, const struct unit *u, const char *plugin, struct error *e)
{
    char path[4096] = "";
    struct text spec[BOARDS_MAX] = {0};
    unsigned count = 0;
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return error_set(e, "cannot find this program's file"), 0;
    const char *profile = u->profiles[u->best_profile].name;
    text_add(&spec[0], "virtual:%s", profile);
    text_add(&spec[1], "exec:exec ");
    escape_shell(&spec[1], path);
    text_add(&spec[1], " agent --board virtual:%s", profile);
    if (plugin) {
        text_add(&spec[2], "%s,inline", plugin);
        text_add(&spec[3], "%s", plugin);
    }
    while (count < (plugin ? 4U : 2U) && (boards[count] = board_open(text_chars(&spec[count]), u, e)))
        count++;
    for (unsigned i = 0; i < BOARDS_MAX; i++)
        text_free(&spec[i]);
    return count;
}

static bool measure_unit(struct row *row, const char *plugin, double seconds, struct error *e)
{
    struct board *boards[BOARDS_MAX];
    struct batches b;
    double rates[BOARDS_MAX][ROUNDS] = {0};
    row->boards = open_boards(boards, row->unit, plugin, e);
    bool good = row->boards == (plugin ? 4 : 2);
    good = make_batches(&b, row->unit, e) && good && check_equal(boards, row->boards, &b, e);
    /* In turns, so that the machine's other load hits all boards alike. */
    for (unsigned round = 0; good && round < ROUNDS; round++)
        for (unsigned k = 0; good && k < row->boards; k++)
            good = (rates[k][round] = measure(boards[k], &b, seconds, e)) >= 0;
    for (unsigned k = 0; k < row->boards; k++) {
        qsort(rates[k], ROUNDS, sizeof *rates[k], by_value);
        row->rate[k] = rates[k][ROUNDS / 2];
        board_close(boards[k]);
    }
    free_batches(&b);
    return good;
}

static void print_row(const struct row *row, struct text *t, json_t *list)
{
    json_t *j = json_pack("{s:s}", "unit", row->unit->name);
    text_add(t, "  %-14s", row->unit->name);
    for (unsigned k = 0; k < row->boards; k++) {
        text_add(t, " %10.0f", row->rate[k]);
        if (k)
            text_add(t, " (%3.0f %%)", 100 * row->rate[k] / row->rate[0]);
        json_object_set_new(j, titles[k], json_real(row->rate[k]));
    }
    text_add(t, "\n");
    json_array_append_new(list, j);
}

int bench_boards(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0};
    double seconds;
    char machine[256];
    json_t *list = json_array();
    const char *plugin = a->option[OPTION_BOARD], *unit = a->option[OPTION_UNIT];
    if (plugin && strncmp(plugin, "plugin:", strlen("plugin:")) != 0)
        return fail_usage("bench boards compares the ways to attach a plug-in: --board plugin:FILE.so");
    if ((unit && !unit_find(unit, &e)) || !argument_seconds(a, OPTION_TIME, &seconds, &e))
        return fail(STATUS_USAGE, &e);
    catch_interrupts();
    machine_describe(machine, sizeof machine);
    text_add(&t, "%s\n  cases/s       ", machine);
    for (unsigned k = 0; k < (plugin ? 4U : 2U); k++)
        text_add(&t, k ? " %18s" : " %10s", titles[k]);
    text_add(&t, "\n");
    bool good = true;
    for (unsigned i = 0; good && unit_at(i); i++) {
        struct row row = {.unit = unit_at(i)};
        if (unit && strcmp(unit, row.unit->name) != 0)
            continue;
        good = measure_unit(&row, plugin, seconds > 0 ? seconds / (BOARDS_MAX * ROUNDS) : 0.1, &e);
        if (good)
            print_row(&row, &t, list);
    }
    if (good)
        return print_result(a, &t, json_pack("{s:s, s:o}", "machine", machine, "units", list), STATUS_EQUAL);
    text_free(&t);
    json_decref(list);
    return fail(STATUS_BROKEN, &e);
}
