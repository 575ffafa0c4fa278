/* SPDX-License-Identifier: MIT */
#include "tests/harness/support_amdgpu.h"

#include "model/core/image_rules.h"

static const uint32_t *clean_region(struct outcome *o, const char *name, const struct image_head *image)
{
    const struct layout *l = &o->unit->layout;
    unsigned region = (unsigned)(layout_region_named(l, name) - l->regions);
    return image_rules_get(o->rules, region, image->fill, image->seed)->words;
}

struct amdgpu_clean amdgpu_support_clean(const struct test_case *tc, struct outcome *o)
{
    const struct amd_case *c = amd_case_of(tc);
    return (struct amdgpu_clean){
        .sgprs = clean_region(o, "sgpr", &c->sgpr),
        .vgprs = clean_region(o, "vgpr", &c->vgpr),
        .memory = clean_region(o, "memory", &c->memory),
        .lds = clean_region(o, "lds", &c->lds),
    };
}
