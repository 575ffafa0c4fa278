/* SPDX-License-Identifier: MIT */
#include "fuzz/engines/engine_corpus.h"

#include "fuzz/engines/engine_harness.h"
#include "fuzz/engines/sandbox.h"
#include "fuzz/generate/mutator.h"
#include "model/core/memory.h"
#include "oracle/files/file.h"

#include <dirent.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FOLDERS_MAX = 512, FOUND_PATH_MAX = FILE_PATH_MAX + 300 /* a folder's path and a name in it */ };

struct engine_corpus {
    const struct unit *unit;
    const char *profile, *board;
    struct folder {
        char path[FILE_PATH_MAX];
        enum engine_corpus_kind kind;
    } * folder[FOLDERS_MAX];
    unsigned folders;
    void *seen;           /* paths, by tsearch */
    const char **waiting; /* of these, the files that were not read yet */
    size_t waiting_count, waiting_room, waiting_at;
    const char *file; /* the file that is being read */
    char *bytes;
    struct pack_reader batch;
    unsigned defects;
    char defect[FOUND_PATH_MAX];
};

struct engine_corpus *engine_corpus_new(const struct unit *u, const char *profile, const char *board)
{
    struct engine_corpus *ec = memory_new(1, sizeof *ec);
    ec->unit = u;
    ec->profile = profile;
    ec->board = board;
    return ec;
}

void engine_corpus_free(struct engine_corpus *ec)
{
    if (!ec)
        return;
    for (unsigned i = 0; i < ec->folders; i++)
        free(ec->folder[i]);
    free(ec->waiting);
    tdestroy(ec->seen, free);
    free(ec->bytes);
    free(ec);
}

void engine_corpus_folder(struct engine_corpus *ec, const char *path, enum engine_corpus_kind kind)
{
    if (ec->folders == FOLDERS_MAX)
        return;
    struct folder *f = ec->folder[ec->folders++] = memory_new(1, sizeof *f);
    (void)snprintf(f->path, sizeof f->path, "%s", path);
    f->kind = kind;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void wait_for(struct engine_corpus *ec, const char *path)
{
    if (ec->waiting_count == ec->waiting_room) {
        ec->waiting_room = ec->waiting_room ? 2 * ec->waiting_room : 256;
        ec->waiting = memory_grow(ec->waiting, ec->waiting_room, sizeof *ec->waiting);
    }
    ec->waiting[ec->waiting_count++] = path;
}

struct suspect {
    const struct engine_corpus *corpus;
    const char *bytes;
    size_t count;
};

static enum sandbox_end run_suspect(void *context)
{
    static volatile uint8_t counters[ENGINE_HARNESS_COUNTERS_MAX];
    const struct suspect *s = context;
    const struct engine_corpus *ec = s->corpus;
    struct error e = {0};
    struct engine_harness *t = engine_harness_new(ec->unit, ec->profile, ec->board, &e);
    struct test_case *c = memory_new(1, sizeof *c);
    struct pack_reader b;
    const uint8_t *one;
    size_t count;
    enum sandbox_end end = t ? SANDBOX_WELL : SANDBOX_NOT_RUN;
    pack_open(&b, (const uint8_t *)s->bytes, s->count);
    while (end == SANDBOX_WELL && pack_next(&b, &one, &count)) {
        case_decode(c, ec->unit, one, count);
        if (engine_harness_run(t, c, 0, counters) == ENGINE_HARNESS_UNEXPLAINED)
            end = SANDBOX_BAD;
    }
    free(c);
    engine_harness_free(t);
    return end;
}

/* Runs the cases of a file in a sandbox. Counts a defect if the model itself fails. */
static enum sandbox_end run_in_sandbox(struct engine_corpus *ec, const char *path)
{
    struct error e = {0};
    struct suspect s = {.corpus = ec};
    char *bytes = file_read(path, &s.count, &e);
    s.bytes = bytes;
    enum sandbox_end end = bytes ? sandbox_run(run_suspect, &s, HANG_SECONDS) : SANDBOX_NOT_RUN;
    free(bytes);
    if (end != SANDBOX_WELL && end != SANDBOX_NOT_RUN && ec->defects++ == 0)
        (void)snprintf(ec->defect, sizeof ec->defect, "%s", path);
    return end;
}

static void look_into(struct engine_corpus *ec, const struct folder *f)
{
    DIR *folder = opendir(f->path);
    for (const struct dirent *d; folder && (d = readdir(folder));) {
        char path[FOUND_PATH_MAX];
        if (d->d_name[0] == '.' || !strcmp(d->d_name, "README.txt"))
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", f->path, d->d_name);
        if (tfind(path, &ec->seen, by_path))
            continue;
        enum sandbox_end end = f->kind == ENGINE_CORPUS_CASES ? SANDBOX_WELL : run_in_sandbox(ec, path);
        if (end == SANDBOX_NOT_RUN)
            continue; /* the next look at the folder reads the file again */
        char *seen = memory_string(path);
        (void)tsearch(seen, &ec->seen, by_path);
        if (end == SANDBOX_WELL)
            wait_for(ec, seen);
    }
    if (folder)
        (void)closedir(folder);
}

static bool open_next_file(struct engine_corpus *ec)
{
    if (ec->waiting_at == ec->waiting_count) {
        ec->waiting_at = ec->waiting_count = 0;
        for (unsigned i = 0; i < ec->folders; i++)
            look_into(ec, ec->folder[i]);
    }
    while (ec->waiting_at < ec->waiting_count) {
        struct error e = {0};
        size_t count;
        const char *path = ec->waiting[ec->waiting_at++];
        free(ec->bytes);
        ec->bytes = file_read(path, &count, &e);
        ec->file = path;
        if (ec->bytes) { /* NULL because engines delete files that they replace by shorter ones */
            pack_open(&ec->batch, (const uint8_t *)ec->bytes, count);
            return true;
        }
    }
    return false;
}

bool engine_corpus_next(struct engine_corpus *ec, struct test_case *c, const char **label)
{
    const uint8_t *one;
    size_t count;
    while (!ec->bytes || !pack_next(&ec->batch, &one, &count))
        if (!open_next_file(ec)) {
            free(ec->bytes);
            ec->bytes = NULL;
            return false;
        }
    case_decode(c, ec->unit, one, count);
    *label = ec->file;
    return true;
}

unsigned engine_corpus_defects(const struct engine_corpus *ec)
{
    return ec->defects;
}

const char *engine_corpus_first_defect(const struct engine_corpus *ec)
{
    return ec->defects ? ec->defect : NULL;
}
