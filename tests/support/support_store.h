/* SPDX-License-Identifier: MIT */
/* Temporary folders with campaigns, for the tests of the store. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_STORE_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_STORE_H

#include "oracle/store/store.h"

extern const struct unit *store_unit;
extern char store_directory[128]; /* the current campaign */
extern struct error store_error;  /* error of the last call that failed */

/* Set-up and tear-down of a cmocka group. */
int store_tests_begin(void **state);
int store_tests_end(void **state);

void new_directory(void); /* makes the directory of the next campaign */
struct store *must_open(bool create);
void must(bool good); /* fails the test with store_error */

/* Makes a finding about clause n of the unit. Seed n generates its case. Free with finding_free_contents. */
void make_finding(struct finding *f, unsigned n, uint64_t cases);
void assert_same_finding(const struct finding *a, const struct finding *b);

#endif
