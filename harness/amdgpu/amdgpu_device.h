/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU through libdrm_amdgpu: its generation, memory that it and the host see, windows in an otherwise
 * empty address space, and submissions. It detects a submission that hangs and makes the device usable again.
 *
 * Only in builds with libdrm_amdgpu (HAVE_AMDGPU).
 */
#ifndef MISPRINT_HARNESS_AMDGPU_AMDGPU_DEVICE_H
#define MISPRINT_HARNESS_AMDGPU_AMDGPU_DEVICE_H

#include "harness/amdgpu/amdgpu_launch.h"

struct amdgpu_facts {
    char name[128];   /* "AMD Radeon RX 7900 XTX", or the kernel's name */
    char kernel[160]; /* versions of the system and the driver */
    bool fake;        /* a test's stand-in for the kernel, not silicon */
    uint32_t pci_id, family, chip_rev, external_rev, compute_units;
    uint32_t engine_khz, memory_khz; /* the highest clocks */
};

/* How long to wait until a submission counts as hung (a case takes far less than a millisecond), and then
 * until the kernel has reset the GPU (its limit for compute is 10 s, in some versions 60 s). */
enum { AMDGPU_HUNG_MS = 2000, AMDGPU_RESET_MS = 70000 };

struct amdgpu_device;

/* Opens the node at `path`; "" opens the driver's first. Returns NULL with an error: no node, no permission,
 * no modelled generation, no memory. */
struct amdgpu_device *amdgpu_device_open(const char *path, struct error *e);
void amdgpu_device_close(struct amdgpu_device *d); /* NULL is fine */

const struct amdgpu_facts *amdgpu_device_facts(const struct amdgpu_device *d);
/* Reads clock and temperature. Returns false if the kernel does not report them (an APU has fewer sensors).
 */
bool amdgpu_device_state(struct amdgpu_device *d, uint32_t *clock_mhz, uint32_t *millidegrees);
/* Returns the machine for amdgpu_launch_new. It is valid as long as the device. */
struct amdgpu_machine amdgpu_device_machine(struct amdgpu_device *d);

#endif
