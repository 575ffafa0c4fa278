/* SPDX-License-Identifier: MIT */
/* What tests of drm:amdgpu's programs and of its verifier share. */
#ifndef MISPRINT_TESTS_HARNESS_SUPPORT_AMDGPU_H
#define MISPRINT_TESTS_HARNESS_SUPPORT_AMDGPU_H

#include "harness/amdgpu/amdgpu_wrapper.h"

/* The rows that a case does not give itself. `o` is an outcome of the case's unit and owns them. */
struct amdgpu_clean amdgpu_support_clean(const struct test_case *tc, struct outcome *o);

#endif
