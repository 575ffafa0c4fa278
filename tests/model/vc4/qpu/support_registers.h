/* SPDX-License-Identifier: MIT */
/*
 * Device registers for a stand-in of a device. The program under test uses plain pointers, and two functions
 * see each read and write.
 *
 * The page has no access rights, so each access faults. The handler puts the register's value into the page,
 * makes the page accessible, lets the processor execute the one instruction (trap flag), and takes the value
 * that the instruction wrote. Owns one page and the signals SIGSEGV and SIGTRAP of its process. Works on
 * x86-64 only: elsewhere registers_map returns NULL.
 */
#ifndef MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_REGISTERS_H
#define MISPRINT_TESTS_MODEL_VC4_QPU_SUPPORT_REGISTERS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

/* `offset`: byte offset in the page. */
struct registers {
    uint32_t (*read)(uint32_t offset);
    void (*write)(uint32_t offset, uint32_t value);
};

#if defined(__x86_64__)

enum { REGISTERS_TRAP_FLAG = 0x100, REGISTERS_FAULT_WRITES = 2 };

static struct {
    struct registers device;
    uint8_t *page;
    size_t size;
    uint32_t offset;
    int writes;
} registers;

static uint32_t *registers_word(void)
{
    return (uint32_t *)(void *)(registers.page + registers.offset);
}

static void registers_fault(int number, siginfo_t *info, void *context)
{
    greg_t *machine = ((ucontext_t *)context)->uc_mcontext.gregs;
    uintptr_t offset = (uintptr_t)info->si_addr - (uintptr_t)registers.page;
    if (offset >= registers.size) { /* not ours: the next fault ends the process */
        (void)signal(number, SIG_DFL);
        return;
    }
    registers.offset = (uint32_t)offset & ~3U;
    registers.writes = (machine[REG_ERR] & REGISTERS_FAULT_WRITES) != 0;
    (void)mprotect(registers.page, registers.size, PROT_READ | PROT_WRITE);
    if (!registers.writes)
        *registers_word() = registers.device.read(registers.offset);
    machine[REG_EFL] |= REGISTERS_TRAP_FLAG;
}

static void registers_passed(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)REGISTERS_TRAP_FLAG;
    uint32_t value = *registers_word();
    (void)mprotect(registers.page, registers.size, PROT_NONE);
    if (registers.writes)
        registers.device.write(registers.offset, value);
}

static void *registers_map(const struct registers *device, size_t size)
{
    struct sigaction fault = {.sa_sigaction = registers_fault, .sa_flags = SA_SIGINFO | SA_NODEFER},
                     passed = {.sa_sigaction = registers_passed, .sa_flags = SA_SIGINFO | SA_NODEFER};
    void *page = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || sigaction(SIGSEGV, &fault, NULL) || sigaction(SIGTRAP, &passed, NULL))
        return NULL;
    registers.device = *device;
    registers.page = page;
    registers.size = size;
    return page;
}

#else

static void *registers_map(const struct registers *device, size_t size)
{
    (void)device;
    (void)size;
    return NULL;
}

#endif

#endif
