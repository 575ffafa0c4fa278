/* SPDX-License-Identifier: MIT */
#include "model/core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* vectors of 16 words, whole cache lines */

void *memory_new(size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - ALIGNMENT) / size)
        abort();
    return memory_one(count * size);
}

void *memory_one(size_t size)
{
    size_t bytes = (size + ALIGNMENT) / ALIGNMENT * ALIGNMENT; /* never 0 */
    void *memory = aligned_alloc(ALIGNMENT, bytes);
    if (!memory)
        abort();
    return memset(memory, 0, bytes);
}

char *memory_string(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(memory_one(bytes), text, bytes);
}

void *memory_grow(void *old, size_t count, size_t size)
{
    size_t bytes = count * size;
    void *memory = size && count > SIZE_MAX / size ? NULL : realloc(old, bytes ? bytes : 1);
    if (!memory)
        abort();
    return memory;
}

bool memory_reserve(uint8_t **at, size_t *room, size_t need, size_t first)
{
    if (*at && *room >= need)
        return true;
    size_t more = *room ? *room : first;
    while (more < need)
        more *= 2;
    uint8_t *grown = realloc(*at, more);
    if (!grown)
        return false;
    *at = grown;
    *room = more;
    return true;
}
