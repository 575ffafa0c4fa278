/* SPDX-License-Identifier: MIT */
#include "tests/model/vc4/qpu/alu/support_alu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct profile support_alu_profile(unsigned which)
{
    struct profile p = {0};
    for (unsigned i = 0; i < ALU_CLAUSES; i++)
        p.reading[ALU_CLAUSE_FIRST + i] = alu_clauses[i].in_profile[which];
    return p;
}

struct alu_rules support_alu_rules(unsigned which)
{
    struct profile p = support_alu_profile(which);
    struct alu_rules rules;
    alu_resolve(&p, &rules);
    return rules;
}

unsigned support_alu_clause(const char *id)
{
    for (unsigned i = 0; i < ALU_CLAUSES; i++)
        if (!strcmp(alu_clauses[i].id, id))
            return ALU_CLAUSE_FIRST + i;
    fail_msg("no arithmetic clause is called %s", id);
    return 0;
}

const struct alu_op *support_alu_op(const struct alu_rules *rules, const char *name, alu_kernel **kernel)
{
    for (unsigned op = 0; op < 8; op++)
        if (alu_mul_ops[op].name && !strcmp(alu_mul_ops[op].name, name)) {
            *kernel = rules->mul[op];
            return &alu_mul_ops[op];
        }
    for (unsigned op = 0; op < 32; op++)
        if (alu_add_ops[op].name && !strcmp(alu_add_ops[op].name, name)) {
            *kernel = rules->add[op];
            return &alu_add_ops[op];
        }
    return NULL;
}

uint32_t support_alu_one(const struct alu_rules *rules, alu_kernel *kernel, uint32_t a, uint32_t b,
                         uint32_t *carry)
{
    struct vc4_vector x = {{a}}, y = {{b}}, result, c;
    kernel(rules, &x, &y, &result, &c);
    if (carry)
        *carry = c.lane[0];
    return result.lane[0];
}

uint32_t support_alu_sfu(const struct alu_rules *rules, enum sfu_function f, uint32_t x, uint32_t *defined)
{
    struct vc4_vector in = {{x}}, out, mask, tolerance;
    alu_sfu(rules, f, &in, &out, &mask, &tolerance);
    *defined = mask.lane[0];
    return out.lane[0];
}

uint32_t support_alu_sfu_tolerance(const struct alu_rules *rules, enum sfu_function f, uint32_t x)
{
    struct vc4_vector in = {{x}}, out, mask, tolerance;
    alu_sfu(rules, f, &in, &out, &mask, &tolerance);
    return tolerance.lane[0];
}

void support_alu_zero_negative(const struct vc4_vector *result, struct vc4_vector *z, struct vc4_vector *n)
{
    for (unsigned i = 0; i < VC4_LANES; i++) {
        z->lane[i] = result->lane[i] ? 0 : UINT32_MAX;
        n->lane[i] = result->lane[i] >> 31 ? UINT32_MAX : 0;
    }
}
