/* SPDX-License-Identifier: MIT */
#include "harness/vc4/program/tmu_program.h"

#include "harness/vc4/program/emit.h"
#include "harness/vc4/vc4_kernel.h"
#include "model/core/outcome.h"
#include "model/vc4/tmu/tmu_texture.h"
#include "model/vc4/tmu/unit_tmu.h"

#include <string.h>

enum {
    VECTORS_MAX = 28, /* registers of file A: the code that loads and shows the state needs the others */
    SLOTS_MAX = 8,    /* slots of the request FIFO (p40) */
    LOOKUPS_MAX = 4,  /* outstanding look-ups: allowed under every reading of p40 */
    OFFSET_MAX = TMU_PROGRAM_MEMORY - 4,
};

/*
 * Look-ups in memory go through TMU0, those in textures through TMU1. Once a TMU has looked up memory,
 * Linux's driver treats all its later look-ups as memory, and checks a texture's second parameter as a bound
 * (vc4_kernel.c). TMU0 has looked up memory before the case begins, to load vectors (shader.c).
 */
enum kind { IN_MEMORY, IN_TEXTURE };
static const struct {
    uint8_t s, load; /* the address of its register S; the signal */
} tmus[] = {
    [IN_MEMORY] = {QPU_W_TMU0_S, QPU_SIG_LOAD_TMU0}, [IN_TEXTURE] = {QPU_W_TMU1_S, QPU_SIG_LOAD_TMU1}};

struct waiting {
    enum kind kind;
    unsigned slots;
};

struct maker {
    const struct test_case *tc;
    const struct tmu_case *from;
    struct qpu_case *to;
    struct emitter code;
    struct error *e;
    /* The operand in register n, and whether it is one word for all elements. */
    uint32_t vector_of[VECTORS_MAX][2];
    unsigned vectors, loads;
    uint32_t stream;                     /* uniforms of the operations before this one were taken */
    unsigned writes, written;            /* registers written since the last S: number and set */
    struct waiting waiting[LOOKUPS_MAX]; /* look-ups, oldest first */
    unsigned lookups;                    /* entries of `waiting` in use */
    unsigned slots_used; /* of the request FIFO, by the waiting look-ups and the current one */
};

static bool add_uniform(struct maker *m, uint32_t word)
{
    if (m->to->uniforms.count == QPU_CASE_UNIFORMS_MAX)
        return error_set(m->e, "it needs more uniforms than a program can have");
    m->to->uniforms.item[m->to->uniforms.count++] = (struct case_uniform){.value = word};
    return true;
}

/* Takes the next one of the case's uniforms. After the last one come zeros. The driver treats the first
 * uniform of a look-up as an address, and no other. */
static bool take_uniform(struct maker *m)
{
    static const char no_address[] = "the first parameter is not an address in the case's memory";
    while (m->stream < m->from->op_count) {
        const uint32_t *op = m->from->op[m->stream++];
        uint32_t code = op[1] & OP_CODE_MASK;
        if (!tmu_op_is_uniform(code))
            continue;
        if ((code == TMU_OP_P0) != !m->writes)
            return error_set(m->e, "%s", m->writes ? "a later parameter is an address" : no_address);
        return add_uniform(m, op[0]);
    }
    return m->writes ? add_uniform(m, 0) : error_set(m->e, "%s", no_address);
}

static void vector_words(const struct maker *m, const uint32_t *of, uint32_t words[VC4_LANES])
{
    for (unsigned i = 0; i < VC4_LANES; i++)
        words[i] = of[0];
    if (!of[1])
        image_row(m->tc, schema_field(&m->tc->unit->schema, "data"), of[0], words);
}

/* Returns the register of file A that holds an operation's vector. */
static bool find_vector(struct maker *m, const uint32_t *op, uint8_t *reg)
{
    bool all = op[1] & TMU_OP_ALL;
    const uint32_t of[2] = {all ? op[0] : op[0] % TMU_DATA_ROWS, all};
    for (unsigned i = 0; i < m->vectors; i++)
        if (!memcmp(m->vector_of[i], of, sizeof of)) {
            *reg = (uint8_t)i;
            return true;
        }
    if (m->vectors == VECTORS_MAX)
        return error_set(m->e, "it writes more than %d vectors", VECTORS_MAX);
    memcpy(m->vector_of[m->vectors], of, sizeof of);
    *reg = (uint8_t)m->vectors++;
    m->to->ra.row[*reg].index = *reg;
    vector_words(m, of, m->to->ra.row[*reg].word);
    m->to->ra.count = m->vectors;
    return true;
}

static bool submit(struct maker *m, enum kind kind)
{
    if (m->lookups == LOOKUPS_MAX)
        return error_set(m->e, "more than %d look-ups are outstanding", LOOKUPS_MAX);
    m->waiting[m->lookups++] = (struct waiting){kind, m->writes};
    m->writes = m->written = 0;
    return true;
}

static bool write_register(struct maker *m, const uint32_t *op)
{
    uint32_t code = op[1] & OP_CODE_MASK;
    uint8_t reg;
    if (code == TMU_OP_S && !m->writes)
        return error_set(m->e, "S alone looks up memory outside the case's; use s-address");
    if (m->written >> code & 1)
        return error_set(m->e, "a register is written twice for one look-up");
    if (m->slots_used == SLOTS_MAX)
        return error_set(m->e, "the request FIFO is full: the write would wait for ever");
    if (!find_vector(m, op, &reg) || !take_uniform(m))
        return false;
    emit_move(&m->code, (uint8_t)(tmus[IN_TEXTURE].s + code - TMU_OP_S), 0, QPU_MUX_A, reg);
    m->writes++;
    m->written |= 1U << code;
    m->slots_used++;
    return code != TMU_OP_S || submit(m, IN_TEXTURE);
}

/* Looks up memory in the form that the driver accepts: with two clamps, which change no offset, because all
 * offsets are within the bounds. */
static bool look_in_memory(struct maker *m, const uint32_t *op)
{
    uint32_t words[VC4_LANES];
    uint8_t reg;
    if (m->writes)
        return error_set(m->e, "s-address in the middle of a texture look-up");
    if (!find_vector(m, op, &reg) || !add_uniform(m, OFFSET_MAX) || !add_uniform(m, 0))
        return false;
    vector_words(m, m->vector_of[reg], words);
    for (unsigned i = 0; i < VC4_LANES; i++)
        if (words[i] > OFFSET_MAX)
            return error_set(m->e, "element %u looks up %08lX, outside the case's memory", i,
                             (unsigned long)words[i]);
    emit_small(&m->code, QPU_ADD_MAX, QPU_W_R0, 0, QPU_MUX_A, reg, 0);
    struct qpu_insn i = emit_make_move(QPU_W_R0, 0, QPU_MUX_R0, 0);
    i.op_add = QPU_ADD_MIN;
    i.add_b = QPU_MUX_A;
    i.raddr_a = QPU_R_UNIFORM;
    emit(&m->code, &i);
    i.op_add = QPU_ADD_ADD;
    i.waddr_add = tmus[IN_MEMORY].s;
    emit(&m->code, &i);
    m->writes = 1;
    m->slots_used++;
    return submit(m, IN_MEMORY);
}

static bool load(struct maker *m)
{
    if (!m->lookups)
        return error_set(m->e, "no look-up is outstanding: the load would wait for ever");
    if (m->loads == TMU_PROGRAM_LOADS_MAX)
        return error_set(m->e, "it has more than %d loads", TMU_PROGRAM_LOADS_MAX);
    emit_signal(&m->code, tmus[m->waiting[0].kind].load);
    m->slots_used -= m->waiting[0].slots;
    memmove(m->waiting, m->waiting + 1, --m->lookups * sizeof *m->waiting);
    emit_move(&m->code, (uint8_t)m->loads++, EMIT_FILE_B, QPU_MUX_R4, 0);
    return true;
}

static bool make_op(struct maker *m, const uint32_t *op)
{
    uint32_t code = op[1] & OP_CODE_MASK;
    if (code == TMU_OP_S_ADDRESS)
        return look_in_memory(m, op);
    if (code >= TMU_OP_S && code <= TMU_OP_B)
        return write_register(m, op);
    return code != TMU_OP_LOAD || load(m);
}

static bool make_end(struct maker *m)
{
    if (m->writes || m->lookups)
        return error_set(m->e, "a look-up is not finished, or its result is not loaded, at the end");
    if (!m->loads)
        return error_set(m->e, "it loads nothing, so there is no result to compare");
    emit_signal(&m->code, QPU_SIG_END);
    emit_nops(&m->code, 2);
    m->to->program.count = m->code.count;
    return !m->code.full || error_set(m->e, "it needs more instructions than a program can have");
}

/* Do documents define the look-up, and does it stay in the case's memory under every built-in profile? */
static bool stays_inside(const struct maker *m, const struct vc4_kernel_sample *s, const uint32_t *stream)
{
    uint32_t word[VC4_KERNEL_PARAMETERS], words = 0;
    while (words < VC4_KERNEL_PARAMETERS && s->parameter[words] != VC4_KERNEL_NO_WORD) {
        word[words] = stream[s->parameter[words]];
        words++;
    }
    for (unsigned i = 0; m->tc->unit->profiles[i].name && !s->direct; i++) {
        struct profile profile;
        struct coverage ignored = {0};
        profile_builtin(m->tc->unit, i, &profile);
        struct vc4_env env = {.profile = &profile, .coverage = &ignored, .memory = {.rows = VC4_MEMORY_ROWS}};
        struct tmu_texture x;
        tmu_texture_set(&x, &env, 0, word, words);
        if (x.stop)
            return error_set(m->e, "a texture has a setting that no document defines");
        if (!x.inside)
            return error_set(m->e, "a texture leaves the case's memory under some reading");
    }
    return true;
}

/* Checks the driver's rules for the program and for the buffers of its look-ups. */
static bool driver_accepts(const struct maker *m)
{
    struct vc4_kernel_shader k;
    uint32_t stream[QPU_CASE_UNIFORMS_MAX];
    for (uint32_t i = 0; i < m->to->uniforms.count; i++)
        stream[i] = m->to->uniforms.item[i].value;
    bool good = vc4_kernel_accepts(m->to->program.word, m->to->program.count, &k, m->e);
    if (good && (k.samples > VC4_KERNEL_SAMPLES_MAX || k.uniforms > m->to->uniforms.count))
        good = error_set(m->e, "it makes %lu look-ups, too many to check", (unsigned long)k.samples);
    for (uint32_t i = 0; good && i < k.samples; i++)
        good = vc4_kernel_takes_lookup(&k.sample[i], stream, TMU_PROGRAM_MEMORY, m->e);
    if (!good)
        return error_where(m->e, "the kernel's driver refuses it");
    for (uint32_t i = 0; i < k.samples; i++)
        if (!stays_inside(m, &k.sample[i], stream))
            return false;
    return true;
}

bool tmu_program_make(const struct test_case *tmu, struct test_case *qpu, struct verifier_proof *p,
                      struct error *e)
{
    struct maker m = {.tc = tmu, .from = (const void *)tmu->words, .to = (void *)qpu->words, .e = e};
    case_init(qpu, unit_named("vc4-qpu"));
    m.to->limit = QPU_CASE_LIMIT_MAX;
    m.code = (struct emitter){.at = m.to->program.word, .room = QPU_CASE_PROGRAM_MAX};
    for (uint32_t i = 0; i < m.from->op_count; i++)
        if (!make_op(&m, m.from->op[i]))
            return error_where(e, "operation %lu", (unsigned long)i);
    if (!make_end(&m) || !driver_accepts(&m))
        return false;
    *p = (struct verifier_proof){.in.file = (UINT64_C(1) << m.vectors) - 1,
                                 .out.file = ((UINT64_C(1) << m.loads) - 1) << QPU_FILE_ROWS};
    return true;
}

void tmu_program_mask(struct outcome *o)
{
    const struct region *state = layout_region_named(&o->unit->layout, "state");
    o->checked = true; /* outcome_reset has marked all bits as defined */
    memset(o->defined + state->first_row * VC4_LANES, 0, VC4_LANES * sizeof *o->defined);
    outcome_touch(o, state->first_row);
}
