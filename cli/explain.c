/* SPDX-License-Identifier: MIT */
/* `misprint explain` and `misprint reduce` examine single discrepancies. */
#include "oracle/attribution/explain.h"
#include "cli/session/attribution.h"
#include "cli/session/board.h"
#include "cli/session/campaign_rules.h"
#include "cli/session/comparison.h"
#include "cli/session/inputs.h"
#include "fuzz/hypothesis.h"
#include "fuzz/reduce.h"
#include "model/core/memory.h"
#include "oracle/describe/authority.h"
#include "oracle/describe/clause_text.h"
#include "oracle/describe/escape.h"
#include "oracle/describe/rule_text.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"
#include "oracle/report/report_cause.h"
#include "oracle/store/finding.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model and the board with which both commands run and compare a case. */
struct subject {
    const struct unit *unit;
    struct profile profile;
    const char *profile_name;
    struct board *board;
    struct executor *executor;
    struct outcome *model, *answer;
    struct differences differences;
    struct tally tally;
    unsigned changes;
    bool unanswered; /* the board gave no outcome for the last case */
};

static void subject_close(struct subject *s)
{
    board_close(s->board);
    executor_free(s->executor);
    outcome_free(s->model);
    outcome_free(s->answer);
}

static bool subject_open(struct subject *s, const struct unit *u, const struct arguments *a,
                         const char *profile, const char *board, struct error *e)
{
    *s = (struct subject){.unit = u, .profile_name = profile};
    if (!argument_changes(a, &s->changes, e) || !profile_load(u, s->profile_name, &s->profile, e) ||
        !(s->board = session_board(a, board, u, &s->profile, e)))
        return false;
    s->executor = executor_new(u);
    executor_place(s->executor, &s->board->identity);
    s->model = outcome_new(u);
    s->answer = outcome_new(u);
    return true;
}

/* Runs the case on the board, and compares the model with the board's outcome. */
static bool subject_ask(struct subject *s, const struct test_case *c, enum match *match, struct error *e)
{
    enum answer answer;
    if (!board_run_one(s->board, c, s->answer, &answer, e))
        return false;
    tally_answer(&s->tally, answer);
    s->unanswered = answer != ANSWER_OUTCOME;
    if (s->unanswered) {
        const char *reason = board_reason(s->board, 0);
        e->of_machine = true;
        return error_set(e, "board %s gave no outcome for this case (%s%s%s)", s->board->identity.spec,
                         answer_name(answer), reason[0] ? ": " : "", reason);
    }
    *match = model_match(s->executor, c, &s->profile, s->answer, s->model, &s->tally, &s->differences);
    return true;
}

static void print_readings(const struct unit *u, const struct cause *cause, struct text *t)
{
    for (unsigned i = 0; i < cause->count; i++) {
        const struct clause *c = unit_clause(u, cause->change[i].clause);
        const struct reading *r = &c->readings[cause->change[i].reading];
        text_add(t,
                 "    %s: %s (%s)\n"
                 "      %s%s: %s\n"
                 "      reading '%s': %s\n"
                 "      source: %s [%s]\n",
                 c->id, c->title, c->where, u->authority ? u->authority : "the manual",
                 c->silent ? ", silent, so this is assumed" : "", c->readings[0].says, r->id, r->says,
                 r->source, evidence_words(r->evidence));
    }
}

/* `rules`: number of the campaign's rules that the profile has, too. */
static void print_difference(const struct subject *s, const char *label, unsigned rules, struct text *t)
{
    escape_utf8(t, label, strlen(label));
    text_add(t, ": %s, profile %s", s->unit->name, s->profile_name);
    if (rules)
        text_add(t, " with the %u rule%s that the campaign learned", rules, plural(rules));
    text_add(t, " against %s (%s)\n", s->board->identity.spec,
             s->board->identity.silicon ? "measured on silicon" : "no silicon");
    differences_print(s->unit, &s->differences, 8, t);
}

static void print_explanation(const struct subject *s, const struct explanation *x, struct text *t)
{
    if (x->candidates) {
        text_add(t, "  verdict: ");
        authority_add(s->unit, verdict_name(verdict_of(s->unit, x, true, board_class(&s->board->identity))),
                      t);
        unsigned sides = x->masked ? 0 : cause_contradicts(s->unit, &x->candidate[0]);
        if (sides && board_class(&s->board->identity) == BOARD_CLASS_IMPLEMENTATION) {
            text_add(t, ": ");
            authority_add(s->unit, contradiction_words(sides), t);
        }
        text_add(t, "\n");
    }
    for (unsigned i = 0; i < x->candidates; i++) {
        text_add(t, "  %s%s ", i ? "or " : "", cause_explains_how(&x->candidate[i]));
        cause_print(s->unit, &x->candidate[i], t);
        text_add(t, "\n");
        print_readings(s->unit, &x->candidate[i], t);
    }
    if (!x->candidates) {
        text_add(t, "  verdict: %s: no set of up to %u known readings%s gives what the board did%s\n",
                 verdict_name(verdict_of(s->unit, x, true, board_class(&s->board->identity))), s->changes,
                 x->cut ? " that was tried" : "",
                 x->unspecified ? ", and no document says what happens where the model stops" : "");
        if (x->nearest.count) {
            text_add(t, "  nearest: ");
            cause_print(s->unit, &x->nearest, t);
            text_add(t,
                     x->nearest_bits == DISTANCE_ENDS ? " (still ends differently)\n"
                                                      : ", which leaves %" PRIu64 " bit%s differing\n",
                     x->nearest_bits, plural(x->nearest_bits));
        }
    }
    text_add(t, "  (%" PRIu64 " model run%s%s)\n", x->runs, plural(x->runs),
             x->cut ? "; the search was cut short, other sets may explain it, too" : "");
}

/* Prints the rules that explain a case. Rules of a finding: all are needed together. */
static void print_rules(const struct subject *s, const struct campaign_rules *r, const bool *needed,
                        struct text *t)
{
    enum board_class who = board_class(&s->board->identity);
    text_add(t, "  verdict: %s\n", verdict_name(verdict_of_learned(&(struct finding_learned){0}, who)));
    for (unsigned i = 0; i < r->findings; i++) {
        const char *line = r->finding[i].learned.rules;
        struct rule rule;
        if (!needed[i])
            continue;
        text_add(t, "  explained by a rule that the campaign learned (finding %s):\n", r->finding[i].id);
        while (rule_next(s->unit, &line, &rule)) {
            text_add(t, "    ");
            rule_print(s->unit, &rule, t);
            text_add(t, "\n      ");
            rule_describe(s->unit, &rule, t);
            text_add(t, "\n");
        }
    }
}

/* `needed`: the findings whose rules explain the case, instead of readings; NULL: none. */
static json_t *rules_json(const struct campaign_rules *r, const bool *needed)
{
    json_t *list = json_array();
    for (unsigned i = 0; needed && i < r->findings; i++)
        if (needed[i])
            json_array_append_new(list, json_pack("{s:s, s:s}", "finding", r->finding[i].id, "rules",
                                                  r->finding[i].learned.rules));
    return list;
}

static json_t *explanation_json(const struct subject *s, const char *label, const struct explanation *x,
                                const struct campaign_rules *rules, const bool *needed)
{
    enum board_class who = board_class(&s->board->identity);
    enum verdict verdict =
        needed ? verdict_of_learned(&(struct finding_learned){0}, who) : verdict_of(s->unit, x, true, who);
    json_t *candidates = json_array();
    for (unsigned i = 0; i < x->candidates; i++)
        json_array_append_new(candidates, cause_to_json(s->unit, &x->candidate[i]));
    return json_pack("{s:o, s:s, s:o, s:o, s:b, s:s, s:I, s:o, s:o, s:b, s:b, s:o, s:I}", "case",
                     json_text(label), "unit", s->unit->name, "profile", json_text(s->profile_name), "board",
                     json_text(s->board->identity.spec), "silicon", (int)s->board->identity.silicon,
                     "verdict", verdict_name(verdict), "differing_bits", (json_int_t)s->differences.bits,
                     "rules", rules_json(rules, needed), "explanations", candidates, "excused",
                     (int)x->masked, "cut", (int)x->cut, "nearest", cause_to_json(s->unit, &x->nearest),
                     "runs", (json_int_t)x->runs);
}

struct explaining {
    struct subject subject;
    struct explainer *explainer;
    struct hypothesis *hypothesis; /* the rules of --rule, which replace a search for readings; NULL: none */
    struct evidence_set *evidence; /* all cases of this unit and board, also those that agree */
    const struct arguments *arguments;
    struct comparison comparison;
    struct campaign_rules rules;
    bool *needed; /* of rules */
    json_t *list;
    struct tally tally;
    uint64_t different, unanswered;
    struct coverage touched; /* by the cases of this unit and board */
    struct text note;        /* why cases on a virtual board may show no difference */
};

/* Says whether a case supports or refutes the rules of --rule. */
static void judge_rule(const struct explaining *x, const struct test_case *c, const char *label)
{
    const struct subject *s = &x->subject;
    enum hypothesis_result r = hypothesis_judge(x->hypothesis, c, s->answer);
    const struct text *rules = &x->arguments->rules;
    if (x->list) {
        json_array_append_new(
            x->list, json_pack("{s:o, s:s, s:o, s:o, s:b, s:o, s:s, s:b, s:I}", "case", json_text(label),
                               "unit", s->unit->name, "profile", json_text(s->profile_name), "board",
                               json_text(s->board->identity.spec), "silicon", (int)s->board->identity.silicon,
                               "rule", json_text(text_chars(rules) + 1), "result", hypothesis_name(r),
                               "agrees_without", (int)x->hypothesis->plain_agrees, "differing_bits",
                               (json_int_t)x->hypothesis->difference.bits));
        return;
    }
    struct text t = {0};
    escape_utf8(&t, label, strlen(label));
    text_add(&t, ": %s against %s (%s)\n  ", text_chars(rules) + 1, s->board->identity.spec,
             s->board->identity.silicon ? "measured on silicon" : "no silicon");
    hypothesis_print(x->hypothesis, r, &t);
    (void)print_text(&t, STATUS_EQUAL);
}

/* Searches for readings that explain the case under a profile. */
static void search(struct explaining *x, const struct test_case *c, const struct profile *p,
                   struct explanation *found)
{
    const struct subject *s = &x->subject;
    explainer_run(x->explainer, c, p, s->answer, s->changes, 0, found);
    if (s->changes >= 3)
        explainer_deepen(x->explainer, c, p, s->answer, found);
}

/* Explains a case that differs: by the campaign's rules, by readings beside these rules, or by readings
 * alone. */
static void explain_difference(struct explaining *x, const struct test_case *c, const char *label)
{
    struct subject *s = &x->subject;
    struct explanation found = {0};
    unsigned rules = x->rules.count;
    struct text t = {0};
    bool by_rules = campaign_rules_explain(&x->rules, s->executor, c, s->answer, s->model, x->needed);
    if (rules && !by_rules) {
        search(x, c, &x->rules.learned, &found);
        if (found.candidates)
            (void)model_match(s->executor, c, &x->rules.learned, s->answer, s->model, NULL, &s->differences);
    }
    if (!by_rules && !found.candidates) {
        rules = 0;
        search(x, c, &s->profile, &found);
    }
    if (x->list) {
        json_array_append_new(x->list,
                              explanation_json(s, label, &found, &x->rules, by_rules ? x->needed : NULL));
        return;
    }
    print_difference(s, label, by_rules ? 0 : rules, &t);
    if (by_rules)
        print_rules(s, &x->rules, x->needed, &t);
    else
        print_explanation(s, &found, &t);
    (void)print_text(&t, STATUS_EQUAL);
}

static bool explain_one(void *context, const struct test_case *c, const char *label, struct error *e)
{
    struct explaining *x = context;
    struct subject *s = &x->subject;
    enum match match = MATCH_EQUAL;
    if (interrupted)
        return false;
    if (!subject_ask(s, c, &match, e)) {
        error_where(e, "%s", label);
        if (!s->unanswered)
            return false;
        x->unanswered++; /* continue: the board may answer other cases */
        fail(STATUS_BROKEN, e);
        *e = (struct error){0};
        return true;
    }
    coverage_merge(&x->touched, &s->executor->last);
    if (match != MATCH_UNDEFINED)
        evidence_set_add(x->evidence, c, s->answer, true);
    x->different += match == MATCH_DIFFERENT;
    if (x->hypothesis)
        judge_rule(x, c, label);
    if (match == MATCH_DIFFERENT && !x->hypothesis)
        explain_difference(x, c, label);
    return true;
}

/* Attributes over all cases together, if there are several. */
static void explain_together(const struct explaining *x)
{
    const struct subject *s = &x->subject;
    const struct attribution_limits limits = {.most = s->changes};
    struct attribution a;
    if (evidence_set_count(x->evidence) < 2 || x->hypothesis || interrupted)
        return;
    attribute(s->executor, x->evidence, x->rules.count ? &x->rules.learned : &s->profile, &limits, &a);
    if (!a.different)
        return;
    if (x->list) {
        json_array_append_new(x->list, json_pack("{s:o}", "attribution", attribution_json(s->unit, &a)));
        return;
    }
    struct text t = {0};
    attribution_print(s->unit, &a, &t);
    (void)print_text(&t, STATUS_EQUAL);
}

/* Makes a hypothesis of the rules of --rule. Its base is the profile without these rules. */
static bool open_hypothesis(struct explaining *x, struct error *e)
{
    const struct subject *s = &x->subject;
    size_t rules = x->arguments->rules.length, length = strlen(s->profile_name);
    struct profile base;
    if (!rules)
        return true;
    char *name = strndup(s->profile_name, length - rules); /* the rules come last */
    bool good = name && profile_load(s->unit, name, &base, e);
    free(name);
    if (good)
        x->hypothesis = hypothesis_new(s->unit, &base, &s->profile, &s->board->identity);
    return good;
}

/* Notes which clauses the cases touch, and in which of these the virtual board's profile differs. */
static void note_untouched(struct explaining *x)
{
    const struct subject *s = &x->subject;
    struct profile board;
    struct text same = {0}, other = {0};
    unsigned differ = 0, touched = 0;
    if (x->different || x->hypothesis || !s->board->profile[0] ||
        !profile_load(s->unit, s->board->profile, &board, NULL))
        return;
    for (unsigned c = 0; c < unit_clauses(s->unit); c++) {
        bool differs = board.reading[c] != s->profile.reading[c], covers = covered(&x->touched, c);
        differ += differs;
        touched += differs && covers;
        if (covers)
            text_add(differs ? &same : &other, " %s", unit_clause(s->unit, c)->id);
    }
    text_add(&x->note, "  The board is the model under profile %s, which differs from %s in %u clause%s. ",
             s->board->profile, s->profile_name, differ, plural(differ));
    text_add(&x->note,
             touched ? "The case%s touch%s these, without effect:%s.\n"
                     : "The case%s touch%s none of them%s.\n",
             plural((unsigned)s->tally.cases), s->tally.cases == 1 ? "es" : "", text_chars(&same));
    if (other.length)
        text_add(&x->note, "  Touched too, for --board virtual:CLAUSE=READING:%s\n", text_chars(&other));
    text_free(&same);
    text_free(&other);
}

/* Explains the cases of one unit on one board: the cases of the input `only`, or, if `only` is NULL, those of
 * all the unit's inputs. Traces are included only if the user named the board. */
static bool explain_on(struct explaining *x, const struct inputs *in, const struct unit *u, const char *board,
                       const struct input *only, struct error *e)
{
    bool good =
        subject_open(&x->subject, u, x->arguments, x->comparison.profile, board, e) && open_hypothesis(x, e);
    x->explainer = good ? explainer_new(x->subject.executor) : NULL;
    x->evidence = evidence_set_new(u);
    campaign_rules_open(&x->rules, &x->comparison, u, &x->subject.profile);
    x->needed = memory_new(x->rules.findings + 1U, sizeof *x->needed);
    for (unsigned i = 0; good && i < in->count; i++) {
        const struct input *file = &in->file[i];
        if (only ? file == only
                 : file->unit == u && (file->kind != INPUT_TRACE || x->arguments->option[OPTION_BOARD]))
            good = input_each(file, explain_one, x, e);
    }
    if (good) {
        explain_together(x);
        note_untouched(x);
    }
    x->touched = (struct coverage){0};
    evidence_set_free(x->evidence);
    explainer_free(x->explainer);
    hypothesis_free(x->hypothesis);
    x->hypothesis = NULL;
    campaign_rules_close(&x->rules);
    free(x->needed);
    tally_merge(&x->tally, &x->subject.tally);
    subject_close(&x->subject);
    return good;
}

static bool explain_all(struct explaining *x, const struct inputs *in, struct error *e)
{
    const char *board = x->arguments->option[OPTION_BOARD];
    bool good = true;
    for (unsigned i = 0; good && unit_at(i); i++)
        if (inputs_have(in, unit_at(i), board != NULL))
            good = explain_on(x, in, unit_at(i), x->comparison.board, NULL, e);
    for (unsigned i = 0; good && !board && i < in->count; i++) { /* a trace serves as its own board */
        char spec[4200];
        if (in->file[i].kind != INPUT_TRACE)
            continue;
        snprintf(spec, sizeof spec, "trace:%s", in->file[i].path);
        good = explain_on(x, in, in->file[i].unit, spec, &in->file[i], e);
    }
    return good;
}

static int explain_status(const struct explaining *x)
{
    struct error e = {0};
    if (interrupted && !output_closed) {
        error_set(&e, "interrupted before all cases were compared");
        fail(STATUS_BROKEN, &e);
    }
    if (x->different)
        return STATUS_DIFFERENT;
    if (!interrupted && tally_compared_nothing(&x->tally)) {
        error_set(&e, "nothing was compared: no case had an outcome with a defined bit or an end other than "
                      "\"done\"");
        return fail(STATUS_BROKEN, &e);
    }
    return interrupted || x->unanswered ? STATUS_BROKEN : STATUS_EQUAL;
}

static int run_explain(const struct arguments *a)
{
    struct error e = {0};
    struct explaining x = {.arguments = a};
    int status = STATUS_USAGE;
    catch_interrupts();
    struct inputs *in = comparison_choose(&x.comparison, a, &e) ? inputs_open(a, false, &e) : NULL;
    struct text t = {0};
    if (in && !a->option[OPTION_JSON]) {
        comparison_print(&x.comparison, &t);
        (void)print_text(&t, STATUS_EQUAL);
    }
    x.list = in && a->option[OPTION_JSON] ? json_array() : NULL;
    if (in && (explain_all(&x, in, &e) || interrupted)) {
        e = (struct error){0};
        int printed = STATUS_EQUAL;
        if (!x.list && !x.different) {
            text_add(&t, "no difference: ");
            tally_print(&x.tally, &t);
            text_add(&t, "\n%s", text_chars(&x.note));
            printed = print_text(&t, STATUS_EQUAL);
        }
        status = explain_status(&x);
        status = printed != STATUS_EQUAL ? printed : status;
    }
    if (x.list)
        status = print_json(x.list, e.text[0] ? fail(status, &e) : status);
    inputs_close(in);
    text_free(&x.note);
    return e.text[0] && !x.list ? fail(status, &e) : status;
}

const struct command command_explain = {
    .name = "explain",
    .synopsis = "CASE|TRACE...",
    .about = "find the readings that explain a difference",
    .examples = "  misprint explain my-campaign/cases/F-0123456789ab.case --board virtual:bcm2835",
    .details =
        "For each case that differs from the board, tries changing up to three readings among the "
        "clauses that the case touches, the smallest sets first. Prints all smallest sets under which "
        "the model does what the board did. If there is none, prints the nearest miss. For several "
        "cases, it also prints the smallest sets of changes under which the model reproduces all of "
        "them, those that agree included (with --json a last element \"attribution\").\n\n"
        "Cases (- reads one from standard input) run on --board; without it, on the unit's best-known "
        "silicon profile, a virtual board. Cases in a campaign's directory run on the campaign's own "
        "virtual board under its profile, unless --board and --profile name others. Rules that the "
        "campaign learned come first: a case that they explain is not searched for readings. A trace is "
        "compared with the outcomes that it recorded; if you name a --board, its cases run there "
        "instead. A case for which the board gives no outcome is reported and skipped.\n\n"
        "With --rule it judges that rule instead, in each case: holds (with the rule the model does "
        "what the board did, without it not), refuted, or not touched. The exit status is 1 if the "
        "model with the rule differs from the board.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_RULE, OPTION_CHANGES, OPTION_UNIT,
                OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_explain,
};

static bool reduce_case(struct subject *s, struct test_case *c, uint64_t *tried, struct error *e)
{
    enum match match = MATCH_EQUAL;
    struct explanation found;
    if (!subject_ask(s, c, &match, e))
        return false;
    if (match != MATCH_DIFFERENT)
        return error_set(e,
                         "the model under profile %s and board %s do not differ on this case, so there is "
                         "nothing to reduce",
                         s->profile_name, s->board->identity.spec);
    explain_case(s->executor, c, &s->profile, s->answer, s->changes, 0, &found);
    struct reduce_same_cause keep = {
        .executor = s->executor,
        .board = s->board,
        .profile = &s->profile,
        .explanation = &found,
        .signature = differences_signature(s->unit, s->model, s->answer, &s->differences),
    };
    reduce_begin(&keep);
    *tried = case_reduce(c, reduce_keeps_cause, &keep, 0);
    if (keep.failed && e)
        *e = keep.error;
    reduce_end(&keep);
    return !keep.failed;
}

static int run_reduce(const struct arguments *a)
{
    struct error e = {0};
    struct subject s = {0};
    struct comparison comparison;
    struct test_case *c = memory_new(1, sizeof *c);
    const struct unit *raw = a->option[OPTION_UNIT] ? unit_find(a->option[OPTION_UNIT], &e) : NULL;
    const char *path = a->option[OPTION_OUTPUT] ? a->option[OPTION_OUTPUT] : "-";
    uint64_t tried = 0;
    int status = STATUS_USAGE;
    catch_interrupts();
    if (!e.text[0] && file_check(path, &e) && comparison_choose(&comparison, a, &e) &&
        case_load(a->word[0], raw, c, &e) &&
        subject_open(&s, c->unit, a, comparison.profile, comparison.board, &e)) {
        if (reduce_case(&s, c, &tried, &e)) {
            struct text t = {0};
            case_print(c, &t);
            status = write_text(path, &t, STATUS_DIFFERENT);
            if (strcmp(path, "-") != 0 && status == STATUS_DIFFERENT)
                fprintf(stderr, "misprint: %s: reduced; %" PRIu64 " candidate%s tried\n", path, tried,
                        plural(tried));
            text_free(&t);
        } else {
            error_where(&e, "%s", a->word[0]);
        }
    }
    subject_close(&s);
    free(c);
    return e.text[0] ? fail(status, &e) : status;
}

const struct command command_reduce = {
    .name = "reduce",
    .synopsis = "CASE",
    .about = "shrink a case while it still differs",
    .examples = "  misprint reduce big.case --board virtual:bcm2835 -o small.case",
    .details = "Shortens a case on which model and board differ, and keeps the cause of the difference: "
               "first fewer instructions, then less state, then simpler operands. Prints the small case, or "
               "writes it to -o. CASE may be - for standard input.\n\n"
               "Without --board the board is the unit's best-known silicon profile, a virtual board. In a "
               "campaign's directory, profile and board are the campaign's own unless you name others, as "
               "for `misprint explain`.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_RULE, OPTION_CHANGES, OPTION_UNIT,
                OPTION_OUTPUT, OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_reduce,
};
