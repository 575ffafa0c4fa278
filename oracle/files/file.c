/* SPDX-License-Identifier: MIT */
#include "oracle/files/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *read_all(int fd, const char *path, size_t *count, struct error *e)
{
    size_t room = 1 << 16, used = 0;
    char *bytes = malloc(room + 1);
    while (bytes) {
        ssize_t got = read(fd, bytes + used, room - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            error_set(e, "%s: cannot read: %s", path, strerror(errno));
            break;
        }
        used += (size_t)got;
        if (!got) {
            bytes[used] = 0;
            *count = used;
            return bytes;
        }
        if (used > FILE_BYTES_MAX) {
            error_set(e, "%s: is larger than %d MiB, which no case, trace or table is", path,
                      FILE_BYTES_MAX >> 20);
            break;
        }
        if (used == room) {
            char *more = realloc(bytes, (room *= 2) + 1);
            if (!more)
                break;
            bytes = more;
        }
    }
    if (!bytes)
        error_memory(e, "while reading %s", path);
    free(bytes);
    return NULL;
}

char *file_read(const char *path, size_t *count, struct error *e)
{
    if (!strcmp(path, "-"))
        return read_all(STDIN_FILENO, "standard input", count, e);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        error_set(e, "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    struct stat s;
    char *bytes = NULL;
    if (fstat(fd, &s) == 0 && S_ISDIR(s.st_mode))
        error_set(e, "%s: is a directory; name a file in it", path);
    else
        bytes = read_all(fd, path, count, e);
    close(fd);
    return bytes;
}

static bool write_all(int fd, const char *chars, size_t count)
{
    while (count) {
        ssize_t done = write(fd, chars, count);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        chars += done;
        count -= (size_t)done;
    }
    return true;
}

/* A full or broken disk is an error of the machine (exit status 3); other failures are errors of the user. */
bool file_write_failed(const char *path, int error, struct error *e)
{
    bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    error_set(e, "%s: cannot write: %s%s", path, strerror(error), full ? "; make room and try again" : "");
    if (e)
        e->of_machine = full || error == EIO || error == EPIPE;
    errno = error; /* some callers examine errno */
    return false;
}

static bool cannot_create(const char *path, int error, struct error *e)
{
    error_set(e, "%s: cannot create: %s", path, strerror(error));
    if (e)
        e->of_machine = error == ENOSPC || error == EDQUOT || error == EIO;
    return false;
}

bool file_folder_holds(const char *path)
{
    DIR *d = opendir(path);
    bool holds = false;
    for (struct dirent *entry; d && !holds && (entry = readdir(d));)
        holds = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (d)
        closedir(d);
    return holds;
}

bool file_make_folder(const char *path, struct error *e)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST || cannot_create(path, errno, e);
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where)
{
    (void)s, (void)kind, (void)where;
    return remove(path);
}

void file_remove_folder(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* May a file be created at `path`? */
static bool may_create(const char *path, struct error *e)
{
    char folder[FILE_PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    if (access(folder, W_OK | X_OK) != 0)
        return cannot_create(path, errno, e);
    return (slash && !slash[1]) ? cannot_create(path, EISDIR, e) : true;
}

bool file_resolve(const char *path, struct file_target *t, struct error *e)
{
    struct stat s;
    *t = (struct file_target){.mode = 0666};
    if (!*path)
        return error_set(e, "'' is not a file name");
    char *real = realpath(path, NULL);
    bool fits = (size_t)snprintf(t->path, sizeof t->path, "%s", real ? real : path) <
                sizeof t->path - FILE_TEMPORARY_ROOM;
    bool there = real != NULL;
    int error = errno;
    free(real);
    if (!fits)
        return error_set(e, "%.200s...: the file name is too long", path);
    if (!there) {
        if (error != ENOENT)
            return cannot_create(path, error, e);
        if (lstat(path, &s) == 0)
            return error_set(
                e, "%s: cannot create: it is a link to a missing file; remove the link or create the file",
                path);
        return may_create(path, e);
    }
    if (stat(t->path, &s) != 0)
        return cannot_create(path, errno, e);
    if (S_ISDIR(s.st_mode))
        return cannot_create(path, EISDIR, e);
    if (access(t->path, W_OK) != 0)
        return cannot_create(path, errno, e);
    t->special = !S_ISREG(s.st_mode);
    t->mode = s.st_mode & 0777;
    return t->special || may_create(t->path, e);
}

bool file_check(const char *path, struct error *e)
{
    struct file_target t;
    return !strcmp(path, "-") || file_resolve(path, &t, e);
}

bool file_check_new(const char *path, struct error *e)
{
    struct stat s;
    if (strcmp(path, "-") != 0 && stat(path, &s) == 0 && S_ISREG(s.st_mode))
        return error_set(e, "%s: exists, and is not replaced; name a new file, or remove this one", path);
    return file_check(path, e);
}

int file_open_temporary(const struct file_target *t, char part[FILE_PATH_MAX], struct error *e)
{
    static atomic_uint parts; /* a number in the name: several threads may write the same file */
    snprintf(part, FILE_PATH_MAX, "%.*s.%ld.%u" FILE_TEMPORARY_ENDING, FILE_PATH_MAX - FILE_TEMPORARY_ROOM,
             t->path, (long)getpid(), atomic_fetch_add(&parts, 1));
    (void)unlink(part); /* a dead process with the same id may have left this file */
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        cannot_create(part, errno, e);
    else if (t->mode != 0666)
        (void)fchmod(fd, t->mode); /* keeps the permissions of the file that will be replaced */
    return fd;
}

/* Flushes the folder of a renamed file, because otherwise a power cut may undo the renaming. Ignores
 * failures, because some file systems cannot flush a folder. */
static void flush_folder(const char *path)
{
    char folder[FILE_PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
}

static bool commit_part(const struct file_target *t, const char *part, int fd, bool flush, struct error *e)
{
    if ((!flush || fsync(fd) == 0) && rename(part, t->path) == 0) {
        if (flush)
            flush_folder(t->path);
        return true;
    }
    int error = errno;
    (void)unlink(part);
    return file_write_failed(t->path, error, e);
}

bool file_commit_temporary(const struct file_target *t, const char *part, int fd, struct error *e)
{
    return commit_part(t, part, fd, true, e);
}

static bool write_in_place(const char *path, const char *chars, size_t count, struct error *e)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return cannot_create(path, errno, e);
    bool good = write_all(fd, chars, count);
    int error = errno;
    if (close(fd) != 0 && good) {
        good = false;
        error = errno;
    }
    return good || file_write_failed(path, error, e);
}

static bool write_part(const struct file_target *t, const char *chars, size_t count, bool flush,
                       struct error *e)
{
    char part[FILE_PATH_MAX];
    int fd = file_open_temporary(t, part, e);
    if (fd < 0)
        return false;
    bool good = write_all(fd, chars, count);
    if (good) {
        good = commit_part(t, part, fd, flush, e);
    } else {
        int error = errno;
        (void)unlink(part);
        file_write_failed(t->path, error, e);
    }
    close(fd);
    return good;
}

static bool write_file(const char *path, const char *chars, size_t count, bool flush, struct error *e)
{
    if (!strcmp(path, "-"))
        return write_all(STDOUT_FILENO, chars, count) || file_write_failed("standard output", errno, e);
    struct file_target t;
    if (!file_resolve(path, &t, e))
        return false;
    return t.special ? write_in_place(t.path, chars, count, e) : write_part(&t, chars, count, flush, e);
}

bool file_write(const char *path, const char *chars, size_t count, struct error *e)
{
    return write_file(path, chars, count, true, e);
}

bool file_write_copy(const char *path, const char *chars, size_t count, struct error *e)
{
    return write_file(path, chars, count, false, e);
}
