/* SPDX-License-Identifier: MIT */
/* Runs a function that may crash or hang in a child process. */
#ifndef MISPRINT_FUZZ_ENGINES_SANDBOX_H
#define MISPRINT_FUZZ_ENGINES_SANDBOX_H

enum {
    HANG_SECONDS = 10, /* seconds after which an input counts as a hang, here or in an engine */
};

enum sandbox_end {
    SANDBOX_WELL,
    SANDBOX_BAD, /* the function returned that something is wrong */
    SANDBOX_CRASHED,
    SANDBOX_HUNG,
    SANDBOX_NOT_RUN, /* no process, memory or file was available, or the run was asked to stop */
};

/* Runs `f` in a child process that has this many seconds. Returns what `f` returns, or how the child ended.
 * The child has a copy of the caller's memory, and none of its signal handlers. */
enum sandbox_end sandbox_run(enum sandbox_end (*f)(void *context), void *context, unsigned seconds);

#endif
