/* SPDX-License-Identifier: MIT */
/* The state of the parser. Shared only by its files (qpu_parse*.c). */
#ifndef MISPRINT_MODEL_VC4_QPU_ENCODING_QPU_PARSE_H
#define MISPRINT_MODEL_VC4_QPU_ENCODING_QPU_PARSE_H

#include "model/text/reader.h"
#include "model/vc4/qpu/alu/qpu_alu.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"

enum { SOURCES_MAX = 4, UNSET = READER_NONE };

enum half { ADD, MUL };

enum source_kind { SOURCE_ACCUMULATOR, SOURCE_FILE_A, SOURCE_FILE_B, SOURCE_SHARED, SOURCE_IMMEDIATE };

struct source {
    struct token token;
    enum source_kind kind;
    uint8_t value; /* mux, address or small immediate */
    int unpack;    /* UNSET: the text has none */
    uint8_t *mux;  /* the field to set */
};

struct parser {
    struct reader r;
    struct qpu_insn i;
    struct source sources[SOURCES_MAX];
    unsigned source_count;
    int sig, pm, ws, pack, port[2], small; /* UNSET until the text sets them */
    bool half_taken[2];
    const char *setf_at[2], *sig_at; /* places in the text; NULL if not there */
};

/* The fields of one half of the instruction. */
struct half_fields {
    uint8_t *op, *cond, *waddr, *mux[2];
    const struct alu_op *ops;
    unsigned op_count;
};

/* qpu_parse_dst.c */
struct half_fields parse_fields(struct qpu_insn *i, enum half half);

/* Sets `choice` to `value`. Several parts of the text may set the same choice. If an earlier part set another
 * value, fails with the message `what`. */
bool parse_choose(struct parser *q, const char *at, int *choice, int value, const char *what);
/* Fails because the text has no register where `what` is expected. Suggests a register with a similar name.
 */
bool parse_fail_register(struct parser *q, const struct token *t, const char *what, bool write);
bool parse_dst(struct parser *q, const struct token *t, enum half half);

/* qpu_parse_alu.c: reads the halves and the signal of an ALU instruction from the word `t` on. */
bool parse_alu(struct parser *q, struct token *t);

#endif
