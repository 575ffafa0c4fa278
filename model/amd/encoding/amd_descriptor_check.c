/* SPDX-License-Identifier: MIT */
/* What the documents reserve, forbid or contradict in a descriptor, one rule a row. Clauses say what hardware
 * does with such a descriptor. */
#include "model/amd/encoding/amd_descriptor.h"

#include <stddef.h>

#define GUIDE "\"RDNA3\" guide "

enum {
    GFX11 = 1 << AMD_GFX11 | 1 << AMD_GFX12,
    GFX10 = 1 << AMD_GFX10,
    GFX9 = 1 << AMD_GFX9 | AMD_CDNA,
    GFX8 = 1 << AMD_GFX8,
    ALL = GFX11 | GFX10 | GFX9 | GFX8
};

static bool is_unbound(enum amd_generation g, const struct amd_descriptor *d)
{
    return (amd_is_gcn(g) ? d->format & 15 : d->format) == 0;
}

static bool is_empty(const struct amd_descriptor *d)
{
    return d->base == 0 && d->stride == 0 && d->num_records == 0 && d->swizzle_enable == 0;
}

static uint32_t element_bytes(enum amd_generation g, const struct amd_descriptor *d)
{
    return g == AMD_GFX8 ? 2U << d->element_size : g == AMD_GFX11 && d->swizzle_enable == 3 ? 16 : 4;
}

static bool is_listed(enum amd_generation g, const struct amd_descriptor *d)
{
    struct amd_format f;
    return !amd_format_of(g, d->format, &f) || f.listed;
}

static bool is_format(enum amd_generation g, const struct amd_descriptor *d)
{
    struct amd_format f;
    return amd_format_of(g, d->format, &f);
}

/* ---- rules ---- */

#define RULE(name, condition)                                                                                \
    static bool name(enum amd_generation g, const struct amd_descriptor *d)                                  \
    {                                                                                                        \
        (void)g;                                                                                             \
        return condition;                                                                                    \
    }

RULE(type_is_no_buffer, d->type != 0)
RULE(swizzle_is_reserved, d->swizzle_enable == 2)
RULE(swizzle_without_stride, d->swizzle_enable && d->stride == 0)
RULE(stride_splits_element, d->swizzle_enable && d->stride % element_bytes(g, d) != 0)
RULE(base_splits_dword, d->swizzle_enable && d->base % 4 != 0)
RULE(format_is_reserved, d->format != 0 && !is_format(g, d))
RULE(data_format_is_reserved, (d->format & 15) == AMD_LAYOUT_RESERVED && !d->add_tid_enable)
RULE(num_format_is_reserved, d->format >> 4 == AMD_NUMBER_RESERVED)
RULE(format_is_not_listed, !is_listed(g, d) && !d->add_tid_enable) /* GFX8, GFX9: STRIDE with ADD_TID */
RULE(unbound_but_set, is_unbound(g, d) && !d->add_tid_enable && !is_empty(d))
#define SELECT_IS_RESERVED(i) (d->dst_sel[i] == AMD_SEL_N_BC_1 || d->dst_sel[i] == AMD_SEL_RESERVED)
RULE(select_x_is_reserved, SELECT_IS_RESERVED(0))
RULE(select_y_is_reserved, SELECT_IS_RESERVED(1))
RULE(select_z_is_reserved, SELECT_IS_RESERVED(2))
RULE(select_w_is_reserved, SELECT_IS_RESERVED(3))
/* The all-zero descriptor is the usual unbound one. */
RULE(resource_level_is_zero, d->resource_level == 0 && !(is_unbound(g, d) && is_empty(d)))
RULE(index_and_offset_without_stride,
     d->oob_select == AMD_OOB_INDEX_AND_OFFSET && d->stride == 0 && d->num_records != 0)
RULE(user_vm_mode_alone, d->user_vm_mode && !d->user_vm_enable)
RULE(reserved_bits_set, d->reserved != 0)
/* Takes NUM_RECORDS for a number of strides in a swizzled buffer, for a number of bytes in others. */
RULE(reaches_beyond_memory,
     d->base + d->num_records * (uint64_t)(d->swizzle_enable && d->stride ? d->stride : 1) > UINT64_C(1)
                                                                                                 << 48)

static bool selects_twice(enum amd_generation g, const struct amd_descriptor *d)
{
    (void)g;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < i; j++)
            if (d->dst_sel[i] >= AMD_SEL_X && d->dst_sel[i] == d->dst_sel[j])
                return true;
    return false;
}

static const struct amd_descriptor_rule rules[] = {
    {"type", "is not 0, so this is an image's descriptor or reserved: buffer instructions ignore it",
     GUIDE "table 44; chapter 9, resource type mismatch", ALL, type_is_no_buffer},
    {"swizzle_enable", "2 is reserved", GUIDE "table 47", GFX11, swizzle_is_reserved},
    {"stride", "is 0 in a swizzled buffer, so all groups of INDEX_STRIDE records lie at one place",
     GUIDE "9.4.2", ALL, swizzle_without_stride},
    {"stride", "is no multiple of the element size of a swizzled buffer", GUIDE "9.4.2", ALL,
     stride_splits_element},
    {"base", "is no multiple of 4 in a swizzled buffer, whose accesses must be aligned to dwords",
     GUIDE "9.4.2", ALL, base_splits_dword},
    {"base", "plus NUM_RECORDS reaches beyond the 48-bit address space", GUIDE "table 44 (width of BASE)",
     ALL, reaches_beyond_memory},
    {"format", "78 to 127 are no buffer formats", "LLVM's and Mesa's lists of GFX10 formats end at 77", GFX10,
     format_is_reserved},
    {"data_format", "15 is reserved", "AMD's ROCR register headers; LLVM: BUF_DATA_FORMAT_RESERVED_15",
     GFX9 | GFX8, data_format_is_reserved},
    {"num_format", "6 is reserved", "AMD's ROCR register headers; LLVM: BUF_NUM_FORMAT_RESERVED_6",
     GFX9 | GFX8, num_format_is_reserved},
    {"format", "is a combination that RDNA 2 dropped",
     "AMD's emulator rocjitsu; compare \"RDNA3\" guide table 52", GFX10, format_is_not_listed},
    {"num_format", "does not go with DATA_FORMAT in any list of formats", GUIDE "table 52, by the same names",
     GFX9 | GFX8, format_is_not_listed},
    {"format", "is INVALID, so the descriptor is unbound and the other fields mean nothing",
     GUIDE "9.4 (unbound resources)", GFX11 | GFX10, unbound_but_set},
    {"data_format", "is INVALID, so the descriptor is unbound and the other fields mean nothing",
     "as \"RDNA3\" guide 9.4 (unbound resources); \"CDNA3\" guide", GFX9 | GFX8, unbound_but_set},
    {"dst_sel_x", "is a code that buffers do not have", GUIDE "table 44: 0, 1, 4 to 7", ALL,
     select_x_is_reserved},
    {"dst_sel_y", "is a code that buffers do not have", GUIDE "table 44: 0, 1, 4 to 7", ALL,
     select_y_is_reserved},
    {"dst_sel_z", "is a code that buffers do not have", GUIDE "table 44: 0, 1, 4 to 7", ALL,
     select_z_is_reserved},
    {"dst_sel_w", "is a code that buffers do not have", GUIDE "table 44: 0, 1, 4 to 7", ALL,
     select_w_is_reserved},
    {"dst_sel", "names a component twice, so what a store puts there is not said",
     GUIDE "9.3 (no rule is given)", ALL, selects_twice},
    {"resource_level", "must be 1", "\"RDNA2\" guide, buffer resource descriptor; AMD's PAL register headers",
     GFX10, resource_level_is_zero},
    {"oob_select", "compares offsets with a stride of 0, so every access is out of range", GUIDE "table 46",
     GFX11, index_and_offset_without_stride},
    {"user_vm_mode", "is set without USER_VM_ENABLE",
     "AMD's PAL register headers (USER_VM_MODE is the mode of USER_VM_ENABLE)", GFX9, user_vm_mode_alone},
    {"reserved", "bits are set that must be 0", GUIDE "table 44; AMD's PAL register headers",
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
