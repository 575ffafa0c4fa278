/* SPDX-License-Identifier: MIT */
/* Finds where each byte comes from. In run b, byte n of the source is 0xff if bit b of n + 1 is set, or else
 * 0; so the bits that arrive at a byte spell n + 1. The sink begins with zeros. */
#include "cli/where/vpm.h"
#include "model/core/memory.h"
#include "oracle/compare/executor.h"

#include <stdlib.h>
#include <string.h>

enum { PLACE_BITS = 15 }; /* of DIRECT_MEMORY_BYTES + 1 */

static void fill(struct image_head *head, struct direct_image_row *row, uint32_t rows, unsigned bit)
{
    head->fill = FILL_ZERO;
    head->count = rows;
    for (uint32_t r = 0; r < rows; r++) {
        row[r].index = r;
        for (uint32_t i = 0; i < VC4_LANES; i++) {
            uint32_t word = 0;
            for (uint32_t byte = 0; byte < 4; byte++)
                word |= (((r * VC4_LANES + i) * 4 + byte + 1) >> bit & 1 ? UINT32_C(0xFF) : 0) << 8 * byte;
            row[r].word[i] = word;
        }
    }
}

/* Gives the source of run `bit` its content. */
static void fill_source(struct vpm_question *q, unsigned bit)
{
    struct vpm_case *c = q->at;
    if (q->access == VPM_ACCESS_WRITE)
        fill(&c->data, c->data_row, VPM_VECTORS, bit);
    else if (q->access == VPM_ACCESS_LOAD)
        fill(&c->memory, c->memory_row, VC4_MEMORY_ROWS, bit);
    else
        fill(&c->vpm, c->vpm_row, VC4_VPM_ROWS, bit);
}

static const char *sink_of(const struct vpm_question *q)
{
    return q->access == VPM_ACCESS_READ ? "reads" : q->access == VPM_ACCESS_STORE ? "memory" : "vpm";
}

/* Runs the access, and fills in all of the answer but `overwritten`. */
static void find_places(struct vpm_question *q, const struct profile *p, struct executor *x,
                        struct outcome *o, struct vpm_answer *to)
{
    const struct unit *u = q->tc.unit;
    const struct region *sink = layout_region_named(&u->layout, sink_of(q));
    memset(to, 0, sizeof *to);
    for (unsigned bit = 0; bit < PLACE_BITS; bit++) {
        fill_source(q, bit);
        struct run r = {.tc = &q->tc, .profile = p, .out = o, .mode = RUN_CHECKED};
        executor_run_with(x, &r);
        to->end = o->end;
        to->reason = o->reason;
        to->coverage = x->last;
        const uint32_t *word = o->value + (size_t)sink->first_row * u->layout.row_words;
        for (uint32_t i = 0; i < (uint32_t)sink->rows * VC4_LANES; i++)
            for (uint32_t byte = 0; outcome_touched(o, sink->first_row + i / VC4_LANES) && byte < 4; byte++)
                to->from[4 * i + byte] |= (word[i] >> 8 * byte & 1) << bit;
    }
}

/* The setup that starts the store. */
static uint32_t *store_setup(struct vpm_question *q)
{
    uint32_t *setup = NULL;
    for (uint32_t i = 0; i < q->at->op_count; i++)
        if ((q->at->op[i][1] & OP_CODE_MASK) == VPM_OP_WR_SETUP && q->at->op[i][0] == q->word)
            setup = &q->at->op[i][0];
    return setup;
}

/* Stores one row, two rows, and so on. In each of these stores nothing overwrites the last row, so together
 * they move all bytes that the store reads. */
static void find_overwritten(struct vpm_question *q, const struct profile *p, struct executor *x,
                             struct outcome *o, struct vpm_answer *to)
{
    uint32_t *setup = store_setup(q), units = q->word >> 23 & 127;
    struct vpm_answer *part = memory_new(1, sizeof *part);
    units = units ? units : 128;
    for (uint32_t k = 1; setup && k < units; k++) {
        *setup = (q->word & ~(UINT32_C(127) << 23)) | k << 23;
        find_places(q, p, x, o, part);
        for (uint32_t i = 0; i < VPM_SINK_MAX; i++)
            if (part->from[i] && part->from[i] <= VPM_BYTES)
                to->overwritten[part->from[i] - 1] = true;
    }
    if (setup)
        *setup = q->word;
    for (uint32_t i = 0; i < VPM_SINK_MAX; i++)
        if (to->from[i] && to->from[i] <= VPM_BYTES)
            to->overwritten[to->from[i] - 1] = false;
    free(part);
}

uint32_t vpm_lost(const struct vpm_question *q, const struct vpm_answer *a)
{
    uint32_t units = q->word >> 23 & 127, depth = q->word >> 16 & 127, mode = q->word & 7, kept = 0;
    uint32_t read = (units ? units : 128) * (depth ? depth : 128) * (mode < 2 ? 4 : mode < 4 ? 2 : 1);
    for (uint32_t i = 0; i < VPM_SINK_MAX; i++)
        kept += a->from[i] != 0;
    return q->access == VPM_ACCESS_STORE && kept < read ? read - kept : 0;
}

void vpm_answer(struct vpm_question *q, const struct profile *p, struct vpm_answer *to)
{
    struct executor *x = executor_new(q->tc.unit);
    struct outcome *o = outcome_new(q->tc.unit);
    find_places(q, p, x, o, to);
    if (to->end == END_DONE && vpm_lost(q, to))
        find_overwritten(q, p, x, o, to);
    outcome_free(o);
    executor_free(x);
}

bool vpm_same(const struct vpm_answer *a, const struct vpm_answer *b)
{
    return a->end == b->end && a->reason == b->reason && !memcmp(a->from, b->from, sizeof a->from);
}
