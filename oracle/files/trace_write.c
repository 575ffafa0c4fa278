/* SPDX-License-Identifier: MIT */
#include "model/number/bytes.h"
#include "oracle/describe/escape.h"
#include "oracle/files/file.h"
#include "oracle/files/trace_format.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum { ZSTD_LEVEL = 19 };

struct trace_writer {
    FILE *file;
    struct file_target target;
    char part[FILE_PATH_MAX];
    XXH64_state_t *sum; /* checksum of all bytes written */
    struct digest chain;
    uint64_t records; /* records written so far, with those of this block */
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
    memcpy(head, trace_magic, sizeof trace_magic);
    put_u32(head + 8, TRACE_VERSION);
    put_u32(head + 12, (uint32_t)strlen(json));
    w->chain = trace_chain_start(json, strlen(json));
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
        return error_set(e, "a trace is binary and is not written to standard output; name a file");
    return file_resolve(path, &t, e) &&
           (!t.special ||
            error_set(e, "%.250s: is not a regular file; name one to write the trace to", path));
}

/* Opens the temporary file that becomes the trace. */
static bool open_part(struct trace_writer *w, const char *path, struct error *e)
{
    if (!trace_check_path(path, e) || !file_resolve(path, &w->target, e))
        return false;
    int fd = file_open_temporary(&w->target, w->part, e);
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
        uint8_t head[TRACE_BLOCK_HEAD];
        put_u32(head, (uint32_t)size);
        put_u32(head + 4, (uint32_t)raw_size);
        put_u32(head + 8, records);
        put_u64(head + 12, XXH64(raw, raw_size, 0));
        w->chain = trace_chain_block(&w->chain, records, raw, raw_size);
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
    return columns_size(&w->columns) < TRACE_BLOCK_FLUSH || write_block(w, e);
}

static bool end_part(struct trace_writer *w, struct error *e)
{
    uint8_t end[TRACE_BLOCK_HEAD] = {0}, sum[8];
    bool ok = write_block(w, e);
    put_u64(end + 12, w->records);
    w->chain = trace_chain_end(&w->chain, w->records);
    ok = ok && write_bytes(w, end, sizeof end, e) && write_bytes(w, w->chain.byte, sizeof w->chain.byte, e);
    put_u64(sum, XXH64_digest(w->sum));
    return ok && write_bytes(w, sum, sizeof sum, e);
}

bool trace_begin_part(struct trace_writer *w, const struct unit *u, const struct board_identity *who,
                      struct error *e)
{
    char *json = header_json(u, who);
    bool ok = json ? end_part(w, e) : error_memory(e, "while writing the trace");
    XXH64_reset(w->sum, 0);
    w->records = 0;
    ok = ok && write_header(w, json, e);
    free(json);
    return ok;
}

bool trace_finish(struct trace_writer *w, struct error *e)
{
    bool ok = end_part(w, e);
    if (ok && fflush(w->file) != 0)
        ok = write_failed(w, e);
    ok = ok && file_commit_temporary(&w->target, w->part, fileno(w->file), e);
    if (!ok) {
        trace_abandon(w);
        return false;
    }
    writer_free(w);
    return true;
}
