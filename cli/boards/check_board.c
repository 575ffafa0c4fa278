/* SPDX-License-Identifier: MIT */
#include "cli/boards/check.h"
#include "cli/session/board.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool open_check(struct check *k, const struct arguments *a, struct error *e)
{
    k->strict = a->option[OPTION_PROFILE] || a->option[OPTION_RULE];
    if (!(k->unit = unit_find(a->word[0], e)))
        return false;
    /* A case of an emulator in this machine takes microseconds, so two seconds are a hang. */
    const char *board = a->option[OPTION_BOARD];
    if (!strncmp(board, "plugin:", 7) || !strncmp(board, "program:", 8))
        (void)setenv("MISPRINT_BOARD_TIMEOUT", "2", false);
    k->profile_name = k->strict ? argument_profile(a) : k->unit->profiles[k->unit->best_profile].name;
    char *corpus = corpus_find();
    bool good = corpus != NULL || error_set(e, "the corpus is not installed here; MISPRINT_CORPUS names its "
                                               "folder");
    good = good && profile_load(k->unit, k->profile_name, &k->profile, e) &&
           (k->board = session_board(a, a->option[OPTION_BOARD], k->unit, &k->profile, e));
    if (good) {
        k->executor = executor_new(k->unit);
        executor_place(k->executor, &k->board->identity);
        k->model = outcome_new(k->unit);
        k->again = outcome_new(k->unit);
        good = check_find(k, corpus, e);
    }
    free(corpus);
    return good;
}

static void close_check(struct check *k)
{
    board_close(k->board);
    executor_free(k->executor);
    outcome_free(k->model);
    outcome_free(k->again);
    check_free(k);
}

static int status_of(const struct check *k, bool complete)
{
    const uint64_t *generated = k->generated.count;
    static const enum check_result bad[] = {CHECK_WRONG, CHECK_FLAKY, CHECK_EXCEPTION};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        if (check_count(k, bad[i]) + generated[bad[i]])
            return STATUS_DIFFERENT;
    bool compared =
        check_count(k, CHECK_RIGHT) + check_count(k, CHECK_READING) + check_compared(generated) > 0;
    return complete && compared && !check_unanswered(k) ? STATUS_EQUAL : STATUS_BROKEN;
}

/* ---- output as the cases come ---- */

struct view {
    const struct arguments *a;
    struct check_shown shown;
    unsigned printed; /* known cases that were looked at */
    bool progress;    /* a line on the terminal says how far the check is */
    int status;       /* of writing */
};

static void clear_progress(const struct view *v)
{
    if (v->progress)
        fprintf(stderr, "\r\033[K");
}

static void print_some(struct view *v, struct text *t)
{
    if (t->length)
        clear_progress(v);
    if (t->length && !v->a->option[OPTION_JSON])
        v->status = print_text(t, v->status);
    else
        text_free(t);
}

static void show_progress(const struct check *k, unsigned done)
{
    uint64_t generated = 0;
    for (unsigned r = 0; r < CHECK_RESULTS; r++)
        generated += k->generated.count[r];
    fprintf(stderr, "\r%u of %u known cases", done, k->items);
    if (generated)
        fprintf(stderr, ", %" PRIu64 " generated ones", generated);
    fprintf(stderr, "\033[K");
}

static void show(struct check *k, unsigned done)
{
    struct view *v = k->show_context;
    struct text t = {0};
    while (v->printed < done)
        check_print_item(k, v->printed++, &v->shown, &t);
    print_some(v, &t);
    if (v->progress)
        show_progress(k, done);
}

static int run_check_board(const struct arguments *a)
{
    struct error e = {0};
    struct check k = {0};
    if (!a->option[OPTION_BOARD])
        return fail_usage("name the board to check: --board B (`misprint boards` lists the kinds)");
    catch_interrupts();
    if (!open_check(&k, a, &e)) {
        close_check(&k);
        return fail(STATUS_USAGE, &e);
    }
    struct view v = {.a = a, .shown.all = a->option[OPTION_ALL], .progress = wants_progress(a)};
    struct text t = {0}, junit = {0};
    k.show = show;
    k.show_context = &v;
    check_print_head(&k, &t);
    print_some(&v, &t);
    bool good = check_run(&k, &e) && check_speed(&k, &e);
    int status = status_of(&k, good && !interrupted);
    show(&k, k.items); /* also those that did not run */
    clear_progress(&v);
    if (!good)
        fail(STATUS_BROKEN, &e);
    check_print_rest(&k, &v.shown, &t);
    status = status > v.status ? status : v.status;
    status = print_result(a, &t, a->option[OPTION_JSON] ? check_json(&k) : NULL, status);
    if (a->option[OPTION_JUNIT]) {
        check_junit(&k, &junit);
        int written = write_text(a->option[OPTION_JUNIT], &junit, status);
        status = written > status ? written : status;
        text_free(&junit);
    }
    close_check(&k);
    return status;
}

const struct command command_check_board = {
    .name = "check-board",
    .synopsis = "UNIT",
    .about = "run known cases on a board and say which it has right",
    .examples = "  misprint check-board vc4-vpm --board 'exec:python3 scripts/example-board.py'\n"
                "  misprint check-board vc4-qpu --board 'exec:./board' --junit result.xml",
    .details =
        "Runs the cases that come with misprint on a board: the separating cases of each clause, seeds, and "
        "what was recorded on silicon (of a recorded table, up to 1,024 evenly spread cases). The easy ones "
        "come first: each next case needs as few new instructions and clauses as possible. Prints what is "
        "wrong as it comes, then what the board refuses and why, what to look at first, and the board's "
        "speed. A wrong case runs twice more, alone; if the board does something else then, the case is "
        "flaky.\n\n"
        "A case that has no answer after 10 s hangs; of boards plugin and program, after 2 s. "
        "MISPRINT_BOARD_TIMEOUT=SECONDS gives more time.\n\n"
        "Without --profile, cases are compared with the unit's best-known silicon profile, and recorded "
        "tables with what the silicon did. A case that is right under another built-in profile, or after up "
        "to two other readings, passes, too, and is listed with that reading. With --profile, every case "
        "must be as the profile has it.\n\n"
        "If no known case is wrong, up to 4,096 generated cases follow, for at most 2 seconds, always "
        "with the same seed. They are counted apart. The first that is not right is printed. After a crash "
        "or "
        "a hang neither they nor the speed are run. `misprint fuzz` goes on from there: it reduces cases "
        "and names causes.\n\n"
        "The suspects are words of instructions and clauses that wrong cases have and right cases lack.\n\n"
        "The exit status is 0 if no case is wrong, 1 if one is wrong or flaky, or if the board's program "
        "failed "
        "in one with an exception, and 3 if none is, but the board failed or gave no outcome to compare. "
        "Refused "
        "cases are not wrong.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_RULE, OPTION_ALL, OPTION_JUNIT,
                OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_check_board,
};
