/* SPDX-License-Identifier: MIT */
/*
 * `ssh:HOST`: starts `misprint agent` on another machine through the user's ssh. The result is a board
 * exec:COMMAND. MISPRINT_SSH replaces the ssh command (default below), MISPRINT_AGENT the command on the
 * host; both are shell code.
 */
#include "oracle/board/board.h"
#include "oracle/describe/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ssh opens no pseudo-terminal, and asks no questions, because nobody can answer them. It closes a link that
 * is silent for a minute, because a host that lost power does not close it. A timeout for answers is no
 * substitute, because an agent may take much longer for an answer (PROTOCOL.md, answer-seconds). */
static const char default_ssh[] =
    "ssh -T -o BatchMode=yes -o ServerAliveInterval=15 -o ServerAliveCountMax=4";

/* Accepts user@name, an address or an alias. Rejects a leading '-', which ssh would take for an option. */
static bool is_host(const char *host)
{
    static const char good[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-@:%[]";
    return *host && *host != '-' && strspn(host, good) == strlen(host);
}

static const char *default_agent(const struct unit *u)
{
    return !strcmp(u->family, "v3d")        ? BOARD_SSH_AGENT_V3D
           : !strcmp(u->name, "amd-buffer") ? BOARD_SSH_AGENT_AMD
                                            : BOARD_SSH_AGENT;
}

static bool ssh_open(struct board *b, const char *argument, struct error *e)
{
    if (!is_host(argument))
        return error_set(e, "board 'ssh:%.80s' names no host; write it as for ssh: ssh:pi, ssh:user@pi.local",
                         argument);
    const char *ssh = getenv("MISPRINT_SSH"), *agent = getenv("MISPRINT_AGENT");
    struct text command = {0};
    text_add(&command, "exec %s -- '%s' ", ssh && *ssh ? ssh : default_ssh, argument);
    escape_shell(&command, agent && *agent ? agent : default_agent(b->unit));
    bool good = board_exec.open(b, text_chars(&command), e);
    text_free(&command);
    if (good)
        b->kind = &board_exec;
    return good;
}

const struct board_kind board_ssh = {
    .name = "ssh",
    .form = "ssh:HOST",
    .about =
        "`misprint agent` on another machine, started through your ssh; set MISPRINT_AGENT to change the "
        "remote command",
    .open = ssh_open,
};
