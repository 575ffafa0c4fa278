/* SPDX-License-Identifier: MIT */
#include "tests/model/svp64/support_swizzle.h"
#include "model/core/units.h"
#include "tests/support/support_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

int swizzle_set_up(void **state)
{
    struct swizzle_bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->executor = executor_new(&svp64_swizzle_unit);
    b->out = outcome_new(&svp64_swizzle_unit);
    b->c = (struct swizzle_case *)(void *)b->tc.words;
    *state = b;
    return 0;
}

int swizzle_tear_down(void **state)
{
    struct swizzle_bench *b = *state;
    executor_free(b->executor);
    outcome_free(b->out);
    free(b);
    return 0;
}

static void assemble(const char *text, uint32_t *words)
{
    struct error e = {0};
    if (!swizzle_parse(text, strlen(text), words, &e))
        fail_msg("%s: %s", text, e.text);
}

void swizzle_set_case(struct swizzle_bench *b, unsigned vl, const char *format, ...)
{
    char text[128];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    case_init(&b->tc, &svp64_swizzle_unit);
    b->c->svstate_high = vl << SVSTATE_VL_SHIFT;
    b->c->gpr.fill = b->c->fpr.fill = FILL_INDEX;
    b->c->insn_count = 1;
    assemble(text, b->c->insn[0]);
}

void swizzle_set_register(struct swizzle_bench *b, const char *file, unsigned number, uint64_t value)
{
    const struct field *f = schema_field(&svp64_swizzle_unit.schema, file);
    uint32_t *row = image_own_row(&b->tc, f, number / 8, true);
    assert_non_null(row);
    row[number % 8 * 2] = (uint32_t)value;
    row[number % 8 * 2 + 1] = (uint32_t)(value >> 32);
}

void swizzle_run(struct swizzle_bench *b, const char *profile)
{
    struct profile p;
    struct error e = {0};
    if (!profile_resolve(&svp64_swizzle_unit, profile, &p, &e))
        fail_msg("%s", e.text);
    executor_run(b->executor, &b->tc, &p, RUN_CHECKED, b->out);
}

uint64_t swizzle_register_of(const struct swizzle_bench *b, const char *file, unsigned number)
{
    const struct region *g = layout_region_named(&svp64_swizzle_unit.layout, file);
    const uint32_t *w = b->out->value + (size_t)g->first_row * SVP64_ROW_WORDS + (size_t)number * 2;
    return (uint64_t)w[1] << 32 | w[0];
}

const char *swizzle_moves_of(const struct swizzle_bench *b)
{
    static char text[16384];
    const struct region *g = layout_region_named(&svp64_swizzle_unit.layout, "moves");
    size_t n = 0;
    text[0] = '\0';
    for (unsigned d = 0; d < SWIZZLE_ELEMENTS_MAX; d++) {
        uint32_t move = b->out->value[(size_t)g->first_row * SVP64_ROW_WORDS + d];
        if (move >= MOVE_COPY)
            n += (size_t)snprintf(text + n, sizeof text - n, "%sd%u=s%u", n ? " " : "", d,
                                  (unsigned)(move - MOVE_COPY));
        else if (move)
            n += (size_t)snprintf(text + n, sizeof text - n, "%sd%u=%s", n ? " " : "", d,
                                  move == MOVE_ONE ? "1" : "0");
    }
    return text;
}
