/* SPDX-License-Identifier: MIT */
/* How cases of the board in plugin_bad.c go wrong. */
#ifndef MISPRINT_TESTS_DEVICES_PLUGIN_BAD_H
#define MISPRINT_TESTS_DEVICES_PLUGIN_BAD_H

#define BAD_MARK 0xBAD00000

enum bad_way {
    BAD_CRASH = 1,
    BAD_EARLY,
    BAD_HANG,
    BAD_WILD,
    BAD_EXIT,
    BAD_END,
    BAD_REFUSAL,
    BAD_SIZES,
    BAD_CLOSED,
    BAD_FLOOD,
    BAD_SILENT,
    BAD_MEMORY,   /* touches half of the rows, 32 in turn, and knows none of their bits */
    BAD_ONE_WORD, /* touches every row, and does not know word 3 of row 0 */
    BAD_PAST,     /* writes a word behind the values; the case is right otherwise */
    BAD_FAR_PAST, /* writes 300 words there, the last of which are another case's if the cases run together */
    BAD_PAST_UNKNOWN, /* writes a word behind the unknown bits */
    BAD_BEYOND,       /* marks rows that the unit does not have */
    BAD_EXIT_WELL,    /* ends its process with exit status 0 */
    BAD_DEEP,         /* calls itself until the stack ends */
    BAD_CAUGHT,       /* crashes, and catches that itself; the case is right */
    BAD_WRITE,        /* writes into the case */
    BAD_NULL,         /* writes to address 64 */
    BAD_FORKED,       /* crashes in a process that it forked; the case is right */
    BAD_STATE,        /* changes all kinds of memory that a good case depends on, and crashes */
    BAD_THREAD,       /* starts a thread that changes such memory for ever, and crashes */
    BAD_GROWTH,       /* fills 24 MB of new memory, and crashes */
    BAD_FILE,         /* opens a file, and crashes */
};

#endif
