/* SPDX-License-Identifier: MIT */
/*
 * The campaign store. A campaign is a directory with a SQLite database (misprint.db, WAL), the findings'
 * cases as files (cases/ID.case), the first dropped cases as files (dropped/N.case), and a log (log.txt). The
 * files are for people; missing ones are made again from the database. Several processes may write to one
 * campaign.
 *
 * The database holds runs (what was compared, by which engine, on which machine, from which seed) with their
 * tallies and their coverage over time; findings and the evidence for each by board; the cases that touched
 * something new, from which a campaign continues; and dropped cases.
 *
 * What store_put_* returned true for survives `kill -9`. A failure changes nothing; its error names the
 * directory and says what to do.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_H
#define MISPRINT_ORACLE_STORE_STORE_H

#include "oracle/store/finding.h"

struct store;

enum {
    STORE_VERSION = 5,         /* of the tables; older ones are updated, newer ones refused */
    STORE_DROPPED_MAX = 1000,  /* dropped cases kept as cases; further ones are counted */
    STORE_DISAGREEMENTS = 200, /* of these, reserved for programs on which the two proofs disagree */
};

/* What one run of fuzz or replay did. */
struct run_facts {
    char command[16]; /* "fuzz", "replay" */
    char unit[32];
    char profile[PROFILE_SPEC_MAX];
    struct board_identity board;
    uint64_t seed;
    double seconds;    /* wall clock; the only fact that differs between equal runs */
    char machine[256]; /* processor, compiler, build */
    char engine[128];  /* what made the cases: "builtin", "libfuzzer", ... with its facts; "": they were there
                        */
    bool interrupted;  /* a signal ended it early; in the store also true while it runs */
    bool unreconciled; /* its findings were not reconciled: it still runs, was killed, or its store failed */
    struct tally tally;
    struct coverage coverage;
};

/* Is the directory a campaign? Opens nothing. */
bool store_is_campaign(const char *directory);

/* Opens a campaign's directory. With `create`, makes it if it is missing or empty; a directory with other
 * files is refused. Errors name the directory and say what to do. */
struct store *store_open(const char *directory, bool create, struct error *e);
void store_close(struct store *s); /* NULL is fine */

/*
 * A transaction: all that is written in it is kept, or nothing. Transactions may be nested; the outermost
 * commits, if all were `good`, and seals the chain. Files are written at once; those of findings that were
 * not kept are removed when the campaign is opened again.
 */
bool store_begin(struct store *s, struct error *e);
bool store_end(struct store *s, bool good, struct error *e);

/* Adds a finding. If there is one with the same id, adds its cases to that and keeps the smaller case of the
 * two. */
bool store_put_finding(struct store *s, const struct finding *f, struct error *e);
/* Updates a finding that is there, after a reconciliation: its candidates, and its case, which replaces the
 * kept one. Adds no cases. */
bool store_update_finding(struct store *s, const struct finding *f, struct error *e);
/* Compares the files in cases/ with the database. */
struct store_files {
    unsigned findings, same;
    char other[24]; /* the id of the first finding whose file is missing or differs; "": none */
};
bool store_check_files(struct store *s, struct store_files *f, struct error *e);

/* Merges findings with several candidates into a finding of the same comparison that has one of these as its
 * cause, whichever run found it. */
bool store_answer_open(struct store *s, struct error *e);
/*
 * Merges a finding into another, which must be in the store: adds `cases` of its cases (STORE_ALL_CASES:
 * all), and of its evidence, to the other. With `last` they are taken from the finding, which is removed when
 * it has no more. Where several runs write at the same time, each moves its own cases.
 */
#define STORE_ALL_CASES UINT64_MAX
bool store_move_finding(struct store *s, const char *from_id, const char *to_id, uint64_t cases, bool last,
                        struct error *e);
/* The folder in which the last run with this board was started; file names in the spec are relative to it. ""
 * if unknown. */
void store_place(struct store *s, const char *board_spec, char *to, size_t room);
/* Adds a run; its id, 0 on failure. store_update_run may be called again and again while it lasts. */
int64_t store_begin_run(struct store *s, const struct run_facts *f, struct error *e);
bool store_update_run(struct store *s, int64_t id, const struct run_facts *f, struct error *e);
bool store_log(struct store *s, const char *line, struct error *e); /* appends to log.txt */
/* A seed for a run of this unit: `wanted`, or if a run of the campaign has used it, the next free one after
 * all used. */
bool store_next_seed(struct store *s, const struct unit *u, uint64_t wanted, uint64_t *seed, struct error *e);

/* The progress of a run at a time. */
struct progress_point {
    double seconds;
    uint64_t cases;
    unsigned clauses, pairs; /* of coverage */
    unsigned findings;
};
bool store_put_progress(struct store *s, int64_t run, const struct progress_point *p, struct error *e);
/* All points of the run at this index of store_runs; free with free(). NULL with an error. */
struct progress_point *store_progress(struct store *s, unsigned run_at, unsigned *count, struct error *e);

/* All findings, by finding_order; free with store_free_findings. NULL with an error. */
struct finding *store_findings(struct store *s, unsigned *count, struct error *e);
void store_free_findings(struct finding *f, unsigned count);
/* All runs in the order of their start; free with free(). NULL with an error. */
struct run_facts *store_runs(struct store *s, unsigned *count, struct error *e);

/* A finding's evidence: one entry for each board that showed it. Free with free(). NULL with an error. */
struct board_evidence {
    struct board_identity board;
    uint64_t cases;
    char label[128]; /* of the first case there */
};
struct board_evidence *store_evidence(struct store *s, const char *finding_id, unsigned *count,
                                      struct error *e);

/* --- store_cases.c */

/* A case that touched something new, as bytes. */
struct kept_case {
    uint8_t *bytes, *outcome; /* outcome: the board's, or NULL */
    size_t size, outcome_size;
    uint64_t hash;  /* case_hash */
    unsigned pairs; /* (clause, mode) pairs that it touched first */
    char label[128];
};
bool kept_case_make(struct kept_case *k, const struct test_case *c, const struct outcome *board /* or NULL */,
                    const char *label, unsigned pairs);
void kept_case_free(struct kept_case *k);

/* Keeps cases of a run, except those that the campaign has already. */
bool store_put_cases(struct store *s, int64_t run, const char *unit, const struct kept_case *k,
                     unsigned count, struct error *e);
/* Calls `f` with each kept case of a unit, oldest first, until a call fails. The outcome is there only if it
 * is of this board (by its spec). */
typedef bool store_case(void *context, const struct test_case *c, const struct kept_case *kept,
                        struct error *e);
bool store_each_case(struct store *s, const struct unit *u, const struct board_identity *board, store_case *f,
                     void *context, struct error *e);

/* Keeps a case that was not compared (refused, no answer), with the reason, and counts it as `kind`. Survives
 * `kill -9`, not a power cut. */
bool store_put_dropped(struct store *s, const struct test_case *c, const char *label, const char *reason,
                       const char *kind, struct error *e);
/* Counts cases that were not compared, without keeping them. */
bool store_count_dropped(struct store *s, const char *reason, uint64_t cases, struct error *e);
uint64_t store_dropped(struct store *s); /* how many cases were not compared */

/* The dropped cases by kind of reason (text_kind), most first. Free with free(). NULL with an error. */
struct dropped_reason {
    char reason[256];
    uint64_t cases;
    char first[256]; /* the reason of the first, with its numbers; "": unknown */
};
/* Does a reason say that the two proofs of a program disagree (harness/verify/PROOF.md)? */
bool dropped_by_disagreement(const char *reason);
struct dropped_reason *store_dropped_reasons(struct store *s, unsigned *count, struct error *e);

/* The dropped cases that were kept, oldest first. Free with free(). NULL with an error. */
struct dropped_case {
    int64_t id; /* of its file: dropped/ID.case */
    char unit[32], label[128], reason[256];
};
struct dropped_case *store_dropped_cases(struct store *s, unsigned *count, struct error *e);
/* Decodes one of them; false with an error, also if there is none with this id. */
bool store_dropped_case(struct store *s, int64_t id, struct test_case *c, struct dropped_case *what,
                        struct error *e);

/* --- store_merge.c */

/*
 * Adds all that campaign `from` has to `into`, or nothing. Findings with the same id become one, cases that
 * both have are kept once, runs are appended. Fails if `from` contains a campaign, or a run of generated
 * cases, that `into` contains.
 */
bool store_merge(struct store *into, const char *from, struct error *e);

#endif
