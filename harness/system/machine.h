/* SPDX-License-Identifier: MIT */
/* Describes the machine that figures were measured on: processor, compiler, build. */
#ifndef MISPRINT_HARNESS_SYSTEM_MACHINE_H
#define MISPRINT_HARNESS_SYSTEM_MACHINE_H

#include <stddef.h>

void machine_describe(char *to, size_t room);

#endif
