/* SPDX-License-Identifier: MIT */
#include "harness/amdgpu/amdgpu_launch.h"

#include "harness/amdgpu/amdgpu_pm4.h"
#include "model/core/image_rules.h"
#include "model/core/memory.h"
#include "model/core/units.h"

#include <stdlib.h>
#include <string.h>

/* GPU memory holds the indirect buffer, all programs, then the blocks that each program loads and stores. */
enum { PROGRAMS_AT = AMDGPU_IB_BYTES, BLOCKS_AT = PROGRAMS_AT + AMDGPU_PROGRAMS_BYTES };
_Static_assert(4 * (PM4_BEGIN_WORDS + AMDGPU_WINDOWS * PM4_LAUNCH_WORDS + PM4_END_WORDS) <= AMDGPU_IB_BYTES,
               "the indirect buffer has room");

struct amdgpu_launch {
    struct amdgpu_machine machine;
    struct amdgpu_verifier *verifier;
    struct image_rules *rules;
    unsigned sgprs, vgprs, memory, lds; /* region numbers */
    struct amdgpu_frames frames;
    struct amdgpu_kept kept[AMDGPU_WINDOWS];
    struct pm4 ib;
    unsigned placed;
};

struct job {
    const struct test_case *tc;
    struct amdgpu_program program;
};

static unsigned region_number(const char *name)
{
    return (unsigned)(layout_region_named(&amd_buffer_unit.layout, name) - amd_buffer_unit.layout.regions);
}

struct amdgpu_launch *amdgpu_launch_new(const struct amdgpu_machine *machine)
{
    struct amdgpu_launch *b = memory_new(1, sizeof *b);
    b->machine = *machine;
    b->verifier = amdgpu_verifier_new(&machine->limits);
    b->rules = image_rules_new(&amd_buffer_unit);
    b->sgprs = region_number("sgpr");
    b->vgprs = region_number("vgpr");
    b->memory = region_number("memory");
    b->lds = region_number("lds");
    amdgpu_frames_make(machine->limits.generation, &b->frames);
    return b;
}

void amdgpu_launch_free(struct amdgpu_launch *b)
{
    if (!b)
        return;
    free(b->rules);
    amdgpu_verifier_free(b->verifier);
    free(b);
}

/* ---- canaries: lane n loads dword n into v4 and stores 4 * n to dword 256 + n, through a raw V# ---- */

enum { CANARY_LOADED = 4, CANARY_STORED_AT = 256 };

static const uint32_t *rows(const struct outcome *o, const char *region)
{
    return o->value + (size_t)layout_region_named(&o->unit->layout, region)->first_row * AMD_LANES;
}

static bool canary_is_right(unsigned n, const struct test_case *c, const struct outcome *o)
{
    const uint32_t *memory = rows(o, "memory"), *loaded = rows(o, "vgpr") + (size_t)CANARY_LOADED * AMD_LANES;
    uint32_t first[AMD_LANES];
    (void)n;
    image_row(c, schema_field(&o->unit->schema, "memory"), 0, first);
    for (uint32_t i = 0; i < AMD_LANES; i++)
        if (loaded[i] != first[i] || memory[i] != first[i] || memory[CANARY_STORED_AT + i] != 4 * i)
            return false;
    return true;
}

/* ---- placing ---- */

static struct amdgpu_clean clean_of(const struct amdgpu_launch *b, const struct test_case *tc)
{
    const struct amd_case *c = amd_case_of(tc);
    return (struct amdgpu_clean){
        .sgprs = image_rules_get(b->rules, b->sgprs, c->sgpr.fill, c->sgpr.seed)->words,
        .vgprs = image_rules_get(b->rules, b->vgprs, c->vgpr.fill, c->vgpr.seed)->words,
        .memory = image_rules_get(b->rules, b->memory, c->memory.fill, c->memory.seed)->words,
        .lds = image_rules_get(b->rules, b->lds, c->lds.fill, c->lds.seed)->words,
    };
}

static bool judge(void *context, void *job, const struct test_case *c, struct error *why)
{
    struct amdgpu_launch *b = context;
    struct amdgpu_clean clean = clean_of(b, c);
    (void)job;
    return amdgpu_verifier_prove(b->verifier, c, &clean, why);
}

static void clear(void *context)
{
    struct amdgpu_launch *b = context;
    b->placed = 0;
    b->ib = (struct pm4){.generation = b->machine.limits.generation,
                         .word = (uint32_t *)(void *)b->machine.arena.at};
    pm4_begin(&b->ib);
}

static bool has_room(const void *context)
{
    const struct amdgpu_launch *b = context;
    return b->placed + 2 <= AMDGPU_WINDOWS;
}

static struct amdgpu_area part(struct amdgpu_area a, uint64_t offset)
{
    return (struct amdgpu_area){a.at + offset, a.va + offset};
}

static struct amdgpu_slot slot_of(struct amdgpu_launch *b, uint64_t place)
{
    const struct amdgpu_area arena = b->machine.arena, windows = b->machine.windows;
    uint64_t block = BLOCKS_AT + place * 2 * AMDGPU_BLOCK_BYTES;
    return (struct amdgpu_slot){.code = part(arena, PROGRAMS_AT + place * AMDGPU_PROGRAM_BYTES),
                                .in = part(arena, block),
                                .out = part(arena, block + AMDGPU_BLOCK_BYTES),
                                .window = {windows.at + place * AMD_MEMORY_BYTES,
                                           windows.va + place * AMDGPU_WINDOW_PITCH + AMDGPU_GUARD},
                                .kept = &b->kept[place]};
}

static enum launch_place place(void *context, void *job, const struct test_case *tc,
                               const struct outcome *initial, uint32_t stamp, struct error *why)
{
    struct amdgpu_launch *b = context;
    struct job *j = job;
    struct amdgpu_program *p = &j->program;
    struct amdgpu_slot slot = slot_of(b, b->placed++);
    struct amdgpu_clean clean = clean_of(b, tc);
    (void)initial;
    (void)why;
    j->tc = tc;
    amdgpu_wrapper_build(&b->frames, tc, &clean, stamp, &slot, p);
    struct pm4_launch l = {.code = slot.code.va,
                           .user_data = slot.in.va,
                           .lanes = p->lanes,
                           .vgprs = AMDGPU_VGPRS,
                           .lds_bytes = p->lds ? AMD_LDS_BYTES : 0};
    pm4_launch(&b->ib, &l);
    return LAUNCH_PLACED;
}

const struct amdgpu_program *amdgpu_launch_program(const void *job)
{
    return &((const struct job *)job)->program;
}

/* ---- launching ---- */

static enum launch_result launch(void *context, struct error *e)
{
    struct amdgpu_launch *b = context;
    pm4_end(&b->ib);
    return b->machine.submit(b->machine.context, b->ib.count, e);
}

static bool reset(void *context, struct error *e)
{
    struct amdgpu_launch *b = context;
    (void)e;
    memset(b->kept, 0, sizeof b->kept);
    return true; /* after a hang `submit` returns with a usable device */
}

static bool collect(void *context, const void *job, struct outcome *o)
{
    struct amdgpu_launch *b = context;
    const struct job *j = job;
    struct amdgpu_clean clean = clean_of(b, j->tc);
    return amdgpu_wrapper_collect(&j->program, &clean, o);
}

#define LANES_TIMES_4                                                                                        \
    "0 4 8 c 10 14 18 1c 20 24 28 2c 30 34 38 3c 40 44 48 4c 50 54 58 5c 60 64 68 6c 70 74 78 7c "           \
    "80 84 88 8c 90 94 98 9c a0 a4 a8 ac b0 b4 b8 bc c0 c4 c8 cc d0 d4 d8 dc e0 e4 e8 ec f0 f4 f8 fc"
#define CANARY(generation, load, store)                                                                      \
    "misprint-case 1 amd-buffer\ngeneration = " generation                                                   \
    "\ndescriptor = raw num_records=16384\nvgpr row 1 = " LANES_TIMES_4                                      \
    "\nmemory fill index\ncode {\n  " load " v4, v1, s[8:11], 0 offen\n  " store                             \
    " v1, v1, s[8:11], 0 offen offset:1024\n}\n"
#define BACKEND(...)                                                                                         \
    {                                                                                                        \
        .job_bytes = sizeof(struct job), .canary = {CANARY(__VA_ARGS__), CANARY(__VA_ARGS__)},               \
        .canary_is_right = canary_is_right, .judge = judge, .clear = clear, .has_room = has_room,            \
        .place = place, .launch = launch, .reset = reset, .collect = collect                                 \
    }

static const struct launch_backend backends[AMD_BOARD_GENERATIONS] = {
    [AMD_GFX11] = BACKEND("gfx1100", "buffer_load_b32", "buffer_store_b32"),
    [AMD_GFX10] = BACKEND("gfx1030", "buffer_load_dword", "buffer_store_dword"),
    [AMD_GFX9] = BACKEND("gfx900", "buffer_load_dword", "buffer_store_dword"),
    [AMD_GFX8] = BACKEND("gfx803", "buffer_load_dword", "buffer_store_dword"),
};

const struct launch_backend *amdgpu_backend(enum amd_generation g)
{
    return &backends[g];
}
