/* SPDX-License-Identifier: MIT */
/*
 * A GPU's render node, /dev/dri/renderD*, through libdrm: finds the node of a kernel driver, locks it for
 * this process, and passes requests (the kernel's vc4_drm.h, amdgpu_drm.h) to the kernel. Only in builds with
 * libdrm (HAVE_LIBDRM).
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
    int version[3]; /* of the kernel driver */
};

/*
 * Opens the node at `path`, or with "" the first one whose driver is `driver`. Locks it, because two
 * processes that launch on one GPU disturb each other. False with an error: no node, no permission, another
 * driver, in use. `way_out` is the advice for the case that no node has this driver.
 */
bool drm_open(struct drm_node *n, const char *driver, const char *path, const char *way_out, struct error *e);
void drm_close(struct drm_node *n);

/* One ioctl of the driver, repeated while signals interrupt it. 0, or the errno. */
int drm_ask(const struct drm_node *n, unsigned long request, void *argument);

/* Maps a buffer, at the offset that the driver gave for it; NULL with errno. */
void *drm_map(const struct drm_node *n, uint64_t offset, size_t bytes);

#endif
