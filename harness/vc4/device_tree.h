/* SPDX-License-Identifier: MIT */
/* Reads the device tree (/proc/device-tree), which identifies the board. */
#ifndef MISPRINT_HARNESS_VC4_DEVICE_TREE_H
#define MISPRINT_HARNESS_VC4_DEVICE_TREE_H

#include <stddef.h>
#include <sys/types.h>

/* The prefix of the model's name on the fake devices of the tests, which are no hardware. */
#define DEVICE_TREE_FAKE "Fake "

/* Reads a property ("model", "soc/ranges") and adds a NUL. Returns its size in bytes, or a negative number if
 * it does not exist. */
ssize_t device_tree_read(const char *name, char *to, size_t room);

#endif
