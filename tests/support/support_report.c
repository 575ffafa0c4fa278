/* SPDX-License-Identifier: MIT */
#include "tests/support/support_report.h"

#include "oracle/compare/executor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* --- the unit */

enum { LANES = 16, VPM_ROWS = 64, MEMORY_ROWS = 4, RA_ROWS = 3, FLAG_ROWS = 2 };
enum {
    VPM_FIRST = 0,
    MEMORY_FIRST = VPM_ROWS,
    RA_FIRST = MEMORY_FIRST + MEMORY_ROWS,
    FLAG_FIRST = RA_FIRST + RA_ROWS,
    ALL_ROWS = FLAG_FIRST + FLAG_ROWS
};
enum { CODE_MAX = 4 };

struct toy {
    uint32_t undefined_flags; /* "no", "yes" */
    uint32_t setup, value;
    struct {
        uint32_t count, item[2 * CODE_MAX];
    } code;
    CASE_IMAGE(VPM_ROWS, LANES) vpm;
};

static const char *const yes_no[] = {"no", "yes"}, *const sizes[] = {"8-bit", "16-bit", "32-bit", "reserved",
                                                                     NULL};
static const struct bit_field setup_bits[] = {{"ID", 30, 2, NULL},
                                              {"STRIDE", 12, 6, NULL},
                                              {"HORIZ", 11, 1, NULL},
                                              {"LANED", 10, 1, NULL},
                                              {"SIZE", 8, 2, sizes},
                                              {"ADDR", 0, 8, NULL},
                                              {0}};
static const struct bit_field instruction_bits[] = {{"sig", 60, 4, NULL},
                                                    {"unpack", 57, 3, NULL},
                                                    {"pm", 56, 1, NULL},
                                                    {"waddr_add", 38, 6, NULL},
                                                    {"straddles", 28, 8, NULL},
                                                    {"immediate", 0, 28, NULL},
                                                    {0}};

static const struct field fields[] = {
    {.name = "undefined-flags",
     .kind = FIELD_ENUM,
     .offset = CASE_AT(struct toy, undefined_flags),
     .max = 2,
     .names = yes_no,
     .about = "are flags undefined?"},
    {.name = "setup",
     .kind = FIELD_WORD,
     .offset = CASE_AT(struct toy, setup),
     .bits = setup_bits,
     .about = "write setup"},
    {.name = "value", .kind = FIELD_WORD, .offset = CASE_AT(struct toy, value), .about = "what is written"},
    {.name = "code",
     .kind = FIELD_CODE,
     .offset = CASE_AT(struct toy, code),
     .max = CODE_MAX,
     .about = "instructions"},
    {.name = "vpm",
     .kind = FIELD_IMAGE,
     .offset = CASE_AT(struct toy, vpm),
     .max = VPM_ROWS,
     .row_words = LANES,
     .about = "the memory before"},
};

static const char *const flag_names[] = {"zero", "carry"};
static const struct region regions[] = {
    {"vpm", "vertex pipe memory", VPM_ROWS, LANES, 32, DRAW_GRID, VPM_FIRST, "vpm", NULL},
    {"memory", "what the DMA wrote", MEMORY_ROWS, LANES, 32, DRAW_STRIP, MEMORY_FIRST, NULL, NULL},
    {"ra", "register file A", RA_ROWS, LANES, 32, DRAW_LANES, RA_FIRST, NULL, NULL},
    {"flags", "condition flags", FLAG_ROWS, LANES, 1, DRAW_BITS, FLAG_FIRST, NULL, flag_names},
};

static const struct clause clauses[TOY_CLAUSES] = {
    [TOY_ADDR] = {.id = "toy-addr",
                  .title = "ADDR bits of horizontal 8-bit access",
                  .where = "Toy Guide p57 T32",
                  .readings = {{"manual", "ADDR is {Y[5:0], B[1:0]}: the row number, then the byte.",
                                "Toy Guide p57 T32; three assemblers encode it so", EVIDENCE_SOURCE},
                               {"row-div-4", "The two low bits of the row number are dropped.",
                                "a blog's wording, taken literally", EVIDENCE_ARGUMENT}},
                  .in_profile = {0, 1},
                  .modes = (const char *const[]){"byte-0", "byte-1", "byte-2", "byte-3", NULL}},
    [TOY_ROUND] = {.id = "toy-round",
                   .title = "Rounding of sums",
                   .where = "Toy Guide p35 T11",
                   .readings = {{"manual", "Sums round to nearest.", "Toy Guide p35", EVIDENCE_DOCUMENT},
                                {"truncate", "Sums round toward zero.", "alu.csv, 675 of 675 rows",
                                 EVIDENCE_SILICON}},
                   .in_profile = {0, 1},
                   .proposed = "Results of `fadd` and `fsub` are rounded toward zero.",
                   .workaround = "Add half a unit first where it matters."},
    [TOY_FLAG] = {.id = "toy-flag",
                  .title = "C flag of sums",
                  .where = "Toy Guide p35",
                  .silent = true,
                  .readings = {{"manual", "C is not set.", "silence", EVIDENCE_ARGUMENT},
                               {"result-positive", "C = result > 0.", "alu.csv", EVIDENCE_SILICON}},
                  .in_profile = {0, 1}},
    [TOY_STALL] = {.id = "toy-stall",
                   .title = "Reads beyond NUM",
                   .where = "Toy Guide p56",
                   .readings = {{"manual", "The read returns at once.", "Toy Guide p56", EVIDENCE_DOCUMENT},
                                {"deadlock", "The read never returns.", "an assembler's notes",
                                 EVIDENCE_SOURCE}}},
    [TOY_UNTOUCHED] = {.id = "toy-untouched",
                       .title = "Something else",
                       .where = "Toy Guide p1",
                       .readings = {{"manual", "It is so.", "p1", EVIDENCE_DOCUMENT}}},
};

static const struct builtin_profile profiles[] = {{"manual", "the Toy Guide", NULL},
                                                  {"toy1", "what is known of the TOY1", "TOY1"},
                                                  {0}};
static const char *const reasons[] = {"", "a read that nothing will ever satisfy", NULL};

static void toy_print(const uint32_t *words, struct text *t)
{
    text_add(t, "toy 0x%08X, 0x%08X", words[1], words[0]);
}

static bool toy_parse(const char *chars, size_t count, uint32_t *words, struct error *e)
{
    char copy[64] = {0};
    memcpy(copy, chars, count < sizeof copy ? count : sizeof copy - 1);
    return sscanf(copy, "toy %x, %x", &words[1], &words[0]) == 2
               ? true
               : error_set(e, "column 1: expected an instruction");
}

static const struct bit_field *toy_bits(const uint32_t *words)
{
    (void)words;
    return instruction_bits;
}

/* Names of execution units. The first unit doubles. The third unit reads the first one's result one
 * instruction later, and from the third instruction on it reads too early. No instruction uses the second
 * unit. */
static const char *const toy_slot_names[] = {"doubler", "idler", "reader", NULL};

static void toy_slots(const uint32_t *program, uint32_t count, uint32_t index, struct code_slot *slots)
{
    (void)count;
    for (unsigned n = 0; n < 3; n++)
        slots[n] = (struct code_slot){.reads = 0};
    (void)snprintf(slots[0].text, sizeof slots[0].text, "double %u", program[2 * index] & 15);
    (void)snprintf(slots[2].text, sizeof slots[2].text, "take <it>");
    if (index)
        slots[2].read[slots[2].reads++] =
            (struct code_read){.index = (uint16_t)(index - 1), .slot = 0, .early = index > 1};
}

static const struct code toy_code = {.words = 2,
                                     .print = toy_print,
                                     .parse = toy_parse,
                                     .bits = toy_bits,
                                     .slot_names = toy_slot_names,
                                     .slots = toy_slots};

static void toy_run(struct run *r)
{
    const struct toy *c = (const struct toy *)r->tc->words;
    struct outcome *o = r->out;
    const uint8_t *reading = r->profile->reading;
    outcome_reset(o, r->tc);
    o->checked = r->mode != RUN_PLAIN;
    uint32_t y = (c->setup >> 2) & 63, b = c->setup & 3;
    cover(r->coverage, TOY_ADDR, b);
    cover(r->coverage, TOY_STALL, 0);
    if (reading[TOY_STALL]) {
        o->end = END_HANG;
        o->reason = 1;
        return;
    }
    y = reading[TOY_ADDR] ? y & ~UINT32_C(3) : y;
    outcome_touch(o, VPM_FIRST + y);
    outcome_touch(o, MEMORY_FIRST);
    for (uint32_t i = 0; i < LANES; i++) {
        uint32_t *word = outcome_row(o, VPM_FIRST + y, LANES) + i;
        *word = (*word & ~(UINT32_C(0xFF) << 8 * b)) | ((c->value + i) & 0xFF) << 8 * b;
        outcome_row(o, MEMORY_FIRST, LANES)[i] = *word;
    }
    for (uint32_t k = 0; k < c->code.count && k < RA_ROWS; k++) {
        cover(r->coverage, TOY_ROUND, 0);
        outcome_touch(o, RA_FIRST + k);
        for (uint32_t i = 0; i < LANES; i++)
            outcome_row(o, RA_FIRST + k, LANES)[i] =
                (c->code.item[2 * k] ^ i) - (reading[TOY_ROUND] && i % 5 == 1);
    }
    cover(r->coverage, TOY_FLAG, 0);
    outcome_touch(o, FLAG_FIRST + 1);
    for (uint32_t i = 0; i < LANES; i++)
        outcome_row(o, FLAG_FIRST + 1, LANES)[i] = reading[TOY_FLAG] ? i % 3 == 0 : 0;
    if (o->checked && c->undefined_flags)
        memset(o->defined + (FLAG_FIRST + 1) * LANES, 0, LANES * sizeof(uint32_t));
    r->steps = 1;
}

const struct unit toy_unit = {
    .name = "toy-vpm",
    .family = "toy",
    .about = "an invented unit",
    .schema = {.fields = fields,
               .field_count = sizeof fields / sizeof *fields,
               .words = sizeof(struct toy) / 4},
    .layout = {regions, sizeof regions / sizeof *regions, ALL_ROWS, LANES},
    .clauses = {{clauses, TOY_CLAUSES}},
    .profiles = profiles,
    .best_profile = 1,
    .reasons = reasons,
    .code = &toy_code,
    .run = toy_run,
};

/* --- campaigns */

const char toy_hostile[] = "\"'><script>alert(1)</script><img src=x onerror=alert(2)> ]]> --> `|` ``` "
                           "</pre></article> \xFF\xC0\xAF\x01\x1B[31m "
                           "\xE2\x80\xAE *a* [b](javascript:c) &amp;";

void toy_case(struct test_case *c)
{
    case_init(c, &toy_unit);
    struct toy *t = (struct toy *)c->words;
    t->setup = 1U << 12 | 1U << 11 | 2U << 2 | 1;
    t->value = 0xA0;
    t->code.count = 2;
    const uint32_t items[] = {0x3F5EDD42, 0xE0020827, 0x00000007, 0x100009E7};
    memcpy(t->code.item, items, sizeof items);
    t->vpm.fill = FILL_INDEX;
}

static const struct board_identity
    board_silicon = {"trace:corpus/toy/alu.trace",
                     "trace",
                     "Toy Pi 3 B, TOY2837, firmware 2019-06",
                     "recorded by N. N., published at a forum in 2019, MIT licence",
                     true,
                     MEMORY_BASE_DEFAULT,
                     CODE_BASE_DEFAULT,
                     "",
                     ""},
    board_virtual_toy = {"virtual:toy1",
                         "virtual",
                         "virtual board: the model of toy-vpm under profile toy1; no silicon",
                         "",
                         false,
                         MEMORY_BASE_DEFAULT,
                         CODE_BASE_DEFAULT,
                         "",
                         ""},
    board_program = {"exec:./emulator --fast",
                     "exec",
                     "an emulator",
                     "",
                     false,
                     MEMORY_BASE_DEFAULT,
                     CODE_BASE_DEFAULT,
                     "",
                     ""};

/* Fills a finding whose board follows the model under changed readings. */
static void toy_fill(struct finding *f, enum verdict verdict, const struct board_identity *b,
                     unsigned changes, const unsigned *clause, uint32_t value)
{
    struct test_case *c = calloc(1, sizeof *c);
    struct executor *x = executor_new(&toy_unit);
    struct outcome *o = outcome_new(&toy_unit);
    struct profile p = {0};
    memset(f, 0, sizeof *f);
    f->unit = &toy_unit;
    f->verdict = verdict;
    f->board = *b;
    f->cases = 41 + value;
    f->signature = UINT64_C(0x8000000000000000) + value;
    snprintf(f->profile, sizeof f->profile, "manual");
    toy_case(c);
    ((struct toy *)c->words)->value = 0xA0 + value;
    ((struct toy *)c->words)->undefined_flags = verdict == VERDICT_UNDEFINED;
    f->explanation.candidates = changes != 0;
    f->explanation.candidate[0].count = (uint8_t)changes;
    for (unsigned i = 0; i < changes; i++) {
        f->explanation.candidate[0].change[i].clause = (uint16_t)clause[i];
        f->explanation.candidate[0].change[i].reading = 1;
        p.reading[clause[i]] = 1;
    }
    if (changes)
        trials_begin(&f->trials, &toy_unit, &f->explanation.candidate[0]);
    f->trials.counted = changes != 0;
    f->trials.needed = f->trials.passed = f->cases;
    for (unsigned i = 0; i < f->trials.rivals; i++)
        f->trials.rival[i].cases = f->cases;
    executor_run(x, c, &p, RUN_PLAIN, o);
    if (verdict == VERDICT_UNEXPLAINED)
        outcome_row(o, RA_FIRST + 1, LANES)[5] ^= 0x00018000;
    finding_set_case(f, c, o, "alu.csv:17");
    finding_name(f);
    outcome_free(o);
    executor_free(x);
    free(c);
}

static void toy_runs(struct report *r)
{
    const struct board_identity *boards[] = {&board_silicon, &board_virtual_toy, &board_program};
    r->runs = 3;
    r->run = calloc(r->runs, sizeof *r->run);
    for (unsigned i = 0; i < r->runs; i++) {
        struct run_facts *f = &r->run[i];
        snprintf(f->command, sizeof f->command, "%s", i ? "fuzz" : "replay");
        snprintf(f->unit, sizeof f->unit, "%s", toy_unit.name);
        snprintf(f->profile, sizeof f->profile, "manual");
        snprintf(f->machine, sizeof f->machine, "AMD EPYC 7B13, gcc 12.2.0, Release, AVX2");
        f->board = *boards[i];
        f->seed = i ? UINT64_C(18446744073709551615) : 0;
        f->seconds = 0.5 + 10 * i;
        f->tally = (struct tally){.cases = 5460 + 3000000 * i,
                                  .compared = 5400 + 2999000 * i,
                                  .different = 310 + i,
                                  .predicted = 1000000 * i,
                                  .lanes = 87360,
                                  .bits = 2795520,
                                  .masked_model = 1234 * i,
                                  .masked_board = 777,
                                  .vacuous = 60,
                                  .answers = {5460 + 3000000 * i, i, 0, 2 * i}};
        f->tally.equal = f->tally.compared - f->tally.different - f->tally.predicted;
        f->coverage.modes[TOY_ADDR] = 3;
        f->coverage.modes[TOY_ROUND] = f->coverage.modes[TOY_FLAG] = f->coverage.modes[TOY_STALL] = 1;
    }
}

void toy_report(struct report *r)
{
    static const unsigned addr[] = {TOY_ADDR}, round_[] = {TOY_ROUND}, flag[] = {TOY_FLAG},
                          stall[] = {TOY_STALL}, both[] = {TOY_ADDR, TOY_ROUND};
    *r = (struct report){.title = "/home/me/campaigns/toy & co/", .dropped = 7, .findings = TOY_FINDINGS};
    struct finding *f = r->finding = calloc(TOY_FINDINGS, sizeof *f);
    toy_runs(r);
    toy_fill(&f[TOY_ERRATUM_SILICON], VERDICT_MANUAL_ERRATUM, &board_silicon, 1, round_, 0);
    toy_fill(&f[TOY_GAP_SILICON], VERDICT_MANUAL_GAP, &board_silicon, 1, flag, 1);
    toy_fill(&f[TOY_ERRATUM_VIRTUAL], VERDICT_MANUAL_ERRATUM, &board_virtual_toy, 1, addr, 2);
    toy_fill(&f[TOY_ENDS_VIRTUAL], VERDICT_MANUAL_ERRATUM, &board_virtual_toy, 1, stall, 3);
    toy_fill(&f[TOY_CANDIDATES], VERDICT_MANUAL_ERRATUM, &board_virtual_toy, 2, both, 4);
    toy_fill(&f[TOY_UNEXPLAINED], VERDICT_UNEXPLAINED, &board_program, 0, NULL, 5);
    toy_fill(&f[TOY_UNDEFINED], VERDICT_UNDEFINED, &board_program, 1, flag, 6);
    toy_fill(&f[TOY_FLAKY], VERDICT_FLAKY, &board_program, 0, NULL, 7);
    f[TOY_ERRATUM_VIRTUAL].board.silicon = true; /* reports must not believe this claim of a virtual board */
    f[TOY_UNDEFINED].explanation.masked = true;
    struct explanation *e = &f[TOY_CANDIDATES].explanation;
    e->candidate[e->candidates] = e->candidate[0];
    e->candidate[e->candidates++].change[1].clause = TOY_FLAG;
    e = &f[TOY_UNEXPLAINED].explanation;
    e->nearest.count = 1;
    e->nearest.change[0].clause = TOY_ROUND;
    e->nearest.change[0].reading = 1;
    e->nearest_bits = 1;
    snprintf(f[TOY_UNEXPLAINED].label, sizeof f->label, "%.127s", toy_hostile);
    snprintf(f[TOY_UNEXPLAINED].board.description, sizeof f->board.description, "%s", toy_hostile);
    snprintf(f[TOY_UNEXPLAINED].board.spec, sizeof f->board.spec, "exec:%s", toy_hostile);
    snprintf(r->run[2].board.provenance, sizeof r->run->board.provenance, "%s", toy_hostile);
    snprintf(r->run[2].machine, sizeof r->run->machine, "%s", toy_hostile);
    r->reasons = 1;
    r->reason = calloc(1, sizeof *r->reason);
    r->reason[0].cases = 7;
    snprintf(r->reason[0].reason, sizeof r->reason->reason, "no answer: %s", toy_hostile);
}

void toy_report_of(struct report *r, unsigned count)
{
    static const unsigned addr[] = {TOY_ADDR, TOY_ROUND, TOY_FLAG};
    *r = (struct report){.title = "many", .findings = count, .finding = calloc(count, sizeof *r->finding)};
    toy_runs(r);
    for (unsigned i = 0; i < count; i++)
        toy_fill(&r->finding[i], VERDICT_MANUAL_ERRATUM, &board_virtual_toy, 3, addr, i);
}

void toy_report_free(struct report *r)
{
    for (unsigned i = 0; i < r->findings; i++)
        finding_free_contents(&r->finding[i]);
    free(r->finding);
    free(r->run);
    free(r->reason);
}

unsigned occurrences(const char *in, const char *what)
{
    unsigned count = 0;
    for (const char *at = in; (at = strstr(at, what)); at += strlen(what))
        count++;
    return count;
}

void assert_has(const char *in, const char *what)
{
    if (!strstr(in, what))
        fail_msg("it does not say: %s", what);
}

void assert_lacks(const char *in, const char *what)
{
    const char *at = strstr(in, what);
    if (at)
        fail_msg("it says '%s': %.80s", what, at);
}
