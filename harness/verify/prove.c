/* SPDX-License-Identifier: MIT */
#include "harness/verify/prove.h"

#include "harness/vc4/program/vpm_program.h"
#include "harness/verify/v3d_verifier.h"
#include "harness/verify/verifier.h"
#include "model/core/memory.h"
#include "model/core/units.h"
#include "model/v3d/unit_v3d.h"
#include "model/vc4/qpu/encoding/qpu_insn.h"
#include "model/vc4/qpu/unit_qpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Addresses of the program's parts. Any addresses that do not overlap will do. */
enum {
    WINDOW = 0x40000000,
    UNIFORMS = 0x40100000,
    CODE = 0x40110000,
    INPUT = 0x40120000,
    OUTPUT = 0x40130000,
    STAMP = 0x51A4C0DE
};

const char *const proof_names[PROOF_KINDS] = {
    [PROOF_PASSED] = "",
    [PROOF_TRANSLATION] = "translation",
    [PROOF_STATIC] = "static proof",
    [PROOF_WRAPPING] = "wrapping",
    [PROOF_DRY_RUN] = "dry run",
    [PROOF_MODEL_RUN] = "run in the model",
};

struct prover {
    struct dry_run *dry_run;
    struct v3d_dry_run *v3d;
    struct outcome *initial;
    struct test_case *program; /* the program of a case of vc4-vpm */
    struct wrapper_image image;
    struct wrapper_program wrapped;
};

struct prover *prover_new(void)
{
    struct prover *p = memory_new(1, sizeof *p);
    p->dry_run = dry_run_new();
    p->v3d = v3d_dry_run_new();
    p->initial = outcome_new(&vc4_qpu_unit);
    p->program = memory_new(1, sizeof *p->program);
    return p;
}

void prover_free(struct prover *p)
{
    if (!p)
        return;
    dry_run_free(p->dry_run);
    v3d_dry_run_free(p->v3d);
    outcome_free(p->initial);
    free(p->program);
    free(p);
}

void prover_set_campaign(struct prover *p, const struct unit *u, const struct profile *profile)
{
    dry_run_set_campaign(p->dry_run, u, profile);
}

static bool refused(struct proof *out, enum proof_by by, const char *why)
{
    out->by = by;
    (void)snprintf(out->why, sizeof out->why, "%.390s", why);
    return false;
}

/* Cuts "instruction N " off the static proof's sentence, because `out` has a member for it. */
static const char *without_instruction(const char *why, int instruction)
{
    char begin[32];
    (void)snprintf(begin, sizeof begin, "instruction %d ", instruction);
    return strncmp(why, begin, strlen(begin)) ? why : why + strlen(begin);
}

static void print_instruction(const uint32_t *words, uint32_t count, struct proof *out)
{
    struct text t = {0};
    if (out->instruction < 0 || (uint32_t)out->instruction >= count)
        return;
    const uint32_t *word = words + 2 * out->instruction;
    qpu_print(word[0] | (uint64_t)word[1] << 32, &t);
    (void)snprintf(out->text, sizeof out->text, "%.90s", text_chars(&t));
    text_free(&t);
}

static bool refused_dry(struct prover *p, const struct qpu_case *q, struct proof *out)
{
    const struct dry_run_refusal *r = &out->dry_run;
    struct text why = {0};
    out->instruction = (int)r->instruction;
    if (r->own)
        print_instruction(q->program.word, q->program.count, out);
    else
        print_instruction(p->image.code, p->image.code_count, out);
    dry_run_print_what(r, &why);
    bool passed = refused(out, PROOF_DRY_RUN, text_chars(&why));
    text_free(&why);
    return passed;
}

/* Checks a job of v3d-qpu. */
static bool judge_v3d(struct prover *p, const struct test_case *c, struct proof *out)
{
    const struct v3d_case *job = (const void *)c->words;
    struct v3d_refusal r;
    struct text t = {0};
    bool proven = v3d_verifier_prove(c, WINDOW, &r);
    if (proven && v3d_dry_run(p->v3d, c, NULL, &r))
        return true;
    out->instruction = r.instruction;
    if (r.instruction >= 0 && (uint32_t)r.instruction < job->program.count) {
        v3d_print((enum v3d_generation)job->generation, v3d_join(job->program.word + 2 * r.instruction), &t);
        (void)snprintf(out->text, sizeof out->text, "%.90s", text_chars(&t));
    }
    text_free(&t);
    return refused(out, proven ? PROOF_MODEL_RUN : PROOF_STATIC, r.why.text);
}

bool prover_judge(struct prover *p, const struct test_case *c, struct proof *out)
{
    static const struct wrapper_slot slot = {
        .code = {NULL, CODE},
        .input = {NULL, INPUT},
        .output = {NULL, OUTPUT},
        .uniforms = {NULL, UNIFORMS},
        .window = WINDOW,
    };
    struct error e = {0};
    struct verifier_proof proof;
    *out = (struct proof){.instruction = -1};
    if (c->unit == &v3d_qpu_unit)
        return judge_v3d(p, c, out);
    if (c->unit == &vc4_vpm_unit) {
        if (!vpm_program_make(c, WINDOW, p->program, &e))
            return refused(out, PROOF_TRANSLATION, e.text);
        c = p->program;
    }
    const struct qpu_case *q = (const void *)c->words;
    if (!verifier_prove(c, WINDOW, &proof, &e)) {
        out->instruction = proof.refused_at;
        print_instruction(q->program.word, q->program.count, out);
        return refused(out, PROOF_STATIC, without_instruction(e.text, out->instruction));
    }
    out->uses_vpm = proof.vpm;
    out->uses_caches = proof.cached;
    outcome_reset(p->initial, c);
    if (!wrapper_build(c, &proof, p->initial, STAMP, &slot, &p->image, &p->wrapped, &e))
        return refused(out, PROOF_WRAPPING, e.text);
    if (dry_run_program(p->dry_run, &p->image, &p->wrapped, &slot, &out->dry_run))
        return true;
    return refused_dry(p, q, out);
}
