/* SPDX-License-Identifier: MIT */
/* Memory for many outcomes. It is aligned, and zeroed even if the allocator returns memory that was used
 * before. A size that does not fit into a size_t is refused. The expectations are the sentences of
 * harness/system/pages.h. */
#include "harness/system/pages.h"

#include "model/core/image_rules.h"
#include "model/core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t huge = (size_t)2 << 20; /* size of a huge page on x86-64 and 64-bit ARM */

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 63, 64, 65, 4096, huge - 1, huge, huge + 1, 3 * huge};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (unsigned turn = 0; turn < 3; turn++) {
            uint8_t *at = pages_new(turn ? 1 : sizes[i], turn ? sizes[i] : 1);
            assert_non_null(at);
            assert_int_equal((uintptr_t)at % (sizes[i] < huge ? 64 : huge), 0);
            assert_true(malloc_usable_size(at) >= sizes[i]);
            for (size_t k = 0; k < sizes[i]; k++)
                if (at[k])
                    fail_msg("byte %zu of %zu is %02x", k, sizes[i], at[k]);
            memset(at, 0xA5, sizes[i]); /* the allocator may return this memory in the next turn */
            free(at);
        }
    void *none = pages_new(0, 0); /* a size of 0 is no error */
    assert_non_null(none);
    free(none);
}

/* Does the kernel say that huge pages are advised for this address? -1: it does not say. */
static int is_advised(const void *at)
{
    char line[512];
    int advised = -1;
    bool here = false;
    FILE *f = fopen("/proc/self/smaps", "r");
    while (f && fgets(line, sizeof line, f)) {
        uintptr_t first, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &end) == 2)
            here = (uintptr_t)at >= first && (uintptr_t)at < end;
        else if (here && !strncmp(line, "VmFlags:", 8))
            advised = strstr(line, " hg") != NULL;
    }
    if (f)
        fclose(f);
    return advised;
}

static void only_large_memory_has_huge_pages(void **state)
{
    (void)state;
    uint8_t *small = pages_new(1, 4096), *large = pages_new(1, 3 * huge);
    int of_small = is_advised(small), of_large = is_advised(large);
    free(small);
    free(large);
    if (of_large < 0 || access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) != 0) {
        print_message("skipped: this kernel does not list advice\n");
        skip();
    }
    assert_int_equal(of_small, 0);
    assert_int_equal(of_large, 1);
}

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    assert_null(pages_new(SIZE_MAX, 2));
    assert_null(pages_new(2, SIZE_MAX));
    assert_null(pages_new(SIZE_MAX / 2 + 1, 2)); /* the product wraps to 0 */
    assert_null(pages_new(SIZE_MAX / 16, 17));   /* the product wraps to a small number */
    assert_null(pages_new(1, SIZE_MAX));         /* rounding up makes it small */
}

static void outcomes_lie_beside_one_another(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        struct outcome *list[COUNT + 1] = {0};
        uint8_t *at = pages_of_outcomes(u, COUNT, list);
        assert_non_null(at);
        assert_true(malloc_usable_size(at) >= COUNT * outcome_bytes(u) + image_rules_bytes(u));
        for (unsigned i = 0; i < COUNT; i++) {
            assert_ptr_equal(list[i], at + i * outcome_bytes(u));
            assert_ptr_equal(list[i]->unit, u);
        }
        assert_null(list[COUNT]);
        free(at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(only_large_memory_has_huge_pages),
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(outcomes_lie_beside_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
