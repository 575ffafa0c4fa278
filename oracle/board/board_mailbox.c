/* SPDX-License-Identifier: MIT */
/*
 * `mailbox`: the QPUs of the Raspberry Pi that this process runs on, through the firmware's mailbox.
 * `mailbox:registers` launches through the V3D's registers instead. harness/vc4/user_launch.h proves, wraps
 * and launches the cases; this file fills in the board's identity and state.
 */
#include "harness/vc4/device_tree.h"
#include "harness/vc4/user_launch.h"
#include "harness/vc4/vcio.h"
#include "model/core/memory.h"
#include "oracle/board/board_kind.h"
#include "oracle/board/board_launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mailbox {
    struct vcio vcio;
    struct user_launch user;
};

static enum launch_result launch(void *context, uint32_t table, unsigned count, struct error *e)
{
    static const enum launch_result results[] = {
        [VCIO_DONE] = LAUNCH_DONE,
        [VCIO_HW_ERROR] = LAUNCH_HW_ERROR,
        [VCIO_HUNG] = LAUNCH_HUNG,
        [VCIO_LOST] = LAUNCH_LOST,
    };
    return results[vcio_launch(context, table, count, e)];
}

static bool reset(void *context, struct error *e)
{
    return vcio_reset(context, e);
}

/* Rounds to whole degrees, because tenths would change with every reading. */
static void note_state(struct board *b)
{
    struct mailbox *m = b->state;
    struct vcio_state s;
    vcio_ask_state(&m->vcio, &s);
    board_note_state(b, "V3D at %.0f MHz, %.0f degrees, throttled %" PRIx32, (double)s.clock_hz / 1e6,
                     (double)s.millidegrees / 1e3, s.throttled);
}

static void identify(struct board *b)
{
    struct mailbox *m = b->state;
    struct vcio_facts f;
    struct board_identity *who = &b->identity;
    vcio_ask(&m->vcio, &f);
    (void)snprintf(who->description, sizeof who->description,
                   "%s, revision %08" PRIx32 ", firmware %08" PRIx32 ", V3D %08" PRIx32 " %08" PRIx32,
                   f.model[0] ? f.model : "a Raspberry Pi", f.revision, f.firmware, f.ident[0], f.ident[1]);
    (void)snprintf(who->provenance, sizeof who->provenance, "launched %s",
                   m->vcio.by_registers ? "by registers" : "by the firmware");
    who->silicon = strncmp(f.model, DEVICE_TREE_FAKE, sizeof DEVICE_TREE_FAKE - 1) != 0;
    who->memory_base = user_launch_memory_base(&m->user);
    who->code_base = user_launch_code_base(&m->user);
    b->proves = true;
}

static void mailbox_close(struct board *b)
{
    struct mailbox *m = b->state;
    board_launch_free(b);
    user_launch_end(&m->user);
    vcio_close(&m->vcio);
    free(m);
}

static bool take(struct board *b, const char *argument, struct error *e)
{
    if (*argument && strcmp(argument, "registers") != 0)
        return error_set(e, "there is no 'mailbox:%.40s', only mailbox and mailbox:registers", argument);
    struct mailbox *m = memory_new(1, sizeof *m);
    if (!vcio_open(&m->vcio, USER_LAUNCH_MEMORY, *argument, e)) {
        free(m);
        return false;
    }
    b->state = m;
    b->answer_seconds = board_launch_answer_seconds(VCIO_LAUNCH_MS);
    return true;
}

static const struct launch_backend *prepare(struct board *b, void **context, struct error *e)
{
    struct mailbox *m = b->state;
    *context = &m->user;
    m->user.machine = (struct user_machine){
        .context = &m->vcio,
        .memory = {m->vcio.memory, m->vcio.bus},
        .bytes = m->vcio.bytes,
        .launch = launch,
        .reset = reset,
    };
    return user_launch_begin(&m->user, e) ? &user_backend : NULL;
}

static bool mailbox_take(struct board *b, const char *argument, struct error *e)
{
    return take(b, argument, e) || error_where(e, "board mailbox");
}

static bool mailbox_open(struct board *b, const char *argument, struct error *e)
{
    static const struct launch_device device = {
        .units = {"vc4-qpu", "vc4-vpm"},
        .take = take,
        .prepare = prepare,
        .identify = identify,
        .note_state = note_state,
        .close = mailbox_close,
    };
    return board_launch_open(b, argument, &device, e) || error_where(e, "board mailbox");
}

const struct board_kind board_mailbox = {
    .is_hardware = true,
    .name = "mailbox",
    .form = "mailbox",
    .about = "the QPUs of this Raspberry Pi (1 to 3, Zero), through its firmware; needs root; "
             "mailbox:registers launches through the V3D's registers",
    .take = mailbox_take,
    .open = mailbox_open,
    .run = board_launch_run,
    .close = mailbox_close,
};
