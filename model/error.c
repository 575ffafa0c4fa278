/* SPDX-License-Identifier: MIT */
#include "model/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What a stranger wrote is quoted in errors; nothing of it may steer a terminal. */
static void clean(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            *text = '?';
}

bool(error_set)(struct error *e, const char *format, ...)
{
    if (e) {
        va_list list;
        va_start(list, format);
        (void)vsnprintf(e->text, sizeof e->text, format, list);
        va_end(list);
        clean(e->text);
    }
    return false;
}

bool(error_memory)(struct error *e, const char *format, ...)
{
    if (e) {
        char during[ERROR_TEXT_MAX - 32];
        va_list list;
        va_start(list, format);
        (void)vsnprintf(during, sizeof during, format, list);
        va_end(list);
        e->of_machine = true;
        (error_set)(e, "out of memory %s", during);
    }
    return false;
}

bool(error_where)(struct error *e, const char *format, ...)
{
    if (e) {
        char rest[ERROR_TEXT_MAX];
        (void)snprintf(rest, sizeof rest, "%s", e->text);
        va_list list;
        va_start(list, format);
        (void)vsnprintf(e->text, sizeof e->text, format, list);
        va_end(list);
        clean(e->text);
        size_t used = strlen(e->text);
        (void)snprintf(e->text + used, sizeof e->text - used, "%s %s", strncmp(rest, "column ", 7) ? ":" : ",", rest);
    }
    return false;
}
