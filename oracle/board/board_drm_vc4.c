/* SPDX-License-Identifier: MIT */
/*
 * `drm`, `drm:vc4`: the QPUs of the Raspberry Pi 1 to 3 that this process runs on, through the kernel driver.
 * It needs neither root nor special configuration, but the driver's shader validator must accept the
 * programs. Cases become fragment shaders (harness/vc4/shader_launch.h) or vertex shaders
 * (harness/vc4/vertex_launch.h). This file fills in the board's identity and state.
 */
#include "harness/vc4/device_tree.h"
#include "harness/vc4/shader_launch.h"
#include "harness/vc4/vertex_launch.h"
#include "model/core/memory.h"
#include "oracle/board/board_drm.h"
#include "oracle/board/board_kind.h"
#include "oracle/board/board_launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct drm_board {
    struct drm_vc4 vc4;
    struct shader_launch *shaders; /* one of these two is NULL */
    struct vertex_launch *vertices;
};

static void identify(struct board *b)
{
    const struct drm_board *d = b->state;
    struct board_identity *who = &b->identity;
    char model[80] = "";
    (void)device_tree_read("model", model, sizeof model);
    (void)snprintf(who->description, sizeof who->description, "%s, V3D %08" PRIx32 " %08" PRIx32,
                   *model ? model : "a Raspberry Pi", d->vc4.ident[0], d->vc4.ident[1]);
    (void)snprintf(who->provenance, sizeof who->provenance,
                   "through %s, the kernel's driver vc4 %d.%d.%d; as %s shaders", d->vc4.node.path,
                   d->vc4.node.version[0], d->vc4.node.version[1], d->vc4.node.version[2],
                   d->vertices ? "vertex" : "fragment");
    b->proves = true;
    who->silicon = strncmp(model, DEVICE_TREE_FAKE, sizeof DEVICE_TREE_FAKE - 1) != 0;
}

static void note_state(struct board *b)
{
    uint32_t millidegrees;
    if (drm_vc4_temperature(&millidegrees))
        board_note_state(b, "%.0f degrees", (double)millidegrees / 1e3);
}

static void drm_close_board(struct board *b)
{
    struct drm_board *d = b->state;
    board_launch_free(b);
    shader_launch_free(d->shaders);
    vertex_launch_free(d->vertices);
    drm_vc4_close(&d->vc4);
    free(d);
}

static bool drm_take(struct board *b, const char *node, struct error *e)
{
    struct drm_board *d = memory_new(1, sizeof *d);
    if (!drm_vc4_open(&d->vc4, node, e)) {
        free(d);
        return false;
    }
    b->answer_seconds = board_launch_answer_seconds(DRM_VC4_DRAW_MS);
    b->state = d;
    return true;
}

static const struct launch_backend *prepare(struct board *b, void **context, struct error *e)
{
    struct drm_board *d = b->state;
    const struct launch_backend *backend =
        !strcmp(b->unit->name, "vc4-tmu") ? &lookup_backend : &shader_backend;
    if (!strcmp(b->unit->name, "vc4-vpm")) {
        backend = &vertex_backend;
        *context = d->vertices = vertex_launch_new(&d->vc4, e);
    } else {
        *context = d->shaders = shader_launch_new(backend, &d->vc4, e);
    }
    return *context ? backend : NULL;
}

static bool drm_open_board(struct board *b, const char *node, struct error *e)
{
    static const struct launch_device device = {
        .units = {"vc4-qpu", "vc4-vpm", "vc4-tmu"},
        .take = drm_take,
        .prepare = prepare,
        .identify = identify,
        .note_state = note_state,
        .close = drm_close_board,
    };
    return board_launch_open(b, node, &device, e);
}

const struct board_kind board_drm_vc4 = {
    .name = "drm",
    .take = drm_take,
    .open = drm_open_board,
    .run = board_launch_run,
    .close = drm_close_board,
};
