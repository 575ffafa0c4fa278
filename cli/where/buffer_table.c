/* SPDX-License-Identifier: MIT */
/* The lanes as a table, and the clauses that decide. */
#include "cli/where/buffer.h"
#include "model/core/memory.h"
#include "oracle/describe/clause_text.h"

#include <stdlib.h>
#include <string.h>

/* Is each dword checked and returned by itself? */
static bool per_dword(const struct buffer_answer *a)
{
    return a->units > 1 && !a->check.together;
}

/* Prints a data register. A load of 16 bits may write one half only. */
static void print_word(const struct buffer_question *q, uint32_t word, struct text *t)
{
    const uint32_t written = word ^ WHERE_UNWRITTEN;
    if (q->insn.op->d16 && !(written >> 16))
        text_add(t, "0x%04x in the low half", word & 0xFFFF);
    else if (q->insn.op->d16 && !(written & 0xFFFF))
        text_add(t, "0x%04x in the high half", word >> 16);
    else
        text_add(t, word > 9 ? "0x%08x" : "%u", word);
}

void buffer_print_values(const struct buffer_question *q, const struct buffer_lane *l, struct text *t)
{
    unsigned count = amd_data_registers(q->generation, &q->insn);
    for (unsigned v = 0; v < count && v < WHERE_VALUES; v++) {
        text_add(t, v ? " " : "");
        print_word(q, l->value[v], t);
    }
}

/* Prints what the lane gets for a dword that it does not access. */
static void print_loss(const struct buffer_question *q, const struct buffer_answer *a, unsigned lane,
                       unsigned k, struct text *t)
{
    const struct buffer_lane *l = &a->lane[lane];
    bool returns = q->insn.op->kind == AMD_LOAD || (q->insn.op->kind == AMD_ATOMIC && q->insn.glc);
    unsigned v = per_dword(a) ? k % WHERE_VALUES : 0;
    if (!returns || amd_to_lds(&q->insn)) {
        text_add(t, returns ? "LDS not shown" : "not written");
    } else if (l->value[v] == WHERE_UNWRITTEN) {
        text_add(t, "register unchanged");
    } else {
        text_add(t, "returns ");
        if (per_dword(a))
            print_word(q, l->value[v], t);
        else
            buffer_print_values(q, l, t);
    }
}

void buffer_print_fate(const struct buffer_question *q, const struct buffer_answer *a, unsigned lane,
                       unsigned k, struct text *t)
{
    const struct buffer_dword *d = &a->lane[lane].dword[k];
    if (buffer_in_range(d)) {
        text_add(t, "in range");
        return;
    }
    if (d->decision == AMD_VIOLATION) {
        text_add(t, "misaligned: memory violation");
        return;
    }
    text_add(t, d->decision == AMD_OUT_OF_RANGE ? "OUT "
                : a->check.bound                ? "nothing is transferred"
                                                : "unbound");
    if (d->decision == AMD_OUT_OF_RANGE)
        buffer_print_why(a, lane, k, t);
    text_add(t, "; ");
    print_loss(q, a, lane, k, t);
}

/* Returns the last dword of the lane that ends like `first` and follows it in memory. */
static unsigned last_alike(const struct buffer_answer *a, unsigned lane, unsigned first)
{
    const struct buffer_dword *d = a->lane[lane].dword;
    unsigned last = first;
    while (last + 1 < a->units && d[last + 1].address == d[last].address + 4 &&
           d[last + 1].decision == d[first].decision && (buffer_in_range(d + first) || !per_dword(a)))
        last++;
    return last;
}

static unsigned bytes_of(const struct buffer_question *q, const struct buffer_answer *a, unsigned dwords)
{
    if (a->units > 1)
        return 4 * dwords;
    return q->insn.op->bytes ? q->insn.op->bytes : a->check.bytes;
}

static void print_lane(const struct buffer_question *q, const struct buffer_answer *a, unsigned lane,
                       struct text *t)
{
    const struct buffer_lane *l = &a->lane[lane];
    unsigned units = a->units ? a->units : 1, last;
    for (unsigned k = 0; k < units; k = last + 1) {
        last = last_alike(a, lane, k);
        if (k)
            text_add(t, "  %26s", "");
        else if (a->check.bound)
            text_add(t, "  %4u  %9u  %9u", lane, l->index, l->offset);
        else
            text_add(t, "  %4u  %9s  %9s  %14s  %5s  ", lane, "-", "-", "-", "-");
        if (a->check.bound)
            text_add(t, "  %#14llx  %5u  ", (unsigned long long)l->dword[k].address,
                     bytes_of(q, a, last - k + 1));
        buffer_print_fate(q, a, lane, k, t);
        text_add(t, "\n");
    }
}

static void print_heading(struct text *t)
{
    text_add(t, "  %4s  %9s  %9s  %14s  %5s\n", "lane", "index", "offset", "address", "bytes");
}

/* ---- clauses ---- */

static void print_reading(const struct reading *r, const char *indent, struct text *t)
{
    struct text line = {0};
    text_add(&line, "%s: %s (%s: %s)", r->id, r->says, evidence_words(r->evidence), r->source);
    text_add(t, "%s", indent);
    help_fill(t, text_chars(&line), line.length, (unsigned)strlen(indent), (unsigned)strlen(indent) + 2);
    text_add(t, "\n");
    text_free(&line);
}

static void print_decider(const struct buffer_question *q, const struct buffer_answer *a,
                          const struct buffer_decider *d, bool first, struct text *t)
{
    const struct clause *c = unit_clause(q->tc.unit, d->clause);
    if (first) {
        text_add(t, "  %s (%s)\n", c->id, c->where);
        print_reading(&c->readings[a->readings.reading[d->clause]], "    in force  ", t);
    }
    text_add(t, "    else, in %u lane%s from lane %u on:\n", d->lanes, plural(d->lanes), d->first);
    print_reading(&c->readings[d->other], "              ", t);
}

/* Prints the readings by which the documents allow no such instruction. They say nothing about the lanes. */
static void print_refusals(const struct buffer_question *q, const struct buffer_answer *a, struct text *t)
{
    bool any = false;
    for (const struct buffer_decider *d = a->decider; d < a->decider + a->clauses; d++) {
        if (!d->refuses)
            continue;
        const struct clause *c = unit_clause(q->tc.unit, d->clause);
        struct text name = {0};
        text_add(&name, "  %s=", c->id);
        text_add(t,
                 any ? "" : "\nBy these readings, the instruction is not allowed, and nothing is defined:\n");
        print_reading(&c->readings[d->other], text_chars(&name), t);
        text_free(&name);
        any = true;
    }
}

static void print_deciders(const struct buffer_question *q, const struct buffer_answer *a, struct text *t)
{
    const struct buffer_decider *before = NULL;
    for (const struct buffer_decider *d = a->decider; d < a->decider + a->clauses; d++) {
        if (d->refuses)
            continue;
        if (!before)
            text_add(t, "\nClauses that decide here, because another reading gives another answer:\n");
        print_decider(q, a, d, !before || before->clause != d->clause, t);
        before = d;
    }
    print_refusals(q, a, t);
}

/* Prints the clauses by which the profiles differ in this question. */
static void print_cause(const struct buffer_question *q, const struct buffer_answer *a,
                        const struct buffer_answer *first, struct text *t)
{
    text_add(t, "  because of  ");
    for (unsigned i = 0; i < a->clauses; i++) {
        unsigned c = a->decider[i].clause;
        if (a->decider[i].other == first->readings.reading[c])
            text_add(t, " %s=%s", unit_clause(q->tc.unit, c)->id,
                     unit_clause(q->tc.unit, c)->readings[a->readings.reading[c]].id);
    }
    text_add(t, "\n");
}

/* ---- answers ---- */

/* How many lanes end how. A lane is lost if none of its dwords is in range. */
struct lane_count {
    unsigned active, whole, lost;
};

static struct lane_count count_lanes(const struct buffer_question *q, const struct buffer_answer *a)
{
    struct lane_count c = {0};
    unsigned units = a->units ? a->units : 1;
    for (unsigned n = 0; n < AMD_LANES; n++) {
        unsigned in = 0;
        for (unsigned k = 0; k < units; k++)
            in += buffer_in_range(&a->lane[n].dword[k]);
        c.active += buffer_active(q, n);
        c.whole += buffer_active(q, n) && in == units;
        c.lost += buffer_active(q, n) && !in;
    }
    return c;
}

/* Prints the equation of addresses, and the stride if it is not the descriptor's field. */
static void print_equation(const struct buffer_question *q, const struct buffer_answer *a, struct text *t)
{
    struct amd_descriptor d;
    amd_descriptor_decode(q->generation, q->descriptor, &d);
    if (!a->check.bound)
        return;
    text_add(t, "  addresses    %s (\"RDNA3\" guide 9.4.2)",
             a->check.swizzled ? "swizzled" : "BASE + SOFFSET + index * STRIDE + offset");
    if (a->check.stride_address != d.stride)
        text_add(t, "\n%15sSTRIDE is %u bytes here", "", a->check.stride_address);
    text_add(t, "\n");
}

/* Prints the rule of another profile under which all lanes end alike, and the clause that makes it differ. */
static void print_other_rule(const struct buffer_question *q, const struct buffer_answer *a,
                             const struct buffer_answer *other, struct text *t)
{
    const struct unit *u = q->tc.unit;
    struct buffer_answer *changed = memory_new(1, sizeof *changed);
    text_add(t, "  by %-9s ", other->profile);
    buffer_print_rule(q, other, t);
    for (unsigned c = 0; c < unit_clauses(u); c++) {
        struct profile p = a->readings;
        unsigned reading = other->readings.reading[c];
        if (!covered(&a->coverage, c) || p.reading[c] == reading)
            continue;
        p.reading[c] = (uint8_t)reading;
        buffer_answer(q, "", &p, changed);
        if (!buffer_same_rule(q, a, changed))
            text_add(t, ", because of %s=%s", unit_clause(u, c)->id, unit_clause(u, c)->readings[reading].id);
    }
    text_add(t, "\n");
    free(changed);
}

static void print_summary(const struct buffer_question *q, const struct buffer_answer *a,
                          const struct buffer_answer *other, struct text *t)
{
    struct lane_count c = count_lanes(q, a);
    unsigned partly = c.active - c.whole - c.lost;
    if (a->end != END_DONE) {
        text_add(t, "  %s: %s\n", end_name(a->end), q->tc.unit->reasons[a->reason]);
        return;
    }
    text_add(t, "  lanes        %u in range, %u not", c.whole, c.lost);
    text_add(t, partly ? ", %u in part\n" : "\n", partly);
    text_add(t, "  in range if  ");
    buffer_print_rule(q, a, t);
    text_add(t, "\n");
    if (other)
        print_other_rule(q, a, other, t);
    text_add(t, "  rule         ");
    buffer_print_source(q, a, t);
    text_add(t, "\n");
    print_equation(q, a, t);
}

void buffer_print_answer(const struct buffer_question *q, const struct buffer_answer *a,
                         const struct buffer_answer *other, struct text *t)
{
    print_summary(q, a, other, t);
    if (q->generation != AMD_GFX11)
        text_add(t,
                 "  manual       the \"RDNA3\" guide, or the guide of another GPU where a clause names it\n");
    if (a->end != END_DONE)
        return;
    text_add(t, "\n");
    print_heading(t);
    for (unsigned n = 0; n < AMD_LANES; n++)
        if (buffer_active(q, n))
            print_lane(q, a, n, t);
    text_add(t, "\n");
    buffer_draw(q, a, t);
    print_deciders(q, a, t);
}

/* Draws the buffer, unless the picture is that of `first`. */
static void draw_if_new(const struct buffer_question *q, const struct buffer_answer *a,
                        const struct buffer_answer *first, struct text *t)
{
    struct text new = {0}, old = {0};
    buffer_draw(q, a, &new);
    buffer_draw(q, first, &old);
    if (strcmp(text_chars(&new), text_chars(&old)) != 0)
        text_add(t, "\n%s", text_chars(&new));
    text_free(&new);
    text_free(&old);
}

void buffer_print_rival(const struct buffer_question *q, const struct buffer_answer *a,
                        const struct buffer_answer *first, struct text *t)
{
    print_summary(q, a, NULL, t);
    print_cause(q, a, first, t);
    if (a->end != END_DONE)
        return;
    text_add(t, "\n  only the lanes that differ from %s:\n", first->profile);
    print_heading(t);
    for (unsigned n = 0; n < AMD_LANES; n++)
        if (buffer_active(q, n) && !buffer_same_lane(a, first, n))
            print_lane(q, a, n, t);
    draw_if_new(q, a, first, t);
    print_deciders(q, a, t);
}
