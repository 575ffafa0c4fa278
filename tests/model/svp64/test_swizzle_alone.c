/* SPDX-License-Identifier: MIT */
/*
 * Which clauses can be the only difference between the profiles pseudocode and prose? Tries every swizzle of
 * four selectors, with each SUBVL, Pack and Unpack, vectors and scalars, and zeroing predicates that let one
 * group through or none.
 *
 * swiz-vf-code and swiz-vf-unpack cannot. In Vertical-First mode each side visits one group. The two clauses
 * decide how many pairs of visits the instruction takes. Under prose it takes N, the number of selectors
 * before the end marker that do not skip. Under the pseudocode it takes:
 * - without Pack and Unpack, SUBVL pairs. The source loop visits those of the N selectors that are before
 *   position SUBVL. These are never more than either limit, so neither limit drops a pair.
 * - with Pack, as many pairs as the destination's length, which is at least N; with Unpack, SUBVL, which is
 *   what the source loop visits. So only prose's limit can drop pairs. If it drops one, a skip precedes a
 *   dropped position, because the pseudocode counts holes as pairs. The dropped position is before the end
 *   marker and does not skip. So under prose it moves, and the outcome shows that.
 * - with both, one pair, like prose. So without swiz-src-range or swiz-pack-skip, the limit of prose has no
 *   effect, or an effect that the profile prose does not have.
 */
#include "model/core/units.h"
#include "model/svp64/unit_swizzle.h"
#include "oracle/compare/compare.h"
#include "oracle/compare/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PSEUDOCODE, ALONE, PROSE, ROLES };
enum { GROUPS = 2, LAST_GROUP = 1, SELECTIONS = 1 << 12, VEC4 = 3, TO = 8, FROM = 4 };

/* Predicates: none, or the bits of r3, zeroing on one side. The bits are all 0, or only group 1's is 1. */
static const struct predicates {
    uint8_t source, destination, mode;
    uint32_t r3;
} predicates[] = {{0, 0, MODE_SIMPLE, 0},
                  {2, 0, MODE_SZ, 0},
                  {2, 0, MODE_SZ, 1 << LAST_GROUP},
                  {0, 2, MODE_DZ, 1 << LAST_GROUP}};
enum { PREDICATES = sizeof predicates / sizeof *predicates };

struct tried {
    struct executor *executor;
    struct profile profile[ROLES];
    struct outcome *out[ROLES];
    unsigned effective,
        alone; /* cases in which the clause alone has an effect; those in which it is also prose's effect */
};

static void run_case(struct tried *t, const struct test_case *c)
{
    for (unsigned role = 0; role < ROLES; role++) {
        executor_run(t->executor, c, &t->profile[role], RUN_CHECKED, t->out[role]);
        if (role == ALONE && outcomes_equal(t->out[PSEUDOCODE], t->out[ALONE], NULL, NULL))
            return;
    }
    t->effective++;
    t->alone += outcomes_equal(t->out[ALONE], t->out[PROSE], NULL, NULL);
}

/* Tries all selectors. `way` has one bit each for Pack, Unpack, vector source and vector destination. */
static void try_selectors(struct tried *t, struct test_case *tc, unsigned way, unsigned subvl,
                          const struct predicates *p, bool vertical)
{
    struct swizzle_case *c = (struct swizzle_case *)(void *)tc->words;
    const unsigned source = way >> 2 & 1, destination = way >> 3 & 1;
    struct swizzle_insn i = {.field = {[SWIZZLE_XO] = SWIZZLE_XO_MV,
                                       [SWIZZLE_PREFIX] = 1,
                                       [SWIZZLE_RT] = TO,
                                       [SWIZZLE_RA] = FROM,
                                       [SWIZZLE_SUBVL] = (uint8_t)subvl,
                                       [SWIZZLE_EXTRA_SRC] = (uint8_t)(source * SWIZZLE_EXTRA_VECTOR),
                                       [SWIZZLE_EXTRA_DST] = (uint8_t)(destination * SWIZZLE_EXTRA_VECTOR),
                                       [SWIZZLE_MASK_SRC] = p->source,
                                       [SWIZZLE_MASK] = p->destination,
                                       [SWIZZLE_MODE] = p->mode}};
    case_init(tc, &svp64_swizzle_unit);
    c->svstate_high = GROUPS << SVSTATE_VL_SHIFT;
    if (vertical)
        c->svstate_high |= LAST_GROUP << SVSTATE_SRCSTEP_SHIFT | LAST_GROUP << SVSTATE_DSTSTEP_SHIFT;
    c->svstate_low = (way & 1 ? SVSTATE_PACK : 0) | (way & 2 ? SVSTATE_UNPACK : 0) |
                     (vertical ? SVSTATE_VERTICAL_FIRST : 0);
    c->gpr.fill = FILL_INDEX;
    uint32_t *row = image_own_row(tc, schema_field(&svp64_swizzle_unit.schema, "gpr"), 0, true);
    assert_non_null(row);
    row[2 * 3] = p->r3; /* a register has two words */
    c->insn_count = 1;
    for (unsigned n = 0; n < SELECTIONS; n++) {
        for (unsigned p4 = 0; p4 < SWIZZLE_POSITIONS; p4++)
            i.field[SWIZZLE_SELECT_W + p4] = n >> 3 * p4 & 7;
        swizzle_encode(&i, c->insn[0]);
        run_case(t, tc);
    }
}

static struct tried try_clause(enum swizzle_clause clause, bool vertical)
{
    struct tried t = {.executor = executor_new(&svp64_swizzle_unit)};
    static struct test_case tc;
    profile_builtin(&svp64_swizzle_unit, SWIZZLE_PROFILE_PSEUDOCODE, &t.profile[PSEUDOCODE]);
    profile_builtin(&svp64_swizzle_unit, SWIZZLE_PROFILE_PROSE, &t.profile[PROSE]);
    t.profile[ALONE] = t.profile[PSEUDOCODE];
    t.profile[ALONE].reading[clause] = t.profile[PROSE].reading[clause];
    for (unsigned role = 0; role < ROLES; role++)
        t.out[role] = outcome_new(&svp64_swizzle_unit);
    for (unsigned way = 0; way < 16; way++)
        for (unsigned subvl = 0; subvl <= VEC4; subvl++)
            for (unsigned p = 0; p < PREDICATES; p++)
                try_selectors(&t, &tc, way, subvl, &predicates[p], vertical);
    for (unsigned role = 0; role < ROLES; role++)
        outcome_free(t.out[role]);
    executor_free(t.executor);
    return t;
}

static void vertical_first_is_never_the_only_difference(void **state)
{
    (void)state;
    static const enum swizzle_clause clauses[] = {SWIZ_VF_CODE, SWIZ_VF_UNPACK};
    for (unsigned n = 0; n < 2; n++) {
        struct tried t = try_clause(clauses[n], true);
        assert_true(t.effective > 0);
        assert_int_equal(t.alone, 0);
    }
}

/* The method finds a clause that can be the only difference. */
static void pack_index_can_be_the_only_difference(void **state)
{
    (void)state;
    struct tried t = try_clause(SWIZ_PACK_INDEX, false);
    assert_true(t.effective > 0);
    assert_true(t.alone > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertical_first_is_never_the_only_difference),
        cmocka_unit_test(pack_index_can_be_the_only_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
