/* SPDX-License-Identifier: MIT */
/*
 * Code that units vc4-vpm and vc4-tmu share. These units drive the VPM or a TMU directly, without a QPU.
 * Their cases have images and a list of operations. An operation is two words: the operand, and a word with
 * the operation's code in its low bits.
 */
#ifndef MISPRINT_MODEL_VC4_DIRECT_UNIT_H
#define MISPRINT_MODEL_VC4_DIRECT_UNIT_H

#include "model/core/unit.h"
#include "model/vc4/qpu/encoding/op_text.h"
#include "model/vc4/vc4.h"
#include "model/vc4/vpm/vpm_clauses.h"

enum { OP_WORDS = 2, OP_CODE_MASK = 0xF, DIRECT_MEMORY_BYTES = VC4_MEMORY_ROWS * 4 * VC4_LANES };

/* ---- Case and outcome ---- */

struct direct_image_row {
    uint32_t index, word[VC4_LANES];
};

/* clang-format off */
#define DIRECT_IMAGE(type, field_name, member, rows, text) \
    {.name = field_name, .kind = FIELD_IMAGE, .offset = CASE_AT(type, member), .max = (rows), \
     .row_words = VC4_LANES, .about = text}
#define DIRECT_OPS(type, max_ops, text) \
    {.name = "ops", .kind = FIELD_CODE, .offset = CASE_AT(type, op_count), .max = max_ops, .about = text}
/* The members of struct unit that both units fill in the same way. */
#define DIRECT_UNIT(type, fields_, regions_, rows_) \
    .family = "vc4", \
    .schema = {.fields = fields_, .field_count = sizeof fields_ / sizeof *fields_, \
               .words = sizeof(type) / sizeof(uint32_t)}, \
    .layout = {.regions = regions_, .region_count = sizeof regions_ / sizeof *regions_, .rows = rows_, \
               .row_words = VC4_LANES}, \
    .profiles = direct_profiles, .best_profile = VC4_PROFILE_BCM2835, .reasons = vc4_reasons, \
    .unspecified = vc4_unspecified
/* clang-format on */

extern const struct builtin_profile direct_profiles[];

struct vc4_rows direct_rows(struct outcome *o, uint32_t first, uint32_t count);
/* Stores the tolerances of a row's words in the outcome (model/number/tolerance.h). */
void direct_tolerate(struct outcome *o, uint32_t row, const struct vc4_vector *tolerance);

/* Resets the outcome and returns the environment of the run. `memory_row`: the outcome's row where the memory
 * begins. `observer`: the caller's space for the run's observer. */
struct vc4_env direct_begin(struct run *r, uint32_t memory_row, struct observer *observer);
/* Shows the reason for which an operation ends the run to the observer, and returns what rules make of it.
 * VC4_FAULT_UNDEFINED means that the model cannot continue. Hardware has no such event, so rules neither see
 * nor choose it. */
enum vc4_stop direct_observe_stop(const struct observer *o, unsigned point, enum vc4_stop stop,
                                  const uint32_t *input);
void direct_end(struct run *r, enum vc4_stop stop);

/* Adds a row of the outcome to a traced line. The second function ends and frees the line. */
void direct_trace_row(const struct outcome *o, uint32_t row, struct text *t);
void direct_trace_line(struct run *r, enum vc4_stop stop, struct text *t);

/* ---- Text of operations ---- */

struct op_syntax {
    uint32_t codes; /* codes from this one on have no operation */
    uint32_t with;  /* the bit that is printed as "with" before the name; 0: none */
    /* The bits of the second word that the operation uses. */
    uint32_t (*meaning)(uint32_t code);
    /* Finds an operation by name. `words` gets its code, and the operand bits that the name implies. */
    bool (*parse_name)(const struct op_line *s, const char *word, size_t length, uint32_t *words,
                       struct error *e);
    bool (*parse_operand)(struct op_line *s, uint32_t *words, struct error *e);
};

/*
 * Prints what precedes an operation's name. Unused bits are printed as junk=0x... An operation with an
 * unknown code is printed as "raw OPERAND CODE" in hexadecimal, and the function returns false. So every pair
 * of words has exactly one text.
 */
bool op_print_head(const struct op_syntax *x, const uint32_t *words, struct text *t);
bool op_parse(const struct op_syntax *x, const char *chars, size_t count, uint32_t *words, struct error *e);

/* ---- Generation ---- */

#define PICK(r, table) (table)[random_below(r, sizeof(table) / sizeof *(table))]

/* Changes a random field of a word to a neighbouring value, a boundary, or any value. */
void direct_mutate_field(struct random *r, const struct bit_field *fields, uint32_t *word);

/* Limits the contents of a random image to two, because the outcome fills all rows again when the content
 * changes, and this costs more than running a case. */
void direct_mend_content(struct image_head *image);

#endif
