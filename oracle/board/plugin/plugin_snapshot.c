/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    RANGES_MAX = 256,
    SIGNALS = 65,
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

/* Lies in shared memory, which is not copied. It is read-only once it is filled in. */
struct snapshot {
    fenv_t modes;
    struct sigaction handler[SIGNALS];
    void *heap_end;
    struct plugin_held held;
    unsigned count;
    struct range range[RANGES_MAX];
    char maps[TEXT_MAX]; /* /proc/self/maps */
    uint8_t saved[];
};

static const struct snapshot *taken;
static char *maps_now; /* room for /proc/self/maps, in shared memory */
static volatile sig_atomic_t restoring;

/* ---- what the kernel says of this process; for signal handlers, too ---- */

/* Reads a file of /proc. Returns its length; 0 if it cannot be read or is longer. `next_file`: the descriptor
 * that it had. */
static size_t read_text(const char *path, char *text, size_t room, int *next_file)
{
    size_t length = 0;
    ssize_t got = 1;
    *next_file = open(path, O_RDONLY | O_CLOEXEC);
    while (*next_file >= 0 && got > 0 && length < room) {
        got = read(*next_file, text + length, room - length);
        length += got > 0 ? (size_t)got : 0;
    }
    if (*next_file >= 0)
        close(*next_file);
    if (got != 0 || length == room)
        return 0;
    text[length] = 0;
    return length;
}

/* Has this process one thread, and no child? */
static bool is_alone(void)
{
    enum { THREADS = 20 }; /* the field of proc(5), counted from 1; the second field ends with ')' */
    char text[1024];
    siginfo_t ignored;
    int file;
    if (!read_text("/proc/self/stat", text, sizeof text, &file))
        return false;
    const char *at = strrchr(text, ')');
    for (unsigned field = 3; at && field <= THREADS; field++)
        at = strchr(at + 1, ' ');
    return at && strncmp(at, " 1 ", 3) == 0 && waitid(P_ALL, 0, &ignored, WEXITED | WNOHANG | WNOWAIT) != 0 &&
           errno == ECHILD;
}

/* A line of /proc/self/maps: "from-to rw-p ...". */
struct line {
    uintptr_t from, to;
    const char *modes; /* four letters, then the rest of the line */
    size_t length;     /* of these */
};

/* Reads a line. Returns what follows it; NULL at the end. */
static const char *read_line(const char *text, struct line *l)
{
    char *at;
    l->from = strtoul(text, &at, 16);
    l->to = *at == '-' ? strtoul(at + 1, &at, 16) : 0;
    const char *end = strchr(text, '\n');
    if (l->to <= l->from || !end || *at != ' ' || end - at < 5)
        return NULL;
    l->modes = at + 1;
    l->length = (size_t)(end - l->modes);
    return end + 1;
}

static unsigned count_shared(const char *maps)
{
    struct line l;
    unsigned count = 0;
    while ((maps = read_line(maps, &l)))
        count += l.modes[3] == 's';
    return count;
}

struct plugin_held plugin_snapshot_held(void)
{
    struct plugin_held h = {.next_file = -1};
    if (!maps_now) {
        void *at = mmap(NULL, TEXT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        maps_now = at == MAP_FAILED ? NULL : at;
    }
    if (maps_now && read_text("/proc/self/maps", maps_now, TEXT_MAX, &h.next_file))
        h.shared_maps = count_shared(maps_now);
    else
        h.next_file = -1;
    return h;
}

static bool is_special(const struct line *l, const char *name)
{
    const size_t length = strlen(name);
    return l->length >= length && memcmp(l->modes + l->length - length, name, length) == 0;
}

/* Is a mapping of before still there? The heap may be longer, and the stack deeper. */
static bool is_same_line(const struct line *was, const struct line *is)
{
    if (was->length != is->length || memcmp(was->modes, is->modes, was->length) != 0)
        return false;
    return (was->from == is->from || (is->from < was->from && is_special(was, "[stack]"))) &&
           (was->to == is->to || (is->to > was->to && is_special(was, "[heap]")));
}

/* Are all mappings of before still there, and the new ones only a few MB of memory? Both lists ascend. */
static bool same_maps(const char *was, const char *is)
{
    struct line old, new;
    size_t more = 0;
    was = read_line(was, &old);
    while ((is = read_line(is, &new))) {
        if (was && is_same_line(&old, &new)) {
            more += new.to - old.to;
            was = read_line(was, &old);
        } else if (strncmp(new.modes, "rw-p 00000000 00:00 0", 21) == 0) {
            more += new.to - new.from;
        } else {
            return false;
        }
    }
    return !was && more <= MORE_MAX;
}

static bool holds_same(const struct plugin_held *a, const struct plugin_held *b)
{
    return a->next_file >= 0 && a->next_file == b->next_file && a->shared_maps == b->shared_maps;
}

bool plugin_snapshot_fits(void)
{
    if (!taken || restoring || !is_alone())
        return false;
    const struct plugin_held now = plugin_snapshot_held(); /* and maps_now */
    return holds_same(&taken->held, &now) && same_maps(taken->maps, maps_now);
}

/* ---- the copy ---- */

/* Lists the ranges to copy. Returns their bytes; 0 if there are too many, or if some are code. */
static size_t find_ranges(struct range range[RANGES_MAX], unsigned *count, const void *frame)
{
    const char *at = maps_now;
    size_t bytes = 0;
    struct line l;
    for (*count = 0; (at = read_line(at, &l)) && bytes <= BYTES_MAX;) {
        const bool is_stack = l.from <= (uintptr_t)frame && (uintptr_t)frame < l.to; /* which grows down */
        const uintptr_t from = is_stack ? (uintptr_t)frame : l.from;
        if (l.modes[1] != 'w' || l.modes[3] != 'p')
            continue;
        if (l.modes[0] != 'r' || l.modes[2] == 'x' || *count == RANGES_MAX)
            return 0;
        range[(*count)++] = (struct range){(uint8_t *)from, NULL, l.to - from}; /* NOLINT: from the kernel */
        bytes += l.to - from;
    }
    return bytes <= BYTES_MAX ? bytes : 0;
}

/* Copies by a system call, because memory in the list may lack pages. */
static bool copy_ranges(struct snapshot *s)
{
    uint8_t *to = s->saved;
    for (struct range *r = s->range; r < s->range + s->count; r++) {
        const struct iovec here = {to, r->bytes}, there = {r->at, r->bytes};
        if (process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)r->bytes)
            return false;
        r->saved = to;
        to += r->bytes;
    }
    return true;
}

static void save_handlers(struct snapshot *s)
{
    for (int i = 1; i < SIGNALS; i++)
        (void)sigaction(i, NULL, &s->handler[i]);
}

/* Saves what the process holds, and makes the copy read-only, which is part of that. */
static bool save_held(struct snapshot *s, size_t bytes)
{
    const struct plugin_held h =
        mprotect(s, bytes, PROT_READ) == 0 ? plugin_snapshot_held() : (struct plugin_held){.next_file = -1};
    if (h.next_file < 0 || mprotect(s, bytes, PROT_READ | PROT_WRITE) != 0)
        return false;
    s->held = h;
    memcpy(s->maps, maps_now, strlen(maps_now) + 1);
    return mprotect(s, bytes, PROT_READ) == 0;
}

bool plugin_snapshot_take(const struct plugin_held *before, const void *frame)
{
    struct range range[RANGES_MAX];
    unsigned count;
    const struct plugin_held now = plugin_snapshot_held(); /* and maps_now */
    const size_t bytes = is_alone() && holds_same(before, &now) ? find_ranges(range, &count, frame) : 0,
                 all = sizeof(struct snapshot) + bytes;
    struct snapshot *s =
        bytes ? mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0)
              : MAP_FAILED;
    if (s == MAP_FAILED)
        return false;
    taken = s; /* before the copy, which holds it then */
    memcpy(s->range, range, count * sizeof *range);
    s->count = count;
    s->heap_end = (void *)syscall(SYS_brk, 0); /* NOLINT: a number */
    save_handlers(s);
    if (fegetenv(&s->modes) == 0 && copy_ranges(s) && save_held(s, all))
        return true;
    taken = NULL;
    munmap(s, all);
    return false;
}

static void end_timers(void)
{
    static const struct itimerval none;
    (void)setitimer(ITIMER_REAL, &none, NULL);
    (void)setitimer(ITIMER_VIRTUAL, &none, NULL);
    (void)setitimer(ITIMER_PROF, &none, NULL);
}

void plugin_snapshot_restore(void)
{
    const struct snapshot *s = taken;
    end_timers();
    restoring = 1;                                  /* the copy has 0 */
    if ((void *)syscall(SYS_brk, 0) != s->heap_end) /* NOLINT: a number */
        (void)syscall(SYS_brk, s->heap_end);
    for (const struct range *r = s->range; r < s->range + s->count; r++)
        for (size_t at = 0; at < r->bytes; at += PIECE) {
            size_t bytes = r->bytes - at < PIECE ? r->bytes - at : PIECE;
            if (memcmp(r->at + at, r->saved + at, bytes) != 0)
                memcpy(r->at + at, r->saved + at, bytes);
        }
    for (int i = 1; i < SIGNALS; i++)
        (void)sigaction(i, &s->handler[i], NULL);
    (void)fesetenv(&s->modes);
}
