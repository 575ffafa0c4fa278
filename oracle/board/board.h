/* SPDX-License-Identifier: MIT */
/*
 * Boards: anything that turns cases into outcomes. `virtual:PROFILE` is the model under another profile.
 * `trace:FILE` replays recorded answers. `exec:COMMAND` is a child process that speaks harness/PROTOCOL.md.
 * `plugin:FILE` is a shared library (harness/protocol/board_plugin.h), in a process of its own or in ours;
 * `program:FILE` is one that only runs programs, as hardware does.
 * `ssh:HOST` is a child on another machine. `mailbox` and `drm` are hardware of this machine.
 *
 * To add a kind of board, write oracle/board/board_NAME.c with a `struct board_kind`, and add it to the table
 * in board.c. Functions that only such files need are in board_kind.h.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_H
#define MISPRINT_ORACLE_BOARD_BOARD_H

#include "oracle/board/board_lacks.h"

#include <signal.h>

/* A board's answer for one case. */
enum answer {
    ANSWER_OUTCOME, /* the board ran the case; outcome->end may be a hang or a fault */
    ANSWER_REFUSED, /* the board did not run the case; outcome->end is END_REFUSED */
    ANSWER_UNKNOWN, /* the trace does not hold this case */
    ANSWER_NOTHING, /* the board did not answer in time, or its done-stamp is wrong */
    ANSWERS
};
const char *answer_name(enum answer a);

/* What `ssh:` starts on the host by default, for the units of a Raspberry Pi and for amd-buffer. */
#define BOARD_SSH_AGENT     "sudo -n misprint agent --board mailbox"
#define BOARD_SSH_AGENT_AMD "misprint agent --board drm:amdgpu"
#define BOARD_SSH_AGENT_V3D "misprint agent --board drm:v3d"

enum { PROFILE_SPEC_MAX = 4096 }; /* bytes of a profile's text (profile_spec) */

/* Which board answered. Stored in every record and report. */
struct board_identity {
    char spec[PROFILE_SPEC_MAX]; /* what the user wrote, with defaults filled in: "virtual:bcm2835" */
    char kind[16];               /* "virtual", "trace", "exec", ... */
    char description[256];       /* one line: "Raspberry Pi 3 B, BCM2837, ..." */
    char provenance[1024]; /* who recorded it, where it was published, licence; then `state`, if known */
    bool silicon;          /* the outcomes were measured on hardware */
    uint32_t memory_base,
        code_base;     /* bus addresses of its cases; the model must use the same bases (executor_place) */
    char folder[1024]; /* relative file names in `spec` start here; "": not known. Only reports use it */
    char state[128];   /* clock, temperature and the like at the last batch; "": not known */
};

/* True if the board is the model under another profile, whatever its record says. */
bool board_is_virtual(const struct board_identity *who);

/* What a board is. Verdicts depend on it: silicon shows what the manual should say, an implementation (an
 * emulator, another model) only shows what its author made. A virtual board is never silicon, even if its
 * record says so. */
enum board_class {
    BOARD_CLASS_SILICON,        /* measured on hardware */
    BOARD_CLASS_VIRTUAL,        /* the model under another profile */
    BOARD_CLASS_IMPLEMENTATION, /* another program */
    BOARD_CLASSES
};
enum board_class board_class(const struct board_identity *who);
/* Sets the class that the user gave, "silicon" or "implementation". False with an error for a virtual board,
 * and for hardware of this machine that the user calls an implementation. */
bool board_class_set(struct board_identity *who, const char *word, struct error *e);

enum {
    BOARD_REASONS_MAX = 256, /* cases of a batch that can have a reason */
    BOARD_REASON_MAX = 256,  /* bytes of a reason */
};

struct board {
    const struct board_kind *kind;
    const struct unit *unit; /* NULL until it is open */
    char *spec;              /* as the user wrote it */
    const char *argument;    /* the part of the spec after the colon; "" if none */
    struct board_identity identity;
    char profile[PROFILE_SPEC_MAX];   /* see board_profile */
    bool has_campaign;                /* `campaign` is set */
    struct profile campaign;          /* the board also proves programs under this profile */
    char (*reason)[BOARD_REASON_MAX]; /* see board_reason */
    unsigned takes_ahead;             /* most cases of one board_ahead; with more, board_ahead does nothing */
    bool stopped;                     /* a signal or the time limit ended the last run early */
    double silent;                    /* seconds since its last answer when the time limit did; 0 otherwise */
    int64_t until;                    /* the time limit (board_limit_time), of clock_ms; 0: none */
    int64_t stop_at;                  /* the last run may wait until then; 0: no limit */
    bool proves;                      /* the board launches only programs that it has proven harmless */
    double proof_seconds;             /* processor time of this process in dry runs; 0: none, or not known */
    double launch_seconds;            /* processor time of this process in launches; 0: not known */
    size_t provenance_own;            /* length of identity.provenance without the state */
    int64_t state_read;               /* when the state was read (clock_ms) */
    uint64_t answered;                /* cases that board_run ran since it was opened */
    uint64_t restarts;                /* how often the child was started again, after it hung or ended */
    uint32_t answer_seconds;          /* most seconds that a run may take; 0: not known */
    void (*notify)(void *context, const char *line); /* for board_notify; NULL: that of board_notify_on */
    void *notify_context;
    struct board_lacks *lacks;   /* parts of cases that it cannot run (board_lacks.h); NULL: none */
    struct kept *kept;           /* private to board.c */
    struct board_launch *launch; /* of boards that launch many cases at once (board_launch.h) */
    void *state;                 /* private to the kind */
};

/* Returns the profile under which the model equals this board, as users write it; NULL: unknown. */
const char *board_profile(const struct board *b);

/* Says why case i of the last batch has no outcome; "": unknown. */
const char *board_reason(const struct board *b, unsigned i);

/* Kills the children of all boards; the boards that are open start no other child. For a signal handler just
 * before the process ends. */
void board_kill_all(void);

struct board_kind {
    const char *name;  /* before the colon */
    const char *form;  /* "trace:FILE" */
    const char *about; /* one line for `misprint boards` */
    bool is_hardware;  /* the board is hardware of this machine, never an implementation */
    /* NULL, or: opens the device and whatever else needs privileges, into b->state. False: nothing stays
     * open. */
    bool (*take)(struct board *b, const char *argument, struct error *e);
    /* Calls `take` first, unless board_take did. False: nothing stays open. */
    bool (*open)(struct board *b, const char *argument, struct error *e);
    /* Runs `count` cases; sets answers[i] and outcomes[i]. False only if the board itself failed (it died or
     * sent garbage). Then the campaign stops with exit status 3. It still lists the cases for which the kind
     * set answers[i] to ANSWER_NOTHING and gave a reason. */
    bool (*run)(struct board *b, const struct test_case *const *cases, unsigned count,
                struct outcome *const *outcomes, enum answer *answers, struct error *e);
    void (*close)(struct board *b);
    /* NULL, or implements board_ahead. */
    bool (*ahead)(struct board *b, const struct test_case *const *cases, unsigned count,
                  struct outcome *const *outcomes, struct error *e);
};

extern const struct board_kind board_virtual, board_trace, board_exec, board_plugin, board_of_programs,
    board_ssh, board_mailbox, board_drm;

/* Kinds in listing order; NULL after the last. */
const struct board_kind *board_kind_at(unsigned i);

/* Opens a board for one unit. `spec` NULL: `virtual:` with the unit's best-known silicon profile. */
struct board *board_open(const char *spec, const struct unit *u, struct error *e);
/* As board_open, with the campaign's profile. The board then proves programs under this profile, too, before
 * it launches them. */
struct board *board_open_under(const char *spec, const struct unit *u, const struct profile *campaign,
                               struct error *e);
/* As board_open, but in two steps, for a process that drops its privileges in between: only the first step
 * needs them. If the second returns false, it has closed the board. */
struct board *board_take(const char *spec, struct error *e);
bool board_open_taken(struct board *b, const struct unit *u, struct error *e);
void board_close(struct board *b); /* taken or open; NULL is fine */
/* Sets answers and outcomes. False with an error if the board failed, or if `stopped` ended the run. The
 * cases that it answered before still have their answers then. */
bool board_run(struct board *b, const struct test_case *const *cases, unsigned count,
               struct outcome *const *outcomes, enum answer *answers, struct error *e);

/*
 * Lets waits for the board end BOARD_GRACE_MS after these seconds, beginning now. A later run may wait for as
 * long. Such a run is stopped (b->stopped), and the user gets a line about it; the board itself is well, and
 * can run other cases. 0: no limit. Boards that work in this process (`inline`, hardware) do not wait.
 */
void board_limit_time(struct board *b, double seconds);
enum { BOARD_GRACE_MS = 500 };

/*
 * Hints that these cases come in the next run or the one after it, so that the board may run them early.
 * Until that run, cases and outcomes belong to the board. If the run never comes, the work is lost. Many
 * kinds of boards do nothing here.
 */
bool board_ahead(struct board *b, const struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes, struct error *e);

/* board_run for one case. */
bool board_run_one(struct board *b, const struct test_case *c, struct outcome *out, enum answer *answer,
                   struct error *e);

#endif
