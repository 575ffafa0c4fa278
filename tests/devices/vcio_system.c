/* SPDX-License-Identifier: MIT */
#include "tests/devices/vcio_system.h"

#include "tests/devices/preload.h"

#include <errno.h>
#include <string.h>

/*
 * Flags and aliases of the boards' memory. With these flags ARM and QPUs see the same memory (gpu_fft_base.c
 * in raspberrypi/userland). The first boards access it through the second level cache, the others past this
 * cache. An alias is bits 31:30 of the bus address that the tag "lock" returns for these flags
 * (Idein/librpimemmgr README.md).
 */
static const struct vcio_system systems[] = {
    {"pi", "raspberrypi,3-model-b\nbrcm,bcm2837", "Fake Raspberry Pi 3 (a model, no silicon)", 0x3F000000,
     0x4, 3},
    {"pi1", "raspberrypi,model-b\nbrcm,bcm2835", "Fake Raspberry Pi 1 (a model, no silicon)", 0x20000000, 0xC,
     1},
    {"kms", "raspberrypi,3-model-b\nbrcm,bcm2837", "Fake Raspberry Pi 3 (a model, no silicon)", 0x3F000000,
     0x4, 3},
    {"moved", "raspberrypi,3-model-b\nbrcm,bcm2837", "Fake Raspberry Pi 3 (a model, no silicon)", 0x21A5B000,
     0x4, 3},
    {"pi4", "raspberrypi,4-model-b\nbrcm,bcm2711", "Fake Raspberry Pi 4 (a model, no silicon)", 0xFE000000, 0,
     0},
};

const struct vcio_system *vcio_system(void)
{
    static const struct vcio_system *found;
    if (found)
        return found;
    const char *name = preload_setting("FAKE_VCIO_SYSTEM", "pi");
    for (unsigned i = 0; i < sizeof systems / sizeof *systems; i++)
        if (!strcmp(name, systems[i].name))
            found = &systems[i];
    return found;
}

/* Opens a property that is a list of strings, each with a zero byte after it. */
static int open_names(const char *lines)
{
    char names[64];
    size_t count = strlen(lines) + 1;
    for (size_t i = 0; i < count; i++)
        names[i] = (char)(lines[i] == '\n' ? 0 : lines[i]);
    return preload_file(names, count);
}

/* Opens the property with the range of the peripherals: bus address, ARM address, size, all big-endian. */
static int open_ranges(uint32_t arm)
{
    const char ranges[] = {0x7E, 0, 0, 0, (char)(arm >> 24), (char)(arm >> 16), (char)(arm >> 8), (char)arm,
                           1,    0, 0, 0};
    return preload_file(ranges, sizeof ranges);
}

int vcio_system_open(const char *name)
{
    const struct vcio_system *s = vcio_system();
    if (s && !strcmp(name, "compatible"))
        return open_names(s->compatible);
    if (s && !strcmp(name, "model"))
        return open_names(s->model);
    if (s && !strcmp(name, "soc/ranges"))
        return open_ranges(s->peripherals);
    if (s && !strcmp(name, "soc/v3d@7ec00000/compatible"))
        return open_names("brcm,vc4-v3d");
    if (s && !strcmp(name, "soc/v3d@7ec00000/status"))
        return open_names(!strcmp(s->name, "kms") ? "okay" : "disabled");
    errno = ENOENT;
    return -1;
}
