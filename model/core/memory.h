/* SPDX-License-Identifier: MIT */
/*
 * Memory, and the project's policy for running out of it.
 *
 * Allocations whose size does not depend on input (an executor, an outcome, one
 * case, a page of text) are made here and abort() when there is no memory. So
 * functions named *_new that take no error never return NULL. Lists with an item
 * a file or a finding are small beside what they list and belong here too.
 *
 * Allocations that grow with files or with the length of a run (traces, tables,
 * kept cases, findings, a board's buffers) use malloc, calloc and realloc. Their
 * failure is an error like a full disk: error_memory, exit status 3, and earlier
 * findings are kept. Nothing is allocated while a case runs.
 */
#ifndef MISPRINT_MODEL_CORE_MEMORY_H
#define MISPRINT_MODEL_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed memory, aligned to a cache line; never NULL. Released with free(). */
void *memory_new(size_t count, size_t size);
/* A copy of a string; never NULL. Released with free(). */
char *memory_string(const char *text);
/* realloc that never returns NULL. */
void *memory_grow(void *old, size_t count, size_t size);

/* Grows a buffer to at least `need` bytes, from `first` by doubling. False, and no change, without memory. */
bool memory_reserve(uint8_t **at, size_t *room, size_t need, size_t first);

#endif
