/* SPDX-License-Identifier: MIT */
/*
 * The campaign store: a campaign is a directory with a SQLite database
 * (misprint.db, WAL), the findings' cases as files (cases/ID.case), the first
 * dropped cases as files (dropped/N.case), and a log (log.txt). The files are
 * for people, and made again from the database where they are missing. Several
 * processes may write to one campaign.
 *
 * The database holds: runs (what was compared, by which engine, on which
 * machine, from which seed), their tallies, their coverage and how it grew;
 * findings and the evidence for each by board; the cases that touched something
 * new, with the board's outcome, from which a campaign goes on; dropped cases.
 *
 * What store_put_* returned true for survives `kill -9`. A failure leaves what
 * was there, and its error names the directory and says what to do.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_H
#define MISPRINT_ORACLE_STORE_STORE_H

#include "oracle/store/finding.h"

struct store;

enum {
    STORE_VERSION = 5, /* of the database's tables; older ones are brought up to it, newer ones refused */
    STORE_DROPPED_MAX = 1000,  /* dropped cases kept as cases; beyond it they are only counted */
    STORE_DISAGREEMENTS = 200, /* of these, room that only programs get on which the two proofs disagree */
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
    char engine[128];  /* what made the cases: "builtin", "libfuzzer", ...; with its facts. "": nothing did,
                          they were there */
    bool interrupted; /* a signal ended it before its cases, its limit or its time did; in the store also true
                         as long as it runs */
    bool unsettled;   /* it did not come to settling its findings: it runs still, was killed, or its store
                         failed */
    struct tally tally;
    struct coverage coverage;
};

/* Does the directory hold a campaign? Nothing is opened. */
bool store_is_campaign(const char *directory);

/*
 * Opens a campaign's directory; with `create`, makes it if it is not there or
 * empty (a directory with other files in it is refused). Errors say which
 * directory and what to do.
 */
struct store *store_open(const char *directory, bool create, struct error *e);
void store_close(struct store *s); /* NULL is fine */

/*
 * What is written between these two is kept together or not at all, and costs one transaction; they may stand
 * within each other. Files are written at once all the same: those of findings that were not kept go when the
 * campaign is opened again.
 */
bool store_begin(struct store *s, struct error *e);
bool store_end(struct store *s, bool good, struct error *e);

/* Adds a finding, or adds its cases to the one with the same id and keeps the smaller case of the two. */
bool store_put_finding(struct store *s, const struct finding *f, struct error *e);
/* What settling learned of a finding that is there: its rivals, and its case, which takes the place of the
 * one that is kept. Adds no cases. */
bool store_settle_finding(struct store *s, const struct finding *f, struct error *e);
/* Copies of cases for people: of how many findings is the file in cases/ as the database has it? */
struct store_files {
    unsigned findings, same;
    char other[24]; /* the id of the first whose file is missing or another; "": none */
};
bool store_check_files(struct store *s, struct store_files *f, struct error *e);

/*
 * Open questions (findings that leave open which of several causes they have) that a finding of the same
 * comparison has answered go up in that one, whichever run found it.
 */
bool store_answer_open(struct store *s, struct error *e);
/*
 * A finding turned out to be part of another, which must be in the store: so many of its cases, and of its
 * evidence, are added there (STORE_ALL_CASES: all); with `last` they leave it, and it goes when it has no
 * more. Where several runs write at the same time each moves its own: what another run found of it is that
 * run's to judge.
 */
#define STORE_ALL_CASES UINT64_MAX
bool store_move_finding(struct store *s, const char *from_id, const char *to_id, uint64_t cases, bool last,
                        struct error *e);
/*
 * The folder in which the last run with this board was started: names of files in its spec are meant from
 * there. "" if none is known.
 */
void store_place(struct store *s, const char *board_spec, char *to, size_t room);
/* Starts a run's record (id > 0; 0 on failure); store_update_run may be called again and again while it
 * lasts. */
int64_t store_begin_run(struct store *s, const struct run_facts *f, struct error *e);
bool store_update_run(struct store *s, int64_t id, const struct run_facts *f, struct error *e);
bool store_log(struct store *s, const char *line, struct error *e); /* appends to the campaign's log file */
/* The seed from which a run of this unit should start: `wanted`, or the first after all that runs here have
 * used if it was one of them. */
bool store_next_seed(struct store *s, const struct unit *u, uint64_t wanted, uint64_t *seed, struct error *e);

/* How far a run had come at a time. */
struct progress_point {
    double seconds;
    uint64_t cases;
    unsigned clauses, pairs; /* of coverage */
    unsigned findings;
};
bool store_put_progress(struct store *s, int64_t run, const struct progress_point *p, struct error *e);
/* All points of the run at this place in store_runs; free with free(). NULL with an error. */
struct progress_point *store_progress(struct store *s, unsigned run_at, unsigned *count, struct error *e);

/* All findings, by finding_order; free with store_free_findings. NULL with an error; not NULL if there are
 * none. */
struct finding *store_findings(struct store *s, unsigned *count, struct error *e);
void store_free_findings(struct finding *f, unsigned count);
struct run_facts *store_runs(struct store *s, unsigned *count,
                             struct error *e); /* in the order of their start; free with free() */

/* A finding's evidence by board: one entry for each board that showed it. Free with free(). NULL with an
 * error. */
struct board_evidence {
    struct board_identity board;
    uint64_t cases;
    char label[128]; /* of the first case there */
};
struct board_evidence *store_evidence(struct store *s, const char *finding_id, unsigned *count,
                                      struct error *e);

/* --- cases: store_cases.c */

/* A case that touched something new, as bytes. */
struct kept_case {
    uint8_t *bytes, *outcome; /* outcome: the board's, or NULL */
    size_t size, outcome_size;
    uint64_t hash;  /* case_hash */
    unsigned pairs; /* (clause, mode) pairs that it was the first to touch */
    char label[128];
};
bool kept_case_make(struct kept_case *k, const struct test_case *c, const struct outcome *board /* or NULL */,
                    const char *label, unsigned pairs);
void kept_case_free(struct kept_case *k);

/* Keeps cases of a run; those that the campaign has already are passed over. */
bool store_put_cases(struct store *s, int64_t run, const char *unit, const struct kept_case *k,
                     unsigned count, struct error *e);
/* Calls `f` with each kept case of a unit, oldest first, until one call fails; the outcome only where it is
 * of this board (by its spec). */
typedef bool store_case(void *context, const struct test_case *c, const struct kept_case *kept,
                        struct error *e);
bool store_each_case(struct store *s, const struct unit *u, const struct board_identity *board, store_case *f,
                     void *context, struct error *e);

/* A case that was not compared (refused, no answer), with the reason, and as what it is counted. Survives
 * `kill -9`, not a power cut. */
bool store_put_dropped(struct store *s, const struct test_case *c, const char *label, const char *reason,
                       const char *kind, struct error *e);
/* Counts `cases` more that were not compared, without keeping them. */
bool store_count_dropped(struct store *s, const char *reason, uint64_t cases, struct error *e);
uint64_t store_dropped(struct store *s); /* how many cases were not compared */

/* The dropped cases by kind of reason (text_kind), most first. Free with free(). NULL with an error. */
struct dropped_reason {
    char reason[256];
    uint64_t cases;
    char first[256]; /* what was said of the first, with its numbers; "": the store does not know */
};
/* Does a reason say that the two proofs of a program disagree (harness/verify/PROOF.md)? */
bool dropped_by_disagreement(const char *reason);
struct dropped_reason *store_dropped_reasons(struct store *s, unsigned *count, struct error *e);

/* The dropped cases that were kept, in their order. Free with free(). NULL with an error. */
struct dropped_case {
    int64_t id; /* of its file: dropped/ID.case */
    char unit[32], label[128], reason[256];
};
struct dropped_case *store_dropped_cases(struct store *s, unsigned *count, struct error *e);
/* One of them as a case; false with an error, also if there is none of this id. */
bool store_dropped_case(struct store *s, int64_t id, struct test_case *c, struct dropped_case *what,
                        struct error *e);

/* --- campaigns together: store_merge.c */

/*
 * Adds all that campaign `from` holds to `into`: findings of the same id become one, cases that both hold are
 * kept once, runs follow each other. All or nothing: nothing where `from` holds a campaign, or a run of
 * generated cases, that `into` holds.
 */
bool store_merge(struct store *into, const char *from, struct error *e);

#endif
