/* SPDX-License-Identifier: MIT */
#include "harness/batch.h"

#include "model/vc4/unit_qpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GPU memory: the table of programs, the case's memory, then the programs, what they load, and what they write. */
enum {
    ROW_BYTES = 4 * VC4_LANES,
    TABLE_AT = 0,
    WINDOW_AT = 0x4000,
    PROGRAMS_AT = WINDOW_AT + 2 * ROW_BYTES * VERIFIER_WINDOW_ROWS, /* as much again behind the window, which is nobody's */
    UNIFORMS_BYTES = (4 * WRAPPER_UNIFORMS_MAX + ROW_BYTES - 1) / ROW_BYTES * ROW_BYTES,
    CODE_BYTES_MAX = UNIFORMS_BYTES + 8 * WRAPPER_CODE_MAX,
    INPUT_BYTES_MAX = ROW_BYTES * WRAPPER_INPUT_MAX,
    OUTPUT_BYTES_MAX = ROW_BYTES * WRAPPER_OUTPUT_MAX,
    CANARIES = 2,
    TRIES = 2,
};

/* One case on its way. */
struct job {
    const struct test_case *tc;
    struct outcome *outcome;
    char *reason;
    uint64_t hash;
    struct verifier_proof proof;
    struct wrapper_program program;
    uint32_t uniforms, code; /* bus addresses */
    const uint32_t *output;
};

/* A part of GPU memory that fills up in the course of a launch; offsets into it. */
struct pool {
    uint32_t start, used, end;
};

struct batch {
    struct batch_machine machine;
    struct journal *journal;
    struct random random;
    struct pool programs, input, output;
    uint8_t bytes[CASE_BYTES_MAX]; /* of a case, to be hashed */
    struct test_case *canary_case[CANARIES];
    struct outcome *canary_outcome[CANARIES];
    char canary_reason[CANARIES][BATCH_REASON];
    struct job canary[CANARIES];
    struct job job[BATCH_CASES_MAX];
};

uint32_t batch_memory_base(const struct batch *b)
{
    return b->machine.memory.bus + WINDOW_AT;
}

uint32_t batch_code_base(const struct batch *b)
{
    return b->machine.memory.bus + PROGRAMS_AT;
}

/* ---- known answers ---- */

/*
 * Two programs whose results follow from the integers that they are given: sums
 * and differences of all elements, and a vector's way through the VPM into memory.
 */
static const char *const canary_text[CANARIES] = {
    "misprint-case 1 vc4-qpu\n"
    "ra row 0 = 10203040 00000001 7fffffff 80000000 ffffffff 12345678 0000ffff 00010000 5 6 7 8 9 a b c\n"
    "rb row 9 = 01020304 ffffffff 00000001 80000000 00000001 87654321 00000001 0000ffff 1 1 2 2 3 3 4 4\n"
    "program {\n  add ra31, ra0, rb9\n  sub r2, ra0, rb9\n  nop ; end\n  nop\n  nop\n}\n",
    "misprint-case 1 vc4-qpu\n"
    "rb row 3 = 0f1e2d3c 1 2 3 4 5 6 7 8 9 a b c d e a5a5a5a5\n"
    "uniforms { @3f80 }\n" /* memory row 254 */
    "program {\n  ldi vw_setup, 0x00001a05\n  mov vpm, rb3\n  ldi vw_setup, 0x80904280\n  mov vw_addr, uniform\n"
    "  nop ; end\n  nop\n  nop\n}\n",
};

/* The result that integer arithmetic gives, held against the outcome. */
static bool canary_is_right(const struct batch *b, unsigned n)
{
    const struct outcome *o = b->canary_outcome[n];
    const struct layout *l = &o->unit->layout;
    const struct qpu_case *c = (const void *)b->canary_case[n]->words;
    const uint32_t *ra31 = o->value + (layout_region_named(l, "ra")->first_row + 31) * VC4_LANES;
    const uint32_t *r2 = o->value + (layout_region_named(l, "acc")->first_row + 2) * VC4_LANES;
    const uint32_t *row254 = o->value + (layout_region_named(l, "memory")->first_row + 254) * VC4_LANES;
    for (unsigned i = 0; i < VC4_LANES; i++) {
        uint32_t x = c->ra.row[0].word[i], y = c->rb.row[0].word[i];
        if (n == 0 ? ra31[i] != x + y || r2[i] != x - y : row254[i] != y)
            return false;
    }
    return true;
}

/* ---- getting ready ---- */

static struct wrapper_area area(const struct batch *b, uint32_t offset)
{
    return (struct wrapper_area){b->machine.memory.at + offset / 4, b->machine.memory.bus + offset};
}

static uint32_t aligned(uint32_t offset)
{
    return (offset + ROW_BYTES - 1) / ROW_BYTES * ROW_BYTES;
}

/* Wraps a job behind what is in memory already. False: no program can bring about its state; the reason says so. */
static bool place(struct batch *b, struct job *j)
{
    struct error why = {0};
    uint32_t code = b->programs.used + UNIFORMS_BYTES;
    struct wrapper_slot slot = {.uniforms = area(b, b->programs.used),
                                .code = area(b, code),
                                .input = area(b, b->input.used),
                                .output = area(b, b->output.used),
                                .window = batch_memory_base(b)};
    outcome_reset(j->outcome, j->tc);
    if (!wrapper_build(j->tc, &j->proof, j->outcome, random_u32(&b->random) | 1, &slot, &j->program, &why)) {
        (void)snprintf(j->reason, BATCH_REASON, "%.250s", why.text);
        return false;
    }
    j->uniforms = slot.uniforms.bus;
    j->code = slot.code.bus;
    j->output = slot.output.at;
    b->programs.used = aligned(code + 8 * j->program.code);
    b->input.used += ROW_BYTES * j->program.input;
    b->output.used += ROW_BYTES * j->program.outputs;
    return true;
}

static void empty_pools(struct batch *b)
{
    uint32_t room = ((uint32_t)b->machine.bytes - PROGRAMS_AT) / 3 / ROW_BYTES * ROW_BYTES;
    struct pool *const pools[] = {&b->programs, &b->input, &b->output};
    for (uint32_t i = 0; i < 3; i++) {
        pools[i]->start = pools[i]->used = PROGRAMS_AT + i * room;
        pools[i]->end = pools[i]->start + room;
    }
}

/* Is there room for one more job, and the last canary after it? */
static bool has_room(const struct batch *b)
{
    return b->programs.end - b->programs.used >= 2 * CODE_BYTES_MAX && b->input.end - b->input.used >= 2 * INPUT_BYTES_MAX &&
           b->output.end - b->output.used >= 2 * OUTPUT_BYTES_MAX;
}

static bool make_canaries(struct batch *b, struct error *e)
{
    const struct unit *u = unit_named("vc4-qpu");
    for (unsigned n = 0; n < CANARIES; n++) {
        b->canary_case[n] = malloc(sizeof *b->canary_case[n]);
        b->canary_outcome[n] = outcome_new(u);
        if (!b->canary_case[n] || !b->canary_outcome[n])
            return error_memory(e, "for a board's cases");
        b->canary[n] = (struct job){.tc = b->canary_case[n], .outcome = b->canary_outcome[n], .reason = b->canary_reason[n]};
        if (!case_parse(b->canary_case[n], canary_text[n], strlen(canary_text[n]), e) ||
            !verifier_prove(b->canary_case[n], batch_memory_base(b), &b->canary[n].proof, e))
            return error_where(e, "the known answer %u", n);
    }
    return true;
}

struct batch *batch_new(const struct batch_machine *machine, struct journal *journal, uint64_t seed, struct error *e)
{
    struct batch *b = calloc(1, sizeof *b);
    if (!b) {
        error_memory(e, "for a board's cases");
        return NULL;
    }
    b->machine = *machine;
    b->journal = journal;
    random_seed(&b->random, seed);
    if (make_canaries(b, e))
        return b;
    batch_free(b);
    return NULL;
}

void batch_free(struct batch *b)
{
    for (unsigned n = 0; b && n < CANARIES; n++) {
        free(b->canary_case[n]);
        outcome_free(b->canary_outcome[n]);
    }
    free(b);
}

/* ---- one launch ---- */

static void enter_table(const struct batch *b, unsigned at, const struct job *j)
{
    uint32_t *pair = b->machine.memory.at + TABLE_AT / 4 + 2 * at;
    pair[0] = j->uniforms;
    pair[1] = j->code;
}

/*
 * Places as many of the jobs as one launch takes: all there is room for, at most
 * one that reads memory through caches. Jobs that cannot be placed are dropped
 * from the list, those that have to wait stay behind the others. Returns how many.
 */
static unsigned fill_launch(struct batch *b, struct job **list, unsigned *count)
{
    unsigned placed = 0, cached = 0;
    empty_pools(b);
    (void)place(b, &b->canary[0]);
    for (unsigned i = 0; i < *count && has_room(b);) {
        struct job *j = list[i];
        if (j->proof.cached && cached) {
            i++;
        } else if (!place(b, j)) {
            list[i] = list[--*count];
        } else {
            cached += j->proof.cached;
            list[i++] = list[placed];
            list[placed++] = j;
        }
    }
    (void)place(b, &b->canary[1]);
    enter_table(b, 0, &b->canary[0]);
    for (unsigned i = 0; i < placed; i++)
        enter_table(b, 1 + i, list[i]);
    enter_table(b, 1 + placed, &b->canary[1]);
    return placed;
}

static enum batch_launch launch(struct batch *b, struct job *const *list, unsigned count, struct error *e)
{
    uint64_t hashes[BATCH_CASES_MAX];
    for (unsigned i = 0; i < count; i++)
        hashes[i] = list[i]->hash;
    if (!journal_begin(b->journal, hashes, count, e))
        return BATCH_LOST;
    enum batch_launch result = b->machine.launch(b->machine.context, b->machine.memory.bus + TABLE_AT, count + CANARIES, e);
    if (result == BATCH_LOST || !journal_end(b->journal, e))
        return BATCH_LOST;
    return result != BATCH_HUNG || b->machine.reset(b->machine.context, e) ? result : BATCH_LOST;
}

static bool canaries_are_right(struct batch *b)
{
    for (unsigned n = 0; n < CANARIES; n++)
        if (!wrapper_collect(&b->canary[n].program, b->canary[n].output, b->canary_outcome[n]) || !canary_is_right(b, n))
            return false;
    return true;
}

/* Reads what came back; the jobs that did not come to their ends are left at the front of the list. Returns how many. */
static unsigned collect(struct job **list, unsigned count)
{
    unsigned open = 0;
    for (unsigned i = 0; i < count; i++)
        if (!wrapper_collect(&list[i]->program, list[i]->output, list[i]->outcome))
            list[open++] = list[i];
    return open;
}

/* ---- all launches ---- */

/* A case's name in the journal, the same on every machine: FNV-1a of its binary form. */
static uint64_t hash_of(struct batch *b, const struct test_case *c)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    size_t count = case_encode(c, b->bytes);
    for (size_t i = 0; i < count; i++)
        h = (h ^ b->bytes[i]) * UINT64_C(0x100000001B3);
    return h;
}

static bool hang(struct batch *b, struct job *j, struct error *e)
{
    outcome_reset(j->outcome, j->tc);
    j->outcome->end = END_HANG;
    j->hash = hash_of(b, j->tc);
    return journal_knows_hang(b->journal, j->hash) || journal_hang(b->journal, j->hash, e);
}

static bool run_jobs(struct batch *b, struct job **list, unsigned count, struct error *e);

/* After a launch that hung: those without a stamp again, in halves; one that stood alone is the culprit. */
static bool bisect(struct batch *b, struct job **list, unsigned open, unsigned launched, struct error *e)
{
    if (open == 0)
        return true;
    if (launched == 1)
        return hang(b, list[0], e);
    unsigned half = open == 1 ? 1 : open / 2;
    return run_jobs(b, list, half, e) && run_jobs(b, list + half, open - half, e);
}

/* A launch that ended, but left answers out or got the known ones wrong, is made again; a board that does so twice is not believed. */
static bool run_launch(struct batch *b, struct job **list, unsigned count, struct error *e)
{
    for (unsigned try = 0; try < TRIES; try++) {
        enum batch_launch result = launch(b, list, count, e);
        if (result == BATCH_LOST)
            return false;
        bool trusted = result == BATCH_HUNG || canaries_are_right(b);
        unsigned open = trusted ? collect(list, count) : count;
        if (result == BATCH_HUNG)
            return bisect(b, list, open, count, e);
        if (trusted && !open)
            return true;
        unsigned left = trusted ? open : count;
        if (trusted && try + 1 == TRIES) {
            for (unsigned i = 0; i < open; i++)
                (void)snprintf(list[i]->reason, BATCH_REASON, "its program ended %d times without the whole of its output", TRIES);
            return true;
        }
        count = fill_launch(b, list, &left);
    }
    e->of_machine = true;
    return error_set(e, "the board gets sums of integers wrong, or does not write them to memory: programs with known answers failed %d times",
                     TRIES);
}

static bool run_jobs(struct batch *b, struct job **list, unsigned count, struct error *e)
{
    while (count) {
        unsigned launched = fill_launch(b, list, &count);
        if (launched && !run_launch(b, list, launched, e))
            return false;
        list += launched;
        count -= launched;
    }
    return true;
}

static void shuffle(struct batch *b, struct job **list, unsigned count)
{
    for (unsigned i = count; i > 1; i--) {
        unsigned other = random_below(&b->random, i);
        struct job *j = list[i - 1];
        list[i - 1] = list[other];
        list[other] = j;
    }
}

/* Judges a case; true if it is to be run. */
static bool admit(struct batch *b, struct job *j, struct error *e)
{
    struct error why = {0};
    j->reason[0] = 0;
    if (!verifier_prove(j->tc, batch_memory_base(b), &j->proof, &why)) {
        (void)snprintf(j->reason, BATCH_REASON, "%.250s", why.text);
        return false;
    }
    j->hash = journal_wants_hashes(b->journal) ? hash_of(b, j->tc) : 0;
    if (!journal_knows_hang(b->journal, j->hash))
        return true;
    (void)hang(b, j, e);
    return false;
}

bool batch_run(struct batch *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, char (*reason)[BATCH_REASON],
               struct error *e)
{
    struct job *list[BATCH_CASES_MAX];
    unsigned jobs = 0;
    for (unsigned i = 0; i < count; i++) {
        struct job *j = &b->job[i];
        j->tc = cases[i];
        j->outcome = outcomes[i];
        j->reason = reason[i];
        if (!admit(b, j, e))
            continue;
        if (journal_suspects(b->journal, j->hash)) { /* alone, so that it is known if it does it again */
            if (!run_jobs(b, &j, 1, e))
                return false;
        } else {
            list[jobs++] = j;
        }
    }
    shuffle(b, list, jobs);
    return run_jobs(b, list, jobs, e);
}
