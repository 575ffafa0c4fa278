/* SPDX-License-Identifier: MIT */
#include "model/svp64/unit_swizzle.h"
#include "model/core/units.h"
#include "model/svp64/swizzle_observe.h"

/* ---- case and outcome ---- */

static const struct bit_field svstate_high_bits[] = {
    {"ssubstep", SVSTATE_SSUBSTEP_SHIFT, 2, NULL},
    {"dsubstep", SVSTATE_DSUBSTEP_SHIFT, 2, NULL},
    {"dststep", SVSTATE_DSTSTEP_SHIFT, 7, NULL},
    {"srcstep", SVSTATE_SRCSTEP_SHIFT, 7, NULL},
    {"vl", SVSTATE_VL_SHIFT, 7, NULL},
    {"maxvl", SVSTATE_MAXVL_SHIFT, 7, NULL},
    {NULL, 0, 0, NULL},
};
static const struct bit_field svstate_low_bits[] = {
    {"vfirst", 0, 1, NULL},
    {"unpack", 9, 1, NULL},
    {"pack", 10, 1, NULL},
    {NULL, 0, 0, NULL},
};

/* Signalling NaNs of binary32, which copying may make quiet. Each is also two signalling NaNs of bfloat16 or
 * binary16, or the upper half of one of binary64. */
static const uint32_t float_words[] = {0x7F817F81, 0xFFBFFFBF, 0x7C017C01,
                                       0xFDFFFDFF, 0x7FF00001, 0xFFF7FFFF};

enum { FIELD_CR = 2, INITIAL_VL = 4 };

static const struct field fields[] = {
    {.name = "svstate-high",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct swizzle_case, svstate_high),
     .bits = svstate_high_bits,
     .initial = INITIAL_VL << SVSTATE_VL_SHIFT,
     .about = "SVSTATE bits 0 to 31: the vector length and the steps of Vertical-First"},
    {.name = "svstate-low",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct swizzle_case, svstate_low),
     .bits = svstate_low_bits,
     .about = "SVSTATE bits 32 to 63: Pack, Unpack, Vertical-First"},
    [FIELD_CR] = {.name = "cr",
                  .kind = FIELD_IMAGE,
                  .offset = CASE_AT(struct swizzle_case, cr),
                  .max = SWIZZLE_CR_ROWS,
                  .row_words = SVP64_ROW_WORDS,
                  .about =
                      "CR fields, eight in a word from the lowest bits: LT, GT, EQ, SO from the lowest bit"},
    {.name = "gpr",
     .kind = FIELD_IMAGE,
     .offset = CASE_AT(struct swizzle_case, gpr),
     .max = SVP64_FILE_ROWS,
     .row_words = SVP64_ROW_WORDS,
     .about = "general registers before, eight in a row, each its low word first"},
    {.name = "fpr",
     .kind = FIELD_IMAGE,
     .offset = CASE_AT(struct swizzle_case, fpr),
     .max = SVP64_FILE_ROWS,
     .row_words = SVP64_ROW_WORDS,
     .interesting = float_words,
     .interesting_count = sizeof float_words / sizeof *float_words,
     .about = "floating-point registers before, likewise"},
    {.name = "code",
     .kind = FIELD_CODE,
     .offset = CASE_AT(struct swizzle_case, insn_count),
     .max = SWIZZLE_INSNS_MAX,
     .about = "the swizzle"},
};

enum {
    ROW_GPR = 0,
    ROW_FPR = ROW_GPR + SVP64_FILE_ROWS,
    ROW_MOVES = ROW_FPR + SVP64_FILE_ROWS,
    ROWS = ROW_MOVES + SWIZZLE_MOVES_ROWS
};

static const char *const register_rows[SVP64_FILE_ROWS + 1] = {"0-7",    "8-15",    "16-23",   "24-31",
                                                               "32-39",  "40-47",   "48-55",   "56-63",
                                                               "64-71",  "72-79",   "80-87",   "88-95",
                                                               "96-103", "104-111", "112-119", "120-127",
                                                               NULL};

static const struct region regions[] = {
    {"gpr", "general registers, eight in a row, each its low word first", SVP64_FILE_ROWS, SVP64_ROW_WORDS,
     32, DRAW_LANES, ROW_GPR, "gpr", register_rows},
    {"fpr", "floating-point registers, likewise", SVP64_FILE_ROWS, SVP64_ROW_WORDS, 32, DRAW_LANES, ROW_FPR,
     "fpr", register_rows},
    {"moves",
     "what each element of the destination received: 1 constant 0, 2 constant 1, 3 zero by a predicate, "
     "0x100 + n source element n",
     SWIZZLE_MOVES_ROWS, SVP64_ROW_WORDS, 16, DRAW_LANES, ROW_MOVES, NULL, NULL},
};

static const char *const received[] = {
    [MOVE_NONE] = "", [MOVE_ZERO] = "0", [MOVE_ONE] = "1", [MOVE_MASKED] = "masked", NULL};
static const struct flow flow = {.region = "moves", .first_copy = MOVE_COPY, .values = received};

static const struct builtin_profile profiles[] = {
    [SWIZZLE_PROFILE_MANUAL] = {"manual", "the page's tables, and its pseudocode executed literally", NULL},
    [SWIZZLE_PROFILE_PSEUDOCODE] = {"pseudocode", "same as manual", NULL},
    [SWIZZLE_PROFILE_PROSE] = {"prose", "what the page's sentences and examples say", NULL},
    [SWIZZLE_PROFILE_REPAIRED] =
        {"repaired",
         "the page with its contradictions resolved; no hardware and no simulator has the instruction", NULL},
    {NULL, NULL, NULL},
};

static const char *const reasons[] = {
    [SWIZZLE_GO] = "",
    [SWIZZLE_STOP_NO_SWIZZLE] = "not a swizzle move",
    [SWIZZLE_STOP_ODD_REGISTER] = "invalid form: an odd register",
    [SWIZZLE_STOP_SCALAR_END] = "reserved: an end marker in the scalar form",
    [SWIZZLE_STOP_END_FIRST] = "reserved: an end marker in the first position",
    [SWIZZLE_STOP_AFTER_END] = "reserved: selectors behind the end marker",
    [SWIZZLE_STOP_SUBVL1] = "reserved: SUBVL 1",
    [SWIZZLE_STOP_FMV_WIDTH] = "reserved: floating-point elements of 8 bits",
    [SWIZZLE_STOP_FMV_SATURATION] = "reserved: floating-point saturation",
    [SWIZZLE_STOP_MODE] = "a MODE that swizzles do not have",
    [SWIZZLE_STOP_LENGTHS] = "the two loops have different lengths",
    [SWIZZLE_STOP_BEYOND] = "an element beyond the last register",
    [SWIZZLE_STOP_SINGLE] = "reserved: an SVP64Single prefix",
    NULL,
};

/* ---- run ---- */

struct state {
    struct swizzle_machine machine;
    struct observer observer;
    uint32_t cr[SVP64_ROW_WORDS];
};

static struct svp64_rows rows_of(struct outcome *out, uint32_t first)
{
    return (struct svp64_rows){.value = outcome_row(out, first, SVP64_ROW_WORDS),
                               .defined = out->defined + (size_t)first * SVP64_ROW_WORDS,
                               .touched = out->touched,
                               .first = first};
}

static struct svstate svstate_of(const struct swizzle_case *c)
{
    return (struct svstate){
        .vl = c->svstate_high >> SVSTATE_VL_SHIFT & 0x7F,
        .srcstep = c->svstate_high >> SVSTATE_SRCSTEP_SHIFT & 0x7F,
        .dststep = c->svstate_high >> SVSTATE_DSTSTEP_SHIFT & 0x7F,
        .ssubstep = c->svstate_high >> SVSTATE_SSUBSTEP_SHIFT & 3,
        .dsubstep = c->svstate_high >> SVSTATE_DSUBSTEP_SHIFT & 3,
        .pack = c->svstate_low & SVSTATE_PACK,
        .unpack = c->svstate_low & SVSTATE_UNPACK,
        .vertical_first = c->svstate_low & SVSTATE_VERTICAL_FIRST,
    };
}

static void observe_state(const struct run *r, struct swizzle_machine *m, const struct swizzle_insn *i)
{
    const struct swizzle_case *c = (const struct swizzle_case *)(const void *)r->tc->words;
    swizzle_observe_state(m, i, c->svstate_high >> SVSTATE_MAXVL_SHIFT, c->svstate_high, c->svstate_low);
}

static enum swizzle_stop run_insn(struct run *r, struct state *s, const uint32_t *words)
{
    struct swizzle_machine *m = &s->machine;
    struct swizzle_insn i;
    bool is_move = m->observer ? swizzle_observe_fields(m, words, &i) : swizzle_decode(words, &i);
    bool vector = i.field[SWIZZLE_PREFIX] && !i.field[SWIZZLE_SINGLE];
    enum swizzle_stop stop = !is_move                                             ? SWIZZLE_STOP_NO_SWIZZLE
                             : vector && !swizzle_has_mode(i.field[SWIZZLE_MODE]) ? SWIZZLE_STOP_MODE
                                                                                  : SWIZZLE_GO;
    if (m->observer)
        stop = swizzle_refuse(m, &i, words[1], stop);
    if (stop)
        return stop;
    if (i.field[SWIZZLE_PREFIX] && i.field[SWIZZLE_MASKMODE])
        image_row(r->tc, &fields[FIELD_CR], 0, s->cr);
    if (!m->observer)
        return swizzle_run_plain(m, &i);
    if (vector)
        observe_state(r, m, &i);
    return swizzle_run_observed(m, &i);
}

/* Traces one line: the instruction, and what each destination element received. */
static void trace_insn(const struct run *r, const struct swizzle_machine *m, const uint32_t *words)
{
    struct text t = {0};
    swizzle_print(words, &t);
    text_add(&t, ";");
    for (unsigned d = 0; d < SWIZZLE_ELEMENTS_MAX; d++) {
        uint32_t move = m->moves.value[d];
        if (move >= MOVE_COPY)
            text_add(&t, " d%u=s%u", d, (unsigned)(move - MOVE_COPY));
        else if (move)
            text_add(&t, " d%u=%s", d, received[move]);
    }
    r->trace(r->trace_context, text_chars(&t));
    text_free(&t);
}

static void run(struct run *r)
{
    const struct swizzle_case *c = (const struct swizzle_case *)(const void *)r->tc->words;
    struct state *s = r->state;
    struct swizzle_machine *m = &s->machine;
    enum swizzle_stop stop = SWIZZLE_GO;
    outcome_reset(r->out, r->tc);
    r->out->checked = m->checked = r->mode != RUN_PLAIN;
    m->profile = r->profile;
    m->coverage = r->coverage;
    m->observer = run_observer(r, &s->observer);
    m->filler = r->filler;
    m->gpr = rows_of(r->out, ROW_GPR);
    m->fpr = rows_of(r->out, ROW_FPR);
    m->moves = rows_of(r->out, ROW_MOVES);
    m->state = svstate_of(c);
    m->cr = s->cr;
    m->steps = 0;
    for (uint32_t n = 0; n < c->insn_count && !stop; n++) {
        stop = run_insn(r, s, c->insn[n]);
        if (r->mode == RUN_TRACED && !stop)
            trace_insn(r, m, c->insn[n]);
    }
    r->steps = m->steps;
    r->out->end = stop ? END_FAULT : END_DONE;
    r->out->reason = (uint16_t)stop;
}

static const struct bit_field *swizzle_bits(const uint32_t *words)
{
    struct swizzle_insn i;
    return swizzle_decode(words, &i) ? swizzle_fields : NULL;
}

const struct code swizzle_code = {
    .words = SWIZZLE_WORDS,
    .print = swizzle_print,
    .parse = swizzle_parse,
    .syntax = swizzle_syntax,
    .names = swizzle_syntax_names,
    .generate = swizzle_insn_generate,
    .mutate = swizzle_insn_mutate,
    .bits = swizzle_bits,
};

const struct unit svp64_swizzle_unit = {
    .name = "svp64-swizzle",
    .family = "svp64",
    .about = "Libre-SOC's swizzle moves mv.swiz and fmv.swiz, scalar and vectorised",
    .schema = {.fields = fields,
               .field_count = sizeof fields / sizeof *fields,
               .words = sizeof(struct swizzle_case) / sizeof(uint32_t)},
    .layout = {.regions = regions,
               .region_count = sizeof regions / sizeof *regions,
               .rows = ROWS,
               .row_words = SVP64_ROW_WORDS},
    .flow = &flow,
    .clauses = {{swizzle_clauses, SWIZZLE_CLAUSES}},
    .points = swizzle_points,
    .input_notes = swizzle_input_notes,
    .point_count = SWIZZLE_POINT_COUNT,
    .profiles = profiles,
    .best_profile = SWIZZLE_PROFILE_REPAIRED,
    .reasons = reasons,
    .code = &swizzle_code,
    .state_size = sizeof(struct state),
    .run = run,
    .generate = swizzle_case_generate,
    .mend = swizzle_case_mend,
};
