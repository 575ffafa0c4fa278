/* SPDX-License-Identifier: MIT */
/* The progress of a campaign on a terminal. The test contains a small terminal that obeys the control
 * sequences of ECMA-48 that the panel uses. It compares the lines on this terminal with the figures that it
 * gave to the panel. */
#include "cli/terminal/display.c" /* NOLINT(bugprone-suspicious-include): its own functions */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>

enum { LINES = 64, COLUMNS = 256 };

struct screen {
    char line[LINES][COLUMNS];
    unsigned row, column;
};

static void clear_from(struct screen *s, unsigned row, unsigned column)
{
    memset(s->line[row] + column, 0, COLUMNS - column);
}

/* Obeys the control sequence after an ESC. Returns the sequence's length. */
static size_t obey(struct screen *s, const char *chars)
{
    char *end;
    assert_int_equal(chars[0], '[');
    unsigned long n = strtoul(chars + 1, &end, 10);
    if (*end == 'A') {
        assert_true(n >= 1 && n <= s->row);
        s->row -= (unsigned)n;
    } else if (*end == 'J' || *end == 'K') {
        clear_from(s, s->row, s->column);
        for (unsigned r = s->row + 1; *end == 'J' && r < LINES; r++)
            clear_from(s, r, 0);
    } else {
        assert_int_equal(*end, 'm');
    }
    return (size_t)(end + 1 - chars);
}

static void feed(struct screen *s, const char *chars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (chars[i] == '\033') {
            i += obey(s, chars + i + 1);
        } else if (chars[i] == '\n') {
            assert_true(++s->row < LINES);
            s->column = 0;
        } else if (chars[i] == '\r') {
            s->column = 0;
        } else {
            assert_true(s->column < COLUMNS - 1);
            s->line[s->row][s->column++] = chars[i];
        }
}

/* Calls `f`, and feeds what it writes to standard error to the screen. */
static void capture(struct screen *s, void (*f)(void *context, const struct campaign_view *v), void *context,
                    const struct campaign_view *v)
{
    char bytes[16384], name[] = "/tmp/misprint-display-XXXXXX";
    int file = mkstemp(name), kept = dup(STDERR_FILENO);
    assert_true(file >= 0 && kept >= 0 && unlink(name) == 0);
    assert_true(dup2(file, STDERR_FILENO) == STDERR_FILENO);
    f(context, v);
    (void)fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) == STDERR_FILENO);
    ssize_t count = pread(file, bytes, sizeof bytes, 0);
    assert_true(count >= 0 && (size_t)count < sizeof bytes);
    (void)close(file);
    (void)close(kept);
    feed(s, bytes, (size_t)count);
}

static void say(void *context, const struct campaign_view *v)
{
    (void)v;
    display_message(context, "the board\tis back");
}

static struct tally tally;
static struct coverage coverage;
static struct campaign_view view;
static struct display display;

static struct display_of_job *begin(const char *locale, bool panel)
{
    memset(&tally, 0, sizeof tally);
    memset(&coverage, 0, sizeof coverage);
    assert_int_equal(setenv("LC_ALL", locale, 1), 0);
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    display_open(&display, "fuzz", "manual", panel, false);
    display.board = "virtual:bcm2835";
    view = (struct campaign_view){
        .unit = unit_at(0), .seconds = 3725, .since_new = 61, .tally = &tally, .coverage = &coverage};
    view.findings = 3;
    view.verdicts[0] = 2;
    view.verdicts[1] = 1;
    tally.cases = 7450000;
    return display_job(&display, true);
}

static void times_have_their_largest_units(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *expected;
    } rows[] = {{0, "0 s"},
                {-5, "0 s"},
                {59.9, "59 s"},
                {60, "1 min 0 s"},
                {3599, "59 min 59 s"},
                {3600, "1 h 0 min 0 s"},
                {86399, "23 h 59 min 59 s"},
                {86400, "1 d 0 h 0 min 0 s"},
                {2 * 86400 + 3 * 3600 + 4 * 60 + 5, "2 d 3 h 4 min 5 s"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text t = {0};
        add_time(&t, rows[i].seconds);
        assert_string_equal(text_chars(&t), rows[i].expected);
        text_free(&t);
    }
}

static void the_panel_is_a_box_that_stays_in_place(void **state)
{
    (void)state;
    struct display_of_job *j = begin("C", true);
    struct screen s = {0};
    for (unsigned turn = 0; turn < 3; turn++, view.seconds += 1, tally.cases += 1500) {
        char speed[32];
        capture(&s, display_show, j, &view);
        assert_int_equal(s.row, 8);
        for (unsigned row = 0; row < 8; row++) {
            assert_int_equal(strlen(s.line[row]), 80); /* 80 is the width if standard error is no terminal */
            char edge = row == 0 || row == 5 || row == 7 ? '+' : '|';
            assert_int_equal(s.line[row][0], edge);
            assert_int_equal(s.line[row][79], edge);
        }
        assert_memory_equal(s.line[0], "+- misprint fuzz vc4-vpm: manual against virtual:bcm2835 ---", 59);
        snprintf(speed, sizeof speed, "speed : %s k cases/s", turn ? "1.5" : "2.0"); /* 7450000 / 3725 s */
        assert_non_null(strstr(s.line[2], speed));
        assert_non_null(strstr(s.line[2], "last new : 1 min 1 s ago"));
        assert_non_null(strstr(s.line[1], turn ? "run time : 1 h 2 min " : "run time : 1 h 2 min 5 s "));
        assert_non_null(strstr(s.line[3], "engine : builtin, 1 job "));
        assert_non_null(strstr(s.line[4], "findings : 3 so far "));
        assert_int_equal(s.line[1][39], '|'); /* columns are (80 - 3) / 2 wide, after the first edge */
        assert_memory_equal(s.line[5], "+- findings by verdict ---", 26);
        assert_int_equal(s.line[6][1], ' ');
        assert_int_equal(s.line[8][0], 0);
    }
    char verdicts[80];
    snprintf(verdicts, sizeof verdicts, "| 2 %s   1 %s  ", verdict_name((enum verdict)0),
             verdict_name((enum verdict)1));
    assert_memory_equal(s.line[6], verdicts, strlen(verdicts));
    assert_non_null(strstr(s.line[1], "cases : 7,453,000 "));
    assert_memory_equal(s.line[7], "+- Ctrl-C ends it ---", 21);
    assert_int_equal(display.findings, 3); /* for the summary at the end */
    capture(&s, say, j, NULL);             /* the message replaces the panel until the next display_show */
    assert_string_equal(s.line[0], "misprint: the board\tis back");
    assert_int_equal(s.line[1][0], 0);
    capture(&s, display_show, j, &view);
    assert_int_equal(s.line[1][0], '+');
    assert_int_equal(s.row, 9);
    view.ended = true;
    capture(&s, display_show, j, &view);
    assert_int_equal(s.row, 1);
    assert_int_equal(s.line[1][0], 0);
    assert_int_equal(s.line[9][0], 0);
}

/* The lower edge says how long the run will take: until the limit that comes first. */
static void the_panel_shows_the_time_left(void **state)
{
    (void)state;
    static const struct {
        double max_seconds;
        uint64_t max_cases;
        const char *expected;
    } rows[] = {{3785, 0, "+- 1 min 0 s left -"},
                {0, 7450000 + 2000 * 30, "+- 30 s left -"},
                {3785, 7450000 + 60, "+- 0 s left -"},
                {3735, 99999999, "+- 10 s left -"},
                {3000, 0, "+- 0 s left -"},
                {0, 10, "+- 0 s left -"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct display_of_job *j = begin("C", true); /* 2,000 cases a second */
        struct screen s = {0};
        display.max_seconds = rows[i].max_seconds;
        display.max_cases = rows[i].max_cases;
        capture(&s, display_show, j, &view);
        assert_memory_equal(s.line[7], rows[i].expected, strlen(rows[i].expected));
        assert_int_equal(strlen(s.line[7]), 80);
    }
}

/* During the search after the last case, the display says how far it is. */
static void the_search_for_causes_is_shown(void **state)
{
    (void)state;
    static const char expected[] = "+- searching causes, 12 of 29; Ctrl-C ends it -";
    struct screen s = {0};
    struct display_of_job *j = begin("C", true);
    view.searching = 12;
    view.to_search = 29;
    capture(&s, display_show, j, &view);
    assert_memory_equal(s.line[7], expected, sizeof expected - 1);
    j = begin("C", false);
    view.searching = 12;
    view.to_search = 29;
    s = (struct screen){0};
    capture(&s, display_show, j, &view);
    assert_non_null(strstr(s.line[0], "searching causes, 12 of 29, "));
}

static void utf8_terminals_get_lines(void **state)
{
    (void)state;
    struct display_of_job *j = begin("C.UTF-8", true);
    struct screen s = {0};
    capture(&s, display_show, j, &view);
    for (unsigned row = 0; row < 8; row++) { /* U+250C, U+251C, U+2514, U+2502 */
        const char *left = row == 0   ? "\xE2\x94\x8C"
                           : row == 5 ? "\xE2\x94\x9C"
                           : row == 7 ? "\xE2\x94\x94"
                                      : "\xE2\x94\x82";
        assert_memory_equal(s.line[row], left, 3);
    }
}

static void plain_lines_come_every_ten_seconds(void **state)
{
    (void)state;
    struct display_of_job *j = begin("C", false);
    struct screen s = {0};
    unsigned lines = 0;
    for (unsigned second = 1; second < 31; second++) {
        view.seconds = second;
        capture(&s, display_show, j, &view);
        lines += second % 10 == 0;
        assert_int_equal(s.row, lines);
    }
    assert_memory_equal(s.line[0], "10 s: 3 findings, 7,450,000 cases, ", 35);
    assert_non_null(strstr(s.line[0], "; last new 1 min 1 s ago"));
    view.findings = view.verdicts[0] = view.verdicts[1] = 0;
    view.seconds = 40;
    capture(&s, display_show, j, &view);
    assert_memory_equal(s.line[3], "40 s: 0 findings, ", 18);
    assert_null(strstr(s.line[3], "last new"));
}

static void quiet_and_other_jobs_draw_nothing(void **state)
{
    (void)state;
    struct display_of_job *j = begin("C", true), *other = display_job(&display, false);
    struct screen s = {0};
    capture(&s, display_show, other, &view);
    assert_int_equal(s.row, 0);
    capture(&s, display_show, j, &view); /* the sum of both jobs */
    assert_non_null(strstr(s.line[1], "cases : 14,900,000 "));
    assert_non_null(strstr(s.line[3], "engine : builtin, 2 jobs "));
    struct screen empty = {0};
    display.quiet = true;
    capture(&empty, display_show, j, &view);
    assert_int_equal(empty.row, 0);
    assert_int_equal(empty.line[0][0], 0);
    capture(&empty, say, j, NULL); /* messages appear with --quiet, too */
    assert_string_equal(empty.line[0], "misprint: the board\tis back");
    display.jobs = DISPLAY_JOBS_MAX;
    assert_null(display_job(&display, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_have_their_largest_units),
        cmocka_unit_test(the_panel_is_a_box_that_stays_in_place),
        cmocka_unit_test(the_panel_shows_the_time_left),
        cmocka_unit_test(the_search_for_causes_is_shown),
        cmocka_unit_test(utf8_terminals_get_lines),
        cmocka_unit_test(plain_lines_come_every_ten_seconds),
        cmocka_unit_test(quiet_and_other_jobs_draw_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
