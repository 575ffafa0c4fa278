/* SPDX-License-Identifier: MIT */
/* Says whether the board's outcome of a case speaks for a change or against it. */
#include "fuzz/learn/search/bearing.h"

#include <string.h>

/* The words in which two outcomes differ, in order. */
struct word_list {
    struct differences d;
    uint32_t next;
};

/* The number of a word's place, for comparison. */
static uint32_t place_of(const struct word_difference *w)
{
    return (uint32_t)w->row << 16 | w->col;
}

/* Returns the bits in which a word of the list at this place differs; 0: none. Places must ascend. */
static uint32_t bits_at(struct word_list *l, uint32_t place)
{
    while (l->next < l->d.listed && place_of(&l->d.word[l->next]) < place)
        l->next++;
    return l->next < l->d.listed && place_of(&l->d.word[l->next]) == place ? l->d.word[l->next].differ : 0;
}

/* Are there words behind this place that the list has no room for? */
static bool is_cut(const struct word_list *l, uint32_t place)
{
    return l->d.words > l->d.listed && place_of(&l->d.word[l->d.listed - 1]) < place;
}

static struct bearing of_ends(enum end without, enum end with, enum end board)
{
    return (struct bearing){.words_for = board == with, .words_against = board == without};
}

struct bearing bearing_of(const struct outcome *without, const struct outcome *with,
                          const struct outcome *board)
{
    struct word_list changed = {.next = 0}, before = {.next = 0}, after = {.next = 0};
    struct bearing e = {0, 0};
    if (without->end == END_UNDEFINED || with->end == END_UNDEFINED || board->end == END_UNDEFINED)
        return e;
    if (without->end != with->end)
        return of_ends(without->end, with->end, board->end);
    if (board->end != END_DONE || with->end != END_DONE)
        return e;
    (void)outcomes_equal(without, with, NULL, &changed.d);
    (void)outcomes_equal(without, board, NULL, &before.d);
    (void)outcomes_equal(with, board, NULL, &after.d);
    for (uint32_t i = 0; i < changed.d.listed; i++) {
        const uint32_t place = place_of(&changed.d.word[i]), bits = changed.d.word[i].differ;
        if (is_cut(&before, place) || is_cut(&after, place))
            break;
        const uint32_t wrong_before = bits & bits_at(&before, place),
                       wrong_after = bits & bits_at(&after, place);
        e.words_for += wrong_before && !wrong_after;
        e.words_against += wrong_after && !wrong_before;
    }
    return e;
}

bool bearing_refutes(const struct outcome *without, const struct outcome *with, const struct outcome *board)
{
    struct word_list changed = {.next = 0}, before = {.next = 0};
    if (without->end == END_UNDEFINED || with->end == END_UNDEFINED || board->end == END_UNDEFINED)
        return false;
    if (without->end != with->end)
        return board->end == without->end;
    if (board->end != END_DONE || with->end != END_DONE)
        return false;
    (void)outcomes_equal(without, with, NULL, &changed.d);
    (void)outcomes_equal(without, board, NULL, &before.d);
    for (uint32_t i = 0; i < changed.d.listed; i++) {
        const uint32_t place = place_of(&changed.d.word[i]);
        if (is_cut(&before, place) || bits_at(&before, place))
            return false;
    }
    return changed.d.listed;
}

/* The defined bits of a row. */
static const uint32_t *masks_of(const struct outcome *o, uint32_t row, uint32_t room[ROW_WORDS_MAX])
{
    if (o->checked && outcome_touched(o, row))
        return outcome_masks(o, row, room);
    const bool known = outcome_touched(o, row) || o->complete;
    memset(room, known ? 0xFF : 0, ROW_WORDS_MAX * sizeof *room);
    return room;
}

bool bearing_loses(const struct outcome *without, const struct outcome *with, const struct outcome *board,
                   const struct outcome *start)
{
    const struct layout *l = &with->unit->layout;
    uint32_t rooms[3][ROW_WORDS_MAX];
    if (without->end != END_DONE || with->end != END_DONE || board->end != END_DONE)
        return false;
    for (uint32_t row = 0; row < l->rows; row++) {
        if (!outcome_touched(with, row))
            continue;
        const struct region *r = layout_region(l, row);
        const uint32_t *now = board->value + (size_t)row * l->row_words,
                       *old = start->value + (size_t)row * l->row_words;
        const uint32_t bits = region_bits(r), *before = masks_of(without, row, rooms[0]),
                       *after = masks_of(with, row, rooms[1]), *known = masks_of(board, row, rooms[2]);
        for (uint32_t i = 0; i < r->cols; i++)
            if (now[i] != old[i] && bits == (bits & before[i] & known[i] & ~after[i]))
                return true;
    }
    return false;
}

/* Gives the outcome of a run for values only the masks and tolerances of another run. */
static void take_masks(struct outcome *values, const struct outcome *defining)
{
    const uint32_t words = values->unit->layout.row_words;
    uint32_t room[ROW_WORDS_MAX];
    for (uint32_t row = 0; row < values->unit->layout.rows; row++) {
        const size_t at = (size_t)row * words, bytes = words * sizeof *room;
        if (!outcome_touched(defining, row))
            continue;
        outcome_touch(values, row);
        memcpy(values->defined + at, outcome_masks(defining, row, room), bytes);
        if (!outcome_tolerant(defining, row))
            continue;
        outcome_tolerate(values, row);
        memcpy(values->tolerance + at, defining->tolerance + at, bytes);
    }
    values->checked = true;
}

bool bearing_values_fit(const struct outcome *defining, struct outcome *values, const struct outcome *board)
{
    if (values->end != board->end || values->end == END_UNDEFINED)
        return false;
    if (values->end == END_DONE && defining->end == END_DONE)
        take_masks(values, defining);
    return outcomes_equal(values, board, NULL, NULL);
}
