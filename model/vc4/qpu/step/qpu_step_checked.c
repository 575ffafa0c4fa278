/* SPDX-License-Identifier: MIT */
/* The form of a step that computes values, and the bits of them that are defined. */
#define QPU_CHECKED  1
#define QPU_OBSERVED 1
#define QPU_STEP     qpu_step_checked
#include "model/vc4/qpu/step/qpu_step.inc.h"
