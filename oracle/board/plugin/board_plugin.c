/* SPDX-License-Identifier: MIT */
/*
 * `plugin:FILE.so[,OPTION...]`: a board in a shared library (harness/protocol/board_plugin.h). With the
 * option `inline`, it runs in this process. The other options are the library's.
 */
#include "harness/protocol/board_plugin.h"
#include "model/core/memory.h"
#include "oracle/board/board_kind.h"
#include "oracle/board/plugin/plugin_library.h"
#include "oracle/board/plugin/plugin_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plugin_board {
    char *file, *options;
    struct plugin_process *process; /* NULL: the library is in this process */
    struct plugin_library library;
    struct outcome *before; /* the state before a case */
    uint32_t *unknown;      /* rows of unknown bits and a fence for each outcome; rows are 0 between runs */
    struct misprint_outcome outcome[MISPRINT_BATCH_MAX];
};

static bool identify(struct board *b, const struct misprint_about *about, uint32_t flags, struct error *e)
{
    struct board_identity *who = &b->identity;
    text_copy_utf8(who->description, sizeof who->description, about->description, strlen(about->description));
    text_copy_utf8(who->provenance, sizeof who->provenance, about->provenance, strlen(about->provenance));
    who->silicon = flags & MISPRINT_SILICON;
    who->memory_base = about->memory_base;
    who->code_base = about->code_base;
    return board_set_lacks(b, about->lacks, e) || error_where(e, "board %.160s", who->spec);
}

static size_t words_of(const struct unit *u)
{
    return (size_t)u->layout.rows * u->layout.row_words;
}

/* The distance of two outcomes in `unknown`. */
static size_t unknown_stride(const struct unit *u)
{
    return words_of(u) + OUTCOME_FENCE_WORDS;
}

static void plugin_board_close(struct board *b)
{
    struct plugin_board *p = b->state;
    if (p->process)
        plugin_process_close(p->process);
    plugin_close(&p->library);
    outcome_free(p->before);
    free(p->unknown);
    free(p->file);
    free(p->options);
    free(p);
}

static bool open_in_process(struct board *b, struct misprint_about *about, uint32_t *flags, struct error *e)
{
    struct plugin_board *p = b->state;
    if (!plugin_load(&p->library, p->file, b->unit, e) || !plugin_open(&p->library, p->options, about, e))
        return error_where(e, "board %.160s", b->identity.spec);
    *flags = p->library.board->flags;
    p->before = outcome_new(b->unit);
    p->unknown = calloc(MISPRINT_BATCH_MAX * unknown_stride(b->unit), sizeof *p->unknown);
    return p->unknown || error_memory(e, "for a board's cases");
}

static bool plugin_board_open(struct board *b, const char *argument, struct error *e)
{
    struct plugin_board *p = memory_new(1, sizeof *p);
    struct misprint_about about;
    uint32_t flags;
    bool in_process = false;
    b->state = p;
    bool good = plugin_argument(argument, &p->file, &p->options, &in_process, e);
    if (good && in_process)
        good = open_in_process(b, &about, &flags, e);
    else if (good)
        good = (p->process = plugin_process_open(b, p->file, p->options, &about, &flags, e));
    if (!good || !identify(b, &about, flags, e)) {
        plugin_board_close(b);
        return false;
    }
    b->takes_ahead = p->process ? MISPRINT_BATCH_MAX : 0;
    return true;
}

/* Forgets what the board wrote without answering, and gives the outcome the state before the case. */
static void undo(struct plugin_board *p, struct misprint_outcome *m, const struct test_case *c,
                 struct outcome *out)
{
    m->flags |= MISPRINT_HAS_UNKNOWN;
    outcome_reset(p->before, c);
    plugin_find_rows(m, p->before);
    memcpy(out->touched, m->touched, sizeof out->touched);
    outcome_reset(out, c);
}

static enum answer take(struct board *b, unsigned i, const struct test_case *c, struct misprint_outcome *m,
                        struct outcome *out)
{
    struct plugin_board *p = b->state;
    char why[BOARD_REASON_MAX];
    if (!(p->library.board->flags & MISPRINT_MARKS_ROWS)) {
        outcome_reset(p->before, c);
        plugin_find_rows(m, p->before);
    }
    enum plugin_taken taken = plugin_take(m, (struct plugin_rows){out->value, m->unknown, false}, out, why);
    if (taken != PLUGIN_TAKEN) {
        undo(p, m, c, out);
        out->end = END_REFUSED;
        board_give_reason(b, i, why);
    }
    if (m->flags & MISPRINT_HAS_UNKNOWN) /* all rows: a board may set bits of rows that it did not mark */
        memset(m->unknown, 0, words_of(b->unit) * sizeof *m->unknown);
    return taken == PLUGIN_TAKEN ? ANSWER_OUTCOME : taken == PLUGIN_REFUSED ? ANSWER_REFUSED : ANSWER_NOTHING;
}

/* After a write past the end of an array: gives the outcomes, and what may be damaged behind them, the
 * content before the run. */
static void mend(struct board *b, const struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes)
{
    struct plugin_board *p = b->state;
    size_t bytes = words_of(b->unit) * sizeof(uint32_t);
    for (unsigned i = 0; i < count; i++) {
        undo(p, &p->outcome[i], cases[i], outcomes[i]);
        memset(outcomes[i]->defined, 0xFF, bytes);
        memset(outcomes[i]->tolerance, 0, bytes);
    }
    memset(p->unknown, 0, MISPRINT_BATCH_MAX * unknown_stride(b->unit) * sizeof *p->unknown);
}

/* Runs cases in one call of the library. */
static void run_some(struct board *b, unsigned first, const struct test_case *const *cases, unsigned count,
                     struct outcome *const *outcomes, enum answer *answers)
{
    struct plugin_board *p = b->state;
    const void *words[MISPRINT_BATCH_MAX];
    if (!count)
        return;
    for (unsigned i = 0; i < count; i++) {
        outcome_reset(outcomes[i], cases[i]);
        plugin_prepare(&p->outcome[i], outcomes[i]->value, p->unknown + i * unknown_stride(b->unit),
                       &b->unit->layout);
        words[i] = cases[i]->words;
    }
    if (!plugin_run(&p->library, &b->unit->layout, words, p->outcome, count)) {
        mend(b, cases, count, outcomes);
        for (unsigned i = 0; count > 1 && i < count; i++) /* it may have hit the others, too */
            run_some(b, first + i, cases + i, 1, outcomes + i, answers + i);
        if (count > 1)
            return;
    }
    for (unsigned i = 0; i < count; i++)
        answers[i] = take(b, first + i, cases[i], &p->outcome[i], outcomes[i]);
}

static bool plugin_board_run(struct board *b, const struct test_case *const *cases, unsigned count,
                             struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct plugin_board *p = b->state;
    if (p->process)
        return plugin_process_run(p->process, cases, count, outcomes, answers, e);
    for (unsigned first = 0, most = plugin_at_once(&p->library); first < count; first += most)
        run_some(b, first, cases + first, count - first < most ? count - first : most, outcomes + first,
                 answers + first);
    return true;
}

/* Only a board that takes cases ahead gets here (board.h). */
static bool plugin_board_ahead(struct board *b, const struct test_case *const *cases, unsigned count,
                               struct outcome *const *outcomes, struct error *e)
{
    (void)e;
    struct plugin_board *p = b->state;
    plugin_process_ahead(p->process, cases, count, outcomes);
    return true;
}

const struct board_kind board_plugin = {
    .name = "plugin",
    .form = "plugin:FILE.so[,OPTION...]",
    .about =
        "a shared library (board_plugin.h), in a process of its own, or with the option inline in Misprint's",
    .open = plugin_board_open,
    .run = plugin_board_run,
    .close = plugin_board_close,
    .ahead = plugin_board_ahead,
};
