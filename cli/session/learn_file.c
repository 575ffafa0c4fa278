/* SPDX-License-Identifier: MIT */
#include "cli/session/learn_file.h"

#include "cli/terminal/output.h"
#include "fuzz/learn/learn_json.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char file_name[] = "learn.json";

/* Removes the temporary files of killed processes (file.h). The directory is locked, so no living process
 * writes one. */
static void remove_temporary(const struct learn_file *f, const char *directory)
{
    DIR *d = opendir(directory);
    static const char ending[] = FILE_TEMPORARY_ENDING;
    for (struct dirent *entry; d && (entry = readdir(d));) {
        size_t length = strlen(entry->d_name);
        if (!strncmp(entry->d_name, file_name, sizeof file_name - 1) && length >= sizeof ending &&
            !strcmp(entry->d_name + length - (sizeof ending - 1), ending))
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

void learn_file_close(struct learn_file *f)
{
    if (f->folder >= 0)
        (void)close(f->folder);
    f->folder = -1;
}
