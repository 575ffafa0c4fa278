/* SPDX-License-Identifier: MIT */
/*
 * Opens a GPU's render node, /dev/dri/renderD*, through libdrm: finds the node of a kernel driver, locks it
 * for this process, and passes ioctls to the kernel. The ioctls of one driver belong to the callers
 * (drm_vc4.h, amdgpu_device.h). Compiled only with libdrm (HAVE_LIBDRM).
 */
#ifndef MISPRINT_HARNESS_LAUNCH_DRM_H
#define MISPRINT_HARNESS_LAUNCH_DRM_H

#include "model/core/error.h"

#include <stddef.h>
#include <stdint.h>

struct drm_node {
    int fd;         /* -1: not open */
    char path[128]; /* "/dev/dri/renderD128" */
    char driver[32];
    int version[3]; /* version of the kernel driver */
};

/*
 * Opens the node at `path`, or with "" the first node whose driver is `driver`. Locks the node, because two
 * processes that launch on one GPU disturb each other. False with an error: no node, no permission, another
 * driver, or in use. `advice` ends the message if no node has this driver.
 */
bool drm_open(struct drm_node *n, const char *driver, const char *path, const char *advice, struct error *e);
void drm_close(struct drm_node *n);

/* Makes one ioctl of the driver, and repeats it while signals interrupt it. Returns 0 or the errno. */
int drm_ask(const struct drm_node *n, unsigned long request, void *argument);

/* Maps the buffer for which the driver returned this offset. NULL with errno. */
void *drm_map(const struct drm_node *n, uint64_t offset, size_t bytes);

#endif
