/* SPDX-License-Identifier: MIT */
/*
 * The campaign store. A campaign is a directory. It holds a SQLite database (misprint.db, WAL), the smallest
 * case of each finding (cases/ID.case), the first dropped cases (dropped/N.case), and a log (log.txt). The
 * case files are for people: if one is missing, the store writes it again from the database. Several
 * processes may write to one campaign.
 *
 * The database holds:
 * - runs: what was compared, by which engine, on which machine, from which seed, with tally and coverage over
 *   time;
 * - findings, and their evidence: the boards on which a case of the finding differed;
 * - cases that covered something new, from which a campaign continues;
 * - dropped cases: those that could not be compared.
 *
 * What a store_put_* function wrote before it returned true survives `kill -9`. A function that fails changes
 * nothing. Its error names the directory and says what to do.
 */
#ifndef MISPRINT_ORACLE_STORE_STORE_H
#define MISPRINT_ORACLE_STORE_STORE_H

#include "oracle/store/finding.h"

struct store;

enum {
    STORE_VERSION = 8,         /* of the tables; misprint updates older tables and refuses newer ones */
    STORE_DROPPED_MAX = 1000,  /* dropped cases that are stored; further ones are only counted */
    STORE_DISAGREEMENTS = 200, /* how many of these places are kept for dropped_by_disagreement */
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
    char engine[128];  /* what made the cases: "builtin", "libfuzzer", ...; "": replay, which makes none */
    bool interrupted;  /* a signal ended the run early; also true in the store while the run lasts */
    bool unreconciled; /* the findings are not reconciled: the run lasts, was killed, or its store failed */
    struct tally tally;
    struct coverage coverage;
};

/* Is the directory a campaign? Does not open the database. */
bool store_is_campaign(const char *directory);

/* Opens a campaign's directory. `create`: creates the directory if it is missing, and a campaign in it if it
 * is empty. Refuses a directory with other files. */
struct store *store_open(const char *directory, bool create, struct error *e);
void store_close(struct store *s); /* NULL is fine */

/*
 * A transaction: either everything written in it is kept, or nothing. Transactions can be nested. The
 * outermost one commits if every store_end was called with `good`; before that it seals the chain
 * (store_chain.h). Files are written at once. If the transaction fails, the files of its findings stay until
 * store_open next opens the campaign and removes them.
 */
bool store_begin(struct store *s, struct error *e);
bool store_end(struct store *s, bool good, struct error *e);

/* Adds a finding. If the store has a finding with this id, adds the cases to it and keeps the smaller
 * case. */
bool store_put_finding(struct store *s, const struct finding *f, struct error *e);
/* Updates a stored finding after a reconciliation: replaces its candidates and its case. Adds no cases. */
bool store_update_finding(struct store *s, const struct finding *f, struct error *e);
/* Returns the cases of a stored finding, of all runs; -1: the store does not have the finding. */
int64_t store_finding_cases(struct store *s, const char *id);
/* Compares the files in cases/ with the database. */
struct store_files {
    unsigned findings, same;
    char other[24];     /* first finding whose file is missing or differs; "": none */
    unsigned left_over; /* files of findings that the database does not have */
    char left[24];      /* the first of them, without its ending */
};
bool store_check_files(struct store *s, struct store_files *f, struct error *e);

/* Merges each finding with several candidates into a finding whose only candidate is one of them. Both must
 * have the same unit, profile and board. They may come from different runs. */
bool store_answer_open(struct store *s, struct error *e);
/*
 * Moves cases and their evidence from one finding to another, which must be in the store. `cases`: how many;
 * STORE_ALL_CASES: all. To split one finding among several, call this once for each; only the call with
 * `last` subtracts the cases from the first finding, and removes it if no case is left. If several runs write
 * the campaign at the same time, each moves only its own cases.
 */
#define STORE_ALL_CASES UINT64_MAX
bool store_move_finding(struct store *s, const char *from_id, const char *to_id, uint64_t cases, bool last,
                        struct error *e);
/* Gives the folder in which the last run with this board was started; "": unknown. File names in the board's
 * spec are relative to this folder. */
void store_place(struct store *s, const char *board_spec, char *to, size_t room);
/* Adds a run and returns its id; 0: failure. store_update_run may be called repeatedly while the run
 * lasts. */
int64_t store_begin_run(struct store *s, const struct run_facts *f, struct error *e);
bool store_update_run(struct store *s, int64_t id, const struct run_facts *f, struct error *e);
bool store_log(struct store *s, const char *line, struct error *e); /* appends to log.txt */
/* Chooses the seed for a run of this unit: `wanted`, unless a run of the campaign has used it; then the
 * lowest seed above all used ones. */
bool store_next_seed(struct store *s, const struct unit *u, uint64_t wanted, uint64_t *seed, struct error *e);

/* How far a run was at one moment. */
struct progress_point {
    double seconds;
    uint64_t cases;
    unsigned clauses, pairs; /* of coverage */
    unsigned findings;
};
bool store_put_progress(struct store *s, int64_t run, const struct progress_point *p, struct error *e);
/* Reads all points of a run; `run_at` is its index in the array of store_runs. Free with free(). NULL with an
 * error. */
struct progress_point *store_progress(struct store *s, unsigned run_at, unsigned *count, struct error *e);

/* Reads all findings, sorted by finding_order. Free with store_free_findings. NULL with an error. */
struct finding *store_findings(struct store *s, unsigned *count, struct error *e);
void store_free_findings(struct finding *f, unsigned count);
/* Reads all runs in the order of their start. Free with free(). NULL with an error. */
struct run_facts *store_runs(struct store *s, unsigned *count, struct error *e);

/* A finding's evidence: one entry for each board on which a case differed. Free with free(). NULL with an
 * error. */
struct board_evidence {
    struct board_identity board;
    uint64_t cases;
    char label[128]; /* of the first case on this board */
};
struct board_evidence *store_evidence(struct store *s, const char *finding_id, unsigned *count,
                                      struct error *e);

/* --- store_cases.c */

/* A case that covered something new, in binary form. */
struct kept_case {
    uint8_t *bytes, *outcome; /* outcome: what the board answered, or NULL */
    size_t size, outcome_size;
    uint64_t hash;  /* case_hash */
    unsigned pairs; /* (clause, mode) pairs that it covered first */
    char label[128];
};
bool kept_case_make(struct kept_case *k, const struct test_case *c, const struct outcome *board /* or NULL */,
                    const char *label, unsigned pairs);
void kept_case_free(struct kept_case *k); /* frees what *k owns, and clears it */

/* Stores cases of a run, except those that the campaign has already. */
bool store_put_cases(struct store *s, int64_t run, const char *unit, const struct kept_case *k,
                     unsigned count, struct error *e);
/* Calls `f` with each stored case of a unit, oldest first, until a call returns false. `kept` has an outcome
 * only if a board with this board's spec gave it. */
typedef bool store_case(void *context, const struct test_case *c, const struct kept_case *kept,
                        struct error *e);
bool store_each_case(struct store *s, const struct unit *u, const struct board_identity *board, store_case *f,
                     void *context, struct error *e);

/* Stores a case that could not be compared (refused, no answer) with the reason, and counts it under `kind`.
 * It survives `kill -9`, but perhaps not a power cut. */
bool store_put_dropped(struct store *s, const struct test_case *c, const char *label, const char *reason,
                       const char *kind, struct error *e);
/* Counts cases that could not be compared, without storing them. */
bool store_count_dropped(struct store *s, const char *reason, uint64_t cases, struct error *e);
uint64_t store_dropped(struct store *s); /* how many cases could not be compared */

/* Lists the kinds of reasons (text_kind) with the number of dropped cases of each, largest first. Free with
 * free(). NULL with an error. */
struct dropped_reason {
    char reason[256];
    uint64_t cases;
    char first[256]; /* reason of the first such case, with its numbers; "": unknown */
};
/* Does the reason say that the two proofs of a program disagree (harness/verify/PROOF.md)? */
bool dropped_by_disagreement(const char *reason);
struct dropped_reason *store_dropped_reasons(struct store *s, unsigned *count, struct error *e);

/* Lists the dropped cases that were stored, oldest first. Free with free(). NULL with an error. */
struct dropped_case {
    int64_t id; /* the file is dropped/ID.case */
    char unit[32], label[128], reason[256];
};
struct dropped_case *store_dropped_cases(struct store *s, unsigned *count, struct error *e);
/* Decodes the dropped case with this id. False with an error, also if no stored one has this id. */
bool store_dropped_case(struct store *s, int64_t id, struct test_case *c, struct dropped_case *what,
                        struct error *e);

/* --- store_merge.c */

/*
 * Adds everything in campaign `from` to `into`, or nothing. Findings with the same id become one, a case of
 * both is stored once, runs are appended. Fails if both contain the same campaign or a run with the same
 * generated cases.
 */
bool store_merge(struct store *into, const char *from, struct error *e);

#endif
