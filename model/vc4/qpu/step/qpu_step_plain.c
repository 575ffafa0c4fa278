/* SPDX-License-Identifier: MIT */
/* The form of a step that computes values only. */
#define QPU_CHECKED  0
#define QPU_OBSERVED 0
#define QPU_STEP     qpu_step_plain
#include "model/vc4/qpu/step/qpu_step.inc.h"
