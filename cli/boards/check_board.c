/* SPDX-License-Identifier: MIT */
#include "cli/boards/check.h"
#include "cli/session/board.h"
#include "oracle/files/corpus.h"
#include "oracle/files/file.h"
#include "oracle/files/load.h"

#include <stdlib.h>

static bool open_check(struct check *k, const struct arguments *a, struct error *e)
{
    k->strict = a->option[OPTION_PROFILE] || a->option[OPTION_RULE];
    if (!(k->unit = unit_find(a->word[0], e)))
        return false;
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
    check_free(k);
}

static int status_of(const struct check *k, bool complete)
{
    const uint64_t *generated = k->generated.count;
    if (check_count(k, CHECK_WRONG) + generated[CHECK_WRONG] + check_count(k, CHECK_EXCEPTION) +
        generated[CHECK_EXCEPTION])
        return STATUS_DIFFERENT;
    bool compared =
        check_count(k, CHECK_RIGHT) + check_count(k, CHECK_READING) + check_compared(generated) > 0;
    bool answered = !(check_count(k, CHECK_UNANSWERED) + generated[CHECK_UNANSWERED]);
    return complete && compared && answered ? STATUS_EQUAL : STATUS_BROKEN;
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
    bool good = check_run(&k, &e) && check_speed(&k, &e);
    int status = status_of(&k, good && !interrupted);
    if (!good)
        fail(STATUS_BROKEN, &e);
    struct text t = {0}, junit = {0};
    check_print(&k, a->option[OPTION_ALL], &t);
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
        "wrong, what the board refuses and why, what to look at first, and the board's speed.\n\n"
        "Without --profile, cases are compared with the unit's best-known silicon profile, and recorded "
        "tables with what the silicon did. A case that is right under another built-in profile, or after up "
        "to two other readings, passes, too, and is listed with that reading. With --profile, every case "
        "must be as the profile has it.\n\n"
        "If no known case is wrong, up to 4,096 generated cases follow, for at most 2 seconds, always "
        "with the same seed. They are counted apart. `misprint fuzz` goes on from there: it reduces cases "
        "and names causes.\n\n"
        "The suspects are words of instructions and clauses that wrong cases have and right cases lack.\n\n"
        "The exit status is 0 if no case is wrong, 1 if one is, or if the board's program failed in one with "
        "an exception, and 3 if none is, but the board failed or gave no outcome to compare. Refused cases "
        "are not wrong.",
    .options = {OPTION_BOARD, OPTION_BOARD_IS, OPTION_PROFILE, OPTION_RULE, OPTION_ALL, OPTION_JUNIT,
                OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = 1,
    .run = run_check_board,
};
