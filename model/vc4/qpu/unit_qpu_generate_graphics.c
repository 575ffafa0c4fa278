/* SPDX-License-Identifier: MIT */
/*
 * Generates the start of programs that use look-ups, varyings and the tile. Look-ups come first in a program,
 * because they take the first uniforms in order.
 */
#include "model/vc4/qpu/unit_qpu.h"

#include "model/vc4/qpu/encoding/qpu_insn.h"

static struct qpu_insn move(uint8_t waddr, uint8_t raddr, uint8_t mux)
{
    struct qpu_insn i;
    qpu_canonical(QPU_ALU, &i);
    i.op_add = QPU_ADD_MOV;
    i.cond_add = QPU_COND_ALWAYS;
    i.waddr_add = waddr;
    i.raddr_a = raddr;
    i.add_a = i.add_b = mux;
    return i;
}

static void add_move(struct qpu_case *c, uint8_t waddr, uint8_t raddr, uint8_t mux)
{
    const struct qpu_insn i = move(waddr, raddr, mux);
    qpu_add_insn(c, &i);
}

static void add_signal(struct qpu_case *c, uint8_t signal)
{
    struct qpu_insn i;
    qpu_canonical(QPU_ALU, &i);
    i.sig = signal;
    qpu_add_insn(c, &i);
}

static void add_uniform(struct qpu_case *c, bool is_address, uint32_t value)
{
    c->uniforms.item[c->uniforms.count++] = (struct case_uniform){.is_address = is_address, .value = value};
}

static void add_memory_lookup(struct random *r, struct qpu_case *c, uint8_t tmu)
{
    add_uniform(c, true, 4 * random_below(r, VC4_MEMORY_ROWS * VC4_LANES));
    add_move(c, (uint8_t)(QPU_W_TMU0_S + 4 * tmu), QPU_R_UNIFORM, QPU_MUX_A);
}

/* Adds a look-up in a small texture: base at a 4 KB boundary, any type, any filter (p41 T15, T16). */
static void add_texture_lookup(struct random *r, struct qpu_case *c, uint8_t tmu)
{
    uint32_t type = random_below(r, 16), base = random_below(r, 4), size = 1 + random_below(r, 16),
             modes = random_below(r, 256);
    add_uniform(c, true, base << 12 | type << 4);
    add_uniform(c, false, size << 20 | size << 8 | modes);
    add_move(c, (uint8_t)(QPU_W_TMU0_T + 4 * tmu), QPU_R_NOTHING, (uint8_t)random_below(r, 4));
    add_move(c, (uint8_t)(QPU_W_TMU0_S + 4 * tmu), QPU_R_NOTHING, (uint8_t)random_below(r, 4));
}

/* Makes varyings that are the same in all pixels. A harness that runs shaders through the kernel's driver can
 * supply only such varyings (harness/vc4/program/shader.h). */
static void put_flat_varyings(struct qpu_case *c)
{
    /* 1, -pi, 65504, and a little more than a quarter */
    static const uint32_t values[] = {0x3F800000, 0xC0490FDB, 0x477FE000, 0x3E800001};
    c->varyings.fill = FILL_ZERO;
    c->varyings.count = c->varying_count;
    for (uint32_t n = 0; n < c->varying_count; n++) {
        c->varyings.row[n].index = 2 * n + 1;
        for (unsigned i = 0; i < VC4_LANES; i++)
            c->varyings.row[n].word[i] = values[(n + c->samples) % 4];
    }
}

static void add_fragment(struct random *r, struct qpu_case *c)
{
    c->stage = QPU_STAGE_FRAGMENT;
    c->depth_test = random_below(r, QPU_TESTS);
    c->samples = random_one_in(r, 4) ? random_below(r, 16) : 15;
    c->reversed = random_below(r, 2);
    c->varying_count = random_below(r, 4);
    c->tile.fill = c->varyings.fill = FILL_INDEX;
    if (c->reversed) /* decides by an existing draw, so that a seed's other cases stay the same */
        put_flat_varyings(c);
    for (uint32_t i = random_below(r, 4); i > 0; i--) {
        add_move(c, (uint8_t)(QPU_W_R0 + random_below(r, 4)), QPU_R_VARYING, QPU_MUX_A);
        struct qpu_insn one = move((uint8_t)(QPU_W_R0 + random_below(r, 4)), QPU_R_NOTHING, QPU_MUX_R5);
        one.op_add = QPU_ADD_FADD;
        one.add_a = (uint8_t)random_below(r, 4);
        qpu_add_insn(c, &one);
    }
    for (uint32_t i = random_below(r, 4); i > 0; i--) {
        if (random_one_in(r, 4)) {
            add_signal(c, random_one_in(r, 4) ? QPU_SIG_ALPHA_LOAD : QPU_SIG_COLOUR_LOAD);
        } else {
            uint8_t to = (uint8_t)(QPU_W_TLB_STENCIL + random_below(r, 5));
            add_move(c, to, QPU_R_NOTHING, (uint8_t)random_below(r, 4));
        }
    }
}

void qpu_generate_graphics(struct random *r, struct qpu_case *c)
{
    c->uniforms.count = 0;
    if (random_one_in(r, 2)) {
        add_fragment(r, c);
        return;
    }
    uint8_t tmu = (uint8_t)random_below(r, 2);
    uint32_t lookups = 1 + random_below(r, 3);
    for (uint32_t i = 0; i < lookups; i++)
        if (random_one_in(r, 2))
            add_memory_lookup(r, c, tmu);
        else
            add_texture_lookup(r, c, tmu);
    for (uint32_t i = 0; i < lookups; i++)
        add_signal(c, tmu ? QPU_SIG_LOAD_TMU1 : QPU_SIG_LOAD_TMU0);
}
