/* SPDX-License-Identifier: MIT */
/* The text form for people: examples, and the words in it. qpu_text.c has the grammar. */
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"

const char qpu_syntax[] = "fadd r0, r1, ra3           # ADD half: operation, destination, sources\n"
                          "fmul r2, r3, 2.0           # MUL half; a source may be a small immediate\n"
                          "add r0, r1, r2 ; v8min r3, r1, r2 ; thread_switch   # both halves and a signal\n"
                          "add.zs.setf ra1.16a, rb2, ra3.16b   # condition, flags set, pack, unpack\n"
                          "v8min.rot3 r1, r0, r0      # MUL half, rotated; by r5: rot_r5\n"
                          "ldi vw_setup, nop, 0x1a00  # load immediate: both halves' destinations, value\n"
                          "ldis r0, [1,0,-1,-2,1,0,-1,-2,1,0,-1,-2,1,0,-1,-2]   # ldiu: from 0 to 3\n"
                          "acquire 3                  # semaphores; release 3\n"
                          "brr.any_zs rb5, 64         # branch to this address + 96; rb5 gets the link\n"
                          "bra ra7, 0                 # branch to an address\n"
                          "nop ; nop ; end            # the program ends after two more instructions\n"
                          "nop {raddr_a=7}            # fields that the text cannot express\n"
                          ".quad 0x100009e7009e7000   # any 64 bits\n"
                          "# Registers are ra0 to ra31, rb0 to rb31, r0 to r5, and the names below.\n";

static const char *add_operation(unsigned i)
{
    return i >= 32 ? NULL : alu_add_ops[i].name ? alu_add_ops[i].name : "-";
}

static const char *mul_operation(unsigned i)
{
    return i >= 8 ? NULL : alu_mul_ops[i].name ? alu_mul_ops[i].name : "-";
}

static const char *readable(unsigned i)
{
    return i >= 64 ? NULL : qpu_read_name(i / 32, QPU_FILE_ROWS + i % 32);
}

static const char *writable(unsigned i)
{
    return i >= 64 ? NULL : qpu_write_name(i / 32, QPU_FILE_ROWS + i % 32);
}

#define WORDS(function, names)                                                                               \
    static const char *function(unsigned i)                                                                  \
    {                                                                                                        \
        return (names)[i];                                                                                   \
    }
WORDS(signal_word, qpu_signal_names)
WORDS(condition, qpu_cond_names)
WORDS(branch_condition, qpu_branch_cond_names)
WORDS(pack, qpu_pack_names)
WORDS(colour_pack, qpu_colour_pack_names)
WORDS(unpack, qpu_unpack_names)
WORDS(small_immediate, qpu_small_immediate_names)

const struct code_names qpu_syntax_names[] = {
    {"operations of the ADD half", add_operation},
    {"operations of the MUL half", mul_operation},
    {"registers that can be read", readable},
    {"registers that can be written", writable},
    {"signals", signal_word},
    {"conditions", condition},
    {"conditions of branches", branch_condition},
    {"packs", pack},
    {"packs of colours, MUL half", colour_pack},
    {"unpacks", unpack},
    {"small immediates", small_immediate},
    {NULL, NULL},
};
