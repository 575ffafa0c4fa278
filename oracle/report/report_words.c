/* SPDX-License-Identifier: MIT */
/* The sentences of reports (report_facts.h), all made from the ledger's and the findings' fields. */
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/report/report_facts.h"

#include <string.h>

/* `chars`, any backtick in it made harmless. */
static void words_code(struct text *t, const char *chars)
{
    text_add(t, "`");
    for (const char *c = chars; *c; c++)
        text_add_chars(t, *c == '`' ? "'" : *c == '\n' ? " " : c, 1);
    text_add(t, "`");
}

static const char *who(enum board_class w)
{
    static const char *const names[BOARD_CLASSES] = {"silicon", "the virtual board", "the board"};
    return names[w];
}

static const char *who_first(enum board_class w)
{
    static const char *const names[BOARD_CLASSES] = {"Silicon", "The virtual board", "The board"};
    return names[w];
}

static void number_of(struct text *t, uint64_t number, const char *one, const char *many)
{
    text_add_grouped(t, number);
    text_add(t, " %s", number == 1 ? one : many);
}

static const struct cause *cause_of(const struct finding *f)
{
    return f->explanation.candidates ? &f->explanation.candidate[0] : NULL;
}

/* "a", "a and b", "a, b and c": what stands before item `i` of `count`. */
static const char *list_joint(unsigned i, unsigned count)
{
    return i == 0 ? "" : i + 1 == count ? " and " : ", ";
}

void words_board(const struct board_identity *b, struct text *t)
{
    if (!strstr(b->provenance, b->description))
        text_add(t, "%s%s", b->description, b->provenance[0] ? ". Provenance: " : "");
    text_add(t, "%s", b->provenance);
    if (!b->provenance[0] && !b->description[0])
        text_add(t, "no description");
}

/* "`vc4-vpm` under profile `manual` with `virtual:bcm2835` (virtual board, not silicon)"; the last part alone
 * without `model`. */
static void words_comparison(const struct run_facts *run, bool model, struct text *t)
{
    if (model) {
        words_code(t, run->unit);
        text_add(t, " under profile ");
        words_code(t, run->profile);
        text_add(t, " with ");
    }
    words_code(t, run->board.spec);
    text_add(t, " (%s)", board_class_label[board_class(&run->board)]);
}

void words_run(const struct run_facts *run, struct text *t)
{
    words_comparison(run, true, t);
    if (run->interrupted)
        text_add(t, ", interrupted before its end");
}

void words_chain(const struct report *r, struct text *t)
{
    if (!r->links)
        return;
    text_add(t, "This report was made of a campaign whose chain of digests had ");
    text_add_grouped(t, r->links);
    text_add(t,
             " link%s, the last `%s`. Whether a campaign is that one, and whether anything in it was changed "
             "since, says: `misprint verify CAMPAIGN "
             "--head ",
             plural(r->links), r->head);
    text_add(t, "%s`.", r->head);
}

void words_title(const struct report *r, struct text *t)
{
    size_t end = strlen(r->title), start;
    while (end > 1 && r->title[end - 1] == '/')
        end--;
    for (start = end; start > 0 && r->title[start - 1] != '/'; start--)
        ;
    text_add_chars(t, r->title + start, end - start);
}

static bool same_model(const struct run_facts *a, const struct run_facts *b)
{
    return !strcmp(a->unit, b->unit) && !strcmp(a->profile, b->profile);
}

static bool same_comparison(const struct run_facts *a, const struct run_facts *b)
{
    return same_model(a, b) && !strcmp(a->board.spec, b->board.spec);
}

enum { NAMED = 4 };

/* The comparisons to name, as indices of runs: of each model one before any has a second. Returns how many
 * there are in all. */
static unsigned different_comparisons(const struct report *r, unsigned named[NAMED])
{
    unsigned different = 0, chosen = 0;
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < r->runs; i++) {
            bool known_model = false, known = false;
            for (unsigned k = 0; k < i; k++) {
                known_model |= same_model(&r->run[k], &r->run[i]);
                known |= same_comparison(&r->run[k], &r->run[i]);
            }
            if (known || known_model != (round == 1))
                continue;
            different++;
            if (chosen < NAMED)
                named[chosen++] = i;
        }
    for (unsigned i = 1; i < chosen;
         i++) /* in the order of the runs again, so that those of one model stand together */
        for (unsigned k = i; k > 0 && named[k] < named[k - 1]; k--) {
            unsigned later = named[k - 1];
            named[k - 1] = named[k];
            named[k] = later;
        }
    return different;
}

/* Did a run of this comparison end before its findings were settled, and none after it that settled them? */
static bool is_unsettled(const struct report *r)
{
    if (!r->run)
        return false;
    const struct run_facts *end = r->run + r->runs;
    for (const struct run_facts *run = r->run; run < end; run++) {
        bool open = run->unsettled;
        for (const struct run_facts *later = run + 1; later < end; later++)
            open &= later->unsettled || !same_comparison(later, run);
        if (open)
            return true;
    }
    return false;
}

void words_summary(const struct report *r, const struct report_facts *f, struct text *t)
{
    unsigned named[NAMED], different = different_comparisons(r, named);
    if (!different) {
        text_add(t, "This campaign holds no run.");
        return;
    }
    text_add(t, "This campaign compared Misprint's model of ");
    for (unsigned k = 0; k < different && k < NAMED; k++) {
        const struct run_facts *run = &r->run[named[k]], *before = k ? &r->run[named[k - 1]] : NULL;
        bool same = before && same_model(before, run);
        text_add(t, "%s", !before ? "" : same ? " and with " : "; ");
        words_comparison(run, !same, t);
    }
    if (different > NAMED)
        text_add(t, "; and in %u more way%s", different - NAMED, different == NAMED + 1 ? "" : "s");
    text_add(t, ". ");
    number_of(t, f->all.tally.compared, "case was", "cases were");
    text_add(t, " compared, in ");
    number_of(t, f->all.tally.bits, "bit", "bits");
    text_add(t, "; ");
    number_of(t, f->all.tally.different, "case", "cases");
    text_add(t, " differed, from which ");
    number_of(t, r->findings, "finding follows", "findings follow");
    text_add(t, is_unsettled(r) ? ", not settled yet: a run was cut short or still goes on, and several of "
                                  "them may have one cause. The same command again "
                                  "settles them."
                                : ", one for each cause.");
    if (f->all.tally.predicted) {
        text_add(t, " Of those compared, ");
        number_of(t, f->all.tally.predicted, "case", "cases");
        text_add(t, " did what the causes found by then foretell; whether the profile alone would have done "
                    "the same was not looked at.");
    }
    if (f->all.tally.unfiled) {
        text_add(t, " ");
        number_of(t, f->all.tally.unfiled, "case that differed is", "cases that differed are");
        text_add(t, " in none of them: there were as many findings as a run keeps.");
    }
}

void words_evidence(const struct report_facts *f, struct text *t)
{
    unsigned sum[BOARD_CLASSES] = {0};
    for (unsigned w = 0; w < BOARD_CLASSES; w++)
        for (unsigned v = 0; v < VERDICTS; v++)
            sum[w] += f->all.findings[w][v];
    if (!f->all.has_board_class[BOARD_CLASS_SILICON]) {
        text_add(t, "No result in this report was measured on silicon. %s",
                 f->all.has_board_class[BOARD_CLASS_VIRTUAL]
                     ? "Its boards are virtual: the model itself, under another profile. "
                     : "Its boards are other programs. ");
        text_add(t, "What follows shows where readings of the manual differ and how to tell them apart, not "
                    "what hardware does.");
        return;
    }
    number_of(t, sum[BOARD_CLASS_SILICON], "finding rests", "findings rest");
    text_add(t, " on values measured on silicon.");
    if (sum[BOARD_CLASS_VIRTUAL] + sum[BOARD_CLASS_OTHER]) {
        text_add(t, " ");
        number_of(t, sum[BOARD_CLASS_VIRTUAL] + sum[BOARD_CLASS_OTHER], "finding does", "findings do");
        text_add(t,
                 " not: there, the board is %s, and its word says nothing about hardware. Each finding says "
                 "which kind it is.",
                 !sum[BOARD_CLASS_OTHER] ? "virtual, the model itself under another profile"
                 : !sum[BOARD_CLASS_VIRTUAL]
                     ? "another program"
                     : "virtual (the model itself under another profile) or another program");
    }
}

void words_verdict(const struct finding_view *v, struct text *t)
{
    static const char *const names[VERDICTS] = {"manual erratum", "manual gap", "profile wrong",
                                                "unexplained",    "undefined",  "flaky"};
    static const char *const suffix[BOARD_CLASSES] = {"", " (virtual board)", " (not silicon)"};
    text_add(t, "%s%s", names[v->finding->verdict], suffix[v->board_class]);
}

/* "vpm and memory": the regions that differ. */
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
            text_add(t, "%s%s", list_joint(at++, count), l->regions[i].name);
    if (!count)
        text_add(t, v->differences.end_differs ? "how the case ends" : "its outcome");
}

void words_headline(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const struct cause *c = cause_of(f);
    if (f->verdict == VERDICT_FLAKY) {
        text_add(t, "The board's answers change from run to run");
    } else if (c && f->verdict != VERDICT_UNEXPLAINED) {
        for (unsigned i = 0; i < c->count; i++)
            text_add(t, "%s%s", i ? "; " : "", unit_clause(f->unit, c->change[i].clause)->title);
        if (f->explanation.candidates > 1)
            text_add(t, " (cannot be told apart from %s)",
                     f->explanation.candidates > 2 || f->explanation.more_candidates ? "others" : "another");
    } else if (f->verdict == VERDICT_UNDEFINED) {
        text_add(t, "What no document defines: ");
        differing_regions(v, t);
    } else {
        text_add(t, "Unexplained difference in ");
        differing_regions(v, t);
    }
}

/* "reading `a` of `clause` and reading `b` of `other`"; `manual` is called the manual's text. */
static void followed_readings(const struct finding *f, const struct cause *c, struct text *t)
{
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(f->unit, c->change[i].clause);
        text_add(t, "%sreading ", list_joint(i, c->count));
        words_code(t, clause->readings[c->change[i].reading].id);
        text_add(t, " of ");
        words_code(t, clause->id);
    }
}

/* "instead of `x`" when the model's profile did not simply follow the manual. */
static void against_profile(const struct finding_view *v, const struct cause *c, struct text *t)
{
    bool literal = true;
    for (unsigned i = 0; i < c->count; i++)
        literal = literal && v->shown && v->base.reading[c->change[i].clause] == READING_MANUAL;
    if (literal || !v->shown)
        return;
    text_add(t, " Profile ");
    words_code(t, v->finding->profile);
    text_add(t, " has ");
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(v->finding->unit, c->change[i].clause);
        text_add(t, "%s", list_joint(i, c->count));
        words_code(t, clause->readings[v->base.reading[c->change[i].clause]].id);
    }
    text_add(t, " there.");
}

static void explained_meaning(const struct finding_view *v, const struct cause *c, struct text *t)
{
    const struct finding *f = v->finding;
    static const char *const says[VERDICTS] = {
        [VERDICT_MANUAL_ERRATUM] = ", not what the manual says",
        [VERDICT_MANUAL_GAP] = ", where the manual leaves the question open",
        [VERDICT_PROFILE_WRONG] =
            ", the manual's own text: this says nothing against the manual, but against the profile",
    };
    text_add(t,
             f->explanation.candidates > 1 ? "If the first of the explanations below holds, %s follows "
                                           : "%s follows ",
             f->explanation.candidates > 1 ? who(v->board_class) : who_first(v->board_class));
    followed_readings(f, c, t);
    text_add(t, "%s.", says[f->verdict]);
    against_profile(v, c, t);
    if (v->board_class == BOARD_CLASS_VIRTUAL)
        text_add(t, " A virtual board is software: this shows where the readings differ, not which of them "
                    "hardware follows.");
    if (v->board_class == BOARD_CLASS_OTHER)
        text_add(t,
                 " The board is another program: this shows what that program does, not what hardware does.");
}

/* Unexplained because what does explain the case is refuted: it leaves no bit, yet it is only called the
 * nearest. */
static bool is_contradicted(const struct finding *f)
{
    return !f->explanation.candidates && f->explanation.nearest.count && !f->explanation.nearest_bits;
}

void words_meaning(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    const struct cause *c = cause_of(f);
    switch (f->verdict) {
    case VERDICT_MANUAL_ERRATUM:
    case VERDICT_MANUAL_GAP:
    case VERDICT_PROFILE_WRONG:
        if (c)
            explained_meaning(v, c, t);
        break;
    case VERDICT_UNEXPLAINED:
        text_add(t,
                 is_contradicted(f)
                     ? "The only explanation found contradicts other evidence of this run, so nothing "
                       "explains what %s did.%s"
                     : "No set of known readings that was tried makes the model do what %s did.%s",
                 who(v->board_class),
                 v->board_class == BOARD_CLASS_SILICON
                     ? " Either this is a new erratum, or the model is wrong."
                     : " Either the ledger lacks a reading, or the model or that board's program is wrong.");
        break;
    case VERDICT_UNDEFINED:
        if (!c) {
            text_add(t, "The model stops where the case asks for what no document defines. No side is wrong; "
                        "software must not rely on it.");
            break;
        }
        text_add(t, "The bits that differ are bits that the specification leaves undefined");
        text_add(t, " under ");
        followed_readings(f, c, t);
        text_add(t, ". No side is wrong; software must not rely on them.");
        break;
    default:
        text_add(t,
                 "Run again, %s gave another answer to the same case. Nothing can be concluded from it about "
                 "the manual.",
                 who(v->board_class));
        break;
    }
    if (f->explanation.cut)
        text_add(t, " The search stopped at its budget of model runs, so this may be incomplete.");
}

void words_strength(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    unsigned boards = v->boards ? v->boards->boards : 0;
    number_of(t, f->cases, "differing case was", "differing cases were");
    text_add(t, " filed here%s, ", f->explanation.candidates ? " by a search of their own" : "");
    if (v->board_class == BOARD_CLASS_SILICON)
        text_add(t, "measured on silicon");
    else
        text_add(t, "%s, which is no evidence about silicon",
                 v->board_class == BOARD_CLASS_VIRTUAL ? "on a virtual board"
                                                       : "on a board that is another program");
    if (boards > 1) {
        text_add(t, ", by %u boards: ", boards);
        for (unsigned i = 0; i < boards; i++) {
            text_add(t, "%s", list_joint(i, boards));
            words_code(t, v->boards->board[i].board.spec);
        }
    } else {
        text_add(t, ": ");
        words_code(t, f->board.spec);
    }
    text_add(t, ".");
}

void words_candidates(const struct finding_view *v, struct text *t)
{
    const struct explanation *e = &v->finding->explanation;
    if (e->candidates < 2)
        return;
    text_add(t, "Cannot be told apart from ");
    for (unsigned i = 1; i < e->candidates; i++) {
        struct text cause = {0};
        cause_print(v->finding->unit, &e->candidate[i], &cause);
        text_add(t, "%s", i == 1 ? "" : i + 1 == e->candidates && !e->more_candidates ? " or " : ", ");
        words_code(t, text_chars(&cause));
        text_free(&cause);
    }
    text_add(t, "%s: the cases filed here fit each of these.",
             e->more_candidates ? ", or one of further sets that are not listed" : "");
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
    text_add(t, is_contradicted(v->finding) ? "Explains this case, but makes the model wrong about others: "
                                            : "Nearest miss: ");
    words_code(t, text_chars(&cause));
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
    number_of(t, e->nearest_bits, "bit", "bits");
    text_add(t, " different");
    if (v->differences.bits && !v->differences.end_differs) {
        text_add(t, " of ");
        text_add_grouped(t, v->differences.bits);
    }
    text_add(t, ".");
}

/* Readings of the clause that have its strongest evidence, as "`a` and `b`"; returns how many. */
static unsigned best_readings(const struct clause *c, enum evidence best, struct text *t)
{
    unsigned count = 0, at = 0;
    for (unsigned i = 0; i < clause_readings(c); i++)
        count += c->readings[i].evidence == best;
    for (unsigned i = 0; i < clause_readings(c); i++) {
        if (c->readings[i].evidence != best)
            continue;
        text_add(t, "%s", list_joint(at++, count));
        words_code(t, c->readings[i].id);
    }
    return count;
}

static void silicon_support(const struct reading *followed, enum evidence best, const char *favourites,
                            struct text *t)
{
    text_add(t, "This campaign measured it on silicon: the evidence supports ");
    words_code(t, followed->id);
    if (followed->evidence == best)
        text_add(t, ", as the ledger's strongest evidence so far (%s) does.", evidence_words(best));
    else if (best == EVIDENCE_SILICON)
        text_add(t,
                 ". The ledger has silicon evidence for %s: the two measurements contradict each other, or "
                 "the chips differ.",
                 favourites);
    else
        text_add(t, ". That outweighs what the ledger has for %s (%s).", favourites, evidence_words(best));
}

void words_support(const struct finding_view *v, const struct named_clause *n, struct text *t)
{
    const struct clause *c = unit_clause(v->finding->unit, n->index);
    enum evidence best = clause_best_evidence(c);
    const struct reading *followed = n->followed >= 0 ? &c->readings[n->followed] : NULL;
    bool judged = v->finding->verdict <= VERDICT_PROFILE_WRONG;
    struct text favourites = {0};
    unsigned count = best_readings(c, best, &favourites);
    if (followed && judged && v->board_class == BOARD_CLASS_SILICON) {
        silicon_support(followed, best, text_chars(&favourites), t);
    } else {
        if (count == 1)
            text_add(t, "The evidence in the ledger supports %s (%s).", text_chars(&favourites),
                     evidence_words(best));
        else
            text_add(t, "The evidence in the ledger does not decide between %s (%s for each).",
                     text_chars(&favourites), evidence_words(best));
        if (followed && judged && followed->evidence == best && count == 1) {
            text_add(t, " %s follows it, which adds no evidence.", who_first(v->board_class));
        } else if (followed && judged) {
            text_add(t, " %s follows ", who_first(v->board_class));
            words_code(t, followed->id);
            if (followed->evidence != best)
                text_add(t, ", for which there is %s", evidence_words(followed->evidence));
            text_add(t, "; that adds no evidence for it.");
        }
    }
    text_free(&favourites);
}

/* Can `--board SPEC` open it again? A recording's own name ("table:alu.csv") can't. */
static bool can_open(const char *spec)
{
    size_t length = strcspn(spec, ":");
    const struct board_kind *kind;
    for (unsigned i = 0; (kind = board_kind_at(i)); i++)
        if (strlen(kind->name) == length && !strncmp(kind->name, spec, length))
            return true;
    return false;
}

/* A board's spec as the shell takes it, so that it means the same from another folder. */
static void shell_board(const struct board_identity *b, struct text *t)
{
    struct text spec = {0};
    if (b->folder[0] && !strncmp(b->spec, "exec:", 5)) {
        text_add(&spec, "exec:cd ");
        escape_shell(&spec, b->folder);
        text_add(&spec, " && %s", b->spec + 5);
    } else if (b->folder[0] && !strncmp(b->spec, "trace:", 6) && b->spec[6] != '/') {
        text_add(&spec, "trace:%s/%s", b->folder, b->spec + 6);
    } else {
        text_add(&spec, "%s", b->spec);
    }
    escape_shell(t, text_chars(&spec));
    text_free(&spec);
}

void words_commands(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    if (!v->loose) {
        struct text arguments = {0};
        text_add(&arguments, "cases/%s.case --profile ", f->id);
        escape_shell(&arguments, f->profile);
        if (can_open(f->board.spec)) {
            text_add(t, "misprint explain %s --board ", text_chars(&arguments));
            shell_board(&f->board, t);
            text_add(t, "\n");
        }
        text_add(t, "misprint run %s\n", text_chars(&arguments));
        text_free(&arguments);
    }
    const struct cause *c = cause_of(f);
    for (unsigned i = 0; c && i < c->count; i++)
        text_add(t, "misprint show %s\n", unit_clause(f->unit, c->change[i].clause)->id);
}

void words_ends(const struct finding_view *v, struct text *t)
{
    if (!v->shown || picture_contents(&v->picture))
        return;
    static const char *const names[SIDES] = {"The model", "the board"};
    for (unsigned s = 0; s < SIDES; s++) {
        const struct outcome *o = v->picture.side[s];
        const char *reason = o->reason < unit_reasons(o->unit) ? o->unit->reasons[o->reason] : "";
        text_add(t, "%s%s ended with ", s ? "; " : "", names[s]);
        words_code(t, end_name(o->end));
        if (reason[0])
            text_add(t, " (%s)", reason);
    }
    text_add(t, ". Only the ends were compared.");
}

void words_case(const struct finding *f, unsigned lines, struct text *t)
{
    struct text whole = {0};
    unsigned shown = 0, more = 0;
    case_print(f->smallest, &whole);
    const char *end = text_chars(&whole);
    for (; *end; end++)
        if (*end == '\n') {
            shown++;
            if (shown == lines)
                break;
        }
    size_t length = (size_t)(end - text_chars(&whole));
    text_add_chars(t, text_chars(&whole), length);
    for (const char *c = end; *c; c++)
        more += *c == '\n' && c[1];
    if (more)
        text_add(t, "\n# %u more line%s in cases/%s.case\n", more, plural(more), f->id);
    text_free(&whole);
}
