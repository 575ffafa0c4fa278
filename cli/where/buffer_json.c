/* SPDX-License-Identifier: MIT */
#include "cli/where/buffer.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"

#include <stdio.h>
#include <string.h>

static json_t *hexadecimal(uint64_t value, int digits)
{
    char text[24];
    snprintf(text, sizeof text, "%0*llx", digits, (unsigned long long)value);
    return json_string(text);
}

/* Returns a data register as text, or null if it was not written. x: a digit that a load of 16 bits kept. */
static json_t *register_json(const struct buffer_question *q, uint32_t value)
{
    const uint32_t written = value ^ WHERE_UNWRITTEN;
    char text[9];
    snprintf(text, sizeof text, "%08x", value);
    if (q->insn.op->d16 && !(written >> 16))
        memset(text, 'x', 4);
    else if (q->insn.op->d16 && !(written & 0xFFFF))
        memset(text + 4, 'x', 4);
    return written ? json_string(text) : json_null();
}

static json_t *words_json(const uint32_t *word, unsigned count)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, hexadecimal(word[i], 8));
    return list;
}

static json_t *text_json(struct text *t)
{
    json_t *j = json_text(text_chars(t));
    text_free(t);
    return j;
}

/* Returns the text without its last line end. */
static json_t *lines_json(const char *lines)
{
    struct text t = {0};
    size_t length = strlen(lines);
    text_add_chars(&t, lines, length - (length && lines[length - 1] == '\n'));
    return text_json(&t);
}

json_t *buffer_question_json(const struct buffer_question *q)
{
    struct text fields = {0};
    struct amd_descriptor d;
    json_t *set = json_object();
    amd_descriptor_decode(q->generation, q->descriptor, &d);
    amd_descriptor_print(q->generation, q->descriptor, &fields);
    for (unsigned i = 0; i < q->set.count; i++) {
        const struct setting *s = &q->set.item[i];
        json_t *list = json_array();
        for (unsigned k = 0; k < s->count; k++)
            json_array_append_new(list, json_integer((json_int_t)s->value[k]));
        json_object_set_new(set, s->name, list);
    }
    return json_pack("{s:o, s:o, s:o, s:{s:i, s:o, s:o, s:I, s:i, s:I}, s:o, s:o}", "instruction",
                     json_text(q->text), "isa", json_text(q->isa), "words",
                     words_json(q->words, amd_insn_words(q->generation, q->words[0])), "descriptor", "sgpr",
                     (int)(4 * q->insn.srsrc), "words", words_json(q->descriptor, AMD_DESCRIPTOR_WORDS),
                     "fields", text_json(&fields), "base", (json_int_t)d.base, "stride", (int)d.stride,
                     "num_records", (json_int_t)d.num_records, "set", set, "assumed",
                     lines_json(text_chars(&q->notes)));
}

static json_t *lane_json(const struct buffer_question *q, const struct buffer_answer *a, unsigned lane)
{
    const struct buffer_lane *l = &a->lane[lane];
    json_t *dwords = json_array(), *returned = NULL;
    bool out = false;
    for (unsigned k = 0; k < a->units; k++) {
        const struct buffer_dword *d = &l->dword[k];
        struct text fate = {0};
        buffer_print_fate(q, a, lane, k, &fate);
        out = out || !buffer_in_range(d);
        json_array_append_new(dwords, json_pack("{s:I, s:b, s:o}", "address", (json_int_t)d->address,
                                                "in_range", buffer_in_range(d), "result", text_json(&fate)));
    }
    if (out && q->insn.op->kind == AMD_LOAD && !amd_to_lds(&q->insn)) {
        unsigned count = amd_data_registers(q->generation, &q->insn);
        returned = json_array();
        for (unsigned v = 0; v < count && v < WHERE_VALUES; v++) /* null: memory or the old value decides */
            json_array_append_new(returned, a->units > 1 && !a->check.together && v < a->units &&
                                                    buffer_in_range(&l->dword[v])
                                                ? json_null()
                                                : register_json(q, l->value[v]));
    }
    bool placed = a->check.bound; /* an unbound V# gives no place */
    return json_pack("{s:i, s:o, s:o, s:o, s:o*}", "lane", (int)lane, "index",
                     placed ? json_integer(l->index) : json_null(), "offset",
                     placed ? json_integer(l->offset) : json_null(), "dwords", dwords, "returns", returned);
}

static json_t *decider_json(const struct buffer_question *q, const struct buffer_answer *a,
                            const struct buffer_decider *d)
{
    const struct clause *c = unit_clause(q->tc.unit, d->clause);
    const struct reading *now = &c->readings[a->readings.reading[d->clause]];
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:i, s:i}", "clause", c->id, "where", c->where,
                     "reading", now->id, "evidence", evidence_name(now->evidence), "source", now->source,
                     "other", c->readings[d->other].id, "other_refuses_the_instruction", d->refuses,
                     "lanes_that_would_differ", (int)d->lanes, "first_lane", (int)d->first);
}

/* Returns what `print` prints of the answer. */
static json_t *printed(void (*print)(const struct buffer_question *, const struct buffer_answer *,
                                     struct text *),
                       const struct buffer_question *q, const struct buffer_answer *a)
{
    struct text t = {0};
    print(q, a, &t);
    return text_json(&t);
}

json_t *buffer_answer_json(const struct buffer_question *q, const struct buffer_answer *a)
{
    json_t *lanes = json_array(), *clauses = json_array();
    for (unsigned n = 0; n < AMD_LANES; n++)
        if (buffer_active(q, n))
            json_array_append_new(lanes, lane_json(q, a, n));
    for (unsigned i = 0; i < a->clauses; i++)
        json_array_append_new(clauses, decider_json(q, a, &a->decider[i]));
    return json_pack("{s:o, s:s, s:s, s:o, s:o, s:b, s:I, s:o, s:o}", "profile", json_text(a->profile), "end",
                     end_name(a->end), "reason", q->tc.unit->reasons[a->reason], "in_range_if",
                     printed(buffer_print_rule, q, a), "rule", printed(buffer_print_source, q, a), "swizzled",
                     a->check.swizzled != 0, "stride", (json_int_t)a->check.stride_address, "lanes", lanes,
                     "deciding_clauses", clauses);
}
