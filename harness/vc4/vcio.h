/* SPDX-License-Identifier: MIT */
/*
 * The part that needs root: the Raspberry Pi firmware's mailbox (/dev/vcio), one
 * piece of GPU memory from it, and the V3D's registers, both through /dev/mem.
 * Opens everything at once and keeps it, so the process can drop its rights
 * afterwards and still launch.
 *
 * Takes the memory once, for the life of the process: on some firmware "allocate"
 * fails after a few rounds.
 *
 * Sources: the Raspberry Pi Linux kernel's drivers/char/broadcom/vcio.c and
 * drivers/firmware/raspberrypi.c; the firmware wiki's "Mailbox property
 * interface"; gpu_fft's mailbox.c and VC4CL's V3D.cpp for the order of calls. This
 * project has run none of this on a Raspberry Pi.
 */
#ifndef MISPRINT_HARNESS_VC4_VCIO_H
#define MISPRINT_HARNESS_VC4_VCIO_H

#include "model/core/error.h"

#include <stddef.h>
#include <stdint.h>

/* The time limit of the programs that run at once: the kernel waits one second for the firmware, and then the
 * board is lost. */
enum { VCIO_LAUNCH_MS = 700 };

/* Whether a launched program may still read and write memory. */
enum vcio_runs {
    VCIO_RUNS_NOTHING,
    VCIO_RUNS_STILL,    /* it hung, and there was no reset yet */
    VCIO_RUNS_PERHAPS,  /* there was a reset, but no launch has shown that it worked */
    VCIO_RUNS_FOR_EVER, /* the firmware does not answer, or the V3D cannot be reset */
};

struct vcio {
    int fd;
    uint32_t handle, bus;      /* of the GPU's memory */
    volatile uint32_t *memory; /* the same memory in this process (gpu_memory.h) */
    size_t bytes;
    volatile uint32_t *v3d; /* registers; NULL: they could not be mapped */
    bool by_registers;      /* launch through them */
    bool taken, enabled;
    enum vcio_runs runs;
};

/* The board's identity. 0 or "" if the firmware did not answer. */
struct vcio_facts {
    char model[80];
    uint32_t revision, firmware, ident[3];
};

/* The same for what changes while it runs. */
struct vcio_state {
    uint32_t clock_hz, millidegrees, throttled;
};

/*
 * Opens the device, locks it and takes `bytes` of GPU memory. The error says what
 * is wrong and what to do: no such device, no rights, the kernel's own driver has
 * the V3D, another GPU, in use. If another process has the device, which may be
 * about to end, waits some seconds and says so on standard error.
 */
bool vcio_open(struct vcio *v, size_t bytes, bool by_registers, struct error *e);
/* Switches the V3D off and frees the memory. If programs may still run it keeps both, and says so on standard
 * error. */
void vcio_close(struct vcio *v);
void vcio_ask(struct vcio *v, struct vcio_facts *f);
void vcio_ask_state(struct vcio *v, struct vcio_state *s);

enum vcio_result {
    VCIO_DONE,
    VCIO_MARKED, /* all ended, but ERRSTAT shows new errors; with an error that names them; by registers only
                  */
    VCIO_HUNG,   /* not all ended in time; vcio_reset may help */
    VCIO_LOST,   /* the firmware or the kernel does not answer: only a reboot helps; with an error */
};

/* Runs `count` programs. `table` is the bus address of that many pairs of words: the addresses of uniforms
 * and code. */
enum vcio_result vcio_launch(struct vcio *v, uint32_t table, unsigned count, struct error *e);

/* Power-cycles the V3D. False with an error: it kept its power, or does not come back. Only a launch shows
 * whether it works again. */
bool vcio_reset(struct vcio *v, struct error *e);

#endif
