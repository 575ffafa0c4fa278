/* SPDX-License-Identifier: MIT */
/* The report of a replay names the finding that holds an input's cases in the end, however often findings
 * were merged. */
/* No library has the command's own functions. NOLINTBEGIN(bugprone-suspicious-include) */
#include "cli/session/replay_status.c"
/* NOLINTEND(bugprone-suspicious-include) */
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* The parts of the command that only crashed inputs need. */
volatile sig_atomic_t interrupted;
const char *const origin_name[ORIGINS] = {"plain", "finding", "crash", "hang", "leak", "memory", "corpus"};
struct input_reader *input_open(const struct input *file, struct error *e)
{
    (void)file, (void)e;
    return NULL;
}
int input_next(struct input_reader *r, struct test_case *c, const char **label, struct error *e)
{
    (void)r, (void)c, (void)label, (void)e;
    return -1;
}
void input_close(struct input_reader *r)
{
    (void)r;
}

static struct finding *named(unsigned n)
{
    static struct finding f[2]; /* two take turns, because a merger has two */
    struct finding *one = &f[n % 2];
    (void)snprintf(one->id, sizeof one->id, "F-%u", n);
    return one;
}

static void mergers_are_followed_to_their_end(void **state)
{
    (void)state;
    enum { MERGERS = 101, FORK = 200 };
    char path[] = "input";
    struct input file = {.path = path, .unit = unit_at(0)};
    struct inputs in = {.file = &file, .count = 1};
    struct replay_status *s = replay_status_new(&in, NULL, 0);
    struct case_watch w = replay_status_watch(s);
    replay_status_begin(s);
    replay_status_case(s, 0);
    w.filed(w.context, 0, named(0));
    for (unsigned n = 0; n < MERGERS; n++)
        w.moved(w.context, named(n), named(n + 1), true);
    w.moved(w.context, named(MERGERS), named(FORK), false); /* its cases go to two others */
    w.moved(w.context, named(MERGERS), named(FORK + 2), true);
    w.moved(w.context, named(FORK), named(MERGERS), true); /* a new finding with an old id */
    struct report_input *r = replay_status_report(s);
    assert_int_equal(r->findings, 2);
    assert_string_equal(r->finding[0], "F-101");
    assert_string_equal(r->finding[1], "F-202");
    replay_status_free_report(r, 1);
    replay_status_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mergers_are_followed_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
