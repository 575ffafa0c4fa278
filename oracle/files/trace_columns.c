/* SPDX-License-Identifier: MIT */
#include "oracle/files/trace_columns.h"

#include "model/core/memory.h"
#include "model/number/bytes.h"

#include <stdlib.h>
#include <string.h>

static const size_t column_max[COLUMNS] = {CASE_BYTES_MAX, OUTCOME_BYTES_MAX, TRACE_LABEL_MAX};

/* --- writing */

static bool reserve(struct columns_bytes *b, size_t more)
{
    return memory_reserve(&b->at, &b->room, b->count + more, 65536);
}

bool columns_writer_open(struct columns_writer *w)
{
    bool good = true;
    *w = (struct columns_writer){0};
    for (unsigned i = 0; good && i < COLUMNS; i++)
        good = (w->last[i] = malloc(column_max[i])) && (w->now[i] = malloc(column_max[i]));
    return good;
}

void columns_writer_close(struct columns_writer *w)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        free(w->column[i].at);
        free(w->last[i]);
        free(w->now[i]);
    }
    free(w->lengths.at);
}

/* Appends the XOR of `now` and `last` to the column; then `now` becomes `last`. */
static bool add(struct columns_writer *w, enum trace_column i, size_t size)
{
    if (!reserve(&w->column[i], size))
        return false;
    uint8_t *to = w->column[i].at + w->column[i].count, *now = w->now[i], *last = w->last[i];
    for (size_t n = 0; n < size; n++)
        to[n] = n < w->last_size[i] ? now[n] ^ last[n] : now[n];
    w->column[i].count += size;
    w->now[i] = last;
    w->last[i] = now;
    w->last_size[i] = size;
    return true;
}

bool columns_add(struct columns_writer *w, const struct test_case *c, const struct outcome *o,
                 const char *label)
{
    size_t size[COLUMNS] = {case_encode(c, w->now[COLUMN_CASE]),
                            outcome_encode(o, w->now[COLUMN_OUTCOME], OUTCOME_BYTES_MAX),
                            strnlen(label, TRACE_LABEL_MAX)};
    memcpy(w->now[COLUMN_LABEL], label, size[COLUMN_LABEL]);
    if (!reserve(&w->lengths, COLUMNS_LENGTHS))
        return false;
    for (unsigned i = 0; i < COLUMNS; i++) {
        put_u32(w->lengths.at + w->lengths.count + 4 * i, (uint32_t)size[i]);
        if (!add(w, i, size[i]))
            return false;
    }
    w->lengths.count += COLUMNS_LENGTHS;
    w->records++;
    return true;
}

size_t columns_size(const struct columns_writer *w)
{
    size_t size = w->lengths.count;
    for (unsigned i = 0; i < COLUMNS; i++)
        size += w->column[i].count;
    return size;
}

static uint8_t *take(struct columns_bytes *b, uint8_t *to)
{
    size_t count = b->count;
    if (count)
        memcpy(to, b->at, count);
    b->count = 0;
    return to + count;
}

void columns_take(struct columns_writer *w, uint8_t *to)
{
    to = take(&w->lengths, to);
    for (unsigned i = 0; i < COLUMNS; i++) {
        to = take(&w->column[i], to);
        w->last_size[i] = 0;
    }
    w->records = 0;
}

/* --- reading */

bool columns_reader_open(struct columns_reader *r)
{
    bool good = true;
    *r = (struct columns_reader){0};
    for (unsigned i = 0; good && i < COLUMNS; i++)
        good = (r->now[i] = malloc(column_max[i] + 1)) != NULL;
    return good;
}

void columns_reader_close(struct columns_reader *r)
{
    for (unsigned i = 0; i < COLUMNS; i++)
        free(r->now[i]);
}

static size_t length_of(const struct columns_reader *r, uint32_t record, unsigned column)
{
    return get_u32(r->raw + (size_t)record * COLUMNS_LENGTHS + 4 * column);
}

const char *columns_begin(struct columns_reader *r, const uint8_t *raw, uint32_t size, uint32_t count)
{
    uint64_t total[COLUMNS] = {0}, at = (uint64_t)count * COLUMNS_LENGTHS;
    r->raw = raw;
    r->left = r->next = 0;
    if (at > size)
        return "is too short for its records' lengths";
    for (uint32_t n = 0; n < count; n++)
        for (unsigned i = 0; i < COLUMNS; i++) {
            if (length_of(r, n, i) > column_max[i])
                return "has a record that is too long";
            total[i] += length_of(r, n, i);
        }
    for (unsigned i = 0; i < COLUMNS; i++) {
        r->from[i] = raw + (at < size ? at : size);
        at += total[i];
        r->size[i] = 0;
    }
    if (at != size)
        return "has lengths that do not add up";
    r->left = count;
    return NULL;
}

void columns_next(struct columns_reader *r, struct trace_record *record)
{
    for (unsigned i = 0; i < COLUMNS; i++) {
        size_t size = length_of(r, r->next, i), both = size < r->size[i] ? size : r->size[i];
        uint8_t *now = r->now[i];
        for (size_t n = 0; n < both; n++)
            now[n] ^= r->from[i][n];
        memcpy(now + both, r->from[i] + both, size - both);
        r->from[i] += size;
        r->size[i] = size;
    }
    r->now[COLUMN_LABEL][r->size[COLUMN_LABEL]] = 0;
    r->next++;
    r->left--;
    *record = (struct trace_record){
        .case_bytes = r->now[COLUMN_CASE],
        .case_size = r->size[COLUMN_CASE],
        .outcome_bytes = r->now[COLUMN_OUTCOME],
        .outcome_size = r->size[COLUMN_OUTCOME],
        .label = (const char *)r->now[COLUMN_LABEL],
    };
}
