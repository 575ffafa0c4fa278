/* SPDX-License-Identifier: MIT */
/* Execution that shows values to an observer and applies rules. */
#define RUN swizzle_run_observed
#include "model/svp64/swizzle_run.inc.h"
