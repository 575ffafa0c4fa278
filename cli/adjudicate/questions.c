/* SPDX-License-Identifier: MIT */
#include "cli/adjudicate/questions.h"
#include "cli/cli.h"
#include "oracle/files/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void questions_ask_unit(struct questions *s, struct question *q)
{
    if (!q->asked)
        s->order[s->asked++] = q;
    q->asked = true;
}

struct question *questions_ask(struct questions *s, const char *id, unsigned *clause)
{
    struct question *best = NULL;
    for (unsigned i = 0; i < s->count; i++) {
        struct question *q = &s->q[i];
        int index = unit_clause_index(q->unit, id);
        bool better = index >= 0 && (!best || (q->corpus && corpus_separating(q->corpus, id, 0) &&
                                               !(best->corpus && corpus_separating(best->corpus, id, 0))));
        if (!better)
            continue;
        best = q;
        *clause = (unsigned)index;
    }
    if (!best)
        return NULL;
    questions_ask_unit(s, best);
    best->wanted[*clause] = true;
    return best;
}

static bool list_path(const struct questions *s, const char *name, char path[FILE_PATH_MAX])
{
    return s->folder && *name && !strchr(name, '/') &&
           snprintf(path, FILE_PATH_MAX, "%s/%s.questions", s->folder, name) < FILE_PATH_MAX;
}

bool list_exists(const struct questions *s, const char *name)
{
    char path[FILE_PATH_MAX];
    return list_path(s, name, path) && access(path, R_OK) == 0;
}

static bool add_line(struct questions *s, char *line, struct error *e)
{
    char *colon = strchr(line, ':');
    if (!*line || *line == '#')
        return true;
    if (!colon)
        return error_set(e, "a line is CLAUSE: QUESTION");
    if (s->listed_count == LISTED_MAX)
        return error_set(e, "a list has at most %d questions", LISTED_MAX);
    *colon = 0;
    struct listed *l = &s->listed[s->listed_count];
    l->q = questions_ask(s, line, &l->clause);
    if (!l->q)
        return error_unknown(e, "clause", line, name_of_any_clause, NULL, "`misprint clauses` lists them");
    l->text = strdup(colon + 1 + strspn(colon + 1, " "));
    s->listed_count++;
    return l->text || error_memory(e, "reading a list of questions");
}

bool list_ask(struct questions *s, const char *name, struct error *e)
{
    char path[FILE_PATH_MAX], *save, *bytes;
    size_t count;
    s->list = name;
    if (!list_path(s, name, path) || !(bytes = file_read(path, &count, e)))
        return false;
    bool good = true;
    for (char *line = strtok_r(bytes, "\n", &save); good && line; line = strtok_r(NULL, "\n", &save))
        good = add_line(s, line, e) || error_where(e, "%.250s", path);
    free(bytes);
    return good && (s->listed_count || error_set(e, "%.250s: has no question", path));
}
