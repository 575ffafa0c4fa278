/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/wave_program.h"

#include "harness/amdgpu/amdgpu_launch.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/*
 * The memory: a guard, the case's memory, a guard, then the program and what it loads and stores. The proof
 * is that no reading of the documents takes a case beyond its guards. An emulator with a fault may go
 * anywhere, so its process may crash, and nothing in this memory is believed after a case.
 */
enum {
    ALIGNMENT = AMD_MEMORY_BYTES,
    WINDOW_AT = AMDGPU_GUARD,
    ARENA_AT = WINDOW_AT + AMD_MEMORY_BYTES + AMDGPU_GUARD,
    BYTES = ARENA_AT + AMDGPU_ARENA_BYTES,
    LIMIT = 100000, /* instructions; a program has less than a thousand words and no branch */
};
/* Where memory is wanted, so that addresses are usually the same each time. */
#define WANTED ((void *)(uintptr_t)0x200000000000)

struct wave_programs {
    void *mapped;
    struct amdgpu_machine machine;
    struct amdgpu_launch *launch[AMD_BOARD_GENERATIONS]; /* made when the first case needs it */
    enum amd_generation generation;                      /* of the program */
    void *job;
};

const char wave_programs_lack[] = "generation=gfx90a generation=gfx942 generation=gfx1200 alignment=dword "
                                  "alignment=dword-strict alignment=strict";

struct wave_programs *wave_programs_new(struct error *e)
{
    struct wave_programs *w = memory_new(1, sizeof *w);
    w->job = memory_new(1, amdgpu_backend(AMD_GFX11)->job_bytes);
    w->mapped = mmap(WANTED, BYTES + ALIGNMENT, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (w->mapped == MAP_FAILED) {
        w->mapped = NULL;
        wave_programs_free(w);
        error_memory(e, "for a board's programs");
        return NULL;
    }
    uintptr_t at = ((uintptr_t)w->mapped + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    uint8_t *memory = (uint8_t *)at;
    w->machine.arena = (struct amdgpu_area){memory + ARENA_AT, at + ARENA_AT};
    w->machine.windows = (struct amdgpu_area){memory + WINDOW_AT, at + WINDOW_AT - AMDGPU_GUARD};
    return w;
}

void wave_programs_free(struct wave_programs *w)
{
    if (!w)
        return;
    for (unsigned g = 0; g < AMD_BOARD_GENERATIONS; g++)
        amdgpu_launch_free(w->launch[g]);
    if (w->mapped)
        munmap(w->mapped, BYTES + ALIGNMENT);
    free(w->job);
    free(w);
}

static struct amdgpu_launch *launch_of(struct wave_programs *w, enum amd_generation g)
{
    if (!w->launch[g]) {
        struct amdgpu_machine m = w->machine;
        m.limits = (struct amdgpu_limits){.generation = g, .alignment = AMD_ALIGN_UNALIGNED};
        w->launch[g] = amdgpu_launch_new(&m);
    }
    w->generation = g;
    return w->launch[g];
}

bool wave_programs_make(struct wave_programs *w, const struct test_case *c, uint32_t stamp,
                        struct misprint_wave *wave, struct error *why)
{
    enum amd_generation g = (enum amd_generation)amd_case_of(c)->generation;
    if (g >= AMD_BOARD_GENERATIONS)
        return error_set(why, "programs are made only for gfx1100, gfx1030, gfx900 and gfx803");
    struct amdgpu_launch *launch = launch_of(w, g);
    const struct launch_backend *backend = amdgpu_backend(g);
    if (!backend->judge(launch, w->job, c, why) || !backend->reset(launch, why))
        return false;
    backend->clear(launch);
    if (backend->place(launch, w->job, c, NULL, stamp, why) != LAUNCH_PLACED)
        return false;
    const struct amdgpu_program *p = amdgpu_launch_program(w->job);
    *wave = (struct misprint_wave){.generation = amd_generation_names[g],
                                   .memory = w->machine.windows.at - WINDOW_AT,
                                   .memory_bytes = BYTES,
                                   .code = p->slot.code.va,
                                   .sgpr = {(uint32_t)p->slot.in.va, (uint32_t)(p->slot.in.va >> 32)},
                                   .lanes = p->lanes,
                                   .vgprs = AMDGPU_VGPRS,
                                   .lds_bytes = p->lds ? AMD_LDS_BYTES : 0,
                                   .limit = LIMIT};
    return true;
}

bool wave_programs_collect(struct wave_programs *w, struct outcome *o)
{
    return amdgpu_backend(w->generation)->collect(w->launch[w->generation], w->job, o);
}
