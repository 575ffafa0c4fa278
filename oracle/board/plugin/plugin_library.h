/* SPDX-License-Identifier: MIT */
/*
 * A board in a shared library (harness/protocol/board_plugin.h): loads it, describes a unit to it, and takes
 * its outcomes. The process may be the host's (`,inline`) or a child.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_LIBRARY_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_LIBRARY_H

#include "harness/protocol/board_plugin.h"
#include "model/core/unit.h"

struct plugin_library {
    void *handle;
    const struct misprint_board *board;
    void *state; /* what the board's `open` returned */
    struct misprint_unit unit;
    struct misprint_field field[FIELDS_MAX];
    struct misprint_region region[REGIONS_MAX];
};

/* Splits "FILE,OPTION,...". Sets `*in_process` if one of the options is `inline`, which the library does not
 * see. The caller frees `*file` and `*options`. */
bool plugin_argument(const char *argument, char **file, char **options, bool *in_process, struct error *e);
/* Loads a file and returns its symbol `name`, which begins with the version of board_plugin.h. NULL with an
 * error: nothing stays loaded. */
const void *plugin_symbol(const char *file, const char *name, void **handle, struct error *e);
/* Describes a unit to a library. */
void plugin_describe(struct plugin_library *l, const struct unit *u);
/* Fills in what `open` gets. */
void plugin_preset(struct misprint_about *about, const char *options, const char *description,
                   const char *provenance);
/* Checks what `open` left. False with an error. */
bool plugin_check_about(struct misprint_about *about, bool opened, struct error *e);

/* Loads the file, checks its version, and describes the unit for `open`. False with an error: nothing stays
 * loaded. */
bool plugin_load(struct plugin_library *l, const char *file, const struct unit *u, struct error *e);
/* Fills in what the library says of itself, and calls its `open`. */
bool plugin_open(struct plugin_library *l, const char *options, struct misprint_about *about,
                 struct error *e);
void plugin_close(struct plugin_library *l); /* also if plugin_open failed */

/* Returns how many cases one call of the library's `run` gets. */
unsigned plugin_at_once(const struct plugin_library *l);

/* ---- outcomes ---- */

enum { PLUGIN_OVERRUN = 254 }; /* of misprint_outcome.end: not to be used; `message` says why */

/* Gets an outcome ready for the board. `value` already holds the content before the case. A fence of
 * OUTCOME_FENCE_WORDS comes behind each array. */
void plugin_prepare(struct misprint_outcome *m, uint32_t *value, uint32_t *unknown, const struct layout *l);

/* Calls the library's `run`, and puts right what it must not change: the addresses of the arrays, and the
 * bits of rows that the unit lacks. Returns false if a fence is damaged; that outcome has PLUGIN_OVERRUN, and
 * an array behind it may be damaged, too. */
bool plugin_run(const struct plugin_library *l, const struct layout *layout, const void *const *cases,
                struct misprint_outcome *m, unsigned count);

/* Marks the rows that the board changed: those whose words differ from `before`, and those with unknown bits.
 */
void plugin_find_rows(struct misprint_outcome *m, const struct outcome *before);

enum plugin_taken { PLUGIN_TAKEN, PLUGIN_REFUSED, PLUGIN_WRONG };

/* Where the rows of an outcome are. */
struct plugin_rows {
    const uint32_t *value, *unknown;
    bool packed; /* only the touched rows, one after the other */
};

/*
 * Takes the touched rows into `out`, which was reset for the case. `m` and the rows may be memory that
 * another process writes at the same time: any content is safe, and gives an outcome or PLUGIN_WRONG.
 * `value` may be out->value itself. `why` gets the reason of a refusal or of a wrong outcome.
 */
enum plugin_taken plugin_take(const struct misprint_outcome *m, struct plugin_rows from, struct outcome *out,
                              char why[256]);

#endif
