/* SPDX-License-Identifier: MIT */
/*
 * The observation points of v3d-qpu. Cases of the corpus and generated ones pass a value through each point.
 * A rule at a point has the effect that its description says: the expected words are computed by hand.
 */
#include "fuzz/generate/generate.h"
#include "model/core/units.h"
#include "model/v3d/run/v3d_machine.h"
#include "model/v3d/v3d_points.h"
#include "oracle/compare/executor.h"
#include "oracle/files/load.h"
#include "tests/support/support_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { GENERATED = 2000, LEAST = 40 };

static uint64_t seen[(V3D_POINTS + 63) / 64];

static void see(void *context, const struct observation *o)
{
    (void)context;
    assert_true(o->point < V3D_POINTS);
    seen[o->point / 64] |= UINT64_C(1) << (o->point % 64);
}

struct setup {
    struct executor *x;
    struct outcome *out;
    struct test_case *tc;
    struct profile p;
};

static void watch(struct setup *s)
{
    struct run r = {.tc = s->tc, .profile = &s->p, .out = s->out, .mode = RUN_PLAIN, .see = see};
    executor_run_with(s->x, &r);
}

static int begin(void **state)
{
    struct setup *s = test_calloc(1, sizeof *s);
    s->x = executor_new(&v3d_qpu_unit);
    s->out = outcome_new(&v3d_qpu_unit);
    s->tc = test_calloc(1, sizeof *s->tc);
    profile_builtin(&v3d_qpu_unit, 0, &s->p);
    *state = s;
    return 0;
}

static int end(void **state)
{
    struct setup *s = *state;
    executor_free(s->x);
    outcome_free(s->out);
    test_free(s->tc);
    test_free(s);
    return 0;
}

static void watch_corpus(struct setup *s)
{
    static const char folder[] = MISPRINT_SOURCE_DIR "/corpus/v3d-qpu";
    DIR *d = opendir(folder);
    assert_non_null(d);
    for (const struct dirent *f = readdir(d); f; f = readdir(d)) {
        char path[4096];
        struct error e = {0};
        (void)snprintf(path, sizeof path, "%s/%s", folder, f->d_name);
        if (strstr(f->d_name, ".case") && case_load(path, NULL, s->tc, &e))
            watch(s);
    }
    closedir(d);
}

#define HEAD "misprint-case 1 v3d-qpu\n"
#define TAIL                                                                                                 \
    "  nop ; nop ; thrsw\n  nop\n  nop\n}\n"                                                                 \
    "uniforms {\n  @100 2a\n}\n"                                                                             \
    "memory row 4 = all deadbeef\n"                                                                          \
    "rf row 5 = all 00000064\nrf row 6 = all 00000007\nrf row 8 = all 00000055\n"

#define BRANCH "  b 0\n  nop\n  nop\n  nop\n"
/* rf10 receives the address of a word DEADBEEF. */
#define ADDRESS   "  nop ; nop ; ldunifrf.rf10\n"
#define STORE     ADDRESS "  mov tmud, rf10\n  mov tmua, rf10\n"
#define LOAD      ADDRESS "  mov tmua, rf10\n  nop ; nop ; ldtmu.rf9\n"
#define LOAD_LEFT ADDRESS "  mov tmua, rf10\n"

/* rf9 receives the half 1.0. */
#define HALF_ONE "  itof rf9.l, 1\n"
#define SUM      "  add rf8, rf5, rf6\n"
#define BARRIER  "  barrierid syncb\n  nop ; nop ; thrsw\n  nop\n  nop\n"
#define UNIFORM  "  nop ; nop ; ldunifrf.rf9\n"

/* A rule, a program, and the word that it leaves in lane 3 of a register. rf5 holds 100, rf6 7, rf8 0x55.
 * Operations of packs are those of V3D 7.1. */
static const struct effect {
    const char *rule, *program;
    unsigned row;
    uint32_t word;
} effects[] = {
    {"insn.add.waddr when value == 9 = 10", "  add rf9, rf5, rf6\n", 10, 107},
    {"insn.mul.index_b when value == 6 = 5", "  nop ; umul24 rf9, rf5, rf6\n", 9, 10000},
    {"insn.add.op when op == 4 = value + 1", "  add rf9, rf5, rf6\n", 9, 93}, /* sub follows add */
    {"insn.add.cond when value == 1 = 3", "  sub.pushz -, rf5, rf5\n  add.ifa rf8, rf5, rf6\n", 8, 0x55},
    {"immediate.value when index == 3 = 50", "  add rf9, rf5, 3\n", 9, 150},
    {"add.a when index == 5 = value + 1", "  add rf9, rf5, rf6\n", 9, 108},
    {"mul.result = value * 2", "  nop ; umul24 rf9, rf5, rf6\n", 9, 1400},
    {"add.lanes when waddr == 8 = value & 0xfff7", "  add rf8, rf5, rf6\n", 8, 0x55},
    {"add.write when lanes == 0xffff = value | 1", "  add rf9, rf5, rf5\n", 9, 201},
    {"flag.a = value ^ 0xffff", "  sub.pushz -, rf5, rf6\n  add.ifa rf8, rf5, rf6\n", 8, 107},
    {"start.local = 0x77", "  add rf9, rf2, rf6\n", 9, 0x7E},
    {"rf.value when index == 6 = 3", "  add rf9, rf5, rf6\n", 9, 103},
    {"write.last = 0", "  add rf9, rf5, rf6 ; umul24 rf9, rf5, rf6\n", 9, 107},
    {"pack.mask = 0xffffffff", "  fadd rf8.h, rf5, rf6\n", 8, 0},
    {"float.operand when class == 1 = 0x3f800000", "  nop ; fmul rf8.l, rf5, rf6\n", 8, 0x3C00},
    {"run.stops when signals == 0x400 = 0", "  nop ; nop ; ucb\n  add rf9, rf5, rf6\n", 9,
     107}, /* 0x400: ucb */
    {"flag.changes = 0", "  sub.pushz -, rf5, rf5\n  add.ifna rf8, rf5, rf6\n", 8, 107},
    {"flag.value = 1", "  sub.pushz -, rf5, rf5\n  add.ifna rf8, rf5, rf6\n", 8, 107},
    {"barrier.waits = 0", "  barrierid syncb\n  add rf9, rf5, rf6\n", 9, 107},
    {"start.tidx = 5", "  tidx rf9\n", 9, 5},
    {"float.class when port == 2 = 3", "  fadd rf9, rf5, rf6\n", 9, 0x7F800000},
    {"float.result = 0x7f800000", "  exp rf9, rf5\n", 9, 0x7F800000}, /* the SFU's own result is inexact */
    {"add.result = 0x7fc00000", "  exp rf9, rf5\n", 9, 0x7FC00000},
    {"float.class when port == 0 = 0", "  fadd rf9, rf5, rf6\n", 9, 7},
    {"float.class when half == 1 && port == 1 = 4", "  vfadd rf9, rf5, rf6\n", 9, 0x7E00},
    {"half.class when op == 0x5f = 3", "  itof rf8.l, rf6\n", 8, 0x7C00}, /* 0x5f: itof */
    {"round.up when kind == 2 = 1", "  itof rf9, rf5\n", 9, 0x42C80001},  /* 100.0 and one step */
    {"round.up when kind == 3 = 1", "  itof rf8.l, rf6\n", 8, 0x4701},    /* 7.0 and one step */
    {"whole.up = 1", "  itof rf9, rf5\n  ftoin rf9, rf9\n", 9, 101},
    {"whole.range = 1", "  itof rf9, rf5\n  ftoiz rf9, rf9\n", 9, 0x7FFFFFFF},
    {"whole.unsigned = 1", "  sub rf9, rf6, rf5\n  itof rf9, rf9\n  ftoiz rf9, rf9\n", 9, 0},
    {"choice.takes = 0", "  fmin rf9, rf5, rf6\n", 9, 100},
    {"nan.bits = a", "  not rf9, 0\n  fadd rf9, rf9, rf6\n", 9, 0xFFFFFFFF},
    {"pack.number when field == 0 = most", "  v8pack rf9, rf5, rf6\n", 9, 0x000700FF},
    {"v11.number when field == 0 = 0x3c00", "  v11fpack rf9, rf5, rf6\n", 9, 0x3C0},
    {"v11.class when field == 1 = 3", "  v11fpack rf9, rf6, rf6\n", 9, 0x3E0000},
    {"v11.nan = 0x20", "  not rf9, 0\n  v11fpack rf9, rf9, rf6\n", 9, 0x3F07E0},
    {"halves.sum when half == 1 = smin(value, 50)", "  vadd rf9, rf5, rf6\n", 9, 50},
    {"first.word = any << first", "  sub.pushz -, rf5, rf5\n  flafirst rf9\n", 9, 1},
    {"sine.angle = 0x3f000000", "  sin rf9, rf5\n", 9, 0x3F800000},
    {"flag.popped when bit == 0 = a >> 2",
     "  sub.pushz -, rf5, rf6\n  flpop rf9, rf5\n  add.ifa rf8, rf5, rf6\n", 8, 107},
    {"write.meets = earlier", "  add rf9, rf5, rf6 ; umul24 rf9, rf5, rf6\n", 9, 107},
    {"across.source = value ^ 1", "  eidx rf9\n  bcastf rf9, rf9\n", 9, 1},
    {"write.lane when waddr == 8 = value[0] && lane != 3", "  add rf8, rf5, rf6\n", 8, 0x55},
    {"ballot.lane = 0", "  ballot rf9, rf5\n", 9, 0},
    {"across.equal = 0", "  alleq rf9, rf5\n", 9, 0},
    {"across.first = 3", "  eidx rf9\n  alleq rf9, rf9\n", 9, 0},
    {"msf.value = 2", "  setmsf -, rf5\n  msf rf9\n", 9, 2},
    {"dot.byte when port == 0 = 2", "  nop ; v8dot rf9, rf5, rf6\n", 9, 14},
    {"pack.field when field == 1 = 1", "  vpack rf9, rf6, rf5\n", 9, 0x10007},
    {"pack.place when field == 0 = 8", "  vpack rf9, rf6, rf8\n", 9, 0x550700},
    {"fraction.field = 5", "  nop ; ftounorm16 rf9, rf5\n", 9, 5},
    {"funpack.one = 14", "  nop ; funpackunormlo rf9, rf6\n", 9, 0x3F000000},
    {"funpack.number = 0xffff", "  nop ; funpackunormlo rf9, rf6\n", 9, 0x3F800000},
    {"funpack.value = of_bytes", "  nop ; funpackunormlo rf9, rf6\n", 9, 0x2707}, /* 7 / 255 */
    {"pack.shift = 4", "  itof rf8.l, rf6\n", 8, 0x7000},                         /* 7.0 is 4700 */
    {"rotate.source = lane ^ 1", "  eidx r0\n  nop\n  nop ; mov rf9, r0 ; rot.1\n", 9, 2},
    {"rotate.amount = 2", "  eidx r0\n  nop\n  nop ; mov rf9, r0 ; rot.1\n", 9, 1},
    {"rotate.quads = 1", "  eidx r0\n  nop\n  nop ; mov rf9, r0 ; rot.4\n", 9, 3},
    {"rotate.done = 0", "  eidx r0\n  nop\n  nop ; mov rf9, r0 ; rot.1\n", 9, 3},
    {"broadcast.source = lane", "  eidx r5\n  nop\n  mov rf9, r5\n", 9, 3},
    {"mul.result = rtop", "  nop ; umul24 rf9, rf5, rf6\n", 9, 0},
    {"flag.a = add_given", "  sub.pushz -, rf5, rf5\n  sub.nornz -, rf5, rf5\n  add.ifa rf8, rf5, rf6\n", 8,
     107},
    {"run.stops when which == 63 && add_op == 4 = 0", "  add rf9, rf5, rf6\n", 9, 107},
    {"add.b = other", "  add rf9, rf5, rf6\n", 9, 200},
    {"mul.a = 3", "  nop ; umul24 rf9, rf5, rf6\n", 9, 21},
    {"condition.lane when cond == 1 = 0", "  sub.pushz -, rf5, rf5\n  add.ifa rf8, rf5, rf6\n", 8, 0x55},
    {"across.active = 8", "  ballot rf9, rf5\n", 9, 8},
    {"set.first = 5", "  eidx rf9\n  bcastf rf9, rf9\n", 9, 5},
    {"product.operand when port == 0 = 2", "  nop ; umul24 rf9, rf5, rf6\n", 9, 14},
    {"product.cross when port == 1 = 2", "  nop ; multop -, rf5, rf6\n  nop ; umul24 rf9, rf5, rf6\n", 9,
     0x020002BC}, /* 2 << 24, and 700 */
    {"product.high when port == 1 = 1", "  nop ; multop -, rf5, rf6\n  nop ; umul24 rf9, rf5, rf6\n", 9,
     0x640002BC}, /* 100 << 24, and 700 */
    {"mode.signed when port == 0 = 1", "  setnnmode_uu\n  not rf9, 0\n  nop ; v8dot rf9, rf9, rf6\n", 9,
     0xFFFFFFF9},                                                               /* -7 */
    {"mantissa.value = 0x800000", "  itof rf9, rf6\n  ftoiz rf9, rf9\n", 9, 4}, /* 7.0 is E00000 >> 21 */
    {"mantissa.shift = 22", "  itof rf9, rf6\n  ftoiz rf9, rf9\n", 9, 3},
    {"whole.rounds = 0", "  fceil rf9, 0x3f000000\n", 9, 0x3F000000},
    {"whole.magnitude = 9", "  itof rf9, rf6\n  ftoiz rf9, rf9\n", 9, 9},
    {"utof.mantissa = value | 8", "  utof rf9, rf5\n", 9, 0x42C80001},
    {"utof.exponent = value + 1", "  utof rf9, rf5\n", 9, 0x43480000}, /* 200.0 */
    {"utof.shift = 63", "  utof rf9, rf6\n", 9, 0x3F800000}, /* by 31: 7 << 31 is 1.0, its exponent 127 */
    {"fraction.scale = 0x100", "  nop ; ftounorm16 rf9, 0x3f800000\n", 9, 0x100},
    {"fraction.signed = 1", "  fsub rf9, rf5, 0x3f800000\n  nop ; ftounorm16 rf9, rf9\n", 9,
     0xFFFF0001}, /* -1.0: -65535 */
    {"fraction.saturates = 1", "  nop ; ftounorm16 rf9, 0x3f000000\n", 9, 0xFFFF},
    {"fraction.place when field == 0 = 8", HALF_ONE "  nop ; vftounorm8 rf9, rf9\n", 9, 0xFF00},
    {"pack.place = 8", HALF_ONE "  nop ; vftounorm8 rf9, rf9\n", 9, 0xFF},
    {"flag.letter = 1", "  sub.pushz -, rf5, rf5\n  add.ifa rf8, rf5, rf6\n", 8, 0x55},
    {"compare.order = 0", "  fcmp.pushz -, rf5, rf5\n  add.ifa rf8, rf5, rf6\n", 8, 0x55},
    {"flag.update when flag == 0 = 0", "  sub.pushz -, rf5, rf5\n  add.ifa rf8, rf5, rf6\n", 8, 0x55},
    {"add.write when !magic = result + 1", "  add rf9, rf5, rf6\n", 9, 108},
    {"write.skips when waddr == 19 = 1", "  mov recip, rf5\n  nop\n  mov rf9, r4\n", 9, 0}, /* 19: recip */
    {"signal.writes = 0", "  nop ; nop ; ldunifrf.rf8\n", 8, 0x55},
    {"register.value when result == 107 = before", "  add rf8, rf5, rf6\n", 8, 0x55},
    {"branch.after = value + 8", BRANCH "  add rf8, rf5, rf6\n", 8, 0x55},
    {"branch.number = value + 1", BRANCH "  add rf8, rf5, rf6\n", 8, 0x55},
    {"uniform.place = 1", "  nop ; nop ; ldunifrf.rf9\n", 9, 42},
    {"tmu.config-after = 0xfffffffd", STORE "  mov tmua, rf10\n  nop ; nop ; ldtmu.rf9\n", 9,
     0}, /* u8 of 40000100 */
    {"tmu.shift when !store = 4", LOAD, 9, 0x0DEADBEE},
    {"tmu.mask when !store = 0xff", LOAD, 9, 0xEF},
    {"tmu.kind when loads = 1", LOAD_LEFT, 8, 0x55},
    {"start.flags when flag == 0 = 0xffff", "  add.ifa rf8, rf5, rf6\n", 8, 107},
    {"start.invocation = 7", "  or rf9, rf2, 0\n", 9, 0x1C000000}, /* 7 << 26 */
    {"start.slot = 3", "  or rf9, rf2, 0\n", 9, 0x0C030000},
    {"start.id when dimension == 1 = 5", "  or rf9, rf0, 0\n", 9, 0x50000},
    {"start.first when dimension == 0 = 9", "  or rf9, rf0, 0\n", 9, 9},
    {"start.plane = 6", "  or rf9, rf2, 0\n", 9, 0x0C000006},
    {"check.broken = 0", "  nop ; mov rf9, rf5 ; smimm_a\n", 9, 100},
    {"check.accesses = 0", "  recip rf9, rf5 ; mov exp, rf6\n  nop\n  add rf8, rf5, rf6\n", 8, 107},
    {"word.op_add when value == 56 = 60", "  add rf9, rf5, rf6\n", 9, 93},
    {"word.op_mul when value == 3 = 1", "  nop ; umul24 rf9, rf5, rf6\n", 9, 107},
    {"word.sig when value == 15 = 0", "  add rf9, rf5, 3\n", 9, 100}, /* smimm_b; rf3 is 0 */
    {"word.cond when value == 1 = 0", "  sub.pushz -, rf5, rf5\n  add.ifna rf8, rf5, rf6\n", 8, 107},
    {"word.waddr_a when value == 9 = 8", "  add rf9, rf5, rf6\n", 8, 107},
    {"word.waddr_m when value == 9 = 8", "  nop ; umul24 rf9, rf5, rf6\n", 8, 700},
    {"word.ma when op_add == 60 = 0", "  sub -, rf5, rf8\n  add rf9, rf6, 0\n", 9, 15},
    {"word.raddr_a when value == 5 = 8", "  add rf9, rf5, rf6\n", 9, 0x5C},
    {"word.raddr_b when value == 6 = 8", "  add rf9, rf5, rf6\n", 9, 185},
    {"word.bits-23-12 when op_add == 56 = (value & 0xfc0) | 0x36", "  add rf9, rf5, rf6\n", 9, 200},
    {"word.unpack when op == 0 = 0", "  fsub rf9, rf5, 0x3f800000\n  fadd rf9, rf9.abs, rf5\n", 9,
     0xBF800000},
    {"word.descending = 1", "  fmin rf9, rf5, rf6\n", 9, 100},            /* fmax */
    {"word.operand when slot == 1 = 6", "  add rf9, rf5, rf6\n", 9, 200}, /* mux 6: raddr_a */
    {"flag.lane when letter == 2 = adder", "  not rf9, 0\n  or.pushc -, rf9, rf5\n  add.ifa rf8, rf5, rf6\n",
     8, 107},
    {"unpack.value when unpack == 2 = 0x40000000", "  fadd rf9, rf5.l, 0\n", 9, 0x40000000},
    {"half.operand when half == 1 = 0x3c00", "  vfadd rf9, rf5, rf6\n", 9, 0x4000},
    {"half.result when half == 1 = 0x3c00", "  vfadd rf9, rf5, rf6\n", 9, 0x3C00},
    {"sfu.infinite = 1", "  mov recip, rf5\n  nop\n  mov rf9, r4\n", 9, 0},
    {"sfu.function = 2", "  mov recip, 0x3f800000\n  nop\n  mov rf9, r4\n", 9, 0x40000000}, /* exp */
    {"flag.zero = !value", "  sub.pushz -, rf5, rf5\n  add.ifna rf8, rf5, rf6\n", 8, 107},
    {"flag.negative = 1", "  sub.pushn -, rf5, rf6\n  add.ifa rf8, rf5, rf6\n", 8, 107},
    {"whole.rest = 3", "  fround rf9, 0x3f000000\n", 9, 0x3F800000},
    {"whole.direction = 3", "  ftrunc rf9, 0x3f000000\n", 9, 0x3F800000},
    {"whole.limit = 5", "  ftoin rf9, 0x43000000\n", 9, 5},
    {"whole.integer = value + 1", "  ftoin rf9, 0x40000000\n", 9, 3},
    {"whole.float = 0x40400000", "  ftrunc rf9, 0x3f000000\n", 9, 0x40400000},
    {"product.low = value + 1", "  nop ; umul24 rf9, rf5, rf6\n", 9, 701},
    {"dot.product when byte == 0 = 5", "  nop ; v8dot rf9, rf5, rf6\n", 9, 5},
    {"rotate.turn = 4", "  eidx r0\n  nop\n  nop ; mov rf9, r0 ; rot.1\n", 9, 4},
    {"fraction.negative = 0", "  fsub rf9, rf5, 0x3f800000\n  nop ; ftounorm16 rf9, rf9\n", 9, 0xFFFF},
    {"min.greater = !value", "  min rf9, rf5, rf6\n", 9, 100},
    {"ror.part when moves_up = 0", "  ror rf9, rf6, 1\n", 9, 3},
    {"flag.read = 1", "  vfla rf9\n", 9, 0x10001},
    {"flag.moved = value + 4", "  flpop rf9, rf5\n", 9, 29},
    {"start.index = 2", "  or rf9, rf2, 0\n", 9, 0x08000000},
    {"start.slot-bits = 0x10000", "  or rf9, rf2, 0\n", 9, 0x0C010000},
    {"tmu.read = 0x1234", LOAD, 9, 0x1234},
    {"tmu.place = value + 13", STORE, 76, 0x40000100}, /* 13 bytes: word 3 of the row, which is lane 3 */
    {"tmu.step = 12", STORE, 76, 0x40000100},
    {"tmu.word = before", STORE "  mov tmua, rf10\n  nop ; nop ; ldtmu.rf9\n", 9, 0xDEADBEEF},
    /* A signed minimum: lanes 0 to 2 stored 40000100 before, although DEADBEEF is negative. */
    {"tmu.op = 6;v3d-qpu tmu.greater = 1", STORE "  nop ; nop ; ldtmu.rf9\n", 9, 0x40000100},
    {"word.immediate when slot == 1 = 1", "  add rf9, rf5, rf6\n", 9, 106},
    {"word.field when field == 8 = value + 1", BRANCH "  add rf8, rf5, rf6\n", 8, 0x55}, /* 8 bytes further */
    {"word.field when field == 9 && value == 9 = 8", UNIFORM, 8, 0x40000100},
    /* Flag A is clear, so each addition is done only if the rule takes its condition away. */
    {"word.cond-of-mul = 0", "  add.ifa rf8, rf5, rf6 ; umul24.ifa rf9, rf5, rf6\n", 8, 107},
    {"word.cond-high when value == 2 = 3", "  add.ifa rf8, rf5, rf6\n", 8, 107}, /* MUL's instead */
    {"word.signals when value == 0x2000 = 0", "  add rf9, rf5, 3\n", 9, 100},    /* smimm_b; rf3 is 0 */
    {"word.cond-low when value == 1 = 0", "  sub.pushz -, rf5, rf5\n  add.ifa rf8, rf5, rf6\n", 8, 0x55},
    {"uniform.value = address;v3d-qpu memory.reaches = 1", /* a store over the first uniform */
     ADDRESS "  mov tmud, rf6\n  mov tmua, rf10\n  mov tmua, rf10\n  nop ; nop ; ldtmu.rf9\n", 9, 7},
    {"word.reads when slot == 1 = 0", "  add rf9, rf5, rf6\n", 9, 100},
    {"round.kept when field == 0 = 9", "  v11fpack rf9, rf5, rf6\n", 9, 9},
    {"round.up = 1", "  v11fpack rf9, rf5, rf6\n", 9, 0x400807}, /* 100 >> 4, 0 and 7 >> 5; each + 1 */
    {"fraction.product = 0x3000000", "  nop ; ftounorm16 rf9, 0x3f000000\n", 9, 3}, /* shifted by 24 */
    {"whole.round-negative = 1", "  fceil rf9, 0x3f000000\n", 9, 0},
    {"whole.negative = 1", "  ftoin rf9, 0x40000000\n", 9, 0xFFFFFFFE},
    {"compare.operand when port == 1 = 0", "  fcmp.pushz -, rf5, rf5\n  add.ifa rf8, rf5, rf6\n", 8, 0x55},
    {"unpack.number = 0", "  fadd rf9, rf5.l, 0\n", 9, 100},
    {"pack.half = 0x1234", "  itof rf8.l, rf6\n", 8, 0x1234},
    {"across.amount = 2", "  eidx rf9\n  shuffle rf9, rf9, rf6\n", 9, 2},
    {"across.turn = 4", "  eidx rf9\n  rotq rf9, rf9, rf6\n", 9, 0},
    {"dot.place = 2", "  nop ; v8dot rf9, rf5, rf6\n", 9, 100}, /* 25 * 1, four times */
    {"tmu.op = 6;v3d-qpu tmu.key when port == 0 = 0xffffffff", STORE "  nop ; nop ; ldtmu.rf9\n", 9,
     0x40000100},
    {"start.within when dimension == 0 = 9", "  or rf9, rf0, 0\n", 9, 9},
    {"start.together = 1;v3d-qpu start.turn = 3", "  or rf9, rf2, 0\n", 9, 0x0C030000},
};

enum { MEMORY = 76 * 16, LANE_3 = 3 };

/* Readings, lines of a case, a rule, a program, and how it ends. If it ends: a word of the outcome, and its
 * defined bits. */
static const struct situation {
    const char *readings, *head, *rule, *program;
    enum end end;
    unsigned reason, at;
    uint32_t word, defined;
} situations[] = {
    /* The rule acts on what the machine compares: zeros. */
    {",v3d-denormal=flushed", "", "compare.order when value == 1 = 0",
     "  fcmp.pushz -, rf5, rf6\n  add.ifa rf8, rf5, rf6\n", END_DONE, 0, 8 * 16 + LANE_3, 0x55, UINT32_MAX},
    /* 64 * 100 has no low byte, but 64 * 7 has. */
    {",v3d-rtop-content=bytes", "", "product.high when port == 1 = 64",
     "  nop ; multop -, rf5, rf6\n  nop ; umul24 rf9, rf6, rf6\n", END_DONE, 0, 9 * 16 + LANE_3, 0xC0000031,
     UINT32_MAX},
    /* A store of two words with one word of data: nobody says what the other one is. */
    {"", "", "tmu.components = 2;v3d-qpu tmu.takes = 1", STORE, END_DONE, 0, MEMORY + 1, 0, 0},
    {",v3d-masked-sfu=all-lanes", "", "write.skips when lanes == 0xffff = 1",
     "  sub.pushz -, rf5, rf6\n  mov.ifa recip, 0x3f800000\n  nop\n  mov rf9, r4\n", END_DONE, 0,
     9 * 16 + LANE_3, 0x3F800000, 0xFF000000}, /* inexact */
    {"", "start = 3\n", "rf.lacks = 0", "  mov rf40, rf5\n  nop\n  mov rf9, rf40\n", END_DONE, 0,
     9 * 16 + LANE_3, 100, UINT32_MAX},
    {"", "", "start.code = value + 8", SUM, END_DONE, 0, 8 * 16 + LANE_3, 0x55, UINT32_MAX},
    {"", "", "start.uniforms = value + 4", UNIFORM, END_DONE, 0, 9 * 16 + LANE_3, 42, UINT32_MAX},
    {"", "", "start.number = 1", "  or rf9, rf2, 0\n", END_DONE, 0, 9 * 16 + LANE_3, 0x0C000001, UINT32_MAX},
    {"", "", "uniform.branch = 0", "  bu 0, r:unif\n  nop\n  nop\n  nop\n" UNIFORM UNIFORM, END_DONE, 0,
     9 * 16 + LANE_3, 42, UINT32_MAX},
    /* What stops a thread does so, too, if its barrier hangs. */
    {"", "start = 0\n", "barrier.hangs when stage == 2 = 1", BARRIER "  nop ; nop ; ldtmu.rf9\n", END_HANG,
     V3D_HANG_TMU_LOAD, 0, 0, 0},
    {"", "", "barrier.hangs when stage == 0 = 1", SUM, END_HANG, V3D_HANG_BARRIER, 0, 0, 0},
    {"", "start = 3\n", "rf.lacks when index == 5 = 1", SUM, END_FAULT, V3D_FAULT_UNSTATED, 0, 0, 0},
    {"", "", "memory.reaches when store = 0", STORE, END_FAULT, V3D_FAULT_MEMORY, 0, 0, 0},
    {"", "", "tmu.takes = 0", STORE, END_FAULT, V3D_FAULT_TMU, 0, 0, 0},
    {"", "", "tmu.stays = 1", STORE "  mov tmua, rf10\n  nop ; nop ; ldtmu.rf9\n", END_HANG,
     V3D_HANG_TMU_LOAD, 0, 0, 0},
    {"", "", "tmu.room = 0", LOAD_LEFT, END_FAULT, V3D_FAULT_TMU, 0, 0, 0},
    {"", "", "start.count when dimension == 2 = 0", SUM, END_FAULT, V3D_FAULT_LAUNCH, 0, 0, 0},
    {"", "", "word.meaningless when slot == 1 = 1", SUM, END_FAULT, V3D_FAULT_RESERVED, 0, 0, 0},
    /* A change of MUL's flags whose number is 0 is reserved. */
    {"", "", "word.cond-low = 0", "  nop ; umul24.pushz rf9, rf5, rf6\n", END_FAULT, V3D_FAULT_RESERVED, 0, 0,
     0},
    {"", "", "word.cond-of-mul = 0", "  add.ifa rf8, rf5, rf6 ; umul24.ifb rf9, rf5, rf6\n", END_FAULT,
     V3D_FAULT_RESERVED, 0, 0, 0},
    {"", "", "word.branch-reserved = 0x400", BRANCH, END_FAULT, V3D_FAULT_RESERVED, 0, 0, 0},
    {"", "", "word.reserved = 32", SUM, END_FAULT, V3D_FAULT_RESERVED, 0, 0, 0},
    {"", "", "word.cond when op_add == 56 = 1;v3d-qpu word.reserved when cond == 1 = 64", SUM, END_FAULT,
     V3D_FAULT_RESERVED, 0, 0, 0},
};

/* Does a program have operations that V3D 4.2 lacks? */
static bool is_of_71(const char *program)
{
    static const char *const of_71[] = {"pack", "vf",    "bcastf",  "ballot", "alleq", "v8dot",
                                        "norm", "smimm", "shuffle", "rotq",   NULL};
    unsigned n = 0;
    while (of_71[n] && !strstr(program, of_71[n]))
        n++;
    return of_71[n];
}

/* `head`: lines of the case. */
static void read_program(const char *program, const char *head, struct test_case *tc)
{
    char text[1024];
    struct error e = {0};
    (void)snprintf(text, sizeof text, HEAD "%s%sprogram {\n%s" TAIL, head,
                   is_of_71(program) ? "generation = v3d71\n" : "", program);
    if (!case_parse(tc, text, strlen(text), &e))
        fail_msg("%s: %s", program, e.text);
}

static void a_value_passes_each_point(void **state)
{
    struct setup *s = *state;
    struct random r;
    unsigned missing = 0;
    random_seed(&r, 7);
    watch_corpus(s);
    for (unsigned n = 0; n < GENERATED; n++) {
        case_generate(&r, &v3d_qpu_unit, s->tc);
        watch(s);
    }
    for (size_t n = 0; n < sizeof effects / sizeof *effects; n++) {
        read_program(effects[n].program, "", s->tc);
        watch(s);
    }
    for (unsigned n = 0; n < V3D_POINTS; n++)
        if (!(seen[n / 64] >> (n % 64) & 1)) {
            print_message("no value passes %s\n", v3d_points[n].name);
            missing++;
        }
    assert_int_equal(missing, 0);
    assert_true(v3d_qpu_unit.point_count >= (unsigned)LEAST);
}

static void rules_have_the_effects_that_points_describe(void **state)
{
    struct setup *s = *state;
    for (size_t n = 0; n < sizeof effects / sizeof *effects; n++) {
        char spec[256];
        struct error e = {0};
        struct profile p;
        read_program(effects[n].program, "", s->tc);
        (void)snprintf(spec, sizeof spec, "manual;v3d-qpu %s", effects[n].rule);
        if (!profile_resolve(&v3d_qpu_unit, spec, &p, &e))
            fail_msg("%s: %s", effects[n].rule, e.text);
        executor_run(s->x, s->tc, &p, RUN_CHECKED, s->out);
        assert_int_equal(s->out->end, END_DONE);
        const size_t at = (size_t)effects[n].row * 16 + 3;
        const uint32_t word = s->out->value[at];
        if (word != effects[n].word)
            fail_msg("%s: %08x, expected %08x", effects[n].rule, word, effects[n].word);
        const bool inexact = outcome_tolerant(s->out, effects[n].row) && s->out->tolerance[at];
        if ((word & 0x7F800000) == 0x7F800000 && (inexact || s->out->defined[at] != UINT32_MAX))
            fail_msg("%s: an infinity or a NaN within a tolerance", effects[n].rule);
    }
}

static void rules_act_under_readings_and_end_programs(void **state)
{
    struct setup *s = *state;
    for (size_t n = 0; n < sizeof situations / sizeof *situations; n++) {
        const struct situation *i = &situations[n];
        char spec[256];
        struct error e = {0};
        struct profile p;
        read_program(i->program, i->head, s->tc);
        (void)snprintf(spec, sizeof spec, "manual%s;v3d-qpu %s", i->readings, i->rule);
        if (!profile_resolve(&v3d_qpu_unit, spec, &p, &e))
            fail_msg("%s: %s", i->rule, e.text);
        executor_run(s->x, s->tc, &p, RUN_CHECKED, s->out);
        if (s->out->end != i->end || s->out->reason != i->reason)
            fail_msg("%s: %s, reason %u", i->rule, end_name(s->out->end), s->out->reason);
        const uint32_t word = s->out->value[i->at], defined = s->out->defined[i->at];
        if (i->end == END_DONE && (defined != i->defined || (word ^ i->word) & defined))
            fail_msg("%s: %08x with defined bits %08x, expected %08x", i->rule, word, defined, i->word);
    }
}

static void observing_changes_nothing(void **state)
{
    (void)state;
    static const char *const profiles[] = {"manual", "v3d42", "v3d71", "hardware-tests", NULL};
    struct points_bench *bench = points_open(&v3d_qpu_unit);
    points_observing_changes_nothing(bench, profiles);
    points_close(bench);
}

static void rules_act_alike_in_all_modes(void **state)
{
    (void)state;
    struct points_bench *bench = points_open(&v3d_qpu_unit);
    points_modes_agree(bench, "manual");
    points_close(bench);
}

static void rules_act_alike_when_seen(void **state)
{
    (void)state;
    struct points_bench *bench = points_open(&v3d_qpu_unit);
    points_rules_act_alike_when_seen(bench, "manual");
    points_close(bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_value_passes_each_point, begin, end),
        cmocka_unit_test_setup_teardown(rules_have_the_effects_that_points_describe, begin, end),
        cmocka_unit_test_setup_teardown(rules_act_under_readings_and_end_programs, begin, end),
        cmocka_unit_test(observing_changes_nothing),
        cmocka_unit_test(rules_act_alike_in_all_modes),
        cmocka_unit_test(rules_act_alike_when_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
