/* SPDX-License-Identifier: MIT */
/*
 * `ssh:HOST`: a board behind the user's own ssh, which starts `misprint agent`
 * there. All else is exec:COMMAND's (board_exec.c).
 *
 * MISPRINT_SSH is the ssh command (default below), MISPRINT_AGENT what it
 * starts on the host; both are the user's words for a shell.
 */
#include "oracle/board/board.h"
#include "oracle/describe/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * No pseudo-terminal, no questions (there is nobody to ask), and a link that is silent for a minute is given
 * up: a host that goes down at once closes nothing, and an agent may be waited for much longer (PROTOCOL.md,
 * answer-seconds).
 */
static const char default_ssh[] =
    "ssh -T -o BatchMode=yes -o ServerAliveInterval=15 -o ServerAliveCountMax=4";
static const char default_agent[] = BOARD_SSH_AGENT;

/* What can stand for a host as a word of its own: user@name, an address, an alias. A leading '-' would be an
 * option of ssh. */
static bool is_host(const char *host)
{
    static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-@:%[]";
    return *host && *host != '-' && strspn(host, good) == strlen(host);
}

static bool ssh_open(struct board *b, const char *argument, struct error *e)
{
    if (!is_host(argument))
        return error_set(e, "board 'ssh:%.80s': a host is needed as ssh takes it: ssh:pi, ssh:user@pi.local",
                         argument);
    const char *ssh = getenv("MISPRINT_SSH"), *agent = getenv("MISPRINT_AGENT");
    struct text command = {0};
    text_add(&command, "exec %s -- '%s' ", ssh && *ssh ? ssh : default_ssh, argument);
    escape_shell(&command, agent && *agent ? agent : default_agent);
    bool good = board_exec.open(b, text_chars(&command), e);
    text_free(&command);
    return good;
}

static bool ssh_run(struct board *b, const struct test_case *const *cases, unsigned count,
                    struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    return board_exec.run(b, cases, count, outcomes, answers, e);
}

static bool ssh_ahead(struct board *b, const struct test_case *const *cases, unsigned count,
                      struct outcome *const *outcomes, struct error *e)
{
    return board_exec.ahead(b, cases, count, outcomes, e);
}

static void ssh_close(struct board *b)
{
    board_exec.close(b);
}

const struct board_kind board_ssh = {
    .name = "ssh",
    .form = "ssh:HOST",
    .about = "`misprint agent` on another machine, started through your ssh; MISPRINT_AGENT says how it is "
             "started there",
    .open = ssh_open,
    .run = ssh_run,
    .close = ssh_close,
    .ahead = ssh_ahead,
};
