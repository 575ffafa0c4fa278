/* SPDX-License-Identifier: MIT */
#include "tests/support/support_puzzle.h"

#include "oracle/compare/executor.h"

#include <stdio.h>
#include <string.h>

#define READINGS                                                                                             \
    {                                                                                                        \
        {"manual", "does as it says", "none", EVIDENCE_DOCUMENT},                                            \
            {"one", "does otherwise", "none", EVIDENCE_SILICON},                                             \
        {                                                                                                    \
            "two", "does something else", "none", EVIDENCE_ARGUMENT                                          \
        }                                                                                                    \
    }
#define CLAUSE(n, is_silent)                                                                                 \
    {                                                                                                        \
        .id = "puzzle-" #n, .title = "clause " #n, .where = "nowhere", .silent = (is_silent),                \
        .readings = READINGS                                                                                 \
    }
static const struct clause clauses[PUZZLE_CLAUSES] = {CLAUSE(0, false), CLAUSE(1, true),   CLAUSE(2, false),
                                                      CLAUSE(3, true),  CLAUSE(4, false),  CLAUSE(5, true),
                                                      CLAUSE(6, false), CLAUSE(7, true),   CLAUSE(8, false),
                                                      CLAUSE(9, true),  CLAUSE(10, false), CLAUSE(11, false)};

static const struct builtin_profile profiles[] = {{"manual", "as it says", NULL}, {NULL, NULL, NULL}};
static const char *const modes[] = {"left", "right", "up"};
static const struct field fields[] = {
    {.name = "mode",
     .kind = FIELD_ENUM,
     .offset = CASE_AT(struct puzzle_case, mode),
     .max = 3,
     .names = modes,
     .about = "does nothing"},
    {.name = "bias",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct puzzle_case, bias),
     .min_value = 1,
     .max_value = 100,
     .initial = 1,
     .about = "added"},
    {.name = "item",
     .kind = FIELD_WORDS,
     .offset = CASE_AT(struct puzzle_case, count),
     .max = PUZZLE_ITEMS,
     .about = "what to do"},
    {.name = "image",
     .kind = FIELD_IMAGE,
     .offset = CASE_AT(struct puzzle_case, image),
     .max = 4,
     .row_words = 4,
     .about = "what to copy"},
};
static const struct region regions[] = {
    {.name = "out",
     .about = "results",
     .rows = 3,
     .cols = 4,
     .bits = 32,
     .drawing = DRAW_LANES,
     .first_row = 0},
    {.name = "flag",
     .about = "flags",
     .rows = 1,
     .cols = 2,
     .bits = 4,
     .drawing = DRAW_BITS,
     .first_row = PUZZLE_FLAG_ROW},
};
static const char *const reasons[] = {"", "was told to hang", "depends on an undefined bit", NULL};

static unsigned look(struct run *r, unsigned clause)
{
    clause %= PUZZLE_CLAUSES;
    return consult(r->profile, r->coverage, clause, 0);
}

static bool bit_of(struct run *r, uint32_t item)
{
    unsigned c = item >> 8 & 255, d = item >> 16 & 255, e = item >> 24;
    switch (item & 255) {
    case PUZZLE_EITHER: {
        bool one = look(r, c) == 1, other = look(r, d) == 1;
        return one || other;
    }
    case PUZZLE_BOTH:
        return look(r, c) == 1 && look(r, d) == 1;
    case PUZZLE_THREE:
        return look(r, c) == 1 && look(r, d) == 1 && look(r, e) == 1;
    case PUZZLE_MAJORITY:
        return (look(r, c) == 1) + (look(r, d) == 1) + (look(r, e) == 1) >= 2;
    case PUZZLE_PARITY:
        return (look(r, c) == 1) != (look(r, d) == 1);
    case PUZZLE_EXCUSE:
        look(r, c);
        return false;
    case PUZZLE_DOUBT:
        look(r, d);
        return look(r, c) == 1;
    default:
        return look(r, c) == 1;
    }
}

static void do_copy(struct run *r, uint32_t item)
{
    const struct puzzle_case *c = (const struct puzzle_case *)(const void *)r->tc->words;
    uint32_t words[4];
    image_row(r->tc, &fields[3], (item >> 16 & 255) % 4, words);
    outcome_row(r->out, 2, 4)[(item >> 8 & 255) % 4] =
        words[(item >> 24) % 4] + (look(r, 7) == 1 ? c->bias : 0);
    outcome_touch(r->out, 2);
}

static void do_item(struct run *r, uint32_t item, unsigned number)
{
    uint32_t row = (item & 255) == PUZZLE_VAGUE, word = number / 32 % 4, bit = 1U << (number % 32);
    uint32_t *value = outcome_row(r->out, row, 4) + word, *defined = r->out->defined + row * 4 + word;
    outcome_touch(r->out, row);
    if (bit_of(r, item))
        *value |= bit;
    if (r->mode == RUN_PLAIN)
        return;
    if ((item & 255) == PUZZLE_VAGUE ||
        ((item & 255) == PUZZLE_EXCUSE && reading_of(r->profile, (item >> 8 & 255) % PUZZLE_CLAUSES) == 2) ||
        ((item & 255) == PUZZLE_DOUBT && reading_of(r->profile, (item >> 16 & 255) % PUZZLE_CLAUSES) == 2))
        *defined &= ~bit;
    if ((item & 255) == PUZZLE_WAY) {
        r->out->end = END_UNDEFINED;
        r->out->reason = 2;
    }
}

static void puzzle_run(struct run *r)
{
    const struct puzzle_case *c = (const struct puzzle_case *)(const void *)r->tc->words;
    outcome_reset(r->out, r->tc);
    r->out->checked = r->mode != RUN_PLAIN;
    for (unsigned i = 0; i < c->count && r->out->end == END_DONE; i++, r->steps++) {
        uint32_t item = c->item[i];
        if ((item & 255) == PUZZLE_COPY) {
            do_copy(r, item);
        } else if ((item & 255) == PUZZLE_END) {
            if (look(r, item >> 8 & 255) == 1) {
                r->out->end = END_HANG;
                r->out->reason = 1;
            }
        } else if ((item & 255) < PUZZLE_KINDS) {
            do_item(r, item, i);
        }
    }
}

const struct unit puzzle_unit = {
    .name = "puzzle",
    .family = "puzzle",
    .about = "a truth table",
    .schema = {.fields = fields,
               .field_count = sizeof fields / sizeof *fields,
               .words = sizeof(struct puzzle_case) / 4},
    .layout = {regions, sizeof regions / sizeof *regions, PUZZLE_ROWS, 4},
    .clauses = {{clauses, PUZZLE_CLAUSES}},
    .profiles = profiles,
    .reasons = reasons,
    .state_size = 0,
    .run = puzzle_run,
};

void puzzle_make(struct test_case *tc, const uint32_t *items, unsigned count)
{
    case_init(tc, &puzzle_unit);
    struct puzzle_case *c = (struct puzzle_case *)(void *)tc->words;
    c->count = count;
    for (unsigned i = 0; i < count; i++)
        c->item[i] = items[i];
}

static bool every(unsigned n, uint64_t answers)
{
    return n && answers % n == 0;
}

static bool puzzle_board_run(struct board *b, const struct test_case *const *cases, unsigned count,
                             struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct puzzle_board *t = b->state;
    for (unsigned i = 0; i < count; i++) {
        t->answers++;
        if (t->dies && t->answers >= t->dies)
            return error_set(e, "the puzzle board died");
        executor_run(t->executor, cases[i], &t->profile, RUN_PLAIN, outcomes[i]);
        uint32_t *row = outcome_row(outcomes[i], 0, 4);
        if (row[0])
            row[2] ^= t->own_bug;
        if (every(t->flaky, t->answers)) {
            row[3] ^= 32;
            outcome_touch(outcomes[i], 0);
        }
        answers[i] = every(t->refuses, t->answers)  ? ANSWER_REFUSED
                     : every(t->silent, t->answers) ? ANSWER_NOTHING
                                                    : ANSWER_OUTCOME;
    }
    return true;
}

static const struct board_kind puzzle_board_kind = {.name = "puzzle",
                                                    .form = "puzzle",
                                                    .about = "a board made by hand",
                                                    .run = puzzle_board_run};

void puzzle_board_open(struct puzzle_board *b)
{
    memset(b, 0, sizeof *b);
    b->executor = executor_new(&puzzle_unit);
    b->board.kind = &puzzle_board_kind;
    b->board.unit = &puzzle_unit;
    b->board.identity.memory_base = MEMORY_BASE_DEFAULT;
    b->board.identity.code_base = CODE_BASE_DEFAULT;
    b->board.state = b;
    snprintf(b->board.identity.spec, sizeof b->board.identity.spec, "puzzle:");
    snprintf(b->board.identity.kind, sizeof b->board.identity.kind, "puzzle");
    snprintf(b->board.identity.description, sizeof b->board.identity.description, "a board made by hand");
}

void puzzle_board_close(struct puzzle_board *b)
{
    executor_free(b->executor);
}
