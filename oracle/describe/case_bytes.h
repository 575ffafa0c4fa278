/* SPDX-License-Identifier: MIT */
/*
 * Prints the binary form of a case (harness/PROTOCOL.md, "Cases"), field by field with offsets, for people
 * who write a reader of it.
 */
#ifndef MISPRINT_ORACLE_DESCRIBE_CASE_BYTES_H
#define MISPRINT_ORACLE_DESCRIBE_CASE_BYTES_H

#include "model/core/unit.h"

/* Each line has the offset, the bytes, and what they are; bit fields of words follow on lines without bytes.
 */
void case_explain_bytes(const struct test_case *c, struct text *t);

#endif
