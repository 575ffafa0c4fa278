/* SPDX-License-Identifier: MIT */
/* The values that atomics store, with observation points, for runs with an observer. */
#define ATOMIC_RESULT amd_atomic_observed
#include "model/amd/amd_atomic.inc.h"
