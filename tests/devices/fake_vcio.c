/* SPDX-License-Identifier: MIT */
/*
 * A stand-in for a Raspberry Pi's kernel and firmware, to be preloaded, for harness/vc4/vcio.c: /dev/vcio,
 * /dev/mem and the device tree. The model's machine executes the launched programs. Like the firmware, this
 * stand-in does not know cases: it gets a table of addresses, and memory with QPU code.
 *
 * The harness starts programs by the firmware's tag. If the processor lets this library see accesses to
 * mapped registers, the harness can also start them by the V3D's registers.
 *
 * The stand-in is as strict as silicon. It ends the process at a message or a register access that would be
 * wrong on a Raspberry Pi, and at a function of the C library that works on the GPU's memory.
 *
 * Environment:
 *   FAKE_VCIO_PROFILE   the QPUs' profile (default bcm2835); an injected fault is "bcm2835,CLAUSE=READING"
 *   FAKE_VCIO_SYSTEM    the board: pi (a Raspberry Pi 3, default), pi1, kms, moved, pi4, none
 *   FAKE_VCIO_FAULT     no-device, no-right, in-use, no-memory, no-enable;
 *                       dies-after=N: after N launches the firmware does not answer;
 *                       hangs-on=WORD: a program with this word (hexadecimal) as an immediate never ends;
 *                       never-recovers=WORD: such a program never ends, and neither do later programs;
 *                       stays-on=WORD: such a program never ends, and the V3D cannot be switched off;
 *                       no-power=WORD: such a program never ends, and afterwards the V3D's registers say
 *                       that it has no power;
 *                       errstat-on=WORD: such a program ends, and sets a bit of ERRSTAT;
 *                       stalls: right after it first reads the queue of a launch, this process is stopped
 *                       for longer than a launch may take
 *   FAKE_VCIO_NODE      a file that serves several processes as /dev/vcio; default: each has its own
 *   FAKE_VCIO_LOG       a file or FIFO that gets requests to the firmware, one word a line, and "launch
 *                       PROCESS" when the first program starts
 *   FAKE_VCIO_GATE      a FIFO: the first launch does not end before a byte is written to it
 *   FAKE_VCIO_TIME      a file that gets, after each launch, the nanoseconds spent executing programs
 */
#include "harness/vc4/vc4_registers.h"
#include "model/core/unit.h"
#include "model/vc4/machine.h"
#include "tests/devices/preload.h"
#include "tests/devices/preload_bulk.h"
#include "tests/devices/vcio_system.h"
#include "tests/model/vc4/qpu/support_registers.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    MEMORY_AT = 0x0C000000, /* physical address */
    V3D_IN_PERIPHERALS = 0xC00000,
    PAGE = 4096,
    HANDLE = 7,
    QPUS = 12,
    LIMIT = 1000000,
    /* The most programs in one "execute QPU" request (see VC4_REGISTERS_QUEUE). No document says what the
     * firmware does with more. */
    EXECUTE_MAX = 12,
    KERNEL_WAITS_MS = 1000, /* for the firmware: HZ in drivers/firmware/raspberrypi.c of raspberrypi/linux */
    STALL_MS = 800,
    VCD_IDLE = 1 << 12, /* a bit of ERRSTAT that is no error; the next one is an error */
    VPM_WRITE_RANGE = 1 << 4,
};

static int vcio_fd = -1, mem_fd = -1, memory_file = -1;
static uint8_t *memory; /* this library's own mapping of the allocated memory */
static uint32_t bytes;
static bool locked, enabled, has_hung, has_erred;
static unsigned launches;
static int log_file = -1, gate = -1;

static const char *setting(const char *name, const char *otherwise)
{
    return preload_setting(name, otherwise);
}

static const char *fault(const char *kind)
{
    return preload_fault("FAKE_VCIO_FAULT", kind);
}

static uint32_t bus_address(void)
{
    return vcio_system()->alias << 30 | MEMORY_AT;
}

static void complain(const char *what)
{
    (void)fprintf(stderr, "fake_vcio: %s\n", what);
}

/* Ends the process at a message or access that must never reach a Raspberry Pi. */
_Noreturn static void give_up(const char *what)
{
    complain(what);
    _exit(70); /* an exit status that the command never has */
}

/* Opens the log and the gate at the start, because the process may drop its rights later. Opens them for
 * reading and writing, because then opening a FIFO does not wait for its other end. */
__attribute__((constructor)) static void open_signs(void)
{
    const char *log_path = getenv("FAKE_VCIO_LOG"), *gate_path = getenv("FAKE_VCIO_GATE");
    log_file = log_path ? open(log_path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600) : -1;
    gate = gate_path ? open(gate_path, O_RDWR | O_CLOEXEC) : -1;
    if ((log_path && log_file < 0) || (gate_path && gate < 0))
        abort();
}

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (log_file >= 0 && (vdprintf(log_file, format, values) < 0 || write(log_file, "\n", 1) != 1))
        abort();
    va_end(values);
}

/* Waits for a byte. As in the kernel, no signal ends the wait. */
static void wait_at_gate(void)
{
    char byte;
    while (gate >= 0 && read(gate, &byte, 1) < 0 && errno == EINTR)
        ;
    gate = -1;
}

/* ---- files ---- */

int fake_open(const char *path)
{
    static const char tree[] = "/proc/device-tree/";
    if (!strncmp(path, tree, sizeof tree - 1))
        return vcio_system_open(path + sizeof tree - 1);
    if (!strcmp(path, "/dev/vcio")) {
        if (fault("no-device") || fault("no-right")) {
            errno = fault("no-device") ? ENOENT : EACCES;
            return -1;
        }
        const char *node = getenv("FAKE_VCIO_NODE");
        vcio_fd = node ? open(node, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : preload_file("", 0);
        if (fault("in-use"))
            preload_lock(vcio_fd);
        return vcio_fd;
    }
    if (!strcmp(path, "/dev/mem"))
        return mem_fd = preload_file("", 0);
    return PRELOAD_NOT_OURS;
}

static uint32_t read_v3d(uint32_t offset);
static void write_v3d(uint32_t offset, uint32_t value);

/* Maps the V3D's registers. If the processor does not let us see accesses, only registers with constant
 * values can be read. */
static void *map_v3d(size_t length)
{
    static const struct registers device = {read_v3d, write_v3d};
    uint32_t *v3d = registers_map(&device, length);
    if (v3d)
        return v3d;
    v3d = mmap64(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    v3d[VC4_REGISTER_IDENT0 / 4] = read_v3d(VC4_REGISTER_IDENT0);
    v3d[VC4_REGISTER_IDENT1 / 4] = read_v3d(VC4_REGISTER_IDENT1);
    return v3d;
}

static void *map_ours(size_t length, uint64_t offset)
{
    if (offset == (uint64_t)vcio_system()->peripherals + V3D_IN_PERIPHERALS)
        return map_v3d(length);
    if (offset < MEMORY_AT || offset + length > (uint64_t)MEMORY_AT + bytes || !locked) {
        errno = EPERM;
        return MAP_FAILED;
    }
    void *at = preload_map(length, memory_file, offset - MEMORY_AT);
    preload_bulk_keep_off(at, length);
    return at;
}

bool fake_map(int fd, size_t length, uint64_t offset, void **result)
{
    if (fd != mem_fd)
        return false;
    mem_fd = -1; /* the harness closes it next */
    *result = map_ours(length, offset);
    return true;
}

/* ---- the QPUs ---- */

static struct profile profile;
static struct coverage coverage;
static struct machine *machine;
static struct vc4_vector vpm_rows[VC4_VPM_ROWS];
static uint64_t nanoseconds;

static void make_machine(void)
{
    struct error e = {0};
    size_t size = (machine_bytes(QPUS, 0) + 63) / 64 * 64;
    void *at = aligned_alloc(64, size);
    if (!at ||
        !profile_resolve(unit_named("vc4-qpu"), setting("FAKE_VCIO_PROFILE", "bcm2835"), &profile, &e)) {
        (void)fprintf(stderr, "fake_vcio: %s\n", e.text);
        abort();
    }
    memset(at, 0, size);
    machine = machine_in(at, QPUS, 0);
}

static uint32_t word_at(uint32_t bus)
{
    uint32_t word;
    if (bus - bus_address() > bytes - 4)
        abort(); /* on a board the firmware would read whatever is at this address */
    memcpy(&word, memory + (bus - bus_address()), sizeof word);
    return word;
}

/* Returns the largest possible number of instructions from `code` on. */
static uint32_t program_length(uint32_t code)
{
    uint32_t room = (bytes - (code - bus_address())) / 8;
    return room < QPU_PROGRAM_MAX ? room : QPU_PROGRAM_MAX;
}

static const char *word_that_hangs(void)
{
    static const char *const kinds[] = {"hangs-on", "never-recovers", "stays-on", "no-power"};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (fault(kinds[i]))
            return fault(kinds[i]);
    return NULL;
}

/* Does the program have this word (hexadecimal text; NULL: none) as an immediate? */
static bool has_word(uint32_t code, uint32_t count, const char *word)
{
    uint32_t wanted = word ? (uint32_t)strtoul(word, NULL, 16) : 0;
    for (uint32_t i = 0; word && i < count; i++) {
        if (word_at(code + 8 * i) == wanted)
            return true;
        if (word_at(code + 8 * i + 4) >> 28 == QPU_SIG_END)
            break;
    }
    return false;
}

static bool never_ends(uint32_t code, uint32_t count)
{
    bool dead = has_hung && fault("never-recovers");
    has_hung = has_hung || has_word(code, count, word_that_hangs());
    return dead || has_word(code, count, word_that_hangs());
}

/* A program to run and its uniforms, by bus address. */
struct request {
    uint32_t uniforms, code;
};

/* Counts of programs that ended, and of those that raised the host's interrupt. */
struct ends {
    unsigned ended, interrupts;
};

/* Runs up to QPUS programs at once. A program that never ends prevents those after it from starting. */
static struct ends run_some(const struct request *request, unsigned count)
{
    struct machine_start start[QPUS];
    bool good = true;
    unsigned runs = 0;
    for (unsigned i = 0; i < count && good; i++) {
        uint32_t code = request[i].code;
        start[runs] =
            (struct machine_start){.program =
                                       (const uint32_t *)(const void *)(memory + (code - bus_address())),
                                   .count = program_length(code),
                                   .code_base = code,
                                   .uniforms = {.in_memory = true, .address = request[i].uniforms},
                                   .number = i};
        good = !never_ends(code, start[runs].count);
        has_erred = has_erred || has_word(code, start[runs].count, fault("errstat-on"));
        runs += good;
    }
    struct machine_setup setup = {
        .env = {.profile = &profile,
                .coverage = &coverage,
                .memory_base = bus_address(),
                .memory = {.value = (struct vc4_vector *)(void *)memory,
                           .rows = bytes / sizeof(struct vc4_vector)}},
        .vpm = {.value = vpm_rows, .rows = VC4_VPM_ROWS},
        .qpus = runs,
        .start = start,
        .limit = LIMIT,
        .seed = launches,
    };
    struct ends ends = {0, 0};
    if (!runs)
        return ends;
    machine_prepare(machine, &setup);
    enum vc4_stop stop = machine_run(machine);
    if (stop) {
        struct text t = {0};
        machine_explain(machine, &t);
        (void)fprintf(stderr, "fake_vcio: %s\n%s", vc4_reasons[stop], text_chars(&t));
        text_free(&t);
    }
    ends.ended = stop ? 0 : runs;
    for (unsigned i = 0; i < ends.ended; i++)
        ends.interrupts += machine->part[i]->qpu.interrupt_touched;
    return ends;
}

static void note_time(uint64_t from)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    nanoseconds += (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec - from;
    const char *path = getenv("FAKE_VCIO_TIME");
    FILE *f = path ? fopen(path, "w") : NULL;
    if (f) {
        (void)fprintf(f, "%llu\n", (unsigned long long)nanoseconds);
        (void)fclose(f);
    }
}

static struct ends launch(const struct request *request, unsigned count)
{
    struct timespec t;
    if (!enabled)
        give_up("programs started while the QPUs are not enabled");
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    if (!machine)
        make_machine();
    if (!launches++)
        note("launch %ld", (long)getpid());
    wait_at_gate();
    struct ends ends = run_some(request, count);
    note_time((uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec);
    return ends;
}

/*
 * Runs a table of requests in memory, as the firmware does. Programs raise the host's interrupt as their last
 * action. The firmware waits for one interrupt for each program, and times out if one is missing.
 */
static bool execute(const uint32_t *values)
{
    struct request request[EXECUTE_MAX];
    uint32_t count = values[0], table = values[1];
    if (count > EXECUTE_MAX)
        give_up("more programs in one call than the firmware is known to accept");
    if (values[2])
        give_up("programs started without clearing the caches"); /* the flag "noflush" */
    if (values[3] >= KERNEL_WAITS_MS)
        give_up("a time limit longer than the kernel waits");
    for (uint32_t i = 0; i < count; i++)
        request[i] = (struct request){word_at(table + 8 * i), word_at(table + 8 * i + 4)};
    struct ends ends = launch(request, count);
    if (ends.interrupts != ends.ended)
        complain("a program ended without an interrupt, so the firmware times out");
    return ends.interrupts == count;
}

/* ---- the V3D's registers ---- */

static struct {
    struct request queue[QPUS];
    unsigned queued, requested, completed;
    uint32_t uniforms;
    bool overflow, l2_cleared, slices_cleared, vpm_for_users;
} v3d;

/* Starts the queued programs. A look at the queue calls this function, so that all programs of a batch run
 * together. */
static void start_queued(void)
{
    if (v3d.queued && !(v3d.l2_cleared && v3d.slices_cleared))
        give_up("programs started without clearing the caches");
    if (v3d.queued && !v3d.vpm_for_users)
        give_up("programs started without VPM for user programs");
    v3d.completed += v3d.queued ? launch(v3d.queue, v3d.queued).ended : 0;
    v3d.queued = 0;
}

static int64_t clock_ahead_ms; /* how long this process has been stopped */

static uint32_t queue_state(void)
{
    return (uint32_t)v3d.overflow << 7 | (v3d.requested & 0xFF) << 8 | (v3d.completed & 0xFF) << 16;
}

/* Returns the state of the queue. If the process stalls, the programs that this call starts show as ended
 * only at the next call. */
static uint32_t look_at_queue(void)
{
    bool stalls = v3d.queued && fault("stalls");
    uint32_t before = queue_state();
    start_queued();
    clock_ahead_ms += stalls ? STALL_MS : 0;
    return stalls ? before : queue_state();
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's names are reserved */
int clock_gettime(clockid_t which, struct timespec *t)
{
    static int (*next)(clockid_t which, struct timespec * t);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(which, t);
    if (which == CLOCK_MONOTONIC) {
        t->tv_sec += (time_t)(clock_ahead_ms / 1000);
        t->tv_nsec += (long)(clock_ahead_ms % 1000 * 1000000);
        t->tv_sec += t->tv_nsec / 1000000000;
        t->tv_nsec %= 1000000000;
    }
    return result;
}

static uint32_t read_v3d(uint32_t offset)
{
    switch (offset) {
    case VC4_REGISTER_IDENT0:
        return has_hung && fault("no-power") ? 0xDEADBEEF : VC4_REGISTER_IDENT0_VALUE;
    case VC4_REGISTER_ERRSTAT:
        return VCD_IDLE | (has_erred ? VPM_WRITE_RANGE : 0);
    case VC4_REGISTER_IDENT1:
        return 0xC1102431;
    case VC4_REGISTER_SRQCS:
        return look_at_queue();
    default:
        return 0;
    }
}

static void queue_program(uint32_t code)
{
    v3d.requested++;
    if (v3d.queued < QPUS)
        v3d.queue[v3d.queued++] = (struct request){v3d.uniforms, code};
    else
        v3d.overflow = true;
}

static void clear_counts(uint32_t bits)
{
    v3d.overflow &= !(bits & 1 << 7);
    v3d.requested = bits & 1 << 8 ? 0 : v3d.requested;
    v3d.completed = bits & 1 << 16 ? 0 : v3d.completed;
}

static void write_v3d(uint32_t offset, uint32_t value)
{
    switch (offset) {
    case VC4_REGISTER_L2CACTL:
        v3d.l2_cleared = value & 4;
        break;
    case VC4_REGISTER_SLCACTL:
        v3d.slices_cleared = value == UINT32_MAX;
        break;
    case VC4_REGISTER_VPMBASE:
        v3d.vpm_for_users = value == 16;
        break;
    case VC4_REGISTER_SRQUA:
        v3d.uniforms = value;
        break;
    case VC4_REGISTER_SRQPC:
        queue_program(value);
        break;
    case VC4_REGISTER_SRQCS:
        clear_counts(value);
        break;
    default:
        break;
    }
}

/* ---- the firmware ---- */

static void allocate(uint32_t *values)
{
    if (fault("no-memory") || memory) {
        values[0] = 0;
        return;
    }
    if (values[1] < PAGE)
        give_up("memory that is not aligned to a page cannot be mapped");
    if (values[2] != vcio_system()->flags)
        give_up("memory flags that are not coherent between ARM and QPUs on this board");
    bytes = values[0];
    memory_file = memfd_create("fake-gpu-memory", MFD_CLOEXEC);
    if (memory_file < 0 || ftruncate(memory_file, (off_t)bytes) != 0)
        abort();
    memory = preload_map(bytes, memory_file, 0);
    values[0] = HANDLE;
}

/* Switches the QPUs on or off. Off and on after a launch is a reset, which costs the cases of the launch. So
 * the function ends the process if there was no reason for the reset. */
static void enable(uint32_t *values)
{
    static bool off_for_nothing;
    bool on = values[0];
    if (on && off_for_nothing)
        give_up("the V3D is reset though nothing hung and no error showed");
    off_for_nothing = !on && launches && !has_hung && !has_erred;
    bool stays = !on && has_hung && fault("stays-on");
    values[0] = fault("no-enable") ? 0x80000001 : on == enabled || stays ? 0x80000000 : 0;
    enabled = on || stays;
    has_erred = has_erred && enabled;
}

/* Answers one tag. Returns false if this firmware does not know it. */
static bool answer(uint32_t tag, uint32_t *values)
{
    switch (tag) {
    case 0x00001:
        values[0] = 0x5EED;
        return true;
    case 0x10002:
        values[0] = 0xA02082;
        return true;
    case 0x30006:
        values[1] = 45000 + 1000 * (launches / 64); /* the temperature rises with use */
        return true;
    case 0x30047:
        values[1] = 300000000;
        return true;
    case 0x3000C:
        allocate(values);
        return true;
    case 0x3000D:
        locked = values[0] == HANDLE;
        values[0] = locked ? bus_address() : 0;
        return true;
    case 0x3000E:
    case 0x3000F:
        values[0] = 0;
        return true;
    case 0x30011:
        values[0] = execute(values) ? 0 : 0x80000000;
        return true;
    case 0x30012:
        enable(values);
        return true;
    }
    return false;
}

/* Logs requests about the V3D and its memory. */
static void note_request(uint32_t tag, uint32_t value)
{
    static const struct {
        uint32_t tag;
        const char *word;
    } words[] = {{0x3000C, "allocate"}, {0x3000D, "lock"}, {0x3000E, "unlock"}, {0x3000F, "release"}};
    if (tag == 0x30012)
        note("%s", value ? "enable" : "disable");
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].tag == tag)
            note("%s", words[i].word);
}

static int property(uint32_t *message)
{
    const char *dies = fault("dies-after");
    if (message[0] < 12 || message[0] % 4 || message[1] != 0) {
        errno = EINVAL;
        return -1;
    }
    note_request(message[2], message[5]);
    if (dies && launches >= strtoul(dies, NULL, 10)) {
        errno = ETIMEDOUT;
        return -1;
    }
    for (uint32_t at = 2; message[at] != 0 && at + 3 < message[0] / 4; at += 3 + message[at + 1] / 4)
        if (answer(message[at], message + at + 3))
            message[at + 2] |= 0x80000000;
    message[1] = 0x80000000;
    return 0;
}

bool fake_ioctl(int fd, unsigned long request, void *argument, int *result)
{
    if (fd != vcio_fd)
        return false;
    *result = -1;
    errno = ENOTTY;
    if (request == _IOWR(100, 0, char *))
        *result = property(argument);
    return true;
}
