/* SPDX-License-Identifier: MIT */
/*
 * Errors that input from outside can cause. The text is one sentence for the user: what was wrong, where, and
 * what to do. A function that can fail takes a `struct error *` as its last parameter and returns false or
 * NULL. The functions here return false, so that a caller can `return error_set(...)`. They accept NULL
 * instead of an error.
 */
#ifndef MISPRINT_MODEL_CORE_ERROR_H
#define MISPRINT_MODEL_CORE_ERROR_H

#include <stdbool.h>

enum { ERROR_TEXT_MAX = 512 };

struct error {
    char text[ERROR_TEXT_MAX]; /* "" while nothing went wrong */
    bool of_machine;           /* a board or the host failed, not the input: exit status 3 instead of 2 */
};

/* Replaces the text. */
bool error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets `of_machine`. */
bool error_of_machine(struct error *e);

/* Sets the text to "out of memory", followed by the formatted text ("while reading %s"). Sets `of_machine`.
 */
bool error_memory(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prefixes the text with "WHERE: " (a file's name, a line), or with "WHERE, " if the text starts with a
 * column. */
bool error_where(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Sets the text to "unknown WHAT 'WORD'; did you mean 'NEAREST'? (ADVICE)". `name` as for text_hint;
 * `advice` says where the known names are listed, or is NULL.
 */
bool error_unknown(struct error *e, const char *what, const char *word,
                   const char *(*name)(const void *context, unsigned i), const void *context,
                   const char *advice);

/* The analyzer sees one file at a time. These macros tell it that the functions return false. */
#ifdef __clang_analyzer__
#define error_set(...)      ((error_set)(__VA_ARGS__), false)
#define error_where(...)    ((error_where)(__VA_ARGS__), false)
#define error_memory(...)   ((error_memory)(__VA_ARGS__), false)
#define error_unknown(...)  ((error_unknown)(__VA_ARGS__), false)
#define error_of_machine(e) ((error_of_machine)(e), false)
#endif

#endif
