/* SPDX-License-Identifier: MIT */
/*
 * Doing what may crash or hang, in a process of its own: the caller goes on
 * whatever becomes of it.
 */
#ifndef MISPRINT_FUZZ_ENGINES_SANDBOX_H
#define MISPRINT_FUZZ_ENGINES_SANDBOX_H

enum {
    HANG_SECONDS = 10, /* a try of one input, or an engine's run of it, that takes longer hangs */
};

enum sandbox_end {
    SANDBOX_WELL,
    SANDBOX_BAD, /* it came to its end, and says itself that something is wrong */
    SANDBOX_CRASHED,
    SANDBOX_HUNG,
    SANDBOX_NOT_RUN, /* it could not be tried: no process, no memory for it, a file that is gone, or it was
                  asked to stop */
};

/* What `f` returns in a child that has `seconds`, or what became of the child. The child shares nothing with
 * the caller but what was there before; no handler of the caller's signals runs in it. */
enum sandbox_end sandbox_run(enum sandbox_end (*f)(void *context), void *context, unsigned seconds);

#endif
