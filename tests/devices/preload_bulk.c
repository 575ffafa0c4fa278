/* SPDX-License-Identifier: MIT */
#include "tests/devices/preload_bulk.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* libc's functions. NULL while the first libraries start; at that time there is no device memory yet. */
static struct {
    void *(*copy)(void *to, const void *from, size_t count);
    void *(*move)(void *to, const void *from, size_t count);
    void *(*set)(void *to, int byte, size_t count);
    int (*compare)(const void *one, const void *other, size_t count);
    int (*unmap)(void *at, size_t length);
} libc;

static uintptr_t kept_from, kept_bytes;

__attribute__((constructor)) static void find_libc(void)
{
    void *copy = dlsym(RTLD_NEXT, "memcpy"), *move = dlsym(RTLD_NEXT, "memmove"),
         *set = dlsym(RTLD_NEXT, "memset");
    *(void **)&libc.compare = dlsym(RTLD_NEXT, "memcmp");
    *(void **)&libc.unmap = dlsym(RTLD_NEXT, "munmap");
    *(void **)&libc.set = set;
    *(void **)&libc.move = move;
    *(void **)&libc.copy = copy;
}

void preload_bulk_keep_off(const void *at, size_t length)
{
    kept_from = (uintptr_t)at;
    kept_bytes = length;
}

static inline void check(const void *at, size_t count, const char *message)
{
    if ((uintptr_t)at - kept_from >= kept_bytes || !count)
        return;
    (void)!write(STDERR_FILENO, message, strlen(message));
    abort();
}

/* Copies byte by byte. The pointers are volatile, so that no compiler replaces the loop by a call of
 * memmove. */
static void move_bytes(void *to, const void *from, size_t count)
{
    volatile uint8_t *t = to;
    const volatile uint8_t *f = from;
    if ((uintptr_t)to <= (uintptr_t)from)
        for (size_t i = 0; i < count; i++)
            t[i] = f[i];
    else
        for (size_t i = count; i--;)
            t[i] = f[i];
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's names are reserved */
void *memcpy(void *restrict to, const void *restrict from, size_t count)
{
    check(to, count, "fake_vcio: memcpy into GPU memory\n");
    check(from, count, "fake_vcio: memcpy out of GPU memory\n");
    if (libc.copy)
        return libc.copy(to, from, count);
    move_bytes(to, from, count);
    return to;
}

void *memmove(void *to, const void *from, size_t count)
{
    check(to, count, "fake_vcio: memmove into GPU memory\n");
    check(from, count, "fake_vcio: memmove out of GPU memory\n");
    if (libc.move)
        return libc.move(to, from, count);
    move_bytes(to, from, count);
    return to;
}

void *memset(void *to, int byte, size_t count)
{
    check(to, count, "fake_vcio: memset of GPU memory\n");
    if (libc.set)
        return libc.set(to, byte, count);
    for (volatile uint8_t *t = to; count--; t++)
        *t = (uint8_t)byte;
    return to;
}

int memcmp(const void *one, const void *other, size_t count)
{
    check(one, count, "fake_vcio: memcmp of GPU memory\n");
    check(other, count, "fake_vcio: memcmp of GPU memory\n");
    if (libc.compare)
        return libc.compare(one, other, count);
    const volatile uint8_t *a = one, *b = other;
    for (; count--; a++, b++)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

int bcmp(const void *one, const void *other, size_t count)
{
    return memcmp(one, other, count);
}

/* The addresses of memory that is mapped no longer may become any other memory. */
int munmap(void *at, size_t length)
{
    if ((uintptr_t)at == kept_from)
        kept_bytes = 0;
    return libc.unmap ? libc.unmap(at, length) : (int)syscall(SYS_munmap, at, length);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
