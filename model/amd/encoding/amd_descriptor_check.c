/* SPDX-License-Identifier: MIT */
/* What the documents reserve, forbid or contradict in a descriptor, one rule a row. Which of these hardware
 * minds is a matter of clauses. */
#include "model/amd/encoding/amd_descriptor.h"

#include <stddef.h>

enum {
    GFX11 = 1 << AMD_GFX11,
    GFX10 = 1 << AMD_GFX10,
    GFX9 = 1 << AMD_GFX9,
    GFX8 = 1 << AMD_GFX8,
    ALL = GFX11 | GFX10 | GFX9 | GFX8
};

static bool is_unbound(enum amd_generation g, const struct amd_descriptor *d)
{
    return (g == AMD_GFX11 || g == AMD_GFX10 ? d->format : d->format & 15) == 0;
}

static bool is_empty(const struct amd_descriptor *d)
{
    return d->base == 0 && d->stride == 0 && d->num_records == 0 && d->swizzle_enable == 0;
}

static bool is_swizzled(const struct amd_descriptor *d)
{
    return d->swizzle_enable != 0;
}

static uint32_t element_bytes(enum amd_generation g, const struct amd_descriptor *d)
{
    return g == AMD_GFX8 ? 2U << d->element_size : g == AMD_GFX11 && d->swizzle_enable == 3 ? 16 : 4;
}

/* ---- rules ---- */

static bool type_is_no_buffer(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return d->type != 0;
}

static bool swizzle_is_reserved(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return d->swizzle_enable == 2;
}

static bool swizzle_without_stride(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return is_swizzled(d) && d->stride == 0;
}

static bool stride_splits_element(enum amd_generation g, const struct amd_descriptor *d)
{
    return is_swizzled(d) && d->stride % element_bytes(g, d) != 0;
}

static bool base_splits_dword(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return is_swizzled(d) && d->base % 4 != 0;
}

static bool format_is_reserved(enum amd_generation g, const struct amd_descriptor *d)
{
    struct amd_format f;
    return g == AMD_GFX10 && d->format != 0 && !amd_format_of(g, d->format, &f);
}

/* With ADD_TID, DATA_FORMAT holds bits of the stride (GFX8, GFX9). */
static bool data_format_is_reserved(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return (d->format & 15) == AMD_LAYOUT_RESERVED && !d->add_tid_enable;
}

static bool num_format_is_reserved(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return d->format >> 4 == AMD_NUMBER_RESERVED;
}

static bool format_is_not_listed(enum amd_generation g, const struct amd_descriptor *d)
{
    struct amd_format f;
    return amd_format_of(g, d->format, &f) && !f.listed && !d->add_tid_enable;
}

static bool unbound_but_set(enum amd_generation g, const struct amd_descriptor *d)
{
    return is_unbound(g, d) && !d->add_tid_enable && !is_empty(d);
}

#define SELECT_RULE(component, index)                                                                        \
    static bool select_##component##_is_reserved(enum amd_generation g, const struct amd_descriptor *d)      \
    {                                                                                                        \
        (void)g;                                                                                             \
        return d->dst_sel[index] == AMD_SEL_N_BC_1 || d->dst_sel[index] == AMD_SEL_RESERVED;                 \
    }
SELECT_RULE(x, 0)
SELECT_RULE(y, 1)
SELECT_RULE(z, 2)
SELECT_RULE(w, 3)

static bool selects_twice(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < i; j++)
            if (d->dst_sel[i] >= AMD_SEL_X && d->dst_sel[i] == d->dst_sel[j])
                return true;
    return false;
}

static bool resource_level_is_zero(enum amd_generation g, const struct amd_descriptor *d)
{
    return d->resource_level == 0 &&
           !(is_unbound(g, d) && is_empty(d)); /* the all-zero descriptor is the usual unbound one */
}

static bool structured_without_stride(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return d->oob_select == AMD_OOB_INDEX_AND_OFFSET && d->stride == 0 && d->num_records != 0;
}

static bool user_vm_mode_alone(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return d->user_vm_mode && !d->user_vm_enable;
}

static bool reserved_bits_set(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    return d->reserved != 0;
}

/* By the longest reach that NUM_RECORDS can have: its records are strides apart, or bytes. */
static bool reaches_beyond_memory(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    uint64_t unit = is_swizzled(d) && d->stride ? d->stride : 1;
    return d->base + d->num_records * unit > UINT64_C(1) << 48;
}

static const struct amd_descriptor_rule rules[] = {
    {"type",
     "is not 0, so this is no buffer but an image's descriptor or reserved: buffer instructions ignore it",
     "\"RDNA3\" guide table 44; chapter 9, resource type mismatch", ALL, type_is_no_buffer},
    {"swizzle_enable", "2 is reserved", "\"RDNA3\" guide table 47", GFX11, swizzle_is_reserved},
    {"stride", "is 0 in a swizzled buffer, so all its records lie at one place", "\"RDNA3\" guide 9.4.2", ALL,
     swizzle_without_stride},
    {"stride", "is no multiple of the element size of a swizzled buffer", "\"RDNA3\" guide 9.4.2", ALL,
     stride_splits_element},
    {"base", "is no multiple of 4 in a swizzled buffer, whose accesses must be aligned to dwords",
     "\"RDNA3\" guide 9.4.2", ALL, base_splits_dword},
    {"base", "plus NUM_RECORDS reaches beyond the 48-bit address space",
     "\"RDNA3\" guide table 44 (width of BASE)", ALL, reaches_beyond_memory},
    {"format", "78 to 127 are no buffer formats", "LLVM's and Mesa's lists of GFX10 formats end at 77", GFX10,
     format_is_reserved},
    {"data_format", "15 is reserved", "AMD's ROCR register headers; LLVM: BUF_DATA_FORMAT_RESERVED_15",
     GFX9 | GFX8, data_format_is_reserved},
    {"num_format", "6 is reserved", "AMD's ROCR register headers; LLVM: BUF_NUM_FORMAT_RESERVED_6",
     GFX9 | GFX8, num_format_is_reserved},
    {"format", "is a combination that RDNA 2 dropped",
     "AMD's emulator rocjitsu; compare \"RDNA3\" guide table 52", GFX10, format_is_not_listed},
    {"num_format", "does not go with DATA_FORMAT in any list of formats",
     "\"RDNA3\" guide table 52, by the same names", GFX9 | GFX8, format_is_not_listed},
    {"format", "is INVALID, so the descriptor is unbound and the other fields mean nothing",
     "\"RDNA3\" guide 9.4 (unbound resources)", GFX11 | GFX10, unbound_but_set},
    {"data_format", "is INVALID, so the descriptor is unbound and the other fields mean nothing",
     "as \"RDNA3\" guide 9.4 (unbound resources); \"CDNA3\" guide", GFX9 | GFX8, unbound_but_set},
    {"dst_sel_x", "is a code that buffers do not have", "\"RDNA3\" guide table 44: 0, 1, 4 to 7", ALL,
     select_x_is_reserved},
    {"dst_sel_y", "is a code that buffers do not have", "\"RDNA3\" guide table 44: 0, 1, 4 to 7", ALL,
     select_y_is_reserved},
    {"dst_sel_z", "is a code that buffers do not have", "\"RDNA3\" guide table 44: 0, 1, 4 to 7", ALL,
     select_z_is_reserved},
    {"dst_sel_w", "is a code that buffers do not have", "\"RDNA3\" guide table 44: 0, 1, 4 to 7", ALL,
     select_w_is_reserved},
    {"dst_sel", "names a component twice, so what a store puts there is not said",
     "\"RDNA3\" guide 9.3 (no rule is given)", ALL, selects_twice},
    {"resource_level", "must be 1", "\"RDNA2\" guide, buffer resource descriptor; AMD's PAL register headers",
     GFX10, resource_level_is_zero},
    {"oob_select", "compares offsets with a stride of 0, so every access is out of range",
     "\"RDNA3\" guide table 46", GFX11, structured_without_stride},
    {"user_vm_mode", "is set without USER_VM_ENABLE",
     "AMD's PAL register headers (USER_VM_MODE is the mode of USER_VM_ENABLE)", GFX9, user_vm_mode_alone},
    {"reserved", "bits are set that must be 0", "\"RDNA3\" guide table 44; AMD's PAL register headers",
     GFX11 | GFX10 | GFX9, reserved_bits_set},
};

const struct amd_descriptor_rule *amd_descriptor_check(enum amd_generation g, const struct amd_descriptor *d,
                                                       unsigned *n)
{
    while (*n < sizeof rules / sizeof *rules) {
        const struct amd_descriptor_rule *rule = &rules[(*n)++];
        if ((rule->generations >> g & 1) && rule->broken(g, d))
            return rule;
    }
    return NULL;
}
