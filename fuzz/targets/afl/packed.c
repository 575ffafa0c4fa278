/* SPDX-License-Identifier: MIT */
/*
 * Runs batches of cases under AFL++, and fills AFL++'s coverage map. AFL++ spends about 25 us on an input,
 * several times as long as a case takes. So if a target's input is a case, AFL++'s input is a batch of cases
 * (fuzz/generate/mutator.h).
 *
 * Each case gets a map of its own. For each place, AFL++'s map gets the largest count in any of these maps.
 * (With sums, almost every batch would look new to AFL++.) So a case that adds nothing to its batch changes
 * nothing in AFL++'s map. Trimming drops such cases, because it drops whatever leaves the map the same. So
 * the batches in AFL++'s queue shrink to the few cases that matter.
 *
 * The ledger's counters have places of their own in the map, as instrumented edges do. This file is compiled
 * without instrumentation, because AFL++ would count this file's edges, and because AFL++'s compiler pass
 * itself defines the names that this file declares.
 */
#include "fuzz/targets/target.h"

#include "fuzz/generate/mutator.h"

#include <string.h>

/* AFL++'s run-time library */
extern uint8_t *__afl_area_ptr;
extern uint32_t __afl_map_size;
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);

/* Only targets whose input is a case define these. */
extern volatile uint8_t target_counters[] __attribute__((weak));
extern unsigned target_counter_count __attribute__((weak));
__attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t room,
                                                     unsigned seed);

enum { MAP_MAX = 1 << 20, COUNTERS_MAX = 8192 };

static uint32_t place[COUNTERS_MAX]; /* place of each counter in the map */
static uint8_t own_map[MAP_MAX];

__attribute__((constructor)) static void reserve_places(void)
{
    __sanitizer_cov_trace_pc_guard_init(place, place + COUNTERS_MAX);
}

static void merge_counters(uint8_t *map)
{
    for (unsigned i = 0; i < target_counter_count; i++)
        if (target_counters[i]) {
            map[place[i]] = 1;
            target_counters[i] = 0;
        }
}

/* Merges `count` places of the case's own map into AFL++'s map, and clears them in the case's own. */
static inline void merge_places(uint8_t *map, uint8_t *own, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) /* the compiler vectorises it */
        map[i] = map[i] > own[i] ? map[i] : own[i];
    memset(own, 0, count);
}

/* Merges the whole map by blocks, and skips blocks that are zero, as most are. */
static void merge_map(uint8_t *map, uint32_t size)
{
    enum { BLOCK = 64 };
    uint32_t at = 0;
    for (; size - at >= BLOCK; at += BLOCK) {
        uint64_t word[BLOCK / 8], any = 0;
        memcpy(word, own_map + at, BLOCK);
        for (unsigned i = 0; i < BLOCK / 8; i++)
            any |= word[i];
        if (any)
            merge_places(map + at, own_map + at, BLOCK);
    }
    merge_places(map + at, own_map + at, size - at);
}

void afl_run(const uint8_t *bytes, size_t count)
{
    uint8_t *map = __afl_area_ptr;
    uint32_t size = __afl_map_size;
    const uint8_t *one;
    size_t one_count;
    struct pack_reader b;
    if (!LLVMFuzzerCustomMutator || size > MAP_MAX) { /* the input is no case, or the map is too large */
        (void)LLVMFuzzerTestOneInput(bytes, count);
        return;
    }
    pack_open(&b, bytes, count);
    while (pack_next(&b, &one, &one_count)) {
        __afl_area_ptr = own_map;
        (void)LLVMFuzzerTestOneInput(one, one_count);
        __afl_area_ptr = map;
        merge_map(map, size);
        if (&target_counter_count)
            merge_counters(map);
    }
}
