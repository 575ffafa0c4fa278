/* SPDX-License-Identifier: MIT */
#include "oracle/file.h"

#include <errno.h>
#include <fcntl.h>
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
        error_set(e, "%s: out of memory", path);
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

static bool write_error(const char *path, int error, struct error *e)
{
    return error_set(e, "%s: cannot write: %s%s", path, strerror(error),
                     error == ENOSPC ? "; make room and try again, nothing else was changed" : "");
}

static bool write_and_close(int fd, const char *chars, size_t count, int *error)
{
    bool good = write_all(fd, chars, count);
    *error = errno;
    if (close(fd) != 0 && good) {
        good = false;
        *error = errno;
    }
    return good;
}

/* Pipes, terminals and devices are written in place. */
static bool is_special(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode);
}

bool file_write(const char *path, const char *chars, size_t count, struct error *e)
{
    if (!strcmp(path, "-"))
        return write_all(STDOUT_FILENO, chars, count) || write_error("standard output", errno, e);
    char part[4096];
    bool special = is_special(path);
    if ((size_t)snprintf(part, sizeof part, special ? "%s" : "%s.part", path) >= sizeof part)
        return error_set(e, "%s: the file name is too long", path);
    int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), error;
    if (fd < 0)
        return error_set(e, "%s: cannot create: %s", path, strerror(errno));
    bool good = write_and_close(fd, chars, count, &error);
    if (special)
        return good || write_error(path, error, e);
    if (good && rename(part, path) != 0) {
        good = false;
        error = errno;
    }
    if (good)
        return true;
    (void)unlink(part);
    return write_error(path, error, e);
}

bool profile_load(const struct unit *u, const char *spec, struct profile *p, struct error *e)
{
    size_t first = strcspn(spec, ",");
    char path[4096];
    if (first >= sizeof path || memchr(spec, '=', first))
        return profile_resolve(u, spec, p, e);
    memcpy(path, spec, first);
    path[first] = 0;
    if (unit_profile_index(u, path) >= 0 || access(path, F_OK) != 0)
        return profile_resolve(u, spec, p, e);
    size_t count;
    char *text = file_read(path, &count, e);
    if (!text)
        return false;
    bool good =
        strlen(text) == count ? profile_parse(u, text, p, e) : error_set(e, "is no profile: it holds a NUL byte; expected lines 'clause = reading'");
    free(text);
    return (good || error_where(e, "%s", path)) && profile_override(u, spec + first + (spec[first] == ','), p, e);
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

bool case_load(const char *path, const struct unit *u, struct test_case *c, struct error *e)
{
    size_t count;
    char *bytes = file_read(path, &count, e);
    if (!bytes)
        return false;
    bool good = true;
    if (case_is_text(bytes, count))
        good = case_parse(c, bytes, count, e) || error_where(e, "%s", path);
    else if (u)
        case_decode(c, u, (const uint8_t *)bytes, count);
    else
        good = error_set(e, "%s: is no case: its first line should be 'misprint-case 1 UNIT' (for a fuzzer's raw bytes, say --unit)", path);
    free(bytes);
    return good;
}
