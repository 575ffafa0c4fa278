/* SPDX-License-Identifier: MIT */
/*
 * The V3D's registers as user programs are launched through them, without the
 * firmware (VideoCoreIV-AG100-R p82-104). Owns their offsets and the order in
 * which they are touched, which is gpu_fft's.
 */
#ifndef MISPRINT_HARNESS_V3D_H
#define MISPRINT_HARNESS_V3D_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { V3D_BYTES = 0x1000, V3D_IDENT0_VALUE = 0x02443356 };

/*
 * Most programs that are launched at once, by whatever way: what a board is known to take. The queue behind SRQPC is 16 deep; the firmware's own
 * job has room for as many as there are QPUs, `uint32_t control[12][2]` (raspberrypi/userland interface/vmcs_host/vc_vchi_gpuserv.h), and
 * py-videocore, which once asked it for 1024, asks for 12.
 */
enum { V3D_QUEUE = 12 };

static inline unsigned v3d_some(unsigned programs)
{
    return programs < V3D_QUEUE ? programs : V3D_QUEUE;
}

/* Registers by byte offset; words of the mapping are this / 4. */
enum v3d_register {
    V3D_IDENT0 = 0x000,
    V3D_IDENT1 = 0x004,
    V3D_IDENT2 = 0x008,
    V3D_L2CACTL = 0x020,
    V3D_SLCACTL = 0x024,
    V3D_SRQPC = 0x430,
    V3D_SRQUA = 0x434,
    V3D_SRQCS = 0x43C,
    V3D_VPMBASE = 0x504,
    V3D_DBCFG = 0xE00,
    V3D_DBQITE = 0xE2C,
    V3D_DBQITC = 0xE30,
    V3D_ERRSTAT = 0xF20,
};

static inline uint32_t v3d_get(const volatile uint32_t *v3d, enum v3d_register r)
{
    return v3d[(unsigned)r / 4];
}

/*
 * Runs `count` programs, V3D_QUEUE at once; `pairs`, in GPU memory, are their
 * uniforms and code addresses. False: those that ran at once did not all end
 * within `limit_ms`, or the queue reported an error.
 */
bool v3d_launch(volatile uint32_t *v3d, const volatile uint32_t *pairs, unsigned count, unsigned limit_ms);

/* Errors that ERRSTAT shows, as its bits. They can only be read; what clears them but switching the V3D off is not said. */
uint32_t v3d_errors(const volatile uint32_t *v3d);
/* In words, from the lowest bit on; as many as there is room for. */
void v3d_name_errors(uint32_t errors, char *text, size_t room);

#endif
