/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_snapshot.h"

#include <fcntl.h>
#include <fenv.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    RANGES_MAX = 256,
    BYTES_MAX = 8 << 20, /* comparing more takes as long as a new process */
    MORE_MAX = 16 << 20, /* memory that crashes may leave behind */
    PIECE = 4096,        /* bytes that are compared, and copied if they differ */
    TEXT_MAX = 1 << 18,  /* of /proc/self/maps */
};

struct range {
    uint8_t *at;
    const uint8_t *saved;
    size_t bytes;
};

/* Lies in memory of its own, which is read-only once it is filled in. */
struct snapshot {
    fenv_t modes;
    void *heap_end;
    int next_file;
    size_t bytes; /* of the process */
    unsigned count;
    struct range range[RANGES_MAX];
};

static const struct snapshot *taken;

/* ---- what the kernel says of this process; for signal handlers, too ---- */

/* Reads a file of /proc. Returns its length; 0 if it cannot be read or is longer. */
static size_t read_text(const char *path, char *text, size_t room, int *file)
{
    size_t length = 0;
    ssize_t got = 1;
    *file = open(path, O_RDONLY | O_CLOEXEC);
    while (*file >= 0 && got > 0 && length < room) {
        got = read(*file, text + length, room - length);
        length += got > 0 ? (size_t)got : 0;
    }
    if (*file >= 0)
        close(*file);
    if (got != 0 || length == room)
        return 0;
    text[length] = 0;
    return length;
}

/* Reads the bytes of this process's address space and the next file descriptor. False if it has several
 * threads, or if the kernel does not say. */
static bool read_process(size_t *bytes, int *next_file)
{
    enum { THREADS = 20, BYTES = 23 }; /* fields of proc(5), counted from 1; the second ends with ')' */
    char text[1024];
    if (!read_text("/proc/self/stat", text, sizeof text, next_file))
        return false;
    const char *at = strrchr(text, ')');
    unsigned threads = 0;
    *bytes = 0;
    for (unsigned field = 3; at && field <= BYTES; field++) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
        size_t value = 0;
        for (const char *digit = at; digit && *digit >= '0' && *digit <= '9'; digit++)
            value = 10 * value + (size_t)(*digit - '0');
        if (field == THREADS)
            threads = (unsigned)value;
        if (field == BYTES)
            *bytes = value;
    }
    return threads == 1 && *bytes;
}

int plugin_snapshot_next_file(void)
{
    int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    if (file >= 0)
        close(file);
    return file;
}

bool plugin_snapshot_fits(void)
{
    size_t bytes;
    int next_file;
    return taken && read_process(&bytes, &next_file) && next_file == taken->next_file &&
           bytes >= taken->bytes && bytes - taken->bytes <= MORE_MAX;
}

/* ---- the copy ---- */

/* Reads a line of /proc/self/maps: "from-to rw-p ...". Returns what follows it; NULL at the end. Without
 * bytes, `r` is not to be copied. */
static const char *read_line(const char *line, const void *frame, struct range *r)
{
    char *at;
    uintptr_t from = strtoul(line, &at, 16), to = *at == '-' ? strtoul(at + 1, &at, 16) : 0;
    const char *end = strchr(line, '\n');
    if (to <= from || !end)
        return NULL;
    if (from <= (uintptr_t)frame && (uintptr_t)frame < to) /* the stack, which grows down */
        from = (uintptr_t)frame;
    *r = (struct range){(uint8_t *)from, NULL, strncmp(at, " rw-p", 5) == 0 ? to - from : 0}; /* NOLINT */
    return end + 1;
}

/* Lists the ranges. Returns their bytes; 0 if there are too many of either. */
static size_t find_ranges(struct snapshot *s, const char *maps, const void *frame)
{
    size_t bytes = 0;
    struct range r;
    while ((maps = read_line(maps, frame, &r)) && bytes <= BYTES_MAX) {
        if (!r.bytes)
            continue;
        if (s->count == RANGES_MAX)
            return 0;
        s->range[s->count++] = r;
        bytes += r.bytes;
    }
    return bytes <= BYTES_MAX ? bytes : 0;
}

/* Shared memory is not copied, so it may hold what is read during the copy. */
static void *map(size_t bytes, int shared)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, shared | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static bool copy(struct snapshot *s, size_t bytes)
{
    size_t all = sizeof *s + bytes;
    struct snapshot *kept = map(all, MAP_SHARED);
    if (!kept)
        return false;
    uint8_t *to = (uint8_t *)(kept + 1);
    taken = kept; /* before the copy, which holds it then */
    for (unsigned i = 0; i < s->count; i++) {
        s->range[i].saved = memcpy(to, s->range[i].at, s->range[i].bytes);
        to += s->range[i].bytes;
    }
    *kept = *s;
    return mprotect(kept, all, PROT_READ) == 0;
}

bool plugin_snapshot_take(const void *frame)
{
    struct snapshot *s = map(sizeof *s + TEXT_MAX, MAP_SHARED);
    size_t bytes = 0;
    int file;
    if (!s)
        return false;
    char *maps = (char *)(s + 1);
    s->heap_end = sbrk(0);
    if (fegetenv(&s->modes) == 0 && read_process(&s->bytes, &s->next_file) &&
        read_text("/proc/self/maps", maps, TEXT_MAX, &file))
        bytes = find_ranges(s, maps, frame);
    bool good = bytes && copy(s, bytes);
    munmap(s, sizeof *s + TEXT_MAX);
    return good;
}

void plugin_snapshot_restore(void)
{
    const struct snapshot *s = taken;
    if (sbrk(0) != s->heap_end)
        (void)brk(s->heap_end);
    for (const struct range *r = s->range; r < s->range + s->count; r++)
        for (size_t at = 0; at < r->bytes; at += PIECE) {
            size_t bytes = r->bytes - at < PIECE ? r->bytes - at : PIECE;
            if (memcmp(r->at + at, r->saved + at, bytes) != 0)
                memcpy(r->at + at, r->saved + at, bytes);
        }
    (void)fesetenv(&s->modes);
}
