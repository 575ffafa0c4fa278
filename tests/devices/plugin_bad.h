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
};

#endif
