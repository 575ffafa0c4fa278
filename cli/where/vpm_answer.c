/* SPDX-License-Identifier: MIT */
/* Finds where each byte comes from. In run b, byte n of the source is 0xff if bit b of n + 1 is set, or else
 * 0; so the bits that arrive at a byte spell n + 1. The sink begins with zeros. */
#include "cli/where/vpm.h"
#include "oracle/compare/executor.h"

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

void vpm_answer(struct vpm_question *q, const struct profile *p, struct vpm_answer *to)
{
    const struct unit *u = q->tc.unit;
    const struct region *sink = layout_region_named(&u->layout, sink_of(q));
    struct executor *x = executor_new(u);
    struct outcome *o = outcome_new(u);
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
    outcome_free(o);
    executor_free(x);
}

bool vpm_same(const struct vpm_answer *a, const struct vpm_answer *b)
{
    return a->end == b->end && a->reason == b->reason && !memcmp(a->from, b->from, sizeof a->from);
}
