/* SPDX-License-Identifier: MIT */
/*
 * Board `drm` and its back ends: one for each kernel driver, chosen by the words
 * behind the colon. A back end is a `struct board_kind` whose `open` gets the
 * node's path, "" for the first node of its driver; it is in no list of kinds.
 *
 * To add a back end: one file oracle/board_drm_DRIVER.c, one line in board_drm.c.
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_DRM_H
#define MISPRINT_ORACLE_BOARD_BOARD_DRM_H

#include "oracle/board/board.h"

extern const struct board_kind board_drm_vc4;    /* HAVE_LIBDRM */
extern const struct board_kind board_drm_amdgpu; /* HAVE_AMDGPU */

#endif
