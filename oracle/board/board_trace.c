/* SPDX-License-Identifier: MIT */
/* `trace:FILE`: answers with the recorded outcomes. Finds a case by its binary form. If a trace has several
 * records of one case, the first one counts. */
#include "model/core/memory.h"
#include "oracle/board/board.h"
#include "oracle/files/trace.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct entry {
    uint64_t hash;
    size_t at; /* offset of the case in `bytes`; its outcome follows */
    uint32_t case_size, outcome_size;
};

struct trace_board {
    uint8_t *bytes;
    size_t used, room;
    struct entry *entry; /* sorted by hash, then by place in the trace */
    size_t entries, entry_room;
    uint8_t key[CASE_BYTES_MAX];
};

static int by_hash(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

static const struct entry *find(const struct trace_board *t, const uint8_t *key, size_t size)
{
    const uint64_t hash = XXH64(key, size, 0);
    size_t low = 0;
    for (size_t high = t->entries; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (t->entry[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    for (const struct entry *n = t->entry + low; n < t->entry + t->entries && n->hash == hash; n++)
        if (n->case_size == size && memcmp(t->bytes + n->at, key, size) == 0)
            return n;
    return NULL;
}

/* Adds a record. False: out of memory. */
static bool keep(struct trace_board *t, const struct trace_record *r)
{
    if (!memory_reserve(&t->bytes, &t->room, t->used + r->case_size + r->outcome_size, 65536))
        return false;
    if (t->entries == t->entry_room) {
        size_t room = 2 * t->entry_room + 512;
        struct entry *entry = realloc(t->entry, room * sizeof *entry);
        if (!entry)
            return false;
        t->entry = entry;
        t->entry_room = room;
    }
    t->entry[t->entries++] = (struct entry){
        .hash = XXH64(r->case_bytes, r->case_size, 0),
        .at = t->used,
        .case_size = (uint32_t)r->case_size,
        .outcome_size = (uint32_t)r->outcome_size,
    };
    memcpy(t->bytes + t->used, r->case_bytes, r->case_size);
    memcpy(t->bytes + t->used + r->case_size, r->outcome_bytes, r->outcome_size);
    t->used += r->case_size + r->outcome_size;
    return true;
}

static bool load(struct board *b, struct trace_board *t, const char *path, struct error *e)
{
    struct trace_reader *reader = trace_open_unit(path, b->unit, e);
    if (!reader)
        return false;
    bool ok = true;
    struct trace_record record;
    int got = 0;
    while (ok && (got = trace_next_record(reader, &record, e)) > 0)
        ok = keep(t, &record) || error_memory(e, "while reading the trace");
    if (t->entries)
        qsort(t->entry, t->entries, sizeof *t->entry, by_hash);
    trace_identify(reader, path, &b->identity);
    trace_close(reader);
    return ok && got == 0;
}

static void trace_board_free(struct trace_board *t)
{
    free(t->bytes);
    free(t->entry);
    free(t);
}

static bool trace_board_open(struct board *b, const char *argument, struct error *e)
{
    if (!*argument)
        return error_set(e, "board 'trace:' needs a file: trace:FILE");
    struct trace_board *t = memory_new(1, sizeof *t);
    if (!load(b, t, argument, e)) {
        trace_board_free(t);
        return false;
    }
    b->state = t;
    return true;
}

static bool trace_board_run(struct board *b, const struct test_case *const *cases, unsigned count,
                            struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct trace_board *t = b->state;
    for (unsigned i = 0; i < count; i++) {
        const struct entry *n = find(t, t->key, case_encode(cases[i], t->key));
        answers[i] = ANSWER_UNKNOWN;
        if (!n)
            continue;
        if (!outcome_decode(outcomes[i], cases[i], t->bytes + n->at + n->case_size, n->outcome_size, e))
            return error_where(e, "board %.200s", b->identity.spec);
        answers[i] = outcomes[i]->end == END_REFUSED ? ANSWER_REFUSED : ANSWER_OUTCOME;
    }
    return true;
}

static void trace_board_close(struct board *b)
{
    trace_board_free(b->state);
}

const struct board_kind board_trace = {
    .name = "trace",
    .form = "trace:FILE",
    .about = "what a board once answered, recorded or imported; cases that are not in it stay unanswered",
    .open = trace_board_open,
    .run = trace_board_run,
    .close = trace_board_close,
};
