/* SPDX-License-Identifier: MIT */
/* The kernels with observation points, for runs with an observer. */
#define BUFFER_KERNELS  buffer_kernels_observed
#define BUFFER_OBSERVED 1
#include "model/amd/buffer_kernels.inc.h"
