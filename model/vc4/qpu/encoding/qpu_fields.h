/* SPDX-License-Identifier: MIT */
/*
 * The fields of each class of instruction, one row for each field: its name, its bits, its member of struct
 * qpu_insn (and the lowest bit in that member), and the names of its values (in qpu_insn.c). The rows of a
 * class cover each of the 64 bits once (tests/model/vc4/qpu/test_qpu_insn.c checks this). Code that knows
 * most fields at compile time encodes with the inline qpu_encode_here: the host executes a sixth of the
 * instructions of qpu_encode.
 *
 * Source: VideoCoreIV-AG100-R p26 fig 3, p27 T1, p33 (load immediate, semaphore), p34 T10 (branch), p37-38
 * T14 (register addresses).
 */
#ifndef MISPRINT_MODEL_VC4_QPU_ENCODING_QPU_FIELDS_H
#define MISPRINT_MODEL_VC4_QPU_ENCODING_QPU_FIELDS_H

#include "model/vc4/qpu/encoding/qpu_insn.h"

/* clang-format off */
/* Rows: F(name, lowest bit, width, member, lowest bit in the member, names of values). */
#define QPU_WRITE_FIELDS(F) \
    F("ws", 44, 1, ws, 0, NULL) \
    F("waddr_add", 38, 6, waddr_add, 0, write_names[0]) \
    F("waddr_mul", 32, 6, waddr_mul, 0, write_names[1])
/* The upper fields of every class but branches. Bits 59:57 are the unpack code of an ALU instruction, or the
 * mode of a load immediate or semaphore. */
#define QPU_UPPER_FIELDS(F, name_59, values_59) \
    F("sig", 60, 4, sig, 0, qpu_signal_names) \
    F(name_59, 57, 3, unpack, 0, values_59) \
    F("pm", 56, 1, pm, 0, NULL) \
    F("pack", 52, 4, pack, 0, qpu_pack_names) \
    F("cond_add", 49, 3, cond_add, 0, qpu_cond_names) \
    F("cond_mul", 46, 3, cond_mul, 0, qpu_cond_names) \
    F("sf", 45, 1, sf, 0, NULL) \
    QPU_WRITE_FIELDS(F)
#define QPU_ALU_FIELDS(F, b_name, b_values) \
    QPU_UPPER_FIELDS(F, "unpack", qpu_unpack_names) \
    F("op_mul", 29, 3, op_mul, 0, NULL) \
    F("op_add", 24, 5, op_add, 0, NULL) \
    F("raddr_a", 18, 6, raddr_a, 0, read_names[0]) \
    F(b_name, 12, 6, raddr_b, 0, b_values) \
    F("add_a", 9, 3, add_a, 0, qpu_mux_names) \
    F("add_b", 6, 3, add_b, 0, qpu_mux_names) \
    F("mul_a", 3, 3, mul_a, 0, qpu_mux_names) \
    F("mul_b", 0, 3, mul_b, 0, qpu_mux_names)
#define QPU_REGFILE_FIELDS(F) QPU_ALU_FIELDS(F, "raddr_b", read_names[1])
#define QPU_SMALL_FIELDS(F) QPU_ALU_FIELDS(F, "small_immed", qpu_small_immediate_names)
#define QPU_SIG14_FIELDS(F) QPU_UPPER_FIELDS(F, "mode", mode_names)
#define QPU_LDI_32_FIELDS(F) \
    QPU_SIG14_FIELDS(F) \
    F("immediate", 0, 32, immediate, 0, NULL)
#define QPU_LDI_ELEMENT_FIELDS(F) \
    QPU_SIG14_FIELDS(F) \
    F("ms_bits", 16, 16, immediate, 16, NULL) \
    F("ls_bits", 0, 16, immediate, 0, NULL)
#define QPU_SEMAPHORE_FIELDS(F) \
    QPU_SIG14_FIELDS(F) \
    F("ignored", 5, 27, immediate, 5, NULL) \
    F("sa", 4, 1, immediate, 4, NULL) \
    F("semaphore", 0, 4, immediate, 0, NULL)
#define QPU_BRANCH_FIELDS(F) \
    F("sig", 60, 4, sig, 0, qpu_signal_names) \
    F("unused", 56, 4, branch_unused, 0, NULL) \
    F("cond_br", 52, 4, cond_br, 0, qpu_branch_cond_names) \
    F("rel", 51, 1, rel, 0, NULL) \
    F("reg", 50, 1, reg, 0, NULL) \
    F("raddr_a", 45, 5, raddr_a, 0, read_names[0]) \
    QPU_WRITE_FIELDS(F) \
    F("immediate", 0, 32, immediate, 0, NULL)

/* Every class once, with its rows. */
#define QPU_CLASS_ROWS(C) \
    C(QPU_ALU, QPU_REGFILE_FIELDS) \
    C(QPU_ALU_SMALL, QPU_SMALL_FIELDS) \
    C(QPU_LDI_32, QPU_LDI_32_FIELDS) \
    C(QPU_LDI_SIGNED, QPU_LDI_ELEMENT_FIELDS) \
    C(QPU_LDI_UNSIGNED, QPU_LDI_ELEMENT_FIELDS) \
    C(QPU_SEMAPHORE, QPU_SEMAPHORE_FIELDS) \
    C(QPU_BRANCH, QPU_BRANCH_FIELDS)

#define QPU_MASK(width) ((UINT64_C(1) << (width)) - 1)

#define QPU_ENCODE_FIELD(name, low, width, member, at, values) \
    word |= (((uint64_t)i->member >> (at)) & QPU_MASK(width)) << (low);
#define QPU_ENCODE_CLASS(class_, fields) case class_: fields(QPU_ENCODE_FIELD) break;
/* clang-format on */

static inline uint64_t qpu_encode_here(const struct qpu_insn *i)
{
    uint64_t word = 0;
    switch (i->class) {
        QPU_CLASS_ROWS(QPU_ENCODE_CLASS)
    default:
        break;
    }
    return word;
}

static inline void qpu_canonical_here(enum qpu_class class, struct qpu_insn *i)
{
    static const uint8_t mode[QPU_CLASSES] = {
        [QPU_LDI_SIGNED] = 1, [QPU_LDI_UNSIGNED] = 3, [QPU_SEMAPHORE] = 4};
    *i = (struct qpu_insn){.class = (uint8_t) class,
                           .sig = QPU_SIG_LOAD_IMMEDIATE,
                           .unpack = mode[class],
                           .waddr_add = QPU_W_NOTHING,
                           .waddr_mul = QPU_W_NOTHING};
    switch (class) {
    case QPU_ALU:
        i->sig = QPU_SIG_NONE;
        i->raddr_a = i->raddr_b = QPU_R_NOTHING;
        break;
    case QPU_ALU_SMALL:
        i->sig = QPU_SIG_SMALL_IMMEDIATE;
        i->raddr_a = QPU_R_NOTHING;
        break;
    case QPU_BRANCH:
        i->sig = QPU_SIG_BRANCH;
        i->cond_br = 15;
        break;
    default:
        break;
    }
}

#endif
