/* SPDX-License-Identifier: MIT */
/* The model's V3D machine, hostile: wherever a broken restriction of Mesa may spoil a value, it has a random
 * one. For attacks on proofs. It fails the test if an instruction that breaks a restriction writes more than
 * registers. */
#ifndef MISPRINT_TESTS_HARNESS_VERIFY_SUPPORT_V3D_HOSTILE_H
#define MISPRINT_TESTS_HARNESS_VERIFY_SUPPORT_V3D_HOSTILE_H

#include "model/v3d/unit_v3d.h"

struct hostile;
struct hostile *hostile_new(struct random *r);
void hostile_free(struct hostile *h);
/* Runs a case at the addresses of virtual boards, in its own memory and uniforms. */
enum v3d_stop hostile_run(struct hostile *h, const struct test_case *tc, const struct profile *p);
/* Returns how many instructions that break a restriction ran. */
uint64_t hostile_spoils(const struct hostile *h);

#endif
