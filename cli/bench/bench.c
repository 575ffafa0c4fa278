/* SPDX-License-Identifier: MIT */
/* `misprint bench`: how fast this build is on this machine, against what the project promises. */
#include "cli/bench/bench.h"
#include "cli/bench/bench_board.h"
#include "cli/bench/bench_coverage.h"
#include "cli/bench/bench_fuzz.h"
#include "cli/bench/bench_planted.h"
#include "cli/bench/bench_program.h"
#include "cli/bench/bench_store.h"
#include "cli/cli.h"
#include "cli/machine.h"
#include "fuzz/campaign/campaign.h"
#include "harness/launch/clock.h"
#include "model/core/memory.h"
#include "model/vc4/tmu/texture_layout.h"
#include "oracle/compare/executor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 5, CAMPAIGN_CASES = 300000, LONG_CAMPAIGN = 3000000 };

struct bench {
    const char *name;
    const char *about;
    const char *per;  /* what is counted, per second */
    double target;    /* that many per second on one core, Release */
    const char *unit; /* the unit measured */
    const char *text; /* a case or a program's name, for those that run one; of campaigns, the profile (NULL:
                         manual) */
    /* Does a share of the work (about a quarter of a second); returns how many it did. Negative: failed, with
     * `e`. 0: left out, `e` says why. */
    double (*work)(const struct bench *b, uint64_t round, struct error *e);
    const char *limit; /* what takes the time; NULL: nobody has looked yet */
};

/* Runs one case again and again on the model; counts the unit's own steps. */
static double run_steps(const struct bench *b, enum run_mode mode, struct error *e)
{
    const struct unit *u = unit_find(b->unit, e);
    struct test_case *c = memory_new(1, sizeof *c);
    struct profile p;
    double steps = -1;
    if (u && case_parse(c, b->text, strlen(b->text), e) &&
        profile_resolve(u, u->profiles[u->best_profile].name, &p, e)) {
        struct executor *x = executor_new(u);
        struct outcome *o = outcome_new(u);
        for (double end = clock_processor_seconds() + 0.25; clock_processor_seconds() < end;)
            executor_run(x, c, &p, mode, o);
        steps = (double)x->steps;
        outcome_free(o);
        executor_free(x);
    }
    free(c);
    return steps;
}

static double work_steps(const struct bench *b, uint64_t round, struct error *e)
{
    (void)round;
    return run_steps(b, RUN_PLAIN, e);
}

static double work_checked(const struct bench *b, uint64_t round, struct error *e)
{
    (void)round;
    return run_steps(b, RUN_CHECKED, e);
}

/* Ten million instructions as `misprint run` executes a bare program: checked, on the machine, in registers
 * that nobody has set. */
static double work_bare(const struct bench *b, uint64_t round, struct error *e)
{
    (void)round;
    return bench_program_bare(b->text, e);
}

static double run_program(const struct bench *b, bool checked, struct error *e)
{
    struct bench_program *p = bench_program_open(b->text, e);
    double steps = 0, more = 0;
    if (!p)
        return 0;
    for (double end = clock_processor_seconds() + 0.25; more >= 0 && clock_processor_seconds() < end;) {
        more = bench_program_run(p, checked, e);
        steps += more;
    }
    bench_program_close(p);
    return more < 0 ? more : steps;
}

static double work_program(const struct bench *b, uint64_t round, struct error *e)
{
    (void)round;
    return run_program(b, false, e);
}

static double work_program_checked(const struct bench *b, uint64_t round, struct error *e)
{
    (void)round;
    return run_program(b, true, e);
}

static double work_fuzz(const struct bench *b, uint64_t round, struct error *e)
{
    return bench_fuzz(b->unit, b->text ? b->text : "manual", 1 + round, CAMPAIGN_CASES, e);
}

static double work_long_fuzz(const struct bench *b, uint64_t round, struct error *e)
{
    return bench_fuzz(b->unit, b->text ? b->text : "manual", 1 + round, LONG_CAMPAIGN, e);
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

/* Texel to address in T format: a 1024 x 1024 image of 32-bit texels, texels in no order, as a look-up meets
 * them. */
static double work_t_format(const struct bench *b, uint64_t round, struct error *e)
{
    enum { TEXELS = 4096, SIZE = 1024 };
    (void)b, (void)e;
    struct random r;
    struct texture_grid g;
    uint32_t *x = memory_new((size_t)3 * TEXELS, sizeof *x), *y = x + TEXELS, *bit = y + TEXELS;
    double done = 0;
    random_seed(&r, round);
    texture_grid_set(&g, TEXTURE_T, 5, SIZE, SIZE, 0, false);
    for (unsigned i = 0; i < TEXELS; i++) {
        x[i] = random_below(&r, SIZE);
        y[i] = random_below(&r, SIZE);
    }
    for (double end = clock_processor_seconds() + 0.25; clock_processor_seconds() < end;) {
        for (unsigned i = 0; i < 256; i++) {
            texture_bits(&g, x, y, bit, TEXELS);
            x[i] = bit[i] % SIZE; /* so that every call is wanted */
        }
        done += 256 * TEXELS;
    }
    free(x);
    return done;
}

/* Both pipes busy in twelve of sixteen instructions, integer and float, all 16 lanes; a branch and its three
 * delay slots close the loop. */
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

/* The same as a bare program, whose registers are its own to set; of rb0 it never does. */
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

/* Four loads of 64 lanes each: linear, structured, swizzled, and scratch with the lane as index. */
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

/* A matrix product and a sum as a loop: eight instructions of a GP, both multipliers and both adders busy in
 * most, loads and stores in all. */
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
    "; mul1 mul reg0.y, "
    "load.y ; store0 $0 acc0, acc1\n"
    "  reg0 attr0 ; load u[1] ; acc0 add mul0@1, acc0@1 ; acc1 add mul1@1, acc1@1 ; mul0 mul reg0.y, load.z "
    "; mul1 mul reg0.y, "
    "load.w\n"
    "  reg0 attr0 ; load u[2] ; acc0 add mul0@1, acc0@1 ; acc1 add mul1@1, acc1@1 ; mul0 mul reg0.z, load.x "
    "; mul1 mul reg0.z, "
    "load.y ; complex mov load.w\n"
    "  reg0 attr0 ; reg1 $0 ; load u[2] ; acc0 add mul0@1, reg1.x ; acc1 add mul1@1, reg1.y ; mul0 mul "
    "reg0.z, load.z ; mul1 mul "
    "reg0.z, load.w ; pass mov complex@1\n"
    "  load u[3] ; acc0 add acc0@1, load.x ; acc1 add acc1@1, load.y ; mul0 mul mul0@1, load.z ; mul1 mul "
    "mul1@1, load.z ; pass "
    "mov load.w\n"
    "  load u[3] ; acc0 add acc0@1, mul0@1 ; acc1 add acc1@1, mul1@1 ; store0 v1 acc0, acc1 ; pass mov "
    "load.w ; branch 0\n"
    "}\n";

/* What limits a figure is what `perf` found on an Intel Xeon with AVX-512 when this was written. */
static const struct bench benches[] = {
    {"qpu-alu-loop", "QPU model, tight 16-lane ALU loop, both pipes", "instructions", 100e6, "vc4-qpu",
     alu_loop, work_steps,
     "the kernels of both pipes take half of the time, the loop over steps and the body the rest"},
    {"qpu-alu-checked", "the same with definedness tracked: at most four times slower", "instructions", 30e6,
     "vc4-qpu", alu_loop, work_checked,
     "masks of both results, and a look at each operation's operands for clauses that are not marked yet"},
    {"qpu-fft", "QPU model, the real gpu_fft_4k on eight QPUs", "instructions", 50e6, "vc4-qpu", "gpu_fft_4k",
     work_program, NULL},
    {"qpu-fft-checked", "the same with definedness tracked", "instructions", 15e6, "vc4-qpu", "gpu_fft_4k",
     work_program_checked, NULL},
    {"qpu-run", "misprint run: ten million instructions of a loop, both pipes, definedness tracked",
     "instructions", 30e6, "vc4-qpu", bare_loop, work_bare, NULL},
    {"qpu-disasm", "QPU decode and disassemble, generated words", "words", 5e6, "vc4-qpu", NULL,
     work_disassemble, "copying names into text; a tenth is decoding"},
    {"t-format", "T-format address of a texel, 32-bit texels in no order", "texels", 300e6, "vc4-tmu", NULL,
     work_t_format, "the address arithmetic alone, in the compiler's vectors"},
    {"fuzz-vc4-vpm", "misprint fuzz vc4-vpm, manual against virtual:bcm2835", "cases", 300e3, "vc4-vpm", NULL,
     work_fuzz, "moving DMA rows word by word (a fifth), bringing outcomes back to clean rows (a seventh)"},
    {"fuzz-vc4-tmu", "misprint fuzz vc4-tmu, manual against virtual:bcm2835", "cases", 300e3, "vc4-tmu", NULL,
     work_fuzz, "filtering texels of 16 elements one by one (a third)"},
    {"amd-address", "amd-buffer model, 64-lane loads: addresses, range checks and the data itself",
     "lane-addresses", 60e6, "amd-buffer", buffer_loads, work_steps, "range checks and loads lane by lane"},
    {"fuzz-amd-buffer", "misprint fuzz amd-buffer, manual against virtual:gfx1100", "cases", 150e3,
     "amd-buffer", NULL, work_fuzz,
     "spread thin: address resolution, stores, resetting outcomes, generation"},
    {"gp-loop", "utgard-gp model, a loop of eight instructions, four arithmetic units busy in most",
     "instructions", 20e6, "utgard-gp", gp_loop, work_steps, NULL},
    {"fuzz-utgard-gp",
     "misprint fuzz utgard-gp, programs of about 8 instructions, manual against virtual:mali400", "cases",
     200e3, "utgard-gp", NULL, work_fuzz,
     "1.4 plain runs a case and a fifth of a checked one, where undefined bits differ. Executing takes two "
     "fifths of the time, settling "
     "instructions an eighth, resetting outcomes a sixteenth; the rest, making cases and comparing outcomes, "
     "is spread thin"},
    {"fuzz-svp64-swizzle", "misprint fuzz svp64-swizzle, pseudocode against virtual:repaired", "cases", 500e3,
     "svp64-swizzle", NULL, work_fuzz,
     "finding who goes where (a quarter), moving it (a fifth), resetting outcomes (a tenth)"},
    {"fuzz-vc4-qpu",
     "misprint fuzz vc4-qpu, 16-instruction programs, manual against virtual:bcm2835 over 3,000,000 cases: "
     "three of four differ",
     "cases", 400e3, "vc4-qpu", NULL, work_long_fuzz,
     "the board's run of each case (a third), runs under the causes found so far where these cannot tell "
     "without (a quarter), making cases (an "
     "eighth), attribution over all evidence (an eighth); what a campaign spends at its beginning and end "
     "makes the first 300,000 half as many"},
    {"fuzz-qpu-equal", "the same against an equal board (bcm2835 both): generate, run on both, compare",
     "cases", 400e3, "vc4-qpu", "bcm2835", work_fuzz,
     "two runs: each about 3 us where the program is new, of which a third plans random instructions, and "
     "half of that where it ran before with other "
     "values; code that the host has not at hand, branches that it cannot foresee"},
};
enum { BENCHES = sizeof benches / sizeof *benches };

/* False: failed, with `e`; or left out, and `rate` is 0. */
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

/* Benches that are tools of their own. */
static const struct tool {
    const char *name;
    int (*run)(const struct arguments *a);
    enum option_id takes[8];
} tools[] = {{"board", bench_board, {OPTION_BOARD, OPTION_UNIT, OPTION_TIME, OPTION_JSON, OPTION_END}},
             {"coverage", bench_coverage, {OPTION_UNIT, OPTION_JSON, OPTION_QUIET, OPTION_END}},
             {"planted",
              bench_planted,
              {OPTION_UNIT, OPTION_CASES, OPTION_TIME, OPTION_SEED, OPTION_NO_CORPUS, OPTION_JSON,
               OPTION_QUIET, OPTION_END}}};
enum { TOOLS = sizeof tools / sizeof *tools };
static const enum option_id measures_take[] = {OPTION_JSON, OPTION_QUIET, OPTION_END};

/* An option that changes nothing would let somebody believe that it did. */
static bool check_options(const struct arguments *a, const enum option_id *takes, struct error *e)
{
    for (unsigned o = 0; o < OPTIONS; o++) {
        bool taken = !a->option[o];
        for (const enum option_id *t = takes; *t != OPTION_END; t++)
            taken |= *t == (enum option_id)o;
        if (!taken)
            return error_set(e, "bench %s takes no %s; `misprint help bench` says which bench takes what",
                             a->words ? a->word[0] : "without a name", option_name((enum option_id)o));
    }
    return true;
}

static bool is_bench(const char *name)
{
    for (unsigned i = 0; i < BENCHES; i++)
        if (!strcmp(name, benches[i].name))
            return true;
    return !strcmp(name, "store") || bench_store_name(name);
}

static bool check_name(const struct arguments *a, struct error *e)
{
    struct text all = {0};
    if (!a->words || is_bench(a->word[0]))
        return true;
    for (unsigned i = 0; i < TOOLS; i++)
        text_add(&all, "%s, ", tools[i].name);
    for (unsigned i = 0; i < BENCHES; i++)
        text_add(&all, "%s, ", benches[i].name);
    error_set(e, "there is no bench '%s'; there are %sstore; `misprint bench` runs all that measure",
              a->word[0], text_chars(&all));
    text_free(&all);
    return false;
}

static void say_progress(const struct arguments *a, const char *name)
{
    if (wants_progress(a))
        (void)fprintf(stderr, "\r\033[K%s", name);
}

static int run_bench(const struct arguments *a)
{
    struct error e = {0};
    const struct tool *tool = NULL;
    for (unsigned i = 0; a->words && i < TOOLS; i++)
        if (!strcmp(a->word[0], tools[i].name))
            tool = &tools[i];
    if (!check_options(a, tool ? tool->takes : measures_take, &e) || (!tool && !check_name(a, &e)))
        return fail(STATUS_USAGE, &e);
    if (tool)
        return tool->run(a);
    struct text t = {0};
    json_t *list = json_array();
    char machine[256];
    machine_describe(machine, sizeof machine);
    text_add(&t, "%s\nper second of one core's time; medians of %d (lowest to highest)\n", machine, REPEATS);
    for (unsigned i = 0; i < BENCHES; i++) {
        const struct bench *b = &benches[i];
        double rate[REPEATS];
        if (a->words && strcmp(a->word[0], b->name) != 0)
            continue;
        say_progress(a, b->name);
        if (!measure(b, rate, &e)) {
            say_progress(a, "");
            json_decref(list);
            text_free(&t);
            return fail(STATUS_BROKEN, &e);
        }
        double median = rate[REPEATS / 2];
        if (median <= 0 && a->words) { /* it was asked for */
            json_decref(list);
            text_free(&t);
            return fail(STATUS_BROKEN, &e);
        }
        if (median <= 0) {
            json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", b->name, "about", b->about,
                                                  "left_out", e.text));
            text_add(&t, "  %-15s left out: %s\n", b->name, e.text);
            e = (struct error){0};
            continue;
        }
        text_add(&t, "  %-15s %12.0f %s/s (%.0f to %.0f), %.2f of the target %.0f: %s\n", b->name, median,
                 b->per, rate[0], rate[REPEATS - 1], median / b->target, b->target, b->about);
        if (b->limit)
            text_add(&t, "%18slimit: %s\n", "", b->limit);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:s?}", "name", b->name,
                                              "about", b->about, "per_second_of", b->per, "median", median,
                                              "lowest", rate[0], "highest", rate[REPEATS - 1], "target",
                                              b->target, "limit", b->limit));
    }
    int status;
    bool stores = !a->words || !strcmp(a->word[0], "store") || bench_store_name(a->word[0]);
    say_progress(a, stores ? "store" : "");
    bool good = !stores || bench_store(a->words ? a->word[0] : NULL, &t, list, &e);
    say_progress(a, "");
    if (!good) {
        status = fail(STATUS_BROKEN, &e);
    } else if (a->option[OPTION_JSON]) {
        status = print_json(json_pack("{s:s, s:O}", "machine", machine, "benches", list), STATUS_EQUAL);
    } else {
        status = print_text(&t, STATUS_EQUAL);
    }
    json_decref(list);
    text_free(&t);
    return status;
}

const struct command command_bench = {
    .name = "bench",
    .synopsis = "[NAME]",
    .about = "measure speed on this machine",
    .details = "Measures what the project promises to be fast at, on one core, and prints medians beside the "
               "targets, and what limits each.\n\n"
               "  misprint bench board --board ssh:pi\n"
               "      launches and cases a second, by how many cases a board is given at once; and\n"
               "      this process's processor time a case. Of that, 'dry run' is the second proof:\n"
               "      each program runs in the model before it is launched (harness/verify/PROOF.md). 'Rest\n"
               "      of the host' is judging a case, wrapping its program, writing what it begins\n"
               "      with, poisoning and reading back what it leaves, comparing. Launches are the\n"
               "      driver's calls: taking programs (a kernel's validator looks at each, and it is\n"
               "      named in the command list), running them, waiting. A board that is not in\n"
               "      this process (ssh, exec) has no launches here\n"
               "  misprint bench coverage\n"
               "      what the ledger's feedback is worth: after how many cases a fuzzer that\n"
               "      knows nothing of the unit has touched all its clauses, with and without it\n"
               "  misprint bench planted\n"
               "      errata of all kinds are planted in virtual boards; each is looked for with\n"
               "      a budget of --cases and --time; a table (Markdown) says what was blamed\n"
               "  misprint bench store\n"
               "      what a campaign costs besides its cases: the store, memory, start-up\n\n"
               "One speed alone by its name: qpu-alu-loop, qpu-alu-checked, qpu-run, qpu-fft, "
               "qpu-fft-checked, qpu-disasm, t-format, amd-address, gp-loop,\n"
               "fuzz-vc4-vpm, fuzz-vc4-tmu, fuzz-vc4-qpu, fuzz-qpu-equal, fuzz-amd-buffer, fuzz-utgard-gp, "
               "fuzz-svp64-swizzle. These take --json and\n"
               "--quiet; board takes --board, --unit, --time, --json; coverage --unit, --json, --quiet; "
               "planted --unit, --cases, --time, --seed, "
               "--no-corpus, "
               "--json, "
               "--quiet.",
    .options = {OPTION_BOARD, OPTION_UNIT, OPTION_CASES, OPTION_TIME, OPTION_SEED, OPTION_NO_CORPUS,
                OPTION_JSON, OPTION_QUIET, OPTION_END},
    .most = 1,
    .run = run_bench,
};
