/* SPDX-License-Identifier: MIT */
/* The form of a step that computes values only, and that lets rules change them. */
#define QPU_CHECKED  0
#define QPU_OBSERVED 1
#define QPU_STEP     qpu_step_ruled
#include "model/vc4/qpu/step/qpu_step.inc.h"
