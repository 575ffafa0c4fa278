/* SPDX-License-Identifier: MIT */
/*
 * `drm:amdgpu[:NODE]`: an AMD GPU of this machine through libdrm_amdgpu. harness/amdgpu/amdgpu_launch.h
 * proves, wraps and launches cases of amd-buffer; this file fills in the board's identity and state.
 */
#include "harness/amdgpu/amdgpu_device.h"
#include "model/core/memory.h"
#include "oracle/board/board_drm.h"
#include "oracle/board/board_kind.h"
#include "oracle/board/board_launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct amdgpu_board {
    struct amdgpu_device *device;
    struct amdgpu_launch *launch;
};

static void identify(struct board *b)
{
    const struct amdgpu_board *a = b->state;
    static const char *const generations[AMD_BOARD_GENERATIONS] = {
        [AMD_GFX11] = "GFX11", [AMD_GFX10] = "GFX10.3", [AMD_GFX9] = "GFX9", [AMD_GFX8] = "GFX8"};
    const struct amdgpu_facts *f = amdgpu_device_facts(a->device);
    struct amdgpu_machine m = amdgpu_device_machine(a->device);
    struct board_identity *who = &b->identity;
    (void)snprintf(who->description, sizeof who->description,
                   "%s, %s, PCI id %04" PRIx32 ", family %" PRIu32 " revision 0x%02" PRIx32 " (chip %" PRIu32
                   ")",
                   f->name, generations[m.limits.generation], f->pci_id, f->family, f->external_rev,
                   f->chip_rev);
    (void)snprintf(who->provenance, sizeof who->provenance,
                   "kernel %s; %" PRIu32 " compute units, at most %" PRIu32 " MHz, memory %" PRIu32
                   " MHz; alignment mode unaligned (the kernel's), denormals kept; guards of %d MB are "
                   "partially resident memory",
                   f->kernel, f->compute_units, f->engine_khz / 1000, f->memory_khz / 1000,
                   AMDGPU_GUARD >> 20);
    who->silicon = !f->fake;
}

static void note_state(struct board *b)
{
    const struct amdgpu_board *a = b->state;
    uint32_t clock_mhz, millidegrees;
    if (amdgpu_device_state(a->device, &clock_mhz, &millidegrees))
        board_note_state(b, "shaders at %" PRIu32 " MHz, %.0f degrees", clock_mhz,
                         (double)millidegrees / 1e3);
}

static void amdgpu_close(struct board *b)
{
    struct amdgpu_board *a = b->state;
    board_launch_free(b);
    amdgpu_launch_free(a->launch);
    amdgpu_device_close(a->device);
    free(a);
}

static bool amdgpu_take(struct board *b, const char *node, struct error *e)
{
    struct amdgpu_board *a = memory_new(1, sizeof *a);
    b->answer_seconds = board_launch_answer_seconds(AMDGPU_HUNG_MS + AMDGPU_RESET_MS);
    a->device = amdgpu_device_open(node, e);
    if (!a->device) {
        free(a);
        return false;
    }
    b->state = a;
    return true;
}

static const struct launch_backend *prepare(struct board *b, void **context, struct error *e)
{
    struct amdgpu_board *a = b->state;
    struct amdgpu_machine m = amdgpu_device_machine(a->device);
    (void)e;
    *context = a->launch = amdgpu_launch_new(&m);
    return amdgpu_backend(m.limits.generation);
}

static bool amdgpu_open(struct board *b, const char *node, struct error *e)
{
    static const struct launch_device device = {
        .units = {"amd-buffer"},
        .take = amdgpu_take,
        .prepare = prepare,
        .identify = identify,
        .note_state = note_state,
        .close = amdgpu_close,
    };
    return board_launch_open(b, node, &device, e);
}

const struct board_kind board_drm_amdgpu = {
    .name = "drm",
    .take = amdgpu_take,
    .open = amdgpu_open,
    .run = board_launch_run,
    .close = amdgpu_close,
};
