/* SPDX-License-Identifier: MIT */
/*
 * `misprint bench boards`: the speed of the ways to attach a board, for all units, as a share of the built-in
 * virtual board's; and how much of its speed a board keeps that crashes on one case in 1,000. All boards
 * answer the same cases. Their answers must be equal, and only the case that crashes has none.
 */
#include "cli/bench/bench.h"
#include "harness/system/clock.h"
#include "harness/system/machine.h"
#include "harness/system/pages.h"
#include "model/core/memory.h"
#include "oracle/compare/compare.h"
#include "oracle/describe/escape.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One case of CASES crashes. No case is in two of the batches that a board has at once. */
enum { BATCH = 256, BATCHES = 3, CASES = 1000, ROUNDS = 5, WITHOUT_PLUGIN = 2 };

/* Crash boards and their quiet twins look at each case to see if it crashes. NEVER is one in 4 billion. */
#define NEVER     ",crash=4294967295"
#define SOMETIMES ",crash=1000"

static const struct way {
    const char *title;
    bool by_agent, of_plugin;
    const char *options;
    bool crashes; /* the way before it is the same board without crashes */
} ways[] = {
    {"virtual", false, false, "", false},
    {"exec agent", true, false, "", false},
    {"plug-in inline", false, true, ",inline", false},
    {"plug-in child", false, true, "", false},
    {"child quiet", false, true, NEVER, false},
    {"child crashes", false, true, SOMETIMES, true},
    {"exec quiet", true, true, NEVER, false},
    {"exec crashes", true, true, SOMETIMES, true},
    {"exec inline quiet", true, true, ",inline" NEVER, false},
    {"exec inline crashes", true, true, ",inline" SOMETIMES, true},
};
enum { WAYS = sizeof ways / sizeof *ways, SHOWN = 4, CHILD_CRASHES = 5 };

/* The batches that a campaign has at once: two are sent ahead while one is compared. */
struct batches {
    struct test_case *tc; /* CASES of them, in turn */
    unsigned at;          /* the first of the next batch */
    const struct test_case *list[BATCHES][BATCH];
    struct outcome *out[BATCHES][BATCH];
    void *memory[BATCHES];
};

struct row {
    const struct unit *unit;
    unsigned boards;
    double rate[WAYS]; /* median cases a second */
};

static void fill(struct batches *b, unsigned n)
{
    for (unsigned i = 0; i < BATCH; i++)
        b->list[n][i] = &b->tc[(b->at + i) % CASES];
    b->at = (b->at + BATCH) % CASES;
}

/* Generates cases. `crashes`: NULL, or a board that crashes on one case in 1,000; then one case does. */
static bool choose_cases(struct batches *b, struct board *crashes, const struct unit *u, struct error *e)
{
    enum { TRIES = 200 };
    struct random r;
    struct test_case *tried = memory_new(BATCH, sizeof *tried);
    enum answer answers[BATCH];
    unsigned good = 0, bad = 0, most = crashes ? CASES - 1 : CASES;
    bool ran = true;
    random_seed(&r, 1);
    for (unsigned t = 0; ran && t < TRIES && (good < most || bad < CASES - most); t++) {
        for (unsigned i = 0; i < BATCH; i++) {
            case_init(&tried[i], u);
            u->generate(&r, &tried[i]);
            b->list[0][i] = &tried[i];
            answers[i] = ANSWER_OUTCOME;
        }
        ran = !crashes || board_run(crashes, b->list[0], BATCH, b->out[0], answers, e);
        for (unsigned i = 0; ran && i < BATCH; i++)
            if (answers[i] == ANSWER_OUTCOME && good < most)
                case_copy(&b->tc[good++], &tried[i]);
            else if (answers[i] == ANSWER_NOTHING && bad < CASES - most)
                case_copy(&b->tc[most + bad++], &tried[i]);
    }
    free(tried);
    return ran && (good + bad == CASES || error_set(e,
                                                    "no case crashes %.160s; is it the model, as "
                                                    "tests/devices builds it?",
                                                    crashes->identity.spec));
}

static bool make_batches(struct batches *b, struct board *crashes, const struct unit *u, struct error *e)
{
    *b = (struct batches){.tc = pages_new(CASES, sizeof *b->tc)};
    bool good = b->tc;
    for (unsigned n = 0; good && n < BATCHES; n++)
        good = (b->memory[n] = pages_of_outcomes(u, BATCH, b->out[n]));
    for (unsigned i = 0; good && i < CASES; i++)
        case_init(&b->tc[i], u);
    return good ? choose_cases(b, crashes, u, e) : error_memory(e, "for a board's cases");
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
    unsigned n = 0;
    fill(b, n);
    if (!board_ahead(board, b->list[n], BATCH, b->out[n], e))
        return -1;
    for (; now - start < seconds; n = (n + 1) % BATCHES) {
        unsigned next = (n + 1) % BATCHES;
        if (interrupted)
            return error_set(e, "interrupted"), -1;
        fill(b, next);
        if (!board_ahead(board, b->list[next], BATCH, b->out[next], e) ||
            !board_run(board, b->list[n], BATCH, b->out[n], answers, e))
            return -1;
        cases += BATCH;
        now = clock_seconds();
    }
    if (!board_run(board, b->list[n], BATCH, b->out[n], answers, e)) /* takes what was sent ahead */
        return -1;
    return cases / (now - start);
}

/* True if the board gives the outcomes of the first board to the cases of a batch. Counts those that it gives
 * none; an agent refuses the case that crashes its board. */
static bool check_batch(struct board *first, struct board *board, struct batches *b, unsigned *lost,
                        struct error *e)
{
    enum answer answers[BATCH];
    struct tally tally = {0};
    fill(b, 0);
    if (!board_run(first, b->list[0], BATCH, b->out[0], answers, e) ||
        !board_run(board, b->list[0], BATCH, b->out[1], answers, e))
        return false;
    for (unsigned i = 0; i < BATCH; i++) {
        *lost += answers[i] != ANSWER_OUTCOME;
        if (answers[i] != ANSWER_OUTCOME && b->list[0][i] == &b->tc[CASES - 1])
            continue;
        if (answers[i] != ANSWER_OUTCOME || !outcomes_equal(b->out[0][i], b->out[1][i], &tally, NULL))
            return error_set(e, "board %.160s and board %.160s differ in case %u of unit %s",
                             first->identity.spec, board->identity.spec, (unsigned)(b->list[0][i] - b->tc),
                             first->unit->name);
    }
    return true;
}

/* True if the boards give the same outcomes to all cases, and none to the case that crashes, if they crash.
 */
static bool check_equal(struct board *const *boards, unsigned count, struct batches *b, struct error *e)
{
    for (unsigned k = 1; k < count; k++) {
        unsigned lost = 0;
        for (unsigned batch = 0; batch < (ways[k].crashes ? (CASES + BATCH - 1) / BATCH : 1); batch++)
            if (!check_batch(boards[0], boards[k], b, &lost, e))
                return false;
        b->at = 0;
        if (ways[k].crashes ? !lost : lost)
            return error_set(e, "board %.160s answered %u cases of unit %s", boards[k]->identity.spec,
                             CASES - lost, boards[0]->unit->name);
    }
    return true;
}

static void write_spec(struct text *t, const struct way *w, const struct unit *u, const char *plugin,
                       const char *path)
{
    struct text inner = {0};
    if (w->of_plugin)
        text_add(&inner, "%s%s", plugin, w->options);
    else
        text_add(&inner, "virtual:%s", u->profiles[u->best_profile].name);
    if (w->by_agent) {
        text_add(t, "exec:exec ");
        escape_shell(t, path);
        text_add(t, " agent --board ");
        escape_shell(t, text_chars(&inner));
    } else {
        text_add(t, "%s", text_chars(&inner));
    }
    text_free(&inner);
}

/* Opens the boards: virtual, our own agent, and the plug-in in all ways if the user named one. */
static unsigned open_boards(struct board **boards, const struct unit *u, const char *plugin, struct error *e)
{
    char path[4096] = "";
    unsigned count = 0;
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return error_set(e, "cannot find this program's file"), 0;
    for (bool good = true; good && count < (plugin ? WAYS : WITHOUT_PLUGIN); count += good) {
        struct text spec = {0};
        write_spec(&spec, &ways[count], u, plugin, path);
        good = (boards[count] = board_open(text_chars(&spec), u, e));
        text_free(&spec);
    }
    return count;
}

/* Hides what an agent says of its crash: sends standard error to /dev/null, and with the descriptor that it
 * returned, back. */
static int hide_errors(int before)
{
    int kept = before < 0 ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
    int to = before < 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : before;
    (void)dup2(to, STDERR_FILENO);
    close(to);
    return kept;
}

static bool measure_unit(struct row *row, const char *plugin, double seconds, struct error *e)
{
    struct board *boards[WAYS];
    struct batches b = {0};
    double rates[WAYS][ROUNDS] = {0};
    unsigned wanted = plugin ? WAYS : WITHOUT_PLUGIN;
    int errors = hide_errors(-1);
    row->boards = open_boards(boards, row->unit, plugin, e);
    bool good = row->boards == wanted &&
                make_batches(&b, plugin ? boards[CHILD_CRASHES] : NULL, row->unit, e) &&
                check_equal(boards, row->boards, &b, e);
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
    (void)hide_errors(errors);
    return good;
}

static void print_row(const struct row *row, struct text *t, struct text *crashes, json_t *list)
{
    json_t *j = json_pack("{s:s}", "unit", row->unit->name);
    text_add(t, "  %-14s", row->unit->name);
    text_add(crashes, "  %-14s", row->unit->name);
    for (unsigned k = 0; k < row->boards; k++) {
        json_object_set_new(j, ways[k].title, json_real(row->rate[k]));
        if (ways[k].crashes) {
            double ms = 1e3 * CASES * (1 / row->rate[k] - 1 / row->rate[k - 1]);
            char title[64];
            snprintf(title, sizeof title, "%s, ms each", ways[k].title);
            json_object_set_new(j, title, json_real(ms));
            text_add(crashes, "  %8.0f %4.0f %% %6.2f", row->rate[k - 1],
                     100 * row->rate[k] / row->rate[k - 1], ms);
        } else if (k < SHOWN)
            text_add(t, " %10.0f", row->rate[k]);
        if (k && k < SHOWN)
            text_add(t, " (%3.0f %%)", 100 * row->rate[k] / row->rate[0]);
    }
    text_add(t, "\n");
    text_add(crashes, "\n");
    json_array_append_new(list, j);
}

static void print_titles(struct text *t, struct text *crashes, bool plugin)
{
    text_add(t, "  cases/s       ");
    for (unsigned k = 0; k < (plugin ? SHOWN : WITHOUT_PLUGIN); k++)
        text_add(t, k ? " %18s" : " %10s", ways[k].title);
    text_add(t, "\n");
    text_add(
        crashes,
        "\na plug-in that crashes on one case in 1,000: cases/s without crashes, the share that it keeps,\n"
        "and milliseconds that a crash costs\n  %-14s  %22s  %22s  %22s\n",
        "", "in a child", "exec agent", "exec agent, inline");
}

int bench_boards(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0}, crashes = {0};
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
    text_add(&t, "%s\n", machine);
    print_titles(&t, &crashes, plugin);
    bool good = true;
    for (unsigned i = 0; good && unit_at(i); i++) {
        struct row row = {.unit = unit_at(i)};
        if (unit && strcmp(unit, row.unit->name) != 0)
            continue;
        good = measure_unit(&row, plugin, seconds > 0 ? seconds / (WAYS * ROUNDS) : 0.1, &e);
        if (good)
            print_row(&row, &t, &crashes, list);
    }
    if (plugin)
        text_add(&t, "%s", text_chars(&crashes));
    text_free(&crashes);
    if (good)
        return print_result(a, &t, json_pack("{s:s, s:o}", "machine", machine, "units", list), STATUS_EQUAL);
    text_free(&t);
    json_decref(list);
    return fail(STATUS_BROKEN, &e);
}
