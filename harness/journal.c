/* SPDX-License-Identifier: MIT */
#include "harness/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A case takes 17 bytes. Beyond so many, what went well is forgotten and the file begins anew. */
enum { BYTES_MAX = 1 << 20 };

/* Hashes in no order; few. */
struct hashes {
    uint64_t *at;
    size_t count, room;
};

struct journal {
    int fd; /* -1: none */
    char *path;
    size_t written, most; /* bytes */
    struct hashes hangs, suspects;
};

static bool add(struct hashes *h, uint64_t hash)
{
    if (h->count == h->room) {
        size_t room = h->room ? 2 * h->room : 64;
        uint64_t *at = realloc(h->at, room * sizeof *at);
        if (!at)
            return false;
        h->at = at;
        h->room = room;
    }
    h->at[h->count++] = hash;
    return true;
}

static bool has(const struct hashes *h, uint64_t hash)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->at[i] == hash)
            return true;
    return false;
}

/* One line that an earlier run wrote; what is torn or strange is passed over. What was not said to the end did not run. */
static bool read_line(struct journal *j, char *line, struct hashes *open)
{
    bool whole = strchr(line, '\n');
    char *rest = NULL, *word = strtok_r(line, " \n", &rest);
    if (!word)
        return true;
    bool begins = !strcmp(word, "begin"), hang = !strcmp(word, "hang");
    if (begins || !strcmp(word, "end"))
        open->count = 0;
    while ((hang || (begins && whole)) && (word = strtok_r(NULL, " \n", &rest))) {
        char *end;
        uint64_t hash = strtoull(word, &end, 16);
        if (end != word + 16 || *end)
            break;
        if (!add(hang ? &j->hangs : open, hash))
            return false;
    }
    return true;
}

static bool cannot(const char *what, const char *path, const char *todo, struct error *e)
{
    error_set(e, "cannot %s the journal %s (%s)%s", what, path, strerror(errno), todo);
    return error_of_machine(e);
}

/* What cannot be read is not taken for what is not there: it may hold cases that must not run again. */
static bool cannot_read(const struct journal *j, struct error *e)
{
    return cannot("read", j->path, "; make it readable, or name another by MISPRINT_JOURNAL", e);
}

static bool read_all(struct journal *j, struct error *e)
{
    FILE *f = fopen(j->path, "re");
    if (!f)
        return errno == ENOENT || cannot_read(j, e);
    char *line = NULL;
    size_t room = 0;
    struct hashes open = {0};
    bool stored = true;
    while (stored && getline(&line, &room, f) > 0)
        stored = read_line(j, line, &open);
    bool good = !stored || feof(f) || cannot_read(j, e);
    for (size_t i = 0; stored && i < open.count; i++)
        stored = add(open.count == 1 ? &j->hangs : &j->suspects, open.at[i]);
    good = good && (stored || error_memory(e, "for a board's journal"));
    free(line);
    free(open.at);
    (void)fclose(f);
    return good;
}

static bool put(struct journal *j, const char *text, size_t size, struct error *e)
{
    if (j->fd < 0)
        return true;
    ssize_t written = write(j->fd, text, size);
    if (written == (ssize_t)size && fdatasync(j->fd) == 0) {
        j->written += size;
        return true;
    }
    if (written >= 0 && written != (ssize_t)size)
        errno = ENOSPC; /* a part of it was written: nothing else says so */
    return cannot("write", j->path, "; make room, or name another place by MISPRINT_JOURNAL", e);
}

/* What matters of the past, without the launches that went well. */
static bool rewrite(struct journal *j, struct error *e)
{
    char line[32];
    for (size_t i = 0; i < j->hangs.count; i++) {
        int size = snprintf(line, sizeof line, "hang %016" PRIx64 "\n", j->hangs.at[i]);
        if (!put(j, line, (size_t)size, e))
            return false;
    }
    return true;
}

/* Begins a new file in the place of the old one, if there is one, which stands until that is whole. `open` are running, as far as is known. */
static bool begin_file(struct journal *j, const struct hashes *open_cases, struct error *e)
{
    static const char ending[] = ".new";
    const int old = j->fd;
    size_t length = strlen(j->path);
    char *fresh = malloc(length + sizeof ending);
    if (!fresh)
        return error_memory(e, "for a board's journal");
    memcpy(fresh, j->path, length);
    memcpy(fresh + length, ending, sizeof ending);
    j->written = 0;
    j->fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    bool good = (j->fd >= 0 || cannot("write", fresh, "; MISPRINT_JOURNAL names another place", e)) && rewrite(j, e) &&
                (!open_cases->count || journal_begin(j, open_cases->at, (unsigned)open_cases->count, e)) &&
                (rename(fresh, j->path) == 0 || cannot("replace", j->path, "", e));
    if (good && old >= 0)
        (void)close(old);
    else if (!good && old >= 0 && j->fd >= 0)
        (void)close(j->fd);
    if (!good && old >= 0)
        j->fd = old;
    j->most = j->written + BYTES_MAX;
    free(fresh);
    return good;
}

struct journal *journal_open(const char *path, struct error *e)
{
    struct journal *j = calloc(1, sizeof *j);
    if (j)
        j->fd = -1;
    if (!j || (path && !(j->path = strdup(path))))
        error_memory(e, "for a board's journal");
    else if (!path || (read_all(j, e) && begin_file(j, &j->suspects, e)))
        return j;
    journal_close(j);
    return NULL;
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    if (j->fd >= 0)
        close(j->fd);
    free(j->path);
    free(j->hangs.at);
    free(j->suspects.at);
    free(j);
}

bool journal_begin(struct journal *j, const uint64_t *hashes, unsigned count, struct error *e)
{
    enum { WORD = 17, HEAD = 5 };
    if (j->fd < 0)
        return true;
    char *line = malloc(HEAD + (size_t)count * WORD + 2);
    if (!line)
        return error_memory(e, "for a board's journal");
    size_t size = HEAD;
    memcpy(line, "begin", HEAD);
    for (unsigned i = 0; i < count; i++)
        size += (size_t)snprintf(line + size, WORD + 1, " %016" PRIx64, hashes[i]);
    line[size++] = '\n';
    bool good = put(j, line, size, e);
    free(line);
    return good;
}

bool journal_end(struct journal *j, struct error *e)
{
    static const char line[] = "end\n";
    static const struct hashes none;
    struct error kept = {0};
    if (!put(j, line, sizeof line - 1, e))
        return false;
    if (j->fd >= 0 && j->written > j->most)
        (void)begin_file(j, &none, &kept); /* where that cannot be, the old one goes on */
    return true;
}

bool journal_hang(struct journal *j, uint64_t hash, struct error *e)
{
    char line[32];
    int size = snprintf(line, sizeof line, "hang %016" PRIx64 "\n", hash);
    return (add(&j->hangs, hash) || error_memory(e, "for a board's journal")) && put(j, line, (size_t)size, e);
}

bool journal_wants_hashes(const struct journal *j)
{
    return j->fd >= 0 || j->hangs.count || j->suspects.count;
}

bool journal_knows_hang(const struct journal *j, uint64_t hash)
{
    return has(&j->hangs, hash);
}

bool journal_suspects(const struct journal *j, uint64_t hash)
{
    return has(&j->suspects, hash);
}
