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

bool tally_is_mute(const struct tally *t)
{
    enum { MANY = 1 << 20 };
    return t->cases >= MANY && t->answers[ANSWER_OUTCOME] == 0;
}

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

static void print_fact(struct text *out, uint64_t n, const char *thing, const char *what)
{
    if (n)
        text_add(out, "\n  %" PRIu64 " %s%s %s", n, thing, plural(n), what);
}

void tally_print(const struct tally *t, struct text *out)
{
    text_add(out, "%" PRIu64 " case%s, %" PRIu64 " compared: %" PRIu64 " equal, %" PRIu64 " different",
             t->cases, plural(t->cases), t->compared, t->equal, t->different);
    if (t->predicted)
        text_add(out, ", %" PRIu64 " predicted by the causes already found", t->predicted);
    text_add(out, "\n  %" PRIu64 " bit%s in %" PRIu64 " lane%s compared", t->bits, plural(t->bits), t->lanes,
             plural(t->lanes));
    print_fact(out, t->masked_model, "bit", "not compared: undefined by the specification");
    print_fact(out, t->masked_board, "bit", "not compared: not recorded by the board");
    print_fact(out, t->answers[ANSWER_REFUSED], "case", "refused by the board");
    print_fact(out, t->answers[ANSWER_UNKNOWN], "case", "not in the trace");
    print_fact(out, t->answers[ANSWER_NOTHING], "case", "without an answer");
    print_fact(out, t->vacuous, "case", "without a defined bit to compare");
    print_fact(out, t->undefined_only, "case", "different in undefined bits only");
    print_fact(out, t->untouched, "case", "compared by the end only: nothing was written");
    print_fact(out, t->ends_only, "case", "compared by the end only: ended early");
    print_fact(out, t->known, "different case",
               "without a difference once the causes already found are in the model");
    print_fact(out, t->unfiled, "different case", "searched, but the run had no room for another finding");
    print_fact(out, t->unattributed, "different case",
               "not searched (only a sample of similar cases is searched)");
}

/* A row of both outcomes, with masks. */
struct row_pair {
    const uint32_t *model, *board;
    const uint32_t *model_defined, *board_defined;     /* NULL: all */
    const uint32_t *model_tolerance, *board_tolerance; /* NULL: none */
    uint32_t cols, bits, mask; /* number of columns; bits used in each word, as a count and as a mask */
    uint32_t row;
};

/* A walk over the rows to compare, in ascending order. */
struct row_walk {
    const struct outcome *model, *board;
    const struct region *region, *end;
    uint32_t word;
    uint64_t left;                   /* remaining rows of word `word` of the bit set */
    uint32_t room[2][ROW_WORDS_MAX]; /* for masks that outcome_masks computes */
};

static uint64_t counted_rows(const struct outcome *model, const struct outcome *board, uint32_t word)
{
    return board->complete ? model->touched[word] | board->touched[word] : board->touched[word];
}

/* Returns the rows that may differ from the case's initial content, as a bit set. */
static uint64_t perhaps_changed(const struct outcome *o, uint32_t word)
{
    return o->touched[word] & ~o->unchanged[word];
}

static uint64_t rows_of_word(const struct outcome *model, const struct outcome *board, uint32_t word)
{
    return counted_rows(model, board, word) & (perhaps_changed(model, word) | perhaps_changed(board, word));
}

/* Says which lanes of the unchanged rows of region i the outcome recorded; NULL: all. */
static const struct outcome_partial *partly_recorded(const struct outcome *o, unsigned i)
{
    for (unsigned n = 0; n < OUTCOME_PARTIAL_MAX; n++)
        if (o->partial[n].lanes && o->partial[n].region == i)
            return &o->partial[n];
    return NULL;
}

/* Returns the recorded words of row `number` of a region, as a bit set. For a changed row it returns all
 * words, because the masks of that row say which are recorded. */
static uint64_t lanes_recorded(const struct outcome *o, const struct outcome_partial *p,
                               const struct region *r, uint32_t number)
{
    uint32_t row = r->first_row + number;
    uint64_t all = UINT64_MAX >> (64 - r->cols);
    return p && o->unchanged[row / 64] >> row % 64 & 1 ? all & p->lanes[number % p->period] : all;
}

/* Counts equal rows of region i. A side may have recorded only some lanes of an unchanged row. */
static void count_equal(struct tally *t, const struct outcome *model, const struct outcome *board, unsigned i,
                        uint32_t word, uint64_t rows)
{
    const struct region *r = &model->unit->layout.regions[i];
    const struct outcome_partial *of_model = partly_recorded(model, i), *of_board = partly_recorded(board, i);
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

/* Counts the rows that neither side changed, without reading them: they are equal. */
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

/* The masks of a row; NULL: all bits are defined. */
static const uint32_t *masks_of(const struct outcome *o, uint32_t row, uint32_t *room)
{
    return o->checked && !(o->fully_defined[row / 64] >> row % 64 & 1) ? outcome_masks(o, row, room) : NULL;
}

/* The tolerances of a row; NULL: none. */
static const uint32_t *tolerances_of(const struct outcome *o, uint32_t row)
{
    return o->checked && outcome_tolerant(o, row) ? o->tolerance + row * o->unit->layout.row_words : NULL;
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
            continue; /* no region has this row */
        size_t at = (size_t)row * l->row_words;
        p->model = w->model->value + at;
        p->board = w->board->value + at;
        p->model_defined = masks_of(w->model, row, w->room[0]);
        p->board_defined = masks_of(w->board, row, w->room[1]);
        p->model_tolerance = tolerances_of(w->model, row);
        p->board_tolerance = tolerances_of(w->board, row);
        p->cols = w->region->cols;
        p->bits = w->region->bits;
        p->mask = 0xFFFFFFFFU >> ((32U - w->region->bits) & 31U);
        p->row = row;
        return true;
    }
}

/* Counts bits by shifts and adds, which compilers vectorise. On a target without a popcnt instruction,
 * __builtin_popcount is a function call. */
static uint32_t popcount(uint32_t x)
{
    x -= (x >> 1) & 0x55555555U;
    x = (x & 0x33333333U) + ((x >> 2) & 0x33333333U);
    x = (x + (x >> 4)) & 0x0F0F0F0FU;
    x += x >> 8;
    return (x + (x >> 16)) & 63U;
}

static uint32_t word_of(const uint32_t *words, uint32_t col, uint32_t otherwise)
{
    return words ? words[col] : otherwise;
}

/* A tolerance applies to whole words, so a side without one must define all bits. */
struct word_rule word_rule_of(uint32_t bits, struct known_word model, struct known_word board)
{
    bool whole = (model.tolerance || (model.defined & bits) == bits) &&
                 (board.tolerance || (board.defined & bits) == bits);
    uint32_t tolerance = whole ? tolerance_sum(model.tolerance, board.tolerance) : 0,
             recorded = bits & board.defined, defined = recorded & model.defined;
    if (!tolerance)
        return (struct word_rule){recorded, defined, defined, 0};
    if (board.tolerance)
        recorded = bits & tolerance_compared_bits(board.tolerance, board.defined);
    return (struct word_rule){recorded, recorded & tolerance_compared_bits(tolerance, defined), defined,
                              tolerance};
}

uint32_t word_difference_bits(const struct word_rule *r, uint32_t model, uint32_t board)
{
    return r->tolerance ? tolerance_difference(r->tolerance, r->defined, model, board)
                        : (model ^ board) & r->defined;
}

static struct word_rule rule_of(const struct row_pair *p, uint32_t col)
{
    return word_rule_of(p->mask,
                        (struct known_word){word_of(p->model_defined, col, UINT32_MAX),
                                            word_of(p->model_tolerance, col, 0)},
                        (struct known_word){word_of(p->board_defined, col, UINT32_MAX),
                                            word_of(p->board_tolerance, col, 0)});
}

static uint32_t bits_apart(const struct row_pair *p, uint32_t col, const struct word_rule *r)
{
    return word_difference_bits(r, p->model[col], p->board[col]);
}

static void note_difference(struct differences *d, const struct row_pair *p, uint32_t col,
                            const struct word_rule *r)
{
    uint32_t differ = bits_apart(p, col, r);
    if (d->listed < DIFFERENCES_MAX)
        d->word[d->listed++] =
            (struct word_difference){(uint16_t)p->row, (uint16_t)col, p->model[col], p->board[col],
                                     r->mask,          r->tolerance,  differ};
    d->words++;
    d->bits += popcount(differ);
}

/* Compares a row without masks in one pass of XOR and OR, which compilers vectorise. */
static bool row_equal_unmasked(const struct row_pair *p)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < p->cols; i++)
        any |= p->model[i] ^ p->board[i];
    return !(any & p->mask);
}

static bool row_equal_masked(const struct row_pair *p, struct tally *t, struct differences *d)
{
    static const uint32_t no_mask[ROW_WORDS_MAX] = {[0 ... ROW_WORDS_MAX - 1] = UINT32_MAX};
    const uint32_t *board_defined = p->board_defined ? p->board_defined : no_mask,
                   *model_defined = p->model_defined ? p->model_defined : no_mask;
    uint32_t differs = 0, lanes = 0, recorded_bits = 0, bits = 0;
    for (uint32_t i = 0; i < p->cols; i++) { /* no branch, so that compilers vectorise it */
        uint32_t recorded = board_defined[i] & p->mask, mask = model_defined[i] & recorded;
        differs |= (p->model[i] ^ p->board[i]) & mask;
        lanes += mask != 0;
        recorded_bits += popcount(recorded);
        bits += popcount(mask);
    }
    if (t) {
        t->masked_board += (uint64_t)p->cols * p->bits - recorded_bits;
        t->masked_model += recorded_bits - bits;
        t->bits += bits;
        t->lanes += lanes;
    }
    for (uint32_t i = 0; d && differs && i < p->cols; i++) {
        uint32_t mask = board_defined[i] & model_defined[i] & p->mask;
        const struct word_rule r = {.mask = mask, .defined = mask};
        if (bits_apart(p, i, &r))
            note_difference(d, p, i, &r);
    }
    return !differs;
}

static bool row_equal_tolerant(const struct row_pair *p, struct tally *t, struct differences *d)
{
    bool equal = true;
    for (uint32_t i = 0; i < p->cols; i++) {
        const struct word_rule r = rule_of(p, i);
        uint32_t recorded = popcount(r.recorded), bits = popcount(r.mask);
        if (t) {
            t->masked_board += p->bits - recorded;
            t->masked_model += recorded - bits;
            t->bits += bits;
            t->lanes += bits != 0;
        }
        if (!bits_apart(p, i, &r))
            continue;
        equal = false;
        if (d)
            note_difference(d, p, i, &r);
    }
    return equal;
}

static uint32_t and_all(const uint32_t *words, uint32_t count)
{
    uint32_t all = UINT32_MAX;
    for (uint32_t i = 0; words && i < count; i++)
        all &= words[i];
    return all;
}

/* Most rows of a checked run are fully defined. Comparing these without masks saves a sixth of the time of a
 * vc4-vpm campaign in which a third of the cases differ. */
static bool row_equal(const struct row_pair *p, struct tally *t, struct differences *d)
{
    if (p->model_tolerance || p->board_tolerance)
        return row_equal_tolerant(p, t, d);
    if (p->mask & ~(and_all(p->model_defined, p->cols) & and_all(p->board_defined, p->cols)))
        return row_equal_masked(p, t, d);
    if (t) {
        t->lanes += p->cols;
        t->bits += (uint64_t)p->cols * p->bits;
    }
    if (row_equal_unmasked(p))
        return true;
    const struct word_rule all = {.mask = p->mask, .defined = p->mask};
    for (uint32_t i = 0; d && i < p->cols; i++)
        if (bits_apart(p, i, &all))
            note_difference(d, p, i, &all);
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
        if (row_equal(&p, t, d))
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
            const struct word_rule r = rule_of(&p, i);
            bits += popcount(bits_apart(&p, i, &r));
        }
    return bits;
}

void outcomes_lane_distances(const struct outcome *model, const struct outcome *board, uint32_t lanes,
                             uint64_t *to)
{
    struct row_walk w;
    struct row_pair p;
    for (uint32_t i = 0; i < lanes; i++)
        to[i] = model->end != board->end ? DISTANCE_ENDS : 0;
    if (model->end != END_DONE || board->end != END_DONE)
        return;
    for (walk_begin(&w, model, board); walk_next(&w, &p);)
        for (uint32_t i = 0; i < p.cols; i++) {
            const struct word_rule r = rule_of(&p, i);
            to[i % lanes] += popcount(bits_apart(&p, i, &r));
        }
}

/* Returns four bits, which say which bytes of a word are not zero. */
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
        bytes[r - u->layout.regions] |= w->tolerance ? 0xF : bytes_set(w->differ);
    }
    for (unsigned i = 0; i < u->layout.region_count; i++)
        h = random_mix64(h ^ ((uint64_t)(i + 1) << 8 | bytes[i]));
    return h;
}

/* Returns how many neighbouring words of one row, from difference `first` on, differ in the same way. */
static uint32_t alike(const struct differences *d, uint32_t first)
{
    const struct word_difference *w = &d->word[first];
    uint32_t n = 1;
    while (first + n < d->listed && w[n].row == w->row && w[n].col == w->col + n && w[n].model == w->model &&
           w[n].board == w->board && w[n].mask == w->mask && w[n].tolerance == w->tolerance)
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
    if (w->tolerance) {
        text_add(t, " (not ");
        tolerance_print(w->tolerance, t);
        text_add(t, ")");
    } else if (w->mask != 0xFFFFFFFFU >> ((32U - r->bits) & 31U)) {
        text_add(t, " (compared under %0*" PRIX32 ")", digits, w->mask);
    }
    text_add(t, "\n");
}

/* Returns the bits of a differing word that the model's outcome defines. */
static uint32_t decided_bits(const struct word_difference *w, const struct outcome *model)
{
    const size_t at = (size_t)w->row * model->unit->layout.row_words + w->col;
    const uint32_t defined = model->defined[at];
    return outcome_tolerant(model, w->row) && model->tolerance[at]
               ? tolerance_compared_bits(model->tolerance[at], defined)
               : defined;
}

void differences_undecided(const struct differences *d, const struct outcome *model, uint32_t lanes,
                           uint64_t *to)
{
    for (uint32_t i = 0; i < d->listed && !d->end_differs && model->checked; i++)
        to[d->word[i].col % lanes] += popcount(d->word[i].differ & ~decided_bits(&d->word[i], model));
}

enum decided differences_decided(const struct differences *d, const struct outcome *model)
{
    if (d->end_differs || !model->checked)
        return DECIDED_ALL;
    bool some = d->words > d->listed, each = true, all = true; /* unlisted differences count as defined */
    for (uint32_t i = 0; i < d->listed; i++) {
        const struct word_difference *w = &d->word[i];
        const uint32_t defined = decided_bits(w, model);
        some |= (w->differ & defined) != 0;
        each &= (w->differ & defined) != 0;
        all &= !(w->differ & ~defined);
    }
    return all && some ? DECIDED_ALL : each && some ? DECIDED_EACH : some ? DECIDED_SOME : DECIDED_NONE;
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
