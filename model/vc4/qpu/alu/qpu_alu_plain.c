/* SPDX-License-Identifier: MIT */
/* The QPU's operations in the instructions that every host of this architecture has. */
#define ALU_KERNELS alu_kernels_plain
#include "model/vc4/qpu/alu/qpu_alu_kernels.h"
