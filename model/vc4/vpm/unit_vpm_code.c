/* SPDX-License-Identifier: MIT */
/*
 * The text of vc4-vpm's operations:
 *
 *   wr_setup h32 stride=1 y=2   a setup word by its fields, or as a number (vpm_setup.h)
 *   rd_setup v8-laned num=2 stride=4 x=3 b=1
 *   write 3                     row 3 of the image `data`
 *   write 3 lanes=0x00ff        the same if only some conditions hold
 *   read
 *   st_addr 0x40                byte offset into the case's memory; also ld_addr
 *   st_wait                     also ld_wait, st_busy, ld_busy
 *   nop 3                       three instructions without an access
 *   with read                   in the same instruction as the line before
 *
 * An operand that the operation does not use is printed as operand=0x..., other unused bits as in
 * op_print_head.
 */
#include "model/vc4/vpm/unit_vpm.h"
#include "model/vc4/vpm/vpm_setup.h"

const struct vpm_op vpm_ops[VPM_OP_CODES] = {
    [VPM_OP_NOP] = {"nop", VPM_OPERAND_COUNT},
    [VPM_OP_WR_SETUP] = {"wr_setup", VPM_OPERAND_WRITE_SETUP},
    [VPM_OP_RD_SETUP] = {"rd_setup", VPM_OPERAND_READ_SETUP},
    [VPM_OP_WRITE] = {"write", VPM_OPERAND_ROW},
    [VPM_OP_READ] = {"read", VPM_OPERAND_NONE},
    [VPM_OP_ST_ADDR] = {"st_addr", VPM_OPERAND_OFFSET},
    [VPM_OP_LD_ADDR] = {"ld_addr", VPM_OPERAND_OFFSET},
    [VPM_OP_ST_WAIT] = {"st_wait", VPM_OPERAND_NONE},
    [VPM_OP_LD_WAIT] = {"ld_wait", VPM_OPERAND_NONE},
    [VPM_OP_ST_BUSY] = {"st_busy", VPM_OPERAND_NONE},
    [VPM_OP_LD_BUSY] = {"ld_busy", VPM_OPERAND_NONE},
};

static const uint32_t lanes_mask = UINT32_C(0xFFFF) << VPM_OP_LANES_OFF_SHIFT;

static bool is_setup(const struct vpm_op *op)
{
    return op->operand == VPM_OPERAND_WRITE_SETUP || op->operand == VPM_OPERAND_READ_SETUP;
}

static enum setup_register register_of(const struct vpm_op *setup)
{
    return setup->operand == VPM_OPERAND_WRITE_SETUP ? SETUP_WRITE : SETUP_READ;
}

static uint32_t meaning(uint32_t code)
{
    return OP_CODE_MASK | VPM_OP_WITH | (vpm_ops[code].operand == VPM_OPERAND_ROW ? lanes_mask : 0);
}

static const char *op_name_at(const void *context, unsigned i)
{
    (void)context;
    return i < VPM_OP_CODES ? vpm_ops[i].name : NULL;
}

static bool parse_name(const struct op_line *s, const char *word, size_t length, uint32_t *words,
                       struct error *e)
{
    for (uint32_t code = 0; code < VPM_OP_CODES; code++)
        if (op_word_is(word, length, vpm_ops[code].name)) {
            words[1] = code;
            return true;
        }
    return op_unknown(s, word, length, op_name_at, e);
}

static bool parse_operand(struct op_line *s, uint32_t *words, struct error *e)
{
    const struct vpm_op *op = &vpm_ops[words[1] & OP_CODE_MASK];
    const char *word;
    if (is_setup(op)) {
        size_t at = s->at;
        s->at = s->count;
        return setup_parse(register_of(op), s->chars + at, s->count - at, at + 1, &words[0], e);
    }
    size_t length = op_word(s, &word);
    if (op->operand == VPM_OPERAND_NONE)
        return length == 0 || op_parse_named(s, word, length, "operand", &words[0], e);
    if (!op_parse_number(word, length, &words[0]))
        return error_set(e, "column %zu: expected a decimal or 0x number after \"%s\"", op_column(s, word),
                         op->name);
    if (op->operand == VPM_OPERAND_ROW && (length = op_word(s, &word)) > 0) {
        uint32_t lanes;
        if (!op_parse_named(s, word, length, "lanes", &lanes, e))
            return false;
        if (lanes > 0xFFFF)
            return error_set(e, "column %zu: lanes is a mask of 16 elements, at most 0xffff",
                             op_column(s, word));
        words[1] |= (~lanes & 0xFFFF) << VPM_OP_LANES_OFF_SHIFT;
    }
    return true;
}

static const struct op_syntax syntax = {.codes = VPM_OP_CODES,
                                        .with = VPM_OP_WITH,
                                        .meaning = meaning,
                                        .parse_name = parse_name,
                                        .parse_operand = parse_operand};

const char vpm_op_syntax[] =
    "wr_setup h32 stride=1 y=2   # a setup word by its fields, or as a number\n"
    "rd_setup v8-laned num=2 stride=4 x=3 b=1\n"
    "write 3                     # row 3 of the image `data`\n"
    "write 3 lanes=0x00ff        # the same if only some conditions hold\n"
    "read\n"
    "wr_setup store-h units=16 depth=16   # DMA; store-v, store-stride\n"
    "st_addr 0x40                # byte offset into the case's memory; also ld_addr\n"
    "st_wait                     # also ld_wait, st_busy, ld_busy\n"
    "nop 3                       # three instructions without an access\n"
    "with read                   # in the same instruction as the line before\n";

static const char *operation(unsigned i)
{
    return op_name_at(NULL, i);
}

static const char *setup_kind(enum setup_register which, unsigned i)
{
    const struct word_form *f = setup_format_at(which, i);
    return f ? f->name : NULL;
}

static const char *write_setup(unsigned i)
{
    return setup_kind(SETUP_WRITE, i);
}

static const char *read_setup(unsigned i)
{
    return setup_kind(SETUP_READ, i);
}

const struct code_names vpm_op_names[] = {
    {"operations", operation},
    {"kinds of write setup", write_setup},
    {"kinds of read setup", read_setup},
    {NULL, NULL},
};

void vpm_op_print(const uint32_t *words, struct text *t)
{
    if (!op_print_head(&syntax, words, t))
        return;
    uint32_t operand = words[0];
    const struct vpm_op *op = &vpm_ops[words[1] & OP_CODE_MASK];
    text_add(t, "%s", op->name);
    if (is_setup(op)) {
        text_add(t, " ");
        setup_print(register_of(op), operand, t);
    } else if (op->operand == VPM_OPERAND_OFFSET) {
        text_add(t, " 0x%x", (unsigned)operand);
    } else if (op->operand != VPM_OPERAND_NONE) {
        text_add(t, " %u", (unsigned)operand);
    } else if (operand) {
        text_add(t, " operand=0x%x", (unsigned)operand);
    }
    if (op->operand == VPM_OPERAND_ROW && words[1] & lanes_mask)
        text_add(t, " lanes=0x%04x", (unsigned)(~words[1] >> VPM_OP_LANES_OFF_SHIFT & 0xFFFF));
}

bool vpm_op_parse(const char *chars, size_t count, uint32_t *words, struct error *e)
{
    return op_parse(&syntax, chars, count, words, e);
}

const struct bit_field *vpm_op_bits(const uint32_t *words)
{
    uint32_t code = words[1] & OP_CODE_MASK;
    if (code >= VPM_OP_CODES || !is_setup(&vpm_ops[code]))
        return NULL;
    const struct word_form *f = setup_format_of(register_of(&vpm_ops[code]), words[0]);
    return f ? f->fields : NULL;
}

/* The fields of the second word (unit_vpm.h). */
const struct bit_field *vpm_op_second_bits(const uint32_t *words)
{
    static const char *const with[] = {"an instruction of its own", "in the instruction of the one before",
                                       NULL};
    static const struct bit_field write[] = {{"OPERATION", 0, 4, NULL},
                                             {"WITH", 4, 1, with},
                                             {"IGNORED", 5, 11, NULL},
                                             {"CONDITION_FAILS", VPM_OP_LANES_OFF_SHIFT, 16, NULL},
                                             {0}};
    static const struct bit_field other[] = {{"OPERATION", 0, 4, NULL},
                                             {"WITH", 4, 1, with},
                                             {"IGNORED", 5, 27, NULL},
                                             {0}};
    return (words[1] & OP_CODE_MASK) == VPM_OP_WRITE ? write : other;
}
