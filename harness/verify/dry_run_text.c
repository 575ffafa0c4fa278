/* SPDX-License-Identifier: MIT */
#include "harness/verify/dry_run.h"

#include "model/core/units.h"

#include <stdio.h>

void dry_run_print_under(const struct dry_run_under *u, struct text *t)
{
    if (u->clause < 0) {
        text_add(t, "under the %s profile", u->campaign ? "campaign's" : "silicon");
        return;
    }
    const struct clause *c = unit_clause(&vc4_qpu_unit, (unsigned)u->clause);
    text_add(t, "under %s=%s", c->id, c->readings[u->reading].id);
}

static void add_breach(const struct vc4_breach *b, struct text *t)
{
    switch (b->kind) {
    case VC4_BREACH_LOAD:
        text_add(t, "loads from bus address %08lx, outside the case's memory", (unsigned long)b->at);
        return;
    case VC4_BREACH_STORE:
        text_add(t, "stores to bus address %08lx, outside the case's memory", (unsigned long)b->at);
        return;
    case VC4_BREACH_UNIFORM:
        text_add(t, "takes a uniform that %s",
                 b->at == UINT32_MAX ? "is unknown: the stream's position is lost" : "is not the case's");
        return;
    case VC4_BREACH_VPM:
        text_add(t, "reaches VPM row %lu; a user program has rows 0 to %d",
                 (unsigned long)(b->at + b->count - 1), VC4_VPM_ROWS_OF_QPU - 1);
        return;
    case VC4_NO_BREACH:
        return;
    }
}

void dry_run_print_what(const struct dry_run_refusal *r, struct text *t)
{
    if (r->breach.kind)
        add_breach(&r->breach, t);
    else if (r->shared)
        text_add(t, "reaches %s", r->shared);
    else if (r->flow)
        text_add(t, "%s", r->flow);
    else
        text_add(t, "does not go on: %s", vc4_reasons[r->stop]);
}

void dry_run_explain(const struct dry_run_refusal *r, char *text, size_t room)
{
    struct text t = {0};
    dry_run_print_under(&r->under, &t);
    text_add(&t, ", %sinstruction %lu ", r->own ? "" : "in the code around the case, ",
             (unsigned long)r->instruction);
    dry_run_print_what(r, &t);
    (void)snprintf(text, room, "%s", text_chars(&t));
    text_free(&t);
}
