/* SPDX-License-Identifier: MIT */
/* The case of unit amd-buffer: one wave, its registers and memory, and one to four instructions. The case's
 * V# is in s8 to s11; an instruction can name other SGPRs for its V#. */
#ifndef MISPRINT_MODEL_AMD_UNIT_BUFFER_H
#define MISPRINT_MODEL_AMD_UNIT_BUFFER_H

#include "model/amd/buffer.h"
#include "model/core/unit.h"

enum {
    AMD_INSNS_MAX = 4,
    AMD_DESCRIPTOR_SGPR = 8, /* the first of the V# */
    AMD_ROW_BYTES = 4 * AMD_LANES,
    AMD_SGPR_ROWS = AMD_SGPRS / AMD_LANES,
    AMD_LDS_ROWS = AMD_LDS_BYTES / AMD_ROW_BYTES,
    AMD_MEMORY_ROWS = AMD_MEMORY_BYTES / AMD_ROW_BYTES,
    AMD_TRACE_ROWS = AMD_INSNS_MAX * AMD_UNITS,
};

/* The first rows of the outcome's regions. */
enum {
    AMD_ROW_VGPR = 0,
    AMD_ROW_SGPR = AMD_ROW_VGPR + AMD_VGPRS,
    AMD_ROW_MEMORY = AMD_ROW_SGPR + AMD_SGPR_ROWS,
    AMD_ROW_LDS = AMD_ROW_MEMORY + AMD_MEMORY_ROWS,
    AMD_ROW_DECISION = AMD_ROW_LDS + AMD_LDS_ROWS,
    AMD_ROW_ADDRESS = AMD_ROW_DECISION + AMD_TRACE_ROWS,
    AMD_ROW_ADDRESS_HIGH = AMD_ROW_ADDRESS + AMD_TRACE_ROWS,
    AMD_ROW_STATUS = AMD_ROW_ADDRESS_HIGH + AMD_TRACE_ROWS,
    AMD_ROWS = AMD_ROW_STATUS + 1,
};

enum amd_wave_size { AMD_WAVE64, AMD_WAVE32, AMD_WAVE_SIZES };

struct amd_image_row {
    uint32_t index, word[AMD_LANES];
};

/* The unit's case; test_case.words begins with it. */
struct amd_case {
    uint32_t generation, wave_size, alignment; /* enum amd_generation, amd_wave_size, amd_alignment */
    uint32_t exec[2], m0;
    uint32_t vgprs; /* allocated */
    uint32_t descriptor[AMD_DESCRIPTOR_WORDS];
    struct image_head sgpr;
    struct amd_image_row sgpr_row[AMD_SGPR_ROWS];
    struct image_head vgpr;
    struct amd_image_row vgpr_row[AMD_VGPRS];
    struct image_head memory;
    struct amd_image_row memory_row[AMD_MEMORY_ROWS];
    struct image_head lds;
    struct amd_image_row lds_row[AMD_LDS_ROWS];
    uint32_t insn_count;
    uint32_t insn[AMD_INSNS_MAX][AMD_INSN_WORDS];
};

static inline const struct amd_case *amd_case_of(const struct test_case *c)
{
    return (const struct amd_case *)(const void *)c->words;
}

void amd_case_generate(struct random *r, struct test_case *c);
void amd_case_mend(struct test_case *c);

#endif
