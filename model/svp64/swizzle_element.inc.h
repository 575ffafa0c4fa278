/* SPDX-License-Identifier: MIT */
/* A template (swizzle_run.inc.h): elements, their widths and places, constants, and conversion between
 * widths. Owns all code that depends on a width, and no code for order or predicates. */

/* ---- places of elements ---- */

static const uint8_t width_bytes[WIDTHS] = {[WIDTH_64] = 8, [WIDTH_32] = 4, [WIDTH_16] = 2, [WIDTH_8] = 1};

/* Returns the bit that must be 0 in an operand's register number, by swiz-odd-vector; 0 if any number is
 * allowed. */
static unsigned even_bit(const struct swizzle_machine *m, unsigned extra, unsigned number, unsigned mode)
{
    enum { FIELD_BIT = 4 }; /* lowest bit of RTp and RAp; EXTRA adds two bits below it */
    if (!(extra & SWIZZLE_EXTRA_VECTOR) || !(number & (1 | FIELD_BIT)))
        return 1;
    switch (swizzle_reading(m, SWIZ_ODD_VECTOR, mode)) {
    case ODD_VECTOR_ANY:
        return 0;
    case ODD_VECTOR_FIELD:
        return FIELD_BIT;
    default:
        return 1;
    }
}

/* The inputs that all points of an operand have. */
#define OPERAND_INPUTS(extra)                                                                                \
    !is_source, swizzle_is_fp(i), swizzle_form(i), ((extra)&SWIZZLE_EXTRA_VECTOR) != 0

/* Returns the register number that the instruction has for the other operand. */
static unsigned other_number(const struct swizzle_insn *i, bool is_source)
{
    return swizzle_register(i->field[is_source ? SWIZZLE_RT : SWIZZLE_RA],
                            i->field[is_source ? SWIZZLE_EXTRA_DST : SWIZZLE_EXTRA_SRC]);
}

/* Sets `number` to an operand's first register, and `even` to the bits of the number that must be 0. Stops if
 * one of these bits is set, unless swiz-odd-reg rounds the number down. */
static enum swizzle_stop number_of(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                   bool is_source, unsigned *number, unsigned *even)
{
    unsigned field = i->field[is_source ? SWIZZLE_RA : SWIZZLE_RT],
             extra = i->field[is_source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST],
             n = swizzle_register(field, extra);
    n = SWIZZLE_SEE(m, OPERAND_NUMBER, n, OPERAND_INPUTS(extra), field, extra, other_number(i, is_source));
    *even = even_bit(m, extra, n, !is_source);
    *even = SWIZZLE_SEE(m, OPERAND_EVEN, *even, OPERAND_INPUTS(extra), n);
    *number = n % SVP64_REGISTERS;
    return n & *even && swizzle_reading(m, SWIZ_ODD_REG, swizzle_is_fp(i)) != ODD_ROUNDS_DOWN
               ? SWIZZLE_STOP_ODD_REGISTER
               : SWIZZLE_GO;
}

static enum swizzle_stop refuse_operand(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                        bool is_source, unsigned number, unsigned width,
                                        enum swizzle_stop stop)
{
    unsigned extra = i->field[is_source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST];
    return SWIZZLE_SEE_STOP(m, OPERAND_STOP, stop, OPERAND_INPUTS(extra), number, width);
}

static enum swizzle_stop swizzle_number(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                        bool is_source, unsigned *number)
{
    unsigned even;
    enum swizzle_stop stop = number_of(m, i, is_source, number, &even);
    return SWIZZLE_OBSERVER(m) ? refuse_operand(m, i, is_source, *number, 0, stop) : stop;
}

static const struct svp64_rows *swizzle_file(const struct swizzle_machine *m, const struct swizzle_insn *i)
{
    unsigned fp = swizzle_is_fp(i), file = fp && swizzle_reading(m, SWIZ_FMV_FILE, 0) != FMV_GPR;
    return SWIZZLE_SEE(m, OPERAND_FILE, file, fp, swizzle_form(i)) ? &m->fpr : &m->gpr;
}

/* Shows an operand's first byte and the size of its elements at their points, and replaces a rule's size that
 * does not exist. */
static void observe_size(const struct swizzle_machine *m, const struct swizzle_insn *i, bool is_source,
                         unsigned number, unsigned even, struct swizzle_side *s)
{
    unsigned extra = i->field[is_source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST];
    s->base = SWIZZLE_SEE(m, OPERAND_BASE, s->base, OPERAND_INPUTS(extra), number, even);
    unsigned bytes = SWIZZLE_SEE(m, OPERAND_BYTES, s->bytes, OPERAND_INPUTS(extra), s->format);
    s->bytes = bytes >= 8 ? 8 : bytes >= 4 ? 4 : bytes >= 2 ? 2 : 1;
}

static enum swizzle_stop side(const struct swizzle_machine *m, const struct swizzle_insn *i, bool is_source,
                              struct swizzle_side *s)
{
    unsigned mode = is_source ? 0 : 1, number, even;
    enum swizzle_stop stop = number_of(m, i, is_source, &number, &even);
    s->is_destination = !is_source;
    s->format = i->field[is_source ? SWIZZLE_ELWIDTH_SRC : SWIZZLE_ELWIDTH];
    s->bytes = width_bytes[s->format];
    s->base = (number & ~even) * SVP64_REGISTER_BYTES;
    if (swizzle_is_fp(i) && s->format == WIDTH_8) {
        if (!stop && swizzle_reading(m, SWIZ_FMV_EW, mode) == FMV_EW_ILLEGAL)
            stop = SWIZZLE_STOP_FMV_WIDTH;
        s->bytes = 2;
    }
    if (SWIZZLE_OBSERVER(m)) {
        stop = refuse_operand(m, i, is_source, number, s->format, stop);
        observe_size(m, i, is_source, number, even, s);
    }
    if (stop)
        return stop;
    s->stride = s->bytes;
    if (s->format != WIDTH_64 && swizzle_reading(m, SWIZ_RT_PLUS, mode) != RT_ELEMENTS)
        s->stride = SVP64_REGISTER_BYTES;
    s->stride =
        (uint8_t)SWIZZLE_SEE(m, OPERAND_STRIDE, s->stride,
                             OPERAND_INPUTS(i->field[is_source ? SWIZZLE_EXTRA_SRC : SWIZZLE_EXTRA_DST]),
                             s->format, s->bytes);
    return SWIZZLE_GO;
}

static enum swizzle_stop swizzle_sides(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                       struct swizzle_side *source, struct swizzle_side *destination)
{
    source->file = destination->file = swizzle_file(m, i);
    enum swizzle_stop stop = side(m, i, true, source);
    return stop ? stop : side(m, i, false, destination);
}

/* Shows which bits of a word an element has, and stores what rules make of it. */
static void observe_bits_of(const struct swizzle_machine *m, const struct swizzle_side *s, uint32_t byte,
                            uint32_t *shift, uint32_t *mask)
{
    const unsigned fp = s->file == &m->fpr;
    *shift = SWIZZLE_SEE(m, ELEMENT_SHIFT, *shift, s->is_destination, byte, s->bytes, fp, s->format);
    *mask = SWIZZLE_SEE(m, ELEMENT_MASK, *mask, s->is_destination, byte, s->bytes, fp, s->format);
}

/* The words of a register file that an element takes. */
struct words {
    uint32_t first, count; /* 1 or 2 words */
};

/* Shows which words an element takes, and limits what rules make of it to the register file. */
static void observe_words(const struct swizzle_machine *m, const struct swizzle_side *s, uint32_t byte,
                          struct words *w)
{
    enum { LAST = SVP64_FILE_BYTES / 4 - 1 };
    const unsigned fp = s->file == &m->fpr;
    w->first = SWIZZLE_SEE(m, ELEMENT_WORD, w->first, s->is_destination, byte, s->bytes, fp);
    w->count = SWIZZLE_SEE(m, ELEMENT_WORDS, w->count, s->is_destination, byte, s->bytes, fp);
    w->count = w->count < 2 || w->first >= LAST ? 1 : 2;
}

static struct words words_of(const struct swizzle_machine *m, const struct swizzle_side *s, uint32_t byte)
{
    struct words w = {.first = byte / 4, .count = s->bytes < 8 ? 1 : 2};
    if (SWIZZLE_OBSERVER(m))
        observe_words(m, s, byte, &w);
    return w;
}

/* Returns the word after an element's first one, which points show; 0 at the end of the file. */
static uint32_t next_word(const struct swizzle_machine *m, const struct swizzle_side *s, uint32_t word)
{
    return SWIZZLE_OBSERVER(m) && word + 1 < SVP64_FILE_BYTES / 4 ? s->file->value[word + 1] : 0;
}

/* Returns an element, which is part of one word or the two words of a register. */
static uint64_t swizzle_get(const struct swizzle_machine *m, const struct swizzle_side *s, uint32_t byte,
                            bool checked, bool *defined)
{
    uint32_t shift = byte % 4 * 8, mask = s->bytes < 4 ? (1U << s->bytes * 8) - 1 : UINT32_MAX;
    if (SWIZZLE_OBSERVER(m))
        observe_bits_of(m, s, byte, &shift, &mask);
    const struct words w = words_of(m, s, byte);
    const uint32_t *value = s->file->value + w.first, *bits = s->file->defined + w.first;
    *defined = !checked || ((bits[0] >> shift & mask) == mask && (w.count < 2 || bits[1] == UINT32_MAX));
    uint64_t low = value[0] >> shift & mask;
    low = SWIZZLE_SEE(m, ELEMENT_TAKEN, (uint32_t)low, value[0], w.count < 2 ? 0 : value[1], shift, mask,
                      s->bytes, 0, s->file == &m->fpr, next_word(m, s, w.first));
    if (w.count < 2)
        return low;
    uint64_t high = SWIZZLE_SEE(m, ELEMENT_TAKEN, value[1], value[1], value[0], 0, UINT32_MAX, s->bytes, 1,
                                s->file == &m->fpr, next_word(m, s, w.first + 1));
    return high << 32 | low;
}

static void put_word(uint32_t *word, uint32_t value, uint32_t mask)
{
    *word = (*word & ~mask) | (value & mask);
}

static void swizzle_put(const struct swizzle_machine *m, const struct swizzle_side *s, uint32_t byte,
                        uint64_t value, bool checked, bool defined)
{
    uint32_t shift = byte % 4 * 8, mask = s->bytes < 4 ? (1U << s->bytes * 8) - 1 : UINT32_MAX;
    if (SWIZZLE_OBSERVER(m))
        observe_bits_of(m, s, byte, &shift, &mask);
    mask <<= shift;
    const struct words w = words_of(m, s, byte);
    uint32_t *word = s->file->value + w.first, *bits = s->file->defined + w.first,
             is_defined = defined ? UINT32_MAX : 0;
    const uint32_t old = word[0];
    put_word(&word[0], (uint32_t)value << shift, mask);
    /* The last input, `others`, is ~mask: it exists because a rule has at most two operators. */
    word[0] = SWIZZLE_SEE(m, ELEMENT_PLACED, word[0], old, (uint32_t)value, (uint32_t)(value >> 32), shift,
                          mask, s->bytes, 0, s->file == &m->fpr, ~mask);
    if (w.count == 2)
        word[1] = SWIZZLE_SEE(m, ELEMENT_PLACED, (uint32_t)(value >> 32), word[1], (uint32_t)(value >> 32),
                              (uint32_t)value, 0, UINT32_MAX, s->bytes, 1, s->file == &m->fpr, 0);
    if (checked) {
        put_word(&bits[0], is_defined, mask);
        if (w.count == 2)
            bits[1] = is_defined;
    }
    svp64_touch(s->file, w.first * 4);
    if (SWIZZLE_OBSERVER(m))
        svp64_touch(s->file, (w.first + w.count - 1) * 4); /* a rule can put an element across two rows */
}

/* ---- conversion ---- */

static uint64_t largest_unsigned(unsigned bits)
{
    return UINT64_MAX >> (64 - bits);
}

static uint64_t sign_extend(uint64_t value, unsigned bits, unsigned sign_bit)
{
    uint64_t sign = UINT64_C(1) << sign_bit;
    return ((value & largest_unsigned(bits)) ^ sign) - sign;
}

/* Returns a source element's sign-extended value. */
static uint64_t extended(const struct swizzle_machine *m, const struct swizzle_conversion *c, uint64_t value)
{
    unsigned sign_bit = c->from_bits - 1U;
    sign_bit = SWIZZLE_SEE(m, CONVERT_SIGN_BIT, sign_bit, c->from, c->to, c->mode);
    return sign_extend(value, c->from_bits, sign_bit);
}

/* Returns the largest integer of a number of bits to which saturation goes. `is_one`: it is what selector 1
 * delivers. */
static uint64_t saturated(const struct swizzle_machine *m, const struct swizzle_conversion *c, unsigned bits,
                          bool is_one)
{
    bits = SWIZZLE_SEE(m, SATURATION_BITS, bits, is_one, c->from_bits, c->to_bits, c->mode);
    return largest_unsigned(!bits ? 1 : bits > 64 ? 64 : bits);
}

/* Shows the number of bits at its point, and limits what rules make of it to 2 .. 64. */
static unsigned bits_of_one(const struct swizzle_machine *m, unsigned bits, unsigned from, unsigned to,
                            unsigned kind)
{
    bits = SWIZZLE_SEE(m, ONE_BITS, bits, from, to, kind);
    return bits < 2 ? 2 : bits > 64 ? 64 : bits;
}

/* Returns the value that selector 1 gives in a general register. */
static uint64_t integer_one(const struct swizzle_machine *m, unsigned kind,
                            const struct swizzle_conversion *c)
{
    if (kind == MODE_SIMPLE)
        return saturated(m, c, 1, true);
    unsigned bits = c->to_bits;
    if (c->from_bits != c->to_bits &&
        swizzle_reading(m, SWIZ_SAT_WIDTH, c->from_bits > c->to_bits) == SAT_SOURCE_WIDTH)
        bits = c->from_bits;
    if (SWIZZLE_OBSERVER(m))
        bits = bits_of_one(m, bits, c->from_bits, c->to_bits, kind);
    return saturated(m, c, kind == MODE_SATURATE_SIGNED ? bits - 1 : bits, true);
}

static void convert_integers(const struct swizzle_machine *m, unsigned kind, bool copies,
                             struct swizzle_conversion *c)
{
    if (!copies || c->from_bits == c->to_bits)
        return;
    if (c->from_bits > c->to_bits) {
        c->kind = kind == MODE_SATURATE_SIGNED     ? CLAMP_SIGNED
                  : kind == MODE_SATURATE_UNSIGNED ? CLAMP_UNSIGNED
                                                   : AS_IT_IS;
        return;
    }
    unsigned reading = swizzle_reading(m, SWIZ_WIDTH_CHANGE, 0);
    bool sign = reading == WIDTH_SIGN_EXTENDS || (reading == READING_MANUAL && kind == MODE_SATURATE_SIGNED);
    sign = SWIZZLE_SEE(m, CONVERT_SIGNED, sign, kind, c->from, c->to);
    c->kind = sign ? EXTEND_SIGN : EXTEND_ZERO;
}

static void convert_floats(const struct swizzle_machine *m, bool copies, struct swizzle_conversion *c)
{
    if (!copies)
        return;
    if (c->from == c->to)
        c->kind = QUIETEN; /* quieting consults swiz-fmv-bits for each signalling NaN */
    else if (swizzle_reading(m, SWIZ_FMV_WIDTH_CHANGE, c->from_bits > c->to_bits) == FMV_CONVERTS)
        c->kind = CONVERT_FLOAT;
}

/* Returns the 1.0 of the destination's format. */
static uint64_t float_one(const struct swizzle_machine *m, const struct swizzle_conversion *c)
{
    if (!SWIZZLE_WANTS(m, ONE_EXPONENT))
        return swizzle_float_one(c->to);
    unsigned exponent_bits = swizzle_float_exponent_bits(c->to),
             fraction_bits = swizzle_float_fraction_bits(c->to);
    uint64_t exponent =
        SWIZZLE_SEE(m, ONE_EXPONENT, swizzle_float_bias(c->to), c->to, exponent_bits, fraction_bits);
    return exponent << fraction_bits;
}

/* Returns the number of bits of an operand's element. A rule can make it 1 to 64. */
static uint8_t bits_of(const struct swizzle_machine *m, const struct swizzle_insn *i,
                       const struct swizzle_side *s)
{
    unsigned bits =
        SWIZZLE_SEE(m, CONVERT_BITS, s->bytes * 8U, s->is_destination, s->format, s->bytes, swizzle_is_fp(i));
    return (uint8_t)(!bits ? 1 : bits > 64 ? 64 : bits);
}

/* Shows how copies are converted, and stores what rules make of it. */
static void observe_kind(const struct swizzle_machine *m, bool fp, unsigned mode,
                         struct swizzle_conversion *c)
{
    unsigned kind = c->kind;
    kind = SWIZZLE_SEE(m, CONVERT_KIND, kind, fp, mode, c->from, c->to);
    switch (kind) {
#define KIND(name)                                                                                           \
    case name:                                                                                               \
        c->kind = name;                                                                                      \
        break
        KIND(EXTEND_ZERO);
        KIND(EXTEND_SIGN);
        KIND(CLAMP_UNSIGNED);
        KIND(CLAMP_SIGNED);
        KIND(CONVERT_FLOAT);
        KIND(QUIETEN);
#undef KIND
    default:
        c->kind = AS_IT_IS;
    }
}

static enum swizzle_stop swizzle_conversion(const struct swizzle_machine *m, const struct swizzle_insn *i,
                                            const struct swizzle_side *source,
                                            const struct swizzle_side *destination, bool copies, bool ones,
                                            struct swizzle_conversion *c)
{
    unsigned kind = i->field[SWIZZLE_MODE] >> MODE_KIND_SHIFT;
    *c = (struct swizzle_conversion){
        .kind = AS_IT_IS,
        .from = source->format,
        .to = destination->format,
        .from_bits = bits_of(m, i, source),
        .to_bits = bits_of(m, i, destination),
    };
    bool fp = swizzle_is_fp(i);
    kind = SWIZZLE_SEE(m, CONVERT_MODE, kind, fp, c->from, c->to);
    c->mode = (uint8_t)kind;
    fp = SWIZZLE_SEE(m, CONVERT_FP, fp, kind, c->from, c->to);
    unsigned saturation = !fp || kind == MODE_SIMPLE ? READING_MANUAL : swizzle_reading(m, SWIZ_SAT_FMV, 0);
    enum swizzle_stop stop = saturation == SAT_FMV_ILLEGAL ? SWIZZLE_STOP_FMV_SATURATION : SWIZZLE_GO;
    stop = SWIZZLE_SEE_STOP(m, CONVERT_STOP, stop, fp, kind, c->from, c->to);
    if (stop)
        return stop;
    if (fp) {
        convert_floats(m, copies, c);
        c->one = saturation == SAT_FMV_LARGEST ? swizzle_float_largest(c->to) : float_one(m, c);
    } else {
        convert_integers(m, kind, copies, c);
        c->one = ones ? integer_one(m, kind, c) : 1;
    }
    if (SWIZZLE_OBSERVER(m) && copies)
        observe_kind(m, fp, kind, c);
    if (SWIZZLE_OBSERVER(m) && ones)
        c->one = swizzle_observe_one(m, i, c, c->one);
    return SWIZZLE_GO;
}

/* Returns to which limit an integer is clamped: 0 none, 1 the largest, 2 the smallest. */
static unsigned side_of(bool is_signed, uint64_t value, uint64_t most)
{
    if (is_signed && value >> 63)
        return ~value > most ? 2 : 0;
    return value > most;
}

/* Returns an integer clamped to the destination's width. `value`: sign-extended if it is signed. */
static uint64_t clamp(const struct swizzle_machine *m, const struct swizzle_conversion *c, bool is_signed,
                      uint64_t value)
{
    uint64_t most = saturated(m, c, c->to_bits - (unsigned)is_signed, false);
    unsigned limit = SWIZZLE_SEE(m, CLAMP_SIDE, side_of(is_signed, value, most), c->from, c->to, c->mode,
                                 (uint32_t)value, (uint32_t)(value >> 32), is_signed && value >> 63);
    return limit == 0 ? value : limit == 1 ? most : is_signed ? most + 1 : 0;
}

/* Returns to which limit the conversion clamps a source element, without rules. */
static unsigned clamped(const struct swizzle_conversion *c, uint64_t value)
{
    bool is_signed = c->kind == CLAMP_SIGNED;
    if (!is_signed && c->kind != CLAMP_UNSIGNED)
        return 0;
    unsigned bits = c->to_bits > 1 ? c->to_bits - (unsigned)is_signed : 1;
    return side_of(is_signed, is_signed ? sign_extend(value, c->from_bits, c->from_bits - 1U) : value,
                   largest_unsigned(bits));
}

static uint64_t swizzle_convert(const struct swizzle_machine *m, const struct swizzle_conversion *c,
                                uint64_t value)
{
    uint64_t quiet;
    switch (c->kind) {
    case AS_IT_IS:
    case EXTEND_ZERO:
        return value;
    case EXTEND_SIGN:
        return extended(m, c, value);
    case CLAMP_UNSIGNED:
        return clamp(m, c, false, value);
    case CLAMP_SIGNED:
        return clamp(m, c, true, extended(m, c, value));
    case CONVERT_FLOAT:
        if (swizzle_float_is_nan(c->from, value))
            return swizzle_float_convert_nan(c->from, c->to, value,
                                             swizzle_reading(m, SWIZ_FMV_NAN, c->from_bits > c->to_bits));
        return swizzle_float_convert(c->from, c->to, value);
    case QUIETEN:
        quiet = value | (swizzle_float_is_nan(c->from, value) ? swizzle_float_quiet_bit(c->from) : 0);
        return quiet != value && swizzle_reading(m, SWIZ_FMV_BITS, 0) == FMV_QUIETS ? quiet : value;
    }
    return value;
}
