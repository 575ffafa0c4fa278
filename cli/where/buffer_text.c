/* SPDX-License-Identifier: MIT */
/* The answer as text: what was understood, and the rule. buffer_table.c prints the lanes. */
#include "cli/where/buffer.h"
#include "model/amd/points/amd_points.h"

#include <string.h>

/* ---- the question ---- */

static void print_setting(const struct setting *s, struct text *t)
{
    text_add(t, "  %-11s ", s->name);
    for (unsigned i = 0; i < s->count; i++) {
        unsigned last = i;
        uint64_t step = i + 1 < s->count ? s->value[i + 1] - s->value[i] : 0;
        while (last + 1 < s->count && s->value[last + 1] - s->value[last] == step)
            last++;
        bool run = last - i > 1 && (int64_t)step > 0;
        text_add(t, s->kind == 'e' ? "%s0x%llx" : "%s%llu", i ? "," : "", (unsigned long long)s->value[i]);
        if (run) {
            text_add(t, "..%llu", (unsigned long long)s->value[last]);
            if (step > 1)
                text_add(t, ":%llu", (unsigned long long)step);
            i = last;
        }
    }
    text_add(t, s->kind == 'v' && s->count > 1 ? " (lanes 0 to %u)\n" : "\n", s->count - 1);
}

static void print_lines(const char *first, const char *lines, struct text *t)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        text_add(t, "  %-11s %.*s\n", first, (int)length, lines);
        lines += length + (lines[length] == '\n');
        first = "";
    }
}

static void print_descriptor(const struct buffer_question *q, struct text *t)
{
    struct amd_descriptor d;
    const struct amd_descriptor_rule *rule;
    struct text fields = {0}, name = {0};
    unsigned n = 0;
    amd_descriptor_decode(q->generation, q->descriptor, &d);
    amd_descriptor_print(q->generation, q->descriptor, &fields);
    text_add(&name, "s[%u:%u]", 4 * q->insn.srsrc, 4 * q->insn.srsrc + AMD_DESCRIPTOR_WORDS - 1);
    text_add(t, "  %-11s", text_chars(&name));
    for (unsigned i = 0; i < AMD_DESCRIPTOR_WORDS; i++)
        text_add(t, " %08x", q->descriptor[i]);
    text_add(t, "\n%14s", "");
    help_fill(t, text_chars(&fields), fields.length, 14, 14);
    text_add(t, "\n%14sSTRIDE %u bytes, NUM_RECORDS %u\n", "", d.stride, d.num_records);
    if (amd_is_gcn(q->generation) && d.add_tid_enable && d.format & 15)
        text_add(t, "%14snote: with ADD_TID, DATA_FORMAT %u is bits 17:14 of the stride\n", "",
                 d.format & 15);
    while ((rule = amd_descriptor_check(q->generation, &d, &n))) {
        struct text line = {0};
        text_add(&line, "note: %s %s (%s)", rule->field, rule->says, rule->source);
        text_add(t, "%14s", "");
        help_fill(t, text_chars(&line), line.length, 14, 14);
        text_add(t, "\n");
        text_free(&line);
    }
    text_free(&fields);
    text_free(&name);
}

void buffer_print_question(const struct buffer_question *q, struct text *t)
{
    text_add(t, "%s\n  %-11s", q->text, q->isa);
    for (unsigned i = 0; i < amd_insn_words(q->generation, q->words[0]); i++)
        text_add(t, " %08x", q->words[i]);
    text_add(t, "\n");
    print_descriptor(q, t);
    for (unsigned i = 0; i < q->set.count; i++)
        print_setting(&q->set.item[i], t);
    print_lines("assumed", text_chars(&q->notes), t);
}

/* ---- the rule ---- */

/* Returns a limit that comes from NUM_RECORDS in words, or "" if a rule made another one. */
static const char *records_name(const struct buffer_check *c, uint32_t limit)
{
    uint32_t records = c->records;
    if (limit == records)
        return " (NUM_RECORDS)";
    if (c->soffset && limit == (records > c->soffset ? records - c->soffset : 0))
        return " (NUM_RECORDS - SOFFSET)";
    if (c->soffset && limit == records - c->soffset)
        return " (NUM_RECORDS - SOFFSET, wrapped)";
    return "";
}

/* An index is never compared with STRIDE. */
static const char *index_limit_name(const struct buffer_check *c)
{
    const char *name = records_name(c, c->index_limit);
    return *name || c->stride < 2 || c->index_limit != c->records / c->stride ? name
                                                                              : " (NUM_RECORDS / STRIDE)";
}

/* An offset is compared with STRIDE in checks that also compare an index, and under OOB_SELECT 2. */
static const char *offset_limit_name(const struct buffer_question *q, const struct buffer_answer *a)
{
    const struct buffer_check *c = &a->check;
    struct amd_descriptor d;
    amd_descriptor_decode(q->generation, q->descriptor, &d);
    bool by_stride = c->index || (!amd_is_gcn(q->generation) && d.oob_select == 2);
    if (by_stride)
        return c->limit == c->stride ? " (STRIDE)" : "";
    const char *name = records_name(c, c->limit);
    return *name || !c->stride || c->limit != (uint64_t)c->records * c->stride ? name
                                                                               : " (NUM_RECORDS * STRIDE)";
}

/* Names what the check compares. */
static const char *measured(const struct buffer_answer *a)
{
    const struct buffer_check *c = &a->check;
    if (!c->by_offset && c->swizzled)
        return "swizzled offset";
    for (unsigned n = 0; n < AMD_LANES; n++)
        if (a->lane[n].dword[0].decision &&
            a->lane[n].dword[0].sum != (uint64_t)a->lane[n].offset + c->payload + c->add)
            return "index * STRIDE + offset";
    return "offset";
}

static void print_offset_rule(const struct buffer_question *q, const struct buffer_answer *a, struct text *t)
{
    const struct buffer_check *c = &a->check;
    text_add(t, "%s", measured(a));
    if (c->add)
        text_add(t, c->add == c->soffset ? " + SOFFSET (%u)" : " + %u", c->add);
    if (c->payload == 1) /* offset + 1 <= limit */
        text_add(t, " < %u%s", c->limit, offset_limit_name(q, a));
    else
        text_add(t, " + %u bytes <= %u%s", c->payload, c->limit, offset_limit_name(q, a));
}

void buffer_print_rule(const struct buffer_question *q, const struct buffer_answer *a, struct text *t)
{
    const struct buffer_check *c = &a->check;
    if (!c->bound) {
        text_add(t, "never: the V# counts as unbound");
    } else if (!c->seen) {
        text_add(t, "the instruction moves nothing");
    } else if (c->none) {
        text_add(t, "never: NUM_RECORDS is 0");
    } else if (!c->index && !c->offset) {
        text_add(t, "always: this access is not range-checked");
    } else {
        if (c->index)
            text_add(t, "index < %u%s", c->index_limit, index_limit_name(c));
        if (c->index && c->offset)
            text_add(t, " and ");
        if (c->offset)
            print_offset_rule(q, a, t);
    }
}

bool buffer_same_rule(const struct buffer_question *q, const struct buffer_answer *a,
                      const struct buffer_answer *b)
{
    struct text one = {0}, other = {0};
    buffer_print_rule(q, a, &one);
    buffer_print_rule(q, b, &other);
    bool same = !strcmp(text_chars(&one), text_chars(&other));
    text_free(&one);
    text_free(&other);
    return same;
}

void buffer_print_source(const struct buffer_question *q, const struct buffer_answer *a, struct text *t)
{
    static const char *const names[] = {"index and offset", "index only", "NUM_RECORDS 0", "complete"};
    struct amd_descriptor d;
    amd_descriptor_decode(q->generation, q->descriptor, &d);
    if (!a->check.bound)
        text_add(t, "%s", amd_points[AMD_POINT_BUFFER_BOUND].where);
    else if (q->generation == AMD_GFX8)
        text_add(t, "documentation of the CLRX assembler, GCN range checks");
    else if (amd_is_gcn(q->generation))
        text_add(t, "\"CDNA3\" guide 9.1.5.1");
    else
        text_add(t, "%s, OOB_SELECT %u (%s)", amd_points[AMD_POINT_CHECK_LIMIT].where, d.oob_select,
                 names[d.oob_select]);
}

void buffer_print_why(const struct buffer_answer *a, unsigned lane, unsigned k, struct text *t)
{
    const struct buffer_check *c = &a->check;
    const struct buffer_lane *l = &a->lane[lane];
    const struct buffer_dword *d = &l->dword[c->together ? 0 : k];
    if (c->none)
        text_add(t, "NUM_RECORDS is 0");
    else if (c->index && l->checked_index >= c->index_limit)
        text_add(t, "index %u >= %u", l->checked_index, c->index_limit);
    else
        text_add(t, c->payload == 1 ? "%llu >= %u" : "%llu + %u > %u",
                 (unsigned long long)(d->sum - c->payload), c->payload == 1 ? c->limit : c->payload,
                 c->limit);
}
