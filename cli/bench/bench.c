/* SPDX-License-Identifier: MIT */
/* `misprint bench` measures the speed of this build on this machine against the project's targets. */
#include "cli/bench/bench.h"
#include "fuzz/campaign/campaign.h"
#include "harness/system/clock.h"
#include "harness/system/machine.h"
#include "model/core/memory.h"
#include "model/vc4/tmu/texture_layout.h"
#include "oracle/compare/executor.h"
#include "oracle/files/corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5 };

struct bench {
    const char *name;
    const char *about;
    const char *per;  /* what the rate counts */
    double target;    /* target for one core, in the Release build */
    const char *unit; /* the unit measured */
    const char *text; /* a case's text, a program's name, or the profile of a campaign */
    uint64_t cases;   /* number of cases of a campaign */
    bool checked;     /* runs track definedness */
    /* Works for about a quarter of a second, and returns how much it did. Negative: it failed, with an error.
     * 0: this machine cannot do the work; the error says why. */
    double (*work)(const struct bench *b, uint64_t round, struct error *e);
    const char *limit; /* what takes most of the time; NULL: unknown */
};

/* Runs one case repeatedly on the model; counts the unit's own steps. */
static double work_steps(const struct bench *b, uint64_t round, struct error *e)
{
    (void)round;
    const struct unit *u = unit_find(b->unit, e);
    struct test_case *c = memory_new(1, sizeof *c);
    struct profile p;
    double steps = -1;
    if (u && case_parse(c, b->text, strlen(b->text), e) &&
        profile_resolve(u, u->profiles[u->best_profile].name, &p, e)) {
        struct executor *x = executor_new(u);
        struct outcome *o = outcome_new(u);
        for (double end = clock_processor_seconds() + 0.25; clock_processor_seconds() < end;)
            executor_run(x, c, &p, b->checked ? RUN_CHECKED : RUN_PLAIN, o);
        steps = (double)x->steps;
        outcome_free(o);
        executor_free(x);
    }
    free(c);
    return steps;
}

static double work_bare(const struct bench *b, uint64_t round, struct error *e)
{
    (void)round;
    return bench_program_bare(b->text, e);
}

static double work_program(const struct bench *b, uint64_t round, struct error *e)
{
    (void)round;
    struct bench_program *p = bench_program_open(b->text, e);
    double steps = 0, more = 0;
    if (!p)
        return 0;
    for (double end = clock_processor_seconds() + 0.25; more >= 0 && clock_processor_seconds() < end;) {
        more = bench_program_run(p, b->checked, e);
        steps += more;
    }
    bench_program_close(p);
    return more < 0 ? more : steps;
}

static double run_campaign(const struct campaign_options *o, const struct corpus *corpus, struct error *e)
{
    struct generator_source *g = generator_new(o->unit, o->seed);
    struct case_source source = generator_as_source(g);
    struct run_facts facts = {0};
    struct campaign_result r = {0};
    if (corpus)
        generator_take_corpus(g, corpus, true);
    double done = campaign_run(o, &source, &facts, &r, e) ? (double)r.tally.cases : -1;
    campaign_free(&r);
    generator_free(g);
    return done;
}

/*
 * Runs a campaign as `misprint fuzz UNIT` does: it starts from misprint's corpus, and the board is the unit's
 * best-known silicon. The campaign ends after a number of cases, not seconds: in a fixed time, a busy machine
 * would run fewer cases, and the attribution at a campaign's start would weigh more.
 */
static double work_fuzz(const struct bench *b, uint64_t round, struct error *e)
{
    struct profile p;
    const struct unit *u = unit_find(b->unit, e);
    if (!u || !profile_resolve(u, b->text, &p, e))
        return -1;
    char best[64];
    snprintf(best, sizeof best, "virtual:%s", u->profiles[u->best_profile].name);
    struct board *board = board_open(best, u, e);
    char *folder = corpus_find();
    struct corpus *corpus = folder ? corpus_open(u, folder, e) : NULL;
    struct campaign_options o = {.unit = u,
                                 .profile = &p,
                                 .profile_name = b->text,
                                 .board = board,
                                 .seed = 1 + round,
                                 .max_cases = b->cases};
    double done = board && (corpus || !folder) ? run_campaign(&o, corpus, e) : -1;
    corpus_close(corpus);
    free(folder);
    board_close(board);
    return done;
}

static double work_disassemble(const struct bench *b, uint64_t round, struct error *e)
{
    enum { WORDS = 1 << 16 };
    const struct unit *u = unit_find(b->unit, e);
    if (!u)
        return -1;
    struct random r;
    random_seed(&r, round);
    uint32_t *words = memory_new((size_t)WORDS * u->code->words, sizeof *words);
    struct text t = {0};
    double done = 0;
    for (unsigned i = 0; i < WORDS; i++)
        u->code->generate(&r, words + i * u->code->words);
    for (double end = clock_processor_seconds() + 0.25; clock_processor_seconds() < end;) {
        text_clear(&t);
        for (unsigned i = 0; i < WORDS; i++)
            u->code->print(words + i * u->code->words, &t);
        done += WORDS;
    }
    text_free(&t);
    free(words);
    return done;
}

/* Computes addresses in T format: random texels of a 1024 x 1024 image of 32-bit texels. */
static double work_t_format(const struct bench *b, uint64_t round, struct error *e)
{
    enum { TEXELS = 4096, SIZE = 1024 };
    (void)b, (void)e;
    struct random r;
    struct texture_grid g;
    uint32_t *x = memory_new((size_t)3 * TEXELS, sizeof *x), *y = x + TEXELS, *bit = y + TEXELS;
    double done = 0;
    random_seed(&r, round);
    texture_grid_set(&g, TEXTURE_T, 5, texture_utiles[5], SIZE, SIZE, 0, false);
    for (unsigned i = 0; i < TEXELS; i++) {
        x[i] = random_below(&r, SIZE);
        y[i] = random_below(&r, SIZE);
    }
    for (double end = clock_processor_seconds() + 0.25; clock_processor_seconds() < end;) {
        for (unsigned i = 0; i < 256; i++) {
            texture_bits(&g, x, y, bit, TEXELS);
            x[i] = bit[i] % SIZE; /* uses the result, so that the compiler keeps the calls */
        }
        done += 256 * TEXELS;
    }
    free(x);
    return done;
}

/* A program that uses all 16 lanes, integers and floats. Both pipes are busy in every instruction except the
 * branch. */
static const char alu_loop[] = "misprint-case 1 vc4-qpu\n"
                               "limit = 1000000\n"
                               "acc row 0 = all 3f800000\n"
                               "acc row 1 = all 3f000000\n"
                               "acc row 2 = all 00000003\n"
                               "acc row 3 = all 3f400000\n"
                               "program {\n"
                               "  add r2, r2, r0 ; fmul r1, r1, r3\n"
                               "  fadd r0, r1, r3 ; v8adds r2, r2, r2\n"
                               "  xor r2, r2, r1 ; fmul r0, r0, r3\n"
                               "  fsub r1, r3, r0 ; mul24 r2, r2, r2\n"
                               "  shl r2, r2, r0 ; fmul r0, r1, r3\n"
                               "  fadd r1, r0, r1 ; v8min r2, r2, r0\n"
                               "  sub r2, r2, r1 ; fmul r1, r1, r3\n"
                               "  fmax r0, r1, r0 ; v8subs r2, r2, r1\n"
                               "  and r2, r2, r3 ; fmul r0, r0, r3\n"
                               "  fadd r1, r1, r0 ; mul24 r2, r2, r3\n"
                               "  ror r2, r2, r1 ; fmul r1, r1, r3\n"
                               "  fsub r0, r0, r1 ; v8max r2, r2, r1\n"
                               "  brr -128\n"
                               "  add r2, r2, r0 ; fmul r1, r1, r3\n"
                               "  fadd r0, r1, r3 ; v8adds r2, r2, r2\n"
                               "  or r2, r2, r1 ; fmul r0, r0, r3\n"
                               "}\n";

/* A similar program as bare words. It sets its own registers, except rb0. */
static const char bare_loop[] = "misprint-case 1 vc4-qpu\n"
                                "program {\n"
                                "  ldi r0, 0x3f800000\n"
                                "  ldi r1, 0x3f000000\n"
                                "  ldi r2, 0x00000003\n"
                                "  ldi r3, 0x3f400000\n"
                                "  add r2, r2, r0 ; fmul r1, r1, r3\n"
                                "  fadd r0, r1, r3 ; v8adds r2, r2, r2\n"
                                "  xor ra1, r2, r1 ; fmul r0, r0, r3\n"
                                "  fsub r1, r3, r0 ; mul24 r2, r2, r2\n"
                                "  brr -64\n"
                                "  add ra2, r2, rb0 ; fmul r1, r1, r3\n"
                                "  fadd r0, r1, r3 ; v8adds r2, r2, r2\n"
                                "  or r2, r2, r1 ; fmul r0, r0, r3\n"
                                "}\n";

/* Four loads of 64 lanes each: linear, structured, swizzled, and scratch indexed by lane. */
static const char buffer_loads[] = "misprint-case 1 amd-buffer\n"
                                   "descriptor-1 = 0x40100000\n"
                                   "descriptor-2 = 0x00001000\n"
                                   "descriptor-3 = 0x00616fac\n"
                                   "vgpr row 0 = all 00000007\n"
                                   "vgpr row 1 = all 00000008\n"
                                   "memory fill index\n"
                                   "code {\n"
                                   "  buffer_load_b32 v4, v1, s[8:11], 0 offen offset:4\n"
                                   "  buffer_load_b32 v5, v0, s[8:11], 0 idxen offset:4\n"
                                   "  buffer_load_b32 v6, v[0:1], s[8:11], 16 idxen offen\n"
                                   "  buffer_load_b32 v7, v0, s[8:11], 0 idxen offset:12\n"
                                   "}\n";

/* A matrix product and a sum, as a loop of eight instructions. Most of these keep both multipliers and both
 * adders busy. */
static const char gp_loop[] =
    "misprint-case 1 utgard-gp\n"
    "limit = 1000000\n"
    "attributes row 0 = 3f800000 40000000 40400000 3f800000\n"
    "memory row 0 = 3f800000 3f000000 3e800000 3f800000\n"
    "memory row 1 = 3e800000 3f800000 3f000000 3f000000\n"
    "memory row 2 = 3f000000 3e800000 3f800000 3e800000\n"
    "memory row 3 = 3dcccccd 3e4ccccd 3e99999a 3f800000\n"
    "program {\n"
    "  reg0 attr0 ; load u[0] ; mul0 mul reg0.x, load.x ; mul1 mul reg0.x, load.y ; pass mov load.w\n"
    "  reg0 attr0 ; load u[0] ; acc0 mov mul0@1 ; acc1 mov mul1@1 ; mul0 mul reg0.x, load.z ; mul1 mul "
    "reg0.x, load.w\n"
    "  reg0 attr0 ; load u[1] ; acc0 add mul0@1, acc0@1 ; acc1 add mul1@1, acc1@1 ; mul0 mul reg0.y, load.x "
    "; mul1 mul reg0.y, load.y ; store0 $0 acc0, acc1\n"
    "  reg0 attr0 ; load u[1] ; acc0 add mul0@1, acc0@1 ; acc1 add mul1@1, acc1@1 ; mul0 mul reg0.y, load.z "
    "; mul1 mul reg0.y, load.w\n"
    "  reg0 attr0 ; load u[2] ; acc0 add mul0@1, acc0@1 ; acc1 add mul1@1, acc1@1 ; mul0 mul reg0.z, load.x "
    "; mul1 mul reg0.z, load.y ; complex mov load.w\n"
    "  reg0 attr0 ; reg1 $0 ; load u[2] ; acc0 add mul0@1, reg1.x ; acc1 add mul1@1, reg1.y ; mul0 mul "
    "reg0.z, load.z ; mul1 mul reg0.z, load.w ; pass mov complex@1\n"
    "  load u[3] ; acc0 add acc0@1, load.x ; acc1 add acc1@1, load.y ; mul0 mul mul0@1, load.z ; mul1 mul "
    "mul1@1, load.z ; pass mov load.w\n"
    "  load u[3] ; acc0 add acc0@1, mul0@1 ; acc1 add acc1@1, mul1@1 ; store0 v1 acc0, acc1 ; pass mov "
    "load.w ; branch 0\n"
    "}\n";

/* The like for V3D, with operations that its QPU has. */
static const char v3d_loop[] = "misprint-case 1 v3d-qpu\n"
                               "limit = 1000000\n"
                               "acc row 0 = all 3f800000\n"
                               "acc row 1 = all 3f000000\n"
                               "acc row 2 = all 00000003\n"
                               "acc row 3 = all 3f400000\n"
                               "program {\n"
                               "  add r2, r2, r0 ; fmul r1, r1, r3\n"
                               "  fadd r0, r1, r3 ; sub r2, r2, r1\n"
                               "  xor r2, r2, r1 ; fmul r0, r0, r3\n"
                               "  fsub r1, r3, r0 ; smul24 r2, r2, r2\n"
                               "  shl r2, r2, r0 ; fmul r0, r1, r3\n"
                               "  fadd r1, r0, r1 ; umul24 r2, r2, r0\n"
                               "  sub r2, r2, r1 ; fmul r1, r1, r3\n"
                               "  fmax r0, r1, r0 ; add r2, r2, r1\n"
                               "  and r2, r2, r3 ; fmul r0, r0, r3\n"
                               "  fadd r1, r1, r0 ; smul24 r2, r2, r3\n"
                               "  ror r2, r2, r1 ; fmul r1, r1, r3\n"
                               "  fsub r0, r0, r1 ; sub r2, r2, r1\n"
                               "  b -128\n"
                               "  add r2, r2, r0 ; fmul r1, r1, r3\n"
                               "  fadd r0, r1, r3 ; sub r2, r2, r3\n"
                               "  or r2, r2, r1 ; fmul r0, r0, r3\n"
                               "}\n";

/* `limit` names the hot spots that `perf` showed on an Intel Xeon with AVX-512. */
static const struct bench benches[] = {
    {"qpu-alu-loop", "QPU model, tight 16-lane ALU loop, both pipes", "instructions", 100e6, "vc4-qpu",
     .text = alu_loop, .work = work_steps,
     .limit = "the kernels of both pipes (half), the loop over steps, the body"},
    {"qpu-alu-checked", "the same with definedness tracked", "instructions", 30e6, "vc4-qpu",
     .text = alu_loop, .checked = true, .work = work_steps,
     .limit = "masks of both results; looking for clauses that an operation touches"},
    {"v3d-alu-loop", "QPU model of V3D 4.2, a like loop", "instructions", 60e6, "v3d-qpu", .text = v3d_loop,
     .work = work_steps, .limit = "the loop over plans (two fifths), fmul and fadd"},
    {"qpu-fft", "QPU model, the real gpu_fft_4k on eight QPUs", "instructions", 50e6, "vc4-qpu",
     .text = "gpu_fft_4k", .work = work_program},
    {"qpu-fft-checked", "the same with definedness tracked", "instructions", 15e6, "vc4-qpu",
     .text = "gpu_fft_4k", .checked = true, .work = work_program},
    {"qpu-run", "misprint run: ten million instructions of a loop, both pipes, definedness tracked",
     "instructions", 30e6, "vc4-qpu", .text = bare_loop, .work = work_bare},
    {"qpu-disasm", "QPU decode and disassemble, generated words", "words", 5e6, "vc4-qpu",
     .work = work_disassemble, .limit = "copying names into text; decoding is a tenth"},
    {"t-format", "T-format addresses of random 32-bit texels", "texels", 300e6, "vc4-tmu",
     .work = work_t_format, .limit = "the address arithmetic alone, vectorised by the compiler"},
    {"fuzz-vc4-vpm", "misprint fuzz vc4-vpm, manual against virtual:bcm2835", "cases", 300e3, "vc4-vpm",
     .text = "manual", .cases = 300000, .work = work_fuzz,
     .limit = "moving DMA rows word by word (a fifth), resetting outcomes (a seventh)"},
    {"fuzz-vc4-tmu", "misprint fuzz vc4-tmu, manual against virtual:bcm2835", "cases", 300e3, "vc4-tmu",
     .text = "manual", .cases = 300000, .work = work_fuzz,
     .limit = "filtering texels of 16 elements one by one (a third)"},
    {"amd-address", "amd-buffer model, 64-lane loads: addresses, range checks and the data", "lane-addresses",
     60e6, "amd-buffer", .text = buffer_loads, .work = work_steps,
     .limit = "range checks and loads lane by lane"},
    {"fuzz-amd-buffer", "misprint fuzz amd-buffer, manual against virtual:gfx1100", "cases", 150e3,
     "amd-buffer", .text = "manual", .cases = 300000, .work = work_fuzz,
     .limit = "nothing alone: address resolution, stores, resetting outcomes, generation"},
    {"gp-loop", "utgard-gp model, a loop of eight instructions, all four arithmetic units busy in most",
     "instructions", 20e6, "utgard-gp", .text = gp_loop, .work = work_steps},
    {"fuzz-utgard-gp",
     "misprint fuzz utgard-gp, about 8 instructions a program, manual against virtual:mali400", "cases",
     200e3, "utgard-gp", .text = "manual", .cases = 300000, .work = work_fuzz,
     .limit =
         "executing 1.4 plain and 0.2 checked runs a case (two fifths), preparing instructions (an eighth)"},
    {"fuzz-svp64-swizzle", "misprint fuzz svp64-swizzle, pseudocode against virtual:repaired", "cases", 500e3,
     "svp64-swizzle", .text = "manual", .cases = 300000, .work = work_fuzz,
     .limit =
         "finding which element goes where (a quarter), moving it (a fifth), resetting outcomes (a tenth)"},
    {"fuzz-vc4-qpu",
     "misprint fuzz vc4-qpu, 16 instructions a program, manual against virtual:bcm2835, 3,000,000 cases of "
     "which three of four differ",
     "cases", 400e3, "vc4-qpu", .text = "manual", .cases = 3000000, .work = work_fuzz,
     .limit = "the board's runs (a third), runs under the causes found (a quarter), generation (an eighth), "
              "attribution over all evidence (an eighth); the first 300,000 cases are half as fast"},
    {"fuzz-qpu-equal", "the same against an equal board (bcm2835 both): generate, run on both, compare",
     "cases", 400e3, "vc4-qpu", .text = "bcm2835", .cases = 300000, .work = work_fuzz,
     .limit = "two runs of 3 us each for a new program (a third is preparing it), half that for a known "
              "one; cache misses and mispredicted branches of the host"},
    {"fuzz-v3d-qpu",
     "misprint fuzz v3d-qpu against an equal board (v3d42 both), 13 instructions a program: generate, run on "
     "both, "
     "compare",
     "cases", 240e3, "v3d-qpu", .text = "v3d42", .cases = 300000, .work = work_fuzz,
     .limit = "instructions of both runs (two fifths, of it a fifth in the SFU); generating, decoding and "
              "checking new programs (a fifth); setting up and reading out both runs (a fifth)"},
};
enum { BENCHES = sizeof benches / sizeof *benches };

/* Measures and sorts the rates. If this machine cannot run the bench, all rates are 0 and `e` says why. False
 * with an error if the bench failed. */
static bool measure(const struct bench *b, double rate[REPEATS], struct error *e)
{
    double first = b->work(b, 0, e); /* warms up */
    memset(rate, 0, REPEATS * sizeof *rate);
    if (first <= 0)
        return first >= 0;
    for (unsigned i = 0; i < REPEATS; i++) {
        double start = clock_processor_seconds(), done = b->work(b, i, e);
        if (done < 0)
            return false;
        rate[i] = done / (clock_processor_seconds() - start);
    }
    qsort(rate, REPEATS, sizeof *rate, by_value);
    return true;
}

/* Benches that take options of their own. */
static const struct tool {
    const char *name;
    int (*run)(const struct arguments *a);
    enum option_id takes[12];
} tools[] = {{"board", bench_board, {OPTION_BOARD, OPTION_UNIT, OPTION_TIME, OPTION_JSON, OPTION_END}},
             {"boards", bench_boards, {OPTION_BOARD, OPTION_UNIT, OPTION_TIME, OPTION_JSON, OPTION_END}},
             {"coverage", bench_coverage, {OPTION_UNIT, OPTION_JSON, OPTION_QUIET, OPTION_END}},
             {"planted",
              bench_planted,
              {OPTION_UNIT, OPTION_CASES, OPTION_TIME, OPTION_SEED, OPTION_NO_CORPUS, OPTION_JSON,
               OPTION_QUIET, OPTION_END}},
             {"rules", bench_rules, {OPTION_UNIT, OPTION_TIME, OPTION_JSON, OPTION_END}},
             {"unknown",
              bench_unknown,
              {OPTION_UNIT, OPTION_ONLY, OPTION_COUNT, OPTION_BOARDS, OPTION_TIME, OPTION_SEED, OPTION_JOBS,
               OPTION_RESULTS, OPTION_JSON, OPTION_QUIET, OPTION_END}}};
enum { TOOLS = sizeof tools / sizeof *tools };
static const enum option_id measures_take[] = {OPTION_JSON, OPTION_QUIET, OPTION_END};

/* Refuses options that the bench would ignore, because a user would believe that they act. */
static bool check_options(const struct arguments *a, const enum option_id *takes, struct error *e)
{
    for (unsigned o = 0; o < OPTIONS; o++) {
        bool taken = !a->option[o];
        for (const enum option_id *t = takes; *t != OPTION_END; t++)
            taken |= *t == (enum option_id)o;
        if (!taken)
            return error_set(e, "bench %s takes no %s; `misprint help bench` lists the options of each bench",
                             a->words ? a->word[0] : "without a name", option_name((enum option_id)o));
    }
    return true;
}

static bool check_name(const struct arguments *a, struct error *e)
{
    struct text all = {0};
    bool known = !a->words || !strcmp(a->word[0], "store") || bench_store_has(a->word[0]);
    for (unsigned i = 0; i < TOOLS; i++)
        text_add(&all, "%s, ", tools[i].name);
    for (unsigned i = 0; i < BENCHES; i++) {
        known |= a->words && !strcmp(a->word[0], benches[i].name);
        text_add(&all, "%s, ", benches[i].name);
    }
    if (!known)
        error_set(e, "unknown bench '%s'; there are %sstore; `misprint bench` runs all speed benches",
                  a->word[0], text_chars(&all));
    text_free(&all);
    return known;
}

static void print_progress(const struct arguments *a, const char *name)
{
    if (wants_progress(a))
        fprintf(stderr, "\r\033[K%s", name);
}

/* Measures one bench, and adds the result to the text and the list. Returns false with an error if the bench
 * failed, or if the user named it and this machine cannot run it. */
static bool run_one(const struct bench *b, bool named, struct text *t, json_t *list, struct error *e)
{
    double rate[REPEATS];
    if (!measure(b, rate, e) || (rate[0] <= 0 && named))
        return false;
    if (rate[0] <= 0) {
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", b->name, "about", b->about,
                                              "left_out", e->text));
        text_add(t, "  %-15s left out: %s\n", b->name, e->text);
        *e = (struct error){0};
        return true;
    }
    double median = rate[REPEATS / 2];
    text_add(t, "  %-15s %12.0f %s/s (%.0f to %.0f), %.2f of the target %.0f: %s\n", b->name, median, b->per,
             rate[0], rate[REPEATS - 1], median / b->target, b->target, b->about);
    if (b->limit)
        text_add(t, "%18slimit: %s\n", "", b->limit);
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:s?}", "name", b->name, "about",
                                    b->about, "per_second_of", b->per, "median", median, "lowest", rate[0],
                                    "highest", rate[REPEATS - 1], "target", b->target, "limit", b->limit));
    return true;
}

static int run_bench(const struct arguments *a)
{
    struct error e = {0};
    const char *name = a->words ? a->word[0] : NULL;
    const struct tool *tool = NULL;
    for (unsigned i = 0; name && i < TOOLS; i++)
        if (!strcmp(name, tools[i].name))
            tool = &tools[i];
    if (!check_options(a, tool ? tool->takes : measures_take, &e) || (!tool && !check_name(a, &e)))
        return fail(STATUS_USAGE, &e);
    if (tool)
        return tool->run(a);
    struct text t = {0};
    json_t *list = json_array();
    char machine[256];
    bool good = true;
    machine_describe(machine, sizeof machine);
    text_add(&t, "%s\nper second of one core's time; medians of %d (lowest to highest)\n", machine, REPEATS);
    for (unsigned i = 0; good && i < BENCHES; i++)
        if (!name || !strcmp(name, benches[i].name)) {
            print_progress(a, benches[i].name);
            good = run_one(&benches[i], name != NULL, &t, list, &e);
        }
    if (good && (!name || !strcmp(name, "store") || bench_store_has(name))) {
        print_progress(a, "store");
        good = bench_store(name, &t, list, &e);
    }
    print_progress(a, "");
    if (good)
        return print_result(a, &t, json_pack("{s:s, s:o}", "machine", machine, "benches", list),
                            STATUS_EQUAL);
    json_decref(list);
    text_free(&t);
    return fail(STATUS_BROKEN, &e);
}

static void list_benches(struct text *t)
{
    text_add(t, "\nThe speed benches, and the options that each bench takes:\n\n");
    for (unsigned i = 0; i < BENCHES; i++)
        text_add(t, "  %s\n", benches[i].name);
    text_add(t, "  store\n\n  all of these  --json --quiet\n");
    for (unsigned i = 0; i < TOOLS; i++) {
        size_t column = 15;
        text_add(t, "  %-13s", tools[i].name);
        for (const enum option_id *o = tools[i].takes; *o != OPTION_END; o++) {
            column += 1 + strlen(option_name(*o));
            if (column > 80) {
                text_add(t, "\n%15s", "");
                column = 16 + strlen(option_name(*o));
            }
            text_add(t, " %s", option_name(*o));
        }
        text_add(t, "\n");
    }
}

const struct command command_bench = {
    .name = "bench",
    .synopsis = "[NAME]",
    .about = "measure speed on this machine",
    .examples = "  misprint bench\n"
                "  misprint bench board --board ssh:pi",
    .details =
        "Measures the speed of this build on one core, and prints medians beside the project's targets and "
        "what takes most of the time. With a name it runs one bench. Seven names are tools of another "
        "kind:\n\n"
        "  misprint bench board\n"
        "      launches and cases a second of a board, by how many cases it gets at once,\n"
        "      and the processor time that this process spends on a case. 'Dry run' is\n"
        "      for running each program in the model before it is launched\n"
        "      (harness/verify/PROOF.md). 'Rest of the host' is judging cases, wrapping\n"
        "      programs, writing what they start with, poisoning, reading back and\n"
        "      comparing. A launch is the time in the driver: it takes the programs, runs\n"
        "      them and waits. A board outside this process (ssh, exec) shows no launches\n"
        "  misprint bench boards\n"
        "      cases a second of the built-in virtual board and of the same model behind\n"
        "      the board protocol; with --board plugin:FILE.so also of that library,\n"
        "      inline and in a child, and what is left of the speed if one case in 1,000\n"
        "      crashes. All answer the same cases, and all answers must be equal. The\n"
        "      library is the model itself, as tests/devices builds it\n"
        "  misprint bench coverage\n"
        "      how many cases a fuzzer that knows nothing of a unit needs to touch the\n"
        "      clauses, with and without the ledger's counters as feedback\n"
        "  misprint bench planted\n"
        "      plants errata of all kinds in virtual boards, searches for each within\n"
        "      --cases and --time, and prints a table (Markdown) of what was found\n"
        "  misprint bench rules\n"
        "      cases a second of the model alone: without rules in the profile, with one\n"
        "      at the point that values pass least often (rare), at the one in the middle\n"
        "      (usual) or at the one that they pass most often, and with eight. The rules\n"
        "      change no value\n"
        "  misprint bench unknown\n"
        "      hides readings of the ledger from `misprint learn`, one, two or four at\n"
        "      once, learns boards that follow them, and prints tables of what was stated\n"
        "      (docs/unknown.md). --unit takes several units with commas between them\n"
        "  misprint bench store\n"
        "      what a campaign costs besides its cases: the store, memory, start-up\n",
    .list = list_benches,
    .options = {OPTION_BOARD, OPTION_UNIT, OPTION_CASES, OPTION_TIME, OPTION_SEED, OPTION_NO_CORPUS,
                OPTION_ONLY, OPTION_COUNT, OPTION_BOARDS, OPTION_JOBS, OPTION_RESULTS, OPTION_JSON,
                OPTION_QUIET, OPTION_END},
    .max_words = 1,
    .run = run_bench,
};
