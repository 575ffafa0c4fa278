/* SPDX-License-Identifier: MIT */
#include "tests/harness/attack/attack_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[] = "misprint-attack 1";

void attack_counts_add(struct attack_counts *into, const struct attack_counts *more)
{
    into->cases += more->cases;
    into->accepted += more->accepted;
    into->broken += more->broken;
    for (unsigned i = 0; i < ATTACK_COUNTERS; i++)
        into->counter[i] += more->counter[i];
    if (more->has_first && (!into->has_first || more->first < into->first)) {
        into->has_first = true;
        into->first = more->first;
        memcpy(into->why, more->why, sizeof into->why);
    }
}

static uint64_t fnv1a(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ b[i]) * UINT64_C(0x100000001B3);
    return hash;
}
static const uint64_t fnv1a_begin = UINT64_C(0xCBF29CE484222325);

/* Returns a hash of this program's file, because the totals of two verifiers must not be added up. 0:
 * unknown. */
static uint64_t build_of(void)
{
    static uint8_t bytes[1 << 16];
    static uint64_t hash;
    FILE *f = hash ? NULL : fopen("/proc/self/exe", "rb");
    if (!f)
        return hash;
    size_t count;
    hash = fnv1a_begin;
    while ((count = fread(bytes, 1, sizeof bytes, f)) > 0)
        hash = fnv1a(hash, bytes, count);
    (void)fclose(f);
    return hash;
}

/* ---- text ---- */

/* Prints what must be equal for a run to continue. Each item has its own line, so that a message can name the
 * line that differs. */
static void print_head(const struct attack_state *s, struct text *t)
{
    text_add(t, "%s\n", magic);
    text_add(t, "attack %s\n", s->attack->name);
    text_add(t, "seed %" PRIu64 "\n", s->seed);
    text_add(t, "build %016" PRIx64 "\n", build_of());
}

static void print_state(const struct attack_state *s, struct text *t)
{
    const struct attack_counts *c = &s->counts;
    print_head(s, t);
    text_add(t, "next %" PRIu64 "\n", s->next);
    text_add(t, "milliseconds %" PRIu64 "\n", (uint64_t)(s->seconds * 1000));
    text_add(t, "cases %" PRIu64 "\naccepted %" PRIu64 "\n", c->cases, c->accepted);
    text_add(t, "broken %" PRIu64 "\n", c->broken);
    for (unsigned i = 0; s->attack->counter_names[i]; i++)
        text_add(t, "counter.%s %" PRIu64 "\n", s->attack->counter_names[i], c->counter[i]);
    text_add(t, "first-broken %" PRIu64 "\n", c->has_first ? c->first : UINT64_MAX);
    text_add(t, "why %s\n", c->has_first ? c->why : "-");
    text_add(t, "sum %016" PRIx64 "\n", fnv1a(fnv1a_begin, text_chars(t), t->length));
}

/* Returns the value after "NAME " at *at, and moves *at to the next line. NULL if the name differs. */
static char *take_line(char **at, const char *name)
{
    size_t length = strlen(name);
    char *end = strchr(*at, '\n'), *value = *at + length + 1;
    if (!end || strncmp(*at, name, length) != 0 || (*at)[length] != ' ')
        return NULL;
    *end = 0;
    *at = end + 1;
    return value;
}

static bool take_number(char **at, const char *name, uint64_t *to)
{
    char *end, *value = take_line(at, name);
    if (!value || *value < '0' || *value > '9')
        return false;
    errno = 0;
    *to = strtoull(value, &end, 10);
    return !errno && !*end;
}

static bool take_state(struct attack_state *s, char **at)
{
    struct attack_counts *c = &s->counts;
    uint64_t milliseconds, first;
    if (!take_number(at, "next", &s->next) || !take_number(at, "milliseconds", &milliseconds) ||
        !take_number(at, "cases", &c->cases) || !take_number(at, "accepted", &c->accepted) ||
        !take_number(at, "broken", &c->broken))
        return false;
    for (unsigned i = 0; s->attack->counter_names[i]; i++) {
        char name[100];
        (void)snprintf(name, sizeof name, "counter.%s", s->attack->counter_names[i]);
        if (!take_number(at, name, &c->counter[i]))
            return false;
    }
    const char *why;
    if (!take_number(at, "first-broken", &first) || !(why = take_line(at, "why")))
        return false;
    s->seconds = (double)milliseconds / 1000;
    c->has_first = first != UINT64_MAX;
    c->first = first;
    (void)snprintf(c->why, sizeof c->why, "%s", why);
    return s->next <= UINT64_MAX / ATTACK_BLOCK;
}

/* Removes the last line. Returns true if it holds the checksum of the lines before it. */
static bool check_sum(char *chars)
{
    char line[40], *last = strstr(chars, "\nsum ");
    if (!last)
        return false;
    last++;
    (void)snprintf(line, sizeof line, "sum %016" PRIx64 "\n",
                   fnv1a(fnv1a_begin, chars, (size_t)(last - chars)));
    if (strcmp(last, line) != 0)
        return false;
    *last = 0;
    return true;
}

static bool parse(struct attack_state *s, const char *path, char *chars, char error[ATTACK_WHY])
{
    struct text head = {0};
    if (!check_sum(chars)) {
        (void)snprintf(error, ATTACK_WHY,
                       "%s is damaged or not the state of an attack; remove it to start again", path);
        return false;
    }
    print_head(s, &head);
    bool same = !strncmp(chars, text_chars(&head), head.length);
    char *at = chars + head.length;
    if (!same) {
        size_t n = 0;
        while (chars[n] == head.chars[n])
            n++;
        while (n && chars[n - 1] != '\n')
            n--;
        (void)snprintf(error, ATTACK_WHY, "%s belongs to another run: it has '%.*s', this run has '%.*s'",
                       path, (int)strcspn(chars + n, "\n"), chars + n, (int)strcspn(head.chars + n, "\n"),
                       head.chars + n);
    } else if (!(same = take_state(s, &at))) {
        (void)snprintf(error, ATTACK_WHY, "%s has other counters than this attack; remove it to start again",
                       path);
    }
    text_free(&head);
    return same;
}

/* ---- the file ---- */

bool attack_state_load(struct attack_state *s, const char *path, char error[ATTACK_WHY])
{
    char chars[16384];
    FILE *f = fopen(path, "rb");
    if (!f) {
        (void)snprintf(error, ATTACK_WHY, "%s: %s", path, strerror(errno));
        return errno == ENOENT;
    }
    size_t count = fread(chars, 1, sizeof chars - 1, f);
    (void)fclose(f);
    chars[count] = 0;
    return parse(s, path, chars, error);
}

/* Writes the folder to disk, because until then a power failure can undo the rename. */
static void sync_folder(const char *path)
{
    char copy[PATH_MAX];
    (void)snprintf(copy, sizeof copy, "%s", path);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder);
        (void)close(folder);
    }
}

bool attack_state_save(const struct attack_state *s, const char *path, char error[ATTACK_WHY])
{
    char temporary[PATH_MAX];
    struct text t = {0};
    if (snprintf(temporary, sizeof temporary, "%s.new", path) >= (int)sizeof temporary) {
        (void)snprintf(error, ATTACK_WHY, "the name of the state file is too long");
        return false;
    }
    print_state(s, &t);
    int f = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = f >= 0 && write(f, t.chars, t.length) == (ssize_t)t.length && fsync(f) == 0;
    if (f >= 0)
        good = close(f) == 0 && good;
    good = good && rename(temporary, path) == 0;
    if (good)
        sync_folder(path);
    else
        (void)snprintf(error, ATTACK_WHY, "%s: %s", path, strerror(errno));
    text_free(&t);
    return good;
}
