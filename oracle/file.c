/* SPDX-License-Identifier: MIT */
#include "oracle/file.h"
#include "oracle/trace.h"

#include <ctype.h>

#include <errno.h>
#include <fcntl.h>
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
            error_set(e, "%s: larger than %d MiB; no case, trace or table is", path, FILE_BYTES_MAX >> 20);
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

/* A disk that is full or broken is the machine's fault; all else is that of whoever named the path. */
bool file_write_failed(const char *path, int error, struct error *e)
{
    bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    error_set(e, "%s: cannot write: %s%s", path, strerror(error), full ? "; make room and try again" : "");
    if (e)
        e->of_machine = full || error == EIO || error == EPIPE;
    errno = error; /* for who wants to know more than the words */
    return false;
}

static bool cannot_create(const char *path, int error, struct error *e)
{
    error_set(e, "%s: cannot create: %s", path, strerror(error));
    if (e)
        e->of_machine = error == ENOSPC || error == EDQUOT || error == EIO;
    return false;
}

bool file_make_folder(const char *path, struct error *e)
{
    return mkdir(path, 0777) == 0 || errno == EEXIST || cannot_create(path, errno, e);
}

/* May a file be made where `path` is missing? */
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
        return error_set(e, "'' is no file name");
    char *real = realpath(path, NULL);
    bool fits = (size_t)snprintf(t->path, sizeof t->path, "%s", real ? real : path) < sizeof t->path - FILE_PART_ROOM;
    bool there = real != NULL;
    int error = errno;
    free(real);
    if (!fits)
        return error_set(e, "%.200s...: the file name is too long", path);
    if (!there) {
        if (error != ENOENT)
            return cannot_create(path, error, e);
        if (lstat(path, &s) == 0)
            return error_set(e, "%s: cannot create: it is a link to a file that is not there; remove the link or make what it names", path);
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
        return error_set(e, "%s: is there already, and what a board said is not written over: name a new file, or remove this one", path);
    return file_check(path, e);
}

int file_open_part(const struct file_target *t, char part[FILE_PATH_MAX], struct error *e)
{
    static atomic_uint parts; /* several threads may write the same file */
    snprintf(part, FILE_PATH_MAX, "%.*s.%ld.%u" FILE_PART_ENDING, FILE_PATH_MAX - FILE_PART_ROOM, t->path, (long)getpid(),
             atomic_fetch_add(&parts, 1));
    (void)unlink(part); /* of a dead process that had our number */
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        cannot_create(part, errno, e);
    else if (t->mode != 0666)
        (void)fchmod(fd, t->mode); /* as the file that it replaces */
    return fd;
}

/* Without this, a power cut may forget the new name. Not every file system can do it, and then there is nothing else to do. */
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

bool file_commit_part(const struct file_target *t, const char *part, int fd, struct error *e)
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

static bool write_part(const struct file_target *t, const char *chars, size_t count, bool flush, struct error *e)
{
    char part[FILE_PATH_MAX];
    int fd = file_open_part(t, part, e);
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

static bool write_whole(const char *path, const char *chars, size_t count, bool flush, struct error *e)
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
    return write_whole(path, chars, count, true, e);
}

bool file_write_copy(const char *path, const char *chars, size_t count, struct error *e)
{
    return write_whole(path, chars, count, false, e);
}

bool text_unmarked(const char *name, const char *bytes, size_t count, struct error *e)
{
    static const char *const marks[] = {"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"};
    for (unsigned i = 0; i < sizeof marks / sizeof *marks; i++)
        if (count >= strlen(marks[i]) && !memcmp(bytes, marks[i], strlen(marks[i])))
            return error_set(e, "%s: starts with a byte order mark; save it as plain text (UTF-8 without a mark)", name);
    return true;
}

/* Does the spec's first part name a file? */
static bool names_file(const struct unit *u, const char *spec, char path[FILE_PATH_MAX])
{
    size_t first = strcspn(spec, ",");
    if (!first || first >= FILE_PATH_MAX || memchr(spec, '=', first))
        return false;
    memcpy(path, spec, first);
    path[first] = 0;
    return unit_profile_index(u, path) < 0 && access(path, F_OK) == 0;
}

bool profile_load(const struct unit *u, const char *spec, struct profile *p, struct error *e)
{
    size_t first = strcspn(spec, ","), count;
    char path[FILE_PATH_MAX];
    if (!names_file(u, spec, path))
        return profile_resolve(u, spec, p, e);
    char *text = file_read(path, &count, e);
    if (!text)
        return false;
    bool marked = !text_unmarked(path, text, count, e);
    bool good = !marked && (!text[strspn(text, " \t\r\n")] && strlen(text) == count
                                ? error_set(e, "is no profile: it is empty; expected lines 'clause = reading'")
                            : strlen(text) == count ? profile_parse(u, text, p, e)
                                                    : error_set(e, "is no profile: it holds a NUL byte; expected lines 'clause = reading'"));
    free(text);
    return (good || (marked ? false : error_where(e, "%s", path))) && profile_override(u, spec + first + (spec[first] == ','), p, e);
}

bool profile_spec(const struct unit *u, const char *spec, char *to, size_t room, struct error *e)
{
    char path[FILE_PATH_MAX];
    struct profile p, base;
    struct text t = {0};
    if (!profile_load(u, spec, &p, e))
        return false;
    unsigned nearest = 0, fewest = UINT_MAX;
    for (unsigned i = 0; u->profiles[i].name; i++) {
        unsigned differ = 0;
        profile_builtin(u, i, &base);
        for (unsigned k = 0; k < unit_clauses(u); k++)
            differ += base.reading[k] != p.reading[k];
        nearest = differ < fewest ? i : nearest;
        fewest = differ < fewest ? differ : fewest;
    }
    profile_builtin(u, nearest, &base);
    text_add(&t, "%s", u->profiles[nearest].name);
    for (unsigned k = 0; k < unit_clauses(u); k++)
        if (base.reading[k] != p.reading[k])
            text_add(&t, ",%s=%s", unit_clause(u, k)->id, unit_clause(u, k)->readings[p.reading[k]].id);
    bool fits = (size_t)snprintf(to, room, "%s", names_file(u, spec, path) ? text_chars(&t) : spec) < room;
    text_free(&t);
    return fits || error_set(e, "%.200s: the profile has more overrides than can be kept with a run; name fewer", spec);
}

bool case_is_text(const char *bytes, size_t count)
{
    static const char magic[] = "misprint-case";
    while (count && (*bytes == '#' || *bytes == '\n' || *bytes == ' ' || *bytes == '\r')) { /* comments may come first */
        const char *stop = memchr(bytes, '\n', count);
        if (!stop)
            return false;
        count -= (size_t)(stop + 1 - bytes);
        bytes = stop + 1;
    }
    return count >= sizeof magic - 1 && !memcmp(bytes, magic, sizeof magic - 1);
}

/* The first line that is no comment is a case's, but stands not at the line's begin. */
static bool is_indented_case(const char *bytes, size_t count)
{
    size_t blanks = 0;
    while (blanks < count && isspace((unsigned char)bytes[blanks]))
        blanks++;
    return blanks && bytes[blanks - 1] != '\n' && case_is_text(bytes + blanks, count - blanks);
}

static bool is_plain_text(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isprint((unsigned char)bytes[i]) && !isspace((unsigned char)bytes[i]))
            return false;
    return true;
}

bool case_may_be_raw(const char *name, const char *bytes, size_t count, const struct unit *u, struct error *e)
{
    if (!count)
        return error_set(e, "%s: is empty", name);
    if (trace_begins(bytes, count))
        return error_set(e, "%s: is a trace; `misprint replay` and `misprint explain` take it (its name ends in .trace)", name);
    if (is_indented_case(bytes, count))
        return error_set(e, "%s: leading blanks before 'misprint-case'; remove them", name);
    if (!is_plain_text(bytes, count))
        return true;
    if (u && u->code)
        return error_set(e, "%s: is text, but no case and no words; instructions run by `misprint asm %s %s | misprint run - --unit %s`", name,
                         u->name, !strcmp(name, "standard input") ? "-" : name, u->name);
    return error_set(e, "%s: is text, but no case: its first line should be 'misprint-case 1 UNIT'", name);
}

bool case_from_bytes(const char *name, const char *bytes, size_t count, const struct unit *u, struct test_case *c, struct error *e)
{
    if (case_is_text(bytes, count))
        return case_parse(c, bytes, count, e) || error_where(e, "%s", name);
    if (u && !case_may_be_raw(name, bytes, count, u, e))
        return false;
    if (!u && (!count || is_indented_case(bytes, count) || trace_begins(bytes, count)))
        return case_may_be_raw(name, bytes, count, u, e);
    if (!u)
        return text_unmarked(name, bytes, count, e) &&
               error_set(e, "%s: is no case: its first line should be 'misprint-case 1 UNIT' (for a fuzzer's raw bytes, say --unit)", name);
    case_decode(c, u, (const uint8_t *)bytes, count);
    return true;
}

bool case_load(const char *path, const struct unit *u, struct test_case *c, struct error *e)
{
    size_t count;
    char *bytes = file_read(path, &count, e);
    bool good = bytes && case_from_bytes(path, bytes, count, u, c, e);
    free(bytes);
    return good;
}
