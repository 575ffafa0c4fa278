/* SPDX-License-Identifier: MIT */
/*
 * `misprint check-board` runs known cases on a board, the easy ones first, and says which of them it has
 * right. check_items.c finds and orders the cases, check_run.c runs and judges them, check_print.c prints the
 * result, speed.c measures the board's rate.
 */
#ifndef MISPRINT_CLI_BOARDS_CHECK_H
#define MISPRINT_CLI_BOARDS_CHECK_H

#include "cli/cli.h"
#include "oracle/attribution/explain.h"
#include "oracle/board/board.h"

enum {
    CHECK_SAMPLE = 1024, /* cases of a recorded table that run; evenly spread */
    CHECK_SUSPECTS = 3,
    CHECK_GENERATED = 4096, /* generated cases that run after the known ones */
    CHECK_SEED = 1,         /* their seed */
    CHECK_READINGS = 8,     /* of which readings their cases are counted */
};

/* What is said of one case. */
enum check_result {
    CHECK_RIGHT,      /* the board did what the profile, or the silicon, does */
    CHECK_READING,    /* the board did what another known reading says, or leaves undefined */
    CHECK_WRONG,      /* no known reading gives what the board did */
    CHECK_FLAKY,      /* no known reading gives it, and asked again alone, the board did something else */
    CHECK_UNANSWERED, /* the board crashed or did not answer in time */
    CHECK_EXCEPTION, /* the board's program failed in the case; the reason begins with CHECK_EXCEPTION_MARK */
    CHECK_REFUSED,   /* the board did not run the case */
    CHECK_UNKNOWN,   /* the board is a trace without this case */
    CHECK_EMPTY,     /* no bit of the outcome is defined */
    CHECK_RESULTS
};

/* PROTOCOL.md, REFUSED: "exception: ValueError at board.py:16: what happened". */
#define CHECK_EXCEPTION_MARK "exception: "

/* Something that a board must do for a case: a word of an instruction, or a clause. */
struct check_feature {
    char *name;            /* "fadd", or "clause vpm-addr-h8" */
    unsigned wrong, right; /* cases that have the feature and were wrong or unanswered, right */
};

/* A case, or a table of recorded cases. */
struct check_item {
    char *name; /* "vpm-addr-h8", "silicon/alu.trace" */
    char *path;
    struct test_case *tc; /* NULL: a table, or generated cases */
    bool generated;
    uint64_t recorded; /* number of the table's cases, or of those to generate */
    unsigned *feature, features, rooms;
    unsigned group;                /* items of group 0 run first (check_items.c) */
    size_t size;                   /* bytes of the case in binary form */
    bool done;                     /* it was run */
    uint64_t count[CHECK_RESULTS]; /* cases with each result */
    /* Of the first case that was not right: */
    enum check_result result;
    struct text label;   /* of a table: the record's label */
    struct text text;    /* of a table, and of generated cases: the case */
    struct text what;    /* lines: the difference, or the reason */
    struct text reading; /* which readings give what the board did; "" if none is known */
};

struct check {
    const struct unit *unit;
    struct board *board;
    const char *profile_name;
    bool strict; /* the user named the profile: other readings are wrong */
    struct profile profile;
    struct executor *executor;
    struct explainer *explainer;
    struct outcome *model, *again; /* `again`: what the board did when it was asked again */
    /* Called after each batch: the first `done` items are complete. */
    void (*show)(struct check *k, unsigned done);
    void *show_context;
    struct check_item *item;
    unsigned items, item_room;
    struct check_item generated; /* counted apart; not done if a known case is wrong or unanswered */
    struct check_reading {
        struct text name; /* "as in profile gfx942" */
        uint64_t cases;
    } reading[CHECK_READINGS]; /* that generated cases follow */
    unsigned readings;
    struct check_feature *feature;
    unsigned feature_count, feature_room;
    struct board_speed {
        double batched, alone; /* cases a second: 256 together, one at a time; 0: not measured */
        double model;          /* of the built-in model, 256 together */
    } speed;
};

/* Finds the unit's cases and tables, and sorts them: each next one needs as few new features as possible. */
bool check_find(struct check *k, const char *corpus, struct error *e);
/* Adds the features of a case to a list without those that it has already. */
void check_features(struct check *k, const struct test_case *c, struct check_item *to);
void check_free(struct check *k);

/* Runs all items. If none is wrong, it then runs generated cases: at most CHECK_GENERATED of them, as many as
 * fit into some seconds, until some are wrong or one gets no answer. False with an error if the board failed,
 * or after a signal. */
bool check_run(struct check *k, struct error *e);

/* Measures the rate of generated cases, as far as the board runs them. Does nothing if a case got no answer.
 */
bool check_speed(struct check *k, struct error *e);

uint64_t check_count(const struct check *k, enum check_result r); /* of all known cases */
/* Returns how many cases were compared. */
uint64_t check_compared(const uint64_t count[CHECK_RESULTS]);
/* Returns how many known and generated cases got no answer. */
uint64_t check_unanswered(const struct check *k);
/* Returns the first item that has a wrong or unanswered case, otherwise the first that has a flaky one; NULL
 * if there is none. */
const struct check_item *check_first(const struct check *k);
/* Lists features that wrong cases have and right cases lack, the most telling first. Returns their number. */
unsigned check_suspects(const struct check *k, unsigned list[CHECK_SUSPECTS]);

extern const char *const check_result_name[CHECK_RESULTS];
/* The text output is a head, the known cases one by one, and the rest. `shown` counts the known cases that
 * were printed, of each result. Without `all`, only cases that are not right are printed, and of each result
 * only the first ones. */
struct check_shown {
    bool all, titled;
    unsigned count[CHECK_RESULTS];
};
void check_print_head(const struct check *k, struct text *t);
void check_print_item(const struct check *k, unsigned i, struct check_shown *shown, struct text *t);
void check_print_rest(const struct check *k, const struct check_shown *shown, struct text *t);
json_t *check_json(const struct check *k);
void check_junit(const struct check *k, struct text *t);

#endif
