/* SPDX-License-Identifier: MIT */
/* The sentences of reports, all made from the fields of the ledger and the findings. */
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/report/report_facts.h"

#include <inttypes.h>
#include <string.h>

/* Adds a string with ' in place of backticks, which would end a name, and blanks in place of line ends. */
static void add_clean(struct text *t, const char *chars)
{
    for (const char *c = chars; *c; c++)
        text_add_chars(t, *c == '`' ? "'" : *c == '\n' ? " " : c, 1);
}

/* Adds words like printf, and cleans each %s. The flag ' groups the digits of integers (2,795,520). */
static void words_add(struct text *t, const char *form, ...) __attribute__((format(printf, 2, 3)));
static void words_add(struct text *t, const char *form, ...)
{
    va_list values;
    va_start(values, form);
    text_add_escaped(t, add_clean, form, values);
    va_end(values);
}

static const char *who(enum board_class c)
{
    static const char *const names[BOARD_CLASSES] = {"silicon", "the virtual board", "the board"};
    return names[c];
}

static const char *who_first(enum board_class c)
{
    static const char *const names[BOARD_CLASSES] = {"Silicon", "The virtual board", "The board"};
    return names[c];
}

static void number_of(struct text *t, uint64_t number, const char *one, const char *many)
{
    words_add(t, "%'" PRIu64 " %s", number, number == 1 ? one : many);
}

static const struct cause *cause_of(const struct finding *f)
{
    return f->explanation.candidates ? &f->explanation.candidate[0] : NULL;
}

/* The text between item `i` of `count` and the item before it: "a", "a and b", "a, b and c". */
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

/* Writes what was compared: "`vc4-vpm` under profile `manual` with `virtual:bcm2835` (virtual board, not
 * silicon)". `model` false: only the board. */
static void words_comparison(const struct run_facts *run, bool model, struct text *t)
{
    if (model)
        words_add(t, "`%s` under profile `%s` with ", run->unit, run->profile);
    words_add(t, "`%s` (%s)", run->board.spec, board_class_label[board_class(&run->board)]);
}

void words_run(const struct run_facts *run, struct text *t)
{
    words_comparison(run, true, t);
    if (run->interrupted)
        text_add(t, ", interrupted before its end");
}

void words_chain(const struct report *r, struct text *t)
{
    if (r->links)
        words_add(t,
                  "The campaign's chain of digests had %'" PRIu64
                  " link%s, the last `%s`, when this report was made. To check that a campaign is the same "
                  "and unchanged: `misprint verify CAMPAIGN --head %s`.",
                  r->links, plural(r->links), r->head, r->head);
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

/* Chooses which comparisons to name, as indices of runs: one of each model first, then others. Returns the
 * number of all comparisons. */
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
    for (unsigned i = 1; i < chosen; i++) /* sort by run, so that those of one model are together */
        for (unsigned k = i; k > 0 && named[k] < named[k - 1]; k--) {
            unsigned later = named[k - 1];
            named[k - 1] = named[k];
            named[k] = later;
        }
    return different;
}

/* Did a run end without reconciling its findings, and did no later run of the same comparison do so? */
static bool is_unreconciled(const struct report *r)
{
    if (!r->run)
        return false;
    const struct run_facts *end = r->run + r->runs;
    for (const struct run_facts *run = r->run; run < end; run++) {
        bool open = run->unreconciled;
        for (const struct run_facts *later = run + 1; later < end; later++)
            open &= later->unreconciled || !same_comparison(later, run);
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
    words_add(t,
              ". It compared %'" PRIu64 " case%s in %'" PRIu64 " bit%s; %'" PRIu64
              " case%s differed, which gives ",
              f->all.tally.compared, plural(f->all.tally.compared), f->all.tally.bits,
              plural(f->all.tally.bits), f->all.tally.different, plural(f->all.tally.different));
    number_of(t, r->findings, "finding", "findings");
    text_add(t,
             is_unreconciled(r)
                 ? ". A run was cut short or is still going on, so several findings may have one cause; run "
                   "the same command again to reconcile them."
                 : ", one for each cause.");
    if (f->all.tally.predicted)
        words_add(t,
                  " The causes already found predicted %'" PRIu64
                  " of the compared cases; these were not compared with the profile alone.",
                  f->all.tally.predicted);
    if (f->all.tally.unfiled) {
        text_add(t, " ");
        number_of(t, f->all.tally.unfiled, "differing case has", "differing cases have");
        text_add(t, " no finding, because the run had no room for more.");
    }
}

void words_evidence(const struct report_facts *f, struct text *t)
{
    unsigned sum[BOARD_CLASSES] = {0};
    for (unsigned c = 0; c < BOARD_CLASSES; c++)
        for (unsigned v = 0; v < VERDICTS; v++)
            sum[c] += f->all.findings[c][v];
    if (!f->all.has_board_class[BOARD_CLASS_SILICON]) {
        text_add(t, "No result in this report was measured on silicon. %s",
                 f->all.has_board_class[BOARD_CLASS_VIRTUAL]
                     ? "Its boards are virtual: the model itself, under another profile. "
                     : "Its boards are other programs. ");
        text_add(t, "The findings show where readings of the manual differ and how to tell them apart, not "
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

/* Writes "reading `a` of `clause` and reading `b` of `other`". */
static void followed_readings(const struct finding *f, const struct cause *c, struct text *t)
{
    for (unsigned i = 0; i < c->count; i++) {
        const struct clause *clause = unit_clause(f->unit, c->change[i].clause);
        words_add(t, "%sreading `%s` of `%s`", list_joint(i, c->count),
                  clause->readings[c->change[i].reading].id, clause->id);
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
        words_add(t, "%s`%s`", list_joint(i, c->count),
                  clause->readings[v->base.reading[c->change[i].clause]].id);
    }
    text_add(t, " there.");
}

static void explained_meaning(const struct finding_view *v, const struct cause *c, struct text *t)
{
    const struct finding *f = v->finding;
    static const char *const says[VERDICTS] = {
        [VERDICT_MANUAL_ERRATUM] = ", not what the manual says",
        [VERDICT_MANUAL_GAP] = ", where the manual leaves the question open",
        [VERDICT_PROFILE_WRONG] = ", the manual's own text, so the profile is wrong and not the manual",
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

/* Is the finding unexplained because its only explanation was refuted? Such an explanation leaves no bit
 * different in this case. */
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
        text_add(
            t,
            is_contradicted(f)
                ? "The only explanation found contradicts other evidence, so nothing explains what %s did.%s"
                : "No set of known readings that was tried makes the model do what %s did.%s",
            who(v->board_class),
            v->board_class == BOARD_CLASS_SILICON
                ? " Either this is a new erratum, or the model is wrong."
                : " Either the ledger lacks a reading, or the model or that board's program is wrong.");
        break;
    case VERDICT_UNDEFINED:
        if (!c) {
            text_add(t, "The model stops because the case does something that no document defines. No side "
                        "is wrong; software must not rely on it.");
            break;
        }
        text_add(t, "The specification leaves the differing bits undefined under ");
        followed_readings(f, c, t);
        text_add(t, ". No side is wrong; software must not rely on them.");
        break;
    default:
        text_add(t, "When the case ran again, %s gave another answer. This says nothing about the manual.",
                 who(v->board_class));
        break;
    }
    if (f->explanation.cut)
        text_add(t, " The search used up its budget of model runs, so this may be incomplete.");
}

void words_strength(const struct finding_view *v, struct text *t)
{
    const struct finding *f = v->finding;
    unsigned boards = v->boards ? v->boards->boards : 0;
    words_add(t, "%'" PRIu64 " differing case%s%s show%s this, ", f->cases, plural(f->cases),
              f->explanation.candidates ? ", each searched for a cause," : "", f->cases == 1 ? "s" : "");
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
        words_add(t, "%s`%s`", list_joint(i, boards), v->boards->board[i].board.spec);
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
        words_add(t, "%s`%s`",
                  i == 1                                          ? ""
                  : i + 1 == e->candidates && !e->more_candidates ? " or "
                                                                  : ", ",
                  text_chars(&cause));
        text_free(&cause);
    }
    text_add(t, "%s: each of these explains all cases of this finding.",
             e->more_candidates ? ", or from further sets that are not listed" : "");
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
    number_of(t, e->nearest_bits, "bit", "bits");
    text_add(t, " different");
    if (v->differences.bits && !v->differences.end_differs)
        words_add(t, " of %'" PRIu64, v->differences.bits);
    text_add(t, ".");
}

/* Lists the readings of the clause with its strongest evidence as "`a` and `b`". Returns their number. */
static unsigned best_readings(const struct clause *c, enum evidence best, struct text *t)
{
    unsigned count = 0, at = 0;
    for (unsigned i = 0; i < clause_readings(c); i++)
        count += c->readings[i].evidence == best;
    for (unsigned i = 0; i < clause_readings(c); i++) {
        if (c->readings[i].evidence != best)
            continue;
        words_add(t, "%s`%s`", list_joint(at++, count), c->readings[i].id);
    }
    return count;
}

static void silicon_support(const struct reading *followed, enum evidence best, const char *favourites,
                            struct text *t)
{
    words_add(t, "This campaign measured it on silicon: the evidence supports `%s`", followed->id);
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
            words_add(t, " %s follows `%s`", who_first(v->board_class), followed->id);
            if (followed->evidence != best)
                text_add(t, ", for which there is %s", evidence_words(followed->evidence));
            text_add(t, "; that adds no evidence for it.");
        }
    }
    text_free(&favourites);
}

/* Can `--board SPEC` open the board again? It cannot if the spec names a recording ("table:alu.csv"). */
static bool can_open(const char *spec)
{
    size_t length = strcspn(spec, ":");
    const struct board_kind *kind;
    for (unsigned i = 0; (kind = board_kind_at(i)); i++)
        if (strlen(kind->name) == length && !strncmp(kind->name, spec, length))
            return true;
    return false;
}

/* Writes a board's spec, quoted for the shell and valid from any folder. */
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
        words_add(t, "%s%s ended with `%s`", s ? "; " : "", names[s], end_name(o->end));
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
