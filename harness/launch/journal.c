/* SPDX-License-Identifier: MIT */
#include "harness/launch/journal.h"

#include "harness/launch/journal_text.h"
#include "harness/system/clock.h"
#include "model/core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    GROWS_MAX = 1 << 20, /* bytes appended before the file is written anew; a case takes 17 */
    READ_MAX = 64 << 20, /* bytes; a journal with 100 000 hangs has 4 MB */
    WAIT_MS = 2000,      /* time for a process to end that has closed the device, but not yet the journal */
    LOOK_NS = 10000000,
    PATH_SHOWN = 80 /* characters; a message has room for three such paths */
};

struct journal {
    char *path;          /* NULL: in memory only */
    int fd;              /* the file, locked; -1: none */
    uint32_t sum;        /* SUM of the last line */
    uint64_t size, most; /* bytes of the file; the size at which it is written anew */
    /* A write or sync failed, so the content of the disk is unknown, and no line may be appended. */
    bool must_replace;
    struct journal_state state;
    struct text text; /* the lines that are being written */
};

/* ---- messages ---- */

static bool cannot(const char *what, const char *path, const char *todo, struct error *e)
{
    error_set(e, "cannot %s the journal %.200s (%s)%s", what, path, strerror(errno), todo);
    return error_of_machine(e);
}

static const char other_file[] = "; set MISPRINT_JOURNAL to another file",
                  readable[] = "; make it readable, or set MISPRINT_JOURNAL to another file",
                  lockable[] = "; put it on a file system that has locks",
                  writable[] = "; make room, or set MISPRINT_JOURNAL to another file";

/* `what` says what the file is, or is "". */
static bool foreign(const struct journal *j, const char *what, struct error *e)
{
    return error_set(e, "%.200s is not a Misprint journal%s; nothing was changed%s", j->path, what,
                     other_file);
}

/* Says why a journal is refused, and by which command the user discards it. The command names the file only
 * if the path is short, because the message has limited room. */
static bool refuse(const struct journal *j, const struct journal_fault *f, struct error *e)
{
    static const char stops[] = "it may name cases that hang, so the board does not start";
    const char *path = j->path, *name = strlen(path) <= PATH_SHOWN ? path : "FILE";
    switch (f->reading) {
    case JOURNAL_EMPTY:
        error_set(e, "the journal %.200s is empty, so its lines are lost: %s; to begin a new one: rm '%s'",
                  path, stops, name);
        return error_of_machine(e);
    case JOURNAL_FOREIGN:
        return error_set(e,
                         "%.200s is not a Misprint journal; nothing was changed%s; if its first line was "
                         "damaged, discard it: mv '%s' '%s.old'",
                         path, other_file, name, name);
    case JOURNAL_NEWER:
        return error_set(e, "the journal %.200s has version %lu; use the newer Misprint that wrote it%s",
                         path, f->number, other_file);
    default:
        error_set(e, "the journal %.200s cannot be read in line %lu: %s; %s; to discard it: mv '%s' '%s.old'",
                  path, f->number, f->why, stops, name, name);
        return error_of_machine(e);
    }
}

/* ---- opening and locking ---- */

enum found { FOUND, NOTHING, UNFIT };

/* Examines the file without opening it, because to open a device or a FIFO can have effects or block. */
static enum found look(const struct journal *j, struct error *e)
{
    struct stat s;
    if (lstat(j->path, &s) != 0) {
        if (errno == ENOENT)
            return NOTHING;
        cannot("read", j->path, readable, e);
        return UNFIT;
    }
    if (S_ISREG(s.st_mode))
        return FOUND;
    const char *what = S_ISDIR(s.st_mode) ? " but a folder" : ": it is no regular file";
    foreign(j, S_ISLNK(s.st_mode) ? " but a symbolic link" : what, e);
    return UNFIT;
}

/* True if the path still names the open file. */
static bool is_at_path(const struct journal *j, int fd)
{
    struct stat there, ours;
    if (lstat(j->path, &there) != 0 || fstat(fd, &ours) != 0)
        return false;
    return there.st_dev == ours.st_dev && there.st_ino == ours.st_ino;
}

/* Opens and locks the file. NOTHING: another process has the lock, or has just replaced the file. */
static enum found try_file(struct journal *j, struct error *e)
{
    int fd = open(j->path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return NOTHING;
    bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (locked && is_at_path(j, fd)) {
        j->fd = fd;
        return FOUND;
    }
    enum found found = NOTHING;
    if (fd < 0 || (!locked && errno != EWOULDBLOCK && errno != EINTR)) {
        found = UNFIT;
        (void)(fd < 0 ? cannot("read", j->path, readable, e) : cannot("lock", j->path, lockable, e));
    }
    if (fd >= 0)
        (void)close(fd);
    return found;
}

/* Opens and locks the file, and waits up to WAIT_MS for another process that has the lock. The lock counts
 * only if the path still names the locked file, because a process that has the lock may replace the file. The
 * kernel frees the lock when a process ends. */
static enum found take_file(struct journal *j, struct error *e)
{
    for (const int64_t deadline = clock_ms() + WAIT_MS; clock_ms() < deadline;) {
        enum found found = look(j, e);
        if (found != FOUND)
            return found;
        found = try_file(j, e);
        if (found != NOTHING)
            return found;
        nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    error_set(e,
              "the journal %.200s is in use by another Misprint or another board of this one; "
              "wait for its end, or set MISPRINT_JOURNAL to a different file for each",
              j->path);
    error_of_machine(e);
    return UNFIT;
}

static bool read_bytes(const struct journal *j, char *bytes, size_t count, struct error *e)
{
    for (size_t at = 0; at < count;) {
        ssize_t got = pread(j->fd, bytes + at, count - at, (off_t)at);
        if (got == 0)
            errno = EIO; /* another process has shortened the file */
        if (got <= 0)
            return cannot("read", j->path, readable, e);
        at += (size_t)got;
    }
    return true;
}

static bool read_file(struct journal *j, struct error *e)
{
    struct stat s;
    struct journal_fault fault = {0};
    if (fstat(j->fd, &s) != 0)
        return cannot("read", j->path, readable, e);
    if (s.st_size > READ_MAX)
        return foreign(j, ": it is too large", e);
    size_t count = (size_t)s.st_size;
    char *bytes = malloc(count + 1);
    if (!bytes)
        return error_memory(e, "for a board's journal");
    bool good = read_bytes(j, bytes, count, e);
    good = good && (journal_parse(&j->state, bytes, count, &fault) || refuse(j, &fault, e));
    free(bytes);
    return good;
}

/* ---- writing the file anew ---- */

/* Syncs the journal's folder, so that the renamed file survives a power cut. Some file systems cannot sync a
 * folder (EINVAL), which is no error. */
static bool sync_folder(const struct journal *j, struct error *e)
{
    const char *slash = strrchr(j->path, '/');
    struct text folder = {0};
    text_add(&folder, "%.*s", slash ? (int)(slash - j->path) + 1 : 1, slash ? j->path : ".");
    int fd = open(text_chars(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    text_free(&folder);
    bool good = (fd >= 0 && (fsync(fd) == 0 || errno == EINVAL)) ||
                cannot("sync the folder of", j->path,
                       "; make the folder readable, or set MISPRINT_JOURNAL to another file", e);
    if (fd >= 0)
        (void)close(fd);
    return good;
}

/* Renames the new file to the journal's path. Fails if the path names a file other than this journal. */
static bool place(const struct journal *j, const char *fresh, struct error *e)
{
    if (j->fd >= 0 && !is_at_path(j, j->fd))
        return error_set(e, "the journal %.200s was moved or replaced while in use; start again", j->path);
    if (j->fd >= 0)
        return rename(fresh, j->path) == 0 || cannot("replace", j->path, other_file, e);
    if (renameat2(AT_FDCWD, fresh, AT_FDCWD, j->path, RENAME_NOREPLACE) == 0)
        return true;
    /* Some file systems, such as NFS, do not support RENAME_NOREPLACE. */
    if ((errno != EINVAL && errno != ENOSYS) || link(fresh, j->path) != 0)
        return cannot("create", j->path, other_file, e);
    (void)unlink(fresh);
    return true;
}

static bool write_text(int fd, const struct text *t)
{
    ssize_t written = write(fd, text_chars(t), t->length);
    if (written >= 0 && written != (ssize_t)t->length)
        errno = ENOSPC; /* a partial write sets no errno */
    return written == (ssize_t)t->length && fdatasync(fd) == 0;
}

/* Creates a file with a new name in the journal's folder. Returns its descriptor, or -1 with an error. The
 * caller frees the name. */
static int open_fresh(const struct journal *j, char **name, struct error *e)
{
    static const char ending[] = ".XXXXXX";
    size_t length = strlen(j->path);
    *name = memory_new(length + sizeof ending, 1);
    memcpy(*name, j->path, length);
    memcpy(*name + length, ending, sizeof ending);
    int fd = mkostemp(*name, O_APPEND | O_CLOEXEC);
    if (fd < 0)
        cannot("write", *name, other_file, e);
    return fd;
}

/* Writes the current state to a new file, which then replaces the old one, if any. The old file stays in
 * place until the new one is completely on the disk. */
static bool replace_file(struct journal *j, struct error *e)
{
    uint32_t sum = 0;
    text_clear(&j->text);
    journal_print_state(&j->text, &sum, &j->state);
    char *name;
    int fd = open_fresh(j, &name, e);
    bool good = fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) == 0 || cannot("lock", name, lockable, e));
    good = good && (write_text(fd, &j->text) || cannot("write", j->path, writable, e)) && place(j, name, e);
    if (!good && fd >= 0)
        (void)unlink(name);
    int unused = good ? j->fd : fd;
    if (unused >= 0)
        (void)close(unused);
    free(name);
    if (!good)
        return false;
    j->fd = fd;
    j->sum = sum;
    j->size = j->text.length;
    j->most = j->size + GROWS_MAX;
    j->must_replace = !sync_folder(j, e);
    return !j->must_replace;
}

static bool open_file(struct journal *j, struct error *e)
{
    enum found found = take_file(j, e);
    return found != UNFIT && (found == NOTHING || read_file(j, e)) && replace_file(j, e);
}

struct journal *journal_open(const char *path, struct error *e)
{
    struct journal *j = memory_new(1, sizeof *j);
    j->fd = -1;
    if (!path)
        return j;
    j->path = memory_string(path);
    if (open_file(j, e))
        return j;
    journal_close(j);
    return NULL;
}

void journal_close(struct journal *j)
{
    if (!j)
        return;
    if (j->fd >= 0)
        (void)close(j->fd);
    journal_state_free(&j->state);
    text_free(&j->text);
    free(j->path);
    free(j);
}

/* ---- appending lines ---- */

/* Returns after the line is on the disk. */
static bool append(struct journal *j, enum journal_event what, const uint64_t *at, size_t n, struct error *e)
{
    if (j->must_replace && !replace_file(j, e))
        return false;
    uint32_t sum = j->sum;
    text_clear(&j->text);
    journal_print(&j->text, &sum, what, at, n);
    j->must_replace = !write_text(j->fd, &j->text);
    if (j->must_replace)
        return cannot("write", j->path, writable, e);
    j->sum = sum;
    j->size += j->text.length;
    return true;
}

bool journal_begin(struct journal *j, const uint64_t *hashes, unsigned count, struct error *e)
{
    if (j->fd < 0 || !count)
        return true;
    if (!append(j, JOURNAL_BEGIN, hashes, count, e))
        return false;
    journal_learn(&j->state, JOURNAL_BEGIN, hashes, count);
    return true;
}

bool journal_end(struct journal *j, struct error *e)
{
    struct error kept = {0};
    if (j->fd < 0 || !j->state.running.count)
        return true;
    if (!append(j, JOURNAL_END, NULL, 0, e))
        return false;
    journal_learn(&j->state, JOURNAL_END, NULL, 0);
    if (j->size > j->most && !replace_file(j, &kept))
        j->most = j->size + GROWS_MAX; /* it failed, so the old file stays in use */
    return true;
}

/* Writes the file anew with the hang in it. The new first line counts the hang's line, so a journal from
 * which the hang was cut off is detected. If that fails (on a full disk), appends a line. */
bool journal_hang(struct journal *j, uint64_t hash, struct error *e)
{
    struct error kept = {0};
    journal_learn(&j->state, JOURNAL_HANG, &hash, 1);
    return j->fd < 0 || replace_file(j, &kept) || append(j, JOURNAL_HANG, &hash, 1, e);
}

bool journal_wants_hashes(const struct journal *j)
{
    return j->fd >= 0 || j->state.hangs.count || j->state.suspects.count;
}

bool journal_knows_hang(const struct journal *j, uint64_t hash)
{
    return journal_hashes_have(&j->state.hangs, hash);
}

bool journal_suspects(const struct journal *j, uint64_t hash)
{
    return journal_hashes_have(&j->state.suspects, hash);
}
