/* SPDX-License-Identifier: MIT */
/*
 * Intercepts libc's open, mmap and ioctl for the libraries that stand in for a kernel's devices (fake_*.c).
 * The functions fake_* of such a library decide which calls are for its devices.
 */
#ifndef MISPRINT_TESTS_DEVICES_PRELOAD_H
#define MISPRINT_TESTS_DEVICES_PRELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PRELOAD_NOT_OURS = -2 };

/* ---- for the library to define ---- */

/* Opens a device. Returns a descriptor, -1 with errno, or PRELOAD_NOT_OURS. */
int fake_open(const char *path);
/* Return false if the call is for another device. Otherwise set *result to what the call returns, and errno
 * if it failed. */
bool fake_ioctl(int fd, unsigned long request, void *argument, int *result);
bool fake_map(int fd, size_t length, uint64_t offset, void **result);

/* ---- functions for the library ---- */

/* Returns a descriptor of a file in memory with this content, at its beginning. */
int preload_file(const char *content, size_t size);
/* Returns the value of an environment variable; `otherwise` if it is empty or not set. */
const char *preload_setting(const char *name, const char *otherwise);
/* Reads an environment variable "KIND" or "KIND=VALUE". Returns VALUE, or "" if there is none; NULL if the
 * variable names another kind. */
const char *preload_fault(const char *name, const char *kind);
/* Locks the file of this descriptor, as another process does that has the file open. */
void preload_lock(int fd);
/* Calls libc's mmap. */
void *preload_map(size_t length, int fd, uint64_t offset);

#endif
