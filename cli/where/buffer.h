/* SPDX-License-Identifier: MIT */
/*
 * `misprint where amd-buffer`: one buffer instruction, its descriptor and registers, and what each lane does.
 * The question becomes a case. The model runs it under each profile, and the answer is read from the values
 * that pass the observation points.
 */
#ifndef MISPRINT_CLI_WHERE_BUFFER_H
#define MISPRINT_CLI_WHERE_BUFFER_H

#include "cli/where/settings.h"
#include "cli/where/where.h"
#include "model/amd/unit_buffer.h"

enum {
    /* The case renames the registers, because a case has only 32 VGPRs. */
    WHERE_ADDRESS_VGPR = 0,
    WHERE_DATA_VGPR = 8,
    WHERE_VALUES = 8,             /* data registers that the answer keeps */
    WHERE_UNWRITTEN = 0xA5C3960F, /* data registers before the run */
    WHERE_CLAUSES = 16,
};

struct buffer_question {
    const char *text, *isa; /* the instruction and the chip as the user wrote them */
    enum amd_generation generation;
    struct amd_insn insn; /* with the user's registers */
    uint32_t words[AMD_INSN_WORDS], descriptor[AMD_DESCRIPTOR_WORDS];
    struct settings set;
    uint64_t exec;
    bool builder;      /* the descriptor was made from field options */
    struct text notes; /* what was assumed because it was not given */
    struct test_case tc;
};

struct buffer_dword {
    uint32_t decision;     /* enum amd_decision */
    uint64_t address, sum; /* `sum`: what the range check compares, payload included */
};

struct buffer_lane {
    uint32_t index, offset, checked_index;
    struct buffer_dword dword[AMD_UNITS];
    uint32_t value[WHERE_VALUES], defined[WHERE_VALUES]; /* of the data registers, after the run */
};

/* The values of points that are the same for all lanes. */
struct buffer_check {
    uint32_t none, index, offset, together, bound, swizzled, structured; /* 1: yes */
    uint32_t index_limit, limit, payload, add, bytes, stride, stride_address, soffset, records;
    uint32_t align; /* addresses are rounded down to a multiple of it */
    bool seen;      /* lanes were checked */
    bool by_offset; /* the check compares offsets, not places in a swizzled buffer */
};

struct buffer_answer {
    const char *profile;
    bool same_as_first;
    enum end end;
    unsigned reason, units; /* `units`: dwords that are checked and addressed */
    struct buffer_check check;
    struct buffer_lane lane[AMD_LANES];
    struct coverage coverage;
    struct profile readings;
    /* Clauses that decide: with another reading, an address or a check of some lane would differ. */
    unsigned clauses;
    struct buffer_decider {
        unsigned clause, other, lanes, first; /* `lanes` change under reading `other`; the first of them */
        bool refuses;                         /* under `other`, the instruction itself is not defined */
    } decider[WHERE_CLAUSES];
};

/* Reads the command line and builds the case. Free `notes` in any case. */
bool buffer_ask(const struct arguments *a, struct buffer_question *q, struct error *e);

/* Runs the case under a profile. */
void buffer_answer(const struct buffer_question *q, const char *name, const struct profile *p,
                   struct buffer_answer *to);
/* Finds the clauses that decide the answer. */
void buffer_decide(const struct buffer_question *q, struct buffer_answer *a);
/* Do the two answers have the same addresses, checks and values in this lane? */
bool buffer_same_lane(const struct buffer_answer *a, const struct buffer_answer *b, unsigned lane);
bool buffer_same(const struct buffer_question *q, const struct buffer_answer *a,
                 const struct buffer_answer *b);

static inline bool buffer_active(const struct buffer_question *q, unsigned lane)
{
    return q->exec >> lane & 1;
}
static inline bool buffer_in_range(const struct buffer_dword *d)
{
    return d->decision == AMD_DONE || d->decision == AMD_NOT_RESIDENT;
}

/* ---- text ---- */

void buffer_print_question(const struct buffer_question *q, struct text *t);
/* `other` is NULL, or an answer that is the same for all lanes, by another rule. */
void buffer_print_answer(const struct buffer_question *q, const struct buffer_answer *a,
                         const struct buffer_answer *other, struct text *t);
/* Prints only the lanes that differ from `first`. */
void buffer_print_rival(const struct buffer_question *q, const struct buffer_answer *a,
                        const struct buffer_answer *first, struct text *t);
void buffer_draw(const struct buffer_question *q, const struct buffer_answer *a, struct text *t);
/* Prints when a lane is in range: "offset + 4 bytes <= 128 (NUM_RECORDS)". */
void buffer_print_rule(const struct buffer_question *q, const struct buffer_answer *a, struct text *t);
bool buffer_same_rule(const struct buffer_question *q, const struct buffer_answer *a,
                      const struct buffer_answer *b);
/* Prints the document and the place of the rule. */
void buffer_print_source(const struct buffer_question *q, const struct buffer_answer *a, struct text *t);
/* Prints why a lane's dword is out of range: "124 + 4 > 125". */
void buffer_print_why(const struct buffer_answer *a, unsigned lane, unsigned k, struct text *t);
/* Prints what a lane returns where it is out of range: "0", "0 0 0 1"; "" for a store. */
void buffer_print_values(const struct buffer_question *q, const struct buffer_lane *l, struct text *t);
/* Prints what a lane's dword does: "in range", "out of range: 124 + 4 > 125; returns 0". */
void buffer_print_fate(const struct buffer_question *q, const struct buffer_answer *a, unsigned lane,
                       unsigned k, struct text *t);
json_t *buffer_question_json(const struct buffer_question *q);
json_t *buffer_answer_json(const struct buffer_question *q, const struct buffer_answer *a);

#endif
