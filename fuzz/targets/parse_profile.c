/* SPDX-License-Identifier: MIT */
/*
 * The parser accepts any text as a profile (the lines of a file, or a command line's spec), or refuses it
 * with a reason. An accepted profile chooses for each clause a reading that the clause has. Each of the
 * profile's rules is printed as text that the parser reads as the same rule. A rule gives the same values
 * when all lanes are evaluated at once as when each lane is evaluated alone. The first byte of the input
 * chooses the unit, the second the form of the text.
 */
#include "fuzz/targets/target.h"
#include "model/rule/rule.h"

#include <stdlib.h>
#include <string.h>

static void check_readings(const struct unit *u, const struct profile *p)
{
    for (unsigned i = 0; i < unit_clauses(u); i++)
        if (reading_of(p, i) >= clause_readings(unit_clause(u, i)))
            target_violated("clause %s has no reading %u", unit_clause(u, i)->id, reading_of(p, i));
}

/* Evaluates an expression over pseudorandom values, in both ways. The seed is the expression's size. */
static void check_values(const struct expression *x, const struct point *p)
{
    uint32_t value[POINT_LANES_MAX], input[POINT_INPUT_WORDS_MAX], result[POINT_LANES_MAX];
    struct random r;
    random_seed(&r, x->count);
    for (unsigned i = 0; i < POINT_LANES_MAX; i++)
        value[i] = random_u32(&r) >> random_below(&r, 32);
    for (unsigned i = 0; i < POINT_INPUT_WORDS_MAX; i++)
        input[i] = random_u32(&r) >> random_below(&r, 32);
    struct expression_context c = {.value = value,
                                   .input = input,
                                   .vectors = point_vectors(p),
                                   .lanes = POINT_LANES_MAX};
    expression_evaluate_lanes(x->node, x->count, &c, result);
    for (; c.lane < POINT_LANES_MAX; c.lane++)
        if (expression_evaluate(x->node, x->count, &c) != result[c.lane])
            target_violated("lane %u of an expression differs from the lane alone", c.lane);
}

static void check_rules(const struct unit *u, const struct profile *p)
{
    for (uint32_t i = 0; i < p->rules.count; i++) {
        const struct rule rule = rules_get(&p->rules, i);
        struct rule again;
        const struct unit *of;
        struct text t = {0};
        struct error e = {0};
        rule_print(u, &rule, &t);
        if (!rule_parse(text_chars(&t), t.length, &of, &again, &e))
            target_violated("a rule is printed as '%s', which is refused: %s", text_chars(&t), e.text);
        if (of != u || again.point != rule.point || !expression_equal(&again.guard, &rule.guard) ||
            !expression_equal(&again.result, &rule.result))
            target_violated("a rule is printed as '%s', which is another rule", text_chars(&t));
        text_free(&t);
        check_values(&rule.result, &u->points[rule.point]);
        if (rule.guard.count)
            check_values(&rule.guard, &u->points[rule.point]);
    }
}

static void check_profile(const struct unit *u, const struct profile *p)
{
    check_readings(u, p);
    check_rules(u, p);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static unsigned units;
    while (unit_at(units))
        units++;
    const struct unit *u = unit_at(target_choice(&bytes, &count, units));
    bool is_file = target_choice(&bytes, &count, 2) == 0;
    struct profile p;
    struct error e = {0};
    char *text = malloc(count + 1); /* of this size, so that a sanitizer sees a read past its end */
    if (!text)
        return 0;
    memcpy(text, bytes, count);
    text[count] = 0;
    profile_builtin(u, 0, &p);
    if (is_file ? profile_parse(u, text, &p, &e) : profile_resolve(u, text, &p, &e))
        check_profile(u, &p);
    else
        target_check_refusal(&e);
    free(text);
    return 0;
}
