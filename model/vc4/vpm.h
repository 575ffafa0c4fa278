/* SPDX-License-Identifier: MIT */
/*
 * The Vertex Pipe Memory as a QPU sees it: generic block writes and reads
 * through the setup registers and their FIFOs (manual p53-58), and the DMA
 * between VPM and memory (VDW, VDR: p56-60).
 *
 * A value and its mask travel together: `defined` is a mask of the word's or
 * vector's defined bits, ignored unless env->checked. Words are SIMD element 0
 * where the manual says so. `now` counts instructions, for the rules that name
 * a number of instructions between two accesses.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_H
#define MISPRINT_MODEL_VC4_VPM_H

#include "model/vc4/vc4.h"

/* The QPU's side of the VPM. The fields are the machine's own; use the functions. */
struct vpm {
    const struct vc4_env *env;
    struct vc4_rows rows; /* VC4_VPM_ROWS rows */
    /* owned by vpm.c; laid out there as the clauses need */
    struct vpm_port {
        uint32_t write_setup, read_setup, dma_store_setup, dma_store_stride, dma_load_setup, dma_load_pitch;
        uint32_t write_address, read_address; /* the running ADDR of the block access in force */
        uint32_t read_left;                   /* vectors still to come of the read setup in force */
        uint64_t read_ready;                  /* the `now` from which its data are valid */
    } port;
};

void vpm_reset(struct vpm *v, const struct vc4_env *env, struct vc4_rows rows);

/* Writes of registers 49 (A: read setup, B: write setup). */
enum vc4_stop vpm_read_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now);
enum vc4_stop vpm_write_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now);

/* Register 48. `lanes` has bit i set for each element whose condition held (0xFFFF: all). */
enum vc4_stop vpm_write(struct vpm *v, const struct vc4_vector *value, const struct vc4_vector *defined, uint32_t lanes, uint64_t now);
enum vc4_stop vpm_read(struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined, uint64_t now);

/* Writes of register 50 (A: load address, B: store address): start a DMA. Addresses are bus addresses. */
enum vc4_stop vpm_dma_load(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now);
enum vc4_stop vpm_dma_store(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now);

/* Reads of registers 49 (busy) and 50 (wait); `unmapped` is what a read of nothing gives (see nop-read-stale). */
enum vpm_status { VPM_LOAD_BUSY, VPM_STORE_BUSY, VPM_LOAD_WAIT, VPM_STORE_WAIT };
enum vc4_stop vpm_read_status(struct vpm *v, enum vpm_status which, const struct vc4_vector *unmapped, struct vc4_vector *value, struct vc4_vector *defined, uint64_t now);

#endif
