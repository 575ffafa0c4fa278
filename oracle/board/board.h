/* SPDX-License-Identifier: MIT */
/*
 * Boards: anything that turns cases into outcomes. `virtual:PROFILE` is the model under another profile,
 * `trace:FILE` replays a board's recorded answers, `exec:COMMAND` is a child process that speaks
 * harness/PROTOCOL.md, `ssh:HOST` is that child on another machine; `mailbox` and `drm` are hardware of this
 * machine.
 *
 * To add a board: one file oracle/board/board_NAME.c with a `struct board_kind`, and one line in the table of
 * board.c. Such a file may also call board_kind.h.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_H
#define MISPRINT_ORACLE_BOARD_BOARD_H

#include "model/core/unit.h"

#include <signal.h>

/* A board's answer for one case. */
enum answer {
    ANSWER_OUTCOME, /* the outcome is the board's (its end may be hang or fault); the done-stamp was right */
    ANSWER_REFUSED, /* the board would not run it; outcome->end is END_REFUSED */
    ANSWER_UNKNOWN, /* the trace holds no such case */
    ANSWER_NOTHING, /* no answer in time, or one with a wrong done-stamp */
    ANSWERS
};
const char *answer_name(enum answer a);

/* What `ssh:` starts on the host by default. */
#define BOARD_SSH_AGENT "sudo -n misprint agent --board mailbox"

enum { PROFILE_SPEC_MAX = 1024 }; /* bytes of a profile as a run keeps it: profile_spec */

/* Who answers. Stored in every record and report. */
struct board_identity {
    char spec[1024];       /* as the user wrote it, completed: "virtual:bcm2835" */
    char kind[16];         /* "virtual", "trace", "exec" */
    char description[256]; /* one line: "Raspberry Pi 3 B, BCM2837, ..." */
    char provenance[1024]; /* who recorded it, where it was published, licence; then `state`, if any */
    bool silicon;          /* the outcomes were measured on hardware */
    uint32_t memory_base,
        code_base;     /* bus addresses of its cases, which the model must use too (executor_place) */
    char folder[1024]; /* where relative file names in `spec` start; "": not known. Used by reports only */
    char state[128];   /* clock, temperature and the like, as of the last batch; "": not known */
};

/* The board is the model under another profile, whatever its record claims. */
bool board_is_virtual(const struct board_identity *who);

enum {
    BOARD_REASONS_MAX = 256, /* cases of a batch that can have a reason */
    BOARD_REASON_MAX = 256,  /* bytes of a reason */
};

struct board {
    const struct board_kind *kind;
    const struct unit *unit; /* NULL until it is open */
    char *spec;              /* as given */
    const char *argument;    /* the part of it after the colon; "" if none */
    struct board_identity identity;
    char profile[PROFILE_SPEC_MAX];   /* see board_profile */
    bool has_campaign;                /* the profile that it is compared with is known: */
    struct profile campaign;          /* programs are proven under it, too, before they reach hardware */
    char (*reason)[BOARD_REASON_MAX]; /* see board_reason */
    unsigned takes_ahead;             /* cases that board_ahead takes at once; 0: none */
    bool stopped;            /* the last run ended because the process was asked to stop, or at `until` */
    int64_t until;           /* clock_ms() until which a board that is away is waited for; 0: no limit */
    bool proves;             /* it proves programs before they reach hardware: most cases drawn should pass */
    double proof_seconds;    /* this process's processor time in dry runs; 0: none, or not known */
    double launch_seconds;   /* the same in launches; 0: not known */
    size_t provenance_own;   /* bytes of identity.provenance before the state */
    int64_t state_read;      /* clock_ms() when the state was read */
    uint64_t restarts;       /* how often it was started again, because it hung, ended or was away */
    uint32_t answer_seconds; /* the longest a run may take; 0: not known */
    void (*notify)(void *context, const char *line); /* see board_notify; NULL: board_notify_on's */
    void *notify_context;
    struct board_batch *batch; /* of boards that launch batches (board_batch.h) */
    void *state;               /* the kind's own */
};

/* The profile that makes the model equal to this board, as users write it; NULL: there is none. */
const char *board_profile(const struct board *b);

/* Why case i of the last batch has no outcome; "" if there is nothing more to say. */
const char *board_reason(const struct board *b, unsigned i);

/* Kills the children of all boards for good. For a signal handler that is about to end the process. */
void board_kill_all(void);

struct board_kind {
    const char *name;  /* before the colon */
    const char *form;  /* "trace:FILE" */
    const char *about; /* one line for `misprint boards` */
    /* NULL, or opens the device into b->state, with everything that needs rights. False: nothing is open. */
    bool (*take)(struct board *b, const char *argument, struct error *e);
    /* Takes it first, if that was not done. False: nothing is open, nor taken. */
    bool (*open)(struct board *b, const char *argument, struct error *e);
    /* Runs `count` cases, and sets answers[i] and outcomes[i]. False only if the board itself failed (it died
     * or sent garbage): then the campaign stops with exit status 3. */
    bool (*run)(struct board *b, const struct test_case *const *cases, unsigned count,
                struct outcome *const *outcomes, enum answer *answers, struct error *e);
    void (*close)(struct board *b);
    /* NULL, or as board_ahead. */
    bool (*ahead)(struct board *b, const struct test_case *const *cases, unsigned count,
                  struct outcome *const *outcomes, struct error *e);
};

extern const struct board_kind board_virtual, board_trace, board_exec, board_ssh, board_mailbox, board_drm;

/* Kinds in listing order; NULL after the last. */
const struct board_kind *board_kind_at(unsigned i);

/* Opens a board for one unit. `spec` NULL: `virtual:` with the unit's best-known silicon profile. */
struct board *board_open(const char *spec, const struct unit *u, struct error *e);
/* The same, with the profile that the board is compared with: programs are proven under it, too. */
struct board *board_open_under(const char *spec, const struct unit *u, const struct profile *campaign,
                               struct error *e);
/* The same in two steps, for a process that gives up its rights in between: only the first step needs them.
 * If the second returns false, the board is closed. */
struct board *board_take(const char *spec, struct error *e);
bool board_open_taken(struct board *b, const struct unit *u, struct error *e);
void board_close(struct board *b); /* taken or open; NULL is fine */
bool board_run(struct board *b, const struct test_case *const *cases, unsigned count,
               struct outcome *const *outcomes, enum answer *answers, struct error *e);

/*
 * Announces the cases of the next run, or of the one after it, so that the board may run them before. Until
 * that run, cases and outcomes belong to the board. The work is lost if the run never comes. Many boards do
 * nothing.
 */
bool board_ahead(struct board *b, const struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes, struct error *e);

/* board_run for one case. */
bool board_run_one(struct board *b, const struct test_case *c, struct outcome *out, enum answer *answer,
                   struct error *e);

#endif
