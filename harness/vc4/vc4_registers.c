/* SPDX-License-Identifier: MIT */
#include "harness/vc4/vc4_registers.h"

#include "harness/launch/clock.h"

#include <stdio.h>

enum {
    L2_CLEAR = 4,
    SLICES_CLEAR = -1,
    QUEUE_ERROR = 1 << 7,
    QUEUE_CLEAR = 1 << 7 | 1 << 8 | 1 << 16, /* the error, and both counts */
    COMPLETED_LOW = 16,
    COMPLETED_MASK = 0xFF,
    VPM_FOR_USERS = 16, /* 4 KB, all that user programs can reach (p94: units of 256 bytes) */
};

static void put(volatile uint32_t *v3d, enum vc4_register r, uint32_t value)
{
    v3d[(unsigned)r / 4] = value;
}

/* Waits until this processor's accesses have reached memory and devices. Barriers between threads do not
 * include devices. */
static void barrier(void)
{
#if defined __aarch64__ || __ARM_ARCH >= 7
    __asm__ volatile("dsb sy" ::: "memory");
#elif defined __arm__
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 4" ::"r"(0) : "memory"); /* ARMv6's */
#else
    __sync_synchronize();
#endif
}

/* Reads the time before the queue, because this process may be stopped for longer than the programs need. */
static bool launch_some(volatile uint32_t *v3d, const volatile uint32_t *pairs, unsigned count,
                        unsigned limit_ms)
{
    int64_t deadline = clock_ms() + limit_ms;
    put(v3d, VC4_REGISTER_SRQCS, QUEUE_CLEAR);
    for (unsigned i = 0; i < count; i++) {
        put(v3d, VC4_REGISTER_SRQUA, pairs[2 * i]);
        put(v3d, VC4_REGISTER_SRQPC, pairs[2 * i + 1]); /* queues it */
    }
    for (;;) {
        bool late = clock_ms() > deadline;
        uint32_t state = vc4_registers_get(v3d, VC4_REGISTER_SRQCS);
        if (state & QUEUE_ERROR)
            return false;
        if ((state >> COMPLETED_LOW & COMPLETED_MASK) == count)
            return true;
        if (late)
            return false;
    }
}

bool vc4_registers_launch(volatile uint32_t *v3d, const volatile uint32_t *pairs, unsigned count,
                          unsigned limit_ms)
{
    barrier();                       /* accesses to memory and to a device are not ordered otherwise */
    put(v3d, VC4_REGISTER_DBCFG, 0); /* no interrupts: the kernel does not expect them */
    put(v3d, VC4_REGISTER_DBQITE, 0);
    put(v3d, VC4_REGISTER_DBQITC, UINT32_MAX);
    put(v3d, VC4_REGISTER_VPMBASE, VPM_FOR_USERS);
    put(v3d, VC4_REGISTER_L2CACTL, L2_CLEAR); /* code and uniforms are new */
    put(v3d, VC4_REGISTER_SLCACTL, (uint32_t)SLICES_CLEAR);
    bool good = true;
    for (unsigned i = 0; good && i < count; i += VC4_REGISTERS_QUEUE)
        good = launch_some(v3d, pairs + 2 * i, vc4_registers_some(count - i), limit_ms);
    barrier(); /* the output is read after the programs have ended */
    return good;
}

/* Bits of ERRSTAT (p100 T87), except VCD_IDLE, which is no error. */
static const char *const error_names[] = {
    [0] = "the VPM's base was set while it was busy",
    [1] = "a request for the VPM was too big",
    [2] = "the binner's request was above its limit",
    [3] = "the renderer's request was above its limit",
    [4] = "a write of the VPM was out of range",
    [5] = "a read of the VPM was out of range",
    [6] = "a read of the VPM where nothing is allocated",
    [7] = "a write of the VPM where nothing is allocated",
    [8] = "VPM was freed that was not allocated",
    [9] = "VPM of the wrong size was allocated",
    [10] = "the DMA store's address overflowed",
    [11] = "the VCD's FIFO pointers are out of step",
    [13] = "error in the renderer's VCM",
    [14] = "error in the binner's VCM",
    [15] = "the L2 cache's input overflowed",
};
enum { ERRORS = sizeof error_names / sizeof *error_names, VCD_IDLE = 1 << 12 };

uint32_t vc4_registers_errors(const volatile uint32_t *v3d)
{
    return vc4_registers_get(v3d, VC4_REGISTER_ERRSTAT) & ((1U << ERRORS) - 1) & ~(uint32_t)VCD_IDLE;
}

void vc4_registers_name_errors(uint32_t errors, char *text, size_t room)
{
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < ERRORS && used < room; i++)
        if (errors >> i & 1 && error_names[i])
            used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", error_names[i]);
}
