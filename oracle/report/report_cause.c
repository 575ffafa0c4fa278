/* SPDX-License-Identifier: MIT */
#include "oracle/report/report_cause.h"

#include "oracle/describe/authority.h"
#include "oracle/describe/clause_text.h"
#include "oracle/report/report_facts.h"
#include "oracle/report/report_text.h"

#include <inttypes.h>
#include <string.h>

const char *const cause_status_name[] = {"none", "learned", "withdrawn", "undefined",
                                         "open", "fits",    "tried"};

enum cause_status cause_status(const struct finding *f)
{
    const struct explanation *x = &f->explanation;
    if (f->learned.rules[0])
        return f->learned.withdrawn ? CAUSE_WITHDRAWN : CAUSE_LEARNED;
    if (!x->candidates || f->verdict == VERDICT_FLAKY || f->verdict == VERDICT_UNEXPLAINED)
        return CAUSE_NONE;
    if (x->masked)
        return CAUSE_MASKS;
    if (x->candidates > 1 || x->more_candidates)
        return CAUSE_OPEN;
    return f->trials.counted && !trials_missing(&f->trials) ? CAUSE_TRIED : CAUSE_FITS;
}

const char *cause_explains_how(const struct cause *c)
{
    return c->masks ? "left undefined by" : "explained by";
}

/* --- the terminal */

static void add_rival(const struct unit *u, const struct rival *r, struct text *t)
{
    const struct clause *c = unit_clause(u, r->clause);
    text_add(t, "%s=%s", c->id, c->readings[r->reading].id);
}

static unsigned count_missing(const struct trials *t)
{
    unsigned missing = 0;
    for (unsigned i = 0; i < t->rivals; i++)
        missing += !t->rival[i].cases;
    return missing;
}

void cause_summary(const struct finding *f, struct text *t)
{
    const struct explanation *x = &f->explanation;
    enum cause_status status = cause_status(f);
    if (status == CAUSE_LEARNED) {
        text_add(t, "%s (%" PRIu32 " experiment%s could have refuted it)", f->learned.rules,
                 f->learned.experiments, plural(f->learned.experiments));
        return;
    }
    if (status == CAUSE_WITHDRAWN) {
        text_add(t, "%s (was believed until %s refuted it)", f->learned.rules,
                 f->related[RELATED_REFUTES].label);
        return;
    }
    if (status == CAUSE_NONE) {
        text_add(t, "%s; first seen in %s",
                 f->verdict == VERDICT_FLAKY       ? "the board does not repeat what it did"
                 : f->verdict == VERDICT_UNDEFINED ? "no document says what happens there"
                                                   : "no known reading explains it",
                 f->label);
        return;
    }
    text_add(t, "%s", status == CAUSE_MASKS ? "left undefined by " : "");
    cause_print(f->unit, &x->candidate[0], t);
    if (x->candidates > 1)
        text_add(t, " (or %u other explanation%s%s)", x->candidates - 1, plural(x->candidates - 1),
                 x->more_candidates ? ", or more" : "");
    else if (x->more_candidates)
        text_add(t, " (or other explanations)");
    if (status == CAUSE_FITS && f->trials.counted) {
        unsigned missing = count_missing(&f->trials);
        text_add(t, " (no %scase distinguishes it from ", f->trials.cut ? "counted " : "");
        add_rival(f->unit, trials_missing(&f->trials), t);
        if (missing > 1)
            text_add(t, " and %u other reading%s", missing - 1, plural(missing - 1));
        text_add(t, ")");
    }
}

/* --- reports: the parts of sentences */

static const char *who(enum board_class c)
{
    static const char *const names[BOARD_CLASSES] = {"silicon", "the virtual board", "the implementation"};
    return names[c];
}

static const char *who_first(enum board_class c)
{
    static const char *const names[BOARD_CLASSES] = {"Silicon", "The virtual board", "The implementation"};
    return names[c];
}

static const struct cause *cause_of(const struct finding *f)
{
    return f->explanation.candidates ? &f->explanation.candidate[0] : NULL;
}

/* Lists the regions that differ: "vpm and memory". */
static void differing_regions(const struct finding_view *v, struct text *t)
{
    const struct layout *l = &v->finding->unit->layout;
    bool differs[REGIONS_MAX] = {false};
    unsigned count = 0, at = 0;
    for (uint32_t i = 0; i < v->differences.listed; i++)
        differs[layout_region(l, v->differences.word[i].row) - l->regions] = true;
    for (unsigned i = 0; i < l->region_count; i++)
        count += differs[i];
    for (unsigned i = 0; i < l->region_count; i++)
        if (differs[i])
            text_add(t, "%s%s", words_joint(at++, count), l->regions[i].name);
    if (!count)
        text_add(t, v->differences.end_differs ? "how the case ends" : "its outcome");
}

/* Writes "reading `a` of `clause` and reading `b` of `other`". */
static void name_readings(const struct finding *f, const struct cause *c, struct text *t)
{
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(f->unit, c->change[i].clause);
        words_add(t, "%sreading `%s` of `%s`", words_joint(i, c->count),
                  clause->readings[c->change[i].reading].id, clause->id);
    }
}

/* Is the finding unexplained because other cases refuted its only explanation? Such an explanation is the
 * nearest set, and leaves no bit different in the finding's own case. */
static bool is_contradicted(const struct finding *f)
{
    return !f->explanation.candidates && f->explanation.nearest.count && !f->explanation.nearest_bits;
}

/* --- reports: headline and meaning */

void words_headline(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const struct cause *c = cause_of(f);
    enum cause_status status = cause_status(f);
    if (f->learned.rules[0]) {
        text_add(t, "%s", status == CAUSE_WITHDRAWN ? "Withdrawn: " : "");
        words_rules(v, t);
    } else if (f->verdict == VERDICT_FLAKY) {
        text_add(t, "The board's answers change from run to run");
    } else if (status != CAUSE_NONE) {
        text_add(t, "%s", status == CAUSE_MASKS ? "Perhaps undefined: " : "");
        for (unsigned i = 0; i < c->count; i++)
            text_add(t, "%s%s", i ? "; " : "", unit_clause(f->unit, c->change[i].clause)->title);
        if (status == CAUSE_OPEN || f->explanation.candidates > 1)
            text_add(t, " (or %s)",
                     f->explanation.candidates > 2 || f->explanation.more_candidates ? "other explanations"
                                                                                     : "another explanation");
    } else {
        text_add(t, f->verdict == VERDICT_UNDEFINED ? "What no document defines: "
                                                    : "Unexplained difference in ");
        differing_regions(v, t);
    }
}

/* Writes " Profile `p` has `x` there.", unless the profile follows the manual. */
static void against_profile(const struct finding_view *v, const struct cause *c, struct text *t)
{
    bool literal = true;
    for (unsigned i = 0; i < c->count; i++)
        literal = literal && v->shown && v->base.reading[c->change[i].clause] == READING_MANUAL;
    if (literal || !v->shown)
        return;
    words_add(t, " Profile `%s` has ", v->finding->profile);
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(v->finding->unit, c->change[i].clause);
        words_add(t, "%s`%s`", words_joint(i, c->count),
                  clause->readings[v->base.reading[c->change[i].clause]].id);
    }
    text_add(t, " there.");
}

const char *contradiction_words(unsigned sides)
{
#define STATED   "what others state of silicon"
#define MEASURED "what was measured on silicon"
    static const char *const words[CONTRADICTS_KINDS] = {
        "no known reading does this, a learned rule does",
        "it contradicts the manual",
        "it contradicts " STATED,
        "it contradicts the manual, and " STATED,
        "it contradicts " MEASURED,
        "it contradicts the manual, and " MEASURED,
        "it contradicts what was measured on silicon and " STATED,
        "it contradicts the manual, what was measured on silicon and " STATED,
    };
    return words[sides];
#undef STATED
#undef MEASURED
}

/* Says what the manual says where the cause differs from it, and which reading silicon follows. */
static void words_other_sides(const struct finding *f, const struct cause *c, struct text *t)
{
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(f->unit, c->change[i].clause);
        unsigned follows = c->change[i].reading, known = 0;
        if (follows != READING_MANUAL && !clause->silent)
            words_add(t, " %s (%s) says otherwise: %s",
                      f->unit->authority ? f->unit->authority : "The manual", clause->where,
                      clause->readings[READING_MANUAL].says);
        for (unsigned k = 0; k < clause_readings(clause); k++) {
            const struct reading *r = &clause->readings[k];
            if (r->evidence < EVIDENCE_STATED)
                continue;
            words_add(t,
                      r->evidence == EVIDENCE_SILICON ? " On silicon, %s `%s` was measured (%s)."
                                                      : " Of silicon, others state %s `%s` (%s).",
                      k == follows ? "the same reading" : "another reading,", r->id, r->source);
            known++;
        }
        if (!known)
            words_add(t, " The ledger knows nothing from silicon about `%s`.", clause->id);
    }
}

static void explained_meaning(const struct finding_view *v, const struct cause *c, struct text *t)
{
    const struct finding *f = v->finding;
    static const char *const says[VERDICTS] = {
        [VERDICT_MANUAL_ERRATUM] = ", not what the manual says",
        [VERDICT_MANUAL_GAP] = ", where the manual leaves the question open",
        [VERDICT_PROFILE_WRONG] = ", the manual's own text",
        [VERDICT_IMPLEMENTATION_CHOICE] = ", where the manual leaves the question open",
        [VERDICT_IMPLEMENTATION_DIFFERS] = "",
    };
    enum cause_status status = cause_status(f);
    if (status == CAUSE_OPEN)
        text_add(t,
                 "What %s did has several explanations, and no case told them apart. By the first of those "
                 "below, it follows ",
                 who(v->board_class));
    else
        text_add(t, status == CAUSE_TRIED ? "%s follows " : "%s, as far as cases show, follows ",
                 who_first(v->board_class));
    name_readings(f, c, t);
    authority_add(f->unit, says[f->verdict], t);
    /* Only silicon shows that a profile, which describes silicon, is wrong. */
    if (f->verdict == VERDICT_PROFILE_WRONG && v->board_class == BOARD_CLASS_SILICON)
        authority_add(f->unit, ", so the profile is wrong and not the manual", t);
    text_add(t, ".");
    against_profile(v, c, t);
    if (v->board_class == BOARD_CLASS_VIRTUAL)
        text_add(t, " A virtual board is software: this shows where the readings differ, not which of them "
                    "hardware follows.");
    if (v->board_class == BOARD_CLASS_IMPLEMENTATION) {
        words_other_sides(f, c, t);
        text_add(t, " This shows what an implementation does, not what hardware does.");
    }
}

static void undefined_meaning(const struct finding_view *v, const struct cause *c, struct text *t)
{
    if (!c) {
        text_add(t, "The model stops because the case does something that no document defines. No side "
                    "is wrong; software must not rely on it.");
        return;
    }
    text_add(t, "The differing bits are undefined under ");
    name_readings(v->finding, c, t);
    text_add(
        t,
        "%s. If so, no side is wrong. This does not show that %s follows that reading. Software must not "
        "rely on these bits.",
        v->finding->explanation.candidates > 1 ? ", and under other readings" : "", who(v->board_class));
}

void words_meaning(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const struct cause *c = cause_of(f);
    if (f->learned.withdrawn) {
        words_withdrawn(v, t);
        return;
    }
    if (f->learned.rules[0]) {
        text_add(t, "No known reading of the documents does what %s does; a rule does. ",
                 who(v->board_class));
        words_rule_trials(v, t);
        return;
    }
    switch (f->verdict) {
    case VERDICT_MANUAL_ERRATUM:
    case VERDICT_MANUAL_GAP:
    case VERDICT_PROFILE_WRONG:
    case VERDICT_IMPLEMENTATION_DIFFERS:
    case VERDICT_IMPLEMENTATION_CHOICE:
        if (c)
            explained_meaning(v, c, t);
        break;
    case VERDICT_UNEXPLAINED:
        text_add(t,
                 is_contradicted(f)
                     ? "The only explanation found contradicts other evidence, so nothing explains what %s "
                       "did.%s%s"
                     : "No set of known readings that was tried makes the model do what %s did.%s%s",
                 who(v->board_class),
                 f->unsearched ? " The search for a rule did not end, because the time ran out." : "",
                 v->board_class == BOARD_CLASS_SILICON
                     ? " Either this is a new erratum, or the model is wrong."
                     : " Either the ledger lacks a reading, or the model or that board's program is wrong.");
        break;
    case VERDICT_UNDEFINED:
        undefined_meaning(v, c, t);
        break;
    default:
        text_add(t, "When the case ran again, %s gave another answer. This says nothing about the manual.",
                 who(v->board_class));
        break;
    }
    if (f->explanation.cut)
        text_add(t, " The search used up its budget of model runs, so this may be incomplete.");
}

/* --- reports: how firmly the cases support the cause */

/* Names the readings that no case distinguishes from the cause: "`a=x` and `b=y`". */
static void add_missing(const struct finding *f, struct text *t)
{
    unsigned missing = count_missing(&f->trials), at = 0;
    for (unsigned i = 0; i < f->trials.rivals; i++) {
        if (f->trials.rival[i].cases)
            continue;
        struct text name = {0};
        add_rival(f->unit, &f->trials.rival[i], &name);
        words_add(t, "%s`%s`", words_joint(at++, missing), text_chars(&name));
        text_free(&name);
    }
}

/* Says how many cases support the cause, and which other readings they do not exclude. */
static void words_trials(const struct finding *f, struct text *t)
{
    const struct trials *n = &f->trials;
    enum cause_status status = cause_status(f);
    if (status < CAUSE_OPEN)
        return;
    if (!n->counted) {
        text_add(t, " How many cases tested the cause was not counted, because no run has ended.");
        return;
    }
    text_add(t,
             " All kept cases, also those of other findings, were run again with and without this cause: ");
    words_add(t, "%s%'" PRIu64 " need%s it", n->cut ? "at least " : "", n->needed, n->needed == 1 ? "s" : "");
    if (n->masked)
        words_add(t, " (in %'" PRIu64 " of them it only leaves the differing bits undefined)", n->masked);
    if (n->passed)
        words_add(t,
                  ", and %'" PRIu64
                  " tested it: there, another reading gives bits that the board did not give.",
                  n->passed);
    else
        text_add(t, ", and none tested it against another reading.");
    if (status == CAUSE_FITS) {
        text_add(t, " No %scase distinguishes it from ", n->cut ? "counted " : "");
        add_missing(f, t);
        text_add(t, ".");
    }
}

void words_strength(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    unsigned boards = v->boards ? v->boards->boards : 0;
    words_add(t, "While the campaign ran, %'" PRIu64 " differing case%s counted for this finding, ", f->cases,
              f->cases == 1 ? " was" : "s were");
    if (v->board_class == BOARD_CLASS_SILICON)
        text_add(t, "measured on silicon");
    else
        text_add(t, "on %s, which is no evidence about silicon",
                 v->board_class == BOARD_CLASS_VIRTUAL ? "a virtual board"
                                                       : "a board that is another program");
    if (boards > 1)
        text_add(t, ", by %u boards", boards);
    words_add(t, ": `%s`", boards > 1 ? v->boards->board[0].board.spec : f->board.spec);
    for (unsigned i = 1; i < boards; i++)
        words_add(t, "%s`%s`", words_joint(i, boards), v->boards->board[i].board.spec);
    text_add(t, ".");
    words_trials(f, t);
}

void words_candidates(const struct finding_view *v, struct text *t)
{
    const struct explanation *e = &v->finding->explanation;
    if (e->candidates < 2 && !e->more_candidates)
        return;
    text_add(t, "No case tells this from ");
    for (unsigned i = 1; i < e->candidates; i++) {
        struct text cause = {0};
        cause_print(v->finding->unit, &e->candidate[i], &cause);
        words_add(t, "%s`%s`",
                  i == 1                                          ? ""
                  : i + 1 == e->candidates && !e->more_candidates ? " or "
                                                                  : ", ",
                  text_chars(&cause));
        text_free(&cause);
    }
    if (e->more_candidates)
        text_add(t, "%sfurther sets that are not listed", e->candidates > 1 ? ", or from " : "");
    text_add(t, ".");
}

void words_nearest(const struct finding_view *v, struct text *t)
{
    const struct explanation *e = &v->finding->explanation;
    if (v->finding->verdict != VERDICT_UNEXPLAINED)
        return;
    if (!e->nearest.count) {
        text_add(t, "No change of readings brings the model nearer to the board.");
        return;
    }
    struct text cause = {0};
    cause_print(v->finding->unit, &e->nearest, &cause);
    text_add(t,
             is_contradicted(v->finding) ? "This explains the case, but contradicts others: " : "Nearest: ");
    words_add(t, "`%s`", text_chars(&cause));
    text_free(&cause);
    if (is_contradicted(v->finding)) {
        text_add(t, ".");
        return;
    }
    if (e->nearest_bits == DISTANCE_ENDS) {
        text_add(t, ", with which the case still ends differently.");
        return;
    }
    text_add(t, ", which leaves ");
    words_number(t, e->nearest_bits, "bit", "bits");
    text_add(t, " different");
    if (v->differences.bits && !v->differences.end_differs)
        words_add(t, " of %'" PRIu64, v->differences.bits);
    text_add(t, ".");
}

/* --- reports: the readings of a clause */

/* Does one of the finding's candidates have this reading? */
static bool is_candidate(const struct finding *f, unsigned clause, unsigned reading)
{
    const struct explanation *x = &f->explanation;
    for (unsigned i = 0; i < x->candidates; i++)
        for (unsigned k = 0; k < x->candidate[i].count; k++)
            if (x->candidate[i].change[k].clause == clause && x->candidate[i].change[k].reading == reading)
                return true;
    return false;
}

void words_mark(const struct finding_view *v, unsigned clause, unsigned reading, struct text *t)
{
    static const char *const marks[] = {[CAUSE_NONE] = "",
                                        [CAUSE_MASKS] = "leaves the differing bits undefined",
                                        [CAUSE_OPEN] = "a possible explanation",
                                        [CAUSE_FITS] = "fits what the board did",
                                        [CAUSE_TRIED] = "the board follows this"};
    if (is_candidate(v->finding, clause, reading))
        text_add(t, "%s", marks[cause_status(v->finding)]);
}

void words_side(const struct finding_view *v, struct text *t)
{
    switch (cause_status(v->finding)) {
    case CAUSE_TRIED:
        text_add(t, "%s does", who_first(v->board_class));
        break;
    case CAUSE_MASKS:
        text_add(t, "A reading that leaves the differing bits undefined");
        break;
    default:
        text_add(t, "A reading that fits what %s did", who(v->board_class));
        break;
    }
}

/* Lists the readings of the clause whose evidence is `best`, as "`a` and `b`". Returns their number. */
static unsigned best_readings(const struct clause *c, enum evidence best, struct text *t)
{
    unsigned count = 0, at = 0;
    for (unsigned i = 0; i < clause_readings(c); i++)
        count += c->readings[i].evidence == best;
    for (unsigned i = 0; i < clause_readings(c); i++) {
        if (c->readings[i].evidence != best)
            continue;
        words_add(t, "%s`%s`", words_joint(at++, count), c->readings[i].id);
    }
    return count;
}

/* Are the board's outcomes those of a recorded trace or table, which somebody else may have measured? */
static bool is_recorded(const struct board_identity *b)
{
    return !strncmp(b->spec, "trace:", 6) || !strncmp(b->spec, "table:", 6);
}

static void silicon_support(const struct finding_view *v, const struct reading *followed, enum evidence best,
                            const char *favourites, struct text *t)
{
    words_add(t, "%s: the evidence supports `%s`",
              is_recorded(&v->finding->board) ? "A recorded trace of silicon shows it"
                                              : "This campaign measured it on silicon",
              followed->id);
    if (followed->evidence == best)
        text_add(t, ", as the ledger's strongest evidence so far (%s) does.", evidence_words(best));
    else if (best == EVIDENCE_SILICON)
        text_add(t,
                 ". The ledger has silicon evidence for %s, so the measurements contradict each other or the "
                 "chips differ.",
                 favourites);
    else
        text_add(t, ". That outweighs what the ledger has for %s (%s).", favourites, evidence_words(best));
}

/* Says that the campaign adds no evidence for the reading, because its board is no silicon or its cases do
 * not decide between readings. `alone`: the ledger's strongest evidence is for this reading alone. */
static void campaign_support(const struct finding_view *v, const struct reading *followed, enum evidence best,
                             bool alone, struct text *t)
{
    bool tried = cause_status(v->finding) == CAUSE_TRIED;
    if (v->board_class == BOARD_CLASS_SILICON) {
        words_add(t, " What silicon did in this campaign fits `%s`, but does not decide for it.",
                  followed->id);
    } else if (alone && tried) {
        text_add(t, " %s follows it, which adds no evidence.", who_first(v->board_class));
    } else {
        words_add(t, tried ? " %s follows `%s`" : " What %s did fits `%s`",
                  tried ? who_first(v->board_class) : who(v->board_class), followed->id);
        if (followed->evidence != best)
            text_add(t, ", for which there is %s", evidence_words(followed->evidence));
        text_add(t, "; that adds no evidence for it.");
    }
}

void words_support(const struct finding_view *v, const struct named_clause *n, struct text *t)
{
    const struct clause *c = unit_clause(v->finding->unit, n->index);
    enum evidence best = clause_best_evidence(c);
    const struct reading *followed = n->followed >= 0 ? &c->readings[n->followed] : NULL;
    enum cause_status status = cause_status(v->finding);
    struct text favourites = {0};
    unsigned count = best_readings(c, best, &favourites);
    if (followed && status == CAUSE_TRIED && v->board_class == BOARD_CLASS_SILICON) {
        silicon_support(v, followed, best, text_chars(&favourites), t);
    } else {
        if (count == 1)
            text_add(t, "The evidence in the ledger supports %s (%s).", text_chars(&favourites),
                     evidence_words(best));
        else
            text_add(t, "The evidence in the ledger does not decide between %s (%s for each).",
                     text_chars(&favourites), evidence_words(best));
        if (followed && status >= CAUSE_OPEN)
            campaign_support(v, followed, best, followed->evidence == best && count == 1, t);
    }
    text_free(&favourites);
}

/* --- reports: all findings together */

void words_causes(const struct report *r, struct text *t)
{
    static const struct {
        enum cause_status status;
        const char *one, *many;
    } rows[] = {
        {CAUSE_TRIED, "has one cause that cases tested against every other reading",
         "have one cause each that cases tested against every other reading"},
        {CAUSE_FITS, "has one cause that was not told from every other reading",
         "have one cause each that was not told from every other reading"},
        {CAUSE_LEARNED, "follows a rule that was learned", "follow rules that were learned"},
        {CAUSE_WITHDRAWN, "states a rule that was believed until a case refuted it",
         "state rules that were believed until a case refuted them"},
        {CAUSE_OPEN, "has several possible causes", "have several possible causes each"},
        {CAUSE_MASKS, "may show only undefined bits", "may show only undefined bits"},
        {CAUSE_NONE, "has no known cause", "have no known cause"},
    };
    unsigned count[CAUSE_TRIED + 1] = {0}, kinds = 0;
    for (unsigned i = 0; i < r->findings; i++)
        kinds += !count[cause_status(&r->finding[i])]++;
    for (unsigned i = 0, at = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned n = count[rows[i].status];
        if (!n)
            continue;
        text_add(t, "%s%u %s", at ? words_joint(at, kinds) : " ", n, n == 1 ? rows[i].one : rows[i].many);
        at++;
    }
    text_add(t, "%s", r->findings ? "." : "");
    if (count[CAUSE_NONE])
        text_add(t, " Findings without a known cause are told apart by where and how the outcomes differ, so "
                    "several of them may have one cause, and one may have several.");
}
