/* SPDX-License-Identifier: MIT */
/*
 * The agent takes any bytes from a host, after a HELLO of version 1 or 2: it runs valid cases, and ends with
 * an error at the first bytes that break the protocol. It sends only frames, first HELLO, and at most one
 * answer for each case that it ran.
 *
 * The first byte chooses: bit 0 corrects the checksums first, bit 1 is version 2, the rest is the unit.
 */
#include "fuzz/targets/target.h"

#include "harness/protocol/agent.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned ran;

static bool open_nothing(void *context, const struct unit *u, struct protocol_hello *who, struct error *e)
{
    (void)context, (void)u, (void)e;
    who->in_flight = 4;
    return true;
}

/* Answers that each case changed nothing, and refuses every third one. */
static bool run_nothing(void *context, const struct test_case *const *list, unsigned count,
                        struct outcome *const *outcomes, char (*reason)[256], struct error *e)
{
    (void)context, (void)e;
    for (unsigned i = 0; i < count; i++, ran++) {
        outcome_reset(outcomes[i], list[i]);
        if (ran % 3 == 2)
            (void)snprintf(reason[i], sizeof reason[i], "no");
    }
    return true;
}

/* Counts the items of a frame of answers. */
static unsigned items(struct protocol_frame f)
{
    struct protocol_item item;
    struct error e = {0};
    unsigned count = 0;
    for (; f.size; count++)
        if (!protocol_next_item(&f, &item, &e))
            target_violated("the agent sent a bad item: %s", e.text);
    return count;
}

static void check_answers(const uint8_t *bytes, size_t count)
{
    struct protocol_frame f;
    struct error e = {0};
    unsigned answers = 0;
    for (size_t at = 0, used; at < count; at += used) {
        if (protocol_take(bytes + at, count - at, &f, &used, &e) != PROTOCOL_FRAME)
            target_violated("the agent sent no frame: %s", e.text);
        if (!at && f.type != PROTOCOL_HELLO)
            target_violated("the agent sent no HELLO first");
        answers += f.type == PROTOCOL_OUTCOME || f.type == PROTOCOL_REFUSED;
        answers += f.type == PROTOCOL_OUTCOMES ? items(f) : 0;
    }
    if (answers > ran)
        target_violated("%u answers to %u cases", answers, ran);
}

/* Returns a file in memory, which is empty. */
static int empty(int *file)
{
    if (!*file)
        *file = memfd_create("talk", MFD_CLOEXEC);
    if (*file < 0 || ftruncate(*file, 0) != 0 || lseek(*file, 0, SEEK_SET) != 0) {
        perror("a file in memory");
        exit(3);
    }
    return *file;
}

static void serve(const struct protocol_bytes *says)
{
    static int in_file, out_file;
    const struct agent_board board = {.open = open_nothing, .run = run_nothing};
    struct error e = {0};
    struct stat status;
    int in = empty(&in_file), out = empty(&out_file);
    if (write(in, says->at + says->start, says->end - says->start) != (ssize_t)(says->end - says->start) ||
        lseek(in, 0, SEEK_SET) != 0)
        return;
    ran = 0;
    if (!agent_serve(in, out, &board, &e))
        target_check_refusal(&e);
    if (fstat(out, &status) != 0)
        return;
    uint8_t *told = malloc((size_t)status.st_size + 1);
    if (told && pread(out, told, (size_t)status.st_size, 0) == (ssize_t)status.st_size)
        check_answers(told, (size_t)status.st_size);
    free(told);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    unsigned how = target_choice(&bytes, &count, 256), units = 0;
    struct protocol_bytes says = {0};
    struct protocol_hello h = {.version = PROTOCOL_VERSION, .software = "fuzz", .units = 1};
    while (unit_at(units))
        units++;
    const struct unit *u = unit_at(how / 4 % units);
    (void)snprintf(h.unit[0].name, sizeof h.unit[0].name, "%s", u->name);
    h.unit[0].form = unit_form(u);
    h.newest = how & 2 ? PROTOCOL_NEWEST : PROTOCOL_VERSION;
    if (protocol_put_hello(&says, &h, false) && protocol_bytes_reserve(&says, count + 1)) {
        uint8_t *rest = says.at + says.end;
        memcpy(rest, bytes, count);
        if (how & 1)
            target_mend_frames(rest, count);
        says.end += count;
        serve(&says);
    }
    protocol_bytes_free(&says);
    return 0;
}
