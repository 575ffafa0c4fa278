/* SPDX-License-Identifier: MIT */
/* Reads and writes whole files. Errors name the file and say what to do. */
#ifndef MISPRINT_ORACLE_FILES_FILE_H
#define MISPRINT_ORACLE_FILES_FILE_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { FILE_BYTES_MAX = 256 << 20 }; /* larger ones are refused */

/* Reads a file ("-": standard input) into memory and adds a NUL. NULL with an error; free() it. */
char *file_read(const char *path, size_t *count, struct error *e);

/* What writing to a path writes: links are followed and stay links; pipes, terminals and devices can only be
 * written in place. */
enum { FILE_PATH_MAX = 4096, FILE_PART_ROOM = 48 };
struct file_target {
    char path[FILE_PATH_MAX];
    bool special;  /* not a regular file: to be written in place, or refused */
    unsigned mode; /* permissions of the existing file, or of a new one */
};
/* False with an error if nothing could be written: no such folder, no permission, a directory, a dangling
 * link. */
bool file_resolve(const char *path, struct file_target *t, struct error *e);
/* Could the file be written? To ask before long work. "-" is fine. */
bool file_check(const char *path, struct error *e);
/* The same, and refuses to overwrite a regular file: for answers that only a board could give again. */
bool file_check_new(const char *path, struct error *e);
/* Sets the error for a failed write, by errno's number, and errno again. Returns false. */
bool file_write_failed(const char *path, int error, struct error *e);

/* A file is written as a part (PATH.PID.N.part), flushed to the disk and renamed, so that a reader sees the
 * old file or the new one at any moment. Parts that a killed process left end in FILE_PART_ENDING. */
#define FILE_PART_ENDING ".part"
/* Opens the part; -1 with an error. */
int file_open_part(const struct file_target *t, char part[FILE_PATH_MAX], struct error *e);
/* Flushes the part and renames it to the target; removes it on failure. The caller closes `fd`. */
bool file_commit_part(const struct file_target *t, const char *part, int fd, struct error *e);

/* Writes a file so, or to standard output for "-". The error is the machine's if the disk failed, else the
 * user's. */
bool file_write(const char *path, const char *chars, size_t count, struct error *e);
/* The same without the flush, for files whose content is elsewhere too: survives `kill -9`, not a power cut.
 */
bool file_write_copy(const char *path, const char *chars, size_t count, struct error *e);

/* Is there anything in the folder? False if there is no such folder. */
bool file_folder_holds(const char *path);

/* Makes a folder, unless there is something of this name. */
bool file_make_folder(const char *path, struct error *e);

#endif
