/* SPDX-License-Identifier: MIT */
#include "harness/vc4/device_tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

ssize_t device_tree_read(const char *name, char *to, size_t room)
{
    char path[160];
    (void)snprintf(path, sizeof path, "/proc/device-tree/%s", name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t count = read(fd, to, room - 1);
    close(fd);
    if (count >= 0)
        to[count] = 0;
    return count;
}
