/* SPDX-License-Identifier: MIT */
/*
 * Known deviations of hardware and software, stated as rules at observation points. Profile `manual` with the
 * rules must leave what `manual` with another reading of one clause leaves. The cases are the clause's
 * separating cases, unchanged and with random changes, and generated cases.
 */
#include "fuzz/generate/generate.h"
#include "fuzz/generate/mutator.h"
#include "oracle/files/corpus.h"
#include "tests/model/vc4/qpu/support_points.h"

#define FINITE(x)   "(" x " & 0x7f800000) != 0x7f800000"
#define DENORMAL(x) "low(" x ", 31) - 1 < 0x7fffff"

static const struct pair {
    const char *reading; /* "BASE:CLAUSE=READING"; without a base, manual */
    const char *rules;
} pairs[] = {
    /* registers and flags */
    {"r5-byte-concat=replicate", "r5.value when file == 0 = word[lane & 12]"},
    {"r5-cond-element0=source-element", "write.lanes when address == 37 && file == 0 = (value & 0x1111) * 15;"
                                        "write.lanes when address == 37 = (value & 1) * 0xffff"},
    {"r5-cond-element0=element-0", "write.lanes when address == 37 = (value & 1) * 0xffff"},
    {"r5-cond-element0=element-0", "r5.lanes = (value & 1) * 0xffff"},
    {"sf-never=nop-only", "flags.from when cond_add == 0 && (op_add || sig == 14) = 1"},
    {"sf-per-element=condition-true", "flags.lanes = enable"},
    {"ldi-op-text=add-zero", "flags.c when sig == 14 = 0"},
    {"flags-vs-pack=packed", "flags.value = packed"},
    {"accumulator-count=five", "r5.present = 0"},
    /* branches */
    {"branch-sf-alias=bit-45", "branch.flags = taken & raddr_a"},
    {"branch-element=element-15", "branch.element = 15"},
    {"branch-link-cond=taken", "branch.links = taken"},
    {"branch-spacing=crash", "branch.end when distance < 3 = 5"},
    {"branch-spacing=lost", "branch.pending when distance < 3 = 0; branch.taken when distance < 3 = 0"},
    /* instructions */
    {"ldi-mode-2-5-6-7=partial", "insn.mode when value == 2 = 0; insn.mode when value > 4 = 4"},
    {"sema-result=counter", "semaphore.result = count"},
    {"sema-cond-never=acts", "semaphore.acts = 1"},
    {"unary-operand=operand-b", "insn.add_a when operands == 1 = other"},
    /* I/O registers */
    {"raddr-side-effect=address-alone", "read.done when acts = 1"},
    {"io-read-both-files=once", "read.file when acts && address == other && other_read && address != 50 = 0"},
    {"cond-write-peripheral=unconditional",
     "write.lanes when address == 49 || address == 50 || address >= 56 = 0xffff"},
    {"pack-peripheral=unpacked", "pack.mode when address >= 36 && address != 37 && !(pm && pack == 3) = 0"},
    {"host-int-nonzero=non-zero", "interrupt.raised = value && word"},
    {"mutex-read-data=constant", "read.value when address == 51 = 0xfc2ff000"},
    {"unif-addr-b=relative",
     "uniform.to-memory when file = in_memory; uniform.address when file = before + word"},
    {"coords-outside-fs=fixed", "read.value when address == 41 && !fragment = lane >> file & 1"},
    {"ms-rev-flags-storage=element-0",
     "read.value when address == 42 && file == 1 = value[0]; stencil.element = 0"},
    {"sfu-list=reciprocal", "sfu.function when address == 52 = 0"},
    {"tmu-noswap-value=non-zero", "tmu.no-swap = word != 0"},
    {"hw-2796=lost", "tile.done when executed < 2 || early = 0"},
    {"varying-excess=undefined", "varying.waits = 0"},
    {"hw-2924=batch", "stencil.element = 0"},
    /* floats */
    {"float-denormals=flush", "operand.value when kind == 1 && !(value & 0x7f800000) && low(value, 23) = 0;"
                              "float.result when !(value & 0x7f800000) && low(value, 23) = 0"},
    {"float-denormals=flush",
     "operand.value when kind == 1 && class == 1 = 0; float.result when class == 1 = 0"},
    {"fmul-zero-nan=zero", "float.result when pipe && class_a < 2 && class_b > 2 = 0;"
                           "float.result when pipe && class_b < 2 && class_a > 2 = 0"},
    {"fadd-overflow=flt-max",
     "float.result when !pipe && class == 3 && max(class_a, class_b) < 3 = value - 1"},
    {"sfu-denormal=flush", "sfu.operand when class == 1 = 0; sfu.result when class == 1 = 0"},
    {"unpack-r4-denormal=shifted",
     "unpack.value when from_r4 && mode - 1 < 2 && class < 2 = (part & 0x8000) << "
     "16 | low(part, 10) << 13"},
    {"pack-16f-special=inf-or-zero",
     "pack.field when float && !pm && low(mode, 3) - 1 < 2 && class == 4 = result >> 31 << 15 | 0x7c00;"
     "pack.field when float && !pm && low(mode, 3) - 1 < 2 && exponent < 0x71 = 0"},
    {"float-neg-zero=never", "float.result when value == 0x80000000 = 0"},
    {"itof-truncation=truncate", "add.result when op == 8 = itof_rtz(a)"},
    {"fmul-zero-nan=zero", "mul.result when op == 1 && !(a & 0x7f800000) && b * 2 >= 0xff000000 = 0;"
                           "mul.result when op == 1 && !(b & 0x7f800000) && a * 2 >= 0xff000000 = 0"},
    {"fadd-overflow=flt-max", "float.result when !pipe && low(value, 31) == 0x7f800000 && " FINITE(
                                  "a") " && " FINITE("b") " = value - 1"},
    {"fmin-ties=a-then-b", "add.result when op == 3 && !((a | b) * 2) = a;"
                           "add.result when op == 4 && !((a | b) * 2) = b"},
    {"fmin-neg-denormal=absolute",
     "add.result when op == 3 && " DENORMAL("a") " && " DENORMAL(
         "b") " = if(a * 2 > b * 2, b, a);"
              "add.result when op == 4 && " DENORMAL("a") " && " DENORMAL("b") " = if(a * 2 > b * 2, a, b)"},
    {"fminabs-sign=signed-operand", "add.result = picked"},
    {"fminabs-sign=signed-operand",
     "add.result when op == 5 && value * 2 <= 0xff000000 = if(value == low(a, 31), a, b);"
     "add.result when op == 6 && value * 2 <= 0xff000000 = if(value == low(a, 31), a, b)"},
    {"ftoi-mode=infinity-zero", "add.result when op == 7 && low(a, 31) == 0x7f800000 = 0"},
    {"ftoi-out-of-range=zero", "add.result when op == 7 && a * 2 - 0x9e000001 < 0x60ffffff = 0; add.result "
                               "when a == 0x4f000000 && op == 7 = 0"},
    {"itof-c-flag=positive", "flags.c when op == 8 = result - 1 < 0x7fffffff"},
    {"fadd-c-flag=positive", "flags.c when !pipe && (op == 1 || op == 2) = result - 1 < 0x7fffffff"},
    /* integers */
    {"sub-c-flag=no-borrow", "flags.c when op == 13 = !value"},
    {"shift-amount=mod-32", "operand.value when port && op - 14 < 4 = value & 31"},
    {"shift-amount=low-byte", "operand.value when port && op - 14 < 4 = value & 255"},
    {"shift-c-flag=last-out", "flags.c when op == 14 = a >> b - 1; flags.c when op == 17 = a >> 32 - b;"
                              "flags.c when op == 15 && b = asr(a, b - 1)"},
    {"shift-c-flag=last-out", "flags.c when !pipe && op > 13 && op < 18 && op != 16 = beyond"},
    {"minmax-c-flag=greater", "flags.c when !pipe && (op > 2 && op < 7 || op > 17 && op < 20) = greater"},
    {"mul24=signed", "mul24.operand = sext(value, 24)"},
    {"mul24-c-flag=above-24-bits", "flags.c when pipe && op == 2 && (beyond || result >> 24) = 1"},
    {"mul24-c-flag=above-32-bits", "flags.c when pipe && op == 2 && beyond = 1"},
    {"clz-zero=wraps", "add.result when op == 24 && a == 0 = 0"},
    {"mul24=signed", "mul.result when op == 2 = sext(a, 24) * sext(b, 24)"},
    {"mul24=low-24", "mul.result when op == 2 = low(value, 24)"},
    {"mul24-c-flag=above-24-bits",
     "flags.c when pipe && op == 2 && low(a, 24) = low(b, 24) > 0xffffff / low(a, 24)"},
    {"mul24-c-flag=above-32-bits",
     "flags.c when pipe && op == 2 && low(a, 24) = low(b, 24) > 0xffffffff / low(a, 24)"},
    {"v8muld-formula=truncate", "byte.result when pipe && op == 3 = product / 255"},
    {"v8muld-formula=byte-3", "byte.result when pipe && op == 3 = (high_product + 127) / 255"},
    /* special functions */
    {"sfu-negative=absolute", "sfu.operand when function & 5 && value != 0x80000000 = low(value, 31)"},
    {"sfu-zero=observed", "sfu.result when function == 1 && operand == 0x80000000 = 0x7f800000"},
    {"sfu-special=no-nan", "sfu.operand when low(value, 31) > 0x7f800000 = value & 0xff800000"},
    {"sfu-denormal=flush", "sfu.operand when !(value & 0x7f800000) && low(value, 23) = 0;"
                           "sfu.result when !(value & 0x7f800000) && low(value, 23) = 0"},
    /* packs */
    {"t9-mul-pack-8a=by-code", "pack.mode when pm && value == 4 = pack"},
    {"mul-pack-rounding=truncate", "pack.field when pm = truncated"},
    {"mul-pack-ldi=converted", "pack.mode when sig == 14 && pm && pipe = min(pack, 4)"},
    {"mul-pack-any-op=any", "pack.mode when sig != 14 && pm && pipe = min(pack, 4)"},
    {"unpack-16f-denormal=shifted", "unpack.value when !from_r4 && float && mode - 1 < 2 && !(part & 0x7c00) "
                                    "= (part & 0x8000) << 16 | low(part, 10) << 13"},
    {"unpack-r4-denormal=shifted", "unpack.value when from_r4 && mode - 1 < 2 && !(part & 0x7c00) = (part & "
                                   "0x8000) << 16 | low(part, 10) << 13"},
    {"bcm2835:unpack-16f-nan=payload-kept", "unpack.value when float && mode - 1 < 2 && (part & 0x7e00) == "
                                            "0x7c00 && part & 0x3ff = value & 0xffbfffff"},
    {"pack-16f-special=inf-or-zero",
     "pack.field when float && !pm && low(mode, 3) - 1 < 2 && low(result, 31) > 0x7f800000 = result >> 31 << "
     "15 | 0x7c00;"
     "pack.field when float && !pm && low(mode, 3) - 1 < 2 && low(result, 31) < 0x38800000 = 0"},
    {"pack-16f-sat=no-effect", "pack.mode when float && !pm && value - 9 < 2 = value & 7"},
    {"pack-8-of-float=raw-bits", "pack.field when float && !pm && mode - 3 < 5 = low(result, 8);"
                                 "pack.field when float && !pm && mode > 10 = smin(smax(result, 0), 255)"},
    {"pack-nonsat-saturates=saturated-value",
     "pack.field when overflow & 1 && mode - 3 < 5 = if(overflow & 4, 0, 255);"
     "pack.field when overflow & 1 && mode - 1 < 2 = 0x7fff + (overflow >> 2)"},
    {"pack-sub-direction=sign-of-b", "overflow when op == 13 && value = 1 + (b >> 31) * 4"},
    {"pack-add-overflow-zero=and", "pack.field when overflow & 1 && mode > 10 && result >> 31 = 0;"
                                   "pack.field when overflow & 1 && mode - 9 < 2 && result + 0x8000 > 0xffff "
                                   "= value & (asr(result, 31) ^ 0x7fff)"},
    {"pack-32s-ops=add-sub", "overflow when value & 2 = 0"},
    {"pack-preserves=zeroes", "pack.mask = 0xffffffff"},
    /* textures */
    {"tmu-uniform-direct=every-write", "tmu.uniform.taken when direct = 1"},
    {"tmu-fifo-8=both-fifos", "tmu.request.taken = behind; tmu.result.slots = 16"},
    {"cswiz=refused", "tmu.lookup.reserved when !direct && bits(p0, 10, 2) = 1"},
    {"tex-type-rga=rgb", "tmu.texel.value when type == 1 = value | stored & 0xff0000"},
    {"tex-channel-order=red-high", "tmu.channel.low when type < 12 = 16 - value - bits"},
    {"tex-expansion=shift", "tmu.channel.value = field << 8 - bits"},
    {"tex-bit-order=high-first", "tmu.texel.shift when bits < 8 = value ^ 8 - bits"},
    {"tex-single-packing=repeated", "tmu.result.word when type == 10 = value * 0x01010101;"
                                    "tmu.result.word when type == 9 || type == 11 = value * 0x00010001"},
    {"tex-etcflip=top-down", "tmu.config.etcflip = !value"},
    {"tmu-texel-edge=rounded", "tmu.sample.position when !linear = value + 128"},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Numbers of cases: comparable ones, those that the reading changes, those that cannot be compared. */
struct tally {
    unsigned compared, changed, undefined;
};

/* Are two outcomes equal in the bits that both define? A rule does not change which bits are defined. */
static bool equal(const struct outcome *a, const struct outcome *b)
{
    const struct layout *l = &points_unit->layout;
    bool same = a->end == b->end && a->reason == b->reason;
    for (size_t i = 0; i < (size_t)l->rows * l->row_words; i++)
        same &= !((a->value[i] ^ b->value[i]) & a->defined[i] & b->defined[i]);
    return same;
}

static void compare(const struct pair *p, const struct profile *reading, const struct profile *ruled,
                    struct tally *t)
{
    struct profile manual = *ruled;
    manual.rules = (struct rules){0};
    points_run(&bench.tc, reading, RUN_CHECKED, bench.out);
    points_run(&bench.tc, ruled, RUN_CHECKED, bench.other);
    if (bench.out->reason == VC4_FAULT_UNDEFINED || bench.other->reason == VC4_FAULT_UNDEFINED) {
        t->undefined++;
        return;
    }
    t->compared++;
    if (!equal(bench.out, bench.other)) {
        points_print(bench.out, bench.other);
        support_fail_case(&bench.tc, "%s is not '%s'", p->reading, p->rules);
    }
    points_run(&bench.tc, &manual, RUN_CHECKED, bench.other);
    t->changed += !equal(bench.out, bench.other);
}

/* Makes a case from a separating case by 0 to 3 random changes. */
static void vary(const struct corpus_entry *e, unsigned n)
{
    case_copy(&bench.tc, e->tc);
    for (unsigned i = 0; i < n % 4; i++)
        case_mutate(&bench.random, &bench.tc);
}

static void judge(const struct pair *p, const struct corpus *corpus, struct tally *t)
{
    const char *colon = strchr(p->reading, ':'), *name = colon ? colon + 1 : p->reading;
    char clause[48], base[96], profile[160];
    snprintf(clause, sizeof clause, "%.*s", (int)strcspn(name, "="), name);
    snprintf(base, sizeof base, "%.*s", (int)(colon ? colon - p->reading : 0), p->reading);
    snprintf(profile, sizeof profile, "%s,%s", colon ? base : "manual", name);
    const struct profile reading = points_profile(profile, NULL);
    snprintf(profile, sizeof profile, "%s,%s=manual", colon ? base : "manual", clause);
    const struct profile ruled = points_profile(profile, p->rules);
    const struct corpus_entry *e;
    for (unsigned k = 0; (e = corpus_separating(corpus, clause, k)); k++)
        for (unsigned n = 0; n < support_scaled(300) || (!t->changed && n < 3000); n++) {
            vary(e, n);
            compare(p, &reading, &ruled, t);
        }
    for (unsigned n = 0; n < support_scaled(700) || (!t->changed && n < 7000); n++) {
        case_generate(&bench.random, points_unit, &bench.tc);
        compare(p, &reading, &ruled, t);
    }
}

static void readings_can_be_rules(void **state)
{
    (void)state;
    struct error e = {0};
    struct corpus *corpus = corpus_open(points_unit, MISPRINT_SOURCE_DIR "/corpus", &e);
    assert_non_null(corpus);
    for (unsigned i = 0; i < PAIRS; i++) {
        struct tally t = {0};
        judge(&pairs[i], corpus, &t);
        if (!t.changed)
            fail_msg("%s changed none of %u cases", pairs[i].reading, t.compared);
        print_message("  %-44s %5u cases, %4u changed\n", pairs[i].reading, t.compared, t.changed);
    }
    corpus_close(corpus);
}

/* The MUL ALU rotates its result, and flags.c comes after that. Its operands rotate, too: in each element the
 * result is their product (p36 T13: "24 bit multiply"). */
static void rotated_results_have_their_operands(void **state)
{
    (void)state;
    static const char text[] = "misprint-case 1 vc4-qpu\nprogram {\n nop ; mul24.rot3.sf r2, r0, r1\n"
                               " nop ; end\n nop\n nop\n}\nacc fill index\n";
    enum { ROW_FLAG_C = 72 };
    struct error e = {0};
    const struct profile p =
        points_profile("manual", "flags.c when pipe = result == low(a, 24) * low(b, 24)");
    if (!case_parse(&bench.tc, text, strlen(text), &e))
        fail_msg("%s", e.text);
    points_run(&bench.tc, &p, RUN_CHECKED, bench.out);
    for (unsigned n = 0; n < VC4_LANES; n++)
        if (outcome_row(bench.out, ROW_FLAG_C, VC4_LANES)[n] != 1)
            fail_msg("element %u: the result is not the product of what the rule sees as its operands", n);
}

/* A rule, a program, and the word that it leaves in element 5 of r2, with and without the rule. */
static const struct effect {
    const char *rule, *program;
    uint32_t word, without;
    const char *more; /* the case after its program; NULL: nothing */
} effects[] = {
    /* `memory fill index` puts C09B7651 at 40 and 00DBB691 at 80 */
    {"rotate.source = lane", " mov r0, elem_num\n nop\n nop ; v8min.rot3 r2, r0, r0\n", 5, 2, NULL},
    {"write.element = value && lane != 5", " mov r2, elem_num\n", 0, 5, NULL},
    {"load.value = value + lane", " ldi r2, 7\n", 12, 7, NULL},
    {"byte.result when byte == 1 = 0x20", " mov r0, elem_num\n nop ; v8adds r2, r0, r0\n", 0x200A, 10, NULL},
    /* instructions: a load of a word as one of two bits for each element, bits 5 and 21 of element 5 */
    {"insn.class when sig == 14 && !mode = 4", " ldi r2, 0x200020\n", 3, 0x200020, NULL},
    {"load.bit when half = 0", " ldis r2, nop, [0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\n", 0,
     0xFFFFFFFE, NULL},
    {"write.file when address == 1 = 1", " mov ra1, elem_num\n nop\n mov r2, ra1\n", 0, 5, NULL},
    {"rotate.element = 4",
     " mov r0, elem_num\n mov r5_quad, elem_num\n nop\n nop ; v8min.rot_r5 r2, r0, r0\n", 1, 5, NULL},
    {"rotate.done = 0", " mov r0, elem_num\n nop\n nop ; v8min.rot3 r2, r0, r0\n", 5, 2, NULL},
    /* the count is 0: a semaphore that counts down waits for ever */
    {"semaphore.acts = 1; semaphore.decrements = word >> 1", " release 2\n mov r2, elem_num\n", 0, 5, NULL},
    /* the second read waits for the mutex, which the first one took (p24) */
    {"wait.lasts = 0", " mov r0, mutex\n mov r0, mutex\n mov r2, elem_num\n", 5, 0, NULL},
    /* p37: a register that the instruction before writes; its old value is 0 */
    {"read.hazard = 1", " mov ra1, elem_num\n nop\n mov r2, ra1\n", 0, 5, NULL},
    /* arithmetic, packs, flags */
    {"shift.amount = word + 1", " mov r0, elem_num\n mov r1, 2\n shl r2, r0, r1\n", 40, 20, NULL},
    {"byte.product when byte == 0 = 127", " mov r0, -1\n nop ; v8muld r2, r0, r0\n", 0xFFFFFF00, 0xFFFFFFFF,
     NULL},
    {"byte.product when byte == 0 = 128", " mov r0, -1\n nop ; v8muld r2, r0, r0\n", 0xFFFFFF01, 0xFFFFFFFF,
     NULL},
    {"pack.saturates when mode == 1 = 1", " ldi r0, 70000\n mov ra1.16a, r0\n nop\n mov r2, ra1\n", 0x7FFF,
     0x1170, NULL},
    {"pack.most = 300", " ldi r0, 70000\n mov ra1.16as, r0\n nop\n mov r2, ra1\n", 300, 0x7FFF, NULL},
    {"pack.least = 9", " mov ra1.8as, elem_num\n nop\n mov r2, ra1\n", 9, 5, NULL},
    {"pack.word = field << 4", " mov ra1.16a, elem_num\n nop\n mov r2, ra1\n", 0x50, 5, NULL},
    {"pack.colours = 1", " ldi r0, 0x3f800000\n ldi r1, 0\n fsub ra1.8888, r0, r1\n nop\n mov r2, ra1\n",
     0xFFFFFFFF, 0x01010101, NULL},
    {"pack.colours = 1", " ldi r0, 0x3f800000\n ldi r1, 0\n shl ra1.8888, r0, r1\n nop\n mov r2, ra1\n",
     0x3F800000, 0, NULL},
    {"flags.keep-c when op == 21 = 1",
     " mov r0, -1\n add.setf nop, r0, r0\n or.setf nop, r0, r0\n mov.cs r2, elem_num\n", 5, 0, NULL},
    {"start.flag when flag == 0 = 1", " mov.zs r2, elem_num\n", 5, 0, NULL},
    /* r5: element 5 has the low bytes of elements 4 to 7 (p38 T14) */
    {"r5.joins = 0", " mov r5_quad, elem_num\n nop\n mov r2, r5\n", 4, 0x07060504, NULL},
    {"r5.byte when byte == 0 = 0x41", " mov r5_quad, elem_num\n nop\n mov r2, r5\n", 0x07060541, 0x07060504,
     NULL},
    {"r5.place when byte == 3 = 0", " mov r5_quad, elem_num\n nop\n mov r2, r5\n", 0x00060507, 0x07060504,
     NULL},
    {"r5.present = 0", " mov r5_quad, elem_num\n nop\n mov r2, r5\n", 0, 0x07060504, NULL},
    /* branches: only element 0 has Z; the branch goes behind the mov (p34: relative to the fourth next) */
    {"branch.any = 1", " mov.setf nop, elem_num\n brr.all_zs 8\n nop\n nop\n nop\n mov r2, elem_num\n", 0, 5,
     NULL},
    {"branch.holds = 0xffff", " mov.setf nop, elem_num\n brr.all_zs 8\n nop\n nop\n nop\n mov r2, elem_num\n",
     0, 5, NULL},
    {"branch.instruction = value + 1", " brr 0\n nop\n nop\n nop\n mov r2, elem_num\n", 0, 5, NULL},
    {"branch.jumps = 0", " brr 8\n nop\n nop\n nop\n mov r2, elem_num\n", 5, 0, NULL},
    /* the program is at 40010000; the link address is that of the fourth next instruction (p34) */
    {"branch.link.done when !pipe = 0", " brr ra1, 0\n nop\n nop\n nop\n mov r2, ra1\n", 0, 0x40010020, NULL},
    {"branch.address = value + 8", " brr 0\n nop\n nop\n nop\n mov r2, elem_num\n", 0, 5, NULL},
    /* uniforms and pixels */
    {"uniform.next = place + 2", " mov r0, unif\n mov r2, unif\n", 9, 8, "uniforms { 7 8 9 }\n"},
    {"uniform.memory-word = value + 16", " mov uniforms_address, unif\n nop\n nop\n mov r2, unif\n",
     0x00DBB691, 0xC09B7651, "uniforms { @40 }\nmemory fill index\n"},
    {"io.done when address == 40 = 0", " mov uniforms_address, unif\n nop\n nop\n mov r2, unif\n", 8,
     0x00DBB691, "uniforms { @80 8 }\nmemory fill index\n"},
    {"access.done when !write = 0", " mov r2, unif\n", 0, 7, "uniforms { 7 }\n"},
    {"coordinate.place = 0", " mov r2, x_coord\n", 0, 1, "stage = fragment\n"},
    {"start.quad = 10", " mov r2, x_coord\n", 21, 1, "stage = fragment\n"},
    {"start.samples = 6", " mov r2, ms_flags\n", 6, 15, "stage = fragment\n"},
    {"start.reversed = 1", " mov r2, rev_flag\n", 1, 0, "stage = fragment\n"},
    {"tile.reached = 1", " nop\n nop\n nop ; load_colour\n mov r2, elem_num\n", 5, 0, NULL},
    /* the address of file B's half of TMU_NOSWAP */
    {"io.word when file && address == 36 = 0",
     " mov tmu0_s, unif\n nop ; mov tmu_noswap, 1\n nop\n nop\n nop ; load_tmu0\n mov r2, elem_num\n", 5, 0,
     "uniforms { @40 }\nmemory fill index\nqpu-number = 2\n"},
    /* loads: of two words that are on their way, the older one arrives when the newer one follows it */
    {"arrival.latency = 3",
     " mov tmu0_s, unif\n mov tmu0_s, unif\n nop\n nop ; load_tmu0\n nop ; load_tmu0\n mov r2, r4\n",
     0xC09B7651, 0x00DBB691, "uniforms { @40 @80 }\nmemory fill index\n"},
    {"arrival.latency = 9", " mov tmu0_s, unif\n nop\n nop\n nop ; load_tmu0\n mov r2, r4\n", 0, 0xC09B7651,
     "uniforms { @40 }\nmemory fill index\n"},
    /* a write of which no element takes part */
    {"tmu.write.done = 1", " mov r0, unif\n mov.zs tmu0_s, r0\n nop\n nop\n nop ; load_tmu0\n mov r2, r4\n",
     0xC09B7651, 0, "uniforms { @40 }\nmemory fill index\n"},
};

/* 0x7fffffff + 1 overflows to 0x80000000. pack-add-overflow-zero=and, which profile bcm2835 has, gives the
 * end 0x7fff AND the clamped integer 0x8000, or of bytes 0xff AND 0. */
#define OVERFLOWING(pack) " ldi r0, 0x7fffffff\n mov r1, 1\n add ra1." pack ", r0, r1\n nop\n mov r2, ra1\n"
static const struct effect overflows[] = {
    {"pack.end = value ^ 1", OVERFLOWING("16as"), 0, 0, NULL}, /* 0x7ffe AND 0x8000 */
    {"pack.end = value | 0x8000", OVERFLOWING("16as"), 0x8000, 0, NULL},
    {"pack.clamped = value | 1", OVERFLOWING("16as"), 1, 0, NULL},
    {"pack.takes-end = 0", OVERFLOWING("16as"), 0x8000, 0, NULL},
    {"pack.clamped = 3", OVERFLOWING("8as"), 3, 0, NULL},
    {"pack.end = 9", OVERFLOWING("32s"), 9, 0x7FFFFFFF, NULL}, /* the reading is not about words */
};

static void check_effect(const char *profile, const struct effect *of, bool with)
{
    enum { ROW_R2 = 66, ELEMENT = 5 };
    char text[400];
    struct error e = {0};
    const struct profile p = points_profile(profile, with ? of->rule : NULL);
    (void)snprintf(text, sizeof text, "misprint-case 1 vc4-qpu\nprogram {\n%s nop ; end\n nop\n nop\n}\n%s",
                   of->program, of->more ? of->more : "");
    if (!case_parse(&bench.tc, text, strlen(text), &e))
        fail_msg("%s: %s", of->program, e.text);
    points_run(&bench.tc, &p, RUN_CHECKED, bench.out);
    const uint32_t word = outcome_row(bench.out, ROW_R2, VC4_LANES)[ELEMENT],
                   expected = with ? of->word : of->without;
    if (word != expected)
        fail_msg("%s: %08x in place of %08x %s", of->rule, word, expected,
                 with ? "with the rule" : "without the rule");
}

static void rules_have_the_effects_that_points_describe(void **state)
{
    (void)state;
    for (unsigned with = 0; with < 2; with++) {
        for (size_t n = 0; n < sizeof effects / sizeof *effects; n++)
            check_effect("manual", &effects[n], with);
        for (size_t n = 0; n < sizeof overflows / sizeof *overflows; n++)
            check_effect("bcm2835", &overflows[n], with);
    }
}

/* What a program sees of MS_FLAGS does not depend on the runs before: neither on what these programs had, nor
 * on what their writes of Z left. */
static void runs_begin_alike(void **state)
{
    (void)state;
    static const char text[] =
        "misprint-case 1 vc4-qpu\n%sprogram {\n nop\n nop\n mov tlb_colour_all, elem_num\n"
        " mov tlb_z, elem_num\n nop ; end\n nop\n nop\n}\n";
    static const char *const stages[] = {"", "stage = fragment\n"};
    const struct profile p = points_profile("manual", "tile.reached = 1");
    for (unsigned n = 0; n < 8; n++) {
        char chars[400];
        struct error e = {0};
        (void)snprintf(chars, sizeof chars, text, stages[n >> 1 & 1]);
        if (!case_parse(&bench.edited, chars, strlen(chars), &e))
            fail_msg("%s", e.text);
        (void)snprintf(chars, sizeof chars, text, stages[0]);
        if (!case_parse(&bench.tc, chars, strlen(chars), &e))
            fail_msg("%s", e.text);
        const enum run_mode mode = n & 1 ? RUN_PLAIN : RUN_CHECKED;
        memset(bench.run.state, 0, points_unit->state_size);
        points_run(&bench.tc, &p, mode, bench.out);
        points_run(&bench.edited, &p, n & 4 ? RUN_PLAIN : RUN_CHECKED, bench.other);
        points_run(&bench.tc, &p, mode, bench.other);
        assert_true(points_same(bench.out, bench.other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(readings_can_be_rules, points_begin, points_finish),
        cmocka_unit_test_setup_teardown(rotated_results_have_their_operands, points_begin, points_finish),
        cmocka_unit_test_setup_teardown(runs_begin_alike, points_begin, points_finish),
        cmocka_unit_test_setup_teardown(rules_have_the_effects_that_points_describe, points_begin,
                                        points_finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
