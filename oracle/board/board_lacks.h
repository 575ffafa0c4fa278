/* SPDX-License-Identifier: MIT */
/*
 * What a board says that it lacks: parts of cases that it cannot run. A text of items, separated by blanks or
 * commas (harness/PROTOCOL.md, HELLO):
 *
 *   FIELD         the field must have its default: an enumeration its first name, a word its default, a list
 *                 or image no items
 *   FIELD=NAME    the enumeration must not have this name
 *   FIELD>N       the word must be at most N, the list must have at most N items
 *   WORD          no instruction may have this word of its text form
 *   WORD*         no instruction may have a word that begins so
 */
#ifndef MISPRINT_ORACLE_BOARD_BOARD_LACKS_H
#define MISPRINT_ORACLE_BOARD_BOARD_LACKS_H

#include "model/core/unit.h"

struct board_lacks;

/* Reads the text. NULL with an error if an item names nothing that the unit has, or if a word has no value
 * left. */
struct board_lacks *board_lacks_new(const struct unit *u, const char *text, struct error *e);
void board_lacks_free(struct board_lacks *l); /* NULL is fine */
const char *board_lacks_text(const struct board_lacks *l);

/* Returns the item that the case has although the board lacks it; NULL: none. */
const char *board_lacks_of(const struct board_lacks *l, const struct test_case *c);
/* Changes the case, as little as possible, so that the board has all that is in it. */
void board_lacks_mend(const struct board_lacks *l, struct test_case *c);

#endif
