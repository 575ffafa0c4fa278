/* SPDX-License-Identifier: MIT */
#include "model/utgard/gp_insn.h"

const struct gp_insn gp_nop = {
#define X(name, low, width, idle) .name = (idle),
#include "model/utgard/gp_fields.inc.h"
#undef X
};
const uint32_t gp_nop_words[GP_WORDS] = {0xAD4AD6B5, 0x038002B5, 0x0007FF80, 0x000AD500};

static inline void bits_put(uint32_t *words, unsigned low, unsigned width, uint32_t value)
{
    uint64_t two = (uint64_t)(value & ((1U << width) - 1)) << (low % 32);
    words[low / 32] |= (uint32_t)two;
    if (low % 32 + width > 32)
        words[low / 32 + 1] |= (uint32_t)(two >> 32);
}

void gp_encode(const struct gp_insn *i, uint32_t words[GP_WORDS])
{
    for (unsigned w = 0; w < GP_WORDS; w++)
        words[w] = 0;
#define X(name, low, width, idle) bits_put(words, low, width, i->name);
#include "model/utgard/gp_fields.inc.h"
#undef X
}

const struct bit_field gp_bit_fields[] = {
#define X(field, low, width, idle) {#field, low, width, NULL},
#include "model/utgard/gp_fields.inc.h"
#undef X
    {NULL, 0, 0, NULL},
};

void gp_set_branch_target(struct gp_insn *i, unsigned target)
{
    i->branch_target = target & 255;
    i->branch_target_lo = !(target >> 8 & 1);
}

const char *const gp_acc_names[] = {"add", "floor", "sign", "op3", "ge", "lt", "min", "max", NULL};
const char *const gp_mul_names[] = {"mul", "complex1", "op2", "complex2", "select",
                                    "op5", "op6",      "op7", NULL};
const char *const gp_complex_names[] = {"op0",   "op1",   "exp2",  "log2",  "rsqrt",  "rcp",
                                        "op6",   "op7",   "op8",   "mov",   "addr01", "op11",
                                        "addr0", "addr1", "addr2", "addr3", NULL};
const char *const gp_pass_names[] = {"op0", "op1", "mov", "op3", "preexp2", "postlog2", "clamp", "op7", NULL};
const char *const gp_source_names[] = {"reg0.x",   "reg0.y",   "reg0.z", "reg0.w", "reg1.x",    "reg1.y",
                                       "reg1.z",   "reg1.w",   "src8",   "src9",   "src10",     "src11",
                                       "load.x",   "load.y",   "load.z", "load.w", "acc0@1",    "acc1@1",
                                       "mul0@1",   "mul1@1",   "pass@1", "none",   "complex@1", "pass@2",
                                       "acc0@2",   "acc1@2",   "mul0@2", "mul1@2", "reg0.x@1",  "reg0.y@1",
                                       "reg0.z@1", "reg0.w@1", NULL};
const char *const gp_store_names[] = {"acc0", "acc1",    "mul0", "mul1", "pass",
                                      "src5", "complex", "none", NULL};
const char *const gp_unit_names[] = {"acc0", "acc1", "mul0", "mul1", "pass", "unit5", "complex", NULL};
const char gp_identity_name[] = "ident";
