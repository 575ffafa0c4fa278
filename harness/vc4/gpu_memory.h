/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes GPU memory on a Raspberry Pi in aligned pairs of words, because the CPU allows no other
 * accesses. All accesses of board mailbox go through these functions, except that vc4_registers.c reads the
 * table of programs word by word.
 *
 * The memory that gpu_mem takes away from the ARM is not managed by the kernel, so /dev/mem maps it as device
 * memory: on 64-bit ARM MT_DEVICE_nGnRnE (phys_mem_access_prot in arch/arm64/mm/mmu.c: pgprot_noncached), on
 * 32-bit ARM strongly ordered. In device memory an unaligned access ends the process (SIGBUS), and so does
 * the instruction that zeroes a cache line. The C library's memset and memcpy use both, and compilers turn
 * plain loops into calls of them or into vector accesses. So all pointers here are to volatile words: the
 * compiler keeps volatile accesses as they are (tests/harness/test_gpu_memory.sh checks it), and memset and
 * memcpy do not accept such pointers.
 */
#ifndef MISPRINT_HARNESS_VC4_GPU_MEMORY_H
#define MISPRINT_HARNESS_VC4_GPU_MEMORY_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias)) gpu_pair;

static inline void gpu_check(const volatile uint32_t *at, size_t words)
{
    assert((uintptr_t)at % sizeof(gpu_pair) == 0 && words % 2 == 0);
    (void)at;
    (void)words;
}

/* `words` must be even, and the address in GPU memory a multiple of 8. The other address has no alignment. */
static inline void gpu_write(volatile uint32_t *to, const uint32_t *from, size_t words)
{
    volatile gpu_pair *pairs = (volatile gpu_pair *)(volatile void *)to;
    gpu_check(to, words);
    for (size_t i = 0; i < words / 2; i++) {
        uint64_t pair;
        memcpy(&pair, from + 2 * i, sizeof pair);
        pairs[i] = pair;
    }
}

static inline void gpu_fill(volatile uint32_t *to, uint32_t word, size_t words)
{
    volatile gpu_pair *pairs = (volatile gpu_pair *)(volatile void *)to;
    gpu_check(to, words);
    for (size_t i = 0; i < words / 2; i++)
        pairs[i] = (uint64_t)word << 32 | word;
}

static inline uint64_t gpu_read_pair(const volatile uint32_t *from)
{
    return *(const volatile gpu_pair *)(const volatile void *)from;
}

static inline void gpu_read(uint32_t *to, const volatile uint32_t *from, size_t words)
{
    gpu_check(from, words);
    for (size_t i = 0; i < words; i += 2) {
        uint64_t pair = gpu_read_pair(from + i);
        memcpy(to + i, &pair, sizeof pair);
    }
}

#endif
