/* SPDX-License-Identifier: MIT */
/*
 * `mailbox`: the QPUs of the Raspberry Pi that this process runs on, through
 * the firmware's mailbox, or with `mailbox:registers` through the V3D's
 * registers. Cases are proven, wrapped and launched in batches by
 * harness/vc4/user_batch.h; this file says who answers.
 */
#include "harness/vc4/device_tree.h"
#include "harness/vc4/user_batch.h"
#include "harness/vc4/vcio.h"
#include "oracle/board/board_batch.h"
#include "oracle/board/board_kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = BATCH_RUNS_QPU | BATCH_RUNS_VPM };

struct mailbox {
    struct vcio vcio;
    struct user_batch user;
    struct board_batch *batch;
};

static enum batch_launch launch(void *context, uint32_t table, unsigned count, struct error *e)
{
    static const enum batch_launch results[] = {[VCIO_DONE] = BATCH_DONE,
                                                [VCIO_MARKED] = BATCH_MARKED,
                                                [VCIO_HUNG] = BATCH_HUNG,
                                                [VCIO_LOST] = BATCH_LOST};
    return results[vcio_launch(context, table, count, e)];
}

static bool reset(void *context, struct error *e)
{
    return vcio_reset(context, e);
}

/* Whole degrees: tenths are another number each time. */
static void note_state(struct board *b, struct mailbox *m)
{
    struct vcio_state s;
    if (!board_state_is_due(b))
        return;
    vcio_ask_state(&m->vcio, &s);
    board_note_state(b, "V3D at %.0f MHz, %.0f degrees, throttled %" PRIx32, (double)s.clock_hz / 1e6,
                     (double)s.millidegrees / 1e3, s.throttled);
}

static void identify(struct board *b, struct mailbox *m)
{
    struct vcio_facts f;
    struct board_identity *who = &b->identity;
    vcio_ask(&m->vcio, &f);
    (void)snprintf(who->description, sizeof who->description,
                   "%s, revision %08" PRIx32 ", firmware %08" PRIx32 ", V3D %08" PRIx32 " %08" PRIx32,
                   f.model[0] ? f.model : "a Raspberry Pi", f.revision, f.firmware, f.ident[0], f.ident[1]);
    (void)snprintf(who->provenance, sizeof who->provenance, "launched %s",
                   m->vcio.by_registers ? "by registers" : "by the firmware");
    who->silicon = strncmp(f.model, DEVICE_TREE_FAKE, sizeof DEVICE_TREE_FAKE - 1) != 0;
    who->memory_base = user_batch_memory_base(&m->user);
    who->code_base = user_batch_code_base(&m->user);
}

static void mailbox_close(struct board *b)
{
    struct mailbox *m = b->state;
    board_batch_free(m->batch);
    user_batch_end(&m->user);
    vcio_close(&m->vcio);
    free(m);
}

/* All that needs root. */
static bool mailbox_take(struct board *b, const char *argument, struct error *e)
{
    if (*argument && strcmp(argument, "registers") != 0)
        return error_set(e, "board 'mailbox:%.40s': it is mailbox, or mailbox:registers", argument);
    struct mailbox *m = calloc(1, sizeof *m);
    if (!m)
        return error_memory(e, "for a board's cases");
    if (!vcio_open(&m->vcio, USER_BATCH_MEMORY, *argument, e)) {
        free(m);
        return error_where(e, "board mailbox");
    }
    b->state = m;
    b->answer_seconds = board_batch_answer_seconds(VCIO_LAUNCH_MS);
    return true;
}

static bool make_batch(const struct board *b, struct mailbox *m, struct error *e)
{
    m->user.machine = (struct user_machine){.context = &m->vcio,
                                            .memory = {m->vcio.memory, m->vcio.bus},
                                            .bytes = m->vcio.bytes,
                                            .launch = launch,
                                            .reset = reset};
    m->batch = user_batch_begin(&m->user, e) ? board_batch_new(b, &user_batch_way, &m->user, e) : NULL;
    return m->batch;
}

static bool mailbox_open(struct board *b, const char *argument, struct error *e)
{
    bool runs = board_batch_has_unit(b, RUNS, e) || error_where(e, "board mailbox");
    if (runs && (b->state || mailbox_take(b, argument, e))) {
        struct mailbox *m = b->state;
        if (make_batch(b, m, e)) {
            identify(b, m);
            b->proves = true;
            note_state(b, m);
            return true;
        }
        (void)error_where(e, "board mailbox");
    }
    if (b->state)
        mailbox_close(b);
    return false;
}

static bool mailbox_run(struct board *b, const struct test_case *const *cases, unsigned count,
                        struct outcome *const *outcomes, enum answer *answers, struct error *e)
{
    struct mailbox *m = b->state;
    if (!board_batch_run(m->batch, b, cases, count, outcomes, answers, e))
        return false;
    note_state(b, m);
    return true;
}

const struct board_kind board_mailbox = {
    .name = "mailbox",
    .form = "mailbox",
    .about = "the QPUs of this Raspberry Pi (1 to 3, Zero), through its firmware; needs root; "
             "mailbox:registers launches without the firmware",
    .take = mailbox_take,
    .open = mailbox_open,
    .run = mailbox_run,
    .close = mailbox_close,
};
