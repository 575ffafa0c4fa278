/* SPDX-License-Identifier: MIT */
/*
 * A launch backend (harness/launch/launcher.h) that executes nothing, for test_launcher.c. The test decides
 * which cases hang, are refused, disturb the hardware or leave no stamp. The device counts what runs. A
 * case's tag is the word in row 3 of its VPM.
 */
#ifndef MISPRINT_TESTS_HARNESS_LAUNCH_SUPPORT_DEVICE_H
#define MISPRINT_TESTS_HARNESS_LAUNCH_SUPPORT_DEVICE_H

#include "harness/launch/launcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum kind {
    WELL,
    FORBIDDEN, /* `judge` refuses it */
    UNPLACED,  /* `place` refuses it */
    UNWANTED,  /* `hand_over` refuses it */
    HANGS,     /* later cases of the launch do not run either */
    REFUSED,   /* the driver refuses a launch with it */
    DISTURBS,  /* the hardware reports an error */
    STAMPLESS, /* leaves no stamp */
    SOLITARY,  /* one of these in a launch */
};

enum {
    CASES_MAX = LAUNCH_CASES_MAX,
    CANARY = 1000,
    VALUE = 0x5000,
    PLACED_MAX = CASES_MAX + 2,
    LAUNCHES = 2000
};

struct own {
    unsigned tag;
    uint32_t stamp;
    bool done;
    bool is_placed;           /* in the launch that is being filled */
    unsigned char filler[54]; /* 65 bytes in all, so that two do not fit into 65 + 62 */
    unsigned char last;       /* the tag again */
};
enum { OWN_BYTES = 65 };
_Static_assert(offsetof(struct own, last) < OWN_BYTES && sizeof(struct own) >= OWN_BYTES, "65 bytes or more");

/* The device. */
static struct {
    enum kind kind[CASES_MAX];
    unsigned ran[CASES_MAX], alone[CASES_MAX],
        judged[CASES_MAX]; /* times that a case ran, was launched alone, was judged */
    struct own *placed[PLACED_MAX];
    unsigned count, handed, room, launches, resets, solitary;
    unsigned order[CASES_MAX], ordered; /* cases of the first launch */
    unsigned wrong, missing;            /* launches whose second canary is wrong; leaves no stamp */
    unsigned lost_at;                   /* this launch is lost */
    bool dead, dies, reset_fails, needs_reset;
} device;

static unsigned tag_of(const struct test_case *c)
{
    uint32_t row[ROW_WORDS_MAX];
    image_row(c, schema_field(&c->unit->schema, "vpm"), 3, row);
    return row[0];
}

static enum kind kind_of(const struct own *j)
{
    return j->tag < CANARY ? device.kind[j->tag] : WELL;
}

static bool judge(void *context, void *job, const struct test_case *c, struct error *why)
{
    struct own *j = job;
    assert_ptr_equal(context, &device);
    *j = (struct own){.tag = tag_of(c)};
    j->last = (unsigned char)j->tag;
    device.judged[j->tag % CASES_MAX]++;
    return kind_of(j) != FORBIDDEN || error_set(why, "case %u is forbidden", j->tag);
}

static void clear(void *context)
{
    (void)context;
    for (unsigned i = 0; i < device.count; i++)
        device.placed[i]->is_placed = false;
    device.count = device.handed = device.solitary = 0;
}

static bool has_room(const void *context)
{
    (void)context;
    return device.count + 1 < device.room; /* one place is the second canary's */
}

static enum launch_place place(void *context, void *job, const struct test_case *c,
                               const struct outcome *initial, uint32_t stamp, struct error *why)
{
    struct own *j = job;
    (void)context;
    assert_int_equal(j->tag, tag_of(c));
    assert_int_equal(j->last, j->tag & 255);
    assert_int_not_equal(stamp, 0);
    assert_ptr_equal(initial->unit, c->unit);
    if (kind_of(j) == UNPLACED) {
        (void)error_set(why, "case %u has no place", j->tag);
        return LAUNCH_NEVER;
    }
    if (kind_of(j) == SOLITARY && device.solitary++)
        return LAUNCH_LATER;
    assert_true(device.count < device.room);
    j->stamp = stamp;
    j->done = false;
    j->is_placed = true;
    device.placed[device.count++] = j;
    return LAUNCH_PLACED;
}

/* Keeps the jobs in the order in which they are passed to the driver. */
static enum launch_place hand_over(void *context, void *job, struct error *why)
{
    struct own *j = job;
    (void)context;
    assert_true(j->is_placed);
    if (kind_of(j) == UNWANTED) {
        (void)error_set(why, "the driver does not want case %u", j->tag);
        return LAUNCH_NEVER;
    }
    device.placed[device.handed++] = j;
    return LAUNCH_PLACED;
}

static bool any(enum kind kind)
{
    for (unsigned i = 0; i < device.count; i++)
        if (kind_of(device.placed[i]) == kind)
            return true;
    return false;
}

/* Runs the jobs up to the first that hangs. */
static bool run_placed(void)
{
    for (unsigned i = 0; i < device.count; i++) {
        struct own *j = device.placed[i];
        if (j->tag < CANARY)
            device.ran[j->tag]++;
        if (kind_of(j) == HANGS) {
            device.dead = device.dies;
            return false;
        }
        j->done = kind_of(j) != STAMPLESS && !(j->tag == CANARY + 1 && device.missing);
    }
    return true;
}

static enum launch_result launch(void *context, struct error *why)
{
    (void)context;
    assert_false(device.needs_reset);
    if (device.handed)
        device.count = device.handed;
    assert_int_equal(device.placed[0]->tag, CANARY);
    assert_int_equal(device.placed[device.count - 1]->tag, CANARY + 1);
    if (++device.launches == device.lost_at) {
        error_set(why, "the board is gone");
        return LAUNCH_LOST;
    }
    assert_true(device.launches < LAUNCHES);
    if (device.count == 3)
        device.alone[device.placed[1]->tag]++;
    for (unsigned i = 1; device.launches == 1 && i + 1 < device.count; i++)
        device.order[device.ordered++] = device.placed[i]->tag;
    if (any(REFUSED)) {
        error_set(why, "the driver refuses the list");
        return LAUNCH_REFUSED;
    }
    bool good = !device.dead && run_placed();
    device.missing -= device.missing > 0;
    device.needs_reset = !good || any(DISTURBS);
    if (good && any(DISTURBS))
        error_set(why, "a read is out of range");
    return !good ? LAUNCH_HUNG : any(DISTURBS) ? LAUNCH_HW_ERROR : LAUNCH_DONE;
}

static bool reset(void *context, struct error *why)
{
    (void)context;
    assert_true(device.needs_reset);
    device.needs_reset = false;
    device.resets++;
    return !device.reset_fails || error_set(why, "the reset failed");
}

static bool collect(void *context, const void *job, struct outcome *o)
{
    const struct own *j = job;
    (void)context;
    if (!j->done)
        return false;
    o->value[0] = VALUE + j->tag;
    o->end = END_DONE;
    return true;
}

static bool canary_is_right(unsigned n, const struct test_case *c, const struct outcome *o)
{
    assert_int_equal(tag_of(c), CANARY + n);
    assert_int_equal(o->value[0], VALUE + CANARY + n);
    bool right = n == 0 || !device.wrong;
    device.wrong -= !right;
    return right;
}

#define CANARY_TEXT(hex) "misprint-case 1 vc4-vpm\nvpm row 3 = all " hex "\nops {\n  nop 3\n}\n"

static const struct launch_backend simple = {.job_bytes = OWN_BYTES,
                                             .canary = {CANARY_TEXT("3e8"), CANARY_TEXT("3e9")},
                                             .canary_is_right = canary_is_right,
                                             .judge = judge,
                                             .clear = clear,
                                             .has_room = has_room,
                                             .place = place,
                                             .launch = launch,
                                             .reset = reset,
                                             .collect = collect};

#endif
