/* SPDX-License-Identifier: MIT */
/*
 * Encoding and text of mv.swiz and fmv.swiz, Libre-SOC's swizzle moves. Owns the
 * table of fields (swizzle_fields). Decoding, encoding, text and pictures work by
 * this table.
 *
 * An instruction is two words. The first is the 32-bit instruction in DQ-form
 * (Libre-SOC mv.swizzle page, table of the encoding). The major opcode PO is not
 * assigned, so this project uses 0. The second word describes the SVP64 prefix.
 * It is 0 if the instruction has no prefix:
 *   23:0   the prefix's 24 bits RM; bit 23 here is bit 0 in Power's numbering
 *   30     the prefix is SVP64Single's, which has no vectors
 *   31     there is a prefix
 * The layout of RM is that of openpower-isa's power_svp64_rm.py. The place of RM
 * within the prefix has changed over the years.
 */
#ifndef MISPRINT_MODEL_SVP64_SWIZZLE_INSN_H
#define MISPRINT_MODEL_SVP64_SWIZZLE_INSN_H

#include "model/core/unit.h"

/* What a position of the destination receives: three bits of the immediate. */
enum swizzle_selector {
    SELECT_SKIP, /* nothing */
    SELECT_END,  /* the destination's sub-vector ends */
    SELECT_ZERO, /* constant 0 */
    SELECT_ONE,  /* constant 1; the largest value under saturation */
    SELECT_X,    /* the source's sub-elements 0 to 3 */
    SELECT_Y,
    SELECT_Z,
    SELECT_W,
    SELECTORS
};

/* The text form for people: examples, and the words in it (struct code in model/core/unit.h). */
extern const char swizzle_syntax[];
extern const struct code_names swizzle_syntax_names[];

enum { SWIZZLE_WORDS = 2, SWIZZLE_POSITIONS = 4 };

enum swizzle_field {
    SWIZZLE_XO,
    SWIZZLE_SELECT_W, /* position 3 */
    SWIZZLE_SELECT_Z,
    SWIZZLE_SELECT_Y,
    SWIZZLE_SELECT_X,
    SWIZZLE_RA,
    SWIZZLE_RT,
    SWIZZLE_PO,
    SWIZZLE_MODE,
    SWIZZLE_MASK_SRC,
    SWIZZLE_EXTRA_SRC,
    SWIZZLE_EXTRA_DST,
    SWIZZLE_SUBVL,
    SWIZZLE_ELWIDTH_SRC,
    SWIZZLE_ELWIDTH,
    SWIZZLE_MASK,
    SWIZZLE_MASKMODE,
    SWIZZLE_UNUSED,
    SWIZZLE_SINGLE,
    SWIZZLE_PREFIX,
    SWIZZLE_FIELDS
};

/* The fields in the 64 bits of the two words, the first word lowest; ends at an entry without name. */
extern const struct bit_field swizzle_fields[SWIZZLE_FIELDS + 1];

enum { SWIZZLE_XO_MV = 3, SWIZZLE_XO_FMV = 11 };
enum { SWIZZLE_EXTRA_VECTOR = 4 }; /* bit of an EXTRA field: the operand is a vector */

/* Element width codes of RM. */
enum swizzle_width { WIDTH_64, WIDTH_32, WIDTH_16, WIDTH_8, WIDTHS };

/* The five bits MODE. */
enum swizzle_mode {
    MODE_SZ = 1,
    MODE_DZ = 2,
    MODE_KIND_SHIFT = 2, /* MODE >> 2 is one of these kinds: */
    MODE_SIMPLE = 0,
    MODE_SATURATE_UNSIGNED = 4,
    MODE_SATURATE_SIGNED = 5,
};

struct swizzle_insn {
    uint8_t field[SWIZZLE_FIELDS];
};

static inline bool swizzle_is_fp(const struct swizzle_insn *i)
{
    return i->field[SWIZZLE_XO] == SWIZZLE_XO_FMV;
}

/* Returns the selector of a destination position, 0 (X) to 3 (W). */
static inline unsigned swizzle_selector(const struct swizzle_insn *i, unsigned position)
{
    return i->field[SWIZZLE_SELECT_X - position];
}

/* Returns the register that a 5-bit field and its EXTRA field name (SVP64's EXTRA3). For a vector, the field
 * counts registers in fours. */
static inline unsigned swizzle_register(unsigned field, unsigned extra)
{
    return extra & SWIZZLE_EXTRA_VECTOR ? field << 2 | (extra & 3) : (extra & 3) << 5 | field;
}

/* Decodes two words. False if they are no swizzle move. Encoding the result gives the same words. */
bool swizzle_decode(const uint32_t *words, struct swizzle_insn *i);
/* The two steps of swizzle_decode. The first takes the fields from any words. The second says whether the
 * fields are those of a swizzle move; without a prefix, the second word must also be 0. */
void swizzle_take_fields(const uint32_t *words, struct swizzle_insn *i);
bool swizzle_is_move(const struct swizzle_insn *i);
void swizzle_encode(const struct swizzle_insn *i, uint32_t *words);

/*
 * The text:
 *
 *   mv.swiz r4, r6, W.Y.
 *   sv.fmv.swiz/vec3/dw=16/sw=32/dm=~r10/sm=r3/satu/dz/sz f8.v, f40.v, XY1E
 *   sv.mv.swiz/single/dm=r3 r4, r6, W.Y.
 *
 * Each position of the destination has a letter: '.' skip, 'E' end, '0', '1', X, Y, Z, W. "vec2" to "vec4" is
 * SUBVL; dw and sw are the element widths; dm and sm the predicates (1<<r3, r3, ~r3, r10, ~r10, r30, ~r30, or
 * CR bits lt ge gt le eq ne so ns); ".v" marks a vector operand. Any other MODE prints as mode=N. Words that
 * are no swizzle move print as "raw" and hexadecimal numbers. Every pair of words has one text.
 *
 * The parser also takes what the page writes: "ew=8" sets both widths. A swizzle may have fewer letters than
 * four. An end marker follows them in the vectorised form, and skips fill the rest.
 */
void swizzle_print(const uint32_t *words, struct text *t);
bool swizzle_parse(const char *text, size_t count, uint32_t *words, struct error *e);

#endif
