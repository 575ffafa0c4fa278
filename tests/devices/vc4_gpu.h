/* SPDX-License-Identifier: MIT */
/*
 * The 3D pipe of a VideoCore IV at the level of its control lists, for the stand-in of its kernel driver
 * (fake_vc4_drm.c). It reads a binner's list, runs coordinate and vertex shaders that make triangles or
 * points, cuts these into quads of pixels in tiles, and runs fragment shaders on four quads at a time. The
 * model's QPU runs the shaders; this file does everything else. It knows memory, but no kernel.
 *
 * Simulated: GL shader state, arrays of triangles and of points, one linear target of 32-bit pixels. The
 * first quad of a tile often does not begin at element 0, because no document says that it does. The rows of
 * the vertices are at another place in the VPM each time; a shader cannot see this place.
 */
#ifndef MISPRINT_TESTS_DEVICES_VC4_GPU_H
#define MISPRINT_TESTS_DEVICES_VC4_GPU_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_memory {
    uint8_t *at; /* aligned to 64 bytes */
    uint32_t base, bytes;
};

struct gpu_target {
    uint32_t address; /* bus address of the first pixel */
    uint32_t width, height;
    unsigned first_x, first_y, last_x, last_y; /* tiles that are rendered */
    uint32_t clear;
};

/* How the setup engine changes a flat varying: not at all; it makes denormals 0 and NaNs one NaN; it clears
 * low bits. */
enum gpu_setup { GPU_KEEPS, GPU_FLUSHES, GPU_ROUNDS };

/* How this GPU differs from most boards. */
struct gpu_oddities {
    enum gpu_setup setup;
    bool other_columns;       /* neighbouring vertices exchange their columns of the VPM */
    const uint32_t *hangs_on; /* a shader with this word among its immediates never ends; NULL: all shaders
                               * end */
};

/* Sets up the GPU. `name`: the profile of its QPUs. Ends the process if there is no such profile. */
void gpu_start(const struct gpu_memory *m, const char *name, const struct gpu_oddities *odd);

/* Draws a list. Returns false if the GPU hangs. The tiles before the hang are stored. */
bool gpu_draw(uint32_t list, uint32_t bytes, const struct gpu_target *t);

#endif
