/* SPDX-License-Identifier: MIT */
#include "harness/vc4/vc4_registers.h"

#include "harness/system/clock.h"

#include <stdio.h>

enum {
    L2_CLEAR = 4,
    SLICES_CLEAR = -1,
    QUEUE_ERROR = 1 << 7,
    QUEUE_CLEAR = 1 << 7 | 1 << 8 | 1 << 16, /* clears the error and both counts */
    COMPLETED_LOW = 16,
    COMPLETED_MASK = 0xFF,
    VPM_FOR_USERS = 16, /* in units of 256 bytes (p94): 4 KB, all that user programs can reach */
};

static void put(volatile uint32_t *v3d, enum vc4_register r, uint32_t value)
{
    v3d[(unsigned)r / 4] = value;
}

/* Waits until this CPU's accesses have reached memory and devices. C11 fences order accesses between threads
 * only, not accesses to devices. */
static void barrier(void)
{
#if defined __aarch64__ || __ARM_ARCH >= 7
    __asm__ volatile("dsb sy" ::: "memory");
#elif defined __arm__
    __asm__ volatile("mcr p15, 0, %0, c7, c10, 4" ::"r"(0) : "memory"); /* the same barrier on ARMv6 */
#else
    __sync_synchronize();
#endif
}

/* Runs up to VC4_REGISTERS_QUEUE programs. Reads the clock before the queue's state, so that a program that
 * ended while this process was stopped is not taken for late. */
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
    barrier();                       /* orders the writes to memory before the writes to registers */
    put(v3d, VC4_REGISTER_DBCFG, 0); /* no interrupts, because the kernel has no handler */
    put(v3d, VC4_REGISTER_DBQITE, 0);
    put(v3d, VC4_REGISTER_DBQITC, UINT32_MAX);
    put(v3d, VC4_REGISTER_VPMBASE, VPM_FOR_USERS);
    put(v3d, VC4_REGISTER_L2CACTL, L2_CLEAR); /* code and uniforms have changed */
    put(v3d, VC4_REGISTER_SLCACTL, (uint32_t)SLICES_CLEAR);
    bool good = true;
    for (unsigned i = 0; good && i < count; i += VC4_REGISTERS_QUEUE)
        good = launch_some(v3d, pairs + 2 * i, vc4_registers_some(count - i), limit_ms);
    barrier(); /* orders the reads of the output after the reads of the queue's state */
    return good;
}

/* Bits of ERRSTAT (p100 T87), except VCD_IDLE, which is no error. */
static const char *const error_names[] = {
    [0] = "the VPM's base was set while the VPM was busy",
    [1] = "a request for the VPM was too big",
    [2] = "the binner's request was above its limit",
    [3] = "the renderer's request was above its limit",
    [4] = "a write of the VPM was out of range",
    [5] = "a read of the VPM was out of range",
    [6] = "a read of VPM memory that is not allocated",
    [7] = "a write of VPM memory that is not allocated",
    [8] = "VPM memory was freed that was not allocated",
    [9] = "VPM memory of the wrong size was allocated",
    [10] = "the DMA store's address overflowed",
    [11] = "the VCD's FIFO pointers are out of step",
    [13] = "an error in the renderer's VCM",
    [14] = "an error in the binner's VCM",
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
