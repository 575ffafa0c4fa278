/* SPDX-License-Identifier: MIT */
/* Tests on which generations each rule about a descriptor holds. The fields and their widths come from the
 * guides' tables of the V# and from AMD's register headers; each rule names its source. */
#include "model/amd/encoding/amd_descriptor.h"
#include "model/text/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum {
    GFX11 = 1 << AMD_GFX11 | 1 << AMD_GFX12, /* these two have the same fields and rules */
    GFX8 = 1 << AMD_GFX8,
    GFX9_AND_CDNA = 1 << AMD_GFX9 | 1 << AMD_GFX90A | 1 << AMD_GFX942,
    EACH = (1 << AMD_GENERATIONS) - 1,
    GFX10 = EACH - GFX11 - GFX8 - GFX9_AND_CDNA,
};

/* Returns a descriptor that breaks no rule: raw, each component selected once, a 32-bit float or UINT
 * format. */
static struct amd_descriptor sound(enum amd_generation g)
{
    struct amd_descriptor d = {.base = 0x1000, .num_records = 64, .resource_level = 1};
    d.oob_select = AMD_OOB_COMPLETE;
    for (uint32_t i = 0; i < 4; i++)
        d.dst_sel[i] = AMD_SEL_X + i;
    unsigned n;
    for (d.format = 1; d.format < 128; d.format++) /* finds the first format without a rule */
        if (n = 0, !amd_descriptor_check(g, &d, &n))
            return d;
    fail_msg("no sound descriptor on %s", amd_generation_names[g]);
    return d;
}

static bool breaks(enum amd_generation g, const struct amd_descriptor *d, const char *field, const char *says)
{
    const struct amd_descriptor_rule *rule;
    bool found = false;
    for (unsigned n = 0; (rule = amd_descriptor_check(g, d, &n));)
        found |= !strcmp(rule->field, field) && strstr(rule->says, says);
    return found;
}

static void type(struct amd_descriptor *d)
{
    d->type = 1;
}
static void no_stride(struct amd_descriptor *d)
{
    d->swizzle_enable = 1;
}
static void split(struct amd_descriptor *d)
{
    d->swizzle_enable = 1;
    d->stride = 33; /* no multiple of the smallest element size, 2 bytes */
}
static void unaligned(struct amd_descriptor *d)
{
    d->swizzle_enable = 1;
    d->stride = 64;
    d->base = 0x1002;
}
static void beyond(struct amd_descriptor *d)
{
    d->base = 0xFFFFFFFFFFF0;
    d->num_records = 17;
}
static void select_reserved(struct amd_descriptor *d)
{
    d->dst_sel[2] = 2; /* not among the codes 0, 1, 4 to 7 of table 44 */
}
static void select_twice(struct amd_descriptor *d)
{
    d->dst_sel[3] = AMD_SEL_X;
}
static void swizzle_2(struct amd_descriptor *d)
{
    d->swizzle_enable = 2;
    d->stride = 64;
}
static void level_0(struct amd_descriptor *d)
{
    d->resource_level = 0;
}
static void offsets_alone(struct amd_descriptor *d)
{
    d->oob_select = AMD_OOB_INDEX_AND_OFFSET;
}
static void mode_alone(struct amd_descriptor *d)
{
    d->user_vm_mode = 1;
}
static void reserved_bit(struct amd_descriptor *d)
{
    d->reserved = 1;
}
static void unbound(struct amd_descriptor *d)
{
    d->format = 0;
}

static const struct {
    void (*change)(struct amd_descriptor *d);
    const char *field, *says;
    int generations;
} rows[] = {
    {type, "type", "is not 0", EACH},
    {no_stride, "stride", "is 0 in a swizzled buffer", EACH},
    {split, "stride", "no multiple of the element size", EACH},
    {unaligned, "base", "no multiple of 4", EACH},
    {beyond, "base", "beyond the 48-bit", EACH},
    {select_reserved, "dst_sel_z", "is a code that buffers do not have", EACH},
    {select_twice, "dst_sel", "names a component twice", EACH},
    {swizzle_2, "swizzle_enable", "2 is reserved", GFX11},
    {level_0, "resource_level", "must be 1", GFX10},
    {offsets_alone, "oob_select", "compares offsets with a stride of 0", GFX11},
    {mode_alone, "user_vm_mode", "without USER_VM_ENABLE", GFX9_AND_CDNA},
    {reserved_bit, "reserved", "must be 0", EACH - GFX8},
    {unbound, "format", "is INVALID", GFX11 | GFX10},
    {unbound, "data_format", "is INVALID", GFX9_AND_CDNA | GFX8},
};

static void rules_hold_on_their_generations(void **state)
{
    (void)state;
    for (enum amd_generation g = 0; g < AMD_GENERATIONS; g++)
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct amd_descriptor d = sound(g);
            assert_false(breaks(g, &d, rows[i].field, rows[i].says));
            rows[i].change(&d);
            if (breaks(g, &d, rows[i].field, rows[i].says) != (rows[i].generations >> g & 1))
                fail_msg("%s: %s %s", amd_generation_names[g], rows[i].field, rows[i].says);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rules_hold_on_their_generations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
