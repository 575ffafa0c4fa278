/* SPDX-License-Identifier: MIT */
/*
 * The GPU of a Raspberry Pi 4 or 5 through the render node of the kernel's driver v3d: which generation it
 * is, one buffer that it and the host see, compute jobs, and resets. Needs access to the node (group render)
 * and no other rights.
 *
 * Only in builds with libdrm (HAVE_LIBDRM). This project has run none of this on a Raspberry Pi.
 */
#ifndef MISPRINT_HARNESS_V3D_V3D_DEVICE_H
#define MISPRINT_HARNESS_V3D_V3D_DEVICE_H

#include "harness/launch/drm.h"
#include "harness/v3d/v3d_launch.h"

enum {
    /* The kernel resets the GPU after a job that makes no progress for 500 ms. So a wait that takes this long
     * shows that the reset does not work: all jobs of a launch together take less, even if each hangs. */
    V3D_WAIT_MS = 60000,
    V3D_HUNG_MS = 400, /* a launch that takes this long had a job that hung */
};

struct v3d_facts {
    unsigned version[3]; /* 4, 2, 14 */
    unsigned slices, qpus;
    bool counts_resets; /* the kernel counts resets of the GPU (Linux 6.17) */
};

struct v3d_device;

/* Opens the node at `path`; "" opens the driver's first. NULL with an error: no node, no permission, a kernel
 * without compute jobs, another generation, no memory. */
struct v3d_device *v3d_device_open(const char *path, struct error *e);
void v3d_device_close(struct v3d_device *d); /* NULL is fine */

const struct v3d_facts *v3d_device_facts(const struct v3d_device *d);
const struct drm_node *v3d_device_node(const struct v3d_device *d);
/* Returns how many resets of the GPU were noticed since it was opened, and how many of them because of other
 * programs. */
unsigned v3d_device_resets(const struct v3d_device *d, unsigned *of_others);

/* Returns the GPU for v3d_launch_new. It is valid as long as the device. */
struct v3d_gpu v3d_device_gpu(struct v3d_device *d);

#endif
