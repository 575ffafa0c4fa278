/* SPDX-License-Identifier: MIT */
/*
 * The interface that every unit implements. A unit is one modelled piece of
 * hardware: a case schema, an outcome layout, clauses, and a function that runs
 * a case. Boards, campaigns, attribution and reports work by these tables alone.
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
#include "model/rule/point.h"

enum { CODE_WORDS_MAX = 8, CODE_SLOTS_MAX = 16, CODE_READS_MAX = 8, CODE_SLOT_TEXT_MAX = 40 };

/* What one execution unit does in one instruction. Instructions are numbered in program order, as if no
 * branch were taken. */
struct code_slot {
    char text[CODE_SLOT_TEXT_MAX]; /* "" if the unit is idle */
    unsigned reads;
    struct code_read {
        uint16_t index; /* the instruction whose result is read; may be the same one */
        uint8_t slot;   /* the execution unit that produced it */
        bool early;     /* read before the documents say that the result is available */
    } read[CODE_READS_MAX];
};

/* Words of one kind that instructions are made of, for help texts. */
struct code_names {
    const char *title;               /* "signals"; NULL ends a list of kinds */
    const char *(*name)(unsigned i); /* NULL after the last word; "-": no word has this number */
};

/* A kind of instruction with fields of its own, for tables of encodings. */
struct code_encoding {
    const char *name, *about;
    const struct bit_field *bits;
};

/* An operation of an instruction set. */
struct code_operation {
    const char *name;  /* NULL: the set lacks it */
    unsigned encoding; /* its kind, as a number for struct code.encoding */
    unsigned number;   /* the value of the kind's field OP */
};

/* The instructions of a unit whose case has a FIELD_CODE. An optional hook may be NULL. */
struct code {
    unsigned words; /* 32-bit words in an instruction, lowest first in memory; at most CODE_WORDS_MAX */
    /* Prints one instruction without a line end, and an invalid encoding as raw data. `parse` turns both back
     * into the same words. */
    void (*print)(const uint32_t *words, struct text *t);
    /* The error names the column (1-based). */
    bool (*parse)(const char *text, size_t count, uint32_t *words, struct error *e);
    /* Optional: returns the number of words that an instruction has in a program. A case holds `words` words
     * for each instruction, and words beyond the instruction's length are 0. NULL: every instruction has
     * `words` words. */
    unsigned (*length)(const uint32_t *words);
    const char *syntax;             /* examples of the text form, with comments after #, for help texts */
    const struct code_names *names; /* the words of the text form */
    bool (*is_blank)(const char *text, size_t count); /* optional: does the text hold only comments? */
    /* optional: generates an instruction that is worth running */
    void (*generate)(struct random *r, uint32_t *words);
    void (*mutate)(struct random *r, uint32_t *words); /* optional: changes an instruction at random */
    /* Optional: returns the bit fields of the encoding, for pictures. */
    const struct bit_field *(*bits)(const uint32_t *words);
    /* Optional, for instructions of two words that are no encoding of hardware: the fields of the second
     * word, for readers of the binary form. `bits` then returns fields of the first word only. */
    const struct bit_field *(*second_bits)(const uint32_t *words);
    /* Optional, for tables of encodings: sets `e` to kind `i`; false after the last. All sets have the same
     * kinds in the same order. */
    bool (*encoding)(unsigned i, struct code_encoding *e);
    /* Optional, with `encoding`: sets `o` to operation `i`; false after the last. All sets have the same
     * operations in the same order. */
    bool (*operation)(unsigned i, struct code_operation *o);
    const uint32_t *nop; /* the reducer moves instructions toward it, field by field; NULL: all bits 0 */
    /* Optional, for encodings with several layouts: writes the simplest instruction that has the same fields
     * as `words`. */
    void (*simplest)(const uint32_t *words, uint32_t *simplest);
    /* For units whose encoding depends on the hardware's generation: the name of the case's FIELD_ENUM that
     * chooses the instruction set (it precedes the FIELD_CODE), and the code for each of its values. All sets
     * have the same number of words. NULL: there is one set. */
    const char *chosen_by;
    const struct code *const *sets;
    /* Optional, for pictures of instructions that drive several execution units: the names of these units
     * (NULL-terminated, at most CODE_SLOTS_MAX), and what each does in instruction `index`. */
    const char *const *slot_names;
    void (*slots)(const uint32_t *program, uint32_t count, uint32_t index, struct code_slot *slots);
};

/* A built-in profile. The in_profile members of the clauses hold its choices. */
struct builtin_profile {
    const char *name;    /* "manual" first */
    const char *about;   /* one line: whose behaviour, and how well known it is */
    const char *silicon; /* the chip that it describes, "BCM2835"; NULL: it describes a document */
};

/* A group of clauses that units of one family can share. A unit numbers its clauses through its groups, in
 * order. */
struct clause_group {
    const struct clause *rows;
    unsigned count;
};
enum { CLAUSE_GROUPS_MAX = 4 };

enum run_mode {
    RUN_PLAIN,   /* fast: values only */
    RUN_CHECKED, /* also computes which bits are defined */
    RUN_TRACED,  /* checked, and prints a line of text for each step */
};

/* One run of one case. */
struct run {
    const struct test_case *tc;
    const struct profile *profile;
    struct outcome *out;       /* the unit resets it and writes into it */
    struct coverage *coverage; /* the unit adds to it; never NULL */
    void *state; /* unit->state_size bytes, 64-byte aligned, zeroed before first use; kept between runs */
    enum run_mode mode;
    uint32_t filler;      /* value of undefined bits: normally 0; tests vary it */
    uint32_t memory_base; /* bus address of the case's memory on the board */
    uint32_t code_base;   /* bus address of the program's first instruction on the board */
    void (*trace)(void *context, const char *line); /* RUN_TRACED only */
    void *trace_context;
    /* Optional: receives lines that explain what the outcome does not show, such as why an access was out of
     * range. */
    void (*remark)(void *context, const char *line);
    void *remark_context;
    /* Optional: called with each value at an observation point, before the profile's rules change the value.
     */
    void (*see)(void *context, const struct observation *seen);
    /* Optional: called after the rules, and may replace the value (struct observer). */
    void (*force)(void *context, const struct observation *seen, uint32_t *value);
    const uint64_t *watched;  /* set of the points for `see` and `force`, a bit each; NULL: all */
    void *see_context;        /* passed to `see` and `force` */
    bool count_fidelity;      /* checked runs: count `fidelity`; units that count at no cost always do */
    uint64_t steps;           /* result: number of instructions or operations executed */
    struct fidelity fidelity; /* result: steps by how exact they are; all 0 if the unit does not count them */
};

enum { MEMORY_BASE_DEFAULT = 0x40000000, CODE_BASE_DEFAULT = 0x40010000 }; /* addresses on virtual boards */

/* A chip's name. Users may write `name` instead of `same_as`, which is the name of an instruction set and of
 * a profile. */
struct chip_alias {
    const char *name, *same_as;
};

struct unit {
    const char *name;   /* "vc4-vpm" */
    const char *family; /* "vc4" */
    const char *about;  /* one line */
    /* The text that the field goes by where no manual exists, "Mesa"; its readings are `manual`, too. NULL:
     * there is a manual. */
    const char *authority;
    struct schema schema;
    struct layout layout;
    const struct reach *reach; /* or NULL */
    const struct flow *flow;   /* or NULL */
    struct clause_group clauses[CLAUSE_GROUPS_MAX];
    const struct builtin_profile *profiles; /* [0] is manual; ends at an entry without name */
    const struct chip_alias *chips;         /* or NULL; ends at an entry without name */
    /* Chips that users may ask for but that have no model, each with the modelled chip of the nearest family;
     * or NULL; ends at an entry without name. */
    const struct chip_alias *not_modelled;
    unsigned best_profile;      /* the profile of board `virtual:` if the user names none */
    const char *const *reasons; /* why a case faulted or hung; [0] is ""; NULL-terminated */
    const bool *unspecified;    /* for each reason: true if no document says what happens then; NULL: never */
    const struct point *points; /* observation points (model/rule/point.h); NULL: none */
    unsigned point_count;
    const struct input_note *input_notes; /* ends at a row without a name; or NULL */
    /* Optional: adds the name of a number that is a code, such as an opcode. `input`: the point's input that
     * has the number; NULL: the value at the point. Adds nothing if the number has no name. */
    void (*name_value)(const struct point *p, const char *input, uint32_t number,
                       const struct known_inputs *known, struct text *t);
    const struct point_alias *point_aliases; /* old names of points; ends at a row without a name; or NULL */
    const struct code *code;                 /* NULL if the case has no FIELD_CODE */
    size_t state_size;                       /* of run.state */
    void (*run)(struct run *r);

    /* Optional hooks: */

    /* Returns the name of a row in this case, for pictures ("ys:xs"); NULL if it has none. */
    const char *(*describe_row)(const struct test_case *c, const struct region *g, uint32_t row);
    /* Prints what the next stage of the hardware would read from this outcome, and which of it is invalid. */
    void (*describe)(const struct test_case *c, const struct outcome *o, struct text *t);
    /* Generates a case that is worth running, starting from an initialised one. Replaces the generic
     * generator. */
    void (*generate)(struct random *r, struct test_case *c);
    /* Changes the data of the case but not its code. The unit can run the new case faster, because it has
     * prepared the code already. */
    void (*vary)(struct random *r, struct test_case *c);
    /* Changes the parts of a case for which the prover would refuse to send it to hardware
     * (harness/verify/PROOF.md), if small changes are enough. Campaigns call it for boards that prove
     * programs. It draws no random numbers, so that a seed gives similar cases on all boards. */
    void (*mend_for_proof)(struct test_case *c);
    /* Repairs a case after generic mutation or generation, so that it is worth running: for example, so that
     * the program ends. */
    void (*mend)(struct test_case *c);
};

/* Fills in `o` and returns it if rules or hooks observe the run. Otherwise returns NULL, so that the run need
 * not observe anything. */
const struct observer *run_observer(const struct run *r, struct observer *o);

/* Returns unit `i` in the order of lists; NULL after the last unit. */
const struct unit *unit_at(unsigned i);
const struct unit *unit_named(const char *name);                 /* NULL if there is none */
const struct unit *unit_find(const char *name, struct error *e); /* the error names the nearest unit */

/* Returns the instruction set that the case chose; NULL if the unit has no instructions. */
const struct code *case_code(const struct test_case *c);
/* Chooses the case's instruction set by name. Does nothing for NULL and for a unit with one set. */
void case_choose_code(struct test_case *c, const char *set);
/* Returns a unit's instruction set by name; NULL stands for the set of a new case. It is an error if no set
 * has the name, or if the unit has one set or none. */
const struct code *unit_code(const struct unit *u, const char *set, struct error *e);

unsigned unit_clauses(const struct unit *u); /* number of clauses */
const struct clause *unit_clause(const struct unit *u, unsigned i);
int unit_clause_index(const struct unit *u, const char *id); /* -1 if there is none */
int unit_profile_index(const struct unit *u, const char *name);
/* Returns the name under which instruction sets and profiles know a chip: `same_as` of its alias, or `name`
 * itself if the unit has no such alias. */
const char *unit_chip(const struct unit *u, const char *name);
/* Is this a chip that the unit knows but does not model? Then sets the error. */
bool unit_lacks_chip(const struct unit *u, const char *name, struct error *e);
unsigned unit_reasons(const struct unit *u); /* number of reasons, [0] included */
bool unit_is_unspecified(const struct unit *u, unsigned reason);

/*
 * Returns a hash of the unit's schema and layout. It changes whenever the binary form of cases or outcomes
 * changes. Traces and HELLO frames contain it, so that no program reads bytes of one form as another.
 */
uint64_t unit_form(const struct unit *u);

#endif
