/* SPDX-License-Identifier: MIT */
#include "model/vc4/direct_unit.h"

#include <string.h>

const struct builtin_profile direct_profiles[] = {
    {"manual", "the literal text of VideoCoreIV-AG100-R", NULL},
    {"bcm2835", "best known behaviour of the chips of Raspberry Pi 0 to 3, as the clauses' sources report it",
     "BCM2835"},
    {0},
};

struct vc4_rows direct_rows(struct outcome *o, uint32_t first, uint32_t count)
{
    return (struct vc4_rows){
        .value = (struct vc4_vector *)(void *)outcome_row(o, first, VC4_LANES),
        .defined = (struct vc4_vector *)(void *)(o->defined + first * VC4_LANES),
        .touched = o->touched,
        .first = first,
        .rows = count,
    };
}

void direct_tolerate(struct outcome *o, uint32_t row, const struct vc4_vector *tolerance)
{
    uint32_t any = 0;
    for (unsigned i = 0; i < VC4_LANES; i++)
        any |= tolerance->lane[i];
    if (!any)
        return;
    memcpy(o->tolerance + (size_t)row * VC4_LANES, tolerance->lane, sizeof tolerance->lane);
    outcome_tolerate(o, row);
}

struct vc4_env direct_begin(struct run *r, uint32_t memory_row, struct observer *observer)
{
    const struct observer *o = run_observer(r, observer); /* of the unit's only part, the VPM or a TMU */
    outcome_reset(r->out, r->tc);
    r->out->checked = r->mode != RUN_PLAIN;
    return (struct vc4_env){.profile = r->profile,
                            .coverage = r->coverage,
                            .checked = r->out->checked,
                            .filler = r->filler,
                            .memory_base = r->memory_base,
                            .memory = direct_rows(r->out, memory_row, VC4_MEMORY_ROWS),
                            .observer = o,
                            .tmu_observer = o};
}

enum vc4_stop direct_observe_stop(const struct observer *o, unsigned point, enum vc4_stop stop,
                                  const uint32_t *input)
{
    if (stop == VC4_FAULT_UNDEFINED || !observer_wants(o, point))
        return stop;
    _Static_assert(VC4_STOPS <= 16, "the points have four bits");
    const uint32_t now = observe(o, point, stop, input);
    return now < VC4_STOPS && now != VC4_FAULT_UNDEFINED ? (enum vc4_stop)now : stop;
}

void direct_end(struct run *r, enum vc4_stop stop)
{
    r->out->end = (enum end)vc4_ends[stop];
    r->out->reason = (uint16_t)stop;
}

void direct_trace_row(const struct outcome *o, uint32_t row, struct text *t)
{
    vector_print((const struct vc4_vector *)(const void *)(o->value + row * VC4_LANES),
                 (const struct vc4_vector *)(const void *)(o->defined + row * VC4_LANES), VC4_LANES, 32, t);
}

void direct_trace_line(struct run *r, enum vc4_stop stop, struct text *t)
{
    if (stop)
        text_add(t, "; stops: %s", vc4_reasons[stop]);
    r->trace(r->trace_context, text_chars(t));
    text_free(t);
}

/* ---- Text of operations ---- */

bool op_print_head(const struct op_syntax *x, const uint32_t *words, struct text *t)
{
    uint32_t code = words[1] & OP_CODE_MASK;
    if (code >= x->codes) {
        text_add(t, "raw %08x %08x", (unsigned)words[0], (unsigned)words[1]);
        return false;
    }
    if (words[1] & x->with)
        text_add(t, "with ");
    if (words[1] & ~x->meaning(code))
        text_add(t, "junk=0x%x ", (unsigned)(words[1] & ~x->meaning(code)));
    return true;
}

bool op_parse(const struct op_syntax *x, const char *chars, size_t count, uint32_t *words, struct error *e)
{
    struct op_line s = {chars, count, 0};
    const char *word;
    size_t length = op_word(&s, &word);
    uint32_t with = 0, junk = 0;
    words[0] = words[1] = 0;
    if (op_word_is(word, length, "raw"))
        return op_parse_raw(&s, words, e) && op_parse_end(&s, e);
    if (x->with && op_word_is(word, length, "with")) {
        with = x->with;
        length = op_word(&s, &word);
    }
    if (length > 5 && !memcmp(word, "junk=", 5)) {
        if (!op_parse_named(&s, word, length, "junk", &junk, e))
            return false;
        length = op_word(&s, &word);
    }
    if (!x->parse_name(&s, word, length, words, e))
        return false;
    if (junk & x->meaning(words[1]))
        return error_set(e, "junk=0x%x has bits that mean something to %.*s; use \"raw\"", (unsigned)junk,
                         (int)length, word);
    words[1] |= with | junk;
    return x->parse_operand(&s, words, e) && op_parse_end(&s, e);
}

/* ---- Generation ---- */

void direct_mutate_field(struct random *r, const struct bit_field *fields, uint32_t *word)
{
    uint32_t count = 0;
    while (fields[count].name)
        count++;
    const struct bit_field *f = &fields[random_below(r, count)];
    uint32_t most = (uint32_t)((UINT64_C(1) << f->width) - 1), value = *word >> f->low & most;
    uint32_t any = random_u32(r), bit = 1U << random_below(r, f->width);
    const uint32_t choices[] = {value + 1, value - 1, 0, most, any, value ^ bit};
    value = PICK(r, choices);
    *word = (*word & ~(most << f->low)) | (value & most) << f->low;
}

void direct_mend_content(struct image_head *image)
{
    enum { SEEDS = 2 };
    image->seed = image->fill == FILL_RANDOM ? 1 + (image->seed + SEEDS - 1) % SEEDS : 0;
}
