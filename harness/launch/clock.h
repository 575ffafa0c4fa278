/* SPDX-License-Identifier: MIT */
/* The clocks: one that only goes forward, for deadlines and durations, and the time that this process had of
 * a processor. */
#ifndef MISPRINT_HARNESS_LAUNCH_CLOCK_H
#define MISPRINT_HARNESS_LAUNCH_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline struct timespec clock_read(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return t;
}

static inline int64_t clock_ms(void)
{
    struct timespec t = clock_read(CLOCK_MONOTONIC);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static inline double clock_seconds(void)
{
    struct timespec t = clock_read(CLOCK_MONOTONIC);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* For rates of one core, whatever else the machine does. */
static inline double clock_processor_seconds(void)
{
    struct timespec t = clock_read(CLOCK_PROCESS_CPUTIME_ID);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
