/* SPDX-License-Identifier: MIT */
/*
 * The 3D pipe of a VideoCore IV at the level of its control lists, for the
 * stand-in of its kernel driver (fake_vc4_drm.c): reads a binner's list, runs
 * coordinate and vertex shaders that make triangles or points, cuts these into
 * quads of pixels in tiles, and runs fragment shaders on four quads at a time.
 * Shaders run on the model's QPU; everything else is here. Knows memory, and no
 * kernel.
 *
 * Simulated: GL shader state, arrays of triangles and of points, one 32-bit
 * target line after line. The first quads of a tile do not begin with element 0,
 * because no document says that they do. Vertices' rows are at another place in
 * the VPM each time, which the shader cannot see.
 */
#ifndef MISPRINT_TESTS_DEVICES_VC4_GPU_H
#define MISPRINT_TESTS_DEVICES_VC4_GPU_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_memory {
    uint8_t *at; /* at a multiple of 64 */
    uint32_t base, bytes;
};

struct gpu_target {
    uint32_t address; /* bus address of its first pixel */
    uint32_t width, height;
    unsigned first_x, first_y, last_x, last_y; /* tiles that are rendered */
    uint32_t clear;
};

/* How the setup engine changes a flat varying: not at all; to the same word without denormals and NaN; to the
 * same with fewer bits. */
enum gpu_setup { GPU_KEEPS, GPU_FLUSHES, GPU_ROUNDS };

/* Deviations from most boards: */
struct gpu_oddities {
    enum gpu_setup setup;
    bool other_columns;       /* neighbouring vertices change their columns of the VPM */
    const uint32_t *hangs_on; /* a shader with this word among its immediates never ends; NULL: all do */
};

/* `name`: the profile of its QPUs. Ends the process if there is no such profile. */
void gpu_start(const struct gpu_memory *m, const char *name, const struct gpu_oddities *odd);

/* Draws a list. Returns false if the GPU hangs. Tiles before the one in which it hangs are stored. */
bool gpu_draw(uint32_t list, uint32_t bytes, const struct gpu_target *t);

#endif
