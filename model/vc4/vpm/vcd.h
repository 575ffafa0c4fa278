/* SPDX-License-Identifier: MIT */
/*
 * The transfers of the VPM's DMA: store (VDW, VPM to memory) and load (VDR,
 * memory to VPM), p56-60. They use the setup words in v->port. The address is a
 * bus address. VC4_FAULT_MEMORY: a byte is outside the case's memory; the
 * transfer stopped there.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VCD_H
#define MISPRINT_MODEL_VC4_VPM_VCD_H

#include "model/vc4/vpm/vpm.h"

enum vc4_stop vcd_store(struct vpm *v, uint32_t address);
enum vc4_stop vcd_load(struct vpm *v, uint32_t address);

#endif
