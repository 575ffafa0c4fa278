/* SPDX-License-Identifier: MIT */
/* The board protocol: round trips of frames and messages, every kind of damage, the stream, and the examples
 * of harness/PROTOCOL.md. */
#include "harness/protocol/protocol.h"

#include "harness/system/clock.h"
#include "model/number/random.h"
#include "model/svp64/swizzle_insn.h"
#include "model/vc4/vpm/vpm_setup.h"
#include "oracle/compare/executor.h"
#include "oracle/files/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void crc_is_the_common_one(void **state)
{
    (void)state;
    /* The check value of CRC-32/ISO-HDLC in Greg Cook's catalogue of parametrised CRC algorithms. */
    assert_int_equal(protocol_crc32(0, (const uint8_t *)"123456789", 9), 0xCBF43926);
    uint32_t first = protocol_crc32(0, (const uint8_t *)"1234", 4);
    assert_int_equal(protocol_crc32(first, (const uint8_t *)"56789", 5), 0xCBF43926);
}

/* A frame of two items. */
static void put_items(struct protocol_bytes *b)
{
    static const char *const texts[] = {"first", ""};
    struct protocol_pack pack = {.to = b, .type = PROTOCOL_CASES};
    for (uint32_t i = 0; i < 2; i++) {
        uint8_t *to = protocol_pack_room(&pack, 5);
        assert_non_null(to);
        memcpy(to, texts[i], strlen(texts[i]));
        protocol_pack_add(&pack, &(struct protocol_item){.id = 7 + i,
                                                         .check = ~(uint64_t)i,
                                                         .size = strlen(texts[i])});
    }
    protocol_pack_close(&pack);
    protocol_pack_close(&pack); /* adds no second frame */
}

/* One frame of each type, except OUTCOMES, which is like CASES, and STATE, which is like ERROR. */
static void put_all(struct protocol_bytes *b)
{
    struct protocol_hello h = {.version = 1,
                               .software = "test",
                               .units = 2,
                               .silicon = true,
                               .memory_base = 0xC0001000,
                               .code_base = 0xC0100000,
                               .in_flight = 9,
                               .answer_seconds = 720};
    snprintf(h.unit[0].name, sizeof h.unit[0].name, "vc4-vpm");
    snprintf(h.unit[1].name, sizeof h.unit[1].name, "vc4-qpu");
    h.unit[0].form = UINT64_C(0xFEDCBA9876543210);
    h.unit[1].form = 7;
    snprintf(h.description, sizeof h.description, "a Pi");
    snprintf(h.provenance, sizeof h.provenance, "my desk");
    struct protocol_run r = {.id = 0x01020304,
                             .nonce = UINT64_C(0x1122334455667788),
                             .memory_base = 5,
                             .code_base = 6,
                             .unit = "vc4-vpm",
                             .case_bytes = (const uint8_t *)"case",
                             .case_size = 4};
    struct protocol_outcome o = {.id = 0x01020304,
                                 .stamp = UINT64_C(0x8877665544332211),
                                 .bytes = (const uint8_t *)"outcome",
                                 .size = 7};
    struct protocol_refused n = {.id = 9, .reason = "not my memory"};
    put_items(b);
    assert_true(protocol_put_hello(b, &h, true) && protocol_put_run(b, &r) && protocol_put_outcome(b, &o) &&
                protocol_put_refused(b, &n) && protocol_put_error(b, "no driver") && protocol_put_bye(b));
}

static struct protocol_frame take(struct protocol_bytes *b, uint8_t type)
{
    struct protocol_frame f;
    struct error e = {0};
    size_t used = 0;
    assert_int_equal(protocol_take(b->at + b->start, b->end - b->start, &f, &used, &e), PROTOCOL_FRAME);
    assert_int_equal(f.type, type);
    b->start += used;
    return f;
}

/* A pack is full as soon as another item of `most` bytes would make the payload too large: not when it still
 * fits to the byte. The head of an item has 16 bytes (PROTOCOL.md). */
static void a_pack_is_filled_to_the_byte(void **state)
{
    (void)state;
    struct protocol_bytes b = {0};
    struct protocol_pack pack = {.to = &b, .type = PROTOCOL_CASES};
    enum { HALF = PROTOCOL_PAYLOAD_MAX / 2 - 16 };
    assert_false(protocol_pack_is_full(&pack, PROTOCOL_PAYLOAD_MAX - 16));
    memset(protocol_pack_room(&pack, HALF), 7, HALF);
    protocol_pack_add(&pack, &(struct protocol_item){.size = HALF});
    assert_false(protocol_pack_is_full(&pack, HALF));
    assert_true(protocol_pack_is_full(&pack, HALF + 1));
    memset(protocol_pack_room(&pack, HALF), 8, HALF);
    protocol_pack_add(&pack, &(struct protocol_item){.size = HALF});
    assert_true(protocol_pack_is_full(&pack, 0));
    protocol_pack_close(&pack);
    assert_int_equal(take(&b, PROTOCOL_CASES).size, PROTOCOL_PAYLOAD_MAX);
    protocol_bytes_free(&b);
}

static void messages_come_back(void **state)
{
    (void)state;
    struct protocol_bytes b = {0};
    struct error e = {0};
    put_all(&b);
    struct protocol_item item;
    struct protocol_frame f = take(&b, PROTOCOL_CASES);
    assert_true(protocol_next_item(&f, &item, &e));
    assert_true(item.id == 7 && item.check == UINT64_MAX && item.size == 5 && f.size == 16);
    assert_memory_equal(item.bytes, "first", 5);
    assert_true(protocol_next_item(&f, &item, &e));
    assert_true(item.id == 8 && item.check == UINT64_MAX - 1 && item.size == 0 && f.size == 0);
    assert_false(protocol_next_item(&f, &item, &e));
    f = take(&b, PROTOCOL_HELLO);
    struct protocol_hello h;
    assert_true(protocol_get_hello(&f, &h, &e));
    assert_int_equal(h.units, 2);
    assert_string_equal(h.unit[0].name, "vc4-vpm");
    assert_true(h.unit[0].form == UINT64_C(0xFEDCBA9876543210) && h.unit[1].form == 7 && h.silicon &&
                h.in_flight == 9 && h.answer_seconds == 720);
    assert_true(h.memory_base == 0xC0001000 && h.code_base == 0xC0100000);
    assert_string_equal(h.description, "a Pi");
    assert_string_equal(h.provenance, "my desk");
    struct protocol_run r;
    f = take(&b, PROTOCOL_RUN);
    assert_true(protocol_get_run(&f, &r, &e));
    assert_true(r.id == 0x01020304 && r.nonce == UINT64_C(0x1122334455667788) && r.memory_base == 5 &&
                r.code_base == 6 && r.case_size == 4);
    assert_string_equal(r.unit, "vc4-vpm");
    assert_memory_equal(r.case_bytes, "case", 4);
    struct protocol_outcome o;
    f = take(&b, PROTOCOL_OUTCOME);
    assert_true(protocol_get_outcome(&f, &o, &e));
    assert_true(o.id == 0x01020304 && o.stamp == UINT64_C(0x8877665544332211) && o.size == 7);
    struct protocol_refused n;
    f = take(&b, PROTOCOL_REFUSED);
    assert_true(protocol_get_refused(&f, &n, &e));
    assert_string_equal(n.reason, "not my memory");
    char text[32];
    f = take(&b, PROTOCOL_ERROR);
    protocol_get_text(&f, text, sizeof text);
    assert_string_equal(text, "no driver");
    take(&b, PROTOCOL_BYE);
    assert_int_equal(b.start, b.end);
    protocol_bytes_free(&b);
}

/* Reads a payload as every type of message. A read that fails must have an error text, and no read may leave
 * the payload. */
static void read_as_everything(const struct protocol_frame *f)
{
    struct error e = {0};
    struct protocol_hello h;
    struct protocol_run r;
    struct protocol_outcome o;
    struct protocol_refused n;
    char text[40];
    for (unsigned type = 0; type < PROTOCOL_TYPES; type++) {
        struct protocol_frame as = {(uint8_t)type, f->payload, f->size};
        if (!protocol_get_hello(&as, &h, &e) || !protocol_get_run(&as, &r, &e) ||
            !protocol_get_outcome(&as, &o, &e) || !protocol_get_refused(&as, &n, &e))
            assert_true(e.text[0] != 0);
        protocol_get_text(&as, text, sizeof text);
        struct protocol_item item;
        size_t left = as.size;
        while (as.size && protocol_next_item(&as, &item, &e)) {
            assert_true(as.size + item.size + 16 == left && item.bytes + item.size == as.payload);
            left = as.size;
        }
    }
}

static void damaged_frames_are_never_taken(void **state)
{
    (void)state;
    struct protocol_bytes all = {0};
    put_all(&all);
    struct random r;
    random_seed(&r, 1);
    unsigned damaged = 0;
    for (size_t at = 0; at < all.end;) {
        struct protocol_frame f;
        size_t used;
        struct error e = {0};
        assert_int_equal(protocol_take(all.at + at, all.end - at, &f, &used, &e), PROTOCOL_FRAME);
        /* For a truncated frame protocol_take asks for more bytes. It must not read beyond the frame's end,
         * where the heap block ends. */
        for (size_t size = 0; size < used; size++) {
            uint8_t *part = malloc(size ? size : 1);
            memcpy(part, all.at + at, size);
            size_t ignored;
            assert_int_equal(protocol_take(part, size, &f, &ignored, &e), PROTOCOL_MORE);
            free(part);
        }
        uint8_t *copy = malloc(used);
        for (size_t byte = 0; byte < used; byte++)
            for (unsigned change = 1; change < 256; change++) { /* a CRC-32 detects each */
                memcpy(copy, all.at + at, used);
                copy[byte] = (uint8_t)(copy[byte] ^ change);
                size_t ignored;
                e.text[0] = 0;
                enum protocol_take took = protocol_take(copy, used, &f, &ignored, &e);
                assert_true(took == PROTOCOL_BAD || took == PROTOCOL_MORE);
                assert_true(took == PROTOCOL_MORE || e.text[0]);
                damaged++;
            }
        free(copy);
        at += used;
    }
    protocol_bytes_free(&all);
    print_message("%u damaged frames, none taken\n", damaged);
}

static void any_payload_is_read_safely(void **state)
{
    (void)state;
    struct random r;
    random_seed(&r, 2);
    static const char *const seeds[] = {
        "\1\0\0\0{\"units\":{\"vc4-vpm\":\"0123456789abcdef\"},\"in-flight\":3}",
        "\1\0\0\0{\"units\":{\"\":1}}", "\1\0\0\0[]", "\3\0\0\0"};
    for (unsigned n = 0; n < 100000; n++) {
        const char *seed = seeds[random_below(&r, 4)];
        size_t size = random_one_in(&r, 2) ? random_below(&r, 80) : 4 + strlen(seed + 4);
        uint8_t *payload = malloc(size ? size : 1);
        for (size_t i = 0; i < size; i++)
            payload[i] = (uint8_t)random_u32(&r);
        if (random_one_in(&r, 2))
            memcpy(payload, seed, size < 4 + strlen(seed + 4) ? size : 4 + strlen(seed + 4));
        if (size)
            payload[random_below(&r, (uint32_t)size)] = (uint8_t)random_u32(&r);
        read_as_everything(&(struct protocol_frame){PROTOCOL_HELLO, payload, size});
        free(payload);
    }
}

static void garbage_is_quoted(void **state)
{
    (void)state;
    struct error e = {0};
    struct protocol_frame f;
    size_t used;
    assert_int_equal(protocol_take((const uint8_t *)"hello\n", 6, &f, &used, &e), PROTOCOL_BAD);
    assert_non_null(strstr(e.text, "68 65 6C 6C 6F 0A (\"hello.\")"));
    static const uint8_t huge[] = {'M', 'P', 3, 0, 1, 0, 0x10, 0};
    /* The header alone is an error; the payload need not arrive. */
    assert_int_equal(protocol_take(huge, sizeof huge, &f, &used, &e), PROTOCOL_BAD);
    assert_non_null(strstr(e.text, "longer than"));
}

static void stream_waits_and_ends(void **state)
{
    (void)state;
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    struct protocol_stream s = {.in = pair[0], .out = pair[0]};
    struct protocol_bytes b = {0};
    struct protocol_frame f;
    struct error e = {0};
    put_all(&b);
    unsigned frames = 0;
    for (size_t i = 0; i < b.end; i++) { /* the bytes arrive one at a time */
        assert_int_equal(write(pair[1], b.at + i, 1), 1);
        enum protocol_event event = protocol_next(&s, clock_ms(), &f, &e);
        frames += event == PROTOCOL_GOT;
        assert_true(event == PROTOCOL_GOT || event == PROTOCOL_LATE);
    }
    assert_int_equal(frames, 7);
    int64_t before = clock_ms();
    assert_int_equal(protocol_next(&s, before + 30, &f, &e), PROTOCOL_LATE);
    assert_true(clock_ms() - before >= 30);
    assert_int_equal(write(pair[1], b.at, b.end), (ssize_t)b.end); /* all bytes arrive at once */
    for (frames = 0; frames < 7; frames++)
        assert_int_equal(protocol_next(&s, clock_ms() + 1000, &f, &e), PROTOCOL_GOT);
    close(pair[1]);
    assert_int_equal(protocol_next(&s, clock_ms() + 1000, &f, &e), PROTOCOL_CLOSED);
    assert_true(protocol_put_bye(&s.to_send)); /* writing to a closed socket must raise no signal */
    assert_int_equal(protocol_flush(&s, clock_ms() + 1000, &e), PROTOCOL_CLOSED);
    close(pair[0]);
    protocol_bytes_free(&b);
    protocol_stream_free(&s);
}

static void a_full_stream_does_not_block(void **state)
{
    (void)state;
    int pair[2];
    assert_int_equal(pipe(pair), 0);
    struct protocol_stream s = {.in = -1, .out = pair[1]};
    struct error e = {0};
    struct protocol_run r = {.unit = "u",
                             .case_bytes = calloc(1, CASE_BYTES_MAX),
                             .case_size = CASE_BYTES_MAX};
    for (unsigned i = 0; i < 8; i++)
        assert_true(protocol_put_run(&s.to_send, &r));
    int64_t before = clock_ms();
    /* A pipe has room for 64 KB, but these frames have 530 KB. */
    assert_int_equal(protocol_flush(&s, before + 50, &e), PROTOCOL_LATE);
    assert_true(clock_ms() - before < 5000);
    free((void *)(uintptr_t)r.case_bytes);
    close(pair[0]);
    close(pair[1]);
    protocol_stream_free(&s);
}

/* ---- the examples in harness/PROTOCOL.md (the "page") ---- */

static char *page;

/* Reads the page's block "```hex NAME" into `bytes`. The block has hexadecimal pairs, and comments that start
 * with ';'. */
static size_t example(const char *name, uint8_t *bytes, size_t room)
{
    char mark[80];
    snprintf(mark, sizeof mark, "```hex %s\n", name);
    const char *at = strstr(page, mark);
    if (!at)
        fail_msg("harness/PROTOCOL.md has no example '%s'", name);
    const char *end = strstr(at + strlen(mark), "```");
    size_t count = 0;
    for (at += strlen(mark); at < end;) {
        unsigned value;
        if (*at == ';') {
            at += strcspn(at, "\n");
        } else if (*at == ' ' || *at == '\n') {
            at++;
        } else {
            assert_int_equal(sscanf(at, "%2x", &value), 1);
            assert_true(count < room);
            bytes[count++] = (uint8_t)value;
            at += 2;
        }
    }
    return count;
}

static struct protocol_frame example_frame(const char *name, uint8_t *bytes, size_t room)
{
    struct protocol_frame f;
    struct error e = {0};
    size_t used, count = example(name, bytes, room);
    if (protocol_take(bytes, count, &f, &used, &e) != PROTOCOL_FRAME)
        fail_msg("example %s: %s", name, e.text);
    assert_int_equal(used, count);
    return f;
}

static const struct unit *vpm;
static struct protocol_run run;
static uint8_t run_bytes[4096];
static struct test_case page_case;

static void read_run(void)
{
    struct error e = {0};
    struct protocol_frame f = example_frame("run", run_bytes, sizeof run_bytes);
    assert_true(protocol_get_run(&f, &run, &e));
    assert_string_equal(run.unit, "vc4-vpm");
    case_decode(&page_case, vpm, run.case_bytes, run.case_size);
}

static void page_greetings_are_the_protocol(void **state)
{
    (void)state;
    uint8_t bytes[4096];
    struct error e = {0};
    struct protocol_hello host, board;
    struct protocol_frame f = example_frame("hello-host", bytes, sizeof bytes);
    assert_true(protocol_get_hello(&f, &host, &e));
    assert_string_equal(host.unit[0].name, "vc4-vpm");
    assert_true(host.unit[0].form == unit_form(vpm)); /* the page and the example board are up to date */
    f = example_frame("hello-board", bytes, sizeof bytes);
    assert_true(protocol_get_hello(&f, &board, &e));
    assert_true(board.unit[0].form == unit_form(vpm));
    assert_int_equal(board.in_flight, 16);
}

static void page_case_is_its_text(void **state)
{
    (void)state;
    struct error e = {0};
    static struct test_case text;
    static uint8_t again[CASE_BYTES_MAX];
    read_run();
    const char *at = strstr(page, "```case\n");
    assert_non_null(at);
    at += strlen("```case\n");
    if (!case_parse(&text, at, (size_t)(strstr(at, "```") - at), &e))
        fail_msg("%s", e.text);
    assert_true(case_equal(&page_case, &text));
    assert_int_equal(case_encode(&page_case, again), run.case_size);
    assert_memory_equal(again, run.case_bytes, run.case_size);
}

static void page_answers_are_the_protocol(void **state)
{
    (void)state;
    uint8_t bytes[4096];
    struct error e = {0};
    struct protocol_outcome out;
    struct protocol_refused refused;
    read_run();
    struct outcome *o = outcome_new(vpm);
    assert_int_equal(protocol_crc32(0, run.case_bytes, run.case_size), 0x56450B31);
    struct protocol_frame f = example_frame("outcome-empty", bytes, sizeof bytes);
    assert_true(protocol_get_outcome(&f, &out, &e));
    assert_true(out.id == run.id && out.size == 6 && protocol_crc32(0, out.bytes, out.size) == 0x8CA28813);
    assert_true(out.stamp == protocol_stamp(run.nonce, 0x56450B31, out.bytes, out.size) &&
                out.stamp == UINT64_C(0x5747083589A48F1B));
    assert_true(outcome_decode(o, &page_case, out.bytes, out.size, &e));
    f = example_frame("outcome", bytes, sizeof bytes);
    assert_true(protocol_get_outcome(&f, &out, &e));
    assert_int_equal(out.id, run.id);
    assert_true(out.stamp == protocol_stamp(run.nonce, 0x56450B31, out.bytes, out.size));
    if (!outcome_decode(o, &page_case, out.bytes, out.size, &e))
        fail_msg("%s", e.text);
    assert_int_equal(o->end, END_DONE);
    outcome_free(o);
    uint8_t no[4096];
    f = example_frame("refused", no, sizeof no);
    assert_true(protocol_get_refused(&f, &refused, &e));
    assert_int_equal(refused.id, run.id);
}

/* The outcome in the page's example is the model's outcome under the profile of the chip. */
static void page_outcome_is_the_chip_s(void **state)
{
    (void)state;
    uint8_t bytes[4096];
    struct error e = {0};
    struct profile p;
    struct protocol_outcome out;
    static uint8_t again[CASE_BYTES_MAX];
    read_run();
    struct executor *x = executor_new(vpm);
    struct outcome *model = outcome_new(vpm);
    struct protocol_frame f = example_frame("outcome", bytes, sizeof bytes);
    assert_true(protocol_get_outcome(&f, &out, &e) && profile_resolve(vpm, "bcm2835", &p, &e));
    executor_run(x, &page_case, &p, RUN_PLAIN, model);
    size_t size = outcome_encode(model, again, sizeof again);
    assert_int_equal(size, out.size);
    assert_memory_equal(again, out.bytes, size);
    outcome_free(model);
    executor_free(x);
}

/* The page's tables list the units' fields and regions. */
static void page_describes_the_units(void **state)
{
    (void)state;
    char line[160];
    for (unsigned n = 0; unit_at(n); n++) {
        const struct unit *u = unit_at(n);
        snprintf(line, sizeof line, "## Unit %s\n\nForm `%016llx`", u->name,
                 (unsigned long long)unit_form(u));
        const char *at = strstr(page, line);
        if (!at)
            fail_msg("harness/PROTOCOL.md lacks: %s", line);
        for (unsigned i = 0; i < u->schema.field_count; i++) { /* in the schema's order */
            static const char *const kinds[] = {"enumeration",          "word",
                                                "list of words",        "list of uniforms",
                                                "list of instructions", "image"};
            const struct field *f = &u->schema.fields[i];
            int length = snprintf(line, sizeof line, "| `%s` | %s", f->name, kinds[f->kind]);
            if (f->kind == FIELD_IMAGE)
                snprintf(line + length, sizeof line - (size_t)length, ", %u words a row", f->row_words);
            at = strstr(at, line);
            if (!at)
                fail_msg("harness/PROTOCOL.md lacks, at its place: %s", line);
            unsigned maximum = f->kind == FIELD_WORD ? f->max_value : f->max;
            snprintf(line, sizeof line, "| %u", maximum);
            const char *end = strchr(at, '\n'), *number = strstr(at, line);
            if (maximum && (!number || number > end))
                fail_msg("harness/PROTOCOL.md: the maximum of %s's %s is not %u", u->name, f->name, maximum);
        }
        for (unsigned i = 0; i < u->layout.region_count; i++) {
            const struct region *r = &u->layout.regions[i];
            snprintf(line, sizeof line, "| `%s` | %u | %u |", r->name, r->first_row, r->rows);
            at = strstr(at, line);
            if (!at)
                fail_msg("harness/PROTOCOL.md lacks, at its place: %s", line);
        }
    }
}

/* Finds "| 17:12 | `STRIDE` |" or "| 11 | `HORIZ` |" for each field from bit `first` to `end` - 1; a word has
 * 32 bits. */
static void page_has_fields(const char *section, const struct bit_field *b, unsigned first, unsigned end)
{
    const char *from = strstr(page, section), *next = from ? strstr(from + 1, "\n## ") : NULL;
    assert_non_null(next);
    for (; b->name; b++) {
        char line[80];
        if (b->low < first || b->low >= end || !strncmp(b->name, "UNUSED", 6))
            continue;
        unsigned low = b->low % 32U, high = low + b->width - 1U;
        if (b->width > 1)
            snprintf(line, sizeof line, "| %u:%u | `%s` |", high, low, b->name);
        else
            snprintf(line, sizeof line, "| %u | `%s` |", low, b->name);
        const char *at = strstr(from, line);
        if (!at || at > next)
            fail_msg("harness/PROTOCOL.md, %s lacks: %s", section, line);
    }
}

/* The page's tables of setup words and of the swizzle's two words have the fields of our tables. ADDR (bits
 * 7:0 of block setups) has another table. */
static void page_has_the_bits_of_words(void **state)
{
    (void)state;
    const struct word_form *f;
    for (int which = SETUP_WRITE; which <= SETUP_READ; which++)
        for (unsigned i = 0; (f = setup_format_at((enum setup_register)which, i)); i++) {
            bool block = f->name[0] == 'h' || f->name[0] == 'v';
            page_has_fields("### VPM setup words", f->fields, block ? 8 : 0, 32);
            for (const struct bit_field *b = f->fields; block && b->name; b++)
                assert_true(b->low >= 8 || b->low + b->width <= 8);
        }
    page_has_fields("### The two words of a swizzle move", swizzle_fields, 0, 32);
    page_has_fields("### The two words of a swizzle move", swizzle_fields, 32, 64);
}

/* New bytes use the room of sent bytes, even if some bytes are always still unsent. */
static void sent_bytes_make_room(void **state)
{
    (void)state;
    struct protocol_bytes b = {0};
    static const char text[] = "V3D at 300 MHz, 45 degrees, throttled 0";
    for (unsigned i = 0; i < 10000; i++) {
        struct protocol_frame f;
        struct error e = {0};
        size_t used;
        size_t left = b.end - b.start;
        assert_true(protocol_put_state(&b, text));
        b.start += left; /* marks the previous frame as sent, but not this one */
        assert_int_equal(protocol_take(b.at + b.start, b.end - b.start, &f, &used, &e), PROTOCOL_FRAME);
        assert_int_equal(used, b.end - b.start);
        assert_memory_equal(f.payload, text, sizeof text - 1);
    }
    assert_true(b.room <= 4 * 4096);
    protocol_bytes_free(&b);
}

static int read_page(void **state)
{
    (void)state;
    struct error e = {0};
    size_t count;
    vpm = unit_named("vc4-vpm");
    page = file_read(MISPRINT_SOURCE_DIR "/harness/PROTOCOL.md", &count, &e);
    return page ? 0 : -1;
}

static int free_page(void **state)
{
    (void)state;
    free(page);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sent_bytes_make_room),
        cmocka_unit_test(crc_is_the_common_one),
        cmocka_unit_test(messages_come_back),
        cmocka_unit_test(a_pack_is_filled_to_the_byte),
        cmocka_unit_test(damaged_frames_are_never_taken),
        cmocka_unit_test(any_payload_is_read_safely),
        cmocka_unit_test(garbage_is_quoted),
        cmocka_unit_test(stream_waits_and_ends),
        cmocka_unit_test(a_full_stream_does_not_block),
        cmocka_unit_test(page_greetings_are_the_protocol),
        cmocka_unit_test(page_case_is_its_text),
        cmocka_unit_test(page_answers_are_the_protocol),
        cmocka_unit_test(page_outcome_is_the_chip_s),
        cmocka_unit_test(page_describes_the_units),
        cmocka_unit_test(page_has_the_bits_of_words),
    };
    return cmocka_run_group_tests(tests, read_page, free_page);
}
