/* SPDX-License-Identifier: MIT */
/* Reads the values that --set gives to registers: "v0=0..63", "s4=16", "exec=0xff". */
#ifndef MISPRINT_CLI_WHERE_SETTINGS_H
#define MISPRINT_CLI_WHERE_SETTINGS_H

#include "model/core/error.h"

#include <stdint.h>

enum { SETTINGS_MAX = 16, SETTING_VALUES_MAX = 64 };

struct setting {
    char name[8];    /* "v0", "s4", "m0", "exec" */
    char kind;       /* 'v', 's', 'm', 'e': the first letter of the name */
    unsigned number; /* of v and s */
    unsigned count;  /* number of values; 1: one value for all lanes */
    uint64_t value[SETTING_VALUES_MAX];
    bool used; /* free for the caller */
};

struct settings {
    unsigned count;
    struct setting item[SETTINGS_MAX];
};

/* Reads lines, one for each --set. Numbers are decimal, or hexadecimal after 0x; "-4" is a
 * register's 0xfffffffc. "A..B" counts from A to B,
 * "A..B:N" in steps of N; items are separated by commas. Errors name the column. */
bool settings_read(const char *lines, struct settings *s, struct error *e);
/* Returns the setting of v or s and a number; of m0 and exec the number is 0. NULL if there is none. */
struct setting *settings_find(struct settings *s, char kind, unsigned number);

/* Reads a number as settings_read does. `rest` is set to the first character behind it. */
bool number_read(const char *text, uint64_t *value, const char **rest);
/* Reads exactly `count` hexadecimal words, with or without 0x, separated by commas or blanks. `what` names
 * the text in errors. */
bool hexadecimal_read(const char *what, const char *text, uint32_t *word, unsigned count, struct error *e);

#endif
