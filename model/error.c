/* SPDX-License-Identifier: MIT */
#include "model/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool(error_set)(struct error *e, const char *format, ...)
{
    if (e) {
        va_list list;
        va_start(list, format);
        (void)vsnprintf(e->text, sizeof e->text, format, list);
        va_end(list);
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
        size_t used = strlen(e->text);
        (void)snprintf(e->text + used, sizeof e->text - used, ": %s", rest);
    }
    return false;
}
