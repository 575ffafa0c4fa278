/* SPDX-License-Identifier: MIT */
/* `misprint minimize` chooses a few cases of a corpus that cover as much as the whole corpus. */
#include "cli/cli.h"

#include "cli/session/inputs.h"
#include "fuzz/minimize.h"
#include "oracle/files/file.h"
#include "oracle/store/finding.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct minimizing {
    const char *folder; /* the folder to write to */
    const struct inputs *in;
    uint32_t at; /* index of the input that is being read */
    struct minimizer *minimizer;
};

/* Creates the folder. If it exists, it must be empty, so that afterwards it holds nothing but the result. */
static bool make_empty_folder(const char *path, struct error *e)
{
    struct dirent **entry;
    if (!file_make_folder(path, e))
        return false;
    int count = scandir(path, &entry, NULL, NULL);
    for (int i = 0; i < count; i++)
        free(entry[i]);
    if (count >= 0)
        free(entry);
    return count == 2 ||
           error_set(e, count < 0 ? "%s: is not a folder" : "%s: is not empty; name a new folder", path);
}

static bool add_case(void *context, const struct test_case *c, const char *label, struct error *e)
{
    struct minimizing *m = context;
    (void)label;
    return interrupted ? error_set(e, "interrupted: nothing was written")
                       : minimizer_add(m->minimizer, c, m->at, e);
}

static const char *name_of(const struct input *file)
{
    const char *slash = strrchr(file->path, '/');
    return slash ? slash + 1 : file->path;
}

/* Copies a case file under its own name, with its comments. A case without such a file (from a trace, a raw
 * input or standard input), or whose name is taken, is written under its hash. */
static bool write_kept(void *context, const struct test_case *c, uint32_t tag, struct error *e)
{
    const struct minimizing *m = context;
    const struct input *from = &m->in->file[tag];
    char path[4096];
    struct text t = {0};
    if (from->kind == INPUT_CASE && !from->bytes) {
        size_t count;
        snprintf(path, sizeof path, "%s/%s", m->folder, name_of(from));
        struct stat st;
        char *bytes = stat(path, &st) != 0 ? file_read(from->path, &count, e) : NULL;
        if (bytes) {
            bool good = file_write(path, bytes, count, e);
            free(bytes);
            return good;
        }
    }
    snprintf(path, sizeof path, "%s/%s-%016" PRIx64 ".case", m->folder, c->unit->name, case_hash(c));
    text_add(&t, "# from %s\n", from->path);
    case_print(c, &t);
    bool good = file_write(path, text_chars(&t), t.length, e);
    text_free(&t);
    return good;
}

static void print_minimized(const struct unit *u, const struct minimized *m, struct text *t)
{
    text_add(t,
             "%s: %u case%s, %u kept, %u dropped (%u equal to another)\n"
             "  the kept cases touch all %u triples of clause, reading and mode that all cases touched, and "
             "distinguish\n  all %u pairs of readings that they distinguished, %u of them only by which bits "
             "are undefined\n",
             u->name, m->cases, plural(m->cases), m->kept, m->cases - m->kept, m->twins,
             m->features[FEATURE_TOUCHES], m->features[FEATURE_SEPARATES], m->features[FEATURE_DEFINES]);
}

static json_t *minimized_json(const struct unit *u, const struct minimized *m)
{
    return json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "unit", u->name, "cases", (int)m->cases,
                     "kept", (int)m->kept, "dropped", (int)(m->cases - m->kept), "twins", (int)m->twins,
                     "touched", (int)m->features[FEATURE_TOUCHES], "separated",
                     (int)m->features[FEATURE_SEPARATES], "defined", (int)m->features[FEATURE_DEFINES]);
}

/* Sorts by name, so that the order of the arguments does not matter. */
static int by_name(const void *a, const void *b)
{
    const struct input *x = a, *y = b;
    int order = strcmp(name_of(x), name_of(y));
    return order ? order : strcmp(x->path, y->path);
}

/* Reads all cases of a unit. Nothing is written until the cases of all units have been read. NULL with an
 * error. */
static struct minimizer *read_unit(struct minimizing *m, const struct unit *u, struct error *e)
{
    bool good = true;
    m->minimizer = minimizer_new(u);
    for (m->at = 0; good && m->at < m->in->count; m->at++)
        good = m->in->file[m->at].unit != u || input_each(&m->in->file[m->at], add_case, m, e);
    if (good)
        return m->minimizer;
    minimizer_free(m->minimizer);
    return NULL;
}

static bool minimize_all(struct minimizing *m, struct text *t, json_t *list, struct error *e)
{
    enum { UNITS_MAX = 32 };
    struct minimizer *of[UNITS_MAX] = {NULL};
    struct minimized what;
    bool good = true;
    for (unsigned i = 0; good && unit_at(i) && i < UNITS_MAX; i++)
        if (inputs_have(m->in, unit_at(i), true))
            good = (of[i] = read_unit(m, unit_at(i), e)) != NULL;
    for (unsigned i = 0; i < UNITS_MAX; i++) {
        good = good && (!of[i] || minimizer_choose(of[i], write_kept, m, &what, e));
        if (good && of[i]) {
            print_minimized(unit_at(i), &what, t);
            json_array_append_new(list, minimized_json(unit_at(i), &what));
        }
        minimizer_free(of[i]);
    }
    return good;
}

static int run_minimize(const struct arguments *a)
{
    struct error e = {0};
    struct text t = {0};
    struct minimizing m = {.folder = a->option[OPTION_FOLDER]};
    if (!m.folder)
        return fail_usage("name the folder for the cases that are kept: -o DIR");
    catch_interrupts();
    struct inputs *in = inputs_open(a, false, &e);
    json_t *list = json_array();
    m.in = in;
    if (in)
        qsort(in->file, in->count, sizeof *in->file, by_name);
    bool good = in && make_empty_folder(m.folder, &e) && minimize_all(&m, &t, list, &e);
    inputs_close(in);
    if (good)
        return print_result(a, &t, list, STATUS_EQUAL);
    json_decref(list);
    text_free(&t);
    return fail(interrupted ? STATUS_BROKEN : STATUS_USAGE, &e);
}

const struct command command_minimize = {
    .name = "minimize",
    .synopsis = "CORPUS...",
    .about = "keep few cases that cover what the whole corpus covers",
    .examples = "  misprint minimize corpus/vc4-vpm my-campaign/cases -o small",
    .details =
        "Chooses a few of the given cases and writes them to DIR (-o DIR, new or empty). They touch the same "
        "clauses under the same readings in the same modes, and distinguish the same readings, as all cases "
        "together. It takes case files, traces, raw fuzzer inputs (--unit), and folders of them.\n\n"
        "The choice is greedy: each case that is kept is needed, but another choice may be smaller. The same "
        "corpus always gives the same choice.",
    .options = {OPTION_FOLDER, OPTION_UNIT, OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_minimize,
};
