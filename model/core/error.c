/* SPDX-License-Identifier: MIT */
#include "model/core/error.h"

#include "model/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sets the text, and replaces control characters. An error may quote input from outside, and such input must
 * not control the user's terminal. */
static void set_text(struct error *e, const char *format, va_list list)
{
    char text[ERROR_TEXT_MAX];
    (void)vsnprintf(text, sizeof text, format, list);
    text_copy_utf8(e->text, sizeof e->text, text, strlen(text));
}

bool(error_set)(struct error *e, const char *format, ...)
{
    if (e) {
        va_list list;
        va_start(list, format);
        set_text(e, format, list);
        va_end(list);
    }
    return false;
}

bool(error_of_machine)(struct error *e)
{
    if (e)
        e->of_machine = true;
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
        const struct error rest = *e;
        va_list list;
        va_start(list, format);
        set_text(e, format, list);
        va_end(list);
        size_t used = strlen(e->text);
        const char *link = strncmp(rest.text, "column ", 7) ? ": " : ", ";
        text_copy_utf8(e->text + used, sizeof e->text - used, link, 2);
        used = strlen(e->text);
        text_copy_utf8(e->text + used, sizeof e->text - used, rest.text, strlen(rest.text));
    }
    return false;
}

bool(error_unknown)(struct error *e, const char *what, const char *word,
                    const char *(*name)(const void *context, unsigned i), const void *context,
                    const char *advice)
{
    return (error_set)(e, "unknown %s '%.60s'%s%s%s%s", what, word, text_hint(word, name, context).chars,
                       advice ? " (" : "", advice ? advice : "", advice ? ")" : "");
}
