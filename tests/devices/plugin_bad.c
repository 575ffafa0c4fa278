/* SPDX-License-Identifier: MIT */
/*
 * A board for tests, in which single cases of vc4-vpm go wrong. The case's first word, `stale`, chooses how:
 * BAD00000 plus a number below. Any other case writes `stale` with inverted bits into row 0. The library says
 * that it runs cases together, or if it is compiled with BAD_ONE_BY_ONE, one after the other.
 */
#include "tests/devices/plugin_bad.h"
#include "harness/protocol/board_plugin.h"

#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t unit_words; /* of an outcome */

/* Opens what only one process can have at a time. The memory makes the end of this one slow: the kernel frees
 * it before it closes the file. */
static bool open_alone(const char *file, struct misprint_about *about)
{
    enum { SLOW = 32 << 20 };
    void *memory = mmap(NULL, SLOW, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (memory != MAP_FAILED && madvise(memory, SLOW, MADV_NOHUGEPAGE) == 0)
        memset(memory, 1, SLOW);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    snprintf(about->error, sizeof about->error, "another process has the device");
    return false;
}

/* Notes in a file that the library was opened. */
static void count_opening(const char *file)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, "o", 1) != 1)
        abort();
    close(fd);
}

/* What a good case depends on: each part is 0 when the library has been opened. */
static volatile uint32_t in_bss, in_data[2] = {0, 1};
static __thread volatile uint32_t in_thread;
static volatile uint32_t *in_heap;
static int rounding; /* a mode of the processor that `open` may set */

static uint32_t damage(void)
{
    free(malloc(24)); /* crashes if the heap is damaged */
    return in_bss + in_data[0] + (in_data[1] - 1) + in_thread + *in_heap +
           (uint32_t)(fegetround() - rounding);
}

/* Changes all of them, and the bookkeeping of the heap. AddressSanitizer would see that, and end the process
 * in its own way. */
__attribute__((no_sanitize("address"))) static void change_state(void)
{
    in_bss = in_data[0] = in_thread = *in_heap = 1;
    fesetround(FE_TOWARDZERO);
    for (unsigned i = 0; i < 1024; i++)
        in_heap[i] = 0xA5A5A5A5;
    in_heap = NULL;
    abort();
}

static void *change_for_ever(void *unused)
{
    (void)unused;
    for (;;)
        in_bss++;
    return NULL;
}

static void crash_with_thread(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, change_for_ever, NULL) == 0)
        while (!in_bss)
            ;
    abort();
}

static void crash_with_growth(void)
{
    enum { BYTES = 24 << 20 };
    void *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED)
        memset(memory, 1, BYTES);
    abort();
}

static void *bad_open(const struct misprint_unit *unit, struct misprint_about *about)
{
    unit_words = (size_t)unit->rows * unit->row_words;
    if (strcmp(unit->name, "vc4-vpm") != 0) {
        snprintf(about->error, sizeof about->error, "only vc4-vpm");
        return NULL;
    }
    if (!strcmp(about->options, "crash"))
        abort();
    in_heap = calloc(1, sizeof *in_heap);
    if (!strncmp(about->options, "count=", 6)) {
        count_opening(about->options + 6);
        fesetround(FE_UPWARD);
    }
    rounding = fegetround();
    if (!strcmp(about->options, "slow"))
        usleep(200000);
    if (!strcmp(about->options, "long"))
        memset(about->description, 'x', sizeof about->description + sizeof about->provenance);
    if (!strncmp(about->options, "alone=", 6) && !open_alone(about->options + 6, about))
        return NULL;
    return about->options[0] ? (void *)about->provenance : (void *)about->description; /* any pointer */
}

static void bad_close(void *board)
{
    (void)board;
    free((void *)(uintptr_t)in_heap);
    in_heap = NULL;
}

/* Writes over everything nearby that can be written, and then over the case, which cannot. */
static void write_wildly(uint32_t *value, struct misprint_outcome *m, const uint32_t *words)
{
    memset(value, 0xA5, 65536);
    memset(m, 0xA5, sizeof *m);
    *(volatile uint32_t *)(uintptr_t)words = 1;
}

static void flood(void)
{
    static const char garbage[64] = "garbage";
    for (unsigned i = 0; i < 100000; i++)
        if (send(3, garbage, 1 + i % sizeof garbage, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
            usleep(1000);
}

/* Touches the same rows of each 64. There are 1024; Misprint ignores those that the unit lacks. */
static void touch(struct misprint_outcome *m, uint64_t rows)
{
    for (unsigned i = 0; i < MISPRINT_ROWS_MAX / 64; i++)
        m->touched[i] = rows;
    m->flags |= MISPRINT_HAS_UNKNOWN;
    m->end = MISPRINT_DONE;
}

/* Answers a case as a good one, and writes words behind an array. */
static void write_past(struct misprint_outcome *m, uint32_t *array, unsigned words)
{
    for (unsigned n = 0; n < words; n++)
        array[unit_words + n] = 0xA5A5A5A5;
    m->end = MISPRINT_DONE;
}

static unsigned fall(volatile unsigned depth)
{
    volatile char room[256] = {0};
    return depth == UINT_MAX ? 0 : fall(depth + 1) + (unsigned)room[depth % sizeof room];
}

static sigjmp_buf back;

static void jump_back(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* A library may begin to catch a signal when it is loaded. */
__attribute__((constructor)) static void catch_one_signal(void)
{
    struct sigaction own = {.sa_handler = jump_back};
    sigaction(SIGBUS, &own, NULL);
}

static void catch_crash(struct misprint_outcome *m)
{
    if (sigsetjmp(back, 1) == 0)
        raise(SIGBUS);
    else
        m->end = MISPRINT_DONE;
}

static void crash_forked(struct misprint_outcome *m)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        abort();
    if (waitpid(pid, &status, 0) == pid && WIFSIGNALED(status))
        m->end = MISPRINT_DONE;
}

/* Answers wrongly, and goes on. */
static void lie(enum bad_way how, struct misprint_outcome *m)
{
    switch (how) {
    case BAD_END:
        m->end = 77;
        break;
    case BAD_REFUSAL: /* a reason without an end */
        memset(m->message, 0xFF, sizeof m->message);
        m->end = MISPRINT_REFUSED;
        break;
    case BAD_SIZES:
        memset(m->touched, 0xFF, sizeof m->touched);
        m->flags = m->reason = UINT32_MAX;
        m->value = m->unknown = NULL;
        m->end = MISPRINT_DONE;
        break;
    case BAD_MEMORY:
        touch(m, UINT64_C(0xFFFFFFFF00000000));
        memset(m->unknown, 0xFF, unit_words * sizeof *m->unknown);
        break;
    case BAD_ONE_WORD:
        touch(m, UINT64_MAX);
        m->unknown[3] = UINT32_MAX;
        break;
    case BAD_PAST:
        write_past(m, m->value, 1);
        break;
    case BAD_FAR_PAST:
        write_past(m, m->value, 300);
        break;
    case BAD_PAST_UNKNOWN:
        write_past(m, m->unknown, 1);
        break;
    case BAD_BEYOND:
        memset(m->touched, 0xFF, sizeof m->touched);
        m->end = MISPRINT_REFUSED;
        break;
    default: /* BAD_SILENT does nothing */
        break;
    }
}

static volatile uint32_t *volatile nowhere = (volatile uint32_t *)(uintptr_t)64;

static void go_wrong(enum bad_way how, const uint32_t *words, struct misprint_outcome *m)
{
    switch (how) {
    case BAD_CRASH:
        raise(SIGSEGV);
        break;
    case BAD_DEEP:
        fall(0);
        break;
    case BAD_EARLY: /* sets its end before it crashes */
        m->end = MISPRINT_DONE;
        abort();
    case BAD_HANG:
        for (;;)
            pause();
    case BAD_WILD:
        write_wildly(m->value, m, words);
        break;
    case BAD_WRITE:
        *(volatile uint32_t *)(uintptr_t)words = 1;
        break;
    case BAD_NULL:
        *nowhere = 1;
        break;
    case BAD_EXIT:
        exit(7);
    case BAD_EXIT_WELL:
        exit(0);
    case BAD_CLOSED:
        close(3);
        break;
    case BAD_FLOOD:
        flood();
        break;
    case BAD_CAUGHT:
        catch_crash(m);
        break;
    case BAD_FORKED:
        crash_forked(m);
        break;
    case BAD_STATE:
        change_state();
        break;
    case BAD_THREAD:
        crash_with_thread();
        break;
    case BAD_GROWTH:
        crash_with_growth();
        break;
    case BAD_FILE:
        (void)open("/dev/null", O_RDONLY | O_CLOEXEC);
        abort();
    default:
        lie(how, m);
        break;
    }
}

static void bad_run(void *board, const void *const *cases, struct misprint_outcome *outcomes, uint32_t count)
{
    (void)board;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *words = cases[i];
        if (words[0] >> 8 == BAD_MARK >> 8) {
            go_wrong((enum bad_way)(words[0] & 0xFF), words, &outcomes[i]);
            continue;
        }
        for (unsigned n = 0; n < 16; n++)
            outcomes[i].value[n] = ~words[0] + damage();
        misprint_touch(&outcomes[i], 0);
        outcomes[i].end = MISPRINT_DONE;
    }
}

#ifdef BAD_ONE_BY_ONE
enum { FLAGS = MISPRINT_MARKS_ROWS | MISPRINT_ONE_BY_ONE };
#else
enum { FLAGS = MISPRINT_MARKS_ROWS };
#endif

MISPRINT_EXPORT const struct misprint_board misprint_board = {
    MISPRINT_BOARD_VERSION, FLAGS, "a board that goes wrong", "the tests", bad_open, bad_run, bad_close};
