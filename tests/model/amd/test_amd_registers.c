/* SPDX-License-Identifier: MIT */
/* Writes of vector registers. A write changes only the lanes of its mask, both values and masks. Registers
 * beyond the allocated ones read as undefined and ignore writes (model/amd/buffer.h; "RDNA3" guide: EXEC
 * masks lanes). */
#include "model/amd/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

enum { REGISTERS = 4 };

static void lanes_beside_the_mask_stay(void **state)
{
    (void)state;
    static const uint64_t masks[] = {1, 2,          UINT64_C(1) << 63, 0xFFFF, UINT64_C(0xAAAA5555AAAA5555),
                                     0, UINT64_MAX, UINT64_MAX - 1};
    static struct amd_wave w;
    static uint32_t value[REGISTERS * AMD_LANES], defined[REGISTERS * AMD_LANES], to[AMD_LANES],
        to_defined[AMD_LANES];
    uint64_t touched[1];
    w.vgpr = (struct amd_rows){value, defined, touched, 0, REGISTERS};
    w.vgprs = REGISTERS - 1; /* the last row is not allocated */
    for (unsigned n = 0; n < AMD_LANES; n++) {
        to[n] = 1000 + n;
        to_defined[n] = n % 3 ? 0xFFFF : 0;
    }
    for (unsigned checked = 0; checked < 2; checked++)
        for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++)
            for (uint32_t number = 0; number < REGISTERS; number++) {
                w.checked = checked;
                touched[0] = 0;
                memset(value, 0x11, sizeof value);
                memset(defined, 0xFF, sizeof defined);
                amd_vgpr_write(&w, number, to, to_defined, masks[i]);
                bool any = masks[i] && number < w.vgprs;
                assert_int_equal(touched[0], any ? UINT64_C(1) << number : 0);
                for (uint32_t n = 0; n < REGISTERS * AMD_LANES; n++) {
                    bool now = any && n / AMD_LANES == number && (masks[i] >> n % AMD_LANES & 1);
                    assert_int_equal(value[n], now ? 1000 + n % AMD_LANES : 0x11111111);
                    assert_int_equal(defined[n], now && checked ? to_defined[n % AMD_LANES] : UINT32_MAX);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_beside_the_mask_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
