/* SPDX-License-Identifier: MIT */
#include "fuzz/batch.h"

#include "model/bytes.h"

#include <string.h>

enum { LENGTH_BYTES = 2 };

const uint8_t batch_magic[BATCH_MAGIC_BYTES] = {'M', 'P', 'B', '1'};

void batch_open(struct batch *b, const uint8_t *bytes, size_t count)
{
    bool single = count < BATCH_MAGIC_BYTES || memcmp(bytes, batch_magic, BATCH_MAGIC_BYTES) != 0;
    size_t skip = single ? 0 : BATCH_MAGIC_BYTES;
    *b = (struct batch){.at = count ? bytes + skip : bytes, .left = count - skip, .single = single};
}

bool batch_next(struct batch *b, const uint8_t **bytes, size_t *count)
{
    if (b->single ? b->given : b->left == 0 || b->given == BATCH_CASES_MAX)
        return false;
    b->given++;
    size_t size = b->left;
    if (!b->single) {
        size_t head = b->left < LENGTH_BYTES ? b->left : LENGTH_BYTES, wanted = (size_t)bytes_get(b->at, (unsigned)head);
        b->at += head;
        b->left -= head;
        size = wanted < b->left ? wanted : b->left;
    }
    *bytes = b->at;
    *count = size;
    if (size) {
        b->at += size;
        b->left -= size;
    }
    return true;
}

size_t batch_add(uint8_t *to, size_t room, size_t used, const uint8_t *bytes, size_t count)
{
    size_t start = used ? used : BATCH_MAGIC_BYTES;
    if (count > UINT16_MAX || start > room || room - start < LENGTH_BYTES + count)
        return used;
    if (!used)
        memcpy(to, batch_magic, BATCH_MAGIC_BYTES);
    bytes_put(to + start, count, LENGTH_BYTES);
    if (count)
        memcpy(to + start + LENGTH_BYTES, bytes, count);
    return start + LENGTH_BYTES + count;
}
