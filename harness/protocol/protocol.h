/* SPDX-License-Identifier: MIT */
/*
 * Encodes and decodes the board protocol (harness/PROTOCOL.md): frames in a byte stream, the messages in the
 * frames, and a stream on file descriptors with deadlines. Any bytes decode to a frame, to a request for more
 * bytes, or to an error that quotes them. Does not decide what is sent when: agent.h and the host's board do.
 */
#ifndef MISPRINT_HARNESS_PROTOCOL_PROTOCOL_H
#define MISPRINT_HARNESS_PROTOCOL_PROTOCOL_H

#include "model/core/unit.h"

enum {
    PROTOCOL_VERSION = 1, /* of a HELLO; both sides speak at least this version */
    PROTOCOL_NEWEST = 2,  /* the newest version, with frames of many cases */
    PROTOCOL_HEAD = 8,    /* bytes before a payload */
    PROTOCOL_TAIL = 4,    /* bytes after a payload: the checksum */
    PROTOCOL_PAYLOAD_MAX = 1 << 20,
    PROTOCOL_IN_FLIGHT_MAX = 512, /* the most RUN frames that a host sends before it gets an answer */
};

enum protocol_type {
    PROTOCOL_HELLO = 1,
    PROTOCOL_RUN,
    PROTOCOL_OUTCOME,
    PROTOCOL_REFUSED,
    PROTOCOL_ERROR,
    PROTOCOL_BYE,
    PROTOCOL_STATE,
    PROTOCOL_CASES,    /* version 2 */
    PROTOCOL_OUTCOMES, /* version 2 */
    PROTOCOL_TYPES
};
const char *protocol_type_name(uint8_t type); /* "HELLO", ...; "unknown" */

/* CRC-32 as in zlib and PNG: polynomial EDB88320, start and final inversion FFFFFFFF. Pass 0 as `crc` at
 * first, then the previous result. */
uint32_t protocol_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

/* The done-stamp of an outcome: nonce xor (CRC-32 of the case << 32 | CRC-32 of the outcome). Both CRCs are
 * of the binary forms. */
uint64_t protocol_stamp(uint64_t nonce, uint32_t case_crc, const uint8_t *outcome, size_t count);

/* A queue of bytes. */
struct protocol_bytes {
    uint8_t *at;
    size_t start, end, room; /* bytes start..end-1 are in use */
};
/* Makes room for `more` bytes after the end. This may move the bytes. False: out of memory. */
bool protocol_bytes_reserve(struct protocol_bytes *b, size_t more);
void protocol_bytes_free(struct protocol_bytes *b);

struct protocol_frame {
    uint8_t type;
    const uint8_t *payload; /* points into the bytes that were decoded */
    size_t size;
};

enum protocol_take {
    PROTOCOL_MORE,  /* no complete frame yet */
    PROTOCOL_FRAME, /* one frame, of `used` bytes */
    PROTOCOL_BAD,   /* the bytes are no frame; the error quotes them */
};
enum protocol_take protocol_take(const uint8_t *bytes, size_t count, struct protocol_frame *f, size_t *used,
                                 struct error *e);

/* ---- messages ---- */

/* HELLO. The host names the one unit that it wants, the board all units that it has. */
struct protocol_hello {
    uint32_t version;
    char software[64];
    struct {
        char name[32];
        uint64_t form;
    } unit[16];
    unsigned units;
    /* Sent by hosts only. */
    uint32_t newest;    /* the newest version that the host speaks; 0: version 1 */
    bool takes_state;   /* the host understands STATE frames */
    char profile[8192]; /* the profile of the host's campaign; text as for --profile; "": unknown */
    /* Sent by boards only. */
    char description[256], provenance[1024], state[128];
    bool silicon;
    char lacks[4096]; /* parts of cases that it cannot run (PROTOCOL.md) */
    bool proves;      /* the board runs only cases that it has proven harmless */
    uint32_t memory_base, code_base;
    uint32_t in_flight;      /* RUN frames that the board takes before it answers, at least 1 */
    uint32_t answer_seconds; /* the longest time between two answers; 0: unknown */
};

struct protocol_run {
    uint32_t id;
    uint64_t nonce;
    uint32_t memory_base, code_base;
    char unit[64];
    const uint8_t *case_bytes; /* points into the frame */
    size_t case_size;
};

struct protocol_outcome {
    uint32_t id;
    uint64_t stamp;
    const uint8_t *bytes; /* points into the frame */
    size_t size;
};

struct protocol_refused {
    uint32_t id;
    char reason[256]; /* printable; cut to fit */
};

/* Each returns false with an error if the payload breaks the rules of PROTOCOL.md. */
bool protocol_get_hello(const struct protocol_frame *f, struct protocol_hello *h, struct error *e);
bool protocol_get_run(const struct protocol_frame *f, struct protocol_run *r, struct error *e);
bool protocol_get_outcome(const struct protocol_frame *f, struct protocol_outcome *o, struct error *e);
bool protocol_get_refused(const struct protocol_frame *f, struct protocol_refused *r, struct error *e);
/* Copies the text of an ERROR or STATE frame: printable, cut to fit. */
void protocol_get_text(const struct protocol_frame *f, char *text, size_t room);

/* Each appends one frame; false only when out of memory. */
bool protocol_put_hello(struct protocol_bytes *b, const struct protocol_hello *h, bool board);
bool protocol_put_run(struct protocol_bytes *b, const struct protocol_run *r);
bool protocol_put_outcome(struct protocol_bytes *b, const struct protocol_outcome *o);
bool protocol_put_refused(struct protocol_bytes *b, const struct protocol_refused *r);
bool protocol_put_error(struct protocol_bytes *b, const char *text);
bool protocol_put_state(struct protocol_bytes *b, const char *text);
bool protocol_put_bye(struct protocol_bytes *b);

/* ---- frames of many cases or outcomes (version 2) ---- */

/* A case or an outcome. */
struct protocol_item {
    uint32_t id;
    uint64_t check;       /* the nonce of a case, the done-stamp of an outcome */
    const uint8_t *bytes; /* points into the frame */
    size_t size;
};

/* Takes the first item of a CASES or OUTCOMES frame, and shortens `rest` by it. False with an error if there
 * is no complete item. The frame ends where rest->size is 0. */
bool protocol_next_item(struct protocol_frame *rest, struct protocol_item *item, struct error *e);

/* A CASES or OUTCOMES frame that is being written at the end of `to`. Nothing else may be written there, and
 * nothing sent, until it is closed. */
struct protocol_pack {
    struct protocol_bytes *to;
    enum protocol_type type;
    size_t size; /* bytes of the frame; 0: none is open */
};

/* True if the open frame has no room for one more item of `most` bytes. */
bool protocol_pack_is_full(const struct protocol_pack *p, size_t most);
/* Returns room for `most` bytes of an item, which protocol_pack_add then adds. Opens a frame if none is open.
 * NULL: out of memory. */
uint8_t *protocol_pack_room(struct protocol_pack *p, size_t most);
/* Adds the item whose bytes are in that room. Its member `bytes` is not used. */
void protocol_pack_add(struct protocol_pack *p, const struct protocol_item *item);
void protocol_pack_close(struct protocol_pack *p); /* does nothing if no frame is open */

/* ---- the stream ---- */

struct protocol_stream {
    int in, out; /* may be the same socket; not closed here */
    struct protocol_bytes received, to_send;
    size_t taken;  /* bytes of the frame returned last */
    uint64_t sent; /* bytes, in total */
};

enum protocol_event {
    PROTOCOL_GOT,     /* a frame */
    PROTOCOL_LATE,    /* the deadline passed */
    PROTOCOL_CLOSED,  /* the other side closed the stream */
    PROTOCOL_GARBAGE, /* the received bytes are no frame; the error quotes them */
    PROTOCOL_FAILED,  /* the descriptor or the memory failed */
};

/*
 * Waits until `deadline` (a time of clock_ms) for the next frame. Meanwhile sends the bytes in to_send, so
 * that the two sides cannot block each other. The frame is valid until the next call.
 */
enum protocol_event protocol_next(struct protocol_stream *s, int64_t deadline, struct protocol_frame *f,
                                  struct error *e);
/* Sends all bytes in to_send. Returns PROTOCOL_GOT when done. */
enum protocol_event protocol_flush(struct protocol_stream *s, int64_t deadline, struct error *e);
void protocol_stream_free(struct protocol_stream *s);

#endif
