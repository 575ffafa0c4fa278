/* SPDX-License-Identifier: MIT */
/*
 * Errors that a stranger's bytes, files or words can cause, as one sentence for
 * a person: what was wrong, where, and what to do. Functions that can fail so
 * take a `struct error *` last and return false (or NULL); nothing here prints.
 */
#ifndef MISPRINT_MODEL_CORE_ERROR_H
#define MISPRINT_MODEL_CORE_ERROR_H

#include <stdbool.h>

enum { ERROR_TEXT_MAX = 512 };

struct error {
    char text[ERROR_TEXT_MAX]; /* "" while nothing went wrong */
    bool of_machine; /* a board or the machine failed, not what the user said or gave: exit status 3 instead
                        of 2 */
};

/* Sets the text, replacing what was there; returns false, so that a caller can `return error_set(...)`. `e`
 * may be NULL. */
bool error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A board or the machine is to blame for what was said; returns false. `e` may be NULL. */
bool error_of_machine(struct error *e);

/* Says "out of memory", and during what ("while reading %s"); the machine is to blame. Returns false. */
bool error_memory(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "WHERE: " in front of the text (a file's name, a line), "WHERE, " before a column; returns false. */
bool error_where(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * "unknown WHAT 'WORD'; did you mean 'NEAREST'? (ADVICE)": the one sentence for a word that is none of a
 * list. `name` as for text_hint; `advice` (NULL: none) says where the names stand. Returns false.
 */
bool error_unknown(struct error *e, const char *what, const char *word,
                   const char *(*name)(const void *context, unsigned i), const void *context,
                   const char *advice);

#ifdef __clang_analyzer__ /* it sees one file at a time, and has to be told that these return false */
#define error_set(...)      ((error_set)(__VA_ARGS__), false)
#define error_where(...)    ((error_where)(__VA_ARGS__), false)
#define error_memory(...)   ((error_memory)(__VA_ARGS__), false)
#define error_unknown(...)  ((error_unknown)(__VA_ARGS__), false)
#define error_of_machine(e) ((error_of_machine)(e), false)
#endif

#endif
