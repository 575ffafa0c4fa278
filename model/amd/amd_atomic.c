/* SPDX-License-Identifier: MIT */
/* The values that atomics store, without observation points. */
#define AMD_OBSERVER(w) ((void)(w), (const struct observer *)NULL)
#define ATOMIC_RESULT   amd_atomic_result
#include "model/amd/amd_atomic.inc.h"
