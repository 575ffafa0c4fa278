/* SPDX-License-Identifier: MIT */
/*
 * The interface that every unit implements. A unit is one modelled piece of
 * hardware: a case schema, an outcome layout, clauses, and a function that runs
 * a case. Boards, campaigns, attribution and reports are made from these tables.
 *
 * CONTRIBUTING.md, "Add a unit", lists what a new unit needs.
 */
#ifndef MISPRINT_MODEL_CORE_UNIT_H
#define MISPRINT_MODEL_CORE_UNIT_H

#include "model/core/case.h"
#include "model/core/clause.h"
#include "model/core/fidelity.h"
#include "model/core/outcome.h"
#include "model/number/random.h"

enum { CODE_WORDS_MAX = 8, CODE_SLOTS_MAX = 16, CODE_READS_MAX = 8, CODE_SLOT_TEXT_MAX = 40 };

/* What one execution unit does in one instruction. Instructions are in program order, whatever branches do.
 */
struct code_slot {
    char text[CODE_SLOT_TEXT_MAX]; /* "" if the unit is idle */
    unsigned reads;
    struct code_read {
        uint16_t index; /* the instruction whose result is read; may be this one */
        uint8_t slot;   /* the unit that produced it */
        bool early;     /* it is read before the documents say that it can be */
    } read[CODE_READS_MAX];
};

/* Instruction text of a unit whose case has a FIELD_CODE. A hook that is optional may be NULL. */
struct code {
    unsigned words; /* 32-bit words in an instruction, lowest first in memory; at most CODE_WORDS_MAX */
    /* Prints one instruction, without end of line. An invalid encoding prints as raw data; parse reads both
     * back to the same words. */
    void (*print)(const uint32_t *words, struct text *t);
    /* The error names the column (1-based). */
    bool (*parse)(const char *text, size_t count, uint32_t *words, struct error *e);
    void (*generate)(struct random *r, uint32_t *words); /* optional: an instruction worth running */
    void (*mutate)(struct random *r, uint32_t *words);   /* optional: changes one thing */
    /* Optional: the encoding's fields over its bits, for pictures. */
    const struct bit_field *(*bits)(const uint32_t *words);
    const uint32_t *nop; /* others are reduced toward it, field by field; NULL: all bits 0 */
    /* Optional: the simplest instruction with the same fields, where the nop has others. */
    void (*simplest)(const uint32_t *words, uint32_t *simplest);
    /* Where generations of the hardware give the words other meanings: the case's FIELD_ENUM that chooses the
     * instruction set (it precedes the FIELD_CODE), and the code of each of its values. All have the same
     * number of words. NULL: one set only. */
    const char *chosen_by;
    const struct code *const *sets;
    /* Where one instruction drives several execution units: their names (NULL-terminated, at most
     * CODE_SLOTS_MAX), and what each does in instruction `index`, for pictures. Optional. */
    const char *const *slot_names;
    void (*slots)(const uint32_t *program, uint32_t count, uint32_t index, struct code_slot *slots);
};

/* A profile that comes with a unit. The clauses' in_profile holds its choices. */
struct builtin_profile {
    const char *name;    /* "manual" first */
    const char *about;   /* one line: whose behaviour, how well known */
    const char *silicon; /* the chip that it describes, "BCM2835"; NULL for a document's profile */
};

/* Units of one family share groups of clauses. The unit's clause index counts through its groups in order. */
struct clause_group {
    const struct clause *rows;
    unsigned count;
};
enum { CLAUSE_GROUPS_MAX = 4 };

enum run_mode {
    RUN_PLAIN,   /* fast: values only */
    RUN_CHECKED, /* also which bits are defined */
    RUN_TRACED,  /* checked, and a line of text for each step */
};

/* One run of one case. */
struct run {
    const struct test_case *tc;
    const struct profile *profile;
    struct outcome *out;       /* the unit resets it and runs in it */
    struct coverage *coverage; /* the unit adds to it; never NULL */
    void *state; /* unit->state_size bytes, 64-byte aligned, zeroed before first use; kept between runs */
    enum run_mode mode;
    uint32_t filler;      /* the value of undefined bits; normally 0, property tests vary it */
    uint32_t memory_base; /* bus address of the case's memory on the machine that is compared */
    uint32_t code_base;   /* bus address of the program's first instruction */
    void (*trace)(void *context, const char *line); /* RUN_TRACED only */
    void *trace_context;
    bool count_fidelity; /* checked runs: `fidelity` is wanted; units that count it at no cost always do */
    uint64_t steps;      /* out: instructions or operations executed */
    struct fidelity fidelity; /* out: 0 from units that do not count it */
};

enum { MEMORY_BASE_DEFAULT = 0x40000000, CODE_BASE_DEFAULT = 0x40010000 }; /* of virtual boards */

struct unit {
    const char *name;   /* "vc4-vpm" */
    const char *family; /* "vc4" */
    const char *about;  /* one line */
    struct schema schema;
    struct layout layout;
    const struct reach *reach; /* or NULL */
    const struct flow *flow;   /* or NULL */
    struct clause_group clauses[CLAUSE_GROUPS_MAX];
    const struct builtin_profile *profiles; /* [0] is manual; ends at an entry without name */
    unsigned best_profile;      /* index of the best-known silicon profile: `virtual:` without a name */
    const char *const *reasons; /* why a run did not end well; [0] is "" ; NULL-terminated */
    const bool *unspecified;    /* of each reason: no document says what happens then; NULL: of none */
    const struct code *code;    /* NULL if the case has no FIELD_CODE */
    size_t state_size;          /* of run.state */
    void (*run)(struct run *r);

    /* Optional hooks: */

    /* A row's meaning in this case, for pictures ("ys:xs"); NULL if it has none. */
    const char *(*describe_row)(const struct test_case *c, const struct region *g, uint32_t row);
    /* Prints what the outcome means to the hardware that takes it next, and what is wrong with it. */
    void (*describe)(const struct test_case *c, const struct outcome *o, struct text *t);
    /* Makes a case that is worth running from an initialised one, instead of the generic generator. */
    void (*generate)(struct random *r, struct test_case *c);
    /* Draws other data for the case and keeps its code. For units that run prepared code faster. */
    void (*vary)(struct random *r, struct test_case *c);
    /* Changes what a proof before hardware (harness/verify/PROOF.md) would refuse, where that costs the case
     * little. For boards that prove programs. Draws nothing, so that all boards see similar cases of a seed.
     */
    void (*mend_for_proof)(struct test_case *c);
    /* Mends a case after generic mutation or generation so that it is worth running (a program that ends). */
    void (*mend)(struct test_case *c);
};

/* All units, in the order in which they are listed; NULL after the last. */
const struct unit *unit_at(unsigned i);
const struct unit *unit_named(const char *name);                 /* NULL if there is none */
const struct unit *unit_find(const char *name, struct error *e); /* the error names the nearest */

/* The instruction set of a case; NULL if the unit has no code. */
const struct code *case_code(const struct test_case *c);
/* Chooses the case's instruction set by name. Does nothing for NULL and for a unit with one set. */
void case_choose_code(struct test_case *c, const char *set);
/* A unit's instruction set by name ("gfx900"; NULL: the default). */
const struct code *unit_code(const struct unit *u, const char *set, struct error *e);

unsigned unit_clauses(const struct unit *u); /* how many */
const struct clause *unit_clause(const struct unit *u, unsigned i);
int unit_clause_index(const struct unit *u, const char *id); /* -1 if there is none */
int unit_profile_index(const struct unit *u, const char *name);
unsigned unit_reasons(const struct unit *u); /* how many, [0] included */
bool unit_is_unspecified(const struct unit *u, unsigned reason);

/*
 * A hash of the unit's schema and layout, which changes whenever the binary form
 * of its cases or outcomes does. Traces and HELLO frames carry it, so that bytes
 * of one form are never read as another.
 */
uint64_t unit_form(const struct unit *u);

#endif
