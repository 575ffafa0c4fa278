/* SPDX-License-Identifier: MIT */
#include "oracle/files/learned.h"

#include "model/core/memory.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ending[] = ".profile";

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct learned *)a)->name, ((const struct learned *)b)->name);
}

/* Ends the line at `at`, and returns where the next one begins; NULL after the last line. */
static char *cut_line(char *at)
{
    char *end = at + strcspn(at, "\n");
    if (!*end)
        return NULL;
    *end = 0;
    return end + 1;
}

/* Returns what follows `mark` at the beginning of a line; NULL if the line begins otherwise. */
static const char *after(const char *line, const char *mark)
{
    size_t length = strlen(mark);
    return strncmp(line, mark, length) ? NULL : line + length;
}

/* Finds the clause and the reading of "clause = reading". Other lines are rules; clause is then -1. */
static void find_clause(const struct unit *u, struct learned_line *n)
{
    char id[128];
    const char *sign = strstr(n->line, " = ");
    size_t length = sign ? (size_t)(sign - n->line) : sizeof id;
    n->clause = -1;
    if (length >= sizeof id)
        return;
    memcpy(id, n->line, length);
    id[length] = 0;
    n->clause = unit_clause_index(u, id);
    if (n->clause < 0)
        return;
    const struct clause *c = unit_clause(u, (unsigned)n->clause);
    while (n->reading + 1 < clause_readings(c) && strcmp(c->readings[n->reading].id, sign + 3) != 0)
        n->reading++;
}

static bool read_lines(const struct unit *u, const char *folder, struct learned *l, struct error *e)
{
    char path[FILE_PATH_MAX];
    const char *shown = NULL, *found;
    size_t bytes;
    for (char *at = l->text, *next; at; at = next) {
        next = cut_line(at);
        if ((found = after(at, "# implementation: ")))
            l->implementation = found;
        else if ((found = after(at, "# learned: ")))
            l->when = found;
        else if ((found = after(at, "# case: ")))
            shown = found;
        else if (*at && *at != '#' && !after(at, "base = ")) {
            struct learned_line n = {.line = at, .case_name = shown};
            if (!shown)
                return error_set(e, "'%s': no line '# case: NAME' before it names a case that shows it", at);
            if ((size_t)snprintf(path, sizeof path, "%s/%s.case", folder, shown) >= sizeof path)
                return error_set(e, "%s: the file name is too long", shown);
            n.case_text = file_read(path, &bytes, e);
            if (!n.case_text)
                return false;
            find_clause(u, &n);
            l->line = memory_grow(l->line, l->count + 1, sizeof *l->line);
            l->line[l->count++] = n;
            shown = NULL;
        }
    }
    return (l->implementation && l->when) ||
           error_set(e, "the comments '# implementation: NAME REVISION' and '# learned: DATE, HOW' are "
                        "missing");
}

static bool read_profile(const struct unit *u, const char *folder, const char *file, struct learned *l,
                         struct error *e)
{
    char path[FILE_PATH_MAX];
    struct profile p;
    size_t bytes;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, file) >= sizeof path)
        return error_set(e, "%s: the file name is too long", folder);
    l->name = memory_string(file);
    l->name[strlen(file) - strlen(ending)] = 0;
    l->text = file_read(path, &bytes, e);
    return l->text && (profile_parse(u, l->text, &p, e) || error_where(e, "%s", path)) &&
           (read_lines(u, folder, l, e) || error_where(e, "%s", path));
}

bool learned_open(const struct unit *u, const char *folder, struct learned_list *l, struct error *e)
{
    char path[FILE_PATH_MAX];
    bool good = true;
    memset(l, 0, sizeof *l);
    (void)snprintf(path, sizeof path, "%s/%s/learned", folder, u->name);
    DIR *d = opendir(path);
    if (!d)
        return errno == ENOENT || error_set(e, "%s: cannot read: %s", path, strerror(errno));
    for (struct dirent *f; good && (f = readdir(d));) {
        size_t length = strlen(f->d_name);
        if (length <= strlen(ending) || strcmp(f->d_name + length - strlen(ending), ending) != 0)
            continue;
        l->of = memory_grow(l->of, l->count + 1, sizeof *l->of);
        memset(&l->of[l->count], 0, sizeof *l->of);
        good = read_profile(u, path, f->d_name, &l->of[l->count++], e);
    }
    closedir(d);
    if (!good)
        learned_close(l);
    else if (l->count)
        qsort(l->of, l->count, sizeof *l->of, by_name);
    return good;
}

void learned_close(struct learned_list *l)
{
    for (unsigned i = 0; i < l->count; i++) {
        for (unsigned k = 0; k < l->of[i].count; k++)
            free(l->of[i].line[k].case_text);
        free(l->of[i].line);
        free(l->of[i].text);
        free(l->of[i].name);
    }
    free(l->of);
    memset(l, 0, sizeof *l);
}

const struct learned_line *learned_clause(const struct learned *l, unsigned clause)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->line[i].clause == (int)clause)
            return &l->line[i];
    return NULL;
}
