/* SPDX-License-Identifier: MIT */
#include "model/number/bytes.h"
#include "oracle/files/trace_format.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>
#include <zstd.h>

bool trace_begins(const char *bytes, size_t count)
{
    return count >= sizeof trace_magic && !memcmp(bytes, trace_magic, sizeof trace_magic);
}

struct trace_reader {
    FILE *file;
    char *path;
    XXH64_state_t *sum;
    uint32_t version;
    struct digest chain;
    uint64_t offset; /* offset of the next byte to read */
    const struct unit *unit;
    struct board_identity who;
    uint64_t records;          /* read so far, of this part */
    uint64_t begin;            /* offset of this part */
    uint32_t units;            /* the units of this part and of those before, as a bit set by unit_at */
    bool ended, more, damaged; /* `more`: another part begins; its magic number is read already */
    uint64_t block_at;         /* offset of the current block, for errors */
    uint8_t *raw;              /* the current block, uncompressed */
    uint32_t raw_room;
    struct columns_reader columns; /* reads the current block */
};

/* Marks the file as damaged and sets the error. Returns -1. */
static int damaged(struct trace_reader *r, uint64_t at, const char *what, struct error *e)
{
    r->damaged = true;
    error_set(
        e,
        "%.250s: byte %llu: %s; the file is damaged or not a trace: restore it, or record or import it again",
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
            damaged(r, r->offset + got, "the file ends too early", e);
        return false;
    }
    r->offset += count;
    XXH64_update(r->sum, bytes, count);
    return true;
}

/* Reads a checksum and compares it with that of all preceding bytes. */
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

/* Notes the part's unit. False if an earlier part had it. */
static bool is_new_unit(struct trace_reader *r, struct error *e)
{
    uint32_t bit = 1;
    for (unsigned i = 0; unit_at(i) && unit_at(i) != r->unit; i++)
        bit <<= 1;
    if (r->units & bit)
        return error_set(e, "%.250s: byte %llu: a second part with cases of %s; keep these in two files",
                         r->path, (unsigned long long)r->begin, r->unit->name);
    r->units |= bit;
    return true;
}

static bool take_header(struct trace_reader *r, const json_t *j, struct error *e)
{
    const char *unit = json_string_value(json_object_get(j, "unit")),
               *form = json_string_value(json_object_get(j, "form"));
    const json_t *who = json_object_get(j, "board");
    if (!unit || !form || !json_is_object(who) || !json_u32(j, "memory-base", &r->who.memory_base) ||
        !json_u32(j, "code-base", &r->who.code_base)) {
        damaged(r, r->begin + 16, "the header lacks unit, form, memory-base, code-base or board", e);
        return false;
    }
    r->unit = unit_find(unit, e);
    if (!r->unit)
        return error_where(e, "%.250s", r->path);
    char mine[17];
    snprintf(mine, sizeof mine, "%016llx", (unsigned long long)unit_form(r->unit));
    if (strcmp(mine, form) != 0)
        return error_set(e,
                         "%.250s: its %s cases have form %.20s, but those of this misprint have %s; record "
                         "or import it again",
                         r->path, unit, form, mine);
    copy_string(who, "spec", r->who.spec, sizeof r->who.spec);
    copy_string(who, "kind", r->who.kind, sizeof r->who.kind);
    copy_string(who, "description", r->who.description, sizeof r->who.description);
    copy_string(who, "provenance", r->who.provenance, sizeof r->who.provenance);
    r->who.silicon = json_is_true(json_object_get(who, "silicon"));
    return is_new_unit(r, e);
}

/* Reads the magic number. If less than half of its bytes are right, the file counts as no trace, and not as a
 * damaged trace. */
static bool read_magic(struct trace_reader *r, struct error *e)
{
    uint8_t head[sizeof trace_magic];
    size_t got = fread(head, 1, sizeof head, r->file);
    unsigned alike = 0;
    for (size_t i = 0; i < got; i++)
        alike += head[i] == trace_magic[i];
    if (alike == sizeof trace_magic)
        return true;
    damaged(r, 0, "it does not start with the bytes of a trace, 89 4D 50 54 0D 0A 1A 0A", e);
    r->damaged = alike >= sizeof trace_magic / 2;
    return false;
}

/* Reads the header of a part, whose magic number is read already. */
static bool read_header(struct trace_reader *r, struct error *e)
{
    uint8_t head[8];
    r->begin = r->offset;
    r->offset += sizeof trace_magic;
    XXH64_reset(r->sum, 0);
    XXH64_update(r->sum, trace_magic, sizeof trace_magic);
    if (!read_bytes(r, head, sizeof head, e))
        return false;
    r->version = get_u32(head);
    if (r->version != TRACE_VERSION && r->version != TRACE_VERSION_UNCHAINED)
        return error_set(
            e,
            "%.250s: byte %llu: the trace has version %lu, but this misprint reads versions up to "
            "%d; replay it with the misprint that wrote it, or record it again",
            r->path, (unsigned long long)r->begin + 8, (unsigned long)r->version, TRACE_VERSION);
    uint32_t length = get_u32(head + 4);
    if (length > TRACE_HEADER_MAX) {
        damaged(r, r->begin + 12, "the header is longer than a trace's can be", e);
        return false;
    }
    char *json = malloc((size_t)length + 1);
    if (!json)
        return error_memory(e, "while reading the trace");
    bool ok = read_bytes(r, json, length, e) && read_sum(r, "the header", e);
    if (ok) {
        r->chain = trace_chain_start(json, length);
        json_error_t why;
        json_t *j = json_loadb(json, length, 0, &why);
        if (!j)
            damaged(r, r->begin + 16, "the header is not JSON", e);
        ok = j && take_header(r, j, e);
        json_decref(j);
    }
    free(json);
    return ok;
}

/* Allocates a reader. */
static struct trace_reader *reader_new(const char *path, struct error *e)
{
    struct trace_reader *r = calloc(1, sizeof *r);
    if (r && (r->path = strdup(path)) && (r->sum = XXH64_createState()) && columns_reader_open(&r->columns))
        return r;
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
    return read_magic(r, e) && read_header(r, e);
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

/* Reads the chain's next value, if the file has a chain. */
static bool read_chain(struct trace_reader *r, struct digest *value, struct error *e)
{
    return r->version == TRACE_VERSION_UNCHAINED || read_bytes(r, value->byte, sizeof value->byte, e);
}

/* Advances the chain to the computed value. False if the value read from the file differs. */
static bool continue_chain(struct trace_reader *r, const struct digest *computed, const struct digest *read)
{
    r->chain = *computed;
    return r->version == TRACE_VERSION_UNCHAINED || digest_equal(computed, read);
}

static int read_end(struct trace_reader *r, uint64_t count, struct error *e)
{
    struct digest head, expected = trace_chain_end(&r->chain, count);
    if (count != r->records)
        return damaged(r, r->block_at, "the count of records at the end is wrong", e);
    if (!read_chain(r, &head, e))
        return -1;
    if (!continue_chain(r, &expected, &head))
        return damaged(r, r->block_at + TRACE_BLOCK_HEAD,
                       "the head of the chain does not match the records: one of them was changed", e);
    if (!read_sum(r, "the file", e))
        return -1;
    uint8_t next[sizeof trace_magic];
    size_t got = fread(next, 1, sizeof next, r->file);
    r->more = got == sizeof next && !memcmp(next, trace_magic, sizeof next);
    if (got && !r->more)
        return damaged(r, r->offset, "there are bytes after the end", e);
    r->ended = true;
    return 0;
}

/* Marks the current block, whose header says `count` records, as damaged. Returns -1. */
static int block_damaged(struct trace_reader *r, uint32_t count, const char *what, struct error *e)
{
    char all[200];
    (void)snprintf(all, sizeof all, "the block that starts here (records %llu to %llu) %s",
                   (unsigned long long)r->records + 1, (unsigned long long)r->records + count, what);
    return damaged(r, r->block_at, all, e);
}

/* Reads the next block. Returns 1, 0 at the end of the file, -1 with an error. */
static int read_block(struct trace_reader *r, struct error *e)
{
    uint8_t head[TRACE_BLOCK_HEAD];
    r->block_at = r->offset;
    if (!read_bytes(r, head, sizeof head, e))
        return -1;
    uint32_t packed_size = get_u32(head), size = get_u32(head + 4), count = get_u32(head + 8);
    struct digest value;
    if (packed_size == 0 && size == 0 && count == 0)
        return read_end(r, get_u64(head + 12), e);
    if (packed_size == 0 || size == 0 || count == 0 || size > TRACE_BLOCK_RAW_MAX ||
        packed_size > ZSTD_compressBound(TRACE_BLOCK_RAW_MAX))
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
    struct digest expected = trace_chain_block(&r->chain, count, r->raw, size);
    if (!continue_chain(r, &expected, &value))
        return block_damaged(
            r, count,
            "does not match the chain: one of its records, an earlier one or the header was changed", e);
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

int trace_next_part(struct trace_reader *r, struct error *e)
{
    if (!r->more)
        return 0;
    r->ended = r->more = false;
    r->records = 0;
    return read_header(r, e) ? 1 : -1;
}

struct trace_reader *trace_open_unit(const char *path, const struct unit *u, struct error *e)
{
    struct trace_reader *r = trace_open(path, e);
    struct trace_record record;
    struct text units = {0};
    int more = r ? 1 : -1;
    while (more > 0 && r->unit != u) {
        text_add(&units, "%s%s", units.length ? ", " : "", r->unit->name);
        while ((more = trace_next_record(r, &record, e)) > 0)
            ;
        more = more < 0 ? more : trace_next_part(r, e);
    }
    if (!more)
        error_set(e, "%.250s: holds cases of %s, not of %s", path, text_chars(&units), u->name);
    text_free(&units);
    if (more > 0)
        return r;
    trace_close(r);
    return NULL;
}

/* Decodes all remaining records of the part. */
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
    int more = open_file(r, e) ? 1 : -1;
    while (more > 0 && read_all(r, e)) { /* at most one part for each unit */
        struct trace_part *p = &facts->part[facts->parts++];
        *p = (struct trace_part){.unit = r->unit,
                                 .records = r->records,
                                 .silicon = r->who.silicon,
                                 .chained = r->version != TRACE_VERSION_UNCHAINED};
        digest_print(&r->chain, p->head);
        more = trace_next_part(r, e);
    }
    facts->damaged = r->damaged;
    trace_close(r);
    return more == 0;
}
