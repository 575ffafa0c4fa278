/* SPDX-License-Identifier: MIT */
/*
 * The findings store: a campaign is a directory with a SQLite database (WAL),
 * the findings' cases as files (cases/ID.case), and a log. What store_put_*
 * returned true for survives `kill -9`.
 */
#ifndef MISPRINT_ORACLE_STORE_H
#define MISPRINT_ORACLE_STORE_H

#include "oracle/finding.h"

struct store;

/* What one run of fuzz or replay did; the runs of a campaign add up. */
struct run_facts {
    char command[16];   /* "fuzz", "replay" */
    char unit[32];
    char profile[128];
    struct board_identity board;
    uint64_t seed;
    double seconds;     /* wall clock; the only thing here that differs between equal runs */
    char machine[256];  /* processor, compiler, build */
    struct tally tally;
    struct coverage coverage;
};

/* Opens a campaign's directory; with `create`, makes it if it is not there. Errors say which directory and what to do. */
struct store *store_open(const char *directory, bool create, struct error *e);
void store_close(struct store *s);

/* Adds a finding, or adds its count to the one with the same id and keeps the smaller case of the two. */
bool store_put_finding(struct store *s, const struct finding *f, struct error *e);
/* A case that was not compared (refused, no answer), with the reason. */
bool store_put_dropped(struct store *s, const struct test_case *c, const char *label, const char *reason, struct error *e);
/* Starts a run's record (id > 0; 0 on failure); store_update_run may be called again and again while it lasts. */
int64_t store_begin_run(struct store *s, const struct run_facts *f, struct error *e);
bool store_update_run(struct store *s, int64_t id, const struct run_facts *f, struct error *e);
bool store_log(struct store *s, const char *line, struct error *e); /* appends to the campaign's log file */

/* All findings, ordered by unit, verdict, id; free with store_free_findings. NULL with an error. */
struct finding *store_findings(struct store *s, unsigned *count, struct error *e);
void store_free_findings(struct finding *f, unsigned count);
struct run_facts *store_runs(struct store *s, unsigned *count, struct error *e); /* free with free() */
uint64_t store_dropped(struct store *s); /* how many */

#endif
