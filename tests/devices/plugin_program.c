/* SPDX-License-Identifier: MIT */
/*
 * Our own model as a board that runs programs, for tests and for `misprint bench`. Options: `profile=NAME`
 * (default: bcm2835), `long` (programs of up to 400,000 instructions), and for tests `refuse`, `fault`,
 * `deaf` (a program ends at once) and `crash`.
 */
#include "harness/protocol/board_plugin.h"
#include "model/core/clause.h"
#include "model/core/units.h"
#include "model/vc4/machine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONG = 400000 };

struct plugin_program {
    struct profile profile;
    struct coverage coverage;
    struct vc4_vector vpm[VC4_VPM_ROWS];
    struct machine *machine;
    void *memory; /* of the machine */
    char how[16];
    uint32_t most; /* instructions of a program */
};

static void close_board(void *board)
{
    struct plugin_program *p = board;
    free(p->memory);
    free(p);
}

static void *open_board(const struct misprint_unit *unit, struct misprint_about *about)
{
    static const char key[] = "profile=";
    struct plugin_program *p = calloc(1, sizeof *p);
    uint32_t most = !strcmp(about->options, "long") ? LONG : QPU_PROGRAM_MAX;
    size_t bytes = (machine_bytes(1, most) + 63) / 64 * 64;
    struct error e = {0};
    bool named = !strncmp(about->options, key, strlen(key));
    (void)unit;
    if (!p || !(p->memory = aligned_alloc(64, bytes)) ||
        !profile_resolve(&vc4_qpu_unit, named ? about->options + strlen(key) : "bcm2835", &p->profile, &e)) {
        (void)snprintf(about->error, sizeof about->error, "%.200s", e.text);
        if (p)
            close_board(p);
        return NULL;
    }
    (void)snprintf(p->how, sizeof p->how, "%s", named ? "" : about->options);
    if (!strcmp(p->how, "base"))
        about->memory_base = 0xC0000004;
    p->most = most;
    p->machine = machine_in(memset(p->memory, 0, bytes), 1, most);
    return p;
}

static uint32_t end_of(enum vc4_stop stop)
{
    static const uint32_t ends[] = {
        [END_DONE] = MISPRINT_DONE, [END_HANG] = MISPRINT_HANG, [END_FAULT] = MISPRINT_FAULT};
    return ends[vc4_ends[stop]];
}

static uint32_t run(void *board, struct misprint_program *program)
{
    struct plugin_program *p = board;
    uint32_t offset = program->code - program->memory_base, room = (program->memory_bytes - offset) / 8;
    struct machine_start start = {.program = program->memory + offset / 4,
                                  .count = room < p->most ? room : p->most,
                                  .code_base = program->code,
                                  .uniforms = {.in_memory = true, .address = program->uniforms}};
    struct machine_setup setup = {
        .env = {.profile = &p->profile,
                .coverage = &p->coverage,
                .memory_base = program->memory_base,
                .memory = {.value = (struct vc4_vector *)(void *)program->memory,
                           .rows = program->memory_bytes / (uint32_t)sizeof(struct vc4_vector)}},
        .vpm = {.value = p->vpm, .rows = VC4_VPM_ROWS},
        .qpus = 1,
        .start = &start,
        .limit = program->limit,
    };
    if (!strcmp(p->how, "crash"))
        raise(SIGSEGV);
    if (!strcmp(p->how, "refuse"))
        (void)snprintf(program->message, sizeof program->message, "no such operation");
    if (!strcmp(p->how, "refuse") || !strcmp(p->how, "deaf"))
        return *p->how == 'r' ? MISPRINT_REFUSED : MISPRINT_DONE;
    if (!strcmp(p->how, "fault"))
        return MISPRINT_FAULT;
    machine_prepare(p->machine, &setup);
    return end_of(machine_run(p->machine));
}

MISPRINT_EXPORT const struct misprint_program_board misprint_program_board = {
    MISPRINT_BOARD_VERSION,
    0,
    "Misprint's own model as a board that runs programs; no silicon",
    "Misprint",
    open_board,
    run,
    close_board};
