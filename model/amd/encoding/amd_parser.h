/* SPDX-License-Identifier: MIT */
/* What the parser of instructions shares between its files. Private to amd_parse*.c. */
#ifndef MISPRINT_MODEL_AMD_ENCODING_AMD_PARSER_H
#define MISPRINT_MODEL_AMD_ENCODING_AMD_PARSER_H

#include "model/amd/encoding/amd_insn.h"
#include "model/text/reader.h"

struct parser {
    struct reader r;
    enum amd_generation g;
    struct amd_insn i;
    const char *vdata_at, *vaddr_at; /* for errors about their counts, known once the modifiers are read */
    unsigned vdata_count, vaddr_count;
    uint32_t given; /* modifiers so far, by their row in `modifiers` */
};

/* ---- numbers ---- */

/* Reads a number or an expression of numbers, as LLVM does: 10+6, 0x10, 010 (octal), 0b11, (1+2)*4, -1, ~0;
 * "* / % << >>" bind tighter than "| & ^", and these tighter than "+ -". */
bool amd_read_expression(struct parser *p, uint64_t *value);

/* Reads an expression from 0 to `most`. */
bool amd_read_number(struct parser *p, uint32_t most, const char *what, uint32_t *value);

/* Reads an expression that fits `bits` bits with sign, or that many without. */
bool amd_read_signed(struct parser *p, unsigned bits, bool is_signed, int32_t *value);

/* Does a number, an expression or a constant with a fraction come next? */
bool amd_at_number(struct parser *p);

/* ---- registers ---- */

/* Reads "v5", "v[5]", "v[5:6]", "[v5,v6]", or "off" (count 0) if `off`; "a5" (first: AMD_ACC + 5) if `acc`.
 */
bool amd_read_vgprs(struct parser *p, bool off, bool acc, uint32_t *first, unsigned *count, const char **at);

/* A group of `count` scalar registers. Hardware needs a first register that is a multiple of `align`; the
 * instruction's field can hold only codes that are multiples of `code_align`. */
struct scalars {
    unsigned count, align, code_align;
    const char *what;
};
extern const struct scalars amd_one_scalar;

bool amd_read_scalars(struct parser *p, const struct scalars *wanted, uint32_t *code);
bool amd_read_soffset(struct parser *p, uint32_t *code);

/* ---- formats ---- */

/* These read what follows "format:", "dfmt:" and "nfmt:". */
bool amd_read_format(struct parser *p);
bool amd_read_data_format(struct parser *p);
bool amd_read_number_format(struct parser *p);

/* Fails as reader_fail_unknown does; for lists of names in capitals. */
bool amd_fail_capital(struct parser *p, const struct token *t, const char *word, const char *what,
                      const char *(*name)(const void *, unsigned), const void *names);

#endif
