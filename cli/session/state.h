/* SPDX-License-Identifier: MIT */
/* The place of campaigns whose directory the user did not name. */
#ifndef MISPRINT_CLI_SESSION_STATE_H
#define MISPRINT_CLI_SESSION_STATE_H

#include "model/core/error.h"
#include "model/text/text.h"

#include <stddef.h>

/* Makes a new directory UNIT-NUMBER in the state folder (MISPRINT_STATE, or XDG_STATE_HOME/misprint). False
 * with an error if that is not possible, or if MISPRINT_STATE is empty. */
bool state_make_campaign(const char *unit, char *path, size_t room, struct error *e);

/* Adds a path as one word of a shell command, with ~ for the user's home. */
void state_add_path(struct text *t, const char *path);

#endif
