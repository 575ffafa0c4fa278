/* SPDX-License-Identifier: MIT */
#include "oracle/files/trace_format.h"

const uint8_t trace_magic[8] = {0x89, 'M', 'P', 'T', 0x0D, 0x0A, 0x1A, 0x0A};

struct digest trace_chain_start(const char *json, size_t length)
{
    struct digester d;
    digest_begin(&d, "misprint trace");
    digest_bytes(&d, json, length);
    return digest_end(&d);
}

struct digest trace_chain_block(const struct digest *before, uint32_t records, const uint8_t *raw,
                                size_t size)
{
    struct digester d;
    digest_begin(&d, "misprint trace block");
    digest_digest(&d, before);
    digest_number(&d, records);
    digest_bytes(&d, raw, size);
    return digest_end(&d);
}

struct digest trace_chain_end(const struct digest *before, uint64_t records)
{
    struct digester d;
    digest_begin(&d, "misprint trace end");
    digest_digest(&d, before);
    digest_number(&d, records);
    return digest_end(&d);
}
