/* SPDX-License-Identifier: MIT */
/*
 * What the host and a child that runs a library share: memory for cases and outcomes, and messages about
 * them. The host believes nothing that it reads from it.
 */
#ifndef MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_MEMORY_H
#define MISPRINT_ORACLE_BOARD_PLUGIN_PLUGIN_MEMORY_H

#include "harness/protocol/board_plugin.h"
#include "model/core/unit.h"

enum {
    PLUGIN_SLOTS = 3, /* batches: two sent ahead, and one of a run that was not */
    PLUGIN_SOCKET = 3,
    PLUGIN_MEMORY = 4, /* descriptors of the child */
};

/* The first word of the command line of a child; then file, unit and options follow. */
#define PLUGIN_CHILD_WORD "plugin-child"

enum plugin_what {
    PLUGIN_RUN = 1, /* host: run `count` cases of a slot, from `first` on */
    PLUGIN_OPENED,  /* child: struct plugin_greeting is filled in; `count` is misprint_board.flags */
    PLUGIN_FAILED,  /* child: plugin_greeting.error says why it cannot be opened */
    PLUGIN_RAN,     /* child: answers PLUGIN_RUN */
    PLUGIN_DIED,    /* child: its worker ended; `count` is how (plugin_crash_pack). The next one opens */
};

/* `worker` numbers the workers of a child from 0. A worker ignores what was meant for one that died. */
struct plugin_message {
    uint32_t what, slot, first, count, worker;
};

struct plugin_greeting {
    struct misprint_about about;
    char error[ERROR_TEXT_MAX];
};

struct plugin_memory {
    uint8_t *at;
    size_t bytes, cases_bytes;
    size_t case_stride, words_stride; /* bytes of a case; words of an outcome's values */
    size_t outcomes_at, values_at, unknown_at;
    size_t slot_bytes;               /* of the values, or of the unknown bits, of a batch */
    size_t records_at, record_bytes; /* the records of a batch (plugin_record.h) */
};

/* Computes sizes and offsets. */
void plugin_memory_shape(struct plugin_memory *m, const struct unit *u);
/* Creates the memory and maps it. Returns a descriptor; -1 with an error. */
int plugin_memory_create(struct plugin_memory *m, const struct unit *u, struct error *e);
/* Maps the host's memory in the child. */
bool plugin_memory_map(struct plugin_memory *m, const struct unit *u, int fd);
/* In the child: lets nobody write the cases, and nobody access what is between the outcomes of two batches. A
 * library with MISPRINT_ONE_BY_ONE gets none of them. */
bool plugin_memory_guard(const struct plugin_memory *m);
void plugin_memory_unmap(struct plugin_memory *m);

struct test_case *plugin_case(const struct plugin_memory *m, unsigned slot, unsigned i);
/* For a library with MISPRINT_ONE_BY_ONE: the cases of a slot that it runs now, packed (case_pack), one after
 * the other; their records (plugin_record.h); and the number of records. */
uint32_t *plugin_packed(const struct plugin_memory *m, unsigned slot);
uint32_t *plugin_records(const struct plugin_memory *m, unsigned slot);
uint32_t *plugin_done(const struct plugin_memory *m, unsigned slot);
/* Maps pages for writing, which costs a tenth of the page faults. */
void plugin_map_pages(void *from, size_t bytes);
struct plugin_greeting *plugin_greeting(const struct plugin_memory *m);
struct misprint_outcome *plugin_outcome(const struct plugin_memory *m, unsigned slot, unsigned i);
uint32_t *plugin_value(const struct plugin_memory *m, unsigned slot, unsigned i);
uint32_t *plugin_unknown(const struct plugin_memory *m, unsigned slot, unsigned i);

#endif
