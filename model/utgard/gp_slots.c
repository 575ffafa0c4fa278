/* SPDX-License-Identifier: MIT */
/* The units of an instruction, as slots for pictures: what each unit does, and whose results it reads (struct
 * code_slot). */
#include "model/utgard/gp_insn.h"

#include <stdio.h>
#include <string.h>

enum slot_number {
    SLOT_REG0,
    SLOT_REG1,
    SLOT_LOAD,
    SLOT_MUL0,
    SLOT_MUL1,
    SLOT_ACC0,
    SLOT_ACC1,
    SLOT_COMPLEX,
    SLOT_PASS,
    SLOT_XY,
    SLOT_ZW,
    SLOT_BRANCH
};
const char *const gp_slot_names[] = {"reg0",    "reg1", "load",   "mul0",   "mul1",   "acc0", "acc1",
                                     "complex", "pass", "store0", "store1", "branch", NULL};

/* For each selector: the unit that produced its value, and how many instructions ago. */
static const struct {
    bool known;
    uint8_t slot, ago;
} made_by[GP_SOURCES] = {
    [GP_REG0_X... GP_REG0_X + 3] = {true, SLOT_REG0, 0},
    [GP_REG1_X... GP_REG1_X + 3] = {true, SLOT_REG1, 0},
    [GP_LOAD_X... GP_LOAD_X + 3] = {true, SLOT_LOAD, 0},
    [GP_ACC0_D1] = {true, SLOT_ACC0, 1},
    [GP_ACC1_D1] = {true, SLOT_ACC1, 1},
    [GP_MUL0_D1] = {true, SLOT_MUL0, 1},
    [GP_MUL1_D1] = {true, SLOT_MUL1, 1},
    [GP_PASS_D1] = {true, SLOT_PASS, 1},
    [GP_COMPLEX_D1] = {true, SLOT_COMPLEX, 1},
    [GP_PASS_D2] = {true, SLOT_PASS, 2},
    [GP_ACC0_D2] = {true, SLOT_ACC0, 2},
    [GP_ACC1_D2] = {true, SLOT_ACC1, 2},
    [GP_MUL0_D2] = {true, SLOT_MUL0, 2},
    [GP_MUL1_D2] = {true, SLOT_MUL1, 2},
    [GP_REG0_PREVIOUS_X... GP_REG0_PREVIOUS_X + 3] = {true, SLOT_REG0, 1},
};

/* Sets the texts of slots: each busy unit's part of the instruction's text. */
static void set_texts(const uint32_t *words, struct code_slot *slots)
{
    struct text t = {0};
    gp_print(words, &t);
    for (const char *part = text_chars(&t); *part;) {
        const char *end = strstr(part, " ; ");
        size_t length = end ? (size_t)(end - part) : strlen(part), name = strcspn(part, " ");
        for (unsigned n = 0; gp_slot_names[n]; n++)
            if (strlen(gp_slot_names[n]) == name && !strncmp(gp_slot_names[n], part, name) && length > name)
                (void)snprintf(slots[n].text, sizeof slots[n].text, "%.*s", (int)(length - name - 1),
                               part + name + 1);
        part += length + (end ? 3 : 0);
    }
    text_free(&t);
}

static void add_read(struct code_slot *s, uint32_t index, unsigned slot, bool early)
{
    if (s->reads < CODE_READS_MAX)
        s->read[s->reads++] =
            (struct code_read){.index = (uint16_t)index, .slot = (uint8_t)slot, .early = early};
}

struct reader_context {
    const uint32_t *program;
    uint32_t index;
    struct code_slot *slots;
};

static void add_source(const struct reader_context *c, unsigned slot, unsigned selector, bool second)
{
    struct gp_insn maker;
    if (!made_by[selector].known || (second && selector == GP_COMPLEX_D1) || made_by[selector].ago > c->index)
        return;
    uint32_t from = c->index - made_by[selector].ago;
    gp_decode(c->program + GP_WORDS * from, &maker);
    add_read(&c->slots[slot], from, made_by[selector].slot,
             selector == GP_MUL0_D1 && maker.mul_op == GP_MUL_COMPLEX1);
}

static void add_arithmetic(const struct reader_context *c, const struct gp_insn *i)
{
    const struct {
        unsigned slot, selector;
        bool second;
    } inputs[] = {
        {SLOT_MUL0, i->mul0_src0, false}, {SLOT_MUL0, i->mul0_src1, true},
        {SLOT_MUL1, i->mul1_src0, false}, {SLOT_MUL1, i->mul1_src1, true},
        {SLOT_ACC0, i->acc0_src0, false}, {SLOT_ACC0, i->acc0_src1, true},
        {SLOT_ACC1, i->acc1_src0, false}, {SLOT_ACC1, i->acc1_src1, true},
        {SLOT_PASS, i->pass_src, false},  {SLOT_COMPLEX, i->complex_src, false},
    };
    for (unsigned n = 0; n < sizeof inputs / sizeof *inputs; n++)
        add_source(c, inputs[n].slot, inputs[n].selector, inputs[n].second);
    if (i->pass_op == GP_PASS_CLAMP && i->pass_src != GP_NONE)
        add_read(&c->slots[SLOT_PASS], c->index, SLOT_LOAD, false);
    if (i->complex_op == GP_COMPLEX_ADDR01)
        add_read(&c->slots[SLOT_COMPLEX], c->index, SLOT_PASS, false);
    if (i->branch)
        add_read(&c->slots[SLOT_BRANCH], c->index, SLOT_PASS, false);
}

static void add_stores(const struct reader_context *c, const struct gp_insn *i)
{
    static const uint8_t slot_of[GP_UNITS] = {SLOT_ACC0, SLOT_ACC1, SLOT_MUL0,   SLOT_MUL1,
                                              SLOT_PASS, 0,         SLOT_COMPLEX};
    const uint16_t sources[4] = {i->store0_src_x, i->store0_src_y, i->store1_src_z, i->store1_src_w};
    const bool temporary[2] = {i->store0_temporary, i->store1_temporary};
    for (unsigned n = 0; n < 4; n++)
        if (sources[n] < GP_UNITS && sources[n] != GP_UNIT_UNKNOWN)
            add_read(&c->slots[SLOT_XY + n / 2], c->index, slot_of[sources[n]],
                     sources[n] == GP_MUL0 && i->mul_op == GP_MUL_COMPLEX1);
    for (unsigned half = 0; half < 2; half++)
        if (temporary[half] && i->complex_op == GP_COMPLEX_ADDR0)
            add_read(&c->slots[SLOT_XY + half], c->index, SLOT_COMPLEX, false);
}

/* Adds the reads of a register fetch: for each half of the register, the last earlier instruction that stores
 * it. */
static void add_register(const struct reader_context *c, unsigned slot, unsigned number)
{
    enum { LATENCY = 3 };
    bool found[2] = {false, false};
    for (uint32_t from = c->index; from-- > 0 && !(found[0] && found[1]);) {
        struct gp_insn i;
        gp_decode(c->program + GP_WORDS * from, &i);
        const bool stores[2] = {
            !i.store0_varying && !i.store0_temporary && i.store0_addr == number &&
                (i.store0_src_x & i.store0_src_y) != GP_STORE_NONE,
            !i.store1_varying && !i.store1_temporary && i.store1_addr == number &&
                (i.store1_src_z & i.store1_src_w) != GP_STORE_NONE,
        };
        for (unsigned half = 0; half < 2; half++)
            if (stores[half] && !found[half]) {
                found[half] = true;
                add_read(&c->slots[slot], from, SLOT_XY + half, c->index - from < LATENCY);
            }
    }
}

void gp_slots(const uint32_t *program, uint32_t count, uint32_t index, struct code_slot *slots)
{
    struct gp_insn i;
    const struct reader_context c = {program, index, slots};
    for (unsigned n = 0; gp_slot_names[n]; n++)
        slots[n] = (struct code_slot){.reads = 0};
    if (index >= count)
        return;
    gp_decode(program + GP_WORDS * index, &i);
    set_texts(program + GP_WORDS * index, slots);
    add_arithmetic(&c, &i);
    add_stores(&c, &i);
    if (slots[SLOT_REG0].text[0] && !i.register0_attribute)
        add_register(&c, SLOT_REG0, i.register0_addr);
    if (slots[SLOT_REG1].text[0])
        add_register(&c, SLOT_REG1, i.register1_addr);
}
