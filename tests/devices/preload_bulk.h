/* SPDX-License-Identifier: MIT */
/*
 * Ends the process with a message if memcpy or a similar function of the C library
 * works on device memory, which 64-bit ARM processors do not allow
 * (harness/vc4/gpu_memory.h). Part of a library to be preloaded, so its functions are
 * called instead of libc's.
 */
#ifndef MISPRINT_TESTS_DEVICES_PRELOAD_BULK_H
#define MISPRINT_TESTS_DEVICES_PRELOAD_BULK_H

#include <stddef.h>

void preload_bulk_keep_off(const void *at, size_t length);

#endif
