/* SPDX-License-Identifier: MIT */
/* Runs `misprint fuzz` as a separate process, and measures the process's time and memory. */
#include "cli/bench/bench.h"
#include "harness/system/clock.h"
#include "oracle/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 9 };

struct cost {
    double processor, wall; /* seconds */
    double memory;          /* peak, MB */
};

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* Runs `misprint fuzz UNIT OPTION VALUE [--campaign DIR]`. */
static bool fuzz(const char *unit, const char *option, const char *value, const char *campaign,
                 struct cost *cost, struct error *e)
{
    const char *words[] = {"misprint", "fuzz", unit, option, value, "--quiet", campaign ? "--campaign" : NULL,
                           campaign,   NULL};
    double start = clock_seconds();
    pid_t child = fork();
    if (child == 0) {
        (void)dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execv("/proc/self/exe", (char *const *)(uintptr_t)words);
        _exit(127);
    }
    struct rusage used;
    int status = -1;
    while (child > 0 && wait4(child, &status, 0, &used) < 0 && errno == EINTR)
        ;
    if (child < 0 || !WIFEXITED(status) || WEXITSTATUS(status) > 1)
        return error_set(e, "misprint fuzz %s %s %s failed", unit, option, value);
    *cost = (struct cost){.processor = seconds_of(used.ru_utime) + seconds_of(used.ru_stime),
                          .wall = clock_seconds() - start,
                          .memory = (double)used.ru_maxrss / 1024};
    return true;
}

struct place {
    char root[64], campaign[80];
};

static bool place_make(struct place *p, struct error *e)
{
    const char *tmp = getenv("TMPDIR");
    snprintf(p->root, sizeof p->root, "%.40s/misprint-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(p->root))
        return error_set(e, "%s: cannot create: %s", p->root, strerror(errno));
    snprintf(p->campaign, sizeof p->campaign, "%s/c", p->root);
    return true;
}

static void place_remove(const struct place *p)
{
    file_remove_folder(p->root);
}

/* Measures pairs of runs with and without a store, in alternating order, and takes the median, because the
 * speed of a shared machine can change by half from one second to the next. */
static bool store_cost(double *value, struct error *e)
{
    double more[PAIRS];
    for (unsigned i = 0; i < PAIRS; i++) {
        struct place p;
        struct cost with = {0}, without = {0};
        if (!place_make(&p, e))
            return false;
        bool good = true;
        for (unsigned turn = 0; turn < 2 && good; turn++)
            good = (turn + i) % 2 ? fuzz("vc4-vpm", "--cases", "1000000", NULL, &without, e)
                                  : fuzz("vc4-vpm", "--cases", "1000000", p.campaign, &with, e);
        place_remove(&p);
        if (!good)
            return false;
        more[i] = with.processor / without.processor - 1;
    }
    qsort(more, PAIRS, sizeof *more, by_value);
    *value = 100 * more[PAIRS / 2];
    return true;
}

/* Measures a new campaign of each unit with this option. Sets *value to the largest cost; `offset` is the
 * offset of the cost's member in struct cost. */
static bool worst(const char *option, const char *text, size_t offset, double *value, struct error *e)
{
    *value = 0;
    for (unsigned i = 0; unit_at(i); i++) {
        struct place p;
        struct cost c;
        if (!place_make(&p, e))
            return false;
        bool good = fuzz(unit_at(i)->name, option, text, p.campaign, &c, e);
        place_remove(&p);
        if (!good)
            return false;
        double cost;
        memcpy(&cost, (const char *)&c + offset, sizeof cost);
        *value = cost > *value ? cost : *value;
    }
    return true;
}

static bool store_memory(double *value, struct error *e)
{
    return worst("--time", "3", offsetof(struct cost, memory), value, e);
}

static bool store_start(double *value, struct error *e)
{
    return worst("--cases", "1", offsetof(struct cost, wall), value, e);
}

static const struct {
    const char *name, *about, *of;
    double limit;
    bool (*measure)(double *value, struct error *e);
} rows[] = {
    {"store-cost", "extra processor time of 1,000,000 cases of vc4-vpm with a campaign directory", "percent",
     2, store_cost},
    {"store-memory", "peak memory of one job after three seconds of a campaign, the largest unit", "MB", 300,
     store_memory},
    {"store-start", "wall clock of a campaign of one case, the slowest unit", "seconds", 1, store_start},
};

bool bench_store_has(const char *name)
{
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(name, rows[i].name))
            return true;
    return false;
}

bool bench_store(const char *only, struct text *t, json_t *list, struct error *e)
{
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        double value;
        if (only && strcmp(only, rows[i].name) != 0 && strcmp(only, "store") != 0)
            continue;
        if (!rows[i].measure(&value, e))
            return false;
        text_add(t, "  %-14s %12.2f %s, limit %g: %s\n", rows[i].name, value, rows[i].of, rows[i].limit,
                 rows[i].about);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:f, s:f}", "name", rows[i].name, "about",
                                              rows[i].about, "in", rows[i].of, "value", value, "limit",
                                              rows[i].limit));
    }
    return true;
}
