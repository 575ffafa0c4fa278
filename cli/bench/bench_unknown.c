/* SPDX-License-Identifier: MIT */
/* `misprint bench unknown` runs `learn` on boards with one unknown deviation each, and counts the deviations
 * that it describes (docs/unknown.md). */
#include "cli/bench/bench.h"
#include "cli/bench/unknown_rows.h"
#include "model/core/memory.h"
#include "oracle/files/file.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    JUDGED = 20000, /* fresh cases by which a learned profile is judged */
    SECONDS = 60,
    RATE = 10000,   /* cases that a board is taken to answer in a second */
    FOUR_TIMES = 5, /* a board that follows four hidden readings gets so many times the seconds */
    SETS = 10,      /* boards of each unit with two hidden readings, and as many with four */
    JOBS_MAX = 64,
};

struct unknown {
    const struct arguments *arguments;
    struct unknown_budget budget;
    uint64_t jobs, sample; /* sample 0: all boards */
    struct unknown_board *boards;
    unsigned count, next, done, left_out;
    pthread_mutex_t lock;
    json_t *rows;    /* rows of this run and of the results file, in the order of the boards */
    FILE *results;   /* the results file; NULL: none */
    unsigned broken; /* boards that failed, which have no row */
    bool failed;
    struct error *e;
};

static bool is_interrupted(void *context)
{
    (void)context;
    return interrupted;
}

/* ---- which boards ---- */

static void take_boards(struct unknown *w, const struct unknown_board *list, unsigned count)
{
    w->boards = memory_grow(w->boards, w->count + count + 1, sizeof *w->boards);
    memcpy(w->boards + w->count, list, count * sizeof *list);
    w->count += count;
}

static bool is_wanted(const struct unknown *w, const struct unknown_board *b)
{
    const char *only = w->arguments->option[OPTION_ONLY];
    if (!only || !strcmp(only, b->kind))
        return true;
    return b->hidden.count == 1 && !strcmp(only, unit_clause(b->unit, b->hidden.change[0].clause)->id);
}

/* Keeps the boards that --only wants, and of these a sample of each kind. Returns how many are left. */
static unsigned choose_boards(const struct unknown *w, struct unknown_board *list, unsigned count)
{
    unsigned wanted = 0, kept = 0;
    struct random r;
    random_seed(&r, w->budget.seed);
    for (unsigned i = 0; i < count; i++)
        if (is_wanted(w, &list[i]))
            list[wanted++] = list[i];
    for (unsigned from = 0, to; from < wanted; from = to) {
        for (to = from; to < wanted && !strcmp(list[to].kind, list[from].kind);)
            to++;
        unsigned left = w->sample && w->sample < to - from ? (unsigned)w->sample : to - from;
        for (unsigned i = from; i < to; i++) /* every sample of the boards is equally likely */
            if (random_below(&r, to - i) < left) {
                list[kept++] = list[i];
                left--;
            }
    }
    return kept;
}

/* Does the list of --unit, "vc4-vpm,vc4-tmu", name the unit? Without --unit, every unit is named. */
static bool unit_is_named(const char *names, const struct unit *u)
{
    size_t length = strlen(u->name);
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, u->name, length) && (!at[length] || at[length] == ','))
            return true;
    return !names;
}

static bool check_units(const char *names, struct error *e)
{
    char name[64];
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        if (!unit_find(name, e))
            return false;
    }
    return true;
}

/* Checks the value of --only. With --boards it may be any text, because the list defines its own kinds. */
static bool check_only(const struct arguments *a, struct error *e)
{
    static const char *const kinds[] = {"reading", "pair", "four"};
    const char *only = a->option[OPTION_BOARDS] ? NULL : a->option[OPTION_ONLY];
    for (unsigned i = 0; only && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(only, kinds[i]))
            return true;
    for (unsigned i = 0; only && unit_at(i); i++)
        if (unit_clause_index(unit_at(i), only) >= 0)
            return true;
    return !only || error_unknown(e, "clause or kind", only, name_of_any_clause, NULL,
                                  "kinds are reading, pair and four");
}

static void list_hidden(struct unknown *w)
{
    const char *names = w->arguments->option[OPTION_UNIT];
    for (unsigned i = 0; unit_at(i) && !interrupted; i++) {
        unsigned count, left_out;
        if (!unit_is_named(names, unit_at(i)))
            continue;
        struct unknown_board *list =
            unknown_boards_of(unit_at(i), w->budget.seed, SETS, SETS, &count, &left_out);
        take_boards(w, list, choose_boards(w, list, count));
        w->left_out += left_out;
        free(list);
    }
}

/* Reads a line of the list of --boards: {"unit": U, "kind": K, "name": N, "board": SPEC, "masks": SPEC}, of
 * which the last is optional. */
static bool read_board(const char *line, struct unknown_board *b, struct error *e)
{
    json_error_t why;
    const char *unit, *kind, *name, *spec, *masks = "";
    json_t *j = json_loads(line, 0, &why);
    bool good = j && !json_unpack(j, "{s:s, s:s, s:s, s:s, s?s}", "unit", &unit, "kind", &kind, "name", &name,
                                  "board", &spec, "masks", &masks);
    memset(b, 0, sizeof *b);
    if (!good)
        error_set(e, "not a JSON object with the strings unit, kind, name and board, and perhaps masks");
    else if (strlen(spec) >= sizeof b->spec || strlen(masks) >= sizeof b->masks ||
             strlen(kind) >= sizeof b->kind)
        good = error_set(e, "the board or its kind is too long");
    else
        good = (b->unit = unit_find(unit, e)) != NULL;
    if (good) {
        text_copy_utf8(b->kind, sizeof b->kind, kind, strlen(kind));
        text_copy_utf8(b->name, sizeof b->name, name, strlen(name));
        (void)snprintf(b->spec, sizeof b->spec, "%s", spec);
        (void)snprintf(b->masks, sizeof b->masks, "%s", masks);
    }
    json_decref(j);
    return good;
}

static bool list_named(struct unknown *w, const char *path, struct error *e)
{
    size_t size;
    char *text = file_read(path, &size, e), *rest = text, *line;
    unsigned number = 0;
    bool good = text != NULL;
    while (good && (line = strsep(&rest, "\n"))) {
        struct unknown_board b;
        number++;
        if (!*line)
            continue;
        good = read_board(line, &b, e);
        if (!good)
            error_where(e, "%s, line %u", path, number);
        else if (unit_is_named(w->arguments->option[OPTION_UNIT], b.unit))
            take_boards(w, &b, 1);
    }
    free(text);
    if (good)
        w->count = choose_boards(w, w->boards, w->count);
    return good;
}

/* ---- running ---- */

static struct unknown_budget budget_of(const struct unknown *w, const struct unknown_board *b)
{
    struct unknown_budget budget = w->budget;
    if (b->hidden.count == 4)
        budget.seconds *= FOUR_TIMES;
    return budget;
}

static void report(struct unknown *w, const struct unknown_board *b, json_t *row)
{
    struct text t = {0};
    unknown_row_say(row, &t);
    if (!w->arguments->option[OPTION_QUIET])
        fprintf(stderr, "misprint: %u of %u: %s %s %s: %s\n", w->done, w->count, b->unit->name, b->kind,
                b->name, text_chars(&t));
    text_free(&t);
    if (w->results &&
        (json_dumpf(row, w->results, JSON_COMPACT) || fputc('\n', w->results) == EOF || fflush(w->results)))
        w->failed = !file_write_failed(w->arguments->option[OPTION_RESULTS], errno, w->e);
}

/* Takes one board after another until none is left. */
static void *run_boards(void *context)
{
    struct unknown *w = context;
    struct unknown_result *r = memory_new(1, sizeof *r);
    pthread_mutex_lock(&w->lock);
    while (w->next < w->count && !w->failed && !interrupted) {
        unsigned i = w->next++;
        const struct unknown_board *b = &w->boards[i];
        struct unknown_budget budget = budget_of(w, b);
        struct error e = {0};
        if (json_is_object(json_array_get(w->rows, i)))
            continue;
        pthread_mutex_unlock(&w->lock);
        bool good = unknown_run(b, &budget, r, &e);
        json_t *row = good && !r->stopped ? unknown_row(b, &budget, r) : NULL;
        unknown_free(r);
        pthread_mutex_lock(&w->lock);
        if (!good) {
            w->broken++;
            error_where(&e, "%s", b->name);
            (void)fail(STATUS_BROKEN, &e);
        } else if (row) {
            w->done++;
            report(w, b, row);
            json_array_set_new(w->rows, i, row);
        }
    }
    pthread_mutex_unlock(&w->lock);
    free(r);
    return NULL;
}

static void run_jobs(struct unknown *w)
{
    pthread_t thread[JOBS_MAX];
    bool started[JOBS_MAX] = {false};
    for (uint64_t i = 1; i < w->jobs; i++)
        started[i] = !pthread_create(&thread[i], NULL, run_boards, w);
    run_boards(w);
    for (uint64_t i = 1; i < w->jobs; i++)
        if (started[i])
            pthread_join(thread[i], NULL);
}

/* ---- the results file ---- */

/* Takes the rows of an earlier run that have the same board, seed and budget (unknown_row_fits). */
static bool read_results(struct unknown *w, const char *path)
{
    size_t size;
    struct error none;
    char *text = file_read(path, &size, &none), *rest = text, *line;
    while (text && (line = strsep(&rest, "\n"))) {
        json_t *row = json_loads(line, 0, NULL);
        for (unsigned i = 0; row && i < w->count; i++) {
            struct unknown_budget budget = budget_of(w, &w->boards[i]);
            if (!json_is_object(json_array_get(w->rows, i)) &&
                unknown_row_fits(row, &w->boards[i], &budget)) {
                json_array_set(w->rows, i, row);
                w->done++;
                break;
            }
        }
        json_decref(row);
    }
    free(text);
    w->results = fopen(path, "a");
    return w->results || file_write_failed(path, errno, w->e);
}

static bool read_arguments(struct unknown *w, const struct arguments *a, struct error *e)
{
    w->jobs = 1;
    return check_units(a->option[OPTION_UNIT], e) && check_only(a, e) &&
           argument_number(a, OPTION_SEED, 1, &w->budget.seed, e) &&
           (!a->option[OPTION_TIME] || argument_seconds(a, OPTION_TIME, &w->budget.seconds, e)) &&
           (!a->option[OPTION_JOBS] || argument_count(a, OPTION_JOBS, &w->jobs, e)) &&
           (w->jobs <= JOBS_MAX || error_set(e, "--jobs: at most %d", JOBS_MAX)) &&
           argument_count(a, OPTION_COUNT, &w->sample, e) &&
           (!a->option[OPTION_RESULTS] || file_check(a->option[OPTION_RESULTS], e));
}

/* Prints the rows that exist, also after an interrupt or a failure. */
static int finish(struct unknown *w, int status)
{
    struct text t = {0};
    json_t *rows = json_array();
    for (unsigned i = 0; i < w->count; i++)
        if (json_is_object(json_array_get(w->rows, i)))
            json_array_append(rows, json_array_get(w->rows, i));
    unknown_rows_print(rows, w->left_out, &t);
    return print_result(w->arguments, &t, rows, status);
}

int bench_unknown(const struct arguments *a)
{
    struct error e = {0};
    struct unknown w = {.arguments = a,
                        .budget = {.seconds = SECONDS,
                                   .rate = RATE,
                                   .fresh = LEARN_FRESH_USUAL,
                                   .judged = JUDGED,
                                   .stopped = is_interrupted},
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .e = &e};
    int status = STATUS_EQUAL;
    if (!read_arguments(&w, a, &e))
        return fail(STATUS_USAGE, &e);
    catch_interrupts();
    if (a->option[OPTION_BOARDS] && !list_named(&w, a->option[OPTION_BOARDS], &e))
        return fail(STATUS_USAGE, &e);
    if (!a->option[OPTION_BOARDS])
        list_hidden(&w);
    w.rows = json_array();
    for (unsigned i = 0; i < w.count; i++)
        json_array_append_new(w.rows, json_null());
    if (a->option[OPTION_RESULTS])
        w.failed = !read_results(&w, a->option[OPTION_RESULTS]);
    if (!w.failed)
        run_jobs(&w);
    if (interrupted && !w.failed)
        w.failed = !error_set(&e, "interrupted: the table is incomplete");
    if (w.broken && !w.failed)
        w.failed = !error_set(&e, "%u board%s failed, and the table has no row of %s", w.broken,
                              w.broken == 1 ? "" : "s", w.broken == 1 ? "it" : "them");
    if (w.results)
        (void)fclose(w.results);
    if (w.failed)
        status = fail(STATUS_BROKEN, &e);
    status = finish(&w, status);
    json_decref(w.rows);
    free(w.boards);
    return status;
}
