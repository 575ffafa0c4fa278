/* SPDX-License-Identifier: MIT */
/* Reports name the machine: its processor as the kernel names it, Misprint's version, the compiler. */
#include "harness/system/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* The first of the lines "model name" (PCs) and "Model" (boards with Arm processors) of /proc/cpuinfo. */
static void name_processor(char name[256])
{
    char line[512];
    FILE *f = fopen("/proc/cpuinfo", "r");
    (void)snprintf(name, 256, "unknown processor");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %255[^\n]", name) == 1 || sscanf(line, "Model : %255[^\n]", name) == 1)
            break;
    if (f)
        (void)fclose(f);
}

static void the_processor_is_named_as_the_kernel_names_it(void **state)
{
    (void)state;
    char name[256], described[512];
    name_processor(name);
    machine_describe(described, sizeof described);
    name[strlen(name) > 100 ? 100 : strlen(name)] = 0; /* a very long name may be cut */
    assert_memory_equal(described, name, strlen(name));
    assert_non_null(strstr(described, "; misprint "));
    char little[8];
    machine_describe(little, sizeof little);
    assert_int_equal(strlen(little), sizeof little - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_processor_is_named_as_the_kernel_names_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
