/* SPDX-License-Identifier: MIT */
/*
 * Boards: names, virtual boards, and child processes that behave and misbehave (tests/oracle/bad_board.py).
 * Each child must leave nothing behind, no process and no descriptor.
 */
#include "oracle/board/board_kind.h"
#include "oracle/compare/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CASES = 40 };

static const struct unit *u;
static struct test_case cases[CASES];
static const struct test_case *case_list[CASES];
static struct outcome *outcomes[CASES];
static enum answer answers[CASES];

static void errors_list_the_known_names(void **state)
{
    (void)state;
    struct error e = {0};
    assert_null(board_open("toaster", u, &e));
    assert_non_null(strstr(e.text, "'toaster'"));
    for (unsigned i = 0; board_kind_at(i); i++) /* the error about an unknown kind lists the known kinds */
        assert_non_null(strstr(e.text, board_kind_at(i)->form));
    assert_null(board_open("virtual:no-such-profile", u, &e));
    assert_non_null(strstr(e.text, "no-such-profile"));
    assert_false(e.of_machine);
    assert_null(board_open("trace:", u, &e));
    assert_null(board_open("exec:", u, &e));
    board_close(NULL);
}

static void a_virtual_board_is_no_silicon(void **state)
{
    (void)state;
    struct error e = {0};
    const char *best = u->profiles[u->best_profile].name;
    char spec[64];
    snprintf(spec, sizeof spec, "virtual:%s", best);
    const char *const specs[] = {NULL, "virtual:", "virtual", spec};
    for (unsigned i = 0; i < 4; i++) {
        struct board *b = board_open(specs[i], u, &e);
        if (!b)
            fail_msg("%s", e.text);
        assert_string_equal(b->identity.spec, spec);
        assert_string_equal(b->identity.kind, "virtual");
        assert_non_null(strstr(b->identity.description, "virtual"));
        assert_false(b->identity.silicon);
        assert_true(board_run(b, case_list, CASES, outcomes, answers, &e));
        for (unsigned n = 0; n < CASES; n++) {
            assert_int_equal(answers[n], ANSWER_OUTCOME);
            assert_false(outcomes[n]->checked); /* outcomes of hardware have values, but no masks */
        }
        board_close(b);
    }
}

/* ---- child processes ---- */

static unsigned open_descriptors(void)
{
    unsigned count = 0;
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        count++;
    if (d)
        closedir(d);
    return count;
}

static unsigned descriptors_before;

static void assert_nothing_left(void)
{
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child, alive or dead */
    assert_int_equal(errno, ECHILD);
    assert_int_equal(open_descriptors(), descriptors_before);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void command_of(const char *mode, char *spec, size_t room)
{
    snprintf(spec, room, "exec:exec python3 '%s/tests/oracle/bad_board.py' %s", MISPRINT_SOURCE_DIR, mode);
}

/* Opening must fail with an error that contains `says`. */
static void refuses_to_open(const char *mode, const char *timeout, const char *says)
{
    char spec[600];
    struct error e = {0};
    descriptors_before = open_descriptors();
    setenv("MISPRINT_BOARD_TIMEOUT", timeout, 1);
    command_of(mode, spec, sizeof spec);
    double start = now();
    assert_null(board_open(spec, u, &e));
    if (!strstr(e.text, says) || !strstr(e.text, "bad_board.py"))
        fail_msg("%s: expected '%s' and the command in: %s", mode, says, e.text);
    assert_true(e.of_machine);
    assert_true(now() - start < 60);
    assert_nothing_left();
}

static void bad_greetings(void **state)
{
    (void)state;
    refuses_to_open("garbage", "20", "54 72 61 63 65 62 61 63 6B"); /* "Traceback", as hexadecimal */
    /* The user's limit for cases is shorter than 10 s, but does not apply to the greeting. */
    refuses_to_open("silent", "0.3", "no HELLO within 10 s");
    refuses_to_open("exit", "20", "exit status 7");
    refuses_to_open("version", "20", "version 3");
    refuses_to_open("form", "20", "form 0123456789abcdef");
    refuses_to_open("unit", "20", "only other");
    refuses_to_open("error", "20", "no V3D here: load the driver");
    refuses_to_open("hello-checksum", "20", "wrong checksum");
    refuses_to_open("hello-flight", "20", "\"in-flight\" is not a whole number from 1");
    refuses_to_open("hello-no-flight", "20", "\"in-flight\" is not a whole number from 1");
    refuses_to_open("hello-answer", "20", "\"answer-seconds\" is not a whole number from 1");
    refuses_to_open("hello-silicon", "20", "\"silicon\" is not true or false");
    refuses_to_open("hello-text", "20", "\"description\" is not text");
    refuses_to_open("hello-base", "20", "\"code-base\" 40010002 is not a multiple of 8");
    struct error e = {0};
    setenv("MISPRINT_BOARD_TIMEOUT", "a second", 1);
    assert_null(board_open("exec:true", u, &e));
    assert_non_null(strstr(e.text, "MISPRINT_BOARD_TIMEOUT is 'a second'"));
}

static struct board *open_bad(const char *mode, const char *timeout)
{
    char spec[16384];
    struct error e = {0};
    descriptors_before = open_descriptors();
    setenv("MISPRINT_BOARD_TIMEOUT", timeout, 1);
    command_of(mode, spec, sizeof spec);
    struct board *b = board_open(spec, u, &e);
    if (!b)
        fail_msg("%s: %s", mode, e.text);
    assert_string_equal(b->identity.kind, "exec");
    assert_false(b->identity.silicon);
    for (unsigned i = 0; i < CASES; i++)
        answers[i] = ANSWERS;
    return b;
}

static void count_answers(unsigned count[ANSWERS])
{
    memset(count, 0, ANSWERS * sizeof *count);
    for (unsigned i = 0; i < CASES; i++) {
        assert_in_range(answers[i], 0, ANSWERS - 1);
        count[answers[i]]++;
    }
}

/* The run must succeed with these numbers of outcomes, refusals, and cases without an answer. */
static void answers_are(const char *mode, unsigned outcome, unsigned refused, unsigned nothing)
{
    struct error e = {0};
    unsigned count[ANSWERS];
    struct board *b = open_bad(mode, "20");
    if (!board_run(b, case_list, CASES, outcomes, answers, &e))
        fail_msg("%s: %s", mode, e.text);
    count_answers(count);
    assert_int_equal(count[ANSWER_OUTCOME], outcome);
    assert_int_equal(count[ANSWER_REFUSED], refused);
    assert_int_equal(count[ANSWER_NOTHING], nothing);
    for (unsigned i = 0; i < CASES; i++)
        if (answers[i] == ANSWER_REFUSED) {
            assert_int_equal(outcomes[i]->end, END_REFUSED);
            assert_string_equal(board_reason(b, i), "memory of others");
        } else if (answers[i] == ANSWER_NOTHING) {
            assert_non_null(strstr(board_reason(b, i), "done-stamp"));
        } else {
            assert_string_equal(board_reason(b, i), "");
        }
    board_close(b);
    assert_nothing_left();
}

static void answers_are_checked_in(const char *version)
{
    setenv("BAD_BOARD_VERSION", version, 1);
    answers_are("good", CASES, 0, 0);
    answers_are("shuffle", CASES, 0, 0); /* the board answers in any order */
    answers_are("refuse", 0, CASES, 0);
    answers_are("stamp", CASES / 2, 0, CASES / 2); /* every other stamp is wrong */
    answers_are("echo", 0, 0, CASES);              /* the board sends the nonce instead of a stamp */
    unsetenv("BAD_BOARD_VERSION");
}

static void answers_are_checked(void **state)
{
    (void)state;
    answers_are_checked_in("1");
    answers_are_checked_in("2");
    setenv("MISPRINT_BOARD_PROTOCOL", "1", 1);
    answers_are("good", CASES, 0, 0); /* a host that speaks version 1 only, and a board that could do more */
    unsetenv("MISPRINT_BOARD_PROTOCOL");
}

static volatile sig_atomic_t stop;

static void set_stop(int signal)
{
    (void)signal;
    stop = 1;
}

/* An interrupt at once ends the wait for a running board, and for a board that is being opened: long before
 * their limits of 20 s and 10 s. */
static void a_stop_ends_the_wait(void **state)
{
    (void)state;
    struct error e = {0};
    struct board *b = open_bad("late", "20");
    struct itimerval soon = {.it_value = {.tv_usec = 200000}};
    double start = now();
    signal(SIGALRM, set_stop);
    board_stop_on(&stop);
    setitimer(ITIMER_REAL, &soon, NULL);
    assert_false(board_run(b, case_list, CASES, outcomes, answers, &e));
    assert_true(b->stopped);
    assert_non_null(strstr(e.text, "stopped"));
    board_close(b);
    assert_nothing_left();
    assert_null(board_open("exec:sleep 60", u, &e));
    assert_true(now() - start < 5);
    board_stop_on(NULL);
    stop = 0;
    b = open_bad("late", "20");
    unsigned before = descriptors_before;
    struct board *second = open_bad("late", "20");
    board_kill_all(); /* this is what a second signal does: all boards die */
    for (unsigned i = 0; i < 2; i++) {
        assert_false(board_run(i ? second : b, case_list, CASES, outcomes, answers, &e));
        assert_non_null(strstr(e.text, "signal 9"));
    }
    board_close(second);
    board_close(b);
    descriptors_before = before;
    assert_nothing_left();
}

/* The run must fail with an error that contains `says`. */
static void run_fails(const char *mode, const char *timeout, const char *says)
{
    struct error e = {0};
    struct board *b = open_bad(mode, timeout);
    double start = now();
    assert_false(board_run(b, case_list, CASES, outcomes, answers, &e));
    if (!strstr(e.text, says) || !strstr(e.text, "bad_board.py"))
        fail_msg("%s: expected '%s' and the command in: %s", mode, says, e.text);
    if (!strncmp(says, "it says: ", 9)) /* Misprint's advice may contradict this */
        assert_string_equal(strstr(e.text, says), says);
    assert_true(e.of_machine);
    assert_true(now() - start < 120);
    assert_false(board_run(b, case_list, CASES, outcomes, answers, &e)); /* the board stays failed */
    assert_non_null(strstr(e.text, "it failed before"));
    board_close(b);
    assert_nothing_left();
}

/* Frames of version 2 that lie about what they hold. */
static void bad_frames_of_many(void **state)
{
    (void)state;
    run_fails("empty", "20", "an item of a frame OUTCOMES has 0 bytes");
    run_fails("short-item", "20", "an item of a frame OUTCOMES has 5 bytes");
    run_fails("long-item", "20", "has 2147483648 bytes, but the frame ends after 6");
    run_fails("twice", "20", "not waiting for an answer");
    run_fails("other-version", "20", "OUTCOME arrived instead of OUTCOMES or REFUSED");
    run_fails("flood", "20", "a frame has a wrong checksum");
    setenv("BAD_BOARD_VERSION", "1", 1);
    run_fails("other-version", "20", "OUTCOMES arrived instead of OUTCOME or REFUSED");
    run_fails("id", "20", "not waiting for an answer");
    run_fails("outcome", "20", "unknown end 9");
    unsetenv("BAD_BOARD_VERSION");
}

static void bad_answers(void **state)
{
    (void)state;
    run_fails("dies", "20", "exit status 3 before it answered, in 32 cases in a row");
    run_fails("killed", "20", "signal 9 before it answered, in 32 cases in a row");
    run_fails("id", "20", "not waiting for an answer");
    run_fails("outcome", "20", "unknown end 9");
    run_fails("midway", "0.5", "cases in a row"); /* half a frame, then nothing */
    run_fails("late", "0.5", "cases in a row");
    run_fails("talks", "0.5", "cases in a row"); /* sends STATE without end */
    /* The limit that the user set takes precedence over the limit that the board asks for. */
    run_fails("late-says", "0.5", "no answer within 0.5 s, in 4 cases in a row");
    run_fails("error-later", "20",
              "it says: the firmware answers no more (Connection timed out): reboot the board");
}

/* One case always stops the board. Misprint gets answers to all other cases, and reports the reason for this
 * one. */
static void one_case_stops(const char *how, const char *timeout, const char *reason)
{
    static uint8_t bytes[CASE_BYTES_MAX];
    static char mode[8192];
    enum { CULPRIT = 13 };
    size_t count = case_encode(case_list[CULPRIT], bytes);
    int at = snprintf(mode, sizeof mode, "%s ", how);
    for (size_t i = 0; i < count && at < (int)sizeof mode - 3; i++)
        at += snprintf(mode + at, sizeof mode - (size_t)at, "%02x", bytes[i]);
    struct error e = {0};
    struct board *b = open_bad(mode, timeout);
    if (!board_run(b, case_list, CASES, outcomes, answers, &e))
        fail_msg("%s", e.text);
    for (unsigned i = 0; i < CASES; i++)
        assert_int_equal(answers[i], i == CULPRIT ? ANSWER_NOTHING : ANSWER_OUTCOME);
    assert_string_equal(board_reason(b, CULPRIT), reason);
    assert_in_range(b->restarts, 1, 2); /* the case stops the board first with others in flight, then alone */
    board_close(b);
    assert_nothing_left();
}

static void one_hanging_case_costs_only_itself(void **state)
{
    (void)state;
    one_case_stops("hangs-on", "3", "no answer within 3 s");
}

/* The time limit ends a wait long before the 60 s that a case may take. This is no hang, so the run does not
 * fail after four of them, and the board then runs other cases. The first run has the time for all answers
 * before the hang. On a busy machine, the later ones may end before, because the board starts in their time.
 */
static void the_time_limit_is_no_hang(void **state)
{
    (void)state;
    enum { CULPRIT = 13, TIMES = 5 };
    struct error e = {0};
    char mode[32];
    (void)snprintf(mode, sizeof mode, "hangs-at %d", CULPRIT);
    struct board *b = open_bad(mode, "60");
    for (unsigned times = 0; times < TIMES; times++) {
        double start = now();
        board_limit_time(b, times ? 0.001 : 3);
        assert_false(board_run(b, case_list, CASES, outcomes, answers, &e));
        assert_true(b->stopped && now() - start < 20);
        if (!strstr(e.text, "s when the time was over") || strstr(e.text, "in a row"))
            fail_msg("%s", e.text);
        for (unsigned i = 0; i < CASES; i++) {
            if (i >= CULPRIT || !times)
                assert_int_equal(answers[i], i < CULPRIT ? ANSWER_OUTCOME : ANSWER_NOTHING);
            assert_string_equal(board_reason(b, i), "");
        }
    }
    board_limit_time(b, 0);
    assert_true(board_run(b, case_list, CULPRIT, outcomes, answers, &e));
    assert_int_equal(b->restarts, TIMES);
    board_close(b);
    assert_nothing_left();
}

static void one_killing_case_costs_only_itself(void **state)
{
    (void)state;
    one_case_stops("dies-on", "20", "the command was ended by signal 6 before it answered");
}

/* ---- boards that go away ---- */

static char folder[] = "/tmp/misprint-board-XXXXXX";
static unsigned told;
static bool told_badly;

/* Each line must have the board, the reason and the time of the next attempt. */
static void hear(const char *line)
{
    told++;
    told_badly |= !strstr(line, "bad_board.py") || strchr(line, '\n') ||
                  (!strstr(line, "it is back after") &&
                   !(strstr(line, "exit status 255 before it sent HELLO; next try in ") &&
                     strstr(line, " s, given up in ")));
}

/* Opens a board that answers five cases, ends, fails to start `fails` times, and then works. The user allows
 * it `seconds` to come back. */
static struct board *open_leaving(const char *name, const char *fails, const char *seconds)
{
    char mode[128];
    told = 0;
    told_badly = false;
    board_notify_on(hear);
    setenv("MISPRINT_BOARD_RETURN", seconds, 1);
    snprintf(mode, sizeof mode, "reboots '%s/%s' %s", folder, name, fails);
    return open_bad(mode, "20");
}

static unsigned starts_of(const char *name)
{
    char path[128];
    unsigned lines = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    for (int c; f && (c = fgetc(f)) != EOF;)
        lines += c == '\n';
    if (f)
        fclose(f);
    return lines;
}

static void close_leaving(struct board *b)
{
    board_close(b);
    board_notify_on(NULL);
    unsetenv("MISPRINT_BOARD_RETURN");
    assert_nothing_left();
    assert_false(told_badly);
}

static void a_board_that_reboots_is_waited_for(void **state)
{
    (void)state;
    struct error e = {0};
    struct board *b = open_leaving("back", "3", "60");
    if (!board_run(b, case_list, CASES, outcomes, answers, &e))
        fail_msg("%s", e.text);
    for (unsigned i = 0; i < CASES; i++) /* the board also answers the cases that were in flight */
        assert_int_equal(answers[i], ANSWER_OUTCOME);
    assert_int_equal(starts_of("back"), 1 + 3 + 1);
    assert_int_equal(told, 3 + 1);
    assert_int_equal(b->restarts, 1);
    close_leaving(b);
}

static void a_board_that_does_not_come_back_is_given_up(void **state)
{
    (void)state;
    struct error e = {0};
    struct board *b = open_leaving("gone", "1000000", "0.2");
    assert_false(board_run(b, case_list, CASES, outcomes, answers, &e));
    assert_true(e.of_machine);
    assert_non_null(
        strstr(e.text, "exit status 255 before it sent HELLO; it did not come back within 0.2 s"));
    assert_false(b->stopped);
    close_leaving(b);
    b = open_leaving("never", "1000000", "0"); /* the user allows no wait at all */
    assert_false(board_run(b, case_list, CASES, outcomes, answers, &e));
    assert_int_equal(starts_of("never"), 2);
    assert_int_equal(told, 0);
    close_leaving(b);
    setenv("MISPRINT_BOARD_RETURN", "soon", 1);
    assert_null(board_open("exec:true", u, &e));
    assert_non_null(strstr(e.text, "MISPRINT_BOARD_RETURN is 'soon'"));
    unsetenv("MISPRINT_BOARD_RETURN");
}

static void stop_when_told(const char *line)
{
    hear(line);
    stop = 1;
}

/* The board needs more than an hour to come back, with 15 s between attempts. The user stops the wait. */
static void a_user_can_end_the_wait(void **state)
{
    (void)state;
    struct error e = {0};
    struct board *b = open_leaving("stop", "1000000", "3600");
    board_notify_on(stop_when_told);
    board_stop_on(&stop);
    assert_false(board_run(b, case_list, CASES, outcomes, answers, &e));
    assert_true(b->stopped);
    assert_non_null(strstr(e.text, "stopped"));
    assert_int_equal(starts_of("stop"), 2); /* no board was started after that */
    board_stop_on(NULL);
    stop = 0;
    close_leaving(b);
}

/* The first board leaves a process that the kill does not reach. Misprint waits until this process has ended,
 * so that no two boards use one piece of hardware. */
static void there_is_one_board_at_a_time(void **state)
{
    (void)state;
    char mode[128];
    struct error e = {0};
    snprintf(mode, sizeof mode, "lingers '%s/lingers'", folder);
    struct board *b = open_bad(mode, "3"); /* it hangs */
    if (!board_run(b, case_list, CASES, outcomes, answers, &e))
        fail_msg("%s", e.text);
    for (unsigned i = 0; i < CASES; i++)
        assert_int_equal(answers[i], ANSWER_OUTCOME);
    board_close(b);
    assert_nothing_left();
}

static void close_leaves_nothing(void **state)
{
    (void)state;
    double start = now();
    board_close(open_bad("stays", "20")); /* the board ignores BYE, so Misprint kills it */
    assert_nothing_left();
    board_close(open_bad("grandchild", "20"));
    assert_nothing_left();
    assert_true(now() - start < 60);
    unsetenv("MISPRINT_BOARD_TIMEOUT");
}

static int set_up(void **state)
{
    (void)state;
    if (system("python3 -c ''") != 0 || !mkdtemp(folder))
        return -1;
    u = unit_at(0);
    struct random r;
    random_seed(&r, 5);
    for (unsigned i = 0; i < CASES; i++) {
        uint8_t bytes[64];
        for (unsigned n = 0; n < sizeof bytes; n++)
            bytes[n] = (uint8_t)random_u32(&r);
        case_decode(&cases[i], u, bytes, sizeof bytes);
        case_list[i] = &cases[i];
        outcomes[i] = outcome_new(u);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CASES; i++)
        outcome_free(outcomes[i]);
    char remove[64];
    snprintf(remove, sizeof remove, "rm -rf '%s'", folder);
    return system(remove);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_list_the_known_names),
        cmocka_unit_test(a_virtual_board_is_no_silicon),
        cmocka_unit_test(bad_greetings),
        cmocka_unit_test(answers_are_checked),
        cmocka_unit_test(a_stop_ends_the_wait),
        cmocka_unit_test(bad_answers),
        cmocka_unit_test(bad_frames_of_many),
        cmocka_unit_test(one_hanging_case_costs_only_itself),
        cmocka_unit_test(the_time_limit_is_no_hang),
        cmocka_unit_test(one_killing_case_costs_only_itself),
        cmocka_unit_test(a_board_that_reboots_is_waited_for),
        cmocka_unit_test(a_board_that_does_not_come_back_is_given_up),
        cmocka_unit_test(a_user_can_end_the_wait),
        cmocka_unit_test(there_is_one_board_at_a_time),
        cmocka_unit_test(close_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
