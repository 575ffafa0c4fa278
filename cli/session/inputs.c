/* SPDX-License-Identifier: MIT */
#include "cli/session/inputs.h"
#include "model/core/memory.h"

#include "fuzz/generate/mutator.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"
#include "oracle/files/trace.h"
#include "oracle/files/words.h"
#include "oracle/store/store.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ID_LENGTH = 14 }; /* length of a finding's id: F-0123456789ab */

static bool has_ending(const char *path, const char *ending)
{
    size_t a = strlen(path), b = strlen(ending);
    return a >= b && !strcmp(path + a - b, ending);
}

const char *const origin_name[ORIGINS] = {"case", "finding",       "crash", "hang",
                                          "leak", "out-of-memory", "corpus"};

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Does the file lie directly in a folder of this name? */
static bool lies_in(const char *path, const char *folder)
{
    const char *end = name_of(path);
    size_t length = strlen(folder);
    return (size_t)(end - path) > length && end[-1] == '/' && !strncmp(end - 1 - length, folder, length) &&
           (end - 1 - length == path || end[-2 - (ptrdiff_t)length] == '/');
}

/* Tells from a file's name why it was kept. AFL++ gives all its files the same form of name, so for these the
 * folder decides. */
static enum input_origin origin_of(const char *path)
{
    static const struct {
        const char *start, *folder;
        enum input_origin origin;
    } names[] = {
        {"crash-", NULL, ORIGIN_CRASH}, {"timeout-", NULL, ORIGIN_HANG}, {"slow-unit-", NULL, ORIGIN_HANG},
        {"leak-", NULL, ORIGIN_LEAK},   {"oom-", NULL, ORIGIN_MEMORY},   {"id:", "crashes", ORIGIN_CRASH},
        {"id:", "hangs", ORIGIN_HANG},  {"id:", "queue", ORIGIN_CORPUS}, {"id_", "crashes", ORIGIN_CRASH},
        {"id_", "hangs", ORIGIN_HANG},  {"id_", "queue", ORIGIN_CORPUS},
    };
    const char *name = name_of(path);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i].start, strlen(names[i].start)) &&
            (!names[i].folder || lies_in(path, names[i].folder)))
            return names[i].origin;
    size_t length = strlen(name); /* libFuzzer and our engines name the files of a corpus by hashes */
    bool hash = (length == 40 || length == 16) && strspn(name, "0123456789abcdef") == length;
    return hash ? ORIGIN_CORPUS : ORIGIN_PLAIN;
}

/* Returns the unit whose name is a word of the path; the last one if there are several. */
static const struct unit *unit_in(const char *path)
{
    const struct unit *last = NULL;
    const char *at = path;
    for (unsigned i = 0; unit_at(i); i++) {
        const char *name = unit_at(i)->name;
        size_t length = strlen(name);
        for (const char *p = path; (p = strstr(p, name)); p++)
            if (p >= at && (p == path || !isalnum((unsigned char)p[-1])) &&
                !isalnum((unsigned char)p[length])) {
                last = unit_at(i);
                at = p;
            }
    }
    return last;
}

/* Returns the unit of the campaign in which the path lies, if it has only one. The last result is cached,
 * because all files of a folder ask for the same campaign. */
static const struct unit *unit_of_campaign(struct inputs *in, const char *path)
{
    char folder[sizeof in->campaign];
    struct error ignored;
    unsigned runs = 0;
    if ((size_t)snprintf(folder, sizeof folder, "%s", path) >= sizeof folder)
        return NULL;
    for (char *slash; (slash = strrchr(folder, '/'));) {
        *slash = 0;
        if (store_is_campaign(folder))
            break;
    }
    if (!strcmp(folder, in->campaign))
        return in->campaign_unit;
    memcpy(in->campaign, folder, sizeof folder);
    in->campaign_unit = NULL;
    struct store *s = store_is_campaign(folder) ? store_open(folder, false, &ignored) : NULL;
    struct run_facts *run = s ? store_runs(s, &runs, &ignored) : NULL;
    for (unsigned i = 0; i < runs; i++)
        in->campaign_unit = i && strcmp(run[i].unit, run[0].unit) != 0 ? NULL : unit_named(run[i].unit);
    free(run);
    store_close(s);
    return in->campaign_unit;
}

/* Does the text begin with a finding's id, as reports print it? */
static bool begins_with_id(const char *text)
{
    return !strncmp(text, "F-", 2) && strspn(text + 2, "0123456789abcdef") >= ID_LENGTH - 2;
}

/* Reads the id of the finding to which a case file belongs, from the file's name or its first line. */
static bool read_id(const char *path, const char *bytes, size_t count, char id[24])
{
    static const char mark[] = "# finding ";
    size_t length = sizeof mark - 1;
    bool marked = count > length + ID_LENGTH && !memcmp(bytes, mark, length);
    const char *places[] = {name_of(path), marked ? bytes + length : ""};
    for (unsigned i = 0; i < 2; i++)
        if (begins_with_id(places[i])) {
            snprintf(id, 24, "%.*s", ID_LENGTH, places[i]);
            return true;
        }
    return false;
}

static void add(struct inputs *in, const char *path, enum input_kind kind, const struct unit *u)
{
    if (in->count == in->room) {
        in->room = in->room ? 2 * in->room : 64;
        in->file = memory_grow(in->file, in->room, sizeof *in->file);
    }
    size_t size = strlen(path) + 1;
    char *copy = memcpy(memory_new(size, 1), path, size);
    in->file[in->count++] = (struct input){.path = copy, .kind = kind, .unit = u, .origin = origin_of(path)};
}

/* Returns the unit of a program of bare words; NULL: programs of this unit are not taken. `raw_unit`: that of
 * --unit, or NULL. */
static const struct unit *program_unit(const struct unit *raw_unit)
{
    const struct unit *qpu = unit_named("vc4-qpu");
    return !raw_unit || raw_unit == qpu || raw_unit == unit_named("v3d-qpu") ? raw_unit ? raw_unit : qpu
                                                                             : NULL;
}

/* Is this a program of bare words? Hexadecimal words are a program. Without --unit, all bytes that are not
 * text are a program, too. */
static bool is_program(const char *path, const char *bytes, size_t count, const struct unit *raw_unit)
{
    if (origin_of(path) != ORIGIN_PLAIN || !program_unit(raw_unit))
        return false;
    return words_look_hexadecimal(bytes, count) ||
           (!raw_unit && case_may_be_raw(path, bytes, count, NULL, NULL));
}

/* Parses the whole case or program, so that errors are found before anything runs. `u`: the unit that the
 * case or program must have, or NULL. */
static bool add_case(struct inputs *in, enum input_kind kind, const char *path, const char *bytes,
                     size_t count, const struct unit *u, struct error *e)
{
    struct test_case *c = memory_new(1, sizeof *c);
    bool good = kind == INPUT_PROGRAM ? case_from_words(path, program_unit(u), NULL, bytes, count, c, e)
                                      : case_from_bytes(path, bytes, count, u, c, e);
    if (good) {
        add(in, path, kind, c->unit);
        struct input *file = &in->file[in->count - 1];
        if (kind == INPUT_CASE && read_id(path, bytes, count, file->finding))
            file->origin = ORIGIN_FINDING;
    }
    free(c);
    return good;
}

static bool add_bytes(struct inputs *in, const char *path, const char *bytes, size_t count,
                      const struct unit *raw_unit, bool named, struct error *e)
{
    if (!has_ending(path, FILE_TEMPORARY_ENDING) && (case_is_text(bytes, count) || has_ending(path, ".case")))
        return add_case(in, INPUT_CASE, path, bytes, count,
                        named && case_is_text(bytes, count) ? raw_unit : NULL, e);
    if (named && in->programs && is_program(path, bytes, count, raw_unit))
        return add_case(in, INPUT_PROGRAM, path, bytes, count, raw_unit, e);
    const struct unit *u = raw_unit ? raw_unit : origin_of(path) != ORIGIN_PLAIN ? unit_in(path) : NULL;
    if (!u && origin_of(path) != ORIGIN_PLAIN)
        u = unit_of_campaign(in, path);
    if (u && named && origin_of(path) == ORIGIN_PLAIN && !case_may_be_raw(path, bytes, count, u, e))
        return false;
    if (u && !has_ending(path, ".md") && !has_ending(path, ".txt") &&
        !has_ending(path, FILE_TEMPORARY_ENDING))
        add(in, path, INPUT_RAW, u);
    else if (named)
        return text_unmarked(path, bytes, count, e) &&
               error_set(e,
                         "%s: is neither a case (first line 'misprint-case 1 UNIT') nor a trace (.trace)%s",
                         path,
                         u ? ", nor is it named like a fuzzer's input"
                           : "; for a fuzzer's raw input say --unit");
    return true; /* folders may contain other files */
}

static bool add_file(struct inputs *in, const char *path, const struct unit *raw_unit, bool named,
                     struct error *e)
{
    if (has_ending(path, ".trace")) {
        struct trace_facts facts;
        bool good = trace_verify(path, &facts, e);
        for (unsigned i = 0; good && i < facts.parts; i++)
            add(in, path, INPUT_TRACE, facts.part[i].unit);
        return good;
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
            return error_set(e, "standard input can be read only once: say - once");
    size_t count;
    char *bytes = file_read("-", &count, e);
    unsigned before = in->count;
    if (!bytes || !add_bytes(in, "standard input", bytes, count, raw_unit, true, e) || in->count == before) {
        free(bytes);
        return false;
    }
    struct input *file = &in->file[before];
    file->bytes = bytes;
    file->count = count;
    file->named = true;
    return true;
}

static int visible(const struct dirent *d)
{
    return d->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* not alphasort, whose order depends on the locale */
}

/* Is this the output folder of one AFL++ instance? */
static bool is_afl_output(const char *folder)
{
    char path[4096];
    struct stat s;
    return (size_t)snprintf(path, sizeof path, "%s/fuzzer_stats", folder) < sizeof path &&
           stat(path, &s) == 0;
}

static bool afl_keeps_cases_in(const char *name)
{
    return !strcmp(name, "crashes") || !strcmp(name, "hangs") || !strcmp(name, "queue");
}

/* A folder that add_path is reading, and the folder in which it found this folder. */
struct folder {
    dev_t device;
    ino_t node;
    const struct folder *within;
};

/* Does a link lead back to a folder that add_path is reading? Such a link would make it read forever. */
static bool is_within(const struct stat *s, const struct folder *f)
{
    while (f && (f->device != s->st_dev || f->node != s->st_ino))
        f = f->within;
    return f != NULL;
}

/* Adds a file, or everything in a folder. `within` is NULL if the user named the path. */
static bool add_path(struct inputs *in, const char *path, const struct unit *raw_unit,
                     const struct folder *within, struct error *e)
{
    struct stat s;
    bool named = !within;
    unsigned before = in->count;
    if (named && !strcmp(path, "-"))
        return add_standard_input(in, raw_unit, e);
    if (stat(path, &s) != 0)
        return error_set(e, "%s: %s%s", path, strerror(errno),
                         begins_with_id(path) ? "; the case of a finding is CAMPAIGN/cases/F-....case" : "");
    if (!S_ISDIR(s.st_mode)) {
        bool good = add_file(in, path, raw_unit, named, e);
        for (unsigned i = before; i < in->count; i++)
            in->file[i].named = named;
        return good;
    }
    if (is_within(&s, within))
        return true;
    struct folder here = {s.st_dev, s.st_ino, within};
    struct dirent **entry;
    int count = scandir(path, &entry, visible, by_name);
    if (count < 0)
        return error_set(e, "%s: cannot read the folder: %s", path, strerror(errno));
    bool good = true, of_afl = is_afl_output(path);
    for (int i = 0; i < count; i++) {
        char child[4096];
        if (good && (!of_afl || afl_keeps_cases_in(entry[i]->d_name)) &&
            (size_t)snprintf(child, sizeof child, "%s/%s", path, entry[i]->d_name) < sizeof child)
            good = add_path(in, child, raw_unit, &here, e);
        free(entry[i]);
    }
    free(entry);
    return good;
}

/* Says that a folder is empty, or that it holds only files that are no inputs. */
static bool holds_nothing(const char *path, const struct unit *raw_unit, struct error *e)
{
    if (!file_folder_holds(path))
        return error_set(e, "%s: is an empty folder", path);
    return error_set(e, "%s: holds no case and no trace%s", path,
                     raw_unit ? "" : "; for a fuzzer's raw inputs say --unit");
}

struct inputs *inputs_open(const struct arguments *a, bool programs, struct error *e)
{
    const struct unit *raw = NULL;
    if (a->option[OPTION_UNIT] && !(raw = unit_find(a->option[OPTION_UNIT], e)))
        return NULL;
    struct inputs *in = memory_new(1, sizeof *in);
    in->programs = programs;
    bool good = true;
    for (int i = 0; good && i < a->words; i++) {
        unsigned before = in->count;
        good = add_path(in, a->word[i], raw, NULL, e);
        if (good && in->count == before)
            good = holds_nothing(a->word[i], raw, e);
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
            error_set(e, "%s is of unit %s, but %s is of unit %s; name inputs of one unit", in->file[0].path,
                      in->file[0].unit->name, in->file[i].path, in->file[i].unit->name);
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

struct input_reader {
    const struct input *file;
    struct trace_reader *trace;
    struct outcome *ignored; /* takes the outcomes of a trace, which no caller uses */
    char *own;               /* the bytes read from the file */
    const char *bytes;
    size_t count;
    struct pack_reader packed; /* the cases of a raw input */
    unsigned cases;            /* number of cases read so far */
    char label[4200];
};

struct input_reader *input_open(const struct input *file, struct error *e)
{
    struct input_reader *r = memory_new(1, sizeof *r);
    r->file = file;
    r->bytes = file->bytes;
    r->count = file->count;
    if (file->kind == INPUT_TRACE) {
        r->trace = trace_open_unit(file->path, file->unit, e);
        r->ignored = outcome_new(file->unit);
    } else if (!file->bytes) {
        r->bytes = r->own = file_read(file->path, &r->count, e);
    }
    if (!r->trace && !r->bytes) {
        input_close(r);
        return NULL;
    }
    if (file->kind == INPUT_RAW)
        pack_open(&r->packed, (const uint8_t *)r->bytes, r->count);
    return r;
}

static int next_raw(struct input_reader *r, struct test_case *c, const char **label)
{
    const uint8_t *bytes;
    size_t count;
    bool bare = r->packed.bare;
    if (!pack_next(&r->packed, &bytes, &count))
        return 0;
    case_decode(c, r->file->unit, bytes, count);
    snprintf(r->label, sizeof r->label, bare ? "%s" : "%s, case %u", r->file->path, ++r->cases);
    *label = r->label;
    return 1;
}

int input_next(struct input_reader *r, struct test_case *c, const char **label, struct error *e)
{
    const struct input *file = r->file;
    if (file->kind == INPUT_TRACE)
        return trace_next(r->trace, c, r->ignored, label, e);
    if (file->kind == INPUT_RAW)
        return next_raw(r, c, label);
    if (r->cases++)
        return 0;
    *label = file->path;
    bool good = file->kind == INPUT_PROGRAM
                    ? case_from_words(file->path, file->unit, NULL, r->bytes, r->count, c, e)
                    : case_from_bytes(file->path, r->bytes, r->count, file->unit, c, e);
    return good ? 1 : -1;
}

void input_close(struct input_reader *r)
{
    if (!r)
        return;
    trace_close(r->trace);
    outcome_free(r->ignored);
    free(r->own);
    free(r);
}

bool input_each(const struct input *file, each_case *f, void *context, struct error *e)
{
    struct test_case *c = memory_new(1, sizeof *c);
    struct input_reader *r = input_open(file, e);
    const char *label;
    int more = r ? 1 : -1;
    while (more > 0 && (more = input_next(r, c, &label, e)) > 0)
        if (!f(context, c, label, e))
            more = -1;
    input_close(r);
    free(c);
    return more == 0;
}

bool inputs_each(const struct inputs *in, const struct unit *u, each_case *f, void *context, struct error *e)
{
    bool good = true;
    for (unsigned i = 0; good && i < in->count; i++)
        good = in->file[i].unit != u || input_each(&in->file[i], f, context, e);
    return good;
}
