/* SPDX-License-Identifier: MIT */
/*
 * Each class of instruction is one list of rows: a field's name, its bits, the
 * member of struct qpu_insn that holds it (and from which bit of that member),
 * and the names of its values. Decode, encode and the pictures' bit fields are
 * expansions of that list. The rows of a class cover all 64 bits, each once
 * (tests/test_qpu_insn.c checks it).
 *
 * Source: VideoCoreIV-AG100-R p26 fig 3, p27 T1, p33 (load immediate,
 * semaphore), p34 T10 (branch), p37-38 T14 (register addresses).
 */
#include "model/vc4/qpu_insn.h"

/* clang-format off */
#define REGISTERS_32(f) \
    f "0", f "1", f "2", f "3", f "4", f "5", f "6", f "7", f "8", f "9", f "10", f "11", f "12", f "13", f "14", f "15", \
    f "16", f "17", f "18", f "19", f "20", f "21", f "22", f "23", f "24", f "25", f "26", f "27", f "28", f "29", f "30", f "31"

static const char *const read_names[2][65] = {
    {REGISTERS_32("ra"),
     "uniform", "-", "-", "varying", "-", "-", "element_number", "nop", "-", "x_coord", "ms_flags", "-", "-", "-", "-", "-",
     "vpm", "vr_busy", "vr_wait", "mutex", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", NULL},
    {REGISTERS_32("rb"),
     "uniform", "-", "-", "varying", "-", "-", "qpu_number", "nop", "-", "y_coord", "rev_flag", "-", "-", "-", "-", "-",
     "vpm", "vw_busy", "vw_wait", "mutex", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-", NULL},
};

#define WRITE_32_36  "r0", "r1", "r2", "r3", "tmu_noswap"
#define WRITE_38_40  "host_int", "nop", "uniforms_address"
#define WRITE_43_48  "tlb_stencil_setup", "tlb_z", "tlb_colour_ms", "tlb_colour_all", "tlb_alpha_mask", "vpm"
#define WRITE_51_63  "mutex", "sfu_recip", "sfu_recipsqrt", "sfu_exp", "sfu_log", \
                     "tmu0_s", "tmu0_t", "tmu0_r", "tmu0_b", "tmu1_s", "tmu1_t", "tmu1_r", "tmu1_b"
static const char *const write_names[2][65] = {
    {REGISTERS_32("ra"), WRITE_32_36, "r5_quad", WRITE_38_40, "quad_x", "ms_flags", WRITE_43_48, "vr_setup", "vr_addr", WRITE_51_63, NULL},
    {REGISTERS_32("rb"), WRITE_32_36, "r5_all", WRITE_38_40, "quad_y", "rev_flag", WRITE_43_48, "vw_setup", "vw_addr", WRITE_51_63, NULL},
};

const char *const qpu_signal_names[17] = {
    "breakpoint", "none", "thread_switch", "end", "wait_scoreboard", "unlock_scoreboard", "last_thread_switch", "load_coverage",
    "load_colour", "load_colour_end", "load_tmu0", "load_tmu1", "load_alpha", "small_immediate", "load_immediate", "branch", NULL};
const char *const qpu_cond_names[9] = {"never", "always", "zs", "zc", "ns", "nc", "cs", "cc", NULL};
const char *const qpu_branch_cond_names[17] = {
    "all_zs", "all_zc", "any_zs", "any_zc", "all_ns", "all_nc", "any_ns", "any_nc",
    "all_cs", "all_cc", "any_cs", "any_cc", "cond12", "cond13", "cond14", "always", NULL};
const char *const qpu_unpack_names[9] = {"32", "16a", "16b", "8dr", "8a", "8b", "8c", "8d", NULL};
const char *const qpu_pack_names[17] = {
    "32", "16a", "16b", "8888", "8a", "8b", "8c", "8d", "32s", "16as", "16bs", "8888s", "8as", "8bs", "8cs", "8ds", NULL};
const char *const qpu_colour_pack_names[17] = {
    "-", "-", "-", "c8888", "c8a", "c8b", "c8c", "c8d", "-", "-", "-", "-", "-", "-", "-", "-", NULL};
const char *const qpu_mux_names[9] = {"r0", "r1", "r2", "r3", "r4", "r5", "a", "b", NULL};
const char *const qpu_small_immediate_names[65] = {
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15",
    "-16", "-15", "-14", "-13", "-12", "-11", "-10", "-9", "-8", "-7", "-6", "-5", "-4", "-3", "-2", "-1",
    "1.0", "2.0", "4.0", "8.0", "16.0", "32.0", "64.0", "128.0", "1/256", "1/128", "1/64", "1/32", "1/16", "1/8", "1/4", "1/2",
    "rot_r5", "rot1", "rot2", "rot3", "rot4", "rot5", "rot6", "rot7", "rot8", "rot9", "rot10", "rot11", "rot12", "rot13", "rot14", "rot15", NULL};
static const char *const mode_names[9] = {"32", "signed", "-", "unsigned", "semaphore", "-", "-", "-", NULL};

/* Rows: F(name, lowest bit, width, member, lowest bit in the member, names of values). */
#define WRITE_FIELDS(F) \
    F("ws", 44, 1, ws, 0, NULL) \
    F("waddr_add", 38, 6, waddr_add, 0, write_names[0]) \
    F("waddr_mul", 32, 6, waddr_mul, 0, write_names[1])
#define RESULT_FIELDS(F) \
    F("pm", 56, 1, pm, 0, NULL) \
    F("pack", 52, 4, pack, 0, qpu_pack_names) \
    F("cond_add", 49, 3, cond_add, 0, qpu_cond_names) \
    F("cond_mul", 46, 3, cond_mul, 0, qpu_cond_names) \
    F("sf", 45, 1, sf, 0, NULL) \
    WRITE_FIELDS(F)
#define ALU_FIELDS(F, b_name, b_values) \
    F("sig", 60, 4, sig, 0, qpu_signal_names) \
    F("unpack", 57, 3, unpack, 0, qpu_unpack_names) \
    RESULT_FIELDS(F) \
    F("op_mul", 29, 3, op_mul, 0, NULL) \
    F("op_add", 24, 5, op_add, 0, NULL) \
    F("raddr_a", 18, 6, raddr_a, 0, read_names[0]) \
    F(b_name, 12, 6, raddr_b, 0, b_values) \
    F("add_a", 9, 3, add_a, 0, qpu_mux_names) \
    F("add_b", 6, 3, add_b, 0, qpu_mux_names) \
    F("mul_a", 3, 3, mul_a, 0, qpu_mux_names) \
    F("mul_b", 0, 3, mul_b, 0, qpu_mux_names)
#define REGFILE_FIELDS(F) ALU_FIELDS(F, "raddr_b", read_names[1])
#define SMALL_FIELDS(F) ALU_FIELDS(F, "small_immed", qpu_small_immediate_names)
#define SIG14_FIELDS(F) \
    F("sig", 60, 4, sig, 0, qpu_signal_names) \
    F("mode", 57, 3, unpack, 0, mode_names) \
    RESULT_FIELDS(F)
#define LDI_32_FIELDS(F) \
    SIG14_FIELDS(F) \
    F("immediate", 0, 32, immediate, 0, NULL)
#define LDI_ELEMENT_FIELDS(F) \
    SIG14_FIELDS(F) \
    F("ms_bits", 16, 16, immediate, 16, NULL) \
    F("ls_bits", 0, 16, immediate, 0, NULL)
#define SEMAPHORE_FIELDS(F) \
    SIG14_FIELDS(F) \
    F("ignored", 5, 27, immediate, 5, NULL) \
    F("sa", 4, 1, immediate, 4, NULL) \
    F("semaphore", 0, 4, immediate, 0, NULL)
#define BRANCH_FIELDS(F) \
    F("sig", 60, 4, sig, 0, qpu_signal_names) \
    F("unused", 56, 4, branch_unused, 0, NULL) \
    F("cond_br", 52, 4, cond_br, 0, qpu_branch_cond_names) \
    F("rel", 51, 1, rel, 0, NULL) \
    F("reg", 50, 1, reg, 0, NULL) \
    F("raddr_a", 45, 5, raddr_a, 0, read_names[0]) \
    WRITE_FIELDS(F) \
    F("immediate", 0, 32, immediate, 0, NULL)

/* Every class once, with its rows. */
#define CLASSES(C) \
    C(QPU_ALU, REGFILE_FIELDS) \
    C(QPU_ALU_SMALL, SMALL_FIELDS) \
    C(QPU_LDI_32, LDI_32_FIELDS) \
    C(QPU_LDI_SIGNED, LDI_ELEMENT_FIELDS) \
    C(QPU_LDI_UNSIGNED, LDI_ELEMENT_FIELDS) \
    C(QPU_SEMAPHORE, SEMAPHORE_FIELDS) \
    C(QPU_BRANCH, BRANCH_FIELDS)

#define MASK(width) ((UINT64_C(1) << (width)) - 1)
#define DECODE_FIELD(name, low, width, member, at, values) \
    i->member = (__typeof__(i->member))(i->member | (__typeof__(i->member))(((word >> (low)) & MASK(width)) << (at)));
#define DECODE_CLASS(class_, fields) case class_: fields(DECODE_FIELD) break;
#define ENCODE_FIELD(name, low, width, member, at, values) word |= (((uint64_t)i->member >> (at)) & MASK(width)) << (low);
#define ENCODE_CLASS(class_, fields) case class_: fields(ENCODE_FIELD) break;
#define BITS_FIELD(name, low, width, member, at, values) {name, low, width, values},
#define BITS_CLASS(class_, fields) [class_] = {fields(BITS_FIELD) {NULL, 0, 0, NULL}},

static const struct bit_field bit_fields[QPU_CLASSES][FIELDS_MAX] = {CLASSES(BITS_CLASS)};
static const struct bit_field undefined_fields[] = {
    {"sig", 60, 4, qpu_signal_names}, {"mode", 57, 3, mode_names}, {"undefined", 0, 57, NULL}, {NULL, 0, 0, NULL}};
/* clang-format on */

/* The class that bits 63:60 choose; sig 14 asks bits 59:57 as well. QPU_CLASSES: none. */
static const uint8_t class_of_sig[16] = {
    [QPU_SIG_SMALL_IMMEDIATE] = QPU_ALU_SMALL, [QPU_SIG_LOAD_IMMEDIATE] = QPU_CLASSES, [QPU_SIG_BRANCH] = QPU_BRANCH};
static const uint8_t class_of_mode[8] = {QPU_LDI_32,    QPU_LDI_SIGNED, QPU_CLASSES, QPU_LDI_UNSIGNED,
                                         QPU_SEMAPHORE, QPU_CLASSES,    QPU_CLASSES, QPU_CLASSES};

static uint8_t class_of(uint64_t word)
{
    unsigned sig = (unsigned)(word >> 60);
    return sig == QPU_SIG_LOAD_IMMEDIATE ? class_of_mode[(word >> 57) & 7] : class_of_sig[sig];
}

bool qpu_decode(uint64_t word, struct qpu_insn *i)
{
    *i = (struct qpu_insn){.class = class_of(word)};
    switch (i->class) {
        CLASSES(DECODE_CLASS)
    default:
        return false;
    }
    return true;
}

uint64_t qpu_encode(const struct qpu_insn *i)
{
    uint64_t word = 0;
    switch (i->class) {
        CLASSES(ENCODE_CLASS)
    default:
        break;
    }
    return word;
}

const struct bit_field *qpu_bit_fields(uint64_t word)
{
    unsigned class = class_of(word);
    return class < QPU_CLASSES ? bit_fields[class] : undefined_fields;
}

void qpu_canonical(enum qpu_class class, struct qpu_insn *i)
{
    static const uint8_t mode[QPU_CLASSES] = {[QPU_LDI_SIGNED] = 1, [QPU_LDI_UNSIGNED] = 3, [QPU_SEMAPHORE] = 4};
    *i = (struct qpu_insn){.class = (uint8_t) class, .sig = QPU_SIG_LOAD_IMMEDIATE, .unpack = mode[class], .waddr_add = 39, .waddr_mul = 39};
    switch (class) {
    case QPU_ALU:
        i->sig = QPU_SIG_NONE;
        i->raddr_a = i->raddr_b = 39;
        break;
    case QPU_ALU_SMALL:
        i->sig = QPU_SIG_SMALL_IMMEDIATE;
        i->raddr_a = 39;
        break;
    case QPU_BRANCH:
        i->sig = QPU_SIG_BRANCH;
        i->cond_br = 15;
        break;
    default:
        break;
    }
}

uint32_t qpu_small_immediate(unsigned v)
{
    v &= 63;
    if (v < 16)
        return v;
    if (v < 32)
        return v - 32U;
    if (v < 40)
        return (127U + v - 32U) << 23; /* 1.0 .. 128.0 */
    if (v < 48)
        return (127U + v - 48U) << 23; /* 1/256 .. 1/2 */
    return v - 64U;
}

const char *qpu_read_name(unsigned file, unsigned address)
{
    return read_names[file & 1][address & 63];
}

const char *qpu_write_name(unsigned file, unsigned address)
{
    return write_names[file & 1][address & 63];
}

/* Bit n: address n has one name in both files. The test checks these against the tables of names. */
static const uint64_t read_shared = UINT64_C(1) << 32 | UINT64_C(1) << 35 | UINT64_C(1) << 39 | UINT64_C(1) << 48 | UINT64_C(1) << 51;
static const uint64_t write_specific = UINT64_C(0xFFFFFFFF) | UINT64_C(1) << 37 | UINT64_C(3) << 41 | UINT64_C(3) << 49;

bool qpu_read_shared(unsigned address)
{
    return (read_shared >> (address & 63)) & 1;
}

bool qpu_write_shared(unsigned address)
{
    return !((write_specific >> (address & 63)) & 1);
}
