/* SPDX-License-Identifier: MIT */
/*
 * The one interface that every unit implements: a unit is one modelled piece
 * of hardware. It is a case schema, an outcome layout, clauses, and a function
 * that runs a case; all else (boards, campaigns, attribution, reports) is made
 * from these tables.
 *
 * CONTRIBUTING.md, "Add a unit", says what a new one needs.
 */
#ifndef MISPRINT_MODEL_CORE_UNIT_H
#define MISPRINT_MODEL_CORE_UNIT_H

#include "model/core/case.h"
#include "model/core/clause.h"
#include "model/core/fidelity.h"
#include "model/core/outcome.h"
#include "model/number/random.h"

enum { CODE_WORDS_MAX = 8, CODE_SLOTS_MAX = 16, CODE_READS_MAX = 8, CODE_SLOT_TEXT_MAX = 40 };

/* What one unit does in one instruction. Instructions count in the program's order; nothing is known here of
 * branches. */
struct code_slot {
    char text[CODE_SLOT_TEXT_MAX]; /* "" if the unit is idle */
    unsigned reads;
    struct code_read {
        uint16_t index; /* of the instruction whose result is read; this instruction's own number: in the same
                           one */
        uint8_t slot;   /* the unit that made it */
        bool early;     /* it is read before the documents say that it can be */
    } read[CODE_READS_MAX];
};

/* Instruction text of a unit whose case has a FIELD_CODE. */
struct code {
    unsigned words; /* 32-bit words an instruction, lowest first in memory; at most CODE_WORDS_MAX */
    /* One instruction as text, without end of line. What does not decode prints as raw data; parse reads both
     * back to the same words. */
    void (*print)(const uint32_t *words, struct text *t);
    bool (*parse)(const char *text, size_t count, uint32_t *words,
                  struct error *e); /* the error names the column (1-based) */
    /* Makes a random instruction that is worth running; NULL: random words. */
    void (*generate)(struct random *r, uint32_t *words);
    void (*mutate)(struct random *r, uint32_t *words); /* changes one thing; NULL: generic */
    const struct bit_field *(*bits)(
        const uint32_t *words); /* the encoding's fields over its bits, for pictures; NULL */
    const uint32_t *nop; /* an instruction that does nothing: what reduction brings instructions toward,
                             field by field; NULL: all bits 0 */
    void (*simplest)(const uint32_t *words, uint32_t *least); /* what does least among those with the same
                                                              fields as this one; NULL: the idle one */
    /*
     * Where the same words mean other instructions on another generation of the hardware: the name of the
     * case's FIELD_ENUM that tells (it stands before the FIELD_CODE), and the code of each of its values, all
     * with the same number of words. NULL: this is the only set.
     */
    const char *chosen_by;
    const struct code *const *sets;
    /*
     * Where one instruction drives several units: their names (NULL-terminated, at most CODE_SLOTS_MAX), and
     * what each of them does in instruction `index` of a program and whose results it reads, for a picture of
     * who reads what when. NULL: nothing of the kind.
     */
    const char *const *slot_names;
    void (*slots)(const uint32_t *program, uint32_t count, uint32_t index, struct code_slot *slots);
};

/* A profile that comes with a unit. Its choices stand in the clauses' in_profile. */
struct builtin_profile {
    const char *name;    /* "manual" first */
    const char *about;   /* one line: whose behaviour, how well known */
    const char *silicon; /* the chip it stands for, "BCM2835"; NULL for a document's profile */
};

/* Clauses in groups, because units of one family share some. The unit's clause index counts through the
 * groups in order. */
struct clause_group {
    const struct clause *rows;
    unsigned count;
};
enum { CLAUSE_GROUPS_MAX = 4 };

enum run_mode {
    RUN_PLAIN,   /* fast: values only */
    RUN_CHECKED, /* also which bits are defined */
    RUN_TRACED,  /* checked, and one line of text for each step */
};

/* Everything one run of one case needs. */
struct run {
    const struct test_case *tc;
    const struct profile *profile;
    struct outcome *out;       /* the unit resets it, runs in it */
    struct coverage *coverage; /* the unit adds to it; never NULL */
    void *state; /* unit->state_size bytes, 64-byte aligned, zeroed before first use; kept between runs */
    enum run_mode mode;
    uint32_t filler;      /* what undefined bits hold, for property tests; normally 0 */
    uint32_t memory_base; /* bus address at which the case's memory lies on the machine compared with */
    uint32_t code_base;   /* bus address of the program's first instruction */
    void (*trace)(void *context, const char *line); /* RUN_TRACED only */
    void *trace_context;
    bool count_fidelity; /* of checked runs: fill in `fidelity`; units that do so at no cost do it anyway */
    uint64_t steps;      /* out: instructions or operations executed */
    struct fidelity fidelity; /* out: what results were worth, by units that count it; else all 0 */
};

enum { MEMORY_BASE_DEFAULT = 0x40000000, CODE_BASE_DEFAULT = 0x40010000 }; /* what virtual boards use */

struct unit {
    const char *name;   /* "vc4-vpm" */
    const char *family; /* "vc4" */
    const char *about;  /* one line */
    struct schema schema;
    struct layout layout;
    const struct reach *reach; /* which lane reached which bytes, for pictures; NULL: nothing of the kind */
    const struct flow *flow;   /* what each element of the destination received, likewise */
    struct clause_group clauses[CLAUSE_GROUPS_MAX];
    const struct builtin_profile *profiles; /* [0] is manual; ends at an entry without name */
    unsigned best_profile; /* index of the best-known silicon profile: what `virtual:` means without a name */
    const char *const *reasons; /* why a run did not end well; [0] is "" ; NULL-terminated */
    const bool *unspecified;    /* of each reason: no document says what happens then; NULL: of none */
    const struct code *code;    /* NULL if the case has no FIELD_CODE */
    size_t state_size;          /* scratch memory that run wants */
    void (*run)(struct run *r);
    /* What a row of the outcome is in this case, beyond its number ("ys:xs"), for pictures; NULL: nothing.
     * The hook may be NULL. */
    const char *(*describe_row)(const struct test_case *c, const struct region *g, uint32_t row);
    /* What the outcome is to the hardware that takes it up from here, and what is wrong with it: lines, or
     * nothing. The hook may be NULL. */
    void (*describe)(const struct test_case *c, const struct outcome *o, struct text *t);
    /* Makes a case that is worth running, from defaults; NULL: the generic generator does. */
    void (*generate)(struct random *r, struct test_case *c);
    /* Draws other values for what a case's code works on, and leaves its code. NULL: a unit that gains
     * nothing by running code that it has at hand.
     */
    void (*vary)(struct random *r, struct test_case *c);
    /*
     * Changes what a proof before hardware would refuse (harness/verify/PROOF.md) where that costs the case
     * little; for boards that prove programs. It draws nothing, so that a seed's cases stay alike. NULL: a
     * unit whose cases no board proves so.
     */
    void (*mend_for_proof)(struct test_case *c);
    /* Mends a case after generic mutation or generation so that it is worth running (a program that ends);
     * NULL: nothing. */
    void (*mend)(struct test_case *c);
};

/* All units, in the order in which they are listed; NULL after the last. */
const struct unit *unit_at(unsigned i);
const struct unit *unit_named(const char *name); /* NULL if there is none */
const struct unit *unit_find(const char *name,
                             struct error *e); /* the same, with an error that names the nearest */

/* The instruction set of a case, and of a unit by the name of its value ("gfx900"; NULL: the default's). NULL
 * if the unit has no code. */
const struct code *case_code(const struct test_case *c);
/* Makes the case one of this instruction set, which the unit has; NULL, or a unit with one set only: nothing
 * to choose. */
void case_choose_code(struct test_case *c, const char *set);
const struct code *unit_code(const struct unit *u, const char *set, struct error *e);

unsigned unit_clauses(const struct unit *u); /* how many */
const struct clause *unit_clause(const struct unit *u, unsigned i);
int unit_clause_index(const struct unit *u, const char *id); /* -1 if there is none */
int unit_profile_index(const struct unit *u, const char *name);
unsigned unit_reasons(const struct unit *u); /* how many, [0] included */
bool unit_is_unspecified(const struct unit *u, unsigned reason);

/*
 * A number that changes whenever the binary form of the unit's cases or
 * outcomes does: FNV-1a of its schema and layout written out. Traces and
 * HELLOs carry it, so that bytes of one form are never read as another.
 */
uint64_t unit_form(const struct unit *u);

#endif
