/* SPDX-License-Identifier: MIT */
/*
 * The verifier's walk over a program, from the first instruction to the last. One pass is enough, because no
 * branch goes back. Where paths join, only what they agree on stays known.
 */
#include "harness/verify/verifier_state.h"

#include <string.h>

enum { END_INSTRUCTIONS = 3, DELAY_SLOTS = 3, TARGETS_MAX = 64 };

/* The state with which branches reach an instruction. */
struct target {
    uint32_t at;
    struct state state;
};

struct walk {
    struct verifier v;
    uint32_t targets;
    struct target target[TARGETS_MAX]; /* in any order, because there are few */
};

/* ---- paths ---- */

static bool places_equal(const struct knowledge *a, const struct knowledge *b)
{
    return a->known == b->known && a->word == b->word && a->lanes == b->lanes;
}

/* Keeps in `into` only what both states agree on. */
static bool join(struct verifier *v, struct state *into, const struct state *from)
{
    _Static_assert(sizeof(struct vpm_knowledge) == 8 + 2 * 8 + 4 * 4, "memcmp needs it without padding");
    for (unsigned i = 0; i < PLACES; i++)
        if (!places_equal(&into->place[i], &from->place[i]))
            into->place[i] = (struct knowledge){.known = KNOWN_NOTHING};
    into->written.file &= from->written.file;
    into->written.other &= from->written.other;
    verifier_include(&into->just_written, from->just_written);
    into->stream_lost |= from->stream_lost || into->stream_in_memory != from->stream_in_memory ||
                         (into->stream_in_memory && into->stream_at != from->stream_at);
    if (from->uniforms_min < into->uniforms_min)
        into->uniforms_min = from->uniforms_min;
    if (from->uniforms_max > into->uniforms_max)
        into->uniforms_max = from->uniforms_max;
    if (from->stream_delay > into->stream_delay)
        into->stream_delay = from->stream_delay;
    into->sfu_delay = 0;
    into->stored |= from->stored;
    if (memcmp(into->lookups, from->lookups, sizeof into->lookups) != 0)
        return verifier_refuse(v, "is reached with different numbers of look-ups outstanding");
    into->vpm.lost |= memcmp(&into->vpm, &from->vpm, sizeof into->vpm) != 0;
    return true;
}

static struct target *find_target(struct walk *w, uint32_t at)
{
    for (uint32_t i = 0; i < w->targets; i++)
        if (w->target[i].at == at)
            return &w->target[i];
    return NULL;
}

/* Keeps the current state for instruction `at`, to which a branch leads from this point. */
static bool leave_for(struct walk *w, uint32_t at)
{
    struct target *t = find_target(w, at);
    if (t)
        return join(&w->v, &t->state, &w->v.now);
    if (w->targets == TARGETS_MAX)
        return verifier_refuse(&w->v, "is one branch too many: a program may have %d targets", TARGETS_MAX);
    w->target[w->targets++] = (struct target){at, w->v.now};
    return true;
}

static bool arrive(struct walk *w)
{
    const struct target *t = find_target(w, w->v.at);
    return !t || join(&w->v, &w->v.now, &t->state);
}

/* ---- instructions ---- */

/* Accepts a branch that leads forward, at most to the end. Sets `*target`. */
static bool check_branch(struct verifier *v, const struct qpu_insn *i, uint32_t pending, uint32_t *target)
{
    uint32_t end = v->c->program.count - END_INSTRUCTIONS, skip = i->immediate / 8;
    if (pending)
        return verifier_refuse(v, "branches in the delay slots of another branch");
    if (!i->rel || i->reg || i->raddr_a)
        return verifier_refuse(
            v, "branches to an address that depends on a register or on where the program lies");
    if (i->waddr_add != QPU_W_NOTHING || i->waddr_mul != QPU_W_NOTHING)
        return verifier_refuse(v, "keeps its return address, which depends on where the program lies");
    if ((i->cond_br > 11 && i->cond_br != 15) || i->branch_unused)
        return verifier_refuse(v, "branches with a condition or with bits that no document defines");
    if (i->immediate % 8 || skip > end || v->at + 1 + DELAY_SLOTS + skip > end)
        return verifier_refuse(v, "branches back, or past the end of the program");
    if (i->cond_br != 15)
        verifier_see_flags(v);
    *target = v->at + 1 + DELAY_SLOTS + skip;
    v->now.just_written = (struct verifier_places){0};
    return true;
}

/* Counts down the delays after each instruction. */
static void count_down(struct state *s)
{
    if (s->stream_delay)
        s->stream_delay--;
    if (s->vpm.read_delay)
        s->vpm.read_delay--;
    if (s->sfu_delay && --s->sfu_delay == 0)
        verifier_include(&s->written, verifier_place_bit(PLACE_ACC + 4));
}

/* Checks the instruction with the end signal (`first`) and its two delay slots. In the wrapped program these
 * three do not end the program, because the wrapper's code follows. So they may do nothing that would have
 * another effect at an end. */
static bool check_end(struct verifier *v, const struct qpu_insn *i, bool first)
{
    bool io = i->raddr_a == QPU_R_UNIFORM || i->raddr_a >= QPU_R_VPM ||
              (i->class == QPU_ALU && (i->raddr_b == QPU_R_UNIFORM || i->raddr_b >= QPU_R_VPM));
    if (i->class == QPU_SEMAPHORE || i->class == QPU_BRANCH || first != (i->sig == QPU_SIG_END))
        return verifier_refuse(v, first ? "does not end the program; the third from the last must"
                                        : "must not follow the end of the program");
    if ((i->class <= QPU_ALU_SMALL && io) || verifier_is_peripheral(i->waddr_add) ||
        verifier_is_peripheral(i->waddr_mul))
        return verifier_refuse(v, "accesses a peripheral at the end (end-io-access)");
    if (first && (i->waddr_add < QPU_FILE_ROWS || i->waddr_mul < QPU_FILE_ROWS))
        return verifier_refuse(v, "writes a register in the instruction that ends (end-regfile-write)");
    return true;
}

static bool step(struct verifier *v, uint32_t *pending, uint32_t *target)
{
    const uint32_t *word = &v->c->program.word[2 * v->at];
    uint32_t end = v->c->program.count - END_INSTRUCTIONS;
    struct qpu_insn i;
    if (!qpu_decode(word[0] | (uint64_t)word[1] << 32, &i))
        return verifier_refuse(v, "is no documented instruction");
    if (v->at >= end) {
        if (!check_end(v, &i, v->at == end))
            return false;
        i.sig = v->at == end ? QPU_SIG_NONE : i.sig;
    }
    if (i.class == QPU_SEMAPHORE)
        return verifier_refuse(v, "uses a semaphore, which all programs share");
    if (i.class != QPU_BRANCH)
        return verifier_instruction(v, &i);
    if (!check_branch(v, &i, *pending, target))
        return false;
    *pending = DELAY_SLOTS + 1;
    return true;
}

static bool walk(struct walk *w)
{
    struct verifier *v = &w->v;
    uint32_t pending = 0, target = 0;
    for (v->at = 0; v->at < v->c->program.count; v->at++) {
        if (!arrive(w) || !step(v, &pending, &target))
            return false;
        count_down(&v->now);
        /* After an unconditional branch, the instructions are checked as if the branch might not be taken. */
        if (pending && --pending == 0 && !leave_for(w, target))
            return false;
    }
    return verifier_end(v);
}

/* Returns the number of the instruction after the last one that takes an address or a setup. Both waddr
 * fields have the same bits in every class of instruction. */
static uint32_t find_follow_end(const struct qpu_case *c)
{
    static const uint64_t taking = UINT64_C(1) << QPU_W_UNIFORMS_ADDRESS | UINT64_C(1) << QPU_W_VPM_SETUP |
                                   UINT64_C(1) << QPU_W_DMA_ADDRESS | UINT64_C(255) << QPU_W_TMU0_S;
    for (uint32_t end = c->program.count; end; end--) {
        uint32_t high = c->program.word[2 * end - 1];
        if (taking >> (high >> 6 & 63) & 1 || taking >> (high & 63) & 1)
            return end;
    }
    return 0;
}

bool verifier_prove(const struct test_case *tc, uint32_t memory_base, struct verifier_proof *p,
                    struct error *e)
{
    const struct qpu_case *c = (const void *)tc->words;
    struct walk w; /* all other members are large, and set before they are used */
    *p = (struct verifier_proof){.refused_at = -1};
    if (c->stage != QPU_STAGE_USER)
        return error_set(e, "a %s shader: only user programs are run", qpu_stage_names[c->stage]);
    if (c->program.count < END_INSTRUCTIONS)
        return error_set(e, "a program of %lu instruction%s has no end", (unsigned long)c->program.count,
                         plural(c->program.count));
    if (c->limit < c->program.count)
        return error_set(e,
                         "the instruction limit is below the program's length, and hardware does not count");
    w.targets = 0;
    w.v.tc = tc;
    w.v.c = c;
    w.v.memory_base = memory_base;
    w.v.proof = p;
    w.v.e = e;
    w.v.follow_end = find_follow_end(c);
    w.v.lanes_used = 0;
    memset(w.v.image, 0, sizeof w.v.image);
    memset(&w.v.now, 0, sizeof w.v.now);
    for (unsigned i = 0; i < PLACES; i++)
        w.v.now.place[i].known = KNOWN_INITIAL;
    return walk(&w);
}
