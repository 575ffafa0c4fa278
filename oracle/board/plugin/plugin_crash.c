/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_crash.h"

#include "oracle/board/plugin/plugin_memory.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* The cases and both arrays of a case that runs alone, and those of each batch in the shared memory. */
static struct watched {
    enum plugin_place place;
    uintptr_t from, to;
} watched[4 + 2 * PLUGIN_SLOTS];
static unsigned count;

void plugin_crash_watch(enum plugin_place place, const void *at, size_t bytes)
{
    if (count < sizeof watched / sizeof *watched)
        watched[count++] = (struct watched){place, (uintptr_t)at, (uintptr_t)at + bytes};
}

enum plugin_place plugin_crash_place(const siginfo_t *signal)
{
    uintptr_t at = (uintptr_t)signal->si_addr;
    bool of_memory = signal->si_signo == SIGSEGV || signal->si_signo == SIGBUS;
    for (unsigned i = 0; i < count && of_memory && signal->si_code > 0; i++) /* not of kill() and raise() */
        if (at >= watched[i].from && at < watched[i].to)
            return watched[i].place;
    return PLUGIN_ELSEWHERE;
}

uint32_t plugin_crash_pack(int status, enum plugin_place place)
{
    return ((uint32_t)status & 0xFFFF) | (uint32_t)place << 16;
}

void plugin_crash_describe(uint32_t packed, const struct layout *l, char *why, size_t room)
{
    int status = (int)(packed & 0xFFFF), number = WTERMSIG(status);
    uint32_t place = packed >> 16;
    if (!WIFSIGNALED(status))
        (void)snprintf(why, room, "the library ended its process: it called exit(%d)",
                       WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    else if (place == PLUGIN_CASE)
        (void)snprintf(why, room, "the library wrote into a case, which is read-only (signal %d, %s)", number,
                       strsignal(number));
    else if (place == PLUGIN_PAST_VALUE || place == PLUGIN_PAST_UNKNOWN)
        (void)snprintf(why, room,
                       "the library used memory past the end of the case's array `%s`, which has %u rows of "
                       "%u words (signal %d, %s)",
                       place == PLUGIN_PAST_VALUE ? "value" : "unknown", l->rows, l->row_words, number,
                       strsignal(number));
    else
        (void)snprintf(why, room, "the library crashed (signal %d, %s)", number, strsignal(number));
}
