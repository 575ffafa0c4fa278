/* SPDX-License-Identifier: MIT */
/* The form of a step that computes values and finds which of their bits are defined. Rules may change the
 * values. */
#define QPU_CHECKED  1
#define QPU_OBSERVED 1
#define QPU_STEP     qpu_step_checked
#include "model/vc4/qpu/step/qpu_step.inc.h"
