/* SPDX-License-Identifier: MIT */
/*
 * Content digests: SHA-256 (FIPS 180-4, by Nettle) over a list of parts. The length of each part comes before
 * the part, so different lists never give the same bytes. Numbers are eight bytes, little-endian.
 * docs/evidence.md says which contents have a digest.
 *
 * File checksums and the ids of findings use XXH64 instead, which detects damage, but not deliberate changes.
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

/* Starts a digest. `what` is its first part, so that different kinds of content never have equal digests. */
void digest_begin(struct digester *d, const char *what);
void digest_number(struct digester *d, uint64_t number);
void digest_bytes(struct digester *d, const void *bytes, size_t count); /* the length, then the bytes */
void digest_text(struct digester *d, const char *text); /* the number of characters, then the characters */
void digest_digest(struct digester *d, const struct digest *part); /* the bytes without a length */
struct digest digest_end(struct digester *d);

bool digest_equal(const struct digest *a, const struct digest *b);
void digest_print(const struct digest *d, char hex[DIGEST_HEX]);

#endif
