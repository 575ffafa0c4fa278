/* SPDX-License-Identifier: MIT */
/*
 * The text of vc4-tmu's operations:
 *
 *   p0 base=1 type=4               uniforms by their fields (tmu_config.h); base in pages of the case's
 * memory p1 width=16 height=16 wrap-s=1 cube cmst=1 bslod=1            parameters 2 and 3 by their PTYPE;
 * also child-size, child-offset, unused uniform 0x12345678             a uniform of any bits s 3 write row 3
 * of the image `data`; also t, r, b s all 0x3f000000               write one word in all elements s-address 3
 * byte offsets into the case's memory; also "s-address all 0x40" load                           fetch a
 * result to r4 nop
 *
 * Bits that mean nothing show as junk=0x... in front of the name and as
 * operand=0x... behind it; an operation of no known code as "raw OPERAND CODE",
 * in hexadecimal. So every pair of words has a text, and only one.
 */
#include "model/vc4/qpu/encoding/op_text.h"
#include "model/vc4/tmu/tmu_config.h"
#include "model/vc4/tmu/unit_tmu.h"

#include <string.h>

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

/* The bits of the second word that mean something to this operation. */
static uint32_t meaning(uint32_t code)
{
    return TMU_OP_CODE_MASK | (tmu_ops[code].operand == TMU_OPERAND_VECTOR ? TMU_OP_ALL : 0U);
}

/* The form of the word that an operation of this operand holds; TMU_FORMS if none. */
static enum tmu_form form_of(enum tmu_operand operand, uint32_t word)
{
    return operand == TMU_OPERAND_P0   ? TMU_FORM_P0
           : operand == TMU_OPERAND_P1 ? TMU_FORM_P1
           : operand == TMU_OPERAND_P2 ? tmu_form_of(word)
                                       : TMU_FORMS;
}

void tmu_op_print(const uint32_t *words, struct text *t)
{
    uint32_t operand = words[0], code = words[1] & TMU_OP_CODE_MASK;
    if (code >= TMU_OP_CODES) {
        text_add(t, "raw %08x %08x", (unsigned)operand, (unsigned)words[1]);
        return;
    }
    const struct tmu_op *op = &tmu_ops[code];
    enum tmu_form form = form_of(op->operand, operand);
    if (words[1] & ~meaning(code))
        text_add(t, "junk=0x%x ", (unsigned)(words[1] & ~meaning(code)));
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

/* Names for "did you mean": the operations', then the forms'. */
static const char *op_name_at(const void *context, unsigned i)
{
    (void)context;
    if (i < TMU_OP_CODES)
        return tmu_ops[i].name ? tmu_ops[i].name : "p1";
    return i < TMU_OP_CODES + TMU_FORMS ? tmu_words[i - TMU_OP_CODES].name : NULL;
}

static bool parse_name(const struct op_line *s, const char *word, size_t length, uint32_t *code,
                       enum tmu_form *form, struct error *e)
{
    for (*code = 0; *code < TMU_OP_CODES; ++*code)
        if (tmu_ops[*code].name && op_word_is(word, length, tmu_ops[*code].name)) {
            *form = form_of(tmu_ops[*code].operand, 0);
            return true;
        }
    *code = TMU_OP_P2;
    for (unsigned f = TMU_FORM_UNUSED; f < TMU_FORMS; f++)
        if (op_word_is(word, length, tmu_words[f].name)) {
            *form = (enum tmu_form)f;
            return true;
        }
    return op_unknown(s, word, length, op_name_at, e);
}

static bool parse_operand(struct op_line *s, const struct tmu_op *op, enum tmu_form form, uint32_t *words,
                          struct error *e)
{
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

bool tmu_op_parse(const char *chars, size_t count, uint32_t *words, struct error *e)
{
    struct op_line s = {chars, count, 0};
    const char *word;
    size_t length = op_word(&s, &word);
    uint32_t junk = 0, code = 0;
    enum tmu_form form = TMU_FORMS;
    words[0] = words[1] = 0;
    if (op_word_is(word, length, "raw")) {
        if (!op_parse_raw(&s, words, e))
            return false;
    } else {
        if (length > 5 && !memcmp(word, "junk=", 5)) {
            if (!op_parse_named(&s, word, length, "junk", &junk, e))
                return false;
            length = op_word(&s, &word);
        }
        if (!parse_name(&s, word, length, &code, &form, e))
            return false;
        if (junk & meaning(code))
            return error_set(e, "junk=0x%x has bits that mean something to this operation; use \"raw\"",
                             (unsigned)junk);
        words[1] |= code | junk;
        if (!parse_operand(&s, &tmu_ops[code], form, words, e))
            return false;
    }
    return op_parse_end(&s, e);
}

const struct bit_field *tmu_op_bits(const uint32_t *words)
{
    uint32_t code = words[1] & TMU_OP_CODE_MASK;
    enum tmu_form form = code < TMU_OP_CODES ? form_of(tmu_ops[code].operand, words[0]) : TMU_FORMS;
    return form < TMU_FORMS ? tmu_words[form].fields : NULL;
}
