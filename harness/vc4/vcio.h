/* SPDX-License-Identifier: MIT */
/*
 * The part that needs root: the Raspberry Pi firmware's mailbox (/dev/vcio),
 * one piece of GPU memory from it, and the V3D's registers, both through
 * /dev/mem. Everything is opened here and kept; afterwards the process may give
 * its rights away and still launch.
 *
 * The memory is taken once, for the life of the process: on some firmware
 * "allocate" stops working after a few rounds.
 *
 * Sources: the Raspberry Pi Linux kernel's drivers/char/broadcom/vcio.c and
 * drivers/firmware/raspberrypi.c; the firmware wiki's "Mailbox property
 * interface"; gpu_fft's mailbox.c and VC4CL's V3D.cpp for the order of things.
 * None of this was run on a Raspberry Pi by this project.
 */
#ifndef MISPRINT_HARNESS_VC4_VCIO_H
#define MISPRINT_HARNESS_VC4_VCIO_H

#include "model/core/error.h"

#include <stddef.h>
#include <stdint.h>

/* How long the programs that run at once may take: the kernel gives up waiting for the firmware after one
 * second, and then the board is lost. */
enum { VCIO_LAUNCH_MS = 700 };

/* What was launched and may still read and write memory. */
enum vcio_runs {
    VCIO_RUNS_NOTHING,
    VCIO_RUNS_STILL,    /* it hung, and was not reset yet */
    VCIO_RUNS_PERHAPS,  /* it was reset; a launch has to show that it works again */
    VCIO_RUNS_FOR_EVER, /* the firmware answers no more, or the V3D cannot be reset */
};

struct vcio {
    int fd;
    uint32_t handle, bus;      /* of the GPU's memory */
    volatile uint32_t *memory; /* the same as this process sees it (gpu_memory.h) */
    size_t bytes;
    volatile uint32_t *v3d; /* registers; NULL: they could not be mapped */
    bool by_registers;      /* launch through them */
    bool taken, enabled;
    enum vcio_runs runs;
};

/* What is known of the board, for its identity. 0 or "" where the firmware did not say. */
struct vcio_facts {
    char model[80];
    uint32_t revision, firmware, ident[3];
};

/* The same of what changes while it runs. */
struct vcio_state {
    uint32_t clock_hz, millidegrees, throttled;
};

/*
 * Opens the device, locks it and takes `bytes` of GPU memory. False with an
 * error that says what stands in the way and what to do: no such device, no
 * rights, the kernel's own driver has the V3D, another GPU than the VideoCore
 * IV, in use. For another process that has it, which may be ending, it waits
 * some seconds, and says so on standard error.
 */
bool vcio_open(struct vcio *v, size_t bytes, bool by_registers, struct error *e);
/* Switches the V3D off and gives the memory back; where programs may still run it keeps both, and says so on
 * standard error. */
void vcio_close(struct vcio *v);
void vcio_ask(struct vcio *v, struct vcio_facts *f);
void vcio_ask_state(struct vcio *v, struct vcio_state *s);

enum vcio_result {
    VCIO_DONE,
    VCIO_MARKED, /* all ended, but ERRSTAT shows errors that it did not before; with an error that names them.
                    By registers only */
    VCIO_HUNG,   /* not all ended in time; vcio_reset may help */
    VCIO_LOST,   /* the firmware or the kernel answers no more: only a reboot helps; with an error */
};

/* Runs `count` programs: at bus address `table` stand that many pairs of words, the addresses of uniforms and
 * code. */
enum vcio_result vcio_launch(struct vcio *v, uint32_t table, unsigned count, struct error *e);

/* Power-cycles the V3D. False with an error: it kept its power, or does not come back. That it works again
 * only a launch can show. */
bool vcio_reset(struct vcio *v, struct error *e);

#endif
