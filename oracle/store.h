/* SPDX-License-Identifier: MIT */
/*
 * The findings store: a campaign is a directory with a SQLite database
 * (misprint.db, WAL), the findings' cases as files (cases/ID.case), the first
 * dropped cases as files (dropped/N.case), and a log (log.txt). The files are
 * for people; all that the report needs is in the database. Several processes
 * may write to one campaign.
 *
 * What store_put_* returned true for survives `kill -9`. A failure leaves what
 * was there, and its error names the directory and says what to do.
 */
#ifndef MISPRINT_ORACLE_STORE_H
#define MISPRINT_ORACLE_STORE_H

#include "oracle/finding.h"

struct store;

enum {
    STORE_VERSION = 3,        /* of the database's tables; another version is refused with an error that says so */
    STORE_DROPPED_MAX = 1000, /* dropped cases kept as cases; beyond it they are only counted */
};

/* What one run of fuzz or replay did; the runs of a campaign add up. */
struct run_facts {
    char command[16]; /* "fuzz", "replay" */
    char unit[32];
    char profile[PROFILE_SPEC_MAX];
    struct board_identity board;
    uint64_t seed;
    double seconds;    /* wall clock; the only thing here that differs between equal runs */
    char machine[256]; /* processor, compiler, build */
    bool interrupted;  /* a signal ended it before its cases, its limit or its time did */
    struct tally tally;
    struct coverage coverage;
};

/*
 * Opens a campaign's directory; with `create`, makes it if it is not there or
 * empty (a directory with other files in it is refused). Errors say which
 * directory and what to do.
 */
struct store *store_open(const char *directory, bool create, struct error *e);
void store_close(struct store *s); /* NULL is fine */

/* Adds a finding, or adds its cases to the one with the same id and keeps the smaller case of the two. */
bool store_put_finding(struct store *s, const struct finding *f, struct error *e);
/* A finding turned out to be part of another, which must be in the store: its cases and evidence are added there; with `last`, it goes. */
bool store_move_finding(struct store *s, const char *from_id, const char *to_id, bool last, struct error *e);
/* A case that was not compared (refused, no answer), with the reason. Survives `kill -9`, not a power cut. */
bool store_put_dropped(struct store *s, const struct test_case *c, const char *label, const char *reason, struct error *e);
/*
 * The folder in which the last run with this board was started: names of files in its spec are meant from there. "" if none is known.
 */
void store_place(struct store *s, const char *board_spec, char *to, size_t room);
/* Counts `cases` more that were not compared, without keeping them. */
bool store_count_dropped(struct store *s, const char *reason, uint64_t cases, struct error *e);
/* Starts a run's record (id > 0; 0 on failure); store_update_run may be called again and again while it lasts. */
int64_t store_begin_run(struct store *s, const struct run_facts *f, struct error *e);
bool store_update_run(struct store *s, int64_t id, const struct run_facts *f, struct error *e);
bool store_log(struct store *s, const char *line, struct error *e); /* appends to the campaign's log file */

/* All findings, by finding_order; free with store_free_findings. NULL with an error; not NULL if there are none. */
struct finding *store_findings(struct store *s, unsigned *count, struct error *e);
void store_free_findings(struct finding *f, unsigned count);
struct run_facts *store_runs(struct store *s, unsigned *count, struct error *e); /* in the order of their start; free with free() */
uint64_t store_dropped(struct store *s);                                         /* how many cases were not compared */

/* A finding's evidence by board: one entry for each board that showed it. Free with free(). NULL with an error. */
struct board_evidence {
    struct board_identity board;
    uint64_t cases;
    char label[128]; /* of the first case there */
};
struct board_evidence *store_evidence(struct store *s, const char *finding_id, unsigned *count, struct error *e);

/* The dropped cases by reason, most first. Free with free(). NULL with an error. */
struct dropped_reason {
    char reason[256];
    uint64_t cases;
};
struct dropped_reason *store_dropped_reasons(struct store *s, unsigned *count, struct error *e);

#endif
