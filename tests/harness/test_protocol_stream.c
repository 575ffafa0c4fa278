/* SPDX-License-Identifier: MIT */
/* The stream on descriptors that fail, close or are full: what protocol_next and protocol_flush return.
 * Neither a signal nor a full buffer may stop the program. */
#include "harness/protocol/protocol.h"

#include "harness/system/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void free_stream(struct protocol_stream *s)
{
    protocol_bytes_free(&s->received);
    protocol_bytes_free(&s->to_send);
}

static void a_read_that_fails_says_why(void **state)
{
    (void)state;
    struct protocol_frame f;
    struct error e = {0};
    struct protocol_stream s = {.in = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC), .out = -1};
    assert_true(s.in >= 0);
    assert_int_equal(protocol_next(&s, clock_ms() + 5000, &f, &e), PROTOCOL_FAILED);
    assert_string_equal(e.text, "cannot read (Is a directory)");
    close(s.in);
    free_stream(&s);
}

static void a_write_that_fails_says_why(void **state)
{
    (void)state;
    struct error e = {0};
    struct protocol_stream s = {.in = -1, .out = open("/dev/full", O_WRONLY | O_CLOEXEC)};
    assert_true(s.out >= 0 && protocol_put_bye(&s.to_send));
    assert_int_equal(protocol_flush(&s, clock_ms() + 5000, &e), PROTOCOL_FAILED);
    assert_string_equal(e.text, "cannot write (No space left on device)");
    close(s.out);
    free_stream(&s);
}

static void bytes_that_arrive_are_taken(void **state)
{
    (void)state;
    int ends[2];
    struct protocol_frame f;
    struct error e = {0};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    struct protocol_stream near = {.in = ends[0], .out = ends[0]}, far = {.in = ends[1], .out = ends[1]};
    assert_int_equal(protocol_next(&near, clock_ms() + 20, &f, &e), PROTOCOL_LATE);
    assert_true(protocol_put_error(&far.to_send, "one") && protocol_put_bye(&far.to_send));
    assert_int_equal(protocol_flush(&far, clock_ms() + 5000, &e), PROTOCOL_GOT);
    assert_true(far.to_send.start == far.to_send.end && far.sent > 0);
    assert_int_equal(protocol_next(&near, clock_ms() + 5000, &f, &e), PROTOCOL_GOT);
    assert_int_equal(f.type, PROTOCOL_ERROR);
    assert_int_equal(protocol_next(&near, clock_ms() + 5000, &f, &e), PROTOCOL_GOT);
    assert_int_equal(f.type, PROTOCOL_BYE);
    close(ends[1]);
    assert_int_equal(protocol_next(&near, clock_ms() + 5000, &f, &e), PROTOCOL_CLOSED);
    close(ends[0]);
    free_stream(&near);
    free_stream(&far);
}

/* The peer has closed its end. Writing must not raise SIGPIPE, whose default action would end this
 * program. */
static void a_peer_that_has_gone_is_no_signal(void **state)
{
    (void)state;
    int ends[2];
    struct error e = {0};
    signal(SIGPIPE, SIG_DFL);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    struct protocol_stream s = {.in = ends[0], .out = ends[0]};
    close(ends[1]);
    assert_true(protocol_put_bye(&s.to_send));
    assert_int_equal(protocol_flush(&s, clock_ms() + 5000, &e), PROTOCOL_CLOSED);
    close(ends[0]);
    free_stream(&s);
}

/* The peer reads nothing. protocol_flush sends what fits, keeps the rest, and returns at its deadline. */
static void a_full_socket_does_not_block(void **state)
{
    (void)state;
    enum { MUCH = 4 << 20 };
    int ends[2];
    struct error e = {0};
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    struct protocol_stream s = {.in = ends[0], .out = ends[0]};
    assert_true(protocol_bytes_reserve(&s.to_send, MUCH));
    memset(s.to_send.at, 0, MUCH);
    s.to_send.end = MUCH;
    alarm(20); /* ends the test if the call blocks */
    assert_int_equal(protocol_flush(&s, clock_ms() + 200, &e), PROTOCOL_LATE);
    alarm(0);
    assert_true(s.sent > 0 && s.sent < MUCH);
    assert_true(s.to_send.start == s.sent && s.to_send.end == MUCH);
    close(ends[0]);
    close(ends[1]);
    free_stream(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_that_fails_says_why),        cmocka_unit_test(a_write_that_fails_says_why),
        cmocka_unit_test(bytes_that_arrive_are_taken),       cmocka_unit_test(a_full_socket_does_not_block),
        cmocka_unit_test(a_peer_that_has_gone_is_no_signal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
