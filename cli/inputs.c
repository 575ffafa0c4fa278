/* SPDX-License-Identifier: MIT */
#include "cli/inputs.h"
#include "model/memory.h"

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

static void add(struct inputs *in, const char *path, enum input_kind kind, const struct unit *u)
{
    if (in->count == in->room) {
        in->room = in->room ? 2 * in->room : 64;
        in->file = memory_grow(in->file, in->room, sizeof *in->file);
    }
    size_t size = strlen(path) + 1;
    char *copy = memcpy(memory_new(size, 1), path, size);
    in->file[in->count++] = (struct input){.path = copy, .kind = kind, .unit = u};
}

/* The case is parsed to its end, so that an error in it shows before anything runs. */
static bool add_text(struct inputs *in, const char *path, const char *bytes, size_t count, struct error *e)
{
    struct test_case *c = memory_new(1, sizeof *c);
    bool good = case_from_bytes(path, bytes, count, NULL, c, e);
    if (good)
        add(in, path, INPUT_CASE, c->unit);
    free(c);
    return good;
}

static bool add_bytes(struct inputs *in, const char *path, const char *bytes, size_t count, const struct unit *raw_unit, bool named, struct error *e)
{
    if (case_is_text(bytes, count) || has_ending(path, ".case"))
        return add_text(in, path, bytes, count, e);
    if (raw_unit && !has_ending(path, ".md") && !has_ending(path, ".txt"))
        add(in, path, INPUT_RAW, raw_unit);
    else if (named)
        return text_unmarked(path, bytes, count, e) &&
               error_set(e, "%s: is neither a case ('misprint-case 1 UNIT' as first line) nor a trace (.trace); for a fuzzer's raw input say --unit",
                         path);
    else
        in->passed_over++;
    return true;
}

static bool add_file(struct inputs *in, const char *path, const struct unit *raw_unit, bool named, struct error *e)
{
    if (has_ending(path, ".trace")) {
        const struct unit *u = trace_check(path, e);
        if (u)
            add(in, path, INPUT_TRACE, u);
        return u != NULL;
    }
    size_t count;
    char *bytes = file_read(path, &count, e);
    bool good = bytes && add_bytes(in, path, bytes, count, raw_unit, named, e);
    free(bytes);
    return good;
}

static bool add_standard_input(struct inputs *in, const struct unit *raw_unit, struct error *e)
{
    for (unsigned i = 0; i < in->count; i++)
        if (in->file[i].bytes)
            return error_set(e, "standard input can be read once: say - once");
    size_t count;
    char *bytes = file_read("-", &count, e);
    unsigned before = in->count;
    if (!bytes || !add_bytes(in, "standard input", bytes, count, raw_unit, true, e) || in->count == before) {
        free(bytes);
        return false;
    }
    in->file[before].bytes = bytes;
    in->file[before].count = count;
    return true;
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
    if (named && !strcmp(path, "-"))
        return add_standard_input(in, raw_unit, e);
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
    struct inputs *in = memory_new(1, sizeof *in);
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
    for (unsigned i = 0; in && i < in->count; i++) {
        free(in->file[i].path);
        free(in->file[i].bytes);
    }
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

bool inputs_have(const struct inputs *in, const struct unit *u, bool traces)
{
    for (unsigned i = 0; i < in->count; i++)
        if (in->file[i].unit == u && (traces || in->file[i].kind != INPUT_TRACE))
            return true;
    return false;
}

bool input_load(const struct input *file, struct test_case *c, struct error *e)
{
    return file->bytes ? case_from_bytes(file->path, file->bytes, file->count, file->unit, c, e) : case_load(file->path, file->unit, c, e);
}

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

bool input_each(const struct input *file, each_case *f, void *context, struct error *e)
{
    struct test_case *c = memory_new(1, sizeof *c);
    bool good = file->kind == INPUT_TRACE ? each_of_trace(file->path, c, f, context, e) : input_load(file, c, e) && f(context, c, file->path, e);
    free(c);
    return good;
}

bool inputs_each(const struct inputs *in, const struct unit *u, each_case *f, void *context, struct error *e)
{
    bool good = true;
    for (unsigned i = 0; good && i < in->count; i++)
        good = in->file[i].unit != u || input_each(&in->file[i], f, context, e);
    return good;
}
