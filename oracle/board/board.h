/* SPDX-License-Identifier: MIT */
/*
 * Boards: anything that turns cases into outcomes. `virtual:PROFILE` is the
 * model under another profile, `trace:FILE` replays what a board once answered,
 * `exec:COMMAND` is a child process that speaks harness/PROTOCOL.md, `ssh:HOST`
 * is that child on another machine.
 *
 * To add a board: one file oracle/board_NAME.c with a `struct board_kind`, one
 * line in the table of oracle/board/board.c. What such a file may call is in board_kind.h.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_H
#define MISPRINT_ORACLE_BOARD_BOARD_H

#include "model/core/unit.h"

#include <signal.h>

/* What answered for one case. */
enum answer {
    ANSWER_OUTCOME, /* the outcome holds what the board left behind (end may be hang or fault), done-stamp
                       checked */
    ANSWER_REFUSED, /* the board's side would not run it; outcome->end is END_REFUSED */
    ANSWER_UNKNOWN, /* a trace that holds no such case */
    ANSWER_NOTHING, /* no answer in time, or one without a good done-stamp */
    ANSWERS
};
const char *answer_name(enum answer a);

#define BOARD_SSH_AGENT                                                                                      \
    "sudo -n misprint agent --board mailbox" /* what `ssh:` starts there, if nothing else is said */

enum { PROFILE_SPEC_MAX = 1024 }; /* bytes of a profile as a run keeps it: profile_spec */

/* Who answers: goes into every record and report. */
struct board_identity {
    char spec[1024];       /* as the user wrote it, completed: "virtual:bcm2835" */
    char kind[16];         /* "virtual", "trace", "exec" */
    char description[256]; /* one line: "Raspberry Pi 3 B, BCM2837, ..." or what a virtual board is */
    char provenance[1024]; /* traces: who recorded it, where it was published, licence. Ends in `state` where
                              there is one */
    bool silicon;          /* the outcomes were measured on hardware. Never true of a virtual board */
    /* Bus addresses at which its cases run: what the model that is compared must use (executor_place). */
    uint32_t memory_base, code_base;
    char folder[1024]; /* from which names of files in `spec` are meant; "": not known. Reports' alone */
    char state[128];   /* what changes while it runs, as of the last batch: clock, temperature; "": nothing is
                          known of it */
};

/* The model under another profile: no silicon, whatever its record claims. */
bool board_is_virtual(const struct board_identity *who);

enum {
    BOARD_REASONS_MAX = 256, /* cases of a batch that can have a reason */
    BOARD_REASON_MAX = 256,  /* bytes of one */
};

struct board {
    const struct board_kind *kind;
    const struct unit *unit; /* NULL: it is only taken */
    char *spec;              /* as it was given */
    const char *argument;    /* of it, what the kind's functions get: after the colon, "" if none */
    struct board_identity identity;
    char profile[PROFILE_SPEC_MAX];   /* board_profile's */
    bool has_campaign;                /* a profile is known that it is compared with: */
    struct profile campaign;          /* programs are proven under it, too, before they reach hardware */
    char (*reason)[BOARD_REASON_MAX]; /* board_reason's */
    unsigned takes_ahead;             /* cases that board_ahead takes at once; 0: none */
    bool stopped;         /* its last run ended because the process was asked to stop, or at `until` */
    int64_t until;        /* clock_ms(): one that went away is not waited for after; 0: as long as it takes */
    bool proves;          /* programs before they reach hardware: cases are drawn so that most can pass */
    double proof_seconds; /* of this process's processor time, what dry runs of programs took; 0: there are
                             none, or not known */
    double launch_seconds;   /* of this process's processor time, what its hardware, or what stands in for it,
                                was launched in; 0: not known */
    size_t provenance_own;   /* bytes of identity.provenance in front of identity.state */
    int64_t state_read;      /* when: clock_ms() */
    uint64_t restarts;       /* times that it was started again, because it hung, ended or was gone */
    uint32_t answer_seconds; /* the most that a run may take it; 0: not known. Of boards on hardware: for who
                                waits for them (harness/protocol/agent.h) */
    void (*tell)(void *context,
                 const char *line); /* what a user who waits should know; NULL: board_tell_on's */
    void *tell_context;
    void *state; /* the kind's own */
};

/* The profile under which the model is this board and nothing else, as users write it; NULL: it is none, or
 * more than that. */
const char *board_profile(const struct board *b);

/* Why case i of the last batch has no outcome, in the board's own words or ours; "" if there is nothing more
 * to say. */
const char *board_reason(const struct board *b, unsigned i);

/* Kills all children of all boards, at once, and for good: for a signal handler that is about to end the
 * process. */
void board_kill_all(void);

struct board_kind {
    const char *name;  /* before the colon */
    const char *form;  /* "trace:FILE" */
    const char *about; /* one line for `misprint boards` */
    /* NULL, or board_take's: opens the device into b->state, and does what needs rights that nothing else
     * needs. False: nothing is open. */
    bool (*take)(struct board *b, const char *argument, struct error *e);
    /* Takes it first, if that was not done. False: nothing is open, nor taken. */
    bool (*open)(struct board *b, const char *argument, struct error *e);
    /* Runs `count` cases. answers[i] and outcomes[i] say what came of case i. False only if the board itself
     * failed (dead, garbage): then the campaign stops with exit status 3. */
    bool (*run)(struct board *b, const struct test_case *const *cases, unsigned count,
                struct outcome *const *outcomes, enum answer *answers, struct error *e);
    void (*close)(struct board *b);
    /* NULL, or board_ahead's. */
    bool (*ahead)(struct board *b, const struct test_case *const *cases, unsigned count,
                  struct outcome *const *outcomes, struct error *e);
};

extern const struct board_kind board_virtual, board_trace, board_exec, board_ssh, board_mailbox, board_drm;

/* Kinds in listing order; NULL after the last. */
const struct board_kind *board_kind_at(unsigned i);

/* Opens the board a spec names, for one unit. `spec` NULL: `virtual:` with the unit's best-known silicon
 * profile. */
struct board *board_open(const char *spec, const struct unit *u, struct error *e);
/* The same for who knows with which profile the board is compared: programs are proven under that as well
 * before they reach hardware. */
struct board *board_open_under(const char *spec, const struct unit *u, const struct profile *campaign,
                               struct error *e);
/*
 * The same in two steps, for who gives up rights in between, before it asks a stranger which unit it wants:
 * all that needs them is done by the first. False: the board is closed.
 */
struct board *board_take(const char *spec, struct error *e);
bool board_open_taken(struct board *b, const struct unit *u, struct error *e);
void board_close(struct board *b); /* NULL is fine; nor has it to be more than taken */
bool board_run(struct board *b, const struct test_case *const *cases, unsigned count,
               struct outcome *const *outcomes, enum answer *answers, struct error *e);

/*
 * These are what a coming run will be given: the next, or the one after it. The board may run them before; a
 * board that does not look ahead does nothing. Until that run all of them, and their outcomes, are the
 * board's, and what is not run after all is lost.
 */
bool board_ahead(struct board *b, const struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes, struct error *e);

/* One case; a convenience over board_run. */
bool board_run_one(struct board *b, const struct test_case *c, struct outcome *out, enum answer *answer,
                   struct error *e);

#endif
