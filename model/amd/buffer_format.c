/* SPDX-License-Identifier: MIT */
/* Makes the part of the plan about data: format, selection of components, rules of conversion. */
#include "model/amd/buffer.h"

static bool loads(const struct buffer_plan *p)
{
    return p->op->kind == AMD_LOAD || p->op->kind == AMD_LOAD_LDS;
}

/* ---- which format ---- */

/* Does the layout have floats: singles, halves, or the unsigned ones of 10_11_11 and 11_11_10? GFX8 and GFX9
 * can encode FLOAT with any layout. */
static bool is_float_layout(enum amd_layout layout)
{
    uint8_t bits = amd_layouts[layout].bits[0];
    return bits == 32 || bits == 16 || layout == AMD_10_11_11 || layout == AMD_11_11_10;
}

/* Applies clause reserved-format to a reserved layout or number: the instruction moves nothing, or takes the
 * data for unsigned integers. */
static void prepare_reserved(const struct amd_wave *w, struct buffer_plan *p, struct amd_format *f)
{
    bool layout = f->layout != AMD_LAYOUT_INVALID && f->layout != AMD_LAYOUT_RESERVED;
    if (READING(RESERVED_FORMAT) == READING_MANUAL)
        p->effect = BUFFER_ZERO;
    f->layout = layout ? f->layout : AMD_32;
    f->number = AMD_UINT;
}

/* Finds the format code of an MTBUF instruction. Returns false if it moves nothing, or faults. */
static bool typed_code(const struct amd_wave *w, struct buffer_plan *p, uint32_t *code, enum amd_stop *stop)
{
    enum { GFX11_CODES = 64, GFX10_CODES = 78 };
    bool unified = !amd_is_gcn(w->generation);
    *code = p->insn->format;
    if (unified && *code >= (amd_is_gfx11(w->generation) ? GFX11_CODES : GFX10_CODES)) {
        unsigned reading = READING(MTBUF_FORMAT_64PLUS);
        *stop = reading == AMD_FORMAT_FAULTS ? AMD_STOP_FORMAT : AMD_GO;
        p->effect = BUFFER_ZERO;
        if (reading != AMD_FORMAT_LOW_SIX)
            return false;
        *code &= GFX11_CODES - 1;
        p->effect = *code ? BUFFER_MOVES : BUFFER_ZERO;
        return *code != 0;
    }
    if (unified ? *code : *code & 15)
        return true;
    p->effect = READING(MTBUF_FORMAT_0) ? BUFFER_UNTOUCHED : BUFFER_ZERO;
    return false;
}

static enum amd_stop find_format(const struct amd_wave *w, struct buffer_plan *p, struct amd_format *f)
{
    uint32_t code = p->d.format;
    enum amd_stop stop = AMD_GO;
    if (p->op->encoding == AMD_MTBUF) {
        if (!typed_code(w, p, &code, &stop))
            return stop;
    } else if (!(amd_is_gcn(w->generation) ? code & 15 : code)) {
        p->effect = BUFFER_ZERO; /* INVALID, though ADD_TID makes the buffer a bound one */
        return AMD_GO;
    }
    if (!amd_format_of(w->generation, code, f) ||
        (f->number == AMD_FLOAT && !is_float_layout((enum amd_layout)f->layout)))
        prepare_reserved(w, p, f);
    return AMD_GO;
}

/* Passes the format through its observation points, where rules may change it. With a layout that the
 * conversions do not know, nothing moves; a number that does not fit the layout becomes UINT. */
static enum amd_stop observe_format(const struct amd_wave *w, struct buffer_plan *p, struct amd_format *f,
                                    enum amd_stop stop)
{
    uint32_t typed = p->op->encoding == AMD_MTBUF, code = typed ? p->insn->format : p->d.format,
             g = w->generation, store = !loads(p);
    stop = AMD_OBSERVE_STOP(FAULT_FORMAT, stop, g, p->insn->code, typed, code);
    if (stop)
        return stop;
    bool moves = p->effect == BUFFER_MOVES,
         now = AMD_OBSERVE(FORMAT_MOVES, moves, g, typed, code, f->layout, f->number, store);
    uint32_t layout = AMD_OBSERVE(FORMAT_LAYOUT, f->layout, g, typed, code, f->number, store),
             number = AMD_OBSERVE(FORMAT_NUMBER, f->number, g, typed, code, layout, store);
    bool known = layout != AMD_LAYOUT_INVALID && layout != AMD_LAYOUT_RESERVED;
    if (now != moves || !known)
        p->effect = now && known ? BUFFER_MOVES : BUFFER_ZERO;
    f->layout = known ? (uint8_t)layout : AMD_32;
    bool odd =
        number == AMD_NUMBER_RESERVED || (number == AMD_FLOAT && !is_float_layout((enum amd_layout)layout));
    f->number = odd ? AMD_UINT : (uint8_t)number;
    return AMD_GO;
}

/* Passes the layout's parts through their observation points. No field reaches beyond the dwords of the data,
 * and a float has 6 to 28 or 32 bits. */
static void observe_layout(const struct amd_wave *w, struct buffer_plan *p, uint32_t layout)
{
    enum { BYTES_MOST = 4 * AMD_UNITS, FLOAT_LEAST = 6, FLOAT_MOST = 28 };
    struct amd_layout_row *r = &p->row;
    uint32_t g = w->generation, store = !loads(p), number = p->number;
    *r = *p->layout;
    p->layout = r;
    uint32_t components = AMD_OBSERVE(FORMAT_COMPONENTS, r->components, g, layout, number, store),
             bytes = AMD_OBSERVE(FORMAT_BYTES, r->bytes, g, layout, number, store);
    r->components = (uint8_t)(components < 4 ? components : 4);
    r->bytes = (uint8_t)(bytes < BYTES_MOST ? bytes : BYTES_MOST);
    for (uint32_t c = 0; c < r->components; c++) {
        uint32_t bits = AMD_OBSERVE(FORMAT_BITS, r->bits[c], g, layout, c, number, store),
                 low = AMD_OBSERVE(FORMAT_LOW, r->low[c], g, layout, c, number, store);
        r->bits[c] = (uint8_t)(bits > 32 || !bits ? 32 : bits);
        r->low[c] = (uint8_t)(low % (r->bytes > 4 ? r->bytes / 4 * 32U : 32U));
        if (p->number == AMD_FLOAT &&
            (r->bits[c] < FLOAT_LEAST || (r->bits[c] > FLOAT_MOST && r->bits[c] < 32)))
            p->number = AMD_UINT;
    }
}

/* ---- component selection ---- */

/* Selects the components of the format in order, and 0 for the others ("RDNA3" guide 9.3: X000, XY00, XYZ0,
 * XYZW). */
static void select_identity(const struct amd_wave *w, struct buffer_plan *p)
{
    for (unsigned i = 0; i < 4; i++)
        p->select[i] = (uint8_t)(i < p->layout->components ? AMD_SEL_X + i : AMD_SEL_0);
    if (loads(p) && p->op->components == 4 && p->layout->components < 4 && READING(IDENTITY_W))
        p->select[3] = AMD_SEL_1;
}

static void select_by_descriptor(const struct amd_wave *w, struct buffer_plan *p)
{
    for (unsigned i = 0; i < 4; i++) {
        uint8_t s = (uint8_t)p->d.dst_sel[i];
        if (s == AMD_SEL_N_BC_1 && loads(p) && i < p->op->components && READING(RESERVED_DST_SEL))
            s = AMD_SEL_1;
        p->select[i] = s == AMD_SEL_N_BC_1 || s == AMD_SEL_RESERVED ? AMD_SEL_0 : s;
    }
}

static void observe_selection(const struct amd_wave *w, struct buffer_plan *p)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t select =
            AMD_OBSERVE(COMPONENT_SELECT, p->select[i], i, p->d.dst_sel[i], p->op->encoding == AMD_MTBUF,
                        p->layout->components, p->op->components, !loads(p), w->generation, p->d.dst_sel[0]);
        p->select[i] = select == AMD_SEL_N_BC_1 || select == AMD_SEL_RESERVED ? AMD_SEL_0 : (uint8_t)select;
    }
}

/* Does the reading of clause store-dst-sel-direction matter: does a channel take another component if
 * selector c names the component of channel c, not the channel of component c? */
static bool direction_matters(const struct buffer_plan *p)
{
    for (unsigned c = 0; c < p->layout->components; c++) {
        unsigned takers = 0, wanted = p->select[c];
        for (unsigned i = 0; i < 4; i++)
            takers += p->select[i] == AMD_SEL_X + c;
        bool same = wanted >= AMD_SEL_X ? takers == 1 && p->select[wanted - AMD_SEL_X] == AMD_SEL_X + c
                                        : wanted == AMD_SEL_0 && !takers;
        if (!same)
            return true;
    }
    return false;
}

static void prepare_constants(const struct amd_wave *w, struct buffer_plan *p)
{
    enum { FLOAT_1 = 0x3F800000, HALF_1 = 0x3C00 };
    bool any = false, integer = p->layout && amd_is_integer(p->number);
    for (unsigned i = 0; i < p->op->components; i++) {
        p->ones_when_out[i] = p->select[i] == AMD_SEL_1;
        any = any || p->ones_when_out[i];
    }
    if (!any)
        return;
    if (integer)
        integer = READING(SEL1_VALUE) == READING_MANUAL;
    p->one = integer ? 1 : p->op->d16 ? HALF_1 : FLOAT_1;
}

/* ---- rules of conversion: a clause is consulted only where it matters ---- */

/* Has a component a width from `min` to `max`? */
static bool any_width(const struct amd_layout_row *l, unsigned min, unsigned max)
{
    for (unsigned i = 0; i < l->components; i++)
        if (l->bits[i] >= min && l->bits[i] <= max)
            return true;
    return false;
}

static void prepare_load_rules(const struct amd_wave *w, struct buffer_plan *p)
{
    struct amd_rules *r = &p->rules;
    const struct amd_layout_row *l = p->layout;
    if (p->number == AMD_UNORM || p->number == AMD_SNORM)
        r->unorm_reciprocal = (uint8_t)READING_IN(UNORM_EXACTNESS, p->number == AMD_SNORM);
    if (p->number == AMD_SNORM)
        r->snorm_unclamped = (uint8_t)READING(SNORM_MIN);
    if (p->number == AMD_FLOAT && any_width(l, 16, 16))
        r->half_flush = (uint8_t)READING(F16_DENORM_NAN);
    if (!p->op->d16)
        return;
    if (p->number == AMD_FLOAT && any_width(l, 32, 32))
        r->d16_float = (uint8_t)READING(D16_F32_TRUNCATE);
    if (amd_is_integer(p->number) && any_width(l, 32, 32))
        r->d16_int_saturate = (uint8_t)READING_IN(D16_INT_LOAD_CLAMP, p->number == AMD_SINT);
}

static void prepare_store_rules(const struct amd_wave *w, struct buffer_plan *p)
{
    struct amd_rules *r = &p->rules;
    const struct amd_layout_row *l = p->layout;
    if (p->op->d16 && !amd_is_integer(p->number))
        r->half_flush = (uint8_t)READING_IN(F16_DENORM_NAN, 1);
    if (amd_is_integer(p->number) && any_width(l, 1, 31))
        r->int_store_clamp = (uint8_t)READING_IN(INT_STORE_CLAMP, p->number == AMD_SINT);
    if (p->number == AMD_FLOAT && any_width(l, 16, 16))
        r->f16_store_truncate = (uint8_t)READING(F16_STORE_ROUNDING);
    if (p->number == AMD_FLOAT && any_width(l, 10, 11))
        r->small_truncate = (uint8_t)READING(UF11_STORE_ROUNDING);
    p->forward = direction_matters(p) && READING(STORE_DST_SEL_DIRECTION);
    if ((p->number == AMD_USCALED || p->number == AMD_SSCALED) && READING(SCALED_STORE))
        p->effect = BUFFER_ZERO;
}

/* ---- the plan ---- */

enum amd_stop buffer_prepare_format(struct amd_wave *w, struct buffer_plan *p)
{
    struct amd_format f = {.layout = AMD_32, .number = AMD_UINT};
    p->bytes = p->op->bytes;
    if (p->op->d16 && p->op->format && w->generation == AMD_GFX8)
        p->unpacked = READING(GFX8_D16_UNPACKED);
    if (p->op->d16 && p->op->format)
        p->unpacked = !AMD_OBSERVE(D16_PACKED, !p->unpacked, w->generation, p->op->components, !loads(p));
    if (!p->op->format) {
        if (loads(p))
            for (unsigned i = 0; i < p->op->components && i < 4; i++)
                p->ones_when_out[i] = p->d.dst_sel[i] == AMD_SEL_1 && READING(OOB_SEL1_NONFORMAT);
        p->one = 1;
        return AMD_GO;
    }
    if (p->effect == BUFFER_MOVES) {
        enum amd_stop stop = find_format(w, p, &f);
        if (w->observer)
            stop = observe_format(w, p, &f, stop);
        if (stop)
            return stop;
    }
    p->layout = &amd_layouts[f.layout];
    p->number = (enum amd_number)f.number;
    if (w->observer && p->effect == BUFFER_MOVES)
        observe_layout(w, p, f.layout);
    p->bytes = p->layout->bytes;
    if (p->op->encoding == AMD_MTBUF)
        select_identity(w, p);
    else
        select_by_descriptor(w, p);
    if (w->observer)
        observe_selection(w, p);
    if (loads(p))
        prepare_constants(w, p);
    if (p->effect != BUFFER_MOVES)
        return AMD_GO;
    if (loads(p))
        prepare_load_rules(w, p);
    else
        prepare_store_rules(w, p);
    return AMD_GO;
}
