/* SPDX-License-Identifier: MIT */
#include "oracle/files/words.h"

#include "model/text/text.h"
#include "oracle/files/file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool words_look_hexadecimal(const char *bytes, size_t count)
{
    bool comment = false, any = false;
    for (size_t i = 0; i < count; i++) {
        if (!bytes[i])
            return false; /* a control character: not text, not even in a comment */
        if (bytes[i] == '\n' || bytes[i] == '#')
            comment = bytes[i] == '#';
        else if (!comment && isxdigit((unsigned char)bytes[i]))
            any = true;
        else if (!comment && !isspace((unsigned char)bytes[i]) && (bytes[i] | 32) != 'x' && bytes[i] != ',')
            return false;
    }
    return any;
}

static bool read_hex(const char *name, const char *text, struct words *w, struct error *e)
{
    unsigned line = 1;
    while (*text) {
        if (*text == '#') {
            text += strcspn(text, "\n");
        } else if (isspace((unsigned char)*text) || *text == ',') {
            line += *text++ == '\n';
        } else {
            size_t length = strcspn(text, " \t\r\n,#");
            const char *digits = text + (length > 2 && text[0] == '0' && (text[1] | 32) == 'x' ? 2 : 0);
            size_t digit_count = length - (size_t)(digits - text);
            if (strspn(digits, "0123456789abcdefABCDEF") != digit_count ||
                (digit_count != 8 && digit_count != 16))
                return error_set(e, "%s: line %u: '%.*s' is not a word of 8 or 16 hexadecimal digits", name,
                                 line, (int)(length > 40 ? 40 : length), text);
            uint64_t v = strtoull(digits, NULL, 16);
            w->word[w->count++] = (uint32_t)v;
            if (digit_count == 16)
                w->word[w->count++] = (uint32_t)(v >> 32);
            text += length;
        }
    }
    return true;
}

static bool read_raw(const char *name, const char *bytes, size_t count, const char *wrong, struct words *w,
                     struct error *e)
{
    if (count % 4)
        return error_set(e, "%s: %zu byte%s: %s", name, count, plural(count), wrong);
    for (size_t i = 0; i < count; i += 4) {
        const unsigned char *b = (const unsigned char *)bytes + i;
        w->word[w->count++] = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
    return true;
}

static bool make_room(size_t count, struct words *w, struct error *e)
{
    w->word = malloc((count + 8) * sizeof *w->word); /* hex text has at most one word in two bytes */
    return w->word || error_memory(e, "while reading words");
}

bool words_read(const char *name, const char *bytes, size_t count, struct words *w, struct error *e)
{
    if (!make_room(count, w, e))
        return false;
    if (words_look_hexadecimal(bytes, count))
        return read_hex(name, bytes, w, e);
    return read_raw(name, bytes, count, "is neither hexadecimal text nor whole 32-bit words", w, e);
}

bool words_load(const char *source, struct words *w, struct error *e)
{
    static const char prefix[] = "raw:@";
    bool raw = strncmp(source, prefix, sizeof prefix - 1) == 0;
    const char *name = source + (raw ? sizeof prefix - 1 : 0);
    size_t count;
    char *bytes = file_read(name, &count, e);
    bool good = bytes && (raw ? make_room(count, w, e) &&
                                    read_raw(name, bytes, count, "raw words have 4 bytes each", w, e)
                              : words_read(name, bytes, count, w, e));
    free(bytes);
    return good;
}
