/* SPDX-License-Identifier: MIT */
#include "oracle/board/plugin/plugin_record.h"

#include <string.h>

enum { HEAD = 3, MESSAGE = sizeof((struct misprint_outcome *)NULL)->message / sizeof(uint32_t) };

/* Returns the words of a set of rows. */
static size_t set_words(const struct layout *l)
{
    return 2 * (size_t)((l->rows + 63U) / 64);
}

static size_t row_words(const struct layout *l)
{
    return (size_t)l->rows * l->row_words;
}

size_t plugin_record_max(const struct layout *l)
{
    return HEAD + set_words(l) + (2 * row_words(l) > MESSAGE ? 2 * row_words(l) : MESSAGE);
}

/* Copies the touched rows. Returns the address behind them. */
static uint32_t *put_rows(uint32_t *to, const uint32_t *rows, const uint64_t *touched, const struct layout *l)
{
    for (uint32_t word = 0; word < (l->rows + 63U) / 64; word++)
        for (uint64_t bits = touched[word]; bits; bits &= bits - 1, to += l->row_words) {
            uint32_t row = 64 * word + (uint32_t)__builtin_ctzll(bits);
            memcpy(to, rows + row * l->row_words, l->row_words * sizeof *to);
        }
    return to;
}

size_t plugin_record_put(uint32_t *to, const struct misprint_outcome *m, const struct layout *l)
{
    uint32_t *at = to + HEAD + set_words(l);
    to[0] = m->end;
    to[1] = m->reason;
    to[2] = m->flags;
    memcpy(to + HEAD, m->touched, set_words(l) * sizeof *to);
    if (m->end >= MISPRINT_REFUSED) {
        memcpy(at, m->message, sizeof m->message);
        return (size_t)(at - to) + MESSAGE;
    }
    at = put_rows(at, m->value, m->touched, l);
    if (m->flags & MISPRINT_HAS_UNKNOWN)
        at = put_rows(at, m->unknown, m->touched, l);
    return (size_t)(at - to);
}

enum plugin_taken plugin_record_take(const uint32_t **from, struct outcome *out, char why[256])
{
    const struct layout *l = &out->unit->layout;
    const uint32_t *head = *from, *rows = head + HEAD + set_words(l);
    /* Copies, because another process may write the source. */
    struct misprint_outcome m = {.end = head[0], .reason = head[1], .flags = head[2]};
    size_t count = 0;
    memcpy(m.touched, head + HEAD, set_words(l) * sizeof *head);
    if (l->rows % 64)
        m.touched[l->rows / 64] &= (UINT64_C(1) << l->rows % 64) - 1;
    for (uint32_t word = 0; word < (l->rows + 63U) / 64; word++)
        count += (size_t)__builtin_popcountll(m.touched[word]);
    if (m.end >= MISPRINT_REFUSED) {
        memcpy(m.message, rows, sizeof m.message);
        *from = rows + MESSAGE;
    } else {
        *from = rows + count * l->row_words * (m.flags & MISPRINT_HAS_UNKNOWN ? 2 : 1);
    }
    return plugin_take(&m, (struct plugin_rows){rows, rows + count * l->row_words, true}, out, why);
}
