/* SPDX-License-Identifier: MIT */
/*
 * `mailbox`: the QPUs of the Raspberry Pi that this process runs on, through
 * the firmware's mailbox, or with `mailbox:registers` through the V3D's
 * registers. Cases are proven, wrapped and launched in batches by
 * harness/user_batch.h, those of vc4-vpm as programs (harness/vpm_program.h); this
 * file says who answers.
 */
#include "harness/user_batch.h"
#include "harness/vcio.h"
#include "harness/vpm_program.h"
#include "oracle/board.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

struct mailbox {
    struct vcio vcio;
    struct journal *journal;
    struct user_batch user;
    struct batch *batch;
    char reason[BATCH_CASES_MAX][BATCH_REASON];
    /* unit vc4-vpm: its cases as programs, and what these left */
    struct test_case *program;
    struct outcome *left[BATCH_CASES_MAX];
    char program_reason[BATCH_CASES_MAX][BATCH_REASON];
};

static enum batch_launch launch(void *context, uint32_t table, unsigned count, struct error *e)
{
    static const enum batch_launch results[] = {[VCIO_DONE] = BATCH_DONE, [VCIO_HUNG] = BATCH_HUNG, [VCIO_LOST] = BATCH_LOST};
    return results[vcio_launch(context, table, count, e)];
}

static bool reset(void *context, struct error *e)
{
    return vcio_reset(context, e);
}

/* How the model's name begins where the kernel underneath is a test's stand-in: its word is no hardware's. */
static const char fake[] = "Fake ";

static void identify(struct board *b, struct mailbox *m)
{
    struct vcio_facts f;
    struct board_identity *who = &b->identity;
    vcio_ask(&m->vcio, &f);
    (void)snprintf(who->description, sizeof who->description, "%s, revision %08" PRIx32 ", firmware %08" PRIx32 ", V3D %08" PRIx32 " %08" PRIx32,
                   f.model[0] ? f.model : "a Raspberry Pi", f.revision, f.firmware, f.ident[0], f.ident[1]);
    (void)snprintf(who->provenance, sizeof who->provenance, "V3D at %.0f MHz, %.1f degrees, throttled %" PRIx32 "; launched %s",
                   (double)f.clock_hz / 1e6, (double)f.millidegrees / 1e3, f.throttled, m->vcio.by_registers ? "by registers" : "by the firmware");
    who->silicon = strncmp(f.model, fake, sizeof fake - 1) != 0;
    who->memory_base = user_batch_memory_base(&m->user);
    who->code_base = user_batch_code_base(&m->user);
}

static void mailbox_close(struct board *b)
{
    struct mailbox *m = b->state;
    for (unsigned i = 0; i < BATCH_CASES_MAX; i++)
        outcome_free(m->left[i]);
    free(m->program);
    batch_free(m->batch);
    journal_close(m->journal);
    vcio_close(&m->vcio);
    free(m);
}

static bool is_vpm(const struct unit *u)
{
    return !strcmp(u->name, "vc4-vpm");
}

/* Room for the programs of vc4-vpm cases. */
static bool make_room(struct mailbox *m, const struct unit *u, struct error *e)
{
    if (!is_vpm(u))
        return true;
    m->program = malloc(BATCH_CASES_MAX * sizeof *m->program);
    if (!m->program)
        return error_memory(e, "for a board's cases");
    for (unsigned i = 0; i < BATCH_CASES_MAX; i++)
        m->left[i] = outcome_new(unit_named("vc4-qpu"));
    return true;
}

static bool check_words(const struct board *b, const char *argument, struct error *e)
{
    if (strcmp(b->unit->name, "vc4-qpu") != 0 && !is_vpm(b->unit))
        return error_set(e, "board mailbox runs units vc4-qpu and vc4-vpm, not %s", b->unit->name);
    return !*argument || !strcmp(argument, "registers") || error_set(e, "board 'mailbox:%.40s': it is mailbox, or mailbox:registers", argument);
}

static bool mailbox_open(struct board *b, const char *argument, struct error *e)
{
    if (!check_words(b, argument, e))
        return false;
    struct mailbox *m = calloc(1, sizeof *m);
    if (!m)
        return error_memory(e, "for a board's cases");
    uint64_t seed = 1;
    (void)!getrandom(&seed, sizeof seed, 0);
    m->vcio.fd = -1;
    b->state = m;
    bool good = vcio_open(&m->vcio, USER_BATCH_MEMORY, *argument != 0, e);
    if (good) {
        m->user.machine = (struct user_machine){.context = &m->vcio,
                                                .memory = {(uint32_t *)(void *)m->vcio.memory, m->vcio.bus},
                                                .bytes = m->vcio.bytes,
                                                .launch = launch,
                                                .reset = reset};
        m->journal = journal_open(getenv("MISPRINT_JOURNAL"), e);
        m->batch = m->journal ? batch_new(&user_batch_way, &m->user, unit_named("vc4-qpu"), m->journal, seed, e) : NULL;
        good = m->batch && make_room(m, b->unit, e);
    }
    if (good) {
        identify(b, m);
        return true;
    }
    struct error why = *e;
    if (m->vcio.fd >= 0)
        mailbox_close(b);
    else
        free(m);
    *e = why;
    return error_where(e, "board mailbox");
}

/* Cases of vc4-vpm as programs; those that cannot be one get their reason. */
static bool run_programs(struct mailbox *m, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, struct error *e)
{
    const struct test_case *list[BATCH_CASES_MAX];
    unsigned of[BATCH_CASES_MAX], programs = 0;
    for (unsigned i = 0; i < count; i++) {
        struct error why = {0};
        m->reason[i][0] = 0;
        if (vpm_program_make(cases[i], user_batch_memory_base(&m->user), &m->program[programs], &why)) {
            list[programs] = &m->program[programs];
            of[programs++] = i;
        } else {
            (void)snprintf(m->reason[i], BATCH_REASON, "%.250s", why.text);
        }
    }
    if (!batch_run(m->batch, list, programs, m->left, m->program_reason, e))
        return false;
    for (unsigned n = 0; n < programs; n++) {
        memcpy(m->reason[of[n]], m->program_reason[n], BATCH_REASON);
        vpm_program_outcome(cases[of[n]], m->left[n], outcomes[of[n]]);
    }
    return true;
}

static bool mailbox_run(struct board *b, const struct test_case *const *cases, unsigned count, struct outcome *const *outcomes, enum answer *answers,
                        struct error *e)
{
    struct mailbox *m = b->state;
    for (unsigned first = 0; first < count; first += BATCH_CASES_MAX) {
        unsigned some = count - first < BATCH_CASES_MAX ? count - first : BATCH_CASES_MAX;
        bool good = m->program ? run_programs(m, cases + first, some, outcomes + first, e)
                               : batch_run(m->batch, cases + first, some, outcomes + first, m->reason, e);
        if (!good)
            return error_where(e, "board mailbox");
        for (unsigned i = 0; i < some; i++) {
            answers[first + i] = ANSWER_OUTCOME;
            if (!m->reason[i][0])
                continue;
            answers[first + i] = ANSWER_REFUSED;
            outcome_reset(outcomes[first + i], cases[first + i]);
            outcomes[first + i]->end = END_REFUSED;
            board_give_reason(b, first + i, "%s", m->reason[i]);
        }
    }
    return true;
}

const struct board_kind board_mailbox = {
    .name = "mailbox",
    .form = "mailbox",
    .about = "the QPUs of this Raspberry Pi (1 to 3, Zero), through its firmware; needs root; mailbox:registers launches without the firmware",
    .as_root = true,
    .open = mailbox_open,
    .run = mailbox_run,
    .close = mailbox_close,
};
