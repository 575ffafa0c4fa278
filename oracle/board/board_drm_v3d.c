/* SPDX-License-Identifier: MIT */
/*
 * `drm:v3d[:NODE]`: the QPUs of the Raspberry Pi 4 or 5 that this process runs on, through the kernel's
 * driver. It needs neither root nor special configuration. harness/v3d/v3d_launch.h proves, wraps and
 * launches cases of v3d-qpu; this file fills in the board's identity and state.
 */
#include "harness/v3d/v3d_device.h"
#include "harness/vc4/device_tree.h"
#include "harness/vc4/drm_vc4.h"
#include "model/core/memory.h"
#include "oracle/board/board_drm.h"
#include "oracle/board/board_kind.h"
#include "oracle/board/board_launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

struct v3d_board {
    struct v3d_device *device;
    struct v3d_launch *launch;
};

static void identify(struct board *b)
{
    const struct v3d_board *v = b->state;
    const struct v3d_facts *f = v3d_device_facts(v->device);
    const struct drm_node *node = v3d_device_node(v->device);
    struct board_identity *who = &b->identity;
    struct utsname system = {0};
    char model[80] = "";
    (void)uname(&system);
    (void)device_tree_read("model", model, sizeof model);
    (void)snprintf(who->description, sizeof who->description, "%s, V3D %u.%u.%u, %u QPUs",
                   *model ? model : "a Raspberry Pi", f->version[0], f->version[1], f->version[2], f->qpus);
    (void)snprintf(who->provenance, sizeof who->provenance,
                   "through %s, the kernel's driver v3d %d.%d.%d of Linux %.60s; as compute jobs; %s",
                   node->path, node->version[0], node->version[1], node->version[2], system.release,
                   f->counts_resets ? "the kernel counts resets" : "resets are noticed by their time");
    who->memory_base = v3d_launch_memory_base(v->launch);
    who->code_base = v3d_launch_code_base(v->launch);
    who->silicon = strncmp(model, DEVICE_TREE_FAKE, sizeof DEVICE_TREE_FAKE - 1) != 0;
}

static void note_state(struct board *b)
{
    const struct v3d_board *v = b->state;
    uint32_t millidegrees;
    unsigned of_others, resets = v3d_device_resets(v->device, &of_others);
    if (drm_vc4_temperature(&millidegrees))
        board_note_state(b, "%.0f degrees, %u resets of the GPU, %u of them by other programs",
                         (double)millidegrees / 1e3, resets, of_others);
}

static void v3d_close(struct board *b)
{
    struct v3d_board *v = b->state;
    board_launch_free(b);
    v3d_launch_free(v->launch);
    v3d_device_close(v->device);
    free(v);
}

static bool v3d_take(struct board *b, const char *node, struct error *e)
{
    struct v3d_board *v = memory_new(1, sizeof *v);
    b->answer_seconds = board_launch_answer_seconds(V3D_WAIT_MS);
    v->device = v3d_device_open(node, e);
    if (!v->device) {
        free(v);
        return false;
    }
    b->state = v;
    return true;
}

static const struct launch_backend *prepare(struct board *b, void **context, struct error *e)
{
    struct v3d_board *v = b->state;
    struct v3d_gpu gpu = v3d_device_gpu(v->device);
    (void)e;
    *context = v->launch = v3d_launch_new(&gpu);
    if (b->has_campaign)
        v3d_launch_set_campaign(v->launch, &b->campaign);
    return v3d_backend(gpu.generation);
}

/* Generators make no such cases, and adjudication does not ask them. The other refusals are less simple
 * (harness/v3d/v3d_wrapper.h). */
static const char *const lacks[V3D_GENERATIONS] = {
    [V3D_42] = "generation=v3d71 batches>16 tidx", [V3D_71] = "generation=v3d42 batches>16 tidx"};
_Static_assert(V3D_WRAP_BATCHES == 16, "what the board says that it lacks");

static bool v3d_open(struct board *b, const char *node, struct error *e)
{
    static const struct launch_device device = {
        .units = {"v3d-qpu"},
        .take = v3d_take,
        .prepare = prepare,
        .identify = identify,
        .note_state = note_state,
        .close = v3d_close,
    };
    if (!board_launch_open(b, node, &device, e))
        return false;
    b->proves = true;
    const struct v3d_board *v = b->state;
    return board_set_lacks(b, lacks[v3d_device_gpu(v->device).generation], e);
}

const struct board_kind board_drm_v3d = {
    .name = "drm",
    .take = v3d_take,
    .open = v3d_open,
    .run = board_launch_run,
    .close = v3d_close,
};
