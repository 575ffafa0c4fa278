/* SPDX-License-Identifier: MIT */
/* Describes the machine that figures were measured on: processor, compiler, build. */
#ifndef MISPRINT_CLI_SESSION_MACHINE_H
#define MISPRINT_CLI_SESSION_MACHINE_H

#include <stddef.h>

void machine_describe(char *to, size_t room);

#endif
