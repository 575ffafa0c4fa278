/* SPDX-License-Identifier: MIT */
/*
 * Prints an instruction: its busy units, separated by " ; ", each at most once. The parser takes any order.
 *
 *   reg0 attr2 | reg0 $5          what the register 0 unit fetches
 *   reg1 $3                       what the register 1 unit fetches
 *   load u[6] | load u[6+addr1]   what the load unit fetches; also +addr2, +addr3, and +off0, +off4 ... for
 *                                 offsets without a known meaning
 *   acc0 max -A, B                operands with their negates; "acc0 mov A" is "acc0 add A, -ident"
 *   mul0 -mul A, B                '-' negates the result; "mul0 mov A" is "mul0 mul A, ident"
 *   complex rcp A
 *   pass clamp A
 *   store0 $4 A, B                x and y to register 4; "v1": varying 1; "temp": temporary memory; store1
 *                                 stores z and w
 *   branch 17                     to instruction 17 if this instruction's pass result is true
 *   accop ge   mulop select       the opcode of a pair of idle units
 *   flags 12                      bits 116 to 119, if they are not gp_usual_flags
 *   target 17                     the target of an instruction that is no branch
 *   nop                           none of these
 *
 * Opcodes, selectors and numbers without a known meaning print as op3, src8 and so on, so that every 128 bits
 * have a text that parses back to them.
 */
#include "model/utgard/gp_insn.h"

const char gp_syntax[] = "# The busy units of an instruction, in one line with \";\" between them:\n"
                         "reg0 attr2                 # what the register 0 unit fetches; reg0 $5\n"
                         "load u[6] ; reg1 $3        # what the load unit fetches; load u[6+addr1]\n"
                         "acc0 max -reg0.x, load.y   # an operation, with negated operands\n"
                         "mul0 -mul reg0.x, load.x   # a minus before the operation negates its result\n"
                         "complex rcp reg0.w\n"
                         "pass clamp acc0@1          # @1: of the instruction before\n"
                         "store0 $4 acc0, mul0       # x, y to register 4; v1: varying 1; temp: memory\n"
                         "branch 17                  # if this instruction's pass result is true\n"
                         "nop                        # no busy unit\n";

struct printer {
    struct text *t;
    bool any;
};

static void begin(struct printer *p, const char *what)
{
    text_add(p->t, "%s%s", p->any ? " ; " : "", what);
    p->any = true;
}

/* Does a unit of this instruction read one of the selectors first .. first + 3? */
static bool reads(const struct gp_insn *i, unsigned first)
{
    return gp_selectors(i) >> first & 0xF;
}

static void print_fetches(struct printer *p, const struct gp_insn *i)
{
    if (i->register0_attribute || i->register0_addr || reads(i, GP_REG0_X)) {
        begin(p, "reg0 ");
        text_add(p->t, "%s%u", i->register0_attribute ? "attr" : "$", i->register0_addr);
    }
    if (i->register1_addr || reads(i, GP_REG1_X)) {
        begin(p, "reg1 ");
        text_add(p->t, "$%u", i->register1_addr);
    }
    if (i->load_addr || i->load_offset != GP_OFFSET_NONE || i->pass_op == GP_PASS_CLAMP ||
        reads(i, GP_LOAD_X)) {
        begin(p, "load u[");
        text_add(p->t, "%u", i->load_addr);
        if (i->load_offset >= 1 && i->load_offset < GP_ADDRESS_REGISTERS)
            text_add(p->t, "+addr%u", i->load_offset);
        else if (i->load_offset != GP_OFFSET_NONE)
            text_add(p->t, "+off%u", i->load_offset);
        text_add(p->t, "]");
    }
}

static const char *second_name(unsigned source)
{
    return source == GP_COMPLEX_D1 ? gp_identity_name : gp_source_names[source];
}

static bool print_acc(struct printer *p, const struct gp_insn *i, const char *unit, unsigned a, unsigned b,
                      unsigned a_neg, unsigned b_neg)
{
    if (a == GP_NONE && b == GP_NONE && !a_neg && !b_neg)
        return false;
    begin(p, unit);
    if (i->acc_op == GP_ACC_ADD && b == GP_COMPLEX_D1 && b_neg) {
        text_add(p->t, " mov %s%s", a_neg ? "-" : "", gp_source_names[a]);
        return true;
    }
    text_add(p->t, " %s %s%s", gp_acc_names[i->acc_op], a_neg ? "-" : "", gp_source_names[a]);
    bool one_operand = i->acc_op == GP_ACC_FLOOR || i->acc_op == GP_ACC_SIGN;
    if (!one_operand || b != GP_NONE || b_neg)
        text_add(p->t, ", %s%s", b_neg ? "-" : "", second_name(b));
    return true;
}

/* Prints a busy multiplier and its opcode; false if the multiplier is idle. */
static bool print_mul(struct printer *p, unsigned op, const char *unit, unsigned a, unsigned b, unsigned neg)
{
    if (a == GP_NONE && b == GP_NONE && !neg)
        return false;
    begin(p, unit);
    text_add(p->t, " %s", neg ? "-" : "");
    if (op == GP_MUL_MUL && b == GP_COMPLEX_D1)
        text_add(p->t, "mov %s", gp_source_names[a]);
    else
        text_add(p->t, "%s %s, %s", gp_mul_names[op], gp_source_names[a], second_name(b));
    return true;
}

static void print_arithmetic(struct printer *p, const struct gp_insn *i)
{
    bool acc0 = print_acc(p, i, "acc0", i->acc0_src0, i->acc0_src1, i->acc0_src0_neg, i->acc0_src1_neg);
    bool acc1 = print_acc(p, i, "acc1", i->acc1_src0, i->acc1_src1, i->acc1_src0_neg, i->acc1_src1_neg);
    if (!acc0 && !acc1 && i->acc_op != gp_nop.acc_op) {
        begin(p, "accop ");
        text_add(p->t, "%s", gp_acc_names[i->acc_op]);
    }
    /* with complex2 on mul 0, mul 1 multiplies and prints "mul" */
    unsigned op1 = i->mul_op == GP_MUL_COMPLEX2 ? GP_MUL_MUL : i->mul_op;
    bool mul0 = print_mul(p, i->mul_op, "mul0", i->mul0_src0, i->mul0_src1, i->mul0_neg);
    bool mul1 = print_mul(p, op1, "mul1", i->mul1_src0, i->mul1_src1, i->mul1_neg);
    if (!mul0 && i->mul_op != (mul1 ? op1 : gp_nop.mul_op)) {
        begin(p, "mulop ");
        text_add(p->t, "%s", gp_mul_names[i->mul_op]);
    }
    if (i->complex_op != gp_nop.complex_op || i->complex_src != GP_NONE) {
        begin(p, "complex ");
        text_add(p->t, "%s %s", gp_complex_names[i->complex_op], gp_source_names[i->complex_src]);
    }
    if (i->pass_op != gp_nop.pass_op || i->pass_src != GP_NONE) {
        begin(p, "pass ");
        text_add(p->t, "%s %s", gp_pass_names[i->pass_op], gp_source_names[i->pass_src]);
    }
}

static void print_store(struct printer *p, const char *unit, unsigned temporary, unsigned varying,
                        unsigned addr, unsigned first, unsigned second)
{
    if (!temporary && !varying && !addr && first == GP_STORE_NONE && second == GP_STORE_NONE)
        return;
    begin(p, unit);
    if (temporary)
        text_add(p->t, " temp");
    if (!temporary || varying || addr)
        text_add(p->t, " %s%u", varying ? "v" : "$", addr);
    text_add(p->t, " %s, %s", gp_store_names[first], gp_store_names[second]);
}

static void print_end(struct printer *p, const struct gp_insn *i)
{
    struct gp_insn usual = *i;
    usual.branch_target = gp_nop.branch_target;
    usual.branch_target_lo = gp_nop.branch_target_lo;
    if (i->branch || gp_branch_target(i) != gp_branch_target(&usual)) {
        begin(p, i->branch ? "branch " : "target ");
        text_add(p->t, "%u", gp_branch_target(i));
    }
    if (i->flags != gp_usual_flags(i)) {
        begin(p, "flags ");
        text_add(p->t, "%u", i->flags);
    }
}

void gp_print(const uint32_t *words, struct text *t)
{
    struct gp_insn i;
    struct printer p = {.t = t};
    gp_decode(words, &i);
    print_fetches(&p, &i);
    print_arithmetic(&p, &i);
    print_store(&p, "store0", i.store0_temporary, i.store0_varying, i.store0_addr, i.store0_src_x,
                i.store0_src_y);
    print_store(&p, "store1", i.store1_temporary, i.store1_varying, i.store1_addr, i.store1_src_z,
                i.store1_src_w);
    print_end(&p, &i);
    if (!p.any)
        begin(&p, "nop");
}
