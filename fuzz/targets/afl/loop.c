/* SPDX-License-Identifier: MIT */
/* Runs any target in AFL++'s persistent loop, with the input in shared memory. packed.c runs the inputs.
 */
#include "fuzz/targets/target.h"

#include <unistd.h>

void afl_run(const uint8_t *bytes, size_t count);

enum { INPUTS_BEFORE_RESTART = 1 << 20 };

__AFL_FUZZ_INIT();

int main(void)
{
    __AFL_INIT();
    const uint8_t *bytes = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(INPUTS_BEFORE_RESTART))
        afl_run(bytes, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    return 0;
}
