/* SPDX-License-Identifier: MIT */
#include "cli/session/learn_file.h"

#include "cli/terminal/output.h"
#include "fuzz/learn/learn_json.h"
#include "model/core/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <xxhash.h>

static const char file_name[] = "learn.json", profiles_name[] = "profiles";

static bool begins(const char *name, const char *start)
{
    return !strncmp(name, start, strlen(start));
}

/* Removes the temporary files of killed processes (file.h). The directory is locked, so no living process
 * writes one. */
static void remove_temporary(const struct learn_file *f, const char *directory)
{
    DIR *d = opendir(directory);
    static const char ending[] = FILE_TEMPORARY_ENDING;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        size_t length = strlen(entry->d_name);
        if ((begins(entry->d_name, file_name) || begins(entry->d_name, profiles_name)) &&
            length >= sizeof ending && !strcmp(entry->d_name + length - (sizeof ending - 1), ending))
            (void)unlinkat(f->folder, entry->d_name, 0);
    }
    if (d)
        closedir(d);
}

bool learn_file_open(struct learn_file *f, const char *directory, struct error *e)
{
    f->folder = -1;
    if ((size_t)snprintf(f->path, sizeof f->path, "%s/%s", directory, file_name) >= sizeof f->path)
        return error_set(e, "%.200s...: the directory's name is too long", directory);
    (void)snprintf(f->profiles, sizeof f->profiles, "%s/%s", directory, profiles_name); /* shorter */
    if (!*directory)
        return error_set(e, "'' cannot be a campaign directory");
    if (!file_make_folder(directory, e))
        return false;
    f->folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->folder < 0)
        return error_set(e, "%s: cannot open: %s; --campaign needs a directory", directory, strerror(errno));
    /* Some file systems cannot lock a directory. Then the user must take care. */
    if (flock(f->folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return error_set(e, "%s: another `misprint learn` uses it; wait for it, or name another directory",
                         directory);
    remove_temporary(f, directory);
    return true;
}

int learn_file_read(const struct learn_file *f, struct learn_result *r, uint64_t *seed, struct error *e)
{
    size_t count;
    if (faccessat(AT_FDCWD, f->path, F_OK, 0) != 0 && errno == ENOENT)
        return 0;
    char *chars = file_read(f->path, &count, e);
    bool good =
        chars && (learn_json_read(chars, count, f->options, r, seed, e) || error_where(e, "%s", f->path));
    free(chars);
    return good ? 1 : -1;
}

bool learn_file_write(const struct learn_file *f, const struct learn_result *r, struct error *e)
{
    struct text t = {0};
    bool good = (text_add_json(&t, learn_json(f->options, f->profile, r)) ||
                 error_memory(e, "while writing %s", f->path)) &&
                file_write(f->path, text_chars(&t), t.length, e);
    text_free(&t);
    return good;
}

/* ---- profiles that the campaign wrote ---- */

enum { HASH_ROOM = 20 };

/* Writes the line of a profile in the list. */
static void hash_line(const char *bytes, size_t count, char line[HASH_ROOM])
{
    (void)snprintf(line, HASH_ROOM, "%016llx\n", (unsigned long long)XXH64(bytes, count, 0));
}

/* Reads the list; empty if there is none. NULL with an error; free() the result. */
static char *read_list(const struct learn_file *f, size_t *count, struct error *e)
{
    *count = 0;
    bool missing = access(f->profiles, F_OK) != 0 && errno == ENOENT;
    return missing ? memory_string("") : file_read(f->profiles, count, e);
}

/* Does the list have this line? */
static bool is_listed(const struct learn_file *f, const char *line, struct error *e)
{
    size_t count;
    char *list = read_list(f, &count, e);
    bool found = list && strstr(list, line);
    free(list);
    return found;
}

bool learn_file_may_replace(const struct learn_file *f, const char *path, struct error *e)
{
    size_t count;
    char line[HASH_ROOM];
    struct error ignored = {0};
    if (file_check_new(path, e))
        return true;
    char *bytes = f->folder >= 0 && file_check(path, e) ? file_read(path, &count, e) : NULL;
    if (!bytes)
        return false;
    hash_line(bytes, count, line);
    free(bytes);
    return is_listed(f, line, &ignored) ||
           error_set(
               e,
               "%s: exists, and its content is not a profile that this campaign wrote; name a new file, "
               "or remove this one",
               path);
}

bool learn_file_note_profile(const struct learn_file *f, const struct text *profile, struct error *e)
{
    size_t count;
    char line[HASH_ROOM];
    if (f->folder < 0)
        return true;
    hash_line(text_chars(profile), profile->length, line);
    char *list = read_list(f, &count, e);
    struct text t = {0};
    if (list)
        text_add(&t, "%s%s", list, line);
    bool good = list && (strstr(list, line) || file_write(f->profiles, text_chars(&t), t.length, e));
    text_free(&t);
    free(list);
    return good;
}

void learn_file_close(struct learn_file *f)
{
    if (f->folder >= 0)
        (void)close(f->folder);
    f->folder = -1;
}
