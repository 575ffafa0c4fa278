/* SPDX-License-Identifier: MIT */
#include "oracle/compare/compare.h"

#include <inttypes.h>
#include <string.h>

void tally_answer(struct tally *t, enum answer a)
{
    t->cases++;
    t->answers[a]++;
}

/* A tally is nothing but counters. */
_Static_assert(sizeof(struct tally) % sizeof(uint64_t) == 0, "struct tally must hold uint64_t members only");

bool tally_compared_nothing(const struct tally *t)
{
    return t->compared == t->untouched;
}

void tally_merge(struct tally *into, const struct tally *from)
{
    uint64_t *to = (uint64_t *)(void *)into;
    const uint64_t *add = (const uint64_t *)(const void *)from;
    for (size_t i = 0; i < sizeof *into / sizeof *to; i++)
        to[i] += add[i];
}

static void print_if(struct text *out, const char *before, uint64_t n, const char *what)
{
    if (n)
        text_add(out, "%s%" PRIu64 " %s", before, n, what);
}

static void print_different(struct text *out, uint64_t n, const char *what)
{
    if (n)
        text_add(out, "; %" PRIu64 " different case%s %s", n, plural(n), what);
}

void tally_print(const struct tally *t, struct text *out)
{
    text_add(out,
             "%" PRIu64 " case%s, %" PRIu64 " compared in %" PRIu64 " lane%s and %" PRIu64 " bit%s: %" PRIu64
             " equal, %" PRIu64 " different",
             t->cases, plural(t->cases), t->compared, t->lanes, plural(t->lanes), t->bits, plural(t->bits),
             t->equal, t->different);
    print_if(out, ", ", t->predicted, "as the causes already found foretell");
    print_if(out, "; ", t->vacuous, "had an outcome, but no defined bit to compare");
    text_add(out,
             "; masked: %" PRIu64 " bit%s undefined by the specification, %" PRIu64
             " bit%s not recorded by the board",
             t->masked_model, plural(t->masked_model), t->masked_board, plural(t->masked_board));
    print_if(out, "; ", t->undefined_only, "differed in undefined bits only");
    print_if(out, "; ", t->untouched, "touched no row");
    print_if(out, "; ", t->ends_only, "compared by their end only");
    text_add(out, "; refused: %" PRIu64 ", unknown to the trace: %" PRIu64 ", no answer: %" PRIu64,
             t->answers[ANSWER_REFUSED], t->answers[ANSWER_UNKNOWN], t->answers[ANSWER_NOTHING]);
    print_different(out, t->known, "explained together by the causes already found");
    print_different(out, t->unfiled,
                    "searched, but left without a finding (there were as many as a run keeps)");
    print_different(out, t->unattributed, "not searched (of a flood only a sample is)");
}

/* One row of a comparison: where its words and masks are, and what of it counts. */
struct row_pair {
    const uint32_t *model, *board;
    const uint32_t *model_defined, *board_defined; /* NULL: all */
    uint32_t cols, bits, mask; /* the row's columns; meaningful low bits of each word, and as a mask */
    uint32_t row;
};

/* Walks over the rows that count, in ascending order. */
struct row_walk {
    const struct outcome *model, *board;
    const struct region *region, *end;
    uint32_t word;
    uint64_t left;                   /* rows still to come of touched-word `word` */
    uint32_t room[2][ROW_WORDS_MAX]; /* for masks that stand nowhere */
};

static uint64_t counted_rows(const struct outcome *model, const struct outcome *board, uint32_t word)
{
    return board->complete ? model->touched[word] | board->touched[word] : board->touched[word];
}

/* Rows of which a side has not said that they hold what the case put there, in every bit. */
static uint64_t perhaps_changed(const struct outcome *o, uint32_t word)
{
    return o->touched[word] & ~o->unchanged[word];
}

static uint64_t rows_of_word(const struct outcome *model, const struct outcome *board, uint32_t word)
{
    return counted_rows(model, board, word) & (perhaps_changed(model, word) | perhaps_changed(board, word));
}

/* How an outcome's unchanged rows of region i are recorded; NULL: in full. */
static const struct outcome_partial *partially_recorded(const struct outcome *o, unsigned i)
{
    for (unsigned n = 0; n < OUTCOME_PARTIAL_MAX; n++)
        if (o->partial[n].lanes && o->partial[n].region == i)
            return &o->partial[n];
    return NULL;
}

/* Which words of row `number` of a region count: all if it is not unchanged, since its masks are looked at
 * where it is compared. */
static uint64_t lanes_recorded(const struct outcome *o, const struct outcome_partial *p,
                               const struct region *r, uint32_t number)
{
    uint32_t row = r->first_row + number;
    uint64_t all = UINT64_MAX >> (64 - r->cols);
    return p && o->unchanged[row / 64] >> row % 64 & 1 ? all & p->lanes[number % p->period] : all;
}

/* Rows of region i that are equal: on which sides are they unchanged, and so perhaps not recorded in full? */
static void count_equal(struct tally *t, const struct outcome *model, const struct outcome *board, unsigned i,
                        uint32_t word, uint64_t rows)
{
    const struct region *r = &model->unit->layout.regions[i];
    const struct outcome_partial *of_model = partially_recorded(model, i),
                                 *of_board = partially_recorded(board, i);
    if (!of_model && !of_board) {
        uint64_t lanes = rows ? (uint64_t)__builtin_popcountll(rows) * r->cols : 0;
        t->lanes += lanes;
        t->bits += lanes * r->bits;
        return;
    }
    for (uint64_t left = rows; left; left &= left - 1) {
        uint32_t number = 64 * word + (uint32_t)__builtin_ctzll(left) - r->first_row;
        uint64_t recorded = lanes_recorded(board, of_board, r, number),
                 both = recorded & lanes_recorded(model, of_model, r, number);
        uint32_t lanes = both ? (uint32_t)__builtin_popcountll(both) : 0,
                 of_recorded = recorded ? (uint32_t)__builtin_popcountll(recorded) : 0;
        t->lanes += lanes;
        t->bits += (uint64_t)lanes * r->bits;
        t->masked_board += (uint64_t)(r->cols - of_recorded) * r->bits;
        t->masked_model += (uint64_t)(of_recorded - lanes) * r->bits;
    }
}

/* The others that count are equal, and need no look. */
static void count_unchanged(struct tally *t, const struct outcome *model, const struct outcome *board)
{
    const struct layout *l = &model->unit->layout;
    uint64_t any = 0;
    for (uint32_t word = 0; word * 64 < l->rows; word++)
        any |= model->unchanged[word] | board->unchanged[word];
    for (unsigned i = 0; any && i < l->region_count; i++) {
        const struct region *r = &l->regions[i];
        uint32_t end = (uint32_t)r->first_row + r->rows, next;
        for (uint32_t row = r->first_row; row < end; row = next) {
            uint32_t word = row / 64;
            next = 64 * (word + 1) < end ? 64 * (word + 1) : end;
            uint64_t rows = counted_rows(model, board, word) & ~rows_of_word(model, board, word);
            count_equal(t, model, board, i, word, rows & (UINT64_MAX >> (64 - (next - row))) << row % 64);
        }
    }
}

static void walk_begin(struct row_walk *w, const struct outcome *model, const struct outcome *board)
{
    const struct layout *l = &model->unit->layout;
    w->model = model;
    w->board = board;
    w->region = l->regions;
    w->end = l->regions + l->region_count;
    w->word = 0;
    w->left = rows_of_word(model, board, 0);
}

/* NULL: all bits are defined. */
static const uint32_t *masks_of(const struct outcome *o, uint32_t row, uint32_t *room)
{
    return o->checked && !(o->fully_defined[row / 64] >> row % 64 & 1) ? outcome_masks(o, row, room) : NULL;
}

static bool walk_next(struct row_walk *w, struct row_pair *p)
{
    const struct layout *l = &w->model->unit->layout;
    uint32_t words = ((uint32_t)l->rows + 63) / 64;
    for (;;) {
        while (!w->left) {
            if (++w->word >= words)
                return false;
            w->left = rows_of_word(w->model, w->board, w->word);
        }
        uint32_t row = w->word * 64 + (uint32_t)__builtin_ctzll(w->left);
        w->left &= w->left - 1;
        while (w->region < w->end && row >= (uint32_t)w->region->first_row + w->region->rows)
            w->region++;
        if (w->region == w->end)
            return false;
        if (row < w->region->first_row)
            continue; /* a row that belongs to no region */
        size_t at = (size_t)row * l->row_words;
        p->model = w->model->value + at;
        p->board = w->board->value + at;
        p->model_defined = masks_of(w->model, row, w->room[0]);
        p->board_defined = masks_of(w->board, row, w->room[1]);
        p->cols = w->region->cols;
        p->bits = w->region->bits;
        p->mask = 0xFFFFFFFFU >> ((32U - w->region->bits) & 31U);
        p->row = row;
        return true;
    }
}

/* By shifts and adds: without a popcnt instruction __builtin_popcount is a call, and no compiler makes that
 * wide; this it does. */
static uint32_t popcount(uint32_t x)
{
    x -= (x >> 1) & 0x55555555U;
    x = (x & 0x33333333U) + ((x >> 2) & 0x33333333U);
    x = (x + (x >> 4)) & 0x0F0F0F0FU;
    x += x >> 8;
    return (x + (x >> 16)) & 63U;
}

static void note_difference(struct differences *d, const struct row_pair *p, uint32_t col, uint32_t mask)
{
    if (d->listed < DIFFERENCES_MAX)
        d->word[d->listed++] =
            (struct word_difference){(uint16_t)p->row, (uint16_t)col, p->model[col], p->board[col], mask};
    d->words++;
    d->bits += popcount((p->model[col] ^ p->board[col]) & mask);
}

/* Neither side has masks: what is compared is known beforehand, so the words need only one pass of XOR and
 * OR, which the compiler makes wide. */
static bool row_equal_unmasked(const struct row_pair *p)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < p->cols; i++)
        any |= p->model[i] ^ p->board[i];
    return !(any & p->mask);
}

/* What is compared of a row, and whether it differs: without a branch a word, so that several are done at
 * once. */
struct row_sums {
    uint32_t differs;
    uint32_t lanes, recorded_bits, bits;
};

/* False, with the lanes alone counted: some masks are neither empty nor whole, so bits have to be counted. */
static bool row_sum_lanes(const struct row_pair *p, const uint32_t *model_defined,
                          const uint32_t *board_defined, struct row_sums *s)
{
    uint32_t partly = 0, recorded_lanes = 0, all = p->mask;
    *s = (struct row_sums){0};
    for (uint32_t i = 0; i < p->cols; i++) {
        uint32_t recorded = board_defined[i] & all, mask = model_defined[i] & recorded,
                 any_recorded = recorded != 0, any = mask != 0;
        s->differs |= (p->model[i] ^ p->board[i]) & mask;
        partly |= (recorded ^ (all & (0U - any_recorded))) | (mask ^ (all & (0U - any)));
        recorded_lanes += any_recorded;
        s->lanes += any;
    }
    s->recorded_bits = recorded_lanes * p->bits;
    s->bits = s->lanes * p->bits;
    return !partly;
}

static void row_sum_bits(const struct row_pair *p, const uint32_t *model_defined,
                         const uint32_t *board_defined, struct row_sums *s)
{
    s->recorded_bits = s->bits = 0;
    for (uint32_t i = 0; i < p->cols; i++) {
        uint32_t recorded = board_defined[i] & p->mask;
        s->recorded_bits += popcount(recorded);
        s->bits += popcount(model_defined[i] & recorded);
    }
}

static bool row_compare_masked(const struct row_pair *p, struct tally *t, struct differences *d)
{
    static const uint32_t no_mask[ROW_WORDS_MAX] = {[0 ... ROW_WORDS_MAX - 1] = UINT32_MAX};
    const uint32_t *board_defined = p->board_defined ? p->board_defined : no_mask,
                   *model_defined = p->model_defined ? p->model_defined : no_mask;
    struct row_sums s;
    if (!row_sum_lanes(p, model_defined, board_defined, &s) && t)
        row_sum_bits(p, model_defined, board_defined, &s);
    if (t) {
        t->masked_board += (uint64_t)p->cols * p->bits - s.recorded_bits;
        t->masked_model += s.recorded_bits - s.bits;
        t->bits += s.bits;
        t->lanes += s.lanes;
    }
    for (uint32_t i = 0; d && s.differs && i < p->cols; i++) {
        uint32_t mask = board_defined[i] & model_defined[i] & p->mask;
        if ((p->model[i] ^ p->board[i]) & mask)
            note_difference(d, p, i, mask);
    }
    return !s.differs;
}

/*
 * Most rows of a checked run are defined in full; they are compared as if there were no masks.
 * 600 k vc4-vpm cases of a campaign, a third of them different: 2.6 s of processor time before, 2.2 s so.
 */
static uint32_t in_all(const uint32_t *words, uint32_t count)
{
    uint32_t all = UINT32_MAX;
    for (uint32_t i = 0; words && i < count; i++)
        all &= words[i];
    return all;
}

static bool row_has_mask(const struct row_pair *p)
{
    return p->mask & ~(in_all(p->model_defined, p->cols) & in_all(p->board_defined, p->cols));
}

static bool row_compare(const struct row_pair *p, struct tally *t, struct differences *d)
{
    if ((p->model_defined || p->board_defined) && row_has_mask(p))
        return row_compare_masked(p, t, d);
    if (t) {
        t->lanes += p->cols;
        t->bits += (uint64_t)p->cols * p->bits;
    }
    if (row_equal_unmasked(p))
        return true;
    for (uint32_t i = 0; d && i < p->cols; i++)
        if ((p->model[i] ^ p->board[i]) & p->mask)
            note_difference(d, p, i, p->mask);
    return false;
}

static bool count_end(struct tally *t, bool equal)
{
    if (t) {
        t->compared++;
        t->ends_only++;
        t->equal += equal;
        t->different += !equal;
    }
    return equal;
}

bool outcomes_equal(const struct outcome *model, const struct outcome *board, struct tally *t,
                    struct differences *d)
{
    if (d) {
        d->end_differs =
            model->end != board->end && model->end != END_UNDEFINED && board->end != END_UNDEFINED;
        d->words = d->listed = 0;
        d->bits = 0;
    }
    if (model->end == END_UNDEFINED || board->end == END_UNDEFINED) {
        if (t)
            t->vacuous++;
        return true;
    }
    if (model->end != board->end || model->end != END_DONE)
        return count_end(t, model->end == board->end);
    bool equal = true, rows = false;
    uint64_t bits_before = t ? t->bits : 0;
    struct row_walk w;
    struct row_pair p;
    if (t)
        count_unchanged(t, model, board);
    for (walk_begin(&w, model, board); walk_next(&w, &p);) {
        rows = true;
        if (row_compare(&p, t, d))
            continue;
        equal = false;
        if (!t && !d)
            return false;
    }
    if (!t)
        return equal;
    bool nothing = t->bits == bits_before;
    if (nothing && (rows || !board->complete)) {
        t->vacuous++;
        return true;
    }
    t->compared++;
    t->untouched += nothing;
    t->equal += equal;
    t->different += !equal;
    return equal;
}

uint64_t outcomes_distance(const struct outcome *model, const struct outcome *board, uint64_t enough)
{
    if (model->end != board->end)
        return DISTANCE_ENDS;
    if (model->end != END_DONE)
        return 0;
    uint64_t bits = 0;
    struct row_walk w;
    struct row_pair p;
    for (walk_begin(&w, model, board); bits <= enough && walk_next(&w, &p);)
        for (uint32_t i = 0; i < p.cols; i++) {
            uint32_t mask = p.mask & (p.board_defined ? p.board_defined[i] : ~0U) &
                            (p.model_defined ? p.model_defined[i] : ~0U);
            bits += popcount((p.model[i] ^ p.board[i]) & mask);
        }
    return bits;
}

/* Which of a word's four bytes are not zero, as four bits. */
static uint32_t bytes_set(uint32_t x)
{
    return (uint32_t)((x & 0xFFU) != 0) | (uint32_t)((x & 0xFF00U) != 0) << 1 |
           (uint32_t)((x & 0xFF0000U) != 0) << 2 | (uint32_t)(x >> 24 != 0) << 3;
}

uint64_t differences_signature(const struct unit *u, const struct outcome *model, const struct outcome *board,
                               const struct differences *d)
{
    uint64_t h = random_mix64((uint64_t)model->end << 8 | (uint64_t)board->end);
    uint32_t bytes[REGIONS_MAX] = {0};
    for (uint32_t i = 0; i < d->listed; i++) {
        const struct word_difference *w = &d->word[i];
        const struct region *r = layout_region(&u->layout, w->row);
        bytes[r - u->layout.regions] |= bytes_set((w->model ^ w->board) & w->mask);
    }
    for (unsigned i = 0; i < u->layout.region_count; i++)
        h = random_mix64(h ^ ((uint64_t)(i + 1) << 8 | bytes[i]));
    return h;
}

/* How many differences from `first` on say the same of neighbouring words of one row. */
static uint32_t alike(const struct differences *d, uint32_t first)
{
    const struct word_difference *w = &d->word[first];
    uint32_t n = 1;
    while (first + n < d->listed && w[n].row == w->row && w[n].col == w->col + n && w[n].model == w->model &&
           w[n].board == w->board && w[n].mask == w->mask)
        n++;
    return n;
}

static void print_words(const struct unit *u, const struct word_difference *w, uint32_t count, struct text *t)
{
    const struct region *r = layout_region(&u->layout, w->row);
    unsigned row = w->row - (unsigned)r->first_row;
    int digits = (r->bits + 3) / 4;
    if (r->row_names)
        text_add(t, "%s %s", r->name, r->row_names[row]);
    else if (r->rows > 1)
        text_add(t, "%s %u", r->name, row);
    else
        text_add(t, "%s", r->name);
    text_add(t, " %s%s %u", r->drawing == DRAW_LANES ? "lane" : "word", count > 1 ? "s" : "", w->col);
    if (count > 1)
        text_add(t, " to %u", w->col + count - 1);
    text_add(t, ": model %0*" PRIX32 ", board %0*" PRIX32, digits, w->model, digits, w->board);
    if (w->mask != 0xFFFFFFFFU >> ((32U - r->bits) & 31U))
        text_add(t, " (compared under %0*" PRIX32 ")", digits, w->mask);
    text_add(t, "\n");
}

enum decided differences_decided(const struct differences *d, const struct outcome *model)
{
    if (d->end_differs || !model->checked)
        return DECIDED_ALL;
    uint32_t row_words = model->unit->layout.row_words;
    bool some = d->words > d->listed, all = true; /* more than were listed: the benefit of the doubt */
    for (uint32_t i = 0; i < d->listed; i++) {
        const struct word_difference *w = &d->word[i];
        uint32_t differed = (w->model ^ w->board) & w->mask,
                 defined = model->defined[w->row * row_words + w->col];
        some |= (differed & defined) != 0;
        all &= !(differed & ~defined);
    }
    return some ? all ? DECIDED_ALL : DECIDED_SOME : DECIDED_NONE;
}

void differences_print(const struct unit *u, const struct differences *d, unsigned most, struct text *t)
{
    if (d->end_differs)
        text_add(t, "they end differently\n");
    uint32_t shown = 0;
    for (unsigned lines = 0; shown < d->listed && lines < most; lines++) {
        uint32_t count = alike(d, shown);
        print_words(u, &d->word[shown], count, t);
        shown += count;
    }
    if (d->words > shown)
        text_add(t, "and %" PRIu32 " more word%s\n", d->words - shown, plural(d->words - shown));
}
