/* SPDX-License-Identifier: MIT */
/* `misprint agent` serves this machine's board to a Misprint on another machine. */
#include "harness/protocol/agent.h"
#include "cli/cli.h"

#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { NOBODY = 65534 };

struct served {
    struct board *board; /* NULL: it could not be opened */
    struct error why;
};

/* Reads a user or group id that sudo put into the environment. Returns NOBODY if there is none. */
static uid_t started_by(const char *name)
{
    const char *number = getenv(name);
    char *end;
    unsigned long id = number ? strtoul(number, &end, 10) : 0;
    return number && *number && !*end && id > 0 && id < UINT32_MAX ? (uid_t)id : NOBODY;
}

/*
 * Drops root's groups, user and capabilities for good, now that the device is open and nothing else needs
 * root. The agent should not read its input as root: a user who may start it by sudo chooses its journal,
 * profile and command, and the other machine chooses the bytes that it reads. NO_NEW_PRIVS keeps the agent
 * from getting root back through sudo.
 */
static bool give_up_root(struct error *e)
{
    uid_t user = started_by("SUDO_UID");
    gid_t group = started_by("SUDO_GID");
    if (geteuid() != 0)
        return true;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && setgroups(0, NULL) == 0 &&
        setresgid(group, group, group) == 0 && setresuid(user, user, user) == 0 && setuid(0) != 0)
        return true;
    return error_set(e, "cannot give up root's rights, as the agent must before it reads its input; start "
                        "it as another user, or with sudo");
}

static bool open_board(void *context, const struct unit *u, struct protocol_hello *who, struct error *e)
{
    struct served *s = context;
    if (!s->board) {
        *e = s->why;
        return false;
    }
    s->board->has_campaign = who->profile[0];
    if (who->profile[0] && !profile_resolve(u, who->profile, &s->board->campaign, e))
        return error_where(e, "the host's profile (do agent and host have the same version?)");
    if (!board_open_taken(s->board, u, e)) {
        s->board = NULL;
        return false;
    }
    const struct board_identity *is = &s->board->identity;
    snprintf(who->description, sizeof who->description, "%s", is->description);
    /* The board appends its state to its provenance. The protocol sends the two separately. */
    size_t own = is->state[0] ? s->board->provenance_own : sizeof is->provenance;
    snprintf(who->provenance, sizeof who->provenance, "%.*s", (int)own, is->provenance);
    snprintf(who->state, sizeof who->state, "%s", is->state);
    who->silicon = is->silicon;
    who->memory_base = is->memory_base;
    who->code_base = is->code_base;
    who->answer_seconds = s->board->answer_seconds;
    who->proves = s->board->proves;
    (void)snprintf(who->lacks, sizeof who->lacks, "%s", board_lacks_text(s->board->lacks));
    return true;
}

static bool run_cases(void *context, const struct test_case *const *cases, unsigned count,
                      struct outcome *const *outcomes, char (*reason)[256], struct error *e)
{
    struct served *s = context;
    enum answer answers[AGENT_BATCH_MAX];
    if (!board_run(s->board, cases, count, outcomes, answers, e))
        return false;
    for (unsigned i = 0; i < count; i++) {
        const char *why = board_reason(s->board, i);
        if (answers[i] != ANSWER_OUTCOME)
            snprintf(reason[i], sizeof reason[i], "%s", *why ? why : answer_name(answers[i]));
    }
    return true;
}

static const char *state_of_board(void *context)
{
    const struct served *s = context;
    return s->board->identity.state;
}

static int run_agent(const struct arguments *a)
{
    struct error e = {0};
    struct served s = {0};
    if (!a->option[OPTION_BOARD])
        return fail_usage("name the board of this machine to serve: --board mailbox, --board drm, --board "
                          "drm:v3d or --board drm:amdgpu");
    if (isatty(STDIN_FILENO))
        return fail_usage("the agent talks to a Misprint on another machine, not to a terminal; say there: "
                          "--board ssh:THIS-MACHINE");
    /* Standard output carries the protocol's frames. So all other output goes to standard error. */
    int out = dup(STDOUT_FILENO);
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        error_set(&e, "cannot duplicate standard output");
        return fail(STATUS_BROKEN, &e);
    }
    catch_repeated_interrupts();
    s.board = board_take(a->option[OPTION_BOARD], &s.why);
    struct agent_board board = {
        .context = &s, .open = open_board, .run = run_cases, .state = state_of_board, .stop = &interrupted};
    bool begun = give_up_root(&e), good = begun && agent_serve(STDIN_FILENO, out, &board, &e);
    board_close(s.board);
    close(out);
    if (begun && !good && a->option[OPTION_QUIET])
        return STATUS_BROKEN;
    return good ? STATUS_EQUAL : fail(STATUS_BROKEN, &e);
}

const struct command command_agent = {
    .name = "agent",
    .synopsis = "",
    .about = "serve this machine's board to a Misprint elsewhere",
    .examples = "  misprint fuzz vc4-qpu --board ssh:pi    # on the other machine\n"
                "  misprint fuzz amd-buffer --board ssh:pc --profile gfx1100",
    .details =
        "Runs cases that arrive on standard input on a board of this machine, and answers on standard "
        "output (harness/PROTOCOL.md). `--board ssh:HOST` on another machine starts it there through ssh, "
        "by the command in MISPRINT_AGENT (default: " BOARD_SSH_AGENT "; for amd-buffer: " BOARD_SSH_AGENT_AMD
        "; for v3d-qpu: " BOARD_SSH_AGENT_V3D "). It opens no port. Messages go to standard error; "
        "with --quiet, not those that the host prints.\n\n"
        "Started as root, it opens the board's device and then becomes the user who called sudo, or nobody "
        "(uid 65534), before it reads its input. MISPRINT_JOURNAL names a file, written as that user, that "
        "notes which cases are running. After a crash these cases do not run again, or only one at a "
        "time.\n\n"
        "On SIGTERM, SIGHUP or Ctrl-C it finishes the running batch, closes the device and ends with status "
        "3.",
    .options = {OPTION_BOARD, OPTION_QUIET, OPTION_END},
    .run = run_agent,
};
