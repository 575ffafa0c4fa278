/* SPDX-License-Identifier: MIT */
/*
 * The layout of a trace; all numbers are little-endian. A file has one or more parts, each of another unit.
 * So `cat` joins traces of different units to one file. A part is:
 *
 *     8 bytes   magic: 89 'M' 'P' 'T' 0D 0A 1A 0A
 *     u32       version of this layout: 2
 *     u32       length of the header
 *     bytes     the header, JSON
 *     u64       XXH64 of all bytes before this one
 *   then blocks, each:
 *     u32       length of the compressed bytes
 *     u32       length of the uncompressed bytes
 *     u32       number of records in it, at least 1
 *     u64       XXH64 of the uncompressed bytes
 *     32 bytes  the chain's value after this block
 *     bytes     one zstd frame
 *   then the end:
 *     u32 x 3   0
 *     u64       number of records in the part
 *     32 bytes  the chain's last value, its head
 *     u64       XXH64 of all bytes of the part before this number
 *
 * Version 1 has no chain and lacks its 32 bytes; it is read, not written. oracle/files/trace_columns.h
 * describes a block's uncompressed bytes.
 *
 * The chain's values are digests (oracle/files/digest.h) of these parts:
 * - at its start "misprint trace" and the header;
 * - after a block "misprint trace block", the previous value, the number of records, the uncompressed bytes;
 * - at the end "misprint trace end", the previous value, the number of records of the part.
 *
 * Only trace_write.c and trace_read.c include this.
 */
#ifndef MISPRINT_ORACLE_FILES_TRACE_FORMAT_H
#define MISPRINT_ORACLE_FILES_TRACE_FORMAT_H

#include "oracle/files/digest.h"
#include "oracle/files/trace_columns.h"

enum {
    TRACE_VERSION = 2,
    TRACE_VERSION_UNCHAINED = 1,
    TRACE_HEADER_MAX = 65536,      /* bytes of JSON */
    TRACE_BLOCK_FLUSH = 4 << 20,   /* the writer closes a block of at least so many uncompressed bytes */
    TRACE_BLOCK_RAW_MAX = 8 << 20, /* the reader's limit: TRACE_BLOCK_FLUSH and one more record fit */
    TRACE_BLOCK_HEAD = 20,         /* bytes of a block before the chain's value */
};
_Static_assert(TRACE_BLOCK_RAW_MAX >= TRACE_BLOCK_FLUSH + COLUMNS_RECORD_MAX,
               "a block has room for the largest record");

extern const uint8_t trace_magic[8];

struct digest trace_chain_start(const char *json, size_t length);
struct digest trace_chain_block(const struct digest *before, uint32_t records, const uint8_t *raw,
                                size_t size);
struct digest trace_chain_end(const struct digest *before, uint64_t records);

#endif
