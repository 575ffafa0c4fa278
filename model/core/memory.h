/* SPDX-License-Identifier: MIT */
/*
 * Memory, and what happens where there is none: the one policy of the project.
 *
 * What the program needs to do anything at all, and whose size nobody's input
 * decides (an executor, an explainer, an outcome, one case, a page of text), is
 * taken here; without it the process ends by abort(). Functions named *_new that
 * have no error to give therefore never return NULL.
 *
 * What grows with files or with the length of a run (files, traces, tables, kept
 * cases, findings, a board's buffers) is taken with malloc, calloc and realloc, and
 * having none is an error like a full disk: error_memory, exit status 3, and what
 * was found before is kept. Lists with an item a file or a finding (names, fates) are
 * small beside what they list, and are taken here. Nothing is allocated while a case runs.
 */
#ifndef MISPRINT_MODEL_CORE_MEMORY_H
#define MISPRINT_MODEL_CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed, on a cache line of its own; never NULL. Freed with free(). */
void *memory_new(size_t count, size_t size);
/* realloc without NULL. What is new is not zeroed. */
void *memory_grow(void *old, size_t count, size_t size);

/* At least `need` bytes for what grows with a run, at first `first`, then doubled. False without memory: then
 * all is as it was. */
bool memory_reserve(uint8_t **at, size_t *room, size_t need, size_t first);

#endif
