/* SPDX-License-Identifier: MIT */
#include "oracle/files/corpus.h"

#include "model/core/memory.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *resolve(const char *path)
{
    return access(path, R_OK | X_OK) == 0 ? realpath(path, NULL) : NULL;
}

char *corpus_find(void)
{
    const char *named = getenv("MISPRINT_CORPUS");
    char path[FILE_PATH_MAX];
    if (named && *named)
        return resolve(named);
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 64);
    char *found = NULL;
    if (length > 0) {
        path[length] = 0;
        char *slash = strrchr(path, '/');
        if (slash) {
            (void)snprintf(slash, 64, "/../share/misprint/corpus");
            found = resolve(path);
        }
    }
    return found ? found : resolve(MISPRINT_CORPUS_SOURCE);
}

char *corpus_find_case(const char *name, const struct unit *only)
{
    char path[FILE_PATH_MAX], *folder = corpus_find(), *found = NULL;
    const struct unit *u;
    for (unsigned i = 0; folder && !found && !strchr(name, '/') && (u = unit_at(i)); i++)
        if ((!only || u == only) &&
            (size_t)snprintf(path, sizeof path, "%s/%s/%s.case", folder, u->name, name) < sizeof path)
            found = access(path, R_OK) == 0 ? memory_string(path) : NULL;
    free(folder);
    return found;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct corpus_entry *)a)->name, ((const struct corpus_entry *)b)->name);
}

bool corpus_add(struct corpus *c, const struct corpus_entry *n, struct error *e)
{
    if (c->count == c->room) {
        unsigned room = c->room ? 2 * c->room : 64;
        struct corpus_entry *more = realloc(c->entry, room * sizeof *more);
        if (!more)
            return error_memory(e, "while loading %u case%s", c->count + 1, plural(c->count + 1));
        c->entry = more;
        c->room = room;
    }
    c->entry[c->count++] = *n;
    return true;
}

static bool add_file(struct corpus *c, const char *folder, const char *file, struct error *e)
{
    char path[FILE_PATH_MAX];
    size_t count, stem = strlen(file) - strlen(".case");
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        return error_set(e, "%s: the file name is too long", folder);
    struct corpus_entry n = {.tc = malloc(sizeof *n.tc), .name = strndup(file, stem)};
    bool good = (n.tc && n.name) || error_memory(e, "reading %s", path);
    good = good && (n.text = file_read(path, &count, e)) &&
           case_from_bytes(path, n.text, count, NULL, n.tc, e) &&
           (n.tc->unit == c->unit ||
            error_set(e, "%s: is a case of %s, not of %s; move it to the folder of its unit", path,
                      n.tc->unit->name, c->unit->name)) &&
           corpus_add(c, &n, e);
    if (good)
        return true;
    free(n.tc);
    free(n.name);
    free(n.text);
    return false;
}

struct corpus *corpus_open(const struct unit *u, const char *folder, struct error *e)
{
    char path[FILE_PATH_MAX];
    struct corpus *c = memory_new(1, sizeof *c);
    bool good = true;
    c->unit = u;
    (void)snprintf(path, sizeof path, "%s/%s", folder, u->name);
    DIR *d = opendir(path);
    if (!d && errno != ENOENT)
        good = error_set(e, "%s: cannot read: %s", path, strerror(errno));
    for (struct dirent *f; good && d && (f = readdir(d));) {
        size_t length = strlen(f->d_name);
        if (length > strlen(".case") && f->d_name[0] != '.' &&
            !strcmp(f->d_name + length - strlen(".case"), ".case"))
            good = add_file(c, path, f->d_name, e);
    }
    if (d)
        closedir(d);
    if (good) {
        if (c->count)
            qsort(c->entry, c->count, sizeof *c->entry, by_name);
        return c;
    }
    corpus_close(c);
    return NULL;
}

void corpus_clear(struct corpus *c)
{
    for (unsigned i = 0; i < c->count; i++) {
        free(c->entry[i].name);
        free(c->entry[i].text);
        free(c->entry[i].tc);
    }
    free(c->entry);
}

void corpus_close(struct corpus *c)
{
    if (!c)
        return;
    corpus_clear(c);
    free(c);
}

const struct corpus_entry *corpus_separating(const struct corpus *c, const char *clause, unsigned n)
{
    char name[256];
    (void)snprintf(name, sizeof name, n ? "%s-%u" : "%s", clause, n + 1);
    for (unsigned i = 0; i < c->count; i++)
        if (!strcmp(c->entry[i].name, name))
            return &c->entry[i];
    return NULL;
}
