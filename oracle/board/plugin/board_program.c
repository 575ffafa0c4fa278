/* SPDX-License-Identifier: MIT */
/*
 * `program:FILE.so[,OPTION...]`: a library that runs programs on memory, as hardware does
 * (harness/protocol/board_plugin.h). Each case becomes a program as for a Raspberry Pi
 * (harness/vc4/user_launch.h) or an AMD GPU (wave_program.h), but only one is in memory at a time, so that
 * each has an end of its own.
 *
 * The library runs in a process of its own: this program's agent, which serves the same board with the option
 * `inline`. A crash or a hang then costs one case.
 */
#include "harness/protocol/board_plugin.h"
#include "harness/system/pages.h"
#include "harness/vc4/user_launch.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/text/text.h"
#include "oracle/board/board_kind.h"
#include "oracle/board/plugin/plugin_library.h"
#include "oracle/board/plugin/wave_program.h"
#include "oracle/describe/escape.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PAGE = 4096,
    LIMIT = 1000000, /* instructions; a case has at most as many, and the program around it few */
};

struct program_board {
    char *file, *options;
    struct plugin_library library;              /* its `board` is not used */
    const struct misprint_program_board *board; /* of a misprint_wave_board: all but `run` */
    const struct misprint_wave_board *wave;     /* of amd-buffer; otherwise NULL */
    struct misprint_program_board head;
    struct wave_programs *waves;
    struct user_launch user;
    uint32_t *memory, *pages; /* `memory` begins at the first page in `pages` */
    void *job;
    uint32_t stamp;
    bool begun;
};

static void program_close(struct board *b)
{
    struct program_board *p = b->state;
    if (p->library.state)
        p->board->close(p->library.state);
    if (p->library.handle)
        dlclose(p->library.handle);
    if (p->begun)
        user_launch_end(&p->user);
    wave_programs_free(p->waves);
    free(p->pages);
    free(p->job);
    free(p->file);
    free(p->options);
    free(p);
}

/* ---- opening ---- */

/* Removes the name that the agent gives the board, with the option that nobody typed, from what it says. */
static void drop_inner_name(const char *inner, struct error *e)
{
    char begin[256];
    (void)snprintf(begin, sizeof begin, "it says: board %.160s: ", inner);
    char *at = strstr(e->text, begin);
    if (at)
        memmove(at, at + strlen(begin), strlen(at + strlen(begin)) + 1);
}

/* Opens the board in a process of its own: the agent of this program, with the option `inline`. */
static bool open_process(struct board *b, const char *argument, struct error *e)
{
    char path[4096] = "";
    struct text inner = {0}, command = {0};
    if (readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return error_set(e, "cannot find this program's file");
    text_add(&inner, "program:%s,inline", argument);
    text_add(&command, "exec ");
    escape_shell(&command, path);
    text_add(&command, " agent --quiet --board ");
    escape_shell(&command, text_chars(&inner));
    bool good = board_exec.open(b, text_chars(&command), e);
    if (!good && e)
        drop_inner_name(text_chars(&inner), e);
    text_free(&inner);
    text_free(&command);
    if (good)
        b->kind = &board_exec;
    return good;
}

static bool is_complete(const struct program_board *p, struct error *e)
{
    bool runs = p->wave ? p->wave->run != NULL : p->board->run != NULL;
    return (p->board->open && runs && p->board->close) ||
           error_set(e, "its %s lacks open, run or close",
                     p->wave ? "misprint_wave_board" : "misprint_program_board");
}

static bool load(struct program_board *p, const struct unit *u, struct error *e)
{
    if (u != &amd_buffer_unit) {
        p->board = plugin_symbol(p->file, "misprint_program_board", &p->library.handle, e);
        return p->board && is_complete(p, e);
    }
    p->wave = plugin_symbol(p->file, "misprint_wave_board", &p->library.handle, e);
    if (!p->wave)
        return false;
    p->head = (struct misprint_program_board){.flags = p->wave->flags,
                                              .description = p->wave->description,
                                              .provenance = p->wave->provenance,
                                              .open = p->wave->open,
                                              .close = p->wave->close};
    p->board = &p->head;
    return is_complete(p, e);
}

static bool make_memory(struct program_board *p, uint32_t bus, struct error *e)
{
    if (p->wave)
        return (p->waves = wave_programs_new(e)) != NULL;
    p->pages = calloc(USER_LAUNCH_MEMORY_LEAST + PAGE, 1);
    p->job = calloc(user_backend.job_bytes, 1);
    if (!p->pages || !p->job)
        return error_memory(e, "for a board's programs");
    p->memory = p->pages + (PAGE - (uintptr_t)p->pages % PAGE) % PAGE / sizeof *p->pages;
    p->user.machine = (struct user_machine){.memory = {p->memory, bus}, .bytes = USER_LAUNCH_MEMORY_LEAST};
    p->begun = true;
    return user_launch_begin(&p->user, e);
}

static bool identify(struct board *b, const struct misprint_about *about, struct error *e)
{
    struct program_board *p = b->state;
    struct board_identity *who = &b->identity;
    text_copy_utf8(who->description, sizeof who->description, about->description, strlen(about->description));
    text_copy_utf8(who->provenance, sizeof who->provenance, about->provenance, strlen(about->provenance));
    who->silicon = p->board->flags & MISPRINT_SILICON;
    b->proves = true; /* a program is only made of a case that passes the proof */
    if (p->wave) {
        char lacks[sizeof about->lacks + 256];
        (void)snprintf(lacks, sizeof lacks, "%s %s", wave_programs_lack, about->lacks);
        return board_set_lacks(b, lacks, e);
    }
    who->memory_base = user_launch_memory_base(&p->user);
    who->code_base = user_launch_code_base(&p->user);
    return board_set_lacks(b, about->lacks, e);
}

static bool open_library(struct board *b, struct error *e)
{
    struct program_board *p = b->state;
    struct misprint_about about;
    if (b->unit != &vc4_qpu_unit && b->unit != &vc4_vpm_unit && b->unit != &amd_buffer_unit)
        return error_set(e, "it runs cases of vc4-qpu, vc4-vpm, amd-buffer, not of %s", b->unit->name);
    if (!load(p, b->unit, e))
        return false;
    plugin_describe(&p->library, b->unit);
    plugin_preset(&about, p->options, p->board->description, p->board->provenance);
    p->library.state = p->board->open(&p->library.unit, &about);
    if (!plugin_check_about(&about, p->library.state, e))
        return false;
    if (about.memory_base % PAGE)
        return error_set(e, "its memory_base %08lx is not a multiple of 4096",
                         (unsigned long)about.memory_base);
    return make_memory(p, about.memory_base, e) && identify(b, &about, e);
}

static bool program_open(struct board *b, const char *argument, struct error *e)
{
    struct program_board *p = memory_new(1, sizeof *p);
    bool in_process = false;
    bool good = plugin_argument(argument, &p->file, &p->options, &in_process, e);
    b->state = p;
    good = good && (!in_process || open_library(b, e));
    if (good && in_process)
        return true;
    program_close(b);
    b->state = NULL;
    return good ? open_process(b, argument, e) : error_where(e, "board %.160s", b->identity.spec);
}

/* ---- running ---- */

static enum answer refuse(struct board *b, unsigned i, const struct test_case *c, struct outcome *o,
                          const char *why)
{
    outcome_reset(o, c);
    o->end = END_REFUSED;
    board_give_reason(b, i, why);
    return ANSWER_REFUSED;
}

/* Takes the results of a program that ended. */
static enum answer collect(struct board *b, unsigned i, const struct test_case *c, struct outcome *o)
{
    struct program_board *p = b->state;
    if (p->wave ? wave_programs_collect(p->waves, o) : user_backend.collect(&p->user, p->job, o))
        return ANSWER_OUTCOME;
    (void)refuse(b, i, c, o, "the case's program ended with incomplete output");
    return ANSWER_NOTHING;
}

/* Takes how the library says that a program ended. */
static enum answer take_end(struct board *b, unsigned i, const struct test_case *c, struct outcome *o,
                            uint32_t end, char message[256])
{
    message[255] = 0;
    if (end == MISPRINT_DONE)
        return collect(b, i, c, o);
    if (end > MISPRINT_REFUSED)
        (void)snprintf(message, 256, "the board set its end to %lu", (unsigned long)end);
    if (end >= MISPRINT_REFUSED)
        return refuse(b, i, c, o, *message ? message : "the board gave no reason");
    outcome_reset(o, c);
    o->end = (enum end)end;
    return ANSWER_OUTCOME;
}

static enum answer run_wave(struct board *b, unsigned i, const struct test_case *c, struct outcome *o)
{
    struct program_board *p = b->state;
    struct misprint_wave wave;
    struct error why = {0};
    if (!wave_programs_make(p->waves, c, ++p->stamp | 1, &wave, &why))
        return refuse(b, i, c, o, why.text);
    uint32_t end = p->wave->run(p->library.state, &wave);
    return take_end(b, i, c, o, end, wave.message);
}

static enum answer run_program(struct board *b, unsigned i, const struct test_case *c, struct outcome *o)
{
    struct program_board *p = b->state;
    struct error why = {0};
    user_backend.clear(&p->user);
    if (!user_backend.judge(&p->user, p->job, c, &why) ||
        user_backend.place(&p->user, p->job, c, o, ++p->stamp | 1, &why) != LAUNCH_PLACED)
        return refuse(b, i, c, o, why.text);
    struct misprint_program program = {
        .memory = p->memory,
        .memory_base = p->user.machine.memory.bus,
        .memory_bytes = USER_LAUNCH_MEMORY_LEAST,
        .uniforms = p->memory[0],
        .code = p->memory[1],
        .limit = LIMIT,
    };
    uint32_t end = p->board->run(p->library.state, &program);
    return take_end(b, i, c, o, end, program.message);
}

static bool program_run(struct board *b, const struct test_case *const *cases, unsigned count,
                        struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    (void)e;
    const struct program_board *p = b->state;
    for (unsigned i = 0; i < count; i++) {
        outcome_reset(outcomes[i], cases[i]);
        answers[i] = (p->wave ? run_wave : run_program)(b, i, cases[i], outcomes[i]);
    }
    return true;
}

const struct board_kind board_of_programs = {
    .name = "program",
    .form = "program:FILE.so[,OPTION...]",
    .about =
        "a shared library (board_plugin.h) that runs programs on memory, as a QPU or an AMD GPU does; in "
        "a process of its own, or with the option inline in Misprint's",
    .open = program_open,
    .run = program_run,
    .close = program_close,
};
