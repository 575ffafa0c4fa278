/* SPDX-License-Identifier: MIT */
#include "model/v3d/run/v3d_sharing.h"

enum { MANY = UINT16_MAX };

/* Did another thread do something at this stage that no barrier separates from now? */
static bool races(const struct v3d_sharing *s, uint16_t thread, uint32_t stage)
{
    return thread && thread != s->thread && (stage == s->stage || stage < s->first_stage);
}

void v3d_note_load(struct v3d_sharing *s, uint32_t word)
{
    struct v3d_shared_word *w = &s->word[word % V3D_SHARED_WORDS];
    s->conflicts |= races(s, w->writer, w->written_at);
    if (races(s, w->reader, w->read_at)) {
        w->reader = MANY;
        return; /* the stage stays: readers of other supergroups never come before a write */
    }
    w->reader = s->thread;
    w->read_at = s->stage;
}

void v3d_note_store(struct v3d_sharing *s, uint32_t word, bool same, unsigned atomic)
{
    struct v3d_shared_word *w = &s->word[word % V3D_SHARED_WORDS];
    bool agree = atomic ? w->atomic == atomic : same && !w->atomic;
    s->conflicts |= races(s, w->reader, w->read_at);
    s->conflicts |= races(s, w->writer, w->written_at) && !agree;
    w->writer = w->writer && races(s, w->writer, w->written_at) ? MANY : s->thread;
    w->written_at = s->stage;
    w->atomic = (uint8_t)atomic;
}
