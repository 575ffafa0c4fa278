/* SPDX-License-Identifier: MIT */
/*
 * The requests of the Linux kernel's driver v3d that compute jobs need. They are stated here because
 * libdrm-dev does not bring the kernel's header.
 *
 * Source: Linux, include/uapi/drm/v3d_drm.h (MIT). The numbers never change.
 */
#ifndef MISPRINT_HARNESS_V3D_V3D_UAPI_H
#define MISPRINT_HARNESS_V3D_V3D_UAPI_H

#include <stdint.h>
#include <sys/ioctl.h>

struct v3d_uapi_wait_bo {
    uint32_t handle, pad;
    uint64_t timeout_ns;
};

struct v3d_uapi_create_bo {
    uint32_t size, flags;
    uint32_t handle, offset; /* results; `offset`: the address on the GPU */
};

struct v3d_uapi_mmap_bo {
    uint32_t handle, flags;
    uint64_t offset; /* result, for mmap */
};

struct v3d_uapi_get_param {
    uint32_t param, pad;
    uint64_t value;
};

enum { V3D_UAPI_CSD_WORDS = 7 };
struct v3d_uapi_submit_csd {
    uint32_t cfg[V3D_UAPI_CSD_WORDS];
    uint32_t coef[4];
    uint32_t pad_0;
    uint64_t bo_handles;
    uint32_t bo_handle_count;
    uint32_t in_sync, out_sync;
    uint32_t perfmon_id;
    uint64_t extensions;
    uint32_t flags, pad;
};

enum v3d_uapi_param {
    V3D_UAPI_HUB_IDENT1 = 1,
    V3D_UAPI_HUB_IDENT3 = 3,
    V3D_UAPI_CORE_IDENT0 = 4,
    V3D_UAPI_CORE_IDENT1 = 5,
    V3D_UAPI_SUPPORTS_CSD = 8,
    V3D_UAPI_GLOBAL_RESETS = 15, /* how often the kernel has reset the GPU; Linux 6.17 */
    V3D_UAPI_CONTEXT_RESETS = 16 /* how often because of this process */
};

enum { V3D_UAPI_OF_DRM = 'd', V3D_UAPI_AT = 0x40 }; /* drivers' own requests begin there */
#define V3D_UAPI_WAIT_BO    _IOWR(V3D_UAPI_OF_DRM, V3D_UAPI_AT + 1, struct v3d_uapi_wait_bo)
#define V3D_UAPI_CREATE_BO  _IOWR(V3D_UAPI_OF_DRM, V3D_UAPI_AT + 2, struct v3d_uapi_create_bo)
#define V3D_UAPI_MMAP_BO    _IOWR(V3D_UAPI_OF_DRM, V3D_UAPI_AT + 3, struct v3d_uapi_mmap_bo)
#define V3D_UAPI_GET_PARAM  _IOWR(V3D_UAPI_OF_DRM, V3D_UAPI_AT + 4, struct v3d_uapi_get_param)
#define V3D_UAPI_SUBMIT_CSD _IOW(V3D_UAPI_OF_DRM, V3D_UAPI_AT + 7, struct v3d_uapi_submit_csd)

#endif
