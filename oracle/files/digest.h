/* SPDX-License-Identifier: MIT */
/*
 * Content digests: SHA-256 (FIPS 180-4, by Nettle) over parts that carry their
 * own length, so that no two lists of parts have the same bytes. All numbers are
 * eight bytes, little-endian; docs/evidence.md says what is digested where.
 *
 * The checksums of files and the ids of findings are another thing: XXH64 finds
 * what broke, not what somebody changed.
 */
#ifndef MISPRINT_ORACLE_FILES_DIGEST_H
#define MISPRINT_ORACLE_FILES_DIGEST_H

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DIGEST_BYTES = SHA256_DIGEST_SIZE, DIGEST_HEX = 2 * DIGEST_BYTES + 1 };

struct digest {
    uint8_t byte[DIGEST_BYTES];
};

struct digester {
    struct sha256_ctx state;
};

/* `what` keeps digests of unlike things apart: it is their first part. */
void digest_begin(struct digester *d, const char *what);
void digest_number(struct digester *d, uint64_t number);
void digest_bytes(struct digester *d, const void *bytes, size_t count); /* the length, then the bytes */
void digest_text(struct digester *d, const char *text);                 /* the same of its characters */
void digest_digest(struct digester *d, const struct digest *part);      /* the bytes alone */
struct digest digest_end(struct digester *d);

bool digest_equal(const struct digest *a, const struct digest *b);
void digest_print(const struct digest *d, char hex[DIGEST_HEX]);

#endif
