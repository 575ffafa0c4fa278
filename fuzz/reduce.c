/* SPDX-License-Identifier: MIT */
/*
 * Delta debugging over the schema. Passes are repeated until none helps. Each pass goes from coarse to fine.
 * A candidate is accepted if it is simpler by model/core/measure.h and `keeps` holds. So the reduction ends,
 * even if a unit's mend undoes a change.
 */
#include "fuzz/reduce.h"

#include "fuzz/generate/generate.h"
#include "model/core/measure.h"
#include "model/core/memory.h"

#include <stdlib.h>
#include <string.h>

struct reducer {
    struct test_case *best, *candidate;
    struct measure measure; /* measure of `best` */
    reduce_keeps keeps;
    void *context;
    uint64_t tried, budget;
};

static bool spent(const struct reducer *r)
{
    return r->budget && r->tried >= r->budget;
}

/* Tries the candidate, which is the best case with one change. Returns true if it is accepted. After that,
 * candidate and best case are equal. */
static bool attempt(struct reducer *r)
{
    if (r->best->unit->mend)
        r->best->unit->mend(r->candidate);
    struct measure m = case_measure(r->candidate);
    bool accepted = false;
    if (measure_order(&m, &r->measure) < 0 && !spent(r)) {
        r->tried++;
        accepted = r->keeps(r->context, r->candidate);
    }
    if (accepted) {
        case_copy(r->best, r->candidate);
        r->measure = m;
    } else {
        case_copy(r->candidate, r->best);
    }
    return accepted;
}

/* Sets one of the candidate's words and tries it. */
static bool try_word(struct reducer *r, uint32_t at, uint32_t value)
{
    if (r->candidate->words[at] == value)
        return false;
    r->candidate->words[at] = value;
    return attempt(r);
}

struct range {
    uint32_t usual, low, high;
};

static const struct range any_word = {0, 0, UINT32_MAX}, flag = {0, 0, 1};

static struct range field_range(const struct field *f)
{
    if (f->kind == FIELD_ENUM)
        return (struct range){f->initial, 0, f->max - 1};
    if (f->min_value == 0 && f->max_value == 0)
        return (struct range){f->initial, 0, UINT32_MAX};
    return (struct range){f->initial, f->min_value, f->max_value};
}

/* Tries the default, then the lowest value, then the default of one bit after the other, highest first. */
static bool simplify_word(struct reducer *r, uint32_t at, struct range range)
{
    bool any = try_word(r, at, range.usual);
    any |= try_word(r, at, range.low);
    for (unsigned bit = 32; bit-- > 0 && !spent(r);) {
        uint32_t value = r->best->words[at], flip = 1U << bit, flipped = value ^ flip;
        if (((value ^ range.usual) & flip) && flipped >= range.low && flipped <= range.high)
            any |= try_word(r, at, flipped);
    }
    return any;
}

/* Drops runs of items: half of them, a quarter, ... one. Begins at the end, because later items depend on
 * earlier ones. */
static bool drop_items(struct reducer *r, const struct field *f)
{
    bool any = false;
    uint32_t *count;
    case_items(r->best, f, &count);
    for (uint32_t run = *count; run > 0; run /= 2)
        for (uint32_t end = *count; end > 0 && !spent(r);) {
            uint32_t start = end > run ? end - run : 0;
            case_drop_items(r->candidate, f, start, end - start);
            any |= attempt(r);
            end = start < *count ? start : *count;
        }
    return any;
}

enum { PAIRS_MAX = 16 }; /* no pairs are tried in longer lists, because they would take most of the time */

/*
 * Drops one item of each of two lists, or two items of one list, because some items only fit together: an
 * instruction that takes the next uniform and that uniform, or two items that start and end something.
 */
static bool drop_pairs(struct reducer *r, const struct field *f, const struct field *g)
{
    bool any = false;
    uint32_t *count_f, *count_g;
    case_items(r->best, f, &count_f);
    case_items(r->best, g, &count_g);
    for (uint32_t i = *count_f; i-- > 0 && !spent(r) && *count_f <= PAIRS_MAX && *count_g <= PAIRS_MAX;)
        for (uint32_t k = f == g ? i : *count_g; k-- > 0 && i < *count_f && k < *count_g && !spent(r);) {
            case_drop_items(r->candidate, f, i, 1);
            case_drop_items(r->candidate, g, k, 1); /* if both are in one list, k is below i */
            any |= attempt(r);
        }
    return any;
}

/* Replaces each instruction by a nop in one step. Bit by bit, it would become other instructions first. */
static bool clear_items(struct reducer *r, const struct field *f)
{
    bool any = false;
    const struct code *code = case_code(r->best);
    uint32_t *count, *items = case_items(r->candidate, f, &count), size = field_item_words(r->best->unit, f);
    for (uint32_t i = 0; i < *count && !spent(r); i++) {
        for (uint32_t k = 0; k < size; k++)
            items[i * size + k] = code->nop ? code->nop[k] : 0;
        any |= attempt(r);
    }
    return any;
}

/* Gives each bit field of a word its default in one step, because its bits have a meaning only together. */
static bool simplify_fields(struct reducer *r, uint32_t at, const struct bit_field *b, struct range range)
{
    bool any = false;
    for (; b && b->name && !spent(r); b++) {
        uint32_t mask = (b->width < 32 ? (1U << b->width) - 1 : UINT32_MAX) << b->low;
        uint32_t value = (r->best->words[at] & ~mask) | (range.usual & mask);
        if (value >= range.low && value <= range.high)
            any |= try_word(r, at, value);
    }
    return any;
}

/* Tries 0 for all words of an image row at once, then simplifies each word alone. Tries no other number for
 * all words at once, because the reduced case would often show another cause. */
static bool simplify_row(struct reducer *r, uint32_t first, uint32_t words)
{
    uint32_t *row = &r->candidate->words[first];
    memset(row, 0, words * sizeof *row);
    bool any = attempt(r);
    for (uint32_t i = 0; i < words; i++)
        any |= try_word(r, first + i, 0);
    for (uint32_t i = 0; i < words && !spent(r); i++)
        any |= simplify_word(r, first + i, any_word);
    return any;
}

static bool simplify_image(struct reducer *r, const struct field *f)
{
    uint32_t at = f->offset;
    bool any = false;
    for (uint32_t fill = 0; fill < r->best->words[at]; fill++)
        any |= try_word(r, at, fill);
    any |= try_word(r, at + 1, 0);
    uint32_t *count, *rows = case_items(r->best, f, &count), size = field_item_words(r->best->unit, f);
    for (uint32_t row = 0; row < *count && !spent(r); row++)
        any |= simplify_row(r, (uint32_t)(rows - r->best->words) + row * size + 1, f->row_words);
    return any;
}

/* Gives each field of the instruction at `at` its simplest value in one step. Bit by bit, a selector would
 * become other selectors on the way. */
static bool simplify_instruction(struct reducer *r, uint32_t at)
{
    bool any = false;
    const struct code *code = case_code(r->best);
    uint32_t simplest[CODE_WORDS_MAX];
    measure_simplest(code, r->best->words + at, simplest);
    for (const struct bit_field *b = code->bits ? code->bits(r->best->words + at) : NULL;
         b && b->name && !spent(r); b++) {
        for (unsigned bit = b->low; bit < (unsigned)b->low + b->width; bit++) {
            uint32_t mask = 1U << bit % 32, *word = &r->candidate->words[at + bit / 32];
            *word = (*word & ~mask) | (simplest[bit / 32] & mask);
        }
        any |= attempt(r);
    }
    for (uint32_t k = 0; k < code->words && code->simplest; k++) /* the same with the nop as the base */
        r->candidate->words[at + k] ^= simplest[k] ^ code->nop[k];
    any |= attempt(r);
    for (uint32_t k = 0; k < code->words && !spent(r); k++) {
        struct range range = any_word;
        measure_simplest(code, r->best->words + at, simplest);
        range.usual = simplest[k];
        any |= simplify_word(r, at + k, range);
    }
    return any;
}

static bool simplify_items(struct reducer *r, const struct field *f)
{
    bool any = false;
    uint32_t *count, *items = case_items(r->best, f, &count), size = field_item_words(r->best->unit, f);
    uint32_t first = (uint32_t)(items - r->best->words);
    for (uint32_t i = 0; i < *count && f->kind == FIELD_CODE && !spent(r); i++)
        any |= simplify_instruction(r, first + i * size);
    for (uint32_t i = 0; i < *count * size && f->kind != FIELD_CODE && !spent(r); i++)
        any |= simplify_word(r, first + i, f->kind == FIELD_UNIFORMS && i % 2 == 0 ? flag : any_word);
    return any;
}

static bool is_list(const struct field *f)
{
    return f->kind != FIELD_ENUM && f->kind != FIELD_WORD;
}

/* Makes one pass over all fields. Code comes first. */
static bool reduce_round(struct reducer *r)
{
    const struct schema *s = &r->best->unit->schema;
    bool any = false;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < s->field_count; i++)
            if (is_list(&s->fields[i]) && (s->fields[i].kind == FIELD_CODE) == (pass == 0))
                any |= drop_items(r, &s->fields[i]);
    for (unsigned i = 0; i < s->field_count; i++)
        for (unsigned k = i; k < s->field_count; k++)
            if (is_list(&s->fields[i]) && is_list(&s->fields[k]))
                any |= drop_pairs(r, &s->fields[i], &s->fields[k]);
    for (unsigned i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];
        if (f->kind == FIELD_CODE)
            any |= clear_items(r, f);
        if (!is_list(f)) {
            any |= simplify_fields(r, f->offset, case_bits(r->best, f), field_range(f));
            any |= simplify_word(r, f->offset, field_range(f));
        } else if (f->kind == FIELD_IMAGE) {
            any |= simplify_image(r, f);
        } else {
            any |= simplify_items(r, f);
        }
    }
    return any;
}

uint64_t case_reduce(struct test_case *c, reduce_keeps keeps, void *context, uint64_t budget)
{
    struct reducer r = {.best = c,
                        .candidate = memory_new(1, sizeof *c),
                        .keeps = keeps,
                        .context = context,
                        .budget = budget};
    case_copy(r.candidate, c);
    r.measure = case_measure(c);
    while (!spent(&r) && reduce_round(&r))
        ;
    free(r.candidate);
    return r.tried;
}

void reduce_begin(struct reduce_same_cause *r)
{
    r->failed = false;
    r->error.text[0] = 0;
    r->explainer = explainer_new(r->executor);
    r->model = outcome_new(r->executor->unit);
    r->answer = outcome_new(r->executor->unit);
}

void reduce_end(struct reduce_same_cause *r)
{
    explainer_free(r->explainer);
    outcome_free(r->model);
    outcome_free(r->answer);
    r->explainer = NULL;
    r->model = r->answer = NULL;
}

static bool among(const struct explanation *e, const struct cause *c)
{
    for (unsigned i = 0; i < e->candidates; i++)
        if (cause_equal(&e->candidate[i], c))
            return true;
    return false;
}

bool reduce_keeps_cause(void *context, const struct test_case *candidate)
{
    struct reduce_same_cause *r = context;
    enum answer answer;
    struct differences d;
    if (r->failed)
        return false;
    if (!board_run_one(r->board, candidate, r->answer, &answer, &r->error)) {
        r->failed = true;
        return false;
    }
    if (answer != ANSWER_OUTCOME ||
        model_match(r->executor, candidate, r->profile, r->answer, r->model, NULL, &d) != MATCH_DIFFERENT)
        return false;
    const struct explanation *want = r->explanation;
    struct explanation got;
    if (!want->candidates) {
        if (differences_signature(r->executor->unit, r->model, r->answer, &d) != r->signature)
            return false;
        bool unspecified = unit_is_unspecified(r->executor->unit, r->model->reason);
        if (r->known &&
            model_match(r->executor, candidate, r->known, r->answer, r->model, NULL, NULL) != MATCH_DIFFERENT)
            return false;
        explainer_run(r->explainer, candidate, r->profile, r->answer, 1, 0, &got);
        return !got.candidates && unspecified == want->unspecified;
    }
    /* the cheap check comes first, because most candidates fail it */
    struct profile changed = *r->profile;
    cause_apply(&want->candidate[0], &changed);
    if (model_match(r->executor, candidate, &changed, r->answer, r->model, NULL, NULL) == MATCH_DIFFERENT)
        return false;
    explainer_run(r->explainer, candidate, r->profile, r->answer, want->candidate[0].count, 0, &got);
    if (got.masked != want->masked || got.more_candidates || !among(&got, &want->candidate[0]))
        return false;
    for (unsigned i = 0; i < got.candidates; i++)
        if (!want->more_candidates && !among(want, &got.candidate[i]))
            return false;
    return true;
}
