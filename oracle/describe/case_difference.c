/* SPDX-License-Identifier: MIT */
#include "oracle/describe/case_difference.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c)
{
    return isspace((unsigned char)c);
}

/* Does a word begin, or a blank stand, at this byte? */
static bool is_border(const char *chars, size_t at)
{
    return !at || is_blank(chars[at]) || is_blank(chars[at - 1]);
}

void case_difference_find(const struct test_case *a, const struct test_case *b, struct case_difference *d)
{
    size_t first = 0, last = 0;
    memset(d, 0, sizeof *d);
    case_print(a, &d->part[0].text);
    case_print(b, &d->part[1].text);
    const char *x = text_chars(&d->part[0].text), *y = text_chars(&d->part[1].text);
    const size_t size_x = d->part[0].text.length, size_y = d->part[1].text.length,
                 least = size_x < size_y ? size_x : size_y;
    while (first < least && x[first] == y[first])
        first++;
    while (first && !is_blank(x[first - 1]))
        first--;
    while (last < least - first && x[size_x - 1 - last] == y[size_y - 1 - last])
        last++;
    while (last && !(is_border(x, size_x - last) && is_border(y, size_y - last)))
        last--;
    for (unsigned i = 0; i < 2; i++) {
        const char *chars = i ? y : x;
        d->part[i].begin = first;
        d->part[i].end = (i ? size_y : size_x) - last;
        while (d->part[i].end > first && is_blank(chars[d->part[i].end - 1]))
            d->part[i].end--;
        while (d->part[i].begin < d->part[i].end && is_blank(chars[d->part[i].begin]))
            d->part[i].begin++;
    }
}

void case_difference_free(struct case_difference *d)
{
    for (unsigned i = 0; i < 2; i++)
        text_free(&d->part[i].text);
}

unsigned case_difference_words(const struct case_difference *d)
{
    unsigned most = 0;
    for (unsigned i = 0; i < 2; i++) {
        const char *chars = text_chars(&d->part[i].text);
        unsigned words = 0;
        for (size_t at = d->part[i].begin; at < d->part[i].end; at++)
            words += !is_blank(chars[at]) && (at == d->part[i].begin || is_blank(chars[at - 1]));
        most = words > most ? words : most;
    }
    return most;
}

/* Adds the words of a range, marked with backticks, with one blank in place of each line end. */
static void add_part(const struct case_difference *d, unsigned i, struct text *t)
{
    const char *chars = text_chars(&d->part[i].text);
    text_add(t, "`");
    for (size_t at = d->part[i].begin; at < d->part[i].end; at++)
        if (!is_blank(chars[at]))
            text_add(t, "%c", chars[at]);
        else if (!is_blank(chars[at - 1]))
            text_add(t, " ");
    text_add(t, "`");
}

void case_difference_print(const struct case_difference *d, struct text *t)
{
    bool has[2] = {d->part[0].begin < d->part[0].end, d->part[1].begin < d->part[1].end};
    if (has[0]) {
        add_part(d, 0, t);
        text_add(t, has[1] ? " becomes " : " is removed");
    }
    if (has[1])
        add_part(d, 1, t);
    text_add(t, has[1] && !has[0] ? " is added" : "");
}

void case_difference_lines(const struct case_difference *d, struct text *t)
{
    for (unsigned i = 0; i < 2; i++) {
        const char *chars = text_chars(&d->part[i].text);
        size_t begin = d->part[i].begin, end = d->part[i].end;
        while (begin && chars[begin - 1] != '\n')
            begin--;
        while (chars[end] && chars[end] != '\n')
            end++;
        while (begin < end) {
            size_t length = strcspn(chars + begin, "\n");
            text_add(t, "%c ", i ? '+' : '-');
            text_add_chars(t, chars + begin, length);
            text_add(t, "\n");
            begin += length + 1;
        }
    }
}
