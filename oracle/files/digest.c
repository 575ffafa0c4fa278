/* SPDX-License-Identifier: MIT */
#include "oracle/files/digest.h"

#include "model/number/bytes.h"

#include <stdio.h>
#include <string.h>

void digest_begin(struct digester *d, const char *what)
{
    sha256_init(&d->state);
    digest_text(d, what);
}

void digest_number(struct digester *d, uint64_t number)
{
    uint8_t bytes[8];
    put_u64(bytes, number);
    sha256_update(&d->state, sizeof bytes, bytes);
}

void digest_bytes(struct digester *d, const void *bytes, size_t count)
{
    digest_number(d, count);
    if (count)
        sha256_update(&d->state, count, bytes);
}

void digest_text(struct digester *d, const char *text)
{
    digest_bytes(d, text, strlen(text));
}

void digest_digest(struct digester *d, const struct digest *part)
{
    sha256_update(&d->state, sizeof part->byte, part->byte);
}

struct digest digest_end(struct digester *d)
{
    struct digest out;
    sha256_digest(&d->state, sizeof out.byte, out.byte);
    return out;
}

bool digest_equal(const struct digest *a, const struct digest *b)
{
    return !memcmp(a->byte, b->byte, sizeof a->byte);
}

void digest_print(const struct digest *d, char hex[DIGEST_HEX])
{
    for (unsigned i = 0; i < DIGEST_BYTES; i++)
        (void)snprintf(hex + (size_t)2 * i, 3, "%02x", d->byte[i]);
}
