/* SPDX-License-Identifier: MIT */
#include "harness/system/machine.h"

#include <stdio.h>
#include <string.h>

/* Returns the value of a line "field : value"; NULL if the line is of another field. */
static const char *value_of(const char *field, const char *line)
{
    size_t length = strlen(field);
    if (strncmp(line, field, length) != 0)
        return NULL;
    line += length + strspn(line + length, "\t ");
    return *line == ':' ? line + 1 + strspn(line + 1, "\t ") : NULL;
}

void machine_describe(char *to, size_t room)
{
    char line[256], processor[128] = "unknown processor";
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && fgets(line, sizeof line, f)) {
        const char *name = value_of("model name", line); /* of a PC */
        name = name ? name : value_of("Model", line);    /* of a board with an Arm processor */
        if (name) {
            snprintf(processor, sizeof processor, "%.*s", (int)strcspn(name, "\n"), name);
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
