/* SPDX-License-Identifier: MIT */
/* Runs the case, and reads the answer from the observation points and the outcome. */
#include "cli/where/buffer.h"
#include "model/amd/points/amd_points.h"
#include "model/core/memory.h"
#include "oracle/compare/executor.h"

#include <stdlib.h>
#include <string.h>

struct watch {
    const struct buffer_question *q;
    struct buffer_answer *to;
    unsigned group[4], groups;        /* groups of 16 lanes with an active one */
    unsigned visits[AMD_POINT_COUNT]; /* so far */
    unsigned dword, byte;             /* that the last place or check was for */
};

/* Returns an input that is the same for all lanes. */
static uint32_t input(const struct observation *seen, const char *name)
{
    const struct point *p = &amd_points[seen->point];
    for (unsigned i = 0; i < POINT_INPUTS_MAX && p->input[i].name; i++)
        if (!strcmp(p->input[i].name, name))
            return seen->input[point_input_at(point_vectors(p), i)];
    return 0;
}

/* Where the answer keeps the value of a point with one lane. */
static uint32_t *scalar_at(struct buffer_check *c, unsigned point)
{
    const struct {
        unsigned point;
        uint32_t *at;
    } rows[] = {
        {AMD_POINT_CHECK_NONE, &c->none},
        {AMD_POINT_CHECK_INDEX, &c->index},
        {AMD_POINT_CHECK_INDEX_LIMIT, &c->index_limit},
        {AMD_POINT_CHECK_OFFSET, &c->offset},
        {AMD_POINT_CHECK_LIMIT, &c->limit},
        {AMD_POINT_CHECK_PAYLOAD, &c->payload},
        {AMD_POINT_CHECK_ADD, &c->add},
        {AMD_POINT_CHECK_TOGETHER, &c->together},
        {AMD_POINT_CHECK_STRUCTURED, &c->structured},
        {AMD_POINT_CHECK_BYTES, &c->bytes},
        {AMD_POINT_BUFFER_BOUND, &c->bound},
        {AMD_POINT_SWIZZLE_ON, &c->swizzled},
        {AMD_POINT_STRIDE_CHECK, &c->stride},
        {AMD_POINT_STRIDE_ADDRESS, &c->stride_address},
        {AMD_POINT_OPERAND_SOFFSET, &c->soffset},
        {AMD_POINT_DESC_NUM_RECORDS, &c->records},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].point == point)
            return rows[i].at;
    return NULL;
}

static void take_lane(struct watch *w, unsigned point, struct buffer_lane *l, uint32_t value)
{
    struct buffer_dword *d = &l->dword[w->dword % AMD_UNITS];
    switch (point) {
    case AMD_POINT_LANE_INDEX:
        l->index = value;
        break;
    case AMD_POINT_LANE_OFFSET:
        l->offset = value;
        break;
    case AMD_POINT_CHECK_LANE_INDEX:
        l->checked_index = value;
        break;
    case AMD_POINT_ADDRESS_LOW:
        d->address = w->byte ? d->address : value;
        break;
    case AMD_POINT_ADDRESS_HIGH:
        d->address |= w->byte ? 0 : (uint64_t)value << 32;
        break;
    case AMD_POINT_CHECK_SUM_LOW:
        d->sum = value;
        break;
    case AMD_POINT_CHECK_SUM_HIGH:
        d->sum |= (uint64_t)value << 32;
        break;
    default:
        break;
    }
}

static void take(void *context, const struct observation *seen, uint32_t *value)
{
    struct watch *w = context;
    struct buffer_check *c = &w->to->check;
    if (amd_points[seen->point].lanes == 1) {
        uint32_t *at = scalar_at(c, seen->point);
        if (at)
            *at = *value;
        return;
    }
    if (seen->point == AMD_POINT_PLACE_OFFSET) {
        c->align = input(seen, "align");
        w->byte = input(seen, "byte");
        w->dword = input(seen, "dword");
    } else if (seen->point == AMD_POINT_CHECK_SUM_LOW) {
        w->dword = input(seen, "dword");
        c->seen = true;
    }
    c->by_offset |= seen->point == AMD_POINT_CHECK_LANE_OFFSET;
    unsigned first = 16 * w->group[w->visits[seen->point]++ % w->groups];
    for (unsigned n = 0; n < POINT_LANES_MAX; n++)
        take_lane(w, seen->point, &w->to->lane[first + n], value[n]);
}

static void take_outcome(const struct buffer_question *q, const struct outcome *o, struct buffer_answer *to)
{
    to->end = o->end;
    to->reason = o->reason;
    for (unsigned k = 0; k < AMD_UNITS; k++) {
        const uint32_t *decision = o->value + (AMD_ROW_DECISION + k) * AMD_LANES;
        const uint32_t *low = o->value + (AMD_ROW_ADDRESS + k) * AMD_LANES,
                       *high = o->value + (AMD_ROW_ADDRESS_HIGH + k) * AMD_LANES;
        if (!outcome_touched(o, AMD_ROW_DECISION + k))
            continue;
        to->units = k + 1;
        for (unsigned n = 0; n < AMD_LANES; n++) {
            struct buffer_dword *d = &to->lane[n].dword[k];
            d->decision = buffer_active(q, n) ? decision[n] & 15 : (uint32_t)AMD_INACTIVE;
            if (buffer_in_range(d) || d->decision == AMD_VIOLATION)
                d->address = (uint64_t)high[n] << 32 | low[n];
            else if (to->check.align) /* the point has the address before it is aligned */
                d->address -= d->address % to->check.align;
        }
    }
    for (uint32_t v = 0; v < WHERE_VALUES; v++)
        for (unsigned n = 0; n < AMD_LANES; n++) {
            uint32_t at = (AMD_ROW_VGPR + WHERE_DATA_VGPR + v) * AMD_LANES + n;
            to->lane[n].value[v] = o->value[at];
            to->lane[n].defined[v] = o->defined[at];
        }
}

void buffer_answer(const struct buffer_question *q, const char *name, const struct profile *p,
                   struct buffer_answer *to)
{
    *to = (struct buffer_answer){.profile = name, .readings = *p, .check.bound = true};
    struct watch w = {.q = q, .to = to};
    for (unsigned g = 0; g < 4; g++)
        if (q->exec >> 16 * g & 0xFFFF)
            w.group[w.groups++] = g;
    struct outcome *o = outcome_new(q->tc.unit);
    struct executor *x = executor_new(q->tc.unit);
    struct run r = {.tc = &q->tc, .profile = p, .out = o, .mode = RUN_CHECKED};
    r.force = take;
    r.see_context = &w;
    executor_run_with(x, &r);
    to->coverage = x->last;
    take_outcome(q, o, to);
    executor_free(x);
    outcome_free(o);
}

/* ---- comparison ---- */

/* Does a dword end alike in both? Whether memory holds it makes no difference. */
static bool same_dword(const struct buffer_dword *a, const struct buffer_dword *b)
{
    bool in = buffer_in_range(a), also = buffer_in_range(b);
    return in == also && (in ? a->address == b->address : a->decision == b->decision);
}

bool buffer_same_lane(const struct buffer_answer *a, const struct buffer_answer *b, unsigned lane)
{
    const struct buffer_lane *x = &a->lane[lane], *y = &b->lane[lane];
    bool out = false;
    for (unsigned k = 0; k < AMD_UNITS; k++) {
        if (!same_dword(&x->dword[k], &y->dword[k]))
            return false;
        out |= x->dword[k].decision == AMD_OUT_OF_RANGE;
    }
    return !out || !memcmp(x->value, y->value, sizeof x->value);
}

bool buffer_same(const struct buffer_question *q, const struct buffer_answer *a,
                 const struct buffer_answer *b)
{
    for (unsigned n = 0; n < AMD_LANES; n++)
        if (buffer_active(q, n) && !buffer_same_lane(a, b, n))
            return false;
    return a->end == b->end && a->reason == b->reason;
}

/* ---- clauses that decide ---- */

static void try_reading(const struct buffer_question *q, struct buffer_answer *a, unsigned clause,
                        unsigned reading)
{
    struct buffer_answer *other = memory_new(1, sizeof *other);
    struct profile p = a->readings;
    p.reading[clause] = (uint8_t)reading;
    buffer_answer(q, "", &p, other);
    struct buffer_decider d = {.clause = clause,
                               .other = reading,
                               .refuses = a->end == END_DONE && other->end != END_DONE};
    for (unsigned n = AMD_LANES; n-- > 0;)
        if (buffer_active(q, n) && (other->end != a->end || !buffer_same_lane(a, other, n))) {
            d.lanes++;
            d.first = n;
        }
    if (d.lanes && a->clauses < WHERE_CLAUSES)
        a->decider[a->clauses++] = d;
    free(other);
}

/* Can the reading hold on the question's chip? The guide of RDNA 4, whose instructions cannot name constants
 * in SOFFSET, raises the question for RDNA 3 at most. The guides of older chips list the constants. */
static bool may_hold(const struct buffer_question *q, unsigned clause, unsigned reading)
{
    bool no_constants = clause == AMD_CLAUSE_SOFFSET_LEGAL_VALUES && reading == AMD_SOFFSET_NO_CONSTANTS;
    return !no_constants || q->generation == AMD_GFX11;
}

void buffer_decide(const struct buffer_question *q, struct buffer_answer *a)
{
    const struct unit *u = q->tc.unit;
    for (unsigned c = 0; c < unit_clauses(u); c++)
        for (unsigned r = 0; covered(&a->coverage, c) && r < clause_readings(unit_clause(u, c)); r++)
            if (r != a->readings.reading[c] && may_hold(q, c, r))
                try_reading(q, a, c, r);
}
