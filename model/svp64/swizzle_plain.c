/* SPDX-License-Identifier: MIT */
/* Execution without observation points. */
#define SWIZZLE_OBSERVER(m) ((void)(m), (const struct observer *)NULL)
#define RUN                 swizzle_run_plain
#include "model/svp64/swizzle_run.inc.h"
