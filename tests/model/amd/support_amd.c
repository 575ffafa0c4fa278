/* SPDX-License-Identifier: MIT */
#include "tests/model/amd/support_amd.h"

#include "oracle/files/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

void amd_expect_errors(const struct amd_wrong_line *wrong, size_t count,
                       bool (*read)(enum amd_generation g, const char *line, size_t count, struct error *e))
{
    for (size_t n = 0; n < count; n++) {
        struct error e = {0};
        if (read(wrong[n].g, wrong[n].line, strlen(wrong[n].line), &e))
            fail_msg("%s: '%s' was read", amd_generation_names[wrong[n].g], wrong[n].line);
        assert_string_equal(e.text, wrong[n].error);
    }
}

struct amd_case *amd_support_case(struct test_case *c)
{
    return (struct amd_case *)(void *)c->words;
}

static uint32_t *row_of(struct test_case *c, const char *image, uint32_t row)
{
    return image_own_row(c, schema_field(&c->unit->schema, image), row, true);
}

void amd_case_begin(struct test_case *c, enum amd_generation g)
{
    case_init(c, &amd_buffer_unit);
    amd_support_case(c)->generation = g;
    for (uint32_t row = 0; row < 8; row++) {
        uint32_t *words = row_of(c, "memory", row);
        for (uint32_t i = 0; i < AMD_LANES; i++)
            words[i] = row * AMD_LANES + i + 1;
    }
}

void amd_case_descriptor(struct test_case *c, const struct amd_descriptor *d)
{
    struct amd_case *a = amd_support_case(c);
    amd_descriptor_encode((enum amd_generation)a->generation, d, a->descriptor);
}

struct amd_insn amd_test_insn(enum amd_generation g, const char *name)
{
    struct amd_insn i;
    for (const struct amd_op *op = amd_ops; op < amd_ops + amd_op_count; op++)
        if (op->name && !strcmp(op->name, name) && op->code[g] != AMD_NO_CODE) {
            amd_insn_canonical(g, op, &i);
            i.srsrc = 2;
            i.vaddr = AMD_TEST_OFFSET;
            i.vdata = AMD_TEST_DATA;
            i.soffset = AMD_TEST_SOFFSET;
            return i;
        }
    fprintf(stderr, "no operation %s\n", name);
    abort();
}

void amd_case_add(struct test_case *c, const struct amd_insn *i)
{
    struct amd_case *a = amd_support_case(c);
    amd_encode_words((enum amd_generation)a->generation, i, a->insn[a->insn_count++]);
}

void amd_case_vgpr(struct test_case *c, uint32_t number, uint32_t value)
{
    uint32_t *words = row_of(c, "vgpr", number);
    for (unsigned i = 0; i < AMD_LANES; i++)
        words[i] = value;
}

void amd_case_sgpr(struct test_case *c, uint32_t number, uint32_t value)
{
    row_of(c, "sgpr", number / AMD_LANES)[number % AMD_LANES] = value;
}

void amd_case_memory(struct test_case *c, uint32_t address, uint32_t value)
{
    row_of(c, "memory", address / AMD_ROW_BYTES)[address / 4 % AMD_LANES] = value;
}

/* ---- running ---- */

int amd_set_up(void **state)
{
    struct amd_place *s = calloc(1, sizeof *s);
    s->x = executor_new(&amd_buffer_unit);
    s->o = outcome_new(&amd_buffer_unit);
    s->c = malloc(sizeof *s->c);
    *state = s;
    return 0;
}

int amd_tear_down(void **state)
{
    struct amd_place *s = *state;
    executor_free(s->x);
    outcome_free(s->o);
    free(s->c);
    free(s);
    return 0;
}

void amd_run(struct amd_place *s, const char *profile)
{
    struct error e = {0};
    case_sanitise(s->c);
    if (!profile_resolve(&amd_buffer_unit, profile, &s->p, &e))
        fail_msg("%s", e.text);
    executor_run(s->x, s->c, &s->p, RUN_CHECKED, s->o);
}

struct amd_descriptor amd_raw_view(uint32_t bytes)
{
    return amd_descriptor_raw(AMD_GFX11, 0, bytes);
}

/* ---- outcomes ---- */

static const uint32_t *out_row(const struct outcome *o, const char *region, uint32_t row)
{
    const struct layout *l = &o->unit->layout;
    return o->value + (layout_region_named(l, region)->first_row + row) * l->row_words;
}

uint32_t amd_out_vgpr(const struct outcome *o, uint32_t number, unsigned lane)
{
    return out_row(o, "vgpr", number)[lane];
}

uint32_t amd_out_memory(const struct outcome *o, uint32_t address)
{
    return out_row(o, "memory", address / AMD_ROW_BYTES)[address / 4 % AMD_LANES];
}

uint32_t amd_out_decision(const struct outcome *o, unsigned insn, unsigned dword, unsigned lane)
{
    return out_row(o, "decision", insn * AMD_UNITS + dword)[lane] &
           15; /* bits 7:4 have the number of bytes */
}

uint64_t amd_out_address(const struct outcome *o, unsigned insn, unsigned dword, unsigned lane)
{
    uint32_t row = insn * AMD_UNITS + dword;
    return (uint64_t)out_row(o, "address-high", row)[lane] << 32 | out_row(o, "address", row)[lane];
}

/* ---- values measured on hardware ---- */

#define XYZW .dst_sel = {AMD_SEL_X, AMD_SEL_Y, AMD_SEL_Z, AMD_SEL_W}, .format = 22
/* Makes an access with stride 32 and index stride 8. No range check fails. */
#define ADDRESS(text, swizzle, add_tid, with_index, of_lane, off, s, at, why)                                \
    {                                                                                                        \
        .name = text, .op = "buffer_load_b32", .lane = (of_lane), .idxen = (with_index),                     \
        .index = (with_index), .offset = (off), .soffset = (s),                                              \
        .d = {.stride = 32,                                                                                  \
              .swizzle_enable = (swizzle),                                                                   \
              .add_tid_enable = (add_tid),                                                                   \
              .num_records = 0x1000,                                                                         \
              .oob_select = AMD_OOB_NUM_RECORDS_0,                                                           \
              XYZW},                                                                                         \
        .is_address = true, .expected = {at}, .erratum = (why)                                               \
    }
#define RANGE(text, mode, pitch, records, s, voff, a, b, c, e, why)                                          \
    {                                                                                                        \
        .name = text, .op = "buffer_load_b128", .offen = true, .voffset = (voff), .soffset = (s),            \
        .d = {.stride = (pitch), .num_records = (records), .oob_select = (mode), XYZW},                      \
        .expected = {a, b, c, e}, .erratum = (why)                                                           \
    }

/* clang-format off */
const struct amd_witness amd_witnesses[] = {
    ADDRESS("swizzle, add_tid, idxen with index 1, lane 5", 1, 1, 1, 5, 4, 4, 40,
            "idxen-plus-addtid=idxen-wins"),
    ADDRESS("swizzle, add_tid, no idxen, lane 5", 1, 1, 0, 5, 4, 4, 56, NULL),
    ADDRESS("swizzle without an index", 1, 0, 0, 5, 4, 4, 8, "swizzle-without-index=needs-index"),
    ADDRESS("swizzle of 16-byte elements, index 1", 3, 0, 1, 5, 4, 4, 24, NULL),
    ADDRESS("swizzle, add_tid, lane 63", 1, 1, 0, 63, 0, 0, 1820, NULL),
    ADDRESS("linear, add_tid, idxen with index 1, lane 5", 0, 1, 1, 5, 4, 4, 40,
            "idxen-plus-addtid=idxen-wins"),
    ADDRESS("linear, add_tid, no idxen, lane 5", 0, 1, 0, 5, 4, 4, 168, NULL),
    RANGE("mode 0, stride 8", 0, 8, 7, 0, 0, 1, 2, 0, 0, NULL),
    RANGE("mode 0, stride 8, SOFFSET 4", 0, 8, 7, 4, 4, 3, 0, 0, 0, NULL),
    RANGE("mode 1, SOFFSET 4", 1, 8, 7, 4, 4, 3, 4, 5, 6, NULL),
    RANGE("mode 2, no records", 2, 8, 0, 0, 0, 0, 0, 0, 0, NULL),
    RANGE("mode 2, one record", 2, 8, 1, 0, 12, 4, 5, 6, 7, NULL),
    RANGE("mode 3, 17 bytes, SOFFSET 4", 3, 0, 17, 4, 0, 2, 3, 4, 0, NULL),
};
/* clang-format on */
const unsigned amd_witness_count = sizeof amd_witnesses / sizeof *amd_witnesses;

void amd_witness_case(const struct amd_witness *k, struct test_case *c)
{
    amd_case_begin(c, AMD_GFX11);
    struct amd_case *a = amd_support_case(c);
    a->exec[0] = k->lane < 32 ? 1U << k->lane : 0;
    a->exec[1] = k->lane < 32 ? 0 : 1U << (k->lane - 32);
    amd_case_descriptor(c, &k->d);
    amd_case_sgpr(c, AMD_TEST_SOFFSET, k->soffset);
    amd_case_vgpr(c, AMD_TEST_INDEX, k->index);
    amd_case_vgpr(c, AMD_TEST_OFFSET, k->voffset);
    struct amd_insn i = amd_test_insn(AMD_GFX11, k->op);
    i.idxen = k->idxen;
    i.offen = k->offen;
    i.vaddr = k->idxen ? AMD_TEST_INDEX : AMD_TEST_OFFSET;
    i.offset = k->offset;
    amd_case_add(c, &i);
    case_sanitise(c);
}

static void record(struct outcome *o, const char *region, uint32_t row, unsigned lane, uint32_t value)
{
    const struct layout *l = &o->unit->layout;
    uint32_t at = layout_region_named(l, region)->first_row + row, *words = outcome_row(o, at, l->row_words);
    memset(o->defined + at * l->row_words, 0, l->row_words * sizeof(uint32_t));
    o->defined[at * l->row_words + lane] = UINT32_MAX;
    words[lane] = value;
    outcome_touch(o, at);
}

void amd_witness_outcome(const struct amd_witness *k, const struct test_case *c, struct outcome *o)
{
    outcome_reset(o, c);
    o->complete = false;
    o->checked = true;
    if (k->is_address)
        record(o, "address", 0, k->lane, k->expected[0]);
    for (unsigned n = 0; !k->is_address && n < 4; n++)
        record(o, "vgpr", AMD_TEST_DATA + n, k->lane, k->expected[n]);
}

bool amd_write_witnesses(const char *path, struct error *e)
{
    static const struct board_identity who = {
        .spec = "table:rocjitsu-witnesses",
        .kind = "table",
        .description = "addresses and loads that the tests of AMD's rocjitsu state to match physical gfx1100 "
                       "and gfx1201",
        .provenance = "ROCm/rocm-systems, emulation/rocjitsu, MIT licence: thirteen values in its tests, "
                      "stated there to match physical gfx1100 and gfx1201 parts. Only values were taken; the "
                      "cases around them are ours. Measured by its authors; this "
                      "project ran nothing on such a part.",
        .silicon = true,
        .memory_base = MEMORY_BASE_DEFAULT,
        .code_base = CODE_BASE_DEFAULT,
    };
    struct trace_writer *w = trace_create(path, &amd_buffer_unit, &who, e);
    struct test_case *c = malloc(sizeof *c);
    struct outcome *o = outcome_new(&amd_buffer_unit);
    bool good = w && c;
    for (unsigned i = 0; good && i < amd_witness_count; i++) {
        amd_witness_case(&amd_witnesses[i], c);
        amd_witness_outcome(&amd_witnesses[i], c, o);
        good = trace_add(w, c, o, amd_witnesses[i].name, e);
    }
    free(c);
    outcome_free(o);
    if (!good && w)
        trace_abandon(w);
    return good && trace_finish(w, e);
}
