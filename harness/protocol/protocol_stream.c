/* SPDX-License-Identifier: MIT */
/* The protocol's stream on file descriptors: reads and writes that wait for each other, never past a
 * deadline. */
#include "harness/protocol/protocol.h"

#include "harness/launch/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_AT_ONCE = 65536 };

/* Brings what there is to read; the descriptor is known to be readable. */
static enum protocol_event receive(struct protocol_stream *s, struct error *e)
{
    struct protocol_bytes *b = &s->received;
    if (b->start > 0 && b->room - b->end < READ_AT_ONCE) {
        memmove(b->at, b->at + b->start, b->end - b->start);
        b->end -= b->start;
        b->start = 0;
    }
    if (b->room - b->end < READ_AT_ONCE) {
        uint8_t *at = realloc(b->at, b->end + 2 * READ_AT_ONCE);
        if (!at)
            return error_memory(e, "while reading from the board"), PROTOCOL_FAILED;
        b->at = at;
        b->room = b->end + 2 * READ_AT_ONCE;
    }
    ssize_t got = read(s->in, b->at + b->end, READ_AT_ONCE);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return PROTOCOL_GOT;
    if (got == 0 || (got < 0 && errno == ECONNRESET))
        return PROTOCOL_CLOSED;
    if (got < 0)
        return error_set(e, "cannot read (%s)", strerror(errno)), PROTOCOL_FAILED;
    b->end += (size_t)got;
    return PROTOCOL_GOT;
}

/* Sends what fits at once: poll promises room for PIPE_BUF bytes in a pipe; a socket is told not to wait, nor
 * to raise SIGPIPE. */
static enum protocol_event send_some(struct protocol_stream *s, struct error *e)
{
    struct protocol_bytes *b = &s->to_send;
    size_t count = b->end - b->start;
    ssize_t sent = send(s->out, b->at + b->start, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == ENOTSOCK)
        sent = write(s->out, b->at + b->start, count < PIPE_BUF ? count : PIPE_BUF);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN))
        return PROTOCOL_GOT;
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET))
        return PROTOCOL_CLOSED;
    if (sent < 0)
        return error_set(e, "cannot write (%s)", strerror(errno)), PROTOCOL_FAILED;
    b->start += (size_t)sent;
    s->sent += (uint64_t)sent;
    return PROTOCOL_GOT;
}

/* Waits until something can move, and moves it. `want` is POLLIN or 0. PROTOCOL_GOT: something may have
 * moved. */
static enum protocol_event pump(struct protocol_stream *s, short want, int64_t deadline, struct error *e)
{
    int64_t left = deadline - clock_ms();
    if (left < 0)
        left = 0;
    bool sending = s->to_send.start < s->to_send.end;
    struct pollfd fds[2] = {{.fd = want ? s->in : -1, .events = want},
                            {.fd = sending ? s->out : -1, .events = POLLOUT}};
    int ready = poll(fds, 2, left > INT_MAX ? INT_MAX : (int)left);
    if (ready < 0)
        return errno == EINTR ? PROTOCOL_GOT
                              : (error_set(e, "cannot wait (%s)", strerror(errno)), PROTOCOL_FAILED);
    if (ready == 0)
        return left == 0 || clock_ms() >= deadline ? PROTOCOL_LATE : PROTOCOL_GOT;
    enum protocol_event event = PROTOCOL_GOT;
    if (want && fds[0].revents)
        event = receive(s, e);
    if (fds[1].revents && event == PROTOCOL_GOT) {
        event = send_some(s, e);
        if (event == PROTOCOL_CLOSED && want) { /* it will read no more, but may have said why: read on */
            s->to_send.start = s->to_send.end = 0;
            event = PROTOCOL_GOT;
        }
    }
    return event;
}

enum protocol_event protocol_next(struct protocol_stream *s, int64_t deadline, struct protocol_frame *f,
                                  struct error *e)
{
    s->received.start += s->taken;
    s->taken = 0;
    for (;;) {
        size_t count = s->received.end - s->received.start;
        if (count) {
            enum protocol_take took =
                protocol_take(s->received.at + s->received.start, count, f, &s->taken, e);
            if (took != PROTOCOL_MORE)
                return took == PROTOCOL_FRAME ? PROTOCOL_GOT : PROTOCOL_GARBAGE;
        }
        enum protocol_event event = pump(s, POLLIN, deadline, e);
        if (event != PROTOCOL_GOT)
            return event;
    }
}

enum protocol_event protocol_flush(struct protocol_stream *s, int64_t deadline, struct error *e)
{
    while (s->to_send.start < s->to_send.end) {
        enum protocol_event event = pump(s, 0, deadline, e);
        if (event != PROTOCOL_GOT)
            return event;
    }
    return PROTOCOL_GOT;
}

void protocol_stream_free(struct protocol_stream *s)
{
    protocol_bytes_free(&s->received);
    protocol_bytes_free(&s->to_send);
}
