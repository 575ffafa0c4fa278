/* SPDX-License-Identifier: MIT */
/* Reads the monotonic clock, for deadlines and durations, and processor time. */
#ifndef MISPRINT_HARNESS_SYSTEM_CLOCK_H
#define MISPRINT_HARNESS_SYSTEM_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static inline double clock_seconds_of(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline double clock_seconds(void)
{
    return clock_seconds_of(CLOCK_MONOTONIC);
}

/* Processor time of this process, for rates that do not depend on the machine's other load. */
static inline double clock_processor_seconds(void)
{
    return clock_seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* Processor time of this thread alone. */
static inline double clock_thread_seconds(void)
{
    return clock_seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

#endif
