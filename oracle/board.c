/* SPDX-License-Identifier: MIT */
#include "oracle/board.h"

#include "model/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct board_kind board_virtual, board_trace, board_exec;

static const struct board_kind *const kinds[] = {&board_virtual, &board_trace, &board_exec, NULL};

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
        error_set(e, "out of memory");
        return NULL;
    }
    b->kind = kind;
    b->unit = u;
    b->memory_base = MEMORY_BASE_DEFAULT;
    b->code_base = CODE_BASE_DEFAULT;
    snprintf(b->identity.kind, sizeof b->identity.kind, "%s", kind->name);
    snprintf(b->identity.spec, sizeof b->identity.spec, "%s", spec);
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
    free(b);
}

bool board_run(struct board *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, enum answer *answers,
               struct error *e)
{
    return b->kind->run(b, cases, count, outcomes, answers, e);
}

bool board_run_one(struct board *b, const struct test_case *c, struct outcome *out, enum answer *answer, struct error *e)
{
    return board_run(b, &c, 1, &out, answer, e);
}
