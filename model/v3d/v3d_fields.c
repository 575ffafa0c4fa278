/* SPDX-License-Identifier: MIT */
/* The named bit fields of words, for pictures and for what the text form leaves over. */
#include "model/v3d/v3d_insn.h"

#include <stddef.h>

/* clang-format off */
#define ALU_FIELDS                                                                                           \
    {"op_mul", 58, 6, NULL}, {"sig", 53, 5, NULL}, {"cond", 46, 7, NULL}, {"mm", 45, 1, NULL},               \
    {"ma", 44, 1, NULL}, {"waddr_m", 38, 6, NULL}, {"waddr_a", 32, 6, NULL}, {"op_add", 24, 8, NULL}
#define RADDRS {"raddr_a", 6, 6, NULL}, {"raddr_b", 0, 6, NULL}, {NULL, 0, 0, NULL}

static const struct bit_field alu_42[] = {
    ALU_FIELDS, {"mul_b", 21, 3, NULL}, {"mul_a", 18, 3, NULL}, {"add_b", 15, 3, NULL},
    {"add_a", 12, 3, NULL}, RADDRS
};
static const struct bit_field alu_71[] = {
    ALU_FIELDS, {"raddr_c", 18, 6, NULL}, {"raddr_d", 12, 6, NULL}, RADDRS
};
static const struct bit_field branch[] = {
    {"op_mul", 58, 6, NULL}, {"branch", 56, 2, NULL}, {"addr_low", 35, 21, NULL},
    {"cond", 32, 3, NULL}, {"addr_high", 24, 8, NULL}, {"set_link", 23, 1, NULL},
    {"msfign", 21, 2, NULL}, {"unused_18", 18, 3, NULL},
    {"bdu", 15, 3, NULL}, {"ub", 14, 1, NULL}, {"bdi", 12, 2, NULL}, {"raddr_a", 6, 6, NULL},
    {"unused_0", 0, 6, NULL}, {NULL, 0, 0, NULL}
};
/* clang-format on */

const struct bit_field *v3d_bit_fields(enum v3d_generation g, uint64_t word)
{
    if (word >> 58)
        return g == V3D_42 ? alu_42 : alu_71;
    return (word >> 56 & 3) == 2 ? branch : NULL;
}
