/* SPDX-License-Identifier: MIT */
/*
 * Plans: what the plain instructions of a program do, worked out once before it runs. An instruction is plain
 * if its ALUs have no conditions, flags, packs or unpacks, read and write registers only, and if no signal
 * but a thread switch comes with it. Most instructions of loops are. All others go through v3d_compute.c,
 * and so do all instructions of a machine with an observer.
 */
#ifndef MISPRINT_MODEL_V3D_RUN_V3D_PLAN_H
#define MISPRINT_MODEL_V3D_RUN_V3D_PLAN_H

#include "model/v3d/run/v3d_machine.h"

enum { V3D_PLAN_CLAUSES = 8 };

/* What one ALU of a plain instruction does. Operands and destination are distances from the thread in bytes.
 */
struct v3d_plan_half {
    v3d_kernel *kernel;     /* NULL: nothing */
    uint16_t a, b, to;      /* V3D_PLAN_IMMEDIATE: the plan's immediate */
    struct v3d_doubt keeps; /* what the result has of its operands' doubts: all of them if it is a copy */
};
enum { V3D_PLAN_IMMEDIATE = 0xFFFF };

struct v3d_plan {
    bool plain;
    bool meets;        /* two results may go to one register; also of instructions that are not plain */
    bool maybe;        /* `high` or `sum` */
    bool direct;       /* ADD can write its destination before MUL reads its operands */
    bool high;         /* rf32 to rf63 occur, which are others with four threads */
    bool sum;          /* umul24: needs a known RTOP */
    bool product;      /* multop: RTOP is known if its operands are */
    bool switches;     /* a thread switch */
    uint8_t wrote_acc; /* accumulators that are written, a bit each */
    uint8_t clauses;   /* how many of `clause` */
    uint8_t clause[V3D_PLAN_CLAUSES]; /* that decide the result */
    uint64_t reads, writes;           /* registers of the register file, a bit each */
    struct v3d_plan_half half[V3D_HALVES];
    struct v3d_lanes immediate;
};

/* Plans an instruction. `breaks`: it breaks a restriction, so it is not plain. */
void v3d_plan(enum v3d_generation g, const struct v3d_insn *i, bool breaks, struct v3d_plan *p);
/* Plans a whole program. */
void v3d_plan_program(struct v3d_machine *m, struct v3d_plan *plan);

/* Can the thread execute the instruction by its plan now? */
static inline bool v3d_plan_holds(const struct v3d_machine *m, const struct v3d_thread *t,
                                  const struct v3d_plan *p)
{
    return p->plain && (!p->maybe || (!(p->high && m->four_threads) && !(p->sum && t->unsure_rtop)));
}
static inline const struct v3d_lanes *v3d_plan_operand(const struct v3d_thread *t, const struct v3d_plan *p,
                                                       uint16_t at)
{
    return at == V3D_PLAN_IMMEDIATE ? &p->immediate : (const void *)((const char *)t + at);
}

static inline void v3d_plan_run_half(struct v3d_thread *t, const struct v3d_plan *p,
                                     const struct v3d_plan_half *h, struct v3d_lanes *to)
{
    const struct v3d_lanes *a = v3d_plan_operand(t, p, h->a), *b = v3d_plan_operand(t, p, h->b);
    const struct v3d_doubt doubt = v3d_doubt_of_both(a->doubt, b->doubt, h->keeps);
    h->kernel(&t->alu, &a->value, &b->value, &to->value, NULL);
    to->doubt = doubt;
}

/* Executes the ALUs of a plain instruction. Inline, because the call took a sixth of the time of a loop. */
static inline void v3d_plan_run(const struct v3d_machine *m, struct v3d_thread *t, const struct v3d_plan *p)
{
    const struct v3d_plan_half *add = &p->half[V3D_ADD], *mul = &p->half[V3D_MUL];
    struct v3d_lanes *to = (void *)((char *)t + add->to), *mul_to = (void *)((char *)t + mul->to), kept;
    for (unsigned n = 0; n < p->clauses; n++)
        cover(m->coverage, p->clause[n], 0);
    if (add->kernel)
        v3d_plan_run_half(t, p, add, p->direct ? to : &kept);
    if (mul->kernel)
        v3d_plan_run_half(t, p, mul, mul_to);
    if (p->product)
        t->unsure_rtop = mul_to->doubt.unsure;
    if (add->kernel && !p->direct)
        *to = kept;
}

#endif
