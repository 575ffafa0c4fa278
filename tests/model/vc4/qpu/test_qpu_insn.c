/* SPDX-License-Identifier: MIT */
/*
 * Decoding and encoding of the QPU's instruction word. The meanings of the listed words come from public
 * listings of programs that ran on hardware, and from the manual's tables, never from the code under test.
 * Each row says which.
 */
#include "model/number/random.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Codes of operations: VideoCoreIV-AG100-R p35-36. */
enum { FADD = 1, FSUB = 2, FTOI = 7, ITOF = 8, OP_ADD = 12, SHR = 14, SHL = 17, OR = 21 };
enum { FMUL = 1, MUL24 = 2, V8MIN = 4, M_V8ADDS = 6 };
/* Register addresses: p37-38 T14. */
enum {
    UNIFORM = 32,
    ACC0 = 32,
    ACC1,
    ACC2,
    ACC3,
    VARYING = 35,
    ELEMENT = 38,
    NOP = 39,
    TLB_ALL = 46,
    VPM = 48,
    SETUP = 49,
    ADDR = 50,
    TMU0_S = 56,
    TMU0_T = 57
};
enum { M0, M1, M2, M3, M4, M5, MA, MB };

struct expected {
    const char *member;
    size_t offset, size;
    uint32_t value;
};
#define IS(m, v)                                                                                             \
    {                                                                                                        \
#m, offsetof(struct qpu_insn, m), sizeof(((struct qpu_insn *)0)->m), v                               \
    }
#define SIG(v)             IS(sig, v)
#define ADD(op, dst, a, b) IS(op_add, op), IS(waddr_add, dst), IS(add_a, a), IS(add_b, b), IS(cond_add, 1)
#define ADD_NOP            IS(op_add, 0), IS(waddr_add, NOP), IS(cond_add, 0)
#define MUL(op, dst, a, b) IS(op_mul, op), IS(waddr_mul, dst), IS(mul_a, a), IS(mul_b, b), IS(cond_mul, 1)
#define MUL_NOP            IS(op_mul, 0), IS(waddr_mul, NOP), IS(cond_mul, 0)
#define FILES(w)           IS(ws, w)
#define FLAGS(f)           IS(sf, f)
#define ALU                IS(class, QPU_ALU)
#define SMALL              IS(class, QPU_ALU_SMALL), SIG(13)
#define LDI(dst, value)                                                                                      \
    IS(class, QPU_LDI_32), SIG(14), IS(unpack, 0), IS(waddr_add, dst), IS(cond_add, 1), IS(waddr_mul, NOP),  \
        IS(cond_mul, 0), IS(immediate, value)
#define BRANCH(link, files, offset)                                                                          \
    IS(class, QPU_BRANCH), SIG(15), IS(cond_br, 15), IS(waddr_add, link), IS(waddr_mul, NOP), IS(ws, files), \
        IS(immediate, offset), IS(branch_unused, 0)

/* clang-format off */
static const struct listed {
    uint32_t low, high;
    struct expected fields[16];
} listed[] = {
    /* The listings of the coordinate shader and the fragment shader in the VPM blog post, in order, with the
     * meanings that their author gives. */
    {0x009E7000, 0x100009E7, {ALU, SIG(1), ADD_NOP, MUL_NOP, IS(raddr_a, 39), IS(raddr_b, 39)}},
    {0x15827DF7, 0x10020027, {ALU, SIG(1), ADD(OR, 0, MA, MB), MUL_NOP, IS(raddr_a, UNIFORM),
             IS(raddr_b, NOP), FILES(0)}},
    {0x15827DF7, 0x10020067, {ALU, SIG(1), ADD(OR, 1, MA, MB), MUL_NOP, IS(raddr_a, UNIFORM),
             IS(raddr_b, NOP), FILES(0)}},
    {0x15827DF7, 0x100200A7, {ALU, SIG(1), ADD(OR, 2, MA, MB), MUL_NOP, IS(raddr_a, UNIFORM),
             IS(raddr_b, NOP), FILES(0)}},
    {0x17BC1AC2, 0xE0021C67, {LDI(SETUP, 0x17BC1AC2), FILES(1)}},
    {0x00000000, 0xE0020C27, {LDI(VPM, 0), FILES(0)}},
    {0x3F800000, 0xE0020C27, {LDI(VPM, 0x3F800000)}},
    {0x15027DF7, 0x10020C27, {ALU, SIG(1), ADD(OR, VPM, MA, MB), MUL_NOP, IS(raddr_a, 0), IS(raddr_b, NOP)}},
    {0x15067DF7, 0x10020C27, {ALU, SIG(1), ADD(OR, VPM, MA, MB), MUL_NOP, IS(raddr_a, 1), IS(raddr_b, NOP)}},
    {0x150A7DF7, 0x10020C27, {ALU, SIG(1), ADD(OR, VPM, MA, MB), MUL_NOP, IS(raddr_a, 2), IS(raddr_b, NOP)}},
    {0x0E004DC0, 0xD2020827, {SMALL, IS(unpack, 1), IS(pm, 0), ADD(SHR, ACC0, MA, MB), IS(raddr_a, 0),
             IS(raddr_b, 4)}},
    {0x0E004DC0, 0xD4020867, {SMALL, IS(unpack, 2), IS(pm, 0), ADD(SHR, ACC1, MA, MB), IS(raddr_a, 0),
             IS(raddr_b, 4)}},
    {0x080001F7, 0x10022827, {ALU, SIG(1), IS(op_add, ITOF), IS(waddr_add, ACC0), IS(add_a, M0),
             IS(cond_add, 1), FLAGS(1)}},
    {0x080003F7, 0x10022867, {ALU, SIG(1), IS(op_add, ITOF), IS(waddr_add, ACC1), IS(add_a, M1),
             IS(cond_add, 1), FLAGS(1)}},
    {0x3B4D1ED9, 0xE00208A7, {LDI(ACC2, 0x3B4D1ED9)}},
    {0x3B88D181, 0xE00208E7, {LDI(ACC3, 0x3B88D181)}},
    {0x20000DC2, 0x100079E0, {ALU, SIG(1), ADD_NOP, MUL(FMUL, ACC0, M0, M2), FILES(1), FLAGS(1)}},
    {0x20000DCB, 0x100079E1, {ALU, SIG(1), ADD_NOP, MUL(FMUL, ACC1, M1, M3), FILES(1), FLAGS(1)}},
    {0x020201C0, 0xD0020827, {SMALL, ADD(FSUB, ACC0, M0, MB), IS(raddr_b, 32)}},
    {0x020203C0, 0xD0020867, {SMALL, ADD(FSUB, ACC1, M1, MB), IS(raddr_b, 32)}},
    {0x17BC1AC0, 0xE0021C67, {LDI(SETUP, 0x17BC1AC0), FILES(1)}},
    {0x159E7000, 0x10020C27, {ALU, SIG(1), ADD(OR, VPM, M0, M0), MUL_NOP, FLAGS(0)}},
    {0x159E7249, 0x10020C27, {ALU, SIG(1), ADD(OR, VPM, M1, M1), MUL_NOP}},
    {0x83904000, 0xE0021C67, {LDI(SETUP, 0x83904000), FILES(1)}},
    {0x15800DF7, 0xD0021CA7, {SMALL, ADD(OR, ADDR, MA, MB), IS(raddr_a, UNIFORM), IS(raddr_b, 0), FILES(1)}},
    {0x009E7000, 0x500009E7, {ALU, SIG(5), ADD_NOP, MUL_NOP}},
    {0x009E7000, 0x300009E7, {ALU, SIG(3), ADD_NOP, MUL_NOP}},
    {0x203E3DF7, 0x110059E0, {ALU, SIG(1), ADD_NOP, MUL(FMUL, ACC0, MA, MB), IS(raddr_a, 15),
             IS(raddr_b, VARYING), IS(pm, 1), FILES(1)}},
    {0x213E3177, 0x11024821, {ALU, SIG(1), ADD(FADD, ACC0, M0, M5), MUL(FMUL, ACC1, MA, MB), IS(pm, 1)}},
    {0x013E3377, 0x11020E67, {ALU, SIG(1), ADD(FADD, TMU0_T, M1, M5), MUL_NOP, IS(raddr_b, VARYING),
             IS(pm, 1)}},
    {0x159E7000, 0x10020E27, {ALU, SIG(1), ADD(OR, TMU0_S, M0, M0), MUL_NOP}},
    {0x009E7000, 0xA00009E7, {ALU, SIG(10), ADD_NOP, MUL_NOP}},
    {0x159E7924, 0x10020BA7, {ALU, SIG(1), ADD(OR, TLB_ALL, M4, M4), MUL_NOP}},
    /* Words of the stock GPU FFT program (hello_fft shader_1k), which ran on hardware, and its published
     * fields. */
    {0x000000C8, 0xF0F80127, {BRANCH(4, 0, 200), IS(rel, 1), IS(reg, 0), IS(raddr_a, 0)}},
    {0x00000050, 0xF0F81127, {BRANCH(4, 1, 80), IS(rel, 1), IS(reg, 0)}},
    {0x00000000, 0xF0F509E7, {BRANCH(NOP, 0, 0), IS(rel, 0), IS(reg, 1), IS(raddr_a, 8)}},
    {0x00000000, 0xF0F4C9E7, {BRANCH(NOP, 0, 0), IS(rel, 0), IS(reg, 1), IS(raddr_a, 6)}},
    {0x00000019, 0xE80009E7, {IS(class, QPU_SEMAPHORE), IS(unpack, 4), IS(immediate, 0x19),
             IS(cond_add, 0), IS(cond_mul, 0)}},
    {0x00000001, 0xE80009E7, {IS(class, QPU_SEMAPHORE), IS(unpack, 4), IS(immediate, 0x01),
             IS(cond_add, 0), IS(cond_mul, 0)}},
    {0x0C9C41C0, 0xD0020867, {SMALL, ADD(OP_ADD, ACC1, M0, MB), IS(raddr_b, 4), MUL_NOP}},
    {0x11983DC0, 0xD00208A7, {SMALL, ADD(SHL, ACC2, MA, MB), IS(raddr_a, ELEMENT), IS(raddr_b, 3)}},
    {0x409C5017, 0x100049E2, {ALU, SIG(1), ADD_NOP, MUL(MUL24, ACC2, M2, MB), IS(raddr_b, 5)}},
    {0xCC9E7081, 0x100246E0, {ALU, SIG(1), ADD(OP_ADD, 27, M0, M2), MUL(M_V8ADDS, ACC0, M0, M1), FILES(0)}},
    /* Words captured from the Broadcom GL driver (hermanhermitage/videocoreiv-qpu). */
    {0x95827D80, 0x114258A0, {ALU, ADD(OR, ACC2, MA, MA), MUL(V8MIN, ACC0, M0, M0),
             IS(raddr_a, UNIFORM), IS(pm, 1), IS(pack, 4)}},
    {0x809E7009, 0x317059E0, {ALU, SIG(3), ADD_NOP, MUL(V8MIN, ACC0, M1, M1), IS(pm, 1), IS(pack, 7)}},
    {0x15827D80, 0x10120027, {ALU, ADD(OR, 0, MA, MA), IS(raddr_a, UNIFORM), IS(pm, 0), IS(pack, 1),
             FILES(0)}},
    {0x15827D80, 0x10021C67, {ALU, ADD(OR, SETUP, MA, MA), IS(raddr_a, UNIFORM), FILES(1)}},
    {0x95020DBF, 0x10024C20, {ALU, ADD(OR, VPM, MA, MA), MUL(V8MIN, ACC0, MB, MB), IS(raddr_a, 0),
             IS(raddr_b, UNIFORM)}},
    {0x079E7000, 0x10120127, {ALU, ADD(FTOI, 4, M0, M0), IS(pm, 0), IS(pack, 1), FILES(0)}},
    /* Built from the manual's tables alone (p33; p29-30 T5). No recorded word has these fields. */
    {0x0003000A, 0xE2020867, {IS(class, QPU_LDI_SIGNED), IS(unpack, 1), IS(waddr_add, ACC1),
             IS(immediate, 0x0003000A)}},
    {0x00030005, 0xE6020867, {IS(class, QPU_LDI_UNSIGNED), IS(unpack, 3), IS(waddr_add, ACC1),
             IS(immediate, 0x00030005)}},
    {0x809F3000, 0xD00049E1, {SMALL, ADD_NOP, MUL(V8MIN, ACC1, M0, M0), IS(raddr_b, 51)}},
};
/* clang-format on */

static uint32_t member(const struct qpu_insn *i, const struct expected *e)
{
    uint8_t byte;
    uint32_t word;
    if (e->size == 1) {
        memcpy(&byte, (const char *)i + e->offset, 1);
        return byte;
    }
    assert_int_equal(e->size, 4);
    memcpy(&word, (const char *)i + e->offset, 4);
    return word;
}

static void test_listed_words(void **state)
{
    unsigned compared = 0;
    (void)state;
    for (size_t n = 0; n < sizeof listed / sizeof *listed; n++) {
        uint64_t word = (uint64_t)listed[n].high << 32 | listed[n].low;
        struct qpu_insn i;
        assert_true(qpu_decode(word, &i));
        for (const struct expected *e = listed[n].fields; e < listed[n].fields + 16 && e->member;
             e++, compared++)
            if (member(&i, e) != e->value)
                fail_msg("%016llx: %s is %u, not %u", (unsigned long long)word, e->member, member(&i, e),
                         e->value);
        assert_int_equal(qpu_encode(&i), word);
    }
    print_message("%u fields of %zu listed words compared\n", compared, sizeof listed / sizeof *listed);
    assert_true(compared > 500);
}

/* Compares field by field. memcmp would be wrong, because the struct has padding bytes that nobody sets. */
static void assert_equal_fields(const struct qpu_insn *a, const struct qpu_insn *b)
{
    assert_memory_equal(a, b, offsetof(struct qpu_insn, branch_unused) + 1);
    assert_int_equal(a->immediate, b->immediate);
}

static uint64_t with_class(struct random *r, unsigned class)
{
    static const uint64_t mode[QPU_CLASSES] = {
        [QPU_LDI_SIGNED] = 1, [QPU_LDI_UNSIGNED] = 3, [QPU_SEMAPHORE] = 4};
    uint64_t word = random_u64(r) & ~(UINT64_C(15) << 60);
    if (class <= QPU_ALU_SMALL || class == QPU_BRANCH)
        return word | (uint64_t)(class == QPU_ALU      ? random_below(r, 13)
                                 : class == QPU_BRANCH ? 15
                                                       : 13)
                          << 60;
    return (word & ~(UINT64_C(7) << 57)) | UINT64_C(14) << 60 | mode[class] << 57;
}

/* Only bits 63:60 and 59:57 decide the class of an instruction (p26 fig 3, p33). */
static void test_classes(void **state)
{
    struct random r;
    (void)state;
    random_seed(&r, 1);
    for (unsigned n = 0; n < 100000; n++) {
        uint64_t word = random_u64(&r);
        unsigned sig = (unsigned)(word >> 60), mode = (unsigned)(word >> 57) & 7;
        struct qpu_insn i;
        bool defined = sig != 14 || mode == 0 || mode == 1 || mode == 3 || mode == 4;
        assert_int_equal(qpu_decode(word, &i), defined);
        if (defined) {
            unsigned class = sig < 13    ? QPU_ALU
                             : sig == 13 ? QPU_ALU_SMALL
                             : sig == 15 ? QPU_BRANCH
                             : mode == 0 ? QPU_LDI_32
                             : mode == 1 ? QPU_LDI_SIGNED
                             : mode == 3 ? QPU_LDI_UNSIGNED
                                         : QPU_SEMAPHORE;
            assert_int_equal(i.class, class);
            assert_int_equal(i.sig, sig);
        }
    }
}

static void test_inverse(void **state)
{
    struct random r;
    (void)state;
    random_seed(&r, 2);
    for (unsigned class = 0; class < QPU_CLASSES; class ++) {
        for (unsigned n = 0; n < 200000; n++) {
            uint64_t word = with_class(&r, class);
            struct qpu_insn i, again;
            assert_true(qpu_decode(word, &i));
            assert_int_equal(i.class, class);
            assert_true(qpu_encode(&i) == word);
            assert_true(qpu_decode(qpu_encode(&i), &again));
            assert_equal_fields(&i, &again);
        }
    }
}

/* In each class each bit belongs to one field. If a field's values have names, each value has exactly one. */
static void test_bit_fields(void **state)
{
    struct random r;
    (void)state;
    random_seed(&r, 3);
    for (unsigned class = 0; class <= QPU_CLASSES; class ++) {
        uint64_t seen = 0;
        uint64_t word = class < QPU_CLASSES ? with_class(&r, class) : UINT64_C(0xE4) << 56;
        for (const struct bit_field *f = qpu_bit_fields(word); f->name; f++) {
            uint64_t mask = ((UINT64_C(1) << f->width) - 1) << f->low;
            assert_true(f->width >= 1 && f->low + f->width <= 64);
            assert_true((seen & mask) == 0);
            seen |= mask;
            if (f->values) {
                unsigned count = 0;
                while (f->values[count])
                    count++;
                assert_true(count >= 1U << f->width);
            }
        }
        assert_true(seen == UINT64_MAX);
    }
}

/* p29-30 T5. vc4asm's author measured codes 48..63 as operands, and py-videocore's test_rotate confirms
 * them. */
static void test_small_immediates(void **state)
{
    static const uint32_t floats[16] = {0x3F800000, 0x40000000, 0x40800000, 0x41000000,
                                        0x41800000, 0x42000000, 0x42800000, 0x43000000,
                                        0x3B800000, 0x3C000000, 0x3C800000, 0x3D000000,
                                        0x3D800000, 0x3E000000, 0x3E800000, 0x3F000000};
    (void)state;
    for (unsigned v = 0; v < 64; v++) {
        uint32_t expected = v < 16   ? v
                            : v < 32 ? (uint32_t)((int)v - 32)
                            : v < 48 ? floats[v - 32]
                                     : (uint32_t)((int)v - 64);
        assert_int_equal(qpu_small_immediate(v), expected);
    }
}

/* Some addresses of the map on p37-38 T14, and the differences between files A and B. */
static void test_register_names(void **state)
{
    static const struct {
        unsigned address;
        const char *name[4]; /* read A, read B, write A, write B */
    } map[] = {
        {0, {"ra0", "rb0", "ra0", "rb0"}},
        {31, {"ra31", "rb31", "ra31", "rb31"}},
        {32, {"uniform", "uniform", "r0", "r0"}},
        {33, {"-", "-", "r1", "r1"}},
        {34, {"-", "-", "r2", "r2"}},
        {35, {"varying", "varying", "r3", "r3"}},
        {36, {"-", "-", "tmu_noswap", "tmu_noswap"}},
        {37, {"-", "-", "r5_quad", "r5_all"}},
        {38, {"element_number", "qpu_number", "host_int", "host_int"}},
        {39, {"nop", "nop", "nop", "nop"}},
        {40, {"-", "-", "uniforms_address", "uniforms_address"}},
        {41, {"x_coord", "y_coord", "quad_x", "quad_y"}},
        {42, {"ms_flags", "rev_flag", "ms_flags", "rev_flag"}},
        {43, {"-", "-", "tlb_stencil_setup", "tlb_stencil_setup"}},
        {44, {"-", "-", "tlb_z", "tlb_z"}},
        {45, {"-", "-", "tlb_colour_ms", "tlb_colour_ms"}},
        {46, {"-", "-", "tlb_colour_all", "tlb_colour_all"}},
        {47, {"-", "-", "tlb_alpha_mask", "tlb_alpha_mask"}},
        {48, {"vpm", "vpm", "vpm", "vpm"}},
        {49, {"vr_busy", "vw_busy", "vr_setup", "vw_setup"}},
        {50, {"vr_wait", "vw_wait", "vr_addr", "vw_addr"}},
        {51, {"mutex", "mutex", "mutex", "mutex"}},
        {52, {"-", "-", "sfu_recip", "sfu_recip"}},
        {53, {"-", "-", "sfu_recipsqrt", "sfu_recipsqrt"}},
        {54, {"-", "-", "sfu_exp", "sfu_exp"}},
        {55, {"-", "-", "sfu_log", "sfu_log"}},
        {56, {"-", "-", "tmu0_s", "tmu0_s"}},
        {57, {"-", "-", "tmu0_t", "tmu0_t"}},
        {58, {"-", "-", "tmu0_r", "tmu0_r"}},
        {59, {"-", "-", "tmu0_b", "tmu0_b"}},
        {60, {"-", "-", "tmu1_s", "tmu1_s"}},
        {61, {"-", "-", "tmu1_t", "tmu1_t"}},
        {62, {"-", "-", "tmu1_r", "tmu1_r"}},
        {63, {"-", "-", "tmu1_b", "tmu1_b"}},
    };
    (void)state;
    for (size_t n = 0; n < sizeof map / sizeof *map; n++) {
        for (unsigned file = 0; file < 2; file++) {
            assert_string_equal(qpu_read_name(file, map[n].address), map[n].name[file]);
            assert_string_equal(qpu_write_name(file, map[n].address), map[n].name[2 + file]);
        }
    }
    for (unsigned address = 0; address < 64; address++) {
        const char *read = qpu_read_name(0, address);
        assert_int_equal(qpu_read_shared(address),
                         strcmp(read, qpu_read_name(1, address)) == 0 && strcmp(read, "-") != 0);
        assert_int_equal(qpu_write_shared(address),
                         strcmp(qpu_write_name(0, address), qpu_write_name(1, address)) == 0);
    }
}

/* The word that every assembler writes for a nop (listing above, pair 1). */
static void test_canonical(void **state)
{
    struct qpu_insn i, again;
    (void)state;
    qpu_canonical(QPU_ALU, &i);
    assert_true(qpu_encode(&i) == UINT64_C(0x100009E7009E7000));
    qpu_canonical(QPU_SEMAPHORE, &i);
    i.immediate = 0x19;
    assert_true(qpu_encode(&i) == UINT64_C(0xE80009E700000019));
    for (unsigned class = 0; class < QPU_CLASSES; class ++) {
        qpu_canonical(class, &i);
        assert_true(qpu_decode(qpu_encode(&i), &again));
        assert_equal_fields(&i, &again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listed_words),     cmocka_unit_test(test_classes),
        cmocka_unit_test(test_inverse),          cmocka_unit_test(test_bit_fields),
        cmocka_unit_test(test_small_immediates), cmocka_unit_test(test_register_names),
        cmocka_unit_test(test_canonical),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
