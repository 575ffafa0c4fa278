/* SPDX-License-Identifier: MIT */
/*
 * The text of vc4-tmu's operations:
 *
 *   p0 base=1 type=4         uniforms by their fields (tmu_config.h); base in pages of the case's memory
 *   p1 width=16 height=16 wrap-s=1
 *   cube cmst=1 bslod=1      parameters 2 and 3 by their PTYPE; also child-size, child-offset, unused
 *   uniform 0x12345678       a uniform of any bits
 *   s 3                      write row 3 of the image `data`; also t, r, b
 *   s all 0x3f000000         write one word in all elements
 *   s-address 3              byte offsets into the case's memory; also "s-address all 0x40"
 *   load                     load a result to r4
 *   nop
 *
 * An operand that the operation does not use is printed as operand=0x..., other unused bits as in
 * op_print_head.
 */
#include "model/vc4/tmu/tmu_config.h"
#include "model/vc4/tmu/unit_tmu.h"

const struct tmu_op tmu_ops[TMU_OP_CODES] = {
    [TMU_OP_NOP] = {"nop", TMU_OPERAND_NONE},
    [TMU_OP_P0] = {"p0", TMU_OPERAND_P0},
    [TMU_OP_P1] = {"p1", TMU_OPERAND_P1},
    [TMU_OP_P2] = {NULL, TMU_OPERAND_P2},
    [TMU_OP_UNIFORM] = {"uniform", TMU_OPERAND_WORD},
    [TMU_OP_S] = {"s", TMU_OPERAND_VECTOR},
    [TMU_OP_T] = {"t", TMU_OPERAND_VECTOR},
    [TMU_OP_R] = {"r", TMU_OPERAND_VECTOR},
    [TMU_OP_B] = {"b", TMU_OPERAND_VECTOR},
    [TMU_OP_S_ADDRESS] = {"s-address", TMU_OPERAND_VECTOR},
    [TMU_OP_LOAD] = {"load", TMU_OPERAND_NONE},
};

static uint32_t meaning(uint32_t code)
{
    return OP_CODE_MASK | (tmu_ops[code].operand == TMU_OPERAND_VECTOR ? TMU_OP_ALL : 0U);
}

/* Returns the form of an operand that is a parameter word; TMU_FORMS if the operand is something else. */
static enum tmu_form form_of(enum tmu_operand operand, uint32_t word)
{
    return operand == TMU_OPERAND_P0   ? TMU_FORM_P0
           : operand == TMU_OPERAND_P1 ? TMU_FORM_P1
           : operand == TMU_OPERAND_P2 ? tmu_form_of(word)
                                       : TMU_FORMS;
}

/* Names for "did you mean": those of operations, then those of forms. */
static const char *op_name_at(const void *context, unsigned i)
{
    (void)context;
    if (i < TMU_OP_CODES)
        return tmu_ops[i].name ? tmu_ops[i].name : "p1";
    return i < TMU_OP_CODES + TMU_FORMS ? tmu_words[i - TMU_OP_CODES].name : NULL;
}

static bool parse_name(const struct op_line *s, const char *word, size_t length, uint32_t *words,
                       struct error *e)
{
    for (uint32_t code = 0; code < TMU_OP_CODES; code++)
        if (tmu_ops[code].name && op_word_is(word, length, tmu_ops[code].name)) {
            words[1] = code;
            return true;
        }
    for (unsigned f = TMU_FORM_UNUSED; f < TMU_FORMS; f++)
        if (op_word_is(word, length, tmu_words[f].name)) {
            words[0] = tmu_words[f].match;
            words[1] = TMU_OP_P2;
            return true;
        }
    return op_unknown(s, word, length, op_name_at, e);
}

static bool parse_operand(struct op_line *s, uint32_t *words, struct error *e)
{
    const struct tmu_op *op = &tmu_ops[words[1] & OP_CODE_MASK];
    enum tmu_form form = form_of(op->operand, words[0]);
    const char *word;
    if (form < TMU_FORMS) {
        size_t at = s->at;
        s->at = s->count;
        return word_parse(&tmu_words[form], s->chars + at, s->count - at, at + 1, &words[0], e);
    }
    size_t length = op_word(s, &word);
    if (op->operand == TMU_OPERAND_NONE)
        return length == 0 || op_parse_named(s, word, length, "operand", &words[0], e);
    if (op->operand == TMU_OPERAND_VECTOR && op_word_is(word, length, "all")) {
        words[1] |= TMU_OP_ALL;
        length = op_word(s, &word);
    }
    if (!op_parse_number(word, length, &words[0]))
        return error_set(e, "column %zu: expected a decimal or 0x number after \"%s\"", op_column(s, word),
                         op->name);
    return true;
}

static const struct op_syntax syntax = {.codes = TMU_OP_CODES,
                                        .meaning = meaning,
                                        .parse_name = parse_name,
                                        .parse_operand = parse_operand};

const char tmu_op_syntax[] = "p0 base=1 type=4            # uniforms by their fields; base in pages\n"
                             "p1 width=16 height=16 wrap-s=1\n"
                             "cube cmst=1 bslod=1         # parameters 2 and 3 by their PTYPE\n"
                             "uniform 0x12345678          # a uniform of any bits\n"
                             "s 3                         # write row 3 of the image `data`; also t, r, b\n"
                             "s all 0x3f000000            # write one word in all elements\n"
                             "s-address all 0x40          # byte offsets into the case's memory\n"
                             "load                        # load a result to r4\n"
                             "nop\n";

static const char *operation(unsigned i)
{
    return op_name_at(NULL, i);
}

const struct code_names tmu_op_names[] = {{"operations and parameters", operation}, {NULL, NULL}};

void tmu_op_print(const uint32_t *words, struct text *t)
{
    if (!op_print_head(&syntax, words, t))
        return;
    uint32_t operand = words[0];
    const struct tmu_op *op = &tmu_ops[words[1] & OP_CODE_MASK];
    enum tmu_form form = form_of(op->operand, operand);
    text_add(t, "%s", form < TMU_FORMS ? tmu_words[form].name : op->name);
    if (form < TMU_FORMS)
        word_print(&tmu_words[form], operand, t);
    else if (op->operand == TMU_OPERAND_WORD)
        text_add(t, " 0x%x", (unsigned)operand);
    else if (op->operand == TMU_OPERAND_VECTOR)
        text_add(t, words[1] & TMU_OP_ALL ? " all 0x%x" : " %u", (unsigned)operand);
    else if (operand)
        text_add(t, " operand=0x%x", (unsigned)operand);
}

bool tmu_op_parse(const char *chars, size_t count, uint32_t *words, struct error *e)
{
    return op_parse(&syntax, chars, count, words, e);
}

const struct bit_field *tmu_op_bits(const uint32_t *words)
{
    uint32_t code = words[1] & OP_CODE_MASK;
    enum tmu_form form = code < TMU_OP_CODES ? form_of(tmu_ops[code].operand, words[0]) : TMU_FORMS;
    return form < TMU_FORMS ? tmu_words[form].fields : NULL;
}

/* The fields of the second word (unit_tmu.h). */
const struct bit_field *tmu_op_second_bits(const uint32_t *words)
{
    static const char *const all[] = {"the operand is a row of data",
                                      "the operand is the word for all elements", NULL};
    static const struct bit_field write[] = {{"OPERATION", 0, 4, NULL},
                                             {"ALL", 4, 1, all},
                                             {"IGNORED", 5, 27, NULL},
                                             {0}};
    static const struct bit_field other[] = {{"OPERATION", 0, 4, NULL}, {"IGNORED", 4, 28, NULL}, {0}};
    uint32_t code = words[1] & OP_CODE_MASK;
    return code < TMU_OP_CODES && tmu_ops[code].operand == TMU_OPERAND_VECTOR ? write : other;
}
