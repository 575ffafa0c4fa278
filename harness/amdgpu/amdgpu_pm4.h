/* SPDX-License-Identifier: MIT */
/*
 * Writes indirect buffers of PM4 packets that launch compute programs on each generation: registers,
 * launches, and cache maintenance. Owns the packets' form and the registers' names, which the tests' fake
 * device also uses.
 *
 * Sources: the register and packet headers of the amdgpu kernel driver (soc15d.h, vid.h, nvd.h,
 * gc_*_sh_mask.h), libdrm's amdgpu tests (shader_test_util.c), Mesa's sid.h and radeonsi's launches.
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_PM4_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_PM4_H

#include "model/amd/encoding/amd_generation.h"

#include <stdbool.h>
#include <stdint.h>

/* Opcodes of type-3 packets. */
enum {
    PM4_NOP = 0x10,
    PM4_DISPATCH_DIRECT = 0x15,
    PM4_EVENT_WRITE = 0x46,
    PM4_ACQUIRE_MEM = 0x58,
    PM4_SET_SH_REG = 0x76,
    PM4_SET_SH_REG_INDEX = 0x9B,
};
#define PM4_FILLER UINT32_C(0xFFFF1000) /* a NOP of one word */

/* Compute registers, in dwords from the first that SET_SH_REG reaches (0x2C00). */
enum {
    PM4_COMPUTE_START_X = 0x204, /* START_X, Y, Z, then NUM_THREAD_X, Y, Z */
    PM4_COMPUTE_NUM_THREAD_X = 0x207,
    PM4_COMPUTE_PGM_LO = 0x20C,
    PM4_COMPUTE_PGM_HI = 0x20D,
    PM4_COMPUTE_PGM_RSRC1 = 0x212,
    PM4_COMPUTE_PGM_RSRC2 = 0x213,
    PM4_COMPUTE_RESOURCE_LIMITS = 0x215,
    PM4_COMPUTE_STATIC_THREAD_MGMT_SE0 = 0x216, /* and SE1 */
    PM4_COMPUTE_TMPRING_SIZE = 0x218,
    PM4_COMPUTE_STATIC_THREAD_MGMT_SE2 = 0x219, /* and SE3 */
    PM4_COMPUTE_REQ_CTRL = 0x222,
    PM4_COMPUTE_USER_ACCUM_0 = 0x224, /* to 3 */
    PM4_COMPUTE_PGM_RSRC3 = 0x228,
    PM4_COMPUTE_SHADER_CHKSUM = 0x22A,
    PM4_COMPUTE_STATIC_THREAD_MGMT_SE4 = 0x22B, /* to SE7; GFX11 */
    PM4_COMPUTE_USER_DATA_0 = 0x240,            /* to 15 */
    PM4_SH_REGS = 0x400,
};
enum { PM4_USER_SGPRS_MAX = 16 };

enum { PM4_INITIATOR_COMPUTE = 1, PM4_INITIATOR_START_AT_000 = 4, PM4_INITIATOR_WAVE32 = 1 << 15 };
enum {
    PM4_RSRC2_USER_SGPRS_SHIFT = 1,
    PM4_RSRC2_LDS_SHIFT = 15,
    PM4_LDS_UNIT = 512 /* bytes */
};

struct pm4 {
    enum amd_generation generation;
    uint32_t *word;
    unsigned count; /* words so far */
};

enum {
    PM4_BEGIN_WORDS = 56,
    PM4_LAUNCH_WORDS = 40,
    PM4_END_WORDS = 24
}; /* the most that each function writes */

/* Invalidates the caches, which may hold data that the host changed; sets the registers that all launches
 * share. */
void pm4_begin(struct pm4 *p);

/* A launch of one wave. `code` is the program's address, a multiple of 256. `user_data` goes to s0 and s1;
 * the launch may set other SGPRs to 0. The wave gets `lanes`, `vgprs` and `lds_bytes`. */
struct pm4_launch {
    uint64_t code, user_data;
    unsigned lanes, vgprs, lds_bytes;
};
void pm4_launch(struct pm4 *p, const struct pm4_launch *l);

/* Waits for all launches, writes the caches back, and fills the buffer up to the ring's multiple of words. */
void pm4_end(struct pm4 *p);

#endif
