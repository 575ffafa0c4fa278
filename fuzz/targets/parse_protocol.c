/* SPDX-License-Identifier: MIT */
/*
 * The reader accepts any bytes as frames of the board protocol, asks for more bytes, or refuses them with a
 * reason. It accepts each frame's payload as a message, or refuses it. An accepted message that is written as
 * a frame reads as the same message.
 *
 * If the first byte is odd, the target first corrects the checksums, because a mutation hardly ever gives a
 * right one.
 */
#include "fuzz/targets/target.h"

#include "harness/protocol/protocol.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Checks that a text is printable and UTF-8, because Misprint prints text from outside on terminals and in
 * JSON. */
static void check_printable(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            target_violated("a text has a control character");
    json_t *j = json_string(text);
    if (!j)
        target_violated("a text is not UTF-8");
    json_decref(j);
}

/* Reads the frame that was just written to `b`. `put`: writing succeeded. */
static struct protocol_frame written(const struct protocol_bytes *b, bool put)
{
    struct protocol_frame f = {0};
    struct error e = {0};
    size_t used;
    if (!put || protocol_take(b->at + b->start, b->end - b->start, &f, &used, &e) != PROTOCOL_FRAME)
        target_violated("a message that was read cannot be written: %s", e.text);
    return f;
}

static void check_hello(const struct protocol_frame *f, struct error *e)
{
    static struct protocol_hello h, again;
    struct protocol_bytes b = {0};
    if (!protocol_get_hello(f, &h, e)) {
        target_check_refusal(e);
        return;
    }
    check_printable(h.description);
    struct protocol_frame copy = written(&b, protocol_put_hello(&b, &h, true));
    if (!protocol_get_hello(&copy, &again, e))
        target_violated("a HELLO that was written cannot be read: %s", e->text);
    if (h.units != again.units || strcmp(h.software, again.software) != 0 ||
        strcmp(h.description, again.description) != 0 || h.memory_base != again.memory_base ||
        h.in_flight != again.in_flight || h.answer_seconds != again.answer_seconds)
        target_violated("a HELLO became another");
    protocol_bytes_free(&b);
}

static void check_run(const struct protocol_frame *f, struct error *e)
{
    struct protocol_run r, again;
    struct protocol_bytes b = {0};
    if (!protocol_get_run(f, &r, e)) {
        target_check_refusal(e);
        return;
    }
    struct protocol_frame copy = written(&b, protocol_put_run(&b, &r));
    if (!protocol_get_run(&copy, &again, e) || r.id != again.id || r.nonce != again.nonce ||
        r.case_size != again.case_size ||
        (r.case_size && memcmp(r.case_bytes, again.case_bytes, r.case_size) != 0))
        target_violated("a RUN became another");
    protocol_bytes_free(&b);
}

/* Reads a board's answer, and decodes its bytes as an outcome of some unit, which the answer's id chooses. */
static void check_outcome(const struct protocol_frame *f, struct error *e)
{
    enum { UNITS_MAX = 32 };
    static struct outcome *outcome[UNITS_MAX];
    static struct test_case c;
    static unsigned units;
    for (; units < UNITS_MAX && unit_at(units); units++)
        outcome[units] = outcome_new(unit_at(units));
    struct protocol_outcome o;
    if (!protocol_get_outcome(f, &o, e)) {
        target_check_refusal(e);
        return;
    }
    case_init(&c, unit_at(o.id % units));
    if (!outcome_decode(outcome[o.id % units], &c, o.bytes, o.size, e))
        target_check_refusal(e);
}

static void check_refused(const struct protocol_frame *f, struct error *e)
{
    struct protocol_refused r;
    if (protocol_get_refused(f, &r, e))
        check_printable(r.reason);
    else
        target_check_refusal(e);
}

/* Items are read until the frame ends or lies about one. They are written as they were read. */
static void check_items(const struct protocol_frame *f)
{
    struct protocol_bytes b = {0};
    struct protocol_pack pack = {.to = &b, .type = (enum protocol_type)f->type};
    struct protocol_frame rest = *f;
    struct protocol_item item;
    struct error e = {0};
    do {
        if (!protocol_next_item(&rest, &item, &e)) {
            target_check_refusal(&e);
            break;
        }
        uint8_t *to = protocol_pack_room(&pack, item.size);
        if (!to)
            target_violated("an item that was read cannot be written");
        if (item.size)
            memcpy(to, item.bytes, item.size);
        protocol_pack_add(&pack, &item);
    } while (rest.size);
    size_t read = f->size - rest.size;
    protocol_pack_close(&pack);
    if (read) {
        struct protocol_frame copy = written(&b, true);
        if (copy.type != f->type || copy.size != read || memcmp(copy.payload, f->payload, read) != 0)
            target_violated("the items of a frame became others");
    }
    protocol_bytes_free(&b);
}

static void check_message(const struct protocol_frame *f)
{
    struct error e = {0};
    char text[64];
    switch (f->type) {
    case PROTOCOL_HELLO:
        check_hello(f, &e);
        break;
    case PROTOCOL_RUN:
        check_run(f, &e);
        break;
    case PROTOCOL_OUTCOME:
        check_outcome(f, &e);
        break;
    case PROTOCOL_REFUSED:
        check_refused(f, &e);
        break;
    case PROTOCOL_CASES:
    case PROTOCOL_OUTCOMES:
        check_items(f);
        break;
    default:
        protocol_get_text(f, text, sizeof text);
        check_printable(text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    bool mend = target_choice(&bytes, &count, 2) == 1;
    uint8_t *copy = malloc(count + 1);
    if (!copy)
        return 0;
    memcpy(copy, bytes, count);
    if (mend)
        target_mend_frames(copy, count);
    struct protocol_frame f;
    struct error e = {0};
    enum protocol_take took;
    size_t used = 0;
    for (size_t at = 0; (took = protocol_take(copy + at, count - at, &f, &used, &e)) == PROTOCOL_FRAME;
         at += used) {
        if (used > count - at)
            target_violated("a frame of %zu bytes in %zu", used, count - at);
        check_message(&f);
    }
    if (took == PROTOCOL_BAD)
        target_check_refusal(&e);
    free(copy);
    return 0;
}
