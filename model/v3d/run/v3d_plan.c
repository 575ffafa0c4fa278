/* SPDX-License-Identifier: MIT */
#include "model/v3d/run/v3d_plan.h"

#include "model/v3d/run/v3d_results.h"
#include "model/v3d/v3d_rows.h"

#include <stddef.h>
#include <string.h>

/* Operations that only need their operands, and those that only RTOP distinguishes from them. */
static bool is_simple(enum v3d_op op)
{
    return v3d_operation[op].kind == V3D_KERNEL_PLAIN && v3d_rows[op].writes && op != V3D_A_MSF &&
           op != V3D_A_SETMSF && !(op >= V3D_A_FLAPUSH && op <= V3D_A_FLPOP) &&
           !(op >= V3D_A_VFLA && op <= V3D_A_VFLNB) && op != V3D_M_V8DOT;
}

static bool moves(enum v3d_op op)
{
    return op == V3D_A_MOV || op == V3D_A_FMOV || op == V3D_M_MOV || op == V3D_M_FMOV;
}

static uint16_t register_at(unsigned n)
{
    return (uint16_t)(offsetof(struct v3d_thread, rf) + n * sizeof(struct v3d_lanes));
}

static uint16_t accumulator_at(unsigned n)
{
    return (uint16_t)(offsetof(struct v3d_thread, acc) + n * sizeof(struct v3d_lanes));
}

/* Plans an operand. Returns false if it is no register, and no immediate that the plan can hold. */
static bool plan_operand(const struct v3d_operand *o, struct v3d_plan *p, int *immediate, uint16_t *at)
{
    if (o->unpack)
        return false;
    if (o->kind == V3D_RF) {
        p->reads |= UINT64_C(1) << o->index;
        *at = register_at(o->index);
        return true;
    }
    if (o->kind == V3D_ACCUMULATOR) {
        *at = accumulator_at(o->index);
        return true;
    }
    *at = V3D_PLAN_IMMEDIATE;
    bool fits =
        o->kind == V3D_IMMEDIATE && o->index < V3D_IMMEDIATES && (*immediate < 0 || *immediate == o->index);
    *immediate = o->index;
    return fits;
}

static bool plan_destination(enum v3d_generation g, const struct v3d_half *h, struct v3d_plan *p,
                             uint16_t *at)
{
    if (!h->magic) {
        p->writes |= UINT64_C(1) << h->waddr;
        *at = register_at(h->waddr);
        return true;
    }
    if (g != V3D_42 || h->waddr > V3D_W_R4)
        return false;
    p->wrote_acc = (uint8_t)(p->wrote_acc | 1U << h->waddr);
    *at = accumulator_at(h->waddr);
    return true;
}

static bool plan_half(enum v3d_generation g, const struct v3d_half *h, struct v3d_plan *p, int *immediate,
                      struct v3d_plan_half *to)
{
    const enum v3d_op op = (enum v3d_op)h->op;
    if (h->cond || h->flags || h->pack)
        return false;
    if (op == V3D_A_NOP || op == V3D_M_NOP)
        return true;
    bool undefined = op == V3D_M_MULTOP && !(h->magic && h->waddr == V3D_W_NOP); /* its destination */
    if (!is_simple(op) || undefined || !plan_destination(g, h, p, &to->to))
        return false;
    unsigned sources = v3d_rows[op].sources;
    to->a = to->b = V3D_PLAN_IMMEDIATE;
    if ((sources > 0 && !plan_operand(&h->src[0], p, immediate, &to->a)) ||
        (sources > 1 && !plan_operand(&h->src[1], p, immediate, &to->b)))
        return false;
    if (sources == 1)
        to->b = to->a;
    to->kernel = v3d_operation[op].kernel;
    to->keeps.unsure = V3D_ALL_LANES;
    if (moves(op))
        to->keeps.near = to->keeps.absolute = V3D_ALL_LANES;
    p->product = p->product || op == V3D_M_MULTOP;
    p->sum = p->sum || op == V3D_M_UMUL24;
    for (unsigned n = 0; n < V3D_CLAUSES_OF && v3d_clauses_of[op][n]; n++)
        p->clause[p->clauses++] = (uint8_t)(v3d_clauses_of[op][n] - 1);
    return true;
}

/* Plans an instruction. Returns false if it is not plain. */
static bool plan_plain(enum v3d_generation g, const struct v3d_insn *i, struct v3d_plan *p)
{
    int immediate = -1;
    if (i->reasons || i->is_branch || (i->signals & ~(V3D_SIG_THRSW | V3D_SIG_SMIMM)))
        return false;
    struct v3d_plan_half *add = &p->half[V3D_ADD], *mul = &p->half[V3D_MUL];
    if (!plan_half(g, &i->half[V3D_ADD], p, &immediate, add) ||
        !plan_half(g, &i->half[V3D_MUL], p, &immediate, mul) ||
        (add->kernel && mul->kernel && add->to == mul->to))
        return false;
    p->immediate.doubt = (struct v3d_doubt){0};
    for (unsigned n = 0; n < V3D_LANES && immediate >= 0; n++)
        p->immediate.value.lane[n] = v3d_immediate((unsigned)immediate);
    p->direct = !mul->kernel || (add->to != mul->a && add->to != mul->b);
    p->high = (p->reads | p->writes) >> (V3D_REGISTERS / 2);
    p->switches = i->signals & V3D_SIG_THRSW;
    p->maybe = p->high || p->sum;
    return true;
}

void v3d_plan(enum v3d_generation g, const struct v3d_insn *i, bool breaks, struct v3d_plan *p)
{
    memset(p, 0, offsetof(struct v3d_plan, immediate)); /* only plans that use the immediate need it */
    p->plain = !breaks && plan_plain(g, i, p);
    p->meets = p->plain ? p->high : !i->is_branch && v3d_may_meet(g, i);
}

void v3d_plan_program(struct v3d_machine *m, struct v3d_plan *plan)
{
    for (uint32_t n = 0, breach = 0; n < m->program_count; n++) {
        bool breaks = false;
        for (; breach < m->breaches && m->breach[breach].at <= n; breach++)
            breaks = breaks || m->breach[breach].at == n;
        v3d_plan(m->generation, &m->program[n], breaks, &plan[n]);
    }
    m->plan = plan;
}
