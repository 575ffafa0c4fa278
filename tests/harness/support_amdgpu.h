/* SPDX-License-Identifier: MIT */
/* Helpers for the tests of drm:amdgpu's programs and of its verifier. */
#ifndef MISPRINT_TESTS_HARNESS_SUPPORT_AMDGPU_H
#define MISPRINT_TESTS_HARNESS_SUPPORT_AMDGPU_H

#include "harness/amdgpu/amdgpu_wrapper.h"

/* Makes the rows that a case does not list. `o`, an outcome of the case's unit, owns these rows. */
struct amdgpu_clean amdgpu_support_clean(const struct test_case *tc, struct outcome *o);

#endif
