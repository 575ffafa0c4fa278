/* SPDX-License-Identifier: MIT */
/* The prefixed form: plans, checks and executes a swizzle (mv.swizzle page, vectorised form). */
#include "model/svp64/swizzle_element.h"
#include "model/svp64/swizzle_plan.h"

/* A set of bytes of a register file. */
struct bytes {
    uint32_t low, high;
    uint64_t bit[SVP64_FILE_BYTES / 64];
};

/* False if the element is outside the file. */
static bool add_bytes(struct bytes *b, const struct swizzle_side *s, uint32_t element)
{
    uint32_t at = swizzle_byte(s, element);
    if (at + s->bytes > SVP64_FILE_BYTES)
        return false;
    b->low = at < b->low ? at : b->low;
    b->high = at + s->bytes > b->high ? at + s->bytes : b->high;
    b->bit[at / 64] |= ((UINT64_C(1) << s->bytes) - 1) << at % 64; /* elements do not cross 8 bytes */
    return true;
}

static bool overlap(const struct bytes *a, const struct bytes *b)
{
    if (a->low >= b->high || b->low >= a->high)
        return false;
    for (unsigned n = 0; n < SVP64_FILE_BYTES / 64; n++)
        if (a->bit[n] & b->bit[n])
            return true;
    return false;
}

/* Refuses an element beyond the last register. Also says whether sources and destinations share bytes. */
static enum swizzle_stop check(const struct swizzle_machine *m, const struct swizzle_side *source,
                               const struct swizzle_side *destination, bool *overlaps)
{
    struct bytes from = {.low = UINT32_MAX}, to = {.low = UINT32_MAX};
    for (unsigned k = 0; k < m->action_count; k++) {
        const struct swizzle_action *a = &m->action[k];
        if (!add_bytes(&to, destination, a->to) ||
            (a->kind == ACT_COPY && !add_bytes(&from, source, a->from)))
            return SWIZZLE_STOP_BEYOND;
    }
    *overlaps = overlap(&from, &to);
    return SWIZZLE_GO;
}

static const uint16_t moves[] = {[ACT_ZERO] = MOVE_ZERO, [ACT_ONE] = MOVE_ONE, [ACT_MASKED] = MOVE_MASKED};

/* The value that an action writes; the filler if it is undefined. */
static uint64_t value_of(const struct swizzle_machine *m, const struct swizzle_action *a,
                         const struct swizzle_side *source, const struct swizzle_conversion *c, bool *defined)
{
    *defined = true;
    switch (a->kind) {
    case ACT_ONE:
        return c->one;
    case ACT_COPY:
        return swizzle_convert(m, c, swizzle_get(source, a->from, m->checked, defined));
    case ACT_UNDEFINED:
        *defined = false;
        return (uint64_t)m->filler << 32 | m->filler;
    default:
        return 0;
    }
}

static void deliver(const struct swizzle_machine *m, const struct swizzle_action *a,
                    const struct swizzle_side *destination, uint64_t value, bool defined)
{
    swizzle_put(destination, a->to, defined ? value : (uint64_t)m->filler << 32 | m->filler, m->checked,
                defined);
    swizzle_record(m, a->to, a->kind < ACT_COPY ? moves[a->kind] : (uint32_t)MOVE_COPY + a->from);
}

static void execute(struct swizzle_machine *m, const struct swizzle_side *source,
                    const struct swizzle_side *destination, const struct swizzle_conversion *c, bool overlaps)
{
    unsigned reading =
        overlaps ? swizzle_reading(m, SWIZ_OVERLAP, m->state.vertical_first) : OVERLAP_SEQUENTIAL;
    if (reading == OVERLAP_VERTICAL_BUFFERED)
        reading = m->state.vertical_first ? OVERLAP_BUFFERED : READING_MANUAL;
    for (unsigned k = 0; k < m->action_count && reading != OVERLAP_SEQUENTIAL; k++)
        m->buffer[k] = value_of(m, &m->action[k], source, c, &m->buffer_defined[k]);
    for (unsigned k = 0; k < m->action_count; k++) {
        bool defined = m->buffer_defined[k];
        uint64_t value =
            reading == OVERLAP_SEQUENTIAL ? value_of(m, &m->action[k], source, c, &defined) : m->buffer[k];
        deliver(m, &m->action[k], destination, value, defined && reading != READING_MANUAL);
    }
}

static bool is_mode(unsigned mode)
{
    unsigned kind = mode >> MODE_KIND_SHIFT;
    return kind == MODE_SIMPLE || kind == MODE_SATURATE_UNSIGNED || kind == MODE_SATURATE_SIGNED;
}

enum swizzle_stop swizzle_vector(struct swizzle_machine *m, const struct swizzle_insn *i)
{
    struct swizzle_side source, destination;
    struct swizzle_shape shape;
    struct swizzle_conversion conversion;
    bool overlaps, copies = false, ones = false;
    if (!is_mode(i->field[SWIZZLE_MODE]))
        return SWIZZLE_STOP_MODE;
    enum swizzle_stop stop = swizzle_sides(m, i, &source, &destination);
    if (!stop)
        stop = swizzle_shape(m, i, &shape);
    if (!stop)
        stop = swizzle_plan(m, i, &shape);
    if (!stop)
        stop = check(m, &source, &destination, &overlaps);
    for (unsigned k = 0; k < m->action_count && !stop; k++) {
        copies |= m->action[k].kind == ACT_COPY;
        ones |= m->action[k].kind == ACT_ONE;
    }
    if (!stop)
        stop = swizzle_conversion(m, i, &source, &destination, copies, ones, &conversion);
    if (stop)
        return stop;
    execute(m, &source, &destination, &conversion, overlaps);
    m->steps += m->action_count;
    return SWIZZLE_GO;
}
