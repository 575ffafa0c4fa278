/* SPDX-License-Identifier: MIT */
/* libFuzzer's hooks for targets whose input is a case of TARGET_UNIT. They mutate a case as
 * fuzz/generate/mutator.h says, and sometimes let libFuzzer mutate the bytes. */
#include "fuzz/generate/mutator.h"
#include "fuzz/targets/target.h"

#include <string.h>

enum { BLIND = 32 /* one in so many mutations is libFuzzer's own */ };

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t count, size_t room) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_count, const uint8_t *other,
                                 size_t other_count, uint8_t *out, size_t room, unsigned seed);

static struct mutator *mutator(void)
{
    static struct mutator *m;
    return m ? m : (m = mutator_new(unit_named(TARGET_UNIT)));
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t count, size_t room, unsigned seed)
{
    size_t waiting = target_waiting ? target_waiting(bytes, room) : 0;
    if (waiting)
        return waiting;
    if (seed % BLIND == 0 && LLVMFuzzerMutate)
        return LLVMFuzzerMutate(bytes, count, room);
    size_t made = mutator_change(mutator(), seed, bytes, count, bytes, room);
    return made ? made : count;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_count, const uint8_t *other,
                                 size_t other_count, uint8_t *out, size_t room, unsigned seed)
{
    return mutator_cross(mutator(), seed, one, one_count, other, other_count, out, room);
}
