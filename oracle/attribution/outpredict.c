/* SPDX-License-Identifier: MIT */
/*
 * A reading that leaves bits undefined fits whatever a board does, so no case can refute it. The agreeing
 * cases judge it instead. If the board gave many words that the reading leaves undefined, and the model
 * without the reading predicted these words, then the board does not follow the reading: it is outpredicted.
 */
#include "oracle/attribution/solver.h"

enum { ITEMS_MOST = 4096 }; /* agreeing items that are examined for a reading */

/* The masks of a row. */
static const uint32_t *masks_of(const struct outcome *o, uint32_t row, uint32_t room[ROW_WORDS_MAX])
{
    static const uint32_t all[ROW_WORDS_MAX] = {[0 ... ROW_WORDS_MAX - 1] = UINT32_MAX};
    return o->checked ? outcome_masks(o, row, room) : all;
}

/* Does a row hold a word that `without` predicts and `with` leaves undefined? Zero does not count, because
 * undefined words often are zero. */
static bool row_predicts(const struct outcome *without, const struct outcome *with,
                         const struct outcome *board, const struct region *r, uint32_t row)
{
    uint32_t room[3][ROW_WORDS_MAX], words = without->unit->layout.row_words;
    const uint32_t *predicted = masks_of(without, row, room[0]), *defined = masks_of(with, row, room[1]),
                   *recorded = masks_of(board, row, room[2]);
    for (uint32_t at = row * words, col = 0; col < r->cols; col++) {
        uint32_t bits = UINT32_MAX >> (32U - r->bits), value = without->value[at + col] & bits;
        bool defines = with->end != END_UNDEFINED && (defined[col] & bits);
        if (value && value == (board->value[at + col] & bits) && !defines &&
            !(bits & ~(predicted[col] & recorded[col])))
            return true;
    }
    return false;
}

static bool predicts(const struct outcome *without, const struct outcome *with, const struct outcome *board)
{
    const struct layout *l = &without->unit->layout;
    if (without->end != END_DONE || board->end != END_DONE ||
        (with->end != END_DONE && with->end != END_UNDEFINED))
        return false;
    for (const struct region *r = l->regions; r < l->regions + l->region_count; r++)
        for (uint32_t row = r->first_row; row < (uint32_t)r->first_row + r->rows; row++)
            if (outcome_touched(without, row) && (board->complete || outcome_touched(board, row)) &&
                row_predicts(without, with, board, r, row))
                return true;
    return false;
}

static bool is_outpredicted(struct solver *s, const struct cause *one)
{
    struct outcome *with = outcome_new(s->x->unit);
    struct profile changed = s->now;
    unsigned predicted = 0, looked = 0;
    cause_apply(one, &changed);
    for (unsigned i = 0; i < s->count && predicted < PREDICTIONS_MIN && looked < ITEMS_MOST; i++) {
        if (s->item[i].distance || !touches(&s->item[i], one) || !solver_load(s, i))
            continue;
        looked++;
        executor_run(s->x, s->tc, &changed, RUN_CHECKED, with);
        executor_run(s->x, s->tc, &s->now, RUN_CHECKED, s->model);
        predicted += predicts(s->model, with, s->board);
    }
    outcome_free(with);
    return predicted >= PREDICTIONS_MIN;
}

bool solver_outpredicts(struct solver *s, const struct cause *c)
{
    bool any = false;
    for (unsigned i = 0; i < c->count; i++) {
        unsigned clause = c->change[i].clause;
        const struct cause one = single_change(clause, c->change[i].reading);
        uint8_t bit = (uint8_t)(1U << one.change[0].reading);
        if (!(s->judged[clause] & bit) && is_outpredicted(s, &one))
            s->out->outpredicted[clause] |= bit;
        s->judged[clause] |= bit;
        any |= (s->out->outpredicted[clause] & bit) != 0;
    }
    return any;
}
