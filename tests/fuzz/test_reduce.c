/* SPDX-License-Identifier: MIT */
/* Reduction ends at the smallest case, keeps the cause, gives equal results in equal runs, and keeps to its
 * budget. */
#include "fuzz/generate/generate.h"
#include "fuzz/reduce.h"
#include "harness/protocol/protocol.h"
#include "oracle/store/finding.h"
#include "tests/support/support_puzzle.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static struct puzzle_board board;
static struct executor *x;
static struct outcome *answer;
static struct test_case tc;
static struct explanation e;
static struct profile base;

static int begin(void **state)
{
    (void)state;
    puzzle_board_open(&board);
    x = executor_new(&puzzle_unit);
    answer = outcome_new(&puzzle_unit);
    return 0;
}

static int end(void **state)
{
    (void)state;
    puzzle_board_close(&board);
    executor_free(x);
    outcome_free(answer);
    return 0;
}

static const struct puzzle_case *puzzle(const struct test_case *c)
{
    return (const struct puzzle_case *)(const void *)c->words;
}

/* Explains why `tc` differs on the board, then reduces it as long as this explanation holds. */
static uint64_t reduce(uint64_t budget)
{
    struct error error = {0};
    enum answer what;
    struct outcome *model = outcome_new(&puzzle_unit);
    struct differences d;
    assert_true(board_run_one(&board.board, &tc, answer, &what, &error));
    explain_case(x, &tc, &base, answer, 3, 0, &e);
    assert_int_equal(model_match(x, &tc, &base, answer, model, NULL, &d), MATCH_DIFFERENT);
    struct reduce_same_cause keep = {.executor = x,
                                     .board = &board.board,
                                     .profile = &base,
                                     .explanation = &e};
    keep.signature = differences_signature(&puzzle_unit, model, answer, &d);
    reduce_begin(&keep);
    uint64_t tried = case_reduce(&tc, reduce_keeps_cause, &keep, budget);
    assert_false(keep.failed);
    assert_true(reduce_keeps_cause(&keep, &tc));
    reduce_end(&keep);
    outcome_free(model);
    return tried;
}

/* Returns an item that uses one clause. Its other bits have no effect, so the reducer must clear them. */
static uint32_t noisy_solo(struct random *r, unsigned clause)
{
    unsigned d = random_below(r, 256), e = random_below(r, 256);
    return puzzle_item(PUZZLE_SOLO, clause, d, e);
}

static void clutter(uint32_t *items, unsigned count, struct random *r)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned clause = 8 + random_below(r, 4);
        items[i] = noisy_solo(r, clause);
    }
}

static void a_single_item_is_left(void **state)
{
    (void)state;
    struct random r;
    uint32_t items[40];
    random_seed(&r, 1);
    clutter(items, 40, &r);
    items[23] = puzzle_item(PUZZLE_SOLO, 6, 7, 9);
    memset(&board.profile, 0, sizeof board.profile);
    board.profile.reading[6] = 1;
    puzzle_make(&tc, items, 40);
    ((struct puzzle_case *)(void *)tc.words)->mode = 2;
    ((struct puzzle_case *)(void *)tc.words)->bias = 77;
    ((struct puzzle_case *)(void *)tc.words)->image.fill = FILL_RANDOM;
    uint64_t tried = reduce(0);
    print_message("%u candidates\n", (unsigned)tried);
    assert_int_equal(puzzle(&tc)->count, 1);
    assert_int_equal(puzzle(&tc)->item[0], puzzle_item(PUZZLE_SOLO, 6, 0, 0)); /* the reducer cleared the
                                                                                * bits without effect */
    assert_int_equal(puzzle(&tc)->mode, 0);
    assert_int_equal(puzzle(&tc)->bias, 1);
    assert_int_equal(puzzle(&tc)->image.fill, FILL_ZERO);
}

static void the_cause_is_kept(void **state)
{
    (void)state;
    struct random r;
    uint32_t items[40];
    random_seed(&r, 2);
    memset(&board.profile, 0, sizeof board.profile);
    for (unsigned i = 0; i < 6; i++)
        board.profile.reading[i] = 1; /* other causes, which smaller cases would show; the reducer must not
                                       * change to one of them */
    for (unsigned i = 0; i < 40; i++)
        items[i] = noisy_solo(&r, 8 + i % 4);
    items[30] = puzzle_item(PUZZLE_BOTH, 4, 2, 3);
    puzzle_make(&tc, items, 40);
    reduce(0);
    assert_int_equal(puzzle(&tc)->count, 1);
    assert_int_equal(puzzle(&tc)->item[0], puzzle_item(PUZZLE_BOTH, 4, 2, 0));
}

/* Two readings explain the case. A smaller case must have both as causes, too, or it would decide between
 * them; and the case as it is has both. */
static void both_causes_are_kept(void **state)
{
    (void)state;
    struct random r;
    uint32_t items[20];
    random_seed(&r, 3);
    memset(&board.profile, 0, sizeof board.profile);
    board.profile.reading[5] = 1;
    clutter(items, 20, &r);
    items[11] = puzzle_item(PUZZLE_EITHER, 3, 5, 0);
    puzzle_make(&tc, items, 20);
    reduce(0);
    assert_int_equal(e.candidates, 2);
    assert_int_equal(puzzle(&tc)->count, 1);
    assert_int_equal(puzzle(&tc)->item[0], puzzle_item(PUZZLE_EITHER, 3, 5, 0));
}

/* Returns true if the case has as many items on clause 8 as on clause 9, one item on clause 6, and no
 * others. */
static bool is_balanced(void *context, const struct test_case *c)
{
    (void)context;
    const struct puzzle_case *p = puzzle(c);
    unsigned opening = 0, closing = 0, middle = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        opening += p->item[i] == puzzle_item(PUZZLE_SOLO, 8, 0, 0);
        closing += p->item[i] == puzzle_item(PUZZLE_SOLO, 9, 0, 0);
        middle += p->item[i] == puzzle_item(PUZZLE_SOLO, 6, 0, 0);
    }
    return middle == 1 && opening == closing && opening + closing + middle == p->count;
}

static void dependent_items_are_dropped_together(void **state)
{
    (void)state;
    uint32_t items[7];
    for (unsigned i = 0; i < 7; i++)
        items[i] = puzzle_item(PUZZLE_SOLO, i < 3 ? 8 : i > 3 ? 9 : 6, 0, 0);
    puzzle_make(&tc, items, 7); /* the reducer can drop items only in pairs, one before and one after the
                                 * middle */
    assert_true(is_balanced(NULL, &tc));
    case_reduce(&tc, is_balanced, NULL, 0);
    assert_int_equal(puzzle(&tc)->count, 1);
}

static void images_shrink(void **state)
{
    (void)state;
    memset(&board.profile, 0, sizeof board.profile);
    board.profile.reading[7] = 1;
    puzzle_make(&tc, (const uint32_t[]){puzzle_item(PUZZLE_COPY, 2, 3, 1), puzzle_item(PUZZLE_COPY, 1, 1, 1)},
                2);
    struct puzzle_case *c = (struct puzzle_case *)(void *)tc.words;
    c->bias = 100;
    c->image.fill = FILL_INDEX;
    c->image.count = 3;
    for (unsigned i = 0; i < 3; i++)
        c->image.row[i].index = i + 1;
    c->image.row[2].word[1] = 0x12345678;
    reduce(0);
    assert_int_equal(c->count, 1); /* the item that remains copies a zero */
    assert_int_equal(c->bias, 1);
    assert_int_equal(c->image.fill, FILL_ZERO);
    assert_int_equal(c->image.count, 0);
}

static void unexplained_cases_shrink_too(void **state)
{
    (void)state;
    struct random r;
    uint32_t items[40];
    random_seed(&r, 3);
    clutter(items, 40, &r);
    for (unsigned i = 0; i < 12; i++)
        items[i] = 0xFF; /* an item without a kind has no effect */
    items[12] = puzzle_item(PUZZLE_SOLO, 2, 0, 0);
    memset(&board.profile, 0, sizeof board.profile);
    memset(&base, 0, sizeof base);
    board.profile.reading[2] = base.reading[2] = 1; /* both follow reading 1, so only the board's own bug
                                                     * makes a difference */
    board.own_bug = 0x40;
    puzzle_make(&tc, items, 40);
    reduce(0);
    base.reading[2] = 0;
    board.own_bug = 0;
    assert_int_equal(e.candidates, 0);
    assert_int_equal(puzzle(&tc)->count, 1);
}

static void the_budget_is_kept_and_runs_are_equal(void **state)
{
    (void)state;
    struct random r;
    struct test_case start, first;
    memset(&board.profile, 0, sizeof board.profile);
    board.profile.reading[6] = 1;
    random_seed(&r, 5);
    uint32_t items[40];
    clutter(items, 40, &r);
    items[39] = puzzle_item(PUZZLE_SOLO, 6, 1, 1);
    puzzle_make(&start, items, 40);
    case_copy(&tc, &start);
    assert_true(reduce(7) <= 7);
    case_copy(&tc, &start);
    uint64_t tried = reduce(0);
    case_copy(&first, &tc);
    case_copy(&tc, &start);
    assert_int_equal(reduce(0), tried);
    assert_true(case_equal(&tc, &first));
}

/* A reduced case replaces an equally simple case. Their bytes do not matter. */
static void the_reduced_case_is_kept(void **state)
{
    (void)state;
    struct test_case low, high, simple;
    puzzle_make(&low, (const uint32_t[]){1}, 1);
    puzzle_make(&high, (const uint32_t[]){2}, 1);
    puzzle_make(&simple, (const uint32_t[]){0}, 1);
    assert_true(finding_case_order(&low, "seed 1 case 2", &high, "seed 1 case 1, reduced") > 0);
    assert_true(finding_case_order(&high, "seed 1 case 1, reduced", &low, "seed 1 case 2") < 0);
    assert_true(finding_case_order(&low, "a", &high, "b") < 0);
    assert_true(finding_case_order(&low, "a, reduced", &high, "b, reduced") < 0);
    assert_true(finding_case_order(&simple, "seed 1 case 2", &high, "seed 1 case 1, reduced") <
                0); /* but a simpler case replaces a reduced one */
    assert_int_equal(finding_case_order(&low, "a", &low, "a"), 0);
}

/* Does the case still have an fadd and a load immediate? */
static bool adds(void *context, const struct test_case *c)
{
    (void)context;
    struct text t = {0};
    case_print(c, &t);
    bool found = strstr(text_chars(&t), "  fadd") && strstr(text_chars(&t), "  ldi");
    text_free(&t);
    return found;
}

/* Reduction makes unneeded instructions the usual nop without operands, and immediates 0. */
static void instructions_become_nops(void **state)
{
    (void)state;
    static const char program[] = "misprint-case 1 vc4-qpu\nprogram {\n"
                                  "  fsub rb3, r1, ra4 ; fmul ra5, r3, r2\n"
                                  "  fadd.setf ra1, r0, 4 ; v8min rb1, r4, r5\n"
                                  "  ldi.zs.never ra2, rb7, 0x12345678\n"
                                  "  sub ra1, rb1, r3 ; mul24 rb1, r3, r2 ; end\n"
                                  "  or rb6, uniform, uniform\n  bra.all_zs ra1, rb1, 0x00000010\n}\n";
    struct error error = {0};
    struct text t = {0};
    assert_true(case_parse(&tc, program, sizeof program - 1, &error));
    case_reduce(&tc, adds, NULL, 0);
    case_print(&tc, &t);
    assert_string_equal(text_chars(&t),
                        "misprint-case 1 vc4-qpu\nprogram {\n  fadd.never nop, r0, r0\n  ldi 0x00000000\n"
                        "  nop ; end\n  nop\n  nop\n}\n");
    text_free(&t);
}

/* A question about a case whose answer depends on a hash. For any unit, the reduced case must be in range,
 * keep its bytes when encoded again, and still have the answer yes. */
struct question {
    uint64_t salt;
    uint64_t asked;
};

static bool odd_hash(void *context, const struct test_case *c)
{
    struct question *q = context;
    q->asked++;
    static uint8_t bytes[CASE_BYTES_MAX];
    uint32_t hash = protocol_crc32(0, bytes, case_encode(c, bytes));
    return ((hash ^ q->salt) * UINT64_C(0x9E3779B97F4A7C15)) >> 62 != 0;
}

static void any_unit_any_question(void **state)
{
    (void)state;
    static uint8_t bytes[CASE_BYTES_MAX];
    struct test_case *c = malloc(sizeof *c), *again = malloc(sizeof *again);
    struct random r;
    random_seed(&r, 6);
    for (unsigned i = 0; unit_at(i); i++)
        for (unsigned round = 0; round < support_scaled(60) && unit_at(i)->schema.field_count; round++) {
            struct question q = {.salt = random_u64(&r)};
            case_generate(&r, unit_at(i), c);
            if (!odd_hash(&q, c))
                continue;
            q.asked = 0;
            uint64_t tried = case_reduce(c, odd_hash, &q, 500);
            assert_int_equal(tried, q.asked);
            assert_true(tried <= 500);
            assert_true(odd_hash(&q, c));
            case_decode(again, unit_at(i), bytes, case_encode(c, bytes));
            assert_true(case_equal(c, again));
        }
    free(c);
    free(again);
}

/* A word of which one field may only have its first value or its default, and the other bits must stay. */
struct whole_field {
    uint32_t at, mask, from, to, rest;
};

static bool is_whole(void *context, const struct test_case *c)
{
    const struct whole_field *w = context;
    uint32_t value = c->words[w->at] & w->mask;
    return (c->words[w->at] & ~w->mask) == w->rest && (value == w->from || value == w->to);
}

/* Would the unit leave the case as it is? */
static bool is_usable(const struct test_case *c)
{
    static struct test_case mended;
    case_copy(&mended, c);
    case_sanitise(&mended);
    if (c->unit->mend)
        c->unit->mend(&mended);
    return case_equal(&mended, c);
}

/* The bits of a field have a meaning only together, so the field becomes its default in one step, also when
 * its neighbour must not change. */
static void fields_become_their_default_as_a_whole(void **state)
{
    (void)state;
    struct test_case *c = malloc(sizeof *c), *good = malloc(sizeof *good);
    unsigned tried = 0;
    for (unsigned n = 0; unit_at(n); n++)
        for (unsigned i = 0; i < unit_at(n)->schema.field_count; i++) {
            const struct field *f = &unit_at(n)->schema.fields[i];
            for (const struct bit_field *b = f->bits; f->kind == FIELD_WORD && b && b->name; b++) {
                const struct bit_field *other = b == f->bits ? b + 1 : f->bits;
                if (b->width < 2 || b->width > 31 || !other->name)
                    continue;
                case_init(c, unit_at(n));
                struct whole_field w = {.at = f->offset, .mask = ((1U << b->width) - 1) << b->low};
                w.to = c->words[w.at] & w.mask;
                c->words[w.at] ^= w.mask ^ 1U << other->low;
                w.from = c->words[w.at] & w.mask;
                w.rest = c->words[w.at] & ~w.mask;
                case_copy(good, c);
                good->words[w.at] = w.rest | w.to;
                if (!is_usable(c) || !is_usable(good))
                    continue;
                (void)case_reduce(c, is_whole, &w, 0);
                if ((c->words[w.at] & w.mask) != w.to)
                    fail_msg("%s.%s is not its default", f->name, b->name);
                tried++;
            }
        }
    assert_true(tried >= 3);
    free(c);
    free(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_single_item_is_left),
        cmocka_unit_test(the_cause_is_kept),
        cmocka_unit_test(both_causes_are_kept),
        cmocka_unit_test(dependent_items_are_dropped_together),
        cmocka_unit_test(images_shrink),
        cmocka_unit_test(unexplained_cases_shrink_too),
        cmocka_unit_test(the_budget_is_kept_and_runs_are_equal),
        cmocka_unit_test(the_reduced_case_is_kept),
        cmocka_unit_test(instructions_become_nops),
        cmocka_unit_test(any_unit_any_question),
        cmocka_unit_test(fields_become_their_default_as_a_whole),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
