/* SPDX-License-Identifier: MIT */
#include "harness/protocol/protocol.h"

#include "model/core/memory.h"
#include "model/number/bytes.h"

#include <jansson.h>
#include <libdeflate.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *protocol_type_name(uint8_t type)
{
    static const char *const names[PROTOCOL_TYPES] = {
        [PROTOCOL_HELLO] = "HELLO",     [PROTOCOL_RUN] = "RUN",     [PROTOCOL_OUTCOME] = "OUTCOME",
        [PROTOCOL_REFUSED] = "REFUSED", [PROTOCOL_ERROR] = "ERROR", [PROTOCOL_BYE] = "BYE",
        [PROTOCOL_STATE] = "STATE",     [PROTOCOL_CASES] = "CASES", [PROTOCOL_OUTCOMES] = "OUTCOMES"};
    return type < PROTOCOL_TYPES && names[type] ? names[type] : "unknown";
}

uint32_t protocol_crc32(uint32_t crc, const uint8_t *bytes, size_t count)
{
    return libdeflate_crc32(crc, bytes, count);
}

uint64_t protocol_stamp(uint64_t nonce, uint32_t case_crc, const uint8_t *outcome, size_t count)
{
    return nonce ^ ((uint64_t)case_crc << 32 | protocol_crc32(0, outcome, count));
}

/* ---- frames ---- */

/* Adds the first 24 bytes, in hexadecimal and as characters. */
static void quote(const uint8_t *bytes, size_t count, struct text *t)
{
    enum { QUOTED = 24 };
    size_t shown = count < QUOTED ? count : QUOTED;
    for (size_t i = 0; i < shown; i++)
        text_add(t, "%s%02X", i ? " " : "", bytes[i]);
    text_add(t, count > shown ? " ... (\"" : " (\"");
    for (size_t i = 0; i < shown; i++)
        text_add(t, "%c", bytes[i] >= 0x20 && bytes[i] < 0x7F ? bytes[i] : '.');
    text_add(t, "\")");
}

static enum protocol_take bad(const uint8_t *bytes, size_t count, const char *why, struct error *e)
{
    struct text t = {0};
    quote(bytes, count, &t);
    error_set(e, "%s; received: %s", why, text_chars(&t));
    text_free(&t);
    return PROTOCOL_BAD;
}

enum protocol_take protocol_take(const uint8_t *bytes, size_t count, struct protocol_frame *f, size_t *used,
                                 struct error *e)
{
    static const uint8_t mark[2] = {'M', 'P'};
    for (size_t i = 0; i < count && i < sizeof mark; i++)
        if (bytes[i] != mark[i])
            return bad(bytes, count, "not a frame of the board protocol, which starts with 4D 50 (\"MP\")",
                       e);
    if (count < PROTOCOL_HEAD)
        return PROTOCOL_MORE;
    if (bytes[2] == 0 || bytes[2] >= PROTOCOL_TYPES || bytes[3] != 0)
        return bad(bytes, count, "a frame has an unknown type", e);
    size_t size = get_u32(bytes + 4);
    if (size > PROTOCOL_PAYLOAD_MAX)
        return bad(bytes, count, "a frame has a payload longer than 1048576 bytes", e);
    if (count < PROTOCOL_HEAD + size + PROTOCOL_TAIL)
        return PROTOCOL_MORE;
    if (get_u32(bytes + PROTOCOL_HEAD + size) != protocol_crc32(0, bytes, PROTOCOL_HEAD + size))
        return bad(bytes, PROTOCOL_HEAD + size + PROTOCOL_TAIL, "a frame has a wrong checksum", e);
    *f = (struct protocol_frame){.type = bytes[2], .payload = bytes + PROTOCOL_HEAD, .size = size};
    *used = PROTOCOL_HEAD + size + PROTOCOL_TAIL;
    return PROTOCOL_FRAME;
}

void protocol_bytes_free(struct protocol_bytes *b)
{
    free(b->at);
    *b = (struct protocol_bytes){0};
}

bool protocol_bytes_reserve(struct protocol_bytes *b, size_t more)
{
    /* Moves the bytes to the front only if at least half of the room is free there, so that moving stays
     * cheap compared with filling. */
    if (b->start == b->end || (b->start >= b->room / 2 && b->room - b->end < more)) {
        if (b->start < b->end)
            memmove(b->at, b->at + b->start, b->end - b->start);
        b->end -= b->start;
        b->start = 0;
    }
    return memory_reserve(&b->at, &b->room, b->end + more, 4096);
}

/* Appends a frame. Its payload consists of the head's bytes and the body's bytes. */
static bool put_frame(struct protocol_bytes *b, enum protocol_type type, const uint8_t *head,
                      size_t head_size, const void *body, size_t body_size)
{
    size_t size = head_size + body_size;
    if (size > PROTOCOL_PAYLOAD_MAX || !protocol_bytes_reserve(b, PROTOCOL_HEAD + size + PROTOCOL_TAIL))
        return false;
    uint8_t *to = b->at + b->end;
    to[0] = 'M';
    to[1] = 'P';
    to[2] = (uint8_t)type;
    to[3] = 0;
    put_u32(to + 4, (uint32_t)size);
    if (head_size)
        memcpy(to + PROTOCOL_HEAD, head, head_size);
    if (body_size)
        memcpy(to + PROTOCOL_HEAD + head_size, body, body_size);
    put_u32(to + PROTOCOL_HEAD + size, protocol_crc32(0, to, PROTOCOL_HEAD + size));
    b->end += PROTOCOL_HEAD + size + PROTOCOL_TAIL;
    return true;
}

/* ---- messages ---- */

static bool short_payload(const struct protocol_frame *f, size_t need, struct error *e)
{
    return error_set(e, "a %s frame has %zu bytes; it must have at least %zu", protocol_type_name(f->type),
                     f->size, need);
}

enum hello_kind { HELLO_TEXT, HELLO_FLAG, HELLO_NUMBER };
enum { HOST = 1, BOARD = 2 };

#define HELLO_AT(m) .at = offsetof(struct protocol_hello, m), .room = sizeof((struct protocol_hello *)0)->m

/* The keys of HELLO besides "units". */
static const struct hello_key {
    const char *key;
    enum hello_kind kind;
    unsigned by; /* HOST, BOARD or both send it */
    size_t at, room;
    uint32_t left_out, min,
        factor; /* of a number: its default and minimum; it must be a multiple of `factor` */
} hello_keys[] = {
    {"software", HELLO_TEXT, HOST | BOARD, HELLO_AT(software)},
    {"description", HELLO_TEXT, BOARD, HELLO_AT(description)},
    {"provenance", HELLO_TEXT, BOARD, HELLO_AT(provenance)},
    {"state", HELLO_TEXT, BOARD, HELLO_AT(state)},
    {"silicon", HELLO_FLAG, BOARD, HELLO_AT(silicon)},
    {"memory-base", HELLO_NUMBER, BOARD, HELLO_AT(memory_base), MEMORY_BASE_DEFAULT, 0, 4},
    {"code-base", HELLO_NUMBER, BOARD, HELLO_AT(code_base), CODE_BASE_DEFAULT, 0, 8},
    {"in-flight", HELLO_NUMBER, BOARD, HELLO_AT(in_flight), 1, 1, 1},
    {"lacks", HELLO_TEXT, BOARD, HELLO_AT(lacks)},
    {"proves", HELLO_FLAG, BOARD, HELLO_AT(proves)},
    {"answer-seconds", HELLO_NUMBER, BOARD, HELLO_AT(answer_seconds), 0, 1, 1},
    {"newest", HELLO_NUMBER, HOST, HELLO_AT(newest), 0, PROTOCOL_VERSION, 1},
    {"takes-state", HELLO_FLAG, HOST, HELLO_AT(takes_state)},
    {"profile", HELLO_TEXT, HOST, HELLO_AT(profile)},
};
enum { HELLO_KEYS = sizeof hello_keys / sizeof *hello_keys };

static bool get_number(const struct hello_key *k, const json_t *j, uint32_t *value, struct error *e)
{
    *value = k->left_out;
    if (!j)
        return true;
    if (!json_is_integer(j) || json_integer_value(j) < k->min || json_integer_value(j) > UINT32_MAX)
        return error_set(e, "in HELLO, \"%s\" is not a whole number from %lu to 4294967295", k->key,
                         (unsigned long)k->min);
    *value = (uint32_t)json_integer_value(j);
    return *value % k->factor == 0 || error_set(e, "in HELLO, \"%s\" %08lx is not a multiple of %lu", k->key,
                                                (unsigned long)*value, (unsigned long)k->factor);
}

static bool get_key(const struct hello_key *k, const json_t *object, struct protocol_hello *h,
                    struct error *e)
{
    const json_t *j = json_object_get(object, k->key);
    void *to = (uint8_t *)h + k->at;
    const char *text = json_string_value(j);
    switch (k->kind) {
    case HELLO_TEXT:
        if (text && k->at == offsetof(struct protocol_hello, lacks) && strlen(text) >= k->room)
            return error_set(e,
                             "in HELLO, \"%s\" has %lu bytes; the limit is %lu, and a * at the end of a word "
                             "stands for many words",
                             k->key, (unsigned long)strlen(text), (unsigned long)k->room - 1);
        text_copy_utf8(to, k->room, text ? text : "", text ? strlen(text) : 0);
        return !j || text || error_set(e, "in HELLO, \"%s\" is not text", k->key);
    case HELLO_FLAG:
        *(bool *)to = json_is_true(j);
        return !j || json_is_boolean(j) || error_set(e, "in HELLO, \"%s\" is not true or false", k->key);
    default:
        return get_number(k, j, to, e);
    }
}

/* Returns the key's value, or NULL if it is the default, so that the key can be left out. */
static json_t *key_value(const struct hello_key *k, const struct protocol_hello *h)
{
    const void *from = (const uint8_t *)h + k->at;
    if (k->kind == HELLO_TEXT)
        return *(const char *)from ? json_string(from) : NULL;
    if (k->kind == HELLO_FLAG)
        return *(const bool *)from ? json_true() : NULL;
    uint32_t value = *(const uint32_t *)from;
    return value != k->left_out ? json_integer(value) : NULL;
}

static bool get_units(const json_t *units, struct protocol_hello *h, struct error *e)
{
    const char *name;
    json_t *form;
    if (!json_is_object(units) || json_object_size(units) == 0)
        return error_set(e, "HELLO has no \"units\": {\"NAME\": \"FORM\"}");
    json_object_foreach((json_t *)(uintptr_t)units, name, form)
    {
        const char *digits = json_string_value(form);
        if (!digits || strlen(digits) != 16 || strspn(digits, "0123456789abcdef") != 16)
            return error_set(e, "in HELLO, the form of unit %.32s is not 16 lower-case hexadecimal digits",
                             name);
        if (h->units == sizeof h->unit / sizeof h->unit[0])
            break; /* more units than any version of Misprint has */
        text_copy_utf8(h->unit[h->units].name, sizeof h->unit[0].name, name, strlen(name));
        h->unit[h->units++].form = strtoull(digits, NULL, 16);
    }
    return true;
}

bool protocol_get_hello(const struct protocol_frame *f, struct protocol_hello *h, struct error *e)
{
    *h = (struct protocol_hello){0};
    if (f->type != PROTOCOL_HELLO)
        return error_set(e, "%s arrived instead of HELLO", protocol_type_name(f->type));
    if (f->size < 4)
        return short_payload(f, 4, e);
    h->version = get_u32(f->payload);
    if (h->version < PROTOCOL_VERSION || h->version > PROTOCOL_NEWEST)
        return true; /* the rest may have another form; the caller must check the version first */
    json_error_t why;
    json_t *j = json_loadb((const char *)f->payload + 4, f->size - 4, 0, &why);
    if (!json_is_object(j)) {
        json_decref(j);
        return error_set(e, "HELLO is not a JSON object (%.100s)", why.text);
    }
    bool ok = get_units(json_object_get(j, "units"), h, e);
    for (unsigned i = 0; ok && i < HELLO_KEYS; i++)
        ok = get_key(&hello_keys[i], j, h, e);
    json_decref(j);
    return ok;
}

bool protocol_put_hello(struct protocol_bytes *b, const struct protocol_hello *h, bool board)
{
    json_t *units = json_object(), *j = json_pack("{s:o}", "units", units);
    for (unsigned i = 0; i < h->units; i++) {
        char form[17];
        snprintf(form, sizeof form, "%016llx", (unsigned long long)h->unit[i].form);
        json_object_set_new(units, h->unit[i].name, json_string(form));
    }
    for (unsigned i = 0; i < HELLO_KEYS; i++) {
        const struct hello_key *k = &hello_keys[i];
        json_t *value = k->by & (board ? BOARD : HOST) ? key_value(k, h) : NULL;
        if (value)
            json_object_set_new(j, k->key, value);
    }
    char *text = j ? json_dumps(j, JSON_COMPACT) : NULL;
    json_decref(j);
    uint8_t head[4];
    put_u32(head, h->version);
    bool ok = text && put_frame(b, PROTOCOL_HELLO, head, sizeof head, text, strlen(text));
    free(text);
    return ok;
}

enum { RUN_HEAD = 21, ANSWER_HEAD = 12 }; /* bytes before the unit's name; before the outcome */

bool protocol_get_run(const struct protocol_frame *f, struct protocol_run *r, struct error *e)
{
    if (f->size < RUN_HEAD || f->size < RUN_HEAD + (size_t)f->payload[20])
        return short_payload(f, f->size < RUN_HEAD ? RUN_HEAD : RUN_HEAD + (size_t)f->payload[20], e);
    size_t name = f->payload[20];
    *r = (struct protocol_run){
        .id = get_u32(f->payload),
        .nonce = get_u64(f->payload + 4),
        .memory_base = get_u32(f->payload + 12),
        .code_base = get_u32(f->payload + 16),
        .case_bytes = f->payload + RUN_HEAD + name,
        .case_size = f->size - RUN_HEAD - name,
    };
    text_copy_utf8(r->unit, sizeof r->unit, (const char *)f->payload + RUN_HEAD, name);
    return r->case_size <= CASE_BYTES_MAX ||
           error_set(e, "a RUN frame has a case of %zu bytes; the maximum is %d", r->case_size,
                     CASE_BYTES_MAX);
}

bool protocol_put_run(struct protocol_bytes *b, const struct protocol_run *r)
{
    uint8_t head[RUN_HEAD + sizeof r->unit];
    size_t name = strlen(r->unit);
    put_u32(head, r->id);
    put_u64(head + 4, r->nonce);
    put_u32(head + 12, r->memory_base);
    put_u32(head + 16, r->code_base);
    head[20] = (uint8_t)name;
    memcpy(head + RUN_HEAD, r->unit, name);
    return put_frame(b, PROTOCOL_RUN, head, RUN_HEAD + name, r->case_bytes, r->case_size);
}

bool protocol_get_outcome(const struct protocol_frame *f, struct protocol_outcome *o, struct error *e)
{
    if (f->size < ANSWER_HEAD)
        return short_payload(f, ANSWER_HEAD, e);
    *o = (struct protocol_outcome){
        .id = get_u32(f->payload),
        .stamp = get_u64(f->payload + 4),
        .bytes = f->payload + ANSWER_HEAD,
        .size = f->size - ANSWER_HEAD,
    };
    return true;
}

bool protocol_put_outcome(struct protocol_bytes *b, const struct protocol_outcome *o)
{
    uint8_t head[ANSWER_HEAD];
    put_u32(head, o->id);
    put_u64(head + 4, o->stamp);
    return put_frame(b, PROTOCOL_OUTCOME, head, sizeof head, o->bytes, o->size);
}

bool protocol_get_refused(const struct protocol_frame *f, struct protocol_refused *r, struct error *e)
{
    if (f->size < 4)
        return short_payload(f, 4, e);
    r->id = get_u32(f->payload);
    text_copy_utf8(r->reason, sizeof r->reason, (const char *)f->payload + 4, f->size - 4);
    return true;
}

bool protocol_put_refused(struct protocol_bytes *b, const struct protocol_refused *r)
{
    uint8_t head[4];
    put_u32(head, r->id);
    return put_frame(b, PROTOCOL_REFUSED, head, sizeof head, r->reason, strlen(r->reason));
}

void protocol_get_text(const struct protocol_frame *f, char *text, size_t room)
{
    text_copy_utf8(text, room, (const char *)f->payload, f->size);
}

bool protocol_put_error(struct protocol_bytes *b, const char *text)
{
    return put_frame(b, PROTOCOL_ERROR, NULL, 0, text, strlen(text));
}

bool protocol_put_state(struct protocol_bytes *b, const char *text)
{
    return put_frame(b, PROTOCOL_STATE, NULL, 0, text, strlen(text));
}

bool protocol_put_bye(struct protocol_bytes *b)
{
    return put_frame(b, PROTOCOL_BYE, NULL, 0, NULL, 0);
}
