/* SPDX-License-Identifier: MIT */
/* The sentences of reports, all made from the fields of the ledger and the findings. */
#include "oracle/describe/authority.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/report/report_facts.h"
#include "oracle/report/report_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* Chooses at most NAMED comparisons to name, as indices of runs. It prefers comparisons of different models
 * to further boards of the same model. Returns the number of all comparisons. */
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

/* Writes one model of words_tested with its boards: "`vc4-qpu` under profile `manual` against 4 boards
 * (silicon)".
 */
static void words_model(const struct report *r, unsigned first, struct text *t)
{
    unsigned boards = 0;
    bool has[BOARD_CLASSES] = {false};
    for (unsigned i = first; i < r->runs; i++) {
        bool known = !same_model(&r->run[first], &r->run[i]);
        for (unsigned k = first; k < i; k++)
            known |= same_comparison(&r->run[k], &r->run[i]);
        boards += !known;
        if (!known)
            has[board_class(&r->run[i].board)] = true;
    }
    words_add(t, "`%s` under profile `%s` against ", r->run[first].unit, r->run[first].profile);
    if (boards == 1)
        words_add(t, "`%s` (", r->run[first].board.spec);
    else
        text_add(t, "%u boards or recordings (", boards);
    for (unsigned c = 0, listed = 0; c < BOARD_CLASSES; c++)
        if (has[c])
            text_add(t, "%s%s", listed++ ? "; " : "", board_class_label[c]);
    text_add(t, ")");
}

void words_tested(const struct report *r, const struct report_facts *f, struct text *t)
{
    unsigned models = 0;
    for (unsigned i = 0; i < r->runs; i++) {
        bool known = false;
        for (unsigned k = 0; k < i; k++)
            known |= same_model(&r->run[k], &r->run[i]);
        if (known || models++ >= NAMED)
            continue;
        text_add(t, "%s", models > 1 ? "; " : "");
        words_model(r, i, t);
    }
    if (models > NAMED)
        text_add(t, "; and %u more", models - NAMED);
    text_add(t, "%s", models ? ": " : "");
    words_number(t, f->all.tally.compared, "case compared, ", "cases compared, ");
    words_number(t, f->all.tally.different, "differs.", "differ.");
}

void words_counted(const struct report_facts *f, struct text *t)
{
    if (f->all.tally.attributed && f->all.tally.attributed < f->all.tally.different)
        words_add(t,
                  "Of the %'" PRIu64 " cases that differ, the findings count only the %'" PRIu64
                  " that were searched for a cause; the others are like these. A case with several causes "
                  "counts for each.",
                  f->all.tally.different, f->all.tally.attributed);
}

/* Names the finding to read first: one with the most cases among those of the first verdict of the first kind
 * of board in the list. */
const struct finding *report_first(const struct report *r)
{
    unsigned *order = report_order(r);
    const struct finding *first = r->findings ? &r->finding[order[0]] : NULL;
    for (unsigned i = 1; i < r->findings; i++) {
        const struct finding *f = &r->finding[order[i]];
        if (f->verdict == first->verdict && board_class(&f->board) == board_class(&first->board) &&
            f->cases > first->cases)
            first = f;
    }
    free(order);
    return first;
}

/* Did a run end without reconciling its findings, and has no later run of the same comparison done so? */
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

void words_warning(const struct report *r, struct text *t)
{
    if (r->changed)
        text_add(t, "Do not rely on this report. Something other than Misprint changed the campaign after it "
                    "was written; `misprint verify CAMPAIGN` names what was changed. ");
    if (is_unreconciled(r))
        text_add(t, "A run was cut short or is still going on. The cases of its last second may be missing, "
                    "and several findings may have one cause. Run the same command again to finish it.");
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
    words_number(t, r->findings, "finding", "findings");
    text_add(t, ".");
    words_causes(r, t);
    if (f->all.tally.predicted)
        words_add(t,
                  " To save time, %'" PRIu64
                  " of the compared cases ran only on the model with the causes already found, and agreed.",
                  f->all.tally.predicted);
    if (f->all.tally.unfiled) {
        text_add(t, " ");
        words_number(t, f->all.tally.unfiled, "differing case has", "differing cases have");
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
    words_number(t, sum[BOARD_CLASS_SILICON], "finding rests", "findings rest");
    text_add(t, " on values measured on silicon.");
    if (sum[BOARD_CLASS_VIRTUAL] + sum[BOARD_CLASS_IMPLEMENTATION]) {
        text_add(t, " ");
        words_number(t, sum[BOARD_CLASS_VIRTUAL] + sum[BOARD_CLASS_IMPLEMENTATION], "finding does",
                     "findings do");
        text_add(t,
                 " not: there, the board is %s, which is no evidence about hardware. Each finding says which "
                 "kind of board it has.",
                 !sum[BOARD_CLASS_IMPLEMENTATION] ? "virtual, the model itself under another profile"
                 : !sum[BOARD_CLASS_VIRTUAL]
                     ? "another program"
                     : "virtual (the model itself under another profile) or another program");
    }
}

void words_verdict(const struct finding_view *v, struct text *t)
{
    static const char *const suffix[BOARD_CLASSES] = {"", " (virtual board)", " (implementation)"};
    enum verdict verdict = v->finding->verdict;
    bool said = verdict == VERDICT_IMPLEMENTATION_DIFFERS || verdict == VERDICT_IMPLEMENTATION_CHOICE;
    struct text name = {0};
    authority_add(v->finding->unit, verdict_name(verdict), &name);
    for (const char *c = text_chars(&name); *c; c++)
        text_add(t, "%c", *c == '-' ? ' ' : *c);
    text_free(&name);
    text_add(t, "%s", said ? "" : suffix[v->board_class]);
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

/* Is this "trace:FILE", "plugin:FILE" or "program:FILE" with a file name that depends on the folder? */
static bool names_relative_file(const char *spec)
{
    static const char *const kinds[] = {"trace:", "plugin:", "program:"};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strncmp(spec, kinds[i], strlen(kinds[i])))
            return spec[strlen(kinds[i])] != '/';
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
    } else if (b->folder[0] && names_relative_file(b->spec)) {
        size_t kind = strcspn(b->spec, ":") + 1;
        text_add(&spec, "%.*s%s/%s", (int)kind, b->spec, b->folder, b->spec + kind);
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
    const struct cause *c = f->explanation.candidates ? &f->explanation.candidate[0] : NULL;
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
