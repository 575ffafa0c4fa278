/* SPDX-License-Identifier: MIT */
#include "harness/vc4/vcio.h"

#include "harness/system/clock.h"
#include "harness/vc4/device_tree.h"
#include "harness/vc4/vc4_registers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* The kernel defines this number with the size of a pointer, so it differs between 32- and 64-bit processes.
 */
#define VCIO_PROPERTY _IOWR(100, 0, char *)

enum {
    TAG_FIRMWARE = 0x00001,
    TAG_REVISION = 0x10002,
    TAG_TEMPERATURE = 0x30006,
    TAG_ALLOCATE = 0x3000C,
    TAG_LOCK = 0x3000D,
    TAG_UNLOCK = 0x3000E,
    TAG_RELEASE = 0x3000F,
    TAG_EXECUTE = 0x30011,
    TAG_ENABLE = 0x30012,
    TAG_THROTTLED = 0x30046,
    TAG_CLOCK_MEASURED = 0x30047,
    CLOCK_V3D = 5,
    VALUES_MAX = 4,
    PAGE = 4096,
    PERIPHERALS_TO_V3D = 0xC00000,
    WAIT_S = 5, /* time for another Misprint to end its launch and its search for a hanging program */
    POLL_NS = 20000000,
};
#define ANSWERED        UINT32_C(0x80000000) /* a flag of the whole message and of each tag's length */
#define STATE_ALREADY   UINT32_C(0x80000000) /* "enable": already in that state; "execute": timed out */
#define BUS_TO_PHYSICAL UINT32_C(0x3FFFFFFF)

struct chip {
    const char *compatible;
    uint32_t flags; /* to allocate uncached GPU memory; 0: the chip has no VideoCore IV */
};
static const struct chip chips[] = {
    {"brcm,bcm2711", 0},   {"brcm,bcm2712", 0},   {"brcm,bcm2835", 0xC}, {"brcm,bcm2708", 0xC},
    {"brcm,bcm2836", 0x4}, {"brcm,bcm2709", 0x4}, {"brcm,bcm2837", 0x4}, {"brcm,bcm2710", 0x4},
};

static const struct chip *find_chip(void)
{
    char names[256];
    ssize_t count = device_tree_read("compatible", names, sizeof names);
    for (size_t c = 0; c < sizeof chips / sizeof *chips; c++)
        for (ssize_t at = 0; at < count; at += (ssize_t)strlen(names + at) + 1)
            if (!strcmp(names + at, chips[c].compatible))
                return &chips[c];
    return NULL;
}

/* True if the kernel's own driver uses the V3D. Then the firmware refuses to launch programs. */
static bool kernel_has_v3d(void)
{
    char status[32], compatible[64];
    if (device_tree_read("soc/v3d@7ec00000/compatible", compatible, sizeof compatible) < 0)
        return false;
    return device_tree_read("soc/v3d@7ec00000/status", status, sizeof status) < 0 ||
           strcmp(status, "disabled") != 0;
}

/* Returns the physical address of the peripherals, which is the second cell of the bus's `ranges`,
 * big-endian. 0: unknown. */
static uint32_t peripherals(void)
{
    char cells[64];
    const uint8_t *b = (const uint8_t *)cells + 4;
    if (device_tree_read("soc/ranges", cells, sizeof cells) < 12)
        return 0;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static bool check_system(const struct chip **chip, struct error *e)
{
    *chip = find_chip();
    if (!*chip)
        return error_set(e, "the device tree of this machine names no known Raspberry Pi; run the agent on a "
                            "Raspberry Pi 1 to 3 or Zero");
    if (!(*chip)->flags)
        return error_set(e, "this Raspberry Pi has another GPU (VideoCore VI or VII); run the agent on a "
                            "Raspberry Pi 1 to 3 or Zero, which have the VideoCore IV");
    if (kernel_has_v3d())
        return error_set(
            e, "the kernel's vc4 driver uses the V3D, so the firmware launches no programs; remove every "
               "line dtoverlay=vc4-kms-v3d or vc4-fkms-v3d from config.txt, add gpu_mem=64, and "
               "reboot");
    return true;
}

/* Sends one tag with `count` words of values, and replaces them by the answer. False with errno: the kernel
 * or the firmware did not answer. */
static bool ask(struct vcio *v, uint32_t tag, uint32_t *values, uint32_t count)
{
    uint32_t message[6 + VALUES_MAX] = {(6 + VALUES_MAX) * 4, 0, tag, VALUES_MAX * 4, count * 4};
    memcpy(message + 5, values, count * sizeof *values);
    if (ioctl(v->fd, VCIO_PROPERTY, message) < 0)
        return false;
    if (message[1] != ANSWERED || !(message[4] & ANSWERED)) { /* not set in message[4]: the tag is unknown */
        errno = EOPNOTSUPP;
        return false;
    }
    memcpy(values, message + 5, count * sizeof *values);
    return true;
}

/* Switches the V3D on or off. `*answer` is 0, STATE_ALREADY or the firmware's error code. False: the firmware
 * did not answer. */
static bool set_state(struct vcio *v, bool on, uint32_t *answer)
{
    *answer = on;
    return ask(v, TAG_ENABLE, answer, 1);
}

/* Switches the V3D off. False: launched programs may still run, because another process keeps the V3D's power
 * on or the firmware does not answer. */
static bool switch_off(struct vcio *v)
{
    uint32_t answer;
    return v->runs != VCIO_RUNS_FOR_EVER && set_state(v, false, &answer) &&
           (v->runs == VCIO_RUNS_NOTHING || answer == 0);
}

/* Switches the V3D on. The error consists of `what`, the firmware's answer and `hint`. */
static bool switch_on(struct vcio *v, const char *what, const char *hint, struct error *e)
{
    uint32_t answer;
    if (!set_state(v, true, &answer))
        return error_set(e, "%s (%s)%s", what, strerror(errno), hint);
    return answer == 0 || answer == STATE_ALREADY ||
           error_set(e, "%s (it says %08lX)%s", what, (unsigned long)answer, hint);
}

static bool open_device(struct vcio *v, struct error *e)
{
    v->fd = open("/dev/vcio", O_RDWR | O_CLOEXEC);
    if (v->fd >= 0)
        return true;
    if (errno == EACCES || errno == EPERM)
        return error_set(e, "no permission to open /dev/vcio; use sudo");
    if (errno == ENOENT || errno == ENXIO)
        return error_set(e, "there is no /dev/vcio; use Raspberry Pi OS, whose kernels have it");
    return error_set(e, "cannot open /dev/vcio (%s)", strerror(errno));
}

/* ---- a lock, because two processes that launch on one V3D disturb each other ---- */

/* True if a board of this process has the device. Another board of this process fails without waiting,
 * because the first one keeps the device until the command ends. */
static atomic_bool taken;

static bool in_use(struct error *e)
{
    return error_set(e, "/dev/vcio is in use by another Misprint, or another job of this one; wait for it or "
                        "end it, and use --jobs 1");
}

/* Waits up to WAIT_S seconds for another process that has the lock. The kernel frees the lock when that
 * process ends. */
static bool lock_device(const struct vcio *v, struct error *e)
{
    int64_t deadline = clock_ms() + WAIT_S * 1000;
    for (bool told = false; flock(v->fd, LOCK_EX | LOCK_NB) != 0; told = true) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return error_set(e, "cannot lock /dev/vcio (%s)", strerror(errno));
        if (clock_ms() >= deadline)
            return in_use(e);
        if (!told)
            (void)fprintf(stderr,
                          "misprint: another Misprint uses /dev/vcio; waiting up to %d s for its end\n",
                          WAIT_S);
        nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
    }
    return true;
}

static bool take_device(struct vcio *v, struct error *e)
{
    if (atomic_exchange(&taken, true))
        return in_use(e);
    v->taken = true;
    return open_device(v, e) && lock_device(v, e);
}

static bool take_memory(struct vcio *v, uint32_t flags, struct error *e)
{
    uint32_t values[3] = {(uint32_t)v->bytes, PAGE, flags};
    if (!ask(v, TAG_ALLOCATE, values, 3) || values[0] == 0)
        return error_set(e,
                         "the firmware has no %zu KB of GPU memory left; raise gpu_mem in config.txt (64 or "
                         "more), or reboot",
                         v->bytes / 1024);
    v->handle = values[0];
    uint32_t bus = v->handle;
    if (!ask(v, TAG_LOCK, &bus, 1) || bus == 0 || bus % PAGE != 0)
        return error_set(e, "the firmware cannot lock the GPU memory that it allocated; reboot");
    v->bus = bus;
    return true;
}

static void *map(uint32_t physical, size_t bytes)
{
    int fd = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)physical);
    close(fd);
    return at == MAP_FAILED ? NULL : at;
}

static bool is_v3d(const struct vcio *v, struct error *e)
{
    uint32_t is = vc4_registers_get(v->v3d, VC4_REGISTER_IDENT0);
    return is == VC4_REGISTER_IDENT0_VALUE ||
           error_set(e,
                     "the V3D's register IDENT0 reads %08lX, not %08lX: the V3D has no power, or this is "
                     "another GPU",
                     (unsigned long)is, (unsigned long)VC4_REGISTER_IDENT0_VALUE);
}

static bool map_all(struct vcio *v, struct error *e)
{
    v->memory = map(v->bus & BUS_TO_PHYSICAL, v->bytes);
    if (!v->memory)
        return error_set(e, "cannot map the GPU's memory through /dev/mem (%s)%s", strerror(errno),
                         errno == EPERM || errno == EACCES
                             ? "; it needs root, and a kernel that is not locked down"
                             : "");
    uint32_t base = peripherals();
    v->v3d = base ? map(base + PERIPHERALS_TO_V3D, VC4_REGISTERS_BYTES) : NULL;
    if (!v->by_registers)
        return true;
    if (!v->v3d)
        return error_set(e, "cannot map the V3D's registers through /dev/mem; add iomem=relaxed to "
                            "cmdline.txt, or use board mailbox");
    return is_v3d(v, e);
}

bool vcio_open(struct vcio *v, size_t bytes, bool by_registers, struct error *e)
{
    const struct chip *chip;
    *v = (struct vcio){.fd = -1, .bytes = bytes, .by_registers = by_registers};
    if (check_system(&chip, e) && take_device(v, e)) {
        v->enabled = switch_on(v, "the firmware does not enable the QPUs",
                               "; is gpu_mem in config.txt more than 16?", e);
        if (v->enabled && take_memory(v, chip->flags, e) && map_all(v, e))
            return true;
    }
    vcio_close(v);
    return error_of_machine(e);
}

static void free_memory(struct vcio *v)
{
    uint32_t value = v->handle;
    if (v->bus)
        (void)ask(v, TAG_UNLOCK, &value, 1);
    value = v->handle;
    if (v->handle)
        (void)ask(v, TAG_RELEASE, &value, 1);
}

void vcio_close(struct vcio *v)
{
    if (v->memory)
        munmap((void *)(uintptr_t)v->memory, v->bytes);
    if (v->v3d)
        munmap((void *)(uintptr_t)v->v3d, VC4_REGISTERS_BYTES);
    if (!v->enabled || switch_off(v))
        free_memory(v);
    else if (v->handle)
        (void)fprintf(
            stderr,
            "misprint: programs may still run on the V3D and write memory, so its %zu KB of GPU memory "
            "stay taken until the board is rebooted\n",
            v->bytes / 1024);
    if (v->fd >= 0)
        close(v->fd);
    if (v->taken)
        atomic_store(&taken, false);
    *v = (struct vcio){.fd = -1};
}

void vcio_ask(struct vcio *v, struct vcio_facts *f)
{
    memset(f, 0, sizeof *f);
    (void)device_tree_read("model", f->model, sizeof f->model);
    (void)ask(v, TAG_REVISION, &f->revision, 1);
    (void)ask(v, TAG_FIRMWARE, &f->firmware, 1);
    for (unsigned i = 0; v->v3d && i < 3; i++)
        f->ident[i] = vc4_registers_get(v->v3d, (enum vc4_register)(VC4_REGISTER_IDENT0 + 4 * i));
}

void vcio_ask_state(struct vcio *v, struct vcio_state *s)
{
    uint32_t clock[2] = {CLOCK_V3D, 0}, temperature[2] = {0, 0};
    *s = (struct vcio_state){0};
    (void)ask(v, TAG_THROTTLED, &s->throttled, 1);
    if (ask(v, TAG_CLOCK_MEASURED, clock, 2))
        s->clock_hz = clock[1];
    if (ask(v, TAG_TEMPERATURE, temperature, 2))
        s->millidegrees = temperature[1];
}

static enum vcio_result launch_by_registers(struct vcio *v, uint32_t table, unsigned count, struct error *e)
{
    char names[200];
    uint32_t before = vc4_registers_errors(v->v3d);
    if (!vc4_registers_launch(v->v3d, v->memory + (table - v->bus) / 4, count, VCIO_LAUNCH_MS))
        return VCIO_HUNG;
    uint32_t raised = vc4_registers_errors(v->v3d) & ~before;
    if (!raised)
        return VCIO_DONE;
    vc4_registers_name_errors(raised, names, sizeof names);
    error_set(e, "the V3D's register ERRSTAT shows errors %04lX after the launch: %s", (unsigned long)raised,
              names);
    return VCIO_HW_ERROR;
}

static enum vcio_result launch_by_firmware(struct vcio *v, uint32_t table, unsigned count, struct error *e)
{
    for (unsigned i = 0; i < count; i += VC4_REGISTERS_QUEUE) {
        uint32_t values[4] = {vc4_registers_some(count - i), table + 8 * i, 0 /* flush the caches first */,
                              VCIO_LAUNCH_MS};
        if (!ask(v, TAG_EXECUTE, values, 4)) {
            error_set(e, "the firmware does not answer (%s): reboot the board", strerror(errno));
            (void)error_of_machine(e);
            return VCIO_LOST;
        }
        if (values[0] != 0)
            return VCIO_HUNG;
    }
    return VCIO_DONE;
}

enum vcio_result vcio_launch(struct vcio *v, uint32_t table, unsigned count, struct error *e)
{
    static const enum vcio_runs left[] = {[VCIO_HUNG] = VCIO_RUNS_STILL, [VCIO_LOST] = VCIO_RUNS_FOR_EVER};
    bool was_reset = v->runs == VCIO_RUNS_PERHAPS || v->runs == VCIO_RUNS_FOR_EVER;
    enum vcio_result result =
        v->by_registers ? launch_by_registers(v, table, count, e) : launch_by_firmware(v, table, count, e);
    v->runs = result == VCIO_HUNG && was_reset ? VCIO_RUNS_FOR_EVER : left[result];
    return result;
}

/* Switches the V3D off and on. The firmware's answer "already off" counts as a failure, because then there
 * was no reset: another process keeps the power on, or the power was off before. */
static bool power_cycle(struct vcio *v, struct error *e)
{
    uint32_t answer;
    if (!set_state(v, false, &answer))
        return error_set(e, "the firmware does not switch the V3D off (%s): reboot the board",
                         strerror(errno));
    if (answer != 0)
        return error_set(e,
                         "the firmware does not switch the V3D off (it says %08lX; another program may use "
                         "the V3D): reboot the board",
                         (unsigned long)answer);
    if (!switch_on(v, "the V3D cannot be switched on again", ": reboot the board", e))
        return false;
    return !v->v3d || is_v3d(v, e) || error_where(e, "after it was switched off and on");
}

bool vcio_reset(struct vcio *v, struct error *e)
{
    bool good = power_cycle(v, e);
    v->runs = good && v->runs != VCIO_RUNS_FOR_EVER ? VCIO_RUNS_PERHAPS : VCIO_RUNS_FOR_EVER;
    return good || error_of_machine(e);
}
