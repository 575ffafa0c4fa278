/* SPDX-License-Identifier: MIT */
/* The device tree as Linux shows it, /proc/device-tree: what board this is. */
#ifndef MISPRINT_HARNESS_VC4_DEVICE_TREE_H
#define MISPRINT_HARNESS_VC4_DEVICE_TREE_H

#include <stddef.h>
#include <sys/types.h>

/* How the model's name begins where the kernel underneath is a test's stand-in: its word is no hardware's. */
#define DEVICE_TREE_FAKE "Fake "

/* Bytes of a property ("model", "soc/ranges"), with a NUL behind them; negative: there is none. */
ssize_t device_tree_read(const char *name, char *to, size_t room);

#endif
