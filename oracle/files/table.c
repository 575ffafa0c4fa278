/* SPDX-License-Identifier: MIT */
#include "oracle/files/table.h"

#include "oracle/files/file.h"
#include "oracle/files/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool table_where(const struct table *t, const char *field, struct error *e)
{
    return error_where(e, "%.200s: line %u, column %u", t->path, t->line,
                       (unsigned)(field - t->line_start) + 1);
}

/* Returns the next line and replaces its line end by a NUL. NULL at the end of the file. */
static char *next_line(struct table *t)
{
    if (t->next >= t->end)
        return NULL;
    char *line = t->next, *stop = memchr(line, '\n', (size_t)(t->end - line));
    t->next = stop ? stop + 1 : t->end;
    if (!stop)
        stop = t->end;
    *stop = 0;
    if (stop > line && stop[-1] == '\r')
        stop[-1] = 0;
    t->line_start = line;
    t->line++;
    return line;
}

static void add_comment(struct table *t, const char *line)
{
    size_t used = strlen(t->comments);
    line += strspn(line, "# \t");
    if (*line && used && used + 1 < sizeof t->comments)
        t->comments[used++] = ' ';
    if (*line)
        text_copy_utf8(t->comments + used, sizeof t->comments - used, line, strlen(line));
}

/* Unquotes a field in place; "" in it is one quote. Returns the field's end, or NULL if the quote is not
 * closed. */
static char *unquote(char *at)
{
    char *to = at;
    for (char *from = at + 1;; from++) {
        if (!*from)
            return NULL;
        if (*from == '"' && *++from != '"') {
            *to = 0;
            return from;
        }
        *to++ = *from;
    }
}

/* Splits a line into fields. Returns their number, 0 with an error. */
static unsigned split(struct table *t, char *line, const char **field, struct error *e)
{
    unsigned count = 0;
    for (char *at = line;; at++) {
        char *stop = *at == '"' ? unquote(at) : at + strcspn(at, ",");
        if (!stop || (*stop && *stop != ',')) {
            error_set(e, "a quote that is not closed, or not followed by a comma");
            return table_where(t, at, e);
        }
        bool last = !*stop;
        if (stop == at || !*at) {
            error_set(e, "an empty field; write '-' where a column has no value");
            return table_where(t, at, e);
        }
        if (count == TABLE_COLUMNS_MAX) {
            error_set(e, "more than %d columns", TABLE_COLUMNS_MAX);
            return table_where(t, at, e);
        }
        *stop = 0;
        field[count++] = at;
        at = stop;
        if (last)
            return count;
    }
}

static bool read_header(struct table *t, struct error *e)
{
    char *line;
    while ((line = next_line(t)) && (*line == '#' || !*line))
        add_comment(t, line);
    if (!line)
        return error_set(e, "%.200s: has no header; a table has '#' lines, a line of column names, then rows",
                         t->path);
    t->columns = split(t, line, t->name, e);
    for (unsigned i = 0; i < t->columns; i++)
        if (table_column(t, t->name[i]) != (int)i) {
            error_set(e, "a second column '%.40s'", t->name[i]);
            return table_where(t, t->name[i], e);
        }
    return t->columns > 0;
}

bool table_open(struct table *t, const char *path, struct error *e)
{
    *t = (struct table){.path = path};
    size_t count;
    t->text = file_read(path, &count, e);
    if (!t->text)
        return false;
    size_t mark = count >= 3 && !memcmp(t->text, "\xEF\xBB\xBF", 3)
                      ? 3
                      : 0; /* a byte order mark, which spreadsheets write */
    t->next = t->text + mark;
    t->end = t->text + count;
    const char *nul = memchr(t->text, 0, count);
    if (!text_unmarked(path, t->text + mark, count - mark, e) ||
        (nul ? !error_set(e, "%.200s: byte %zu is zero, so this is not text", path, (size_t)(nul - t->text))
             : !read_header(t, e))) {
        table_close(t);
        return false;
    }
    return true;
}

void table_close(struct table *t)
{
    free(t->text);
    t->text = NULL;
}

const char *table_file_name(const struct table *t)
{
    const char *slash = strrchr(t->path, '/');
    return slash ? slash + 1 : t->path;
}

int table_column(const struct table *t, const char *name)
{
    for (unsigned i = 0; i < t->columns; i++)
        if (!strcmp(t->name[i], name))
            return (int)i;
    return -1;
}

int table_next(struct table *t, struct error *e)
{
    char *line;
    while ((line = next_line(t)) && (*line == '#' || !*line))
        ;
    if (!line)
        return 0;
    unsigned count = split(t, line, t->field, e);
    if (count == t->columns)
        return 1;
    if (count) {
        error_set(e, "%u field%s; the header has %u column%s", count, plural(count), t->columns,
                  plural(t->columns));
        table_where(t, line, e);
    }
    return -1;
}

bool table_hex(const struct table *t, unsigned column, uint32_t *value, struct error *e)
{
    const char *field = t->field[column];
    if (strlen(field) != 8 || strspn(field, "0123456789abcdefABCDEF") != 8) {
        error_set(e, "'%.40s' in column %s; a word is eight hexadecimal digits", field, t->name[column]);
        return table_where(t, field, e);
    }
    *value = (uint32_t)strtoul(field, NULL, 16);
    return true;
}
