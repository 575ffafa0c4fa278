/* SPDX-License-Identifier: MIT */
/*
 * Unit utgard-gp: one vertex runs a program on the geometry processor of a
 * Mali-200, -300, -400 or -450. The outcome is the state that a driver can read:
 * varyings and memory.
 */
#include "model/utgard/unit_gp.h"

#include "model/core/units.h"
#include "model/utgard/gp.h"
#include "model/utgard/points/gp_points.h"

#include <stddef.h>
#include <string.h>

/* ---- the case ---- */

enum { FIELD_ATTRIBUTES = 3, FIELD_MEMORY, FIELD_REGISTERS, FIELD_VARYINGS };

/* Numbers at which arithmetic, branches, address registers and the viewport's clamp change their behaviour.
 */
static const uint32_t interesting_words[] = {
    0x00000000, 0x80000000, 0x3F800000, 0xBF800000, 0x40000000, 0xC0000000, 0x3F000000,
    0xBF000000, 0x40400000, 0x40A00000, 0x41200000, 0x3FC00000, 0xBFC00000, 0x40200000,
    0x43FF8000, 0x44000000, 0x4B000000, 0xCB000001, 0x501502F9, 0xD01502F9, 0x7F800000,
    0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC00001, 0x00000001, 0x80000001, 0x007FFFFF,
    0x00800000, 0x3F800001, 0x3F7FFFFF, 0x7F7FFFFF, 0x3DCCCCCD,
};
enum { INTERESTING_WORDS = sizeof interesting_words / sizeof *interesting_words };

#define GP_IMAGE(field, member, rows, text)                                                                  \
    {                                                                                                        \
        .name = field, .kind = FIELD_IMAGE, .offset = CASE_AT(struct gp_case, member), .max = (rows),        \
        .row_words = GP_VEC, .interesting = interesting_words, .interesting_count = INTERESTING_WORDS,       \
        .about = text                                                                                        \
    }

static const char *const component_names[] = {"x", "xy", "xyz", "xyzw", NULL};
#define COMPONENTS(n)                                                                                        \
    {                                                                                                        \
        "a" #n, 2 * (n), 2, component_names                                                                  \
    }
static const struct bit_field component_bits[] = {
    COMPONENTS(0),  COMPONENTS(1),  COMPONENTS(2),  COMPONENTS(3),  COMPONENTS(4),      COMPONENTS(5),
    COMPONENTS(6),  COMPONENTS(7),  COMPONENTS(8),  COMPONENTS(9),  COMPONENTS(10),     COMPONENTS(11),
    COMPONENTS(12), COMPONENTS(13), COMPONENTS(14), COMPONENTS(15), {NULL, 0, 0, NULL},
};

static const struct field fields[] = {
    {.name = "limit",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct gp_case, limit),
     .min_value = 1,
     .max_value = GP_CASE_LIMIT_MAX,
     .initial = GP_CASE_LIMIT,
     .about = "instructions after which a program that has not ended counts as hung"},
    {.name = "varying-count",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct gp_case, varying_count),
     .min_value = 1,
     .max_value = GP_VARYINGS,
     .initial = GP_CASE_VARYINGS,
     .about = "varyings that leave the processor, gl_Position among them"},
    {.name = "components",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct gp_case, components),
     .initial = UINT32_MAX,
     .bits = component_bits,
     .about = "which components each attribute has in memory"},
    [FIELD_ATTRIBUTES] =
        GP_IMAGE("attributes", attributes, GP_ATTRIBUTES, "the vertex's attributes, as floats"),
    [FIELD_MEMORY] =
        GP_IMAGE("memory", memory, GP_MEMORY_ROWS, "uniforms, constants and temporaries, a vector a row"),
    [FIELD_REGISTERS] = GP_IMAGE("registers", registers, GP_REGISTERS,
                                 "what the vertex before left in the registers (gp-initial-state)"),
    [FIELD_VARYINGS] = GP_IMAGE("varyings", varyings, GP_VARYINGS, "what the output buffers hold before"),
    {.name = "program",
     .kind = FIELD_CODE,
     .offset = CASE_AT(struct gp_case, program),
     .max = GP_PROGRAM_MAX,
     .about = "the instructions"},
};

/* ---- the outcome ---- */

enum { ROW_VARYINGS = 0, ROW_MEMORY = GP_VARYINGS, ROWS = ROW_MEMORY + GP_MEMORY_ROWS };

static const struct region regions[] = {
    {"varyings", "what the vertex gave: x, y, z, w; varying 0 is gl_Position", GP_VARYINGS, GP_VEC, 32,
     DRAW_LANES, ROW_VARYINGS, "varyings", NULL},
    {"memory", "uniforms, constants and temporaries", GP_MEMORY_ROWS, GP_VEC, 32, DRAW_LANES, ROW_MEMORY,
     "memory", NULL},
};

static const char *const reasons[GP_STOPS + 1] = {
    [GP_GO] = "",
    [GP_STOP_LIMIT] = "instruction limit of the case",
    [GP_STOP_RANGE] = "branch beyond the program",
    [GP_STOP_UNDEFINED] = "the way onward depends on an undefined bit",
    [GP_STOPS] = NULL,
};
static const bool unspecified[GP_STOPS] = {[GP_STOP_RANGE] = true};
static const uint8_t ends[GP_STOPS] = {[GP_GO] = END_DONE,
                                       [GP_STOP_LIMIT] = END_HANG,
                                       [GP_STOP_RANGE] = END_FAULT,
                                       [GP_STOP_UNDEFINED] = END_UNDEFINED};

/* ---- running ---- */

struct state {
    struct run *run;
    struct observer observer;
    struct gp gp;
};

static void give_attribute(void *context, uint32_t row, uint32_t *words)
{
    const struct state *st = context;
    image_row(st->run->tc, &fields[FIELD_ATTRIBUTES], row, words);
}

static void give_register(void *context, uint32_t row, uint32_t *words)
{
    const struct state *st = context;
    image_row(st->run->tc, &fields[FIELD_REGISTERS], row, words);
}

static void touch_memory(void *context, uint32_t row)
{
    const struct state *st = context;
    outcome_touch(st->run->out, ROW_MEMORY + row);
}

/* Traces a step: its number, the instruction, and the results of busy units; "?" for a result without defined
 * bits. */
static void watch(void *context, uint32_t index)
{
    struct state *st = context;
    const struct gp_case *c = (const void *)st->run->tc->words;
    const struct gp *g = &st->gp;
    struct text t = {0};
    text_add(&t, "%3u  ", index);
    gp_print(c->program.word + GP_WORDS * index, &t);
    for (unsigned unit = 0; unit < GP_UNITS; unit++) {
        if (unit == GP_UNIT_UNKNOWN || g->step[index].unit[unit].action == GP_DO_IDLE)
            continue;
        text_add(&t, "; %s =", gp_unit_names[unit]);
        if (g->result_kind[unit] || !(g->result_known[unit].defined | g->result_known[unit].tolerance))
            text_add(&t, " ?");
        else
            text_add(&t, " %08x", g->result[unit]);
    }
    if (g->stop)
        text_add(&t, "; %s", reasons[g->stop]);
    st->run->trace(st->run->trace_context, text_chars(&t));
    text_free(&t);
}

static void report_coverage(const struct gp *g, struct coverage *coverage)
{
    for (unsigned mode = 0; mode < sizeof g->covered / sizeof *g->covered; mode++)
        for (uint64_t left = g->covered[mode]; left; left &= left - 1)
            cover(coverage, (unsigned)__builtin_ctzll(left), mode);
}

/* Marks the rows in which the run left a tolerance. */
static void note_tolerances(struct outcome *o)
{
    for (uint32_t row = 0; o->checked && row < ROWS; row++)
        for (uint32_t c = 0; outcome_touched(o, row) && c < GP_VEC; c++)
            if (o->tolerance[row * GP_VEC + c])
                outcome_tolerate(o, row);
}

static void run(struct run *r)
{
    struct state *st = r->state;
    const struct gp_case *c = (const void *)r->tc->words;
    struct outcome *o = r->out;
    outcome_reset(o, r->tc);
    o->checked = r->mode != RUN_PLAIN;
    st->run = r;
    const struct gp_setup setup = {
        .profile = r->profile,
        .observer = run_observer(r, &st->observer),
        .program = c->program.word,
        .count = c->program.count,
        .limit = c->limit,
        .filler = r->filler,
        .components = c->components,
        .checked = o->checked,
        .context = st,
        .attribute = give_attribute,
        .register_before = give_register,
        .memory = outcome_row(o, ROW_MEMORY, GP_VEC),
        .memory_defined = o->defined + ROW_MEMORY * GP_VEC,
        .memory_tolerance = o->tolerance + ROW_MEMORY * GP_VEC,
        .varying = outcome_row(o, ROW_VARYINGS, GP_VEC),
        .varying_defined = o->defined + ROW_VARYINGS * GP_VEC,
        .varying_tolerance = o->tolerance + ROW_VARYINGS * GP_VEC,
        .varyings = c->varying_count,
        .touch_memory = touch_memory,
        .watch = r->mode == RUN_TRACED && r->trace ? watch : NULL,
    };
    for (uint32_t row = 0; row < c->varying_count; row++)
        outcome_touch(o, ROW_VARYINGS + row);
    gp_prepare(&st->gp, &setup);
    enum gp_stop stop = gp_run(&st->gp);
    note_tolerances(o);
    report_coverage(&st->gp, r->coverage);
    r->steps = st->gp.steps;
    r->fidelity = st->gp.fidelity;
    o->reason = (uint16_t)stop;
    o->end = (enum end)ends[stop];
}

/* ---- the instructions' text ---- */

static const struct bit_field *bits(const uint32_t *words)
{
    (void)words;
    return gp_bit_fields;
}

static const struct code code = {
    .words = GP_WORDS,
    .print = gp_print,
    .parse = gp_parse,
    .syntax = gp_syntax,
    .names = gp_syntax_names,
    .generate = gp_generate_word,
    .mutate = gp_mutate_word,
    .bits = bits,
    .nop = gp_nop_words,
    .slot_names = gp_slot_names,
    .slots = gp_slots,
};

static const struct builtin_profile profiles[] = {
    [GP_PROFILE_MANUAL] = {.name = "manual", .about = "the literal text of \"Utgard GP\" (mali-isa-docs)"},
    [GP_PROFILE_MALI400] =
        {.name = "mali400",
         .about =
             "best known behaviour of Mali-400 and -450, as a vendor's program and Mesa's compiler show it",
         .silicon = "Mali-400"},
    [GP_PROFILE_OGT] = {.name = "open-gpu-tools", .about = "what lima_gp of open-gpu-tools (2013) assumes"},
    [GP_PROFILE_DECIDED] = {.name = "decided",
                            .about =
                                "mali400 with every unknown set to an arbitrary choice; no undefined bits"},
    {0},
};

const struct unit utgard_gp_unit = {
    .name = "utgard-gp",
    .family = "utgard",
    .about = "Mali Utgard geometry processor: VLIW instructions, bypassed results, registers, temporaries, "
             "branches",
    .schema = {.fields = fields,
               .field_count = sizeof fields / sizeof *fields,
               .words = sizeof(struct gp_case) / sizeof(uint32_t)},
    .layout = {.regions = regions,
               .region_count = sizeof regions / sizeof *regions,
               .rows = ROWS,
               .row_words = GP_VEC},
    .clauses = {{gp_unit_clauses, GP_CLAUSE_UNITS_END}, {gp_flow_clauses, GP_CLAUSES - GP_CLAUSE_UNITS_END}},
    .points = gp_points,
    .input_notes = gp_input_notes,
    .name_value = gp_name_value,
    .point_count = GP_POINT_COUNT,
    .profiles = profiles,
    .best_profile = GP_PROFILE_MALI400,
    .reasons = reasons,
    .unspecified = unspecified,
    .code = &code,
    .state_size = sizeof(struct state),
    .run = run,
    .generate = gp_generate_case,
    .vary = gp_vary_case,
    .mend = gp_mend_case,
};
