/* SPDX-License-Identifier: MIT */
/*
 * Intercepts libc's open, mmap and ioctl for the libraries that stand in for a
 * kernel's devices. Each such library (fake_*.c) decides which calls are its own.
 */
#ifndef MISPRINT_TESTS_DEVICES_PRELOAD_H
#define MISPRINT_TESTS_DEVICES_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PRELOAD_NOT_OURS = -2 };

/* ---- for the library to define ---- */

/* A descriptor; -1 with errno; PRELOAD_NOT_OURS. */
int fake_open(const char *path);
/* False: not ours. Else *result is what the call returns, with errno where it failed. */
bool fake_ioctl(int fd, unsigned long request, void *argument, int *result);
bool fake_map(int fd, size_t length, uint64_t offset, void **result);

/* ---- what it needs ---- */

/* Opens a file in memory with this content, at its beginning. */
int preload_file(const char *content, size_t size);
/* A variable of the environment that is set and not empty; else `otherwise`. */
const char *preload_setting(const char *name, const char *otherwise);
/* Of a variable that says "KIND" or "KIND=VALUE": the value, "" if it has none; NULL if it is another kind.
 */
const char *preload_fault(const char *name, const char *kind);
/* Locks the file of this descriptor, as another process that has it open would. */
void preload_lock(int fd);
/* libc's own. */
void *preload_map(size_t length, int fd, uint64_t offset);

#endif
