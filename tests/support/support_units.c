/* SPDX-License-Identifier: MIT */
#include "tests/support/support_units.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>
#include <unistd.h>

unsigned support_scaled(unsigned full)
{
    const char *scale = getenv("MISPRINT_TEST_SCALE");
    unsigned long percent = scale ? strtoul(scale, NULL, 10) : 100;
    unsigned n = (unsigned)((unsigned long)full * percent / 100);
    return n ? n : 1;
}

const char *support_data(const char *format, ...)
{
    static char path[4096];
    const char *given = getenv("MISPRINT_TEST_DATA");
    int length = snprintf(path, sizeof path, "%.3000s/",
                          given && *given ? given : MISPRINT_SOURCE_DIR "/../shared/data");
    va_list values;
    va_start(values, format);
    (void)vsnprintf(path + length, sizeof path - (size_t)length, format, values);
    va_end(values);
    return path;
}

void support_fail_case(const struct test_case *c, const char *format, ...)
{
    struct text t = {0};
    char sentence[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    case_print(c, &t);
    printf("%s\n%s", sentence, text_chars(&t)); /* cmocka's print_message would cut it */
    (void)fflush(stdout);
    text_free(&t);
    fail_msg("%s", sentence);
}

void support_remove_all(const char *path)
{
    char inner[512];
    DIR *d = opendir(path);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (unlink(inner) != 0)
            support_remove_all(inner);
    }
    if (d)
        closedir(d);
    rmdir(path);
}
