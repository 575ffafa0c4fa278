/* SPDX-License-Identifier: MIT */
#include "fuzz/campaign/case_queue.h"

#include "harness/system/clock.h"
#include "harness/system/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool open_batch(struct case_batch *n, const struct unit *u, unsigned size, struct error *e)
{
    n->slot = pages_new(size, sizeof *n->slot);
    n->memory = pages_of_outcomes(u, size, n->outcome);
    if (!n->slot || !n->memory)
        return error_memory(e, "for a campaign's cases");
    for (unsigned i = 0; i < size; i++) {
        n->slot[i].board = n->outcome[i];
        n->tc[i] = &n->slot[i].tc;
    }
    return true;
}

static unsigned batch_size(const struct case_queue *b)
{
    enum { VIRTUAL = 16 }; /* so few cases that they stay in the processor's cache */
    bool is_virtual = !b->board || board_is_virtual(&b->board->identity);
    unsigned size = b->size ? b->size : is_virtual ? VIRTUAL : CASE_BATCH_MAX;
    return size < CASE_BATCH_MAX ? size : CASE_BATCH_MAX;
}

bool case_queue_open(struct case_queue *b, const struct unit *u, struct error *e)
{
    b->size = batch_size(b);
    b->began = clock_seconds();
    /* no look-ahead if the source may wait for cases, because that would delay the batch that is ready */
    b->looks_ahead = b->board && b->board->takes_ahead >= b->size && !b->source->wait;
    return open_batch(&b->batch[0], u, b->size, e) &&
           (!b->looks_ahead || open_batch(&b->batch[1], u, b->size, e));
}

void case_queue_close(struct case_queue *b)
{
    for (unsigned k = 0; k < 2; k++) {
        free(b->batch[k].memory);
        free(b->batch[k].slot);
    }
}

static void fill(struct case_queue *b, struct case_batch *n)
{
    struct case_source *from = b->source;
    uint64_t left = b->max_cases ? b->max_cases - b->given : b->size;
    n->filled = true;
    n->failed = n->end = false;
    n->error = (struct error){0};
    for (n->count = 0; n->count < b->size && n->count < left; n->count++) {
        struct slot *s = &n->slot[n->count];
        const char *label = "";
        bool has_outcome = false;
        if (!from->next(from->context, &s->tc, s->board, &has_outcome, &label, &n->error)) {
            n->failed = n->error.text[0];
            n->end = n->failed || !from->wait || !from->wait(from->context);
            break;
        }
        size_t length = strnlen(label, sizeof s->label - 1);
        memcpy(s->label, label, length);
        s->label[length] = 0;
        s->answer = has_outcome ? ANSWER_OUTCOME : ANSWER_UNKNOWN;
        s->reason[0] = 0;
    }
    b->given += n->count;
    n->end |= b->max_cases && b->given >= b->max_cases;
}

/* Fills a batch, and passes it to a board that prefetches. Does nothing if the batch is already filled. */
static bool prepare(struct case_queue *b, struct case_batch *n, struct error *e)
{
    if (n->filled)
        return true;
    fill(b, n);
    return !b->looks_ahead || board_ahead(b->board, n->tc, n->count, n->outcome, e);
}

static bool ask_board(struct board *board, struct case_batch *n, struct error *e)
{
    enum answer answers[CASE_BATCH_MAX];
    if (!n->count || !board)
        return true;
    for (unsigned i = 0; i < n->count; i++)
        answers[i] = ANSWER_NOTHING;
    bool good = board_run(board, n->tc, n->count, n->outcome, answers, e);
    unsigned count = n->count, named = 0;
    for (unsigned i = 0; i < count; i++) {
        struct slot *s = &n->slot[i];
        s->answer = answers[i];
        s->reason[0] = 0;
        if (s->answer != ANSWER_OUTCOME)
            (void)snprintf(s->reason, sizeof s->reason, "%s", board_reason(board, i));
        if (!good && s->answer == ANSWER_NOTHING && !s->reason[0])
            count = i;
        else
            named += s->answer == ANSWER_NOTHING;
    }
    if (good || (!named && !board->stopped))
        return good;
    /* The cases before the first that did not run are still taken. If the board failed, this lists those on
     * which it failed. */
    n->count = count;
    n->failed = !board->stopped;
    n->error = *e;
    return n->failed;
}

bool case_queue_run(struct case_queue *b, struct case_batch **ran, struct error *e)
{
    struct case_batch *n = *ran = &b->batch[b->turn];
    if (!prepare(b, n, e))
        return false;
    b->turn ^= b->looks_ahead;
    if (b->looks_ahead && !n->end && !prepare(b, &b->batch[b->turn], e))
        return false;
    const double began = clock_seconds();
    if (!ask_board(b->board, n, e))
        return false;
    const double seconds = clock_seconds() - began;
    b->slowest = seconds > b->slowest ? seconds : b->slowest;
    n->filled = false;
    return true;
}

bool case_queue_hung(const struct case_queue *b, struct error *e)
{
    enum { MUCH = 4, AT_LEAST = 1 /* second */ };
    const double silent = b->board->silent, seconds = clock_seconds() - b->began - silent;
    if (silent < AT_LEAST || silent < MUCH * (b->slowest > 0 ? b->slowest : seconds))
        return false;
    e->of_machine = true;
    error_set(e, "board %.160s: it answered for %.1f s, and then not for %.1f s", b->board->identity.spec,
              seconds, silent);
    return true;
}
