/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"

#include "oracle/file.h"
#include "oracle/trace.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool has_ending(const char *path, const char *ending)
{
    size_t a = strlen(path), b = strlen(ending);
    return a >= b && !strcmp(path + a - b, ending);
}

static bool add(struct inputs *in, const char *path, enum input_kind kind, const struct unit *u)
{
    if (in->count == in->room) {
        in->room = in->room ? 2 * in->room : 64;
        struct input *more = realloc(in->file, in->room * sizeof *more);
        if (!more)
            abort();
        in->file = more;
    }
    char *copy = strdup(path);
    if (!copy)
        abort();
    in->file[in->count++] = (struct input){copy, kind, u};
    return true;
}

static bool add_file(struct inputs *in, const char *path, const struct unit *raw_unit, bool named, struct error *e)
{
    if (has_ending(path, ".trace")) {
        struct trace_reader *r = trace_open(path, e);
        if (!r)
            return false;
        add(in, path, INPUT_TRACE, trace_unit(r));
        trace_close(r);
        return true;
    }
    size_t count;
    char *bytes = file_read(path, &count, e);
    if (!bytes)
        return false;
    bool good = true, text = case_is_text(bytes, count);
    if (text || has_ending(path, ".case")) {
        const struct unit *u = text ? case_text_unit(bytes, count, e) : NULL;
        good = u      ? add(in, path, INPUT_CASE, u)
               : text ? error_where(e, "%s", path)
                      : error_set(e, "%s: is no case: its first line should be 'misprint-case 1 UNIT'", path);
    } else if (raw_unit && !has_ending(path, ".md") && !has_ending(path, ".txt")) {
        add(in, path, INPUT_RAW, raw_unit);
    } else if (named) {
        good = error_set(e, "%s: is neither a case ('misprint-case 1 UNIT' as first line) nor a trace (.trace); for a fuzzer's raw input say --unit",
                         path);
    } else {
        in->passed_over++;
    }
    free(bytes);
    return good;
}

static int visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* bytes, not the locale's order */
}

static bool add_path(struct inputs *in, const char *path, const struct unit *raw_unit, bool named, struct error *e)
{
    struct stat s;
    if (stat(path, &s) != 0)
        return error_set(e, "%s: %s", path, strerror(errno));
    if (!S_ISDIR(s.st_mode))
        return add_file(in, path, raw_unit, named, e);
    struct dirent **entry;
    int count = scandir(path, &entry, visible, by_name);
    if (count < 0)
        return error_set(e, "%s: cannot read the folder: %s", path, strerror(errno));
    bool good = true;
    for (int i = 0; i < count; i++) {
        char child[4096];
        if (good && (size_t)snprintf(child, sizeof child, "%s/%s", path, entry[i]->d_name) < sizeof child)
            good = add_path(in, child, raw_unit, false, e);
        free(entry[i]);
    }
    free(entry);
    return good;
}

struct inputs *inputs_open(const struct arguments *a, struct error *e)
{
    const struct unit *raw = NULL;
    if (a->option[OPTION_UNIT] && !(raw = unit_find(a->option[OPTION_UNIT], e)))
        return NULL;
    struct inputs *in = calloc(1, sizeof *in);
    if (!in)
        abort();
    bool good = true;
    for (int i = 0; good && i < a->words; i++) {
        unsigned before = in->count;
        good = add_path(in, a->word[i], raw, true, e);
        if (good && in->count == before)
            good = error_set(e, "%s: holds no case and no trace%s", a->word[i], raw ? "" : "; for a fuzzer's raw inputs say --unit");
    }
    if (good)
        return in;
    inputs_close(in);
    return NULL;
}

void inputs_close(struct inputs *in)
{
    for (unsigned i = 0; in && i < in->count; i++)
        free(in->file[i].path);
    if (in)
        free(in->file);
    free(in);
}

const struct unit *inputs_only_unit(const struct inputs *in, struct error *e)
{
    for (unsigned i = 1; i < in->count; i++)
        if (in->file[i].unit != in->file[0].unit) {
            error_set(e, "%s is of unit %s, %s of unit %s; name inputs of one unit only", in->file[0].path, in->file[0].unit->name, in->file[i].path,
                      in->file[i].unit->name);
            return NULL;
        }
    return in->file[0].unit;
}

typedef bool each_case(void *context, const struct test_case *c, const char *label, struct error *e);

static bool each_of_trace(const char *path, struct test_case *c, each_case *f, void *context, struct error *e)
{
    struct trace_reader *r = trace_open(path, e);
    if (!r)
        return false;
    struct outcome *o = outcome_new(trace_unit(r));
    const char *label;
    int more = 1;
    bool good = true;
    while (good && (more = trace_next(r, c, o, &label, e)) > 0)
        good = f(context, c, label, e);
    outcome_free(o);
    trace_close(r);
    return good && more == 0;
}

bool inputs_each(const struct inputs *in, const struct unit *u, each_case *f, void *context, struct error *e)
{
    struct test_case *c = malloc(sizeof *c);
    bool good = c != NULL;
    for (unsigned i = 0; good && i < in->count; i++) {
        const struct input *file = &in->file[i];
        if (file->unit != u)
            continue;
        if (file->kind == INPUT_TRACE)
            good = each_of_trace(file->path, c, f, context, e);
        else
            good = case_load(file->path, file->unit, c, e) && f(context, c, file->path, e);
    }
    free(c);
    return good;
}
