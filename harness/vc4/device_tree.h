/* SPDX-License-Identifier: MIT */
/* The device tree (/proc/device-tree), which says what board this is. */
#ifndef MISPRINT_HARNESS_VC4_DEVICE_TREE_H
#define MISPRINT_HARNESS_VC4_DEVICE_TREE_H

#include <stddef.h>
#include <sys/types.h>

/* The model's name begins so on a test's stand-in for the kernel, which is no hardware. */
#define DEVICE_TREE_FAKE "Fake "

/* Reads a property ("model", "soc/ranges") and adds a NUL. Returns its bytes; negative: there is none. */
ssize_t device_tree_read(const char *name, char *to, size_t room);

#endif
