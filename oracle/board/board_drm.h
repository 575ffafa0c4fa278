/* SPDX-License-Identifier: MIT */
/*
 * The back ends of board `drm`, one for each kernel driver. A back end is a `struct board_kind` that
 * `misprint boards` does not list. Its `take` and `open` get the path of the node; "": the first node of its
 * driver.
 *
 * To add a back end, write oracle/board/board_drm_DRIVER.c and add it to the table in board_drm.c.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_DRM_H
#define MISPRINT_ORACLE_BOARD_BOARD_DRM_H

#include "oracle/board/board.h"

extern const struct board_kind board_drm_vc4;    /* if HAVE_LIBDRM */
extern const struct board_kind board_drm_v3d;    /* if HAVE_LIBDRM */
extern const struct board_kind board_drm_amdgpu; /* if HAVE_AMDGPU */

#endif
