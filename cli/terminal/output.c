/* SPDX-License-Identifier: MIT */
#include "cli/terminal/output.h"

#include "cli/cli.h"
#include "oracle/files/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool output_closed;

int fail(int status, const struct error *e)
{
    fprintf(stderr, "misprint: %s\n", e->text[0] ? e->text : "failed without a message");
    return e->of_machine ? STATUS_BROKEN : status;
}

int fail_usage(const char *format, ...)
{
    struct error e = {0};
    char text[ERROR_TEXT_MAX];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    error_set(&e, "%s", text); /* error_set replaces control characters */
    return fail(STATUS_USAGE, &e);
}

int write_text(const char *path, const struct text *t, int status)
{
    struct error e = {0};
    bool standard = !strcmp(path, "-");
    if (output_closed && standard)
        return STATUS_CLOSED;
    if (file_write(path, text_chars(t), t->length, &e))
        return status;
    if (!standard || errno != EPIPE)
        return fail(standard ? STATUS_BROKEN : STATUS_USAGE, &e);
    output_closed = true; /* the reader has closed the pipe, as in `misprint ... | head`: no error */
    interrupted = 1;
    return STATUS_CLOSED;
}

int print_text(struct text *t, int status)
{
    status = write_text("-", t, status);
    text_free(t);
    return status;
}

bool text_add_json(struct text *t, json_t *j)
{
    char *chars = json_dumps(j, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    bool good = chars != NULL;
    text_add(t, "%s\n", good ? chars : "null");
    free(chars);
    json_decref(j);
    return good;
}

int print_json(json_t *j, int status)
{
    struct text t = {0};
    (void)text_add_json(&t, j);
    return print_text(&t, status);
}

int print_result(const struct arguments *a, struct text *t, json_t *j, int status)
{
    if (!a->option[OPTION_JSON]) {
        json_decref(j);
        return print_text(t, status);
    }
    text_free(t);
    return print_json(j, status);
}

bool wants_progress(const struct arguments *a)
{
    return !a->option[OPTION_QUIET] && isatty(STDERR_FILENO);
}
