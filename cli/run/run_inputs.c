/* SPDX-License-Identifier: MIT */
#include "cli/run/run_inputs.h"

#include "model/text/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads "3f800000,40": hexadecimal words. */
static bool read_list(const char *option, const char *list, size_t length, struct words *w, struct error *e)
{
    w->word = malloc((length + 1) * sizeof *w->word);
    if (!w->word)
        return error_memory(e, "while reading a list of words");
    for (size_t at = 0; at < length;) {
        size_t end = at;
        while (end < length && list[end] != ',')
            end++;
        size_t digits = strspn(list + at, "0123456789abcdefABCDEF");
        if (at + digits != end || digits < 1 || digits > 8)
            return error_set(e, "%s: '%.*s' is not a word of up to 8 hexadecimal digits", option,
                             (int)(end - at < 40 ? end - at : 40), list + at);
        w->word[w->count++] = (uint32_t)strtoul(list + at, NULL, 16);
        at = end + (end < length);
    }
    return true;
}

/* Does the item name a file? */
static bool is_file(const char *item)
{
    return *item == '@' || strncmp(item, "raw:@", 5) == 0;
}

/* Reads "@FILE,raw:@FILE": a list from each file. A comma before anything else belongs to a file's name. */
static bool read_files(const char *option, const char *given, struct words *list, unsigned room,
                       unsigned *lists, struct error *e)
{
    bool good = true;
    for (const char *at = given, *end; good && at; at = *end ? end + 1 : NULL) {
        for (end = at; *end && !(*end == ',' && is_file(end + 1)); end++)
            ;
        if (*lists == room)
            return error_set(e, "%s: more than %u list%s", option, room, plural(room));
        at += *at == '@';
        char *name = strndup(at, (size_t)(end - at));
        good =
            name ? words_load(name, &list[(*lists)++], e) : error_memory(e, "while reading a list of words");
        free(name);
    }
    return good;
}

bool word_lists_read(const char *option, const char *given, struct words *list, unsigned room,
                     unsigned *lists, struct error *e)
{
    *lists = 0;
    if (given && is_file(given))
        return read_files(option, given, list, room, lists, e);
    while (given) {
        const char *end = strchr(given, '/');
        size_t length = end ? (size_t)(end - given) : strlen(given);
        if (*lists == room)
            return error_set(e, "%s: more than %u list%s", option, room, plural(room));
        if (!read_list(option, given, length, &list[(*lists)++], e))
            return false;
        given = end ? end + 1 : NULL;
    }
    return true;
}

/* Reads a hexadecimal address that is a multiple of 4 and has memory. */
static bool read_address(const char *text, uint32_t *address)
{
    char *end;
    unsigned long value = strtoul(text, &end, 16);
    *address = (uint32_t)value;
    return end > text && !*end && value % 4 == 0 && value < PROGRAM_MEMORY_BYTES;
}

/* Reads the file of words that lies in memory from `address` on. */
static bool read_words(const char *option, const char *file, uint32_t address, struct words *w,
                       struct error *e)
{
    return words_load(file, w, e) &&
           (w->count <= (PROGRAM_MEMORY_BYTES - address) / 4 ||
            error_set(e, "%s: %s does not fit into the memory at %lx", option, file, (unsigned long)address));
}

/* Reads one "FILE@ADDRESS". */
static bool read_image(uint32_t *memory, char *item, struct error *e)
{
    char *at = strrchr(item, '@');
    uint32_t address;
    if (!at || !read_address(at + 1, &address))
        return error_set(
            e, "--memory: '%s' is not FILE@ADDRESS with a hexadecimal address, a multiple of 4, below %x",
            item, PROGRAM_MEMORY_BYTES);
    *at = 0;
    struct words w = {0};
    bool good = read_words("--memory", item, address, &w, e);
    for (size_t i = 0; good && i < w.count; i++)
        memory[address / 4 + i] = w.word[i];
    free(w.word);
    return good;
}

/* Calls `read` for each item of a list with commas. */
static bool read_items(const char *given, bool (*read)(void *context, char *item, struct error *e),
                       void *context, struct error *e)
{
    char *all = given ? strdup(given) : NULL, *rest = NULL;
    bool good = !given || all || error_memory(e, "while reading options");
    for (char *item = all ? strtok_r(all, ",", &rest) : NULL; item && good; item = strtok_r(NULL, ",", &rest))
        good = read(context, item, e);
    free(all);
    return good;
}

static bool read_one_image(void *context, char *item, struct error *e)
{
    return read_image(context, item, e);
}

bool memory_read(const char *given, uint32_t *memory, struct error *e)
{
    return read_items(given, read_one_image, memory, e);
}

/* ---- what a test expects ---- */

struct expectation {
    const uint32_t *memory, *defined;
    struct expected *result;
};

static void compare(const struct expectation *of, uint32_t address, const char *file, const struct words *w)
{
    for (size_t i = 0; i < w->count; i++) {
        struct expected *x = of->result;
        uint32_t at = address + 4 * (uint32_t)i, got = of->memory[at / 4], defined = of->defined[at / 4];
        x->words++;
        x->undefined += !defined;
        if (!((got ^ w->word[i]) & defined))
            continue;
        if (!x->differ++)
            (void)snprintf(x->first, sizeof x->first,
                           "memory %08lx is %08lx, but %.200s has %08lx there (its word %zu)",
                           (unsigned long)at, (unsigned long)got, file, (unsigned long)w->word[i], i);
    }
}

static bool read_expectation(void *context, char *item, struct error *e)
{
    struct expectation *x = context;
    static const char region[] = "memory@";
    char *file = strchr(item, '=');
    uint32_t address;
    if (file)
        *file++ = 0;
    if (!file || strncmp(item, region, strlen(region)) != 0 || !read_address(item + strlen(region), &address))
        return error_set(e,
                         "--expect: '%s' is not memory@ADDRESS=FILE with a hexadecimal address, a multiple "
                         "of 4, below %x",
                         item, PROGRAM_MEMORY_BYTES);
    struct words w = {0};
    bool good = read_words("--expect", file, address, &w, e) &&
                (w.count || error_set(e, "--expect: %s is empty", file));
    if (good && x->result)
        compare(x, address, file, &w);
    free(w.word);
    return good;
}

bool expected_check(const char *given, const uint32_t *memory, const uint32_t *defined,
                    struct expected *result, struct error *e)
{
    struct expectation x = {memory, defined, result};
    return read_items(given, read_expectation, &x, e);
}

bool expected_holds(const struct expected *x, bool ended)
{
    return !x->words || (ended && !x->differ && x->undefined < x->words);
}

void expected_print(const struct expected *x, struct text *t)
{
    if (!x->words)
        return;
    if (x->differ)
        text_add(t, "differs: %s; %" PRIu64 " of %" PRIu64 " words differ\n", x->first, x->differ, x->words);
    else if (x->undefined == x->words)
        text_add(t, "not compared: no bit of the %" PRIu64 " expected words is defined\n", x->words);
    else
        text_add(t, "as expected: %" PRIu64 " words of memory%s\n", x->words - x->undefined,
                 x->undefined ? "; others are undefined" : "");
}

json_t *expected_json(const struct expected *x)
{
    return x->words ? json_pack("{s:I, s:I, s:I, s:s}", "words", (json_int_t)x->words, "undefined",
                                (json_int_t)x->undefined, "differ", (json_int_t)x->differ, "first", x->first)
                    : NULL;
}
