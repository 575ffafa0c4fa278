/* SPDX-License-Identifier: MIT */
/* The protocol's stream on file descriptors (protocol.h): poll, read and send with deadlines. */
#include "harness/protocol/protocol.h"

#include "harness/system/clock.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_AT_ONCE = 65536 };

/* Reads once. The descriptor must be readable, or the read blocks. */
static enum protocol_event receive(struct protocol_stream *s, struct error *e)
{
    struct protocol_bytes *b = &s->received;
    if (!protocol_bytes_reserve(b, READ_AT_ONCE))
        return error_memory(e, "while reading from the board"), PROTOCOL_FAILED;
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

/* Sends as many bytes as fit without blocking. If the descriptor is a pipe, poll guarantees room for PIPE_BUF
 * bytes. */
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

/* Waits until bytes can be sent or, if `want` is POLLIN, received, and sends or receives them. Returns
 * PROTOCOL_GOT even if it sent and received nothing. */
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
        if (event == PROTOCOL_CLOSED &&
            want) { /* the other side reads nothing more, but may have sent the reason */
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
