/* SPDX-License-Identifier: MIT */
/*
 * Memory allocation, and what happens when memory runs out.
 *
 * Allocations whose size does not depend on input (an executor, an outcome, one case, a page of text) use the
 * functions here, which abort() if there is no memory. So a function named *_new that takes no error never
 * returns NULL. A small list with one item for each file or finding also belongs here.
 *
 * Allocations that grow with files or with the length of a run (traces, tables, kept cases, findings, a
 * board's buffers) use malloc, calloc and realloc. If one fails, the caller reports error_memory and the
 * program ends with exit status 3, as for a full disk; earlier findings are kept. Nothing is allocated while
 * a case runs.
 */
#ifndef MISPRINT_MODEL_CORE_MEMORY_H
#define MISPRINT_MODEL_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns zeroed memory for an array of `count` items, aligned to a cache line; never NULL. Release with
 * free(). */
void *memory_new(size_t count, size_t size);
void *memory_one(size_t size); /* for one item */
/* Copies a string; never NULL. Release with free(). */
char *memory_string(const char *text);
/* Like realloc, but never returns NULL. */
void *memory_grow(void *old, size_t count, size_t size);

/* Grows a buffer to at least `need` bytes by doubling, starting from `first`. Returns false, and changes
 * nothing, if there is no memory. */
bool memory_reserve(uint8_t **at, size_t *room, size_t need, size_t first);

#endif
