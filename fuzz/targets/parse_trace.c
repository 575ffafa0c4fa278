/* SPDX-License-Identifier: MIT */
/*
 * The reader accepts any bytes as a trace, or refuses them with a reason. The records of an accepted trace,
 * written to another file, read as the same records.
 *
 * The first byte of the input modulo 3 chooses the form of the rest. 0: a trace file. 1 or 2: the content of
 * a trace of that version, which is the header's JSON, then blocks (a byte for the number of records, then
 * their raw bytes). The target compresses the blocks and adds checksums, and in version 2 the chain.
 */
#include "fuzz/targets/target.h"

#include "model/number/bytes.h"
#include "oracle/files/digest.h"
#include "oracle/files/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

struct file {
    uint8_t *at;
    size_t count, room;
};

static void put(struct file *f, const void *bytes, size_t count)
{
    if (f->room - f->count < count) {
        f->room = 2 * (f->room + count);
        f->at = realloc(f->at, f->room);
        if (!f->at)
            exit(3);
    }
    if (count)
        memcpy(f->at + f->count, bytes, count);
    f->count += count;
}

static void put_number(struct file *f, uint64_t value, unsigned size)
{
    uint8_t bytes[8];
    bytes_put(bytes, value, size);
    put(f, bytes, size);
}

/* Adds the next link of the chain (version 2): a digest of `what`, the link before it, a number and bytes. */
static void put_link(struct file *f, struct digest *link, const char *what, uint64_t number,
                     const uint8_t *raw, size_t size)
{
    struct digester d;
    digest_begin(&d, what);
    digest_digest(&d, link);
    digest_number(&d, number);
    if (raw)
        digest_bytes(&d, raw, size);
    *link = digest_end(&d);
    put(f, link->byte, sizeof link->byte);
}

static void put_block(struct file *f, struct digest *link /* or NULL */, const uint8_t *raw, size_t size,
                      unsigned records)
{
    size_t room = ZSTD_compressBound(size);
    uint8_t *packed = malloc(room);
    if (!packed)
        exit(3);
    size_t packed_size = ZSTD_compress(packed, room, raw, size, 1);
    put_number(f, packed_size, 4);
    put_number(f, size, 4);
    put_number(f, records, 4);
    put_number(f, XXH64(raw, size, 0), 8);
    if (link)
        put_link(f, link, "misprint trace block", records, raw, size);
    put(f, packed, packed_size);
    free(packed);
}

/* Makes a trace file (oracle/files/trace_format.h) of its content. */
static struct file make_trace(const uint8_t *bytes, size_t count, bool chained)
{
    static const uint8_t magic[8] = {0x89, 'M', 'P', 'T', 0x0D, 0x0A, 0x1A, 0x0A};
    struct file f = {0};
    const uint8_t *part;
    size_t size;
    uint64_t records = 0;
    target_part(&bytes, &count, &part, &size);
    put(&f, magic, sizeof magic);
    struct digester d;
    digest_begin(&d, "misprint trace");
    digest_bytes(&d, part, size);
    struct digest link = digest_end(&d);
    put_number(&f, chained ? 2 : 1, 4);
    put_number(&f, size, 4);
    put(&f, part, size);
    put_number(&f, XXH64(f.at, f.count, 0), 8);
    while (count) {
        unsigned in_block = 1 + target_choice(&bytes, &count, 255);
        target_part(&bytes, &count, &part, &size);
        if (size)
            put_block(&f, chained ? &link : NULL, part, size, in_block);
        records += size ? in_block : 0;
    }
    put_number(&f, 0, 4);
    put_number(&f, 0, 8);
    put_number(&f, records, 8);
    if (chained)
        put_link(&f, &link, "misprint trace end", records, NULL, 0);
    put_number(&f, XXH64(f.at, f.count, 0), 8);
    return f;
}

/* Writes the records of an accepted trace to another trace. */
static void write_copy(const char *path, const char *copy)
{
    static struct test_case c;
    struct error e = {0};
    const char *label;
    struct trace_reader *r = trace_open(path, &e);
    struct trace_writer *w = trace_create(copy, trace_unit(r), trace_identity(r), &e);
    for (bool more = w != NULL; more;) {
        struct outcome *o = outcome_new(trace_unit(r));
        while (trace_next(r, &c, o, &label, &e) > 0)
            if (!trace_add(w, &c, o, label, &e))
                target_violated("a record that was read cannot be written: %s", e.text);
        outcome_free(o);
        more = trace_next_part(r, &e) > 0;
        if (more && !trace_begin_part(w, trace_unit(r), trace_identity(r), &e))
            target_violated("a part that was read cannot be written: %s", e.text);
    }
    if (!w || !trace_finish(w, &e))
        target_violated("a trace that was read cannot be written: %s", e.text);
    trace_close(r);
}

/* Compares the records of one part of two traces. */
static void compare_part(struct trace_reader *r, struct trace_reader *second)
{
    static struct test_case c, again;
    struct error e = {0};
    const char *label, *same_label;
    struct outcome *o = outcome_new(trace_unit(r)), *same = outcome_new(trace_unit(r));
    while (trace_next(r, &c, o, &label, &e) > 0) {
        if (trace_next(second, &again, same, &same_label, &e) <= 0)
            target_violated("a record was lost: %s", e.text);
        if (!case_equal(&c, &again) || strcmp(label, same_label) != 0 || o->end != same->end ||
            o->reason != same->reason)
            target_violated("a record became another");
    }
    if (trace_next(second, &again, same, &same_label, &e) != 0)
        target_violated("a part has more records than were written");
    outcome_free(o);
    outcome_free(same);
}

/* Writes the records of an accepted trace to another trace, and checks that they read as the same records. */
static void check_copy(const char *path, const char *copy)
{
    struct error e = {0};
    write_copy(path, copy);
    struct trace_reader *r = trace_open(path, &e), *second = trace_open(copy, &e);
    int more = 1, as_many = second ? 1 : -1;
    while (more > 0 && as_many > 0) {
        compare_part(r, second);
        more = trace_next_part(r, &e);
        as_many = trace_next_part(second, &e);
    }
    if (more || as_many)
        target_violated("the copy has other parts: %s", e.text);
    trace_close(r);
    trace_close(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static char copy[64];
    struct error e = {0};
    const char *path;
    unsigned version = target_choice(&bytes, &count, 3);
    if (version) {
        struct file f = make_trace(bytes, count, version == 2);
        path = target_file(f.at, f.count);
        free(f.at);
    } else {
        path = target_file(bytes, count);
    }
    static struct trace_facts facts;
    if (!trace_verify(path, &facts, &e)) {
        target_check_refusal(&e);
        return 0;
    }
    (void)snprintf(copy, sizeof copy, "/dev/shm/misprint-parse-trace-%ld.trace", (long)getpid());
    check_copy(path, copy);
    (void)unlink(copy);
    return 0;
}
