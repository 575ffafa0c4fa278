/* SPDX-License-Identifier: MIT */
/*
 * Reads compute programs that Mesa's compiler made, with the memory at their launch and the words that a CPU
 * renderer left for the same shader: compiler-programs/v3d in MISPRINT_TEST_DATA. Its README describes the
 * files. Nothing of it ran on V3D hardware.
 */
#ifndef MISPRINT_TESTS_MODEL_V3D_SUPPORT_V3D_H
#define MISPRINT_TESTS_MODEL_V3D_SUPPORT_V3D_H

#include "model/v3d/run/v3d_machine.h"

#include <stdio.h>

enum { V3D_TEST_PROGRAM_MAX = 2048, V3D_TEST_BUFFERS = 4, V3D_TEST_BUFFER_WORDS = 16384 };

struct v3d_test_program {
    char name[64];
    bool compute, has_config;
    uint32_t config[V3D_CONFIG_WORDS];
    uint32_t buffer[V3D_TEST_BUFFERS]; /* their addresses; 0: unknown */
    unsigned count;
    uint64_t word[V3D_TEST_PROGRAM_MAX];
};

/* Reads the next program of v42.txt or v71.txt. Returns false at the end. */
bool v3d_test_read(FILE *f, struct v3d_test_program *p);

/* The memory of one launch. */
struct v3d_test_memory {
    struct v3d_range range[16];
    unsigned ranges;
};
/* Reads memory/NAME.GENERATION.txt, and the addresses of the buffers. Returns false if there is no such
 * file. */
bool v3d_test_load(const char *path, struct v3d_test_program *p, struct v3d_test_memory *m);
void v3d_test_unload(struct v3d_test_memory *m);
uint32_t *v3d_test_word(struct v3d_test_memory *m, uint32_t address);

/* Returns the next word of an expect file: buffer, index and value. False at the end. */
bool v3d_test_expect(FILE *f, unsigned *buffer, unsigned *index, uint32_t *value);

#endif
