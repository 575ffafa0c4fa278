/* SPDX-License-Identifier: MIT */
/* Remembers what judge.c found out about each change of a study. */
#include "fuzz/learn/search/study.h"
#include "model/core/memory.h"
#include "model/number/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    JUDGEMENTS_MAX = 12000,
    TABLE_SIZE = 32768, /* a power of two above JUDGEMENTS_MAX */
};

struct judgements {
    struct judgement list[JUDGEMENTS_MAX];
    uint32_t count;
    uint16_t table[TABLE_SIZE]; /* number of a judgement + 1 */
};

static uint64_t hash_expression(uint64_t hash, const struct expression *e)
{
    hash = random_mix64(hash + e->count);
    for (uint32_t i = 0; i < e->count; i++)
        hash = random_mix64(hash ^ ((uint64_t)e->node[i].op << 32 | e->node[i].operand));
    return hash;
}

/* Different changes have different hashes: among the changes of a study, two with the same one are as good as
 * impossible. */
static uint64_t hash_change(const struct learn_change *c)
{
    if (!c->is_rule)
        return random_mix64(((uint64_t)c->clause << 8 | c->reading) + 1);
    return hash_expression(hash_expression(random_mix64(UINT64_C(1) << 32 | c->rule.point), &c->rule.guard),
                           &c->rule.result);
}

struct judgement *judgement_of(struct study *s, const struct learn_change *c)
{
    const uint64_t hash = hash_change(c);
    if (!s->judgements)
        s->judgements = memory_new(1, sizeof *s->judgements);
    struct judgements *v = s->judgements;
    if (v->count == JUDGEMENTS_MAX)
        judgements_forget(s);
    uint32_t slot = (uint32_t)hash & (TABLE_SIZE - 1);
    for (; v->table[slot]; slot = (slot + 1) & (TABLE_SIZE - 1))
        if (v->list[v->table[slot] - 1].hash == hash)
            return &v->list[v->table[slot] - 1];
    v->table[slot] = (uint16_t)++v->count;
    v->list[v->count - 1] = (struct judgement){.hash = hash};
    return &v->list[v->count - 1];
}

void judgements_forget(struct study *s)
{
    if (!s->judgements)
        return;
    s->judgements->count = 0;
    memset(s->judgements->table, 0, sizeof s->judgements->table);
}

void judgements_free(struct study *s)
{
    free(s->judgements);
    s->judgements = NULL;
}
