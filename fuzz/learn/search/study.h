/* SPDX-License-Identifier: MIT */
/*
 * The study of one difference: it starts from a reduced case and finds the change that explains the case.
 *
 *   near.c        makes cases near the reduced one, and runs them on the board
 *   where.c       finds observation points at which other values explain a difference, and these values
 *   synthesis.c   finds expressions that give these values (fuzz/learn/synthesis, with the next and size.c)
 *   kinds.c       keeps the smallest of them
 *   contexts.c    adds visits at which expressions that agree so far may differ
 *   small.c       tries small expressions in the model: the smallest at all points, and more at points with
 *                 too many values to try
 *   modes.c       makes rules for one value of an input, an opcode for instance
 *   guard.c       finds guards, which limit a rule to the visits at which it must act
 *   size.c        says which of two expressions is simpler
 *   judge.c       counts the near cases that a change explains, and those that it spoils
 *   judgements.c  remembers these counts
 *   untested.c    takes out of a rule what no experiment could test
 *   exceptions.c  finds values that contradict a rule, and states them with it
 *   experiments.c makes new cases on which the candidates disagree
 *   novelty.c     says whether a change acts in a case in a way in which it has not acted before
 *   bearing.c     says whether the board's outcome of a case speaks for a change or against it
 *   refine.c      makes simpler rules of the best ones, and repairs refuted ones
 *   circumstance.c finds out when a difference happens that nothing explains
 *   study.c       runs these steps in order
 */
#ifndef MISPRINT_FUZZ_LEARN_SEARCH_STUDY_H
#define MISPRINT_FUZZ_LEARN_SEARCH_STUDY_H

#include "fuzz/learn/learner.h"
#include "fuzz/learn/search/bearing.h"
#include "fuzz/learn/search/visits.h"

enum {
    NEAR_MAX = 512,      /* cases near the reduced one */
    CANDIDATES_MAX = 96, /* changes that go into experiments */
    CANDIDATE_ACTED_MAX = 4,
    BROKEN_MAX = 64,         /* rules that spoil near cases, and need a guard that prevents this */
    EXAMPLES_MAX = 256,      /* guards are made from all, */
    SYNTHESIS_LABELLED = 96, /* expressions from the first ones, */
    SYNTHESIS_CONTEXTS = 32, /* and so many visits at which any value is allowed */
    SYNTHESIS_EXAMPLES = SYNTHESIS_LABELLED + SYNTHESIS_CONTEXTS,
    EXAMPLE_VALUES_MAX = 16,
    TESTED_WIDTH = 8, /* bits of a point at which the search notes the values that experiments tested */
    TESTED_WORDS = 4,
    SUSPECTED_MAX = 6, /* limit of cases that a point is suspected by */
};

/* A case near the reduced one (or the reduced one), the board's outcome of it, and the model's run under the
 * profile so far. */
struct near_case {
    struct test_case *tc;
    const struct outcome *board; /* the board's outcome: `own`, or an outcome that the learner keeps */
    struct outcome *own;
    struct visits *visits;
    struct coverage covered;
    struct differences difference;
    uint64_t distance; /* number of differing bits; 0: the model agrees */
    bool agrees;
    bool began_from; /* the search has begun from this case */
    bool must;       /* a change must explain this case to be learned */
};

struct candidate {
    struct learn_change change;
    uint32_t size;      /* size of the rule; 0: a reading */
    uint32_t explained; /* near cases that differ without the change and agree with it */
    uint32_t spoiled;   /* near cases that agree without the change and differ with it */
    uint32_t excused;   /* near cases that differ without the change, and are undefined with it */
    uint32_t vague;     /* near cases that agree without the change, a reading, and are undefined with it */
    uint64_t explains[NEAR_MAX / 64], spoils[NEAR_MAX / 64]; /* these cases, as bits */
    /* `passed`: experiments that could have refuted the change and did not. Of the experiments that differ
     * without the change, `reproduced`: those in which the model with the change gives the board's outcome;
     * `missed`: those in which the change acts, but the model does not give the board's outcome. */
    uint32_t passed, reproduced, missed;
    /* Experiments in which the board has, in nearly all words that the change affects, what the model gives
     * with the change; and in which it has, in some of them, what the model gives without it (bearing.c). */
    uint32_t speaks_for, speaks_against;
    uint32_t evades; /* experiments that agree without the change, a reading, and of which it leaves nothing
                      * to compare */
    /* Sets of values that the rule changed in experiments with an outcome, and in those that the board
     * refused. */
    uint64_t tested[TESTED_WORDS], refused[TESTED_WORDS];
    bool fits; /* the change explains or excuses the reduced case */
    /* Hashes of the values and inputs on which the rule acted, one for each case; all different (note_acts).
     * If the guard is "a || b": those where only a holds, and those where only b does. */
    uint64_t acted[2][CANDIDATE_ACTED_MAX];
    uint32_t acts[2];
    uint32_t acted_on; /* a value that the rule changed in these cases; */
    bool acted_varied; /* it has changed others, too */
    bool alive;
};

/* The allowed values at one visit of a point, in one lane. A value is allowed if the model with this value
 * reproduces the board's outcome of the case. At a wide point the search tries some values only. If many of
 * these are allowed, the example lists values that are not, and allows all others. */
struct example {
    const struct visit *at;
    uint8_t lane;
    bool differs;        /* the value that passed in the model's own run is not allowed */
    bool narrow;         /* the point has at most eight bits: `allowed` holds the values, else `value` does */
    bool open;           /* `value` holds values that are not allowed */
    uint32_t order;      /* where_examples puts those with small numbers first */
    uint32_t allowed[8]; /* one bit for each value */
    uint32_t count, value[EXAMPLE_VALUES_MAX];
};

static inline bool example_allows(const struct example *e, uint32_t value)
{
    if (e->narrow)
        return value < 256 && (e->allowed[value / 32] >> (value % 32) & 1);
    bool found = false;
    for (uint32_t i = 0; i < e->count; i++)
        found |= e->value[i] == value;
    return found != e->open;
}

struct study {
    struct learner *l;
    /* [0] is the reduced case; if `began_from` is not 0, it has changed places with that one. New cases,
     * which have nothing in common with the reduced one, begin at `new_from`. */
    struct near_case near[NEAR_MAX];
    uint32_t nears, differing, new_from, began_from;
    uint32_t reserve; /* entries of `near` whose memory is allocated */
    struct candidate candidate[CANDIDATES_MAX];
    uint32_t candidates, added; /* `added`: candidates ever added; in a full list they replace others */
    struct candidate broken[BROKEN_MAX];
    uint32_t brokens;
    struct example *example; /* the examples at hand, EXAMPLES_MAX at most; usually `scratch` */
    uint32_t examples;
    struct example scratch[EXAMPLES_MAX];
    /* Found so far: values at a point that reproduce the reduced case; a change that explains a near case;
     * such a change that spoils no near case. */
    bool suspects, fitted, judged;
    bool has_doubtful; /* `doubtful` is the best change of which a sweep left doubts */
    struct learned doubtful;
    uint32_t missed; /* near cases that come from experiments that no candidate explained */
    double
        misses; /* of the experiments in which the chosen change acts: the share that it does not explain */
    struct judgements *judgements; /* of all changes judged so far */
    bool lane_by_lane;             /* at the point at hand, values are found lane by lane only */
    uint64_t runs_left;            /* model runs left for the search for values; a long one counts more */
    bool nearer;                   /* a value at this point brings the reduced case nearer to the board's */
    bool nearly_all;               /* only rules that allow nine tenths of the differing cases are of use */
    bool allowed;                  /* the limit of the effort was raised for experiments */
    uint32_t unsearched;           /* points that values explain, and at which no rules were sought yet */
};

/* ---- near.c ---- */

/* Runs the reduced case and cases near it on the board. Returns false if the board failed or the reduced case
 * no longer differs. */
bool near_explore(struct study *s);
/* Adds cases in which a reading decides a bit that it changes. Otherwise a reading that leaves undefined what
 * differs in the reduced case could be neither confirmed nor refuted. Returns false if the board failed. */
bool near_decide(struct study *s, const struct learn_change *reading);
/* Adds a case and the board's outcome of it, if there is room. Swaps *board with an unused outcome. */
void near_add(struct study *s, const struct test_case *c, struct outcome **board);
void near_free(struct study *s);
/* Makes another differing case near[0]: of those that have nothing in common with the reduced one, the one
 * with the fewest visits, which suspects the fewest points. Returns false if there is none. */
bool near_begin_elsewhere(struct study *s);
/* Makes the differing case with the fewest visits near[0], if the reduced one has several times as many. A
 * small case can have a long run: a count of 0 often means the largest. Returns false if there is none. */
bool near_begin_shorter(struct study *s);
/* Makes the reduced case near[0] again. */
void near_begin_again(struct study *s);

/* ---- where.c ---- */

/* Finds values at the point with which the model reproduces the board in the reduced case and in cases near
 * it. Puts them into s->example. Returns false if no values at the point reproduce the reduced case. */
bool where_examples(struct study *s, unsigned point);
/* Finds values at the point with which the model reproduces the board in one case. Puts them into s->example.
 * Returns false if the model differs with all values, or if it reproduces the board with any value. */
bool where_values(struct study *s, const struct near_case *k, unsigned point);
/* Returns in how many of the first differing near cases values at the point reproduce the board; 0 if the
 * reduced case differs with all values. Puts these cases into `by`. */
uint32_t where_solved(struct study *s, unsigned point, const struct near_case *by[SUSPECTED_MAX]);
/* Adds examples of a near case that agrees, but differs with the rule: the rule's values are not allowed
 * there. Returns false if there is no room, or no single value of the rule makes the case differ. */
bool where_counterexample(struct study *s, const struct near_case *k, const struct rule *r);
/* An example in which only `value` is allowed. */
struct example example_of(const struct visit *at, const struct point *p, uint32_t lane, uint32_t value);

/* ---- contexts.c ---- */

/* Copies the first SYNTHESIS_LABELLED examples of a point for which `mode` holds, or all if it is empty. Adds
 * visits of the point in other near cases, at which any value is allowed. Returns how many. */
uint32_t contexts_add(const struct study *s, const struct example *from, uint32_t count,
                      const struct expression *mode, struct example to[SYNTHESIS_EXAMPLES]);

/* ---- synthesis.c ---- */

/* Finds expressions that give an allowed value in all examples of one point, and the best of those that give
 * an allowed value in some examples. Looks at SYNTHESIS_EXAMPLES at most. The expressions that fit most
 * examples, and the smallest ones that fit those that differ, come first. Adds the work to *effort
 * (learner.h). Returns how many. */
enum { SYNTHESIS_MAX = 48 };
uint32_t synthesis_run(const struct unit *u, const struct example *examples, uint32_t count,
                       struct expression found[SYNTHESIS_MAX], uint64_t *effort);
/* Calls `each` for small expressions that change a value at a visit of the point in one of `count` runs. If
 * several expressions give the same values at the first SYNTHESIS_EXAMPLES visits, calls it for one of them.
 * Stops when `each` returns false. SYNTHESIS_FEW: only those that take the value, inputs, few numbers, and
 * usual operators. */
enum synthesis_extent { SYNTHESIS_FEW, SYNTHESIS_ONE_OPERATOR };
void synthesis_small(const struct visits *const *runs, uint32_t count, unsigned point,
                     enum synthesis_extent extent, bool (*each)(void *context, const struct expression *e),
                     void *context);

/* ---- small.c ---- */

/* Adds rules with small expressions with which the model reproduces near cases: the first case of `by` and as
 * many of the others as possible. If `count` is 0, takes the reduced case. */
void small_add(struct study *s, unsigned point, const struct near_case *const *by, uint32_t count);
/* Adds rules with the smallest expressions, at all points that the reduced case passes. Those that allow
 * nearly all differing near cases, and spoil others, get guards. */
void small_everywhere(struct study *s);

/* ---- modes.c ---- */

/* Adds rules "when INPUT == VALUE", for values of the reduced case, from the examples at hand. */
void modes_add(struct study *s, unsigned point);

/* ---- guard.c ---- */

/* One lane of a visit, and whether a rule must act there. */
struct guarded_visit {
    const struct visit *at;
    uint8_t lane;
    bool acts;
};
/* Finds guards that hold at the visits where the rule must act and at no others, the smallest first. Returns
 * how many. */
enum { GUARDS_MAX = 48, GUARDED_MAX = 384 };
uint32_t guard_run(const struct unit *u, const struct guarded_visit *visits, uint32_t count,
                   struct expression found[GUARDS_MAX]);
/* `a OP b`, and `a OP number`. */
struct expression expression_join(enum expression_operator op, const struct expression *a,
                                  const struct expression *b);
struct expression expression_compared(const struct expression *a, enum expression_operator op,
                                      uint32_t number);
/* Moves the numbers of the comparisons in a guard as far as the visits allow: "a <= 5" becomes "a < 90" if
 * the next larger `a` of a visit is 90. Returns false if the guard remains as it is. */
bool guard_widen(const struct unit *u, const struct guarded_visit *visits, uint32_t count,
                 const struct expression *guard, struct expression *wide);
/* Splits "a || b" into "a && !b" and "b && !a". Returns false if the guard is not of this form, or too large.
 */
bool guard_split(const struct expression *guard, struct expression part[2]);
/* Finds guards that hold wherever this one does, and elsewhere too: "a && b" without one of its conditions,
 * and with "x is a NaN" in place of "x == 0x7fc00000". An expression without nodes always holds. Returns how
 * many. */
enum { WEAKER_PARTS = 8, WEAKER_MAX = 2 * WEAKER_PARTS };
uint32_t guard_weaker(const struct point *p, const struct expression *guard,
                      struct expression found[WEAKER_MAX]);

/* ---- size.c ---- */

uint32_t expression_size(const struct expression *e); /* of a table with its cells, too */
uint32_t node_size(uint32_t op, uint32_t operand);
/* Has the number more than two runs of ones, in more than sixteen bits? Limits, signs, masks and special
 * floats have fewer. So a rule that acts on one arbitrary number has learned a case by heart. */
bool number_is_arbitrary(uint32_t number);

/* ---- judge.c ---- */

/* The near cases that a candidate explains or leaves undefined. */
uint32_t candidate_allows(const struct candidate *c);
/* Does it allow nine tenths of the near cases that differ? */
bool candidate_allows_nearly_all(const struct study *s, const struct candidate *c);
/* Is the share of near cases that a candidate leaves undefined plausible? An address out of range leaves most
 * of what follows undefined. A reading may leave undefined all but rare cases; near_decide looks for these.
 * But few cases may agree without the change and be undefined with it. */
bool candidate_excuses_few(const struct candidate *c);
/* What a candidate costs: its size, less a price for each near case and experiment that it explains. A near
 * case that it leaves undefined, where it does not do so in cases that agreed, counts half, up to as many as
 * it explains. What a machine does with an undefined value is not known. */
int64_t candidate_cost(const struct candidate *c);
/* Is candidate `a` simpler for what it explains than `b`? */
bool candidate_is_better(const struct candidate *a, const struct candidate *b);
/* What the model with a change gives of a near case. JUDGED_UNDEFINED: it does not differ from the board, but
 * leaves a whole word undefined that differs without the change, or the end of the run. So the case says
 * nothing about the change. A rule may lead to an undefined value on which the outcome depends. So in such
 * cases runs for values only judge a rule. If one of them has the board's bits, the rule reproduces the case;
 * if not, and the model without the rule is right, the rule differs. Leaves the model's outcome in
 * s->l->model. */
enum judged { JUDGED_DIFFERS, JUDGED_UNDEFINED, JUDGED_REPRODUCES };
enum judged judge_case(struct study *s, const struct near_case *k, const struct learn_change *c);
/* The same with forced values in place of a rule. */
enum judged judge_forced(struct study *s, const struct near_case *k, const struct forced *f);
/* The same where the run in s->l->model is known to leave undefined what must decide. */
enum judged judge_forced_values(struct study *s, const struct near_case *k, const struct forced *f);
/* Can the change affect the run of a near case? */
bool judge_matters(const struct near_case *k, const struct learn_change *c);
/* Judges a change by all near cases. Adds it to the candidates if it explains some and spoils none. Adds a
 * rule without a guard that explains some and spoils others to s->broken. Returns a case that the change
 * spoils; NULL: none. */
const struct near_case *judge_add(struct study *s, const struct learn_change *c);
/* The same for a rule that acts in fewer cases than a candidate does, and has passed its experiments. */
void judge_add_like(struct study *s, const struct learn_change *c, const struct candidate *like);
/* Adds forms of a rule whose guards hold where the rule must act and not where it must not. `visits` has room
 * for GUARDED_MAX and holds `count`. */
void judge_guarded(struct study *s, const struct learn_change *rule, struct guarded_visit *visits,
                   uint32_t count);
/* Adds guarded forms of the broken rules. */
void judge_guard(struct study *s);

/* ---- judgements.c ---- */

/* What judge_add found out about a change. The search suggests the same change again in each turn; then only
 * the near cases that came since must be judged. */
struct judgement {
    uint64_t hash;   /* of the change */
    uint32_t judged; /* so many of the near cases, the first ones; if fewer than there are, these sufficed */
    uint32_t seen;   /* of these, so many differ */
    uint32_t explained, spoiled, excused, vague; /* as in struct candidate */
    uint64_t explains[NEAR_MAX / 64], spoils[NEAR_MAX / 64];
    bool fits;
    uint32_t guards_from; /* number of near cases when guards were sought for it; 0: never */
};
/* Returns the judgement of a change; a new one, with zeros, if it was not judged yet. It is valid until the
 * next call. */
struct judgement *judgement_of(struct study *s, const struct learn_change *c);
/* Forgets all judgements, because near cases have changed their places. */
void judgements_forget(struct study *s);
void judgements_free(struct study *s);

/* ---- experiments.c ---- */

/* Runs cases on the board on which candidates disagree, until no further case distinguishes those left. */
void experiments_run(struct study *s);
/* Runs many cases on the board in which the candidate changes the outcome: new ones, and some near those that
 * it explains. Experiments in which it agrees with the others say little about it, and there may be few in
 * which it acts. Drops it, and others, as experiments_run does. */
void experiments_confirm(struct study *s, struct candidate *c);

/* ---- untested.c ---- */

/* Notes the values that the rule changes in an experiment. */
void untested_note(struct candidate *c, const struct visits *v, bool answered);
/* Puts the rule into *r, with a guard that excludes the values that only refused experiments had. Returns
 * false if there are none, or too many. */
bool untested_exclude(const struct candidate *c, struct rule *r);

/* ---- exceptions.c ---- */

/*
 * Runs the reduced case on the board with all values at the rule's point that one number of the case leads
 * to. RULE_HOLDS: the rule holds for all of them. Drops the other candidates that they refute.
 * RULE_CONTRADICTED: drops the candidate, and adds the rule with a guard or a table for the values that
 * contradict it. RULE_DOUBTFUL: some swept cases differ, but no values at the point explain them, so they may
 * have another cause.
 */
enum rule_swept { RULE_HOLDS, RULE_DOUBTFUL, RULE_CONTRADICTED };
enum rule_swept exceptions_find(struct study *s, struct candidate *c);

/* ---- refine.c ---- */

/* Adds simpler and weaker forms of the best rules. An expression that needs no guard is found before a simple
 * one that does, and is often larger. */
void refine_simplify(struct study *s);
/* Drops the refuted candidates, and adds repaired forms of the best of these. Returns false if there are
 * none.
 */
bool refine_repair(struct study *s);

/* ---- circumstance.c ---- */

/* Finds the circumstance of a difference that nothing explains. Puts it into s->l->circumstance. */
void circumstance_find(struct study *s);

/* ---- study.c ---- */

/* A point that the reduced case passes. */
struct suspect {
    uint16_t point;
    uint32_t solved;                           /* differing cases that some values at the point explain */
    const struct near_case *by[SUSPECTED_MAX]; /* these */
    struct example *example;                   /* those of this point */
    uint32_t examples;
    bool lane_by_lane;
    bool nearer; /* some value brings the reduced case's outcome nearer to the board's */
    bool more;   /* another turn may find better rules */
    bool tried;  /* a round before has tried small expressions */
};
/* Compares two for qsort: those that explain most cases come first, and equals by their point. */
int suspect_order(const void *a, const void *b);

#endif
