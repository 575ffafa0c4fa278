/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for the Linux kernel's v3d driver with the GPU of a Raspberry Pi 4 or 5 behind it, to be
 * preloaded, for harness/v3d/v3d_device.c and libdrm. It has one render node and the device tree. The model's
 * machine executes the words of a compute job. Registers and flags hold garbage at its start, and the GPU
 * sees all buffers: there is one page table. Hardware always does something, so an instruction that breaks a
 * restriction of Mesa works as any other, unless the profile says what it does.
 *
 * The numbers of requests and the places of their arguments are those of include/uapi/drm/v3d_drm.h, computed
 * by hand.
 *
 * Environment:
 *   FAKE_V3D_CHIP      v3d42 (default), v3d71
 *   FAKE_V3D_PROFILE   the QPUs' profile (default: the chip's); an injected fault is "v3d42,CLAUSE=READING"
 *   FAKE_V3D_FAULT     no-device, no-right, other-driver, no-csd, other-chip, no-memory, stuck, in-use;
 *                      no-submit: the kernel has no memory for a job;
 *                      interrupted: each request is interrupted by a signal at first;
 *                      wrong-first: the first job after each wait computes a wrong sum;
 *                      lost-stamp=WORD: a job with this word (hexadecimal) among its uniforms ends without
 *                      its last stores;
 *                      hangs-on=WORD: a job with this word never ends, and the kernel resets the GPU;
 *                      never-recovers=WORD: the same, and later jobs do not end either;
 *                      innocent-reset: another program causes a reset during each tenth job, which runs
 * again; wild=WORD: a job with this word also writes behind its case's memory FAKE_V3D_COUNTS    0: this
 * kernel does not count resets
 */
#include "model/core/units.h"
#include "model/number/random.h"
#include "model/v3d/run/v3d_machine.h"
#include "tests/devices/preload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    MEMORY_AT = 0x10000000, /* address on the GPU */
    MEMORY_BYTES = 16 << 20,
    PAGE = 4096,
    BUFFERS_MAX = 8,
    CODE_MAX = 4096, /* instructions that a job can reach */
    LIMIT = 100000,
    UNIFORMS_SEARCHED = 68,
    OTHERS_EVERY = 10,
    SUM_ROW = 4, /* of the output: after two flags and two registers of the launch */
};
static const char node[] = "/dev/dri/renderD128";

struct buffer {
    uint32_t bytes, at; /* offset in all memory; `bytes` 0: the handle is free */
};

static int node_fd = -1, memory_file = -1;
static uint8_t *memory;
static uint32_t used;
static struct buffer buffers[BUFFERS_MAX]; /* the index is the handle; handle 0 names no buffer */
static uint64_t resets, own_resets, jobs;
static bool dead, slow, first = true; /* first: no job since the last wait */
static enum v3d_generation chip;
static struct profile profile;
static struct coverage coverage;
static struct random noise;
static struct v3d_machine machine;
static struct v3d_insn program[CODE_MAX];
static struct v3d_breach breach[CODE_MAX];
static uint32_t before[MEMORY_BYTES / 4];
static uint64_t touched[MEMORY_BYTES / 64 / 64];

static const char *fault(const char *kind)
{
    return preload_fault("FAKE_V3D_FAULT", kind);
}

static bool counts_resets(void)
{
    return strcmp(preload_setting("FAKE_V3D_COUNTS", "1"), "0") != 0;
}

/* ---- files ---- */

static int open_node(void)
{
    struct error e = {0};
    if (fault("no-device") || fault("no-right")) {
        errno = fault("no-device") ? ENOENT : EACCES;
        return -1;
    }
    const char *name = preload_setting("FAKE_V3D_CHIP", "v3d42");
    chip = strcmp(name, "v3d71") ? V3D_42 : V3D_71;
    if (!profile_resolve(unit_named("v3d-qpu"), preload_setting("FAKE_V3D_PROFILE", name), &profile, &e)) {
        (void)fprintf(stderr, "fake_v3d_drm: %s\n", e.text);
        exit(3);
    }
    for (unsigned n = V3D_CLAUSES; n < V3D_CLAUSES + V3D_RESTRICTION_CLAUSES; n++)
        if (profile.reading[n] == READING_MANUAL)
            profile.reading[n] = READING_MANUAL + 1;
    random_seed(&noise, 1);
    memory_file = preload_file("", 0);
    if (ftruncate(memory_file, MEMORY_BYTES) != 0)
        abort();
    memory = preload_map(MEMORY_BYTES, memory_file, 0);
    used = 0;
    memset(buffers, 0, sizeof buffers);
    node_fd = preload_file("", 0);
    if (fault("in-use"))
        preload_lock(node_fd);
    return node_fd;
}

int fake_open(const char *path)
{
    static const char nodes[] = "/dev/dri/renderD";
    static const char *const models[] = {"Fake Raspberry Pi 4 (a model, no silicon)",
                                         "Fake Raspberry Pi 5 (a model, no silicon)"};
    if (!strcmp(path, node))
        return open_node();
    if (!strncmp(path, nodes, sizeof nodes - 1)) {
        errno = ENOENT;
        return -1;
    }
    if (!strcmp(path, "/sys/class/thermal/thermal_zone0/temp"))
        return preload_file("47774\n", 6);
    return strcmp(path, "/proc/device-tree/model") != 0
               ? PRELOAD_NOT_OURS
               : preload_file(models[chip == V3D_71], strlen(models[0]) + 1);
}

bool fake_map(int fd, size_t length, uint64_t offset, void **result)
{
    if (fd != node_fd)
        return false;
    *result = MAP_FAILED;
    errno = EINVAL;
    for (unsigned h = 1; h < BUFFERS_MAX; h++)
        if (buffers[h].bytes && buffers[h].at == offset && length <= buffers[h].bytes)
            *result = preload_map(length, memory_file, offset);
    return true;
}

/* ---- arguments ---- */

static uint32_t word(const void *argument, unsigned offset)
{
    uint32_t w;
    memcpy(&w, (const uint8_t *)argument + offset, sizeof w);
    return w;
}

static uint64_t two_words(const void *argument, unsigned offset)
{
    return word(argument, offset) | (uint64_t)word(argument, offset + 4) << 32;
}

static void answer(void *argument, unsigned offset, uint64_t value, unsigned bytes)
{
    memcpy((uint8_t *)argument + offset, &value, bytes); /* little-endian hosts only, as the Raspberry Pi */
}

static const struct buffer *buffer_of(uint32_t handle)
{
    return handle && handle < BUFFERS_MAX && buffers[handle].bytes ? &buffers[handle] : NULL;
}

/* ---- buffers ---- */

static int create_buffer(void *argument)
{
    uint32_t bytes = (word(argument, 0) + PAGE - 1) / PAGE * PAGE;
    if (word(argument, 4))
        return EINVAL;
    if (fault("no-memory") || bytes > MEMORY_BYTES - used)
        return ENOMEM;
    for (unsigned h = 1; h < BUFFERS_MAX; h++)
        if (!buffers[h].bytes) {
            buffers[h] = (struct buffer){bytes, used};
            answer(argument, 8, h, 4);
            answer(argument, 12, MEMORY_AT + used, 4);
            used += bytes;
            return 0;
        }
    return ENOMEM;
}

static int tell_map(void *argument)
{
    const struct buffer *b = buffer_of(word(argument, 0));
    if (!b || word(argument, 4))
        return EINVAL;
    answer(argument, 8, b->at, 8);
    return 0;
}

static int tell_address(void *argument)
{
    const struct buffer *b = buffer_of(word(argument, 0));
    if (!b)
        return ENOENT;
    answer(argument, 4, MEMORY_AT + b->at, 4);
    return 0;
}

static int close_buffer(void *argument)
{
    if (!buffer_of(word(argument, 0)))
        return EINVAL;
    buffers[word(argument, 0)].bytes = 0;
    return 0;
}

/* ---- jobs ---- */

static bool has_word(uint32_t uniforms, const char *text)
{
    uint32_t wanted = text ? (uint32_t)strtoul(text, NULL, 16) : 0;
    for (unsigned n = 0; text && n < UNIFORMS_SEARCHED; n++)
        if (word(memory, uniforms - MEMORY_AT + 4 * n) == wanted)
            return true;
    return false;
}

/* Decodes what follows the program in memory, too. */
static void decode_program(uint32_t at, bool single)
{
    uint32_t left = (MEMORY_AT + used - at) / 8;
    machine.program_count = left < CODE_MAX ? left : CODE_MAX;
    for (uint32_t n = 0; n < machine.program_count; n++)
        v3d_decode(chip, two_words(memory, at - MEMORY_AT + 8 * n), &program[n]);
    machine.breaches = v3d_check(chip, program, machine.program_count, single, breach, CODE_MAX);
    machine.breaches = machine.breaches < CODE_MAX ? machine.breaches : CODE_MAX;
    machine.breach = breach;
}

static void spoil_registers(void)
{
    for (unsigned i = 0; i < V3D_LANES; i++) {
        for (unsigned n = 0; n < V3D_REGISTERS; n++)
            machine.rf[n].value.lane[i] = random_u32(&noise);
        for (unsigned n = 0; n < V3D_ACCUMULATORS; n++)
            machine.acc[n].value.lane[i] = random_u32(&noise);
    }
    machine.flag_a = (uint16_t)random_u32(&noise);
    machine.flag_b = (uint16_t)random_u32(&noise);
}

static enum v3d_stop run_job(const uint32_t config[V3D_CONFIG_WORDS])
{
    machine.generation = chip;
    v3d_follow(&machine, &profile, &coverage);
    machine.program = program;
    machine.code_base = config[5] & ~7U;
    machine.limit = LIMIT;
    machine.filler = 0xA5A5A5A5;
    machine.ranges = 1;
    machine.range[0] = (struct v3d_range){.base = MEMORY_AT,
                                          .bytes = used,
                                          .word = (uint32_t *)(void *)memory,
                                          .before = before,
                                          .touched = touched};
    memset(touched, 0, sizeof touched); /* the kernel clears the caches before each job */
    decode_program(machine.code_base, config[5] >> 1 & 1);
    spoil_registers();
    return v3d_launch(&machine, config);
}

/* The kernel resets the GPU after 500 ms, and says so. */
static void hang(bool for_ever)
{
    (void)fprintf(stderr, "fake_v3d_drm: Resetting GPU for hang.\n");
    dead = for_ever;
    resets++;
    own_resets++;
    slow = true;
}

/* What a job of this kernel does wrong. `rows` is the memory around its input. */
static void spoil_job(const uint32_t *config)
{
    uint32_t input = word(memory, config[6] - MEMORY_AT + 8), window = (input & ~0xFFFFU) | 0x1000;
    uint8_t *output = memory + (input - MEMORY_AT) + 0x2000;
    if (fault("wrong-first") && first)
        output[64 * SUM_ROW] ^= 1;
    first = false;
    if (has_word(config[6], fault("lost-stamp")))
        memset(output, 0x7B, 0x2000);
    if (has_word(config[6], fault("wild")))
        memory[window - MEMORY_AT + 0x4000] ^= 1;
}

static int submit(void *argument)
{
    uint32_t config[V3D_CONFIG_WORDS];
    const uint32_t *handles = (const uint32_t *)(uintptr_t)two_words(argument, 48);
    memcpy(config, argument, sizeof config);
    if (!word(argument, 56) || word(argument, 80) || two_words(argument, 72))
        return EINVAL;
    for (unsigned n = 0; n < word(argument, 56); n++)
        if (!buffer_of(handles[n]))
            return ENOENT;
    if (fault("no-submit"))
        return ENOMEM;
    jobs++;
    if (dead || has_word(config[6], fault("hangs-on")) || has_word(config[6], fault("never-recovers"))) {
        hang(dead || fault("never-recovers"));
        return 0;
    }
    if (fault("innocent-reset") && jobs % OTHERS_EVERY == 0)
        resets++;
    enum v3d_stop stop = run_job(config);
    if (stop) {
        (void)fprintf(stderr, "fake_v3d_drm: a job stopped: %s\n", v3d_reasons[stop]);
        if (v3d_stop_is_hang(stop))
            hang(false);
        return 0;
    }
    spoil_job(config);
    return 0;
}

static int wait_for(void *argument)
{
    const struct timespec hung = {.tv_nsec = 500000000};
    if (!buffer_of(word(argument, 0)) || word(argument, 4))
        return EINVAL;
    if (fault("stuck"))
        return ETIME;
    if (slow && !counts_resets()) /* without counters only the time tells */
        (void)nanosleep(&hung, NULL);
    slow = false;
    first = true;
    return 0;
}

static int tell_parameter(void *argument)
{
    static const uint32_t idents[2][3] = {{0x04443356, 0x81001422, 0x00000E00},
                                          {0x07443356, 0x81001431, 0x00000700}};
    const uint32_t *ident = idents[chip == V3D_71];
    uint32_t parameter = word(argument, 0);
    uint64_t value = 0;
    if (word(argument, 4))
        return EINVAL;
    if (parameter == 4 || parameter == 5)
        value = ident[parameter - 4] - (fault("other-chip") && parameter == 4 ? 0x01000000U : 0);
    else if (parameter == 3)
        value = ident[2];
    else if (parameter == 8)
        value = !fault("no-csd");
    else if (counts_resets() && (parameter == 15 || parameter == 16))
        value = parameter == 15 ? resets : own_resets;
    else
        return EINVAL;
    answer(argument, 8, value, 8);
    return 0;
}

/* ---- all requests ---- */

/* struct drm_version, whose size depends on that of pointers */
struct version {
    int number[3];
    struct {
        size_t length;
        char *text;
    } field[3]; /* name, date, description */
};

static int tell_version(void *argument)
{
    static const char *const text[] = {"v3d", "20180419", "Broadcom V3D graphics"};
    struct version *v = argument;
    v->number[0] = 1;
    v->number[1] = v->number[2] = 0;
    for (unsigned i = 0; i < 3; i++) {
        const char *is = i == 0 && fault("other-driver") ? "vc4" : text[i];
        size_t full = strlen(is);
        if (v->field[i].text)
            memcpy(v->field[i].text, is, full < v->field[i].length ? full : v->field[i].length);
        v->field[i].length = full;
    }
    return 0;
}

bool fake_ioctl(int fd, unsigned long request, void *argument, int *result)
{
    static const struct {
        uint32_t request;
        int (*answer)(void *argument);
    } requests[] = {
        {(uint32_t)_IOWR('d', 0, struct version), tell_version},
        {0x40086409, close_buffer},
        {0xc0106441, wait_for},
        {0xc0106442, create_buffer},
        {0xc0106443, tell_map},
        {0xc0106444, tell_parameter},
        {0xc0086445, tell_address},
        {0x40586447, submit},
    };
    static bool interrupted;
    if (fd != node_fd)
        return false;
    errno = EINVAL;
    interrupted = fault("interrupted") && !interrupted;
    for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++)
        if (requests[i].request == (uint32_t)request)
            errno = interrupted ? EINTR : requests[i].answer(argument);
    *result = errno ? -1 : 0;
    return true;
}
