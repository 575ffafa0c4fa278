/* SPDX-License-Identifier: MIT */
#include "cli/where/buffer.h"
#include "model/core/units.h"

#include <ctype.h>
#include <string.h>

/* ---- instruction ---- */

static bool read_instruction(const struct arguments *a, struct buffer_question *q, struct error *e)
{
    q->isa = a->option[OPTION_ISA] ? a->option[OPTION_ISA] : amd_generation_names[AMD_GFX11];
    q->text = a->word[1];
    const struct code *code = unit_code(&amd_buffer_unit, q->isa, e);
    if (!code)
        return false;
    q->generation = (enum amd_generation)(code - amd_code);
    if (!code->parse(q->text, strlen(q->text), q->words, e))
        return error_where(e, "'%s'", q->text);
    if (!amd_decode_words(q->generation, q->words, &q->insn))
        return error_set(e, "'%s': not an instruction of %s", q->text, q->isa);
    if (q->insn.op->kind == AMD_CACHE || q->insn.op->encoding == AMD_SMEM)
        return error_set(e,
                         "'%s': where takes vector buffer instructions (buffer_*, tbuffer_*); try `misprint "
                         "run --trace` for this one",
                         q->text);
    return true;
}

/* ---- descriptor ---- */

static bool read_field(const struct arguments *a, enum option_id o, uint64_t most, uint64_t *value,
                       struct error *e)
{
    if (!argument_number(a, o, *value, value, e))
        return false;
    return *value <= most || error_set(e, "%s %s: at most %llu fits into the field", option_name(o),
                                       a->option[o], (unsigned long long)most);
}

static const char *const select_names[] = {"index_and_offset", "index_only", "num_records_0", "complete",
                                           NULL};

static const char *name_of_select(const void *context, unsigned i)
{
    (void)context;
    return select_names[i];
}

static bool read_select(const struct arguments *a, struct amd_descriptor *d, struct error *e)
{
    const char *given = a->option[OPTION_OOB];
    for (uint32_t i = 0; given && select_names[i]; i++)
        if (!strcmp(given, select_names[i])) {
            d->oob_select = i;
            return true;
        }
    if (!given)
        return true;
    if (given[0] >= '0' && given[0] <= '3' && !given[1]) {
        d->oob_select = (uint32_t)(given[0] - '0');
        return true;
    }
    return error_unknown(e, "OOB_SELECT", given, name_of_select, NULL,
                         "0 to 3, or index_and_offset, index_only, num_records_0, complete");
}

static bool read_index_stride(const struct arguments *a, struct amd_descriptor *d, struct error *e)
{
    uint64_t indices = 8U << d->index_stride;
    if (!argument_number(a, OPTION_INDEX_STRIDE, indices, &indices, e))
        return false;
    for (uint32_t field = 0; field < 4; field++)
        if (indices == 8U << field) {
            d->index_stride = field;
            return true;
        }
    return error_set(e, "--index-stride %s: write 8, 16, 32 or 64 (indices)", a->option[OPTION_INDEX_STRIDE]);
}

static bool any_field(const struct arguments *a)
{
    return a->option[OPTION_BASE] || a->option[OPTION_STRIDE] || a->option[OPTION_RECORDS] ||
           a->option[OPTION_OOB] || a->option[OPTION_SWIZZLE] || a->option[OPTION_INDEX_STRIDE] ||
           a->option[OPTION_ADD_TID];
}

/* Makes the descriptor that drivers make for these fields, if no words were given. */
static bool build(const struct arguments *a, struct buffer_question *q, struct error *e)
{
    uint64_t stride = 0;
    if (!argument_number(a, OPTION_STRIDE, 0, &stride, e))
        return false;
    struct amd_descriptor d = amd_descriptor_raw(q->generation, 0, 0);
    if (stride > 1)
        d = amd_descriptor_typed(q->generation, 0, 0, 0, d.format);
    amd_descriptor_encode(q->generation, &d, q->descriptor);
    if (!a->option[OPTION_RECORDS])
        text_add(&q->notes, "--records was not given: NUM_RECORDS is 0\n");
    if (!a->option[OPTION_OOB] && !amd_is_gcn(q->generation))
        text_add(&q->notes, "--oob was not given: OOB_SELECT is %s, as Mesa sets it for %s views\n",
                 select_names[d.oob_select], stride > 1 ? "typed" : "raw");
    return true;
}

static bool set_fields(const struct arguments *a, struct buffer_question *q, struct error *e)
{
    struct amd_descriptor d;
    amd_descriptor_decode(q->generation, q->descriptor, &d);
    uint64_t base = d.base, stride = d.stride, records = d.num_records, swizzle = d.swizzle_enable,
             most = amd_is_gfx11(q->generation) ? 3 : 1;
    bool select = a->option[OPTION_OOB] && amd_is_gcn(q->generation);
    if (select)
        return error_set(e, "--oob: %s has no OOB_SELECT; GFX10 and later have it", q->isa);
    if (!read_field(a, OPTION_BASE, (UINT64_C(1) << 48) - 1, &base, e) ||
        !read_field(a, OPTION_STRIDE, 16383, &stride, e) ||
        !read_field(a, OPTION_RECORDS, UINT32_MAX, &records, e) ||
        !read_field(a, OPTION_SWIZZLE, most, &swizzle, e) || !read_select(a, &d, e) ||
        !read_index_stride(a, &d, e))
        return false;
    d.base = base;
    d.stride = (uint32_t)stride;
    d.num_records = (uint32_t)records;
    d.swizzle_enable = (uint32_t)swizzle;
    d.add_tid_enable |= a->option[OPTION_ADD_TID] != NULL;
    amd_descriptor_encode(q->generation, &d, q->descriptor);
    return true;
}

static bool read_descriptor(const struct arguments *a, struct buffer_question *q, struct error *e)
{
    const char *given = a->option[OPTION_DESCRIPTOR];
    bool fields = any_field(a);
    if (!given && !fields)
        return error_set(e, "no descriptor; give its words (--descriptor W,W,W,W) or its fields (--base, "
                            "--stride, --records, --oob, ...)");
    if (!given) {
        if (!build(a, q, e))
            return false;
    } else if (strchr(given, '=') || !isxdigit((unsigned char)given[0])) {
        if (!amd_descriptor_parse(q->generation, given, 0, strlen(given), q->descriptor, e))
            return error_where(e, "--descriptor '%s'", given);
    } else if (!hexadecimal_read("--descriptor", given, q->descriptor, AMD_DESCRIPTOR_WORDS, e)) {
        return false;
    }
    return !fields || set_fields(a, q, e);
}

/* ---- registers ---- */

static void set_sgpr(struct test_case *c, uint32_t number, uint32_t value)
{
    struct amd_case *k = (struct amd_case *)(void *)c->words;
    if (number - AMD_DESCRIPTOR_SGPR < AMD_DESCRIPTOR_WORDS)
        k->descriptor[number - AMD_DESCRIPTOR_SGPR] = value;
    else
        image_own_row(c, schema_field(&c->unit->schema, "sgpr"), number / AMD_LANES,
                      true)[number % AMD_LANES] = value;
}

static uint32_t *vgpr(struct test_case *c, uint32_t number)
{
    return image_own_row(c, schema_field(&c->unit->schema, "vgpr"), number, true);
}

/* Sets one address register of the case from the user's register. */
static void set_address(struct buffer_question *q, unsigned k)
{
    uint32_t number = q->insn.vaddr + k, *row = vgpr(&q->tc, WHERE_ADDRESS_VGPR + k);
    struct setting *s = settings_find(&q->set, 'v', number);
    if (!s)
        text_add(&q->notes, "v%u was not set: 0 in all lanes\n", number);
    else
        s->used = true;
    for (unsigned n = 0; n < AMD_LANES; n++)
        row[n] = !s ? 0 : s->count == 1 ? (uint32_t)s->value[0] : n < s->count ? (uint32_t)s->value[n] : 0;
}

static void set_soffset(struct buffer_question *q)
{
    uint32_t number;
    enum amd_source source = amd_soffset_source(q->generation, q->insn.soffset, &number);
    bool m0 = source == AMD_SOURCE_M0, sgpr = source == AMD_SOURCE_SGPR;
    struct setting *s = settings_find(&q->set, m0 ? 'm' : 's', m0 ? 0 : number);
    if (!m0 && !sgpr)
        return;
    if (s)
        s->used = true;
    else if (m0)
        text_add(&q->notes, "m0 was not set: 0\n");
    else if (number - 4 * q->insn.srsrc >= AMD_DESCRIPTOR_WORDS)
        text_add(&q->notes, "s%u was not set: 0\n", number);
    if (s && m0)
        ((struct amd_case *)(void *)q->tc.words)->m0 = (uint32_t)s->value[0];
    else if (s)
        set_sgpr(&q->tc, number, (uint32_t)s->value[0]);
}

/* Says which active lanes have no value in a list: the register is 0 there. */
static void note_short_lists(struct buffer_question *q)
{
    for (const struct setting *s = q->set.item; s < q->set.item + q->set.count; s++)
        if (s->kind == 'v' && s->used && s->count > 1 && s->count < AMD_LANES && q->exec >> s->count)
            text_add(&q->notes, "%s has %u values: it is 0 in active lanes above lane %u\n", s->name,
                     s->count, s->count - 1);
}

/* Lanes without a value are inactive. Without a list, one lane is enough unless the lane's number matters. */
static void set_exec(struct buffer_question *q)
{
    struct amd_descriptor d;
    amd_descriptor_decode(q->generation, q->descriptor, &d);
    unsigned lanes = 1;
    for (unsigned i = 0; i < q->set.count; i++)
        lanes = q->set.item[i].count > lanes ? q->set.item[i].count : lanes;
    struct setting *s = settings_find(&q->set, 'e', 0);
    if (s)
        s->used = true;
    bool all = lanes == 1 && d.add_tid_enable;
    lanes = all ? AMD_LANES : lanes;
    q->exec = s ? s->value[0] : lanes == AMD_LANES ? UINT64_MAX : (UINT64_C(1) << lanes) - 1;
    if (!s && all)
        text_add(&q->notes, "all 64 lanes are active, because ADD_TID gives each its own index\n");
    else if (!s && lanes == 1)
        text_add(&q->notes, "lane 0 alone is active; list values (v0=0..63), or set exec\n");
    else if (!s && lanes < AMD_LANES)
        text_add(&q->notes, "lanes 0 to %u are active: those that were given a value\n", lanes - 1);
    note_short_lists(q);
}

static bool check_settings(const struct buffer_question *q, struct error *e)
{
    for (unsigned i = 0; i < q->set.count; i++) {
        const struct setting *s = &q->set.item[i];
        if (!s->used && s->kind == 'm' && amd_to_lds(&q->insn))
            return error_set(e,
                             "--set m0: '%s' takes its LDS address from m0, and where shows only addresses "
                             "in memory",
                             q->text);
        if (!s->used)
            return error_set(e, "--set %s: '%s' does not read this register for its address", s->name,
                             q->text);
    }
    return q->exec || error_set(e, "--set exec: no lane is active");
}

static void build_case(struct buffer_question *q)
{
    case_init(&q->tc, &amd_buffer_unit);
    struct amd_case *k = (struct amd_case *)(void *)q->tc.words;
    struct amd_insn i = q->insn;
    k->generation = q->generation;
    set_soffset(q); /* before the descriptor, which may be in the same registers */
    for (uint32_t n = 0; n < AMD_DESCRIPTOR_WORDS; n++)
        set_sgpr(&q->tc, 4 * i.srsrc + n, q->descriptor[n]);
    for (unsigned n = 0; n < amd_address_registers(&i); n++)
        set_address(q, n);
    for (unsigned n = 0; n < WHERE_VALUES; n++)
        for (unsigned lane = 0; lane < AMD_LANES; lane++)
            vgpr(&q->tc, WHERE_DATA_VGPR + n)[lane] = WHERE_UNWRITTEN;
    set_exec(q);
    k->exec[0] = (uint32_t)q->exec;
    k->exec[1] = (uint32_t)(q->exec >> 32);
    i.vaddr = WHERE_ADDRESS_VGPR;
    i.vdata = WHERE_DATA_VGPR;
    amd_encode_words(q->generation, &i, k->insn[0]);
    k->insn_count = 1;
    case_sanitise(&q->tc);
}

bool buffer_ask(const struct arguments *a, struct buffer_question *q, struct error *e)
{
    *q = (struct buffer_question){0};
    if (a->words != 2)
        return error_set(e, "where amd-buffer takes one instruction in quotes: misprint where amd-buffer "
                            "--descriptor W,W,W,W 'buffer_load_b32 v1, v0, s[8:11], s4 offen'");
    if (!read_instruction(a, q, e) || !read_descriptor(a, q, e) ||
        !settings_read(text_chars(&a->sets), &q->set, e))
        return false;
    build_case(q);
    return check_settings(q, e);
}
