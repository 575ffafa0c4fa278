/* SPDX-License-Identifier: MIT */
/* A template (swizzle_run.inc.h): the form with an SVP64 prefix. Plans, checks and executes a swizzle
 * (mv.swizzle page, vectorised form). */

/* A set of bytes of a register file. */
struct bytes {
    uint32_t low, high;
    uint64_t bit[SVP64_FILE_BYTES / 64];
};

/* Returns the byte of the file at which an element begins. A rule's address is rounded down to a multiple of
 * the element's size. */
static uint32_t byte_of(const struct swizzle_machine *m, const struct swizzle_insn *i,
                        const struct swizzle_side *s, uint32_t element)
{
    uint32_t at = s->base + element * s->stride;
    if (!SWIZZLE_OBSERVER(m))
        return at;
    at = SWIZZLE_SEE(m, ELEMENT_ADDRESS, at, s->is_destination, element, s->base, s->stride, s->bytes,
                     swizzle_is_fp(i));
    return at & ~(s->bytes - 1U);
}

/* The bytes that an element takes when the move looks for overlaps. */
struct span {
    uint32_t first, end; /* `end`: the byte after the element */
    uint64_t set;        /* from `first` on, a bit each */
};

/* Shows which bytes an element takes, and stores what rules make of it. */
static void observe_span(const struct swizzle_machine *m, const struct swizzle_side *s, uint32_t at,
                         struct span *p)
{
    const unsigned destination = s->is_destination;
    p->end = SWIZZLE_SEE(m, OVERLAP_END, p->end, destination, at, s->bytes);
    p->first = SWIZZLE_SEE(m, OVERLAP_BYTE, p->first, destination, s->bytes) % SVP64_FILE_BYTES;
    const uint32_t low = SWIZZLE_SEE(m, OVERLAP_BYTES, (uint32_t)p->set, destination, at, s->bytes);
    p->set = low >> 31 ? UINT64_MAX << 31 | low : low;
}

static bool is_in_file(const struct swizzle_side *s, uint32_t at)
{
    return at <= SVP64_FILE_BYTES - (uint32_t)s->bytes;
}

/* Adds an element's bytes to a set. False if the element is outside the file. */
static bool add_bytes(const struct swizzle_machine *m, struct bytes *b, const struct swizzle_side *s,
                      uint32_t at)
{
    if (!is_in_file(s, at))
        return false;
    struct span p = {.first = at, .end = at + s->bytes, .set = (UINT64_C(1) << s->bytes) - 1};
    if (SWIZZLE_OBSERVER(m))
        observe_span(m, s, at, &p);
    b->low = p.first < b->low ? p.first : b->low;
    b->high = p.end > b->high ? p.end : b->high;
    b->bit[p.first / 64] |= p.set << p.first % 64; /* no element crosses an 8-byte boundary */
    return true;
}

/* Are all elements of one operand before those of the other? */
static bool are_apart(const struct bytes *a, const struct bytes *b)
{
    return a->low >= b->high || b->low >= a->high;
}

static bool overlap(const struct bytes *a, const struct bytes *b)
{
    if (are_apart(a, b))
        return false;
    for (unsigned n = 0; n < SVP64_FILE_BYTES / 64; n++)
        if (a->bit[n] & b->bit[n])
            return true;
    return false;
}

/* Returns the stop for an element that is in the file or beyond it. A rule cannot place an element outside
 * the file. */
static enum swizzle_stop stop_of_place(const struct swizzle_machine *m, const struct swizzle_side *s,
                                       uint32_t at, bool fits)
{
    enum swizzle_stop stop = SWIZZLE_SEE_STOP(m, ELEMENT_STOP, fits ? SWIZZLE_GO : SWIZZLE_STOP_BEYOND,
                                              s->is_destination, at, s->bytes);
    return fits || stop ? stop : SWIZZLE_STOP_BEYOND;
}

/* Adds the bytes of an action's source element to a set. Returns `stop`, or the stop for the element's place.
 */
static enum swizzle_stop place_source(const struct swizzle_machine *m, const struct swizzle_side *source,
                                      const struct swizzle_action *a, uint32_t at, struct bytes *from,
                                      enum swizzle_stop stop)
{
    const bool copied = a->kind == ACT_COPY;
    if (!SWIZZLE_SEE(m, SOURCE_COUNTS, !stop && copied, copied, stop != SWIZZLE_GO, a->to)) {
        if (SWIZZLE_OBSERVER(m) && !stop && copied) /* only by a rule */
            return stop_of_place(m, source, at, is_in_file(source, at));
        return stop;
    }
    enum swizzle_stop of_source = stop_of_place(m, source, at, add_bytes(m, from, source, at));
    return stop ? stop : of_source;
}

/* Sets the bytes of each action's elements. Stops if an element is beyond the last register. Sets
 * m->overlaps. */
static enum swizzle_stop place(struct swizzle_machine *m, const struct swizzle_insn *i,
                               const struct swizzle_side *source, const struct swizzle_side *destination)
{
    struct bytes from = {.low = UINT32_MAX}, to = {.low = UINT32_MAX};
    for (unsigned k = 0; k < m->action_count; k++) {
        struct swizzle_action *a = &m->action[k];
        uint32_t to_byte = byte_of(m, i, destination, a->to),
                 from_byte = a->kind == ACT_COPY ? byte_of(m, i, source, a->from) : 0;
        enum swizzle_stop stop =
            stop_of_place(m, destination, to_byte, add_bytes(m, &to, destination, to_byte));
        stop = place_source(m, source, a, from_byte, &from, stop);
        if (stop)
            return stop;
        a->to_byte = (uint16_t)to_byte;
        a->from_byte = (uint16_t)from_byte;
    }
    m->overlaps = SWIZZLE_SEE(m, OPERANDS_OVERLAP, overlap(&from, &to), are_apart(&from, &to));
    return SWIZZLE_GO;
}

static const uint16_t moves[] = {[ACT_ZERO] = MOVE_ZERO, [ACT_ONE] = MOVE_ONE, [ACT_MASKED] = MOVE_MASKED};

/* Returns the value that an action writes; the filler if the value is undefined. */
static uint64_t value_of(const struct swizzle_machine *m, const struct swizzle_insn *i,
                         const struct swizzle_action *a, const struct swizzle_side *source,
                         const struct swizzle_conversion *c, bool *defined)
{
    uint64_t value;
    *defined = true;
    switch (a->kind) {
    case ACT_ONE:
        return c->one;
    case ACT_COPY:
        value = swizzle_get(m, source, a->from_byte, m->checked, defined);
        if (!SWIZZLE_OBSERVER(m))
            return swizzle_convert(m, c, value);
        value = swizzle_observe_read(m, i, a->from, c->from, value);
        return swizzle_observe_result(m, i, c, value, clamped(c, value), swizzle_convert(m, c, value));
    case ACT_UNDEFINED:
        *defined = false;
        return (uint64_t)m->filler << 32 | m->filler;
    default:
        return 0;
    }
}

static void deliver(const struct swizzle_machine *m, const struct swizzle_insn *i,
                    const struct swizzle_action *a, const struct swizzle_side *destination, uint64_t value,
                    bool defined)
{
    uint32_t move = a->kind < ACT_COPY ? moves[a->kind] : (uint32_t)MOVE_COPY + a->from;
    if (!SWIZZLE_SEE(m, WRITE_DONE, 1, a->to, move, (uint32_t)value, swizzle_is_fp(i), swizzle_form(i)))
        return;
    if (SWIZZLE_OBSERVER(m))
        value = swizzle_observe_written(m, i, a->to, move, value);
    swizzle_put(m, destination, a->to_byte, defined ? value : (uint64_t)m->filler << 32 | m->filler,
                m->checked, defined);
    swizzle_record(m, a->to, SWIZZLE_SEE(m, MOVE_RECORDED, move, a->to, swizzle_is_fp(i), swizzle_form(i)));
}

static void execute(struct swizzle_machine *m, const struct swizzle_insn *i,
                    const struct swizzle_side *source, const struct swizzle_side *destination,
                    const struct swizzle_conversion *c)
{
    unsigned reading =
        m->overlaps ? swizzle_reading(m, SWIZ_OVERLAP, m->state.vertical_first) : OVERLAP_SEQUENTIAL;
    if (reading == OVERLAP_VERTICAL_BUFFERED)
        reading = m->state.vertical_first ? OVERLAP_BUFFERED : READING_MANUAL;
    bool ahead = SWIZZLE_SEE(m, READ_AHEAD, reading != OVERLAP_SEQUENTIAL, swizzle_form(i), m->overlaps,
                             m->state.vertical_first, swizzle_is_fp(i));
    for (unsigned k = 0; k < m->action_count && ahead; k++)
        m->buffer[k] = value_of(m, i, &m->action[k], source, c, &m->buffer_defined[k]);
    for (unsigned k = 0; k < m->action_count; k++) {
        bool defined = m->buffer_defined[k];
        uint64_t value = ahead ? m->buffer[k] : value_of(m, i, &m->action[k], source, c, &defined);
        deliver(m, i, &m->action[k], destination, value, defined && reading != READING_MANUAL);
    }
}

/* Shows which kinds of elements decide about the conversion, and stores what rules make of them. */
static void observe_kinds(const struct swizzle_machine *m, bool *copies, bool *ones)
{
    const int last = m->action_count ? (int)m->action[m->action_count - 1].kind : -1;
    *copies = SWIZZLE_SEE(m, CONVERT_COPIES, *copies, last == ACT_COPY);
    *ones = SWIZZLE_SEE(m, CONVERT_ONES, *ones, last == ACT_ONE);
}

static enum swizzle_stop swizzle_vector(struct swizzle_machine *m, const struct swizzle_insn *i)
{
    struct swizzle_side source, destination;
    struct swizzle_shape shape;
    struct swizzle_conversion conversion;
    bool copies = false, ones = false;
    enum swizzle_stop stop = swizzle_sides(m, i, &source, &destination);
    if (!stop)
        stop = swizzle_shape(m, i, &shape);
    if (!stop)
        stop = swizzle_plan(m, i, &shape);
    if (!stop)
        stop = place(m, i, &source, &destination);
    for (unsigned k = 0; k < m->action_count && !stop; k++) {
        copies |= m->action[k].kind == ACT_COPY;
        ones |= m->action[k].kind == ACT_ONE;
    }
    if (!stop && SWIZZLE_OBSERVER(m))
        observe_kinds(m, &copies, &ones);
    if (!stop)
        stop = swizzle_conversion(m, i, &source, &destination, copies, ones, &conversion);
    if (stop)
        return stop;
    execute(m, i, &source, &destination, &conversion);
    m->steps += m->action_count;
    return SWIZZLE_GO;
}
