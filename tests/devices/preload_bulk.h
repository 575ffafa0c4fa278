/* SPDX-License-Identifier: MIT */
/*
 * Ends the process with a message if memcpy or a similar function of the C library works on device memory.
 * 64-bit ARM processors do not allow that (harness/vc4/gpu_memory.h). This code is part of a preloaded
 * library, so the program calls these functions instead of libc's.
 */
#ifndef MISPRINT_TESTS_DEVICES_PRELOAD_BULK_H
#define MISPRINT_TESTS_DEVICES_PRELOAD_BULK_H

#include <stddef.h>

void preload_bulk_keep_off(const void *at, size_t length);

#endif
