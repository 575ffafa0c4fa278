/* SPDX-License-Identifier: MIT */
/*
 * The C library's functions on stretches of memory, kept off one: device memory, on
 * which 64-bit ARM processors do not let them work (harness/vc4/gpu_memory.h). Part of
 * a library to be preloaded: it has memcpy and its like before libc has, looks at
 * where they are called for, and ends the process with a message if that is there.
 */
#ifndef MISPRINT_TESTS_DEVICES_PRELOAD_BULK_H
#define MISPRINT_TESTS_DEVICES_PRELOAD_BULK_H

#include <stddef.h>

void preload_bulk_keep_off(const void *at, size_t length);

#endif
