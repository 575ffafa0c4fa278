/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/engine_kind.h"

#include "fuzz/engines/sandbox.h"
#include "model/core/memory.h"
#include "model/text/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 2, 3))) static void add_word(struct command_line *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (l->words < ENGINE_WORDS_MAX)
        (void)vsnprintf(l->word[l->words++], ENGINE_WORD_MAX, format, arguments);
    va_end(arguments);
}

/* ---- libFuzzer ---- */

static void libfuzzer_command(const struct engine_places *p, const struct engine_start *s,
                              struct command_line *l)
{
    add_word(l, "%s", p->target);
    add_word(l, "-seed=%" PRIu64, s->seed % UINT32_MAX);
    add_word(l, "-max_len=%d", CASE_BYTES_MAX);
    add_word(l, "-len_control=0");  /* the mutator itself keeps cases short */
    add_word(l, "-entropic=0");     /* this schedule takes a fifth of the time */
    add_word(l, "-detect_leaks=0"); /* fuzz/targets/more.c does that */
    add_word(l, "-timeout=%d", HANG_SECONDS);
    add_word(l, "-reload=1"); /* so that it reads what the other jobs find */
    add_word(l, "-print_final_stats=1");
    add_word(l, "-artifact_prefix=%s/", s->folder);
    add_word(l, "%s", p->corpus);
}

static void libfuzzer_folders(const struct engine_places *p, unsigned job, const char *folder,
                              struct engine_corpus *ec)
{
    if (job == 0)
        engine_corpus_folder(ec, p->corpus, ENGINE_CORPUS_CASES);
    engine_corpus_folder(ec, folder, ENGINE_CORPUS_DEFECTS);
}

/* ---- AFL++ ---- */

static void afl_name(unsigned job, char name[16])
{
    (void)snprintf(name, 16, job ? "s%u" : "main", job);
}

static void afl_command(const struct engine_places *p, const struct engine_start *s, struct command_line *l)
{
    char name[16];
    afl_name(s->job, name);
    add_word(l, "%s", p->program);
    add_word(l, "-i");
    add_word(l, "%s", p->corpus);
    add_word(l, "-o");
    add_word(l, "%s/afl", p->root);
    add_word(l, s->job ? "-S" : "-M");
    add_word(l, "%s", name);
    if (!s->job) { /* so that it reads what libFuzzer and the campaign find */
        add_word(l, "-F");
        add_word(l, "%s", p->corpus);
    }
    add_word(l, "-t");
    add_word(l, "%d", 1000 * HANG_SECONDS);
    add_word(l, "-s");
    add_word(l, "%" PRIu64, s->seed % UINT32_MAX);
    add_word(l, "--");
    add_word(l, "%s", p->target);
}

/* Sets the variables that the documentation of AFL++ 4.04c describes. Without AFL_NO_AFFINITY, AFL++ ends if
 * no core is free. */
static void afl_environment(const struct engine_places *p)
{
    static const char *const set[] = {"AFL_NO_UI",        "AFL_NO_AFFINITY",
                                      "AFL_SKIP_CPUFREQ", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
                                      "AFL_AUTORESUME",   "AFL_CUSTOM_MUTATOR_ONLY"};
    for (unsigned i = 0; i < sizeof set / sizeof *set; i++)
        (void)setenv(set[i], "1", 1);
    (void)setenv("AFL_CUSTOM_MUTATOR_LIBRARY", p->mutator, 1);
}

static void afl_folders(const struct engine_places *p, unsigned job, const char *folder,
                        struct engine_corpus *ec)
{
    (void)folder;
    static const struct {
        const char *name;
        enum engine_corpus_kind kind;
    } folders[] = {{"queue", ENGINE_CORPUS_CASES},
                   {"crashes", ENGINE_CORPUS_DEFECTS},
                   {"hangs", ENGINE_CORPUS_DEFECTS}};
    char name[16], path[FILE_PATH_MAX];
    afl_name(job, name);
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        (void)snprintf(path, sizeof path, "%.4000s/afl/%s/%s", p->root, name, folders[i].name);
        engine_corpus_folder(ec, path, folders[i].kind);
    }
}

static const struct engine_kind engines[] = {
    {"libfuzzer", NULL, NULL, libfuzzer_command, NULL, libfuzzer_folders},
    {"afl", "afl-fuzz", "afl++", afl_command, afl_environment, afl_folders},
};

enum { ENGINES = sizeof engines / sizeof *engines };

const char *engine_name_at(unsigned i)
{
    return i < ENGINES ? engines[i].name : NULL;
}

const struct engine_kind *engine_named(const char *name, struct error *e)
{
    struct text names = {0};
    for (unsigned i = 0; i < ENGINES; i++) {
        if (!strcmp(engines[i].name, name)) {
            text_free(&names);
            return &engines[i];
        }
        text_add(&names, ", %s", engines[i].name);
    }
    error_set(e, "there is no engine '%s'; there are builtin%s", name, text_chars(&names));
    text_free(&names);
    return NULL;
}

/* ---- finding the programs that an engine needs ---- */

static bool find_program(const char *name, const char *package, char path[FILE_PATH_MAX], struct error *e)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        size_t length = strcspn(at, ":");
        (void)snprintf(path, FILE_PATH_MAX, "%.*s/%s", (int)length, at, name);
        if (access(path, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return error_set(e, "%s is not installed; `apt-get install %s` installs it", name, package);
}

/* Looks in MISPRINT_ENGINES. If that is not set, looks beside the command, in a build and in an
 * installation. */
static bool find_in_engines(const char *engine, const char *file, char path[FILE_PATH_MAX])
{
    char self[FILE_PATH_MAX / 2] = "";
    const char *named = getenv("MISPRINT_ENGINES");
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    static const char *const beside[] = {"libexec/misprint", "../libexec/misprint"};
    if (named) {
        (void)snprintf(path, FILE_PATH_MAX, "%.2000s/%s/%s", named, engine, file);
        return access(path, R_OK) == 0;
    }
    for (unsigned i = 0; i < sizeof beside / sizeof *beside; i++) {
        (void)snprintf(path, FILE_PATH_MAX, "%s/%s/%s/%s", self, beside[i], engine, file);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

bool engine_find(const struct engine_kind *k, const struct unit *u, struct engine_places *p, struct error *e)
{
    char target[128];
    (void)snprintf(target, sizeof target, "diff_%s", u->name);
    if (k->program && !find_program(k->program, k->package, p->program, e))
        return false;
    if (!find_in_engines(k->name, target, p->target) ||
        (k->program && !find_in_engines(k->name, "libmisprint-mutator.so", p->mutator)))
        return error_set(e,
                         "engine %s: its target %s is not built; `cmake --build BUILD --target engines` "
                         "builds it (`scripts/setup test` installs what that needs)",
                         k->name, target);
    return true;
}

bool engine_check(const char *name, const struct unit *u, struct error *e)
{
    struct engine_places *p = memory_new(1, sizeof *p);
    const struct engine_kind *k = engine_named(name, e);
    bool good = k && engine_find(k, u, p, e);
    free(p);
    return good;
}
