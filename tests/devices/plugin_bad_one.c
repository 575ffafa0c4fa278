/* SPDX-License-Identifier: MIT */
/* plugin_bad.c as a board that runs cases one after the other. */
#define BAD_ONE_BY_ONE
#include "tests/devices/plugin_bad.c" // IWYU pragma: keep
