/* SPDX-License-Identifier: MIT */
#include "tests/devices/preload.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

int preload_file(const char *content, size_t size)
{
    int fd = memfd_create("fake-file", MFD_CLOEXEC);
    if (fd < 0 || write(fd, content, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
        abort();
    return fd;
}

void preload_lock(int fd)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (flock(open(path, O_RDONLY | O_CLOEXEC), LOCK_EX | LOCK_NB) != 0)
        abort();
}

const char *preload_setting(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value && *value ? value : otherwise;
}

const char *preload_fault(const char *name, const char *kind)
{
    const char *f = preload_setting(name, "");
    size_t length = strlen(kind);
    return strncmp(f, kind, length) == 0 && (f[length] == 0 || f[length] == '=')
               ? f + length + (f[length] == '=')
               : NULL;
}

/* NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): libc's names are reserved */
typedef int open_function(const char *path, int flags, ...);
typedef void *map_function(void *at, size_t length, int protection, int flags, int fd, off64_t offset);

static int open_any(const char *real, const char *path, int flags, mode_t mode)
{
    int fd = fake_open(path);
    if (fd != PRELOAD_NOT_OURS)
        return fd;
    open_function *next;
    *(void **)&next = dlsym(RTLD_NEXT, real);
    return next(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_any("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return open_any("open64", path, flags, mode);
}

static void *map_any(void *at, size_t length, int protection, int flags, int fd, off64_t offset)
{
    map_function *next;
    *(void **)&next = dlsym(RTLD_NEXT, "mmap64");
    return next(at, length, protection, flags, fd, offset);
}

void *preload_map(size_t length, int fd, uint64_t offset)
{
    return map_any(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off64_t)offset);
}

void *mmap64(void *at, size_t length, int protection, int flags, int fd, off64_t offset)
{
    void *result;
    return fd >= 0 && fake_map(fd, length, (uint64_t)offset, &result)
               ? result
               : map_any(at, length, protection, flags, fd, offset);
}

void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset)
{
    return mmap64(at, length, protection, flags, fd, offset);
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int result;
    if (fd >= 0 && fake_ioctl(fd, request, argument, &result))
        return result;
    int (*next)(int fd, unsigned long request, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "ioctl");
    return next(fd, request, argument);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
