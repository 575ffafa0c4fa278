/* SPDX-License-Identifier: MIT */
#include "harness/system/machine.h"

#include <stdio.h>
#include <string.h>

void machine_describe(char *to, size_t room)
{
    char line[256], processor[128] = "unknown processor";
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (colon && (!strncmp(line, "model name", 10) || !strncmp(line, "Model", 5))) {
            snprintf(processor, sizeof processor, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    if (f)
        fclose(f);
#ifdef __clang__
    snprintf(to, room, "%s; misprint %s, %s", processor, MISPRINT_VERSION, __VERSION__);
#else
    snprintf(to, room, "%s; misprint %s, gcc %s", processor, MISPRINT_VERSION, __VERSION__);
#endif
}
