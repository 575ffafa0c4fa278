/* SPDX-License-Identifier: MIT */
/* The Raspberry Pis that fake_vcio.c can imitate, and their device trees. */
#ifndef MISPRINT_TESTS_DEVICES_VCIO_SYSTEM_H
#define MISPRINT_TESTS_DEVICES_VCIO_SYSTEM_H

#include <stdint.h>

struct vcio_system {
    const char *name, *compatible, *model;
    uint32_t peripherals, flags, alias;
};

/* Returns the board that FAKE_VCIO_SYSTEM names; NULL for none. */
const struct vcio_system *vcio_system(void);

/* Opens a property of the device tree ("model"). Returns a descriptor, or -1 with errno. */
int vcio_system_open(const char *name);

#endif
