/* SPDX-License-Identifier: MIT */
/*
 * The compute unit of gcn_machine.h as a board that runs programs, for tests. Options: `profile=NAME`
 * (default: gfx1100), and for tests `refuse`, `fault`, `deaf` (a program ends at once) and `crash` (in
 * programs with an instruction of offset 1234).
 */
#include "harness/protocol/board_plugin.h"
#include "model/core/clause.h"
#include "model/core/units.h"
#include "tests/devices/gcn_machine.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { GUARD = 8 << 20 };

struct plugin_wave {
    struct profile profile;
    struct misprint_wave *wave;
    char how[16];
};

static void *open_board(const struct misprint_unit *unit, struct misprint_about *about)
{
    static const char key[] = "profile=";
    struct plugin_wave *p = calloc(1, sizeof *p);
    struct error e = {0};
    bool named = !strncmp(about->options, key, strlen(key));
    (void)unit;
    if (p && profile_resolve(&amd_buffer_unit, named ? about->options + strlen(key) : "gfx1100", &p->profile,
                             &e)) {
        (void)snprintf(p->how, sizeof p->how, "%s", named ? "" : about->options);
        return p;
    }
    (void)snprintf(about->error, sizeof about->error, "%.200s", e.text);
    free(p);
    return NULL;
}

/* A page is memory, or part of the guards around the case's memory. */
static enum gcn_mapping page(void *context, uint64_t va, uint8_t **at)
{
    const struct plugin_wave *p = context;
    uint64_t offset = va - (uint64_t)(uintptr_t)p->wave->memory;
    if (offset >= p->wave->memory_bytes)
        return GCN_FAULT;
    *at = p->wave->memory + offset;
    return offset < GUARD || (offset >= GUARD + GCN_PAGE && offset < 2 * GUARD + GCN_PAGE) ? GCN_NOTHING
                                                                                           : GCN_MEMORY;
}

/* Crashes on programs with a buffer instruction of GFX11 that has offset 1234, up to the program's end. Does
 * not look at other words: the program's stamp changes in each run, and words behind its end are older ones.
 */
static void crash_on_some(const struct misprint_wave *w)
{
    enum { WORDS = 4096, S_ENDPGM = 0xBFB0, MUBUF = 0x38, OFFSET = 1234 };
    const uint32_t *word = (const uint32_t *)(uintptr_t)w->code;
    for (unsigned i = 0; i < WORDS && word[i] >> 16 != S_ENDPGM; i++)
        if (word[i] >> 26 == MUBUF && (word[i] & 0xFFF) == OFFSET)
            raise(SIGSEGV);
}

static uint32_t run(void *board, struct misprint_wave *w)
{
    struct plugin_wave *p = board;
    unsigned g = 0;
    p->wave = w;
    if (!strcmp(p->how, "crash"))
        crash_on_some(w);
    if (!strcmp(p->how, "refuse"))
        (void)snprintf(w->message, sizeof w->message, "no such operation");
    if (!strcmp(p->how, "refuse") || !strcmp(p->how, "deaf"))
        return *p->how == 'r' ? MISPRINT_REFUSED : MISPRINT_DONE;
    if (!strcmp(p->how, "fault"))
        return MISPRINT_FAULT;
    while (strcmp(amd_generation_names[g], w->generation) != 0)
        g++;
    struct gcn_machine m = {.generation = (enum amd_generation)g,
                            .profile = &p->profile,
                            .context = p,
                            .page = page};
    struct gcn_launch l = {.code = w->code,
                           .user_data = {w->sgpr[0], w->sgpr[1]},
                           .user_sgprs = 2,
                           .lanes = w->lanes,
                           .vgprs = w->vgprs,
                           .lds_bytes = w->lds_bytes};
    const char *wrong = gcn_run(&m, &l);
    if (!wrong)
        return MISPRINT_DONE;
    (void)snprintf(w->message, sizeof w->message, "%s", wrong);
    return MISPRINT_REFUSED;
}

MISPRINT_EXPORT const struct misprint_wave_board misprint_wave_board = {
    MISPRINT_BOARD_VERSION,
    0,
    "a stand-in for the compute unit of an AMD GPU; no silicon",
    "Misprint",
    open_board,
    run,
    free};
