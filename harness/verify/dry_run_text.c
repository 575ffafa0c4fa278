/* SPDX-License-Identifier: MIT */
#include "harness/verify/dry_run.h"
#include "model/text.h"
#include "model/units.h"
#include "model/vc4/unit_qpu.h"

#include <stdio.h>

static void add_profile(const struct dry_run_under *u, struct text *t)
{
    if (u->clause < 0) {
        text_add(t, "under the %s profile", u->asked ? "campaign's" : "silicon");
        return;
    }
    const struct clause *c = unit_clause(&vc4_qpu_unit, (unsigned)u->clause);
    text_add(t, "under %s=%s", c->id, c->readings[u->reading].id);
}

static void add_instruction(const struct test_case *tc, const struct wrapper_image *image, const struct dry_run_refusal *r, struct text *t)
{
    const struct qpu_case *c = (const void *)tc->words;
    const uint32_t *word = r->own ? c->program.word : image->code;
    uint32_t count = r->own ? c->program.count : image->code_count;
    text_add(t, ": %sinstruction %lu", r->own ? "" : "in the code around the case, ", (unsigned long)r->instruction);
    if (r->instruction >= count)
        return;
    text_add(t, " (");
    qpu_print(word[2 * r->instruction] | (uint64_t)word[2 * r->instruction + 1] << 32, t);
    text_add(t, ")");
}

static void add_breach(const struct vc4_breach *b, struct text *t)
{
    switch (b->kind) {
    case VC4_BREACH_LOAD:
    case VC4_BREACH_STORE:
        text_add(t, " %s %lu byte%s at bus address %08lx, outside the case's memory", b->kind == VC4_BREACH_LOAD ? "loads" : "stores",
                 (unsigned long)b->count, plural(b->count), (unsigned long)b->at);
        return;
    case VC4_BREACH_UNIFORM:
        if (b->at == UINT32_MAX)
            text_add(t, " takes a uniform, and which one nobody knows");
        else
            text_add(t, " takes a uniform at %08lx, behind the last one", (unsigned long)b->at);
        return;
    case VC4_BREACH_VPM:
        text_add(t, " reaches VPM row %lu; a user program has rows 0 to %d", (unsigned long)(b->at + b->count - 1), VC4_VPM_ROWS_OF_QPU - 1);
        return;
    case VC4_NO_BREACH:
        return;
    }
}

void dry_run_explain(const struct test_case *c, const struct wrapper_image *image, const struct dry_run_refusal *r, char *text, size_t room)
{
    struct text t = {0};
    add_profile(&r->under, &t);
    add_instruction(c, image, r, &t);
    if (r->breach.kind)
        add_breach(&r->breach, &t);
    else if (r->shared)
        text_add(&t, " reaches %s", r->shared);
    else
        text_add(&t, " does not go on: %s", vc4_reasons[r->stop]);
    (void)snprintf(text, room, "%s", text_chars(&t));
    text_free(&t);
}
