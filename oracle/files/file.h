/* SPDX-License-Identifier: MIT */
/* Reads and writes whole files. Errors name the file and say what to do. */
#ifndef MISPRINT_ORACLE_FILES_FILE_H
#define MISPRINT_ORACLE_FILES_FILE_H

#include "model/core/error.h"

#include <stdbool.h>
#include <stddef.h>

enum { FILE_BYTES_MAX = 256 << 20 }; /* larger files are refused */

/* Reads a file ("-": standard input) and appends a NUL. NULL with an error; free() the result. */
char *file_read(const char *path, size_t *count, struct error *e);

/* The file that a write to a path changes. If the path is a link, this is the linked file, and the link
 * stays. A write replaces a regular file, but writes pipes, terminals and devices in place. */
enum { FILE_PATH_MAX = 4096, FILE_TEMPORARY_ROOM = 48 };
struct file_target {
    char path[FILE_PATH_MAX];
    bool special;  /* not a regular file: the caller writes in place, or refuses */
    unsigned mode; /* permissions for the new file */
};
/* Resolves a path. Returns false with an error if the path cannot be written: its folder is missing, there is
 * no permission, or it is a directory or a dangling link. */
bool file_resolve(const char *path, struct file_target *t, struct error *e);
/* Can the file be written? Commands ask before long work, so that its result is not lost. "-" is allowed. */
bool file_check(const char *path, struct error *e);
/* Asks the same, and refuses a regular file that exists, because what a board answered or a person edited
 * must not be lost. */
bool file_check_new(const char *path, struct error *e);
/* Sets `e` and errno after a write failed with errno `error`. Returns false. */
bool file_write_failed(const char *path, int error, struct error *e);

/* A file is written under a temporary name (PATH.PID.N.part), flushed to the disk and renamed. So a reader
 * always sees either the old file or the new one. A killed process leaves a file that ends in
 * FILE_TEMPORARY_ENDING. */
#define FILE_TEMPORARY_ENDING ".part"
/* Opens the temporary file; -1 with an error. */
int file_open_temporary(const struct file_target *t, char part[FILE_PATH_MAX], struct error *e);
/* Flushes the temporary file and renames it to the target; removes it on failure. The caller closes `fd`. */
bool file_commit_temporary(const struct file_target *t, const char *part, int fd, struct error *e);

/* Writes a file through a temporary file, or to standard output for "-". A failed disk is an error of the
 * machine; any other failure is an error of the user. */
bool file_write(const char *path, const char *chars, size_t count, struct error *e);
/* Does the same as file_write, but without the flush. For a file whose content is stored elsewhere, too: it
 * survives `kill -9`, but perhaps not a power cut. */
bool file_write_copy(const char *path, const char *chars, size_t count, struct error *e);

/* Does the folder exist and contain anything? */
bool file_folder_holds(const char *path);

/* Makes a folder. Does nothing if a file or folder has this name. */
bool file_make_folder(const char *path, struct error *e);
/* Removes a folder with all that is in it, as far as that is possible. Does not follow symbolic links. */
void file_remove_folder(const char *path);

#endif
