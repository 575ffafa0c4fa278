/* SPDX-License-Identifier: MIT */
/*
 * Everything that needs root on a Raspberry Pi: the firmware's mailbox (/dev/vcio), one block of GPU memory
 * that the firmware allocates, and the V3D's registers. Memory and registers are mapped through /dev/mem.
 * vcio_open opens everything at once, so the process can drop its rights afterwards and still launch. What is
 * launched belongs to the callers.
 *
 * Allocates GPU memory only once in the life of the process, because on some firmware "allocate" fails after
 * a few rounds.
 *
 * Sources: the Raspberry Pi Linux kernel's drivers/char/broadcom/vcio.c and drivers/firmware/raspberrypi.c;
 * the firmware wiki's "Mailbox property interface"; gpu_fft's mailbox.c and VC4CL's V3D.cpp for the order of
 * calls. This project has run none of this on a Raspberry Pi.
 */
#ifndef MISPRINT_HARNESS_VC4_VCIO_H
#define MISPRINT_HARNESS_VC4_VCIO_H

#include "model/core/error.h"

#include <stddef.h>
#include <stdint.h>

/* The time limit of one launch. It is below one second, because the kernel waits one second for the firmware;
 * after that the firmware answers nothing any more. */
enum { VCIO_LAUNCH_MS = 700 };

/* Whether a launched program may still read and write memory. */
enum vcio_runs {
    VCIO_RUNS_NOTHING,
    VCIO_RUNS_STILL,    /* a launch hung, and the V3D was not reset yet */
    VCIO_RUNS_PERHAPS,  /* the V3D was reset, but no later launch has ended yet */
    VCIO_RUNS_FOR_EVER, /* the firmware does not answer, or the V3D cannot be reset */
};

struct vcio {
    int fd;
    uint32_t handle, bus;      /* of the GPU memory: the firmware's handle, the bus address */
    volatile uint32_t *memory; /* the GPU memory, mapped into this process (gpu_memory.h) */
    size_t bytes;
    volatile uint32_t *v3d; /* registers; NULL: they could not be mapped */
    bool by_registers;      /* launch through the registers, not through the firmware */
    bool taken, enabled;
    enum vcio_runs runs;
};

/* The board's identity. A member is 0 or "" if the firmware did not answer. */
struct vcio_facts {
    char model[80];
    uint32_t revision, firmware, ident[3];
};

/* The board's state, which changes while it runs. A member is 0 if the firmware did not answer. */
struct vcio_state {
    uint32_t clock_hz, millidegrees, throttled;
};

/*
 * Opens the device, locks it and allocates `bytes` of GPU memory. If another process has the device, prints a
 * line to standard error and waits some seconds for its end. False with an error: no such device, no
 * permission, the kernel's own driver uses the V3D, another GPU, or in use.
 */
bool vcio_open(struct vcio *v, size_t bytes, bool by_registers, struct error *e);
/* Switches the V3D off and frees the memory. If programs may still run after that, does not free the memory,
 * and prints a line to standard error. */
void vcio_close(struct vcio *v);
void vcio_ask(struct vcio *v, struct vcio_facts *f);
void vcio_ask_state(struct vcio *v, struct vcio_state *s);

enum vcio_result {
    VCIO_DONE,
    VCIO_HW_ERROR, /* all ended, but ERRSTAT shows new errors (by registers only); sets the error */
    VCIO_HUNG,     /* not all ended in time; vcio_reset may help */
    VCIO_LOST,     /* the firmware or the kernel does not answer, so only a reboot helps; sets the error */
};

/* Runs `count` programs. `table` is the bus address of that many pairs of words: the addresses of uniforms
 * and code. */
enum vcio_result vcio_launch(struct vcio *v, uint32_t table, unsigned count, struct error *e);

/* Power-cycles the V3D. False with an error: the V3D kept its power, or does not answer afterwards. Only a
 * launch shows whether it works again. */
bool vcio_reset(struct vcio *v, struct error *e);

#endif
