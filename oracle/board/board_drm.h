/* SPDX-License-Identifier: MIT */
/*
 * The back ends of board `drm`, one for each kernel driver. A back end is a `struct board_kind` in no list of
 * kinds; its `take` and `open` get the node's path, "" for the first node of its driver.
 *
 * To add a back end: one file oracle/board/board_drm_DRIVER.c, one line in board_drm.c.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_DRM_H
#define MISPRINT_ORACLE_BOARD_BOARD_DRM_H

#include "oracle/board/board.h"

extern const struct board_kind board_drm_vc4;    /* HAVE_LIBDRM */
extern const struct board_kind board_drm_amdgpu; /* HAVE_AMDGPU */

#endif
