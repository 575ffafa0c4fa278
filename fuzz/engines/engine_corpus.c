/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/engine_corpus.h"

#include "fuzz/engines/engine_harness.h"
#include "fuzz/engines/sandbox.h"
#include "fuzz/generate/mutator.h"
#include "model/core/memory.h"
#include "oracle/files/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum {
    FOLDERS_MAX = 512,
};

enum { FOUND_PATH_MAX = FILE_PATH_MAX + 300 }; /* a folder's path and a name in it */

struct engine_corpus {
    const struct unit *unit;
    const char *profile, *board;
    struct folder {
        char path[FILE_PATH_MAX];
        enum engine_corpus_kind kind;
    } * folder[FOLDERS_MAX];
    unsigned folders;
    uint64_t *seen; /* hashes of paths, open addressing; 0: free */
    size_t seen_count, seen_room;
    char **waiting; /* paths that were found and not read yet */
    size_t waiting_count, waiting_room, waiting_at;
    char file[FILE_PATH_MAX]; /* being read */
    char *bytes;
    struct batch_reader batch;
    unsigned defects;
    char defect[FOUND_PATH_MAX];
};

struct engine_corpus *engine_corpus_new(const struct unit *u, const char *profile, const char *board)
{
    struct engine_corpus *h = memory_new(1, sizeof *h);
    h->unit = u;
    h->profile = profile;
    h->board = board;
    return h;
}

void engine_corpus_free(struct engine_corpus *h)
{
    if (!h)
        return;
    for (unsigned i = 0; i < h->folders; i++)
        free(h->folder[i]);
    for (size_t i = h->waiting_at; i < h->waiting_count; i++)
        free(h->waiting[i]);
    free(h->waiting);
    free(h->seen);
    free(h->bytes);
    free(h);
}

void engine_corpus_folder(struct engine_corpus *h, const char *path, enum engine_corpus_kind kind)
{
    if (h->folders == FOLDERS_MAX)
        return;
    struct folder *f = h->folder[h->folders++] = memory_new(1, sizeof *f);
    (void)snprintf(f->path, sizeof f->path, "%s", path);
    f->kind = kind;
}

static void put_seen(uint64_t *seen, size_t room, uint64_t hash)
{
    size_t at = (size_t)(hash % room);
    while (seen[at])
        at = (at + 1) % room;
    seen[at] = hash;
}

static uint64_t hash_of(const char *path)
{
    return XXH3_64bits(path, strlen(path)) | 1;
}

static bool is_seen(const struct engine_corpus *h, const char *path)
{
    uint64_t hash = hash_of(path);
    if (!h->seen_room)
        return false;
    for (size_t at = (size_t)(hash % h->seen_room); h->seen[at]; at = (at + 1) % h->seen_room)
        if (h->seen[at] == hash)
            return true;
    return false;
}

static void note_seen(struct engine_corpus *h, const char *path)
{
    if (2 * h->seen_count >= h->seen_room) {
        size_t room = h->seen_room ? 2 * h->seen_room : 4096;
        uint64_t *more = memory_new(room, sizeof *more);
        for (size_t i = 0; i < h->seen_room; i++)
            if (h->seen[i])
                put_seen(more, room, h->seen[i]);
        free(h->seen);
        h->seen = more;
        h->seen_room = room;
    }
    put_seen(h->seen, h->seen_room, hash_of(path));
    h->seen_count++;
}

static void wait_for(struct engine_corpus *h, const char *path)
{
    if (h->waiting_count == h->waiting_room) {
        h->waiting_room = h->waiting_room ? 2 * h->waiting_room : 256;
        h->waiting = memory_grow(h->waiting, h->waiting_room, sizeof *h->waiting);
    }
    h->waiting[h->waiting_count] = strdup(path);
    h->waiting_count += h->waiting[h->waiting_count] != NULL;
}

/* What stopped an engine, to be tried in a process of its own. */
struct suspect {
    const struct engine_corpus *engine_corpus;
    const char *bytes;
    size_t count;
};

static enum sandbox_end run_suspect(void *context)
{
    static volatile uint8_t counters[ENGINE_HARNESS_COUNTERS_MAX];
    const struct suspect *s = context;
    const struct engine_corpus *h = s->engine_corpus;
    struct error e = {0};
    struct engine_harness *t = engine_harness_new(h->unit, h->profile, h->board, &e);
    struct test_case *c = memory_new(1, sizeof *c);
    struct batch_reader b;
    const uint8_t *one;
    size_t count;
    enum sandbox_end tried = t ? SANDBOX_WELL : SANDBOX_NOT_RUN;
    batch_open(&b, (const uint8_t *)s->bytes, s->count);
    while (tried == SANDBOX_WELL && batch_next(&b, &one, &count)) {
        case_decode(c, h->unit, one, count);
        if (engine_harness_run(t, c, 0, counters) == ENGINE_HARNESS_UNEXPLAINED)
            tried = SANDBOX_BAD;
    }
    free(c);
    engine_harness_free(t);
    return tried;
}

/* May its cases be run here? Not where the model itself fails at one: that is counted. */
static enum sandbox_end try_file(struct engine_corpus *h, const char *path)
{
    struct error e = {0};
    struct suspect s = {.engine_corpus = h};
    char *bytes = file_read(path, &s.count, &e);
    s.bytes = bytes;
    enum sandbox_end tried = bytes ? sandbox_run(run_suspect, &s, HANG_SECONDS) : SANDBOX_NOT_RUN;
    free(bytes);
    if (tried != SANDBOX_WELL && tried != SANDBOX_NOT_RUN && h->defects++ == 0)
        (void)snprintf(h->defect, sizeof h->defect, "%s", path);
    return tried;
}

static void look_into(struct engine_corpus *h, const struct folder *f)
{
    DIR *folder = opendir(f->path);
    for (const struct dirent *d; folder && (d = readdir(folder));) {
        char path[FOUND_PATH_MAX];
        if (d->d_name[0] == '.' || !strcmp(d->d_name, "README.txt"))
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", f->path, d->d_name);
        if (is_seen(h, path))
            continue;
        enum sandbox_end tried = f->kind == ENGINE_CORPUS_CASES ? SANDBOX_WELL : try_file(h, path);
        if (tried == SANDBOX_NOT_RUN)
            continue; /* at the next look again, if it is still there */
        note_seen(h, path);
        if (tried == SANDBOX_WELL)
            wait_for(h, path);
    }
    if (folder)
        (void)closedir(folder);
}

static bool open_next_file(struct engine_corpus *h)
{
    if (h->waiting_at == h->waiting_count) {
        h->waiting_at = h->waiting_count = 0;
        for (unsigned i = 0; i < h->folders; i++)
            look_into(h, h->folder[i]);
    }
    while (h->waiting_at < h->waiting_count) {
        struct error e = {0};
        size_t count;
        char *path = h->waiting[h->waiting_at++];
        free(h->bytes);
        h->bytes = file_read(path, &count, &e);
        (void)snprintf(h->file, sizeof h->file, "%s", path);
        free(path);
        if (h->bytes) { /* engines delete files that they replace by shorter ones */
            batch_open(&h->batch, (const uint8_t *)h->bytes, count);
            return true;
        }
    }
    return false;
}

bool engine_corpus_next(struct engine_corpus *h, struct test_case *c, const char **label)
{
    const uint8_t *one;
    size_t count;
    while (!h->bytes || !batch_next(&h->batch, &one, &count))
        if (!open_next_file(h)) {
            free(h->bytes);
            h->bytes = NULL;
            return false;
        }
    case_decode(c, h->unit, one, count);
    *label = h->file;
    return true;
}

unsigned engine_corpus_defects(const struct engine_corpus *h)
{
    return h->defects;
}

const char *engine_corpus_first_defect(const struct engine_corpus *h)
{
    return h->defects ? h->defect : NULL;
}
