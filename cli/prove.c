/* SPDX-License-Identifier: MIT */
/* `misprint prove` says whether cases and programs pass the proofs that come before a run on a Raspberry Pi,
 * and if not, why. */
#include "harness/verify/prove.h"
#include "cli/cli.h"
#include "cli/run/run_inputs.h"
#include "cli/session/inputs.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/vc4/qpu/unit_qpu.h"
#include "oracle/describe/escape.h"
#include "oracle/files/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A reason for refusing, and how many cases were refused for it. */
struct reason {
    char text[300];
    uint64_t cases;
};

struct job {
    const struct arguments *a;
    struct prover *prover;
    struct test_case *program; /* a program of bare words, with its uniforms */
    struct words uniforms;
    const struct input *file; /* the current input */
    uint64_t number;          /* index of the case in that input */
    bool summed_up;           /* the user named a folder or a trace, so finish prints sums of the reasons */
    json_t *list;             /* NULL without --json */
    int written;              /* STATUS_EQUAL, unless writing a line failed */
    uint64_t passed, refused, refused_by[PROOF_KINDS], passed_over;
    struct reason *reason;
    unsigned reasons, room;
};

/* ---- one case ---- */

/* Adds the check that refused the case, and the place. Leaves out details that differ from case to case. */
static void print_proof(const struct job *j, const struct proof *p, struct text *t)
{
    text_add(t, "the %s", proof_names[p->by]);
    if (p->by != PROOF_DRY_RUN)
        return;
    text_add(t, " ");
    if (p->dry_run.under.campaign)
        text_add(t, "under the profile %s", j->a->option[OPTION_ALSO_UNDER]);
    else
        dry_run_print_under(&p->dry_run.under, t);
    if (!p->dry_run.own)
        text_add(t, ", in the code around the case,");
}

static void print_case(const struct job *j, const char *name, const struct proof *p, struct text *t)
{
    if (p->by == PROOF_PASSED) {
        const char *vpm = p->uses_vpm ? "; uses the VPM" : "";
        text_add(t, "%s: passes%s%s\n", name, vpm, p->uses_caches ? "; reads through caches" : "");
        return;
    }
    text_add(t, "%s: refused by ", name);
    print_proof(j, p, t);
    if (p->instruction >= 0)
        text_add(t, " at instruction %d", p->instruction);
    if (p->text[0])
        text_add(t, " (%s)", p->text);
    text_add(t, ": %s\n", p->why);
}

static const char *kind_of(const struct dry_run_refusal *r)
{
    static const char *const kinds[] = {"", "load", "store", "uniform", "vpm"}; /* enum vc4_breach_kind */
    return r->breach.kind ? kinds[r->breach.kind] : r->shared ? "shared" : r->flow ? "flow" : "stop";
}

static json_t *case_json(const struct job *j, const char *name, const struct proof *p)
{
    const struct dry_run_refusal *r = &p->dry_run;
    const struct unit *u = &vc4_qpu_unit;
    bool passes = p->by == PROOF_PASSED, dry = p->by == PROOF_DRY_RUN, at = p->instruction >= 0;
    bool proven = passes || dry || p->by == PROOF_WRAPPING;
    bool address = dry && (r->breach.kind == VC4_BREACH_LOAD || r->breach.kind == VC4_BREACH_STORE);
    const struct clause *c = dry && r->under.clause >= 0 ? unit_clause(u, (unsigned)r->under.clause) : NULL;
    const char *profile =
        r->under.campaign ? j->a->option[OPTION_ALSO_UNDER] : u->profiles[u->best_profile].name;
    /* "?": a NULL pointer becomes null */
    json_t *o = json_pack("{s:o, s:s, s:b, s:s?, s:o?, s:s?, s:o?}", "file", json_text(name), "unit",
                          j->file->unit->name, "passes", passes, "by", passes ? NULL : proof_names[p->by],
                          "instruction", at ? json_integer(p->instruction) : NULL, "text",
                          p->text[0] ? p->text : NULL, "own", at ? json_boolean(!dry || r->own) : NULL);
    json_t *more =
        json_pack("{s:o?, s:s?, s:s?, s:s?, s:o?, s:o?, s:o?, s:o?}", "profile",
                  dry ? json_text(profile) : NULL, "clause", c ? c->id : NULL, "reading",
                  c ? c->readings[r->under.reading].id : NULL, "kind", dry ? kind_of(r) : NULL, "address",
                  address ? json_sprintf("%08lx", (unsigned long)r->breach.at) : NULL, "why",
                  passes ? NULL : json_text(p->why), "uses_vpm", proven ? json_boolean(p->uses_vpm) : NULL,
                  "uses_caches", proven ? json_boolean(p->uses_caches) : NULL);
    json_object_update(o, more);
    json_decref(more);
    return o;
}

/* ---- counting ---- */

static void count_reason(struct job *j, const struct proof *p)
{
    struct text t = {0};
    char kind[sizeof j->reason->text];
    unsigned i = 0;
    print_proof(j, p, &t);
    text_add(&t, ": %s", p->why);
    text_kind(kind, sizeof kind, text_chars(&t) + strlen("the "));
    text_free(&t);
    while (i < j->reasons && strcmp(j->reason[i].text, kind) != 0)
        i++;
    if (i == j->room) {
        j->room = j->room ? 2 * j->room : 16;
        j->reason = memory_grow(j->reason, j->room, sizeof *j->reason);
    }
    if (i == j->reasons) {
        j->reason[j->reasons++].cases = 0;
        memcpy(j->reason[i].text, kind, sizeof kind);
    }
    j->reason[i].cases++;
}

static int most_first(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    return x->cases != y->cases ? (x->cases < y->cases ? 1 : -1) : strcmp(x->text, y->text);
}

static void print_reasons(struct job *j, struct text *t)
{
    qsort(j->reason, j->reasons, sizeof *j->reason, most_first);
    for (unsigned i = 0; i < j->reasons; i++)
        text_add(t, "%7" PRIu64 "  %s\n", j->reason[i].cases, j->reason[i].text);
}

static void print_sum(const struct job *j, struct text *t)
{
    uint64_t all = j->passed + j->refused;
    text_add(t, "%" PRIu64 " of %" PRIu64 " pass%s", j->passed, all, all == 1 ? "es" : "");
    const char *between = "; ", *verb = " refused";
    for (unsigned by = PROOF_PASSED + 1; by < PROOF_KINDS; by++)
        if (j->refused_by[by]) {
            text_add(t, "%s%" PRIu64 "%s by the %s", between, j->refused_by[by], verb, proof_names[by]);
            between = ", ";
            verb = "";
        }
    if (j->passed_over)
        text_add(t, "; %" PRIu64 " of other units skipped", j->passed_over);
    text_add(t, "\n");
}

static json_t *sum_json(const struct job *j)
{
    json_t *refused = json_object();
    for (unsigned by = PROOF_PASSED + 1; by < PROOF_KINDS; by++)
        json_object_set_new(refused, proof_names[by], json_integer((json_int_t)j->refused_by[by]));
    return json_pack("{s:O, s:I, s:o, s:I, s:b}", "files", j->list, "passed", (json_int_t)j->passed,
                     "refused", refused, "passed_over", (json_int_t)j->passed_over, "interrupted",
                     interrupted != 0);
}

/* ---- all cases ---- */

static bool give_uniforms(struct job *j, const struct test_case *c, struct error *e)
{
    const struct field *f = schema_field(&c->unit->schema, "uniforms");
    uint32_t *count;
    case_copy(j->program, c);
    struct case_uniform *item = (void *)case_items(j->program, f, &count);
    if (j->uniforms.count > f->max)
        return error_set(e, "--uniforms: %zu words, but at most %" PRIu32 " are allowed", j->uniforms.count,
                         f->max);
    *count = (uint32_t)j->uniforms.count;
    for (uint32_t i = 0; i < *count; i++)
        item[i] = (struct case_uniform){.value = j->uniforms.word[i]};
    return true;
}

/* Adds "FILE"; for a case of a trace, "FILE, LABEL". */
static void name_case(const struct job *j, const char *label, struct text *t)
{
    bool trace = j->file->kind == INPUT_TRACE;
    text_add(t, "%s", trace ? j->file->path : label);
    if (trace && label[0])
        text_add(t, ", %s", label);
    else if (trace)
        text_add(t, ", case %" PRIu64, j->number);
}

/* Counts a case. Prints the case if it was refused, if the user named its file, or with --all. */
static bool report_case(struct job *j, const char *name, const struct proof *p, struct error *e)
{
    bool passes = p->by == PROOF_PASSED, alone = j->file->named && j->file->kind != INPUT_TRACE;
    j->passed += passes;
    j->refused += !passes;
    j->refused_by[p->by]++;
    if (!passes)
        count_reason(j, p);
    if (j->list)
        return !json_array_append_new(j->list, case_json(j, name, p)) || error_memory(e, "for the list");
    if (passes && !alone && !j->a->option[OPTION_ALL])
        return true;
    struct text line = {0};
    print_case(j, name, p, &line);
    j->written = print_text(&line, STATUS_EQUAL);
    return j->written == STATUS_EQUAL;
}

static bool is_proven(const struct input *file)
{
    return file->unit == &vc4_qpu_unit || file->unit == &vc4_vpm_unit || file->unit == &v3d_qpu_unit;
}

static bool judge(void *context, const struct test_case *c, const char *label, struct error *e)
{
    struct job *j = context;
    struct proof p;
    struct text name = {0};
    bool program = j->file->kind == INPUT_PROGRAM;
    if (interrupted)
        return error_set(e, "interrupted: not all cases were judged");
    if (!is_proven(j->file)) {
        j->passed_over++;
        return true;
    }
    if (program && !give_uniforms(j, c, e))
        return false;
    (void)prover_judge(j->prover, program ? j->program : c, &p);
    j->number++;
    name_case(j, label, &name);
    bool good = report_case(j, text_chars(&name), &p, e);
    text_free(&name);
    return good;
}

static bool judge_all(struct job *j, const struct inputs *in, struct error *e)
{
    bool good = true;
    for (unsigned i = 0; good && i < in->count; i++) {
        j->file = &in->file[i];
        j->number = 0;
        good = input_each(j->file, judge, j, e);
    }
    return good;
}

/* ---- the command line ---- */

static bool refuse_unit(const struct input *file, struct error *e)
{
    const char *unit = file->unit->name;
    const char *why = strcmp(unit, "vc4-tmu")
                          ? "is not a unit of a Raspberry Pi; name cases of vc4-qpu, vc4-vpm or v3d-qpu"
                          : "reaches a Pi only through the kernel's driver, which checks cases itself";
    return error_set(e, "%s: %s %s", file->path, unit, why);
}

/* Refuses a named case of another unit, and folders without any case of these units. */
static bool check_units(const struct inputs *in, struct error *e)
{
    bool any = false;
    for (unsigned i = 0; i < in->count; i++) {
        any = any || is_proven(&in->file[i]);
        if (in->file[i].named && !is_proven(&in->file[i]))
            return refuse_unit(&in->file[i], e);
    }
    return any || error_set(e, "nothing was judged: there is no case of vc4-qpu, vc4-vpm or v3d-qpu");
}

static bool has_programs(const struct inputs *in)
{
    for (unsigned i = 0; i < in->count; i++)
        if (in->file[i].kind == INPUT_PROGRAM)
            return true;
    return false;
}

/* Reads and checks all options and inputs before the first case is judged. Returns NULL with an error. */
static struct inputs *open_job(struct job *j, struct error *e)
{
    unsigned lists;
    struct profile profile;
    const char *uniforms = j->a->option[OPTION_UNIFORMS], *also = j->a->option[OPTION_ALSO_UNDER];
    /* vc4-qpu has all clauses of vc4-vpm, too, so one profile serves both */
    if (also && !profile_load(&vc4_qpu_unit, also, &profile, e))
        return NULL;
    if (!word_lists_read("--uniforms", uniforms, &j->uniforms, 1, &lists, e))
        return NULL;
    prover_set_campaign(j->prover, &vc4_qpu_unit, also ? &profile : NULL);
    struct inputs *in = inputs_open(j->a, true, e);
    bool good = in && check_units(in, e);
    if (good && uniforms && !has_programs(in))
        good = error_set(e, "--uniforms is for bare words; a case has its own uniforms");
    for (unsigned i = 0; good && i < in->count; i++)
        j->summed_up |= !in->file[i].named || in->file[i].kind == INPUT_TRACE;
    if (good)
        return in;
    inputs_close(in);
    return NULL;
}

/* Prints the sums and returns the exit status. A refused case decides the status even after an interruption,
 * as a discrepancy does in other commands. */
static int finish(struct job *j, bool good, const struct error *e)
{
    struct text t = {0};
    int status = j->refused ? STATUS_DIFFERENT : STATUS_EQUAL;
    if (j->written != STATUS_EQUAL)
        return j->written;
    if (!good) {
        int failed = fail(interrupted ? STATUS_BROKEN : STATUS_USAGE, e);
        status = interrupted && j->refused ? status : failed;
    }
    if (j->list)
        return print_json(sum_json(j), status);
    if (j->summed_up && j->refused)
        print_reasons(j, &t);
    print_sum(j, &t);
    return print_text(&t, status);
}

static int run_prove(const struct arguments *a)
{
    struct error e = {0};
    struct job j = {.a = a, .prover = prover_new(), .program = memory_new(1, sizeof *j.program)};
    catch_interrupts();
    struct inputs *in = open_job(&j, &e);
    int status = STATUS_USAGE;
    if (in) {
        j.list = a->option[OPTION_JSON] ? json_array() : NULL;
        bool good = judge_all(&j, in, &e);
        status = finish(&j, good, &e);
    } else {
        status = fail(status, &e);
    }
    json_decref(j.list);
    free(j.reason);
    free(j.uniforms.word);
    free(j.program);
    prover_free(j.prover);
    inputs_close(in);
    return status;
}

const struct command command_prove = {
    .name = "prove",
    .synopsis = "FILE...",
    .about = "say whether cases would pass the checks before a Raspberry Pi",
    .examples = "  misprint prove corpus/vc4-vpm/vpm-fig8a.case\n"
                "  misprint prove my-campaign/cases --profile bcm2835,accumulator-count=five\n"
                "  misprint asm vc4-qpu program.s | misprint prove - --uniforms 3f800000,40",
    .details =
        "Judges each case as the board mailbox does before it launches it; no board is needed. First comes a "
        "static proof. Then a dry run runs the exact words in the model, under the silicon profile, under "
        "--profile, and under each other reading of the clauses that the case depends on. Prints which of "
        "them refused the case, under which reading, at which instruction, and why.\n\n"
        "A compute job of v3d-qpu has a static proof and runs in the model under all profiles.\n\n"
        "FILE is a case of vc4-qpu, vc4-vpm or v3d-qpu, a trace, a folder of them, or - for standard input. "
        "A file of "
        "bare words (hexadecimal, or raw little-endian bytes) is a program of vc4-qpu without initial state, "
        "with the uniforms of --uniforms. With --unit v3d-qpu, hexadecimal words are a compute program of "
        "V3D "
        "4.2. With --unit, raw bytes are a fuzzer's. For a case of vc4-vpm, "
        "instructions are those of the program that makes its accesses.\n\n"
        "The case's memory is assumed at bus address 40000000. On a board it is elsewhere, so a case that "
        "contains that number passes here and is refused there. A uniform written as @OFFSET works "
        "everywhere.\n\n"
        "For folders and traces, only refused cases are listed, then the reasons and how often they occur. "
        "Cases of other units are skipped and counted.\n\n"
        "Exit status: 0 all pass, 1 any is refused, 2 wrong use or bad input.",
    .options = {OPTION_ALSO_UNDER, OPTION_UNIT, OPTION_UNIFORMS, OPTION_ALL, OPTION_JSON, OPTION_END},
    .min_words = 1,
    .max_words = -1,
    .run = run_prove,
};
