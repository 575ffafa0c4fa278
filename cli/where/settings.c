/* SPDX-License-Identifier: MIT */
#include "cli/where/settings.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool number_read(const char *text, uint64_t *value, const char **rest)
{
    bool hexadecimal = text[0] == '0' && (text[1] | 32) == 'x';
    const char *first = hexadecimal ? text + 2 : text;
    char *end;
    if (!(hexadecimal ? isxdigit((unsigned char)*first) : isdigit((unsigned char)*first)))
        return false;
    errno = 0;
    *value = strtoull(first, &end, hexadecimal ? 16 : 10);
    *rest = end;
    return !errno && !isalnum((unsigned char)*end);
}

bool hexadecimal_read(const char *what, const char *text, uint32_t *word, unsigned count, struct error *e)
{
    const char *at = text;
    for (unsigned i = 0; i < count; i++) {
        at += strspn(at, ", \t");
        char *end;
        errno = 0;
        unsigned long long value = strtoull(at, &end, 16);
        if (!isxdigit((unsigned char)*at) || (*end && !strchr(", \t", *end)))
            return error_set(e, "%s '%s', column %zu: expected word %u of %u, hexadecimal with or without 0x",
                             what, text, (size_t)(at - text) + 1, i + 1, count);
        if (errno || value > UINT32_MAX)
            return error_set(e, "%s '%s', column %zu: the word has more than 32 bits", what, text,
                             (size_t)(at - text) + 1);
        word[i] = (uint32_t)value;
        at = end;
    }
    at += strspn(at, ", \t");
    return !*at || error_set(e, "%s '%s', column %zu: more than %u word%s", what, text,
                             (size_t)(at - text) + 1, count, count == 1 ? "" : "s");
}

/* Where an item was read: for errors. */
struct place {
    const char *line, *at;
    struct error *error;
};

static bool wrong(const struct place *p, const char *expected)
{
    return error_set(p->error, "--set %s, column %zu: %s", p->line, (size_t)(p->at - p->line) + 1, expected);
}

static bool read_number(struct place *p, uint64_t *value)
{
    const char *rest;
    bool negative = *p->at == '-';
    if (!number_read(p->at + negative, value, &rest))
        return wrong(p, "expected a number: decimal, or hexadecimal after 0x");
    if (negative && *value > UINT32_C(0x80000000))
        return wrong(p, "a negative value has more than 32 bits");
    *value = negative ? (uint32_t) - *value : *value;
    p->at = rest;
    return true;
}

static bool add_values(struct place *p, struct setting *s)
{
    uint64_t first, last, step = 1;
    if (!read_number(p, &first))
        return false;
    last = first;
    if (!strncmp(p->at, "..", 2)) {
        p->at += 2;
        if (!read_number(p, &last))
            return false;
        if (*p->at == ':') {
            p->at++;
            if (!read_number(p, &step))
                return false;
        }
        if (last < first || !step)
            return wrong(p, "a range goes up: FIRST..LAST, or FIRST..LAST:STEP");
    }
    for (uint64_t v = first; v <= last; v += step) {
        if (s->count == SETTING_VALUES_MAX)
            return wrong(p, "more than 64 values; a wave has 64 lanes");
        s->value[s->count++] = v;
        if (last - v < step)
            break;
    }
    return true;
}

static bool read_name(struct place *p, struct setting *s)
{
    size_t length = strcspn(p->at, "=");
    if (!p->at[length])
        return wrong(p, "expected REGISTER=VALUE: v0=0..63, s4=16, m0=4, exec=0xff");
    if (length < sizeof s->name)
        memcpy(s->name, p->at, length);
    char *end = s->name;
    s->kind = s->name[0];
    if (!strcmp(s->name, "m0") || !strcmp(s->name, "exec"))
        end = s->name + length;
    else if ((s->kind == 'v' || s->kind == 's') && isdigit((unsigned char)s->name[1]))
        s->number = (unsigned)strtoul(s->name + 1, &end, 10);
    if (end == s->name || *end)
        return wrong(p, "unknown register; write vN, sN, m0 or exec (such as v0=0..63 or s4=16)");
    p->at += length + 1;
    return true;
}

static bool read_setting(struct place *p, struct setting *s)
{
    if (!read_name(p, s))
        return false;
    for (bool more = true; more; p->at += more) {
        if (!add_values(p, s))
            return false;
        more = *p->at == ',';
    }
    if (*p->at)
        return wrong(p, "expected a comma, .. or the end");
    for (unsigned i = 0; i < s->count; i++)
        if (s->kind != 'e' && s->value[i] > UINT32_MAX)
            return wrong(p, "a value has more than 32 bits");
    return s->kind == 'v' || s->count == 1 || wrong(p, "only a vector register has a value for each lane");
}

struct setting *settings_find(struct settings *s, char kind, unsigned number)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->item[i].kind == kind && s->item[i].number == number)
            return &s->item[i];
    return NULL;
}

bool settings_read(const char *lines, struct settings *s, struct error *e)
{
    *s = (struct settings){0};
    while (*lines) {
        char line[256];
        size_t length = strcspn(lines, "\n");
        if (length >= sizeof line)
            return error_set(e, "--set: a value of more than %zu characters; give a range", sizeof line - 1);
        memcpy(line, lines, length);
        line[length] = 0;
        lines += length + (lines[length] == '\n');
        if (s->count == SETTINGS_MAX)
            return error_set(e, "--set %s: more than %d registers", line, SETTINGS_MAX);
        struct place p = {.line = line, .at = line, .error = e};
        struct setting one = {0};
        if (!read_setting(&p, &one))
            return false;
        if (settings_find(s, one.kind, one.number))
            return error_set(e, "--set %s: %s was set before", line, one.name);
        s->item[s->count++] = one;
    }
    return true;
}
