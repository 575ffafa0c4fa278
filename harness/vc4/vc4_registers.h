/* SPDX-License-Identifier: MIT */
/*
 * VideoCore IV's registers, which its guide calls the V3D's, for launching user
 * programs without the firmware (VideoCoreIV-AG100-R p82-104). Owns their offsets
 * and the order of accesses, which is gpu_fft's.
 */
#ifndef MISPRINT_HARNESS_VC4_VC4_REGISTERS_H
#define MISPRINT_HARNESS_VC4_VC4_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VC4_REGISTERS_BYTES = 0x1000, VC4_REGISTER_IDENT0_VALUE = 0x02443356 };

/*
 * The most programs to launch at once, by registers or by firmware: boards are known to accept 12. The queue
 * of SRQPC is 16 deep; the firmware's own job has room for as many as there are QPUs, `uint32_t
 * control[12][2]` (raspberrypi/userland interface/vmcs_host/vc_vchi_gpuserv.h); py-videocore, which once
 * asked for 1024, asks for 12.
 */
enum { VC4_REGISTERS_QUEUE = 12 };

static inline unsigned vc4_registers_some(unsigned programs)
{
    return programs < VC4_REGISTERS_QUEUE ? programs : VC4_REGISTERS_QUEUE;
}

/* Registers by byte offset. */
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
 * Runs `count` programs, VC4_REGISTERS_QUEUE at once. `pairs`, in GPU memory, are their uniforms and code
 * addresses. False: a group did not end within `limit_ms`, or the queue reported an error.
 */
bool vc4_registers_launch(volatile uint32_t *v3d, const volatile uint32_t *pairs, unsigned count,
                          unsigned limit_ms);

/* The error bits of ERRSTAT. They are read-only; the guide names no way to clear them, except power off. */
uint32_t vc4_registers_errors(const volatile uint32_t *v3d);
/* Names the errors, from the lowest bit on, as many as there is room for. */
void vc4_registers_name_errors(uint32_t errors, char *text, size_t room);

#endif
