/* SPDX-License-Identifier: MIT */
/*
 * The Vertex Pipe Memory as a QPU sees it: generic block writes and reads through the setup registers and
 * their FIFOs (manual p53-58), and the start of DMA between VPM and memory (VDW, VDR: p56-60).
 *
 * Each value comes with `defined`, a mask of its defined bits. The functions use the mask only if
 * env->checked; otherwise it may be NULL. The manual takes setup words and addresses from SIMD element 0
 * (p55-56), so their functions get a single word. `now` counts instructions, for rules about the number of
 * instructions between two accesses. All accesses of one instruction have the same `now`, and its register
 * reads come first.
 *
 * Every function returns VC4_GO, or why the QPU stops. A DMA takes no time: it is complete when the call that
 * starts it returns.
 */
#ifndef MISPRINT_MODEL_VC4_VPM_VPM_H
#define MISPRINT_MODEL_VC4_VPM_VPM_H

#include "model/vc4/vc4.h"
#include "model/vc4/vpm/vpm_address.h"

enum { VPM_FIFO_VECTORS = 4 };

/* A block access, as a setup word describes it. */
struct vpm_block {
    bool set;         /* false: no setup was written yet */
    uint8_t mode;     /* index into vpm_modes */
    bool moved;       /* a vector was accessed; the next is STRIDE after `address` */
    uint32_t address; /* ADDR of the last vector accessed; before any access, of the first. Carries out of
                         ADDR's bits are ignored */
    uint32_t stride;  /* the field STRIDE */
    uint32_t left;    /* reads: remaining vectors */
    uint64_t ready;   /* reads: the `now` from which the data are valid */
};

/* What a setup word sets. */
enum vpm_setup_kind {
    VPM_SETS_WRITE,
    VPM_SETS_READ,
    VPM_SETS_STORE,
    VPM_SETS_STRIDE,
    VPM_SETS_LOAD,
    VPM_SETS_PITCH,
    VPM_SETS_BASE,    /* "VCD base addresses" (p56), for which the manual gives no format */
    VPM_SETS_NOTHING, /* reserved */
};

/* The state of the setup registers. */
struct vpm_port {
    struct vpm_block write, read, queued; /* `queued` (none if its `left` is 0) follows `read` */
    uint32_t fetched;                     /* number of vectors of `read` that are already in the FIFO */
    bool store_set, load_set; /* false: no setup yet. A transfer stops a checked run; a plain run uses 0 */
    uint32_t
        undefined; /* bit (enum vpm_setup_kind): the current setup is undefined (clause vpm-concurrent) */
    uint32_t store_setup, store_stride, load_setup, load_pitch;
};

/* One QPU's side of the VPM. Do not access the fields outside model/vc4/vpm. */
struct vpm {
    const struct vc4_env *env;
    struct vc4_rows rows; /* VC4_VPM_ROWS rows */
    struct vpm_port port;
    bool store_pending, load_pending;     /* a transfer that the program did not yet wait for */
    uint64_t setup_at, write_at, read_at; /* 1 + `now` of the last such access; 0: none */
    struct vpm_port before; /* `port` before the setup at `setup_at`, for clause vpm-concurrent */
    uint32_t setup_kinds;   /* what the setups at `setup_at` set; bits as in port.undefined */
    /* the port.fetched vectors that were fetched before they are read, oldest first */
    struct vc4_vector fifo[VPM_FIFO_VECTORS], fifo_defined[VPM_FIFO_VECTORS];
    struct vpm *peer; /* the next QPU's side of the same VPM, in a ring; NULL: there is one QPU */
};

/* Returns the reading of a clause, and marks the clause as covered. */
static inline unsigned vpm_consult(const struct vpm *v, unsigned clause, unsigned mode)
{
    return consult(v->env->profile, v->env->coverage, clause, mode);
}

void vpm_reset(struct vpm *v, const struct vc4_env *env, struct vc4_rows rows);

/* Writes of registers 49 (A: read setup, B: write setup). */
enum vc4_stop vpm_read_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now);
enum vc4_stop vpm_write_setup(struct vpm *v, uint32_t word, uint32_t defined, uint64_t now);

/* Register 48. `lanes` has bit i set for each element whose condition held (0xFFFF: all). */
enum vc4_stop vpm_write(struct vpm *v, const struct vc4_vector *value, const struct vc4_vector *defined,
                        uint32_t lanes, uint64_t now);
enum vc4_stop vpm_read(struct vpm *v, struct vc4_vector *value, struct vc4_vector *defined, uint64_t now);

/* Writes of register 50 (A: load address, B: store address): start a DMA. Addresses are bus addresses. */
enum vc4_stop vpm_dma_load(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now);
enum vc4_stop vpm_dma_store(struct vpm *v, uint32_t address, uint32_t defined, uint64_t now);

/* Reads of registers 49 (busy) and 50 (wait). `unmapped`: what a read of an address without a register
 * returns (clause nop-read-stale). */
enum vpm_status { VPM_LOAD_BUSY, VPM_STORE_BUSY, VPM_LOAD_WAIT, VPM_STORE_WAIT };
enum vc4_stop vpm_read_status(struct vpm *v, enum vpm_status which, const struct vc4_vector *unmapped,
                              struct vc4_vector *value, struct vc4_vector *defined, uint64_t now);
/* Does to the VPM what a read of this register does, for a caller that ignores the value. */
void vpm_pass_status(struct vpm *v, enum vpm_status which);

/*
 * The transfers of the DMA, in vcd.c. They use the setup words in v->port. `address` is a bus address.
 * `busy`: the program did not wait for the previous transfer. `done`: false if this transfer is lost, unless
 * a rule of the observer makes it happen. They return VC4_FAULT_MEMORY at the first row that has a byte
 * outside the case's memory; the rows before were moved.
 */
enum vc4_stop vcd_store(struct vpm *v, uint32_t address, bool busy, bool done);
enum vc4_stop vcd_load(struct vpm *v, uint32_t address, bool busy, bool done);

#endif
