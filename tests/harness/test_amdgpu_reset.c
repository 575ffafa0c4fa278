/* SPDX-License-Identifier: MIT */
/* Who caused a reset of an AMD GPU: what the harness concludes from what Linux reports
 * (drivers/gpu/drm/amd/amdgpu/amdgpu_job.c and amdgpu_ctx.c, drivers/gpu/drm/scheduler/sched_main.c). */
#if __has_include(<amdgpu.h>)
#include "harness/amdgpu/amdgpu_device.c" /* NOLINT(bugprone-suspicious-include): its own functions */
#define HAVE_DEVICE 1
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void others_are_blamed_only_for_their_resets(void **state)
{
    (void)state;
#ifdef HAVE_DEVICE
    enum { RESET = AMDGPU_CTX_QUERY2_FLAGS_RESET, GUILTY = AMDGPU_CTX_QUERY2_FLAGS_GUILTY };
    static const struct {
        int error;
        uint64_t flags;
        bool others;
    } rows[] = {
        {-ETIME, 0, false},          /* our own time ran out */
        {-ETIME, RESET, false},      /* our own time ran out, and the kernel reset the GPU */
        {-ENODATA, 0, false},        /* the kernel killed our waves, and needed no reset */
        {-ECANCELED, 0, true},       /* the kernel reset the queue alone, and cancelled our submission */
        {-ECANCELED, RESET, true},   /* the kernel reset the GPU, and cancelled our submission */
        {-ECANCELED, GUILTY, false}, /* our context caused the reset */
        {-ECANCELED, RESET | GUILTY, false},
        {0, RESET, true}, /* older kernels leave no error, only the flags */
        {0, RESET | GUILTY, false},
        {0, 0, false}, /* no sign of a reset */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (was_others(rows[i].error, rows[i].flags) != rows[i].others)
            fail_msg("row %u", i);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(others_are_blamed_only_for_their_resets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
