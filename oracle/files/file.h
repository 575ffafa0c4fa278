/* SPDX-License-Identifier: MIT */
/*
 * Whole files in and out, with errors that say which file and what to do.
 */
#ifndef MISPRINT_ORACLE_FILES_FILE_H
#define MISPRINT_ORACLE_FILES_FILE_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { FILE_BYTES_MAX = 256 << 20 }; /* larger ones are refused */

/* Reads a file ("-": standard input) into memory, NUL-terminated behind its last byte. NULL with an error;
 * free() it. */
char *file_read(const char *path, size_t *count, struct error *e);

/*
 * Where writing to a path leads. Links are followed: what they name is written, and they stay links. Pipes,
 * terminals and devices can only be written in place.
 */
enum { FILE_PATH_MAX = 4096, FILE_PART_ROOM = 48 };
struct file_target {
    char path[FILE_PATH_MAX];
    bool special;  /* no regular file: to be written in place, or refused */
    unsigned mode; /* permissions of the file that is there, or for a new one */
};
/* False with an error where nothing could be written: no such folder, no right, a folder, a link that leads
 * nowhere. */
bool file_resolve(const char *path, struct file_target *t, struct error *e);
/* The same question alone, to be asked before long work. "-" is fine. */
bool file_check(const char *path, struct error *e);
/* The same for what only a board could give again: what stands there already is not written over, unless it
 * is no regular file. */
bool file_check_new(const char *path, struct error *e);
/* Says that writing failed, by errno's number, which is left in errno; returns false. */
bool file_write_failed(const char *path, int error, struct error *e);

/*
 * The one way in which a file is replaced here: written under a name of its own (PATH.PID.N.part), flushed to
 * the disk, renamed. Whoever reads sees the old file or the new one, whatever happens meanwhile. Parts that a
 * killed process left end in FILE_PART_ENDING.
 */
#define FILE_PART_ENDING ".part"
/* Opens the part; -1 with an error. */
int file_open_part(const struct file_target *t, char part[FILE_PATH_MAX], struct error *e);
/* Flushes the part and gives it the target's name; on failure it is gone. Closing `fd` is the caller's. */
bool file_commit_part(const struct file_target *t, const char *part, int fd, struct error *e);

/*
 * Writes a file as a whole in that way, so that a full disk leaves the old one. "-": standard output. The
 * error is the machine's if the disk failed, else that of whoever named the path.
 */
bool file_write(const char *path, const char *chars, size_t count, struct error *e);
/* The same without the flush, for files whose content is kept elsewhere too: survives `kill -9`, not a power
 * cut. */
bool file_write_copy(const char *path, const char *chars, size_t count, struct error *e);

/* Is anything in the folder? False as well where there is no such folder. */
bool file_folder_holds(const char *path);

/* Makes a folder, if there is nothing of this name. */
bool file_make_folder(const char *path, struct error *e);

#endif
