/* SPDX-License-Identifier: MIT */
/* What figures were measured on: the processor, the compiler, the build. */
#ifndef MISPRINT_CLI_MACHINE_H
#define MISPRINT_CLI_MACHINE_H

#include <stddef.h>

void machine_describe(char *to, size_t room);

#endif
