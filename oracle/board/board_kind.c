/* SPDX-License-Identifier: MIT */
#include "oracle/board/board_kind.h"

#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "model/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

bool board_set_lacks(struct board *b, const char *text, struct error *e)
{
    board_lacks_free(b->lacks);
    b->lacks = *text ? board_lacks_new(b->unit, text, e) : NULL;
    return !*text || b->lacks;
}

void board_give_reason(struct board *b, unsigned i, const char *why)
{
    if (i >= BOARD_REASONS_MAX)
        return;
    if (!b->reason)
        b->reason = memory_new(BOARD_REASONS_MAX, BOARD_REASON_MAX);
    text_copy_utf8(b->reason[i], BOARD_REASON_MAX, why, strlen(why));
}

void board_note_state(struct board *b, const char *format, ...)
{
    struct board_identity *who = &b->identity;
    char state[sizeof who->state];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(state, sizeof state, format, values);
    va_end(values);
    if (!who->state[0])
        b->provenance_own = strlen(who->provenance);
    text_copy_utf8(who->state, sizeof who->state, state, strlen(state));
    char *to = who->provenance + b->provenance_own;
    (void)snprintf(to, sizeof who->provenance - b->provenance_own, "%s%s",
                   b->provenance_own && who->state[0] ? "; " : "", who->state);
}

bool board_state_is_due(struct board *b)
{
    enum { EVERY_MS = 100 };
    int64_t now = clock_ms();
    if (b->state_read && now - b->state_read < EVERY_MS)
        return false;
    b->state_read = now;
    return true;
}

static void (*notify_all)(const char *line);

void board_notify_on(void (*notify)(const char *line))
{
    notify_all = notify;
}

void board_notify(const struct board *b, const char *format, ...)
{
    struct error line = {0}; /* error_set replaces control characters, which a board could send */
    char text[sizeof line.text];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(text, sizeof text, format, values);
    va_end(values);
    error_set(&line, "%s", text);
    if (b->notify)
        b->notify(b->notify_context, line.text);
    else if (notify_all)
        notify_all(line.text);
}

static const volatile sig_atomic_t *stop_flag;

void board_stop_on(const volatile sig_atomic_t *flag)
{
    stop_flag = flag;
}

bool board_must_stop(const struct board *b)
{
    return (stop_flag && *stop_flag) || (b->stop_at && clock_ms() >= b->stop_at);
}

bool board_stop(struct board *b, int64_t heard, struct error *e)
{
    b->stopped = true;
    e->of_machine = true;
    if (!b->stop_at || (stop_flag && *stop_flag))
        return error_set(e, "board %.160s: stopped while waiting for it", b->identity.spec);
    b->silent = (double)(clock_ms() - heard) / 1000;
    error_set(e,
              "board %.160s: it had not answered for %.1f s when the time was over; if a case hangs it, a "
              "longer time or a shorter MISPRINT_BOARD_TIMEOUT=SECONDS finds the case",
              b->identity.spec, b->silent);
    board_notify(b, "%s", e->text);
    return false;
}

void board_hangs_add(struct board_hangs *h, const struct test_case *c)
{
    uint64_t program = 0;
    for (unsigned i = 0; c && c->unit->vary && i < c->unit->schema.field_count; i++) {
        const struct field *f = &c->unit->schema.fields[i];
        const uint32_t *words = case_field_const(c, f);
        if (f->kind == FIELD_CODE)
            program = XXH64(words, (1 + (size_t)words[0] * field_item_words(c->unit, f)) * sizeof *words, 1);
    }
    h->programs += !program || !h->cases || program != h->program;
    h->program = program;
    h->cases++;
}

bool board_hangs_too_often(const struct board_hangs *h, unsigned cases)
{
    enum { PROGRAMS = 3, AT_MOST = 32 };
    return h->cases >= AT_MOST || (h->cases >= cases && h->programs >= PROGRAMS);
}
