/* SPDX-License-Identifier: MIT */
/*
 * Launches user programs through VideoCore IV's registers, without the firmware (VideoCoreIV-AG100-R p82-104,
 * where they are called the V3D's). Owns the registers' offsets and the order of accesses, which is that of
 * gpu_fft. Does not map the registers (vcio.h does).
 */
#ifndef MISPRINT_HARNESS_VC4_VC4_REGISTERS_H
#define MISPRINT_HARNESS_VC4_VC4_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VC4_REGISTERS_BYTES = 0x1000, VC4_REGISTER_IDENT0_VALUE = 0x02443356 };

/*
 * The most programs in one launch, by registers or by firmware: boards are known to accept 12. The queue of
 * SRQPC has 16 entries. The firmware's job has one entry for each QPU: `uint32_t control[12][2]`
 * (raspberrypi/userland interface/vmcs_host/vc_vchi_gpuserv.h). py-videocore once launched up to 1024, and
 * now launches up to 12.
 */
enum { VC4_REGISTERS_QUEUE = 12 };

static inline unsigned vc4_registers_some(unsigned programs)
{
    return programs < VC4_REGISTERS_QUEUE ? programs : VC4_REGISTERS_QUEUE;
}

/* Byte offsets of registers. */
enum vc4_register {
    VC4_REGISTER_IDENT0 = 0x000,
    VC4_REGISTER_IDENT1 = 0x004,
    VC4_REGISTER_L2CACTL = 0x020,
    VC4_REGISTER_SLCACTL = 0x024,
    VC4_REGISTER_SRQPC = 0x430,
    VC4_REGISTER_SRQUA = 0x434,
    VC4_REGISTER_SRQCS = 0x43C,
    VC4_REGISTER_VPMBASE = 0x504,
    VC4_REGISTER_DBCFG = 0xE00,
    VC4_REGISTER_DBQITE = 0xE2C,
    VC4_REGISTER_DBQITC = 0xE30,
    VC4_REGISTER_ERRSTAT = 0xF20,
};

static inline uint32_t vc4_registers_get(const volatile uint32_t *v3d, enum vc4_register r)
{
    return v3d[(unsigned)r / 4];
}

/*
 * Runs `count` programs, VC4_REGISTERS_QUEUE at once. `pairs` is in GPU memory and holds for each program the
 * addresses of its uniforms and code. False: a group of programs did not end within `limit_ms`, or the queue
 * reported an error.
 */
bool vc4_registers_launch(volatile uint32_t *v3d, const volatile uint32_t *pairs, unsigned count,
                          unsigned limit_ms);

/* Returns the error bits of ERRSTAT. They are read-only. According to the guide, only power-off clears them.
 */
uint32_t vc4_registers_errors(const volatile uint32_t *v3d);
/* Writes the names of the errors to `text`, from the lowest bit on, as many as fit. */
void vc4_registers_name_errors(uint32_t errors, char *text, size_t room);

#endif
