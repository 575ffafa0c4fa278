/* SPDX-License-Identifier: MIT */
/*
 * `trace:FILE`: answers with what a board once answered. Cases are found by
 * their binary form; of records of one case the first one counts.
 */
#include "oracle/board/board.h"
#include "oracle/files/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

struct entry {
    uint64_t hash;
    size_t at; /* of the case's bytes in `bytes`; the outcome's follow */
    uint32_t case_size, outcome_size;
};

struct trace_board {
    uint8_t *bytes;
    size_t used, room;
    struct entry *entry;
    uint32_t entries, entry_room;
    uint32_t *slot; /* entry index + 1, 0: free; open addressing */
    uint32_t slots; /* a power of two, at least twice the entries */
    uint8_t key[CASE_BYTES_MAX];
};

static const struct entry *find(const struct trace_board *t, const uint8_t *key, size_t size, uint64_t hash,
                                uint32_t *slot)
{
    uint32_t mask = t->slots - 1, i = (uint32_t)hash & mask;
    for (; t->slot[i]; i = (i + 1) & mask) {
        const struct entry *n = &t->entry[t->slot[i] - 1];
        if (n->hash == hash && n->case_size == size && memcmp(t->bytes + n->at, key, size) == 0)
            return n;
    }
    *slot = i;
    return NULL;
}

static bool grow_slots(struct trace_board *t)
{
    uint32_t slots = t->slots ? 2 * t->slots : 1024;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    for (uint32_t n = 0; n < t->entries; n++) {
        uint32_t i = (uint32_t)t->entry[n].hash & (slots - 1);
        while (slot[i])
            i = (i + 1) & (slots - 1);
        slot[i] = n + 1;
    }
    free(t->slot);
    t->slot = slot;
    t->slots = slots;
    return true;
}

/* Makes room for one more entry of `size` bytes. */
static bool reserve(struct trace_board *t, size_t size)
{
    if (!t->bytes || t->room - t->used < size) {
        size_t room = 2 * t->room + size + 65536;
        uint8_t *bytes = realloc(t->bytes, room);
        if (!bytes)
            return false;
        t->bytes = bytes;
        t->room = room;
    }
    if (t->entries == t->entry_room) {
        uint32_t room = 2 * t->entry_room + 512;
        struct entry *entry = realloc(t->entry, room * sizeof *entry);
        if (!entry)
            return false;
        t->entry = entry;
        t->entry_room = room;
    }
    return t->entries < t->slots / 2 || grow_slots(t);
}

static bool keep(struct trace_board *t, const struct trace_record *r)
{
    if (!reserve(t, r->case_size + r->outcome_size))
        return false;
    uint32_t slot;
    uint64_t hash = XXH64(r->case_bytes, r->case_size, 0);
    if (find(t, r->case_bytes, r->case_size, hash, &slot))
        return true;
    t->entry[t->entries] = (struct entry){.hash = hash,
                                          .at = t->used,
                                          .case_size = (uint32_t)r->case_size,
                                          .outcome_size = (uint32_t)r->outcome_size};
    memcpy(t->bytes + t->used, r->case_bytes, r->case_size);
    memcpy(t->bytes + t->used + r->case_size, r->outcome_bytes, r->outcome_size);
    t->used += r->case_size + r->outcome_size;
    t->slot[slot] = ++t->entries;
    return true;
}

static bool load(struct board *b, struct trace_board *t, const char *path, struct error *e)
{
    struct trace_reader *reader = trace_open(path, e);
    if (!reader)
        return false;
    bool ok = trace_unit(reader) == b->unit || error_set(e, "%.250s: holds cases of %s, not of %s", path,
                                                         trace_unit(reader)->name, b->unit->name);
    struct trace_record record;
    int got = 0;
    while (ok && (got = trace_next_record(reader, &record, e)) > 0)
        ok = keep(t, &record) || error_memory(e, "while reading the trace");
    trace_identify(reader, path, &b->identity);
    trace_close(reader);
    return ok && got == 0;
}

static void trace_board_free(struct trace_board *t)
{
    free(t->bytes);
    free(t->entry);
    free(t->slot);
    free(t);
}

static bool trace_board_open(struct board *b, const char *argument, struct error *e)
{
    if (!*argument)
        return error_set(e, "board 'trace:' needs the name of a trace: trace:FILE");
    struct trace_board *t = calloc(1, sizeof *t);
    if (!t || !grow_slots(t)) {
        free(t);
        return error_memory(e, "while reading the trace");
    }
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
        uint32_t slot;
        size_t size = case_encode(cases[i], t->key);
        const struct entry *n = find(t, t->key, size, XXH64(t->key, size, 0), &slot);
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
