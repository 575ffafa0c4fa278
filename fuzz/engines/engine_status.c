/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/engine_status.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct engine_status *engine_status_map(const char *path, bool writable, struct error *e)
{
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    void *at = MAP_FAILED;
    if (file >= 0 && ftruncate(file, sizeof(struct engine_status)) == 0)
        at = mmap(NULL, sizeof(struct engine_status), writable ? PROT_READ | PROT_WRITE : PROT_READ,
                  MAP_SHARED, file, 0);
    int error = errno;
    if (file >= 0)
        (void)close(file);
    if (at != MAP_FAILED)
        return at;
    error_set(e, "%s: cannot map it into memory (%s)", path, strerror(error));
    e->of_machine = true;
    return NULL;
}

void engine_status_unmap(struct engine_status *s)
{
    if (s)
        (void)munmap(s, sizeof *s);
}
