/* SPDX-License-Identifier: MIT */
/* Shared by all tests: the number of random cases to run, paths of external data, failures that print a case,
 * and removal of folders. */
#ifndef MISPRINT_TESTS_SUPPORT_SUPPORT_UNITS_H
#define MISPRINT_TESTS_SUPPORT_SUPPORT_UNITS_H

#include "model/core/unit.h"

/* Returns `full` scaled by MISPRINT_TEST_SCALE (a percentage), at least 1. */
unsigned support_scaled(unsigned full);

/* Returns the path of a file below MISPRINT_TEST_DATA ("vc4-silicon/alu.csv"). The text is valid until the
 * next call. The file may be missing. */
const char *support_data(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails the running cmocka test. Prints a sentence, and the case as text. */
void support_fail_case(const struct test_case *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Removes a folder and its content. */
void support_remove_all(const char *path);

#endif
