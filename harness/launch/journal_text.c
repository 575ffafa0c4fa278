/* SPDX-License-Identifier: MIT */
#include "harness/launch/journal_text.h"

#include "model/core/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { VERSION = 2, HASH_DIGITS = 16, SUM_DIGITS = 8 };

static const char magic[] = "misprint-journal ";
enum { MAGIC = sizeof magic - 1 };

static const char *const names[JOURNAL_EVENTS] = {
    [JOURNAL_HANG] = "hang", [JOURNAL_SUSPECT] = "suspect", [JOURNAL_BEGIN] = "begin", [JOURNAL_END] = "end"};

/* ---- the state ---- */

static void add(struct journal_hashes *h, const uint64_t *hashes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (h->count == h->room)
            h->at = memory_grow(h->at, h->room = h->room ? 2 * h->room : 64, sizeof *h->at);
        h->at[h->count++] = hashes[i];
    }
}

bool journal_hashes_have(const struct journal_hashes *h, uint64_t hash)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->at[i] == hash)
            return true;
    return false;
}

static void remove_hash(struct journal_hashes *h, uint64_t hash)
{
    size_t left = 0;
    for (size_t i = 0; i < h->count; i++)
        if (h->at[i] != hash)
            h->at[left++] = h->at[i];
    h->count = left;
}

/* Makes the running cases suspects. They did not end, so any of them may have killed the machine. */
static void suspect_running(struct journal_state *s)
{
    for (size_t i = 0; i < s->running.count; i++)
        if (!journal_hashes_have(&s->suspects, s->running.at[i]))
            add(&s->suspects, &s->running.at[i], 1);
    s->running.count = 0;
}

void journal_learn(struct journal_state *s, enum journal_event event, const uint64_t *hash, size_t count)
{
    switch (event) {
    case JOURNAL_HANG:
        for (size_t i = 0; i < count; i++)
            remove_hash(&s->suspects, hash[i]);
        add(&s->hangs, hash, count);
        return;
    case JOURNAL_SUSPECT:
        add(&s->suspects, hash, count);
        return;
    case JOURNAL_BEGIN:
        suspect_running(s);
        add(&s->running, hash, count);
        return;
    default:
        if (s->running.count == 1)
            remove_hash(&s->suspects, s->running.at[0]);
        s->running.count = 0;
    }
}

void journal_state_free(struct journal_state *s)
{
    free(s->hangs.at);
    free(s->suspects.at);
    free(s->running.at);
    *s = (struct journal_state){0};
}

/* ---- writing ---- */

static uint32_t sum_of(const char *chars, size_t count, uint32_t before)
{
    return (uint32_t)XXH3_64bits_withSeed(chars, count, before);
}

/* Adds the sum to the line that starts at `start`. */
static void print_sum(struct text *t, size_t start, uint32_t *sum)
{
    *sum = sum_of(t->chars + start, t->length - start, *sum);
    text_add(t, " %08" PRIx32 "\n", *sum);
}

void journal_print(struct text *t, uint32_t *sum, enum journal_event event, const uint64_t *at, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    size_t start = t->length;
    text_add(t, "%s", names[event]);
    for (size_t i = 0; i < count; i++) {
        char word[1 + HASH_DIGITS] = {' '};
        for (unsigned n = 0; n < HASH_DIGITS; n++)
            word[1 + n] = digits[at[i] >> (60 - 4 * n) & 15];
        text_add_chars(t, word, sizeof word);
    }
    print_sum(t, start, sum);
}

void journal_print_state(struct text *t, uint32_t *sum, const struct journal_state *s)
{
    size_t start = t->length, lines = s->hangs.count + (s->suspects.count > 0) + (s->running.count > 0);
    *sum = 0;
    text_add(t, "%s%d %zu", magic, VERSION, lines);
    print_sum(t, start, sum);
    for (size_t i = 0; i < s->hangs.count; i++)
        journal_print(t, sum, JOURNAL_HANG, &s->hangs.at[i], 1);
    if (s->suspects.count)
        journal_print(t, sum, JOURNAL_SUSPECT, s->suspects.at, s->suspects.count);
    if (s->running.count)
        journal_print(t, sum, JOURNAL_BEGIN, s->running.at, s->running.count);
}

/* ---- reading ---- */

struct reader {
    struct journal_state *s;
    struct journal_fault *f;
    struct journal_hashes words; /* the hashes of the current line */
    uint64_t lines_due;          /* the number of lines that the first line announces */
    uint32_t sum;                /* of the previous line */
    bool sums;                   /* lines have sums; false in version 1 */
};

static enum journal_reading damaged(struct reader *r, const char *why)
{
    r->f->why = why;
    return JOURNAL_DAMAGED;
}

static bool is_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* Counts lower-case hexadecimal digits, up to `most`. */
static size_t count_digits(const char *chars, size_t count, size_t most)
{
    size_t n = 0;
    while (n < count && n < most && is_digit(chars[n]))
        n++;
    return n;
}

static uint64_t number_of(const char *digits, size_t count)
{
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++)
        number = number << 4 | (uint64_t)(digits[i] <= '9' ? digits[i] - '0' : digits[i] - 'a' + 10);
    return number;
}

/* True if these digits are the sum of the text. */
static bool sum_fits(const struct reader *r, const char *text, size_t count, const char *digits)
{
    return number_of(digits, SUM_DIGITS) == sum_of(text, count, r->sum);
}

/* Cuts the sum off a line and keeps it for the next line. False: the sum is wrong or missing. */
static bool take_sum(struct reader *r, const char *line, size_t *count)
{
    if (*count < 1 + SUM_DIGITS)
        return false;
    *count -= 1 + SUM_DIGITS;
    const char *digits = line + *count + 1;
    if (digits[-1] != ' ' || count_digits(digits, SUM_DIGITS, SUM_DIGITS) != SUM_DIGITS ||
        !sum_fits(r, line, *count, digits))
        return false;
    r->sum = (uint32_t)number_of(digits, SUM_DIGITS);
    return true;
}

/* Returns the event that the first word names, or JOURNAL_EVENTS for another word. */
static enum journal_event event_of(const char *line, size_t count)
{
    for (unsigned i = 0; i < JOURNAL_EVENTS; i++) {
        size_t length = strlen(names[i]);
        bool same = count >= length && !memcmp(line, names[i], length);
        if (same && (count == length || line[length] == ' '))
            return (enum journal_event)i;
    }
    return JOURNAL_EVENTS;
}

/* Reads " HASH..." into the reader's words. False: the text has another form. */
static bool read_hashes(struct reader *r, const char *at, size_t count)
{
    r->words.count = 0;
    for (; count; at += 1 + HASH_DIGITS, count -= 1 + HASH_DIGITS) {
        if (*at != ' ' || count_digits(at + 1, count - 1, HASH_DIGITS) != HASH_DIGITS)
            return false;
        uint64_t hash = number_of(at + 1, HASH_DIGITS);
        add(&r->words, &hash, 1);
    }
    return true;
}

/* Reads and applies a line whose sum was cut off. In version 1 a "begin" may have no cases: the driver had
 * refused all cases of that launch. */
static enum journal_reading read_event(struct reader *r, const char *line, size_t count)
{
    enum journal_event event = event_of(line, count);
    size_t length = event == JOURNAL_EVENTS ? 0 : strlen(names[event]);
    bool good =
        length && (event != JOURNAL_SUSPECT || r->sums) && read_hashes(r, line + length, count - length);
    bool none = r->words.count == 0;
    if (!good || (event == JOURNAL_END ? !none : none && (r->sums || event != JOURNAL_BEGIN)))
        return damaged(r, "this is not a line of a journal");
    journal_learn(r->s, event, r->words.at, r->words.count);
    return JOURNAL_READ;
}

static enum journal_reading read_line(struct reader *r, const char *line, size_t count)
{
    if (r->sums && !take_sum(r, line, &count))
        return damaged(r, "its checksum is wrong: a line was changed, removed or added");
    return read_event(r, line, count);
}

/* Reads up to nine decimal digits and advances `*at`. False: there is no digit. */
static bool take_decimal(const char **at, const char *end, uint64_t *number)
{
    enum { DIGITS = 9 };
    const char *start = *at;
    for (*number = 0; *at < end && *at < start + DIGITS && **at >= '0' && **at <= '9'; ++*at)
        *number = *number * 10 + (uint64_t)(**at - '0');
    return *at > start;
}

/* Reads the first line, which names the version. In version 1 the first line is a line like all others. */
static enum journal_reading read_first_line(struct reader *r, const char *line, size_t count)
{
    const char *at = line + MAGIC;
    uint64_t version = 0;
    if (count < MAGIC || memcmp(line, magic, MAGIC) != 0) {
        enum journal_reading got = read_event(r, line, count);
        return got == JOURNAL_DAMAGED || (got == JOURNAL_READ && !r->words.count) ? JOURNAL_FOREIGN : got;
    }
    bool good = take_decimal(&at, line + count, &version) && at < line + count && *at == ' ';
    if (good && version > VERSION) {
        r->f->number = (unsigned long)version;
        return JOURNAL_NEWER;
    }
    r->sums = true;
    if (!good || version != VERSION || !take_sum(r, line, &count))
        return damaged(r, "its version is unknown, or its checksum is wrong");
    const char *end = line + count;
    at++; /* skips the blank; if that was the blank before the sum, there is no number */
    bool counts = at < end && take_decimal(&at, end, &r->lines_due) && at == end;
    return counts ? JOURNAL_READ : damaged(r, "it does not say how many lines follow");
}

/* True if these can be the first characters of a line. */
static bool is_front_of_line(const char *chars, size_t count)
{
    for (unsigned i = 0; i < JOURNAL_EVENTS; i++) {
        size_t length = strlen(names[i]);
        if (memcmp(chars, names[i], count < length ? count : length) != 0)
            continue;
        size_t at = length, digits = HASH_DIGITS;
        while (at < count && chars[at] == ' ' && digits == HASH_DIGITS) {
            digits = count_digits(chars + at + 1, count - at - 1, HASH_DIGITS);
            at += 1 + digits;
        }
        return at >= count;
    }
    return false;
}

/* True if this is a complete line whose line end was overwritten by a digit or a NUL. That is damage, not an
 * incomplete write. */
static bool has_lost_its_end(const struct reader *r, const char *line, size_t count, bool nuls)
{
    const char *blank = memrchr(line, ' ', count);
    size_t before = blank ? (size_t)(blank - line) : 0, digits = blank ? count - before - 1 : 0;
    bool more = nuls || digits > SUM_DIGITS;
    return r->sums && more && digits >= SUM_DIGITS && sum_fits(r, line, before, blank + 1);
}

/* Reads the characters after the last line end. */
static enum journal_reading read_tail(struct reader *r, const char *line, size_t count)
{
    enum { NAMED = 4 + 1 + HASH_DIGITS }; /* "hang HASH" */
    size_t length = count;
    while (length && !line[length - 1])
        length--;
    if (!length)
        return JOURNAL_READ;
    if (!is_front_of_line(line, length) || has_lost_its_end(r, line, length, length < count))
        return damaged(r, "it has no line end, and an incomplete write cannot be the cause");
    bool names_hang = event_of(line, length) == JOURNAL_HANG && length >= NAMED;
    return names_hang ? read_event(r, line, NAMED) : JOURNAL_READ;
}

static enum journal_reading read_lines(struct reader *r, const char *at, const char *end)
{
    uint64_t lines = 0;
    for (const char *line_end; (line_end = memchr(at, '\n', (size_t)(end - at))); at = line_end + 1) {
        r->f->number = (unsigned long)lines + 1;
        size_t count = (size_t)(line_end - at);
        enum journal_reading got = lines++ ? read_line(r, at, count) : read_first_line(r, at, count);
        if (got != JOURNAL_READ)
            return got;
    }
    size_t tail = (size_t)(end - at);
    r->f->number = (unsigned long)lines + 1;
    if (!lines && (tail < MAGIC || memcmp(at, magic, MAGIC) != 0))
        return JOURNAL_FOREIGN;
    if (!lines)
        return damaged(r, "it was cut off, with all lines after it");
    if (lines - 1 < r->lines_due)
        return damaged(r, "it is missing or incomplete: the file was cut off");
    return read_tail(r, at, tail);
}

bool journal_parse(struct journal_state *s, const char *chars, size_t count, struct journal_fault *f)
{
    struct reader r = {.s = s, .f = f};
    f->reading = count ? read_lines(&r, chars, chars + count) : JOURNAL_EMPTY;
    free(r.words.at);
    if (f->reading != JOURNAL_READ)
        return false;
    if (s->running.count == 1) { /* the case ran alone, so it is the cause */
        journal_learn(s, JOURNAL_HANG, s->running.at, 1);
        s->running.count = 0;
    }
    suspect_running(s);
    return true;
}
