/* SPDX-License-Identifier: MIT */
#include "oracle/files/load.h"

#include "model/rule/rule.h"
#include "oracle/files/file.h"
#include "oracle/files/trace.h"
#include "oracle/files/words.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool text_unmarked(const char *name, const char *bytes, size_t count, struct error *e)
{
    static const char *const marks[] = {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"};
    for (unsigned i = 0; i < sizeof marks / sizeof *marks; i++)
        if (count >= strlen(marks[i]) && !memcmp(bytes, marks[i], strlen(marks[i])))
            return error_set(
                e, "%s: starts with a byte order mark; save it as plain text (UTF-8 without a mark)", name);
    return true;
}

/* Does the spec start with a word that is no built-in profile? */
static bool names_other(const struct unit *u, const char *spec, char path[FILE_PATH_MAX])
{
    size_t first = strcspn(spec, ",;");
    if (!first || first >= FILE_PATH_MAX || memchr(spec, '=', first))
        return false;
    memcpy(path, spec, first);
    path[first] = 0;
    return unit_profile_index(u, path) < 0;
}

/* Does the spec start with a file's name? */
static bool names_file(const struct unit *u, const char *spec, char path[FILE_PATH_MAX])
{
    return names_other(u, spec, path) && access(path, F_OK) == 0;
}

bool profile_load(const struct unit *u, const char *spec, struct profile *p, struct error *e)
{
    size_t first = strcspn(spec, ",;"), count;
    char path[FILE_PATH_MAX];
    if (!names_file(u, spec, path))
        return names_other(u, spec, path) && path[strcspn(path, "./")]
                   ? error_set(e,
                               "%s: there is no such file; a profile is a file or a built-in name (`misprint "
                               "units` lists them)",
                               path)
                   : profile_resolve(u, spec, p, e);
    char *text = file_read(path, &count, e);
    if (!text)
        return false;
    bool marked = !text_unmarked(path, text, count, e);
    bool good =
        !marked &&
        (!text[strspn(text, " \t\r\n")] && strlen(text) == count
             ? error_set(e, "is not a profile: it is empty; expected lines 'clause = reading'")
         : strlen(text) == count
             ? profile_parse(u, text, p, e)
             : error_set(e, "is not a profile: it holds a NUL byte; expected lines 'clause = reading'"));
    free(text);
    return (good || (marked ? false : error_where(e, "%s", path))) &&
           profile_override(u, spec + first + (spec[first] == ','), p, e);
}

bool profile_spec(const struct unit *u, const char *spec, char *to, size_t room, struct error *e)
{
    char path[FILE_PATH_MAX];
    struct profile p, base;
    struct text t = {0};
    if (!profile_load(u, spec, &p, e))
        return false;
    unsigned nearest = 0, fewest = UINT_MAX;
    for (unsigned i = 0; u->profiles[i].name; i++) {
        unsigned differ = 0;
        profile_builtin(u, i, &base);
        for (unsigned k = 0; k < unit_clauses(u); k++)
            differ += base.reading[k] != p.reading[k];
        nearest = differ < fewest ? i : nearest;
        fewest = differ < fewest ? differ : fewest;
    }
    profile_builtin(u, nearest, &base);
    text_add(&t, "%s", u->profiles[nearest].name);
    for (unsigned k = 0; k < unit_clauses(u); k++)
        if (base.reading[k] != p.reading[k])
            text_add(&t, ",%s=%s", unit_clause(u, k)->id, unit_clause(u, k)->readings[p.reading[k]].id);
    for (unsigned i = 0; i < p.rules.count; i++) {
        const struct rule r = rules_get(&p.rules, i);
        text_add(&t, ";");
        rule_print(u, &r, &t);
    }
    bool fits = (size_t)snprintf(to, room, "%s", names_file(u, spec, path) ? text_chars(&t) : spec) < room;
    text_free(&t);
    return fits ||
           error_set(
               e, "%.200s: the profile has too many overrides and rules to be stored with a run; use fewer",
               spec);
}

bool case_is_text(const char *bytes, size_t count)
{
    static const char magic[] = "misprint-case";
    while (count && (*bytes == '#' || *bytes == '\n' || *bytes == ' ' ||
                     *bytes == '\r')) { /* comments may precede the first line */
        const char *stop = memchr(bytes, '\n', count);
        if (!stop)
            return false;
        count -= (size_t)(stop + 1 - bytes);
        bytes = stop + 1;
    }
    return count >= sizeof magic - 1 && !memcmp(bytes, magic, sizeof magic - 1);
}

/* Does a case's first line begin with blanks? */
static bool is_indented_case(const char *bytes, size_t count)
{
    size_t blanks = 0;
    while (blanks < count && isspace((unsigned char)bytes[blanks]))
        blanks++;
    return blanks && bytes[blanks - 1] != '\n' && case_is_text(bytes + blanks, count - blanks);
}

static bool is_plain_text(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isprint((unsigned char)bytes[i]) && !isspace((unsigned char)bytes[i]))
            return false;
    return true;
}

bool case_may_be_raw(const char *name, const char *bytes, size_t count, const struct unit *u, struct error *e)
{
    if (!count)
        return error_set(e, "%s: is empty", name);
    if (trace_begins(bytes, count))
        return error_set(
            e, "%s: is a trace; `misprint replay` and `misprint explain` take it (its name ends in .trace)",
            name);
    if (is_indented_case(bytes, count))
        return error_set(e, "%s: leading blanks before 'misprint-case'; remove them", name);
    if (!is_plain_text(bytes, count))
        return true;
    if (u && u->code)
        return error_set(e,
                         "%s: is text, but neither a case nor words; to run instructions: `misprint asm %s "
                         "%s | misprint run - --unit %s`",
                         name, u->name, !strcmp(name, "standard input") ? "-" : name, u->name);
    return error_set(e, "%s: is text, but not a case: its first line should be 'misprint-case 1 UNIT'", name);
}

bool case_from_bytes(const char *name, const char *bytes, size_t count, const struct unit *u,
                     struct test_case *c, struct error *e)
{
    if (case_is_text(bytes, count)) {
        bool good = case_parse(c, bytes, count, e) || error_where(e, "%s", name);
        return good && (!u || c->unit == u ||
                        error_set(e, "%s: is a case of %s, not of %s; name that unit, or none", name,
                                  c->unit->name, u->name));
    }
    if (u && !case_may_be_raw(name, bytes, count, u, e))
        return false;
    if (!u && (!count || is_indented_case(bytes, count) || trace_begins(bytes, count)))
        return case_may_be_raw(name, bytes, count, u, e);
    if (!u)
        return text_unmarked(name, bytes, count, e) &&
               error_set(e,
                         "%s: is not a case: its first line should be 'misprint-case 1 UNIT' (for a fuzzer's "
                         "raw bytes, give --unit)",
                         name);
    case_decode(c, u, (const uint8_t *)bytes, count);
    return true;
}

bool case_load(const char *path, const struct unit *u, struct test_case *c, struct error *e)
{
    size_t count;
    char *bytes = file_read(path, &count, e);
    bool good = bytes && case_from_bytes(path, bytes, count, u, c, e);
    free(bytes);
    return good;
}

/* Makes the words the program of the case. Returns false if they are not whole instructions, or too many. */
static bool place_words(struct test_case *c, const struct field *program, const struct words *w)
{
    const struct code *code = case_code(c);
    uint32_t *count, *item = case_items(c, program, &count);
    for (size_t at = 0; at < w->count; ++*count) {
        uint32_t words[CODE_WORDS_MAX] = {0};
        size_t left = w->count - at;
        memcpy(words, w->word + at, (left < code->words ? left : code->words) * sizeof *words);
        unsigned length = code->length ? code->length(words) : code->words;
        if (length > left || *count == program->max)
            return false;
        memset(words + length, 0, (CODE_WORDS_MAX - length) * sizeof *words);
        memcpy(item + *count * code->words, words, code->words * sizeof *words);
        at += length;
    }
    return true;
}

bool case_from_words(const char *name, const struct unit *u, const char *isa, const char *bytes, size_t count,
                     struct test_case *c, struct error *e)
{
    const struct field *program = NULL;
    for (unsigned i = 0; i < u->schema.field_count; i++)
        if (u->schema.fields[i].kind == FIELD_CODE)
            program = &u->schema.fields[i];
    if (!program)
        return error_set(e, "%s: holds words, but unit %s has no program", name, u->name);
    struct words w = {0};
    bool good = unit_code(u, isa, e) && words_read(name, bytes, count, &w, e);
    if (good) {
        case_init(c, u);
        case_choose_code(c, isa);
        good = place_words(c, program, &w) ||
               error_set(e, "%s: %zu word%s; a program of %s has up to %u whole instructions of %u words",
                         name, w.count, plural(w.count), u->name, program->max, u->code->words);
    }
    free(w.word);
    return good;
}
