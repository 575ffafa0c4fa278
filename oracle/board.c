/* SPDX-License-Identifier: MIT */
#include "oracle/board.h"

#include "harness/clock.h"
#include "model/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct board_kind *const kinds[] = {&board_virtual, &board_trace, &board_exec, &board_ssh, &board_mailbox, &board_drm, NULL};

const struct board_kind *board_kind_at(unsigned i)
{
    return i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}

const char *answer_name(enum answer a)
{
    static const char *const names[ANSWERS] = {
        [ANSWER_OUTCOME] = "outcome", [ANSWER_REFUSED] = "refused", [ANSWER_UNKNOWN] = "unknown", [ANSWER_NOTHING] = "nothing"};
    return (unsigned)a < ANSWERS ? names[a] : "?";
}

static const struct board_kind *kind_named(const char *name, size_t length)
{
    for (unsigned i = 0; kinds[i]; i++)
        if (strlen(kinds[i]->name) == length && memcmp(kinds[i]->name, name, length) == 0)
            return kinds[i];
    return NULL;
}

static void unknown_kind(const char *spec, struct error *e)
{
    struct text forms = {0};
    for (unsigned i = 0; kinds[i]; i++)
        text_add(&forms, "%s%s", i ? ", " : "", kinds[i]->form);
    error_set(e, "'%.120s' is no board; a board is written as one of: %s", spec, text_chars(&forms));
    text_free(&forms);
}

bool board_is_virtual(const struct board_identity *who)
{
    return !strcmp(who->kind, board_virtual.name) || kind_named(who->spec, strcspn(who->spec, ":")) == &board_virtual;
}

const char *board_profile(const struct board *b)
{
    return *b->profile ? b->profile : NULL;
}

static const volatile sig_atomic_t *stop_flag;

void board_stop_on(const volatile sig_atomic_t *flag)
{
    stop_flag = flag;
}

bool board_asked_to_stop(void)
{
    return stop_flag && *stop_flag;
}

const char *board_reason(const struct board *b, unsigned i)
{
    return b->reason && i < BOARD_REASONS_MAX ? b->reason[i] : "";
}

void board_give_reason(struct board *b, unsigned i, const char *format, ...)
{
    if (i >= BOARD_REASONS_MAX)
        return;
    if (!b->reason && !(b->reason = calloc(BOARD_REASONS_MAX, BOARD_REASON_MAX)))
        return;
    char reason[BOARD_REASON_MAX];
    va_list values;
    va_start(values, format);
    (void)vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    text_copy_utf8(b->reason[i], BOARD_REASON_MAX, reason, strlen(reason));
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
    (void)snprintf(to, sizeof who->provenance - b->provenance_own, "%s%s", b->provenance_own && who->state[0] ? "; " : "", who->state);
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

struct board *board_open(const char *spec, const struct unit *u, struct error *e)
{
    if (!spec || !*spec)
        spec = "virtual:";
    size_t length = strcspn(spec, ":");
    const struct board_kind *kind = kind_named(spec, length);
    if (!kind) {
        unknown_kind(spec, e);
        return NULL;
    }
    struct board *b = calloc(1, sizeof *b);
    if (!b) {
        error_memory(e, "while opening board %.100s", spec);
        return NULL;
    }
    b->kind = kind;
    b->unit = u;
    b->identity.memory_base = MEMORY_BASE_DEFAULT;
    b->identity.code_base = CODE_BASE_DEFAULT;
    snprintf(b->identity.kind, sizeof b->identity.kind, "%s", kind->name);
    text_copy_utf8(b->identity.spec, sizeof b->identity.spec, spec, strlen(spec));
    if (!kind->open(b, spec[length] ? spec + length + 1 : "", e)) {
        free(b);
        return NULL;
    }
    return b;
}

void board_close(struct board *b)
{
    if (!b)
        return;
    b->kind->close(b);
    free(b->reason);
    free(b);
}

bool board_run(struct board *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, enum answer *answers,
               struct error *e)
{
    b->stopped = false;
    for (unsigned i = 0; b->reason && i < count && i < BOARD_REASONS_MAX; i++)
        b->reason[i][0] = 0;
    return b->kind->run(b, cases, count, outcomes, answers, e);
}

bool board_ahead(struct board *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, struct error *e)
{
    return count > b->takes_ahead || b->kind->ahead(b, cases, count, outcomes, e);
}

const struct coverage *board_foreseen(const struct board *b, const struct test_case *c, unsigned i, const struct profile *p)
{
    return b->kind->foreseen ? b->kind->foreseen(b, c, i, p) : NULL;
}

bool board_run_one(struct board *b, const struct test_case *c, struct outcome *out, enum answer *answer, struct error *e)
{
    return board_run(b, &c, 1, &out, answer, e);
}
