/* SPDX-License-Identifier: MIT */
/*
 * The transfers of the VPM's DMA: store (VDW, VPM to memory) and load (VDR,
 * memory to VPM), p56-60. The setup words are those in v->port; the address is
 * a bus address. VC4_FAULT_MEMORY if any byte lies outside the case's memory;
 * then nothing more can be said of the transfer.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VCD_H
#define MISPRINT_MODEL_VC4_VPM_VCD_H

#include "model/vc4/vpm/vpm.h"

enum vc4_stop vcd_store(struct vpm *v, uint32_t address);
enum vc4_stop vcd_load(struct vpm *v, uint32_t address);

#endif
