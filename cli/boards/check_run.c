/* SPDX-License-Identifier: MIT */
#include "cli/boards/check.h"
#include "fuzz/generate/generate.h"
#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "oracle/describe/escape.h"
#include "oracle/files/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* TOGETHER: most cases in one run of the board. READINGS, BUDGET: how far the search for other readings goes.
 */
enum { TOGETHER = 64, READINGS = 2, BUDGET = 20000, LINES = 4 };
/* Generated cases end after WRONG_ENOUGH wrong ones, whose search for readings takes long, or SECONDS. */
enum { WRONG_ENOUGH = 8, SECONDS = 2 };
/* A wrong case is asked ASKS times again. One time more can miss a board that errs at each n-th case. */
enum { ASKS = 2 };
#define SLOW 0.25 /* seconds; after a run that took longer, the next one has a single case */

struct batch {
    struct check *check;
    unsigned count,
        room;          /* cases, and at how many they run; begins at 1, so that the first results come soon */
    unsigned complete; /* items whose last case is in the batch, or ran */
    struct test_case *tc[TOGETHER];
    struct outcome *answer[TOGETHER], *record[TOGETHER];
    struct check_item *item[TOGETHER];
    struct text label[TOGETHER];
};

static bool agrees(struct check *k, const struct test_case *c, const struct profile *p,
                   const struct outcome *board, struct differences *d, bool *compared)
{
    enum match m = model_match(k->executor, c, p, board, k->model, NULL, d);
    *compared = m != MATCH_UNDEFINED;
    return m == MATCH_EQUAL;
}

/* Says which built-in profile, or else which readings, give what the board did. Returns false if none does.
 * If a change of readings only leaves the differing bits undefined, it says so, and returns false. */
static bool find_reading(struct check *k, const struct test_case *c, const struct outcome *board,
                         struct text *t)
{
    const char *undefined = NULL;
    for (unsigned i = 0; k->unit->profiles[i].name; i++) {
        bool compared;
        struct profile p;
        profile_builtin(k->unit, i, &p);
        if (agrees(k, c, &p, board, NULL, &compared)) {
            text_add(t, "as in profile %s", k->unit->profiles[i].name);
            return true;
        }
        undefined = compared || undefined ? undefined : k->unit->profiles[i].name;
    }
    if (undefined) {
        text_add(t, "profile %s leaves this undefined", undefined);
        return true;
    }
    struct explanation x;
    explainer_run(k->explainer, c, &k->profile, board, READINGS, BUDGET, &x);
    if (!x.candidates)
        return false;
    text_add(t, x.masked ? "only undefined under " : "as in ");
    cause_print(k->unit, &x.candidate[0], t);
    return !x.masked;
}

static void describe_ends(const struct unit *u, const struct outcome *right, const char *who,
                          const struct outcome *board, struct text *t)
{
    text_add(t, "%s: %s", who, end_name(right->end));
    if (right->reason)
        text_add(t, " (%s)", u->reasons[right->reason]);
    text_add(t, "; board: %s", end_name(board->end));
    if (board->reason && board->reason < unit_reasons(u))
        text_add(t, " (%s)", u->reasons[board->reason]);
    text_add(t, "\n");
}

static void describe_difference(const struct unit *u, const struct outcome *right, const char *who,
                                const struct outcome *board, const struct differences *d, struct text *t)
{
    if (d->end_differs)
        describe_ends(u, right, who, board, t);
    else
        differences_print(u, d, LINES, t);
}

/* Compares with what was recorded on silicon. The board may also do what the model of that silicon does, if
 * the recorded values agree with the model within its masks and tolerances. */
static bool agrees_with_record(struct check *k, const struct test_case *c, const struct outcome *board,
                               const struct outcome *record, struct differences *d)
{
    struct differences ignored;
    bool compared;
    return outcomes_equal(record, board, NULL, d) || (agrees(k, c, &k->profile, board, &ignored, &compared) &&
                                                      agrees(k, c, &k->profile, record, &ignored, &compared));
}

/* Compares with the record, if there is one, otherwise with the profile. Returns CHECK_RIGHT, CHECK_WRONG or
 * CHECK_EMPTY. */
static enum check_result compare(struct check *k, const struct test_case *c, const struct outcome *board,
                                 const struct outcome *record, struct text *what)
{
    struct differences d = {0};
    bool compared = true;
    if (record ? agrees_with_record(k, c, board, record, &d)
               : agrees(k, c, &k->profile, board, &d, &compared))
        return CHECK_RIGHT;
    if (!compared)
        return CHECK_EMPTY;
    describe_difference(k->unit, record ? record : k->model, record ? "silicon" : "model", board, &d, what);
    return CHECK_WRONG;
}

/* Asks a wrong case again, alone. Does the board do something else? `later` gets what it does. */
static bool changes(struct check *k, const struct test_case *c, const struct outcome *record,
                    const struct text *what, struct text *later)
{
    for (unsigned i = 0; i < ASKS && !interrupted; i++) {
        enum answer answer;
        struct error ignored = {0}; /* if the board failed, its next run says so */
        if (!board_run_one(k->board, c, k->again, &answer, &ignored))
            return false;
        text_clear(later);
        enum check_result r =
            answer == ANSWER_OUTCOME ? compare(k, c, k->again, record, later) : CHECK_UNANSWERED;
        if (r != CHECK_WRONG)
            text_add(later, "%s\n", check_result_name[r]);
        if (strcmp(text_chars(what), text_chars(later)) != 0)
            return true;
    }
    return false;
}

static enum check_result judge(struct check *k, const struct test_case *c, const struct outcome *board,
                               const struct outcome *record, struct text *what, struct text *reading)
{
    struct text later = {0};
    record = k->strict ? NULL : record;
    enum check_result r = compare(k, c, board, record, what);
    if (r != CHECK_WRONG)
        return r;
    if (changes(k, c, record, what, &later)) {
        text_add(what, "asked again alone:\n%s", text_chars(&later));
        r = CHECK_FLAKY;
    } else if (find_reading(k, c, board, reading) && !k->strict && !record) {
        r = CHECK_READING;
    }
    text_free(&later);
    return r;
}

static enum check_result result_of(struct batch *b, unsigned i, enum answer answer, struct text *what,
                                   struct text *reading)
{
    struct check *k = b->check;
    static const enum check_result results[ANSWERS] = {[ANSWER_REFUSED] = CHECK_REFUSED,
                                                       [ANSWER_UNKNOWN] = CHECK_UNKNOWN,
                                                       [ANSWER_NOTHING] = CHECK_UNANSWERED};
    if (answer != ANSWER_OUTCOME) {
        const char *reason = board_reason(k->board, i);
        escape_utf8(what, reason, strlen(reason));
        return answer == ANSWER_REFUSED &&
                       !strncmp(reason, CHECK_EXCEPTION_MARK, strlen(CHECK_EXCEPTION_MARK))
                   ? CHECK_EXCEPTION
                   : results[answer];
    }
    const struct check_item *item = b->item[i];
    return judge(k, b->tc[i], b->answer[i], item->tc || item->generated ? NULL : b->record[i], what, reading);
}

static void count_features(struct check *k, const struct check_item *features, enum check_result r)
{
    for (unsigned i = 0; i < features->features; i++) {
        struct check_feature *f = &k->feature[features->feature[i]];
        f->wrong += r == CHECK_WRONG || r == CHECK_UNANSWERED || r == CHECK_EXCEPTION;
        f->right += r == CHECK_RIGHT || r == CHECK_READING;
    }
}

/* Results from good to bad: an item shows its first case with the worst result. */
static unsigned rank(enum check_result r)
{
    static const unsigned ranks[CHECK_RESULTS] = {
        [CHECK_RIGHT] = 0,   [CHECK_EMPTY] = 1,     [CHECK_READING] = 2,
        [CHECK_UNKNOWN] = 3, [CHECK_REFUSED] = 4,   [CHECK_FLAKY] = 5,
        [CHECK_WRONG] = 6,   [CHECK_EXCEPTION] = 7, [CHECK_UNANSWERED] = 8,
    };
    return ranks[r];
}

static void take_text(struct text *to, struct text *from)
{
    text_free(to);
    *to = *from;
    *from = (struct text){0};
}

/* Counts a generated case that follows another reading. */
static void count_reading(struct check *k, const struct text *name)
{
    struct check_reading *r = k->reading;
    while (r < k->reading + k->readings && strcmp(text_chars(&r->name), text_chars(name)) != 0)
        r++;
    if (r == k->reading + CHECK_READINGS)
        return;
    if (r == k->reading + k->readings) {
        text_add(&r->name, "%s", text_chars(name));
        k->readings++;
    }
    r->cases++;
}

static void note(struct batch *b, unsigned i, enum answer answer)
{
    struct check_item *item = b->item[i], of_record = {0};
    struct text what = {0}, reading = {0};
    enum check_result r = result_of(b, i, answer, &what, &reading);
    item->done = true;
    item->count[r]++;
    if (item->generated && r == CHECK_READING)
        count_reading(b->check, &reading);
    if (rank(r) > rank(item->result)) {
        item->result = r;
        take_text(&item->what, &what);
        take_text(&item->reading, &reading);
        take_text(&item->label, &b->label[i]);
        text_clear(&item->text);
        if (!item->tc && rank(r) >= rank(CHECK_FLAKY))
            case_print(b->tc[i], &item->text);
    }
    if (!item->tc && !item->generated)
        check_features(b->check, b->tc[i], &of_record);
    count_features(b->check, item->tc ? item : &of_record, r);
    free(of_record.feature);
    text_free(&what);
    text_free(&reading);
}

/* Notes the results. Those without an outcome come first, because their reasons are gone when the board is
 * asked again. `all`: also those for which the board gave no reason. */
static void note_all(struct batch *b, unsigned count, const enum answer *answers, bool all)
{
    for (unsigned i = 0; i < count; i++)
        if (answers[i] != ANSWER_OUTCOME &&
            (all || answers[i] != ANSWER_NOTHING || *board_reason(b->check->board, i)))
            note(b, i, answers[i]);
    for (unsigned i = 0; i < count; i++) {
        if (answers[i] == ANSWER_OUTCOME)
            note(b, i, answers[i]);
        text_clear(&b->label[i]);
    }
}

static bool run_batch(struct batch *b, struct error *e)
{
    enum answer answers[TOGETHER];
    unsigned count = b->count;
    double start = clock_seconds();
    b->count = 0;
    for (unsigned i = 0; i < count; i++)
        answers[i] = ANSWER_NOTHING;
    if (interrupted) {
        e->of_machine = true;
        return error_set(e, "interrupted");
    }
    bool good = !count || board_run(b->check->board, (const struct test_case *const *)b->tc, count, b->answer,
                                    answers, e);
    bool slow = clock_seconds() - start > SLOW;
    b->room = slow ? 1 : 2 * b->room < TOGETHER ? 2 * b->room : TOGETHER;
    note_all(b, count, answers, good);
    if (b->check->show)
        b->check->show(b->check, b->complete);
    return good;
}

/* Is this one of CHECK_SAMPLE evenly spread records? */
static bool is_sampled(uint64_t at, uint64_t count)
{
    return count <= CHECK_SAMPLE || at == 0 || at * CHECK_SAMPLE / count != (at - 1) * CHECK_SAMPLE / count;
}

static bool run_table(struct batch *b, struct check_item *item, struct error *e)
{
    struct trace_reader *r = trace_open_unit(item->path, b->check->unit, e);
    bool good = r != NULL;
    for (uint64_t at = 0; good; at++) {
        const char *label;
        int more = trace_next(r, b->tc[b->count], b->record[b->count], &label, e);
        if (more <= 0) {
            good = more == 0;
            break;
        }
        if (!is_sampled(at, item->recorded))
            continue;
        b->item[b->count] = item;
        text_clear(&b->label[b->count]);
        text_add(&b->label[b->count], "%s", label);
        good = ++b->count < b->room || run_batch(b, e);
    }
    trace_close(r);
    return good && run_batch(b, e);
}

static bool run_items(struct batch *b, struct error *e)
{
    struct check *k = b->check;
    bool good = true;
    for (unsigned i = 0; good && i < k->items; i++) {
        struct check_item *item = &k->item[i];
        if (!item->tc) {
            good = run_batch(b, e) && run_table(b, item, e);
            b->complete = i + 1;
            continue;
        }
        case_copy(b->tc[b->count], item->tc);
        b->item[b->count] = item;
        b->complete = i + 1;
        good = ++b->count < b->room || run_batch(b, e);
    }
    return good && run_batch(b, e);
}

/* ---- generated cases ---- */

static void generate(struct batch *b, struct random *r, uint64_t number)
{
    const struct board *board = b->check->board;
    struct test_case *c = b->tc[b->count];
    case_init(c, b->check->unit);
    case_generate(r, b->check->unit, c);
    if (board->lacks)
        board_lacks_mend(board->lacks, c);
    if (board->proves && b->check->unit->mend_for_proof)
        b->check->unit->mend_for_proof(c);
    b->item[b->count] = &b->check->generated;
    text_add(&b->label[b->count], "case %" PRIu64 " of seed %d", number, CHECK_SEED);
    b->count++;
}

/* Stops early if the first FIRST cases give nothing to compare: a board that refuses all, or a trace. Stops
 * at a case without an answer, because a hang costs seconds. */
static bool run_generated(struct batch *b, struct error *e)
{
    enum { FIRST = 1024 };
    struct check *k = b->check;
    struct check_item *item = &k->generated;
    struct random r;
    double start = clock_seconds();
    random_seed(&r, CHECK_SEED);
    for (uint64_t n = 0; n < CHECK_GENERATED;) {
        while (b->count < b->room && n < CHECK_GENERATED)
            generate(b, &r, ++n);
        if (!run_batch(b, e))
            return false;
        bool nothing = !check_compared(item->count) && n >= FIRST;
        if (nothing || item->count[CHECK_UNANSWERED] || item->count[CHECK_WRONG] >= WRONG_ENOUGH ||
            clock_seconds() - start > SECONDS)
            return true;
    }
    return true;
}

uint64_t check_compared(const uint64_t count[CHECK_RESULTS])
{
    return count[CHECK_RIGHT] + count[CHECK_READING] + count[CHECK_WRONG] + count[CHECK_FLAKY];
}

uint64_t check_unanswered(const struct check *k)
{
    return check_count(k, CHECK_UNANSWERED) + k->generated.count[CHECK_UNANSWERED];
}

static bool all_is_well(const struct check *k)
{
    return !check_count(k, CHECK_WRONG) && !check_count(k, CHECK_FLAKY) && !check_count(k, CHECK_EXCEPTION) &&
           !check_unanswered(k);
}

bool check_run(struct check *k, struct error *e)
{
    struct batch *b = memory_new(1, sizeof *b);
    b->check = k;
    b->room = 1;
    for (unsigned i = 0; i < TOGETHER; i++) {
        b->tc[i] = memory_new(1, sizeof *b->tc[i]);
        b->answer[i] = outcome_new(k->unit);
        b->record[i] = outcome_new(k->unit);
    }
    k->explainer = explainer_new(k->executor);
    bool good = run_items(b, e) && (!all_is_well(k) || run_generated(b, e));
    explainer_free(k->explainer);
    for (unsigned i = 0; i < TOGETHER; i++) {
        free(b->tc[i]);
        outcome_free(b->answer[i]);
        outcome_free(b->record[i]);
        text_free(&b->label[i]);
    }
    free(b);
    return good;
}

uint64_t check_count(const struct check *k, enum check_result r)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < k->items; i++)
        count += k->item[i].count[r];
    return count;
}

const struct check_item *check_first(const struct check *k)
{
    for (unsigned i = 0; i < k->items; i++)
        if (k->item[i].count[CHECK_WRONG] || k->item[i].count[CHECK_UNANSWERED] ||
            k->item[i].count[CHECK_EXCEPTION])
            return &k->item[i];
    for (unsigned i = 0; i < k->items; i++)
        if (k->item[i].count[CHECK_FLAKY])
            return &k->item[i];
    return NULL;
}

/* Ochiai's measure of fault localisation: 1 if exactly the wrong cases have the feature. */
static double suspicion(const struct check_feature *f, uint64_t wrong)
{
    return f->wrong ? f->wrong / sqrt((double)wrong * ((double)f->wrong + f->right)) : 0;
}

unsigned check_suspects(const struct check *k, unsigned list[CHECK_SUSPECTS])
{
    uint64_t wrong =
        check_count(k, CHECK_WRONG) + check_count(k, CHECK_UNANSWERED) + check_count(k, CHECK_EXCEPTION);
    unsigned count = 0;
    for (unsigned i = 0; i < k->feature_count; i++) {
        double s = suspicion(&k->feature[i], wrong);
        /* A feature that most cases with it have right says nothing. */
        if (!k->feature[i].wrong || k->feature[i].right > k->feature[i].wrong)
            continue;
        unsigned at = count < CHECK_SUSPECTS ? count++ : CHECK_SUSPECTS;
        while (at > 0 && s > suspicion(&k->feature[list[at - 1]], wrong)) {
            if (at < CHECK_SUSPECTS)
                list[at] = list[at - 1];
            at--;
        }
        if (at < CHECK_SUSPECTS)
            list[at] = i;
    }
    return count;
}
