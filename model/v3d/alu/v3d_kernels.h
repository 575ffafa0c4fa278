/* SPDX-License-Identifier: MIT */
/* Declares the kernels, for the table in v3d_alu.c and the files that define them. */
#ifndef MISPRINT_MODEL_V3D_ALU_V3D_KERNELS_H
#define MISPRINT_MODEL_V3D_ALU_V3D_KERNELS_H

#include "model/v3d/alu/v3d_alu.h"
#include "model/v3d/alu/v3d_kernel_rows.h"

#define V3D_DECLARE_PLAIN(ID)   extern v3d_kernel v3d_do_##ID;
#define V3D_DECLARE_ACROSS(ID)  extern v3d_kernel v3d_do_##ID;
#define V3D_DECLARE_SFU(ID)     extern v3d_kernel v3d_do_##ID;
#define V3D_DECLARE_UNKNOWN(ID) extern v3d_kernel v3d_do_##ID;
#define V3D_DECLARE_UNSUPPORTED(ID)
#define V3D_DECLARE(ID, FLAGS, KIND) V3D_DECLARE_##KIND(ID)
V3D_KERNEL_ROWS(V3D_DECLARE)

#endif
