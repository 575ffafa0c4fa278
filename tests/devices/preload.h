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

/* Returns a descriptor, -1 with errno, or PRELOAD_NOT_OURS. */
int fake_open(const char *path);
/* Returns false if the call is not ours. Otherwise *result is what the call returns, with errno if it
 * failed. */
bool fake_ioctl(int fd, unsigned long request, void *argument, int *result);
bool fake_map(int fd, size_t length, uint64_t offset, void **result);

/* ---- functions for the library ---- */

/* Opens a file in memory with this content, at its beginning. */
int preload_file(const char *content, size_t size);
/* Returns a variable of the environment that is set and not empty, or else `otherwise`. */
const char *preload_setting(const char *name, const char *otherwise);
/* For a variable that says "KIND" or "KIND=VALUE": returns the value, "" if it has none, NULL if it is
 * another kind. */
const char *preload_fault(const char *name, const char *kind);
/* Locks the file of this descriptor, as another process that has it open would. */
void preload_lock(int fd);
/* libc's own. */
void *preload_map(size_t length, int fd, uint64_t offset);

#endif
