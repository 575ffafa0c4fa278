/* SPDX-License-Identifier: MIT */
#include "cli/terminal/output.h"

#include "cli/cli.h"
#include "oracle/files/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool output_closed;

int fail(int status, const struct error *e)
{
    (void)fprintf(stderr, "misprint: %s\n", e->text[0] ? e->text : "something failed without saying what");
    return e->of_machine ? STATUS_BROKEN : status;
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
    output_closed = true; /* as `| head` does: nothing to tell anybody */
    interrupted = 1;
    return STATUS_CLOSED;
}

int print_text(const struct text *t, int status)
{
    return write_text("-", t, status);
}

int print_json(json_t *j, int status)
{
    struct text t = {0};
    char *chars = json_dumps(j, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    text_add(&t, "%s\n", chars ? chars : "null");
    free(chars);
    json_decref(j);
    status = print_text(&t, status);
    text_free(&t);
    return status;
}

bool wants_progress(const struct arguments *a)
{
    return !a->option[OPTION_QUIET] && isatty(STDERR_FILENO);
}
