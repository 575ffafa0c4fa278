/* SPDX-License-Identifier: MIT */
/* Runs a function that may crash or hang in a child process. */
#ifndef MISPRINT_FUZZ_ENGINES_SANDBOX_H
#define MISPRINT_FUZZ_ENGINES_SANDBOX_H

enum {
    HANG_SECONDS = 10, /* an input that runs longer, here or in an engine, hangs */
};

enum sandbox_end {
    SANDBOX_WELL,
    SANDBOX_BAD, /* the function returned that something is wrong */
    SANDBOX_CRASHED,
    SANDBOX_HUNG,
    SANDBOX_NOT_RUN, /* no process, no memory, no file, or it was asked to stop */
};

/* Returns what `f` returns in a child that has so many seconds, or how the child ended. The child has a copy
 * of the caller's memory, and none of its signal handlers. */
enum sandbox_end sandbox_run(enum sandbox_end (*f)(void *context), void *context, unsigned seconds);

#endif
