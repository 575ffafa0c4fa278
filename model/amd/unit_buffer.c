/* SPDX-License-Identifier: MIT */
#include "model/amd/unit_buffer.h"

#include "model/amd/points/buffer_observe.h"
#include "model/core/units.h"

#include <string.h>

/* ---- case ---- */

enum { FIELD_SGPR = 11, FIELD_VGPR, FIELD_MEMORY, FIELD_LDS, FIELD_CODE_INDEX };

#define WORD(field_name, member, usual, fields, text)                                                        \
    {                                                                                                        \
        .name = field_name, .kind = FIELD_WORD, .offset = CASE_AT(struct amd_case, member),                  \
        .initial = (usual), .bits = (fields), .about = text                                                  \
    }
#define DESCRIPTOR_WORD(field_name, number, usual, text)                                                     \
    {                                                                                                        \
        .name = field_name, .kind = FIELD_WORD, .offset = CASE_AT(struct amd_case, descriptor[number]),      \
        .initial = (usual), .bits_by = amd_descriptor_word_bits[number], .about = text                       \
    }
#define CHOICE(field_name, member, count, list, usual, text)                                                 \
    {                                                                                                        \
        .name = field_name, .kind = FIELD_ENUM, .offset = CASE_AT(struct amd_case, member), .max = (count),  \
        .names = (list), .initial = (usual), .about = text                                                   \
    }
#define IMAGE(field_name, member, rows, text)                                                                \
    {                                                                                                        \
        .name = field_name, .kind = FIELD_IMAGE, .offset = CASE_AT(struct amd_case, member), .max = (rows),  \
        .row_words = AMD_LANES, .about = text                                                                \
    }

static const char *const wave_names[] = {"wave64", "wave32", NULL};
static const char *const alignment_names[] = {"dword", "dword-strict", "strict", "unaligned", NULL};

enum { INITIAL_WORD_3 = 0x30016FAC }; /* 32_FLOAT, XYZW, OOB_SELECT complete: a raw view */

static const struct field fields[] = {
    CHOICE("generation", generation, AMD_GENERATIONS, amd_generation_names, AMD_GFX11,
           "generation of the instructions and the V#"),
    CHOICE("wave-size", wave_size, AMD_WAVE_SIZES, wave_names, AMD_WAVE64, "lanes of the wave"),
    CHOICE("alignment", alignment, 4, alignment_names, AMD_ALIGN_UNALIGNED, "SH_MEM_CONFIG.alignment_mode"),
    WORD("exec-low", exec[0], 0xFFFFFFFF, NULL, "EXEC, lanes 0 to 31"),
    WORD("exec-high", exec[1], 0xFFFFFFFF, NULL, "EXEC, lanes 32 to 63"),
    WORD("m0", m0, 0, NULL, "M0"),
    {.name = "vgprs",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct amd_case, vgprs),
     .min_value = 1,
     .max_value = AMD_VGPRS,
     .initial = AMD_VGPRS,
     .about = "vector registers that the wave has allocated"},
    DESCRIPTOR_WORD("descriptor-0", 0, 0,
                    "first word of the V#, in s8; BASE 0 is the start of the case's memory"),
    DESCRIPTOR_WORD("descriptor-1", 1, 0, "second word of the V#, in s9"),
    DESCRIPTOR_WORD("descriptor-2", 2, 0, "third word of the V#, in s10"),
    DESCRIPTOR_WORD("descriptor-3", 3, INITIAL_WORD_3, "fourth word of the V#, in s11"),
    [FIELD_SGPR] = IMAGE(
        "sgpr", sgpr, AMD_SGPR_ROWS,
        "initial scalar registers by operand code, 64 a row: s0 on, vcc at 106, trap temporaries at 108"),
    [FIELD_VGPR] = IMAGE("vgpr", vgpr, AMD_VGPRS, "initial vector registers, a row each, a word a lane"),
    [FIELD_MEMORY] = IMAGE("memory", memory, AMD_MEMORY_ROWS, "initial memory, from address 0 on"),
    [FIELD_LDS] = IMAGE("lds", lds, AMD_LDS_ROWS, "initial LDS of the wave"),
    [FIELD_CODE_INDEX] = {.name = "code",
                          .kind = FIELD_CODE,
                          .offset = CASE_AT(struct amd_case, insn_count),
                          .max = AMD_INSNS_MAX,
                          .about = "instructions, in order; each waits for the one before"},
};

/* ---- the V# as text ---- */

static enum amd_generation generation_of(const struct test_case *c)
{
    return (enum amd_generation)amd_case_of(c)->generation;
}

static void print_descriptor(const struct test_case *c, const uint32_t *words, struct text *t)
{
    amd_descriptor_print(generation_of(c), words, t);
}

static bool parse_descriptor(const struct test_case *c, const char *line, size_t from, size_t count,
                             uint32_t *words, struct error *e)
{
    return amd_descriptor_parse(generation_of(c), line, from, count, words, e);
}

static void judge_descriptor(const struct test_case *c, const uint32_t *words, struct text *t)
{
    const struct amd_descriptor_rule *rule;
    struct amd_descriptor d;
    unsigned n = 0;
    amd_descriptor_decode(generation_of(c), words, &d);
    while ((rule = amd_descriptor_check(generation_of(c), &d, &n)))
        text_add(t, "  %s %s (%s)\n", rule->field, rule->says, rule->source);
}

/* The first SGPR of the instruction's V#; -1 if it has none. */
static int descriptor_register(enum amd_generation g, const uint32_t *words)
{
    struct amd_insn i;
    if (!amd_decode_words(g, words, &i) || i.op->kind == AMD_CACHE)
        return -1;
    return (int)(i.op->encoding == AMD_SMEM ? i.srsrc * 2 : i.srsrc * 4);
}

/* The initial value of an SGPR. */
static uint32_t initial_sgpr(const struct test_case *c, uint32_t number)
{
    uint32_t words[AMD_LANES];
    if (number - AMD_DESCRIPTOR_SGPR < AMD_DESCRIPTOR_WORDS)
        return amd_case_of(c)->descriptor[number - AMD_DESCRIPTOR_SGPR];
    image_row(c, &fields[FIELD_SGPR], number / AMD_LANES, words);
    return words[number % AMD_LANES];
}

/* Prints the initial V# of each instruction, or the case's V# if no instruction has one. */
static void describe_descriptors(const struct test_case *c, struct text *t)
{
    const struct amd_case *a = amd_case_of(c);
    bool printed[AMD_SGPRS] = {false}, any = false;
    for (uint32_t n = 0; n <= a->insn_count; n++) {
        int first = n < a->insn_count ? descriptor_register(generation_of(c), a->insn[n])
                    : any             ? -1
                                      : AMD_DESCRIPTOR_SGPR;
        if (first < 0 || first > AMD_SGPRS - AMD_DESCRIPTOR_WORDS || printed[first])
            continue;
        any = printed[first] = true;
        uint32_t words[AMD_DESCRIPTOR_WORDS];
        text_add(t, "descriptor s[%d:%d]", first, first + AMD_DESCRIPTOR_WORDS - 1);
        for (uint32_t i = 0; i < AMD_DESCRIPTOR_WORDS; i++) {
            words[i] = initial_sgpr(c, (uint32_t)first + i);
            text_add(t, " %08x", words[i]);
        }
        text_add(t, ": ");
        print_descriptor(c, words, t);
        text_add(t, "\n");
        judge_descriptor(c, words, t);
    }
}

static const struct phrase descriptor = {.name = "descriptor",
                                         .first = CASE_AT(struct amd_case, descriptor),
                                         .words = AMD_DESCRIPTOR_WORDS,
                                         .print = print_descriptor,
                                         .parse = parse_descriptor,
                                         .judge = judge_descriptor,
                                         .describe = describe_descriptors};

/* ---- outcome ---- */

#define DWORDS(n) #n ".0", #n ".1", #n ".2", #n ".3" /* which instruction, which dword of a lane */
static const char *const trace_names[AMD_TRACE_ROWS + 1] = {DWORDS(0), DWORDS(1), DWORDS(2), DWORDS(3), NULL};

static const struct region regions[] = {
    {"vgpr", "vector registers, a word a lane", AMD_VGPRS, AMD_LANES, 32, DRAW_LANES, AMD_ROW_VGPR, "vgpr",
     NULL},
    {"sgpr", "scalar registers that scalar loads changed, by operand code", AMD_SGPR_ROWS, AMD_LANES, 32,
     DRAW_LANES, AMD_ROW_SGPR, "sgpr", NULL},
    {"memory", "the memory", AMD_MEMORY_ROWS, AMD_LANES, 32, DRAW_STRIP, AMD_ROW_MEMORY, "memory", NULL},
    {"lds", "the wave's LDS", AMD_LDS_ROWS, AMD_LANES, 32, DRAW_STRIP, AMD_ROW_LDS, "lds", NULL},
    {"decision",
     "outcome of each lane's dwords (row 4i + k: dword k of instruction i; scalar: row 4i, word n is dword "
     "n); low digit: 1 moved (high digit: bytes), 2 out of range, 3 misaligned, 4 not resident, 5 nothing to "
     "move (row 4i alone)",
     AMD_TRACE_ROWS, AMD_LANES, 8, DRAW_LANES, AMD_ROW_DECISION, NULL, trace_names},
    {"address", "the lanes' byte addresses; 0 where a lane is out of range or moves nothing", AMD_TRACE_ROWS,
     AMD_LANES, 32, DRAW_LANES, AMD_ROW_ADDRESS, NULL, trace_names},
    {"address-high", "bits of the addresses above the 32nd", AMD_TRACE_ROWS, AMD_LANES, 32, DRAW_LANES,
     AMD_ROW_ADDRESS_HIGH, NULL, trace_names},
    {"status", "sticky bits of TRAPSTS: MEM_VIOL, BUFFER_OOB", 1, AMD_STATUS_BITS, 1, DRAW_BITS,
     AMD_ROW_STATUS, NULL, NULL},
};

static const char *const result_names[] = {"off",        "moved",        "out of range",
                                           "misaligned", "not resident", "nothing to move",
                                           NULL}; /* by enum amd_decision */
static const struct reach reach = {.address = "address",
                                   .result = "decision",
                                   .memory = "memory",
                                   .group_rows = AMD_UNITS,
                                   .result_names = result_names};

static const struct builtin_profile profiles[] = {
    [AMD_PROFILE_MANUAL] =
        {"manual",
         "the literal text of the \"RDNA3\" guide (2023), or of the guide of an older GPU for its cases",
         NULL},
    [AMD_PROFILE_RDNA3_GUIDE] = {"rdna3-guide", "another name for manual", NULL},
    [AMD_PROFILE_GFX1100] = {"gfx1100", "best-known behaviour of RDNA 3, by the sources of the clauses",
                             "gfx1100"},
    [AMD_PROFILE_GFX1030] = {"gfx1030", "best-known behaviour of RDNA 2, in part inferred from RDNA 3",
                             "gfx1030"},
    [AMD_PROFILE_GFX900] = {"gfx900", "best-known behaviour of Vega, in part inferred from CDNA", "gfx900"},
    [AMD_PROFILE_GFX803] = {"gfx803", "best-known behaviour of GCN 3", "gfx803"},
    [AMD_PROFILE_GFX90A] = {"gfx90a", "best-known behaviour of CDNA 2, in part inferred from CDNA 3",
                            "gfx90a"},
    [AMD_PROFILE_GFX942] = {"gfx942",
                            "best-known behaviour of CDNA 3, in part measured on its successor gfx950",
                            "gfx942"},
    [AMD_PROFILE_GFX1200] = {"gfx1200", "best-known behaviour of RDNA 4, in part measured on gfx1201",
                             "gfx1200"},
    {NULL, NULL, NULL},
};

/* Chips that share the profile of another chip: LLVM 19 decodes 24,000 random words of buffer instructions
 * alike for both. gfx1010 to gfx1013, gfx810 and gfx908 are missing, because their instructions differ. */
static const struct chip_alias chips[] = {
    {"gfx1101", "gfx1100"}, {"gfx1102", "gfx1100"}, {"gfx1103", "gfx1100"}, {"gfx1150", "gfx1100"},
    {"gfx1151", "gfx1100"}, {"gfx1152", "gfx1100"}, {"gfx1031", "gfx1030"}, {"gfx1032", "gfx1030"},
    {"gfx1033", "gfx1030"}, {"gfx1034", "gfx1030"}, {"gfx1035", "gfx1030"}, {"gfx1036", "gfx1030"},
    {"gfx902", "gfx900"},   {"gfx904", "gfx900"},   {"gfx906", "gfx900"},   {"gfx909", "gfx900"},
    {"gfx90c", "gfx900"},   {"gfx940", "gfx942"},   {"gfx941", "gfx942"},   {"gfx1201", "gfx1200"},
    {"gfx801", "gfx803"},   {"gfx802", "gfx803"},   {"gfx805", "gfx803"},   {NULL, NULL},
};

/* The families are those of LLVM's list of processors. */
static const struct chip_alias not_modelled[] = {
    {"gfx950", "gfx942"},   {"gfx908", "gfx90a"},   {"gfx1010", "gfx1030"}, {"gfx1011", "gfx1030"},
    {"gfx1012", "gfx1030"}, {"gfx1013", "gfx1030"}, {"gfx810", "gfx803"},   {"gfx1170", "gfx1100"},
    {"gfx1250", "gfx1200"}, {"gfx1251", "gfx1200"}, {"gfx700", "gfx803"},   {"gfx701", "gfx803"},
    {"gfx702", "gfx803"},   {"gfx703", "gfx803"},   {"gfx704", "gfx803"},   {"gfx705", "gfx803"},
    {"gfx600", "gfx803"},   {"gfx601", "gfx803"},   {"gfx602", "gfx803"},   {NULL, NULL},
};

/* By enum amd_stop. */
static const char *const reasons[] = {
    "",
    "encoding that no document defines",
    "scalar operand that no document allows",
    "data format that no document defines",
    "an address depends on an undefined bit",
    NULL,
};

/* ---- run ---- */

struct state {
    struct amd_wave wave;
    struct buffer_plan plan;
    struct buffer_lanes lanes;
    struct buffer_kernels kernels;
    struct observer observer;
    uint64_t exec; /* the case's; a rule can change wave.exec */
};

static struct amd_rows rows_of(struct outcome *out, uint32_t first, uint32_t count)
{
    return (struct amd_rows){.value = outcome_row(out, first, AMD_LANES),
                             .defined = out->defined + first * AMD_LANES,
                             .touched = out->touched,
                             .first = first,
                             .rows = count};
}

/* Chooses the fastest kernels for this host, and those with observation points for the steps in which the run
 * observes values. */
static void choose_kernels(struct state *s)
{
    const struct amd_wave *w = &s->wave;
    const struct buffer_kernels *observed = &buffer_kernels_observed;
    s->kernels = *buffer_kernels();
    s->lanes.observed = false;
    if (!w->observer)
        return;
    bool places = amd_watches_places(w); /* bytes at separate addresses concern loads and stores, too */
    if (amd_watches_any(w, AMD_POINT_INDEX_VGPR, AMD_POINT_LANE_OFFSET))
        s->kernels.operands = observed->operands;
    if (places || amd_watches_checks(w) || amd_watches_any(w, AMD_POINT_ALIGN_GOOD, AMD_POINT_LANE_DECISION))
        s->kernels.resolve = observed->resolve;
    const bool conversions = amd_watches_any(w, AMD_POINT_CONVERTED_NAN, AMD_POINT_STORED_MAGNITUDE);
    if (places || conversions || amd_watches_any(w, AMD_POINT_LOAD_DWORD, AMD_POINT_LDS_ADDRESS))
        s->kernels.load = observed->load;
    if (places || conversions || amd_watches_any(w, AMD_POINT_LDS_ADDRESS, AMD_POINT_STORE_DONE))
        s->kernels.store = observed->store;
    if (amd_watches_any(w, AMD_POINT_STATUS_MEM_VIOL, AMD_POINT_TRACE_HIGH))
        s->kernels.note = observed->note;
}

static void begin(const struct run *r, struct state *s, const struct amd_case *c)
{
    struct amd_wave *w = &s->wave;
    struct outcome *out = r->out;
    outcome_reset(out, r->tc);
    out->checked = w->checked = r->mode != RUN_PLAIN;
    w->profile = r->profile;
    w->coverage = r->coverage;
    w->observer = run_observer(r, &s->observer);
    choose_kernels(s);
    w->filler = r->filler;
    w->generation = (enum amd_generation)c->generation;
    w->alignment = (enum amd_alignment)c->alignment;
    w->lanes = AMD_OBSERVE(WAVE_SIZE, c->wave_size == AMD_WAVE32, w->generation) ? 32 : 64;
    w->exec = (uint64_t)(w->lanes == 32 ? 0 : c->exec[1]) << 32 | c->exec[0];
    s->exec = w->exec;
    w->m0 = c->m0;
    w->vgprs = c->vgprs;
    memcpy(w->descriptor, c->descriptor, sizeof w->descriptor);
    w->vgpr = rows_of(out, AMD_ROW_VGPR, AMD_VGPRS);
    w->sgpr = rows_of(out, AMD_ROW_SGPR, AMD_SGPR_ROWS);
    w->memory = rows_of(out, AMD_ROW_MEMORY, AMD_MEMORY_ROWS);
    w->lds = rows_of(out, AMD_ROW_LDS, AMD_LDS_ROWS);
    w->decision = rows_of(out, AMD_ROW_DECISION, AMD_TRACE_ROWS);
    w->address = rows_of(out, AMD_ROW_ADDRESS, AMD_TRACE_ROWS);
    w->address_high = rows_of(out, AMD_ROW_ADDRESS_HIGH, AMD_TRACE_ROWS);
    w->status = rows_of(out, AMD_ROW_STATUS, 1);
}

enum { AMD_DECISION_MASK = 15 };

/* Notes for the trace that no active lane moves anything. */
static void move_nothing(struct amd_wave *w, const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned k = 0; k < AMD_UNITS; k++)
        for (unsigned n = 0; n < AMD_LANES; n++)
            l->decision[k][n] = w->exec >> n & 1 ? AMD_NOTHING : AMD_INACTIVE;
    l->any_in_pieces = false;
    l->plain = 0;
    l->zeroed = p->unbound_by_selector ? 0 : UINT64_MAX;
}

/* For each dword that is out of range in some lanes, remarks the address that the first of these lanes would
 * have accessed, and the comparison that failed. */
static void remark_range(const struct run *r, const struct state *s)
{
    const struct buffer_lanes *l = &s->lanes;
    for (unsigned k = 0; k < s->plan.units; k++) {
        unsigned out = 0, first = 0;
        for (unsigned n = AMD_LANES; n-- > 0;)
            if (l->decision[k][n] == AMD_OUT_OF_RANGE) {
                out++;
                first = n;
            }
        struct text t = {0};
        text_add(&t, "instruction %u, dword %u: %u lane%s out of range; lane %u, address 0x%llx: ",
                 s->wave.trace_row / AMD_UNITS, k, out, plural(out), first,
                 (unsigned long long)l->address[k][first]);
        buffer_explain_range(&s->plan, l, k, first, &t);
        if (out)
            r->remark(r->remark_context, text_chars(&t));
        text_free(&t);
    }
}

/* Zeros the dwords that a rule makes the instruction not move. */
static void clear_unmoved(const struct buffer_plan *p, struct buffer_lanes *l)
{
    for (unsigned k = p->units; k < AMD_UNITS; k++) {
        memset(l->data[k], 0, sizeof l->data[k]);
        memset(l->defined[k], 0xFF, sizeof l->defined[k]);
        memset(l->address[k], 0, sizeof l->address[k]);
        memcpy(l->decision[k], l->decision[0], sizeof l->decision[k]);
    }
}

static enum amd_stop run_vector(const struct run *r, struct state *s, const struct amd_insn *i)
{
    struct amd_wave *w = &s->wave;
    struct buffer_plan *p = &s->plan;
    struct buffer_lanes *l = &s->lanes;
    enum amd_stop stop = buffer_prepare(w, i, p);
    if (stop)
        return stop;
    if (p->effect == BUFFER_MOVES) {
        stop = s->kernels.operands(w, p, l);
        if (stop)
            return stop;
        l->zeroed = 0;
        s->kernels.resolve(w, p, l);
    } else {
        move_nothing(w, p, l);
        p->units = p->units ? p->units : 1;
    }
    if (w->observer)
        clear_unmoved(p, l);
    if (p->effect != BUFFER_UNTOUCHED) {
        if (p->atomic)
            buffer_atomic(w, p, l);
        else if (i->op->kind == AMD_STORE || i->op->kind == AMD_STORE_LDS)
            s->kernels.store(w, p, l);
        else
            s->kernels.load(w, p, l);
    }
    const bool moves = p->effect == BUFFER_MOVES;
    const uint32_t dwords = AMD_OBSERVE(TRACE_DWORDS, moves ? p->units : 1, moves, p->units, w->generation);
    for (unsigned k = 0; k < dwords && k < AMD_UNITS; k++)
        s->kernels.note(w, l, k, p->unit_bytes);
    if (r->remark && p->effect == BUFFER_MOVES)
        remark_range(r, s);
    return AMD_GO;
}

/* Returns false if a rule makes the opcode one that does not exist. */
static bool observe_insn(struct state *s, const uint32_t *words, struct amd_insn *i)
{
    struct amd_wave *w = &s->wave;
    if (!buffer_observe_insn(w, words, i))
        return false;
    const uint32_t first = (uint32_t)s->exec, last = (uint32_t)(s->exec >> 32);
    uint32_t low = AMD_OBSERVE(EXEC_LOW, first, w->generation, i->op->encoding, i->code, last),
             high = w->lanes == 32
                        ? 0
                        : AMD_OBSERVE(EXEC_HIGH, last, w->generation, i->op->encoding, i->code, first);
    w->exec = (uint64_t)high << 32 | low;
    return true;
}

static enum amd_stop run_insn(struct run *r, struct state *s, const uint32_t *words)
{
    struct amd_wave *w = &s->wave;
    struct amd_insn i;
    if (!amd_decode_words(w->generation, words, &i))
        return READING_IN(RESERVED_OPCODE, 0) ? AMD_GO : AMD_STOP_ENCODING;
    if (w->observer && !observe_insn(s, words, &i))
        return READING_IN(RESERVED_OPCODE, 0) ? AMD_GO : AMD_STOP_ENCODING;
    if (i.op->kind == AMD_CACHE)
        return AMD_GO;
    if (i.op->encoding == AMD_SMEM)
        return buffer_scalar(w, &i);
    enum amd_stop stop = run_vector(r, s, &i);
    r->steps += stop ? 0 : s->plan.units * (uint64_t)AMD_LANES;
    return stop;
}

/* Traces one line: the instruction, then for each dword the lanes' addresses or why they have none. */
static void trace_insn(const struct run *r, const struct state *s, const uint32_t *words)
{
    const struct amd_wave *w = &s->wave;
    static const char *const why[] = {"-", "", "out-of-range:", "misaligned:", "not-resident:", "nothing"};
    struct text t = {0};
    amd_code[w->generation].print(words, &t);
    for (unsigned k = 0; k < AMD_UNITS; k++) {
        const uint32_t *decision = amd_row(&w->decision, w->trace_row + k),
                       *address = amd_row(&w->address, w->trace_row + k);
        const uint32_t *high = amd_row(&w->address_high, w->trace_row + k);
        if (!outcome_touched(r->out, w->decision.first + w->trace_row + k))
            continue;
        text_add(&t, "; dword %u:", k);
        for (unsigned n = 0; n < AMD_LANES; n++) {
            uint32_t d = decision[n] & AMD_DECISION_MASK;
            text_add(&t, " %s", d < sizeof why / sizeof *why ? why[d] : "?");
            if (d == AMD_DONE || d == AMD_VIOLATION || d == AMD_NOT_RESIDENT)
                text_add(&t, "%llx", (unsigned long long)((uint64_t)high[n] << 32 | address[n]));
            else if (d == AMD_OUT_OF_RANGE) /* the address that it would have accessed */
                text_add(&t, "%llx", (unsigned long long)s->lanes.address[k][n]);
        }
    }
    r->trace(r->trace_context, text_chars(&t));
    text_free(&t);
}

static enum amd_stop observe_end(const struct state *s, const struct amd_case *c, uint32_t number,
                                 enum amd_stop stop)
{
    const struct amd_wave *w = &s->wave;
    struct amd_insn i;
    uint32_t encoding = AMD_ENCODINGS;
    if (amd_decode_words(w->generation, c->insn[number], &i))
        encoding = i.op->encoding;
    return AMD_OBSERVE_STOP(RUN_END, stop, w->generation, encoding, i.code, number, c->insn_count);
}

/* Returns the number of the instruction that the wave executes in place of instruction i. */
static uint32_t observe_number(const struct amd_wave *w, const struct amd_case *c, uint32_t i)
{
    const uint32_t now = AMD_OBSERVE(RUN_INSTRUCTION, i, w->generation, c->insn_count);
    return now < c->insn_count ? now : i;
}

static void run(struct run *r)
{
    const struct amd_case *c = amd_case_of(r->tc);
    struct state *s = r->state;
    enum amd_stop stop = AMD_GO;
    begin(r, s, c);
    r->steps = 0;
    for (uint32_t i = 0; i < c->insn_count && !stop; i++) {
        s->wave.trace_row = i * AMD_UNITS;
        if (s->wave.checked && ++s->wave.serial > UINT32_MAX / 4) {
            memset(s->wave.stamp, 0, sizeof s->wave.stamp);
            s->wave.serial = 1;
        }
        const uint32_t number = observe_number(&s->wave, c, i);
        stop = run_insn(r, s, c->insn[number]);
        if (s->wave.observer)
            stop = observe_end(s, c, number, stop);
        if (r->mode == RUN_TRACED && !stop)
            trace_insn(r, s, c->insn[number]);
    }
    r->out->end = stop == AMD_GO ? END_DONE : stop == AMD_STOP_UNDEFINED ? END_UNDEFINED : END_FAULT;
    r->out->reason = (uint16_t)stop;
}

const struct unit amd_buffer_unit = {
    .name = "amd-buffer",
    .family = "amd",
    .about = "GCN, RDNA and CDNA buffer instructions: addresses, range checks, formats, atomics",
    .schema = {.fields = fields,
               .field_count = sizeof fields / sizeof *fields,
               .words = sizeof(struct amd_case) / sizeof(uint32_t),
               .phrase = &descriptor},
    .layout = {.regions = regions,
               .region_count = sizeof regions / sizeof *regions,
               .rows = AMD_ROWS,
               .row_words = AMD_LANES},
    .reach = &reach,
    .clauses = {{amd_address_clauses, AMD_ADDRESS_CLAUSES},
                {amd_format_clauses, AMD_FORMAT_CLAUSES},
                {amd_special_clauses, AMD_SPECIAL_CLAUSES}},
    .profiles = profiles,
    .chips = chips,
    .not_modelled = not_modelled,
    .best_profile = AMD_PROFILE_GFX1100,
    .reasons = reasons,
    .points = amd_points,
    .point_aliases = amd_point_aliases,
    .input_notes = amd_input_notes,
    .name_value = amd_name_value,
    .point_count = AMD_POINT_COUNT,
    .code = &amd_code[AMD_GFX11],
    .state_size = sizeof(struct state),
    .run = run,
    .generate = amd_case_generate,
    .mend = amd_case_mend,
};
