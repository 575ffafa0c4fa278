/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU through libdrm_amdgpu: which generation it is, memory that it and
 * the host see, windows in an address space where else nothing is, and
 * submissions that end, or whose hanging is noticed and mended.
 *
 * Only in builds with libdrm_amdgpu (HAVE_AMDGPU).
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_DEVICE_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_DEVICE_H

#include "harness/amdgpu/amdgpu_batch.h"

struct amdgpu_facts {
    char name[128];   /* "AMD Radeon RX 7900 XTX", or what the kernel calls it */
    char kernel[160]; /* the system's, and the driver's version */
    bool fake;        /* a test's stand-in for the kernel: what it answers is no silicon's */
    uint32_t pci_id, family, chip_rev, external_rev, compute_units;
    uint32_t engine_khz, memory_khz; /* the most of each clock */
};

/* How long a submission is waited for: until it counts as hung (it takes far less than a millisecond a case),
 * and then until the kernel has reset the GPU, whose limit for compute is 10 s, 60 s in some versions. */
enum { AMDGPU_HUNG_MS = 2000, AMDGPU_RESET_MS = 70000 };

struct amdgpu_device;

/* Opens the node at `path`, "" for the first of the driver. NULL with an error: no node, no right, no
 * generation that is modelled, no memory. */
struct amdgpu_device *amdgpu_device_open(const char *path, struct error *e);
void amdgpu_device_close(struct amdgpu_device *d); /* NULL is fine */

const struct amdgpu_facts *amdgpu_device_facts(const struct amdgpu_device *d);
/* How it is now. False: the kernel does not say (an APU has fewer sensors). */
bool amdgpu_device_state(struct amdgpu_device *d, uint32_t *clock_mhz, uint32_t *millidegrees);
/* For amdgpu_batch_new; valid as long as the device. */
struct amdgpu_machine amdgpu_device_machine(struct amdgpu_device *d);

#endif
