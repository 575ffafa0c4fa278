/* SPDX-License-Identifier: MIT */
#include "oracle/board/board_kind.h"

#include "harness/system/clock.h"
#include "model/core/memory.h"
#include "model/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct board_kind *const kinds[] = {&board_virtual, &board_trace,       &board_exec,
                                                 &board_plugin,  &board_of_programs, &board_ssh,
                                                 &board_mailbox, &board_drm,         NULL};

const struct board_kind *board_kind_at(unsigned i)
{
    return i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}

const char *answer_name(enum answer a)
{
    static const char *const names[ANSWERS] = {
        [ANSWER_OUTCOME] = "outcome",
        [ANSWER_REFUSED] = "refused",
        [ANSWER_UNKNOWN] = "unknown",
        [ANSWER_NOTHING] = "nothing",
    };
    return (unsigned)a < ANSWERS ? names[a] : "?";
}

static const struct board_kind *kind_named(const char *name, size_t length)
{
    for (unsigned i = 0; kinds[i]; i++)
        if (strlen(kinds[i]->name) == length && memcmp(kinds[i]->name, name, length) == 0)
            return kinds[i];
    return NULL;
}

/* Suggests a kind for a bare file name. */
static void add_hint(const char *spec, struct text *t)
{
    size_t length = strlen(spec);
    struct stat s;
    if (stat(spec, &s) != 0 || !S_ISREG(s.st_mode))
        return;
    if (length > 6 && !strcmp(spec + length - 6, ".trace"))
        text_add(t, "; did you mean '%s:%.120s'?", board_trace.name, spec);
    else if (length > 3 && !strcmp(spec + length - 3, ".so"))
        text_add(t, "; did you mean '%s:%.120s'?", board_plugin.name, spec);
    else if (s.st_mode & S_IXUSR)
        text_add(t, "; did you mean '%s:%s%.120s'?", board_exec.name, strchr(spec, '/') ? "" : "./", spec);
}

static void unknown_kind(const char *spec, struct error *e)
{
    struct text forms = {0}, hint = {0};
    add_hint(spec, &hint);
    for (unsigned i = 0; kinds[i]; i++)
        text_add(&forms, "%s%s", i ? ", " : "", kinds[i]->form);
    error_set(e, "'%.120s' is not a board%s%s a board is written as one of: %s", spec, text_chars(&hint),
              hint.length ? "" : ";", text_chars(&forms));
    text_free(&forms);
    text_free(&hint);
}

bool board_is_virtual(const struct board_identity *who)
{
    return !strcmp(who->kind, board_virtual.name) ||
           kind_named(who->spec, strcspn(who->spec, ":")) == &board_virtual;
}

enum board_class board_class(const struct board_identity *who)
{
    if (board_is_virtual(who))
        return BOARD_CLASS_VIRTUAL;
    return who->silicon ? BOARD_CLASS_SILICON : BOARD_CLASS_IMPLEMENTATION;
}

bool board_class_set(struct board_identity *who, const char *word, struct error *e)
{
    bool silicon = !strcmp(word, "silicon");
    if (!silicon && strcmp(word, "implementation") != 0)
        return error_set(e, "--board-is takes silicon or implementation, not '%.60s'", word);
    if (board_is_virtual(who))
        return error_set(e, "board %.200s is the model itself under another profile; leave out --board-is",
                         who->spec);
    const struct board_kind *kind = kind_named(who->kind, strlen(who->kind));
    if (!silicon && kind && kind->is_hardware)
        return error_set(e, "board %.200s is hardware of this machine; leave out --board-is", who->spec);
    if (silicon && !who->silicon) {
        size_t used = strlen(who->description);
        (void)snprintf(who->description + used, sizeof who->description - used,
                       " (silicon by the user's word)");
    }
    who->silicon = silicon;
    return true;
}

const char *board_profile(const struct board *b)
{
    return *b->profile ? b->profile : NULL;
}

const char *board_reason(const struct board *b, unsigned i)
{
    return b->reason && i < BOARD_REASONS_MAX ? b->reason[i] : "";
}

/* The cases of a run that the board has all parts of. */
struct kept {
    unsigned room;
    const struct test_case **cases;
    struct outcome **outcomes;
    enum answer *answers;
    unsigned *at; /* their indices in the run */
};

static void free_kept(struct kept *k)
{
    if (!k)
        return;
    free(k->cases);
    free(k->outcomes);
    free(k->answers);
    free(k->at);
    free(k);
}

static void free_board(struct board *b)
{
    board_lacks_free(b->lacks);
    free_kept(b->kept);
    free(b->reason);
    free(b->spec);
    free(b);
}

static struct board *new_board(const char *spec, struct error *e)
{
    if (!spec || !*spec)
        spec = "virtual:";
    size_t length = strcspn(spec, ":");
    const struct board_kind *kind = kind_named(spec, length);
    if (!kind) {
        unknown_kind(spec, e);
        return NULL;
    }
    struct board *b = memory_new(1, sizeof *b);
    b->spec = memory_string(spec);
    b->kind = kind;
    b->argument = b->spec + length + (b->spec[length] == ':');
    b->identity.memory_base = MEMORY_BASE_DEFAULT;
    b->identity.code_base = CODE_BASE_DEFAULT;
    snprintf(b->identity.kind, sizeof b->identity.kind, "%s", kind->name);
    text_copy_utf8(b->identity.spec, sizeof b->identity.spec, spec, strlen(spec));
    return b;
}

struct board *board_take(const char *spec, struct error *e)
{
    struct board *b = new_board(spec, e);
    if (!b || !b->kind->take || b->kind->take(b, b->argument, e))
        return b;
    free_board(b);
    return NULL;
}

bool board_open_taken(struct board *b, const struct unit *u, struct error *e)
{
    b->unit = u;
    if (b->kind->open(b, b->argument, e))
        return true;
    free_board(b);
    return false;
}

struct board *board_open(const char *spec, const struct unit *u, struct error *e)
{
    struct board *b = new_board(spec, e);
    return b && board_open_taken(b, u, e) ? b : NULL;
}

struct board *board_open_under(const char *spec, const struct unit *u, const struct profile *campaign,
                               struct error *e)
{
    struct board *b = new_board(spec, e);
    if (b) {
        b->has_campaign = true;
        b->campaign = *campaign;
    }
    return b && board_open_taken(b, u, e) ? b : NULL;
}

void board_close(struct board *b)
{
    if (!b)
        return;
    if (b->unit || b->kind->take)
        b->kind->close(b);
    free_board(b);
}

/* Keeps the cases that the board has all parts of. Returns their number. */
static unsigned keep(struct board *b, const struct test_case *const *cases, unsigned count,
                     struct outcome *const *outcomes)
{
    struct kept *k = b->kept = b->kept ? b->kept : memory_new(1, sizeof *k);
    unsigned kept = 0;
    if (count > k->room) {
        k->room = count;
        k->cases = memory_grow(k->cases, count, sizeof *k->cases);
        k->outcomes = memory_grow(k->outcomes, count, sizeof(struct outcome *));
        k->answers = memory_grow(k->answers, count, sizeof *k->answers);
        k->at = memory_grow(k->at, count, sizeof *k->at);
    }
    for (unsigned i = 0; i < count; i++) {
        if (board_lacks_of(b->lacks, cases[i]))
            continue;
        k->cases[kept] = cases[i];
        k->outcomes[kept] = outcomes[i];
        k->at[kept++] = i;
    }
    return kept;
}

static void refuse(struct board *b, unsigned i, const struct test_case *c, struct outcome *o)
{
    char why[BOARD_REASON_MAX];
    (void)snprintf(why, sizeof why, "the board lacks %.200s", board_lacks_of(b->lacks, c));
    outcome_reset(o, c);
    o->end = END_REFUSED;
    board_give_reason(b, i, why);
}

/* Runs the cases that the board has all parts of, and refuses the others. */
static bool run_kept(struct board *b, const struct test_case *const *cases, unsigned count,
                     struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    unsigned left = keep(b, cases, count, outcomes);
    const struct kept *k = b->kept;
    for (unsigned i = 0; i < left; i++)
        k->answers[i] = ANSWER_NOTHING; /* also if the board fails before it */
    bool good = !left || b->kind->run(b, k->cases, left, k->outcomes, k->answers, e);
    /* Backward, because a reason moves to the same or a later place. */
    for (unsigned i = count; i-- > 0;) {
        if (left && k->at[left - 1] == i) {
            answers[i] = k->answers[--left];
            if (i != left && b->reason && i < BOARD_REASONS_MAX) {
                memcpy(b->reason[i], b->reason[left], BOARD_REASON_MAX);
                b->reason[left][0] = 0;
            }
        } else {
            answers[i] = ANSWER_REFUSED;
            refuse(b, i, cases[i], outcomes[i]);
        }
    }
    return good;
}

void board_limit_time(struct board *b, double seconds)
{
    b->until = seconds > 0 ? clock_ms() + (int64_t)(1000 * seconds) : 0;
}

bool board_run(struct board *b, const struct test_case *const *cases, unsigned count,
               struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    b->stopped = false;
    b->silent = 0;
    b->stop_at = b->until ? clock_ms() : 0;
    if (b->until)
        b->stop_at = (b->stop_at > b->until ? b->stop_at : b->until) + BOARD_GRACE_MS;
    b->answered += count;
    for (unsigned i = 0; b->reason && i < count && i < BOARD_REASONS_MAX; i++)
        b->reason[i][0] = 0;
    return (b->lacks ? run_kept : b->kind->run)(b, cases, count, outcomes, answers, e);
}

bool board_ahead(struct board *b, const struct test_case *const *cases, unsigned count,
                 struct outcome *const *outcomes, struct error *e)
{
    if (count > b->takes_ahead)
        return true;
    if (!b->lacks)
        return b->kind->ahead(b, cases, count, outcomes, e);
    unsigned left = keep(b, cases, count, outcomes);
    return !left || b->kind->ahead(b, b->kept->cases, left, b->kept->outcomes, e);
}

bool board_run_one(struct board *b, const struct test_case *c, struct outcome *out, enum answer *answer,
                   struct error *e)
{
    return board_run(b, &c, 1, &out, answer, e);
}
