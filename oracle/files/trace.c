/* SPDX-License-Identifier: MIT */
/*
 * The layout of a trace, all numbers little-endian:
 *
 *     8 bytes   magic: 89 'M' 'P' 'T' 0D 0A 1A 0A
 *     u32       version of this layout: 2
 *     u32       length of the header
 *     bytes     the header, JSON
 *     u64       XXH64 of all bytes before this one
 *   then blocks, each:
 *     u32       length of the compressed bytes
 *     u32       length of the same uncompressed
 *     u32       number of records in it, at least 1
 *     u64       XXH64 of the uncompressed bytes
 *     32 bytes  the chain's value after this block
 *     bytes     one zstd frame
 *   then the end:
 *     u32 x 3   0
 *     u64       number of records in the file
 *     32 bytes  the chain's last value, its head
 *     u64       XXH64 of all bytes of the file before this number
 *
 * Version 1 has no chain, its 32 bytes are not there; it is read, not written.
 * The chain's values are digests (oracle/files/digest.h) of parts: at its start
 * "misprint trace" and the header; after a block "misprint trace block", the
 * value before, the number of records, the uncompressed bytes; at the end
 * "misprint trace end", the value before, the number of records of the file.
 * What a block's uncompressed bytes are stands in oracle/files/trace_columns.h.
 */
#include "oracle/files/trace.h"

#include "model/number/bytes.h"
#include "oracle/describe/escape.h"
#include "oracle/files/digest.h"
#include "oracle/files/file.h"
#include "oracle/files/trace_columns.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum {
    TRACE_VERSION = 2,
    VERSION_UNCHAINED = 1,
    HEADER_MAX = 65536,      /* bytes of JSON */
    BLOCK_FLUSH = 4 << 20,   /* a block is closed when its uncompressed bytes reach this */
    BLOCK_RAW_MAX = 8 << 20, /* what a reader accepts: BLOCK_FLUSH and one more record */
    BLOCK_HEAD = 20,         /* bytes in front of a block's zstd frame */
    ZSTD_LEVEL = 19,
};
_Static_assert(BLOCK_RAW_MAX >= BLOCK_FLUSH + COLUMNS_RECORD_MAX, "a block has room for the largest record");

static const uint8_t magic[8] = {0x89, 'M', 'P', 'T', 0x0D, 0x0A, 0x1A, 0x0A};

/* --- the chain */

static struct digest chain_start(const char *json, size_t length)
{
    struct digester d;
    digest_begin(&d, "misprint trace");
    digest_bytes(&d, json, length);
    return digest_end(&d);
}

static struct digest chain_block(const struct digest *before, uint32_t records, const uint8_t *raw,
                                 size_t size)
{
    struct digester d;
    digest_begin(&d, "misprint trace block");
    digest_digest(&d, before);
    digest_number(&d, records);
    digest_bytes(&d, raw, size);
    return digest_end(&d);
}

static struct digest chain_end(const struct digest *before, uint64_t records)
{
    struct digester d;
    digest_begin(&d, "misprint trace end");
    digest_digest(&d, before);
    digest_number(&d, records);
    return digest_end(&d);
}

/* --- writing */

struct trace_writer {
    FILE *file;
    struct file_target target;
    char part[FILE_PATH_MAX];
    XXH64_state_t *sum; /* of all bytes written */
    struct digest chain;
    uint64_t records; /* in the file, this block included */
    struct columns_writer columns;
};

static void writer_free(struct trace_writer *w)
{
    if (w->file)
        fclose(w->file);
    columns_writer_close(&w->columns);
    XXH64_freeState(w->sum);
    free(w);
}

void trace_abandon(struct trace_writer *w)
{
    if (!w)
        return;
    if (w->file)
        unlink(w->part);
    writer_free(w);
}

static bool write_failed(const struct trace_writer *w, struct error *e)
{
    return file_write_failed(w->target.path, errno, e);
}

static bool write_bytes(struct trace_writer *w, const void *bytes, size_t count, struct error *e)
{
    if (fwrite(bytes, 1, count, w->file) != count)
        return write_failed(w, e);
    XXH64_update(w->sum, bytes, count);
    return true;
}

static char *header_json(const struct unit *u, const struct board_identity *who)
{
    char form[17];
    snprintf(form, sizeof form, "%016llx", (unsigned long long)unit_form(u));
    json_t *j = json_pack("{s:s, s:s, s:I, s:I, s:{s:o, s:o, s:o, s:o, s:b}}", "unit", u->name, "form", form,
                          "memory-base", (json_int_t)who->memory_base, "code-base",
                          (json_int_t)who->code_base, "board", "spec", json_text(who->spec), "kind",
                          json_text(who->kind), "description", json_text(who->description), "provenance",
                          json_text(who->provenance), "silicon", (int)who->silicon);
    char *text = j ? json_dumps(j, JSON_INDENT(2)) : NULL;
    json_decref(j);
    return text;
}

static bool write_header(struct trace_writer *w, const char *json, struct error *e)
{
    uint8_t head[16], sum[8];
    memcpy(head, magic, sizeof magic);
    put_u32(head + 8, TRACE_VERSION);
    put_u32(head + 12, (uint32_t)strlen(json));
    w->chain = chain_start(json, strlen(json));
    if (!write_bytes(w, head, sizeof head, e) || !write_bytes(w, json, strlen(json), e))
        return false;
    put_u64(sum, XXH64_digest(w->sum));
    return write_bytes(w, sum, sizeof sum, e);
}

static struct trace_writer *writer_new(void)
{
    struct trace_writer *w = calloc(1, sizeof *w);
    if (w && (w->sum = XXH64_createState()) && columns_writer_open(&w->columns)) {
        XXH64_reset(w->sum, 0);
        return w;
    }
    if (w)
        writer_free(w);
    return NULL;
}

bool trace_check_path(const char *path, struct error *e)
{
    struct file_target t;
    if (!strcmp(path, "-"))
        return error_set(e, "a trace is not text and does not go to standard output; name a file");
    return file_resolve(path, &t, e) &&
           (!t.special || error_set(e, "%.250s: is no regular file; a trace is written to one", path));
}

/* Opens the file that becomes the trace once it is whole. */
static bool open_part(struct trace_writer *w, const char *path, struct error *e)
{
    if (!trace_check_path(path, e) || !file_resolve(path, &w->target, e))
        return false;
    int fd = file_open_part(&w->target, w->part, e);
    w->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (fd >= 0 && !w->file) {
        close(fd);
        unlink(w->part);
        return error_memory(e, "while writing the trace");
    }
    return w->file != NULL;
}

struct trace_writer *trace_create(const char *path, const struct unit *u, const struct board_identity *who,
                                  struct error *e)
{
    struct trace_writer *w = writer_new();
    char *json = w ? header_json(u, who) : NULL;
    if (!json)
        error_memory(e, "while writing %.250s", path);
    if (w && (!json || !open_part(w, path, e) || !write_header(w, json, e))) {
        trace_abandon(w);
        w = NULL;
    }
    free(json);
    return w;
}

static bool write_block(struct trace_writer *w, struct error *e)
{
    uint32_t records = w->columns.records;
    if (records == 0)
        return true;
    size_t raw_size = columns_size(&w->columns), room = ZSTD_compressBound(raw_size);
    uint8_t *raw = malloc(raw_size), *packed = malloc(room);
    bool ok = false;
    if (raw && packed) {
        columns_take(&w->columns, raw);
        size_t size = ZSTD_compress(packed, room, raw, raw_size, ZSTD_LEVEL);
        uint8_t head[BLOCK_HEAD];
        put_u32(head, (uint32_t)size);
        put_u32(head + 4, (uint32_t)raw_size);
        put_u32(head + 8, records);
        put_u64(head + 12, XXH64(raw, raw_size, 0));
        w->chain = chain_block(&w->chain, records, raw, raw_size);
        ok = ZSTD_isError(size) ? error_memory(e, "while writing the trace")
                                : write_bytes(w, head, sizeof head, e) &&
                                      write_bytes(w, w->chain.byte, sizeof w->chain.byte, e) &&
                                      write_bytes(w, packed, size, e);
    } else {
        error_memory(e, "while writing the trace");
    }
    free(raw);
    free(packed);
    return ok;
}

bool trace_add(struct trace_writer *w, const struct test_case *c, const struct outcome *o, const char *label,
               struct error *e)
{
    if (!columns_add(&w->columns, c, o, label))
        return error_memory(e, "while writing the trace");
    w->records++;
    return columns_size(&w->columns) < BLOCK_FLUSH || write_block(w, e);
}

bool trace_finish(struct trace_writer *w, struct error *e)
{
    uint8_t end[BLOCK_HEAD] = {0}, sum[8];
    bool ok = write_block(w, e);
    put_u64(end + 12, w->records);
    w->chain = chain_end(&w->chain, w->records);
    ok = ok && write_bytes(w, end, sizeof end, e) && write_bytes(w, w->chain.byte, sizeof w->chain.byte, e);
    put_u64(sum, XXH64_digest(w->sum));
    ok = ok && write_bytes(w, sum, sizeof sum, e);
    if (ok && fflush(w->file) != 0)
        ok = write_failed(w, e);
    ok = ok && file_commit_part(&w->target, w->part, fileno(w->file), e);
    if (!ok) {
        trace_abandon(w);
        return false;
    }
    writer_free(w);
    return true;
}

/* --- reading */

struct trace_reader {
    FILE *file;
    char *path;
    XXH64_state_t *sum;
    uint32_t version;
    struct digest chain;
    uint64_t offset; /* of the next byte of the file */
    const struct unit *unit;
    struct board_identity who;
    uint64_t records; /* handed out */
    bool ended, damaged;
    uint64_t block_at; /* offset of the block in hand, for errors */
    uint8_t *raw;      /* the block in hand, uncompressed */
    uint32_t raw_room;
    struct columns_reader columns; /* of that block */
};

/* What a file that cannot be trusted any more gets: what and where, and the way out. Returns -1. */
static int damaged(struct trace_reader *r, uint64_t at, const char *what, struct error *e)
{
    r->damaged = true;
    error_set(
        e, "%.250s: byte %llu: %s; the file is damaged or no trace: restore it, or record or import it again",
        r->path, (unsigned long long)at, what);
    return -1;
}

static bool read_bytes(struct trace_reader *r, void *bytes, size_t count, struct error *e)
{
    size_t got = fread(bytes, 1, count, r->file);
    if (got != count) {
        if (ferror(r->file))
            error_set(e, "%.250s: byte %llu: cannot read (%s)", r->path,
                      (unsigned long long)(r->offset + got), strerror(errno));
        else
            damaged(r, r->offset + got, "the file ends here, too early", e);
        return false;
    }
    r->offset += count;
    XXH64_update(r->sum, bytes, count);
    return true;
}

/* Reads a checksum and compares it with that of all bytes before it. */
static bool read_sum(struct trace_reader *r, const char *of, struct error *e)
{
    uint8_t sum[8];
    uint64_t expected = XXH64_digest(r->sum), at = r->offset;
    if (!read_bytes(r, sum, sizeof sum, e))
        return false;
    if (get_u64(sum) != expected) {
        char what[64];
        snprintf(what, sizeof what, "the checksum of %s is wrong", of);
        damaged(r, at, what, e);
        return false;
    }
    return true;
}

static void copy_string(const json_t *object, const char *key, char *to, size_t room)
{
    const char *s = json_string_value(json_object_get(object, key));
    text_copy_utf8(to, room, s ? s : "", s ? strlen(s) : 0);
}

static bool json_u32(const json_t *object, const char *key, uint32_t *value)
{
    const json_t *j = json_object_get(object, key);
    if (!json_is_integer(j) || json_integer_value(j) < 0 || json_integer_value(j) > UINT32_MAX)
        return false;
    *value = (uint32_t)json_integer_value(j);
    return true;
}

static bool take_header(struct trace_reader *r, const json_t *j, struct error *e)
{
    const char *unit = json_string_value(json_object_get(j, "unit")),
               *form = json_string_value(json_object_get(j, "form"));
    const json_t *who = json_object_get(j, "board");
    if (!unit || !form || !json_is_object(who) || !json_u32(j, "memory-base", &r->who.memory_base) ||
        !json_u32(j, "code-base", &r->who.code_base)) {
        damaged(r, 16, "the header lacks unit, form, memory-base, code-base or board", e);
        return false;
    }
    r->unit = unit_find(unit, e);
    if (!r->unit)
        return error_where(e, "%.250s", r->path);
    char mine[17];
    snprintf(mine, sizeof mine, "%016llx", (unsigned long long)unit_form(r->unit));
    if (strcmp(mine, form) != 0)
        return error_set(e,
                         "%.250s: its %s cases have form %.20s, this version's have %s; record or import it "
                         "again with this version",
                         r->path, unit, form, mine);
    copy_string(who, "spec", r->who.spec, sizeof r->who.spec);
    copy_string(who, "kind", r->who.kind, sizeof r->who.kind);
    copy_string(who, "description", r->who.description, sizeof r->who.description);
    copy_string(who, "provenance", r->who.provenance, sizeof r->who.provenance);
    r->who.silicon = json_is_true(json_object_get(who, "silicon"));
    return true;
}

bool trace_begins(const char *bytes, size_t count)
{
    return count >= sizeof magic && !memcmp(bytes, magic, sizeof magic);
}

/* The magic or what became of it; a file with less of it than half never was a trace. */
static bool read_magic(struct trace_reader *r, uint8_t head[sizeof magic], struct error *e)
{
    size_t got = fread(head, 1, sizeof magic, r->file);
    unsigned alike = 0;
    for (size_t i = 0; i < got; i++)
        alike += head[i] == magic[i];
    if (alike == sizeof magic)
        return true;
    damaged(r, 0, "a trace starts with the bytes 89 4D 50 54 0D 0A 1A 0A, this does not", e);
    r->damaged = alike >= sizeof magic / 2;
    return false;
}

static bool read_header(struct trace_reader *r, struct error *e)
{
    uint8_t head[16];
    if (!read_magic(r, head, e))
        return false;
    r->offset = sizeof magic;
    XXH64_update(r->sum, magic, sizeof magic);
    if (!read_bytes(r, head + 8, 8, e))
        return false;
    r->version = get_u32(head + 8);
    if (r->version != TRACE_VERSION && r->version != VERSION_UNCHAINED)
        return error_set(e,
                         "%.250s: byte 8: trace version %lu, this version reads %d and before; use the "
                         "version that wrote it to replay, or record it again",
                         r->path, (unsigned long)r->version, TRACE_VERSION);
    uint32_t length = get_u32(head + 12);
    if (length > HEADER_MAX)
        return damaged(r, 12, "the header's length is impossible", e) > 0;
    char *json = malloc((size_t)length + 1);
    if (!json)
        return error_memory(e, "while reading the trace");
    bool ok = read_bytes(r, json, length, e) && read_sum(r, "the header", e);
    if (ok) {
        r->chain = chain_start(json, length);
        json_error_t why;
        json_t *j = json_loadb(json, length, 0, &why);
        ok = j ? take_header(r, j, e) : damaged(r, 16, "the header is not JSON", e) > 0;
        json_decref(j);
    }
    free(json);
    return ok;
}

/* Memory for a reader of a file. */
static struct trace_reader *reader_new(const char *path, struct error *e)
{
    struct trace_reader *r = calloc(1, sizeof *r);
    if (r && (r->path = strdup(path)) && (r->sum = XXH64_createState()) && columns_reader_open(&r->columns)) {
        XXH64_reset(r->sum, 0);
        return r;
    }
    trace_close(r);
    error_memory(e, "while reading the trace");
    return NULL;
}

static bool open_file(struct trace_reader *r, struct error *e)
{
    struct stat s;
    r->file = fopen(r->path, "rb");
    if (!r->file)
        return error_set(e, "%.250s: cannot open (%s)", r->path, strerror(errno));
    if (fstat(fileno(r->file), &s) == 0 && S_ISDIR(s.st_mode))
        return error_set(e, "%.250s: is a directory; name a file in it", r->path);
    return read_header(r, e);
}

struct trace_reader *trace_open(const char *path, struct error *e)
{
    struct trace_reader *r = reader_new(path, e);
    if (r && open_file(r, e))
        return r;
    trace_close(r);
    return NULL;
}

void trace_close(struct trace_reader *r)
{
    if (!r)
        return;
    if (r->file)
        fclose(r->file);
    columns_reader_close(&r->columns);
    free(r->raw);
    XXH64_freeState(r->sum);
    free(r->path);
    free(r);
}

const struct unit *trace_unit(const struct trace_reader *r)
{
    return r->unit;
}

void trace_identify(const struct trace_reader *r, const char *path, struct board_identity *who)
{
    const struct board_identity *was = trace_identity(r);
    *who = *was;
    enum { PREFIX = sizeof "trace:" - 1 };
    memcpy(who->spec, "trace:", PREFIX);
    text_copy_utf8(who->spec + PREFIX, sizeof who->spec - PREFIX, path, strlen(path));
    (void)snprintf(who->kind, sizeof who->kind, "trace");
    if (!who->provenance[0])
        (void)snprintf(who->provenance, sizeof who->provenance, "recorded from board %.250s", was->spec);
}

const struct board_identity *trace_identity(const struct trace_reader *r)
{
    return &r->who;
}

/* Reads the chain's next value, where the file has a chain. */
static bool read_chain(struct trace_reader *r, struct digest *value, struct error *e)
{
    return r->version == VERSION_UNCHAINED || read_bytes(r, value->byte, sizeof value->byte, e);
}

/* Takes the value that the chain must have here; false if the file has another. */
static bool chain_on(struct trace_reader *r, const struct digest *computed, const struct digest *read)
{
    r->chain = *computed;
    return r->version == VERSION_UNCHAINED || digest_equal(computed, read);
}

static int read_end(struct trace_reader *r, uint64_t count, struct error *e)
{
    struct digest head, expected = chain_end(&r->chain, count);
    if (count != r->records)
        return damaged(r, r->block_at, "the count of records at the end is wrong", e);
    if (!read_chain(r, &head, e))
        return -1;
    if (!chain_on(r, &expected, &head))
        return damaged(r, r->block_at + BLOCK_HEAD,
                       "the head of the chain is not that of the records: one of them was changed", e);
    if (!read_sum(r, "the file", e))
        return -1;
    if (fgetc(r->file) != EOF)
        return damaged(r, r->offset, "there are bytes after the end", e);
    r->ended = true;
    return 0;
}

/* The block in hand, of so many records by its own word. */
static int block_damaged(struct trace_reader *r, uint32_t count, const char *what, struct error *e)
{
    char all[200];
    (void)snprintf(all, sizeof all, "the block that starts here (records %llu to %llu) %s",
                   (unsigned long long)r->records + 1, (unsigned long long)r->records + count, what);
    return damaged(r, r->block_at, all, e);
}

/* Brings the next block: 1, 0 at the end of the file, -1 with an error. */
static int read_block(struct trace_reader *r, struct error *e)
{
    uint8_t head[BLOCK_HEAD];
    r->block_at = r->offset;
    if (!read_bytes(r, head, sizeof head, e))
        return -1;
    uint32_t packed_size = get_u32(head), size = get_u32(head + 4), count = get_u32(head + 8);
    struct digest value;
    if (packed_size == 0 && size == 0 && count == 0)
        return read_end(r, get_u64(head + 12), e);
    if (packed_size == 0 || size == 0 || count == 0 || size > BLOCK_RAW_MAX ||
        packed_size > ZSTD_compressBound(BLOCK_RAW_MAX))
        return block_damaged(r, count, "has impossible lengths", e);
    if (!read_chain(r, &value, e))
        return -1;
    if (size > r->raw_room) {
        free(r->raw);
        r->raw = malloc(size);
        r->raw_room = r->raw ? size : 0;
    }
    uint8_t *packed = malloc(packed_size);
    if (!packed || r->raw_room < size) {
        free(packed);
        error_memory(e, "while reading the trace");
        return -1;
    }
    bool ok = read_bytes(r, packed, packed_size, e);
    size_t got = ok ? ZSTD_decompress(r->raw, size, packed, packed_size) : 0;
    free(packed);
    if (!ok)
        return -1;
    if (ZSTD_isError(got) || got != size)
        return block_damaged(r, count, "does not decompress", e);
    if (XXH64(r->raw, size, 0) != get_u64(head + 12))
        return block_damaged(r, count, "has a wrong checksum", e);
    struct digest expected = chain_block(&r->chain, count, r->raw, size);
    if (!chain_on(r, &expected, &value))
        return block_damaged(
            r, count,
            "is not what the chain was made of: a record of it was changed, or one before it, or the header",
            e);
    const char *wrong = columns_begin(&r->columns, r->raw, size, count);
    return wrong ? block_damaged(r, count, wrong, e) : 1;
}

int trace_next_record(struct trace_reader *r, struct trace_record *record, struct error *e)
{
    if (r->ended)
        return 0;
    int got = r->columns.left ? 1 : read_block(r, e);
    if (got <= 0)
        return got;
    columns_next(&r->columns, record);
    r->records++;
    return 1;
}

int trace_next(struct trace_reader *r, struct test_case *c, struct outcome *o, const char **label,
               struct error *e)
{
    struct trace_record record;
    int got = trace_next_record(r, &record, e);
    if (got <= 0)
        return got;
    case_decode(c, r->unit, record.case_bytes, record.case_size);
    if (!outcome_decode(o, c, record.outcome_bytes, record.outcome_size, e)) {
        r->damaged = true;
        error_where(e, "%.200s: byte %llu: record %llu", r->path, (unsigned long long)r->block_at,
                    (unsigned long long)r->records);
        return -1;
    }
    if (label)
        *label = record.label;
    return 1;
}

/* Reads all that is left. */
static bool read_all(struct trace_reader *r, struct error *e)
{
    struct test_case *c = malloc(sizeof *c);
    struct outcome *o = outcome_new(r->unit);
    int more = c && o ? 1 : -1;
    if (more < 0)
        error_memory(e, "while reading the trace");
    while (more > 0)
        more = trace_next(r, c, o, NULL, e);
    outcome_free(o);
    free(c);
    return more == 0;
}

bool trace_verify(const char *path, struct trace_facts *facts, struct error *e)
{
    struct trace_reader *r = reader_new(path, e);
    memset(facts, 0, sizeof *facts);
    if (!r)
        return false;
    bool good = open_file(r, e) && read_all(r, e);
    *facts = (struct trace_facts){.unit = r->unit,
                                  .records = r->records,
                                  .chained = r->version != VERSION_UNCHAINED,
                                  .damaged = r->damaged};
    digest_print(&r->chain, facts->head);
    trace_close(r);
    return good;
}

const struct unit *trace_check(const char *path, struct error *e)
{
    struct trace_facts facts;
    return trace_verify(path, &facts, e) ? facts.unit : NULL;
}
